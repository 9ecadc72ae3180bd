"""Claims on the sign of one term, whose ratio is nothing or everything, are climbed by the gap."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.each import each
from verify.ladder import PROFILES, assay
from verify.ladder.search.goal import heights, of_one_sign
from verify.ladder.search.pool import Pool
from verify.line import one_line
from verify.world.noise_plan import AllOutcomes

QUICK = PROFILES["quick"].word_alone()

BETWEEN = "(x - 1)*(x - 1001/1000) >= 0 for x in [0, 2]"
TOUCHING = "(x - 1)**2*(x - 1001/1000)**2 >= 0 for x in [0, 2]"
NARROW = (
    BETWEEN,
    "exp(x)*(x - 31/10)*(x - 311/100) >= 0 for x in [0, 4]",
    "(x*y - 31/10)*(311/100 - x*y) <= 0 for x, y in [0, 4]",
)


@each("line", NARROW)
def test_the_other_sign_is_found_where_it_is_narrow(line: str) -> None:
    for seed in range(3):
        assert assay(one_line(line), profile=QUICK, seed=seed).verdict == "violated"


def test_a_term_that_touches_zero_is_not_accused() -> None:
    assert assay(one_line(TOUCHING), profile=QUICK).verdict != "violated"


def test_an_instance_of_the_other_sign_is_found_where_one_is_asked_for() -> None:
    asked = replace(one_line("(x - 1/3)*(x - 334/1000) <= 0 for x in [0, 1]"), quantifier="some")
    for seed in range(3):
        assert assay(asked, profile=QUICK, seed=seed).verdict == "proved"


def height(line: str, *places: float) -> tuple[bool, list[float]]:
    """Whether a claim is of one sign after these places, and how high they are."""
    pool = Pool(one_line(line), AllOutcomes())
    result, ratio = pool.evaluate({"x": np.array(places)}, {})
    return of_one_sign(pool, result), list(heights(pool, result, ratio))


def test_the_nearer_place_is_the_higher_one() -> None:
    one, (far, near) = height(BETWEEN, 0.5, 0.99)
    assert one
    assert -1000 < far < near < -600


def test_a_ratio_that_tells_something_is_left_alone() -> None:
    one, (first, second) = height("x <= 2*x + 1 for x >= 0", 0.0, 1.0)
    assert not one
    assert first == -np.inf
    assert second == pytest.approx(np.log(1 / 3))
