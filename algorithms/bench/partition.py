"""The partition of many clients, held against groups that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from algorithms.bench.measure import BenchLine, timed, with_peak
from algorithms.grouping.hcct_partition import Clients, Partition, greedy_partition

if TYPE_CHECKING:
    from algorithms.bench.runs import Bench

GIB = 1 << 30
CPU = torch.device("cpu")
SECONDS = 60.0


def partition(bench: Bench) -> list[BenchLine]:
    """2,000 clients x 100 coordinates in known groups; 10,000 with --full, under 2 GiB and 60 s."""
    count = 10_000 if bench.full else 2_000
    known, groups = planted(count, 100)
    made: list[Partition] = []
    _, peak = with_peak(lambda: made.append(greedy_partition(known)), CPU)
    fine = groups_of(made[0]) == groups and (peak is None or peak < 2 * GIB)
    spent = timed(lambda: greedy_partition(known), 1, CPU)
    fine &= spent < SECONDS
    return [BenchLine("partition", f"{count} clients x 100", count / spent, None, None, peak, fine)]


def planted(count: int, dim: int, kinds: int = 50) -> tuple[Clients, list[list[int]]]:
    """Clients with one of some orthogonal gradients each, and those of one gradient.

    Whoever has the same gradient gains by joining, and nobody gains from a gradient that is
    orthogonal to the own one.
    """
    rng = np.random.default_rng(count)
    kind = rng.integers(kinds, size=count)
    clients = Clients(np.eye(dim)[kind], rng.integers(10, 200, size=count), 10.0)
    return clients, sorted(np.flatnonzero(kind == k).tolist() for k in np.unique(kind))


def groups_of(found: Partition) -> list[list[int]]:
    """Its groups, in order."""
    return sorted(sorted(int(client) for client in group) for group in found.groups)
