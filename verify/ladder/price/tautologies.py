"""What makes a claim true whatever it is about: tautologies, seen on what the search has kept.

A claim may be its own hypothesis, compare a number with the largest of several that it is one of,
or have sides that are one quantity.  None of this makes it false, so that the word stays; but
whoever reads the word is told first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from verify.claim.statement import Statement
from verify.reading.parts.symbols import written
from verify.world.score import Score

__all__ = ["looked_through"]

ALIKE = 1e-12
"""Relative distance of two floats that one quantity, computed in two ways, may have."""

CLOSE = 1e-9
"""Relative distance of a margin from a multiple of the difference of both sides."""

LEAST = 8
"""Instances that tell a claim from a chance agreement."""


def looked_through(statement: Statement, kept: Sequence[Score]) -> dict[str, Any]:
    """Which tautology a claim is, if any.

    Parameters
    ----------
    statement : Statement
    kept : sequence of Score
        Batches of instances, some of which meet the hypotheses.

    Returns
    -------
    dict
        ``identity``, that an equation has neither hypotheses nor runs, so that where it stands
        both sides are one quantity; ``premise``, the hypothesis that an inequality repeats;
        ``alike``, that its sides are one number wherever it applies; ``extreme``, that one side is
        the largest or the smallest of numbers of which the other is one. What is not is left out.
    """
    if statement.over == "prob" or statement.relation == "<~" or not kept:
        return {}
    if statement.relation == "==":
        assumed = any(h.tag != "defining" for h in statement.given)
        free = not assumed and all(result.world.runs == 0 for result in kept)
        return {"identity": True} if free else {}
    with np.errstate(all="ignore"):  # sides may be infinite
        for h in statement.given:
            if _repeats(h.name, kept):
                return {"premise": h.name}
        if _alike(kept):
            return {"alike": True}
        touches = _touches(kept)
    return {"extreme": True} if touches and _is_extreme(statement) else {}


def _sides(result: Score) -> tuple[Any, Any]:
    left, right = (np.asarray(side, dtype=float) for side in (result.left, result.right))
    return (right, left) if result.relation == ">=" else (left, right)


def _alike(kept: Sequence[Score]) -> bool:
    """Whether both sides are one number, and not the same one, on every instance that counts."""
    seen: set[float] = set()
    for result in kept:
        low, high = (side[result.feasible] for side in np.broadcast_arrays(*_sides(result)))
        low, high = (side[np.isfinite(low) & np.isfinite(high)] for side in (low, high))
        if not (np.abs(low - high) <= ALIKE * np.maximum(np.abs(low), np.abs(high))).all():
            return False
        seen |= set(np.unique(low)[:LEAST].tolist())
    return len(seen) >= LEAST


def _repeats(name: str, kept: Sequence[Score]) -> bool:
    """Whether the margin of a hypothesis is the difference of both sides, times a number above 0.

    Instances that miss the hypothesis count as well: where it is the claim, the claim falls there.
    """
    rows: list[Any] = []
    for result in kept:
        margin = np.asarray(result.margins[name], dtype=float)
        low, high = _sides(result)
        if margin.shape[-1] not in (1, low.shape[-1]):
            return False
        parts = np.broadcast_arrays(margin, high - low, np.maximum(np.abs(low), np.abs(high)))
        rows.append(np.stack([part.ravel() for part in parts]))
    margin, gap, size = np.concatenate(rows, axis=1)
    whole = np.isfinite(margin) & np.isfinite(gap)
    margin, gap, size = margin[whole], gap[whole], size[whole]
    clear = np.abs(gap) > CLOSE * size
    if np.unique(gap[clear]).size < LEAST:
        return False
    factor = float(np.median(margin[clear] / gap[clear]))
    off = np.abs(margin - factor * gap)
    room = CLOSE * np.abs(factor) * np.abs(gap) + ALIKE * np.abs(factor) * size
    return factor > 0 and bool((off <= room).all())


def _touches(kept: Sequence[Score]) -> bool:
    """Whether both sides are one number on some instances, and differ on others."""
    pairs = [np.broadcast_arrays(*_sides(result)) for result in kept]
    equal = [
        (low == high)[result.feasible] for (low, high), result in zip(pairs, kept, strict=True)
    ]
    return any(part.any() for part in equal) and not all(part.all() for part in equal)


def _is_extreme(statement: Statement) -> bool:
    """Whether one side is, by its formula, an extreme of numbers of which the other is one.

    Formulas of large shapes are long: the first shape in which it is none is the last that is read.
    """
    family = statement.family
    read = (replace(statement, family=replace(family, shapes=(s,))) for s in family.shapes)
    return all(map(_holds_one_everywhere, read))


def _holds_one_everywhere(statement: Statement) -> bool:
    formulas = written(statement)
    return bool(formulas) and all(
        _holds_one(*(pair if statement.relation == "<=" else pair[::-1])) for pair in formulas
    )


def _holds_one(low: Any, high: Any) -> bool:
    import sympy

    low, high = sympy.sympify(low), sympy.sympify(high)
    if not (high.has(sympy.Max) or low.has(sympy.Min)):
        return False
    low, high = low.doit(), high.doit()  # a sum with nothing is as it was written until now
    inside = isinstance(high, sympy.Max) and low in high.args
    return inside or (isinstance(low, sympy.Min) and high in low.args)
