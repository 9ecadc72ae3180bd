"""From multipliers in floats to an exact proof that the worst case is at most a rational number.

The programme is solved once more for the multipliers that lie deepest inside the cone while the
bound exceeds the optimum by a small tolerance; these are rounded, what must cancel is made to
cancel over the rationals, and the result is checked exactly (:mod:`verify.certify.gram.check`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq

from verify.certify.gram.check import complaint
from verify.certify.gram.claim import GramCertificate
from verify.worst_case.conic import Facet, Multipliers, Optimum
from verify.worst_case.exact.data import Data
from verify.worst_case.exact.exact_proof import assembled, restored
from verify.worst_case.exact.faces import SHALLOW, narrowed, touching
from verify.worst_case.points import rational, real
from verify.worst_case.programme import GramProgramme
from verify.worst_case.solver import NoSolution, with_margin

DIGITS = 50
"""Multipliers are rounded to 2^-50 of the largest: far below what the margin absorbs."""
TOLERANCES = (2e-8, 2e-7, 1e-6, 1e-5)
"""Excess of the bound over the optimum, relative to it or to 1/100, in this order."""
CUTS = (0.0, 1e-7, 1e-5)
"""Shares of the largest multiplier below which one is left out, in this order."""
Way = tuple[float, bool, float]
QUICK: tuple[Way, ...] = tuple(product(TOLERANCES[:2], (False,), CUTS[:1]))
THOROUGH: tuple[Way, ...] = tuple(product(TOLERANCES, (False, True), CUTS))
"""Tolerance, whether all multipliers are to be deep, and cut: tried at once, and at last."""
LARGE = 1000
"""Size of a programme from which only some of these are tried (no unit): each takes seconds."""
PLAIN = 1e-12
"""Share of the largest eigenvalue by which one is negative beyond doubt."""
FACES = 4
"""Programmes in which directions are sought in which no proof can be deep, and one more."""

__all__ = ["proved", "sharp"]


def proved(
    programme: GramProgramme, found: Optimum, claim: str, problem: Mapping[str, Any] | None = None
) -> GramCertificate:
    """A certificate of the smallest bound that can be shown.

    Raises
    ------
    NoSolution
        If nothing that the solver gives passes the exact check.
    """
    wrong = "no multipliers were found"
    for face, (tolerance, every, cut) in _plan(programme, found):
        excess = tolerance * max(abs(found.value), 1e-2)
        deep = with_margin(programme, found, excess, every=every, face=face)
        if deep is None or deep.margin < -SHALLOW:
            continue
        exact = restored(programme, _rounded(programme, deep.multipliers, face, cut), face)
        certificate, wrong = _certified(programme, exact, claim, problem or {})
        if certificate is not None:
            return certificate
    raise NoSolution(f"no exact proof: {wrong}")


def sharp(programme: GramProgramme, found: Optimum, data: Data, claim: str) -> GramCertificate:
    """A certificate that the worst case is no more than what exact data attain.

    Where a proof meets the data nothing is left over: what it leaves of each Gram matrix vanishes
    along the data, and conditions that the data meet with something to spare are not used.

    Raises
    ------
    NoSolution
        If nothing passes the exact check: the data may not attain the worst case.
    """
    wrong = "no multipliers were found"
    face: Facet | None = touching(programme, data)
    for _ in range(FACES):
        if face is None:
            break
        for every in (False, True):
            deep = with_margin(programme, found, None, every=every, face=face)
            if deep is None:
                continue
            for cut in CUTS:
                exact = restored(programme, _rounded(programme, deep.multipliers, face, cut), face)
                certificate, wrong = _certified(programme, exact, claim, {}, data.objective)
                if certificate is not None:
                    return certificate
        face = narrowed(programme, found, face)
    raise NoSolution(f"no exact proof of {data.objective}: {wrong}")


# -- private helpers -------------------------------------------------------------------------------


def _plan(programme: GramProgramme, found: Optimum) -> Iterator[tuple[Facet, Way]]:
    """Faces and ways to try: each face quickly while a smaller one is left, then all thoroughly."""
    faces: list[Facet] = []
    face: Facet | None = Facet()
    while face is not None and len(faces) < FACES:
        faces.append(face)
        yield from ((face, way) for way in QUICK)
        face = narrowed(programme, found, face)
    yield from product(reversed(faces), THOROUGH if programme.size < LARGE else THOROUGH[::6])


def _certified(
    programme: GramProgramme,
    exact: Sequence[Any] | None,
    claim: str,
    problem: Mapping[str, Any],
    bound: Fraction | None = None,
) -> tuple[GramCertificate | None, str]:
    """The certificate of exact multipliers if it passes, and what is wrong with it if not.

    What is plainly wrong in floats is not put to the exact check, which takes much longer.
    """
    if exact is None:
        return None, "what must cancel has no rounded solution"
    pairs = zip(exact, programme.conditions, strict=False)
    if any(q < 0 for q, condition in pairs if not condition.equality):
        return None, "a multiplier of an inequality is negative"
    certificate = assembled(programme, exact, claim, problem, bound)
    if certificate.matrix:
        spread = np.linalg.eigvalsh(np.array(certificate.matrix, dtype=float))
        if spread[0] < -PLAIN * float(spread[-1]):
            return None, "the matrix is not positive semidefinite"
    wrong = complaint(certificate)
    return (None, wrong) if wrong else (certificate, "")


def _rounded(programme: GramProgramme, deep: Multipliers, face: Facet, cut: float) -> list[Any]:
    """Multiples of a power of two near the multipliers.

    Those of inequalities that are negative, or below a share of the largest, are zero.
    """
    flat = [float(q) for q in deep.single]
    for matrix in deep.matrices:
        flat += [float(matrix[r, c]) for c in range(len(matrix)) for r in range(c + 1)]
    largest = max(map(abs, flat), default=0.0) or 1.0
    exponent = int(np.ceil(np.log2(largest))) - DIGITS
    unit = rational(Fraction(2) ** exponent)
    found = [unit * round(q / real(unit)) for q in flat]
    for j, condition in enumerate(programme.conditions):
        if not condition.equality and (j in face.dropped or flat[j] < cut * largest):
            found[j] = fmpq(0)
    return found
