"""Appendix F: stochastic gradient descent, Lemmas 4 to 6 and the steps of their proofs.

Everything is exact: quadratics have closed forms for any law of the noise, absolute losses are
followed through the tree of outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_sgd as sgd
from bounds import generic as xp
from verify.parameters import Real
from verify.statement import Statement, Terms
from verify.statements.allforall.common import (
    CURVATURE,
    GRADIENT,
    NOISE,
    POSITIVE_LENGTH,
    PRECISION,
    numbers,
    source,
)
from verify.world import World

Array = Any

# -- quadratics relative to A = diag(1, ratio) -------------------------------------------------

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


def _far(w: World) -> Terms:
    return {"positive gap": _start_gap(w)}


_FAR = frozenset({"positive gap"})


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
        the logarithmic step, which the repaired form counts as 1 + ln."""
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
    """Last iterate, T from ln(2 f_0/eps): eps/2 from the start, eps/4 from the noise."""
    factor = (1 - w.step_size * w.mu) ** 2
    spread: Array = 0 * factor
    for _ in range(w.rounds):
        spread = factor * spread + w.step_size**2 * w.variance
    square = factor**w.rounds * w.start**2 + spread
    return {"E f(x^T)": w.mu * square / 2}, {"precision": w.precision}


# -- Lemma 5: one axis, curvature up to L ------------------------------------------------------

_SMOOTH = {"curvature": Real(0, 1), "smoothness": CURVATURE, "start": POSITIVE_LENGTH, "variance": NOISE}
_TIMES = ({"rounds": 1}, {"rounds": 2}, {"rounds": 4}, {"rounds": 16})
SMOOTH = numbers({**_SMOOTH, **_STEP}, *_TIMES, about="f = h x^2/2 with h <= L, additive noise")
SMOOTH_HORIZON = numbers(_SMOOTH, *_TIMES, about="f = h x^2/2 with h <= L, additive noise")
SMOOTH_TARGET = numbers({**_SMOOTH, "precision": PRECISION}, *_TIMES, {"rounds": 64},
                        about="f = h x^2/2 with h <= L, additive noise")  # fmt: skip


def _second_moments(w: World, step: Array, rounds: int) -> list[Array]:
    """E (x^t)^2 for t = 0..T."""
    factor = (1 - step * w.curvature * w.smoothness) ** 2
    path = [w.start**2]
    for _ in range(rounds):
        path.append(factor * path[-1] + step**2 * w.variance)
    return path


def _average_gap(w: World, step: Array) -> Array:
    """E f(mean of the iterates), by the same two sums as for Lemma 4."""
    curvature = w.curvature * w.smoothness
    factor = 1 - step * curvature
    kept: Array = 0 * factor
    weight: Array = 0 * factor
    spread: Array = 0 * factor
    for _ in range(w.rounds):
        kept = kept * factor + 1
    for _ in range(w.rounds - 1):
        weight = weight * factor + 1
        spread = spread + weight**2
    square = (kept * w.start) ** 2 + step**2 * w.variance * spread
    return curvature * square / (2 * w.rounds**2)


def _lemma5a(w: World) -> tuple[Terms, Terms]:
    """Averaged iterate. Tight up to 1/2 for short runs of large steps."""
    return {"E f(mean)": _average_gap(w, w.step_size)}, sgd.lemma5_upper(
        w.start**2, w.step_size, w.variance, w.rounds
    )


def _lemma5b(last: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """5a with the step inserted; the display has x^T where 5a has the mean."""
        args = (w.start**2, w.smoothness, w.variance, w.rounds)
        step = sgd.lemma5_step(*args)
        if last:
            curvature = w.curvature * w.smoothness
            left = curvature * _second_moments(w, step, w.rounds)[-1] / 2
        else:
            left = _average_gap(w, step)
        return {"E f": left}, sgd.lemma5_horizon_upper(*args)

    return sides


def _lemma5c(w: World) -> tuple[Terms, Terms]:
    """2 D sigma/sqrt T <= eps/2 and 2 L D^2/T <= eps/2 for such T; in expectation."""
    step = sgd.lemma5_step(w.start**2, w.smoothness, w.variance, w.rounds)
    return {"E f(mean)": _average_gap(w, step)}, {"precision": w.precision}


def _lemma5c_given(w: World) -> Terms:
    bound = sgd.lemma5_rounds_upper(w.start**2, w.smoothness, w.variance, w.precision)
    return {"T at least the bound": w.rounds - bound}


# -- Lemma 6: absolute losses ------------------------------------------------------------------

_ABSOLUTE = {"slope_share": Real(0, 1), "size": GRADIENT, "distance": POSITIVE_LENGTH}
_DEEP = ({"rounds": 1}, {"rounds": 2}, {"rounds": 3}, {"rounds": 4})
ABSOLUTE = numbers(_ABSOLUTE, *_DEEP, about="f = s |x| with gradients +-B, all outcomes")
ABSOLUTE_TARGET = numbers({**_ABSOLUTE, "precision": PRECISION}, *_DEEP,
                          about="f = s |x| with gradients +-B, all outcomes")  # fmt: skip
ABSOLUTE_STEP = numbers({**_ABSOLUTE, **_STEP}, *_DEEP,
                        about="f = s |x| with gradients +-B, all outcomes")  # fmt: skip


def _tree_gaps(w: World, step: Array, rounds: int) -> tuple[list[Array], list[Array]]:
    """E f(x^t) and E |x^t|^2 for t = 0..rounds, from x^0 = D."""
    from algorithms.allforall_exact import absolute_tree

    slope = (w.slope_share * w.size)[..., None]
    centre = 0 * slope
    ones = (centre + 1)[..., None]
    tree = absolute_tree(ones, slope, centre, w.size, w.distance, step, rounds)
    gaps = [xp.total(c * xp.absolute(p[..., 0])) * slope[..., 0] for p, c in zip(tree.points, tree.chances, strict=True)]
    squares = [xp.total(c * p[..., 0] ** 2) for p, c in zip(tree.points, tree.chances, strict=True)]
    return gaps, squares


def _mean_gap(w: World, step: Array) -> Array:
    """Mean of E f over x^0..x^{T-1}, at least E f of the mean point."""
    gaps, _ = _tree_gaps(w, step, w.rounds - 1)
    return sum(gaps[1:], start=gaps[0]) / w.rounds


def _lemma6a(w: World) -> tuple[Terms, Terms]:
    """In expectation, and for the mean of the gaps, which is at least the gap of the mean."""
    step = sgd.lemma6_step(w.size**2, w.distance**2, w.rounds)
    return {"mean of E f": _mean_gap(w, step)}, {
        "sqrt(2/T) B D": sgd.lemma6_upper(w.size**2, w.distance**2, w.rounds)
    }


def _lemma6b(w: World) -> tuple[Terms, Terms]:
    """eta = sqrt 2 eps/B^2, T at least 2 (B D/eps)^2."""
    step = xp.sqrt(2 * w.precision**2) / w.size**2
    return {"mean of E f": _mean_gap(w, step)}, {"precision": w.precision}


def _lemma6b_given(w: World) -> Terms:
    return {"T at least 2 (BD/eps)^2": w.rounds - 2 * (w.size * w.distance / w.precision) ** 2}


def _any_step(w: World) -> Array:
    return 2 * w.step_share * w.distance / w.size


# -- the steps of the proofs -------------------------------------------------------------------


def _norms(w: World) -> tuple[Array, Array]:
    """|grad f|^2 and |grad f|_A^2 at the point."""
    square = (_metric(w) * _relative(w) * w.point) ** 2
    return xp.total(square), xp.total(_metric(w) * square)


def _descent(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One step; E |g|_A^2 <= L_A E |g|^2 = L_A (|grad|^2 + sigma^2), L_A = 1."""
        plain, metric = _norms(w)
        eta, smooth = w.step_size, w.smoothness
        noise_metric = metric + w.variance  # the noise lies along the first axis, a = 1
        first = eta**2 * smooth * noise_metric / 2
        second = eta**2 * smooth * (plain + w.variance) / 2
        change = {"f after": _after(w, eta, 1), "-f before": -_start_gap(w)}
        if part == "smooth":
            return change, {"-eta |grad|^2": -eta * plain, "step": first}
        if part == "norm":
            return {"step": first}, {"step": second}
        drop = -eta * (1 - eta * smooth / 2) * plain
        return change, {"drop": drop, "noise": eta**2 * smooth * w.variance / 2}

    return sides


def _pl(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Relative strong convexity bounds |grad|^2 in the norm of A^+, not of A."""
        plain, metric = _norms(w)
        level = 2 * w.mu * _start_gap(w)
        if part == "first":
            return {"|grad|_A^2": metric}, {"|grad|^2": plain}
        if part == "printed":
            return {"|grad|_A^2": metric}, {"2 mu f": level}
        return {"2 mu f": level * (1 if part == "reversed" else _lowest(w))}, {
            "squared norm": metric if part == "reversed" else plain
        }

    return sides


def _recursion(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Printed with 2 eta mu/L_A; true with eta mu low, as 1 - eta L/2 >= 1/2."""
        gap, eta = _start_gap(w), w.step_size
        rate = 2 * eta * w.mu if printed else eta * w.mu * _lowest(w)
        return {"f after": _after(w, eta, 1), "-f before": -gap}, {
            "drop": -rate * gap, "noise": eta**2 * w.smoothness * w.variance / 2,
        }  # fmt: skip

    return sides


SUMS = numbers({"rate": Real(1 / 64, 15 / 16), "noise": Real(1 / 64, 4, unit=(1, 0), log=True),
                "gaps": Real(0, 4, unit=(1, 0), per=("T",))}, {"T": 2}, {"T": 3}, {"T": 4},
               about="any sequence that satisfies the recursion")  # fmt: skip


def _satisfied(w: World) -> Terms:
    """f_{t+1} <= (1 - eta mu) f_t + c with c = eta^2 L sigma^2/2."""
    return {
        f"step {t}": (1 - w.rate) * w.gaps[..., t] + w.noise - w.gaps[..., t + 1]
        for t in range(w.T - 1)
    }


def _weighted(w: World) -> tuple[Terms, Terms]:
    """Sum of the recursion divided by (1 - eta mu)^{t+1}: it telescopes."""
    keep = 1 - w.rate
    left: Terms = {}
    for t in range(w.T - 1):
        change = w.gaps[..., t + 1] / keep ** (t + 1) - w.gaps[..., t] / keep**t
        left = {**left, f"change {t}": change}
    return left, {"noise": w.noise * sum(1 / keep ** (t + 1) for t in range(w.T - 1))}


def _geometric(w: World) -> tuple[Terms, Terms]:
    keep = 1 - w.rate
    left = w.noise * sum(1 / keep ** (t + 1) for t in range(w.T))
    return {"sum": left}, {"bound": w.noise / (w.rate * keep ** (w.T + 1))}


def _lemma5_step(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """e_t = E |x^t - x^*|^2; |grad f|^2 <= 2 L f and 1 - eta L >= 1/2."""
        eta, smooth = w.step_size, w.smoothness
        curvature = w.curvature * smooth
        gap, slope = curvature * w.start**2 / 2, curvature * w.start
        noise = eta**2 * w.variance
        change = {"e after": _second_moments(w, eta, 1)[1], "-e before": -(w.start**2)}
        rights: dict[str, Terms] = {
            "expand": {"cross": -2 * eta * slope * w.start, "square": eta**2 * slope**2, "noise": noise},
            "convex": {"drop": -2 * eta * gap, "square": eta**2 * slope**2, "noise": noise},
            "smooth": {"drop": -2 * eta * (1 - smooth * eta) * gap, "noise": noise},
            "short": {"drop": -eta * gap, "noise": noise},
        }
        if part != "sum":
            return change, rights[part]
        path = _second_moments(w, eta, w.rounds)
        gaps = curvature * sum(path[1:-1], start=path[0]) / 2
        return {"sum of gaps": gaps, "e_T/eta": path[-1] / eta}, {
            "e_0/eta": path[0] / eta, "noise": w.rounds * eta * w.variance,
        }  # fmt: skip

    return sides


def _lemma6_step(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """e_{t+1} = e_t + eta^2 B^2 - 2 eta E[g x], and E[g x] >= f by convexity."""
        eta = w.step_size
        gaps, squares = _tree_gaps(w, eta, w.rounds)
        noise = eta**2 * w.size**2
        if part == "recursion":
            t = w.rounds - 1
            return {"e after": squares[t + 1], "2 eta f": 2 * eta * gaps[t]}, {
                "e before": squares[t], "noise": noise,
            }  # fmt: skip
        total = sum(gaps[1:-1], start=gaps[0])
        factor = 2 if part == "sum" else 1
        left: Terms = {"sum of gaps": total}
        if part == "sum":
            left = {**left, "e_T": squares[-1] / (2 * eta)}
        return left, {"e_0": squares[0] / (factor * eta), "noise": w.rounds * eta * w.size**2 / 2}

    return sides


_F = "Appendix F"
_L4 = {"step_size": _long_step, "smoothness": _smoothness}
_LOGS = {"smoothness": _smoothness}
_FREE = {"step_size": _any_step}


def _lemma(key: str, latex: str, **fields: Any) -> Statement:
    number = key.removeprefix("proof.").removeprefix("lemma")[0]
    fields.setdefault("kind", "proof step" if key.startswith("proof") else "lemma")
    return Statement(
        key=f"allforall.{key}", source=source(f"Lemma {number}"), latex=latex,
        title="stochastic gradient descent", **fields,
    )  # fmt: skip


_SUM = r"\sum_{t<T}(1-\eta\mu)^{-t-1}f_{t+1}-(1-\eta\mu)^{-t}f_t\le\tfrac{\eta^2L\sigma^2}2\sum_{t<T}(1-\eta\mu)^{-t-1}"
_REC = r"f_{t+1}-f_t\le-%s f_t+\tfrac{\eta^2LL_A\sigma^2}2"

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
    _lemma("lemma5a", r"\mathbb E f(\bar x^T)-f^*\le\tfrac{\|x^0-x^*\|^2}{\eta T}+\eta\sigma^2",
           family=SMOOTH, sides=_lemma5a, defines={"step_size": _long_step}),
    *(_lemma(f"lemma5b@{name}", r"\le\tfrac{2\|x^0-x^*\|\sigma}{\sqrt T}+\tfrac{2L\|x^0-x^*\|^2}T",
             family=SMOOTH_HORIZON, over="mean", sides=_lemma5b(name == "last")) for name in ("mean", "last")),
    _lemma("lemma5c", r"T_\varepsilon\le4\|x^0-x^*\|^2(4\sigma^2\varepsilon^{-2}+L\varepsilon^{-1})",
           family=SMOOTH_TARGET, over="mean", sides=_lemma5c, given=_lemma5c_given),
    _lemma("lemma6a", r"f(\bar x^T)-f^*\le\sqrt{2/T}\,BD", family=ABSOLUTE, sides=_lemma6a),
    _lemma("lemma6b", r"T_\varepsilon=\lceil2\varepsilon^{-2}B^2D^2\rceil:\ f(\bar x^T)-f^*\le\varepsilon",
           family=ABSOLUTE_TARGET, sides=_lemma6b, given=_lemma6b_given),
    *(_lemma(f"proof.lemma4_descent/{part}", latex, family=RELATIVE, sides=_descent(part),
             defines=_L4) for part, latex in (
        ("smooth", r"f_{t+1}-f_t\le-\eta\|\nabla f\|^2+\tfrac{\eta^2L}2\mathbb E\|g\|_A^2"),
        ("norm", r"\mathbb E\|g\|_A^2\le L_A\mathbb E\|g\|^2"),
        ("last", r"\ldots\le-\eta(1-\tfrac{\eta LL_A}2)\|\nabla f\|^2+\tfrac{\eta^2LL_A\sigma^2}2"),
    )),
    _lemma("proof.lemma4_pl/first", r"\|\nabla f\|^2\ge\tfrac1{L_A}\|\nabla f\|_A^2",
           family=RELATIVE, sides=_pl("first"), defines=_L4),
    _lemma("proof.lemma4_pl/second@printed", r"\tfrac1{L_A}\|\nabla f\|_A^2\le\tfrac{2\mu}{L_A}f_t",
           family=RELATIVE, sides=_pl("printed"), defines=_L4),
    _lemma("proof.lemma4_pl/second@reversed", r"\tfrac1{L_A}\|\nabla f\|_A^2\ge\tfrac{2\mu}{L_A}f_t",
           family=RELATIVE, sides=_pl("reversed"), defines=_L4),
    _lemma("proof.lemma4_pl/recursion", _REC % r"2\eta\tfrac\mu{L_A}", family=RELATIVE,
           sides=_recursion(True), defines=_L4),
    _lemma("proof.lemma4_pl.repaired/second", r"\|\nabla f\|^2\ge2\mu\lambda_{\min}^+(A)f_t",
           family=RELATIVE, sides=_pl("repaired"), defines=_L4, form="repaired"),
    _lemma("proof.lemma4_pl.repaired/recursion", _REC % r"\eta\mu\lambda_{\min}^+(A)",
           family=RELATIVE, sides=_recursion(False), defines=_L4, form="repaired"),
    _lemma("proof.lemma4_sum/weighted", _SUM, family=SUMS, sides=_weighted, given=_satisfied),
    _lemma("proof.lemma4_sum/geometric", r"\sum_{t<T}(1-\eta\mu)^{-t-1}\le\tfrac{(1-\eta\mu)^{-T-1}}{\eta\mu}",
           family=SUMS, sides=_geometric),
    *(_lemma(f"proof.lemma5/{part}", latex, family=SMOOTH, sides=_lemma5_step(part),
             defines={"step_size": _long_step}) for part, latex in (
        ("expand", r"e_{t+1}-e_t\le-2\eta\langle\nabla f,x-x^*\rangle+\eta^2\mathbb E\|g\|^2"),
        ("convex", r"\ldots\le-2\eta f_t+\eta^2(\|\nabla f\|^2+\sigma^2)"),
        ("smooth", r"\ldots\le-2\eta(1-L\eta)f_t+\eta^2\sigma^2"),
        ("short", r"\ldots\le-\eta f_t+\eta^2\sigma^2"),
        ("sum", r"\sum_{t<T}f_t\le\tfrac{e_0-e_T}\eta+T\eta\sigma^2"),
    )),
    *(_lemma(f"proof.lemma6/{part}", latex, family=ABSOLUTE_STEP, sides=_lemma6_step(part),
             defines=_FREE) for part, latex in (
        ("recursion", r"e_{t+1}\le e_t+\eta^2B^2-2\eta f_t"),
        ("sum", r"\sum_{t<T}f_t\le\tfrac{e_0-e_T}{2\eta}+\tfrac{\eta TB^2}2"),
        ("last", r"\sum_{t<T}f_t\le\tfrac{e_0}\eta+\tfrac{\eta TB^2}2"),
    )),
)  # fmt: skip
