"""Claims that are made once for many statements are those of each, and squares are found in all."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import sympy

from bounds.numbers.formal_terms import extreme_type, indicator_type
from bounds.numbers.symbolic import client_symbol
from verify.catalogue.library import library
from verify.claim.parameters import Real
from verify.reading.clients.cases import claims_of_reading
from verify.reading.clients.reading import Reading
from verify.reading.federations import shared_claims as shared
from verify.reading.federations.places import (
    BETA,
    STEP,
    VARIANCE,
    axis_of_clients,
    gap_at,
    in_squares,
    own_at,
)
from verify.reading.federations.reading import settings_of
from verify.reading.federations.weights import CASES, TERMS, WHOLE
from verify.reading.parts.refusals import NotReadable

K, N = client_symbol()
AXIS = axis_of_clients()
LEAD = AXIS.marks[0]
THRESHOLD = sympy.Symbol("threshold", positive=True)


@pytest.fixture
def setting() -> Any:
    shared._made.cache_clear()
    every = settings_of(library().leaf("adaptive.theorem2.const.repaired"))
    return next(one for one in every if "threshold" in one.box)


def _reading(right: Any = 0, relation: str = "<=") -> Reading:
    share = sympy.Max(0, 1 - gap_at(0)[K] / own_at(0)) / VARIANCE[K]
    total = sympy.Sum(share, (K, 1, N)) + 1 / VARIANCE[LEAD]
    known = {"short": {(): 1 - STEP * BETA - THRESHOLD}, "gaps": {("k",): own_at(0) - gap_at(0)[K]}}
    return Reading(AXIS, {(): right - total}, {(): right + total}, known, relation, {}, "N")


def _whole(setting: Any, reading: Reading, way: Any, more: Any) -> list[Any]:
    """The claims made from all that the statement has."""
    box = {**setting.box, **setting.rows, **more}
    family = replace(setting.statement.family, box=box, constraints={}, grow=None)
    statement = replace(setting.statement, family=family, also=())
    group: Any = SimpleNamespace(shapes=({"N": 1, **setting.rule},), sizes={})
    return list(claims_of_reading(statement, reading, group, way))


def _said(made: list[Any]) -> list[Any]:
    return [(repr(one.label), [*one.claim[:3], *one.claim.hypotheses], one.vectors) for one in made]


@pytest.mark.parametrize("relation", ["<=", "=="])
@pytest.mark.parametrize("way", [TERMS, WHOLE, CASES])
def test_shared_claims_are_those_of_the_statement(setting: Any, way: Any, relation: str) -> None:
    reading = _reading(relation=relation)
    for _ in range(2):  # made, and kept
        found = list(shared.shared_claims(setting, reading, way))
        assert _said(found) == _said(_whole(setting, reading, way, {}))
    assert shared._made.cache_info().hits == 1


def test_another_domain_or_another_rule_makes_other_claims(setting: Any) -> None:
    reading = _reading()
    found = _said(list(shared.shared_claims(setting, reading, WHOLE)))
    wide = {**setting.box, "threshold": Real(0.5, 8, domain=(0.5, 8))}
    assert "threshold" in setting.box
    setting.box.update(wide)
    other = _said(list(shared.shared_claims(setting, reading, WHOLE)))
    assert other == _said(_whole(setting, reading, WHOLE, {})) != found
    setting.rule = {**setting.rule, "phi": "another"}
    assert "another" in _said(list(shared.shared_claims(setting, reading, WHOLE)))[0][0]
    assert shared._made.cache_info().hits == 0


def test_what_is_done_to_claims_is_done_to_no_other(setting: Any) -> None:
    (one, *_) = shared.shared_claims(setting, _reading(), WHOLE)
    before = _said([one])
    one.label["part"] = "spoiled"
    one.claim.hypotheses.clear()  # type: ignore[attr-defined]
    (again, *_) = shared.shared_claims(setting, _reading(), WHOLE)
    assert _said([again]) == before


def test_claims_that_cannot_be_made_are_refused_each_time(setting: Any) -> None:
    j = sympy.Symbol("j", integer=True, positive=True)
    reading = _reading(right=sympy.Sum(gap_at(0)[j] * gap_at(0)[K], (j, 1, N), (K, 1, N)))
    for _ in range(2):
        with pytest.raises(NotReadable, match="several indices"):
            list(shared.shared_claims(setting, reading, WHOLE))


# -- squares ---------------------------------------------------------------------------------------

SLOPE, OTHER = (sympy.IndexedBase(f"gradient{t}", real=True) for t in (0, 1))
MARK = AXIS.marks[3]
GAP, OWN = (SLOPE[MARK] - SLOPE[LEAD]) ** 2, SLOPE[LEAD] ** 2

FORMULAS = [
    sympy.Max(0, 1 - GAP / OWN) ** 2,
    sympy.Sum((SLOPE[K] - SLOPE[LEAD]) ** 2 * VARIANCE[K], (K, 1, N)) / OWN**3,
    indicator_type()(OWN - GAP, sympy.Integer(0)) * (GAP + OWN) ** 2,
    (OTHER[LEAD] - OTHER[K]) ** -4 + sympy.sqrt(OTHER[LEAD] ** 2 + GAP),
    extreme_type()(
        sympy.Symbol("max"), K, sympy.Tuple(), sympy.Tuple((SLOPE[LEAD] - SLOPE[K]) ** 2)
    ),
    BETA**2 * STEP + THRESHOLD**4,
    SLOPE[MARK] ** 2,
    (SLOPE[MARK] - OTHER[LEAD]) ** 2,
    OWN * SLOPE[LEAD],
    sympy.Symbol("point0", real=True) ** 2,
]


def _by_replacement(e: Any) -> Any:
    """Squares in place of gradients by sympy's own replacement, or "refused"."""

    def square(p: Any) -> Any:
        base, half = p.base, p.exp / 2
        if isinstance(base, sympy.Indexed):
            return own_at(int(base.base.name[8:])) ** half if _own(base) else p
        one, other = base.args if base.is_Add and len(base.args) == 2 else (base, base)
        first, second = (s if s.is_Indexed else -s for s in (one, other))
        ours = all(isinstance(s, sympy.Indexed) for s in (first, second))
        if not ours or (one.is_Indexed == other.is_Indexed) or first.base != second.base:
            return p
        his = second if _own(first) else first if _own(second) else None
        return p if his is None else gap_at(int(his.base.name[8:]))[his.indices[0]] ** half

    found = e.replace(lambda p: p.is_Pow and p.exp.is_Integer and p.exp % 2 == 0, square)
    names = {str(s) for s in found.free_symbols}
    return "refused" if any(n.startswith(("gradient", "point")) for n in names) else found


def _own(entry: Any) -> bool:
    return bool(entry.base.name.startswith("gradient") and entry.indices == (LEAD,))


@pytest.mark.parametrize("e", FORMULAS, ids=str)
def test_squares_are_found_where_a_replacement_finds_them(e: Any) -> None:
    wanted = _by_replacement(e)
    if isinstance(wanted, str):
        for _ in range(2):
            with pytest.raises(NotReadable, match="which is no square"):
                in_squares(e)
    else:
        assert in_squares(e) == wanted
        assert sympy.srepr(in_squares(e)) == sympy.srepr(wanted)


def test_some_of_them_are_refused() -> None:
    assert [isinstance(_by_replacement(e), str) for e in FORMULAS] == [False] * 6 + [True] * 4
