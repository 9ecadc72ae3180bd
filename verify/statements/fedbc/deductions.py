"""Whether steps of the printed proofs of the lemmas follow from the displays before them, over free
symbols.

A display that is printed as an equality is assumed as an inequality where one side suffices. Special
cases (two clients, one of them sampled) serve to show that a step does not follow.
"""

from __future__ import annotations

from dataclasses import replace

from verify.claim import Family, Hypothesis, Real, statement


def free(names: str, **others: Real) -> Family:
    """Non-negative symbols; positive ones are marked by +, those of either sign by ~."""
    kinds = {"+": Real(1 / 16, 16, log=True), "~": Real(-4, 4)}
    box = {name.rstrip("+~"): kinds.get(name[-1], Real(0, 4)) for name in names.split()}
    return Family({**box, **others}, about="free symbols")


below_most = Hypothesis(
    "lambda <= lambda_max",
    r"\lambda_i^t\le\lambda_{\max}",
    lambda w: w.most - w.multiplier,
    "before (60)",
)
below_most_after = replace(below_most, latex=r"\lambda_i^{t+1}\le\lambda_{\max}", where="(11)")
small_residual = Hypothesis(
    "(25)", r"\|e_i^{t+1}\|^2\le\epsilon", lambda w: w.epsilon - w.residual**2, "after (25)"
)

# -- Lemma B.1 -------------------------------------------------------------------------------------

LEMMA_B1I = statement(
    "fedbc.lemmaB1i-deduced",
    where="proof of Lemma B.1",
    kind="deduction",
    latex="",
    family=free("slope most+ move epsilon"),
    given=[
        Hypothesis(
            "(27)",
            r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le2M_1^2\|x_i^{t+1}-x_i^t\|^2+2\epsilon",
            lambda w: 2 * w.most**2 * w.move + 2 * w.epsilon - w.slope,
            "(27)",
        ),
    ],
    note="most is M_1, of which (28) asks nothing.",
)(lambda w: ({"|grad|^2": w.slope}, {"2 M_1^2": 2 * w.most**2 * (w.move + w.epsilon)}))

EQ27 = LEMMA_B1I.like(
    "fedbc.eq27-deduced",
    latex="",
    family=free("slope most+ move root"),
    given=[
        Hypothesis(
            "(26)",
            r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|\le M_1\|x_i^{t+1}-x_i^t\|+\sqrt\epsilon",
            lambda w: w.most * w.move + w.root - w.slope,
            "(26)",
        )
    ],
)(lambda w: ({"|grad|^2": w.slope**2}, {"move": 2 * w.most**2 * w.move**2, "eps": 2 * w.root**2}))

EQ33 = LEMMA_B1I.like(
    "fedbc.eq33-deduced",
    latex="",
    family=free("part~ slope~ multiplier stiff+ new~ old~ server~"),
    given=[
        Hypothesis(
            "(31)",
            r"I\le\langle\nabla f_i(x_i^{t+1}),x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2+\lambda_i^t(\|x_i^{t+1}-z^t\|^2-\|x_i^t-z^t\|^2)",
            lambda w: (
                w.slope * (w.new - w.old)
                + w.stiff * (w.new - w.old) ** 2 / 2
                + w.multiplier * ((w.new - w.server) ** 2 - (w.old - w.server) ** 2)
                - w.part
            ),
            "(31), printed as an equality",
        )
    ],
)(
    lambda w: (
        {"I": w.part},
        {
            "residual": (w.slope + 2 * w.multiplier * (w.new - w.server)) * (w.new - w.old),
            "move": (w.stiff / 2 - w.multiplier) * (w.new - w.old) ** 2,
        },
    )
)

EQ33_EQUAL = EQ33.like(
    "fedbc.eq33-equal-deduced",
    latex="",
    relation="==",
    given=[
        *EQ33.given,
        Hypothesis(
            "(31) from above",
            EQ33.given[0].latex.replace(r"I\le", r"I\ge"),
            lambda w: -EQ33.given[0].rule(w),
            "(31), printed as an equality",
        ),
    ],
)(lambda w: EQ33(w))

EQ34 = LEMMA_B1I.like(
    "fedbc.eq34-deduced",
    latex="",
    family=free("part~ residual~ stiff+ multiplier move~"),
    given=[
        Hypothesis(
            "(33)",
            r"I\le\langle e_i^{t+1},x_i^{t+1}-x_i^t\rangle+(\tfrac{L_i}2-\lambda_i^t)\|x_i^{t+1}-x_i^t\|^2",
            lambda w: w.residual * w.move + (w.stiff / 2 - w.multiplier) * w.move**2 - w.part,
            "(33), printed as an equality",
        )
    ],
)(
    lambda w: (
        {"I": w.part},
        {
            "|e|^2/(2 L)": w.residual**2 / (2 * w.stiff),
            "move": (w.stiff - w.multiplier) * w.move**2,
        },
    )
)

EQ34_EQUAL = EQ34.like(
    "fedbc.eq34-equal-deduced",
    latex="",
    relation="==",
    given=[
        *EQ34.given,
        Hypothesis(
            "(33) from above",
            EQ34.given[0].latex.replace(r"I\le", r"I\ge"),
            lambda w: -EQ34.given[0].rule(w),
            "(33), printed as an equality",
        ),
    ],
)(lambda w: EQ34(w))

EQ35 = LEMMA_B1I.like(
    "fedbc.eq35-deduced",
    latex="",
    family=free("part~ residual~ stiff+ top+ multiplier move~ epsilon"),
    given=[
        Hypothesis(
            "(34)",
            r"I\le\tfrac1{2L_i}\|e_i^{t+1}\|^2+(L_i-\lambda_i^t)\|x_i^{t+1}-x_i^t\|^2",
            lambda w: w.residual**2 / (2 * w.stiff) + (w.stiff - w.multiplier) * w.move**2 - w.part,
            "(34), printed as an equality",
        ),
        small_residual,
        Hypothesis("L >= L_i", r"L=\max_jL_j\ge L_i", lambda w: w.top - w.stiff, "after (70)"),
    ],
)(
    lambda w: (
        {"I": w.part},
        {
            "epsilon/(2 L)": w.epsilon / (2 * w.top),
            "move": (w.stiff - w.multiplier) * w.move**2,
        },
    )
)

EQ37 = LEMMA_B1I.like(
    "fedbc.eq37-deduced",
    latex="",
    family=free("alpha gap gamma"),
    given=(),
)(
    lambda w: (
        {"square": w.alpha * (w.gap - w.gamma) ** 2},
        {"gap": w.alpha * w.gap**2, "gamma": w.alpha * w.gamma**2},
    )
)

EQ38 = LEMMA_B1I.like(
    "fedbc.eq38-deduced",
    latex="",
    family=free("multiplier most spread gap"),
    given=[below_most_after],
)(lambda w: ({"III": w.multiplier * (w.spread - w.gap)}, {"bound": w.most * w.spread}))

EQ39 = LEMMA_B1I.like(
    "fedbc.eq39-deduced",
    latex="",
    family=free("one~ two three~ first~ alpha constant third", constant=Real(0, 2)),
    given=[
        Hypothesis(
            "(35)",
            r"I\le\tfrac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2",
            lambda w: w.first - w.one,
            "(35)",
        ),
        Hypothesis("(37)", r"II\le\alpha G", lambda w: w.alpha * w.constant - w.two, "(37)"),
        Hypothesis(
            "(38)",
            r"III\le\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2",
            lambda w: w.third - w.three,
            "(38)",
        ),
    ],
)(
    lambda w: (
        {"I + II + III": w.one + w.two + w.three},
        {"I": w.first, "alpha G^2": w.alpha * w.constant**2, "III": w.third},
    )
)

# -- Lemma B.2 -------------------------------------------------------------------------------------

EQ55 = statement(
    "fedbc.eq54-55-deduced",
    where="proof of Lemma B.2",
    kind="deduction",
    latex="",
    relation="==",
    family=free("model~ server~ residual~ slope~ multiplier+"),
    given=[
        Hypothesis(
            "(54)",
            r"\nabla f_i(x_i^{t+1})+2\lambda_i^t(x_i^{t+1}-z^t)\le e_i^{t+1}",
            lambda w: w.residual - w.slope - 2 * w.multiplier * (w.model - w.server),
            "(54), printed as an equality",
        ),
        Hypothesis(
            "(54) from above",
            r"\nabla f_i(x_i^{t+1})+2\lambda_i^t(x_i^{t+1}-z^t)\ge e_i^{t+1}",
            lambda w: w.slope + 2 * w.multiplier * (w.model - w.server) - w.residual,
            "(54), printed as an equality",
        ),
    ],
)(lambda w: ({"x": w.model}, {"z": w.server, "step": (w.residual - w.slope) / w.multiplier}))

EQ57 = EQ55.like(
    "fedbc.eq57-deduced",
    latex="",
    relation="<=",
    family=free("one~ other~ server~ residual~ rest~ slope~ climb~ a+ b+ error fault gradients"),
    given=[
        Hypothesis(
            "(55) of i",
            r"a_ix_i^{t+1}\le a_iz^t+e_i^{t+1}-\nabla f_i(x_i^{t+1})",
            lambda w: w.server * w.a + w.residual - w.slope - w.a * w.one,
            "(55), printed as an equality",
        ),
        Hypothesis(
            "(55) of j",
            r"a_jx_j^{t+1}\ge a_jz^t+e_j^{t+1}-\nabla f_j(x_j^{t+1})",
            lambda w: w.b * w.other - w.server * w.b - w.rest + w.climb,
            "(55), printed as an equality",
        ),
        Hypothesis(
            "|e_i|",
            r"e_i^{t+1}\le\|e_i^{t+1}\|",
            lambda w: w.error - w.residual,
            "definition of the norm",
        ),
        Hypothesis(
            "|e_j|",
            r"-e_j^{t+1}\le\|e_j^{t+1}\|",
            lambda w: w.fault + w.rest,
            "definition of the norm",
        ),
        Hypothesis(
            "|gradients|",
            r"a_i\nabla f_j(x_j^{t+1})-a_j\nabla f_i(x_i^{t+1})\le\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|",
            lambda w: w.gradients + w.b * w.slope - w.a * w.climb,
            "definition of the norm",
        ),
    ],
)(
    lambda w: (
        {"x_i - x_j": w.one - w.other},
        {
            "e_i": w.error / w.a,
            "e_j": w.fault / w.b,
            "gradients": w.gradients / (w.a * w.b),
        },
    )
)

EQ58 = EQ57.like(
    "fedbc.eq58-deduced",
    latex="",
    family=free("distance root gradients stiff+ other+ a+ b+"),
    given=[
        Hypothesis(
            "(57)",
            r"\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{a_i}+\frac{\sqrt\epsilon}{a_j}+\frac1{a_ia_j}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|",
            lambda w: w.root / w.a + w.root / w.b + w.gradients / (w.a * w.b) - w.distance,
            "(57) with the bound after (25)",
        ),
        Hypothesis("a_i >= 1 + L_i", r"a_i\ge1+L_i", lambda w: w.a - 1 - w.stiff, "before (58)"),
        Hypothesis("a_j >= 1 + L_j", r"a_j\ge1+L_j", lambda w: w.b - 1 - w.other, "before (58)"),
    ],
)(
    lambda w: (
        {"distance": w.distance},
        {
            "eps": w.root / (1 + w.stiff),
            "gradients": w.gradients / (1 + w.stiff) ** 2,
        },
    )
)

EQ61 = EQ57.like(
    "fedbc.eq61-deduced",
    latex="",
    family=free("distance root gradients stiff+ a+ most+ delta"),
    given=[
        Hypothesis(
            "(58)",
            r"\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{1+L_i}+\frac1{(1+L_i)^2}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|",
            lambda w: w.root / (1 + w.stiff) + w.gradients / (1 + w.stiff) ** 2 - w.distance,
            "(58)",
        ),
        Hypothesis(
            "(59)",
            r"\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|\le a_jL_i\|x_i^{t+1}-x_j^{t+1}\|+\delta",
            lambda w: w.a * w.stiff * w.distance + w.delta - w.gradients,
            "(59)",
        ),
        Hypothesis(
            "a_j <= lambda_max", r"a_j\le\lambda_{\max}", lambda w: w.most - w.a, "before (60)"
        ),
    ],
)(
    lambda w: (
        {"distance": (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance},
        {
            "eps": w.root / (1 + w.stiff),
            "delta": w.delta / (1 + w.stiff) ** 2,
        },
    )
)

EQ62 = EQ57.like(
    "fedbc.eq62-deduced",
    latex="",
    family=free("distance root stiff+ top+ most+ delta"),
    given=[
        Hypothesis(
            "(61)",
            r"\Bigl(1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\Bigr)\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{1+L_i}+\frac\delta{(1+L_i)^2}",
            lambda w: (
                w.root / (1 + w.stiff)
                + w.delta / (1 + w.stiff) ** 2
                - (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance
            ),
            "(61)",
        ),
        Hypothesis("L >= L_i", r"L=\max_jL_j\ge L_i", lambda w: w.top - w.stiff, "after (70)"),
        Hypothesis(
            "C_0 > 0",
            r"C_0=1-\lambda_{\max}/(4L)>0",
            lambda w: 1 - w.most / (4 * w.top),
            "after (61)",
            strict=True,
        ),
    ],
)(lambda w: ({"distance": (1 - w.most / (4 * w.top)) * w.distance}, EQ61(w)[1]))

EQ63 = EQ57.like(
    "fedbc.eq63-deduced",
    latex="",
    family=free("distance root delta first+ second+"),
    given=[
        Hypothesis(
            "(62)",
            r"\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2}",
            lambda w: w.root * w.first + w.delta * w.second - w.distance,
            "(62), its s left out",
        )
    ],
    note="""N = 2, S = 1, so 2 S (N-1)/N = 1; first and second are 1/(C_0 (1 + L)), 1/(C_0 (1 +
    L)^2).""",
)(
    lambda w: (
        {"distance^2": w.distance**2},
        {
            "epsilon": w.root**2 * w.first**2,
            "delta^2": (w.delta * w.second) ** 2 / 2,
        },
    )
)

EQ65 = EQ57.like(
    "fedbc.eq64-65-deduced",
    latex="",
    family=free("one other root first+ second+ delta third+"),
    given=[
        Hypothesis(
            "(63) of 1",
            r"\mathbb E_t\|x_1^{t+1}-z^{t+1}\|^2\le\tfrac\epsilon{C_0^2(1+L_1)^2}+c\,\delta^2",
            lambda w: w.root**2 * w.first + w.delta * w.third - w.one,
            "(63) for N = 2, S = 1",
        ),
        Hypothesis(
            "(63) of 2",
            r"\mathbb E_t\|x_2^{t+1}-z^{t+1}\|^2\le\tfrac\epsilon{C_0^2(1+L_2)^2}+c\,\delta^2",
            lambda w: w.root**2 * w.second + w.delta * w.third - w.other,
            "(63) for N = 2, S = 1",
        ),
    ],
    note="""N = 2, S = 1: (63) with 2 S (N-1)/N = 1, its average with S (N-1)/N^2 = 1/4 for each. c
    delta^2 is the last term of (63), alike for both clients.""",
)(
    lambda w: (
        {"mean": (w.one + w.other) / 2},
        {
            "epsilon": w.root**2 * (w.first + w.second) / 4,
            "delta^2": w.delta * w.third,
        },
    )
)
