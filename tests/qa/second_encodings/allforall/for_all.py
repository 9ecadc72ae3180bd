"""Second encodings of allforall: all-for-all upper bounds."""

from __future__ import annotations

import numpy as np

from tests.qa.second_encodings.record import Second
from tests.qa.second_encodings.runs import (
    diagonal,
    horizons,
    lattice_walk,
    least,
    quadratic_bias,
    stochastic,
    synchronous_moments,
    walk_of_signs,
)

# -- Lemma 3 ---------------------------------------------------------------------------------------


def _lemma3(w):
    own = np.stack([w.share, 1 - w.share], -1)
    if w.has("slope"):  # losses s |x - m|, whose mean is least where the steeper one is
        way = np.abs(w.centre[..., None, :] - w.centre[..., :, None])
        bias = w.slope[..., :, None] * way
        return {"f^Lambda(x^Lambda) - f(x*)": w.slope.min(-1) * way[..., 0, 1] / 2}, {
            "lambda b": (own[..., None, :] * bias).sum((-2, -1)) / 2
        }
    curvature = w.mu[..., None] * w.condition
    # both agents share z = share y_1 + (1 - share) y_2, which is free: f^Lambda is least at
    z = (curvature * w.centre).sum(-1) / curvature.sum(-1)
    least = (curvature * (z[..., None] - w.centre) ** 2 / 2).mean(-1)
    bias = quadratic_bias(curvature, w.centre)
    return {"f^Lambda(x^Lambda) - f(x*)": least}, {
        "lambda b": (own[..., None, :] * bias).sum((-2, -1)) / 2
    }


# -- Theorem 3 -------------------------------------------------------------------------------------


def _squared_way(w):
    """|x^0 - x^Lambda|^2, x^Lambda = y with Lambda y = x*: a minimiser of f^Lambda (Equation 8)."""
    if w.has("row"):
        return _common_way(w)
    mixing = stochastic(w.rows)
    one = np.linalg.det(mixing) != 0  # of a singular Lambda nothing is said
    mixing = np.where(one[..., None, None], mixing, np.eye(w.N))
    best = np.linalg.solve(mixing, w.centre[..., None])[..., 0]
    best = np.where(one[..., None], best, np.nan)
    return ((w.start[..., None] - best) ** 2).sum(-1)


def _common_way(w):
    """The same where both rows are lambda: f^Lambda is least where lambda y is what the steeper of
    two agents wants, or anything between both where they are alike."""
    first, second = w.slope_share[..., 0], w.slope_share[..., 1]
    low, high = w.centre.min(-1), w.centre.max(-1)
    best = np.where(first > second, w.centre[..., 0], w.centre[..., 1])
    alike = np.where(first == 0, w.start, np.clip(w.start, low, high))
    if w.has("first_of_alike"):
        alike = w.centre[..., 0]
    best = np.where(first == second, alike, best)
    return (w.start - best) ** 2 / (stochastic(w.row) ** 2).sum(-1)


def _theorem3a(w):
    rows = w.row[..., None, :] + np.zeros((w.N, 1)) if w.has("row") else w.rows
    mixing, slopes = stochastic(rows), w.slope_share * w.size[..., None]
    square_sum, way = (mixing**2).sum((-2, -1)), _squared_way(w)
    step = np.sqrt(2 * w.N * way / (w.rounds * w.size**2 * square_sum))
    gain = mixing @ np.swapaxes(mixing, -1, -2)
    seen = walk_of_signs(gain, slopes, w.centre, w.size, w.start, step, w.rounds)
    gaps = [
        (c * (slopes[..., None, :] * np.abs(p - w.centre[..., None, :])).mean(-1)).sum(-1)
        for p, c in seen[: w.rounds]
    ]
    apart = np.abs(w.centre[..., None, :] - w.centre[..., :, None])
    bias = (mixing * slopes[..., :, None] * apart).sum((-2, -1)) / w.N
    noise = np.sqrt(2 * w.size**2 * way / (w.N * w.rounds) * square_sum)
    return {"mean of E F^k": sum(gaps) / w.rounds}, {"noise": noise, "bias": bias}


def _theorem3b(w):
    mixing, curvature = stochastic(w.rows), w.mu[..., None] * w.condition
    smoothness = curvature.max(-1)
    error = w.start[..., None] - w.centre
    gain = mixing @ np.swapaxes(mixing, -1, -2)
    step = 1 / (2 * smoothness)  # the other member of the minimum is infinite at sigma = 0
    second = synchronous_moments(gain, curvature, error, 0 * w.variance, step, w.rounds)[-1]
    first = (curvature * error**2).mean(-1) / 2
    bias = (mixing * quadratic_bias(curvature, w.centre)).sum((-2, -1)) / w.N
    kappa = smoothness / w.mu
    return (
        {"E F^K": (curvature * diagonal(second)).mean(-1) / 2},
        {"start": first * np.exp(-kappa / (2 * smoothness)), "bias": bias},
    )


# -- Theorem 4 -------------------------------------------------------------------------------------


def _size_blocks(w):
    """B, by which 4 D^2 B^2/eps^2 sum_i 1/N_i is the number that the world names."""
    return w.precision * np.sqrt((w.rounds + w.fraction) * w.block / w.N) / (2 * w.distance)


def _blocks(w):
    square_sum = w.N / w.block
    begin = w.offset * w.distance
    slope, drawn = w.share * w.size, w.block / w.N + 0 * begin
    means = []
    for rounds in horizons(w):
        step = np.sqrt(2 * w.N * (w.N * begin**2) / (rounds * w.size**2 * square_sum))
        move = step * w.size / w.block
        places, chances = lattice_walk(begin, move, drawn, w.share, rounds)
        gaps = [slope * (c * np.abs(places)).sum(-1) for c in chances[:rounds]]
        means.append(sum(gaps) / rounds)
    return {"mean of E F^k": least(means)}, {"eps": w.precision}


def _simplex(w):
    side = w.ratio * w.distance
    size = w.precision * np.sqrt(w.rounds + w.fraction) / (2 * w.distance)  # B, by the number
    tilt = w.fill * w.precision / (2 * side)  # so that b_ij = fill eps/2 for i != j
    wall = size - tilt
    means = []
    for rounds in horizons(w):
        along = w.offset * w.distance  # x^0 from the centroid, towards (1, .., 1)
        step = np.sqrt(2 * w.N * (w.N * along**2) / (rounds * size**2))
        gaps = []
        for _ in range(rounds):
            mean = side / w.N + along / np.sqrt(w.N)
            gaps.append(tilt * (side - mean) + wall * np.abs(along))
            kink = np.sign(along) if not w.has("side") else np.where(along >= 0, 1, -1)
            along = along - step / w.N * (wall * kink - tilt / np.sqrt(w.N))
        means.append(sum(gaps) / rounds)
    return {"mean of E F^k": least(means)}, {"eps": w.precision}


GRAPHS = {
    "alone": [[1]],
    "both": [[1, 1], [1, 1]],
    "one-way": [[1, 0], [1, 1]],
    "path": [[1, 1, 0], [1, 1, 1], [0, 1, 1]],
}


def _offset42(w):
    """x^0, by which 2 max(kappa s^2/(eps mu) sum 1/N_i, N kappa) ln(F^0/eps) is N times the number
    that the world names; kappa = 1."""
    close = np.array(GRAPHS[w.graph]).sum(-1)
    noise = w.variance / (w.precision * w.mu) * (1 / close).sum()
    logarithm = w.N * (w.rounds + w.fraction) / (2 * np.maximum(noise, w.N))
    return np.sqrt(2 * w.precision * np.exp(logarithm) / w.mu)


def _theorem42(w):
    mixing = stochastic(np.array(GRAPHS[w.graph], dtype=float))
    square_sum, first = (mixing**2).sum(), w.mu * w.offset**2 / 2
    ones, found = np.ones(w.N), []
    for rounds in horizons(w):
        logarithm = np.log(w.N * first * w.mu**2 * rounds / (w.mu * w.variance * square_sum))
        step = np.minimum(logarithm / (w.mu * rounds), 1 / (2 * w.mu))
        second = synchronous_moments(
            mixing @ mixing.T,
            w.mu[..., None] * ones,
            w.offset[..., None] * ones,
            w.variance,
            step,
            rounds,
        )[-1]
        gap = w.mu / 2 * diagonal(second).mean(-1)
        found.append(np.where(step > 0, gap, first) if w.has("some") else gap)
    return {"E F^K": least(found)}, {"eps": w.precision}


# -- Proposition 3 ---------------------------------------------------------------------------------


def _epoch_sum(x, step, rounds):
    """Sum of |x| over so many rounds of subgradient descent on |x|, and the point after them."""
    if rounds <= 0:
        return 0.0, x
    fall = 0 if step == 0 else min(rounds, int(np.ceil(x / step))) if x > 0 else 0
    total = fall * x - step * fall * (fall - 1) / 2
    x, left = x - fall * step, rounds - fall
    if step == 0:
        return rounds * x, x
    # now x in (-step, 0]: it changes between x and x + step for ever, and rests at 0
    if left and x < 0:
        pairs, odd = divmod(left, 2)
        total += pairs * (abs(x) + x + step) + odd * abs(x)
        x = x + step * odd
    return total, x


def _prop3(w):
    size, distance, offset = np.broadcast_arrays(w.size, w.distance, w.offset)
    out = np.empty(size.shape)
    for at in np.ndindex(*size.shape):
        length = 16 * (distance[at] * size[at]) ** 2  # T_eps eps^2
        horizon = int(np.floor(length * 4**w.p))
        x, total, before = offset[at] * distance[at], 0.0, 0.0
        for q in range(w.p + 1):
            after = before + length * 4**q
            count = min(int(np.ceil(after)), horizon) - min(int(np.ceil(before)), horizon)
            step = 4.0**-q / (2 * size[at] ** 4)  # eta(eps) = eps^2/(2 B^4), N = 1
            part, x = _epoch_sum(x, step * size[at], count)
            x = abs(x)
            total, before = total + part, after
        out[at] = size[at] * total / horizon if horizon else np.nan
    return {"mean of F^k": out}, {"eps": 2.0**-w.p + 0 * out}


LOSSES = {"convex": lambda w: w.slope_share, "E|g|^2 <= B^2": lambda w: 1 - w.slope_share}
BLOCKS = {
    "convex": lambda w: w.share,
    "E|g|^2 <= B^2": lambda w: 1 - w.share,
    "|x_i^0 - x_i^Lambda| <= D": lambda w: 1 - np.abs(w.offset),
}
CORNERS = {
    "b_ij <= eps/2": lambda w: w.fill * (1 - w.fill),
    "|x_i^0 - x_i^Lambda| <= D": lambda w: 1 - np.abs(w.offset),
}
WITHIN = {"|x^0 - x*| <= D": lambda w: 1 - np.abs(w.offset)}
STRONG = {"mu-strongly convex": lambda w: w.condition - 1}
HIDDEN = "the O~ hides a constant and logarithms"
NUMBER = "T is the largest number of samples within the printed one"
WAY = (
    "x^Lambda is 'a minimizer of the function (8)', so a y (not Lambda y); where there are several "
    "the nearest one. "
)
ALL = {
    "allforall.lemma3": Second(
        _lemma3,
        words="f^Lambda(x^Lambda) - f(x*) <= (1/N) sum lambda_ij b_ij under B.1 (Lemma 3).",
        open_places="Both rows of Lambda are (share, 1 - share); b_ij as small as B.1 allows.",
    ),
    "allforall.theorem3a": Second(
        _theorem3a,
        LOSSES,
        words="Asynchronous, N.1, B.1, W = Lambda Lambda^T, Algorithm 1 with eta = sqrt(2 N |x^0 - "
        "x^Lambda|^2/(K B^2 sum lambda^2)): mean of E F^k over k < K at most sqrt(2 B^2 sum "
        "|x_i^0 - x_i^Lambda|^2/(N K) sum lambda^2) + (1/N) sum lambda b (Theorem 3.a).",
        open_places=WAY + "b_ij is taken as small as B.1 allows.",
    ),
    "allforall.theorem3b/noiseless": Second(
        _theorem3b,
        STRONG,
        words="Synchronous, N.2, B.1: E F^K <= F^0 exp(-kappa/(2L)) + O~(..) + (1/N) sum lambda b, "
        "eta = ln(..)/(mu K) ^ 1/(2L) (Theorem 3.b). At sigma = 0 the O~ term is 0.",
        open_places="The step is the one of Algorithm 1 (other: the one of the recursion of y in "
        "Appendix E, which makes it 1/N of that). kappa/(2L) is printed without K.",
    ),
    "allforall.theorem3b/noise": Second(
        None,
        missing=HIDDEN,
        words="The term O~(L s^2/(K mu^2 N) sum lambda^2) of Theorem 3.b.",
    ),
    "allforall.theorem4.1/blocks": Second(
        _blocks,
        BLOCKS,
        defines={"size": _size_blocks},
        words="lambda_ij = 1{b_ij <= eps/2}/N_i(2b), assumptions of 3.a: mean of E F^k at most eps "
        "for T <= 4 D^2 B^2/eps^2 sum 1/N_i(2b), D^2 bounds all |x_i^0 - x_i^Lambda|^2.",
        open_places=WAY
        + "The step is that of 3.a with the true distance (other: with N D^2). "
        + NUMBER,
    ),
    "allforall.theorem4.1/simplex": Second(
        _simplex,
        CORNERS,
        words="As /blocks, on one model for all agents.",
        open_places=WAY + "The interface does not name the losses: taken f_i = s (h - x_i)/h + "
        "beta |sum x - h|/sqrt N, x^0 = centroid + offset D on the diagonal; the step is that of "
        "3.a with the true distance; B is such that K is the printed number.",
    ),
    "allforall.theorem4.2": Second(
        _theorem42,
        defines={"offset": _offset42},
        words="Same W, assumptions of 3.b: E F^K <= eps for T <= 2 max(kappa s^2/(eps mu) sum "
        "1/N_i(2b), N kappa) ln(F^0/eps) (Theorem 4.2).",
        open_places="The step is that of 3.b ('the same assumptions'; other: the third display of "
        "Lemma 4), as a step of Algorithm 1. T = N K. " + NUMBER,
    ),
    "allforall.prop3": Second(
        _prop3,
        WITHIN,
        words="Algorithm 2 with eta(eps) = 2 N D^2/(K_eps B^2 sum 1/N_i) and epochs of T_(2^-q) "
        "rounds reaches averaged precision eps with T <= 16 D^2 B^2/eps^2 sum 1/N_i.",
        open_places="T_(2^-q) is the number of the conclusion (other: K_eps); the average is over "
        "all iterates so far (other: over an epoch). The left side is exact here.",
    ),
}
