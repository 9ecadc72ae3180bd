"""Exact values at the first precision at which every comparison is decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from bounds.numbers import Undecided, precision
from bounds.numbers.validate import unchecked
from verify.world.referee import BITS

__all__ = ["decided"]

Value = TypeVar("Value")


def decided(
    evaluate: Callable[[], Value | None], without: tuple[type[Exception], ...]
) -> Value | None:
    """What a function returns at the lowest of the referee's precisions that decides it.

    Parameters
    ----------
    evaluate : callable
    without : tuple of exception classes
        Raised where there is no exact value.

    Returns
    -------
    object or None
        None where there is no exact value, or no precision decides.
    """
    for bits in BITS:
        try:
            with precision(bits), unchecked(), np.errstate(all="ignore"):
                return evaluate()
        except Undecided:
            continue
        except without:
            return None
    return None
