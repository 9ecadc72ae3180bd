"""Reading a problem's data: shapes by axis names, one number kind, one error form."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from bounds.numbers import as_rational
from bounds.numbers.shapes import Array
from bounds.numbers.validate import InvalidInput, checking, finite, nonnegative, positive, require

"""A numpy float64 array, a torch tensor, or a numpy object array of exact numbers."""

Power = int | float


@dataclass(frozen=True)
class Field:
    """One array of a problem's data.

    Attributes
    ----------
    axes : str
        Names of the trailing axes, such as ``"N d d"``. ``N`` is the number of clients and
        ``d`` the dimension; every letter has one size over all fields of a problem. Axes
        before these are leading axes and only have to broadcast.
    unit : (power of loss, power of length)
    sign : "any", "nonnegative" or "positive"
    required : bool
    """

    axes: str
    unit: tuple[Power, Power]
    sign: Literal["any", "nonnegative", "positive"] = "any"
    required: bool = False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the trailing axes."""
        return tuple(self.axes.split())

    @cached_property
    def rank(self) -> int:
        """Number of trailing axes."""
        return len(self.names)


def read_fields(
    data: Mapping[str, Any], fields: Mapping[str, Field], options: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, int], tuple[int, ...]]:
    """Read arrays and options.

    Returns
    -------
    data : dict
        Arrays of one number kind (exact if one of them is exact, else torch if one of them
        is a tensor) and the options that were given.
    sizes : dict
        Size of every named axis.
    leading : tuple of int
        The broadcast shape of all leading axes.

    Raises
    ------
    InvalidInput
        On unknown or missing names, shapes that disagree, NaN or infinity, wrong signs.
    """
    _known_names(data, {**fields, **options})
    for name, field in fields.items():
        if field.required and data.get(name) is None:
            remedy = f"pass an array with trailing axes ({field.axes})"
            require(False, name, "given", "nothing", remedy)
    arrays = {n: as_array(n, data[n]) for n in fields if data.get(n) is not None}
    arrays = unify(arrays)
    sizes: dict[str, int] = {}
    leading: tuple[int, ...] = ()
    checks = checking()
    for name, array in arrays.items():
        leading = _broadcast(name, leading, _match(name, array, fields[name], sizes))
        if checks:
            _check_values(name, array, fields[name].sign)
    given = {n: data[n] for n in options if n in data}
    return {**arrays, **given}, sizes, leading


def as_array(name: str, value: Any) -> Array:
    """Bring a value to one of the three number kinds.

    Tensors stay tensors (integers become float64), nested lists and scalars become float64,
    or an object array where an entry is a Fraction, another exact number or text "p/q".
    """
    if type(value) is np.ndarray and value.dtype.char == "d":
        return value.copy()
    if is_tensor(value):
        return value if value.is_floating_point() else value.double()
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise InvalidInput(
            f"{name} must be a rectangular array, got ragged rows: pad or split it."
        ) from error
    if array.dtype == object:
        return np.asarray(np.frompyfunc(_exact_entry, 1, 1)(array), dtype=object)
    if array.dtype.kind == "U":
        return _read_text(name, array)
    numeric = array.dtype.kind in "biuf"
    require(numeric, name, "an array of real numbers", array.dtype, "pass numbers, not text")
    return array.astype(np.float64)


def unify(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Give all arrays the most demanding kind among them, floats converted exactly."""
    if all(type(x) is np.ndarray and x.dtype.char == "d" for x in arrays.values()):
        return dict(arrays)
    if any(is_exact(x) for x in arrays.values()):
        return {n: x if is_exact(x) else np.asarray(as_rational(x)) for n, x in arrays.items()}
    tensor = next((x for x in arrays.values() if is_tensor(x)), None)
    if tensor is not None:
        return {n: x if is_tensor(x) else tensor.new_tensor(x) for n, x in arrays.items()}
    return dict(arrays)


def is_tensor(value: Any) -> bool:
    """Whether this is a torch tensor, told without importing torch."""
    return hasattr(value, "new_tensor")


def is_exact(value: Any) -> bool:
    """Whether this is an object array of exact numbers."""
    return isinstance(value, np.ndarray) and value.dtype == object


def every(condition: Any) -> bool:
    """All entries of a boolean array, or a bare boolean."""
    return bool(condition.all()) if hasattr(condition, "all") else bool(condition)


def widen(x: Any, rank: int, n: int) -> Any:
    """Insert n axes just before the last `rank` axes; bare scalars pass through."""
    if not hasattr(x, "shape") or n == 0:
        return x
    return x[(..., *(None,) * n, *(slice(None),) * rank)]


def _read_text(name: str, array: Array) -> Array:
    try:
        return np.asarray(as_rational(array), dtype=object)
    except InvalidInput as error:
        raise InvalidInput(f"{name} must be made of numbers: {error}") from error


def _exact_entry(value: Any) -> Any:
    """Floats and integers inside exact data, taken at their exact value; NaN is left alone."""
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return Fraction(value)
    return value


def _known_names(data: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for name in data:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            remedy = f"did you mean {near[0]}?" if near else f"use {', '.join(known)}"
            raise InvalidInput(f"data must be fields of the family, got {name!r}: {remedy}.")


def _match(name: str, array: Array, field: Field, sizes: dict[str, int]) -> tuple[int, ...]:
    axes, shape = field.names, tuple(array.shape)
    cut = len(shape) - len(axes)
    if cut < 0:
        condition = f"an array with trailing axes ({field.axes})"
        require(False, name, condition, f"shape {shape}", "add the missing axes")
    for axis, size in zip(axes, shape[cut:], strict=True):
        if size <= 0:
            require(False, name, f"non-empty along {axis}", f"shape {shape}", "add an entry")
        expected = sizes.setdefault(axis, size)
        if size != expected:
            found, remedy = f"{axis} = {size}", f"make all fields agree on {axis}"
            require(False, name, f"of size {axis} = {expected}", found, remedy)
    return shape[:cut]


def _broadcast(name: str, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    if left == right or not left:
        return right
    try:
        return np.broadcast_shapes(left, right)
    except ValueError as error:
        raise InvalidInput(
            f"{name} must be of leading axes that broadcast with {left}, got {right}: "
            "give all fields the same leading axes."
        ) from error


def _check_values(name: str, array: Array, sign: str) -> None:
    finite(name, array)
    if sign == "nonnegative":
        nonnegative(name, array)
    elif sign == "positive":
        positive(name, array)
