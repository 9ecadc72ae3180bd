"""Aggregation bounds against exact runs of two quadratic clients; printed forms fail."""

from __future__ import annotations

import itertools
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import aggregation as closed
from bounds import aggregation_rules as weights
from bounds.descent import right_side
from bounds.generic import total
from bounds.numbers import as_rational
from bounds.numbers.symbolic import NotReadable, Symbolic
from bounds.numbers.validate import InvalidInput

positive = st.fractions(min_value=Q(1, 8), max_value=8, max_denominator=8)
number = st.fractions(min_value=-4, max_value=4, max_denominator=8)
share = st.fractions(min_value=Q(1, 16), max_value=Q(15, 16), max_denominator=16)


@st.composite
def runs(draw: st.DrawFn) -> dict[str, Any]:
    """Two clients (h_i/2)(w - m_i)^2 with noise +-s_i, two local steps of one size."""
    pair = {"h": positive, "m": number, "s": positive}
    data: dict[str, Any] = {
        k: as_rational(draw(st.lists(v, min_size=2, max_size=2))) for k, v in pair.items()
    }
    p, alpha = draw(share), draw(share)
    data["p"], data["alpha"] = as_rational([p, 1 - p]), as_rational([alpha, 1 - alpha])
    data["start"] = draw(number)
    data["L"], data["mu"] = max(data["h"]), min(data["h"])
    data["eta"] = draw(share) / (4 * data["L"])
    data["best"] = total(data["p"] * data["h"] * data["m"]) / total(data["p"] * data["h"])
    return data


def excess(run: dict[str, Any], w: Any) -> Any:
    return run["h"] * (w - run["m"]) ** 2 / 2


def second_step(run: dict[str, Any]) -> dict[str, Any]:
    """Distances before and after the second local step, spread, G^2 and the extremes of rho."""
    h, m, s, alpha, eta = (run[k] for k in ("h", "m", "s", "alpha", "eta"))
    first = run["start"] - eta * h * (run["start"] - m)
    distances, after, spread, gradients, skews = [], [], [], [], []
    for signs in itertools.product((-1, 1), repeat=2):
        local = first - eta * s * as_rational(list(signs))
        average = total(alpha * local)
        gradients.append(max((h * (local - m)) ** 2 + s**2))
        spread.append(total(alpha * (local - average) ** 2))
        distances.append((average - run["best"]) ** 2)
        over = excess(run, average)
        if total(run["p"] * over) > 0:  # else nobody is off, and rho is whatever one likes
            skews.append(weights.weighting_skew(alpha, over, run["p"]))
        # the fresh noise has mean zero and is independent
        moved = average - eta * total(alpha * h * (local - m))
        after.append((moved - run["best"]) ** 2 + eta**2 * total(alpha**2 * s**2))
    start = max((h * (run["start"] - m)) ** 2 + s**2)
    return {
        "before": sum(distances) / 4,
        "after": sum(after) / 4,
        "spread": sum(spread) / 4,
        "G2": max([start, *gradients]),
        "low": min(skews, default=Q(0)),
    }


@given(runs())
def test_displays_bound_an_exact_iteration_in_order(run: dict[str, Any]) -> None:
    seen = second_step(run)
    at_best = excess(run, run["best"])
    gap = weights.heterogeneity_gap(at_best, run["p"])
    high = total(run["alpha"] * at_best) / gap if gap else Q(0)
    refined = closed.client_spread_refined_upper(run["eta"], 2, seen["G2"])
    assert seen["spread"] <= refined <= closed.client_spread_upper(run["eta"], 2, seen["G2"])
    common = (seen["before"], run["eta"], run["mu"], run["L"], seen["G2"])
    tail = (gap, seen["low"], high, 2)
    sharp = right_side(closed.one_round_refined_upper(*common, *tail))
    theorem = right_side(closed.one_round_upper(*common, max(run["s"]) ** 2, *tail))
    assert seen["after"] <= sharp <= theorem


@given(positive, number, positive, share)
def test_refined_iteration_is_an_equality_for_one_client(
    h: Q, distance: Q, sigma: Q, part: Q
) -> None:
    eta = 4 * part / h  # steps of any size, beyond 1/(4L) and 2/L too
    squared = (h * distance) ** 2 + sigma**2
    exact = (1 - eta * h) ** 2 * distance**2 + eta**2 * sigma**2
    bound = closed.one_round_refined_upper(distance**2, eta, h, h, squared, 0, 1, 1, 1)
    assert right_side(bound) == exact


@st.composite
def recursions(draw: st.DrawFn) -> dict[str, Any]:
    scale, mu = draw(positive), draw(positive)
    b = 1 + draw(positive)
    names = ("start", "noise", "bias")
    out = {k: draw(st.just(Q(0)) | positive) for k in names}
    return {**out, "step_scale": scale, "mu": mu, "factor": b / (scale * mu), "delay": b}


@given(recursions(), positive)
def test_recursion_limit_is_never_passed(p: dict[str, Any], later: Q) -> None:
    p = {**p, "delay": p["delay"] + later}
    value = p["start"]
    for t in range(12):
        assert value <= closed.recursion_limit_upper(**p, t=t)
        eta = p["step_scale"] / (t + p["delay"])
        value = (1 - eta * p["mu"] * p["factor"]) * value
        value += eta**2 * p["noise"] + eta * p["bias"]


def test_recursion_limit_needs_a_contraction() -> None:
    # b = 11 above gamma = 4: the first step reaches C/16, the limit says C/50
    limit = closed.recursion_limit_upper(Q(0), 11, 1, 1, Q(1), Q(0), 4, 1)
    assert limit == Q(1, 50) < Q(1, 16)


@given(positive, positive, share)
def test_corollary_is_the_limit_with_the_sum_of_both_entries(mu: Q, extra: Q, low: Q) -> None:
    smoothness, gap, squared, sigma2, start = mu + extra, Q(1, 3), Q(2), Q(1, 2), Q(5)
    high, steps, rounds = low + 1, 2, 7
    delay = closed.aggregation_delay(mu, smoothness)
    noise = 32 * steps**2 * squared + 6 * low * smoothness * gap + sigma2
    bias = 2 * gap * (high - low)
    b = 1 + 3 * low / 8
    entries = delay * start + (noise / mu**2 + bias * (rounds + delay) / mu) / (b - 1)
    v = closed.speed_constant(mu, smoothness, squared, sigma2, gap, start, low, steps)
    e = closed.learning_error(mu, smoothness, gap, low, high)
    bound = right_side(closed.aggregation_bound_upper(v, e, delay, rounds))
    assert bound == smoothness / 2 * entries / (rounds + delay)
    psi = closed.recursion_limit_upper(start, b, mu, 1 / mu, noise, bias, delay, rounds)
    assert smoothness / 2 * psi <= bound


def test_first_corollary_step_is_a_quarter_of_the_largest() -> None:
    assert closed.aggregation_step_size(Q(1, 2), Q(3), 0) == Q(1, 12)


def test_fedavg_is_the_corollary_at_rho_one_and_the_printed_one_is_not() -> None:
    args = (Q(1), Q(2), Q(3), Q(1, 2), Q(1, 4), Q(5))
    right = closed.speed_constant(*args, 1, 2)
    assert closed.fedavg_speed_constant(*args, 2) == right
    assert closed.fedavg_speed_constant_printed(*args, 2) != right


# -- weights ---------------------------------------------------------------------------------


@given(st.lists(positive, min_size=1, max_size=5), st.data())
def test_fedmax_maximises_the_skew(x: list[Q], data: st.DataObject) -> None:
    n = len(x)
    raw = as_rational(data.draw(st.lists(positive, min_size=n, max_size=n)))
    shares, excess_ = raw / total(raw), as_rational(x)
    best = weights.weighting_skew(weights.fedmax_weights(excess_), excess_, shares)
    for k in range(1, n + 1):
        other = weights.fedmaxk_weights(excess_, k)
        assert total(other) == 1
        assert weights.weighting_skew(other, excess_, shares) <= best
    assert weights.weighting_skew(shares, excess_, shares) == 1 <= best


@given(st.lists(number, min_size=2, max_size=5), share)
def test_ratio_of_weights_is_bounded(raw: list[Q], floor: Q) -> None:
    n = len(raw)
    alpha = as_rational([abs(x) + 1 for x in raw])
    alpha = alpha / total(alpha)
    shares = as_rational([Q(2 * k + 1, n * n) for k in range(n)])
    ratio = alpha / shares
    bound = weights.weight_ratio_upper(min(ratio), min(shares), n)
    assert max(ratio) <= bound


def test_softmax_lies_between_fedmax_and_fedavg() -> None:
    x, p = np.array([1.0, 3.0, 2.0]), np.array([0.5, 0.25, 0.25])
    hot = weights.fedsoftmax_weights(x, p, np.array(1e9))
    cold = weights.fedsoftmax_weights(x, p, np.array(1e-3))
    np.testing.assert_allclose(hot, p, atol=1e-8)  # x/T is 3e-9
    np.testing.assert_array_equal(cold, weights.fedmax_weights(x))
    middle = [
        weights.weighting_skew(weights.fedsoftmax_weights(x, p, np.array(t)), x, p)
        for t in (0.1, 1.0, 10.0, 100.0)
    ]
    assert middle == sorted(middle, reverse=True)  # a higher temperature means less skew


@pytest.mark.parametrize("values", [[2, 5, 5, 1], [1, 1, 1, 1], [4, 3, 2, 1]])
def test_ranks_agree_on_floats_tensors_and_fractions(values: list[int]) -> None:
    torch = pytest.importorskip("torch")
    exact = weights.ranks(as_rational([Q(v) for v in values])).tolist()
    assert weights.ranks(np.array(values, float)).tolist() == exact
    assert weights.ranks(torch.tensor(values)).tolist() == exact


def test_symbols_have_no_rank() -> None:
    import sympy

    client = sympy.IndexedBase("x")[sympy.Symbol("k", integer=True, positive=True)]
    generic = np.array([Symbolic(client)])
    with pytest.raises(NotReadable, match="order of symbols"):
        weights.ranks(generic)


def test_rules_are_named() -> None:
    x, p = np.array([1.0, 2.0]), np.array([0.5, 0.5])
    one = {
        r: weights.aggregation_weights(r, x, p, temperature=np.array(1.0)).tolist()
        for r in weights.RULES
    }
    assert one["fedmax"] == one["fedmaxk"] == [0, 1]
    assert one["fedavg"] == [0.5, 0.5]
    with pytest.raises(InvalidInput, match="rule must be one of"):
        weights.aggregation_weights("fedmin", x, p)
    with pytest.raises(InvalidInput, match="temperature must be positive"):
        weights.fedsoftmax_weights(x, p, np.array(0.0))
    with pytest.raises(InvalidInput, match="count must be in 1..2"):
        weights.fedmaxk_weights(x, 3)
