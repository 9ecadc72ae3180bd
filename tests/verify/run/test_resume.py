"""Nothing is lost: killed runs go on, parts go into the whole, two runs do not meet."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests.patience import HANGS
from tests.verify.conftest import claim
from verify.catalogue.library import Library
from verify.ledger.ledger import DEFAULT_NAME, Finding
from verify.run.journal import Journal, part_path
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
from verify.verdict.evidence import Evidence

Fedassay = Callable[..., tuple[int, str, str]]
ALONE = Settings(jobs=1)
KEYS = ("p.a", "p.b/x", "p.b/y", "p.c")


@pytest.fixture
def known(
    monkeypatch: pytest.MonkeyPatch, ladder: dict[str, Any], proof: list[Evidence]
) -> Library:
    """Four entries: one proved by a link, one in two parts, one with a witness."""
    made = Library([*map(claim, KEYS), claim("p.a.empty", form="empty")])
    monkeypatch.setattr("verify.run.tasks.library", lambda: made)
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
    broken = [Evidence("simulation", "undecided", "mean above", witness=numbers)]
    ladder.update({"p.a.empty": proof, "p.b/x": proof, "p.b/y": proof, "p.c": broken})
    return made


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def started(known: Library, path: Path, *keys: str, **more: Any) -> LedgerRun:
    return LedgerRun(known, known.select(keys), more.pop("settings", ALONE), path, **more)


def test_a_journal_cut_anywhere_goes_on_to_the_same_ledger(
    known: Library, ladder: dict[str, Any], tmp_path: Path
) -> None:
    """Every cut: between two lines, inside one, inside the head."""
    path = tmp_path / "whole" / DEFAULT_NAME
    journals: list[bytes] = []
    run = started(known, path)
    run.finish(lambda *_: journals.append(part_path(path).read_bytes()))
    whole = contents(path.parent)
    assert set(whole) == {DEFAULT_NAME, "witnesses/p.c.json"}
    lines = journals[-1].splitlines(keepends=True)
    assert len(lines) == 1 + len(KEYS) + 1
    ends = [sum(map(len, lines[: k + 1])) for k in range(len(lines))]
    cuts = [ends[0], *(end + step for end in ends[1:] for step in (-20, -1, 0))]
    for number, cut in enumerate(cuts):
        again = tmp_path / str(number) / DEFAULT_NAME
        again.parent.mkdir()
        part_path(again).write_bytes(journals[-1][:cut])
        ladder["links"].clear()
        started(known, again, resume=True).finish()
        assert contents(again.parent) == whole
        assert len(ladder["links"]) == sum(cut < end for end in ends[1:])


def test_what_was_stopped_is_tried_again(known: Library, tmp_path: Path) -> None:
    path = tmp_path / DEFAULT_NAME
    journals: list[bytes] = []
    started(known, path).finish(lambda *_: journals.append(part_path(path).read_bytes()))
    whole = contents(tmp_path)
    head, *rest = journals[-1].splitlines(keepends=True)
    spoilt = json.loads(rest[-1])
    spoilt["leaf"]["evidence"] = [{"rung": "search", "status": "stopped", "summary": "died"}]
    again = tmp_path / "again" / DEFAULT_NAME
    again.parent.mkdir()
    part_path(again).write_bytes(b"".join([head, *rest[:-1], json.dumps(spoilt).encode() + b"\n"]))
    started(known, again, resume=True).finish()
    assert contents(again.parent) == whole


def interrupted(known: Library, ladder: dict[str, Any], path: Path) -> None:
    before, ladder["p.c"] = ladder["p.c"], KeyboardInterrupt()
    started(known, path).finish()
    ladder["p.c"] = before


def test_an_unfinished_run_is_not_given_up_in_silence(
    known: Library, ladder: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / DEFAULT_NAME
    interrupted(known, ladder, path)
    before = contents(tmp_path)
    for settings in (ALONE, Settings(profile="default", jobs=1, seed=1)):
        with pytest.raises(InvalidInput, match="free of an unfinished run, got .* 4 finished"):
            LedgerRun(
                known, known.select(()), settings, tmp_path / DEFAULT_NAME, fresh=False
            ).finish()
        assert contents(tmp_path) == before
    started(known, path, fresh=True).finish()
    assert not part_path(path).exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "seed must be that of the unfinished run, 0, got 1"),
        ({"profile": "default"}, "profile must be that of the unfinished run, quick"),
    ],
)
def test_a_run_goes_on_as_it_began(
    known: Library, ladder: dict[str, Any], tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / DEFAULT_NAME
    interrupted(known, ladder, path)
    path.unlink()
    before = contents(tmp_path)
    with pytest.raises(InvalidInput, match=message):
        started(known, path, settings=Settings(jobs=1, **change), resume=True).finish()
    assert contents(tmp_path) == before


def test_other_code_does_not_go_on_with_a_run(
    known: Library, ladder: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / DEFAULT_NAME
    interrupted(known, ladder, path)
    monkeypatch.setattr("verify.run.runner.code_digest", lambda: "other")
    with pytest.raises(InvalidInput, match="code must be as it was when the run began"):
        started(known, path, resume=True).finish()
    started(known, path).finish()  # it cannot be gone on with, so nothing is lost by a new one
    assert not part_path(path).exists()


def test_there_must_be_something_to_go_on_with(known: Library, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="--resume must be about an unfinished run"):
        started(known, tmp_path / DEFAULT_NAME, resume=True)
    part_path(tmp_path / DEFAULT_NAME).write_text("my notes")
    for resume in (True, False):
        with pytest.raises(InvalidInput, match="unfinished run must be a fedassay-part/1 file"):
            started(known, tmp_path / DEFAULT_NAME, resume=resume).finish()
    assert contents(tmp_path) == {f"{DEFAULT_NAME}.part": b"my notes"}


def test_a_part_goes_into_the_whole(
    known: Library, ladder: dict[str, Any], proof: list[Evidence], tmp_path: Path
) -> None:
    path = tmp_path / DEFAULT_NAME
    started(known, path).finish()
    before = json.loads(path.read_text())
    ladder["links"].clear()
    ladder["p.b/x"] = []
    started(known, path, "p.b").finish()
    after = json.loads(path.read_text())
    assert set(ladder["links"]) == {"p.b/x", "p.b/y"}
    assert [e["key"] for e in after["entries"]] == [e["key"] for e in before["entries"]]
    changed = [a["key"] for a, b in zip(after["entries"], before["entries"], strict=True) if a != b]
    assert changed == ["p.b"]
    assert after["complete"]
    ladder["links"].clear()
    started(known, path, "p.a.empty").finish()  # what rests on it is made anew with it
    assert set(ladder["links"]) == {"p.a", "p.a.empty"}


def test_a_part_made_otherwise_is_refused(known: Library, tmp_path: Path) -> None:
    path = tmp_path / DEFAULT_NAME
    started(known, path).finish()
    before = contents(tmp_path)
    other = Settings(jobs=1, seed=3)
    with pytest.raises(InvalidInput, match="made with the same profile, seed, .* 3 other entries"):
        started(known, path, "p.b", settings=other)
    assert contents(tmp_path) == before
    started(known, path, settings=other).finish()  # all of it: nothing is lost
    assert json.loads(path.read_text())["seed"] == 3


def test_half_a_run_does_not_take_the_place_of_a_ledger_made_otherwise(
    known: Library, ladder: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / DEFAULT_NAME
    started(known, path).finish()
    before = path.read_bytes()
    ladder["p.c"] = KeyboardInterrupt()
    run = started(known, path, settings=Settings(jobs=1, seed=3))
    run.finish()
    assert (run.interrupted, run.unwritten) == (True, True)
    assert path.read_bytes() == before
    assert part_path(path).exists()


def test_keys_that_are_gone_are_named(known: Library, tmp_path: Path) -> None:
    path = tmp_path / DEFAULT_NAME
    started(known, path).finish()
    fewer = Library([claim("p.a"), claim("p.b/x"), claim("p.b/y")])
    run = started(fewer, path, "p.a")
    run.finish()
    assert run.dropped == ("p.c", "p.a.empty")
    assert [e["key"] for e in json.loads(path.read_text())["entries"]] == ["p.a", "p.b"]
    with pytest.raises(InvalidInput, match="one about q, got .* about p"):
        started(Library([claim("q.a")]), path)


def test_a_second_run_is_refused_while_the_first_writes(known: Library, tmp_path: Path) -> None:
    path = tmp_path / DEFAULT_NAME
    refused = []

    def second(*_: Any) -> None:
        with pytest.raises(InvalidInput, match="which another run is writing") as caught:
            started(known, path).finish()
        refused.append(caught)

    started(known, path).finish(second)
    assert len(refused) == len(KEYS) + 1
    assert not part_path(path).exists()
    started(known, path).finish()


def test_statements_whose_witnesses_would_meet_are_refused(tmp_path: Path) -> None:
    both = Library([claim("p.a/x"), claim("p.a_x")])
    with pytest.raises(InvalidInput, match="rename one of the two"):
        started(both, tmp_path / DEFAULT_NAME)


def test_a_full_disk_is_named_and_the_ledger_stays(
    known: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / DEFAULT_NAME
    started(known, path).finish()
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    run = started(known, path)
    with monkeypatch.context() as patched:
        patched.setattr("verify.catalogue.whole_files.os.replace", full)
        with pytest.raises(InvalidInput, match=r"witnesses/p.c.json \(No space left on device\)"):
            run.finish()
    assert path.read_bytes() == before
    started(known, path, resume=True).finish()
    assert not part_path(path).exists()


def test_journals_are_locked_by_the_open_file(tmp_path: Path) -> None:
    path = tmp_path / "x.part"
    with Journal(path, {"schema": "fedassay-part/1"}), pytest.raises(InvalidInput, match="free"):
        Journal(path, {"schema": "fedassay-part/1"})
    assert not path.exists()


FILE = """
from verify import Family, Real, Source, Statement
BOX = Family({"x": Real(0, 10), "y": Real(0, 10)}, about="two numbers")
made = tuple(
    Statement(key=f"mine.c{k}", source=Source("mine", "Lemma"), latex="", family=BOX,
              sides=lambda w, k=k: ({"product": (2 + k) * w.x * w.y}, {"square": (w.x + w.y)**2}))
    for k in range(5)
)
"""


@pytest.mark.slow
def test_killed_at_ten_random_moments(tmp_path: Path) -> None:
    """One run, killed with all its processes again and again; times apart, the same bytes."""
    (tmp_path / "mine.py").write_text(FILE)
    command = [sys.executable, "-m", "verify.cli", "check", "mine.py", "--jobs", "2"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def run(*more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*command, *more],
            cwd=tmp_path,
            env=env,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    begin = time.monotonic()
    assert run("--json", "whole.json").wait(timeout=HANGS) == 0
    spent = time.monotonic() - begin
    moments, killed = random.Random(11), 0
    part = tmp_path / "mine-ledger.json.part"
    while killed < 10:
        child = run(*(["--resume"] if part.exists() else ["--fresh"]))
        time.sleep(spent * moments.uniform(0.3, 1.0))
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            killed += 1
        child.wait()
    assert run(*(["--resume"] if part.exists() else ["--fresh"])).wait(timeout=HANGS) == 0
    assert untimed(tmp_path / "mine-ledger.json") == untimed(tmp_path / "whole.json")
    assert not part.exists()


def untimed(path: Path) -> str:
    """Bytes of a ledger without what a clock said, and with the folder of its witnesses alike."""
    made = json.loads(path.read_text())
    for entry in made["entries"]:
        del entry["timing"]
    return json.dumps(made).replace(f"{path.stem}-witnesses", "witnesses")


def test_what_a_corpus_keeps_is_in_the_journal(tmp_path: Path) -> None:
    """A run that goes on keeps the instances of the leaves that were finished before."""
    path, head = tmp_path / "x.part", {"schema": "fedassay-part/1", "keys": []}
    leaf = {"id": "p.a", "evidence": []}
    made = Finding(leaf, None, 0.5, {"code": "c", "kept": {"families": []}})
    with Journal(path, head) as journal:
        journal.add(made)
        journal.add(replace(made, leaf={**leaf, "id": "p.b"}, kept=None))
    with Journal(path, head, resume=True) as journal:
        assert journal.findings["p.a"] == made
        assert journal.findings["p.b"].kept is None
