"""Limits by the clock on a busy machine: who waits for a processor has lost none of his time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from verify.limits import clock
from verify.limits.clock import OutOfTime, TooLong, alarm, at_most, unhindered
from verify.run.workers import execute

pytestmark = pytest.mark.skipif(
    not Path(clock.SCHEDSTAT.format("self")).exists(), reason="Linux alone tells how long one waits"
)
OTHERS = 8


@contextmanager
def crowd() -> Iterator[None]:
    """This thread on one processor, with so many that take it all the time."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], stdin=subprocess.DEVNULL)
        for _ in range(OTHERS)
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        os.sched_setaffinity(0, before)


@pytest.fixture
def busy() -> Iterator[None]:
    with crowd():
        yield


def computes(seconds: float) -> float:
    """Compute for so long; how long that took on the wall."""
    wall, begin = time.monotonic(), time.thread_time()
    while time.thread_time() < begin + seconds:
        pass
    return time.monotonic() - wall


def sleeps(seconds: float) -> float:
    """Sleep for so long in short naps, which a signal can end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)
    return seconds


def test_waiting_for_a_processor_is_not_counted(busy: None) -> None:
    begin = unhindered(threading.get_native_id())
    wall = computes(0.2)
    spent = unhindered(threading.get_native_id()) - begin
    assert wall > 0.5  # the machine is busy
    assert spent < wall - 0.2
    begin = unhindered(threading.get_native_id())
    time.sleep(0.3)
    assert unhindered(threading.get_native_id()) - begin > 0.25  # negative control: sleep counts


def test_a_block_that_waits_for_a_processor_is_not_stopped(
    busy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "WALL_TIMES", 1.5)
    with at_most(0.4):
        assert computes(0.2) > 0.6 + 0.1  # more of the wall's time than a block asleep may take
    with pytest.raises(OutOfTime), at_most(0.2):  # negative control
        sleeps(60)


def test_an_alarm_does_not_ring_for_who_waits_for_a_processor(busy: None) -> None:
    with alarm(0.4, "too long"):
        assert computes(0.2) > 0.5
    with pytest.raises(TooLong), alarm(0.2, "too long"):  # negative control
        sleeps(60)


def work(name: str) -> tuple[str, str]:
    """Of a child: it sleeps, or computes on a processor that it has hardly ever."""
    if name == "sleeps":
        return name, str(sleeps(3600))
    with crowd():
        return name, str(computes(0.3))


def test_a_worker_is_not_stopped_while_it_waits_for_a_processor() -> None:
    """One that sleeps is, as long as that may."""
    made = dict(
        execute(
            ["computes", "sleeps"],
            work,
            jobs=2,
            limit=1.0,
            stopped=lambda task, reason, reports: (task, reason),
        )
    )
    assert made["sleeps"] == "time limit: stopped after 1 s"
    assert float(made["computes"]) > 1.2
