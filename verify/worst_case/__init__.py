"""Worst cases over classes of functions and operators: the value, a proof, and an instance.

In comes a problem: functions of given classes, points that a method makes of what it meets of them,
what is assumed, and an expression that is to be large, linear in inner products and values. It is a
semidefinite programme. Out come its value in floats, an exact upper bound with a certificate over
the rationals, and an exact instance with the value that it attains.

Order of the files: ``points`` (points and expressions, exact), ``forms`` (formulas of a claim on
them), ``parameters`` (symbols in place of numbers), ``function`` (what is met of one,
sums), ``clients`` (any number that enter alike), ``functions`` and ``operators`` (classes, one a
file), ``steps`` (proximal, projected, inexact), ``problem``, ``programme`` (its conditions and
blocks), ``conic`` and ``solver`` (Clarabel, in floats), ``exact`` (bounds in fractions, with a
certificate or an instance), ``instance``, ``solution`` (what is asked of the room), ``decision``
(is one side at most the other), ``symbols`` (polynomials as problems), ``kinds`` (classes by the
names of claims), ``federated`` (methods with clients as problems), ``figure``.

Examples
--------
>>> p = ClassProblem()
>>> f = p.function(SmoothConvex(1))
>>> best = f.minimiser()
>>> x = p.point("x0")
>>> p.assume((x - best) ** 2 <= 1)
>>> p.maximise(f(x - f.gradient(x)) - f(best))
>>> found = worst(p)
>>> str(found.lower), 1 / 6 < found.upper < 1 / 6 + 1e-7
('1/6', True)
"""

from verify.worst_case.clients import AlikeClients
from verify.worst_case.function import Function, FunctionClass, OracleAnswer, Sum
from verify.worst_case.functions import (
    BlockSmoothConvex,
    Convex,
    ConvexLipschitz,
    ConvexQuadraticGrowth,
    Indicator,
    OwnClass,
    Quadratics,
    SecantErrorBound,
    Smooth,
    SmoothConvex,
    SmoothConvexLipschitz,
    SmoothLojasiewicz,
    SmoothStronglyConvex,
    StronglyConvex,
    Support,
    WeaklyConvex,
)
from verify.worst_case.operators import (
    CocoerciveOperator,
    CocoerciveStronglyMonotoneOperator,
    ComonotoneOperator,
    LinearOperator,
    LipschitzOperator,
    LipschitzStronglyMonotoneOperator,
    MonotoneOperator,
    NonexpansiveOperator,
    SkewLinearOperator,
    StronglyMonotoneOperator,
    SymmetricLinearOperator,
    TransposedOperator,
)
from verify.worst_case.points import Expression, SymbolicPoint
from verify.worst_case.problem import ClassProblem
from verify.worst_case.solution import WorstCase, objection, solved, worst
from verify.worst_case.solver import NoSolution
from verify.worst_case.steps import (
    best_along,
    bregman_proximal_step,
    bregman_step,
    epsilon_subgradient,
    inexact_gradient,
    inexact_prox,
    linear_minimiser,
    project,
    prox,
    shifted_minimiser,
)

__all__ = [
    "BlockSmoothConvex",
    "AlikeClients",
    "CocoerciveOperator",
    "CocoerciveStronglyMonotoneOperator",
    "ComonotoneOperator",
    "Convex",
    "ConvexLipschitz",
    "ConvexQuadraticGrowth",
    "Expression",
    "Function",
    "FunctionClass",
    "Indicator",
    "LinearOperator",
    "LipschitzOperator",
    "LipschitzStronglyMonotoneOperator",
    "OracleAnswer",
    "MonotoneOperator",
    "NoSolution",
    "NonexpansiveOperator",
    "OwnClass",
    "SymbolicPoint",
    "ClassProblem",
    "Quadratics",
    "SecantErrorBound",
    "SkewLinearOperator",
    "Smooth",
    "SmoothConvex",
    "SmoothConvexLipschitz",
    "SmoothLojasiewicz",
    "SmoothStronglyConvex",
    "StronglyConvex",
    "StronglyMonotoneOperator",
    "Sum",
    "Support",
    "SymmetricLinearOperator",
    "TransposedOperator",
    "WeaklyConvex",
    "WorstCase",
    "best_along",
    "bregman_proximal_step",
    "bregman_step",
    "epsilon_subgradient",
    "inexact_gradient",
    "inexact_prox",
    "linear_minimiser",
    "objection",
    "project",
    "prox",
    "shifted_minimiser",
    "solved",
    "worst",
]
