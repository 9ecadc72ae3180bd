"""Orders by hand: left over right at three sizes, by formulas of their own, for each main result.

An order that fell did so along a ray.  Here the ratio is worked out from the sheet at three points
of such a ray, in fractions or within a short interval of them, without code of the package; the
program's value at the same instance must be that number, and the three must grow as is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as Q
from math import log2
from typing import Any

import pytest

from bounds.numbers import Ball
from tests.qa.second_judges.allforall.numbers import root
from tests.verify.cases import exactly
from verify.catalogue.library import library
from verify.world.referee import rescore

Point = dict[str, Q]
CLOSE = Q(1, 10**9)


@dataclass(frozen=True)
class Order:
    """What was worked out by hand.

    Parameters
    ----------
    ratio : callable
        Left over right at a point.
    at : callable
        Size -> a point of the ray.
    power : float
        Least power of the size with which the ratio grows between the three sizes.
    sizes : tuple of int
        The three.
    """

    ratio: Callable[[Any], Q]
    at: Callable[[int], Point]
    power: float
    sizes: tuple[int, int, int] = (2**8, 2**12, 2**16)


def _many(p: Point) -> int:
    """N = ceil(1/eps)."""
    return -(-1 // p["precision"])


def one_sample(p: Point) -> Q:
    """Theorems 1.a, 5.a: T = 1 is enough where r B <= eps; claimed C r^2 B^2 N/(eps^2 N_1)."""
    return p["share"] ** 2 * _many(p)


def alike(p: Point) -> Q:
    """Theorem 5.b: N agents within 5 eps; claimed sigma^2 N/eps, one step with a mean of T."""
    right = p["noise"] / p["precision"]
    return right * _many(p) / (right + 1)


def too_few(kappas: int) -> Callable[[Point], Q]:
    """Theorems 2.2, 7.2, naive.b: the logarithm is positive from T = N kappa sigma^2 N/(mu F) on.

    The bound is kappa sigma^2/(mu eps), times kappa (m + 1) in 7.2 for any m.
    """

    def ratio(p: Point) -> Q:
        gap = (1 + p["excess"]) * p["precision"]
        rounds = _many(p) * p["condition"] * p["variance"] / (p["mu"] * gap)
        right = p["condition"] ** kappas * p["variance"] / (p["mu"] * p["precision"])
        return _many(p) * rounds / (right * (1 + p["relaxation"] if kappas == 2 else 1))

    return ratio


def net(p: Point) -> Q:
    """Theorem 1.b for one agent: a net of 1/sqrt(2 eps) cells needs no noise; claimed noise/eps."""
    return p["noise"] / p["precision"] / (1 + 1 / root(2 * p["precision"]))


def share(size: int) -> Point:
    return {"share": Q(1), "precision": Q(1, size)}


def noise(size: int) -> Point:
    return {"noise": Q(4), "precision": Q(1, size)}


def louder(size: int) -> Point:
    return {"noise": Q(size), "precision": Q(1, 2**10)}


def small(size: int) -> Point:
    rest = {"mu": Q(2), "condition": Q(4), "excess": Q(1, 64), "variance": Q(1, 4)}
    return {**rest, "precision": Q(1, size), "relaxation": Q(0)}


ORDERS = {
    "allforall.theorem1a": Order(one_sample, share, 1),
    "allforall.theorem1b": Order(net, louder, 1),
    "allforall.theorem5a": Order(one_sample, share, 1),
    "allforall.theorem5b": Order(alike, noise, 0.9),
    "allforall.theorem2.2@beside": Order(too_few(1), small, 2),
    "allforall.naive.b@beside": Order(too_few(1), small, 2),
    "allforall.theorem7.2/small@beside": Order(too_few(1), small, 2),
    "allforall.theorem7.2/any@beside": Order(too_few(2), small, 2),
}


def _program(key: str, point: Point) -> Any:
    """Left over right as the referee has them, in fractions or balls."""
    claim = library().leaf(key)
    shape = dict(claim.family.shapes[-1])
    if "route" in shape:
        shape["route"] = "net"
    found = rescore(claim, exactly(claim, point, shape))
    assert found.assumed
    return found.left / found.right


@pytest.mark.parametrize("key", ORDERS)
def test_the_ratio_is_that_of_the_hand_at_three_sizes(key: str) -> None:
    order = ORDERS[key]
    for size in order.sizes:
        point = order.at(size)
        by_hand, by_program = order.ratio(point), _program(key, point)
        if isinstance(by_program, Ball):
            by_program = by_program.mid
        assert abs(by_program / by_hand - 1) <= CLOSE, (size, float(by_hand))


@pytest.mark.parametrize("key", ORDERS)
def test_it_grows_as_is_said(key: str) -> None:
    order = ORDERS[key]
    ratios = [order.ratio(order.at(size)) for size in order.sizes]
    for (a, x), (b, y) in zip(
        zip(order.sizes, ratios, strict=True),
        zip(order.sizes[1:], ratios[1:], strict=False),
        strict=False,
    ):
        assert log2(y / x) / log2(b / a) >= order.power - 1e-9


def test_a_number_that_is_changed_is_seen() -> None:
    order = ORDERS["allforall.theorem1a"]
    point = order.at(2**8)
    other = {**point, "share": Q(1, 2)}
    assert abs(_program("allforall.theorem1a", point) / order.ratio(other) - 1) > CLOSE
