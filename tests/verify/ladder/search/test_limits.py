"""Limits of work: the same count every time, and a program that lists ever more is stopped."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import claim, numbers
from verify.claim.parameters import Real
from verify.ladder.search.pool import Pool
from verify.ladder.search.sizes import Growth
from verify.limits.counter import TRACED, work_of
from verify.world.noise_plan import AllOutcomes
from verify.world.world import World

MOST = 100_000


def listed(n: int) -> float:
    """As many calls as there are subsets."""
    return sum(float(sum(row)) for row in product((0, 1), repeat=n))


def test_counts_do_not_depend_on_the_clock() -> None:
    counts = [work_of(partial(listed, n), MOST) for n in (8, 8, 9)]
    assert abs(counts[0] - counts[1]) <= 2  # calls are exact, memory is to a kilobyte
    assert 1.8 < counts[2] / counts[0] < 2.2


def test_a_program_without_end_is_stopped() -> None:
    assert work_of(lambda: listed(200), MOST) == MOST
    assert sys.getprofile() is None
    assert not tracemalloc.is_tracing()


def test_memory_counts() -> None:
    assert 8_000 <= work_of(lambda: np.ones(1024 * 1000), MOST) < 9_000


def test_after_many_calls_an_array_counts_once_where_it_is_handed_on() -> None:
    def busy() -> Any:
        for _ in range(TRACED + 1):
            len("")
        return None

    def made() -> Any:
        return np.ones(1024 * 1000)

    plain = work_of(busy, MOST)
    assert 8_000 <= work_of(lambda: (busy(), made()), MOST) - plain < 8_100
    assert 16_000 <= work_of(lambda: (busy(), made(), made()), MOST) - plain < 16_100
    assert not tracemalloc.is_tracing()


def test_an_error_passes_and_leaves_nothing_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        work_of(lambda: 1 // 0, MOST)
    assert sys.getprofile() is None
    assert not tracemalloc.is_tracing()


def _subsets(w: World) -> tuple[Any, Any]:
    """The largest sum over a subset, by listing all of them."""
    rows = product((0, 1), repeat=int(w.x.shape[-1]))
    sums = [sum(chosen * w.x[..., i] for i, chosen in enumerate(row)) for row in rows]
    return {"most": np.max(sums, axis=0)}, {"sum": w.x.sum(axis=-1)}


def _bits(w: World) -> tuple[Any, Any]:
    """The same in one array, which no function hands on: a few calls, whatever its length."""
    clients = int(w.x.shape[-1])
    chosen = (np.arange(2**clients)[:, None] >> np.arange(clients)) & 1
    return {"most": (w.x @ chosen.T).max(axis=-1)}, {"sum": w.x.sum(axis=-1)}


def _plain(w: World) -> tuple[Any, Any]:
    return {"largest": w.x.max(axis=-1)}, {"sum": w.x.sum(axis=-1)}


@pytest.mark.parametrize(("sides", "grows"), [(_plain, True), (_subsets, False), (_bits, False)])
def test_sides_that_list_ever_more_end_the_growth(sides: Any, grows: bool) -> None:
    family = numbers({"N": 2}, {"N": 3}, x=Real(0, 1, per=("N",)))
    growth = Growth(Pool(claim(sides, family), AllOutcomes()), 20_000, 0)
    for stage in growth.stages():
        list(stage)
    assert (growth.reached.get("N", 0) > 12) == grows
    assert any("many times the last" in text for text in growth.skipped) != grows


def test_a_size_whose_first_instance_takes_too_long_is_not_searched() -> None:
    family = numbers({"N": 2}, x=Real(0, 1, per=("N",)))
    growth = Growth(Pool(claim(_subsets, family), AllOutcomes()), 20_000, 0)
    rng = np.random.default_rng(0)
    assert growth._hunt(family, {"N": 8}, rng) is not None
    assert growth.skipped == []
    assert growth._hunt(family, {"N": 200}, rng) is None
    assert growth.skipped == ["N=200: one instance takes too long"]


def test_a_generator_that_is_thrown_away_raises_nothing_where_nothing_can_be_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An error there is told by nobody; an endless generator is stopped all the same."""
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    def steps() -> Iterator[int]:
        while True:
            yield 1

    def left() -> None:
        for _ in range(1000):
            next(steps())

    assert [work_of(left, most) for most in range(10, 40)] == [*range(10, 40)]
    assert work_of(lambda: sum(steps()), 300) == 300
    assert not told
