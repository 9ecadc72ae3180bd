"""Limits by the clock: a safety net under what is counted.

`at_most` stops our own code, by the time that its thread has computed: symbolic expansion has no
count that bounds it, and a claim that takes too long to expand must not keep the other rungs from
their work.  `alarm` stops code of others in the main thread, asleep or not, and in the end the
process; what it raises is another exception, so that our code inside takes it for no limit of its
own.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from pathlib import Path
from types import FrameType

__all__ = ["OutOfTime", "TooLong", "alarm", "at_most", "counts_computing", "unhindered"]

TOLD_AGAIN = 1.0
"""Seconds until a block that has not ended is told again."""

LOOK_AGAIN = 0.005
"""Seconds between two looks at a block that waits."""

WALL_TIMES = 8
"""Times as long as it may compute that a block may take by the clock on the wall, asleep mostly."""

SCHEDSTAT = "/proc/{}/schedstat"
"""Of a thread or a process: nanoseconds that it has run, and that it has waited for a processor."""

_HAS_SCHEDSTAT = Path(SCHEDSTAT.format("self")).exists()


def unhindered(task: int) -> float:
    """Seconds of the clock on the wall, but for those that a task has waited for a processor.

    Parameters
    ----------
    task : int
        Number that the system gives to a thread (``threading.get_native_id()``), or to a process,
        whose first thread is meant then.

    Raises
    ------
    OSError
        If the task is no more.
    """
    if not _HAS_SCHEDSTAT:
        return time.monotonic()
    waited = Path(SCHEDSTAT.format(task)).read_text().split()[1]
    return time.monotonic() - int(waited) * 1e-9


def counts_computing() -> bool:
    """Whether this system tells how long a task has waited, so that limits leave that out."""
    return _HAS_SCHEDSTAT


class OutOfTime(BaseException):
    """A rung has used up its time; no `except Exception` of a library swallows it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` inside the block once it has computed for so long.

    What else the machine does hardly counts: the time is that of this thread's processor, where
    the system tells it. Works in every thread. A long call into compiled code is stopped when it
    comes back. Where the exception is lost (Python drops what is raised inside a finaliser or a
    hook of the garbage collector), it is raised again. A module that is just being loaded is loaded
    to its end: half of it would break everything after.
    """
    if seconds <= 0:
        raise OutOfTime
    limit = _Limit(seconds)
    try:
        _watcher().add(limit)
        yield
    finally:
        try:
            limit.over = True
        finally:  # even where the limit strikes here
            limit.over = True
        with limit.lock:
            pass  # from here on nothing is raised
        for _ in range(2):
            pass  # what is raised already arrives at a jump back: here, not in what follows


class _Limit:
    """A block that may compute for so long; ``over`` once it has ended."""

    def __init__(self, seconds: float) -> None:
        self.thread, self.lock, self.over = threading.get_ident(), threading.Lock(), False
        self.now = _clock_of(self.thread)
        self.end = self.now() + seconds
        self.task = threading.get_native_id()
        self.latest = unhindered(self.task) + WALL_TIMES * seconds
        self.told = -inf

    @property
    def left(self) -> float:
        """Seconds until there is something to look at."""
        try:
            left = min(self.end - self.now(), self.latest - unhindered(self.task))
        except OSError:  # the thread is no more
            self.over, left = True, inf
        return max(left, self.told + TOLD_AGAIN - time.monotonic())

    def strike(self) -> None:
        """Raise `OutOfTime` in the block, unless it has ended or must not be stopped here."""
        with self.lock:
            if not (self.over or _must_go_on(self.thread)):
                self.told = time.monotonic()
                raised, thread = ctypes.py_object(OutOfTime), ctypes.c_ulong(self.thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, raised)


class _Watcher(threading.Thread):
    """One thread for all limits.

    A thread that is just being made would catch what is meant for the one that makes it.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True, name="limits")
        self.fresh: deque[_Limit] = deque()
        self.news = threading.Event()

    def add(self, limit: _Limit) -> None:
        """Watch a limit from now on."""
        self.fresh.append(limit)
        self.news.set()

    def run(self) -> None:
        """Wait for the next limit that is reached."""
        running: list[_Limit] = []
        while True:
            self.news.clear()
            while self.fresh:
                running.append(self.fresh.popleft())
            running = [limit for limit in running if not limit.over]
            wait = min((limit.left for limit in running), default=None)
            if wait is None or wait > 0:
                self.news.wait(None if wait is None else max(wait, LOOK_AGAIN))
            for limit in running:
                if not limit.over and limit.left <= 0:
                    limit.strike()


_WATCHERS: dict[int, _Watcher] = {}
_MAKING = threading.Lock()


def _watcher() -> _Watcher:
    """The watcher of this process, which a fork does not take along."""
    with _MAKING:
        if os.getpid() not in _WATCHERS:
            _WATCHERS[os.getpid()] = watcher = _Watcher()
            watcher.start()
    return _WATCHERS[os.getpid()]


_COLLECTING: set[int] = set()
"""Threads in which the garbage collector is at work: callbacks of weak references run there."""


def _note_collection(phase: str, _info: dict[str, int]) -> None:
    """Keep `_COLLECTING`; a hook of the garbage collector."""
    if phase == "start":
        _COLLECTING.add(threading.get_ident())
    else:
        _COLLECTING.discard(threading.get_ident())


gc.callbacks.append(_note_collection)


IMPORTING = "<frozen importlib"
"""How the files of Python's own importing code are called."""


def _must_go_on(thread: int) -> bool:
    """Whether a thread is inside a finaliser, the garbage collector or a hook of it, or an import.

    There an exception would be lost, or would leave half a module.
    """
    if thread in _COLLECTING:
        return True
    hooks = {getattr(hook, "__code__", None) for hook in gc.callbacks}
    frame = sys._current_frames().get(thread)
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or code in hooks or code.co_filename.startswith(IMPORTING):
            return True
        frame = frame.f_back
    return False


def _clock_of(thread: int) -> Callable[[], float]:
    """Seconds that a thread has computed; of the wall where the system does not tell."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    try:
        return partial(time.clock_gettime, time.pthread_getcpuclockid(thread))
    except OSError:
        return time.monotonic


ALARM_AGAIN = 0.5
"""Seconds after which code that has caught the first alarm gets the next."""

ALARMS = 3
"""Alarms that are sent; code that catches them all ends with the process."""


_END = os._exit
"""What ends the process, whatever a program has put in its place."""


class TooLong(BaseException):
    """The time is over; no `Exception`, so that code of others does not take it for its own."""


@contextmanager
def alarm(limit: float, sentence: str) -> Iterator[None]:
    """Raise `TooLong` inside the block after a while.

    Only in the main thread, and where the system has such alarms; elsewhere nothing happens.

    Parameters
    ----------
    limit : float
        Seconds, but for those in which this thread waits for a processor.
    sentence : str
        What to say on stderr if the block catches every alarm: the process then ends with 2.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return
    sent, task = 0, threading.get_native_id()
    end = unhindered(task) + limit

    def ring(_number: int, _frame: FrameType | None) -> None:
        nonlocal sent
        left = end - unhindered(task)
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, max(left, LOOK_AGAIN), ALARM_AGAIN)
            return
        sent += 1
        if sent > ALARMS:
            sys.stderr.write(f"{sentence}\n")
            sys.stderr.flush()
            _END(2)
        raise TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit, ALARM_AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
