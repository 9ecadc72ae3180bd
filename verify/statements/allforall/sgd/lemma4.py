"""Appendix F: Lemma 4 and the steps of its proof, on quadratics with exact moments."""

from __future__ import annotations

from bounds import generic as xp
from bounds.allforall import sgd
from verify.claim import Array, Reading, Real, Sides, Terms, hypothesis, numbers
from verify.statements.allforall import measured
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World, once

claim = q.Claims(r"""
Lemma 4 :: lemma :: stochastic gradient descent
    lemma4a :: \mathbb E f(x^T)-f^*\le e^{-\eta\mu T}f_0+\tfrac{\eta L\sigma^2}\mu
    lemma4a.repaired :: \mathbb E f(x^T)-f^*\le e^{-\eta\mu\lambda_{\min}^+(A)T}f_0+\tfrac{\eta LL_A\sigma^2}{2\mu\lambda_{\min}^+(A)}
    lemma4b :: \mathbb E f(x^T)-f^*\le e^{-\frac\mu{2L}T}f_0+\tfrac{L\sigma^2}{\mu^2T}\ln\tfrac{f_0\mu^2T}{L\sigma^2}
    lemma4b.repaired :: \mu:=\mu\lambda_{\min}^+(A):\ \ldots\le e^{-\frac\mu{2L}T}f_0+\tfrac{L\sigma^2}{\mu^2T}\bigl(1+\ln\tfrac{f_0\mu^2T}{L\sigma^2}\bigr)
    lemma4c/gap :: T_\varepsilon=\bigl\lceil\tfrac1{\eta_\varepsilon\mu}\ln\tfrac{f_0}\varepsilon\bigr\rceil:\ f\bigl(\tfrac1{T_\varepsilon}\sum_{t<T_\varepsilon}x^t\bigr)-f^*\le\varepsilon
    lemma4c.repaired/gap mean :: A=I,\ T=\lceil\tfrac1{\eta_\varepsilon\mu}\ln\tfrac{2f_0}\varepsilon\rceil:\ \mathbb E f(x^T)-f^*\le\varepsilon
    lemma4c/number mean :: T_\varepsilon=\bigl\lceil\tfrac1{\eta_\varepsilon\mu}\ln\tfrac{f_0}\varepsilon\bigr\rceil\le\max\bigl(\tfrac{2L\sigma^2}{\varepsilon\mu^2},\tfrac{2L}\mu\bigr)\ln\tfrac{f_0}\varepsilon
    lemma4c.repaired/number mean :: T_\varepsilon=\bigl\lceil\tfrac1{\eta_\varepsilon\mu}\ln\tfrac{f_0}\varepsilon\bigr\rceil\le\max(\ldots)\ln\tfrac{f_0}\varepsilon+1
Lemma 4 :: proof step :: stochastic gradient descent
    proof.lemma4_descent/smooth :: f_{t+1}-f_t\le-\eta\|\nabla f\|^2+\tfrac{\eta^2L}2\mathbb E\|g\|_A^2
    proof.lemma4_descent/norm :: \mathbb E\|g\|_A^2\le L_A\mathbb E\|g\|^2
    proof.lemma4_descent/last :: \ldots\le-\eta(1-\tfrac{\eta LL_A}2)\|\nabla f\|^2+\tfrac{\eta^2LL_A\sigma^2}2
    proof.lemma4_pl/first :: \|\nabla f\|^2\ge\tfrac1{L_A}\|\nabla f\|_A^2
    proof.lemma4_pl/second :: \tfrac1{L_A}\|\nabla f\|_A^2\le\tfrac{2\mu}{L_A}f_t
    proof.lemma4_pl.repaired/second :: \|\nabla f\|^2\ge2\mu\lambda_{\min}^+(A)f_t
    proof.lemma4_pl/recursion :: f_{t+1}-f_t\le-2\eta\tfrac\mu{L_A} f_t+\tfrac{\eta^2LL_A\sigma^2}2
    proof.lemma4_pl.repaired/recursion :: f_{t+1}-f_t\le-\eta\mu\lambda_{\min}^+(A) f_t+\tfrac{\eta^2LL_A\sigma^2}2
    proof.lemma4_sum/weighted :: \sum_{t<T}(1-\eta\mu)^{-t-1}f_{t+1}-(1-\eta\mu)^{-t}f_t\le\tfrac{\eta^2L\sigma^2}2\sum_{t<T}(1-\eta\mu)^{-t-1}
    proof.lemma4_sum/geometric :: \sum_{t<T}(1-\eta\mu)^{-t-1}\le\tfrac{(1-\eta\mu)^{-T-1}}{\eta\mu}
""")
_RECURSION = r"f_{t+1}-f_t\le-2\eta\tfrac\mu{L_A}f_t+\tfrac{\eta^2LL_A\sigma^2}2\text{ for all }t"
_SYMBOLS = "mu condition ratio point variance"
_ABOUT = "f = sum_c a_c h_c x_c^2/2, A = diag(a), h from mu to L; closed-form moments"
_OWN = {
    "ratio": Real(1 / 64, 1, log=True, domain=(0, 1)),
    "point": Real(-2, 2, unit=(0, 1), per=("d",)),
}
_AXES = q.sizes("d rounds", (1, 1), (2, 1), (2, 8), (2, 32))
_LARGEST = {"smoothness": lambda w: w.mu * w.condition}
_STEPPED: dict[str, object] = {
    "family": q.family(f"{_SYMBOLS} step_share", _ABOUT, *_AXES, **_OWN),
    "defines": {"step_size": q.long_step, **_LARGEST},
}
_HORIZON: dict[str, object] = {
    "family": q.family(_SYMBOLS, _ABOUT, *_AXES, **_OWN),
    "defines": _LARGEST,
}
_PARABOLA = q.family(
    "mu precision variance fraction",
    "f = mu x^2/2 with additive noise +-sigma",
    *q.sizes("rounds", 4, 16, 64),
)
_PRECISE = {"step_size": lambda w: sgd.precision_step(w.mu, w.mu, w.variance, w.precision)}
_SEQUENCES = numbers(
    {
        "rate": Real(1 / 64, 1 / 2, log=True, domain=(0, 1 / 2)),
        "largest": Real(1 / 8, 1, log=True, domain=(0, 1)),
        "noise": Real(1 / 64, 4, unit=(1, 0), log=True),
        "gaps": Real(0, 4, unit=(1, 0), per=("T",)),
    },
    *q.sizes("T", 2, 3, 4),
    about="eta mu <= 1/2, L_A <= 1, any sequence that satisfies the recursion",
)


def _metric(w: World) -> Array:
    """Diagonal of A: 1 and ratio, (B, 1, d)."""
    first = 0 * w.point[..., 0] + 1
    return measured.per_axis(w, first, w.ratio * first)


def _relative(w: World) -> Array:
    """Relative curvatures: L along the first axis, mu along the second."""
    first = 0 * w.point[..., 0] + 1
    return measured.per_axis(w, w.smoothness * first, w.mu * first)


def _lowest(w: World) -> Array:
    return xp.smallest(_metric(w))


def _start_gap(w: World) -> Array:
    return xp.total(_metric(w) * _relative(w) * w.point**2) / 2


def _after(w: World, step: Array, rounds: int) -> Array:
    """E f(x^T) - f^*; the noise falls on the first axis, where it does least good.

    x_c' = (1 - eta a_c h_c) x_c - eta n_c.
    """
    factor = (1 - step[..., None] * _metric(w) * _relative(w)) ** 2
    nothing, noise = 0 * factor[..., 0], step**2 * w.variance
    spread = measured.after_rounds(w, nothing, factor[..., 0], noise, rounds)
    shape = _metric(w) * _relative(w) / 2
    return xp.total(shape * factor**rounds * w.point**2) + shape[..., 0] * spread


# -- Lemma 4.a and 4.b ----------------------------------------------------------------------------
def _run(w: World) -> tuple[Terms, tuple[Array, Array, Array, Array, Array, int]]:
    """E f(x^T), and f_0, step, mu, L, noise and T."""
    args = (_start_gap(w), w.step_size, w.mu, w.smoothness, w.variance, w.rounds)
    return {"E f(x^T)": _after(w, w.step_size, w.rounds)}, args


@claim("lemma4a", **_STEPPED)
def lemma4a(w: World) -> Sides:
    """L_A = 1. The slow axis contracts at 1 - eta mu ratio a step, not 1 - eta mu."""
    left, args = _run(w)
    return left, sgd.lemma4_printed(*args)


@claim("lemma4a.repaired", **_STEPPED, note=lemma4a.note)
def lemma4a_repaired(w: World) -> Sides:
    """Proof. f_{t+1} <= f_t - eta (1 - eta L high/2) |grad|^2 + noise, |grad|^2 >= low
    |grad|^2_{A^+} >= 2 mu low f_t, and 1 - eta L high/2 >= 1/2."""
    left, args = _run(w)
    return left, sgd.lemma4_upper(*args, _lowest(w), 0 * w.mu + 1)


def _at_horizon(w: World, mu: Array) -> tuple[Terms, tuple[Array, ...]]:
    """E f(x^T) with the step for this mu, and f_0, mu, L, noise and T."""
    args = (_start_gap(w), mu, w.smoothness, w.variance, w.rounds)
    return {"E f(x^T)": _after(w, sgd.horizon_step(*args), w.rounds)}, args


def _log_argument(w: World, mu: Array) -> Array:
    return _start_gap(w) * mu**2 * w.rounds / (w.smoothness * w.variance) - 1


@hypothesis("logarithm positive", r"f_0\mu^2T>L\sigma^2", where="Lemma 4: eta > 0", strict=True)
def log_positive(w: World) -> Array:
    return _log_argument(w, w.mu)


@claim("lemma4b", **_HORIZON, given=[log_positive])
def lemma4b(w: World) -> Sides:
    """Two faults: the rate (see 4a), and the term exp(-eta mu T) f_0 = L sigma^2/(mu^2 T) of
    the logarithmic step, which the repaired form counts as 1 + ln."""
    left, args = _at_horizon(w, w.mu)
    return left, sgd.horizon_printed(*args)


@hypothesis("logarithm positive", r"f_0(\mu\lambda_{\min}^+(A))^2T>L\sigma^2", strict=True)
def low_log_positive(w: World) -> Array:
    return _log_argument(w, w.mu * _lowest(w))


@claim("lemma4b.repaired", **_HORIZON, given=[low_log_positive], note=lemma4b.note)
def lemma4b_repaired(w: World) -> Sides:
    """Proof. With mu for mu low: by 4a the gap is at most exp(-eta mu T) f_0 + eta L sigma^2/(2 mu).
    If eta is the logarithmic step, this is L sigma^2/(mu^2 T) (1 + ln(.)/2); if it is 1/(2 L), the
    first term is as printed and the second is smaller."""
    left, args = _at_horizon(w, w.mu * _lowest(w))
    return left, sgd.horizon_upper(*args)


# -- Lemma 4.c: the number of steps for a precision -----------------------------------------------
def _gap4c(w: World, extra: int) -> Array:
    """f_0, such that the rounded number of rounds is T: ln(extra f_0/eps)/(eta mu) = T - share."""
    return w.precision * xp.exp(w.step_size * w.mu * q.number(w, "rounded-up")) / extra


@claim(
    "lemma4c/gap",
    readings=("expectation",),
    over=lambda r: "path" if "every-outcome" in r else "mean",
    family=_PARABOLA,
    defines=_PRECISE,
)
def lemma4c(w: World, r: Reading) -> Sides:
    """f_0 is such that T is the number of rounds. The average keeps a share 1/(eta mu T)
    of the start, where the last iterate keeps exp(-eta mu T); noise only adds to the left."""
    start = xp.sqrt(2 * _gap4c(w, 1) / w.mu)
    left = q.mean_gap(w, w.mu, start, w.step_size, w.rounds, r.expectation)
    right = w.precision if r.expectation == "in-mean" else w.precision[..., None]
    return {"f(mean)": left}, {"precision": right}


@claim("lemma4c.repaired/gap", family=_PARABOLA, defines=_PRECISE)
def lemma4c_repaired(w: World) -> Sides:
    """The last iterate, in expectation, with 2 f_0 in place of f_0.

    Proof. By 4a (A = I) the gap of the last iterate is at most exp(-eta mu T) f_0 +
    eta L sigma^2/(2 mu): eps/2 from the start and, as eta <= mu eps/(2 L sigma^2), eps/4 from the
    noise."""
    factor = (1 - w.step_size * w.mu) ** 2
    noise = w.step_size**2 * w.variance
    spread = measured.after_rounds(w, 0 * factor, factor, noise, w.rounds)
    square = factor**w.rounds * 2 * _gap4c(w, 2) / w.mu + spread
    return {"E f(x^T)": w.mu * square / 2}, {"precision": w.precision}


def _numbers(w: World) -> tuple[Terms, Terms]:
    most = xp.maximum(2 * w.variance / (w.precision * w.mu), 2 + 0 * w.mu)
    right = most * xp.log(_gap4c(w, 1) / w.precision)
    return {"T": w.rounds * xp.ones_like(w.mu)}, {"without rounding": right}


@claim("lemma4c/number", family=_PARABOLA, defines=_PRECISE)
def number4c(w: World) -> Sides:
    """1/(eta mu) is the maximum, so that rounding up alone is enough to pass it, by less than 1."""
    return _numbers(w)


@claim("lemma4c.repaired/number", family=_PARABOLA, defines=_PRECISE)
def number4c_repaired(w: World) -> Sides:
    """With 1 for the rounding.

    Proof. A number rounded up exceeds it by less than 1."""
    left, right = _numbers(w)
    return left, {**right, "rounding": xp.ones_like(w.mu)}


# -- the proof: descent, PL inequality, recursion, sum --------------------------------------------
@once
def _norms(w: World) -> tuple[Array, Array]:
    """|grad f|^2 and |grad f|_A^2 at the point."""
    square = (_metric(w) * _relative(w) * w.point) ** 2
    return xp.total(square), xp.total(_metric(w) * square)


def _change(w: World) -> Terms:
    return {"f after": _after(w, w.step_size, 1), "-f before": -_start_gap(w)}


def _noise(w: World, norm: Array) -> Array:
    """The noise lies along the first axis, a = 1."""
    return w.step_size**2 * w.smoothness * (norm + w.variance) / 2


@claim("proof.lemma4_descent/smooth", **_STEPPED)
def descent_smooth(w: World) -> Sides:
    """One step; E |g|_A^2 <= L_A E |g|^2 = L_A (|grad|^2 + sigma^2), L_A = 1."""
    plain, metric = _norms(w)
    return _change(w), {"-eta |grad|^2": -w.step_size * plain, "step": _noise(w, metric)}


@claim("proof.lemma4_descent/norm", **_STEPPED, note=descent_smooth.note)
def descent_norm(w: World) -> Sides:
    plain, metric = _norms(w)
    return {"step": _noise(w, metric)}, {"step": _noise(w, plain)}


@claim("proof.lemma4_descent/last", **_STEPPED, note=descent_smooth.note)
def descent_last(w: World) -> Sides:
    (plain, _), eta, smooth = _norms(w), w.step_size, w.smoothness
    drop = -eta * (1 - eta * smooth / 2) * plain
    return _change(w), {"drop": drop, "noise": eta**2 * smooth * w.variance / 2}


@claim("proof.lemma4_pl/first", **_STEPPED)
def pl_first(w: World) -> Sides:
    """Relative strong convexity bounds |grad|^2 in the norm of A^+, not of A; with >= the
    second part would fall too."""
    plain, metric = _norms(w)
    return {"|grad|_A^2": metric}, {"|grad|^2": plain}


@claim("proof.lemma4_pl/second", **_STEPPED, note=pl_first.note)
def pl_second(w: World) -> Sides:
    return {"|grad|_A^2": _norms(w)[1]}, {"2 mu f": 2 * w.mu * _start_gap(w)}


@claim("proof.lemma4_pl.repaired/second", **_STEPPED, note=pl_first.note)
def pl_repaired(w: World) -> Sides:
    """Proof. Minimising both sides of f(y) >= f(x) + <grad, y - x> + (mu/2) |y - x|_A^2 over y gives
    f^* >= f - |grad|_{A^+}^2/(2 mu), and |grad|_{A^+}^2 is at most |grad|^2/low, as the gradient lies
    in the range of A."""
    return {"2 mu f": 2 * w.mu * _start_gap(w) * _lowest(w)}, {"squared norm": _norms(w)[0]}


def _recursion(w: World, rate: Array) -> Sides:
    noise = w.step_size**2 * w.smoothness * w.variance / 2
    return _change(w), {"drop": -rate * _start_gap(w), "noise": noise}


@claim("proof.lemma4_pl/recursion", **_STEPPED)
def recursion(w: World) -> Sides:
    """Printed with 2 eta mu/L_A."""
    return _recursion(w, 2 * w.step_size * w.mu)


@claim("proof.lemma4_pl.repaired/recursion", **_STEPPED, note=recursion.note)
def recursion_repaired(w: World) -> Sides:
    """Proof. In the descent step 1 - eta L L_A/2 >= 1/2, and |grad|^2 >= 2 mu low f."""
    return _recursion(w, w.step_size * w.mu * _lowest(w))


@quantity
def inverse_powers(w: World, rate: Array, terms: int) -> Array:
    """Sum over t < T of (1 - eta mu)^{-t-1}."""
    return sum(1 / (1 - rate) ** (t + 1) for t in range(terms))


@hypothesis("recursion", _RECURSION, where="Lemma 4, proof")
def satisfied(w: World) -> Array:
    fall = (2 * w.rate / w.largest)[..., None] * w.gaps[..., :-1]
    return w.gaps[..., :-1] - fall + (w.noise * w.largest)[..., None] - w.gaps[..., 1:]


@claim("proof.lemma4_sum/weighted", family=_SEQUENCES, given=[satisfied])
def weighted_sum(w: World) -> Sides:
    """Sum of the recursion divided by (1 - eta mu)^{t+1}: it telescopes. noise: eta^2 L sigma^2/2."""
    keep = 1 - w.rate
    left = {
        f"change {t}": w.gaps[..., t + 1] / keep ** (t + 1) - w.gaps[..., t] / keep**t
        for t in range(w.T - 1)
    }
    return left, {"noise": w.noise * inverse_powers(w, w.rate, w.T - 1)}


@claim("proof.lemma4_sum/geometric", family=_SEQUENCES)
def geometric_sum(w: World) -> Sides:
    right = w.noise / (w.rate * (1 - w.rate) ** (w.T + 1))
    return {"sum": w.noise * inverse_powers(w, w.rate, w.T)}, {"bound": right}
