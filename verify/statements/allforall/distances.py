"""Section 6 and Appendix A: distances of laws seen through classes of functions, and the losses."""

from __future__ import annotations

from functools import partial

from bounds import allforall_distances as law
from bounds import generic as xp
from verify.claim.families import numbers
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Sides, statement
from verify.statements.allforall.common import APPENDIX_A, Array, mixing
from verify.world.world import World

ATOMS = {"mass": Real(1 / 64, 1, per=("n",)), "other": Real(1 / 64, 1, per=("n",))}
STEPS = {"step": Real(1 / 8, 4, per=("n",))}


def two_laws(w: World) -> tuple[Array, Array]:
    """Two laws on the same atoms, (B, 1, n)."""
    return mixing(w.mass), mixing(w.other)


def places(w: World, step: Array) -> Array:
    """Sums of the first steps, (B, 1, n): atoms in increasing order, or values there."""
    return xp.stack([sum(step[..., j] for j in range(k + 1)) for k in range(w.n)], -1)


# -- four classes ----------------------------------------------------------------------------------


@statement(
    "allforall.dH.1", where=APPENDIX_A, kind="claim", title="distance of a class",
    latex=r"\mathcal H_{\mathrm{Affine}}:\ d_{\mathcal H}=\|\mathbb E\xi-\mathbb E\xi'\|",
    family=numbers(
        {"gap": Real(-2, 2, per=("D",)), "stretch": Real(0, 1, per=("D",)), "turn": Real(-1, 1)},
        {"D": 2}, about="linear maps with singular values at most 1, any difference of means",
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
    "allforall.dH.2", latex=r"\mathcal H_{\mathrm{Lipschitz}}:\ d_{\mathcal H}=\mathcal W_1",
    family=numbers(
        {**ATOMS, **STEPS, "slope": Real(-1, 1, per=("n",))}, {"n": 2}, {"n": 3},
        about="laws with two or three atoms on a line, any Lipschitz values there",
    ),
    note="Values with increments slope * step, |slope| <= 1; attained with slope = sign(F - G).",
)
def lipschitz(w: World) -> Sides:
    p, q = two_laws(w)
    left = xp.absolute(xp.total((p - q) * places(w, w.step * w.slope)))
    return {"|E h - E' h|": left}, {"W_1": law.wasserstein_line(places(w, w.step), p, q)}


@affine.like(
    "allforall.dH.3", latex=r"\mathcal H_{\mathrm{Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}",
    family=numbers({**ATOMS, "values": Real(0, 1, per=("n",))}, {"n": 2}, {"n": 3},
                   about="laws with two or three atoms, any values in [0, 1]"),
    note="Attained by the indicator of {p > q}.",
    proof="""Proof for a support of diameter at most 1.  One ball of radius 1 holds all of it, so that a
    locally bounded map has values of diameter at most 1, and for these |E h - E' h| is at most
    sum_{p > q} (p - q) = TV; the indicator has values of diameter 1.""",
)
def bounded(w: World) -> Sides:
    p, q = two_laws(w)
    left = xp.absolute(xp.total((p - q) * w.values))
    return {"|E h - E' h|": left}, {"TV": law.total_variation_distance(p, q)}


def _local(w: World) -> Array:
    gap = xp.absolute(w.values[..., 0] - w.values[..., 1])
    return xp.where(xp.indicator(w.distance <= 1, w.distance) > 0, 1 - gap, 0 * gap)


locally_bounded = Hypothesis(
    "locally bounded", r"|\xi-\xi'|\le1\Rightarrow|h(\xi)-h(\xi')|\le1", _local, APPENDIX_A
)
local = bounded.variant(
    "allforall.dH.4", latex=r"\mathcal H_{\mathrm{Loc.Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}",
    family=numbers(
        {**ATOMS, "values": Real(-4, 4, per=("n",)), "distance": Real(1 / 8, 4)}, {"n": 2},
        about="two atoms at some distance",
    ),
    given=[locally_bounded],
)
local_repaired = local.variant(
    "allforall.dH.4.repaired", latex=r"\mathrm{Diam}\,\Xi\le1:\ d_{\mathcal H}=d_{\mathrm{TV}}",
    given=[locally_bounded, Hypothesis("diameter of Xi at most 1", r"\mathrm{Diam}\,\Xi\le1",
                                       lambda w: 1 - w.distance)],
)

# -- three losses ----------------------------------------------------------------------------------


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
in_domain = Hypothesis(
    "|x| at most D/2", r"\|x\|\le D/2", lambda w: w.diameter**2 - 4 * w.x**2, APPENDIX_A
)
regression = statement(
    "allforall.dH.loss2", where=APPENDIX_A, kind="claim", title="linear regression",
    latex=_LOSS2 % "D",
    family=numbers(
        {"a": Real(-2, 2, per=("two",)), "b": Real(-2, 2, per=("two",)), "x": Real(-1, 1),
         "diameter": Real(1 / 8, 4, log=True)}, {"two": 2}, about="linear regression on the line",
    ),
    given=[in_domain],
    note="""Gradient M x - v as a function of xi = (M, v) = (a^2, a b): Lipschitz constant
    sqrt(1 + |x|^2), which exceeds D for small D; at x = 0 it is 1.""",
    proof="""Proof of the repaired form.  |M x - v| <= |M| |x| + |v| <= sqrt(1 + |x|^2) |(M, v)| by
    Cauchy-Schwarz, and |x| <= D/2 in a ball of diameter D around 0.""",
)(partial(_regression, printed=True))
regression_repaired = regression.variant(
    "allforall.dH.loss2.repaired", latex=_LOSS2 % r"\sqrt{1+D^2/4}\,",
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
    "allforall.dH.loss3", where=APPENDIX_A, kind="claim", title="logistic regression",
    latex=_LOSS3 % r"\tfrac1e",
    family=numbers(
        {"data": Real(-4, 4, per=("d",)), "shift": Real(-1, 1, per=("d",)),
         "model": Real(-8, 8, per=("d",))}, {"d": 1}, {"d": 2}, about="logistic regression",
    ),
    note="""Derivative of the gradient in xi: -s(-u) I + s(u) s(-u) xi x^T with u = <xi, x>. On the line
    its size is at most 1.1; with xi orthogonal to x its second part has size |xi| |x|/4 without
    limit.""",
    proof="""Proof with 1 + R X/4.  s(-u) <= 1 and s(u) s(-u) <= 1/4, so the derivative has norm at most
    1 + |xi| |x|/4 <= 1 + R X/4 along the segment between two data of size at most R.""",
)(partial(_logistic, printed=True))
logistic_repaired = logistic.variant(
    "allforall.dH.loss3.repaired", latex=_LOSS3 % r"\tfrac14RX",
    sides=partial(_logistic, printed=False),
)


def _hinge(w: World, printed: bool) -> Sides:
    values = [-xi * xp.indicator(xi * w.x < 1, xi) for xi in (w.data, w.other)]
    right = w.diameter if printed else 2 * w.radius
    return {"|h(xi) - h(xi')|": xp.absolute(values[0] - values[1])}, {"diameter": right}


def _in_ball(w: World) -> Array:
    return w.radius - xp.maximum(xp.absolute(w.data), xp.absolute(w.other))


hinge = statement(
    "allforall.dH.loss4", where=APPENDIX_A, kind="claim", title="hinge loss", latex=_LOSS4 % "D",
    family=numbers(
        {"data": Real(-4, 4), "other": Real(-4, 4), "x": Real(-1, 1),
         "diameter": Real(1 / 8, 4, log=True), "radius": Real(1 / 8, 8, log=True)},
        about="hinge loss on the line",
    ),
    given=[in_domain],
    note="Gradient -xi where xi x < 1, else 0: its values span the data, not the models.",
    proof="Proof with 2 R.  Both values lie in the ball of radius R around 0, of diameter 2 R.",
)(partial(_hinge, printed=True))
hinge_repaired = hinge.variant(
    "allforall.dH.loss4.repaired", latex=_LOSS4 % "2R", sides=partial(_hinge, printed=False),
    given=[Hypothesis("|xi| at most R", r"\|\xi\|\le R", _in_ball)],
)
