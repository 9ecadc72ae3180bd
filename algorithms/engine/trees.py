"""Structures of tensors: the tensors inside, the same with others, what a program of them is.

A traced program takes the tensors of a run as its inputs.  All else that its step reads is built
into it, so that it belongs to what it was traced with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from torch import Tensor

from algorithms.method import Method
from synthetic.noise.sources import Addressed
from synthetic.problem import Problem

__all__ = ["Unfit", "built_in", "leaves", "rebuild", "signature"]


class Unfit(Exception):
    """A step that cannot be one graph; carries the reason."""


def leaves(value: Any, seen: set[int] | None = None) -> Iterator[Tensor]:
    """All tensors inside, each once."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return
    if isinstance(value, Tensor):
        seen.add(id(value))
        yield value
    else:
        for inner in _inside(value):
            yield from leaves(inner, seen)


def rebuild(value: Any, function: Callable[[Tensor], Tensor], memo: Any = None) -> Any:
    """The same structure with other tensors; what is shared stays shared."""
    memo = {} if memo is None else memo
    if id(value) not in memo:
        memo[id(value)] = _rebuilt(value, function, memo)
    return memo[id(value)]


def _rebuilt(value: Any, function: Callable[[Tensor], Tensor], memo: Any) -> Any:
    if isinstance(value, Tensor):
        return function(value)
    if isinstance(value, dict):
        return {k: rebuild(v, function, memo) for k, v in value.items()}
    if type(value) in (list, tuple):
        return type(value)(rebuild(v, function, memo) for v in value)
    if isinstance(value, Problem | Addressed):
        other = object.__new__(type(value))
        other.__dict__.update({k: rebuild(v, function, memo) for k, v in value.__dict__.items()})
        return other
    return value


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [inner for _, inner in _entries(value)]
    if type(value) in (list, tuple):
        return list(value)
    return _inside(value.__dict__) if isinstance(value, Problem | Addressed) else []


def _entries(value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """Entries by name: in which order somebody has written them changes no program."""
    return sorted(value.items(), key=lambda entry: str(entry[0]))


def signature(value: Any, places: dict[int, int] | None = None) -> Any:
    """All that a traced program depends on: structure, shapes, and everything that is no tensor."""
    places = {} if places is None else places
    if isinstance(value, Tensor | dict | list | Problem | Addressed):
        if id(value) in places:
            return ("same", places[id(value)])
        places[id(value)] = len(places)
    if isinstance(value, Tensor):
        return (tuple(value.shape), value.stride(), value.dtype, str(value.device))
    if isinstance(value, dict):
        return tuple((k, signature(v, places)) for k, v in _entries(value))
    if isinstance(value, list | tuple):
        return (type(value), *(signature(v, places) for v in value))
    if isinstance(value, Problem | Addressed):
        return (type(value), signature(value.__dict__, places))
    if isinstance(value, np.ndarray):
        return (value.shape, str(value.dtype), value.tobytes())
    if value.__hash__ is None:
        raise Unfit(f"a {type(value).__name__} is no part of a program")
    return (type(value), value)


class _Itself:
    """An object as a key that equals no other; the key keeps it, so that no other takes its id."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def built_in(value: Any) -> Any:
    """What a program has of a method, or of one of its attributes: none of it is an input.

    Plain values, arrays and containers of them count by what they are, everything else by identity.
    """
    if isinstance(value, Method):
        return (type(value), built_in(vars(value)))
    if isinstance(value, dict):
        return (dict, *((built_in(k), built_in(v)) for k, v in value.items()))
    if type(value) in (list, tuple):
        return (type(value), *(built_in(v) for v in value))
    if isinstance(value, np.ndarray) and value.dtype != object:
        return (value.shape, str(value.dtype), value.tobytes())
    if value is None or isinstance(value, bool | int | float | str):
        return (type(value), value)
    return (_Itself(value), value._version if isinstance(value, Tensor) else 0)
