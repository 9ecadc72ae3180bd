"""The switch adds in another order, the same sums, and a tolerance without analysis shows there."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch

from bounds import generic
from tests.conftest import pytest_runtest_protocol
from tests.other_order import ORDERS, VARIABLE, in_order, sums
from tests.rounding import Roundings, assert_same_but_for_rounding

orders = pytest.mark.parametrize("order", ORDERS)
FLOATS = np.random.default_rng(3).normal(size=(40, 30)) ** 3

TENSORS = {
    "sum": lambda x: x.sum(-1),
    "sum of an axis": lambda x: x.sum(0),
    "sum of both": lambda x: x.sum((0, 1)),
    "sum of all": lambda x: x.sum(),
    "mean": lambda x: x.mean(0),
    "mm": lambda x: x @ x.mT,
    "mv": lambda x: x @ x[0],
    "dot": lambda x: torch.stack([row @ x[0] for row in x]),
    "bmm": lambda x: torch.einsum("nij,nkj->nik", x[None], x[None]),
    "addmm": lambda x: torch.addmm(torch.ones(40, 40), x, x.mT),
    "total": lambda x: generic.total(x, 0),
}
ARRAYS = {
    "total": lambda x: generic.total(x, 0),
    "mean": lambda x: generic.mean(x),
    "dot": lambda x: generic.dot(x[:1], x),
    "matvec": lambda x: generic.matvec(x, x[0]),
    "matmul": lambda x: generic.matmul(x, x.T),
}


@orders
@pytest.mark.parametrize("name", TENSORS)
def test_tensors_are_added_in_another_order_but_for_rounding_the_same(
    name: str, order: str
) -> None:
    x = torch.tensor(FLOATS, dtype=torch.float32)
    with Roundings() as roundings:
        plain = TENSORS[name](x)
    with in_order(order) as mode:
        other, again = TENSORS[name](x), TENSORS[name](x)
    assert mode.seen >= 2
    assert torch.equal(other, again)
    assert not torch.equal(other, plain)
    assert_same_but_for_rounding(other, plain, roundings.of(plain))
    assert torch.equal(TENSORS[name](x), plain)


@orders
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_likewise(name: str, order: str) -> None:
    plain = ARRAYS[name](FLOATS)
    with in_order(order):
        other = ARRAYS[name](FLOATS)
    assert not np.array_equal(other, plain)
    np.testing.assert_allclose(other, plain, rtol=1e-9)
    assert np.array_equal(ARRAYS[name](FLOATS), plain)


@orders
def test_whole_numbers_and_what_has_one_term_for_many_stay(order: str) -> None:
    one = np.ones((1, 4))
    with in_order(order) as mode:
        assert int(torch.arange(5).sum()) == 10
        assert mode.seen == 0
        np.testing.assert_allclose(generic.dot(one[:, :1], FLOATS), FLOATS.sum(-1))
        half = np.array([Fraction(1, 2), Fraction(1, 3)])
        assert generic.matvec(np.eye(2), half).tolist() == [0.5, 1 / 3]  # not turned round


def test_the_environment_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "sideways")
    with pytest.raises(ValueError, match="must be one of reversed, shuffled, got sideways"):
        sums()
    monkeypatch.delenv(VARIABLE)
    with sums() as mode:
        assert mode is None


def test_a_test_runs_under_what_the_environment_asks_for(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """And a constant of the order of one processor falls there, which an analysis would not."""
    x = torch.tensor(FLOATS[0], dtype=torch.float32)
    monkeypatch.setenv(VARIABLE, "reversed")
    around = pytest_runtest_protocol(request.node)
    with Roundings() as roundings:
        plain = (x[:, None] * x).sum(0)
    next(around)
    other = (x[:, None] * x).sum(0)
    with pytest.raises(StopIteration):
        next(around)
    assert not torch.equal(other, plain)
    assert_same_but_for_rounding(other, plain, roundings.of(plain))
    assert torch.equal((x[:, None] * x).sum(0), plain)
