"""False only for skewed or heavy noise, for unequal clients, or at ties."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import (
    POSITIVE,
    deviation,
    heavy,
    numbers,
    plain,
    point,
    scale,
    server,
    sgd,
    skew,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("law")

ANYONE = Real(-2, 2, per=("N",))
TWO = {"N": 2, "d": 1, "rounds": 1}
NOISY = {"noise": scale}


def spread(w: World) -> Any:
    """Standard deviation of one step."""
    return w.step_size * scale(w)


def tail(w: World) -> Any:
    """The largest value h of the three-point law of client 0."""
    return w.top[..., 0]


# -- skewed noise: the values m and -1/m ---------------------------------------------------------


def _fourth(w: World, fair: bool) -> Any:
    m = skew(w)
    bound = 3 if fair else xp.maximum(m, 1 / m) ** 2
    return {"E dev^4": deviation(w) ** 4}, {"bound": bound * spread(w) ** 4}


def _third(w: World, fair: bool) -> Any:
    lean = 0 if fair else skew(w) - 1 / skew(w)
    return {"E dev^3": deviation(w) ** 3}, {"lean": -lean * spread(w) ** 3}


def _above_mean(w: World) -> Any:
    return {"dev": deviation(w)}, {"0": 0 * spread(w)}


def _exponential(w: World, fair: bool) -> Any:
    width = 2 if fair else skew(w) + 1 / skew(w)
    share = -deviation(w) / spread(w)
    return {"E exp": xp.exp(w.s * share)}, {"bound": xp.exp((w.s * width) ** 2 / 8)}


def _median(w: World, fair: bool) -> Any:
    most = 1 if fair else xp.maximum(skew(w), 1 / skew(w))
    return {"|dev|": xp.absolute(deviation(w))}, {"t": most * spread(w)}


def _mean_of_two(w: World, fair: bool) -> Any:
    x, m = server(w)[..., 0], w.skew
    parts = w.noise_scale**2
    fourth = 1 if fair else m**2 - 1 + 1 / m**2
    sixth = 6 * parts[..., 0] * parts[..., 1]
    bound = (xp.total(fourth * parts**2) + sixth) * w.step_size**4 / 16
    return {"E dev^4": (x - w.mean(x)) ** 4}, {"bound": bound}


# -- heavy noise: the values -h, 0, h ------------------------------------------------------------


def _absolute(w: World, light: bool) -> Any:
    share = xp.divide(9, 10) if light else 1 / tail(w)
    return {"E|dev|": xp.absolute(deviation(w))}, {"s/h": share * spread(w)}


def _kurtosis(w: World, light: bool) -> Any:
    factor = 3 if light else tail(w) ** 2
    return {"E dev^4": deviation(w) ** 4}, {"factor s^4": factor * spread(w) ** 4}


def _beyond(w: World) -> Any:
    return {"|dev|": xp.absolute(deviation(w))}, {"2s": 2 * spread(w)}


def _some_noise(w: World) -> Any:
    return {"s": spread(w)}, {"|dev|": xp.absolute(deviation(w))}


# -- unequal clients -----------------------------------------------------------------------------


def _gradients(w: World, equal: bool) -> Any:
    mean = xp.mean(w.g)
    apart = 0 if equal else xp.mean((w.g - mean[..., None]) ** 2)
    return {"mean of squares": xp.mean(w.g**2)}, {"|mean|^2": mean**2, "apart": apart}


def _local_steps(w: World, equal: bool) -> Any:
    rate = w.step_size[..., None] * w.problem.client_smoothness
    kept = (1 - xp.mean(rate)) ** 2 if equal else xp.mean((1 - rate) ** 2)
    return {"two local steps": server(w)[..., 0]}, {"kept": kept * w.start[..., 0]}


def _unequal_noise(w: World, equal: bool) -> Any:
    x, s = server(w)[..., 0], w.sigma
    square = s[..., 0] * s[..., 1] if equal else xp.mean(s**2)
    return {"variance": (x - w.mean(x)) ** 2}, {"s^2/2": w.step_size**2 * square / 2}


def _fixed_point(w: World, equal: bool) -> Any:
    lam = w.problem.client_smoothness
    weight = 1 if equal else lam
    best = xp.total(weight * w.problem.optimum[..., 0]) / xp.total(weight + 0 * lam)
    return {"server": server(w)[..., 0]}, {"minimiser": best}


# -- ties ----------------------------------------------------------------------------------------


def _ranks(w: World) -> Any:
    first = w.x[..., :1]
    up = xp.total(xp.indicator(xp.at_least(w.x, first), w.x))
    down = xp.total(xp.indicator(xp.at_least(first, w.x), w.x))
    return {"above": up, "below": down}, {"N+1": w.x.shape[-1] + 1}


def _rounding(w: World) -> Any:
    return {"floor x": xp.floor(w.x)}, {"ceil x - 1": xp.ceil(w.x) - 1}


def _at_the_reach(w: World, level: int) -> Any:
    reached = xp.at_least(-deviation(w), w.reach * spread(w))
    chance = xp.indicator(reached, spread(w))
    return {"P": chance}, {"level": 100 / (level * (1 + w.reach**2))}


def _upper_half(w: World) -> Any:
    middle = xp.total(w.x) - xp.largest(w.x) - xp.smallest(w.x)
    reached = xp.total(xp.indicator(xp.at_least(w.x, middle[..., None]), w.x))
    return {"reached": w.c * reached}, {"two": 2 * w.c}


def _edge_of_event(w: World) -> Any:
    gap, edge = -deviation(w), w.reach * spread(w)
    reached, passed = xp.at_least(gap, edge), xp.above(gap, edge)
    return {"P(>=)": xp.indicator(reached, gap)}, {"P(>)": xp.indicator(passed, gap)}


def _ties_of_max(w: World, weak: bool) -> Any:
    beats = xp.at_least if weak else xp.above
    first, second = w.x[..., 0], w.x[..., 1]
    wins = xp.indicator(beats(first, second), first) + xp.indicator(beats(second, first), first)
    return {"winners": w.c * wins}, {"c": w.c}


LAWS: tuple[Pair, ...] = (
    pair(
        "fourth",
        _fourth,
        sgd(),
        slip=(False, True),
        over="mean",
        proof="E u^4 = m^2 - 1 + 1/m^2, at most the larger of m^2 and 1/m^2.",
        at=point(skew=[3]),
        gives=("73/9", "3"),
    ),
    pair(
        "third",
        _third,
        sgd(),
        slip=(False, True),
        over="mean",
        relation="==",
        proof="E u^3 = m - 1/m, and the step subtracts the noise.",
        at=point(skew=[2]),
        gives=("-3/2", "0"),
    ),
    pair(
        "median",
        _above_mean,
        sgd(),
        over="prob",
        given=NOISY,
        strict={"noise"},
        delta=lambda w: skew(w) ** 2 / (1 + skew(w) ** 2),
        false={"delta": lambda w: 1 / (2 + 0 * skew(w))},
        proof="The noise is -1/m with probability m^2/(1 + m^2).",
        at=point(skew=[2]),
        gives=("4/5", "1/2"),
    ),
    pair(
        "exponential",
        _exponential,
        sgd(s=Real(1 / 16, 4, log=True)),
        slip=(False, True),
        over="mean",
        given=NOISY,
        strict={"noise"},
        proof="Hoeffding's lemma, width m + 1/m.",
        at=point(skew=[4], s=1),
        gives=("3.944645", "1.648721"),
    ),
    pair(
        "every_path",
        _median,
        sgd(),
        slip=(False, True),
        over="path",
        proof="The noise is m or -1/m.",
        at=point(skew=[2]),
        gives=("2", "1"),
    ),
    pair(
        "mean_of_two",
        _mean_of_two,
        sgd(TWO, method="fedavg"),
        slip=(False, True),
        over="mean",
        relation="==",
        proof="Expand: odd moments vanish with the means.",
        at=point(2, skew=[2, 1]),
        gives=("41/64", "1/2"),
    ),
    pair(
        "absolute",
        _absolute,
        heavy(),
        slip=(False, True),
        over="mean",
        relation=">=",
        proof="E|u| = h/h^2 = 1/h.",
        at=point(tail=[3]),
        gives=("1/4", "9/10"),
    ),
    pair(
        "kurtosis",
        _kurtosis,
        heavy(),
        slip=(False, True),
        over="mean",
        proof="E u^4 = h^4/h^2.",
        at=point(tail=[1]),
        gives=("4", "3"),
    ),
    pair(
        "beyond",
        _beyond,
        heavy(),
        over="prob",
        given=NOISY,
        strict={"noise"},
        delta=lambda w: 1 / (4 + 0 * tail(w)),
        false={"delta": lambda w: 1 / (5 + 0 * tail(w))},
        proof="Chebyshev; attained as h comes down to 2.",
        at=point(tail=["11/10"]),
        gives=("100/441", "1/5"),
    ),
    pair(
        "some_noise",
        _some_noise,
        heavy(),
        over="prob",
        given=NOISY,
        strict={"noise"},
        delta=lambda w: 1 - 1 / tail(w) ** 2,
        false={"delta": lambda w: 1 / (2 + 0 * tail(w))},
        proof="The noise is 0 with probability 1 - 1/h^2, else at least s.",
        at=point(tail=[1]),
        gives=("3/4", "1/2"),
    ),
    pair(
        "gradients",
        _gradients,
        numbers({"N": 2}, {"N": 3}, g=ANYONE),
        slip=(False, True),
        relation="==",
        proof="Mean square is squared mean plus variance.",
        at={"g": [1, 0]},
        gives=("1/2", "1/4"),
    ),
    pair(
        "local_steps",
        _local_steps,
        plain({**TWO, "local_steps": 2}, optimum=Real(0, 0, (0, 1), per=("N", "d"), domain=(0, 0))),
        slip=(False, True),
        relation="==",
        proof="Each client multiplies its gap by its own rate.",
        at=point(2, curvature=[[1], [2]]),
        gives=("1/8", "1/16"),
    ),
    pair(
        "unequal_noise",
        _unequal_noise,
        sgd(TWO, method="fedavg"),
        slip=(False, True),
        over="mean",
        proof="The variance is eta^2 (s_0^2 + s_1^2)/4.",
        at=point(2, sigma=[1, 2]),
        gives=("5/4", "1"),
    ),
    pair(
        "fixed_point",
        _fixed_point,
        plain(TWO),
        slip=(False, True),
        relation="==",
        defines={"step_size": lambda w: 1 / xp.mean(w.problem.client_smoothness)},
        proof="The mean loss is quadratic with the mean curvature; one such step ends at its "
        "minimiser.",
        at=point(2, curvature=[[1], [3]], optimum=[[0], [1]]),
        gives=("3/4", "1/2"),
    ),
    pair(
        "ranks",
        _ranks,
        numbers({"N": 2}, {"N": 4}, x=ANYONE),
        relation=">=",
        false={"relation": "=="},
        proof="Every client is counted, and those equal to the first twice.",
        at={"x": [1, 1]},
        gives=("4", "3"),
    ),
    pair(
        "rounding",
        _rounding,
        numbers(x=Real(0, 4)),
        relation=">=",
        false={"relation": "=="},
        proof="ceil x <= floor x + 1.",
        at={"x": 1},
        gives=("1", "0"),
    ),
    pair(
        "at_the_reach",
        _at_the_reach,
        sgd(reach=POSITIVE),
        slip=(100, 102),
        over="mean",
        given=NOISY,
        strict={"noise"},
        proof="Cantelli; attained at the value m = reach.",
        at=point(reach=1),
        gives=("1/2", "25/51"),
    ),
    pair(
        "upper_half",
        _upper_half,
        numbers({"N": 3}, x=ANYONE, c=POSITIVE),
        relation=">=",
        false={"relation": "=="},
        proof="The median and the largest reach the median.",
        at={"x": [1, 0, 0], "c": 1},
        gives=("3", "2"),
    ),
    pair(
        "edge_of_event",
        _edge_of_event,
        sgd(reach=POSITIVE),
        over="mean",
        relation=">=",
        given=NOISY,
        strict={"noise"},
        false={"relation": "<="},
        proof="The event with > lies in the event with >=.",
        at=point(skew=[2], reach=2),
        gives=("1/5", "0"),
    ),
    pair(
        "ties_of_max",
        _ties_of_max,
        numbers({"N": 2}, x=ANYONE, c=POSITIVE),
        slip=(False, True),
        proof="Not both numbers are above each other.",
        at={"x": [1, 1], "c": 1},
        gives=("2", "1"),
    ),
)
