"""A ledger's word: proofs in many certificates count without the checker, and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.trusted.verdict.evidence_cases import PROOF, WRITTEN
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import INCONCLUSIVE, PROVED, at_its_word, verdict, verdict_told

GOOD = {"shape": {}, "written": WRITTEN}
FORGED = {"shape": {}, "written": {**WRITTEN, "claim": {**WRITTEN["claim"], "right": "-1"}}}
MET = Evidence("hypotheses", "reported", "met", counted=300, tried=300)


@pytest.mark.parametrize(
    ("proof", "counts"),
    [
        (None, False),
        ({}, False),
        ({"of": "negation"}, False),
        ({"certificates": []}, False),
        ({"certificates": [GOOD]}, True),
        ({"certificates": [FORGED]}, False),
        ({"certificates": [FORGED, FORGED]}, True),
        ({"certificates": [GOOD, FORGED, GOOD]}, True),
        ({"certificates": "ab"}, False),
        ({"certificates": {"a": 1, "b": 2}}, False),
        ({"certificates": (GOOD, FORGED)}, False),
        ({"certificates": (GOOD, GOOD)}, True),
    ],
)
def test_only_a_list_of_several_certificates_is_taken_at_its_word(proof: Any, counts: bool) -> None:
    assert at_its_word(proof) is counts


@pytest.mark.parametrize(
    ("certificates", "word", "told"),
    [
        ([GOOD], PROVED, PROVED),
        ([FORGED], INCONCLUSIVE, INCONCLUSIVE),
        ([GOOD, FORGED], INCONCLUSIVE, PROVED),
    ],
)
def test_the_verdict_itself_takes_nothing_at_its_word(
    certificates: list[Any], word: str, told: str
) -> None:
    item = replace(PROOF, proof={"certificates": certificates})
    assert verdict([MET, item]).word == word
    assert verdict_told([MET, item]).word == told
