"""Appendix A: the terms A_2, A_3 and A_4 of the expansion, and the bound before A_5."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim.hypothesis import Hypothesis
from verify.claim.statement import Sides, statement
from verify.statements.aggregation.proof_first import ALL, ONE, PROOF, TWO, a1a, lemma1, line, sums
from verify.statements.aggregation.quantities import Array, distance
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import free
from verify.world.world import World

SEES_END = runs(*(size(2, 1, 1, rule, seen="local") for rule in ("fedmax", "fedsoftmax")))


def _squared_step(w: World) -> Array:
    return w.step_sizes[..., w.at] ** 2


@a1a.like(
    "aggregation.proof.A2@weights-before", title="unbiased gradients", relation="==", over="mean",
    latex=r"\mathbb E(A_2)=0", note="E A_2 = 0, both parts of its second factor on their own side.",
)
def a2(w: World) -> Sides:
    s, eta = sums(w), w.step_sizes[..., w.at]
    other = s.error - eta[..., None] * s.slope
    return {"<., sum alpha grad F>": 2 * eta * xp.dot(other, s.slope)}, {
        "<., sum alpha g>": 2 * eta * xp.dot(other, s.drawn)
    }


a2_after = a2.variant("aggregation.proof.A2@weights-after", family=SEES_END)


@statement(
    "aggregation.proof.A3-deduced", where=PROOF, kind="deduction", latex="",
    family=free("mean_slope slopes excess step_size smoothness"),
    given=[
        Hypothesis("Jensen", r"\bigl\|\sum\alpha_t^i\nabla F_i(w_t^i)\bigr\|^2\le\sum\alpha_t^i\|\nabla F_i(w_t^i)\|^2",
                   lambda w: w.slopes - w.mean_slope),
        lemma1,
    ],
)
def a3_deduced(w: World) -> Sides:
    eta2 = w.step_size**2
    return {"A3": eta2 * w.mean_slope}, {"excess": 2 * w.smoothness * eta2 * w.excess}


@a1a.like(
    "aggregation.proof.A3", title="squared direction", deduction=a3_deduced,
    latex=r"A_3\le2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)", uses=("aggregation.lemma1",),
    note="Tight for one client along its steepest axis.",
)
def a3(w: World) -> Sides:
    s, eta2 = sums(w), _squared_step(w)
    return {"A3": eta2 * xp.squared_norm(s.slope)}, {"excess": 2 * w.beta * eta2 * s.excess}


@statement(
    "aggregation.proof.A4-deduced", where=PROOF, kind="deduction", latex="",
    family=free("variance variances sigma2 step_size"),
    given=[
        Hypothesis("Jensen", r"\mathbb E\bigl\|\sum\alpha_t^i(\nabla F_i-g_i)\bigr\|^2\le\sum\alpha_t^i\mathbb E\|\nabla F_i-g_i\|^2",
                   lambda w: w.variances - w.variance, PROOF),
        Hypothesis("A3", r"\sum\alpha_t^i\mathbb E\|g_i-\nabla F_i\|^2\le\sigma^2",
                   lambda w: w.sigma2 - w.variances, "Assumption A3"),
    ],
)
def a4_deduced(w: World) -> Sides:
    eta2 = w.step_size**2
    return {"A4": eta2 * w.variance}, {"sigma^2": eta2 * w.sigma2}


@a1a.like(
    "aggregation.proof.A4/first", title="noise of the direction", over="mean",
    latex=r"\mathbb EA_4\le\eta_t^2\sum\alpha\sigma^2", family=runs(*ONE, *TWO[:2]),
    deduction=a4_deduced, note="Tight for one client whose noise has the claimed variance.",
)
def a4(w: World) -> Sides:
    s, eta2, alpha = sums(w), _squared_step(w), w.run().alpha[..., w.at, :]
    noise = eta2 * xp.total(alpha * w.sigma2_max[..., None])
    return {"A4": eta2 * xp.squared_norm(s.slope - s.drawn)}, {"eta^2 sum alpha sigma^2": noise}


@a4.like(
    "aggregation.proof.A4/second", latex=r"\eta_t^2\sum\alpha\sigma^2\le\eta_t^2\sigma^2",
    over="path", family=runs(*ONE), note="The weights sum to one.",
)
def a4_last(w: World) -> Sides:
    return a4(w)[1], {"eta^2 sigma^2": _squared_step(w) * w.sigma2_max}


@a4.like(
    "aggregation.proof.A4.refined", latex=r"\mathbb EA_4\le\eta_t^2\sum(\alpha_t^i)^2\sigma_i^2",
    note="eta^2 sum alpha_i^2 sigma_i^2 for mini-batches drawn independently by the clients.",
    proof="""The variance of a sum of independent vectors is the sum of their variances. With equal
    weights and variances it is N times below the printed bound.""",
)
def a4_refined(w: World) -> Sides:
    noise = _squared_step(w) * xp.total(w.run().alpha[..., w.at, :] ** 2 * w.sigma2)
    return a4(w)[0], {"eta^2 sum alpha^2 sigma_i^2": noise}


@statement(
    "aggregation.proof.pre-deduced", where=PROOF, kind="deduction", latex="",
    family=free("first second third fourth distance distances excess drop G2 sigma2 steps step_size smoothness mu"),
    given=[
        Hypothesis("A1", r"A_1\le\text{its last line}",
                   lambda w: sum(line(w, 1).values(), start=0 * w.first) - w.first, PROOF),
        Hypothesis("A2", r"\mathbb E(A_2)\le0", lambda w: -w.second, PROOF),
        Hypothesis("A3", a3.latex,
                   lambda w: 2 * w.smoothness * w.step_size**2 * w.excess - w.third, PROOF),
        Hypothesis("A4", r"\mathbb EA_4\le\eta_t^2\sigma^2",
                   lambda w: w.step_size**2 * w.sigma2 - w.fourth, PROOF),
        Hypothesis("mean of squares", r"\sum\alpha_t^i\|w_t^i-w^\star\|^2\ge\|w_t-w^\star\|^2",
                   lambda w: w.distances - w.distance),
    ],
)
def pre_deduced(w: World) -> Sides:
    eta = w.step_size
    after = w.distance + w.first + w.second + w.third + w.fourth
    return {"after": after}, {
        "before": (1 - eta * w.mu) * w.distance, "spread": 16 * eta**2 * w.steps**2 * w.G2,
        "noise": eta**2 * w.sigma2, "excess": 4 * w.smoothness * eta**2 * w.excess,
        "drop": -2 * eta * w.drop,
    }


def fifth(w: World) -> dict[str, Array]:
    """What is in the mean of A_5, (B, R)."""
    s, eta = sums(w), w.step_sizes[..., w.at]
    return {"A5": 4 * w.beta * eta**2 * s.excess - 2 * eta * s.drop}


@a1a.like(
    "aggregation.proof.pre", title="before A_5", over="mean", deduction=pre_deduced, family=ALL,
    latex=r"\Delta_{t+1}\le(1-\eta_t\mu)\Delta_t+16\eta_t^2E^2G^2+\eta_t^2\sigma^2+A_5",
    uses=("aggregation.proof.A1b.repaired", "aggregation.proof.A2", "aggregation.proof.A3",
          "aggregation.proof.A4"),
    note="Every term in mean; it needs Lemma 2 and no rho.",
)
def pre(w: World) -> Sides:
    eta = w.step_sizes[..., w.at]
    return {"E|w+ - w*|^2": distance(w, w.at + 1)}, {
        "before": (1 - eta * w.mu) * distance(w, w.at),
        "spread": 16 * eta**2 * w.local_steps**2 * w.G2,
        "noise": eta**2 * w.sigma2_max, **fifth(w),
    }
