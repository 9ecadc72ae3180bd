"""Statements, the ladder of evidence, verdicts, ledger and command line.

What a user's own file needs stands here: the record and its decorator, hypotheses, families and
their builders, the world that sides read, and :func:`check`. A name is loaded when it is first
asked for, so that importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from algorithms.own import own_method
    from verify.claim.axes import Axis, Option
    from verify.claim.families import noiseless, numbers, quadratics
    from verify.claim.functions import functions
    from verify.claim.hypothesis import Hypothesis, hypothesis
    from verify.claim.instance import Instance
    from verify.claim.laws import (
        binomial,
        coin,
        expectation,
        probability,
        two_point,
        uniform,
    )
    from verify.claim.operators import operators
    from verify.claim.parameters import Family, Real
    from verify.claim.statement import Sides, Source, Statement, statement
    from verify.face.check import check
    from verify.face.compare import compare
    from verify.face.result import Result
    from verify.line.written import one_line
    from verify.outlines.registry import proof_of
    from verify.terms.vocabulary import quantity
    from verify.world.visited import placed, visited, walked
    from verify.world.world import World

__all__ = [
    "Axis",
    "Family",
    "Hypothesis",
    "Instance",
    "Option",
    "Real",
    "Result",
    "Sides",
    "Source",
    "Statement",
    "World",
    "binomial",
    "check",
    "coin",
    "compare",
    "expectation",
    "functions",
    "hypothesis",
    "noiseless",
    "numbers",
    "one_line",
    "operators",
    "own_method",
    "placed",
    "probability",
    "proof_of",
    "quadratics",
    "quantity",
    "statement",
    "two_point",
    "uniform",
    "visited",
    "walked",
]

_HOMES = {
    "algorithms.own": ("own_method",),
    "verify.claim.axes": ("Axis", "Option"),
    "verify.claim.families": ("noiseless", "numbers", "quadratics"),
    "verify.claim.functions": ("functions",),
    "verify.claim.hypothesis": ("Hypothesis", "hypothesis"),
    "verify.claim.instance": ("Instance",),
    "verify.claim.laws": (
        "binomial",
        "coin",
        "expectation",
        "probability",
        "two_point",
        "uniform",
    ),
    "verify.claim.operators": ("operators",),
    "verify.claim.parameters": ("Family", "Real"),
    "verify.claim.statement": ("Sides", "Source", "Statement", "statement"),
    "verify.face.check": ("check",),
    "verify.face.compare": ("compare",),
    "verify.face.result": ("Result",),
    "verify.line.written": ("one_line",),
    "verify.outlines.registry": ("proof_of",),
    "verify.terms.vocabulary": ("quantity",),
    "verify.world.visited": ("placed", "visited", "walked"),
    "verify.world.world": ("World",),
}


def __getattr__(name: str) -> Any:
    """Load a public name from its home."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'verify' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
