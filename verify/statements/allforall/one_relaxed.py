"""Theorems 6.b and 7.2 and the split of gradients under the relaxed dissimilarity B.3, m > 0."""

from __future__ import annotations

from typing import Any

from bounds import allforall_rates as rates
from bounds import allforall_sgd as sgd
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.common import CURVATURE, NOISE, PRECISION, numbers
from verify.statements.allforall.one_convex import claim
from verify.statements.allforall.one_smooth import _6B, _HORIZON, _T7
from verify.world.world import World

_BOX = {
    "row": Real(1 / 8, 1, per=("N",)),
    "mu": CURVATURE,
    "condition": Real(1, 8, log=True, per=("N",)),
    "start": Real(1 / 8, 8, unit=(0, 1), log=True),
    "variance": NOISE,
}
_SIZES = ({"N": 1, "rounds": 4}, {"N": 2, "rounds": 8}, {"N": 2, "rounds": 32})
_ABOUT = "f_j = a_j x^2/2 with one minimiser, additive noise, exact moments; b = 0"
RELAXED = numbers(_BOX, *_SIZES, about=_ABOUT)
RELAXED_TARGET = numbers({**_BOX, "precision": PRECISION}, *_SIZES, about=_ABOUT)


def _curvatures(w: World) -> Any:
    return w.mu[..., None] * w.condition


def _constants(w: World) -> tuple[Any, Any, Any]:
    """mu, L, and m = (L/mu - 1)^2, the least that serves all agents and all stochastic vectors."""
    low, high = xp.smallest(_curvatures(w)), xp.largest(_curvatures(w))
    return low, high, (high / low - 1) ** 2


def _weights(w: World) -> tuple[Any, Any, Any]:
    """lambda (all agents are close), sum lambda^2, and the curvature of f^lambda."""
    weights = w.row / xp.total(w.row)[..., None]
    return weights, xp.total(weights**2), xp.total(weights * _curvatures(w))


def _gap(w: World, curvature: Any, step: Any, mass: Any) -> Any:
    """E f_1(x^K): the error contracts at the curvature of f^lambda."""
    factor = (1 - step * curvature) ** 2
    square = w.start**2
    for _ in range(w.rounds):
        square = factor * square + step**2 * w.variance * mass
    return _curvatures(w)[..., 0] * square / 2


def _rate(w: World) -> tuple[Terms, Terms]:
    """Any m. |grad f_i|^2 <= 2 (m + 1) |grad f^lambda|^2 + bias <= 4 L (m + 1) F_lambda + bias, PL
    for f_i, and the horizon bound with 1 + ln for F_lambda: the factor 2 (m + 1) kappa."""
    low, high, relaxation = _constants(w)
    _, mass, curvature = _weights(w)
    start = curvature * w.start**2 / 2
    step = sgd.horizon_step(start, low, high, w.variance * mass, w.rounds)
    bound: Terms = rates.averaging_smooth_upper(
        start, low, high, w.variance, mass, w.rounds, relaxation, 0 * w.mu
    )
    return {"E F": _gap(w, curvature, step, mass)}, bound


def _log_positive(w: World) -> Terms:
    low, high, _ = _constants(w)
    _, mass, curvature = _weights(w)
    size = curvature * w.start**2 * low**2 * w.rounds / (2 * high * w.variance * mass)
    return {"logarithm positive": size - 1}


def _equal_mass(w: World) -> Any:
    return 0 * w.mu + 1 / (0 * w.mu + w.N)


def _target(w: World) -> tuple[Terms, Terms]:
    """Equal weights. Start and noise at most eps/(8 (m + 1) kappa) each, times 2 (m + 1) kappa."""
    low, high, relaxation = _constants(w)
    mass, curvature = _equal_mass(w), xp.mean(_curvatures(w))
    step = rates.averaging_smooth_step(low, high, w.variance, mass, w.precision, relaxation)
    return {"E F": _gap(w, curvature, step, mass)}, {"precision": w.precision}


def _enough(w: World) -> Terms:
    low, high, relaxation = _constants(w)
    start = xp.mean(_curvatures(w)) * w.start**2 / 2
    asked = rates.averaging_smooth_rounds(
        start, low, high, w.variance, _equal_mass(w), w.precision, relaxation
    )
    return {"K at least the number": w.rounds - asked}


def _split(w: World) -> tuple[Terms, Terms]:
    """2 |grad f_i - grad f^lambda|^2 + 2 |grad f^lambda|^2 <= 4 L (m + 1) F_lambda, bias 0."""
    _, high, relaxation = _constants(w)
    _, _, curvature = _weights(w)
    own, mixed = _curvatures(w)[..., 0] * w.start, curvature * w.start
    level = curvature * w.start**2 / 2
    return {"gap": 2 * (own - mixed) ** 2, "mixed": 2 * mixed**2}, {
        "level": 4 * high * (relaxation + 1) * level
    }


STATEMENTS = (
    claim("theorem6b.explicit/relaxed", "Theorem 6.b", _6B % _HORIZON, family=RELAXED, over="mean", sides=_rate,
          given=_log_positive, strict=frozenset({"logarithm positive"}), form="explicit",
          uses=("allforall.lemma4b.repaired",)),
    claim("theorem7.2.explicit/relaxed", "Theorem 7.2", _T7, family=RELAXED_TARGET, over="mean", sides=_target,
          given=_enough, form="explicit"),
    claim("ineq.gradsplit/relaxed", "Appendix D",
          r"2\|\nabla f_i-\nabla f^\lambda\|^2+2\|\nabla f^\lambda\|^2\le4L(m+1)(f^\lambda-f^\lambda(x^\lambda))+2\sum_j\lambda_j\tilde b_{ij}",
          family=RELAXED, sides=_split, kind="proof step"),
)  # fmt: skip
