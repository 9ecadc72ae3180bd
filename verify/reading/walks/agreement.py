"""Whether what is read of walks, and what is known of them, is what exact walks give.

At random points, in the listed shapes and with other numbers of rounds, both sides and the
hypotheses are compared with the formulas.  So is what is taken for known of every round of every
walk: how the mean square changes, and how far a step leads.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.reading.clients.agreement import known_before
from verify.reading.parts.refusals import asked
from verify.reading.parts.values import Formulas, agree, equal, rational_values
from verify.reading.walks.reading import ROUNDS, WALK, WORDS, K, WalkRead, away, of_mean, recorded
from verify.world.score import score
from verify.world.world import World

__all__ = ["walks_agree"]

MOST = 16
"""Rounds of the longest walk that is looked at."""
FINEST = 16
"""Largest denominator of numbers."""


def walks_agree(statement: Statement, family: Family, read: WalkRead) -> bool:
    """Whether the formulas, and what is taken for known of walks, are what exact walks give."""

    def at(shape: Shape, random: Random) -> bool:
        return _agrees(statement, family, shape, read, random)

    return agree(statement.key, list(_shapes(family, read)), at)


def _shapes(family: Family, read: WalkRead) -> Iterator[Shape]:
    """The listed shapes, long walks cut, and with other numbers of rounds."""
    seen = []
    for shape in family.shapes:
        more = () if known_before() else read.written
        for rounds in (min(shape[ROUNDS], MOST), *more):
            changed = {**shape, ROUNDS: rounds}
            if changed not in seen:
                seen.append(changed)
                yield changed


def _agrees(
    statement: Statement, family: Family, shape: Shape, read: WalkRead, random: Random
) -> bool:
    values = rational_values(family.box, shape, random, FINEST)
    made: list[Any] = []

    def record(w: World) -> Any:
        make: Any = statement.defines[WALK](w)

        def one(*parts: Any) -> Any:
            known = dict(zip(WORDS, map(_one, parts[:-1]), strict=False))
            made.append(({"awake": Fraction(1), **known}, make(*parts)))
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
    above = value(read.factor) * sum(far)
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
        and _known(parts, far, [_one(s) for s in walk.squares])
    )


def _of_mean(walk: Any) -> Any:
    """The mean distance of the average of all points."""
    return _one(walk.of_mean)


def _known(parts: dict[str, Any], far: list[Any], squares: list[Any]) -> bool:
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
        and all(equal(a, s) for a, s in zip(after, squares[1:], strict=False))
        and all(a >= 0 or equal(a, 0) for a in after)
        and all(near)
    )


def _one(value: Any) -> Any:
    entries = np.asarray(value, dtype=object).reshape(-1)
    return entries[0] if len(entries) == 1 else float("nan")
