"""Theorems 6.b and 7.2 and the split of gradients under the relaxed dissimilarity B.3, m > 0."""

from __future__ import annotations

from bounds import generic as xp
from bounds.allforall import rates, sgd
from verify.claim import Array, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import APPENDIX_D, mass, mixing
from verify.statements.allforall.one_smooth import ENOUGH, HORIZON, SHARED, TARGET
from verify.statements.allforall.quantities import ONE as TITLE
from verify.world.world import World

_BOX = {
    "row": box.WEIGHTS,
    "mu": box.CURVATURE,
    "condition": box.CONDITIONS,
    "start": box.DISTANCE,
    "variance": box.NOISE,
}
_SIZES = ({"N": 1, "rounds": 4}, {"N": 2, "rounds": 8}, {"N": 2, "rounds": 32})
_ABOUT = "f_j = a_j x^2/2 with one minimiser, additive noise, exact moments; b = 0"


def _curvatures(w: World) -> Array:
    return w.mu[..., None] * w.condition


def _constants(w: World) -> tuple[Array, Array, Array]:
    """mu, L, and m = (L/mu - 1)^2, the least that serves all agents and all stochastic vectors."""
    low, high = xp.smallest(_curvatures(w)), xp.largest(_curvatures(w))
    return low, high, (high / low - 1) ** 2


def _weights(w: World) -> tuple[Array, Array]:
    """sum lambda^2 (all agents are close), and the curvature of f^lambda."""
    weights = mixing(w.row)
    return mass(weights), xp.total(weights * _curvatures(w))


def _gap(w: World, curvature: Array, step: Array, square_sum: Array) -> Array:
    """E f_1(x^K): the error contracts at the curvature of f^lambda."""
    factor = (1 - step * curvature) ** 2
    square = w.start**2
    for _ in range(w.rounds):
        square = factor * square + step**2 * w.variance * square_sum
    return _curvatures(w)[..., 0] * square / 2


@hypothesis("logarithm positive", r"F_\lambda^0\mu^2K>L\sigma^2\sum_j\lambda_j^2", strict=True)
def log_positive(w: World) -> Array:
    (low, high, _), (square_sum, curvature) = _constants(w), _weights(w)
    size = curvature * w.start**2 * low**2 * w.rounds / (2 * high * w.variance * square_sum)
    return size - 1


@statement(
    "allforall.theorem6b.repaired/relaxed",
    where="Theorem 6.b",
    title=TITLE,
    latex=HORIZON,
    over="mean",
    family=numbers(_BOX, *_SIZES, about=_ABOUT),
    given=[log_positive],
    uses=("allforall.lemma4b.repaired",),
    note="Any m; the sum of lambda^2 under the logarithm divides, and 1 + ln is written out.",
    proof="""|grad f_i|^2 <= 2 (m + 1) |grad f^lambda|^2 + bias <= 4 L (m + 1)
    F_lambda + bias, PL for f_i, and the horizon bound with 1 + ln for F_lambda: the factor
    2 (m + 1) kappa.""",
)
def rate(w: World) -> Sides:
    (low, high, relaxation), (square_sum, curvature) = _constants(w), _weights(w)
    start = curvature * w.start**2 / 2
    step = sgd.horizon_step(start, low, high, w.variance * square_sum, w.rounds)
    return {"E F": _gap(w, curvature, step, square_sum)}, rates.averaging_smooth_upper(
        start, low, high, w.variance, square_sum, w.rounds, relaxation, 0 * w.mu
    )


def _equal_mass(w: World) -> Array:
    return 0 * w.mu + 1 / (0 * w.mu + w.N)


@hypothesis("K at least the number", ENOUGH)
def enough(w: World) -> Array:
    low, high, relaxation = _constants(w)
    start = xp.mean(_curvatures(w)) * w.start**2 / 2
    return w.rounds - rates.averaging_smooth_rounds(
        start, low, high, w.variance, _equal_mass(w), w.precision, relaxation
    )


@statement(
    "allforall.theorem7.2.repaired/relaxed",
    where="Theorem 7.2",
    title=TITLE,
    latex=TARGET,
    over="mean",
    family=numbers({**_BOX, "precision": box.PRECISION}, *_SIZES, about=_ABOUT),
    given=[enough],
    note="Equal weights, b = 0.",
    proof=SHARED,
)
def target(w: World) -> Sides:
    low, high, relaxation = _constants(w)
    square_sum, curvature = _equal_mass(w), xp.mean(_curvatures(w))
    step = rates.averaging_smooth_step(low, high, w.variance, square_sum, w.precision, relaxation)
    return {"E F": _gap(w, curvature, step, square_sum)}, {"precision": w.precision}


@statement(
    "allforall.ineq.gradsplit/relaxed",
    where=APPENDIX_D,
    kind="proof step",
    title=TITLE,
    latex=r"2\|\nabla f_i-\nabla f^\lambda\|^2+2\|\nabla f^\lambda\|^2\le4L(m+1)(f^\lambda-f^\lambda(x^\lambda))+2\sum_j\lambda_j\tilde b_{ij}",
    family=rate.family,
    note="2 |grad f_i - grad f^lambda|^2 + 2 |grad f^lambda|^2 <= 4 L (m + 1) F_lambda, bias 0.",
)
def split(w: World) -> Sides:
    (_, high, relaxation), (_, curvature) = _constants(w), _weights(w)
    own, mixed = _curvatures(w)[..., 0] * w.start, curvature * w.start
    level = curvature * w.start**2 / 2
    return {"gap": 2 * (own - mixed) ** 2, "mixed": 2 * mixed**2}, {
        "level": 4 * high * (relaxation + 1) * level
    }
