"""What was found before a time limit is kept, and what is printed stays short."""

from __future__ import annotations

from typing import Any

import pytest

from verify import Real, check, numbers, statement
from verify.ladder import leaf as ladder
from verify.ledger.witness import recomputed
from verify.run.tasks import Settings, Task, stopped

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
    assert found.reason == "time limit: stopped after 0.5 s"


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
