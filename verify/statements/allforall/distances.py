"""Section 6 and Appendix A: distances of laws seen through classes of functions, and the losses.

Gradients and values are computed from the loss and the laws, the distances from the laws alone.
"""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import distances as law
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import APPENDIX_A, mixing
from verify.world.world import World

_ATOMS = {"mass": Real(1 / 64, 1, per=("n",)), "other": Real(1 / 64, 1, per=("n",))}
_STEPS = {"step": Real(1 / 8, 4, per=("n",))}


def _two_laws(w: World) -> tuple[Array, Array]:
    """Two laws on the same atoms, (B, 1, n)."""
    return mixing(w.mass), mixing(w.other)


def _places(w: World, step: Array) -> Array:
    """Sums of the first steps, (B, 1, n): atoms in increasing order, or values there."""
    return xp.stack([sum(step[..., j] for j in range(k + 1)) for k in range(w.n)], -1)


@statement(
    "allforall.dH.1",
    where=APPENDIX_A,
    kind="claim",
    title="distance of a class",
    latex=r"\mathcal H_{\mathrm{Affine}}:\ d_{\mathcal H}=\|\mathbb E\xi-\mathbb E\xi'\|",
    family=numbers(
        {
            "gap": Real(-2, 2, per=("D",)),
            "stretch": Real(0, 1, per=("D",), domain=(0, 1)),
            "turn": Real(-1, 1),
        },
        {"D": 2},
        about="linear maps with singular values at most 1, any difference of means",
    ),
    note="h(xi) = S R xi with a rotation R and singular values S: attained at S = I.",
)
def affine(w: World) -> Sides:
    size = 1 + w.turn**2
    cos, sin = (1 - w.turn**2) / size, 2 * w.turn / size
    first = w.stretch[..., 0] * (cos * w.gap[..., 0] - sin * w.gap[..., 1])
    second = w.stretch[..., 1] * (sin * w.gap[..., 0] + cos * w.gap[..., 1])
    right = law.affine_distance_squared(w.gap)
    return {"|E h - E' h|^2": first**2 + second**2}, {"|E xi - E xi'|^2": right}


@affine.like(
    "allforall.dH.2",
    latex=r"\mathcal H_{\mathrm{Lipschitz}}:\ d_{\mathcal H}=\mathcal W_1",
    family=numbers(
        {**_ATOMS, **_STEPS, "slope": Real(-1, 1, per=("n",), domain=(-1, 1))},
        {"n": 2},
        {"n": 3},
        about="laws with two or three atoms on a line, any Lipschitz values there",
    ),
    note="Values with increments slope * step, |slope| <= 1; attained with slope = sign(F - G).",
)
def lipschitz(w: World) -> Sides:
    p, q = _two_laws(w)
    left = xp.absolute(xp.total((p - q) * _places(w, w.step * w.slope)))
    return {"|E h - E' h|": left}, {"W_1": law.wasserstein_line(_places(w, w.step), p, q)}


@affine.like(
    "allforall.dH.3",
    latex=r"\mathcal H_{\mathrm{Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}",
    family=numbers(
        {**_ATOMS, "values": Real(0, 1, per=("n",), domain=(0, 1))},
        {"n": 2},
        {"n": 3},
        about="laws with two or three atoms, any values in [0, 1]",
    ),
    note="Attained by the indicator of {p > q}.",
)
def bounded(w: World) -> Sides:
    p, q = _two_laws(w)
    left = xp.absolute(xp.total((p - q) * w.values))
    return {"|E h - E' h|": left}, {"TV": law.total_variation_distance(p, q)}


@hypothesis(
    "locally bounded",
    r"\forall\xi\in\Xi:\ \mathrm{Diam}(h(\mathcal B(\xi,1)\cap\Xi))\le1",
    where=APPENDIX_A,
)
def locally_bounded(w: World) -> Array:
    gap = xp.absolute(w.values[..., 0] - w.values[..., 1])
    return xp.where(xp.indicator(w.distance <= 1, w.distance) > 0, 1 - gap, 0 * gap)


local = bounded.variant(
    "allforall.dH.4",
    latex=r"\mathcal H_{\mathrm{Loc.Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}",
    family=numbers(
        {**_ATOMS, "values": Real(-4, 4, per=("n",)), "distance": Real(1 / 8, 4)},
        {"n": 2},
        about="two atoms at some distance",
    ),
    given=[locally_bounded],
    note="A locally bounded map may have any two values at atoms further apart than 1.",
)
local_repaired = local.variant(
    "allforall.dH.4.repaired",
    latex=r"\mathrm{Diam}\,\Xi\le1:\ d_{\mathcal H}=d_{\mathrm{TV}}",
    note=bounded.note,
    proof="""One ball of radius 1 holds all of Xi, so that a locally bounded map has values of
    diameter at most 1, and for these |E h - E' h| is at most sum_{p > q} (p - q) = TV; the
    indicator has values of diameter 1.""",
    given=[
        locally_bounded,
        Hypothesis("diameter of Xi at most 1", r"\mathrm{Diam}\,\Xi\le1", lambda w: 1 - w.distance),
    ],
)


def _regression(w: World, printed: bool) -> Sides:
    matrices, vectors = w.a**2, w.a * w.b
    first, second = matrices[..., 0] - matrices[..., 1], vectors[..., 0] - vectors[..., 1]
    size = first**2 + second**2
    constant = w.diameter**2 if printed else 1 + w.diameter**2 / 4
    return {"|h(xi) - h(xi')|^2": (first * w.x - second) ** 2}, {
        "(L |xi - xi'|)^2": constant * size
    }


_LOSS2 = r"\ell=\tfrac12(a^\top x-b)^2:\ \nabla\ell\in %s\mathcal H_{\mathrm{Affine}}"
_LOSS3 = r"\ell=\log(1+e^{-ba^\top x}):\ \nabla\ell\in(1+%s)\mathcal H_{\mathrm{Lipschitz}}"
_LOSS4 = r"\ell=\max(0,1-ba^\top x):\ \nabla\ell\in %s\mathcal H_{\mathrm{Bounded}}"
in_domain = Hypothesis("|x| at most D/2", r"\|x\|\le D/2", lambda w: w.diameter**2 - 4 * w.x**2)
_DATA = {
    "a": Real(-2, 2, per=("two",)),
    "b": Real(-2, 2, per=("two",)),
    "diameter": Real(1 / 8, 4, log=True),
}
PLACE = Real(-1, 1, domain=(-1, 1))
regression = statement(
    "allforall.dH.loss2",
    where=APPENDIX_A,
    kind="claim",
    title="linear regression",
    latex=_LOSS2 % "D",
    family=numbers(
        {**_DATA, "place": PLACE}, {"two": 2}, about="linear regression on the line, |x| up to D/2"
    ),
    defines={"x": lambda w: w.place * w.diameter / 2},
    note="""Of the iterates the paper names the diameter D of their space alone; here it is
    centred at 0. Gradient M x - v as a function of xi = (M, v) = (a^2, a b): Lipschitz constant
    sqrt(1 + |x|^2), which exceeds D for small D; at x = 0 it is 1.""",
)(partial(_regression, printed=True))
regression_repaired = regression.variant(
    "allforall.dH.loss2.repaired",
    latex=_LOSS2 % r"\sqrt{1+D^2/4}\," + r",\ \|x\|\le D/2",
    family=numbers({**_DATA, "x": Real(-1, 1)}, {"two": 2}, about="linear regression on the line"),
    defines={},
    given=[in_domain],
    proof="""|M x - v| <= |M| |x| + |v| <= sqrt(1 + |x|^2) |(M, v)| by Cauchy-Schwarz, and |x| <=
    D/2 in a ball of diameter D around 0.""",
    sides=partial(_regression, printed=False),
)


def _logistic(w: World, printed: bool) -> Sides:
    other = w.data + w.shift
    moved = law.logistic_gradient(w.data, w.model) - law.logistic_gradient(other, w.model)
    if printed:
        constant = 1 + xp.exp(-xp.ones_like(w.data[..., 0]))
    else:
        radius2 = xp.maximum(xp.total(w.data**2), xp.total(other**2))
        constant = 1 + xp.sqrt(radius2 * xp.total(w.model**2)) / 4
    right = constant**2 * xp.total(w.shift**2)
    return {"|h(xi) - h(xi')|^2": xp.total(moved**2)}, {"(L |xi - xi'|)^2": right}


logistic = statement(
    "allforall.dH.loss3",
    where=APPENDIX_A,
    kind="claim",
    title="logistic regression",
    latex=_LOSS3 % r"\tfrac1e",
    family=numbers(
        {
            "data": Real(-4, 4, per=("d",)),
            "shift": Real(-1, 1, per=("d",)),
            "model": Real(-8, 8, per=("d",)),
        },
        {"d": 1},
        {"d": 2},
        about="logistic regression",
    ),
    note="""Derivative of the gradient in xi: -s(-u) I + s(u) s(-u) xi x^T with u = <xi, x>. On the
    line its size is at most 1.1; with xi orthogonal to x its second part has size |xi|
    |x|/4 without limit.""",
)(partial(_logistic, printed=True))
logistic_repaired = logistic.variant(
    "allforall.dH.loss3.repaired",
    latex=_LOSS3 % r"\tfrac14RX",
    proof="""s(-u) <= 1 and s(u) s(-u) <= 1/4, so the derivative has norm at most 1 + |xi| |x|/4 <=
    1 + R X/4 along the segment between two data of size at most R.""",
    sides=partial(_logistic, printed=False),
)


def _hinge(w: World, printed: bool) -> Sides:
    values = [-xi * xp.indicator(xi * w.x < 1, xi) for xi in (w.data, w.other)]
    right = w.diameter if printed else 2 * w.radius
    return {"|h(xi) - h(xi')|": xp.absolute(values[0] - values[1])}, {"diameter": right}


@hypothesis("|xi| at most R", r"\|\xi\|\le R")
def in_ball(w: World) -> Array:
    return w.radius - xp.maximum(xp.absolute(w.data), xp.absolute(w.other))


_HINGE = {"data": Real(-4, 4), "other": Real(-4, 4), "diameter": Real(1 / 8, 4, log=True)}
hinge = statement(
    "allforall.dH.loss4",
    where=APPENDIX_A,
    kind="claim",
    title="hinge loss",
    latex=_LOSS4 % "D",
    family=numbers({**_HINGE, "place": PLACE}, about="hinge loss on the line, |x| up to D/2"),
    defines={"x": lambda w: w.place * w.diameter / 2},
    note="""The iterates' space of diameter D is centred at 0. Gradient -xi where xi x < 1, else 0:
    its values span the data, not the models.""",
)(partial(_hinge, printed=True))
hinge_repaired = hinge.variant(
    "allforall.dH.loss4.repaired",
    latex=_LOSS4 % "2R",
    sides=partial(_hinge, printed=False),
    family=numbers(
        {**_HINGE, "x": Real(-1, 1), "radius": Real(1 / 8, 8, log=True)},
        about="hinge loss on the line",
    ),
    defines={},
    proof="Both values lie in the ball of radius R around 0, of diameter 2 R.",
    given=[in_ball],
)


# -- what the distance says of gradients and values ----------------------------------------------


def _clipped(w: World) -> tuple[Array, Array]:
    """Difference of the two gradients at the point, and W_1.

    As a function of xi the gradient, x - xi cut off at +-c, is 1-Lipschitz.
    """
    (p, q), atoms = _two_laws(w), _places(w, w.step)
    away = w.point[..., None] - atoms
    ends = w.clip[..., None] + 0 * away
    slopes = xp.maximum(-ends, xp.minimum(ends, away))
    return xp.total(p * slopes) - xp.total(q * slopes), law.wasserstein_line(atoms, p, q)


@statement(
    "allforall.ineq.dHgrad",
    where=APPENDIX_A,
    kind="claim",
    title="gradients and distances",
    latex=r"\|\nabla f_i(x)-\nabla f_j(x)\|\le d_{\mathcal H}(\mathcal D_i,\mathcal D_j)",
    family=numbers(
        {**_ATOMS, **_STEPS, "point": Real(-4, 8), "clip": Real(1 / 8, 8, log=True)},
        {"n": 2},
        {"n": 3},
        about="laws with two or three atoms on a line, loss with gradient x - xi cut off at +-c",
    ),
    note="""Lipschitz class. Tight where nothing is cut off and one law lies to the left of the
    other.""",
)
def gradients(w: World) -> Sides:
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|": xp.absolute(gap)}, {"d_H": distance}


@statement(
    "allforall.dH.loss1",
    where=APPENDIX_A,
    kind="claim",
    title="mean estimation",
    relation="==",
    latex=r"\ell=\tfrac12\|x-\xi\|^2:\ \|\nabla f_i-\nabla f_j\|=\|\mathbb E\xi_i-\mathbb E\xi_j\|",
    family=numbers(
        {
            **_ATOMS,
            "places": Real(-2, 2, per=("n", "d")),
            "others": Real(3, 7, per=("n", "d")),
            "point": Real(-4, 4, per=("d",)),
        },
        {"n": 2, "d": 1},
        {"n": 3, "d": 2},
        about="mean estimation, laws with two or three atoms, a distance apart",
    ),
    note="""The gradient x - xi is affine in xi: squared distance of the means. The gradients of
    both losses come from values of f by central differences, exact on quadratics.""",
)
def mean_estimation(w: World) -> Sides:
    p, q = _two_laws(w)

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


@statement(
    "allforall.prop1/values",
    where=APPENDIX_A,
    kind="property",
    title="from distances to biases",
    latex=r"f_i(x_j^*)-f_i(x_i^*)\le D^*\hat b_{ij}",
    family=numbers(_ATOMS, {"n": 2}, about="loss |x + 1/2| + |x - 1/2| - xi x, laws on the signs"),
    note="""The minimiser is 1/2 where the mean of xi is positive and -1/2 where it is negative:
    D^* = 1 where the two differ. The gradient is affine in xi with slope one, so b^ is the distance
    of the means. Tight where agent j hardly prefers its side.""",
)
def values(w: World) -> Sides:
    mean, other = (p[..., 1] - p[..., 0] for p in _two_laws(w))
    half = xp.ones_like(mean) / 2
    own, there = (xp.where(m > 0, half, -half) for m in (mean, other))
    loss = [xp.absolute(x + half) + xp.absolute(x - half) - mean * x for x in (there, own)]
    right = xp.absolute(own - there) * xp.absolute(mean - other)
    return {"f_i(x_j) - f_i(x_i)": loss[0] - loss[1]}, {"D^* b": right}


@values.like(
    "allforall.prop1/gradients",
    latex=r"\|\nabla f_i-\nabla f_j\|^2\le\hat b_{ij}^2",
    family=gradients.family,
    note="B.2 with the smallest b^ that the laws allow, for the Lipschitz class.",
)
def squared_gradients(w: World) -> Sides:
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|^2": gap**2}, {"b^2": distance**2}


@values.like(
    "allforall.prop1/pl",
    latex=r"f_i(x_j^*)-f_i(x_i^*)\le\hat b_{ij}^2/(2\mu)",
    family=numbers(
        {**_ATOMS, **_STEPS, "mu": box.CURVATURE, "condition": box.CONDITION},
        {"n": 2},
        {"n": 3},
        about="loss h (x - xi)^2/2 with h >= mu, laws with two or three atoms on a line",
    ),
    note="""Section 6.1. Values of f_i at both means. The gradient h (x - xi) is h times an affine
    map, so b^ is h times the distance of the means. Tight where h = mu.""",
)
def polyak(w: World) -> Sides:
    (p, q), atoms, curvature = _two_laws(w), _places(w, w.step), w.mu * w.condition
    own, there = (xp.total(m * atoms)[..., None] for m in (p, q))
    gaps = [curvature * xp.total(p * (x - atoms) ** 2) / 2 for x in (there, own)]
    squared = curvature**2 * law.affine_distance_squared(own - there)
    return {"f_i(x_j) - f_i(x_i)": gaps[0] - gaps[1]}, {"b^2/(2 mu)": squared / (2 * w.mu)}
