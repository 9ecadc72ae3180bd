"""Logarithms and smallest sizes: proved where the facts about them suffice, and only where true."""

from __future__ import annotations

import pytest
import sympy

from verify.catalogue.library import library
from verify.certify.checker import accepts
from verify.certify.prover.prove import Hypothesis
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.line.written import one_line
from verify.reading.parts.claim import Claim
from verify.reading.parts.log_parts import with_logarithms

TRUE = (
    "log(x) <= x - 1 for x > 0",
    "log(x + 1) >= x/(1 + x) for x >= 0",
    "log(x) - log(y) <= x/y - 1 for x > 0, y > 0",
    "log(x) <= log(x + 1) for x > 0",
    "log(x**2) <= 2*x - 2 for x > 0",
    "x*log(x) + (1 - x)*log(1 - x) + log(2) >= 0 for x in (0, 1)",
    "log(x) + 1 <= y + x*exp(-y) for x > 0, y >= 0",
    "log(3)*x >= x/2 for x >= 0",
)
FALSE = (
    "log(x) <= x - 11/10 for x > 0",
    "log(x + 1) >= x/(1 + x/3) for x >= 0",
    "log(x) - log(y) <= x*y - 1 for x > 0, y > 0",
    "log(x + 1) <= log(x) for x > 0",
    "log(x**2) <= 2*x - 5/2 for x > 0",
    "x*log(x) + (1 - x)*log(1 - x) + log(2) >= 1/100 for x in (0, 1)",
    "log(x) + 1 <= y + x*exp(-2*y) for x > 0, y >= 0",
    "log(2)*x >= x for x >= 0",
)
LIBRARY = (
    "adaptive.theorem2/min",
    "allforall.fano.repaired",
    "allforall.proof.fanochain.repaired",
    "allforall.eq.MI.repaired/samples",
    "allforall.construction.convex@vector",
)

x = sympy.Symbol("x", real=True)
a = sympy.Symbol("a", positive=True)


def proofs(statement: Statement) -> list[dict[str, object]]:
    return [e.proof for e in prove(statement) if e.status == "decided" and e.proof]


@pytest.mark.parametrize("line", TRUE)
def test_what_follows_is_proved(line: str) -> None:
    (proof,) = proofs(one_line(line))
    assert all(accepts(one["written"]) for one in proof["certificates"])  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", FALSE)
def test_what_is_false_is_not(line: str) -> None:
    assert not proofs(one_line(line))


@pytest.mark.parametrize("line", TRUE[:4])
def test_no_proof_is_one_of_another_claim(line: str) -> None:
    (proof,) = proofs(one_line(line))
    assert recheck(one_line(line), proof, whole=True)
    assert not recheck(one_line(FALSE[TRUE.index(line)]), proof, whole=True)


@pytest.mark.parametrize("key", LIBRARY)
@pytest.mark.every(3)
def test_claims_of_the_library(key: str) -> None:
    (proof,) = proofs(library().leaf(key))
    assert recheck(library().leaf(key), proof, whole=True)


def test_sizes_begin_at_the_smallest_that_is_listed() -> None:
    (proof,) = proofs(library().leaf("allforall.construction.convex@vector"))
    (one,) = proof["certificates"]  # type: ignore[misc]
    assert one["shape"] == {"d": "any from 2"}


@pytest.mark.parametrize(
    "argument", [x, x - 1, a - 1, 1 - a, x**2, sympy.Symbol("b", nonnegative=True), x**2 + a - 1]
)
def test_logarithms_of_what_may_not_be_positive_stay(argument: sympy.Expr) -> None:
    claim = Claim(sympy.log(argument), a, "<=", [])
    for split in (False, True):
        meanings: dict[str, str] = {}
        assert with_logarithms(claim, meanings, split) == claim
        assert not meanings


@pytest.mark.parametrize(
    ("given", "strict", "read"),
    [(1 - a, True, True), (1 - a, False, False), (2 - a, True, False), (1 - 2 * a, False, True)],
)
def test_hypotheses_say_what_is_positive(given: sympy.Expr, strict: bool, read: bool) -> None:
    claim = Claim(sympy.log(1 - a), a, "<=", [Hypothesis("below", given, strict)])
    meanings: dict[str, str] = {}
    with_logarithms(claim, meanings, split=False)
    assert bool(meanings) == read


def test_facts_are_true_of_numbers() -> None:
    """Each of them, at positive numbers, with logarithms and exponentials put back."""
    b, e = sympy.Symbol("b", positive=True), sympy.Symbol("e", real=True)
    sides = sympy.log(a) + sympy.log(b) + sympy.log(3) + sympy.exp(e)
    meanings: dict[str, str] = {}
    found = with_logarithms(Claim(sides, a, "<=", []), meanings, split=False)
    assert len(meanings) == 4
    for one in ((1, 1, 0), (2, 5, 1), (5, 2, -1), (sympy.Rational(1, 9), 3, 2), (3, 4, -3)):
        values = dict(zip((a, b, e), one, strict=True))
        back = {
            s: sympy.sympify(meanings[str(s)], {"a": a, "b": b, "e": e}).subs(values)
            for h in found.hypotheses
            for s in h.expr.free_symbols
            if str(s) in meanings
        }
        for h in found.hypotheses:
            assert h.expr.subs(values).subs(back).evalf() >= -1e-12, h.name
