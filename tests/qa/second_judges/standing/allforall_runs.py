"""Runs in fractions for standing results of `allforall`: Theorems 2.1, 7.1 and 3.a."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction as Q
from random import Random
from typing import Any

from tests.qa.second_judges.allforall.numbers import root
from tests.qa.second_judges.standing.record import between, log_between

HALF = Q(1, 2)

# -- Theorem 2.1, 7.1 and the naive approach -------------------------------------------------------


def alike(rng: Random, _: Mapping[str, Any]) -> dict[str, Any]:
    """Slopes that are mostly the largest: no outcome then leaves the ball."""
    return {
        "share": rng.choice([Q(1), Q(1), Q(1), between(rng, 0, 1)]),
        "tilt": rng.choice([Q(1), Q(1), between(rng, HALF, 1)]),
        "offset": between(rng, 0, 1),
        "precision": log_between(rng, -6, 2),
        "distance": log_between(rng, -3, 3),
        "fraction": between(rng, 0, Q(63, 64)),
    }


def alone(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """The steps of one in N agents are long: most starts short of D leave the ball."""
    at_edge = {"share": Q(1), "offset": Q(1)} if rng.random() < 0.9 else {}
    return {**alike(rng, sizes), **at_edge}


class _Walk:
    """n of N agents with a weight 1/m, losses B s |x| and B s tilt |x|, gradients +-B.

    The m agents within eps/2 are those n, and where some are at eps/2 itself, n is below m.  B is
    what makes the bound of the samples the number that is named.  The printed step times N/m is
    the same for every m.
    """

    def __init__(self, p: Any, up: bool) -> None:
        self.p, n, many = p, int(p.active), int(p.N)
        self.number = p.rounds - p.fraction if up else p.rounds + p.fraction
        close = int(p.counted)
        assert n == close or n == 1
        self.size = p.precision * root(self.number * close / Q(many)) / (2 * p.distance)
        self.inward = (1 + p.share * (1 + (n - 1) * p.tilt) / n) / 2
        self.awake = Q(n, many)
        self.horizons = range(int(p.rounds) if up else 1, int(p.rounds) + 1)
        self.bias = p.distance * self.size * p.share * (1 - p.tilt) if n > 1 else Q(0)

    def law(self, rounds: int) -> list[dict[Q, Q]]:
        """Laws of x^0 .. x^K with the step of K."""
        p, many, n = self.p, int(self.p.N), int(self.p.active)
        move = p.distance * root(Q(many, 2 * rounds * n))  # eta N lambda B
        laws = [{p.distance * p.offset: Q(1)}]
        for _ in range(rounds):
            after: dict[Q, Q] = {}
            for x, chance in laws[-1].items():
                side = 1 if x >= 0 else -1
                for y, part in (
                    (x, 1 - self.awake),
                    (x - side * move, self.awake * self.inward),
                    (x + side * move, self.awake * (1 - self.inward)),
                ):
                    if part:
                        after[y] = after.get(y, Q(0)) + chance * part
            laws.append(after)
        return laws

    def stays(self, rounds: int) -> bool:
        return all(abs(x) <= self.p.distance for law in self.law(rounds) for x in law)

    def gap(self, rounds: int, last: bool) -> Q:
        laws = self.law(rounds)[-1:] if last else self.law(rounds)[:-1]
        mean = [sum(c * abs(x) for x, c in law.items()) for law in laws]
        return self.size * self.p.share * sum(mean) / len(mean)


def close(up: bool, strict: bool) -> Callable[[Any], bool]:
    def given(p: Any) -> bool:
        w = _Walk(p, up)
        near = w.bias < p.precision / 2 if strict else w.bias <= p.precision / 2
        return near and all(w.stays(rounds) for rounds in w.horizons)

    return given


def reached(up: bool, last: bool) -> Callable[[Any], tuple[Q, Q]]:
    def sides(p: Any) -> tuple[Q, Q]:
        """Precision eps after some number of samples within the bound."""
        w = _Walk(p, up)
        return min(w.gap(rounds, last) for rounds in w.horizons), p.precision

    return sides


# -- Theorem 3.a -----------------------------------------------------------------------------------


def matrix(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """No model starts at a kink, where an oracle may take any subgradient."""
    n = int(sizes["N"])
    rows = [[Q(rng.randint(1, 8), 8) for _ in range(n)] for _ in range(n)]
    while n == 2 and rows[0][0] * rows[1][1] == rows[0][1] * rows[1][0]:
        rows[0][0] += Q(1, 8)
    return {
        "rows": rows,
        "slope_share": [between(rng, 0, 1) for _ in range(n)],
        "centre": [between(rng, -2, 2) for _ in range(n)],
        "size": log_between(rng, -3, 3),
        "start": between(rng, -2, 2) + Q(1, 97),
    }


def _rows(p: Any) -> list[list[Q]]:
    return [[x / sum(row) for x in row] for row in p.rows]


def is_any_model(p: Any) -> bool:
    """Lambda is invertible: the function (8) of y has one minimiser, y = Lambda^-1 x^*."""
    lam = _rows(p)
    return len(lam) == 1 or lam[0][0] * lam[1][1] != lam[0][1] * lam[1][0]


def _minimiser(lam: list[list[Q]], best: list[Q]) -> list[Q]:
    """x^Lambda: a minimiser of y -> mean f_i((Lambda y)_i)."""
    if len(lam) == 1:
        return best
    (a, b), (c, d) = lam
    return [
        (d * best[0] - b * best[1]) / (a * d - b * c),
        (a * best[1] - c * best[0]) / (a * d - b * c),
    ]


def theorem3a(p: Any) -> tuple[Q, Q]:
    """Mean over rounds, agents that are drawn and signs of F^k, against the root and the bias."""
    lam, n, rounds = _rows(p), len(p.rows), int(p.rounds)
    mass = sum(x * x for row in lam for x in row)
    far = sum((p.start - y) ** 2 for y in _minimiser(lam, p.centre))
    w = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in lam] for x in lam]
    slopes = [s * p.size for s in p.slope_share]
    step = root(2 * n * far / (rounds * mass)) / p.size
    law, total = {(p.start,) * n: Q(1)}, Q(0)
    for _ in range(rounds):
        after: dict[tuple[Q, ...], Q] = {}
        for models, chance in law.items():
            gaps = (s * abs(x - m) for s, x, m in zip(slopes, models, p.centre, strict=True))
            total += chance * sum(gaps) / n
            for i in range(n):
                side = 1 if models[i] >= p.centre[i] else -1
                for sign in (1, -1):
                    part = chance * (1 + sign * side * p.slope_share[i]) / (2 * n)
                    if part:
                        move = step * sign * p.size
                        new = tuple(x - move * w[j][i] for j, x in enumerate(models))
                        after[new] = after.get(new, Q(0)) + part
        law = after
    bias = sum(
        lam[i][j] * slopes[i] * abs(p.centre[j] - p.centre[i]) for i in range(n) for j in range(n)
    )
    return total / rounds, p.size * root(2 * far * mass / (n * rounds)) + bias / n
