"""Claims whose program is made for a few dimensions: all of them, or none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import changed, scaled
from verify.catalogue.library import library
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.line.written import one_line
from verify.reading.clients import sizes
from verify.reading.clients.sizes import all_listed

JUST_BELOW = Fraction(999, 1000)

TIGHT = {
    "allforall.ineq.B1fromB2": 1,
    "allforall.ineq.gradsplit/pl": 1,
    "allforall.ineq.gradsplit/smooth": 1,
    "allforall.proof.lemma4_descent/smooth": 1,
    "allforall.proof.lemma4_descent/norm": 1,
    "allforall.proof.lemma4_pl/first": 1,
    "allforall.proof.lemma4_pl.repaired/second": 1,
}
"""Claims, each with a factor of the right side below which it is false."""


@pytest.fixture(scope="module")
def leaves() -> dict[str, Statement]:
    return {leaf.key: leaf for entry in library() for leaf in entry.leaves}


def proved(statement: Statement) -> bool:
    return any(e.status == "decided" for e in prove(statement))


@pytest.mark.parametrize("key", TIGHT)
@pytest.mark.every(2)
def test_a_claim_in_all_its_dimensions_is_proved_and_its_false_twin_is_not(
    key: str, leaves: dict[str, Statement]
) -> None:
    claim = leaves[key]
    assert all_listed(claim)
    found = list(prove(claim))
    assert [e.status for e in found] == ["decided"]
    assert found[0].proof is not None
    stored = found[0].proof["certificates"]
    assert {item["shape"]["d"] for item in stored} == {1, 2}
    assert recheck(claim, {"certificates": stored})
    twin = scaled(claim, TIGHT[key] * JUST_BELOW)
    assert not proved(twin)
    assert not recheck(twin, {"certificates": stored})
    assert not recheck(claim, {"certificates": [i for i in stored if i["shape"]["d"] == 2]})


def test_what_is_false_in_the_second_dimension_alone_is_not_proved(
    leaves: dict[str, Statement],
) -> None:
    flat = changed(
        leaves["allforall.proof.lemma4_pl/first"],
        lambda w, left, right: ({n: v * (2 if w.d == 2 else 1) for n, v in left.items()}, right),
    )
    assert all_listed(flat)
    assert not proved(flat)


def test_a_dimension_that_is_not_listed_and_not_refused_leaves_the_list_open(
    leaves: dict[str, Statement],
) -> None:
    claim = leaves["allforall.proof.lemma4_pl/first"]
    fewer = replace(
        claim,
        family=replace(claim.family, shapes=tuple(s for s in claim.family.shapes if s["d"] == 1)),
    )
    assert not all_listed(fewer)

    def any_dimension(w: Any) -> Any:
        return {"x": np.sum(w.point**2, axis=-1)}, {"2 x": 2 * np.sum(w.point**2, axis=-1)}

    assert not all_listed(replace(claim, sides=any_dimension, deduction=None))


def test_a_shape_that_says_more_than_sizes_leaves_the_list_open(
    leaves: dict[str, Statement],
) -> None:
    claim = leaves["allforall.proof.lemma4_pl/first"]
    named = replace(
        claim,
        family=replace(
            claim.family, shapes=tuple({**s, "rule": "plain"} for s in claim.family.shapes)
        ),
    )
    assert not all_listed(named)


def test_many_coordinates_are_not_written_out(
    leaves: dict[str, Statement], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "MOST", 1)
    assert not all_listed(leaves["allforall.proof.lemma4_pl/first"])


def test_a_proof_for_the_listed_sizes_alone_is_none_of_the_claim(
    leaves: dict[str, Statement],
) -> None:
    """Evidence that decides needs more, whatever a ledger or a corpus calls it."""
    claim = leaves["hcct.claim.bell"]
    (found,) = prove(claim)
    assert found.status == "reported"
    assert found.proof is not None
    assert recheck(claim, found.proof)
    assert not recheck(claim, found.proof, whole=True)


def test_a_proof_that_hypotheses_contradict_each_other_is_none_of_the_claim() -> None:
    claim = one_line("x <= 3 given x <= 1, x >= 2")
    found = next(e for e in prove(claim, met=False) if e.proof is not None)
    assert found.status == "reported"
    assert found.proof is not None
    assert recheck(claim, found.proof)
    assert not recheck(claim, found.proof, whole=True)
