"""Mutants are counted and killed on claims checked by hand; hints name the planted change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verify.cases import SMALL, claim, found, numbers
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.ladder.assay import assay
from verify.ladder.hints import repair_hint
from verify.ladder.rung_power import measure_power

UNIT = Real(0, 1)
WIDE = Real(1 / 8, 8, log=True)


def power(statement: Statement) -> Any:
    return measure_power(found(statement, 200)[0]).power


# -- power -----------------------------------------------------------------------------------------


def test_an_identity_kills_every_mutant() -> None:
    made = power(claim(lambda w: ({"x": w.x}, {"r": w.x + 0 * w.y}), numbers(x=WIDE, y=WIDE)))
    assert made["counted"] > 0
    assert made["killed"] == made["counted"]
    assert made["survivors"] == []


def test_mutants_of_a_loose_bound_survive_and_are_listed() -> None:
    # x <= 4: the term may lose a tenth, not all of itself
    made = power(claim(lambda w: ({"x": w.x}, {"four": 4 + 0 * w.x}), numbers(x=UNIT)))
    assert "0.9 [four]" in made["survivors"]
    assert "0 [four]" not in made["survivors"]
    assert made["counted"] == made["killed"] + len(made["survivors"])


def test_a_mutant_that_is_never_below_the_claim_is_not_counted() -> None:
    # the right side does not depend on y: no change of y is a mutant
    made = power(claim(lambda w: ({"x": w.x}, {"r": w.x + 0 * w.y}), numbers(x=WIDE, y=WIDE)))
    names = {"0.9 y", "y^2", "0 y", "y + 1", "y - 1"}
    assert not names & set(made["survivors"])
    only_x = power(claim(lambda w: ({"x": w.x}, {"r": w.x}), numbers(x=WIDE)))
    assert made["counted"] == only_x["counted"]


# a parameter with an axis of its own keeps certificates away, so that instances must decide
ALONE = Family({"x": Real(0, 1, per=("d",))}, ({"d": 1},))
SLACK: dict[str, tuple[Any, str]] = {
    "left is zero": (lambda x: ({"0": 0 * x}, {"x": x}), "inconclusive"),
    "left is far below": (lambda x: ({"x": x / 1000}, {"r": 5 + x}), "holds"),
    "tight": (lambda x: ({"x^2": x * x}, {"x": x}), "holds"),
}


@pytest.mark.parametrize("name", SLACK)
def test_only_instances_that_kill_something_support_a_claim(name: str) -> None:
    sides, expected = SLACK[name]
    leaf = assay(claim(lambda w: sides(w.x[..., 0]), ALONE), profile=SMALL)
    assert leaf.power is not None
    assert leaf.verdict == expected
    assert (leaf.power["killed"] == 0) == (expected == "inconclusive")


@pytest.mark.parametrize(("high", "word"), [(0.0, "inconclusive"), (1.0, "holds")])
def test_a_family_in_which_nothing_happens_supports_nothing(high: float, word: str) -> None:
    # the claim is tight, yet instances with x = 0 alone cannot tell it from a false one
    family = Family({"x": Real(0, high, per=("d",))}, ({"d": 1},))
    leaf = assay(claim(lambda w: ({"x": w.x[..., 0]}, {"r": w.x[..., 0]}), family), profile=SMALL)
    assert leaf.verdict == word
    assert (leaf.rung == "power") == (word == "inconclusive")


# -- hints -----------------------------------------------------------------------------------------

LENGTH = Real(1 / 4, 2, unit=(0, 1))
BIAS = Real(1 / 4, 2, unit=(1, -1))

HINTS: dict[str, tuple[Statement, str]] = {
    "factor 2": (
        claim(lambda w: ({"l": 2 * w.x * w.y}, {"r": w.x * w.y}), numbers(x=WIDE, y=WIDE)),
        "with 2 ",
    ),
    "b for b^2": (
        claim(
            lambda w: ({"gap^2": (w.b * w.g) ** 2}, {"b": w.b * w.g**2}),
            numbers(b=BIAS, g=LENGTH),
        ),
        "with b^2 ",
    ),
    "scalar of an equality": (
        claim(lambda w: ({"l": 3 * w.x**2}, {"r": w.x**2 * w.m / 1}), numbers(x=WIDE, m=Real(1, 1)),
              relation="=="),
        "with 3 m ",
    ),
    "no symbol, the whole side": (
        claim(lambda w: ({"l": 3 * w.x / 2 + 0 * w.y}, {"r": 1 + 0 * w.y}),
              numbers(x=Real(1, 1), y=UNIT)),
        "1.5 times the right side survives",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HINTS)
def test_the_planted_change_is_named(name: str) -> None:
    statement, words = HINTS[name]
    pool, hit = found(statement)
    assert hit is not None
    assert words in repair_hint(pool)


def test_changes_that_break_the_units_are_not_proposed() -> None:
    # 2 b, 2 g and (b^2, g^2, ...) all repair it on numbers near two; only factors keep the units
    statement = claim(
        lambda w: ({"l": 2 * w.b * w.g}, {"r": w.b * w.g}),
        numbers(b=Real(2, 4, unit=(1, -1)), g=Real(2, 4, unit=(0, 1))),
    )
    pool, _ = found(statement)
    hint = repair_hint(pool)
    assert "with 2 b " in hint or "with 2 g " in hint
    without = claim(
        lambda w: ({"l": 2 * w.b * w.g}, {"r": w.b * w.g}), numbers(b=Real(2, 4), g=Real(2, 4))
    )
    assert "^2" not in hint
    assert repair_hint(found(without)[0]), "bare numbers have no units to keep"


def test_claims_of_existence_get_no_hint() -> None:
    statement = claim(lambda w: ({"x": w.x + 1}, {"r": w.x}), quantifier="some")
    assert repair_hint(found(statement)[0]) == ""
