"""Claims with any numbers in place of their parts: stronger, and proved only where true."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy

from bounds.numbers.symbolic import client_symbol
from tests.verify.cases import changed, scaled
from verify.catalogue.library import library
from verify.certify.checker import accepts
from verify.certify.prover.prove import Hypothesis
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.parts.free_parts import freed, squared

JUST_BELOW = Fraction(999, 1000)

TIGHT: dict[str, Any] = {
    "adaptive.theorem3.step/optimum": 1,
    "allforall.dH.loss2.repaired": 1,
    "allforall.ineq.B1convex": Fraction(1, 4),
    "allforall.ineq.afa2/moment": 1,
    "allforall.ineq.afa2/variance": 1,
    "allforall.ineq.gradsplit/triangle": 1,
    "allforall.ineq.gradsplit/bias": 1,
    "aggregation.strategy.fedsoftmax.explicit/weights": 1,
    "allforall.proof.lemma3/convex": 1,
}
"""Claims, each with a factor of the right side below which it is false."""

x, y, z = sympy.symbols("x y z", real=True)
a, b, T = sympy.symbols("a b T", positive=True)
K, N = client_symbol()
J = sympy.Symbol("j", integer=True, positive=True)
ROWS = sympy.IndexedBase("rows", positive=True)
PLACE = sympy.IndexedBase("place", real=True)


@pytest.fixture(scope="module")
def leaves() -> dict[str, Statement]:
    return {leaf.key: leaf for entry in library() for leaf in entry.leaves}


def proved(statement: Statement) -> bool:
    return any(e.status == "decided" for e in prove(statement))


@pytest.mark.parametrize("key", TIGHT)
@pytest.mark.every(6)
def test_a_claim_is_proved_and_its_false_twin_is_not(
    key: str, leaves: dict[str, Statement]
) -> None:
    claim, factor = leaves[key], TIGHT[key] * JUST_BELOW
    found = list(prove(claim))
    assert [e.status for e in found] == ["decided"]
    assert found[0].proof is not None
    stored = found[0].proof["certificates"]
    assert any(item["shape"].get("parts") for item in stored)
    assert all(accepts(item["written"]) for item in stored)
    assert recheck(claim, {"certificates": stored})

    twin = scaled(claim, factor)
    assert not proved(twin)
    assert not recheck(twin, {"certificates": stored})


def test_where_parts_of_one_hide_an_equality_positive_numbers_show_it(
    leaves: dict[str, Statement],
) -> None:
    claim = leaves["allforall.eq14/mean"]
    found = list(prove(claim))
    assert [e.status for e in found] == ["decided"]
    assert found[0].proof is not None
    stored = found[0].proof["certificates"]
    assert recheck(claim, {"certificates": stored})

    def sides(w: Any) -> Any:
        left, right = claim(w)
        return left, {
            name: value + (w.row[..., 0] if w.N > 1 else 0 * value) for name, value in right.items()
        }

    assert not proved(replace(claim, sides=sides, deduction=None))

    twin = scaled(claim, JUST_BELOW)
    assert not proved(twin)
    assert not recheck(twin, {"certificates": stored})


@pytest.mark.parametrize("key", ["allforall.dH.loss2.repaired"])
def test_without_its_hypothesis_a_claim_is_not_proved(
    key: str, leaves: dict[str, Statement]
) -> None:
    assert not proved(replace(leaves[key], given=()))


def test_what_a_part_stands_for_gives_the_claim_back() -> None:
    sides = ((x - y) ** 2 * a, (x - y) * z + (x - y - z) ** 2)
    claim, meanings = freed((*sides, "<=", [Hypothesis("h", x - y + a)]))
    assert set(meanings) == {"whole0"}
    whole = sympy.Symbol("whole0", real=True)
    for new, old in zip((*claim[:2], claim[3][0].expr), (*sides, x - y + a), strict=True):
        assert new.has(whole)
        assert sympy.expand(new.subs(whole, x - y) - old) == 0


def test_distances_from_a_client_give_the_claim_back() -> None:
    sides = (x**2, sympy.Sum(ROWS[K, K] * (x - PLACE[K]) ** 2 + PLACE[K], (K, 1, N)))
    claim, meanings = freed((*sides, "<=", []))
    assert meanings == {"away0": "x - place"}
    away = sympy.IndexedBase("away0", real=True)
    assert claim[0] == sides[0]
    assert claim[1].has(away)
    assert not claim[1].has(PLACE)
    back = claim[1].function.xreplace({away[K]: x - PLACE[K]})
    assert sympy.expand(back - sides[1].function) == 0


def test_a_sum_whose_sign_is_known_is_left_alone() -> None:
    claim = (a, (1 + a) * (1 - b) ** 2, "<=", [Hypothesis("h", 1 - b)])
    assert freed(claim) == (claim, {})


def test_a_lower_threshold_is_passed_more_often_and_not_less(leaves: dict[str, Statement]) -> None:
    claim = leaves["fedbc.corollary46.remark@thresholds"]

    found = list(prove(claim))
    assert [e.status for e in found] == ["decided"]
    assert found[0].proof is not None
    assert recheck(claim, found[0].proof)
    swapped = changed(claim, lambda _, left, right: (right, left))
    for twin in (swapped, scaled(claim, JUST_BELOW)):
        assert not proved(twin)


def test_exponentials_are_in_the_order_of_their_exponents_and_no_other() -> None:
    given = [Hypothesis("h", x - y)]
    claim, meanings = freed((sympy.exp(y / a), sympy.exp(x / a) + sympy.exp(-z), "<=", given))
    named = {text: sympy.Symbol(name, positive=True) for name, text in meanings.items()}
    assert set(named) == {"exp(x/a)", "exp(y/a)", "exp(z)"}
    facts = [h.expr for h in claim[3][1:]]
    assert facts == [named["exp(x/a)"] - named["exp(y/a)"]]
    assert claim[1] == named["exp(x/a)"] + 1 / named["exp(z)"]


def test_names_that_are_taken_are_not_given_again() -> None:
    taken = sympy.Symbol("whole0", real=True)
    claim, meanings = freed((0, (x - y) ** 2 + taken**2, "<=", []))
    assert set(meanings) == {"whole1"}
    assert claim[1].has(taken)


def test_roots_become_numbers_and_the_claim_stays_the_same() -> None:
    mean = 2 * sympy.sqrt(2) * sympy.sqrt(a) * sympy.sqrt(b)
    claim, meanings = freed((mean, a + 2 * b, "<=", []))
    roots = sorted(claim[1].free_symbols, key=str)
    assert [str(s) for s in roots] == sorted(meanings)
    back = dict(zip(roots, (sympy.sqrt(a / 2), sympy.sqrt(b)), strict=True))
    assert sympy.simplify(claim[0].subs(back) - mean) == 0
    assert sympy.simplify(claim[1].subs(back) - a - 2 * b) == 0
    assert squared(claim)


def test_a_root_that_would_stay_leaves_the_claim_alone() -> None:
    claim = (sympy.sqrt(2) * a, sympy.sqrt(b) + a, "<=", [])
    assert freed(claim) == (claim, {})


def row(body: Any) -> Any:
    return sympy.Sum(body, (J, 1, N))


def test_of_the_sums_of_a_row_only_what_cauchy_says_is_known() -> None:
    weight, first, second = ROWS[K, J], ROWS[K, J] * PLACE[J], ROWS[K, J] * PLACE[J] ** 2
    body = row(first) / row(weight) + row(second)
    claim, meanings = freed((0, sympy.Sum(body, (K, 1, N)), "<=", []))
    assert len(meanings) == 3
    (fact,) = claim[3]
    values = {"rows": {1: Fraction(1, 3), 2: Fraction(5, 2)}, "place": {1: -2, 2: 7}}

    def number(text: str) -> Any:
        e = sympy.sympify(text, locals={"rows": ROWS, "place": PLACE, "k": K, "N": N, "j": J})
        terms = [
            e.function.xreplace(
                {
                    ROWS[K, J]: sympy.Rational(str(values["rows"][i])),
                    PLACE[J]: sympy.Integer(values["place"][i]),
                }
            )
            for i in (1, 2)
        ]
        return sum(terms)

    at = {i: number(meanings[str(i.base)]) for i in fact.expr.atoms(sympy.Indexed)}
    assert len(at) == 3
    assert fact.expr.xreplace(at) > 0


def test_sums_that_are_no_square_of_each_other_have_no_fact() -> None:
    body = row(ROWS[K, J] * PLACE[J]) + row(ROWS[K, J] * PLACE[J] ** 3) + row(ROWS[K, J] ** 2)
    claim, meanings = freed((0, sympy.Sum(body, (K, 1, N)), "<=", []))
    assert len(meanings) == 3
    assert not claim[3]


def test_a_sum_that_names_two_clients_is_left_alone() -> None:
    other = sympy.Symbol("l", integer=True, positive=True)
    body = row(ROWS[K, J] * ROWS[other, J])
    for claim in (
        sympy.Sum(sympy.Sum(body, (other, 1, N)), (K, 1, N)),
        sympy.Sum(body, (other, 1, N)),
    ):
        assert freed((0, claim, "<=", [])) == ((0, claim, "<=", []), {})
