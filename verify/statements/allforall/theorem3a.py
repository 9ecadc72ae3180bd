"""Section 5 and Appendix E: all-for-all under Setting 1, Theorem 3.a."""

from __future__ import annotations

import numpy as np

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact import lattices
from verify.claim import Array, Sides, hypothesis
from verify.statements.allforall import measured
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Theorem 3.a :: theorem :: all-for-all
    theorem3a :: \mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\sqrt{\tfrac{2B^2\sum_i\|x_i^0-x_i^\Lambda\|^2}{NK}\sum_{ij}\lambda_{ij}^2}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}
""")
_ABOUT = "f_i = s_i |x - m_i|, gradients +-B, all drawn agents and signs, "
_ANY, _EQUAL = (
    q.family(f"{row} slope_share centre size start", _ABOUT + which, *sizes, grow=())
    for row, which, sizes in (
        ("rows", "any Lambda", q.sizes("N rounds", (1, 1), (1, 4), (2, 2), (2, 3))),
        ("row", "equal rows", q.sizes("N rounds", (2, 1), (2, 3))),
    )
)


def _determinant(m: Array) -> Array:
    return m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0]


@quantity
def determinant(w: World, weights: Array, like: Array, agents: int) -> Array:
    """det Lambda of two agents, 1 of one alone."""
    return xp.ones_like(like) if agents == 1 else _determinant(weights)


def _weights(w: World) -> Array:
    """Lambda: any rows, the same in every row, or equal weights within blocks."""
    if w.has("block"):
        block = np.arange(w.N) // w.block
        alike = xp.indicator(block[:, None] == block, xp.eye(w.N, w.start))
        return alike / w.block + 0 * w.start[..., None, None]
    if not w.has("row"):
        return q.mixing(w.rows)
    return q.mixing(w.row)[..., None, :] + 0 * w.row[..., :, None]


def _squared_distance(w: World) -> Array:
    """|y^0 - y^Lambda|^2 with Lambda y^Lambda = x^*, a minimiser of f^Lambda.

    With equal rows lambda the minimiser is that of the steeper of two agents for both models, and
    the nearest y^Lambda lies along lambda. With equal weights within blocks each block has one
    model, and y^Lambda is the minimiser of its mean loss for every agent.
    """
    if w.has("block"):
        best = lattices.weighted_median(_by_block(w, w.slope_share), _by_block(w, w.centre))
        return w.block * xp.total((w.start[..., None] - best) ** 2)
    if w.has("row"):
        first = xp.indicator(w.slope_share[..., 0] >= w.slope_share[..., 1], w.start)
        steep = first * w.centre[..., 0] + (1 - first) * w.centre[..., 1]
        return (w.start - steep) ** 2 / q.mass(q.mixing(w.row))
    target = solved(w, q.mixing(w.rows), w.centre, w.N)
    return xp.total((w.start[..., None] - target) ** 2)


@quantity
def solved(w: World, weights: Array, centre: Array, agents: int) -> Array:
    """y with Lambda y = x^*, of two agents, or of one alone."""
    if agents != 2:
        return centre
    m, c, det = weights, centre, _determinant(weights)
    first = (m[..., 1, 1] * c[..., 0] - m[..., 0, 1] * c[..., 1]) / det
    second = (m[..., 0, 0] * c[..., 1] - m[..., 1, 0] * c[..., 0]) / det
    return xp.stack([first, second], -1)


def _by_block(w: World, value: Array) -> Array:
    """(..., N) as (..., blocks, c)."""
    return value.reshape((*value.shape[:-1], -1, w.block))


def _mean_gaps(w: World, lam: Array, slopes: Array, step: Array) -> Array:
    """E F^k averaged over k < K: over all outcomes, or on a lattice for each block."""
    if w.has("block"):
        shares, centres = _by_block(w, w.slope_share), _by_block(w, w.centre)
        start, move, awake = (
            x[..., None] + 0 * shares[..., 0]
            for x in (w.start, step * w.size / w.block, xp.ones_like(w.size) * w.block / w.N)
        )
        walk = lattices.block_walk(shares, centres, start, move, awake, w.rounds - 1)
        losses = walk.mean(lattices.mean_loss(shares, centres, walk.places))
        return w.size * xp.mean(xp.mean(losses))
    run = q.gram(lam), slopes, w.centre, w.size, w.start, step, w.rounds - 1
    tree = measured.outcomes(w, *run)
    return measured.mean_gaps_summed(w, tree, slopes, w.centre, w.rounds) / w.rounds


@hypothesis("Lambda invertible", r"\det\Lambda\ne0", strict=True, defining=True)
def invertible(w: World) -> Array:
    if w.has("row") or w.has("block"):
        return xp.ones_like(w.size)
    return determinant(w, q.mixing(w.rows), w.size, w.N) ** 2


@claim("theorem3a", family=_ANY, also=(_EQUAL,), given=[invertible])
def theorem3a(w: World) -> Sides:
    """E|G_Lambda|^2 <= B^2 S/N, and Lemma 6 on f^Lambda: the printed bound is 4/3 of what the
    recursion gives. b_ij = s_i |m_j - m_i|: B.1 with equality."""
    lam, slopes = _weights(w), w.slope_share * w.size[..., None]
    args = (w.size**2, _squared_distance(w), w.N, xp.total(q.mass(lam)), w.rounds)
    step = rates.all_convex_step(*args)
    pairs = slopes[..., :, None] * xp.absolute(w.centre[..., :, None] - w.centre[..., None, :])
    bias = xp.total(xp.total(lam * pairs)) / w.N
    return {"mean F": _mean_gaps(w, lam, slopes, step)}, rates.all_convex_upper(*args, bias)
