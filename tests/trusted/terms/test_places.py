"""Places on axes: entries behind letters, numbers of nodes at places, slices that move an axis."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from verify.terms.node import node
from verify.terms.places import (
    EVERY,
    AxisPlace,
    NodeNumbers,
    entry_of,
    letters_for,
    shift_of,
)

X, Y = node("symbol", data="x"), node("symbol", data="y")


def test_a_place_moves_along_its_axis_and_every_coordinate_stays_every_one() -> None:
    assert AxisPlace("i", 2).further(3) == AxisPlace("i", 5)
    assert AxisPlace("", 2).further(-1) == AxisPlace("", 1)
    assert AxisPlace("i") == AxisPlace("i", 0)
    assert EVERY.further(2) is EVERY


def test_a_place_is_an_index() -> None:
    assert ast.unparse(AxisPlace("i").tree) == "i"
    assert ast.unparse(AxisPlace("i", 2).tree) == "i + 2"
    assert ast.unparse(AxisPlace("", 2).tree) == "2"
    assert ast.unparse(AxisPlace("", 0).tree) == "0"


def test_letters_are_those_that_are_no_names() -> None:
    assert letters_for({"i", "k", "w"})[:4] == ("j", "l", "m", "r")
    assert len(letters_for({"i", "k", "w"})) == 18
    assert len(letters_for(())) == 20


def at(value: Any, places: tuple[int, ...], outcome: int = -1) -> Any:
    return NodeNumbers({X: value}, outcome).at(X, places)


def test_the_number_of_a_node_is_that_at_its_places() -> None:
    rows = np.arange(12.0).reshape(1, 1, 3, 4)  # (instance, outcome, row, column)
    assert at(5.0, (1, 2)) == 5.0
    assert type(at(np.array(5), ())) is int
    assert at(np.array([7.0]), (1,)) == 7.0
    assert at(np.array([[7.0]]), (1,)) == 7.0
    assert at(rows, (2, 3)) == 11.0
    assert at(rows, (1, 2, 3)) == 11.0, "the last places are those of its axes"
    assert at(rows[:, :, 0], (2, 3)) == 3.0
    assert at(rows[:, :, :, 2:3], (1, 3)) == 6.0, "of an axis of one entry all are that one"
    assert at(rows[:, :, :1], (1, 3)) == 3.0
    values = NodeNumbers({X: rows, Y: 2.0}, -1)
    assert (values.at(X, (1, 1)), values.at(Y, (1, 1))) == (5.0, 2.0)


def test_the_number_is_that_of_the_outcome_that_is_meant() -> None:
    noisy = np.arange(6.0).reshape(1, 2, 3)
    assert [at(noisy, (2,), outcome) for outcome in (0, 1)] == [2.0, 5.0]
    assert at(np.arange(2.0).reshape(1, 2), (), 1) == 1.0
    assert at(noisy[:, :1], (2,), 1) == 2.0, "one that does not differ has no outcomes"
    with pytest.raises(LookupError, match="no single outcome"):
        at(noisy, (2,))
    with pytest.raises(LookupError, match="no single outcome"):
        at(np.arange(2.0).reshape(1, 2), ())


def test_there_is_no_single_number_of_two_instances_nor_without_places() -> None:
    for value, places in (
        (np.zeros((2, 1)), ()),
        (np.zeros((2, 1, 3)), (1,)),
        (np.zeros((1, 1, 3)), ()),
        (np.zeros((1, 1, 3, 4)), (1,)),
        (np.zeros(2), ()),
        (np.zeros((0, 1)), ()),
    ):
        with pytest.raises(LookupError, match="no single number"):
            at(value, places)


def test_entries_are_counted_from_the_last_axis() -> None:
    values = NodeNumbers({X: np.zeros((1, 2, 3, 4, 5)), Y: np.zeros((1, 2))}, 0)
    assert [values.count(X, behind) for behind in range(5)] == [5, 4, 3, 0, 0]
    assert values.count(Y, 0) == 0


def test_entries_are_numbers_where_no_place_is_a_letter() -> None:
    assert entry_of((AxisPlace("", 2), AxisPlace("", -1))) == (2, -1)
    assert entry_of(()) == ()
    for places in ((AxisPlace("i"),), (AxisPlace("", 2), AxisPlace("i", 1)), (EVERY,)):
        with pytest.raises(LookupError, match="no single entry"):
            entry_of(places)


def test_a_slice_moves_an_axis_where_it_is_whole_but_for_an_end() -> None:
    whole = {
        (None, None, None): 0,
        (0, None, None): 0,
        (1, None, None): 1,
        (None, -1, None): 0,
        (1, None, 1): 1,
        (0, -1, 1): 0,
    }
    assert {one: shift_of(one) for one in whole} == whole
    for one in (
        (2, None, None),
        (-1, None, None),
        (None, 1, None),
        (None, -2, None),
        (None, 0, None),
        (None, None, 2),
        (None, None, -1),
        (None, None, 0),
        3,
        None,
        Ellipsis,
    ):
        assert shift_of(one) is None
