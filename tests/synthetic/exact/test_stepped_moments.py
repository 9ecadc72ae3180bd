"""Axis by axis is the recursion round by round, for a batch of federations and changing steps."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from synthetic.exact.moments import Moments, moments
from synthetic.exact.stepped import Stepped, stepped_moments
from tests.each import each

ROUNDS = 300
# the two recursions differ by their rounding alone, 1e-16 in each of some hundred rounds
CLOSE = 1e-10


def federations(
    dim: int, condition: float, noise: str, constant: bool
) -> tuple[Stepped, np.ndarray]:
    """Three federations with random axes, noise of full rank or along one vector."""
    rng = np.random.default_rng(5)
    axes, _ = np.linalg.qr(rng.normal(size=(3, dim, dim)))
    values = np.geomspace(1, condition, dim)
    pull = (axes * values) @ axes.swapaxes(-1, -2)
    pull = (pull + pull.swapaxes(-1, -2)) / 2
    root = rng.normal(size=(3, dim, dim if noise == "full" else 1))
    sizes = rng.uniform(0.1, 1, size=(3, 1 if constant else ROUNDS)) / condition
    made = Stepped(pull, rng.normal(size=(3, dim)), root @ root.swapaxes(-1, -2), sizes)
    return made, rng.normal(size=(3, dim))


def gap(left: Moments, right: Moments) -> float:
    """Largest difference relative to the size of each round's own entries."""
    found = 0.0
    for name, axes in (("mean", (-1,)), ("covariance", (-1, -2))):
        a, b = getattr(left, name), getattr(right, name)
        size = np.abs(b).max(axes, keepdims=True)
        found = max(found, float((np.abs(a - b) / np.where(size == 0, 1, size)).max()))
    return found


@each("dim", [1, 3, 10])
@each("condition", [1.0, 1e4])
@each("noise", ["full", "one vector"])
@each("constant", [True, False])
def test_axis_by_axis_is_round_by_round(
    dim: int, condition: float, noise: str, constant: bool
) -> None:
    made, start = federations(dim, condition, noise, constant)
    along = stepped_moments(made, start, ROUNDS)
    plain = moments(made, start, ROUNDS)
    assert along.path.mean.shape == plain.mean.shape
    assert along.path.covariance.shape == plain.covariance.shape
    assert gap(along.back(), plain) < CLOSE
    other = Stepped(made.pull, made.push, made.covariance, 1.001 * made.sizes)
    assert gap(stepped_moments(other, start, ROUNDS).back(), plain) > 1e-6  # negative control


def test_a_covariance_at_the_start_is_carried_along() -> None:
    made, start = federations(4, 10.0, "full", False)
    spread = np.diag(np.arange(1.0, 5.0))
    along = stepped_moments(made, start, 20, spread).back()
    assert gap(along, moments(made, start, 20, spread)) < CLOSE
    np.testing.assert_allclose(along.covariance[:, 0] - spread, 0, atol=1e-12)


def test_what_is_not_symmetric_or_too_short_is_refused() -> None:
    made, start = federations(3, 10.0, "full", False)
    with pytest.raises(InvalidInput, match="symmetric"):
        Stepped(np.triu(made.pull), made.push, made.covariance, made.sizes)
    with pytest.raises(InvalidInput, match="one for each round"):
        stepped_moments(made, start, ROUNDS + 1)
