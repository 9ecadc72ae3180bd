"""Slips of the pen: strict for weak, an index off by one, min for max, a wrong mean or moment."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
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
    plain,
    point,
    server,
    sgd,
    sigma,
    slope2,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("slip")

EACH = Real(1 / 8, 8, log=True, per=("N",))
COUNT = Real(0, 2, per=("N",))
ANYONE = Real(-2, 2, per=("N",))
TERMS = Real(0, 2, per=("m",))
VECTOR = Real(-2, 2, per=("d",))
TWO = {"N": 2, "d": 1, "rounds": 1}
ROUNDS = ({**ONE, "rounds": 1}, {**ONE, "rounds": 2}, {**ONE, "rounds": 4})
PLANE = {"N": 1, "d": 2, "rounds": 1}


def _around(w: World) -> Any:
    return (w.x - xp.mean(w.x)[..., None]) ** 2


def _above(w: World) -> Any:
    return {"c": w.c}, {"c 1{x>y}": w.c * xp.indicator(xp.above(w.x, w.y), w.c)}


def _telescope(w: World, end: int) -> Any:
    steps = xp.total(w.a[..., :-1] - w.a[..., 1:])
    return {"sum": steps, "last": w.a[..., end]}, {"first": w.a[..., 0]}


def _mean_descent(w: World) -> Any:
    f = w.problem.losses
    return {"f1": xp.mean(f(server(w)))}, {"f0": xp.mean(f(w.start))}


def _pairwise(w: World, k: int) -> Any:
    gap = (w.x[..., 0] - w.x[..., 1]) ** 2
    share = 2 if k == 0 else xp.divide(k, w.x.shape[-1])
    return {"(x0-x1)^2": gap}, {"2 sum": share * xp.total(_around(w))}


def _one_of_all(w: World, mean: bool) -> Any:
    return {"x0": w.x[..., 0]}, {"all": xp.mean(w.x) if mean else xp.total(w.x)}


def _two_rounds(w: World, product: bool) -> Any:
    path = w.run().theta[..., 0]
    first, second = path[:, :, 1], path[:, :, 2]
    kept = 0 if product else (1 - w.step_size * curvature(w)) * (first - w.mean(first)) ** 2
    return {"E xy": first * second}, {"E x E y": w.mean(first) * w.mean(second), "kept": kept}


def _second_moment(w: World, kept: bool) -> Any:
    x = last(w)[..., 0]
    variance = (x - w.mean(x)) ** 2
    return {"E x^2": x**2}, {"(E x)^2": w.mean(x) ** 2, "variance": variance if kept else 0 * x}


def _root_mean(w: World) -> Any:
    return {"mean sqrt": xp.mean(xp.sqrt(w.x))}, {"sqrt mean": xp.sqrt(xp.mean(w.x))}


def _log_mean(w: World) -> Any:
    return {"mean log": xp.mean(xp.log(w.x))}, {"log mean": xp.log(xp.mean(w.x))}


def _square_missing(w: World, power: int) -> Any:
    far = xp.largest(xp.absolute(w.x - xp.mean(w.x)[..., None]))
    return {"variance": xp.mean(_around(w))}, {"farthest": far**power}


def _one_round_more(w: World, more: int) -> Any:
    factor = (1 - w.step_size * curvature(w)) ** (2 * (w.rounds + more))
    return {"gap^2": distance2(w, server(w))}, {"kept": factor * distance2(w, w.start)}


def _average_iterate(w: World, at_last: bool) -> Any:
    path = w.run().server[:, :, 1:]
    f = xp.stack([excess(w, path[:, :, t]) for t in range(w.rounds)], -1)
    bound = f[..., -1] if at_last else xp.mean(f)
    return {"f(average)": excess(w, xp.mean(path, axis=-2))}, {"bound": bound}


def _each_bias(w: World, k: int) -> Any:
    return {"x0^2": w.x[..., 0] ** 2}, {"N b": (k or w.x.shape[-1]) * w.b}


def _some_round(w: World, last_one: bool) -> Any:
    chosen = w.f[..., -1] if last_one else xp.smallest(w.f)
    return {"f": chosen}, {"B": w.B}


def _pythagoras(w: World) -> Any:
    return {"|a+b|^2": xp.squared_norm(w.a + w.b)}, {
        "|a|^2": xp.squared_norm(w.a),
        "|b|^2": xp.squared_norm(w.b),
    }


def _harmonic(w: World) -> Any:
    return {"1/mean": 1 / xp.mean(w.x)}, {"mean of 1/x": xp.mean(1 / w.x)}


def _weighted_noise(w: World, mean: bool) -> Any:
    alpha = w.a / xp.total(w.a)[..., None]
    best = xp.mean(w.s) / w.s.shape[-1] if mean else 1 / xp.total(1 / w.s)
    return {"sum alpha^2 s": xp.total(alpha**2 * w.s)}, {"best": best}


def _growth(w: World, steepest: bool) -> Any:
    rate = w.beta if steepest else w.mu
    return {"|grad|^2": slope2(w, w.start)}, {"2 mu excess": 2 * rate * excess(w, w.start)}


def _convex(w: World) -> Any:
    return {"mean^3": xp.mean(w.x) ** 3}, {"mean of cubes": xp.mean(w.x**3)}


def _roots(w: World, k: int) -> Any:
    return {"roots": xp.sqrt(w.x) + xp.sqrt(w.y)}, {"root": xp.sqrt(k * (w.x + w.y))}


def _first_moment(w: World, squared: bool) -> Any:
    x = last(w)[..., 0]
    far = xp.absolute(x - w.mean(x))
    return {"(E|dev|)^2": w.mean(far) ** 2 if squared else far}, {
        "noise": (w.step_size * sigma(w)) ** 2
    }


def _own_step(w: World, other: bool) -> Any:
    own = w.problem.client_smoothness[..., 1 if other else 0]
    g, f = w.problem.gradients(w.start)[..., 0, :], w.problem.excess
    saved = xp.squared_norm(g) / (2 * own)
    after = f(w.start - g / own[..., None])[..., 0]
    return {"after": after, "saved": saved}, {"before": f(w.start)[..., 0]}


def _gap(w: World) -> Any:
    return {"E x": w.mean(last(w)[..., 0])}, {"x*": optimum(w)[..., 0]}


def _steepest(w: World) -> Any:
    return w.step_share / w.beta


def _flattest(w: World) -> Any:
    return w.step_share / xp.smallest(w.problem.client_smoothness)


SLIPS: tuple[Pair, ...] = (
    pair(
        "strict",
        _above,
        numbers(x=ANY, y=ANY, c=POSITIVE),
        given={"x > y": lambda w: w.x - w.y},
        strict={"x > y"},
        false={"strict": ()},
        proof="The indicator is one.",
        at={"x": 1, "y": 1, "c": 1},
        gives=("1", "0"),
    ),
    pair(
        "telescope",
        _telescope,
        numbers({"m": 3}, {"m": 5}, a=TERMS),
        slip=(-1, -2),
        relation="==",
        proof="All but the first and the last cancel.",
        at={"a": [0, 0, 1]},
        gives=("-1", "0"),
    ),
    pair(
        "min_for_max",
        _mean_descent,
        plain(TWO),
        defines={"step_size": _steepest},
        false={"defines": {"step_size": _flattest}},
        proof="The mean is smooth with the mean curvature, at most beta.",
        at=point(2, curvature=[[1], [8]], optimum=[[0], [0]]),
        gives=("441/16", "9/4"),
    ),
    pair(
        "mean_for_sum",
        _pairwise,
        numbers({"N": 2}, {"N": 3}, {"N": 5}, x=ANYONE),
        slip=(0, 4),
        proof="(x0 - x1)^2 <= 2 (x0 - m)^2 + 2 (x1 - m)^2.",
        at={"x": [1, -1, 0]},
        shape={"N": 3},
        gives=("4", "8/3"),
    ),
    pair(
        "one_of_all",
        _one_of_all,
        numbers({"N": 2}, {"N": 4}, x=COUNT),
        slip=(False, True),
        proof="The others are not negative.",
        at={"x": [1, 0]},
        gives=("1", "1/2"),
    ),
    pair(
        "product_of_means",
        _two_rounds,
        sgd({**ONE, "rounds": 2}),
        slip=(False, True),
        relation="==",
        over="mean",
        proof="y - E y = (1 - eta lambda)(x - E x) + fresh noise.",
        at=point(step_share="1/2"),
        gives=("1/4", "1/8"),
    ),
    pair(
        "moment",
        _second_moment,
        sgd(),
        slip=(True, False),
        relation="==",
        over="mean",
        proof="E x^2 is squared mean plus variance.",
        at=point(),
        gives=("1", "0"),
    ),
    pair(
        "root_of_mean",
        _root_mean,
        numbers({"N": 2}, {"N": 3}, x=EACH),
        false={"relation": ">="},
        proof="The root is concave.",
        at={"x": [1, 4]},
        gives=("3/2", "1.581139"),
    ),
    pair(
        "log_of_mean",
        _log_mean,
        numbers({"N": 2}, {"N": 3}, x=EACH),
        false={"relation": ">="},
        proof="The logarithm is concave.",
        at={"x": [1, 4]},
        gives=("0.6931472", "0.9162907"),
    ),
    pair(
        "square_missing",
        _square_missing,
        numbers({"N": 2}, {"N": 3}, x=ANYONE),
        slip=(2, 1),
        proof="The mean of squares is at most the largest.",
        at={"x": [2, -2]},
        gives=("4", "2"),
    ),
    pair(
        "one_round_more",
        _one_round_more,
        plain(*ROUNDS),
        slip=(0, 1),
        relation="==",
        proof="Each round multiplies the gap by 1 - eta lambda.",
        at=point(step_share="1/2"),
        gives=("1/4", "1/16"),
    ),
    pair(
        "last_for_average",
        _average_iterate,
        plain(*ROUNDS),
        slip=(False, True),
        proof="Jensen: the loss is convex.",
        at=point(step_share="1/2"),
        shape=ROUNDS[1],
        gives=("9/128", "1/32"),
    ),
    pair(
        "average_for_each",
        _each_bias,
        numbers({"N": 2}, {"N": 3}, x=ANYONE, b=POSITIVE),
        slip=(0, 1),
        given={"mean": lambda w: w.b - xp.mean(w.x**2)},
        proof="One of N non-negative numbers is at most N times their mean.",
        at={"x": [1, 0], "b": "1/2"},
        gives=("1", "1/2"),
    ),
    pair(
        "last_for_best",
        _some_round,
        numbers({"m": 2}, {"m": 4}, f=TERMS, B=POSITIVE),
        slip=(False, True),
        given={"average": lambda w: w.B - xp.mean(w.f)},
        proof="The smallest is at most the mean.",
        at={"f": [0, 2], "B": 1},
        gives=("2", "1"),
    ),
    pair(
        "nearly_orthogonal",
        _pythagoras,
        numbers({"d": 2}, {"d": 3}, a=VECTOR, b=VECTOR),
        given={"angle": lambda w: -xp.dot(w.a, w.b)},
        false={"given": {"angle": lambda w: 1 - 50 * xp.dot(w.a, w.b)}},
        proof="|a+b|^2 = |a|^2 + |b|^2 + 2 <a, b>.",
        at={"a": [1, 0], "b": ["1/50", 1]},
        gives=("5101/2500", "5001/2500"),
    ),
    pair(
        "inverse_of_mean",
        _harmonic,
        numbers({"N": 2}, {"N": 3}, x=EACH),
        false={"relation": ">="},
        proof="1/x is convex on the positive numbers.",
        at={"x": [1, 2]},
        gives=("2/3", "3/4"),
    ),
    pair(
        "mean_of_noise",
        _weighted_noise,
        numbers({"N": 2}, {"N": 3}, a=EACH, s=EACH),
        slip=(False, True),
        relation=">=",
        proof="Cauchy-Schwarz: (sum alpha)^2 = 1.",
        at={"a": [4, 1], "s": [1, 4]},
        gives=("4/5", "5/4"),
    ),
    pair(
        "beta_for_mu",
        _growth,
        sgd(PLANE),
        slip=(False, True),
        relation=">=",
        proof="|A g|^2 >= mu g^T A g for the gap g.",
        at=point(1, 2, curvature=[[1, 4]]),
        gives=("17", "20"),
    ),
    pair(
        "nearly_positive",
        _convex,
        numbers({"N": 2}, x=ANYONE),
        given={"x >= 0": lambda w: w.x},
        false={"given": {"x >= -1/10": lambda w: w.x + xp.divide(1, 10)}},
        proof="The cube is convex on the non-negative numbers.",
        at={"x": ["-1/10", 0]},
        gives=("1/2000", "1/8000"),
    ),
    pair(
        "root_of_sum",
        _roots,
        numbers(x=POSITIVE, y=POSITIVE),
        slip=(2, 1),
        proof="(a + b)^2 <= 2 a^2 + 2 b^2.",
        at={"x": 1, "y": 1},
        gives=("2", "1.414214"),
    ),
    pair(
        "first_moment",
        _first_moment,
        sgd(),
        slip=(True, False),
        over="mean",
        proof="(E|u|)^2 <= E u^2 <= sigma^2.",
        at=point(step_share="1/2"),
        gives=("1/2", "1/4"),
    ),
    pair(
        "other_client",
        _own_step,
        plain(TWO),
        slip=(False, True),
        proof="In one dimension a step 1/beta_0 ends at the minimiser, and |g|^2 = 2 beta_0 f.",
        at=point(2, curvature=[[4], [1]]),
        gives=("26", "2"),
    ),
    pair(
        "sign_of_bias",
        _gap,
        sgd(),
        over="mean",
        given={"start": lambda w: (optimum(w) - w.start)[..., 0]},
        false={"given": {"start": lambda w: -(optimum(w) - w.start)[..., 0]}},
        proof="E x - x* = (1 - eta lambda)(start - x*).",
        at=point(step_share="1/2"),
        gives=("1/2", "0"),
    ),
)
