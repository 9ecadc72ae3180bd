"""Lemma 1 (gradient domination) and Lemma 2 (spread of the clients inside a round)."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim.families import numbers
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Sides, statement
from verify.statements.aggregation.quantities import (
    Array,
    paper_steps,
    short_steps,
    squared_gradient,
)
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import CURVATURE
from verify.world.world import World

LEMMA1 = "Lemma 1 (eq. 6)"
LEMMA2 = "Lemma 2 (eq. 7)"
_VALUE = Real(-8, 8, unit=(1, 0))
POINT = numbers(
    {"smoothness": CURVATURE, "value": _VALUE, "minimum": _VALUE, "after": _VALUE,
     "squared_gradient": Real(0, 8, unit=(2, -2))},
    about="any smooth function, seen at one point and one gradient step further",
)


@statement(
    "aggregation.lemma1", where=LEMMA1, kind="lemma", title="gradient domination",
    latex=r"\|\nabla f(w)\|^2\le2L(f(w)-f(w^\star))", family=POINT,
    given=[
        Hypothesis("smooth along the step", r"f(w-\tfrac1L\nabla f(w))\le f(w)-\tfrac1{2L}\|\nabla f(w)\|^2",
                   lambda w: w.value - w.squared_gradient / (2 * w.smoothness) - w.after),
        Hypothesis("w* is a minimum", r"f(w^\star)\le f(w-\tfrac1L\nabla f(w))",
                   lambda w: w.after - w.minimum, LEMMA1),
    ],
    note="""Only two consequences of the hypotheses are used: L-smoothness between w and
    v = w - grad f(w)/L, where it reads f(v) <= f(w) - |grad f|^2/(2L), and f(w*) <= f(v). Tight for
    quadratics along the steepest axis.""",
)
def lemma1(w: World) -> Sides:
    right = closed.squared_gradient_upper(w.smoothness, w.value - w.minimum)
    return {"|grad f|^2": w.squared_gradient}, {"2L(f - f*)": right}


# -- Lemma 2 -----------------------------------------------------------------------------------

_SIZES = (
    size(1, 1, 1, "fedavg"), size(2, 2, 2, "fedavg"), size(2, 2, 2, "fedmax"),
    size(2, 2, 2, "fixed"), size(2, 3, 3, "fixed", quiet=True), size(3, 2, 2, "fixed", quiet=True),
)
SPREAD = runs(*_SIZES)
CLOSE = runs(*_SIZES, extra={"decay": Real(0, 1)})
FALLING = runs(
    size(2, 2, 2, "fixed", quiet=True), extra={"shrink": Real(1 / 64, 1, log=True)}
)


def _falling_steps(w: World) -> Array:
    """eta_t = share/(4L) shrink^t: decaying as fast as one likes."""
    first = w.step_share / (4 * w.beta)
    return xp.stack([first * w.shrink**t for t in range(w.rounds)], -1)


def _spread(w: World, shares: bool = False) -> dict[str, Array]:
    """Sum of alpha_i |w_t - w_t^i|^2 before iteration ``at``, (B, R)."""
    models, alpha = w.run().models[..., w.at, :, :], w.run().alpha[..., w.at, :]
    means = w.client_weights if shares else alpha
    centre = xp.total(means[..., None] * models, axis=-2)
    return {"E spread": xp.total(alpha * xp.squared_norm(models - centre[..., None, :]))}


@statement(
    "aggregation.lemma2@any-schedule", where=LEMMA2, kind="lemma", over="mean",
    title="spread of the clients", family=FALLING,
    latex=r"\mathbb E\bigl[\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le16\eta_t^2E^2G^2",
    defines={"step_sizes": _falling_steps, "G2": squared_gradient},
    note="The last iteration of a round, where the spread is largest.",
)
def lemma2(w: World) -> Sides:
    right = closed.client_spread_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return _spread(w), {"16 eta^2 E^2 G^2": right}


corollary_steps = lemma2.variant(
    "aggregation.lemma2@corollary-steps", family=SPREAD,
    defines={"step_sizes": paper_steps, "G2": squared_gradient},
)
halving = lemma2.variant(
    "aggregation.lemma2@halving", family=CLOSE,
    given=[Hypothesis("eta_s <= 2 eta_t", r"\eta_s\le2\eta_t\text{ for all earlier }s\text{ of the round}",
                      lambda w: 2 * w.step_sizes[..., w.at] - w.step_sizes[..., 0])],
    defines={"step_sizes": short_steps, "G2": squared_gradient},
)


@halving.like(
    "aggregation.lemma2@shares-between", latex=lemma2.latex,
    note="w_t as eq. 4 has it, with the weights p; the 16 leaves room for its distance as well.",
)
def shares_between(w: World) -> Sides:
    return _spread(w, shares=True), lemma2(w)[1]


@halving.like(
    "aggregation.lemma2.refined", latex=r"\ldots\le4\eta_t^2(E-1)^2G^2",
    note="4 eta_t^2 (E-1)^2 G^2 where no earlier step of the round exceeds 2 eta_t.",
    proof="""The weighted mean minimises the weighted squares, so the spread is at most that about
    the round's first model: sum alpha_i |sum_s eta_s g_i(w_s^i)|^2, at most (E-1) sum_s eta_s^2 G^2
    in mean. Tight for two equal weights, opposite flat losses and eta_s = 2 eta_t. Zero at E = 1,
    at least four times below the printed bound.""",
)
def refined(w: World) -> Sides:
    right = closed.client_spread_refined_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return _spread(w), {"4 eta^2 (E-1)^2 G^2": right}
