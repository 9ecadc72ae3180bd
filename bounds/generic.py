"""Every number-generic function under one name: one expression runs on every kind of number.

The kinds are float64, torch, exact (object arrays of Fraction or `Ball`) and symbolic (`Symbolic`).
In a symbolic world the client axis has length one and holds a generic element that contains the
client symbol; `total` turns it into a symbolic sum over all clients.
"""

from __future__ import annotations

from bounds.numbers.arrays import (
    eye,
    ones_like,
    stack,
    to_float,
    trailing,
    zeros_like,
)
from bounds.numbers.dispatch import kind
from bounds.numbers.elementwise import (
    above,
    absolute,
    at_least,
    ceil,
    cos,
    divide,
    exp,
    floor,
    indicator,
    log,
    maximum,
    minimum,
    positive_part,
    sin,
    sqrt,
    where,
)
from bounds.numbers.matrices import (
    dot,
    inverse,
    largest_eigenvalue,
    matmul,
    matvec,
    smallest_eigenvalue,
    solve,
    squared_norm,
    squared_spectral_norm,
    symmetric_part,
    transpose,
)
from bounds.numbers.powers import power
from bounds.numbers.reductions import (
    largest,
    mean,
    smallest,
    total,
)

__all__ = [
    "above",
    "absolute",
    "at_least",
    "ceil",
    "cos",
    "divide",
    "dot",
    "exp",
    "eye",
    "floor",
    "indicator",
    "inverse",
    "kind",
    "largest",
    "largest_eigenvalue",
    "log",
    "matmul",
    "matvec",
    "maximum",
    "mean",
    "minimum",
    "ones_like",
    "positive_part",
    "power",
    "sin",
    "smallest",
    "smallest_eigenvalue",
    "solve",
    "sqrt",
    "squared_norm",
    "squared_spectral_norm",
    "stack",
    "symmetric_part",
    "to_float",
    "total",
    "trailing",
    "transpose",
    "where",
    "zeros_like",
]
