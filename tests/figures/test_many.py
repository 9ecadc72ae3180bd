"""Figures in several processes: grouped by their runs, all made, the same as one by one."""

from __future__ import annotations

import os

import numpy as np

from figures import many, runner


def identity(name: str) -> tuple[str, int]:
    return name, os.getpid()


def test_figures_of_the_same_runs_are_one_group_and_the_longest_comes_first() -> None:
    found = many.groups(runner.NAMES)
    assert sorted(name for task in found for name in task) == sorted(runner.NAMES)
    together = next(task for task in found if "fedbc_users" in task)
    assert set(together) == {"fedbc_training", "fedbc_users", "fedbc_multipliers"}
    spent = [sum(float(runner.stored(n)[runner.SECONDS]) for n in task) for task in found]
    assert np.all(np.diff(spent) <= 0)


def test_every_figure_is_made_once_and_groups_stay_together() -> None:
    names = ["bounds", "fedbc_users", "fedbc_training", "rows"]
    made = dict(many.each(names, identity, jobs=2))
    assert set(made) == set(names)
    assert made["fedbc_users"] == made["fedbc_training"]
    assert os.getpid() not in made.values()


def test_one_process_is_this_one() -> None:
    assert {pid for _, pid in many.each(["bounds", "rows"], identity, jobs=1)} == {os.getpid()}


def test_processes_compute_what_one_computes() -> None:
    names = ["sufficient_cluster", "tightness"]
    assert sorted(many.each(names, runner.compared, jobs=2)) == [(n, []) for n in names]
