"""What an earlier search has left: instances to begin with, and what proofs came to.

Seeds are instances and certificates, never verdicts: a climb that has some scores every instance
again, and hands every certificate to the checker again.  With each instance stands the ratio that
it had; where it has another one now, the claim is no longer what it was, and a climb that begins
with such seeds says so (`Pool.moved`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from verify.claim.parameters import Family, Shape
from verify.ladder.search import tuning
from verify.ladder.search.goal import hits
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import Silenced
from verify.verdict.evidence import Evidence
from verify.verdict.relation import same
from verify.world.noise_plan import NotAvailable
from verify.world.score import Score

__all__ = [
    "Kept",
    "KeptLadder",
    "KeptPath",
    "KeptRepair",
    "Malformed",
    "Seed",
    "Seeds",
    "chosen",
    "seed_of",
    "sown",
    "unmoved",
]

FRACTION = re.compile(r"-?\d{1,4000}/0*[1-9]\d{0,4000}", re.ASCII)
"""A fraction as it is written."""


STRIKING = ("search", "exact", "worst case")
"""Rungs that find a witness among instances."""


@dataclass(frozen=True)
class Seed:
    """One instance that is worth trying again.

    Parameters
    ----------
    listed : int
        Which of the family's shapes it has.
    sizes : mapping of str to int
        Sizes in which its shape differs from that one.
    values : mapping
        Parameter values, floats or fractions.
    ratio : float or None
        left/right that it had; None where it missed a hypothesis.
    silent : bool
        Whether the noise was left out.
    """

    listed: int
    sizes: Mapping[str, int]
    values: Mapping[str, Any]
    ratio: float | None
    silent: bool = False

    def to_json(self) -> list[Any]:
        """A short list: listed shape, sizes, values, ratio, and 1 where it is silent."""
        values = {name: _written(np.asarray(value).tolist()) for name, value in self.values.items()}
        return [self.listed, dict(self.sizes), values, self.ratio, *([1] if self.silent else [])]

    @classmethod
    def from_json(cls, raw: Any) -> Seed:
        """Inverse of :meth:`to_json`."""
        _need(isinstance(raw, list) and len(raw) in (4, 5))
        listed, sizes, values, ratio = raw[:4]
        _need(type(listed) is int and isinstance(sizes, dict) and isinstance(values, dict))
        _need(all(type(size) is int for size in sizes.values()))
        _need(ratio is None or (isinstance(ratio, int | float) and _finite(ratio)))
        return cls(listed, sizes, {k: _read(v) for k, v in values.items()}, ratio, len(raw) == 5)


@dataclass(frozen=True)
class Seeds:
    """What is kept of the climb of one statement on one family.

    Parameters
    ----------
    evaluations : int
        Of the search that they come from.
    points : tuple of Seed
        The witness first, if there is one.
    certificate : tuple of Evidence
        Evidence of the certificate rung: proofs are checked again, and a search for one that found
        none need not be repeated.
    struck : str
        Rung that has found the first point to be a witness; empty if there was none.
    survivors : tuple of str
        Mutants that no instance of that search has killed: they are not tried again, and are
        told as survivors.
    """

    evaluations: int
    points: tuple[Seed, ...] = ()
    certificate: tuple[Evidence, ...] = ()
    struck: str = ""
    survivors: tuple[str, ...] = ()

    def unproved(self) -> Seeds:
        """The same instances for another claim, of which no proof is looked for."""
        return replace(self, certificate=(), struck="", survivors=())

    def to_json(self) -> dict[str, Any]:
        """As a corpus has it."""
        return {
            "evaluations": self.evaluations,
            "points": [point.to_json() for point in self.points],
            "certificate": [item.to_json() for item in self.certificate],
            **({"struck": self.struck} if self.struck else {}),
            **({"survivors": list(self.survivors)} if self.survivors else {}),
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Seeds:
        """Inverse of :meth:`to_json`."""
        _need(isinstance(raw, dict))
        _need({*raw} - {"struck", "survivors"} == {"evaluations", "points", "certificate"})
        struck, survivors = raw.get("struck", ""), raw.get("survivors", [])
        _need(isinstance(survivors, list) and all(isinstance(name, str) for name in survivors))
        _need(type(raw["evaluations"]) is int and struck in ("", *STRIKING))
        _need(isinstance(raw["points"], list) and isinstance(raw["certificate"], list))
        _need(all(isinstance(item, dict) for item in raw["certificate"]))
        points = tuple(Seed.from_json(point) for point in raw["points"])
        certificate = tuple(map(Evidence.from_json, raw["certificate"]))
        return cls(raw["evaluations"], points, certificate, struck, tuple(survivors))


@dataclass(frozen=True)
class KeptLadder:
    """What is kept of one law of growth: the worst instance at each step of a ladder.

    Parameters
    ----------
    family : int
        Which family the claim falls on: 0 for the main one.
    along : str
        Size or number, ``1/name`` where it falls.
    of : int
        How many ladders there were to follow.
    steps : tuple of (float, Seed)
        Places, in their order, and instances.
    """

    family: int
    along: str
    of: int
    steps: tuple[tuple[float, Seed], ...]

    def to_json(self) -> list[Any]:
        """Family, what it goes along, how many there were, and its steps."""
        steps = [[place, seed.to_json()] for place, seed in self.steps]
        return [self.family, self.along, self.of, steps]

    @classmethod
    def from_json(cls, raw: Any) -> KeptLadder:
        """Inverse of :meth:`to_json`."""
        _need(isinstance(raw, list) and len(raw) == 4)
        family, along, of, steps = raw
        _need(type(family) is int and isinstance(along, str) and type(of) is int)
        _need(isinstance(steps, list) and all(isinstance(s, list) and len(s) == 2 for s in steps))
        _need(all(isinstance(x, int | float) and _finite(x) for x, _ in steps))
        return cls(family, along, of, tuple((float(x), Seed.from_json(s)) for x, s in steps))


@dataclass(frozen=True)
class KeptPath:
    """What is kept of one law of a number that moves by itself: where to measure it again.

    Parameters
    ----------
    family : int
        Which family the claim falls on: 0 for the main one.
    witness : bool
        Whether it starts at the witness.
    start : Seed
    moves : tuple of (str, tuple of int or None, float)
        Name, entry and power of each number that moves.
    factors : tuple of float
        What the first one is multiplied by.
    size : bool
        Whether the first one is a size.
    last : bool
        Whether longer arrays repeat their last entry.
    """

    family: int
    witness: bool
    start: Seed
    moves: tuple[tuple[str, tuple[int, ...] | None, float], ...]
    factors: tuple[float, ...]
    size: bool
    last: bool

    def to_json(self) -> list[Any]:
        """All of it, in this order."""
        moves = [[name, None if at is None else list(at), power] for name, at, power in self.moves]
        start, factors = self.start.to_json(), list(self.factors)
        return [self.family, self.witness, start, moves, factors, self.size, self.last]

    @classmethod
    def from_json(cls, raw: Any) -> KeptPath:
        """Inverse of :meth:`to_json`."""
        _need(isinstance(raw, list) and len(raw) == 7)
        family, witness, start, moves, factors, size, last = raw
        _need(type(family) is int and all(type(flag) is bool for flag in (witness, size, last)))
        _need(isinstance(moves, list) and bool(moves) and isinstance(factors, list))
        _need(all(isinstance(x, int | float) and _finite(x) and x > 0 for x in factors))
        read = tuple(map(_move, moves))
        return cls(family, witness, Seed.from_json(start), read, tuple(factors), size, last)


@dataclass(frozen=True)
class KeptRepair:
    """What is kept of a mended claim that stood.

    Parameters
    ----------
    changes : tuple
        Recipe of each change (:func:`verify.ladder.repair.recipes.mend_of`).
    kept : Kept
        What the climb of the mended claim has left.
    """

    changes: tuple[Any, ...]
    kept: Kept

    def to_json(self) -> list[Any]:
        """Changes and what is kept."""
        return [list(self.changes), self.kept.to_json()]

    @classmethod
    def from_json(cls, raw: Any) -> KeptRepair:
        """Inverse of :meth:`to_json`."""
        _need(isinstance(raw, list) and len(raw) == 2 and isinstance(raw[0], list) and bool(raw[0]))
        return cls(tuple(raw[0]), Kept.from_json(raw[1]))


@dataclass(frozen=True)
class Kept:
    """What is kept of one leaf.

    Parameters
    ----------
    families : tuple of Seeds
        Of the main family and of each further one.
    step : Kept or None
        Of the deduction that goes with a proof step.
    ladders : tuple of KeptLadder
        Of a claim that falls: instances along which it is broken ever more, or no more.
    open : str
        Where a search that came to its end has left the claim open: the rung. A search that is left
        open there again need not be repeated from nothing; one that ends otherwise says so.
    repairs : tuple of KeptRepair
        Of a claim that falls: what stands instead.
    paths : tuple of KeptPath or None
        Of a claim that falls: where its laws of one number were measured, empty if it has none;
        None where they were not looked for.
    changed : bool
        Whether the statement says something else now: the whole search begins with what was kept.
    shipped : bool
        Whether it came with the package, as no file can say of itself: of anything else only a
        witness and a proof are worth more than the time that they save.
    """

    families: tuple[Seeds, ...]
    step: Kept | None = None
    ladders: tuple[KeptLadder, ...] = ()
    open: str = ""
    repairs: tuple[KeptRepair, ...] = ()
    paths: tuple[KeptPath, ...] | None = None
    changed: bool = False
    shipped: bool = False

    @property
    def struck(self) -> bool:
        """Whether it names a witness."""
        return any(seeds.struck for seeds in self.families)

    @property
    def proved(self) -> bool:
        """Whether it has a proof of the claim for the checker."""
        return any(e.proof and e.status == "decided" for e in self.families[0].certificate)

    @property
    def unproved(self) -> bool:
        """Whether it says that no proof of the claim was found."""
        return not any(e.proof or e.link for e in self.families[0].certificate)

    def of_the_package(self) -> Kept:
        """The same, all of it, as what came with the package."""
        step = None if self.step is None else self.step.of_the_package()
        repairs = tuple(replace(r, kept=r.kept.of_the_package()) for r in self.repairs)
        return replace(self, step=step, repairs=repairs, shipped=True)

    def to_json(self) -> dict[str, Any]:
        """As a corpus has it."""
        step = {} if self.step is None else {"step": self.step.to_json()}
        ladders = {"ladders": [one.to_json() for one in self.ladders]} if self.ladders else {}
        left = {"open": self.open} if self.open else {}
        mends = {"repairs": [one.to_json() for one in self.repairs]} if self.repairs else {}
        laws = {} if self.paths is None else {"paths": [one.to_json() for one in self.paths]}
        families = [seeds.to_json() for seeds in self.families]
        return {"families": families, **step, **ladders, **left, **mends, **laws}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Kept:
        """Inverse of :meth:`to_json`.

        Raises
        ------
        Malformed
            If it is no such record.
        """
        _need(isinstance(raw, dict) and "families" in raw and isinstance(raw["families"], list))
        step = raw.get("step")
        families = tuple(Seeds.from_json(seeds) for seeds in raw["families"])
        ladders, left, repairs = raw.get("ladders", []), raw.get("open", ""), raw.get("repairs", [])
        _need(isinstance(ladders, list) and isinstance(left, str) and isinstance(repairs, list))
        paths = raw.get("paths")
        _need(paths is None or isinstance(paths, list))
        return cls(
            families,
            None if step is None else cls.from_json(step),
            tuple(map(KeptLadder.from_json, ladders)),
            left,
            tuple(map(KeptRepair.from_json, repairs)),
            None if paths is None else tuple(map(KeptPath.from_json, paths)),
        )


class Malformed(ValueError):
    """A record that is none."""


def _need(good: bool) -> None:
    if not good:
        raise Malformed


def _move(raw: Any) -> tuple[str, tuple[int, ...] | None, float]:
    """One number of a kept path: its name, its entry and the power with which it moves."""
    _need(isinstance(raw, list) and len(raw) == 3)
    name, at, power = raw
    _need(isinstance(name, str) and isinstance(power, int | float) and _finite(power))
    _need(at is None or (isinstance(at, list) and all(type(i) is int and i >= 0 for i in at)))
    return name, None if at is None else tuple(at), float(power)


def _finite(number: float) -> bool:
    """Whether a number has a float: a whole number in a file may have any number of digits."""
    try:
        return isfinite(number)
    except OverflowError:
        return False


def chosen(pool: Pool, witness: Candidate | None) -> tuple[Seed, ...]:
    """Instances of a finished climb that are worth keeping.

    Parameters
    ----------
    pool : Pool
        What the search has seen: the tightest instances, those that what `holds` costs was paid
        with, and some of each batch.
    witness : Candidate or None
        What broke the claim; of such a claim the tightest instances are kept beside it.
    """
    found = [witness, *pool.tops[: tuning.SEEDS_TIGHT]]
    if witness is None:
        found += [pool.within, pool.edge, *pool.paid, *_spread(pool)]
    seeds: dict[str, Seed] = {}
    for one in (one for one in found if one is not None):
        seed = _seed(pool.statement.family, one)
        if seed is not None:
            seeds.setdefault(repr(seed.to_json()), seed)
    kept = list(seeds.values())
    for number, seed, _, _ in list(_rated(pool, kept)):
        kept[number] = seed
    return tuple(kept)


def sown(pool: Pool, seeds: Sequence[Seed], struck: str = "") -> Iterator[tuple[str, Candidate]]:
    """Score seeds again, all of them, then hand on those that break the claim, in their order.

    Seeds outside the family's domain are left out, and `Pool.moved` says so, as it does of seeds
    whose ratio has changed.

    Parameters
    ----------
    pool : Pool
    seeds : sequence of Seed
    struck : str
        Rung that has found the first of them to be a witness: it is handed on, whatever floats say.
    """
    found: list[tuple[int, Candidate]] = []
    batches = _batches(pool.statement.family, seeds)
    pool.moved += len(seeds) - sum(map(len, batches))
    for batch in batches:
        scored = _scored(pool, batch, keep=True)
        if scored is None:
            pool.moved += len(batch)
            continue
        result, steady, family = scored
        for row, (number, seed, shape) in enumerate(batch):
            here = _ratio(result, row)
            pool.moved += not _unmoved(seed.ratio, here)
            first = bool(struck) and number == 0
            if first or (here is not None and hits(pool, here)):
                here = 0.0 if here is None else here
                stays = bool(hits(pool, steady[row]))
                found.append((number, Candidate(seed.values, shape, here, stays, family)))
    for number, candidate in sorted(found, key=lambda item: item[0]):
        yield struck if struck and number == 0 else "search", candidate


def seed_of(pool: Pool, one: Candidate, along: Collection[str] = ()) -> Seed | None:
    """An instance as a seed with the ratio that it has now; None where it cannot be one.

    Sizes ``along`` which a law is followed may be larger than any listed one.
    """
    seed = _seed(pool.statement.family, one, along)
    found = None if seed is None else _again(pool, [seed], along)[0]
    return None if found is None else found[0]


def unmoved(
    pool: Pool, seeds: Sequence[Seed], along: Collection[str] = ()
) -> list[Candidate | None]:
    """Seeds as instances; None where one has another ratio now than it had, or none."""
    return [
        None if now is None or not _unmoved(seed.ratio, now[0].ratio) else now[1]
        for seed, now in zip(seeds, _again(pool, seeds, along), strict=True)
    ]


def _again(
    pool: Pool, seeds: Sequence[Seed], along: Collection[str]
) -> list[tuple[Seed, Candidate] | None]:
    """Seeds with the ratios that they have now, and as instances; None where one has none."""
    found: list[tuple[Seed, Candidate] | None] = [None] * len(seeds)
    for number, seed, shape, family in _rated(pool, seeds, along):
        if seed.ratio is not None:
            found[number] = seed, Candidate(seed.values, shape, seed.ratio, family=family)
    return found


def _rated(
    pool: Pool, seeds: Sequence[Seed], along: Collection[str] = ()
) -> Iterator[tuple[int, Seed, Shape, Family | None]]:
    """Seeds that can be scored with the ratios that they have now: number, seed, shape, family."""
    for batch in _batches(pool.statement.family, seeds, along):
        scored = _scored(pool, batch)
        if scored is not None:
            for row, (number, seed, shape) in enumerate(batch):
                yield number, replace(seed, ratio=_ratio(scored[0], row)), shape, scored[2]


Batch = list[tuple[int, Seed, Shape]]
"""Seeds of one shape, with their numbers."""


def _batches(family: Family, seeds: Sequence[Seed], along: Collection[str] = ()) -> list[Batch]:
    """Seeds that are instances of a family, shape by shape."""
    found: dict[str, Batch] = {}
    for number, seed in enumerate(seeds):
        shape = _shape(family, seed, along)
        if shape is not None:
            found.setdefault(repr((shape, seed.silent)), []).append((number, seed, shape))
    return list(found.values())


def _scored(
    pool: Pool, batch: Batch, keep: bool = False
) -> tuple[Score, np.ndarray[Any, Any], Family | None] | None:
    """Scores and steady ratios of seeds of one shape; None where they are no instances."""
    _, first, shape = batch[0]
    own = pool.statement.family
    family = replace(own, build=Silenced(own.build)) if first.silent else None
    values = {
        name: xp.to_float(np.array([seed.values[name] for _, seed, _ in batch])) for name in own.box
    }
    try:
        if keep:
            return *pool.evaluate(values, shape, keep=True, family=family), family
        result = pool.scored(values, shape, family)
        return result, result.ratio, family
    except (NotAvailable, InvalidInput):
        return None


def _ratio(result: Score, row: int) -> float | None:
    """Ratio of an instance; None where it misses a hypothesis or has none."""
    feasible = np.ravel(result.feasible)
    ratio = float(result.ratio[row])
    return ratio if feasible[row if feasible.size > 1 else 0] and isfinite(ratio) else None


def _unmoved(before: float | None, now: float | None) -> bool:
    if before is None or now is None:
        return before is now
    return same(before, now, tuning.SEEDS_ALIKE)


def _shape(family: Family, seed: Seed, along: Collection[str]) -> Shape | None:
    """Shape of a seed; None where it is no instance of the family."""
    if not 0 <= seed.listed < len(family.shapes) or set(seed.values) != set(family.box):
        return None
    listed = family.shapes[seed.listed]
    whole = {name for name in along if type(listed.get(name)) is int}
    if set(seed.sizes) - {*family.growing, *whole} or any(size < 1 for size in seed.sizes.values()):
        return None
    shape = {**listed, **seed.sizes}
    for name, parameter in family.box.items():
        value = np.asarray(seed.values[name])
        if value.shape != parameter.lengths(shape):
            return None
        if not all(parameter.inside(x) or parameter.admits(x) for x in value.ravel().tolist()):
            return None
    return shape


def _seed(family: Family, one: Candidate, along: Collection[str] = ()) -> Seed | None:
    """A candidate as a seed; None where its shape is none of the family's."""
    order = sorted(enumerate(family.shapes), key=lambda item: item[1] != one.shape)
    for number, listed in order:
        sizes = {k: v for k, v in one.shape.items() if k not in listed or listed[k] != v}
        if set(listed) == set(one.shape) and not set(sizes) - {*family.growing, *along}:
            silent = one.family is not None and isinstance(one.family.build, Silenced)
            return Seed(number, sizes, one.values, None, silent)
    return None


def _spread(pool: Pool) -> Iterator[Candidate]:
    """Instances of each batch that was kept, then one that misses each hypothesis alone.

    Those of a batch go from the tightest to the loosest.
    """
    for result, (values, shape, family) in zip(pool.kept, pool.points, strict=True):
        rows = np.flatnonzero(result.feasible & np.isfinite(result.ratio))
        if not values or not rows.size:
            continue
        order = rows[np.argsort(-result.ratio[rows], kind="stable")]
        places = np.unique(np.linspace(0, len(order) - 1, tuning.SEEDS_SPREAD).round().astype(int))
        for row in order[places]:
            chosen_values = {name: value[row] for name, value in values.items()}
            yield Candidate(chosen_values, shape, float(result.ratio[row]), family=family)
    for alone in pool.tally.alone.values():
        for points in (alone.broken, alone.valued):
            if points is not None:
                yield Candidate(points[0], points[1], 0.0, family=points[2])


def _written(value: Any) -> Any:
    """Numbers in nested lists as JSON has them: floats, or fractions as ``p/q``."""
    if isinstance(value, list):
        return [_written(item) for item in value]
    near = float(value)
    exact = not isinstance(value, Fraction) or Fraction(near) == value
    return near if exact else f"{value.numerator}/{value.denominator}"


def _read(raw: Any) -> np.ndarray[Any, Any]:
    """Inverse of `_written`: an array of floats, or of fractions where one is written as such."""
    items = _items(raw)
    kinds = {*map(type, items)}
    _need(kinds <= {float, int, str})
    if str not in kinds:
        _need(all(map(_finite, items)))
        return np.array(raw, dtype=float)
    return np.asarray(as_rational(np.array(_fractions(raw), dtype=object)))


def _items(raw: Any) -> list[Any]:
    """What nested lists hold, in their order."""
    if not isinstance(raw, list):
        return [raw]
    nested = any(isinstance(item, list) for item in raw)
    return [one for item in raw for one in _items(item)] if nested else raw


def _fractions(raw: Any) -> Any:
    """Nested lists with what is written as a fraction, and floats."""
    if isinstance(raw, list):
        return [_fractions(item) for item in raw]
    if isinstance(raw, str):
        _need(FRACTION.fullmatch(raw) is not None)
        return Fraction(raw)
    _need(_finite(raw))
    return float(raw)
