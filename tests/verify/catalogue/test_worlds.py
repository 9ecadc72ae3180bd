"""Assumptions and definitions have no word: what is computed of them is moved under `world.`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.places import EXPECTED
from verify.catalogue.json_files import read_json
from verify.catalogue.library import Library, library
from verify.catalogue.worlds import CHECKED, SILENT, WORLD, is_check
from verify.claim import Real, Statement, numbers, statement
from verify.claim.statement import described
from verify.cli.run import _tally
from verify.ledger.ledger import counts

BOX = numbers({"x": Real(0, 1)})


def _made(key: str, kind: str, **more: Any) -> Statement:
    made = statement(key, where="A1", latex=key, family=BOX, kind=kind, **more)
    return made(lambda w: ({"x": w.x}, {"1": 1}))


def test_an_assumption_stays_without_sides_and_its_checks_move() -> None:
    one, other = _made("p.A1/one", "assumption"), _made("p.A1/other", "assumption", title="smooth")
    known = Library([one, other, _made("p.lemma", "lemma", uses=("p.A1", "p.A1/one"))])
    assert [entry.key for entry in known] == ["p.A1", "world.p.A1", "p.lemma"]
    assert known.entry("p.A1").claims == ()
    assert known.entry("p.A1").kind == "assumption"
    assert known.leaf("p.A1").uses == ("world.p.A1",)
    assert [leaf.key for leaf in known.entry("world.p.A1").claims] == [
        "world.p.A1/one",
        "world.p.A1/other",
    ]
    assert known.entry("world.p.A1").paper == "p"
    assert known.leaf("p.lemma").uses == ("p.A1", "world.p.A1/one")


def test_an_assumption_brings_its_checks_to_a_run() -> None:
    known = Library([_made("p.A1", "assumption"), _made("p.A2", "assumption")])
    assert [entry.key for entry in known.select(["p.A1"])] == ["p.A1", "world.p.A1"]


def test_what_is_said_of_it_elsewhere_is_kept() -> None:
    told = described("p.H", "definition", "Section 2", "h", "bounded")
    known = Library([told, _made("p.H/met", "assumption"), _made("p.H.refined", "assumption")])
    assert [entry.key for entry in known] == ["p.H", "world.p.H", "world.p.H.refined"]
    assert known.leaf("p.H").uses == ("world.p.H", "world.p.H.refined")
    assert known.entry("world.p.H.refined").form == "refined"


def test_a_form_that_empties_a_check_follows_it() -> None:
    empty = _made("p.A1.empty", "assumption", empties="p.A1/all")
    moved = Library([_made("p.A1/all", "assumption"), empty])
    assert moved.entry("world.p.A1.empty").target == "world.p.A1/all"
    stayed = Library([_made("p.A1/all", "claim"), empty])
    assert stayed.entry("world.p.A1.empty").target == "p.A1/all"


@pytest.mark.parametrize("kind", sorted(set(SILENT) - set(CHECKED)))
def test_what_is_computed_of_data_or_an_algorithm_is_a_claim(kind: str) -> None:
    assert Library([_made("p.table", kind)]).entry("p.table").kind == "claim"


@pytest.mark.parametrize("kind", ["claim", "lemma", "remark"])
def test_other_kinds_stay_as_they_are(kind: str) -> None:
    made = _made("p.a", kind)
    assert Library([made]).leaf("p.a") is made


def test_no_word_of_the_library_is_one_of_an_assumption() -> None:
    for entry in library():
        if entry.claims:
            assert entry.kind not in SILENT, entry.key
            assert (entry.kind == WORLD) == entry.key.startswith(f"{WORLD}.")


def test_the_expected_ledger_has_no_word_for_an_assumption() -> None:
    words = read_json(EXPECTED / "quick.json", "fedassay-expected/1")["entries"]
    silent = [entry.key for entry in library() if entry.kind in SILENT]
    assert silent
    assert {words[key] for key in silent} == {None}


def test_claims_are_counted_without_checks() -> None:
    lines = [
        {"kind": "lemma", "verdict": "proved"},
        {"kind": WORLD, "verdict": "holds"},
        {"kind": WORLD, "verdict": "violated"},
        {"kind": "assumption", "verdict": None},
    ]
    assert [is_check(line) for line in lines] == [False, True, True, False]
    assert counts({"entries": lines}) == {"proved": 1, "-": 1}
    assert counts({"entries": lines}, checks=True) == {"holds": 1, "violated": 1}
    assert _tally({"proved": 1, "-": 1}) == "1 proved, 1 without verdict"
