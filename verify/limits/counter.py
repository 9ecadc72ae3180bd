"""Limits by a counter: where a search gives up depends on no clock, nor on what else runs.

The search for a proof tells what it spends: the terms of all products that are put before the
solver of linear programmes, and each system of facts that is asked for a contradiction like so many
terms.  Of a program that tells nothing (a side that may list ever more) the calls and the memory
are counted.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from types import FrameType
from typing import Any

import numpy as np

QUESTION = 500
"""Terms that take about as long as a system without any programme does."""

CALLS = ("call", "c_call")
"""What Python tells of a call."""

IN_A_ROW = 200
"""Steps of generators with nothing between, after which one that is used up by C is stopped."""

BYTES_PER_CALL = 1024
"""Memory that counts like one call."""

TRACED = 5_000
"""Calls in which all memory is traced: a program of arrays makes few."""

__all__ = [
    "QUESTION",
    "Meter",
    "OutOfEffort",
    "counted",
    "met_before",
    "metered",
    "spend",
    "work_of",
]


class OutOfEffort(BaseException):
    """A search or a program has done what it may do; no `except Exception` swallows it."""


@dataclass
class Meter:
    """What has been spent, how much may be (None: any), and for what."""

    most: int | None
    spent: int = 0
    met: set[Hashable] = field(default_factory=set)


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered(most: int | None = None) -> Iterator[Meter]:
    """Count the effort of searches inside the block, and stop them beyond so much.

    Examples
    --------
    >>> with metered(10) as meter:
    ...     spend(4)
    >>> meter.spent
    4
    """
    meter = Meter(most)
    before = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(before)


def spend(terms: int) -> None:
    """Add to the count.

    Raises
    ------
    OutOfEffort
        Once it is above what may be spent.
    """
    meter = _meter.get()
    if meter is None:
        return
    meter.spent += terms
    if meter.most is not None and meter.spent > meter.most:
        raise OutOfEffort


@contextmanager
def counted() -> Iterator[Meter]:
    """Count the effort inside the block apart, as a part of what may be spent around it."""
    around = _meter.get()
    if around is None:
        inner = Meter(None)
    else:
        left = None if around.most is None else around.most - around.spent
        inner = Meter(left, met=around.met)
    before = _meter.set(inner)
    try:
        yield inner
    finally:
        _meter.reset(before)
        if around is not None:
            around.spent += inner.spent


def met_before(question: Hashable) -> bool:
    """Whether a question has been told of in this count; from now on it has."""
    meter = _meter.get()
    if meter is None or question in meter.met:
        return True
    meter.met.add(question)
    return False


def work_of(program: Callable[[], object], most: int) -> int:
    """Calls that a program makes, and kilobytes; `most` where it is more.

    Those that it holds at most in its first `TRACED` calls, as to trace more is dear, and of the
    arrays that its functions hand on later.

    Parameters
    ----------
    program : callable
        Called once, and stopped after so much.
    most : int
        From here on a count does not matter.

    Returns
    -------
    int
    """
    calls, kilobytes, last, row = 0, 0.0, None, 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal calls, kilobytes, last, row
        if event in CALLS:
            calls += 1
            if calls == TRACED:
                kilobytes = peak.end()
        elif calls > TRACED and type(argument) is np.ndarray and argument is not last:
            kilobytes += argument.nbytes / BYTES_PER_CALL
            last = argument
        # what is raised in a generator that is thrown away is lost, and this count with it
        row = row + 1 if frame.f_code.co_flags & CO_GENERATOR else 0
        if calls + kilobytes > most and not 0 < row < IN_A_ROW:
            raise OutOfEffort

    before, peak = sys.getprofile(), _Peak()
    sys.setprofile(count)
    try:
        program()
    except OutOfEffort:
        if calls + kilobytes <= most:  # another count's
            raise
    finally:
        sys.setprofile(before)
        kilobytes += peak.end()
    return min(calls + int(kilobytes), most)


class _Peak:
    """The most memory that is held at a time from now on to the end, in kilobytes."""

    def __init__(self) -> None:
        self._traced, self._ended = tracemalloc.is_tracing(), False
        if not self._traced:
            tracemalloc.start()
        tracemalloc.reset_peak()
        self._held = tracemalloc.get_traced_memory()[0]

    def end(self) -> float:
        """What it was, the first time; tracing ends unless others do it."""
        if self._ended:
            return 0.0
        self._ended = True
        found = tracemalloc.get_traced_memory()[1] - self._held
        if not self._traced:
            tracemalloc.stop()
        return found / BYTES_PER_CALL
