"""Scalar pieces of the serial twins: lists of numbers, gradients at a point, schedules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers import Ball, Undecided

Number = Any
Point = list[Number]
Hyper = Mapping[str, Any]
Result = dict[str, Any]


def moved(x: Point, eta: Number, g: Point) -> Point:
    """A step of size eta against a gradient: x - eta g."""
    return [a - eta * b for a, b in zip(x, g, strict=True)]


def gradients(problem: Any, point: Point) -> list[Point]:
    """Gradient of every client's loss at one point."""
    return list(as_list(problem.gradients(as_array(problem, point))))


def noisy_gradients(problem: Any, point: Point, u: Any) -> list[Point]:
    """Stochastic gradient of every client at one point, from a draw of each."""
    drawn = problem.stochastic_gradients(as_array(problem, point), as_array(problem, u))
    return list(as_list(drawn))


def one_gradient(problem: Any, point: Point, k: int, u: Any) -> Point:
    """g_k at a point, from the draw u of client k."""
    return noisy_gradients(problem, point, [u] * problem.clients)[k]


def positive(x: Number) -> Number:
    """The positive part of x."""
    return larger(x, 0 * x)


def larger(x: Number, y: Number) -> Number:
    """The maximum; of two balls that overlap, the smallest ball that holds it."""
    try:
        return x if x >= y else y
    except Undecided:
        low, high = zip(_ends(x), _ends(y), strict=True)
        return Ball(max(low), max(high))


def focus_of(clients: int, hyper: Hyper) -> list[int]:
    """Clients whose models are wanted; all if none is named."""
    focus = hyper.get("focus")
    if focus is None:
        return list(range(clients))
    return [focus] if isinstance(focus, int) else list(focus)


def start_of(hyper: Hyper, i: int) -> Point:
    """Where client i begins: a start of its own, or that of all."""
    point: Point = hyper["starts"][i] if hyper.get("starts") is not None else hyper["start"]
    return point


def at_round(hyper: Hyper, name: str, t: int) -> Number:
    """A schedule's entry, or the constant."""
    return hyper[name + "s"][t] if hyper.get(name + "s") is not None else hyper[name]


def present(hyper: Hyper, t: int, n: int) -> list[int]:
    """1 for the clients that take part in round t; one row stands for every round."""
    rows = hyper.get("participation")
    if rows is None:
        return [1] * n
    row = rows[0] if len(rows) == 1 else rows[t]
    return [int(x) for x in row]


def per_client(value: Any, n: int) -> Point:
    """One value for each of n clients; a single one stands for all."""
    if isinstance(value, list):
        return value * n if len(value) == 1 else value
    return [value] * n


def steps_of(hyper: Hyper, k: int) -> int:
    """Local steps of client k: one number for all, or a list."""
    steps = hyper.get("local_steps", 1)
    return int(steps[k] if isinstance(steps, list) else steps)


def plain_hyper(hyper: Hyper) -> dict[str, Any]:
    """Hyper-parameters with every array as nested lists."""
    return {name: as_list(value) for name, value in hyper.items()}


def as_list(value: Any) -> Any:
    """Arrays as nested lists; everything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def as_array(problem: Any, values: Any) -> Any:
    """An array of the problem's own dtype, so that exact numbers stay exact."""
    return np.array(values, dtype=problem.optimum.dtype)


def _ends(x: Number) -> tuple[Fraction, Fraction]:
    return (x.lo, x.hi) if isinstance(x, Ball) else (Fraction(x), Fraction(x))
