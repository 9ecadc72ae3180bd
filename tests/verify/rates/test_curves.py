"""Curves are what the statements say: against enumeration, against samples, and cut short."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.numbers.validate import InvalidInput
from synthetic import drawn
from synthetic.registry import make
from tests.verify.rates.planted import ONE, rate
from verify.catalogue.rates import every_rate
from verify.claim import Hypothesis, Sides, Statement
from verify.rates.curve import curve
from verify.rates.many import PROFILES, Size, batches, measure, stacked, together
from verify.rates.record import Rate
from verify.rates.seen import until
from verify.statements.adaptive import curves, theorem1, theorem2
from verify.statements.hcct import convergence
from verify.statements.hcct import curves as grouped
from verify.verdict.e_values import log_e_process, log_e_values
from verify.world.noise_plan import Samples
from verify.world.score import score
from verify.world.world import World

PLAN = Samples(11, 400)
EXACT = rate(theorem1.direction, ONE)
SKEWED = {"N": 2, "d": 1, "law": "skewed", "phi": "continuous", "layout": "same"}


def on(rate: Rate, *cells: dict[str, object]) -> Rate:
    return replace(rate, cells=cells)


def test_moments_are_the_enumerated_means() -> None:
    """Two clients, two-point noise, three rounds: 4^3 outcomes."""
    one = on(EXACT, SKEWED)
    batch = together(one, range(4), seed=3)
    made = curve(one, batch, (1, 2, 3), PLAN)
    for j, t in enumerate(made.times):
        listed = score(one.statement, until(batch, t))
        np.testing.assert_allclose(made.left[:, j], listed.left[:, 0], rtol=1e-9)
        np.testing.assert_allclose(made.right[:, j], listed.right[:, 0], rtol=1e-9)


def test_samples_are_near_the_moments() -> None:
    """Within six standard errors, on a literal seed."""
    sampled = replace(EXACT, way="samples", affine_map=None, ceiling=None, wide=True)
    cells = {**SKEWED, "N": 3, "d": 2, "law": "sphere"}
    batch = together(on(EXACT, cells), range(3), seed=5)
    exact = curve(on(EXACT, cells), batch, (1, 5, 20), PLAN)
    near = curve(on(sampled, cells), batch, (1, 5, 20), PLAN)
    assert (np.abs(exact.left - near.left) <= 6 * near.spread + 1e-12).all()


@pytest.mark.parametrize("law", drawn.LAWS)
def test_a_run_seen_up_to_t_is_the_run_of_length_t(law: str) -> None:
    one = on(rate(theorem2.stopped_constant, "quadratics"), {**SKEWED, "N": 3, "d": 2, "law": law})
    batch = together(one, range(2), seed=1)
    long = curve(one, batch, (2, 7, 15), PLAN)
    for j, t in enumerate(long.times):
        short = curve(one, batch, (t,), PLAN)
        np.testing.assert_allclose(short.left[:, 0], long.left[:, j], rtol=1e-12)
        np.testing.assert_allclose(short.right[:, 0], long.right[:, j], rtol=1e-12)


@pytest.mark.parametrize("at_once", [1, 2, 5, 23, 400])
@pytest.mark.parametrize("claim", [theorem2.stopped_constant, theorem1.direction])
def test_parts_of_the_replicates_are_the_whole(claim: Statement, at_once: int) -> None:
    """A right side that is one number, and a random one."""
    one = on(rate(claim, "quadratics"), {**SKEWED, "N": 3, "d": 2})
    batch, plan = together(one, range(3), seed=1), Samples(11, 23)
    whole = curve(one, batch, (1, 6), plan)
    parts = curve(one, batch, (1, 6), plan, at_once)
    for name in ("left", "right", "spread", "log_e", "met"):
        found, wanted = (np.asarray(getattr(c, name), dtype=float) for c in (parts, whole))
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_a_hypothesis_missed_in_one_part_is_missed() -> None:
    """It must hold on every outcome, in whichever part that is drawn."""
    claim = theorem2.stopped_constant
    side = Hypothesis("on one side", "x", lambda w: w.run().theta[..., -1, 0] + w.xi[..., 0, 0])
    picky = claim.variant(f"{claim.key}-picky", given=[*claim.given, side])
    one = on(rate(claim, "quadratics"), {**SKEWED, "law": "sphere", "reach": 1.0})
    one = replace(one, statement=picky)
    batch, plan = together(one, range(40), seed=1), Samples(4, 4)
    whole = curve(one, batch, (20,), plan).met
    assert whole.any()
    assert not whole.all()
    np.testing.assert_array_equal(curve(one, batch, (20,), plan, 2).met, whole)
    first = curve(one, batch, (20,), Samples(4, 2)).met
    assert (first & ~whole).any()


def test_a_batch_is_its_federations() -> None:
    one = rate(theorem2.stopped_constant, "quadratics")
    one = on(one, one.cells[1])
    both = curve(one, together(one, (0, 1), seed=2), (1, 8), PLAN)
    for b in (0, 1):
        alone = curve(one, together(one, (b,), seed=2), (1, 8), PLAN)
        np.testing.assert_allclose(alone.left[0], both.left[b], rtol=1e-12)


def test_sides_that_no_moments_give_are_refused() -> None:
    claim = EXACT.statement

    def squared(w: World) -> Sides:
        left, right = claim(w)
        return {name: value**2 for name, value in left.items()}, right

    fourth = replace(EXACT, statement=claim.variant(f"{claim.key}-fourth", sides=squared))
    one = on(fourth, fourth.cells[1])
    with pytest.raises(InvalidInput, match="mean and covariance"):
        curve(one, together(one, (0, 1), seed=0), (1, 5, 20), PLAN)


def test_a_random_bound_without_a_ceiling_is_refused() -> None:
    bare = replace(rate(theorem1.direction, "quadratics"), ceiling=None)
    with pytest.raises(InvalidInput, match="pass ceiling="):
        curve(on(bare, bare.cells[1]), together(on(bare, bare.cells[1]), (0, 1), 0), (5,), PLAN)


def test_a_ceiling_that_is_too_low_is_refused() -> None:
    low = replace(rate(theorem1.direction, "quadratics"), ceiling=lambda w: 0 * w.mu)
    with pytest.raises(InvalidInput, match="prove another one"):
        curve(on(low, low.cells[1]), together(on(low, low.cells[1]), (0, 1), 0), (5,), PLAN)


def test_e_values_of_many_claims_are_those_of_each() -> None:
    rng = np.random.default_rng(4)
    x, bound = rng.exponential(size=(5, 60)), np.array([0.2, 0.5, 1.0, 2.0, 9.0])
    each = [log_e_process(row, b)[-1] for row, b in zip(x, bound, strict=True)]
    np.testing.assert_allclose(log_e_values(x, bound), each, rtol=1e-9, atol=1e-12)
    assert log_e_values(np.ones((1, 3)), np.zeros(1))[0] > 600
    assert log_e_values(np.zeros((1, 3)), np.zeros(1))[0] == 0


def test_the_printed_horizon_row_is_crossed() -> None:
    """beta is missing in its logarithm."""
    printed = rate(theorem2.horizon_row[0], ONE)
    size = PROFILES["quick"]
    found = [measure(printed, numbers, size).crossed.any() for numbers in batches(printed, size)]
    assert any(found)


@settings(max_examples=25, deadline=None)
@given(
    clients=st.integers(1, 24),
    dim=st.integers(1, 8),
    seed=st.integers(0, 2**32 - 1),
    law=st.sampled_from(drawn.LAWS),
    phi=st.sampled_from(("continuous", "binary")),
    rounds=st.integers(1, 60),
)
def test_no_exact_curve_of_theorem_1_is_crossed(
    clients: int, dim: int, seed: int, law: str, phi: str, rounds: int
) -> None:
    cell = {"N": clients, "d": dim, "law": law, "phi": phi, "layout": "same"}
    one = on(EXACT, cell)
    made = curve(one, together(one, (0, 1), seed), sorted({1, rounds}), PLAN)
    assert made.met.all()
    assert not made.crossed.any()


@pytest.mark.parametrize("layout", drawn.LAYOUTS)
def test_bias_slope_and_spectrum_are_the_prescribed_ones(layout: str) -> None:
    rng = np.random.default_rng(9)
    data = drawn.quadratics(
        rng, 7, 4, "gaussian", layout=layout, condition=100.0, bias=0.5, slope=0.25, low=2.0
    )
    made = make("quadratic", data)
    away = drawn.weights_of(layout, 7)
    squared_bias, slope = made.heterogeneity(1)
    np.testing.assert_allclose(squared_bias[0], 2 * (0.5 * away) ** 2, atol=1e-9)
    np.testing.assert_allclose(slope[0], 2 * (0.25 * away) ** 2, atol=1e-9)
    values = np.linalg.eigvalsh(data["A"][0])
    np.testing.assert_allclose([values[0], values[-1]], [2.0, 200.0], rtol=1e-9)


@pytest.mark.parametrize("law", ["skewed", "heavy"])
def test_listed_noise_has_mean_zero_and_variance_one(law: str) -> None:
    rng = np.random.default_rng(1)
    made = make("pl", drawn.separable(rng, 5, 3, law, layout="star", bias=1.0, slope=0.5))
    values, chances = made.noise_support()
    np.testing.assert_allclose((values * chances).sum(-1), 0, atol=1e-12)
    np.testing.assert_allclose((values**2 * chances).sum(-1), 1, rtol=1e-12)


def test_a_federation_is_replayed_from_its_number() -> None:
    one = curves.RATES[0]
    first, again = one.federation(7, 3), one.federation(7, 3)
    assert first.same(again)
    assert not first.same(one.federation(7, 4))
    both = stacked([one.federation(n, 3).batched() for n in (0, len(one.cells))])
    assert both[0].same(one.federation(0, 3).batched()[0])
    assert Size(1, 1000, 2, 1).times == (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def test_moments_of_groups_are_the_enumerated_means() -> None:
    """Three clients for two epochs with noise of either sign: 2^6 outcomes."""
    one = next(r for r in grouped.RATES if r.statement is convergence.theorem2_repaired)
    one = replace(one, cells=({"N": 3, "groups": "0,1|2"},))
    batch = together(one, range(4), seed=3)
    made = curve(one, batch, (1, 2), PLAN)
    for j, t in enumerate(made.times):
        small = until(batch, t)
        small = replace(small, params={**small.params, "schedule": f"0,1|2*{t}"})
        listed = score(one.statement, small)
        np.testing.assert_allclose(made.left[:, j], listed.left[:, 0], rtol=1e-9)
        np.testing.assert_allclose(made.right[:, j], listed.right[:, 0], rtol=1e-9)


def test_every_paper_has_rates_and_every_rate_an_instance() -> None:
    rates = every_rate()
    assert {r.paper for r in rates} == {"adaptive", "aggregation", "allforall", "fedbc", "hcct"}
    for one in rates:
        assert one.federation(0).same(one.federation(0))
        assert one.statement.relation == "<="
