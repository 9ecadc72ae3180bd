"""Textbook truths about numbers and vectors, each tight at a known point."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import true_statement as _truth
from tests.qa.calibration.worlds import (
    ANY,
    POSITIVE,
    UNIT,
    numbers,
)
from tests.verify.cases import assume
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.world.world import World

# -- algebra -------------------------------------------------------------------------------------


# at parallel vectors
def _cauchy_schwarz(w: World) -> Any:
    return {"<a, b>^2": xp.dot(w.a, w.b) ** 2}, {
        "|a|^2 |b|^2": xp.squared_norm(w.a) * xp.squared_norm(w.b)
    }


# at b = s a
def _young(w: World) -> Any:
    return {"2ab": 2 * w.a * w.b}, {"s a^2": w.s * w.a**2, "b^2/s": w.b**2 / w.s}


# at x = y
def _am_gm(w: World) -> Any:
    return {"sqrt": xp.sqrt(w.x * w.y)}, {"mean": (w.x + w.y) / 2}


# at x = 0, and at x = -1 with n = 1
def _bernoulli(w: World) -> Any:
    return {"power": (1 + w.x) ** w.n}, {"line": 1 + w.n * w.x}


# everywhere (an identity in the number of clients)
def _weights(w: World) -> Any:
    whole = xp.total(1 / w.sigma2)
    return {"sum": xp.total(1 / w.sigma2 / whole[..., None])}, {"1": 1}


# at equal gradients of all clients
def _mean_gradient(w: World) -> Any:
    mean = xp.mean(w.g, axis=-2)
    return {"|mean|^2": xp.squared_norm(mean)}, {"mean of squares": xp.mean(xp.squared_norm(w.g))}


# at q = 0
def _geometric(w: World) -> Any:
    return {"sum": sum(w.q**t for t in range(w.n))}, {"1/(1-q)": 1 / (1 - w.q)}


# at x = 1
def _logarithm(w: World) -> Any:
    return {"log x": xp.log(w.x)}, {"x": w.x, "-1": -1}


# at x = 0
def _exponential(w: World) -> Any:
    return {"(1-x)^n": (1 - w.x) ** w.n}, {"exp": xp.exp(-w.n * w.x)}


# everywhere, written as <=: both sides round differently
def _product_tie(w: World) -> Any:
    return {"a^3-b^3": w.a**3 - w.b**3}, {"product": (w.a - w.b) * (w.a**2 + w.a * w.b + w.b**2)}


# at two clients everywhere, written as <=: largest minus mean equals the deviation
def _two_clients(w: World) -> Any:
    mean = xp.mean(w.x)
    return {"(max - mean)^2": (xp.largest(w.x) - mean) ** 2}, {
        "variance": xp.mean((w.x - mean[..., None]) ** 2)
    }


ALGEBRA: tuple[Statement, ...] = (
    _truth(
        "cauchy_schwarz",
        sides=_cauchy_schwarz,
        family=numbers({"d": 2}, {"d": 3}, a=Real(-2, 2, per=("d",)), b=Real(-2, 2, per=("d",))),
    ),
    _truth("young", family=numbers(a=ANY, b=ANY, s=POSITIVE), sides=_young),
    _truth("am_gm", family=numbers(x=POSITIVE, y=POSITIVE), sides=_am_gm),
    _truth(
        "bernoulli",
        family=numbers(*({"n": n} for n in (1, 2, 3, 5)), x=ANY),
        sides=_bernoulli,
        relation=">=",
        given=assume({"x >= -1": lambda w: 1 + w.x}),
    ),
    _truth(
        "weights",
        family=numbers({"N": 2}, {"N": 3}, sigma2=Real(1 / 8, 8, log=True, per=("N",))),
        sides=_weights,
        relation="==",
    ),
    _truth(
        "mean_gradient",
        sides=_mean_gradient,
        family=numbers({"N": 2, "d": 1}, {"N": 3, "d": 2}, g=Real(-2, 2, per=("N", "d"))),
    ),
    _truth(
        "geometric",
        family=numbers({"n": 1}, {"n": 4}, q=UNIT),
        sides=_geometric,
        given=assume({"q < 1": lambda w: 1 - w.q}, strict={"q < 1"}),
    ),
    _truth("logarithm", family=numbers(x=POSITIVE), sides=_logarithm),
    _truth("exponential", family=numbers({"n": 1}, {"n": 3}, x=UNIT), sides=_exponential),
    _truth("product_tie", family=numbers(a=ANY, b=ANY), sides=_product_tie),
    _truth("two_clients", family=numbers({"N": 2}, x=Real(-2, 2, per=("N",))), sides=_two_clients),
)
