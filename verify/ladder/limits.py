"""Limits of work and of time: a safety net under budgets that are counted in evaluations.

Where a side is a program that may list ever more, its calls and its memory are counted, which does
not depend on the machine nor on what else runs.  Symbolic expansion has no count that
bounds it, so that it is stopped by the clock: a claim that takes too long to expand must not keep
the other rungs from their work.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any


class OutOfTime(BaseException):
    """A rung has used up its time; no `except Exception` of a library swallows it."""


WAITS = 8
"""Times as long as it may compute that a block may take by the clock on the wall."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` inside the block once it has computed for so long.

    What else the machine does hardly counts: the time is that of this thread's processor, where
    the system tells it. Works in every thread. A long call into compiled code is stopped when it
    comes back.
    """
    if seconds <= 0:
        raise OutOfTime
    thread, lock, over = threading.get_ident(), threading.Lock(), threading.Event()
    now, begun = _clock_of(thread), time.monotonic()
    end = now() + seconds

    def watch() -> None:
        left = seconds
        while left > 0 and not over.wait(left):
            left = min(end - now(), begun + WAITS * seconds - time.monotonic())
        with lock:
            if not over.is_set():
                raised = ctypes.py_object(OutOfTime)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            over.set()


def _clock_of(thread: int) -> Callable[[], float]:
    """Seconds that a thread has computed; of the wall where the system does not tell."""
    try:
        clock = time.pthread_getcpuclockid(thread)
        return partial(time.clock_gettime, clock)
    except (AttributeError, OSError):
        return time.monotonic


class TooMuch(BaseException):
    """A program has made more calls than it may; no `except Exception` swallows it."""


BYTES = 1024
"""Memory that counts like one call."""


def work_of(program: Callable[[], object], most: int) -> int:
    """Calls that a program makes, and the kilobytes that it holds at most; `most` where it is more.

    Parameters
    ----------
    program : callable
        Called once, and stopped after so many calls.
    most : int
        From here on a count does not matter.

    Returns
    -------
    int
    """
    calls = 0

    def count(frame: object, event: str, argument: object) -> Any:
        nonlocal calls
        calls += event in ("call", "c_call")
        if calls > most:
            raise TooMuch

    before, traced = sys.getprofile(), tracemalloc.is_tracing()
    if not traced:
        tracemalloc.start()
    tracemalloc.reset_peak()
    held = tracemalloc.get_traced_memory()[0]
    sys.setprofile(count)
    try:
        program()
    except TooMuch:
        return most
    finally:
        sys.setprofile(before)
        peak = tracemalloc.get_traced_memory()[1]
        if not traced:
            tracemalloc.stop()
    return min(calls + (peak - held) // BYTES, most)
