"""Classes of operators: what is known of one at the points where it is met.

As :mod:`verify.worst_case.functions`, with A(x) in place of the gradient and no values.  ``pairs``
and ``triples`` have what the classes share, on two points and on three.
"""

from verify.worst_case.operators.cocoercive import (
    CocoerciveOperator,
    CocoerciveStronglyMonotoneOperator,
)
from verify.worst_case.operators.linear import (
    LinearOperator,
    SkewLinearOperator,
    SymmetricLinearOperator,
    TransposedOperator,
)
from verify.worst_case.operators.lipschitz import LipschitzOperator, NonexpansiveOperator
from verify.worst_case.operators.lipschitz_monotone import LipschitzStronglyMonotoneOperator
from verify.worst_case.operators.monotone import (
    ComonotoneOperator,
    MonotoneOperator,
    StronglyMonotoneOperator,
)

__all__ = [
    "CocoerciveOperator",
    "CocoerciveStronglyMonotoneOperator",
    "ComonotoneOperator",
    "LinearOperator",
    "LipschitzOperator",
    "LipschitzStronglyMonotoneOperator",
    "MonotoneOperator",
    "NonexpansiveOperator",
    "SkewLinearOperator",
    "StronglyMonotoneOperator",
    "SymmetricLinearOperator",
    "TransposedOperator",
]
