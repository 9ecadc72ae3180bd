"""Which mend is the smallest: tried on a sample of the instances that a search has kept.

Only floats here: what is chosen goes through the whole ladder as a claim of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import unchecked
from verify.claim.instance import Instance
from verify.claim.statement import Shape, Statement
from verify.ladder.repair import tuning
from verify.ladder.repair.candidates import candidates, sharp_factors
from verify.ladder.repair.conditions import conditions
from verify.ladder.repair.fitted import fitted
from verify.ladder.repair.mends import Mend, mended
from verify.ladder.repair.monomials import known_symbols, labels_of, left_units, units_of
from verify.ladder.rungs.units import UNIT_STEPS, powers_of_two
from verify.ladder.search.pool import Pool
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import WITHOUT_VALUE
from verify.world.score import Score, score, score_world


@dataclass(frozen=True)
class SampledBatch:
    """A scored batch of the sample, and how far the claim is broken on it."""

    result: Score
    excess: float


@dataclass(frozen=True)
class Effect:
    """What a mend does to the sample.

    ``excess`` is how far the claim stays broken and ``change`` how much the right side changes,
    both in powers of two, on average over the instances. ``right`` are its right sides.
    """

    mend: Mend
    excess: float
    change: float
    right: tuple[float, ...] = ()

    @property
    def order(self) -> tuple[Any, ...]:
        """The smallest mend first: what it leaves broken asks for at least as much change again."""
        return (round(self.excess + self.change, 2), self.mend.size, str(self.mend))


class Sample:
    """Instances on which mends of one claim are tried: witnesses first, then of every shape."""

    def __init__(
        self,
        pool: Pool,
        witnesses: Sequence[Instance],
        statement: Statement | None = None,
        further: Sequence[Mend] = (),
    ) -> None:
        self.further = further
        self.pool, self.statement = pool, statement or pool.statement
        self.tests = [self._witness(instance) for instance in witnesses]
        shapes = {repr(shape): shape for _, shape, _ in pool.points}
        rows = [self._rows(shape) for shape in shapes.values()]
        self.rows = sorted((r for r in rows if r is not None), key=lambda r: -r.excess)
        self.scaled = self._scaled()
        # what a mend does where only a witness shows it counts too
        self.rows += [SampledBatch(test, _excess(test.ratio)) for test in self.tests]

    @property
    def excess(self) -> float:
        """How far the claim itself is broken on the sample, in powers of two on average."""
        return sum(r.excess for r in self.rows) / max(self.count, 1)

    @property
    def _most(self) -> float:
        """Largest left/right of an instance that meets the hypotheses."""
        tight = [r.result.tight for r in self.rows]
        return max((float(t.max()) for t in tight if t.size), default=0.0)

    @property
    def count(self) -> int:
        """Number of instances."""
        return sum(len(r.result.ratio) for r in self.rows)

    def effects(self, most: float = np.inf, removing: bool = True) -> Iterator[Effect]:
        """What each mend does, best first.

        Only those that keep the units, leave at most so much excess and, if ``removing``, take all
        witnesses away.
        """
        tries = {str(m): m for m in self.further} | {
            str(m): m
            for r in self.rows[:1]
            for m in candidates(self.statement, r.result, self._rescaled)
        }
        tries = {str(m): m for m in self._fitted()} | tries
        tries |= {str(m): m for m in sharp_factors(self.statement.relation, self._most)}
        found = []
        with unchecked(), np.errstate(all="ignore"):
            for mend in tries.values():
                effect = self._effect(mend, most, removing)
                found += [] if effect is None else [effect]
        found.sort(key=lambda e: e.order)
        kept = False
        for effect in found:
            if self._keeps_units([effect.mend]):
                kept = True
                yield effect
        if not kept and not self._keeps_units([]):
            yield from found  # units do not add up in the claim itself: they tell nothing

    def conditions(self) -> Iterator[Mend]:
        """Hypotheses that leave out every instance of the sample that breaks the claim."""
        with unchecked(), np.errstate(all="ignore"):
            yield from conditions([r.result for r in self.rows], self._units_by_name())

    def _fitted(self) -> Iterator[Mend]:
        with unchecked(), np.errstate(all="ignore"):
            results, wanted = [r.result for r in self.rows], left_units(self._rescaled)
            yield from fitted(self.statement.relation, results, self._units_by_name(), wanted)

    def _units_by_name(self) -> dict[str, Any]:
        """Exponents of (loss, length) of each symbol that holds numbers."""
        known = known_symbols(self.rows[0].result) if self.rows else ()
        labels = labels_of(self.statement.family)
        return {n: units_of(self._rescaled, n) for n in known if n not in labels}

    @cached_property
    def _rescaled(self) -> list[Score]:
        """The first rows in other units."""
        return self._units_of(self.rows[0].result) if self.rows else []

    def _effect(self, mend: Mend, most: float, removing: bool) -> Effect | None:
        """What a mend does; None where a witness stays, or more than so much excess."""
        claim = mended(self.statement, [mend], given=())
        excess, change, rights, alone = 0.0, 0.0, list[float](), True
        try:
            for test in self.tests if removing else ():
                if not score_world(claim, test.world).ratio[0] <= 1 + ROUNDING:
                    return None
            for rows in self.rows:
                measured = self._measure(claim, mend, rows)
                if measured is None:
                    return None
                excess, change = excess + measured[0], change + measured[1]
                rights += measured[2]
                alone = alone and measured[3]
                if excess > most * self.count:
                    return None
        except WITHOUT_VALUE:
            return None
        if change <= 0 or (self.rows and alone):
            return None
        return Effect(mend, excess / self.count, change / self.count, tuple(rights))

    def _measure(
        self, claim: Statement, mend: Mend, rows: SampledBatch
    ) -> tuple[float, float, list[float], bool] | None:
        """Excess left, total change, the right sides, and whether the changed part would do alone.

        None where they have no value.
        """
        found = score_world(claim, rows.result.world)
        old, new = np.broadcast_arrays(xp.to_float(rows.result.right), xp.to_float(found.right))
        if not np.isfinite(new).all():
            return None
        bits = _capped(np.abs(np.log2(np.abs(new / old))))
        total = float(np.where(new == old, 0.0, bits).mean(axis=1).sum())
        alone = bool(mend.part) and _by_itself(found, mend.part)
        return _excess(found.ratio), total, new.ravel().tolist(), alone

    # -- what the sample is made of ------------------------------------------------------------

    def _witness(self, instance: Instance) -> Score:
        return score(self.statement, _floats(instance), noise=self.pool.noise)

    def _rows(self, shape: Shape) -> SampledBatch | None:
        """Tightest and other feasible instances of a shape."""
        family = self.statement.family
        parts = [v for v, s, _ in self.pool.points if s == shape]
        parts += [
            {k: np.asarray(v)[None] for k, v in t.values.items()}
            for t in self.pool.tops
            if t.shape == shape
        ]
        values = {
            k: np.concatenate([p[k] for p in parts[::-1]])[: tuning.SAMPLED_FROM]
            for k in family.box
        }
        result = score(self.statement, family.instance(values, shape), noise=self.pool.noise)
        ratio = result.ratio
        above = result.feasible & (ratio > 1 + ROUNDING)
        broken = np.flatnonzero(above & (self.pool.steady(result, values, shape) > 1 + ROUNDING))
        # an infinite right side says nothing of a mend, and no mend has a finite one there
        finite = np.isfinite(np.asarray(xp.to_float(result.right), dtype=float)).all(axis=-1)
        others = np.flatnonzero(result.feasible & ~above & np.isfinite(ratio) & finite)
        broken = broken[np.argsort(-ratio[broken], kind="stable")]
        chosen = np.concatenate(
            [
                _spread(broken, tuning.SAMPLED_BROKEN),
                _spread(others, tuning.SAMPLED_WHOLE),
            ]
        )
        if not chosen.size:
            return None
        few = result.world.instance.rows(chosen)
        small = score(self.statement, few, noise=self.pool.noise)
        return SampledBatch(small, _excess(small.ratio))

    def _scaled(self) -> list[list[Score]]:
        """A few rows of the sample in three systems of units."""
        return [found for r in self.rows[:4] if (found := self._units_of(r.result))]

    def _units_of(self, result: Score) -> list[Score]:
        instance = result.world.instance.rows(np.arange(min(len(result.ratio), 16)))
        if not any(any(unit) for unit in instance.units.values()):
            return []
        return [score(self.statement, instance.scaled(*by)) for by in UNIT_STEPS]

    def _keeps_units(self, mends: Sequence[Mend]) -> bool:
        """Whether the changed right side has the unit of the left one, wherever that has one."""
        claim = mended(self.statement, mends, given=())
        for scored in self.scaled:
            try:
                with unchecked(), np.errstate(all="ignore"):
                    rights = [score_world(claim, s.world).right for s in scored]
            except WITHOUT_VALUE:
                return False
            for step in (1, 2):
                wanted = powers_of_two(scored[0].left, scored[step].left)
                got = powers_of_two(rights[0], rights[step])
                if wanted is None or got is None:
                    return False
                if np.any(np.isfinite(wanted) & ~(np.isinf(got) | (got == wanted))):
                    return False
        return True


def _by_itself(found: Score, part: str) -> bool:
    """Whether one term is all that is needed, and the rest of the right side idle."""
    term = xp.to_float(found.terms[1].get(part, 0.0))
    return not bool((term < xp.to_float(found.left) * (1 - ROUNDING)).any())


def _excess(ratio: Any) -> float:
    """Powers of two by which instances break a claim, summed."""
    with np.errstate(all="ignore"):
        return float(_capped(np.log2(np.where(ratio > 1 + ROUNDING, ratio, 1.0))).sum())


def _capped(bits: Any) -> Any:
    return np.minimum(
        np.nan_to_num(bits, nan=tuning.MOST_BITS, posinf=tuning.MOST_BITS),
        tuning.MOST_BITS,
    )


def _floats(instance: Instance) -> Instance:
    """A batch of one of an exact instance, in floats."""

    def plain(value: Any) -> Any:
        kept = isinstance(value, (str, bool, int)) or value is None
        return value if kept else np.asarray(value, dtype=float)

    data, params = (
        {k: plain(v) for k, v in part.items()} for part in (instance.data, instance.params)
    )
    return replace(instance, data=data, params=params).batched()


def _spread(rows: Any, count: int) -> Any:
    """Half of the rows from the front, the others evenly from the rest."""
    if len(rows) <= count:
        return rows
    half = count // 2
    rest = rows[half:]
    return np.concatenate([rows[:half], rest[:: max(len(rest) // half, 1)][:half]])
