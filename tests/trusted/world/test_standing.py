"""A world in which every run stays where it begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.cases import FIXED, fixed_runs, sampled
from verify.claim.families import quadratics
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.world.referee import exact_instance
from verify.world.world import World

ROUNDS = 2
FAMILY = fixed_runs((2, 2, ROUNDS))
FEDAVG = quadratics(
    ({"N": 2, "d": 1, "rounds": ROUNDS, "method": "fedavg", "local_steps": 1, "rule": "fedavg"},),
    {"step_size": Real(1 / 64, 1 / 8), "client_weights": Real(1 / 4, 1, per=("N",))},
)


def world(number: str = "float64", family: Any = FAMILY, count: int = 3) -> World:
    instance: Instance = sampled(family, count, 7)
    if number == "exact":
        instance = exact_instance(instance[0]).batched()
    return World(instance, number, None, FIXED if family is FAMILY else {})


@pytest.mark.parametrize("number", ["float64", "exact"])
def test_every_model_is_the_first_one(number: str) -> None:
    moving = world(number)
    still = moving.still()
    theta, stayed = xp.to_float(moving.run().theta), xp.to_float(still.run().theta)
    assert theta.shape == stayed.shape
    assert (stayed == theta[:, :, :1]).all()
    assert not (theta == theta[:, :, :1]).all()


def test_what_the_method_has_chosen_stays() -> None:
    moving = world()
    assert np.array_equal(moving.still().run().weights, moving.run().weights)


def test_the_outcomes_and_their_weights_are_those_of_the_run() -> None:
    moving = world()
    still = moving.still()
    moving.run()
    still.run()
    assert np.array_equal(still.weights, moving.weights)


def test_the_moving_world_keeps_its_run() -> None:
    moving = world()
    before = moving.run().theta
    moving.still().run()
    assert moving.run().theta is before


def test_a_changed_symbol_leaves_a_still_world_still() -> None:
    still = world().still()
    changed = still.with_changed({"start": 0 * still.original("start")})
    theta = changed.run().theta
    assert (theta == theta[:, :, :1]).all()
    moving = world().with_changed({"start": 0.0}).run().theta
    assert not (moving == moving[:, :, :1]).all()


def test_server_and_local_models_stay_too() -> None:
    moving = world(family=FEDAVG)
    made, stayed = moving.run(), moving.still().run()
    assert (stayed.server == made.server[:, :, :1]).all()
    assert stayed.local_models.shape == made.local_models.shape
    assert (stayed.local_models == made.server[:, :, :1, None]).all()
    assert not (made.local_models == made.server[:, :, :1, None]).all()


def test_runs_are_counted_once_each() -> None:
    w = world()
    assert w.runs == 0
    w.run()
    w.run()
    assert w.runs == 1
    w.run(step_size=w.step_size / 2)
    assert w.runs == 2
    assert w.still().runs == 0
    assert w.with_changed({"start": 0.0}).runs == 2
