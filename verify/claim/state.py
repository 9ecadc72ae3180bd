"""What the functions of a statement keep between two calls: counters, lists, iterators.

A side is a function of one instance.  One that counts its calls may answer differently when nobody
looks, so what its functions refer to outside themselves is written down before and after.  Entries
that are added to a dict, as a memory of values does, are no state by themselves.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from types import BuiltinFunctionType, FunctionType, GeneratorType, ModuleType
from typing import Any

import numpy as np

from verify.claim.program import functions_of
from verify.claim.statement import Statement

__all__ = ["changed_state", "state_of"]

DEPTH = 3
"""Objects within objects that are looked into."""
MOST = 64
"""Items of a collection that are looked at; its length tells of more."""

STILL = (FunctionType, BuiltinFunctionType, ModuleType)
"""Types of what most names of a function refer to, which keep nothing by themselves."""

State = Mapping[str, Any]


def state_of(statement: Statement) -> State:
    """What the functions of a statement refer to outside themselves, by name, as plain data."""
    found: dict[str, Any] = {}
    for function in {id(one): one for one in functions_of(statement)}.values():
        for name, value in _outside(function):
            if name not in found and type(value) not in STILL:
                found[name] = _plain(value, DEPTH)
    return found


def changed_state(before: State, after: State) -> str:
    """Name of what is no longer what it was; empty where all is."""
    for name, value in before.items():
        if name in after and not _kept(value, after[name]):
            return name
    return ""


def _outside(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Names of a function whose values outlive a call."""
    space, code = function.__globals__, function.__code__
    for name in (n for n in code.co_names if n in space):
        yield name, space[name]
        if isinstance(space[name], ModuleType):
            inside = vars(space[name])
            yield from ((f"{name}.{n}", inside[n]) for n in code.co_names if n in inside)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=False):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not bound yet
            continue
    if vars(function):
        yield f"the attributes of {function.__name__}", vars(function)
    if function.__defaults__:
        yield f"the defaults of {function.__name__}", function.__defaults__


def _plain(value: Any, depth: int) -> Any:
    """A value as data that later changes of it do not reach; None for what has no state."""
    if value is None or isinstance(value, ModuleType | Statement) or depth < 0:
        return None  # a statement is a record, beside which its terms are remembered
    if isinstance(value, type):
        return {k: _plain(v, depth - 1) for k, v in vars(value).items() if not k.startswith("__")}
    if isinstance(value, int | str | bytes):
        return value
    if isinstance(value, float | complex):
        return repr(value)  # nan is nan
    if isinstance(value, np.ndarray):
        return value.tobytes() if value.dtype != object else repr(value)
    if isinstance(value, random.Random):
        return value.getstate()
    if isinstance(value, np.random.Generator):
        return repr(value.bit_generator.state)
    if isinstance(value, GeneratorType):
        frame = value.gi_frame
        return None if frame is None else (frame.f_lasti, repr(sorted(frame.f_locals.items())))
    if isinstance(value, Mapping):
        return {repr(k): _plain(v, depth - 1) for k, v in islice(value.items(), MOST)}
    if isinstance(value, list | tuple | set | frozenset | deque):
        return [len(value), *(_plain(v, depth - 1) for v in islice(value, MOST))]
    if isinstance(value, Iterator):
        hint = getattr(value, "__length_hint__", None)
        return repr(value), hint() if callable(hint) else None
    own = getattr(value, "__dict__", None)
    if not isinstance(own, dict):
        return None
    return {"": _plain(type(value), depth - 1), **{k: _plain(v, depth - 1) for k, v in own.items()}}


def _kept(before: Any, after: Any) -> bool:
    """Whether a value is what it was, or a dict with more entries."""
    if isinstance(before, dict) and isinstance(after, dict):
        return all(k in after and _kept(v, after[k]) for k, v in before.items())
    return bool(before == after)
