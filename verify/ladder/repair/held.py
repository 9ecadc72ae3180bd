"""A mended claim is held to what is known of the claim that it mends, and to more of the same.

To every kept instance, to every place of the leaf's laws and ladders, to sizes and numbers eight
times as large or as small, in other units, and, where the claim does not change when the origin is
moved, with the origin moved.  A full search of the mended claim alone may miss what the search of
the claim itself has found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.statement import Family, Statement
from verify.ladder.repair import tuning
from verify.ladder.repair.alone.paths import NumberPath, cells_of, in_floats, paths
from verify.ladder.repair.effort import Memory
from verify.ladder.rungs.climb import Climb
from verify.ladder.rungs.units import UNIT_STEPS
from verify.ladder.search.pool import Candidate, Pool, size_of
from verify.ladder.search.sizes import NO_INSTANCE, weight_of
from verify.limits.clock import OutOfTime, at_most
from verify.limits.counter import work_of
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import NoValue
from verify.world.referee import rescore
from verify.world.score import Score, score

__all__ = ["Against", "Trials", "moves_with_origin", "trials_of"]

CANNOT = (*NO_INSTANCE, NoValue, TypeError, MemoryError)
"""What an instance that is none of a claim's raises."""


@dataclass(frozen=True)
class Against:
    """What speaks against a mended claim: why, and the instance where it is one that breaks it."""

    why: str
    instance: Instance | None = None


@dataclass(frozen=True)
class Trials:
    """Instances to which mended claims are held, and what the origin is moved with.

    Parameters
    ----------
    climb : Climb
        Of the claim that fell.
    ones : tuple of Candidate
    origin : tuple of str
        Parameters that move with the origin; empty where the claim is not one that stays.
    """

    climb: Climb
    ones: tuple[Candidate, ...]
    origin: tuple[str, ...]

    def against(self, claim: Statement) -> Against | None:
        """What speaks against a mended claim; None where nothing was found."""
        pool = Pool(claim, self.climb.pool.noise)
        own = Pool(self.climb.statement, self.climb.pool.noise)
        with np.errstate(all="ignore"):
            for alike in _by_shape(self.ones):
                found = self._broken(pool, alike)
                if found is not None:
                    return found
            for alike in _by_shape(self.ones[: tuning.MOVED]):
                if self.origin and not _stays(pool, alike, self.origin):
                    return Against("it changes when the origin is moved")
                if not _keeps_units(own, pool, alike):
                    return Against("it changes with the units")
        return None

    def _broken(self, pool: Pool, ones: Sequence[Candidate]) -> Against | None:
        for part in self._parts(pool, ones):
            try:
                with at_most(tuning.HELD_SECONDS):
                    scored = _scored(pool, part)
            except OutOfTime:
                return None
            except CANNOT:
                continue
            above = scored.feasible & (scored.ratio > 1 + ROUNDING)
            for row in np.flatnonzero(above)[: tuning.ASKED]:
                one = part[int(row)]
                instance = self._confirmed(pool, one)
                if instance is not None:
                    return Against("an instance beyond the search breaks it", instance)
        return None

    @staticmethod
    def _parts(pool: Pool, ones: Sequence[Candidate]) -> Iterator[list[Candidate]]:
        """So many instances of one shape as can be scored at once."""
        cells = cells_of(pool, ones[0])
        at_once = int(np.clip(tuning.BATCH // cells, 1, tuning.HELD_AT_ONCE))
        for begin in range(0, len(ones), at_once):
            yield list(ones[begin : begin + at_once])

    def _confirmed(self, pool: Pool, one: Candidate) -> Instance | None:
        """The instance, where exact arithmetic says that it breaks the mended claim."""
        broken: list[Instance] = []

        def asked() -> None:
            instance = self.climb.heard.exact(one.values, one.shape, one.family)
            if instance is not None and rescore(pool.statement, instance).violated:
                broken.append(instance)

        try:
            with at_most(tuning.EXACT_SECONDS):
                work_of(asked, tuning.EXACT_CALLS)
        except (*CANNOT, OutOfTime):
            return None
        return broken[0] if broken else None


def trials_of(climb: Climb, known: Iterable[Candidate]) -> Trials:
    """What mended claims of a climb are held to.

    Parameters
    ----------
    climb : Climb
        Of the claim that fell.
    known : iterable of Candidate
        Places of laws and ladders.
    """
    tops = [*([climb.heard.struck] if climb.heard.struck else []), *climb.pool.tops, *known]
    spread = [*_distinct(map(in_floats, tops))][: tuning.HELD]
    small = sorted(spread, key=size_of)[: tuning.GROWN]
    worst = sorted(spread, key=lambda one: -one.ratio)[:1]
    grown = [one for start in (*small, *worst) for one in _eight_times(climb, start)]
    return Trials(climb, (*spread, *_distinct(grown)), moves_with_origin(climb, small or spread))


def _distinct(ones: Iterable[Candidate]) -> Iterator[Candidate]:
    seen = set()
    for one in ones:
        key = (repr(one.shape), repr({k: np.asarray(v).tolist() for k, v in one.values.items()}))
        if key not in seen:
            seen.add(key)
            yield one


def _eight_times(climb: Climb, start: Candidate) -> Iterator[Candidate]:
    """The instance with each size or number, and all sizes, up to eight times as large or small."""
    family = start.family or climb.statement.family
    found = list(paths(climb, start))
    numbers = [path for path in found if not path.size]
    sizes = {path.moves[0].name: path for path in found if path.size}
    for factor in (2.0, 4.0, tuning.TIMES):
        for path in numbers:
            one = _at(path, factor if path.rises else 1 / factor, family)
            if one is not None:
                yield one
    together = [[path] for path in sizes.values()]
    for several in [*together, *([[*sizes.values()]] if len(sizes) > 1 else [])]:
        last = None
        for one in _doubled(climb, start, several, family):
            last = one
            yield one
        for path in numbers if last is not None else ():  # and each number beside it
            step = tuning.TIMES if path.rises else 1 / tuning.TIMES
            beside = _at(replace(path, start=last), step, family) if last is not None else None
            if beside is not None:
                yield beside


def _doubled(
    climb: Climb, start: Candidate, several: Sequence[NumberPath], family: Family
) -> Iterator[Candidate]:
    """The instance with these sizes twice, four and eight times as large, while that is cheap."""
    pool = Pool(climb.statement, climb.pool.noise)
    # places are factors here, of which there is none below one
    memory = Memory(climb, several[0].moves[0].name, start, smaller=False)
    for factor in (1.0, 2.0, 4.0, tuning.TIMES):
        one = start
        for path in several if factor > 1 else ():
            one = _at(replace(path, start=one), factor, family) or one
        if factor > 1 and one is start:
            return
        if memory.expected(factor) > tuning.HELD_BYTES:
            return
        try:
            memory.scored(pool, one, factor)
        except CANNOT:
            return
        if factor > 1:
            yield one


def _at(path: NumberPath, factor: float, family: Family) -> Candidate | None:
    try:
        one = path.at(factor, family)
    except CANNOT:
        return None
    if one is None or weight_of(family, path.start.shape, one.shape) > tuning.HEAVIEST_ALONE:
        return None
    return one


def _by_shape(ones: Sequence[Candidate]) -> list[list[Candidate]]:
    found: dict[tuple[str, int], list[Candidate]] = {}
    for one in ones:
        found.setdefault((repr(one.shape), id(one.family)), []).append(one)
    return list(found.values())


def _values(ones: Sequence[Candidate]) -> dict[str, Any]:
    return {
        name: np.stack([np.asarray(one.values[name], dtype=float) for one in ones])
        for name in ones[0].values
    }


def _scored(pool: Pool, ones: Sequence[Candidate]) -> Score:
    return pool.scored(_values(ones), ones[0].shape, ones[0].family)


# -- the origin and the units ----------------------------------------------------------------------


def moves_with_origin(climb: Climb, ones: Sequence[Candidate]) -> tuple[str, ...]:
    """The parameters with which the origin moves: the claim stays as it is when all of them do.

    The most of those that may have either sign and have one unit; empty where there are no two.
    """
    pool = Pool(climb.statement, climb.pool.noise)
    family = climb.statement.family
    signed = [name for name, real in family.box.items() if real.limits[0] == -np.inf]
    units = {family.box[name].unit for name in signed}
    with np.errstate(all="ignore"):
        for unit in sorted(units):
            alike = [name for name in signed if family.box[name].unit == unit]
            for count in range(min(len(alike), tuning.POINTS), 0, -1):
                for names in combinations(alike[: tuning.POINTS], count):
                    if all(_unmoved(pool, part, names) for part in _by_shape(ones[:8])):
                        return names
    return ()


def _moved(ones: Sequence[Candidate], names: Sequence[str], by: float) -> list[Candidate]:
    return [
        replace(one, values={k: v + by if k in names else v for k, v in _floats(one).items()})
        for one in ones
    ]


def _floats(one: Candidate) -> dict[str, Any]:
    return {name: np.asarray(value, dtype=float) for name, value in one.values.items()}


def _unmoved(pool: Pool, ones: Sequence[Candidate], names: Sequence[str]) -> bool:
    """Whether both sides and all margins stay when these parameters move by the same number."""
    try:
        before = _scored(pool, ones)
        for by in (3.0, -5.0):
            if not _same(before, _scored(pool, _moved(ones, names, by)), 1.0):
                return False
    except CANNOT:
        return False
    return True


def _same(one: Score, other: Score, left: float) -> bool:
    pairs = [(one.left, other.left), (one.right, other.right)]
    pairs += [(one.lowest[n], other.lowest[n]) for n in one.lowest if n in other.lowest]
    return all(_near(a, b * left) for a, b in pairs)


def _near(one: Any, other: Any) -> bool:
    a, b = (np.asarray(xp.to_float(x), dtype=float) for x in (one, other))
    scale = np.maximum(np.maximum(np.abs(a), np.abs(b)), 1.0)
    return bool(np.all(np.abs(a - b) <= 1e-6 * scale) or np.array_equal(a, b, equal_nan=True))


def _stays(pool: Pool, ones: Sequence[Candidate], names: Sequence[str]) -> bool:
    """Whether a mended claim stays too when the origin moves."""
    try:
        before = _scored(pool, ones)
        return all(_same(before, _scored(pool, _moved(ones, names, by)), 1.0) for by in (3.0, -5.0))
    except CANNOT:
        return True


def _keeps_units(own: Pool, pool: Pool, ones: Sequence[Candidate]) -> bool:
    """Whether left/right of the mended claim keeps in other units, where that of the claim does."""
    family: Family = ones[0].family or own.statement.family
    try:
        instance = family.instance(_values(ones), ones[0].shape)
        if not any(any(unit) for unit in instance.units.values()):
            return True
        ratios = [
            [score(one.statement, instance.scaled(*by), noise=one.noise) for by in UNIT_STEPS]
            for one in (own, pool)
        ]
    except CANNOT:
        return True
    alike = [all(_near(each[0].ratio, other.ratio) for other in each[1:]) for each in ratios]
    fair = [all(np.array_equal(e[0].feasible, o.feasible) for o in e[1:]) for e in ratios]
    return (alike[1] or not alike[0]) and (fair[1] or not fair[0])
