"""A digest follows what a statement says, and nothing of how its file is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verify import Real, numbers, statement
from verify.catalogue.library import library
from verify.catalogue.user_file import Origin, load_statements
from verify.terms.claims import as_terms, program_of, terms_of
from verify.terms.digest import _said, statement_digest

TEXT = '''"""Four claims."""

from bounds import generic as xp
from verify import Hypothesis, Real, numbers, quantity, statement

BOX = numbers({"x": Real(0, 1, per=("N",)), "y": Real(0, 1)}, {"N": 2}, {"N": 3})


@quantity
def spread(w):
    """How far apart."""
    return xp.largest(w.x) - xp.smallest(w.x)


@statement(
    "mine.first",
    where="here",
    latex="x",
    family=BOX,
    given=[Hypothesis("small", "y", lambda w: 1 / 2 - w.y, where="here")],
)
def first(w):
    half = (xp.largest(w.x) - xp.smallest(w.x)) / 2
    return {"half": half * w.y}, {"sum": xp.total(w.x)}


@statement("mine.second", where="here", latex="x", family=BOX)
def second(w):
    return {"y": w.y**2}, {"y": w.y}


@statement("mine.fourth", where="here", latex="x", family=BOX)
def fourth(w):
    return {"spread": spread(w)}, {"sum": xp.total(w.x)}


@statement("mine.third", where="here", latex="x", family=BOX)
def third(w):
    if (w.y > 2).all():
        return {"y": w.y}, {"y": 0 * w.y}
    return {"y": w.y**2}, {"y": w.y}
'''

FOUR = ("first", "second", "third", "fourth")


def digests(text: str, folder: Path) -> dict[str, str]:
    """Digests of the four claims of a user's file of this text."""
    path = folder / "mine.py"
    path.write_text(text)
    entries = load_statements(Origin.of(path))
    first, second, fourth, third = (leaf for entry in entries for leaf in entry.leaves)
    assert terms_of(first) is not None
    assert terms_of(third) is None
    claims = zip(FOUR, (first, second, third, fourth), strict=True)
    return {name: statement_digest(one) for name, one in claims}


SAME = {
    "a comment": ("    half =", "    # the half of it\n    half ="),
    "a docstring": ('"""How far apart."""', '"""The largest less the smallest."""'),
    "another name": ("half", "part_"),
    "a line break": ("(xp.largest(w.x) - xp", "(xp.largest(w.x)\n            - xp"),
    "a bracket": ("half * w.y", "(half) * (w.y)"),
    "a title": ('"mine.first",\n    where', '"mine.first",\n    title="Spread",\n    where'),
}
OTHER = {
    "a factor": (") / 2", ") / 3"),
    "a hypothesis": ("1 / 2 - w.y", "1 / 3 - w.y"),
    "a range": ('"y": Real(0, 1)', '"y": Real(0, 2)'),
    "a size": ('{"N": 3})', '{"N": 4})'),
    "a key": ("mine.first", "mine.other"),
    "the name of a term": ('{"half"', '{"part"'),
}


@pytest.mark.parametrize("name", SAME)
def test_how_a_file_is_written_does_not_matter(name: str, tmp_path: Path) -> None:
    old, new = SAME[name]
    text = TEXT.replace(f"    {old} =", f"    {new} =").replace(f"{old} *", f"{new} *")
    text = TEXT.replace(old, new) if text == TEXT else text
    assert text != TEXT
    before, after = digests(TEXT, tmp_path), digests(text, tmp_path)
    if name not in ("a comment", "a docstring", "a line break"):  # of these a file is the text
        assert after.pop("third") != before.pop("third") or name == "a bracket"
        assert after.pop("fourth") != before.pop("fourth") or name == "a bracket"
    assert after == before


@pytest.mark.parametrize("name", OTHER)
def test_what_is_said_does(name: str, tmp_path: Path) -> None:
    before, after = digests(TEXT, tmp_path), digests(TEXT.replace(*OTHER[name]), tmp_path)
    assert after["first"] != before["first"]
    if name not in ("a range", "a size"):
        assert after["second"] == before["second"], "the other claim of the file is what it was"


def test_a_program_is_the_text_of_its_file(tmp_path: Path) -> None:
    before = digests(TEXT, tmp_path)
    after = digests(TEXT.replace("(w.y > 2)", "(w.y > 3)"), tmp_path)
    assert (after["first"], after["second"]) == (before["first"], before["second"])
    assert after["third"] != before["third"]


def test_a_quantity_is_the_text_of_its_file(tmp_path: Path) -> None:
    changed = TEXT.replace("- xp.smallest(w.x)\n\n", "- xp.smallest(w.x) / 2\n\n")
    before, after = digests(TEXT, tmp_path), digests(changed, tmp_path)
    assert (after["first"], after["second"]) == (before["first"], before["second"])
    assert after["fourth"] != before["fourth"]


def test_terms_in_the_place_of_functions_change_no_digest() -> None:
    for entry in list(library())[::10]:
        for leaf in entry.leaves:
            if leaf.sides is not None:
                assert statement_digest(as_terms(leaf)) == statement_digest(leaf), leaf.key


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x = 1  # one", "x = 1", True),
        ("def f():\n    '''Says.'''\n    return 1", "def f(): return 1", True),
        ("x = (1 +\n     2)", "x = 1 + 2", True),
        ("x = 1 + 2", "x = 2 + 1", False),
        ("x = 'a'", "x = 'b'", False),
        ("if a:\n    b()\n    c()", "if a:\n    b()\nc()", False),
    ],
)
def test_what_a_text_says(one: str, other: str, same: bool) -> None:
    assert (_said(one.encode()) == _said(other.encode())) is same


def test_no_two_statements_of_the_library_have_one_digest() -> None:
    found: dict[str, Any] = {}
    for entry in library():
        for leaf in entry.leaves:
            assert found.setdefault(statement_digest(leaf), leaf.key) == leaf.key


def test_a_statement_that_is_typed_where_no_module_has_a_name_has_a_digest() -> None:
    typed: dict[str, Any] = {}
    exec(TEXT.partition("@statement")[0], typed)  # a session, as doctest runs it
    first = "@statement" + TEXT.partition("@statement")[2].partition("\n\n\n")[0]
    exec(first, typed)
    digest = statement_digest(typed["first"])
    assert program_of(typed["first"].sides).__module__ is None
    assert len(digest) == 16
    exec(first.replace("/ 2\n", "/ 3\n"), typed)
    assert statement_digest(typed["first"]) != digest


def test_the_level_of_a_probability_is_part_of_what_is_said() -> None:
    def at(level: int) -> str:
        made = statement(
            "mine.level",
            family=numbers({"x": Real(0, 1), "y": Real(0, 1)}),
            latex="x",
            where="here",
            over="prob",
            delta=lambda w: w.y / level,
        )(lambda w: ({"x": w.x}, {"x": w.x}))
        return statement_digest(made)

    assert at(2) == at(2) != at(3)
