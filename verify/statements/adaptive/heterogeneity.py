"""Property 1: explicit heterogeneity constants of quadratics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from bounds.heterogeneity import bias_and_slope, property1_printed, squared_bias_exact
from verify.claim.families import quadratic_data
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import source
from verify.world.world import World


def _pair(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two quadratics and a point; without gradient noise."""
    eye = values["curvature"][..., 0] * 0 + 1
    full = {**values, "sigma": eye, "noise_share": eye, "skew": eye}
    data = quadratic_data(full)
    kept = {k: data[k] for k in ("A", "xi", "half")}
    rest = {k: v for k, v in values.items() if k not in ("curvature", "optimum", "turn")}
    return Instance("quadratic", {**kept, "law": "none"}, None, rest)


PAIRS = Family(
    {
        "curvature": Real(1 / 8, 8, unit=(1, -2), log=True, per=("N", "d")),
        "optimum": Real(-2, 2, unit=(0, 1), per=("N", "d")),
        "turn": Real(0, 1, per=("N",)),
        "point": Real(-4, 4, unit=(0, 1), per=("d",)),
    },
    ({"N": 2, "d": 1}, {"N": 2, "d": 2}),
    _pair,
    "two quadratics in one or two dimensions, any point",
)


def _squares(w: World) -> tuple[Any, Any]:
    """Squared gradient difference of client 1 to client 0, squared gradient of client 0."""
    gradients = w.problem.gradients(w.point)
    own, other = gradients[..., 0, :], gradients[..., 1, :]
    return xp.squared_norm(own - other), xp.squared_norm(own)


def _sides(w: World, squared_bias: Any, slope: Any) -> tuple[Terms, Terms]:
    gap, own = _squares(w)
    return {"squared difference": gap}, {
        "b^2": squared_bias[..., 0, 1],
        "c G^2": slope[..., 0, 1] * own,
    }


def _printed(w: World) -> tuple[Terms, Terms]:
    """The printed constants, put into assumption A3 at the point.

    Tight where the Hessians coincide (then the difference does not depend on the point).
    """
    return _sides(w, *property1_printed(w.A, w.xi))


def _repaired(w: World) -> tuple[Terms, Terms]:
    """b_ik = 2 sqrt(2) |A_k (xi_i - xi_k)|: the loss has no factor 1/2, so its gradient is
    2 A (theta + xi).

    Proof. grad R_i - grad R_k = (I - A_k A_i^-1) grad R_i + 2 A_k (xi_i - xi_k); the square of a
    sum of two vectors is at most twice the sum of their squares.
    """
    return _sides(w, *bias_and_slope(w.A, w.xi))


def _refined(w: World) -> tuple[Terms, Terms]:
    """The smallest b^2 for a given slope c > |I - A_k A_i^-1|^2.

    Proof. With M = I - A_k A_i^-1 and v = 2 A_k (xi_i - xi_k), the supremum over g of
    |M g + v|^2 - c |g|^2 is v^T (I - M M^T / c)^-1 v, reached at g = (c I - M^T M)^-1 M^T v.
    """
    _, slope = bias_and_slope(w.A, w.xi, w.trade)
    return _sides(w, squared_bias_exact(w.A, w.xi, slope), slope)


def _unbounded(w: World) -> tuple[Terms, Terms]:
    """At distance B/(2 |a_i - a_k|) from the common minimum the difference is at least B."""
    factors = 2 * w.A[..., 0, 0]
    gap = xp.absolute(factors[..., 0] - factors[..., 1])
    point = w.problem.optimum[..., 0, :] + (w.level / gap)[..., None]
    gradients = w.problem.gradients(point)
    return {"B": w.level}, {
        "difference": xp.absolute(gradients[..., 0, 0] - gradients[..., 1, 0])
    }


def _unbiased(w: World) -> tuple[Terms, Terms]:
    """b = 0 and c = 2 |I - A_k A_i^-1|^2 of Property 1."""
    gap, own = _squares(w)
    _, slope = property1_printed(w.A, w.xi)
    return {"squared difference": gap}, {"c G^2": slope[..., 0, 1] * own}


def _common(values: Mapping[str, Any], shape: Shape) -> Instance:
    made = {**values, "optimum": values["curvature"] * 0 + values["centre"][..., None, :]}
    made.pop("centre")
    return _pair(made, shape)


def _concentric(*shapes: Shape, **extra: Real) -> Family:
    box = {
        "curvature": Real(1 / 8, 8, unit=(1, -2), log=True, per=("N", "d")),
        "centre": Real(-2, 2, unit=(0, 1), per=("d",)),
        **extra,
    }
    return Family(box, shapes, _common, "two quadratics with one minimum")


POINT = {"point": PAIRS.box["point"]}

STATEMENTS = (
    Statement(
        key="adaptive.property1", source=source("Property 1"), kind="property",
        title="A3 for quadratics",
        latex=r"b_{ik}\le\sqrt2\,\|A_k(\xi_i-\xi_k)\|_2,\quad c_{ik}\le2\,\|I-A_kA_i^{-1}\|_2^2",
        family=PAIRS, sides=_printed,
    ),
    Statement(
        key="adaptive.property1.repaired", source=source("Property 1"), kind="property",
        form="repaired", title="A3 for quadratics", family=PAIRS, sides=_repaired,
        latex=r"b_{ik}\le2\sqrt2\,\|A_k(\xi_i-\xi_k)\|_2,\quad c_{ik}\le2\,\|I-A_kA_i^{-1}\|_2^2",
    ),
    Statement(
        key="adaptive.property1.refined", source=source("Property 1"), kind="property",
        form="refined", title="A3 for quadratics, tight trade-off",
        latex=r"b_{ik}^2=v^\top(I-MM^\top/c)^{-1}v,\quad M=I-A_kA_i^{-1},\ v=2A_k(\xi_i-\xi_k)",
        family=Family(
            {**PAIRS.box, "trade": Real(1 / 16, 16, log=True)}, PAIRS.shapes, _pair, PAIRS.about
        ),
        sides=_refined,
        given=lambda w: {"Hessians differ": bias_and_slope(w.A, w.xi)[1][..., 0, 1]},
        strict=frozenset({"Hessians differ"}),
    ),
    Statement(
        key="adaptive.property1.b/unbounded", source=source("after Property 1"), kind="claim",
        title="gradient differences are not uniformly bounded",
        latex=r"\forall B\ \exists\theta:\ \|\nabla R_i(\theta)-\nabla R_k(\theta)\|\ge B",
        family=_concentric({"N": 2, "d": 1}, level=Real(1 / 4, 64, unit=(1, -1), log=True)),
        sides=_unbounded,
        given=lambda w: {"Hessians differ": (w.A[..., 0, 0, 0] - w.A[..., 1, 0, 0]) ** 2},
        strict=frozenset({"Hessians differ"}),
    ),
    Statement(
        key="adaptive.property1.b/A3", source=source("after Property 1"), kind="claim",
        title="A3 holds with b = 0",
        latex=r"\|\nabla R_i(\theta)-\nabla R_k(\theta)\|^2\le c_{ik}\|\nabla R_i(\theta)\|^2",
        family=_concentric({"N": 2, "d": 1}, {"N": 2, "d": 2}, **POINT), sides=_unbiased,
    ),
)  # fmt: skip
