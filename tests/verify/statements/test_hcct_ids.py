"""Every identifier of the grouping paper's sheet is in the library, and nothing dangles."""

from __future__ import annotations

import pytest

from verify.catalogue.library import library
from verify.catalogue.paper import paper
from verify.statements import hcct
from verify.statements.hcct.training import epochs

SHEET = [f"hcct.{name}" for name in hcct.SHEET.split()]
STATEMENTS = paper(hcct)

_FELL = "theorem1 thm1.chain eq35 claim.kmeans theorem2 corollary1 eq39 eq40 eq41"
FELL = _FELL.split()
"""Printed entries with a part or reading that falls, but for numbers in tables."""


@pytest.mark.parametrize("name", SHEET)
def test_the_library_has_the_identifier(name: str) -> None:
    entry = library().entry(name)
    assert entry.form == "printed"
    assert all(leaf.latex and leaf.source.where for leaf in entry.leaves)


@pytest.mark.parametrize("name", FELL)
def test_what_fell_has_a_repaired_form_with_a_proof(name: str) -> None:
    entry = library().entry(f"hcct.{name}.repaired")
    assert entry.form == "repaired"
    assert all("Proof" in leaf.commentary for leaf in entry.leaves)


def test_entries_stand_in_the_order_of_the_sheet() -> None:
    printed = list(dict.fromkeys(s.entry for s in STATEMENTS if s.form == "printed"))
    assert printed == SHEET


def test_refined_forms_carry_their_proof() -> None:
    refined = [leaf for leaf in STATEMENTS if leaf.form == "refined"]
    assert refined
    assert not [leaf.key for leaf in refined if "Proof" not in leaf.commentary]


def test_a_schedule_reads_as_epochs() -> None:
    assert epochs("02|1*3 0|1|2") == ["02|1", "02|1", "02|1", "0|1|2"]
