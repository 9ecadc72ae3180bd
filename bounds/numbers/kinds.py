"""Recognise tensors without importing the library they come from."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

__all__ = ["is_torch"]


def is_torch(x: object) -> bool:
    """Whether ``x`` is a torch tensor (only a loaded torch can have made one)."""
    if type(x) is np.ndarray:
        return False
    tensor: Any = getattr(sys.modules.get("torch"), "Tensor", ())
    return isinstance(x, tensor)
