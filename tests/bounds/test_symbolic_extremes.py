"""Largest and smallest values of symbols are those of sympy, whatever is kept of their pairs."""

from __future__ import annotations

import random

import pytest
import sympy

from bounds.numbers.symbolic import Symbolic, applied, client_symbol

_K, _N = client_symbol()
_SUMS = [sympy.Sum(sympy.IndexedBase(name, positive=True)[_K], (_K, 1, _N)) for name in "abc"]
_X, _Y = sympy.symbols("x y", real=True)
_P, _Q = sympy.symbols("p q", positive=True)
ENTRIES = [
    *(_X, _Y, _X + _P, _X - _Q, _X * _P, _X**2, -(_X**2), _P, _Q, _P + _Q, 2 * _P, -_P, -_Q - _P),
    *(
        *_SUMS,
        _SUMS[0] / _SUMS[1],
        _SUMS[0] + _P,
        _SUMS[0] + _SUMS[1],
        -_SUMS[2],
        sympy.Max(_X, _Y),
    ),
    *(sympy.Integer(0), sympy.Integer(2)),
]


@pytest.mark.parametrize("name", ["Max", "Min"])
def test_extreme_values_of_many_are_those_of_sympy(name: str) -> None:
    draw = random.Random(name)
    for _ in range(200):
        entries = draw.choices(ENTRIES, k=draw.randint(3, 6))
        assert applied(name, *map(Symbolic, entries)).expr == getattr(sympy, name)(*entries)
