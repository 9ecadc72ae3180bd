"""Ranges of alpha: inside one the groups are the same, beyond its end they change."""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt
from typing import Any

import numpy as np
import pytest

import algorithms.grouping.alpha_ranges as room
from algorithms.grouping.alpha_ranges import alpha_ranges, range_around
from algorithms.grouping.hcct_partition import Clients, greedy_partition
from bounds.hcct.utility import independence_threshold
from bounds.numbers.validate import InvalidInput
from tests.each import each


def drawn(seed: int) -> Clients:
    """A few clients in the plane."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    return Clients(rng.normal(size=(n, 2)), rng.integers(1, 60, n), 1.0)


def groups(clients: Clients, alpha: float, order: str) -> Any:
    return greedy_partition(replace(clients, tradeoff=alpha), order=order).groups


@each("order", ["text", "box"])
@each("seed", range(40))
def test_the_partition_gives_these_groups_in_each_range(order: str, seed: int) -> None:
    clients = drawn(seed)
    found = alpha_ranges(clients, order=order)
    assert found is not None
    assert (found[0].low, found[-1].high) == (0, inf)
    for one, after in zip(found, [*found[1:], None], strict=True):
        end = one.high if one.high < inf else 2 * one.low + 1
        for share in (0.01, 0.5, 0.99):
            assert groups(clients, one.low + share * (end - one.low), order) == one.groups
        if after is not None:  # the end is where it changes
            assert after.low == one.high
            assert after.groups != one.groups


def test_two_clients_by_hand() -> None:
    """Right angle, one sample each: cosines go from 2 to sqrt 2, prices from 2 to 1 per alpha."""
    found = alpha_ranges(Clients([[1.0, 0.0], [0.0, 1.0]], [1, 1], 0.0))
    assert found is not None
    assert [one.groups for one in found] == [((0,), (1,)), ((0, 1),)]
    assert found[0].high == pytest.approx(2 - sqrt(2), rel=1e-12)


@each("seed", range(20))
def test_the_first_range_ends_at_the_threshold_of_independence(seed: int) -> None:
    clients = drawn(seed)
    found = alpha_ranges(clients)
    assert found is not None
    alone = tuple((k,) for k in range(clients.count))
    end = found[0].high if found[0].groups == alone else 0.0
    expected = max(0.0, float(independence_threshold(clients.gradients, clients.sizes)))
    assert end == pytest.approx(expected, rel=1e-8, abs=1e-12)


@each("seed", range(20))
def test_the_range_around_an_alpha_is_the_one_that_holds_it(seed: int) -> None:
    clients = drawn(seed)
    whole = alpha_ranges(clients)
    assert whole is not None
    for alpha in (0.1, 3.0, 40.0):
        around = range_around(replace(clients, tradeoff=alpha))
        holder = next(one for one in whole if one.low <= alpha <= one.high)
        assert around is not None
        assert around.groups == holder.groups
        assert around.low == pytest.approx(holder.low, rel=1e-6)
        assert around.high == pytest.approx(holder.high, rel=1e-6)


def test_a_wrong_price_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: without the numbers of clients in the prices ranges are wrong."""
    right = room._Lines.pairs

    def wrong(self: Any) -> Any:
        cosines, prices = right(self)
        return cosines, prices / 2

    monkeypatch.setattr(room._Lines, "pairs", wrong)
    with pytest.raises((AssertionError, ExceptionGroup)):
        test_two_clients_by_hand()


def test_too_many_runs_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_RUNS", 1)
    assert alpha_ranges(drawn(3)) is None


def test_an_unknown_order_is_refused() -> None:
    for ask in (alpha_ranges, range_around):
        with pytest.raises(InvalidInput, match="order must be one of"):
            ask(drawn(1), order="both")
