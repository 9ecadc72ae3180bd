r"""Lemma B.1 (21) for one device in any dimension: its Lagrangian falls by what its model moves.

Models and the gradient are vectors, losses are numbers, with what smoothness, (34) and (37) say of
them.  What holds for each device holds for the mean over them.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Lemma B.1 (21) :: lemma
    lemmaB1ii.refined/vectors :: descent of the Lagrangian of one device, any models :: \|x_i^{t+1}-x_i^t\|^2\le\mathcal L_i^t-\mathcal L_i^{t+1}+\tfrac\epsilon{2L_i}+\alpha G+\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2
""")

MODEL = Real(-1, 1, unit=(0, 1), per=("d",))
BEND = Real(1, 8, unit=(1, -2), log=True)
VALUE = Real(0, 8, unit=(1, 0))


def _moved(w: World) -> Array:
    """x_i^t - x_i^{t+1}."""
    return w.own - w.new


def _residual(w: World) -> Array:
    """e_i, the gradient of the Lagrangian at the new model."""
    return w.slope + 2 * w.multiplier[..., None] * (w.new - w.server)


@claim(
    "lemmaB1ii.refined/vectors",
    family=numbers(
        {
            **dict.fromkeys(("own", "new", "server", "after"), MODEL),
            "slope": Real(-8, 8, unit=(1, -1), per=("d",)),
            **dict.fromkeys(("multiplier", "updated", "lambda_max"), BEND),
            "stiff": Real(1 / 64, 4, unit=(1, -2), log=True),
            "gamma": Real(0, 4, unit=(0, 2)),
            **dict.fromkeys(("value", "reached", "change"), VALUE),
            "epsilon": Real(0, 8, unit=(2, -2)),
        },
        {"d": 1},
        {"d": 2},
        about="any models and losses of one device",
    ),
    given=[
        Hypothesis(
            "smoothness",
            r"f_i(x_i^{t+1})\le f_i(x_i^t)-\langle\nabla f_i(x_i^{t+1}),x_i^t-x_i^{t+1}\rangle+\tfrac{L_i}2\|x_i^t-x_i^{t+1}\|^2",
            lambda w: (
                w.value
                - w.reached
                - xp.dot(w.slope, _moved(w))
                + w.stiff * xp.squared_norm(_moved(w)) / 2
            ),
            "Assumption 4.2",
        ),
        Hypothesis(
            "(34)",
            r"\langle e_i,x_i^{t+1}-x_i^t\rangle\le\tfrac\epsilon{2L_i}+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2",
            lambda w: (
                w.epsilon / (2 * w.stiff)
                + w.stiff * xp.squared_norm(_moved(w)) / 2
                + xp.dot(_residual(w), _moved(w))
            ),
            "(34), as it is used",
        ),
        Hypothesis(
            "(37)",
            r"(\lambda_i^{t+1}-\lambda_i^t)(\|x_i^{t+1}-z^{t+1}\|^2-\gamma_i)\le\alpha G",
            lambda w: (
                w.change + (w.multiplier - w.updated) * (xp.squared_norm(w.new - w.after) - w.gamma)
            ),
            "(37)",
        ),
        Hypothesis(
            "lambda_i >= 1 + L_i", r"\lambda_i\ge1+L_i", lambda w: w.multiplier - 1 - w.stiff, "H1"
        ),
        Hypothesis(
            "lambda_i in Lambda",
            r"\lambda_i\le\lambda_{\max}",
            lambda w: w.lambda_max - w.multiplier,
            "(11)",
        ),
    ],
    uses=("fedbc.eq34@as-used", "fedbc.eq36-37"),
)
def descent(w: World) -> Sides:
    """As traced, for every device that computes; ``change`` is alpha G of (37).

    Proof. Smoothness and (34) leave (lambda_i - L_i) |move|^2 of the step in x_i, (37) bounds that
    in the multiplier, and the way of the server costs lambda_max |x - z|^2 at most."""
    before = w.value + w.multiplier * (xp.squared_norm(w.own - w.server) - w.gamma)
    then = w.reached + w.updated * (xp.squared_norm(w.new - w.after) - w.gamma)
    return {"|move|^2": xp.squared_norm(_moved(w))}, {
        "L^t - L^{t+1}": before - then,
        "epsilon": w.epsilon / (2 * w.stiff),
        "alpha G": w.change,
        "consensus": w.lambda_max * xp.squared_norm(w.new - w.after),
    }
