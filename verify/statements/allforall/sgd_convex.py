"""Appendix F: Lemmas 5 and 6 and the steps of their proofs, exact."""

from __future__ import annotations

from functools import partial

from bounds import allforall_sgd as sgd
from bounds import generic as xp
from synthetic.exact_runs import absolute_tree
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.sgd_strong import STEP, TITLE, kept_and_spread, long_step
from verify.world.world import World

_SMOOTH = {"curvature": Real(0, 1), "smoothness": box.CURVATURE, "start": box.DISTANCE,
           "variance": box.NOISE}
_TIMES = ({"rounds": 1}, {"rounds": 2}, {"rounds": 4}, {"rounds": 16})
_ABOUT = "f = h x^2/2 with h <= L, additive noise"


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
    kept, spread = kept_and_spread(w, 1 - step * curvature)
    square = (kept * w.start) ** 2 + step**2 * w.variance * spread
    return curvature * square / (2 * w.rounds**2)


@statement(
    "allforall.lemma5a", where="Lemma 5", kind="lemma", title=TITLE,
    latex=r"\mathbb E f(\bar x^T)-f^*\le\tfrac{\|x^0-x^*\|^2}{\eta T}+\eta\sigma^2",
    family=numbers({**_SMOOTH, **STEP}, *_TIMES, about=_ABOUT), defines={"step_size": long_step},
    note="Averaged iterate. Tight up to 1/2 for short runs of large steps.",
)
def lemma5a(w: World) -> Sides:
    right = sgd.lemma5_upper(w.start**2, w.step_size, w.variance, w.rounds)
    return {"E f(mean)": _average_gap(w, w.step_size)}, right


def _lemma5b(w: World, last: bool) -> Sides:
    args = (w.start**2, w.smoothness, w.variance, w.rounds)
    step = sgd.lemma5_step(*args)
    left = _average_gap(w, step)
    if last:
        left = w.curvature * w.smoothness * _second_moments(w, step, w.rounds)[-1] / 2
    return {"E f": left}, sgd.lemma5_horizon_upper(*args)


lemma5b = tuple(
    statement(
        f"allforall.lemma5b@{name}", where="Lemma 5", kind="lemma", title=TITLE, over="mean",
        latex=r"\le\tfrac{2\|x^0-x^*\|\sigma}{\sqrt T}+\tfrac{2L\|x^0-x^*\|^2}T",
        family=numbers(_SMOOTH, *_TIMES, about=_ABOUT),
        note="5a with the step inserted; the display has x^T where 5a has the mean.",
    )(partial(_lemma5b, last=name == "last")) for name in ("mean", "last")
)


_T5 = r"4\|x^0-x^*\|^2(4\sigma^2\varepsilon^{-2}+L\varepsilon^{-1})"


@hypothesis("T at least the bound", rf"T\ge{_T5}", where="Lemma 5")
def enough5(w: World) -> Array:
    return w.rounds - sgd.lemma5_rounds_upper(w.start**2, w.smoothness, w.variance, w.precision)


@lemma5b[0].like(
    "allforall.lemma5c", latex=rf"T_\varepsilon\le{_T5}",
    family=numbers({**_SMOOTH, "precision": box.PRECISION}, *_TIMES, {"rounds": 64}, about=_ABOUT),
    given=[enough5],
    note="2 D sigma/sqrt T <= eps/2 and 2 L D^2/T <= eps/2 for such T; in expectation.",
)
def lemma5c(w: World) -> Sides:
    step = sgd.lemma5_step(w.start**2, w.smoothness, w.variance, w.rounds)
    return {"E f(mean)": _average_gap(w, step)}, {"precision": w.precision}


def _steps5(w: World, part: str) -> Sides:
    eta, smooth = w.step_size, w.smoothness
    curvature = w.curvature * smooth
    if part == "sum":
        path = _second_moments(w, eta, w.rounds)
        gaps = curvature * sum(path[1:-1], start=path[0]) / 2
        return {"sum of gaps": gaps, "e_T/eta": path[-1] / eta}, {
            "e_0/eta": path[0] / eta, "noise": w.rounds * eta * w.variance,
        }
    gap, slope = curvature * w.start**2 / 2, curvature * w.start
    square = {"square": eta**2 * slope**2}
    right = {
        "expand": {"cross": -2 * eta * slope * w.start, **square},
        "convex": {"drop": -2 * eta * gap, **square},
        "smooth": {"drop": -2 * eta * (1 - smooth * eta) * gap},
        "short": {"drop": -eta * gap},
    }[part]
    change = {"e after": _second_moments(w, eta, 1)[1], "-e before": -(w.start**2)}
    return change, {**right, "noise": eta**2 * w.variance}


steps5 = tuple(
    lemma5a.like(
        f"allforall.proof.lemma5/{part}", kind="proof step", latex=latex,
        note="e_t = E |x^t - x^*|^2; |grad f|^2 <= 2 L f and 1 - eta L >= 1/2.",
    )(partial(_steps5, part=part))
    for part, latex in (
        ("expand", r"e_{t+1}-e_t\le-2\eta\langle\nabla f,x-x^*\rangle+\eta^2\mathbb E\|g\|^2"),
        ("convex", r"\ldots\le-2\eta f_t+\eta^2(\|\nabla f\|^2+\sigma^2)"),
        ("smooth", r"\ldots\le-2\eta(1-L\eta)f_t+\eta^2\sigma^2"),
        ("short", r"\ldots\le-\eta f_t+\eta^2\sigma^2"),
        ("sum", r"\sum_{t<T}f_t\le\tfrac{e_0-e_T}\eta+T\eta\sigma^2"),
    )
)


_ABSOLUTE = {"slope_share": Real(0, 1), "size": box.GRADIENT, "distance": box.DISTANCE}
_DEEP = ({"rounds": 1}, {"rounds": 2}, {"rounds": 3}, {"rounds": 4})
_ABOUT6 = "f = s |x| with gradients +-B, all outcomes"


def _tree_gaps(w: World, step: Array, rounds: int) -> tuple[list[Array], list[Array]]:
    """E f(x^t) and E |x^t|^2 for t = 0..rounds, from x^0 = D."""
    slope = (w.slope_share * w.size)[..., None]
    centre = 0 * slope
    ones = (centre + 1)[..., None]
    tree = absolute_tree(ones, slope, centre, w.size, w.distance, step, rounds)
    pairs = [(c, p[..., 0]) for p, c in zip(tree.points, tree.chances, strict=True)]
    gaps = [xp.total(c * xp.absolute(p)) * slope[..., 0] for c, p in pairs]
    return gaps, [xp.total(c * p**2) for c, p in pairs]


def _mean_gap(w: World, step: Array) -> Array:
    """Mean of E f over x^0..x^{T-1}, at least E f of the mean point."""
    gaps, _ = _tree_gaps(w, step, w.rounds - 1)
    return sum(gaps[1:], start=gaps[0]) / w.rounds


@statement(
    "allforall.lemma6a", where="Lemma 6", kind="lemma", title=TITLE,
    latex=r"f(\bar x^T)-f^*\le\sqrt{2/T}\,BD", family=numbers(_ABSOLUTE, *_DEEP, about=_ABOUT6),
    note="In expectation, and for the mean of the gaps, which is at least the gap of the mean.",
)
def lemma6a(w: World) -> Sides:
    args = (w.size**2, w.distance**2, w.rounds)
    left = _mean_gap(w, sgd.lemma6_step(*args))
    return {"mean of E f": left}, {"sqrt(2/T) B D": sgd.lemma6_upper(*args)}


@lemma6a.like(
    "allforall.lemma6b", latex=r"T_\varepsilon=\lceil2\varepsilon^{-2}B^2D^2\rceil:\ f(\bar x^T)-f^*\le\varepsilon",
    family=numbers({**_ABSOLUTE, "precision": box.PRECISION}, *_DEEP, about=_ABOUT6),
    given=[Hypothesis("T at least 2 (BD/eps)^2", r"T\ge2\varepsilon^{-2}B^2D^2", where="Lemma 6",
                      rule=lambda w: w.rounds - 2 * (w.size * w.distance / w.precision) ** 2)],
    note="eta = sqrt 2 eps/B^2, T at least 2 (B D/eps)^2.",
)
def lemma6b(w: World) -> Sides:
    left = _mean_gap(w, xp.sqrt(2 * w.precision**2) / w.size**2)
    return {"mean of E f": left}, {"precision": w.precision}


def _steps6(w: World, part: str) -> Sides:
    eta, t = w.step_size, w.rounds - 1
    gaps, squares = _tree_gaps(w, eta, w.rounds)
    if part == "recursion":
        left = {"e after": squares[t + 1], "2 eta f": 2 * eta * gaps[t]}
        return left, {"e before": squares[t], "noise": eta**2 * w.size**2}
    left = {"sum of gaps": sum(gaps[1:-1], start=gaps[0])}
    if part == "sum":
        left["e_T"] = squares[-1] / (2 * eta)
    start = squares[0] / ((2 if part == "sum" else 1) * eta)
    return left, {"e_0": start, "noise": w.rounds * eta * w.size**2 / 2}


steps6 = tuple(
    lemma6a.like(
        f"allforall.proof.lemma6/{part}", kind="proof step", latex=latex,
        family=numbers({**_ABSOLUTE, **STEP}, *_DEEP, about=_ABOUT6),
        defines={"step_size": lambda w: 2 * w.step_share * w.distance / w.size},
        note="e_{t+1} = e_t + eta^2 B^2 - 2 eta E[g x], and E[g x] >= f by convexity.",
    )(partial(_steps6, part=part))
    for part, latex in (
        ("recursion", r"e_{t+1}\le e_t+\eta^2B^2-2\eta f_t"),
        ("sum", r"\sum_{t<T}f_t\le\tfrac{e_0-e_T}{2\eta}+\tfrac{\eta TB^2}2"),
        ("last", r"\sum_{t<T}f_t\le\tfrac{e_0}\eta+\tfrac{\eta TB^2}2"),
    )
)
