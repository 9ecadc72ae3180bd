"""Every id of the paper has an entry, every refuted one a repair, every O~ an explicit form."""

from __future__ import annotations

import pytest

from verify.catalogue.library import Library
from verify.catalogue.paper import paper, paper_axes
from verify.statements import allforall

IDS = (
    "def.problem",
    "def.oracle_sync",
    "def.oracle_async",
    "def.GEM",
    "def.Neps",
    "def.Teps",
    "def.classD",
    "alg.WGA",
    "alg.naive",
    "alg.AFA",
    "alg.AFAadaptive",
    "alg.infinite",
    "assump.B1",
    "assump.B2",
    "assump.B3",
    "assump.DH",
    "assump.N1",
    "assump.N2",
    "setting1",
    "setting2",
    "assump.bounded",
    "assump.triangle",
    "theorem1a",
    "theorem1b",
    "corollary1a",
    "corollary1b",
    "lemma1",
    "lemma2",
    "def.rho",
    "fano",
    "eq10",
    "packing",
    "eq.rho_abs",
    "eq.rho_quad",
    "eq.MI",
    "eq12",
    "claim.match",
    "conj.sqrtkappa",
    "construction.convex",
    "construction.quadratic",
    "theorem6a",
    "theorem6b",
    "theorem2.1",
    "theorem7.1",
    "theorem2.2",
    "theorem7.2",
    "ineq.B1fromB2",
    "ineq.B1convex",
    "naive.a",
    "naive.b",
    "lemma3",
    "theorem3a",
    "theorem3b",
    "theorem4.1",
    "theorem4.2",
    "speedup",
    "biasterms",
    "prop3",
    "theorem8",
    "def.dH",
    "ineq.dHgrad",
    "dH.1",
    "dH.2",
    "dH.3",
    "dH.4",
    "dH.loss1",
    "dH.loss2",
    "dH.loss3",
    "dH.loss4",
    "prop1",
    "theorem5a",
    "theorem5b",
    "prop2.1",
    "prop2.2",
    "weaklabel",
    "lemma4a",
    "lemma4b",
    "lemma4c",
    "lemma5a",
    "lemma5b",
    "lemma5c",
    "lemma6a",
    "lemma6b",
    "proof.f1",
    "proof.xstar",
    "proof.B1conv",
    "proof.B2conv",
    "proof.dHconv",
    "proof.fanochain",
    "proof.B1quad",
    "proof.dHquad",
    "ineq.wga2",
    "proof.wga_step",
    "ineq.wga_rec",
    "eq14",
    "proof.wga_b",
    "ineq.gradsplit",
    "ineq.biasvar",
    "proof.lemma3",
    "proof.E1",
    "ineq.afa2",
    "proof.relsmooth",
    "claim.spectral",
    "proof.theorem8",
    "proof.prop2",
    "proof.lemma4_descent",
    "proof.lemma4_pl",
    "proof.lemma4_sum",
    "proof.lemma5",
    "proof.lemma6",
    "expt.a",
    "expt.b",
)

STATEMENTS = paper(allforall)
LIBRARY = Library(STATEMENTS, {"allforall": paper_axes(allforall)})


@pytest.mark.parametrize("name", IDS)
def test_every_id_has_an_entry(name: str) -> None:
    entry = LIBRARY.entry(f"allforall.{name}")
    assert entry.form == "printed"
    assert entry.paper == "allforall"


def test_no_entry_is_of_an_unknown_id() -> None:
    known = {f"allforall.{name}" for name in IDS}
    for entry in LIBRARY:
        assert entry.key.removesuffix(f".{entry.form}") in known


def test_claims_without_sides_say_what_is_missing() -> None:
    for leaf in STATEMENTS:
        assert (leaf.sides is None) == bool(leaf.missing)


def test_repairs_carry_their_reason() -> None:
    for leaf in STATEMENTS:
        if leaf.form in ("repaired", "explicit"):
            assert leaf.commentary
