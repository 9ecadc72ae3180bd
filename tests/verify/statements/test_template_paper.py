"""Adding a paper: the template, copied beside the others, joins library and ladder by itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import verify
from tests.places import TESTS

TEMPLATE = TESTS / "template_paper"
ROOT = Path(verify.__file__).parents[1]
PROGRAM = """
import sys, verify.statements
verify.statements.__path__.append(sys.argv.pop(1))
from verify.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder with a copy of the template, as a new paper's folder."""
    shutil.copytree(TEMPLATE, tmp_path / "papers" / "template_paper")
    return tmp_path / "papers"


def fedassay(papers: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line with one more paper, in a process of its own."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(papers), *arguments],
        cwd=papers,
        text=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


def test_the_new_paper_is_listed_in_the_order_of_its_sheet(papers: Path) -> None:
    out = fedassay(papers, "list", "--paper", "template_paper").stdout
    keys = [line.split()[0] for line in out.splitlines() if line.startswith("template_paper")]
    assert keys == [
        "template_paper.lemma1",
        "template_paper.theorem1",
        "template_paper.theorem1.repaired",
    ]


def test_its_statements_show_their_hypotheses(papers: Path) -> None:
    out = fedassay(papers, "show", "template_paper.lemma1", "--all").stdout
    assert r"assumes     step at most 1/beta: \eta\le 1/\beta  (Lemma 1)" in out
    assert "| Proof. The descent lemma for the step 1/beta at most." in out


def test_its_statements_climb_the_ladder(papers: Path) -> None:
    done = fedassay(
        papers, "run", "template_paper.*", "--jobs", "1", "--json", str(papers / "ledger.json")
    )
    assert done.returncode == 0, done.stderr
    ledger = json.loads((papers / "ledger.json").read_text())
    assert {entry["key"]: entry["verdict"] for entry in ledger["entries"]} == {
        "template_paper.lemma1": "holds",
        "template_paper.theorem1": "violated",
        "template_paper.theorem1.repaired": "holds",
    }


def test_an_identifier_that_is_not_on_the_sheet_is_refused(papers: Path) -> None:
    sheet = papers / "template_paper" / "__init__.py"
    sheet.write_text(sheet.read_text().replace("theorem1", "theorem2"))
    done = fedassay(papers, "list")
    assert done.returncode == 2
    assert "a form of an identifier of the paper's SHEET" in done.stderr
