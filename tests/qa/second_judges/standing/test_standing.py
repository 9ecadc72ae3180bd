"""Main results that stand, judged a second time: on the stored instance that is tightest, and on
instances that the judge draws.  Hypotheses and both sides are the encoding's, and the claim is met.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction as Q
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bounds.numbers import Ball
from tests.each import each
from tests.places import EXPECTED
from tests.qa.second_judges.standing.instances import said
from tests.qa.second_judges.standing.record import Standing
from tests.verify.cases import exactly
from verify.catalogue.json_files import read_json
from verify.catalogue.library import library
from verify.claim import Instance, Statement
from verify.corpus.files import path_of, stored
from verify.world.referee import Rescored, rescore

HERE = Path(__file__).parent
PAPERS = ("adaptive", "aggregation", "allforall", "fedbc")
JUDGES: list[Standing] = [
    judge
    for paper in PAPERS
    for judge in importlib.import_module(f"tests.qa.second_judges.standing.{paper}").STANDING
]
CASES = [(key, judge) for judge in JUDGES for key in judge.keys]
NAMES = [f"{key}-{judge.family}" for key, judge in CASES]
FEW = 3
"""One instance in so many is judged by default, the first ones; all of them by ``-m slow``."""
SEEN = 12
"""On so many a factor of a thousandth shows: fewer than any judge draws by default."""
ROUNDING = Q(1, 10**12)
"""Relative width of the package's balls."""


def _claim(key: str, judge: Standing) -> Statement:
    leaf = library().leaf(key)
    family = (leaf.family, *leaf.also)[judge.family]
    return replace(leaf, family=family, also=())


def _drawn(key: str, judge: Standing) -> Iterator[Instance]:
    claim, rng = _claim(key, judge), Random(f"{key} {judge.family}")
    for number in range(judge.count):
        shape = claim.family.shapes[judge.shapes[number % len(judge.shapes)]]
        yield exactly(claim, judge.draw(rng, shape), shape)


def _tightest(key: str, judge: Standing) -> Instance | None:
    """The instance of the corpus with the largest ratio; None where nothing is kept any more."""
    leaf = library().leaf(key)
    kept = stored(path_of(leaf.source.paper)).kept(leaf)
    if kept is None:
        return None
    claim = _claim(key, judge)
    found = [(p.ratio, p) for p in kept.families[judge.family].points if p.ratio is not None]
    if not found:
        return None
    nearest = min if leaf.quantifier == "some" else max
    best = nearest(found, key=lambda pair: float(pair[0]))[1]
    shape = {**claim.family.shapes[best.listed], **best.sizes}
    return exactly(claim, best.values, shape)


def _near(a: Any, b: Q, slack: Q) -> bool:
    value = a.mid if isinstance(a, Ball) else a
    room = (slack + (ROUNDING if isinstance(a, Ball) else 0)) * max(abs(b), abs(Q(value)))
    return abs(Q(value) - b) <= room


def _same_sides(found: Rescored, left: Q, right: Q, slack: Q) -> bool:
    """Both sides, up to a common factor of sides that are no identity."""
    if _near(found.left, left, slack) and _near(found.right, right, slack):
        return True
    if found.relation == "==":
        return _near(found.left, right, slack) and _near(found.right, left, slack)
    a, b = (Q(v.mid) if isinstance(v, Ball) else Q(v) for v in (found.left, found.right))
    room = (slack + ROUNDING) * max(abs(a * right), abs(b * left))
    return abs(a * right - b * left) <= room


def _met(relation: str, left: Q, right: Q, slack: Q) -> bool:
    room = slack * max(abs(left), abs(right))
    if relation == "==":
        return abs(left - right) <= room
    return left <= right + room if relation == "<=" else left >= right - room


def _compare(key: str, judge: Standing, instance: Instance) -> str:
    """What the two say otherwise; empty where they agree and the claim is met."""
    found, told = rescore(_claim(key, judge), instance), said(instance)
    given = judge.given(told)
    if given != found.assumed:
        return f"hypotheses: judge {given}, encoding {found.margins}: {told}"
    if not given:
        return ""
    left, right = judge.sides(told)
    if not _same_sides(found, left, right, judge.slack):
        numbers = [float(v) for v in (left, right)]
        return f"sides: judge {numbers}, encoding {found.left}, {found.right}: {told}"
    leaf = library().leaf(key)
    # one instance is enough for "some"; an order is decided by its form with constants
    met = (
        leaf.quantifier == "some"
        or leaf.relation == "<~"
        or _met(found.relation, left, right, judge.slack)
    )
    return "" if met else f"falls: {left} {right} {told}"


def _agree(key: str, judge: Standing, share: Q) -> None:
    """The two agree on what is drawn, of which so many meet the hypotheses, and on what is kept."""
    within = 0
    for instance in _drawn(key, judge):
        assert _compare(key, judge, instance) == ""
        within += judge.given(said(instance))
    assert within >= share * judge.count, "enough of what is drawn meets the hypotheses"
    kept = _tightest(key, judge)
    assert kept is None or _compare(key, judge, kept) == ""
    if kept is not None and library().leaf(key).quantifier == "some":
        assert judge.given(said(kept))
        assert _met("<=", *judge.sides(said(kept)), judge.slack), "one instance is enough"


@pytest.mark.parametrize(("key", "judge"), CASES, ids=NAMES)
@pytest.mark.every(3)
def test_the_judge_and_the_encoding_agree_and_it_stands(key: str, judge: Standing) -> None:
    _agree(key, replace(judge, count=judge.count // FEW), Q(1, 3))


@pytest.mark.slow
@pytest.mark.parametrize(("key", "judge"), CASES, ids=NAMES)
def test_they_agree_on_every_instance_that_is_drawn(key: str, judge: Standing) -> None:
    _agree(key, judge, Q(1, 2))


@each(("key", "judge"), CASES, ids=NAMES)
def test_a_wrong_factor_is_seen(key: str, judge: Standing) -> None:
    assert judge.count // FEW >= SEEN

    def slipped(told: Any) -> tuple[Q, Q]:
        left, right = judge.sides(told)
        return left, right * Q(1001, 1000)

    wrong = replace(judge, sides=slipped)
    assert any(
        _compare(key, wrong, instance) for instance in _drawn(key, replace(judge, count=SEEN))
    )


ROWS = {
    row[0]: row[1:]
    for line in (HERE / "table.md").read_text().splitlines()
    if line.startswith("| ") and (row := [cell.strip() for cell in line.strip("|").split("|")])
    if row[0] not in ("leaf", "---")
}
LEDGER = read_json(EXPECTED / "quick.json", "fedassay-expected/1")


def test_the_table_has_the_judges_and_the_words_of_the_ledger() -> None:
    judged = {key for key, told in ROWS.items() if told[1] != "-"}
    assert judged == {key for key, _ in CASES}
    assert {key: told[0] for key, told in ROWS.items()} == {
        key: LEDGER["leaves"][key]["verdict"] for key in ROWS
    }


def test_every_main_result_that_stands_is_judged_or_it_is_said_why_not() -> None:
    found = {
        leaf.key
        for paper in library().papers
        for entry in library().results(paper)
        if LEDGER["entries"][entry.key] in ("proved", "holds")
        for leaf in entry.claims
        if LEDGER["leaves"][leaf.key]["verdict"] in ("proved", "holds")
    }
    assert found - set(ROWS) == set()
