"""Whether what is read of walks, and what is known of them, is what exact walks give.

At random points, in the listed shapes and with other numbers of rounds, both sides and the
hypotheses are compared with the formulas.  So is what is taken for known of every round of every
walk: how the mean square changes, and how far a step leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import asked
from verify.reading.parts.values import Formulas, agree, equal, rational_values
from verify.reading.walks.reading import (
    ROUNDS,
    WALK,
    WORDS,
    K,
    WalkRead,
    away,
    filled,
    of_mean,
    recorded,
)
from verify.world.score import score
from verify.world.world import World

__all__ = ["fewest_rounds"]

MOST, LONG = 16, 5
"""Rounds of the longest walk that is looked at, and of one beside those that are written out."""
FINEST = 16
"""Largest denominator of numbers."""


def fewest_rounds(statement: Statement, family: Family, read: WalkRead) -> int:
    """From how many rounds on formulas, and what is taken for known of walks, are what walks give.

    From one where the mean squares are known exactly, from the fewest that are listed where it is
    known what they are at most; zero for not at all.
    """
    listed = min(shape[ROUNDS] for shape in family.shapes)
    for exact, fewest in ((True, 1), (False, listed)):
        counts = () if known_before() else (n for n in (*read.written, LONG) if n >= fewest)
        shapes = list(_shapes(family, [*counts]))

        def at(shape: Shape, random: Random, exact: bool = exact) -> bool:
            return _agrees(statement, family, shape, read, random, exact)

        if agree(statement.key, shapes, at):
            return fewest
    return 0


def _shapes(family: Family, counts: Sequence[int]) -> Iterator[Shape]:
    """The listed shapes, long walks cut, and with other numbers of rounds."""
    seen = []
    for shape in family.shapes:
        for rounds in (min(shape[ROUNDS], MOST), *counts):
            changed = {**shape, ROUNDS: rounds}
            if changed not in seen:
                seen.append(changed)
                yield changed


def _agrees(
    statement: Statement,
    family: Family,
    shape: Shape,
    read: WalkRead,
    random: Random,
    exact: bool,
) -> bool:
    values = rational_values(family.box, shape, random, FINEST)
    made: list[Any] = []

    def record(w: World) -> Any:
        make: Any = statement.defines[WALK](w)

        def one(*parts: Any) -> Any:
            known = [Fraction(p) if type(p) is int else _one(p) for p in filled(parts[:-1])]
            made.append((dict(zip(WORDS, known, strict=True)), make(*parts)))
            return made[-1][1]

        return one

    asked_for = recorded(statement, record)
    with asked(), unchecked():
        instance = family.instance({k: v[None] for k, v in values.items()}, shape)
        found = score(asked_for, instance, "exact")
    here = Formulas(shape, "", None, {**read.sizes, ROUNDS: K})
    table: Any = {(n, ()): v.item() for n, v in values.items()}
    for number, (_, walk) in enumerate(made):
        for k, far_off in enumerate(walk.distances):
            table[str(away(number, k)), ()] = _one(far_off)
        if hasattr(walk, "of_mean"):
            table[str(of_mean(number)), ()] = _one(walk.of_mean)

    def value(e: Any) -> Any:
        return here.at(e, {}, table)

    parts, walk = made[-1]
    far = [_one(d) for d in walk.distances]
    left, right = _one(found.left), _one(found.right)
    above = value(read.rest) + value(read.factor) * sum(far)
    n = shape[ROUNDS]
    sides = equal(above, left) or (read.least and left < above)
    if hasattr(walk, "of_mean"):
        average = sum(far) / len(far)
        sides = sides and (_of_mean(walk) <= average or equal(_of_mean(walk), average))
    if n in read.written:
        sides = sides and equal(value(read.written[n].left[()]), left)
    return bool(
        sides
        and len(far) == n
        and equal(value(read.right), right)
        and set(read.margins) == set(found.margins)
        and all(equal(value(e), _one(found.margins[m])) for m, e in read.margins.items())
        and all(equal(value(read.walk[word]), parts[word]) for word in WORDS)
        and _known(parts, far, [_one(s) for s in walk.squares], exact)
    )


def _of_mean(walk: Any) -> Any:
    """The mean distance of the average of all points."""
    return _one(walk.of_mean)


def _known(parts: dict[str, Any], far: list[Any], squares: list[Any], exact: bool) -> bool:
    """What is taken for known of a walk."""
    share, start, step, awake = (parts[word] for word in WORDS)
    after = [
        s - 2 * step * awake * share * d + step**2 * awake
        for s, d in zip(squares, far, strict=True)
    ]
    near = [
        d <= abs(start) + k * step or equal(d, abs(start) + k * step) for k, d in enumerate(far)
    ]
    return bool(
        0 <= share <= 1
        and 0 < awake <= 1
        and step >= 0
        and equal(squares[0], start**2)
        and all(
            equal(a, s) or (a > s and not exact) for a, s in zip(after, squares[1:], strict=False)
        )
        and all(d >= 0 for d in far)
        and all(a >= 0 or equal(a, 0) for a in after)
        and all(near)
    )


def _one(value: Any) -> Any:
    entries = np.asarray(value, dtype=object).reshape(-1)
    return entries[0] if len(entries) == 1 else float("nan")
