"""Irrational constants where they have no exact value: a sentence, and no error of Python."""

from __future__ import annotations

import warnings

from bounds import generic as xp
from tests.each import each
from tests.verify.cases import claim, leaf_of, numbers
from verify.claim import Real
from verify.line.written import one_line
from verify.run.tasks import Settings, examine

POWER = "a power whose exponent is irrational is no root: write exp(a * log(x)) for x**a"
FAR = "exp of a number so far from zero has too many digits: compare logarithms, or exponents"


@each(
    ("line", "said"),
    [
        ("x^sqrt(2) <= 4*x for x in [1, 2]", POWER),
        ("2^sqrt(2)*x <= 3*x for x in [0, 1]", POWER),
        ("x^sqrt(2)*y <= x + y for x, y in [0, 1]", POWER),
    ],
)
def test_a_power_is_refused_in_a_sentence(line: str, said: str) -> None:
    """It was: stopped by TypeError, unsupported operand types 'float' and 'Ball'."""
    leaf = examine(one_line(line), Settings()).leaf
    assert leaf["verdict"] == "inconclusive"
    assert said in leaf["reason"]


def test_what_is_advised_works() -> None:
    assert leaf_of("exp(sqrt(2)*log(x)) <= 4*x for x in [1, 2]").verdict == "holds"


def test_a_comparison_with_what_has_no_value_is_no_fault_of_a_reader() -> None:
    """It was a TypeError of sympy inside a reader."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert leaf_of("P(a >= log(0)) <= 1 for a ~ coin(1/2)").verdict != "violated"


def test_exp_of_what_is_far_from_zero_is_refused_in_a_sentence() -> None:
    """It was an OverflowError, which ended the leaf."""
    for exponent in (-40_000_000, 40_000_000):
        one = claim(
            lambda w, e=exponent: ({"l": xp.exp(e) * w.x}, {"r": w.x}),
            numbers(x=Real(0, 1, domain=(0, 1))),
        )
        found = examine(one, Settings())
        assert found.leaf["verdict"] == "inconclusive"
        assert FAR in found.leaf["reason"]
        assert "OverflowError" not in found.leaf["reason"]
