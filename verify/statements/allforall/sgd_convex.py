"""Appendix F: Lemmas 5 and 6 and the steps of their proofs, exact."""

from __future__ import annotations

from collections.abc import Callable

from bounds import allforall_sgd as sgd
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.common import (
    CURVATURE,
    GRADIENT,
    NOISE,
    POSITIVE_LENGTH,
    PRECISION,
    numbers,
)
from verify.statements.allforall.sgd_strong import (
    _STEP,
    Array,
    _lemma,
    _long_step,
)
from verify.world.world import World

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


_ABSOLUTE = {"slope_share": Real(0, 1), "size": GRADIENT, "distance": POSITIVE_LENGTH}
_DEEP = ({"rounds": 1}, {"rounds": 2}, {"rounds": 3}, {"rounds": 4})
ABSOLUTE = numbers(_ABSOLUTE, *_DEEP, about="f = s |x| with gradients +-B, all outcomes")
ABSOLUTE_TARGET = numbers({**_ABSOLUTE, "precision": PRECISION}, *_DEEP,
                          about="f = s |x| with gradients +-B, all outcomes")  # fmt: skip
ABSOLUTE_STEP = numbers({**_ABSOLUTE, **_STEP}, *_DEEP,
                        about="f = s |x| with gradients +-B, all outcomes")  # fmt: skip


def _tree_gaps(w: World, step: Array, rounds: int) -> tuple[list[Array], list[Array]]:
    """E f(x^t) and E |x^t|^2 for t = 0..rounds, from x^0 = D."""
    from synthetic.exact_runs import absolute_tree

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


_FREE = {"step_size": _any_step}


STATEMENTS = (
    _lemma("lemma5a", r"\mathbb E f(\bar x^T)-f^*\le\tfrac{\|x^0-x^*\|^2}{\eta T}+\eta\sigma^2",
           family=SMOOTH, sides=_lemma5a, defines={"step_size": _long_step}),
    *(_lemma(f"lemma5b@{name}", r"\le\tfrac{2\|x^0-x^*\|\sigma}{\sqrt T}+\tfrac{2L\|x^0-x^*\|^2}T",
             family=SMOOTH_HORIZON, over="mean", sides=_lemma5b(name == "last")) for name in ("mean", "last")),
    _lemma("lemma5c", r"T_\varepsilon\le4\|x^0-x^*\|^2(4\sigma^2\varepsilon^{-2}+L\varepsilon^{-1})",
           family=SMOOTH_TARGET, over="mean", sides=_lemma5c, given=_lemma5c_given),
    _lemma("lemma6a", r"f(\bar x^T)-f^*\le\sqrt{2/T}\,BD", family=ABSOLUTE, sides=_lemma6a),
    _lemma("lemma6b", r"T_\varepsilon=\lceil2\varepsilon^{-2}B^2D^2\rceil:\ f(\bar x^T)-f^*\le\varepsilon",
           family=ABSOLUTE_TARGET, sides=_lemma6b, given=_lemma6b_given),
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
