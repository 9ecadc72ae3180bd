"""False only for many clients, long horizons or many local steps; true for the small shapes."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import (
    POSITIVE,
    SHARE,
    distance2,
    last,
    numbers,
    plain,
    point,
    scale,
    server,
    sgd,
    slope2,
)
from verify.claim.parameters import Real, Shape
from verify.world.world import World

pair = maker("many")

EACH = Real(0, 2, per=("N",))
ANYONE = Real(-2, 2, per=("N",))


def upto(name: str, *values: int, **constants: int) -> tuple[Shape, ...]:
    """Shapes that differ in one number."""
    return tuple({**constants, name: value} for value in values)


# -- clients -------------------------------------------------------------------------------------


def _largest(w: World, k: int) -> Any:
    return {"max": xp.largest(w.x)}, {"k mean": (k or w.x.shape[-1]) * xp.mean(w.x)}


def _norms(w: World, k: int) -> Any:
    size = k or w.x.shape[-1]
    return {"|x|_1^2": xp.total(xp.absolute(w.x)) ** 2}, {"k|x|^2": size * xp.total(w.x**2)}


def _log_sum_exp(w: World, k: int) -> Any:
    most = k or xp.log(w.x.shape[-1] + 0 * w.x[..., 0])
    return {"log sum exp": xp.log(xp.total(xp.exp(w.x)))}, {"max": xp.largest(w.x), "k": most}


def _correlated(w: World, k: int) -> Any:
    variance = w.s * (1 + (w.N - 1) * w.rho) / w.N
    return {"variance": variance}, {"2s/N": 2 * w.s / w.N, "k": k * w.s * w.rho}


def _union(w: World, k: int) -> Any:
    return {"some": 1 - (1 - w.p) ** w.N}, {"kp": (k or w.N) * w.p}


def _pair_sum(w: World, k: int) -> Any:
    clients = w.x.shape[-1]
    around = xp.total((w.x - xp.mean(w.x)[..., None]) ** 2)
    gaps = xp.total(xp.total((w.x[..., :, None] - w.x[..., None, :]) ** 2)) / 2
    return {"pairs": gaps}, {"k variance": (k or clients) * around}


# the Poincare constant of a path grows like N^2
def _path(w: World, k: int) -> Any:
    clients = w.x.shape[-1]
    around = xp.total((w.x - xp.mean(w.x)[..., None]) ** 2)
    jumps = xp.total((w.x[..., 1:] - w.x[..., :-1]) ** 2)
    factor = xp.divide(clients**2, 4) if k == 0 else k
    return {"around": around}, {"k jumps": factor * jumps}


def _outlier(w: World, k: int) -> Any:
    around = (w.x - xp.mean(w.x)[..., None]) ** 2
    factor = k or w.x.shape[-1] - 1
    return {"farthest": xp.largest(around)}, {"k variance": factor * xp.mean(around)}


# the largest of N fair deviations
def _one_of_many(w: World, k: int) -> Any:
    x = w.run().local_models[:, :, -1, :, 0]
    most = xp.largest((x - w.mean(x)) ** 2)
    clients = k or w.sigma.shape[-1]
    return {"max": most}, {"k s^2": clients * w.step_size**2 * xp.mean(w.noise_scale**2)}


# -- horizons ------------------------------------------------------------------------------------


def _harmonic(w: World, k: int) -> Any:
    log = k * xp.log(w.n + 0 * w.c) / 100
    start = 1 if k == 100 else xp.divide(5, 4)
    return {"sum": sum(w.c / t for t in range(1, w.n + 1))}, {"log": w.c * (start + log)}


def _second_order(w: World, k: int) -> Any:
    square = k * (w.n * w.x) ** 2 / 100
    return {"(1-x)^n": (1 - w.x) ** w.n, "nx": w.n * w.x}, {"1": 1, "(nx)^2": square}


def _geometric(w: World, k: int) -> Any:
    return {"sum": sum(w.c * w.q**t for t in range(w.n))}, {"kc": (k or w.n) * w.c}


def _squares(w: World, k: int) -> Any:
    total = sum(w.c / t**2 for t in range(1, w.n + 1))
    return {"sum": total}, {"bound": w.c * (xp.divide(k, 100) if k else 2 - xp.divide(1, w.n))}


def _accumulated(w: World, k: int) -> Any:
    x = last(w)[..., 0]
    noise = (w.step_size * scale(w)) ** 2
    return {"variance": (x - w.mean(x)) ** 2}, {"k noise": (k or w.rounds) * noise}


def _drift(w: World, k: int) -> Any:
    moved = xp.squared_norm(server(w) - w.start)
    steps = k or w.local_steps
    return {"drift": moved}, {"k^2 step": steps**2 * w.step_size**2 * slope2(w, w.start)}


def _travelled(w: World, k: int) -> Any:
    path = w.run().server[..., 0]
    length = xp.total(xp.absolute(path[:, :, 1:] - path[:, :, :-1])) ** 2
    gap = distance2(w, w.start)
    return {"length^2": length}, {"gap^2": gap if k == 0 else k * gap / 100}


SLOW = Real(1 / 128, 1 / 32, log=True, domain=(0, 1))
UP_TO_ONE = {"x <= 1": lambda w: 1 - w.x}
ONE_CLIENT = {"N": 1, "d": 1}

MANY: tuple[Pair, ...] = (
    pair(
        "largest",
        _largest,
        numbers(*upto("N", 2, 4, 8, 16), x=EACH),
        slip=(0, 8),
        proof="One of N non-negative numbers is at most their sum.",
        at={"x": [1] + [0] * 15},
        shape={"N": 16},
        gives=("1", "1/2"),
    ),
    pair(
        "norms",
        _norms,
        numbers(*upto("N", 2, 4, 8, 16), x=ANYONE),
        slip=(0, 10),
        proof="Cauchy-Schwarz with the vector of ones.",
        at={"x": [1] * 16},
        shape={"N": 16},
        gives=("256", "160"),
    ),
    pair(
        "log_sum_exp",
        _log_sum_exp,
        numbers(*upto("N", 2, 4, 8), x=ANYONE),
        slip=(0, 2),
        proof="Each of N terms is at most exp(max).",
        at={"x": [0] * 8},
        shape={"N": 8},
        gives=("2.079442", "2"),
    ),
    pair(
        "correlated",
        _correlated,
        numbers(*upto("N", 2, 4, 8, 16), s=POSITIVE, rho=Real(0, 1 / 8)),
        slip=(1, 0),
        given={"rho": lambda w: 1 - 8 * w.rho},
        proof="(N - 1)/N is at most one.",
        at={"s": 1, "rho": "1/8"},
        shape={"N": 16},
        gives=("23/128", "1/8"),
    ),
    pair(
        "union",
        _union,
        numbers(*upto("N", 1, 2, 8, 32), p=SHARE),
        slip=(0, 8),
        proof="Bernoulli: (1-p)^N >= 1 - Np.",
        at={"p": "1/32"},
        shape={"N": 32},
        gives=("0.6379447", "1/4"),
    ),
    pair(
        "pair_sum",
        _pair_sum,
        numbers(*upto("N", 2, 4, 8, 12), x=ANYONE),
        slip=(0, 8),
        proof="Expand: sum over pairs is N sum x^2 - (sum x)^2.",
        at={"x": [1] + [0] * 11},
        shape={"N": 12},
        gives=("11", "22/3"),
    ),
    pair(
        "path",
        _path,
        numbers(*upto("N", 2, 4, 8), x=ANYONE),
        slip=(0, 4),
        proof="The gap 4 sin^2(pi/2N) is at least 4/N^2 since sin y >= 2y/pi.",
        at={"x": list(range(8))},
        shape={"N": 8},
        gives=("42", "28"),
    ),
    pair(
        "outlier",
        _outlier,
        numbers(*upto("N", 2, 4, 6, 9), x=ANYONE),
        slip=(0, 6),
        proof="The others have the opposite sum: (N-1) of them at least (x-m)^2/(N-1).",
        at={"x": [1] + [0] * 8},
        shape={"N": 9},
        gives=("64/81", "16/27"),
    ),
    pair(
        "one_of_many",
        _one_of_many,
        sgd(*upto("N", 1, 2, 6, d=1, rounds=1), method="fedavg"),
        slip=(0, 3),
        over="mean",
        proof="The largest of N squares is at most their sum.",
        at=point(6, noise_share=[1] + [0] * 5),
        shape={"N": 6, "d": 1, "rounds": 1},
        gives=("1", "1/2"),
    ),
    pair(
        "harmonic",
        _harmonic,
        numbers(*upto("n", 1, 4, 8, 16, 64), c=POSITIVE),
        slip=(100, 75),
        proof="1/t is at most the integral of 1/x from t-1 to t.",
        at={"c": 1},
        shape={"n": 64},
        gives=("623171679694215690971693339/131362987122535807501262400", "4.369162"),
    ),
    pair(
        "second_order",
        _second_order,
        numbers(*upto("n", 1, 4, 8, 64), x=Real(0, 1)),
        slip=(50, 45),
        given=UP_TO_ONE,
        proof="The third derivative in x is not positive; n(n-1)/2 <= n^2/2.",
        at={"x": "1/1000"},
        shape={"n": 64},
        gives=("1.001975", "78269/78125"),
    ),
    pair(
        "geometric",
        _geometric,
        numbers(*upto("n", 1, 4, 16, 64), q=SHARE, c=POSITIVE),
        slip=(0, 16),
        proof="Each of n terms is at most c.",
        at={"q": "63/64", "c": 1},
        shape={"n": 64},
        gives=("40.64086", "16"),
    ),
    pair(
        "squares",
        _squares,
        numbers(*upto("n", 1, 4, 8, 32), c=POSITIVE),
        slip=(0, 157),
        proof="1/t^2 <= 1/(t-1) - 1/t.",
        at={"c": 1},
        shape={"n": 32},
        gives=("33659238975573797429256624061/20852386088294732932920960000", "157/100"),
    ),
    pair(
        "accumulated",
        _accumulated,
        sgd(*upto("rounds", 1, 2, 4, 8, N=1, d=1)),
        slip=(0, 4),
        over="mean",
        proof="Noise of an earlier round is multiplied by (1 - eta lambda) <= 1.",
        at=point(step_share="1/16"),
        shape={**ONE_CLIENT, "rounds": 8},
        gives=("383172119935376161/18446744073709551616", "1/64"),
    ),
    pair(
        "drift",
        _drift,
        plain(*upto("local_steps", 1, 4, 16, rounds=1, **ONE_CLIENT)),
        slip=(0, 4),
        proof="Gradients shrink along the way, so each step is at most the first.",
        at=point(step_share="1/32"),
        shape={**ONE_CLIENT, "rounds": 1, "local_steps": 16},
        gives=("0.1586347", "1/64"),
    ),
    pair(
        "travelled",
        _travelled,
        plain(*upto("rounds", 1, 4, 16, 128, **ONE_CLIENT), step_share=SLOW),
        slip=(0, 96),
        given={"eta": lambda w: 1 - 32 * w.step_share},
        proof="In one dimension the path is monotone and ends before the minimiser.",
        at=point(step_share="1/32"),
        shape={**ONE_CLIENT, "rounds": 128},
        gives=("0.9659292", "24/25"),
    ),
)
