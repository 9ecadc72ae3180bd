"""The two solvers in floats: what they answer proposes, what they fail at is said.

Nothing rests on an answer: multipliers are rounded and checked exactly.  Whoever asks for a proof
inside `complaints` learns why a solver gave none, so that a search without a proof says whether
there was nothing to find or nobody to look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.limits.foreign import SolverFailed, solver_of_others

Array = np.ndarray[Any, Any]
_heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)

SOLVED, FAILED, INFEASIBLE = 0, 1, 2
"""Status of a programme; that it has no solution is an answer."""

__all__ = ["Answer", "complain", "complaints", "linear_answer", "simplex"]


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Collect why solvers gave no answer, each reason once.

    Examples
    --------
    >>> with complaints() as said:
    ...     complain("the solver ran out of memory")
    ...     complain("the solver ran out of memory")
    >>> said
    ['the solver ran out of memory']
    """
    said: list[str] = []
    before = _heard.set(said)
    try:
        yield said
    finally:
        _heard.reset(before)


def complain(reason: str) -> None:
    """Tell whoever listens why there is no answer."""
    said = _heard.get()
    if said is not None and reason not in said:
        said.append(reason)


@dataclass
class Answer:
    """What the simplex method says: `SOLVED` with the values, `INFEASIBLE`, or why neither."""

    status: int
    x: Any = None
    message: str = ""


def simplex(cost: Sequence[float], equations: Any, right: Array) -> Answer:
    """Minimise a linear cost over the non-negative solutions of linear equations.

    Parameters
    ----------
    cost : sequence of float, (columns,)
    equations : sparse array, (rows, columns)
        Stored by columns.
    right : array, (rows,)

    Returns
    -------
    Answer

    Notes
    -----
    HiGHS is called without the checks and the presolve of `scipy.optimize.linprog`, which take
    most of the time for programmes as small as these; the dual simplex method is the same.
    """
    import highspy

    rows, columns = equations.shape
    programme = highspy.HighsLp()
    programme.num_row_, programme.num_col_ = rows, columns
    programme.col_cost_ = np.asarray(cost, dtype=float)
    programme.col_lower_ = np.zeros(columns)
    programme.col_upper_ = np.full(columns, highspy.kHighsInf)
    programme.row_lower_ = programme.row_upper_ = np.asarray(right, dtype=float)
    matrix = programme.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_, matrix.index_ = equations.indptr, equations.indices
    matrix.value_ = equations.data
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (("output_flag", False), ("presolve", "off"), ("solver", "simplex")):
        solver.setOptionValue(option, value)
    solver.passModel(programme)
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return Answer(SOLVED, solver.getSolution().col_value)
    if status == highspy.HighsModelStatus.kInfeasible:
        return Answer(INFEASIBLE)
    return Answer(FAILED, message=f"the solver says {solver.modelStatusToString(status)}")


def linear_answer(cost: list[float], equations: Any, right: Array) -> Array | None:
    """The cheapest non-negative solution of linear equations, in floats.

    Parameters
    ----------
    cost : list of float, (columns,)
    equations : sparse array, (rows, columns)
    right : array, (rows,)

    Returns
    -------
    array, (columns,)
        None where there is none, and where the solver fails, which is told.
    """
    try:
        with solver_of_others():
            answer = simplex(cost, equations, right)
    except SolverFailed as error:
        complain(str(error).replace("the solver", "the linear solver", 1))
        return None
    if answer.status != SOLVED:
        if answer.status != INFEASIBLE:
            complain(f"the linear solver failed: {answer.message}")
        return None
    values = np.asarray(answer.x, dtype=float)
    if values.shape != (len(cost),) or not np.isfinite(values).all():
        complain("the linear solver gave no numbers")
        return None
    return values
