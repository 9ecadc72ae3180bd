"""Appendix F: Lemmas 5 and 6 and the steps of their proofs, exact."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bounds import generic as xp
from bounds.allforall import sgd
from synthetic.exact.runs import Tree
from verify.claim import Array, Family, Reading, Real, Sides
from verify.statements.allforall import measured, walks
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Lemma 5 :: lemma :: stochastic gradient descent
    lemma5a :: \mathbb E f(\bar x^T)-f^*\le\tfrac{\|x^0-x^*\|^2}{\eta T}+\eta\sigma^2
    lemma5b mean :: \mathbb E f(x^T)-f^*\le\tfrac{2\|x^0-x^*\|\sigma}{\sqrt T}+\tfrac{2L\|x^0-x^*\|^2}T
    lemma5c mean :: f(\bar x^{T_\varepsilon})-f^*\le\varepsilon,\ T_\varepsilon\le4\|x^0-x^*\|^2(4\sigma^2\varepsilon^{-2}+L\varepsilon^{-1})
    lemma5c.repaired mean :: \mathbb E f(\bar x^{T_\varepsilon})-f^*\le\varepsilon,\ T_\varepsilon\le4\|x^0-x^*\|^2(4\sigma^2\varepsilon^{-2}+L\varepsilon^{-1})
Lemma 5 :: proof step :: stochastic gradient descent
    proof.lemma5/expand :: e_{t+1}-e_t\le-2\eta\langle\nabla f,x-x^*\rangle+\eta^2\mathbb E\|g\|^2
    proof.lemma5/convex :: \ldots\le-2\eta f_t+\eta^2(\|\nabla f\|^2+\sigma^2)
    proof.lemma5/smooth :: \ldots\le-2\eta(1-L\eta)f_t+\eta^2\sigma^2
    proof.lemma5/short :: \ldots\le-\eta f_t+\eta^2\sigma^2
    proof.lemma5/sum :: \sum_{t<T}f_t\le\tfrac{e_0-e_T}\eta+T\eta\sigma^2
Lemma 6 :: lemma :: stochastic gradient descent
    lemma6a :: f(\bar x^T)-f^*\le\sqrt{2/T}\,BD
    lemma6a.repaired mean :: \mathbb E\,f(\bar x^T)-f^*\le\sqrt{2/T}\,BD
    lemma6b :: T_\varepsilon=\lceil2\varepsilon^{-2}B^2D^2\rceil:\ f(\bar x^T)-f^*\le\varepsilon
    lemma6b.repaired mean :: T_\varepsilon=\lceil2\varepsilon^{-2}B^2D^2\rceil:\ \mathbb E\,f(\bar x^T)-f^*\le\varepsilon
Lemma 6 :: proof step :: stochastic gradient descent
    proof.lemma6/recursion :: e_{t+1}\le e_t+\eta^2B^2-2\eta f_t
    proof.lemma6/sum :: \sum_{t<T}f_t\le\tfrac{e_0-e_T}{2\eta}+\tfrac{\eta TB^2}2
    proof.lemma6/last :: \sum_{t<T}f_t\le\tfrac{e_0}\eta+\tfrac{\eta TB^2}2
""")

_ABOUT = "f = h x^2/2 with h <= L, additive noise"
_BENT = "f = h x^2/2 with slope h c beyond c, noise +-sigma, all outcomes"
_TIMES = q.sizes("rounds", 1, 2, 4, 16)
_FAR = {"start": q.DISTANCE}
_PART = {**_FAR, "part": Real(1 / 64, 63 / 64, domain=(0, 1))}
_STEP = {"step_size": q.long_step}
_NOTE6 = """f at the mean of the iterates. Noise of one sign leads away from the minimum by
eta B a round."""


# outcomes double in every round, so that no longer runs are tried
def _bent_family(names: str, **others: Real) -> tuple[Family, ...]:
    shapes = q.sizes("rounds", 2, 4)
    return (q.family(names, _BENT, *shapes, grow=(), **others, edge=q.DISTANCE),)


_SMOOTH = "curvature smoothness start variance"
_SMOOTH_RUNS = q.family(_SMOOTH, _ABOUT, *_TIMES, **_FAR)
_STEPPED_RUNS = q.family(f"{_SMOOTH} step_share", _ABOUT, *_TIMES, **_FAR)
_BENT_RUNS = _bent_family(f"{_SMOOTH} edge", **_FAR)
_BENT_STEPPED = _bent_family(f"{_SMOOTH} edge step_share", **_FAR)
_SIZED = "curvature start precision part fraction"
_6A, _6B, _6_STEPS = (
    q.family(
        f"slope_share size distance {more}",
        "f = s |x| with gradients +-B, all outcomes",
        *q.sizes("rounds", 1, 2, 3, 4, 6),
        grow=(),
        slope_share=q.SHARE,
    )
    for more in ("", "fraction", "step_share")
)


# -- Lemma 5 --------------------------------------------------------------------------------------
def _moves(w: World, step: Array) -> tuple[Array, Array, Array]:
    """E (x^0)^2, and what a step makes of E (x^t)^2: a factor of it and a summand."""
    return w.start**2, (1 - step * w.curvature * w.smoothness) ** 2, step**2 * w.variance


def _law(w: World) -> tuple[Array, Array, Array, Array]:
    """h, where the loss bends, x^0 and the variance of the noise."""
    return w.curvature * w.smoothness, w.edge, w.start, w.variance


def _bent(law: tuple[Array, ...], step: Array, rounds: int) -> tuple[list[Array], Array]:
    """x^t under every outcome of noise +-sigma, t = 0..T, each (..., 2^t); loss h x^2/2 as far as
    |x| <= c, of slope +-h c beyond."""
    curvature, edge, start, variance = law
    bend, edge = curvature[..., None], edge[..., None]
    move, push = step[..., None], (step * xp.sqrt(variance))[..., None]
    points = [start[..., None]]
    for _ in range(rounds):
        x = points[-1]
        x = x - move * bend * xp.maximum(-edge, xp.minimum(edge, x))
        points.append(walks.both(x - push, x + push))
    return points, bend


def _bent_value(x: Array, bend: Array, edge: Array) -> Array:
    far = xp.absolute(x)
    near = xp.minimum(far, edge[..., None])
    return bend * near * (2 * far - near) / 2


@quantity
def bent_last(w: World, law: tuple[Array, ...], step: Array, rounds: int) -> Array:
    """Values of x^T on all outcomes, (..., 2^T)."""
    points, bend = _bent(law, step, rounds)
    return _bent_value(points[-1], bend, law[1])


@quantity
def bent_mean(w: World, law: tuple[Array, ...], step: Array, rounds: int) -> Array:
    """Values of the mean of x^0..x^{T-1} on all outcomes, (..., 2^(T-1))."""
    points, bend = _bent(law, step, rounds - 1)
    size = 2 ** (rounds - 1)
    total = 0 * points[-1]
    for x in points:
        # the last draws change fastest: every earlier point is repeated for them
        total = total + xp.stack([x] * (size // x.shape[-1]), -1).reshape(total.shape)
    return _bent_value(total / rounds, bend, law[1])


def _average_gap(w: World, step: Array, rounds: int, expectation: str = "in-mean") -> Array:
    """f(mean of the iterates): in expectation, or on the outcomes."""
    if not w.has("edge"):
        return q.mean_gap(w, w.curvature * w.smoothness, w.start, step, rounds, expectation)
    values = bent_mean(w, _law(w), step, rounds)
    return xp.mean(values) if expectation == "in-mean" else values


@claim("lemma5a", family=_STEPPED_RUNS, defines=_STEP, also=_BENT_STEPPED)
def lemma5a(w: World) -> Sides:
    """Averaged iterate. Tight up to 1/2 for short runs of large steps."""
    right = sgd.lemma5_upper(w.start**2, w.step_size, w.variance, w.rounds)
    return {"E f(mean)": _average_gap(w, w.step_size, w.rounds)}, right


@claim("lemma5b", family=_SMOOTH_RUNS, also=_BENT_RUNS)
def lemma5b(w: World) -> Sides:
    """The last iterate, as printed. Lemma 5.a with the step inserted gives the same for the
    mean of the iterates; in higher dimension the last one may do worse than in these runs."""
    args = (w.start**2, w.smoothness, w.variance, w.rounds)
    step = sgd.lemma5_step(*args)
    if w.has("edge"):
        left = xp.mean(bent_last(w, _law(w), step, w.rounds))
    else:
        square = measured.after_rounds(w, *_moves(w, step), w.rounds)
        left = w.curvature * w.smoothness * square / 2
    return {"E f": left}, sgd.lemma5_horizon_upper(*args)


def _sized(r: Reading) -> dict[str, Callable[[World], Array]]:
    """sigma^2 and L, such that the printed number is the one of the option."""
    return {
        "variance": lambda w: w.part * q.number(w, r.samples) * w.precision**2 / (16 * w.start**2),
        "smoothness": lambda w: (
            (1 - w.part) * q.number(w, r.samples) * w.precision / (4 * w.start**2)
        ),
    }


def _noises(r: Reading) -> Family:
    times = q.sizes("rounds", 1, 4, 16)
    if "in-mean" in r:
        return q.family(_SIZED, _ABOUT, *times, **_PART)
    return q.family(f"{_SIZED} skew", _ABOUT, *times, **_PART, skew=Real(1 / 16, 16, log=True))


@claim(
    "lemma5c",
    readings=("expectation", "samples"),
    family=_noises,
    also=_bent_family(f"{_SIZED} edge", **_PART),
    defines=_sized,
)
def lemma5c(w: World, r: Reading) -> Sides:
    """The step of the display before. 2 D sigma/sqrt T <= eps/2 and 2 L D^2/T <= eps/2 in
    expectation. On every outcome: noises of one sign, however rare, the worst of them; T is
    chosen before the noise."""
    constants = w.start**2, w.smoothness, w.variance
    left = least_gap(w, constants, w.rounds, r.samples, r.expectation)
    return {"f(mean)": left}, {"precision": w.precision}


@quantity
def least_gap(
    w: World, constants: tuple[Array, ...], rounds: int, samples: str, expectation: str
) -> Array:
    """Least gap, in expectation or of the worst outcome, among the numbers of rounds that may be
    run, each with its step; of |x^0 - x^*|^2, L and sigma^2."""
    square, smoothness, variance = constants
    found = []
    for count in q.horizons(rounds, samples):
        step = sgd.lemma5_step(square, smoothness, variance, count)
        gap = _average_gap(w, step, count, expectation)
        found.append(gap if expectation == "in-mean" else xp.largest(gap))
    return q.least(found)


lemma5c_repaired = claim.variant(
    lemma5c.leaf("in-mean", "rounded-up"),
    "lemma5c.repaired",
    note="In expectation, the number rounded up.",
    proof="Lemma 5.a with the step: each of the two terms is at most eps/2 for such T.",
)


def _steps5(w: World, part: str) -> Sides:
    eta, smooth = w.step_size, w.smoothness
    curvature = w.curvature * smooth
    if part == "sum":
        moves = _moves(w, eta)
        gaps = curvature * measured.summed_rounds(w, *moves, w.rounds) / 2
        last = measured.after_rounds(w, *moves, w.rounds)
        left = {"sum of gaps": gaps, "e_T/eta": last / eta}
        return left, {"e_0/eta": moves[0] / eta, "noise": w.rounds * eta * w.variance}
    gap, slope = curvature * w.start**2 / 2, curvature * w.start
    square = {"square": eta**2 * slope**2}
    right = {
        "expand": {"cross": -2 * eta * slope * w.start, **square},
        "convex": {"drop": -2 * eta * gap, **square},
        "smooth": {"drop": -2 * eta * (1 - smooth * eta) * gap},
        "short": {"drop": -eta * gap},
    }[part]
    after = measured.after_rounds(w, *_moves(w, eta), 1)
    change = {"e after": after, "-e before": -(w.start**2)}
    return change, {**right, "noise": eta**2 * w.variance}


steps5 = tuple(
    claim(
        f"proof.lemma5/{part}",
        family=_STEPPED_RUNS,
        defines=_STEP,
        note="e_t = E |x^t - x^*|^2; |grad f|^2 <= 2 L f and 1 - eta L >= 1/2.",
    )(partial(_steps5, part=part))
    for part in ("expand", "convex", "smooth", "short", "sum")
)


# -- Lemma 6 --------------------------------------------------------------------------------------
def _tree(w: World, step: Array, rounds: int) -> Tree:
    """All outcomes up to x^T, from x^0 = D."""
    slope = (w.slope_share * w.size)[..., None]
    centre = 0 * slope
    ones = (centre + 1)[..., None]
    return measured.outcomes(w, ones, slope, centre, w.size, w.distance, step, rounds)


@quantity
def mean_gap_at(w: World, tree: Tree, slope: Array, round_: int) -> Array:
    """E f(x^t)."""
    return xp.total(tree.chances[round_] * xp.absolute(tree.points[round_][..., 0])) * slope


@quantity
def mean_gaps_before(w: World, tree: Tree, slope: Array, rounds: int) -> Array:
    """Sum of E f(x^t) over t < T."""
    return q.added([mean_gap_at(w, tree, slope, t) for t in range(rounds)])


@quantity
def mean_square_at(w: World, tree: Tree, round_: int) -> Array:
    """E |x^t|^2."""
    return xp.total(tree.chances[round_] * tree.points[round_][..., 0] ** 2)


def _mean_point(w: World, step: Array, expectation: str) -> Array:
    """f at the mean of x^0..x^{T-1}: in expectation, or on the outcomes that have a chance."""
    if expectation == "in-mean":
        away = walks.of_mean(w, w.slope_share, w.distance, step * w.size, w.rounds - 1)
        return w.slope_share * w.size * away
    move = step * w.size
    return on_outcomes(w, w.slope_share * w.size, w.slope_share, w.distance, move, w.rounds)


@quantity
def on_outcomes(
    w: World, slope: Array, share: Array, start: Array, move: Array, rounds: int
) -> Array:
    """f at the mean of x^0..x^{T-1} on the outcomes that have a chance, 0 on the others."""
    slope, drift = slope[..., None], share[..., None]
    point, move = start[..., None], move[..., None]
    chance, total = 0 * point + 1, point
    for _ in range(rounds - 1):
        side = xp.indicator(point > 0, point) - xp.indicator(point < 0, point)
        chance = walks.both(chance * (1 + drift * side) / 2, chance * (1 - drift * side) / 2)
        point = walks.both(point - move, point + move)
        total = walks.both(total, total) + point
    values = slope * xp.absolute(total) / rounds
    return xp.where(chance > 0, values, 0 * values)


def _over(r: Reading) -> str:
    return "mean" if "in-mean" in r else "path"


def _on_path(bound: Array, r: Reading) -> Array:
    return bound if r.expectation == "in-mean" else bound[..., None]


_PATHS = {"walk": lambda _: walks.Paths}


@claim(
    "lemma6a",
    readings=("expectation",),
    over=_over,
    family=_6A,
    note=_NOTE6,
    defines=_PATHS,
)
def lemma6a(w: World, r: Reading) -> Sides:
    args = (w.size**2, w.distance**2, w.rounds)
    left = _mean_point(w, sgd.lemma6_step(*args), r.expectation)
    return {"f(mean)": left}, {"sqrt(2/T) B D": _on_path(sgd.lemma6_upper(*args), r)}


@claim(
    "lemma6b",
    readings=("expectation",),
    over=_over,
    family=_6B,
    note=_NOTE6,
    defines=_PATHS,
)
def lemma6b(w: World, r: Reading) -> Sides:
    # eps, such that 2 B^2 D^2/eps^2 rounded up is T
    eps = w.size * w.distance * xp.sqrt(2 / q.number(w, "rounded-up"))
    left = _mean_point(w, xp.sqrt(2 * eps**2) / w.size**2, r.expectation)
    return {"f(mean)": left}, {"precision": _on_path(eps, r)}


_MEANT: dict[str, Any] = {
    "note": "In expectation.",
    "proof": """The mean of E f(x^t), at least E f of the mean, is at most e_0/(2 eta T) + eta B^2/2:
    with the two steps 3/4 and 0.89 of the right side.""",
}
lemma6_repaired = (
    claim.variant(lemma6a.leaf("in-mean"), "lemma6a.repaired", **_MEANT),
    claim.variant(lemma6b.leaf("in-mean"), "lemma6b.repaired", **_MEANT),
)


def _steps6(w: World, part: str) -> Sides:
    eta, t = w.step_size, w.rounds - 1
    tree, slope = _tree(w, eta, w.rounds), w.slope_share * w.size
    if part == "recursion":
        gap, after = mean_gap_at(w, tree, slope, t), mean_square_at(w, tree, t + 1)
        left = {"e after": after, "2 eta f": 2 * eta * gap}
        return left, {"e before": mean_square_at(w, tree, t), "noise": eta**2 * w.size**2}
    left = {"sum of gaps": mean_gaps_before(w, tree, slope, w.rounds)}
    if part == "sum":
        left["e_T"] = mean_square_at(w, tree, w.rounds) / (2 * eta)
    start = mean_square_at(w, tree, 0) / ((2 if part == "sum" else 1) * eta)
    return left, {"e_0": start, "noise": w.rounds * eta * w.size**2 / 2}


steps6 = tuple(
    claim(
        f"proof.lemma6/{part}",
        family=_6_STEPS,
        defines={"step_size": lambda w: 2 * w.step_share * w.distance / w.size},
        note="e_{t+1} = e_t + eta^2 B^2 - 2 eta E[g x], and E[g x] >= f by convexity.",
    )(partial(_steps6, part=part))
    for part in ("recursion", "sum", "last")
)
