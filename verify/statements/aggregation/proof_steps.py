"""Appendix A up to the bound before A_5: the expansion and its four terms, on real runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Family
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation import deductions
from verify.statements.aggregation.common import (
    best,
    distance,
    excess_at,
    paper_steps,
    runs,
    short_steps,
    size,
    source,
    squared_gradient,
)
from verify.world.world import World

Array = Any

ONE = (size(1, 1, 1, "fedavg"), size(2, 1, 1, "fixed"), size(2, 1, 1, "fedmax"))
TWO = (
    size(2, 2, 2, "fixed"), size(2, 2, 2, "fedmax"), size(2, 2, 2, "fixed", quiet=True, d=2),
    size(3, 2, 2, "fixed", quiet=True), size(2, 3, 3, "fixed", quiet=True),
)  # fmt: skip
ALL = runs(*ONE, *TWO)
INSIDE = runs(
    size(2, 2, 2, "fixed", at=0), size(2, 2, 2, "fixed", quiet=True),
    size(2, 2, 2, "fedmax", quiet=True, d=2),
)  # fmt: skip
LONG = runs(*(size(2, e, e, "fixed", quiet=True) for e in (2, 3, 6)))
SEES_END = runs(*(size(2, 1, 1, rule, seen="local") for rule in ("fedmax", "fedsoftmax")))


@dataclass(frozen=True)
class Sums:
    """Weighted sums over clients before iteration ``at``, each (B, R) or (B, R, d)."""

    error: Array  # w_t - w*
    slope: Array  # sum alpha grad F_i(w_i)
    drawn: Array  # sum alpha g_i(w_i)
    spread: Array  # sum alpha |w_t - w_i|^2
    excess: Array  # sum alpha (F_i(w_i) - F_i*)
    drop: Array  # sum alpha (F_i(w_i) - F_i(w*))
    along: Array  # sum alpha <w_i - w*, grad F_i(w_i)>
    distances: Array  # sum alpha |w_i - w*|^2


def sums(w: World) -> Sums:
    """Evaluate the sums; the drawn direction is read off the step of the virtual average."""
    run, eta = w.run(), w.step_sizes[..., w.at, None]
    models, alpha, point = run.models[..., w.at, :, :], run.alpha[..., w.at, :], best(w)
    slopes = w.problem.own_gradients(models)
    before, after = run.theta[..., w.at, :], run.theta[..., w.at + 1, :]
    excess = w.problem.own_excess(models)
    away = models - point[..., None, :]

    def mean(x: Array) -> Array:
        return xp.total(alpha * x)

    return Sums(
        before - point, xp.total(alpha[..., None] * slopes, axis=-2), (before - after) / eta,
        mean(xp.squared_norm(before[..., None, :] - models)), mean(excess),
        mean(excess - excess_at(w, point)), mean(xp.dot(away, slopes)),
        mean(xp.squared_norm(away)),
    )  # fmt: skip


def first_term(w: World, s: Sums) -> Array:
    """A_1."""
    return -2 * w.step_sizes[..., w.at] * xp.dot(s.error, s.slope)


def _expand(w: World, shares: bool) -> tuple[Terms, Terms]:
    run, eta = w.run(), w.step_sizes[..., w.at]
    models, alpha = run.models[..., w.at, :, :], run.alpha[..., w.at, :]
    slopes = w.problem.own_gradients(models)
    ends = (w.at + 1) % w.local_steps == 0
    # inside a round every client's own step is on record; at its end the run has no noise
    drawn = slopes
    if not ends:
        drawn = (models - run.models[..., w.at + 1, :, :]) / eta[..., None, None]
    inside = w.at % w.local_steps != 0
    means = w.client_weights if shares and inside else alpha
    before = xp.total(means[..., None] * models, axis=-2) - best(w)
    slope = xp.total(alpha[..., None] * slopes, axis=-2)
    direction = xp.total(alpha[..., None] * drawn, axis=-2)
    after = run.theta[..., w.at + 1, :] - best(w)
    return {"|w+ - w*|^2": xp.squared_norm(after)}, {
        "|w - w*|^2": xp.squared_norm(before),
        "A1": -2 * eta * xp.dot(before, slope),
        "A2": 2 * eta * xp.dot(before - eta[..., None] * slope, slope - direction),
        "A3": eta**2 * xp.squared_norm(slope),
        "A4": eta**2 * xp.squared_norm(slope - direction),
    }


def _expand_round(w: World) -> tuple[Terms, Terms]:
    """w_t with the weights of the round at all its steps, as Appendix A writes it."""
    return _expand(w, shares=False)


def _expand_shares(w: World) -> tuple[Terms, Terms]:
    """w_t with the weights p between aggregations (eq. 4), with alpha where models are aggregated."""
    return _expand(w, shares=True)


def _a1a(w: World) -> tuple[Terms, Terms]:
    """Young's inequality for the cross term, then Lemma 1 for each client."""
    s, eta = sums(w), w.step_sizes[..., w.at]
    return {"A1": first_term(w, s)}, {
        "spread": s.spread, "slopes": 2 * w.beta * eta**2 * s.excess, "rest": -2 * eta * s.along,
    }  # fmt: skip


def _a1b_first(w: World) -> tuple[Terms, Terms]:
    """The cross term with w_t - w_t^i is dropped, whose sign is free: a steep client is soon at
    rest, a flat one still moves towards where the steep one is."""
    s, eta = sums(w), w.step_sizes[..., w.at]
    return {"A1": first_term(w, s)}, {
        "drop": -2 * eta * s.drop, "distances": -eta * w.mu * s.distances
    }


def _line(w: World, s: Sums, factor: int) -> Terms:
    eta = w.step_sizes[..., w.at]
    return {
        "spread": factor * eta**2 * w.local_steps**2 * w.G2,
        "distances": -eta * w.mu * s.distances,
        "slopes": 2 * w.beta * eta**2 * s.excess,
        "drop": -2 * eta * s.drop,
    }


def _a1b_second(w: World) -> tuple[Terms, Terms]:
    """Two terms are added that are not negative."""
    s, eta = sums(w), w.step_sizes[..., w.at]
    return {"drop": -2 * eta * s.drop, "distances": -eta * w.mu * s.distances}, {
        f"last {name}": value for name, value in _line(w, s, 1).items()
    }


def _a1b_whole(w: World) -> tuple[Terms, Terms]:
    """A_1 against the last line, in mean; the spread enters with the factor 1 where Lemma 2 has 16."""
    s = sums(w)
    return {"A1": first_term(w, s)}, _line(w, s, 1)


def _a1b_repaired(w: World) -> tuple[Terms, Terms]:
    """16 eta^2 E^2 G^2, as the display before A_5 has it, and no middle line.

    Proof. A1a, strong convexity between w_t^i and w*, and Lemma 2 for the spread.
    """
    s = sums(w)
    return {"A1": first_term(w, s)}, _line(w, s, 16)


def _a2(w: World) -> tuple[Terms, Terms]:
    """E A_2 = 0, both parts of its second factor on their own side."""
    s, eta = sums(w), w.step_sizes[..., w.at]
    other = s.error - eta[..., None] * s.slope
    return {"<., sum alpha grad F>": 2 * eta * xp.dot(other, s.slope)}, {
        "<., sum alpha g>": 2 * eta * xp.dot(other, s.drawn)
    }


def _a3(w: World) -> tuple[Terms, Terms]:
    """Tight for one client along its steepest axis."""
    s, eta2 = sums(w), w.step_sizes[..., w.at] ** 2
    return {"A3": eta2 * xp.squared_norm(s.slope)}, {"excess": 2 * w.beta * eta2 * s.excess}


def _a4(w: World) -> tuple[Terms, Terms]:
    """Tight for one client whose noise has the claimed variance."""
    s, eta2 = sums(w), w.step_sizes[..., w.at] ** 2
    alpha = w.run().alpha[..., w.at, :]
    return {"A4": eta2 * xp.squared_norm(s.slope - s.drawn)}, {
        "eta^2 sum alpha sigma^2": eta2 * xp.total(alpha * w.sigma2_max[..., None])
    }


def _a4_last(w: World) -> tuple[Terms, Terms]:
    """The weights sum to one."""
    eta2 = w.step_sizes[..., w.at] ** 2
    alpha = w.run().alpha[..., w.at, :]
    return {"eta^2 sum alpha sigma^2": eta2 * xp.total(alpha * w.sigma2_max[..., None])}, {
        "eta^2 sigma^2": eta2 * w.sigma2_max
    }


def _a4_refined(w: World) -> tuple[Terms, Terms]:
    """eta^2 sum alpha_i^2 sigma_i^2 for mini-batches drawn independently by the clients.

    Proof. The variance of a sum of independent vectors is the sum of their variances. With equal
    weights and variances it is N times below the printed bound.
    """
    s, eta2 = sums(w), w.step_sizes[..., w.at] ** 2
    alpha = w.run().alpha[..., w.at, :]
    return {"A4": eta2 * xp.squared_norm(s.slope - s.drawn)}, {
        "eta^2 sum alpha^2 sigma_i^2": eta2 * xp.total(alpha**2 * w.sigma2)
    }


def fifth(w: World, s: Sums) -> Array:
    """What is in the mean of A_5, (B, R)."""
    eta = w.step_sizes[..., w.at]
    return 4 * w.beta * eta**2 * s.excess - 2 * eta * s.drop


def _pre(w: World) -> tuple[Terms, Terms]:
    """Every term in mean; it needs Lemma 2 and no rho."""
    s, eta = sums(w), w.step_sizes[..., w.at]
    return {"E|w+ - w*|^2": distance(w, w.at + 1)}, {
        "before": (1 - eta * w.mu) * distance(w, w.at),
        "spread": 16 * eta**2 * w.local_steps**2 * w.G2,
        "noise": eta**2 * w.sigma2_max,
        "A5": fifth(w, s),
    }  # fmt: skip


_SHORT: dict[str, Callable[[World], Any]] = {
    "step_sizes": short_steps, "G2": squared_gradient,
    "sigma2_max": lambda w: xp.largest(w.sigma2),
}  # fmt: skip


def _step(name: str, family: Family, sides: Any, latex: str, title: str, **more: Any) -> Statement:
    options: dict[str, Any] = {"kind": "proof step", "defines": _SHORT, **more}
    return Statement(
        key=f"aggregation.proof.{name}", source=source("Appendix A"), family=family, sides=sides,
        latex=latex, title=title, **options,
    )  # fmt: skip


_EXPAND = r"\|w_{t+1}-w^\star\|^2=\|w_t-w^\star\|^2+A_1+A_2+A_3+A_4"
_LAST = r"\eta_t^2E^2G^2-\eta_t\mu\sum\alpha\|w_t^i-w^\star\|^2+2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)-2\eta_t\sum\alpha(F_i(w_t^i)-F_i(w^\star))"
_MIDDLE = r"-2\eta_t\sum\alpha\bigl(F_i(w_t^i)-F_i(w^\star)+\tfrac\mu2\|w_t^i-w^\star\|^2\bigr)"

STATEMENTS = (
    _step(
        "expand@round-weights", INSIDE, _expand_round, _EXPAND, "expansion", relation="==",
        over="path",
    ),
    _step(
        "expand@shares-between", INSIDE, _expand_shares, _EXPAND, "expansion", relation="==",
        over="path",
    ),
    _step(
        "A1a", ALL, _a1a,
        r"A_1\le\sum\alpha\|w_t-w_t^i\|^2+2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)-2\eta_t\sum\alpha\langle w_t^i-w^\star,\nabla F_i(w_t^i)\rangle",
        "inner product at the local models", over="path", deduction=deductions.A1A,
        uses=("aggregation.lemma1",),
    ),
    _step(
        "A1b/first", ALL, _a1b_first, r"A_1\le" + _MIDDLE, "strong convexity", over="path",
        deduction=deductions.A1B_FIRST, uses=("aggregation.proof.A1a",),
    ),
    _step(
        "A1b/second", ALL, _a1b_second, _MIDDLE + r"\le" + _LAST, "terms added", over="path",
    ),
    _step(
        "A1b/whole", LONG, _a1b_whole, r"\mathbb EA_1\le" + _LAST, "first and last line",
        over="mean", deduction=deductions.A1B_WHOLE, defines={**_SHORT, "step_sizes": paper_steps},
        uses=("aggregation.proof.A1a", "aggregation.lemma2"),
    ),
    _step(
        "A1b.repaired", ALL, _a1b_repaired,
        r"\mathbb EA_1\le" + _LAST.replace(r"\eta_t^2E^2", r"16\eta_t^2E^2", 1), "strong convexity",
        over="mean", form="repaired", deduction=deductions.A1B_REPAIRED,
        uses=("aggregation.proof.A1a", "aggregation.lemma2"),
    ),
    _step(
        "A2@weights-before", ALL, _a2, r"\mathbb E(A_2)=0", "unbiased gradients", relation="==",
        over="mean",
    ),
    _step(
        "A2@weights-after", SEES_END, _a2, r"\mathbb E(A_2)=0", "unbiased gradients",
        relation="==", over="mean",
    ),
    _step(
        "A3", ALL, _a3, r"A_3\le2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)", "squared direction",
        over="path", deduction=deductions.A3, uses=("aggregation.lemma1",),
    ),
    _step(
        "A4/first", runs(*ONE, *TWO[:2]), _a4, r"\mathbb EA_4\le\eta_t^2\sum\alpha\sigma^2",
        "noise of the direction", over="mean", deduction=deductions.A4,
    ),
    _step(
        "A4/second", runs(*ONE), _a4_last, r"\eta_t^2\sum\alpha\sigma^2\le\eta_t^2\sigma^2",
        "noise of the direction", over="path",
    ),
    _step(
        "A4.refined", runs(*ONE, *TWO[:2]), _a4_refined,
        r"\mathbb EA_4\le\eta_t^2\sum(\alpha_t^i)^2\sigma_i^2", "noise of the direction",
        over="mean", form="refined",
    ),
    _step(
        "pre", ALL, _pre,
        r"\Delta_{t+1}\le(1-\eta_t\mu)\Delta_t+16\eta_t^2E^2G^2+\eta_t^2\sigma^2+A_5",
        "before A_5", over="mean", deduction=deductions.PRE,
        uses=("aggregation.proof.A1b.repaired", "aggregation.proof.A2", "aggregation.proof.A3",
              "aggregation.proof.A4"),
    ),
)  # fmt: skip
