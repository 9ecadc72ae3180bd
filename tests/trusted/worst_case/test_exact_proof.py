"""Exact data, and certificates made of exact multipliers: every number by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Q
from typing import Any

import pytest

from tests.trusted.worst_case.by_hand import (
    DATA,
    HALVES,
    PROGRAMME,
    coefficients,
    condition,
    e,
    matrix,
    programme,
)
from verify.certify.gram.check import complaint
from verify.worst_case.conic import Facet
from verify.worst_case.exact.data import Data, ExactValues
from verify.worst_case.exact.exact_proof import (
    _squares,
    _upwards,
    along,
    assembled,
    restored,
    unknowns,
)
from verify.worst_case.points import SymbolicPoint, fraction, rational


def fractions(row: Any) -> list[Q]:
    return [fraction(q) for q in row]


# -- data ------------------------------------------------------------------------------------------


def point(**parts: Any) -> SymbolicPoint:
    return SymbolicPoint({name: rational(q) for name, q in parts.items()})


def test_points_and_expressions_at_exact_data() -> None:
    data = Data({"a": (Q(1), Q(2)), "b": (Q(3), Q(0))}, {"f": Q(7)}, Q(0), 2)
    assert data.at(point(a=Q(1, 2), b=-2)) == (Q(-11, 2), Q(1))
    assert data.at(point(z=5)) == (Q(0), Q(0))
    assert data.at(point()) == (Q(0), Q(0))
    assert data.of(e(a_a=1, a_b=Q(2, 3), b_b=-1, f=3, one=-4)) == 5 + 2 - 9 + 21 - 4
    assert data.of(e(g=5, a_z=3, one=1)) == 1, "what is not named is zero"
    assert data.of(e()) == 0


def test_each_product_is_made_once() -> None:
    values = ExactValues({"a": [rational(2), rational(3)], "b": [rational(5)]}, {})
    assert values.of(e(a_b=1)) == 10, "coordinates beyond the last are zero"
    assert values.products == {(): 1, ("a", "b"): 10}
    values.products["a", "b"] = rational(4)
    assert values.of(e(a_b=2, one=1)) == 9
    assert values.of(e(a_a=1)) == 13


# -- multipliers -----------------------------------------------------------------------------------

SEEN = matrix("m", [e(a_a=1), e(a_b=1)], [e(a_b=1), e(b_b=3)])


def test_multipliers_are_those_of_conditions_then_of_entries_of_matrices() -> None:
    made = programme(condition("one", f=1), condition("two", True, f=2), matrices=(SEEN, SEEN))
    found = unknowns(made)
    places = [(u.free, u.matrix, u.row, u.column) for u in found]
    entries = [(True, k, r, c) for k in (0, 1) for r, c in ((0, 0), (0, 1), (1, 1))]
    assert places == [(False, None, 0, 0), (True, None, 0, 0), *entries]
    keys = [coefficients(u.expression) for u in found]
    first = [{("a", "a"): 1}, {("a", "b"): 2}, {("b", "b"): 3}]
    assert keys == [{("f",): 1}, {("f",): 2}, *first, *first]


def test_what_must_cancel_is_made_to_cancel_by_the_largest() -> None:
    near = [rational(q) for q in (Q(1, 2), Q(9, 10), Q(1, 2))]
    assert restored(PROGRAMME, near) == HALVES
    assert restored(PROGRAMME, HALVES) == HALVES
    two = programme(
        condition("small", f=-1), condition("large", f=-1), condition("other", one=1, f=-1)
    )
    start = [rational(q) for q in (Q(1, 10), Q(3, 5), Q(1, 5))]
    found = restored(two, start)
    assert found is not None
    assert fractions(found) == [Q(1, 10), Q(7, 10), Q(1, 5)]
    free = replace(two, conditions=(*two.conditions, condition("free", True, f=2)))
    found = restored(free, [*start, rational(0)])
    assert found is not None
    assert fractions(found) == [Q(1, 10), Q(3, 5), Q(1, 5), Q(-1, 20)]
    found = restored(free, [*start, rational(-3)])
    assert found is not None
    assert fractions(found)[3] == Q(-1, 20)


def test_matrix_entries_come_after_what_is_free_and_zero_multipliers_stay() -> None:
    seen = matrix("m", [e(f=1)])
    made = programme(condition("one", f=-1), condition("free", True, f=4), matrices=(seen,))
    start = [rational(q) for q in (5, 0, 2)]
    # f: 1 - 5 + 0 + 2 = -2
    found = restored(made, start)
    assert found is not None
    assert fractions(found) == [5, Q(1, 2), 2]
    alone = programme(condition("one", f=-1), matrices=(seen,))
    found = restored(alone, [rational(5), rational(2)])
    assert found is not None
    assert fractions(found) == [3, 2], "an inequality before an entry"
    assert restored(programme(condition("one", f=-1)), [rational(0)]) is None
    assert restored(programme(condition("one", a_a=1)), [rational(1)]) is None


def test_several_equations_are_met_at_once() -> None:
    made = programme(
        condition("one", f=-1, g=1),
        condition("two", f=-1, g=-1),
        objective=e(f=1, g=Q(1, 2)),
        equations=(("f",), ("g",)),
    )
    found = restored(made, [rational(1), rational(1)])
    assert found is not None
    # of f: x + y = 1, of g: y - x = 1/2
    assert fractions(found) == [Q(1, 4), Q(3, 4)]


def test_a_face_says_along_which_directions_nothing_is_left() -> None:
    """What is left of the products of a and b vanishes along (1, 1)."""
    ones = (rational(1), rational(1))
    near = [rational(q) for q in (Q(2, 5), Q(9, 10), Q(3, 5))]
    found = restored(PROGRAMME, near, Facet(((0, ones),)))
    assert found == HALVES
    free = programme(
        condition("first", one=1, a_a=-1),
        condition("product", True, a_b=1, f=-1),
        condition("second", one=1, b_b=-1),
    )
    start = [rational(Q(1, 2)), rational(0), rational(Q(1, 2))]
    assert restored(free, start, Facet(((0, ones),))) == HALVES
    seen = matrix("m", [e(f=1), e(one=2)], [e(one=2), e(f=1)])
    made = programme(condition("one", f=-1), blocks=(("a",),), matrices=(seen,))
    start = [rational(q) for q in (5, 1, 1, 2)]
    found = restored(made, start, Facet(((1, ones),)))
    assert found is not None
    one, first, off, last = fractions(found)
    # along (1, 1): each row of the multiplier adds up to nothing; of f 1 - one + first + last
    assert (first + off, off + last) == (0, 0)
    assert 1 - one + first + last == 0
    off_face = restored(made, start)
    assert off_face is not None
    assert fractions(off_face) == [4, 1, 1, 2]


# -- certificates ----------------------------------------------------------------------------------


def test_a_certificate_is_what_the_identity_leaves() -> None:
    made = replace(PROGRAMME, origin=("x*",))
    found = assembled(made, HALVES, "what", {"more": 1})
    assert (found.claim, found.vectors, found.bound) == ("what", ("a", "b"), Q(1))
    assert [(p.name, p.equality) for p in found.premises] == [
        *(("first", False), ("product", False), ("second", False))
    ]
    assert found.premises[1].form.terms == {("a", "b"): Q(1), ("f",): Q(-1)}
    assert found.multipliers == (Q(1, 2), Q(1), Q(1, 2))
    half = Q(1, 2)
    assert found.matrix == ((half, -half), (-half, half))
    assert found.objective.terms == {("f",): Q(1)}
    assert found.problem == {"origin": ["x*"], "more": 1}
    assert complaint(found) == ""
    assert assembled(made, HALVES, "what", {}, Q(3, 2)).bound == Q(3, 2)


def test_premises_that_are_not_used_are_left_out_and_bounds_rounded_upwards() -> None:
    made = programme(
        condition("product", a_b=1, f=-1),
        condition("idle", f=1),
        condition("same", True, one=Q(1, 3), a_b=-1),
    )
    found = assembled(made, [rational(1), rational(0), rational(1)], "what", {})
    assert [(p.name, p.equality) for p in found.premises] == [("product", False), ("same", True)]
    assert found.bound == Q(333333333334, 10**12)
    assert complaint(found) == ""


def test_what_the_objective_says_of_products_and_numbers_is_part_of_the_identity() -> None:
    made = replace(PROGRAMME, objective=e(a_b=1, one=3), equations=())
    found = assembled(made, [HALVES[0], rational(0), HALVES[2]], "what", {})
    half = Q(1, 2)
    assert (found.bound, found.matrix) == (Q(4), ((half, -half), (-half, half)))
    assert complaint(found) == ""
    nothing = assembled(programme(condition("none", f=-1)), [rational(1)], "what", {})
    assert (nothing.bound, complaint(nothing)) == (Q(0), "")
    with pytest.raises(ValueError, match="zip"):
        assembled(PROGRAMME, HALVES[:2], "what", {})


def test_multipliers_of_two_matrices_are_apart() -> None:
    seen = [matrix(name, [e(one=1, f=-1)]) for name in ("m", "k")]
    made = programme(matrices=tuple(seen))
    found = assembled(made, [rational(Q(1, 3)), rational(Q(2, 3))], "what", {})
    assert [p.name for p in found.premises] == ["m, square 1", "k, square 1"]
    assert found.multipliers == (Q(1, 3), Q(2, 3))
    assert (found.bound, complaint(found)) == (Q(1), "")


def test_vectors_of_two_blocks_have_no_products() -> None:
    made = programme(
        condition("one", one=2, a_a=-1, b_b=-4, f=-1), blocks=(("a",), ("b",)), equations=(("f",),)
    )
    found = assembled(made, [rational(1)], "what", {})
    assert found.matrix == ((Q(1), Q(0)), (Q(0), Q(4)))
    assert (found.bound, found.vectors) == (Q(2), ("a", "b"))
    crossed = replace(made, conditions=(condition("one", one=2, a_b=-1, f=-1),))
    found = assembled(crossed, [rational(1)], "what", {})
    assert found.matrix == ((Q(0), Q(0)), (Q(0), Q(0)))
    assert "identity fails" in complaint(found)


def test_a_matrix_of_multipliers_is_the_sum_of_its_squares() -> None:
    seen = matrix("m", [e(one=1), e(f=Q(-1, 4))], [e(f=Q(-1, 4)), e(one=0)])
    made = programme(condition("idle", f=1), matrices=(seen,))
    # multiplier [[4, 2], [2, 3]]: 4 (1, 1/2) and 2 (0, 1); 4 - f + 0 is left of the condition
    found = assembled(made, [rational(q) for q in (0, 4, 2, 3)], "what", {})
    assert [p.name for p in found.premises] == ["m, square 1", "m, square 2"]
    assert found.multipliers == (Q(4), Q(2))
    rules = [{"matrix": "m", "direction": direction} for direction in (["1", "1/2"], ["0", "1"])]
    assert [dict(p.rule) for p in found.premises] == rules
    assert found.premises[0].form.terms == {(): Q(1), ("f",): Q(-1, 4)}
    assert found.premises[1].form.terms == {}
    assert found.bound == 4
    assert complaint(found) == ""


def test_the_value_along_a_direction() -> None:
    found = along(SEEN, [rational(2), rational(-1)])
    assert coefficients(found) == {("a", "a"): 4, ("a", "b"): -4, ("b", "b"): 3}
    assert coefficients(along(SEEN, [rational(0), rational(1)])) == {("b", "b"): 3}
    with pytest.raises(ValueError, match="zip"):
        along(SEEN, [rational(1)])


def squares(rows: list[list[Any]]) -> list[tuple[Q, list[Q]]]:
    size = len(rows)
    entries = {(r, c): rational(rows[r][c]) for c in range(size) for r in range(c + 1)}
    return [(fraction(q), fractions(line)) for q, line in _squares(entries, size)]


def test_a_symmetric_matrix_is_eliminated_row_by_row() -> None:
    assert squares([[4, 2], [2, 3]]) == [(4, [1, Q(1, 2)]), (2, [0, 1])]
    assert squares([[0, 0], [0, 3]]) == [(3, [0, 1])]
    assert squares([[0, 1], [1, 0]]) == []
    assert squares([[1, 2], [2, 1]]) == [(1, [1, 2]), (-3, [0, 1])]
    rows = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
    third = [(2, [1, Q(1, 2), 0]), (Q(3, 2), [0, 1, Q(2, 3)]), (Q(4, 3), [0, 0, 1])]
    assert squares(rows) == third


def test_a_bound_is_rounded_upwards_to_twelve_digits() -> None:
    for number, wanted in (
        (Q(0), Q(0)),
        (Q(1, 3), Q(333333333334, 10**12)),
        (Q(-1, 3), Q(-333333333333, 10**12)),
        (Q(1000, 3), Q(333333333334, 10**9)),
        (Q(1, 8), Q(1, 8)),
        (Q(2), Q(2)),
        (Q(10**15 + 1), Q(10**15 + 10**4)),
    ):
        assert _upwards(number) == wanted
    assert DATA.of(e(a_b=1)) == 1
