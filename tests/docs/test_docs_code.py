"""Every block of code in the documentation runs, and prints what the page says."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.patience import HANGS
from tests.places import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.rst"))
SKIPPED = "# not run here"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
LIMIT = HANGS


@dataclass(frozen=True)
class Block:
    """A block of code on a page: its language, the file that it is, if any, and its text."""

    language: str
    caption: str
    text: str


def blocks(page: str) -> list[Block]:
    """Code blocks of a page, in order."""
    lines, found = page.splitlines(), []
    for k, line in enumerate(lines):
        opened = re.fullmatch(r"( *)\.\. code-block:: *(\w*)", line)
        if opened is None:
            continue
        inner = len(opened[1]) + 3
        body = []
        for other in lines[k + 1 :]:
            if other.strip() and not other.startswith(" " * inner):
                break
            body.append(other[inner:])
        caption = next((o.split(":", 2)[2].strip() for o in body if o.startswith(":caption:")), "")
        text = [o for o in body if not o.startswith(":caption:")]
        found.append(Block(opened[2], caption, "\n".join(text).strip("\n") + "\n"))
    return found


def commands(text: str) -> list[tuple[str, str]]:
    """Commands of a console, each with the output that it must have."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return [(command, "\n".join(output).strip("\n") + "\n") for command, output in found]


def agrees(expected: str, printed: str) -> bool:
    """Whether lines are the same up to white space; ``...`` stands for anything.

    On a line of its own it stands for any number of lines, none of them included.
    """
    pattern = ""
    for line in expected.split("\n"):
        words = re.escape(" ".join(line.split())).replace(re.escape("..."), ".*")
        pattern += "(?:.*\n)*" if words == ".*" else f"{words}\n"
    seen = "\n".join(" ".join(line.split()) for line in printed.split("\n"))
    return re.fullmatch(pattern.rstrip("\n") + "\n*", seen + "\n") is not None


def execute(page: str, folder: Path) -> list[str]:
    """Run all blocks of a page in a folder; what differs from the page."""
    wrong: list[str] = []
    names: dict[str, object] = {}
    for block in blocks(page):
        if block.language in ("python", "latex", "text") and block.caption:
            (folder / block.caption).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            for command, expected in commands(block.text):
                if SKIPPED not in command:
                    wrong += console(command, expected, folder)
        elif block.language == "pycon":
            example = doctest.DocTestParser().get_doctest(block.text, names, "page", None, 0)
            heard: list[str] = []
            runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
            runner.run(example, out=heard.append, clear_globs=False)
            names.update(example.globs)
            wrong += ["".join(heard)] if runner.failures else []
        elif block.language == "diff":
            continue  # tests/verify/statements/test_new_paper.py makes these edits
        else:
            wrong.append(f"nobody runs a block of {block.language or 'no language'}")
    return wrong


def console(command: str, expected: str, folder: Path) -> list[str]:
    """Run one command line; what differs."""
    words = shlex.split(command)
    programs = {"fedassay": ["-m", "verify.cli"], "python": []}
    if words[0] not in programs:
        return [f"nobody runs {words[0]}"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *programs[words[0]], *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**os.environ, "PYTHONPATH": path},
    )
    printed = done.stdout + done.stderr
    if done.returncode:
        return [f"{command}: exit status {done.returncode}\n{printed}"]
    if not expected.strip() or agrees(expected, printed):
        return []
    return [f"{command} printed\n{printed}\nwhere the page has\n{expected}"]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if "collaborate" in text:
        pytest.importorskip("sklearn", reason="the extra [data] is not installed")
    assert execute(text, tmp_path) == []


def test_pages_have_code_and_few_exceptions() -> None:
    texts = {page.stem: page.read_text(encoding="utf-8") for page in PAGES}
    files = [b.caption for text in texts.values() for b in blocks(text) if b.caption]
    assert len(files) >= 9
    # installing, and what tests/verify/statements/test_new_paper.py types where the paper is made
    skipped = {stem: text.count(SKIPPED) for stem, text in texts.items() if SKIPPED in text}
    assert skipped == {"start": 1, "new_paper": 6}


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a  b\n...\nc\n", "a b\nc\n", True),
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a...\n", "a b c\n", True),
        ("a (1)...\n", "a (1)\n", True),
        ("...\n", "", True),
        ("a\n", "a\nb\n", False),
        ("a...\n", "a\nb\n", False),
        ("a\n...\nc\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_dots_stand_for_anything(expected: str, printed: str, same: bool) -> None:
    assert agrees(expected, printed) == same


FALSE = {
    "an output": ".. code-block:: pycon\n\n   >>> 1 + 1\n   3\n",
    "a printed line": ".. code-block:: console\n\n   $ fedassay --version\n   fedassay none\n",
    "a failing command": ".. code-block:: console\n\n   $ fedassay show nothing\n   ...\n",
    "another program": ".. code-block:: console\n\n   $ rm nothing\n",
    "an unknown language": ".. code-block:: text\n\n   anything\n",
    "code without a file": ".. code-block:: python\n\n   x = 1\n",
}


@pytest.mark.parametrize("what", FALSE)
def test_a_false_page_is_seen(what: str, tmp_path: Path) -> None:
    assert len(execute(FALSE[what], tmp_path)) == 1


def test_a_true_page_passes(tmp_path: Path) -> None:
    page = """
.. code-block:: pycon

   >>> x = 2

.. code-block:: pycon

   >>> x + 1
   3

.. code-block:: console

   $ fedassay --version
   fedassay ...
"""
    assert execute(page, tmp_path) == []
