"""The report shows a witness as it is worked out by hand, where it decides an entry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.verify.report.by_hand.cases import told
from tests.verify.report.by_hand.in_a_ledger import violated
from tests.verify.report.outline import Node, Outline, flaws
from verify.report import report
from verify.report.markup import join
from verify.report.tex.mathml import formula

KEY = "adaptive.lemma1@new-model+half-eta-squared+each-run"
"""The first reading of an entry of several."""


def _witnesses(path: Path) -> list[Node]:
    report(path, path.parent / "page.html", force=True)
    root = Outline((path.parent / "page.html").read_text(encoding="utf-8")).root
    assert flaws(root) == []
    return root.all("div", class_="witness")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return violated(tmp_path_factory.mktemp("fallen"), [KEY])


def test_the_deciding_reading_is_worked_out_and_others_are_listed(ledger: Path) -> None:
    shown = _witnesses(ledger)
    by_hand = [one.all("ul", class_="by-hand") for one in shown]
    assert len(shown) > 1
    assert [bool(found) for found in by_hand].count(True) == 1
    for one, found in zip(shown, by_hand, strict=True):
        assert bool(found) != bool(one.all("p", class_="instance"))  # never neither, never both
        assert one.one("code", class_="command").text.endswith("--explain")


def test_every_line_of_the_record_is_in_the_page(ledger: Path) -> None:
    shown = next(one for one in _witnesses(ledger) if one.all("ul", class_="by-hand"))
    made = told(json.loads(ledger.read_text())["entries"][0]["leaves"][0]["id"])
    formulas = [math.attributes["alttext"] for math in shown.all("math")]
    for row in [row for part in made.parts for row in part.rows] + [made.conclusion]:
        assert row.tex in formulas if row.tex else row.words in shown.text
    assert not shown.all("code", class_="tex")  # no raw TeX
    assert "\\" not in shown.text


def test_a_witness_that_is_not_confirmed_is_not_worked_out(tmp_path: Path) -> None:
    path = violated(tmp_path, [KEY])
    for file in (tmp_path / "fallen-witnesses").glob("*.json"):
        content = json.loads(file.read_text())
        content["instance"]["params"]["start"] = ["3/1"]
        file.write_text(json.dumps(content))
    assert not any(one.all("ul", class_="by-hand") for one in _witnesses(path))


def test_unknown_tex_would_be_seen() -> None:
    raw = Outline(join(formula(r"\unknown{x}"))).root
    assert raw.all("code", class_="tex")
