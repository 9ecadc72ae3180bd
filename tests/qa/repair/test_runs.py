"""The bench of damaged runs sees what is false: in a search, at larger sizes, from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.qa.repair import runs
from tests.qa.repair.damage import Damaged, as_tight, times_factor
from tests.verify.cases import claim, numbers
from verify.claim.parameters import Real, plain_numbers
from verify.claim.statement import Family, Statement
from verify.ladder.rungs.climb import Climb

PLACE = Real(-1, 1, unit=(0, 1))


def places(sides: Any) -> Statement:
    """A claim about two places on a line."""
    build = plain_numbers
    units: dict[str, tuple[float, float]] = {"x": (0, 1), "z": (0, 1)}

    def made(values: Any, shape: Any) -> Any:
        return build(values, shape).with_units(units)

    return claim(sides, Family({"x": PLACE, "z": PLACE}, build=made))


@pytest.mark.parametrize("name", [one.key for one in runs.SHOWN])
def test_a_claim_of_the_examples_is_as_tight_as_itself(name: str) -> None:
    one = runs.originals()[name]
    with np.errstate(all="ignore"):
        assert as_tight(one, one, 50)
        assert not as_tight(times_factor(one, Fraction(2), False), one, 50)


def test_a_mend_is_made_anew_from_the_record() -> None:
    one = runs.originals()["docs.descent"]
    less = times_factor(one, Fraction(2, 3), False)
    repair = {"changes": [["scaled_term", "", "3/2"]]}
    assert as_tight(runs.made_again(less, repair), one, 50)
    assert not as_tight(one, less, 50)


@pytest.mark.slow
def test_what_a_search_breaks_falls() -> None:
    assert runs.falls(times_factor(runs.noisy, Fraction(1, 2), False)) == "another seed"


def test_the_table_counts_what_came_of_each() -> None:
    made = runs.Outcome(
        "violated", ("proved: 3/2 times [a|b]",), True, True, (), True, 1.5, "", 1.0
    )
    none = replace(made, told=(), found=False, proved=False, sharp=None, false=("x: other units",))
    rows = {
        "one": {"kind": "constant", **made.__dict__},
        "other": {"kind": "index", **none.__dict__},
    }
    lines = runs.table(rows, 7).splitlines()
    assert "| all | 2 | 2 | 1 | 1 | 1 | 1 | 1 |" in lines
    assert "| one | violated | proved | yes | proved: 3/2 times [a\\|b] |  |" in lines


def test_sizes_are_eight_times_as_large() -> None:
    one = claim(lambda w: ({"l": w.T * w.x}, {"r": 4 * w.x}), numbers({"T": 1}, {"T": 2}, x=PLACE))
    assert runs._grown(one).family.shapes == ({"T": 16},)


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (lambda w: ({"l": w.x}, {"r": w.x**2 * 0 + 2}), "another origin"),
        (lambda w: ({"l": (w.x - w.z) ** 2}, {"r": w.x * 0 + 5}), "other units"),
        (lambda w: ({"l": 2 * w.x * w.z}, {"r": w.x**2 + w.z**2}), ""),
    ],
)
def test_tight_instances_are_seen_from_elsewhere(sides: Any, said: str) -> None:
    one = places(sides)
    climb = Climb(one, runs.LARGER, 1, "cpu", tidy=False)
    climb.pool.evaluate(one.family.decode(np.random.default_rng(1).random((64, 2)), {}), {})
    assert max(top.ratio for top in climb.pool.tops) <= 1
    assert runs._moved_or_scaled(climb) == said


@pytest.mark.slow
def test_what_is_drawn_is_the_same_each_time() -> None:
    one, other = ([made.name for made in runs.drawn(seed=5, count=3)] for _ in range(2))
    assert one == other


@pytest.mark.slow
def test_the_sharp_constant_of_a_run_is_told() -> None:
    one = runs.originals()["docs.descent"]
    less = times_factor(one, Fraction(3, 4), False)
    outcome = runs.judged(Damaged("", "constant", one, less))
    assert outcome.sharp
    assert outcome.found
    assert not outcome.false
