"""Instances: a problem with its method, hyper-parameters and start, and their lossless JSON form.

A batch of instances is an :class:`Instance` whose arrays have one more axis in front.  Python
integers, strings, booleans and None are constants shared by the batch (horizon, weight rule).
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, require
from verify.limits.files import within
from verify.limits.foreign import NotAsWritten, file_of_others

_RATIONAL = re.compile(r"-?\d+/[1-9]\d*")
_LARGE = 4096  # numbers; longer arrays go to a file of their own
_AXES = 8  # (instances, replicates, rounds, clients, clients, d, d) is as many as anything has
_WORDS = range(-(2**63), 2**63)  # integers that numpy holds


@dataclass(frozen=True, eq=False)
class Instance:
    """All that a statement quantifies over.

    Parameters
    ----------
    family : str
        Name of a problem family of :mod:`synthetic`, or ``numbers`` for bare parameters.
    data : mapping
        Raw data of the problem (no derived constants: whoever needs them derives them).
    method : str or None
        Name of the training method of :mod:`algorithms`.
    params : mapping
        Hyper-parameters, start, precision and whatever else the statement speaks of.
    units : mapping
        Powers of (loss, length) of every field that has a unit.
    """

    family: str
    data: Mapping[str, Any] = field(default_factory=dict)
    method: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    units: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def with_units(self, units: Mapping[str, tuple[float, float]]) -> Instance:
        """Same instance with these units."""
        return Instance(self.family, self.data, self.method, self.params, dict(units))

    def __len__(self) -> int:
        """Number of instances in a batch."""
        sizes = {len(v) for v in self._arrays() if v.ndim}
        require(len(sizes) <= 1, "batch", "of one size", sorted(sizes), "pass equal leading axes")
        return sizes.pop() if sizes else 1

    def __getitem__(self, j: int) -> Instance:
        """Instance number ``j`` of a batch."""
        return self._map(lambda v: v[j] if isinstance(v, np.ndarray) else v)

    def rows(self, chosen: Any) -> Instance:
        """These instances of a batch."""
        return self._map(lambda v: v[chosen] if isinstance(v, np.ndarray) else v)

    def batched(self) -> Instance:
        """The single instance as a batch of one."""
        return self._map(lambda v: v if _is_constant(v) else _array(v)[None])

    def scaled(self, loss: Any, length: Any) -> Instance:
        """Same instance in other units: every field times loss**p * length**q."""

        def scale(name: str, value: Any) -> Any:
            p, q = self.units.get(name, (0, 0))
            if _is_constant(value) or (p == 0 and q == 0):
                return value
            return value * (_power(loss, p) * _power(length, q))

        return replace(
            self,
            data={k: scale(k, v) for k, v in self.data.items()},
            params={k: scale(k, v) for k, v in self.params.items()},
        )

    def same(self, other: Instance) -> bool:
        """Equal in every field, number by number and kind by kind."""
        return json.dumps(self.to_json(), sort_keys=True) == json.dumps(
            other.to_json(), sort_keys=True
        )

    def to_json(self, folder: Path | None = None) -> dict[str, Any]:
        """JSON form; arrays of more than 4096 numbers go to ``folder`` as npz with a digest."""
        return {
            "family": self.family,
            "data": {k: _encode(v, folder) for k, v in self.data.items()},
            "method": self.method,
            "params": {k: _encode(v, folder) for k, v in self.params.items()},
            "units": {k: list(v) for k, v in self.units.items()},
        }

    @classmethod
    def from_json(cls, raw: Any, folder: Path | None = None) -> Instance:
        """Read what :meth:`to_json` wrote; :class:`InvalidInput` on anything else."""
        fields = {"family": str, "data": dict, "params": dict}
        kind = type(raw).__name__
        require(isinstance(raw, dict), "instance", "a JSON object", kind, "check the file")
        for name, wanted in fields.items():
            require(
                isinstance(raw.get(name), wanted),
                f"instance.{name}",
                f"a {wanted.__name__}",
                raw.get(name),
                "check that the file is a fedassay instance",
            )
        method, units = raw.get("method"), raw.get("units", {})
        require(
            method is None or isinstance(method, str),
            "instance.method",
            "a name or null",
            method,
            "check that the file is a fedassay instance",
        )
        require(
            isinstance(units, dict) and all(map(_is_unit, units.values())),
            "instance.units",
            "pairs of numbers by field",
            units,
            "check that the file is a fedassay instance",
        )
        return cls(
            raw["family"],
            {k: _decode(v, folder) for k, v in raw["data"].items()},
            method,
            {k: _decode(v, folder) for k, v in raw["params"].items()},
            {k: (v[0], v[1]) for k, v in units.items()},
        )

    def _arrays(self) -> Iterator[np.ndarray[Any, Any]]:
        for value in (*self.data.values(), *self.params.values()):
            if isinstance(value, np.ndarray):
                yield value

    def _map(self, change: Any) -> Instance:
        return replace(
            self,
            data={k: change(v) for k, v in self.data.items()},
            params={k: change(v) for k, v in self.params.items()},
        )


def _is_constant(value: Any) -> bool:
    if isinstance(value, np.generic):
        return False
    return value is None or isinstance(value, (str, bool, int))


def _array(value: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (float, np.floating)):
        return np.asarray(value, dtype=np.float64)
    out = np.empty((), dtype=object)
    out[()] = value
    return out


def _power(base: Any, exponent: float) -> Any:
    return base ** (int(exponent) if float(exponent).is_integer() else exponent)


def _encode(value: Any, folder: Path | None) -> Any:
    if _is_constant(value):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, (float, np.floating)):
        require(bool(np.isfinite(value)), "instance", "finite", value, "remove NaN and infinities")
        return float(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        if value.size > _LARGE and value.dtype != object and folder is not None:
            return _store(value, folder)
        return [_encode(v, folder) for v in value] if value.ndim else _encode(value.item(), folder)
    raise InvalidInput(
        f"instance must hold floats, fractions, integers or strings, got {type(value).__name__}: "
        "store rational data and derive the rest"
    )


def _decode(value: Any, folder: Path | None) -> Any:
    if isinstance(value, str):
        return _fraction(value) if _RATIONAL.fullmatch(value) else value
    if isinstance(value, dict):
        return _fetch(value, folder)
    if isinstance(value, list):
        return _rectangle(value)
    if isinstance(value, float):
        require(bool(np.isfinite(value)), "instance", "finite", value, "check file")
    return value


def _rectangle(value: list[Any]) -> np.ndarray[Any, Any]:
    """Array of a nested list: fractions if one entry is, else floats if one entry is."""
    lengths = _lengths(value)
    require(
        len(lengths) <= _AXES,
        "instance",
        f"of arrays with at most {_AXES} axes",
        len(lengths),
        "check file",
    )
    flat = list(_flatten(value))
    wrong = next((repr(v) for v in flat if not _is_number(v)), "")
    if wrong or not _is_filled(value, lengths):
        raise InvalidInput(
            f"instance must hold rectangular arrays of numbers, got {wrong or 'a ragged list'}: "
            "check file"
        )
    exact = any(isinstance(v, str) or (isinstance(v, int) and v not in _WORDS) for v in flat)
    numbers = [_fraction(v) if exact else v for v in flat]
    dtype = object if exact else float if any(isinstance(v, float) for v in flat) else np.int64
    out = np.empty(len(numbers), dtype=dtype)
    out[:] = numbers
    return out.reshape(lengths)


def _fraction(value: Any) -> Fraction:
    try:
        return Fraction(value)
    except ValueError as error:  # Python converts no longer ones
        raise InvalidInput(
            f"instance must hold numbers of at most {sys.get_int_max_str_digits()} digits, got "
            f"one of {len(str(value))} characters: check file"
        ) from error


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return bool(_RATIONAL.fullmatch(value))
    if isinstance(value, float):
        return bool(np.isfinite(value))
    return isinstance(value, int) and not isinstance(value, bool)


def _is_filled(value: Any, lengths: tuple[int, ...]) -> bool:
    """Whether a nested list has exactly these lengths everywhere."""
    if not lengths:
        return not isinstance(value, list)
    return (
        isinstance(value, list)
        and len(value) == lengths[0]
        and all(_is_filled(item, lengths[1:]) for item in value)
    )


def _is_unit(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _flatten(value: Any) -> Iterator[Any]:
    for item in value:
        if isinstance(item, list):
            yield from _flatten(item)
        else:
            yield item


def _lengths(value: Any) -> tuple[int, ...]:
    return (len(value), *(_lengths(value[0]) if value else ())) if isinstance(value, list) else ()


def _store(value: np.ndarray[Any, Any], folder: Path) -> dict[str, Any]:
    digest = _digest(value)
    name = f"{digest[:16]}.npz"
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / name, value=value)
    return {"npz": name, "sha256": digest}


def _fetch(raw: dict[str, Any], folder: Path | None) -> np.ndarray[Any, Any]:
    require(folder is not None and "npz" in raw, "array", "an npz reference", raw, "check file")
    assert folder is not None
    path = folder / Path(str(raw["npz"])).name
    require(path.is_file(), "array file", "present", path.name, "keep it beside the witness")
    within(path, "array file", "restore it")
    try:
        with file_of_others(), path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            value: np.ndarray[Any, Any] = stored["value"]
    except (OSError, NotAsWritten) as reason:
        raise InvalidInput(
            f"array file must be an npz with an array 'value', got {path.name}: restore it"
        ) from reason
    require(_digest(value) == raw.get("sha256"), "array file", "unchanged", path.name, "restore it")
    return value


def _digest(value: np.ndarray[Any, Any]) -> str:
    """Digest of kind, shape and content: equal bytes in another shape are another array."""
    head = f"{value.dtype.str} {value.shape} "
    return hashlib.sha256(head.encode() + np.ascontiguousarray(value).tobytes()).hexdigest()
