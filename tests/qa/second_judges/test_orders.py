"""Orders by hand: left over right at three sizes, by formulas of their own, for each main result.

An order that fell did so along a ray.  Here the ratio is worked out from the sheet at three points
of such a ray, in fractions or within a short interval of them, without code of the package; the
program's value at the same instance must be that number, and the three must grow as is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction as Q
from math import log2
from typing import Any

import numpy as np
import pytest

from bounds.numbers import Ball
from tests.places import EXPECTED
from tests.qa.second_judges.allforall.numbers import root
from tests.qa.second_judges.along import RAYS
from tests.qa.second_judges.standing.instances import said
from tests.verify.cases import exactly
from verify.catalogue.json_files import read_json
from verify.catalogue.library import library
from verify.claim import Instance, Statement
from verify.world.referee import rescore

Point = dict[str, Q]
CLOSE = Q(1, 10**9)
ELSEWHERE = {
    "hcct.theorem2": "test_hcct_length",
    "hcct.corollary1": "test_a_limit_that_is_not_zero_has_no_right_side",
}
"""Main results whose three points are in another test."""


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


def _on_ray(key: str, size: int) -> tuple[Statement, Instance]:
    """The claim on the family of a ray, and the instance at one size."""
    ray, leaf = RAYS[key], library().leaf(key)
    claim = replace(leaf, family=(leaf.family, *leaf.also)[ray.family], also=())
    shape = {**claim.family.shapes[ray.shape], **ray.rest}
    if ray.named:
        shape[ray.named] = size
    fixed = {
        name: np.full(real.lengths(shape), Q(real.low))
        for name, real in claim.family.box.items()
        if real.low == real.high
    }
    return claim, exactly(claim, {**fixed, **ray.at(size)}, shape)


@pytest.mark.parametrize("key", RAYS)
def test_three_points_of_the_ray_are_what_the_hand_says(key: str) -> None:
    ray, ratios = RAYS[key], []
    for size in ray.sizes:
        claim, instance = _on_ray(key, size)
        left, right = ray.sides(said(instance))
        found = rescore(claim, instance)
        assert found.assumed, found.margins
        by_program = found.left / found.right
        if isinstance(by_program, Ball):
            by_program = by_program.mid
        assert abs(by_program / (left / right) - 1) <= CLOSE, (size, float(left), float(right))
        ratios.append(left / right)
    assert ratios[-1] > 1
    for k in (0, 1):
        grown = log2(ratios[k + 1] / ratios[k])
        assert grown >= ray.power * log2(ray.sizes[k + 1] / ray.sizes[k]) - 1e-9
        assert grown >= log2(ray.by)


@pytest.mark.parametrize("key", RAYS)
def test_a_ray_does_not_take_another_factor(key: str) -> None:
    ray = RAYS[key]
    claim, instance = _on_ray(key, ray.sizes[0])
    left, right = ray.sides(said(instance))
    found = rescore(claim, instance)
    by_program = found.left / found.right
    if isinstance(by_program, Ball):
        by_program = by_program.mid
    assert abs(by_program / (left / right * Q(1001, 1000)) - 1) > CLOSE


@pytest.mark.parametrize("part", ["S2", "S3", "S4"])
def test_a_limit_that_is_not_zero_has_no_right_side(part: str) -> None:
    """Corollary 1 of `hcct`: with one fixed group the ratio to a limit of 0 is infinite.

    S_2/xi_T is one number for all T, S_3/xi_T and S_4/xi_T grow with T.
    """
    leaf, c = library().leaf(f"hcct.corollary1/{part}"), Q(1, 2)
    numbers = {"curvature": Q(1), "step_size": c, "gap": Q(1), "similarity": Q(3), "variance": Q(3)}
    lefts = []
    for count in (2, 8, 32):
        steps = [c / (t + 2) for t in range(count)]
        inner = [sum(s**2 for s in steps[:t]) for t in range(count)]
        whole = {
            "S2": sum(s * 3 for s in steps),
            "S3": sum(s * 3 * i for s, i in zip(steps, inner, strict=True)),
            "S4": 2 * sum(s * 3 * i for s, i in zip(steps, inner, strict=True)),
        }
        lefts.append(whole[part] / sum(steps))
    found = rescore(leaf, exactly(leaf, numbers, {"T": 4}))
    assert found.right == 0
    assert found.left == lefts[0] > 0
    assert lefts[0] <= lefts[1] <= lefts[2]


def _orders() -> dict[str, str]:
    """Main results that fall by an order, and what the expected ledger says of how."""
    ledger = read_json(EXPECTED / "quick.json", "fedassay-expected/1")
    fallen = {
        entry.key: ledger["fails"].get(entry.key, {})
        for paper in library().papers
        for entry in library().results(paper)
    }
    return {key: how["words"] for key, how in fallen.items() if how.get("kind") == "order"}


def test_every_main_result_that_falls_by_an_order_is_followed_by_hand() -> None:
    by_hand = {key.partition("@")[0].partition("/")[0] for key in (*ORDERS, *RAYS)}
    fallen = set(_orders())
    assert len(fallen) > 20
    assert fallen - by_hand == set(ELSEWHERE) & fallen


def _names_a_law(words: str) -> bool:
    return "left/right grows" in words or "the right side is zero" in words


def test_an_order_is_told_with_its_law() -> None:
    assert {key for key, words in _orders().items() if not _names_a_law(words)} == set()
    assert not _names_a_law("along gap left/right levels off at 1.765 as far as was seen")


def test_a_number_that_is_changed_is_seen() -> None:
    order = ORDERS["allforall.theorem1a"]
    point = order.at(2**8)
    other = {**point, "share": Q(1, 2)}
    assert abs(_program("allforall.theorem1a", point) / order.ratio(other) - 1) > CLOSE
