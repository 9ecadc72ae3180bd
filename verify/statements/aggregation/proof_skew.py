"""Appendix A from A_5 to the recursion: where rho enters."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim.hypothesis import Hypothesis
from verify.claim.statement import Sides, statement
from verify.statements.aggregation import theorem
from verify.statements.aggregation.proof_first import PROOF, lemma2
from verify.statements.aggregation.proof_noise import fifth
from verify.statements.aggregation.quantities import EVERY, distance, measured, short_steps
from verify.statements.aggregation.symbols import free
from verify.world.world import World

# -- A_5 ---------------------------------------------------------------------------------------


@statement(
    "aggregation.proof.A5-deduced", where=PROOF, kind="deduction", latex="",
    family=free("excess here ideal spread distance rise G2 gap low high step_size smoothness mu steps"),
    given=[
        Hypothesis("smoothness", r"2\eta_t\sum\alpha_t^ix_i(w_t)\le(1+L\eta_t)\Bigl(2\eta_t\sum\alpha_t^ix_i(w_t^i)+\sum\alpha_t^i\|w_t-w_t^i\|^2\Bigr)",
                   lambda w: (1 + w.smoothness * w.step_size)
                   * (2 * w.step_size * w.excess + w.spread) - 2 * w.step_size * w.here),
        lemma2,
        Hypothesis("steps at most 1/(4L)", r"\eta_t\le\frac1{4L}",
                   lambda w: 1 - 4 * (w.smoothness * w.step_size)),
        Hypothesis("rho-tilde", r"\sum\alpha_t^ix_i(w^\star)\le\tilde\rho\,\Gamma",
                   lambda w: w.high * w.gap - w.ideal, "Section 2.1"),
        Hypothesis("A2", r"F(w_t)-F^\star\ge\tfrac\mu2\|w_t-w^\star\|^2",
                   lambda w: 2 * w.rise - w.mu * w.distance, "Assumption A2"),
    ],
    note="""What is known at w_t if rho-bar is known at the ends of the round alone.

    Smoothness at w_t^i with Young's inequality and Lemma 1 bounds the losses at w_t.""",
)
def a5_deduced(w: World) -> Sides:
    eta = w.step_size
    noise = 16 * w.steps**2 * w.G2 + 6 * w.low * w.smoothness * w.gap
    return {
        "slopes": 4 * w.smoothness * eta**2 * w.excess, "drop": -2 * eta * (w.excess - w.ideal)
    }, {
        "noise": eta**2 * noise, "contraction": -3 * eta * w.mu * w.low * w.distance / 8,
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }


a5_repaired_deduced = a5_deduced.variant(
    "aggregation.proof.A5.repaired-deduced",
    given=[
        *a5_deduced.hypotheses,
        Hypothesis("rho-bar", r"\sum\alpha_t^ix_i(w_t)\ge\overline\rho\,(F(w_t)-F^\star+\Gamma)",
                   lambda w: w.here - w.low * (w.rise + w.gap)),
    ],
    note="The same, and rho-bar at most rho(t, w_t).",
)


@theorem.theorem3.like(
    "aggregation.proof.A5@rounds", where=PROOF, kind="proof step", title="where rho enters",
    latex=r"A_5\le\eta_t^2(16E^2G^2+6\overline\rho L\Gamma)-\tfrac38\eta_t\mu\overline\rho\Delta_t+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
    deduction=a5_deduced, note="Both sides in mean at iteration ``at``.",
)
def a5(w: World) -> Sides:
    eta = w.step_sizes[..., w.at]
    noise = 16 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap
    return fifth(w), {
        "noise": eta**2 * noise,
        "contraction": -3 * eta * w.mu * w.low / 8 * distance(w, w.at),
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }


a5_final_model = a5.variant(
    "aggregation.proof.A5@final-model", family=theorem.RETURNING, defines=theorem.RETURNED
)
a5_repaired = a5.variant(
    "aggregation.proof.A5.repaired", family=theorem.STEPS, defines=measured("every"),
    title="where rho enters, rho-bar over the virtual averages too", latex=a5.latex + EVERY,
    deduction=a5_repaired_deduced, uses=("aggregation.lemma1", "aggregation.lemma2"),
    note="rho-bar over the virtual averages as well, eta_t <= 1/(4L).",
    proof="""Let X = sum alpha x_i(w_t^i), Y = sum alpha x_i(w_t), Z = sum alpha x_i(w*), S the spread,
    h = L eta <= 1/4. Smoothness at w_t^i and Young's inequality with Lemma 1 give
    Y <= (1 + h) X + (1 + h) S/(2 eta), so that A_5 = -2 eta (1 - 2h) X + 2 eta Z is at most
    S - 2 eta c Y + 2 eta Z in mean, with c = (1 - 2h)/(1 + h). Lemma 2 bounds S;
    Y >= rho-bar (F(w_t) - F* + Gamma) with F(w_t) - F* >= mu/2 |w_t - w*|^2, and
    Z <= rho-tilde Gamma; c >= 3/8 and 1 - c <= 3h leave the three terms.""",
)


@a5.like(
    "aggregation.proof.A5@space", latex=a5.latex, family=theorem.SPACE, given=theorem.EVERYWHERE,
    defines={"step_sizes": short_steps},
    note="One client, for which Gamma = 0 and rho is one; G^2 a bound at every point of the space.",
)
def a5_space(w: World) -> Sides:
    eta = w.step_sizes[..., 0]
    noise, contraction = 16 * eta**2 * w.level, -3 * eta * w.mu / 8 * distance(w, 0)
    return fifth(w), {"noise": noise, "contraction": contraction}


# -- the recursion -----------------------------------------------------------------------------


@a5.like(
    "aggregation.proof.recursion@rounds", title="recursion",
    latex=r"\Delta_{t+1}\le(1-\eta_t\mu B)\Delta_t+\eta_t^2C+\eta_tD",
    note="B, C and D of the proof; Theorem 3 in other letters.",
)
def recursion(w: World) -> Sides:
    eta = w.step_sizes[..., w.at]
    noise = 32 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap + w.sigma2_max
    return {"Delta+": distance(w, w.at + 1)}, {
        "(1 - eta mu B) Delta": (1 - eta * w.mu * (1 + 3 * w.low / 8)) * distance(w, w.at),
        "eta^2 C": eta**2 * noise,
        "eta D": 2 * eta * w.gap * (w.high - w.low),
    }


recursion_final_model = recursion.variant(
    "aggregation.proof.recursion@final-model", family=theorem.RETURNING, defines=theorem.RETURNED,
    uses=("aggregation.theorem3",),
)
recursion_repaired = recursion.variant(
    "aggregation.proof.recursion.repaired", family=theorem.STEPS, latex=recursion.latex + EVERY,
    defines=measured("every"), uses=("aggregation.theorem3.repaired",),
    note="rho-bar over the virtual averages as well.",
    proof="The repaired Theorem 3 with B = 1 + 3 rho-bar/8, C and D its other coefficients.",
)


@a5_space.like(
    "aggregation.proof.recursion@space", latex=recursion.latex, title="recursion",
    note="As A5: one client and G^2 a bound at every point of the space.",
)
def recursion_space(w: World) -> Sides:
    eta = w.step_sizes[..., 0]
    return {"Delta+": distance(w, 1)}, {
        "(1 - eta mu B) Delta": (1 - 11 * eta * w.mu / 8) * distance(w, 0),
        "eta^2 C": eta**2 * (32 * w.level + xp.largest(w.sigma2)),
    }


EMPTY = tuple(
    theorem.empty.variant(
        f"aggregation.proof.{name}.empty", where=PROOF, empties=f"aggregation.proof.{name}@space"
    )
    for name in ("A5", "recursion")
)
