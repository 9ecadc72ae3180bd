"""Aggregation with noise: exact moments, and numbers that no outcome passes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.verify.rates.planted import divided, false_rate
from verify.rates.curve import curve
from verify.rates.findings import CROSSED, finding, part
from verify.rates.many import PROFILES, batches, measure, together
from verify.rates.record import Rate
from verify.rates.seen import until
from verify.statements.aggregation import corollary, curves, noisy, theorem
from verify.statements.aggregation import quantities as q
from verify.world.noise_plan import AllOutcomes, Samples
from verify.world.world import World

PLAN = Samples(5, 400)


def rate(claim: object) -> Rate:
    return next(r for r in curves.RATES if r.statement is claim and r.way == "moments")


def on(one: Rate, **cell: object) -> Rate:
    return replace(one, cells=({**one.cells[0], **cell},))


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_moments_are_the_enumerated_means(steps: int) -> None:
    """Two clients, noise of two points, four iterations: 4^4 outcomes."""
    one = on(rate(theorem.refined), N=2, d=1, law="skewed", rule="fixed", local_steps=steps)
    batch = together(one, range(4), seed=3)
    made = curve(one, batch, (1, 2, 3, 4), PLAN)
    for j, t in enumerate(made.times):
        world = World(until(batch, t), "float64", AllOutcomes(), one.claim.defines)
        after, before = (world.mean(q.distance(world, s))[:, 0] for s in (t, t - 1))
        np.testing.assert_allclose(made.left[:, j], after, rtol=1e-9)
        right = sum(theorem.refined_right(world, before[:, None]).values())
        np.testing.assert_allclose(made.right[:, j], right[:, 0], rtol=1e-9)


def test_samples_are_near_the_moments() -> None:
    """Within six standard errors, on a literal seed."""
    exact = on(rate(corollary.repaired), N=4, d=2, law="heavy", rule="fedavg", local_steps=3)
    sampled = replace(exact, way="samples", affine_map=None)
    batch = together(exact, range(3), seed=5)
    times = (1, 5, 20)
    near, made = curve(sampled, batch, times, PLAN), curve(exact, batch, times, PLAN)
    assert (np.abs(made.left - near.left) <= 6 * near.spread + 1e-12).all()


@pytest.mark.parametrize("law", noisy.BOUNDED)
def test_no_outcome_leaves_the_ball_or_passes_the_numbers(law: str) -> None:
    """On every outcome seen; a tenth of the radius is left by some (negative control)."""
    one = on(rate(theorem.repaired), N=3, d=2, law=law, rule="fixed", local_steps=2)
    batch = until(together(one, range(12), seed=2), 30)
    plan = replace(PLAN, record=None, replicates=60)
    w = World(batch, "float64", plan, one.claim.defines)
    length = np.sqrt(((q.models(w) - q.best(w)[..., None, :]) ** 2).sum(-1))
    top = noisy.reach(w)[..., None]
    assert (length <= top * (1 + 1e-12)).all()
    assert (length > 0.1 * top).any()
    assert (q.second_moments(w).max(axis=(1, 2, 3)) <= w.G2[:, 0] * (1 + 1e-12)).all()
    assert (q.skew_low(w, "every") >= w.low - 1e-9).all()
    assert (q.skew_high(w, "every") <= w.high + 1e-9).all()


def test_a_part_of_the_noise_is_not_enough() -> None:
    one = false_rate(rate(theorem.refined), "part", divided("noise", 1000))
    size = PROFILES["quick"]
    found = finding(one, [part(n, measure(one, n, size)) for n in batches(one, size)])
    assert found["word"] == CROSSED
