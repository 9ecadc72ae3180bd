"""Second judge of Theorem 4.5 of `fedbc`, which stands: the five terms of (14) with constants.

(14) is an order.  The constants before its terms are made of L_i, lambda_max and the length of an
interval that holds start and wells; with them the inequality is one between numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from itertools import pairwise, product
from random import Random
from typing import Any

from tests.qa.second_judges.allforall.numbers import root
from tests.qa.second_judges.fedbc.rounds import Setting, mean
from tests.qa.second_judges.fedbc.theorem import average_gradient
from tests.qa.second_judges.standing.record import Standing, between, log_between


def _wells(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Double wells, one start for all, multipliers from 1 + L_i on."""
    n = int(sizes["N"])
    return {
        "height": [log_between(rng, -3, 4) for _ in range(n)],
        "centre": [[between(rng, -6, 2)] for _ in range(n)],
        "width": log_between(rng, -1, 2),
        "start": [between(rng, -2, 2)],
        "high": between(rng, 0, 1),
        "place": [between(rng, 0, 1) for _ in range(n)],
        "gamma": [between(rng, 0, 4) for _ in range(n)],
        "dual_step": log_between(rng, -12, 3),
        "step_share": between(rng, Q(1, 16), 1),
    }


def _slow(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Dual steps of which few take a multiplier below 1 + L_i."""
    return {**_wells(rng, sizes), "dual_step": log_between(rng, -20, -8)}


class _Theorem:
    """What (14) is made of, with the smallest constants over an interval X."""

    def __init__(self, p: Any) -> None:
        s = self.s = Setting(p.raw)
        self.kinks = [end for loss in s.losses for end in loss.ends]
        self.runs = list(s.runs())

    @property
    def visited(self) -> list[Q]:
        s = self.s
        every = [[*r.old, *r.new, r.z, r.after] for run in self.runs for r in run]
        return [s.z, *s.starts, *(x for row in every for x in row)]

    @property
    def solved(self) -> list[Q]:
        """The exact local solution of every device in every round."""
        return [
            loss.solve(a, r.z)
            for run in self.runs
            for r in run
            for loss, a in zip(self.s.losses, r.lam, strict=True)
        ]

    def corners(self, low: Q, high: Q) -> list[Q]:
        return sorted({low, high, *(k for k in self.kinks if low < k < high)})

    def delta(self, low: Q, high: Q) -> Q:
        """Assumption 4.3 for two different devices; slopes are linear between the corners."""
        s = self.s
        found = [
            abs(a * s.losses[i].slope(x) - b * s.losses[j].slope(x))
            for x in self.corners(low, high)
            for a, b in product((s.low, s.high), repeat=2)
            for i, j in product(range(s.n), repeat=2)
            if i != j
        ]
        return max(found, default=Q(0))

    def least(self, low: Q, high: Q) -> Q:
        """Least of f over an interval."""
        s, points = self.s, self.corners(low, high)
        for a, b in pairwise(points):
            left, right = s.mean_slope(a), s.mean_slope(b)
            if left < 0 < right:
                points = [*points, a - left * (b - a) / (right - left)]
        return min(map(s.mean_loss, points))

    def steepest(self, low: Q, high: Q) -> Q:
        return max(abs(f.slope(x)) for f in self.s.losses for x in self.corners(low, high))

    def first(self, bound: Q, least: Q) -> Q:
        """B_0 (88)."""
        s = self.s
        return s.mean_loss(s.z) - least + mean([bound**2 / (2 * L) for L in s.L])


def _terms(p: Any) -> tuple[_Theorem, list[Q]]:
    """The five terms of (14); X has all models, and no gradient points out of it; G bounds the last
    local gradients."""
    t = _Theorem(p)
    s, (low, high) = t.s, t.s.domain
    last = max(
        abs(loss.slope(x)) for run in t.runs for loss, x in zip(s.losses, run[-1].new, strict=True)
    )
    first = t.first(last, t.least(low, high))
    gamma = mean(s.gamma) / s.T
    return t, [first / s.T, s.epsilon, t.delta(low, high) ** 2, s.alpha, gamma]


def _order(p: Any) -> tuple[Q, Q]:
    """Without constants: no instance alone decides an order."""
    t, terms = _terms(p)
    return average_gradient(t.s), sum(terms, Q(0))


def _bounded(p: Any) -> tuple[Q, Q]:
    t, terms = _terms(p)
    s = t.s
    most, apart = 4 * s.M1**2, 4 * s.top**2 + 16 * s.high**2 + 4 * s.M1**2 * s.high
    places = [s.z, *(zero for loss in s.losses for zero in (loss.zeros[0], loss.zeros[-1]))]
    reach = max(places) - min(places)
    constants = [
        most,
        4 + most / (2 * min(s.L)) + 2 * apart,
        apart / 2,
        16 * most * reach**4,
        2 * most * s.high,
    ]
    return average_gradient(s), sum((c * x for c, x in zip(constants, terms, strict=True)), Q(0))


def _explicit(p: Any) -> tuple[Q, Q]:
    """X has all models and the exact local solutions."""
    t = _Theorem(p)
    s, points = t.s, [*t.visited, *t.solved]
    low, high = min(points), max(points)
    most = 4 * s.M1**2
    least = t.least(min(t.visited), max(t.visited))
    right = most * (t.first(t.steepest(low, high), least) + s.high * mean(s.gamma)) / s.T
    right += 4 * s.epsilon + most * s.epsilon * mean([1 / (2 * L) for L in s.L])
    right += most * s.alpha * mean([16 * (high - low) ** 4 + g**2 for g in s.gamma])
    consensus = (root(s.epsilon) + t.delta(low, high) / 2) ** 2
    right += (4 * s.top**2 + 16 * s.high**2 + most * s.high) * consensus
    return average_gradient(s), right


def _given(p: Any) -> bool:
    """Multipliers in Lambda from 1 + L_i on, one start, alpha > 0."""
    s = Setting(p.raw)
    return s.is_legal() and s.meets_h1() and s.meets_h3()


def _of_proofs(p: Any) -> bool:
    """And lambda_max < (1 + L_i)^2/L_i."""
    return _given(p) and Setting(p.raw).meets_h2()


STANDING = (
    Standing(
        ("fedbc.theorem1",),
        "Theorem 4.5 (14): the five terms; the order is decided by the next record",
        (2, 3, 4, 5),
        _slow,
        _order,
        _of_proofs,
        count=60,
    ),
    Standing(
        ("fedbc.theorem1.explicit/order",),
        "Theorem 4.5 (14): each of its five terms with a constant made of L_i, lambda_max and R",
        (2, 3, 4, 5),
        _wells,
        _bounded,
        _given,
        count=100,
    ),
    Standing(
        ("fedbc.theorem1.explicit",),
        "Theorem 4.5 with the constants of its mended proof",
        (2, 3, 4, 5),
        _wells,
        _explicit,
        _given,
        count=100,
        slack=Q(1, 10**12),
    ),
)
