"""Enumeration of finite noise: complete, weighted, in every number kind."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from bounds.numbers.validate import InvalidInput
from synthetic.noise.outcomes import enumerate_outcomes
from synthetic.registry import make

TWO_POINT = np.array([Fraction(2), Fraction(-1, 2)]), np.array([Fraction(1, 5), Fraction(4, 5)])


def test_weights_sum_to_one_and_moments_are_exact() -> None:
    draws, weights = enumerate_outcomes(TWO_POINT, rounds=2, slots=3)
    assert draws.shape == (64, 2, 3, 1)
    assert weights.sum() == 1
    assert len({tuple(row) for row in draws.reshape(64, -1)}) == 64
    weight = weights[:, None, None, None]
    assert ((weight * draws).sum(0) == 0).all()
    assert ((weight * draws**2).sum(0) == 1).all()
    # independent: the mean of a product over two words is zero
    assert (weights * draws[:, 0, 0, 0] * draws[:, 1, 2, 0]).sum() == 0


def test_a_wrong_probability_is_seen() -> None:
    """Negative control: the exact mean above notices a probability off by 1e-9."""
    values, chances = TWO_POINT
    shift = np.array([Fraction(1, 10**9), Fraction(-1, 10**9)])
    draws, weights = enumerate_outcomes((values, chances + shift), 1, 2)
    assert weights.sum() == 1
    assert (weights[:, None, None, None] * draws).sum(0).any()


def test_one_law_per_client_follows_the_slot_order() -> None:
    values = np.array([[1.0, -1.0], [2.0, -0.5]])
    chances = np.array([[0.5, 0.5], [0.2, 0.8]])
    draws, weights = enumerate_outcomes((values, chances), rounds=1, slots=4)
    for slot in range(4):
        assert set(draws[:, 0, slot, 0]) == set(values[slot % 2])
    assert weights.sum() == pytest.approx(1, abs=1e-15)
    np.testing.assert_allclose((weights * draws[:, 0, 3, 0] ** 2).sum(), 1)


@pytest.mark.parametrize("convert", [np.asarray, torch.as_tensor], ids=["numpy", "torch"])
def test_one_law_per_instance_has_an_instance_axis(convert: Any) -> None:
    skew = np.array([[1.0, 2.0], [3.0, 4.0], [0.5, 1.0]])
    data = {"A": np.ones((3, 2, 1, 1)), "xi": np.ones((3, 2, 1)), "noise_scale": 1 + 0 * skew}
    support = make("quadratic", data | {"skew": skew}).noise_support()
    draws, weights = enumerate_outcomes((convert(support[0]), convert(support[1])), 1, 2, width=2)
    assert tuple(draws.shape) == (3, 16, 1, 2, 2)
    assert tuple(weights.shape) == (3, 16)
    weight = weights[..., None, None, None]
    np.testing.assert_allclose(weights.sum(-1), 1)
    np.testing.assert_allclose((weight * draws).sum(1), 0, atol=1e-15)
    np.testing.assert_allclose((weight * draws**2).sum(1), 1)


def test_a_sure_value_is_one_outcome() -> None:
    draws, weights = enumerate_outcomes((np.array([0.0]), np.array([1.0])), 100, 100)
    assert draws.shape == (1, 100, 100, 1)
    assert weights.tolist() == [1.0]


def test_bad_requests_are_named() -> None:
    with pytest.raises(InvalidInput, match=r"outcomes must be at most 100 in number, got 2\^7"):
        enumerate_outcomes(TWO_POINT, 1, 7, cap=100)
    with pytest.raises(InvalidInput, match="outcomes must be at most"):
        enumerate_outcomes(TWO_POINT, 10_000, 10_000)
    with pytest.raises(InvalidInput, match="probabilities must be of length 2"):
        enumerate_outcomes((TWO_POINT[0], TWO_POINT[1][:1]), 1, 1)
    table = np.ones((2, 2)) / 2
    with pytest.raises(InvalidInput, match="slots must be a multiple of 2"):
        enumerate_outcomes((table, table), 1, 3)
