"""After the first witness: planted flaws are listed in order, and no mend leaves its witness."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import SMALL, assume, claim, exactly, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import Leaf, assay
from verify.ladder.repair.flaws import Flaw, flaws_of, repair_hint
from verify.ladder.repair.mending import Sample
from verify.ladder.repair.mends import Mend, mended, scaled_symbol, scaled_term
from verify.ladder.rungs.climb import Climb
from verify.ledger.flaw_lines import flaw_lines
from verify.report.evidence import facts
from verify.verdict.relation import LARGEST
from verify.world.referee import rescore

BUDGET = replace(SMALL, evaluations=2_000, onward=1 / 4)
WIDE = Real(1 / 8, 8, log=True)
LENGTH = Real(1 / 4, 2, unit=(0, 1))
BIAS = Real(1 / 4, 2, unit=(1, -1), domain=(1 / 4, 2))


def run(statement: Statement, seed: int = 0) -> Leaf:
    return assay(statement, profile=BUDGET, seed=seed)


def climbed(statement: Statement) -> Climb:
    """A climb to the first witness, carried on over all shapes."""
    climb = Climb(statement, BUDGET, 0, "cpu")
    assert list(climb.searched())
    climb.search_on()
    return climb


# -- one planted flaw ----------------------------------------------------------------------------

PLANTED: dict[str, tuple[Statement, str, float]] = {
    "factor on the whole": (
        claim(lambda w: ({"l": 2 * w.x * w.y}, {"r": w.x * w.y}), numbers(x=WIDE, y=WIDE)),
        "at least 2 times the right side",
        2,
    ),
    "factor on one term": (
        claim(lambda w: ({"l": w.x + w.y}, {"x": w.x, "y": w.y / 2}), numbers(x=WIDE, y=WIDE)),
        "at least 2 times [y]",
        2,
    ),
    "factor below one": (
        claim(
            lambda w: ({"l": w.x + w.y / 2}, {"x": w.x, "y": w.y}),
            numbers(x=WIDE, y=WIDE),
            relation=">=",
        ),
        "at most 0.5 times [y]",
        2,
    ),
    "b for b^2, by its units": (
        claim(
            lambda w: ({"gap^2": (w.b * w.g) ** 2}, {"b": w.b * w.g**2}), numbers(b=BIAS, g=LENGTH)
        ),
        "b^2 for b",
        2,
    ),
    "index": (
        claim(
            lambda w: ({"l": (w.T + 1) * w.x}, {"r": w.T * w.x}),
            numbers({"T": 1}, {"T": 2}, {"T": 5}, x=WIDE),
        ),
        "T + 1 for T",
        2,
    ),
    "scalar of an equality": (
        claim(
            lambda w: ({"l": 3 * w.x**2}, {"r": w.x**2 * w.m}),
            numbers(x=WIDE, m=Real(1, 1)),
            relation="==",
        ),
        "3 times the right side",
        1 + 2 / 3,
    ),
    "missing symbol": (
        claim(
            lambda w: ({"l": w.k * w.x + w.y}, {"x": w.x + 0 * w.k, "y": w.y}),
            numbers(x=WIDE, y=WIDE, k=Real(1, 64, log=True, domain=(1, 64))),
        ),
        "[x] times k",
        64,
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_flaw_is_named_with_the_ratio_of_its_witness(name: str) -> None:
    statement, mend, ratio = PLANTED[name]
    leaf = run(statement)
    assert [flaw["mend"] for flaw in leaf.flaws] == [mend]
    assert leaf.flaws[0]["stands"]
    assert 0.8 * ratio <= leaf.flaws[0]["ratio"] <= ratio
    assert mend in leaf.hint
    assert leaf.witness is not None
    assert leaf.witness["flaws"] == list(leaf.flaws)


@pytest.mark.parametrize("form", ["repaired", "explicit", "refined"])
def test_other_forms_are_treated_alike(form: str) -> None:
    statement, mend, _ = PLANTED["factor on one term"]
    leaf = run(replace(statement, key=f"test.claim.{form}", form=form))
    assert leaf.witness is not None
    assert [flaw["mend"] for flaw in leaf.flaws] == [mend]
    assert mend in leaf.hint


def test_a_mended_claim_that_stands_holds_for_the_whole_ladder() -> None:
    # what the flaws call mended is a claim like any other: the ladder agrees with them
    statement, *_ = PLANTED["factor on one term"]
    found = assay(mended(statement, [scaled_term("y", Fraction(2))]), profile=BUDGET, seed=9)
    assert found.verdict != "violated"
    assert found.flaws == ()
    assert found.hint == ""


# -- several flaws ---------------------------------------------------------------------------------

TWO: dict[str, tuple[Statement, list[str]]] = {
    "missing term and factor": (
        claim(
            lambda w: ({"l": 2 * w.x * w.y + w.z}, {"xy": w.x * w.y}),
            numbers(x=WIDE, y=WIDE, z=WIDE),
        ),
        ["times z", "[xy]"],
    ),
    "missing symbol and factor": (
        claim(
            lambda w: ({"l": w.k * w.x + 3 * w.y}, {"x": w.x, "y": w.y}),
            numbers(x=WIDE, y=WIDE, k=Real(1, 1024, log=True)),
        ),
        ["times k", "[y]"],
    ),
}


@pytest.mark.parametrize("name", TWO)
def test_two_flaws_are_listed_in_order(name: str) -> None:
    statement, words = TWO[name]
    leaf = run(statement)
    assert len(leaf.flaws) == 2
    assert all(word in flaw["mend"] for word, flaw in zip(words, leaf.flaws, strict=True))
    assert [flaw["stands"] for flaw in leaf.flaws] == [False, True]
    assert leaf.flaws[0]["ratio"] > leaf.flaws[1]["ratio"] > 1
    assert all(flaw["mend"] in leaf.hint for flaw in leaf.flaws)


def test_what_nothing_mends_is_said_to_be_so() -> None:
    # the right side is zero; x and x^2 would be bounds by themselves
    leaf = run(claim(lambda w: ({"l": w.x}, {"r": 0 * w.x}), numbers(x=Real(1, 8, domain=(1, 8)))))
    assert leaf.verdict == "violated"
    assert leaf.flaws == ({"mend": "", "ratio": LARGEST, "stands": False},)
    assert leaf.hint.startswith("nothing tried mends the claim")


# -- what is never offered -------------------------------------------------------------------------


def test_no_mend_multiplies_a_symbol_that_is_zero_at_the_witness() -> None:
    # at slope 0 the second term alone falls: twice the slope would leave that witness broken
    statement = claim(
        lambda w: ({"l": w.slope * w.x + w.y}, {"s": w.slope * w.x, "y": 3 * w.y / 4}),
        numbers(slope=Real(0, 1), x=WIDE, y=WIDE),
    )
    climb = climbed(statement)
    zero = exactly(statement, {"slope": 0, "x": 1, "y": 1})
    offered = [str(e.mend) for e in Sample(climb.pool, [zero]).effects()]
    assert offered
    assert not [text for text in offered if text.endswith(("times slope", "times [s]"))]


@pytest.mark.parametrize("name", [*PLANTED, *TWO])
def test_every_flaw_mended_leaves_its_witness_whole(name: str) -> None:
    statement = (PLANTED[name] if name in PLANTED else TWO[name])[0]
    climb = climbed(statement)
    assert climb.heard.best is not None
    witness = climb.heard.exact(climb.heard.best.values, climb.heard.best.shape)
    assert witness is not None
    assert rescore(statement, witness).violated
    for effect in islice(Sample(climb.pool, [witness]).effects(), 5):
        assert not rescore(mended(statement, [effect.mend]), witness).violated, str(effect.mend)


def test_units_are_kept() -> None:
    # 2 b, 2 g, b^2 and a term b all repair it on numbers from two to four
    box = {"b": Real(2, 4, unit=(1, -1)), "g": Real(2, 4, unit=(0, 1))}
    statement = claim(lambda w: ({"l": 2 * w.b * w.g}, {"r": w.b * w.g}), numbers(**box))
    climb = climbed(statement)
    offered = [str(e.mend) for e in Sample(climb.pool, []).effects()]
    assert "2 times the right side" in offered
    assert not [text for text in offered if "^2" in text or text.endswith("term 1 times b")]
    bare = replace(statement, family=numbers(b=Real(2, 4), g=Real(2, 4)))
    plain = [str(e.mend) for e in Sample(climbed(bare).pool, []).effects()]
    assert "b^2 for b" in plain, "bare numbers have no units to keep"


def test_a_term_that_is_a_bound_by_itself_is_no_mend() -> None:
    # x <= y/2 + x is true and says nothing
    statement = claim(lambda w: ({"l": w.x}, {"r": w.y / 2}), numbers(x=WIDE, y=WIDE))
    offered = [str(e.mend) for e in Sample(climbed(statement).pool, []).effects()]
    assert "a further term 1 times x" not in offered


@pytest.mark.parametrize(
    "change",
    [{"quantifier": "some"}, {"relation": "<~"}, {"sides": lambda w: ({"x": w.x}, {"r": w.x})}],
)
def test_only_broken_claims_about_all_instances_have_flaws(change: dict[str, Any]) -> None:
    fields = {"sides": lambda w: ({"x": w.x + 1}, {"r": w.x}), **change}
    statement = claim(family=numbers(x=WIDE), **fields)
    climb = Climb(statement, BUDGET, 0, "cpu")
    list(climb.searched())
    assert flaws_of([climb], 1) == ()
    assert repair_hint(()) == ""


def test_flaws_respect_the_hypotheses() -> None:
    # only below 1 the factor 2 suffices; without the hypothesis no factor would
    statement = claim(
        lambda w: ({"l": 2 * w.x}, {"r": w.x * w.y**0 + 0 * w.y}),
        numbers(x=WIDE, y=WIDE),
        given=assume({"x <= 1": lambda w: 1 - w.x}),
    )
    assert [flaw["mend"] for flaw in run(statement).flaws] == ["at least 2 times the right side"]


# -- mends on every kind of number -----------------------------------------------------------------


def test_mends_of_symbols_and_terms_add_up() -> None:
    statement = claim(lambda w: ({"l": w.x}, {"xy": w.x * w.y, "y": w.y}), numbers(x=WIDE, y=WIDE))
    instance = exactly(statement, {"x": 3, "y": "1/2"})
    mends = [
        scaled_symbol("x", Fraction(2)),
        scaled_symbol("y", Fraction(3)),
        scaled_term("y", Fraction(5)),
        Mend("x + 1 for x", 2, symbol="x", value=lambda x: x + 1),
    ]
    found = rescore(mended(statement, mends), instance)
    # x is read as 2 * 3 + 1 = 7, y as 3/2, and the term y stands five times
    assert (found.left, found.right) == (3, Fraction(7 * 3, 2) + Fraction(15, 2))
    nested = statement
    for mend in mends:
        nested = mended(nested, [mend])
    assert rescore(nested, instance).right == found.right


def test_the_least_factor_is_what_the_instances_ask_for() -> None:
    statement = claim(
        lambda w: ({"l": 17 * w.x / 10}, {"r": w.x + 0 * w.y}), numbers(x=WIDE, y=WIDE)
    )
    sample = Sample(climbed(statement).pool, [])
    least = sample.least(scaled_term("", Fraction(2)))
    assert least is not None
    assert np.isclose(float(least), 1.7, rtol=1e-5)


# -- words -----------------------------------------------------------------------------------------


def test_lines_for_people() -> None:
    flaws = [Flaw("2 times x", 4.0, False), Flaw("", LARGEST, False)]
    assert flaw_lines([f.to_json() for f in flaws]) == [
        "1. left/right up to 4: mended by 2 times x",
        "2. left/right without bound: nothing that was tried mends it",
    ]
    assert flaw_lines([Flaw("x", 2.0, True).to_json()])[0].endswith("a fresh search finds nothing")


@pytest.mark.parametrize(
    ("flaws", "words"),
    [
        ([Flaw("a", 2.0, True, 0.5)], "with a a fresh search finds no instance that breaks"),
        ([Flaw("a", 3.0, False), Flaw("b", 2.0, True)], "with a, and b a fresh search"),
        ([Flaw("a", 3.0, False)], "even with a the claim falls"),
        ([Flaw("a", 3.0, False), Flaw("", 2.5, False)], "with a it is still broken by a factor"),
        ([Flaw("", LARGEST, False)], "it is broken without bound"),
    ],
)
def test_a_hint_says_no_more_than_the_search(flaws: list[Flaw], words: str) -> None:
    assert words in repair_hint(flaws)


def test_names_may_hold_braces() -> None:
    statement = claim(
        lambda w: ({"l": w.x + w.y}, {"Pr{r > t}": w.x, "{}": w.y / 2}), numbers(x=WIDE, y=WIDE)
    )
    assert [flaw["mend"] for flaw in run(statement).flaws] == ["at least 2 times [{}]"]


def test_the_page_lists_flaws_beside_the_hint() -> None:
    leaf = run(TWO["missing term and factor"][0])
    line = {
        "reason": leaf.reason,
        "hint": leaf.hint,
        "follows": "unknown",
        "tightness": None,
        "power": None,
        "scope": "",
        "flaws": list(leaf.flaws),
        "evidence": [],
    }
    page = str(facts(line, {}))
    assert all(f"{number}. left/right up to" in page for number in (1, 2))
    assert "flaws" not in str(facts({**line, "flaws": []}, {}))
