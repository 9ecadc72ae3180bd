"""Committed numbers of chaotic runs: what another machine must give, and how near.

Where sums in another order make another run after some hundred steps, single numbers mean nothing
on another processor; means over independent runs do, within their own standard errors.  A curve is
compared as a whole: its root mean square distance may be one standard error, a single point four.

Where nothing random is drawn, and a run wanders by its own motion, means over a long time are what
stays: their errors, one for each point, come from stretches of the run; see `Wander`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from figures.places import Data

__all__ = ["WHOLE", "How", "Wander", "drift", "jackknife"]

WHOLE, SINGLE = 1.0, 4.0
"""Standard errors by which a curve, and a point of one, may differ."""


@dataclass(frozen=True)
class Wander:
    """Points that wander each by its own amount, some of them not at all.

    Two runs wander apart, so that their distance has the square root of two times the error of one
    of them.  A curve's mean square distance, in these units, is 1 give or take sqrt(2/n) for n
    points that all wander, and less where some stand still; four times that is allowed, as of a
    single point.

    Attributes
    ----------
    error : str
        Array of the points' standard errors over time; zero where a run does not wander.
    """

    error: str


How = int | str | Wander
"""An axis of independent runs, an array of standard errors of a curve, or of its points."""


def jackknife(statistic: Callable[[Any], Data], stretches: Any, axis: int) -> Data:
    r"""Standard errors of what is computed from means over time, by stretches of that time.

    .. math:: s^2 = \frac{W - 1}{W} \sum_w (\theta_{(w)} - \bar\theta_{(\cdot)})^2

    Parameters
    ----------
    statistic : callable
        Takes means over time, the axis of stretches gone, and gives arrays by name.
    stretches : array
        Means over W stretches of equal length, longer than what a stretch knows of the one before.
    axis : int
        That of the stretches.

    Returns
    -------
    mapping
        Of the same names and shapes.

    Examples
    --------
    Of a mean it is the standard error as one knows it:

    >>> values = np.array([1.0, 2.0, 4.0])
    >>> found = jackknife(lambda mean: {"mean": mean}, values, 0)["mean"]
    >>> bool(np.isclose(found, values.std(ddof=1) / 3**0.5))
    True
    """
    count = np.shape(stretches)[axis]
    left_out = [
        statistic(np.delete(stretches, place, axis).mean(axis=axis)) for place in range(count)
    ]
    return {
        key: (count - 1) ** 0.5 * np.std([found[key] for found in left_out], axis=0)
        for key in left_out[0]
    }


def drift(
    key: str,
    how: How,
    computed: Data,
    committed: Data,
    still: tuple[float, float] = (1e-6, 1e-6),
) -> str:
    """How far new numbers are from committed ones, in words; empty within their standard errors.

    Parameters
    ----------
    key : str
        Array.
    how : int, str or Wander
        Its axis of independent runs, the name of the array of its standard errors, or that of the
        standard errors of its points.
    computed, committed : mapping
        Data of a figure.
    still : pair of float
        Relative and absolute tolerance where there is no standard error.
    """
    new, old = (np.asarray(data[key], dtype=float) for data in (computed, committed))
    if isinstance(how, int):
        count = old.shape[how]
        error = old.std(axis=how, ddof=1) / count**0.5
        new, old = new.mean(axis=how), old.mean(axis=how)
    else:
        name = how.error if isinstance(how, Wander) else how
        error = np.asarray(committed[name], dtype=float)
    most = WHOLE
    if isinstance(how, Wander):
        unit = 2**0.5 * error
        most = (WHOLE + SINGLE * (2 / np.shape(np.atleast_1d(error))[-1]) ** 0.5) ** 0.5
    else:
        unit = _pooled(error)
    away = np.abs(new - old)
    if not np.isfinite(away).all():
        return "a value that is no number"
    equal = unit <= 1e-9 * np.maximum(1.0, np.abs(old))  # runs that agree to the last digit
    relative, absolute = still
    if (away > absolute + relative * np.abs(old))[equal].any():
        return f"differs by up to {away[equal].max():.3g} where the runs do not differ at all"
    share = np.where(equal, 0.0, away / np.where(equal, 1.0, unit))
    whole, single = float(_rms(share).max()), float(share.max())
    if whole <= most and single <= SINGLE:
        return ""
    return (
        f"{whole:.2g} standard errors away as a whole, {single:.2g} at one point "
        f"(allowed: {most:.3g} and {SINGLE:g})"
    )


def _pooled(error: Any) -> Any:
    """One unit for each curve: a standard error of five runs alone is a poor estimate."""
    return np.broadcast_to(np.expand_dims(_rms(error), -1), np.shape(np.atleast_1d(error)))


def _rms(values: Any) -> Any:
    return np.sqrt(np.mean(np.square(np.atleast_1d(values)), axis=-1))
