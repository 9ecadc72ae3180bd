"""The greedy partition against its twin, the exact optimum against enumeration, and known cases."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.grouping.hcct_optimum import best_partition, moves, optimal_values, subset_utilities
from algorithms.grouping.hcct_partition import (
    ORDERS,
    Clients,
    greedy_partition,
)
from algorithms.reference.hcct import all_partitions, reference_partition
from bounds.hcct.counts import bell_number, worst_case_cosines
from bounds.hcct.utility import independence_threshold
from bounds.numbers.validate import InvalidInput


def clients(seed: int, n: int, d: int, alpha: float, spread: float = 1.0) -> Clients:
    rng = np.random.default_rng(seed)
    gradients = rng.normal(size=(n, d)) * spread + 1
    return Clients(gradients, rng.integers(1, 40, n), alpha)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.integers(0, 10_000),
    st.integers(1, 7),
    st.integers(1, 3),
    st.floats(0, 30),
    st.sampled_from(ORDERS),
    st.booleans(),
)
def test_the_fast_partition_is_the_twin(
    seed: int, n: int, d: int, alpha: float, order: str, fresh: bool
) -> None:
    known = clients(seed, n, max(d, 2), alpha)
    fast = greedy_partition(known, order=order, fresh=fresh)
    slow = reference_partition(
        known.gradients.tolist(), known.sizes.tolist(), alpha, order=order, fresh=fresh
    )
    assert fast.groups == tuple(sorted(slow.groups))
    np.testing.assert_allclose([m.benefit for m in fast.merges], slow.gains, atol=1e-9)
    if fresh:
        # the twin evaluates the pairs of the last group only if it goes on
        assert list(fast.benefits[: len(slow.benefits)]) == slow.benefits
        assert list(fast.cosines[: len(slow.cosines)]) == slow.cosines


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 6), st.floats(0, 30))
def test_the_optimum_is_that_of_all_partitions(seed: int, n: int, alpha: float) -> None:
    known = clients(seed, n, 2, alpha)
    found = best_partition(known)
    values = [known.total(groups) for groups in all_partitions(n)]
    assert len(values) == bell_number(n, n)
    assert found.utility == pytest.approx(max(values), abs=1e-9)
    assert known.total(found.groups) == pytest.approx(found.utility, abs=1e-9)
    assert optimal_values(subset_utilities(known)[None], n)[0] == pytest.approx(max(values))
    assert greedy_partition(known).utility <= found.utility + 1e-9


def test_beta_moves_nothing_but_the_utilities() -> None:
    plain, moved = clients(3, 6, 2, 8.0), clients(3, 6, 2, 8.0)
    moved = Clients(plain.gradients, plain.sizes, 8.0, 5.0)
    one, two = greedy_partition(plain), greedy_partition(moved)
    assert one.groups == two.groups
    assert two.utility == pytest.approx(one.utility + 6 * 5.0)


def test_the_scale_of_the_gradients_does_not_matter() -> None:
    known = clients(5, 7, 3, 10.0)
    huge = Clients(known.gradients * 1e200, known.sizes, 10.0)
    assert greedy_partition(known).groups == greedy_partition(huge).groups


def test_clients_may_be_numbered_anyhow() -> None:
    known = clients(8, 8, 3, 12.0)
    order = np.random.default_rng(1).permutation(8)
    moved = Clients(known.gradients[order], known.sizes[order], 12.0)
    back = {tuple(sorted(int(order[k]) for k in g)) for g in greedy_partition(moved).groups}
    assert back == set(greedy_partition(known).groups)


def test_the_figure_with_six_clients() -> None:
    """Clients 1, 2, 3 and 4, 5 and 6 of three directions: merges as in the worked example."""
    rows = [[1, 0, 0.10], [1, 0, 0.11], [1, 0.2, 0.2], [0, 1, 0], [0, 1, 0.2], [-0.5, -0.5, 1]]
    known = Clients(np.array(rows), np.ones(6), 0.4)
    found = greedy_partition(known)
    assert [(m.first, m.second) for m in found.merges] == [
        ((0,), (1,)),
        ((3,), (4,)),
        ((0, 1), (2,)),
    ]
    assert found.groups == ((0, 1, 2), (3, 4), (5,))


def test_two_opposite_clients_stay_apart_by_the_text_and_merge_by_the_box() -> None:
    known = Clients(np.array([[1.0], [-1.0]]), np.array([2.0, 1.0]), 0.1)
    assert greedy_partition(known).groups == ((0,), (1,))
    assert greedy_partition(known, order="box").groups == ((0, 1),)
    assert best_partition(known).groups == ((0,), (1,))


def test_gradients_that_add_up_to_rounding_have_no_direction_in_any_of_the_three_ways() -> None:
    rng = np.random.default_rng(6)
    for n, d, alpha in ((4, 3, 1.0), (7, 10, 2.0), (9, 2, 0.5)):
        gradients = rng.normal(size=(n, d))
        gradients -= gradients.mean(0)  # as at the minimiser of the loss of all, up to rounding
        left = float(np.linalg.norm(gradients.sum(0)))
        assert left > 0
        known, everyone = Clients(gradients, np.full(n, 5.0), alpha), tuple(range(n))
        assert known.utility(everyone) == pytest.approx(-alpha / 5, abs=1e-12)
        assert subset_utilities(known)[-1] == pytest.approx(-alpha / 5, abs=1e-12)
        (merged,) = greedy_partition(Clients(gradients, np.full(n, 5.0), 1e9)).groups
        assert merged == everyone
        # a sum that is small and yet no rounding has a direction
        aside = gradients.copy()
        aside[0, 0] += 1e6 * left
        assert abs(Clients(aside, np.full(n, 5.0), alpha).utility(everyone) + alpha / 5) > 1e-6


def test_equal_gradients_train_together_at_any_tradeoff() -> None:
    known = Clients(np.ones((9, 4)), np.arange(1, 10), 1e-6)
    found = greedy_partition(known)
    assert found.groups == (tuple(range(9)),)
    assert all(move.target is None for move in moves(known, found.groups))


def test_the_threshold_of_independence_is_sharp() -> None:
    known = clients(11, 5, 2, 1.0)
    threshold = float(independence_threshold(known.gradients, known.sizes))
    below = Clients(known.gradients, known.sizes, threshold * (1 - 1e-9))
    above = Clients(known.gradients, known.sizes, threshold * (1 + 1e-6))
    assert len(greedy_partition(below).groups) == 5
    assert len(greedy_partition(above).groups) < 5


def test_counts_of_the_worst_case() -> None:
    """One large client that takes up the others one by one."""
    n = 12
    angles = np.linspace(0.0, 0.3, n)
    rows = np.stack([np.cos(angles), np.sin(angles)], 1)
    known = Clients(rows, 10.0 ** -np.arange(n), 1e3)
    found = greedy_partition(known)
    assert len(found.groups) == 1
    sizes = [max(len(m.first), len(m.second)) for m in found.merges]
    if sizes == list(range(1, n)):
        assert sum(found.cosines) == worst_case_cosines(n)
    assert found.benefits[0] == n * (n - 1) // 2


def test_a_thousand_clients_take_seconds() -> None:
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(12, 30))
    rows = centres[rng.integers(0, 12, 1000)] + 0.3 * rng.normal(size=(1000, 30))
    begin = time.process_time()
    found = greedy_partition(Clients(rows, rng.integers(20, 400, 1000), 100.0))
    assert time.process_time() - begin < 60  # a few seconds; generous for a busy machine
    assert 1 < len(found.groups) < 1000
    assert found.benefits[0] == 1000 * 999 // 2


def test_a_client_that_wishes_to_move_is_found() -> None:
    rows = np.array([[1.0, 0.0], [1.0, 0.1], [-1.0, 0.0]])
    known = Clients(rows, np.ones(3), 0.5)
    wishes = moves(known, ((0,), (1, 2)))
    assert wishes[0].target == () or wishes[1].target == (0,)
    assert wishes[1].gain > 0
    assert all(m.target is None for m in moves(known, greedy_partition(known).groups))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gradients": np.zeros((0, 2))}, "gradients must be an array"),
        ({"gradients": np.ones(3)}, "gradients must be an array"),
        ({"sizes": np.ones(2)}, "sizes must be one number for each of 3 clients"),
        ({"sizes": np.array([1.0, 0.0, 1.0])}, "sizes must be positive"),
        ({"gradients": np.full((3, 1), np.nan)}, "gradients must be finite"),
        ({"tradeoff": -1.0}, "tradeoff must be non-negative"),
        ({"tradeoff": float("nan")}, "tradeoff must be finite"),
    ],
)
def test_bad_clients_get_one_sentence(change: dict[str, object], message: str) -> None:
    plain = {"gradients": np.ones((3, 1)), "sizes": np.ones(3), "tradeoff": 1.0}
    with pytest.raises(InvalidInput, match=message):
        Clients(**{**plain, **change})  # type: ignore[arg-type]


def test_too_many_clients_for_the_optimum() -> None:
    with pytest.raises(InvalidInput, match="at most 12 for the exact optimum, got 13"):
        best_partition(clients(1, 13, 2, 1.0))
