"""Lemma 1 (gradient domination) and Lemma 2 (spread of the clients inside a round)."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    numbers,
    paper_steps,
    runs,
    short_steps,
    size,
    source,
    squared_gradient,
)
from verify.world.world import World

POINT = numbers(
    {
        "smoothness": Real(1 / 8, 8, unit=(1, -2), log=True),
        "value": Real(-8, 8, unit=(1, 0)),
        "minimum": Real(-8, 8, unit=(1, 0)),
        "after": Real(-8, 8, unit=(1, 0)),
        "squared_gradient": Real(0, 8, unit=(2, -2)),
    },
    about="any smooth function, seen at one point and one gradient step further",
)


def _at_step(w: World) -> Terms:
    """L-smoothness between w and w - grad f(w)/L, and the minimum below the second value."""
    descent = w.value - w.squared_gradient / (2 * w.smoothness) - w.after
    return {"smooth along the step": descent, "w* is a minimum": w.after - w.minimum}


def _lemma1(w: World) -> tuple[Terms, Terms]:
    """Only two consequences of the hypotheses are used: smoothness at v = w - grad f(w)/L, where
    it reads f(v) <= f(w) - |grad f|^2/(2L), and f(w*) <= f(v). Tight for quadratics along the
    steepest axis."""
    right = closed.squared_gradient_upper(w.smoothness, w.value - w.minimum)
    return {"|grad f|^2": w.squared_gradient}, {"2L(f - f*)": right}


# -- Lemma 2 -----------------------------------------------------------------------------------

SIZES = (
    size(1, 1, 1, "fedavg"), size(2, 2, 2, "fedavg"), size(2, 2, 2, "fedmax"),
    size(2, 2, 2, "fixed"), size(2, 3, 3, "fixed", quiet=True), size(3, 2, 2, "fixed", quiet=True),
)  # fmt: skip
SPREAD = runs(*SIZES)
CLOSE = runs(*SIZES, extra={"decay": Real(0, 1)})
FALLING = runs(
    size(2, 2, 2, "fixed", quiet=True), extra={"shrink": Real(1 / 64, 1, log=True)}
)  # fmt: skip


def _falling_steps(w: World) -> Any:
    """eta_t = share/(4L) shrink^t: decaying as fast as one likes."""
    first = w.step_share / (4 * w.beta)
    return xp.stack([first * w.shrink**t for t in range(w.rounds)], -1)


def spread(w: World, shares: bool = False) -> Any:
    """Sum of alpha_i |w_t - w_t^i|^2 before iteration ``at``, (B, R)."""
    models, alpha = w.run().models[..., w.at, :, :], w.run().alpha[..., w.at, :]
    means = w.client_weights if shares else alpha
    centre = xp.total(means[..., None] * models, axis=-2)
    return xp.total(alpha * xp.squared_norm(models - centre[..., None, :]))


def _lemma2(w: World) -> tuple[Terms, Terms]:
    """The last iteration of a round, where the spread is largest."""
    right = closed.client_spread_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return {"E spread": spread(w)}, {"16 eta^2 E^2 G^2": right}


def _lemma2_shares(w: World) -> tuple[Terms, Terms]:
    """w_t as eq. 4 has it, with the weights p; the 16 leaves room for its distance as well."""
    right = closed.client_spread_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return {"E spread": spread(w, shares=True)}, {"16 eta^2 E^2 G^2": right}


def _lemma2_refined(w: World) -> tuple[Terms, Terms]:
    """4 eta_t^2 (E-1)^2 G^2 where no earlier step of the round exceeds 2 eta_t.

    Proof. The weighted mean minimises the weighted squares, so the spread is at most that about
    the round's first model: sum alpha_i |sum_s eta_s g_i(w_s^i)|^2, at most (E-1) sum_s eta_s^2 G^2
    in mean. Tight for two equal weights, opposite flat losses and eta_s = 2 eta_t. Zero at E = 1,
    at least four times below the printed bound.
    """
    right = closed.client_spread_refined_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return {"E spread": spread(w)}, {"4 eta^2 (E-1)^2 G^2": right}


def halving(w: World) -> Terms:
    """No earlier step of the round exceeds twice the current one."""
    return {"eta_s <= 2 eta_t": 2 * w.step_sizes[..., w.at] - w.step_sizes[..., 0]}


_LATEX = r"\mathbb E\bigl[\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le16\eta_t^2E^2G^2"
_COMMON: dict[str, Any] = {
    "source": source("Lemma 2 (eq. 7)"), "title": "spread of the clients", "latex": _LATEX,
    "kind": "lemma", "over": "mean", "sides": _lemma2,
}  # fmt: skip
_G = {"G2": squared_gradient}

STATEMENTS = (
    Statement(
        key="aggregation.lemma1", source=source("Lemma 1 (eq. 6)"), kind="lemma", family=POINT,
        title="gradient domination", latex=r"\|\nabla f(w)\|^2\le2L(f(w)-f(w^\star))",
        sides=_lemma1, given=_at_step,
    ),
    Statement(
        key="aggregation.lemma2@any-schedule", family=FALLING,
        defines={"step_sizes": _falling_steps, **_G}, **_COMMON,
    ),
    Statement(
        key="aggregation.lemma2@corollary-steps", family=SPREAD,
        defines={"step_sizes": paper_steps, **_G}, **_COMMON,
    ),
    Statement(
        key="aggregation.lemma2@halving", family=CLOSE, given=halving,
        defines={"step_sizes": short_steps, **_G}, **_COMMON,
    ),
    Statement(
        key="aggregation.lemma2@shares-between", family=CLOSE, given=halving,
        defines={"step_sizes": short_steps, **_G}, **{**_COMMON, "sides": _lemma2_shares},
    ),
    Statement(
        key="aggregation.lemma2.refined", family=CLOSE, given=halving, form="refined",
        defines={"step_sizes": short_steps, **_G},
        **{**_COMMON, "sides": _lemma2_refined, "latex": r"\ldots\le4\eta_t^2(E-1)^2G^2"},
    ),
)  # fmt: skip
