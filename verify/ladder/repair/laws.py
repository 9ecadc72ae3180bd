"""Laws of growth: by how much a claim is broken as a size or a number grows.

From the worst instance a ladder goes out: a size (clients, rounds, coordinates) or a single number
(precision, share, noise) is doubled step by step, or halved; of a parameter of several numbers the
range is doubled.  At each step the worst ratio over everything else is looked for again, beginning
with the last step's worst instance.  The values then
have a law (`verify.ladder.repair.fit`) or none that can be told.  A value is what a short search
finds, so that a law is one of the worst instances found, never a bound.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import exp, inf, isfinite, log
from typing import Any

import numpy as np

from verify.claim.parameters import RUNS, SIZES
from verify.claim.statement import Family, Shape
from verify.ladder.repair import tuning
from verify.ladder.repair.fit import OTHERS, ClosedForm, Fit, fit, level, said
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.hunt import Hunt
from verify.ladder.search.hunt import climb as ascent
from verify.ladder.search.points import lifted_points
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.seeds import KeptLadder, seed_of, unmoved
from verify.ladder.search.sizes import NO_INSTANCE, weight_of
from verify.limits.clock import OutOfTime
from verify.world.noise_plan import NoValue


@dataclass(frozen=True)
class Law:
    """How the worst ratio moves along one size or number.

    Parameters
    ----------
    along : str
        What grows; ``1/name`` where it falls.
    kind : {"bounded", "power", "logarithm", "exponential", "faster", "unknown"}
    exponent : tuple or None
        Interval of a power's exponent (of an exponential's basis).
    supremum : tuple or None
        Interval of a bounded one's supremum.
    formula : str
        Closed form, empty if none was recognised.
    limit : str
        Supremum as a recognised number, empty if it is none.
    values : tuple of (float, float)
        Places and worst ratios there.
    exact : int
        Of how many values the formula is the exact one, by exact arithmetic.
    form : ClosedForm or None
        The closed form, not in the ledger: a factor with which the claim may be true.
    of : int
        How many ladders there were to follow.
    tops : tuple of Candidate
        Worst instances, not in the ledger.
    """

    along: str
    kind: str
    exponent: tuple[float, float] | None
    supremum: tuple[float, float] | None
    formula: str
    limit: str
    values: tuple[tuple[float, float], ...]
    exact: int = 0
    form: ClosedForm | None = None
    of: int = 1
    tops: tuple[Candidate, ...] = ()

    @property
    def factors(self) -> tuple[tuple[str, ClosedForm], ...]:
        """Factors that the law suggests, in words and as forms."""
        out = [(self.formula, self.form)] if self.formula and self.form is not None else []
        if self.supremum is not None and (most := level(self.supremum[0])) is not None:
            out.append((said(most), most))
        return tuple(dict(out).items())

    @property
    def rises(self) -> bool:
        """Whether the ratio grows by a tenth or more and nothing tells how far."""
        return self.kind == "unknown" and self.values[-1][1] > 1.1 * self.values[0][1]

    @property
    def text(self) -> str:
        """The law in one line."""
        end = f"{self.values[-1][0]:g}" if self.values else ""
        upto = f" ({len(self.values)} values, up to {self.along} = {end})" if end else ""
        return f"along {self.along} left/right {self._words()}{upto}"

    def to_json(self) -> dict[str, Any]:
        """Entry of a ledger's list of laws."""
        out: dict[str, Any] = {k: v for k, v in self.__dict__.items() if k not in ("form", "tops")}
        for name in ("exponent", "supremum"):
            out[name] = None if out[name] is None else list(out[name])
        out["values"] = [list(point) for point in self.values]
        return {**out, "text": self.text}

    def _words(self) -> str:
        if self.kind == "bounded":
            return f"levels off at {self.limit or _interval(self.supremum)} as far as was seen"
        if self.kind == "unknown":
            low, high = self.values[0][1], self.values[-1][1]
            return f"goes from {low:.4g} to {high:.4g} by no law that could be told"
        if self.formula:
            sure = ", exactly" if self.exact >= OTHERS else ""
            return f"grows like {self.formula}{sure}"
        if self.kind == "power":
            return f"grows like a power, exponent {_interval(self.exponent)}"
        if self.kind == "exponential":
            return f"grows exponentially, by {_interval(self.exponent)} a step of one"
        if self.kind == "faster":
            return f"grows faster than a power, its last exponents {_interval(self.exponent)}"
        return "grows like a logarithm"


def laws_of(
    climb: Climb, evaluations: int, most: int, seconds: float, again: bool = False
) -> tuple[Law, ...]:
    """Laws along the sizes and the single numbers of a broken claim, growing ones first.

    Parameters
    ----------
    climb : Climb
        With a witness.
    evaluations : int
        For all ladders together.
    most : int
        Ladders at most, sizes first.
    seconds : float
        How long they may take.
    again : bool
        Whether, while no law grows, ladders without one are followed once more: longer, sizes from
        small ones on, at more evaluations; at last from the worst instance on any of them.
    """
    statement = climb.statement
    one = statement.quantifier == "all" and statement.relation in ("<=", ">=", "==")
    start = _start(climb) if one and evaluations and most else None
    if start is None:
        return ()
    every = _all_ladders(climb, start)
    ladders, of = every[:most], len(every)
    each = evaluations // max(len(ladders), 1)
    deadline = time.thread_time() + seconds
    found: dict[str, Law] = {}
    for number, ladder in enumerate(ladders):
        rng = np.random.default_rng([climb.seed, number, 6])
        until = _turn(deadline, len(ladders) - number)
        law = _followed(climb, ladder, start, of, each, rng, until)
        if law is not None:
            found[ladder.along] = law
    for turn, begin in enumerate(_once_more(climb, start, found) if again else ()):
        deadline = time.thread_time() + seconds
        left = [one for one in _all_ladders(climb, begin) if turn or _is_open(one, found)]
        for number, ladder in enumerate(left):
            longer = ladder.longer(begin.family or climb.statement.family)
            rng = np.random.default_rng([climb.seed, number, 7 + turn])
            until = _turn(deadline, len(left) - number)
            law = _followed(climb, longer, begin, of, tuning.AGAIN * each, rng, until)
            if law is not None and (law.kind != "unknown" or _is_open(ladder, found)):
                found[ladder.along] = law
    return _in_order(list(found.values()))


def _all_ladders(climb: Climb, start: Candidate) -> list[_Ladder]:
    """All that there is to follow from an instance."""
    return [*_ladders(climb, start), *_ranges(start.family or climb.statement.family)]


def _turn(deadline: float, left: int) -> float:
    """Until when the next of some ladders may go on: a few shares of what is left."""
    now = time.thread_time()
    return now + (deadline - now) * min(tuning.SHARES / left, 1.0)


def _is_open(ladder: _Ladder, found: Mapping[str, Law]) -> bool:
    """Whether a ladder has no law yet."""
    return ladder.along not in found or found[ladder.along].kind == "unknown"


def _once_more(climb: Climb, start: Candidate, found: Mapping[str, Law]) -> Iterator[Candidate]:
    """Where ladders without a law are followed from again, while there are any.

    The instance that they began with, and the worst one on any ladder that leaves room to grow.
    """
    if any(law.kind in GROWING for law in found.values()):
        return
    yield start
    if any(law.kind in GROWING for law in found.values()):
        return
    tops = [top for law in found.values() for top in law.tops if top.ratio <= tuning.ROOM]
    worst = max([start, *tops], key=lambda top: top.ratio)
    if worst is not start:
        yield _around(worst, start.family or climb.statement.family)


def _around(top: Candidate, base: Family) -> Candidate:
    """An instance in ranges that hold it."""
    return replace(top, family=_holding(base, [top]))


def _followed(
    climb: Climb,
    ladder: _Ladder,
    start: Candidate,
    of: int,
    evaluations: int,
    rng: np.random.Generator,
    deadline: float,
) -> Law | None:
    """The law along one ladder; None where there are too few values for any."""
    values, tops = _climbed(climb, ladder, start, evaluations, rng, deadline)
    return _named(climb, ladder.along, of, values, tops) if len(values) > OTHERS else None


def laws_again(climb: Climb, number: int, kept: Iterable[KeptLadder]) -> tuple[Law, ...]:
    """Laws of ladders that an earlier search has left, their instances scored again.

    Parameters
    ----------
    climb : Climb
        With a witness.
    number : int
        Of its family.
    kept : iterable of KeptLadder
        One with an instance that has another ratio now, or none, has no law.
    """
    found = []
    ladders = [ladder for ladder in kept if ladder.family == number]
    seeds = [seed for ladder in ladders for _, seed in ladder.steps]
    every = iter(unmoved(climb.pool, seeds, {ladder.along for ladder in ladders}))
    for ladder in ladders:
        tops = [top for top in islice(every, len(ladder.steps)) if top is not None]
        if len(tops) == len(ladder.steps) > OTHERS:
            # the ratios that were kept: in another batch the last digits differ
            values = [(x, seed.ratio or 0.0) for x, seed in ladder.steps]
            of = ladder.of + _arrays(climb.statement.family)
            found.append(_named(climb, ladder.along, of, values, tops))
    return _in_order(found)


def ladders_of(climb: Climb, number: int, laws: Iterable[Law]) -> tuple[KeptLadder, ...]:
    """What is worth keeping of laws: the worst instance at each step, where all can be kept."""
    found = []
    for law in laws:
        seeds = [seed_of(climb.pool, top, {law.along}) for top in law.tops]
        steps = tuple((x, seed) for (x, _), seed in zip(law.values, seeds, strict=True) if seed)
        if len(steps) == len(law.values):
            followed = law.of - _arrays(climb.statement.family)
            found.append(KeptLadder(number, law.along, followed, steps))
    return tuple(found)


def _arrays(family: Family) -> int:
    """Ladders along the ranges of parameters of several numbers, which a count kept leaves out."""
    return len(list(_ranges(family)))


def _in_order(found: list[Law]) -> tuple[Law, ...]:
    """Laws that say something, growing ones first."""
    order = ("exponential", "faster", "power", "logarithm", "bounded", "unknown")
    if any(law.kind in order[:4] for law in found):
        # what the ratio is bounded by elsewhere depends on how far those are let go
        found = [law for law in found if law.kind in order[:4] or law.rises]
    found = [law for law in found if law.kind != "unknown" or law.rises]
    return tuple(sorted(found, key=lambda law: (order.index(law.kind), not law.limit)))


GROWING = ("exponential", "faster", "power")
"""Kinds of laws that say that a claim falls without a bound."""

END = 1e-6
"""Part of a range up to which a number is at its end."""


@dataclass(frozen=True)
class _Ladder:
    """What is doubled: an entry of the shape, a single number (or halved), or a whole range."""

    name: str
    places: tuple[float, ...]
    size: bool = False
    range: bool = False

    @property
    def along(self) -> str:
        name = f"range of {self.name}" if self.range else self.name
        return name if self.rises else f"1/{name}"

    @property
    def rises(self) -> bool:
        return self.places[0] < self.places[-1]

    def longer(self, family: Family) -> _Ladder:
        """More steps: further ones; of a size closer ones, from the smallest listed one on."""
        first, second = self.places[:2]
        if self.size:
            least = min(shape[self.name] for shape in family.shapes if self.name in shape)
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


def _start(climb: Climb) -> Candidate | None:
    """The worst instance among the listed shapes whose ratio is a number."""
    tops = [t for t in climb.pool.tops if isfinite(t.ratio) and t.ratio > 1]
    listed = [t for t in tops if t.shape in climb.statement.family.shapes]
    worst = next(iter(listed or tops), None)
    return worst and _around(worst, worst.family or climb.statement.family)


def _ladders(climb: Climb, start: Candidate) -> Iterator[_Ladder]:
    family = start.family or climb.statement.family
    listed = {name for shape in family.shapes for name in shape}
    for name in sorted(listed, key=lambda n: (n not in family.growing, n)):
        first = start.shape.get(name, 0)
        if isinstance(first, bool) or not isinstance(first, int) or first < 1:
            continue
        listed_once = len({shape.get(name) for shape in family.shapes}) == 1
        if not listed_once or name in family.growing:
            step = 2**0.5 if name in SIZES and name not in RUNS else 2.0  # dear ones closer
            sizes = {float(round(first * step**k)) for k in range(tuning.LADDER)}
            yield _Ladder(name, tuple(sorted(sizes)), True)
    for name, parameter in family.box.items():
        if np.ndim(start.values[name]) or parameter.low == parameter.high:
            continue
        value = float(np.exp2(np.round(np.log2(abs(float(start.values[name])) or 1.0))))
        for step in (2.0, 0.5):
            places = [value * step**k for k in range(tuning.LADDER)]
            inside = [place for place in places if parameter.inside(place)]
            if len(inside) > OTHERS:
                yield _Ladder(name, tuple(inside))


def _ranges(family: Family) -> Iterator[_Ladder]:
    """Ladders along the ranges of parameters of several numbers, where the domain leaves room.

    Numbers that fill their domain have been seen wherever they may be.
    """
    places = tuple(2.0**k for k in range(tuning.LADDER))
    for name, real in family.box.items():
        wide = real.wide(2)
        if real.per and (wide.low, wide.high) != (real.low, real.high):
            yield _Ladder(name, places, range=True)


def _climbed(
    climb: Climb,
    ladder: _Ladder,
    start: Candidate,
    evaluations: int,
    rng: np.random.Generator,
    deadline: float,
) -> tuple[list[tuple[float, float]], list[Candidate]]:
    """Worst ratio and worst instance at each step, as far as the evaluations and memory go."""
    values: list[tuple[float, float]] = []
    tops: list[Candidate] = []
    before, share = [start], evaluations // len(ladder.places)
    memory = _Memory(climb, ladder, start)
    narrow = start.family or climb.statement.family
    for place in ladder.places:
        shape, family = ladder.at(place, start.shape, start.family or climb.statement.family)
        pool = Pool(climb.statement, climb.pool.noise, deadline=deadline)
        weight = max(weight_of(family, start.shape, shape), 1.0)
        room = tuning.MOST_BYTES / memory.expected(place)
        if weight > tuning.HEAVIEST or room < 1:
            break
        count = max(round(share / weight), tuning.FEWEST_AT_A_STEP)
        also = []
        if ladder.range:
            also = list(ladder.carried(before[0], (narrow, family)))
        elif ladder.size and values:
            also = list(_beside(before[0], family, place / values[-1][0]))
            family = _holding(family, also)
        hunt = Hunt(pool, shape, rng, family=family)
        hunt.chunk = int(np.clip(min(hunt.chunk / weight, room), 1, hunt.chunk))
        try:
            known = lifted_points([*before, *also], family, shape)
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


def _beside(top: Candidate, family: Family, factor: float) -> Iterator[Candidate]:
    """The worst instance of one size with one parameter moved as the size is, up or down.

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


class _Memory:
    """How much memory one instance takes at each size, and would at the next.

    A tree of outcomes has so many more branches at the next size that it may not fit at all.
    """

    def __init__(self, climb: Climb, ladder: _Ladder, start: Candidate) -> None:
        self.peaks: dict[float, float] = {}
        self.size = ladder.size
        half = ladder.places[0] // 2
        if not self.size or half < 1:
            return
        shape, family = ladder.at(half, start.shape, start.family or climb.statement.family)
        pool = Pool(climb.statement, climb.pool.noise)
        try:
            values = family.decode(lifted_points([start], family, shape)[:1], shape)
            smaller = {name: value[0] for name, value in values.items()}
            self.scored(pool, replace(start, values=smaller, shape=shape), half)
            self.scored(pool, start, ladder.places[0])
        except (*NO_INSTANCE, NoValue):
            self.peaks.clear()  # no smaller instance to compare with

    def expected(self, place: float) -> float:
        """Bytes of one instance at the next size, by an exponential through the last two."""
        if not self.size or not self.peaks:
            return 1.0
        (last, peak), *before = reversed(self.peaks.items())
        if not before:
            return peak
        was, less = before[0]
        powers = (place - last) / (last - was)
        return peak * exp(min(log(peak / less) * powers, tuning.MOST_LOG))

    def scored(self, pool: Pool, one: Candidate, place: float) -> float:
        """Ratio of an instance by itself; what it takes is noted."""
        alone = {name: np.asarray(value)[None] for name, value in one.values.items()}
        tracemalloc.start()
        try:
            ratio = float(pool.scored(alone, one.shape, one.family).ratio[0])
            self.peaks[place] = float(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        return ratio


def _named(
    climb: Climb,
    along: str,
    of: int,
    values: Sequence[tuple[float, float]],
    tops: Sequence[Candidate],
) -> Law:
    name = f"({along})" if along.startswith("1/") else along
    found = fit([x for x, _ in values], [y for _, y in values], name)
    if found.kind == "bounded" and along in tops[0].shape and _is_lost([y for _, y in values]):
        found = Fit("unknown")
    exact = 0
    if found.form is not None:
        pairs = zip(values[-tuning.EXACT_VALUES :], tops[-tuning.EXACT_VALUES :], strict=True)
        for value, top in pairs:
            if not _exactly(climb, found, value[0], top):
                break  # the next ones are larger, and take longer
            exact += 1
    return Law(
        along,
        found.kind,
        found.exponent,
        found.supremum,
        found.formula,
        found.limit,
        tuple(values),
        exact,
        found.form,
        of,
        tuple(tops),
    )


def _is_lost(ratios: Sequence[float]) -> bool:
    """Whether a ratio that was seen at one size was not found again at the last one.

    Larger instances are harder to search: that says nothing of a bound.
    """
    return ratios[-1] < max(ratios) / tuning.LOST


def _exactly(climb: Climb, found: Fit, place: float, top: Candidate) -> bool:
    """Whether the formula is the ratio of an instance in exact arithmetic."""
    scored = climb.heard.rescored_exactly(climb.heard.exact(top.values, top.shape, top.family))
    if scored is None:
        return False
    sides = (scored.left, scored.right)
    if not all(isinstance(side, Fraction | int) for side in sides) or scored.right == 0:
        return False  # a ball: close, but not exact
    ratio = Fraction(scored.left) / Fraction(scored.right)
    return found.agrees(Fraction(place), ratio if climb.statement.relation != ">=" else 1 / ratio)


def _interval(ends: tuple[float, float] | None) -> str:
    if ends is None:
        return "an unknown number"
    low, high = ends
    return f"{low:.4g}" if high - low <= 1e-9 * abs(high) else f"between {low:.4g} and {high:.4g}"
