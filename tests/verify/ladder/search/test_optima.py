"""When a climb from many starts is over."""

from __future__ import annotations

import numpy as np
import pytest

from verify.ladder.search.ascent import ascend
from verify.ladder.search.optima import Optima

NONE = np.zeros((1, 0))


def counted(*heights: float) -> Optima:
    """Optima after starts that have ended at these heights."""
    optima = Optima()
    for height in heights:
        optima.add(np.array([height]), NONE)
    return optima


@pytest.mark.parametrize(("found", "needed"), [(1, 8), (2, 17)])
def test_the_rule_of_boender_and_rinnooy_kan(found: int, needed: int) -> None:
    # w (n - 1) / (n - w - 2) < w + 1/2, by hand: n > 7 for w = 1, n > 16 for w = 2
    heights = [float(k % found) for k in range(needed)]
    assert counted(*heights).settled
    assert not counted(*heights[:-1]).settled


def test_a_rugged_landscape_never_settles() -> None:
    assert not counted(*np.arange(200.0)).settled


def test_starts_that_end_outside_the_hypotheses_are_one_more_kind() -> None:
    optima = counted(*[0.0] * 8)
    optima.add(np.zeros(1), np.array([[-1.0]]))
    assert not optima.settled
    alone = Optima()
    alone.add(np.zeros(50), np.full((50, 1), -1.0))
    assert not alone.settled


def test_a_start_on_its_way_above_every_end_goes_on() -> None:
    optima = counted(*[0.0] * 20)
    assert optima.topped(np.array([0.5]), NONE)
    assert not optima.topped(np.array([0.5]), np.array([[-1.0]]))
    assert not optima.topped(np.array([-0.5]), NONE)


def test_starts_that_never_rose_say_nothing_unless_none_does() -> None:
    optima = Optima(rising=True)
    stuck = np.zeros(40, dtype=bool)
    optima.add(np.zeros(40), np.zeros((40, 0)), stuck)
    assert not optima.settled  # another start is on its way
    optima.rising = False
    assert optima.settled
    optima.add(np.ones(1), NONE, np.array([True]))
    assert not optima.settled  # one has risen: seven more are asked
    optima.add(np.ones(7), np.zeros((7, 0)), np.ones(7, dtype=bool))
    assert optima.settled


def climbed(height: object, starts: np.ndarray) -> tuple[int, float, bool]:
    """Evaluations, best height and whether it settled."""
    seen = 0

    def landscape(u: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal seen
        seen += len(u)
        return height(u), np.zeros((len(u), 0))  # type: ignore[operator]

    optima, best = Optima(), -np.inf
    for _, heights, _ in ascend(landscape, starts, 16, 40_000, optima=optima):
        best = max(best, heights.max())
    return seen, best, optima.settled


def test_one_hill_is_climbed_a_few_times_and_many_hills_as_often_as_may_be() -> None:
    starts = np.random.default_rng(1).random((400, 2))
    few, top, settled = climbed(lambda u: -((u - 0.6) ** 2).sum(axis=1), starts)
    assert settled
    assert top == pytest.approx(0, abs=1e-8)
    many, _, restless = climbed(
        lambda u: np.sin(40 * u).sum(axis=1) + u @ np.array([1.0, 2.0]), starts
    )
    assert not restless
    assert many > 10 * few
