"""Values of terms: each node is evaluated once in a world, in the world's own kind of number.

The operations are those that a program calls itself, so that a term has the very value of the
program that it was traced from, in floats, fractions, balls and symbols alike.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import isfinite, prod
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.ball import exact_float
from bounds.numbers.formal import in_force, listed_axis
from bounds.numbers.symbolic import Symbolic
from verify.claim import laws
from verify.terms.node import Node
from verify.terms.traced import HERE, OPERATORS
from verify.terms.vocabulary import quantity_named

__all__ = ["function_named", "lengths_counted", "value_of"]

_COUNTED: ContextVar[bool] = ContextVar("lengths of formal axes are symbols", default=False)


@contextmanager
def lengths_counted() -> Iterator[None]:
    """Inside the block the length of an axis that stands for any number is a symbol.

    Elsewhere it is the number of entries that are written out.
    """
    token = _COUNTED.set(True)
    try:
        yield
    finally:
        _COUNTED.reset(token)


def value_of(term: Node, world: Any, known: dict[Node, Any]) -> Any:
    """Value of a term.

    Parameters
    ----------
    term : Node
    world : World
    known : dict
        Values of nodes in this world; filled on the way.
    """
    found = known.get(term, known)
    if found is not known:
        return found
    for part in term.order:
        if part not in known:
            known[part] = _RULES[part.op](part, world, [known[one] for one in part.inputs])
    return known[term]


def _in_floats(world: Any) -> bool:
    """Whether numbers are floats there; what is traced is evaluated on all numbers."""
    return not _traces(world) and bool(world.number == "float64")


def _is_exact(world: Any) -> bool:
    return not _traces(world) and bool(world.number == "exact")


def _traces(world: Any) -> bool:
    return getattr(type(world), "traces", False)


def _constant(part: Node, world: Any, _: list[Any]) -> Any:
    if type(part.data) is Fraction and _in_floats(world):
        return float(part.data)
    if type(part.data) is float and isfinite(part.data) and _is_exact(world):
        exact_float(part.data)  # a comparison with it leaves no trace of it
    return part.data


def _called(part: Node) -> tuple[int, tuple[str, ...]]:
    _, count, names = part.data
    return count, names


def _split(part: Node, inputs: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    count, names = _called(part)
    return inputs[:count], dict(zip(names, inputs[count:], strict=True))


def function_named(name: str) -> Callable[..., Any]:
    """The function that a term names, ``module:name``."""
    # what a user's file defines may be another function after the file was read again
    return _of_package(name) if name.startswith("bounds.") else _found(name)


def _found(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)  # type: ignore[no-any-return]


_of_package = lru_cache(512)(_found)


def _generic(part: Node, world: Any, inputs: list[Any]) -> Any:
    args, kwargs = _split(part, inputs)
    home, _, name = part.data[0].partition(":")
    if _traces(world):  # asks what it is given before it calculates
        return getattr(xp, name)(*args, **kwargs)
    own = world.on_unknowns.get(name) if home.startswith("bounds.") else None
    if own is not None:  # numbers without an order have functions of their own
        return own(*args, **kwargs)
    return function_named(part.data[0])(*args, **kwargs)


def _numpy(part: Node, _: Any, inputs: list[Any]) -> Any:
    args, kwargs = _split(part, inputs)
    return getattr(np, part.data[0])(*args, **kwargs)


def _ufunc(part: Node, _: Any, inputs: list[Any]) -> Any:
    args, kwargs = _split(part, inputs)
    name, method = part.data[0]
    return getattr(getattr(np, name), method)(*args, **kwargs)


def _method(part: Node, _: Any, inputs: list[Any]) -> Any:
    (x, *args), kwargs = _split(part, inputs)
    return getattr(x, part.data[0])(*args, **kwargs)


def _operator(part: Node, world: Any, inputs: list[Any]) -> Any:
    if part.data in ("/", "**") and _whole(inputs) and not _in_floats(world):
        exponent = inputs[1]
        if part.data == "/":
            return Fraction(inputs[0], exponent)
        return Fraction(inputs[0]) ** exponent if exponent < 0 else inputs[0] ** exponent
    return OPERATORS[part.data](*inputs)


def _whole(values: list[Any]) -> bool:
    """Whether all are plain whole numbers, of which a quotient is no float among exact numbers."""
    return all(type(value) is int for value in values)


def _index(part: Node, _: Any, inputs: list[Any]) -> Any:
    at = iter(inputs[1:])
    key = tuple(_place(one, at) for one in part.data)
    return inputs[0][key if len(key) > 1 else key[0]]


def _place(one: Any, at: Any) -> Any:
    if one is HERE:
        return next(at)
    if isinstance(one, tuple):
        return slice(*(_place(end, at) for end in one))
    return one


def _length(part: Node, _: Any, inputs: list[Any]) -> Any:
    length = np.shape(inputs[0])[part.data]
    axis = listed_axis(length) if _COUNTED.get() and in_force() else None
    return Symbolic(axis.count) if axis is not None and length == axis.size else length


def _array(part: Node, _: Any, inputs: list[Any]) -> Any:
    return np.array(inputs[0], dtype=part.data)


def _tuple(part: Node, _: Any, inputs: list[Any]) -> Any:
    return tuple(inputs) if part.data == "tuple" else list(inputs)


def _run(part: Node, world: Any, inputs: list[Any]) -> Any:
    method, names = part.data
    rounds, *hyper = inputs
    return world.run(method, rounds, **dict(zip(names, hyper, strict=True)))


def _repeated(part: Node, world: Any, inputs: list[Any]) -> Any:
    """A sum or product of a piece, a letter of which is each whole number from one to another."""
    name, letter, body, outer = part.data
    low, high, start, *others = inputs
    known = dict(zip(outer, others, strict=True))
    entries = (value_of(body, world, {**known, letter: k}) for k in range(low, high + 1))
    return (sum if name == "sum" else prod)(entries, start=start)


def _averaged(part: Node, world: Any, inputs: list[Any]) -> Any:
    """A mean or probability of a piece, letters of which are random variables."""
    name, listed, letters, body, outer = part.data
    given = iter(inputs)
    drawn = [getattr(laws, law)(*islice(given, count)) for law, count in listed]
    known = dict(zip(outer, given, strict=True))

    def rule(*values: Any) -> Any:
        return value_of(body, world, {**known, **dict(zip(letters, values, strict=True))})

    return getattr(laws, name)(rule, *drawn)


_RULES: Mapping[str, Callable[[Node, Any, list[Any]], Any]] = {
    "array": _array,
    "averaged": _averaged,
    "attribute": lambda part, world, inputs: getattr(inputs[0], part.data),
    "call": _method,
    "constant": _constant,
    "counted": lambda part, world, inputs: getattr(math, part.data)(*inputs),
    "count": lambda part, world, inputs: inputs[0],
    "entry at": lambda part, world, inputs: inputs[0][inputs[1]],
    "entry": lambda part, world, inputs: inputs[0][part.data],
    "function": lambda part, world, inputs: function_named(part.data),
    "generic": _generic,
    "given": lambda part, world, inputs: world.given(part.data),
    "has": lambda part, world, inputs: world.has(part.data),
    "index": _index,
    "length": _length,
    "literal": lambda part, world, inputs: world.array(inputs[0]),
    "mean": lambda part, world, inputs: world.mean(inputs[0]),
    "method": _method,
    "numpy": _numpy,
    "operator": _operator,
    "original": lambda part, world, inputs: world.original(part.data),
    "outcome weights": lambda part, world, inputs: world.outcome_weights,
    "plain": lambda part, world, inputs: world.original(part.data),
    "probability": lambda part, world, inputs: world.probability(inputs[0]),
    "problem": lambda part, world, inputs: world.problem,
    "repeated": _repeated,
    "quantity": lambda part, world, inputs: quantity_named(part.data)(world, *inputs),
    "run": _run,
    "original size": lambda part, world, inputs: world.original(part.data),
    "size": lambda part, world, inputs: world.symbol(part.data),
    "slice": lambda part, world, inputs: slice(*inputs),
    "symbol": lambda part, world, inputs: world.symbol(part.data),
    "tuple": _tuple,
    "ufunc": _ufunc,
    "weights": lambda part, world, inputs: world.weights,
}
"""What each operation does, from its node, the world and the values of its inputs."""
