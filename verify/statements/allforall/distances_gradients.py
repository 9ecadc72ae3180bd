"""Section 6 and Appendix A: what the distance between two laws says of gradients and values.

Gradients and values are computed from the loss and the laws, the distances from the laws alone.
"""

from __future__ import annotations

from typing import Any

from bounds import allforall_distances as law
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.common import CURVATURE, numbers, one
from verify.statements.allforall.distances import ATOMS, claim, two_laws
from verify.world.world import World

Array = Any

_STEPS = {"step": Real(1 / 8, 4, per=("n",))}
HUBER = numbers(
    {**ATOMS, **_STEPS, "point": Real(-4, 8), "clip": Real(1 / 8, 8, log=True)},
    {"n": 2}, {"n": 3},
    about="laws with two or three atoms on a line, loss with gradient x - xi cut off at +-c",
)  # fmt: skip
MEANS = numbers(
    {**ATOMS, "places": Real(-2, 2, per=("n", "d")), "others": Real(3, 7, per=("n", "d")),
     "point": Real(-4, 4, per=("d",))},
    {"n": 2, "d": 1}, {"n": 3, "d": 2},
    about="mean estimation, laws with two or three atoms, a distance apart",
)  # fmt: skip
TILTED = numbers(ATOMS, {"n": 2}, about="loss |x + 1/2| + |x - 1/2| - xi x, laws on the signs")
CURVED = numbers(
    {**ATOMS, **_STEPS, "mu": CURVATURE, "condition": Real(1, 8, log=True)}, {"n": 2}, {"n": 3},
    about="loss h (x - xi)^2/2 with h >= mu, laws with two or three atoms on a line",
)  # fmt: skip


def _places(w: World) -> Array:
    """Atoms in increasing order, (B, 1, n)."""
    return xp.stack([sum(w.step[..., j] for j in range(k + 1)) for k in range(w.n)], -1)


def _clipped(w: World) -> tuple[Array, Array]:
    """Difference of the two gradients at the point, and W_1.

    As a function of xi the gradient, x - xi cut off at +-c, is 1-Lipschitz.
    """
    p, q = two_laws(w)
    places = _places(w)
    away = w.point[..., None] - places
    ends = w.clip[..., None] + 0 * away
    slopes = xp.maximum(-ends, xp.minimum(ends, away))
    return xp.total(p * slopes) - xp.total(q * slopes), law.wasserstein_line(places, p, q)


def _gradients(w: World) -> tuple[Terms, Terms]:
    """Lipschitz class. Tight where nothing is cut off and one law lies to the left of the other."""
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|": xp.absolute(gap)}, {"d_H": distance}


def _gradients_squared(w: World) -> tuple[Terms, Terms]:
    """B.2 with the smallest b^ that the laws allow, for the Lipschitz class."""
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|^2": gap**2}, {"b^2": distance**2}


def _mean_estimation(w: World) -> tuple[Terms, Terms]:
    """The gradient x - xi is affine in xi: squared distance of the means.

    The gradients of both losses come from values of f by central differences, exact on quadratics.
    """
    p, q = two_laws(w)

    def gap_at(x: Array) -> Array:
        own, other = (xp.total((x[..., None, :] - a) ** 2) / 2 for a in (w.places, w.others))
        return xp.total(p * own) - xp.total(q * other)

    square: Array = 0 * w.point[..., 0]
    for axis in range(w.d):
        aside = xp.eye(w.d, w.point)[axis]
        square = square + ((gap_at(w.point + aside) - gap_at(w.point - aside)) / 2) ** 2
    mean = xp.total(p[..., None] * w.places, axis=-2)
    other = xp.total(q[..., None] * w.others, axis=-2)
    return {"|grad f_i - grad f_j|^2": square}, {
        "|E xi - E xi'|^2": law.affine_distance_squared(mean - other)
    }


def _values(w: World) -> tuple[Terms, Terms]:
    """The minimiser is 1/2 where the mean of xi is positive and -1/2 where it is negative: D^* = 1
    where the two differ.

    The gradient is affine in xi with slope one, so b^ is the distance of the means. Tight where
    agent j hardly prefers its side.
    """
    mean, other = (p[..., 1] - p[..., 0] for p in two_laws(w))
    half = one(mean) / 2

    def loss(x: Array) -> Array:
        return xp.absolute(x + half) + xp.absolute(x - half) - mean * x

    own, there = (xp.where(m > 0, half, -half) for m in (mean, other))
    return {"f_i(x_j) - f_i(x_i)": loss(there) - loss(own)}, {
        "D^* b": xp.absolute(own - there) * xp.absolute(mean - other)
    }


def _polyak(w: World) -> tuple[Terms, Terms]:
    """Values of f_i at both means. The gradient h (x - xi) is h-Lipschitz in xi, so b^ = h W_1.

    Tight where h = mu and one law lies to the left of the other.
    """
    p, q = two_laws(w)
    places, curvature = _places(w), w.mu * w.condition
    own, there = (xp.total(m * places)[..., None] for m in (p, q))
    values = [curvature * xp.total(p * (x - places) ** 2) / 2 for x in (there, own)]
    distance = curvature * law.wasserstein_line(places, p, q)
    return {"f_i(x_j) - f_i(x_i)": values[0] - values[1]}, {"b^2/(2 mu)": distance**2 / (2 * w.mu)}


_PARTS = (
    ("values", r"f_i(x_j^*)-f_i(x_i^*)\le D^*\hat b_{ij}", TILTED, _values),
    ("gradients", r"\|\nabla f_i-\nabla f_j\|^2\le\hat b_{ij}^2", HUBER, _gradients_squared),
    ("pl", r"f_i(x_j^*)-f_i(x_i^*)\le\hat b_{ij}^2/(2\mu)", CURVED, _polyak),
)

STATEMENTS = (
    claim(
        "ineq.dHgrad",
        r"\|\nabla f_i(x)-\nabla f_j(x)\|\le d_{\mathcal H}(\mathcal D_i,\mathcal D_j)",
        "gradients and distances", family=HUBER, sides=_gradients,
    ),
    claim(
        "dH.loss1",
        r"\ell=\tfrac12\|x-\xi\|^2:\ \|\nabla f_i-\nabla f_j\|=\|\mathbb E\xi_i-\mathbb E\xi_j\|",
        "mean estimation", family=MEANS, sides=_mean_estimation, relation="==",
    ),
    *(
        claim(f"prop1/{part}", latex, "from distances to biases", family=family, kind="property",
              sides=sides) for part, latex, family, sides in _PARTS
    ),
)  # fmt: skip
