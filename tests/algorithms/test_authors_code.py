"""Every method says how it stands to its authors' code, in its file and on the page."""

from __future__ import annotations

import re
import sys

from algorithms.registry import METHODS, load_method
from tests.algorithms.reference import paper_loops
from tests.each import each
from tests.places import ROOT

PAGE = (ROOT / "docs" / "methods.rst").read_text(encoding="utf-8")
SAID = re.compile(
    r"differs\s+from\s+the\s+authors'\s+code\s+in|"
    r"not\s+compared\s+with\s+code\s+of\s+the\s+authors",
    re.IGNORECASE,
)


def rows() -> dict[str, list[str]]:
    """The page's table: method to its other cells."""
    found: dict[str, list[str]] = {}
    for row in PAGE.split("   * - ")[2:]:
        first, *cells = re.split(r"\n     -", row.split("\n\nNumbers")[0])
        for name in re.findall(r"``(\w+)``", first):
            found[name] = [" ".join(cell.split()) for cell in cells]
    return found


@each("name", METHODS)
def test_the_file_of_a_method_says_it(name: str) -> None:
    assert SAID.search(sys.modules[type(load_method(name)).__module__].__doc__ or "")


def test_a_file_that_says_nothing_is_seen() -> None:
    """The negative control of the test above."""
    assert not SAID.search(paper_loops.__doc__ or "")


@each("name", METHODS)
def test_the_page_has_a_row_for_it(name: str) -> None:
    loop, differs, option = rows()[name]
    assert (loop == "yes") == hasattr(paper_loops, name)
    assert differs
    for word in re.findall(r"``(\w+)(?:=\"(\w+)\")?``", option):
        method = load_method(name)
        assert word[0] in (*method.axes, *method.settings)


def test_the_page_has_no_other_rows() -> None:
    assert set(rows()) == set(METHODS)


def test_the_methods_with_weights_are_those_of_the_page() -> None:
    listed = set(re.findall(r"``(\w+)``", PAGE.split("Numbers of samples")[1]))
    taking = {name for name in METHODS if "client_weights" in load_method(name).axes}
    assert listed == taking | {"client_weights", "fedfa"}
