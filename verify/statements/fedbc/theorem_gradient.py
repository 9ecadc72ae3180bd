"""Theorem 4.5: the gradient at the server by those of the Lagrangians, its sum, (66) to (77)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from bounds import generic as xp
from bounds.fedbc.constants import gradient_factor, gradient_factor_printed
from verify.claim import Array, Sides, Terms
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.quantities import instances
from verify.world.world import World

claim = q.Claims(r"""
proof of Theorem 4.5 :: proof step
    eq66-68 :: gradient at the server :: \|\nabla f(z^t)\|^2\le\tfrac2N\sum_i\|\nabla f_i(z^t)-\nabla_{x_i}\mathcal L_i\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2
    eq69-70/69@printed :: gradient at the server :: \|\nabla f(z^t)\|^2\le\tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{8\lambda_{\max}}N\sum_i\|x_i^t-z^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2
    eq69-70/69@traced :: gradient at the server :: \|\nabla f(z^t)\|^2\le\tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{16\lambda_{\max}^2}N\sum_i\|x_i^t-z^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2
    eq69-70/chain@printed :: from (68) to (69) :: \tfrac2N\sum_i\|\nabla f_i(z^t)-\nabla_{x_i}\mathcal L_i\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2\le\tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{8\lambda_{\max}}N\sum_i\|x_i^t-z^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2
    eq69-70/chain@traced :: from (68) to (69) :: \tfrac2N\sum_i\|\nabla f_i(z^t)-\nabla_{x_i}\mathcal L_i\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2\le\tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{16\lambda_{\max}^2}N\sum_i\|x_i^t-z^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2
    eq69-70/70@printed :: gradient at the server :: \|\nabla f(z^t)\|^2\le\tfrac{4(L^2+2\lambda_{\max})}N\sum_i\|z^t-x_i^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2
    eq69-70/smooth :: from (69) to (70) :: \tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{8\lambda_{\max}}N\sum_i\|x_i^t-z^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2\le\tfrac{4(L^2+2\lambda_{\max})}N\sum_i\|z^t-x_i^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2 <- A2
    eq69-70/70@traced :: gradient at the server :: \|\nabla f(z^t)\|^2\le\tfrac{4L^2+16\lambda_{\max}^2}N\sum_i\|z^t-x_i^t\|^2+\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2
    eq72@printed :: descent in the gradient :: \tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le2M_1^2\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2+\tfrac{M_1^2\epsilon}L+\alpha M_1^2G^2 <- lemmaB1i lemmaB1ii
    eq72@traced :: descent in the gradient :: \tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le2M_1^2\Bigl(\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2\Bigr)+2\epsilon <- lemmaB1i@V+traced lemmaB1ii@traced
    eq72.repaired :: descent in the gradient, every device computing :: \tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le2M_1^2\Bigl(\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2\Bigr)+2\epsilon <- lemmaB1i@V+traced lemmaB1ii@traced
    eq73-76@traced :: sum over the rounds :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}T\tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{4L^2+16\lambda_{\max}^2+4M_1^2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+4\epsilon+4M_1^2\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr) <- eq69-70/70@traced eq72@traced H3
    eq77@traced :: Lemma B.2 inserted :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}T\tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+(4L^2+16\lambda_{\max}^2+4M_1^2\lambda_{\max})\tfrac{2S(N-1)}{N^2}\sum_i\tfrac1{C_i^2}\Bigl(\tfrac\epsilon{(1+L_i)^2}+\tfrac{\delta^2}{(1+L_i)^4}\Bigr)+4\epsilon+4M_1^2\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr) <- eq73-76@traced eq64-65@traced+V
    eq73-76@printed :: sum over the rounds :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}T\tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{M+2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2 <- eq69-70 eq72 H3
    eq77@printed :: Lemma B.2 inserted :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}T\tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+(M+2\lambda_{\max})\epsilon\tfrac{S(N-1)}{C_0^2N^2}\sum_i\tfrac1{(1+L_i)^2}+\delta^2\tfrac{S(N-1)}{C_0^2N^2}\sum_i\tfrac1{(1+L_i)^4}+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2 <- eq73-76 lemmaB2
    eq73-76.repaired :: sum over the rounds :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}{\kappa T}\tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+4\epsilon+\tfrac{4M_1^2}\kappa\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+\Bigl(4L^2+16\lambda_{\max}^2+\tfrac{4M_1^2\lambda_{\max}}\kappa\Bigr)C <- eq69-70/70@traced lemmaB1i@V+traced lemmaB1ii@traced lemmaB2.refined H3
""")

follows, shown = q.deductions(
    claim,
    r"""
proof of Theorem 4.5
smoothness :: \|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2\le L_i^2\|z^t-x_i^t\|^2 :: Assumption 4.2
L >= L_i :: L=\max_iL_i\ge L_i :: after (70)
(28) :: \tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\bigl(\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2+\epsilon\bigr)
(43) :: \tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac\epsilon{2L}+\alpha G^2+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2
(71) :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac M{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac2{NT}\sum_{t,i}\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2 :: (71) averaged over t, with x_i^0 = z^0 (before (76))
(72) :: \tfrac1{NT}\sum_{t,i}\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le\tfrac{2M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac{M_1^2\epsilon}L+\alpha M_1^2G^2 :: (72) averaged over t
(76) :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{M+2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2 :: (76) divided by T
Lemma B.2 :: \tfrac1{NT}\sum_{t,i}\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le c_1\epsilon+c_2\delta^2 :: Lemma B.2 (44), (65)
""",
)

# -- one round (66)-(70) ---------------------------------------------------------------------------


def _at_the_server(w: World) -> Array:
    """grad f_i(z), (B, 1, N)."""
    return q.slopes(w, q.everywhere(q.first_round(w).server, w.multipliers))


def _own(w: World) -> Terms:
    """Twice the mean of |grad L_i|^2 at the state."""
    return {"own": 2 * xp.mean(q.slope_before(w, q.first_round(w)) ** 2)}


def _gap(w: World) -> Array:
    r = q.first_round(w)
    return xp.mean((r.old - r.server[..., None]) ** 2)


def _gradient(w: World) -> Terms:
    return {"|grad f|^2": q.mean_slope(w, q.first_round(w).server) ** 2}


@claim("eq66-68", family=q.runs(*q.EVERY), also=q.smooth(*q.EVERY))
def eq68(w: World) -> Sides:
    """(a + b)^2 <= 2 a^2 + 2 b^2, and Jensen."""
    mixed = xp.mean((_at_the_server(w) - q.slope_before(w, q.first_round(w))) ** 2)
    return _gradient(w), {"mixed": 2 * mixed, **_own(w)}


FROM_68: dict[str, Any] = {
    "uses": ("fedbc.eq66-68", "fedbc.grad/17"),
    "note": "2 |2 lambda (x - z)|^2 gives 16 lambda_max^2 after (a + b)^2 <= 2 a^2 + 2 b^2.",
}


@claim(
    "eq69-70/69@printed",
    like=eq68,
    family=q.runs(*q.FULL, domain="own"),
    given=[q.in_domain],
    **FROM_68,
)
def eq69(w: World) -> Sides:
    change = xp.mean((_at_the_server(w) - q.slopes(w, q.first_round(w).old)) ** 2)
    pull = 8 * w.lambda_max * _gap(w)
    return _gradient(w), {"4 change": 4 * change, "8 lambda_max gap": pull, **_own(w)}


@claim("eq69-70/69@traced", like=eq68, given=[q.in_domain], uses=FROM_68["uses"])
def eq69_traced(w: World) -> Sides:
    """16 lambda_max^2.

    Proof. (68); |a - 2 lambda (x - z)|^2 <= 2 |a|^2 + 8 lambda_max^2 |x - z|^2."""
    change = xp.mean((_at_the_server(w) - q.slopes(w, q.first_round(w).old)) ** 2)
    pull = 16 * w.lambda_max**2 * _gap(w)
    return _gradient(w), {"4 change": 4 * change, "16 lambda_max^2 gap": pull, **_own(w)}


@follows(
    "eq69",
    "change~ gap~ multiplier most",
    q.below_most,
    note="One client: change = f'(z) - f'(x), gap = x - z.",
)
def square_of_two(w: World) -> Sides:
    right = {"change": 4 * w.change**2, "gap": 8 * w.most * w.gap**2}
    return {"2 |.|^2": 2 * (w.change - 2 * w.multiplier * w.gap) ** 2}, right


@claim("eq69-70/chain@printed", like=eq69, deduction=square_of_two, **FROM_68)
def eq69_chain(w: World) -> Sides:
    return eq68(w)[1], eq69(w)[1]


@claim("eq69-70/chain@traced", like=eq69_traced, uses=FROM_68["uses"])
def eq69_chain_traced(w: World) -> Sides:
    """16 lambda_max^2.

    Proof. (a + b)^2 <= 2 a^2 + 2 b^2, twice."""
    return eq68(w)[1], eq69_traced(w)[1]


@claim("eq69-70/70@printed", like=eq69, **FROM_68)
def eq70(w: World) -> Sides:
    factor = gradient_factor_printed(w.beta, w.lambda_max)
    return _gradient(w), {"gap": factor * _gap(w), **_own(w)}


@follows(
    "eq70",
    "change gap most stiff+ top+",
    shown("smoothness", lambda w: w.stiff**2 * w.gap - w.change),
    shown("L >= L_i", lambda w: w.top - w.stiff),
    note="One summand of the means, which are of one kind on both sides; change and gap are squares.",
)
def both_by_the_gap(w: World) -> Sides:
    left = {"change": 4 * w.change, "gap": 8 * w.most * w.gap}
    return left, {"joint": 4 * (w.top**2 + 2 * w.most) * w.gap}


@claim("eq69-70/smooth", like=eq68, deduction=both_by_the_gap)
def eq70_smooth(w: World) -> Sides:
    """Assumption 4.2 for every client, and L_i <= L."""
    return eq69(w)[1], eq70(w)[1]


@claim("eq69-70/70@traced", like=eq68, given=[q.in_domain], uses=(*FROM_68["uses"], "fedbc.A2"))
def eq70_traced(w: World) -> Sides:
    """(4 L^2 + 16 lambda_max^2) mean |x - z|^2 + 2 mean |grad L_i|^2.

    Proof. (68); grad f_i(z) - grad L_i = [grad f_i(z) - grad f_i(x)] - 2 lambda (x - z), whose
    square is at most 2 L^2 |x - z|^2 + 8 lambda_max^2 |x - z|^2."""
    return _gradient(w), {"gap": gradient_factor(w.beta, w.lambda_max) * _gap(w), **_own(w)}


# -- the gradients of the Lagrangians by their fall (72) -------------------------------------------

_MEANS = "fall~ spread epsilon alpha constant stiff+ most+"
"""Means of L^t - L^{t+1} and |x - z|^2; epsilon, alpha, G, L, lambda_max. slope and move are the
means of |grad L_i|^2 and |move|^2."""


def _m1(w: World) -> Any:
    return w.stiff + 2 * w.most


def _m(w: World) -> Any:
    return 4 * (w.stiff**2 + 2 * w.most)


@follows(
    "eq72",
    "slope move " + _MEANS,
    shown("(28)", lambda w: 2 * _m1(w) ** 2 * (w.move + w.epsilon) - w.slope),
    shown(
        "(43)",
        lambda w: (
            w.fall
            + w.epsilon / (2 * w.stiff)
            + w.alpha * w.constant**2
            + w.most * w.spread
            - w.move
        ),
    ),
)
def lemma_inserted(w: World) -> Sides:
    return {"slope": w.slope}, {
        "fall": 2 * _m1(w) ** 2 * w.fall,
        "spread": w.most * w.spread,
        "epsilon": _m1(w) ** 2 * w.epsilon / w.stiff,
        "alpha": w.alpha * _m1(w) ** 2 * w.constant**2,
    }


@claim(
    "eq72@printed",
    family=q.runs(*q.FULL, domain="own"),
    given=q.OWN,
    deduction=lemma_inserted,
    try_first=[instances.shrinking(8, Fraction(4))],
)
def eq72(w: World) -> Sides:
    """2 M_1^2 epsilon of (28) is gone, and 2 M_1^2 before two terms of (43) too."""
    most = q.m1(w) ** 2
    return {"mean |grad L_i|^2": q.mean_slope_of_lagrangians(w)}, {
        "fall": 2 * most * q.fall(w),
        "consensus": w.lambda_max * q.spread(w),
        "epsilon": most * q.tolerance(w) / w.beta,
        "alpha G^2": w.dual_step * most * q.dual_bound(w) ** 2,
    }


TRACED72 = """mean |grad L_i|^2 <= 2 M_1^2 mean |move|^2 + 2 epsilon, and the descent lemma with the
constants of (34) and (37)."""


@claim("eq72@traced", like=eq72, note="2 M_1^2 before every term, and 2 epsilon.", proof=TRACED72)
def eq72_traced(w: World) -> Sides:
    right = {k: 2 * q.m1(w) ** 2 * v for k, v in q.descent(w).items()}
    left = {"mean |grad L_i|^2": q.mean_slope_of_lagrangians(w)}
    return left, {**right, "2 epsilon": 2 * q.tolerance(w)}


eq72_repaired = claim.variant(
    eq72_traced,
    "eq72.repaired",
    family=q.runs(*q.VIRTUAL, domain="own"),
    also=q.smooth(*q.VIRTUAL, domain="own"),
)


# -- the sum over the rounds (73)-(77) -------------------------------------------------------------


def _average(w: World) -> Terms:
    return {"average |grad f|^2": q.average_gradient(w)}


def _sum(w: World, consensus: Terms) -> Terms:
    """Right side of (76) with these terms for the consensus error."""
    most = q.m1(w) ** 2
    return {
        "fall": 4 * most * q.total_fall(w) / w.rounds,
        **consensus,
        "M_1^2 epsilon/L": 2 * most * q.tolerance(w) / w.beta,
        "alpha G^2": 2 * w.dual_step * most * q.dual_bound(w) ** 2,
    }


@follows(
    "eq76",
    "gradient slope " + _MEANS,
    shown("(71)", lambda w: _m(w) * w.spread + 2 * w.slope - w.gradient),
    shown("(72)", lambda w: sum(lemma_inserted(w)[1].values()) - w.slope),
    note="Averages over t < T; by x^0 = z^0 sum_t |x^t - z^t|^2 <= sum_t |x^{t+1} - z^{t+1}|^2.",
)
def summed(w: World) -> Sides:
    return {"|grad f|^2": w.gradient}, {
        "fall": 4 * _m1(w) ** 2 * w.fall,
        "spread": (_m(w) + 2 * w.most) * w.spread,
        "epsilon": 2 * _m1(w) ** 2 * w.epsilon / w.stiff,
        "alpha": 2 * w.alpha * _m1(w) ** 2 * w.constant**2,
    }


ALONE = """Divided by T. Alone at a minimum with gamma > 0 the multiplier falls, L_i rises by alpha
    gamma^2 a round, and alpha G^2 makes up for it only where gamma is large."""


@claim(
    "eq73-76@printed",
    family=q.horizons(*q.ALL_SAMPLED),
    given=[*q.OWN, q.common_start],
    deduction=summed,
    note=ALONE,
    try_first=[instances.shrinking(16)],
)
def eq76(w: World) -> Sides:
    factor = gradient_factor_printed(w.beta, w.lambda_max) + 2 * w.lambda_max
    return _average(w), _sum(w, {"consensus": factor * q.average_spread(w)})


@follows(
    "eq77",
    "gradient rest~ stiff+ most+ first second spread",
    shown("(76)", lambda w: w.rest + (_m(w) + 2 * w.most) * w.spread - w.gradient),
    shown("Lemma B.2", lambda w: w.first + w.second - w.spread),
    note="rest: the terms of (76) without the spread.",
)
def consensus_inserted(w: World) -> Sides:
    epsilon = (_m(w) + 2 * w.most) * w.first
    return {"|grad f|^2": w.gradient}, {"rest": w.rest, "epsilon": epsilon, "delta^2": w.second}


@claim(
    "eq77@printed",
    like=eq76,
    family=q.horizons(*q.ALL_SAMPLED, domain="proofs"),
    given=[*q.PROOFS, q.common_start, q.dividing],
    deduction=consensus_inserted,
    note=ALONE,
    try_first=[instances.shrinking(32)],
)
def eq77(w: World) -> Sides:
    factor = gradient_factor_printed(w.beta, w.lambda_max) + 2 * w.lambda_max
    bound = q.consensus_printed(w)
    terms = {"epsilon": factor * bound["epsilon"], "delta^2": bound["delta^2"]}
    return _average(w), _sum(w, terms)


def _sum_traced(w: World, consensus: Array) -> Sides:
    fall = {"fall": 4 * q.m1(w) ** 2 * q.total_fall(w) / w.rounds}
    return _average(w), q.summed_traced(w, fall, consensus, q.reach_of(w))


@claim("eq73-76@traced", like=eq76)
def eq76_traced(w: World) -> Sides:
    """Proof. (70) and (72) with their constants, summed over t; sum_t |x^t - z^t|^2 is at most that
    of t + 1 since x^0 = z^0."""
    return _sum_traced(w, q.average_spread(w))


@claim("eq77@traced", like=eq77, given=[*q.PROOFS, q.common_start])
def eq77_traced(w: World) -> Sides:
    """Proof. (76) with its constants, and (65) with those of (61) and (63)."""
    bound = q.consensus_traced(w, q.hull_dissimilarity(w))
    return _sum_traced(w, xp.mean(sum(bound.values())))


@claim(
    "eq73-76.repaired",
    like=eq76,
    family=q.horizons(*q.TOGETHER[:3], domain="above"),
    given=[*q.ABOVE, q.common_start],
)
def sum_repaired(w: World) -> Sides:
    """With the constants of the repaired steps, every device computing; L^0 - L^T still as it is;
    kappa = lambda_min - L.

    Proof. Sum (70) repaired over t, then (72) repaired with lambda_i - L_i >= kappa; sum_t |x^t -
    z^t|^2 is at most T C since x^0 = z^0, with C of the refined Lemma B.2."""
    bound = q.stationarity(w, w.rounds, q.total_fall(w), q.reach_of(w))
    return _average(w), {k: v for k, v in bound.items() if k != "gamma"}


sum_repaired77 = sum_repaired.variant("fedbc.eq77.repaired")
