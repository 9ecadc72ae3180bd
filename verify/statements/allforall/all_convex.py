"""Section 5 and Appendix E: all-for-all under Setting 1, Theorems 3.a and 4.1, Proposition 3."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact import lattices
from synthetic.exact.runs import absolute_gaps, absolute_tree
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import gram, mass, mixing
from verify.world.world import World

TITLE = "all-for-all"


def _determinant(w: World) -> Array:
    m = mixing(w.rows)
    return m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0]


def _weights(w: World) -> Array:
    """Lambda: any rows, the same in every row, or equal weights within blocks."""
    if w.has("block"):
        block = np.arange(w.N) // w.block
        alike = xp.indicator(block[:, None] == block, xp.eye(w.N, w.start))
        return alike / w.block + 0 * w.start[..., None, None]
    if not w.has("row"):
        return mixing(w.rows)
    return mixing(w.row)[..., None, :] + 0 * w.row[..., :, None]


def _squared_distance(w: World) -> Array:
    """|y^0 - y^Lambda|^2 with Lambda y^Lambda = x^*, a minimiser of f^Lambda.

    With equal rows lambda the minimiser is that of the steeper of two agents for both models, and
    the nearest y^Lambda lies along lambda. With equal weights within blocks each block has one
    model, and y^Lambda is the minimiser of its mean loss for every agent.
    """
    if w.has("block"):
        best = lattices.weighted_median(_by_block(w, w.slope_share), _by_block(w, w.centre))
        return w.block * xp.total((w.start[..., None] - best) ** 2)
    target = w.centre
    if w.has("row"):
        first = xp.indicator(w.slope_share[..., 0] >= w.slope_share[..., 1], w.start)
        steep = first * w.centre[..., 0] + (1 - first) * w.centre[..., 1]
        return (w.start - steep) ** 2 / mass(mixing(w.row))
    if w.N == 2:
        m, c, det = mixing(w.rows), w.centre, _determinant(w)
        first = (m[..., 1, 1] * c[..., 0] - m[..., 0, 1] * c[..., 1]) / det
        second = (m[..., 0, 0] * c[..., 1] - m[..., 1, 0] * c[..., 0]) / det
        target = xp.stack([first, second], -1)
    return xp.total((w.start[..., None] - target) ** 2)


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
    tree = absolute_tree(gram(lam), slopes, w.centre, w.size, w.start, step, w.rounds - 1)
    gaps = [xp.mean(absolute_gaps(tree, k, slopes, w.centre)) for k in range(w.rounds)]
    return sum(gaps[1:], start=gaps[0]) / w.rounds


@statement(
    "allforall.theorem3a",
    where="Theorem 3.a",
    title=TITLE,
    latex=r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\sqrt{\tfrac{2B^2\sum_i\|x_i^0-x_i^\Lambda\|^2}{NK}\sum_{ij}\lambda_{ij}^2}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
    family=replace(
        numbers(
            {
                "rows": box.ROWS,
                "slope_share": box.SHARES,
                "centre": box.LENGTHS,
                "size": box.GRADIENT,
                "start": box.LENGTH,
            },
            {"N": 1, "rounds": 1},
            {"N": 1, "rounds": 4},
            {"N": 2, "rounds": 2},
            {"N": 2, "rounds": 3},
            about="f_i = s_i |x - m_i|, gradients +-B, all drawn agents and signs, any Lambda",
        ),
        grow=(),
    ),
    also=(
        replace(
            numbers(
                {
                    "row": box.WEIGHTS,
                    "slope_share": box.SHARES,
                    "centre": box.LENGTHS,
                    "size": box.GRADIENT,
                    "start": box.LENGTH,
                },
                {"N": 2, "rounds": 1},
                {"N": 2, "rounds": 3},
                about="f_i = s_i |x - m_i|, gradients +-B, all drawn agents and signs, equal rows",
            ),
            grow=(),
        ),
    ),
    given=[
        Hypothesis(
            "Lambda invertible",
            r"\det\Lambda\ne0",
            strict=True,
            defining=True,
            rule=lambda w: (
                xp.ones_like(w.size)
                if w.N == 1 or w.has("row") or w.has("block")
                else _determinant(w) ** 2
            ),
        ),
    ],
    note="""E|G_Lambda|^2 <= B^2 S/N, and Lemma 6 on f^Lambda: the printed bound is 4/3 of what the
    recursion gives. b_ij = s_i |m_j - m_i|: B.1 with equality.""",
)
def theorem3a(w: World) -> Sides:
    lam, slopes = _weights(w), w.slope_share * w.size[..., None]
    args = (w.size**2, _squared_distance(w), w.N, xp.total(mass(lam)), w.rounds)
    step = rates.all_convex_step(*args)
    pairs = slopes[..., :, None] * xp.absolute(w.centre[..., :, None] - w.centre[..., None, :])
    bias = xp.total(xp.total(lam * pairs)) / w.N
    return {"mean F": _mean_gaps(w, lam, slopes, step)}, rates.all_convex_upper(*args, bias)


def _speedup(w: World, part: str) -> Sides:
    off = w.bias * (1 - xp.eye(w.N, w.bias))
    rows = rates.close_weights(off, w.precision[..., None] + 0 * off[..., 0])
    sizes = (w.size**2, w.distance**2, w.precision)
    together = rates.all_convex_samples_upper(*sizes, xp.total(mass(rows)))
    close = [rates.close_agents(2 * off[..., i, :], w.precision) for i in range(w.N)]
    if part == "mean":
        each = [rates.averaging_samples_upper(*sizes, w.N, n) for n in close]
        return {"T": together}, {"mean of T(i)": sum(each[1:], start=each[0]) / w.N}
    alone = w.N * rates.averaging_samples_upper(*sizes, 1, xp.ones_like(w.precision))
    shares = sum(1 / n for n in close) / w.N
    return {"T over no collaboration": together / alone}, {"mean of 1/N_i": shares}


_PAIRS = Real(0, 4, unit=(1, 0), per=("N", "N"))
speedup = statement(
    "allforall.speedup/mean",
    where="after Theorem 4",
    kind="claim",
    title=TITLE,
    latex=r"T_\varepsilon\le\tfrac1N\sum_iT_\varepsilon(i)",
    family=numbers(
        {
            "bias": _PAIRS,
            "precision": box.PRECISION,
            "size": box.GRADIENT,
            "distance": box.DISTANCE,
        },
        {"N": 1},
        {"N": 3},
        about="any biases, b_ii = 0",
    ),
    note="""Between the printed bounds (reading a): Theorem 4.1 with the weights of its Lambda,
    Theorem 2.1 with the agents counted, and Theorem 2.1 for an agent on its own.""",
)(partial(_speedup, part="mean"))
speedup_factor = speedup.variant(
    "allforall.speedup/factor",
    relation="==",
    sides=partial(_speedup, part="factor"),
    latex=r"\tfrac{T_\varepsilon}{T_\varepsilon^{\mathrm{alone}}}=\tfrac1N\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)}",
)


def _terms(w: World, part: str) -> Sides:
    off = w.bias * (1 - xp.eye(w.N, w.bias))
    if part == "equal":
        share, printed = 0 * off + xp.ones_like(off) / w.N, xp.total(xp.total(off)) / w.N**2
    else:
        share = (w.alpha / (w.N - 1))[..., None] + 0 * off
        printed = xp.total(w.alpha * xp.total(off)) / (w.N - 1) / w.N
    return {"bias": xp.total(xp.total(share * off)) / w.N}, {"printed": printed}


bias_terms = tuple(
    statement(
        f"allforall.biasterms/{part}",
        where="after Theorem 4",
        kind="claim",
        title=TITLE,
        relation="==",
        latex=latex,
        family=numbers(
            {"alpha": box.SHARES, "bias": _PAIRS}, {"N": 2}, {"N": 3}, about="any biases, b_ii = 0"
        ),
        note="(1/N) sum lambda b for interpolated and for equal weights.",
    )(partial(_terms, part=part))
    for part, latex in (
        ("interpolation", r"\tfrac1N\sum_i\tfrac{\alpha_i}{N-1}\sum_{j\ne i}b_{ij}"),
        ("equal", r"\tfrac1{N^2}\sum_{ij}b_{ij}"),
    )
)


def _moved(w: World, longer: int) -> Array:
    """Upper bound of the way in 16 D^2 B^2/eps^2 rounds, epochs of ``longer`` times K_eps.

    The epoch of 2^-q has step 2 D^2/(K B^2) = 1/(2 B^4 4^q) with K = 4 D^2 B^2 4^q, and at most one
    round more than its length.
    """
    left = 16 * (w.distance * w.size) ** 2 * 4**w.p
    way: Array = 0 * left
    for q in range(w.p + 2):
        length = xp.minimum(longer * 4 * (w.distance * w.size) ** 2 * 4**q, left)
        way = way + (length + 1) / (2 * w.size**3 * 4**q)
        left = left - length
    return way


def _least_gap(w: World, longer: int) -> Sides:
    gap = xp.positive_part(w.distance * w.offset - _moved(w, longer))
    return {"smallest F": w.size * gap}, {"precision": xp.ones_like(w.size) / 2**w.p}


schedule = tuple(
    statement(
        f"allforall.prop3@{name}",
        where="Proposition 3",
        kind="property",
        title="time-adaptive all-for-all",
        latex=r"T_\varepsilon\le\tfrac{16D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\ \eta(\varepsilon)=\tfrac{2ND^2}{K_\varepsilon B^2\sum_i1/\mathcal N_i^\varepsilon(2b)}",
        family=numbers(
            {
                "size": Real(1 / 8, 64, log=True),
                "distance": Real(1 / 8, 8, log=True),
                "offset": box.SHARE,
            },
            {"p": 0},
            {"p": 1},
            {"p": 3},
            about="one agent with f = B |x|, exact gradients, x^0 within D, eps = 2^-p",
        ),
        note="""Smallest gap among all rounds up to the printed number of samples. Whatever
        "averaged precision" averages, over an epoch or over the run, it is no smaller than this.
        The printed eta(eps) is the square of the step of Theorem 3: it has another unit, and an
        epoch moves by 2 D^2/B only, however far the minimum is.""",
    )(partial(_least_gap, longer=longer))
    for name, longer in (("epochs-of-T", 4), ("epochs-of-K", 1))
)


@schedule[0].like(
    "allforall.prop3.repaired/length",
    latex=r"\sum_{q\le p}K_{2^{-q}}\le\tfrac{64}3\tfrac{D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^{\varepsilon/2}(2b)},\ 2^{-p}\le\varepsilon<2^{1-p}",
    family=numbers(
        {
            "mass": Real(1, 4, log=True),
            "growth": Real(0, 1, per=("p",)),
            "scale": Real(1 / 8, 8, log=True),
        },
        {"p": 1},
        {"p": 3},
        {"p": 8},
        about="sums of squares that grow from epoch to epoch",
    ),
    note="All epochs down to 2^-p <= eps < 2^-(p-1), against 64/3 (BD)^2 S/eps^2 at the last S.",
    proof="""4 sum_{q<=p} 4^q S_q <= (16/3) 4^p S_p, as fewer agents are close at a smaller
    precision, and 4^p < 4/eps^2.""",
)
def doubling(w: World) -> Sides:
    masses = [w.mass]
    for q in range(w.p):
        masses.append(masses[-1] * (1 + w.growth[..., q]))
    left = rates.doubling_samples_upper(w.scale, xp.ones_like(w.scale), xp.stack(masses, -1))
    right = 64 * w.scale * masses[-1] * 4 ** (w.p - 1) / 3 * xp.ones_like(w.mass)
    return {"all epochs": left}, {"64/3 S/eps^2": right}
