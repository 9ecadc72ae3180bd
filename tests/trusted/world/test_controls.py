"""A run that is exchanged for that of a control: whose models, whose weights, which outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from bounds import generic as xp
from tests.trusted.world.test_standing import FEDAVG, world
from verify.world.controls import ALL, ALONE, CONTROLS, GROUPS, JUMPS, STILL


@pytest.mark.parametrize("control", CONTROLS)
def test_floats_and_fractions_run_the_same_control(control: str) -> None:
    exact = world("exact").exchanged(control).run()
    floats = world(count=1).exchanged(control).run()
    first = xp.to_float(exact.theta)
    assert first.shape == floats.theta.shape
    assert np.allclose(first, floats.theta, rtol=1e-12)


@pytest.mark.parametrize("control", CONTROLS)
def test_problem_start_and_outcomes_stay(control: str) -> None:
    own = world()
    other = own.exchanged(control)
    made, exchanged = own.run(), other.run()
    assert np.array_equal(made.theta[:, :, 0], exchanged.theta[:, :, 0])
    assert np.array_equal(own.weights, other.weights)
    moves = not np.array_equal(made.theta, exchanged.theta)
    assert moves, "a control that repeats the method controls nothing"


@pytest.mark.parametrize("control", CONTROLS)
def test_a_run_that_was_made_before_makes_no_difference(control: str) -> None:
    own = world()
    own.run()
    known, fresh = own.exchanged(control), world().exchanged(control)
    assert np.array_equal(known.run().theta, fresh.run().theta)
    assert np.array_equal(known.weights, fresh.weights)
    assert known.run().extras.keys() == fresh.run().extras.keys()
    assert all(np.array_equal(v, fresh.run().extras[k]) for k, v in known.run().extras.items())


def test_a_run_with_other_steps_is_made_anew() -> None:
    own = world()
    own.run()
    known, fresh = own.exchanged(JUMPS), world().exchanged(JUMPS)
    for other in (known, fresh):
        other._defines["step_size"] = lambda w: np.full((3, 1), 1 / 64)
    assert np.array_equal(known.run().weights, fresh.run().weights), "the method has chosen them"
    (_, made, _), (_, anew, _) = (next(iter(w._own.values())) for w in (known, fresh))
    assert np.array_equal(made.theta, anew.theta)
    assert not np.array_equal(made.theta, own.run().theta)


def test_a_client_alone_is_local_training() -> None:
    own = world()
    alone = own.exchanged(ALONE).run().theta
    local = world().run("local").theta
    # the other client's noise does not matter: each path of local stands twice for each round
    assert {tuple(np.round(p.ravel(), 12)) for p in alone[0]} == {
        tuple(np.round(p.ravel(), 12)) for p in local[0]
    }


def test_plain_averaging_is_fedavg() -> None:
    own = world()
    assert np.allclose(own.exchanged(ALL).run().theta, world().run("fedavg").theta, rtol=1e-12)


@pytest.mark.parametrize(("control", "shares"), [(ALONE, (1, 0)), (ALL, (0.5, 0.5))])
def test_weights_are_those_of_the_control(control: str, shares: tuple[float, float]) -> None:
    assert (world().exchanged(control).run().weights == np.array(shares)).all()


def test_a_group_holds_the_client_itself() -> None:
    weights = world().exchanged(GROUPS).run().weights
    assert (weights[..., 0] > 0).all()
    assert np.allclose(weights.sum(-1), 1)


def test_jumps_do_not_follow_the_gradient() -> None:
    theta = world().exchanged(JUMPS).run().theta
    steps = np.diff(theta, axis=2)
    assert (np.abs(steps) <= 8).all()
    assert (steps == steps[:1, :1]).all(), "one path of jumps, from wherever the run begins"


def test_server_and_local_models_are_those_of_the_control() -> None:
    own = world(family=FEDAVG)
    made, alone = own.run(), own.exchanged(ALONE).run()
    assert alone.server.shape == made.server.shape
    assert alone.local_models.shape == made.local_models.shape
    assert np.allclose(alone.server[:, :, 1:], alone.local_models[..., 0, :])


def test_still_is_a_control() -> None:
    still, same = world().still().run(), world().exchanged(STILL).run()
    assert np.array_equal(still.theta, same.theta)
