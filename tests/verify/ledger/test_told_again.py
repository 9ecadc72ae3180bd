"""Every law and mend that a ledger prints bears another look: measured again, and beyond."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests import places
from verify.catalogue.json_files import read_json
from verify.catalogue.library import library
from verify.corpus.files import path_of, stored
from verify.ledger.laws.again import contradicted_laws, contradicted_mends
from verify.run.tasks import Settings, examine

EXPECTED = read_json(places.EXPECTED / "quick.json", "fedassay-expected/1")
FALLEN = [key for key, leaf in EXPECTED["leaves"].items() if leaf["verdict"] == "violated"]
STRIDE = 60
"""Of the leaves that fall each so many are looked at by default, the others among the slow ones."""


def ledger_of(keys: list[str]) -> dict[str, Any]:
    """A ledger of these leaves, judged on kept evidence as a run does."""
    leaves = []
    for key in keys:
        statement = library().leaf(key)
        kept = stored(path_of(statement.source.paper)).earlier(statement)
        leaves.append(dict(examine(statement, Settings("quick", 0, "cpu"), kept=kept).leaf))
    return {"entries": [{"key": "all", "leaves": leaves}]}


def contradictions(ledger: dict[str, Any]) -> list[str]:
    known = library()
    both = [*contradicted_laws(ledger, known), *contradicted_mends(ledger, known)]
    return [str(one) for one in both]


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(FALLEN[::STRIDE], id="sample"),
        *(
            pytest.param(FALLEN[k::STRIDE], id=f"part-{k}", marks=pytest.mark.slow)
            for k in range(1, STRIDE)
        ),
    ],
)
def test_no_law_and_no_mend_of_the_library_is_contradicted(part: list[str]) -> None:
    ledger = ledger_of(part)
    assert contradictions(ledger) == []


def test_a_planted_law_and_a_planted_mend_are_contradicted() -> None:
    ledger = ledger_of(["aggregation.remark6/large@given-shares"])
    (leaf,) = ledger["entries"][0]["leaves"]
    assert leaf["laws"][0]["formula"] == "level/2"
    assert contradictions(ledger) == []
    wrong = copy.deepcopy(ledger)
    wrong["entries"][0]["leaves"][0]["laws"][0]["form"][1] = "2/3"
    assert len(contradictions(wrong)) == 1
    wrong = copy.deepcopy(ledger)
    wrong["entries"][0]["leaves"][0]["repairs"] = [
        {"mend": "1000 times the right side", "changes": [["scaled_term", "", "1000"]]}
    ]
    assert len(contradictions(wrong)) == 1
