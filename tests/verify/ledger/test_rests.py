"""Vacuity travels along uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verify.conftest import axis
from tests.verify.report import ledgers
from verify.claim.axes import Axes
from verify.ledger.audit import audit
from verify.ledger.rests import rests_in_words, with_rests


def used(key: str, word: str, *uses: str, kind: str = "empty") -> dict[str, Any]:
    """Entry of one leaf; a vacuous one is linked."""
    link = {"kind": kind, "key": f"{key}.{kind}", "verdict": "proved"}
    evidence = [{"link": link}] if word == "vacuous" else []
    leaf = {"id": key, "verdict": word, "reason": "", "witness": None, "evidence": evidence}
    return {"key": key, "paper": "p", "leaves": [leaf], "uses": list(uses)}


def test_vacuity_travels_along_uses() -> None:
    lines = [
        used("p.a", "vacuous"),
        used("p.b", "holds", "p.a"),
        used("p.c", "violated", "p.b", "p.e"),
        used("p.d", "holds", "p.d", "p.none"),
        used("p.e", "vacuous", "p.a"),
        used("p.f", "vacuous", kind="trivial"),
        used("p.g", "holds", "p.f"),
        used("p.h", "holds", "p.i"),
        used("p.i", "holds", "p.h", "p.e"),
    ]
    found = {line["key"]: line["rests"] for line in with_rests(lines, {})}
    assert found == {
        "p.a": [],
        "p.b": ["p.a"],
        "p.c": ["p.e", "p.a"],
        "p.d": [],
        "p.e": ["p.a"],
        "p.f": [],
        "p.g": [],
        "p.h": ["p.e"],
        "p.i": ["p.e"],
    }
    assert rests_in_words({"rests": ["p.a"]}) == "rests on p.a, whose hypotheses nothing meets"


def test_a_use_of_one_reading_is_that_reading() -> None:
    line = used("p.a@steps", "vacuous")
    line["key"], line["leaves"] = "p.a", [*line["leaves"], used("p.a@rounds", "holds")["leaves"][0]]
    users = [
        used(f"p.u{i}", "holds", key) for i, key in enumerate(["p.a", "p.a@steps", "p.a@rounds"])
    ]
    for place, rest in ((axis("steps", "rounds"), 1), (axis("rounds", "steps"), 0)):
        told = with_rests([line, *users], {"p": Axes([place])})
        assert [len(one["rests"]) for one in told[1:]] == [rest, 1, 0]


@pytest.mark.parametrize("rests", [[], ["one.theorem"], None])
def test_a_forged_rest_is_found(tmp_path: Path, rests: list[str] | None) -> None:
    path = ledgers.ledger(tmp_path)
    ledgers.change(path, "one.lemma", uses=["one.nothing"], rests=["one.nothing"])
    ledgers.change(path, "one.theorem", rests=["one.nothing"])
    ledgers.change(path, "one.corollary", rests=["one.nothing"])
    assert audit(path).flaws == []
    content = json.loads(path.read_text())
    lemma = next(line for line in content["entries"] if line["key"] == "one.lemma")
    lemma["rests"] = rests
    if rests is None:
        del lemma["rests"]
    path.write_text(json.dumps(content))
    assert [str(flaw) for flaw in audit(path).flaws] == [
        f"one.lemma: rests on {rests or []}, its uses give ['one.nothing']"
    ]
