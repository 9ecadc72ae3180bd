"""The descent lemma against exact one-step means of quadratics with two-point noise."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import descent
from bounds.generic import total
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from bounds.similarity import collaboration_weights, effective_variance, similarity_ratio

positive = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=8)
number = st.fractions(min_value=-4, max_value=4, max_denominator=8)


@st.composite
def steps(draw: st.DrawFn) -> dict[str, Any]:
    """One step on one-dimensional losses a_k (theta + xi_k)^2 with noise +-sigma_k."""
    n = draw(st.integers(1, 3))
    kinds = {"a": positive, "xi": number, "sigma": positive, "alpha": positive}
    lists = {k: draw(st.lists(kind, min_size=n, max_size=n)) for k, kind in kinds.items()}
    data = {name: as_rational(values) for name, values in lists.items()}
    data["theta"] = draw(number)
    data["share"] = draw(st.fractions(min_value=Fraction(1, 8), max_value=1, max_denominator=8))
    data["beta"] = 2 * data["a"][0]
    data["gradients"] = 2 * data["a"] * (data["theta"] + data["xi"])
    return data


def _mean_change(data: dict[str, Any], eta: Any, alpha: Any) -> Fraction:
    """E X' - X for client 0, over all sign patterns."""
    n = len(alpha)
    change = Fraction(0)
    for signs in itertools.product((-1, 1), repeat=n):
        noisy = data["gradients"] + data["sigma"] * as_rational(list(signs))
        after = data["theta"] - eta * total(alpha * noisy)
        change += (after + data["xi"][0]) ** 2 - (data["theta"] + data["xi"][0]) ** 2
    return data["a"][0] * change / 2**n


@given(steps())
def test_every_display_bounds_the_exact_step(data: dict[str, Any]) -> None:
    grads, alpha, sigma2 = data["gradients"], data["alpha"], data["sigma"] ** 2
    eta = data["share"] * descent.lemma1_step_limit(data["beta"], alpha)
    own = grads[0]
    weight = total(alpha)
    average = total(alpha * grads) / weight
    exact = _mean_change(data, eta, alpha)
    common = (eta, data["beta"], alpha, sigma2)
    before = descent.lemma1_before_jensen_upper(*common, own**2, average**2, (average - own) ** 2)
    moment = descent.right_side(descent.second_moment_upper(alpha, sigma2, average**2))
    s1 = descent.s1_upper(eta, data["beta"], alpha, average * own, moment)
    lemma = descent.lemma1_upper(*common, own**2, (grads - own) ** 2)
    # a quadratic's smoothness inequality is an equality when beta is its own Hessian
    assert exact == descent.right_side(s1) == descent.right_side(before)
    assert exact <= descent.right_side(lemma)
    assert before["noise"] == lemma["noise"]
    if data["share"] == 1 and (grads == own).all():
        assert exact == descent.right_side(lemma)


@given(steps())
def test_definition_1_turns_the_lemma_into_s2(data: dict[str, Any]) -> None:
    grads, sigma2 = data["gradients"], data["sigma"] ** 2
    if grads[0] == 0:
        grads = grads + 1
    ratio = similarity_ratio(grads[:, None])
    alpha = collaboration_weights(ratio, ratio, sigma2)
    eta = data["share"] * descent.lemma1_step_limit(data["beta"], alpha)
    lemma = descent.lemma1_upper(
        eta, data["beta"], alpha, sigma2, grads[0] ** 2, (grads - grads[0]) ** 2
    )
    s2 = descent.s2_upper(
        eta, data["beta"], effective_variance(ratio, ratio, sigma2), grads[0] ** 2
    )
    assert lemma["heterogeneity"] + lemma["descent"] <= s2["descent"]
    assert lemma["noise"] <= s2["noise"]


def test_the_lemma_is_tight_for_one_client_at_the_largest_step() -> None:
    one, zero = as_rational([1]), as_rational([0])
    data = {"a": one / 2, "xi": zero, "sigma": 2 * one, "theta": Fraction(3), "gradients": 3 * one}
    terms = descent.lemma1_upper(Fraction(1), Fraction(1), one, 4 * one, Fraction(9), zero)
    assert descent.right_side(terms) == _mean_change(data, Fraction(1), one)


def test_the_printed_noise_term_fails_beyond_a_step_of_two() -> None:
    """Negative control: eta beta for eta^2 beta/2, with beta small enough to allow eta = 4."""
    one, zero = as_rational([1]), as_rational([0])
    beta, eta = Fraction(1, 4), Fraction(4)
    data = {"a": one / 8, "xi": zero, "sigma": one, "theta": Fraction(0), "gradients": zero}
    args = (eta, beta, one, one, Fraction(0), zero)
    exact = _mean_change(data, eta, one)
    assert exact == descent.right_side(descent.lemma1_upper(*args))
    assert exact > descent.right_side(descent.lemma1_last_display_printed(*args))
    assert exact > descent.right_side(descent.lemma1_statement_printed(*args))


@given(steps(), st.integers(0, 2), number)
def test_best_weights_minimise_the_right_side(
    data: dict[str, Any], which: int, move: Fraction
) -> None:
    sigma2, own = data["sigma"] ** 2, Fraction(2)
    gaps = (data["gradients"] - data["gradients"][0]) ** 2
    args = (data["beta"], sigma2, own**2, gaps)
    eta = data["share"]
    best = descent.best_weights(eta, *args)
    other = best.copy()
    other[which % len(best)] = abs(other[which % len(best)] + move)
    values = [
        descent.right_side(descent.lemma1_upper(eta, args[0], alpha, *args[1:]))
        for alpha in (best, other)
    ]
    assert values[0] <= values[1]


def test_bad_input_is_named() -> None:
    one = as_rational([1])
    with pytest.raises(InvalidInput, match="smoothness must be positive, got 0"):
        descent.lemma1_upper(1, 0, one, one, 1, one)
    with pytest.raises(InvalidInput, match="sigma2 must be non-negative"):
        descent.lemma1_upper(1, 1, one, -one, 1, one)
