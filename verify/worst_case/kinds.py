"""Classes by the names that claims have for them, with the constants that a world names.

``functions("smooth convex", ...)`` and ``operators("cocoercive", ...)`` of statements are families
of instances; the same words give the class here, of which the worst case is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verify.worst_case.function import FunctionClass
from verify.worst_case.functions import (
    ConvexLipschitz,
    Smooth,
    SmoothConvex,
    SmoothLojasiewicz,
    SmoothStronglyConvex,
    WeaklyConvex,
)
from verify.worst_case.operators import CocoerciveOperator, LipschitzStronglyMonotoneOperator
from verify.worst_case.points import Number

__all__ = ["KINDS", "class_named"]

KINDS: Mapping[str, tuple[tuple[str, ...], Callable[..., FunctionClass]]] = {
    "smooth": (("beta",), Smooth),
    "smooth convex": (("beta",), SmoothConvex),
    "smooth strongly convex": (("mu", "beta"), SmoothStronglyConvex),
    "smooth PL": (("beta", "mu"), SmoothLojasiewicz),
    "Lipschitz convex": (("lipschitz",), ConvexLipschitz),
    "weakly convex": (("bend",), WeaklyConvex),
    "cocoercive": (("cocoercivity",), CocoerciveOperator),
    "monotone": (("beta",), lambda L: LipschitzStronglyMonotoneOperator(0, L)),
}
"""Names of constants as a world has them, in the order in which the class takes them."""


def class_named(kind: str, constants: Mapping[str, Number]) -> FunctionClass:
    """The class of a name at given constants; others are left aside.

    Examples
    --------
    >>> class_named("smooth strongly convex", {"mu": 1, "beta": 4, "step_size": 0.1})
    SmoothStronglyConvex(mu=1, L=4)

    Raises
    ------
    KeyError
        Where no class has the name, or a constant is missing: the message names it.
    """
    names, build = KINDS[kind]
    return build(*(constants[name] for name in names))
