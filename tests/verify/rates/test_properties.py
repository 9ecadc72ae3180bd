"""Properties of sampled and exact rates on what Hypothesis draws; the oracle never flakes.

An e-value of 10^9 under a true claim has the chance 10^-9, whatever is drawn.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic import drawn
from tests.verify.rates.planted import ONE, rate
from verify.catalogue.rates import every_rate
from verify.rates.curve import curve
from verify.rates.findings import finding, part
from verify.rates.many import Size, batches, measure, together
from verify.statements.adaptive import theorem1, theorem2
from verify.world.noise_plan import Samples

SURE = np.log(1e9)
SAMPLED = [
    r for r in every_rate() if r.way == "samples" and r.free and r.statement.form != "printed"
]
DRAWN_SETS = [r for r in every_rate() if r.way == "samples" and not r.free]
EXACT = [r for r in every_rate() if r.way != "samples" and r.statement.form != "printed"]


@settings(max_examples=40, deadline=None)
@given(
    which=st.integers(0, len(SAMPLED) - 1),
    clients=st.integers(1, 16),
    dim=st.integers(1, 6),
    law=st.sampled_from(drawn.LAWS),
    phi=st.sampled_from(("continuous", "binary")),
    seed=st.integers(0, 2**32 - 1),
    rounds=st.integers(1, 30),
)
def test_no_sampled_curve_is_accused(
    which: int, clients: int, dim: int, law: str, phi: str, seed: int, rounds: int
) -> None:
    one = SAMPLED[which]
    cell = {**one.cells[0], "N": clients, "d": dim, "law": law, "phi": phi}
    one = replace(one, cells=(cell,))
    made = curve(one, together(one, (0, 1), seed), sorted({1, rounds}), Samples(seed, 24))
    assert made.log_e.max() < SURE


@settings(max_examples=30, deadline=None)
@given(
    which=st.integers(0, len(DRAWN_SETS) - 1),
    clients=st.integers(2, 12),
    data=st.data(),
    seed=st.integers(0, 2**32 - 1),
    rounds=st.integers(1, 20),
)
def test_no_curve_of_drawn_sets_is_accused(
    which: int, clients: int, data: st.DataObject, seed: int, rounds: int
) -> None:
    one = DRAWN_SETS[which]
    sampled = data.draw(st.integers(1, clients - 1))
    one = replace(one, cells=({**one.cells[0], "N": clients, "S": sampled},))
    made = curve(one, together(one, (0, 1), seed), sorted({1, rounds}), Samples(seed, 24))
    assert made.log_e.max() < SURE


@settings(max_examples=40, deadline=None)
@given(
    which=st.integers(0, len(EXACT) - 1),
    number=st.integers(0, 10**6),
    seed=st.integers(0, 2**32 - 1),
    rounds=st.integers(1, 12),
)
def test_no_exact_curve_is_crossed(which: int, number: int, seed: int, rounds: int) -> None:
    one = EXACT[which]
    small = [cell for cell in one.cells if cell["N"] * cell.get("d", 1) <= 64]
    one = replace(one, cells=tuple(small) or one.cells[:1])
    times = sorted({1, min(rounds, one.longest)})
    made = curve(one, together(one, (number,), seed), times, Samples(0, 2))
    assert not made.crossed.any()


def test_the_slope_of_falling_steps_is_that_of_1_over_t() -> None:
    one = rate(theorem2.stopped_decreasing, "mild quadratics")
    size = Size(federations=24, rounds=200, replicates=64, largest=64)
    made = finding(one, [part(n, measure(one, n, size)) for n in batches(one, size)])
    low, middle, high = made["slope"]
    assert low <= middle <= high
    assert made["claimed"][0] <= middle <= made["claimed"][1]


def test_a_constant_step_falls_linearly_until_the_noise() -> None:
    """One client on the line: log of the excess is linear in t with slope 2 log(1 - eta mu)."""
    one = rate(theorem1.direction, ONE)
    cell = {"N": 1, "d": 1, "law": "sphere", "phi": "continuous", "layout": "same", "reach": 1e6}
    one = replace(one, cells=(cell,))
    batch = together(one, (0,), seed=1)
    made = curve(one, batch, (1, 2, 3, 4), Samples(0, 2))
    steps = np.diff(np.log(made.left[0]))
    assert np.ptp(steps) < 1e-6 * abs(steps[0])


def test_integers_drawn_and_words_are_those_of_the_cpu() -> None:
    """The same federations on a GPU: equal words, means within rounding of one another."""
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device here")
    one = rate(theorem2.stopped_constant, "quadratics")
    one = replace(one, cells=one.cells[1:2])
    batch = together(one, (0, 1), seed=0)
    here = curve(one, batch, (1, 10, 50), Samples(3, 64))
    there = curve(one, batch, (1, 10, 50), Samples(3, 64, device="cuda"))
    np.testing.assert_allclose(there.left, here.left, rtol=1e-6)
    assert ((here.log_e > SURE) == (there.log_e > SURE)).all()
