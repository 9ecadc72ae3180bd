"""Theorem 1: the two-sign instances lie in the class, and only the close agents tell of the sign."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Hypothesis, Real, Sides
from verify.statements.allforall import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Theorem 1, convex :: proof step :: links of a lower bound for any method
    proof.fanochain.convex.refined/in-class :: \|\nabla f_j-\nabla f_k\|\le2B|\delta_j-\delta_k|\le\tfrac{b_{jk}}r
    proof.fanochain.convex.refined/close :: \sum_jz_j^2\le\mathcal N_1^\varepsilon(\tfrac b4)z^2,\ z_j=\tfrac{(4\varepsilon-b_{1j})^+}{rB}
Theorem 1, strongly convex :: proof step :: links of a lower bound for any method
    proof.fanochain.quadratic.refined/in-class :: (s_j-s_k)^2\le r^2b_{jk},\ s_j=r(2\sqrt\varepsilon-\sqrt{b_{1j}})^+
    proof.fanochain.quadratic.refined/close :: \sum_js_j^2\le4\varepsilon r^2\mathcal N_1^\varepsilon(\tfrac b4),\ s_j=r(2\sqrt\varepsilon-\sqrt{b_{1j}})^+
""")
_SIZES = q.sizes("N", 1, 2, 3)
_RADIUS = Real(1 / 8, 8, unit=(-1 / 2, 1), log=True)
"""r, where mu = 1/r^2."""
_ROOT = Real(1 / 8, 2, unit=(1 / 2, 0), log=True)


# -- the class ----------------------------------------------------------------------------------
_TWO = "two agents, any biases with a symmetric triangle inequality"
_TRIANGLE = r"|b_{1j}-b_{1k}|\le b_{jk}"


@claim(
    "proof.fanochain.convex.refined/in-class",
    family=q.family(
        "first second between precision radius",
        _TWO,
        first=Real(0, 4, unit=(1, 0)),
        second=Real(0, 4, unit=(1, 0)),
        between=Real(0, 4, unit=(1, 0)),
        radius=q.DISTANCE,
    ),
    given=[
        Hypothesis(
            "triangle",
            _TRIANGLE,
            lambda w: w.between - xp.absolute(w.first - w.second),
            "Theorem 1",
        )
    ],
)
def in_class_convex(w: World) -> Sides:
    """2 B delta_j = (4 eps - b_1j)^+/r. All f_j have the minimisers of f_1, so that B.1 holds too.

    Proof. The positive part is 1-Lipschitz."""
    first, second = (xp.positive_part(4 * w.precision - b) for b in (w.first, w.second))
    return {"slopes": xp.absolute(first - second) / w.radius}, {"b/r": w.between / w.radius}


@claim(
    "proof.fanochain.quadratic.refined/in-class",
    family=q.family(
        "first second between precision radius",
        _TWO,
        first=Real(0, 2, unit=(1 / 2, 0)),
        second=Real(0, 2, unit=(1 / 2, 0)),
        between=Real(0, 4, unit=(1, 0)),
        precision=_ROOT,
        radius=_RADIUS,
    ),
    given=[
        Hypothesis(
            "triangle",
            _TRIANGLE,
            lambda w: w.between - xp.absolute(w.first**2 - w.second**2),
            "Theorem 1",
        )
    ],
)
def in_class(w: World) -> Sides:
    """Gradients are (s_j - s_k)/r^2 apart, values at minimisers (s_j - s_k)^2/(2 r^2): B.2 with b/r^2
    and B.1.

    Proof. The positive part is 1-Lipschitz, and (x - y)^2 <= |x^2 - y^2| for x, y >= 0."""
    first, second = (xp.positive_part(2 * w.precision - b) for b in (w.first, w.second))
    return {"apart": (w.radius * (first - second)) ** 2}, {"b": w.radius**2 * w.between}


# -- close agents -------------------------------------------------------------------------------
@claim(
    "proof.fanochain.convex.refined/close",
    family=q.family(
        "bias precision size radius",
        "any agents, any biases",
        *_SIZES,
        bias=Real(0, 4, unit=(1, 0), per=("N",)),
        radius=q.DISTANCE,
    ),
)
def close_convex(w: World) -> Sides:
    """Proof. z_j is 0 where b_1j >= 4 eps, and at most z = 4 eps/(rB) elsewhere."""
    apart = 4 * w.precision[..., None] - w.bias
    scale = (w.radius * w.size) ** 2
    close = xp.total(xp.indicator(apart > 0, w.bias))
    tells = xp.total(xp.positive_part(apart) ** 2)
    return {"all": tells / scale}, {"close": 16 * w.precision**2 * close / scale}


@claim(
    "proof.fanochain.quadratic.refined/close",
    family=q.family(
        "bias precision radius",
        "any agents; roots of their biases, and of the precision",
        *_SIZES,
        bias=Real(0, 4, unit=(1 / 2, 0), per=("N",)),
        precision=_ROOT,
        radius=_RADIUS,
    ),
)
def close_ones(w: World) -> Sides:
    """Proof. s_j is 0 where b_1j >= 4 eps, and at most s = 2 r sqrt eps elsewhere."""
    apart = 2 * w.precision[..., None] - w.bias
    shift = w.radius[..., None] * xp.positive_part(apart)
    close = xp.total(xp.indicator(apart > 0, w.bias))
    return {"all": xp.total(shift**2)}, {"close": 4 * w.precision**2 * w.radius**2 * close}
