"""Directions in which a proof must leave nothing: those of data, and those found in floats."""

from __future__ import annotations

from fractions import Fraction as Q
from math import sqrt
from typing import Any

import numpy as np
import pytest

from tests.trusted.worst_case.by_hand import DATA, PROGRAMME, condition, e, matrix, programme
from verify.worst_case.conic import Deep, Facet, Multipliers, Optimum
from verify.worst_case.exact import faces
from verify.worst_case.exact.data import Data
from verify.worst_case.exact.faces import SHALLOW, _echelon, narrowed, touching
from verify.worst_case.points import fraction, rational

NONE = Multipliers(np.zeros(3), [])


def directions(face: Facet | None) -> list[tuple[int, list[Q]]]:
    assert face is not None
    return [(k, [fraction(q) for q in line]) for k, line in face.directions]


def test_a_proof_leaves_nothing_along_the_data() -> None:
    made = programme(
        *PROGRAMME.conditions,
        condition("idle", one=2, a_a=-1),
        condition("equal", True, one=1),
        blocks=(("a",), ("b", "c")),
        matrices=(
            matrix("m", [e(a_a=1), e(a_a=2)], [e(a_a=2), e(a_a=4)]),
            matrix("k", [e(f=1), e()], [e(), e(f=3)]),
        ),
    )
    vectors = {"a": (Q(1), Q(0)), "b": (Q(3, 5), Q(4, 5)), "c": (Q(0), Q(2))}
    data = Data(vectors, {"f": Q(3, 5)}, Q(3, 5), 2)
    found = touching(made, data)
    assert directions(found) == [
        (0, [Q(1)]),
        (1, [Q(3, 5), Q(0)]),
        (1, [Q(4, 5), Q(2)]),
        (2, [Q(1), Q(2)]),
        (3, [Q(1), Q(0)]),
        (3, [Q(0), Q(1)]),
    ]
    assert found.dropped == {3}
    assert touching(PROGRAMME, DATA).dropped == frozenset()


# -- in floats -------------------------------------------------------------------------------------


def optimum(**scale: float) -> Optimum:
    return Optimum(1.0, NONE, [], {}, scale, 0.0)


@pytest.fixture
def deep(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the programme with a margin gives, and what it was asked."""
    asked: list[Any] = []

    def put(*left: Any, margin: float = 0.0, none: bool = False) -> list[Any]:
        def given(*args: Any, **named: Any) -> Deep | None:
            asked.append((args, named))
            return (
                None if none else Deep(NONE, [np.array(one, dtype=float) for one in left], margin)
            )

        monkeypatch.setattr(faces, "with_margin", given)
        return asked

    return put


ONES = [[1.0, -1.0], [-1.0, 1.0]]
"""Flat along (1, 1)."""


def test_a_face_is_narrowed_to_what_is_flat(deep: Any) -> None:
    asked = deep(ONES)
    face, found = Facet(dropped=frozenset({2})), optimum()
    more = narrowed(PROGRAMME, found, face)
    assert directions(more) == [(0, [Q(1), Q(1)])]
    assert more is not None
    assert more.dropped == {2}
    assert asked == [((PROGRAMME, found, None), {"face": face})]
    # in sizes 1 and 2 of a and b the direction (1, 1) is (1/2, 1) of the largest
    assert directions(narrowed(PROGRAMME, optimum(b=2.0), face)) == [(0, [Q(1, 2), Q(1)])]
    assert directions(narrowed(PROGRAMME, optimum(a=4.0), face)) == [(0, [Q(1), Q(1, 4)])]


def test_a_face_with_a_deep_proof_or_without_one_is_not(deep: Any) -> None:
    for margin, flat in ((0.0, True), (SHALLOW, True), (1.1 * SHALLOW, False), (1.0, False)):
        deep(ONES, margin=margin)
        assert (narrowed(PROGRAMME, optimum(), Facet()) is not None) is flat
    deep(none=True)
    assert narrowed(PROGRAMME, optimum(), Facet()) is None
    assert SHALLOW == 1e-6


def test_what_counts_as_flat_is_a_share_of_the_largest_or_of_one(deep: Any) -> None:
    for small, large, flat in (
        (0.9e-5, 1.0, True),
        (1e-5, 1.0, False),
        (1.1e-5, 1.0, False),
        (0.9e-4, 10.0, True),
        (1.1e-4, 10.0, False),
        (0.9e-5, 1e-3, True),
    ):
        deep([[small, 0.0], [0.0, large]])
        found = narrowed(PROGRAMME, optimum(), Facet())
        assert (found is not None) is flat
        if found is not None:
            assert directions(found) == [(0, [Q(1), Q(0)])]


def test_known_directions_of_other_blocks_stay_and_of_the_block_are_found_again(deep: Any) -> None:
    made = programme(blocks=(("a", "b"), ("c",)), matrices=(matrix("m", [e(f=1)]),))
    one, half = rational(1), rational(Q(1, 2))
    known = Facet(((0, (one, half)), (1, (one,))))
    deep(ONES, [[1.0]], [[0.0]])
    found = narrowed(made, optimum(), known)
    assert directions(found) == [(1, [Q(1)]), (0, [Q(1), Q(1)]), (2, [Q(1)])]
    deep(ONES, [[1.0]], [[1.0]])
    assert narrowed(made, optimum(), known) is None, "as many as were known"
    deep([[1.0, 0.0], [0.0, 1.0]], [[1.0]], [[1.0]])
    assert narrowed(made, optimum(), known) is None


def test_a_direction_that_is_near_no_short_one_ends_the_search(deep: Any) -> None:
    line = np.array([1.0, sqrt(0.5)])
    line /= np.linalg.norm(line)
    deep(np.eye(2) - np.outer(line, line))
    assert narrowed(PROGRAMME, optimum(), Facet()) is None


def basis(*columns: list[float]) -> list[list[Q]] | None:
    found = _echelon(np.array(columns, dtype=float).T)
    return None if found is None else [[fraction(q) for q in one] for one in found]


def test_a_space_has_short_vectors_each_with_a_place_of_its_own() -> None:
    assert basis([2.0, 1.0]) == [[1, Q(1, 2)]]
    assert basis([-1.0, 2.0, 0.5]) == [[Q(-1, 2), 1, Q(1, 4)]]
    # (1, 0, 1/2) and (0, 1, 1/4), mixed
    assert basis([4.0, 2.0, 2.5], [1.0, 3.0, 1.25]) == [[1, 0, Q(1, 2)], [0, 1, Q(1, 4)]]
    assert basis([1.0, 3.0, 1.25], [4.0, 2.0, 2.5]) == [[0, 1, Q(1, 4)], [1, 0, Q(1, 2)]]
    # the largest entry of the second lies where the first has its place already
    assert basis([3.0, 0.0, 0.0], [0.0, 0.0, 0.5]) == [[1, 0, 0], [0, 0, 1]]


def test_small_denominators_are_tried_before_others() -> None:
    third = 1 / 3
    assert basis([1.0, third + 2e-3]) == [[1, Q(1, 3)]]
    assert basis([1.0, 0.5 + 2.9e-3]) == [[1, Q(1, 2)]]
    assert basis([1.0, 25 / 47]) == [[1, Q(25, 47)]]
    assert basis([1.0, 25 / 47 + 9e-5]) == [[1, Q(25, 47)]]
    assert basis([1.0, sqrt(0.5)]) is None
    assert basis([1.0, 1 / 13 + 2e-3]) == [[1, Q(3, 38)]]
    assert basis([1.0, 1 / 12 + 2e-3]) == [[1, Q(1, 12)]]
    assert basis([1.0, 1 / 60]) == [[1, Q(1, 60)]]
    for far in (1 / 61, 1 / 60 + 1.5e-4, 3e-3):
        assert basis([1.0, far]) is None
