"""Adding a paper: the one that the documentation walks through is made from its page, and run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import HANGS
from tests.places import ROOT

PAGE = ROOT / "docs" / "new_paper.rst"
FILE = re.compile(r"literalinclude:: (\S+)\n   :language: python\n   :caption: (\S+)\n")
LINE = re.compile(r"code-block:: diff\n   :caption: (\S+)\n\n    (.*)\n   \+(.*)\n")
COMMAND = re.compile(r"^   \$ fedassay (.*?) +# not run here$", re.MULTILINE)
WRITTEN = ("fedassay-ledger.json*", "witnesses", "report.html")
"""What a run in the checkout has left there: a run in the copy would put its lines into it."""
NO_CODE = ("__pycache__", ".*", "_build", "_generated", "docs", "shared")
LEFT_OUT = shutil.ignore_patterns(*NO_CODE, *WRITTEN)
ONE_PROCESS = {"run": ("--jobs", "1")}
LIMIT = HANGS


def files() -> dict[str, Path]:
    """New files of the page, and what stands in them."""
    return {there: PAGE.parent / here for here, there in FILE.findall(PAGE.read_text())}


def lines() -> list[tuple[str, str, str]]:
    """Edited lines of the page: file, the line above, the new line."""
    return LINE.findall(PAGE.read_text())


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A process that sees the packages of a folder, in it."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        text=True,
        capture_output=True,
        timeout=LIMIT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        check=False,
    )


def fedassay(folder: Path, *arguments: str) -> str:
    """What the command line of a folder prints; it must end well."""
    done = python(folder, "-m", "verify.cli", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def suite(folder: Path, *chosen: str) -> subprocess.CompletedProcess[str]:
    """Tests of a folder."""
    return python(folder, "-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", *chosen)


def replaced(path: Path, old: str, new: str) -> str:
    """Write something else in a place of a file; what stood in the file."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    return text


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages and tests with the page's files and lines."""
    folder = tmp_path_factory.mktemp("six") / "copy"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    for there, here in files().items():
        assert not (folder / there).exists()
        (folder / there).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(here, folder / there)
    for there, above, new in lines():
        replaced(folder / there, f"{above}\n", f"{above}\n{new}\n")
    return folder


@pytest.fixture(scope="module")
def printed(six: Path) -> list[str]:
    """What the commands of the page print there: ledger, expected ledger, figure, report."""
    typed = [shlex.split(line) for line in COMMAND.findall(PAGE.read_text())]
    assert [words[0] for words in typed] == ["list", "run", "diff", "figures", "figures", "report"]
    # another process would spend more on its imports than on two statements
    return [fedassay(six, *words, *ONE_PROCESS.get(words[0], ())) for words in typed]


@pytest.fixture(scope="module")
def kept(six: Path, printed: list[str]) -> Path:
    """The copy after these commands."""
    return six


def test_two_statements_a_method_and_a_figure_are_five_files_and_two_lines() -> None:
    assert len(files()) == 5
    assert len(lines()) == 2
    # what the page includes or edits, and nothing of it in another form
    page = PAGE.read_text()
    assert len(re.findall(r"^\s+\+", page, re.MULTILINE)) == page.count("code-block:: diff") == 2
    assert page.count("literalinclude::") == 5
    used = {path.name for path in files().values()}
    assert used == {path.name for path in (ROOT / "tests" / "new_paper").glob("*.py")}


@pytest.mark.slow
def test_the_new_paper_is_listed_in_the_order_of_its_sheet(printed: list[str]) -> None:
    keys = [line.split()[0] for line in printed[0].splitlines() if line.startswith("anchor")]
    assert keys == ["anchor.lemma1", "anchor.theorem1"]


@pytest.mark.slow
def test_the_new_figure_is_listed(six: Path) -> None:
    """The default tests draw it by its name."""
    assert "anchored " in fedassay(six, "figures", "--list")


def test_its_statements_show_their_hypotheses(six: Path) -> None:
    out = fedassay(six, "show", "anchor.lemma1", "--all")
    assert r"assumes     short step: \eta\le\tfrac1{\beta+\lambda}  (Lemma 1)" in out
    assert "| Proof. At its start f + lambda" in out


def test_its_statements_climb_the_ladder_and_stand_in_the_report(kept: Path) -> None:
    ledger = json.loads((kept / "fedassay-ledger.json").read_text())
    assert {entry["key"]: entry["verdict"] for entry in ledger["entries"]} == {
        "anchor.lemma1": "holds",
        "anchor.theorem1": "holds",
    }
    page = (kept / "report.html").read_text()
    assert "id=e-anchor.theorem1" in page
    assert "Distance from the start under a pull" in page


@pytest.mark.slow
def test_its_figure_is_what_is_computed(kept: Path) -> None:
    assert "anchored: agrees" in fedassay(kept, "figures", "anchored", "--check")


WHOLE = (
    "tests/algorithms/reference/test_twins.py",
    "tests/algorithms/test_hyper_names.py",
    "tests/figures/test_figures.py::test_every_module_is_a_figure_and_has_data",
    "tests/figures/test_figures.py::test_titles_differ_and_the_ladder_s_own_figures_come_last",
    "tests/verify/ledger/test_expected.py::test_every_leaf_of_the_library_is_expected",
    "tests/verify/rates/test_records.py",
)
"""Tests over all methods, figures or papers, which a sixth must pass."""


@pytest.mark.slow
def test_the_tests_over_all_methods_figures_and_papers_pass(kept: Path) -> None:
    done = suite(kept, *WHOLE)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
def test_a_false_theorem_falls(six: Path) -> None:
    module = six / "verify/statements/anchor/descent.py"
    before = replaced(module, "share**2 * whole", "share**4 * whole")
    try:
        out = fedassay(six, "run", "anchor.theorem1", "--jobs", "1", "-o", "false.json")
    finally:
        module.write_text(before)
    assert "1 violated" in out


@pytest.mark.slow
def test_a_twin_that_says_something_else_is_seen(six: Path) -> None:
    twin = six / "algorithms/reference/anchored.py"
    before = replaced(twin, "(x - y)", "(x + y)")
    try:
        done = suite(six, WHOLE[0])
    finally:
        twin.write_text(before)
    assert done.returncode == 1
    assert "anchored" in done.stdout


def test_an_identifier_of_the_sheet_without_a_statement_is_refused(six: Path) -> None:
    sheet = six / "verify/statements/anchor/__init__.py"
    before = replaced(sheet, "lemma1 theorem1", "lemma1 theorem1 theorem2")
    try:
        done = python(six, "-m", "verify.cli", "list")
    finally:
        sheet.write_text(before)
    assert done.returncode == 2
    assert "SHEET of anchor must be identifiers that have a statement each" in done.stderr


def test_a_statement_that_is_not_on_the_sheet_is_refused(six: Path) -> None:
    sheet = six / "verify/statements/anchor/__init__.py"
    before = replaced(sheet, "lemma1 theorem1", "lemma1")
    try:
        done = python(six, "-m", "verify.cli", "list")
    finally:
        sheet.write_text(before)
    assert done.returncode == 2
    assert "a form of an identifier of the paper's SHEET" in done.stderr
