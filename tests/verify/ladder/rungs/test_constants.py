"""A claim up to a constant stands with a number as its constant, and with no size in its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.ladder.rungs.certificate import prove, recheck
from verify.line import one_line

STAND = {
    "x*y <= x**2 + y**2": 1,
    "10*x <= x**2 + 1 for x >= 0": 16,
    "3*x*y <= x**2 + y**2": 2,
    "(sum_i x[i])**2 <= N*sum_i x[i]**2": 1,
}
FALL = (
    "x**3 <= x**2 + 1 for x >= 0",
    "(sum_i x[i])**2 <= sum_i x[i]**2",
    "norm1(x) <= norm(x) for vectors x",
    "x <= x**2 for x > 0",
)


def order(line: str) -> Statement:
    return replace(one_line(line), relation="<~")


@pytest.mark.parametrize("line", STAND)
def test_the_first_number_that_is_proved_is_named(line: str) -> None:
    leaf = assay(order(line), profile=PROFILES["quick"])
    assert leaf.verdict == "proved"
    assert f"with the constant {STAND[line]}," in leaf.reason


@pytest.mark.parametrize("line", FALL)
def test_what_no_constant_helps_is_not_proved(line: str) -> None:
    assert [item for item in prove(order(line)) if item.status == "decided"] == []


def test_a_number_of_entries_is_no_constant() -> None:
    made = one_line("(sum_i x[i])**2 <= 3*sum_i x[i]**2")
    three = replace(made, family=replace(made.family, shapes=({"N": 3},)))
    assert [item for item in prove(three) if item.proof]  # control: true of three numbers
    assert not [item for item in prove(replace(three, relation="<~")) if item.proof]


def test_a_proof_is_one_of_its_claim_alone() -> None:
    statement = order("3*x*y <= x**2 + y**2")
    proof = next(item.proof for item in prove(statement) if item.proof)
    assert recheck(statement, proof)
    assert not recheck(order("3*x*y <= x**2 + 2*y**2"), proof)
    assert not recheck(one_line("3*x*y <= x**2 + y**2"), proof)
    assert not recheck(one_line("3*x*y <= 2*(x**2 + y**2)"), proof)
