"""Sums of squares prove what short products do not, nothing false, and only if asked to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import clarabel
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trusted.certify.algebra.test_exact_squares import LIES, REAL
from verify.certify.algebra.facts import Fact, multiply
from verify.certify.checker import accepts
from verify.certify.prover import prove as proving
from verify.certify.prover import sums_of_squares
from verify.certify.prover.kept import Answers
from verify.certify.prover.prove import Hypothesis, certify, certify_written, verify_certificate
from verify.certify.prover.reduced_claim import _split
from verify.certify.prover.square_stages import Stage, System
from verify.ladder.rungs import certificate
from verify.ladder.rungs.certificate import SQUARES, prove
from verify.limits.counter import OutOfEffort, metered
from verify.line import one_line

x, y, z, w = sympy.symbols("x y z w", real=True)
a, b, c = sympy.symbols("a b c", positive=True)
t = sympy.Symbol("t", nonnegative=True)
UNIT = Hypothesis("t <= 1", 1 - t)
FORM = x**4 * y**2 + y**4 * z**2 + z**4 * x**2
s = sympy.Symbol("s", nonnegative=True)
REST = Hypothesis("s + t <= 1", 1 - s - t)
Claim = tuple[Any, Any, str, tuple[Hypothesis, ...]]

TRUE: dict[str, Claim] = {
    "one square": (4 * x * y * z, x**4 + y**4 + z**4 + 1, "<=", ()),
    "squares times symbols": (a * b * c * (a + b + c), a**3 * b + b**3 * c + c**3 * a, "<=", ()),
    "squares times facts": (s * t * (1 - s - t), Fraction(1, 27), "<=", (REST,)),
    "coefficients of Bernstein": (t**12, t, "<=", (UNIT,)),
    "an interval moved": ((t * (1 - t)) ** 8, Fraction(1, 2**16), "<=", (UNIT,)),
    "a multiplier of the claim": (3 * x**2 * y**2, x**4 * y**2 + x**2 * y**4 + 1, "<=", ()),
    "the supposition squared": (3 * x**2 * y**2 * z**2, FORM, "<=", ()),
    "strictly": (4 * x * y * z, x**4 + y**4 + z**4 + Fraction(1001, 1000), "<", ()),
    "strictly on an interval": (t**12, t + Fraction(1, 100), "<", (UNIT,)),
    "a multiplier that is a parameter": (
        4 * a * (x - y),
        (z - w) ** 2,
        "<=",
        (Hypothesis("step", y - x - b * (w - z + a * b)),),
    ),
}
SLIGHTLY = Fraction(1, 10**6)


def short(claim: Claim) -> Any:
    """What is found without sums of squares."""
    left, right, relation, given = claim
    return certify(left, right, relation, given)


@pytest.mark.parametrize("name", TRUE)
def test_a_claim_is_proved(name: str) -> None:
    left, right, relation, given = TRUE[name]
    assert short(TRUE[name]) is None
    found = certify_written(left, right, relation, given, squares=True)
    assert found is not None
    proof, document = found
    assert verify_certificate(proof, left, right, relation, given)
    assert accepts(document)


@pytest.mark.parametrize("name", TRUE)
def test_a_little_less_is_not(name: str) -> None:
    left, right, relation, given = TRUE[name]
    allowed = {"strictly": Fraction(1, 1000), "strictly on an interval": Fraction(1, 100)}
    less = right - allowed.get(name, 0) - (SLIGHTLY if name not in allowed else 0)
    assert certify(left, less, relation, given, squares=True) is None


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.every(3)
def test_a_solver_that_lies_proves_nothing_false(lie: str, monkeypatch: Any) -> None:
    class Lying:
        def __init__(self, *programme: Any) -> None:
            self._programme = programme

        def solve(self) -> Any:
            return type("Answer", (), {"x": LIES[lie](REAL(*self._programme).solve().x)})

    monkeypatch.setattr(clarabel, "DefaultSolver", Lying)
    monkeypatch.setattr(proving, "_ANSWERS", Answers())
    for left, right, relation, facts in TRUE.values():
        if relation == "<=":
            assert certify(left, right - SLIGHTLY, relation, facts, squares=True) is None


def test_what_short_products_prove_is_proved_by_them() -> None:
    left, right = 2 * x * y, x**2 + y**2
    assert certify(left, right, "<=", squares=True) == certify(left, right, "<=")


def test_a_system_with_a_point_is_not_put_to_a_solver(monkeypatch: Any) -> None:
    monkeypatch.setattr(clarabel, "DefaultSolver", None)
    false = (4 * x * y * z, x**4 + y**4 + z**4 + Fraction(1, 2), "<=", ())
    assert certify(*false, squares=True) is None


def test_the_effort_is_bounded() -> None:
    left, right, relation, given = TRUE["the supposition squared"]
    with metered() as meter:
        assert certify(left, right, relation, given, 1, squares=True) is not None
    enough = meter.spent
    proving._ANSWERS._kept.clear()
    with pytest.raises(OutOfEffort), metered(enough // 2):
        certify(left, right, relation, given, 1, squares=True)


def test_what_a_leaf_may_spend_is_not_spent_on_squares(monkeypatch: Any) -> None:
    """They have an effort of their own, after all else: what was proved before still is."""
    statement = one_line("x**4 + y**4 + z**4 + 1 >= 4*x*y*z for real x, y, z")
    spent = []
    for effort in (0, SQUARES):
        monkeypatch.setattr(certificate, "SQUARES", effort)
        proving._ANSWERS._kept.clear()
        with metered() as meter:
            assert [e.status for e in prove(statement)] == ["decided"] * bool(effort)
        spent.append(meter.spent)
    assert spent[0] == spent[1] > 0


@pytest.mark.parametrize("limit", ["VARIABLES", "FACTS", "DEGREE"])
def test_large_systems_are_left_alone(limit: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(sums_of_squares, limit, 0)
    proving._ANSWERS._kept.clear()
    assert certify(*TRUE["one square"], squares=True) is None
    proving._ANSWERS._kept.clear()


def test_stages_have_one_positive_product_at_least() -> None:
    claim = Fact.of("not the claim", {(2,): Fraction(1), (0,): Fraction(-1)}, True, "negation")
    sign = Fact.of("x > 0", {(1,): Fraction(1)}, True, "symbol")
    for strict in (True, False):
        system = System([Fact.of("", claim.polynomial, strict, "negation"), sign], [True])
        for stage in (Stage(2), Stage(4, claim=True), Stage(4, claim=True, twice=True)):
            for block in system.blocks(stage):
                if block.counted:
                    assert strict == (0 in block.factors)


def test_a_factor_that_stands_four_times_is_one_fact() -> None:
    """It is multiplied by itself; named twice, the proof was refused by the checker."""
    left, right = (x**3 - y**3) ** 2, Fraction(9, 4) * (x - y) ** 2 * (x**2 + y**2) ** 2
    found = certify(left, right, "<=")
    assert found is not None
    assert verify_certificate(found, left, right, "<=", ())
    assert max(names.count("(x - y)**2") for _, names in found.products) == 2


@settings(max_examples=30)
@given(
    st.lists(
        st.dictionaries(
            st.tuples(st.integers(0, 2), st.integers(0, 2)),
            st.fractions(-3, 3, max_denominator=3).filter(bool),
            min_size=1,
            max_size=3,
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(1, 3),
)
def test_factors_that_are_left_out_make_the_whole(parts: Any, power: int) -> None:
    """Of a product with repeated factors: the rest, the squares and the signs multiply to it."""
    whole = {(1, 0): Fraction(-2)}
    for part in parts:
        for _ in range(power):
            whole = multiply(whole, part)
    split = _split(whole, ["p", "q"], [True, True], {0: 1})
    assert split is not None  # p itself is a factor
    made, roots, signs = split
    for root in roots:
        made = multiply(made, multiply(root, root))
    for _ in signs:
        made = multiply(made, {(1, 0): Fraction(1)})
    assert made == whole
