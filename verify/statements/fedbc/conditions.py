"""Conditions on the multipliers; L_i is the smallest Lipschitz constant of client i.

The proofs ask for lambda_i^t >= 1 + L_i, before (43) and (58), and for lambda_max < (1 + L_i)^2/L_i,
after (61). A domain in which every multiplier serves every client has lambda_min >= 1 + L, with
L = max_i L_i, which asks for more than the first of them.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, hypothesis
from verify.world.world import World


def stiffness(w: World) -> Array:
    """L_i, (B, 1, N)."""
    return w.problem.client_smoothness


@hypothesis(
    "multipliers in Lambda", r"\lambda_i^0\in\Lambda=[\lambda_{\min},\lambda_{\max}]\ \forall i",
    where="(11), by the text after Theorem 4.5",
)
def in_domain(w: World) -> Array:
    # round 0 is the round t of a claim about one round; (11) keeps later multipliers in Lambda
    low = xp.smallest(w.multipliers) - w.lambda_min
    return xp.minimum(low, w.lambda_max - xp.largest(w.multipliers))


@hypothesis(
    "lambda_max < (1 + L_i)^2/L_i", r"\lambda_{\max}<(1+L_i)^2/L_i\ \forall i",
    where="after (61)", strict=True,
)
def below_square(w: World) -> Array:
    L = stiffness(w)
    return xp.smallest((1 + L) ** 2 / L) - w.lambda_max


above_one = Hypothesis(
    "lambda_min >= 1 + L", r"\lambda_{\min}\ge1+L=1+\max_iL_i",
    lambda w: w.lambda_min - 1 - xp.largest(stiffness(w)))
PRINTED = (in_domain, above_one, below_square)
"""The dual domain of the proofs, lambda_min serving every client."""
positive_c0 = Hypothesis(
    "C_0 > 0", r"C_0=1-\lambda_{\max}/(4L)>0", lambda w: 4 * w.beta - w.lambda_max, strict=True)
CONTRACTING = (*PRINTED, positive_c0)
"""The dual domain of the proofs, and C_0 > 0, which they deduce from below_square, wrongly."""
ABOVE = (
    in_domain,
    Hypothesis("lambda_min > L", r"\lambda_{\min}>L", lambda w: w.lambda_min - w.beta, strict=True),
)
HALF = (
    in_domain,
    Hypothesis(
        "2 lambda_min > L", r"2\lambda_{\min}>L", lambda w: 2 * w.lambda_min - w.beta, strict=True
    ),
)
positive_step = Hypothesis(
    "alpha > 0", r"\alpha>0", lambda w: w.dual_step, "Theorem 4.5", strict=True)
