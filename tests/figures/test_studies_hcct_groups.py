"""Error and utility along forced merges of clients in orthogonal directions."""

from __future__ import annotations

import numpy as np
import pytest

from algorithms.grouping.hcct_partition import Clients, greedy_partition
from bounds.numbers.validate import InvalidInput
from figures.studies.hcct.groups import expected_error, forced_merges, groups_study


def test_the_directions_are_the_groups_of_best_utility_and_error() -> None:
    found = groups_study(10.0)
    assert found.groups == tuple(range(20, 0, -1))
    assert found.most_useful == found.most_accurate == 5


def test_an_unsuitable_tradeoff_misses_them() -> None:
    assert groups_study(0.01).most_useful > 5
    assert groups_study(1000.0).most_useful == 1
    assert groups_study(1000.0).most_accurate == 5


def test_errors_by_hand() -> None:
    means, sizes = np.eye(2), np.array([1.0, 3.0])
    assert expected_error(means, sizes, 0.0, ((0,), (1,))) == 0
    # centre (1/4, 3/4): biases 2 (3/4)^2 and 2 (1/4)^2, halved
    assert expected_error(means, sizes, 0.0, ((0, 1),)) == pytest.approx((9 / 16 + 1 / 16) / 2)
    assert expected_error(means, sizes, 1.0, ((0,), (1,))) == pytest.approx((1 + 1 / 3) / 2)


def test_forced_merges_begin_like_the_greedy_ones() -> None:
    rng = np.random.default_rng(6)
    known = Clients(rng.normal(size=(7, 2)), rng.integers(1, 9, 7), 6.0)
    path = forced_merges(known)
    assert greedy_partition(known).groups in path
    assert len(path) == 7


def test_bad_directions_are_refused() -> None:
    with pytest.raises(InvalidInput, match="directions must be at least 1"):
        groups_study(1.0, directions=0)
