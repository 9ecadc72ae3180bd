"""From Gram matrices in floats to exact data: coordinates, values, what is met, what is tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as Q
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.trusted.worst_case.by_hand import (
    DATA,
    PROGRAMME,
    coefficients,
    condition,
    e,
    matrix,
    programme,
)
from verify.worst_case.conic import Multipliers, Optimum
from verify.worst_case.exact import primal
from verify.worst_case.exact.data import Data
from verify.worst_case.exact.primal import (
    _checked,
    _exact,
    _lost,
    _near,
    _on_grid,
    _rank,
    _several,
    _used,
    attained,
    factorised,
    tightened,
)
from verify.worst_case.points import fraction, rational
from verify.worst_case.solver import NoSolution


def found(value: float = 1.0, *grams: Any, single: Any = (), **values: float) -> Optimum:
    keys = {tuple(name.split("_")): q for name, q in values.items()}
    tables = [np.array(g, dtype=float) for g in grams]
    return Optimum(value, Multipliers(np.array(single, dtype=float), []), tables, keys, {}, 0.0)


def quarters(q: float) -> Any:
    return rational(Q(round(4 * q), 4))


# -- what is met -----------------------------------------------------------------------------------


def checked(*conditions: Any, values: Any = None, **more: Any) -> Data | None:
    known = {name: rational(q) for name, q in (values or {}).items()}
    return _checked(programme(*conditions, **more), {"a": [rational(2)]}, known, 1)


def test_data_meet_every_condition_or_are_none() -> None:
    data = checked(condition("c", f=1, one=-3), values={"f": Q(7, 2)})
    assert data == Data({"a": (Q(2),)}, {"f": Q(7, 2)}, Q(7, 2), 1)
    for f, equality, good in (
        (Q(3), False, True),
        (Q(5, 2), False, False),
        (Q(9), False, True),
        (Q(3), True, True),
        (Q(7, 2), True, False),
        (Q(9), True, False),
        (Q(5, 2), True, False),
    ):
        other = condition("other", one=1)
        one = checked(condition("c", equality, f=1, one=-3), other, values={"f": f})
        assert (one is not None) is good


def test_matrices_are_semidefinite_at_data() -> None:
    for f, good in ((4, True), (5, True), (3, False)):
        seen = matrix("m", [e(f=1), e(a_a=1)], [e(a_a=1), e(one=4)])
        assert (checked(matrices=(seen,), values={"f": f}) is not None) is good


def test_the_smallest_of_several_measures_is_the_worst() -> None:
    measures = [condition(f"measure {k}", **{k: 1, "worst": -1}) for k in "fg"]
    other = condition("other", one=-9, f=2)
    for f, g in ((5, 6), (7, 5)):
        data = checked(
            *measures, other, values={"f": f, "g": g, "worst": 100}, objective=e(worst=1)
        )
        assert data is not None
        assert (data.values["worst"], data.objective) == (5, 5)
    assert _several(programme(equations=(("f",), ("worst",)))) is True
    assert _several(PROGRAMME) is False


def test_how_far_data_stay_behind_is_relative_to_the_optimum_or_to_one() -> None:
    for value, objective, lost in (
        (1.5, Q(1), 1 / 3),
        (0.5, Q(1, 4), 0.25),
        (-4.0, Q(-5), 0.25),
        (2.0, Q(3), -0.5),
    ):
        assert _lost(replace(DATA, objective=objective), found(value)) == lost


def test_conditions_that_a_proof_uses_are_inequalities_with_large_multipliers() -> None:
    made = programme(
        *(condition(name, **{name: 1}) for name in "fgh"), condition("equal", True, k=1)
    )
    used = _used(made, found(single=[-10.0, 0.0101, 0.0099, 9.0]))
    assert [coefficients(one) for one in used] == [{("g",): 1}]
    assert [*map(coefficients, _used(made, found(single=[2.0, 2e-3, 1.9e-3, 1.0])))] == [
        {("f",): 1}
    ]
    few = _used(made, found(single=[0.5, 6e-4, 4e-4, 0.1]))
    assert [*map(coefficients, few)] == [{("f",): 1}, {("g",): 1}]
    with pytest.raises(ValueError, match="zip"):
        _used(made, found(single=[1.0]))
    assert _used(programme(), found(single=[])) == []


# -- coordinates -----------------------------------------------------------------------------------


def test_the_rank_counts_what_is_a_share_of_the_largest() -> None:
    table = np.diag([1e-3, 2.0, 1.0])
    assert [_rank(table, cut) for cut in (1e-4, 4e-4, 6e-4, 0.49, 0.51)] == [3, 3, 2, 2, 1]
    assert _rank(np.zeros((2, 2)), 1e-6) == 0
    assert _rank(np.diag([0.5, 1.0]), 0.5) == 1
    assert _rank(np.diag([1.5e-12]), 0.9) == 1


def test_coordinates_have_the_products_of_the_matrix() -> None:
    table = factorised(np.array([[4.0, 2.0, -2.0], [2.0, 2.0, 0.0], [-2.0, 0.0, 3.0]]), 1e-9)
    assert np.allclose(table, [[2, 0, 0], [1, 1, 0], [-1, 1, 1]], rtol=0, atol=1e-12)
    flat = factorised(np.array([[4.0, -6.0], [-6.0, 9.0]]), 1e-9)
    assert np.allclose(flat, [[2], [-3]], rtol=0, atol=1e-12)
    nothing = factorised(np.zeros((2, 2)), 1e-9)
    assert nothing.shape == (2, 1)
    assert not nothing.any()
    below = factorised(np.array([[-1e-3, 0.0], [0.0, -1e-3]]), 1e-9)
    assert not below.any()
    first = factorised(np.diag([1.0, 1e-4]), 1e-3)
    assert np.allclose(np.abs(first), [[1.0], [0.0]], rtol=0, atol=1e-12)


def vectors_of(data: Data | None) -> dict[str, tuple[Q, ...]]:
    assert data is not None
    return dict(data.vectors)


GRAM = [[2.0, 1.0], [1.0, 1.0]]
"""Of a and b: b = (1, 0) and a = (1, 1), b being met first."""
TWO = programme(blocks=(("a", "b"), ("c",)), equations=(("f",), ("g",)))


def test_vectors_get_coordinates_in_the_order_in_which_they_were_met() -> None:
    data = _exact(TWO, found(1.0, GRAM, [[4.1]], f=0.26), ["b", "a", "c"], quarters, 1e-9)
    assert vectors_of(data) == {
        "a": (1, 1, 0),
        "b": (1, 0, 0),
        "c": (0, 0, 2),
    }
    assert data is not None
    assert (data.values, data.dimension) == ({"f": Q(1, 4), "g": Q(0)}, 3)
    assert data.objective == Q(1, 4)
    unnamed = _exact(TWO, found(1.0, GRAM, [[4.0]]), ["a", "c"], quarters, 1e-9)
    assert vectors_of(unnamed)["b"] == (1, 0, 0), "what nobody named comes first"
    lower = _exact(TWO, found(1.0, np.diag([4.0, 1e-3]), [[4.0]]), ["a"], quarters, 1e-2)
    assert lower is not None
    assert lower.dimension == 2
    with pytest.raises(ValueError, match="zip"):
        _exact(TWO, found(1.0, GRAM), ["a"], quarters, 1e-9)


def test_vectors_without_a_square_are_placed_by_their_products() -> None:
    keys = (("a", "q"), ("u", "v"), ("f",))
    made = programme(blocks=(("a",),), equations=keys)
    data = _exact(made, found(1.0, [[4.0]], a_q=3.0, u_v=0.75), ["a", "q"], quarters, 1e-9)
    assert vectors_of(data) == {"a": (2, 0), "q": (Q(3, 2), 0), "u": (0, 1), "v": (0, Q(3, 4))}
    assert data is not None
    assert (data.dimension, data.values) == (2, {"f": 0})


def test_equations_are_met_exactly_or_nothing_comes_of_it() -> None:
    two = found(1.0, GRAM, f=0.3)
    product = condition("product", True, a_b=1, one=Q(-3, 2))
    made = programme(product, equations=(("f",),))
    data = _exact(made, two, ["b", "a"], quarters, 1e-9)
    assert vectors_of(data) == {"a": (1, 1), "b": (Q(5, 4), Q(1, 4))}, "the one that moves least"
    square = programme(condition("square", True, a_a=1, one=-2))
    assert _exact(square, two, ["b", "a"], quarters, 1e-9) is None
    wrong = programme(condition("more", b_b=1, one=-2))
    assert _exact(wrong, two, ["b", "a"], quarters, 1e-9) is None


def test_values_are_those_that_what_is_used_gives_if_all_can_be_met() -> None:
    equal = condition("equal", True, f=1, a_a=-1)
    idle = condition("idle", g=1)
    made = programme(equal, idle, equations=(("f",), ("g",)))
    two = found(1.0, GRAM, f=0.3, g=0.6)

    def values(*used: Any) -> Any:
        data = _exact(made, two, ["b", "a"], quarters, 1e-9, used)
        return None if data is None else (data.values["f"], data.values["g"])

    assert values() == (2, Q(1, 2))
    assert values(e(g=1, one=-5)) == (2, 5)
    assert values(e(f=1, one=-5)) == (2, Q(1, 2)), "they cannot all be met"
    twice = replace(made, conditions=(equal, condition("again", True, f=1, one=-7)))
    assert _exact(twice, two, ["b", "a"], quarters, 1e-9) is None
    assert _exact(twice, two, ["b", "a"], quarters, 1e-9, [e(g=1)]) is None


def test_numbers_are_rounded_to_short_ones_or_to_a_grid() -> None:
    assert fraction(_near(0.3334, 12)) == Q(1, 3)
    assert fraction(_near(0.3334, 10**4)) == Q(1667, 5000)
    assert fraction(_on_grid(0.7, Q(1, 4))) == Q(3, 4)
    assert fraction(_on_grid(-0.7, Q(1, 3))) == Q(-2, 3)


def test_with_something_to_spare_inequalities_are_asked_for_more() -> None:
    seen = matrix("m", [e(f=3, one=50), e(a_a=1)], [e(a_a=1), e(one=7)])
    made = programme(
        condition("c", f=-4, a_a=2, one=99),
        condition("plain", one=5),
        condition("equal", True, f=1),
        matrices=(seen,),
    )
    tight = tightened(made, 0.25)
    conditions = [(c.name, c.equality, coefficients(c.expression)) for c in tight.conditions]
    assert conditions == [
        ("c", False, {("f",): -4, ("a", "a"): 2, (): 98}),
        ("plain", False, {(): Q(19, 4)}),
        ("equal", True, {("f",): 1}),
    ]
    (one,) = tight.matrices
    assert one.name == "m"
    off = Q(3, 4)
    assert [[coefficients(entry) for entry in row] for row in one.rows] == [
        [{("f",): 3, (): 50 - off}, {("a", "a"): 1}],
        [{("a", "a"): 1}, {(): 7 - off}],
    ]
    assert (tight.objective, tight.blocks) == (made.objective, made.blocks)


# -- what is tried ---------------------------------------------------------------------------------


class Tried:
    """Stands for the search: what it was asked, and what it gives in turn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *given: Data | None) -> None:
        self.given, self.asked = list(given), list[Any]()
        self.nothing: Data | None = None
        self.known: Any = None
        self.grams: list[Any] = [[[4.0, 0.0], [0.0, 1.0]], [[9.0]]]
        self.refused: set[str] = set()
        for name in ("_checked", "_exact", "lowered", "optimum", "tightened", "_used"):
            monkeypatch.setattr(primal, name, getattr(self, name))

    def _checked(self, whole: Any, vectors: Any, values: Any, dimension: int) -> Data | None:
        self.known = (whole, vectors, values, dimension)
        return self.nothing

    def _exact(self, *args: Any) -> Data | None:
        self.asked.append(args)
        return self.given.pop(0) if self.given else None

    def lowered(self, whole: Any, best: Any) -> Any:
        if ("lowered", whole, best) == ("lowered", PROGRAMME, FOUND):
            return "low"
        assert best == ("optimum of", whole)
        return replace(FOUND, grams=[np.array(g) for g in self.grams], accuracy=float(whole[1]))

    def optimum(self, whole: Any) -> Any:
        if str(whole[1]) in self.refused:
            raise NoSolution("no")
        return "optimum of", whole

    def tightened(self, whole: Any, spare: float) -> Any:
        assert whole in (PROGRAMME, LARGE)
        return "tight", spare

    def _used(self, whole: Any, best: Any) -> Any:
        return "used", whole, best


FOUND = found(1.0)
LARGE = programme(*[condition(f"c{k}", one=1) for k in range(997)])
BEHIND = replace(DATA, objective=Q(999999, 10**6))
ORDER = ["a", "b"]


def test_nothing_at_all_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch)
    tried.nothing = DATA
    assert attained(PROGRAMME, FOUND, ORDER) is DATA
    assert tried.known == (PROGRAMME, {}, {}, 0)
    assert tried.asked == []
    several = programme(equations=(("worst",),))
    assert attained(several, FOUND, ORDER) is DATA
    assert tried.known == (several, {}, {"worst": rational(0)}, 0)


def test_small_denominators_are_tried_next_and_must_come_close(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = Tried(monkeypatch, None, BEHIND, DATA)
    tried.nothing = BEHIND
    assert attained(PROGRAMME, FOUND, ORDER) is DATA
    used = ("used", PROGRAMME, FOUND)
    for asked, denominator in zip(tried.asked, (12, 120, 1000), strict=True):
        whole, low, order, rounded, cut, conditions = asked
        assert (whole, low, order, cut, conditions) == (PROGRAMME, "low", ORDER, 1e-6, used)
        assert isinstance(rounded, partial)
        assert (rounded.func, rounded.keywords) == (_near, {"denominator": denominator})
    near = replace(DATA, objective=1 - Q(9, 10**8))
    assert attained_of(monkeypatch, near) is near
    far = replace(DATA, objective=1 - Q(11, 10**8))
    assert attained_of(monkeypatch, far, DATA) is DATA
    monkeypatch.setattr(primal, "CLOSE", 0.5)
    half = replace(DATA, objective=Q(1, 2))
    assert attained_of(monkeypatch, half, DATA) is DATA
    tried = Tried(monkeypatch, DATA)
    tried.nothing = half
    assert attained(PROGRAMME, FOUND, ORDER) is DATA


def attained_of(monkeypatch: pytest.MonkeyPatch, *given: Data | None) -> Data:
    Tried(monkeypatch, *given)
    return attained(PROGRAMME, FOUND, ORDER)


def test_then_every_condition_with_something_to_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch, *[None] * 8, BEHIND)
    tried.refused = {"2e-08"}
    assert attained(PROGRAMME, FOUND, ORDER) is BEHIND
    assert [asked[3].keywords for asked in tried.asked[:4]] == [
        {"denominator": q} for q in (12, 120, 1000, 10000)
    ]
    spares = [2e-7, 2e-7, 2e-7, 2e-6, 2e-6]
    cuts = [1e-6, 1e-8, 1e-10, 1e-6, 1e-8]
    for asked, spare, cut in zip(tried.asked[4:], spares, cuts, strict=True):
        whole, inner, order, rounded, own = asked
        assert (whole, order, own) == (PROGRAMME, ORDER, cut)
        assert inner.accuracy == spare
        assert rounded.func is _on_grid
        assert rounded.keywords == {"unit": Q(4, 2**44)}, "of sizes up to three, to 2^-44 of four"


def test_what_is_large_is_tried_with_most_to_spare_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch)
    assert LARGE.size == 1000
    monkeypatch.setattr(primal, "lowered", lambda whole, best: by_size(tried, whole, best))
    with pytest.raises(NoSolution, match="no rounded data meet all conditions"):
        attained(LARGE, FOUND, ORDER)
    assert [asked[1].accuracy for asked in tried.asked[4:]] == [2e-5] * 3
    tried.asked.clear()
    small = replace(LARGE, conditions=LARGE.conditions[1:])
    monkeypatch.setattr(primal, "tightened", lambda whole, spare: ("tight", spare))
    with pytest.raises(NoSolution):
        attained(small, FOUND, ORDER)
    spares = [asked[1].accuracy for asked in tried.asked[4:]]
    assert spares == [q for q in (2e-8, 2e-7, 2e-6, 2e-5) for _ in range(3)]


def by_size(tried: Tried, whole: Any, best: Any) -> Any:
    return "low" if best is FOUND else tried.lowered(whole, best)


@pytest.mark.parametrize(
    ("grams", "unit"),
    [
        ([[[9.0]]], Q(4)),
        ([[[16.0]]], Q(4)),
        ([[[17.0]]], Q(8)),
        ([[[-25.0, 0.0], [0.0, 1.0]]], Q(8)),
        ([[[1.0]], [[9.0]]], Q(4)),
        ([[[0.25]]], Q(1, 2)),
        ([[[0.0]]], Q(1, 2**29)),
        ([], Q(1)),
        ([np.zeros((0, 0))], Q(1, 2**29)),
    ],
)
def test_the_grid_is_a_share_of_the_largest_coordinate(
    grams: Any, unit: Q, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = Tried(monkeypatch, *[None] * 4, DATA)
    tried.grams = grams
    assert attained(PROGRAMME, FOUND, ORDER) is DATA
    assert tried.asked[4][3].keywords == {"unit": unit / 2**44}


def test_a_search_that_finds_nothing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rule: Callable[..., Any] = attained_of
    with pytest.raises(NoSolution, match="no rounded data meet all conditions"):
        rule(monkeypatch)
