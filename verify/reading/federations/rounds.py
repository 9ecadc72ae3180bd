r"""What a claim about runs says of any number of rounds, as one inequality about a round.

Let :math:`\chi` be a condition on a place, 1 or 0, and let a claim be

.. math:: \mathbb E\bigl[f(\theta^T)\,\chi(\theta^0)\cdots\chi(\theta^{T-1})\bigr]
          \le P_T(\theta^0) + \sum_{t<T}\mathbb E\,r_{T-t}(\theta^t)

with :math:`P_T(\theta) = uq^Tf(\theta) + vq^{T-1} + w` and :math:`r_T = aq^{T-1} + b`, where a
and b may depend on what is known at the place.  A run of T + 1 rounds is one round and a run of T
rounds from where that leads.  So the claim follows for all T, as means given the first place, from

- :math:`\mathbb E f(\theta^1) \le P_1(\theta^0) + r_1(\theta^0)` and
  :math:`\mathbb E P_T(\theta^1) \le P_{T+1}(\theta^0) + r_{T+1}(\theta^0)` where
  :math:`\chi(\theta^0) = 1`,
- :math:`0 \le P_T(\theta^0)` where it is 0, if there is a condition; there is no r then.

What a hypothesis says of the run it must say of each place by itself, so that it holds on the rest
of a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import sympy

from bounds.numbers.formal_terms import indicator_type
from verify.reading.federations.averages import Average, read_average
from verify.reading.federations.limits import in_roots
from verify.reading.federations.places import moved, places_of, value_at
from verify.reading.federations.reading import After, WeighedRuns
from verify.reading.federations.sizes import Sizes, read_sizes
from verify.reading.federations.sums import ClientSums
from verify.reading.parts.factored import cancelled, factored
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

LONGEST, FAR = 6, 13
"""Rounds that are written out to see what a claim is after any number: all up to so many, and a
number far from them.  None of them may be a multiple of the clients that are written out."""

AGAIN = 3
"""Those of a claim that was held to all of these before: what says its form, and one more."""

__all__ = ["Bound", "RoundsRead", "read_rounds", "same_margins"]


@dataclass(frozen=True)
class Bound:
    """The right side after T rounds, p = q^(T-1): u q p f + v p + w, and a p + b of a place."""

    q: Expr
    u: Expr
    v: Expr
    w: Expr
    a: Expr
    b: Expr

    def whole(self, value: Expr, power: Expr) -> Expr:
        """P_T of a place with this value, q^(T-1) being `power`."""
        return self.u * self.q * power * value + self.v * power + self.w

    def running(self, power: Expr) -> Expr:
        """r_T of the first place."""
        return self.a * power + self.b


@dataclass(frozen=True)
class RoundsRead:
    """What a claim says of a round.

    Attributes
    ----------
    many : bool
        Whether it is about any number of rounds of which the bound speaks, or about a round by
        itself, wherever it begins.
    left, right : expressions
        Of the round by itself.
    condition : expression or None
        What must not be negative for the condition to be met.
    bound : Bound or None
    margins : dict
        What is assumed of each place, and of the parameters.
    sizes : Sizes or None
        Steps and bounds, where each round has a step of its own.
    average : Average or None
        What is summed over the rounds, where the left side is an average.
    level : expression or None
        Where the left side is the chance that the value after the last round reaches it: then all
        else is about that value itself, and the right side times the level.
    """

    many: bool
    left: Expr
    right: Expr
    condition: Expr | None
    bound: Bound | None
    margins: Mapping[str, tuple[Expr, ...]]
    sizes: Sizes | None = None
    average: Average | None = None
    level: Expr | None = None


def read_rounds(setting: WeighedRuns, sums: ClientSums) -> RoundsRead:
    """What the statement says of a round, client sums having names.

    Raises
    ------
    NotReadable
        Where what it says of other numbers of rounds has another form.
    """
    one, level = by_markov(setting.after(1), 1)
    same_margins(one, one, 1)
    right = sums.named(in_roots(sympy.Add(*one.right.values()), setting, sums))
    left = sums.named(one.left)
    if setting.longest == 1:
        return _of_one(left, right, one, level)
    counts = range(1, AGAIN + 1) if known_before() else (*range(1, LONGEST + 1), FAR)
    made = {t: by_markov(setting.after(t), t) for t in counts}
    found = {t: after for t, (after, _) in made.items()}
    for t, (after, here) in made.items():
        same_margins(one, after, t)
        if here != level:
            raise NotReadable("a left side that is a probability of some numbers of rounds")
    if all(
        a.left == moved(one.left, t - 1)
        and {n: moved(e, t - 1) for n, e in one.right.items()} == dict(a.right)
        for t, a in found.items()
    ):
        return _of_one(left, right, one, level)
    if not setting.changing and not one.left.has(value_at(1)):
        condition, average = read_average(found, sums)
        return RoundsRead(True, left, right, condition, None, one.margins, average=average)
    chosen = _condition(one.left)
    for t, after in found.items():
        whole = reduce(lambda e, s: e * moved(chosen, s), range(t), value_at(t))
        if after.left != whole:
            raise NotReadable("a left side that is not about the end of a run")
    condition = chosen.args[0] if chosen != 1 else None
    if setting.changing:
        sizes = read_sizes(setting, {t: _start_alone(setting, a, sums) for t, a in found.items()})
        return RoundsRead(True, left, right, condition, None, one.margins, sizes, level=level)
    bound = _bound(found, sums)
    return RoundsRead(True, left, right, condition, bound, one.margins, level=level)


def by_markov(after: After, rounds: int) -> tuple[After, Expr | None]:
    """What is said of the value at the end, where a claim is about the chance that it is as large
    as a level; and that level.

    The chance that a value of at least zero reaches the level is at most its mean over the level,
    so the claim follows from one about the value, the right side times the level.
    """
    value = value_at(rounds)
    parts = sympy.Mul.make_args(after.left)
    if not all(isinstance(part, indicator_type()) for part in parts):
        return after, None
    for part in (part for part in parts if part.has(value)):
        level, rest = value - part.args[0], after.left / part
        if part.args[1] == 0 and level.is_positive and not places_of(level) and not rest.has(value):
            right = {name: level * e for name, e in after.right.items()}
            return replace(after, left=rest * value, right=right), level
    return after, None


def _of_one(left: Expr, right: Expr, one: After, level: Expr | None) -> RoundsRead:
    """A claim about a round by itself, whose sides must be linear in the value after it."""
    if level is not None:
        raise NotReadable("a chance in a claim about a round by itself")
    value = value_at(1)
    for e in (left, right):
        poly = sympy.Poly(e, value) if e.is_polynomial(value) else None
        rest = () if poly is None else poly.all_coeffs()
        if poly is None or poly.degree() > 1 or any(places_of(c) - {0} for c in rest):
            raise NotReadable("a side that is not linear in what comes after the round")
    return RoundsRead(False, left, right, None, None, one.margins)


def _condition(left: Expr) -> Expr:
    """The factor of the value after a round: 1, or an indicator of what is known before."""
    chosen = left.coeff(value_at(1), 1)
    if left != chosen * value_at(1):
        raise NotReadable("a left side that is no value")
    known = isinstance(chosen, indicator_type()) and chosen.args[1] == 0
    if not (chosen == 1 or (known and places_of(chosen) <= {0})):
        raise NotReadable("a left side that is no value, and no value under a condition")
    return chosen


def same_margins(one: After, after: After, rounds: int) -> None:
    """Refuse hypotheses that are not about each place by itself."""
    if set(one.margins) != set(after.margins):
        raise NotReadable("hypotheses that differ with the number of rounds")
    for name, margin in one.margins.items():
        every = {moved(e, t) for e in margin for t in range(rounds)}
        if any(places_of(e) - {0} for e in margin) or set(after.margins[name]) != every:
            raise NotReadable(f"{name} is not about each place by itself")


# -- the right side --------------------------------------------------------------------------------


def _bound(found: Mapping[int, After], sums: ClientSums) -> Bound:
    terms = {t: {n: sums.named(e) for n, e in after.right.items()} for t, after in found.items()}
    running = {n for named in terms.values() for n, e in named.items() if places_of(e) - {0}}
    value = value_at(0)
    starts: dict[int, Expr] = {}
    rests: dict[int, Expr] = {}
    each: dict[int, dict[int, Expr]] = {}
    for t, named in terms.items():
        plain = sympy.expand(sympy.Add(*(e for n, e in named.items() if n not in running)))
        if not plain.is_polynomial(value):
            raise NotReadable("a bound that is not linear in the first value")
        poly = sympy.Poly(plain, value)
        if poly.degree() > 1 or any(places_of(c) for c in poly.all_coeffs()):
            raise NotReadable("a bound that is not linear in the first value")
        starts[t], rests[t] = poly.coeff_monomial(value), poly.coeff_monomial(1)
        each[t] = _by_place(sympy.Add(*(e for n, e in named.items() if n in running)))
    q = cancelled(starts[2] / starts[1]) if starts[1] != 0 else sympy.Integer(1)
    if q == 1:
        raise NotReadable("a bound in which the first value has no factor for each round")
    u, none = _fitted({t: e / q for t, e in starts.items()}, q)
    if none != 0:
        raise NotReadable("a bound in which the factor of the first value does not fall")
    a, b = _fitted({t: parts.get(0, 0) for t, parts in each.items()}, q)
    for t, parts in each.items():
        for place in range(max([t, *(p + 1 for p in parts)])):
            here = moved(a * q ** (t - place - 1) + b, place) if place < t else sympy.Integer(0)
            if not same(parts.get(place, sympy.Integer(0)), here):
                raise NotReadable("a term of the run that is not the same at each place")
    return Bound(q, u, *_fitted(rests, q), a, b)


def _start_alone(setting: WeighedRuns, after: After, sums: ClientSums) -> Expr:
    """A right side that is about the first value, the parameters and the roots of variances."""
    found = sums.named(in_roots(sympy.Add(*after.right.values()), setting, sums))
    if {s for s in found.free_symbols if places_of(s)} - {value_at(0)}:
        raise NotReadable("a bound that depends on the run")
    return found


def _by_place(e: Expr) -> dict[int, Expr]:
    """A sum by the places that its terms are about."""
    parts: dict[int, Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(e)):
        places = places_of(term)
        if len(places) > 1 or (not places and term != 0):
            raise NotReadable("a term of the run that is about several places, or none")
        for place in places:
            parts[place] = parts.get(place, sympy.Integer(0)) + term
    return parts


def _fitted(found: Mapping[int, Expr], q: Expr) -> tuple[Expr, Expr]:
    """a and b of numbers a q^(T-1) + b.

    Raises
    ------
    NotReadable
        Where one of them is another.
    """
    values = {t: sympy.sympify(e) for t, e in found.items()}
    a = factored(cancelled((values[2] - values[1]) / (q - 1)))
    b = factored(cancelled(values[1] - a))
    if not all(same(a * q ** (t - 1) + b, e) for t, e in values.items()):
        raise NotReadable("a bound of another form in the number of rounds")
    return a, b
