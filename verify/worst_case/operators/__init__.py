"""Classes of operators: what is known of one at the points where it is met.

As :mod:`verify.worst_case.functions`, with A(x) in place of the gradient and no values.  ``pairs``
and ``triples`` have what the classes share, on two points and on three.
"""

from verify.worst_case.operators.cocoercive import Cocoercive, CocoerciveStronglyMonotone
from verify.worst_case.operators.linear import Linear, SkewLinear, SymmetricLinear, Transposed
from verify.worst_case.operators.lipschitz import Lipschitz, Nonexpansive
from verify.worst_case.operators.lipschitz_monotone import LipschitzStronglyMonotone
from verify.worst_case.operators.monotone import Comonotone, Monotone, StronglyMonotone

__all__ = [
    "Cocoercive",
    "CocoerciveStronglyMonotone",
    "Comonotone",
    "Linear",
    "Lipschitz",
    "LipschitzStronglyMonotone",
    "Monotone",
    "Nonexpansive",
    "SkewLinear",
    "StronglyMonotone",
    "SymmetricLinear",
    "Transposed",
]
