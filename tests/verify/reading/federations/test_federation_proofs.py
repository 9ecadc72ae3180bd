"""Claims about runs of All-for-one: proved for any number of clients and rounds if they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from math import inf
from typing import Any

import pytest

from bounds import descent, rates, similarity
from bounds import generic as xp
from bounds.sufficient import sufficient_ratio
from tests.verify.reading.federations.claims import SIZES, claim
from verify.claim import Hypothesis, Real, Statement, quadratics, statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.lemma1 import FREE_WEIGHTS, change, lemma1_repaired
from verify.statements.adaptive.lemma1 import SHORT as SHORT_STEP
from verify.statements.adaptive.lemma2 import cluster, cluster_repaired, variance_repaired
from verify.statements.adaptive.theorem1 import (
    descent_of_definition1,
    direction,
    no_longer,
    recursion,
    smallest_limit,
    theorem1,
)
from verify.statements.adaptive.theorem2 import (
    constant_row_repaired,
    decreasing_row_repaired,
    still_above,
    stopped_excess,
)
from verify.statements.adaptive.theorem3 import descents_summed_repaired
from verify.world.world import World


def constant(w: World, variance: Any, factor: float = 1) -> Mapping[str, Any]:
    """The constant row of Theorem 2, the factor of the start another one."""
    start, step = q.excess(w, 0), w.step_size
    terms = rates.theorem2_constant_upper(start, step, factor * w.mu, w.beta, variance, w.rounds)
    return {**terms, "saturation": factor * terms["saturation"]}


def sufficient(w: World, bias: Any, slope: Any) -> Any:
    """The sufficient variance with these constants of similarity."""
    ratio = sufficient_ratio(bias, slope, w.mu, w.precision)
    return similarity.effective_variance(ratio, q.phi_of(w, ratio), w.sigma2)


def scaled(terms: Mapping[str, Any], **factors: float) -> dict[str, Any]:
    """Terms, some of them times a factor."""
    return {n: v * factors.get(n, 1) for n, v in terms.items()}


def steps_up_to(factor: int) -> Hypothesis:
    """The condition on the steps with so many times the limit."""

    def margin(w: World) -> Any:
        return factor * q.on_path(w).limit - q.steps(w) * w.beta[..., None]

    return Hypothesis("longer steps", "", margin, "here")


def with_running_variance(w: World, factor: float = 1) -> dict[str, Any]:
    """Theorem 1's right side, its noise times a factor."""
    effective = q.on_path(w).effective
    start = q.excess(w, 0)
    return scaled(rates.theorem1_upper(start, w.step_size, w.mu, w.beta, effective), noise=factor)


def decreasing(w: World, plateau: float = 1, shift: float = 0) -> dict[str, Any]:
    """The decreasing row, the plateau times a factor, some rounds more in the denominator."""
    start, variance = q.excess(w, 0), plateau * q.mended_variance(w)
    symbols = (start, w.mu, w.beta, variance, w.rounds, w.factor, w.delay)
    value = rates.theorem2_decreasing_upper(*symbols)
    return {"max/(gamma + T)": value * (w.delay + w.rounds) / (w.delay + w.rounds + shift)}


DECREASING: dict[str, Any] = {
    "family": q.runs(SIZES, q.PRECISION, q.FACTOR, q.DELAY),
    "defines": q.DELAYED_STEPS,
}
ABOVE_ONE = (*q.ADMISSIBLE, q.factor_above_one)


def late(
    part: float = 1, plateau: float = 1, shift: float = 0, over: float = 0, **more: Any
) -> Statement:
    """Decreasing steps with a part of the delay that the variances ask for.

    About the stopped value or, `over` so many times the precision, the chance to stay above it.
    """

    def delay(w: World) -> Any:
        limit = smallest_limit(w)
        return part * rates.decreasing_shift(w.factor, w.mu, w.beta, limit) * (1 + w.patience)

    def bound(w: World) -> dict[str, Any]:
        start, variance = q.excess(w, 0), plateau * q.mended_variance(w)
        symbols = (start, w.mu, w.beta, variance, w.rounds, w.factor, delay(w))
        value = rates.theorem2_decreasing_upper(*symbols)
        value = value * (delay(w) + w.rounds) / (delay(w) + w.rounds + shift)
        return {"max": value if not over else value / (over * w.precision)}

    patience = more.pop("patience", Real(0, 4, domain=(0, inf)))
    fields = {
        "given": [q.factor_above_one],
        "family": q.runs(SIZES, q.PRECISION, q.FACTOR, {"patience": patience}),
        "defines": {"step_sizes": lambda w: q.decreasing_sizes(w, delay(w))},
        **more,
    }
    return claim(chance if over else stopped_excess, bound, **fields)


def chance(w: World) -> Any:
    """The chance that the precision is not reached."""
    return {"P(not reached)": still_above(w, w.rounds + 1)}


def average(w: World) -> dict[str, Any]:
    """Theorem 3's left side."""
    return {"average": xp.mean(q.on_path(w).squared_gradient)}


def summed(w: World, **factors: float) -> dict[str, Any]:
    """What the descents leave, the variance that of the weights along the run."""
    noise = xp.mean(q.on_path(w).effective)
    return scaled(
        rates.theorem3_upper(q.excess(w, 0), w.step_size, w.beta, noise, w.rounds), **factors
    )


def sharp(share: float) -> dict[str, Any]:
    """Steps of so many times the sharp limit that no run falls below."""
    return {"step_size": lambda w: share * w.step_share * smallest_limit(w) / w.beta}


def growing(w: World) -> Any:
    """Steps below the sharp limit in one and two rounds, not in more."""
    return w.rounds * w.step_share * smallest_limit(w) / (2 * w.beta)


SHARE = (no_longer, q.own_gradients)

ONE = ((1, 1, 1), (2, 1, 1), (2, 2, 1))
GIVEN: dict[str, Any] = {
    "family": quadratics(
        tuple({"N": n, "d": d, "rounds": t, "weights": "fixed"} for n, d, t in ONE),
        {**q.ALPHA, **q.STEP},
    ),
    "defines": FREE_WEIGHTS,
}


def descent_of(w: World, **factors: float) -> dict[str, Any]:
    """Lemma 1's right side, terms of it times factors."""
    squares = q.squares(w.problem, w.start)
    terms = descent.lemma1_upper(w.step_size, w.beta, w.alpha, w.sigma2, *squares)
    return scaled(terms, **factors)


def longer(factor: float) -> Hypothesis:
    """The condition on the step with so many times the limit."""

    def margin(w: World) -> Any:
        return factor - w.step_size * w.beta * xp.total(w.alpha)

    return Hypothesis("longer step", "", margin, "here")


PLACES: dict[str, Any] = {
    "family": q.runs(((1, 1, 1), (2, 1, 1)), q.PRECISION),
    "given": [q.own_gradient, q.defined("excess", "")(lambda w: q.excess(w, 0))],
    "over": "path",
}


def more_similar(part: Callable[[World], Any]) -> Statement:
    """That sigma_eff^2 is at most sigma_suf^2 at the first place, another number for b^2."""

    def sides(w: World) -> Any:
        ratio = sufficient_ratio(part(w), w.slope, w.mu, q.excess(w, 0))
        found = similarity.effective_variance(ratio, q.phi_of(w, ratio), w.sigma2)
        return {"sigma_eff^2": q.at_start(w).effective}, {"sigma_suf^2": found}

    fields = {"where": "here", "latex": "", "defines": q.CONSTANT_STEP, **PLACES}
    made: Statement = statement("runs.place", **fields)(sides)
    return made


TRUE = {
    "Lemma 2, the cluster": cluster_repaired,
    "Lemma 2, the variance": variance_repaired,
    "similar at the start": more_similar(lambda w: w.squared_bias),
    "Lemma 1": lemma1_repaired,
    "given weights": claim(change, descent_of, SHORT_STEP, **GIVEN),
    "Theorem 2, constant step": constant_row_repaired,
    "Theorem 2, decreasing steps": decreasing_row_repaired,
    "a delay of the variances": late(),
    "the chance to stay above": late(over=1),
    "Theorem 3, sum of the descents": descents_summed_repaired,
    "Theorem 1, variance of the direction": direction,
    "short decreasing runs": claim(stopped_excess, decreasing, ABOVE_ONE, **DECREASING),
    "averages": claim(average, summed, q.ADMISSIBLE),
    "sharp limits": claim(average, summed, SHARE, defines=sharp(1)),
    "Theorem 1 in mean": theorem1,
    "its recursion": recursion,
    "(S2)": descent_of_definition1,
    "short runs": claim(stopped_excess, lambda w: constant(w, q.mended_variance(w))),
    "twice the noise": claim(
        stopped_excess, lambda w: scaled(constant(w, q.mended_variance(w)), saturation=2)
    ),
}

UNTRUE = {  # false, or not to be had from what is assumed
    "similar at the start, half of b^2": more_similar(lambda w: w.squared_bias / 2),
    "similar at the start, b": more_similar(lambda w: xp.sqrt(w.squared_bias)),
    "the cluster, before the step": cluster.leaf("squared-b", "realised-excess", "before-step"),
    "the cluster, with b": cluster.leaf("plain-b", "realised-excess", "after-step"),
    "given weights, half the noise": claim(
        change, lambda w: descent_of(w, noise=1 / 2), SHORT_STEP, **GIVEN
    ),
    "given weights, half the gaps": claim(
        change, lambda w: descent_of(w, heterogeneity=1 / 2), SHORT_STEP, **GIVEN
    ),
    "given weights, more descent": claim(
        change, lambda w: descent_of(w, descent=5 / 4), SHORT_STEP, **GIVEN
    ),
    "given weights, longer step": claim(change, descent_of, (longer(3), q.some_weight), **GIVEN),
    "half the plateau": claim(
        stopped_excess, lambda w: decreasing(w, 1 / 2), ABOVE_ONE, **DECREASING
    ),
    "a round more": claim(stopped_excess, lambda w: decreasing(w, 1, 1), ABOVE_ONE, **DECREASING),
    "a delay of the variances, less of it": late(part=3 / 4),
    "the chance to stay above, half of it": late(over=2),
    "the chance to stay above, a round more": late(shift=1, over=1),
    "a delay of the variances, impatient": late(patience=Real(-1 / 2, 4, domain=(-1 / 2, inf))),
    "a delay of the variances, half the plateau": late(plateau=1 / 2),
    "a delay of the variances, a round more": late(shift=1),
    "a delay of the variances, C below one": late(given=[]),
    "C below one": claim(stopped_excess, decreasing, q.ADMISSIBLE, **DECREASING),
    "decreasing, too long": claim(
        stopped_excess, decreasing, (q.own_gradients, q.factor_above_one), **DECREASING
    ),
    "averages, half the start": claim(average, lambda w: summed(w, start=1 / 2), q.ADMISSIBLE),
    "averages, half the noise": claim(average, lambda w: summed(w, noise=1 / 2), q.ADMISSIBLE),
    "twice the sharp limits": claim(average, summed, SHARE, defines=sharp(2)),
    "longer than the sharp limits": claim(average, summed, SHARE, defines=sharp(5 / 4)),
    "steps that grow with the rounds": claim(
        average, summed, SHARE, defines={"step_size": growing}
    ),
    "half the noise": claim(
        stopped_excess, lambda w: scaled(constant(w, q.mended_variance(w)), saturation=1 / 2)
    ),
    "half the start": claim(
        stopped_excess, lambda w: scaled(constant(w, q.mended_variance(w)), contraction=1 / 2)
    ),
    "twice the factor": claim(stopped_excess, lambda w: constant(w, q.mended_variance(w), 2)),
    "steps twice as long": claim(
        stopped_excess,
        lambda w: constant(w, q.mended_variance(w)),
        (steps_up_to(2), q.own_gradients, q.at_most_inverse_mu),
    ),
    "any steps": claim(
        stopped_excess,
        lambda w: constant(w, q.mended_variance(w)),
        (q.own_gradients, q.at_most_inverse_mu),
    ),
    "no b": claim(
        stopped_excess, lambda w: constant(w, sufficient(w, 0 * w.squared_bias, w.slope))
    ),
    "b as printed": claim(stopped_excess, lambda w: constant(w, q.sufficient_variance(w))),
    "half of b^2": claim(
        stopped_excess, lambda w: constant(w, sufficient(w, w.squared_bias / 2, w.slope))
    ),
    "no c": claim(
        stopped_excess, lambda w: constant(w, sufficient(w, w.squared_bias, 0 * w.slope))
    ),
    "not stopped": claim(q.end_excess, lambda w: constant(w, q.mended_variance(w))),
    "running variance, half the noise": claim(
        q.end_excess, lambda w: with_running_variance(w, 1 / 2), q.ADMISSIBLE
    ),
    "no noise": claim(
        q.end_excess, lambda w: {"start": constant(w, 1)["contraction"]}, q.ADMISSIBLE
    ),
}


@cache
def proof_of(name: str) -> Any:
    (found,) = prove(TRUE[name])
    return found


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.every(12)
def test_a_true_claim_is_proved_for_any_number_of_clients(name: str) -> None:
    found = proof_of(name)
    assert found.status == "decided"
    assert "for any number of clients" in found.summary
    noise = "" if "imilar" in name or "Lemma 2" in name else ", noise of any law"
    assert f"in every dimension{noise}" in found.scope
    alone = not noise or name in ("(S2)", "its recursion", "Lemma 1", "given weights")
    assert ("for any number of rounds" in found.summary) == (not alone)


@pytest.mark.parametrize("name", UNTRUE)
@pytest.mark.every(4)
def test_another_claim_is_not(name: str) -> None:
    assert [e for e in prove(UNTRUE[name]) if e.status == "decided"] == []


def test_a_stored_proof_is_one_of_its_claim_alone() -> None:
    stored = json.loads(json.dumps(proof_of("short runs").proof))
    assert recheck(TRUE["short runs"], stored, again=True, whole=True)
    for name in ("half the noise", "steps twice as long", "no c", "not stopped"):
        assert not recheck(UNTRUE[name], stored, again=True, whole=True)
    stored["certificates"].pop()
    assert not recheck(TRUE["short runs"], stored, again=True, whole=True)


def test_the_rules_of_all_families_are_proved() -> None:
    labels = [item["shape"] for item in proof_of("Theorem 2, constant step").proof["certificates"]]
    assert {(x["phi"], x.get("exponent")) for x in labels} == {
        ("continuous", None),
        ("binary", None),
        ("power", 2),
    }
    assert {x["N"] for x in labels} == {"any", 1}


def test_larger_gaps_leave_nothing_to_share() -> None:
    """The similarity ratio enters by its positive part: without it the weights may be negative."""

    def whole_ratio(w: World) -> Any:
        at = q.along(w, w.run().theta[..., 0, :])
        ratio = 1 - at.squared_gap / at.squared_gradient[..., None]
        return 1 / xp.total(ratio**2 / w.sigma2)

    wrong = claim(
        q.end_excess,
        lambda w: {
            "start": constant(w, 1)["contraction"],
            "noise": w.step_size**2 * w.beta * whole_ratio(w) / 2,
        },
        q.ADMISSIBLE,
        family=q.runs(((1, 1, 1), (2, 1, 1)), q.PRECISION),
    )
    assert [e for e in prove(wrong) if e.status == "decided"] == []
