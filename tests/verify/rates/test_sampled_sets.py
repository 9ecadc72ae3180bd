"""FedBC with drawn sets of devices: the law of the sets, exact means, an interval never left."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tests.verify.rates.planted import divided, false_rate
from verify.rates.curve import curve
from verify.rates.findings import ACCUSED, finding, part
from verify.rates.many import PROFILES, batches, measure, together
from verify.rates.record import Rate
from verify.rates.seen import until
from verify.run.curve_witness import witness
from verify.statements.fedbc import curves, lemma_b2, theorem
from verify.statements.fedbc.quantities import never_left, rounds_of
from verify.world.noise_plan import Samples
from verify.world.score import score
from verify.world.world import World

PLAN = Samples(8, 2000)


def rate(claim: object, problems: str = "some averaged") -> Rate:
    return next(r for r in curves.RATES if r.statement is claim and r.problems == problems)


def on(one: Rate, clients: int, sampled: int) -> Rate:
    return replace(one, cells=({**one.cells[0], "N": clients, "S": sampled},))


def test_every_set_is_equally_likely_and_addressed() -> None:
    one = on(rate(lemma_b2.lemma_refined), 4, 2)
    w = World(until(together(one, (0,), 0), 5), "float64", PLAN, one.claim.defines)
    masks = w.sets[0]
    assert (masks.sum(-1) == 2).all()
    numbers = (masks @ 2 ** np.arange(4)).astype(int)
    shares = [np.mean(numbers == sum(2**k for k in pair)) for pair in combinations(range(4), 2)]
    np.testing.assert_allclose(shares, 1 / 6, atol=6 * np.sqrt(5 / 36 / 10_000))
    later = replace(PLAN, first=500, replicates=100)
    again = World(until(together(one, (0,), 0), 3), "float64", later, one.claim.defines)
    np.testing.assert_array_equal(again.sets[0], masks[500:600, :3])


@pytest.mark.parametrize("problems", ["some averaged", "some compute, the others wait"])
def test_means_over_drawn_sets_are_those_over_all(problems: str) -> None:
    """Three sets a round for two rounds; within six standard errors."""
    one = on(rate(theorem.explicit, problems), 3, 1)
    batch = together(one, range(4), seed=1)
    made = curve(one, batch, (1, 2), PLAN)
    listed = score(one.statement, until(batch, 2))
    near = np.abs(made.left[:, 1] - listed.left[:, 0])
    assert (near <= 6 * made.spread[:, 1] + 1e-9 * listed.left[:, 0]).all()
    # an interval that holds every run asks for more than the one that they have filled
    assert (made.right[:, 1] >= listed.right[:, 0] * (1 - 1e-9)).all()


@pytest.mark.parametrize("share", [1.0, 0.1])
def test_no_set_leads_out_of_the_interval(share: float) -> None:
    """A tenth of it is left by some (negative control)."""
    one = on(rate(theorem.explicit, "some compute, the others wait"), 8, 3)
    batch = until(together(one, range(8), seed=3), 20)
    w = World(batch, "float64", replace(PLAN, replicates=64), one.claim.defines)
    domain = never_left(w)
    middle, half = (domain.low + domain.high) / 2, share * domain.diameter / 2
    away = [np.abs(r.new - middle[..., None]) for r in rounds_of(w)[0]]
    inside = all((x <= half[..., None] * (1 + 1e-9)).all() for x in away)
    assert inside == (share == 1.0)


def test_a_part_of_the_bound_is_accused() -> None:
    one = false_rate(rate(lemma_b2.lemma_refined), "part", divided("widest", 4096))
    size = replace(PROFILES["quick"], replicates=400)
    found = finding(one, [part(n, measure(one, n, size)) for n in batches(one, size)])
    assert found["word"] == ACCUSED
    # which no statement can replay by itself, whose worlds list all sets
    assert witness(one, found, size) is None
