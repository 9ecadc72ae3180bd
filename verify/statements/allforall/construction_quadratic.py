"""The quadratic construction of Appendix B.3: what it claims about itself.

The paper gives the loss |x - xi|^2/2, whose mean over a law on the axes has curvature 1 and its
minimum at (1/2 + delta_j alpha)/d, and next to it g_alpha with curvature 1/d and its minimum at
1/2 + delta alpha: the two do not belong together.  Both are readings here.
"""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from verify.claim import Array, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.construction import BIAS, POINT, distance, laws, laws_of
from verify.world.world import World

B3 = "Appendix B.3"
_READINGS = ("loss", "function")


def _value_at(w: World, x: Array, pull: Array, reading: str) -> Array:
    """f_j(x): E|x - xi|^2/2, or (1/2d) sum_k (x_k^2 + 1 - 2 (1/2 + alpha_k delta_j) x_k)."""
    if reading == "loss":
        # xi is one of the axes or 0, so that E|xi|^2 is the sum of the means
        return xp.total(x**2 - 2 * pull * x + pull) / 2
    return xp.total(x**2 + 1 - 2 * pull * x) / (2 * w.d)


def _curvature(w: World, reading: str) -> Sides:
    pull = (xp.ones_like(w.delta) + 2 * w.delta) / 2
    pull = pull / w.d if reading == "loss" else pull
    first = xp.eye(w.d, w.delta)[0]
    ahead, here, back = (
        _value_at(w, w.point[..., None] + side * first, pull[..., None], reading)
        for side in (1, 0, -1)
    )
    return {"curvature": ahead - 2 * here + back}, {"L = 1/d": xp.ones_like(w.delta) / w.d}


curvature = tuple(
    statement(
        f"allforall.construction.quadratic@{reading}",
        where=B3,
        kind="proof step",
        latex=r"L=1/d",
        title="quadratic construction",
        family=numbers({"delta": box.DELTA, "point": POINT}, {"d": 1}, {"d": 2}),
        note="""The mean of the loss |x - xi|^2/2 has curvature 1 in every direction, g_alpha 1/d: a
        second difference along the first axis.""",
    )(partial(_curvature, reading=reading))
    for reading in _READINGS
)
laws_of_roots = laws.variant(
    "allforall.proof.dHquad",
    where=B3,
    title="laws of the quadratic construction",
    latex=r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le|\delta_i-\delta_j|\le\sqrt{b_{ij}}",
    sides=partial(laws_of, power=2),
)


def _root_deltas(w: World) -> Array:
    """delta_j = (delta - sqrt b_1j)^+."""
    return xp.positive_part(w.delta[..., None] - xp.sqrt(w.bias))


def _sizes(w: World, reading: str) -> tuple[Array, Array]:
    """f_j(x_k^*) - f_j(x_j^*) and |x_j^* - x_k^*|^2, for the loss or for g_alpha."""
    deltas = _root_deltas(w)
    signs = xp.stack([(1 - 2 * (k % 2)) * xp.ones_like(w.delta) for k in range(w.d)], -1)
    own, other = (xp.ones_like(signs) / 2 + deltas[..., k, None] * signs for k in (0, 1))
    if reading == "loss":
        own, other = own / w.d, other / w.d
    gap = _value_at(w, other, own, reading) - _value_at(w, own, own, reading)
    return gap, xp.total((own - other) ** 2)


def _norm(w: World, reading: str) -> Sides:
    gap, square = _sizes(w, reading)
    return {"gap": gap}, {"|x_j - x_k|^2/d": square / w.d}


ROOTS = numbers(
    {"delta": box.DELTA, "bias": BIAS},
    *({"N": 2, "d": d} for d in (2, 3, 4)),
    about="two agents, any dimension",
)
norm = tuple(
    statement(
        f"allforall.proof.B1quad/norm@{reading}",
        where=B3,
        kind="proof step",
        relation="==",
        title="bias of the quadratic construction",
        family=ROOTS,
        latex=r"f_j(x_k^*)-f_j(x_j^*)=\tfrac1d\|x_j^*-x_k^*\|^2",
        note="f_j(x) - f_j(x_j^*) is half the curvature (1 or 1/d) times the squared distance.",
    )(partial(_norm, reading=reading))
    for reading in _READINGS
)


def _value(w: World, reading: str) -> Sides:
    deltas, (_, square) = _root_deltas(w), _sizes(w, reading)
    return {"|x_j - x_k|^2/d": square / w.d}, {
        "(delta_j - delta_k)^2": (deltas[..., 0] - deltas[..., 1]) ** 2
    }


value = tuple(
    norm[0].like(
        f"allforall.proof.B1quad/value@{reading}",
        latex=r"\tfrac1d\|x_j^*-x_k^*\|^2=(\delta_j-\delta_k)^2",
        note="d coordinates that differ by delta_j - delta_k, over d for minimisers of the loss.",
    )(partial(_value, reading=reading))
    for reading in _READINGS
)


@norm[0].like(
    "allforall.proof.B1quad/roots",
    relation="<=",
    latex=r"(\sqrt{b_{1j}}-\sqrt{b_{1k}})^2\le|b_{1j}-b_{1k}|",
    note="|s - t|^2 <= |s - t| (s + t).",
)
def roots(w: World) -> Sides:
    root = xp.sqrt(w.bias)
    return {"(sqrt b - sqrt b')^2": (root[..., 0] - root[..., 1]) ** 2}, {"|b - b'|": distance(w)}


@norm[0].like(
    "allforall.proof.B1quad.repaired",
    relation="<=",
    latex=r"f_j(x_k^*)-f_j(x_j^*)\le\tfrac12(\delta_j-\delta_k)^2\le b_{jk}",
    note="The gap for g_alpha, the larger of the two.",
    proof="""With curvature c the gap is c |x_j^* - x_k^*|^2/2: (delta_j - delta_k)^2/2 for g_alpha
    (c = 1/d, distance sqrt(d) |delta_j - delta_k|), a d-th of it for the loss. s -> s^+ is
    1-Lipschitz, so it is at most (sqrt b_1j - sqrt b_1k)^2/2 <= |b_1j - b_1k|/2 <= b_jk.""",
)
def bias_quadratic(w: World) -> Sides:
    return {"gap": _sizes(w, "function")[0]}, {"b_jk": distance(w)}
