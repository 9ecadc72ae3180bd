"""A claim that is false for one size in the middle of all others falls there."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.verify.cases import claim, leaf_of
from verify import Real, numbers
from verify.claim.statement import Statement
from verify.ladder.rungs.each_size import each_size
from verify.ladder.search.pool import Pool
from verify.world.noise_plan import AllOutcomes


def between(low: int, high: int) -> Statement:
    """(N - low)(N - high) is not negative, times the mean of N positive numbers."""

    def sides(w: Any) -> Any:
        mean, n = xp.mean(w.c), w.c.shape[-1]
        return {"N": (low + high) * n * mean}, {"N^2": (n**2 + low * high) * mean}

    family = numbers({"c": Real(1 / 8, 8, log=True, per=("N",))}, {"N": 1}, {"N": 2})
    return claim(sides, family)


def test_the_one_size_is_found() -> None:
    """It held: the search went from 8 clients to 32."""
    leaf = leaf_of(between(28, 30))
    assert leaf.verdict == "violated"
    assert leaf.witness is not None
    assert leaf.witness["instance"]["params"]["N"] == 29


def test_what_no_size_breaks_is_not_accused() -> None:
    true = between(28, 29)
    assert not [*each_size(true, Pool(true, AllOutcomes()), 0)]
