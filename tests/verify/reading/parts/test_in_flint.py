"""Numbers in flint's rationals are the same numbers, and only fractions are put there."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bounds.numbers.via_flint import from_flint
from verify.reading.parts.exact_points import in_flint


def test_sums_and_products_are_those_of_fractions() -> None:
    one = np.array([[Fraction(3, 7), 2], [Fraction(-5, 9), Fraction(0)]], dtype=object)
    other = np.array([[Fraction(1, 6), Fraction(8, 3)], [4, Fraction(-2, 11)]], dtype=object)
    a, b = in_flint(one), in_flint(other)
    assert a is not None
    assert b is not None
    found = a * b - a**2 + b
    assert [[from_flint(v) for v in row] for row in found] == (
        one * other - one**2 + other
    ).tolist()


@pytest.mark.parametrize("odd", [0.5, 1.0, np.float64(2)])
def test_what_is_no_fraction_is_not_put_there(odd: float) -> None:
    assert in_flint(np.array([Fraction(1, 2), odd], dtype=object)) is None
