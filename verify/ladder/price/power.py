"""Power rung: whether these instances could have told the claim from a false one.

Mutants (`verify.ladder.price.mutants`) are re-scored on the instances that the search has kept;
those that survive are searched on their own, beginning at the tight instances.  Those were made to
break the claim, not its mutants; where a mutant is false at all, it mostly is so near an instance
at which the claim itself leaves little room.  A mutant counts only if it lies below the original
somewhere; one that no instance kills is listed as a candidate refinement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import unchecked
from verify.claim.statement import Family
from verify.ladder.price import tuning
from verify.ladder.price.mutants import Mutant, changes, mutants_of
from verify.ladder.search.ascent import Landscape, ascend
from verify.ladder.search.goal import margins
from verify.ladder.search.pool import Candidate, Pool
from verify.verdict.evidence import Evidence
from verify.verdict.relation import broken, ratio
from verify.world.noise_plan import NotAvailable
from verify.world.score import Score, score

Array = np.ndarray[Any, Any]


@dataclass
class Tested:
    """Mutants that count, those that are killed, and symbols that the right side does not read.

    A symbol is ``idle`` where no operation on it has changed anything on `HEARD_ON` instances.
    ``looks`` is in how many batches one that has been below nowhere is tried (None: in all),
    ``first`` whether none is tried after one was killed, ``known`` are survivors of another search.
    """

    looks: int | None = None
    first: bool = False
    known: frozenset[str] = frozenset()
    counted: set[str] = field(default_factory=set)
    killed: set[str] = field(default_factory=set)
    idle: set[str] = field(default_factory=set)
    tried: Counter[str] = field(default_factory=Counter)

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
            if mutant.name in self.known:
                self.counted.add(mutant.name)
                heard[mutant.symbol] = True
                continue
            if mutant.name not in self.counted and self.tried[mutant.name] == self.looks:
                continue
            if self.first and self.killed:
                return
            self.tried[mutant.name] += 1
            other, below, fallen = _compare(result, mutant)
            heard[mutant.symbol] = other or heard.get(mutant.symbol, False)
            self.counted |= {mutant.name} if below else set()
            self.killed |= {mutant.name} if below and fallen else set()
        if len(result.feasible) >= tuning.HEARD_ON:
            self.idle |= {symbol for symbol, other in heard.items() if symbol and not other}


def measure_power(
    pool: Pool,
    evaluations: int = 0,
    seed: int = 0,
    again: Collection[str] | None = None,
    first: bool = False,
) -> Evidence:
    """Count mutants, those killed, and list the survivors.

    Parameters
    ----------
    pool : Pool
        Of a search that has come to its end.
    evaluations : int
        What the search for instances that kill survivors may spend.
    seed : int
    again : collection of str, optional
        Where the instances are what an earlier search has left: mutants that have survived that
        one, which are survivors here without a try. A mutant that is below the claim nowhere in
        the first batches does not count then.
    first : bool
        Whether it is enough that one is killed.
    """
    tested = Tested(None if again is None else tuning.LOOKS_AGAIN, first, frozenset(again or ()))
    with unchecked(), np.errstate(all="ignore"):
        for result in pool.kept:
            tested.add(pool, result)
        if again is not None and not tested.killed:
            tested.looks = None
            for result in pool.kept:
                tested.add(pool, result)
        if evaluations and tested.survivors and not (first and tested.killed):
            _hunt(pool, evaluations, seed, tested)
    counted, killed = len(tested.counted), len(tested.killed)
    table = {"counted": counted, "killed": killed, "survivors": sorted(tested.survivors)}
    status = "reported" if counted else "not-applicable"
    text = f"{killed} of {counted} counted mutants killed"
    return Evidence("power", status, text, power=table)


def _hunt(pool: Pool, evaluations: int, seed: int, tested: Tested) -> None:
    """Look for instances that kill the survivors, near the tight ones."""
    near = Neighbourhood(pool, np.random.default_rng([seed, 6]))
    for result in near.scored(round(tuning.NEAR_PART * evaluations)):
        tested.add(pool, result)
    survivors = sorted(tested.survivors, key=lambda name: (not name.endswith("]"), name))
    heights = [partial(_height, pool, name=name) for name in survivors]
    for result in (
        near.climbed(heights, round((1 - tuning.NEAR_PART) * evaluations)) if survivors else ()
    ):
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
    """Whether the mutant changes anything, is below the original somewhere, and falls there."""
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


class Neighbourhood:
    """The tight instances of a pool and what lies around them."""

    def __init__(self, pool: Pool, rng: np.random.Generator) -> None:
        self.pool, self.rng = pool, rng
        self.places = [top for top in _one_per_shape(pool) if self._family(top).width(top.shape)]

    def scored(self, count: int) -> list[Score]:
        """Batches of instances around each place, about `count` in all."""
        each = max(count // max(len(self.places), 1), 1)
        found = []
        for place in self.places:
            u = self._encoded(place)
            scales = np.resize(tuning.NEAR_SCALES, each)[:, None]
            near = np.clip(u + scales * self.rng.normal(size=(each, u.shape[1])), 0, 1)
            result = self._score(place, np.concatenate([u, near]))
            found += [] if result is None else [result]
        return found

    def climbed(
        self, heights: Sequence[Callable[[Score], Array | None]], evaluations: int
    ) -> list[Score]:
        """What ascents of several heights pass, from as many places as the evaluations allow.

        All climb side by side: an instance is scored once, whatever it is climbed for.
        """
        found = []
        widths = [self._encoded(place).shape[1] for place in self.places]
        whole = tuning.STEPS_PER_MUTANT * max(widths, default=1) * len(heights)
        places = self.places[: max(evaluations // whole, 1)]
        for place in places:
            starts = np.repeat(self._encoded(place), len(heights), axis=0)
            share, marks = evaluations // len(places), np.arange(len(heights))
            climb = self._landscape(place, heights)
            passed = [u for u, _, _ in ascend(climb, starts, tuning.MUTANTS_AT_ONCE, share, marks)]
            result = self._score(place, np.concatenate(passed)) if passed else None
            found += [] if result is None else [result]
        return found

    def _landscape(
        self, place: Candidate, heights: Sequence[Callable[[Score], Array | None]]
    ) -> Landscape:
        known = len(self.pool.statement.given)

        def at(u: Array, marks: Array) -> tuple[Array, Array]:
            result, height = self._score(place, u), np.full(len(u), -np.inf)
            if result is None:
                return height, np.zeros((len(u), known))
            for mark in np.unique(marks):
                reached = heights[mark](result)
                if reached is not None:
                    height = np.where(marks == mark, reached, height)
            return height, margins(result)

        return at

    def _score(self, place: Candidate, u: Array) -> Score | None:
        family = self._family(place)
        values = family.decode(u, place.shape)
        try:
            with unchecked():
                made = family.instance(values, place.shape)
            return score(self.pool.statement, made, noise=self.pool.noise)
        except (NotAvailable, ValueError, ArithmeticError):
            return None

    def _encoded(self, place: Candidate) -> Array:
        values = {k: np.asarray(v, dtype=float)[None] for k, v in place.values.items()}
        return self._family(place).encode(values, place.shape)

    def _family(self, place: Candidate) -> Family:
        return place.family or self.pool.statement.family


def _one_per_shape(pool: Pool) -> list[Candidate]:
    """The tightest instance of each listed shape, then the other tight ones.

    A larger instance would be evaluated once for each mutant.
    """
    first: dict[str, Candidate] = {}
    tops = [top for top in pool.tops if top.shape in pool.statement.family.shapes]
    for top in tops:
        first.setdefault(repr(sorted(top.shape.items())), top)
    rest = [top for top in tops if not any(top is one for one in first.values())]
    return [*first.values(), *rest][: tuning.NEAR_PLACES]
