"""What an instance of the package says, in fractions, for judges without its code."""

from __future__ import annotations

from fractions import Fraction as Q
from types import SimpleNamespace
from typing import Any

import numpy as np

from verify.claim import Instance

__all__ = ["said"]


def _plain(value: Any) -> Any:
    """Numbers of an instance as fractions."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | bool) or value is None else Q(value)


def said(instance: Instance) -> Any:
    """What an instance says, for the judge."""
    data, params = (
        {name: _plain(value) for name, value in part.items()}
        for part in (instance.data, instance.params)
    )
    raw = {"instance": {"family": instance.family, "data": data, "params": params}}
    return SimpleNamespace(**data, **params, raw=raw)
