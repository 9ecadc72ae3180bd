"""Short proofs on the page: line by line, and none that the checker refuses."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import sympy

from verify.certify.explain.documents import explained
from verify.certify.prover.prove import certify, written_out
from verify.report.evidence import TOLD_LINES, rungs
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import INCONCLUSIVE, PROVED, verdict, verdict_told


def shown(*documents: Any) -> str:
    proof = {"certificates": [{"shape": {}, "written": one} for one in documents]}
    item = {"rung": "certificate", "status": "decided", "summary": "proved", "proof": proof}
    return str(rungs({"evidence": [item], "scope": ""}))


def document() -> dict[str, Any]:
    x = sympy.Symbol("x", real=True)
    claim = (2 * x, x**2 + 1, "<=")
    found = certify(*claim)
    assert found is not None
    made: dict[str, Any] = written_out(found, *claim, [])
    return made


def test_a_short_proof_is_shown_line_by_line() -> None:
    lines = explained(document())
    assert len(lines) < TOLD_LINES
    page = shown(document())
    for line in lines:
        assert line.replace("<", "&lt;").replace(">", "&gt;") in page


def test_a_forged_proof_and_one_of_many_parts_are_not_shown() -> None:
    forged = deepcopy(document())
    forged["claim"]["right"] = "x**2"
    page = shown(forged)
    assert "The checker refuses it" in page
    assert "identically" not in page
    assert "identically" not in shown(document(), document())


def word(*documents: Any, light: bool) -> str:
    proof = {"certificates": [{"shape": {}, "written": one} for one in documents]}
    met = Evidence("hypotheses", "reported", "met", counted=300, tried=300)
    item = Evidence("certificate", "decided", "proved", proof=proof)
    return (verdict_told if light else verdict)([met, item]).word


def test_a_page_takes_a_proof_in_many_parts_at_its_word_and_no_other_one() -> None:
    forged = deepcopy(document())
    forged["claim"]["right"] = "x**2"
    assert word(document(), light=True) == word(document(), light=False) == PROVED
    assert word(forged, light=True) == word(forged, light=False) == INCONCLUSIVE
    assert word(document(), forged, light=True) == PROVED
    assert word(document(), forged, light=False) == INCONCLUSIVE
    assert word(light=True) == INCONCLUSIVE
