"""The optimum of a programme in floats, and multipliers deep inside the cone."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np

from verify.certify.gram.floats import NoSolution
from verify.worst_case.conic import ENOUGH, LEAST, Deep, DualProgramme, Facet, Optimum
from verify.worst_case.programme import GramProgramme

SCALES = (1e-3, 1e3)
"""Limits between which vectors are rescaled by the size that they were found to have."""
ATTEMPTS = ((True, False), (False, False), (True, True), (False, True))
"""Whether the solver scales rows and columns by itself, and whether vectors are rescaled first: an
attempt that stops short of its accuracy in one scale mostly reaches it in another."""

UNBOUNDED = {
    "PrimalInfeasible": "the conditions leave the value unbounded",
    "AlmostPrimalInfeasible": "the conditions leave the value unbounded",
    "DualInfeasible": "no data meet all conditions",
    "AlmostDualInfeasible": "no data meet all conditions",
}
"""Words of the solver, which is given the dual programme, that are about the problem."""

__all__ = ["NoSolution", "optimum", "with_margin"]


def optimum(programme: GramProgramme) -> Optimum:
    """The largest value in floats, with what attains it and what proves it.

    Raises
    ------
    NoSolution
        With the solver's word; also where the largest value is infinite or nothing is possible.
    """
    scale: Mapping[str, float] = {}
    best: Optimum | None = None
    for number, (equilibrated, rescaled) in enumerate(ATTEMPTS):
        if rescaled and best is not None:
            scale = _sizes(programme, best)
        dual = DualProgramme(programme, scale)
        status, answer = dual.solved(None, equilibrated)
        if status in UNBOUNDED:
            raise NoSolution(UNBOUNDED[status])
        numbers = bool(np.isfinite(answer.x).all() and np.isfinite(answer.z).all())
        if status == "Solved":
            if not numbers:
                raise NoSolution("the solver gives no numbers")
            return dual.read(answer, scale)
        if numbers:
            found = dual.read(answer, scale)
            if best is None or found.accuracy < best.accuracy:
                best = found
        if best is not None and best.accuracy < ENOUGH and number:
            return best
    if best is None or best.accuracy > LEAST:
        raise NoSolution(f"the solver says {status}")
    return best


def with_margin(
    programme: GramProgramme,
    found: Optimum,
    excess: float | None,
    *,
    every: bool = False,
    face: Facet | None = None,
) -> Deep | None:
    """Multipliers as deep inside the cone as a bound above the optimum by `excess` allows.

    The margin is that of the matrices, with `every` that of all multipliers of inequalities too;
    without an excess any bound will do.
    """
    dual = DualProgramme(programme, found.scale, face or Facet())
    level = np.inf if excess is None else found.value + excess
    status, answer = dual.solved(level, every=every)
    known = status not in UNBOUNDED and np.isfinite(answer.x).all()
    return dual.deep(answer) if known else None


def _sizes(programme: GramProgramme, found: Optimum) -> Mapping[str, float]:
    """Lengths of vectors in an answer, within limits."""
    return {
        a: float(np.clip(sqrt(max(q, 0.0)), *SCALES))
        for block, gram in zip(programme.blocks, found.grams, strict=True)
        for a, q in zip(block, np.diag(gram), strict=True)
    }
