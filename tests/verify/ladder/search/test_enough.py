"""Different instances that met every hypothesis are counted, and thin shapes are filled up."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.verify.cases import assume, claim, numbers
from verify.claim.parameters import Real
from verify.ladder.search import tuning
from verify.ladder.search.enough import fill_up, free_parameters, instances_met
from verify.ladder.search.pool import Pool
from verify.verdict.relation import LEAST_MET
from verify.world.noise_plan import AllOutcomes

SHAPES = ({"N": 1}, {"N": 2})
BELOW = claim(
    lambda w: ({"x": w.x}, {"y": w.y}),
    numbers(*SHAPES, x=Real(0, 8), y=Real(0, 8)),
    given=assume({"x at most y": lambda w: w.y - w.x, "N is 1": lambda w: 3 - 2 * w.N + 0 * w.x}),
)
THIN = claim(
    lambda w: ({"x": w.x}, {"y": w.y + 1}),
    numbers(x=Real(0, 8), y=Real(0, 8)),
    given=assume({"x near y": lambda w: 1 - 10_000 * (w.y - w.x) ** 2}),
)


def pool_of(statement: Any, x: Any, y: Any, shape: Any = SHAPES[0]) -> Pool:
    pool = Pool(statement, AllOutcomes())
    values = {"x": np.asarray(x, dtype=float), "y": np.asarray(y, dtype=float)}
    pool.evaluate(values, shape, keep=True)
    return pool


def test_equal_and_neighbouring_instances_count_once() -> None:
    x = np.array([1, 1, 1 + 1e-6, 2, 3, 5])
    pool = pool_of(BELOW, x, [4, 4, 4, 4, 4, 4])
    assert pool.feasible == 5
    assert instances_met(pool) == {"met": {"N=1": 3, "N=2": 0}}


def test_places_are_those_in_the_cube() -> None:
    pool = pool_of(BELOW, [1, 2], [4, 4])
    places = pool.tally.places(SHAPES[0], 2)
    assert np.abs(places - np.array([[1, 4], [2, 4]]) / 8).max() <= 1 / tuning.CELLS_PER_RANGE
    assert pool.tally.places(SHAPES[1], 2).shape == (0, 2)


def test_shapes_are_filled_up_as_far_as_their_hypotheses_allow() -> None:
    pool = pool_of(BELOW, [1], [4])
    fill_up(pool, 0)
    met = instances_met(pool)["met"]
    assert met["N=1"] >= LEAST_MET
    assert met["N=2"] == 0
    tried = pool.tried
    fill_up(pool, 0)
    assert pool.tried == tried + 2 * 512, "only the empty shape is tried again"


def test_a_thin_region_is_filled_between_what_was_met() -> None:
    alone = pool_of(THIN, [1], [5], {})
    fill_up(alone, 0)
    assert instances_met(alone)["met"][""] < 20
    ends = pool_of(THIN, [0, 8], [0, 8], {})
    fill_up(ends, 0)
    assert instances_met(ends)["met"][""] > 40


def test_no_more_than_enough_are_kept() -> None:
    u = np.linspace(0, 8, 2_000)
    pool = pool_of(BELOW, 0 * u, u)
    assert instances_met(pool)["met"]["N=1"] == tuning.COUNTED_PER_SHAPE


def test_shapes_without_free_parameters_are_one_instance_each() -> None:
    fixed = claim(
        lambda w: ({"1": 1 + 0 * w.x}, {"N": w.N + 0 * w.x}), numbers(*SHAPES, x=Real(2, 2))
    )
    pool = Pool(fixed, AllOutcomes())
    pool.evaluate({"x": np.full(3, 2.0)}, SHAPES[0])
    assert instances_met(pool) == {"met": {"N=1": 1, "N=2": 0}, "fixed": ["N=1", "N=2"]}
    assert free_parameters(fixed, SHAPES[0]) == 0
    assert free_parameters(BELOW, SHAPES[0]) == 2
    bare = Pool(claim(lambda _: ({"1": 1}, {"2": 2}), numbers({"N": 1})), AllOutcomes())
    bare.evaluate({}, {"N": 1})
    assert instances_met(bare) == {"met": {"N=1": 1}, "fixed": ["N=1"]}


# -- hypotheses that failed alone ------------------------------------------------------------------


def test_what_failed_alone_is_counted_with_what_fell() -> None:
    pool = pool_of(BELOW, [1, 3, 4, 5], [4, 4, 4, 4])
    alone = pool.tally.alone["x at most y"]
    assert (alone.failed, alone.fell, alone.ratio) == (1, 1, 1.25)
    assert alone.valued is not None
    assert alone.valued[0] == {"x": 5, "y": 4}
    assert pool.tally.alone["N is 1"].failed == 0
    pool.evaluate({"x": np.array([1.0, 5.0]), "y": np.array([4.0, 4.0])}, SHAPES[1])
    other = pool.tally.alone["N is 1"]
    assert (other.failed, other.fell) == (1, 0), "where both fail none fails alone"
    assert pool.tally.alone["x at most y"].failed == 1


def test_the_edge_of_a_hypothesis_is_no_failure() -> None:
    pool = pool_of(BELOW, [4, 4 + 1e-14], [4, 4])
    assert pool.tally.alone["x at most y"].failed == 0


def test_the_extent_is_that_of_feasible_instances() -> None:
    pool = pool_of(BELOW, [1, 3, 5], [4, 4, 4])
    extent = pool.tally.extent
    assert (extent.left, extent.right) == ((1, 3), (4, 4))
    assert not extent.equal
    assert extent.whole
    pool.evaluate({"x": np.array([0.5]), "y": np.array([0.5])}, SHAPES[0])
    assert not extent.whole
