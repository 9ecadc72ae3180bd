"""Appendix A from the terms A_2, A_3 and A_4 to the recursion: where noise and rho enter."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Sides, Terms
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation import theorem
from verify.statements.aggregation.proof_expansion import (
    ALL,
    ONE,
    PROOF,
    STEP,
    TWO,
    a1b_whole,
    lemma1,
    lemma2,
    line,
    sums,
)
from verify.statements.aggregation.quantities import instances
from verify.world.world import World

claim = q.claims(r"""
Appendix A :: proof step
    proof.A2 :: unbiased gradients :: \mathbb E(A_2)=0
    proof.A3 :: squared direction :: A_3\le2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)
    proof.A4/first@each-draw :: noise of the direction :: A_4\le\eta_t^2\sum\alpha\sigma^2
    proof.A4/first :: noise of the direction :: \mathbb EA_4\le\eta_t^2\sum\alpha\sigma^2
    proof.A4/second :: noise of the direction :: \eta_t^2\sum\alpha\sigma^2\le\eta_t^2\sigma^2
    proof.A4.refined :: noise of the direction :: \mathbb EA_4\le\eta_t^2\sum(\alpha_t^i)^2\sigma_i^2
    proof.pre :: before A_5 :: \Delta_{t+1}\le(1-\eta_t\mu)\Delta_t+16\eta_t^2E^2G^2+\eta_t^2\sigma^2+A_5
    proof.pre.repaired :: before A_5 :: \Delta_{t+1}\le(1-\eta_t\mu)\Delta_t+16\eta_t^2E^2G^2+\eta_t^2\sigma^2+A_5
    proof.A5 :: where rho enters :: A_5\le\eta_t^2(16E^2G^2+6\overline\rho L\Gamma)-\tfrac38\eta_t\mu\overline\rho\Delta_t+2\eta_t\Gamma(\tilde\rho-\overline\rho)
    proof.A5.repaired :: where rho enters, rho-bar over the virtual averages too
    proof.recursion :: recursion :: \Delta_{t+1}\le(1-\eta_t\mu B)\Delta_t+\eta_t^2C+\eta_tD
    proof.recursion.repaired :: recursion :: \Delta_{t+1}\le(1-\eta_t\mu B)\Delta_t+\eta_t^2C+\eta_tD,\quad\overline\rho,\tilde\rho\text{ over every iteration}
given
    rho-bar :: \sum\alpha_t^i(F_i(w_t)-F_i^\star)\ge\overline\rho\,(F(w_t)-F^\star+\Gamma)
    smoothness :: 2\eta_t\sum\alpha_t^i(F_i(w_t)-F_i^\star)\le(1+L\eta_t)\Bigl(2\eta_t\sum\alpha_t^i(F_i(w_t^i)-F_i^\star)+\sum\alpha_t^i\|w_t-w_t^i\|^2\Bigr)
    steps at most 1/(4L) :: \eta_t\le\frac1{4L}
    rho-tilde :: \sum\alpha_t^i(F_i(w^\star)-F_i^\star)\le\tilde\rho\,\Gamma :: Section 2.1, definition of rho-tilde
    A2 :: F(w_t)-F^\star\ge\tfrac\mu2\|w_t-w^\star\|^2 :: Assumption A2, of F at w*
    Jensen :: \bigl\|\sum\alpha_t^i\nabla F_i(w_t^i)\bigr\|^2\le\sum\alpha_t^i\|\nabla F_i(w_t^i)\|^2
    Jensen, noise = Jensen :: \mathbb E\bigl\|\sum\alpha_t^i(\nabla F_i(w_t^i)-g_i(w_t^i))\bigr\|^2\le\sum\alpha_t^i\mathbb E\|\nabla F_i(w_t^i)-g_i(w_t^i)\|^2 :: Appendix A, by name
    A3 :: \sum\alpha_t^i\mathbb E\|g_i(w_t^i)-\nabla F_i(w_t^i)\|^2\le\sigma^2 :: Assumption A3, weighted sum
    A2 in mean = A2 :: \mathbb E(A_2)\le0 :: Appendix A, as an equality
    A3 term = A3 :: A_3\le2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star) :: Appendix A
    A4 :: \mathbb EA_4\le\eta_t^2\sigma^2 :: Appendix A
    mean of squares :: \sum\alpha_t^i\|w_t^i-w^\star\|^2\ge\|w_t-w^\star\|^2
""")
IN_MEAN = {**STEP, "over": "mean"}
SEES_END = q.runs(
    *(q.size(2, 1, 1, rule, seen="local") for rule in ("fedmax", "fedsoftmax")), paced=True
)

# -- A_2, A_3 and A_4 --------------------------------------------------------------------------


@claim(
    "proof.A2",
    readings=["seen"],
    **IN_MEAN,
    relation="==",
    family=lambda r: SEES_END if "end" in r else ALL,
)
def a2(w: World) -> Sides:
    """E A_2 = 0, both parts of its second factor on their own side."""
    s, eta = sums(w), q.step(w)
    other = s.error - eta[..., None] * s.slope
    slope, drawn = (2 * eta * xp.dot(other, x) for x in (s.slope, s.drawn))
    return {"<., sum alpha grad F>": slope}, {"<., sum alpha g>": drawn}


@q.deduced(
    "proof.A3",
    "mean_slope slopes excess step_size smoothness",
    [claim.given("Jensen", lambda w: w.slopes - w.mean_slope), lemma1],
)
def a3_deduced(w: World) -> Sides:
    eta2 = w.step_size**2
    return {"A3": eta2 * w.mean_slope}, {"excess": 2 * w.smoothness * eta2 * w.excess}


@claim("proof.A3", **STEP, family=ALL, deduction=a3_deduced, uses=("aggregation.lemma1",))
def a3(w: World) -> Sides:
    """Tight for one client along its steepest axis."""
    s, eta2 = sums(w), q.step(w) ** 2
    return {"A3": eta2 * xp.squared_norm(s.slope)}, {"excess": 2 * w.beta * eta2 * s.excess}


@q.deduced(
    "proof.A4",
    "variance variances sigma2 step_size",
    [
        claim.given("Jensen, noise", lambda w: w.variances - w.variance),
        claim.given("A3", lambda w: w.sigma2 - w.variances),
    ],
)
def a4_deduced(w: World) -> Sides:
    eta2 = w.step_size**2
    return {"A4": eta2 * w.variance}, {"sigma^2": eta2 * w.sigma2}


NOISY = q.runs(*ONE, *TWO[:2], paced=True)


def _noise(w: World) -> Terms:
    s = sums(w)
    return {"A4": q.step(w) ** 2 * xp.squared_norm(s.slope - s.drawn)}


def _weighted(w: World) -> Terms:
    alpha = w.run().alpha[..., w.at, :]
    return {"eta^2 sum alpha sigma^2": q.step(w) ** 2 * xp.total(alpha * w.sigma2_max[..., None])}


@claim(
    "proof.A4/first",
    readings=["fourth", "seen if mean-draw"],
    defines=q.FREE,
    over=lambda r: "mean" if "mean-draw" in r else "path",
    family=lambda r: SEES_END if "end" in r else NOISY,
    deduction=lambda r: a4_deduced if "start" in r else None,
    note=lambda r: (
        "Weights that see the drawn models prefer those with much noise."
        if "end" in r
        else "Tight for one client whose noise has the claimed variance."
    ),
)
def a4(w: World) -> Sides:
    return _noise(w), _weighted(w)


@claim("proof.A4/second", **STEP, family=q.runs(*ONE, paced=True))
def a4_last(w: World) -> Sides:
    """The weights sum to one."""
    return _weighted(w), {"eta^2 sigma^2": q.step(w) ** 2 * w.sigma2_max}


@claim("proof.A4.refined", **IN_MEAN, family=NOISY)
def a4_refined(w: World) -> Sides:
    """eta^2 sum alpha_i^2 sigma_i^2 for mini-batches drawn independently by the clients.

    Proof. The variance of a sum of independent vectors is the sum of their variances. With equal
    weights and variances it is N times below the printed bound."""
    noise = q.step(w) ** 2 * xp.total(w.run().alpha[..., w.at, :] ** 2 * w.sigma2)
    return _noise(w), {"eta^2 sum alpha^2 sigma_i^2": noise}


# -- what is before A_5 ------------------------------------------------------------------------

_BEFORE = "first second third fourth distance distances excess drop G2 sigma2"


@q.deduced(
    "proof.pre",
    f"{_BEFORE} steps step_size smoothness mu",
    [
        Hypothesis(
            "A1",
            a1b_whole[0].latex,
            lambda w: sum(line(w, 1).values(), 0 * w.first) - w.first,
            PROOF,
        ),
        claim.given("A2 in mean", lambda w: -w.second),
        claim.given("A3 term", lambda w: 2 * w.smoothness * w.step_size**2 * w.excess - w.third),
        claim.given("A4", lambda w: w.step_size**2 * w.sigma2 - w.fourth),
        claim.given("mean of squares", lambda w: w.distances - w.distance),
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
    s, eta = sums(w), q.step(w)
    return {"A5": 4 * w.beta * eta**2 * s.excess - 2 * eta * s.drop}


def before_fifth(w: World) -> Sides:
    eta = q.step(w)
    return q.distance_after(w), {
        "before": (1 - eta * w.mu) * q.distance(w, w.at),
        "spread": 16 * eta**2 * w.local_steps**2 * w.G2,
        "noise": eta**2 * w.sigma2_max,
        **fifth(w),
    }


USES = tuple(f"aggregation.proof.{name}" for name in ("A1b.repaired", "A2", "A3", "A4"))
pre = claim(
    "proof.pre",
    readings=q.on_run("iterates"),
    over="mean",
    uses=USES,
    **q.under_a4(
        deduction=pre_deduced,
        tried=lambda r: [q.STEPS2 if "section2" in r else ALL],
        defines=lambda r: q.FREE,
        note="Every term in mean, any step sizes; it rests on Lemma 2 and needs no rho.",
    ),
)(before_fifth)
pre_repaired = claim(
    "proof.pre.repaired",
    like=pre.leaf("algorithm"),
    deduction=pre_deduced,
    uses=USES,
    given=[q.halving],
    note="Steps that at most halve within a round, w_t of Appendix A.",
    proof="""The expansion is exact; A_1 by its repaired bound, A_2 to A_4 as printed, and the mean
    of the squared distances of the models is at least that of w_t.""",
)(before_fifth)

# -- A_5 ---------------------------------------------------------------------------------------

A5_SYMBOLS = "excess here ideal spread distance rise G2 gap low high step_size smoothness mu steps"
AT_ENDS = (
    claim.given(
        "smoothness",
        lambda w: (
            (1 + w.smoothness * w.step_size) * (2 * w.step_size * w.excess + w.spread)
            - 2 * w.step_size * w.here
        ),
    ),
    lemma2,
    claim.given("steps at most 1/(4L)", lambda w: 1 - 4 * (w.smoothness * w.step_size)),
    claim.given("rho-tilde", lambda w: w.high * w.gap - w.ideal),
    claim.given("A2", lambda w: 2 * w.rise - w.mu * w.distance),
)
AT_EVERY = claim.given("rho-bar", lambda w: w.here - w.low * (w.rise + w.gap))


def _fifth_of_symbols(w: World) -> Sides:
    eta = w.step_size
    slopes, drop = 4 * w.smoothness * eta**2 * w.excess, -2 * eta * (w.excess - w.ideal)
    return {"slopes": slopes, "drop": drop}, {
        "noise": eta**2 * (16 * w.steps**2 * w.G2 + 6 * w.low * w.smoothness * w.gap),
        "contraction": -3 * eta * w.mu * w.low * w.distance / 8,
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }


a5_deduced = q.deduced(
    "proof.A5",
    A5_SYMBOLS,
    AT_ENDS,
    note="""What is known at w_t if rho-bar is known at the ends of the round alone.

    Smoothness at w_t^i with Young's inequality and Lemma 1 bounds the losses at w_t.""",
)(_fifth_of_symbols)
a5_repaired_deduced = q.deduced(
    "proof.A5.repaired",
    A5_SYMBOLS,
    [*AT_ENDS, AT_EVERY],
    note="The same, and rho-bar at most rho(t, w_t).",
)(_fifth_of_symbols)


def bound_of_fifth(w: World) -> Sides:
    eta = q.step(w)
    return fifth(w), {
        "noise": eta**2 * (16 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap),
        "contraction": -3 * eta * w.mu * w.low / 8 * q.distance(w, w.at),
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }


ITERATION: dict[str, Any] = {
    "tried": q.iterations,
    "given": [q.heterogeneous],
    "defines": lambda r: q.measured(r.times),
}
"""Claims about single iterations that rest on rho."""
a5 = claim(
    "proof.A5",
    readings=q.on_run("iterates", "times"),
    over="mean",
    try_first=instances.rare_client,
    **q.under_a4(
        **ITERATION,
        deduction=a5_deduced,
        note="Both sides in mean at iteration ``at``, any step sizes.",
    ),
)(bound_of_fifth)
a5_repaired = claim(
    "proof.A5.repaired",
    like=a5[0],
    **theorem.BY_PROOF,
    latex=claim.latex("proof.A5") + q.EVERY,
    deduction=a5_repaired_deduced,
    uses=("aggregation.lemma1", "aggregation.lemma2.repaired"),
    note="""rho-bar over the virtual averages as well; eta_t <= 1/(4L), and steps that at most halve
    within a round.""",
    proof="""Let X = sum alpha x_i(w_t^i), Y = sum alpha x_i(w_t), Z = sum alpha x_i(w*), S the
    spread, h = L eta <= 1/4. Smoothness at w_t^i and Young's inequality with Lemma 1 give Y <= (1 +
    h) X + (1 + h) S/(2 eta), so that A_5 = -2 eta (1 - 2h) X + 2 eta Z is at most S - 2 eta c Y + 2
    eta Z in mean, with c = (1 - 2h)/(1 + h). Lemma 2 bounds S; Y >= rho-bar (F(w_t) - F* + Gamma)
    with F(w_t) - F* >= mu/2 |w_t - w*|^2, and Z <= rho-tilde Gamma; c >= 3/8 and 1 - c <= 3h leave
    the three terms.""",
)(bound_of_fifth)

# -- the recursion -----------------------------------------------------------------------------


def one_iteration(w: World) -> Sides:
    eta = q.step(w)
    noise = 32 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap + w.sigma2_max
    return {"Delta+": q.distance(w, w.at + 1)}, {
        "(1 - eta mu B) Delta": (1 - eta * w.mu * (1 + 3 * w.low / 8)) * q.distance(w, w.at),
        "eta^2 C": eta**2 * noise,
        "eta D": 2 * eta * w.gap * (w.high - w.low),
    }


recursion = claim(
    "proof.recursion",
    readings=q.on_run("iterates", "times"),
    over="mean",
    try_first=instances.rare_client,
    **q.under_a4(**ITERATION, note="B, C and D of the proof; Theorem 3 in other letters."),
)(one_iteration)
recursion_repaired = claim(
    "proof.recursion.repaired",
    like=recursion[0],
    **theorem.BY_PROOF,
    uses=("aggregation.theorem3.repaired",),
    note="""rho-bar over the virtual averages as well, steps of at most 1/(4L) that at most halve
    within a round.""",
    proof="The repaired Theorem 3 with B = 1 + 3 rho-bar/8, C and D its other coefficients.",
)(one_iteration)
