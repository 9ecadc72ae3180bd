"""Section 5 and Appendix E: all-for-all under Setting 2 and Setting 1, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.parameters import Real
from verify.statement import Statement, Terms
from verify.statements.allforall import one as single
from verify.statements.allforall.common import (
    CURVATURE,
    GRADIENT,
    LENGTH,
    NOISE,
    PRECISION,
    gram,
    mixing,
    numbers,
    one,
    source,
    unchecked_claim,
)
from verify.world import World

Array = Any

# -- Setting 1: absolute losses ----------------------------------------------------------------

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
        return {"distance": _squared_distance(w)}
    m = _mix(w)
    gap = m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0]
    return {"Lambda invertible": gap**2, "distance": _squared_distance(w)}


_STRICT = frozenset({"Lambda invertible", "distance"})


def _convex(w: World) -> tuple[Terms, Terms]:
    """E|G_Lambda|^2 <= B^2 S/N, and Lemma 6 on f^Lambda: the printed bound is 4/3 of what the
    recursion gives."""
    from algorithms.allforall_exact import absolute_gaps, absolute_tree

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


def _theorem41(w: World) -> tuple[Terms, Terms]:
    """Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its block is
    drawn. The printed step gives 1.06 eps/2 for the first part of the bound."""
    from algorithms.allforall_exact import absolute_lattice

    mass = one(w.size) * w.N / w.block
    step = rates.all_convex_step(w.size**2, w.N * w.distance**2, w.N, mass, w.rounds)
    awake = one(w.size) * w.block / w.N
    move = step * w.size / w.block
    tree = absolute_lattice(w.share, w.distance * w.offset, move, awake, w.rounds - 1)
    gaps = [xp.total(c * xp.absolute(tree.points[0][..., 0])) for c in tree.chances]
    mean = w.share * w.size * sum(gaps[1:], start=gaps[0]) / w.rounds
    return {"mean F": mean}, {"precision": w.precision}


def _theorem41_given(w: World) -> Terms:
    mass = one(w.size) * w.N / w.block
    asked = rates.all_convex_samples_upper(w.size**2, w.distance**2, w.precision, mass)
    return {"K at least the bound": w.rounds - asked}


# -- Setting 2: quadratics, synchronous oracle -------------------------------------------------

_SMOOTH = {
    "rows": Real(1 / 16, 1, per=("N", "N")),
    "mu": CURVATURE,
    "condition": Real(1, 8, log=True, per=("N",)),
    "centre": Real(-2, 2, unit=(0, 1), per=("N",)),
    "start": LENGTH,
    "variance": NOISE,
    "step_share": Real(1 / 16, 1),
}
_TWO = ({"N": 1, "rounds": 2}, {"N": 2, "rounds": 2}, {"N": 2, "rounds": 16})
SMOOTH = numbers(_SMOOTH, *_TWO, about="quadratics with additive noise, any Lambda, exact moments")


def _curvatures(w: World) -> Array:
    return w.mu[..., None] * w.condition


def _smoothness(w: World) -> Array:
    return xp.largest(_curvatures(w))


def _quadratic_pairs(w: World) -> Array:
    apart = w.centre[..., :, None] - w.centre[..., None, :]
    return _curvatures(w)[..., :, None] * apart**2 / 2


def _bias(w: World) -> Array:
    return xp.total(xp.total(_mix(w) * _quadratic_pairs(w))) / w.N


def _start_gap(w: World) -> Array:
    return xp.mean(_curvatures(w) * (w.start[..., None] - w.centre) ** 2) / 2


def _final(w: World, matrix: Array, curvature: Array, step: Array, variance: Array) -> Array:
    from algorithms.allforall_exact import all_for_all_moments, mean_excess

    error = w.start[..., None] - w.centre
    noise = variance[..., None] + 0 * error
    path = all_for_all_moments(matrix, curvature, error, noise, step, w.rounds)
    return mean_excess(path[-1], curvature)


def _spectrum(w: World) -> tuple[Array, Array]:
    square = gram(_mix(w))
    return xp.smallest_eigenvalue(square), xp.largest_eigenvalue(square)


def _noiseless(w: World) -> tuple[Terms, Terms]:
    """Without noise the O~ vanishes and the step is 1/(2L), so the hidden constant plays no part.

    The printed exponent kappa/(2L) has units and no K; one agent contracts by 1/4 a round.
    """
    step = 1 / (2 * _smoothness(w))
    left = _final(w, gram(_mix(w)), _curvatures(w), step, 0 * w.variance)
    return {"F": left}, {
        "contraction": rates.all_smooth_printed_rate(_start_gap(w), w.mu, _smoothness(w)),
        "bias": _bias(w),
    }


def _smooth(w: World) -> tuple[Terms, Terms]:
    """Any step eta = share/(L high).

    Proof. f^Lambda is L/N-smooth and mu/N-strongly convex relative to Lambda^T Lambda, whose
    non-zero eigenvalues are those of W; Lemma 4.a (repaired) with noise sigma^2 S/N^2 and step
    N eta, F^0 at least the gap of f^Lambda, and Lemma 3 for the bias.
    """
    low, high = _spectrum(w)
    step = w.step_share / (_smoothness(w) * high)
    left = _final(w, gram(_mix(w)), _curvatures(w), step, w.variance)
    return {"E F": left}, rates.all_smooth_upper(
        _start_gap(w), w.mu, _smoothness(w), w.variance, w.N, _mass(w), w.rounds, step, low, high,
        _bias(w),
    )  # fmt: skip


def _full_rank(w: World) -> Terms:
    return {"Lambda invertible": _spectrum(w)[0]}


_RANK = frozenset({"Lambda invertible"})

# agents with one minimiser, who may help only along a graph

_GRAPHS = {
    "alone": ((1,),),
    "both": ((1, 1), (1, 1)),
    "one-way": ((1, 0), (1, 1)),
    "path": ((1, 1, 0), (1, 1, 1), (0, 1, 1)),
}
_GRAPH_BOX = {"mu": CURVATURE, "offset": Real(1 / 8, 4, unit=(0, 1), log=True),
              "precision": PRECISION, "variance": NOISE}  # fmt: skip
_GRAPH_SHAPES = tuple(
    {"graph": g, "N": len(rows), "rounds": k} for g, rows in _GRAPHS.items() for k in (4, 16)
)
GRAPHS = numbers(_GRAPH_BOX, *_GRAPH_SHAPES,
                 about="equal quadratics; b_ij = 0 along a graph, large elsewhere")  # fmt: skip


def _graph(w: World) -> Array:
    """Lambda = indicator of closeness over its row sums, as lambda_ij of Theorem 4."""
    rows = [xp.stack([one(w.mu) * entry for entry in row], -1) for row in _GRAPHS[w.graph]]
    return mixing(xp.stack(rows, -2))


def _graph_mass(w: World) -> Array:
    return xp.total(xp.total(_graph(w) ** 2))


def _graph_gap(w: World) -> Array:
    return w.mu * w.offset**2 / 2


def _graph_final(w: World, step: Array) -> Array:
    from algorithms.allforall_exact import all_for_all_moments, mean_excess

    lam = _graph(w)
    ones = xp.stack([one(w.mu)] * w.N, -1)
    error, curvature = w.offset[..., None] * ones, w.mu[..., None] * ones
    noise = w.variance[..., None] * ones
    path = all_for_all_moments(gram(lam), curvature, error, noise, step, w.rounds)
    return mean_excess(path[-1], curvature)


def _step42(w: World, reading: str) -> Array:
    """Step of Theorem 3.b, or of Lemma 4's third display for f^Lambda in the models' scale."""
    if reading == "horizon":
        return rates.all_smooth_step(
            _graph_gap(w), w.mu, w.mu, w.variance, w.N, _graph_mass(w), w.rounds
        )
    size = w.mu * w.precision * w.N / (2 * w.mu * w.variance * _graph_mass(w))
    return xp.minimum(size, 1 / (2 * w.mu))


def _theorem42(reading: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Bias 0. On one-way and path graphs W has a small eigenvalue that the start excites, so
        that the mean gap falls slower than exp(-K/(2 kappa))."""
        return {"E F": _graph_final(w, _step42(w, reading))}, {"precision": w.precision}

    return sides


def _rounds42(w: World) -> Terms:
    asked = rates.all_smooth_samples_printed(
        _graph_gap(w), w.mu, w.mu, w.variance, w.N, _graph_mass(w), w.precision
    )
    return {
        "T at least the bound": w.N * w.rounds - asked,
        "T below the next": asked + w.N - w.N * w.rounds,
        "step positive": _step42(w, "horizon"),
    }


def _graph_spectrum(w: World) -> tuple[Array, Array]:
    """Smallest non-zero and largest eigenvalue of W, by graph."""
    if w.graph == "both":
        return one(w.mu), one(w.mu)
    square = gram(_graph(w))
    if w.graph == "path":
        # the swap of the ends splits R^3 into an odd line and an even plane
        odd = square[..., 0, 0] - square[..., 0, 2]
        first, last = square[..., 0, 0] + square[..., 0, 2], square[..., 1, 1]
        root = xp.sqrt((first - last) ** 2 + 8 * square[..., 0, 1] ** 2)
        return xp.minimum(odd, (first + last - root) / 2), (first + last + root) / 2
    return xp.smallest_eigenvalue(square), xp.largest_eigenvalue(square)


def _repaired_step42(w: World) -> Array:
    low, high = _graph_spectrum(w)
    return rates.all_smooth_precision_step(
        w.mu, w.mu, w.variance, w.N, _graph_mass(w), w.precision, low, high
    )


def _repaired42(w: World) -> tuple[Terms, Terms]:
    """Contraction and noise at most eps/4 each, bias at most eps/2 (0 here)."""
    return {"E F": _graph_final(w, _repaired_step42(w))}, {"precision": w.precision}


def _repaired_rounds42(w: World) -> Terms:
    low, _ = _graph_spectrum(w)
    asked = rates.all_smooth_rounds(_graph_gap(w), w.mu, _repaired_step42(w), w.precision, low)
    return {"K at least the number": w.rounds - asked}


# -- identities --------------------------------------------------------------------------------

ROWS = numbers(
    {"share": Real(0, 1), "condition": Real(1, 8, log=True, per=("N",)), "mu": CURVATURE,
     "centre": Real(-2, 2, unit=(0, 1), per=("N",)), "point": LENGTH}, {"N": 2},
    about="two quadratics, Lambda with equal rows",
)  # fmt: skip


def _common_minimum(w: World) -> tuple[Array, Array]:
    """f^Lambda(x^Lambda) and (1/N) sum lambda b for Lambda = (share, 1 - share) in both rows."""
    a = _curvatures(w)
    gap = (w.centre[..., 0] - w.centre[..., 1]) ** 2
    least = a[..., 0] * a[..., 1] / (a[..., 0] + a[..., 1]) * gap / 4
    bias = ((1 - w.share) * a[..., 0] + w.share * a[..., 1]) * gap / 4
    return least, bias


def _lemma3(w: World) -> tuple[Terms, Terms]:
    """Compare with x^*. Tight where one agent is far steeper and weighs more."""
    least, bias = _common_minimum(w)
    return {"f^Lambda(x^Lambda)": least}, {"bias": bias}


def _e1(w: World) -> tuple[Terms, Terms]:
    least, bias = _common_minimum(w)
    value = xp.mean(_curvatures(w) * (w.point[..., None] - w.centre) ** 2) / 2
    return {"F": value}, {"optimisation": value - least, "bias": bias}


def _mixed_targets(w: World) -> Array:
    return _times(_mix(w), w.centre)


def _jensen(w: World) -> tuple[Terms, Terms]:
    """f^Lambda at y = x^*, agent by agent."""
    value = xp.mean(_curvatures(w) * (_mixed_targets(w) - w.centre) ** 2) / 2
    return {"f^Lambda(x^*)": value}, {"mean of f_i(x_j^*)": _bias(w)}


def _least(w: World) -> tuple[Terms, Terms]:
    """Equal rows: at y = x^* all models are the weighted mean of the minimisers."""
    least, _ = _common_minimum(w)
    middle = w.share * w.centre[..., 0] + (1 - w.share) * w.centre[..., 1]
    value = xp.mean(_curvatures(w) * (middle[..., None] - w.centre) ** 2) / 2
    return {"f^Lambda(x^Lambda)": least}, {"f^Lambda(x^*)": value}


def _biasvar(w: World) -> tuple[Terms, Terms]:
    """One noiseless round in both scales: x^1 = Lambda y^1."""
    lam = _mix(w)
    step = w.step_share / _smoothness(w)
    slope = _curvatures(w) * (w.start[..., None] - w.centre)
    y = w.start[..., None] - step[..., None] * _times(xp.transpose(lam), slope)
    values = xp.mean(_curvatures(w) * (_times(lam, y) - w.centre) ** 2) / 2
    left = _final_once(w, gram(lam), step)
    return {"F": left}, {"f^Lambda(y)": values}


def _times(matrix: Array, vector: Array) -> Array:
    return xp.total(matrix * vector[..., None, :])


def _final_once(w: World, matrix: Array, step: Array) -> Array:
    from algorithms.allforall_exact import all_for_all_moments, mean_excess

    error = w.start[..., None] - w.centre
    path = all_for_all_moments(matrix, _curvatures(w), error, 0 * error, step, 1)
    return mean_excess(path[-1], _curvatures(w))


GRADIENTS = numbers(
    {"rows": Real(1 / 16, 1, per=("N", "N")), "size": Real(0, 1, per=("N",)), "bound": GRADIENT},
    {"N": 1}, {"N": 2}, {"N": 3}, about="any Lambda, any second moments up to the bound",
)  # fmt: skip


def _afa2(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One agent drawn: E|G|^2 = (1/N) sum_i |row i|^2 E g_i^2. All agents: independent noises
        with the factor 1/N. Equality where all second moments are the bound."""
        rows = xp.total(_mix(w) ** 2)
        each = w.size * w.bound[..., None] ** 2
        total = xp.total(rows * each)
        mass = xp.total(rows)
        if part == "moment":
            return {"E|G|^2": total / w.N}, {"bound": w.bound**2 * mass / w.N}
        return {"variance": total / w.N / w.N}, {"bound": w.bound**2 * mass / w.N / w.N}

    return sides


def _mean_direction(w: World) -> tuple[Terms, Terms]:
    """Gradient of f^Lambda along the first axis by a central difference, exact on quadratics."""
    lam = _mix(w)
    point = w.start[..., None] + 0 * w.centre
    unit = xp.eye(w.N, w.centre)[0]
    values = []
    for sign in (1, -1):
        error = _times(lam, point + sign * unit) - w.centre
        values.append(xp.mean(_curvatures(w) * error**2) / 2)
    slope = _curvatures(w) * (_times(lam, point) - w.centre)
    return {"E G": xp.total(lam[..., :, 0] * slope) / w.N}, {"gradient": (values[0] - values[1]) / 2}


FORMS = numbers(
    {"rows": Real(0, 1, per=("N", "N")), "mu": CURVATURE, "condition": Real(1, 8, log=True, per=("N",)),
     "point": Real(-2, 2, unit=(0, 1), per=("N",))}, {"N": 2},
    about="any Lambda, quadratics, any direction",
)  # fmt: skip


def _some_weight(w: World) -> Terms:
    return {"rows not zero": xp.smallest(xp.total(w.rows))}


def _forms(part: str, printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """y^T Lambda^T H Lambda y/N against y^T W y; the chain rule gives Lambda^T Lambda, while
        W = Lambda Lambda^T."""
        lam = _mix(w)
        curved = xp.total(_curvatures(w) * _times(lam, w.point) ** 2) / w.N
        metric = xp.transpose(lam) if printed else lam
        size = xp.total(_times(metric, w.point) ** 2) / w.N
        if part == "smooth":
            return {"curvature": curved}, {"L |y|^2/N": _smoothness(w) * size}
        return {"mu |y|^2/N": w.mu * size}, {"curvature": curved}

    return sides


SPECTRA = numbers({"rows": Real(0, 1, per=("N", "N"))}, {"N": 2}, about="any two rows")


def _spectral(w: World) -> tuple[Terms, Terms]:
    """1 is no upper bound: columns that many agents use sum to more than 1."""
    return {"largest eigenvalue": _spectrum(w)[1]}, {"1": one(w.rows[..., 0, 0])}


DOUBLY = numbers({"share": Real(0, 1)}, about="two agents, doubly stochastic Lambda")


def _doubly(w: World) -> tuple[Terms, Terms]:
    """1 is an eigenvalue, and |Lambda|^2 <= |Lambda|_1 |Lambda|_inf = 1 (Lambda doubly stochastic)."""
    keep = xp.stack([1 - w.share, w.share], -1)
    swap = xp.stack([w.share, 1 - w.share], -1)
    return {"largest eigenvalue": xp.largest_eigenvalue(gram(xp.stack([keep, swap], -2)))}, {
        "1": one(w.share)
    }


COUNTS = numbers({"close": Real(1, 64, log=True, per=("N",)), "scale": Real(1 / 8, 64, log=True)},
                 {"N": 1}, {"N": 3}, about="any numbers of close agents")  # fmt: skip


def _speedup(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Between the printed bounds (reading a); scale is 4 D^2 B^2/eps^2."""
        all_bound = w.scale * xp.total(1 / w.close)
        if part == "mean":
            return {"T": all_bound}, {"mean of T(i)": xp.mean(w.scale[..., None] * w.N / w.close)}
        return {"T over no collaboration": all_bound / (w.scale * w.N)}, {
            "mean of 1/N_i": xp.mean(1 / w.close)
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


EPOCHS = numbers({"mass": Real(1, 4, log=True), "growth": Real(0, 1, per=("p",)), "scale": Real(1 / 8, 8, log=True)},
                 {"p": 1}, {"p": 3}, {"p": 8}, about="sums of squares that grow from epoch to epoch")  # fmt: skip


def _doubling(w: World) -> tuple[Terms, Terms]:
    """All epochs down to 2^-p <= eps < 2^-(p-1), against 64/3 (BD)^2 S/eps^2 at the last S.

    4 sum_{q<=p} 4^q S_q <= (16/3) 4^p S_p, and 4^p < 4/eps^2.
    """
    masses = [w.mass]
    for q in range(w.p):
        masses.append(masses[-1] * (1 + w.growth[..., q]))
    left = rates.doubling_samples_upper(w.scale, one(w.scale), xp.stack(masses, -1))
    return {"all epochs": left}, {"64/3 S/eps^2": 64 * w.scale * masses[-1] * 4 ** (w.p - 1) / 3 * one(w.mass)}


# -- no strong convexity -----------------------------------------------------------------------

FLAT = numbers(
    {"curvature": Real(0, 1), "smoothness": CURVATURE, "variance": NOISE,
     "offset": Real(0, 1), "distance": Real(1 / 8, 8, unit=(0, 1), log=True), "bias": Real(0, 1, per=("N",))},
    *({"N": n, "rounds": k} for n, k in ((1, 1), (1, 64), (2, 2), (2, 16))),
    about="mean of quadratics, Lambda = 1/N, minimisers on both sides",
)  # fmt: skip


def _flat(w: World) -> tuple[Array, Array]:
    """Curvature h and half the distance of the two minimisers (0 for one agent)."""
    spread = w.distance * (w.bias[..., 0] if w.N > 1 else 0 * w.distance)
    return w.curvature * w.smoothness, spread


def _flat_bias(w: World) -> Array:
    """sum lambda_ij b_ij for N = 2: 2 (1/2) h (2 s)^2/2."""
    curvature, spread = _flat(w)
    return 2 * curvature * spread**2


def _flat_path(w: World, step: Array) -> list[Array]:
    """E F^k: the common model has error x, noise variance sigma^2/N; F = h (x^2 + s^2)/2."""
    curvature, spread = _flat(w)
    square = (w.distance * w.offset) ** 2
    path = [square]
    factor = (1 - step * curvature) ** 2
    for _ in range(w.rounds):
        path.append(factor * path[-1] + step**2 * w.variance / w.N)
    return [curvature * (x + spread**2) / 2 for x in path]


def _theorem8(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Printed: last iterate, bias under the root (and so in other units). Started at the
        minimum of the mean, F stays at the bias.

        Repaired: mean over the rounds. Lemma 5.a for f^Lambda with smoothness L high/N, noise
        sigma^2 S/N^2, step N eta and |y^0 - y^Lambda|^2 <= N D^2.
        """
        mass = one(w.variance)
        args = (w.smoothness, w.variance, w.distance**2, w.N, mass)
        if printed:
            step = rates.no_curvature_step_printed(*args) / w.N
            right = rates.no_curvature_printed(*args, w.rounds, _flat_bias(w))
            return {"E F^K": _flat_path(w, step)[-1]}, right
        step = rates.no_curvature_step(*args, w.rounds, mass)
        path = _flat_path(w, step)[:-1]
        left = sum(path[1:], start=path[0]) / w.rounds
        return {"mean F": left}, rates.no_curvature_upper(*args, w.rounds, mass, _flat_bias(w) / w.N)

    return sides


FLAT_TARGET = numbers({**FLAT.box, "precision": PRECISION}, {"N": 1, "rounds": 64}, {"N": 1, "rounds": 256},
                      about="one agent, additive noise")  # fmt: skip


def _samples8(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The printed step does not fall with K, so neither does the noise at the end."""
        mass = one(w.variance)
        args = (w.smoothness, w.variance, w.distance**2, w.N, mass)
        if printed:
            return {"E F^K": _flat_path(w, rates.no_curvature_step_printed(*args) / w.N)[-1]}, {
                "precision": w.precision
            }
        path = _flat_path(w, rates.no_curvature_step(*args, w.rounds, mass))[:-1]
        return {"mean F": sum(path[1:], start=path[0]) / w.rounds}, {"precision": w.precision}

    return sides


def _rounds8(printed: bool) -> Callable[[World], Terms]:
    def given(w: World) -> Terms:
        """Printed: max(8 D^2 sigma^2/eps^2, 4 L D^2/eps); repaired: 64 and 8 for 8 and 4."""
        noise, start = (8, 4) if printed else (64, 8)
        size = noise * w.distance**2 * w.variance / w.precision**2
        asked = xp.maximum(size, start * w.smoothness * w.distance**2 / w.precision)
        return {"K at least the number": w.rounds - asked}

    return given


_E = "Appendix E"
_3A = r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\sqrt{\tfrac{2B^2\sum_i\|x_i^0-x_i^\Lambda\|^2}{NK}\sum_{ij}\lambda_{ij}^2}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}"
_42 = r"T_\varepsilon\le2\max\Bigl(\frac{\kappa\sigma^2}{\varepsilon\mu}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},N\kappa\Bigr)\ln(\varepsilon^{-1}F^0)"


def _claim(key: str, where: str, latex: str, **fields: Any) -> Statement:
    fields.setdefault("title", "all-for-all")
    return Statement(key=f"allforall.{key}", source=source(where), latex=latex, **fields)


def _proof(key: str, latex: str, **fields: Any) -> Statement:
    return _claim(key, _E, latex, kind="proof step", **fields)


STATEMENTS = (
    _claim("naive.a", "Section 5", r"\max_i\mathbb E[f_i(x_i)-f_i(x_i^*)]\le\varepsilon,\ T_\varepsilon\le\tfrac{4D^2B^2}{\varepsilon^2}\max_i\tfrac N{\mathcal N_i^\varepsilon(2b)}",
           family=single.LATTICE, over="mean", sides=single._theorem2, given=single._enough, uses=("allforall.theorem7.1",)),
    unchecked_claim("naive.b", "theorem", "Section 5", r"T_\varepsilon\le\tilde{\mathcal O}(\tfrac{\kappa\sigma^2}{\mu\varepsilon}\max_i\tfrac N{\mathcal N_i^\varepsilon(2b)})",
                    "naive all-for-all", single._HIDDEN),
    _claim("naive.b.explicit", "Section 5", r"T=N\max_i\max\bigl(2\kappa,\tfrac{8\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i}\bigr)\ln\tfrac{8\kappa F^0}\varepsilon",
           family=single.SMOOTH_TARGET, sides=single._theorem7, given=single._enough_rounds,
           form="explicit", defines=single._SM, uses=("allforall.theorem7.2.explicit",)),
    _claim("lemma3", "Lemma 3", r"f^\Lambda(x^\Lambda)-\bar f(x^*)\le\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
           family=ROWS, sides=_lemma3, kind="lemma"),
    _claim("theorem3a", "Theorem 3.a", _3A, family=ABSOLUTE, sides=_convex, given=_invertible, strict=_STRICT),
    _claim("theorem3b/noiseless", "Theorem 3.b", r"\sigma\to0:\ F^K\le F^0e^{-\frac\kappa{2L}}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
           family=SMOOTH, sides=_noiseless),
    unchecked_claim("theorem3b/noise", "theorem", "Theorem 3.b", r"\ldots+\tilde O\bigl(\tfrac{L\sigma^2}{K\mu^2N}\sum_{ij}\lambda_{ij}^2\bigr)",
                    "all-for-all", single._HIDDEN),
    _claim("theorem3b.repaired", "Theorem 3.b",
           r"\mathbb E F^K\le(1-\eta\mu\omega)^KF^0+\tfrac{\eta L\Omega\sigma^2}{2\mu\omega N}\sum_{ij}\lambda_{ij}^2+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ \omega=\lambda_{\min}^+(W),\ \Omega=\lambda_{\max}(W)",
           family=SMOOTH, sides=_smooth, given=_full_rank, strict=_RANK, form="repaired",
           uses=("allforall.lemma4a.repaired", "allforall.lemma3")),
    _claim("theorem4.1", "Theorem 4.1", r"T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)}",
           family=BLOCKS, over="mean", sides=_theorem41, given=_theorem41_given),
    *(_claim(f"theorem4.2@{r}", "Theorem 4.2", _42, family=GRAPHS, sides=_theorem42(r), given=_rounds42)
      for r in ("horizon", "precision")),
    _claim("theorem4.2.repaired", "Theorem 4.2",
           r"T=\tfrac N{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon,\ \eta=\tfrac1{L\Omega}\wedge\tfrac{\mu\omega N\varepsilon}{2L\Omega\sigma^2\sum_i1/\mathcal N_i^\varepsilon(2b)}",
           family=GRAPHS, sides=_repaired42, given=_repaired_rounds42, form="repaired"),
    _claim("speedup/mean", "after Theorem 4", r"T_\varepsilon\le\tfrac1N\sum_iT_\varepsilon(i)", family=COUNTS,
           sides=_speedup("mean"), kind="claim"),
    _claim("speedup/factor", "after Theorem 4", r"\tfrac{T_\varepsilon}{T_\varepsilon^{\mathrm{alone}}}=\tfrac1N\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)}",
           family=COUNTS, sides=_speedup("factor"), kind="claim", relation="=="),
    _claim("biasterms/interpolation", "after Theorem 4", r"\tfrac1N\sum_i\tfrac{\alpha_i}{N-1}\sum_{j\ne i}b_{ij}",
           family=BIASES, sides=_terms("interpolation"), kind="claim", relation="=="),
    _claim("biasterms/equal", "after Theorem 4", r"\tfrac1{N^2}\sum_{ij}b_{ij}", family=BIASES,
           sides=_terms("equal"), kind="claim", relation="=="),
    unchecked_claim("prop3", "property", "Proposition 3", r"T_\varepsilon\le\tfrac{16D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)}",
                    "time-adaptive all-for-all", "what 'averaged precision' is the average of"),
    _claim("prop3.explicit", "Proposition 3", r"\sum_{q\le p}K_{2^{-q}}\le\tfrac{64}3\tfrac{D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^{\varepsilon/2}(2b)},\ 2^{-p}\le\varepsilon<2^{1-p}",
           family=EPOCHS, sides=_doubling, form="explicit", kind="property", title="length of all epochs"),
    _claim("theorem8/rate", "Theorem 8", r"\mathbb E F^K\le\tfrac{2LD^2}K+\sqrt{\tfrac{2D^2\sigma^2}{KN}\sum_{ij}\lambda_{ij}^2+\sum_{ij}\lambda_{ij}b_{ij}}",
           family=FLAT, over="mean", sides=_theorem8(True)),
    _claim("theorem8/samples", "Theorem 8", r"T_\varepsilon\le\max\bigl(\tfrac{8D^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i},\tfrac{4NLD^2}\varepsilon\bigr)",
           family=FLAT_TARGET, over="mean", sides=_samples8(True), given=_rounds8(True)),
    _claim("theorem8.repaired/rate", "Theorem 8", r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\tfrac{2L\Omega D^2}K+2D\sigma\sqrt{\tfrac{\sum\lambda_{ij}^2}{KN}}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
           family=FLAT, over="mean", sides=_theorem8(False), form="repaired"),
    _claim("theorem8.repaired/samples", "Theorem 8", r"T_\varepsilon\le\max\bigl(\tfrac{64D^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i},\tfrac{8NL\Omega D^2}\varepsilon\bigr)",
           family=FLAT_TARGET, over="mean", sides=_samples8(False), given=_rounds8(False), form="repaired"),
    _proof("ineq.biasvar", r"F^k=\bigl(f^\Lambda(x^\Lambda)-\bar f(x^*)\bigr)+\bigl(f^\Lambda(y^k)-f^\Lambda(x^\Lambda)\bigr)",
           family=SMOOTH, over="path", sides=_biasvar, relation="=="),
    _proof("proof.lemma3/least", r"f^\Lambda(x^\Lambda)\le f^\Lambda(x^*)", family=ROWS, sides=_least),
    _proof("proof.lemma3/convex", r"\tfrac1N\sum_if_i(\sum_j\lambda_{ij}x_j^*)\le\tfrac1N\sum_{ij}\lambda_{ij}f_i(x_j^*)",
                         family=SMOOTH, sides=_jensen),
    _proof("proof.E1", r"\bar f(x^k)-\bar f(x^*)\le f^\Lambda(y^k)-f^\Lambda(x^\Lambda)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
           family=ROWS, sides=_e1),
    _proof("ineq.afa2/mean", r"\mathbb E G_\Lambda^k(y)=\nabla f^\Lambda(y)", family=SMOOTH, over="mean", sides=_mean_direction, relation="=="),
    _proof("ineq.afa2/moment", r"\mathbb E\|G_\Lambda^k\|^2\le\tfrac{B^2}N\sum_{ij}\lambda_{ij}^2", family=GRADIENTS, sides=_afa2("moment")),
    _proof("ineq.afa2/variance", r"\mathbb E\|G_\Lambda^k-\nabla f^\Lambda\|^2\le\tfrac{\sigma^2}{N^2}\sum_{ij}\lambda_{ij}^2", family=GRADIENTS, sides=_afa2("variance")),
    *(_proof(f"proof.relsmooth/{p}", latex, family=FORMS, sides=_forms(p, True), given=_some_weight, strict=frozenset({"rows not zero"}))
      for p, latex in (("smooth", r"\nabla^2f^\Lambda\preceq\tfrac LNW"), ("convex", r"\nabla^2f^\Lambda\succeq\tfrac\mu NW"))),
    *(_proof(f"proof.relsmooth.repaired/{p}", latex, family=FORMS, sides=_forms(p, False), given=_some_weight, strict=frozenset({"rows not zero"}), form="repaired")
      for p, latex in (("smooth", r"\nabla^2f^\Lambda\preceq\tfrac LN\Lambda^\top\Lambda"), ("convex", r"\nabla^2f^\Lambda\succeq\tfrac\mu N\Lambda^\top\Lambda"))),
    _claim("claim.spectral", _E, r"\rho(\Lambda\Lambda^\top)=1", family=SPECTRA, sides=_spectral, given=_some_weight,
           strict=frozenset({"rows not zero"}), relation="==", kind="claim"),
    _claim("claim.spectral.repaired", _E, r"\Lambda\ \text{doubly stochastic}:\ \rho(\Lambda\Lambda^\top)=1", family=DOUBLY,
           sides=_doubly, relation="==", kind="claim", form="repaired"),
    unchecked_claim("proof.theorem8", "proof step", _E, r"\text{Lemma 5 applied to }f^\Lambda", "all-for-all",
                    "a sentence without a formula"),
)  # fmt: skip
