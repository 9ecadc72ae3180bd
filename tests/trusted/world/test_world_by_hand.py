"""Worlds by hand: a step with two-point noise, its constants, and what the sides may ask for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.cases import fractions
from verify.claim.instance import Instance
from verify.terms.node import node
from verify.world.noise_plan import AllOutcomes, NotAvailable, Samples
from verify.world.world import World, once


def bare(**params: Any) -> Instance:
    return Instance("numbers", {}, None, params)


# -- a run by hand ---------------------------------------------------------------------------------

HAND = {
    "A": [[["1"]], [["3"]]],
    "xi": [["0"], ["-1"]],
    "noise_scale": ["1", "2"],
    "sigma": ["3", "2"],
    "skew": ["2", "1"],
}
"""Client 0: x^2/2 and noise of 2 (chance 1/5) or -1/2 (4/5); client 1: 3 (x - 1)^2 / 2."""


def by_hand(number: str = "exact", law: str = "two_point", noise: Any = None, **more: Any) -> World:
    """Client 0 alone takes half a step from 1."""
    data = {k: fractions(v)[None] for k, v in HAND.items()}
    params = {"start": fractions([["1"]]), "step_size": fractions(["1/2"])}
    if number == "float64":
        data, params = ({k: v.astype(float) for k, v in m.items()} for m in (data, params))
    constants = {"law": law, "half": True}
    own = {k: more.pop(k) for k in ("rounds",) if k in more}
    made = Instance("quadratic", {**data, **constants}, "local", {**params, "rounds": 1, **own})
    return World(made, number, noise, **more)


@pytest.mark.parametrize("number", ["exact", "float64"])
def test_two_point_noise_is_enumerated_with_its_chances(number: str) -> None:
    world = by_hand(number)
    last = world.run().theta[..., -1, 0]
    # 1 - (1 + 2)/2 and 1 - (1 - 1/2)/2
    by_chance = dict(zip(last[0].tolist(), world.weights[0].tolist(), strict=True))
    assert by_chance == {
        Fraction(-1, 2): pytest.approx(1 / 5),
        Fraction(3, 4): pytest.approx(4 / 5),
    }
    assert world.mean(last).item() == pytest.approx(1 / 2)
    assert world.probability(last < 0).item() == pytest.approx(1 / 5)
    if number == "exact":
        assert set(by_chance.values()) == {Fraction(1, 5), Fraction(4, 5)}
        assert isinstance(world.mean(last).item(), Fraction)
        assert world.probability(last < 0).item() == Fraction(1, 5)


def test_a_run_has_the_rounds_of_the_instance_or_those_asked_for() -> None:
    world = by_hand("exact", rounds=2)
    assert world.run().theta.shape == (1, 4, 3, 1)
    assert by_hand("exact", rounds=2).run(rounds=1).theta.shape == (1, 2, 2, 1)
    assert by_hand("exact", law="none").run(rounds=3).theta[0, 0, :, 0].tolist() == [
        1,
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(1, 8),
    ]


def test_one_run_serves_all_who_ask_for_the_same() -> None:
    world = by_hand("exact", law="none")
    assert world.run() is world.run() is world.run("local") is world.run(rounds=1)
    half, third = fractions([["1/2"]]), fractions([["1/3"]])
    asked = world.run(step_size=third)
    assert asked.theta[0, 0, 1, 0] == Fraction(2, 3)
    assert world.run(step_size=third.copy()) is asked, "equal numbers in another array"
    assert world.run(step_size=half).theta[0, 0, 1, 0] == Fraction(1, 2)
    assert world.run(step_size=third, start=fractions([[["3"]]])).theta[0, 0, 1, 0] == 2
    assert world.run(start=fractions([[["3"]]]), step_size=third) is world.run(
        step_size=third, start=fractions([[["3"]]])
    )
    assert world.run(rounds=2) is not world.run()


def test_float_runs_are_told_apart_by_number_and_by_shape() -> None:
    world = by_hand("float64", law="none")
    third, quarter = np.array([[1 / 3]]), np.array([[1 / 4]])
    asked = world.run(step_size=third)
    assert world.run(step_size=third.copy()) is asked
    assert asked.theta[0, 0, 1, 0] == pytest.approx(2 / 3)
    assert world.run(step_size=quarter).theta[0, 0, 1, 0] == 3 / 4
    # the bytes of one array in two shapes are two runs
    one, two = world.run(step_sizes=np.array([[[0.5, 0.25]]]), rounds=2), world.run(rounds=2)
    assert one is not two
    assert one.theta[0, 0, 2, 0] == 3 / 8


def test_runs_take_what_the_statement_or_the_instance_names_and_nothing_else() -> None:
    third = {"step_size": lambda w: w.array([["1/3"]])}
    world = by_hand("exact", law="none", defines=third)
    assert world.run().theta[0, 0, 1, 0] == Fraction(2, 3), "the statement's step goes first"
    assert world.run(step_size=fractions([["1"]])).theta[0, 0, 1, 0] == 0, "an argument before it"


def test_runs_without_noise_share_weights_with_runs_that_draw() -> None:
    world = by_hand()
    quiet = world.run("local", rounds=0)
    assert quiet.theta.shape == (1, 1, 1, 1)
    assert world.weights.tolist() == [[1]]
    world.run()
    assert world.weights.shape == (1, 2), "the run that drew tells the weights"
    world.run(rounds=0, start=fractions([[["3"]]]))
    assert world.weights.shape == (1, 2), "one that drew nothing does not change them"
    world.run(start=fractions([[["3"]]]))
    assert world.weights.shape == (1, 2), "a second run of the same law agrees"
    with pytest.raises(NotAvailable, match="^two runs of one claim draw different gradients$"):
        world.run(rounds=2)
    other = by_hand()
    other.outcome_weights = fractions([["1/2", "1/2"]])
    with pytest.raises(NotAvailable, match="different gradients"):
        other.run()


def test_sampled_runs_have_equal_weights_and_never_quarrel() -> None:
    world = by_hand("float64", "gaussian", Samples(5, 4))
    world.run()
    assert world.weights.tolist() == [[0.25] * 4]
    world.run(rounds=2)
    assert world.weights.shape == (1, 4)
    world.outcome_weights = np.array([[0.5, 0.5]])
    world.run(rounds=3)
    assert world.weights.shape == (1, 4), "samples are all alike, whatever was there"


def test_a_world_without_a_method_says_what_to_do() -> None:
    made = Instance("quadratic", {}, None, {})
    said = "^method must be named, got None: give the instance a method$"
    with pytest.raises(InvalidInput, match=said):
        World(made).run()


# -- constants of the problem by hand --------------------------------------------------------------


def test_constants_of_the_problem_by_hand() -> None:
    world = by_hand()
    assert world.beta.tolist() == [[3]], "the largest curvature"
    assert world.mu.tolist() == [[1]], "the curvature of client 0"
    assert world.sigma2.tolist() == [[[9, 4]]], "claimed, not actual"
    assert world.noise_scale.tolist() == [[[1, 2]]]
    # grad_1 = 3 (x - 1) against grad_0 = g = x: their difference is -2 g + 3, and
    # (3 - 2 g)^2 <= b^2 + c g^2 for all g with c = (1 + s) 4, b^2 = (1 + 1/s) 9
    assert world.slope.tolist() == [[[0, 8]]]
    assert world.squared_bias.tolist() == [[[0, 18]]]


@pytest.mark.parametrize(("tradeoff", "place"), [(2, Fraction(1, 3)), (3, Fraction(1, 8))])
def test_the_trade_off_of_the_heterogeneity_is_read_from_the_world(
    tradeoff: int, place: Fraction
) -> None:
    defines = {"tradeoff": lambda w: w.array([[tradeoff]])}
    world = by_hand(defines=defines)
    assert world.slope.tolist() == [[[0, 4 * (1 + place)]]]
    assert world.squared_bias.tolist() == [[[0, 9 * (1 + 1 / place)]]]
    assert world.squared_bias[0, 0, 1] == 9 * tradeoff**2, "b is tradeoff times its least value"
    changed = by_hand(defines=defines).with_changed({"tradeoff": 9})
    assert changed.slope.tolist() == world.slope.tolist(), "no mutant moves the constants"


# -- small things that statements rely on ----------------------------------------------------------


def test_symbols_are_found_where_they_are() -> None:
    world = by_hand(defines={"two": lambda w: 2})
    for name in ("two", "start", "rounds", "A", "law", "beta", "slope"):
        assert world.has(name), name
    assert not world.has("three")
    assert world.with_changed({"three": 3}).has("three")
    for name in ("two", "start", "rounds"):
        assert world.given(name), name
    for name in ("A", "beta", "three"):
        assert not world.given(name), name
    assert not bool(world.with_changed({"three": 3}).given("three")), "a mutant gives nothing"


def test_arrays_get_the_axis_of_outcomes_and_constants_pass() -> None:
    world = World(bare(x=np.array([1.0, 2.0]), y=np.ones((2, 3)), n=4, name="fixed"))
    assert world.x.tolist() == [[1.0], [2.0]]
    assert world.y.shape == (2, 1, 3)
    assert (world.n, world.name) == (4, "fixed")
    assert by_hand().A.shape == (1, 1, 2, 1, 1)


def test_a_definition_is_evaluated_once_and_sees_its_world() -> None:
    seen = []

    def double(w: World) -> Any:
        seen.append(w)
        return 2 * w.x

    world = World(bare(x=np.ones(1)), defines={"double": double})
    assert world.double == world.double == world.original("double") == 2
    assert seen == [world]
    assert world.read == {"double", "x"}
    quiet = World(bare(x=np.ones(1)), defines={"double": double})
    assert quiet.original("double") == 2
    assert quiet.read == {"x"}, "asked for by the toolkit, not by a side"


def test_a_changed_world_keeps_number_noise_definitions_and_instance() -> None:
    noise = AllOutcomes(7)
    world = World(bare(x=fractions(["1"])), "exact", noise, {"y": lambda w: w.x + 1})
    other = world.with_changed({"x": 5})
    assert (other.number, other.instance) == ("exact", world.instance)
    assert other.y == 6, "derived anew from what the side sees"
    assert other.original("x") == 1
    assert world.with_changed({}).x == 1
    capped = by_hand(noise=AllOutcomes(1)).with_changed({"z": 1})
    with pytest.raises(NotAvailable, match="above 1$"):
        capped.run()


def test_what_was_derived_before_a_change_stays_and_what_is_new_does_not_leak_back() -> None:
    world = World(bare(x=np.ones(1)), defines={"y": lambda w: w.x + 1, "z": lambda w: w.x + 2})
    assert world.y == 2
    other = world.with_changed({"x": 10})
    assert (other.y, other.z) == (2, 12)
    assert world.z == 3


def test_worlds_compare_all_outcomes_of_floats_unless_told_otherwise() -> None:
    world = World(bare(x=np.ones(1)))
    assert world.number == "float64"
    assert by_hand("float64").run().theta.shape[1] == 2
    assert world.has("x")
    assert not World(Instance("numbers")).has("x")


@pytest.mark.parametrize(("number", "one"), [("float64", 1.0), ("exact", Fraction(1))])
def test_without_a_draw_there_is_one_outcome(number: str, one: Any) -> None:
    world = World(bare(), number)
    assert world.weights.tolist() == [[one]]
    assert type(world.weights.item()) is type(one)
    assert world.outcome_weights is None


def test_outcomes_may_be_named() -> None:
    world = World(bare())
    assert world.outcome_names is None
    world.outcome_names = ["heads", "tails"]
    assert world.outcome_names == ["heads", "tails"]
    assert world.with_changed({"x": 1}).outcome_names == ["heads", "tails"]


def test_literal_arrays_take_the_number_type() -> None:
    floats, exact = World(bare()).array([[1, 2]]), World(bare(), "exact").array([[1, "1/3"]])
    assert floats.dtype == float
    assert floats.tolist() == [[1, 2]]
    assert exact.dtype == object
    assert exact.tolist() == [[1, Fraction(1, 3)]]
    assert all(type(v) is Fraction for v in exact.flat)
    assert World(bare(), "exact").array([]).dtype == object


def test_what_is_not_random_is_its_own_mean_in_every_world() -> None:
    sampled_world = by_hand("float64", "gaussian", Samples(5, 4))
    sampled_world.run()
    for world in (by_hand(), sampled_world):
        assert world.mean(3.0) == 3
        assert world.mean([1.0, 2.0]).tolist() == [1, 2]
        assert world.mean(np.ones((2, 1))).shape == (2, 1)
        assert world.mean(np.ones((2, 1, 5))).shape == (2, 1, 5)


def test_means_of_a_batch_take_each_row_by_its_own_weights() -> None:
    world = World(bare(x=np.ones(2)))
    world.outcome_weights = np.array([[0.5, 0.5], [0.25, 0.75]])
    x = np.array([[0.0, 4.0], [0.0, 4.0]])
    assert world.mean(x).tolist() == [[2.0], [3.0]]
    assert world.mean(np.stack([x, -x], -1)).tolist() == [[[2.0, -2.0]], [[3.0, -3.0]]]
    deep = np.zeros((2, 2, 3, 4)) + x[..., None, None]
    assert world.mean(deep).shape == (2, 1, 3, 4)
    assert (world.mean(deep)[1] == 3).all()
    assert world.probability([[True, False], [False, True]]).tolist() == [[0.5], [0.75]]


def test_a_quantity_keeps_its_name() -> None:
    @once
    def progress(w: World) -> Any:
        """How far."""
        return w.x

    assert (progress.__name__, progress.__doc__) == ("progress", "How far.")


def test_messages_about_symbols_name_the_remedy() -> None:
    batch = Instance("quadratic", {}, None, {"beta": np.ones(1)})
    with pytest.raises(
        InvalidInput,
        match=(
            "^parameter must not have the name of a constant that the problem derives, got 'beta': "
            "rename it$"
        ),
    ):
        World(batch).beta  # noqa: B018
    with pytest.raises(
        InvalidInput,
        match=(
            "^symbol must be one that the instance, its problem or the statement defines, got 'q': "
            "use one of d, p, xi$"
        ),
    ):
        World(
            Instance("numbers", {"xi": np.ones(1)}, None, {"p": np.ones(1)}),
            defines={"d": lambda w: 1},
        ).symbol("q")
    with pytest.raises(
        NotAvailable, match=("^a mean inside a side needs a law with finitely many outcomes$")
    ):
        World(bare(), noise=Samples(1, 2)).mean(np.ones((1, 2)))


def test_two_runs_with_other_chances_are_of_no_one_claim() -> None:
    world = by_hand()
    first = fractions([["1/5", "4/5"]])
    for weights in (first, first, first[:, :1]):
        world._drawn(weights)
    with pytest.raises(NotAvailable, match="draw different gradients"):
        world._drawn(first[:, ::-1])


def test_what_may_read_any_symbol_is_evaluated_anew_where_one_is_changed() -> None:
    world = World(bare(x=np.ones(1), y=np.ones(1)), "float64")
    any_one, x, y = node("quantity", data="mine:f"), *(node("symbol", data=n) for n in "xy")
    world.terms = dict.fromkeys((any_one, x, y), 1)
    assert set(world.with_changed({"x": np.zeros((1, 1))}).terms) == {y}
