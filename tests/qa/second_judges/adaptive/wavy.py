"""Judge of `adaptive` on the wavy parabola h (t^2 + 3 sin^2 t), t = (theta - m)/w, in intervals.

The sine is its series, cut off with the sign of what is left out, so that each number here lies
between two fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from functools import cache
from typing import Any

from tests.qa.second_judges.federation import number

__all__ = ["meets_pl", "norm_of_gradient"]

Interval = tuple[Q, Q]
PARTS = 64
"""Cells on which the PL inequality is checked."""
PL = Q(1, 8)
"""A constant of Assumption 5, which asks for one above 0; the largest is near 0.1755."""
DIGITS = 10**40


def sine(x: Q, terms: int = 40) -> Interval:
    """sin x for |x| <= 16: the terms fall from the eighth on, so that two sums enclose it."""
    assert abs(x) <= 16
    total, term, last = Q(0), x, Q(0)
    for k in range(terms):
        last, total = total, total + term
        term *= -x * x / ((2 * k + 2) * (2 * k + 3))
    return min(last, total), max(last, total)


def slope(t: Q) -> Interval:
    """2 t + 3 sin 2t."""
    low, high = sine(2 * t)
    return 2 * t + 3 * low, 2 * t + 3 * high


def value(t: Q) -> Interval:
    """t^2 + 3 sin^2 t."""
    ends = [s * s for s in sine(t)]
    return t * t + 3 * min(ends), t * t + 3 * max(ends)


@cache
def meets_pl(mu: Q, parts: int = PARTS) -> bool:
    """Assumption 5, (2 t + 3 sin 2t)^2/2 >= mu (t^2 + 3 sin^2 t), for every t; both sides are even.

    Up to 1/2, sin 2t >= 0 and the left side is at least 2 t^2, the right at most 4 mu t^2.  From 4
    on, the left side is at least (2t - 3)^2/2, the right at most mu (t^2 + 3), and the difference
    grows from there.  Between, the slope moves by at most 8 and sin^2 by at most 1 times the way.
    """
    if not (mu <= Q(1, 2) and Q(25, 2) >= 19 * mu):
        return False
    half = Q(7, 2) / parts / 2
    for k in range(parts):
        middle = Q(1, 2) + (2 * k + 1) * half
        steep = slope(middle)[0] - 8 * half
        high = (middle + half) ** 2 + 3 * (max(abs(s) for s in sine(middle)) ** 2 + half)
        if steep <= 0 or steep**2 / 2 < mu * high:
            return False
    return True


def norm_of_gradient(raw: Mapping[str, Any]) -> bool:
    """A step of gradient descent with eta <= 1/beta lowers the loss, and the gradient grows.

    beta = 8 h/w^2 as |2 + 6 cos 2t| <= 8; convexity is not asked, A5 in its place.
    """
    instance = raw["instance"]
    data = {name: number(v) for name, v in instance["data"].items()}
    given = {name: number(v) for name, v in instance["params"].items()}
    assert instance["family"] == "pl"
    assert all(len(x) == 1 for x in (data["height"], data["centre"][0], given["point"]))
    (height,), width, share = data["height"], data["width"], given["share"]
    place = (given["point"][0] - data["centre"][0][0]) / width
    if not (height > 0 and width > 0 and 0 < share <= 1 and meets_pl(PL)):
        return False
    before = slope(place)
    # theta - share/beta grad in units of the width, cut to forty digits: at most `room` away
    after = _short(place - share / 8 * before[0])
    room = before[1] - before[0] + Q(1, DIGITS)
    grown = min(abs(x) for x in slope(after)) - 8 * room > max(abs(x) for x in before)
    lower = value(after)[1] + (2 * abs(after) + 5) * room < value(place)[0]
    return lower and grown


def _short(x: Q) -> Q:
    return Q(round(x * DIGITS), DIGITS)
