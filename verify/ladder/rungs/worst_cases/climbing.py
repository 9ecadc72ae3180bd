"""At which numbers the worst case of a claim is taken: a few in each shape, then uphill.

A programme takes milliseconds where a method meets few points, so that a handful of numbers and a
climb from the best of them are affordable; each is the worst case of the whole class there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from bounds.numbers import as_rational
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.ladder.rungs.worst_cases.asked import (
    NO_FORM,
    PL_SHARE,
    Asked,
    Unknowns,
    asked,
    unknowns_of,
)
from verify.ladder.rungs.worst_cases.values import Tightest, candidate_values, tightest
from verify.ladder.search.pool import Candidate

__all__ = ["Spot", "WorstCases"]

LONGEST = tuning.WORST_LONGEST
SHARE = Real(1 / 256, 255 / 256, domain=(0, 1))
"""Of PL losses: PL constant over L."""


@dataclass(frozen=True)
class Spot:
    """The worst case at numbers for the parameters."""

    shape: Shape
    units: Mapping[str, Any]
    numbers: Mapping[str, Any]
    asked: Asked
    worst: Tightest

    @property
    def ratio(self) -> float:
        """Largest left/right there."""
        return self.worst.ratio


@dataclass
class WorstCases:
    """Worst cases of one statement.

    Parameters
    ----------
    statement : Statement
    seed : int
    programmes : int
        How many may be solved.

    Attributes
    ----------
    known : Unknowns, optional
        None where the statement has no worst case of this kind.
    solved : int
        Programmes so far.
    best : Spot, optional
        The tightest so far.
    why : str
        Why the claim has no such form.
    ratios : list of float
        Of all of them.
    """

    statement: Statement
    seed: int
    programmes: int
    known: Unknowns | None = field(init=False)
    solved: int = 0
    best: Spot | None = None
    why: str = ""
    ratios: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known = unknowns_of(self.statement)

    def spots(self) -> Iterator[Spot]:
        """Worst cases, each tighter than the ones before."""
        shapes = [*self._shapes()] if self.known is not None else []
        rng = np.random.default_rng([self.seed, 17])
        for number, shape in enumerate(shapes):
            units = [self._middle(shape), *self._drawn(shape, rng)]
            for one in units:
                if self.solved >= self.programmes:
                    return
                yield from self._improved(shape, one)
                if self.why or not self._free(shape):
                    break
            if self.why and not number:
                return
        yield from self._uphill()
        yield from self._longer(shapes)

    def candidates(self, spot: Spot) -> Iterator[Candidate]:
        """The worst case as instances: as it is, then with something to spare."""
        assert self.known is not None
        if not self.known.members:
            return
        for spare in (0.0, *tuning.WORST_SPARE):
            made = candidate_values(
                self.statement, self.known, spot.shape, spot.numbers, spot.asked, spot.worst, spare
            )
            if made is not None:
                yield Candidate(made[0], made[1], spot.ratio)

    @property
    def level(self) -> bool:
        """Whether the largest left/right is met at several numbers, so that it lies at no end.

        Where parameters change it, the largest one inside the ranges need not be that of the claim.
        """
        if self.best is None:
            return False
        near = tuning.WORST_SAME * max(1.0, abs(self.best.ratio))
        same = sum(ratio > self.best.ratio - 10 * near for ratio in self.ratios)
        return same >= tuning.WORST_LEVEL or not self._free(self.best.shape)

    def told(self) -> str:
        """What was computed, in floats: no proof, and no witness."""
        ratio = 0.0 if self.best is None else self.best.ratio
        return (
            f"the worst cases of the whole class at {self.solved} choices of numbers: largest "
            f"left/right {ratio:.6g} (semidefinite programmes in floats)"
        )

    # -- numbers -----------------------------------------------------------------------------------

    def _shapes(self) -> Iterator[Shape]:
        """Listed shapes that differ in more than dimension, small ones first."""
        seen = set()
        for shape in self.statement.family.shapes:
            key = repr({k: v for k, v in shape.items() if k not in ("d", "points")})
            if key not in seen and _points(shape) <= tuning.WORST_POINTS:
                seen.add(key)
                yield shape

    def _box(self) -> dict[str, Real]:
        assert self.known is not None
        box = self.statement.family.box
        return {name: SHARE if name == PL_SHARE else box[name] for name in self.known.numbers}

    def _lengths(self, name: str, real: Real, shape: Shape) -> tuple[int, ...]:
        return (int(shape["N"]),) if name == PL_SHARE else real.lengths(shape)

    def _free(self, shape: Shape) -> bool:
        """Whether anything has numbers."""
        return any(np.prod(self._lengths(n, r, shape)) for n, r in self._box().items())

    def _middle(self, shape: Shape) -> dict[str, Any]:
        return {n: np.full(self._lengths(n, r, shape), 0.5) for n, r in self._box().items()}

    def _drawn(self, shape: Shape, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
        """Numbers at eighths of their ranges, the ends more often than others."""
        for _ in range(tuning.WORST_DRAWS):
            yield {
                n: rng.choice(
                    (0, 0, 0.125, 0.25, 0.5, 0.75, 0.875, 1, 1), self._lengths(n, r, shape)
                )
                for n, r in self._box().items()
            }

    def _numbers(self, units: Mapping[str, Any]) -> dict[str, Any]:
        """Fractions with small denominators at places of the unit cube."""
        found = {}
        for name, real in self._box().items():
            at = np.asarray(real.from_unit(units[name]), dtype=float)
            plain = [_plain(float(x), real) for x in np.ravel(at)]
            table = np.empty(len(plain), dtype=object)
            table[:] = plain
            found[name] = table.reshape(np.shape(at))
        return found

    # -- worst cases -------------------------------------------------------------------------------

    def _improved(self, shape: Shape, units: Mapping[str, Any]) -> Iterator[Spot]:
        spot = self._at(shape, units)
        if spot is not None and (self.best is None or spot.ratio > self.best.ratio + 1e-9):
            self.best = spot
            yield spot

    def _at(self, shape: Shape, units: Mapping[str, Any]) -> Spot | None:
        """The tightest comparison at one choice of numbers."""
        assert self.known is not None
        numbers = self._numbers(units)
        try:
            made = asked(self.statement, self.known, shape, numbers)
        except NO_FORM as error:
            self.why = self.why or str(error) or type(error).__name__
            return None
        if made is None:
            return None
        found: Tightest | None = None
        for place in made.places:
            self.solved += 1
            worst = tightest(made, place)
            if worst is not None and (found is None or worst.ratio > found.ratio):
                found = worst
        if found is None:
            return None
        self.ratios.append(found.ratio)
        return Spot(shape, units, numbers, made, found)

    def _uphill(self) -> Iterator[Spot]:
        """Move one number at a time from the best ones, by ever smaller parts of its range."""
        step = 0.25
        while self.best is not None and self.solved < self.programmes and step > 1 / 64:
            moved = False
            start = self.best
            for name, value in start.units.items():
                for place in np.ndindex(*np.shape(value)):
                    for sign in (1, -1):
                        if self.solved >= self.programmes:
                            return
                        units = {n: np.array(v) for n, v in self.best.units.items()}
                        at = np.clip(units[name][place] + sign * step, 0, 1)
                        if at == units[name][place]:
                            continue
                        units[name][place] = at
                        before = self.best
                        yield from self._improved(start.shape, units)
                        moved |= self.best is not before
            step = step if moved else step / 2

    def _longer(self, shapes: list[Shape]) -> Iterator[Spot]:
        """More rounds than are listed, in the middle of all ranges, while the ratio grows."""
        if "rounds" not in self.statement.family.growing or not shapes:
            return
        last = shapes[-1]
        spot = self._at(last, self._middle(last))
        rounds, ratio = int(last["rounds"]), -inf if spot is None else spot.ratio
        longest = LONGEST // int(last.get("N", 1)) - 1
        while rounds < longest:
            rounds = min(rounds + max(rounds // 2, 1), longest)
            shape = {**last, "rounds": rounds}
            spot = self._at(shape, self._middle(shape))
            if spot is None or spot.ratio < ratio + tuning.WORST_GROWS:
                return
            ratio = spot.ratio
            if self.best is None or ratio > self.best.ratio:
                self.best = spot
                yield spot


def _points(shape: Shape) -> int:
    """About how many points a method meets."""
    return int(shape.get("N", 1)) * (int(shape.get("rounds", 1)) + 1)


def _plain(value: float, real: Real) -> Any:
    """A fraction nearby that lies in the range."""
    exact = as_rational(value)
    for denominator in tuning.WORST_DENOMINATORS:
        near = exact.limit_denominator(denominator)
        if abs(near - exact) <= abs(exact) / denominator and real.inside(near):
            return near
    return exact
