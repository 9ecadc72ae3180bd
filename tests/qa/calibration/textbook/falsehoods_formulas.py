"""Slips in a formula: a constant, an exponent, an index, a sign, a mean for every path."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import false_statement as _false
from tests.qa.calibration.worlds import (
    ONE,
    UNIT,
    curvature,
    distance2,
    excess,
    last,
    numbers,
    optimum,
    server,
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
MOVES = Real(-2, 2, (0, 1), per=("d",))


_short_step: dict[str, Any] = {"step <= 1/beta": lambda w: 1 - w.step_share}


# -- constant ------------------------------------------------------------------------------------


# the noise term is too small by 1.1
def _constant_tenth(w: World) -> Any:
    kept = (1 - w.step_size * curvature(w)) ** 2 * distance2(w, w.start)
    noise = 10 * (w.step_size * sigma(w)) ** 2 / 11
    return {"E gap^2": distance2(w, last(w))}, {"kept": kept, "noise": noise}


# the quadratic term of the descent lemma is too small by 2
def _constant_half(w: World) -> Any:
    f = w.problem.excess
    linear = xp.dot(w.problem.gradients(w.start)[..., 0, :], w.move)
    quadratic = w.beta * xp.squared_norm(w.move) / 4
    left = f(w.start + w.move)[..., 0]
    return {"f(y)": left}, {"f(x)": f(w.start)[..., 0], "linear": linear, "q": quadratic}


# an identity off by one part in a thousand, exact where a step reaches the optimum
def _constant_identity(w: World) -> Any:
    step = (1 - w.step_size * curvature(w)) * (w.start - optimum(w))[..., 0]
    return {"E theta": last(w)[..., 0]}, {"opt": optimum(w)[..., 0], "step": step * 1001 / 1000}


# 27/4 x^2 (1 - x) reaches 1 inside the box, at x = 2/3 in every coordinate
def _constant_inside(w: World) -> Any:
    bump = xp.total(27 * w.x**2 * (1 - w.x) / 4)
    return {"bumps": bump}, {"N": w.x.shape[-1] * (1 * w.x[..., 0] ** 0) * 999 / 1000}


_in_unit: dict[str, Any] = {"x >= 0": lambda w: w.x, "x <= 1": lambda w: 1 - w.x}


# -- exponent ------------------------------------------------------------------------------------


# N^2 clients' worth of averaging for N of them
def _exponent_average(w: World) -> Any:
    x = server(w)[..., 0]
    bound = w.step_size**2 * xp.total(w.sigma**2) / w.sigma.shape[-1] ** 3
    return {"variance": (x - w.mean(x)) ** 2}, {"sum": bound}


# contraction (1 - eta mu)^3T for the squared distance
def _exponent_rate(w: World) -> Any:
    factor = (1 - w.step_size * w.mu) ** (3 * w.rounds)
    noise = w.rounds * (w.step_size * sigma(w)) ** 2
    return {"E gap^2": distance2(w, last(w))}, {
        "kept": factor * distance2(w, w.start),
        "noise": noise,
    }


# -- index ---------------------------------------------------------------------------------------


# theta^1 for theta^0 in the Polyak-Lojasiewicz inequality
def _index_round(w: World) -> Any:
    return {"excess": 2 * w.mu * excess(w, w.start)}, {"|grad|^2": slope2(w, last(w))}


# client 1 descends with the step size of client 0
def _index_client(w: World) -> Any:
    g, f = w.problem.gradients(w.start)[..., 1, :], w.problem.excess
    moved = w.start - g / w.problem.client_smoothness[..., :1]
    return {"f_1 after": f(moved)[..., 1]}, {"f_1 before": f(w.start)[..., 1]}


# one term of a geometric sum too many
def _index_sum(w: World) -> Any:
    return {"sum": sum(w.q**t for t in range(w.n + 1))}, {"closed": (1 - w.q**w.n) / (1 - w.q)}


_ratio: dict[str, Any] = {"q >= 0": lambda w: w.q, "q < 1": lambda w: 1 - w.q}


# -- sign ----------------------------------------------------------------------------------------


# 1 + eta beta/2 for 1 - eta beta/2 in the decrease of one step
def _sign_descent(w: World) -> Any:
    decrease = w.step_size * (1 + w.step_size * w.beta / 2) * slope2(w, w.start)
    noise = w.step_size**2 * w.beta * sigma(w) ** 2 / 2
    return {"f1": excess(w, last(w)), "decrease": decrease}, {
        "f0": excess(w, w.start),
        "noise": noise,
    }


# the cross term of a square is dropped
def _sign_square(w: World) -> Any:
    return {"|a+b|^2": xp.squared_norm(w.a + w.b)}, {
        "|a|^2": xp.squared_norm(w.a),
        "|b|^2": xp.squared_norm(w.b),
    }


# -- quantifier, and mean against path -----------------------------------------------------------


# some step size halves the loss, not every one
def _quantifier_step(w: World) -> Any:
    noise = w.step_size**2 * w.beta * sigma(w) ** 2 / 2
    return {"E f1": excess(w, last(w))}, {"f0/2": excess(w, w.start) / 2, "noise": noise}


# two local steps of half the length are not one step
def _quantifier_local(w: World) -> Any:
    twice = w.run("fedavg", local_steps=2, step_size=w.step_size / 2).server
    return {"two local": twice[:, :, -1]}, {"one step": server(w)}


# what holds in mean is claimed on every path
def _path_excess(w: World) -> Any:
    kept = (1 - w.step_size * curvature(w)) ** 2 * distance2(w, w.start)
    return {"gap^2": distance2(w, last(w))}, {"kept": kept, "noise": (w.step_size * sigma(w)) ** 2}


# a hypothesis on the mean is used on every path
def _path_hypothesis(w: World) -> Any:
    return {"level": w.level}, {"theta": last(w)[..., 0]}


_mean_above: dict[str, Any] = {"E theta >= level": lambda w: w.mean(last(w)[..., 0]) - w.level}


FORMULAS: tuple[Statement, ...] = (
    _false("constant.tenth", family=sgd(), sides=_constant_tenth, over="mean"),
    _false("constant.half", family=sgd(ONE, move=MOVES), sides=_constant_half),
    _false("constant.identity", family=sgd(), sides=_constant_identity, relation="==", over="mean"),
    _false(
        "constant.inside",
        family=numbers({"N": 4}, x=Real(0, 1, per=("N",))),
        sides=_constant_inside,
        given=assume(_in_unit),
    ),
    _false(
        "exponent.average",
        family=sgd(ONE, TWO_CLIENTS, method="fedavg"),
        sides=_exponent_average,
        over="mean",
    ),
    _false(
        "exponent.rate",
        family=sgd(ONE, TWO_ROUNDS),
        sides=_exponent_rate,
        over="mean",
        given=assume(_short_step),
    ),
    _false("index.round", family=sgd(), sides=_index_round, given=assume(_short_step), over="mean"),
    _false("index.client", family=sgd(TWO_CLIENTS, method="fedavg"), sides=_index_client),
    _false(
        "index.sum",
        family=numbers({"n": 1}, {"n": 3}, q=UNIT),
        sides=_index_sum,
        given=assume(_ratio, strict={"q < 1"}),
    ),
    _false(
        "sign.descent",
        family=sgd(),
        sides=_sign_descent,
        given=assume(_short_step),
        over="mean",
    ),
    _false(
        "sign.square",
        sides=_sign_square,
        family=numbers({"d": 2}, a=Real(-2, 2, per=("d",)), b=Real(-2, 2, per=("d",))),
    ),
    _false(
        "quantifier.step",
        family=sgd(),
        sides=_quantifier_step,
        given=assume(_short_step),
        over="mean",
    ),
    _false(
        "quantifier.local",
        family=sgd(TWO_CLIENTS, method="fedavg", law="none"),
        sides=_quantifier_local,
        relation="==",
    ),
    _false("path.excess", family=sgd(), sides=_path_excess, over="path"),
    _false(
        "path.hypothesis",
        family=sgd(level=Real(-2, 2, (0, 1))),
        sides=_path_hypothesis,
        given=assume(_mean_above),
        over="path",
    ),
)
