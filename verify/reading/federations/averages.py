r"""Averages over the rounds of a run, as one inequality about a round.

Let :math:`\chi` be a condition on a place, 1 or 0, and let a claim, times T, be

.. math:: \sum_{t<T}\mathbb E\bigl[\chi(\theta^0)\cdots\chi(\theta^t)\,g(\theta^t)\bigr]
          \le B_T(\theta^0) + \sum_{t<T}\mathbb E\,r(\theta^t), \qquad B_T = uf + vT + w .

A run of T + 1 rounds is one round and a run of T rounds from where that leads.  So it follows for
all T from

- :math:`g + u\,\mathbb Ef(\theta^1) + vT + w \le B_{T+1} + r` and :math:`g \le B_1 + r` where
  :math:`\chi(\theta^0) = 1`,
- :math:`0 \le B_T` where it is 0, if there is a condition; there is no r then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from bounds.numbers.formal_terms import indicator_type
from verify.certify.prover.prove import Hypothesis
from verify.reading.federations.places import moved, places_of, value_at
from verify.reading.federations.reading import After
from verify.reading.federations.sizes import ROUNDS
from verify.reading.federations.sums import ClientSums
from verify.reading.parts.claim import Claim
from verify.reading.parts.factored import cancelled, factored
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

__all__ = ["Average", "average_claims", "read_average"]


@dataclass(frozen=True)
class Average:
    """What is summed over the rounds, and T times the right side: u f + v T + w, r of a place."""

    one: Expr
    u: Expr
    v: Expr
    w: Expr
    r: Expr

    def bound(self, value: Expr, rounds: Expr) -> Expr:
        """B_T of a place with this value."""
        return self.u * value + self.v * rounds + self.w


def read_average(found: Mapping[int, After], sums: ClientSums) -> tuple[Expr | None, Average]:
    """The condition, if there is one, and what is summed.

    Parameters
    ----------
    found : mapping
        What the statement says of some numbers of rounds.
    sums : ClientSums

    Raises
    ------
    NotReadable
        Where the left side is no such average, or the right side has another form.
    """
    chosen, one = _parts(found[1].left)
    whole = sympy.Integer(0)
    for t in range(1, max(found) + 1):
        whole = sympy.expand(chosen * (one + moved(whole, 1)))
        if t in found and sympy.expand(t * found[t].left) != whole:
            raise NotReadable("a left side that is no average over the rounds")
    right = {
        t: {n: sympy.expand(t * sums.named(e)) for n, e in after.right.items()}
        for t, after in found.items()
    }
    running = {n for terms in right.values() for n, e in terms.items() if places_of(e) - {0}}
    r = sympy.Add(*(e for n, e in right[1].items() if n in running))
    if running and chosen != 1:
        raise NotReadable("terms of the run beside a condition")
    plain: dict[int, Expr] = {}
    for t, terms in right.items():
        each = sympy.Add(*(e for n, e in terms.items() if n in running))
        if sympy.expand(each - sympy.Add(*(moved(r, place) for place in range(t)))) != 0:
            raise NotReadable("a term of the run that is not the same at each place")
        plain[t] = sympy.expand(sympy.Add(*(e for n, e in terms.items() if n not in running)))
    return (None if chosen == 1 else chosen.args[0]), Average(one, *_linear(plain), r)


def average_claims(
    average: Average, condition: Expr | None, known: list[Hypothesis], plain: list[Hypothesis]
) -> Iterator[tuple[str, Claim]]:
    """Claims about a round, each with a name.

    Parameters
    ----------
    average : Average
    condition : expression or None
    known : list of Hypothesis
        What is known of a round where the condition is met.
    plain : list of Hypothesis
        What is known whether or not it is met.
    """
    before, after, first = value_at(0), value_at(1), sympy.Integer(1)
    where = [] if condition is None else [Hypothesis("condition", condition)]
    left = average.one + average.bound(after, ROUNDS)
    right = average.bound(before, ROUNDS + 1) + average.r
    yield "one more round", Claim(left, right, "<=", [*known, *where])
    alone = average.bound(before, first) + average.r
    yield "first round", Claim(average.one, alone, "<=", [*known, *where])
    if condition is not None:
        whole = average.bound(before, ROUNDS)
        yield "condition not met", Claim(sympy.Integer(0), whole, "<=", plain)


def _parts(left: Expr) -> tuple[Expr, Expr]:
    """The condition of a round, 1 or an indicator, and what is summed."""
    chosen = [e for e in sympy.Mul.make_args(left) if isinstance(e, indicator_type())]
    if len(chosen) > 1 or any(e.args[1] != 0 for e in chosen):
        raise NotReadable("an average under another condition")
    condition = sympy.Mul(*chosen)
    one = left / condition
    if one.has(indicator_type()) or places_of(left) != {0}:
        raise NotReadable("an average that is not about the places of the rounds")
    return condition, one


def _linear(found: Mapping[int, Expr]) -> tuple[Expr, Expr, Expr]:
    """u, v and w of right sides u f + v T + w.

    Raises
    ------
    NotReadable
    """
    value = value_at(0)
    u = found[1].coeff(value, 1)
    rest = {t: sympy.expand(e - u * value) for t, e in found.items()}
    v = factored(cancelled(rest[2] - rest[1]))
    w = factored(cancelled(rest[1] - v))
    for t, e in rest.items():
        if not same(v * t + w, e):
            raise NotReadable("a bound of another form in the number of rounds")
    if any(places_of(e) for e in (u, v, w)):
        raise NotReadable("a bound that is not linear in the first value")
    return u, v, w
