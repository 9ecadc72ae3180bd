"""A run that has left all floats speaks for nothing: fractions decide, or it is undecided."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bounds.numbers import Undecided
from verify import Real, check, statement
from verify.claim import Family
from verify.claim.families import noiseless
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.world.score import score

BOX = {
    "curvature": Real(1, 2, per=("N", "d")),
    "optimum": Real(-1, 1, per=("N", "d")),
    "start": Real(1, 2, per=("d",)),
    "step_size": Real(0, 1, domain=(0, 1)),
}


def federation(values: Any, shape: Any) -> Instance:
    step = 10**8 * values["step_size"]
    params = {"start": values["start"], "step_size": step, "rounds": shape["rounds"]}
    return Instance("quadratic", noiseless(values), "fedavg", params)


def claim(rounds: int, bounded: bool) -> Statement:
    """That one bounds where a run ends, or is bounded by it: 39 rounds reach infinity, not NaN."""
    shape = {"N": 1, "d": 1, "rounds": rounds}

    @statement("runs.far", latex="x", family=Family(BOX, (shape,), build=federation))
    def sides(w: Any) -> Any:
        end = (w.run().theta[..., -1, :] ** 2).sum(axis=-1)
        return ({"end": end}, {"one": 1}) if bounded else ({"one": 1}, {"end": end, "more": 1})

    return sides


def scored(made: Statement, steps: list[float]) -> Any:
    values = {
        "curvature": np.ones((2, 1, 1)),
        "optimum": np.zeros((2, 1, 1)),
        "start": np.ones((2, 1)),
        "step_size": np.array(steps),
    }
    return score(made, made.family.instance(values, made.family.shapes[0]))


def test_a_bound_that_is_read_off_a_diverged_run_is_no_support() -> None:
    found = scored(claim(39, bounded=False), [0.0, 1.0])
    assert found.diverged.tolist() == [False, True]
    assert np.isnan(found.ratio).tolist() == [False, True]
    assert found.blank.tolist() == [False, True]


def test_what_seems_to_fall_on_a_diverged_run_goes_on_to_the_referee() -> None:
    found = scored(claim(39, bounded=True), [0.0, 1.0])
    assert found.ratio[1] > 1
    assert check(claim(39, bounded=True)).verdict == "violated"


def test_a_statement_says_how_many_runs_diverged(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_(*_: Any) -> Any:
        raise Undecided

    monkeypatch.setattr("verify.ladder.rungs.referee.rescore", open_)
    found = check(claim(39, bounded=False))
    assert found.verdict == "inconclusive"
    assert "of them the run diverged" in found.reason
