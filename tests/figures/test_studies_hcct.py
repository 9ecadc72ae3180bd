"""Studies of the greedy partition and of the bounds of the grouping paper."""

from __future__ import annotations

from fractions import Fraction as Q
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from algorithms.grouping.hcct_optimum import best_partition
from algorithms.grouping.hcct_partition import Clients, greedy_partition
from bounds.numbers.validate import InvalidInput
from figures.studies.hcct import greedy
from figures.studies.hcct.bounds import (
    convergence_study,
    sample_study,
    samples_that_refute,
)


def test_two_clients_are_grouped_best() -> None:
    study = greedy.gap_study(2, 2, 200)
    assert (study.failures, study.largest) == (0, 0)
    assert study.box_failures > 0.3


def test_the_smallest_failure_by_hand() -> None:
    known = greedy.SMALLEST
    found, best = greedy_partition(known), best_partition(known)
    assert found.groups == ((0,), (1,), (2,))
    assert best.groups == ((0, 1, 2),)
    # alpha 7/4 against 2 (1 - 4/5), the third client's mean dominating up to one part in a thousand
    assert best.utility - found.utility == pytest.approx(0.23 * 7 / 4 - 0.4, abs=1e-3)
    assert all(len(g) == 1 for g in greedy_partition(known, order="text").groups)


def test_eight_clients_fail_sometimes() -> None:
    study = greedy.gap_study(8, 5, 100)
    assert 0 < study.failures < 0.4
    assert study.stale_failures > study.failures
    assert 0 < study.largest < study.stale_largest
    assert 1 < study.groups < 8


def test_orthogonal_clients_have_their_thresholds() -> None:
    for n in (2, 4):
        found = greedy.thresholds(np.eye(n), np.ones(n))
        assert found.independent == pytest.approx(2 - np.sqrt(2))
        assert found.independent == pytest.approx(greedy.orthogonal_threshold(1, 1))
        halves = greedy.orthogonal_threshold(n // 2, n // 2)
        assert found.first_together == pytest.approx(halves, rel=5e-3)
        assert found.sure == pytest.approx(halves)
    counts = greedy.groups_by_tradeoff(np.eye(4), np.ones(4), np.array([0.5, 0.6, 0.82, 0.84]))
    assert counts == [4, 2, 2, 1]


def test_more_weight_on_data_may_leave_more_groups() -> None:
    counts = greedy.groups_by_tradeoff(*greedy.crossing_clients(), np.geomspace(0.1, 400, 60))
    assert counts[0] == 6
    assert counts[-1] == 1
    assert any(b > a for a, b in pairwise(counts))


def test_the_repaired_bound_holds_with_room_and_the_printed_one_falls() -> None:
    few, many = sample_study(100, Q(1, 20)), sample_study(641, Q(1, 20))
    assert not few.speaks
    assert many.speaks
    assert few.exceeds == 0 < many.exceeds < Q(1, 10**100)
    assert many.quantile < many.bound / 10
    assert samples_that_refute(Q(1, 20)) == 641
    assert few.whole == 0
    assert many.whole == 1


def test_levels_of_a_sample_are_exact() -> None:
    one = sample_study(2, Q(1, 4))
    # counts 0, 1, 2 with chances 1/4, 1/2, 1/4: excess 1/8, 0, 1/8
    assert (one.bound, one.exceeds, one.quantile) == (8, 0, Q(1, 8))


def test_convergence_reaches_the_floor_and_stays_below_the_bound() -> None:
    pair: dict[str, Any] = {"optima": (0, 1), "sizes": (1, 1), "noise": 0.0}
    runs = [convergence_study(t, 0.1, **pair) for t in (1, 10, 1000)]
    for run in runs:
        assert run.average <= run.bound <= run.printed
    assert runs[-1].average == pytest.approx(runs[-1].floor, rel=1e-2)
    assert runs[-1].floor == 0.5
    falling = convergence_study(3000, 1.0, optima=(0, 1), sizes=(1, 1), decreasing=True)
    assert falling.floor < falling.average <= falling.bound


def test_convergence_of_one_client_is_the_geometric_sum() -> None:
    run = convergence_study(3, 0.5, optima=(1,), sizes=(4,), noise=0.0)
    assert run.average == pytest.approx((1 + 1 / 4 + 1 / 16) / 3)


@pytest.mark.parametrize(
    ("change", "message"), [({"rounds": 0}, "rounds must be"), ({"step_share": 2}, "step_share")]
)
def test_bad_horizons_are_refused(change: dict[str, float], message: str) -> None:
    arguments = {"rounds": 2, "step_share": 0.5, **change}
    with pytest.raises(InvalidInput, match=message):
        convergence_study(**arguments, optima=(0,), sizes=(1,))  # type: ignore[arg-type]


def test_clients_of_the_example_are_valid() -> None:
    assert isinstance(greedy.SMALLEST, Clients)
