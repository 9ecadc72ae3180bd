"""Laws that are printed: one size or number moves, and everything else stays as it was.

From the witness, and from the worst instance that was found, every size and number is doubled and
halved by itself (:mod:`.paths`).  A law is read off the first values; the last two
were not used for it and must agree within two parts in a hundred, or no such law is told.  Where
nothing grows by itself, two numbers move together, one as a power of the other.  Nothing is
searched for, so that each value can be computed again from the start and the moves alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from verify.ladder.repair import tuning
from verify.ladder.repair.alone.confirm import confirmed, shape_of, slope_of, tail_of
from verify.ladder.repair.alone.paths import (
    MeasuredPath,
    NumberPath,
    cells_of,
    in_floats,
    pairs,
    paths,
    walked,
)
from verify.ladder.repair.alone.reach import Reaches
from verify.ladder.repair.alone.words import law_text
from verify.ladder.repair.fit import OTHERS, Fit, fit
from verify.ladder.repair.ladders import start_of
from verify.ladder.repair.laws import GROWING
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import NO_INSTANCE, Silenced
from verify.limits.clock import OutOfTime, at_most
from verify.limits.counter import work_of
from verify.verdict.relation import same
from verify.world.noise_plan import NoValue
from verify.world.referee import Rescored

__all__ = ["MovedLaw", "alike", "law_of", "laws_alone", "told"]


@dataclass(frozen=True)
class MovedLaw:
    """How left/right moves with one number of one instance.

    Parameters
    ----------
    along : str
        Size or field of the instance, an entry as ``name[0, 1]``; ``1/name`` where it falls.
    fit : Fit
        What the first values say.
    values : tuple of (float, float)
        Places and ratios that are printed; the last `tuning.CONFIRMED` are those that confirm,
        beside further ones that are not printed.
    shape : {"level", "rises", "falls", "peak"}
        How the values run.
    tail : str
        How they fall at the end, ``1/x^p``, or what they tend to; empty if that is not told.
    exact : int
        Of how many values after the first the formula is the one of exact arithmetic.
    walk : MeasuredPath
        Where it was measured.
    witness : bool
        Whether it starts at the witness, else at the worst instance found.
    family : int
        Which family of the claim its instance is of, 0 for the main one.
    """

    along: str
    fit: Fit
    values: tuple[tuple[float, float], ...]
    shape: str
    tail: str
    exact: int
    walk: MeasuredPath
    witness: bool
    family: int = 0

    @property
    def grows(self) -> bool:
        """Whether it has no bound as far as it was followed."""
        return self.fit.kind in GROWING

    def to_json(self) -> dict[str, Any]:
        """Entry of a ledger's list of laws."""
        path = self.walk.path
        start = path.start
        out: dict[str, Any] = {
            "along": self.along,
            "kind": self.fit.kind,
            "exponent": _listed(self.fit.exponent),
            "supremum": _listed(self.fit.supremum),
            "formula": self.fit.formula,
            "limit": self.fit.limit,
            "values": [list(point) for point in self.values],
            "exact": self.exact,
            "shape": self.shape,
            "tail": self.tail,
            "tied": list(self.walk.tied_beside(self.along)),
            "form": None if self.fit.form is None else self.fit.form.to_json(),
            "path": {
                "family": self.family,
                "quiet": start.family is not None and isinstance(start.family.build, Silenced),
                "witness": self.witness,
                "moves": [move.to_json() for move in path.moves],
                "factors": list(self.walk.factors[: len(self.values)]),
                "size": path.size,
                "last": path.last,
                "shape": dict(start.shape),
                "values": {k: np.asarray(v, dtype=float).tolist() for k, v in start.values.items()},
            },
        }
        return {**out, "text": law_text(out)}


def _listed(ends: tuple[float, float] | None) -> list[float] | None:
    return None if ends is None else list(ends)


def laws_alone(
    climb: Climb, searched: Iterable[Candidate] = (), rises: bool = True
) -> tuple[MovedLaw, ...]:
    """Laws of a broken claim, growing ones first.

    Parameters
    ----------
    climb : Climb
        With a witness.
    searched : iterable of Candidate
        Worst instances of an earlier search, from which two numbers may move together.
    rises : bool
        Whether an earlier search gives reason to think that left/right grows.
    """
    statement = climb.statement
    if statement.quantifier != "all" or statement.relation not in ("<=", ">=", "=="):
        return ()
    reaches = Reaches(climb)
    starts = _starts(climb)
    if not starts:
        return ()
    found: list[MovedLaw] = []
    for start, witness in starts:
        walks = walked(climb, list(paths(climb, start)), reaches)
        for walk in walks:
            law = law_of(walk, witness)
            if law is None and _ends_early(walk):
                closer = walked(climb, [_closer(walk.path)], reaches)
                law = law_of(closer[0], witness) if closer else None
            found += [law] if law is not None else []
        if any(law.grows for law in found):
            break
    growing = [law for law in found if law.grows]
    accepted = climb.heard.accepted
    ratios = [start.ratio for start, _ in starts]
    ratios += [accepted.ratio] if accepted is not None else []  # of the shrunk witness
    if not growing and (rises or max(ratios) >= tuning.VARIES * min(ratios)):
        more = [(top, False) for top in searched][: tuning.FROM_LADDERS]
        growing = _together(climb, [*starts, *more], reaches)
    return told(climb, [*(law for law in found if not law.grows), *growing])


def _ends_early(walk: MeasuredPath) -> bool:
    """Whether left/right grows so fast along a number that few places are left."""
    return not walk.path.size and bool(walk.ratios) and walk.ratios[-1] >= tuning.FAST


def _closer(path: NumberPath) -> NumberPath:
    """The same way in steps of half the length."""
    between = [(a * b) ** 0.5 for a, b in pairwise(path.factors)]
    mixed = zip(path.factors, between, strict=False)
    return replace(path, factors=(*(x for both in mixed for x in both), path.factors[-1]))


def told(climb: Climb, found: Sequence[MovedLaw]) -> tuple[MovedLaw, ...]:
    """Of laws those that are told: what grows, else what says of a bound is true of the leaf."""
    growing = tuple(_chosen(climb, [law for law in found if law.grows]))
    if growing:
        return growing
    worst = climb.heard.tightness()
    most = max((start.ratio for start, _ in _starts(climb)), default=0.0)
    most = max(most, float(worst["ratio"]) if worst is not None else 0.0)
    return tuple(_chosen(climb, [law for law in found if _bounds(law, most, climb)]))


def _starts(climb: Climb) -> list[tuple[Candidate, bool]]:
    """The witness, and the worst instance where that is another one."""
    struck = climb.heard.struck
    worst = start_of(climb)
    out = [] if struck is None else [(struck, True)]
    if worst is not None and (struck is None or not alike(worst, struck)):
        out.append((worst, False))
    return [(in_floats(one), witness) for one, witness in out]


def alike(one: Candidate, other: Candidate) -> bool:
    """Whether two instances have one shape and the same numbers."""
    return dict(one.shape) == dict(other.shape) and all(
        np.array_equal(one.values[name], other.values[name]) for name in one.values
    )


def _together(
    climb: Climb, starts: Sequence[tuple[Candidate, bool]], reaches: Reaches
) -> list[MovedLaw]:
    """Laws of two numbers that move together, of the first start that has one."""
    for start, witness in starts:
        cells = cells_of(Pool(climb.statement, climb.pool.noise), start)
        every = sorted(pairs(climb, start), key=lambda path: abs(path.moves[1].power) != 1)
        most = tuning.MOST_PAIRED // (cells * len(every[0].factors)) if every else 0
        walks = walked(climb, every[:most], reaches)
        laws = [law for walk in walks if (law := law_of(walk, witness)) is not None]
        growing = [law for law in laws if law.grows and law.values[-1][1] > 2 * law.values[0][1]]
        if growing:
            return sorted(growing, key=lambda law: -law.values[-1][1])[:1]
    return []


def law_of(walk: MeasuredPath, witness: bool) -> MovedLaw | None:
    """The law of a walk; None where it has too few values, no name, or none that is confirmed."""
    named = walk.named()
    if named is None or len(walk.ratios) < 1 + OTHERS + tuning.CONFIRMED:
        return None
    along, places = named
    over = places[-1] < places[0]
    xs = [1 / x if over else x for x in places]
    ys = list(walk.ratios)
    if any(b <= a for a, b in pairwise(xs)):
        return None
    name = f"1/{along}" if over else along
    whole = tuning.LADDER + tuning.CONFIRMED + tuning.BEYOND_PRINT
    printed = len(xs) - (tuning.BEYOND_PRINT if len(xs) >= whole else 0)
    first = printed - tuning.CONFIRMED
    fitted = fit(xs[:first], ys[:first], f"({name})" if over else name)
    found = fitted if confirmed(fitted, xs, ys, first) else slope_of(xs, ys)
    if found is None:
        return None
    if found.kind in GROWING and max(ys[:-1]) >= ys[-1]:
        return None  # it does not grow beyond where it begins, which rounding may have made large
    values = tuple(zip(xs[:printed], ys[:printed], strict=True))
    tail = tail_of(xs, ys)
    tail = tail if tail == tail_of(xs[:printed], ys[:printed]) else ""
    if shape_of(ys) != shape_of(ys[:printed]) or (walk.drops and shape_of(ys) != "falls"):
        return None
    return MovedLaw(name, found, values, shape_of(ys), tail, 0, walk, witness)


def _sure(climb: Climb, walk: MeasuredPath) -> bool:
    """Whether the last ratio stays when its instance is nudged, or is that of exact arithmetic.

    Floats alone can make one grow, where both sides cancel.
    """
    top = walk.tops[-1]
    if _steady(climb, top):
        return True
    found = _exactly(climb, top)
    return found is not None and found.decided and same(found.ratio, top.ratio, tuning.NEAR)


def _exactly(climb: Climb, top: Candidate) -> Rescored | None:
    """What exact arithmetic finds at an instance; None where it tells nothing, or takes long."""
    found: list[Rescored | None] = []

    def asked() -> None:
        instance = climb.heard.exact(top.values, top.shape, top.family)
        found.append(climb.heard.rescored_exactly(instance))

    try:
        with at_most(tuning.EXACT_SECONDS):
            work_of(asked, tuning.EXACT_CALLS)
    except OutOfTime:
        return None
    return found[0] if found else None


def _steady(climb: Climb, top: Candidate) -> bool:
    """Whether the ratio of an instance stays when it is nudged."""
    pool = Pool(climb.statement, climb.pool.noise)
    batch = {name: np.asarray(value, dtype=float)[None] for name, value in top.values.items()}
    try:
        scored = pool.scored(batch, top.shape, top.family)
        steady = float(pool.steady(scored, batch, top.shape, top.family)[0])
    except (*NO_INSTANCE, NoValue, OutOfTime):
        return False
    return abs(steady - top.ratio) <= tuning.CONFIRMS * top.ratio


def _exact(climb: Climb, found: Fit, walk: MeasuredPath, xs: Sequence[float]) -> int:
    """Of how many values after the first the formula is that of exact arithmetic."""
    count = 0
    for x, top in list(zip(xs, walk.tops, strict=False))[1 : 1 + OTHERS]:
        scored = _exactly(climb, top)
        sides = () if scored is None else (scored.left, scored.right)
        if not sides or not all(isinstance(s, Fraction | int) for s in sides) or not sides[1]:
            break
        ratio = Fraction(sides[0]) / Fraction(sides[1])
        upward = climb.statement.relation != ">="
        if not found.agrees(Fraction(x), ratio if upward else 1 / ratio):
            break
        count += 1
    return count


def _bounds(law: MovedLaw, most: float, climb: Climb) -> bool:
    """Whether what a law says of a bound is worth saying, and true of the whole leaf.

    Not where the leaf has a larger ratio elsewhere, nor where another number sits at an end of the
    range that was searched: beyond it there may be more.
    """
    if law.shape == "level" or law.fit.kind == "unknown":
        return False
    if max(y for _, y in law.values) > tuning.DIGITS:
        return False  # that may be the end of the digits of floats
    if max(y for _, y in law.values) < most * (1 - tuning.CONFIRMS):
        return False
    box = climb.statement.family.box
    moved = {move.name for move in law.walk.path.moves}
    for name, real in box.items():
        if name in moved or real.low == real.high:
            continue
        value = np.asarray(law.walk.path.start.values[name], dtype=float)
        low, high = real.limits
        for end, limit in ((real.low, low), (real.high, high)):
            if end != limit and np.any(np.isclose(value, end, rtol=1e-6, atol=0)):
                return False
    return True


def _chosen(climb: Climb, laws: Sequence[MovedLaw]) -> Iterator[MovedLaw]:
    """The laws that are told: each number once, those by themselves before those that tie others.

    What grows must be steady in floats, or the same in exact arithmetic.

    A size that ties numbers is left out where one of these numbers has a growing law by itself: it
    is that number which matters.
    """
    alone = {_field(law) for law in laws if not law.walk.path.size}
    order = ("exponential", "faster", "power", "logarithm", "bounded")
    ranked = sorted(
        laws,
        key=lambda law: (
            order.index(law.fit.kind),
            len(law.walk.tied_beside(law.along)),
            -_exponent(law),
            not law.fit.formula,
            not law.fit.limit,
        ),
    )
    seen: set[Any] = set()
    count = 0
    for law in ranked:
        tied = law.walk.tied_beside(law.along)
        if law.grows and law.walk.path.size and alone.intersection(tied):
            continue
        key = _field(law)
        if key in seen or count == tuning.LAWS_TOLD:
            continue
        seen.add(key)
        if law.grows and not _sure(climb, law.walk):
            continue
        count += 1
        form = law.fit.form is not None
        exact = _exact(climb, law.fit, law.walk, [x for x, _ in law.values]) if form else 0
        yield replace(law, exact=exact)


def _field(law: MovedLaw) -> str:
    """The field of the instance that a law is about."""
    bare = law.along.removeprefix("1/").strip("|").removeprefix("min ")
    return bare.partition("[")[0]


def _exponent(law: MovedLaw) -> float:
    return law.fit.exponent[1] if law.fit.exponent is not None else 0.0
