"""Why the textbook truths of :mod:`tests.qa.calibration.textbook.truths` are true."""

from __future__ import annotations

from tests.qa.calibration.record import Proved
from tests.qa.calibration.textbook.truths import TRUTHS

PROOFS: dict[str, str] = {
    "sgd.mean_step": "The noise has mean zero.",
    "sgd.second_moment": "The noise has mean zero and its own variance.",
    "sgd.horizon": "One round multiplies by (1 - eta lambda)^2 and adds (eta sigma)^2; iterate.",
    "sgd.pl_step": "Descent lemma with eta beta <= 1, then |grad|^2 >= 2 mu excess.",
    "sgd.average_iterate": "Jensen: the excess is convex.",
    "sgd.contraction_tie": "The gap is multiplied by 1 - eta beta in one dimension.",
    "sgd.path_edge": "The noise is s m or -s/m.",
    "sgd.almost_surely": "The deviation -eta s u is at most eta s m in the other direction.",
    "sgd.descent_lemma": "The Hessian is at most beta.",
    "sgd.cocoercive": "|A v|^2 <= beta v^T A v.",
    "sgd.growth": "v^T A v >= mu |v|^2.",
    "sgd.pl_inequality": "|A v|^2 >= mu v^T A v.",
    "fed.averaged_variance": "The variance of a sum of independent noises is the sum.",
    "sgd.jensen": "The square is convex.",
    "sgd.markov": "level 1{x >= level} <= x for x >= 0.",
    "sgd.cantelli": "Cantelli's inequality for the variance (eta s)^2.",
    "sgd.hoeffding": "Hoeffding's inequality for a range of width eta s (m + 1/m).",
    "sgd.hoeffding_lemma": "Hoeffding's lemma.",
    "sgd.bias_variance": "The cross term has mean zero.",
    "sgd.total_variance": "Condition on the first round.",
    "cauchy_schwarz": "The discriminant of |a + t b|^2 is not positive.",
    "young": "(s a - b)^2/s is not negative.",
    "am_gm": "(sqrt x - sqrt y)^2 is not negative.",
    "bernoulli": "Induction: (1+nx)(1+x) = 1 + (n+1)x + n x^2.",
    "weights": "The shares are divided by their sum.",
    "mean_gradient": "Jensen for the squared norm.",
    "geometric": "The sum is (1 - q^n)/(1 - q), and q >= 0.",
    "logarithm": "The logarithm is concave, below its tangent at one.",
    "exponential": "1 - x <= exp(-x); n is odd where 1 - x may be negative.",
    "product_tie": "Multiply out.",
    "two_clients": "For two clients both deviations have the same size.",
    "fedavg_is_sgd": "Both average the same gradients at the same point.",
    "sgd.long_step": "With eta = 2/beta the gap changes its sign and keeps its size.",
}
"""Reasons by name."""

PROVED = tuple(Proved(s, PROOFS[s.key.removeprefix("truth.")]) for s in TRUTHS)
