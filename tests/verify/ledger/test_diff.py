"""The difference of two ledgers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from verify.ledger.diff import diff


def test_a_ledger_does_not_differ_from_itself(
    made: Path, fedassay: Callable[..., tuple[int, str, str]]
) -> None:
    path = made / "mine-ledger.json"
    assert diff(path, path) == []
    assert fedassay("diff", path, path, "--strict") == (
        0,
        "no verdict, tightness or witness changed\n",
        "",
    )


def test_changes_are_listed(made: Path, fedassay: Callable[..., tuple[int, str, str]]) -> None:
    old, new = made / "mine-ledger.json", made / "new.json"
    ledger = json.loads(old.read_text())
    mean, wrong, unclear = ledger["entries"]
    mean["verdict"] = mean["leaves"][0]["verdict"] = "holds"
    mean["leaves"][0]["tightness"]["ratio"] = 0.5
    for item in wrong["leaves"][0]["evidence"]:
        if "witness" in item:
            item["witness"]["left"] = "11/2"
    unclear["key"] = unclear["leaves"][0]["id"] = "mine.other"
    new.write_text(json.dumps(ledger))
    found = {(c.key, c.what): (c.before, c.after) for c in diff(old, new)}
    assert found == {
        ("mine.mean", "verdict"): ("proved", "holds"),
        ("mine.mean", "tightness"): ("1", "0.5"),
        ("mine.wrong", "witness"): ("left 5, right 4", "left 11/2 = 5.5, right 4"),
        ("mine.other", "entry"): ("", "not-checkable"),
        ("mine.unclear", "entry"): ("not-checkable", ""),
    }
    assert fedassay("diff", old, new)[0] == 0
    code, out, _ = fedassay("diff", old, new, "--strict")
    assert code == 1
    assert out.splitlines()[0].split() == ["key", "changed", "before", "after"]
