"""Hulls of parabolas: members of their class whatever the data, and through any data of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.interpolation import (
    interpolation_margin,
    lower_bound_margin,
    polyak_lojasiewicz_margin,
)
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from synthetic.parabolas import ParabolaHull, through

LOWER = (Fraction(1, 3), Fraction(0), Fraction(-1, 2), Fraction(-1))
"""Smallest curvatures as shares of the largest."""


def rational(rng: Any, *shape: int) -> Any:
    return as_rational(rng.integers(-16, 17, size=shape) / 8)


def hull(seed: int, share: Fraction, d: int, parabolas: int = 4, clients: int = 1) -> ParabolaHull:
    """A hull of arbitrary parabolas in exact numbers."""
    rng = np.random.default_rng(seed)
    upper = np.full(clients, Fraction(3, 2), dtype=object)
    vertex, height = rational(rng, clients, parabolas, d), rational(rng, clients, parabolas)
    shape = {"vertex": vertex, "height": height}
    return ParabolaHull({"upper": upper, "lower": share * upper, **shape})


def seen(problem: ParabolaHull, points: Any) -> tuple[Any, Any]:
    """Gradients (K, d) and values (K,) of the only client."""
    return problem.gradients(points)[:, 0], problem.losses(points)[:, 0]


@pytest.mark.parametrize("share", LOWER)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_arbitrary_parabolas_make_a_member_of_the_class(share: Fraction, d: int) -> None:
    """The interpolation conditions hold exactly between any points of the hull."""
    problem = hull(d, share, d)
    points = rational(np.random.default_rng(9), 6, d) * 3
    gradients, values = seen(problem, points)
    upper, lower = problem.data["upper"][0], problem.data["lower"][0]
    assert (interpolation_margin(points, gradients, values, upper, lower) >= 0).all()
    least = problem.optimal_value[0]
    assert (lower_bound_margin(gradients, values, least, upper) >= 0).all()
    # negative control: the constants cannot be five per cent better
    line = points[:1] + as_rational(np.linspace(-8, 8, 33))[:, None] * np.eye(d, dtype=int)[0]
    gradients, values = seen(problem, line)
    for high, low in ((upper * Fraction(19, 20), lower), (upper, lower + upper / 20)):
        assert (interpolation_margin(line, gradients, values, high, low) < 0).any()


@pytest.mark.parametrize("share", LOWER)
@pytest.mark.parametrize("d", [1, 2])
def test_the_hull_through_data_of_the_class_has_these_data(share: Fraction, d: int) -> None:
    problem = hull(20 + d, share, d, parabolas=5)
    points = rational(np.random.default_rng(5), 4, d) * 2
    gradients, values = seen(problem, points)
    upper, lower = problem.data["upper"], problem.data["lower"]
    again = ParabolaHull(through(points[None], gradients[None], values[None], upper, lower))
    found, heights = seen(again, points)
    assert (found == gradients).all()
    assert (heights == values).all()
    # it is the largest such function
    other = rational(np.random.default_rng(6), 20, d) * 3
    assert (again.losses(other) >= problem.losses(other)).all()


def test_data_outside_the_class_are_not_met() -> None:
    """Negative control: a value too low for the gradient beside it."""
    points = as_rational(np.array([[0.0], [1.0]]))
    gradients, values = points * 0 + 1, as_rational(np.array([0.0, 0.5]))
    upper, lower = np.full(1, Fraction(1), dtype=object), np.full(1, Fraction(0), dtype=object)
    assert (interpolation_margin(points, gradients, values, upper[0], lower[0]) < 0).any()
    again = ParabolaHull(through(points[None], gradients[None], values[None], upper, lower))
    assert (seen(again, points)[1] != values).any()


@pytest.mark.parametrize("share", LOWER)
@pytest.mark.parametrize("d", [1, 2])
def test_the_minimum_is_known_exactly(share: Fraction, d: int) -> None:
    problem = hull(40 + d, share, d, clients=3)
    assert (problem.own_gradients(problem.optimum) == 0).all()
    assert (problem.own_excess(problem.optimum) == 0).all()
    points = rational(np.random.default_rng(8), 40, d) * 3
    assert (problem.excess(points) >= 0).all()


def pl_hull(seed: int) -> ParabolaHull:
    """Heights that leave no minimum but the first vertex, in one dimension."""
    rng = np.random.default_rng(seed)
    away = np.array([0.0, 1.0, -1.0, 2.5]) * rng.uniform(0.5, 1.5, size=4)
    share = rng.uniform(0.3, 0.6, size=4)
    return ParabolaHull(
        {
            "upper": [2.0],
            "lower": [-2.0],
            "vertex": away[None, :, None],
            "height": (share * away**2)[None] * 2,
            "pl": True,
        }
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_derived_pl_constant_is_the_best(seed: int) -> None:
    problem = pl_hull(seed)
    x = np.linspace(-8, 8, 160_001)[:, None]
    gradients, values = seen(problem, x)
    away = np.abs(x[:, 0]) > 1e-3  # at the minimum both sides vanish
    mu = problem.pl_constant
    margin = polyak_lojasiewicz_margin(gradients, values, problem.optimal_value[0], mu)
    assert (margin[away] >= -1e-9).all()
    ratio = (gradients[:, 0] ** 2 / 2)[away] / values[away]
    # the grid meets the worst point up to its spacing times the slope of the ratio
    assert ratio.min() == pytest.approx(float(mu), abs=2e-3)


def test_a_second_well_has_no_pl_constant() -> None:
    wells = {"upper": [1.0], "lower": [-1.0], "vertex": [[[0.0], [4.0]]], "height": [[0.0, 0.5]]}
    assert ParabolaHull({**wells, "pl": True}).pl_constant == 0


def test_input_that_is_no_hull_is_refused() -> None:
    data = {"upper": [1.0], "lower": [1.0], "vertex": [[[0.0, 0.0]]], "height": [[0.0]]}
    with pytest.raises(InvalidInput, match="lower must be below upper"):
        ParabolaHull(data)
    with pytest.raises(InvalidInput, match="1 where the PL constant is derived"):
        ParabolaHull({**data, "lower": [0.0], "pl": True})
