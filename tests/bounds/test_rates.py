"""Rates against the recursion they come from, in exact arithmetic; printed rows fail."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import complexity, rates
from bounds.descent import right_side
from bounds.numbers import Ball, as_rational
from bounds.numbers.validate import InvalidInput

positive = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=8)
share = st.fractions(min_value=Fraction(1, 16), max_value=1, max_denominator=16)
rounds = st.integers(1, 12)


@st.composite
def settings(draw: st.DrawFn) -> dict[str, Any]:
    """mu <= beta, a start, a variance and q in (0, 1], all rational."""
    beta = draw(positive)
    return {
        "mu": beta * draw(share),
        "beta": beta,
        "start": draw(positive),
        "variance": draw(positive),
        "q": draw(share),
        "T": draw(rounds),
    }


def _last(p: dict[str, Any], steps: list[Fraction]) -> Any:
    path = rates.recursion_upper(
        p["start"], as_rational(steps), p["mu"], p["beta"], as_rational([p["variance"]] * p["T"])
    )
    assert path.shape == (p["T"] + 1,)
    return path[-1]


@given(settings(), share)
def test_constant_rows_in_order(p: dict[str, Any], part: Fraction) -> None:
    eta = part * p["q"] / p["beta"]
    args = (p["start"], eta, p["mu"], p["beta"])
    by_recursion = _last(p, [eta] * p["T"])
    theorem1 = rates.theorem1_upper(*args, as_rational([p["variance"]] * p["T"]))
    geometric = rates.theorem2_constant_geometric_upper(*args, p["variance"], p["T"])
    constant = rates.theorem2_constant_upper(*args, p["variance"], p["T"])
    assert by_recursion == right_side(theorem1) == right_side(geometric)
    assert right_side(geometric) <= right_side(constant)


@given(settings())
def test_theorem1_weighs_late_variances_most(p: dict[str, Any]) -> None:
    early, late = as_rational([1] + [0] * p["T"]), as_rational([0] * p["T"] + [1])
    args = (p["start"], p["q"] / p["beta"], p["mu"], p["beta"])
    first, second = (rates.theorem1_upper(*args, v)["noise"] for v in (early, late))
    assert first <= second


@given(settings(), st.fractions(min_value=Fraction(9, 8), max_value=6, max_denominator=8))
def test_decreasing_rows_bound_the_recursion(p: dict[str, Any], factor: Fraction) -> None:
    shift = rates.decreasing_shift(factor, p["mu"], p["beta"], p["q"])
    assert shift > 0
    steps = [rates.decreasing_step_size(factor, p["mu"], shift, t + 1) for t in range(p["T"])]
    assert steps[0] == p["q"] / p["beta"]
    last = _last(p, steps)
    args = (p["start"], p["mu"], p["beta"], p["variance"], p["T"], factor, shift)
    assert last <= rates.theorem2_decreasing_upper(*args)
    assert last <= rates.theorem2_decreasing_bcn_upper(*args)
    # a shift beyond the smallest keeps both valid
    steps = [rates.decreasing_step_size(factor, p["mu"], shift + 1, t + 1) for t in range(p["T"])]
    assert _last(p, steps) <= rates.theorem2_decreasing_upper(*args[:-1], shift + 1)
    # and the time that Corollary 1 repaired gives is late enough
    eps = p["start"] / 2
    time = complexity.sample_complexity_steps(*args[:4], eps, factor, shift)
    assert rates.theorem2_decreasing_upper(*args[:4], time, factor, shift) <= eps


def test_the_printed_decreasing_row_fails() -> None:
    """Its first step C/mu breaks the step condition; run anyway, it breaks the bound too."""
    mu, beta, factor = Fraction(1), Fraction(4), Fraction(2)
    assert rates.decreasing_step_size(factor, mu, 0, 1) > 1 / beta
    # with the steps repaired but not the right side, the start is undervalued
    shift = rates.decreasing_shift(factor, mu, beta)
    p = {"start": Fraction(100), "mu": mu, "beta": beta, "variance": Fraction(1, 100), "T": 5}
    last = _last(p, [rates.decreasing_step_size(factor, mu, shift, t + 1) for t in range(5)])
    args = (p["start"], mu, beta, p["variance"], 5, factor)
    assert last > rates.theorem2_decreasing_printed(*args)
    assert last <= rates.theorem2_decreasing_upper(*args, shift)


@given(settings())
def test_horizon_row_bounds_the_constant_row(p: dict[str, Any]) -> None:
    args = (p["start"], p["mu"], p["beta"], p["variance"], p["T"])
    if 2 * p["T"] * p["mu"] ** 2 * p["start"] <= p["beta"] * p["variance"]:
        return  # the step is not positive there
    eta = rates.horizon_step_size(*args)
    bound = right_side(rates.theorem2_horizon_upper(*args))
    if isinstance(eta, Ball) and eta.hi * p["mu"] <= 1:
        terms = rates.theorem2_constant_upper(
            p["start"], eta, p["mu"], p["beta"], p["variance"], p["T"]
        )
        assert right_side(terms) <= bound + Ball(0, Fraction(1, 2**90))


def test_the_printed_horizon_row_fails_for_small_smoothness() -> None:
    """beta = mu = 1/100 makes the printed logarithm negative where the true one is not."""
    args = (Fraction(40_000), Fraction(1, 100), Fraction(1, 100), Fraction(16), 10)
    true = right_side(rates.theorem2_horizon_upper(*args))
    printed = right_side(rates.theorem2_horizon_printed(*args))
    eta = rates.horizon_step_size(*args)
    reached = right_side(rates.theorem2_constant_geometric_upper(args[0], eta, *args[1:4], args[4]))
    assert 0 < eta * args[1] < 1
    assert printed < reached < true


@given(settings())
def test_theorem3_forms_in_order(p: dict[str, Any]) -> None:
    args = (p["start"], p["beta"], p["variance"], p["T"])
    eta = rates.theorem3_step_size(*args, p["q"])
    assert float(eta) <= float(p["q"] / p["beta"])
    explicit = float(right_side(rates.theorem3_upper(p["start"], eta, *args[1:])))
    closed = float(right_side(rates.theorem3_closed_upper(*args, p["q"])))
    printed = float(rates.theorem3_printed(*args))
    # 1e-12: conversion of the exact numbers to floats
    assert explicit <= closed * (1 + 1e-12)
    assert printed <= explicit * (1 + 1e-12)  # 2 sqrt(xy) <= x + y: the minimum over eta
    if float(eta) < float(p["q"] / p["beta"]):
        assert explicit == pytest.approx(printed, rel=1e-12)


def test_corollary1_printed_forgets_the_start() -> None:
    mu, beta, factor = Fraction(1), Fraction(4), Fraction(2)
    shift = rates.decreasing_shift(factor, mu, beta)
    start, variance, eps = Fraction(100), Fraction(1, 100), Fraction(1)
    printed = complexity.sample_complexity_printed(mu, beta, variance, eps, factor)
    true = complexity.sample_complexity_upper(start, mu, beta, variance, eps, factor, shift)
    assert printed < 1 < true
    noisy = complexity.sample_complexity_upper(start, mu, beta, 10**4, eps, factor, shift)
    assert noisy <= complexity.sample_complexity_printed(mu, beta, 10**4, eps, factor)
    equal = complexity.equal_variance_iterations_upper(mu, beta, 10**4, eps, factor, 1, 1)
    assert equal == complexity.sample_complexity_printed(mu, beta, 10**4, eps, factor)


def test_arrays_of_instances() -> None:
    rng = np.random.default_rng(0)
    start, mu, beta, variance = rng.uniform(1, 2, (4, 6, 1))
    eta = 0.5 / beta
    path = rates.recursion_upper(
        start, np.repeat(eta[..., None], 5, -1), mu, beta, np.repeat(variance[..., None], 5, -1)
    )
    assert path.shape == (6, 1, 6)
    bound = rates.theorem2_constant_geometric_upper(start, eta, mu, beta, variance, 5)
    # 1e-13: a dozen roundings
    np.testing.assert_allclose(path[..., -1], right_side(bound), rtol=1e-13)


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="mu must be positive, got -1"):
        rates.theorem2_constant_upper(1.0, 0.5, -1.0, 1.0, 1.0, 3)
    with pytest.raises(InvalidInput, match="initial_excess must be positive, got 0: start away"):
        rates.theorem2_horizon_upper(0.0, 1.0, 1.0, 1.0, 3)
    with pytest.raises(InvalidInput, match="factor - 1 must be positive, got 0: take C above 1"):
        rates.theorem2_decreasing_upper(1.0, 1.0, 1.0, 1.0, 3, 1.0, 1.0)
