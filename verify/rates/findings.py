"""What many curves of one rate add up to: ratios, slopes, one e-value, and one word.

The e-value of a rate is the mean of those of all its federations and times, which is an e-value of
the claim that none of them is above its bound; it may be looked at whenever one likes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bounds.numbers.shapes import Array
from verify.rates.curve import Curve
from verify.rates.record import Rate
from verify.verdict import relation
from verify.verdict.relation import ACCUSE

UNDER, CROSSED, ACCUSED, NOWHERE = "under", "crossed", "accused", "no instance"
"""No curve is above its bound as far as can be told; an exact one is; the e-value says so; no
federation meets the hypotheses."""

STEEP = 0.9
"""Slope (negative) from which the bound falls like 1/t over the last decade."""

SEEN, FLATTER, STEEPER = "seen", "flatter", "steeper"
"""Whether the median of the measured slopes lies in the claimed interval, or on which side."""


def part(numbers: Sequence[int], found: Curve) -> dict[str, Any]:
    """Curves of one batch as plain data."""
    return {
        "numbers": list(numbers),
        "times": list(found.times),
        "exact": found.exact,
        **{
            name: [[_plain(x) for x in row] for row in getattr(found, name).tolist()]
            for name in ("left", "right", "spread", "log_e", "met")
        },
    }


def finding(rate: Rate, parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Everything that the parts of a rate say, as plain data, in the order of the numbers.

    Parameters
    ----------
    rate : Rate
    parts : sequence of mappings
        As :func:`part` makes them, in any order.
    """
    rows = sorted(
        (number, i, k) for i, item in enumerate(parts) for k, number in enumerate(item["numbers"])
    )
    numbers = [number for number, _, _ in rows]
    table = {
        name: np.array([parts[i][name][k] for _, i, k in rows], dtype=float)
        for name in ("left", "right", "spread", "log_e", "met")
    }
    times = np.array(parts[0]["times"])
    return {
        "rate": rate.key,
        "statement": rate.statement.key,
        "paper": rate.paper,
        "form": rate.statement.form,
        "problems": rate.problems,
        "way": rate.way,
        "bounded": rate.bounded,
        "iterate": rate.iterate,
        "exact": bool(parts[0]["exact"]),
        "times": times.tolist(),
        "federations": numbers,
        **{name: _rows(values) for name, values in table.items()},
        **summary(rate, times, numbers, table, bool(parts[0]["exact"])),
    }


def summary(
    rate: Rate, times: Array, numbers: Sequence[int], table: Mapping[str, Array], exact: bool
) -> dict[str, Any]:
    """Worst and median ratios by time, worst federation, slopes, e-value and the word."""
    met = table["met"] > 0
    ratio = ratios(table)
    log_e = _log_mean(np.where(met, table["log_e"], 0.0))
    broken = exact & met & relation.broken("<=", table["left"], table["right"])
    if not met.any():
        return {**_without(times), "word": NOWHERE}
    worst = np.where(met.any(axis=0), np.nanmax(np.where(met, ratio, -1.0), axis=0), np.nan)
    middle = [
        float(np.median(ratio[met[:, j], j])) if met[:, j].any() else np.nan
        for j in range(len(times))
    ]
    score = np.where(met, table["log_e"] if not exact else ratio, -np.inf)
    b, j = (int(i) for i in np.unravel_index(int(np.argmax(score)), score.shape))
    accused = not exact and log_e >= np.log(ACCUSE)
    word = ACCUSED if accused else CROSSED if broken.any() else UNDER
    return {
        "log10_e": log_e / np.log(10),
        "worst": [_plain(x) for x in worst],
        "median": [_plain(x) for x in middle],
        "worst_federation": numbers[b],
        "worst_time": int(times[j]),
        "worst_ratio": _plain(float(ratio[b, j])),
        **slopes(times, table, rate.slope),
        "word": word,
    }


def ratios(table: Mapping[str, Array]) -> Array:
    """Measured over bound where the hypotheses hold, nan elsewhere, (federations, times).

    Of the sides as they are compared: a term that the bound subtracts stands on the left.
    """
    with np.errstate(all="ignore"):
        ratio = np.where(table["left"] > 0, table["left"] / table["right"], 0.0)
    return np.where(table["met"] > 0, ratio, np.nan)


def slopes(
    times: Array, table: Mapping[str, Array], claimed: tuple[float, float] | None
) -> dict[str, Any]:
    """Measured and claimed slope of log(measured) over log(t) in the last decade.

    Returns
    -------
    dict
        ``slope``: quartiles over the federations whose bound falls as claimed there (like 1/t where
        nothing is claimed) and whose left side is above its own standard error, None without any;
        ``claimed``; ``order``: whether the median is in the claimed interval.
    """
    found = _measured_slopes(times, table, claimed or (-np.inf, -STEEP))
    quartiles = [float(q) for q in np.quantile(found, [0.25, 0.5, 0.75])] if found else None
    order = None
    if claimed and quartiles:
        low, high = claimed
        order = STEEPER if quartiles[1] < low else FLATTER if quartiles[1] > high else SEEN
    return {"slope": quartiles, "claimed": list(claimed) if claimed else None, "order": order}


def _measured_slopes(
    times: Array, table: Mapping[str, Array], claimed: tuple[float, float]
) -> list[float]:
    last = times >= times[-1] / 10
    found: list[float] = []
    if last.sum() < 3:
        return found
    x = np.log(times[last])
    for left, right, spread, met in zip(
        *(table[name][:, last] for name in ("left", "right", "spread", "met")), strict=True
    ):
        if not (met > 0).all() or (left <= 4 * spread).any() or (right <= 0).any():
            continue
        if claimed[0] <= np.polyfit(x, np.log(right), 1)[0] <= claimed[1]:
            found.append(float(np.polyfit(x, np.log(left), 1)[0]))
    return found


def _log_mean(values: Array) -> float:
    """Logarithm of the mean of exponentials."""
    top = float(values.max())
    return top + float(np.log(np.exp(values - top).mean()))


def _without(times: Array) -> dict[str, Any]:
    nothing = [None] * len(times)
    return {
        "log10_e": 0.0,
        "worst": nothing,
        "median": nothing,
        "worst_federation": None,
        "worst_time": None,
        "worst_ratio": None,
        "slope": None,
        "claimed": None,
        "order": None,
    }


def _rows(values: Array) -> list[list[Any]]:
    return [[_plain(x) for x in row] for row in values.tolist()]


def _plain(x: Any) -> Any:
    return None if isinstance(x, float) and not np.isfinite(x) else x
