"""A3 constants of quadratics: valid at random points, tight where promised, printed ones not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bounds import generic as g
from bounds.heterogeneity import (
    bias_and_slope,
    mismatch,
    property1_printed,
    squared_bias_exact,
)
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from synthetic.registry import make
from tests.each import each


def _federation(seed: int, clients: int, d: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(clients, d, d))
    A = factor @ factor.swapaxes(-1, -2) + 0.3 * np.eye(d)
    return A, rng.normal(size=(clients, d))


def _squares(A: Any, xi: Any, half: bool, thetas: Any) -> tuple[Any, Any]:
    """||grad R_i - grad R_k||^2, (points, N, N), and ||grad R_i||^2, from the definition."""
    h = 1 if half else 2
    gradients = h * np.einsum("nij,pnj->pni", A, thetas[:, None, :] + xi)
    gaps = gradients[:, :, None, :] - gradients[:, None, :, :]
    return (gaps**2).sum(-1), (gradients**2).sum(-1)


def _worst(A: Any, xi: Any, half: bool, slope: Any, points: int = 20_000) -> Any:
    """Largest ||grad R_i - grad R_k||^2 - c ||grad R_i||^2 over random points of many scales."""
    rng = np.random.default_rng(7)
    scales = 10.0 ** rng.uniform(-2, 2, size=(points, 1))
    centre = -xi[rng.integers(len(xi), size=points)]
    thetas = centre + scales * rng.normal(size=(points, A.shape[-1]))
    gaps, own = _squares(A, xi, half, thetas)
    return (gaps - slope * own[:, :, None]).max(0)


@each("half", [False, True])
@each("d", [1, 2, 4])
@each("s", [0.1, 1, 5.0])
def test_the_curve_is_valid_and_the_exact_bias_is_smaller(half: bool, d: int, s: float) -> None:
    A, xi = _federation(d, 3, d)
    squared_bias, slope = bias_and_slope(A, xi, s, half)
    exact = squared_bias_exact(A, xi, slope, half)
    # 1e-9: rounding of differences of squares at points up to a hundred units away
    worst = _worst(A, xi, half, slope)
    assert (worst <= exact + 1e-9 * (1 + exact + slope * 1e6)).all()
    assert (exact <= squared_bias * (1 + 1e-12)).all()
    assert (np.diagonal(squared_bias) == 0).all()
    assert (np.diagonal(slope) == 0).all()
    if d == 1:  # every point of the curve is tight in dimension one
        np.testing.assert_allclose(exact, squared_bias, rtol=1e-9)


@pytest.mark.parametrize("half", [False, True])
def test_the_exact_bias_is_attained(half: bool) -> None:
    A, xi = _federation(11, 2, 3)
    _, slope = bias_and_slope(A, xi, 0.7, half)
    exact = squared_bias_exact(A, xi, slope, half)
    h = 1 if half else 2
    i, k = 0, 1
    M = np.eye(3) - A[k] @ np.linalg.inv(A[i])
    v = h * A[k] @ (xi[i] - xi[k])
    best = np.linalg.solve(slope[i, k] * np.eye(3) - M.T @ M, M.T @ v)  # maximiser over gradients
    theta = np.linalg.solve(h * A[i], best) - xi[i]
    gaps, own = _squares(A, xi, half, theta[None])
    assert gaps[0, i, k] - slope[i, k] * own[0, i] == pytest.approx(exact[i, k], rel=1e-9)


def test_equal_hessians_and_equal_optima_are_tight() -> None:
    A, xi = _federation(3, 3, 2)
    same_hessian = np.broadcast_to(A[0], A.shape)
    assert (mismatch(same_hessian, xi).spread < 1e-28).all()  # rounding of A A^-1
    zero = as_rational(np.zeros((3, 3)))
    rational = as_rational(np.round(8 * same_hessian)), as_rational(np.round(8 * xi))
    exact = squared_bias_exact(*rational, zero)
    assert (exact == mismatch(*rational).shift).all()
    assert (mismatch(A, np.zeros((3, 2))).shift == 0).all()


def test_printed_constants_fail_for_the_losses_of_the_paper_only() -> None:
    """Negative control: the check that passes the true constants catches the printed ones."""
    A = as_rational([[[1]], [[2]]])
    xi = as_rational([[0], [1]])
    printed, true = property1_printed(A, xi), bias_and_slope(A, xi)
    assert (printed.slope == true.slope).all()
    assert true.squared_bias[0, 1] == 4 * printed.squared_bias[0, 1]
    floats = g.to_float(A), g.to_float(xi)
    worst = _worst(*floats, half=False, slope=g.to_float(true.slope))
    assert worst[0, 1] > g.to_float(printed.squared_bias)[0, 1]
    assert worst[0, 1] <= g.to_float(true.squared_bias)[0, 1] + 1e-6
    half = bias_and_slope(A, xi, 1, half=True)
    assert (half.squared_bias == printed.squared_bias).all()


def test_exact_and_float_agree_and_batches_broadcast() -> None:
    rng = np.random.default_rng(0)
    raw = rng.integers(-3, 4, (4, 1, 3, 2, 2))
    A = raw @ raw.swapaxes(-1, -2) + np.eye(2, dtype=int)
    xi = rng.integers(-3, 4, (4, 1, 3, 2))
    floats = bias_and_slope(A.astype(float), xi.astype(float), 2)
    exact = bias_and_slope(as_rational(A), as_rational(xi), 2)
    s = np.full((4, 1), 2.0)
    batched = bias_and_slope(A.astype(float), xi.astype(float), s)
    for x, y, z in zip(floats, exact, batched, strict=True):
        assert x.shape == (4, 1, 3, 3)
        np.testing.assert_allclose(x, g.to_float(y), rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(x, z)


@pytest.mark.parametrize("asking", [0, 2])
def test_one_client_that_asks_has_the_row_of_all(asking: int) -> None:
    for A, xi in (_federation(4, 5, 3), map(as_rational, ([[[2]], [[1]], [[3]]], [[0], [1], [2]]))):
        every, one = bias_and_slope(A, xi, 2), bias_and_slope(A, xi, 2, asking=asking)
        for whole, row in zip(every, one, strict=True):
            assert row.shape == (1, len(A))
            np.testing.assert_array_equal(row[0], whole[asking])
            assert (row[0] != whole[1 - asking // 2]).any()  # negative control: another row


def test_a_problem_gives_one_row_of_its_own() -> None:
    A, xi = _federation(6, 4, 2)
    problem = make("quadratic", {"A": A, "xi": xi})
    for name, s in (("quadratic", 1), ("separable", 1 / 2)):
        if name == "separable":
            wells = {"height": np.arange(1.0, 5), "centre": xi[:, :1], "width": np.asarray(1.0)}
            problem = make("pl", wells)
        every = problem.heterogeneity(s)
        for client in range(4):
            for whole, row in zip(every, problem.heterogeneity_of(client, s), strict=True):
                np.testing.assert_array_equal(row, whole[client])


def test_units_permutation_and_rotation() -> None:
    A, xi = _federation(5, 3, 2)
    b2, c = bias_and_slope(A, xi)
    # loss x 3, length x 5: A by 3/25, xi by 5, b^2 (loss^2/length^2) by 9/25, c unchanged
    b2_scaled, c_scaled = bias_and_slope(A * 3 / 25, xi * 5)
    np.testing.assert_allclose(b2_scaled, b2 * 9 / 25, rtol=1e-9)
    np.testing.assert_allclose(c_scaled, c, rtol=1e-9)
    order = [2, 0, 1]
    b2_moved, _ = bias_and_slope(A[order], xi[order])
    np.testing.assert_allclose(b2_moved, b2[np.ix_(order, order)], rtol=1e-12)
    angle = 0.3
    Q = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    b2_turned, c_turned = bias_and_slope(Q @ A @ Q.T, xi @ Q.T)
    np.testing.assert_allclose(b2_turned, b2, rtol=1e-9)
    np.testing.assert_allclose(c_turned, c, rtol=1e-9, atol=1e-12)


def test_bad_input_is_named() -> None:
    A, xi = _federation(1, 2, 2)
    with pytest.raises(InvalidInput, match="s must be positive, got 0"):
        bias_and_slope(A, xi, 0)
    with pytest.raises(InvalidInput, match="slope must be above"):
        squared_bias_exact(A, xi, np.zeros((2, 2)))
