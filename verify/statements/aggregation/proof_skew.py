"""Appendix A from the terms A_2, A_3 and A_4 to the recursion: where noise and rho enter."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Sides, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation import theorem
from verify.statements.aggregation.proof_first import (
    ALL,
    ONE,
    PROOF,
    TWO,
    a1a,
    a1b_whole,
    lemma1,
    lemma2,
    line,
    sums,
)
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.space import spaced
from verify.statements.aggregation.symbols import symbols
from verify.world.world import World

SEES_END = runs(
    *(size(2, 1, 1, rule, seen="local") for rule in ("fedmax", "fedsoftmax")), paced=True
)


@a1a.like(
    "aggregation.proof.A2@start",
    title="unbiased gradients",
    relation="==",
    over="mean",
    latex=r"\mathbb E(A_2)=0",
    note="E A_2 = 0, both parts of its second factor on their own side.",
)
def a2(w: World) -> Sides:
    s, eta = sums(w), w.step_sizes[..., w.at]
    other = s.error - eta[..., None] * s.slope
    return {"<., sum alpha grad F>": 2 * eta * xp.dot(other, s.slope)}, {
        "<., sum alpha g>": 2 * eta * xp.dot(other, s.drawn)
    }


a2_after = a2.variant("aggregation.proof.A2@end", family=SEES_END)


@statement(
    "aggregation.proof.A3-deduced",
    where=PROOF,
    kind="deduction",
    latex="",
    family=symbols("mean_slope slopes excess step_size smoothness"),
    given=[
        Hypothesis(
            "Jensen",
            r"\bigl\|\sum\alpha_t^i\nabla F_i(w_t^i)\bigr\|^2\le\sum\alpha_t^i\|\nabla F_i(w_t^i)\|^2",
            lambda w: w.slopes - w.mean_slope,
        ),
        lemma1,
    ],
)
def a3_deduced(w: World) -> Sides:
    eta2 = w.step_size**2
    return {"A3": eta2 * w.mean_slope}, {"excess": 2 * w.smoothness * eta2 * w.excess}


@a1a.like(
    "aggregation.proof.A3",
    title="squared direction",
    deduction=a3_deduced,
    latex=r"A_3\le2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)",
    uses=("aggregation.lemma1",),
    note="Tight for one client along its steepest axis.",
)
def a3(w: World) -> Sides:
    s, eta2 = sums(w), w.step_sizes[..., w.at] ** 2
    return {"A3": eta2 * xp.squared_norm(s.slope)}, {"excess": 2 * w.beta * eta2 * s.excess}


@statement(
    "aggregation.proof.A4-deduced",
    where=PROOF,
    kind="deduction",
    latex="",
    family=symbols("variance variances sigma2 step_size"),
    given=[
        Hypothesis(
            "Jensen",
            r"\mathbb E\bigl\|\sum\alpha_t^i(\nabla F_i(w_t^i)-g_i(w_t^i))\bigr\|^2\le\sum\alpha_t^i\mathbb E\|\nabla F_i(w_t^i)-g_i(w_t^i)\|^2",
            lambda w: w.variances - w.variance,
            f"{PROOF}, by name",
        ),
        Hypothesis(
            "A3",
            r"\sum\alpha_t^i\mathbb E\|g_i(w_t^i)-\nabla F_i(w_t^i)\|^2\le\sigma^2",
            lambda w: w.sigma2 - w.variances,
            "Assumption A3, weighted sum",
        ),
    ],
)
def a4_deduced(w: World) -> Sides:
    eta2 = w.step_size**2
    return {"A4": eta2 * w.variance}, {"sigma^2": eta2 * w.sigma2}


@a1a.like(
    "aggregation.proof.A4/first@start",
    title="noise of the direction",
    over="mean",
    latex=r"\mathbb EA_4\le\eta_t^2\sum\alpha\sigma^2",
    family=runs(*ONE, *TWO[:2], paced=True),
    deduction=a4_deduced,
    note="Tight for one client whose noise has the claimed variance.",
)
def a4(w: World) -> Sides:
    s, eta2, alpha = sums(w), w.step_sizes[..., w.at] ** 2, w.run().alpha[..., w.at, :]
    noise = eta2 * xp.total(alpha * w.sigma2_max[..., None])
    return {"A4": eta2 * xp.squared_norm(s.slope - s.drawn)}, {"eta^2 sum alpha sigma^2": noise}


a4_after = a4.variant(
    "aggregation.proof.A4/first@end",
    family=SEES_END,
    deduction=None,
    note="Weights that see the drawn models prefer those with much noise.",
)


@a4.like(
    "aggregation.proof.A4/second",
    latex=r"\eta_t^2\sum\alpha\sigma^2\le\eta_t^2\sigma^2",
    over="path",
    family=runs(*ONE, paced=True),
    note="The weights sum to one.",
)
def a4_last(w: World) -> Sides:
    return a4(w)[1], {"eta^2 sigma^2": w.step_sizes[..., w.at] ** 2 * w.sigma2_max}


@a4.like(
    "aggregation.proof.A4.refined",
    latex=r"\mathbb EA_4\le\eta_t^2\sum(\alpha_t^i)^2\sigma_i^2",
    note="eta^2 sum alpha_i^2 sigma_i^2 for mini-batches drawn independently by the clients.",
    proof="""The variance of a sum of independent vectors is the sum of their variances. With equal
    weights and variances it is N times below the printed bound.""",
)
def a4_refined(w: World) -> Sides:
    noise = w.step_sizes[..., w.at] ** 2 * xp.total(w.run().alpha[..., w.at, :] ** 2 * w.sigma2)
    return a4(w)[0], {"eta^2 sum alpha^2 sigma_i^2": noise}


@statement(
    "aggregation.proof.pre-deduced",
    where=PROOF,
    kind="deduction",
    latex="",
    family=symbols(
        "first second third fourth distance distances excess drop G2 sigma2 steps "
        "step_size smoothness mu"
    ),
    given=[
        Hypothesis(
            "A1",
            a1b_whole.latex,
            lambda w: sum(line(w, 1).values(), start=0 * w.first) - w.first,
            PROOF,
        ),
        Hypothesis("A2", r"\mathbb E(A_2)\le0", lambda w: -w.second, f"{PROOF}, as an equality"),
        Hypothesis(
            "A3", a3.latex, lambda w: 2 * w.smoothness * w.step_size**2 * w.excess - w.third, PROOF
        ),
        Hypothesis(
            "A4",
            r"\mathbb EA_4\le\eta_t^2\sigma^2",
            lambda w: w.step_size**2 * w.sigma2 - w.fourth,
            PROOF,
        ),
        Hypothesis(
            "mean of squares",
            r"\sum\alpha_t^i\|w_t^i-w^\star\|^2\ge\|w_t-w^\star\|^2",
            lambda w: w.distances - w.distance,
        ),
    ],
)
def pre_deduced(w: World) -> Sides:
    eta = w.step_size
    after = w.distance + w.first + w.second + w.third + w.fourth
    return {"after": after}, {
        "before": (1 - eta * w.mu) * w.distance,
        "spread": 16 * eta**2 * w.steps**2 * w.G2,
        "noise": eta**2 * w.sigma2,
        "excess": 4 * w.smoothness * eta**2 * w.excess,
        "drop": -2 * eta * w.drop,
    }


def fifth(w: World) -> dict[str, Array]:
    """What is in the mean of A_5, (B, R)."""
    s, eta = sums(w), w.step_sizes[..., w.at]
    return {"A5": 4 * w.beta * eta**2 * s.excess - 2 * eta * s.drop}


@a1a.like(
    "aggregation.proof.pre@run+section2",
    title="before A_5",
    over="mean",
    deduction=pre_deduced,
    latex=r"\Delta_{t+1}\le(1-\eta_t\mu)\Delta_t+16\eta_t^2E^2G^2+\eta_t^2\sigma^2+A_5",
    family=theorem.SECTION2,
    uses=(
        "aggregation.proof.A1b.repaired",
        "aggregation.proof.A2",
        "aggregation.proof.A3",
        "aggregation.proof.A4",
    ),
    note="Every term in mean, any step sizes; it rests on Lemma 2 and needs no rho.",
)
def pre(w: World) -> Sides:
    eta = w.step_sizes[..., w.at]
    return {"E|w+ - w*|^2": q.distance(w, w.at + 1)}, {
        "before": (1 - eta * w.mu) * q.distance(w, w.at),
        "spread": 16 * eta**2 * w.local_steps**2 * w.G2,
        "noise": eta**2 * w.sigma2_max,
        **fifth(w),
    }


pre_algorithm = pre.variant("aggregation.proof.pre@run+algorithm", family=ALL)
PRE_SPACE, PRE_EMPTY = spaced(pre)
pre_repaired = pre.variant(
    "aggregation.proof.pre.repaired",
    family=ALL,
    given=[q.halving],
    note="Steps that at most halve within a round, w_t of Appendix A.",
    proof="""The expansion is exact; A_1 by its repaired bound, A_2 to A_4 as printed, and the mean
    of the squared distances of the models is at least that of w_t.""",
)


# -- A_5 ---------------------------------------------------------------------------------------


@statement(
    "aggregation.proof.A5-deduced",
    where=PROOF,
    kind="deduction",
    latex="",
    family=symbols(
        "excess here ideal spread distance rise G2 gap low high step_size smoothness mu steps"
    ),
    given=[
        Hypothesis(
            "smoothness",
            r"2\eta_t\sum\alpha_t^i(F_i(w_t)-F_i^\star)\le(1+L\eta_t)\Bigl(2\eta_t\sum\alpha_t^i(F_i(w_t^i)-F_i^\star)+\sum\alpha_t^i\|w_t-w_t^i\|^2\Bigr)",
            lambda w: (
                (1 + w.smoothness * w.step_size) * (2 * w.step_size * w.excess + w.spread)
                - 2 * w.step_size * w.here
            ),
        ),
        lemma2,
        Hypothesis(
            "steps at most 1/(4L)",
            r"\eta_t\le\frac1{4L}",
            lambda w: 1 - 4 * (w.smoothness * w.step_size),
        ),
        Hypothesis(
            "rho-tilde",
            r"\sum\alpha_t^i(F_i(w^\star)-F_i^\star)\le\tilde\rho\,\Gamma",
            lambda w: w.high * w.gap - w.ideal,
            "Section 2.1, definition of rho-tilde",
        ),
        Hypothesis(
            "A2",
            r"F(w_t)-F^\star\ge\tfrac\mu2\|w_t-w^\star\|^2",
            lambda w: 2 * w.rise - w.mu * w.distance,
            "Assumption A2, of F at w*",
        ),
    ],
    note="""What is known at w_t if rho-bar is known at the ends of the round alone.

    Smoothness at w_t^i with Young's inequality and Lemma 1 bounds the losses at w_t.""",
)
def a5_deduced(w: World) -> Sides:
    eta = w.step_size
    noise = 16 * w.steps**2 * w.G2 + 6 * w.low * w.smoothness * w.gap
    return {
        "slopes": 4 * w.smoothness * eta**2 * w.excess,
        "drop": -2 * eta * (w.excess - w.ideal),
    }, {
        "noise": eta**2 * noise,
        "contraction": -3 * eta * w.mu * w.low * w.distance / 8,
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }


a5_repaired_deduced = a5_deduced.variant(
    "aggregation.proof.A5.repaired-deduced",
    given=[
        *a5_deduced.given,
        Hypothesis(
            "rho-bar",
            r"\sum\alpha_t^i(F_i(w_t)-F_i^\star)\ge\overline\rho\,(F(w_t)-F^\star+\Gamma)",
            lambda w: w.here - w.low * (w.rise + w.gap),
        ),
    ],
    note="The same, and rho-bar at most rho(t, w_t).",
)


@theorem.theorem3.like(
    "aggregation.proof.A5@run+section2+loop",
    where=PROOF,
    kind="proof step",
    latex=r"A_5\le\eta_t^2(16E^2G^2+6\overline\rho L\Gamma)-\tfrac38\eta_t\mu\overline\rho\Delta_t+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
    title="where rho enters",
    deduction=a5_deduced,
    note="Both sides in mean at iteration ``at``, any step sizes.",
)
def a5(w: World) -> Sides:
    eta = w.step_sizes[..., w.at]
    noise = 16 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap
    return fifth(w), {
        "noise": eta**2 * noise,
        "contraction": -3 * eta * w.mu * w.low / 8 * q.distance(w, w.at),
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }


A5 = theorem.by_iterates(a5)
A5_SPACE, A5_EMPTY = spaced(a5)
a5_repaired = a5.variant(
    "aggregation.proof.A5.repaired",
    family=theorem.STEPS,
    defines=q.measured("every"),
    title="where rho enters, rho-bar over the virtual averages too",
    latex=a5.latex + q.EVERY,
    deduction=a5_repaired_deduced,
    given=theorem.BY_PROOF,
    uses=("aggregation.lemma1", "aggregation.lemma2.repaired"),
    note="""rho-bar over the virtual averages as well; eta_t <= 1/(4L), and steps that at most halve
    within a round.""",
    proof="""Let X = sum alpha x_i(w_t^i), Y = sum alpha x_i(w_t), Z = sum alpha x_i(w*), S the
    spread, h = L eta <= 1/4. Smoothness at w_t^i and Young's inequality with Lemma 1 give Y <= (1 +
    h) X + (1 + h) S/(2 eta), so that A_5 = -2 eta (1 - 2h) X + 2 eta Z is at most S - 2 eta c Y + 2
    eta Z in mean, with c = (1 - 2h)/(1 + h). Lemma 2 bounds S; Y >= rho-bar (F(w_t) - F* + Gamma)
    with F(w_t) - F* >= mu/2 |w_t - w*|^2, and Z <= rho-tilde Gamma; c >= 3/8 and 1 - c <= 3h leave
    the three terms.""",
)


# -- the recursion -----------------------------------------------------------------------------


@a5.like(
    "aggregation.proof.recursion@run+section2+loop",
    title="recursion",
    latex=r"\Delta_{t+1}\le(1-\eta_t\mu B)\Delta_t+\eta_t^2C+\eta_tD",
    note="B, C and D of the proof; Theorem 3 in other letters.",
)
def recursion(w: World) -> Sides:
    eta = w.step_sizes[..., w.at]
    noise = 32 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap + w.sigma2_max
    return {"Delta+": q.distance(w, w.at + 1)}, {
        "(1 - eta mu B) Delta": (1 - eta * w.mu * (1 + 3 * w.low / 8)) * q.distance(w, w.at),
        "eta^2 C": eta**2 * noise,
        "eta D": 2 * eta * w.gap * (w.high - w.low),
    }


RECURSION = theorem.by_iterates(recursion)
RECURSION_SPACE, RECURSION_EMPTY = spaced(recursion)
recursion_repaired = recursion.variant(
    "aggregation.proof.recursion.repaired",
    family=theorem.STEPS,
    latex=recursion.latex + q.EVERY,
    defines=q.measured("every"),
    given=theorem.BY_PROOF,
    uses=("aggregation.theorem3.repaired",),
    note="""rho-bar over the virtual averages as well, steps of at most 1/(4L) that at most halve
    within a round.""",
    proof="The repaired Theorem 3 with B = 1 + 3 rho-bar/8, C and D its other coefficients.",
)
