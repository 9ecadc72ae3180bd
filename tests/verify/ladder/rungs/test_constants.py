"""A claim up to a constant stands with a number as its constant, and with no size in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bounds.numbers.symbolic import NotReadable
from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.ladder.rungs.certificate import prove, recheck
from verify.ladder.rungs.constants import CONSTANT, _named
from verify.line import one_line
from verify.reading.parts.claim import Claim, Claims, ReadClaim

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


@pytest.mark.parametrize(
    ("label", "vectors", "good"),
    [
        ({"N": 3}, (), False),
        ({}, (), False),
        ({"N": "any"}, (), False),  # in which dimension?
        ({"N": "any", "d": 2}, ("x",), False),
        ({"N": "any", "d": "any"}, (), True),
        ({"N": "any"}, ("x",), True),  # one coordinate stands for all
    ],
)
def test_a_listed_size_may_be_the_constant(
    label: dict[str, Any], vectors: tuple[str, ...], good: bool
) -> None:
    claims = Claims([ReadClaim(label, Claim(0, 0, "<=", ()), vectors)])
    if good:
        assert [one.label for one in _named(claims, 2, {"N", "d"})] == [{**label, CONSTANT: 2}]
    else:
        with pytest.raises(NotReadable, match="may depend on"):
            list(_named(claims, 2, {"N", "d"}))


def test_a_proof_is_one_of_its_claim_alone() -> None:
    statement = order("3*x*y <= x**2 + y**2")
    proof = next(item.proof for item in prove(statement) if item.proof)
    assert recheck(statement, proof)
    assert not recheck(order("3*x*y <= x**2 + 2*y**2"), proof)
    assert not recheck(one_line("3*x*y <= x**2 + y**2"), proof)
    assert not recheck(one_line("3*x*y <= 2*(x**2 + y**2)"), proof)
