"""Two to five hypotheses are active at the worst point of claims about clients and runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from tests.calibration.active_symbols import below
from tests.calibration.record import Pair, maker
from tests.calibration.worlds import (
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


# -- runs ----------------------------------------------------------------------------------------


def _one_step(w: World, k: int) -> Any:
    bound = (1 - w.m / w.L) ** 2 * w.D**2 + w.S**2 / w.L**2
    return {"E gap^2": distance2(w, last(w))}, {"bound": k * bound / 100}


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
        "capped_weights", _capped_weights, numbers({"N": 4}, alpha=EACH, cap=POSITIVE),
        slip=(100, 98),
        given={
            "sum": lambda w: 1 - xp.total(w.alpha), "cap": lambda w: w.cap[..., None] - w.alpha,
        },
        proof="alpha_i^2 <= cap alpha_i.", at={"alpha": ["1/2", "1/2", 0, 0], "cap": "1/2"},
        gives=("1/2", "49/100"),
    ),
    pair(
        "weighted_sum", _weighted_sum, numbers({"N": 3}, alpha=EACH, x=ANYONE, B=POSITIVE),
        slip=(100, 98),
        given={"sum": lambda w: 1 - xp.total(w.alpha), "x": lambda w: w.B[..., None] - w.x},
        proof="alpha_i x_i <= alpha_i B, and the weights add up to at most one.",
        at={"alpha": ["1/3"] * 3, "x": [1] * 3, "B": 1}, gives=("1", "49/50"),
    ),
    pair(
        "neighbours", _neighbours, numbers({"N": 3}, x=ANYONE, A=POSITIVE, B=POSITIVE),
        slip=(100, 97),
        given={
            "first": lambda w: w.A**2 - w.x[..., 0] ** 2,
            "second": lambda w: w.B**2 - (w.x[..., 1] - w.x[..., 0]) ** 2,
            "third": lambda w: w.B**2 - (w.x[..., 2] - w.x[..., 0]) ** 2,
        },
        proof="Triangle inequality for the second and the third client.",
        at={"x": [1, 2, 2], "A": 1, "B": 1}, gives=("3", "291/100"),
    ),
    pair(
        "three_legs", _three_legs,
        numbers({"d": 2}, a=VECTOR, b=VECTOR, c=VECTOR, r=POSITIVE, s=POSITIVE, t=POSITIVE),
        slip=(100, 98), given=_square("a", "r") | _square("b", "s") | _square("c", "t"),
        proof="Triangle inequality.",
        at={"a": [1, 0], "b": [1, 0], "c": [1, 0], "r": 1, "s": 1, "t": 1}, gives=("9", "441/50"),
    ),
    pair(
        "one_step", _one_step, sgd(m=POSITIVE, L=POSITIVE, D=POSITIVE, S=POSITIVE),
        slip=(100, 98), over="mean", defines=UNIT_STEP,
        given={
            "m <= curvature": lambda w: w.mu - w.m, "curvature <= L": lambda w: w.L - w.beta,
            "D": lambda w: w.D**2 - distance2(w, w.start), "S": lambda w: w.S - sigma(w),
        },
        proof="E gap^2 = (1 - curvature/L)^2 gap^2 + s^2/L^2.",
        at=point(m=1, L=2, D=1, S=1), gives=("1/2", "49/100"),
    ),
    pair(
        "averaged_noise", _averaged_noise,
        sgd({"N": 2, "d": 1, "rounds": 1}, method="fedavg", m=POSITIVE, L=POSITIVE, S=POSITIVE),
        slip=(100, 98), over="mean", defines=UNIT_STEP,
        given={"S": lambda w: w.S[..., None] - w.sigma, **below("m", "L")},
        proof="The noises are independent: variance eta^2 sum s_i^2/N^2.",
        at=point(2, m=1, L=1, S=1), gives=("1/2", "49/100"),
    ),
    pair(
        "two_servers", _two_servers,
        plain({"N": 2, "d": 1, "rounds": 1}, optimum=AT_ZERO, m=POSITIVE, L=POSITIVE, D=POSITIVE),
        slip=(100, 98), defines=UNIT_STEP,
        given={
            "m": lambda w: w.mu - w.m, "L": lambda w: w.L - w.beta,
            "start": lambda w: w.D**2 - w.start[..., 0] ** 2,
        },
        proof="The gap is multiplied by 1 - mean curvature/L.", at=point(2, m=1, L=2, D=1),
        gives=("1/4", "49/200"),
    ),
)
