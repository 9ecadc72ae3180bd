"""The convex construction of Appendix B.2: what it claims about itself."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import constructions as made
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.world.world import World

B2 = "Appendix B.2"
BIAS = Real(0, 1 / 2, per=("N",))
POINT = Real(-1, 1)
_SIGNS = tuple({"sign": s} for s in (1, -1))


READINGS = ("vector", "drawn-coin")


def _second_moment(w: World, reading: str) -> Sides:
    size = (1 + w.delta) ** 2
    return {"E|g|^2": size / w.d if reading == "vector" else size}, {"B^2": xp.ones_like(w.delta)}


second_moment = tuple(
    statement(
        f"allforall.construction.convex@{reading}",
        where=B2,
        kind="proof step",
        title="convex construction",
        latex=r"\mathbb E\|g\|^2\le B^2=1",
        family=numbers(
            {"delta": Real(1 / 64, 63 / 256, log=True, domain=(0, 1 / 4))},
            *({"d": d} for d in (2, 3, 4)),
            about="delta <= 4 eps < 1/4, as psi(delta) = eps < 1/16; d = 1 leaves one sign vector",
        ),
        note="""Largest second moment over x, at a point left of every kink, where all slopes are
        -1 - delta. One coordinate per sample (drawn-coin) keeps (1 + delta)^2; all coordinates with
        the factor 1/d (vector) leave (1 + delta)^2/d. The loss is g_alpha for the former alone, see
        proof.f1/family: each of the two claims has a reading under which it holds, and no reading
        serves both.""",
    )(partial(_second_moment, reading=reading))
    for reading in READINGS
)


def _mean_slope(w: World, reading: str) -> Sides:
    chance = (1 + 2 * w.sign * w.delta) / 2
    if reading == "vector":
        chance = chance / 4
    slope = made.convex_slope(w.point, w.sign, w.delta, w.delta) / 4
    return {"f_1'": (2 * chance - 1 - w.delta) / 4}, {"g'": slope}


mean_slope = tuple(
    statement(
        f"allforall.proof.f1/family@{reading}",
        where=B2,
        kind="proof step",
        relation="==",
        title="the target's loss",
        latex=r"f_1=g_\alpha",
        family=numbers({"delta": box.DELTA, "point": POINT}, *_SIGNS),
        given=[
            Hypothesis(
                "between the kinks",
                r"|x_k|\ne\tfrac12\text{, there no slope}",
                lambda w: 1 - 4 * w.point**2,
                "Appendix B.2: -1/2 < x_k < 1/2",
                strict=True,
            )
        ],
        note="""Derivative of f_1 along one coordinate between the kinks against that of g_alpha,
        d = 4. Of a term xi f^+ + (1 - xi) f^- - delta x with mean xi = p the slope is
        2 p - 1 - delta. A sample is Ber(1/2 + alpha delta) at a uniform coordinate. Read as a
        vector, each of its coordinates has p = (1/2 + alpha delta)/d, so the two slopes differ;
        read as the value of the drawn coordinate, acting on its own term alone, p = 1/2 + alpha
        delta with chance 1/d, and they agree. But then the samples have
        E|g|^2 = (1 + delta)^2 > B^2 = 1, which a vector avoids: no single reading makes the loss g_alpha
        and keeps the bound on the gradients.""",
    )(partial(_mean_slope, reading=reading))
    for reading in READINGS
)


@statement(
    "allforall.proof.f1/minimiser",
    where=B2,
    kind="proof step",
    title="the target's loss",
    latex=r"\arg\min g_\alpha=-\alpha/2",
    family=numbers(
        {"delta": box.DELTA, "share": box.SHARE, "point": POINT}, *_SIGNS, about="one agent"
    ),
    defines={"own": lambda w: w.delta},
    note="Convexity: no point is below the claimed minimiser.",
)
def minimiser(w: World) -> Sides:
    at = made.convex_minimiser(w.sign, w.own, w.delta)
    return {"at the minimiser": made.convex_coordinate(at, w.sign, w.own, w.delta)}, {
        "at any point": made.convex_coordinate(w.point, w.sign, w.own, w.delta)
    }


def _minimum(w: World, printed: bool) -> Sides:
    at = -w.sign * xp.ones_like(w.delta) / 2
    rule = made.convex_minimum_printed if printed else made.convex_minimum
    return {"g(-alpha/2)": made.convex_coordinate(at, w.sign, w.delta, w.delta)}, {
        "claimed": rule(w.sign, w.delta)
    }


minimum = statement(
    "allforall.proof.f1/minimum",
    where=B2,
    kind="proof step",
    title="the target's loss",
    latex=r"g_\alpha(x^\alpha)=\frac1d\sum_k\frac{1-\delta\alpha_k}2",
    relation="==",
    family=numbers({"delta": box.DELTA}, *_SIGNS),
    note="""g_alpha(-alpha/2), one coordinate. The two sides agree where alpha = 1 only, so their means
    over coordinates differ for every other alpha.""",
)(partial(_minimum, printed=True))
minimum_repaired = minimum.variant(
    "allforall.proof.f1.repaired",
    sides=partial(_minimum, printed=False),
    proof="""Between the kinks h(x) = 1/2 + 2 alpha delta x - delta x; at x = -alpha/2, with
    alpha^2 = 1, this is 1/2 - delta + alpha delta/2.""",
    latex=r"g_\alpha(x^\alpha)=\frac1d\sum_k\frac{1-2\delta+\delta\alpha_k}2",
)
minimisers = minimiser.variant(
    "allforall.proof.xstar",
    title="minimisers",
    latex=r"x_i^*\in\{-\alpha/2,\mathbf 1/2\}",
    defines={"own": lambda w: w.share * w.delta},
)


def _deltas(w: World, factor: int = 1) -> tuple[Array, Array]:
    """delta_j = (delta - b_1j)^+, or with b/2, of both agents."""
    deltas = xp.positive_part(w.delta[..., None] - w.bias / factor)
    return deltas[..., 0], deltas[..., 1]


def distance(w: World) -> Array:
    """b_ij = |b_1i - b_1j|: the smallest symmetric bias with the triangle inequality."""
    return xp.absolute(w.bias[..., 0] - w.bias[..., 1])


def _gap(w: World, factor: int = 1) -> Array:
    """f_i(x_j^*) - f_i(x_i^*) of the two agents, one coordinate."""
    own, other = _deltas(w, factor)
    here = made.convex_minimiser(w.sign, own, w.delta)
    there = made.convex_minimiser(w.sign, other, w.delta)
    value = made.convex_coordinate(there, w.sign, own, w.delta)
    return value - made.convex_coordinate(here, w.sign, own, w.delta)


@hypothesis(
    "same side", r"\delta_i,\delta_j\ge\delta/2\text{ or }\delta_i,\delta_j<\delta/2", where=B2
)
def same_side(w: World) -> Array:
    own, other = (xp.indicator(2 * d >= w.delta, d) for d in _deltas(w))
    return 0 - xp.absolute(own - other)


@statement(
    "allforall.proof.B1conv/same",
    where=B2,
    kind="proof step",
    relation="==",
    title="bias of the convex construction",
    latex=r"f_i(x_j^*)=f_i(x_i^*)",
    family=numbers(
        {"delta": box.DELTA, "bias": BIAS, "point": POINT},
        *({"N": 2, "sign": s} for s in (1, -1)),
        about="two agents beside the target, all coordinates of one sign",
    ),
    given=[same_side],
    note="Agents on one side of delta/2 share their minimiser.",
)
def same_value(w: World) -> Sides:
    return {"f_i(x_j)": _gap(w) + w.delta}, {"f_i(x_i)": w.delta}


FIRST_LARGE = (
    Hypothesis(
        "delta_i >= delta/2", r"\delta_i\ge\delta/2", lambda w: 2 * _deltas(w)[0] - w.delta, B2
    ),
    Hypothesis(
        "delta_j < delta/2",
        r"\delta_j<\delta/2",
        lambda w: w.delta - 2 * _deltas(w)[1],
        B2,
        strict=True,
    ),
)
FIRST_SMALL = (
    Hypothesis(
        "delta_i < delta/2",
        r"\delta_i<\delta/2",
        lambda w: w.delta - 2 * _deltas(w)[0],
        B2,
        strict=True,
    ),
    Hypothesis(
        "delta_j > delta/2",
        r"\delta_j>\delta/2",
        lambda w: 2 * _deltas(w)[1] - w.delta,
        B2,
        strict=True,
    ),
)


@same_value.like(
    "allforall.proof.B1conv/value",
    latex=r"=\frac1d\sum_k\frac{|\alpha_k-1|}2(2\delta_i-\delta)",
    given=FIRST_LARGE,
    note="One coordinate: the cost (2 delta_i - delta) falls where alpha_k = 1.",
)
def value_of_the_gap(w: World) -> Sides:
    share = abs(w.sign - 1) // 2
    return {"gap": _gap(w)}, {"printed": share * (2 * _deltas(w)[0] - w.delta)}


def _bias(w: World, factor: int) -> Sides:
    return {"f_i(x_j) - f_i(x_i)": _gap(w, factor)}, {"b_ij": distance(w)}


bias_large = same_value.like(
    "allforall.proof.B1conv/large",
    latex=r"f_i(x_j^*)-f_i(x_i^*)\le b_{ij}",
    relation="<=",
    given=FIRST_LARGE,
    note="""B.1 of the construction, b_ij = |b_1i - b_1j|. Coordinates with alpha = 1 cost
    2 delta_i - delta (or its negative), up to 2 |delta_i - delta_j|; |delta_i - delta_j| is at most
    b_ij, not b_ij/2, unless delta_i = (delta - b_1i/2)^+.""",
)(partial(_bias, factor=1))
bias_small = bias_large.variant("allforall.proof.B1conv/small", given=FIRST_SMALL)
bias_repaired = bias_large.like(
    "allforall.proof.B1conv.repaired",
    given=(),
    note=bias_large.note,
    proof="""The gap is 0 if both agents lie on one side of delta/2. Else it is |2 delta_i - delta|
    at most, and delta/2 lies between delta_i and delta_j, so that it is at most 2 |delta_i -
    delta_j| <= |b_1i - b_1j| <= b_ij: s -> s^+ is 1-Lipschitz.""",
    latex=r"\delta_i=(\delta-b_{1i}/2)^+:\ f_i(x_j^*)-f_i(x_i^*)\le b_{ij}",
)(partial(_bias, factor=2))


@minimiser.like(
    "allforall.proof.B2conv/slope",
    latex=r"\nabla_kf_i\in\{-1-\delta,1-\delta\}",
    relation="==",
    title="gradients of the convex construction",
    defines=minimisers.defines,
    given=[
        Hypothesis(
            "beyond a kink", r"|x_k|>\tfrac12", lambda w: 4 * w.point**2 - 1, B2, strict=True
        )
    ],
    note="Right of the kinks the slope is 1 - delta, left of them -1 - delta.",
)
def slope_outside(w: World) -> Sides:
    side = xp.indicator(w.point > 0, w.point) - xp.indicator(w.point < 0, w.point)
    slope = made.convex_slope(w.point, w.sign, w.own, w.delta)
    return {"slope": slope + 2}, {"printed": side - w.delta + 2}


def _gradients(w: World, factor: int) -> Sides:
    zero = 0 * w.delta
    first, second = (made.convex_slope(zero, w.sign, d, w.delta) for d in _deltas(w, factor))
    return {"squared difference": (first - second) ** 2}, {"b_ij^2/d": distance(w) ** 2}


gradients = same_value.like(
    "allforall.proof.B2conv/bound",
    latex=r"\|\nabla f_i-\nabla f_j\|^2\le b_{ij}^2/d",
    relation="<=",
    title="gradients of the convex construction",
    given=(),
    note="Between the kinks |grad f_i - grad f_j|^2 = 4 (delta_i - delta_j)^2/d, d = 1 here.",
)(partial(_gradients, factor=1))
gradients_repaired = gradients.variant(
    "allforall.proof.B2conv.repaired",
    sides=partial(_gradients, factor=2),
    proof="""Each of d coordinates differs by 2 (delta_i - delta_j) alpha_k/d between the kinks and
    by nothing beyond them, and 2 |delta_i - delta_j| <= |b_1i - b_1j| <= b_ij.""",
    latex=r"\delta_i=(\delta-b_{1i}/2)^+:\ \|\nabla f_i-\nabla f_j\|^2\le b_{ij}^2/d",
)


def laws_of(w: World, power: int) -> Sides:
    b = w.bias if power == 1 else xp.sqrt(w.bias)
    d = xp.positive_part(w.delta[..., None] - b)
    moved = (d[..., 0] - d[..., 1]) / 2
    value = moved * (w.values[..., 0] + w.sign * w.values[..., 1])
    return {"|E h - E' h|": xp.absolute(value)}, {"bound": xp.absolute(b[..., 0] - b[..., 1])}


@hypothesis(
    "diameter of the values",
    r"\mathrm{Diam}\{h(0),h(\epsilon_1),h(\epsilon_2)\}\le1",
    where="Theorem 5, locally bounded maps on the ball around 0",
)
def local_diameter(w: World) -> Array:
    """values are h(eps_k) - h(0)."""
    first, second = w.values[..., 0], w.values[..., 1]
    return 1 - xp.absolute(xp.stack([first, second, first - second], -1))


laws = statement(
    "allforall.proof.dHconv",
    where=B2,
    kind="proof step",
    title="laws of the convex construction",
    latex=r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le|\delta_i-\delta_j|\le b_{ij}",
    family=numbers(
        {"delta": box.DELTA, "bias": BIAS, "values": Real(-1, 1, per=("d",))},
        *({"N": 2, "d": 2, "sign": s} for s in (1, -1)),
        about="two agents, two coordinates",
    ),
    given=[local_diameter],
    note="""Two coordinates. P(eps_k) = (1/2 + delta_i alpha_k)/2, the rest at 0. The ball of radius
    1 around 0 holds the whole support, so a locally bounded map has values h(eps_k) - h(0) in [-1,
    1]: with equal values on equal signs the bound is attained.""",
)(partial(laws_of, power=1))
