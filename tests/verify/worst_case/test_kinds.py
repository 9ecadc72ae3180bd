"""Names of classes are those of claims, and their members meet the conditions."""

from __future__ import annotations

import doctest
from fractions import Fraction

import pytest

import verify.worst_case.decision
import verify.worst_case.kinds
import verify.worst_case.points
import verify.worst_case.problem
import verify.worst_case.symbols
from tests.each import each
from verify.claim.functions import CLASSES
from verify.claim.rough import ROUGH
from verify.claim.sums import OPERATORS
from verify.worst_case import ClassProblem, solved
from verify.worst_case.kinds import KINDS, class_named

CONSTANTS = {
    "beta": Fraction(1),
    "mu": Fraction(1, 4),
    "lipschitz": 1,
    "bend": 1,
    "cocoercivity": 1,
}


def test_every_class_that_is_named_is_one_of_claims() -> None:
    assert KINDS.keys() == {*CLASSES, *ROUGH, *OPERATORS}


RATES = {
    "smooth": 16 / 9,  # bends up to 1/3, then down: slope -1/3 at 1
    "smooth convex": 1.0,
    "smooth strongly convex": 9 / 16,
    "cocoercive": 1.0,
}


@each("kind", RATES)
def test_a_step_of_one_over_L_comes_as_near_as_the_class_says(kind: str) -> None:
    p = ClassProblem()
    f = p.function(class_named(kind, CONSTANTS))
    best, x = f.minimiser(), p.point("x")
    p.assume((x - best) ** 2 <= 1)
    p.maximise((x - f.gradient(x) - best) ** 2)
    assert abs(solved(p).value - RATES[kind]) < 1e-6


def test_a_name_or_a_constant_that_is_missing_is_told() -> None:
    with pytest.raises(KeyError, match="round"):
        class_named("round", CONSTANTS)
    with pytest.raises(KeyError, match="beta"):
        class_named("smooth", {"mu": 1})


@pytest.mark.parametrize(
    "module",
    [
        verify.worst_case.points,
        verify.worst_case.problem,
        verify.worst_case.decision,
        verify.worst_case.symbols,
        verify.worst_case.kinds,
    ],
)
def test_examples_in_docstrings_run(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted > 0
    assert found.failed == 0
