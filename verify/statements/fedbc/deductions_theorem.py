"""Whether steps of the printed proofs of Theorem 4.5 and of Corollary 4.6 follow from the displays
before them, over free symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds import generic as xp
from verify.claim import Hypothesis, Real, statement
from verify.statements.fedbc.quantities import below_most, free, small_residual
from verify.world.world import World

# -- Theorem 4.5 -----------------------------------------------------------------------------------

EQ69 = statement(
    "fedbc.eq69-deduced",
    where="proof of Theorem 4.5",
    kind="deduction",
    latex="",
    family=free("change~ gap~ multiplier most"),
    given=[below_most],
    note="One client: change = f'(z) - f'(x), gap = x - z.",
)(
    lambda w: (
        {"2 |.|^2": 2 * (w.change - 2 * w.multiplier * w.gap) ** 2},
        {"change": 4 * w.change**2, "gap": 8 * w.most * w.gap**2},
    )
)

EQ70 = EQ69.like(
    "fedbc.eq70-deduced",
    latex="",
    family=free("change gap most stiff+ top+"),
    given=[
        Hypothesis(
            "smoothness",
            r"\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2\le L_i^2\|z^t-x_i^t\|^2",
            lambda w: w.stiff**2 * w.gap - w.change,
            "Assumption 4.2",
        ),
        Hypothesis("L >= L_i", r"L=\max_iL_i\ge L_i", lambda w: w.top - w.stiff, "after (70)"),
    ],
    note="One summand of the means, which are of one kind on both sides; change and gap are squares.",
)(
    lambda w: (
        {"change": 4 * w.change, "gap": 8 * w.most * w.gap},
        {"joint": 4 * (w.top**2 + 2 * w.most) * w.gap},
    )
)


def _m1(w: World) -> Any:
    return w.stiff + 2 * w.most


def _factor(w: World) -> Any:
    """M + 2 lambda_max."""
    return 4 * (w.stiff**2 + 2 * w.most) + 2 * w.most


_MEANS = "fall~ spread epsilon alpha constant stiff+ most+"
"""Means of L^t - L^{t+1} and |x - z|^2; epsilon, alpha, G, L, lambda_max. slope and move are the
means of |grad L_i|^2 and |move|^2."""


EQ72 = EQ69.like(
    "fedbc.eq72-deduced",
    latex="",
    family=free("slope move " + _MEANS),
    given=[
        Hypothesis(
            "(28)",
            r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\bigl(\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2+\epsilon\bigr)",
            lambda w: 2 * _m1(w) ** 2 * (w.move + w.epsilon) - w.slope,
            "(28)",
        ),
        Hypothesis(
            "(43)",
            r"\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac\epsilon{2L}+\alpha G^2+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2",
            lambda w: (
                w.fall
                + w.epsilon / (2 * w.stiff)
                + w.alpha * w.constant**2
                + w.most * w.spread
                - w.move
            ),
            "(43)",
        ),
    ],
)(
    lambda w: (
        {"slope": w.slope},
        {
            "fall": 2 * _m1(w) ** 2 * w.fall,
            "spread": w.most * w.spread,
            "epsilon": _m1(w) ** 2 * w.epsilon / w.stiff,
            "alpha": w.alpha * _m1(w) ** 2 * w.constant**2,
        },
    )
)

EQ76 = EQ69.like(
    "fedbc.eq76-deduced",
    latex="",
    family=free("gradient slope " + _MEANS),
    given=[
        Hypothesis(
            "(71)",
            r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac M{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac2{NT}\sum_{t,i}\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2",
            lambda w: 4 * (w.stiff**2 + 2 * w.most) * w.spread + 2 * w.slope - w.gradient,
            "(71) averaged over t, with x_i^0 = z^0 (before (76))",
        ),
        Hypothesis(
            "(72)",
            r"\tfrac1{NT}\sum_{t,i}\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le\tfrac{2M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac{M_1^2\epsilon}L+\alpha M_1^2G^2",
            lambda w: sum(EQ72(w)[1].values()) - w.slope,
            "(72) averaged over t",
        ),
    ],
    note="Averages over t < T; by x^0 = z^0 sum_t |x^t - z^t|^2 <= sum_t |x^{t+1} - z^{t+1}|^2.",
)(
    lambda w: (
        {"|grad f|^2": w.gradient},
        {
            "fall": 4 * _m1(w) ** 2 * w.fall,
            "spread": (4 * (w.stiff**2 + 2 * w.most) + 2 * w.most) * w.spread,
            "epsilon": 2 * _m1(w) ** 2 * w.epsilon / w.stiff,
            "alpha": 2 * w.alpha * _m1(w) ** 2 * w.constant**2,
        },
    )
)

EQ77 = EQ69.like(
    "fedbc.eq77-deduced",
    latex="",
    family=free("gradient rest~ stiff+ most+ first second spread"),
    given=[
        Hypothesis(
            "(76)",
            r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{M+2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2",
            lambda w: w.rest + _factor(w) * w.spread - w.gradient,
            "(76) divided by T",
        ),
        Hypothesis(
            "Lemma B.2",
            r"\tfrac1{NT}\sum_{t,i}\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le c_1\epsilon+c_2\delta^2",
            lambda w: w.first + w.second - w.spread,
            "Lemma B.2 (44), (65)",
        ),
    ],
    note="rest: the terms of (76) without the spread.",
)(
    lambda w: (
        {"|grad f|^2": w.gradient},
        {"rest": w.rest, "epsilon": _factor(w) * w.first, "delta^2": w.second},
    )
)

EQ81 = EQ69.like(
    "fedbc.eq80-83-deduced",
    latex="",
    family=free("there~ here~ slope~ gap~ stiff+ multiplier gamma bound"),
    given=[
        Hypothesis(
            "(80)",
            r"f_i(z^T)\le f_i(x_i^T)+\langle\nabla f_i(x_i^T),z^T-x_i^T\rangle+\tfrac{L_i}2\|z^T-x_i^T\|^2",
            lambda w: w.here + w.slope * w.gap + w.stiff * w.gap**2 / 2 - w.there,
            "(80)",
        ),
        Hypothesis(
            "(81)", r"\|\nabla f_i(x_i^T)\|\le G", lambda w: w.bound**2 - w.slope**2, "after (81)"
        ),
    ],
)(
    lambda w: (
        {"f(z)": w.there},
        {
            "Lagrangian": w.here + w.multiplier * (w.gap**2 - w.gamma),
            "move": (w.stiff - w.multiplier) * w.gap**2,
            "gamma": w.gamma * w.multiplier,
            "G^2/(2 L)": w.bound**2 / (2 * w.stiff),
        },
    )
)

EQ83 = EQ69.like(
    "fedbc.eq83-deduced",
    latex="",
    family=free("there~ last~ gamma multiplier share stiff+ gap"),
    given=[
        Hypothesis(
            "(81)",
            r"f_i(z^T)\le\mathcal L_i^T-(\lambda_i^T-L_i)\|x_i^T-z^T\|^2+\gamma_i\lambda_i^T+\tfrac{G^2}{2L_i}",
            lambda w: (
                w.last
                + (w.stiff - w.multiplier) * w.gap
                + w.gamma * w.multiplier
                + w.share
                - w.there
            ),
            "(81)",
        ),
        Hypothesis(
            "lambda >= L_i", r"\lambda_i^T\ge L_i", lambda w: w.multiplier - w.stiff, "before (82)"
        ),
    ],
)(
    lambda w: (
        {"f(z)": w.there},
        {
            "Lagrangian": w.last,
            "gamma": w.gamma * w.multiplier,
            "G^2/(2 L)": w.share,
        },
    )
)

EQ87 = EQ69.like(
    "fedbc.eq87-89-deduced",
    latex="",
    family=free("first~ last~ start~ best~ there~ gamma product most share"),
    given=[
        Hypothesis(
            "(78)",
            r"\tfrac1N\sum_i\mathcal L_i^0\le\tfrac1N\sum_if_i(z^0)",
            lambda w: w.start - w.first,
            "before (78), printed as an equality, averaged",
        ),
        Hypothesis(
            "(83)",
            r"\tfrac1N\sum_i\mathcal L_i^T\ge\tfrac1N\sum_i\bigl[f_i(z^T)-\gamma_i\lambda_i^T-\tfrac{G^2}{2L_i}\bigr]",
            lambda w: w.last + w.product + w.share - w.there,
            "(83), averaged",
        ),
        Hypothesis("minimum", r"f(z^\star)\le f(z^T)", lambda w: w.there - w.best, "before (87)"),
        Hypothesis(
            "lambda <= lambda_max",
            r"\tfrac1N\sum_i\gamma_i\lambda_i^T\le\tfrac{\lambda_{\max}}N\sum_i\gamma_i",
            lambda w: w.most * w.gamma - w.product,
            "(11), averaged",
        ),
    ],
    note="Means over the clients; product is that of gamma_i lambda_i^T.",
)(
    lambda w: (
        {"fall": w.first - w.last},
        {
            "f": w.start - w.best,
            "gamma": w.most * w.gamma,
            "G^2/(2 L)": w.share,
        },
    )
)

EQ90 = EQ69.like(
    "fedbc.explicit90-deduced",
    latex="",
    family=free("gradient factor+ fall~ start gamma rest"),
    given=[
        Hypothesis(
            "(77)",
            r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+r",
            lambda w: w.factor * w.fall + w.rest - w.gradient,
            "(77)",
        ),
        Hypothesis(
            "(89)",
            r"\tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]\le B_0+\tfrac{\lambda_{\max}}N\sum_i\gamma_i",
            lambda w: w.start + w.gamma - w.fall,
            "(89), in the mean",
        ),
    ],
    note="r, or rest: the other terms of (77), which (90) keeps.",
)(
    lambda w: (
        {"|grad f|^2": w.gradient},
        {"start": w.factor * w.start, "gamma": w.factor * w.gamma, "rest": w.rest},
    )
)

# -- Corollary 4.6 ---------------------------------------------------------------------------------

EQ93 = statement(
    "fedbc.eq93-deduced",
    where="proof of Corollary 4.6",
    kind="deduction",
    latex="",
    family=free("residual~ multiplier gap~ epsilon"),
    given=[replace(small_residual, latex=r"\|e_i^{t+1}\|^2\le\epsilon_i", where="(10)")],
)(
    lambda w: (
        {"slope": (w.residual - 2 * w.multiplier * w.gap) ** 2},
        {"epsilon": 2 * w.epsilon, "gap": 8 * w.multiplier**2 * w.gap**2},
    )
)

EQ94 = EQ93.like(
    "fedbc.eq94-deduced",
    latex="",
    family=free("slope epsilon reach multiplier gap"),
    given=[
        Hypothesis(
            "(93)",
            r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+8|\lambda_i^t|^2\|x_i^{t+1}-z^t\|^2",
            lambda w: 2 * w.epsilon + 8 * w.multiplier**2 * w.gap**2 - w.slope,
            "(93)",
        ),
        Hypothesis("2R", r"\|x_i^{t+1}-z^t\|\le2R", lambda w: 2 * w.reach - w.gap, "before (94)"),
    ],
)(lambda w: ({"slope": w.slope}, {"eps": 2 * w.epsilon, "R": 32 * (w.reach * w.multiplier) ** 2}))

EQ97 = EQ93.like(
    "fedbc.eq97-deduced",
    latex="",
    family=free("after before alpha+ past~ sign", sign=Real(-1, 1)),
    given=[
        Hypothesis(
            "(95)",
            r"\lambda_i^t\le[\lambda_i^{t-1}+\alpha\mathbb I_t]_+",
            lambda w: xp.positive_part(w.before + w.alpha * w.sign) - w.after,
            "(95), printed as an equality",
        ),
        Hypothesis(
            "(97) before",
            r"\lambda_i^{t-1}\le\alpha\Bigl[\sum_{k=0}^{t-1}\mathbb I_k\Bigr]_+",
            lambda w: w.alpha * xp.positive_part(w.past) - w.before,
            "(97) at t - 1",
        ),
    ],
    note="""The inductive step of the unrolling: lambda forgets a negative past, the sum does not. I_t is
    any number of [-1, 1].""",
)(lambda w: ({"lambda": w.after}, {"alpha [.]_+": w.alpha * xp.positive_part(w.past + w.sign)}))
