"""Scores of instances that are none of their families', that floats cannot compare, and parts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.trusted.world.scoring import batch
from tests.verify.cases import assume, claim, fractions
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real
from verify.verdict.relation import GUARD, LARGEST
from verify.world.noise_plan import AllOutcomes
from verify.world.score import came_across, score, score_world
from verify.world.world import World

WIDE = Real(-8, 8)


def named(margin: Any, sides: Any = None, **more: Any) -> Any:
    """A claim over a family that names one relation between its values."""
    family = Family({"x": WIDE, "y": WIDE}, constraints={"it": margin})
    return claim(sides or (lambda w: ({"x": w.x}, {"y": w.y})), family, **more)


# -- what is none of a family's instances ----------------------------------------------------------


def test_by_how_much_instances_are_none_of_the_family() -> None:
    made = score(named(lambda i: i.params["x"]), batch(x=[2, 0, -3, np.nan], y=[1, 1, 1, 1]))
    expected = [0, 0, GUARD + 3, LARGEST]
    assert made.beyond == pytest.approx(expected, rel=1e-15, abs=0)
    assert made.missed == pytest.approx(expected, rel=1e-15, abs=0)
    assert made.feasible.tolist() == [True, True, False, False]
    assert made.ratio[:3].tolist() == [2, 0, 0]


def test_rounding_does_not_throw_an_instance_out_of_its_family() -> None:
    made = score(named(lambda i: i.params["x"]), batch(x=[-GUARD / 2, -2 * GUARD], y=[1, 1]))
    assert made.beyond == pytest.approx([0, 3 * GUARD], rel=1e-12)
    assert made.feasible.tolist() == [True, False]


def test_what_is_missed_of_hypotheses_and_of_the_family_adds_up() -> None:
    made = named(lambda i: i.params["x"], given=assume({"h": lambda w: w.y}))
    found = score(made, batch(x=[1, -2, 1, -2], y=[1, 1, -5, -5]))
    assert found.missed == pytest.approx([0, GUARD + 2, GUARD + 5, 2 * GUARD + 7], rel=1e-12)


def test_families_that_name_nothing_and_exact_numbers_have_nothing_beyond() -> None:
    free = claim(lambda w: ({"x": w.x}, {"y": w.x}))
    assert score(free, batch(x=[-1])).beyond is None
    one = Instance("numbers", {}, None, {"x": fractions([-1]), "y": fractions([1])})
    made = score(named(lambda i: i.params["x"]), one, "exact")
    assert made.beyond is None, "the referee asks for it itself"
    assert made.feasible.tolist() == [True]


# -- what floats cannot compare --------------------------------------------------------------------


def test_blank_is_what_meets_everything_and_cannot_be_compared() -> None:
    made = named(lambda i: i.params["x"], given=assume({"h": lambda w: w.y}))
    nan = np.nan

    def sides(w: Any) -> Any:
        return {"l": np.array([[1.0], [nan], [nan], [nan], [np.inf]])}, {"r": w.x * 0 + np.inf}

    made = named(lambda i: i.params["x"], sides, given=assume({"h": lambda w: w.y}))
    found = score(made, batch(x=[1, 1, -1, 1, 1], y=[1, 1, 1, -1, 1]))
    assert found.blank.tolist() == [False, True, False, False, True]
    assert found.feasible.tolist() == [True, False, False, False, False]
    assert found.shortfall[[1, 4]].tolist() == [LARGEST, LARGEST]


def test_blank_by_the_edge_of_a_hypothesis() -> None:
    made = claim(
        lambda w: ({"l": w.x * np.nan}, {"r": 1}),
        given=assume({"h": lambda w: w.x}, strict={"h"}),
    )
    assert score(made, batch(x=[0, 1, 0.5])).blank.tolist() == [False, True, True]


# -- parts of a batch ------------------------------------------------------------------------------


def test_a_part_of_a_batch_has_the_numbers_of_its_rows() -> None:
    made = named(
        lambda i: i.params["x"],
        lambda w: ({"x": w.x, "two": 2}, {"y": w.y, "-x": -w.x}),
        relation=">=",
        given=assume({"h": lambda w: w.y - 1, "always": lambda w: 1}, strict={"h"}),
    )
    whole = score(made, batch(x=[1, -2, 3, 5], y=[4, 1, 2, 7]))
    part = whole.part(slice(1, 3))
    assert part.relation == ">="
    assert (part.left.tolist(), part.right.tolist()) == ([[2], [8]], [[5], [2]])
    for side in (0, 1):
        assert set(part.terms[side]) == set(whole.terms[side])
        for name, value in part.terms[side].items():
            all_rows = np.broadcast_to(whole.terms[side][name], (4, 1))
            assert np.broadcast_to(value, (2, 1)).tolist() == all_rows[1:3].tolist()
    assert part.margins["h"].tolist() == [[0], [1]]
    assert part.margins["always"].tolist() == [[1]]
    assert part.strict == {"h"}
    assert part.weights.tolist() == whole.weights.tolist()
    assert part.world is whole.world
    assert part.beyond is not None
    assert part.beyond.tolist() == [GUARD + 2, 0]
    assert part.ratio.tolist() == whole.ratio[1:3].tolist()
    assert part.shortfall.tolist() == whole.shortfall[1:3].tolist()
    assert part.feasible.tolist() == [False, True]


def test_a_part_of_a_family_that_names_nothing() -> None:
    whole = score(claim(lambda w: ({"x": w.x}, {"y": 2})), batch(x=[1, 2, 3]))
    part = whole.part(slice(2, 3))
    assert part.beyond is None
    assert part.ratio.tolist() == [1.5]


def test_a_part_takes_the_weights_of_its_rows() -> None:
    def sides(w: Any) -> Any:
        w.outcome_weights = np.array([[0.5, 0.5], [0.25, 0.75], [0.125, 0.875]])
        return {"l": w.x}, {"r": 1}

    whole = score(claim(sides, over="path"), batch(x=[1, 2, 3]), noise=AllOutcomes())
    assert whole.part(slice(0, 2)).weights.tolist() == [[0.5, 0.5], [0.25, 0.75]]


def test_terms_that_moved_are_told_from_those_that_are_written() -> None:
    made = score(claim(lambda w: ({"a": w.x}, {"b": 1})), batch(x=[-1, 1]))
    assert [name for side in made.terms for name in side if came_across(name)] == ["-(a)"]
    assert not came_across("b-(a)")


# -- runs that have left all floats ----------------------------------------------------------------


def after(diverged: Any, *rows: Any, over: str = "path") -> list[float]:
    """Ratios of instances whose left sides are given, beside a right side of 1."""
    made = claim(lambda w: ({"l": np.array(rows, dtype=float)}, {"r": 1}), over=over)
    found = score(made, batch(x=[0.0] * len(rows)))
    ratios: list[float] = replace(found, diverged=np.array(diverged)).ratio.tolist()
    return ratios


def test_what_supports_after_a_run_that_diverged_is_no_support() -> None:
    nan = pytest.approx(np.nan, nan_ok=True)
    rows = [[1 / 2], [1 / 2], [1], [3 / 2], [3 / 2]]
    assert after([False, True, True, True, False], *rows) == [1 / 2, nan, nan, 3 / 2, 3 / 2]
    assert after([False] * 5, *rows) == [1 / 2, 1 / 2, 1, 3 / 2, 3 / 2]
    assert after([True], *rows) == [nan, nan, nan, 3 / 2, 3 / 2], "one run for all of them"


def test_one_outcome_that_seems_to_fall_keeps_the_instance_for_fractions() -> None:
    nan = pytest.approx(np.nan, nan_ok=True)
    rows = [[1 / 2, 3], [1 / 2, 1], [1 / 4, 1 / 2]]
    assert after([True, True, False], *rows) == [3, nan, 1 / 2]


def test_a_run_that_diverged_reaches_the_record() -> None:
    """The world says so, the score keeps it, and so does a part of it."""
    made = claim(lambda w: ({"l": w.l}, {"r": 1}))
    assert score(made, batch(l=[1])).diverged is None
    world = World(batch(l=[1, 2, 3]), "float64", AllOutcomes(), {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(World, "diverged", property(lambda _: np.array([True, False, True])))
        found = score_world(made, world)
    assert found.diverged is not None
    assert found.diverged.tolist() == [True, False, True]
    cut = found.part(slice(1, 3)).diverged
    assert cut is not None
    assert cut.tolist() == [False, True]


# -- terms about different axes --------------------------------------------------------------------


def two(left: Any, right: Any) -> Any:
    return claim(lambda w: ({"a": left}, {"b": right}))


def test_terms_about_different_clients_are_refused_at_their_function() -> None:
    for one, other in [(2,), (3,)], [(2, 3), (3, 3)], [(2, 3), (2, 2)]:
        made = two(np.ones((1, 1, *one)), np.ones((1, 1, *other)))
        with pytest.raises(InvalidInput, match=r"got the axes 'a' .*, 'b' .* in test_score_beyond"):
            score(made, batch(x=[0.0]))
    for same in [(2,), (2,)], [(2, 3), (2, 1)], [(2, 1), (1, 3)], [(2, 3), (2,)], [(), (2,)]:
        made = two(*(np.ones((1, 1, *shape)) for shape in same))
        assert np.isfinite(score(made, batch(x=[0.0])).ratio).all()


class _Callable:
    """Sides that are no function: those of a mended claim."""

    def __init__(self, sides: Any) -> None:
        self.sides = sides

    def __call__(self, w: Any) -> Any:
        return self.sides(w)


def test_sides_that_are_no_function_are_refused_without_its_place() -> None:
    made = two(np.ones((1, 1, 2)), np.ones((1, 1, 3)))
    with pytest.raises(InvalidInput, match=r"'b' \(3,\): reduce over"):
        score(replace(made, sides=_Callable(made.sides)), batch(x=[0.0]))


def test_what_stands_for_numbers_has_no_axes_to_compare() -> None:
    """A proof reads each side by itself."""
    sides = [np.full((1, 1, size), sympy.Symbol("x"), dtype=object) for size in (2, 3)]
    made = Instance("numbers", {}, None, {"x": sides[0][0]})
    assert score(two(*sides), made, "symbolic").left.shape == (1, 1, 2)


# -- whole numbers and fractions beside floats -----------------------------------------------------

MOST = int(np.finfo(np.float64).max)


@each(
    ("number", "side"),
    [
        (3, 3.0),
        (Fraction(1, 3), 1 / 3),
        (Fraction(1, 10**400), 0.0),
        (MOST, float(MOST)),
        (-MOST, -float(MOST)),
        (2 * MOST, np.inf),
        (-2 * MOST, -np.inf),
        (Fraction(-(10**400), 3), -np.inf),
        (True, 1.0),
    ],
)
def test_an_exact_number_is_a_float_and_infinite_beyond_all_floats(number: Any, side: Any) -> None:
    made = claim(lambda w: ({"l": number}, {"r": w.x}), relation="==")
    found = score(made, batch(x=[0.0])).left
    assert (found.tolist(), found.dtype) == ([[side]], np.float64)
