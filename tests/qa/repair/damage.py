"""True claims, damaged in one of eight ways by a seed: is what was true found again?

The claims are inequalities between plain numbers that are proved: those of this file and all such
leaves of the library.  A damage changes a constant or an exponent, leaves out a term, shifts an
index, exchanges two symbols, loses one, drops or weakens a hypothesis, or widens a range.  Damages
that leave the claim true are drawn again.  `judged` says what the repairs are: as tight as the
original on many instances and no less general, proved, and whether another search breaks one.

``python -m tests.qa.repair.damage --seed 1 --count 200 --json FILE`` goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bounds import generic as xp
from tests.verify.cases import SMALL, assume, changed, claim, numbers
from verify.catalogue.library import library
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real, plain_numbers
from verify.claim.statement import Statement
from verify.ladder.budgets import Profile
from verify.ladder.leaf import assay, climb_all, climbs_of, judge_of
from verify.ladder.repair.laws import laws_of
from verify.ladder.repair.repairs import Repair, repairs_of
from verify.ladder.rungs.climb import Climb
from verify.verdict.relation import ROUNDING
from verify.world.score import came_across, score
from verify.world.world import World

TABLE = Path(__file__).with_name("damage.md")
HEAD = """# Damaged claims and what the repairs make of them

`python -m tests.qa.repair.damage --seed {seed} --count {count} --json FILE --table` (eight kinds of
damage, half of the claims of the file itself, half proved leaves of the library between plain
numbers; 12,000 evaluations a climb; each repair is searched again with 24,000 from another seed).
Found: a repair that assumes no more than the original and whose right side is as near to the left
one, on a thousand instances of each shape; proved: one of these is. Other draws were looked at
while the search for repairs was made; this one was not.
"""
SEED = 3400
COUNT = 60
TRIES = 500
"""Draws until a kind has no damage left that shows."""
BUDGET = replace(SMALL, evaluations=12_000, onward=1 / 16, mends=3)
AGAIN = replace(BUDGET, evaluations=24_000, mends=0, ladders=0)
X = Real(1 / 8, 8, log=True)
T = ({"T": 1}, {"T": 2}, {"T": 3}, {"T": 5})
Sides = Callable[[Any], tuple[dict[str, Any], dict[str, Any]]]

UNIT = Real(0, 1, domain=(0, 1))

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

GIVEN: dict[str, tuple[Sides, dict[str, Real], dict[str, Any]]] = {
    "power of a share": (
        lambda w: ({"l": w.p**2 * w.x}, {"r": w.p * w.x}),
        {"p": UNIT, "x": X},
        {},
    ),
    "mixture": (
        lambda w: (
            {"l": (w.p * w.x + (1 - w.p) * w.y) ** 2},
            {"a": w.p * w.x**2, "b": (1 - w.p) * w.y**2},
        ),
        {"p": UNIT, "x": X, "y": X},
        {},
    ),
    "short step": (
        lambda w: ({"l": (1 - w.eta * w.beta) ** 2 * w.x**2}, {"r": w.x**2}),
        {"eta": X, "beta": X, "x": X},
        {"short": lambda w: 2 - w.eta * w.beta},
    ),
    "ordered": (
        lambda w: ({"l": w.x**2 + w.x * w.y}, {"r": 2 * w.y**2}),
        {"x": X, "y": X},
        {"ordered": lambda w: w.y - w.x},
    ),
    "descent": (
        lambda w: ({"l": w.eta**2 * w.beta * w.g**2}, {"r": w.eta * w.g**2}),
        {"eta": X, "beta": X, "g": X},
        {"short": lambda w: 1 - w.eta * w.beta},
    ),
    "contraction": (
        lambda w: ({"l": (1 - w.p) ** 2 * w.x}, {"r": (1 - w.p) * w.x}),
        {"p": UNIT, "x": X},
        {},
    ),
    "variance of a coin": (
        lambda w: ({"l": w.p * (w.p * w.x) ** 2}, {"r": w.p * w.x**2}),
        {"p": UNIT, "x": X},
        {},
    ),
    "geometric": (
        lambda w: ({"l": w.x + w.q * w.x}, {"a": w.x, "b": w.q * w.x * (2 - w.q)}),
        {"q": UNIT, "x": X},
        {},
    ),
    "between": (
        lambda w: ({"l": w.p * w.x + (1 - w.p) * w.y}, {"r": w.y}),
        {"p": UNIT, "x": X, "y": X},
        {"ordered": lambda w: w.y - w.x},
    ),
}
"""Claims with a hypothesis or a range that they need."""

KINDS = (
    "constant",
    "exponent",
    "missing term",
    "index",
    "swapped symbol",
    "lost symbol",
    "hypothesis",
    "range",
)
Made = tuple[str, Statement] | None


@dataclass(frozen=True)
class Damaged:
    """A damaged claim with what it was."""

    name: str
    kind: str
    original: Statement
    statement: Statement


@dataclass(frozen=True)
class Outcome:
    """What came of one: a repair as tight as the original, one that is proved too, one broken.

    ``false`` says that another search breaks a repair.
    """

    found: bool
    proved: bool
    false: bool
    told: int


@cache
def originals() -> dict[str, Statement]:
    """Claims between plain numbers: of this file, and of the library."""
    own = {
        name: claim(sides, numbers(*shapes, **box))
        for name, (sides, box, shapes) in ORIGINALS.items()
    }
    own |= {
        name: claim(sides, numbers(**box), given=assume(given))
        for name, (sides, box, given) in GIVEN.items()
    }
    return own | {
        leaf.key: replace(leaf, deduction=None, proof="", note="", also=())
        for entry in library()
        for leaf in entry.leaves
        if leaf.family.build is plain_numbers
        and leaf.form != "empty"
        and leaf.relation in ("<=", ">=")
        and leaf.quantifier == "all"
        and not leaf.missing
        and sum(real.low < real.high for real in leaf.family.box.values()) > 1
    }


@cache
def stands(name: str) -> bool:
    """Whether an original is proved."""
    return assay(originals()[name], profile=replace(BUDGET, mends=0)).verdict == "proved"


def drawn(seed: int = SEED, count: int = COUNT) -> Iterator[Damaged]:
    """Damaged claims that the ladder finds false: of each kind as many, half from this file."""
    rng = np.random.default_rng(seed)
    own, names = [*ORIGINALS, *GIVEN], list(originals())
    seen: set[str] = set()
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        for _ in range(TRIES):
            chosen = own if rng.integers(2) else names
            name = chosen[rng.integers(len(chosen))]
            original = originals()[name]
            found = _damage(kind, rng, original)
            if found is None or f"{name}: {found[0]}" in seen or not stands(name):
                continue
            said, statement = f"{name}: {found[0]}", found[1]
            seen.add(said)
            if _falls(statement):
                yield Damaged(said, kind, original, statement)
                break


def _falls(statement: Statement) -> bool:
    """Whether a damaged claim has a value and is found false."""
    try:
        return assay(statement, profile=replace(BUDGET, mends=0, ladders=0)).verdict == "violated"
    except (LookupError, ValueError):
        return False  # one client or sample fewer than its sides ask for


def judged(damaged: Damaged) -> Outcome:
    """Repairs of a damaged claim, compared with the original and searched again."""
    told = [(repair.word, claim_of(repair)) for repair in repaired(damaged.statement, BUDGET)]
    with np.errstate(all="ignore"):
        tight = [word for word, mended in told if as_tight(mended, damaged.original)]
    falls = [assay(mended, profile=AGAIN, seed=77).verdict == "violated" for _, mended in told]
    return Outcome(bool(tight), "proved" in tight, any(falls), len(told))


def repaired(statement: Statement, budget: Profile) -> tuple[Repair, ...]:
    """What is told of a broken claim at a budget."""
    climbs = climbs_of(Climb(statement, budget, 1, "cpu"))
    with np.errstate(all="ignore"):
        for _ in climb_all(climbs):
            pass
        return repairs_of(climbs, judge_of(budget, 1), laws_of(climbs[0], *budget.growth()))


def claim_of(repair: Repair) -> Statement:
    """The mended claim."""
    assert repair.claim is not None
    return repair.claim


def as_tight(repair: Statement, original: Statement, count: int = 1000) -> bool:
    """Whether a repair says at least as much as the original, on so many instances of a shape.

    It assumes no more there, and its right side is as near to the left one or nearer.
    """
    family, rng = original.family, np.random.default_rng(5)
    sign = -1 if original.relation == ">=" else 1
    for shape in family.shapes:
        values = family.decode(rng.random((count, family.width(shape))), shape)
        instance = family.instance(values, shape)
        ours, theirs = (score(s, instance) for s in (repair, original))
        met = theirs.feasible
        right, other = xp.to_float(ours.right), xp.to_float(theirs.right)
        with np.errstate(invalid="ignore"):  # both may be infinite
            near = (right == other) | (sign * (other - right) >= -ROUNDING * np.abs(other))
        if not np.all(ours.feasible[met]) or not np.all(near[met]):
            return False
    return True


def _damage(kind: str, rng: np.random.Generator, original: Statement) -> Made:
    """A damage in words and the damaged claim; None where the claim has no place for it."""
    shape, box = original.family.shapes[0], original.family.box
    free = [name for name, real in box.items() if real.low < real.high]
    one, other = (free[i] for i in rng.permutation(len(free))[:2])
    if kind == "constant":
        number, part = int(rng.integers(3)), int(rng.integers(2))
        factor = (Fraction(1, 2), Fraction(2, 3), Fraction(1, 4))[number]
        if original.relation == ">=":
            factor = 1 / factor
        return f"{factor} of {'a term' if part else 'all'}", times_factor(
            original, factor, bool(part)
        )
    if kind == "exponent":
        root = bool(rng.integers(2))
        power = xp.sqrt if root else lambda v: v * v
        said = f"{one}^{'(1/2)' if root else 2} for {one}"
        return said, symbols_changed(original, lambda w: {one: power(w[one])})
    if kind == "missing term":
        place = int(rng.integers(3))
        shown = score(original, _middle(original)).terms[1]
        if len([name for name in shown if not came_across(name)]) < 2:
            return None  # nothing would be left
        return f"term {place} left out", without_term(original, place)
    if kind == "index":
        counts = [name for name, value in shape.items() if type(value) is int]
        name = counts[rng.integers(len(counts))] if counts else ""
        said = f"{name} - 1 for {name}"
        return (said, symbols_changed(original, lambda w: {name: w[name] - 1})) if name else None
    if kind == "swapped symbol":
        return f"{one} and {other} exchanged", symbols_changed(
            original, lambda w: {one: w[other], other: w[one]}
        )
    if kind == "hypothesis":
        return assumed_less(original, rng)
    if kind == "range":
        return widened(original, one)
    lost = "T" if "T" in shape and rng.integers(2) else one
    return f"{lost} lost", symbols_changed(original, lambda w: {lost: w[lost] ** 0})


def _middle(original: Statement) -> Any:
    """One instance of the first shape, in the middle of its ranges."""
    family, shape = original.family, original.family.shapes[0]
    return family.instance(family.decode(np.full((1, family.width(shape)), 0.5), shape), shape)


def assumed_less(original: Statement, rng: np.random.Generator) -> Made:
    """A hypothesis dropped, or made weaker by 1; None where there is none."""
    given = original.given
    if not given:
        return None
    place, weak = int(rng.integers(len(given))), bool(rng.integers(2))
    item = given[place]
    if not weak:
        left = (*given[:place], *given[place + 1 :])
        return f'without "{item.name}"', replace(original, given=left)

    def margin(w: World) -> Any:
        return item.rule(w) + 1

    less = Hypothesis(f"{item.name}, weaker", item.latex, margin, item.where)
    return f'"{item.name}" by 1 weaker', replace(
        original, given=(*given[:place], less, *given[place + 1 :])
    )


def widened(original: Statement, name: str) -> Made:
    """The range of a symbol four times as long; None where it has no upper end above zero."""
    real = original.family.box[name]
    low, high = real.domain or (0, np.inf)
    if not np.isfinite(high) or high <= 0:
        return None
    wide = replace(real, high=4 * real.high, domain=(low, 4 * high))
    box = {**original.family.box, name: wide}
    return f"{name} up to {4 * high:g}", replace(original, family=replace(original.family, box=box))


def times_factor(original: Statement, factor: Fraction, part: bool) -> Statement:
    """A factor on the first term of the right side, or on all of it."""

    def rule(w: World, left: Any, right: Any) -> Any:
        first = next(iter(right))
        return left, {k: v * factor if k == first or not part else v for k, v in right.items()}

    return changed(original, rule)


def without_term(original: Statement, place: int) -> Statement:
    """A term of the right side made zero."""

    def rule(w: World, left: Any, right: Any) -> Any:
        gone = list(right)[place % len(right)]
        return left, {k: v * 0 if k == gone else v for k, v in right.items()}

    return changed(original, rule)


def symbols_changed(original: Statement, values: Callable[[Any], dict[str, Any]]) -> Statement:
    """The right side sees other values of some symbols."""
    rule = original.sides
    assert rule is not None

    def sides(w: World) -> Any:
        return rule(w)[0], rule(w.with_changed(values(_Symbols(w))))[1]

    return replace(original, sides=sides)


@dataclass(frozen=True)
class _Symbols:
    """Symbols of a world by their names, as the sides see them."""

    world: World

    def __getitem__(self, name: str) -> Any:
        return self.world.symbol(name)


def counts(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """How many were found, proved and false."""
    return {
        name: sum(bool(r[name]) for r in rows.values()) for name in ("found", "proved", "false")
    }


def main() -> None:
    """Write what came of each damaged claim, and the shares."""
    parser = argparse.ArgumentParser(prog="python -m tests.qa.repair.damage")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--table", action="store_true", help="write damage.md")
    options = parser.parse_args()
    rows = json.loads(options.json.read_text()) if options.json.exists() else {}
    for damaged in drawn(options.seed, options.count):
        if damaged.name not in rows:
            rows[damaged.name] = {"kind": damaged.kind, **judged(damaged).__dict__}
            options.json.write_text(json.dumps(rows, indent=1) + "\n")
            print(damaged.name, rows[damaged.name], flush=True)
    print(len(rows), counts(rows))
    if options.table:
        TABLE.write_text(table(rows, options.seed))


def table(rows: Mapping[str, Mapping[str, Any]], seed: int) -> str:
    """What came of each damaged claim, by kind and one by one."""
    lines = [HEAD.format(seed=seed, count=len(rows)), "| kind | drawn | found | proved | false |"]
    lines += ["| --- | --- | --- | --- | --- |"]
    for kind in (*KINDS, ""):
        part = {name: row for name, row in rows.items() if kind in ("", row["kind"])}
        numbers_of = " | ".join(str(number) for number in (len(part), *counts(part).values()))
        lines.append(f"| {kind or 'all'} | {numbers_of} |")
    lines += ["", "| claim: damage | kind | as tight | proved | broken by another search | told |"]
    lines += ["| --- | --- | --- | --- | --- | --- |"]
    for name, row in rows.items():
        words = ("found" if row["found"] else "-", "proved" if row["proved"] else "-")
        last = ("broken" if row["false"] else "", str(row["told"]))
        lines.append(f"| {name} | {' | '.join((row['kind'], *words, *last))} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
