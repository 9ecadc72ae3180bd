"""Two to five hypotheses are active at the worst point of claims about clients and runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.claims.active_symbols import below
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
    sigma,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("active")

EACH = Real(0, 2, per=("N",))
ANYONE = Real(-2, 2, per=("N",))
VECTOR = Real(-2, 2, per=("d",))
PLANAR = Real(-2, 2, per=("N", "d"))
CURVED = Real(1 / 8, 8, log=True, per=("d",))


# -- over clients and in space -------------------------------------------------------------------


def _capped_weights(w: World, k: int) -> Any:
    return {"sum of squares": xp.total(w.alpha**2)}, {"cap": k * w.cap / 100}


def _weighted_sum(w: World, k: int) -> Any:
    return {"sum": xp.total(w.alpha * w.x)}, {"B": k * w.B / 100}


def _neighbours(w: World, k: int) -> Any:
    bound = (w.A**2 + 2 * (w.A + w.B) ** 2) / 3
    return {"mean square": xp.mean(w.x**2)}, {"bound": k * bound / 100}


def _three_legs(w: World, k: int) -> Any:
    bound = (w.r + w.s + w.t) ** 2
    return {"|a+b+c|^2": xp.squared_norm(w.a + w.b + w.c)}, {"(r+s+t)^2": k * bound / 100}


def _square(symbol: str, limit: str) -> dict[str, Callable[[World], Any]]:
    norm = xp.squared_norm
    return {f"|{symbol}| <= {limit}": lambda w: w.symbol(limit) ** 2 - norm(w.symbol(symbol))}


def _chain(w: World, k: int) -> Any:
    return {"|x4|": xp.absolute(w.x[..., 4])}, {"5s": k * w.s / 100}


def _triangle(w: World, k: int) -> Any:
    away = w.g - xp.mean(w.g, axis=-2)[..., None, :]
    return {"sum": xp.total(xp.squared_norm(away))}, {"b^2": k * w.b**2 / 100}


def _apart(w: World, k: int) -> Any:
    around = xp.mean((w.x - xp.mean(w.x)[..., None]) ** 2)
    return {"variance": around}, {"5s^2/4": k * w.s**2 / 80}


def _least_noise(w: World, k: int) -> Any:
    clients = w.alpha.shape[-1]
    return {"sum alpha^2 s": xp.total(w.alpha**2 * w.s)}, {"m/N": k * w.m / (100 * clients)}


def _kantorovich(w: World, k: int) -> Any:
    product = xp.total(w.lam * w.x**2) * xp.total(w.x**2 / w.lam)
    bound = (w.m + w.L) ** 2 / (4 * w.m * w.L) * xp.squared_norm(w.x) ** 2
    return {"product": product}, {"bound": k * bound / 100}


def _volume(w: World, k: int) -> Any:
    return {"xyz": w.x * w.y * w.z}, {"6s^3": k * w.s**3 / 100}


def _pair_gap(i: int, j: int) -> Callable[[World], Any]:
    return lambda w: w.b**2 - xp.squared_norm(w.g[..., i, :] - w.g[..., j, :])


def _link(i: int) -> Callable[[World], Any]:
    return lambda w: w.s**2 - (w.x[..., i] - (w.x[..., i - 1] if i else 0)) ** 2


def _step_apart(i: int) -> Callable[[World], Any]:
    return lambda w: w.x[..., i + 1] - w.x[..., i] - w.s


# -- runs ----------------------------------------------------------------------------------------


def _one_step(w: World, k: int) -> Any:
    bound = (1 - w.m / w.L) ** 2 * w.D**2 + w.S**2 / w.L**2
    return {"E gap^2": distance2(w, last(w))}, {"bound": k * bound / 100}


def _both_ends(w: World, k: int) -> Any:
    rate = (w.L - w.m) / (w.L + w.m)
    return {"gap^2": distance2(w, server(w))}, {"bound": k * rate**2 * w.D**2 / 100}


def _averaged_noise(w: World, k: int) -> Any:
    x = server(w)[..., 0]
    clients = w.sigma.shape[-1]
    return {"variance": (x - w.mean(x)) ** 2}, {"bound": k * (w.S / w.m) ** 2 / clients / 100}


def _two_servers(w: World, k: int) -> Any:
    gap = server(w)[..., 0] ** 2
    return {"gap^2": gap}, {"(1-m/L)^2 D^2": k * (1 - w.m / w.L) ** 2 * w.D**2 / 100}


UNIT_STEP = {**DEFINES, "step_size": lambda w: 1 / w.L}
AT_ZERO = Real(0, 0, (0, 1), per=("N", "d"), domain=(0, 0))

CLIENTS: tuple[Pair, ...] = (
    pair(
        "capped_weights",
        _capped_weights,
        numbers({"N": 4}, alpha=EACH, cap=POSITIVE),
        slip=(100, 98),
        given={
            "sum": lambda w: 1 - xp.total(w.alpha),
            "cap": lambda w: w.cap[..., None] - w.alpha,
        },
        proof="alpha_i^2 <= cap alpha_i.",
        at={"alpha": ["1/2", "1/2", 0, 0], "cap": "1/2"},
        gives=("1/2", "49/100"),
    ),
    pair(
        "weighted_sum",
        _weighted_sum,
        numbers({"N": 3}, alpha=EACH, x=ANYONE, B=POSITIVE),
        slip=(100, 98),
        given={"sum": lambda w: 1 - xp.total(w.alpha), "x": lambda w: w.B[..., None] - w.x},
        proof="alpha_i x_i <= alpha_i B, and the weights add up to at most one.",
        at={"alpha": ["1/3"] * 3, "x": [1] * 3, "B": 1},
        gives=("1", "49/50"),
    ),
    pair(
        "neighbours",
        _neighbours,
        numbers({"N": 3}, x=ANYONE, A=POSITIVE, B=POSITIVE),
        slip=(100, 97),
        given={
            "first": lambda w: w.A**2 - w.x[..., 0] ** 2,
            "second": lambda w: w.B**2 - (w.x[..., 1] - w.x[..., 0]) ** 2,
            "third": lambda w: w.B**2 - (w.x[..., 2] - w.x[..., 0]) ** 2,
        },
        proof="Triangle inequality for the second and the third client.",
        at={"x": [1, 2, 2], "A": 1, "B": 1},
        gives=("3", "291/100"),
    ),
    pair(
        "three_legs",
        _three_legs,
        numbers({"d": 2}, a=VECTOR, b=VECTOR, c=VECTOR, r=POSITIVE, s=POSITIVE, t=POSITIVE),
        slip=(100, 98),
        given=_square("a", "r") | _square("b", "s") | _square("c", "t"),
        proof="Triangle inequality.",
        at={"a": [1, 0], "b": [1, 0], "c": [1, 0], "r": 1, "s": 1, "t": 1},
        gives=("9", "441/50"),
    ),
    pair(
        "chain",
        _chain,
        numbers({"N": 5}, x=ANYONE, s=POSITIVE),
        slip=(500, 485),
        given={f"link {i}": _link(i) for i in range(5)},
        proof="Triangle inequality.",
        at={"x": [1, 2, 3, 4, 5], "s": 1},
        gives=("5", "97/20"),
    ),
    # all three sides are active at an equilateral triangle, two of them at a rational one beside it
    pair(
        "triangle",
        _triangle,
        numbers({"N": 3, "d": 2}, g=PLANAR, b=POSITIVE),
        slip=(100, 97),
        given={f"{i}{j}": _pair_gap(i, j) for i, j in ((0, 1), (1, 2), (2, 0))},
        proof="The sum is a third of the sum of squared sides.",
        at={"g": [[0, 0], [1, 0], ["33/65", "56/65"]], "b": 1},
        gives=("194/195", "97/100"),
    ),
    pair(
        "apart",
        _apart,
        numbers({"N": 4}, x=ANYONE, s=POSITIVE),
        slip=(100, 102),
        relation=">=",
        given={f"gap {i}": _step_apart(i) for i in range(3)},
        proof="The sum over pairs of squared gaps is 4 times the sum around the mean.",
        at={"x": [0, 1, 2, 3], "s": 1},
        gives=("5/4", "51/40"),
    ),
    pair(
        "least_noise",
        _least_noise,
        numbers({"N": 3}, alpha=EACH, s=EACH, m=POSITIVE),
        slip=(100, 102),
        relation=">=",
        given={"sum": lambda w: xp.total(w.alpha) - 1, "s": lambda w: w.s - w.m[..., None]},
        proof="sum alpha^2 s >= m sum alpha^2 >= m/N.",
        at={"alpha": ["1/3"] * 3, "s": [1] * 3, "m": 1},
        gives=("1/3", "17/50"),
    ),
    pair(
        "kantorovich",
        _kantorovich,
        numbers({"d": 2}, x=VECTOR, lam=CURVED, m=POSITIVE, L=POSITIVE),
        slip=(100, 98),
        given={"m": lambda w: w.lam - w.m[..., None], "L": lambda w: w.L[..., None] - w.lam},
        proof="Kantorovich's inequality.",
        at={"x": [1, 1], "lam": [1, 4], "m": 1, "L": 4},
        gives=("25/4", "49/8"),
    ),
    pair(
        "volume",
        _volume,
        numbers(x=POSITIVE, y=POSITIVE, z=POSITIVE, s=POSITIVE),
        slip=(600, 618),
        relation=">=",
        given={
            "x": lambda w: w.x - w.s,
            "y": lambda w: w.y - 2 * w.s,
            "z": lambda w: w.z - w.x - w.y,
        },
        proof="Each factor is at least s, 2s, 3s.",
        at={"x": 1, "y": 2, "z": 3, "s": 1},
        gives=("6", "309/50"),
    ),
    pair(
        "both_ends",
        _both_ends,
        plain({"N": 1, "d": 2, "rounds": 1}, m=POSITIVE, L=POSITIVE, D=POSITIVE),
        slip=(100, 98),
        defines={**DEFINES, "step_size": lambda w: 2 / (w.m + w.L)},
        given={
            "m": lambda w: w.mu - w.m,
            "L": lambda w: w.L - w.beta,
            "D": lambda w: w.D**2 - distance2(w, w.start),
        },
        proof="|1 - eta lambda| is largest at both ends of [m, L].",
        at=point(1, 2, curvature=[[1, 3]], m=1, L=3, D=1, start=[0, 1]),
        gives=("1/4", "49/200"),
    ),
    pair(
        "one_step",
        _one_step,
        sgd(m=POSITIVE, L=POSITIVE, D=POSITIVE, S=POSITIVE),
        slip=(100, 98),
        over="mean",
        defines=UNIT_STEP,
        given={
            "m <= curvature": lambda w: w.mu - w.m,
            "curvature <= L": lambda w: w.L - w.beta,
            "D": lambda w: w.D**2 - distance2(w, w.start),
            "S": lambda w: w.S - sigma(w),
        },
        proof="E gap^2 = (1 - curvature/L)^2 gap^2 + s^2/L^2.",
        at=point(m=1, L=2, D=1, S=1),
        gives=("1/2", "49/100"),
    ),
    pair(
        "averaged_noise",
        _averaged_noise,
        sgd({"N": 2, "d": 1, "rounds": 1}, method="fedavg", m=POSITIVE, L=POSITIVE, S=POSITIVE),
        slip=(100, 98),
        over="mean",
        defines=UNIT_STEP,
        given={"S": lambda w: w.S[..., None] - w.sigma, **below("m", "L")},
        proof="The noises are independent: variance eta^2 sum s_i^2/N^2.",
        at=point(2, m=1, L=1, S=1),
        gives=("1/2", "49/100"),
    ),
    pair(
        "two_servers",
        _two_servers,
        plain({"N": 2, "d": 1, "rounds": 1}, optimum=AT_ZERO, m=POSITIVE, L=POSITIVE, D=POSITIVE),
        slip=(100, 98),
        defines=UNIT_STEP,
        given={
            "m": lambda w: w.mu - w.m,
            "L": lambda w: w.L - w.beta,
            "start": lambda w: w.D**2 - w.start[..., 0] ** 2,
        },
        proof="The gap is multiplied by 1 - mean curvature/L.",
        at=point(2, m=1, L=2, D=1),
        gives=("1/4", "49/200"),
    ),
)
