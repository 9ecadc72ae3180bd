"""Slips in what a claim rests on: levels, units, hypotheses, numbers of clients, corners."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import false_statement as _false
from tests.qa.calibration.worlds import (
    ONE,
    POSITIVE,
    UNIT,
    curvature,
    deviation,
    distance2,
    excess,
    last,
    numbers,
    scale,
    sgd,
    sigma,
    slope2,
)
from tests.verify.cases import assume
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.world.world import World

TWO_ROUNDS = {**ONE, "rounds": 2}
TWO_CLIENTS = {**ONE, "N": 2}
WEAK = Real(1 / 64, 1 / 2, (1, -1), log=True)


_noisy: dict[str, Any] = {"noise": scale}


NOISY = frozenset({"noise"})

# -- probability ---------------------------------------------------------------------------------


# Hoeffding without sqrt(log(1/delta))
def _logarithm_hoeffding(w: World) -> Any:
    width = w.step_size * scale(w) * (w.skew[..., 0] + 1 / w.skew[..., 0])
    return {"deviation": deviation(w)}, {"t": width / xp.sqrt(1 + 0 * w.level) / 2}


_some_level: dict[str, Any] = {
    "noise": scale,
    "level": lambda w: w.level,
    "level < 1": lambda w: 1 - w.level,
}


# a two-sided Chebyshev radius for delta, claimed at delta/2
def _level_half(w: World) -> Any:
    return {"|deviation|": xp.absolute(deviation(w))}, {
        "t": w.step_size * scale(w) / xp.sqrt(w.level)
    }


# Cantelli's one-sided level for both sides
def _level_sides(w: World) -> Any:
    return {"|deviation|": xp.absolute(deviation(w))}, {"t": w.reach * w.step_size * scale(w)}


# -- units ---------------------------------------------------------------------------------------


# sigma for sigma^2; inside the box sigma < 1 hides it
def _units_sigma(w: World) -> Any:
    x = last(w)[..., 0]
    return {"variance": (x - w.mean(x)) ** 2}, {"bound": w.step_size**2 * w.spread}


# b for b^2 in |a|^2 <= 2 |a - b|^2 + 2 b^2; inside the box b < 1 hides it
def _units_bias(w: World) -> Any:
    return {"(x+y)^2": (w.x + w.b) ** 2}, {"2x^2": 2 * w.x**2, "2b": 2 * w.b}


# a factor beta is missing in a logarithm; inside the box beta < 2 hides it
def _units_logarithm(w: World) -> Any:
    return {"f": w.beta * w.far**2 * xp.exp(-w.time) / 2}, {"epsilon": w.epsilon}


_long_enough: dict[str, Any] = {"time": lambda w: w.time - xp.log(w.far**2 / w.epsilon)}


# -- hypotheses ----------------------------------------------------------------------------------


# step <= 2/beta where the decrease by eta/2 |grad|^2 needs 1/beta
def _step_too_long(w: World) -> Any:
    decrease = w.step_size * slope2(w, w.start) / 2
    noise = w.step_size**2 * w.beta * sigma(w) ** 2 / 2
    return {"f1": excess(w, last(w)), "decrease": decrease}, {
        "f0": excess(w, w.start),
        "noise": noise,
    }


_double_step: dict[str, Any] = {"step <= 2/beta": lambda w: 2 - w.step_share}


# at the threshold itself >= and > differ
def _edge(w: World) -> Any:
    reached, above = xp.at_least(w.r, w.threshold), xp.above(w.r, w.threshold)
    return {"1{r >= t}": xp.indicator(reached, w.r)}, {"1{r > t}": xp.indicator(above, w.r)}


# the edge needs two clients to agree exactly, at no grid point in particular
def _edge_argmax(w: World) -> Any:
    top = xp.largest(w.r)
    leaders = xp.total(xp.indicator(xp.at_least(w.r, top[..., None]), w.r))
    return {"leaders": leaders}, {"1": 1}


# -- sums over clients ---------------------------------------------------------------------------


# the mean of squares is divided by N once more
def _clients_sum(w: World) -> Any:
    mean = xp.mean(w.g, axis=-2)
    return {"|mean|^2": xp.squared_norm(mean)}, {
        "sum/N^2": xp.total(xp.squared_norm(w.g)) / w.g.shape[-2] ** 2
    }


# true with equality for two clients, false for three
def _clients_three(w: World) -> Any:
    mean = xp.mean(w.x)
    return {"(max - mean)^2": (xp.largest(w.x) - mean) ** 2}, {
        "variance": xp.mean((w.x - mean[..., None]) ** 2)
    }


# the noise of the first of several rounds is forgotten: true with equality for one round
def forgotten_rounds(w: World) -> Any:
    factor = (1 - w.step_size * curvature(w)) ** 2
    kept = factor**w.rounds * distance2(w, w.start)
    return {"E gap^2": distance2(w, last(w))}, {
        "kept": kept,
        "noise": (w.step_size * sigma(w)) ** 2,
    }


# -- corner --------------------------------------------------------------------------------------


# the fourth moment of the noise is skew^2 - 1 + skew^-2: above 62 only next to skew = 8
def _corner_moment(w: World) -> Any:
    return {"E deviation^4": deviation(w) ** 4}, {"bound": 62 * (w.step_size * sigma(w)) ** 4}


_tame: dict[str, Any] = {
    "skew <= 8": lambda w: 8 - w.skew[..., 0],
    "skew >= 1/8": lambda w: 8 - 1 / w.skew[..., 0],
}


# the upper value of the noise is bounded by 31/4 of its deviation: false only above skew 31/4, and
# below it a tie that rounding decides wherever the skewness is the bound
def _corner_tail(w: World) -> Any:
    m = w.skew[..., 0]
    top = xp.minimum(m, xp.divide(31, 4) + 0 * m)
    return {"deviation": -deviation(w)}, {"t": w.step_size * scale(w) * top}


_tame_level: dict[str, Any] = {**_tame, "level > 0": lambda w: w.level}


CONDITIONS: tuple[Statement, ...] = (
    _false(
        "logarithm.hoeffding",
        family=sgd(level=Real(1 / 100, 1)),
        sides=_logarithm_hoeffding,
        given=assume(_some_level, strict={"noise", "level"}),
        over="prob",
        delta=lambda w: w.level,
    ),
    _false(
        "level.half",
        family=sgd(level=Real(1 / 100, 1)),
        sides=_level_half,
        given=assume(_some_level, strict={"noise", "level"}),
        over="prob",
        delta=lambda w: w.level / 2,
    ),
    _false(
        "level.sides",
        family=sgd(reach=POSITIVE),
        sides=_level_sides,
        given=assume(_noisy, strict=NOISY),
        over="prob",
        delta=lambda w: 1 / (1 + w.reach**2),
    ),
    _false(
        "units.sigma",
        sides=_units_sigma,
        over="mean",
        family=sgd(spread=WEAK),
        given=assume({"spread": lambda w: w.spread - sigma(w)}),
    ),
    _false(
        "units.bias",
        sides=_units_bias,
        family=numbers(x=Real(-2, 2, (0, 1)), b=Real(1 / 64, 1 / 2, (0, 1), log=True)),
    ),
    _false(
        "units.logarithm",
        sides=_units_logarithm,
        given=assume(_long_enough),
        defines={},
        family=numbers(
            beta=Real(1 / 8, 3 / 2, (1, -2), log=True),
            far=Real(1, 2, (0, 1), log=True),
            epsilon=Real(1 / 8, 1, (1, 0), log=True),
            time=Real(0, 4),
        ),
    ),
    _false(
        "step.too_long",
        family=sgd(step_share=Real(1 / 20, 2)),
        sides=_step_too_long,
        given=assume(_double_step),
        over="mean",
    ),
    _false(
        "edge.threshold",
        sides=_edge,
        family=numbers(r=UNIT, threshold=Real(1 / 7, 3 / 4, domain=(0, 1))),
    ),
    _false(
        "edge.argmax",
        family=numbers({"N": 3}, r=Real(0, 1, per=("N",))),
        sides=_edge_argmax,
    ),
    _false(
        "clients.sum",
        sides=_clients_sum,
        family=numbers({"N": 2, "d": 2}, g=Real(-2, 2, per=("N", "d"))),
    ),
    _false(
        "clients.three",
        sides=_clients_three,
        family=numbers({"N": 2}, {"N": 3}, x=Real(-2, 2, per=("N",))),
    ),
    _false("clients.rounds", family=sgd(ONE, TWO_ROUNDS), sides=forgotten_rounds, over="mean"),
    _false("corner.moment", family=sgd(), sides=_corner_moment, over="mean", given=assume(_tame)),
    _false(
        "corner.tail",
        family=sgd(level=Real(1 / 1000, 1 / 100)),
        sides=_corner_tail,
        over="prob",
        delta=lambda w: w.level,
        given=assume(_tame_level, strict={"level > 0"}),
    ),
)
