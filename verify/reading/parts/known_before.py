"""Whether formulas have been held to a program before, so that less of it is looked at again.

So it is with a proof that a search has found for this very text of a statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["fewer_points", "known_before"]

_KNOWN: ContextVar[bool] = ContextVar("known_before", default=False)
"""Readers that need two points to tell (whether clients wait in a run) never take fewer; they leave
out sizes beyond the listed ones."""


@contextmanager
def fewer_points() -> Iterator[None]:
    """One point per shape in a block, where the formulas have been held to the program before."""
    token = _KNOWN.set(True)
    try:
        yield
    finally:
        _KNOWN.reset(token)


def known_before() -> bool:
    """Whether the formulas have been held to the program before: inside `fewer_points`."""
    return _KNOWN.get()
