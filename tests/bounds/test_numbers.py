"""Balls contain the truth, exact matrices agree with numpy, undecided questions stay open."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.numbers import (
    Ball,
    Undecided,
    as_rational,
    eigenvalue_range,
    exp_exact,
    inertia,
    inverse,
    log_exact,
    precision,
    solve,
    sqrt_exact,
)
from bounds.numbers.validate import InvalidInput

rationals = st.fractions(min_value=-20, max_value=20, max_denominator=1000)
FUNCTIONS = ["sqrt", "exp", "log", "cos", "sin"]


def _true_value(name: str, x: Fraction) -> Fraction:
    """The function at 400 bits, as a rational (error far below the balls' 128 bits)."""
    with mpmath.workprec(400):
        value = getattr(mpmath, name)(mpmath.mpf(x.numerator) / x.denominator)
        sign, mantissa, exponent, _ = value._mpf_
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent) * (-1 if sign else 1)


@st.composite
def balls(draw: st.DrawFn) -> tuple[Ball, Fraction]:
    """A ball and a point inside it."""
    a, b = sorted((draw(rationals), draw(rationals)))
    weight = draw(st.fractions(min_value=0, max_value=1, max_denominator=16))
    return Ball(a, b), a + weight * (b - a)


@given(balls(), balls(), st.integers(0, 5))
def test_arithmetic_contains_every_choice(
    first: tuple[Ball, Fraction], second: tuple[Ball, Fraction], n: int
) -> None:
    (a, x), (b, y) = first, second
    with precision(24):  # coarse, so that the outward rounding is at work
        results = [(a + b, x + y), (a - b, x - y), (a * b, x * y), (a**n, x**n), (abs(a), abs(x))]
        if b.lo > 0 or b.hi < 0:
            results.append((a / b, x / y))
        for ball, value in results:
            assert ball.lo <= value <= ball.hi


@pytest.mark.parametrize("name", FUNCTIONS)
@given(x=st.fractions(min_value=Fraction(1, 1000), max_value=50, max_denominator=10**6))
def test_functions_contain_the_value_and_are_narrow(name: str, x: Fraction) -> None:
    ball = getattr(Ball(x), name)()
    value = _true_value(name, x)
    slack = Fraction(1, 2**300)  # the reference's own rounding
    assert ball.lo - slack <= value <= ball.hi + slack
    assert ball.rad <= Fraction(1, 2**120) * max(1, abs(value))


@pytest.mark.parametrize("name", ["cos", "sin", "exp"])
@given(pair=balls())
def test_functions_of_wide_balls_contain_inner_values(
    name: str, pair: tuple[Ball, Fraction]
) -> None:
    ball, x = pair
    result = getattr(ball, name)()
    value = _true_value(name, x)
    slack = Fraction(1, 2**200) * max(1, abs(value))
    assert result.lo - slack <= value <= result.hi + slack


@pytest.mark.parametrize("bits", [16, 53, 300])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_contain_the_value_at_every_precision(name: str, bits: int) -> None:
    for x in (Fraction(1, 3), Fraction(7), Fraction(10**6, 7), Fraction(1, 10**9)):
        with precision(bits):
            ball = getattr(Ball(x), name)()
        with mpmath.workprec(700):  # the size of the argument costs exp and cos 18 bits
            low, high = (mpmath.mpf(v.numerator) / v.denominator for v in (ball.lo, ball.hi))
            value = getattr(mpmath, name)(mpmath.mpf(x.numerator) / x.denominator)
            assert low <= value <= high
            assert high - low <= abs(value) * mpmath.mpf(2) ** (4 - bits)


def test_a_ball_rounded_inwards_would_be_caught() -> None:
    """Negative control: shrinking the enclosure by its own radius loses the value."""
    ball = Ball(2).sqrt()
    value = _true_value("sqrt", Fraction(2))
    assert ball.lo < value < ball.hi
    inward = (Ball(ball.lo, ball.lo + (value - ball.lo) / 2), Ball((value + ball.hi) / 2, ball.hi))
    assert not any(b.lo <= value <= b.hi for b in inward)


def test_undecided_questions_raise() -> None:
    root = Ball(2).sqrt()
    with pytest.raises(Undecided, match="undecided at 128 bits"):
        assert root**2 == 2
    with pytest.raises(Undecided):
        assert Ball(0, 1) < Ball(1, 2)
    assert Ball(0, 1) <= Ball(1, 2)
    assert Ball(3) == 3
    assert Ball(3) == Ball(3)
    assert Ball(0, 1) != 2
    with pytest.raises(Undecided):
        Ball(-1, 1).log()
    with pytest.raises(InvalidInput, match="argument of sqrt must be non-negative"):
        Ball(-2, -1).sqrt()
    with pytest.raises(ZeroDivisionError):
        1 / Ball(0)


UNDECIDED = {
    "order": lambda: Ball(0, 2) < 1,
    "order of rationals and balls": lambda: Fraction(1) >= Ball(0, 2),
    "equality": lambda: Ball(0, 2) == Ball(0, 2),
    "inequality": lambda: Ball(0, 2) != 1,
    "truth": lambda: bool(Ball(-1, 1)),
    "floor": lambda: math.floor(Ball(0, 1)),
    "ceiling": lambda: math.ceil(Ball("1/2", "3/2")),
    "division": lambda: 1 / Ball(-1, 1),
    "negative power": lambda: Ball(-1, 1) ** -1,
    "root": lambda: Ball(-1, 1).sqrt(),
    "pivot": lambda: inverse([[Ball(-1, 1), 1], [0, 1]]),
    "eigenvalue": lambda: inertia([[Ball(-1, 1)]]),
}


@pytest.mark.parametrize("name", UNDECIDED)
def test_no_open_question_is_answered(name: str) -> None:
    with pytest.raises(Undecided):
        UNDECIDED[name]()


def test_signs_and_touching_ends_survive() -> None:
    """What a midpoint with a rounded radius would lose."""
    thirds = Ball(0, "1/3")
    for ball in (
        thirds * Ball(0, "2/7"),
        thirds + thirds,
        thirds**2,
        Ball(-1, 1) ** 2,
        abs(Ball(-2, 1)),
        thirds / 7,
        Ball(0, 2).sqrt(),
    ):
        assert ball.lo == 0
        assert ball >= 0
    assert (Ball(-1, 2) * Ball(-1, 2)).lo == -2
    assert (Ball(0, "1/3").hi, Ball(0, "1/3").mid) == (Fraction(1, 3), Fraction(1, 6))


def test_points_are_exact_until_they_are_long() -> None:
    third = Ball("1/3")
    assert third * 3 == 1
    assert (third + Fraction(1, 6)) - 0.5 == 0
    assert third.is_point
    long = third
    for _ in range(7):
        long = long * long  # 3**-128 has 203 bits
    assert not long.is_point
    assert long.lo < Fraction(1, 3**128) < long.hi


def test_precision_narrows_balls_and_is_restored() -> None:
    with precision(1000):
        assert Ball(2).sqrt().rad < Fraction(1, 2**990)
        with pytest.raises(ZeroDivisionError), precision(24):
            Ball(1) / 0
        assert precision() == 1000
    assert precision() == 128
    with pytest.raises(InvalidInput, match="bits must be at least 16"), precision(8):
        pass


def test_the_precision_of_flint_is_neither_used_nor_left_changed() -> None:
    before = flint.ctx.prec
    try:
        for bits in (24, 777):
            flint.ctx.prec = bits
            root = Ball(2).sqrt()
            low, _ = eigenvalue_range([[0, 1, 2], [1, 0, 1], [2, 1, 7]])
            assert flint.ctx.prec == bits
            assert Fraction(1, 2**140) < root.rad < Fraction(1, 2**120)
            assert low.rad < Fraction(1, 2**100)
    finally:
        flint.ctx.prec = before


@pytest.mark.parametrize("x", [10**8, -(10**8), 10**400])
def test_an_endless_exponential_is_refused(x: int) -> None:
    """Flint would end the process."""
    with pytest.raises(OverflowError, match="too many digits"):
        Ball(x).exp()


def test_threads_have_their_own_precision() -> None:
    def rad(bits: int) -> Fraction:
        with precision(bits):
            return Ball(2).sqrt().rad

    with ThreadPoolExecutor(1) as other, precision(2000):
        assert other.submit(rad, 32).result() > Fraction(1, 2**40)
        assert other.submit(precision).result() == 128


def test_mixing_with_other_numbers() -> None:
    root = Ball(2).sqrt()
    for value in (2, 2.0, Fraction(2), np.float64(2), np.int64(2)):
        assert (value * root - root - root).hi >= 0
        assert isinstance(value * root, Ball)
        assert isinstance(root * value, Ball)
    products = np.array([1.0, 2.0]) * root
    assert products.dtype == object
    assert float(products[1]) == pytest.approx(2 * 2**0.5)
    assert isinstance(Ball(4) ** Fraction(1, 2), Ball)
    for value in (1, 1.0, Fraction(1), np.float64(1), np.int64(1)):
        assert (value < root, root > value, value == root, root != value) == (
            True,
            True,
            False,
            True,
        )
        assert Ball(1) == value
        assert value == Ball(1)
    assert hash(Ball("1/3")) == hash(Ball("1/3"))
    assert sum([root, root], Fraction(0)).lo <= 2 * root.hi
    for strange in ("1", None, 1j, [1]):
        with pytest.raises(TypeError):
            root + strange


def test_round_trips() -> None:
    ball = Ball(2).sqrt()
    again = Ball.from_json(ball.to_json())
    assert (again.lo, again.hi) == (ball.lo, ball.hi)
    copy = pickle.loads(pickle.dumps(ball))
    assert (copy.lo, copy.hi) == (ball.lo, ball.hi)
    assert ball.to_json()["ball"] == [str(ball.lo), str(ball.hi)]
    assert Ball(1, "4/3").to_json() == {"ball": ["1", "4/3"]}
    assert repr(ball).startswith("[1.4142135")
    with pytest.raises(AttributeError, match="Ball is immutable"):
        ball.lo = 1  # type: ignore[misc]
    with pytest.raises(InvalidInput, match="swap the two ends"):
        Ball(2, 1)
    with pytest.raises(InvalidInput, match="ball must be"):
        Ball.from_json({"ball": ["1/0", "2"]})


def test_exact_values_stay_rational() -> None:
    assert sqrt_exact(Fraction(9, 4)) == Fraction(3, 2)
    assert isinstance(sqrt_exact(2), Ball)
    assert exp_exact(0) == 1
    assert log_exact(1) == 0


def test_as_rational() -> None:
    assert as_rational("1/3") == Fraction(1, 3)
    assert as_rational(0.1) == Fraction(0.1)
    array = as_rational([[1, "1/2"], [0.5, Fraction(1, 7)]])
    assert array.shape == (2, 2)
    assert all(isinstance(v, Fraction) for v in array.ravel())
    for bad in (float("nan"), float("inf"), "one", [1, None]):
        with pytest.raises(InvalidInput, match="number must be finite and rational"):
            as_rational(bad)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6), st.integers(-3, 3))
def test_inertia_agrees_with_numpy(seed: int, size: int, rank: int, level: int) -> None:
    factor = np.random.default_rng(seed).integers(-4, 5, (size, rank))
    A = factor @ factor.T - np.eye(size, dtype=int)
    values = np.linalg.eigvalsh(A.astype(float))
    near = abs(values - level) < 1e-8  # numpy's rounding at these sizes is about 1e-13
    counts = inertia(A, level)
    assert counts.below <= (values < level + 1e-8).sum()
    assert counts.below >= (values < level - 1e-8).sum()
    assert counts.at <= near.sum()
    assert sum(counts) == size


def test_inertia_without_a_diagonal_pivot() -> None:
    assert inertia([[0, 1], [1, 0]]) == (1, 0, 1)
    assert inertia([[0, 0], [0, 0]]) == (0, 2, 0)
    with pytest.raises(InvalidInput, match="A must be symmetric"):
        inertia([[1, 2], [3, 4]])


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_eigenvalue_range_is_certified_and_narrow(size: int) -> None:
    rng = np.random.default_rng(size)
    A = rng.integers(-5, 6, (size, size))
    A = A + A.T
    values = np.linalg.eigvalsh(A.astype(float))
    for found, expected in zip(eigenvalue_range(A), (values[0], values[-1]), strict=True):
        # 1e-12: LAPACK's rounding
        assert float(found) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        if isinstance(found, Ball):
            assert found.rad <= abs(found.mid) / 2**100


@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_no_eigenvalue_lies_outside_the_range(seed: int, size: int) -> None:
    factor = np.random.default_rng(seed).integers(-4, 5, (size, size))
    A = as_rational(factor + factor.T) / 3
    low, high = (v if isinstance(v, Ball) else Ball(v) for v in eigenvalue_range(A))
    assert inertia(A, low.lo).below == inertia(A, high.hi).above == 0
    assert inertia(A, low.hi).above < size  # the smallest one is at most low.hi
    assert inertia(A, high.lo).below < size
    # negative control: a range that is narrower by its own radius and a little loses one
    if not low.is_point:
        assert inertia(A, low.hi + low.rad).below > 0


def test_rational_eigenvalues_are_found() -> None:
    assert eigenvalue_range(np.eye(3) + np.ones((3, 3))) == (1, 4)
    assert eigenvalue_range([[2, 1], [1, 2]]) == (1, 3)
    assert eigenvalue_range(np.diag([3, 1, 2])) == (1, 3)
    assert eigenvalue_range(np.ones((3, 3))) == (0, 3)


def test_balls_in_matrices() -> None:
    root = Ball(2).sqrt()
    A = np.array([[Ball(2), root], [root, Ball(3)]], dtype=object)
    low, high = eigenvalue_range(A)
    assert low.lo <= 1 <= low.hi
    assert high.lo <= 4 <= high.hi
    assert inertia(A, 2) == (1, 0, 1)
    product = A @ inverse(A)
    assert solve(A, [root, 1])[0].lo <= Fraction(1, 2) * root.hi
    for v, w in zip(solve([[2, 0], [0, 3]], [root, 3]), (root / 2, Ball(1)), strict=True):
        assert v.lo <= w.hi
        assert w.lo <= v.hi
    assert inverse(np.array([[Ball(2)]]))[0, 0] == Fraction(1, 2)
    assert all(v.lo <= int(i == j) <= v.hi for (i, j), v in np.ndenumerate(product))


def test_inverse_and_solve() -> None:
    A = [[2, 1, 0], [1, 3, 1], [0, 1, "1/2"]]
    product = as_rational(A) @ inverse(A)
    assert (product == as_rational(np.eye(3))).all()
    assert list(as_rational(A) @ solve(A, [1, 2, 3])) == [1, 2, 3]
    with pytest.raises(InvalidInput, match="A must be invertible"):
        inverse([[1, 2], [2, 4]])
