"""What a search has seen of a statement, beside its tightest instances.

How many different instances met every hypothesis, in which shape; which hypothesis has failed
alone, and whether the claim fell there; whether the sides ever moved, and ever differed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.statement import Family, Shape
from verify.ladder.search import tuning
from verify.verdict.relation import broken, meets
from verify.world.score import Score

__all__ = ["Alone", "Extent", "Tally", "shape_name"]


Points = tuple[Mapping[str, Any], Shape, Family | None]
"""Parameter values, their shape, and the family where it is not the statement's own one."""


@dataclass
class Alone:
    """Instances on which one hypothesis failed and every other one held.

    ``fell`` counts those on which the claim failed too; ``ratio`` is the largest one there.
    ``valued`` is one on which both sides have a value, ``broken`` one on which the claim failed;
    None if there was none.
    """

    failed: int = 0
    fell: int = 0
    ratio: float = 0.0
    valued: Points | None = None
    broken: Points | None = None


@dataclass
class Extent:
    """Least and largest value of both sides on instances that met every hypothesis."""

    left: tuple[float, float] = (np.inf, -np.inf)
    right: tuple[float, float] = (np.inf, -np.inf)
    equal: bool = True
    whole: bool = True

    def add(self, left: Any, right: Any) -> None:
        """Take the sides of further instances in."""
        self.left = _wider(self.left, left)
        self.right = _wider(self.right, right)
        self.equal = self.equal and bool((left == right).all())
        self.whole = self.whole and bool((left == np.round(left)).all())


@dataclass
class Tally:
    """Counts over every batch that a search evaluates."""

    met: dict[str, set[bytes]] = field(default_factory=dict)
    alone: dict[str, Alone] = field(default_factory=dict)
    extent: Extent = field(default_factory=Extent)
    blank: set[str] | None = None
    """Sides and margins that have had no value (NaN) on any instance; None before the first."""

    def add(
        self,
        result: Score,
        values: Mapping[str, Any],
        shape: Shape,
        family: Family,
        other: Family | None = None,
    ) -> None:
        """Count one batch; instances are told apart by their places in the family's cube.

        ``other`` is the family that has built them, where that is another one.
        """
        self._count(result, values, shape, family)
        if self.blank is None or self.blank:
            self._fill(result)
        left, right = _floats(result.left), _floats(result.right)
        if left.shape != right.shape:
            left, right = np.broadcast_arrays(left, right)
        met = result.feasible
        if met.all():
            self.extent.add(left, right)
        elif met.any():
            self.extent.add(left[met], right[met])
        self._break(result, left, right, (values, shape, other))

    def _fill(self, result: Score) -> None:
        """What has a value on one instance is blank no longer."""
        parts = {"the left side": result.left, "the right side": result.right}
        parts |= {f'the margin of "{name}"': margin for name, margin in result.margins.items()}
        here = {name for name, value in parts.items() if np.isnan(_floats(value)).all()}
        self.blank = here if self.blank is None else self.blank & here

    def places(self, shape: Shape, width: int) -> np.ndarray[Any, Any]:
        """Places in the cube of the instances that met every hypothesis, (K, width)."""
        known = sorted(self.met.get(shape_name(shape), ()))
        cells = [np.frombuffer(cell, dtype=np.int64) for cell in known]
        return np.array(cells, dtype=float).reshape(len(cells), width) / tuning.CELLS_PER_RANGE

    def _count(
        self, result: Score, values: Mapping[str, Any], shape: Shape, family: Family
    ) -> None:
        known = self.met.setdefault(shape_name(shape), set())
        rows = np.flatnonzero(result.feasible)
        if len(known) >= tuning.COUNTED_PER_SHAPE or not rows.size:
            return
        if not values:
            known.add(b"")
            return
        cells = np.round(tuning.CELLS_PER_RANGE * family.encode(values, shape)).astype(np.int64)
        width = cells.itemsize * cells.shape[1]
        written = cells[rows].tobytes()
        for place in range(len(rows)):
            known.add(written[place * width : (place + 1) * width])
            if len(known) >= tuning.COUNTED_PER_SHAPE:
                return

    def _break(self, result: Score, left: Any, right: Any, points: Points) -> None:
        """Instances that miss exactly one hypothesis."""
        names = list(result.margins)
        for name in names:
            self.alone.setdefault(name, Alone())
        if not names or not (result.missed > 0).any():
            return
        lowest = np.stack([np.broadcast_to(result.lowest[name], (len(left),)) for name in names])
        strict = np.array([name in result.strict for name in names])[:, None]
        met: Any = np.where(strict, meets(lowest, True), meets(lowest, False))
        missed = np.where(strict, lowest <= 0, lowest < 0) & ~met
        missed &= (~met).sum(axis=0) == 1
        if not missed.any():
            return
        fallen = broken(result.relation, left, right).any(axis=1)
        valued = (np.isfinite(left) & np.isfinite(right)).all(axis=1)
        for place, name in enumerate(names):
            here, rows = self.alone[name], np.flatnonzero(missed[place])
            if not rows.size:
                continue
            here.failed += len(rows)
            down = rows[fallen[rows] & valued[rows]]
            here.fell += len(down)
            here.ratio = max(here.ratio, float(result.ratio[down].max(initial=0.0)))
            values, shape, other = points
            for row in rows[valued[rows]][:1] if here.valued is None else ():
                here.valued = {k: v[row] for k, v in values.items()}, shape, other
            for row in down[:1] if here.broken is None else ():
                here.broken = {k: v[row] for k, v in values.items()}, shape, other


def shape_name(shape: Shape) -> str:
    """A shape in words."""
    return " ".join(f"{k}={v}" for k, v in shape.items())


def _floats(values: Any) -> Any:
    return values if values.dtype == np.float64 else xp.to_float(values)


def _wider(extent: tuple[float, float], side: Any) -> tuple[float, float]:
    return min(extent[0], float(side.min())), max(extent[1], float(side.max()))
