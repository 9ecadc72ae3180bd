"""True claims about runs of methods, damaged in one of five ways by a seed: what is told of them?

The claims are leaves of the library that stand, and claims of the examples and the documentation;
each has a method, rounds or local steps in its instances.  A damage changes a constant (2/3 or 3/4
of the first term or of all), an exponent, leaves out a term, shifts an index, or loses a
hypothesis.  What neither of two searches finds false is drawn again.

`judged` says whether the ladder finds a damaged claim false, which mends it tells, and whether one
of them falls: in a search from another seed, at sizes eight times as large, with another origin or
in other units.  Each mend is made anew from what a ledger says of it.

``python -m tests.qa.repair.runs --seed 1 --count 60 --json FILE`` goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from examples import (
    fedavg_drift,
    gradient_descent,
    heavy_ball,
    parallel_sgd,
    sgd_average,
    sgd_contraction,
    sgd_floor,
    sgd_rates,
    sign_compression,
    subgradient,
)
from tests.qa.repair.damage import (
    Damaged,
    as_tight,
    assumed_less,
    symbols_changed,
    times_factor,
    widened,
    without_term,
)
from verify import Hypothesis, Real, functions, quadratics, statement, visited
from verify.catalogue.library import library
from verify.claim.parameters import RUNS, Shape
from verify.claim.statement import Statement
from verify.ladder.budgets import PROFILES, Profile
from verify.ladder.leaf import Leaf, assay, leaf_seed
from verify.ladder.price.mutants import changes, mutants_of
from verify.ladder.repair.best_constant import Factor, with_factor
from verify.ladder.repair.recipes import mend_of
from verify.ladder.repair.repairs import mended_claim
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate
from verify.limits.clock import OutOfTime, at_most
from verify.terms.claims import as_terms
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.referee import rescore
from verify.world.score import Score, came_across, score

TABLE = Path(__file__).with_name("runs.md")
HEAD = """# Damaged claims about runs, and what is told of them

`python -m tests.qa.repair.runs --seed {seed} --count {count} --json FILE --table`: claims about
runs of methods, half from the examples and the documentation, half leaves of the library that
stand, at three sizes each, damaged in one of five ways; {once:,} evaluations a climb.

- *check*: the word of the ladder on the damaged claim, which a search finds false.
- *as tight*: a mend that is told assumes no more than the original and has a right side as near to
  the left one, on {rows} instances of each size.
- *sharp* (damage of a constant): such a mend, or a constant within {within:g} of the largest
  left/right that was found.
- *falls*: a mend that another search breaks ({again:,} evaluations from another seed), one at sizes
  eight times as large, or one of their tight instances from another origin or in other units.
"""
SEED, COUNT = 5212, 60
"""Of the table in ``runs.md``."""

TRIES = 12
"""Damages of one kind that may be drawn for one that shows."""

SHAPES = 3
"""Listed sizes of a claim that are kept, the small ones: more take longer."""

ROWS = 200
"""Instances of a shape on which a mend is compared with the original."""

SHARP = 1.02
"""Factor above the largest left/right that was found up to which a constant counts as sharp."""

NEAR = 0.9
"""Left/right from which a damaged claim that stands in one search is searched again."""

SECONDS = 20.0
"""Of the processor for one search against a mend; what it has not found by then it does not."""

BUDGET = replace(PROFILES["quick"], evaluations=6_000, mends=3, onward=1 / 16, ladders=1)
ONCE = replace(BUDGET.word_alone(), effort=1_000)
AGAIN = replace(ONCE, evaluations=12_000, seconds=SECONDS)
LARGER = replace(AGAIN, evaluations=4_000)
CANNOT = (InvalidInput, NoValue, NotAvailable, ArithmeticError, LookupError, ValueError, TypeError)

KINDS = ("constant", "exponent", "constant", "missing term", "index", "hypothesis")
"""Drawn in turn: a third are constants, of which alone there is a sharp one."""

LEAVES = (
    "adaptive.lemma1.repaired",
    "adaptive.lemma1.refined/descent",
    "adaptive.lemma1.refined/neighbourhood",
    "adaptive.theorem1.refined",
    "adaptive.theorem2.refined",
    "adaptive.theorem2.const.refined",
    "adaptive.theorem2.decr.refined",
    "adaptive.theorem3.refined/pl",
    "adaptive.theorem3.refined/nonconvex",
    "adaptive.S1",
    "adaptive.S2",
    "adaptive.lemma1.exact/before",
    "adaptive.lemma2.repaired/variance",
    "adaptive.theorem3.step.repaired",
    "aggregation.lemma2.refined",
    "aggregation.theorem3.refined",
    "aggregation.eq13.repaired",
    "aggregation.proof.A1a",
    "aggregation.proof.A3",
    "aggregation.proof.A4.refined",
    "aggregation.proof.A1b.repaired",
    "aggregation.RQ1.refined",
    "aggregation.RQ2.refined",
    "aggregation.strategy.fedsoftmax.refined/error",
    "aggregation.proof.psi/smooth",
    "allforall.theorem6b.refined/class",
    "allforall.lemma4a.refined/pl",
    "allforall.lemma4a.refined/convex",
    "fedbc.lemmaB1i@V+traced",
    "fedbc.lemmaB1ii@traced",
    "fedbc.eq26@V",
    "fedbc.eq31@as-used",
    "fedbc.eq33@as-used",
    "fedbc.eq36-37/projected",
    "fedbc.eq61",
    "fedbc.eq62@traced",
    "fedbc.eq72.repaired",
    "fedbc.eq73-76.repaired",
    "fedbc.eq77.repaired",
    "fedbc.eq69-70/smooth",
    "hcct.lemma1.refined/each-client",
    "hcct.theorem2.refined/each-client",
)
"""Leaves of the library that are proved, or have held for long, and are attained or nearly so."""


# -- claims of the documentation, as it prints them ------------------------------------------------


@statement(
    "docs.descent",
    where="docs/world.rst",
    latex=r"f(x_2)-f_*\le L\|x_0-x_*\|^2/10",
    family=functions("smooth convex", rounds=2),
    defines={"step_size": lambda w: 1 / w.beta},
)
def descent(w: Any) -> Any:
    away = xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    return {"excess": visited(w).excess[..., 2, 0]}, {"bound": w.beta * away / 10}


@statement(
    "docs.noisy",
    where="docs/world.rst",
    over="mean",
    latex=r"E f(x_1)\le f(x_0)-\tfrac\eta2\|\nabla f(x_0)\|^2+\tfrac{\beta\eta^2\sigma^2}2",
    family=quadratics(
        (
            {"N": 1, "d": 1, "rounds": 1, "method": "local"},
            {"N": 1, "d": 2, "rounds": 1, "method": "local"},
        ),
        extra={"step_size": Real(1 / 64, 4, unit=(-1, 2), log=True)},
    ),
    given=[
        Hypothesis("short step", r"\eta\le1/\beta", lambda w: 1 - w.step_size * w.beta, "Lemma 1")
    ],
)
def noisy(w: Any) -> Any:
    theta = w.run().theta
    before, after = (w.problem.excess(theta[..., t, :])[..., 0] for t in (0, 1))
    slope = w.problem.gradients(theta[..., 0, :])[..., 0, :]
    return {"after": after}, {
        "before": before,
        "-descent": -w.step_size * xp.squared_norm(slope) / 2,
        "noise": w.beta * w.step_size**2 * w.sigma2[..., 0] / 2,
    }


SHOWN: tuple[Statement, ...] = (
    sgd_contraction.distance,
    sgd_contraction.value,
    fedavg_drift.clients,
    gradient_descent.exact,
    heavy_ball.mean,
    parallel_sgd.speedup,
    sgd_average.average,
    sgd_floor.floor,
    sgd_rates.flat,
    sign_compression.descent,
    subgradient.best,
    descent,
    noisy,
)
"""Claims of the examples and the documentation that are proved or hold."""


@dataclass(frozen=True)
class Outcome:
    """What came of one damaged claim.

    ``check`` is the word of the ladder, ``told`` the mends in words, ``found`` and ``proved``
    whether one is as tight as the original, ``false`` what breaks one, ``sharp`` whether the sharp
    constant is told (None where the damage is none of a constant), and ``most`` the largest
    left/right that was found.
    """

    check: str
    told: tuple[str, ...]
    found: bool
    proved: bool
    false: tuple[str, ...]
    sharp: bool | None
    most: float
    constant: str
    seconds: float


@cache
def originals() -> dict[str, Statement]:
    """Claims about runs, by key, as they stand alone, at no more than so many sizes."""
    found = [*SHOWN, *(library().leaf(key) for key in LEAVES)]
    return {one.key: _alone(one) for one in found}


def _alone(one: Statement) -> Statement:
    family = replace(one.family, shapes=one.family.shapes[:SHAPES])
    return replace(one, family=family, deduction=None, proof="", note="", also=(), simulate=())


def drawn(
    seed: int = SEED, count: int = COUNT, known: dict[str, bool] | None = None
) -> Iterator[Damaged]:
    """Damaged claims that a search finds false; ``known`` is what earlier searches have found."""
    known = {} if known is None else known
    rng = np.random.default_rng(seed)
    shown, leaves = [one.key for one in SHOWN], LEAVES
    seen: set[str] = set()
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        for _ in range(TRIES):
            chosen = shown if rng.integers(2) else leaves
            name = chosen[rng.integers(len(chosen))]
            made = _damage(kind, rng, originals()[name])
            if made is None or f"{name}: {made[0]}" in seen:
                continue
            said = f"{name}: {made[0]}"
            seen.add(said)
            if said not in known:
                known[said] = _stricter(originals()[name], made[1]) and _found_false(made[1])
            if known[said]:
                yield Damaged(said, kind, originals()[name], made[1])
                break


def _stricter(original: Statement, damaged: Statement) -> bool:
    """Whether a damaged claim says or covers more than the original on some instances."""
    if damaged.sides is original.sides:
        return True  # another hypothesis or range
    sign = -1 if original.relation == ">=" else 1
    with np.errstate(all="ignore"):
        try:
            before, after = (xp.to_float(_sample(one).right) for one in (original, damaged))
        except CANNOT:
            return True
        return bool((sign * (before - after) > 0).any() or not np.isfinite(after).all())


def _found_false(statement: Statement) -> bool:
    """Whether one of two searches finds a damaged claim false; the second where it comes near."""
    try:
        first = _searched(statement, ONCE, 0)
        if first.witness is not None or not first.pool.tops or first.pool.tops[0].ratio < NEAR:
            return first.witness is not None
        return _searched(statement, AGAIN, 5).witness is not None
    except CANNOT:
        return False


def _damage(
    kind: str, rng: np.random.Generator, original: Statement
) -> tuple[str, Statement] | None:
    """A damage in words and the damaged claim; None where the claim has no place for it."""
    if kind == "constant":
        factor = (Fraction(2, 3), Fraction(3, 4))[rng.integers(2)]
        part = bool(rng.integers(2))
        if original.relation == ">=":
            factor = 1 / factor
        said = f"{factor} of {'a term' if part else 'all'}"
        return said, times_factor(original, factor, part)
    if kind == "hypothesis":
        return _lost(original, rng)
    seen = _sample(original)
    if kind == "missing term":
        place = int(rng.integers(3))
        named = [name for name in seen.terms[1] if not came_across(name)]
        return (f"term {place} left out", without_term(original, place)) if named[1:] else None
    heard = _heard(original, seen)
    shape = original.family.shapes[0]
    counted = [name for name in heard if name in RUNS or (name in shape and name != "d")]
    if kind == "index":
        name = counted[rng.integers(len(counted))] if counted else ""
        said = f"{name} - 1 for {name}"
        return (said, symbols_changed(original, lambda w: {name: w[name] - 1})) if name else None
    free = [name for name in heard if name not in counted]
    if not free:
        return None
    one, root = free[rng.integers(len(free))], bool(rng.integers(2))
    power = (lambda v: xp.sqrt(xp.absolute(v))) if root else (lambda v: v * v)
    said = f"{one}^{'(1/2)' if root else 2} for {one}"
    return said, symbols_changed(original, lambda w: {one: power(w[one])})


def _lost(original: Statement, rng: np.random.Generator) -> tuple[str, Statement] | None:
    """A hypothesis dropped or weakened, or the domain of a parameter four times as long."""
    wide = [
        made
        for name, real in original.family.box.items()
        if real.domain is not None and (made := widened(original, name)) is not None
    ]
    place = int(rng.integers(len(original.given) + len(wide))) if original.given or wide else -1
    if place >= len(original.given):
        return wide[place - len(original.given)]
    return assumed_less(original, rng)


def _sample(original: Statement) -> Score:
    """Some instances of the last listed shape, which has all of the sizes."""
    family, shape = original.family, original.family.shapes[-1]
    values = family.decode(np.random.default_rng(3).random((32, family.width(shape))), shape)
    return score(original, family.instance(values, shape))


def _heard(original: Statement, seen: Score) -> list[str]:
    """Symbols whose change changes the right side."""
    with np.errstate(all="ignore"):
        found = [
            m.symbol
            for m in mutants_of(original, seen)
            if m.symbol and changes(seen, m.sides(seen))
        ]
    return list(dict.fromkeys(found))


# -- what is told, and whether it stands -----------------------------------------------------------


def judged(damaged: Damaged) -> Outcome:
    """What is told of a damaged claim, made anew from the record and held to other searches."""
    began = time.thread_time()
    leaf = assay(damaged.statement, profile=BUDGET)
    mends = [made_again(damaged.statement, repair) for repair in leaf.repairs]
    with np.errstate(all="ignore"):
        tight = [as_tight(mended, damaged.original, ROWS) for mended in mends]
    false = [
        f"{repair['mend']}: {why}"
        for repair, mended in zip(leaf.repairs, mends, strict=True)
        if (why := falls(mended))
    ]
    most = _largest(leaf)
    constant = next((dict(e.details) for e in leaf.evidence if e.rung == "best constant"), {})
    sharp = None
    if damaged.kind == "constant":
        sharp = any(tight) or _sharp(leaf, most) or bool(constant and _best(damaged, constant))
    return Outcome(
        leaf.verdict,
        tuple(f"{repair['word']}: {repair['mend']}" for repair in leaf.repairs),
        any(tight),
        any(good and r["word"] == "proved" for good, r in zip(tight, leaf.repairs, strict=True)),
        tuple(false),
        sharp,
        most,
        str(constant.get("constant", "")),
        round(time.thread_time() - began, 1),
    )


def made_again(statement: Statement, repair: Mapping[str, Any]) -> Statement:
    """The mended claim of an entry of a ledger."""
    return mended_claim(as_terms(statement), [mend_of(change) for change in repair["changes"]])


def falls(claim: Statement) -> str:
    """Why a mended claim is false; empty where nothing was found against it."""
    for why, climb in (
        ("another seed", _searched(claim, AGAIN, 77)),
        ("sizes eight times as large", _searched(_grown(claim), LARGER, 78)),
    ):
        if climb.witness is not None:
            return why
        if found := _moved_or_scaled(climb):
            return found
    return ""


def _searched(claim: Statement, budget: Profile, seed: int) -> Climb:
    """A climb of a claim by itself, up to its witness."""
    climb = Climb(as_terms(claim), budget, leaf_seed(seed, claim.key), "cpu", tidy=False)
    try:
        with np.errstate(all="ignore"), at_most(SECONDS):
            for _ in climb.evidence():
                if climb.witness is not None:
                    break
    except OutOfTime:
        pass  # what it has seen by then is looked at all the same
    return climb


def _grown(claim: Statement) -> Statement:
    """The claim at each growing size eight times as large, one after the other."""
    family = claim.family
    largest = family.shapes[-1]
    sizes = [name for name in family.growing if largest.get(name, 0) > 0]
    shapes = [{**largest, name: 8 * largest[name]} for name in sizes]
    there = tuple(shape for shape in shapes if _has_instances(claim, shape))
    return replace(claim, family=replace(family, shapes=there)) if there else claim


def _has_instances(claim: Statement, shape: Shape) -> bool:
    """Whether there are instances of a size, whose outcomes can be listed or left out."""
    family = claim.family
    try:
        values = family.decode(np.full((1, family.width(shape)), 0.5), shape)
        score(claim, family.instance(values, shape))
    except NotAvailable:
        return True
    except CANNOT:
        return False
    return True


def _moved_or_scaled(climb: Climb) -> str:
    """Whether tight instances break the claim from another origin or in other units."""
    box = climb.statement.family.box
    places = [n for n, real in box.items() if tuple(real.unit) == (0, 1) and real.limits[0] < 0]
    deadline = time.thread_time() + SECONDS / 4
    for top in climb.pool.tops[:6]:
        if time.thread_time() > deadline:
            break
        for by in (3.0, -7.0) if places else ():
            values = {k: np.asarray(v, dtype=float) for k, v in top.values.items()}
            moved = {k: v + by if k in places else v for k, v in values.items()}
            if _breaks(climb, replace(top, values=moved), (1, 1)):
                return "another origin"
        for units in ((4, 1), (1, 4), (Fraction(1, 16), Fraction(1, 2))):
            if _breaks(climb, top, units):
                return "other units"
    return ""


def _breaks(climb: Climb, one: Candidate, units: tuple[Any, Any]) -> bool:
    try:
        with at_most(SECONDS / 8):
            instance = climb.heard.exact(one.values, one.shape, one.family)
            return (
                instance is not None and rescore(climb.statement, instance.scaled(*units)).violated
            )
    except (*CANNOT, OutOfTime):
        return False


# -- the sharp constant ----------------------------------------------------------------------------


def _largest(leaf: Leaf) -> float:
    """The largest left/right that was found of a claim that falls."""
    return float(leaf.tightness["ratio"]) if leaf.tightness else 1.0


def _sharp(leaf: Leaf, most: float) -> bool:
    """Whether a factor on the whole right side is told that no smaller one can be much below."""
    for repair in leaf.repairs:
        (kind, place, number, *_), *more = repair["changes"]
        if kind == "scaled_term" and place == "" and not more:
            factor = Fraction(number)
            if max(factor, 1 / factor) <= SHARP * most:
                return True
    return False


def _best(damaged: Damaged, constant: Mapping[str, Any]) -> bool:
    """Whether a best constant is attained, or gives the original back."""
    if constant.get("attained"):
        return True
    number = str(constant["constant"])
    root = number.startswith("sqrt(")
    plain = Fraction(number.removeprefix("sqrt(").removesuffix(")"))
    factor = Factor(plain if root else plain**2)
    if damaged.statement.relation == ">=":
        factor = Factor(1 / factor.square)
    return as_tight(with_factor(damaged.statement, factor), damaged.original, ROWS)


# -- the table -------------------------------------------------------------------------------------

Rows = Mapping[str, Mapping[str, Any]]
COLUMNS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "found false by check": lambda row: row["check"] == "violated",
    "a mend told": lambda row: bool(row["told"]),
    "as tight": lambda row: bool(row["found"]),
    "and proved": lambda row: bool(row["proved"]),
    "sharp constant": lambda row: bool(row["sharp"]),
    "falls": lambda row: bool(row["false"]),
}


def table(rows: Rows, seed: int) -> str:
    """Shares by kind of damage, and one row for each damaged claim."""
    head = HEAD.format(
        seed=seed,
        count=len(rows),
        rows=ROWS,
        within=SHARP,
        once=BUDGET.evaluations,
        again=AGAIN.evaluations,
    )
    lines = [head, f"| kind | drawn | {' | '.join(COLUMNS)} |", "| --- " * (2 + len(COLUMNS)) + "|"]
    for kind in (*dict.fromkeys(KINDS), ""):
        part = [row for row in rows.values() if kind in ("", row["kind"])]
        counts = [str(sum(map(test, part))) for test in COLUMNS.values()]
        lines.append(f"| {kind or 'all'} | {len(part)} | {' | '.join(counts)} |")
    lines += ["", "| claim: damage | check | as tight | sharp | told | falls |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for name, row in rows.items():
        tight = "proved" if row["proved"] else "found" if row["found"] else "-"
        sharp = "" if row["sharp"] is None else "yes" if row["sharp"] else "no"
        told = "; ".join(row["told"]).replace("|", "\\|") or "-"
        false = "; ".join(row["false"]).replace("|", "\\|")
        lines.append(f"| {name} | {row['check']} | {tight} | {sharp} | {told} | {false} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write what came of each damaged claim, and the shares."""
    parser = argparse.ArgumentParser(prog="python -m tests.qa.repair.runs")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--table", action="store_true", help="write runs.md")
    options = parser.parse_args()
    rows = json.loads(options.json.read_text()) if options.json.exists() else {}
    beside = options.json.with_suffix(".drawn.json")
    known = json.loads(beside.read_text()) if beside.exists() else dict.fromkeys(rows, True)
    for damaged in drawn(options.seed, options.count, known):
        beside.write_text(json.dumps(known, indent=1) + "\n")
        if damaged.name not in rows:
            made = judged(damaged)
            rows[damaged.name] = {"kind": damaged.kind, **made.__dict__}
            options.json.write_text(json.dumps(rows, indent=1) + "\n")
            print(damaged.name, rows[damaged.name], flush=True)
    if options.table:
        TABLE.write_text(table(rows, options.seed))


if __name__ == "__main__":
    main()
