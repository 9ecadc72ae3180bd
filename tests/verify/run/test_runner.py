"""Runs: links, interruption, failure, and the same ledger for any number of processes."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.conftest import claim
from verify.catalogue.json_files import read_json
from verify.catalogue.library import Library, library
from verify.catalogue.user_file import Origin, load_statements
from verify.ledger.ledger import SCHEMA, Finding, halted
from verify.run import tasks
from verify.run.journal import Journal, part_path, unfinished_keys
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
from verify.run.workers import execute, report
from verify.verdict.evidence import Evidence

ALONE = Settings(jobs=1)


def run(
    monkeypatch: pytest.MonkeyPatch, known: Library, path: Path | None, keys: tuple[str, ...] = ()
) -> dict[str, Any]:
    monkeypatch.setattr("verify.run.tasks.library", lambda: known)
    return LedgerRun(known, known.select(keys), ALONE, path).finish()


def words(ledger: dict[str, Any]) -> dict[str, Any]:
    return {entry["key"]: entry["verdict"] for entry in ledger["entries"]}


def test_an_empty_form_makes_its_target_vacuous(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], proof: list[Evidence]
) -> None:
    known = Library([claim("p.a/x"), claim("p.a/y"), claim("p.a.empty", form="empty")])
    ladder["p.a.empty"] = proof
    ledger = run(monkeypatch, known, None, ("p.a",))
    assert words(ledger) == {"p.a": "vacuous", "p.a.empty": "proved"}
    assert [e.link["kind"] for e in ladder["links"]["p.a/y"]] == ["empty"]


def test_an_unproved_empty_form_says_nothing(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], proof: list[Evidence]
) -> None:
    known = Library([claim("p.a"), claim("p.a.trivial", form="trivial")])
    ladder["p.a"] = proof
    assert words(run(monkeypatch, known, None)) == {"p.a": "proved", "p.a.trivial": "inconclusive"}


def test_a_link_may_be_about_one_part(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], proof: list[Evidence]
) -> None:
    link = claim("p.a.empty", form="empty", empties="p.a/y")
    known = Library([claim("p.a/x"), claim("p.a/y"), link])
    ladder.update({"p.a.empty": proof, "p.a/x": proof})
    leaves = run(monkeypatch, known, None)["entries"][0]["leaves"]
    assert [leaf["verdict"] for leaf in leaves] == ["proved", "vacuous"]


def test_interruption_leaves_a_valid_partial_ledger(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], proof: list[Evidence], tmp_path: Path
) -> None:
    known = Library([claim("p.a"), claim("p.b/x"), claim("p.b/y"), claim("p.c")])
    ladder.update({"p.a": proof, "p.b/x": proof, "p.b/y": KeyboardInterrupt()})
    path = tmp_path / "fedassay-ledger.json"
    run(monkeypatch, known, path)
    stored = read_json(path, SCHEMA)
    assert stored["complete"] is False
    assert words(stored) == {"p.a": "proved"}
    assert sorted(tmp_path.iterdir()) == [path, part_path(path)]


def test_a_failed_run_keeps_the_old_ledger(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], proof: list[Evidence], tmp_path: Path
) -> None:
    known = Library([claim("p.a"), claim("p.b")])
    ladder.update({"p.a": proof, "p.b": proof})
    path = tmp_path / "fedassay-ledger.json"
    run(monkeypatch, known, path)
    old = path.read_text()
    add = Journal.add

    def full(journal: Journal, finding: Finding) -> None:
        add(journal, finding)
        if finding.key == "p.b":
            raise MemoryError

    monkeypatch.setattr(Journal, "add", full)
    with pytest.raises(MemoryError):
        run(monkeypatch, known, path)
    assert path.read_text() == old
    assert unfinished_keys(part_path(path)) == ("p.a", "p.b")


@pytest.mark.parametrize("content", ["import numpy", '{"schema": "fedassay-witness/1"}', "[]"])
def test_a_file_that_is_no_ledger_is_not_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(content)
    with pytest.raises(InvalidInput, match="ledger must be a new file or an older ledger"):
        run(monkeypatch, Library([claim("p.a")]), path)
    assert path.read_text() == content


def test_an_error_in_a_statement_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], proof: list[Evidence]
) -> None:
    known = Library([claim("p.a"), claim("p.b")])
    ladder.update({"p.a": ZeroDivisionError("a / b"), "p.b": proof})
    ledger = run(monkeypatch, known, None)
    assert words(ledger) == {"p.a": "inconclusive", "p.b": "proved"}
    reason = ledger["entries"][0]["reason"]
    assert reason.startswith("stopped by ZeroDivisionError in conftest.py, line ")
    assert reason.endswith(": a / b")
    assert halted(ledger) == {"p.a": reason}


def test_a_simulated_accusation_gets_a_witness_file(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], tmp_path: Path
) -> None:
    numbers = {
        "number": "simulated",
        "relation": "<=",
        "quantifier": "all",
        "left": 2.0,
        "right": 1.0,
        "e_value": 1e9,
        "margins": {},
        "replicates": 10,
        "key": 7,
        "instance": {"family": "numbers", "data": {}, "params": {}},
    }
    ladder["p.a"] = [Evidence("simulation", "undecided", "mean above", witness=numbers)]
    path = tmp_path / "fedassay-ledger.json"
    run(monkeypatch, Library([claim("p.a")]), path)
    witness = read_json(tmp_path / "witnesses" / "p.a.json", "fedassay-witness/1")
    assert witness["key"] == "p.a"
    assert witness["noise_key"] == 7


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(profile="quik"), "did you mean quick"),
        (Settings(seed=-1), "seed must be"),
        (Settings(jobs=0), "jobs must be at least 1"),
        (Settings(limit=0), "limit must be a positive"),
        (Settings(device="toaster"), "device must be an available one"),
        (Settings(device="cuda:99"), "device must be an available one"),
    ],
)
def test_bad_settings_are_refused(settings: Settings, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        settings.checked()


def test_the_ledger_does_not_depend_on_the_number_of_processes(
    user_file: Path, tmp_path: Path
) -> None:
    origin = Origin.of(user_file)
    known = load_statements(origin)
    made = []
    for settings in (ALONE, Settings(jobs=2, limit=1000.0)):
        path = tmp_path / "out" / "ledger.json"
        LedgerRun(known, known.select(), settings, path, origin).finish()
        ledger = json.loads(path.read_text())
        for entry in ledger["entries"]:
            del entry["timing"]
        made.append(ledger)
    assert made[0]["complete"]
    assert words(made[0])["mine.wrong"] == "violated"
    assert made[0] == made[1]


def _task(name: str) -> str:
    if name == "sleep":
        report("half")
        time.sleep(3600)
    if name == "die":
        os._exit(3)
    if name == "raise":
        raise InvalidInput("x must be y")
    return name


def test_children_are_stopped_and_their_death_is_reported() -> None:
    clock = time.monotonic()
    results = execute(
        ["a", "sleep", "die"],
        _task,
        jobs=2,
        limit=3.0,
        stopped=lambda task, why, done: f"{task}: {why} {done}",
    )
    assert sorted(results) == [
        "a",
        "die: the worker died (exit code 3) []",
        "sleep: time limit: stopped after 3 s ['half']",
    ]
    assert time.monotonic() - clock < 1800  # half of what it would sleep


def test_an_error_in_a_child_reaches_the_parent() -> None:
    with pytest.raises(InvalidInput, match="x must be y"):
        list(execute(["raise"], _task, jobs=1, limit=600.0))


@pytest.mark.parametrize(
    ("keep", "own", "full"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_only_the_librarys_evidence_has_its_laws_in_full(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, keep: bool, own: bool, full: bool
) -> None:
    """`check` keeps evidence beside its ledger too, and must answer within seconds."""
    asked: list[bool] = []

    def examined(*_: Any, full: bool, **more: Any) -> Any:
        asked.append(full)
        return SimpleNamespace(leaf={"verdict": "holds"}, kept=None)

    monkeypatch.setattr(tasks, "examine", examined)
    key, origin = library().entry("adaptive.theorem1").leaves[0].key, None
    if own:
        path = tmp_path / "mine.py"
        path.write_text(
            "from verify import Real, numbers, statement\n"
            '@statement("mine.one", where="T", latex="", family=numbers({"x": Real(0, 1)}))\n'
            'def one(w):\n    return {"x": w.x}, {"y": w.x}\n'
        )
        key, origin = "mine.one", Origin.of(path)
    tasks.work(tasks.Task(key, Settings(keep=keep), origin))
    assert asked == [full]
