"""What sympy's `cancel` and `factor` give, to the letter, in a small part of their time.

Rational functions of symbols are calculated with in flint; everything else goes to sympy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from verify.certify.algebra.ratios import NotRational
from verify.reading.parts.quotients import KEPT, ring_of, symbols_of

Expr = Any  # sympy carries no types

__all__ = ["cancelled", "factored"]


@lru_cache(KEPT)
def cancelled(e: Expr) -> Expr:
    """What `sympy.cancel` gives."""
    try:
        ring = ring_of(symbols_of(e))
        return ring.cancelled(ring(e))
    except NotRational:
        return sympy.cancel(e)


@lru_cache(KEPT)
def factored(e: Expr) -> Expr:
    """What `sympy.factor` gives."""
    try:
        ring = ring_of(symbols_of(e))
        return ring.factored(ring(e))
    except NotRational:
        return sympy.factor(e)
