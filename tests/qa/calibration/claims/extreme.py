"""False only at condition numbers above a thousand, or at extreme ratios of two parameters."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import (
    DEFINES,
    POSITIVE,
    distance2,
    last,
    numbers,
    plain,
    point,
    server,
    sgd,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("extreme")

WIDE = Real(1 / 100, 100, log=True)
LARGE = Real(1, 10_000, log=True)
SMALL = Real(1 / 10_000, 1, log=True)
CURVED = Real(1 / 64, 64, log=True, per=("d",))
VECTOR = Real(-2, 2, per=("d",))
SHARES = Real(1 / 100, 100, log=True, per=("N",))
PLANE = {"N": 1, "d": 2, "rounds": 1}


# more than 1024 steps are needed where mu/beta is below 1/1478
def _rate(w: World, true: bool) -> Any:
    bound = 1 / (1 + w.n * w.mu / w.L) if true else xp.divide(1, 2) + 0 * w.mu
    return {"(1-mu/L)^n": w.c * (1 - w.mu / w.L) ** w.n}, {"bound": w.c * bound}


def _parallel(w: World, k: int) -> Any:
    return {"1/(1/a+1/b)": 1 / (1 / w.a + 1 / w.b)}, {"min": k * xp.minimum(w.a, w.b) / 1000}


def _root_step(w: World, true: bool) -> Any:
    step = xp.sqrt(w.x + 1) - xp.sqrt(w.x)
    return {"step": w.c * step}, {
        "bound": w.c / (2 * xp.sqrt(w.x + 1)) if true else w.c / 100 + 0 * w.x
    }


def _forms(w: World) -> tuple[Any, Any, Any]:
    norm, direct = xp.squared_norm(w.x), xp.total(w.lam * w.x**2)
    return norm, direct, xp.total(w.x**2 / w.lam)


def _condition(w: World) -> Any:
    return xp.largest(w.lam) / xp.smallest(w.lam)


def _kantorovich(w: World, k: int) -> Any:
    norm, direct, inverse = _forms(w)
    kappa = _condition(w)
    factor = k if k else (kappa + 1) ** 2 / (4 * kappa)
    return {"product": direct * inverse}, {"|x|^4": factor * norm**2}


# exact line search from the point whose gradient is x
def _line_search(w: World, k: int) -> Any:
    norm, direct, inverse = _forms(w)
    kappa = _condition(w)
    factor = xp.divide(k, 1000) if k else ((kappa - 1) / (kappa + 1)) ** 2
    return {"f1": inverse * direct - norm**2}, {"f0": factor * inverse * direct}


def _log_ratio(w: World, k: int) -> Any:
    ratio = w.x / w.y
    return {"log x/y": w.c * xp.log(ratio)}, {"bound": w.c * (k or ratio - 1)}


def _softmax(w: World, k: int) -> Any:
    return {"share": w.c * w.a / (w.a + w.b)}, {"most": k * w.c / 1000}


def _heaviest(w: World, k: int) -> Any:
    return {"max": xp.largest(w.x)}, {"sum": k * xp.total(w.x) / 1000}


def _contraction(w: World, k: int) -> Any:
    factor = xp.divide(k, 1000) if k else 1 - w.mu / w.beta
    return {"gap^2": distance2(w, server(w))}, {"start": factor**2 * distance2(w, w.start)}


def _difference(w: World, k: int) -> Any:
    apart = w.a - w.b if k == 0 else w.a / k
    return {"|a-b|": xp.absolute(w.a - w.b)}, {"a-b": apart + 0 * w.b}


def _signal(w: World, k: int) -> Any:
    x = last(w)[..., 0]
    noise = w.step_size**2 * w.noise_scale[..., 0] ** 2
    square = w.mean(x) ** 2
    return {"E x^2": x**2}, {"mean": k * square if k else square + noise}


def _means(w: World, k: int) -> Any:
    kappa = xp.largest(w.x) / xp.smallest(w.x)
    factor = k if k else (kappa + 1) ** 2 / (4 * kappa)
    return {"means": xp.mean(w.x) * xp.mean(1 / w.x)}, {"factor": factor + 0 * kappa}


def _long_memory(w: World, k: int) -> Any:
    q = 1 - 1 / w.x
    return {"sum": sum(w.c * q**t for t in range(w.n))}, {"bound": w.c * (k or w.x)}


def _step_for_both(w: World, k: int) -> Any:
    moved, whole = xp.absolute(w.lam[..., 0] - w.lam[..., 1]), xp.total(w.lam)
    most = k * whole / 1000 if k else whole - 2 * xp.smallest(w.lam)
    return {"|l0-l1|": moved}, {"sum": most}


EXTREME: tuple[Pair, ...] = (
    pair(
        "rate",
        _rate,
        numbers({"n": 1024}, mu=SMALL, L=Real(1 / 8, 8, log=True), c=POSITIVE),
        slip=(True, False),
        given={"mu <= L": lambda w: w.L - w.mu},
        proof="(1-x)^n (1+nx) <= (1-x)^n (1+x)^n <= 1.",
        at={"mu": "1/2000", "L": 1, "c": 1},
        gives=("0.5992191", "1/2"),
    ),
    pair(
        "parallel",
        _parallel,
        numbers(a=WIDE, b=WIDE),
        slip=(1000, 999),
        proof="A term less in the denominator.",
        at={"a": "1/40", "b": 50},
        gives=("50/2001", "999/40000"),
    ),
    pair(
        "root_step",
        _root_step,
        numbers(x=LARGE, c=POSITIVE),
        slip=(True, False),
        relation=">=",
        proof="The step is 1/(sqrt(x+1) + sqrt x).",
        at={"x": 2600, "c": 1},
        gives=("0.009804864", "1/100"),
    ),
    pair(
        "kantorovich",
        _kantorovich,
        numbers({"d": 2}, x=VECTOR, lam=CURVED),
        slip=(0, 250),
        proof="Kantorovich's inequality.",
        at={"x": [1, 1], "lam": ["1/64", 20]},
        gives=("1640961/1280", "1000"),
    ),
    pair(
        "line_search",
        _line_search,
        numbers({"d": 2}, x=VECTOR, lam=CURVED),
        slip=(0, 996),
        proof="1 - |g|^4/(g^T A g g^T A^-1 g) with Kantorovich's inequality.",
        at={"x": [1, 1], "lam": ["1/64", 20]},
        gives=("1635841/1280", "408599289/320000"),
    ),
    pair(
        "log_ratio",
        _log_ratio,
        numbers(x=WIDE, y=WIDE, c=POSITIVE),
        slip=(0, 7),
        proof="The logarithm is below its tangent at one.",
        at={"x": 50, "y": "1/40", "c": 1},
        gives=("7.600902", "7"),
    ),
    pair(
        "softmax",
        _softmax,
        numbers(a=WIDE, b=WIDE, c=POSITIVE),
        slip=(1000, 999),
        proof="Both are positive.",
        at={"a": 50, "b": "1/40", "c": 1},
        gives=("2000/2001", "999/1000"),
    ),
    pair(
        "heaviest",
        _heaviest,
        numbers({"N": 2}, {"N": 3}, x=SHARES),
        slip=(1000, 998),
        proof="The others are positive.",
        at={"x": [50, "1/40", "1/40"]},
        shape={"N": 3},
        gives=("50", "499499/10000"),
    ),
    pair(
        "contraction",
        _contraction,
        plain(PLANE),
        slip=(0, 999),
        defines={**DEFINES, "step_size": lambda w: 1 / w.beta},
        proof="Along each axis the factor is 1 - curvature/beta, at most 1 - mu/beta.",
        at=point(1, 2, curvature=[[64, "1/32"]], start=[0, 1]),
        gives=("4190209/4194304", "998001/1000000"),
    ),
    pair(
        "difference",
        _difference,
        numbers(a=POSITIVE, b=POSITIVE),
        slip=(0, 1000),
        relation=">=",
        given={"a >= b": lambda w: w.a - w.b},
        strict={"a >= b"},
        proof="They are equal where a >= b.",
        at={"a": 1, "b": "1999/2000"},
        gives=("1/2000", "1/1000"),
    ),
    pair(
        "signal",
        _signal,
        sgd(),
        slip=(0, 1000),
        over="mean",
        given={"signal": lambda w: w.start[..., 0] ** 2 - 1, "scale": lambda w: 8 - w.beta},
        proof="E x^2 is squared mean plus variance.",
        at=point(sigma=[40], step_share="1/2", start=[1]),
        gives=("1601/4", "250"),
    ),
    pair(
        "means",
        _means,
        numbers({"N": 2}, {"N": 3}, x=SHARES),
        slip=(0, 250),
        proof="Kantorovich's inequality for equal weights.",
        at={"x": [50, "1/40"]},
        gives=("4004001/8000", "250"),
    ),
    pair(
        "long_memory",
        _long_memory,
        numbers({"n": 16}, {"n": 2048}, x=LARGE, c=POSITIVE),
        slip=(0, 1000),
        given={"x >= 1": lambda w: w.x - 1},
        proof="The geometric series adds up to 1/(1-q) = x.",
        at={"x": 2000, "c": 1},
        shape={"n": 2048},
        gives=("1281.873", "1000"),
    ),
    pair(
        "step_for_both",
        _step_for_both,
        numbers({"d": 2}, lam=CURVED),
        slip=(0, 999),
        proof="max - min = sum - 2 min.",
        at={"lam": [50, "1/64"]},
        gives=("3199/64", "3197799/64000"),
    ),
)
