"""Pages that are made of the project: papers, gallery, docstrings."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from figures.places import PLACES
from tests.places import ROOT
from verify.catalogue.entry import is_result
from verify.catalogue.library import library

DOCS = ROOT / "docs"
EXPECTED = ROOT / "tests" / "expected" / "quick.json"


@pytest.fixture(autouse=True)
def _pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(DOCS))
    yield
    for name in [n for n in sys.modules if n.partition(".")[0] == "site_pages"]:
        del sys.modules[name]


def _ledger() -> dict[str, Any]:
    """The committed expected ledger, free to be changed."""
    return dict(json.loads(EXPECTED.read_text()))


def _changed(paper: str, before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str]]:
    """Lines of a paper's page that another ledger changes."""
    from site_pages import papers

    pages = (papers.page(paper, ledger).splitlines() for ledger in (before, after))
    return [(a, b) for a, b in zip(*pages, strict=True) if a != b]


def test_words_come_from_the_ledger() -> None:
    """Another word in the ledger is another word on the page, and nothing else changes."""
    ledger = _ledger()
    key = next(
        k
        for k, word in ledger["entries"].items()
        if word == "violated" and library().entry(k).kind == "claim"
    )
    ledger["entries"][key] = "proved"
    (line,) = _changed(key.partition(".")[0], _ledger(), ledger)
    assert ":violated:" in line[0]
    assert ":proved:" in line[1]


def test_a_page_opens_with_its_main_results() -> None:
    """Word, how it falls and what holds instead are those of the ledger; places come last."""
    from site_pages import papers

    ledger = _ledger()
    ledger["entries"]["hcct.theorem2"] = "violated"
    ledger["fails"]["hcct.theorem2"] = {"kind": "order", "words": "it grows like T"}
    ledger["entries"]["hcct.theorem2.repaired"] = "proved"
    text = papers.page("hcct", ledger)
    table = text.partition(".. list-table:: Main results")[2].partition("All statements")[0]
    row = table.partition("<hcct.theorem2>`\n")[2].split("   * - ")[0]
    assert [cell.strip() for cell in row.strip().split("\n")] == [
        "- :violated:`violated`",
        "- order: it grows like T",
        "- :ref:`repaired form <hcct.theorem2.repaired>` (:proved:`proved`)",
    ]
    results = [e for e in library() if is_result(e.kind, e.form) and e.paper == "hcct"]
    assert all(f"<{e.key}>`" in table for e in results if ledger["entries"][e.key])
    assert text.index("Main results") < text.index("All statements") < text.index("Open places")
    ledger["entries"]["hcct.theorem2.repaired"] = "inconclusive"
    assert "<hcct.theorem2.repaired>" not in papers.page("hcct", ledger)


def test_a_page_has_every_entry_and_every_formula() -> None:
    from site_pages import papers

    ledger = json.loads(EXPECTED.read_text())
    for paper in library().papers:
        text = papers.page(paper, ledger)
        for entry in library():
            if entry.paper == paper:
                assert f"``{entry.key}``" in text
                for leaf in entry.leaves:
                    assert leaf.latex.split("\n")[0] in text


def test_a_file_that_is_no_expected_ledger_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from site_pages import papers

    other = tmp_path / "other.json"
    other.write_text('{"schema": "something/1"}')
    monkeypatch.setenv("FEDASSAY_EXPECTED", str(other))
    with pytest.raises(ValueError, match="schema"):
        papers.write(tmp_path / "papers", EXPECTED)


def test_every_example_has_its_place(tmp_path: Path) -> None:
    from site_pages import examples

    (tmp_path / "docs" / "made").mkdir(parents=True)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "new.py").write_text('"""Something known: and more."""\n')
    page = examples.write(tmp_path / "docs" / "made" / "page.rst", tmp_path / "examples")
    text = page.read_text()
    assert "Something known\n---------------\n" in text
    assert ".. literalinclude:: /../examples/new.py" in text


@pytest.mark.parametrize("place", PLACES[:3], ids=lambda place: place.name)
def test_a_gallery_script_draws_its_figure(place: Any) -> None:
    from site_pages import gallery

    source = gallery.script(place)
    assert ast.get_docstring(ast.parse(source))
    names: dict[str, Any] = {}
    exec(compile(source, place.name, "exec"), names)
    assert names["figure"].axes


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("|g|^2 <= b^2", r"\|g\|^2 <= b^2"),
        ("a * b", r"a \* b"),
        ("* a * b", r"* a \* b"),
        ("theta_ and x_i", r"theta\_ and x_i"),
        ("see `a*b_` and :math:`|x|`", "see `a*b_` and :math:`|x|`"),
        (">>> a * b", ">>> a * b"),
        (".. math:: |x|", ".. math:: |x|"),
    ],
)
def test_marks_stand_for_themselves(line: str, shown: str) -> None:
    from site_pages.docstrings import escaped

    assert escaped([line]) == [shown]


def test_blocks_are_left_alone() -> None:
    from site_pages.docstrings import escaped

    block = [".. math::", "", "   |x| * y_ ", "", "   z_", "after |x|"]
    assert escaped(block) == [*block[:-1], r"after \|x\|"]
    literal = ["as in::", "", "   a * b", "", "a * b"]
    assert escaped(literal) == [*literal[:-1], r"a \* b"]
