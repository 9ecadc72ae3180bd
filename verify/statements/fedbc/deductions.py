"""Whether steps of the printed proofs follow from the displays before them, over free symbols.

A display that is printed as an equality is assumed as an inequality where one side suffices. Where
lambda_max >= 1 + L is assumed, it follows from lambda_i^t >= 1 + L_i (before (43)) and (11).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds import generic as xp
from verify.claim import Family, Hypothesis, Real, statement
from verify.world.world import World


def free(names: str, **others: Real) -> Family:
    """Non-negative symbols; positive ones are marked by +, those of either sign by ~."""
    kinds = {"+": Real(1 / 16, 16, log=True), "~": Real(-4, 4)}
    box = {name.rstrip("+~"): kinds.get(name[-1], Real(0, 4)) for name in names.split()}
    return Family({**box, **others}, about="free symbols")


above_one = Hypothesis("lambda_max >= 1 + L", r"\lambda_{\max}\ge1+L", lambda w: w.most - 1 - w.stiff)
below_most = Hypothesis(
    "lambda <= lambda_max", r"\lambda_i^t\le\lambda_{\max}", lambda w: w.most - w.multiplier, "before (60)")
below_most_after = replace(below_most, latex=r"\lambda_i^{t+1}\le\lambda_{\max}", where="(11)")
below_most_last = replace(below_most, latex=r"\lambda_i^T\le\lambda_{\max}", where="(11)")
small_residual = Hypothesis(
    "(25)", r"\|e_i^{t+1}\|^2\le\epsilon", lambda w: w.epsilon - w.residual**2, "after (25)")

# -- Lemma B.1 -------------------------------------------------------------------------------------

LEMMA_B1I = statement(
    "fedbc.lemmaB1i-deduced", where="proof of Lemma B.1", kind="deduction", latex="",
    family=free("slope most+ move epsilon stiff"), given=[
        Hypothesis("(27)", r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\|x_i^{t+1}-x_i^t\|^2+2\epsilon",
                   lambda w: 2 * w.most**2 * w.move + 2 * w.epsilon - w.slope, "(27)"),
        Hypothesis("lambda_max >= 1 + L", r"\lambda_{\max}\ge1+L",
                   lambda w: (w.most - w.stiff) / 2 - 1 - w.stiff),
    ],
)(lambda w: ({"|grad|^2": w.slope}, {"2 M_1^2": 2 * w.most**2 * (w.move + w.epsilon)}))

EQ27 = LEMMA_B1I.like(
    "fedbc.eq27-deduced", latex="", family=free("slope most+ move root"),
    given=[Hypothesis("(26)", r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|\le M_1\|x_i^{t+1}-x_i^t\|+\sqrt\epsilon",
                      lambda w: w.most * w.move + w.root - w.slope, "(26)")],
)(lambda w: ({"|grad|^2": w.slope**2}, {"move": 2 * w.most**2 * w.move**2, "eps": 2 * w.root**2}))

EQ33 = LEMMA_B1I.like(
    "fedbc.eq33-deduced", latex="", family=free("part~ slope~ multiplier stiff+ new~ old~ server~"),
    given=[Hypothesis(
        "(31)", r"I\le\langle\nabla f_i(x_i^{t+1}),x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2+\lambda_i^t(\|x_i^{t+1}-z^t\|^2-\|x_i^t-z^t\|^2)",
        lambda w: w.slope * (w.new - w.old) + w.stiff * (w.new - w.old) ** 2 / 2
        + w.multiplier * ((w.new - w.server) ** 2 - (w.old - w.server) ** 2) - w.part,
        "(31), printed as an equality",
    )],
)(lambda w: ({"I": w.part}, {
    "residual": (w.slope + 2 * w.multiplier * (w.new - w.server)) * (w.new - w.old),
    "move": (w.stiff / 2 - w.multiplier) * (w.new - w.old) ** 2,
}))

EQ34 = LEMMA_B1I.like(
    "fedbc.eq34-deduced", latex="", family=free("part~ residual~ stiff+ multiplier move~"),
    given=[Hypothesis(
        "(33)", r"I\le\langle e_i^{t+1},x_i^{t+1}-x_i^t\rangle+(\tfrac{L_i}2-\lambda_i^t)\|x_i^{t+1}-x_i^t\|^2",
        lambda w: w.residual * w.move + (w.stiff / 2 - w.multiplier) * w.move**2 - w.part,
        "(33), printed as an equality",
    )],
)(lambda w: ({"I": w.part}, {
    "|e|^2/(2 L)": w.residual**2 / (2 * w.stiff), "move": (w.stiff - w.multiplier) * w.move**2,
}))

EQ35 = LEMMA_B1I.like(
    "fedbc.eq35-deduced", latex="",
    family=free("part~ residual~ stiff+ top+ multiplier move~ epsilon"), given=[
        Hypothesis("(34)", r"I\le\tfrac1{2L_i}\|e_i^{t+1}\|^2+(L_i-\lambda_i^t)\|x_i^{t+1}-x_i^t\|^2", lambda w: (
            w.residual**2 / (2 * w.stiff) + (w.stiff - w.multiplier) * w.move**2 - w.part),
            "(34), printed as an equality"),
        small_residual, Hypothesis("L >= L_i", r"L=\max_jL_j\ge L_i", lambda w: w.top - w.stiff, "after (70)"),
    ],
)(lambda w: ({"I": w.part}, {
    "epsilon/(2 L)": w.epsilon / (2 * w.top), "move": (w.stiff - w.multiplier) * w.move**2,
}))

EQ37 = LEMMA_B1I.like(
    "fedbc.eq37-deduced", latex="", family=free("alpha gap gamma"), given=(),
)(lambda w: ({"square": w.alpha * (w.gap - w.gamma) ** 2},
             {"gap": w.alpha * w.gap**2, "gamma": w.alpha * w.gamma**2}))

EQ38 = LEMMA_B1I.like(
    "fedbc.eq38-deduced", latex="", family=free("multiplier most spread gap"), given=[below_most_after],
)(lambda w: ({"III": w.multiplier * (w.spread - w.gap)}, {"bound": w.most * w.spread}))

EQ39 = LEMMA_B1I.like(
    "fedbc.eq39-deduced", latex="",
    family=free("one~ two three~ first~ alpha constant third", constant=Real(0, 2)), given=[
        Hypothesis("(35)", r"I\le\tfrac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2",
                   lambda w: w.first - w.one, "(35)"),
        Hypothesis("(37)", r"II\le\alpha G", lambda w: w.alpha * w.constant - w.two, "(37)"),
        Hypothesis("(38)", r"III\le\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2",
                   lambda w: w.third - w.three, "(38)"),
    ],
)(lambda w: ({"I + II + III": w.one + w.two + w.three},
             {"I": w.first, "alpha G^2": w.alpha * w.constant**2, "III": w.third}))

# -- Lemma B.2 -------------------------------------------------------------------------------------

EQ55 = statement(
    "fedbc.eq54-55-deduced", where="proof of Lemma B.2", kind="deduction", latex="", relation="==",
    family=free("model~ server~ residual~ slope~ multiplier+"), given=[
        Hypothesis("(54)", r"\nabla f_i(x_i^{t+1})+2\lambda_i^t(x_i^{t+1}-z^t)\le e_i^{t+1}", lambda w: (
            w.residual - w.slope - 2 * w.multiplier * (w.model - w.server)), "(54), printed as an equality"),
        Hypothesis("(54) from above", r"\nabla f_i(x_i^{t+1})+2\lambda_i^t(x_i^{t+1}-z^t)\ge e_i^{t+1}", lambda w: (
            w.slope + 2 * w.multiplier * (w.model - w.server) - w.residual),
            "(54), printed as an equality"),
    ],
)(lambda w: ({"x": w.model}, {"z": w.server, "step": (w.residual - w.slope) / w.multiplier}))

EQ57 = EQ55.like(
    "fedbc.eq57-deduced", latex="", relation="<=",
    family=free("one~ other~ server~ residual~ rest~ slope~ climb~ a+ b+ error fault gradients"),
    given=[
        Hypothesis("(55) of i", r"a_ix_i^{t+1}\le a_iz^t+e_i^{t+1}-\nabla f_i(x_i^{t+1})",
                   lambda w: w.server * w.a + w.residual - w.slope - w.a * w.one,
                   "(55), printed as an equality"),
        Hypothesis("(55) of j", r"a_jx_j^{t+1}\ge a_jz^t+e_j^{t+1}-\nabla f_j(x_j^{t+1})",
                   lambda w: w.b * w.other - w.server * w.b - w.rest + w.climb,
                   "(55), printed as an equality"),
        Hypothesis("|e_i|", r"e_i^{t+1}\le\|e_i^{t+1}\|", lambda w: w.error - w.residual),
        Hypothesis("|e_j|", r"-e_j^{t+1}\le\|e_j^{t+1}\|", lambda w: w.fault + w.rest),
        Hypothesis("|gradients|", r"a_i\nabla f_j(x_j^{t+1})-a_j\nabla f_i(x_i^{t+1})\le\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|",
                   lambda w: w.gradients + w.b * w.slope - w.a * w.climb),
    ],
)(lambda w: ({"x_i - x_j": w.one - w.other}, {
    "e_i": w.error / w.a, "e_j": w.fault / w.b, "gradients": w.gradients / (w.a * w.b),
}))

EQ58 = EQ57.like(
    "fedbc.eq58-deduced", latex="", family=free("distance root gradients stiff+ a+ b+"), given=[
        Hypothesis("(57)", r"\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{a_i}+\frac{\sqrt\epsilon}{a_j}+\frac1{a_ia_j}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|", lambda w: (
            w.root / w.a + w.root / w.b + w.gradients / (w.a * w.b) - w.distance),
            "(57) with the bound after (25)"),
        Hypothesis("a_i >= 1 + L_i", r"a_i\ge1+L_i", lambda w: w.a - 1 - w.stiff, "before (58)"),
        Hypothesis("a_j >= 1 + L_i", r"a_j\ge1+L_i", lambda w: w.b - 1 - w.stiff),
    ],
)(lambda w: ({"distance": w.distance}, {
    "eps": w.root / (1 + w.stiff), "gradients": w.gradients / (1 + w.stiff) ** 2,
}))

EQ61 = EQ57.like(
    "fedbc.eq61-deduced", latex="", family=free("distance root gradients stiff+ a+ most+ delta"),
    given=[
        Hypothesis("(58)", r"\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{1+L_i}+\frac1{(1+L_i)^2}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|", lambda w: (
            w.root / (1 + w.stiff) + w.gradients / (1 + w.stiff) ** 2 - w.distance), "(58)"),
        Hypothesis("(59)", r"\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|\le a_jL_i\|x_i^{t+1}-x_j^{t+1}\|+\delta",
                   lambda w: w.a * w.stiff * w.distance + w.delta - w.gradients, "(59)"),
        Hypothesis("a_j <= lambda_max", r"a_j\le\lambda_{\max}", lambda w: w.most - w.a, "before (60)"),
    ],
)(lambda w: ({"distance": (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance}, {
    "eps": w.root / (1 + w.stiff), "delta": w.delta / (1 + w.stiff) ** 2,
}))

EQ62 = EQ57.like(
    "fedbc.eq62-deduced", latex="",
    family=free("distance root stiff most delta", stiff=Real(1 / 2, 64, log=True),
                most=Real(1, 64, log=True)),
    given=[
        Hypothesis("(61)", r"\Bigl(1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\Bigr)\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{1+L_i}+\frac\delta{(1+L_i)^2}", lambda w: (
            w.root / (1 + w.stiff) + w.delta / (1 + w.stiff) ** 2
            - (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance), "(61)"),
        Hypothesis("C_0 > 0", r"C_0=1-\lambda_{\max}/(4L)\ge0", lambda w: 1 - w.most / (4 * w.stiff)), above_one,
    ],
    note="Clients of one smoothness: L_i = L.",
)(lambda w: ({"distance": (1 - w.most / (4 * w.stiff)) * w.distance}, EQ61(w)[1]))

EQ63 = EQ57.like(
    "fedbc.eq63-deduced", latex="", family=free("distance root delta first+ second+"),
    given=[Hypothesis("(62)", r"\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2}",
                      lambda w: w.root * w.first + w.delta * w.second - w.distance,
                      "(62), its s left out")],
    note="""N = 2, S = 1, so 2 S (N-1)/N = 1; first and second are 1/(C_0 (1 + L)), 1/(C_0 (1 +
    L)^2).""",
)(lambda w: ({"distance^2": w.distance**2}, {
    "epsilon": w.root**2 * w.first**2, "delta^2": (w.delta * w.second) ** 2 / 2,
}))

EQ65 = EQ57.like(
    "fedbc.eq64-65-deduced", latex="", family=free("one other root first+ second+ delta third+"),
    given=[
        Hypothesis("(63) of 1", r"\mathbb E_t\|x_1^{t+1}-z^{t+1}\|^2\le\tfrac\epsilon{C_0^2(1+L_1)^2}+c\,\delta^2",
                   lambda w: w.root**2 * w.first + w.delta * w.third - w.one,
                   "(63) for N = 2, S = 1"),
        Hypothesis("(63) of 2", r"\mathbb E_t\|x_2^{t+1}-z^{t+1}\|^2\le\tfrac\epsilon{C_0^2(1+L_2)^2}+c\,\delta^2",
                   lambda w: w.root**2 * w.second + w.delta * w.third - w.other,
                   "(63) for N = 2, S = 1"),
    ],
    note="""N = 2, S = 1: (63) with 2 S (N-1)/N = 1, its average with S (N-1)/N^2 = 1/4 for each. c
    delta^2 is the last term of (63), alike for both clients.""",
)(lambda w: ({"mean": (w.one + w.other) / 2}, {
    "epsilon": w.root**2 * (w.first + w.second) / 4, "delta^2": w.delta * w.third,
}))

# -- Theorem 4.5 -----------------------------------------------------------------------------------

EQ69 = statement(
    "fedbc.eq69-deduced", where="proof of Theorem 4.5", kind="deduction", latex="",
    family=free("change~ gap~ multiplier most"), given=[below_most],
    note="One client: change = f'(z) - f'(x), gap = x - z.",
)(lambda w: ({"2 |.|^2": 2 * (w.change - 2 * w.multiplier * w.gap) ** 2},
             {"change": 4 * w.change**2, "gap": 8 * w.most * w.gap**2}))

EQ70 = EQ69.like(
    "fedbc.eq70-deduced", latex="", family=free("change gap most stiff+"),
    given=[Hypothesis("smoothness", r"\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2\le L_i^2\|z^t-x_i^t\|^2",
                      lambda w: w.stiff**2 * w.gap - w.change, "Assumption 4.2")],
    note="One client, L_i = L; change and gap are squares.",
)(lambda w: ({"change": 4 * w.change, "gap": 8 * w.most * w.gap},
             {"joint": 4 * (w.stiff**2 + 2 * w.most) * w.gap}))


def _m1(w: World) -> Any:
    return w.stiff + 2 * w.most


_MEANS = "fall~ spread epsilon alpha constant stiff+ most+"
"""Means of L^t - L^{t+1} and |x - z|^2; epsilon, alpha, G, L, lambda_max. slope and move are the
means of |grad L_i|^2 and |move|^2."""


EQ72 = EQ69.like(
    "fedbc.eq72-deduced", latex="", family=free("slope move " + _MEANS), given=[
        Hypothesis("(28)", r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\bigl(\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2+\epsilon\bigr)",
                   lambda w: 2 * _m1(w) ** 2 * (w.move + w.epsilon) - w.slope, "(28)"),
        Hypothesis("(43)", r"\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-\mathcal L_i^{t+1}]+\tfrac\epsilon{2L}+\alpha G^2+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2", lambda w: (
            w.fall + w.epsilon / (2 * w.stiff) + w.alpha * w.constant**2 + w.most * w.spread
            - w.move), "(43)"),
    ],
)(lambda w: ({"slope": w.slope}, {
    "fall": 2 * _m1(w) ** 2 * w.fall, "spread": w.most * w.spread,
    "epsilon": _m1(w) ** 2 * w.epsilon / w.stiff, "alpha": w.alpha * _m1(w) ** 2 * w.constant**2,
}))

EQ76 = EQ69.like(
    "fedbc.eq76-deduced", latex="", family=free("gradient slope " + _MEANS), given=[
        Hypothesis("(71)", r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac M{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac2{NT}\sum_{t,i}\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2", lambda w: (
            4 * (w.stiff**2 + 2 * w.most) * w.spread + 2 * w.slope - w.gradient),
            "(71) averaged over t, with x_i^0 = z^0 (before (76))"),
        Hypothesis("(72)", r"\tfrac1{NT}\sum_{t,i}\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le\tfrac{2M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac{M_1^2\epsilon}L+\alpha M_1^2G^2",
                   lambda w: sum(EQ72(w)[1].values()) - w.slope, "(72) averaged over t"),
    ],
    note="Averages over t < T; by x^0 = z^0 sum_t |x^t - z^t|^2 <= sum_t |x^{t+1} - z^{t+1}|^2.",
)(lambda w: ({"|grad f|^2": w.gradient}, {
    "fall": 4 * _m1(w) ** 2 * w.fall,
    "spread": (4 * (w.stiff**2 + 2 * w.most) + 2 * w.most) * w.spread,
    "epsilon": 2 * _m1(w) ** 2 * w.epsilon / w.stiff,
    "alpha": 2 * w.alpha * _m1(w) ** 2 * w.constant**2,
}))

EQ77 = EQ69.like(
    "fedbc.eq77-deduced", latex="",
    family=free("gradient rest~ factor first second spread", factor=Real(1, 64, log=True)), given=[
        Hypothesis("(76)", r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+\tfrac{M+2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2",
                   lambda w: w.rest + w.factor * w.spread - w.gradient, "(76) divided by T"),
        Hypothesis("Lemma B.2", r"\tfrac1{NT}\sum_{t,i}\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le c_1\epsilon+c_2\delta^2",
                   lambda w: w.first + w.second - w.spread, "Lemma B.2 (44), (65)"),
        Hypothesis("factor above 8", r"M+2\lambda_{\max}\ge8", lambda w: w.factor - 8),
    ],
    note="""rest: the terms of (76) without the spread. M + 2 lambda_max is at least 10 lambda_max, and
    lambda_max at least 1.""",
)(lambda w: ({"|grad f|^2": w.gradient},
             {"rest": w.rest, "epsilon": w.factor * w.first, "delta^2": w.second}))

EQ81 = EQ69.like(
    "fedbc.eq80-83-deduced", latex="",
    family=free("there~ here~ slope~ gap~ stiff+ multiplier gamma bound"), given=[
        Hypothesis("(80)", r"f_i(z^T)\le f_i(x_i^T)+\langle\nabla f_i(x_i^T),z^T-x_i^T\rangle+\tfrac{L_i}2\|z^T-x_i^T\|^2", lambda w: (
            w.here + w.slope * w.gap + w.stiff * w.gap**2 / 2 - w.there), "(80)"),
        Hypothesis("(81)", r"\|\nabla f_i(x_i^T)\|\le G", lambda w: w.bound**2 - w.slope**2, "after (81)"),
    ],
)(lambda w: ({"f(z)": w.there}, {
    "Lagrangian": w.here + w.multiplier * (w.gap**2 - w.gamma),
    "move": (w.stiff - w.multiplier) * w.gap**2, "gamma": w.gamma * w.multiplier,
    "G^2/(2 L)": w.bound**2 / (2 * w.stiff),
}))

EQ83 = EQ69.like(
    "fedbc.eq83-deduced", latex="", family=free("there~ last~ gamma multiplier share stiff+ gap"),
    given=[
        Hypothesis("(81)", r"f_i(z^T)\le\mathcal L_i^T-(\lambda_i^T-L_i)\|x_i^T-z^T\|^2+\gamma_i\lambda_i^T+\tfrac{G^2}{2L_i}", lambda w: (
            w.last + (w.stiff - w.multiplier) * w.gap + w.gamma * w.multiplier + w.share
            - w.there), "(81)"),
        Hypothesis("lambda >= L_i", r"\lambda_i^T\ge L_i", lambda w: w.multiplier - w.stiff, "before (82)"),
    ],
)(lambda w: ({"f(z)": w.there}, {
    "Lagrangian": w.last, "gamma": w.gamma * w.multiplier, "G^2/(2 L)": w.share,
}))

EQ87 = EQ69.like(
    "fedbc.eq87-89-deduced", latex="",
    family=free("first~ last~ start~ best~ there~ gamma multiplier most share"), given=[
        Hypothesis("(78)", r"\mathcal L_i^0\le f_i(z^0)", lambda w: w.start - w.first,
                   "before (78), printed as an equality"),
        Hypothesis("(83)", r"\mathcal L_i^T\ge f_i(z^T)-\gamma_i\lambda_i^T-\tfrac{G^2}{2L_i}",
                   lambda w: w.last + w.gamma * w.multiplier + w.share - w.there, "(83)"),
        Hypothesis("minimum", r"f(z^\star)\le f(z^T)", lambda w: w.there - w.best, "before (87)"),
        below_most_last,
    ],
    note="One client, f = f_i.",
)(lambda w: ({"fall": w.first - w.last}, {
    "f": w.start - w.best, "gamma": w.most * w.gamma, "G^2/(2 L)": w.share,
}))

EQ90 = EQ69.like(
    "fedbc.explicit90-deduced", latex="", family=free("gradient factor+ fall~ start gamma rest"),
    given=[
        Hypothesis("(77)", r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+r",
                   lambda w: w.factor * w.fall + w.rest - w.gradient, "(77)"),
        Hypothesis("(89)", r"\tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]\le B_0+\tfrac{\lambda_{\max}}N\sum_i\gamma_i",
                   lambda w: w.start + w.gamma - w.fall, "(89), in the mean"),
    ],
    note="r, or rest: the other terms of (77), which (90) keeps.",
)(lambda w: ({"|grad f|^2": w.gradient},
             {"start": w.factor * w.start, "gamma": w.factor * w.gamma, "rest": w.rest}))

# -- Corollary 4.6 ---------------------------------------------------------------------------------

EQ93 = statement(
    "fedbc.eq93-deduced", where="proof of Corollary 4.6", kind="deduction", latex="",
    family=free("residual~ multiplier gap~ epsilon"),
    given=[replace(small_residual, latex=r"\|e_i^{t+1}\|^2\le\epsilon_i", where="(10)")],
)(lambda w: ({"slope": (w.residual - 2 * w.multiplier * w.gap) ** 2},
             {"epsilon": 2 * w.epsilon, "gap": 8 * w.multiplier**2 * w.gap**2}))

EQ94 = EQ93.like(
    "fedbc.eq94-deduced", latex="", family=free("slope epsilon reach multiplier gap"), given=[
        Hypothesis("(93)", r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+8|\lambda_i^t|^2\|x_i^{t+1}-z^t\|^2",
                   lambda w: 2 * w.epsilon + 8 * w.multiplier**2 * w.gap**2 - w.slope, "(93)"),
        Hypothesis("2R", r"\|x_i^{t+1}-z^t\|\le2R", lambda w: 2 * w.reach - w.gap, "before (94)"),
    ],
)(lambda w: ({"slope": w.slope}, {"eps": 2 * w.epsilon, "R": 32 * (w.reach * w.multiplier) ** 2}))

EQ97 = EQ93.like(
    "fedbc.eq97-deduced", latex="", family=free("after before alpha+ past~ sign", sign=Real(-1, 1)),
    given=[
        Hypothesis("(95)", r"\lambda_i^t\le[\lambda_i^{t-1}+\alpha\mathbb I_t]_+",
                   lambda w: xp.positive_part(w.before + w.alpha * w.sign) - w.after,
                   "(95), printed as an equality"),
        Hypothesis("(97) before", r"\lambda_i^{t-1}\le\alpha\Bigl[\sum_{k=0}^{t-1}\mathbb I_k\Bigr]_+",
                   lambda w: w.alpha * xp.positive_part(w.past) - w.before, "(97) at t - 1"),
    ],
    note="""The inductive step of the unrolling: lambda forgets a negative past, the sum does not. I_t is
    any number of [-1, 1].""",
)(lambda w: ({"lambda": w.after}, {"alpha [.]_+": w.alpha * xp.positive_part(w.past + w.sign)}))
