"""Exact numbers: rationals, balls and small exact matrices, under one name."""

from __future__ import annotations

from bounds.numbers.ball import Ball, Undecided
from bounds.numbers.exact_matrix import Inertia, eigenvalue_range, inertia, inverse, solve
from bounds.numbers.rational import (
    as_rational,
    cos_exact,
    exp_exact,
    log_exact,
    sin_exact,
    sqrt_exact,
)
from bounds.numbers.symbolic import Symbolic
from bounds.numbers.via_flint import precision

__all__ = [
    "Ball",
    "Inertia",
    "Symbolic",
    "Undecided",
    "as_rational",
    "cos_exact",
    "eigenvalue_range",
    "exp_exact",
    "inertia",
    "inverse",
    "log_exact",
    "precision",
    "sin_exact",
    "solve",
    "sqrt_exact",
]
