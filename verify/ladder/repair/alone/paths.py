"""Paths from one instance: one size or number is doubled step by step, and all else stays.

A size makes arrays longer: the new entries repeat the first one, or the last one. What a family
builds may tie further numbers to the one that moves (shares that sum to one); `MeasuredPath.tied`
names the fields of the instance that took a value which they did not have at the start.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite, log
from numbers import Real
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import Ball
from verify.claim.instance import Instance
from verify.claim.parameters import RUNS, SIZES
from verify.claim.statement import Family
from verify.ladder.repair import tuning
from verify.ladder.repair.effort import Memory, Work
from verify.ladder.repair.ladders import sizes_of
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.points import stretched
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import NO_INSTANCE, weight_of
from verify.verdict.relation import meets
from verify.world.noise_plan import NoValue

__all__ = [
    "NumberMove",
    "NumberPath",
    "MeasuredPath",
    "cells_of",
    "in_floats",
    "pairs",
    "paths",
    "walked",
]


@dataclass(frozen=True)
class NumberMove:
    """One number of a path: ``name`` (an entry, where ``index`` is one) times ``factor**power``."""

    name: str
    index: tuple[int, ...] | None = None
    power: float = 1.0

    def to_json(self) -> list[Any]:
        """Name, index and power."""
        return [self.name, None if self.index is None else list(self.index), self.power]

    @classmethod
    def from_json(cls, raw: Sequence[Any]) -> NumberMove:
        """Inverse of :meth:`to_json`."""
        name, index, power = raw
        return cls(str(name), None if index is None else tuple(map(int, index)), float(power))


@dataclass(frozen=True)
class NumberPath:
    """Where one goes from an instance.

    Parameters
    ----------
    start : Candidate
    moves : tuple of NumberMove
        The first is the number that the law is about; further ones move with it.
    factors : tuple of float
        What the first one is multiplied by, 1 first.
    size : bool
        Whether the first one is an entry of the shape.
    last : bool
        Whether new entries of longer arrays repeat the last one, else the first.
    """

    start: Candidate
    moves: tuple[NumberMove, ...]
    factors: tuple[float, ...]
    size: bool = False
    last: bool = False

    @property
    def rises(self) -> bool:
        """Whether the number grows."""
        return self.factors[-1] > 1

    def at(self, factor: float, family: Family) -> Candidate | None:
        """The instance at one place; None where a number leaves its domain."""
        shape, values = dict(self.start.shape), dict(self.start.values)
        numbers = self.moves
        if self.size:
            name = self.moves[0].name
            shape[name] = round(int(shape[name]) * factor)
            factor = shape[name] / int(self.start.shape[name])
            numbers = self.moves[1:]
            for key, real in family.box.items():
                old = np.asarray(values[key], dtype=float)
                values[key] = stretched(old, real.lengths(shape), self.last)
        for move in numbers:
            value = np.array(values[move.name], dtype=float)
            place = ... if move.index is None else move.index
            value[place] = value[place] * factor**move.power
            real = family.box[move.name]
            if not all(real.inside(x) for x in value.flat):
                return None
            values[move.name] = value
        return replace(self.start, values=values, shape=shape)


@dataclass(frozen=True)
class MeasuredPath:
    """What was measured on a path.

    Parameters
    ----------
    path : NumberPath
    factors, ratios : tuple of float
        As far as the hypotheses hold and the sides are numbers.
    fields : tuple of mapping
        Numbers of the instance at each place.
    tops : tuple of Candidate
    """

    path: NumberPath
    factors: tuple[float, ...]
    ratios: tuple[float, ...]
    fields: tuple[Mapping[str, Any], ...]
    tops: tuple[Candidate, ...]

    @property
    def changed(self) -> tuple[str, ...]:
        """Fields of the instance that have a value which they did not have at the start."""
        first, last = self.fields[0], self.fields[-1]
        return tuple(n for n in first if n in last and not _among(last[n], first[n]))

    def named(self) -> tuple[str, tuple[float, ...]] | None:
        """What moves, as a field of the instance or a size, and its values.

        The number of the first move where the instance has a field of that name; else the first
        field that moves as one number. None where neither is there.
        """
        move, first = self.path.moves[0], self.fields[0]
        if self.path.size:
            start = int(self.path.start.shape[move.name])
            return move.name, tuple(start * factor for factor in self.factors)
        others = {m.name for m in self.path.moves[1:]}
        own = [n for n in self.changed if n not in others]
        names = [move.name] if move.name in first else own
        for name in names:
            found = self._entry(name, move.index if name == move.name else None)
            if found is not None and (name == move.name or self._moves_much(found[1])):
                return found
        return None

    def _moves_much(self, places: Sequence[float]) -> bool:
        """Whether a field moves with the first move, not only a little beside it."""
        own = abs(log(places[-1] / places[0]))
        return own >= tuning.MUCH * abs(log(self.factors[-1] / self.factors[0]))

    def _entry(
        self, name: str, index: tuple[int, ...] | None
    ) -> tuple[str, tuple[float, ...]] | None:
        """A field or an entry of it, with its values; None where it is no one number that moves."""
        values = [np.asarray(fields[name], dtype=float) for fields in self.fields]
        if any(value.shape != values[0].shape for value in values):
            return None
        if index is not None and values[0].ndim != len(index):
            return None
        if index is None and values[0].size > 1:
            nonzero = np.abs(values[0]) > 0
            if not nonzero.any():
                return None
            place = tuple(int(i) for i in np.argwhere(nonzero)[0])
            scales = [value[place] / values[0][place] for value in values]
            alike = all(
                np.allclose(value, scale * values[0], rtol=1e-9, atol=0)
                for value, scale in zip(values, scales, strict=True)
            )
            if alike:
                return f"{name}[:]", tuple(float(s) for s in scales)
            least = [float(value.min()) for value in values]
            falls = all(0 < b < a for a, b in pairwise(least))
            return (f"min {name}", tuple(least)) if falls and least[0] > 0 else None
        entries = [float(v[index]) if index else float(v.reshape(-1)[0]) for v in values]
        if entries[0] == 0 or any(e / entries[0] <= 0 for e in entries):
            return None
        said = name if index is None or values[0].size == 1 else _at(name, index)
        said = said if entries[0] > 0 else f"|{said}|"
        return said, tuple(abs(e) for e in entries)

    def tied_beside(self, along: str) -> tuple[str, ...]:
        """Fields that moved though neither a move nor the law names them."""
        named = {move.name for move in self.path.moves}
        bare = along.removeprefix("1/").strip("|").removeprefix("min ").partition("[")[0]
        return tuple(name for name in self.changed if name not in named and name != bare)


def _at(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]"


def _among(new: Any, old: Any) -> bool:
    """Whether all numbers of a field were there before, up to rounding."""
    if not isinstance(new, np.ndarray) or not isinstance(old, np.ndarray):
        return bool(new == old)
    known = np.unique(old.astype(float).ravel())
    if not known.size:
        return True
    flat = new.astype(float).ravel()
    near = known[np.abs(known[None, :] - flat[:, None]).argmin(axis=1)]
    return bool(np.all(np.abs(near - flat) <= 1e-12 * np.maximum(np.abs(near), np.abs(flat))))


def in_floats(one: Candidate) -> Candidate:
    """An instance whose numbers are floats; those of a witness may be fractions."""
    values = {name: np.asarray(value, dtype=float) for name, value in one.values.items()}
    return replace(one, values=values)


def paths(climb: Climb, start: Candidate) -> Iterator[NumberPath]:
    """All paths from an instance on which one size or number moves.

    Sizes first; then each number and each entry of an array, up and down; then arrays as a whole.
    """
    family = start.family or climb.statement.family
    for name in sizes_of(family):
        first = start.shape.get(name)
        if isinstance(first, int) and first >= 1:
            dear = name in SIZES and name not in RUNS
            own = {round(first * (2**0.5 if dear else 2.0) ** k) for k in range(tuning.LADDER)}
            top = max(own)
            more = tuning.CONFIRMED + tuning.BEYOND_PRINT
            sizes = sorted({*own, *(top * 2**k for k in range(1, more + 1))})
            factors = tuple(size / first for size in sizes)
            stretches = any(name in real.per for real in family.box.values())
            for last in (False, True) if stretches else (False,):
                yield NumberPath(start, (NumberMove(name),), factors, True, last)
    count = tuning.LADDER + tuning.CONFIRMED + tuning.BEYOND_PRINT
    for name, real in family.box.items():
        value = np.asarray(start.values[name], dtype=float)
        if real.low == real.high or not value.size:
            continue
        places: list[tuple[int, ...] | None] = [*np.ndindex(value.shape)] if value.ndim else [None]
        places = [p for p in places[: tuning.ENTRIES] if value[() if p is None else p] != 0]
        if value.size > 1 and value.any():
            places.append(None)
        for index in places:
            for step in (2.0, 0.5):
                factors = tuple(step**k for k in range(count))
                yield NumberPath(start, (NumberMove(name, index),), factors)


def pairs(climb: Climb, start: Candidate) -> Iterator[NumberPath]:
    """Paths on which a second number moves as a power of the first, plain powers first."""
    family = start.family or climb.statement.family
    free = [
        name
        for name, real in family.box.items()
        if real.low != real.high and np.all(np.asarray(start.values[name], dtype=float) != 0)
    ][: tuning.MOST_TOGETHER]
    for path in paths(climb, start):
        move = path.moves[0]
        if move.index is not None or (not path.size and move.name not in free):
            continue
        later = free if path.size else free[free.index(move.name) + 1 :]  # each pair once
        for name in later:
            for power in tuning.TOGETHER:
                yield replace(path, moves=(move, NumberMove(name, None, power)))


def walked(climb: Climb, found: Sequence[NumberPath], deadline: float) -> list[MeasuredPath]:
    """What is measured on paths: of numbers all at once, of sizes place by place."""
    numbers = [path for path in found if not path.size]
    walks = _together(climb, numbers, deadline) if numbers else []
    sizes: dict[tuple[str, bool], list[NumberPath]] = {}
    for path in found:
        if path.size:
            sizes.setdefault((path.moves[0].name, path.last), []).append(path)
    for alike in sizes.values():
        walks += _by_sizes(climb, alike, deadline)
    return walks


def _together(climb: Climb, found: Sequence[NumberPath], deadline: float) -> list[MeasuredPath]:
    """Walks on which numbers alone move: the instances of all of them in one batch."""
    pool = Pool(climb.statement, climb.pool.noise)
    start = found[0].start
    family = start.family or climb.statement.family
    rows: list[list[Candidate]] = []
    for path in found:
        made = []
        for factor in path.factors:
            one = path.at(factor, family)
            if one is None:
                break
            made.append(one)
        rows.append(made)
    flat = [one for made in rows for one in made]
    at_once = max(tuning.BATCH // cells_of(pool, start), 1)
    measured = _scored(pool, flat, at_once, deadline)
    walks, begin = [], 0
    for path, made in zip(found, rows, strict=True):
        part = measured[begin : begin + len(made)]
        begin += len(made)
        walk = _walk(path, path.factors, made, part)
        walks += [walk] if walk is not None else []
    return walks


Measured = tuple[float, bool, Mapping[str, Any]] | None
"""Ratio, whether the hypotheses hold, and the fields of an instance; None where it has no value."""


def cells_of(pool: Pool, one: Candidate) -> int:
    """Outcomes of the noise of one instance, each of which is evaluated."""
    try:
        alone = {name: np.asarray(value, dtype=float)[None] for name, value in one.values.items()}
        scored = pool.scored(alone, one.shape, one.family)
    except (*NO_INSTANCE, NoValue):
        return 1
    return max(int(np.shape(scored.weights)[-1]), int(np.shape(scored.left)[-1]), 1)


def _scored(pool: Pool, ones: Sequence[Candidate], at_once: int, deadline: float) -> list[Measured]:
    """The instances of one shape, in batches; one by one where a batch has no value."""
    out: list[Measured] = []
    for begin in range(0, len(ones), at_once):
        part = ones[begin : begin + at_once]
        if time.thread_time() > deadline:
            out += [None] * len(part)
            continue
        try:
            out += _batch(pool, part)
        except (*NO_INSTANCE, NoValue):
            for one in part:
                try:
                    out += _batch(pool, [one])
                except (*NO_INSTANCE, NoValue):
                    out.append(None)
    return out


def _batch(pool: Pool, ones: Sequence[Candidate]) -> list[Measured]:
    values = {
        name: np.stack([np.asarray(one.values[name], dtype=float) for one in ones])
        for name in ones[0].values
    }
    scored = pool.scored(values, ones[0].shape, ones[0].family)
    ratios = np.broadcast_to(scored.ratio, len(ones))
    fair = np.broadcast_to(meets(-scored.shortfall, False), len(ones))
    instance = scored.world.instance
    return [
        (float(ratios[k]), bool(fair[k]), fields_of(instance, k, len(ones)))
        for k in range(len(ones))
    ]


def fields_of(instance: Instance, row: int, count: int) -> dict[str, Any]:
    """Numbers of one instance of a batch, by field."""
    found: dict[str, Any] = {}
    for name, value in {**instance.data, **instance.params}.items():
        if isinstance(value, np.ndarray):
            own = value[row] if len(value) == count else value[0]
            if all(isinstance(one, Real | Ball) for one in np.ravel(own)):
                found[name] = np.asarray(xp.to_float(own), dtype=float)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found[name] = value
    return found


def _walk(
    path: NumberPath, factors: Sequence[float], made: Sequence[Candidate], part: Sequence[Measured]
) -> MeasuredPath | None:
    good = 0
    for one in part:
        if one is None or not one[1] or not isfinite(one[0]) or not 0 < one[0] <= tuning.LARGEST:
            break
        good += 1
    if good < 1:
        return None
    kept = [one for one in part[:good] if one is not None]
    tops = [replace(top, ratio=one[0]) for top, one in zip(made, kept, strict=False)]
    return MeasuredPath(
        path,
        tuple(factors[:good]),
        tuple(one[0] for one in kept),
        tuple(one[2] for one in kept),
        tuple(tops[:good]),
    )


def _by_sizes(climb: Climb, found: Sequence[NumberPath], deadline: float) -> list[MeasuredPath]:
    """Walks along one size, all of them at each place, as far as work and memory go."""
    start, name = found[0].start, found[0].moves[0].name
    family = start.family or climb.statement.family
    pool = Pool(climb.statement, climb.pool.noise)
    work, memory = Work(), Memory(climb, name, start)
    made: list[list[Candidate]] = [[] for _ in found]
    measured: list[list[Measured]] = [[] for _ in found]
    alive = list(range(len(found)))
    for factor in found[0].factors:
        ones = {k: one for k in alive if (one := found[k].at(factor, family)) is not None}
        if not ones or time.thread_time() > deadline:
            break
        first = next(iter(ones.values()))
        place = float(first.shape[name])
        weight = max(weight_of(family, start.shape, first.shape), 1.0)
        room = tuning.ALONE_BYTES / memory.expected(place)
        if weight > tuning.HEAVIEST_ALONE or room < 1:
            break
        batch = {k: np.asarray(v, dtype=float)[None] for k, v in first.values.items()}
        try:
            longest = tuning.LONGEST_ALONE
            if work.times(pool, batch, first.shape, family, longest) >= longest:
                break
            memory.scored(pool, first, place)
        except (*NO_INSTANCE, NoValue):
            break
        larger = max(weight, place / int(start.shape[name]))
        at_once = int(np.clip(min(tuning.BATCH / (4 * larger), room), 1, tuning.BATCH))
        scored = _scored(pool, list(ones.values()), at_once, deadline)
        for k, one, answer in zip(ones, ones.values(), scored, strict=True):
            made[k].append(one)
            measured[k].append(answer)
        alive = [k for k, answer in zip(ones, scored, strict=True) if answer and answer[1]]
    walks = [
        _walk(path, path.factors, own, part)
        for path, own, part in zip(found, made, measured, strict=True)
    ]
    return [walk for walk in walks if walk is not None]
