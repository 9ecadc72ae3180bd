"""Measured slopes against claimed orders: seen where they are true, told where they are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.verify.rates.planted import false_rate
from verify.catalogue.rates import every_rate
from verify.rates.findings import FLATTER, SEEN, STEEPER, finding, part
from verify.rates.many import Size, batches, measure
from verify.rates.record import Rate
from verify.world.world import World

CLAIMED = [r for r in every_rate() if r.slope is not None]
SIZE = Size(federations=12, rounds=200, replicates=64, largest=64)


def found(one: Rate) -> dict[str, Any]:
    return finding(one, [part(n, measure(one, n, SIZE)) for n in batches(one, SIZE)])


def times_power(power: float) -> Callable[[World, Any], Any]:
    """The bound times T to a power."""
    return lambda w, right: {k: v * float(w.rounds) ** power for k, v in right.items()}


def orders(one: Rate) -> tuple[float, float]:
    assert one.slope is not None
    return one.slope


def test_orders_of_two_kinds_are_claimed() -> None:
    middles = {round(sum(orders(one))) / 2 for one in CLAIMED}
    assert middles == {-1.0, -0.5}
    assert len({one.paper for one in CLAIMED}) >= 2


@pytest.mark.parametrize("one", CLAIMED, ids=lambda one: one.key)
@pytest.mark.every(3)
def test_a_claimed_order_is_seen(one: Rate) -> None:
    made = found(one)
    low, middle, high = made["slope"]
    assert low <= middle <= high
    assert made["order"] == SEEN


WRONG = [
    pytest.param(
        one, power, told, id=f"{one.key}-{told}", marks=[pytest.mark.slow] if (k + j) % 2 else []
    )
    for k, one in enumerate(CLAIMED)
    for j, (power, told) in enumerate([(-0.75, FLATTER), (0.75, STEEPER)])
]
"""Every claimed order is turned one way by default, both ways with ``-m slow``."""


@pytest.mark.parametrize(("one", "power", "told"), WRONG)
@pytest.mark.every(3)
def test_an_order_that_is_not_there_is_told(one: Rate, power: float, told: str) -> None:
    """Negative control: the bound times T^(+-3/4), with the order that it then has."""
    low, high = orders(one)
    changed = false_rate(one, "order", times_power(power))
    wrong = found(replace(changed, slope=(low + power, high + power)))
    assert wrong["order"] == told
