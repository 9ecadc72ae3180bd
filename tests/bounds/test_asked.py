"""What a value is by its own account agrees with what Python finds by trying."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
import torch

from bounds.numbers.asked import all_floats, has_float, index_of

VALUES: tuple[Any, ...] = (
    *(3, True, 3.0, "3", b"3", None, [3], 3j, Fraction(3), sympy.Integer(3), sympy.Symbol("x")),
    *(np.int64(3), np.bool_(True), np.float64(3), np.array(3), np.array([3]), np.array(True)),
    *(np.array(3, object), torch.tensor(3), torch.tensor(3.0), torch.tensor([3, 4])),
)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_whole_number_is_what_python_takes_for_an_index(value: Any) -> None:
    try:
        expected = operator.index(value)
    except TypeError:
        expected = None
    assert index_of(value) == expected


@pytest.mark.parametrize("value", [v for v in VALUES if not isinstance(v, torch.Tensor)], ids=repr)
def test_what_has_no_float_is_known_before_it_is_asked(value: Any) -> None:
    if has_float(value):
        assert float(value) in (1.0, 3.0)
    else:
        with pytest.raises(TypeError):
            float(value)


def test_one_entry_that_is_no_number_is_seen() -> None:
    assert all_floats([1, "2", Fraction(1, 2)])
    assert not all_floats([1, None])
    assert not all_floats(np.array([1, [2]], dtype=object))
    with pytest.raises(ValueError, match="inhomogeneous"):
        all_floats([[1], [1, 2]])
