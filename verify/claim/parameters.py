"""Parameters of a family of instances: what a statement quantifies over, and where to look.

A :class:`Family` is a box of real parameters, a list of discrete shapes (numbers of clients,
dimensions, horizons, weight rules) ordered from small to large, and a function that turns
parameter values into an :class:`~verify.claim.instance.Instance`.  ``build`` is number-type
generic: the search calls it with float64 arrays of a whole population, the referee with fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, prod
from pathlib import Path
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, require
from verify.claim.instance import Instance

Shape = Mapping[str, Any]
Build = Callable[[Mapping[str, Any], Shape], Instance]
Constraint = Callable[[Instance], Any]


STEEP = 8.0
"""Parts of a range, before it was made wider, whose width is the scale of the wider one."""


@dataclass(frozen=True)
class Real:
    """One real parameter, or an array of them.

    Parameters
    ----------
    low, high : float
        Search range. A range of one sign is read as the sign of the parameter where a proof with
        symbols needs it; every other restriction belongs into the statement's hypotheses.
    unit : tuple of int
        Powers of (loss, length).
    log : bool
        Search on a logarithmic scale (needs ``low > 0``).
    per : tuple of str
        Names of shape entries that the parameter runs over, e.g. ``("N",)`` for one per client.
    domain : tuple of float, optional
        What is assumed of the parameter, the range being only where to look first. By default it
        follows from the sign of the range: positive, not negative, or any real number. An end
        belongs to it only where the range reaches it.
    near : tuple of float, optional
        Of a range that has been made wider: the one before. A search sees it as finely as ever.

    Examples
    --------
    >>> Real(1 / 8, 8, log=True).limits
    (0.0, inf)
    >>> share = Real(1 / 8, 1, domain=(0, 1))
    >>> share.wide(16).low, share.wide(16).high
    (0.0078125, 1)
    """

    low: float
    high: float
    unit: tuple[float, float] = (0, 0)
    log: bool = False
    per: tuple[str, ...] = ()
    domain: tuple[float, float] | None = None
    near: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        ends = (self.low, self.high)
        for end in (*ends, *(self.domain or ())):
            require(
                isinstance(end, int | float | Fraction | np.number) and not isinstance(end, bool),
                "range",
                "of two numbers",
                repr(end),
                "write Real(0, 10)",
            )
        for name in ("low", "high"):
            object.__setattr__(self, name, _float(getattr(self, name)))
        if self.domain is not None:
            object.__setattr__(self, "domain", tuple(map(_float, self.domain)))
        ends = (self.low, self.high)
        require(
            all(map(isfinite, ends)),
            "range",
            "of finite ends",
            ends,
            "name where to look; the search goes on beyond, as far as domain= says",
        )
        require(self.low <= self.high, "low", "at most high", (self.low, self.high), "swap them")
        require(not self.log or self.low > 0, "low", "positive on a log scale", self.low, "raise")
        require(
            self.domain is None or self.domain[0] <= self.low <= self.high <= self.domain[1],
            "domain",
            f"around the range [{self.low:g}, {self.high:g}]",
            self.domain,
            "widen it",
        )

    @property
    def limits(self) -> tuple[float, float]:
        """Ends of the domain."""
        if self.domain is not None:
            return self.domain
        return (0.0, inf) if self.low >= 0 else (-inf, inf)

    def inside(self, value: Any) -> bool:
        """Whether a number lies in the domain."""
        start, end = self.limits
        return bool(self.low <= value <= self.high or start < value < end)

    def wide(self, factor: float) -> Real:
        """The range made larger by a factor, as far as the domain goes.

        An end of the domain that the range does not reach is approached, not reached. A range of
        one point stays.
        """
        start, end = self.limits
        if self.low == self.high:
            return self
        reach = (factor - 1) * max(abs(self.low), abs(self.high))
        low = self.low / factor if start >= 0 else self.low - reach
        high = self.high / factor if end <= 0 else self.high + reach
        if low <= start:
            low = start if start == self.low else start + (self.low - start) / factor
        if high >= end:
            high = end if end == self.high else end - (end - self.high) / factor
        return replace(
            self,
            low=low,
            high=high,
            domain=self.limits,
            log=self.log and low > 0,
            near=(self.low, self.high),
        )

    def around(self, value: Any) -> Real:
        """The range with these numbers in it too."""
        low, high = min(self.low, float(np.min(value))), max(self.high, float(np.max(value)))
        if (low, high) == (self.low, self.high):
            return self
        return replace(
            self, low=low, high=high, domain=self.limits, log=self.log and low > 0, near=None
        )

    @property
    def sign(self) -> str:
        """Sign of the parameter: ``positive``, ``nonnegative`` or ``real``."""
        return "positive" if self.low > 0 else "nonnegative" if self.low == 0 else "real"

    def admits(self, value: Any) -> bool:
        """Whether a number may stand for the parameter outside the search, in a shrunk witness.

        A parameter without unit stays in its range; one with a unit keeps its sign, since a change
        of units may carry it anywhere but across zero, where its domain ends.
        """
        if any(self.unit):
            signed = value > 0 if self.low > 0 else value >= 0 if self.low == 0 else True
            return bool(signed and (value <= 0 or self.limits[1] > 0))
        return bool(self.low <= value <= self.high)

    def lengths(self, shape: Shape) -> tuple[int, ...]:
        """Trailing axes of the parameter under ``shape``."""
        for name in self.per:
            if name not in shape:
                raise InvalidInput(
                    f"shape must name the size {name!r} of a parameter with per={self.per}, got "
                    f"{dict(shape)}: add it, such as {{{name!r}: 2}}."
                )
        return tuple(int(shape[name]) for name in self.per)

    def from_unit(self, u: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Map numbers in [0, 1] to the range."""
        if self.log:
            out = self.low * (self.high / self.low) ** u
        elif self.near is not None:
            centre, scale, first, last = self._bent
            out = centre + scale * np.sinh(first + (last - first) * u)
            out = np.where(u <= 0, self.low, np.where(u >= 1, self.high, out))
        else:
            out = self.low + (self.high - self.low) * u
        return np.minimum(np.maximum(out, self.low), self.high)  # np.clip takes twice as long

    @cached_property
    def _bent(self) -> tuple[float, float, float, float]:
        """Centre, scale and ends of an inverse hyperbolic sine.

        It is even in the range before, around its number nearest to zero, and logarithmic far out.
        """
        low, high = map(float, self.near or (self.low, self.high))
        centre, scale = min(max(0.0, low), high), (high - low) / STEEP
        ends = (np.arcsinh((float(end) - centre) / scale) for end in (self.low, self.high))
        return centre, scale, *ends

    def to_unit(self, value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Inverse of :meth:`from_unit`; what lies outside the range goes to its nearest end."""
        value = np.minimum(np.maximum(np.asarray(value, dtype=float), self.low), self.high)
        if self.low == self.high:
            return np.zeros_like(value)
        if self.log:
            return np.asarray(np.log(value / self.low) / np.log(self.high / self.low))
        if self.near is not None:
            centre, scale, first, last = self._bent
            return np.asarray((np.arcsinh((value - centre) / scale) - first) / (last - first))
        return np.asarray((value - self.low) / (self.high - self.low))


def _float(end: Any) -> Any:
    """A fraction as the float that the search takes; any other end as it is."""
    return float(end) if isinstance(end, Fraction) else end


def plain_numbers(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Instance that is nothing but its parameters (scalar lemmas, algebraic identities)."""
    constants = {name: value for name, value in shape.items() if name not in values}
    return Instance("numbers", {}, None, {**values, **constants}, {})


RUNS = ("rounds", "local_steps", "horizon", "T")
"""Sizes that no parameter need run over."""

LISTED_FROM_ONE = 4
"""Numbers 1, 2, 3 and one more of clients after which any is meant, where no parameter has them."""

SIZES = ("N", "d", "rounds", "local_steps", "points")
"""Entries of a shape that count something."""


@dataclass(frozen=True)
class Family:
    """Instances that a statement is searched over.

    Parameters
    ----------
    box : mapping of str to Real
        The continuous parameters.
    shapes : sequence of mappings
        The discrete choices, small ones first: a violation found in an early shape is already
        small, and later shapes are then not searched.
    build : callable
        ``build(values, shape) -> Instance``; values have a leading axis of instances.
    about : str
        One phrase for the scope of a verdict.
    units : mapping
        Units of instance fields that no parameter gives.
    constraints : mapping of str to callable
        Relations between the values by which they are what they are called: a client's similarity
        to itself is 1, shares sum to 1, equal clients have equal constants. Each is a function of
        the instance (a batch, with its leading axis) and gives a margin that is not negative where
        the relation holds, ``-abs(left - right)`` for an equation, with one number per instance or
        more. ``build`` should make instances that meet them: an instance that does not is none of
        the family, is not counted by the search, and never believed as a witness.
    grow : tuple of str, optional
        Entries of the shapes that the search may make larger than any listed value. By default the
        axes of parameters and the numbers of rounds and local steps that are listed with at least
        two values, N where it is listed as 1, 2, 3 and so on, and among plain numbers the only
        whole number of the shapes, under any name, if it is positive; ``()`` for none, where it is
        a choice and counts nothing.
    listed : bool
        Whether the claim is about the listed shapes alone, such as the whole numbers of a range:
        proved at each of them it is proved.
    """

    box: Mapping[str, Real]
    shapes: tuple[Shape, ...] = ({},)
    build: Build = plain_numbers
    about: str = "plain numbers"
    units: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    constraints: Mapping[str, Constraint] = field(default_factory=dict)
    grow: tuple[str, ...] | None = None
    listed: bool = False

    def __post_init__(self) -> None:
        good = isinstance(self.box, Mapping)
        require(good, "box", "a mapping from names to Real", self.box, "write {'x': Real(0, 10)}")
        shapes = self.shapes if isinstance(self.shapes, Sequence) else ()
        require(
            bool(shapes) and all(isinstance(shape, Mapping) for shape in shapes),
            "shapes",
            "a sequence of mappings such as ({'d': 1}, {'d': 2})",
            self.shapes,
            "mend it",
        )
        object.__setattr__(self, "shapes", tuple(shapes))
        for name, real in self.box.items():
            require(
                isinstance(real, Real),
                f"parameter {name}",
                "a Real",
                repr(real),
                "write Real(0, 10), with per=('d',) for one number per coordinate",
            )
        rules = self.constraints.values() if isinstance(self.constraints, Mapping) else (None,)
        require(
            all(map(callable, rules)),
            "constraints",
            "functions of the instance by name",
            self.constraints,
            "write {'shares sum to one': lambda i: -abs(i.params['p'].sum(axis=-1) - 1)}",
        )
        sizes = {*SIZES, *(axis for parameter in self.box.values() for axis in parameter.per)}
        for shape in self.shapes:
            for name in sizes & set(shape):
                value = shape[name]
                whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
                require(whole, f"{name} of a shape", "a whole number", value, "pass an int")

    @property
    def closed(self) -> bool:
        """Whether proofs at the listed shapes are a proof of the claim."""
        return self.listed and not self.growing

    @cached_property
    def growing(self) -> tuple[str, ...]:
        """Names of the sizes that may be larger than any listed value."""
        if self.grow is not None:
            return self.grow
        axes = {name for parameter in self.box.values() for name in parameter.per}
        whole: dict[str, set[int]] = {}
        for shape in self.shapes:
            for name, value in shape.items():
                if isinstance(value, int) and not isinstance(value, bool):
                    whole.setdefault(name, set()).add(value)
        alone = len(whole) == 1 and self.build is plain_numbers
        listed = {name: {v for v in values if v > 0} for name, values in whole.items()}
        return tuple(
            name
            for name, sizes in listed.items()
            if len(sizes) > 1
            and (
                name in axes
                or name in RUNS
                or _any(name, sizes)
                or (alone and sizes == whole[name])
            )
        )

    def width(self, shape: Shape) -> int:
        """Number of real coordinates under ``shape``."""
        return sum(prod(p.lengths(shape)) for p in self.box.values())

    def decode(self, u: np.ndarray[Any, Any], shape: Shape) -> dict[str, np.ndarray[Any, Any]]:
        """Turn points of the unit cube, shape (B, width), into named parameters, (B, ...)."""
        values, start = {}, 0
        for name, parameter in self.box.items():
            lengths = parameter.lengths(shape)
            size = prod(lengths)
            block = u[:, start : start + size].reshape((len(u), *lengths))
            values[name] = parameter.from_unit(block)
            start += size
        return values

    def encode(self, values: Mapping[str, Any], shape: Shape) -> np.ndarray[Any, Any]:
        """Points of the unit cube, (B, width), of parameter values with a leading axis (B, ...)."""
        count = len(next(iter(values.values()))) if values else 1
        blocks = [p.to_unit(values[name]).reshape(count, -1) for name, p in self.box.items()]
        return np.concatenate(blocks, axis=1) if blocks else np.zeros((count, 0))

    def instance(self, values: Mapping[str, Any], shape: Shape) -> Instance:
        """Build the (batch of) instance(s) and attach the units of the parameters."""
        with np.errstate(all="ignore"):  # outside its domain a family has no instance: NaN
            made: Any = self.build(values, shape)
        if not isinstance(made, Instance):
            code = getattr(self.build, "__code__", None)
            where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}" if code else "it"
            raise InvalidInput(
                f"build of a family must return an Instance, got {type(made).__name__} in {where}: "
                "return Instance('numbers', {}, None, {...}), or leave build out"
            )
        own = {name: p.unit for name, p in self.box.items() if name in made.params}
        return made.with_units({**_problem_units(made), **own, **self.units, **made.units})


def _any(name: str, listed: set[int]) -> bool:
    """Whether N is listed as 1, 2, 3 and so on, as one lists the first of all numbers."""
    return name == "N" and len(listed) >= LISTED_FROM_ONE and listed >= {1, 2, 3}


def rounded(value: Any, digits: int) -> np.ndarray[Any, Any]:
    """Numbers with so many binary digits."""
    part, power = np.frexp(np.asarray(value, dtype=float))
    return np.asarray(np.ldexp(np.round(part * 2.0**digits) / 2.0**digits, power))


def _problem_units(made: Instance) -> dict[str, tuple[float, float]]:
    """Units of the raw data of a problem, as its family declares them."""
    if made.family == "numbers":
        return {}
    from synthetic.registry import load_family

    units = load_family(made.family).units
    return {name: unit for name, unit in units.items() if name in made.data}
