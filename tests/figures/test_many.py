"""Figures in several processes: grouped by their runs, all made, the same as one by one."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import numpy as np

from figures import many, runner
from figures.places import PLACES, Place, select
from verify.cli.figures import every_figure


def identity(place: Place) -> tuple[str, int]:
    return place.name, os.getpid()


def test_figures_of_the_same_runs_are_one_group_and_the_longest_comes_first() -> None:
    found = many.groups(every_figure())
    assert {place for task in found for place in task} == set(every_figure())
    assert sum(map(len, found)) == len(every_figure()) > len(PLACES)
    names = [{place.name for place in task} for task in found]
    assert {"fedbc_training", "fedbc_users", "fedbc_multipliers"} in names
    spent = [sum(float(runner.stored(p)[runner.SECONDS]) for p in task) for task in found]
    assert np.all(np.diff(spent) <= 0)


def test_every_figure_is_made_once_and_groups_stay_together() -> None:
    places = select(["bounds", "fedbc_users", "fedbc_training", "rows"])
    made = dict(many.each(places, identity, jobs=2))
    assert set(made) == {place.name for place in places}
    assert made["fedbc_users"] == made["fedbc_training"]
    assert os.getpid() not in made.values()


def test_one_process_is_this_one() -> None:
    made = many.each(select(["bounds", "rows"]), identity, jobs=1)
    assert {pid for _, pid in made} == {os.getpid()}


def test_processes_compute_what_one_computes() -> None:
    names = ["sufficient_cluster", "tightness"]
    assert sorted(many.each(select(names), runner.compared, jobs=2)) == [(n, []) for n in names]


def test_a_figure_from_elsewhere_is_made_in_a_process_too(tmp_path: Path) -> None:
    names = {"worst_case", "step_frontier"}
    places = select(sorted(names), every_figure())
    draw = partial(runner.paint, profile="stored", folder=tmp_path)
    assert {made.name for made in many.each(places, draw, jobs=2)} == {
        "worst_case",
        "step_frontier",
    }
    assert (tmp_path / "worst_case.svg").exists()
