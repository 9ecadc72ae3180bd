"""Lemma B.1: the gradient of a Lagrangian by the move of the model (20), (26), (27), and descent of
the Lagrangian, for one client and in the mean (21), (39) to (43)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from bounds.fedbc.constants import moving_constant
from verify.claim import Array, Shape, Sides, statement
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc import quantities as measures
from verify.statements.fedbc.quantities import (
    OWN,
    PROOFS,
    STEPPED,
    Round,
    dual_bound,
    fall,
    first_round,
    first_rounds,
    in_domain,
    mean_move,
    reach_of,
    runs,
    side_by_side,
    size,
    slope_before,
    smooth,
    spread,
    stiffness,
    tolerance,
)
from verify.world.world import World

PROOF = "proof of Lemma B.1"
FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED))
SOLVED = (*FULL, size(2, 2))
VIRTUAL: tuple[Shape, ...] = (*FULL, size(2, 1, virtual=True, **STEPPED))
WAITING: tuple[Shape, ...] = (*FULL, size(2, 1, **STEPPED), size(3, 1, **STEPPED))
EVERY: tuple[Shape, ...] = (*VIRTUAL, size(2, 1, **STEPPED))
"""Every participation: what the sampled devices do alone, and what all do."""

# -- (i) -------------------------------------------------------------------------------------------


def _mean_gradient(factor: str) -> str:
    """The lemma with this factor of epsilon."""
    return rf"\tfrac1N\sum_i\mathbb E\|\nabla_{{x_i}}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\tfrac1N\sum_i\mathbb E\|x_i^{{t+1}}-x_i^t\|^2+{factor}\epsilon"


@statement(
    "fedbc.lemmaB1i@V+as-met",
    where="Lemma B.1 (20)",
    kind="lemma",
    title="gradient of the Lagrangian",
    latex=_mean_gradient("2M_1^2"),
    family=runs(*VIRTUAL),
    given=[in_domain],
    uses=("fedbc.eq27",),
    deduction=deduced.LEMMA_B1I,
    note="""2 M_1^2 multiplies epsilon too, which (27) does not, and is too little where M_1 is
    below 1: alone at x = 1 with f = x^2/8, lambda = 1/8 and z = 0 the gradient is 1/2 = M_1; an
    oracle that hardly moves leaves epsilon = 1/4, and 2 M_1^2 epsilon = 1/8.""",
)
def lemma_i(w: World) -> Sides:
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2
    return {"mean |grad L_i|^2": measures.mean_slope_of_lagrangians(w)}, {
        "mean |move|^2": factor * mean_move(w),
        "epsilon": factor * tolerance(w),
    }


LEMMA_I = (
    lemma_i.variant(
        "fedbc.lemmaB1i@V+derived",
        family=runs(*VIRTUAL, domain="proofs"),
        given=PROOFS,
        also=smooth(*VIRTUAL, domain="proofs"),
        deduction=None,
        note="M_1 > 2 here, so that 2 M_1^2 epsilon is more than (27) needs.",
    ),
    lemma_i.variant(
        "fedbc.lemmaB1i@A",
        family=runs(size(2, 1, **STEPPED), size(3, 1), domain="proofs"),
        given=PROOFS,
        note="""A device that waits does not move, and no tolerance bounds its gradient: with one
        of three sampled the mean of |move|^2 is a third of what (27) needs, and the factor 2 makes
        up for one half only.""",
    ),
)


@lemma_i.like(
    "fedbc.lemmaB1i.repaired",
    title="2 epsilon, for any dual domain",
    latex=_mean_gradient("2"),
    uses=("fedbc.eq27@V",),
    also=smooth(*VIRTUAL),
    note="2 M_1^2 mean |move|^2 + 2 epsilon, with every device computing in every round.",
    proof="""grad L_i(x^t) = [grad f_i(x^t) - grad f_i(x^{t+1})] + 2 lambda (x^t - x^{t+1}) + e_i;
    its norm is at most M_1 |move| + sqrt(epsilon). Square, and average over clients.""",
)
def lemma_i_repaired(w: World) -> Sides:
    left, right = lemma_i(w)
    return left, {"mean |move|^2": right["mean |move|^2"], "2 epsilon": 2 * tolerance(w)}


def _every(w: World, value: Callable[[Round], Array]) -> Array:
    """A per-client quantity of the first round for every sampled set, (B, 1, sets N)."""
    return side_by_side(w, [value(r) for r in first_rounds(w)])


@statement(
    "fedbc.eq26@V",
    where=PROOF,
    kind="proof step",
    title="gradient before the round",
    latex=r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|\le(L+2\lambda_{\max})\|x_i^{t+1}-x_i^t\|+\sqrt\epsilon",
    family=runs(*VIRTUAL),
    also=smooth(*VIRTUAL),
    given=[in_domain],
    uses=("fedbc.grad/17", "fedbc.def.oracle", "fedbc.A2"),
    note="Tight where curvature and residual push the same way.",
)
def eq26(w: World) -> Sides:
    most = moving_constant(w.beta, w.lambda_max)[..., None]
    return {"|grad L_i|": xp.absolute(_every(w, lambda r: slope_before(w, r)))}, {
        "(L + 2 lambda_max) |move|": most * xp.absolute(_every(w, lambda r: r.move)),
        "sqrt epsilon": xp.sqrt(tolerance(w)[..., None]),
    }


@eq26.like(
    "fedbc.eq27@V",
    uses=("fedbc.eq26",),
    deduction=deduced.EQ27,
    note=eq26.note,
    latex=r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\|x_i^{t+1}-x_i^t\|^2+2\epsilon",
)
def eq27(w: World) -> Sides:
    most = moving_constant(w.beta, w.lambda_max)[..., None]
    return {"|grad L_i|^2": _every(w, lambda r: slope_before(w, r)) ** 2}, {
        "2 M_1^2 |move|^2": 2 * most**2 * _every(w, lambda r: r.move) ** 2,
        "2 epsilon": 2 * tolerance(w)[..., None],
    }


WAIT = tuple(
    virtual.variant(
        virtual.key.replace("@V", "@A"),
        family=runs(*WAITING[2:]),
        deduction=None,
        note="A device that waits does not move, and no tolerance bounds its gradient.",
    )
    for virtual in (eq26, eq27)
)

# -- (ii) ------------------------------------------------------------------------------------------


def _mean_move(factor: str, epsilon: str, square: str) -> str:
    """The lemma with a factor of the moves, and these terms of epsilon and alpha."""
    return rf"{factor}\tfrac1N\sum_i\mathbb E\|x_i^{{t+1}}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{{t+1}}]+{epsilon}+\alpha {square}+\lambda_{{\max}}\tfrac1N\sum_i\|x_i^{{t+1}}-z^{{t+1}}\|^2"


def _descent(w: World, factor: bool) -> Sides:
    least = xp.smallest(w.multipliers - stiffness(w)) if factor else 1 + 0 * w.beta
    return {"mean |move|^2": least * mean_move(w)}, closed.lagrangian_descent_printed(
        fall(w), tolerance(w), w.beta, w.dual_step, dual_bound(w), w.lambda_max, spread(w)
    )


lemma_ii = statement(
    "fedbc.lemmaB1ii",
    where="Lemma B.1 (21)",
    kind="lemma",
    title="descent of the Lagrangian",
    latex=_mean_move("", r"\tfrac\epsilon{2L}", "G^2"),
    family=runs(*SOLVED, domain="own"),
    given=OWN,
    uses=("fedbc.eq39-42", "fedbc.H1"),
    note="""Alone at its minimum with gamma > 0, the Lagrangian rises by alpha gamma^2 each round,
    which is G of (37), not its square.""",
)(partial(_descent, factor=False))


@lemma_ii.like(
    "fedbc.lemmaB1ii.repaired",
    family=runs(*EVERY, domain="own"),
    also=smooth(*EVERY, domain="own"),
    uses=("fedbc.eq39-42.repaired",),
    latex=_mean_move(
        "", r"\tfrac1N\sum_i\tfrac\epsilon{2L_i}", r"\tfrac1N\sum_i(16R^4+\gamma_i^2)"
    ),
    note="epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2), which is alpha G.",
    proof="""I <= epsilon/(2 L_i) - (lambda_i - L_i) |move|^2, where lambda_i - L_i >= 1; II <= alpha
    (16 R^4 + gamma_i^2); III <= lambda_max |x - z|^2. Add, and average. A device that keeps model
    and multiplier has I = II = 0, so both readings of participation are covered.""",
)
def lemma_ii_repaired(w: World) -> Sides:
    right = closed.lagrangian_descent_upper(
        fall(w),
        tolerance(w),
        stiffness(w),
        w.dual_step,
        reach_of(w),
        w.gamma,
        w.lambda_max,
        spread(w),
    )
    return {"mean |move|^2": mean_move(w)}, right


def _one_client(epsilon: str, square: str) -> str:
    return rf"\mathcal L_i^{{t+1}}-\mathcal L_i^t\le\frac\epsilon{{2{epsilon}}}-(\lambda_i^t-L_i)\|x_i^{{t+1}}-x_i^t\|^2+\alpha {square}+\lambda_{{\max}}\|x_i^{{t+1}}-z^{{t+1}}\|^2"


def _eq39(w: World, epsilon: Array, square: Array, name: str) -> Sides:
    r = first_round(w)
    return {"rise": measures.rise(w, r)}, {
        "epsilon": epsilon,
        "-(lambda - L_i) |move|^2": (stiffness(w) - r.multipliers) * r.move**2,
        name: square,
        "consensus": w.lambda_max[..., None] * r.spread,
    }


@statement(
    "fedbc.eq39-42/client",
    where=PROOF,
    kind="proof step",
    title="one client",
    latex=_one_client("L", "G^2"),
    family=runs(*FULL),
    given=[in_domain],
    deduction=deduced.EQ39,
    uses=("fedbc.eq29", "fedbc.eq35", "fedbc.eq36-37", "fedbc.eq38"),
    note="alpha G of (37) has become alpha G^2.",
)
def eq39(w: World) -> Sides:
    square = w.dual_step * dual_bound(w) ** 2
    return _eq39(w, (tolerance(w) / (2 * w.beta))[..., None], square[..., None], "alpha G^2")


eq42 = eq39.like(
    "fedbc.eq39-42/mean",
    title="mean over the clients",
    note=lemma_ii.note,
    latex=_mean_move(r"(\lambda_i^t-L_i)", r"\tfrac\epsilon{2L}", "G^2"),
    family=runs(*SOLVED, domain="own"),
)(partial(_descent, factor=True))


@eq39.like(
    "fedbc.eq39-42.repaired",
    latex=_one_client("L_i", r"(16R^4+\gamma_i^2)"),
    family=runs(*EVERY),
    also=smooth(*EVERY),
    uses=("fedbc.eq29", "fedbc.eq34.repaired", "fedbc.eq36-37", "fedbc.eq38"),
    note="epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2).",
    proof="Add the bounds (34), (37) and (38) of the three differences.",
)
def eq39_repaired(w: World) -> Sides:
    square = w.dual_step[..., None] * (16 * reach_of(w)[..., None] ** 4 + w.gamma**2)
    return _eq39(w, tolerance(w)[..., None] / (2 * stiffness(w)), square, "alpha G")
