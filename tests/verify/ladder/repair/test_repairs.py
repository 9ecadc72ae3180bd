"""Repairs: the mend of a planted fault is found, and only what stands by its own climb is told."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from tests.verify.cases import SMALL, assume, claim, exactly, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import PROFILES, Leaf, assay
from verify.ladder.repair.mending import Sample
from verify.ladder.repair.mends import Mend, mended, scaled_symbol, scaled_term
from verify.ladder.repair.monomials import labels_of
from verify.ladder.repair.repairs import Judged, Repair, repairs_of
from verify.ladder.rungs.climb import Climb
from verify.ledger.repair_lines import repair_lines
from verify.report.evidence import facts
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
        "2 times the right side",
        2,
    ),
    "factor on one term": (
        claim(lambda w: ({"l": w.x + w.y}, {"x": w.x, "y": w.y / 2}), numbers(x=WIDE, y=WIDE)),
        "2 times [y]",
        2,
    ),
    "factor below one": (
        claim(
            lambda w: ({"l": w.x + w.y / 2}, {"x": w.x, "y": w.y}),
            numbers(x=WIDE, y=WIDE),
            relation=">=",
        ),
        "1/2 times [y]",
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
            lambda w: ({"l": w.T * w.x + w.x}, {"r": w.T * w.x}),
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
@pytest.mark.every(4)
def test_the_mend_of_a_planted_fault_is_told_with_its_own_word(name: str) -> None:
    statement, mend, _ = PLANTED[name]
    leaf = run(statement)
    assert mend in [repair["mend"] for repair in leaf.repairs]
    assert {repair["word"] for repair in leaf.repairs} <= {"proved", "holds"}
    assert leaf.repairs[0]["mend"] in leaf.hint
    assert leaf.witness is not None
    assert "repairs" not in leaf.witness


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.every(4)
def test_what_is_told_stands_in_another_search(name: str) -> None:
    statement = PLANTED[name][0]
    climb = climbed(statement)
    told = [str(mend) for mend in _stand(climb)]
    assert told
    for mend in _stand(climb):
        found = assay(mended(statement, [mend]), profile=BUDGET, seed=99)
        assert found.verdict in ("proved", "holds"), str(mend)


def test_a_candidate_that_falls_or_is_left_open_is_not_told() -> None:
    climb = climbed(PLANTED["factor on the whole"][0])
    seen: list[str] = []

    def judge(word: str) -> Any:
        def judged(_: Statement, __: int) -> Judged:
            seen.append(word)
            return Judged(word, "planted", 1.0, None)

        return judged

    for word in ("violated", "inconclusive", "vacuous", "not-checkable"):
        assert repairs_of([climb], judge(word)) == ()
        assert word in seen
    assert repairs_of([climb], judge("holds"))  # control: the same candidates, judged otherwise


def test_a_candidate_whose_program_stops_leaves_the_broken_claim_its_word() -> None:
    climb = climbed(PLANTED["factor on the whole"][0])

    def stops(_: Statement, number: int) -> Judged:
        raise ZeroDivisionError(f"Fraction({number}, 0)")

    assert repairs_of([climb], stops) == ()


def test_of_more_that_stand_the_tightest_are_told() -> None:
    lost = claim(
        lambda w: ({"l": (w.x + w.y) ** 2}, {"x": 2 * w.x**2, "y": 2 + 0 * w.y}),
        numbers(x=WIDE, y=WIDE),
    )
    told = [repair["mend"] for repair in run(lost).repairs]
    assert "[y] times y^2" in told
    assert told.index("[y] times y^2") == 0


def test_units_that_do_not_add_up_in_the_claim_itself_rule_nothing_out() -> None:
    mixed = claim(
        lambda w: ({"l": w.x}, {"r": (w.b + w.g) / 4}),
        numbers(x=Real(1 / 4, 4, unit=(2, 0)), b=BIAS, g=LENGTH),
        given=assume({"x": lambda w: w.b + w.g - w.x}),
    )
    assert [repair["word"] for repair in run(mixed).repairs]


def test_no_repair_can_be_made_with_another_word() -> None:
    with pytest.raises(InvalidInput, match="word of a repair must be proved or holds"):
        Repair("2 times the right side", "inconclusive", "", None)


def test_a_witness_against_one_candidate_is_held_against_the_next() -> None:
    # the sample knows y = 1 alone; at y = 64 only a factor above two is enough
    statement = claim(lambda w: ({"l": 3 * w.x}, {"r": w.x + 0 * w.y}), numbers(x=WIDE, y=WIDE))
    climb, tried = climbed(statement), list[int]()

    def judge(_: Statement, number: int) -> Judged:
        tried.append(number)
        if number > 1:
            return Judged("holds", "planted", 1.0, None)
        worse = replace(statement, sides=lambda w: ({"l": 7 * w.x}, {"r": w.x + 0 * w.y}))
        witness = climbed(worse).witness
        return Judged("violated", "planted", 7 / 3, witness)

    assert repairs_of([climb], judge)
    assert tried[:2] == [1, 2]


def test_the_same_claim_is_told_once() -> None:
    mends = [repair["mend"] for repair in run(PLANTED["factor on one term"][0]).repairs]
    assert "2 times [y]" in mends
    assert "2 times y" not in mends


def test_at_quick_nothing_is_looked_for() -> None:
    leaf = assay(PLANTED["factor on the whole"][0], profile=replace(BUDGET, mends=0))
    assert leaf.verdict == "violated"
    assert (leaf.repairs, leaf.hint) == ((), "")
    assert PROFILES["quick"].mends == 0


def test_a_law_becomes_a_factor_that_climbs() -> None:
    # the sum of N numbers is at most sqrt(2 N) times the root of half the sum of their squares
    statement = claim(
        lambda w: ({"l": w.x.sum(axis=-1)}, {"r": xp.sqrt((w.x**2).sum(axis=-1) / 2)}),
        numbers({"N": 2}, {"N": 3}, {"N": 5}, x=Real(1 / 8, 1, per=("N",))),
    )
    leaf = assay(statement, profile=replace(BUDGET, evaluations=6_000))
    assert "sqrt(2 N)" in [law["formula"] for law in leaf.searched]
    assert "sqrt(2 N) times the right side" in [repair["mend"] for repair in leaf.repairs]


# -- two changes -----------------------------------------------------------------------------------

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
@pytest.mark.every(2)
def test_two_changes_are_one_mended_claim(name: str) -> None:
    statement, words = TWO[name]
    leaf = run(statement)
    assert leaf.repairs
    assert any(all(word in repair["mend"] for word in words) for repair in leaf.repairs)


def test_where_nothing_stands_nothing_is_told() -> None:
    # the right side is zero; x and x^2 would be bounds by themselves
    leaf = run(claim(lambda w: ({"l": w.x}, {"r": 0 * w.x}), numbers(x=Real(1, 8, domain=(1, 8)))))
    assert leaf.verdict == "violated"
    assert (leaf.repairs, leaf.hint) == ((), "")


def _stand(climb: Climb) -> list[Mend]:
    """Mends that are told of a climb, by their words."""
    leaf = run(climb.statement)
    offered = {str(e.mend): e.mend for e in Sample(climb.pool, []).effects()}
    return [offered[r["mend"]] for r in leaf.repairs if r["mend"] in offered]


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


def test_where_a_right_side_is_infinite_mends_are_offered_all_the_same() -> None:
    # at z = 0 every right side is infinite: no instance of the sample may be one of these
    statement = claim(
        lambda w: ({"l": 2 * w.x}, {"x": w.x, "share": w.y / w.z}),
        numbers(x=WIDE, y=WIDE, z=Real(0, 1024)),
    )
    climb = climbed(statement)
    kept = [values["z"] for values, _, _ in climb.pool.points]
    assert any((z == 0).any() for z in kept)
    assert "2 times [x]" in [str(e.mend) for e in Sample(climb.pool, []).effects()]


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
def test_only_broken_claims_about_all_instances_are_repaired(change: dict[str, Any]) -> None:
    fields = {"sides": lambda w: ({"x": w.x + 1}, {"r": w.x}), **change}
    climb = Climb(claim(family=numbers(x=WIDE), **fields), BUDGET, 0, "cpu")
    list(climb.searched())
    assert repairs_of([climb], lambda _, __: Judged("holds", "planted", 1.0, None)) == ()


def test_repairs_respect_the_hypotheses() -> None:
    # only below 1 the factor 2 suffices; without the hypothesis no factor would
    statement = claim(
        lambda w: ({"l": 2 * w.x}, {"r": w.x * w.y**0 + 0 * w.y}),
        numbers(x=WIDE, y=WIDE),
        given=assume({"x <= 1": lambda w: 1 - w.x}),
    )
    assert "2 times the right side" in [repair["mend"] for repair in run(statement).repairs]


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


# -- words -----------------------------------------------------------------------------------------


def test_lines_for_people() -> None:
    told = [
        Repair("2 times x", "proved", "for all x", 0.5),
        Repair("y^2 for y", "holds", "s", None),
    ]
    assert repair_lines([repair.to_json() for repair in told]) == [
        "1. with 2 times x: proved, left/right up to 0.5 (for all x)",
        "2. with y^2 for y: holds (s)",
    ]
    assert repair_lines([]) == []


def test_names_may_hold_braces() -> None:
    statement = claim(
        lambda w: ({"l": w.x + w.y}, {"Pr{r > t}": w.x, "{}": w.y / 2}), numbers(x=WIDE, y=WIDE)
    )
    assert "2 times [{}]" in [repair["mend"] for repair in run(statement).repairs]


def test_the_page_lists_repairs_beside_the_hint() -> None:
    leaf = run(PLANTED["factor on one term"][0])
    line = {
        "reason": leaf.reason,
        "hint": leaf.hint,
        "follows": "unknown",
        "tightness": None,
        "power": None,
        "scope": "",
        "repairs": list(leaf.repairs),
        "evidence": [],
    }
    assert "1. with 2 times [y]: proved" in str(facts(line, {}))
    assert "repairs" not in str(facts({**line, "repairs": []}, {}))


@pytest.mark.parametrize(("first", "label"), [(0, True), (1, False)])
def test_what_says_which_example_it_is_mends_nothing(first: int, label: bool) -> None:
    shapes = [{"which": first + n} for n in range(3)]
    statement = claim(
        lambda w: ({"l": w.x * (1 + w.which) / (1 + first)}, {"r": w.x}), numbers(*shapes, x=WIDE)
    )
    assert labels_of(statement.family) == ({"which"} if label else set())
    told = " ".join(repair["mend"] for repair in run(statement).repairs)
    assert told
    assert ("which" not in told) == label
