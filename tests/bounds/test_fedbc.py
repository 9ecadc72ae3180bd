"""Constants of FedBC: exact cases, orderings, units, and printed forms that differ."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from bounds.fedbc import constants as fedbc_constants
from bounds.fedbc import convergence as fedbc
from bounds.numbers.validate import InvalidInput


def rational(*values: Any) -> Any:
    out = np.empty(len(values), dtype=object)
    out[:] = [Q(v) for v in values]
    return out


BASE: dict[str, Any] = {
    "tolerance": Q(1, 4),
    "heterogeneity": Q(3),
    "client_smoothness": rational(2, 1),
    "lambda_min": Q(4),
    "lambda_max": Q(5),
    "dual_step": Q(1, 8),
    "diameter": Q(1, 2),
    "gamma": rational(1, 3),
}
UNITS = {
    "tolerance": (2, -2),
    "heterogeneity": (2, -3),
    "client_smoothness": (1, -2),
    "lambda_min": (1, -2),
    "lambda_max": (1, -2),
    "dual_step": (1, -4),
    "diameter": (0, 1),
    "gamma": (0, 2),
    "start": (1, 0),
}


def whole(terms: dict[str, Any]) -> Any:
    return sum(terms.values())


def test_two_models_on_a_hump_are_as_far_apart_as_the_bound() -> None:
    """(2 lambda - L)(x_1 - x_2) = e_1 - e_2 with e = 1, -1: equality."""
    L, multiplier = Q(3), Q(4)
    apart = (1 - (-1)) / (2 * multiplier - L)
    assert fedbc.consensus_upper(1.0, 0.0, 4.0, 3.0) == pytest.approx(float(apart**2))


def test_printed_consensus_constant_is_smaller_there() -> None:
    printed = fedbc.consensus_printed(Q(1), Q(0), rational(3, 3), Q(4), 1)
    # one of two sampled: the mean over the sampled sets is half of the squared distance
    assert whole(printed) < Q(4, 25) / 2


def test_stationarity_terms_by_hand() -> None:
    terms = fedbc.stationarity_upper(10, Q(7), **BASE)
    move = 4 * Q(12) ** 2 / 2
    spread = (2 * Q(1, 2) + Q(3, 4)) ** 2 / Q(6) ** 2
    assert terms["start"] == move * 7 / 10
    assert terms["gamma"] == move * 5 * 2 / 10
    assert terms["epsilon"] == 4 * Q(1, 4) + move * Q(1, 4) * Q(3, 8)
    assert terms["dual step"] == move * Q(1, 8) * (1 + 5)
    assert terms["heterogeneity"] == (16 + 400 + move * 5) * spread


def test_only_start_and_gamma_vanish_with_the_horizon() -> None:
    short, long = (fedbc.stationarity_upper(t, Q(7), **BASE) for t in (10, 1000))
    assert {k for k in short if short[k] != long[k]} == {"start", "gamma"}
    assert long["start"] * 100 == short["start"]


@pytest.mark.parametrize("name", ["tolerance", "heterogeneity", "dual_step", "diameter"])
def test_bound_grows_with(name: str) -> None:
    more = {**BASE, name: 2 * BASE[name]}
    assert whole(fedbc.stationarity_upper(3, Q(7), **more)) > whole(
        fedbc.stationarity_upper(3, Q(7), **BASE)
    )


def test_true_terms_share_one_unit_and_printed_ones_do_not() -> None:
    scaled = {k: v * Q(3) ** UNITS[k][0] * Q(2) ** UNITS[k][1] for k, v in BASE.items()}
    before = fedbc.stationarity_upper(5, Q(7), **BASE)
    after = fedbc.stationarity_upper(5, Q(7) * 3, **scaled)
    assert {after[k] / before[k] for k in before} == {Q(9, 4)}
    kept = ("tolerance", "heterogeneity", "client_smoothness", "lambda_max", "dual_step", "gamma")
    args = [{k: source[k] for k in kept} for source in (BASE, scaled)]
    old = fedbc.stationarity_printed(5, Q(7), dual_change=Q(2), participants=2, **args[0])
    new = fedbc.stationarity_printed(5, Q(21), dual_change=Q(2) * 16, participants=2, **args[1])
    assert len({new[k] / old[k] for k in old}) > 1


def test_descent_uses_the_constant_not_its_square() -> None:
    change = fedbc.dual_change_upper(Q(0), rational("1/2"))
    true = fedbc.lagrangian_descent_upper(
        Q(0), Q(0), rational(1), Q(1), Q(0), rational("1/2"), Q(3), Q(0)
    )
    printed = fedbc.lagrangian_descent_printed(Q(0), Q(0), Q(1), Q(1), change, Q(3), Q(0))
    assert true["dual step"] == Q(1, 4)
    assert printed["alpha G^2"] == Q(1, 16)


def test_local_bound_by_hand() -> None:
    terms = fedbc.local_stationarity_upper(Q(1), Q(2), rational(1, 3))
    assert whole(terms) == 2 + 32 * 4 * 2


def test_dual_interval_is_empty_for_distant_smoothness() -> None:
    least, below = fedbc_constants.dual_interval_printed(rational(1, 10))
    assert least == 11
    assert below == 4


def test_dual_interval_is_never_empty_for_close_smoothness() -> None:
    for small in (Q(1, 100), Q(1, 2), Q(1), Q(7), Q(99)):
        least, below = fedbc_constants.dual_interval_printed(rational(small, small + 1))
        assert least < below


def test_printed_contraction_is_not_below_the_true_one() -> None:
    large, small = rational(3), rational("1/4")
    true = fedbc_constants.contraction(large, Q(4))
    assert fedbc_constants.contraction_printed(Q(3), Q(4)) > true
    # and negative where the condition on lambda_max holds: 2 < (5/4)^2/(1/4)
    assert fedbc_constants.contraction_printed(Q(1, 4), Q(2)) == -1
    assert fedbc_constants.contraction(small, Q(2)) > 0


def test_too_small_multipliers_are_refused() -> None:
    with pytest.raises(InvalidInput, match="raise lambda_min"):
        fedbc.consensus_upper(1.0, 1.0, 1.0, 2.0)
    with pytest.raises(InvalidInput, match="raise lambda_min"):
        fedbc.stationarity_upper(1, Q(1), **{**BASE, "lambda_min": Q(2)})


def test_constants_by_hand() -> None:
    assert fedbc_constants.moving_constant(Q(2), Q(5)) == 12
    assert fedbc_constants.gradient_factor(Q(2), Q(5)) == 416
    assert fedbc_constants.gradient_factor_printed(Q(2), Q(5)) == 56
    start = fedbc_constants.start_constant(Q(5), Q(2), rational(4, 4), rational(1, 2))
    assert start == 3 + Q(3, 2)
