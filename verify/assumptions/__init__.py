"""Assumptions checked on a problem, on functions or on data; and which of them imply which."""

from verify.assumptions.assess import assess, curve, decide
from verify.assumptions.implied import IMPLICATIONS, Implication, implied_by
from verify.assumptions.records import Assessment, Constant, Decision
from verify.assumptions.rules import ASSUMPTIONS
from verify.assumptions.source import BoxedLosses, from_arrays, from_functions, from_problem

__all__ = [
    "ASSUMPTIONS",
    "IMPLICATIONS",
    "Assessment",
    "Constant",
    "Decision",
    "Implication",
    "BoxedLosses",
    "assess",
    "curve",
    "decide",
    "from_arrays",
    "from_functions",
    "from_problem",
    "implied_by",
]
