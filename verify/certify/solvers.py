"""The two solvers in floats: what they answer proposes, what they fail at is said.

Nothing rests on an answer: multipliers are rounded and checked exactly.  Whoever asks for a proof
inside `complaints` learns why a solver gave none, so that a search without a proof says whether
there was nothing to find or nobody to look.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from scipy.optimize import linprog

Array = np.ndarray[Any, Any]
_heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)

INFEASIBLE = 2
"""Status of a programme that has no solution, which is an answer."""

__all__ = ["complain", "complaints", "linear_answer"]


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
    solve: Any = linprog  # the stubs know dense matrices only
    try:
        answer = solve(cost, A_eq=equations, b_eq=right, method="highs-ds")
    except (ArithmeticError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        complain(f"the linear solver failed: {type(error).__name__} {error}")
        return None
    if answer.status != 0:
        if answer.status != INFEASIBLE:
            said = str(getattr(answer, "message", "")).strip() or f"status {answer.status}"
            complain(f"the linear solver failed: {said}")
        return None
    values = np.asarray(answer.x, dtype=float)
    if values.shape != (len(cost),) or not np.isfinite(values).all():
        complain("the linear solver gave no numbers")
        return None
    return values
