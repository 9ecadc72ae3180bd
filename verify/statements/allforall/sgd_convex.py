"""Appendix F: Lemmas 5 and 6 and the steps of their proofs, exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from bounds import generic as xp
from bounds.allforall import sgd
from synthetic.exact.runs import absolute_tree
from verify.claim import Array, Family, Real, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import EXPECTATIONS, SAMPLES, horizons, number
from verify.statements.allforall.quantities import SYMBOLS, long_step, mean_gap
from verify.world.world import World

TITLE = "stochastic gradient descent"
STEP = {"step_share": SYMBOLS["step_share"]}
_SMOOTH = {
    "curvature": box.SHARE,
    "smoothness": box.CURVATURE,
    "start": box.DISTANCE,
    "variance": box.NOISE,
}
_TIMES = ({"rounds": 1}, {"rounds": 2}, {"rounds": 4}, {"rounds": 16})
_ABOUT = "f = h x^2/2 with h <= L, additive noise"


def _second_moments(w: World, step: Array, rounds: int) -> list[Array]:
    """E (x^t)^2 for t = 0..T."""
    factor = (1 - step * w.curvature * w.smoothness) ** 2
    path = [w.start**2]
    for _ in range(rounds):
        path.append(factor * path[-1] + step**2 * w.variance)
    return path


def _bent(w: World, step: Array, rounds: int) -> tuple[list[Array], Array]:
    """x^t under every outcome of noise +-sigma, t = 0..T, each (..., 2^t); loss h x^2/2 as far as
    |x| <= c, of slope +-h c beyond."""
    bend, edge = (w.curvature * w.smoothness)[..., None], w.edge[..., None]
    move, push = step[..., None], (step * xp.sqrt(w.variance))[..., None]
    points = [w.start[..., None]]
    for _ in range(rounds):
        x = points[-1]
        x = x - move * bend * xp.maximum(-edge, xp.minimum(edge, x))
        points.append(xp.stack([x - push, x + push], -1).reshape((*x.shape[:-1], -1)))
    return points, bend


def _bent_value(x: Array, bend: Array, edge: Array) -> Array:
    far = xp.absolute(x)
    near = xp.minimum(far, edge[..., None])
    return bend * near * (2 * far - near) / 2


def _bent_mean(w: World, step: Array, rounds: int) -> Array:
    """Values of the mean of x^0..x^{T-1} on all outcomes, (..., 2^(T-1))."""
    points, bend = _bent(w, step, rounds - 1)
    size = 2 ** (rounds - 1)
    total = 0 * points[-1]
    for x in points:
        # the last draws change fastest: every earlier point is repeated for them
        total = total + xp.stack([x] * (size // x.shape[-1]), -1).reshape(total.shape)
    return _bent_value(total / rounds, bend, w.edge)


def average_gap(w: World, step: Array, rounds: int, option: str = "in-mean") -> Array:
    """f(mean of the iterates): in expectation, or on the outcomes."""
    if not w.has("edge"):
        return mean_gap(w, w.curvature * w.smoothness, w.start, step, rounds, option)
    values = _bent_mean(w, step, rounds)
    return xp.mean(values) if option == "in-mean" else values


BENT = {**_SMOOTH, "edge": box.DISTANCE}


def _bent_family(values: Mapping[str, Real]) -> Family:
    about = "f = h x^2/2 with slope h c beyond c, noise +-sigma, all outcomes"
    return replace(numbers(values, {"rounds": 2}, {"rounds": 4}, about=about), grow=())


@statement(
    "allforall.lemma5a",
    where="Lemma 5",
    kind="lemma",
    title=TITLE,
    latex=r"\mathbb E f(\bar x^T)-f^*\le\tfrac{\|x^0-x^*\|^2}{\eta T}+\eta\sigma^2",
    family=numbers({**_SMOOTH, **STEP}, *_TIMES, about=_ABOUT),
    defines={"step_size": long_step},
    also=(_bent_family({**BENT, **STEP}),),
    note="Averaged iterate. Tight up to 1/2 for short runs of large steps.",
)
def lemma5a(w: World) -> Sides:
    right = sgd.lemma5_upper(w.start**2, w.step_size, w.variance, w.rounds)
    return {"E f(mean)": average_gap(w, w.step_size, w.rounds)}, right


@statement(
    "allforall.lemma5b",
    where="Lemma 5",
    kind="lemma",
    title=TITLE,
    over="mean",
    latex=r"\mathbb E f(x^T)-f^*\le\tfrac{2\|x^0-x^*\|\sigma}{\sqrt T}+\tfrac{2L\|x^0-x^*\|^2}T",
    family=numbers(_SMOOTH, *_TIMES, about=_ABOUT),
    also=(_bent_family(BENT),),
    note="""The last iterate, as printed. Lemma 5.a with the step inserted gives the same for the
    mean of the iterates; in higher dimension the last one may do worse than in these runs.""",
)
def lemma5b(w: World) -> Sides:
    args = (w.start**2, w.smoothness, w.variance, w.rounds)
    step = sgd.lemma5_step(*args)
    if w.has("edge"):
        points, bend = _bent(w, step, w.rounds)
        left = xp.mean(_bent_value(points[-1], bend, w.edge))
    else:
        left = w.curvature * w.smoothness * _second_moments(w, step, w.rounds)[-1] / 2
    return {"E f": left}, sgd.lemma5_horizon_upper(*args)


_T5 = r"T_\varepsilon\le4\|x^0-x^*\|^2(4\sigma^2\varepsilon^{-2}+L\varepsilon^{-1})"
_BOX5 = {
    "curvature": box.SHARE,
    "start": box.DISTANCE,
    "precision": box.PRECISION,
    "part": Real(1 / 64, 63 / 64, domain=(0, 1)),
    "fraction": box.FRACTION,
}

_NOISE5 = {"in-mean": _BOX5, "every-outcome": {**_BOX5, "skew": Real(1 / 16, 16, log=True)}}


def _sized5(samples: str) -> dict[str, Callable[[World], Array]]:
    """sigma^2 and L, such that the printed number is the one of the option."""
    return {
        "variance": lambda w: w.part * number(w, samples) * w.precision**2 / (16 * w.start**2),
        "smoothness": lambda w: (1 - w.part) * number(w, samples) * w.precision / (4 * w.start**2),
    }


def _lemma5c(w: World, option: str, samples: str) -> Sides:
    """Worst outcome, or the mean, for the best horizon."""
    found = []
    for rounds in horizons(w, samples):
        step = sgd.lemma5_step(w.start**2, w.smoothness, w.variance, rounds)
        gap = average_gap(w, step, rounds, option)
        found.append(gap if option == "in-mean" else xp.largest(gap))
    return {"f(mean)": xp.smallest(xp.stack(found, -1))}, {"precision": w.precision}


lemma5c = tuple(
    statement(
        f"allforall.lemma5c@{option}+{samples}",
        where="Lemma 5",
        kind="lemma",
        title=TITLE,
        over="mean",
        latex=r"f(\bar x^{T_\varepsilon})-f^*\le\varepsilon,\ " + _T5,
        family=numbers(_NOISE5[option], {"rounds": 1}, {"rounds": 4}, {"rounds": 16}, about=_ABOUT),
        also=(_bent_family({**_BOX5, "edge": box.DISTANCE}),),
        defines=_sized5(samples),
        note="""The step of the display before. 2 D sigma/sqrt T <= eps/2 and 2 L D^2/T <= eps/2 in
        expectation. On every outcome: noises of one sign, however rare, the worst of them; T is
        chosen before the noise.""",
    )(partial(_lemma5c, option=option, samples=samples))
    for option in EXPECTATIONS
    for samples in SAMPLES
)


lemma5c_repaired = lemma5c[3].variant(
    "allforall.lemma5c.repaired",
    latex=r"\mathbb E f(\bar x^{T_\varepsilon})-f^*\le\varepsilon,\ " + _T5,
    note="In expectation, the number rounded up.",
    proof="Lemma 5.a with the step: each of the two terms is at most eps/2 for such T.",
)


def _steps5(w: World, part: str) -> Sides:
    eta, smooth = w.step_size, w.smoothness
    curvature = w.curvature * smooth
    if part == "sum":
        path = _second_moments(w, eta, w.rounds)
        gaps = curvature * sum(path[1:-1], start=path[0]) / 2
        return {"sum of gaps": gaps, "e_T/eta": path[-1] / eta}, {
            "e_0/eta": path[0] / eta,
            "noise": w.rounds * eta * w.variance,
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
        f"allforall.proof.lemma5/{part}",
        kind="proof step",
        latex=latex,
        also=(),
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


_ABSOLUTE = {"slope_share": box.SHARE, "size": box.GRADIENT, "distance": box.DISTANCE}


def _deep(values: Mapping[str, Real]) -> Family:
    """The outcomes double in every round, so that no longer runs are tried."""
    times, about = (1, 2, 3, 4, 6), "f = s |x| with gradients +-B, all outcomes"
    return replace(numbers(values, *({"rounds": k} for k in times), about=about), grow=())


def _tree_gaps(w: World, step: Array, rounds: int) -> tuple[list[Array], list[Array]]:
    """E f(x^t) and E |x^t|^2 for t = 0..rounds, from x^0 = D."""
    slope = (w.slope_share * w.size)[..., None]
    centre = 0 * slope
    ones = (centre + 1)[..., None]
    tree = absolute_tree(ones, slope, centre, w.size, w.distance, step, rounds)
    pairs = [(c, p[..., 0]) for p, c in zip(tree.points, tree.chances, strict=True)]
    gaps = [xp.total(c * xp.absolute(p)) * slope[..., 0] for c, p in pairs]
    return gaps, [xp.total(c * p**2) for c, p in pairs]


def _mean_point(w: World, step: Array, option: str) -> Array:
    """f at the mean of x^0..x^{T-1}: in expectation, or on the outcomes that have a chance."""
    slope, drift = (w.slope_share * w.size)[..., None], w.slope_share[..., None]
    point, move = w.distance[..., None], (step * w.size)[..., None]
    chance, total = 0 * point + 1, point
    for _ in range(w.rounds - 1):
        side = xp.indicator(point > 0, point) - xp.indicator(point < 0, point)
        chance = _both(chance * (1 + drift * side) / 2, chance * (1 - drift * side) / 2)
        point = _both(point - move, point + move)
        total = _both(total, total) + point
    values = slope * xp.absolute(total) / w.rounds
    if option == "in-mean":
        return xp.total(chance * values)
    return xp.where(chance > 0, values, 0 * values)


def _both(down: Array, up: Array) -> Array:
    return xp.stack([down, up], -1).reshape((*down.shape[:-1], -1))


def _lemma6(
    w: World,
    option: str,
    step: Callable[[World], Array],
    bound: Callable[[World], Array],
    name: str,
) -> Sides:
    right = bound(w)
    if option == "every-outcome":
        right = right[..., None]
    return {"f(mean)": _mean_point(w, step(w), option)}, {name: right}


def _precision6(w: World) -> Array:
    """eps, such that 2 B^2 D^2/eps^2 rounded up is T."""
    return w.size * w.distance * xp.sqrt(2 / number(w, "rounded-up"))


lemma6 = tuple(
    statement(
        f"allforall.lemma6{part}@{option}",
        where="Lemma 6",
        kind="lemma",
        title=TITLE,
        over="path" if option == "every-outcome" else "mean",
        latex=latex,
        family=_deep(values),
        note="""f at the mean of the iterates. Noise of one sign leads away from the minimum by
        eta B a round.""",
    )(partial(_lemma6, option=option, step=step, bound=bound, name=name))
    for part, latex, values, step, bound, name in (
        (
            "a",
            r"f(\bar x^T)-f^*\le\sqrt{2/T}\,BD",
            _ABSOLUTE,
            lambda w: sgd.lemma6_step(w.size**2, w.distance**2, w.rounds),
            lambda w: sgd.lemma6_upper(w.size**2, w.distance**2, w.rounds),
            "sqrt(2/T) B D",
        ),
        (
            "b",
            r"T_\varepsilon=\lceil2\varepsilon^{-2}B^2D^2\rceil:\ f(\bar x^T)-f^*\le\varepsilon",
            {**_ABSOLUTE, "fraction": box.FRACTION},
            lambda w: xp.sqrt(2 * _precision6(w) ** 2) / w.size**2,
            _precision6,
            "precision",
        ),
    )
    for option in EXPECTATIONS
)


_MEAN6 = """The mean of E f(x^t), at least E f of the mean, is at most e_0/(2 eta T) + eta B^2/2:
with the two steps 3/4 and 0.89 of the right side."""
lemma6_repaired = tuple(
    leaf.variant(
        f"{leaf.entry}.repaired",
        latex=r"\mathbb E\," + leaf.latex,
        note="In expectation.",
        proof=_MEAN6,
    )
    for leaf in (lemma6[1], lemma6[3])
)


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
    lemma6[1].like(
        f"allforall.proof.lemma6/{part}",
        kind="proof step",
        latex=latex,
        over="point",
        family=_deep({**_ABSOLUTE, **STEP}),
        defines={"step_size": lambda w: 2 * w.step_share * w.distance / w.size},
        note="e_{t+1} = e_t + eta^2 B^2 - 2 eta E[g x], and E[g x] >= f by convexity.",
    )(partial(_steps6, part=part))
    for part, latex in (
        ("recursion", r"e_{t+1}\le e_t+\eta^2B^2-2\eta f_t"),
        ("sum", r"\sum_{t<T}f_t\le\tfrac{e_0-e_T}{2\eta}+\tfrac{\eta TB^2}2"),
        ("last", r"\sum_{t<T}f_t\le\tfrac{e_0}\eta+\tfrac{\eta TB^2}2"),
    )
)
