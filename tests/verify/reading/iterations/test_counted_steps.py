"""A count is no plain number: no program can ask, by way of one, how large it is."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

import pytest
import sympy

from verify.reading.iterations.counts import CountedSteps
from verify.reading.parts.refusals import NotReadable

pytestmark = pytest.mark.every_point

STEPS = CountedSteps(3, sympy.Symbol("E", positive=True))


@pytest.mark.parametrize(
    "rule",
    [
        int,
        float,
        round,
        floor,
        ceil,
        abs,
        Fraction,
        lambda n: Fraction(20) / n,
        lambda n: Fraction(20, n),
        lambda n: Fraction(20) > n,
        lambda n: 20 // n,
        lambda n: 20 % n,
        lambda n: min(n, 20),
        lambda n: n == 8,
    ],
)
def test_what_would_tell_how_large_a_count_is_is_refused(rule: Callable[[Any], Any]) -> None:
    with pytest.raises(NotReadable):
        rule(STEPS)
