"""Federations drawn for rates meet their assumptions, and every theorem of such ones uses them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic.registry import make
from verify.catalogue.rates import every_rate
from verify.statements.adaptive import theorem1, theorem2, theorem3
from verify.statements.adaptive.curves.federations import CELLS, CLASSES, Losses, quadratic

ALL = (*CLASSES, Losses("quadratics", quadratic, CELLS, dominated=True))
each = pytest.mark.parametrize("losses", ALL, ids=lambda losses: losses.problems)
DOMINATED = (theorem2.stopped_constant, theorem2.stopped_decreasing, theorem1.direction)
SMOOTH = (theorem3.descents_summed_repaired,)


def drawn(losses: Losses, cell: int, seed: int) -> tuple[Any, Any, Any]:
    """A problem of at most 64 numbers, points around its minimisers, and the instance."""
    small = [c for c in losses.cells if c["N"] * c["d"] <= 64]
    rng = np.random.default_rng(seed)
    instance = losses.draw(rng, small[cell % len(small)])
    problem = make(instance.family, instance.data)
    reach = np.abs(instance.params["start"] - problem.optimum[0]).max() + 1e-3
    away = rng.normal(size=(60, problem.dim)) * reach * 10 ** rng.uniform(-3, 1, size=(60, 1))
    return problem, problem.optimum[0] + away, instance


def shortfalls(problem: Any, points: Any, losses: Losses, share: float = 1.0) -> dict[str, Any]:
    """By how much each assumption is missed with a share of its constant, at most 0 where met."""
    g, excess = problem.gradients(points), problem.excess(points)
    squares = (g**2).sum(-1)
    bias, slope = problem.heterogeneity()
    gap = ((g - g[:, :1]) ** 2).sum(-1)
    apart = np.linalg.norm(points[1:] - points[:-1], axis=-1)
    turned = np.linalg.norm(g[1:] - g[:-1], axis=-1)
    found = {
        "A1": turned / (share * problem.smoothness * apart[:, None]),
        "A2": problem.gradient_variance(points) / (share * problem.noise_variance),
        "A3": gap / np.maximum(share * (bias[0] + slope[0] * squares[:, :1]), 1e-300),
    }
    if losses.dominated:
        found["A5"] = 2 * share * problem.pl_constant * excess / np.maximum(squares, 1e-300)
    return {name: float(np.max(value)) - 1 for name, value in found.items()}


@each
@settings(max_examples=30, deadline=None)
@given(cell=st.integers(0, 20), seed=st.integers(0, 2**32 - 1))
def test_assumptions_are_met_by_construction(losses: Losses, cell: int, seed: int) -> None:
    problem, points, instance = drawn(losses, cell, seed)
    assert (problem.pl_constant > 0) == losses.dominated
    assert problem.bounded_variance
    missed = shortfalls(problem, points, losses)
    # rounding of gradients far from the minimiser
    assert all(value <= 1e-6 for value in missed.values()), missed
    assert float(instance.params["step_share"]) <= 1


@each
def test_smaller_constants_are_missed_somewhere(losses: Losses) -> None:
    """Negative control: a hundredth of a constant is missed by some federation of the class."""
    found: dict[str, float] = {}
    for seed in range(40):
        problem, points, _ = drawn(losses, seed, seed)
        for name, value in shortfalls(problem, points, losses, 0.01).items():
            found[name] = max(found.get(name, -1.0), value)
    told = {name for name, value in found.items() if value > 0}
    assert told >= {"A1", "A2", "A3"}


@each
def test_sizes_go_from_one_client_to_many(losses: Losses) -> None:
    assert {min(c["N"] for c in losses.cells), max(c["N"] for c in losses.cells)} == {1, 512}
    assert max(c["d"] for c in losses.cells) >= 16


def test_every_theorem_is_measured_on_every_class_that_it_speaks_of() -> None:
    measured = {(rate.statement.key, rate.problems) for rate in every_rate()}
    for losses in CLASSES:
        claims = (*SMOOTH, *(DOMINATED if losses.dominated else ()))
        assert {(claim.key, losses.problems) for claim in claims} <= measured
    without = {losses.problems for losses in CLASSES if not losses.dominated}
    assert not measured & {(claim.key, name) for claim in DOMINATED for name in without}
