"""A bound that is another one with some number of clients or of rounds is no bound for any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from verify.catalogue.library import library
from verify.claim import Statement
from verify.reading.stationarity.sets import training_sets
from verify.world.world import World

pytestmark = pytest.mark.every_point


def halved(special: Callable[[World], bool]) -> Statement:
    """The bound, half of it where something special is so."""
    leaf = library().leaf("fedbc.explicit90.repaired")
    assert leaf.sides is not None
    rule: Any = leaf.sides

    def sides(w: World) -> Any:
        left, right = rule(w)
        return left, {n: v / 2 for n, v in right.items()} if special(w) else right

    return replace(leaf, sides=sides)


def clients(w: World) -> int:
    return int(w.original("gamma").shape[-1])


@pytest.mark.slow
def test_the_bound_itself_is_read() -> None:
    assert list(training_sets(halved(lambda _: False)))


@pytest.mark.parametrize(
    "special",
    [
        lambda w: clients(w) == 8,
        lambda w: clients(w) >= 9,
        lambda w: clients(w) in {12: 0},
        lambda w: w.original("rounds") >= 20,
        lambda w: w.original("rounds") == 7,
    ],
)
def test_a_bound_that_asks_for_a_number_is_refused(special: Callable[[World], bool]) -> None:
    assert not list(training_sets(halved(special)))
