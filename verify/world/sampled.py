"""A claim on sampled noise: both sides, and what the samples say against it and for it.

Where a law has no finite support there is no exact value.  e-values take its place, on noise that
is addressed, so that the same key gives the same numbers everywhere.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.verdict.e_values import e_value, e_value_in_favour
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.score import event, exceeds, score

__all__ = ["evaluate"]


def evaluate(statement: Statement, instance: Instance, noise: Samples) -> dict[str, float]:
    """Means of both sides on one key of noise, with the e-values against and for the claim.

    Raises
    ------
    NotAvailable
        If the right side is random, or the claim is of a kind that is not simulated.
    """
    left, right, top, assumed = _samples(statement, instance.batched(), noise)
    if np.ptp(right) > 0:
        raise NotAvailable("the right side is random and has no proved lower bound")
    bound = float(right[0])
    favour = 1.0 if top is None else e_value_in_favour(left, bound, top)
    found = {
        "left": float(left.mean()),
        "right": bound,
        "e_value": e_value(left, bound),
        "favour": favour,
        "assumed": float(assumed),
    }
    # chunks of another size sum in another order: what is stored must not show it
    return {name: float(f"{value:.9g}") for name, value in found.items()}


def _samples(
    statement: Statement, instance: Instance, noise: Samples
) -> tuple[Any, Any, float | None, bool]:
    """One value per replicate, its claimed mean, a proved ceiling, and whether hypotheses hold.

    For a high-probability claim the value is 1 where the bound is exceeded, and 1 its ceiling.
    """
    result = score(_pathwise(statement), instance, noise=noise)
    if statement.over == "prob":
        left, right, level = event(statement, result.world)
        exceeded = exceeds(left, right, result.world).astype(float)[0]
        return exceeded, xp.to_float(level)[0], 1.0, bool(result.feasible[0])
    top = None
    if statement.ceiling is not None:
        top = float(np.max(xp.to_float(statement.ceiling(result.world))))
    return xp.to_float(result.left)[0], xp.to_float(result.right)[0], top, bool(result.feasible[0])


def _pathwise(statement: Statement) -> Statement:
    """The same sides without the mean: one value per replicate."""
    if statement.over not in ("mean", "prob") or statement.relation != "<=":
        raise NotAvailable("only bounds of means and probabilities from above are simulated")
    return replace(statement, over="path")
