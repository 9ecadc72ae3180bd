"""One call of the solver Clarabel, whatever it stops with."""

from __future__ import annotations

from typing import Any

from verify.limits.foreign import SolverFailed, solver_of_others

__all__ = ["SolverFailed", "solution"]


def solution(*problem: Any) -> Any:
    """The answer of `clarabel.DefaultSolver`.

    Parameters
    ----------
    *problem
        What its constructor takes: quadratic part, cost, matrix, right side, cones, settings.

    Raises
    ------
    SolverFailed
        Where it refuses the programme or breaks off. Eigenvalues that it cannot find make it
        panic, which says nothing about the programme but that another way must be tried.
    ImportError
        Where Clarabel is not installed.
    """
    import clarabel

    with solver_of_others():
        return clarabel.DefaultSolver(*problem).solve()
