"""Where a descent bound stops being true as the step grows: certified below, broken above."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from bounds.numbers.validate import InvalidInput
from verify.certify.checker import check
from verify.certify.worst_case.frontier import WIDTH, Frontier, bound_after, frontier, stated_limit
from verify.certify.worst_case.instance import replayed
from verify.certify.worst_case.step import AveragingStep


def step_of(mu: str, b: str = "", c: str = "") -> AveragingStep:
    bias, slope = (tuple(map(Fraction, text.split())) for text in (b, c))
    weights = (Fraction(1, len(bias) + 1),) * (len(bias) + 1)
    return AveragingStep(Fraction(1), Fraction(mu), Fraction(1), weights, bias, slope)


def sure(step: AveragingStep, found: Frontier, form: str = "repaired") -> tuple[float, float]:
    """Both sides of the frontier, once certificate and witness have been checked again."""
    assert found.proof is not None
    assert found.witness is not None
    assert found.proved is not None
    assert found.violated is not None
    check(found.proof.to_json())
    assert found.proof.bound <= bound_after(replace(step, step=found.proved), form)
    assert found.witness.step.step == found.violated
    assert replayed(found.witness) > bound_after(replace(step, step=found.violated), form)
    return float(found.proved), float(found.violated)


@pytest.mark.parametrize("mu", ["1/10", "1/2", "4/5"])
def test_gradient_descent_contracts_up_to_two_minus_mu(mu: str) -> None:
    """max((1 - eta mu)^2, (1 - eta)^2) <= 1 - eta mu up to eta = 2 - mu, not only to 1."""
    step = step_of(mu)
    found = frontier(step)
    low, high = sure(step, found)
    assert found.stated == 1
    assert low <= 2 - float(Fraction(mu)) <= high
    assert high - low <= 2 * float(WIDTH)


@pytest.mark.parametrize("form", ["repaired", "refined"])
def test_averaging_may_step_further_than_stated(form: str) -> None:
    step = step_of("1/10", ".1 .2 .3", "0 0 0")
    low, high = sure(step, frontier(step, form), form)
    assert 1 < low < high < 2


def test_a_sharper_bound_fails_earlier() -> None:
    step = step_of("1/10", "0 1 3", "0 0 0")
    repaired, refined = (frontier(step, form) for form in ("repaired", "refined"))
    assert repaired.proved is not None
    assert refined.violated is not None
    assert refined.violated < repaired.proved
    assert bound_after(step, "refined") < bound_after(step)


def test_the_stated_limit_and_its_domain() -> None:
    step = step_of("1/10", ".1", "1/2")
    assert stated_limit(replace(step, beta=Fraction(2))) == Fraction(1, 2)
    with pytest.raises(InvalidInput, match="in the refined bound"):
        frontier(step, "refined")
    with pytest.raises(InvalidInput, match="form must be"):
        bound_after(step, "printed")
    with pytest.raises(InvalidInput, match="not all zero"):
        stated_limit(replace(step, weights=(Fraction(0),) * 2))
