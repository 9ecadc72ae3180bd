"""Section 5 and Appendix E: all-for-all under Setting 2, strongly convex."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
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
    gram,
    numbers,
    unchecked_claim,
)
from verify.world.world import World

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
    from synthetic.exact_runs import all_for_all_moments, mean_excess

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
_NOISELESS = r"\sigma\to0:\ F^K\le F^0e^{-%s}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}"


STATEMENTS = (
    unchecked_claim("naive.b", "theorem", "Section 5", r"T_\varepsilon\le\tilde{\mathcal O}(\tfrac{\kappa\sigma^2}{\mu\varepsilon}\max_i\tfrac N{\mathcal N_i^\varepsilon(2b)})",
                    "naive all-for-all", single._HIDDEN),
    claim("naive.b.explicit", "Section 5", r"T=N\max_i\max\bigl(2\kappa,\tfrac{8\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i}\bigr)\ln\tfrac{8\kappa F^0}\varepsilon",
           family=single.SMOOTH_TARGET, over="mean", sides=single._theorem7, given=single._enough_rounds,
           form="explicit", defines=single._SM, uses=("allforall.theorem7.2.explicit",)),
    *(claim(f"theorem3b/noiseless@{r}", "Theorem 3.b", _NOISELESS % power,
            family=SMOOTH, over="mean", sides=_noiseless(r))
      for r, power in (("printed", r"\frac\kappa{2L}"), ("lemma4", r"\frac K{2\kappa}"))),
    unchecked_claim("theorem3b/noise", "theorem", "Theorem 3.b", r"\ldots+\tilde O\bigl(\tfrac{L\sigma^2}{K\mu^2N}\sum_{ij}\lambda_{ij}^2\bigr)",
                    "all-for-all", single._HIDDEN),
    claim("theorem3b.explicit", "Theorem 3.b",
           r"\mathbb E F^K\le F^0e^{-\frac{K\omega}{\kappa\Omega}}+\tfrac{L\Omega\sigma^2}{2K\mu^2\omega^2N}\sum_{ij}\lambda_{ij}^2(1+\ln X)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ X=\tfrac{2N\mu^2\omega^2KF^0}{L\Omega\sigma^2\sum\lambda_{ij}^2}",
           family=SMOOTH, over="mean", sides=_horizon, given=_horizon_given, strict=_RANK | {"step positive"},
           form="explicit", uses=("allforall.theorem3b.repaired",)),
    claim("theorem3b.repaired", "Theorem 3.b",
           r"\mathbb E F^K\le(1-\eta\mu\omega)^KF^0+\tfrac{\eta L\Omega\sigma^2}{2\mu\omega N}\sum_{ij}\lambda_{ij}^2+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ \omega=\lambda_{\min}^+(W),\ \Omega=\lambda_{\max}(W)",
           family=SMOOTH, over="mean", sides=_smooth, given=_full_rank, strict=_RANK, form="repaired",
           uses=("allforall.lemma4a.repaired", "allforall.lemma3")),
)  # fmt: skip
