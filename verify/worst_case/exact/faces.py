"""What every proof must leave zero, where the programme has no proof that is deep."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq_mat

from verify.worst_case.conic import Facet, Optimum
from verify.worst_case.exact.data import Data
from verify.worst_case.points import rational
from verify.worst_case.programme import GramProgramme
from verify.worst_case.solver import with_margin

SHALLOW, FLAT = 1e-6, 1e-5
"""Margin below which they are sought, and the share of an eigenvalue that counts as zero."""
GUESSES = ((12, 3e-3), (60, 1e-4))
"""Largest denominator of such a direction, and how far it may be from what was found."""

__all__ = ["SHALLOW", "narrowed", "touching"]


def narrowed(programme: GramProgramme, found: Optimum, face: Facet) -> Facet | None:
    """The face with directions in which no proof can be deep; None if there are none.

    Where the worst case may be far away (nothing bounds some vector), what a proof leaves must
    vanish along the directions that lead there. These are found in floats and taken for rational
    ones; a wrong guess is seen as no proof passes its check.
    """
    deep = with_margin(programme, found, None, face=face)
    if deep is None or deep.margin > SHALLOW:
        return None
    known = [*face.directions]
    for block, left in enumerate(deep.left):
        spread, axes = np.linalg.eigh(left)
        flat = axes[:, spread < FLAT * max(1.0, float(spread[-1]))]
        if not flat.shape[1]:
            continue
        names = programme.blocks[block] if block < len(programme.blocks) else ()
        sizes = np.array([found.scale.get(a, 1.0) for a in names]) if names else 1.0
        basis = _echelon((flat.T * sizes).T)
        if basis is None:
            return None
        known = [(b, c) for b, c in known if b != block]
        known += [(block, tuple(column)) for column in basis]
    more = Facet(tuple(known), face.dropped)
    return None if len(more.directions) == len(face.directions) else more


def touching(programme: GramProgramme, data: Data) -> Facet:
    """What a proof that meets the data exactly leaves zero."""
    directions: list[tuple[int, tuple[Any, ...]]] = []
    for k, block in enumerate(programme.blocks):
        for axis in range(data.dimension):
            line = tuple(rational(data.vectors[a][axis]) for a in block)
            if any(line):
                directions.append((k, line))
    for k, one in enumerate(programme.matrices, len(programme.blocks)):
        rows = fmpq_mat([[rational(data.of(e)) for e in row] for row in one.rows])
        reduced, rank = rows.rref()
        directions += [(k, tuple(reduced[r, c] for c in range(len(one.rows)))) for r in range(rank)]
    spare = {
        j
        for j, c in enumerate(programme.conditions)
        if not c.equality and data.of(c.expression) > 0
    }
    return Facet(tuple(directions), frozenset(spare))


def _echelon(flat: Any) -> list[list[Any]] | None:
    """Short rational vectors that span the same space as the columns; None if none are near."""
    found = np.array(flat, dtype=float)
    for k in range(found.shape[1]):
        row = int(np.argmax(np.abs(found[:, k])))  # of those before nothing is left in it
        found[:, k] /= found[row, k]
        for other in range(found.shape[1]):
            if other != k:
                found[:, other] -= found[row, other] * found[:, k]
    for short, far in GUESSES:
        near = [[Fraction(float(q)).limit_denominator(short) for q in column] for column in found.T]
        if np.abs(np.array(near, dtype=float) - found.T).max(initial=0.0) < far:
            return [[rational(q) for q in column] for column in near]
    return None
