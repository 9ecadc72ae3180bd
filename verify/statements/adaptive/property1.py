"""Property 1: explicit heterogeneity constants of quadratics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bounds import generic as xp
from bounds.heterogeneity import bias_and_slope, property1_printed, squared_bias_exact
from verify.claim import QUADRATIC_BOX, Array, Family, Hypothesis, Instance, Real, Shape, hypothesis
from verify.claim.statement import Sides
from verify.statements.adaptive import quantities as q
from verify.world.world import World

PRINTED = r"b_{ik}\le\sqrt2\,\|A_k(\xi_i-\xi_k)\|_2,\quad c_{ik}\le2\,\|I-A_kA_i^{-1}\|_2^2"
claim = q.claims(r"""
Property 1 :: property
    property1 :: A3 for quadratics
after Property 1 :: claim
    property1.b/unbounded :: gradient differences are not uniformly bounded
    property1.b/A3 :: A3 holds with b = 0
""")

_SHAPES = ({"N": 2, "d": 1}, {"N": 2, "d": 2})
PAIRS = replace(
    q.federation("quadratic", _SHAPES, q.POINT),
    about="two quadratics in one or two dimensions, any point",
)


def _sides(w: World, squared_bias: Array, slope: Array) -> Sides:
    own, gap = q.squares(w.problem, w.point)
    right = {"b^2": squared_bias[..., 0, 1], "c G^2": slope[..., 0, 1] * own}
    return {"squared difference": gap[..., 1]}, right


property1 = claim(
    "property1",
    latex=PRINTED,
    family=PAIRS,
    note="""The printed constants, put into assumption A3 at the point. Tight where the Hessians
    coincide (then the difference does not depend on the point).""",
)(lambda w: _sides(w, *property1_printed(w.A, w.xi)))

property1_repaired = property1.repaired(
    latex=PRINTED.replace(r"\sqrt2", r"2\sqrt2"),
    note="""b_ik = 2 sqrt(2) |A_k (xi_i - xi_k)|: the loss has no factor 1/2, so its gradient is
    2 A (theta + xi). Symmetric A_i that can be inverted.""",
    proof="""grad R_i - grad R_k = (I - A_k A_i^-1) grad R_i + 2 A_k (xi_i - xi_k); the square of a
    sum of two vectors is at most twice the sum of their squares.""",
)(lambda w: _sides(w, *bias_and_slope(w.A, w.xi)))


def _hessians_differ(w: World) -> Array:
    return bias_and_slope(w.A, w.xi)[1][..., 0, 1]


@property1.refined(
    title="A3 for quadratics, tight trade-off",
    latex=r"b_{ik}^2=v^\top(I-MM^\top/c)^{-1}v,\quad M=I-A_kA_i^{-1},\ v=2A_k(\xi_i-\xi_k)",
    family=replace(PAIRS, box={**PAIRS.box, "trade": Real(1 / 16, 16, log=True)}),
    given=[Hypothesis("Hessians differ", r"A_i\ne A_k", _hessians_differ, strict=True)],
    note="The smallest b^2 for a given slope c > |I - A_k A_i^-1|^2.",
    proof="""With M = I - A_k A_i^-1 and v = 2 A_k (xi_i - xi_k), the supremum over g of
    |M g + v|^2 - c |g|^2 is v^T (I - M M^T / c)^-1 v, reached at g = (c I - M^T M)^-1 M^T v.""",
)
def property1_refined(w: World) -> Sides:
    _, slope = bias_and_slope(w.A, w.xi, w.trade)
    return _sides(w, squared_bias_exact(w.A, w.xi, slope), slope)


def _one_minimum(values: Mapping[str, Array], shape: Shape) -> Instance:
    made = {**values, "optimum": values["curvature"] * 0 + values["centre"][..., None, :]}
    made.pop("centre")
    return q.build("quadratic", made, shape)


def _concentric(shapes: tuple[Shape, ...], extra: q.Box) -> Family:
    centre = Real(-2, 2, unit=(0, 1), per=("d",))
    box = {"curvature": QUADRATIC_BOX["curvature"], "centre": centre, **extra}
    return Family(box, shapes, _one_minimum, "two quadratics with one minimum")


def _curvatures_differ(w: World) -> Array:
    return (w.A[..., 0, 0, 0] - w.A[..., 1, 0, 0]) ** 2


@claim(
    "property1.b/unbounded",
    latex=r"\forall B\ \exists\theta:\ \|\nabla R_i(\theta)-\nabla R_k(\theta)\|\ge B",
    family=_concentric(_SHAPES[:1], {"level": Real(1 / 4, 64, unit=(1, -1), log=True)}),
    given=[
        hypothesis("Hessians differ", r"A_i\ne A_k", where="after Property 1", strict=True)(
            _curvatures_differ
        )
    ],
    note="At distance B/(2 |a_i - a_k|) from the common minimum the difference is at least B.",
)
def unbounded(w: World) -> Sides:
    factors = 2 * w.A[..., 0, 0]
    gap = xp.absolute(factors[..., 0] - factors[..., 1])
    point = w.problem.optimum[..., 0, :] + (w.level / gap)[..., None]
    gradients = w.problem.gradients(point)[..., 0]
    return {"B": w.level}, {"difference": xp.absolute(gradients[..., 0] - gradients[..., 1])}


@claim(
    "property1.b/A3",
    latex=r"\|\nabla R_i(\theta)-\nabla R_k(\theta)\|^2\le c_{ik}\|\nabla R_i(\theta)\|^2",
    family=_concentric(_SHAPES, q.POINT),
    note="b = 0 and c = 2 |I - A_k A_i^-1|^2 of Property 1.",
)
def unbiased(w: World) -> Sides:
    own, gap = q.squares(w.problem, w.point)
    _, slope = property1_printed(w.A, w.xi)
    return {"squared difference": gap[..., 1]}, {"c G^2": slope[..., 0, 1] * own}
