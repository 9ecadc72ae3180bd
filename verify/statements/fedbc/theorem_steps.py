"""Theorem 4.5: the gradient at the server by those of the Lagrangians, its sum, (66) to (77)."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from bounds.fedbc.constants import gradient_factor, gradient_factor_printed, moving_constant
from verify.claim import Array, Sides, Terms, statement
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc import quantities as measures
from verify.statements.fedbc.quantities import (
    ABOVE,
    EVERY,
    FULL,
    OWN,
    PROOFS,
    TOGETHER,
    VIRTUAL,
    average_gradient,
    common_start,
    dissimilarity,
    divisible,
    dual_bound,
    everywhere,
    fall,
    first_round,
    horizons,
    hull_dissimilarity,
    in_domain,
    mean_slope,
    reach_of,
    runs,
    slopes,
    smooth,
    spread,
    stiffness,
    tolerance,
)
from verify.statements.fedbc.quantities import ALL_SAMPLED as TWO
from verify.statements.fedbc.theorem_fall import PROOF, fall_tex, total_fall
from verify.world.world import World

# -- one round (66)-(70) ---------------------------------------------------------------------------

_F = r"\|\nabla f(z^t)\|^2"
_OWN = r"\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2"
_R68 = r"\tfrac2N\sum_i\|\nabla f_i(z^t)-\nabla_{x_i}\mathcal L_i\|^2+" + _OWN
_R69 = (
    r"\tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{8\lambda_{\max}}N\sum_i\|x_i^t-z^t\|^2+"
    + _OWN
)
_R70 = r"\tfrac{%s}N\sum_i\|z^t-x_i^t\|^2+" + _OWN


def _at_the_server(w: World) -> Array:
    """grad f_i(z), (B, 1, N)."""
    return slopes(w, everywhere(first_round(w).server, w.multipliers))


def _own(w: World) -> Terms:
    """Twice the mean of |grad L_i|^2 at the state."""
    return {"own": 2 * xp.mean(measures.slope_before(w, first_round(w)) ** 2)}


def _gap(w: World) -> Array:
    r = first_round(w)
    return xp.mean((r.old - r.server[..., None]) ** 2)


def _gradient(w: World) -> Terms:
    return {"|grad f|^2": mean_slope(w, first_round(w).server) ** 2}


@statement(
    "fedbc.eq66-68",
    where=PROOF,
    kind="proof step",
    title="gradient at the server",
    latex=_F + r"\le" + _R68,
    family=runs(*EVERY),
    also=smooth(*EVERY),
    note="(a + b)^2 <= 2 a^2 + 2 b^2, and Jensen.",
)
def eq68(w: World) -> Sides:
    mixed = xp.mean((_at_the_server(w) - measures.slope_before(w, first_round(w))) ** 2)
    return _gradient(w), {"mixed": 2 * mixed, **_own(w)}


@eq68.like(
    "fedbc.eq69-70/69",
    latex=_F + r"\le" + _R69,
    given=[in_domain],
    family=runs(*FULL, domain="own"),
    uses=("fedbc.eq66-68", "fedbc.grad/17"),
    note="2 |2 lambda (x - z)|^2 gives 16 lambda_max^2 after (a + b)^2 <= 2 a^2 + 2 b^2.",
)
def eq69(w: World) -> Sides:
    change = xp.mean((_at_the_server(w) - slopes(w, first_round(w).old)) ** 2)
    return _gradient(w), {
        "4 change": 4 * change,
        "8 lambda_max gap": 8 * w.lambda_max * _gap(w),
        **_own(w),
    }


@eq69.like(
    "fedbc.eq69-70/chain",
    title="from (68) to (69)",
    latex=_R68 + r"\le" + _R69,
    deduction=deduced.EQ69,
    uses=eq69.uses,
    note=eq69.note,
)
def eq69_chain(w: World) -> Sides:
    return eq68(w)[1], eq69(w)[1]


@eq69.like(
    "fedbc.eq69-70/70",
    latex=_F + r"\le" + _R70 % r"4(L^2+2\lambda_{\max})",
    uses=eq69.uses,
    note=eq69.note,
)
def eq70(w: World) -> Sides:
    factor = gradient_factor_printed(w.beta, w.lambda_max)
    return _gradient(w), {"gap": factor * _gap(w), **_own(w)}


@eq68.like(
    "fedbc.eq69-70/smooth",
    title="from (69) to (70)",
    deduction=deduced.EQ70,
    latex=_R69 + r"\le" + _R70 % r"4(L^2+2\lambda_{\max})",
    uses=("fedbc.A2",),
    note="Assumption 4.2 for every client, and L_i <= L.",
)
def eq70_smooth(w: World) -> Sides:
    return eq69(w)[1], eq70(w)[1]


@eq68.like(
    "fedbc.eq69-70.repaired",
    given=[in_domain],
    latex=_F + r"\le" + _R70 % r"4L^2+16\lambda_{\max}^2",
    uses=(*eq69.uses, "fedbc.A2"),
    note="(4 L^2 + 16 lambda_max^2) mean |x - z|^2 + 2 mean |grad L_i|^2.",
    proof="""(68); grad f_i(z) - grad L_i = [grad f_i(z) - grad f_i(x)] - 2 lambda (x - z), whose
    square is at most 2 L^2 |x - z|^2 + 8 lambda_max^2 |x - z|^2.""",
)
def eq70_repaired(w: World) -> Sides:
    return _gradient(w), {"gap": gradient_factor(w.beta, w.lambda_max) * _gap(w), **_own(w)}


_SLOPES = r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le"


@statement(
    "fedbc.eq72",
    where=PROOF,
    kind="proof step",
    title="descent in the gradient",
    latex=_SLOPES
    + "2M_1^2"
    + fall_tex("t", "{t+1}")
    + r"+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2+\tfrac{M_1^2\epsilon}L+\alpha M_1^2G^2",
    family=runs(*FULL, domain="own"),
    given=OWN,
    deduction=deduced.EQ72,
    uses=("fedbc.lemmaB1i", "fedbc.lemmaB1ii"),
    note="2 M_1^2 epsilon of (28) is gone, and 2 M_1^2 before two terms of (43) too.",
)
def eq72(w: World) -> Sides:
    most = moving_constant(w.beta, w.lambda_max) ** 2
    return {"mean |grad L_i|^2": measures.mean_slope_of_lagrangians(w)}, {
        "fall": 2 * most * fall(w),
        "consensus": w.lambda_max * spread(w),
        "epsilon": most * tolerance(w) / w.beta,
        "alpha G^2": w.dual_step * most * dual_bound(w) ** 2,
    }


@eq72.like(
    "fedbc.eq72.repaired",
    family=runs(*VIRTUAL, domain="own"),
    also=smooth(*VIRTUAL, domain="own"),
    latex=_SLOPES
    + r"2M_1^2\Bigl("
    + fall_tex("t", "{t+1}")
    + r"+\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2\Bigr)+2\epsilon",
    uses=("fedbc.lemmaB1i.repaired", "fedbc.lemmaB1ii.repaired"),
    note="2 M_1^2 times the right side of the repaired descent lemma, plus 2 epsilon.",
    proof="mean |grad L_i|^2 <= 2 M_1^2 mean |move|^2 + 2 epsilon, and the repaired descent lemma.",
)
def eq72_repaired(w: World) -> Sides:
    descent = closed.lagrangian_descent_upper(
        fall(w),
        tolerance(w),
        stiffness(w),
        w.dual_step,
        reach_of(w),
        w.gamma,
        w.lambda_max,
        spread(w),
    )
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2
    return {"mean |grad L_i|^2": measures.mean_slope_of_lagrangians(w)}, {
        **{k: factor * v for k, v in descent.items()},
        "2 epsilon": 2 * tolerance(w),
    }


# -- the sum over the rounds (73)-(77) -------------------------------------------------------------

_AVERAGE = r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2"


def _eq76(w: World, inserted: bool) -> Sides:
    most = moving_constant(w.beta, w.lambda_max) ** 2
    epsilon = tolerance(w)
    factor = gradient_factor_printed(w.beta, w.lambda_max) + 2 * w.lambda_max
    if inserted:
        bound = closed.consensus_printed(epsilon, dissimilarity(w), stiffness(w), w.lambda_max, w.S)
        terms = {"epsilon": factor * bound["epsilon"], "delta^2": bound["delta^2"]}
    else:
        terms = {"consensus": factor * measures.average_spread(w)}
    return {"average |grad f|^2": average_gradient(w)}, {
        "fall": 4 * most * total_fall(w) / w.rounds,
        **terms,
        "M_1^2 epsilon/L": 2 * most * epsilon / w.beta,
        "alpha G^2": 2 * w.dual_step * most * dual_bound(w) ** 2,
    }


_M1 = r"+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2"
eq76 = statement(
    "fedbc.eq73-76",
    where=PROOF,
    kind="proof step",
    title="sum over the rounds",
    latex=_AVERAGE
    + r"\le\tfrac{4M_1^2}T"
    + fall_tex("0", "T")
    + r"+\tfrac{M+2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2"
    + _M1,
    family=horizons(*TWO),
    given=[*OWN, common_start],
    deduction=deduced.EQ76,
    uses=("fedbc.eq69-70", "fedbc.eq72", "fedbc.H3"),
    note="""Divided by T. Alone at a minimum with gamma > 0 the multiplier falls, L_i rises by alpha
    gamma^2 a round, and alpha G^2 makes up for it only where gamma is large.""",
)(partial(_eq76, inserted=False))
eq77 = eq76.like(
    "fedbc.eq77",
    title="Lemma B.2 inserted",
    family=horizons(*TWO, domain="proofs"),
    latex=_AVERAGE
    + r"\le\tfrac{4M_1^2}T"
    + fall_tex("0", "T")
    + r"+(M+2\lambda_{\max})\epsilon\tfrac{S(N-1)}{C_0^2N^2}\sum_i\tfrac1{(1+L_i)^2}+\delta^2\tfrac{S(N-1)}{C_0^2N^2}\sum_i\tfrac1{(1+L_i)^4}"
    + _M1,
    given=[*PROOFS, common_start, divisible],
    deduction=deduced.EQ77,
    uses=("fedbc.eq73-76", "fedbc.lemmaB2"),
    note=eq76.note,
)(partial(_eq76, inserted=True))


@statement(
    "fedbc.eq73-76.repaired",
    where=PROOF,
    kind="proof step",
    title="sum over the rounds",
    latex=_AVERAGE
    + r"\le\tfrac{4M_1^2}{\kappa T}"
    + fall_tex("0", "T")
    + r"+4\epsilon+\tfrac{4M_1^2}\kappa\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+\Bigl(4L^2+16\lambda_{\max}^2+\tfrac{4M_1^2\lambda_{\max}}\kappa\Bigr)C",
    family=horizons(*TOGETHER[:3], domain="above"),
    given=[*ABOVE, common_start],
    uses=(
        "fedbc.eq69-70.repaired",
        "fedbc.lemmaB1i.repaired",
        "fedbc.lemmaB1ii.repaired",
        "fedbc.lemmaB2.refined",
        "fedbc.H3",
    ),
    note="""With the constants of the repaired steps, every device computing; L^0 - L^T still as it
    is; kappa = lambda_min - L.""",
    proof="""Sum (70) repaired over t, then (72) repaired with lambda_i - L_i >= kappa; sum_t |x^t -
    z^t|^2 is at most T C since x^0 = z^0, with C of the refined Lemma B.2.""",
)
def sum_repaired(w: World) -> Sides:
    bound = closed.stationarity_upper(
        w.rounds,
        total_fall(w),
        tolerance(w),
        hull_dissimilarity(w),
        stiffness(w),
        w.lambda_min,
        w.lambda_max,
        w.dual_step,
        reach_of(w),
        w.gamma,
    )
    right = {k: v for k, v in bound.items() if k != "gamma"}
    return {"average |grad f|^2": average_gradient(w)}, right


sum_repaired77 = sum_repaired.variant("fedbc.eq77.repaired")
