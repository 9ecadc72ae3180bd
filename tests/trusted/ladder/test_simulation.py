"""Simulation: a false constant is accused on fresh noise, a true one never; ceilings certify."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import FIXED, assume, claim, fixed_runs
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder.rungs.simulation import SUPPORT, simulate
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import ACCUSE, verdict
from verify.world.noise_plan import Samples
from verify.world.score import score
from verify.world.world import World

REPLICATES = 4000


def one_step(law: str = "gaussian", dim: int = 2) -> Instance:
    """Two clients; the step takes client 0 into its minimum, so that only noise remains."""
    data = {
        "A": np.stack([np.eye(dim)] * 2),
        "xi": np.zeros((2, dim)),
        "noise_scale": np.array([1.0, 0.5]),
        "law": law,
        "half": True,
    }
    params = {
        "start": np.ones(dim),
        "alpha": np.array([0.5, 0.5]),
        "step_share": 1.0,
        "rounds": 1,
        "weights": "fixed",
    }
    return Instance("quadratic", data, "all_for_one", params)


TRUTH = (1 + 1 / 4) / 4 / 2
"""E excess = (sum alpha_k^2 sigma_k^2) / 2 after a step of length 1."""


def bounded(factor: float, law: str = "gaussian", **more: Any) -> Statement:
    """E excess <= factor times its exact value."""
    return claim(
        lambda w: (
            {"E excess": w.problem.excess(w.run().theta[..., -1, :])[..., 0]},
            {"bound": factor * TRUTH},
        ),
        fixed_runs((2, 2, 1)),
        defines=FIXED,
        over="mean",
        simulate=(lambda: one_step(law),),
        **more,
    )


def simulated(statement: Statement, seed: int, replicates: int = REPLICATES) -> Evidence:
    (found,) = simulate(statement, replicates, seed, "cpu")
    return found


def test_a_constant_too_small_by_a_fifth_is_accused_on_fresh_noise() -> None:
    found = simulated(bounded(0.8), 1)
    assert found.witness is not None
    assert found.witness["e_value"] >= ACCUSE
    assert found.witness["left"] > found.witness["right"]
    assert verdict([found]).word == "violated"
    again = score(
        replace(bounded(0.8), over="path"),
        Instance.from_json(found.witness["instance"]).batched(),
        noise=Samples(found.witness["key"], found.witness["replicates"]),
    )
    # stored means keep nine digits, so that no chunk size shows in a ledger
    assert float(again.left.mean()) == pytest.approx(found.witness["left"], rel=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_the_true_constant_is_never_accused(seed: int) -> None:
    # at the boundary an accusation has a chance of 1e-6 per seed
    found = simulated(bounded(1.0), seed)
    assert found.witness is None
    assert verdict([found]).word == "inconclusive"
    # five standard errors of an excess whose deviation is about its mean
    assert found.details["left"] == pytest.approx(TRUTH, rel=5 / np.sqrt(REPLICATES))


def test_without_a_ceiling_nothing_is_certified() -> None:
    found = simulated(bounded(3.0), 1)
    assert (found.status, found.counted) == ("reported", 0)


def _ceiling(w: World) -> Any:
    """On the sphere |noise| <= (1 + 1/2)/2, so the excess is at most 9/32."""
    return 9 / 32 + 0 * w.beta


def test_a_proved_ceiling_certifies_a_loose_bound_and_no_tight_one() -> None:
    loose = simulated(bounded(1.2, "sphere", ceiling=_ceiling), 1)
    tight = simulated(bounded(1.0, "sphere", ceiling=_ceiling), 1)
    assert (loose.status, loose.counted) == ("decided", 1)
    assert loose.details["favour"] >= SUPPORT
    assert (tight.status, tight.counted) == ("reported", 0)


# in two dimensions the excess is exponential: it is above mean times ln 2 half of the time
MEDIAN = replace(bounded(float(np.log(2))), over="prob", delta=lambda w: 0.5 + 0 * w.beta)


@pytest.mark.parametrize(
    ("level", "word"), [(0.4, "violated"), (0.5, "inconclusive"), (0.6, "certified")]
)
def test_levels_of_probability_are_accused_and_certified(level: float, word: str) -> None:
    found = simulated(replace(MEDIAN, delta=lambda w: level + 0 * w.beta), 2)
    assert (verdict([found]).word == "violated") == (word == "violated")
    assert (found.counted == 1) == (word == "certified")


def test_chunks_of_replicates_change_nothing() -> None:
    whole, parts = (list(simulate(bounded(0.8), 1000, 1, "cpu", chunk)) for chunk in (None, 300))
    assert whole == parts


def test_accusations_come_from_noise_of_their_own() -> None:
    found = simulated(bounded(0.8), 1)
    assert found.witness is not None
    first = np.random.SeedSequence([1, 0, 7]).generate_state(2, np.uint64)
    assert found.witness["key"] == int(first[1]) != int(first[0])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"over": "path"}, "only bounds of means"),
        ({"relation": ">="}, "only bounds of means"),
        ({"given": assume({"never": lambda w: -1.0})}, "a hypothesis fails"),
    ],
)
def test_what_cannot_be_simulated_says_so(change: dict[str, Any], reason: str) -> None:
    found = simulated(replace(bounded(0.5), **change), 1, 200)
    assert found.status == "not-applicable"
    assert reason in found.summary


def test_random_right_sides_are_not_simulated() -> None:
    true = bounded(0.5)
    assert true.sides is not None
    turned = replace(true, sides=lambda w: true.sides(w)[::-1])
    found = simulated(turned, 1, 200)
    assert found.status == "not-applicable"
    assert "random" in found.summary
