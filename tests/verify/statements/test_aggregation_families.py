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
from verify.corpus.files import path_of, stored
from verify.ladder import PROFILES, assay
from verify.world.score import Score, score


def leaf(key: str) -> Statement:
    return library().leaf(f"aggregation.{key}")


def exactly(key: str, family: int = 0, shape: int = 0, **values: Any) -> Score:
    """One instance of a statement, of its first family or a further one, in fractions."""
    statement = leaf(key)
    numbers = {k: as_rational(np.asarray(v)[None]) for k, v in values.items()}
    chosen = (statement.family, *statement.also)[family]
    return score(statement, chosen.instance(numbers, chosen.shapes[shape]), "exact")


RETURNING = {"slow": 1, "factor": 2, "own": 1, "reach": 1, "rare": Q(1, 2**25)}


def test_a_round_returns_to_the_minimiser_of_f() -> None:
    theta = exactly("theorem3@run+algorithm+endless", 1, **RETURNING).world.run().theta[0, 0, :, 0]
    assert theta[0] == theta[2] == 0
    # steps 1/16 and 1/17, weights (0, 16/45, 29/45): from 0 to 1/4 and to -1/8
    assert theta[1] == Q(16, 45) * Q(1, 4) - Q(29, 45) * Q(1, 8) == Q(1, 120)


def test_the_ends_of_a_returning_round_do_not_see_its_middle() -> None:
    found = exactly("theorem3@run+algorithm+endless", 1, **RETURNING)
    assert found.world.low.item() == found.world.high.item() == 2**25
    assert found.feasible.all()
    assert found.left.item() > found.right.item() > 0
    inside = exactly("theorem3@run+algorithm+endless", 1, **{**RETURNING, "rare": Q(1, 4)})
    assert inside.left.item() < inside.right.item()


def test_the_corollary_fails_between_returns() -> None:
    found = exactly("corollary4@run+algorithm+endless+iterations", **RETURNING)
    theta = found.world.run().theta[0, 0, :, 0]
    assert theta[0] == theta[2] == theta[4] == 0 != theta[3]
    assert found.left.item() > found.right.item() > 0


def test_a_periodic_round_begins_where_it_ends() -> None:
    row = {"curvature": [[1], [4]], "optimum": [[1], [0]], "share": [1, 1], "row": [1, 3]}
    found = exactly("theorem3@run+algorithm+endless", **row, pace=[2, 1])
    theta = found.world.run().theta[0, 0, :, 0]
    assert theta[0] == theta[2] != theta[1]
    found = exactly("theorem3@run+section2+endless", **row, pace=[2, 1])
    aggregated = found.world.run().theta[0, 0, :, 0]
    assert aggregated[1] == aggregated[3] != aggregated[0]


def test_a_negative_learning_error_outweighs_the_speed_term() -> None:
    values = {"floor": 1, "factor": 8000, "behind": 1, "ahead": 1, "chosen": Q(1, 32)}
    found = exactly("corollary4@run+algorithm+loop+rounds", 1, **values)
    assert found.world.high.item() == 0 < found.world.low.item()
    assert found.left.item() > found.right.item()
    mild = exactly("corollary4@run+algorithm+loop+rounds", 1, **{**values, "factor": 8})
    assert mild.left.item() < mild.right.item()


def test_a_negative_learning_error_is_below_the_rest_of_the_horizon() -> None:
    """Minimisers 1 and 0, p = 1/2, weights 2/3 and 1/3, steps 1/4 and 1/5: w_1 = 1/6."""
    two, row = [[1], [1]], [[Q(2, 3), Q(1, 3)]] * 4
    values = {"curvature": two, "optimum": [[1], [0]], "start": [0], "share": [1, 1], "raw": row}
    found = exactly("remark7.refined/least", **values)
    world = found.world
    assert (world.low.item(), world.high.item(), world.gap.item()) == (Q(17, 13), 1, Q(1, 8))
    assert found.left.item() == Q(4, 51)
    spent = Q(1, 4) + Q(1, 16) + Q(1, 25)
    assert found.right.item() == Q(4, 3) * Q(13, 17) * spent / (Q(1, 4) + Q(1, 5))
    assert found.feasible.all()


RESTING = {
    "corollary4@run+algorithm+endless+rounds": {
        "curvature": [[1], [1], [1]],
        "optimum": [[0], [-1], [Q(6, 5)]],
        "share": [4096, 1, 1],
        "row": [Q(1, 256), 1, 1],
    },
    "eq17@run+algorithm+rounds": {
        "curvature": [[1], [1]],
        "optimum": [[0], [1]],
        "share": [1, 1],
        "row": [1, 3],
    },
}


@pytest.mark.parametrize("key", RESTING)
def test_a_long_run_that_rests_beside_the_minimiser_needs_the_learning_error(key: str) -> None:
    values, families = RESTING[key], (leaf(key).family, *leaf(key).also)
    family = next(i for i, f in enumerate(families) if "never leave" in f.about)
    found = exactly(key, family, len(values["share"]) - 2, **values, horizon=4096)
    assert len(set(found.world.run().theta.flat)) == 1
    assert found.left.item() < found.right.item()
    assert found.terms[1]["speed"].item() < found.left.item()


def test_falling_steps_break_what_one_minimiser_does_not_save() -> None:
    """Curvatures 1 and 64, nearly all p on the flat client, half of alpha on the steep one: after a
    step of 1/64 it rests, and the bound still counts on rho-bar = 32."""
    values = {
        "curvature": [[1], [64]],
        "optimum": [[0], [0]],
        "start": [1],
        "share": [4096, 1],
        "raw": [[1, 1]] * 4,
        "pace": [4, Q(1, 2**16)],
        "sigma": [1, 1],
        "noise_share": [0, 0],
        "skew": [1, 1],
        "temperature": 1,
    }
    shapes = leaf("eq13@run+algorithm+loop").family.shapes
    two = next(i for i, s in enumerate(shapes) if (s["rule"], s["rounds"]) == ("fixed", 2))
    found = exactly("eq13@run+algorithm+loop", shape=two, **values)
    assert found.world.low.item() == Q(65, 2) / Q(4096 + 64, 4097)
    assert found.feasible.all()
    assert found.left.item() > found.right.item()


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("theorem3@run+section2+loop", "violated"),
        ("theorem3.repaired", "proved"),
        ("corollary4.repaired", "proved"),
        ("remark7/least@loop", "violated"),
        ("remark7/least@endless", "holds"),
        ("eq20@product", "proved"),
    ],
)
def test_readings_fall_and_repairs_stand(key: str, word: str) -> None:
    kept = stored(path_of("aggregation")).kept(leaf(key))  # as a run does
    assert assay(leaf(key), profile=PROFILES["quick"].word_alone(), kept=kept).verdict == word


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("proof.A1b/first@whole-term", "no"),
        ("proof.pre.repaired", "yes"),
        ("proof.A5.repaired", "yes"),
    ],
)
def test_what_a_step_follows_from(key: str, word: str) -> None:
    deduction = leaf(key).deduction
    assert deduction is not None
    found = assay(deduction, profile=SMALL.word_alone()).verdict
    assert {"proved": "yes", "violated": "no"}[found] == word
