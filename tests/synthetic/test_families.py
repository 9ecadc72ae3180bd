"""What only one family claims: proofs of constants, builders, input that must be refused."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers import Ball
from bounds.numbers.validate import InvalidInput
from synthetic.builders import clustered_quadratics, figure1_family
from synthetic.nonconvex import SaturatedLoss
from synthetic.pl import WavyParabola
from synthetic.quadratic import Quadratic
from synthetic.tables.diabetes import diabetes_split
from synthetic.tables.least_squares import LeastSquares
from synthetic.tables.streaming import StreamingLeastSquares, two_clusters


def pl_margin(mu: Fraction, low: Fraction, high: Fraction) -> Any:
    """h'^2/2 - mu h over an interval in ball arithmetic, by the mean value form."""
    middle, t = (low + high) / 2, Ball(low, high)
    slope = 2 * middle + 3 * Ball(2 * middle).sin()
    value = middle**2 + 3 * Ball(middle).sin() ** 2
    derivative = (2 * t + 3 * (2 * t).sin()) * (2 + 6 * (2 * t).cos() - mu)
    return slope**2 / 2 - mu * value + derivative * (t - middle)


def proved_on(mu: Fraction, low: Fraction, high: Fraction, depth: int = 14) -> bool:
    if pl_margin(mu, low, high).lo > 0:
        return True
    middle = (low + high) / 2
    return depth > 0 and all(
        proved_on(mu, *ends, depth - 1) for ends in ((low, middle), (middle, high))
    )


def test_pl_constant_is_proved_in_ball_arithmetic() -> None:
    """The middle part of the proof in the docstring of `WavyParabola`."""
    assert proved_on(WavyParabola.pl, Fraction(1), Fraction(3))


def test_a_pl_constant_one_percent_larger_is_false() -> None:
    """Negative control: the constant is within 0.5 % of the best one."""
    t = Fraction(22017, 10_000)
    assert pl_margin(WavyParabola.pl * Fraction(101, 100), t, t).hi < 0


def test_wavy_parabola_is_not_convex_and_has_one_stationary_point() -> None:
    problem = WavyParabola({"height": [1.0], "centre": [[0.0]]})
    t = np.linspace(0.01, 10, 5000)[:, None]
    slopes = problem.gradients(t)[:, 0, 0]
    assert (slopes > 0).all()
    assert (np.diff(slopes) < 0).any()


def test_saturated_loss_is_rational_bounded_and_flat_far_away() -> None:
    problem = SaturatedLoss({"height": ["3"], "centre": [["1/2"]], "width": "2"})
    theta = np.array([Fraction(5, 2)])
    assert problem.losses(theta)[0] == Fraction(3, 2)
    assert problem.gradients(theta)[0, 0] == Fraction(3, 4)
    assert problem.pl_constant == 0
    assert problem.gradients(np.array([Fraction(10**6)]))[0, 0] < Fraction(1, 10**10)


def test_equal_shapes_give_tight_constants_without_the_factor_of_the_curve() -> None:
    same_height = WavyParabola({"height": [2.0, 2.0], "centre": [[0.0], [0.3]]})
    for s in (0.1, 1, 10):
        squared_bias, slope = same_height.heterogeneity(s)
        assert not slope.any()
        np.testing.assert_allclose(squared_bias[0, 1], 4 * (0.6 + 6 * np.sin(0.3)) ** 2)
    theta = np.linspace(-4, 4, 100_001)[:, None]
    g = same_height.gradients(theta)[..., 0]
    np.testing.assert_allclose(((g[:, 0] - g[:, 1]) ** 2).max(), squared_bias[0, 1], rtol=1e-6)
    same_centre = SaturatedLoss({"height": [2.0, 3.0], "centre": [[1.0], [1.0]]})
    squared_bias, slope = same_centre.heterogeneity()
    assert not squared_bias.any()
    np.testing.assert_allclose(slope, [[0, 1 / 4], [1 / 9, 0]])


@pytest.mark.parametrize("family", [WavyParabola, SaturatedLoss])
def test_every_instance_of_a_batch_has_its_own_place_on_the_curve(family: type[Any]) -> None:
    height = np.array([[2.0, 3.0], [1.0, 4.0]])
    centre = np.array([[[0.0], [0.3]], [[1.0], [0.5]]])
    places = np.array([0.5, 2.0])
    batch = family({"height": height, "centre": centre}).heterogeneity(places)
    for j, s in enumerate(places):
        single = family({"height": height[j], "centre": centre[j]}).heterogeneity(s)
        for both, alone in zip(batch, single, strict=True):
            np.testing.assert_array_equal(both[j], alone)


def test_sampled_families_say_that_their_variance_is_unbounded() -> None:
    for problem in (two_clusters(2, clients=4, seed=1), diabetes_split()):
        assert not problem.bounded_variance
        origin = np.zeros(problem.dim)
        np.testing.assert_allclose(problem.noise_variance, problem.gradient_variance(origin))
        far = np.full(problem.dim, 1e6)
        assert (problem.gradient_variance(far) > 1e6 * problem.noise_variance).all()


def test_streaming_noise_vanishes_at_the_optimum() -> None:
    problem = two_clusters(10, seed=4)
    assert (problem.clients, problem.dim, problem.smoothness) == (20, 10, 2.0)
    assert not problem.own_gradient_variance(problem.optimum).any()
    assert np.array_equal(problem.optimum[0], problem.optimum[18])
    assert not np.array_equal(problem.optimum[0], problem.optimum[1])


def test_streaming_gradients_match_their_variance_for_correlated_features() -> None:
    H = np.array([[[2.0, 0.9], [0.9, 1.0]]])
    problem = StreamingLeastSquares({"H": H, "targets": [[1.0, -2.0]], "batch": 3})
    u = np.random.default_rng(8).normal(size=(100_000, 1, 6)) / np.sqrt(6)
    theta = np.array([0.5, 0.5])
    g = problem.stochastic_gradients(theta, u)[:, 0]
    mean, error = problem.gradients(theta)[0], g.std(0) / np.sqrt(len(g))
    assert (np.abs(g.mean(0) - mean) < 6 * error).all()
    square = ((g - mean) ** 2).sum(-1)
    gap = abs(square.mean() - problem.gradient_variance(theta)[0])
    assert gap < 6 * square.std() / np.sqrt(len(g))


def test_diabetes_split_is_ordinary_least_squares_per_group() -> None:
    problem = diabetes_split()
    assert problem.rows == (235, 207)
    for k, n in enumerate(problem.rows):
        X, y = problem.data["X"][k, :n], problem.data["y"][k, :n]
        best, *_ = np.linalg.lstsq(X, y, rcond=None)
        np.testing.assert_allclose(problem.optimum[k], best, rtol=1e-8, atol=1e-10)
        residual = ((X @ best - y) ** 2).mean()
        np.testing.assert_allclose(problem.optimal_value[k], residual)
    by_age = diabetes_split("age", clients=3, features=["bmi"])
    assert (by_age.clients, by_age.dim, sum(by_age.rows)) == (3, 2, 442)


def test_diabetes_without_scikit_learn_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(InvalidInput, match=r"pip install 'fedassay\[data\]'"):
        diabetes_split()


def test_padding_rows_never_matter() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(2, 6, 2)), rng.normal(size=(2, 6))
    data: dict[str, Any] = {"X": X, "y": y, "counts": [6, 4]}
    other = {**data, "X": X.copy(), "y": y.copy()}
    other["X"][1, 4:], other["y"][1, 4:] = 99.0, -99.0
    first, second = LeastSquares(data), LeastSquares(other)
    theta = rng.normal(size=(3, 2))
    for method in ("losses", "gradients", "gradient_variance"):
        ours, theirs = getattr(first, method)(theta), getattr(second, method)(theta)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_clustered_quadratics_keep_their_promises() -> None:
    problem = clustered_quadratics(
        7, 3, seed=9, clusters=3, separation=2.0, strong_convexity=0.5, smoothness=8.0, half=True
    )
    np.testing.assert_allclose(problem.client_smoothness, 8)
    np.testing.assert_allclose(problem.client_strong_convexity, 0.5)
    steps = np.linalg.norm(np.diff(problem.optimum[:3], axis=0), axis=-1)
    np.testing.assert_allclose(steps, 2)
    np.testing.assert_allclose(problem.optimum[0], problem.optimum[3], atol=1e-15)
    squared_bias, slope = problem.heterogeneity()
    assert slope.max() < 1e-24  # one Hessian: only rounding of its inverse is left
    assert squared_bias[0, 3] == 0
    assert squared_bias[0, 1] > 0


def test_figure1_family_scales_one_draw_by_both_readings() -> None:
    small, large = figure1_family(0.01), figure1_family(1.0)
    assert (large.clients, large.strong_convexity, large.smoothness) == (20, 2.0, 2.0)
    np.testing.assert_allclose(small.optimum, 0.01 * large.optimum)
    np.testing.assert_allclose(figure1_family(0.01, variance=True).optimum, 0.1 * large.optimum)


def test_exact_quadratic_constants_are_fractions() -> None:
    problem = Quadratic(
        {"A": [[["2"]], [["1/3"]]], "xi": [["1"], ["-1/2"]], "noise_scale": ["1", "1/7"]}
    )
    assert problem.smoothness == 4
    assert problem.strong_convexity == Fraction(2, 3)
    assert problem.noise_variance.tolist() == [1, Fraction(1, 49)]
    squared_bias, slope = problem.heterogeneity()
    assert squared_bias[0, 1] == 2 * (2 * Fraction(1, 3) * Fraction(3, 2)) ** 2
    assert slope[0, 1] == 2 * (1 - Fraction(1, 6)) ** 2


ONE = {"A": [[[1.0]]], "xi": [[0.0]]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"A": [[[1.0, 2.0], [0.0, 5.0]]], "xi": [[0.0, 0.0]]}, "A must be symmetric"),
        ({"A": [[[1.0, 2.0], [2.0, 1.0]]], "xi": [[0.0, 0.0]]}, "positive semi-definite"),
        ({"A": [[["1", "2"], ["2", "1"]]], "xi": [["0", "0"]]}, "positive semi-definite"),
        ({"A": -np.eye(3)[None], "xi": np.zeros((1, 3))}, "positive semi-definite"),
        ({"A": [[[1.0]]]}, "xi must be given"),
        (ONE | {"noise_scale": [-1.0]}, "noise_scale must be non-negative"),
        (ONE | {"noise_scale": [2.0], "sigma": [1.0]}, "sigma must be at least noise_scale"),
        (ONE | {"sigma": [0.0]}, "sigma must be positive"),
        (ONE | {"noise_scale": [1.0], "skew": [0.0]}, "skew must be positive"),
        (ONE | {"noise_scale": [1.0], "law": "cauchy"}, "law must be a known law"),
        (ONE | {"noise_scale": [1.0], "law": "finite"}, "values must be given"),
        (ONE | {"direction": [[2.0]]}, "direction must be of norm 1"),
        (ONE | {"xi": [["a"]]}, "xi must be made of numbers"),
        (ONE | {"xi": [[0.0], [1.0, 2.0]]}, "rectangular"),
        ({"A": np.ones((2, 1, 1, 1)), "xi": np.ones((3, 1, 1))}, "leading axes"),
    ],
)
def test_bad_quadratics_are_refused(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Quadratic(data)


@pytest.mark.parametrize(
    ("values", "chances", "message"),
    [
        ([1.0, -1.0], [0.5, 0.6], "probabilities must be a law"),
        ([1.0, 0.0], [0.5, 0.5], "values must be of mean 0"),
        ([2.0, -2.0], [0.5, 0.5], "values must be of variance 1"),
    ],
)
def test_finite_laws_must_be_standardised(values: Any, chances: Any, message: str) -> None:
    law = {"law": "finite", "values": [values], "probabilities": [chances]}
    with pytest.raises(InvalidInput, match=message):
        Quadratic(ONE | law)


def test_other_families_refuse_bad_input() -> None:
    with pytest.raises(InvalidInput, match="batch must be a positive integer"):
        two_clusters(2, seed=1, batch=0)
    with pytest.raises(InvalidInput, match="counts must be at most n = 2"):
        LeastSquares({"X": np.ones((1, 2, 1)), "y": np.ones((1, 2)), "counts": [3]})
    with pytest.raises(InvalidInput, match="column must be one of"):
        diabetes_split("weight")
    with pytest.raises(InvalidInput, match="H must be positive semi-definite"):
        StreamingLeastSquares({"H": [[[-1.0]]], "targets": [[0.0]]})
    singular = StreamingLeastSquares({"H": [[[0.0]]], "targets": [[0.0]]})
    with pytest.raises(InvalidInput, match="H must be positive definite to draw"):
        singular.stochastic_gradients(np.zeros(1), np.zeros((1, 2)))
    with pytest.raises(InvalidInput, match="height must be positive"):
        WavyParabola({"height": [0.0], "centre": [[0.0]]})
    with pytest.raises(InvalidInput, match="smoothness must be equal"):
        clustered_quadratics(2, 1, seed=1, smoothness=3.0)
