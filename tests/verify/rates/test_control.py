"""Control variates: smaller bands about the same means, and e-values that do not know of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.numbers.validate import InvalidInput
from tests.verify.rates.planted import ONE, rate
from verify.catalogue.rates import every_rate
from verify.rates.control import Control, adjusted
from verify.rates.curve import curve
from verify.rates.many import together
from verify.rates.record import Rate
from verify.statements.adaptive import theorem1, theorem2
from verify.statements.adaptive.curves.records import first_weights
from verify.world.noise_plan import Samples

CELL: dict[str, Any] = {"N": 6, "d": 3, "law": "heavy", "phi": "continuous", "layout": "clusters"}
TIMES = (1, 10, 40)
TRUE = replace(rate(theorem2.stopped_constant, "quadratics"), cells=(CELL,))
PLAIN = replace(TRUE, control=None)


def made(one: Rate, replicates: int = 200, key: int = 4, of: Rate | None = None) -> Any:
    """Curves of six federations, those of another rate if one is given."""
    return curve(one, together(of or one, range(6), seed=1), TIMES, Samples(key, replicates))


def test_e_values_are_those_of_the_plain_runs() -> None:
    with_control, without = made(TRUE), made(PLAIN)
    np.testing.assert_array_equal(with_control.log_e, without.log_e)
    np.testing.assert_array_equal(with_control.right, without.right)
    np.testing.assert_array_equal(with_control.met, without.met)


@pytest.fixture(scope="module")
def large() -> Any:
    """Curves of twenty-five times as many runs without a control."""
    return made(PLAIN, 5_000, key=9)


def test_bands_are_narrower_about_the_same_means(large: Any) -> None:
    """Within five standard errors of what many runs without a control give."""
    small = made(TRUE)
    assert np.median(small.spread / made(PLAIN).spread) < 1 / 2
    error = np.sqrt(small.spread**2 + large.spread**2)
    assert (np.abs(small.left - large.left) <= 5 * error + 1e-12).all()


def test_a_control_of_another_mean_leads_astray(large: Any) -> None:
    """Negative control of the test above: a mean that is a tenth too large."""

    def wrong(w: Any) -> Control:
        true = first_weights(w)
        return Control(true.values, 1.1 * true.mean)

    astray = made(replace(TRUE, control=wrong))
    error = np.sqrt(astray.spread**2 + large.spread**2)
    assert (np.abs(astray.left - large.left) > 5 * error).any()


def test_clients_of_one_loss_are_their_own_control() -> None:
    """Weights never change, so that the mean is the exact one, without a band.

    Of rare values there are some in both halves of 200 replicates.
    """
    cell = {**CELL, "layout": "same"}
    exact = replace(rate(theorem1.direction, ONE), cells=(cell,))
    sampled = replace(rate(theorem1.direction, "quadratics"), cells=(cell,))
    near, known = made(sampled, of=exact), made(exact)
    np.testing.assert_allclose(near.left, known.left, rtol=1e-6)
    assert (near.spread <= 1e-6 * near.left).all()


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(16, 60), slope=st.floats(-3, 3))
def test_a_linear_part_is_taken_out(seed: int, count: int, slope: float) -> None:
    rng = np.random.default_rng(seed)
    control, rest = rng.normal(size=(2, count)) + 1, 1e-3 * rng.normal(size=(2, count))
    found = adjusted(5 + slope * (control - 1) + rest, control, np.ones(2))
    np.testing.assert_allclose(found, 5, atol=0.05)


def test_few_replicates_are_left_as_they_are() -> None:
    values = np.random.default_rng(0).normal(size=(2, 12))
    np.testing.assert_array_equal(adjusted(values, values**2, np.ones(2)), values)


def test_a_control_without_a_mean_changes_nothing() -> None:
    values = np.random.default_rng(0).normal(size=(2, 20))
    odd = np.full((2, 20), np.inf)
    np.testing.assert_array_equal(adjusted(values, odd, np.ones(2)), values)
    np.testing.assert_array_equal(adjusted(values, values, np.full(2, np.nan)), values)
    np.testing.assert_array_equal(adjusted(values, np.ones((2, 20)), np.ones(2)), values)


def test_only_samples_of_one_run_take_a_control() -> None:
    assert [one for one in every_rate() if one.control is not None]
    with pytest.raises(InvalidInput, match="leave it out"):
        replace(rate(theorem1.direction, ONE), control=first_weights)
    with pytest.raises(InvalidInput, match="leave it out"):
        replace(TRUE, own_horizon=True)
