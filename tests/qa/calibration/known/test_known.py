"""The statements of known truth are what they are said to be: decided here without any search."""

from __future__ import annotations

import numpy as np
import pytest

from tests.each import each
from tests.qa.calibration.known.cases import FIRST
from tests.qa.calibration.known.record import BEYOND, FALSE, TRUE, Known
from tests.qa.calibration.known.second import SECOND
from tests.qa.calibration.test_planted import points, refuted
from tests.verify.cases import exactly
from verify.world.referee import rescore
from verify.world.score import score

EVERY = (*FIRST, *SECOND)
SHOWN = [k for k in EVERY if k.at is not None]
PLAIN = [k for k in EVERY if k.truth == TRUE]
KINDS = sorted({known.kind for known in EVERY})


@each("known", [k for k in SHOWN if k.truth in (FALSE, BEYOND)], ids=lambda k: k.key)
def test_each_falsehood_is_broken_by_its_instance(known: Known) -> None:
    assert known.at is not None
    found = rescore(known.statement, exactly(known.statement, known.at, known.shape))
    assert found.violated, (found.left, found.right, found.margins, found.detail)


@each("known", [k for k in SHOWN if k.truth == TRUE], ids=lambda k: k.key)
def test_what_is_said_to_exist_does(known: Known) -> None:
    assert known.at is not None
    assert known.statement.quantifier == "some"
    found = rescore(known.statement, exactly(known.statement, known.at, known.shape))
    assert found.satisfied, (found.left, found.right)


@each("known", PLAIN, ids=lambda k: k.key)
def test_no_random_instance_refutes_a_truth(known: Known) -> None:
    statement = known.statement
    if statement.quantifier == "some" or statement.relation == "<~":
        return
    for shape in statement.family.shapes[:12]:
        for factor in (1, 16):
            batch = points(statement.family, shape, factor)
            for j in refuted(statement, batch):  # rounding, if the referee agrees with the truth
                assert not rescore(statement, batch[j]).violated


@each("known", [k for k in EVERY if k.statement.quantifier == "some"], ids=lambda k: k.key)
def test_nothing_meets_what_is_said_not_to_exist(known: Known) -> None:
    statement = known.statement
    if known.truth == TRUE:
        return
    for shape in statement.family.shapes:
        batch = points(statement.family, shape, 16)
        met = np.flatnonzero(score(statement, batch).feasible)
        assert set(refuted(statement, batch)) == set(met)


@each("known", [k for k in EVERY if k.truth == "empty"], ids=lambda k: k.key)
def test_nothing_meets_empty_hypotheses(known: Known) -> None:
    statement = known.statement
    for shape in statement.family.shapes:
        assert not score(statement, points(statement.family, shape, 16)).feasible.any()


def test_the_set_is_as_large_as_it_is_said_to_be() -> None:
    assert len(FIRST) >= 150
    assert len(SECOND) >= 30
    assert len({known.key for known in EVERY}) == len(EVERY)
    for own in (FIRST, SECOND):
        right = sum(known.truth in (TRUE, "empty", "says nothing") for known in own)
        assert abs(right / len(own) - 1 / 2) <= 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_both_truths_and_each_a_reason(kind: str) -> None:
    own = [known for known in EVERY if known.kind == kind]
    assert all(known.why.endswith(".") for known in own)
    if kind not in ("empty", "tautology"):  # true, since nothing could speak against them
        assert {known.truth == TRUE for known in own} == {True, False}
