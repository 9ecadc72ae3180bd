"""Worlds: symbols, changed symbols, means over outcomes, and what an exact world refuses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.cases import FIXED, assume, claim, fixed_runs, fractions, numbers, sampled
from verify.claim.families import quadratics
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.world.noise_plan import AllOutcomes, NotAvailable, Samples
from verify.world.score import score
from verify.world.world import World, once

RUNS = fixed_runs((2, 1, 2), (2, 1, 1))


def trained(noise: Any = None, shape: int = 0, seed: int = 3) -> World:
    return World(sampled(RUNS, 2, seed, RUNS.shapes[shape]), noise=noise, defines=FIXED)


def bare(**params: Any) -> Instance:
    return Instance("numbers", {}, None, params)


# -- symbols ---------------------------------------------------------------------------------------


def test_symbols_are_found_in_the_order_defined_params_data_problem() -> None:
    batch = sampled(RUNS, 2, 3)
    assert World(batch).mu.shape == (2, 1), "a fact of the problem"
    assert World(batch).sigma.shape == (2, 1, 2), "raw data, with the axis of outcomes"
    assert World(batch).rounds == 2, "a constant"
    assert World(batch, defines={"mu": lambda w: w.rounds}).mu == 2


@pytest.mark.parametrize("name", ["beta", "mu", "sigma2", "squared_bias", "slope"])
def test_a_constant_of_the_problem_is_never_taken_from_the_instance(name: str) -> None:
    batch = sampled(RUNS, 2, 3)
    smuggled = Instance(batch.family, batch.data, None, {**batch.params, name: np.ones(2)})
    with pytest.raises(InvalidInput, match=f"constant that the problem derives, got '{name}'"):
        World(smuggled).symbol(name)
    assert World(bare(**{name: np.ones(2)})).symbol(name).shape == (2, 1), "bare numbers have none"


def test_unknown_symbols_are_named_with_the_known_ones() -> None:
    world = World(bare(x=np.ones(1)), defines={"y": lambda w: w.x})
    with pytest.raises(InvalidInput, match=r"'zeta': use one of x, y$"):
        world.zeta  # noqa: B018
    assert world.has("x")
    assert world.has("y")
    assert not world.has("zeta")
    assert not world.has("beta"), "bare numbers have no problem"


def test_private_names_are_no_symbols() -> None:
    with pytest.raises(AttributeError, match="^_nothing$"):
        World(bare())._nothing  # noqa: B018


def test_a_world_records_what_was_read() -> None:
    world = World(bare(x=np.ones(1), y=np.ones(1)))
    assert world.x == world.original("y")
    assert world.read == {"x"}


# -- changed symbols -------------------------------------------------------------------------------


def test_changed_symbols_reach_the_sides_but_no_run_and_no_problem() -> None:
    world = trained()
    theta, beta = world.run().theta, world.beta
    other = world.with_changed({"step_size": 0 * world.step_size, "beta": 2 * beta, "alpha": 7})
    assert other.beta.tolist() == (2 * beta).tolist()
    assert other.alpha == 7
    assert other.problem is world.problem
    np.testing.assert_array_equal(other.run().theta, theta)
    assert world.beta is beta, "the world that was changed stays as it is"


def test_a_change_before_the_first_run_does_not_reach_it_either() -> None:
    fresh = trained().with_changed({"step_size": np.zeros((2, 1)), "start": np.zeros((2, 1, 1))})
    np.testing.assert_array_equal(fresh.run().theta, trained().run().theta)


# -- quantities that are evaluated once ------------------------------------------------------------


def test_a_quantity_is_evaluated_once_and_serves_changed_worlds_that_it_does_not_read() -> None:
    calls: list[World] = []

    @once
    def double(w: World) -> Any:
        calls.append(w)
        return 2 * w.x

    @once
    def both(w: World) -> Any:
        return double(w) + w.y

    world = World(bare(x=np.ones(1), y=np.ones(1)))
    assert both(world) == both(world) == 3
    assert both(world.with_changed({"y": 5})) == 7
    assert calls == [world], "y is no part of it"
    other = world.with_changed({"x": 10})
    assert (both(other), double(other)) == (21, 20)
    assert calls == [world, other], "x is, also inside another quantity"
    assert both(world) == 3, "the world that was changed stays as it is"


def test_a_change_of_a_changed_world_starts_from_the_first_one() -> None:
    @once
    def double(w: World) -> Any:
        return 2 * w.x

    world = World(bare(x=np.ones(1), y=np.ones(1)))
    changed = world.with_changed({"x": 10})
    assert double(changed) == 20
    assert double(changed.with_changed({"y": 5})) == 2, "as its symbols do"


def test_what_a_quantity_reads_counts_as_read_even_when_it_is_taken_over_or_fails() -> None:
    @once
    def double(w: World) -> Any:
        return 2 * w.x

    @once
    def unknown(w: World) -> Any:
        return w.y + w.zeta

    world = World(bare(x=np.ones(1), y=np.ones(1)))
    assert double(world) == 2
    other = world.with_changed({"y": 5})
    assert double(other) == 2
    assert other.read == world.read == {"x"}
    with pytest.raises(InvalidInput):
        unknown(world)
    assert world.read == {"x", "y", "zeta"}


# -- outcomes --------------------------------------------------------------------------------------


def test_weights_of_all_outcomes_add_up_to_one() -> None:
    world = trained()
    assert world.weights.tolist() == [[1.0]], "nothing was drawn yet"
    world.run()
    assert world.weights.shape == (2, 16)
    np.testing.assert_allclose(world.weights.sum(axis=1), 1.0, rtol=1e-14)


def test_means_and_probabilities_are_weighted_by_hand() -> None:
    world = World(bare(x=np.ones(1)))
    world.outcome_weights = np.array([[0.5, 0.3, 0.2]])
    x = np.array([[1.0, 2.0, -4.0]])
    assert world.mean(x).tolist() == [[pytest.approx(0.3)]]
    assert world.probability(x > 0).tolist() == [[pytest.approx(0.8)]]
    vectors = np.stack([x, 10 * x], axis=-1)
    np.testing.assert_allclose(world.mean(vectors), [[[0.3, 3.0]]])
    assert world.mean(x[:, :1]).tolist() == [[1.0]], "not random: its own mean"


def test_exact_means_are_fractions() -> None:
    world = World(bare(x=fractions([1])), "exact")
    world.outcome_weights = fractions([["1/3", "2/3"]])
    x = fractions([[1, 2]])
    assert world.mean(x).item() == Fraction(5, 3)
    assert world.probability(x > 1).item() == Fraction(2, 3)


def test_sampled_worlds_have_no_exact_mean() -> None:
    world = trained(Samples(5, 8))
    x = world.run().theta[..., -1, 0]
    assert x.shape == (2, 8)
    with pytest.raises(NotAvailable, match="finitely many outcomes"):
        world.mean(x)


def test_the_cap_on_outcomes_holds_inside_a_score() -> None:
    made = claim(lambda w: ({"a": w.run().theta[..., -1, 0]}, {"b": 1}), RUNS, defines=FIXED)
    batch = sampled(RUNS, 2, 3)
    assert score(made, batch, noise=AllOutcomes(16)).weights.shape == (2, 16)
    with pytest.raises(NotAvailable, match=r"2\^4 outcomes, above 15"):
        score(made, batch, noise=AllOutcomes(15))


def test_laws_without_finite_support_have_no_exact_outcomes() -> None:
    batch = sampled(RUNS, 2, 3)
    gaussian = Instance(batch.family, {**batch.data, "law": "gaussian"}, batch.method, batch.params)
    with pytest.raises(NotAvailable, match="gaussian law"):
        World(gaussian, defines=FIXED).run()


TWO_METHODS = quadratics(
    ({"N": 2, "d": 1, "weights": "fixed"},),
    {"alpha": Real(0, 1, per=("N",)), "step_size": Real(0, 1)},
)


def test_runs_whose_outcomes_have_other_laws_do_not_share_weights() -> None:
    # both draw 2^4 outcomes: twice two clients, and four times client 0, of another skewness
    world = World(sampled(TWO_METHODS, 2, 0), defines={"weight_matrix": FIXED["weight_matrix"]})
    world.run("all_for_one", rounds=2)
    with pytest.raises(NotAvailable, match="different gradients"):
        world.run("local", rounds=4)


def test_a_world_needs_a_method_to_run() -> None:
    batch = sampled(RUNS, 1, 0)
    with pytest.raises(InvalidInput, match="method must be named"):
        World(Instance(batch.family, batch.data, None, batch.params), defines=FIXED).run()


# -- exact worlds ----------------------------------------------------------------------------------

HALF: dict[str, Callable[[World], Any]] = {
    "float product": lambda w: float("0.5") * w.x,
    "float array": lambda w: np.asarray(w.x, dtype=float),
    "float constant": lambda w: np.float64(0.5),
}


@pytest.mark.parametrize("half", HALF.values(), ids=HALF)
@pytest.mark.parametrize("place", ["left", "right", "hypothesis"])
def test_exact_worlds_refuse_floats(half: Callable[[World], Any], place: str) -> None:
    made = claim(
        lambda w: (
            {"l": half(w) if place == "left" else w.x},
            {"r": half(w) if place == "right" else w.x},
        ),
        numbers(x=Real(0, 1)),
        given=assume({"h": lambda w: half(w) if place == "hypothesis" else w.x}),
    )
    assert score(made, bare(x=np.ones(1))).feasible.all()
    with pytest.raises(InvalidInput, match="must be exact, got the float"):
        score(made, bare(x=fractions([1])), "exact")
