"""Code, files and solvers that are not this package's: what they raise becomes one exception.

Nothing else in the package catches every exception, or those by which Python tells a typo
(`TypeError`, `AttributeError`): a test sees to that.  What is raised inside a block stands in the
exception's ``met``, so that a message can name it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from zipfile import BadZipFile

from verify.limits.clock import OutOfTime, TooLong
from verify.limits.counter import OutOfEffort
from verify.limits.ctrl_c import pressed

__all__ = [
    "LIMITS",
    "CodeFailed",
    "NotAsWritten",
    "SolverFailed",
    "code_of_others",
    "file_of_others",
    "solver_of_others",
]

LIMITS = (OutOfTime, OutOfEffort, TooLong)
"""What stops a computation from outside."""

PANIC = "PanicException"
"""What the binding of a solver in Rust raises where the solver gives up; it is no `Exception` and
has no module to import it from."""


class _Met(Exception):
    """Something was raised inside a block; ``met`` is what."""

    def __init__(self, met: BaseException) -> None:
        super().__init__(f"{type(met).__name__}: {met}")
        self.met = met


class CodeFailed(_Met):
    """Code that is not this package's, or that was given to it, has raised."""


class NotAsWritten(_Met):
    """What a file holds is not what its reader wrote."""


class SolverFailed(Exception):
    """A solver stopped without an answer: what it said."""


@contextmanager
def code_of_others(*through: type[Exception], exits: bool = False) -> Iterator[None]:
    """Raise `CodeFailed` for whatever is raised inside.

    Parameters
    ----------
    through : types
        Exceptions that pass as they are, since they are raised on purpose.
    exits : bool
        Whether an attempt to end the process counts too. Ctrl-C and limits always pass.

    Raises
    ------
    CodeFailed

    Examples
    --------
    >>> with code_of_others(ValueError):
    ...     None.x
    Traceback (most recent call last):
    ...
    verify.limits.foreign.CodeFailed: AttributeError: 'NoneType' object has no attribute 'x'
    """
    as_they_are: tuple[type[BaseException], ...] = (CodeFailed, *LIMITS, *through)
    try:
        yield
    except as_they_are:
        raise
    except BaseException as error:
        asked_to_end = isinstance(error, KeyboardInterrupt) and pressed()
        if not isinstance(error, Exception) and (asked_to_end or not exits):
            raise
        raise CodeFailed(error) from error


@contextmanager
def file_of_others(*through: type[Exception]) -> Iterator[None]:
    """Raise `NotAsWritten` for what a changed file does to its reader.

    A schema fixes the outer shape of a file; what lies inside is read by many modules, and may be
    of any kind there.

    Parameters
    ----------
    through : types
        Exceptions that pass as they are.

    Raises
    ------
    NotAsWritten

    Examples
    --------
    >>> with file_of_others():
    ...     [1, 2]["key"]
    Traceback (most recent call last):
    ...
    verify.limits.foreign.NotAsWritten: TypeError: list indices must be integers or slices, not str
    """
    try:
        yield
    except through:
        raise
    except (
        ArithmeticError,
        AttributeError,
        BadZipFile,
        EOFError,
        LookupError,
        RuntimeError,
        TypeError,
        ValueError,
        zlib.error,
    ) as error:
        raise NotAsWritten(error) from error


@contextmanager
def solver_of_others() -> Iterator[None]:
    """Raise `SolverFailed` for what a solver in another language raises.

    It refuses numbers that it cannot take, and where it finds no eigenvalues it panics, which says
    nothing about the programme but that another way must be tried.

    Raises
    ------
    SolverFailed

    Examples
    --------
    >>> with solver_of_others():
    ...     raise RuntimeError("no step")
    Traceback (most recent call last):
    ...
    verify.limits.foreign.SolverFailed: the solver failed: RuntimeError no step
    """
    try:
        yield
    except (ArithmeticError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        raise SolverFailed(f"the solver failed: {type(error).__name__} {error}") from error
    except BaseException as error:
        if type(error).__name__ != PANIC:
            raise
        raise SolverFailed(f"the solver broke off: {error}") from error
