"""One call of the solver Clarabel, whatever it stops with."""

from __future__ import annotations

from typing import Any

__all__ = ["SolverFailed", "solution"]

PANIC = "PanicException"
"""What the binding raises where the solver itself gives up; it is no `Exception` and has no module
to import it from."""


class SolverFailed(Exception):
    """The solver stopped without an answer: what it said."""


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

    try:
        return clarabel.DefaultSolver(*problem).solve()
    except (ArithmeticError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        raise SolverFailed(f"the solver failed: {type(error).__name__} {error}") from error
    except BaseException as error:
        if type(error).__name__ != PANIC:
            raise
        raise SolverFailed(f"the solver broke off: {error}") from error
