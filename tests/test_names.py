"""One word means one thing: no two public classes of the project have one name."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import bounds

ROOT = Path(bounds.__file__).parent.parent
PACKAGES = ("bounds", "synthetic", "algorithms", "verify", "figures")

OPEN = frozenset({"Axis", "Hypothesis", "Met", "Reading"})
"""Words that the symbolic reading of programs, and the tables of two papers, still share."""


@cache
def public_classes(source: str) -> tuple[str, ...]:
    """Names of the classes that a file defines for others."""
    return tuple(
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def shared(files: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names that several files give to a class of theirs."""
    found: dict[str, list[str]] = {}
    for path, source in files:
        for name in public_classes(source):
            found.setdefault(name, []).append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def ours() -> list[tuple[str, str]]:
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return [(str(path.relative_to(ROOT)), path.read_text()) for path in paths]


def test_no_two_public_classes_have_one_name() -> None:
    files = ours()
    assert sum(len(public_classes(source)) for _, source in files) > 200
    assert {name: paths for name, paths in shared(files).items() if name not in OPEN} == {}


def test_two_classes_of_one_name_are_seen() -> None:
    """Control: a word of the library, taken a second time."""
    again = ("verify/run/again.py", "class Statement:\n    pass\n")
    assert "verify/claim/statement.py" in shared([*ours(), again])["Statement"]


def test_private_and_inner_classes_are_free() -> None:
    assert public_classes("class _A:\n    pass\ndef f():\n    class B:\n        pass\n") == ()


def test_a_word_that_is_shared_no_longer_is_not_left_open() -> None:
    assert set(shared(ours())) >= OPEN
