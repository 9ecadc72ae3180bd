"""Section 5 and Appendix E: all-for-all under Setting 1, speed-up, bias terms, epochs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import (
    GRADIENT,
    LENGTH,
    POSITIVE_LENGTH,
    PRECISION,
    gram,
    mixing,
    numbers,
    one,
    source,
)
from verify.world.world import World

Array = Any
_ABSOLUTE = {
    "rows": Real(1 / 16, 1, per=("N", "N")),
    "slope_share": Real(0, 1, per=("N",)),
    "centre": Real(-2, 2, unit=(0, 1), per=("N",)),
    "size": GRADIENT,
    "start": LENGTH,
}
ABSOLUTE = numbers(
    _ABSOLUTE, {"N": 1, "rounds": 1}, {"N": 1, "rounds": 4}, {"N": 2, "rounds": 2},
    {"N": 2, "rounds": 3},
    about="f_i = s_i |x - m_i|, gradients +-B, all drawn agents and signs, any Lambda",
)  # fmt: skip


def _mix(w: World) -> Array:
    return mixing(w.rows)


def _mass(w: World) -> Array:
    return xp.total(xp.total(_mix(w) ** 2))


def _slopes(w: World) -> Array:
    return w.slope_share * w.size[..., None]


def _pairs(w: World) -> Array:
    """b_ij = s_i |m_j - m_i|: B.1 with equality."""
    apart = xp.absolute(w.centre[..., :, None] - w.centre[..., None, :])
    return _slopes(w)[..., :, None] * apart


def _squared_distance(w: World) -> Array:
    """|y^0 - y^Lambda|^2 with Lambda y^Lambda = x^*, a minimiser of f^Lambda."""
    target = w.centre
    if w.N == 2:
        m, c = _mix(w), w.centre
        det = m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0]
        first = (m[..., 1, 1] * c[..., 0] - m[..., 0, 1] * c[..., 1]) / det
        second = (m[..., 0, 0] * c[..., 1] - m[..., 1, 0] * c[..., 0]) / det
        target = xp.stack([first, second], -1)
    return xp.total((w.start[..., None] - target) ** 2)


def _invertible(w: World) -> Terms:
    if w.N == 1:
        return {"Lambda invertible": one(w.size), "distance": _squared_distance(w)}
    m = _mix(w)
    gap = m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0]
    return {"Lambda invertible": gap**2, "distance": _squared_distance(w)}


_STRICT = frozenset({"Lambda invertible", "distance"})


def _convex(w: World) -> tuple[Terms, Terms]:
    """E|G_Lambda|^2 <= B^2 S/N, and Lemma 6 on f^Lambda: the printed bound is 4/3 of what the
    recursion gives."""
    from synthetic.exact_runs import absolute_gaps, absolute_tree

    args = (w.size**2, _squared_distance(w), w.N, _mass(w), w.rounds)
    step = rates.all_convex_step(*args)
    tree = absolute_tree(gram(_mix(w)), _slopes(w), w.centre, w.size, w.start, step, w.rounds - 1)
    gaps = [xp.mean(absolute_gaps(tree, k, _slopes(w), w.centre)) for k in range(w.rounds)]
    bias = xp.total(xp.total(_mix(w) * _pairs(w))) / w.N
    left = sum(gaps[1:], start=gaps[0]) / w.rounds
    return {"mean F": left}, rates.all_convex_upper(*args, bias)


BLOCKS = numbers(
    {"share": Real(0, 1), "size": GRADIENT, "offset": Real(0, 1), "precision": PRECISION,
     "distance": Real(1 / 8, 8, unit=(0, 1), log=True)},
    {"N": 1, "block": 1, "rounds": 16}, {"N": 2, "block": 1, "rounds": 32},
    {"N": 4, "block": 4, "rounds": 32}, {"N": 4, "block": 2, "rounds": 48},
    about="blocks of equal agents s |x - m|, gradients +-B",
)  # fmt: skip


def average_over_blocks(best: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its block is
        drawn.

        Proof with the step N D/(B sqrt(K S)).  E|G_Lambda|^2 <= B^2 S/N and |y^0 - y^Lambda|^2 <=
        N D^2, so that the mean of f^Lambda over K rounds is at most N D^2/(2 eta K) + eta B^2 S/(2 N)
        = D B sqrt(S/K) <= eps/2 above its minimum for K >= 4 D^2 B^2 S/eps^2; Lemma 3 adds eps/2 at
        most. The step as printed in Theorem 3 is longer by sqrt 2: 1.06 eps/2 + eps/2.
        """
        from synthetic.exact_runs import absolute_lattice

        mass = one(w.size) * w.N / w.block
        step = rates.all_convex_step(w.size**2, w.N * w.distance**2, w.N, mass, w.rounds)
        if best:
            step = step / xp.sqrt(2 * one(w.size))
        awake = one(w.size) * w.block / w.N
        move = step * w.size / w.block
        tree = absolute_lattice(w.share, w.distance * w.offset, move, awake, w.rounds - 1)
        gaps = [xp.total(c * xp.absolute(tree.points[0][..., 0])) for c in tree.chances]
        mean = w.share * w.size * sum(gaps[1:], start=gaps[0]) / w.rounds
        return {"mean F": mean}, {"precision": w.precision}

    return sides


def rounds_for_blocks(w: World) -> Terms:
    """K at least 4 D^2 B^2 S/eps^2."""
    mass = one(w.size) * w.N / w.block
    asked = rates.all_convex_samples_upper(w.size**2, w.distance**2, w.precision, mass)
    return {"K at least the bound": w.rounds - asked}


COUNTS = numbers(
    {"bias": Real(0, 4, unit=(1, 0), per=("N", "N")), "precision": PRECISION, "size": GRADIENT,
     "distance": POSITIVE_LENGTH}, {"N": 1}, {"N": 3}, about="any biases, b_ii = 0",
)  # fmt: skip


def _speedup(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Between the printed bounds (reading a): Theorem 4.1 with the weights of its Lambda,
        Theorem 2.1 with the agents counted, and Theorem 2.1 for an agent on its own."""
        off = w.bias * (1 - xp.eye(w.N, w.bias))
        rows = rates.close_weights(off, w.precision[..., None] + 0 * off[..., 0])
        mass = xp.total(xp.total(rows**2))
        sizes = (w.size**2, w.distance**2, w.precision)
        together = rates.all_convex_samples_upper(*sizes, mass)
        close = [rates.close_agents(2 * off[..., i, :], w.precision) for i in range(w.N)]
        if part == "mean":
            each = [rates.averaging_samples_upper(*sizes, w.N, n) for n in close]
            return {"T": together}, {"mean of T(i)": sum(each[1:], start=each[0]) / w.N}
        alone = w.N * rates.averaging_samples_upper(*sizes, 1, one(w.precision))
        return {"T over no collaboration": together / alone}, {
            "mean of 1/N_i": sum(1 / n for n in close) / w.N
        }

    return sides


BIASES = numbers({"alpha": Real(0, 1, per=("N",)), "bias": Real(0, 4, unit=(1, 0), per=("N", "N"))},
                 {"N": 2}, {"N": 3}, about="any biases, b_ii = 0")  # fmt: skip


def _terms(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """(1/N) sum lambda b for interpolated and for equal weights."""
        off = w.bias * (1 - xp.eye(w.N, w.bias))
        if part == "equal":
            lam = 0 * off + one(off) / w.N
            return {"bias": xp.total(xp.total(lam * off)) / w.N}, {"printed": xp.total(xp.total(off)) / w.N**2}
        share = (w.alpha / (w.N - 1))[..., None] + 0 * off
        return {"bias": xp.total(xp.total(share * off)) / w.N}, {
            "printed": xp.total(w.alpha * xp.total(off)) / (w.N - 1) / w.N
        }

    return sides


_3A = r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\sqrt{\tfrac{2B^2\sum_i\|x_i^0-x_i^\Lambda\|^2}{NK}\sum_{ij}\lambda_{ij}^2}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}"


def claim(key: str, where: str, latex: str, **fields: Any) -> Statement:
    fields.setdefault("title", "all-for-all")
    return Statement(key=f"allforall.{key}", source=source(where), latex=latex, **fields)


STATEMENTS = (
    claim("theorem3a", "Theorem 3.a", _3A, family=ABSOLUTE, sides=_convex, given=_invertible, strict=_STRICT),
    claim("speedup/mean", "after Theorem 4", r"T_\varepsilon\le\tfrac1N\sum_iT_\varepsilon(i)", family=COUNTS,
           sides=_speedup("mean"), kind="claim"),
    claim("speedup/factor", "after Theorem 4", r"\tfrac{T_\varepsilon}{T_\varepsilon^{\mathrm{alone}}}=\tfrac1N\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)}",
           family=COUNTS, sides=_speedup("factor"), kind="claim", relation="=="),
    claim("biasterms/interpolation", "after Theorem 4", r"\tfrac1N\sum_i\tfrac{\alpha_i}{N-1}\sum_{j\ne i}b_{ij}",
           family=BIASES, sides=_terms("interpolation"), kind="claim", relation="=="),
    claim("biasterms/equal", "after Theorem 4", r"\tfrac1{N^2}\sum_{ij}b_{ij}", family=BIASES,
           sides=_terms("equal"), kind="claim", relation="=="),
)  # fmt: skip
