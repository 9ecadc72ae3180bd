"""Runs of methods and probabilities: FedAvg and SGD on quadratics, every outcome enumerated."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import (
    DEFINES,
    ONE,
    POSITIVE,
    curvature,
    deviation,
    distance2,
    excess,
    last,
    plain,
    point,
    scale,
    server,
    sgd,
    sigma,
    slope2,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("method")

TWO = {"N": 2, "d": 1, "rounds": 1}
THREE = {"N": 3, "d": 1, "rounds": 1}
LATER = ({**ONE, "rounds": 1}, {**ONE, "rounds": 2}, {**ONE, "rounds": 4})
PLANE = {"N": 1, "d": 2, "rounds": 1}
NOISY = {"noise": scale}
LEVEL = Real(1 / 8, 8, log=True)


def _server_mean(w: World, one: bool) -> Any:
    g = w.problem.gradients(w.start)[..., 0]
    slope = g[..., 0] if one else xp.mean(g)
    return {"E server": server(w)[..., 0]}, {"step": w.start[..., 0] - w.step_size * slope}


def _weighted_server(w: World, equal: bool) -> Any:
    g = w.problem.gradients(w.start)[..., 0]
    p = 1 if equal else w.client_weights
    slope = xp.total(p * g) / xp.total(p + 0 * g)
    return {"server": server(w)[..., 0]}, {"step": w.start[..., 0] - w.step_size * slope}


def _variance_reduction(w: World, power: int) -> Any:
    x, clients = server(w)[..., 0], w.sigma.shape[-1]
    most = xp.largest(w.sigma**2)
    return {"variance": (x - w.mean(x)) ** 2}, {"s^2/N": w.step_size**2 * most / clients**power}


def _descent(w: World, k: int) -> Any:
    saved = k * w.step_size * slope2(w, w.start) / 100
    return {"f1": excess(w, server(w)), "saved": saved}, {"f0": excess(w, w.start)}


def _stationary(w: World, k: int) -> Any:
    lam = curvature(w)
    limit = w.step_size * scale(w) ** 2 / (lam * (k - w.step_size * lam))
    x = last(w)[..., 0]
    return {"variance": (x - w.mean(x)) ** 2}, {"limit": limit}


def _average_slope(w: World, k: int) -> Any:
    path = w.run().server
    g = xp.stack([slope2(w, path[:, :, t]) for t in range(w.rounds)], -1)
    bound = k * excess(w, w.start) / (100 * w.step_size * w.rounds)
    return {"mean |grad|^2": xp.mean(g)}, {"2 f0/(eta T)": bound}


def _regret(w: World, k: int) -> Any:
    path = w.run().theta
    f = xp.stack([excess(w, path[:, :, t]) for t in range(w.rounds)], -1)
    start = distance2(w, w.start) / (4 * w.step_size * w.rounds)
    return {"mean f": xp.mean(f)}, {
        "start": start,
        "slope": w.step_size * _mean_slope(w) / 4,
        "noise": k * w.step_size * sigma(w) ** 2 / 4,
    }


def _mean_slope(w: World) -> Any:
    path = w.run().theta
    return xp.mean(xp.stack([slope2(w, path[:, :, t]) for t in range(w.rounds)], -1))


def _two_chains(w: World, same: bool) -> Any:
    x = w.run().local_models[:, :, -1, :, 0]
    first, second = x[..., 0], x[..., 1]
    both = first * (first if same else second)
    return {"E xy": both}, {"E x E y": w.mean(first) * w.mean(second) + 0 * both}


def _drift(w: World, k: int) -> Any:
    models = w.run().local_models[:, :, -1, :, 0]
    spread = xp.mean((models - xp.mean(models)[..., None]) ** 2)
    g = w.problem.gradients(w.start)[..., 0]
    apart = xp.mean((g - xp.mean(g)[..., None]) ** 2)
    return {"spread": spread}, {"gradients": k * w.step_size**2 * apart / 100}


def _server_path(w: World, reverse: bool) -> Any:
    f = w.problem.losses
    before, after = xp.mean(f(w.start)), xp.mean(f(server(w)))
    return ({"f0": before}, {"f1": after}) if reverse else ({"f1": after}, {"f0": before})


def _chebyshev(w: World) -> Any:
    return {"|dev|": xp.absolute(deviation(w))}, {"t": w.reach * w.step_size * scale(w)}


def _cantelli(w: World) -> Any:
    return {"dev": -deviation(w)}, {"t": w.reach * w.step_size * scale(w)}


def _markov(w: World) -> Any:
    return {"x^2": last(w)[..., 0] ** 2}, {"level": w.level}


def _somebody(w: World) -> Any:
    x = w.run().local_models[:, :, -1, :, 0]
    far = xp.largest(xp.absolute(x - w.mean(x)))
    return {"largest |dev|": far}, {"t": w.reach * w.step_size * xp.largest(w.noise_scale)}


def _paley_zygmund(w: World, k: int) -> Any:
    x = last(w)[..., 0] ** 2
    reached = xp.indicator(xp.above(x, w.mean(x) / 2), x)
    return {"P": reached * w.mean(x**2)}, {"(E x)^2/4": w.mean(x) ** 2 / k}


def _median_of_three(w: World, k: int) -> Any:
    x = w.run().local_models[:, :, -1, :, 0]
    middle = xp.total(x) - xp.largest(x) - xp.smallest(x)
    far = xp.absolute(xp.mean(x) - middle) ** 2
    bound = xp.mean((x - xp.mean(x)[..., None]) ** 2)
    return {"(mean-median)^2": far}, {"variance": k * bound / 100}


def _proximal(w: World, k: int) -> Any:
    kept = w.pull / (w.pull + k * curvature(w) / 100)
    return {"gap^2": distance2(w, server(w))}, {"kept": kept**2 * distance2(w, w.start)}


def _proximal_mean(w: World, equal: bool) -> Any:
    lam, best = w.problem.client_smoothness, w.problem.optimum[..., 0]
    slope = lam * (w.start - best)
    share = xp.mean(slope) / (w.pull + xp.mean(lam))
    if not equal:
        share = xp.mean(slope / (w.pull[..., None] + lam))
    return {"server": server(w)[..., 0]}, {"step": w.start[..., 0] - share}


def _proximal_drift(w: World, k: int) -> Any:
    moved = xp.squared_norm(server(w) - w.start)
    return {"moved": w.pull * moved}, {"2 f0": k * excess(w, w.start) / 100}


def prox(*shapes: Any) -> Any:
    """FedProx with exact local solves, no noise."""
    made = tuple({**shape, "local": "argmin"} for shape in shapes)
    return sgd(*made, method="fedprox", law="none", pull=POSITIVE)


PULL = {**DEFINES, "mu": lambda w: w.pull}

METHODS: tuple[Pair, ...] = (
    pair(
        "server_mean",
        _server_mean,
        sgd(TWO, THREE, method="fedavg"),
        slip=(False, True),
        relation="==",
        over="mean",
        proof="The noise has mean zero, and the server averages.",
        at=point(2, optimum=[[0], [1]]),
        gives=("1/2", "0"),
    ),
    pair(
        "weighted_server",
        _weighted_server,
        plain(TWO, THREE, client_weights=Real(1 / 8, 8, log=True, per=("N",))),
        slip=(False, True),
        relation="==",
        proof="The server weights by the sizes p_k.",
        at=point(2, optimum=[[0], [1]], client_weights=[1, 2]),
        gives=("2/3", "1/2"),
    ),
    pair(
        "variance_reduction",
        _variance_reduction,
        sgd(ONE, TWO, THREE, method="fedavg"),
        slip=(1, 2),
        over="mean",
        proof="N independent noises, each at most the largest.",
        at=point(2),
        shape=TWO,
        gives=("1/2", "1/4"),
    ),
    pair(
        "descent",
        _descent,
        plain(PLANE, ONE),
        slip=(50, 51),
        proof="f1 <= f0 - eta (1 - eta beta/2) |g|^2 and eta beta <= 1.",
        at=point(1, 2),
        gives=("51/50", "1"),
    ),
    pair(
        "stationary",
        _stationary,
        sgd(*LATER),
        slip=(2, 3),
        over="mean",
        proof="The sum of eta^2 s^2 (1 - eta lambda)^(2t) over all t is the limit.",
        at=point(),
        gives=("1", "1/2"),
    ),
    pair(
        "average_slope",
        _average_slope,
        plain(*LATER),
        slip=(200, 196),
        proof="Add up f_(t+1) <= f_t - eta |g_t|^2/2.",
        at=point(),
        gives=("1", "49/50"),
    ),
    pair(
        "regret",
        _regret,
        sgd(*LATER),
        slip=(1, 0),
        over="mean",
        proof="E gap'^2 = gap^2 - 2 eta <g, gap> + eta^2 |g|^2 + eta^2 s^2, and <g, gap> = 2f.",
        at=point(start=[0], step_share="1/2"),
        shape=LATER[2],
        gives=("57/512", "57/2048"),
    ),
    pair(
        "independent",
        _two_chains,
        sgd(TWO, method="fedavg"),
        slip=(False, True),
        relation="==",
        over="mean",
        proof="The clients draw independently.",
        at=point(2),
        gives=("1", "0"),
    ),
    pair(
        "drift",
        _drift,
        plain(TWO, THREE),
        slip=(100, 97),
        relation="==",
        proof="After one step the models differ by eta times the gradients.",
        at=point(2, optimum=[[0], [1]]),
        gives=("1/4", "97/400"),
    ),
    pair(
        "decrease",
        _server_path,
        plain(TWO, THREE),
        slip=(False, True),
        proof="The mean is smooth with the mean curvature, at most beta.",
        at=point(2),
        gives=("1/2", "0"),
    ),
    pair(
        "chebyshev",
        _chebyshev,
        sgd(reach=POSITIVE),
        over="prob",
        given=NOISY,
        strict={"noise"},
        delta=lambda w: 1 / w.reach**2,
        false={"delta": lambda w: 1 / (1 + w.reach**2)},
        proof="Chebyshev.",
        at=point(reach="4/5"),
        gives=("1", "25/41"),
    ),
    pair(
        "cantelli",
        _cantelli,
        sgd(reach=POSITIVE),
        over="prob",
        given=NOISY,
        strict={"noise"},
        delta=lambda w: 1 / (1 + w.reach**2),
        false={"delta": lambda w: 100 / (102 + 102 * w.reach**2)},
        proof="Cantelli; nearly attained as m comes down to the reach.",
        at=point(reach=1, skew=["101/100"]),
        gives=("10000/20201", "25/51"),
    ),
    pair(
        "markov",
        _markov,
        sgd(level=LEVEL),
        over="prob",
        delta=lambda w: w.mean(last(w)[..., 0] ** 2) / w.level,
        false={"delta": lambda w: 9 * w.mean(last(w)[..., 0] ** 2) / (10 * w.level)},
        proof="level 1{x^2 > level} <= x^2.",
        at=point(level="19/20", start=[0]),
        gives=("1", "18/19"),
    ),
    pair(
        "union",
        _somebody,
        sgd(TWO, THREE, method="fedavg", reach=POSITIVE),
        over="prob",
        given={"noise": lambda w: w.noise_scale},
        strict={"noise"},
        delta=lambda w: w.sigma.shape[-1] / w.reach**2,
        false={"delta": lambda w: 1 / w.reach**2},
        proof="Chebyshev for each client, and the union bound.",
        at=point(2, reach=2, skew=["21/10", "21/10"]),
        gives=("98200/292681", "1/4"),
    ),
    pair(
        "paley_zygmund",
        _paley_zygmund,
        sgd(),
        slip=(4, 1),
        over="mean",
        relation=">=",
        proof="E x <= E x/2 + sqrt(E x^2 P) for x = theta^2.",
        at=point(skew=[3], start=[0]),
        gives=("73/90", "1"),
    ),
    pair(
        "proximal",
        _proximal,
        prox(ONE),
        slip=(100, 102),
        relation="==",
        defines=PULL,
        proof="The proximal point solves pull (x - z) + lambda (x - x*) = 0.",
        at=point(pull=1),
        gives=("1/4", "2500/10201"),
    ),
    pair(
        "proximal_mean",
        _proximal_mean,
        prox(TWO, THREE),
        slip=(False, True),
        relation="==",
        defines=PULL,
        proof="Each client solves on its own, the server averages.",
        at=point(2, curvature=[[1], [2]], pull=1),
        gives=("5/12", "2/5"),
    ),
    # the largest share is 1/4, where the curvature is the pull
    pair(
        "proximal_drift",
        _proximal_drift,
        prox(ONE, PLANE),
        slip=(50, 49),
        defines=PULL,
        proof="Along an axis pull lambda/(pull + lambda)^2 is at most 1/4.",
        at=point(pull=1),
        gives=("1/4", "49/200"),
    ),
    pair(
        "median_of_three",
        _median_of_three,
        sgd(THREE, method="fedavg"),
        slip=(50, 49),
        over="path",
        proof="Seen from the median, -a, 0, b give (b-a)^2 <= a^2 + b^2; attained at "
        "two equal numbers.",
        at=point(3, skew=[2, 2, 2]),
        gives=("25/36", "49/72"),
    ),
)
