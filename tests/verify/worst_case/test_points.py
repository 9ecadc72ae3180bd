"""Points and expressions: exact arithmetic, spaces that are orthogonal, floats as fractions."""

from __future__ import annotations

from fractions import Fraction as F
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from verify.worst_case import (
    ClassProblem,
    CocoerciveStronglyMonotoneOperator,
    Convex,
    FunctionClass,
    LipschitzStronglyMonotoneOperator,
    SecantErrorBound,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    TransposedOperator,
    WeaklyConvex,
    solved,
)
from verify.worst_case.points import rational, real
from verify.worst_case.programme import programme

SMALL = st.fractions(-3, 3, max_denominator=7)


@each(
    ("number", "exact"),
    [(0.1, "1/10"), (1 / 3, "1/3"), (2, "2"), (F(-2, 7), "-2/7"), (-0.0, "0")],
)
def test_a_float_is_the_fraction_that_was_meant(number: float, exact: str) -> None:
    assert str(rational(number)) == exact


def test_another_float_is_met_within_its_rounding() -> None:
    assert abs(real(rational(sqrt(2))) - sqrt(2)) < 4e-16
    assert int(rational(sqrt(2)).q) < 2**28


@given(SMALL, SMALL, SMALL)
def test_products_are_bilinear_and_squares_are_products(a: F, b: F, c: F) -> None:
    p = ClassProblem()
    x, y, z = p.point("x"), p.point("y"), p.point("z")
    left = (a * x + b * y) @ (c * z - y)
    right = (x @ z) * (a * c) - (x @ y) * a + (y @ z) * (b * c) - y**2 * b
    assert left.terms == right.terms
    assert ((a * x - y) ** 2).terms == ((a * x - y) @ (a * x - y)).terms


def test_means_and_deviations_are_orthogonal() -> None:
    p = ClassProblem()
    g, x = p.point("g", own=True), p.point("x")
    assert (g.mean() @ (g - g.mean())).terms == {}
    assert (x @ (g - g.mean())).terms == {}
    assert len((g**2).terms) == 2


def test_blocks_are_orthogonal_and_sum_to_the_whole() -> None:
    p = ClassProblem(blocks=3)
    x, y = p.point("x"), p.point("y")
    assert (x.block(0) @ y.block(1)).terms == {}
    total = x.block(0) + x.block(1) + x.block(2)
    assert total.same(x)


def test_a_gradient_is_met_once_where_there_is_one_only() -> None:
    p = ClassProblem()
    smooth, rough = p.function(SmoothConvex(1)), p.function(Convex())
    x = p.point()
    assert smooth.gradient(x).same(smooth.gradient(x))
    assert not rough.gradient(x).same(rough.gradient(x))
    assert rough(x) == rough(x)


def test_the_gradients_of_a_sum_vanish_at_a_stationary_point() -> None:
    p = ClassProblem()
    f, h = p.function(SmoothConvex(1)), p.function(Convex())
    best = (f * 2 - h / 3).stationary_point()
    rest = f.met[-1].g * 2 - h.met[-1].g / 3
    assert f.met[-1].x.same(best)
    assert rest.parts == {}


def test_wrong_use_is_told() -> None:
    p = ClassProblem()
    with pytest.raises(ValueError, match="exponent of a point must be 2"):
        p.point() ** 3
    with pytest.raises(ValueError, match="must begin with a letter"):
        p.point("~x")
    f = p.function(SmoothConvex(1))
    x = p.point()
    f.gradient(x)
    with pytest.raises(ValueError, match="every gradient is settled"):
        f.place(x, x)


def test_a_vanishing_gradient_that_makes_no_minimum_is_told() -> None:
    p = ClassProblem()
    f, h = p.function(SmoothConvex(1)), p.function(Convex())
    bent = p.function(Smooth(1))
    for total in (f - h, f + bent):
        with pytest.raises(ValueError, match="ask for a stationary_point"):
            total.minimiser()
    with pytest.raises(ValueError, match="convex clients"):
        p.clients(WeaklyConvex(1)).minimiser()


@each("kind", [Smooth(1), WeaklyConvex(1)])
def test_nothing_is_below_a_minimiser_and_something_may_be_below_a_stationary_point(
    kind: FunctionClass,
) -> None:
    for least in (True, False):
        p = ClassProblem()
        f = p.function(kind)
        best = f.minimiser() if least else f.stationary_point()
        x = p.point("x")
        p.assume((x - best) ** 2 <= 1)
        p.maximise(f(best) - f(x))
        assert (abs(solved(p).value) < 1e-7) == least


def test_a_smooth_function_falls_by_what_its_gradient_says() -> None:
    p = ClassProblem()
    f = p.function(Smooth(2))
    best, x = f.minimiser(), p.point("x")
    p.assume(f(x) - f(best) <= 1)
    p.maximise(f.gradient(x) ** 2)
    assert abs(solved(p).value - 4) < 1e-6


def test_values_of_which_a_class_knows_nothing_leave_an_upper_bound() -> None:
    for asked in (False, True):
        p = ClassProblem()
        f = p.function(SecantErrorBound(1, 2))
        best, x = f.minimiser(), p.point("x")
        p.assume((x - best) ** 2 <= 1)
        if asked:
            p.assume(f(x) - f(best) <= 1)
        p.maximise((x - f.gradient(x) / 4 - best) ** 2)
        assert p.tight == (not asked)


def test_constants_and_transposes_that_are_none_are_told() -> None:
    for kind, said in (
        (SmoothStronglyConvex(-1, 1), "mu must be at least 0"),
        (SmoothStronglyConvex(1, 1), "L must be above 0"),
        (SmoothConvex(0), "L must be above 0"),
        (TransposedOperator(), "given to a LinearOperator"),
    ):
        f = ClassProblem().function(kind)
        with pytest.raises(ValueError, match=said):
            [*f.conditions()]


@each(
    "kind",
    [LipschitzStronglyMonotoneOperator(0, 1), CocoerciveStronglyMonotoneOperator(F(1, 4), 1)],
)
def test_two_properties_at_once_suffice_at_two_points_alone(kind: FunctionClass) -> None:
    p = ClassProblem()
    f = p.function(kind)
    for count in (1, 2, 3):
        f.gradient(p.point())
        assert p.tight == (count < 3)


def test_an_equation_is_kept_beside_the_same_inequality() -> None:
    p = ClassProblem()
    x = p.point("x")
    p.assume(x**2 >= 1, "outside")
    p.assume_equal(x**2, 1, "on the sphere")
    p.maximise(x**2)
    assert [one.equality for one in programme(p).conditions] == [False, True]
