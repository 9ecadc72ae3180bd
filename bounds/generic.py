"""Every number-generic function under one name: one expression runs on every kind of number.

The kinds are float64, torch, exact (object arrays of Fraction or `Ball`) and symbolic (`Symbolic`).
In a symbolic world the client axis has length one and holds a generic element that contains the
client symbol; `total` turns it into a symbolic sum over all clients.

A value that writes down what is done with it (`bounds.numbers.recording`) may stand in the place of
any array.
"""

from __future__ import annotations

from bounds.numbers import arrays, dispatch, elementwise, matrices, powers, reductions
from bounds.numbers.recording import recordable

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

above = recordable(elementwise.above)
absolute = recordable(elementwise.absolute)
at_least = recordable(elementwise.at_least)
ceil = recordable(elementwise.ceil)
cos = recordable(elementwise.cos)
divide = recordable(elementwise.divide)
dot = recordable(matrices.dot)
exp = recordable(elementwise.exp)
eye = recordable(arrays.eye)
floor = recordable(elementwise.floor)
indicator = recordable(elementwise.indicator)
inverse = recordable(matrices.inverse)
kind = recordable(dispatch.kind)
largest = recordable(reductions.largest)
largest_eigenvalue = recordable(matrices.largest_eigenvalue)
log = recordable(elementwise.log)
matmul = recordable(matrices.matmul)
matvec = recordable(matrices.matvec)
maximum = recordable(elementwise.maximum)
mean = recordable(reductions.mean)
minimum = recordable(elementwise.minimum)
ones_like = recordable(arrays.ones_like)
positive_part = recordable(elementwise.positive_part)
power = recordable(powers.power)
sin = recordable(elementwise.sin)
smallest = recordable(reductions.smallest)
smallest_eigenvalue = recordable(matrices.smallest_eigenvalue)
solve = recordable(matrices.solve)
sqrt = recordable(elementwise.sqrt)
squared_norm = recordable(matrices.squared_norm)
squared_spectral_norm = recordable(matrices.squared_spectral_norm)
stack = recordable(arrays.stack)
symmetric_part = recordable(matrices.symmetric_part)
to_float = recordable(arrays.to_float)
total = recordable(reductions.total)
trailing = recordable(arrays.trailing)
transpose = recordable(matrices.transpose)
where = recordable(elementwise.where)
zeros_like = recordable(arrays.zeros_like)
