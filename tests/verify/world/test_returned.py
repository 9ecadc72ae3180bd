"""What a user's functions may give back, and what they are told when they do not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from tests.verify.cases import SMALL, assume, claim, numbers
from verify.claim.parameters import Real
from verify.ladder import assay
from verify.limits.clock import OutOfTime
from verify.world.returned import Inexact
from verify.world.score import score

FAMILY = numbers(x=Real(0, 4))


def fine(w: Any) -> Any:
    return {"x": w.x}, {"x + 1": w.x + 1}


@pytest.mark.parametrize(
    ("sides", "more", "message"),
    [
        (lambda w: (w.x, w.x + 1), {}, "sides of test.claim must be a pair of dicts .* a tuple of"),
        (lambda w: {"x": w.x}, {}, "sides of test.claim must be a pair of dicts .* got a dict"),
        (lambda w: ({"x": w.x}, w.x), {}, "got a tuple of a dict, a ndarray"),
        (
            fine,
            {"given": assume({"x > 0": lambda w: w.x > 0})},
            'rule of "x > 0" in test.claim must be a number .* got yes or no',
        ),
        (
            fine,
            {"given": assume({"x > 0": lambda w: None})},
            'rule of "x > 0" in test.claim must be a number .* got nothing',
        ),
    ],
)
def test_unusable_answers_are_named(sides: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        assay(claim(sides, FAMILY, **more), profile=SMALL)


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        (lambda w: ({"x": math.pi * w.x}, {"x": w.x}), "left term 'x' .* got the float"),
        (lambda w: ({"1 + x": 1 + w.x}, {"e^x": np.exp(w.x)}), "got a function of numpy"),
        # equal but for a part in 10^11, which floats cannot tell apart
        (lambda w: ({"x": w.x * (1 + float("1e-11"))}, {"x": w.x}), "got the float"),
    ],
)
def test_what_has_no_exact_value_is_said_and_not_passed_over(sides: Any, message: str) -> None:
    with pytest.raises(Inexact, match=message):
        assay(claim(sides, FAMILY), profile=SMALL)


def test_the_same_claims_in_exact_words_are_decided() -> None:
    """Control."""
    half = claim(lambda w: ({"x": w.x / 2}, {"x": w.x}), FAMILY)
    bernoulli = claim(lambda w: ({"1 + x": 1 + w.x}, {"e^x": xp.exp(w.x)}), FAMILY)
    assert assay(half, profile=SMALL).verdict == "proved"
    assert assay(bernoulli, profile=SMALL).verdict == "proved"


def test_a_limit_that_runs_out_inside_c_is_still_that_limit() -> None:
    """There it comes as a SystemError whose cause it is."""

    def sides(w: Any) -> Any:
        raise SystemError("returned a result with an exception set") from OutOfTime()

    instance = FAMILY.instance({"x": np.ones(1)}, FAMILY.shapes[0])
    with pytest.raises(OutOfTime):
        score(claim(sides, FAMILY), instance)
