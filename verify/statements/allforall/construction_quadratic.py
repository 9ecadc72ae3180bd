"""The quadratic construction of Appendix B.3: what it claims about itself.

The paper gives the loss |x - xi|^2/2, whose mean over a law on the axes has curvature 1 and its
minimum at (1/2 + delta_j alpha)/d, and next to it g_alpha with curvature 1/d and its minimum at
1/2 + delta alpha: the two do not belong together.  Both are readings here.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import numbers, one
from verify.statements.allforall.construction import (
    DELTA,
    LAWS,
    POINT,
    diameter,
    laws,
    step,
)
from verify.world.world import World

ROOTS = numbers({"delta": DELTA, "bias": Real(0, 1 / 2, per=("N",))}, *({"N": 2, "d": d} for d in (2, 3, 4)),
                about="two agents, any dimension")  # fmt: skip


def _root_square(w: World) -> Any:
    """(delta_j - delta_k)^2 with delta_j = (delta - sqrt b_1j)^+."""
    d = xp.positive_part(w.delta[..., None] - xp.sqrt(w.bias))
    return (d[..., 0] - d[..., 1]) ** 2


def _distance(w: World) -> Any:
    """b_jk = |b_1j - b_1k|: the smallest symmetric bias with the triangle inequality."""
    return xp.absolute(w.bias[..., 0] - w.bias[..., 1])


def _minimisers(w: World, reading: str) -> tuple[Any, Any, Any]:
    """x_j^*, x_k^* and the point E xi (loss) or 1/2 + delta_j alpha (g_alpha), (..., d)."""
    deltas = xp.positive_part(w.delta[..., None] - xp.sqrt(w.bias))
    signs = xp.stack([(1 - 2 * (k % 2)) * one(w.delta) for k in range(w.d)], -1)
    own, other = (one(signs) / 2 + deltas[..., k, None] * signs for k in (0, 1))
    return (own / w.d, other / w.d, own / w.d) if reading == "loss" else (own, other, own)


def _value_at(w: World, x: Any, pull: Any, reading: str) -> Any:
    """f_j(x): E|x - xi|^2/2, or (1/2d) sum_k (x_k^2 + 1 - 2 (1/2 + alpha_k delta_j) x_k)."""
    if reading == "loss":
        # xi is one of the axes or 0, so that E|xi|^2 is the sum of the means
        return xp.total(x**2 - 2 * pull * x + pull) / 2
    return xp.total(x**2 + 1 - 2 * pull * x) / (2 * w.d)


def _sizes(w: World, reading: str) -> tuple[Any, Any]:
    """f_j(x_k^*) - f_j(x_j^*) and |x_j^* - x_k^*|^2, for the loss or for g_alpha."""
    own, other, pull = _minimisers(w, reading)
    gap = _value_at(w, other, pull, reading) - _value_at(w, own, pull, reading)
    return gap, xp.total((own - other) ** 2)


def _norm(reading: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """f_j(x) - f_j(x_j^*) is half the curvature (1 or 1/d) times the squared distance."""
        gap, square = _sizes(w, reading)
        return {"gap": gap}, {"|x_j - x_k|^2/d": square / w.d}

    return sides


def _value(reading: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """d coordinates that differ by delta_j - delta_k, over d for the minimisers of the loss."""
        _, square = _sizes(w, reading)
        return {"|x_j - x_k|^2/d": square / w.d}, {"(delta_j - delta_k)^2": _root_square(w)}

    return sides


def _bound(w: World) -> tuple[Terms, Terms]:
    """The gap for g_alpha, the larger of the two.

    Proof.  With curvature c the gap is c |x_j^* - x_k^*|^2/2: (delta_j - delta_k)^2/2 for g_alpha
    (c = 1/d, distance sqrt(d) |delta_j - delta_k|), a d-th of it for the loss. s -> s^+ is
    1-Lipschitz, so it is at most (sqrt b_1j - sqrt b_1k)^2/2 <= |b_1j - b_1k|/2 <= b_jk.
    """
    return {"gap": _sizes(w, "function")[0]}, {"b_jk": _distance(w)}


def _root_chain(w: World) -> tuple[Terms, Terms]:
    """|s - t|^2 <= |s - t| (s + t)."""
    roots = xp.sqrt(w.bias)
    return {"(sqrt b - sqrt b')^2": (roots[..., 0] - roots[..., 1]) ** 2}, {"|b - b'|": _distance(w)}


def _curvature(reading: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The mean of the loss |x - xi|^2/2 has curvature 1 in every direction, g_alpha 1/d: a
        second difference along the first axis."""
        pull = (one(w.delta) + 2 * w.delta) / 2
        pull = pull / w.d if reading == "loss" else pull
        first = xp.eye(w.d, w.delta)[0]
        ahead, here, back = (
            _value_at(w, w.point[..., None] + side * first, pull[..., None], reading)
            for side in (1, 0, -1)
        )
        return {"curvature": ahead - 2 * here + back}, {"L = 1/d": one(w.delta) / w.d}

    return sides


def _claim(key: str, latex: str, title: str, **fields: Any) -> Statement:
    return step(key, latex, title, "Appendix B.3", **fields)


_BIAS = "bias of the quadratic construction"
_READINGS = ("loss", "function")
STATEMENTS = (
    *(_claim(f"construction.quadratic@{r}", r"L=1/d", "quadratic construction",
             family=numbers({"delta": DELTA, "point": POINT}, {"d": 1}, {"d": 2}),
             sides=_curvature(r))
      for r in _READINGS),
    _claim("proof.dHquad", r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le|\delta_i-\delta_j|\le\sqrt{b_{ij}}",
           "laws of the quadratic construction", family=LAWS, sides=laws(2), given=diameter),
    *(_claim(f"proof.B1quad/norm@{r}", r"f_j(x_k^*)-f_j(x_j^*)=\tfrac1d\|x_j^*-x_k^*\|^2", _BIAS,
             relation="==", family=ROOTS, sides=_norm(r)) for r in _READINGS),
    *(_claim(f"proof.B1quad/value@{r}", r"\tfrac1d\|x_j^*-x_k^*\|^2=(\delta_j-\delta_k)^2", _BIAS,
             relation="==", family=ROOTS, sides=_value(r)) for r in _READINGS),
    _claim("proof.B1quad/roots", r"(\sqrt{b_{1j}}-\sqrt{b_{1k}})^2\le|b_{1j}-b_{1k}|", _BIAS,
           family=ROOTS, sides=_root_chain),
    _claim("proof.B1quad.repaired", r"f_j(x_k^*)-f_j(x_j^*)\le\tfrac12(\delta_j-\delta_k)^2\le b_{jk}",
           _BIAS, family=ROOTS, sides=_bound, form="repaired"),
)  # fmt: skip
