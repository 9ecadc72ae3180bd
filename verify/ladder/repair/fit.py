"""The law of a few values along a geometric ladder: bounded, a power, a logarithm, an exponential.

First closed forms: the value, its square or its inverse is ``a`` or ``a g(x)`` or ``a g(x) + b``
with a simple function g; one or two points give the coefficients and at least three others must
agree.  What no closed form fits gets an interval from its slopes, and what has no steady slope is
unknown.  Ladders may begin late: a law is one of the last values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import isfinite, log
from typing import Any

import numpy as np

AGREE = 1e-7
"""Relative difference at which a value agrees with a closed form: rounding of a short ascent."""

OTHERS = 3
"""Values that must agree with a closed form beside those that gave its coefficients."""

LARGEST_DENOMINATOR = 16
"""Of a coefficient that is called by name."""

LARGEST_RATIO, LARGEST_WHOLE = 64, 4096
"""Largest fraction and largest whole number that is called by name."""

LEVEL = 1e-3
"""Values that differ by no more than this part say nothing of a function of two coefficients."""

STEADY = 0.05
"""Slopes are steady if the last three lie this close together, and a power is at least so steep."""

FAR = 1e4
"""Growth over the last three steps, at slopes that rise, from which a law is faster than a power:
a curve that has not levelled off yet rises by less."""

BEYOND = 1.5
"""By how much more than at the step before a logarithm rises along a ladder beyond every power."""

FALLING = 0.6
"""Slopes whose falls shrink by less than this at a step are those of a logarithm beside a power, or
of a logarithm alone."""

WAVERS = 1.1
"""Factor between the largest and the smallest of values that go up and down, and end no higher."""

SETTLING = 0.55
"""Part of a turn of the slopes that may be left a doubling later where they settle; for the
square of a logarithm it is more from seven on."""

STEEP = 0.25
"""Least exponent to which slopes settle, and the most by which the last one is away from it."""

POWERS = tuple(Fraction(p, 2) for p in (1, 2, 3, 4, 6, -1, -2, -3, -4))
"""Exponents of a closed form, simple ones first."""

Function = Callable[[float], float]
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Fit:
    """What a ladder of values says.

    Parameters
    ----------
    kind : {"bounded", "power", "logarithm", "exponential", "faster", "unknown"}
    exponent : tuple or None
        Of a power: an interval, of length zero where a closed form gives it; for an exponential
        that of its basis; of what grows faster than a power its last slopes.
    supremum : tuple or None
        Of a bounded one: an interval, of length zero where a closed form gives it.
    formula : str
        Closed form with recognised coefficients, empty if there is none.
    limit : str
        Supremum in words, where it is recognised.
    form : ClosedForm or None
        The closed form as rational numbers, where it is one; see `agrees`.
    """

    kind: str
    exponent: tuple[float, float] | None = None
    supremum: tuple[float, float] | None = None
    formula: str = ""
    limit: str = ""
    form: ClosedForm | None = None

    def agrees(self, x: Fraction, y: Fraction) -> bool:
        """Whether an exact value is the closed form's own; only for rational closed forms."""
        return self.form is not None and self.form.exactly(x, y)


@dataclass(frozen=True)
class ClosedForm:
    """``outer(y) = a x^power + b`` (or of ``x + shift``), a and b rational."""

    outer: str
    a: Fraction
    b: Fraction
    power: Fraction
    shift: int = 0

    def to_json(self) -> list[Any]:
        """Its parts, numbers as text."""
        return [self.outer, str(self.a), str(self.b), str(self.power), self.shift]

    @classmethod
    def from_json(cls, raw: Sequence[Any]) -> ClosedForm:
        """Inverse of :meth:`to_json`."""
        outer, a, b, power, shift = raw
        return cls(str(outer), Fraction(a), Fraction(b), Fraction(power), int(shift))

    def exactly(self, x: Fraction, y: Fraction) -> bool:
        """Whether ``y`` is this law's value at ``x``, without rounding."""
        if self.power.denominator != 1 or y == 0:
            return False
        seen = {"y": y, "y^2": y * y, "1/y": 1 / y}[self.outer]
        moved = x + self.shift
        return moved != 0 and bool(seen == self.a * moved ** int(self.power) + self.b)


def fit(xs: Sequence[float], ys: Sequence[float], name: str) -> Fit:
    """The law of values along a geometric ladder.

    Parameters
    ----------
    xs : sequence of float
        Places, increasing by a factor each; positive.
    ys : sequence of float
        Values; positive and finite, else the law is unknown.
    name : str
        What the ladder goes along, for the formula.
    """
    if len(xs) != len(ys) or len(xs) < 1 + OTHERS:
        return Fit("unknown")
    if not all(isfinite(y) and y > 0 for y in ys) or not all(x > 0 for x in xs):
        return Fit("unknown")
    for first in range(len(xs) - OTHERS):
        found = next(_closed(xs[first:], ys[first:], name), None)
        if found is not None:
            return found
    most = max(ys)
    level = [y for y in ys if y >= most * (1 - AGREE)]
    if len(level) > OTHERS and ys[-1] <= most:  # a height that is reached and left again
        return replace(_constant(most), form=None)
    for first in range(len(xs) - OTHERS):
        near = _nearly(xs[first:], ys[first:], name)
        if near is not None:
            return near
    return _by_slopes(np.asarray(xs, dtype=float), np.asarray(ys, dtype=float))


def recognised(value: float) -> Fraction | None:
    """The rational number with a small denominator that a value is, if it is one."""
    if not isfinite(value):
        return None
    # so that fewer than one number in a hundred is called by a name that it has by chance
    below = LARGEST_DENOMINATOR if abs(value) <= LARGEST_RATIO else 1
    near = Fraction(value).limit_denominator(below)
    if abs(value) > LARGEST_WHOLE or abs(value) < 1 / LARGEST_RATIO:
        return None
    close = abs(float(near) - value) <= 10 * AGREE * abs(value)
    return near if close and near != 0 else None


# -- closed forms ----------------------------------------------------------------------------------


def _closed(xs: Sequence[float], ys: Sequence[float], name: str) -> Iterator[Fit]:
    one, two = len(xs) >= 1 + OTHERS, len(xs) >= 2 + OTHERS
    two = two and max(ys) > min(ys) * (1 + LEVEL)  # on a level any function fits
    outers = {"y": ys, "y^2": [y * y for y in ys], "1/y": [1 / y for y in ys]}
    if one and _all_near(ys, [ys[-1]] * len(ys)):
        yield _constant(ys[-1])
    for shift in (0, 1, -1) if one else ():
        if min(xs) + shift <= 0:
            continue
        for power in POWERS:
            a = _scale([(x + shift) ** float(power) for x in xs], ys)
            if a is not None:
                yield _one_power(ys, name, power, shift, a)
    for g, said in _logarithms(name, xs) if one else ():
        a = _scale([g(x) for x in xs], ys)
        if a is not None:
            yield Fit("logarithm", formula=_times(a, said))
    for outer, zs in outers.items() if two else ():
        for power in POWERS:
            line = _line([x ** float(power) for x in xs], zs)
            if line is not None and abs(line[1]) > AGREE * abs(zs[-1]):
                found = _two_terms(outer, ys, name, power, *line)
                if found is not None:
                    yield found
    if two and (line := _line([log(x) for x in xs], ys)) is not None and line[0] > 0:
        yield Fit("logarithm")
    if two and (line := _line(xs, [log(y) for y in ys])) is not None:
        yield _exponential(line, name, ys)


def level(value: float) -> ClosedForm | None:
    """A number as a form: a short fraction or the root of one; None if it is neither."""
    number, square = recognised(value), recognised(value * value)
    if number is not None:
        return ClosedForm("y", Fraction(0), number, Fraction(1))
    return None if square is None else ClosedForm("y^2", Fraction(0), square, Fraction(1))


def said(height: ClosedForm) -> str:
    """A number that is a form, in words."""
    return str(height.b) if height.outer == "y" else f"sqrt({height.b})"


def _constant(value: float) -> Fit:
    form = level(value)
    limit = "" if form is None else said(form)
    return Fit("bounded", None, (value, value), limit, limit, form)


def _one_power(ys: Sequence[float], name: str, power: Fraction, shift: int, a: float) -> Fit:
    base = name if not shift else f"({name} {'+' if shift > 0 else '-'} 1)"
    number, square = recognised(a), recognised(a * a)
    said, form = "", None
    if number is not None:
        said = _times(a, _raised(base, power))
        form = ClosedForm("y", number, Fraction(0), power, shift)
    elif square is not None:
        said = f"sqrt({_product(square, _raised(base, 2 * power))})"
    if square is not None and power.denominator == 2:
        form = ClosedForm("y^2", square, Fraction(0), 2 * power, shift)
        said = f"sqrt({_product(square, _raised(base, 2 * power))})"
    if power > 0:
        return Fit("power", (float(power), float(power)), None, said, "", form)
    most = ys[0]
    return Fit("bounded", None, (most, most), said, _constant(most).limit, form)


def _two_terms(
    outer: str,
    ys: Sequence[float],
    name: str,
    power: Fraction,
    a: float,
    b: float,
) -> Fit | None:
    """``a x^power + b`` for the value, its square or its inverse."""
    whole_a, whole_b = recognised(a), recognised(b)
    if whole_a is None or whole_b is None:
        return None  # two free coefficients that mean nothing fit too much
    form = ClosedForm(outer, whole_a, whole_b, power)
    grows = _product(abs(whole_a), _raised(name, power))
    signed = grows if a > 0 else f"-{grows}"
    said = f"{signed} {'+' if b > 0 else '-'} {abs(whole_b)}"
    said = f"{whole_b} - {grows}" if a < 0 < b else said
    said = {"y": said, "y^2": f"sqrt({said})", "1/y": f"1/({said})"}[outer]
    if outer == "1/y":
        if power > 0:  # falls like a power
            return Fit("bounded", None, (ys[0], ys[0]), said, _constant(ys[0]).limit, form)
        end = 1 / b if b > 0 else None
    elif power > 0:
        exponent = float(power) / (2 if outer == "y^2" else 1)
        return Fit("power", (exponent, exponent), None, said, "", form) if a > 0 else None
    else:
        end = None if b <= 0 else b**0.5 if outer == "y^2" else b
    if end is None:
        return None
    most = max(end, *ys)
    return Fit("bounded", None, (most, most), said, _constant(most).limit, form)


def _exponential(line: tuple[float, float], name: str, ys: Sequence[float]) -> Fit:
    basis, number = np.exp(line[0]), recognised(float(np.exp(line[1])))
    whole = recognised(float(basis))
    said = "" if whole is None or number is None else _times(float(number), f"({whole})^{name}")
    if line[0] <= 0:
        return Fit("bounded", None, (ys[0], ys[0]), said, _constant(ys[0]).limit)
    return Fit("exponential", (float(basis), float(basis)), None, said)


def _logarithms(name: str, xs: Sequence[float]) -> Iterator[tuple[Function, str]]:
    if min(xs) > 1:
        yield log, f"ln({name})"
        yield lambda x: log(x) / log(2), f"log2({name})"
    yield lambda x: log(1 + x), f"ln(1 + {name})"
    yield lambda x: log(1 + x) / log(2), f"log2(1 + {name})"
    if min(xs) * 2.0 > 1:
        yield lambda x: 1 + log(x), f"(1 + ln({name}))"
        yield lambda x: 1 + log(x) / log(2), f"(1 + log2({name}))"


def _scale(gs: Sequence[float], ys: Sequence[float]) -> float | None:
    """The one factor with which all values are those of a function."""
    if gs[-1] == 0:
        return None
    a = ys[-1] / gs[-1]
    return a if _all_near([a * g for g in gs], ys) else None


def _line(gs: Sequence[float], zs: Sequence[float]) -> tuple[float, float] | None:
    """Slope and height of the line through all of the points."""
    if gs[0] == gs[-1]:
        return None
    a = (zs[-1] - zs[0]) / (gs[-1] - gs[0])
    b = zs[0] - a * gs[0]
    return (a, b) if _all_near([a * g + b for g in gs], zs) else None


def _all_near(values: Sequence[float], wanted: Sequence[float]) -> bool:
    return all(abs(v - w) <= AGREE * abs(w) for v, w in zip(values, wanted, strict=True))


def _raised(base: str, power: Fraction) -> str:
    if power == 1:
        return base
    if power == Fraction(1, 2):
        return f"sqrt({base})"
    if power < 0:
        return f"1/{_raised(base, -power)}"
    return f"{base}^{power}" if power.denominator == 1 else f"{base}^({power})"


def _times(a: float, said: str) -> str:
    number = recognised(a)
    return "" if number is None else _product(number, said)


def _product(number: Fraction, said: str) -> str:
    if number == 1:
        return said
    if said.startswith("1/"):
        below = said[2:] if number.denominator == 1 else f"({number.denominator} {said[2:]})"
        return f"{number.numerator}/{below}"
    if number.denominator == 1:
        return f"{number} {said}"
    above = said if number.numerator == 1 else f"{number.numerator} {said}"
    return f"{above}/{number.denominator}"


def _nearly(xs: Sequence[float], ys: Sequence[float], name: str) -> Fit | None:
    """One power, or a height, that the values come close to: a supremum that nothing attains."""
    for shift, power in product((0, 1, -1), (Fraction(0), *POWERS)):
        if min(xs) + shift <= 0:
            continue
        scales = [y / (x + shift) ** float(power) for x, y in zip(xs, ys, strict=True)]
        low, high = min(scales), max(scales)
        if high > low * (1 + LEVEL):
            continue
        base = name if not shift else f"({name} {'+' if shift > 0 else '-'} 1)"
        spread = log(high / low) / log(xs[-1] / xs[0])
        whole, square = (_short(s) for s in (high, high * high))
        if not power:
            limit = str(whole) if whole else f"sqrt({square})" if square else ""
            limit = f"about {limit}" if limit else ""
            return Fit("bounded", None, (high, high * (1 + LEVEL)), "", limit)
        words, form = "", None
        if square is not None and power.denominator == 2:
            form = ClosedForm("y^2", square, Fraction(0), 2 * power, shift)
            words = f"about sqrt({_product(square, _raised(base, 2 * power))})"
        elif whole is not None:
            form = ClosedForm("y", whole, Fraction(0), power, shift)
            words = f"about {_product(whole, _raised(base, power))}"
        if power > 0:
            ends = (float(power) - spread, float(power) + spread)
            return Fit("power", ends, None, words, "", form)
        return Fit("bounded", None, (ys[0], ys[0] * (1 + LEVEL)), words, "", form)
    return None


def _short(value: float) -> Fraction | None:
    """A very short number that a value comes close to, from below as all values found do."""
    near = Fraction(value).limit_denominator(4)
    return near if 0 < near <= 16 and -1e-5 <= float(near) / value - 1 <= LEVEL else None


# -- intervals -------------------------------------------------------------------------------------


def _by_slopes(xs: Array, ys: Array) -> Fit:
    """What the last slopes say where no closed form fits."""
    if (basis := _basis(xs, ys)) is not None:
        return Fit("exponential", basis)
    if len(xs) < 2 + OTHERS:
        if np.all(np.diff(np.log(ys)) < -STEADY * np.diff(np.log(xs))):  # it falls all the way
            return Fit("bounded", None, (float(ys.max()), float(ys.max()) * (1 + 1e-2)))
        return Fit("unknown")
    slopes = np.diff(np.log(ys)) / np.diff(np.log(xs))
    steps = np.diff(ys)
    last = slopes[-3:]
    spread = float(last.max() - last.min())
    # a power's slopes settle; slopes that fall all the time are those of a logarithm or a bound
    if last.min() > STEADY and spread <= STEADY:
        turns = np.diff(last)
        # towards a power the slopes close in by a half or so at each step, a logarithm's do not
        falls = bool(np.all(turns < -1e-3)) and turns[1] / turns[0] > FALLING
        if falls and (left := _beside_a_logarithm(xs, slopes)) is not None:
            return Fit("power", left)
        if not falls:
            return Fit("power", (float(last.min()) - spread, float(last.max()) + spread))
    settled = _settling(xs, slopes)
    if settled is not None:
        return Fit("power", settled)
    if last.min() > STEADY and np.all(np.diff(last) >= 0) and ys[-1] >= FAR * ys[-4]:
        return Fit("faster", (float(last.min()), float(last.max())))
    if np.all(np.abs(slopes[-3:]) < 1e-3):
        return Fit("bounded", None, (float(ys.max()), float(ys.max()) * (1 + 1e-2)))
    if np.all(steps[-3:] > 0):
        shrink = steps[-2:] / steps[-3:-1]
        growth = np.diff(np.log(xs))[-2:] / np.diff(np.log(xs))[-3:-1]
        steady = np.all(steps[-4:] > 0) and np.ptp(steps[-3:] / steps[-4:-1]) <= STEADY
        if steady and shrink.max() <= 0.8:
            rest = float(steps[-1] * shrink.max() / (1 - shrink.max()))
            return Fit("bounded", None, (float(ys[-1]), float(ys[-1]) + 2 * rest))
        if np.all(np.abs(shrink / growth - 1) <= STEADY / 5):
            return Fit("logarithm")
    wavers = ys[-1] <= ys[0] and ys.max() <= WAVERS * ys.min()
    if np.all(slopes[-3:] < -STEADY) or np.all(steps <= 0) or wavers:
        return Fit("bounded", None, (float(ys.max()), float(ys.max()) * (1 + 1e-2)))
    return Fit("unknown")


def _beside_a_logarithm(xs: Array, slopes: Array) -> tuple[float, float] | None:
    """Exponent of a power beside a logarithm, if that is what slopes are that fall all the time.

    Those of x^p ln(x)^m are p + m/ln x, and fall by m/ln(x)^2 at each factor of e: m/ln x is left.
    Where p is nothing a logarithm is all that there is.
    """
    places = np.log(xs)
    falls = -np.diff(slopes)[-2:] / np.diff((places[1:] + places[:-1]) / 2)[-2:]
    far = max(abs(float(places[-1])), float(places[-1] - places[0]))
    low = float(slopes[-1] - 1.1 * falls.max() * far)
    return (low, float(slopes[-1])) if low > STEEP else None


def _settling(xs: Array, slopes: Array) -> tuple[float, float] | None:
    """Exponent to which slopes close in by a good part of the way at each doubling, if they do.

    Those of a logarithm close in ever more slowly, those of a bound to zero.
    """
    middles = (np.log2(xs)[1:] + np.log2(xs)[:-1]) / 2
    apart = np.diff(middles)
    turns = (np.diff(slopes) / apart)[-3:]  # of a slope at each doubling
    if len(turns) < 3 or np.any(turns * turns[-1] <= 0):
        return None
    between = (apart[-3:-1] + apart[-2:]) / 2
    parts = (turns[1:] / turns[:-1]) ** (1 / between)  # what is left of a turn a doubling later
    if parts.max() > SETTLING:
        return None
    end = float(slopes[-1] + turns[-1] / log(1 / parts.max(), 2))
    last = float(slopes[-1])
    beyond = end - abs(last - end)  # as uncertain as it is far
    low, high = min(beyond, last), max(2 * end - beyond, last)
    return (low, high) if low > STEEP and abs(last - end) <= STEEP else None


def _basis(xs: Array, ys: Array) -> tuple[float, float] | None:
    """Basis of what grows exponentially beside a power: an interval, None where nothing does.

    The logarithm then rises by steady steps of x, and beyond every power: by more at each doubling.
    """
    rises = np.diff(np.log(ys))[-3:]
    rates = rises / np.diff(xs)[-3:]
    steady = rates.min() > 0 and np.ptp(rates) <= STEADY * rates.max()
    beyond = rises.min() > 1 and np.all(rises[1:] >= BEYOND * rises[:-1])
    if not (steady and beyond):
        return None
    low, high = np.exp(rates.min() - np.ptp(rates)), np.exp(rates.max() + np.ptp(rates))
    return float(low), float(high)
