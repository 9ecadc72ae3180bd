"""Refined Lemma 1: exact <= refined <= repaired, its neighbourhood, weights and scale."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import descent
from bounds import refined_descent as refined
from bounds.numbers import as_rational
from verify.certify.checker import check
from verify.certify.worst_case.step import AveragingStep, upper

share = st.fractions(min_value=Fraction(1, 20), max_value=1, max_denominator=20)
gap = st.fractions(min_value=0, max_value=2, max_denominator=10)


def bounds_after(step: AveragingStep) -> tuple[float, float]:
    """Excess after the step by the refined and by the repaired lemma; c = 0, G^2 >= 2 mu X."""
    weights = np.array([float(a) for a in step.weights])
    gaps = np.array([0.0, *map(float, step.bias)])
    eta, mu, start = float(step.step), float(step.mu), float(step.start)
    rest = (1 - eta * mu * weights.sum()) * start
    return (
        float(rest + eta * refined.bias_triangle_upper(weights, gaps) / 2),
        float(rest + eta * refined.bias_jensen_upper(weights, gaps) / 2),
    )


@st.composite
def short_steps(draw: st.DrawFn) -> AveragingStep:
    """beta = 1, steps at most 1/(beta A), any b, c = 0."""
    others = draw(st.integers(1, 4))
    weights = tuple(draw(share) for _ in range(others + 1))
    bias = tuple(draw(gap) for _ in range(others))
    mu = draw(share) * Fraction(9, 10)
    step = draw(share) / sum(weights)
    return AveragingStep(Fraction(1), mu, step, weights, bias, (Fraction(0),) * others)


@settings(deadline=None, max_examples=25)
@given(short_steps())
def test_exact_is_below_refined_is_below_repaired(step: AveragingStep) -> None:
    proof = upper(step)
    check(proof.to_json())
    sharp, jensen = bounds_after(step)
    # the certified bound is within 1e-6 of the worst case from above
    assert float(proof.bound) <= sharp * (1 + 1e-6)
    assert sharp <= jensen * (1 + 1e-12)


def test_half_the_refined_bias_is_below_the_worst_case() -> None:
    """The order is no accident of loose numbers: with a smaller constant it breaks."""
    step = AveragingStep(
        Fraction(1),
        Fraction(9, 10),
        Fraction(1),
        (Fraction(1, 2),) * 2,
        (Fraction(2),),
        (Fraction(0),),
    )
    sharp, jensen = bounds_after(step)
    start = float((1 - step.step * step.mu) * step.start)
    worst = float(upper(step).bound)
    assert start + (sharp - start) / 2 < worst * (1 - 1e-6) <= sharp < jensen


def test_the_neighbourhood_is_where_the_worst_run_rests() -> None:
    """theta -> theta - eta (A mu theta - B) on mu theta^2/2, without noise."""
    alpha, bias = as_rational(["1/2", "1/4", "1/4"]), as_rational([0, 1, 3])
    mu, eta = Fraction(1, 5), Fraction(1, 2)
    parts = refined.neighbourhood_refined_upper(eta, Fraction(1), mu, alpha, 0 * alpha, bias)
    rest = (alpha * bias).sum() / (mu * alpha.sum())
    assert parts["bias"] == mu * rest**2 / 2
    assert parts["noise"] == 0
    jensen = refined.neighbourhood_upper(eta, Fraction(1), mu, alpha, 0 * alpha, bias)
    assert parts["bias"] < jensen["bias"]


def fixed_point(eta: float, beta: float, sigma2: Any, squared: float, gaps: Any) -> float:
    """The mean gap of the best weights, by bisection of a decreasing function."""
    low, high = 0.0, float(gaps.max())
    for _ in range(200):
        m = (low + high) / 2
        weights = refined.refined_weights(eta, beta, sigma2, np.array(squared), gaps, np.array(m))
        low, high = (m, high) if float((weights * (gaps - m)).sum()) > 0 else (low, m)
    return low


@pytest.mark.parametrize("seed", range(8))
def test_the_refined_weights_are_the_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, eta, beta, squared = 4, 0.3, 1.5, 2.0
    sigma2 = rng.uniform(0.5, 2, n)
    gaps = np.concatenate([[0.0], rng.uniform(0, 3, n - 1)])
    m = fixed_point(eta, beta, sigma2, squared, gaps)
    best = refined.refined_weights(eta, beta, sigma2, np.array(squared), gaps, np.array(m))

    def value(weights: Any) -> float:
        terms = refined.lemma1_refined_upper(eta, beta, weights, sigma2, squared, gaps**2)
        return float(descent.right_side(terms))

    lowest = float(refined.refined_bound_lower(beta, sigma2, np.array(squared), gaps, np.array(m)))
    assert value(best) == pytest.approx(lowest, rel=1e-9)  # the root m has fifteen digits
    jensen = descent.best_weights(eta, beta, sigma2, np.array(squared), gaps**2)
    for _ in range(50):
        assert lowest <= value(best * rng.uniform(0.5, 1.5, n)) + 1e-12
    assert lowest <= value(jensen) + 1e-12
    assert (best > 0).sum() >= (jensen > 0).sum()


def test_a_client_beyond_the_limit_of_lemma_1_still_helps() -> None:
    gaps = np.array([0.0, 1.2])
    best = refined.refined_weights(1.0, 1.0, np.ones(2), np.array(1.0), gaps, np.array(0.1))
    assert best[1] > 0
    assert descent.best_weights(1.0, 1.0, np.ones(2), np.array(1.0), gaps**2)[1] == 0


@given(st.lists(st.tuples(share, gap), min_size=1, max_size=5))
def test_the_scale_is_at_most_one_and_keeps_the_descent(pairs: list[tuple[Any, Any]]) -> None:
    weights, gaps = (as_rational(list(x)) for x in zip(*pairs, strict=True))
    gaps = gaps / 4
    weights = weights / (weights * (1 - gaps**2)).sum()  # as those of Definition 1 are
    scale = refined.refined_scale(weights, gaps)
    assert scale <= 1
    scaled = scale * weights
    assert scaled.sum() - refined.bias_triangle_upper(scaled, gaps) == 1


def test_scale_of_one_deviating_client() -> None:
    """A tenth of the weight at rho = 1/2: (1 - 1/40)/(1 - 1/400) = 390/399."""
    assert refined.refined_scale(as_rational([9, 1]), as_rational([0, "1/2"])) == Fraction(390, 399)
