"""Section 5 and Appendix E: all-for-all under Setting 2, strongly convex."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.parameters import Real
from verify.statement import Terms
from verify.statements.allforall import one_smooth as single
from verify.statements.allforall.all_convex import (
    Array,
    _mass,
    _mix,
    claim,
)
from verify.statements.allforall.common import (
    CURVATURE,
    LENGTH,
    NOISE,
    PRECISION,
    gram,
    mixing,
    numbers,
    one,
    unchecked_claim,
)
from verify.world import World

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


def _noiseless(reading: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Without noise the O~ vanishes and the step is 1/(2L), so the hidden constant plays no part.

        The printed exponent kappa/(2L) has units and no K; one agent contracts by 1/4 a round. Read
        as Lemma 4 would give it, K/(2 kappa), it still leaves out the eigenvalues of W.
        """
        gap, smooth = _start_gap(w), _smoothness(w)
        left = _final(w, gram(_mix(w)), _curvatures(w), 1 / (2 * smooth), 0 * w.variance)
        if reading == "printed":
            rate = rates.all_smooth_printed_rate(gap, w.mu, smooth)
        else:
            rate = gap * xp.exp(-w.rounds * w.mu / (2 * smooth))
        return {"F": left}, {"contraction": rate, "bias": _bias(w)}

    return sides


def _horizon_arguments(w: World) -> dict[str, Any]:
    low, high = _spectrum(w)
    return {
        "gap": _start_gap(w), "mu": w.mu, "smoothness": _smoothness(w), "variance": w.variance,
        "agents": w.N, "mass": _mass(w), "rounds": w.rounds, "low": low, "high": high,
    }  # fmt: skip


def _horizon(w: World) -> tuple[Terms, Terms]:
    """The repaired bound at its own horizon step.

    With X as in the formula the logarithmic step makes the contraction F/X and the noise ln X F/X;
    where 1/(L Omega) is smaller, the contraction is exp(-K omega/(kappa Omega)) F and the noise
    below ln X F/X.
    """
    args = _horizon_arguments(w)
    step = rates.all_smooth_horizon_step(**args)
    left = _final(w, gram(_mix(w)), _curvatures(w), step, w.variance)
    bound: Terms = rates.all_smooth_horizon_upper(**args, bias=_bias(w))
    return {"E F": left}, bound


def _horizon_given(w: World) -> Terms:
    return {**_full_rank(w), "step positive": rates.all_smooth_horizon_step(**_horizon_arguments(w))}


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
    """Contraction and noise at most eps/4 each, bias at most eps/2 (0 here).

    Proof.  In the bound of theorem3b.repaired (1 - eta mu omega)^K F^0 <= exp(-eta mu omega K) F^0
    <= eps/4 for K rounds as stated; the noise term eta L Omega sigma^2 S/(2 mu omega N) is at most
    eps/4 by the choice of eta, with S = sum lambda_ij^2 = sum 1/N_i; and every b_ij with a weight
    is at most eps/2.
    """
    return {"E F": _graph_final(w, _repaired_step42(w))}, {"precision": w.precision}


def _repaired_rounds42(w: World) -> Terms:
    low, _ = _graph_spectrum(w)
    asked = rates.all_smooth_rounds(_graph_gap(w), w.mu, _repaired_step42(w), w.precision, low)
    return {"K at least the number": w.rounds - asked}


_NOISELESS = r"\sigma\to0:\ F^K\le F^0e^{-%s}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}"
_42 = r"T_\varepsilon\le2\max\Bigl(\frac{\kappa\sigma^2}{\varepsilon\mu}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},N\kappa\Bigr)\ln(\varepsilon^{-1}F^0)"


STATEMENTS = (
    unchecked_claim("naive.b", "theorem", "Section 5", r"T_\varepsilon\le\tilde{\mathcal O}(\tfrac{\kappa\sigma^2}{\mu\varepsilon}\max_i\tfrac N{\mathcal N_i^\varepsilon(2b)})",
                    "naive all-for-all", single._HIDDEN),
    claim("naive.b.explicit", "Section 5", r"T=N\max_i\max\bigl(2\kappa,\tfrac{8\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i}\bigr)\ln\tfrac{8\kappa F^0}\varepsilon",
           family=single.SMOOTH_TARGET, sides=single._theorem7, given=single._enough_rounds,
           form="explicit", defines=single._SM, uses=("allforall.theorem7.2.explicit",)),
    *(claim(f"theorem3b/noiseless@{r}", "Theorem 3.b", _NOISELESS % power,
            family=SMOOTH, sides=_noiseless(r))
      for r, power in (("printed", r"\frac\kappa{2L}"), ("lemma4", r"\frac K{2\kappa}"))),
    unchecked_claim("theorem3b/noise", "theorem", "Theorem 3.b", r"\ldots+\tilde O\bigl(\tfrac{L\sigma^2}{K\mu^2N}\sum_{ij}\lambda_{ij}^2\bigr)",
                    "all-for-all", single._HIDDEN),
    claim("theorem3b.explicit", "Theorem 3.b",
           r"\mathbb E F^K\le F^0e^{-\frac{K\omega}{\kappa\Omega}}+\tfrac{L\Omega\sigma^2}{2K\mu^2\omega^2N}\sum_{ij}\lambda_{ij}^2(1+\ln X)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ X=\tfrac{2N\mu^2\omega^2KF^0}{L\Omega\sigma^2\sum\lambda_{ij}^2}",
           family=SMOOTH, sides=_horizon, given=_horizon_given, strict=_RANK | {"step positive"},
           form="explicit", uses=("allforall.theorem3b.repaired",)),
    claim("theorem3b.repaired", "Theorem 3.b",
           r"\mathbb E F^K\le(1-\eta\mu\omega)^KF^0+\tfrac{\eta L\Omega\sigma^2}{2\mu\omega N}\sum_{ij}\lambda_{ij}^2+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ \omega=\lambda_{\min}^+(W),\ \Omega=\lambda_{\max}(W)",
           family=SMOOTH, sides=_smooth, given=_full_rank, strict=_RANK, form="repaired",
           uses=("allforall.lemma4a.repaired", "allforall.lemma3")),
    *(claim(f"theorem4.2@{r}", "Theorem 4.2", _42, family=GRAPHS, sides=_theorem42(r), given=_rounds42)
      for r in ("horizon", "precision")),
    claim("theorem4.2.repaired", "Theorem 4.2",
           r"T=\tfrac N{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon,\ \eta=\tfrac1{L\Omega}\wedge\tfrac{\mu\omega N\varepsilon}{2L\Omega\sigma^2\sum_i1/\mathcal N_i^\varepsilon(2b)}",
           family=GRAPHS, sides=_repaired42, given=_repaired_rounds42, form="repaired"),
)  # fmt: skip
