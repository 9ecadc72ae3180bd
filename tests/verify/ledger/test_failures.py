"""How a claim falls: each word from what it needs, and from nothing less."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from verify.catalogue.entry import Entry
from verify.catalogue.narrowed import narrowed
from verify.claim import Hypothesis, Real, numbers, statement
from verify.claim.axes import Axes, Axis, Option
from verify.claim.statement import Statement
from verify.ladder.repair import laws
from verify.ledger.bindings import Bindings
from verify.ledger.failures import KINDS, fails_in_words, failure_of, notes, tally, with_failures
from verify.ledger.laws import in_print as laws_in_print
from verify.ledger.ledger import narrows_of


def axis(name: str, *options: str, slip: bool = False) -> Axis:
    made = tuple(Option(o, f"'{o}'", f"{o} is meant") for o in options)
    return Axis(name, f"what {name} means", made, slip=slip)


AXES = Axes([axis("power", "b", "square", slip=True), axis("noise", "one", "many")])


def leaf(key: str, word: str, **more: Any) -> dict[str, Any]:
    made = {"id": key, "verdict": word, "reason": "said", "witness": None, "evidence": []}
    return {**made, **more}


def shown(**numbers: Any) -> list[dict[str, Any]]:
    return [{"rung": "exact", "status": "decided", "witness": numbers}]


def entry(*leaves: dict[str, Any], verdict: str = "violated", **more: Any) -> dict[str, Any]:
    made = {"key": "p.a", "paper": "p", "kind": "theorem", "form": "printed", "verdict": verdict}
    return {**made, "leaves": list(leaves), **more}


def law(bounded: bool | None, text: str, of: int = 1) -> dict[str, Any]:
    kind = {True: "bounded", False: "power", None: "unknown"}[bounded]
    values = [[1.0, 2.0], [2.0, 2.0 if bounded else 8.0]]
    return {"along": "N", "kind": kind, "text": text, "of": of, "values": values}


def fails(line: dict[str, Any], *others: dict[str, Any]) -> Any:
    return with_failures([line, *others], {"p": AXES})[0]["fails"]


def test_what_stands_or_is_undecided_does_not_fall() -> None:
    for word in ("proved", "holds", "inconclusive", "not-checkable"):
        assert fails(entry(leaf("p.a", word), verdict=word)) is None
    assert fails(entry(leaf("p.a", "violated"), form="repaired")) is None


def test_a_slip_stands_once_it_is_read_past() -> None:
    line = entry(leaf("p.a@b", "violated"), leaf("p.a@square", "holds"))
    assert fails(line) == {"kind": "slip", "words": "it holds if square is meant"}


def test_another_reading_is_no_slip() -> None:
    line = entry(leaf("p.a@one", "violated"), leaf("p.a@many", "holds"))
    assert fails(line)["kind"] == "open"


def test_what_falls_behind_a_slip_is_asked_for() -> None:
    grown = law(False, "left/right grows like N")
    line = entry(leaf("p.a@b", "violated"), leaf("p.a@square", "violated", laws=[grown]))
    assert fails(line) == {
        "kind": "order",
        "words": "also if square is meant: left/right grows like N",
    }
    line = entry(leaf("p.a@b", "violated"), leaf("p.a@square", "inconclusive"))
    assert fails(line)["kind"] == "open"


def test_a_condition_is_that_of_a_form_that_stands() -> None:
    item = {"leaf": "p.a.repaired", "of": "p.a", "given": ["x is small"]}
    for word, kind in (("proved", "condition"), ("holds", "condition"), ("violated", "open")):
        form = entry(
            leaf("p.a.repaired", word), key="p.a.repaired", form="repaired", narrows=[item]
        )
        found = fails(entry(leaf("p.a", "violated")), form)
        assert found["kind"] == kind
    other = {**item, "of": "p.b"}
    form = entry(leaf("p.a.repaired", "proved"), key="p.a.repaired", form="x", narrows=[other])
    assert fails(entry(leaf("p.a", "violated")), form)["kind"] == "open"


@pytest.mark.parametrize(
    ("laws", "kind"),
    [
        ([law(True, "at most 2")], "constant"),
        ([law(True, "at most 2"), law(False, "like N")], "order"),
        ([law(True, "at most 2"), law(None, "unknown")], "open"),
        ([law(True, "at most 2", of=2)], "open"),
        ([law(True, "at most 2", of=2), law(True, "at most 3", of=2)], "constant"),
        ([], "open"),
    ],
)
def test_a_constant_needs_every_ladder_and_an_order_a_law(laws: list[Any], kind: str) -> None:
    """Of a ladder that grows nobody knows what moved: an order needs one number by itself."""
    grown = [law for law in laws if law["kind"] == "power"]
    assert fails(entry(leaf("p.a", "violated", searched=laws, laws=grown)))["kind"] == kind
    if grown:
        assert fails(entry(leaf("p.a", "violated", searched=laws)))["kind"] == "open"


def test_an_order_claim_falls_with_the_power_of_its_ray() -> None:
    near = {"left": "2/1", "right": "1/1"}
    far = shown(relation="<~", left="2048/1", right="1/1", near=near, doublings=5)
    found = fails(entry(leaf("p.a", "violated", evidence=far)))
    assert found == {"kind": "order", "words": "said, with the exponent 2"}


def test_no_constant_helps_a_bound_of_zero() -> None:
    for left, right, relation, kind in (
        ("1/2", "0/1", "<=", "order"),
        ("0/1", "0/1", "<=", "open"),
        ("1/2", "1/4", "<=", "open"),
        ("1/2", "0/1", ">=", "open"),
        ("1/2", "0/1", "==", "open"),
    ):
        evidence = shown(relation=relation, left=left, right=right)
        assert fails(entry(leaf("p.a", "violated", evidence=evidence)))["kind"] == kind


def test_empty_is_proved_to_be() -> None:
    for verdict, kind, found in (
        ("proved", "empty", "empty"),
        ("holds", "empty", None),
        ("proved", "trivial", None),
    ):
        link = {"kind": kind, "key": "p.a.empty", "verdict": verdict}
        evidence = [{"rung": "link", "status": "decided", "link": link}]
        line = entry(leaf("p.a", "vacuous", evidence=evidence), verdict="vacuous")
        told = fails(line)
        assert (told and told["kind"]) == found


def test_entries_are_counted_by_how_they_fall() -> None:
    line = entry(leaf("p.a@b", "violated"), leaf("p.a@square", "holds"))
    lines = with_failures(
        [line, entry(leaf("p.a", "proved"), verdict="proved"), entry(verdict="inconclusive")],
        {"p": AXES},
    )
    assert tally(lines) == {"stand": 1, "slip": 1, "inconclusive": 1}
    assert fails_in_words(lines[0]) == "slip: it holds if square is meant"
    assert notes(lines[0], AXES) == "slip: it holds if square is meant"
    assert notes(lines[1], AXES) == ""
    assert set(KINDS) >= {"slip", "condition", "constant", "order", "empty", "open"}


BOX = numbers({"x": Real(0, 4)})
SMALL = Hypothesis("x is small", "x", lambda w: 1 - w.x, where="Lemma 1")
LARGE = Hypothesis("x is not zero", "x", lambda w: w.x - Fraction(1, 4), where="Lemma 1")


def sides(w: Any) -> Any:
    return {"l": w.x**2}, {"r": w.x}


def made(key: str, given: list[Hypothesis], rule: Any = sides, **more: Any) -> Entry:
    one = statement(key, where="Lemma 1", latex="x", **{"family": BOX, "given": given, **more})(
        rule
    )
    assert isinstance(one, Statement)
    return Entry(key, (one,))


def test_a_form_with_more_hypotheses_and_the_same_formulas_is_found() -> None:
    printed = made("p.a", [LARGE])
    assert [*narrowed(made("p.a.repaired", [LARGE, SMALL]), printed)] == [
        {"leaf": "p.a.repaired", "of": "p.a", "given": ["x is small"]}
    ]
    for other in (
        made("p.a.repaired", [LARGE]),
        made("p.a.repaired", [SMALL]),
        made("p.a.repaired", [LARGE, SMALL], rule=lambda w: sides(w)),
        made("p.a.repaired", [LARGE, SMALL], relation="<~"),
        made("p.a.repaired", [LARGE, SMALL], family=numbers({"x": Real(0, 2)})),
    ):
        assert not [*narrowed(other, printed)]


def test_a_form_without_the_smallest_sizes_is_under_a_condition() -> None:
    sizes = [{"d": d} for d in (1, 2, 4)]
    printed = made("p.a", [], family=numbers({"x": Real(0, 4)}, *sizes))
    for left, given in ((sizes[1:], ["d >= 2"]), ([*sizes[2:], {"d": 8}], ["d >= 4"])):
        form = made("p.a.repaired", [], family=numbers({"x": Real(0, 4)}, *left))
        assert [item["given"] for item in narrowed(form, printed)] == [given]
    for family in (
        numbers({"x": Real(0, 4)}, *sizes),
        numbers({"x": Real(0, 4)}, *sizes[:2]),
        numbers({"x": Real(0, 2)}, *sizes[1:]),
    ):
        assert not [*narrowed(made("p.a.repaired", [], family=family), printed)]


LEVEL = "left/right is at most 2 as far as was searched, along 1 sizes and numbers"


def worst(ratio: float) -> dict[str, Any]:
    return {"ratio": ratio, "instance": {}}


def test_one_line_is_judged_by_itself() -> None:
    line = entry(leaf("p.a", "violated", searched=[law(True, "at most 2")], tightness=worst(2.0)))
    assert failure_of(line, AXES, {}) == {"kind": "constant", "words": LEVEL}


def reads(*ratios: float, leaf_: str = "p.a@square") -> dict[str, Any]:
    values = [[2.0**k, ratio] for k, ratio in enumerate(ratios)]
    return {"leaf": leaf_, "along": "N", "values": values}


def test_a_slip_stays_within_a_bounded_factor_of_what_is_printed() -> None:
    grown = law(False, "along N left/right grows like N")
    for ratios, kind in (
        ((1.0, 2.0, 4.0, 8.0), "order"),
        ((1.0, 1.5, 1.75, 1.8), "slip"),
        ((8.0, 4.0, 2.0, 1.0), "slip"),
        ((), "slip"),
    ):
        printed = leaf("p.a@b", "violated", laws=[grown], read=[reads(*ratios)])
        found = fails(entry(printed, leaf("p.a@square", "holds")))
        assert found["kind"] == kind
        assert "it holds if square is meant" in found["words"]
        assert ("grows like N" in found["words"]) == (kind == "order")
    # the reading beside which it is set must be the one in which it stands
    other = leaf("p.a@b", "violated", laws=[grown], read=[reads(1, 2, 4, 8, leaf_="p.a@other")])
    assert fails(entry(other, leaf("p.a@square", "holds")))["kind"] == "slip"


def test_no_slip_has_a_law_by_which_it_grows_but_along_one_run_of_what_is_a_mean() -> None:
    """The right sides stay close, so the left one is another: by what is compared, or not."""
    grown = law(False, "along N left/right grows like N")
    for alike, kind in ((True, "order"), (False, "slip")):
        sides = {**reads(1.0, 1.0, 1.0, 1.0), "alike": alike}
        printed = leaf("p.a@b", "violated", laws=[grown], read=[sides])
        assert fails(entry(printed, leaf("p.a@square", "holds")))["kind"] == kind


def test_of_an_identity_no_order_is_told() -> None:
    grown = law(False, "along N left/right grows like N")
    evidence = shown(relation="==", left="2/1", right="1/1")
    one = leaf("p.a@b", "violated", laws=[grown], read=[reads(1, 2, 4, 8)], evidence=evidence)
    assert fails(entry(one, leaf("p.a@square", "holds")))["kind"] == "slip"
    alone = entry(leaf("p.a", "violated", laws=[grown], evidence=evidence))
    assert fails(alone)["kind"] == "open"
    right = entry(leaf("p.a.repaired", "proved"), key="p.a.repaired", form="repaired")
    right["verdict"] = "proved"
    assert fails(alone, right) == {
        "kind": "constant",
        "words": "another right side stands in its place (p.a.repaired)",
    }
    inequality = entry(leaf("p.a", "violated", laws=[grown]))
    assert fails(inequality, right)["kind"] == "order"  # control


def test_what_is_empty_is_told_before_an_order() -> None:
    link = {"kind": "empty", "key": "p.a.empty", "verdict": "proved"}
    evidence = [{"rung": "link", "status": "decided", "link": link}]
    order = leaf("p.a/proof-max", "violated", laws=[law(False, "like N")])
    empty = leaf("p.a/rate", "vacuous", evidence=evidence)
    assert fails(entry(empty, order))["kind"] == "empty"
    step = leaf("p.a/proof-rate", "vacuous", evidence=evidence)
    assert fails(entry(step, order))["kind"] == "order"  # a step of a proof is not the claim
    assert fails(entry(leaf("p.a/rate", "vacuous"), order))["kind"] == "order"  # not proved empty


def test_an_audit_reads_off_the_statements_what_a_form_narrows() -> None:
    """A ledger may not call any form that stands the printed claim under a condition."""
    bindings = Bindings()
    line = {"key": "aggregation.lemma2.repaired", "form": "repaired"}
    true = narrows_of(line, bindings.entries)
    assert [item["given"] for item in true] == [["steps halve at most"]]
    assert list(bindings.narrows({**line, "narrows": true})) == []
    for forged in ([], [{**true[0], "of": "aggregation.theorem3@space"}]):
        assert len(list(bindings.narrows({**line, "narrows": forged}))) == 1
    assert list(bindings.narrows({"key": "nobody.s", "form": "repaired", "narrows": true})) == []


def test_of_several_parts_the_worst_one_is_told() -> None:
    level, grown = law(True, "at most 2"), law(False, "like N")
    constant = leaf("p.a/first", "violated", searched=[level], tightness=worst(2.0))
    order = leaf("p.a/second", "violated", laws=[grown])
    left = leaf("p.a/third", "violated")
    assert fails(entry(constant, order)) == {"kind": "order", "words": "second: like N"}
    assert fails(entry(constant, left, order))["kind"] == "order"
    assert fails(entry(constant, left))["kind"] == "open"  # it may be an order
    held = leaf("p.a/second", "holds", laws=[grown])
    assert fails(entry(constant, held)) == {"kind": "constant", "words": LEVEL}  # control


def test_the_parts_of_another_reading_do_not_count() -> None:
    one = leaf("p.a/first@one", "violated", searched=[law(True, "at most 2")])
    many = leaf("p.a/second@many", "violated", laws=[law(False, "like N")])
    other = leaf("p.a/second@one", "holds")
    assert fails(entry(one, other, many))["kind"] == "constant"


def test_what_is_open_is_told_by_the_ratio_that_still_grows() -> None:
    ladders = [law(True, "levels off at 2", of=3), law(None, "goes from 2 to 8", of=3)]
    found = fails(entry(leaf("p.a", "violated", searched=ladders)))
    assert found["kind"] == "open"
    assert found["words"].startswith("the worst left/right found goes from 2 to 8")
    found = fails(entry(leaf("p.a", "violated", searched=ladders[:1], tightness=worst(2.0))))
    assert found["words"] == "left/right up to 2"  # control


def test_laws_that_grow_are_those_of_the_search() -> None:
    assert {*laws_in_print.GROWING} == {*laws.GROWING}
