"""Bounds that are others for some numbers of epochs or of clients: no reader takes them for one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from verify.claim import Statement, numbers
from verify.reading.groups.sets import group_sets
from verify.statements.hcct.convergence import theorem2_repaired
from verify.statements.hcct.drift import independence_repaired
from verify.statements.hcct.quantities import training
from verify.statements.hcct.quantities.training import run_of
from verify.world.world import World

pytestmark = pytest.mark.every_point

HALF = Fraction(1, 2)
TWICE = numbers(training.NOISY, {"N": 2, "schedule": "01"}, {"N": 1, "schedule": "0*2"})
FIXED = theorem2_repaired.variant("groups.claim", family=TWICE)

FACTORS: tuple[Callable[[int], Any], ...] = (
    lambda n: HALF if n == 5 else 1,
    lambda n: HALF if n == 7 else 1,
    lambda n: HALF if n >= 20 else 1,
    lambda n: min(Fraction(1), Fraction(20, n)),
)


def test_the_bound_itself_is_read() -> None:
    assert list(group_sets(FIXED))


def times(claim: Statement, factor: Callable[[World], Any]) -> Statement:
    """The claim with its right side times a factor."""
    rule: Any = claim.sides

    def sides(w: World) -> Any:
        left, right = rule(w)
        return left, {n: factor(w) * v for n, v in right.items()}

    return claim.variant("groups.claim", sides=sides)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("claim", [FIXED, independence_repaired], ids=lambda c: str(c.key))
@pytest.mark.every(6)
def test_a_bound_that_asks_for_the_number_of_epochs_is_refused(
    claim: Statement, factor: Callable[[int], Any]
) -> None:
    assert not list(group_sets(times(claim, lambda w: factor(len(run_of(w).words)))))


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.every(2)
def test_a_bound_that_asks_for_the_number_of_clients_is_refused(
    factor: Callable[[int], Any],
) -> None:
    assert not list(group_sets(times(FIXED, lambda w: factor(w.original("size").shape[-1]))))
