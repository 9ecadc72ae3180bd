"""The expected ledger: a change of a statement that changes what comes out is seen and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests import places
from verify.catalogue.json_files import read_json
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.corpus.files import path_of, stored
from verify.ladder import PROFILES, assay
from verify.ledger.expected import brief, compare, compare_files
from verify.ledger.ledger import Finding

EXPECTED = places.EXPECTED / "quick.json"


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """The committed file."""
    return read_json(EXPECTED, "fedassay-expected/1")


def test_every_leaf_of_the_library_is_expected(expected: dict[str, Any]) -> None:
    assert set(expected["entries"]) == {entry.key for entry in library()}
    claims = {leaf.key for entry in library() for leaf in entry.claims}
    assert set(expected["leaves"]) == claims


# -- planted changes -------------------------------------------------------------------------------


def doubled(statement: Statement) -> Statement:
    """Twice the right side."""

    def sides(w: Any) -> Any:
        left, right = statement.sides(w)  # type: ignore[misc]
        return left, {name: 2 * term for name, term in right.items()}

    return replace(statement, sides=sides)


def free(statement: Statement) -> Statement:
    """Without its hypotheses."""
    return replace(statement, given=())


class OneMore:
    """A world whose horizon reads one round longer than the run."""

    def __init__(self, world: Any) -> None:
        self._world = world

    def __getattr__(self, name: str) -> Any:
        return self._world.rounds + 1 if name == "rounds" else getattr(self._world, name)


def later(statement: Statement) -> Statement:
    """T + 1 for T in the right side."""

    def sides(w: Any) -> Any:
        left, right = statement.sides(w), statement.sides(OneMore(w))  # type: ignore[misc, arg-type]
        return left[0], right[1]

    return replace(statement, sides=sides)


def outcome(statement: Statement) -> dict[str, Any]:
    """What the quick ladder gives, beginning with the corpus, in the expected ledger's numbers."""
    kept = stored(path_of(statement.source.paper)).kept(statement)
    leaf = Finding.of(assay(statement, profile=PROFILES["quick"].word_alone(), kept=kept)).leaf
    entry = {"key": statement.entry, "verdict": leaf["verdict"], "leaves": [leaf]}
    return brief({"profile": "quick", "seed": 0, "entries": [entry]})


CASES = [
    ("adaptive.lemma1.repaired", doubled),
    ("hcct.eq34.refined", doubled),
    ("adaptive.lemma1.repaired", free),
    ("adaptive.corollary1.repaired", free),
    ("adaptive.theorem2.repaired/bcn", later),
]


@pytest.mark.parametrize("key", sorted({key for key, _ in CASES}))
def test_an_unchanged_statement_is_as_expected(key: str, expected: dict[str, Any]) -> None:
    found = outcome(library().leaf(key))
    assert [c for c in compare(expected, found) if c.what != "leaf"] == []


@pytest.mark.parametrize(("key", "change"), CASES)
def test_a_changed_statement_is_seen(
    key: str, change: Callable[[Statement], Statement], expected: dict[str, Any]
) -> None:
    found = outcome(change(library().leaf(key)))
    assert [c for c in compare(expected, found) if c.key == key and c.what != "leaf"]


# -- comparing -----------------------------------------------------------------------------------


def ledger_of(*leaves: tuple[str, str, float | None]) -> dict[str, Any]:
    """An expected ledger with one leaf per entry."""
    return {
        "schema": "fedassay-expected/1",
        "profile": "quick",
        "seed": 0,
        "entries": {key: word for key, word, _ in leaves},
        "leaves": {
            key: {"verdict": word, "rung": "search", "tightness": ratio, "met": 1.0}
            for key, word, ratio in leaves
        },
    }


def test_changes_outside_the_band_are_listed() -> None:
    old = ledger_of(("a.x", "holds", 0.5), ("a.y", "holds", 0.5), ("a.z", "holds", None))
    new = ledger_of(("a.x", "violated", 0.5), ("a.y", "holds", 0.5004), ("a.new", "proved", None))
    found = {(c.key, c.what): (c.before, c.after) for c in compare(old, new)}
    assert found == {
        ("a.x", "verdict"): ("holds", "violated"),
        ("a.new", "entry"): ("", "proved"),
        ("a.new", "leaf"): ("", "proved"),
    }
    new = ledger_of(("a.x", "holds", 0.5), ("a.y", "holds", 0.501), ("a.z", "holds", 0.1))
    found = {(c.key, c.what): (c.before, c.after) for c in compare(old, new)}
    assert found == {
        ("a.y", "tightness"): ("0.5", "0.501"),
        ("a.z", "tightness"): ("", "0.1"),
    }


def test_changed_readings_are_listed() -> None:
    old, new = ledger_of(("a.x", "violated", 0.5)), ledger_of(("a.x", "violated", 0.5))
    old["readings"] = {"a.x": "stands in 1 of 2, holds@rounds"}
    for told, partial, seen in [
        ("stands in 1 of 2, holds@rounds", [], 0),
        ("stands in 1 of 2", [], 1),
        ("stands in 1 of 2", ["a"], 0),  # the kindest reading of a part may be another one
        ("stands in 0 of 2", ["a"], 1),
    ]:
        new.update(readings={"a.x": told}, partial=partial)
        assert [(c.key, c.what) for c in compare(old, new)] == [("a.x", "readings")] * seen


def test_what_is_lost_from_a_whole_run_is_listed() -> None:
    old, new = ledger_of(("a.x", "holds", 0.5)), ledger_of(("a.x", "holds", 0.5))
    del new["leaves"]["a.x"]
    assert [(c.key, c.what, c.before) for c in compare(old, new)] == [("a.x", "leaf", "holds")]


def test_files_are_compared_and_accepted(
    made: Path, tmp_path: Path, fedassay: Callable[..., tuple[int, str, str]]
) -> None:
    ledger, expected = made / "mine-ledger.json", tmp_path / "expected.json"
    small = brief(json.loads(ledger.read_text()))
    small["leaves"]["mine.mean"]["verdict"] = "holds"
    expected.write_text(json.dumps(small))
    assert [c.what for c in compare_files(expected, ledger)] == ["verdict"]
    assert fedassay("diff", expected, ledger, "--strict")[0] == 1
    assert fedassay("diff", expected, ledger, "--accept")[0] == 0
    assert fedassay("diff", expected, ledger, "--strict")[0] == 0
    code, _, err = fedassay("diff", ledger, ledger, "--accept")
    assert code == 2
    assert "expected ledger" in err


def test_an_entry_may_go_only_with_its_statement(made: Path, tmp_path: Path) -> None:
    ledger, expected = made / "mine-ledger.json", tmp_path / "expected.json"
    small = brief(json.loads(ledger.read_text()))
    small["entries"]["mine.other"] = "holds"
    expected.write_text(json.dumps(small))
    compare_files(expected, ledger, accept=True, known={"mine.other"})
    assert json.loads(expected.read_text())["entries"]["mine.other"] == "holds"
    compare_files(expected, ledger, accept=True, known={"mine.mean"})
    assert "mine.other" not in json.loads(expected.read_text())["entries"]


def test_a_run_of_some_keys_is_accepted_for_those(made: Path, tmp_path: Path) -> None:
    ledger, expected = made / "mine-ledger.json", tmp_path / "expected.json"
    full = brief(json.loads(ledger.read_text()))
    before = json.loads(json.dumps(full))
    before["entries"]["mine.mean"], before["leaves"]["mine.mean"]["verdict"] = "holds", "holds"
    before["entries"]["mine.other"] = "violated"
    before["leaves"]["mine.other"] = {**before["leaves"]["mine.mean"], "verdict": "violated"}
    expected.write_text(json.dumps(before))
    compare_files(expected, ledger, accept=True, known={"mine.mean", "mine.other"})
    after = json.loads(expected.read_text())
    assert after["entries"] == {**full["entries"], "mine.other": "violated"}
    assert after["leaves"] == {**full["leaves"], "mine.other": before["leaves"]["mine.other"]}
    stopped = json.loads(ledger.read_text())
    stopped["complete"] = False
    ledger.with_name("stopped.json").write_text(json.dumps(stopped))
    with pytest.raises(InvalidInput, match="ledger must be complete to be accepted"):
        compare_files(expected, ledger.with_name("stopped.json"), accept=True)
