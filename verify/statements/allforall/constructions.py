"""The constructions of Appendices B.2 and B.3: what they claim about themselves.

Of the quadratic one the paper gives the loss |x - xi|^2/2, whose mean over a law on the axes has
curvature 1 and its minimum at (1/2 + delta_j alpha)/d, and next to it g_alpha with curvature 1/d
and its minimum at 1/2 + delta alpha: the two do not belong together.  Both are readings here.
"""

from __future__ import annotations

from dataclasses import replace

from bounds import generic as xp
from bounds.allforall import constructions as made
from verify.claim import Array, Hypothesis, Reading, Real, Sides, hypothesis
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Appendix B.2 :: proof step :: convex construction
    construction.convex :: \mathbb E\|g\|^2\le B^2=1
Appendix B.2 :: proof step :: the target's loss
    proof.f1/family == :: f_1=g_\alpha
    proof.f1/minimiser :: \arg\min g_\alpha=-\alpha/2
    proof.f1/minimum == :: g_\alpha(x^\alpha)=\frac1d\sum_k\frac{1-\delta\alpha_k}2
    proof.f1.repaired == :: g_\alpha(x^\alpha)=\frac1d\sum_k\frac{1-2\delta+\delta\alpha_k}2
Appendix B.2 :: proof step :: minimisers
    proof.xstar :: x_i^*\in\{-\alpha/2,\mathbf 1/2\}
Appendix B.2 :: proof step :: bias of the convex construction
    proof.B1conv/same == :: f_i(x_j^*)=f_i(x_i^*)
    proof.B1conv/value == :: =\frac1d\sum_k\frac{|\alpha_k-1|}2(2\delta_i-\delta)
    proof.B1conv/large :: f_i(x_j^*)-f_i(x_i^*)\le b_{ij}
    proof.B1conv/small :: f_i(x_j^*)-f_i(x_i^*)\le b_{ij}
    proof.B1conv.repaired :: \delta_i=(\delta-b_{1i}/2)^+:\ f_i(x_j^*)-f_i(x_i^*)\le b_{ij}
Appendix B.2 :: proof step :: gradients of the convex construction
    proof.B2conv/slope == :: \nabla_kf_i\in\{-1-\delta,1-\delta\}
    proof.B2conv/bound :: \|\nabla f_i-\nabla f_j\|^2\le b_{ij}^2/d
    proof.B2conv.repaired :: \delta_i=(\delta-b_{1i}/2)^+:\ \|\nabla f_i-\nabla f_j\|^2\le b_{ij}^2/d
Appendix B.2 :: proof step :: laws of the convex construction
    proof.dHconv :: d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le|\delta_i-\delta_j|\le b_{ij}
Appendix B.3 :: proof step :: quadratic construction
    construction.quadratic :: L=1/d
Appendix B.3 :: proof step :: laws of the quadratic construction
    proof.dHquad :: d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le|\delta_i-\delta_j|\le\sqrt{b_{ij}}
Appendix B.3 :: proof step :: bias of the quadratic construction
    proof.B1quad/norm == :: f_j(x_k^*)-f_j(x_j^*)=\tfrac1d\|x_j^*-x_k^*\|^2
    proof.B1quad/value == :: \tfrac1d\|x_j^*-x_k^*\|^2=(\delta_j-\delta_k)^2
    proof.B1quad/roots :: (\sqrt{b_{1j}}-\sqrt{b_{1k}})^2\le|b_{1j}-b_{1k}|
    proof.B1quad.repaired :: f_j(x_k^*)-f_j(x_j^*)\le\tfrac12(\delta_j-\delta_k)^2\le b_{jk}
""")
_B2 = "Appendix B.2"
_BIAS = Real(0, 1 / 2, per=("N",))
_SIGNS = q.sizes("sign", 1, -1)
_LESS_THAN_QUARTER = q.family(
    "delta",
    "delta <= 4 eps < 1/4, as psi(delta) = eps < 1/16; d = 1 leaves one sign vector",
    *q.sizes("d", 2, 3, 4),
    delta=Real(1 / 64, 63 / 256, log=True, domain=(0, 1 / 4)),
)
between = Hypothesis(
    "between the kinks",
    r"|x_k|\ne\tfrac12\text{, there no slope}",
    lambda w: 1 - 4 * w.point**2,
    "Appendix B.2: -1/2 < x_k < 1/2",
    strict=True,
)
_POINTS = q.family("delta point", q.ANY, *_SIGNS, point=q.PLACE)
_ONE_AGENT = q.family("delta share point", "one agent", *_SIGNS, point=q.PLACE)
_DELTAS = q.family("delta", q.ANY, *_SIGNS)
_SMALLER = {"own": lambda w: w.share * w.delta}
_TWO = q.family(
    "delta bias point",
    "two agents beside the target, all coordinates of one sign",
    *q.sizes("N sign", (2, 1), (2, -1)),
    bias=_BIAS,
    point=q.PLACE,
)
_AHEAD = replace(_TWO, shapes=_TWO.shapes[:1])
"""alpha = 1 in the one coordinate: a code word of the construction has such a coordinate."""
beyond = Hypothesis(
    "beyond a kink", r"|x_k|>\tfrac12", lambda w: 4 * w.point**2 - 1, _B2, strict=True
)
_TWO_LAWS = q.family(
    "delta bias values",
    "two agents, two coordinates",
    *q.sizes("N d sign", (2, 2, 1), (2, 2, -1)),
    bias=_BIAS,
    values=Real(-1, 1, per=("d",)),
)
_AXES = q.family("delta point", q.ANY, *q.sizes("d", 1, 2), point=q.PLACE)
_ROOTS = q.family(
    "delta bias", "two agents, any dimension", *q.sizes("N d", (2, 2), (2, 3), (2, 4)), bias=_BIAS
)


# -- convex: the target's loss --------------------------------------------------------------------
@claim("construction.convex", readings=("coin",), family=_LESS_THAN_QUARTER)
def second_moment(w: World, r: Reading) -> Sides:
    """Largest second moment over x, at a point left of every kink, where all slopes are -1 - delta.
    One coordinate per sample (drawn-coin) keeps (1 + delta)^2; all coordinates with the factor 1/d
    (vector) leave (1 + delta)^2/d. The loss is g_alpha for the former alone, see proof.f1/family:
    each of the two claims has a reading under which it holds, and no reading serves both."""
    size = (1 + w.delta) ** 2
    return {"E|g|^2": size / w.d if r.coin == "vector" else size}, {"B^2": xp.ones_like(w.delta)}


@claim("proof.f1/family", readings=("coin",), family=_POINTS, given=[between])
def mean_slope(w: World, r: Reading) -> Sides:
    """Derivative of f_1 along one coordinate between the kinks against that of g_alpha, d = 4. Of a
    term xi f^+ + (1 - xi) f^- - delta x with mean xi = p the slope is 2 p - 1 - delta. A sample is
    Ber(1/2 + alpha delta) at a uniform coordinate. Read as a vector, each of its coordinates has p
    = (1/2 + alpha delta)/d, so the two slopes differ; read as the value of the drawn coordinate,
    acting on its own term alone, p = 1/2 + alpha delta with chance 1/d, and they agree. But then
    the samples have E|g|^2 = (1 + delta)^2 > B^2 = 1, which a vector avoids: no single reading
    makes the loss g_alpha and keeps the bound on the gradients."""
    chance = (1 + 2 * w.sign * w.delta) / 2
    if r.coin == "vector":
        chance = chance / 4
    slope = made.convex_slope(w.point, w.sign, w.delta, w.delta) / 4
    return {"f_1'": (2 * chance - 1 - w.delta) / 4}, {"g'": slope}


@claim("proof.f1/minimiser", family=_ONE_AGENT, defines={"own": lambda w: w.delta})
def minimiser(w: World) -> Sides:
    """Convexity: no point is below the claimed minimiser."""
    at = made.convex_minimiser(w.sign, w.own, w.delta)
    return {"at the minimiser": made.convex_coordinate(at, w.sign, w.own, w.delta)}, {
        "at any point": made.convex_coordinate(w.point, w.sign, w.own, w.delta)
    }


def _at_minus_half(w: World) -> Array:
    at = -w.sign * xp.ones_like(w.delta) / 2
    return made.convex_coordinate(at, w.sign, w.delta, w.delta)


@claim("proof.f1/minimum", family=_DELTAS)
def minimum(w: World) -> Sides:
    """g_alpha(-alpha/2), one coordinate. The two sides agree where alpha = 1 only, so their means
    over coordinates differ for every other alpha."""
    claimed = made.convex_minimum_printed(w.sign, w.delta)
    return {"g(-alpha/2)": _at_minus_half(w)}, {"claimed": claimed}


@claim("proof.f1.repaired", family=_DELTAS, note=minimum.note)
def minimum_repaired(w: World) -> Sides:
    """Proof. Between the kinks h(x) = 1/2 + 2 alpha delta x - delta x; at x = -alpha/2, with
    alpha^2 = 1, this is 1/2 - delta + alpha delta/2."""
    return {"g(-alpha/2)": _at_minus_half(w)}, {"claimed": made.convex_minimum(w.sign, w.delta)}


minimisers = claim.variant(minimiser, "proof.xstar", defines=_SMALLER)


# -- convex: biases, gradients and laws -----------------------------------------------------------
def _deltas(w: World, factor: int = 1) -> tuple[Array, Array]:
    """delta_j = (delta - b_1j)^+, or with b/2, of both agents."""
    deltas = xp.positive_part(w.delta[..., None] - w.bias / factor)
    return deltas[..., 0], deltas[..., 1]


def _distance(w: World) -> Array:
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
    "same side", r"\delta_i,\delta_j\ge\delta/2\text{ or }\delta_i,\delta_j<\delta/2", where=_B2
)
def same_side(w: World) -> Array:
    own, other = (xp.indicator(2 * d >= w.delta, d) for d in _deltas(w))
    return 0 - xp.absolute(own - other)


@claim("proof.B1conv/same", family=_TWO, given=[same_side])
def same_value(w: World) -> Sides:
    """Agents on one side of delta/2 share their minimiser."""
    return {"f_i(x_j)": _gap(w) + w.delta}, {"f_i(x_i)": w.delta}


def _side(agent: str, sign: str, strict: bool) -> Hypothesis:
    """delta_i or delta_j on one side of delta/2."""
    index, above = "ij".index(agent), sign != "<"

    def margin(w: World) -> Array:
        beyond = 2 * _deltas(w)[index] - w.delta
        return beyond if above else -beyond

    tex = rf"\delta_{agent}{sign}\delta/2".replace(">=", r"\ge")
    return Hypothesis(f"delta_{agent} {sign} delta/2", tex, margin, _B2, strict=strict)


_FIRST_LARGE = (_side("i", ">=", False), _side("j", "<", True))
_FIRST_SMALL = (_side("i", "<", True), _side("j", ">", True))


@claim("proof.B1conv/value", family=_TWO, given=_FIRST_LARGE)
def value_of_the_gap(w: World) -> Sides:
    """One coordinate: the cost (2 delta_i - delta) falls where alpha_k = 1."""
    share = abs(w.sign - 1) // 2
    return {"gap": _gap(w)}, {"printed": share * (2 * _deltas(w)[0] - w.delta)}


@claim("proof.B1conv/large", family=_TWO, given=_FIRST_LARGE)
def bias_large(w: World) -> Sides:
    """B.1 of the construction, b_ij = |b_1i - b_1j|. Coordinates with alpha = 1 cost
    2 delta_i - delta (or its negative), up to 2 |delta_i - delta_j|; |delta_i - delta_j| is at most
    b_ij, not b_ij/2, unless delta_i = (delta - b_1i/2)^+."""
    return {"f_i(x_j) - f_i(x_i)": _gap(w)}, {"b_ij": _distance(w)}


bias_small = claim.variant(bias_large, "proof.B1conv/small", given=_FIRST_SMALL)


@claim("proof.B1conv.repaired", family=_TWO, note=bias_large.note)
def bias_repaired(w: World) -> Sides:
    """Proof. The gap is 0 if both agents lie on one side of delta/2. Else it is |2 delta_i - delta|
    at most, and delta/2 lies between delta_i and delta_j, so that it is at most 2 |delta_i -
    delta_j| <= |b_1i - b_1j| <= b_ij: s -> s^+ is 1-Lipschitz."""
    return {"f_i(x_j) - f_i(x_i)": _gap(w, 2)}, {"b_ij": _distance(w)}


@claim("proof.B2conv/slope", family=_ONE_AGENT, defines=_SMALLER, given=[beyond])
def slope_outside(w: World) -> Sides:
    """Right of the kinks the slope is 1 - delta, left of them -1 - delta."""
    side = xp.indicator(w.point > 0, w.point) - xp.indicator(w.point < 0, w.point)
    slope = made.convex_slope(w.point, w.sign, w.own, w.delta)
    return {"slope": slope + 2}, {"printed": side - w.delta + 2}


def _gradients(w: World, factor: int) -> Sides:
    zero = 0 * w.delta
    first, second = (made.convex_slope(zero, w.sign, d, w.delta) for d in _deltas(w, factor))
    return {"squared difference": (first - second) ** 2}, {"b_ij^2/d": _distance(w) ** 2}


@claim("proof.B2conv/bound", family=_AHEAD)
def gradients(w: World) -> Sides:
    """Between the kinks |grad f_i - grad f_j|^2 = 4 (delta_i - delta_j)^2/d, d = 1 here."""
    return _gradients(w, 1)


@claim("proof.B2conv.repaired", family=_TWO, note=gradients.note)
def gradients_repaired(w: World) -> Sides:
    """Proof. Each of d coordinates differs by 2 (delta_i - delta_j) alpha_k/d between the kinks and
    by nothing beyond them, and 2 |delta_i - delta_j| <= |b_1i - b_1j| <= b_ij."""
    return _gradients(w, 2)


@hypothesis(
    "diameter of the values",
    r"\mathrm{Diam}\{h(0),h(\epsilon_1),h(\epsilon_2)\}\le1",
    where="Theorem 5, locally bounded maps on the ball around 0",
)
def local_diameter(w: World) -> Array:
    """values are h(eps_k) - h(0)."""
    first, second = w.values[..., 0], w.values[..., 1]
    return 1 - xp.absolute(xp.stack([first, second, first - second], -1))


def _laws(w: World, b: Array) -> Sides:
    d = xp.positive_part(w.delta[..., None] - b)
    moved = (d[..., 0] - d[..., 1]) / 2
    value = moved * (w.values[..., 0] + w.sign * w.values[..., 1])
    return {"|E h - E' h|": xp.absolute(value)}, {"bound": xp.absolute(b[..., 0] - b[..., 1])}


@claim("proof.dHconv", family=_TWO_LAWS, given=[local_diameter])
def laws(w: World) -> Sides:
    """Two coordinates. P(eps_k) = (1/2 + delta_i alpha_k)/2, the rest at 0. The ball of radius
    1 around 0 holds the whole support, so a locally bounded map has values h(eps_k) - h(0) in [-1,
    1]: with equal values on equal signs the bound is attained."""
    return _laws(w, w.bias)


# -- quadratic ------------------------------------------------------------------------------------
@claim("proof.dHquad", family=_TWO_LAWS, given=[local_diameter], note=laws.note)
def laws_of_roots(w: World) -> Sides:
    return _laws(w, xp.sqrt(w.bias))


def _value_at(w: World, x: Array, pull: Array, reading: str) -> Array:
    """f_j(x): E|x - xi|^2/2, or (1/2d) sum_k (x_k^2 + 1 - 2 (1/2 + alpha_k delta_j) x_k)."""
    if reading == "loss":
        # xi is one of the axes or 0, so that E|xi|^2 is the sum of the means
        return xp.total(x**2 - 2 * pull * x + pull) / 2
    return xp.total(x**2 + 1 - 2 * pull * x) / (2 * w.d)


@claim("construction.quadratic", readings=("quadratic",), family=_AXES)
def curvature(w: World, r: Reading) -> Sides:
    """The mean of the loss |x - xi|^2/2 has curvature 1 in every direction, g_alpha 1/d: a
    second difference along the first axis."""
    pull = (xp.ones_like(w.delta) + 2 * w.delta) / 2
    pull = pull / w.d if r.quadratic == "loss" else pull
    first = xp.eye(w.d, w.delta)[0]
    ahead, here, back = (
        _value_at(w, w.point[..., None] + side * first, pull[..., None], r.quadratic)
        for side in (1, 0, -1)
    )
    return {"curvature": ahead - 2 * here + back}, {"L = 1/d": xp.ones_like(w.delta) / w.d}


def _root_deltas(w: World) -> Array:
    """delta_j = (delta - sqrt b_1j)^+."""
    return xp.positive_part(w.delta[..., None] - xp.sqrt(w.bias))


@quantity
def alternating(w: World, like: Array, dimension: int) -> Array:
    """1, -1, 1, ... (..., d)."""
    return xp.stack([(1 - 2 * (k % 2)) * xp.ones_like(like) for k in range(dimension)], -1)


def _sizes(w: World, reading: str) -> tuple[Array, Array]:
    """f_j(x_k^*) - f_j(x_j^*) and |x_j^* - x_k^*|^2, for the loss or for g_alpha."""
    deltas = _root_deltas(w)
    signs = alternating(w, w.delta, w.d)
    own, other = (xp.ones_like(signs) / 2 + deltas[..., k, None] * signs for k in (0, 1))
    if reading == "loss":
        own, other = own / w.d, other / w.d
    gap = _value_at(w, other, own, reading) - _value_at(w, own, own, reading)
    return gap, xp.total((own - other) ** 2)


@claim("proof.B1quad/norm", readings=("quadratic",), family=_ROOTS)
def norm(w: World, r: Reading) -> Sides:
    """f_j(x) - f_j(x_j^*) is half the curvature (1 or 1/d) times the squared distance."""
    gap, square = _sizes(w, r.quadratic)
    return {"gap": gap}, {"|x_j - x_k|^2/d": square / w.d}


@claim("proof.B1quad/value", readings=("quadratic",), family=_ROOTS)
def value(w: World, r: Reading) -> Sides:
    """d coordinates that differ by delta_j - delta_k, over d for minimisers of the loss."""
    deltas, (_, square) = _root_deltas(w), _sizes(w, r.quadratic)
    return {"|x_j - x_k|^2/d": square / w.d}, {
        "(delta_j - delta_k)^2": (deltas[..., 0] - deltas[..., 1]) ** 2
    }


@claim("proof.B1quad/roots", family=_ROOTS)
def roots(w: World) -> Sides:
    """|s - t|^2 <= |s - t| (s + t)."""
    root = xp.sqrt(w.bias)
    return {"(sqrt b - sqrt b')^2": (root[..., 0] - root[..., 1]) ** 2}, {"|b - b'|": _distance(w)}


@claim("proof.B1quad.repaired", family=_ROOTS)
def bias_quadratic(w: World) -> Sides:
    """The gap for g_alpha, the larger of the two.

    Proof. With curvature c the gap is c |x_j^* - x_k^*|^2/2: (delta_j - delta_k)^2/2 for g_alpha
    (c = 1/d, distance sqrt(d) |delta_j - delta_k|), a d-th of it for the loss. s -> s^+ is
    1-Lipschitz, so it is at most (sqrt b_1j - sqrt b_1k)^2/2 <= |b_1j - b_1k|/2 <= b_jk."""
    return {"gap": _sizes(w, "function")[0]}, {"b_jk": _distance(w)}
