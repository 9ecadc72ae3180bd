"""Every identifier of the paper's sheet is in the library, in its order, and nothing dangles."""

from __future__ import annotations

import pytest

from verify.catalogue.library import library
from verify.catalogue.paper import paper
from verify.statements import adaptive

STATEMENTS = paper(adaptive)

_IDS = """
setting alg.afo excess-known ratio def1 def2 def3 estimator
A1 A2 A3 A4 A5 A6
lemma1 property1 property1.b def1.drift def1.sum def1.var remark1 theorem1
def2.mono def2.lim0 def2.liminf def2.c1 remark2 lemma2
theorem2 theorem2.const theorem2.horizon theorem2.decr remark3 text.thm2 corollary1 theorem3
sec4.lb sec4.even sec4.binmin sec4.contworse sec4.opt sec4.freq
inf.fullgrad inf.less inf.criterion inf.epsfree inf.optimal inf.variance
S1 lemma1.var lemma1.exact theorem1.id S2 theorem1.rec theorem1.sumalpha theorem3.step
data.synth fig1 fig2a fig2b data.split tableS1 fig3 figS1 table2 tableS2 text.exp baselines
"""
IDS = _IDS.split()

_FELL = """
property1 lemma1 lemma1.exact def2.lim0 lemma2 theorem1.sumalpha
theorem2 theorem2.const theorem2.horizon theorem2.decr theorem3 theorem3.step corollary1
remark3 sec4.lb sec4.binmin
alg.afo def2 text.thm2 sec4.opt sec4.freq inf.less inf.variance
"""
FELL = _FELL.split()
"""Printed entries that come out violated or vacuous."""


@pytest.mark.parametrize("name", IDS)
def test_the_library_has_the_identifier(name: str) -> None:
    entry = library().entry(f"adaptive.{name}")
    assert entry.form == "printed"
    assert all(leaf.latex and leaf.source.where for leaf in entry.leaves)


@pytest.mark.parametrize("name", FELL)
def test_what_fell_has_a_repaired_form_with_a_proof(name: str) -> None:
    entry = library().entry(f"adaptive.{name}.repaired")
    assert entry.form == "repaired"
    assert all(leaf.commentary for leaf in entry.leaves)


def test_refined_forms_carry_their_proof() -> None:
    refined = [leaf for leaf in STATEMENTS if leaf.form == "refined"]
    assert len(refined) >= 10
    assert not [leaf.key for leaf in refined if len(leaf.commentary) < 40]


def test_entries_stand_in_the_order_of_the_sheet() -> None:
    printed = list(dict.fromkeys(s.entry for s in STATEMENTS if s.form == "printed"))
    assert printed == [f"adaptive.{name}" for name in IDS]
