"""Textbook truths, each tight at a known point: the ladder must accuse none of them.

The comment above an entry says where both sides meet.  Some are equalities written as ``<=`` over
a whole family, where float rounding exceeds the bound by an ulp nearly everywhere.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import true_statement as _truth
from tests.qa.calibration.textbook.truths_algebra import ALGEBRA
from tests.qa.calibration.worlds import (
    ONE,
    POSITIVE,
    curvature,
    deviation,
    distance2,
    excess,
    gaussian_run,
    last,
    optimum,
    scale,
    server,
    sgd,
    sigma,
    skew,
    slope2,
)
from tests.verify.cases import assume
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.world.world import World

TWO_ROUNDS = {**ONE, "rounds": 2}
PLANE = {"N": 1, "d": 2, "rounds": 1}


# -- stochastic gradient descent ---------------------------------------------------------------


# everywhere (an identity of means)
def _mean_step(w: World) -> Any:
    step = (1 - w.step_size * curvature(w)) * (w.start - optimum(w))[..., 0]
    return {"E theta": last(w)[..., 0]}, {"opt": optimum(w)[..., 0], "step": step}


# everywhere (an identity of means), for every skewness of the noise
def _second_moment(w: World) -> Any:
    kept = (1 - w.step_size * curvature(w)) ** 2 * distance2(w, w.start)
    noise = (w.step_size * scale(w)) ** 2
    return {"E gap^2": distance2(w, last(w))}, {"kept": kept, "noise": noise}


# wherever the actual noise reaches its bound; written as <= although it is an equality there
def _horizon(w: World) -> Any:
    factor = (1 - w.step_size * curvature(w)) ** 2
    noise = sum(factor**t for t in range(w.rounds)) * (w.step_size * sigma(w)) ** 2
    kept = factor**w.rounds * distance2(w, w.start)
    return {"E gap^2": distance2(w, last(w))}, {"kept": kept, "noise": noise}


# at start = optimum with full noise along the steepest axis
def _pl_step(w: World) -> Any:
    kept = (1 - w.step_size * w.mu) * excess(w, w.start)
    noise = w.step_size**2 * w.beta * sigma(w) ** 2 / 2
    return {"E excess": excess(w, last(w))}, {"kept": kept, "noise": noise}


# at step_share = 1 without noise: one step reaches the optimum
def _average_iterate(w: World) -> Any:
    path = w.run().theta
    total = sum(excess(w, path[:, :, t]) for t in range(w.rounds))
    start = distance2(w, w.start) / (2 * w.step_size * w.rounds)
    return {"average": total / w.rounds}, {"start": start, "noise": w.step_size * sigma(w) ** 2 / 2}


# everywhere: without noise one step multiplies the gap by 1 - eta beta (written as <=)
def _contraction_tie(w: World) -> Any:
    factor = (1 - w.step_size * w.beta) ** 2
    return {"f1": excess(w, last(w))}, {"f0": factor * excess(w, w.start)}


NOISY = assume({"noise": scale}, strict={"noise"})
_no_noise: dict[str, Any] = {"no noise": lambda w: -scale(w)}


# everywhere: the larger noise value is reached on one path (written as <=, rounding on all)
def _path_edge(w: World) -> Any:
    top = xp.maximum(skew(w), 1 / skew(w))
    return {"|deviation|": xp.absolute(deviation(w))}, {"eta s m": w.step_size * scale(w) * top}


# everywhere, with probability one: an ulp of rounding would make the probability positive. The
# probability is zero on every instance, so that no mutant of the level can be killed
def _almost_surely(w: World) -> Any:
    return {"deviation": -deviation(w)}, {"eta s m": w.step_size * scale(w) * skew(w)}


# -- smooth and strongly convex functions --------------------------------------------------------


# at a displacement along the steepest axis
def _descent_lemma(w: World) -> Any:
    f = w.problem.excess
    y = w.start + w.move
    linear = xp.dot(w.problem.gradients(w.start)[..., 0, :], w.move)
    quadratic = w.beta * xp.squared_norm(w.move) / 2
    return {"f(y)": f(y)[..., 0]}, {"f(x)": f(w.start)[..., 0], "linear": linear, "q": quadratic}


# at a displacement along the steepest axis
def _cocoercive(w: World) -> Any:
    g = w.problem.gradients
    change = (g(w.start + w.move) - g(w.start))[..., 0, :]
    return {"|change|^2": xp.squared_norm(change)}, {"beta <>": w.beta * xp.dot(change, w.move)}


# at a start whose gap lies along the flattest axis
def _growth(w: World) -> Any:
    return {"growth": w.mu * distance2(w, w.start) / 2}, {"excess": excess(w, w.start)}


# at a start whose gap lies along the flattest axis; relation >=
def _pl_inequality(w: World) -> Any:
    return {"|grad|^2": slope2(w, w.start)}, {"2 mu excess": 2 * w.mu * excess(w, w.start)}


# -- probability ---------------------------------------------------------------------------------


# with full noise of every client
def _averaged_variance(w: World) -> Any:
    x = server(w)[..., 0]
    clients = w.sigma.shape[-1]
    bound = w.step_size**2 * xp.total(w.sigma**2) / clients**2
    return {"variance": (x - w.mean(x)) ** 2}, {"sum": bound}


# without noise
def _jensen(w: World) -> Any:
    x = last(w)[..., 0]
    return {"(E x)^2": w.mean(x) ** 2}, {"E x^2": x**2}


# at a two-point law on {0, level}
def _markov(w: World) -> Any:
    x = last(w)[..., 0] ** 2
    return {"P": w.level * xp.indicator(xp.at_least(x, w.level), x)}, {"E x": x}


# at a two-point law whose upper value is the threshold
def _cantelli(w: World) -> Any:
    spread = w.step_size * scale(w)
    return {"deviation": deviation(w)}, {"t": w.reach * spread}


# as the level goes to one with a law that is nearly always above its mean (0.82 at a fair sign)
def _hoeffding(w: World) -> Any:
    width = w.step_size * scale(w) * (skew(w) + 1 / skew(w))
    return {"deviation": deviation(w)}, {"t": width * xp.sqrt(xp.log(1 / w.level) / 2)}


# as the exponent goes to zero
def _hoeffding_lemma(w: World) -> Any:
    width = skew(w) + 1 / skew(w)
    share = deviation(w) / w.step_size / scale(w)
    return {"E exp": xp.exp(w.s * share)}, {"bound": xp.exp((w.s * width) ** 2 / 8)}


# everywhere (an identity)
def _bias_variance(w: World) -> Any:
    x = last(w)[..., 0]
    bias = (w.mean(x) - w.point) ** 2
    return {"E (x-c)^2": (x - w.point) ** 2}, {"var": (x - w.mean(x)) ** 2, "bias": bias}


# everywhere (an identity): variance of the conditional mean plus mean of the conditional variance
def _total_variance(w: World) -> Any:
    path = w.run().theta[..., 0]
    first, second = path[:, :, 1], path[:, :, 2]
    conditional = first - w.step_size * curvature(w) * (first - optimum(w)[..., 0])
    return {"var": (second - w.mean(second)) ** 2}, {
        "of means": (conditional - w.mean(conditional)) ** 2,
        "of variances": (w.step_size * scale(w)) ** 2 + 0 * first,
    }


# -- methods -------------------------------------------------------------------------------------


# everywhere (an identity of all iterates on every path)
def _fedavg_is_sgd(w: World) -> Any:
    clients = w.sigma.shape[-1]
    uniform = xp.ones_like(w.xi[..., 0])[..., None, :] / clients
    uniform = uniform + 0 * w.xi  # one row per client who asks (d = 1)
    other = w.run("all_for_one", weights="fixed", weight_matrix=uniform)
    return {"fedavg": w.run("fedavg", local_steps=1).server}, {"all for one": other.theta}


# at curvature * step = 2: the step is longer than 1/beta but the loss does not fall
def _long_step(w: World) -> Any:
    return {"f1": excess(w, last(w))}, {"f0": excess(w, w.start)}


_moving: dict[str, Any] = {"away": lambda w: excess(w, w.start) - 1}


SIMULATED: tuple[Statement, ...] = (
    # the mean is the bound on the simulated run as well: a fixed start, all noise at its bound
    _truth(
        "sgd.simulated",
        family=sgd(),
        sides=_horizon,
        over="mean",
        simulate=tuple(partial(gaussian_run, 20, s) for s in (0.5, 1.0, 2.0)),
    ),
)
"""Truths with runs that only samples can judge."""

TRUTHS: tuple[Statement, ...] = (
    _truth("sgd.mean_step", family=sgd(), sides=_mean_step, relation="==", over="mean"),
    _truth("sgd.second_moment", family=sgd(), sides=_second_moment, relation="==", over="mean"),
    _truth(
        "sgd.horizon",
        family=sgd(ONE, TWO_ROUNDS, {**ONE, "rounds": 3}),
        sides=_horizon,
        over="mean",
    ),
    _truth("sgd.pl_step", family=sgd(ONE, PLANE), sides=_pl_step, over="mean"),
    _truth("sgd.average_iterate", family=sgd(ONE, TWO_ROUNDS), sides=_average_iterate, over="mean"),
    _truth("sgd.contraction_tie", family=sgd(), sides=_contraction_tie, given=assume(_no_noise)),
    _truth("sgd.path_edge", family=sgd(), sides=_path_edge, over="path"),
    _truth(
        "sgd.almost_surely",
        family=sgd(level=Real(1 / 100, 1 / 2)),
        sides=_almost_surely,
        over="prob",
        delta=lambda w: w.level,
    ),
    _truth(
        "sgd.descent_lemma",
        family=sgd(ONE, PLANE, move=Real(-2, 2, (0, 1), per=("d",))),
        sides=_descent_lemma,
    ),
    _truth(
        "sgd.cocoercive",
        family=sgd(ONE, PLANE, move=Real(-2, 2, (0, 1), per=("d",))),
        sides=_cocoercive,
    ),
    _truth("sgd.growth", family=sgd(ONE, PLANE), sides=_growth),
    _truth("sgd.pl_inequality", family=sgd(ONE, PLANE), sides=_pl_inequality, relation=">="),
    _truth(
        "fed.averaged_variance",
        family=sgd(ONE, {**ONE, "N": 2}, {**ONE, "N": 3}, method="fedavg"),
        sides=_averaged_variance,
        over="mean",
    ),
    _truth("sgd.jensen", family=sgd(), sides=_jensen, over="mean"),
    _truth("sgd.markov", family=sgd(level=POSITIVE), sides=_markov, over="mean"),
    _truth(
        "sgd.cantelli",
        family=sgd(reach=Real(1 / 8, 8, log=True)),
        sides=_cantelli,
        over="prob",
        delta=lambda w: 1 / (1 + w.reach**2),
        given=NOISY,
    ),
    _truth(
        "sgd.hoeffding",
        family=sgd(level=Real(1 / 100, 1)),
        sides=_hoeffding,
        over="prob",
        delta=lambda w: w.level,
        given=NOISY,
    ),
    _truth(
        "sgd.hoeffding_lemma",
        family=sgd(s=Real(1 / 100, 4, log=True)),
        sides=_hoeffding_lemma,
        over="mean",
        given=NOISY,
    ),
    _truth(
        "sgd.bias_variance",
        family=sgd(point=Real(-2, 2, (0, 1))),
        sides=_bias_variance,
        relation="==",
        over="mean",
    ),
    _truth(
        "sgd.total_variance",
        family=sgd(TWO_ROUNDS),
        sides=_total_variance,
        relation="==",
        over="mean",
    ),
    *ALGEBRA,
    _truth(
        "fedavg_is_sgd",
        family=sgd({**ONE, "N": 2}, {**TWO_ROUNDS, "N": 2}, {**ONE, "N": 3}),
        sides=_fedavg_is_sgd,
        relation="==",
        over="path",
    ),
    _truth(
        "sgd.long_step",
        family=sgd(),
        sides=_long_step,
        given=assume(_moving),
        relation=">=",
        quantifier="some",
        defines={"step_size": lambda w: 2 * w.step_share / w.beta},
    ),
)
