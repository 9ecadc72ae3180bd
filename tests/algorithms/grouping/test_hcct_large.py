"""The partition of thousands of clients: the same as the small one, within memory, or refused."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms.grouping import hcct_optimum, hcct_partition
from algorithms.grouping.hcct_optimum import moves
from algorithms.grouping.hcct_partition import ORDERS, Clients, greedy_partition
from bounds.numbers.validate import InvalidInput


def clients(count: int, dim: int, kinds: int, noise: float, tradeoff: float) -> Clients:
    rng = np.random.default_rng(count)
    centres = rng.normal(size=(kinds, dim))
    gradients = centres[rng.integers(kinds, size=count)] + noise * rng.normal(size=(count, dim))
    return Clients(gradients, rng.integers(10, 200, size=count), tradeoff)


CASES = [(60, 5, 4, 0.3, 10.0), (200, 4, 200, 1.0, 1000.0), (120, 3, 2, 0.1, 500.0)]


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("case", CASES)
def test_both_ways_merge_the_same_pairs(
    case: Any, order: str, fresh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = clients(*case)
    small = greedy_partition(known, order=order, fresh=fresh)
    monkeypatch.setattr(hcct_partition, "DENSE", 1)
    large = greedy_partition(known, order=order, fresh=fresh)
    assert len(small.merges) > 10
    assert large.groups == small.groups
    assert [(m.first, m.second) for m in large.merges] == [
        (m.first, m.second) for m in small.merges
    ]
    assert (large.benefits, large.cosines) == (small.benefits, small.cosines)
    # sums in another order: rounding of about a thousand additions
    gaps = [abs(a.benefit - b.benefit) for a, b in zip(large.merges, small.merges, strict=True)]
    assert max(gaps) < 1e-9 * known.count


@pytest.mark.parametrize("case", CASES)
def test_both_ways_find_the_same_wishes(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    known = clients(*case)
    groups = greedy_partition(known).groups
    broken = (groups[0][:1], *groups[1:], groups[0][1:])  # somebody is torn out of a group
    for partition in (groups, broken):
        one = moves(known, partition)
        with monkeypatch.context() as patched:
            patched.setattr(hcct_optimum, "DENSE", 1)
            other = moves(known, partition)
        assert [(m.client, m.target) for m in one] == [(m.client, m.target) for m in other]
        for a, b in zip(one, other, strict=True):
            assert abs(a.utility - b.utility) < 1e-12
            assert abs(a.gain - b.gain) < 1e-9


def test_what_does_not_fit_is_refused_before_any_work() -> None:
    many = Clients(np.ones((100_000, 10)), np.ones(100_000), 1.0)
    with pytest.raises(InvalidInput, match="clients must be at most 14000, .* got 100000"):
        greedy_partition(many)


@pytest.mark.slow
def test_ten_thousand_clients_take_less_than_two_gib_and_a_minute(tmp_path: Path) -> None:
    """CPU seconds, since other work may share the machine."""
    known = clients(10_000, 100, 100, 1.0, 30.0)
    np.savez(tmp_path / "c.npz", gradients=known.gradients, sizes=known.sizes)
    command = [sys.executable, "-m", "verify.cli", "partition", str(tmp_path / "c.npz")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, "--alpha", "30"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (done.returncode, done.stderr) == (0, "")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < 60
    assert after.ru_maxrss < 2 * 2**20  # kibibytes; the largest child so far
