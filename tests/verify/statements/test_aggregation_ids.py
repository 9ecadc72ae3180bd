"""Every identifier of the aggregation sheet is in the library, in order; nothing dangles."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

from verify.catalogue.library import library
from verify.catalogue.paper import paper
from verify.statements import aggregation

STATEMENTS = paper(aggregation)
_IDS = """
notation alg1 eq1 eq2 eq3 eq4
strategy.fedavg strategy.fedmax strategy.fedmaxk strategy.fedsoftmax complexity
A1 A2 A3 A4 def_opt eq5 eq8 rhobar rhotilde eq16
lemma1 lemma2 theorem3 corollary4 V E remark5 remark6
eq13 eq14 errorfree
remark7 rho_bounds eq17 eq18 Pi_bound E_bound eq19 remark8 eq20 text.tight
RQ1 RQ2 RQ3 RQ4 RQ5
proof.expand proof.A1a proof.A1b proof.A2 proof.A3 proof.A4 proof.pre proof.A5 proof.recursion
proof.psi
exp.data exp.model table2 metrics table3 table4 fig1 fig2 fig3 fig4 fig5 fig6 fig7
remark9 remark10 stability conclusion
"""
IDS = _IDS.split()

_FELL = """
lemma2 theorem3 corollary4 remark5 eq13 E_bound eq20 strategy.fedmaxk fig5 remark10
proof.A1b proof.pre proof.A5 proof.recursion proof.psi
"""
FELL = _FELL.split()
"""Printed entries that fall, in some reading at least, and have a form that stands."""


@pytest.mark.parametrize("name", IDS)
def test_the_library_has_the_identifier(name: str) -> None:
    entry = library().entry(f"aggregation.{name}")
    assert entry.form == "printed"
    assert all(leaf.latex and leaf.source.where for leaf in entry.leaves)


@pytest.mark.parametrize("name", FELL)
def test_what_fell_has_a_repaired_form_with_a_proof(name: str) -> None:
    entry = library().entry(f"aggregation.{name}.repaired")
    assert entry.form == "repaired"
    assert all("Proof" in leaf.commentary for leaf in entry.leaves)


def test_refined_and_explicit_forms_carry_their_proof() -> None:
    sharper = [leaf for leaf in STATEMENTS if leaf.form in ("refined", "explicit")]
    assert len(sharper) >= 12
    assert not [leaf.key for leaf in sharper if len(leaf.commentary) < 40]


def test_entries_stand_in_the_order_of_the_sheet() -> None:
    printed = list(dict.fromkeys(s.entry for s in STATEMENTS if s.form == "printed"))
    assert printed == [f"aggregation.{name}" for name in IDS]


def test_steps_of_the_proof_say_whether_they_follow() -> None:
    steps = [s for s in STATEMENTS if s.key.startswith("aggregation.proof.") and s.deduction]
    assert {s.entry for s in steps} >= {
        f"aggregation.proof.{name}" for name in ("A1a", "A1b", "A3", "A4", "pre")
    }


def modules() -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(aggregation.__path__, f"{aggregation.__name__}."):
        yield importlib.import_module(info.name)


def test_every_row_of_a_table_has_its_record() -> None:
    tables = [module.claim for module in modules() if hasattr(module, "claim")]
    rows = [f"aggregation.{name}" for table in tables for name in table.rows]
    assert len(rows) == len({*rows}) > 100
    keys = {key for leaf in STATEMENTS for key in (leaf.key, leaf.key.partition("@")[0])}
    assert {*rows} - keys == set()
