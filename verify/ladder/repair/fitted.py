"""Mends that are read off the sample: which product of powers is missing, and with what number.

Of each term it is known what it must come to for the claim to hold, all else unchanged, and of the
whole right side what is missing.  Among products of powers of the symbols those are proposed that,
with the least number before them, meet that on every instance and lie closest to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.ladder.repair import tuning
from verify.ladder.repair.mends import Mend
from verify.ladder.repair.monomials import further_term, times_product
from verify.ladder.repair.powers import Products, powers_on
from verify.world.score import Score, came_across

Array = np.ndarray[Any, Any]


def fitted(
    relation: str, rows: Sequence[Score], units: Mapping[str, Any], wanted: Any
) -> Iterator[Mend]:
    """Products of powers as a factor of a term, of the right side, or as a further term.

    Parameters
    ----------
    relation : {"<=", ">=", "=="}
    rows : sequence of Score
        The sample, batches of one shape each.
    units : mapping
        Exponents of (loss, length) by symbol.
    wanted : tuple or None
        Those of the left side.
    """
    found = powers_on(rows, units)
    if found is None:
        return
    left, right = (_whole(rows, side) for side in ("left", "right"))
    if left is None or right is None:
        return
    pure = found.with_unit(units, (0.0, 0.0))
    names = [name for name in rows[0].terms[1] if not came_across(name)]
    for place in ["", *(names if len(names) > 1 else ())]:
        term = right if not place else _term(rows, place)
        if term is not None and (term > 0).any():
            for powers, factor in _least(relation, pure, left, right - term, term):
                yield times_product(place, powers, factor, part=place)
    if relation != ">=":
        one = np.ones_like(right)
        for powers, factor in _least(relation, found.with_unit(units, wanted), left, right, one):
            yield further_term(powers, factor)


def _least(
    relation: str, powers: Products, left: Array, rest: Array, term: Array
) -> list[tuple[dict[str, int], Fraction]]:
    """Products with the least number that makes ``rest + number * product * term`` enough.

    Those that come closest to the left side, on average over the rows, first.
    """
    if not len(powers.exponents):
        return []
    asked = left - rest > tuning.NOTHING_LEFT * np.abs(left)
    if not asked.any() or (relation != "<=" and not asked.all()):
        return []
    values = powers.values
    # where a term is zero no factor makes it enough
    need = np.log(np.where(asked, (left - rest) / term, 1.0)) - values
    if relation == "<=":
        logs = np.where(asked, need, -np.inf).max(axis=1)
    else:
        logs = need.min(axis=1)
        if relation == "==":
            logs[need.max(axis=1) - logs > tuning.SAME] = np.inf
    rounded = [_above(np.exp(log), relation) for log in logs]
    numbers = np.array([np.nan if f is None else float(f) for f in rounded])
    sides = rest + numbers[:, None] * np.exp(values) * term
    gap = np.abs(np.log(np.abs(sides)) - np.log(left)).mean(axis=1) + powers.sizes() / 16
    order = np.argsort(np.where(np.isfinite(gap), gap, np.inf), kind="stable")
    best = order[: tuning.MOST_FITTED]
    return [
        (powers.of(i), f) for i in best if np.isfinite(gap[i]) and (f := rounded[i]) is not None
    ]


def _above(value: float, relation: str) -> Fraction | None:
    """The short number next to a value, on the side on which the claim holds."""
    if not np.isfinite(value):
        return None
    if relation == "<=":
        enough = [f for f in tuning.NUMBERS if float(f) >= value * (1 - tuning.SAME)]
        return min(enough, default=None)
    enough = [f for f in tuning.NUMBERS if float(f) <= value * (1 + tuning.SAME)]
    nearest = max(enough, default=None)
    if relation == "==" and nearest is not None and value > float(nearest) * (1 + tuning.SAME):
        return None
    return nearest


def _whole(rows: Sequence[Score], side: str) -> Array | None:
    """A side on each instance, None where it differs from outcome to outcome."""
    parts = [np.asarray(xp.to_float(getattr(row, side)), dtype=float) for row in rows]
    return _joined(rows, parts)


def _term(rows: Sequence[Score], name: str) -> Array | None:
    if any(name not in row.terms[1] for row in rows):
        return None
    return _joined(rows, [np.asarray(xp.to_float(row.terms[1][name]), dtype=float) for row in rows])


def _joined(rows: Sequence[Score], parts: Sequence[Array]) -> Array | None:
    columns = []
    for row, part in zip(rows, parts, strict=True):
        if part.ndim > 2 or (part.ndim == 2 and part.shape[1] != 1):
            return None
        columns.append(np.broadcast_to(part.reshape(-1), len(row.ratio)))
    whole = np.concatenate(columns)
    return whole if np.isfinite(whole).all() and (whole >= 0).all() else None
