"""What a law of growth is followed along: sizes, single numbers, ranges; and the way out.

From the worst instance a ladder goes out: a size (clients, rounds, coordinates) or a single number
(precision, share, noise) is doubled step by step, or halved; of a parameter of several numbers the
range is doubled.  At each step the worst ratio over everything else is looked for again, beginning
with the last step's worst instance: as it is, at the same places of the wider range, and with one
parameter moved as the size is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log

import numpy as np

from verify.claim.parameters import RUNS, SIZES
from verify.claim.statement import Family, Shape
from verify.ladder.repair import tuning
from verify.ladder.repair.effort import Memory, Work
from verify.ladder.repair.fit import OTHERS
from verify.ladder.repair.monomials import labels_of
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.hunt import Hunt
from verify.ladder.search.hunt import climb as ascent
from verify.ladder.search.points import lifted_points
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import NO_INSTANCE, weight_of
from verify.limits.clock import OutOfTime
from verify.world.noise_plan import NoValue

__all__ = ["Ladder", "all_ladders", "around", "climbed", "ranges", "sizes_of", "start_of"]

END = 1e-6
"""Part of a range up to which a number is at its end."""


@dataclass(frozen=True)
class Ladder:
    """What is doubled: an entry of the shape, a single number (or halved), or a whole range."""

    name: str
    places: tuple[float, ...]
    size: bool = False
    range: bool = False

    @property
    def along(self) -> str:
        """What grows, as a law says it."""
        name = f"range of {self.name}" if self.range else self.name
        return name if self.rises else f"1/{name}"

    @property
    def rises(self) -> bool:
        """Whether the places grow; a number that falls grows as its inverse."""
        return self.places[0] < self.places[-1]

    def longer(self, family: Family) -> Ladder:
        """More steps: further ones; of a size closer ones, from the smallest listed one on."""
        first, second = self.places[:2]
        if self.size:
            least = max(1, min(s[self.name] for s in family.shapes if self.name in s))
            top = log(self.places[-1] / least, 2)
            sizes = {float(round(least * 2 ** (k / 2))) for k in range(round(2 * top) + 1)}
            return replace(self, places=tuple(sorted({*sizes, first})))
        more = [self.places[-1] * (second / first) ** k for k in range(1, 1 + tuning.LADDER)]
        inside = [p for p in more if self.range or family.box[self.name].inside(p)]
        return replace(self, places=(*self.places, *inside))

    def carried(self, top: Candidate, families: tuple[Family, Family]) -> Iterator[Candidate]:
        """The worst instance of one range at the same places of the next, wider one.

        All entries of the parameter, or those alone that were at an end.
        """
        old, new = (family.box[self.name] for family in families)
        value = np.asarray(top.values[self.name], dtype=float)
        scale = np.log if old.log and new.log else np.asarray
        low, high, lower, higher = (
            scale(np.asarray(x)) for x in (old.low, old.high, new.low, new.high)
        )
        part = (scale(np.clip(value, old.low, old.high)) - low) / (high - low)
        moved = lower + part * (higher - lower)
        moved = np.exp(moved) if scale is np.log else moved
        ends = np.where(part <= END, new.low, np.where(part >= 1 - END, new.high, value))
        for there in (moved, ends):
            yield replace(top, values={**top.values, self.name: there})

    def at(self, place: float, shape: Shape, family: Family) -> tuple[Shape, Family]:
        """Shape and family of one step."""
        if self.size:
            return {**shape, self.name: int(place)}, family
        real = family.box[self.name]
        there = real.wide(place) if self.range else replace(real, low=place, high=place)
        return shape, replace(family, box={**family.box, self.name: there})


def start_of(climb: Climb) -> Candidate | None:
    """The worst instance among the listed shapes whose ratio is a number."""
    tops = [t for t in climb.pool.tops if isfinite(t.ratio) and t.ratio > 1]
    listed = [t for t in tops if t.shape in climb.statement.family.shapes]
    worst = next(iter(listed or tops), None)
    return worst and around(worst, worst.family or climb.statement.family)


def all_ladders(climb: Climb, start: Candidate) -> list[Ladder]:
    """All that there is to follow from an instance."""
    return [*_ladders(climb, start), *ranges(start.family or climb.statement.family)]


def sizes_of(family: Family) -> list[str]:
    """Sizes that are followed: whole numbers listed with several values, and those that grow.

    No label: beyond the listed ones there is no further example.
    """
    listed = sorted({name for shape in family.shapes for name in shape} - labels_of(family))
    found = []
    for name in sorted(listed, key=lambda n: n not in family.growing):
        values = {shape.get(name) for shape in family.shapes}
        whole = all(type(value) in (int, type(None)) for value in values)
        if whole and (len(values) > 1 or name in family.growing):
            found.append(name)
    return found


def _ladders(climb: Climb, start: Candidate) -> Iterator[Ladder]:
    family = start.family or climb.statement.family
    for name in sizes_of(family):
        first = start.shape.get(name) or 0
        if first >= 1:
            step = 2**0.5 if name in SIZES and name not in RUNS else 2.0  # dear ones closer
            sizes = {float(round(first * step**k)) for k in range(tuning.LADDER)}
            yield Ladder(name, tuple(sorted(sizes)), True)
    for name, parameter in family.box.items():
        if np.ndim(start.values[name]) or parameter.low == parameter.high:
            continue
        value = float(np.exp2(np.round(np.log2(abs(float(start.values[name])) or 1.0))))
        for step in (2.0, 0.5):
            places = [value * step**k for k in range(tuning.LADDER)]
            inside = [place for place in places if parameter.inside(place)]
            if len(inside) > OTHERS:
                yield Ladder(name, tuple(inside))


def ranges(family: Family) -> Iterator[Ladder]:
    """Ladders along the ranges of parameters of several numbers, where the domain leaves room.

    Numbers that fill their domain have been seen wherever they may be.
    """
    places = tuple(2.0**k for k in range(tuning.LADDER))
    for name, real in family.box.items():
        wide = real.wide(2)
        if real.per and (wide.low, wide.high) != (real.low, real.high):
            yield Ladder(name, places, range=True)


def climbed(
    climb: Climb,
    ladder: Ladder,
    start: Candidate,
    evaluations: int,
    rng: np.random.Generator,
    deadline: float,
) -> tuple[list[tuple[float, float]], list[Candidate]]:
    """Worst ratio and worst instance at each step, as far as evaluations, work and memory go."""
    values: list[tuple[float, float]] = []
    tops: list[Candidate] = []
    before, share = [start], evaluations // len(ladder.places)
    memory, work = Memory(climb, ladder.name if ladder.size else None, start), Work()
    narrow = start.family or climb.statement.family
    for place in ladder.places:
        shape, family = ladder.at(place, start.shape, start.family or climb.statement.family)
        pool = Pool(climb.statement, climb.pool.noise, deadline=deadline)
        weight = max(weight_of(family, start.shape, shape), 1.0)
        room = tuning.MOST_BYTES / memory.expected(place)
        if weight > tuning.HEAVIEST or room < 1:
            break
        also = list(ladder.carried(before[0], (narrow, family))) if ladder.range else []
        if values and (ladder.size or ladder.range):
            factor = place / values[-1][0]
            also += [one for top in also or before[:1] for one in _beside(top, family, factor)]
            family = _holding(family, also)
        hunt = Hunt(pool, shape, rng, family=family)
        hunt.chunk = int(np.clip(min(hunt.chunk / weight, room), 1, hunt.chunk))
        try:
            known = lifted_points([*before, *also], family, shape)
            longer = work.times(pool, hunt.decode(known[:1]), shape, family)
            if longer >= tuning.LONGEST:
                break
            count = max(round(share / max(weight, longer)), tuning.FEWEST_AT_A_STEP)
            for _ in hunt.begin(known):
                pass
            for _ in hunt.analytic(max(count // 4, 16), keep=False):
                pass
            for _ in ascent(hunt, count):
                pass
        except (*NO_INSTANCE, NoValue, OutOfTime):
            break
        best = next((t for t in pool.tops if t.ratio > -inf), None)
        if best is None or not isfinite(best.ratio):
            break
        # it ranks by what a nudge leaves of it; a law is one of the values themselves
        ratio = memory.scored(pool, best, place)
        values.append((place if ladder.rises else 1 / place, ratio))
        tops.append(best)
        if ratio > tuning.LARGEST:
            break
        before, narrow = [best, start], family
    return values, tops


def around(top: Candidate, base: Family) -> Candidate:
    """An instance in ranges that hold it."""
    return replace(top, family=_holding(base, [top]))


def _beside(top: Candidate, family: Family, factor: float) -> Iterator[Candidate]:
    """An instance of the last size or range with one parameter moved as that is, up or down.

    Steps that must be short in a long run, shares of many clients: rays of two.
    """
    for name, real in family.box.items():
        value = np.asarray(top.values[name], dtype=float)
        for moved in (value * factor, value / factor):
            if real.low < real.high and all(real.inside(x) for x in moved.flat):
                yield replace(top, values={**top.values, name: moved})


def _holding(family: Family, tops: Sequence[Candidate]) -> Family:
    """The family with ranges in which these instances lie."""
    box = dict(family.box)
    for top in tops:
        box = {name: real.around(top.values[name]) for name, real in box.items()}
    return replace(family, box=box)
