"""Published worst cases of one to three steps, each certified from above in rational numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.certify.certified_rates import READABLE, certified, programme_of
from verify.certify.gram.check import complaint
from verify.certify.gram.floats import NoSolution
from verify.certify.gram.solve import certificate

MILLIONTH = Fraction(1, 10**6)
ROUNDED = {"momentum-convex": 1e-4, "momentum-strong": 1e-4, "proximal-value": 2e-3}
"""Rates published to four digits, and one that is reached for large steps only."""
EXACT = [name for name in READABLE if name not in ROUNDED]


def test_there_are_ten_exact_ones() -> None:
    assert len(EXACT) == 10


@pytest.mark.parametrize("name", EXACT)
def test_a_published_rate_is_certified_to_a_millionth(name: str) -> None:
    proof = certified(name)
    assert complaint(proof) == ""
    assert 1 <= proof.bound <= 1 + MILLIONTH
    assert complaint(replace(proof, bound=1 - MILLIONTH)) != ""


@pytest.mark.parametrize("name", EXACT)
def test_a_millionth_less_is_not_certified(name: str) -> None:
    with pytest.raises(NoSolution):
        certificate(programme_of(name), name, bound=1 - MILLIONTH)


@pytest.mark.parametrize("name", ROUNDED)
def test_a_rounded_rate_is_certified_to_its_digits(name: str) -> None:
    proof = certified(name)
    assert complaint(proof) == ""
    assert float(proof.bound) == pytest.approx(1, abs=ROUNDED[name])
