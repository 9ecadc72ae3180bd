"""Shapes that grow: what stands at the listed sizes is tried at larger ones, as far as they go.

A size is an axis of a parameter, rounds or local steps, listed with at least two values, or what a
family names in ``grow``.  It is multiplied step by step; the worst instances of the last size, with
a client or a round repeated, seed the next.  An instance costs as many evaluations as it has times
the numbers of a listed one, so that the budget ends the growth.  Where the outcomes of a law can no
longer be listed the noise is left out, which every bound on its size allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf, prod
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.parameters import RUNS, plain_numbers, rounded
from verify.claim.statement import Family, Shape
from verify.ladder.search import tuning
from verify.ladder.search.hunt import Hunt, climb
from verify.ladder.search.points import lifted_points, structured_points
from verify.ladder.search.pool import Candidate, Pool
from verify.limits.counter import work_of
from verify.world.noise_plan import NotAvailable

NO_INSTANCE = (
    NotAvailable,
    InvalidInput,
    ValueError,
    ArithmeticError,
    LookupError,
    RuntimeError,
)
"""What a family or a side raises where it has no instances of some size."""


@dataclass
class Growth:
    """Searches beyond the listed sizes; `reached` and `skipped` are for the scope line."""

    pool: Pool
    evaluations: int
    seed: int
    reached: dict[str, int] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def stages(self) -> Iterator[Iterator[tuple[str, Candidate]]]:
        """One search for each size that grows, an iterator of hits."""
        family = self.pool.statement.family
        rays = [(shape, name) for shape in _largest(family) for name in family.growing]
        rays = [(shape, name) for shape, name in rays if shape.get(name, 0) > 0]
        for number, (shape, name) in enumerate(rays):
            rng = np.random.default_rng([self.seed, number, 4])
            yield self._along(family, shape, name, self.evaluations // len(rays), rng)

    def _along(
        self, family: Family, shape: Shape, name: str, units: int, rng: np.random.Generator
    ) -> Iterator[tuple[str, Candidate]]:
        """Hits along one ray of sizes, those of the smallest size first."""
        plain = family.build is plain_numbers
        ends = tuning.LARGEST_PLAIN if plain else tuning.LARGEST_SIZE
        steps = _sizes(shape[name], ends.get(name, tuning.LARGEST_OTHER))
        worked: dict[int, int] = {}
        branches: dict[int, int] = {}
        seeds = [top for top in self.pool.tops if _alike(top.shape, shape)] or self.pool.tops
        for number, size in enumerate(steps):  # which may become more
            larger = {**shape, name: size}
            width = family.width(larger)
            fewest = tuning.FEWEST_INSTANCES if width else 1
            weight = weight_of(family, shape, larger)
            calls = (
                tuning.CALLS_OF_A_SIZE * size / shape[name]
                if name in RUNS
                else tuning.CALLS_OF_A_SIZE
            )
            if self._explodes(family, shape, name, size, worked, branches):
                return
            cheap = width == family.width(shape) and worked.get(size, inf) <= tuning.CHEAP_CALLS
            if cheap:  # the size is a number in a formula: no instance has more of them
                weight = worked[size] / tuning.FEWEST_CALLS if width else 0.0
                calls = 0.0
            left = len(steps) - number
            if units - calls < fewest * weight * left:
                return
            made = self._hunt(family, larger, rng, branches.get(size))
            if made is None:
                return
            hunt, outcomes = made
            weight *= outcomes
            count = int((units - calls) / (weight * left)) if weight else 1
            if count < fewest:
                return
            units -= round(count * weight + calls)
            hunt.chunk = int(np.clip(tuning.BATCH_NUMBERS / max(weight, 1), 1, hunt.chunk))
            try:
                longer = max(calls / tuning.CALLS_OF_A_SIZE, 1)
                found = list(_searched(hunt, seeds, count, longer))
            except NO_INSTANCE as error:
                self.skipped.append(f"{name}={size}: {' '.join(str(error).split())[:80]}")
                return
            self.reached[name] = max(self.reached.get(name, 0), size)
            for rung, hit in found:
                yield from self._smaller(hit, shape, name)
                yield rung, hit
            tops = [top for top in self.pool.tops if dict(top.shape) == larger]
            grows = bool(tops) and tops[0].ratio >= self.pool.tops[0].ratio
            if cheap and grows and size == steps[-1] < tuning.LARGEST_CHEAP:
                steps.append(size * tuning.SIZE_STEP)
            seeds = tops or seeds

    def _explodes(
        self,
        family: Family,
        shape: Shape,
        name: str,
        high: int,
        worked: dict[int, int],
        branches: dict[int, int],
    ) -> bool:
        """Whether a side takes ever more work on the way, as a tree of outcomes does.

        ``worked`` is what the sizes up to here have taken and ``branches`` are their outcomes; both
        are filled further.
        """
        if family.instance(*_middle(family, shape)).method is not None:
            return False  # runs list their outcomes, up to a cap
        low = max(worked, default=int(shape[name]))
        taken = [worked.get(low, tuning.MOST_CALLS)]
        for size in np.unique(np.geomspace(low, high, 5).round().astype(int)):
            if size in worked:
                continue
            values, larger = _middle(family, {**shape, name: int(size)})
            try:
                found, outcomes = self._first(family, values, larger)
            except NO_INSTANCE:
                return False  # another matter
            worked[int(size)] = max(found, tuning.FEWEST_CALLS)
            if outcomes is not None:
                branches[int(size)] = outcomes
            taken.append(worked[int(size)])
            if taken[-1] * max(taken[-1] / taken[-2], 1) ** 2 >= tuning.MOST_CALLS:
                text = " ".join(f"{k}={v}" for k, v in larger.items())
                self.skipped.append(f"above {text}: each size takes many times the last")
                return True
        return False

    def _hunt(
        self, family: Family, shape: Shape, rng: np.random.Generator, known: int | None = None
    ) -> tuple[Hunt, int] | None:
        """A search of a larger shape and its number of outcomes; None if it has no instances.

        Without noise where the outcomes are too many; ``known`` are those with noise, if they are.
        """
        reason = ""
        for silent in (False, True):
            kind = replace(family, build=Silenced(family.build)) if silent else family
            hunt = ShortHunt(self.pool, shape, rng, family=kind)
            try:
                outcomes = None if silent else known
                if outcomes is None:
                    middle = hunt.decode(np.full((1, hunt.width), 0.5))
                    _, outcomes = self._first(kind, middle, shape)
                if outcomes is None:
                    reason = "one instance takes too long"
                    break
                if outcomes <= tuning.MOST_OUTCOMES:
                    return hunt, outcomes
                reason = f"more than {tuning.MOST_OUTCOMES} outcomes"
            except NO_INSTANCE as error:
                reason = reason or " ".join(str(error).split())[:80]
        text = " ".join(f"{k}={v}" for k, v in shape.items())
        self.skipped.append(f"{text}: {reason}")
        return None

    def _first(
        self, family: Family, values: Mapping[str, Any], shape: Shape
    ) -> tuple[int, int | None]:
        """Work and number of outcomes of one instance; None where it takes too long."""
        seen: list[int] = []

        def one() -> None:
            result, _ = self.pool.evaluate(values, shape, family=family)
            seen.append(result.weights.shape[1])

        return work_of(one, tuning.MOST_CALLS), seen[0] if seen else None

    def _smaller(self, hit: Candidate, shape: Shape, name: str) -> Iterator[tuple[str, Candidate]]:
        """The same at sizes in between, smallest first: a witness should be small."""
        low, high = int(shape[name]), int(hit.shape[name])
        for size in sorted({low + 1, *range(low, high, max((high - low) // 6, 1))} - {low, high}):
            between = {**hit.shape, name: size}
            family = hit.family or self.pool.statement.family
            hunt = ShortHunt(self.pool, between, np.random.default_rng(0), family=family)
            yield from hunt.begin(lifted_points([hit], family, between))


class ShortHunt(Hunt):
    """A search among numbers of few digits."""

    def decode(self, u: np.ndarray[Any, Any]) -> Mapping[str, Any]:
        """Parameter values of points, rounded."""
        return {
            name: rounded(value, tuning.LARGE_DIGITS) for name, value in super().decode(u).items()
        }


@dataclass(frozen=True)
class Silenced:
    """Builds the instances of a family with the noise left out."""

    build: Any

    def __call__(self, values: Mapping[str, Any], shape: Shape) -> Instance:
        """Instance whose gradients are exact."""
        made = self.build(values, shape)
        if made.data.get("law") in (None, "none"):
            raise NotAvailable("the outcomes are too many and the noise cannot be left out")
        data = {**made.data, "law": "none"}
        if "noise_scale" in data:
            data["noise_scale"] = 0 * data["noise_scale"]
        result: Instance = replace(made, data=data)
        return result


def _largest(family: Family) -> list[Shape]:
    """For each choice of the other entries the listed shape with the largest sizes."""
    sizes = set(family.growing)
    best: dict[str, Shape] = {}
    for shape in family.shapes:
        options = repr(sorted((k, v) for k, v in shape.items() if k not in sizes))
        before = best.get(options)
        if before is None or _volume(shape, sizes) >= _volume(before, sizes):
            best[options] = shape
    return list(best.values())


def _volume(shape: Shape, sizes: set[str]) -> float:
    return float(np.prod([float(shape[name]) for name in sizes if name in shape]))


def _sizes(start: int, end: int) -> list[int]:
    sizes = [start * tuning.SIZE_STEP**k for k in range(1, 10) if start * tuning.SIZE_STEP**k < end]
    return [*sizes, end] if start < end else []


def weight_of(family: Family, small: Shape, large: Shape) -> float:
    """How many times the numbers of a listed instance a larger one has.

    Of plain numbers a few cost no more than one: what is paid for there is the call, and the calls
    of each round.
    """
    if family.build is plain_numbers:
        few = max(family.width(small) + 1, tuning.NUMBERS_OF_A_CALL)
        rounds = prod(max(int(large.get(n, 1)), 1) / max(int(small.get(n, 1)), 1) for n in RUNS)
        return float(max((family.width(large) + 1) / few, rounds, 1.0))
    wide = (family.width(large) + 1) / (family.width(small) + 1)
    return float(max(wide, _cells(large) / _cells(small)))


def _middle(family: Family, shape: Shape) -> tuple[Mapping[str, Any], Shape]:
    """One instance in the middle of all ranges."""
    return family.decode(np.full((1, family.width(shape)), 0.5), shape), shape


def _cells(shape: Shape) -> int:
    """Numbers of one quantity of one instance: pairs of clients in every round and coordinate."""
    sizes = {name: max(int(shape.get(name, 1)), 1) for name in ("N", "d", *RUNS)}
    return int(np.prod(list(sizes.values()))) * sizes["N"]


def _alike(one: Shape, other: Shape) -> bool:
    """Whether two shapes differ in numbers alone."""
    return all(one.get(k) == v for k, v in other.items() if isinstance(v, (str, bool)))


def _searched(
    hunt: Hunt, seeds: list[Candidate], count: int, longer: float
) -> Iterator[tuple[str, Candidate]]:
    """Known instances stretched, structured ones, mixtures of both, and an ascent if it fits."""
    known = lifted_points(seeds, hunt.family, hunt.shape)[: max(count // 3, 2)]
    yield from hunt.begin(known)
    count -= len(known)
    made = structured_points(hunt.family, hunt.shape, max(count // 2, 1), hunt.rng)
    if len(known):
        mixed = hunt.rng.random(made.shape) < hunt.rng.random((len(made), 1))
        mates = known[hunt.rng.integers(len(known), size=len(made))]
        made[::2] = np.where(mixed, made, mates)[::2]
    yield from hunt.begin(made)
    yield from climb(hunt, int((count - len(made)) / longer))
