"""What the statements on FedBC measure along a run, against brute force on grids."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from verify.claim.statement import Family, statement
from verify.statements.fedbc.quantities import (
    PROOFS,
    STEPPED,
    best_loss,
    dissimilarity,
    domain_of,
    everywhere,
    horizons,
    hull_dissimilarity,
    hull_of,
    length,
    mean_loss,
    rounds_of,
    runs,
    size,
    slopes,
    solved_dissimilarity,
    solved_hull_of,
    stands,
    still,
    tolerance,
)
from verify.world.noise_plan import NotAvailable
from verify.world.score import score
from verify.world.world import World

GRID = 4001
"""Points over an interval; kinks are missed by at most its length over 8000."""


def world(family: Family, count: int = 24, seed: int = 5) -> World:
    """Random instances of the first shape."""
    shape = family.shapes[0]
    u = np.random.default_rng(seed).random((count, family.width(shape)))
    trivial = statement("fedbc.test", where="test", latex="", family=family)(
        lambda w: ({"0": 0 * w.lambda_min}, {"1": 1 + 0 * w.lambda_min})
    )
    return score(trivial, family.instance(family.decode(u, shape), shape)).world


WORLD = world(runs(size(2, 2, **STEPPED), domain="above"))
EVERY = rounds_of(WORLD)
DOMAIN = domain_of(WORLD)


def over_the_interval(value: Any) -> Any:
    """Values at GRID points of the interval, (GRID, B, 1, ...)."""
    shares = np.linspace(0, 1, GRID)
    return np.array([value(DOMAIN.low + s * DOMAIN.diameter) for s in shares])


def test_the_interval_holds_the_run_and_its_gradients_point_inward() -> None:
    low, high = DOMAIN.low[..., None], DOMAIN.high[..., None]
    room = 1e-9 * DOMAIN.diameter[..., None]
    for r in EVERY[0]:
        for points in (r.old, r.new, r.server[..., None], r.after[..., None]):
            assert ((points >= low - room) & (points <= high + room)).all()
    size_of = WORLD.problem.data["height"] / WORLD.problem.data["width"][..., None]
    assert (slopes(WORLD, everywhere(DOMAIN.low, size_of)) <= 1e-8 * size_of).all()
    assert (slopes(WORLD, everywhere(DOMAIN.high, size_of)) >= -1e-8 * size_of).all()


def test_the_hulls_lie_in_the_interval() -> None:
    """What stands on the hull of the models stands on every domain of Assumption 4.1."""
    inner, middle = hull_of(WORLD), solved_hull_of(WORLD)
    room = 1e-9 * DOMAIN.diameter
    assert (DOMAIN.low <= middle.low + room).all()
    assert (middle.low <= inner.low).all()
    assert (inner.high <= middle.high).all()
    assert (middle.high <= DOMAIN.high + room).all()
    found = [f(WORLD) for f in (hull_dissimilarity, solved_dissimilarity, dissimilarity)]
    assert (found[0] <= found[1]).all()
    assert (found[1] <= found[2] * (1 + 1e-9)).all()
    assert (found[0] < found[2]).any()


def test_the_interval_is_no_longer_than_it_needs_to_be() -> None:
    """Its ends are models of the run, or wells of a client that pushes outward before them."""
    wells = WORLD.problem.data["centre"][..., 0]
    far = wells + 4 * WORLD.problem.data["width"][..., None]
    points = [WORLD.start[..., 0][..., None], WORLD.starts[..., 0], wells, far]
    points += [x for r in EVERY[0] for x in (r.new, r.after[..., None])]
    known = np.concatenate(points, axis=-1)
    for end in (DOMAIN.low, DOMAIN.high):
        gap = np.abs(known - end[..., None]).min(-1)
        assert (gap <= 1e-9 * DOMAIN.diameter).all()


def test_minimum_of_the_mean_loss() -> None:
    grid = over_the_interval(lambda z: mean_loss(WORLD, z)).min(0)
    found = best_loss(WORLD)
    assert (found <= grid + 1e-9 * np.abs(grid)).all()
    curvature = WORLD.problem.smoothness
    # between two grid points a smooth function falls by at most L step^2/8
    step = DOMAIN.diameter / (GRID - 1)
    assert (grid - found <= curvature * step**2).all()


def test_heterogeneity_is_the_largest_over_pairs_multipliers_and_points() -> None:
    rng = np.random.default_rng(3)
    span = WORLD.lambda_max - WORLD.lambda_min
    found = dissimilarity(WORLD)
    largest = 0 * found
    for a, b in (*rng.random((6, 2)), (0, 1), (1, 0), (0, 0), (1, 1)):
        left, right = WORLD.lambda_min + a * span, WORLD.lambda_min + b * span
        gaps = over_the_interval(
            lambda z, left=left, right=right: np.abs(
                left * slopes(WORLD, everywhere(z, WORLD.multipliers))[..., 0]
                - right * slopes(WORLD, everywhere(z, WORLD.multipliers))[..., 1]
            )
        ).max(0)
        largest = np.maximum(largest, gaps)
    assert (largest <= found * (1 + 1e-9)).all()
    assert (largest >= found * (1 - 1e-2)).all()  # kinks are missed by half a grid step


def test_tolerance_is_zero_for_exact_solutions_and_positive_after_one_step() -> None:
    exact = world(runs(size(2, 2), domain="above"))
    scale = (exact.lambda_max * 8) ** 2
    assert (tolerance(exact) <= 1e-24 * scale).all()
    assert (tolerance(WORLD) > 0).mean() > 0.9


@pytest.mark.parametrize("branch", ["well", "hump"])
def test_a_run_that_stands_still_repeats_itself(branch: str) -> None:
    family = horizons(still(branch), domain="above")
    single = world(family, 64)
    rests = stands(single).all(-1)
    assert rests.any()
    rounds = np.where(stands(single), single.horizon, single.rounds)
    assert (length(single) == rounds).all()
    longer = world(replace(family, shapes=({**still(branch), "rounds": 6},)), 64)
    run = rounds_of(longer)[0]
    start = run[0].server[rests]
    width = longer.problem.data["width"][rests]
    for r in run:
        assert (np.abs(r.after[rests] - start) <= 1e-9 * width).all()


def test_others_do_move() -> None:
    """Negative control of the test above."""
    moving = world(horizons(size(2, 2, rounds=6, together=True), domain="above"), 64)
    run = rounds_of(moving)[0]
    assert (np.abs(run[-1].after - run[0].server) > 1e-3).mean() > 0.5


def test_printed_domain_is_met_by_construction_where_it_can_be() -> None:
    found = world(runs(size(1, 1), domain="proofs"), 64)
    for item in PROOFS:
        assert (np.asarray(item.rule(found)) >= -1e-9 * found.lambda_max).all()


def test_sampled_sets_are_followed_each_by_itself() -> None:
    w = world(runs(size(3, 2, rounds=2), domain="above"), count=6)
    followed = rounds_of(w)
    sets = list(product(combinations(range(3), 2), repeat=2))
    assert len(followed) == len(sets) == 9
    for run, chosen in zip(followed, sets, strict=True):
        mask = np.zeros((1, 1, 2, 3))
        for t, members in enumerate(chosen):
            mask[0, 0, t, list(members)] = 1
        alone = w.run(participation=mask)
        for t, found in enumerate(run):
            assert found.solved == chosen[t]
            np.testing.assert_allclose(found.new, alone.local_models[..., t, :, 0], rtol=1e-12)
            np.testing.assert_allclose(found.after, alone.server[..., t + 1, 0], rtol=1e-12)


def test_more_sequences_of_sets_than_can_be_followed_are_refused() -> None:
    w = world(runs(size(3, 2, rounds=1), domain="above"), count=2)
    many = World(replace(w.instance, params={**w.instance.params, "rounds": 4}))
    with pytest.raises(NotAvailable, match="81 sequences of sets, above 64"):
        rounds_of(many)
