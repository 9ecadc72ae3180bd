"""The same expression gives the same value on every kind of number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
import torch

from bounds import generic as g
from bounds.numbers import Ball, as_rational
from bounds.numbers.formal import Axis, listed
from bounds.numbers.symbolic import LongFormula, NotReadable, Symbolic, client_symbol

VALUES = [[1, "1/4", 3], ["9/4", 2, "1/2"]]
ELEMENTWISE = ["sqrt", "exp", "log", "cos", "sin", "absolute", "positive_part", "floor", "ceil"]
REDUCTIONS = ["total", "largest", "smallest", "mean", "squared_norm"]


def _worlds() -> dict[str, object]:
    exact = as_rational(VALUES)
    floats = g.to_float(exact)
    balls = np.array([[Ball(v) for v in row] for row in exact], dtype=object)
    return {"exact": exact, "float": floats, "torch": torch.tensor(floats), "ball": balls}


@pytest.mark.parametrize("name", ELEMENTWISE + REDUCTIONS)
def test_kinds_agree(name: str) -> None:
    worlds = _worlds()
    expected = getattr(g, name)(worlds["float"])
    for world, x in worlds.items():
        # 1e-15: one rounding of each library's elementary function
        np.testing.assert_allclose(
            g.to_float(getattr(g, name)(x)), expected, rtol=2e-15, err_msg=world
        )


@pytest.mark.parametrize("name", ["maximum", "minimum", "at_least", "above"])
def test_pairs_agree(name: str) -> None:
    worlds = _worlds()
    expected = getattr(g, name)(worlds["float"], 2)
    for x in worlds.values():
        np.testing.assert_array_equal(g.to_float(getattr(g, name)(x, 2)), expected)
        twice = getattr(g, name)(x, x)
        assert tuple(twice.shape) == (2, 3)


def test_kind_and_constants() -> None:
    worlds = _worlds()
    for world, x in worlds.items():
        name = "exact" if world == "ball" else world
        assert g.kind(x) == name
        assert g.kind(g.zeros_like(x)) == name
        assert g.kind(g.eye(2, x)) == name
        assert g.kind(g.indicator(g.at_least(x, 1), x)) == name
        assert g.kind(g.stack([x, x])) == name
        assert g.kind(g.where(g.above(x, 1), x, g.zeros_like(x))) == name
        assert g.to_float(g.total(g.ones_like(x))).tolist() == [3.0, 3.0]
    assert g.kind(1, 2.0) == "float"
    assert g.kind(1) == "exact"
    assert g.kind(Symbolic(sympy.Symbol("a"))) == "symbolic"


def test_exact_scalars_stay_exact() -> None:
    assert g.sqrt(Fraction(1, 4)) == Fraction(1, 2)
    assert g.divide(1, 3) == Fraction(1, 3)
    assert g.maximum(Fraction(1, 3), 0) == Fraction(1, 3)
    assert isinstance(g.positive_part(Fraction(-1)), Fraction)
    assert g.largest(as_rational([1, 2])) == 2
    assert isinstance(g.sqrt(2.0), float)


def test_extremes_of_balls_need_no_decision() -> None:
    x = np.array([Ball(0, 2), Ball(1, 3)], dtype=object)
    top = g.largest(x)
    assert (top.lo, top.hi) == (1, 3)
    clipped = g.positive_part(np.array([Ball(-1, 1)], dtype=object))[0]
    assert (clipped.lo, clipped.hi) == (0, 1)


def test_symbols_are_summed_as_they_stand_and_a_listed_axis_over_any_number() -> None:
    a, b = (Symbolic(symbol) for symbol in sympy.symbols("a b", real=True))
    assert g.total(np.array([a, b], dtype=object)) == a + b
    assert g.mean(np.array([a, b], dtype=object)) == (a + b) / 2
    assert g.largest(np.array([a, b], dtype=object)) == sympy.Max(a.expr, b.expr)
    array = np.array([a], dtype=object)
    assert g.positive_part(array)[0] == sympy.Max(a.expr, 0)
    assert g.indicator(g.at_least(array, b), array)[0].expr.subs({a.expr: 1, b.expr: 0}) == 1

    k, clients = client_symbol()
    axis, s = Axis.of(4, 0), sympy.IndexedBase("s", real=True)
    with listed(axis):
        every = np.array([Symbolic(s[mark]) for mark in axis.marks], dtype=object)
        assert g.total(every).item().expr == sympy.Sum(s[k], (k, 1, clients))
        assert g.mean(every).item().expr == sympy.Sum(s[k], (k, 1, clients)) / clients


def test_two_axes_are_summed_whichever_runs_through_the_clients() -> None:
    (k, clients), axis, s = client_symbol(), Axis.of(4, 0), sympy.IndexedBase("s", real=True)
    ones = [s[m] for m in axis.marks]
    squares = [s[m] ** 2 for m in axis.marks]
    some_multiplied_out = [s[m] * (s[m] + 1) for m in axis.marks[:2]]
    some_multiplied_out += [s[m] ** 2 + s[m] for m in axis.marks[2:]]
    inner, outer = [*ones, *squares], [e for pair in zip(ones, squares, strict=True) for e in pair]
    with listed(axis):
        for entries in (inner, outer):
            found = g.total(np.array([Symbolic(e) for e in entries], dtype=object)).item().expr
            assert found == sympy.Sum(s[k], (k, 1, clients)) + sympy.Sum(s[k] ** 2, (k, 1, clients))
        last = np.array([Symbolic(e) for e in [*ones, *some_multiplied_out]], dtype=object)
        parts = [sympy.Sum(e, (k, 1, clients)) for e in (s[k], s[k] ** 2 + s[k])]
        assert g.total(last).item().expr == sum(parts)
        with pytest.raises(NotReadable, match="a single client"):
            g.total(np.array([Symbolic(e) for e in [*ones[:3], *squares, s[k]]], dtype=object))


def test_pairs_and_triples_are_summed_and_a_long_list_of_outcomes_is_refused() -> None:
    (k, clients), axis, s = client_symbol(), Axis.of(4, 0), sympy.IndexedBase("s", real=True)
    ones = [Symbolic(s[mark]) for mark in axis.marks]
    with listed(axis):
        for power in (2, 3):
            found = g.total(np.array(ones * 4 ** (power - 1), dtype=object)).item().expr
            assert found == 4 ** (power - 1) * sympy.Sum(s[k], (k, 1, clients))
        with pytest.raises(NotReadable, match="68 entries is none of clients"):
            g.total(np.array(ones * 17, dtype=object))


def test_entries_of_many_parts_are_refused() -> None:
    (k, clients), axis, s = client_symbol(), Axis.of(4, 0), sympy.IndexedBase("s", real=True)

    def entries(terms: int) -> Any:
        return np.array(
            [Symbolic(sum(s[m] ** (n + 2) for n in range(terms))) for m in axis.marks], dtype=object
        )

    with listed(axis):
        found = g.total(entries(40)).item().expr  # of a sum and its 40 powers: 241 parts
        assert found == sympy.Sum(sum(s[k] ** (n + 2) for n in range(40)), (k, 1, clients))
        with pytest.raises(LongFormula, match="more than 300 parts"):
            g.total(entries(60))


def test_an_extreme_of_many_symbols_is_that_of_two_after_the_other() -> None:
    a, b, c = (Symbolic(s) for s in sympy.symbols("a b c", positive=True))
    rows = np.array([[a, b, a + c], [b, 2 * b, Fraction(0)], [c, c, a]], dtype=object)
    plain = np.array([Fraction(2), Fraction(3), Fraction(1)], dtype=object)
    for extreme in (g.largest, g.smallest):
        alone = [extreme(rows, axis) for axis in (0, 1)]
        with listed(Axis.of(5, 0)):
            together = [extreme(rows, axis) for axis in (0, 1)]
            assert extreme(rows[0]).expr == alone[1][0].expr
            assert extreme(np.stack([plain, rows[2]]))[0] == extreme(plain)
        for one, other in zip(alone, together, strict=True):
            assert [e.expr for e in one] == [e.expr for e in other]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_matrices_agree(size: int) -> None:
    rng = np.random.default_rng(size)
    raw = rng.integers(-3, 4, (4, size, size)).astype(float)
    A = raw @ raw.swapaxes(-1, -2) + np.eye(size)
    x = rng.integers(-3, 4, (4, size)).astype(float)
    for world in (as_rational, torch.tensor):
        B, y = world(A), world(x)
        pairs = [
            (g.smallest_eigenvalue(B), np.linalg.eigvalsh(A)[:, 0]),
            (g.largest_eigenvalue(B), np.linalg.eigvalsh(A)[:, -1]),
            (g.squared_spectral_norm(B), np.linalg.norm(A, 2, axis=(-2, -1)) ** 2),
            (g.inverse(B), np.linalg.inv(A)),
            (g.solve(B, y), np.linalg.solve(A, x[..., None])[..., 0]),
            (g.matvec(B, y), np.einsum("bij,bj->bi", A, x)),
            (g.dot(y, y), (x**2).sum(-1)),
        ]
        for found, expected in pairs:
            # 1e-10: condition numbers up to a thousand
            np.testing.assert_allclose(g.to_float(found), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("matrices", "vectors"),
    [
        ((2, 1, 1, 5), (2, 40, 30, 5)),  # points of each federation and client
        ((1, 1, 1, 5), (2, 40, 30, 5)),
        ((2, 1, 30, 1), (1, 1000, 30, 1)),
        ((2, 40, 30, 5), (2, 40, 30, 5)),  # a matrix for each
        ((2, 40, 30, 5), (1, 40, 1, 5)),
    ],
)
@pytest.mark.parametrize("dim", [2, 3, 10])
def test_many_vectors_of_one_matrix(matrices: Any, vectors: Any, dim: int) -> None:
    rng = np.random.default_rng(dim)
    A = rng.normal(size=(*matrices, dim, dim))
    x = rng.normal(size=(*vectors, dim))
    found = g.matvec(A, x)
    expected = np.einsum("...ij,...j->...i", A, x)
    assert found.shape == expected.shape
    # ten products of 1e-16 each, of entries up to some ten
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    turned = np.einsum("...ji,...j->...i", A, x)
    assert not np.allclose(found, turned, rtol=0, atol=1e-3)  # negative control


def test_one_dimensional_matrices_stay_rational() -> None:
    A = as_rational([[["1/3"]], [["-2"]]])
    for found in (g.squared_spectral_norm(A), g.smallest_eigenvalue(A), g.inverse(A).ravel()):
        assert all(isinstance(v, Fraction) for v in found)


POWERS = [Fraction(1, 2), Fraction(3, 4), Fraction(5, 2), Fraction(1, 3), Fraction(-1, 2), 2]


@pytest.mark.parametrize("exponent", POWERS)
def test_powers_agree(exponent: Any) -> None:
    worlds = _worlds()
    expected = np.asarray(worlds["float"]) ** float(exponent)
    for world, x in worlds.items():
        found = g.power(x, exponent)
        assert g.kind(found) == ("exact" if world == "ball" else world)
        # three roundings of a root, or of a logarithm, a product and an exponential
        np.testing.assert_allclose(g.to_float(found), expected, rtol=5e-15, err_msg=world)


def test_powers_of_fractions_are_never_rounded() -> None:
    assert g.power(Fraction(16, 81), Fraction(3, 4)) == Fraction(8, 27)
    assert isinstance(g.power(Fraction(2), Fraction(1, 2)), Ball)
    assert isinstance(g.power(Fraction(2), 0.5), Ball)
    assert g.power(Fraction(0), Fraction(1, 3)) == 0
    third = g.power(Fraction(2), Fraction(1, 3))
    assert third.lo**3 <= 2 <= third.hi**3
    below = g.power(Ball(0, 1), Fraction(1, 4))  # a ball that begins at zero keeps its end
    assert (below.lo, below.hi) == (0, 1)
    below = g.power(Ball(0, Fraction(1, 8)), Fraction(1, 3))
    assert below.lo == 0
    assert 0 <= below.hi - Fraction(1, 2) < Fraction(1, 10**30)
    with pytest.raises(ZeroDivisionError):
        g.power(Fraction(0), Fraction(-1, 3))
    many = g.power(as_rational([4, 9]), as_rational(["1/2", "3/2"]))
    assert list(many) == [2, 27]
