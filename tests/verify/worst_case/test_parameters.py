"""Rational functions as coefficients: exact, canonical, compared only where signs decide."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from flint import fmpq

from verify.worst_case.function import Condition
from verify.worst_case.functions import SmoothStronglyConvex
from verify.worst_case.parameters import Undetermined, parameters
from verify.worst_case.points import rational
from verify.worst_case.problem import ClassProblem

H, L, K, R = (sympy.Symbol(n, positive=True) for n in ("h", "L", "k", "r"))
h, upper, share = parameters({"h": H, "L": L, "k": K}, frozenset({"k"})).values()


def test_arithmetic_with_rationals_on_either_side() -> None:
    made = fmpq(1, 2) * h + Fraction(1, 3) - 2 / upper
    assert sympy.simplify(made.formula - (H / 2 + sympy.Rational(1, 3) - 2 / L)) == 0
    assert made.at({"h": 1, "L": 2, "k": 1}) == fmpq(-1, 6)


def test_what_cancels_is_zero() -> None:
    assert not (h + upper) ** 2 - h**2 - 2 * h * upper - upper**2


def test_signs_decide() -> None:
    assert h * upper > 0
    assert not share * upper < 0
    assert share * upper < upper


def test_each_share_is_a_number_of_its_own() -> None:
    one, other = parameters({"p": H, "q": L}, frozenset({"h", "L"})).values()
    with pytest.raises(Undetermined):
        assert one >= other
    assert one * other <= 1


def test_one_positive_factor_decides_no_sign() -> None:
    any_sign, positive = parameters({"a": sympy.Symbol("a", real=True), "h": H}).values()
    with pytest.raises(Undetermined):
        assert any_sign * positive > 0


@pytest.mark.parametrize("compared", [lambda: h > upper, lambda: h >= 1, lambda: upper < 2 * h])
def test_what_signs_leave_open_has_no_answer(compared: object) -> None:
    with pytest.raises(Undetermined):
        compared()  # type: ignore[operator]


def test_conditions_of_a_class_are_those_at_numbers() -> None:
    numbers = {"h": Fraction(1, 3), "L": Fraction(2), "k": Fraction(1, 4)}

    def conditions(lower: object, top: object, step: object) -> list[Condition]:
        p = ClassProblem()
        f = p.function(SmoothStronglyConvex(lower, top))
        f.minimiser(origin=True)
        x = p.point("x")
        f(x - f.gradient(x) * step)
        return [c for c in p.conditions() if isinstance(c, Condition)]

    open_ones = conditions(share * upper, upper, h)
    plain = conditions(Fraction(1, 2), Fraction(2), Fraction(1, 3))
    assert len(open_ones) == len(plain) > 3
    for one, other in zip(open_ones, plain, strict=True):
        there = {
            key: q.at(numbers) if hasattr(q, "at") else rational(q)
            for key, q in one.expression.terms.items()
        }
        assert {k: q for k, q in there.items() if q} == dict(other.expression.terms)
