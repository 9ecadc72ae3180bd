"""Power rung: could these instances have told the claim from a false one?

Mutants (`verify.ladder.price.mutants`) are re-scored on the instances that the search has kept;
those that survive are searched on their own, beginning at the tight instances.  A mutant counts
only if it lies below the original somewhere; one that no instance kills is listed as a candidate
refinement.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import unchecked
from verify.ladder.price.mutants import MANY, Mutant, changes, mutants_of
from verify.ladder.price.power_search import Neighbourhood
from verify.ladder.search.pool import Pool
from verify.verdict.evidence import Evidence
from verify.verdict.relation import broken, ratio
from verify.world.score import Score


@dataclass
class Tested:
    """Mutants that count, those that are killed, and symbols that the right side does not read.

    A symbol is ``idle`` where no operation on it has changed anything on `MANY` instances.
    """

    counted: set[str] = field(default_factory=set)
    killed: set[str] = field(default_factory=set)
    idle: set[str] = field(default_factory=set)

    @property
    def survivors(self) -> set[str]:
        """Mutants that no instance has killed."""
        return self.counted - self.killed

    def add(self, pool: Pool, result: Score) -> None:
        """Try the mutants on scored instances."""
        heard: dict[str, bool] = {}
        for mutant in mutants_of(pool.statement, result):
            if mutant.symbol in self.idle:
                continue
            if mutant.name in self.killed:
                heard[mutant.symbol] = True
                continue
            other, below, fallen = _compare(result, mutant)
            heard[mutant.symbol] = other or heard.get(mutant.symbol, False)
            self.counted |= {mutant.name} if below else set()
            self.killed |= {mutant.name} if below and fallen else set()
        if len(result.feasible) >= MANY:
            self.idle |= {symbol for symbol, other in heard.items() if symbol and not other}


NEAR = 1 / 3
"""Part of the evaluations that all survivors share; each of the others belongs to one of them."""


def measure_power(pool: Pool, evaluations: int = 0, seed: int = 0) -> Evidence:
    """Count mutants, those killed, and list the survivors.

    Parameters
    ----------
    pool : Pool
        Of a search that has come to its end.
    evaluations : int
        What the search for instances that kill survivors may spend.
    seed : int
    """
    tested = Tested()
    with unchecked(), np.errstate(all="ignore"):
        for result in pool.kept:
            tested.add(pool, result)
        if evaluations and tested.survivors:
            _hunt(pool, evaluations, seed, tested)
    counted, killed = len(tested.counted), len(tested.killed)
    table = {"counted": counted, "killed": killed, "survivors": sorted(tested.survivors)}
    status = "reported" if counted else "not-applicable"
    text = f"{killed} of {counted} counted mutants killed"
    return Evidence("power", status, text, power=table)


def _hunt(pool: Pool, evaluations: int, seed: int, tested: Tested) -> None:
    """Look for instances that kill the survivors, near the tight ones."""
    near = Neighbourhood(pool, np.random.default_rng([seed, 6]))
    for result in near.scored(round(NEAR * evaluations)):
        tested.add(pool, result)
    survivors = sorted(tested.survivors, key=lambda name: (not name.endswith("]"), name))
    heights = [partial(_height, pool, name=name) for name in survivors]
    for result in near.climbed(heights, round((1 - NEAR) * evaluations)) if survivors else ():
        tested.add(pool, result)


def _height(pool: Pool, result: Score, name: str) -> Any:
    """Logarithm of the ratio of one mutant, (B,); None where it has no value."""
    mutant = next((m for m in mutants_of(pool.statement, result) if m.name == name), None)
    found = None if mutant is None else mutant.sides(result)
    if found is None:
        return None
    left, right, _ = found
    value = ratio(result.relation, *np.broadcast_arrays(left, right)).max(axis=1)
    height = np.log(value - 1 if result.relation == "==" else value)
    return np.where(np.isfinite(height), height, -np.inf)


def _compare(result: Score, mutant: Mutant) -> tuple[bool, bool, bool]:
    """Whether the mutant changes anything, whether it is below the original somewhere feasible, and
    whether it breaks the claim there."""
    found = mutant.sides(result)
    if found is None or not changes(result, found):
        return found is None, False, False
    left, right, lower = found
    own, original = xp.to_float(result.left), xp.to_float(result.right)
    own, original, left, right, lower, feasible = np.broadcast_arrays(
        own, original, left, right, lower, result.feasible[:, None]
    )
    # where rounding, or a violation, already breaks the claim itself, no mutant can be told from it
    ok = feasible & np.isfinite(right) & np.isfinite(original)
    below = ok & lower & ~broken(result.relation, own, original)
    fallen = below & broken(result.relation, left, right)
    return True, bool(below.any()), bool(fallen.any())
