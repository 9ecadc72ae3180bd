"""Claims of known truth: a sample is put to the test, the measured table holds, and it can fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.each import each
from tests.qa.calibration.known.judged import word_of
from tests.qa.calibration.test_planted import points, refuted
from tests.qa.own.cases import EVERY
from tests.qa.own.measure import SEEDS, TABLE, measured
from tests.qa.own.record import EMPTY, FALSE, TRUE, Own
from tests.qa.own.table import MOST_OPEN, faults, outcome, tables
from verify.world.referee import rescore

STRIDE = 60
"""One claim in so many is put through the ladder by default."""

KEPT = {str(seed): measured(seed) for seed in SEEDS}


def test_there_are_two_hundred_about_half_of_them_false() -> None:
    false = sum(own.truth == FALSE for own in EVERY)
    assert len({own.key for own in EVERY}) == len(EVERY) >= 200
    assert abs(false / len(EVERY) - 1 / 2) <= 0.1


@each("own", EVERY, ids=lambda own: own.key)
def test_each_has_its_reason(own: Own) -> None:
    assert own.truth in (TRUE, FALSE, EMPTY)
    assert own.why.endswith(".")
    assert own.said


@each("own", EVERY[::STRIDE], ids=lambda own: own.key)
def test_a_sample_is_judged_rightly(own: Own) -> None:
    assert outcome(own, word_of(own, "quick")) == "right"


@pytest.mark.slow
@each("seed", SEEDS)
@each("own", EVERY, ids=lambda own: own.key)
def test_none_is_judged_wrongly(own: Own, seed: int) -> None:
    assert outcome(own, word_of(own, "quick", seed)) != "wrong"


@pytest.mark.slow
@each("own", [own for own in EVERY if own.truth == TRUE], ids=lambda own: own.key)
def test_no_random_instance_refutes_a_truth(own: Own) -> None:
    statement = own.statement
    if statement.quantifier == "some" or statement.relation == "<~":
        return
    for shape in statement.family.shapes[:6]:
        batch = points(statement.family, shape, 16)
        for j in refuted(statement, batch):  # rounding, if the referee agrees with the truth
            assert not rescore(statement, batch[j]).violated


def test_every_claim_is_measured_on_three_seeds() -> None:
    assert len(KEPT) == 3
    assert all({*rows} == {own.key for own in EVERY} for rows in KEPT.values())


@each("seed", list(KEPT))
def test_no_falsehood_holds(seed: str) -> None:
    held = [own.key for own in EVERY if outcome(own, KEPT[seed][own.key]) == "held"]
    assert held == []


@each("seed", list(KEPT))
def test_what_was_measured_is_as_it_must_be(seed: str) -> None:
    rows = KEPT[seed]
    assert not faults({seed: rows})
    assert all(row["seconds"] >= 0 for row in rows.values())


def test_the_page_says_what_was_measured() -> None:
    assert TABLE.read_text() == tables(KEPT)


@each("own", [own for own in EVERY if own.truth != EMPTY][:: STRIDE // 4], ids=lambda own: own.key)
def test_a_truth_that_is_turned_round_is_noticed(own: Own) -> None:
    """Where the word is right: the control of the table, and of the sample."""
    for seed, rows in KEPT.items():
        row = rows.get(own.key)
        if row and outcome(own, row) == "right" and row["word"] != "holds":
            assert outcome(own.turned(), row) == "wrong"
            assert faults({seed: rows}, (own.turned(),))


def test_too_many_that_are_left_undecided_are_noticed() -> None:
    rows = {own.key: {"word": "holds", "line": "", "seconds": 1.0} for own in EVERY}
    few = int(MOST_OPEN * len(EVERY))
    true = [own for own in EVERY if own.truth == TRUE]
    for count, told in ((few, 0), (few + 1, 1)):
        undecided = {own.key: {"word": "inconclusive", "line": ""} for own in true[:count]}
        assert len(faults({"0": {**rows, **undecided}})) == told


def test_a_witness_of_a_truth_is_wrong_and_of_a_falsehood_right() -> None:
    true = next(own for own in EVERY if own.truth == TRUE)
    false = replace(true, truth=FALSE)
    told = [
        outcome(own, {"word": word}) for own in (true, false) for word in ("violated", "proved")
    ]
    assert told == ["wrong", "right", "right", "wrong"]
    assert outcome(false, {"word": "holds"}) == "held"
    assert outcome(true, {"word": "inconclusive"}) == "undecided"
