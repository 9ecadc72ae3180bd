"""The lines at the top of a room: short, complete, and an example that runs."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOMS = (
    "verify.limits",
    "verify.certify",
    "verify.certify.algebra",
    "verify.certify.coq",
    "verify.certify.gram",
    "verify.certify.prover",
    "verify.certify.worst_case",
    "verify.ladder",
    "verify.ladder.price",
    "verify.ladder.repair",
    "verify.ladder.rungs",
    "verify.ladder.search",
    "verify.worst_case",
)
LONGEST = 20
"""Lines before the example."""


def contents(room: ModuleType) -> set[str]:
    """Names of the files and folders of a room."""
    here = Path(str(room.__file__)).parent
    files = {path.stem for path in here.glob("*.py")} - {"__init__"}
    return files | {path.parent.name for path in here.glob("*/__init__.py")}


def unnamed(text: str, files: set[str]) -> set[str]:
    """Files of which the text says nothing."""
    return files - set(re.findall(r"``(\w+)``", text))


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_says_what_is_in_it(name: str) -> None:
    room = import_module(name)
    text, _, example = str(room.__doc__).partition("\nExamples\n")
    assert len(text.strip().splitlines()) <= LONGEST
    assert unnamed(text, contents(room)) == set()
    assert ">>>" in example


@pytest.mark.parametrize("name", ROOMS)
def test_its_example_runs(name: str) -> None:
    found = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 2
    assert found.failed == 0


def test_a_file_that_is_left_out_is_seen() -> None:
    """Control."""
    room = import_module("verify.ladder.repair")
    assert unnamed(str(room.__doc__), contents(room) | {"hints"}) == {"hints"}
