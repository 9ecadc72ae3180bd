"""Formulas by chance: as data, as a program, and with a value that nothing of the package computes.

A formula is a tuple, its first entry says what it is.  `drawn` makes one, `program` calculates it
with the package's functions, as a statement does, and `value` with sixty digits of mpmath, beside
which it bounds how far a float may be off (a running error analysis).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import mpmath

from bounds import generic as xp

__all__ = ["MP", "NoPoint", "Number", "drawn", "program", "said", "smaller", "value"]

Tree = tuple[Any, ...]
MP = mpmath.MPContext()
MP.dps = 60

UNIT = MP.mpf(2) ** -52
"""Twice the largest relative error of one operation of floats: functions may be off by a unit."""
LARGE, SMALL = 10**6, 1e-3
"""Sizes beyond which a point is left out: of what is divided by, or put into an exponential."""

BOTH = ("+", "-", "*", "/", "max", "min")
ONE = ("neg", "abs", "square", "cube", "sqrt", "exp", "log", "part")
OVER = ("total", "mean", "largest", "smallest")


class NoPoint(Exception):
    """A formula has no value at a point, or floats cannot tell which it has."""


@dataclass(frozen=True)
class Number:
    """A value, and how far floats may be off."""

    at: Any
    off: Any


# -- drawing --------------------------------------------------------------------------------------


def drawn(rng: Random, depth: int, vector: bool = False) -> Tree:
    """A formula; of a ``vector`` it has an entry for each client."""
    if depth == 0:
        if vector:
            return ("name", rng.choice(("u", "v")))
        constant = ("number", Fraction(rng.randint(1, 9), rng.choice((1, 1, 2, 3, 4))))
        return rng.choice((("name", "x"), ("name", "y"), ("name", "z"), constant))
    less = rng.randrange(depth)
    kind = rng.randrange(10)
    if kind < 5:
        first = drawn(rng, depth - 1, vector)
        second = drawn(rng, less, vector and rng.random() < 2 / 3)
        pair = (first, second) if rng.random() < 1 / 2 else (second, first)
        return (rng.choice(BOTH), *pair)
    if kind < 8:
        return (rng.choice(ONE), drawn(rng, depth - 1, vector))
    if kind == 8:
        parts = [drawn(rng, rng.randrange(depth)) for _ in range(2)]
        return (
            ("where", *parts, drawn(rng, less), drawn(rng, less))
            if not vector
            else (
                "+",
                drawn(rng, depth - 1, True),
                parts[0],
            )
        )
    if vector:
        return ("*", drawn(rng, depth - 1, True), drawn(rng, less))
    return (rng.choice(OVER), drawn(rng, depth - 1, True))


def is_vector(tree: Tree) -> bool:
    """Whether a formula has an entry for each client."""
    if tree[0] == "name":
        return tree[1] in ("u", "v")
    return tree[0] not in ("number", *OVER) and any(is_vector(part) for part in tree[1:])


def smaller(tree: Tree) -> Sequence[Tree]:
    """Formulas that a failing one may be replaced by: its parts, and itself with smaller parts."""
    parts = [part for part in tree[1:] if isinstance(part, tuple)]
    found = [part for part in parts if is_vector(part) == is_vector(tree)]
    for place, part in enumerate(tree):
        if isinstance(part, tuple):
            found += [(*tree[:place], one, *tree[place + 1 :]) for one in smaller(part)]
    return found


def said(tree: Tree) -> str:
    """A formula to be read in a message."""
    if tree[0] in ("name", "number"):
        return str(tree[1])
    return f"{tree[0]}({', '.join(map(said, tree[1:]))})"


# -- as a program of the package ------------------------------------------------------------------

_PROGRAM: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "abs": abs,
    "square": lambda a: a**2,
    "cube": lambda a: a**3,
    "sqrt": lambda a: xp.sqrt(abs(a)),
    "exp": xp.exp,
    "log": lambda a: xp.log(1 + abs(a)),
    "part": xp.positive_part,
    "max": xp.maximum,
    "min": xp.minimum,
    "total": xp.total,
    "mean": xp.mean,
    "largest": xp.largest,
    "smallest": xp.smallest,
    "where": lambda a, b, c, d: xp.where(a < b, c, d),
}


def program(tree: Tree, world: Any) -> Any:
    """What a statement's program would calculate."""
    if tree[0] == "name":
        return getattr(world, tree[1])
    if tree[0] == "number":
        return tree[1]
    parts = [program(part, world) for part in tree[1:]]
    if is_vector(tree) or tree[0] in OVER:
        kinds = map(is_vector, tree[1:])
        parts = [
            part if kind or isinstance(part, Fraction) else xp.trailing(part)
            for part, kind in zip(parts, kinds, strict=True)
        ]
    if all(isinstance(part, Fraction) for part in parts):  # no program has arrays of one's own
        parts[0] = parts[0] + 0 * world.x
    return _PROGRAM[tree[0]](*parts)


# -- its value ------------------------------------------------------------------------------------


def value(tree: Tree, at: Mapping[str, Any]) -> Any:
    """A `Number`, of a vector a list of them, at rational numbers.

    Raises
    ------
    NoPoint
    """
    if tree[0] == "name":
        found = at[tree[1]]
        return [_given(one) for one in found] if isinstance(found, list) else _given(found)
    if tree[0] == "number":
        return _given(tree[1])
    parts = [value(part, at) for part in tree[1:]]
    if tree[0] in OVER:
        return _over(tree[0], parts[0])
    count = next((len(part) for part in parts if isinstance(part, list)), None)
    if count is None:
        return _one(tree[0], *parts)
    rows = [part if isinstance(part, list) else [part] * count for part in parts]
    return [_one(tree[0], *row) for row in zip(*rows, strict=True)]


def _given(number: Fraction) -> Number:
    exact = MP.mpf(number.numerator) / number.denominator
    return Number(exact, abs(exact) * UNIT)


def _rounded(at: Any, off: Any) -> Number:
    if abs(at) > LARGE or off > abs(at) / LARGE + UNIT * LARGE:
        raise NoPoint("too large, or nothing is left of it in floats")
    return Number(at, off + abs(at) * UNIT)


def _over(name: str, parts: list[Number]) -> Number:
    if name in ("total", "mean"):
        whole = sum(part.at for part in parts)
        off = sum(part.off for part in parts) + UNIT * len(parts) * sum(abs(p.at) for p in parts)
        count = len(parts) if name == "mean" else 1
        return _rounded(whole / count, off / count)
    best = (max if name == "largest" else min)(parts, key=lambda part: part.at)
    return Number(best.at, max(part.off for part in parts))


def _one(name: str, a: Number, *more: Number) -> Number:
    if name == "where":
        b, c, d = more
        if abs(a.at - b.at) <= a.off + b.off:
            raise NoPoint("floats cannot compare it")
        return c if a.at < b.at else d
    return _rounded(*(_BOTH[name](a, *more) if more else _ONE[name](a)))


def _quotient(a: Number, b: Number) -> tuple[Any, Any]:
    if abs(b.at) < SMALL:
        raise NoPoint("divided by nearly nothing")
    found = a.at / b.at
    return found, (a.off + abs(found) * b.off) / (abs(b.at) - b.off)


def _exponential(a: Number) -> tuple[Any, Any]:
    if a.at > 12:
        raise NoPoint("too large")
    return MP.exp(a.at), MP.exp(a.at) * 2 * a.off


def _root(a: Number) -> tuple[Any, Any]:
    size = abs(a.at)
    if 0 < size <= 2 * a.off:
        raise NoPoint("floats do not know it from zero")
    return MP.sqrt(size), a.off / MP.sqrt(size) if size else MP.sqrt(a.off)


_BOTH: Mapping[str, Callable[[Number, Number], tuple[Any, Any]]] = {
    "+": lambda a, b: (a.at + b.at, a.off + b.off),
    "-": lambda a, b: (a.at - b.at, a.off + b.off),
    "*": lambda a, b: (a.at * b.at, abs(a.at) * b.off + abs(b.at) * a.off + a.off * b.off),
    "/": _quotient,
    "max": lambda a, b: (max(a.at, b.at), max(a.off, b.off)),
    "min": lambda a, b: (min(a.at, b.at), max(a.off, b.off)),
}
_ONE: Mapping[str, Callable[[Number], tuple[Any, Any]]] = {
    "neg": lambda a: (-a.at, a.off),
    "abs": lambda a: (abs(a.at), a.off),
    "square": lambda a: (a.at**2, 2 * abs(a.at) * a.off + a.off**2),
    "cube": lambda a: (a.at**3, 3 * (abs(a.at) + a.off) ** 2 * a.off),
    "sqrt": _root,
    "exp": _exponential,
    "log": lambda a: (MP.log(1 + abs(a.at)), a.off + UNIT),
    "part": lambda a: (max(a.at, MP.mpf(0)), a.off),
}
