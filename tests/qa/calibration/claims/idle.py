"""Truths with a named term that nothing needs, and falsehoods without the one that is needed.

``IDLE`` lists the truths with the name of the idle term; each smaller claim is true as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, Proved, maker, record
from tests.qa.calibration.worlds import (
    ANY,
    ONE,
    POSITIVE,
    curvature,
    distance2,
    excess,
    last,
    numbers,
    optimum,
    point,
    server,
    sgd,
    sigma,
    skew,
)
from verify.claim.parameters import Family, Real
from verify.world.world import World

pair = maker("idle")

Terms = Mapping[str, Any]
EACH = Real(0, 2, per=("N",))
ANYONE = Real(-2, 2, per=("N",))


def _young(w: World) -> tuple[Terms, Terms]:
    right = {"s a^2": w.s * w.a**2, "b^2/s": w.b**2 / w.s, "c^2": w.c**2}
    return {"2ab": 2 * w.a * w.b}, right


def _noise(w: World) -> tuple[Terms, Terms]:
    kept = (1 - w.step_size * curvature(w)) ** 2 * distance2(w, w.start)
    noise, drift = (w.step_size * sigma(w)) ** 2, w.step_size**2 * distance2(w, w.start)
    return {"E gap^2": distance2(w, last(w))}, {"kept": kept, "noise": noise, "drift": drift}


def _descent(w: World) -> tuple[Terms, Terms]:
    f = w.problem.excess
    linear = xp.dot(w.problem.gradients(w.start)[..., 0, :], w.move)
    size = xp.squared_norm(w.move)
    right = {
        "f(x)": f(w.start)[..., 0],
        "linear": linear,
        "quadratic": w.beta * size / 2,
        "quartic": size**2,
    }
    return {"f(y)": f(w.start + w.move)[..., 0]}, right


def _mean_square(w: World) -> tuple[Terms, Terms]:
    m = xp.mean(w.x)
    spread = xp.mean((w.x - m[..., None]) ** 2)
    return {"mean^2": m**2}, {"mean of squares": xp.mean(w.x**2), "spread": spread}


def _largest(w: World) -> tuple[Terms, Terms]:
    rest = w.x.shape[-1] * xp.smallest(w.x)
    return {"max": xp.largest(w.x)}, {"sum": xp.total(w.x), "N min": rest}


def _triangle(w: World) -> tuple[Terms, Terms]:
    first, second = xp.absolute(w.a - w.b), xp.absolute(w.b - w.c)
    right = {"first": first, "second": second, "product": first * second}
    return {"|a-c|": xp.absolute(w.a - w.c)}, right


def _averaged(w: World) -> tuple[Terms, Terms]:
    x, clients = server(w)[..., 0], w.sigma.shape[-1]
    means = xp.total(w.sigma**2) / clients**2
    apart = xp.total((w.sigma - xp.mean(w.sigma)[..., None]) ** 2)
    right = {"noise": w.step_size**2 * means, "unequal": w.step_size**2 * apart}
    return {"variance": (x - w.mean(x)) ** 2}, right


def _logarithm(w: World) -> tuple[Terms, Terms]:
    return {"log(1+x)": xp.log(1 + w.x)}, {"x": w.x, "x^2/2": w.x**2 / 2}


def _markov(w: World) -> tuple[Terms, Terms]:
    x = last(w)[..., 0] ** 2
    tail = w.level * xp.indicator(xp.at_least(x, w.level), x)
    return {"P": tail}, {"E x": x, "spread": (x - w.mean(x)) ** 2 / w.level}


def _growth(w: World) -> tuple[Terms, Terms]:
    gap = optimum(w)[..., 0] - w.start[..., 0]
    right = {"excess": excess(w, w.start), "skew": curvature(w) * gap**2 * skew(w)}
    return {"growth": w.mu * gap**2 / 2}, right


TWO = {"N": 2, "d": 1, "rounds": 1}
SCALARS = {"a": ANY, "b": ANY, "c": ANY}


@dataclass(frozen=True)
class Named:
    """A padded truth: its idle term, a needed one, and an instance where that one is missed."""

    name: str
    sides: Callable[[World], tuple[Terms, Terms]]
    family: Family
    idle: str
    needed: str
    proof: str
    at: Mapping[str, Any]
    gives: tuple[str, str]
    over: str = "point"


NAMED: tuple[Named, ...] = (
    Named(
        "young",
        _young,
        numbers(**SCALARS, s=POSITIVE),
        "c^2",
        "b^2/s",
        "(s a - b)^2 / s is not negative.",
        {"a": "1/2", "b": 1, "c": 0, "s": 1},
        ("1", "1/4"),
    ),
    Named(
        "noise",
        _noise,
        sgd(),
        "drift",
        "noise",
        "The noise has mean zero and variance at most (eta sigma)^2.",
        point(start=[0]),
        ("1", "0"),
        over="mean",
    ),
    Named(
        "descent",
        _descent,
        sgd(move=Real(-2, 2, (0, 1), per=("d",))),
        "quartic",
        "quadratic",
        "The Hessian is at most beta.",
        point(move=["1/2"]),
        ("9/8", "17/16"),
    ),
    Named(
        "mean_square",
        _mean_square,
        numbers({"N": 3}, x=ANYONE),
        "spread",
        "mean of squares",
        "Jensen.",
        {"x": [1, 1, 1]},
        ("1", "0"),
    ),
    Named(
        "largest",
        _largest,
        numbers({"N": 3}, x=EACH),
        "N min",
        "sum",
        "The others are not negative.",
        {"x": [1, 0, 0]},
        ("1", "0"),
    ),
    Named(
        "triangle",
        _triangle,
        numbers(**SCALARS),
        "product",
        "second",
        "Triangle inequality.",
        {"a": 0, "b": 0, "c": 1},
        ("1", "0"),
    ),
    Named(
        "averaged",
        _averaged,
        sgd(TWO, method="fedavg"),
        "unequal",
        "noise",
        "The variance of a sum of independent noises is the sum of variances.",
        point(2),
        ("1/2", "0"),
        over="mean",
    ),
    Named(
        "logarithm",
        _logarithm,
        numbers(x=Real(0, 4)),
        "x^2/2",
        "x",
        "The logarithm is below its tangent.",
        {"x": "1/2"},
        ("0.4054651", "1/8"),
    ),
    Named(
        "markov",
        _markov,
        sgd(ONE, level=POSITIVE),
        "spread",
        "E x",
        "level 1{x >= level} <= x.",
        point(noise_share=[0], step_share="1/2", level="1/4"),
        ("1/4", "0"),
        over="mean",
    ),
    Named(
        "growth",
        _growth,
        sgd(),
        "skew",
        "excess",
        "In one dimension excess is mu gap^2/2.",
        point(skew=["1/4"]),
        ("1/2", "1/4"),
    ),
)


def _without(sides: Callable[[World], Any], *dropped: str) -> Callable[[World], Any]:
    return partial(_dropped, sides, dropped)


def _dropped(sides: Callable[[World], Any], dropped: tuple[str, ...], w: World) -> Any:
    left, right = sides(w)
    return left, {name: term for name, term in right.items() if name not in dropped}


IDLE_PAIRS: tuple[Pair, ...] = tuple(
    pair(
        c.name,
        _without(c.sides, c.idle),
        c.family,
        proof=c.proof,
        at=c.at,
        gives=c.gives,
        over=c.over,
        false={"sides": _without(c.sides, c.needed)},
    )
    for c in NAMED
)
"""The smaller claims, and the full ones without the term that is needed."""

IDLE: tuple[tuple[Proved, str], ...] = tuple(
    (Proved(record(f"truth.padded.{c.name}", c.sides, c.family, over=c.over), c.proof), c.idle)
    for c in NAMED
)
"""Truths with the name of the term that nothing needs."""
