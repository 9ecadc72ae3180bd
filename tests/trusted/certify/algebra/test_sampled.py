"""Points and quotients of polynomials that answer lemmas, and answers that are kept."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy

from verify.certify.algebra.formal_sums import CLIENT, CLIENTS
from verify.certify.algebra.quotients import cancelled
from verify.certify.algebra.ratios import NotRational, Ratios, terms_of
from verify.certify.algebra.solvers import complain, complaints
from verify.certify.prover import prove
from verify.certify.prover.deduction import Deduction
from verify.certify.prover.kept import Answers
from verify.certify.prover.prove import Hypothesis, certify, searched
from verify.certify.prover.sampled import Sampled
from verify.limits.counter import OutOfEffort, metered

a, b = sympy.symbols("a b", positive=True)
x = sympy.Symbol("x", real=True)
POINTS = Sampled({a: np.array([1.0, 2.0, 3.0]), b: np.array([1.0, 1.0, 1.0])})


# -- points ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "relation", "broken"),
    [
        (a, b, "<=", True),
        (b, a, "<=", False),
        (b, a, "<", True),
        (a * b, a, "==", False),
        (a, b, "==", True),
        (a**2 / b, 3 * a, "<=", False),
        (1 / a, b / 2, "<=", True),
        (x, a, "<=", False),
        (sympy.exp(a), 1, "<=", False),
    ],
)
def test_a_claim_breaks_at_points_where_it_is_false(
    left: sympy.Expr, right: sympy.Expr, relation: str, broken: bool
) -> None:
    assert POINTS.breaks(left, sympy.sympify(right), relation) == broken


def test_what_rounding_leaves_breaks_no_claim() -> None:
    third = Sampled({a: np.array([1 / 3])})
    assert not third.breaks(3 * a, sympy.Integer(1), "<=")
    near = Sampled({a: np.array([1.0 + 1e-9])})
    assert not near.breaks((a - 1) * 10**6, sympy.Integer(0), "<=")
    assert Sampled({a: np.array([1.01])}).breaks(a, sympy.Integer(1), "<=")


def test_points_at_which_a_new_fact_fails_are_dropped() -> None:
    assert POINTS.where(a - 2, False).size == 2
    assert POINTS.where(a - 2, True).size == 1
    assert POINTS.where(x - a, False).size == 0  # nothing is known of x
    assert not POINTS.where(a - 3, False).breaks(3 * b, a, "<=")


def test_no_points_say_nothing() -> None:
    assert not Sampled({}).breaks(sympy.Integer(1), sympy.Integer(0), "<=")
    assert not Sampled({a: np.empty(0)}).breaks(sympy.Integer(1), sympy.Integer(0), "<=")


def test_a_true_lemma_is_not_skipped_and_a_false_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    p = sympy.IndexedBase("p", positive=True)[CLIENT]
    one = sympy.Sum(p, (CLIENT, 1, CLIENTS)) - 1
    asked: list[str] = []
    true = Deduction.prove

    def heard(
        self: Deduction, left: sympy.Expr, right: sympy.Expr, *rest: object, **more: object
    ) -> object:
        asked.append(f"{left} <= {right}")
        return true(self, left, right, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Deduction, "prove", heard)
    total = sympy.Sum(p**3, (CLIENT, 1, CLIENTS)) + sympy.Sum(p**2, (CLIENT, 1, CLIENTS))
    given = [Hypothesis("one", one), Hypothesis("at most one", 1 - p)]
    monkeypatch.setattr(prove, "_ANSWERS", Answers())
    found = certify(total, 2 * sympy.Sum(p**2, (CLIENT, 1, CLIENTS)), "<=", given)
    assert found is not None
    assert "p[k]**3 <= p[k]**2" in asked
    assert "p[k]**2 <= p[k]**3" not in asked


# -- quotients -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "e",
    [
        a / b + b / a,
        (a**2 - b**2) / (a - b),
        1 / (1 + 1 / a),
        x**3 * sympy.Rational(2, 3) - b,
        (a + b) ** 4 / (a + b) ** 2 - x,
        (a - a) / b,
        -1 / (a * x) + 2 / (a * b),
    ],
)
def test_quotients_are_what_sympy_cancels(e: sympy.Expr) -> None:
    over, under = Ratios([a, b, x])(e)
    one, other = sympy.fraction(sympy.cancel(e))

    def polynomial(terms: dict[tuple[int, ...], Fraction]) -> sympy.Expr:
        return sympy.Add(
            *(sympy.Rational(c) * a ** m[0] * b ** m[1] * x ** m[2] for m, c in terms.items())
        )

    top, bottom = polynomial(terms_of(over)), polynomial(terms_of(under))
    assert sympy.expand(top * other - bottom * one) == 0
    assert (
        sympy.Poly(bottom, a, b, x).total_degree() == sympy.Poly(other, a, b, x).total_degree()
    )  # nothing is left to cancel


@pytest.mark.parametrize(
    "e",
    [
        a / 2 / b + sympy.Rational(1, 3) / b,
        x / (a - b) - b / (a - b),
        (a**2 - x**2) / (a - x),
        sympy.Integer(0) * a,
        a - a,
        sympy.Rational(3, 4) * x + 1,
        -a / (2 - 2 * b),
        1 / (x / 6),
    ],
)
def test_cancelled_expressions_are_written_as_sympy_writes_them(e: sympy.Expr) -> None:
    found, one = cancelled(e), sympy.cancel(e)
    assert sympy.fraction(found) in (sympy.fraction(one), tuple(-p for p in sympy.fraction(one)))


def test_what_is_not_rational_is_left_to_sympy() -> None:
    assert cancelled(sympy.exp(a) * b / b) == sympy.exp(a)


def test_symbols_may_stand_for_expressions() -> None:
    over, under = Ratios([a], {b: a**2})(b / a)
    assert terms_of(over) == {(1,): 1}
    assert under.is_constant()


@pytest.mark.parametrize("e", [sympy.exp(a), sympy.sqrt(a), x, (a + b) ** 80 * (a - b) ** 80])
def test_what_is_no_short_quotient_is_refused(e: sympy.Expr) -> None:
    with pytest.raises(NotRational):
        Ratios([a, b], most=50)(e)


# -- answers that are kept -------------------------------------------------------------------------


def test_an_answer_costs_once_in_a_count_and_the_same_in_every_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prove, "_ANSWERS", Answers())
    claim = 2 * a * b, a**2 + b**2, "<="
    with metered() as first:
        found = searched(*claim)
        alone = first.spent
        assert searched(*claim) is found
    with metered() as second:
        assert searched(*claim) is found
    assert found is not None
    assert first.spent == alone == second.spent > 0
    with pytest.raises(OutOfEffort), metered(alone - 1):
        searched(*claim)


def test_another_claim_is_asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "_ANSWERS", Answers())
    assert searched(2 * a * b, a**2 + b**2, "<=") is not None
    assert searched(2 * a * b + 1, a**2 + b**2, "<=") is None
    assert searched(a, b, "<=") is None
    assert searched(a, b, "<=", [Hypothesis("known", b - a)]) is not None


def test_no_proof_with_short_products_is_no_answer_for_longer_ones() -> None:
    answers: Answers[int] = Answers()
    assert answers.of("claim", 1, lambda: None) is None
    assert answers.of("claim", 2, lambda: 7) == 7
    assert answers.of("claim", 3, lambda: 8) == 7  # shorter products are tried first
    assert answers.of("claim", 1, lambda: None) is None


def test_a_solver_that_fails_is_told_of_again() -> None:
    answers: Answers[int] = Answers()
    for _ in range(2):
        with complaints() as said:
            answers.of("claim", 1, lambda: complain("no memory"))
        assert said == ["no memory"]
