"""Simulation rung: e-values on fresh, addressed noise where a law has no finite support.

Accusation and support are separate questions: any tail may be accused, while support needs a
proved ceiling of the left side; without one the run is reported and does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.verdict.e_values import e_value, e_value_in_favour
from verify.verdict.evidence import Evidence
from verify.verdict.relation import ACCUSE, SUPPORT
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.score import event, exceeds, score

CONFIRM = 2
"""Times as many fresh replicates confirm an accusation, which an e-value just at the limit on the
first noise would otherwise miss half of the time."""


def simulate(
    statement: Statement, replicates: int, seed: int, device: str, chunk: int | None = None
) -> Iterator[Evidence]:
    """Run each larger instance of a statement; at most one piece of evidence per instance."""
    for number, make in enumerate(statement.simulate):
        instance = make()
        keys = [
            int(k) for k in np.random.SeedSequence([seed, number, 7]).generate_state(2, np.uint64)
        ]
        try:
            first = evaluate(statement, instance, Samples(keys[0], replicates, 0, device, chunk))
        except NotAvailable as error:
            yield Evidence("simulation", "not-applicable", str(error))
            continue
        if not first["assumed"]:
            yield Evidence("simulation", "not-applicable", "a hypothesis fails on some sample")
            continue
        if first["e_value"] >= ACCUSE:
            fresh = CONFIRM * replicates
            again = evaluate(statement, instance, Samples(keys[1], fresh, 0, device, chunk))
            if not again["assumed"]:
                yield Evidence("simulation", "not-applicable", "a hypothesis fails on some sample")
                continue
            witness = {
                "number": "simulated",
                "relation": "<=",
                "quantifier": "all",
                "left": again["left"],
                "right": again["right"],
                "e_value": again["e_value"],
                "margins": {},
                "replicates": fresh,
                "key": keys[1],
                "instance": instance.to_json(),
            }
            yield Evidence(
                "simulation",
                "undecided",
                f"mean {again['left']:.4g} against {again['right']:.4g}, e-value "
                f"{again['e_value']:.3g} on fresh noise",
                witness=witness,
                tried=1,
            )
            continue
        certified = first["favour"] >= SUPPORT
        yield Evidence(
            "simulation",
            "decided" if certified else "reported",
            f"mean {first['left']:.4g} against {first['right']:.4g} over {replicates} replicates"
            + (f", certified with e-value {first['favour']:.3g}" if certified else ", not counted"),
            counted=int(certified),
            tried=1,
            worst=first["left"] / first["right"] if first["right"] else None,
            details={k: float(v) for k, v in first.items()},
            scope=_scope(instance),
        )


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


def _scope(instance: Instance) -> str:
    return f"{instance.family}, {instance.method}"
