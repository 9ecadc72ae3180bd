"""Claims with two sides: proved, exceeded, or open; and formulas in symbols as problems."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from tests.each import each
from verify.worst_case import (
    ClassProblem,
    Convex,
    Smooth,
    SmoothConvex,
    SmoothLojasiewicz,
    SmoothStronglyConvex,
    objection,
)
from verify.worst_case.decision import Decided, compared
from verify.worst_case.points import Expression, rational
from verify.worst_case.symbols import NotQuadratic, SymbolSet

F = Fraction


def descent_lemma(share: Fraction) -> tuple[ClassProblem, Expression, Expression]:
    p = ClassProblem()
    f = p.function(Smooth(1))
    x = p.point("x")
    return p, f(x - f.gradient(x)), f(x) - f.gradient(x) ** 2 * share


def contraction(factor: Fraction) -> tuple[ClassProblem, Expression, Expression]:
    p = ClassProblem()
    f = p.function(SmoothStronglyConvex(F(1, 4), 1))
    best, x = f.minimiser(), p.point("x")
    after = x - f.gradient(x)
    return p, (after - best) ** 2, (x - best) ** 2 * factor


def tangent(share: Fraction) -> tuple[ClassProblem, Expression, Expression]:
    p = ClassProblem()
    f = p.function(Convex())
    x, y = p.point("x"), p.point("y")
    return p, f(x) + f.gradient(x) @ (y - x), f(y) + (y - x) ** 2 * share


TRUE = {
    "descent lemma": descent_lemma(F(1, 2)),
    "contraction": contraction(F(9, 16)),
    "tangent": tangent(F(0)),
}
FALSE = {
    "descent lemma": descent_lemma(F(51, 100)),
    "contraction": contraction(F(14, 25)),
    "tangent": tangent(F(-1, 100)),
}


@each("name", TRUE)
def test_what_is_true_is_proved_and_the_certificate_is_about_it(name: str) -> None:
    p, left, right = TRUE[name]
    made = compared(p, left, right)
    assert made.word is Decided.ALWAYS
    assert made.found is not None
    assert made.found.certificate is not None
    p.maximise(left - right)
    assert objection(p, made.found.certificate) == ""
    p.measures.clear()


@each("name", FALSE)
def test_what_is_false_by_a_little_falls_with_an_instance(name: str) -> None:
    made = compared(*FALSE[name])
    assert made.word is Decided.EXCEEDED
    assert made.found is not None
    assert made.found.instance is not None
    assert made.found.instance.written_out
    assert made.found.instance.value > 0


def test_what_is_shown_of_small_data_alone_is_no_proof() -> None:
    p = ClassProblem()
    x = p.point("x")
    made = compared(p, x**2, Expression({(): rational(2)}))  # false, though true where |x| <= 1
    assert made.scaled
    assert made.word is Decided.OPEN


def test_a_problem_is_left_as_it_is() -> None:
    p, left, right = FALSE["contraction"]
    before = len(p.assumed)
    compared(p, left, right)
    assert (p.measures, len(p.assumed)) == ([], before)


def test_necessary_conditions_prove_and_never_accuse() -> None:
    for factor, word in ((F(1), Decided.ALWAYS), (F(1, 10), Decided.OPEN)):
        p = ClassProblem()
        f = p.function(SmoothLojasiewicz(1, F(1, 5)))
        best, x = f.minimiser(), p.point("x")
        gap = f(x) - f(best)
        assert compared(p, f(x - f.gradient(x)) - f(best), gap * factor).word is word


def test_formulas_in_symbols_become_the_same_problem() -> None:
    x, g, h, f, e, L, eta = sympy.symbols("x g h f e L eta")
    p = ClassProblem()
    known = SymbolSet.fresh(p, vectors=(x, g, h), numbers=(f, e), parameters={L: 2, eta: F(1, 2)})
    loss = p.function(SmoothConvex(2))
    for at, slope, value in ((x, g, f), (x - eta * g, h, e), (0, 0, 0)):
        met = loss.add(known.point(at), known.point(slope))
        p.assume_equal(met.f, known.expression(value))
    right = known.expression(L * x**2 / 6)
    assert compared(p, known.expression(e), right).word is Decided.ALWAYS
    assert compared(p, known.expression(e), right * F(99, 100)).word is Decided.EXCEEDED


@each("power", [1, 3, 4])
def test_a_formula_of_another_degree_is_refused(power: int) -> None:
    x = sympy.Symbol("x")
    known = SymbolSet.fresh(ClassProblem(), vectors=(x,))
    with pytest.raises(NotQuadratic):
        known.expression(x**power)


def test_a_formula_that_is_no_polynomial_is_refused() -> None:
    x, a = sympy.symbols("x a")
    known = SymbolSet.fresh(ClassProblem(), vectors=(x,))
    for formula in (sympy.sqrt(x), a * x**2, 1 / x, sympy.sqrt(2) * x**2):
        with pytest.raises(NotQuadratic):
            known.expression(formula)
    with pytest.raises(NotQuadratic):
        known.point(x + 1)
