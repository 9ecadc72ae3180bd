"""What was found before a time limit is kept, and what is printed stays short."""

from __future__ import annotations

import re
from typing import Any

import pytest

from verify import Real, check, numbers, statement
from verify.ladder import leaf as ladder
from verify.ledger.witness import recomputed
from verify.run.tasks import Settings, Task, stopped
from verify.verdict.evidence import Evidence

BOX = {"x": Real(0, 10), "y": Real(0, 10)}


def claim(factor: int) -> Any:
    @statement("mine.mean", latex="x", family=numbers(BOX))
    def mean(w: Any) -> Any:
        return {"product": factor * w.x * w.y}, {"square": (w.x + w.y) ** 2}

    return mean


def endless(*_: Any, **__: Any) -> Any:
    while True:
        sum(range(1000))


def test_a_witness_found_before_the_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "_laws", endless)
    found = check(claim(5), limit=1.0)
    assert found.verdict == "violated"
    assert "nothing after that was looked at (time limit: stopped after 1 s)" in found.reason
    assert found.witness is not None
    assert recomputed(claim(5), found.witness).confirmed


def test_a_proof_found_before_the_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "measure_power", endless)
    found = check(claim(4), limit=2.0)
    assert found.verdict == "proved"
    assert "time limit: stopped after 2 s" in found.reason


def loud(w: Any) -> Any:
    print("x is", "y" * 1000)
    print("and more", end="\n\n")
    return {"product": 5 * w.x * w.y}, {"square": (w.x + w.y) ** 2}


def program(w: Any) -> Any:
    assert (w.x >= 0).all()  # what asks for a truth value is no term, and is called each time
    return loud(w)


@pytest.mark.parametrize(("sides", "count"), [(loud, 3), (program, 6)])
def test_prints_of_a_statement_are_few_and_no_part_of_the_answer(
    sides: Any, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    made = statement("mine.loud", latex="x", family=numbers(BOX))(sides)
    assert check(made).verdict == "violated"
    print("seen")
    out, err = capsys.readouterr()
    first, *_, last = lines = err.splitlines()
    assert out == "seen\n"
    assert len(lines) == count
    assert first == f"mine.loud prints: x is {'y' * 195}"
    assert last.startswith("mine.loud prints")
    assert (" more lines" in last) == (sides is program)  # what is traced is called once


def test_a_search_that_was_cut_is_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "climb_all", endless)
    found = check(claim(4), limit=0.5)
    assert found.verdict == "inconclusive"
    assert found.witness is None
    said = "time limit: stopped after 0.5 s; until then no rung had come to its end"
    assert found.reason == said


def test_a_search_that_was_cut_tells_how_far_it_came() -> None:
    line = "sin(x)*cos(y)*exp(x*y) <= 4 + x^2*y^2 + exp(3*x) for x, y in [0, 1]"
    found = check(line, limit=0.05)
    assert found.verdict == "inconclusive"
    told = re.search(r"until then (\d+) instances[;,] largest ratio ([\d.]+)", found.reason)
    assert told is not None
    assert int(told[1]) > 0
    assert 0 < float(told[2]) < 1


def test_a_leaf_that_was_cut_names_its_last_rung() -> None:
    done = Evidence("search", "decided", "", counted=17, worst=0.5)
    late = stopped(Task("mine.mean", Settings()), "time limit", [(done.to_json(), None)])
    assert "17 instances, largest ratio 0.5, and the rung search was done" in late.leaf["reason"]


def test_what_a_killed_worker_had_reported_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Any] = []
    whole = check(claim(5))
    monkeypatch.setattr("verify.run.tasks.listened", lambda: True)
    monkeypatch.setattr("verify.run.tasks.report", said.append)
    monkeypatch.setattr(Task, "statement", lambda task: claim(5))
    from verify.run.tasks import work

    work(Task("mine.mean", Settings()))
    late = stopped(Task("mine.mean", Settings(limit=3.0)), "time limit: stopped after 3 s", said)
    assert late.leaf["verdict"] == whole.verdict == "violated"
    assert late.witness == whole.witness
    assert "time limit" in late.leaf["reason"]
    before = [part for part in said if part[1] is None]
    assert stopped(Task("mine.mean", Settings()), "x", before[:1]).leaf["verdict"] == "inconclusive"
