"""Claims up to an unnamed constant: a falsehood fails along a ray, by a power of its length.

A truth of this kind has no ray; ``holds`` needs the constant written out, so that the best word for
it here is ``proved``, and ``inconclusive`` is no mistake.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import (
    POSITIVE,
    deviation,
    distance2,
    numbers,
    plain,
    point,
    scale,
    server,
    sgd,
)
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("growth")

EACH = Real(1 / 8, 8, log=True, per=("N",))
FAR = 2**20


def _powers(w: World, k: int) -> Any:
    return {"x^k": w.x**k}, {"x": w.x, "x^2": w.x**2}


def _product(w: World, k: int) -> Any:
    return {"a^2 b": w.a**2 * w.b}, {"a^3": w.a**3, "b^k": w.b**k}


def _logarithm(w: World, k: int) -> Any:
    return {"x": w.x if k else xp.log(1 + w.x)}, {"sqrt": xp.sqrt(w.x), "1": 1}


def _noise(w: World, k: int) -> Any:
    return {"variance": deviation(w) ** 2}, {"noise": w.step_size**2 * scale(w) ** k}


def _unequal(w: World, largest: bool) -> Any:
    other = xp.largest(w.x) if largest else 1 / xp.mean(1 / w.x)
    return {"mean": xp.mean(w.x)}, {"other": other}


def _start(w: World, k: int) -> Any:
    return {"gap^2": distance2(w, server(w))}, {"start": xp.absolute(w.start[..., 0]) ** k}


def _ratio(w: World, k: int) -> Any:
    return {"a/b": w.a / w.b}, {"a^k": w.a**k, "1/b^2": 1 / w.b**2}


AT_ZERO = Real(0, 0, (0, 1), per=("N", "d"), domain=(0, 0))

GROWTH: tuple[Pair, ...] = (
    pair(
        "powers",
        _powers,
        numbers(x=POSITIVE),
        slip=(2, 3),
        relation="<~",
        proof="It is a term of the right side.",
        at={"x": 1},
        far={"x": FAR},
        doublings=20,
        gives=("1", "2", "1152921504606846976", "1099512676352"),
    ),
    pair(
        "product",
        _product,
        numbers(a=POSITIVE, b=POSITIVE),
        slip=(3, 2),
        relation="<~",
        proof="Young: a^2 b <= a^3 + b^3.",
        at={"a": 1, "b": 1},
        far={"a": FAR, "b": 2**30},
        doublings=30,
        gives=("1", "2", "1180591620717411303424", "2305843009213693952"),
    ),
    pair(
        "logarithm",
        _logarithm,
        numbers(x=POSITIVE),
        slip=(0, 1),
        relation="<~",
        proof="log(1 + x) <= sqrt x.",
        at={"x": 1},
        far={"x": FAR},
        doublings=20,
        gives=("1", "2", "1048576", "1025"),
    ),
    pair(
        "noise",
        _noise,
        sgd(),
        slip=(2, 1),
        relation="<~",
        over="mean",
        proof="The variance is (eta s)^2.",
        at=point(),
        far=point(sigma=[FAR]),
        doublings=20,
        gives=("1", "1", "1099511627776", "1048576"),
    ),
    pair(
        "unequal",
        _unequal,
        numbers({"N": 2}, x=EACH),
        slip=(True, False),
        relation="<~",
        proof="The mean is at most the largest.",
        at={"x": [1, 1]},
        far={"x": [1, FAR]},
        doublings=20,
        gives=("1", "1", "1048577/2", "2097152/1048577"),
    ),
    pair(
        "start",
        _start,
        plain(optimum=AT_ZERO),
        slip=(2, 1),
        relation="<~",
        proof="|1 - eta lambda| <= 1.",
        at=point(step_share="1/2"),
        far=point(step_share="1/2", start=[FAR]),
        doublings=20,
        gives=("1/4", "1", "274877906944", "1048576"),
    ),
    pair(
        "ratio",
        _ratio,
        numbers(a=POSITIVE, b=POSITIVE),
        slip=(2, 1),
        relation="<~",
        proof="Young: a/b <= (a^2 + 1/b^2)/2.",
        at={"a": 1, "b": 1},
        far={"a": 2**30, "b": xp.divide(1, 2**20)},
        doublings=30,
        gives=("1", "2", "1125899906842624", "1100585369600"),
    ),
)
