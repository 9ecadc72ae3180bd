"""A fault of the package in one leaf: told with its file and line, and by the exit status."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from verify.ledger.ledger import faulty, halted
from verify.run.tasks import Settings, examine

PLANT = "verify.reading.clients.reading.symbol_values"


def planted(*_: Any, **__: Any) -> Any:
    raise AttributeError("planted")


@pytest.fixture
def loud() -> Iterator[None]:
    """As in a run: a fault of a reader is a warning, in tests alone an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.usefixtures("loud")
def test_it_costs_no_word_and_is_told_by_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fedassay: Callable[..., Any]
) -> None:
    asked = ("run", "adaptive.def1.sum", "--cold", "--jobs", "1", "-o")
    with monkeypatch.context() as changed:  # first: what is read well is remembered
        changed.setattr(PLANT, planted)
        bad_code, told, _ = fedassay(*asked, tmp_path / "bad.json")
    code, out, _ = fedassay(*asked, tmp_path / "good.json")
    good = json.loads((tmp_path / "good.json").read_text())
    assert (code, faulty(good)) == (0, {}), out
    bad = json.loads((tmp_path / "bad.json").read_text())
    faults = faulty(bad)
    assert bad_code == 1
    assert faults
    assert all("reader verify/reading/" in text and ", line " in text for text in faults.values())
    assert next(iter(faults.values())) in " ".join(told.split())
    assert not halted(bad)
    words = [
        {leaf["id"]: leaf["verdict"] for e in ledger["entries"] for leaf in e["leaves"]}
        for ledger in (good, bad)
    ]
    assert words[0].keys() == words[1].keys()
    for key, word in words[0].items():
        assert words[1][key] == word or word == "proved", "only a proof can be missing"


def test_an_error_in_a_leaf_names_a_line_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    from verify.line.written import one_line

    monkeypatch.setattr("verify.ladder.leaf.climb_all", planted)
    made = examine(one_line("x <= 2*x for x in [0, 1]"), Settings())
    assert made.leaf["verdict"] == "inconclusive"
    said = made.leaf["reason"]
    assert said.startswith("stopped by AttributeError in ")
    assert ".py, line " in said
    ledger = {"entries": [{"leaves": [made.leaf]}]}
    assert halted(ledger) == {made.leaf["id"]: said}
