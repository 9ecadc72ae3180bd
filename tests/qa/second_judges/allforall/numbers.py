"""Numbers and runs of the second judges of the all-for-all paper, in fractions."""

from __future__ import annotations

from fractions import Fraction as Q
from itertools import product
from math import isqrt
from typing import Any

DIGITS = 10**40


def root(x: Q) -> Q:
    """Square root, to 20 digits at least."""
    x = Q(x)
    scale = DIGITS
    while x and x * scale < DIGITS:
        scale *= 10**20
    return Q(isqrt(x.numerator * scale * scale // x.denominator), scale)


def _short(x: Q) -> Q:
    """The same to 60 places, so that fractions stay short."""
    return Q(round(x * 10**60), 10**60)


def e_to(x: Q) -> Q:
    """Exponential, by its series at x/2^k."""
    halves = max(0, int(abs(x)).bit_length() + 2)
    small = _short(Q(x) / 2**halves)
    term = total = Q(1)
    for k in range(1, 40):
        term = _short(term * small / k)
        total += term
    for _ in range(halves):
        total = Q(round(total * total * 10**90), 10**90)
    return total


def ln(x: Q) -> Q:
    """Natural logarithm, by its series at x/2^k."""
    assert x > 0
    twos = x.numerator.bit_length() - x.denominator.bit_length()
    return _atanh(Q(x) / Q(2) ** twos) + twos * _atanh(Q(2))


def _atanh(x: Q) -> Q:
    z = _short((x - 1) / (x + 1))
    power, total = z, Q(0)
    for k in range(1, 140, 2):
        total += power / k
        power = _short(power * z * z)
    return 2 * total


def entropy(chances: list[Q]) -> Q:
    """In nats."""
    return -sum((c * ln(c) for c in chances if c), Q(0))


def fair_channel(size: int, error: Q) -> Q:
    """Information of answers that are wrong with this chance, all wrong ones alike."""
    return ln(Q(size)) - entropy([1 - error] + [error / (size - 1)] * (size - 1))


def mean_path(h: Q, square: Q, step: Q, variance: Q, rounds: int) -> list[Q]:
    """E x^2 along x <- (1 - step h) x + step noise."""
    path = [square]
    for _ in range(rounds):
        path.append(_short((1 - step * h) ** 2 * path[-1] + step**2 * variance))
    return path


def after_rounds(
    lam: list[list[Q]], bend: list[Q], error: list[Q], variance: Q, step: Q, rounds: int
) -> Q:
    """E F^K of Algorithm 1 with W = Lambda Lambda^T on quadratics with independent noises."""
    n = range(len(bend))
    w = [[sum(a * b for a, b in zip(lam[i], lam[j], strict=True)) for j in n] for i in n]
    move = [[(i == j) - step * w[i][j] * bend[j] for j in n] for i in n]
    second = [[error[i] * error[j] for j in n] for i in n]
    for _ in range(rounds):
        half = [[sum(move[i][k] * second[k][j] for k in n) for j in n] for i in n]
        second = [
            [
                sum(half[i][k] * move[j][k] for k in n)
                + step**2 * variance * sum(w[i][k] * w[j][k] for k in n)
                for j in n
            ]
            for i in n
        ]
    return sum(bend[i] * second[i][i] for i in n) / (2 * len(bend))


def walk(start: Q, move: Q, awake: Q, share: Q, rounds: int, last: bool, p: Any) -> Q:
    """E |x| of the last iterate or in mean over the rounds; steps +-move, inwards with (1+s)/2."""
    law, total = {Q(start): Q(1)}, Q(0)
    inward = (1 + share) / 2
    for _ in range(rounds):
        total += sum(c * abs(x) for x, c in law.items())
        after: dict[Q, Q] = {}
        for x, c in law.items():
            assert abs(x) <= p.distance
            side = 1 if x >= 0 else -1
            for y, chance in (
                (x, 1 - awake),
                (x - side * move, awake * inward),
                (x + side * move, awake * (1 - inward)),
            ):
                if chance:
                    after[y] = after.get(y, Q(0)) + c * chance
        law = after
    assert all(abs(x) <= p.distance for x in law)
    return sum(c * abs(x) for x, c in law.items()) if last else total / rounds


def simplex_gap(p: Any, number: Q, rounds: int, same_step: bool) -> Q:
    """Mean F over the rounds, with the step of Theorem 3.a or the best of all constant steps.

    f_i = s (1 - x_i/h)^+ + beta |<n, x> - h/sqrt N|; z is the distance from the plane.
    """
    size = p.precision * root(number) / (2 * p.distance)
    s, h, many = p.fill * p.precision / 2, p.ratio * p.distance, root(Q(p.N))
    beta, aside = size - s / h, s / h / many
    start = p.distance * p.offset
    assert beta > aside

    def mean(move: Q) -> Q:
        z, total = start, Q(0)
        for _ in range(rounds):
            total += beta * abs(z) + s * (1 - Q(1, p.N)) - aside * z
            z -= move * ((beta if z >= 0 else -beta) - aside)
        return total / rounds

    if same_step:
        return mean(root(Q(2)) * start / (size * root(Q(rounds))))
    # linear in the step between the steps at which some iterate meets the plane
    meets = {
        up * (beta - aside) - down * (beta + aside)
        for up, down in product(range(rounds + 1), repeat=2)
    }
    near = Q(1, 10**25)
    moves = [start / c * (1 + side * near) for c in meets if c > 0 for side in (-1, 0, 1)]
    return min(mean(move) for move in [Q(0), *moves])
