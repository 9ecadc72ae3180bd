"""Words of a module in a table: what it claims and assumes, open places, what is only listed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from verify.claim import Option, Real, Wording, numbers, open_places
from verify.claim.axes import Axes
from verify.claim.readings import Reading

AXES = open_places("""
times :: how often
    loop :: 'each round' ::
        the rounds that are run
    endless :: no end named :: for ever
""")
FAMILY = numbers({"x": Real(0, 4)})
claim = Wording(
    "mine",
    r"""
Lemma 1 :: lemma
    lemma1 :: at most three :: x\le3
    lemma1.repaired :: at most five
    lemma2 :: both
        ways :: x\le
        4
Table 1 :: data
    table1 :: numbers :: 1
Remark 1 :: remark
    remark1 :: fast :: x :: speed
given
    positive :: x\ge0
    large = positive :: x\ge1 :: Lemma 1
""",
)


@claim("lemma1", family=FAMILY, given=[claim.given("large", lambda w: w.x - 1, strict=True)])
def lemma1(w: Any) -> Any:
    return {"x": w.x}, {"3": 3}


def test_a_record_has_its_words_from_the_table() -> None:
    words = (lemma1.key, lemma1.source.where, lemma1.kind, lemma1.title, lemma1.latex)
    assert words == ("mine.lemma1", "Lemma 1", "lemma", "at most three", r"x\le3")


def test_a_hypothesis_has_its_words_from_the_table() -> None:
    (given,) = lemma1.given
    assert (given.name, given.latex, given.where) == ("positive", r"x\ge1", "Lemma 1")
    assert given.strict
    assert claim.given("positive", lambda w: w.x).where == ""


def test_another_record_keeps_the_setting_of_the_one_that_it_is_like() -> None:
    @claim("lemma1.repaired", like=lemma1, latex=claim.latex("lemma1"))
    def repaired(w: Any) -> Any:
        return {"x": w.x}, {"5": 5}

    assert (repaired.title, repaired.latex, repaired.form) == ("at most five", r"x\le3", "repaired")
    assert repaired.given == lemma1.given
    assert claim.variant(lemma1, "lemma2").title == "both ways"


def test_a_row_goes_on_in_lines_that_are_indented_further() -> None:
    assert claim.said("lemma2")["latex"] == r"x\le 4"


def test_a_row_without_options_serves_all_readings() -> None:
    @claim("lemma2", readings=["times"], family=FAMILY)
    def read(w: Any, r: Reading) -> Any:
        return {"x": w.x}, {"4": 4 + len(r.times)}

    assert [leaf.key for leaf in read] == ["mine.lemma2@loop", "mine.lemma2@endless"]
    assert claim.said("lemma2@loop") == claim.said("lemma2")


def test_open_places_are_the_heads() -> None:
    (times,) = AXES
    assert (times.name, times.about) == ("times", "how often")
    assert times.options[0] == Option("loop", "'each round'", "the rounds that are run")


def test_a_head_may_have_one_title_for_all_its_rows() -> None:
    table = Wording("mine", "Lemma 1 :: lemma :: both ways\n    a :: x\n    b :: y")
    assert [(row["title"], row["latex"]) for row in table.rows.values()] == [
        ("both ways", "x"),
        ("both ways", "y"),
    ]


def test_what_is_listed_says_what_is_missing() -> None:
    table = Wording(
        "mine", "T :: data\n    t :: numbers :: 1\nR :: remark\n    r :: fast :: x :: speed"
    )
    assert [leaf.missing for leaf in table.listed(speed="a clock")] == [
        "data: nothing to decide",
        "a clock",
    ]


def test_a_claim_without_a_verdict_must_say_what_it_lacks() -> None:
    with pytest.raises(InvalidInput, match="missing of r"):
        Wording("mine", "R :: remark\n    r :: fast :: x").listed()


@pytest.mark.parametrize("table", ["    lemma :: title :: x", "Lemma 1 :: lemma\n    lemma1"])
def test_a_row_without_a_head_or_words_is_refused(table: str) -> None:
    with pytest.raises(InvalidInput, match="table must be of rows with a head"):
        Wording("mine", table)


@pytest.mark.parametrize(
    "table",
    [
        "R :: remark\n    r :: fast :: x\n    r :: slow :: x",
        "R :: remark\n    r :: fast :: x :: speed :: more",
        "R\n    r :: fast :: x",
        "given\n    g :: x\n    g :: y",
        "given\n    g :: x :: Lemma 1 :: more",
    ],
)
def test_what_is_said_twice_and_rows_of_another_form_are_refused(table: str) -> None:
    with pytest.raises(InvalidInput, match="table must be of rows said once"):
        Wording("mine", table)


def test_names_that_the_table_lacks_are_refused() -> None:
    with pytest.raises(InvalidInput, match="claim must be in the table.*got lemma3"):
        claim("lemma3", family=FAMILY)
    with pytest.raises(InvalidInput, match="claim must be in the table"):
        claim.given("negative", lambda w: -w.x)


SLIP = """
slip :: power :: the power of the spread
    b :: Theorem 9: 'b' :: the spread enters as b
    b-squared :: its proof, last line: 'b^2' :: the spread enters as b^2
noise :: what the noise is
    one :: Section 2: 'noise' :: one draw
    many :: Section 3: 'noises' :: many draws
"""


def test_a_misprint_is_marked_and_stays_so_in_a_ledger() -> None:
    places = open_places(SLIP)
    assert [place.slip for place in places] == [True, False]
    again = Axes.from_json(Axes(places).to_json())
    assert again == Axes(places)
    assert again != Axes([replace(place, slip=False) for place in places])


def test_a_head_of_another_form_is_refused() -> None:
    with pytest.raises(InvalidInput, match="table must be of heads"):
        open_places(SLIP.replace("slip ::", "misprint ::"))


def test_a_row_has_its_relation_and_what_is_compared() -> None:
    rows = Wording("mine", "Lemma 1 :: lemma :: both\n    a == mean :: x=y\n    b :: x\n").rows
    said = {"where": "Lemma 1", "kind": "lemma", "title": "both"}
    assert rows["a"] == {**said, "latex": "x=y", "relation": "==", "over": "mean"}
    assert rows["b"] == {**said, "latex": "x"}


def test_a_row_says_what_its_claim_rests_on_and_the_others_rest_on_nothing() -> None:
    table = Wording("mine", "Lemma 1 :: lemma :: both\n    a :: x <- b c\n    b :: y\n    c :: z")
    assert [row["uses"] for row in table.rows.values()] == [("mine.b", "mine.c"), (), ()]
    assert table.rows["a"]["latex"] == "x"
    silent = Wording("mine", "Lemma 1 :: lemma :: both\n    a :: x")
    assert "uses" not in silent.rows["a"]  # so that a claim like another one rests on the same


def test_a_claim_that_cannot_be_checked_has_its_words_from_the_table() -> None:
    left = claim.open("lemma1", "a number")
    assert (left.key, left.title, left.missing) == ("mine.lemma1", "at most three", "a number")


def test_a_word_that_is_no_relation_is_refused() -> None:
    with pytest.raises(InvalidInput, match="word behind an identifier must be one of"):
        Wording("mine", "Lemma 1 :: lemma :: both\n    a =< :: x")
