"""Conditions on the multipliers; L_i is the smallest Lipschitz constant of client i."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, hypothesis
from verify.world.world import World


def stiffness(w: World) -> Array:
    """L_i, (B, 1, N)."""
    return w.problem.client_smoothness


@hypothesis("multipliers in Lambda", r"\lambda_i^t\in\Lambda=[\lambda_{\min},\lambda_{\max}]", where="(11)")
def in_domain(w: World) -> Array:
    low = xp.smallest(w.multipliers) - w.lambda_min
    return xp.minimum(low, w.lambda_max - xp.largest(w.multipliers))


@hypothesis(
    "lambda_max < (1 + L_i)^2/L_i", r"\lambda_{\max}<(1+L_i)^2/L_i", where="after (61)", strict=True
)
def below_square(w: World) -> Array:
    L = stiffness(w)
    return xp.smallest((1 + L) ** 2 / L) - w.lambda_max


above_one = Hypothesis(
    "lambda_min >= 1 + L", r"\lambda_{\min}\ge1+L",
    lambda w: w.lambda_min - 1 - xp.largest(stiffness(w)), "before (43), for every multiplier",
)
PRINTED = (in_domain, above_one, below_square)
"""Conditions printed inside the proofs, lambda_min serving every client."""
positive_c0 = Hypothesis("C_0 > 0", r"C_0>0", lambda w: 4 * w.beta - w.lambda_max, strict=True)
CONTRACTING = (*PRINTED, positive_c0)
"""The printed conditions, and C_0 > 0, which the division by C_0 takes for granted."""
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
    "alpha > 0", r"\alpha>0", lambda w: w.dual_step, "Theorem 4.5", strict=True
)
