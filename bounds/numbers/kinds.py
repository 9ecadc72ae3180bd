"""Recognise tensors and symbols without importing the libraries they come from."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["is_sympy", "is_torch"]


def is_torch(x: object) -> bool:
    """Whether ``x`` is a torch tensor (only a loaded torch can have made one)."""
    tensor: Any = getattr(sys.modules.get("torch"), "Tensor", ())
    return isinstance(x, tensor)


def is_sympy(x: object) -> bool:
    """Whether ``x`` is a sympy expression, relation or truth value."""
    basic: Any = getattr(sys.modules.get("sympy"), "Basic", ())
    return isinstance(x, basic)
