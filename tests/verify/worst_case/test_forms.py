"""Formulas on unknown vectors: what is affine in inner products is found, anything else refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from verify.worst_case.forms import (
    ExtremeForm,
    NotQuadratic,
    RootForm,
    extreme,
    extreme_along,
    point_of,
    rooted,
    value_form,
    vector_forms,
    whole,
)
from verify.worst_case.points import Expression, SymbolicPoint, rational
from verify.worst_case.problem import ClassProblem


def unknown() -> tuple[Any, Any, Any]:
    """Two vectors as arrays of coordinates, and a value."""
    p = ClassProblem()
    x, y = (np.array(vector_forms(p.point(name)), dtype=object) for name in "xy")
    return x, y, value_form(p.number("f"))


def test_a_squared_norm_of_a_step_is_expanded() -> None:
    x, y, f = unknown()
    step = xp.squared_norm(x - Fraction(1, 2) * y) + 3 * f - 1
    expected = {
        ("x", "x"): rational(1),
        ("x", "y"): rational(-1),
        ("y", "y"): rational(Fraction(1, 4)),
        ("f",): rational(3),
        (): rational(-1),
    }
    assert whole(step).terms == expected


def test_a_norm_is_the_root_of_an_inner_product() -> None:
    x, _, _ = unknown()
    norm = rooted(xp.squared_norm(2 * x))
    assert isinstance(norm, RootForm)
    assert whole(norm**2).terms == {("x", "x"): rational(4)}


def test_what_cancels_is_a_number() -> None:
    x, y, f = unknown()
    assert f - f == 0
    assert xp.dot(x, y) - xp.dot(y, x) == 0


def test_extremes_are_kept_and_turn_round() -> None:
    _, _, f = unknown()
    both = -extreme(f, 2 * f, largest=False)
    assert isinstance(both, ExtremeForm)
    assert both.largest
    assert [whole(part).terms[("f",)] for part in both.parts] == [-1, -2]


REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "the sum of coordinates": lambda x, y, f: whole((x[0] + x[1]) ** 2),
    "one coordinate alone": lambda x, y, f: whole(x[0] * y[0]),
    "coordinates with weights": lambda x, y, f: whole(x[0] ** 2 + 2 * x[1] ** 2),
    "a product across coordinates": lambda x, y, f: x[0] * y[1],
    "an absolute value of a coordinate": lambda x, y, f: abs(x[0]),
    "an absolute value of a norm less one": lambda x, y, f: abs(rooted(xp.squared_norm(x)) - 1),
    "a coordinate and a number": lambda x, y, f: x[0] + 1,
    "a product of values": lambda x, y, f: f * f,
    "a product of inner products": lambda x, y, f: xp.dot(x, y) * xp.dot(x, y),
    "a quotient": lambda x, y, f: 1 / f,
    "a power": lambda x, y, f: f**3,
    "a comparison": lambda x, y, f: xp.where(f > 0, f, 0),
    "a yes or no": lambda x, y, f: 1 if f else 0,
    "a norm beside an inner product": lambda x, y, f: rooted(xp.squared_norm(x)) + f,
    "a largest entry": lambda x, y, f: whole(extreme_along(x, largest=True)),
    "a mirrored point": lambda x, y, f: point_of([x[0], -x[1]]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_depends_on_coordinates_is_refused(name: str) -> None:
    with pytest.raises(NotQuadratic):
        REFUSED[name](*unknown())


def test_a_point_is_read_off_its_coordinates() -> None:
    x, y, _ = unknown()
    assert point_of(list(x - 2 * y)).parts == {"x": rational(1), "y": rational(-2)}
    assert point_of([0, 0]).same(SymbolicPoint({}))
    assert whole(Fraction(3)).terms == Expression({(): rational(3)}).terms
