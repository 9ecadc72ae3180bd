"""Appendix F: Lemma 4, on quadratics with exact moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_sgd as sgd
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import (
    CURVATURE,
    NOISE,
    POSITIVE_LENGTH,
    PRECISION,
    numbers,
    source,
)
from verify.world.world import World

Array = Any
_BOX = {
    "mu": CURVATURE,
    "condition": Real(1, 8, log=True),
    "ratio": Real(1 / 64, 1, log=True),
    "point": Real(-2, 2, unit=(0, 1), per=("d",)),
    "variance": NOISE,
}
_STEP = {"step_share": Real(1 / 16, 1)}
_AXES = ({"d": 1, "rounds": 1}, {"d": 2, "rounds": 1}, {"d": 2, "rounds": 8}, {"d": 2, "rounds": 32})
_ABOUT = "f = sum_c a_c h_c x_c^2/2, A = diag(a), h from mu to L; closed-form moments"
RELATIVE = numbers({**_BOX, **_STEP}, *_AXES, about=_ABOUT)
HORIZON = numbers(_BOX, *_AXES, about=_ABOUT)


def _metric(w: World) -> Array:
    """Diagonal of A: 1 and ratio, (B, 1, d)."""
    first = 0 * w.point[..., 0] + 1
    return xp.stack([first, w.ratio * first][: w.d], -1)


def _relative(w: World) -> Array:
    """Relative curvatures: L along the first axis, mu along the second."""
    first = 0 * w.point[..., 0] + 1
    return xp.stack([w.smoothness * first, w.mu * first][: w.d], -1)


def _smoothness(w: World) -> Array:
    return w.mu * w.condition


def _long_step(w: World) -> Array:
    return w.step_share / (2 * w.smoothness)


def _lowest(w: World) -> Array:
    return xp.smallest(_metric(w))


def _gap(w: World, point: Array) -> Array:
    return xp.total(_metric(w) * _relative(w) * point**2) / 2


def _start_gap(w: World) -> Array:
    return _gap(w, w.point)


def _after(w: World, step: Array, rounds: int) -> Array:
    """E f(x^T) - f^*; the noise falls on the last axis, where it does least good.

    x_c' = (1 - eta a_c h_c) x_c - eta n_c.
    """
    factor = (1 - step[..., None] * _metric(w) * _relative(w)) ** 2
    spread: Array = 0 * factor[..., 0]
    for _ in range(rounds):
        spread = factor[..., 0] * spread + step**2 * w.variance
    shape = _metric(w) * _relative(w) / 2
    return xp.total(shape * factor**rounds * w.point**2) + shape[..., 0] * spread


def _lemma4a(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """L_A = 1. The slow axis contracts at 1 - eta mu ratio a step, not 1 - eta mu.

        Proof of the repaired form. f_{t+1} <= f_t - eta (1 - eta L high/2) |grad|^2 + noise,
        |grad|^2 >= low |grad|^2_{A^+} >= 2 mu low f_t, and 1 - eta L high/2 >= 1/2.
        """
        left = {"E f(x^T)": _after(w, w.step_size, w.rounds)}
        common = (_start_gap(w), w.step_size, w.mu, w.smoothness, w.variance, w.rounds)
        if printed:
            return left, sgd.lemma4_printed(*common)
        return left, sgd.lemma4_upper(*common, _lowest(w), 0 * w.mu + 1)

    return sides


def _effective(w: World, printed: bool) -> Array:
    return w.mu if printed else w.mu * _lowest(w)


def _lemma4b(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Two faults: the rate (see 4a), and the term exp(-eta mu T) f_0 = L sigma^2/(mu^2 T) of
        the logarithmic step, which the repaired form counts as 1 + ln.

        Proof of the repaired form, mu for mu low.  By 4a the gap is at most exp(-eta mu T) f_0 +
        eta L sigma^2/(2 mu). If eta is the logarithmic step, this is L sigma^2/(mu^2 T) (1 +
        ln(.)/2); if it is 1/(2 L), the first term is as printed and the second is smaller.
        """
        args = (_start_gap(w), _effective(w, printed), w.smoothness, w.variance, w.rounds)
        left = {"E f(x^T)": _after(w, sgd.horizon_step(*args), w.rounds)}
        return left, (sgd.horizon_printed if printed else sgd.horizon_upper)(*args)

    return sides


def _positive_step(printed: bool) -> Callable[[World], Terms]:
    def given(w: World) -> Terms:
        gap, mu = _start_gap(w), _effective(w, printed)
        return {"logarithm positive": gap * mu**2 * w.rounds / (w.smoothness * w.variance) - 1}

    return given


# one axis, a target precision
TARGET = numbers(
    {"mu": CURVATURE, "start": POSITIVE_LENGTH, "precision": PRECISION, "variance": NOISE},
    {"rounds": 4}, {"rounds": 16}, {"rounds": 64}, about="f = mu x^2/2 with additive noise",
)  # fmt: skip


def _target_step(w: World) -> Array:
    return sgd.precision_step(w.mu, w.mu, w.variance, w.precision)


def _enough(extra: int) -> Callable[[World], Terms]:
    """T is the first integer at or above the prescribed number."""

    def given(w: World) -> Terms:
        gap = w.mu * w.start**2 / 2
        asked = sgd.precision_rounds(extra * gap, w.mu, w.step_size, w.precision)
        return {"T at least": w.rounds - asked, "T below the next": asked + 1 - w.rounds}

    return given


def _averaged(w: World) -> tuple[Terms, Terms]:
    """E f(mean of x^0..x^{T-1}), exactly: its mean is x^0 (1 - q^T)/(T(1 - q)).

    The average keeps a share 1/(eta mu T) of the start, where the last iterate keeps
    exp(-eta mu T); the noise only adds to the left side (its part is given separately).
    """
    factor = 1 - w.step_size * w.mu
    kept: Array = 0 * factor
    spread: Array = 0 * factor
    weight: Array = 0 * factor
    for _ in range(w.rounds):
        kept = kept * factor + 1
    for _ in range(w.rounds - 1):
        weight = weight * factor + 1  # influence of one noise on the sum of later iterates
        spread = spread + weight**2
    mean = kept * w.start / w.rounds
    noise = w.step_size**2 * w.variance * spread / w.rounds**2
    return {"start": w.mu * mean**2 / 2, "noise": w.mu * noise / 2}, {"precision": w.precision}


def _last(w: World) -> tuple[Terms, Terms]:
    """Proof.  By 4a (A = I) the gap of the last iterate is at most exp(-eta mu T) f_0 +
    eta L sigma^2/(2 mu): eps/2 from the start and, as eta <= mu eps/(2 L sigma^2), eps/4 from the
    noise."""
    factor = (1 - w.step_size * w.mu) ** 2
    spread: Array = 0 * factor
    for _ in range(w.rounds):
        spread = factor * spread + w.step_size**2 * w.variance
    square = factor**w.rounds * w.start**2 + spread
    return {"E f(x^T)": w.mu * square / 2}, {"precision": w.precision}


_L4 = {"step_size": _long_step, "smoothness": _smoothness}
_LOGS = {"smoothness": _smoothness}


def _lemma(key: str, latex: str, **fields: Any) -> Statement:
    number = key.removeprefix("proof.").removeprefix("lemma")[0]
    fields.setdefault("kind", "proof step" if key.startswith("proof") else "lemma")
    return Statement(
        key=f"allforall.{key}", source=source(f"Lemma {number}"), latex=latex,
        title="stochastic gradient descent", **fields,
    )  # fmt: skip


STATEMENTS = (
    _lemma("lemma4a", r"\mathbb E f(x^T)-f^*\le e^{-\eta\mu T}f_0+\tfrac{\eta L\sigma^2}\mu",
           family=RELATIVE, sides=_lemma4a(True), defines=_L4),
    _lemma("lemma4a.repaired",
           r"\mathbb E f(x^T)-f^*\le e^{-\eta\mu\lambda_{\min}^+(A)T}f_0+\tfrac{\eta LL_A\sigma^2}{2\mu\lambda_{\min}^+(A)}",
           family=RELATIVE, sides=_lemma4a(False), defines=_L4, form="repaired"),
    _lemma("lemma4b", r"\mathbb E f(x^T)-f^*\le e^{-\frac\mu{2L}T}f_0+\tfrac{L\sigma^2}{\mu^2T}\ln\tfrac{f_0\mu^2T}{L\sigma^2}",
           family=HORIZON, sides=_lemma4b(True), defines=_LOGS, given=_positive_step(True),
           strict=frozenset({"logarithm positive"})),
    _lemma("lemma4b.repaired",
           r"\mu:=\mu\lambda_{\min}^+(A):\ \ldots\le e^{-\frac\mu{2L}T}f_0+\tfrac{L\sigma^2}{\mu^2T}\bigl(1+\ln\tfrac{f_0\mu^2T}{L\sigma^2}\bigr)",
           family=HORIZON, sides=_lemma4b(False), defines=_LOGS, given=_positive_step(False),
           strict=frozenset({"logarithm positive"}), form="repaired"),
    _lemma("lemma4c", r"f\bigl(\tfrac1{T_\varepsilon}\sum_{t<T_\varepsilon}x^t\bigr)-f^*\le\varepsilon",
           family=TARGET, over="mean", sides=_averaged, defines={"step_size": _target_step}, given=_enough(1)),
    _lemma("lemma4c.repaired",
           r"A=I,\ T=\lceil\tfrac1{\eta_\varepsilon\mu}\ln\tfrac{2f_0}\varepsilon\rceil:\ \mathbb E f(x^T)-f^*\le\varepsilon",
           family=TARGET, over="mean", sides=_last, defines={"step_size": _target_step}, given=_enough(2),
           form="repaired"),
)  # fmt: skip
