"""Bounds that are others for some numbers of rounds or of clients are not taken for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from verify.reading.consensus.sets import consensus_sets
from verify.statements.fedbc.lemma_b2 import lemma_explicit
from verify.world.world import World

pytestmark = pytest.mark.every_point


def clients(w: World) -> int:
    return int(w.multipliers.shape[-1])


@pytest.mark.slow
def test_the_bound_itself_is_read() -> None:
    assert list(consensus_sets(lemma_explicit))


@pytest.mark.parametrize(
    "asked",
    [
        lambda w: w.rounds == 4,
        lambda w: w.rounds >= 20,
        lambda w: clients(w) == 4,
        lambda w: clients(w) >= 9,
        lambda w: w.S == 4,
        lambda w: 3 == w.S < clients(w),
    ],
)
@pytest.mark.every(6)
def test_a_bound_that_asks_for_a_number_is_refused(asked: Callable[[World], Any]) -> None:
    rule: Any = lemma_explicit.sides

    def sides(w: World) -> Any:
        left, right = rule(w)
        return left, {n: v / (2 if asked(w) else 1) for n, v in right.items()}

    assert not list(consensus_sets(lemma_explicit.variant("consensus.claim", sides=sides)))
