"""Far out: what is false only at tiny or huge numbers falls, and rounding there accuses nobody."""

from __future__ import annotations

import numpy as np
import pytest

from tests.verify.cases import claim, fixed_runs, numbers
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.ladder import PROFILES
from verify.ladder.leaf import assay
from verify.ladder.rungs.far import far_out
from verify.ladder.search.pool import Pool
from verify.line import one_line
from verify.world.noise_plan import AllOutcomes

FAR = (
    "x <= 1000*x**2 for x > 0",
    "x**2 <= 1000000*x + 1 for x >= 0",
    "1/x <= 10000000 + x for x > 0",
    "x*y <= 1000000 + x**2*y for x, y > 0",
)
NEAR = (
    "2*((x+y)**2 - x**2) <= 2*(2*x*y + y**2)",
    "2*((x+y) - x) <= 2*y",
)


@pytest.mark.parametrize("line", FAR)
def test_what_is_false_far_out_falls(line: str) -> None:
    assert assay(one_line(line), profile=PROFILES["quick"]).verdict == "violated"


@pytest.mark.parametrize("line", NEAR)
def test_rounding_far_out_accuses_nobody(line: str) -> None:
    statement = one_line(line)
    assert hits(statement)  # floats feign some, so that the referee is what decides
    assert assay(statement, profile=PROFILES["quick"]).verdict in ("proved", "holds")


def hits(statement: Statement) -> int:
    with np.errstate(all="ignore"):
        return len(list(far_out(statement, Pool(statement, AllOutcomes()), 0, 16)))


BESIDE = "x <= 100 for x, y >= 0 given x <= y**2, y <= {}"


def test_a_claim_is_searched_as_far_as_twice_its_own_numbers() -> None:
    """It held: y at 10.1 and x above 100 are beside every power of two, beyond all ranges."""
    assert hits(one_line(BESIDE.format("101/10")))
    assert not hits(one_line(BESIDE.format("10")))


def above_zero(symbol: str, family: Family) -> Statement:
    return claim(lambda w: ({"l": w.symbol(symbol)}, {"r": 0 * w.symbol(symbol)}), family)


def test_a_claim_that_says_where_its_numbers_lie_is_left_there() -> None:
    assert hits(above_zero("x", numbers(x=Real(1, 2))))  # control: the same without a domain
    assert not hits(above_zero("x", numbers(x=Real(1, 2, domain=(1, 2)))))


def test_runs_are_not_looked_at_far_out() -> None:
    assert not hits(above_zero("beta", fixed_runs((1, 1, 1))))
