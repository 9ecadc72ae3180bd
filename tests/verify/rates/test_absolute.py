"""Theorems 3.a and 6.a at scale: the same sides as on the tree, and what is false is crossed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.verify.rates.planted import divided, false_rate
from verify.claim import plain_numbers
from verify.rates.findings import CROSSED, UNDER, finding, part
from verify.rates.many import PROFILES, batches, measure, together
from verify.rates.record import Rate
from verify.rates.seen import until
from verify.run.curve_witness import witness
from verify.statements.allforall import curves, theorem3a, theorem6a
from verify.world.referee import rescore
from verify.world.score import score

SIZE = PROFILES["quick"]


def rate(claim: object) -> Rate:
    return next(r for r in curves.RATES if r.statement is claim)


def word(one: Rate) -> str:
    return str(finding(one, [part(n, measure(one, n, SIZE)) for n in batches(one, SIZE)])["word"])


@pytest.mark.parametrize("rounds", [1, 4])
def test_one_agent_has_the_sides_of_the_tree(rounds: int) -> None:
    """Theorem 3.a with N = 1: the lattice of one block is the tree."""
    one = replace(rate(theorem3a.theorem3a), cells=({"N": 1, "block": 1},))
    batch = until(together(one, range(6), seed=2), rounds)
    values = {k: batch.params[k] for k in ("slope_share", "centre", "size", "start")}
    tree = plain_numbers({**values, "rows": np.ones((6, 1, 1))}, {"N": 1, "rounds": rounds})
    made, listed = score(one.statement, batch), score(one.statement, tree)
    np.testing.assert_allclose(made.left, listed.left, rtol=1e-9)
    np.testing.assert_allclose(made.right, listed.right, rtol=1e-9)


def test_the_bound_of_3a_is_four_thirds_of_what_is_reached() -> None:
    """Which the recursion says of it; two thirds of the noise term are crossed."""
    true = rate(theorem3a.theorem3a)
    assert word(true) == UNDER
    assert word(false_rate(true, "part", divided("noise", 3 / 2))) == CROSSED


def test_6a_needs_the_number_of_agents() -> None:
    assert word(rate(theorem6a.theorem6a.leaf("with-agents"))) == UNDER
    assert word(rate(theorem6a.theorem6a.leaf("without-agents"))) == CROSSED


def test_the_referee_agrees_on_a_small_federation() -> None:
    """In balls and fractions, from the raw data alone; the printed form has a witness."""
    one = replace(rate(theorem3a.theorem3a), cells=({"N": 4, "block": 2},))
    small = until(one.federation(0, 0), 3)
    made, listed = rescore(one.statement, small), score(one.statement, small.batched())
    assert made.satisfied
    np.testing.assert_allclose(float(made.left), listed.left[0, 0], rtol=1e-9)
    printed = rate(theorem6a.theorem6a.leaf("without-agents"))
    found = finding(printed, [part(n, measure(printed, n, SIZE)) for n in batches(printed, SIZE)])
    shown = witness(printed, found, SIZE)
    assert shown is not None
    assert shown["number"] == "rational"  # the chances of the walk are fractions too


def test_no_model_is_farther_than_the_hypothesis_says() -> None:
    """Long runs are within it on every outcome, short ones of many agents overshoot."""
    one = rate(theorem6a.theorem6a.leaf("with-agents"))
    one = replace(one, cells=({"N": 64, "active": 1},))
    batch = together(one, range(12), seed=0)
    assert score(one.statement, until(batch, 40)).feasible.all()
    assert not score(one.statement, until(batch, 4)).feasible.all()
