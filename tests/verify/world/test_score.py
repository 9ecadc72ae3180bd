"""Scores of whole batches, and what the pool makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds import generic as xp
from tests.verify.cases import claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.search.pool import Pool
from verify.world.noise_plan import AllOutcomes


def chance(sides: Any) -> Statement:
    """A claim that x exceeds a bound with probability y at most."""
    family = numbers(x=Real(-1, 4), y=Real(1 / 4, 1))
    return claim(sides, family, over="prob", delta=lambda w: w.y)


def evaluated(statement: Statement, *rows: tuple[float, float]) -> Any:
    x, y = np.array(rows).T
    values = {"x": x, "y": y}
    return Pool(statement, AllOutcomes()).evaluate(values, {})


def test_a_probability_of_what_has_no_value_has_none() -> None:
    # beyond x = 0 the root has no value: the event is then neither met nor missed
    made = chance(lambda w: ({"1": 1 + 0 * w.x}, {"root": xp.sqrt(w.x)}))
    score, _ = evaluated(made, (-1.0, 0.5), (0.25, 0.5), (4.0, 0.5))
    assert np.isnan(score.ratio[0])
    assert score.ratio[1:].tolist() == [2.0, 0.0]
    assert score.feasible.tolist() == [False, True, True]


def test_an_event_that_rounding_alone_makes_has_no_ratio() -> None:
    # in floats (x + c) - x is above or below c, as the numbers happen to be
    near = 1e-9
    tie = chance(lambda w: ({"x": (w.x + near) - w.x}, {"near": near + 0 * w.x}))
    score, steady = evaluated(tie, *((x, 0.5) for x in np.linspace(1, 4, 64)))
    assert (score.ratio > 0).any()  # what floats say
    assert (steady > 0).mean() < (score.ratio > 0).mean()
    sure = chance(lambda w: ({"x": w.x}, {"half": 0.5 + 0 * w.x}))
    assert evaluated(sure, (1.0, 0.5))[1].tolist() == [2.0]
