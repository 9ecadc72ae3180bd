"""Both readings in a ledger by the real ladder, in every output; forged ones are found."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verify.catalogue.json_files import read_json, write_json
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.axes import Axes
from verify.cli import main
from verify.ledger.diff import diff
from verify.ledger.ledger import SCHEMA
from verify.ledger.readings import in_words
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings

Fedassay = Callable[..., tuple[int, str, str]]
Ledger = dict[str, Any]

FILE = r'''
"""A theorem with two parts and two open places; a corollary that rests on it."""
from verify import Axis, Option, numbers, Real, statement

AXES = (
    Axis("factor", "what 'a multiple' is", (
        Option("five", "'a multiple', Lemma 1", "a multiple is five times"),
        Option("four", "'a multiple', Lemma 1", "a multiple is four times"),
    )),
    Axis("sign", "whether zero is positive", (
        Option("positive", "'positive', Section 2", "zero is not positive"),
        Option("zero", "'positive', Section 2", "zero is positive"),
    )),
)
BOX = numbers({"x": Real(0, 10), "y": Real(0, 10)})


def made(key, factor, **more):
    @statement(key, where="Lemma 1", latex=r"cxy \le (x+y)^2", family=BOX, **more)
    def claim(w):
        return {"product": factor * w.x * w.y}, {"square": (w.x + w.y) ** 2}

    return claim


ALL = (
    made("mine.theorem/a@five", 5), made("mine.theorem/a@four", 4),
    made("mine.theorem/b", 3),
    made("mine.corollary@five+positive", 5, kind="corollary"),
    made("mine.corollary@five+zero", 5, kind="corollary"),
    made("mine.corollary@four", 4, kind="corollary"),
    made("mine.remark", 2, kind="remark"),
)
'''


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Folder of the file and its ledger, made by the real ladder, and what was printed."""
    folder = tmp_path_factory.mktemp("readings")
    (folder / "mine.py").write_text(FILE)
    files = [str(folder / name) for name in ("mine.py", "mine-ledger.json")]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["check", files[0], "-o", files[1], "--jobs", "1", "--all"]) == 0
    return folder, out.getvalue()


@pytest.fixture(scope="module")
def folder(checked: tuple[Path, str]) -> Path:
    """The file and its ledger."""
    return checked[0]


@pytest.fixture
def ledger(folder: Path) -> Ledger:
    return read_json(folder / "mine-ledger.json", SCHEMA)


def line(ledger: Ledger, key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in ledger["entries"] if e["key"] == key)
    return found


def test_the_ledger_says_both_readings(ledger: Ledger) -> None:
    said = ledger["readings"]["mine"]
    assert (said["literal"], said["kindest"]) == (["five", "positive"], ["four", "positive"])
    assert said["stand"] == {"literal": 0, "kindest": 2, "of": 2}
    assert said["missing"] == []
    theorem, corollary = line(ledger, "mine.theorem"), line(ledger, "mine.corollary")
    assert (theorem["verdict"], theorem["stands"]) == ("violated", {"in": 1, "of": 2})
    assert theorem["kindest"] == {"verdict": "proved", "options": ["four"]}
    assert corollary["stands"] == {"in": 2, "of": 4}
    assert line(ledger, "mine.remark")["stands"] is None
    assert in_words(theorem, Axes.from_json(said["axes"])) == (
        "stands if a multiple is four times (in 1 of 2 readings)"
    )


def test_every_output_says_so(checked: tuple[Path, str], fedassay: Fedassay) -> None:
    folder, out = checked
    path = folder / "mine-ledger.json"
    beside = "stands if a multiple is four times (in 1 of 2 readings)"
    assert beside in next(row for row in out.splitlines() if row.startswith("mine.theorem "))
    assert "mine: 0 of 2 main results stand as the words say." in out
    assert (
        "Read as follows 2 do, theorem, corollary among them:\n  - a multiple is four times" in out
    )
    witness = folder / line(read_json(path, SCHEMA), "mine.theorem")["witness"]
    told = fedassay("replay", witness, "--trust", "--explain")[1]
    assert "Reading: a multiple is five times; 'a multiple', Lemma 1" in told
    assert "Read so that a multiple is five times ('a multiple', Lemma 1)." in told
    assert fedassay("audit", path)[0] == 0


def test_a_witness_says_what_is_printed(made: Path) -> None:
    witness = json.loads((made / "mine-ledger-witnesses" / "mine.wrong.json").read_text())
    assert witness["given"] == {"x at least 1": {"tag": "added", "where": ""}}


def forge_kindest(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["kindest"] = ["four", "zero"]


def forge_count(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["stand"]["literal"] = 2


def forge_word(ledger: Ledger) -> None:
    line(ledger, "mine.theorem")["verdict"] = "proved"


def forge_entry(ledger: Ledger) -> None:
    line(ledger, "mine.theorem")["kindest"] = None


def forge_stands(ledger: Ledger) -> None:
    line(ledger, "mine.corollary")["stands"]["in"] = 4


def forge_silence(ledger: Ledger) -> None:
    del line(ledger, "mine.corollary")["stands"]


def forge_axis(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["axes"].pop()


def forge_order(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["axes"][0]["options"].reverse()


def forge_loss(ledger: Ledger) -> None:
    line(ledger, "mine.theorem")["leaves"].pop(0)


def forge_missing(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["missing"].append("mine.theorem")


def forge_paper(ledger: Ledger) -> None:
    ledger["readings"]["other"] = ledger["readings"]["mine"]


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (forge_kindest, "mine: kindest is ['four', 'zero'], the entries give ['four', 'positive']"),
        (forge_count, "mine: stand is {'literal': 2"),
        (forge_word, "mine.theorem: verdict is 'proved', its leaves give 'violated'"),
        (forge_entry, "mine.theorem: kindest is None, its leaves give {'verdict': 'proved'"),
        (forge_stands, "mine.corollary: stands is {'in': 4"),
        (forge_silence, "mine.corollary: stands is None"),
        (forge_axis, "options of mine.corollary@five+positive must be among"),
        (forge_order, "mine.theorem: verdict is 'violated', its leaves give 'proved'"),
        (forge_loss, "mine.theorem/a under five: no leaf"),
        (forge_missing, "said to be missing, but here: mine.theorem"),
        (forge_paper, "other: readings of a paper that has no open places here"),
    ],
)
def test_a_forged_reading_is_found(
    folder: Path, ledger: Ledger, forge: Callable[[Ledger], None], message: str, fedassay: Fedassay
) -> None:
    forge(ledger)
    path = folder / "forged.json"
    write_json(path, json.loads(json.dumps(ledger)))
    code, out, err = fedassay("audit", path)
    assert (code, err) == (1, "")
    assert message in out


def test_diff_names_a_changed_reading(folder: Path, ledger: Ledger) -> None:
    forge_kindest(ledger)
    forge_stands(ledger)
    write_json(folder / "other.json", ledger)
    found = {
        (c.key, c.what): (c.before, c.after)
        for c in diff(folder / "mine-ledger.json", folder / "other.json")
    }
    assert found == {
        ("mine", "kindest"): ("four+positive", "four+zero"),
        ("mine.corollary", "readings"): (
            "stands in 2 of 4, proved@four",
            "stands in 4 of 4, proved@four",
        ),
    }


def test_a_partial_ledger_counts_what_it_has_and_says_what_is_missing(
    folder: Path, fedassay: Fedassay, tmp_path: Path
) -> None:
    origin = Origin.of(folder / "mine.py")
    known = load_statements(origin)
    some = known.select(["mine.corollary"])
    made = LedgerRun(known, some, Settings(jobs=1), tmp_path / "a.json", origin).finish()
    said = made["readings"]["mine"]
    assert said["missing"] == ["mine.theorem"]
    assert said["stand"] == {"literal": 0, "kindest": 1, "of": 1}
    assert fedassay("audit", tmp_path / "a.json")[0] == 0
