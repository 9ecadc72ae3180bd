"""Witnesses by hand: what a page prints, and that every printed line works out."""

from __future__ import annotations

import re

import pytest

from tests.verify.report.by_hand.cases import PAPERS, stored, told
from tests.verify.report.by_hand.pencil import works_out
from verify.catalogue.library import library
from verify.report.by_hand.block import block
from verify.report.by_hand.federation import SHAPES
from verify.report.by_hand.notation import notation
from verify.report.by_hand.text import as_tex, as_text

MAIN = {
    "adaptive.lemma1@new-model+half-eta-squared+each-run": "noise",
    "adaptive.theorem3@plain-b+mean-excess": "average squared gradient",
    "aggregation.lemma2@run+section2": "16 eta^2 E^2 G^2",
    "aggregation.lemma2@run+algorithm": "16 eta^2 E^2 G^2",
    "allforall.lemma4a": "noise",
    "allforall.lemma6a@every-outcome": "f(mean)",
    "fedbc.corollary46@projected": "average",
    "fedbc.lemmaB1i@V+printed+as-met": "mean |grad L i|^2",
    "hcct.corollary1/S3": "S 3/xi at T=2",
    "hcct.lemma1/sum@own-models": "noise",
}
"""Main results, two per paper, and a term of each whose formula is printed."""

NAMES = re.compile(r"\b[a-z]{2,}_[a-z]+\b|\b(?:w|xp|q)\.[a-z]|object at|\bnan\b|lambda w")
LONG = re.compile(r"\d{13,}|\d{7,}/\d{7,}")


def _computed(key: str) -> str:
    """The page without what the statement's author says of it."""
    return as_text(told(key)).partition("\nSaid of the statement")[0]


@pytest.mark.parametrize("key", MAIN)
def test_a_main_result_works_out_with_a_pencil(key: str) -> None:
    text = _computed(key)
    names = works_out(text)
    assert "left" in names
    line = next(line for line in text.splitlines() if line.strip().startswith(f"{MAIN[key]} = "))
    assert line.count("=") >= 3  # in symbols, in numbers, and the value


@pytest.mark.parametrize("key", MAIN)
def test_a_term_with_another_value_does_not_work_out(key: str) -> None:
    text = _computed(key)
    old = next(line for line in text.splitlines() if line.strip().startswith(f"{MAIN[key]} = "))
    head, _, last = old.rpartition(" = ")
    assert last
    with pytest.raises(AssertionError):
        works_out(text.replace(old, f"{head} = {last} + 1"))


@pytest.mark.parametrize("key", MAIN)
def test_a_number_of_the_instance_that_is_changed_does_not_work_out(key: str) -> None:
    text = _computed(key)
    line = next(line for line in text.splitlines() if line.strip().startswith(f"{MAIN[key]} = "))
    symbols = line.split(" = ")[1]
    told_before = text.partition("\nLeft side")[0].splitlines()
    used = [one for one in told_before if " = " in one and one.split()[0] in symbols]
    used = [one for one in used if one.startswith("  ") and "(" not in one.split(" = ")[0]]
    assert used
    for one in used:
        words = one.partition("   (")
        with pytest.raises(AssertionError):
            works_out(text.replace(one, f"{words[0]} + 7{words[1]}{words[2]}", 1))


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, marks=[] if number % 8 == 0 else pytest.mark.slow)
        for number, key in enumerate(key for paper in PAPERS for key in stored(paper))
    ],
)
def test_every_page_works_out_and_says_what_was_run(key: str) -> None:
    text = _computed(key)
    works_out(text)
    given = stored(library().leaf(key).source.paper)[key]["instance"]
    if given["method"] == "fedbc":
        assert ("argmin" in text) == (given["params"].get("local", "argmin") == "argmin")
        assert given["params"].get("local") != "gradient" or "minimises" not in text


WAITS = "fedbc.lemmaB2@A"


def test_a_device_waits_where_it_is_not_sampled_and_nowhere_else() -> None:
    assert "device 2 waits" in _computed(WAITS)
    virtual = _computed("fedbc.lemmaB1ii@printed+as-met")
    assert "waits" not in virtual
    assert "one gradient step" in virtual


def test_sides_are_concluded_as_they_were_typed() -> None:
    """What is negative stays where it is printed; that the search moves it is said beside."""
    last = _computed("fedbc.lemmaB1ii@printed+as-met").splitlines()
    (line,) = (one for one in last if one.strip().startswith("left ="))
    assert "left = 0 > −0.151379" in line
    assert "with what is negative moved across, 0.249807 > 2041/20736" in line


@pytest.mark.parametrize("key", MAIN)
def test_all_forms_come_from_one_record(key: str) -> None:
    made = told(key)
    tex, html = as_tex(made), str(block(made))
    for part in made.parts:
        assert part.heading in tex
        assert part.heading in html
        assert all(row.tex in tex for row in part.rows)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_field_of_a_stored_witness_has_a_name_in_print(paper: str) -> None:
    table = notation(paper)
    assert table is not None
    for raw in stored(paper).values():
        fields = {**raw["instance"]["data"], **raw["instance"]["params"]}
        # said in words or in formulas
        known = {"half", "law", "virtual", "local", "weights"}
        if raw["instance"]["family"] in SHAPES:
            known |= {"height", "centre", "width"}
        assert [name for name in fields if not (table.has(name) or name in known)] == []


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_no_page_has_internal_names_or_long_numbers(paper: str) -> None:
    faults = []
    for key in stored(paper):
        text = _computed(key)
        body = "\n".join(text.splitlines()[1:])
        faults += [(key, found[0]) for found in (NAMES.search(body), LONG.search(body)) if found]
        works_out(text)
    assert not faults
