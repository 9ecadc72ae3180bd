"""Every identifier of the paper is in the library, in its order; what fell has a repair."""

from __future__ import annotations

import pytest

from verify.catalogue.library import Library
from verify.catalogue.paper import paper, paper_axes
from verify.statements import fedbc

STATEMENTS = paper(fedbc)

_IDS = """
def.global def.local def.consensus def.baselines def.problem def.lagrangian grad def.primal
def.oracle oracle.K def.dual def.Lambda def.server alg1 alg2 alg3 heur.gamma
A1 A2 A3 A4 H1 H2 H3 H4 H5
lemmaB1i lemmaB1ii lemmaB2 theorem1 explicit90 theorem1.interp corollary46 corollary46.remark
sp.consensus sp.fedavg sp.fedprox sp.fedpd sp.l2gd sp.ditto sp.novel sp.minimisers abstract
eq26 eq27 eq29 eq31 eq33 eq34 eq35 eq36-37 eq38 eq39-42
eq45-47 eq50-53 eq54-55 eq57 eq58 eq59 eq61 C0 eq62 eq63 eq64-65
eq66-68 eq69-70 eq72 eq73-76 eq77 eq78 eq80-83 eq87-89
eq92 eq93 eq94 eq95-96 eq97 eq99-100
exp.synthetic exp.real fig1 fig2 fig3a fig3b fig3c fig3d fig4 fig5-6 fig7 fig8 fig9-12 fig13
fig14-15 q.fair text table1 table2 table3 table6 table7 table8 table9 table4 table5
"""
IDS = _IDS.split()

_FELL = """
grad lemmaB1i lemmaB1ii explicit90 corollary46 sp.fedavg sp.fedprox sp.l2gd sp.minimisers
eq31 eq33 eq34 eq35 eq39-42 eq54-55 eq58 eq59 C0 eq62 eq63 eq64-65 eq69-70 eq72 eq73-76 eq77 eq78
eq97 eq99-100 text
"""
FELL = _FELL.split()
"""Printed entries that come out violated, whatever device does what outside the sampled set."""

_FOLLOWS = """
eq27 eq33 eq34 eq36-37 eq38 eq57 eq61 eq73-76 eq80-83 eq87-89 eq93 eq94
eq35 eq39-42 eq54-55 eq58 eq62 eq63 eq64-65 eq69-70 eq72 eq77 eq97
"""
FOLLOWS = _FOLLOWS.split()
"""Steps that are put to the displays before them."""

LIBRARY = Library(STATEMENTS, {"fedbc": paper_axes(fedbc)})


@pytest.mark.parametrize("name", IDS)
def test_the_library_has_the_identifier(name: str) -> None:
    entry = LIBRARY.entry(f"fedbc.{name}")
    assert entry.form == "printed"
    assert all(leaf.latex and leaf.source.where for leaf in entry.leaves)


@pytest.mark.parametrize("name", FELL)
def test_what_fell_has_a_repaired_form_with_a_proof(name: str) -> None:
    entry = LIBRARY.entry(f"fedbc.{name}.repaired")
    assert entry.form == "repaired"
    assert all("Proof" in leaf.commentary for leaf in entry.leaves)


@pytest.mark.parametrize("name", FOLLOWS)
def test_proof_steps_carry_a_deduction(name: str) -> None:
    assert any(leaf.deduction is not None for leaf in LIBRARY.entry(f"fedbc.{name}").leaves)


def test_entries_stand_in_the_order_of_the_sheet() -> None:
    printed = list(dict.fromkeys(s.entry for s in STATEMENTS if s.form == "printed"))
    assert printed == [f"fedbc.{name}" for name in IDS]


def test_no_entry_is_of_an_unknown_id() -> None:
    known = {f"fedbc.{name}" for name in IDS}
    assert {e.key.removesuffix(f".{e.form}") for e in LIBRARY} <= known


def below(*keys: str) -> set[str]:
    """Entries and parts of entries that these rest on, themselves included."""
    found: set[str] = set()
    waiting = list(keys)
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            part = [leaf for leaf in STATEMENTS if leaf.key == key]
            for leaf in part or LIBRARY.entry(key).leaves:
                waiting += leaf.uses
    return found


def test_every_step_serves_the_theorem_or_the_corollary() -> None:
    steps = {s.entry for s in STATEMENTS if s.kind == "proof step" and s.form == "printed"}
    lemmas = {f"fedbc.{name}" for name in ("lemmaB1i", "lemmaB1ii", "lemmaB2", "A1", "A2", "A3")}
    served = {key.partition("/")[0] for key in below("fedbc.theorem1", "fedbc.corollary46")}
    assert not (steps | lemmas) - served


def test_what_replaces_a_fallen_statement_rests_on_none() -> None:
    fell = {f"fedbc.{name}" for name in FELL}
    others = {s.entry for s in STATEMENTS if s.form in ("repaired", "explicit")}
    assert not {key: below(key) & fell for key in others if below(key) & fell}
    assert below("fedbc.theorem1") & fell, "the printed theorem does"
