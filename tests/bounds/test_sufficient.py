"""Definition 2: what it promises holds on quadratics, its limits are limits, b is not b^2."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import sufficient as suf
from bounds.generic import to_float
from bounds.heterogeneity import bias_and_slope, mismatch
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from bounds.similarity import PHI, similarity_ratio

positive = st.fractions(min_value=Fraction(1, 16), max_value=16, max_denominator=16)
shift = st.fractions(min_value=-4, max_value=4, max_denominator=8)
RULES = [("continuous", None, None), ("binary", Fraction(1, 3), None), ("power", None, 2)]


def _exact_pair(a: list[Fraction], xi: list[Fraction]) -> tuple[Any, Any]:
    return as_rational(a)[:, None, None], as_rational(xi)[:, None]


@given(
    st.lists(positive, min_size=2, max_size=2),
    st.lists(shift, min_size=2, max_size=2),
    shift,
    positive,
)
def test_ratios_of_runs_are_at_least_the_sufficient_ones(
    a: list[Fraction], xi: list[Fraction], theta: Fraction, s: Fraction
) -> None:
    """r_k >= (1 - b^2/(2 mu X) - c)_+ at every point with excess loss X > 0, exactly."""
    excess = a[0] * (theta + xi[0]) ** 2
    if excess == 0:
        excess, theta = a[0], 1 - xi[0]
    A, shifts = _exact_pair(a, xi)
    squared_bias, slope = bias_and_slope(A, shifts, s)
    gradients = as_rational([[2 * a[k] * (theta + xi[k])] for k in range(2)])
    mu = 2 * a[0]  # client 0's own constant: 4 a^2 x^2 = 2 mu a x^2
    ratio = suf.sufficient_ratio(squared_bias[0], slope[0], mu, excess)
    assert (similarity_ratio(gradients) >= ratio).all()
    best = suf.sufficient_ratio_best(*(m[0] for m in mismatch(A, shifts)), mu, excess)
    assert (to_float(best) >= to_float(ratio) - 1e-12).all()  # to_float's own rounding
    assert (to_float(similarity_ratio(gradients)) >= to_float(best) - 1e-12).all()


def test_the_printed_ratio_promises_too_much() -> None:
    """Negative control: b = 4 in the place of b^2 = 16, at a point where the true form is tight."""
    A, xi = _exact_pair([Fraction(1), Fraction(1)], [Fraction(0), Fraction(2)])
    _, slope = bias_and_slope(A, xi, 1)
    mu, theta = Fraction(2), Fraction(4)
    shift, _ = mismatch(A, xi)
    gradients = as_rational([[2 * theta], [2 * (theta + 2)]])
    excess = theta**2
    true = suf.sufficient_ratio(shift[0], slope[0], mu, excess)
    printed = suf.sufficient_ratio_printed(as_rational([0, 4]), slope[0], mu, excess)
    actual = similarity_ratio(gradients)
    assert shift[0, 1] == 16
    assert actual[1] == true[1]
    assert printed[1] > actual[1]


def test_the_best_ratio_is_the_best_over_the_curve() -> None:
    V, M2, mu, eps = np.array([0.3]), np.array([0.05]), 0.7, 1.3
    grid = np.geomspace(1e-3, 1e3, 20_001)
    values = [suf.sufficient_ratio(V * (1 + 1 / s), M2 * (1 + s), mu, eps)[0] for s in grid]
    best = suf.sufficient_ratio_best(V, M2, mu, eps)[0]
    assert max(values) <= best
    assert max(values) == pytest.approx(best, rel=1e-6)  # spacing of the grid


@pytest.mark.parametrize(("phi", "level", "exponent"), RULES)
def test_limits_are_reached(phi: str, level: Any, exponent: Any) -> None:
    b2 = as_rational([0, 0, "1/4", 2])
    c = as_rational([0, "1/2", 0, 2])
    sigma2 = as_rational([1, 2, 3, 4])
    args = (phi, sigma2, level, exponent)
    at_zero = suf.sufficient_variance_limit_zero(b2, c, *args)
    tiny = suf.sufficient_ratio(b2, c, 1, Fraction(1, 100))
    assert suf.sufficient_variance(tiny, *args) == at_zero
    assert suf.sufficient_variance_limit_zero_printed(b2, c, *args) != at_zero
    at_infinity = suf.sufficient_variance_limit_infinity(b2, c, *args)
    large = suf.sufficient_ratio(b2, c, 1, 10**12)
    found = suf.sufficient_variance(large, *args)
    assert float(found) == pytest.approx(float(at_infinity), rel=1e-10)
    assert found >= at_infinity


def test_the_printed_limit_at_infinity_misses_the_jump_of_the_binary_rule() -> None:
    b2, c, sigma2 = as_rational([0, 1]), as_rational([0, "1/2"]), as_rational([1, 1])
    level = Fraction(1, 2)
    true = suf.sufficient_variance_limit_infinity(b2, c, "binary", sigma2, level)
    printed = suf.sufficient_variance_limit_infinity_printed(c, "binary", sigma2, level)
    far = suf.sufficient_ratio(b2, c, 1, 10**30)
    assert suf.sufficient_variance(far, "binary", sigma2, level) == true == 2
    assert printed < true


@given(
    st.lists(st.tuples(positive, positive, positive), min_size=1, max_size=3),
    positive,
    positive,
    st.sampled_from(RULES),
)
def test_the_cluster_grows_and_the_variance_falls_with_the_precision(
    rows: list[tuple[Fraction, ...]], first: Fraction, second: Fraction, rule: tuple[Any, ...]
) -> None:
    phi, level, exponent = rule
    b2, c, sigma2 = (
        as_rational([start, *(r[j] for r in rows)]) for j, start in enumerate((0, 0, 1))
    )
    low, high = sorted((first, second))
    small, large = (suf.sufficient_ratio(b2, c / 16, 1, eps) for eps in (low, high))
    inside = suf.sufficient_cluster(small, phi, level, exponent)
    assert (inside <= suf.sufficient_cluster(large, phi, level, exponent)).all()
    variances = [suf.sufficient_variance(r, phi, sigma2, level, exponent) for r in (small, large)]
    assert variances[0] >= variances[1]
    if (sigma2 == 1).all():
        at_one = {"continuous": 1, "binary": level, "power": 1}[phi]
        assert variances[0] >= suf.sufficient_variance_lower(1, at_one, int(inside.sum()))


@given(st.fractions(min_value=0, max_value=1, max_denominator=50), positive)
def test_binary_psi_is_at_least_the_squared_threshold(x: Fraction, level: Fraction) -> None:
    level = min(level, Fraction(1))
    value = x * PHI["binary"](x, level)
    assert value == 0 or value >= suf.binary_psi_lower(level)
    assert level * PHI["binary"](level, level) == suf.binary_psi_lower(level)
    assert suf.binary_psi_lower_printed(level) >= suf.binary_psi_lower(level)


def test_shapes_and_bad_input() -> None:
    b2, c = np.ones((4, 1, 3)), np.zeros((4, 1, 3))
    assert suf.sufficient_ratio(b2, c, np.ones((4, 1)), np.ones((4, 5))).shape == (4, 5, 3)
    with pytest.raises(InvalidInput, match="precision must be positive"):
        suf.sufficient_ratio(b2, c, 1.0, 0.0)
    with pytest.raises(InvalidInput, match="mu must be positive"):
        suf.sufficient_ratio(b2, c, -1.0, 1.0)
