"""What a pool remembers of its batches is what a plain recount finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.verify.cases import assume, claim, numbers
from verify.claim.parameters import Real
from verify.ladder.search import tuning
from verify.ladder.search.pool import Pool
from verify.world.noise_plan import AllOutcomes

PAIR = claim(
    lambda w: ({"x": w.x}, {"y": w.y}),
    numbers(x=Real(0, 8), y=Real(0, 8)),
    given=assume(
        {
            "x at most y": lambda w: (w.y - w.x) * (w.y / w.y),
            "y below 6": lambda w: 6 - w.y,
        }
    ),
)


def batches(seed: int) -> list[dict[str, Any]]:
    """Whole numbers, so that ratios are often equal; at y = 0 a margin has no value."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, 12)
    return [{k: rng.integers(0, 9, n).astype(float) for k in "xy"} for n in sizes]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tops_are_the_two_tightest_of_each_batch_the_earlier_first(seed: int) -> None:
    pool, seen = Pool(PAIR, AllOutcomes()), []
    for values in batches(seed):
        result, _ = pool.evaluate(values, {})
        tight = result.tight
        order = np.argsort(-tight, kind="stable")[:2]
        seen += [(tight[j], values["x"][j], values["y"][j]) for j in order if tight[j] > -np.inf]
    expected = sorted(seen, key=lambda one: -one[0])[: tuning.TOPS]
    assert [(t.ratio, t.values["x"], t.values["y"]) for t in pool.tops] == expected
    assert len(seen) > tuning.TOPS, "some were left out"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_instances_that_miss_one_hypothesis_are_counted(seed: int) -> None:
    pool = Pool(PAIR, AllOutcomes())
    failed, fell, met = {"x at most y": 0, "y below 6": 0}, 0, 0
    for values in batches(seed):
        pool.evaluate(values, {})
        x, y = values["x"], values["y"]
        missed, late = (x > y) | (y == 0), y > 6
        failed["x at most y"] += int((missed & ~late).sum())
        failed["y below 6"] += int((late & ~missed).sum())
        fell += int((missed & ~late & (x > y)).sum())
        met += int((~late & ~missed).sum())
    assert {name: one.failed for name, one in pool.tally.alone.items()} == failed
    assert pool.tally.alone["x at most y"].fell == fell > 0
    assert pool.tally.alone["y below 6"].fell == 0
    assert pool.feasible == met


def test_a_ratio_above_one_must_survive_a_nudge_both_ways() -> None:
    # broken at one point alone, which every nudge leaves; and broken everywhere above it
    edge = claim(
        lambda w: ({"left": 1 + (w.x == 2)}, {"right": 1 + 0 * w.x}), numbers(x=Real(0, 8))
    )
    slope = claim(lambda w: ({"x": w.x}, {"one": 1 + 0 * w.x}), numbers(x=Real(0, 8)))
    values = {"x": np.array([0.0, 2.0, 3.0])}
    _, steady = Pool(edge, AllOutcomes()).evaluate(values, {})
    assert steady.tolist() == [1, 1, 1]
    _, steady = Pool(slope, AllOutcomes()).evaluate(values, {})
    assert steady[0] == 0
    assert (steady[1:] > 1.9).all()
    assert (steady[1:] < values["x"][1:]).all(), "the smaller of both neighbours"


FALSE = claim(
    lambda w: ({"x": w.x}, {"y": w.y}),
    numbers(x=Real(0, 8), y=Real(0, 8)),
    given=assume({"y below 6": lambda w: 6 - w.y}),
)
CHANCE = claim(
    lambda w: ({"x": w.x}, {"y": w.y}),
    numbers(x=Real(0, 8), y=Real(0, 8)),
    over="prob",
    delta=lambda w: w.y / 16,
)


@pytest.mark.parametrize("statement", [FALSE, CHANCE], ids=["all", "probability"])
def test_neighbours_in_one_batch_are_what_they_are_one_after_the_other(statement: Any) -> None:
    together, seen = Pool(statement, AllOutcomes()), 0
    for values in batches(4) * 2:
        _, expected = Pool(statement, AllOutcomes()).evaluate(values, {})
        many, before = together.tried, together._above
        result, steady = together.evaluate(values, {})
        assert steady.tolist() == expected.tolist()
        assert together.tried - many == len(values["x"]) == len(result.left)
        seen += before
    assert seen > 0, "some batches held their neighbours too"


def test_a_zero_is_nudged_by_a_part_of_its_range() -> None:
    broken = claim(
        lambda w: ({"left": 1 + (w.x == 0)}, {"right": 1 + 0 * w.x}), numbers(x=Real(0, 8))
    )
    pool = Pool(broken, AllOutcomes())
    result, steady = pool.evaluate({"x": np.array([0.0])}, {})
    assert result.ratio[0] == 2
    assert steady[0] == 1
    assert pool.edge is not None
    assert pool.edge.ratio == 2


def test_a_margin_without_a_value_is_none_that_holds() -> None:
    result, _ = Pool(PAIR, AllOutcomes()).evaluate({"x": np.zeros(2), "y": np.arange(2.0)}, {})
    assert result.lowest["x at most y"].tolist() == [-np.inf, 1]
    assert result.feasible.tolist() == [False, True]
