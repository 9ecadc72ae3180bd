"""False only outside the box: the box says where to look first, the domain what is assumed.

Each claim is true on its whole box and fails within sixteen times of it, every hypothesis met.
"""

from __future__ import annotations

from math import inf
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import (
    ANY,
    POSITIVE,
    UNIT,
    deviation,
    distance2,
    excess,
    numbers,
    plain,
    point,
    scale,
    server,
    sgd,
    sigma,
    skew,
    slope2,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("outside")

PLANE = {"N": 1, "d": 2, "rounds": 1}


def upto(symbol: str, most: int) -> dict[str, Any]:
    """The hypothesis that a parameter is at most a number."""
    return {f"{symbol} <= {most}": lambda w: most - w.symbol(symbol)}


def _square(w: World) -> Any:
    return {"x^2": w.x**2}, {"8x": 8 * w.x}


def _logarithm(w: World, k: int) -> Any:
    return {"log x": xp.log(w.x)}, {"kx": k * w.x / 100}


def _exponential(w: World) -> Any:
    return {"exp x": xp.exp(w.x)}, {"1": 1, "x": w.x, "x^2": w.x**2}


def _sine(w: World) -> Any:
    return {"sin x": xp.sin(w.x)}, {"x/2": w.x / 2}


def _long_step(w: World) -> Any:
    return {"gap^2": distance2(w, server(w))}, {"start": distance2(w, w.start)}


def _fourth_power(w: World) -> Any:
    return {"x^4": w.x**4}, {"4x^2": 4 * w.x**2}


def _product(w: World) -> Any:
    return {"xy": w.x * w.y}, {"x": w.x, "y": w.y}


def _third_moment(w: World) -> Any:
    return {"E noise^3": -(deviation(w) ** 3)}, {"8s^3": 8 * (w.step_size * scale(w)) ** 3}


def _variance(w: World) -> Any:
    return {"variance": deviation(w) ** 2}, {"8 eta^2 s": 8 * w.step_size**2 * sigma(w)}


def _far_start(w: World) -> Any:
    gap2 = distance2(w, w.start)
    return {"|x0 - x*|^4": gap2**2}, {"36|x0 - x*|^2": 36 * gap2}


def _condition(w: World) -> Any:
    return {"|grad|^2": slope2(w, w.start)}, {"excess": 128 * w.mu * excess(w, w.start)}


def _squares(w: World) -> Any:
    return {"sum x^2": xp.total(w.x**2)}, {"sum x": xp.total(w.x)}


def _other_side(w: World) -> Any:
    return {"deviation": deviation(w)}, {"t": w.reach * w.step_size * scale(w)}


def _chord(w: World) -> Any:
    return {"exp(-t)": xp.exp(-w.t)}, {"1-t/2": 1 - w.t / 2}


def _cubes(w: World) -> Any:
    return {"mean^3": xp.mean(w.x) ** 3}, {"mean of cubes": xp.mean(w.x**3)}


def _three_norms(w: World) -> Any:
    return {"|x|^4": xp.squared_norm(w.x) ** 2}, {"12|x|^2": 12 * xp.squared_norm(w.x)}


OUTSIDE: tuple[Pair, ...] = (
    pair(
        "square",
        _square,
        numbers(x=POSITIVE),
        given=upto("x", 8),
        false={"given": {}},
        proof="x times 8 - x >= 0.",
        at={"x": 10},
        gives=("100", "80"),
    ),
    # fails only below the box, between 1.86 and 4.54
    pair(
        "logarithm",
        _logarithm,
        numbers(x=Real(8, 64, log=True)),
        slip=(40, 33),
        proof="log x - 2x/5 is largest at 5/2, where it is log(5/2) - 1 < 0.",
        at={"x": 3},
        gives=("1.098612", "99/100"),
    ),
    pair(
        "exponential",
        _exponential,
        numbers(x=UNIT),
        given=upto("x", 1),
        false={"given": {}},
        proof="exp x - 1 - x <= x^2 (1/2 + 1/6 + ...) = (e - 2) x^2 up to 1.",
        at={"x": 2},
        gives=("7.389056", "7"),
    ),
    pair(
        "sine",
        _sine,
        numbers(x=Real(0, 3 / 2)),
        relation=">=",
        given={"x <= 3/2": lambda w: 3 - 2 * w.x},
        false={"given": {}},
        proof="sin x >= x - x^3/6 >= x (1 - 3/8).",
        at={"x": 3},
        gives=("0.14112", "3/2"),
    ),
    pair(
        "long_step",
        _long_step,
        plain(step_share=Real(1 / 20, 1)),
        given=upto("step_share", 2),
        false={"given": {}},
        proof="|1 - eta lambda| <= 1 up to eta = 2/beta.",
        at=point(step_share=3),
        gives=("4", "1"),
    ),
    pair(
        "fourth_power",
        _fourth_power,
        numbers(x=ANY),
        given={"x^2": lambda w: 4 - w.x**2},
        false={"given": {}},
        proof="x^2 times 4 - x^2 >= 0.",
        at={"x": -3},
        gives=("81", "36"),
    ),
    pair(
        "product",
        _product,
        numbers(x=Real(0, 2), y=Real(0, 2)),
        given=upto("x", 2) | upto("y", 2),
        false={"given": {}},
        proof="x + y - xy = x(1 - y/2) + y(1 - x/2).",
        at={"x": 3, "y": 3},
        gives=("9", "6"),
    ),
    pair(
        "third_moment",
        _third_moment,
        sgd(),
        over="mean",
        given={"skew <= 8": lambda w: 8 - skew(w)},
        false={"given": {}},
        proof="E u^3 = m - 1/m for the two values m and -1/m.",
        at=point(skew=[10]),
        gives=("99/10", "8"),
    ),
    pair(
        "variance",
        _variance,
        sgd(),
        over="mean",
        given={"s <= 8": lambda w: 8 - sigma(w)},
        false={"given": {}},
        proof="The variance is at most (eta s)^2.",
        at=point(sigma=[16]),
        gives=("256", "128"),
    ),
    pair(
        "far_start",
        _far_start,
        sgd(),
        given={
            "start": lambda w: 16 - w.start[..., 0] ** 2,
            "optimum": lambda w: 4 - w.xi[:, :, 0, 0] ** 2,
        },
        false={"given": {}},
        proof="|start - optimum| <= 4 + 2.",
        at=point(start=[10]),
        gives=("10000", "3600"),
    ),
    pair(
        "condition",
        _condition,
        sgd(PLANE),
        given={"64": lambda w: 64 * w.mu - w.beta},
        false={"given": {}},
        proof="|grad|^2 <= 2 beta excess, and beta <= 64 mu.",
        at=point(1, 2, curvature=[[16, "1/8"]], start=[1, 0]),
        gives=("256", "128"),
    ),
    # as a share x needs the domain [0, 1]
    pair(
        "squares",
        _squares,
        numbers({"N": 3}, x=Real(0, 1, per=("N",), domain=(0, 1))),
        proof="x^2 <= x for shares.",
        false={"family": numbers({"N": 3}, x=Real(0, 1, per=("N",)))},
        at={"x": [2, 0, 0]},
        gives=("4", "2"),
    ),
    pair(
        "other_side",
        _other_side,
        sgd(reach=Real(0, 4)),
        over="prob",
        delta=lambda w: 1 / (1 + w.reach**2),
        given={"noise": scale},
        strict={"noise"},
        false={"family": sgd(reach=Real(0, 4, domain=(-inf, inf)))},
        proof="Cantelli.",
        at=point(reach=-2),
        gives=("1", "1/5"),
    ),
    pair(
        "chord",
        _chord,
        numbers(t=UNIT),
        given={"t <= 3/2": lambda w: 3 - 2 * w.t},
        false={"given": {}},
        proof="exp(-t) is below its chord from 0 to 3/2, whose slope is -0.517.",
        at={"t": 2},
        gives=("0.1353353", "0"),
    ),
    pair(
        "cubes",
        _cubes,
        numbers({"N": 2}, {"N": 3}, x=Real(0, 2, per=("N",))),
        proof="The cube is convex on the non-negative numbers.",
        false={"family": numbers({"N": 2}, x=Real(0, 2, per=("N",), domain=(-inf, inf)))},
        at={"x": [-1, 0]},
        gives=("1/2", "1/8"),
    ),
    pair(
        "three_norms",
        _three_norms,
        numbers({"d": 3}, x=Real(-2, 2, per=("d",))),
        given={"|x|": lambda w: 12 - xp.squared_norm(w.x)},
        false={"given": {}},
        proof="|x|^2 <= 12.",
        at={"x": [3, 3, 3]},
        gives=("729", "324"),
    ),
)
