"""Scores by hand: every part of the record, moved terms, points of several axes, chances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from bounds.numbers import Ball
from bounds.numbers.validate import InvalidInput, positive
from tests.trusted.world.scoring import batch, on, outcomes
from tests.verify.cases import assume, claim, fractions
from verify.claim.instance import Instance
from verify.verdict.relation import GUARD, LARGEST
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.score import event, exceeds, right_side, score, score_world
from verify.world.world import World

LEFT, RIGHT = [0.0, 3.0, 6.0], [1.0, 4.0, 5.0]
WEIGHTS = (0.5, 0.25, 0.25)


# -- the whole record ------------------------------------------------------------------------------


def test_a_score_by_hand() -> None:
    made = claim(
        lambda w: ({"x": w.x, "y": w.y}, {"z": w.z}),
        relation=">=",
        given=assume({"a": lambda w: w.x, "b": lambda w: w.y - 1}, strict={"b"}),
    )
    found = score(made, batch(x=[1, 1], y=[2, 1], z=[6, 1]))
    assert found.relation == ">="
    assert (found.left.tolist(), found.right.tolist()) == ([[3], [2]], [[6], [1]])
    assert {k: v.tolist() for k, v in found.terms[0].items()} == {"x": [[1], [1]], "y": [[2], [1]]}
    assert {k: v.tolist() for k, v in found.terms[1].items()} == {"z": [[6], [1]]}
    assert {k: v.tolist() for k, v in found.margins.items()} == {"a": [[1], [1]], "b": [[1], [0]]}
    assert found.strict == {"b"}
    assert found.weights.tolist() == [[1]]
    assert found.ratio.tolist() == [2, 0.5]
    assert found.feasible.tolist() == [True, False]
    assert found.shortfall.tolist() == [0, GUARD]
    assert found.tight.tolist() == [2, -np.inf]
    assert found.world.read == {"x", "y", "z"}


def test_missed_margins_add_up_by_name() -> None:
    made = claim(
        lambda w: ({"1": 1}, {"1": 1}),
        given=assume({"a": lambda w: w.a, "b": lambda w: w.b}, strict={"a"}),
    )
    found = score(made, batch(a=[2, 0, -3, 0, np.nan], b=[1, 0, -4, -5, 1]))
    expected = [0, GUARD, 7 + 2 * GUARD, 5 + 2 * GUARD, np.inf]
    assert found.shortfall == pytest.approx(expected, rel=1e-15, abs=0)
    assert found.feasible.tolist() == [True, False, False, False, False]


def test_a_side_without_a_value_is_as_far_from_feasible_as_can_be() -> None:
    found = on([np.nan, 1], [1, 1])
    assert found.shortfall.tolist() == [LARGEST, 0]


def test_the_worst_outcome_of_every_instance_counts() -> None:
    made = claim(lambda w: ({"l": w.l}, {"r": 2}), over="path")
    found = score(made, batch(l=[1, 1, 4]))
    assert found.ratio.shape == (3,)
    wide = claim(lambda w: ({"l": np.array([[1.0, 6.0], [4.0, 2.0]])}, {"r": 2}), over="path")
    assert score(wide, batch(x=[0, 0])).ratio.tolist() == [3, 2]


def test_definitions_and_noise_reach_the_sides() -> None:
    made = claim(lambda w: ({"y": w.y}, {"1": 1}), defines={"y": lambda w: 3 * w.x})
    found = score(made, batch(x=[2]))
    assert found.left.tolist() == [[6]]
    assert found.world.number == "float64"
    mean = claim(lambda w: ({"x": w.mean(np.ones((1, 2)))}, {"1": 1}))
    with pytest.raises(NotAvailable, match="finitely many"):
        score(mean, batch(x=[2]), noise=Samples(1, 2))


def test_sides_outside_their_domain_raise_nothing_and_have_no_value() -> None:
    def sides(w: World) -> Any:
        positive("x", w.x)
        return {"root": np.sqrt(w.x)}, {"inverse": 1 / (w.x + 1)}

    found = score(claim(sides), batch(x=[-1.0, 1.0]))
    assert np.isnan(found.ratio).tolist() == [True, False]
    with pytest.raises(InvalidInput, match="x must be positive"):
        sides(World(batch(x=[-1.0])))


def test_a_world_that_exists_is_scored_as_it_is() -> None:
    made = claim(lambda w: ({"l": w.x}, {"r": w.y, "s": w.y}), given=assume({"h": lambda w: w.x}))
    world = World(batch(x=[1, 3], y=[1, 1]))
    found = score_world(made, world)
    assert found.world is world
    assert found.ratio.tolist() == [0.5, 1.5]
    assert right_side(made, world).tolist() == [[2], [2]]
    changed = world.with_changed({"y": 2 * world.y})
    assert right_side(made, changed).tolist() == [[4], [4]]
    assert score_world(made, changed).ratio.tolist() == [0.25, 0.75]


def test_the_right_side_alone_is_that_of_the_score() -> None:
    for more in ({}, {"relation": "=="}, {"over": "mean"}):
        made = claim(lambda w: ({"a": w.a}, {"b": w.b, "c": -w.a}), **more)
        instance = batch(a=[1, 2], b=[5, 6])
        found = right_side(made, World(instance))
        assert found.tolist() == score(made, instance).right.tolist()


# -- which side a part belongs to ------------------------------------------------------------------


def test_parts_of_either_sign_go_to_both_sides_and_keep_their_names() -> None:
    made = claim(lambda w: ({"a": w.a}, {"b": w.b}))
    found = score(made, batch(a=[3, -2], b=[-5, 7]))
    left, right = ({k: v.ravel().tolist() for k, v in side.items()} for side in found.terms)
    assert left == {"a": [3, 0], "-(b)": [5, 0]}
    assert right == {"b": [0, 7], "-(a)": [0, 2]}
    positive_only = score(made, batch(a=[3, 2], b=[5, 7]))
    assert [set(side) for side in positive_only.terms] == [{"a"}, {"b"}]


def test_a_ball_around_zero_has_both_parts() -> None:
    def sides(w: World) -> Any:
        ball = np.empty((1, 1), dtype=object)
        ball[0, 0] = Ball(-1, 1)
        return {"doubt": ball, "x": w.x}, {"1": w.x}

    found = score(claim(sides), Instance("numbers", {}, None, {"x": fractions([1])}), "exact")
    assert (found.terms[0]["doubt"].item().lo, found.terms[0]["doubt"].item().hi) == (0, 1)
    moved = found.terms[1]["-(doubt)"].item()
    assert (moved.lo, moved.hi) == (0, 1)


def test_symbols_are_neither_moved_nor_spread() -> None:
    x = sympy.Symbol("x")
    symbolic = np.full(1, x, dtype=object)
    made = claim(
        lambda w: ({"-x": -w.x}, {"1": w.x[..., None] * 0 + 1}),
        relation="<=",
        given=assume({"h": lambda w: w.x[..., None]}),
    )
    found = score(made, Instance("numbers", {}, None, {"x": symbolic}), "symbolic")
    assert (set(found.terms[0]), set(found.terms[1])) == ({"-x"}, {"1"})
    assert found.terms[0]["-x"].tolist() == [[-x]]
    assert found.terms[1]["1"].shape == (1, 1, 1)
    assert found.margins["h"].tolist() == [[[x]]]


# -- points of several axes ------------------------------------------------------------------------


def test_points_of_several_axes_are_compared_one_by_one() -> None:
    # clients and rounds on the left, clients on the right, one number for all
    table = np.arange(12.0).reshape(2, 1, 3, 2)

    def sides(w: World) -> Any:
        return {"t": table + 1, "c": np.array([[[10.0, 20.0, 30.0]]])}, {"one": w.x}

    found = score(claim(sides), batch(x=[1, 2]))
    assert found.left.shape == found.right.shape == (2, 6)
    assert found.left.tolist() == [[11, 12, 23, 24, 35, 36], [17, 18, 29, 30, 41, 42]]
    assert found.right.tolist() == [[1] * 6, [2] * 6]
    assert found.terms[0]["c"].tolist() == [[10, 10, 20, 20, 30, 30]] * 2
    assert found.ratio.tolist() == [36, 21]


def test_points_of_every_outcome_are_compared_too() -> None:
    values = np.array([[[1.0, 2.0], [3.0, 4.0]]])  # (instances, outcomes, clients)

    def sides(w: World) -> Any:
        w.outcome_weights = np.array([[0.5, 0.5]])
        return {"l": values}, {"r": np.array([[1.0, 2.0]])}

    assert score(claim(sides, over="path"), batch(x=[0])).ratio.tolist() == [2]
    in_mean = score(claim(sides, over="mean"), batch(x=[0]))
    assert in_mean.left.tolist() == [[2, 3]], "means over outcomes, client by client"
    assert in_mean.right.tolist() == [[1.5, 1.5]]


@pytest.mark.parametrize("number", ["float64", "exact"])
def test_a_hypothesis_about_every_client_holds_where_its_smallest_margin_does(number: str) -> None:
    margin = np.array([[[[3.0, 2.0], [1.0, 5.0]], [[-1.0, 2.0], [4.0, 0.0]]]])
    given_margin = {"h": lambda w: fractions(margin) if number == "exact" else margin}
    made = claim(lambda w: ({"x": w.x}, {"x": w.x}), given=assume(given_margin))
    x = fractions([1]) if number == "exact" else np.ones(1)
    found = score(made, Instance("numbers", {}, None, {"x": x}), number)
    assert found.margins["h"].tolist() == [[1, -1]], "one per outcome"


# -- chances ---------------------------------------------------------------------------------------


def test_a_chance_is_compared_with_its_level_and_nothing_else() -> None:
    found = outcomes(LEFT, RIGHT, WEIGHTS, over="prob", relation="<=", delta=lambda w: 0.5 * 1)
    assert found.relation == "<="
    assert {k: v.tolist() for k, v in found.terms[0].items()} == {"probability": [[0.25]]}
    assert {k: v.tolist() for k, v in found.terms[1].items()} == {"delta": [[0.5]]}


def test_the_event_of_a_chance_is_given_outcome_by_outcome() -> None:
    made = claim(
        lambda w: ({"a": np.array([[1.0, 2.0]]), "b": 1}, {"r": w.x}),
        over="prob",
        delta=lambda w: w.x / 4,
    )
    left, right, level = event(made, World(batch(x=[2])))
    assert (left.tolist(), right.tolist(), level.tolist()) == ([[2, 3]], [[2]], [[0.5]])
    no_level = claim(lambda w: ({"a": 1}, {"r": w.x}))
    assert event(no_level, World(batch(x=[2])))[2].tolist() == [[0]]


def test_a_chance_of_fractions_is_a_fraction() -> None:
    def sides(w: World) -> Any:
        w.outcome_weights = fractions([["1/3", "2/3"]])
        return {"l": fractions([[1, 3]])}, {"r": w.x}

    made = claim(sides, over="prob", delta=lambda w: w.x / 4)
    found = score(made, Instance("numbers", {}, None, {"x": fractions([2])}), "exact")
    assert (found.left.item(), found.right.item()) == (Fraction(2, 3), Fraction(1, 2))


@pytest.mark.parametrize(("left", "right"), [(np.nan, 1.0), (6.0, np.nan)])
def test_a_chance_has_no_value_where_one_outcome_has_none(left: float, right: float) -> None:
    found = outcomes([left, 3.0, 6.0], [right, 4.0, 5.0], WEIGHTS, over="prob", delta=lambda w: 1.0)
    assert np.isnan(found.left).all()
    assert not found.feasible.any()


def test_a_chance_for_every_client_has_no_value_where_one_client_has_none() -> None:
    values = np.array([[[1.0, 3.0], [3.0, 3.0]], [[1.0, 3.0], [np.nan, 3.0]]])

    def sides(w: World) -> Any:
        w.outcome_weights = np.array([[0.25, 0.75]] * 2)
        return {"l": values}, {"r": w.x}

    found = score(claim(sides, over="prob", delta=lambda w: 0.5), batch(x=[2, 2]))
    assert found.left[0].tolist() == [0.75, 1]
    assert np.isnan(found.left[1]).all()


@pytest.mark.parametrize("number", ["float64", "exact"])
def test_the_level_of_each_instance_is_its_own(number: str) -> None:
    made = claim(lambda w: ({"x": w.x}, {"r": 2}), over="prob", delta=lambda w: w.x / 4)
    x = fractions([1, 2]) if number == "exact" else np.array([1.0, 2.0])
    found = score(made, Instance("numbers", {}, None, {"x": x}), number)
    assert found.right.tolist() == [[Fraction(1, 4)], [Fraction(1, 2)]]


def test_floats_exceed_by_more_than_rounding_and_fractions_by_anything() -> None:
    tiny = Fraction(1, 10**30)
    floats, exact = World(batch(x=[0])), World(batch(x=[0]), "exact")
    left = np.array([[1.0, 1 + 1e-12, 1 + 1e-6, 0.5]])
    assert exceeds(left, 1.0, floats).tolist() == [[False, False, True, False]]
    fraction = fractions([["1", "1", "1/2"]])
    fraction[0, 1] += tiny
    assert exceeds(fraction, Fraction(1), exact).tolist() == [[False, True, False]]


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (2, (1, 1)),
        (np.ones(3), (1, 3)),
        (np.ones((2, 3)), (2, 3)),
        (np.float64(2), (1, 1)),
        ([1.0, 2.0], (1, 2)),
    ],
)
def test_sides_of_any_shape_get_the_axes_of_instances_and_outcomes(
    value: Any, shape: tuple[int, ...]
) -> None:
    found = score(claim(lambda w: ({"v": value}, {"w": 1}), over="path"), batch(x=[0, 0]))
    assert found.terms[0]["v"].shape == shape
    assert found.terms[1]["w"].shape == (1, 1), "what is the same for all stays one number"
    assert found.left.shape == (2, shape[1])


def test_a_row_of_numbers_is_one_of_outcomes() -> None:
    def sides(w: World) -> Any:
        w.outcome_weights = np.array([[0.25, 0.75]])
        return {"l": [1.0, 3.0]}, {"r": np.array([2.0, 4.0])}

    found = score(claim(sides, over="mean"), batch(x=[0]))
    assert (found.left.tolist(), found.right.tolist()) == ([[2.5]], [[3.5]])


def test_exact_sides_take_whole_numbers_fractions_and_arrays_of_them() -> None:
    third = Fraction(1, 3)
    for value in (1, third, fractions(["1/3"]), np.array([[1]])):
        made = claim(lambda w, v=value: ({"v": v}, {"w": third}))
        found = score(made, Instance("numbers", {}, None, {"x": fractions([1])}), "exact")
        assert found.left.shape == (1, 1)
        assert found.right.item() == third
        assert not isinstance(found.left.item(), float)


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        np.float64(0.5),
        np.float32(0.5),
        np.array([0.5]),
        np.array([Fraction(1), 0.5]),
        np.array([[0.5, Fraction(1)]], dtype=object),
    ],
)
def test_exact_sides_refuse_every_kind_of_float(value: Any) -> None:
    made = claim(lambda w: ({"v": value}, {"w": 1}))
    said = (
        r"^the left term 'v' of .* must be exact, got the float 0.5: write literals, fractions or "
        r"integers in the function itself .* and take sqrt, log, exp and the like from "
        r"bounds.generic$"
    )
    with pytest.raises(InvalidInput, match=said):
        score(made, Instance("numbers", {}, None, {"x": fractions([1])}), "exact")


def test_an_exact_level_is_no_float_either() -> None:
    one = Instance("numbers", {}, None, {"x": fractions([1])})
    level: Any = float("0.25")
    made = claim(lambda w: ({"x": w.x}, {"r": 2}), over="prob", delta=lambda w: level)
    assert score(made, batch(x=[1])).right.tolist() == [[0.25]]
    with pytest.raises(InvalidInput, match=r"^the level of test.claim must be exact, got the"):
        score(made, one, "exact")
    level = Fraction(1, 4)
    assert score(made, one, "exact").right.tolist() == [[level]]


def test_empty_sides_are_zero_on_every_instance() -> None:
    found = score(claim(lambda w: ({}, {"x": w.x})), batch(x=[1, 2, 3]))
    assert found.left.tolist() == [[0], [0], [0]]
    exact = score(
        claim(lambda w: ({}, {})), Instance("numbers", {}, None, {"x": fractions([1])}), "exact"
    )
    assert exact.left.tolist() == exact.right.tolist() == [[0]]


def test_whole_numbers_are_compared_in_floats() -> None:
    made = claim(lambda w: ({"big": np.array([[2**62]]) * 1}, {"one": np.array([[True]])}))
    found = score(made, batch(x=[0]))
    assert found.terms[0]["big"].dtype == found.terms[1]["one"].dtype == float
    assert (found.left + found.left).item() == 2.0**63


def test_a_claim_up_to_a_constant_is_compared_as_a_bound() -> None:
    assert on([1], [2], relation="<~").relation == "<="
