"""Section 6 and Appendix A: distances of laws seen through classes of functions, and the losses.

Gradients and values are computed from the loss and the laws, the distances from the laws alone.
"""

from __future__ import annotations

from bounds import generic as xp
from bounds.allforall import distances as law
from verify.claim import Array, Real, Sides, hypothesis
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Appendix A :: claim :: distance of a class
    dH.1 :: \mathcal H_{\mathrm{Affine}}:\ d_{\mathcal H}=\|\mathbb E\xi-\mathbb E\xi'\|
    dH.2 :: \mathcal H_{\mathrm{Lipschitz}}:\ d_{\mathcal H}=\mathcal W_1
    dH.3 :: \mathcal H_{\mathrm{Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}
    dH.4 :: \mathcal H_{\mathrm{Loc.Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}
    dH.4.repaired :: \mathrm{Diam}\,\Xi\le1:\ d_{\mathcal H}=d_{\mathrm{TV}}
Appendix A :: claim :: mean estimation
    dH.loss1 == :: \ell=\tfrac12\|x-\xi\|^2:\ \|\nabla f_i-\nabla f_j\|=\|\mathbb E\xi_i-\mathbb E\xi_j\|
Appendix A :: claim :: linear regression
    dH.loss2 :: \ell=\tfrac12(a^\top x-b)^2:\ \nabla\ell\in D\mathcal H_{\mathrm{Affine}}
    dH.loss2.repaired :: \ell=\tfrac12(a^\top x-b)^2:\ \nabla\ell\in \sqrt{1+D^2/4}\,\mathcal H_{\mathrm{Affine}},\ \|x\|\le D/2
Appendix A :: claim :: logistic regression
    dH.loss3 :: \ell=\log(1+e^{-ba^\top x}):\ \nabla\ell\in(1+\tfrac1e)\mathcal H_{\mathrm{Lipschitz}}
    dH.loss3.repaired :: \ell=\log(1+e^{-ba^\top x}):\ \nabla\ell\in(1+\tfrac14RX)\mathcal H_{\mathrm{Lipschitz}}
Appendix A :: claim :: hinge loss
    dH.loss4 :: \ell=\max(0,1-ba^\top x):\ \nabla\ell\in D\mathcal H_{\mathrm{Bounded}}
    dH.loss4.repaired :: \ell=\max(0,1-ba^\top x):\ \nabla\ell\in 2R\mathcal H_{\mathrm{Bounded}}
Appendix A :: claim :: gradients and distances
    ineq.dHgrad :: \|\nabla f_i(x)-\nabla f_j(x)\|\le d_{\mathcal H}(\mathcal D_i,\mathcal D_j)
Appendix A :: property :: from distances to biases
    prop1/values :: f_i(x_j^*)-f_i(x_i^*)\le D^*\hat b_{ij}
    prop1/gradients :: \|\nabla f_i-\nabla f_j\|^2\le\hat b_{ij}^2
    prop1/pl :: f_i(x_j^*)-f_i(x_i^*)\le\hat b_{ij}^2/(2\mu)
""")
_LOCAL = r"\forall\xi\in\Xi:\ \mathrm{Diam}(h(\mathcal B(\xi,1)\cap\Xi))\le1"
_ATOMS = {"mass": Real(1 / 64, 1, per=("n",)), "other": Real(1 / 64, 1, per=("n",))}
_LINE = {**_ATOMS, "step": Real(1 / 8, 4, per=("n",))}
_TWO_OR_THREE = q.sizes("n", 2, 3)
_LINEAR = q.family(
    "gap stretch turn",
    "linear maps with singular values at most 1, any difference of means",
    *q.sizes("D", 2),
    gap=Real(-2, 2, per=("D",)),
    stretch=Real(0, 1, per=("D",), domain=(0, 1)),
    turn=Real(-1, 1),
)
_LIPSCHITZ = q.family(
    "mass other step slope",
    "laws with two or three atoms on a line, any Lipschitz values there",
    *_TWO_OR_THREE,
    **_LINE,
    slope=Real(-1, 1, per=("n",), domain=(-1, 1)),
)
_BOUNDED = q.family(
    "mass other values",
    "laws with two or three atoms, any values in [0, 1]",
    *_TWO_OR_THREE,
    **_ATOMS,
    values=Real(0, 1, per=("n",), domain=(0, 1)),
)
_TWO_ATOMS = q.family(
    "mass other values distance",
    "two atoms at some distance",
    *q.sizes("n", 2),
    **_ATOMS,
    values=Real(-4, 4, per=("n",)),
    distance=Real(1 / 8, 4),
)
_EACH = Real(-2, 2, per=("two",))
_DATA = {"a": _EACH, "b": _EACH, "diameter": Real(1 / 8, 4, log=True)}
_PLACE = Real(-1, 1, domain=(-1, 1))
_AT_PLACE = {"x": lambda w: w.place * w.diameter / 2}
_REGRESSION = "linear regression on the line"
_PAIR = q.sizes("two", 2)
_WITHIN = q.family(
    "a b diameter place", _REGRESSION + ", |x| up to D/2", *_PAIR, **_DATA, place=_PLACE
)
_ANYWHERE = q.family("a b diameter x", _REGRESSION, *_PAIR, **_DATA, x=Real(-1, 1))
_LOGISTIC = q.family(
    "data shift model",
    "logistic regression",
    *q.sizes("d", 1, 2),
    data=Real(-4, 4, per=("d",)),
    shift=Real(-1, 1, per=("d",)),
    model=Real(-8, 8, per=("d",)),
)
_HINGE = {"data": Real(-4, 4), "other": Real(-4, 4), "diameter": Real(1 / 8, 4, log=True)}
_HINGE_WITHIN = q.family(
    "data other diameter place", "hinge loss on the line, |x| up to D/2", **_HINGE, place=_PLACE
)
_HINGE_BALL = q.family(
    "data other diameter x radius",
    "hinge loss on the line",
    **_HINGE,
    x=Real(-1, 1),
    radius=Real(1 / 8, 8, log=True),
)
_CLIPPED = q.family(
    "mass other step point clip",
    "laws with two or three atoms on a line, loss with gradient x - xi cut off at +-c",
    *_TWO_OR_THREE,
    **_LINE,
    point=Real(-4, 8),
    clip=Real(1 / 8, 8, log=True),
)
_APART = q.family(
    "mass other places others point",
    "mean estimation, laws with two or three atoms, a distance apart",
    *q.sizes("n d", (2, 1), (3, 2)),
    **_ATOMS,
    places=Real(-2, 2, per=("n", "d")),
    others=Real(3, 7, per=("n", "d")),
    point=Real(-4, 4, per=("d",)),
)
_SIGNS = q.family(
    "mass other", "loss |x + 1/2| + |x - 1/2| - xi x, laws on the signs", *q.sizes("n", 2), **_ATOMS
)
_BENT = q.family(
    "mass other step mu condition",
    "loss h (x - xi)^2/2 with h >= mu, laws with two or three atoms on a line",
    *_TWO_OR_THREE,
    **_LINE,
)


def _two_laws(w: World) -> tuple[Array, Array]:
    """Two laws on the same atoms, (B, 1, n)."""
    return q.mixing(w.mass), q.mixing(w.other)


def _places(w: World, step: Array) -> Array:
    """Sums of the first steps, (B, 1, n): atoms in increasing order, or values there."""
    return first_sums(w, step, w.n)


@quantity
def first_sums(w: World, step: Array, atoms: int) -> Array:
    """Sums of the first steps, one for each atom."""
    return xp.stack([sum(step[..., j] for j in range(k + 1)) for k in range(atoms)], -1)


# -- the classes ----------------------------------------------------------------------------------
@claim("dH.1", family=_LINEAR)
def affine(w: World) -> Sides:
    """h(xi) = S R xi with a rotation R and singular values S: attained at S = I."""
    size = 1 + w.turn**2
    cos, sin = (1 - w.turn**2) / size, 2 * w.turn / size
    first = w.stretch[..., 0] * (cos * w.gap[..., 0] - sin * w.gap[..., 1])
    second = w.stretch[..., 1] * (sin * w.gap[..., 0] + cos * w.gap[..., 1])
    right = law.affine_distance_squared(w.gap)
    return {"|E h - E' h|^2": first**2 + second**2}, {"|E xi - E xi'|^2": right}


@claim("dH.2", family=_LIPSCHITZ)
def lipschitz(w: World) -> Sides:
    """Values with increments slope * step, |slope| <= 1; attained with slope = sign(F - G)."""
    p, other = _two_laws(w)
    left = xp.absolute(xp.total((p - other) * _places(w, w.step * w.slope)))
    return {"|E h - E' h|": left}, {"W_1": law.wasserstein_line(_places(w, w.step), p, other)}


@claim("dH.3", family=_BOUNDED)
def bounded(w: World) -> Sides:
    """Attained by the indicator of {p > q}."""
    p, other = _two_laws(w)
    left = xp.absolute(xp.total((p - other) * w.values))
    return {"|E h - E' h|": left}, {"TV": law.total_variation_distance(p, other)}


@hypothesis("locally bounded", _LOCAL, where="Appendix A")
def locally_bounded(w: World) -> Array:
    gap = xp.absolute(w.values[..., 0] - w.values[..., 1])
    return xp.where(xp.indicator(w.distance <= 1, w.distance) > 0, 1 - gap, 0 * gap)


@hypothesis("diameter of Xi at most 1", r"\mathrm{Diam}\,\Xi\le1")
def narrow(w: World) -> Array:
    return 1 - w.distance


local = claim.variant(
    bounded,
    "dH.4",
    family=_TWO_ATOMS,
    given=[locally_bounded],
    note="A locally bounded map may have any two values at atoms further apart than 1.",
)
local_repaired = claim.variant(
    local,
    "dH.4.repaired",
    given=[locally_bounded, narrow],
    note=bounded.note,
    proof="""One ball of radius 1 holds all of Xi, so that a locally bounded map has values of
    diameter at most 1, and for these |E h - E' h| is at most sum_{p > q} (p - q) = TV; the
    indicator has values of diameter 1.""",
)


# -- the losses -----------------------------------------------------------------------------------
def _regression(w: World, constant: Array) -> Sides:
    matrices, vectors = w.a**2, w.a * w.b
    first, second = matrices[..., 0] - matrices[..., 1], vectors[..., 0] - vectors[..., 1]
    right = constant * (first**2 + second**2)
    return {"|h(xi) - h(xi')|^2": (first * w.x - second) ** 2}, {"(L |xi - xi'|)^2": right}


@claim("dH.loss2", family=_WITHIN, defines=_AT_PLACE)
def regression(w: World) -> Sides:
    """Of the iterates the paper names the diameter D of their space alone; here it is
    centred at 0. Gradient M x - v as a function of xi = (M, v) = (a^2, a b): Lipschitz constant
    sqrt(1 + |x|^2), which exceeds D for small D; at x = 0 it is 1."""
    return _regression(w, w.diameter**2)


@hypothesis("|x| at most D/2", r"\|x\|\le D/2")
def in_domain(w: World) -> Array:
    return w.diameter**2 - 4 * w.x**2


@claim("dH.loss2.repaired", family=_ANYWHERE, given=[in_domain], note=regression.note)
def regression_repaired(w: World) -> Sides:
    """Proof. |M x - v| <= |M| |x| + |v| <= sqrt(1 + |x|^2) |(M, v)| by Cauchy-Schwarz, and |x| <=
    D/2 in a ball of diameter D around 0."""
    return _regression(w, 1 + w.diameter**2 / 4)


def _logistic(w: World, constant: Array) -> Sides:
    here, there = (law.logistic_gradient(xi, w.model) for xi in (w.data, w.data + w.shift))
    right = constant**2 * xp.total(w.shift**2)
    return {"|h(xi) - h(xi')|^2": xp.total((here - there) ** 2)}, {"(L |xi - xi'|)^2": right}


@claim("dH.loss3", family=_LOGISTIC)
def logistic(w: World) -> Sides:
    """Derivative of the gradient in xi: -s(-u) I + s(u) s(-u) xi x^T with u = <xi, x>. On the
    line its size is at most 1.1; with xi orthogonal to x its second part has size |xi|
    |x|/4 without limit."""
    return _logistic(w, 1 + xp.exp(-xp.ones_like(w.data[..., 0])))


@claim("dH.loss3.repaired", family=_LOGISTIC, note=logistic.note)
def logistic_repaired(w: World) -> Sides:
    """Proof. s(-u) <= 1 and s(u) s(-u) <= 1/4, so the derivative has norm at most 1 + |xi| |x|/4 <=
    1 + R X/4 along the segment between two data of size at most R."""
    radius2 = xp.maximum(xp.total(w.data**2), xp.total((w.data + w.shift) ** 2))
    return _logistic(w, 1 + xp.sqrt(radius2 * xp.total(w.model**2)) / 4)


def _hinge(w: World, diameter: Array) -> Sides:
    here, there = (-xi * xp.indicator(xi * w.x < 1, xi) for xi in (w.data, w.other))
    return {"|h(xi) - h(xi')|": xp.absolute(here - there)}, {"diameter": diameter}


@claim("dH.loss4", family=_HINGE_WITHIN, defines=_AT_PLACE)
def hinge(w: World) -> Sides:
    """The iterates' space of diameter D is centred at 0. Gradient -xi where xi x < 1, else 0:
    its values span the data, not the models."""
    return _hinge(w, w.diameter)


@hypothesis("|xi| at most R", r"\|\xi\|\le R")
def in_ball(w: World) -> Array:
    return w.radius - xp.maximum(xp.absolute(w.data), xp.absolute(w.other))


@claim("dH.loss4.repaired", family=_HINGE_BALL, given=[in_ball], note=hinge.note)
def hinge_repaired(w: World) -> Sides:
    """Proof. Both values lie in the ball of radius R around 0, of diameter 2 R."""
    return _hinge(w, 2 * w.radius)


# -- what the distance says of gradients and values -----------------------------------------------
def _clipped(w: World) -> tuple[Array, Array]:
    """Difference of the two gradients at the point, and W_1.

    As a function of xi the gradient, x - xi cut off at +-c, is 1-Lipschitz.
    """
    (p, other), atoms = _two_laws(w), _places(w, w.step)
    away = w.point[..., None] - atoms
    ends = w.clip[..., None] + 0 * away
    slopes = xp.maximum(-ends, xp.minimum(ends, away))
    return xp.total(p * slopes) - xp.total(other * slopes), law.wasserstein_line(atoms, p, other)


@claim("ineq.dHgrad", family=_CLIPPED)
def gradients(w: World) -> Sides:
    """Lipschitz class. Tight where nothing is cut off and one law lies to the left of the other."""
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|": xp.absolute(gap)}, {"d_H": distance}


@quantity
def slopes_apart(
    w: World,
    point: Array,
    masses: tuple[Array, Array],
    atoms: tuple[Array, Array],
    dimension: int,
) -> Array:
    """|grad f_i - grad f_j|^2 of mean losses over two laws, by central differences of values."""

    def gap_at(x: Array) -> Array:
        here, there = (xp.total((x[..., None, :] - a) ** 2) / 2 for a in atoms)
        return xp.total(masses[0] * here) - xp.total(masses[1] * there)

    square: Array = 0 * point[..., 0]
    for axis in range(dimension):
        aside = xp.eye(dimension, point)[axis]
        square = square + ((gap_at(point + aside) - gap_at(point - aside)) / 2) ** 2
    return square


@claim("dH.loss1", family=_APART)
def mean_estimation(w: World) -> Sides:
    """The gradient x - xi is affine in xi: squared distance of the means. The gradients of
    both losses come from values of f by central differences, exact on quadratics."""
    p, other = _two_laws(w)

    square = slopes_apart(w, w.point, (p, other), (w.places, w.others), w.d)
    mean = xp.total(p[..., None] * w.places, axis=-2)
    away = xp.total(other[..., None] * w.others, axis=-2)
    right = law.affine_distance_squared(mean - away)
    return {"|grad f_i - grad f_j|^2": square}, {"|E xi - E xi'|^2": right}


@claim("prop1/values", family=_SIGNS)
def values(w: World) -> Sides:
    """The minimiser is 1/2 where the mean of xi is positive and -1/2 where it is negative:
    D^* = 1 where the two differ. The gradient is affine in xi with slope one, so b^ is the distance
    of the means. Tight where agent j hardly prefers its side."""
    mean, other = (p[..., 1] - p[..., 0] for p in _two_laws(w))
    half = xp.ones_like(mean) / 2
    own, there = (xp.where(m > 0, half, -half) for m in (mean, other))
    loss = [xp.absolute(x + half) + xp.absolute(x - half) - mean * x for x in (there, own)]
    right = xp.absolute(own - there) * xp.absolute(mean - other)
    return {"f_i(x_j) - f_i(x_i)": loss[0] - loss[1]}, {"D^* b": right}


@claim("prop1/gradients", family=_CLIPPED)
def squared_gradients(w: World) -> Sides:
    """B.2 with the smallest b^ that the laws allow, for the Lipschitz class."""
    gap, distance = _clipped(w)
    return {"|grad f_i - grad f_j|^2": gap**2}, {"b^2": distance**2}


@claim("prop1/pl", family=_BENT)
def polyak(w: World) -> Sides:
    """Section 6.1. Values of f_i at both means. The gradient h (x - xi) is h times an affine
    map, so b^ is h times the distance of the means. Tight where h = mu."""
    (p, other), atoms, curvature = _two_laws(w), _places(w, w.step), w.mu * w.condition
    own, there = (xp.total(m * atoms)[..., None] for m in (p, other))
    gaps = [curvature * xp.total(p * (x - atoms) ** 2) / 2 for x in (there, own)]
    squared = curvature**2 * law.affine_distance_squared(own - there)
    return {"f_i(x_j) - f_i(x_i)": gaps[0] - gaps[1]}, {"b^2/(2 mu)": squared / (2 * w.mu)}
