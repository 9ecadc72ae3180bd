"""Processes of a pool keep what they have learnt: one that has grown does its next task too."""

from __future__ import annotations

import os
import time

from algorithms.sweeps.pool import Workers, spread

KEPT: list[bytearray] = []


def grows(task: int) -> int:
    """The process that has done the task; it keeps 200 MB and is looked at once a second."""
    if task:
        KEPT.append(bytearray(b"1") * (200 * 2**20))
        time.sleep(1.1)
    return os.getpid()


def test_a_process_that_has_grown_stays() -> None:
    found = list(spread(grows, [0, 0, *range(1, 7)], Workers(jobs=2)))
    assert len(found) == 8
    assert len(set(found)) <= 2
