"""Lemma B.1: the gradient of a Lagrangian by the move of the model (20), (26), (27), and descent of
the Lagrangian, for one client and in the mean (21), (39) to (43)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds import generic as xp
from bounds.fedbc.convergence import lagrangian_descent_printed
from verify.claim import Array, Reading, Real, Sides, Terms
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.quantities import instances
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Lemma B.1 (20) :: lemma
    lemmaB1i :: gradient of the Lagrangian :: \tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2+2M_1^2\epsilon <- eq27
    lemmaB1i@traced :: gradient of the Lagrangian :: \tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2+2\epsilon <- eq27@V
proof of Lemma B.1 :: proof step
    eq26 :: gradient before the round :: \|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|\le(L+2\lambda_{\max})\|x_i^{t+1}-x_i^t\|+\sqrt\epsilon <- grad/17 def.oracle A2
    eq27 :: gradient before the round :: \|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\|x_i^{t+1}-x_i^t\|^2+2\epsilon <- eq26
    eq39-42/client@printed :: one client :: \mathcal L_i^{t+1}-\mathcal L_i^t\le\frac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2+\alpha G^2+\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2 <- eq29 eq35 eq36-37 eq38
    eq39-42/mean@printed :: mean over the clients :: (\lambda_i^t-L_i)\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac\epsilon{2L}+\alpha G^2+\lambda_{\max}\tfrac1N\sum_i\|x_i^{t+1}-z^{t+1}\|^2
    eq39-42/mean@traced :: mean over the clients :: \tfrac1N\sum_i(\lambda_i^t-L_i)\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha \tfrac1N\sum_i(16R^4+\gamma_i^2)+\lambda_{\max}\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2 <- eq39-42/client@traced
    eq39-42/client@traced :: one client :: \mathcal L_i^{t+1}-\mathcal L_i^t\le\frac\epsilon{2L_i}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2+\alpha (16R^4+\gamma_i^2)+\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2 <- eq29 eq34@as-used eq36-37 eq38
Lemma B.1 (21) :: lemma :: descent of the Lagrangian
    lemmaB1ii :: \tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac\epsilon{2L}+\alpha G^2+\lambda_{\max}\tfrac1N\sum_i\|x_i^{t+1}-z^{t+1}\|^2 <- eq39-42 H1
    lemmaB1ii@traced :: \tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha \tfrac1N\sum_i(16R^4+\gamma_i^2)+\lambda_{\max}\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2 <- eq39-42/client@traced
""")

follows, shown = q.deductions(
    claim,
    r"""
proof of Lemma B.1
(26) :: \|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|\le M_1\|x_i^{t+1}-x_i^t\|+\sqrt\epsilon
(35) :: I\le\tfrac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2
(37) :: II\le\alpha G
(38) :: III\le\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2
(27) :: eq27
""",
)

WAITING = (q.size(2, 1, **q.STEPPED), q.size(3, 1, **q.STEPPED))


# -- (i) -------------------------------------------------------------------------------------------


@follows(
    "lemmaB1i",
    "slope most+ move epsilon",
    shown("(27)", lambda w: 2 * w.most**2 * w.move + 2 * w.epsilon - w.slope),
    note="most is M_1, of which (28) asks nothing.",
)
def lemma_from_27(w: World) -> Sides:
    return {"|grad|^2": w.slope}, {"2 M_1^2": 2 * w.most**2 * (w.move + w.epsilon)}


NOTES = {
    "as-met": """2 M_1^2 multiplies epsilon too, which (27) does not, and is too little where M_1 is
    below 1: alone at x = 1 with f = x^2/8, lambda = 1/8 and z = 0 the gradient is 1/2 = M_1; an
    oracle that hardly moves leaves epsilon = 1/4, and 2 M_1^2 epsilon = 1/8.""",
    "derived": "M_1 > 2 here, so that 2 M_1^2 epsilon is more than (27) needs.",
    "traced": "2 epsilon of (27), with every device computing in every round.",
    "A": """A device that waits does not move, and no tolerance bounds its gradient: with one of
    three sampled the mean of |move|^2 is a third of what (27) needs, and the factor 2 makes up for
    one half only. M_1 > 1 here, so that 2 M_1^2 epsilon is more than the 2 epsilon of (27).""",
}
FAMILIES = {
    "as-met": q.runs(*q.VIRTUAL),
    "derived": q.runs(*q.VIRTUAL, domain="proofs"),
    "traced": q.runs(*q.VIRTUAL),
    "A": q.runs(WAITING[0], q.size(3, 1), domain="proofs"),
}
ALSO = {
    "derived": q.smooth(*q.VIRTUAL, domain="proofs"),
    "traced": q.smooth(*q.VIRTUAL),
}
TRACED_I = """grad L_i(x^t) = [grad f_i(x^t) - grad f_i(x^{t+1})] + 2 lambda (x^t - x^{t+1}) + e_i; its
norm is at most M_1 |move| + sqrt(epsilon). Square, and average over clients."""


@claim(
    "lemmaB1i",
    readings=("participation: V, A", "constants if V", "dual-domain if printed"),
    latex=lambda r: claim.latex("lemmaB1i@traced" if "traced" in r else "lemmaB1i"),
    family=lambda r: FAMILIES[r.options[-1]],
    also=lambda r: ALSO.get(r.options[-1], ()),
    given=lambda r: q.PROOFS if r.options[-1] in ("derived", "A") else [q.in_domain],
    deduction=lambda r: lemma_from_27 if r.options[-1] in ("as-met", "A") else None,
    note=lambda r: NOTES[r.options[-1]],
    proof=lambda r: TRACED_I if "traced" in r else "",
    try_first=lambda r: [instances.waiting(N=4, local="argmin")] if "A" in r else [],
)
def lemma_i(w: World, r: Reading) -> Sides:
    factor = 2 * q.m1(w) ** 2
    return {"mean |grad L_i|^2": q.mean_slope_of_lagrangians(w)}, {
        "mean |move|^2": factor * q.mean_move(w),
        "epsilon": (2 if "traced" in r else factor) * q.tolerance(w),
    }


@quantity
def _every(w: World, value: Callable[[World, q.Round], Array]) -> Array:
    """A per-client quantity of the first round for every sampled set, (B, 1, sets N)."""
    return q.side_by_side(w, [value(w, r) for r in q.first_rounds(w)])


def _move(w: World, r: q.Round) -> Array:
    return r.move


@quantity
def _weighted_move(w: World) -> Array:
    """Mean over clients and sampled sets of (lambda_i - L_i) |x_i^{t+1} - x_i^t|^2, (B, 1)."""
    stiff = w.multipliers - q.stiffness(w)
    return q.expected([xp.mean(stiff * r.move**2) for r in q.first_rounds(w)])


def _of_one_device(r: Reading) -> str:
    if "V" in r:
        return "Tight where curvature and residual push the same way."
    return "A device that waits does not move, and no tolerance bounds its gradient."


@claim(
    "eq26",
    readings=("participation: V, A",),
    family=lambda r: q.runs(*(q.VIRTUAL if "V" in r else WAITING)),
    also=lambda r: q.smooth(*q.VIRTUAL) if "V" in r else (),
    given=[q.in_domain],
    note=_of_one_device,
    try_first=lambda r: [instances.waiting(floor=1)] if "A" in r else [],
)
def eq26(w: World) -> Sides:
    most = q.m1(w)[..., None]
    return {"|grad L_i|": xp.absolute(_every(w, q.slope_before))}, {
        "(L + 2 lambda_max) |move|": most * xp.absolute(_every(w, _move)),
        "sqrt epsilon": xp.sqrt(q.tolerance(w)[..., None]),
    }


@follows(
    "eq27", "slope most+ move root", shown("(26)", lambda w: w.most * w.move + w.root - w.slope)
)
def square_of_26(w: World) -> Sides:
    return {"|grad|^2": w.slope**2}, {"move": 2 * w.most**2 * w.move**2, "eps": 2 * w.root**2}


@claim(
    "eq27",
    readings=("participation: V, A",),
    like=eq26,
    deduction=lambda r: square_of_26 if "V" in r else None,
    note=_of_one_device,
    try_first=lambda r: [instances.waiting(floor=1)] if "A" in r else [],
)
def eq27(w: World) -> Sides:
    return {"|grad L_i|^2": _every(w, q.slope_before) ** 2}, {
        "2 M_1^2 |move|^2": 2 * q.m1(w)[..., None] ** 2 * _every(w, _move) ** 2,
        "2 epsilon": 2 * q.tolerance(w)[..., None],
    }


# -- (ii) ------------------------------------------------------------------------------------------


def _descent(w: World) -> Terms:
    """Right side of (21)."""
    return lagrangian_descent_printed(
        q.fall(w), q.tolerance(w), w.beta, w.dual_step, q.dual_bound(w), w.lambda_max, q.spread(w)
    )


@claim(
    "lemmaB1ii@printed+as-met",
    family=q.runs(*q.SOLVED, domain="own"),
    given=q.OWN,
    try_first=[instances.shrinking(8, Fraction(4))],
)
def lemma_ii(w: World) -> Sides:
    """Alone at its minimum with gamma > 0, the Lagrangian rises by alpha gamma^2 each round, which
    is G of (37), not its square. Where every device is sampled, the last term needs no E."""
    return {"mean |move|^2": q.mean_move(w)}, _descent(w)


lemma_ii_derived = claim.variant(
    lemma_ii,
    "lemmaB1ii@printed+derived",
    family=q.runs(*q.SOLVED, domain="proofs"),
    given=q.PROOFS,
    try_first=[instances.shrinking(8, Fraction(31, 8))],
)


@claim(
    "lemmaB1ii@traced",
    like=lemma_ii,
    family=q.runs(*q.EVERY, domain="own"),
    also=q.smooth(*q.EVERY, domain="own"),
)
def lemma_ii_traced(w: World) -> Sides:
    """epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2), which is alpha G; the last term in the mean,
    as (76) has it. Without that mean it fails where devices wait: the outcome in which nobody moves
    has none.

    Proof. I <= epsilon/(2 L_i) - (lambda_i - L_i) |move|^2, where lambda_i - L_i >= 1; II <= alpha
    (16 R^4 + gamma_i^2); III <= lambda_max |x - z|^2. Add, and average. A device that keeps model
    and multiplier has I = II = 0, so both readings of participation are covered."""
    return {"mean |move|^2": q.mean_move(w)}, q.descent(w)


@follows(
    "eq39",
    "one~ two three~ first~ alpha constant third",
    shown("(35)", lambda w: w.first - w.one),
    shown("(37)", lambda w: w.alpha * w.constant - w.two),
    shown("(38)", lambda w: w.third - w.three),
    constant=Real(0, 2),
)
def sum_of_three(w: World) -> Sides:
    right = {"I": w.first, "alpha G^2": w.alpha * w.constant**2, "III": w.third}
    return {"I + II + III": w.one + w.two + w.three}, right


def _rise(w: World, epsilon: Array, square: Array, name: str) -> Sides:
    """One client's rise against the bounds of its three differences."""
    r = q.first_round(w)
    return {"rise": q.rise(w, r)}, {
        "epsilon": epsilon,
        "-(lambda - L_i) |move|^2": (q.stiffness(w) - r.multipliers) * r.move**2,
        name: square,
        "consensus": w.lambda_max[..., None] * r.spread,
    }


@claim(
    "eq39-42/client@printed", family=q.runs(*q.FULL), given=[q.in_domain], deduction=sum_of_three
)
def eq39(w: World) -> Sides:
    """alpha G of (37) has become alpha G^2."""
    square = w.dual_step * q.dual_bound(w) ** 2
    return _rise(w, (q.tolerance(w) / (2 * w.beta))[..., None], square[..., None], "alpha G^2")


@claim(
    "eq39-42/mean@printed", like=eq39, family=q.runs(*q.SOLVED, domain="own"), note=lemma_ii.note
)
def eq42(w: World) -> Sides:
    least = xp.smallest(w.multipliers - q.stiffness(w))
    return {"mean |move|^2": least * q.mean_move(w)}, _descent(w)


@claim(
    "eq39-42/mean@traced",
    like=eq42,
    family=q.runs(*q.EVERY),
    also=q.smooth(*q.EVERY),
)
def eq42_traced(w: World) -> Sides:
    """lambda_i - L_i within the sum, and the constants of (34) and (37).

    Proof. The mean of (41), as traced; a device that waits has I = II = 0."""
    return {"mean (lambda - L_i) |move|^2": _weighted_move(w)}, q.descent(w)


@claim("eq39-42/client@traced", like=eq39, family=q.runs(*q.EVERY), also=q.smooth(*q.EVERY))
def eq39_repaired(w: World) -> Sides:
    """epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2).

    Proof. Add the bounds (34), (37) and (38) of the three differences."""
    square = w.dual_step[..., None] * (16 * q.reach_of(w)[..., None] ** 4 + w.gamma**2)
    return _rise(w, q.tolerance(w)[..., None] / (2 * q.stiffness(w)), square, "alpha G")
