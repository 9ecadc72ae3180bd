"""Off by one to three percent in a constant or an exponent."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import (
    ANY,
    DEFINES,
    POSITIVE,
    curvature,
    distance2,
    excess,
    last,
    numbers,
    plain,
    point,
    scale,
    sgd,
    slope2,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("constant")

EACH = Real(1 / 8, 8, log=True, per=("N",))
ANYONE = Real(-2, 2, per=("N",))
VECTOR = Real(-2, 2, per=("d",))
PLANES = ({"N": 1, "d": 2, "rounds": 1},)


def _spread(w: World) -> Any:
    return xp.mean((w.x - xp.mean(w.x)[..., None]) ** 2)


# at three equal numbers
def _am_gm(w: World, k: int) -> Any:
    product = w.x[..., 0] * w.x[..., 1] * w.x[..., 2]
    return {"27xyz": k * product / 100}, {"sum^3": xp.total(w.x) ** 3}


# at a proportional to b
def _titu(w: World, k: int) -> Any:
    whole = xp.total(w.a) ** 2 / xp.total(w.b)
    return {"(sum a)^2/sum b": k * whole / 100}, {"sum a^2/b": xp.total(w.a**2 / w.b)}


# at x = 1/3
def _bump(w: World, k: int) -> Any:
    return {"bump": k * w.c * w.x * (1 - w.x) ** 2 / 400}, {"c": w.c}


# as x goes to 0
def _decay(w: World, k: int) -> Any:
    return {"(1-x)^n": (1 - w.x) ** w.n}, {"1/(1+nx)": 100 / (100 + k * w.n * w.x)}


# as x goes to 0
def _exp_series(w: World, k: int) -> Any:
    return {"exp": xp.exp(w.x)}, {"1": 1, "x": w.x, "x^2/2": k * w.x**2 / 100}


# as x goes to 0
def _log_pade(w: World, k: int) -> Any:
    return {"log": xp.log(1 + w.x)}, {"2x/(2+x)": k * w.x / (100 + 50 * w.x)}


def _mean_square(w: World, k: int) -> Any:
    kept = (1 - w.step_size * curvature(w)) ** 2 * distance2(w, w.start)
    noise = k * (w.step_size * scale(w)) ** 2 / 100
    return {"E gap^2": distance2(w, last(w))}, {"kept": kept, "noise": noise}


# at a start along the steepest axis
def _slope_bound(w: World, k: int) -> Any:
    bound = k * w.beta * excess(w, w.start) / 100
    return {"|grad|^2": slope2(w, w.start)}, {"2 beta excess": bound}


# at curvature beta/3 along the gap: x (1 - x)^2 is largest at 1/3
def _quadratic_rate(w: World, k: int) -> Any:
    bound = k * w.beta * distance2(w, w.start) / 1350
    return {"f1": excess(w, w.run().server[:, :, -1])}, {"2 beta D^2/27": bound}


# at two clients
def _popoviciu(w: World, k: int) -> Any:
    width = xp.largest(w.x) - xp.smallest(w.x)
    return {"variance": _spread(w)}, {"width^2/4": 100 * width**2 / k}


# where every number is the largest or the smallest
def _bhatia_davis(w: World, k: int) -> Any:
    m = xp.mean(w.x)
    product = (xp.largest(w.x) - m) * (m - xp.smallest(w.x))
    return {"variance": k * _spread(w) / 100}, {"product": product}


def _parallelogram(w: World, k: int) -> Any:
    both = xp.squared_norm(w.a + w.b) + xp.squared_norm(w.a - w.b)
    return {"diagonals": both}, {
        "2|a|^2": 2 * xp.squared_norm(w.a),
        "2|b|^2": k * xp.squared_norm(w.b) / 100,
    }


# at n = 1
def _root_sum(w: World, k: int) -> Any:
    total = sum(w.c / xp.sqrt(t + 0 * w.c) for t in range(1, w.n + 1))
    return {"sum": total, "1": k * w.c / 100}, {"2 sqrt n": 2 * w.c * xp.sqrt(w.n + 0 * w.c)}


# at equal numbers
def _powers(w: World, k: int) -> Any:
    return {"(sum x^2)^2": k * xp.total(w.x**2) ** 2 / 100}, {
        "sum x^3 sum x": xp.total(w.x**3) * xp.total(w.x)
    }


# at x = 1
def _root(w: World, k: int) -> Any:
    return {"x^(k/100)": xp.exp(k * xp.log(w.x) / 100)}, {"tangent": (1 + w.x) / 2}


# at b = s a
def _young(w: World, k: int) -> Any:
    return {"2ab": 2 * w.a * w.b}, {"s a^2": k * w.s * w.a**2 / 100, "b^2/s": w.b**2 / w.s}


UP_TO_ONE = {"x >= 0": lambda w: w.x, "x <= 1": lambda w: 1 - w.x}

CONSTANTS: tuple[Pair, ...] = (
    pair(
        "am_gm",
        _am_gm,
        numbers({"N": 3}, x=EACH),
        slip=(2700, 2754),
        proof="The geometric mean is at most the arithmetic mean; cube.",
        at={"x": [1, 1, 1]},
        gives=("1377/50", "27"),
    ),
    pair(
        "titu",
        _titu,
        numbers({"N": 2}, {"N": 4}, a=EACH, b=EACH),
        slip=(100, 101),
        proof="Cauchy-Schwarz for a/sqrt(b) and sqrt(b).",
        at={"a": [1, 2], "b": [1, 2]},
        gives=("303/100", "3"),
    ),
    pair(
        "bump",
        _bump,
        numbers(x=Real(0, 1), c=POSITIVE),
        slip=(2700, 2740),
        given=UP_TO_ONE,
        proof="4/27 - x(1-x)^2 = (1/3-x)^2 (4/3-x), not negative up to 4/3.",
        at={"x": "1/3", "c": 1},
        gives=("137/135", "1"),
    ),
    pair(
        "decay",
        _decay,
        numbers({"n": 1}, {"n": 5}, x=Real(0, 1)),
        slip=(100, 103),
        given=UP_TO_ONE,
        proof="(1-x)^n (1+nx) <= (1-x)^n (1+x)^n <= 1 by Bernoulli.",
        at={"x": "1/64"},
        gives=("63/64", "6400/6503"),
    ),
    pair(
        "exp_series",
        _exp_series,
        numbers(x=Real(0, 4)),
        slip=(50, 51),
        relation=">=",
        proof="The other terms of the series are not negative for x >= 0.",
        at={"x": "1/25"},
        gives=("1.040811", "65051/62500"),
    ),
    pair(
        "log_pade",
        _log_pade,
        numbers(x=Real(0, 4)),
        slip=(100, 102),
        relation=">=",
        proof="The difference is 0 at 0, its derivative x^2/((1+x)(2+x)^2) is not negative.",
        at={"x": "1/8"},
        gives=("0.117783", "3/25"),
    ),
    pair(
        "mean_square",
        _mean_square,
        sgd(),
        slip=(100, 102),
        relation="==",
        over="mean",
        proof="The noise has mean zero and variance (eta s)^2.",
        at=point(),
        gives=("1", "51/50"),
    ),
    pair(
        "slope_bound",
        _slope_bound,
        sgd(*PLANES),
        slip=(200, 197),
        proof="|A g|^2 <= beta g^T A g for the gap g.",
        at=point(1, 2),
        gives=("2", "197/100"),
    ),
    pair(
        "quadratic_rate",
        _quadratic_rate,
        plain(*PLANES),
        slip=(100, 98),
        defines={**DEFINES, "step_size": lambda w: 1 / w.beta},
        proof="Along an axis f1 = beta D^2/2 x(1-x)^2 with x = curvature/beta, at most 4/27.",
        at=point(1, 2, curvature=[[3, 1]], start=[0, 1]),
        gives=("2/9", "49/225"),
    ),
    pair(
        "popoviciu",
        _popoviciu,
        numbers({"N": 2}, {"N": 5}, x=ANYONE),
        slip=(400, 408),
        proof="The variance is at most the mean square around the midpoint of the range.",
        at={"x": [0, 1]},
        gives=("1/4", "25/102"),
    ),
    pair(
        "bhatia_davis",
        _bhatia_davis,
        numbers({"N": 3}, {"N": 4}, x=ANYONE),
        slip=(100, 102),
        proof="The mean of (M - x)(x - m) >= 0 is product minus variance.",
        at={"x": [0, 0, 1]},
        gives=("17/75", "2/9"),
    ),
    pair(
        "parallelogram",
        _parallelogram,
        numbers({"d": 1}, {"d": 3}, a=VECTOR, b=VECTOR),
        slip=(200, 202),
        relation="==",
        proof="Expand both squares.",
        at={"a": [0], "b": [1]},
        gives=("2", "101/50"),
    ),
    pair(
        "root_sum",
        _root_sum,
        numbers({"n": 1}, {"n": 4}, {"n": 9}, c=POSITIVE),
        slip=(100, 103),
        proof="2 sqrt n - 2 sqrt(n-1) = 2/(sqrt n + sqrt(n-1)) >= 1/sqrt n; equality at n = 1.",
        at={"c": 1},
        gives=("203/100", "2"),
    ),
    pair(
        "powers",
        _powers,
        numbers({"N": 2}, {"N": 3}, x=EACH),
        slip=(100, 102),
        proof="Cauchy-Schwarz for x^(3/2) and x^(1/2).",
        at={"x": [1, 1]},
        gives=("102/25", "4"),
    ),
    pair(
        "root",
        _root,
        numbers(x=POSITIVE),
        slip=(50, 51),
        proof="The root is concave, below its tangent at 1.",
        at={"x": "51/50"},
        gives=("1.010151", "101/100"),
    ),
    pair(
        "young",
        _young,
        numbers(a=ANY, b=ANY, s=POSITIVE),
        slip=(100, 99),
        proof="(s a - b)^2 / s is not negative.",
        at={"a": 1, "b": 1, "s": 1},
        gives=("2", "199/100"),
    ),
)
