"""Numbers that a program names, at which it may say something else than at those that are read.

A program that is run with a few sizes, of rounds or of clients, may ask whether there are more than
twenty.  To do so it must have the number twenty: as a literal, as a constant, in a closure or for
an argument.  The sizes around all numbers that it is seen to have are read too.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isfinite
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from verify.reading.parts.known_before import known_before

__all__ = ["NamedSizes", "around"]

_HOME = Path(__file__).parents[3]
_OWN = tuple(
    str(_HOME / name)
    for name in (
        "verify/reading",
        "verify/world",
        "verify/claim",
        "bounds/numbers",
        "bounds/generic",
    )
)
_OTHERS = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib"))
"""Where code is that is no statement's."""


class NamedSizes:
    """Whole numbers that programs have had while they were listened to."""

    def __init__(self) -> None:
        self._constants: set[int] = set()
        self._told: set[int] | None = None
        self._seen: set[CodeType] = set()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Inside the block a program is run, with other sizes each time."""
        if known_before():  # what it names is not read again
            yield
            return
        before, told = sys.gettrace(), set[int]()

        def heard(frame: FrameType, event: Any, arg: Any) -> Any:  # of calls alone
            if _counts(frame.f_code.co_filename):
                self._hear(frame, told)
            return None if before is None else before(frame, event, arg)

        sys.settrace(heard)
        try:
            yield
        finally:
            sys.settrace(before)
            self._told = told if self._told is None else self._told & told

    def _hear(self, frame: FrameType, told: set[int]) -> None:
        code, known = frame.f_code, frame.f_locals
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            told.update(_whole(known.get(name)))
        if code not in self._seen:
            self._seen.add(code)
            every = (frame.f_globals.get(name) for name in code.co_names)
            for value in (*code.co_consts, *(known.get(n) for n in code.co_freevars), *every):
                self._constants.update(_whole(value))

    @property
    def found(self) -> frozenset[int]:
        """What has been heard, and of arguments what was one in every block."""
        return frozenset(self._constants | (self._told or set()))


def around(numbers: Iterable[int], above: int, most: int) -> list[int]:
    """Sizes next to the numbers, above one that is read and not above another.

    Of what is done before the twentieth round the rounds that follow are seen in twenty-two.

    Examples
    --------
    >>> around([2, 20, 1000], 5, 64)
    [19, 20, 21, 22]
    """
    return sorted({n + i for n in numbers for i in (-1, 0, 1, 2) if above < n + i <= most})


def _whole(value: Any) -> Iterator[int]:
    """Whole numbers in a value, and those next to one that is none."""
    if isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _whole(one)
    elif isinstance(value, dict):
        yield from _whole((*value.keys(), *value.values()))
    elif type(value) is int:  # one that counts sizes is not named by the program
        yield value
    elif isinstance(value, float | Fraction) and isfinite(value):
        yield from (floor(value), ceil(value))


@lru_cache(1_000)
def _counts(filename: str) -> bool:
    return not filename.startswith((*_OWN, *_OTHERS, "<frozen"))
