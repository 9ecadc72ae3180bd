"""Planted falsehoods: each is one slip away from a truth, and the ladder must find it.

The kind of slip is the first part of the key.  Restrictions are hypotheses, as everywhere: the box
only says where to look.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from bounds import generic as xp
from tests.calibration.worlds import (
    ANY,
    DEFINES,
    ONE,
    PLANTED,
    POSITIVE,
    UNIT,
    curvature,
    deviation,
    distance2,
    excess,
    gaussian_run,
    last,
    numbers,
    optimum,
    scale,
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


def _false(name: str, **fields: Any) -> Statement:
    fields.setdefault("latex", "")
    fields.setdefault("defines", DEFINES)
    return Statement(key=f"false.{name}", source=PLANTED, **fields)


_short_step: dict[str, Any] = {"step <= 1/beta": lambda w: 1 - w.step_share}


_noisy: dict[str, Any] = {"noise": scale}


NOISY = frozenset({"noise"})

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
        "kept": factor * distance2(w, w.start), "noise": noise,
    }  # fmt: skip


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
        "f0": excess(w, w.start), "noise": noise,
    }  # fmt: skip


# the cross term of a square is dropped
def _sign_square(w: World) -> Any:
    return {"|a+b|^2": xp.squared_norm(w.a + w.b)}, {
        "|a|^2": xp.squared_norm(w.a), "|b|^2": xp.squared_norm(w.b),
    }  # fmt: skip


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


# -- probability ---------------------------------------------------------------------------------


# Hoeffding without sqrt(log(1/delta))
def _logarithm_hoeffding(w: World) -> Any:
    width = w.step_size * scale(w) * (w.skew[..., 0] + 1 / w.skew[..., 0])
    return {"deviation": deviation(w)}, {"t": width / xp.sqrt(1 + 0 * w.level) / 2}


_some_level: dict[str, Any] = {
    "noise": scale, "level": lambda w: w.level, "level < 1": lambda w: 1 - w.level,
}  # fmt: skip


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
        "f0": excess(w, w.start), "noise": noise,
    }  # fmt: skip


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
def _clients_rounds(w: World) -> Any:
    factor = (1 - w.step_size * curvature(w)) ** 2
    kept = factor**w.rounds * distance2(w, w.start)
    return {"E gap^2": distance2(w, last(w))}, {
        "kept": kept, "noise": (w.step_size * sigma(w)) ** 2,
    }  # fmt: skip


# -- corner --------------------------------------------------------------------------------------


# the fourth moment of the noise is skew^2 - 1 + skew^-2: above 62 only next to skew = 8
def _corner_moment(w: World) -> Any:
    return {"E deviation^4": deviation(w) ** 4}, {"bound": 62 * (w.step_size * sigma(w)) ** 4}


_tame: dict[str, Any] = {
    "skew <= 8": lambda w: 8 - w.skew[..., 0], "skew >= 1/8": lambda w: 8 - 1 / w.skew[..., 0],
}  # fmt: skip


# the upper value of the noise is bounded by 31/4 of its deviation: false only above skew 31/4, and
# below it a tie that rounding decides wherever the skewness is the bound
def _corner_tail(w: World) -> Any:
    m = w.skew[..., 0]
    top = xp.minimum(m, xp.divide(31, 4) + 0 * m)
    return {"deviation": -deviation(w)}, {"t": w.step_size * scale(w) * top}


_tame_level: dict[str, Any] = {**_tame, "level > 0": lambda w: w.level}


# -- empty hypotheses ----------------------------------------------------------------------------


# no step size is above 3/beta and below 1/beta
def _empty_step(w: World) -> Any:
    f1 = w.beta * ((1 - w.eta * w.beta) * w.x) ** 2 / 2
    return {"f1": f1}, {"f0/100": w.beta * w.x**2 / 200}


_impossible_step: dict[str, Any] = {
    "eta >= 3/beta": lambda w: w.eta - 3 / w.beta, "eta <= 1/beta": lambda w: 1 / w.beta - w.eta,
}  # fmt: skip


# weights that sum to one cannot all stay below 1/(N + 1)
def _empty_weights(w: World) -> Any:
    return {"sum of squares": xp.total(w.alpha**2)}, {"half": w.half}


_small_weights: dict[str, Any] = {
    "alpha <= mean/2": lambda w: (xp.mean(w.alpha) / 2)[..., None] - w.alpha,
    "sum": lambda w: xp.total(w.alpha) - 1,
}


def _contradiction(w: World) -> Any:
    return {"1": 1}, {"0": 0}


def _empty(statement: Statement, **fields: Any) -> Statement:
    """The record that the hypotheses of a statement contradict each other."""
    return _false(
        f"{statement.key.removeprefix('false.')}.empty", form="empty", empties=statement.key,
        family=statement.family, given=statement.given,
        sides=_contradiction, defines={},
        lift=lambda w: {name: w.symbol(name) for name in statement.family.box}, **fields,
    )  # fmt: skip


MOVES = Real(-2, 2, (0, 1), per=("d",))
WEAK = Real(1 / 64, 1 / 2, (1, -1), log=True)

FALSEHOODS: tuple[Statement, ...] = (
    _false("constant.tenth", family=sgd(), sides=_constant_tenth, over="mean"),
    _false("constant.half", family=sgd(ONE, move=MOVES), sides=_constant_half),
    _false(
        "constant.identity", family=sgd(), sides=_constant_identity, relation="==", over="mean"
    ),
    _false(
        "constant.inside", family=numbers({"N": 4}, x=Real(0, 1, per=("N",))),
        sides=_constant_inside, given=assume(_in_unit),
    ),
    _false(
        "exponent.average", family=sgd(ONE, TWO_CLIENTS, method="fedavg"),
        sides=_exponent_average, over="mean",
    ),
    _false(
        "exponent.rate", family=sgd(ONE, TWO_ROUNDS), sides=_exponent_rate, over="mean",
        given=assume(_short_step),
    ),
    _false("index.round", family=sgd(), sides=_index_round, given=assume(_short_step), over="mean"),
    _false("index.client", family=sgd(TWO_CLIENTS, method="fedavg"), sides=_index_client),
    _false(
        "index.sum", family=numbers({"n": 1}, {"n": 3}, q=UNIT), sides=_index_sum,
        given=assume(_ratio, strict={"q < 1"}),
    ),
    _false(
        "sign.descent", family=sgd(), sides=_sign_descent, given=assume(_short_step), over="mean",
    ),
    _false(
        "sign.square", sides=_sign_square,
        family=numbers({"d": 2}, a=Real(-2, 2, per=("d",)), b=Real(-2, 2, per=("d",))),
    ),
    _false(
        "quantifier.step", family=sgd(), sides=_quantifier_step, given=assume(_short_step),
        over="mean",
    ),
    _false(
        "quantifier.local", family=sgd(TWO_CLIENTS, method="fedavg", law="none"),
        sides=_quantifier_local, relation="==",
    ),
    _false("path.excess", family=sgd(), sides=_path_excess, over="path"),
    _false(
        "path.hypothesis", family=sgd(level=Real(-2, 2, (0, 1))), sides=_path_hypothesis,
        given=assume(_mean_above), over="path",
    ),
    _false(
        "logarithm.hoeffding", family=sgd(level=Real(1 / 100, 1)), sides=_logarithm_hoeffding,
        given=assume(_some_level, strict={"noise", "level"}), over="prob",
        delta=lambda w: w.level,
    ),
    _false(
        "level.half", family=sgd(level=Real(1 / 100, 1)), sides=_level_half,
        given=assume(_some_level, strict={"noise", "level"}), over="prob",
        delta=lambda w: w.level / 2,
    ),
    _false(
        "level.sides", family=sgd(reach=POSITIVE), sides=_level_sides,
        given=assume(_noisy, strict=NOISY), over="prob", delta=lambda w: 1 / (1 + w.reach**2),
    ),
    _false(
        "units.sigma", sides=_units_sigma, over="mean", family=sgd(spread=WEAK),
        given=assume({"spread": lambda w: w.spread - sigma(w)}),
    ),
    _false(
        "units.bias", sides=_units_bias,
        family=numbers(x=Real(-2, 2, (0, 1)), b=Real(1 / 64, 1 / 2, (0, 1), log=True)),
    ),
    _false(
        "units.logarithm", sides=_units_logarithm, given=assume(_long_enough), defines={},
        family=numbers(
            beta=Real(1 / 8, 3 / 2, (1, -2), log=True), far=Real(1, 2, (0, 1), log=True),
            epsilon=Real(1 / 8, 1, (1, 0), log=True), time=Real(0, 4),
        ),
    ),
    _false(
        "step.too_long", family=sgd(step_share=Real(1 / 20, 2)), sides=_step_too_long,
        given=assume(_double_step), over="mean",
    ),
    _false(
        "edge.threshold", sides=_edge,
        family=numbers(r=UNIT, threshold=Real(1 / 7, 3 / 4, domain=(0, 1))),
    ),
    _false(
        "edge.argmax", family=numbers({"N": 3}, r=Real(0, 1, per=("N",))), sides=_edge_argmax,
    ),
    _false(
        "clients.sum", sides=_clients_sum,
        family=numbers({"N": 2, "d": 2}, g=Real(-2, 2, per=("N", "d"))),
    ),
    _false(
        "clients.three", sides=_clients_three,
        family=numbers({"N": 2}, {"N": 3}, x=Real(-2, 2, per=("N",))),
    ),
    _false("clients.rounds", family=sgd(ONE, TWO_ROUNDS), sides=_clients_rounds, over="mean"),
    _false("corner.moment", family=sgd(), sides=_corner_moment, over="mean", given=assume(_tame)),
    _false(
        "corner.tail", family=sgd(level=Real(1 / 1000, 1 / 100)), sides=_corner_tail,
        over="prob", delta=lambda w: w.level, given=assume(_tame_level, strict={"level > 0"}),
    ),
    _false(
        "empty.step", sides=_empty_step, given=assume(_impossible_step), defines={},
        family=numbers(
            beta=Real(1 / 8, 8, (1, -2), log=True), eta=Real(1 / 8, 8, (-1, 2), log=True),
            x=Real(-2, 2, (0, 1)),
        ),
    ),
    _false(
        "empty.weights", sides=_empty_weights, given=assume(_small_weights), defines={},
        family=numbers({"N": 2}, {"N": 3}, alpha=Real(0, 1, per=("N",), domain=(0, 1)), half=UNIT),
    ),
)

SIMULATED: tuple[Statement, ...] = (
    # the noise of earlier rounds is forgotten: true for the one round that is searched
    _false(
        "rounds.simulated", family=sgd(), sides=_clients_rounds, over="mean",
        simulate=(partial(gaussian_run, 20, 1.0),),
    ),
)
"""Falsehoods that only samples can tell."""

EMPTY: tuple[Statement, ...] = tuple(_empty(s) for s in FALSEHOODS if ".empty." in s.key)
"""Proofs that hypotheses are empty, one for each falsehood of that kind."""

CONTROLS: tuple[Statement, ...] = (
    # no real number does; the claim of existence must not be proved
    _false(
        "some.number", family=numbers(x=ANY), sides=lambda w: ({"x^2 + 1": w.x**2 + 1}, {"x": w.x}),
        quantifier="some", defines={},
    ),
)
"""False claims of existence: without a witness they stay inconclusive."""
