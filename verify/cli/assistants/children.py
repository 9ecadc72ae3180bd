"""A warm child for each call: what it tells on its way, its time limit, its end.

Children are forked from a process that has the imports, which takes hundredths of a second.  A call
that the client leaves, or that goes on beyond its time, takes its child with it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import anyio
import anyio.to_thread

from verify.cli.assistants.calls import Call
from verify.cli.assistants.work import answered
from verify.limits.clock import unhindered
from verify.run.workers import begun

__all__ = ["GRACE", "Ended", "Fault", "Heard", "in_child"]

GRACE = 4.0
"""Seconds beyond its time after which a child that has not stopped by itself is killed."""
PATIENCE = 120.0
"""Seconds within which a child must have begun."""
LOOK = 0.25
"""Seconds between two looks at the clock of a child."""

Heard = Callable[[str, str], Awaitable[None]]
"""Called with the name of a rung and what it says."""


class Ended(Exception):
    """A child has ended without an answer.

    Parameters
    ----------
    reason : str
    evidence : list of mappings
        What its rungs had found.
    """

    def __init__(self, reason: str, evidence: list[Any]) -> None:
        self.reason, self.evidence = reason, evidence
        super().__init__(reason)


class Fault(Exception):
    """An error of this package in a child, no fault of what was sent."""


async def in_child(call: Call, heard: Heard) -> Any:
    """The answer to a call, computed in a child of its own.

    Raises
    ------
    Ended
        If the child was stopped or died.
    Fault
        If it met an error that is not of what was sent.
    """
    # not left half begun: a child that nobody knows would go on
    child, pipe = await anyio.to_thread.run_sync(partial(begun, answered, call))
    evidence: list[Any] = []
    try:
        wait = partial(_message, child, pipe, _Deadline(child, call.seconds + GRACE))
        while True:
            kind, value = await anyio.to_thread.run_sync(wait, abandon_on_cancel=True)
            if kind == "part":
                _, rung, said, raw = value
                evidence += [raw] if raw is not None else []
                await heard(rung, said)
            elif kind == "done":
                return value
            elif kind == "failed":
                raise Fault(f"{type(value).__name__}: {value}") from value
            elif kind == "ended":
                raise Ended(value or "the worker died", evidence)
    finally:
        child.kill()
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(child.join)


class _Deadline:
    """Seconds that a child has from the moment when it is ready."""

    def __init__(self, child: BaseProcess, seconds: float) -> None:
        self._pid, self._seconds = child.pid or 0, seconds
        self._end: float | None = None
        self._patience = time.monotonic() + PATIENCE

    def begin(self) -> None:
        """Count from now."""
        self._end = unhindered(self._pid) + self._seconds

    def over(self) -> str:
        """Why the child must end; empty while it may go on."""
        if self._end is None:
            return "the worker did not start" if time.monotonic() > self._patience else ""
        late = unhindered(self._pid) > self._end
        return f"time limit: stopped after {self._seconds - GRACE:g} s" if late else ""


def _message(child: BaseProcess, pipe: Connection, deadline: _Deadline) -> tuple[str, Any]:
    """The next message of a child, in a thread of its own."""
    try:
        while not pipe.poll(LOOK):
            if why := deadline.over():
                return "ended", why
        message = pipe.recv()
    except (EOFError, OSError):  # it is dead, or was killed since nobody waits any more
        return "ended", f"the worker died (exit code {child.exitcode})"
    if message == "ready":
        deadline.begin()
        return "ready", None
    return message[0], message[1]
