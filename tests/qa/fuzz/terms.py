"""A formula by chance has one value, however it is evaluated, printed, parsed or read.

`faults` holds one claim, two formulas with ``<=`` between them, to what `formulas.value` says:

- in floats, and in fractions with balls where a value is irrational, the program and its terms;
- as the line that is printed from its terms, in plain text and in TeX, parsed again;
- as the claims in symbols that the prover is given: where all of a set hold at a point, the claim
  must hold there, as a proof of the set is told as one of the claim.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import sympy

from bounds.numbers.ball import Ball, Undecided
from bounds.numbers.validate import InvalidInput
from tests.qa.fuzz.formulas import MP, NoPoint, Number, Tree, drawn, program, said, smaller, value
from verify.claim import Real, numbers, statement
from verify.claim.statement import Statement
from verify.line.written import one_line
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import Claims, ReadClaim
from verify.terms.claims import as_terms, why_no_terms
from verify.terms.printed import printed
from verify.world.noise_plan import AllOutcomes, NoValue
from verify.world.returned import sides_of
from verify.world.world import World

__all__ = ["Pair", "faults", "least", "made", "pair", "points"]

Pair = tuple[Tree, Tree]
At = Mapping[str, Any]
BOX = {
    "x": Real(-2, 3),
    "y": Real(Fraction(1, 4), 4),
    "z": Real(-1, 1),
    "u": Real(-1, 2, per=("N",)),
    "v": Real(Fraction(1, 4), 3, per=("N",)),
}
POINTS = (2, 3, 2)
"""Numbers of clients of the points at which a claim is looked at."""

SETS = 8
"""Of the sets of claims so many are looked at."""

VANISHING = MP.mpf(10) ** -280
"""Floats that are smaller may be rounded to zero."""

SURE = MP.mpf(10) ** -25
"""What two exact values of sixty digits may be apart, relative to their size or to 1."""


def pair(rng: Random, depth: int = 3) -> Pair:
    """Two sides by chance."""
    return drawn(rng, rng.randint(1, depth)), drawn(rng, rng.randint(0, depth - 1))


def made(sides: Pair, key: str = "fuzz.claim") -> Statement:
    """The claim that one is at most the other."""

    def both(w: World) -> Any:
        left, right = (program(side, w) for side in sides)
        return {"l": left}, {"r": right + 0 * w.x if isinstance(right, Fraction) else right}

    family = numbers(BOX, {"N": 2}, {"N": 3})
    one: Statement = statement(key, where="L", latex="x", family=family)(both)
    return one


def points(rng: Random) -> Iterator[At]:
    """Rational points of the box."""
    for count in POINTS:
        yield {
            name: [_between(rng, one) for _ in range(count)] if one.per else _between(rng, one)
            for name, one in BOX.items()
        }


def _between(rng: Random, one: Real) -> Fraction:
    low, high = Fraction(one.low), Fraction(one.high)
    return low + (high - low) * Fraction(rng.randint(0, 840), 840)


def least(sides: Pair, seed: int) -> Pair:
    """A smaller claim that has a fault as well, as small as taking parts makes it."""
    for place in (0, 1):
        for one in smaller(sides[place]):
            less = (one, sides[1]) if place == 0 else (sides[0], one)
            if faults(less, seed):
                return least(less, seed)
    return sides


def faults(sides: Pair, seed: int, seen: Counter[str] | None = None) -> list[str]:
    """What of a claim disagrees with its value; counts what was compared."""
    seen = Counter() if seen is None else seen
    claim = made(sides)
    if why_no_terms(claim):  # exp(exp(64)) has no value at any point
        seen["no term"] += 1
        return []
    terms = as_terms(claim)
    lines = dict(_read_again(terms, seen))
    sets = list(islice(claim_sets(terms), SETS))
    found = []
    for at in points(Random(seed)):
        try:
            told = [value(side, at) for side in sides]
        except NoPoint:
            seen["no point"] += 1
            continue
        assert not any(isinstance(one, list) for one in told)
        for name, one in (("program", claim), ("terms", terms)):
            for number in ("float64", "exact"):
                found += _amiss(f"{name}, {number}", one, number, at, told, seen)
        for name, one in lines.items():
            found += _amiss(name, one, "exact", at, told, seen)
        found += [f"{fault} at {_shown(at)}" for fault in _unsound(sets, at, told, seen)]
    return found


# -- evaluated ------------------------------------------------------------------------------------


def _amiss(
    name: str, claim: Statement, number: str, at: At, told: list[Number], seen: Counter[str]
) -> list[str]:
    try:
        values = _sides(claim, number, at)
    except (Undecided, NoValue, ZeroDivisionError) as error:
        seen[f"{name}: {type(error).__name__}"] += 1
        return []
    seen[name] += 1
    return [
        f"{name}, {side}: {float(MP.mpf(0) + _middle(one)):.17g} for "
        f"{MP.nstr(right.at, 20)} at {_shown(at)}"
        for side, one, right in zip(("left", "right"), values, told, strict=True)
        if not _same(one, right, number)
    ]


def _sides(claim: Statement, number: str, at: At) -> list[Any]:
    kind: Any = float if number == "float64" else Fraction
    data = {
        name: np.array([[kind(one) for one in at[name]] if box.per else kind(at[name])])
        if number == "float64"
        else _exact([at[name]])
        for name, box in claim.family.box.items()
    }
    count = next((len(v) for k, v in at.items() if isinstance(v, list)), 0)
    listed = any(box.per for box in claim.family.box.values())
    shape = {"N": count} if listed else {}
    world = World(claim.family.instance(data, shape), number, AllOutcomes(), claim.defines)
    with np.errstate(all="ignore"):
        return [
            sum((np.asarray(one).item() for one in side.values()), start=0)
            for side in sides_of(claim, world)
        ]


def _exact(values: list[Any]) -> Any:
    rows = np.empty(np.shape(values), dtype=object)
    for place in np.ndindex(rows.shape):
        one: Any = values
        for index in place:
            one = one[index]
        rows[place] = one
    return rows


def _middle(one: Any) -> Any:
    if isinstance(one, Ball):
        one = one.mid
    if isinstance(one, Fraction):
        return MP.mpf(one.numerator) / one.denominator
    return MP.mpf(one)


def _same(one: Any, told: Number, number: str) -> bool:
    if number == "float64":
        return bool(abs(_middle(one) - told.at) <= told.off + VANISHING)
    rounding = SURE * max(abs(told.at), 1)
    if isinstance(one, Ball):
        return bool(
            _middle(one.lo) - rounding <= told.at <= _middle(one.hi) + rounding
            and one.rad <= max(abs(one.mid), 1) / 1000
        )
    return isinstance(one, Fraction | int) and bool(abs(_middle(one) - told.at) <= rounding)


def _shown(at: At) -> str:
    return ", ".join(
        f"{name} = {[str(v) for v in one] if isinstance(one, list) else one}"
        for name, one in at.items()
    )


# -- printed and parsed ---------------------------------------------------------------------------


def _read_again(claim: Statement, seen: Counter[str]) -> Iterator[tuple[str, Statement]]:
    text = printed(claim)
    assert text is not None
    for name, in_tex in (("plain text", False), ("TeX", True)):
        line = " <= ".join(text.sides(in_tex))
        names = dict.fromkeys(re.findall(r"(?<![A-Za-z])[xyzuv](?![A-Za-z])", line))
        if "where" in line or "cases" in line:  # a line has no such formula
            seen[f"{name}: where"] += 1
            continue
        if names:
            line += f" for real {', '.join(names)}"
        try:
            yield name, one_line(line)
        except InvalidInput:
            seen[f"{name}: refused"] += 1


# -- as claims in symbols -------------------------------------------------------------------------


def _unsound(sets: list[Claims], at: At, told: list[Number], seen: Counter[str]) -> Iterator[str]:
    """Sets of claims that hold at a point at which the statement fails."""
    if told[0].at - told[1].at <= SURE:
        seen["symbols: the claim holds there"] += 1
        return
    for number, claims in enumerate(sets):
        listed = claims.all()
        if not listed or not claims.complete:
            continue
        answers = [_holds(one, at) for one in listed]
        if any(answer is None for answer in answers):
            seen["symbols: more of them"] += 1
            continue
        seen["symbols"] += 1
        if all(answers):
            yield f"set {number} of claims holds: {[str(one.claim[:3]) for one in listed]}"


def _holds(one: ReadClaim, at: At) -> bool | None:
    """Whether a claim holds at a point whichever client comes first; None if that is not known."""
    clients = len(at["u"])
    answers = [
        _holds_at(one, {k: v[n:] + v[:n] if isinstance(v, list) else v for k, v in at.items()})
        for n in range(clients)
    ]
    return None if any(a is None for a in answers) else all(answers)


def _holds_at(one: ReadClaim, at: At) -> bool | None:
    left, right, relation, given = one.claim
    alone = one.label.get("singled out", 0)
    leading = alone if isinstance(alone, int) else 0
    if one.vectors or "draw" in one.label or leading > len(at["u"]):
        return None
    put = _Put(at, leading, one.label.get("parts", {}))
    answers = []
    for chosen in (0, 1):
        put.chosen = chosen
        margins = [(put(h.expr), h.strict) for h in given]
        gap = put(sympy.sympify(right) - sympy.sympify(left))
        if gap is None or any(margin is None for margin, _ in margins):
            return None
        met = all(m > SURE if strict else m >= -SURE for m, strict in margins)
        answers.append(not met or (abs(gap) <= SURE if relation == "==" else gap >= -SURE))
    return all(answers)


class _Put:
    """Puts the numbers of a point into an expression; None where a symbol has none."""

    def __init__(self, at: At, leading: int, parts: Any) -> None:
        self.at, self.leading, self.chosen = at, leading, 0
        self.parts = parts if isinstance(parts, dict) else {}
        self.count = len(at["u"]) - leading

    def __call__(self, whole: Any) -> Any:
        whole = sympy.sympify(whole)
        known = all(isinstance(self.at.get(str(a.base)), list) for a in whole.atoms(sympy.Indexed))
        found = self._with_sums(whole) if known else None
        return None if found is None else self._number(found)

    def _with_sums(self, whole: Any) -> Any:
        for one in whole.atoms(sympy.Sum):
            ((index, low, high),) = one.limits
            if str(low) != "1" or str(high) != "N" or one.function.has(sympy.Sum):
                return None
            parts = [self._of_client(one.function, index, k) for k in range(self.count)]
            whole = whole.xreplace({one: sum(parts, start=sympy.Integer(0))})
        return None if whole.has(sympy.Indexed) else whole  # what is left is about each client

    def _of_client(self, inner: Any, index: Any, k: int) -> Any:
        values = {
            one: _rational(self.at[str(one.base)][self.leading + k])
            for one in inner.atoms(sympy.Indexed)
            if one.indices[0] == index
        }
        return inner.xreplace(values)

    def _number(self, whole: Any) -> Any:
        values: dict[Any, Any] = {}
        for symbol in whole.free_symbols:
            found = self._symbol(str(symbol))
            if found is None:
                return None
            values[symbol] = found
        exact = whole.xreplace(values)
        number = sympy.N(exact, 50)
        return MP.mpf(str(number)) if number.is_Float or number.is_Rational else None

    def _symbol(self, name: str) -> Any:
        head, _, place = name.partition("_")
        if name in self.at and not isinstance(self.at[name], list):
            return _rational(self.at[name])
        if place.isdigit() and int(place) < self.leading and isinstance(self.at.get(head), list):
            return _rational(self.at[head][int(place)])
        if name == "N":
            return sympy.Integer(self.count)
        if name.startswith("chosen") and name[6:] == "1":
            return sympy.Integer(self.chosen)
        return None


def _rational(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def told(sides: Pair) -> str:
    """A claim to be read in a message."""
    return f"{said(sides[0])} <= {said(sides[1])}"
