"""The instances that a search has evaluated: budget, best ones, and where they came from.

A float may exceed a true bound by rounding alone, and by any factor where both sides cancel.  A
ratio above one is therefore *steady* only if it stays when the instance is nudged; the search
climbs and ranks by steady ratios.  What exceeds the bound without being steady (rounding, or a
violation on an edge of measure zero) is kept aside for the referee.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, prod
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.statement import Family, Shape, Statement
from verify.ladder.search import tuning
from verify.ladder.search.curves import Onto, onto
from verify.ladder.search.tally import Tally
from verify.limits.clock import OutOfTime
from verify.verdict import relation
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import NoisePlan
from verify.world.score import Score, score

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Candidate:
    """One evaluated parameter point: values without the instance axis, its shape, its ratio.

    ``steady`` is False where the ratio above one does not survive a nudge. ``family`` builds it,
    where that is not the statement's own one (wider ranges, noise left out).
    """

    values: Values
    shape: Shape
    ratio: float
    steady: bool = True
    family: Family | None = None


@dataclass
class Pool:
    """Evaluates parameter points of one statement and remembers what the later rungs need.

    Past its ``deadline`` it raises `OutOfTime`. Kept are the tightest points (``tops``, and
    ``within`` for the tightest that does not exceed one) and, for mutants and mends, the scores of
    a few batches with their parameter ``points``. ``paid`` are instances with which changed claims
    were refuted; ``blank`` counts instances that floats cannot compare though they meet every
    hypothesis, ``blanks`` are some of them; ``moved`` counts instances of an earlier search that
    are no longer what they were; ``diverged`` counts those of the blank ones whose run has.
    ``nearest`` is the instance that came nearest to one that is asked for.
    """

    statement: Statement
    noise: NoisePlan
    tried: int = 0
    feasible: int = 0
    within: Candidate | None = None
    nearest: Candidate | None = None
    tops: list[Candidate] = field(default_factory=list)
    kept: list[Score] = field(default_factory=list)
    points: list[tuple[Values, Shape, Family | None]] = field(default_factory=list)
    deadline: float = inf
    edge: Candidate | None = None
    paid: list[Candidate] = field(default_factory=list)
    blank: int = 0
    blanks: list[Candidate] = field(default_factory=list)
    moved: int = 0
    diverged: int = 0
    tally: Tally = field(default_factory=Tally)
    _moves: dict[str, Onto | None] = field(default_factory=dict)
    _draw: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    _edge_gap: float = 0.0
    _nearest_gap: float = inf
    _above: bool = False

    def evaluate(
        self, values: Values, shape: Shape, keep: bool = False, family: Family | None = None
    ) -> tuple[Score, np.ndarray[Any, Any]]:
        """Score a batch of parameter points (leading axis of instances).

        Parameters
        ----------
        values, shape : mapping
            What the family builds the instances of.
        keep : bool
            Whether the scores stay for the mutants.
        family : Family, optional
            Another one than the statement's own.

        Returns
        -------
        score : Score
        ratio : ndarray, shape (B,)
            Steady ratios.

        Raises
        ------
        OutOfTime
            Past the deadline.
        """
        if time.thread_time() > self.deadline:
            raise OutOfTime
        values = self.onto(values, shape)
        near = None
        if self._above and not keep and 0 < _count(values) <= tuning.SCORED_WITH_NEIGHBOURS:
            result, near = self._with_neighbours(values, shape, family)
        else:
            result = self.scored(values, shape, family)
        rows = self._suspects(result)
        ratio = self._steadied(result, rows, values, shape, family, near)
        self._above = 4 * rows.size > len(ratio)
        self._remember(result, ratio, values, shape, family)
        self.tally.add(result, values, shape, self.statement.family, family)
        if keep:
            self.kept.append(result)
            self.points.append((values, shape, family))
        return result, ratio

    def steady(
        self, result: Score, values: Values, shape: Shape, family: Family | None = None
    ) -> np.ndarray[Any, Any]:
        """Ratio of each instance; above one, the smallest of the instance and its neighbours.

        A neighbour need not meet the hypotheses: witnesses like to sit on their edge. A probability
        jumps where its event is a tie, so that any but zero must survive.
        """
        return self._steadied(result, self._suspects(result), values, shape, family)

    def _suspects(self, result: Score) -> np.ndarray[Any, Any]:
        """Rows whose ratio counts only if it is steady."""
        if self.statement.quantifier == "some":
            return np.zeros(0, dtype=int)
        least = 0 if self._jumps else 1 + ROUNDING
        return np.flatnonzero(result.feasible & (result.ratio > least))

    def _steadied(
        self,
        result: Score,
        rows: np.ndarray[Any, Any],
        values: Values,
        shape: Shape,
        family: Family | None,
        near: Score | None = None,
    ) -> np.ndarray[Any, Any]:
        """Steady ratios; ``near`` are the neighbours of all instances, where they are known."""
        ratio = result.ratio
        if not rows.size or not values:
            return ratio
        ratio, chosen = ratio.copy(), rows
        if near is None:
            near = self.scored(self._nudged({k: v[rows] for k, v in values.items()}), shape, family)
            chosen = np.arange(rows.size)
        if self._jumps:
            chance, bound = xp.to_float(result.left)[rows], xp.to_float(result.right)[rows]
            beside = xp.to_float(near.left).reshape(2, -1, *chance.shape[1:])[:, chosen]
            chance = np.fmin(chance, np.fmin(*beside))
            ratio[rows] = relation.ratio(result.relation, chance, bound).max(axis=1)
        else:
            ratio[rows] = np.fmin(ratio[rows], np.fmin(*near.ratio.reshape(2, -1)[:, chosen]))
        return ratio

    @property
    def _jumps(self) -> bool:
        return self.statement.over == "prob"

    def _with_neighbours(
        self, values: Values, shape: Shape, family: Family | None
    ) -> tuple[Score, Score]:
        """Scores of instances, and of their neighbours, in one batch."""
        near, count = self._nudged(values), _count(values)
        both = self.scored(
            {k: np.concatenate([v, near[k]]) for k, v in values.items()}, shape, family
        )
        return both.part(slice(count)), both.part(slice(count, None))

    def _nudged(self, values: Values) -> dict[str, Any]:
        """Every number moved by its own part of itself, zeros by a part of their range.

        Twice as many instances: first all of them moved up, then all moved down.
        """
        near, place = {}, 0
        for name, value in values.items():
            parameter, size = self.statement.family.box[name], prod(value.shape[1:])
            # multiples of the golden ratio: no two numbers move alike
            step = (np.arange(place + 1, place + size + 1) * 0.6180339887498949) % 1
            step = tuning.NUDGE * (0.25 + step.reshape(value.shape[1:]))
            moved = np.concatenate([value * (1 + step), value * (1 - step)])
            zero = value == 0
            if zero.any():
                away = step * (parameter.high if parameter.high > 0 else parameter.low)
                moved = np.where(np.concatenate([zero, zero]), away, moved)
            near[name] = moved
            place += size
        return near

    def forget_edge(self) -> None:
        """Begin a new collection of excesses that are not steady."""
        self.edge, self._edge_gap = None, 0.0

    def scored(self, values: Values, shape: Shape, family: Family | None = None) -> Score:
        """Score of a batch of parameter points of which nothing is remembered."""
        values = self.onto(values, shape)
        instance = (family or self.statement.family).instance(values, shape)
        return score(self.statement, instance, noise=self.noise)

    def beside(self, values: Values, shape: Shape) -> None:
        """Count points that are not moved: whether the claim falls where an equality alone fails.

        Nothing else is remembered of them.
        """
        family = self.statement.family
        result = score(self.statement, family.instance(values, shape), noise=self.noise)
        self.tally.add(result, values, shape, family)

    def onto(self, values: Values, shape: Shape) -> Values:
        """The same points moved onto the equalities that the claim assumes, where it has some."""
        move = self.move(shape)
        return values if move is None else move(values)

    def move(self, shape: Shape) -> Onto | None:
        """How points of a shape are moved; None where there is nothing to move them onto."""
        known = repr(shape)
        if known not in self._moves:
            self._moves[known] = onto(self.statement, shape)
        return self._moves[known]

    def gather(self) -> None:
        """Join the kept batches of each shape, the last one first: later rungs pay by the batch."""
        alike: dict[tuple[str, int], list[int]] = {}
        for number, (_, shape, family) in enumerate(self.points):
            build = (family or self.statement.family).build  # wider ranges are no other family
            alike.setdefault((repr(shape), id(build)), []).append(number)
        kept, points = [], []
        for numbers in alike.values():
            result, point = self.kept[numbers[0]], self.points[numbers[0]]
            if len(numbers) > 1:
                _, shape, family = max(  # the widest ranges of all of them
                    (self.points[number] for number in numbers), key=lambda p: p[2] is not None
                )
                parts = [self.points[number][0] for number in reversed(numbers)]
                values = {k: np.concatenate([part[k] for part in parts]) for k in parts[0]}
                result, point = self.scored(values, shape, family), (values, shape, family)
            kept.append(result)
            points.append(point)
        self.kept, self.points = kept, points

    def decode(self, u: np.ndarray[Any, Any], shape: Shape) -> Values:
        """Parameter values of points of the unit cube."""
        return self.statement.family.decode(u, shape)

    def _remember(
        self,
        result: Score,
        ratio: np.ndarray[Any, Any],
        values: Values,
        shape: Shape,
        family: Family | None,
    ) -> None:
        self._remember_edge(result, ratio, values, shape, family)
        tight = np.where(result.feasible, ratio, -np.inf)
        self.tried += len(tight)
        self._remember_blank(result, values, shape, family)
        found = int(np.count_nonzero(tight > -np.inf))
        self.feasible += found
        if not found:
            return
        # of equal ones the earlier stays: what does not exceed the last of them is none of them
        if len(self.tops) < tuning.TOPS or not tight.max() <= self.tops[-1].ratio:
            for j in np.argsort(-tight, kind="stable")[:2]:
                if tight[j] > -np.inf:
                    self.tops.append(_candidate(values, shape, tight, j, family))
            self.tops = sorted(self.tops, key=lambda c: -c.ratio)[: tuning.TOPS]
        if self.statement.quantifier == "some":
            self._remember_nearest(result, ratio, values, shape, family)
        within = np.where(tight <= 1 + ROUNDING, tight, -np.inf)
        j = np.argmax(within)
        if within[j] > -np.inf and (self.within is None or within[j] > self.within.ratio):
            self.within = _candidate(values, shape, within, j, family)

    def _remember_nearest(
        self,
        result: Score,
        ratio: np.ndarray[Any, Any],
        values: Values,
        shape: Shape,
        family: Family | None,
    ) -> None:
        """The least ratio, and of equal ones (all are infinite above 0) the least gap."""
        gap = np.abs(xp.to_float(result.left) - xp.to_float(result.right)).max(axis=1)
        rows = np.flatnonzero(result.feasible)
        j = rows[np.lexsort((gap[rows], ratio[rows]))[0]]
        if self.nearest is None or (ratio[j], gap[j]) < (self.nearest.ratio, self._nearest_gap):
            self.nearest = _candidate(values, shape, ratio, j, family)
            self._nearest_gap = float(gap[j])

    def _remember_blank(
        self, result: Score, values: Values, shape: Shape, family: Family | None
    ) -> None:
        """Instances that only exact arithmetic can compare: each has the same chance to be kept.

        The first ones lie together, at the corners of the first ranges.
        """
        if not np.isnan(result.ratio).any():
            return
        rows = np.flatnonzero(np.broadcast_to(result.blank, len(result.ratio)))
        places = self._draw.integers(self.blank + 1 + np.arange(rows.size))
        self.blank += rows.size
        if result.diverged is not None:
            self.diverged += int(np.count_nonzero(result.blank & result.diverged))
        for row, place in zip(rows, places, strict=True):
            if len(self.blanks) < tuning.BLANKS:
                self.blanks.append(_candidate(values, shape, result.ratio, row, family))
            elif place < tuning.BLANKS:
                self.blanks[place] = _candidate(values, shape, result.ratio, row, family)

    def _remember_edge(
        self,
        result: Score,
        ratio: np.ndarray[Any, Any],
        values: Values,
        shape: Shape,
        family: Family | None,
    ) -> None:
        """Of the excesses that are not steady, the one with the largest gap is no rounding."""
        if ratio is result.ratio:
            return
        raw = result.tight
        rows = np.flatnonzero((raw > 1 + ROUNDING) & (ratio <= 1 + ROUNDING))
        if not rows.size:
            return
        gap = np.abs(xp.to_float(result.left) - xp.to_float(result.right))[rows].max(axis=1)
        gap = np.nan_to_num(gap, nan=0.0)
        j = int(np.argmax(gap))
        if self.edge is None or gap[j] > self._edge_gap:
            at = rows[j]
            chosen = {k: v[at] for k, v in values.items()}
            self.edge = Candidate(chosen, shape, float(raw[at]), False, family)
            self._edge_gap = float(gap[j])


def _count(values: Values) -> int:
    return len(next(iter(values.values()), ()))


def _candidate(
    values: Values, shape: Shape, ratio: np.ndarray[Any, Any], j: Any, family: Family | None
) -> Candidate:
    return Candidate({k: v[j] for k, v in values.items()}, shape, float(ratio[j]), family=family)


def size_of(candidate: Candidate) -> int:
    """How much there is to compute of an instance: its numbers times the sizes of its shape."""
    whole = [n for n in candidate.shape.values() if isinstance(n, int) and n > 0]
    return prod(whole) * (1 + sum(np.size(v) for v in candidate.values.values()))
