"""Terms of sums weighed against a hypothesis about sums: Markov's inequality, and no more."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import assume, claim, numbers, scaled
from verify.catalogue.library import library
from verify.certify.checker import accepts
from verify.claim import Real, Statement
from verify.ladder.rungs.certificate import prove, recheck

LAW = numbers(
    {"n": 2},
    {"n": 3},
    mass=Real(0, 1, per=("n",), domain=(0, 1)),
    value=Real(0, 8, per=("n",), domain=(0, 8)),
)


def markov(share: Fraction, least: int = 4, mean: Fraction = Fraction(1)) -> Statement:
    """Values of a mean at most 1 are at least 4 with a chance of at most 1/4."""

    def sides(w: Any) -> Any:
        far = xp.indicator(w.value >= least, w.value)
        return {"chance": xp.total(w.mass * far)}, {"share": share + 0 * w.mass[..., 0]}

    def margin(w: Any) -> Any:
        return mean - xp.total(w.mass * w.value)

    return claim(sides, LAW, given=assume({"mean": margin}))


def proofs(statement: Statement) -> list[Any]:
    return [e.proof for e in prove(statement) if e.status == "decided" and e.proof]


@pytest.mark.parametrize(
    "statement", [markov(Fraction(1, 4)), markov(Fraction(1, 2), mean=Fraction(2))]
)
def test_markov(statement: Statement) -> None:
    (proof,) = proofs(statement)
    assert recheck(statement, proof, whole=True)
    assert all(accepts(one["written"]) for one in proof["certificates"])
    assert not recheck(markov(Fraction(1, 5)), proof)


@pytest.mark.parametrize(
    "statement",
    [
        markov(Fraction(24, 100)),
        markov(Fraction(1, 4), least=3),
        markov(Fraction(1, 4), mean=Fraction(101, 100)),
        markov(Fraction(-1, 4)),
    ],
    ids=["share", "least", "mean", "below zero"],
)
def test_a_little_more_is_not_proved(statement: Statement) -> None:
    assert not proofs(statement)


@pytest.mark.parametrize("key", ["allforall.lemma2", "allforall.proof.fanochain/first"])
def test_claims_of_the_library(key: str) -> None:
    (proof,) = proofs(library().leaf(key))
    assert recheck(library().leaf(key), proof, whole=True)
    assert not recheck(scaled(library().leaf(key), Fraction(9, 10)), proof)
