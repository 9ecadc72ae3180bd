"""How much the search finds: standing statements made false, one engine beside another.

Of three engines `evolution` is the one that there was before, `new` the search from nothing, and
`kept` begins with the instances that the corpus keeps of the statement as it stands: there it then
searches as shortly as a run with kept evidence does, and of a statement that has changed, as each
falsehood has, in full.

Two kinds of falsehoods are planted in statements that hold: a right side of 97 per cent where the
bound is tight, and one named term left out where it is needed.  A plant counts if it is false for
certain: an instance that the search of the original statement, or any engine here, has met breaks
it.  Found means that a hit was confirmed in exact arithmetic.

Run from the checkout: ``python benchmarks/search.py [--profile quick|default] [--sample K]
[--engine NAME ...] [--json FILE]``.  Besides the falsehoods it searches each statement
as it stands, which gives the CPU time of a search that goes to its end; so do plants that nothing
has broken, which are counted apart.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import Bounds, differential_evolution

from bounds import generic as xp
from bounds.numbers import Undecided, as_rational
from bounds.numbers.validate import InvalidInput
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.corpus.files import path_of, stored
from verify.ladder.budgets import PROFILES, Profile
from verify.ladder.leaf import leaf_seed
from verify.ladder.search.goal import hits
from verify.ladder.search.hunt import Hits, Hunt
from verify.ladder.search.plan import Plan
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.seeds import Seed, sown
from verify.limits.clock import OutOfTime
from verify.run.workers import one_thread
from verify.world.noise_plan import AllOutcomes, NotAvailable
from verify.world.referee import rescore
from verify.world.score import score

EXPECTED = Path(__file__).parents[1] / "tests" / "expected" / "quick.json"
TIGHT = 0.999
ENGINES = ("evolution", "new", "kept")
OLD_POPULATION = {"quick": 64, "default": 96, "thorough": 128}
GENERATIONS = 24


@dataclass
class Tally:
    """What one engine found, and its CPU seconds on falsehoods, on statements that stand, and on
    plants that nothing has broken."""

    found: set[str] = field(default_factory=set)
    cpu_seconds: float = 0.0
    cpu_standing: float = 0.0
    cpu_unbroken: float = 0.0


def evolution(hunt: Hunt, evaluations: int, population: int) -> Hits:
    """The search as it was before: islands of differential evolution after the analytic points."""
    generations = min(evaluations // population, GENERATIONS)
    if not hunt.width or generations < 1:
        return
    count = max(evaluations // (population * generations), 1)
    best = hunt.best

    def objective(x: Any) -> Any:
        out = -hunt.goal(np.clip(x.T if x.ndim == 2 else x[None], 0, 1))
        return out if x.ndim == 2 else out[0]

    for number in range(count):
        mine = best[number::count][: population // 2]
        fresh = hunt.rng.random((population - len(mine), hunt.width))
        result = differential_evolution(
            objective,
            Bounds([0.0] * hunt.width, [1.0] * hunt.width),
            init=np.concatenate([mine, fresh]),
            maxiter=generations,
            tol=0,
            atol=-1,
            polish=False,
            vectorized=True,
            updating="deferred",
            rng=hunt.rng,
        )
        u = np.clip(result.population, 0, 1)
        yield from hunt.hit("search", u, hunt.goal(u, keep=number < 2))


def stages_of(
    engine: str, pool: Pool, profile: Profile, seed: int, kept: Sequence[Seed], changed: bool
) -> Iterator[Hits]:
    """The search of a statement by one engine; of one that has changed since it was kept."""
    if engine == "kept":
        yield sown(pool, kept)
    if engine == "kept" and not changed:
        yield from Plan(pool, profile.warmed(), seed).short(False)
    elif engine == "evolution":
        old = replace(profile, population=OLD_POPULATION[profile.name], reach=1.0, larger=False)
        yield from Plan(pool, old, seed, evolution).stages()
    else:
        yield from Plan(pool, profile, seed).stages()


def kept_of(statement: Statement) -> Sequence[Seed]:
    """Instances that the corpus keeps of a statement as it stands."""
    found = stored(path_of(statement.source.paper)).kept(statement)
    return found.families[0].points if found is not None and found.families else ()


def searched(
    statement: Statement,
    engine: str,
    profile: Profile,
    seed: int,
    kept: Sequence[Seed] = (),
    changed: bool = False,
) -> tuple[Pool, bool]:
    """Pool of a search, and whether a hit was confirmed; it ends there."""
    pool = Pool(statement, AllOutcomes())
    with np.errstate(all="ignore"):
        for stage in stages_of(engine, pool, profile, seed, kept, changed):
            for _, candidate in stage:
                if hits(pool, candidate.ratio) and confirmed(statement, candidate):
                    return pool, True
    return pool, False


def confirmed(statement: Statement, candidate: Candidate) -> bool:
    """Whether exact arithmetic agrees that an instance breaks the claim."""
    family = candidate.family or statement.family
    values = {k: np.asarray(as_rational(np.asarray(v)[None])) for k, v in candidate.values.items()}
    try:
        return rescore(statement, family.instance(values, candidate.shape)[0]).violated
    except (NotAvailable, Undecided, InvalidInput, ZeroDivisionError, OutOfTime):
        return False


def plants(statement: Statement, tightness: float) -> Iterator[tuple[str, Statement]]:
    """Falsehoods made of a statement: names and claims."""
    sides, delta = statement.sides, statement.delta
    assert sides is not None
    if tightness > TIGHT:
        if delta is not None:
            smaller = replace(statement, delta=lambda w: 97 * delta(w) / 100)
        else:
            share = (100, 97) if statement.relation == ">=" else (97, 100)
            smaller = replace(statement, sides=lambda w: _scaled(sides(w), *share))
        yield f"{statement.key} * 0.97", smaller
    for name in _terms(statement):
        yield f"{statement.key} - [{name}]", replace(statement, sides=_Without(sides, name))


def _scaled(sides: Any, top: int, bottom: int) -> Any:
    left, right = sides
    lifted = {k: Fraction(v) if isinstance(v, int) else v for k, v in right.items()}
    return left, {name: top * value / bottom for name, value in lifted.items()}


@dataclass(frozen=True)
class _Without:
    """Sides with one named term of the right side left out."""

    sides: Any
    name: str

    def __call__(self, w: Any) -> Any:
        left, right = self.sides(w)
        return left, {k: 0 * v if k == self.name else v for k, v in right.items()}


def _terms(statement: Statement) -> list[str]:
    """Named terms of the right side, where there are several and they bound from above."""
    if statement.relation != "<=" or statement.over == "prob":
        return []
    family, shape = statement.family, statement.family.shapes[0]
    u = np.full((1, family.width(shape)), 0.5)
    result = score(statement, family.instance(family.decode(u, shape), shape))
    names = [name for name in result.terms[1] if not name.startswith("-(")]
    return names if len(names) > 1 else []


def is_false(plant: Statement, pools: list[Pool]) -> bool:
    """Whether an instance that met the hypotheses of the original breaks the plant."""
    for pool in pools:
        for known in pool.tops:
            family = known.family or plant.family
            values = {k: np.asarray(v)[None] for k, v in known.values.items()}
            result = score(plant, family.instance(values, known.shape))
            if float(xp.to_float(result.tight)[0]) > 1 + 1e-6:
                return True
    return False


def standing(sample: int | None) -> Iterator[tuple[Statement, float]]:
    """Statements that stand by the expected ledger, with their tightness."""
    leaves = json.loads(EXPECTED.read_text())["leaves"]
    made = {leaf.key: leaf for entry in library() for leaf in entry.leaves}
    chosen = [
        (made[key], float(known["tightness"] or 0))
        for key, known in leaves.items()
        if known["verdict"] in ("holds", "proved")
        and key in made
        and not made[key].missing
        and made[key].relation in ("<=", ">=")
        and made[key].quantifier == "all"
        and any(made[key].family.width(shape) for shape in made[key].family.shapes)
    ]
    step = max(len(chosen) // sample, 1) if sample else 1
    return iter(chosen[::step])


def measure(engines: list[str], profile: Profile, sample: int | None, seed: int) -> Any:
    """Tallies by engine, and the names of all plants that are false."""
    tallies, planted = {engine: Tally() for engine in engines}, []
    for statement, tightness in standing(sample):
        pools, own, kept = [], leaf_seed(seed, statement.key), kept_of(statement)
        for engine, tally in tallies.items():
            clock = time.process_time()
            pools.append(searched(statement, engine, profile, own, kept)[0])
            tally.cpu_standing += time.process_time() - clock
        for name, plant in plants(statement, tightness):
            found, spent = [], {}
            for engine in engines:
                clock = time.process_time()
                if searched(plant, engine, profile, own, kept, changed=True)[1]:
                    found.append(engine)
                spent[engine] = time.process_time() - clock
            false = bool(found) or is_false(plant, pools)
            for engine, tally in tallies.items():
                if false:
                    tally.cpu_seconds += spent[engine]
                else:
                    tally.cpu_unbroken += spent[engine]
            if false:
                planted.append(name)
                print(name, "found by", ", ".join(found) or "none", flush=True)
                for engine in found:
                    tallies[engine].found.add(name)
    return tallies, planted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", choices=list(PROFILES), default="quick")
    parser.add_argument("--engine", choices=ENGINES, nargs="+", default=["evolution", "new"])
    parser.add_argument("--sample", type=int, help="about so many statements")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="of the last engine")
    asked = parser.parse_args()
    one_thread()
    profile = PROFILES[asked.profile]
    tallies, planted = measure(asked.engine, profile, asked.sample, asked.seed)
    for engine, tally in tallies.items():
        share = len(tally.found) / max(len(planted), 1)
        print(
            f"{engine}: {len(tally.found)} of {len(planted)} planted ({share:.1%}), "
            f"{tally.cpu_seconds:.1f} CPU seconds; {tally.cpu_standing:.1f} on what stands, "
            f"{tally.cpu_unbroken:.1f} on plants that nothing has broken"
        )
    if asked.json:
        tally = tallies[asked.engine[-1]]
        record = {
            "planted": len(planted),
            "found": len(tally.found),
            "cpu_seconds": round(tally.cpu_seconds, 2),
            "cpu_seconds_standing": round(tally.cpu_standing, 2),
            "cpu_seconds_unbroken": round(tally.cpu_unbroken, 2),
            "missed": [name for name in planted if name not in tally.found],
        }
        asked.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
