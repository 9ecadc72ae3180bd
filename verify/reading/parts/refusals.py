"""What a reader says where a program has no form in symbols, and what is a fault of the reader.

Readers raise `NotReadable` on purpose and catch nothing else.  What a statement's own program
refuses (a shape that it is not made for, a point at which it has no value) becomes one where it is
run.  Any other error is a fault in a reader: it is told in one warning, which is an error in tests,
and no proof is claimed.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from bounds.numbers.symbolic import NotReadable
from verify.world.noise_plan import NotAvailable, NoValue

__all__ = ["Known", "NotReadable", "NumberOfRounds", "ReaderFault", "asked", "noted_faults", "told"]


NOT_REAL = "Invalid comparison of non-real"
"""What sympy says where a program compares what has no value, as the logarithm of zero."""

HOME = Path(__file__).parents[3]
OWN = (HOME / "verify" / "reading", HOME / "bounds" / "numbers")
"""Where a fault is one of the readers, or of the symbols that they put into programs."""


_NOTED: ContextVar[list[str] | None] = ContextVar("noted", default=None)


@contextmanager
def noted_faults() -> Iterator[list[str]]:
    """Faults of readers that are told inside, each with file and line of the package."""
    found: list[str] = []
    token = _NOTED.set(found)
    try:
        yield found
    finally:
        _NOTED.reset(token)


class ReaderFault(UserWarning):
    """A reader has failed where it should have said that a program is not readable."""


@contextmanager
def asked() -> Iterator[None]:
    """Run the program of a statement inside: what it refuses is not readable.

    Raises
    ------
    NotReadable
        Where the program has no value in this shape, at this point or with these symbols.
    """
    try:
        yield
    except NotReadable:
        raise
    except NoValue as error:
        cause = error.__cause__
        if isinstance(cause, TypeError) and NOT_REAL in str(cause):
            raise NotReadable("a comparison with what is no real number") from error
        if cause is not None and _own_frame(cause):
            raise cause from None  # the program came back to a reader, or to its symbols
        raise NotReadable(f"{error}") from error
    except (NotAvailable, ValueError, LookupError, ArithmeticError) as error:
        raise NotReadable(f"{error}") from error


def told(error: BaseException, key: str) -> str:
    """Warn of a fault, and the same in words.

    Parameters
    ----------
    error : Exception
        Whatever is not a `NotReadable`.
    key : str
        Of the statement that was read.
    """
    place, line = _own_frame(error) or ("", None)
    where = f"{place}, line {line}, " if place else ""
    text = f"{key}: reader {where}failed: {type(error).__name__}: {error}"
    noted = _NOTED.get()
    if noted is not None:
        noted.append(text)
    warnings.warn(text, ReaderFault, stacklevel=3)
    return text


def _own_frame(error: BaseException) -> tuple[str, int | None] | None:
    """File and line of the innermost frame that is ours; None where there is none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if any(folder in path.parents for folder in OWN):
            return path.relative_to(HOME).as_posix(), frame.lineno
    return None


class Known:
    """What stands in for a problem, as a program sees it: what it does not say is not readable."""

    def __init__(self, stand_in: Any) -> None:
        self._stand_in = stand_in

    def __getattr__(self, name: str) -> Any:
        stand_in = self.__dict__["_stand_in"]
        if name.startswith("__") or name in dir(stand_in):
            return getattr(stand_in, name)
        raise NotReadable(f"nothing is known of {name} where losses are any of a class")


class NumberOfRounds(int):
    """A number of rounds that counts, and with which one calculates, but that is not compared.

    A program that asks whether there are more than so many rounds may say something else of numbers
    at which it is not run.
    """

    def _compared(self, other: object) -> bool:
        raise NotReadable("a program that compares the number of rounds")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compared
    __hash__ = int.__hash__

    def __bool__(self) -> bool:
        raise NotReadable("a program that asks whether there are rounds")
