"""Claims that an instance exists, claims of order, and what is false only far out or for many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.known.record import BEYOND, TRUE, Kind, Known
from tests.qa.calibration.worlds import POSITIVE, numbers
from verify.world.world import World

x, o, f, s = Kind("existence"), Kind("order"), Kind("far"), Kind("size")

EXISTENCE: tuple[Known, ...] = (
    x.true("large", "x**3 >= 100 + x", "At x = 5: 125 > 105.", quantifier="some", at={"x": 5}),
    x.true(
        "tangent",
        "exp(x) <= 1 + x",
        "Equality at 0, and nowhere else.",
        quantifier="some",
        at={"x": 0},
    ),
    x.true(
        "one_point",
        "9*x**2 + 1 <= 6*x",
        "Equality at 1/3, and nowhere else.",
        quantifier="some",
        at={"x": "1/3"},
    ),
    x.true(
        "outlier",
        "max_i(x[i]) >= 5*mean_i(x[i]) + 1 for x >= 0",
        "One of six: 3 >= 5/2 fails at 3, 12 >= 10 + 1 does not.",
        quantifier="some",
        at={"x": [12, 0, 0, 0, 0, 0]},
        shape={"N": 6},
    ),
    x.true(
        "orthogonal",
        "norm(u + v)**2 <= norm(u)**2 + norm(v)**2 - 1 for vectors u, v",
        "At u = -v = 1: 0 <= 1.",
        quantifier="some",
        at={"u": [1], "v": [-1]},
        shape={"d": 1},
    ),
    x.false("square", "x**2 + 1 <= x", "x^2 - x + 1 = (x - 1/2)^2 + 3/4.", quantifier="some"),
    x.false("exponential", "exp(x) <= x", "exp(x) >= 1 + x.", quantifier="some"),
    x.false(
        "product",
        "x**4 + y**4 + 1 <= x*y",
        "xy <= (x^2 + y^2)/2 <= x^4/2 + y^4/2 + 1/4.",
        quantifier="some",
    ),
    x.false(
        "mean",
        "max_i(x[i]) + 1 <= mean_i(x[i])",
        "A mean is at most the largest.",
        quantifier="some",
    ),
    x.false(
        "triangle",
        "norm(u + v) >= norm(u) + norm(v) + 1 for vectors u, v",
        "The triangle inequality.",
        quantifier="some",
    ),
)

ORDERS: tuple[Known, ...] = (
    o.true("term", "x*y <= x**2 + y**2", "With the constant 1/2.", relation="<~"),
    o.true(
        "constant_ten",
        "10*x <= x**2 + 1 for x >= 0",
        "With the constant 5.",
        relation="<~",
    ),
    o.true("logarithm", "log(1 + x) <= x for x >= 0", "With the constant 1.", relation="<~"),
    o.false("cube", "x**3 <= x**2 + 1 for x >= 0", "The ratio grows like x.", relation="<~"),
    o.false(
        "square_by_product",
        "x**2 <= x*y + y for x, y >= 0",
        "At y = 1 the ratio grows like x.",
        relation="<~",
    ),
    o.false(
        "linear_by_logarithm",
        "x <= log(1 + x) for x >= 0",
        "The ratio grows like x/log x.",
        relation="<~",
    ),
    o.false(
        "sum",
        "(sum_i x[i])**2 <= sum_i x[i]**2",
        "At equal numbers the ratio is N.",
        relation="<~",
    ),
    o.false("norms", "norm1(x) <= norm(x) for vectors x", "The ratio is sqrt d.", relation="<~"),
)

FAR: tuple[Known, ...] = (
    f.false(
        "small",
        "x <= 1000*x**2 for x > 0",
        "False for x below 1/1000.",
        at={"x": "1/2000"},
    ),
    f.true(
        "small_mended",
        "x <= 1000*x**2 + 1/4000 for x > 0",
        "1000 x^2 + 1/4000 >= 2 sqrt(1/4) x.",
    ),
    f.false(
        "small_thin",
        "x <= 1000*x**2 + 1/4100 for x > 0",
        "False around x = 1/2000 alone.",
        at={"x": "1/2000"},
    ),
    f.line(
        "square",
        BEYOND,
        "x**2 <= 1000000*x + 1 for x >= 0",
        "False for x above 1000000.",
        at={"x": 1000001},
    ),
    f.line(
        "logarithm",
        BEYOND,
        "log(1 + x) <= 10 + x/1000000 for x >= 0",
        "At x = 50000: 10.8 > 10.05.",
        at={"x": 50000},
    ),
    f.line(
        "tiny",
        BEYOND,
        "1/x <= 10000000 + x for x > 0",
        "False for x below 1/10000000.",
        at={"x": "1/20000000"},
    ),
    f.false(
        "exponential",
        "x <= 1000000*exp(-x) for x >= 0",
        "False for x above 11.4.",
        at={"x": 12},
    ),
    f.line(
        "root_step",
        BEYOND,
        "sqrt(x + 1) + 1/(1000*x) <= sqrt(x) + 1/(2*sqrt(x)) for x > 0",
        "The right side is ahead by 1/(8 x^(3/2)), less than 1/(1000 x) for x above 15625; and "
        "by 1/(2 sqrt x), less than 1/(1000 x) for x below 1/250000.",
        at={"x": 40000},
    ),
    f.true(
        "squares_far",
        "x <= 1000000*x**2 + 1/4000000 for x > 0",
        "The mean of two numbers is at least their geometric mean.",
    ),
)

TERMS = replace(numbers({"n": 1}, {"n": 2}, {"n": 4}, c=POSITIVE), grow=("n",))
"""Any number n of terms, of which the listed ones are looked at first."""


def _harmonic(w: World) -> Any:
    return {"sum": sum(w.c / k for k in range(1, w.n + 1))}, {"4": 4 * w.c}


def _harmonic_log(w: World) -> Any:
    total = sum(w.c / k for k in range(1, w.n + 1))
    return {"sum": total}, {"1": w.c, "log": w.c * xp.log(w.n + 0 * w.c)}


def _squares(w: World) -> Any:
    return {"sum": sum(w.c / k**2 for k in range(1, w.n + 1))}, {"8/5": 8 * w.c / 5}


def _squares_true(w: World) -> Any:
    return {"sum": sum(w.c / k**2 for k in range(1, w.n + 1)), "1/n": w.c / w.n}, {"2": 2 * w.c}


def _roots(w: World) -> Any:
    total = sum(w.c / xp.sqrt(k + 0 * w.c) for k in range(1, w.n + 1))
    return {"sum": total}, {"10": 10 * w.c}


SIZES: tuple[Known, ...] = (
    s.built(
        "harmonic",
        BEYOND,
        "c sum_{k<=n} 1/k <= 4c",
        _harmonic,
        TERMS,
        "First false at n = 31.",
        at={"c": 1},
        shape={"n": 31},
    ),
    s.built(
        "harmonic_log",
        TRUE,
        "c sum_{k<=n} 1/k <= c + c log n",
        _harmonic_log,
        TERMS,
        "1/k is at most the integral of 1/x from k-1 to k.",
    ),
    s.built(
        "squares",
        BEYOND,
        "c sum_{k<=n} 1/k^2 <= 8c/5",
        _squares,
        TERMS,
        "The limit is pi^2/6 = 1.645; first false at n = 22.",
        at={"c": 1},
        shape={"n": 23},
    ),
    s.built(
        "squares_telescoped",
        TRUE,
        "c sum_{k<=n} 1/k^2 + c/n <= 2c",
        _squares_true,
        TERMS,
        "1/k^2 <= 1/(k-1) - 1/k.",
    ),
    s.built(
        "roots",
        BEYOND,
        "c sum_{k<=n} 1/sqrt k <= 10c",
        _roots,
        TERMS,
        "The sum is about 2 sqrt n - 1.46: false from n = 33 on.",
        at={"c": 1},
        shape={"n": 40},
    ),
    s.line(
        "seventeen_clients",
        BEYOND,
        "sum_i abs(x[i]) <= 4*sqrt(sum_i x[i]**2)",
        "Seventeen equal numbers: 17 > 4 sqrt 17; true for up to sixteen.",
        at={"x": [1] * 17},
        shape={"N": 17},
    ),
    s.line(
        "hundreds_of_clients",
        BEYOND,
        "max_i(x[i]) <= 1000*mean_i(x[i]) for x >= 0",
        "False for more than a thousand clients.",
    ),
)

REACH = (*EXISTENCE, *ORDERS, *FAR, *SIZES)
"""All of them."""
