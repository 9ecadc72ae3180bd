"""Exact runs on parabolas: gradient descent with noise, of which second moments are all that count.

Where gradients are linear the mean of a parabola at a model depends on the means and the products
of noises alone.  So noise is drawn with the variance that is said, of mean zero and uncorrelated
between rounds, on few outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from verify.proof.bridge import ExactRun

__all__ = ["LOOKED_AT", "descent"]

LOOKED_AT = 2
"""Rounds of an exact run that facts and products are held to, beside its last model."""
FINE = 2**20
"""One over the square of the step between sizes of noise."""

Point = tuple[Fraction, ...]
Loss = tuple[Callable[[Point], Fraction], Callable[[Point], Point]]


def descent(
    numbers: Mapping[str, Any],
    curves: Sequence[Sequence[Fraction]],
    centres: Sequence[Sequence[Fraction]],
    start: Sequence[Fraction],
    share: Sequence[Fraction],
    axis: int,
) -> ExactRun:
    """Descent on the mean of sum_c h_c (x_c - m_c)^2/2 by weights; all h or all m are alike.

    Parameters
    ----------
    numbers : mapping
        ``eta``, ``spread`` (the variance of the noise) and ``K`` among them.
    curves, centres : sequence of sequence of Fraction
        h and m of each client, those of the first client's loss G first.
    start, share : sequence of Fraction
    axis : int
        Where the noise lies.
    """
    rounds = int(numbers["K"])
    losses = [_parabola(curve, centre) for curve, centre in zip(curves, centres, strict=True)]
    middle = tuple(
        sum((p * m[k] for p, m in zip(share, centres, strict=True)), Fraction(0))
        for k in range(len(start))
    )
    chances, noises = _noise(numbers["spread"], rounds, len(start), axis)
    paths = [_path(start, numbers["eta"], share, losses, noise) for noise in noises]
    zero = (Fraction(0),) * len(start)
    first = (lambda _, x: losses[0][0](x), lambda _, x: losses[0][1](x))
    return ExactRun(
        chances,
        share,
        numbers={name: _entry(value) for name, value in numbers.items()},
        vectors={
            "x": lambda _, o, i, t: paths[o][t],
            "n": lambda _, o, i, t: noises[o][t] if t < rounds else zero,
            "star": lambda *_: middle,
        },
        functions={
            "f": (lambda i, x: losses[i][0](x), lambda i, x: losses[i][1](x)),
            "G": first,
        },
    )


def _parabola(curve: Sequence[Fraction], centre: Sequence[Fraction]) -> Loss:
    parts = list(zip(curve, centre, strict=True))

    def value(x: Point) -> Fraction:
        return sum((h * (a - m) ** 2 for a, (h, m) in zip(x, parts, strict=True)), Fraction(0)) / 2

    def slope(x: Point) -> Point:
        return tuple(h * (a - m) for a, (h, m) in zip(x, parts, strict=True))

    return value, slope


def _path(
    start: Sequence[Fraction],
    eta: Fraction,
    share: Sequence[Fraction],
    losses: Sequence[Loss],
    noise: Sequence[Point],
) -> list[Point]:
    path = [tuple(start)]
    for n in noise:
        slopes = [slope(path[-1]) for _, slope in losses]
        mean = [sum(p * g[k] for p, g in zip(share, slopes, strict=True)) for k in range(len(n))]
        path.append(tuple(a - eta * (g + e) for a, g, e in zip(path[-1], mean, n, strict=True)))
    return path


def _noise(
    variance: Fraction, rounds: int, axes: int, axis: int
) -> tuple[list[Fraction], list[list[Point]]]:
    """Chances of outcomes, and the noise of each round in each, along one axis.

    The signs are columns of a Hadamard matrix; with the rest of the chance there is no noise.
    """
    size = Fraction(isqrt(int(variance * FINE)) + 1, isqrt(FINE))
    many = 1 << rounds.bit_length()
    chance = variance / size**2

    def along(value: Fraction) -> Point:
        return tuple(value if k == axis else Fraction(0) for k in range(axes))

    def at(row: int, column: int) -> Point:
        return along(-size if (row & column).bit_count() % 2 else size)

    noises = [[at(row, t + 1) for t in range(rounds)] for row in range(many)]
    noises.append([along(Fraction(0))] * rounds)
    return [chance / many] * many + [1 - chance], noises


def _entry(value: Any) -> Any:
    if not isinstance(value, list):
        return lambda *_: Fraction(value)
    return lambda place: value[place] if place < len(value) else Fraction(0)
