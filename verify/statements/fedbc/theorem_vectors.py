r"""Theorem 4.5 with every constant, from its lemmas: any dimension, devices and rounds.

Draw a round t < T and a device i: N stands for the pairs (t, i).  Gradients and models are vectors
with what the displays before it say of them for every pair, or in the mean over all pairs.
"""

from __future__ import annotations

from bounds import generic as xp
from bounds.fedbc.constants import gradient_factor
from verify.claim import Array, Hypothesis, Real, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Theorem 4.5 (14) :: theorem
    theorem1.explicit/vectors :: global performance from Lemmas B.1 and B.2, (69) and (89) :: \frac1T\sum_{t<T}\|\nabla f(z^t)\|^2\le\frac{4M_1^2}T(B_0+\lambda_{\max}\bar\gamma)+4\epsilon+4M_1^2\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+(4L^2+16\lambda_{\max}^2+4M_1^2\lambda_{\max})\bigl(\sqrt\epsilon+\tfrac\delta2\bigr)^2
""")

SLOPES = Real(-4, 4, unit=(1, -1), per=("N", "d"))
BEND = Real(1 / 8, 8, unit=(1, -2), log=True)
LEVEL = Real(0, 8, unit=(1, 0))
VALUES = Real(0, 8, unit=(1, 0), per=("N",))
LENGTHS = Real(0, 8, unit=(0, 2), per=("N",))
SQUARES = Real(0, 8, unit=(2, -2), per=("N",))


def _each(x: Array) -> Array:
    return x[..., None]


@claim(
    "theorem1.explicit/vectors",
    family=numbers(
        {
            **dict.fromkeys(("server_slope", "slope"), SLOPES),
            "gap": Real(-4, 4, unit=(0, 1), per=("N", "d")),
            "residual": SQUARES,
            **dict.fromkeys(("move", "spread"), LENGTHS),
            "fall": Real(-8, 8, unit=(1, 0), per=("N",)),
            "rest": VALUES,
            "start": LEVEL,
            "consensus": Real(0, 8, unit=(0, 2)),
            "epsilon": Real(0, 8, unit=(2, -2)),
            **dict.fromkeys(("smoothness", "lambda_max"), BEND),
            "squared_moving": Real(1 / 8, 64, unit=(2, -4), log=True),
        },
        {"N": 1, "d": 1},
        {"N": 2, "d": 1},
        {"N": 3, "d": 2},
        about="any gradients, moves and distances that satisfy the displays",
    ),
    given=[
        Hypothesis(
            "average",
            r"\tfrac1N\sum_i\langle\nabla f_i(z^t)-\nabla f(z^t),\nabla f(z^t)\rangle\ge0",
            lambda w: xp.mean(xp.dot(w.slope - w.server_slope, w.server_slope)),
            "definition of f, as an equality",
        ),
        Hypothesis(
            "(69)",
            r"\|\nabla f_i(z^t)\|^2\le(4L^2+16\lambda_{\max}^2)\|x_i^t-z^t\|^2+2\|\nabla_{x_i}\mathcal L_i^t\|^2",
            lambda w: (
                _each(gradient_factor(w.smoothness, w.lambda_max)) * xp.squared_norm(w.gap)
                + 2 * w.residual
                - xp.squared_norm(w.slope)
            ),
            "(69) with its square, of one device",
        ),
        Hypothesis(
            "Lemma B.1 (20)",
            r"\|\nabla_{x_i}\mathcal L_i^t\|^2\le2M_1^2\|x_i^{t+1}-x_i^t\|^2+2\epsilon",
            lambda w: 2 * _each(w.squared_moving) * w.move + 2 * _each(w.epsilon) - w.residual,
            "(27), as traced",
        ),
        Hypothesis(
            "Lemma B.1 (21)",
            r"\|x_i^{t+1}-x_i^t\|^2\le\mathcal L_i^t-\mathcal L_i^{t+1}+\tfrac\epsilon{2L_i}+\alpha(16R^4+\gamma_i^2)+\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2",
            lambda w: w.fall + w.rest + _each(w.lambda_max) * w.spread - w.move,
            "Lemma B.1 (21), as traced",
        ),
        Hypothesis(
            "Lemma B.2",
            r"\tfrac1{TN}\sum_{t,i}\|x_i^{t+1}-z^{t+1}\|^2\le\bigl(\sqrt\epsilon+\tfrac\delta2\bigr)^2",
            lambda w: w.consensus - xp.mean(w.spread),
            "Lemma B.2, explicit",
        ),
        Hypothesis(
            "Lemma B.2 a round before",
            r"\tfrac1{TN}\sum_{t,i}\|x_i^t-z^t\|^2\le\bigl(\sqrt\epsilon+\tfrac\delta2\bigr)^2",
            lambda w: w.consensus - xp.mean(xp.squared_norm(w.gap)),
            "Lemma B.2, explicit, and the common start H3",
        ),
        Hypothesis(
            "(89)",
            r"\tfrac1{TN}\sum_{t,i}[\mathcal L_i^t-\mathcal L_i^{t+1}]\le\tfrac1T(B_0+\lambda_{\max}\bar\gamma)",
            lambda w: w.start - xp.mean(w.fall),
            "(89), over T",
        ),
    ],
    uses=(
        "fedbc.eq69-70",
        "fedbc.lemmaB1i",
        "fedbc.lemmaB1ii.refined/vectors",
        "fedbc.lemmaB2.explicit/vectors",
        "fedbc.eq87-89",
    ),
    note="""It follows from these displays, each of which is an entry of its own. ``rest`` is
    epsilon/(2 L_i) + alpha (16 R^4 + gamma_i^2), ``squared_moving`` M_1^2, ``consensus`` the square
    of sqrt(epsilon) + delta/2.""",
)
def explicit(w: World) -> Sides:
    """Proof. |grad f|^2 is at most the mean of |grad f_i|^2; insert (69), (20) and (21) one into
    the other, and take means."""
    most = 4 * w.squared_moving
    heterogeneity = gradient_factor(w.smoothness, w.lambda_max) + most * w.lambda_max
    return {"average |grad f|^2": xp.mean(xp.squared_norm(w.server_slope))}, {
        "start and gamma": most * w.start,
        "epsilon": 4 * w.epsilon,
        "rest": most * xp.mean(w.rest),
        "heterogeneity": heterogeneity * w.consensus,
    }
