"""Sharp step limits are attained and beat Remark 3; the direction varies no more than assumed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import adaptive_weights as sharp
from bounds import rates
from bounds import similarity as sim
from bounds.generic import to_float
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput

unit = st.fractions(min_value=0, max_value=1, max_denominator=20)
variance = st.fractions(min_value=Fraction(1, 9), max_value=9, max_denominator=20)
threshold = st.fractions(min_value=Fraction(1, 20), max_value=1, max_denominator=20)


@st.composite
def clients(draw: st.DrawFn) -> tuple[Any, Any]:
    """Ratios with r_0 = 1, and variances."""
    n = draw(st.integers(1, 4))
    ratio = as_rational([Fraction(1), *(draw(unit) for _ in range(n - 1))])
    return ratio, as_rational([draw(variance) for _ in range(n)])


@given(clients())
def test_no_ratios_go_below_the_continuous_limit(data: tuple[Any, Any]) -> None:
    ratio, sigma2 = data
    limit = sharp.step_ratio_continuous_sharp(sigma2)
    # 1e-12: the limit holds a square root, compared in floats
    assert float(sim.step_ratio(ratio, ratio, sigma2)) >= float(limit) - 1e-12
    assert float(limit) >= float(sim.step_ratio_lower(sigma2)) - 1e-12


@given(clients(), threshold)
def test_no_ratios_go_below_the_binary_limit(data: tuple[Any, Any], level: Fraction) -> None:
    ratio, sigma2 = data
    limit = sharp.step_ratio_binary_sharp(sigma2, level)
    assert sim.step_ratio(ratio, sim.phi_binary(ratio, level), sigma2) >= limit >= level


def test_both_limits_are_attained() -> None:
    sigma2 = as_rational([1, 1, 1, 1])
    third = as_rational([1, "1/3", "1/3", "1/3"])  # 1/(1 + sqrt(4))
    assert sim.step_ratio(third, third, sigma2) == sharp.step_ratio_continuous_sharp(sigma2)
    level = Fraction(1, 3)
    chosen = sim.phi_binary(third, level)
    assert sim.step_ratio(third, chosen, sigma2) == sharp.step_ratio_binary_sharp(sigma2, level)


def test_the_continuous_limit_falls_like_one_over_the_square_root() -> None:
    for n in (4, 100, 10_000):
        assert sharp.step_ratio_continuous_sharp(np.ones(n)) == pytest.approx(2 / (1 + n**0.5))


def test_a_smaller_limit_would_be_no_bound_of_its_own_instance() -> None:
    """Negative control: Remark 3 (c) is not attained by two clients."""
    sigma2 = as_rational([1, 3])
    limit = sharp.step_ratio_continuous_sharp(sigma2)
    assert float(limit) > 1.2 * float(sim.step_ratio_lower(sigma2))


@pytest.mark.parametrize("phi", ["continuous", "binary"])
def test_the_direction_never_varies_more_than_the_effective_variance(phi: str) -> None:
    ratio = np.array([[1.0, 0.6, 0.2], [1.0, 0.9, 0.5]])  # two rounds
    sigma2 = np.array([1.0, 0.5, 2.0])
    values = sim.phi_by_name(phi, ratio, 0.5)
    alpha = sim.collaboration_weights(ratio, values, sigma2)
    effective = sim.effective_variance(ratio, values, sigma2)
    terms = sharp.theorem1_direction_upper(3.0, 0.1, 1.0, 2.0, alpha, sigma2)
    printed = rates.theorem1_upper(3.0, 0.1, 1.0, 2.0, effective)
    assert terms["contraction"] == printed["contraction"]
    assert terms["noise"] <= printed["noise"] * (1 + 1e-12)  # rounding of an equality
    if phi == "continuous":
        assert terms["noise"] == pytest.approx(printed["noise"], rel=1e-12)


def test_markov() -> None:
    assert sharp.reach_probability_upper(Fraction(1, 4), Fraction(1, 2)) == Fraction(1, 2)
    with pytest.raises(InvalidInput, match="precision must be positive"):
        sharp.reach_probability_upper(1.0, 0.0)


def test_limits_broadcast_over_instances() -> None:
    sigma2 = np.array([[1.0, 1.0], [4.0, 1.0]])
    assert to_float(sharp.step_ratio_continuous_sharp(sigma2)).shape == (2,)
    assert to_float(sharp.step_ratio_binary_sharp(sigma2, np.array([0.5, 0.25]))).shape == (2,)
