"""Committed numbers of chaotic runs: other rounding passes, another result does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures import runner
from figures.places import PLACES, load
from figures.stable import How, Wander, drift, jackknife

CHAOTIC = [place for place in PLACES if hasattr(load(place), "CHAOTIC")]


def runs(seed: int, count: int = 5) -> Any:
    """Results of independent runs of four methods at three settings."""
    return np.random.default_rng(seed).normal(10, 1, (4, 3, count))


def test_equal_numbers_and_one_run_made_otherwise_agree() -> None:
    old = runs(1)
    new = old.copy()
    new[0, 0, 0] += 1.0  # one run of five wanders off by as much as runs differ
    assert drift("x", -1, {"x": old}, {"x": old}) == ""
    assert drift("x", -1, {"x": new}, {"x": old}) == ""


@pytest.mark.parametrize("shift", [1.0, -2.0])
def test_a_method_that_moves_by_what_runs_differ_is_seen(shift: float) -> None:
    old = runs(1)
    new = old.copy()
    new[2] += shift  # two standard errors of a mean of five, in every setting
    assert "standard errors away as a whole" in drift("x", -1, {"x": new}, {"x": old})


def test_a_single_place_far_off_is_seen() -> None:
    old = {"path": np.zeros(50), "path_error": np.full(50, 0.1)}
    new = {**old, "path": np.where(np.arange(50) == 7, 0.5, 0.0)}
    assert "5 at one point" in drift("path", "path_error", new, old)
    near = {**old, "path": np.where(np.arange(50) == 7, 0.3, 0.0)}
    assert drift("path", "path_error", near, old) == ""


def test_what_does_not_vary_must_not_move() -> None:
    old = {"x": np.full((2, 5), 3.0)}
    assert "where the runs do not differ at all" in drift("x", -1, {"x": old["x"] + 0.01}, old)
    assert "no number" in drift("x", -1, {"x": old["x"] * np.nan}, old)


def test_standard_errors_do_not_shrink_or_grow_in_silence() -> None:
    old = {"path": np.zeros(9), "path_error": np.ones(9)}
    chaotic = {"path": "path_error"}
    for factor, wrong in ((0.5, False), (2.0, False), (0.1, True), (10.0, True)):
        new = {"path": np.zeros(9), "path_error": factor * np.ones(9)}
        assert bool(list(runner.differences("f", new, old, {}, chaotic))) is wrong


def test_points_wander_by_their_own_errors_and_where_they_stand_still_nothing_may_move() -> None:
    how, error = Wander("path_wander"), np.r_[np.zeros(13), 0.01, 0.1]
    old = {"path": np.ones(15), "path_wander": error}
    rng = np.random.default_rng(3)
    for _ in range(50):  # two runs that wander
        runs = ({**old, "path": 1 + error * rng.normal(size=15)} for _ in range(2))
        assert drift("path", how, *runs) == ""
    for place, moved in ((14, 0.6), (13, 0.06), (13, 0.6), (0, 0.01)):
        new = {**old, "path": old["path"] + moved * (np.arange(15) == place)}
        assert drift("path", how, new, old) != ""
    tiny = {**old, "path": old["path"] + 1e-7 * (np.arange(15) == 0)}
    assert drift("path", how, tiny, old) == ""
    assert drift("path", how, tiny, old, (1e-8, 0.0)) != ""
    moved = {**old, "path": old["path"] + 3 * error}  # every point that wanders, at once
    all_wander = {"path": np.ones(15), "path_wander": np.full(15, 0.1)}
    assert drift("path", how, {**all_wander, "path": np.full(15, 1.3)}, all_wander) != ""
    assert drift("path", how, moved, old) == ""  # two points are within what two runs wander


def test_points_that_all_wander_are_seldom_refused() -> None:
    rng = np.random.default_rng(4)
    error = {"x_wander": np.ones(15)}
    pairs = ([{"x": rng.normal(size=15), **error} for _ in range(2)] for _ in range(2000))
    refused = sum(bool(drift("x", Wander("x_wander"), *pair)) for pair in pairs)
    assert refused < 20


def test_a_jackknife_knows_the_error_of_a_mean_and_of_what_is_made_of_it() -> None:
    rng = np.random.default_rng(5)
    parts = rng.normal(2.0, 0.1, (400, 20, 3))

    def both(mean: Any) -> dict[str, Any]:
        return {"mean": mean, "square": mean**2}

    found = jackknife(both, parts, 1)
    np.testing.assert_allclose(found["mean"], parts.std(1, ddof=1) / 20**0.5, rtol=1e-9)
    # twice the mean times its error, on average over 1200 estimates of 19 degrees of freedom each
    root = np.sqrt(np.mean(found["square"] ** 2))
    assert root == pytest.approx(2 * 2 * 0.1 / 20**0.5, rel=0.03)


@pytest.mark.parametrize("place", CHAOTIC, ids=lambda place: place.name)
def test_chaotic_arrays_are_there_with_their_errors_and_a_change_is_seen(place: Any) -> None:
    """Every array moved by three of its standard errors is named."""
    data, module = runner.stored(place), load(place)
    data.pop(runner.SECONDS)
    chaotic: dict[str, How] = {k: v for k, v in module.CHAOTIC.items() if k in data}
    assert chaotic
    moved, still = dict(data), set()
    for key, how in chaotic.items():
        if isinstance(how, int):
            error = data[key].std(how, ddof=1, keepdims=True)
        else:
            error = data[how.error if isinstance(how, Wander) else how]
        moved[key] = data[key] + 3 * np.sqrt(np.mean(np.square(error)))
        if not np.any(error):
            still.add(key)
    named = {d.array for d in runner.differences("x", moved, data, module.TOLERANCES, chaotic)}
    assert named >= set(chaotic) - still
    assert list(runner.differences("x", data, data, module.TOLERANCES, chaotic)) == []
