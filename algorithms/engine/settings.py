"""Hyper-parameters as a run reads them: arrays of one kind, with the axes that a method names."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from algorithms.engine.arrays import spread
from algorithms.method import Hyper, Method, names_of
from bounds.generic import to_float
from bounds.numbers.asked import all_floats
from bounds.numbers.kinds import is_torch
from bounds.numbers.validate import InvalidInput, finite, require

if TYPE_CHECKING:
    from torch import Tensor

STEPS = ("step_size", "step_sizes", "inner_step", "server_step", "dual_step", "gamma_step")
"""Names under which a method has its step sizes."""

__all__ = ["as_alike", "known", "lengths", "like_of", "named", "not_negative", "recorded"]


def as_alike(method: Method, problem: Any, hyper: Hyper, like: Any) -> dict[str, Any]:
    """Hyper-parameters with their arrays of another one's kind: its library, dtype and device.

    A trailing client axis may be missing (a number for all clients) or have length 1. What is None
    is absent.

    Parameters
    ----------
    method : Method
        Names what it has, and the trailing axes.
    problem : Problem
        Its sizes.
    hyper : mapping
        Numbers, numpy arrays and tensors of any float dtype.
    like : float64 array or tensor

    Returns
    -------
    dict

    Raises
    ------
    InvalidInput
        On names that the method does not have, entries that are not finite, or arrays of the wrong
        shape.
    """
    named(method, hyper)
    out = {name: value for name, value in hyper.items() if value is not None}
    plain = isinstance(like, np.ndarray)
    for name, axes in method.axes.items():
        raw = out.get(name)
        if raw is None:
            continue
        value: Any = raw
        if plain and not (type(raw) is np.ndarray and raw.dtype == np.float64):
            value = _floats(name, raw)
        elif not plain:
            import torch  # takes seconds, and runs in numpy or fractions do without

            value = raw if isinstance(raw, torch.Tensor) else _floats(name, raw)
            value = torch.as_tensor(value, dtype=like.dtype, device=like.device)
        finite(name, value)
        out[name] = _fitted(name, value, _names(axes), problem)
    return out


def not_negative(hyper: Hyper) -> None:
    """Refuse step sizes below zero: such a run climbs its losses, and nothing else would say so.

    Raises
    ------
    InvalidInput
    """
    for name in (n for n in STEPS if hyper.get(n) is not None):
        least = float(np.min(to_float(hyper[name])))
        require(least >= 0, name, "at least 0", f"{least:g}", "drop the sign")


@lru_cache(maxsize=256)
def lengths(table: tuple[tuple[str, str], ...]) -> dict[str, int]:
    """How many trailing axes each entry of a table has."""
    return {name: len(_names(axes)) for name, axes in table}


def named(method: Method, hyper: Hyper) -> None:
    """Refuse hyper-parameters that the method does not have, if its class says which it has."""
    names = names_of(method)
    if names is not None:
        known(f"hyper-parameters of {method.name}", hyper, names)


def recorded(record: Collection[str] | None, table: Collection[str]) -> None:
    """Refuse names to record that are not in a method's tables, or one name that is no list."""
    if isinstance(record, str) or not isinstance(record, Collection | None):
        remedy = f'pass ["{record}"]' if isinstance(record, str) else "pass a list of names"
        require(False, "record", "a list of names", repr(record), remedy)
    known("record", record or (), table)


def known(what: str, names: Collection[str], table: Collection[str]) -> None:
    """Refuse a name that is not in a table, and say which is the nearest one that is."""
    for name in names:
        if name not in table:  # looking for near names takes longer than a short run
            near = get_close_matches(str(name), table, n=1)
            remedy = f"did you mean {near[0]}" if near else "use one of these"
            have = ", ".join(sorted(table))
            # raised whether or not checks are on: a name that nobody reads does nothing
            raise InvalidInput(f"{what} must be among {have}, got {name}: {remedy}.")


def like_of(problem: Any) -> Tensor:
    """A tensor of the problem, for its dtype and device."""
    import torch

    data = getattr(problem, "data", {})
    found = next((v for v in data.values() if isinstance(v, torch.Tensor)), None)
    require(
        found is not None,
        "problem",
        "one that holds torch tensors",
        type(problem).__name__,
        "convert it with problem.map(torch.as_tensor)",
    )
    assert found is not None
    return found


def _floats(name: str, raw: Any) -> Any:
    """A number, or an array of numbers, in float64."""
    try:
        if not (is_torch(raw) or all_floats(raw)):
            raise ValueError("some entry is no number")
        return to_float(raw)
    except ValueError as error:
        raise InvalidInput(
            f"{name} must be a real number or a full array of them, got {raw}: check its entries."
        ) from error


@lru_cache(maxsize=256)
def _names(axes: str) -> tuple[str, ...]:
    return tuple(axes.split())


def _fitted(name: str, value: Any, trailing: tuple[str, ...], problem: Any) -> Any:
    """A value whose axes of clients have one entry per client."""
    if not trailing:
        return value
    if value.ndim == 0:
        value = value[(None,) * len(trailing)]
    sizes = {"N": problem.clients, "d": problem.dim}
    shape = tuple(value.shape)
    free = len(shape) - len(trailing)
    given = shape[max(free, 0) :]
    full = tuple([sizes.get(axis, n) for axis, n in zip(trailing, given, strict=False)])
    if free >= 0 and given == full:
        return value
    fits = free >= 0 and all(
        n == size or (axis == "N" and n == 1)
        for axis, n, size in zip(trailing, given, full, strict=True)
    )
    need = f"of shape (..., {', '.join(str(sizes.get(a, a)) for a in trailing)})"
    require(fits, name, need, shape, "add or trim trailing axes")
    return spread(value, *shape[:free], *full)
