"""Appendix F: the last display of Lemma 4, the number of steps for a precision."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import sgd
from verify.claim import Array, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import EXPECTATIONS, number
from verify.statements.allforall.sgd_strong import TITLE
from verify.world.world import World


def kept_and_spread(factor: Array, rounds: int) -> tuple[Array, Array, Array]:
    """Of the sum of T iterates: the weight of x^0, and sums of squares and of the noises' weights."""
    kept: Array = 0 * factor
    spread: Array = 0 * factor
    weights: Array = 0 * factor
    for _ in range(rounds - 1):
        kept = kept * factor + 1  # influence of one noise on the sum of later iterates
        spread, weights = spread + kept**2, weights + kept
    return kept * factor + 1, spread, weights


def _gap4c(w: World, extra: int) -> Array:
    """f_0, such that the rounded number of rounds is T: ln(extra f_0/eps)/(eta mu) = T - share."""
    return w.precision * xp.exp(w.step_size * w.mu * number(w, "rounded-up")) / extra


def mean_gap(
    w: World, curvature: Array, start: Array, step: Array, rounds: int, option: str
) -> Array:
    """f(mean of x^0..x^{T-1}) of h x^2/2: in expectation, or with all noises of one sign.

    The noise is +-sigma, or sigma s with chance 1/(1 + s^2), else -sigma/s, for a skewness s.
    """
    kept, spread, weights = kept_and_spread(1 - step * curvature, rounds)
    if option == "in-mean":
        return curvature * ((kept * start) ** 2 + step**2 * w.variance * spread) / rounds**2 / 2
    push = step * xp.sqrt(w.variance) * weights
    skew = w.skew if w.has("skew") else 1
    ends = xp.stack([kept * start + push * skew, kept * start - push / skew], -1)
    return curvature[..., None] * (ends / rounds) ** 2 / 2


def _lemma4c(w: World, option: str) -> Sides:
    start = xp.sqrt(2 * _gap4c(w, 1) / w.mu)
    left = mean_gap(w, w.mu, start, w.step_size, w.rounds, option)
    right = w.precision if option == "in-mean" else w.precision[..., None]
    return {"f(mean)": left}, {"precision": right}


_4C = r"T_\varepsilon=\bigl\lceil\tfrac1{\eta_\varepsilon\mu}\ln\tfrac{f_0}\varepsilon\bigr\rceil"
_BOX4C = {
    "mu": box.CURVATURE,
    "precision": box.PRECISION,
    "variance": box.NOISE,
    "fraction": box.FRACTION,
}
lemma4c = tuple(
    statement(
        f"allforall.lemma4c/gap@{option}",
        where="Lemma 4",
        kind="lemma",
        title=TITLE,
        over="path" if option == "every-outcome" else "mean",
        latex=_4C
        + r":\ f\bigl(\tfrac1{T_\varepsilon}\sum_{t<T_\varepsilon}x^t\bigr)-f^*\le\varepsilon",
        family=numbers(
            _BOX4C,
            {"rounds": 4},
            {"rounds": 16},
            {"rounds": 64},
            about="f = mu x^2/2 with additive noise +-sigma",
        ),
        defines={"step_size": lambda w: sgd.precision_step(w.mu, w.mu, w.variance, w.precision)},
        note="""f_0 is such that T is the number of rounds. The average keeps a share 1/(eta mu T)
        of the start, where the last iterate keeps exp(-eta mu T); noise only adds to the left.""",
    )(partial(_lemma4c, option=option))
    for option in EXPECTATIONS
)


@lemma4c[1].like(
    "allforall.lemma4c/number",
    latex=_4C
    + r"\le\max\bigl(\tfrac{2L\sigma^2}{\varepsilon\mu^2},\tfrac{2L}\mu\bigr)\ln\tfrac{f_0}\varepsilon",
    note="1/(eta mu) is the maximum, so that rounding up alone is enough to pass it, by less than 1.",
)
def number4c(w: World) -> Sides:
    most = xp.maximum(2 * w.variance / (w.precision * w.mu), 2 + 0 * w.mu)
    right = most * xp.log(_gap4c(w, 1) / w.precision)
    return {"T": w.rounds * xp.ones_like(w.mu)}, {"without rounding": right}


@lemma4c[1].like(
    "allforall.lemma4c.repaired/gap",
    latex=r"A=I,\ T=\lceil\tfrac1{\eta_\varepsilon\mu}\ln\tfrac{2f_0}\varepsilon\rceil:\ \mathbb E f(x^T)-f^*\le\varepsilon",
    note="The last iterate, in expectation, with 2 f_0 in place of f_0.",
    proof="""By 4a (A = I) the gap of the last iterate is at most exp(-eta mu T) f_0 +
    eta L sigma^2/(2 mu): eps/2 from the start and, as eta <= mu eps/(2 L sigma^2), eps/4 from the
    noise.""",
)
def lemma4c_repaired(w: World) -> Sides:
    factor = (1 - w.step_size * w.mu) ** 2
    spread: Array = 0 * factor
    for _ in range(w.rounds):
        spread = factor * spread + w.step_size**2 * w.variance
    square = factor**w.rounds * 2 * _gap4c(w, 2) / w.mu + spread
    return {"E f(x^T)": w.mu * square / 2}, {"precision": w.precision}


number4c_repaired = number4c.variant(
    "allforall.lemma4c.repaired/number",
    sides=lambda w: (number4c(w)[0], {**number4c(w)[1], "rounding": xp.ones_like(w.mu)}),
    latex=_4C + r"\le\max(\ldots)\ln\tfrac{f_0}\varepsilon+1",
    note="With 1 for the rounding.",
    proof="A number rounded up exceeds it by less than 1.",
)
