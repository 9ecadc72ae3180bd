"""Stored witnesses and their pages."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tests.places import ROOT
from verify.catalogue.library import library
from verify.claim.instance import Instance
from verify.ledger.witness import Replay
from verify.report.by_hand.page import page
from verify.report.by_hand.record import Page
from verify.world.referee import rescore

PAPERS = ("adaptive", "aggregation", "allforall", "fedbc", "hcct")


@cache
def stored(paper: str) -> dict[str, Any]:
    """Content of a paper's stored witnesses."""
    path = ROOT / "tests" / "qa" / "second_judges" / paper / "witnesses.json"
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@cache
def told(key: str) -> Page:
    """The page of a stored witness, judged again."""
    statement = library().leaf(key)
    paper = statement.source.paper
    instance = Instance.from_json(stored(paper)[key]["instance"])
    found = rescore(statement, instance)
    numbers = found.numbers(statement.quantifier)
    replay = Replay(
        statement,
        instance,
        numbers,
        numbers,
        (),
        found.violated,
        found.terms,
        found.symbols,
        library().axes[paper],
    )
    made = page(replay)
    assert made is not None
    return made
