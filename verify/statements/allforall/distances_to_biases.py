"""Section 6 and Appendix A: what the distance between two laws says of gradients and values.

Gradients and values are computed from the loss and the laws, the distances from the laws alone.
"""

from __future__ import annotations

from bounds import allforall_distances as law
from bounds import generic as xp
from verify.claim.families import numbers
from verify.claim.parameters import Real
from verify.claim.statement import Sides, statement
from verify.statements.allforall.boxes import CURVATURE
from verify.statements.allforall.common import APPENDIX_A, Array
from verify.statements.allforall.distances import ATOMS, STEPS, places, two_laws
from verify.world.world import World


def _clipped(w: World) -> tuple[Array, Array]:
    """Difference of the two gradients at the point, and W_1.

    As a function of xi the gradient, x - xi cut off at +-c, is 1-Lipschitz.
    """
    (p, q), atoms = two_laws(w), places(w, w.step)
    away = w.point[..., None] - atoms
    ends = w.clip[..., None] + 0 * away
    slopes = xp.maximum(-ends, xp.minimum(ends, away))
    return xp.total(p * slopes) - xp.total(q * slopes), law.wasserstein_line(atoms, p, q)


@statement(
    "allforall.ineq.dHgrad", where=APPENDIX_A, kind="claim", title="gradients and distances",
    latex=r"\|\nabla f_i(x)-\nabla f_j(x)\|\le d_{\mathcal H}(\mathcal D_i,\mathcal D_j)",
    family=numbers(
        {**ATOMS, **STEPS, "point": Real(-4, 8), "clip": Real(1 / 8, 8, log=True)},
        {"n": 2}, {"n": 3},
        about="laws with two or three atoms on a line, loss with gradient x - xi cut off at +-c",
    ),
    note="Lipschitz class. Tight where nothing is cut off and one law lies to the left of the other.",
)
def gradients(w: World) -> Sides:
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|": xp.absolute(gap)}, {"d_H": distance}


@statement(
    "allforall.dH.loss1", where=APPENDIX_A, kind="claim", title="mean estimation", relation="==",
    latex=r"\ell=\tfrac12\|x-\xi\|^2:\ \|\nabla f_i-\nabla f_j\|=\|\mathbb E\xi_i-\mathbb E\xi_j\|",
    family=numbers(
        {**ATOMS, "places": Real(-2, 2, per=("n", "d")), "others": Real(3, 7, per=("n", "d")),
         "point": Real(-4, 4, per=("d",))},
        {"n": 2, "d": 1}, {"n": 3, "d": 2},
        about="mean estimation, laws with two or three atoms, a distance apart",
    ),
    note="""The gradient x - xi is affine in xi: squared distance of the means. The gradients of both
    losses come from values of f by central differences, exact on quadratics.""",
)
def mean_estimation(w: World) -> Sides:
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
    right = law.affine_distance_squared(mean - other)
    return {"|grad f_i - grad f_j|^2": square}, {"|E xi - E xi'|^2": right}


# -- Proposition 1 ---------------------------------------------------------------------------------


@statement(
    "allforall.prop1/values", where=APPENDIX_A, kind="property", title="from distances to biases",
    latex=r"f_i(x_j^*)-f_i(x_i^*)\le D^*\hat b_{ij}",
    family=numbers(ATOMS, {"n": 2}, about="loss |x + 1/2| + |x - 1/2| - xi x, laws on the signs"),
    note="""The minimiser is 1/2 where the mean of xi is positive and -1/2 where it is negative: D^* = 1
    where the two differ. The gradient is affine in xi with slope one, so b^ is the distance of the
    means. Tight where agent j hardly prefers its side.""",
)
def values(w: World) -> Sides:
    mean, other = (p[..., 1] - p[..., 0] for p in two_laws(w))
    half = xp.ones_like(mean) / 2
    own, there = (xp.where(m > 0, half, -half) for m in (mean, other))
    loss = [xp.absolute(x + half) + xp.absolute(x - half) - mean * x for x in (there, own)]
    right = xp.absolute(own - there) * xp.absolute(mean - other)
    return {"f_i(x_j) - f_i(x_i)": loss[0] - loss[1]}, {"D^* b": right}


@values.like(
    "allforall.prop1/gradients", latex=r"\|\nabla f_i-\nabla f_j\|^2\le\hat b_{ij}^2",
    family=gradients.family,
    note="B.2 with the smallest b^ that the laws allow, for the Lipschitz class.",
)
def squared_gradients(w: World) -> Sides:
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|^2": gap**2}, {"b^2": distance**2}


@values.like(
    "allforall.prop1/pl", latex=r"f_i(x_j^*)-f_i(x_i^*)\le\hat b_{ij}^2/(2\mu)",
    family=numbers(
        {**ATOMS, **STEPS, "mu": CURVATURE, "condition": Real(1, 8, log=True)}, {"n": 2}, {"n": 3},
        about="loss h (x - xi)^2/2 with h >= mu, laws with two or three atoms on a line",
    ),
    note="""Values of f_i at both means. The gradient h (x - xi) is h-Lipschitz in xi, so b^ = h W_1.
    Tight where h = mu and one law lies to the left of the other.""",
)
def polyak(w: World) -> Sides:
    (p, q), atoms, curvature = two_laws(w), places(w, w.step), w.mu * w.condition
    own, there = (xp.total(m * atoms)[..., None] for m in (p, q))
    gaps = [curvature * xp.total(p * (x - atoms) ** 2) / 2 for x in (there, own)]
    distance = curvature * law.wasserstein_line(atoms, p, q)
    return {"f_i(x_j) - f_i(x_i)": gaps[0] - gaps[1]}, {"b^2/(2 mu)": distance**2 / (2 * w.mu)}
