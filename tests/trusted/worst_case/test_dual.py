"""From multipliers in floats to certificates: rounding, what is plainly wrong, what is tried."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Q
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.trusted.worst_case.by_hand import (
    DATA,
    HALVES,
    PROGRAMME,
    condition,
    e,
    matrix,
    programme,
)
from verify.worst_case.conic import Deep, Facet, Multipliers, Optimum
from verify.worst_case.exact import dual
from verify.worst_case.exact.dual import _certified, _plan, _rounded, proved, sharp
from verify.worst_case.exact.faces import SHALLOW, touching
from verify.worst_case.points import fraction, rational
from verify.worst_case.solver import NoSolution

FOUND = Optimum(1.0, Multipliers(np.zeros(3), []), [], {}, {}, 0.0)
FACE = Facet()


def multipliers(*single: float, matrices: Any = ()) -> Multipliers:
    return Multipliers(np.array(single), [np.array(m, dtype=float) for m in matrices])


# -- rounding --------------------------------------------------------------------------------------


def rounded(deep: Multipliers, whole: Any = PROGRAMME, face: Facet = FACE, cut: float = 0.0) -> Any:
    return [fraction(q) for q in _rounded(whole, deep, face, cut)]


def test_multipliers_are_multiples_of_a_power_of_two_near_them() -> None:
    unit = Q(1, 2**50)
    found = rounded(multipliers(1.0, 1 / 3, 0.1))
    assert found == [1, round(Q(1 / 3) / unit) * unit, round(Q(0.1) / unit) * unit]
    assert all((q / unit).denominator == 1 for q in found)
    large = rounded(multipliers(3.0 * 2**60, 5.0 * 2**10 + 1, 2.0**11))
    assert large == [3 * 2**60, 2**12, 0], "of more than 2^61 to multiples of 2^12"
    assert rounded(multipliers(0.0, 0.0, 0.0)) == [0, 0, 0]


def test_negative_and_small_multipliers_of_inequalities_are_zero() -> None:
    whole = programme(
        *PROGRAMME.conditions, condition("equal", True, f=1), condition("more", True, f=1)
    )
    deep = multipliers(-0.5, 1.0, 0.25, -0.25, 1e-9)
    assert rounded(deep, whole) == rounded(deep, whole, cut=1e-3)
    assert rounded(deep, whole)[:4] == [0, 1, Q(1, 4), Q(-1, 4)]
    assert rounded(deep, whole)[4] > 0
    assert rounded(deep, whole, cut=0.3)[2] == 0
    unit = Q(1, 2**48)
    near = rounded(multipliers(1e-5, 4.0, 2e-5, 0, 0), whole, cut=5e-6)
    assert near == [0, 4, round(Q(2e-5) / unit) * unit, 0, 0]
    assert rounded(deep, whole, Facet(dropped=frozenset({1, 3}))) == [
        0,
        0,
        *rounded(deep, whole)[2:],
    ]


def test_entries_of_matrices_come_column_by_column() -> None:
    seen = matrix("m", *[[e(f=1)] * 3] * 3)
    whole = programme(condition("c", f=1), matrices=(seen,))
    table = [[1.0, 2.0, 4.0], [2.0, 3.0, -5.0], [4.0, -5.0, 6.0]]
    deep = multipliers(0.5, matrices=[table])
    assert rounded(deep, whole) == [Q(1, 2), 1, 2, 3, 4, -5, 6]
    assert rounded(deep, whole, cut=0.1) == [0, 1, 2, 3, 4, -5, 6], "a share of all that there are"


# -- what is plainly wrong -------------------------------------------------------------------------


def certified(exact: Any, whole: Any = PROGRAMME, bound: Q | None = None) -> tuple[bool, str]:
    found, wrong = _certified(whole, exact, "what", {"more": 1}, bound)
    if found is not None:
        assert (found.claim, found.problem["more"]) == ("what", 1)
        assert found.bound == (Q(1) if bound is None else bound)
    return found is not None, wrong


def test_exact_multipliers_that_pass_make_a_certificate() -> None:
    assert certified(HALVES) == (True, "")
    assert certified(HALVES, bound=Q(3, 2)) == (True, "")
    assert certified(None) == (False, "what must cancel has no rounded solution")


def test_what_is_wrong_with_them_is_told() -> None:
    negative = [-HALVES[0], *HALVES[1:]]
    assert certified(negative) == (False, "a multiplier of an inequality is negative")
    equal = replace(PROGRAMME.conditions[0], equality=True)
    whole = replace(PROGRAMME, conditions=(equal, *PROGRAMME.conditions[1:]))
    assert certified(negative, whole) == (False, "the matrix is not positive semidefinite")
    short = [rational(Q(1, 4)), rational(1), rational(Q(1, 2))]
    assert certified(short) == (False, "the matrix is not positive semidefinite")
    wrong = [HALVES[0], rational(Q(9, 10)), HALVES[2]]
    assert "identity fails" in certified(wrong)[1]
    assert "exceeds the bound" in certified(HALVES, bound=Q(1, 2))[1]
    seen = matrix("m", [e(f=0)])
    idle = condition("idle", f=1)
    one = condition("one", one=1, f=-1)
    none = [rational(q) for q in (1, 0, 0)]
    assert certified(none, programme(one, idle, matrices=(seen,))) == (True, "")
    alone = programme(one, blocks=())
    assert certified([rational(1)], alone) == (True, "")


def test_an_eigenvalue_that_may_be_rounded_is_left_to_the_exact_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def checked(q: Q) -> list[Any]:
        asked: list[Any] = []
        monkeypatch.setattr(dual, "complaint", lambda c: asked.append(c) or "asked")
        squares = {"a_a": -1, "b_b": -q, "c_c": Q(-1, 1000)}
        conditions = [condition(name, one=0, **{name: p}) for name, p in squares.items()]
        whole = programme(*conditions, objective=e(one=1), blocks=(("a", "b", "c"),))
        ones = [rational(1)] * 3
        found, wrong = _certified(whole, ones, "what", {})
        assert found is None
        assert wrong == ("asked" if asked else "the matrix is not positive semidefinite")
        return asked

    assert len(checked(Q(1))) == 1
    assert len(checked(Q(-9, 10**13))) == 1
    assert len(checked(Q(-11, 10**13))) == 0


# -- what is tried ---------------------------------------------------------------------------------


class Tried:
    """Stands for the solver and the rounding: what was asked, and what is given in turn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *given: Any) -> None:
        self.given, self.asked, self.margins = list(given), list[Any](), list[Any]()
        self.faces: list[Facet | None] = []
        self.narrow: list[Any] = []
        for name in ("with_margin", "restored", "_rounded", "_certified", "narrowed"):
            monkeypatch.setattr(dual, name, getattr(self, name))

    def with_margin(
        self, whole: Any, found: Any, excess: Any, *, every: bool = False, face: Any = None
    ) -> Any:
        assert (whole, found) == (self.whole, self.found)
        self.margins.append((excess, every, face))
        margin = self.given.pop(0) if self.given else 0.0
        return None if margin is None else Deep(("deep", excess, every), [], margin)  # type: ignore[arg-type]

    whole: Any = PROGRAMME
    found: Any = FOUND

    def _rounded(self, whole: Any, deep: Any, face: Any, cut: float) -> Any:
        assert whole is self.whole
        return deep, face, cut

    def restored(self, whole: Any, start: Any, face: Any) -> Any:
        assert (whole, face) == (self.whole, start[1])
        return start

    answer: Any = None

    def _certified(
        self, whole: Any, exact: Any, claim: str, problem: Any, bound: Any = None
    ) -> Any:
        self.asked.append((exact, claim, problem, bound))
        good = self.answer is not None and len(self.asked) == self.answer
        return ("certificate", "") if good else (None, f"wrong {len(self.asked)}")

    def narrowed(self, whole: Any, found: Any, face: Any) -> Any:
        assert (whole, found) == (self.whole, self.found)
        self.narrow.append(face)
        return self.faces.pop(0) if self.faces else None


NEXT = [Facet(dropped=frozenset({k})) for k in range(6)]
QUICK = [(2e-8, False, 0.0), (2e-7, False, 0.0)]
TOLERANCES, CUTS = (2e-8, 2e-7, 1e-6, 1e-5), (0.0, 1e-7, 1e-5)
THOROUGH = list(product(TOLERANCES, (False, True), CUTS))


def test_each_face_is_tried_quickly_then_all_thoroughly(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch)
    tried.faces = [NEXT[0], NEXT[1], None]
    faces = [Facet(), NEXT[0], NEXT[1]]
    assert (dual.TOLERANCES, dual.CUTS) == (TOLERANCES, CUTS)
    plan = list(_plan(PROGRAMME, FOUND))
    assert plan[:6] == [(face, way) for face in faces for way in QUICK]
    assert plan[6:] == [(face, way) for face in reversed(faces) for way in THOROUGH]
    assert tried.narrow == faces
    tried.faces = [*NEXT]
    plan = list(_plan(PROGRAMME, FOUND))
    assert [face for face, _ in plan[:8:2]] == [Facet(), *NEXT[:3]]
    assert len(plan) == 4 * 2 + 4 * 24


def test_of_what_is_large_few_ways_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch)
    whole = programme(*[condition(f"c{k}", one=1) for k in range(997)])
    assert whole.size == 1000
    tried.whole = whole
    few = [(t, False, 0.0) for t in TOLERANCES]
    assert [way for _, way in _plan(whole, FOUND)] == [*QUICK, *few]
    tried.whole = replace(whole, conditions=whole.conditions[1:])
    assert [way for _, way in _plan(tried.whole, FOUND)] == [*QUICK, *THOROUGH]


def test_a_proof_is_the_first_that_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch)
    tried.answer = 3
    found: Any = proved(PROGRAMME, FOUND, "what", {"more": 1})
    assert found == "certificate"
    assert tried.margins == [
        (2e-8, False, Facet()),
        (2e-7, False, Facet()),
        (2e-8, False, Facet()),
    ]
    assert tried.asked[0] == ((("deep", 2e-8, False), Facet(), 0.0), "what", {"more": 1}, None)
    assert tried.asked[2][0][2] == 0.0
    tried.asked.clear()
    tried.answer = 5
    assert proved(PROGRAMME, FOUND, "what") == "certificate"  # type: ignore[comparison-overlap]
    assert [(asked[0][2], asked[2]) for asked in tried.asked] == [
        *((0.0, {}), (0.0, {}), (0.0, {}), (1e-7, {}), (1e-5, {}))
    ]


def test_the_excess_is_relative_to_the_optimum_or_to_a_hundredth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for value, size in ((1.0, 1.0), (-3.0, 3.0), (1e-3, 1e-2), (0.5, 0.5)):
        tried = Tried(monkeypatch)
        tried.found = replace(FOUND, value=value)
        tried.answer = 1
        proved(PROGRAMME, tried.found, "what")
        assert tried.margins[0][0] == 2e-8 * size


def test_what_is_not_deep_is_passed_over_and_the_last_reason_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = Tried(monkeypatch, None, -1.1 * SHALLOW, -SHALLOW, -0.9 * SHALLOW)
    tried.answer = 2
    proved(PROGRAMME, FOUND, "what")
    assert [asked[0][0][1:] for asked in tried.asked] == [(2e-8, False), (2e-8, False)]
    assert len(tried.margins) == 4
    Tried(monkeypatch, *[None] * 26)
    with pytest.raises(NoSolution, match="^no exact proof: no multipliers were found$"):
        proved(PROGRAMME, FOUND, "what")
    Tried(monkeypatch)
    with pytest.raises(NoSolution, match="^no exact proof: wrong 26$"):
        proved(PROGRAMME, FOUND, "what")


def test_a_sharp_proof_leaves_nothing_along_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch)
    tried.answer = 5
    tried.faces = [NEXT[0]]
    data = replace(DATA, objective=Q(3, 4))
    assert sharp(PROGRAMME, FOUND, data, "what") == "certificate"  # type: ignore[comparison-overlap]
    face = touching(PROGRAMME, data)
    assert tried.margins == [(None, False, face), (None, True, face)]
    assert [(asked[0][1:], *asked[1:]) for asked in tried.asked] == [
        ((face, cut), "what", {}, Q(3, 4)) for cut in (*CUTS, 0.0, 1e-7)
    ]
    assert [asked[0][0][2] for asked in tried.asked] == [False, False, False, True, True]


def test_narrower_faces_are_tried_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    face = touching(PROGRAMME, DATA)
    tried = Tried(monkeypatch, None, None, None, 0.0)
    tried.faces = [NEXT[0]]
    tried.answer = 1
    assert sharp(PROGRAMME, FOUND, DATA, "what") == "certificate"  # type: ignore[comparison-overlap]
    assert [(every, own) for _, every, own in tried.margins] == [
        *((every, own) for own in (face, NEXT[0]) for every in (False, True))
    ]
    tried = Tried(monkeypatch)
    tried.faces = [*NEXT]
    with pytest.raises(NoSolution, match="^no exact proof of 1: wrong 24$"):
        sharp(PROGRAMME, FOUND, DATA, "what")
    assert [own for _, _, own in tried.margins[::2]] == [face, *NEXT[:3]]
    tried = Tried(monkeypatch, None, None)
    with pytest.raises(NoSolution, match="^no exact proof of 1: no multipliers were found$"):
        sharp(PROGRAMME, FOUND, DATA, "what")
    assert (len(tried.margins), tried.narrow) == (2, [face])
