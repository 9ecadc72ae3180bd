"""Laws of growth: by how much a claim is broken as a size or a number grows.

From the worst instance ladders go out (`verify.ladder.repair.ladders`); at each of their steps the
worst ratio is looked for again.  The values then have a law (`verify.ladder.repair.fit`) or none
that can be told.  A value is what a short search finds, so that a law is one of the worst instances
found, never a bound.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from verify.claim.statement import Family
from verify.ladder.repair import tuning
from verify.ladder.repair.fit import OTHERS, ClosedForm, Fit, fit, level, said
from verify.ladder.repair.ladders import (
    Ladder,
    all_ladders,
    around,
    climbed,
    ranges,
    sizes_of,
    start_of,
)
from verify.ladder.repair.rays import rays
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate
from verify.ladder.search.seeds import KeptLadder, seed_of, unmoved

GROWING = ("exponential", "faster", "power")
"""Kinds of laws that say that a claim falls without a bound."""


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
        small ones on, at more evaluations; then from the worst instance on any of them; at last
        along rays on which one number alone moves.
    """
    statement = climb.statement
    one = statement.quantifier == "all" and statement.relation in ("<=", ">=", "==")
    start = start_of(climb) if one and evaluations and most else None
    if start is None:
        return ()
    every = all_ladders(climb, start)
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
        left = [one for one in all_ladders(climb, begin) if turn or _is_open(one, found)]
        for number, ladder in enumerate(left):
            longer = ladder.longer(begin.family or climb.statement.family)
            rng = np.random.default_rng([climb.seed, number, 7 + turn])
            until = _turn(deadline, len(left) - number)
            law = _followed(climb, longer, begin, of, tuning.AGAIN * each, rng, until)
            if law is not None and (law.kind != "unknown" or _is_open(ladder, found)):
                found[ladder.along] = law
    if again and not any(law.kind in GROWING for law in found.values()):
        found |= _along_a_ray(climb, start, of, list(found.values()))
    return _in_order(list(found.values()))


def _along_a_ray(climb: Climb, start: Candidate, of: int, laws: Sequence[Law]) -> dict[str, Law]:
    """The law along a ray on which left/right grows, if there is one.

    From the witness, which is plain, or else from the worst instances, the one that comes farthest.
    """
    tops = sorted((top for law in laws for top in law.tops), key=lambda top: -top.ratio)
    room = [top for top in tops if top.ratio <= tuning.ROOM][: tuning.RAYS_FROM]
    for begin in ([climb.heard.struck] if climb.heard.struck else [], [*room, start]):
        named = (
            _named(climb, along, of, values, ones) for along, values, ones in rays(climb, begin)
        )
        growing = [law for law in named if law.kind in GROWING]
        if growing:
            law = max(growing, key=lambda law: law.values[-1][1])
            return {law.along: law}
    return {}


def _turn(deadline: float, left: int) -> float:
    """Until when the next of some ladders may go on: a few shares of what is left."""
    now = time.thread_time()
    return now + (deadline - now) * min(tuning.SHARES / left, 1.0)


def _is_open(ladder: Ladder, found: Mapping[str, Law]) -> bool:
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
        yield around(worst, start.family or climb.statement.family)


def _followed(
    climb: Climb,
    ladder: Ladder,
    start: Candidate,
    of: int,
    evaluations: int,
    rng: np.random.Generator,
    deadline: float,
) -> Law | None:
    """The law along one ladder; None where there are too few values for any."""
    values, tops = climbed(climb, ladder, start, evaluations, rng, deadline)
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
    every = iter(unmoved(climb.pool, seeds, sizes_of(climb.statement.family)))
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
        seeds = [seed_of(climb.pool, top, sizes_of(climb.statement.family)) for top in law.tops]
        steps = tuple((x, seed) for (x, _), seed in zip(law.values, seeds, strict=True) if seed)
        if len(steps) == len(law.values):
            followed = law.of - _arrays(climb.statement.family)
            found.append(KeptLadder(number, law.along, followed, steps))
    return tuple(found)


def _arrays(family: Family) -> int:
    """Ladders along the ranges of parameters of several numbers, which a count kept leaves out."""
    return len(list(ranges(family)))


def _in_order(found: list[Law]) -> tuple[Law, ...]:
    """Laws that say something, growing ones first."""
    order = ("exponential", "faster", "power", "logarithm", "bounded", "unknown")
    if any(law.kind in order[:4] for law in found):
        # what the ratio is bounded by elsewhere depends on how far those are let go
        found = [law for law in found if law.kind in order[:4] or law.rises]
    found = [law for law in found if law.kind != "unknown" or law.rises]
    return tuple(sorted(found, key=lambda law: (order.index(law.kind), not law.limit)))


def _named(
    climb: Climb,
    along: str,
    of: int,
    values: Sequence[tuple[float, float]],
    tops: Sequence[Candidate],
) -> Law:
    name = f"({along})" if along.startswith("1/") else along
    found = fit([x for x, _ in values], [y for _, y in values], name)
    ratios = [y for _, y in values]
    lost = along in tops[0].shape and _is_lost(ratios)
    if found.kind == "bounded" and (lost or max(ratios) > tuning.DIGITS):
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
    if high - low <= 1e-9 * abs(high):
        return f"{low:.4g}"
    first, last = f"{low:.4g}", f"{high:.4g}"
    return f"about {first}" if first == last else f"between {first} and {last}"
