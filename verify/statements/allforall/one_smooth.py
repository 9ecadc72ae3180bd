"""Section 4 and Appendix D: weighted gradient averaging under Setting 2."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from bounds import allforall_rates as rates
from bounds import allforall_sgd as sgd
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.common import (
    CURVATURE,
    NOISE,
    PRECISION,
    numbers,
    one,
    unchecked_claim,
)
from verify.statements.allforall.one_convex import (
    _D,
    Array,
    _mass,
    _proof,
    _row,
    claim,
)
from verify.world.world import World

_SMOOTH = {
    "row": Real(1 / 8, 1, per=("N",)),
    "mu": CURVATURE,
    "condition": Real(1, 8, log=True),
    "centre": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    "variance": NOISE,
}
_SIZES = ({"N": 1, "d": 1, "rounds": 1}, {"N": 2, "d": 1, "rounds": 8}, {"N": 2, "d": 2, "rounds": 4},
          {"N": 2, "d": 2, "rounds": 32})  # fmt: skip
_QUADRATICS = "quadratics with one Hessian diag(mu, L), additive noise on one axis, exact moments"
SMOOTH = numbers(_SMOOTH, *_SIZES, about=_QUADRATICS)
ROUND_TARGET = numbers(
    {**_SMOOTH, "precision": PRECISION}, *({"N": n, "d": 1, "rounds": k} for n, k in ((1, 4), (2, 8), (3, 16))),
    about="quadratics on the line with one curvature, additive noise, exact moments",
)  # fmt: skip
SMOOTH_TARGET = numbers({**_SMOOTH, "precision": PRECISION}, *_SIZES, about=_QUADRATICS)


def _smoothness(w: World) -> Array:
    return w.mu * w.condition if w.d > 1 else w.mu


def _hessian(w: World) -> Array:
    first = 0 * w.start[..., 0]
    return xp.stack([w.mu + first, w.smoothness + first][: w.d], -1)


def _pair_bias(w: World) -> Array:
    """b_1j = |H (m_1 - m_j)|^2/mu: B.2 with b~ = mu b (and m = 0)."""
    gap = _hessian(w)[..., None, :] * (w.centre[..., :1, :] - w.centre)
    return xp.total(gap**2) / w.mu[..., None]


def _weighted_gap(w: World, weights: Array) -> Array:
    """F_lambda^0 = sum_j lambda_j (f_j(x^0) - f_j(x_j^*))."""
    gap = _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre) ** 2
    return xp.total(weights * xp.total(gap)) / 2


def _final_gap(w: World, weights: Array, step: Array, own: bool = True) -> Array:
    """E f_1(x^K) - f_1(x_1^*), or the gap of f^lambda; the noise lies on the last axis."""
    from synthetic.exact_runs import averaging_moments

    where = xp.eye(w.d, w.start)[w.d - 1]
    noise = w.variance[..., None, None] * where + 0 * w.centre
    mean, spread = averaging_moments(
        weights, _hessian(w), w.centre, w.start, noise, step, w.rounds
    )
    middle = w.centre[..., 0, :] if own else xp.total(weights[..., None] * w.centre, -2)
    return xp.total(_hessian(w) * ((mean - middle) ** 2 + spread)) / 2


def _log_positive(w: World) -> Terms:
    weights = _row(w)
    gap = _weighted_gap(w, weights)
    size = gap * w.mu**2 * w.rounds / (w.smoothness * w.variance * _mass(weights))
    return {"logarithm positive": size - 1}


_POSITIVE = frozenset({"logarithm positive"})


def _smooth_step(w: World, weights: Array) -> Array:
    return sgd.horizon_step(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance * _mass(weights), w.rounds
    )


def _theorem6b(w: World) -> tuple[Terms, Terms]:
    """m = 0 (B.2). Proof: |grad f_i|^2 <= 2 sum lambda b~ + 4 L F_lambda, PL, and the horizon
    bound with 1 + ln for F_lambda. Loose by the factor 2 kappa for one agent."""
    weights = _row(w)
    return {"E F": _final_gap(w, weights, _smooth_step(w, weights))}, rates.averaging_smooth_upper(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance, _mass(weights), w.rounds,
        0 * w.mu, xp.total(weights * _pair_bias(w)),
    )  # fmt: skip


def _wga_b(w: World) -> tuple[Terms, Terms]:
    """The gap of f^lambda itself.

    Lemma 4.b (repaired, A = I) with noise sigma^2 sum lambda^2, and F_lambda^0 in place of the gap
    of f^lambda at x^0, which is no larger: f^lambda(x^lambda) >= sum_j lambda_j f_j(x_j^*).
    """
    weights = _row(w)
    return {"E f^lambda": _final_gap(w, weights, _smooth_step(w, weights), own=False)}, sgd.horizon_upper(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance * _mass(weights), w.rounds
    )


def _near_weights(w: World) -> Array:
    return rates.close_weights(_pair_bias(w), w.precision)


def _theorem7(w: World) -> tuple[Terms, Terms]:
    """m = 0. Bias at most eps/2, start and noise at most eps/(8 kappa) each, times 2 kappa."""
    weights = _near_weights(w)
    step = rates.averaging_smooth_step(
        w.mu, w.smoothness, w.variance, _mass(weights), w.precision, 0 * w.mu
    )
    return {"E F": _final_gap(w, weights, step)}, {"precision": w.precision}


def _enough_rounds(w: World) -> Terms:
    weights = _near_weights(w)
    asked = rates.averaging_smooth_rounds(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance, _mass(weights), w.precision,
        0 * w.mu,
    )
    return {"K at least the number": w.rounds - asked}


SIGNS = numbers(
    {"row": Real(1 / 8, 1, per=("N",)), "level": Real(0, 1, per=("N",)), "variance": NOISE},
    {"N": 1}, {"N": 2}, {"N": 3}, about="noise of either sign, up to sigma, all outcomes",
)  # fmt: skip


def _mixed_variance(w: World) -> tuple[Terms, Terms]:
    """Noise level_j sigma with a fair sign for each agent, all combinations of signs.

    Equality where every agent's noise has variance sigma^2.
    """
    weights = _row(w)
    outcomes = list(product((1, -1), repeat=w.N))
    squares = [
        sum(sign * weights[..., j] * w.level[..., j] for j, sign in enumerate(signs)) ** 2
        for signs in outcomes
    ]
    mean = sum(squares[1:], start=squares[0]) / len(outcomes)
    return {"variance": w.variance * mean}, {"sigma^2 sum lambda^2": w.variance * _mass(weights)}


def _mixed_mean(w: World) -> tuple[Terms, Terms]:
    """Mean step of the algorithm against the gradient of f^lambda, first coordinate."""
    from synthetic.exact_runs import averaging_moments

    weights = _row(w)
    noise = 0 * w.centre
    mean, _ = averaging_moments(weights, _hessian(w), w.centre, w.start, noise, one(w.mu), 1)
    slope = xp.total(weights[..., None] * _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre), -2)
    return {"mean step": (w.start - mean)[..., 0]}, {"gradient": slope[..., 0]}


def _split(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """At the point x^0, B.2 (m = 0)."""
        weights, hessian = _row(w), _hessian(w)
        middle = xp.total(weights[..., None] * w.centre, -2)
        own = hessian * (w.start - w.centre[..., 0, :])
        mixed = hessian * (w.start - middle)
        sizes = {"own": xp.total(own**2), "gap": xp.total((own - mixed) ** 2), "mixed": xp.total(mixed**2)}
        bias = w.mu * xp.total(weights * _pair_bias(w))
        level = xp.total(hessian * (w.start - middle) ** 2) / 2
        if part == "triangle":
            return {"|grad f_i|^2": sizes["own"]}, {"gap": 2 * sizes["gap"], "mixed": 2 * sizes["mixed"]}
        if part == "bias":
            return {"gap": 2 * sizes["gap"], "mixed": 2 * sizes["mixed"]}, {
                "bias": 2 * bias, "mixed": 2 * sizes["mixed"],
            }  # fmt: skip
        if part == "smooth":
            return {"bias": 2 * bias, "mixed": 2 * sizes["mixed"]}, {"bias": 2 * bias, "level": 4 * w.smoothness * level}
        gap = xp.total(hessian * (w.start - w.centre[..., 0, :]) ** 2) / 2
        return {"gap": gap}, {"PL": sizes["own"] / (2 * w.mu)}

    return sides


def _b1(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """f_1 at the minimiser of f_2 (the start of this family)."""
        hessian = _hessian(w)
        apart = w.start - w.centre[..., 0, :]
        gap = xp.total(hessian * apart**2) / 2
        square = xp.total((hessian * apart) ** 2)
        if part == "pl":
            return {"gap": gap}, {"PL": square / (2 * w.mu)}
        return {"squared gap": gap**2}, {"squared product": xp.total(apart**2) * square}

    return sides


_HIDDEN = "the constants and logarithms of the O~"
_6B = r"\mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+%s\bigr)+\sum_j\lambda_jb_{ij}"
_7 = r"\frac{(m+1)\kappa^2\sigma^2}{\mu\varepsilon}\frac N{\mathcal N_i^\varepsilon(2b)}"
_HORIZON = r"\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2(1+\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2})"
_T7 = r"T=N\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon"
_2 = r"\tilde{\mathcal O}\Bigl(\frac{\kappa\sigma^2}{\mu\varepsilon}%s\Bigr)"
_SM = {"smoothness": _smoothness}


STATEMENTS = (
    unchecked_claim("theorem6b", "theorem", "Theorem 6.b", _6B % r"\tilde{\mathcal O}(\cdot)",
                    "weighted gradient averaging", _HIDDEN),
    claim("theorem6b.explicit/similar", "Theorem 6.b", _6B % _HORIZON,
           family=SMOOTH, over="mean", sides=_theorem6b, given=_log_positive, strict=_POSITIVE, form="explicit",
           defines=_SM, uses=("allforall.lemma4b.repaired",)),
    unchecked_claim("theorem2.2", "theorem", "Theorem 2.2", _2 % r"\frac N{\mathcal N_i^\varepsilon(2b)}",
                    "weighted gradient averaging",
                    _HIDDEN + "; the proof gives kappa^2 in place of kappa (see theorem7.2.explicit)"),
    claim("theorem2.2.explicit", "Theorem 2.2",
           r"\kappa=1:\ T=N\max\bigl(2,\tfrac{8\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8F_\lambda^0}\varepsilon",
           family=ROUND_TARGET, over="mean", sides=_theorem7, given=_enough_rounds, form="explicit", defines=_SM),
    unchecked_claim("theorem7.2/any", "theorem", "Theorem 7.2", rf"\tilde{{\mathcal O}}\Bigl({_7}\Bigr)",
                    "weighted gradient averaging", _HIDDEN),
    unchecked_claim("theorem7.2/small", "theorem", "Theorem 7.2", _2 % r"\frac N{\mathcal N_i^\varepsilon(2b)}",
                    "weighted gradient averaging, m at most 1/2",
                    _HIDDEN + ", and the rule of the cited paper"),
    claim("theorem7.2.explicit/similar", "Theorem 7.2", _T7,
           family=SMOOTH_TARGET, over="mean", sides=_theorem7, given=_enough_rounds, form="explicit", defines=_SM),
    claim("ineq.B1fromB2", "Section 4",
           r"f_i(x_j^*)-f_i(x_i^*)\le\tfrac1{2\mu}\|\nabla f_i(x_j^*)\|^2", family=SMOOTH,
           sides=_b1("pl"), kind="claim", defines=_SM, title="from gradients to values"),
    claim("ineq.B1convex", "Section 4",
           r"f_i(x_j^*)-f_i(x_i^*)\le\|x_i^*-x_j^*\|\|\nabla f_i(x_j^*)\|", family=SMOOTH,
           sides=_b1("convex"), kind="claim", defines=_SM, title="from gradients to values"),
    _proof("eq14/mean", r"\mathbb E g_\lambda^k=\nabla f^\lambda", family=SMOOTH, sides=_mixed_mean,
           relation="==", defines=_SM),
    _proof("eq14/variance", r"\mathbb E\|g_\lambda^k-\nabla f^\lambda\|^2\le\sigma^2\sum_j\lambda_j^2",
           family=SIGNS, sides=_mixed_variance),
    unchecked_claim("proof.wga_b", "proof step", _D,
                    r"f^\lambda(x^k)-f^\lambda(x^\lambda)\le F_\lambda^0e^{-\frac k{2\kappa}}+\tilde{\mathcal O}(\cdot)",
                    "weighted gradient averaging", _HIDDEN),
    _proof("proof.wga_b.explicit", r"\ldots\le F_\lambda^0e^{-\frac k{2\kappa}}+\tfrac{L\sigma^2}{\mu^2k}\sum_j\lambda_j^2(1+\ln(\cdot))",
           family=SMOOTH, over="mean", sides=_wga_b, given=_log_positive, strict=_POSITIVE, form="explicit", defines=_SM),
    *(_proof(f"ineq.gradsplit/{part}", latex, family=SMOOTH, sides=_split(part), defines=_SM)
      for part, latex in (
        ("triangle", r"\|\nabla f_i\|^2\le2\|\nabla f_i-\nabla f^\lambda\|^2+2\|\nabla f^\lambda\|^2"),
        ("bias", r"\|\nabla f_i-\nabla f^\lambda\|^2\le m\|\nabla f^\lambda\|^2+\sum_j\lambda_j\tilde b_{ij}"),
        ("smooth", r"2\|\nabla f^\lambda\|^2\le4L(f^\lambda-f^\lambda(x^\lambda))"),
        ("pl", r"f_i(x^k)-f_i(x_i^*)\le\tfrac1{2\mu}\|\nabla f_i(x^k)\|^2"),
    )),
)  # fmt: skip
