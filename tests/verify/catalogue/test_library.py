"""The catalogue: grouping, selection, near names."""

from __future__ import annotations

import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.conftest import axis, claim
from verify.catalogue.library import Library, library
from verify.claim.axes import Axes
from verify.claim.statement import Source, Statement


@pytest.fixture
def known() -> Library:
    return Library(
        [
            claim("one.lemma1/a@x"),
            claim("one.lemma1/a@y"),
            claim("one.lemma1/b"),
            claim("one.lemma1.repaired", form="repaired"),
            claim("two.theorem"),
            claim("two.theorem.empty", form="empty"),
            claim("two.other.trivial", form="trivial", empties="two.theorem"),
        ],
        {"one": Axes([axis("x", "y")])},
    )


def test_leaves_are_grouped_in_order(known: Library) -> None:
    assert [entry.key for entry in known][:2] == ["one.lemma1", "one.lemma1.repaired"]
    assert [leaf.key for leaf in known.entry("one.lemma1").leaves] == [
        "one.lemma1/a@x",
        "one.lemma1/a@y",
        "one.lemma1/b",
    ]
    assert known.papers == ("one", "two")


@pytest.mark.parametrize(
    ("patterns", "paper", "keys"),
    [
        ([], None, 5),
        ([], "one", 2),
        (["one.lemma1"], None, 1),
        (["one.lemma1/b"], None, 1),
        (["one.*"], None, 2),
        (["*.theorem*", "one.lemma1"], None, 3),
        (["*"], "two", 3),
    ],
)
def test_selection(known: Library, patterns: list[str], paper: str | None, keys: int) -> None:
    assert len(known.select(patterns, paper)) == keys


def test_links_find_their_target(known: Library) -> None:
    target = known.entry("two.theorem")
    assert [e.key for e in known.links(target)] == ["two.theorem.empty", "two.other.trivial"]
    assert known.links(known.entry("one.lemma1")) == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda k: k.select(["one.lema1"]), "did you mean one.lemma1"),
        (lambda k: k.select(["theorem"]), "did you mean two.theorem"),
        (lambda k: k.select(["zzz.*"]), "choose one of"),
        (lambda k: k.select([], "tow"), "did you mean two"),
        (lambda k: k.leaf("one.lemma1/c"), "did you mean one.lemma1"),
        (lambda k: k.entry(""), "key must be"),
    ],
)
def test_unknown_names_suggest_near_ones(known: Library, call: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call(known)  # type: ignore[operator]


def test_a_key_stands_for_one_statement() -> None:
    with pytest.raises(InvalidInput, match="key must be unique"):
        Library([claim("one.a"), claim("one.a")])


def test_an_entry_has_one_form() -> None:
    with pytest.raises(InvalidInput, match="form of one.a must be one"):
        Library([claim("one.a/x"), claim("one.a/y", form="repaired")])


def test_definitions_claim_nothing() -> None:
    record = Statement(
        key="one.def",
        source=Source("one", "Definition 1"),
        latex="x := 1",
        kind="definition",
        missing="a definition",
    )
    assert Library([record]).entry("one.def").claims == ()


def test_the_package_has_a_consistent_catalogue() -> None:
    for entry in library():
        assert entry.key.removeprefix("world.").startswith(f"{entry.paper}.")
        if entry.target:
            assert library().entry(entry.target)
