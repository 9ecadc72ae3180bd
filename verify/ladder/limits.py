"""Limits of time: a safety net under budgets that are counted in evaluations.

Symbolic expansion has no count that bounds it, so that it is stopped by the clock: a claim that
takes too long to expand must not keep the other rungs from their work.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTime(BaseException):
    """A rung has used up its time; no `except Exception` of a library swallows it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` inside the block once it has run for so long.

    Works in every thread. A long call into compiled code is stopped when it comes back.
    """
    if seconds <= 0:
        raise OutOfTime
    thread, lock, running = threading.get_ident(), threading.Lock(), True

    def stop() -> None:
        with lock:
            if running:
                raised = ctypes.py_object(OutOfTime)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            running = False
        timer.cancel()
