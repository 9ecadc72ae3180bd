"""The federations that separate the readings of the aggregation paper, by hand-computed numbers."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from bounds.numbers import as_rational
from tests.verify.cases import SMALL
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.ladder.assay import assay
from verify.world.score import Score, score


def leaf(key: str) -> Statement:
    return library().leaf(f"aggregation.{key}")


def exactly(key: str, **values: Any) -> Score:
    """One instance of a statement's first shape in fractions."""
    statement = leaf(key)
    numbers = {k: as_rational(np.asarray(v)[None]) for k, v in values.items()}
    family = statement.family
    return score(statement, family.instance(numbers, family.shapes[0]), "exact")


RETURNING = {
    "slow": 1, "factor": 2, "own": 1, "reach": 1, "rare": Q(1, 2**25), "step_share": 1, "decay": 0,
}  # fmt: skip


def test_a_round_returns_to_the_minimiser_of_f() -> None:
    theta = exactly("theorem3@final-model", **RETURNING).world.run().theta[0, 0, :, 0]
    # weights (0, 31/87, 56/87), steps 1/16
    assert theta.tolist() == [0, Q(1, 116), 0]


def test_the_ends_of_a_returning_round_do_not_see_its_middle() -> None:
    found = exactly("theorem3@final-model", **RETURNING)
    world = found.world
    assert world.low.item() == world.high.item() == 2**25
    assert found.feasible.all()
    assert found.left.item() == Q(433893, 7424)
    assert found.right.item() == Q(131, 16)
    inside = exactly("theorem3@final-model", **{**RETURNING, "rare": Q(1, 4)})
    assert inside.left.item() < inside.right.item()


def test_the_corollary_fails_between_returns() -> None:
    found = exactly("corollary4@final-model", **RETURNING)
    theta = found.world.run().theta[0, 0, :, 0]
    assert theta[0] == theta[2] == theta[4] == 0 != theta[3]
    assert found.left.item() > found.right.item() > 0


def test_a_negative_learning_error_outweighs_the_speed_term() -> None:
    values = {"floor": 1, "factor": 8000, "behind": 1, "ahead": 1, "chosen": Q(1, 32)}
    found = exactly("corollary4@T-rounds", **values)
    world = found.world
    assert world.high.item() == 0 < world.low.item()
    assert found.left.item() > found.right.item()
    mild = exactly("corollary4@T-rounds", **{**values, "factor": 8})
    assert mild.left.item() < mild.right.item()


def test_a_negative_learning_error_is_below_the_rest_of_the_horizon() -> None:
    """Minimisers 1 and 0, p = 1/2, weights 2/3 and 1/3, steps 1/4 and 1/5: w_1 = 1/6."""
    two, row = [[1], [1]], [[Q(2, 3), Q(1, 3)]] * 4
    values = {"curvature": two, "optimum": [[1], [0]], "start": [0], "share": [1, 1], "raw": row}
    found = exactly("remark7/least@endless", **values)
    world = found.world
    assert (world.low.item(), world.high.item(), world.gap.item()) == (Q(17, 13), 1, Q(1, 8))
    assert found.left.item() == Q(4, 51)
    spent = Q(1, 4) + Q(1, 16) + Q(1, 25)
    assert found.right.item() == Q(4, 3) * Q(13, 17) * spent / (Q(1, 4) + Q(1, 5))
    assert found.feasible.all()


def test_a_run_that_rests_beside_the_minimiser_needs_the_learning_error() -> None:
    statement = leaf("corollary4@T-rounds-endless")
    shape = statement.family.shapes[-1]
    values = {
        "curvature": [[1], [1], [1]], "optimum": [[0], [-1], [Q(6, 5)]], "start": [9],
        "share": [4096, 1, 1], "raw": [[0, 1, 1]], "step_share": 1, "decay": 0,
    }  # fmt: skip
    numbers = {k: as_rational(np.asarray(v)[None]) for k, v in values.items()}
    found = score(statement, statement.family.instance(numbers, shape), "exact")
    assert set(found.world.run().theta.flat) == {Q(1, 10)}
    assert found.left.item() < found.right.item() < 5 * found.left.item()
    assert found.terms[1]["speed"].item() < found.left.item()


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("theorem3@final-model", "violated"),
        ("theorem3.repaired", "holds"),
        ("corollary4@T-rounds", "violated"),
        ("corollary4@T-rounds-endless", "holds"),
        ("corollary4.repaired", "holds"),
        ("remark7/least@run", "violated"),
        ("remark7/least@endless", "holds"),
        ("remark5", "violated"),
        ("eq20.repaired", "proved"),
    ],
)
def test_readings_fall_and_repairs_stand(key: str, word: str) -> None:
    assert assay(leaf(key), profile=SMALL).verdict == word


@pytest.mark.parametrize(
    ("key", "word"),
    [("proof.A1b/first", "no"), ("proof.pre", "yes"), ("proof.A5.repaired", "yes")],
)
def test_what_a_step_follows_from(key: str, word: str) -> None:
    deduction = leaf(key).deduction
    assert deduction is not None
    found = assay(deduction, profile=SMALL).verdict
    assert {"proved": "yes", "violated": "no"}[found] == word
