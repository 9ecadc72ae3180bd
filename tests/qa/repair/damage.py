"""True claims, damaged in one of six ways by a seed: is what was true found again?

The claims are true inequalities between bare numbers.  A damage changes the right
side: a constant, an exponent, a term left out, an index one off, two symbols exchanged, a symbol
lost.  Damages that leave the claim true are drawn again.  `judged` says what the repairs are:
as tight as the original on many instances, proved, and whether another search breaks one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from tests.verify.cases import SMALL, changed, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.leaf import assay, climb_all, climbs_of, judge_of
from verify.ladder.repair.laws import laws_of
from verify.ladder.repair.repairs import Judged, repairs_of
from verify.ladder.rungs.climb import Climb
from verify.verdict.relation import ROUNDING
from verify.world.score import score
from verify.world.world import World

SEED = 3400
COUNT = 60
BUDGET = replace(SMALL, evaluations=12_000, onward=1 / 16, mends=3)
AGAIN = replace(BUDGET, evaluations=24_000, mends=0, ladders=0)
X = Real(1 / 8, 8, log=True)
T = ({"T": 1}, {"T": 2}, {"T": 3}, {"T": 5})
Sides = Callable[[Any], tuple[dict[str, Any], dict[str, Any]]]

ORIGINALS: dict[str, tuple[Sides, dict[str, Real], tuple[Any, ...]]] = {
    "young": (
        lambda w: ({"xy": w.x * w.y}, {"a": w.c * w.x**2 / 2, "b": w.y**2 / (2 * w.c)}),
        {"x": X, "y": X, "c": X},
        ({},),
    ),
    "square of a sum": (
        lambda w: ({"l": (w.x + w.y) ** 2}, {"a": 2 * w.x**2, "b": 2 * w.y**2}),
        {"x": X, "y": X},
        ({},),
    ),
    "three": (
        lambda w: (
            {"l": (w.x + w.y + w.z) ** 2},
            {"a": 3 * w.x**2, "b": 3 * w.y**2, "c": 3 * w.z**2},
        ),
        {"x": X, "y": X, "z": X},
        ({},),
    ),
    "weighted": (
        lambda w: (
            {"l": (w.x + w.y) ** 2},
            {"a": (1 + w.c) * w.x**2, "b": (1 + 1 / w.c) * w.y**2},
        ),
        {"x": X, "y": X, "c": X},
        ({},),
    ),
    "product": (
        lambda w: ({"l": 4 * w.x * w.y * w.k}, {"r": w.k * (w.x + w.y) ** 2}),
        {"x": X, "y": X, "k": X},
        ({},),
    ),
    "rounds": (
        lambda w: ({"l": w.x**2 + w.T * w.x * w.y}, {"a": 2 * w.x**2, "b": w.T**2 * w.y**2}),
        {"x": X, "y": X},
        T,
    ),
    "bernoulli": (
        lambda w: ({"l": 1 + w.T * w.x + 0 * w.y}, {"r": (1 + w.x) ** w.T + 0 * w.y}),
        {"x": X, "y": X},
        T,
    ),
    "step": (
        lambda w: (
            {"l": (w.x + w.eta * w.g) ** 2},
            {"a": 2 * w.x**2, "b": 2 * w.eta**2 * w.g**2},
        ),
        {"x": X, "eta": X, "g": X},
        ({},),
    ),
}

KINDS = ("constant", "exponent", "missing term", "index", "swapped symbol", "lost symbol")


@dataclass(frozen=True)
class Damaged:
    """A damaged claim with what it was."""

    name: str
    kind: str
    original: Statement
    statement: Statement


@dataclass(frozen=True)
class Outcome:
    """What came of one: as tight as the original, proved, and broken by another search."""

    found: bool
    proved: bool
    false: bool
    told: int


def drawn(seed: int = SEED, count: int = COUNT) -> Iterator[Damaged]:
    """Damaged claims that the ladder finds false."""
    rng = np.random.default_rng(seed)
    seen: set[str] = set()
    made = 0
    for _ in range(40 * count):
        if made == count:
            return
        name = list(ORIGINALS)[rng.integers(len(ORIGINALS))]
        kind = KINDS[rng.integers(len(KINDS))]
        sides, box, shapes = ORIGINALS[name]
        original = claim(sides, numbers(*shapes, **box))
        said, rule = _damage(kind, rng, original)
        if rule is None or f"{name}: {said}" in seen:
            continue
        seen.add(f"{name}: {said}")
        statement = rule(original)
        if assay(statement, profile=replace(BUDGET, mends=0, ladders=0)).verdict == "violated":
            made += 1
            yield Damaged(f"{name}: {said}", kind, original, statement)


def judged(damaged: Damaged) -> Outcome:
    """Repairs of a damaged claim, compared with the original and searched again."""
    told: list[tuple[str, Statement]] = []
    ladder = judge_of(BUDGET, 1)

    def judge(statement: Statement, number: int) -> Judged:
        found = ladder(statement, number)
        if found.word in ("proved", "holds"):
            told.append((found.word, statement))
        return found

    climbs = climbs_of(Climb(damaged.statement, BUDGET, 1, "cpu"))
    with np.errstate(all="ignore"):
        for _ in climb_all(climbs):
            pass
        laws = laws_of(climbs[0], *BUDGET.growth())
        repairs_of(climbs, judge, laws)
        found = [as_tight(mended, damaged.original) for _, mended in told]
    falls = [assay(mended, profile=AGAIN, seed=77).verdict == "violated" for _, mended in told]
    return Outcome(any(found), any(word == "proved" for word, _ in told), any(falls), len(told))


def as_tight(repair: Statement, original: Statement) -> bool:
    """Whether a repaired right side is at most the original one, on a thousand instances."""
    family, rng = original.family, np.random.default_rng(5)
    for shape in family.shapes:
        values = family.decode(rng.random((1000, family.width(shape))), shape)
        instance = family.instance(values, shape)
        ours, theirs = (xp.to_float(score(s, instance).right) for s in (repair, original))
        if not np.all(ours <= theirs * (1 + ROUNDING)):
            return False
    return True


def _damage(
    kind: str, rng: np.random.Generator, original: Statement
) -> tuple[str, Callable[[Statement], Statement] | None]:
    """A damage in words and as a change of a claim; None where the claim has no place for it."""
    names = list(original.family.box)
    one, other = rng.permutation(names)[:2]
    shape = original.family.shapes[0]
    if kind == "constant":
        number, part = int(rng.integers(3)), rng.integers(2)
        factor = (Fraction(1, 2), Fraction(2, 3), Fraction(1, 4))[number]
        return f"{factor} of {'a term' if part else 'all'}", _factor(factor, bool(part))
    if kind == "exponent":
        root = bool(rng.integers(2))
        power = xp.sqrt if root else lambda v: v * v
        return f"{one}^{'(1/2)' if root else 2} for {one}", _symbols(lambda w: {one: power(w[one])})
    if kind == "missing term":
        place = int(rng.integers(3))
        return f"term {place} left out", _without(place)
    if kind == "index":
        return "T - 1 for T", _symbols(lambda w: {"T": w["T"] - 1}) if "T" in shape else None
    if kind == "swapped symbol":
        return f"{one} and {other} exchanged", _symbols(lambda w: {one: w[other], other: w[one]})
    lost = "T" if "T" in shape and rng.integers(2) else one
    return f"{lost} lost", _symbols(lambda w: {lost: w[lost] ** 0})


def _factor(factor: Fraction, part: bool) -> Callable[[Statement], Statement]:
    def rule(w: World, left: Any, right: Any) -> Any:
        first = next(iter(right))
        return left, {k: v * factor if k == first or not part else v for k, v in right.items()}

    return lambda statement: changed(statement, rule)


def _without(place: int) -> Callable[[Statement], Statement]:
    def rule(w: World, left: Any, right: Any) -> Any:
        gone = list(right)[place % len(right)]
        return left, {k: v * 0 if k == gone else v for k, v in right.items()}

    return lambda statement: changed(statement, rule)


def _symbols(values: Callable[[Any], dict[str, Any]]) -> Callable[[Statement], Statement]:
    """The right side sees other values of some symbols."""

    def damaged(statement: Statement) -> Statement:
        rule = statement.sides
        assert rule is not None

        def sides(w: World) -> Any:
            return rule(w)[0], rule(w.with_changed(values(_Symbols(w))))[1]

        return replace(statement, sides=sides)

    return damaged


@dataclass(frozen=True)
class _Symbols:
    """Symbols of a world by their names, as the sides see them."""

    world: World

    def __getitem__(self, name: str) -> Any:
        return self.world.symbol(name)


def main() -> None:
    """Print what came of each damaged claim, and the shares."""
    outcomes = []
    for damaged in drawn():
        outcome = judged(damaged)
        outcomes.append(outcome)
        sys.stdout.flush()
        words = ("found" if outcome.found else "-", "proved" if outcome.proved else "-")
        print(damaged.name, *words, "FALSE" if outcome.false else "", outcome.told, sep=" | ")
    count = len(outcomes)
    for name in ("found", "proved", "false"):
        number = sum(getattr(outcome, name) for outcome in outcomes)
        print(f"{name}: {number} of {count}")


if __name__ == "__main__":
    main()
