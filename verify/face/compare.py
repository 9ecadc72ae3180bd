"""Two bounds side by side: where each is the smaller one, by how much, and where they cross."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput, require, unchecked
from verify.catalogue.json_files import plain
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.limits.foreign import CodeFailed, code_of_others
from verify.world.noise_plan import AllOutcomes, NotAvailable
from verify.world.score import event, score
from verify.world.world import World

__all__ = ["Comparison", "Sweep", "compare"]

Array = np.ndarray[Any, Any]

SAMPLE = 1024
"""Instances at random in every shape."""
ROUNDS, NEAR, CHILDREN = 12, 16, 16
"""Rounds of the search for the extreme ratios, instances kept, and tries around each."""
EQUAL = 1e-9
"""Relative distance of two bounds under which they are equal."""
GRID = 65
"""Points of a sweep."""


@dataclass(frozen=True)
class Sweep:
    """Both bounds along one parameter, all else as in the crossing (or an instance between)."""

    name: str
    values: tuple[float, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]


@dataclass(frozen=True)
class Comparison:
    """How two bounds compare on the instances that meet the hypotheses of both.

    Parameters
    ----------
    first, second : str
        Keys.
    about : str
        Whose instances, and over which ranges.
    tried, met : int
        Instances at random, and those that meet all hypotheses.
    shares : mapping
        Share of these on which the first bound is ``smaller``, ``equal`` and ``larger``.
    least, most : mapping
        Smallest and largest first/second that the search found, with the ``instance``.
    crossing : mapping or None
        An instance on which both are equal, between one where each is smaller.
    sweeps : tuple of Sweep
    """

    first: str
    second: str
    about: str
    tried: int
    met: int
    shares: Mapping[str, float]
    least: Mapping[str, Any]
    most: Mapping[str, Any]
    crossing: Mapping[str, Any] | None
    sweeps: tuple[Sweep, ...] = field(repr=False)

    def __str__(self) -> str:
        share = self.shares
        lines = [
            f"{self.first} against {self.second}",
            f"on {self.about}: {self.met} of {self.tried} instances meet every hypothesis of both",
            f"  first smaller   {share['smaller']:.1%}, equal {share['equal']:.1%}, "
            f"larger {share['larger']:.1%}",
            f"  least ratio     {self.least['ratio']:.4g} at {_text(self.least['instance'])}",
            f"  largest ratio   {self.most['ratio']:.4g} at {_text(self.most['instance'])}",
        ]
        if self.crossing is not None:
            lines.append(f"  they cross      at {_text(self.crossing['instance'])}")
        elif share["equal"] == 1:
            lines.append("  they are equal wherever they were evaluated")
        else:
            lines.append("  no crossing was found")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"schema": "fedassay-comparison/1", **plain(asdict(self))}


def compare(first: Statement, second: Statement, *, seed: int = 0) -> Comparison:
    """Compare the bounds of two statements on instances of one of them.

    Parameters
    ----------
    first, second : Statement
        Each is evaluated with its own definitions; the instances are those of the first whose
        symbols suffice for both.
    seed : int

    Returns
    -------
    Comparison

    Raises
    ------
    InvalidInput
        If the two bounds share no instance.
    """
    for one in (first, second):
        require(
            one.sides is not None and one.relation in ("<=", ">="),
            one.key,
            "a claim with a bound",
            one.missing or f"relation {one.relation}",
            "name another",
        )
    side = _Both(first, second, _family(first, second))
    rng = np.random.default_rng(seed)
    found = [_Shape(side, shape, rng) for shape in side.family.shapes]
    tried = sum(len(part.ratio) for part in found)
    for part in found:
        part.search(rng)
    seen = np.concatenate([part.ratio[: part.begun] for part in found])
    met = seen[np.isfinite(seen)]
    require(
        bool(met.size),
        "bounds",
        "comparable on some instance",
        f"none of {tried} that meets the hypotheses of both {first.key} and {second.key}",
        "compare two bounds of one setting",
    )
    shares = {
        "smaller": float((met < 1 - EQUAL).mean()),
        "equal": float((abs(met - 1) <= EQUAL).mean()),
        "larger": float((met > 1 + EQUAL).mean()),
    }
    low = min(found, key=lambda one: one.extreme(-1)[0])
    high = max(found, key=lambda one: one.extreme(1)[0])
    crossing, place = next((one.crossed() for one in found if one.crossed()[0]), (None, None))
    home = next((one for one in found if one.crossed()[0]), high)
    middle = home.middle() if place is None else place
    ranges = ", ".join(f"{n} {p.low:g} to {p.high:g}" for n, p in side.family.box.items())
    return Comparison(
        first.key,
        second.key,
        f"{side.family.about} ({ranges or 'no parameters'})",
        tried,
        int(met.size),
        shares,
        low.told(-1),
        high.told(1),
        crossing,
        tuple(home.sweeps(middle)),
    )


class _Both:
    """Two bounds on the instances of one family."""

    def __init__(self, first: Statement, second: Statement, family: Family) -> None:
        self.first, self.second, self.family = first, second, family

    def bounds(self, points: Array, shape: Shape) -> tuple[Array, Array]:
        """Both bounds at points of the unit cube, NaN where a hypothesis fails."""
        batch = self.family.instance(self.family.decode(points, shape), shape)
        with np.errstate(all="ignore"):
            one, two = (_bound(s, batch) for s in (self.first, self.second))
            one, two = np.broadcast_arrays(one, two)
            worst = np.argmax(np.where(np.isnan(one / two), -np.inf, one / two), axis=1)
        rows = np.arange(len(points))
        return one[rows, worst], two[rows, worst]


class _Shape:
    """The ratio of both bounds on one shape of the family."""

    def __init__(self, both: _Both, shape: Shape, rng: np.random.Generator) -> None:
        self.both, self.shape = both, shape
        self.points = rng.random((SAMPLE, both.family.width(shape)))
        self.ratio = self.of(self.points)
        self.begun = len(self.ratio)

    def of(self, points: Array) -> Array:
        first, second = self.both.bounds(points, self.shape)
        with np.errstate(all="ignore"):
            return np.where(first == second, 1.0, first / second)

    def search(self, rng: np.random.Generator) -> None:
        """Tries around the extreme ones, nearer and nearer."""
        for sign in (-1, 1):
            for k in range(ROUNDS if self.points.shape[1] else 0):
                order = np.argsort(-sign * self.known(sign))
                parents = np.repeat(self.points[order[:NEAR]], CHILDREN, axis=0)
                step = 0.3 * 0.6**k * rng.standard_normal(parents.shape)
                step *= rng.random(parents.shape) < 0.5  # some coordinates stay
                children = np.clip(parents + step, 0, 1)
                self.points = np.concatenate([self.points, children])
                self.ratio = np.concatenate([self.ratio, self.of(children)])

    def known(self, sign: int) -> Array:
        """The ratio, and what is never extreme where there is none."""
        return np.where(np.isfinite(self.ratio), self.ratio, -sign * np.inf)

    def extreme(self, sign: int) -> tuple[float, int]:
        """Largest (or smallest) ratio, and where."""
        known = self.known(sign)
        k = int(known.argmax() if sign > 0 else known.argmin())
        return float(known[k]), k

    def told(self, sign: int) -> dict[str, Any]:
        ratio, k = self.extreme(sign)
        return {"ratio": ratio, "instance": self.named(self.points[k])}

    def named(self, point: Array) -> dict[str, Any]:
        values = self.both.family.decode(point[None], self.shape)
        named = {**self.shape, **{name: value[0] for name, value in values.items()}}
        return dict(plain(named))

    def crossed(self) -> tuple[dict[str, Any] | None, Array | None]:
        """Where the ratio is 1, between an instance below and one above."""
        if not hasattr(self, "_crossed"):
            self._crossed = self._cross()
        return self._crossed

    def middle(self) -> Array:
        """An instance whose ratio is in the middle."""
        known = np.flatnonzero(np.isfinite(self.ratio))
        order = known[np.argsort(self.ratio[known])]
        return np.asarray(self.points[order[len(order) // 2]])

    def sweeps(self, point: Array) -> Iterator[Sweep]:
        """Both bounds along every scalar parameter."""
        start = 0
        for name, real in self.both.family.box.items():
            size = int(np.prod(real.lengths(self.shape), dtype=int))
            if size == 1 and real.low < real.high:
                line = np.repeat(point[None], GRID, axis=0)
                line[:, start] = np.linspace(0, 1, GRID)
                one, two = self.both.bounds(line, self.shape)
                values = real.from_unit(line[:, start])
                if _varies(one) or _varies(two):
                    yield Sweep(name, tuple(values), tuple(one), tuple(two))
            start += size

    def _cross(self) -> tuple[dict[str, Any] | None, Array | None]:
        known = self.points[: self.begun], self.ratio[: self.begun]
        below, above = (known[0][mask] for mask in (known[1] < 1 - EQUAL, known[1] > 1 + EQUAL))
        for low, high in zip(below[:64], above[:64], strict=False):
            for _ in range(60):
                middle = (low + high) / 2
                (ratio,) = self.of(middle[None])
                if not np.isfinite(ratio):
                    break
                low, high = (middle, high) if ratio < 1 else (low, middle)
            else:
                if abs(self.of(high[None])[0] - 1) <= 1e-6:  # no jump past 1
                    return {"instance": self.named(high)}, high
        return None, None


def _bound(statement: Statement, batch: Any) -> Array:
    """The bounding side, (B, R'), NaN where a hypothesis of the statement fails."""
    try:
        found = score(statement, batch)
        bounding = (found.left, found.right)[statement.bound_side]
        if statement.over == "prob":
            world = World(batch, "float64", AllOutcomes(), statement.defines)
            with unchecked():
                bounding = event(statement, world)[statement.bound_side]
    except NotAvailable as error:
        raise InvalidInput(
            f"bound of {statement.key} must have a value on the instances of both, got none "
            f"({error}): compare bounds of one setting"
        ) from error
    value = xp.to_float(bounding)
    return np.where(found.feasible[:, None], value, np.nan)


def _varies(values: Array) -> bool:
    """Whether more than rounding happens along a sweep."""
    known = values[np.isfinite(values)]
    return known.size > 2 and bool(np.ptp(known) > EQUAL * np.abs(known).max())


def _family(first: Statement, second: Statement) -> Family:
    """The instances of the first statement on which both can be evaluated, else of the second."""
    reasons = []
    for one, other in ((first, second), (second, first)):
        try:
            with code_of_others(NotAvailable):
                both = _Both(first, second, one.family)
                for shape in one.family.shapes:
                    both.bounds(np.full((2, one.family.width(shape)), 0.5), shape)
                return one.family
        except CodeFailed as failed:
            said = " ".join(str(failed.met).split())
            reasons.append(f"{other.key} on the instances of {one.key}: {said}")
    raise InvalidInput(
        f"bounds must share their instances, got {'; '.join(reasons)}: compare two bounds of one "
        "setting, or write one of them with the other's family"
    )


def _text(raw: Any) -> str:
    return ", ".join(f"{name}={_short(value)}" for name, value in raw.items())


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return "[" + ",".join(map(_short, value)) + "]"
    return str(value)
