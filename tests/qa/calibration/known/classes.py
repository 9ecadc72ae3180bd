"""All functions of a class, as gradient descent with step 1/L meets them."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.known.record import FALSE, TRUE, Kind, Known
from verify.claim.functions import functions
from verify.world.visited import visited
from verify.world.world import World

c = Kind("class")

FULL = {"step_size": lambda w: 1 / w.beta}
ONE = {"upper": [1], "stride": [[[0]]], "rise": [[0]], "approach": [1]}
"""The parabola x^2/2 at 1: one point beside the minimiser."""
TWO = {**ONE, "stride": [[[0], [0]]], "rise": [[0, 0]]}


def _slope2(w: World, t: int) -> Any:
    return xp.squared_norm(visited(w).gradients[:, :, t, 0])


def _excess(w: World, t: int) -> Any:
    return visited(w).excess[:, :, t, 0]


def _gap(w: World, t: int) -> Any:
    return visited(w).points[:, :, t] - w.problem.optimum[..., 0, :]


def _descent(k: int) -> Any:
    def sides(w: World) -> Any:
        saved = k * _slope2(w, 0) / (100 * w.beta)
        return {"f1": _excess(w, 1), "saved": saved}, {"f0": _excess(w, 0)}

    return sides


def _sublinear(k: int) -> Any:
    def sides(w: World) -> Any:
        bound = w.beta * xp.squared_norm(_gap(w, 0)) / (4 * int(w.rounds) + k)
        return {"f": _excess(w, int(w.rounds))}, {"LD^2/(4T+k)": bound}

    return sides


def _average(k: int) -> Any:
    def sides(w: World) -> Any:
        rounds = int(w.rounds)
        total = sum(_slope2(w, t) for t in range(rounds)) / rounds
        return {"mean |g|^2": total}, {"kL f0/T": k * w.beta * _excess(w, 0) / rounds}

    return sides


def _cocoercive(k: int) -> Any:
    def sides(w: World) -> Any:
        linear = xp.dot(visited(w).gradients[:, :, 0, 0], _gap(w, 0))
        return {"f0": _excess(w, 0), "slope": _slope2(w, 0) / (k * w.beta)}, {"<g, gap>": linear}

    return sides


def _rate(factor: int) -> Any:
    def sides(w: World) -> Any:
        kept = factor * (1 - w.mu / w.beta) ** 2 / 100
        return {"f1": _excess(w, 1)}, {"kept": kept * _excess(w, 0)}

    return sides


def _steep(k: int) -> Any:
    return lambda w: ({"k mu f0": k * w.mu * _excess(w, 0)}, {"|g|^2": _slope2(w, 0)})


def _flatter(w: World) -> Any:
    return {"|g1|^2": _slope2(w, 1)}, {"|g0|^2": _slope2(w, 0)}


def _sum_of_constants(w: World) -> Any:
    return {"|g|^2": _slope2(w, 0)}, {"(L+mu) f0": (w.beta + w.mu) * _excess(w, 0)}


def _linear(w: World) -> Any:
    return {"f1": _excess(w, 1)}, {"kept": (1 - w.mu / w.beta) * _excess(w, 0)}


def _strongly(w: World) -> Any:
    lower = w.mu * xp.squared_norm(_gap(w, 0)) / 2
    return {"f0": _excess(w, 0), "mu": lower}, {
        "<g, gap>": xp.dot(visited(w).gradients[:, :, 0, 0], _gap(w, 0))
    }


SMOOTH, CONVEX = functions("smooth"), functions("smooth convex")
STRONG, PL = functions("smooth strongly convex"), functions("smooth PL", points=2)

CLASSES: tuple[Known, ...] = (
    c.built(
        "descent",
        TRUE,
        "smooth: f1 + |g|^2/(2L) <= f0",
        _descent(50),
        SMOOTH,
        "The descent lemma at the step 1/L.",
        defines=FULL,
    ),
    c.built(
        "descent_more",
        FALSE,
        "smooth: f1 + 0.51 |g|^2/L <= f0",
        _descent(51),
        SMOOTH,
        "The parabola of curvature L: 0 + 0.51 > 0.5.",
        at=ONE,
        defines=FULL,
    ),
    c.built(
        "sublinear",
        TRUE,
        "smooth convex: f_T <= L D^2/(4T+2)",
        _sublinear(2),
        functions("smooth convex", rounds=(1, 2)),
        "Drori and Teboulle 2014, Theorem 3.1.",
        defines=FULL,
    ),
    c.built(
        "sublinear_less",
        FALSE,
        "smooth convex: f_T <= L D^2/(4T+3)",
        _sublinear(3),
        functions("smooth convex", rounds=(1, 2)),
        "Drori and Teboulle 2014, Theorem 3.2: a Huber function attains 4T+2.",
        defines=FULL,
    ),
    c.built(
        "average_slope",
        TRUE,
        "smooth: mean_t |g_t|^2 <= 2L f0/T",
        _average(2),
        functions("smooth", rounds=(1, 2)),
        "Add up the descent lemma.",
        defines=FULL,
    ),
    c.built(
        "average_slope_less",
        FALSE,
        "smooth: mean_t |g_t|^2 <= L f0/T",
        _average(1),
        functions("smooth", rounds=(1, 2)),
        "The parabola of curvature L: 1 > 1/2.",
        at=ONE,
        defines=FULL,
    ),
    c.built(
        "cocoercive",
        TRUE,
        "smooth convex: f0 + |g|^2/(2L) <= <g, x - x*>",
        _cocoercive(2),
        CONVEX,
        "The interpolation condition between x and the minimiser.",
        defines=FULL,
    ),
    c.built(
        "cocoercive_more",
        FALSE,
        "smooth convex: f0 + |g|^2/L <= <g, x - x*>",
        _cocoercive(1),
        CONVEX,
        "The parabola of curvature L: 3/2 > 1.",
        at=ONE,
        defines=FULL,
    ),
    c.built(
        "strong_rate",
        TRUE,
        "strongly convex: f1 <= (1 - mu/L)^2 f0",
        _rate(100),
        STRONG,
        "Taylor, Hendrickx and Glineur 2018, Theorem 3.3 at the step 1/L.",
        defines=FULL,
    ),
    c.built(
        "strong_rate_less",
        FALSE,
        "strongly convex: f1 <= 0.99 (1 - mu/L)^2 f0",
        _rate(99),
        STRONG,
        "The parabola of curvature mu attains the rate.",
        defines=FULL,
    ),
    c.built(
        "steep",
        TRUE,
        "strongly convex: 2 mu f0 <= |g|^2",
        _steep(2),
        STRONG,
        "Minimise both sides of the lower parabola.",
        defines=FULL,
    ),
    c.built(
        "sum_of_constants",
        FALSE,
        "strongly convex: |g|^2 <= (L + mu) f0",
        _sum_of_constants,
        STRONG,
        "The parabola of curvature L has |g|^2 = 2L f0.",
        at={**ONE, "convexity": ["1/2"]},
        defines=FULL,
    ),
    c.built(
        "strongly_convex_not",
        FALSE,
        "PL: f0 + mu |x - x*|^2/2 <= <g, x - x*>",
        _strongly,
        PL,
        "PL functions need not be convex: between two wells the product may be negative.",
        defines=FULL,
    ),
    c.built(
        "pl_rate",
        TRUE,
        "PL: f1 <= (1 - mu/L) f0",
        _linear,
        PL,
        "f1 <= f0 - |g|^2/(2L) and |g|^2 >= 2 mu f0.",
        defines=FULL,
    ),
    c.built(
        "pl_steeper",
        FALSE,
        "PL: 3 mu f0 <= |g|^2",
        _steep(3),
        PL,
        "The parabola of curvature mu: 3/2 > 1.",
        at=TWO,
        defines=FULL,
    ),
    c.built(
        "flatter_convex",
        TRUE,
        "smooth convex: |g1|^2 <= |g0|^2",
        _flatter,
        CONVEX,
        "x - g/L is not expansive, nor is the gradient step in gradients (cocoercivity).",
        defines=FULL,
    ),
    c.built(
        "flatter",
        FALSE,
        "smooth: |g1|^2 <= |g0|^2",
        _flatter,
        SMOOTH,
        "On a hump -L x^2/2 each step doubles the slope.",
        defines=FULL,
    ),
)
"""All of them."""
