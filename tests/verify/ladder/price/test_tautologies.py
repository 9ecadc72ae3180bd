"""Tautologies keep their word, and the reason says first what they are; others are told nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import assume, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import PROFILES
from verify.ladder.leaf import assay
from verify.verdict.earned import tautology
from verify.world.world import World

TWO = numbers(x=Real(-2, 2), y=Real(-2, 2))
ORDERED = assume({"x is at most y": lambda w: w.y - w.x})
TWICE = assume({"2 x is at most 2 y": lambda w: 2 * w.y - 2 * w.x})
POSITIVE = assume({"x is positive": lambda w: w.x, "x is at most y": lambda w: w.y - w.x})


def _two(left: Any, right: Any, **more: Any) -> Statement:
    return claim(lambda w: ({"left": left(w)}, {"right": right(w)}), TWO, **more)


def _x(w: World) -> Any:
    return w.x


def _y(w: World) -> Any:
    return w.y


def _larger(w: World) -> Any:
    return xp.maximum(w.x, w.y)


def _smaller(w: World) -> Any:
    return xp.minimum(w.x, w.y)


def _square(w: World) -> Any:
    return (w.x + w.y) ** 2


def _expanded(w: World) -> Any:
    return w.x**2 + 2 * w.x * w.y + w.y**2


SAID = {
    "the largest of two": (_two(_larger, _x, relation=">="), "largest or smallest"),
    "below the largest of two": (_two(_y, _larger), "largest or smallest"),
    "the smallest of two": (_two(_smaller, _x), "largest or smallest"),
    "the premise": (_two(_x, _y, given=ORDERED), "“x is at most y” again"),
    "twice the premise": (_two(_x, _y, given=TWICE), "“2 x is at most 2 y” again"),
    "the premise turned round": (_two(_y, _x, given=ORDERED, relation=">="), "again"),
    "constants": (_two(lambda w: 1 + 0 * w.x, lambda w: 2 + 0 * w.x), "both sides are constants"),
    "one square, computed twice": (_two(_square, _expanded, relation="=="), "an identity"),
    "one sum, written twice": (_two(lambda w: w.x + w.y, lambda w: w.y + w.x), "one number"),
}
NOT_SAID = {
    "a square of an ordered pair": _two(lambda w: w.x**2, lambda w: w.y**2, given=POSITIVE),
    "a cube of an ordered pair": _two(lambda w: w.x**3, lambda w: w.y**3, given=ORDERED),
    "a bound that is met at many points": _two(lambda w: 2 * w.x * w.y, lambda w: w.x**2 + w.y**2),
    "a constant side": _two(lambda w: 0 * w.x, _square),
    "an equation that needs its hypothesis": _two(
        lambda w: xp.absolute(w.x),
        _x,
        relation="==",
        given=assume({"x is positive": lambda w: w.x}),
    ),
    "the largest of two and more": _two(_x, lambda w: _larger(w) + _square(w)),
}


def _reason(statement: Statement) -> str:
    found = assay(statement, profile=PROFILES["quick"])
    assert found.verdict in ("proved", "holds"), found.reason
    return str(found.reason)


@pytest.mark.parametrize("name", SAID)
@pytest.mark.every(3)
def test_a_tautology_is_told_first(name: str) -> None:
    statement, words = SAID[name]
    assert words in _reason(statement).partition(";")[0]


@pytest.mark.parametrize("name", NOT_SAID)
def test_of_others_nothing_is_told(name: str) -> None:
    reason = _reason(NOT_SAID[name])
    assert not reason.startswith(("says nothing", "an identity"))


DETAILS: Mapping[str, Any] = {"free": True, "values": [[0.0, 1.0], [0.0, 2.0]]}
CONSTANT = [[1.0, 1.0], [2.0, 2.0]]


def test_the_rule_reads_what_is_written() -> None:
    assert tautology(DETAILS) == ""
    assert "“h” again" in tautology({**DETAILS, "premise": "h"})
    assert "largest or smallest" in tautology({**DETAILS, "extreme": True})
    assert "one number" in tautology({**DETAILS, "alike": True})
    assert tautology({**DETAILS, "identity": True}).startswith("an identity")
    assert "constants" in tautology({**DETAILS, "values": CONSTANT})
    assert tautology({"free": False, "values": CONSTANT}) == ""
