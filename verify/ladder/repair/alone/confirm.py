"""Whether values that a law has not seen are those that it foretells, within two in a hundred."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, log

from verify.ladder.repair import tuning
from verify.ladder.repair.fit import ClosedForm, Fit

__all__ = ["confirmed", "foretold", "shape_of", "slope_of", "tail_of"]


def foretold(found: Fit, xs: Sequence[float], ys: Sequence[float], x: float) -> float | None:
    """What a law says of a further place, from the values that it was read off.

    Parameters
    ----------
    found : Fit
    xs, ys : sequence of float
        Places and values that the law was read off.
    x : float
        Beyond them.

    Returns
    -------
    float or None
        None where the kind of law foretells no number.
    """
    if found.form is not None:
        return value_of(found.form, x)
    slope = log(ys[-1] / ys[-2]) / log(xs[-1] / xs[-2])
    if found.kind == "power":
        return float(ys[-1] * (x / xs[-1]) ** slope)
    if found.kind == "logarithm":
        return ys[-1] + (ys[-1] - ys[-2]) * log(x / xs[-1]) / log(xs[-1] / xs[-2])
    return None


def value_of(form: ClosedForm, x: float) -> float:
    """A closed form at a place."""
    inside = float(float(form.a) * (x + form.shift) ** float(form.power) + float(form.b))
    if form.outer == "1/y":
        return 1 / inside if inside else inf
    return float(inside**0.5) if form.outer == "y^2" else inside


def near(value: float, wanted: float) -> bool:
    """Whether two numbers agree within two parts in a hundred."""
    return abs(value - wanted) <= tuning.CONFIRMS * abs(wanted)


def confirmed(found: Fit, xs: Sequence[float], ys: Sequence[float], first: int) -> bool:
    """Whether the values from number `first` on, which a law has not seen, are as it says.

    An exponential is held to its rate: beside a power the values themselves are never those of a
    pure one.
    """
    seen, new = (xs[:first], ys[:first]), list(zip(xs[first:], ys[first:], strict=True))
    if found.kind == "unknown":
        return False
    if found.kind == "faster":
        slopes = [
            log(b / a) / log(x / w) for w, x, a, b in zip(xs, xs[1:], ys, ys[1:], strict=False)
        ]
        return all(b >= a for a, b in zip(slopes[first - 2 :], slopes[first - 1 :], strict=False))
    if found.kind == "exponential":
        rates = [log(b / a) / (x - w) for w, x, a, b in zip(xs, xs[1:], ys, ys[1:], strict=False)]
        return all(near(b, a) for a, b in pairwise(rates[first - 2 :]))
    if found.kind == "bounded" and found.form is None:
        most = found.supremum[1] if found.supremum is not None else max(ys)
        return max(ys) <= most * (1 + tuning.CONFIRMS)
    for x, y in new:
        wanted = foretold(found, *seen, x)
        if wanted is None or not near(y, wanted):
            return False
    return True


def slope_of(xs: Sequence[float], ys: Sequence[float]) -> Fit | None:
    """A power, or a bound, that the last values bear where the first ones were of another law.

    A power where the last three slopes agree so well that each of the last two values is foretold
    by those before it.
    """
    slopes = [log(b / a) / log(x / w) for w, x, a, b in zip(xs, xs[1:], ys, ys[1:], strict=False)]
    last = slopes[-3:]
    spread = (max(last) - min(last)) * log(xs[-1] / xs[-3])
    if min(last) > tuning.LEAST_SLOPE and spread <= tuning.CONFIRMS / 2:
        return Fit("power", (min(last), max(last)))
    if shape_of(ys) in ("falls", "peak", "level"):
        return Fit("bounded", None, (max(ys), max(ys)))
    return None


def shape_of(ys: Sequence[float]) -> str:
    """How values run: level, rising, falling, or with a peak."""
    most, least = max(ys), min(ys)
    if most <= least * (1 + tuning.CONFIRMS):
        return "level"
    if ys[-1] >= most * (1 - tuning.CONFIRMS):
        return "rises"
    return "falls" if ys[0] >= most * (1 - tuning.CONFIRMS) else "peak"


def tail_of(xs: Sequence[float], ys: Sequence[float]) -> str:
    """How values that fall end: ``1/x^p``, or the level that they keep; empty if neither."""
    if len(ys) < 2 + tuning.CONFIRMED or shape_of(ys) not in ("falls", "peak"):
        return ""
    last = ys[-1 - tuning.CONFIRMED :]
    if max(last) <= min(last) * (1 + tuning.CONFIRMS / 2):
        return f"{ys[-1]:.4g}"
    slopes = [log(b / a) / log(x / w) for w, x, a, b in zip(xs, xs[1:], ys, ys[1:], strict=False)]
    power = -slopes[-1]
    plain = round(2 * power) / 2
    close = all(abs(slope + plain) * log(2) <= tuning.CONFIRMS / 2 for slope in slopes[-3:])
    if plain <= 0 or not close:
        return ""
    return "1/x" if plain == 1 else "1/sqrt(x)" if plain == 0.5 else f"1/x^{plain:g}"
