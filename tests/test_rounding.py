"""Bounds of rounding hold in every order of addition, follow each rule, and let no fault pass."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from typing import Any

import pytest
import torch

from tests import rounding
from tests.rounding import Roundings, assert_same_but_for_rounding
from tests.rounding_rules import gamma

SINGLE = torch.float32
GENERATOR = torch.Generator()


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    """Of all sizes from a thousandth to a thousand, of both signs, in float32."""
    GENERATOR.manual_seed(seed)
    sizes = 10 ** (6 * torch.rand(shape, generator=GENERATOR) - 3)
    return sizes * torch.sign(torch.rand(shape, generator=GENERATOR) - 0.5)


def definite(seed: int = 0) -> torch.Tensor:
    root = torch.randn(4, 4, generator=GENERATOR.manual_seed(seed))
    return root @ root.mT + torch.eye(4)


ONE = {
    "sum": lambda a, b: (a * b).sum(-1),
    "sum of all": lambda a, b: (a - b).sum(),
    "mean": lambda a, b: (a * b).mean(0),
    "add": lambda a, b: a * b + 1 / 3,
    "sub": lambda a, b: a * b - b * 0.1,
    "rsub": lambda a, b: 0.3 - a * b,
    "mul": lambda a, b: (a + b) * (a - b),
    "div": lambda a, b: (a + b) / (b * b + 1),
    "reciprocal": lambda a, b: 1 / (a * a + b * b),
    "square": lambda a, b: (a * 0.7 - b) ** 2,
    "cube": lambda a, b: (a * 0.7 - b) ** 3,
    "root": lambda a, b: (a * a + b * b).sqrt(),
    "power of minus two": lambda a, b: (a * a + b * b) ** -2,
    "mm": lambda a, b: (a * 0.3) @ (b * 0.7).mT,
    "bmm": lambda a, b: (a * 0.3)[None] @ (b * 0.7).mT[None],
    "mv": lambda a, b: (a * 0.3) @ b[0],
    "einsum": lambda a, b: torch.einsum("ij,kj->ik", a * 0.3, b),
    "added": lambda a, b: torch.addmm(a[:, :6], a * 0.3, (b * 0.7).mT),
    "norm": lambda a, b: (a * 0.3 - b).norm(dim=-1),
    "exp": lambda a, b: (a / (a.abs() + b.abs())).exp(),
    "log": lambda a, b: (a * a * 0.3 + 1).log(),
    "tanh": lambda a, b: (a * 0.3).tanh(),
    "sigmoid": lambda a, b: torch.sigmoid(b * 0.3),
    "largest": lambda a, b: (a * b).amax(-1),
    "smallest": lambda a, b: (a * b).amin(-1),
    "most": lambda a, b: (a * b).max(-1).values,
    "least": lambda a, b: (a * b).min(-1).values,
    "sorted": lambda a, b: (a * b).sort(dim=0).values,
    "clamped": lambda a, b: (a * b).clamp(-1, 1),
    "the larger": lambda a, b: torch.maximum(a * b, b * 0.3),
    "size": lambda a, b: (a * b - 0.1).abs(),
    "chosen": lambda a, b: torch.where(a > 0, a * b, -(b * 0.3)),
    "places": lambda a, b: torch.cat([a * b, b * 0.3]).flip(0)[2:5, None].expand(3, 2, 9),
    "filled": lambda a, b: (a * b).masked_fill(a > 0, 2.0) * 0.3,
    "narrowed": lambda a, b: (a.double() * b.double()).to(a.dtype),
}
"""Formulas of two matrices."""

MATRIX: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "solved": lambda m, b: torch.linalg.solve(m * 0.3, b * 0.7),
    "factor": lambda m, b: torch.linalg.cholesky(m * 0.3),
    "spectrum": lambda m, b: torch.linalg.eigh(m * 0.3).eigenvalues,
}


def watched(formula: Any, *data: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    with Roundings() as roundings:
        found = formula(*data)
    return found, roundings.of(found)


@pytest.mark.parametrize("name", [*ONE, *MATRIX])
def test_a_result_is_within_its_bound_of_the_exact_one(name: str) -> None:
    """And the bound is of the size that it is made for: a thousandth is never called rounding."""
    for seed in range(20):
        if name in MATRIX:
            formula, data = MATRIX[name], (definite(seed), numbers(4, seed=seed))
        else:
            formula, data = ONE[name], (numbers(6, 9, seed=seed), numbers(6, 9, seed=seed + 50))
        found, bound = watched(formula, *data)
        exact = formula(*(x.double() for x in data))
        assert found.dtype == SINGLE
        assert ((found.double() - exact).abs() <= bound).all()
        assert bound.isfinite().all()
        assert bound.median() < 1e-3 * exact.abs().max()
    assert bound.max() > 0


def test_a_sum_is_within_its_bound_in_every_order() -> None:
    x = numbers(200) * numbers(200, seed=1)
    with Roundings() as roundings:
        one = x.sum()
    bound = roundings.of(one)
    for order in (torch.arange(199, -1, -1), x.abs().argsort(), torch.randperm(200)):
        total = torch.zeros(())
        for term in x[order]:  # one after the other: the worst way
            total = total + term
        assert_same_but_for_rounding(total, one, bound)
    assert_same_but_for_rounding(torch.tensor(sum(x.double().tolist())), one, bound)


@pytest.mark.parametrize("count", [3, 30, 300])
def test_a_term_that_is_dropped_or_doubled_is_seen(count: int) -> None:
    """Negative control: also the least of terms of one size, or a tenth of it."""
    x = 1 + torch.rand(count, generator=GENERATOR.manual_seed(count))
    with Roundings() as roundings:
        one = x.sum()
    for wrong in (x[1:].sum(), one + x[0], one + x.min() / 10):
        with pytest.raises(AssertionError, match="more than rounding explains"):
            assert_same_but_for_rounding(wrong, one, roundings.of(one))


def test_errors_are_handed_on_by_views_and_by_what_is_written() -> None:
    x = numbers(4)
    with Roundings() as roundings:
        product = x * 0.3
        blank = torch.zeros(2, 4)
        blank[1] = product
        total = blank.sum(0)
        row = blank[1]
    assert torch.equal(roundings.of(row), roundings.of(product))
    assert (roundings.of(total) >= roundings.of(product)).all()
    assert roundings.of(product).min() > 0


def test_data_may_be_off() -> None:
    draws = numbers(5)
    with Roundings() as roundings:
        roundings.given(draws, 1e-3)
        moved = draws[1:] * 2
    assert (roundings.of(moved) >= 2e-3).all()
    assert (roundings.of(moved) < 2.1e-3).all()


def test_what_has_no_rule_or_no_bound_is_no_pass() -> None:
    x = numbers(3)
    with Roundings(), pytest.raises(NotImplementedError, match="no rule for aten.lgamma"):
        torch.lgamma(x)
    with Roundings() as roundings:
        close = x * 0.3
        ratio = 1 / (close - close)  # by what may be zero
    with pytest.raises(AssertionError, match="no bound"):
        assert_same_but_for_rounding(ratio, ratio, roundings.of(ratio))


def test_more_roundings_than_digits_are_refused() -> None:
    assert gamma(3, SINGLE) == pytest.approx(3 * 2.0**-24, rel=1e-6)
    with pytest.raises(AssertionError, match="leave no digit"):
        gamma(1 << 22, SINGLE)


def test_its_example_runs() -> None:
    failed, tried = doctest.testmod(rounding)
    assert (failed, tried) == (0, 2)
