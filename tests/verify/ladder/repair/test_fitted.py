"""Products of powers read off the sample, and symbols exchanged: what is missing is told."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.verify.cases import SMALL, claim, exactly, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.repair.candidates import candidates
from verify.ladder.repair.fitted import fitted
from verify.ladder.repair.mending import Sample
from verify.ladder.repair.mends import mended
from verify.ladder.repair.monomials import further_term, times_product
from verify.ladder.repair.powers import powers_on
from verify.ladder.rungs.climb import Climb
from verify.world.referee import rescore
from verify.world.score import score

BUDGET = replace(SMALL, evaluations=2_000, onward=1 / 4)
WIDE = Real(1 / 8, 8, log=True)

PLANTED: dict[str, tuple[Statement, str]] = {
    "a square is lost": (
        claim(
            lambda w: ({"l": (w.x + w.y) ** 2}, {"a": 2 + 0 * w.x, "b": 2 * w.y**2}),
            numbers(x=WIDE, y=WIDE),
        ),
        "[a] times x^2",
    ),
    "a term of two squares is lost": (
        claim(
            lambda w: ({"l": (w.x + w.e * w.g) ** 2}, {"a": 2 * w.x**2, "b": 0 * w.g}),
            numbers(x=WIDE, e=WIDE, g=WIDE),
        ),
        "a further term 2 times e^2 g^2",
    ),
    "two symbols are exchanged": (
        claim(
            lambda w: ({"l": (w.x + w.e * w.g) ** 2}, {"a": 2 * w.g**2, "b": 2 * w.e**2 * w.x**2}),
            numbers(x=WIDE, e=WIDE, g=WIDE),
        ),
        "g and x exchanged",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_missing_is_told(name: str) -> None:
    statement, wanted = PLANTED[name]
    told = {r["mend"]: r["word"] for r in assay(statement, profile=BUDGET).repairs}
    said = {text.replace("x and g", "g and x") for text in told}
    assert wanted in said, told
    assert set(told.values()) == {"proved"}


def test_a_term_that_would_do_alone_is_not_told() -> None:
    """x y for the first term is all that is needed: the second would be idle."""
    statement = claim(
        lambda w: (
            {"l": w.x * w.y},
            {"a": w.c * w.x**2 / 2, "b": 1 / (2 * w.c)},
        ),
        numbers(x=WIDE, y=WIDE, c=WIDE),
    )
    climb = Climb(statement, BUDGET, 0, "cpu")
    assert list(climb.searched())
    climb.search_on()
    sample = Sample(climb.pool, [])
    idle = times_product("a", {"y": 1, "c": -1, "x": -1}, Fraction(2), part="a")
    wanted = times_product("b", {"y": 2}, part="b")
    assert sample._effect(idle, np.inf, False) is None
    assert sample._effect(wanted, np.inf, False) is not None


def test_a_fitted_number_is_the_least_plain_one_that_is_enough() -> None:
    x = np.array([[1.0], [2.0], [5.0]])
    statement = claim(lambda w: ({"l": 3 * w.x**2 / 2}, {"r": w.x}), numbers(x=WIDE))
    result = score(statement, statement.family.instance({"x": x[:, 0]}, {}))
    proposed = {str(m) for m in fitted("<=", [result], {"x": (0.0, 0.0)}, (0.0, 0.0))}
    assert "the right side times x times 3/2" in proposed
    assert not any(text.startswith("the right side times x times 4/3") for text in proposed)


def test_an_equality_takes_no_more_than_it_needs() -> None:
    statement = claim(lambda w: ({"l": 3 * w.x**2}, {"r": w.x}), numbers(x=WIDE), relation="==")
    result = score(statement, statement.family.instance({"x": np.array([1.0, 2.0, 5.0])}, {}))
    proposed = [str(m) for m in fitted("==", [result], {"x": (0.0, 0.0)}, None)]
    assert proposed == ["the right side times x times 3"]


def test_only_products_with_the_unit_that_is_wanted_are_made() -> None:
    statement = claim(lambda w: ({"l": w.x}, {"r": w.y}), numbers(x=WIDE, y=WIDE))
    values = {"x": np.array([1.0, 2.0]), "y": np.array([3.0, 5.0])}
    result = score(statement, statement.family.instance(values, {}))
    units = {"x": (0.0, 1.0), "y": (0.0, 2.0)}
    made = powers_on([result], units)
    assert made is not None
    pure = made.with_unit(units, (0.0, 0.0))
    assert [pure.of(i) for i in range(len(pure.exponents))] == [
        {"x": -2, "y": 1},
        {"x": 2, "y": -1},
    ]
    assert not len(made.with_unit(units, None).exponents)


def test_mends_are_exact_in_fractions() -> None:
    statement = claim(lambda w: ({"l": w.x}, {"a": w.y, "b": w.x}), numbers(x=WIDE, y=WIDE))
    exact = exactly(statement, {"x": Fraction(2), "y": Fraction(3)})
    for mend, right in (
        (times_product("a", {"x": 2, "y": -1}, Fraction(1, 3)), Fraction(4, 3) + 2),
        (further_term({"x": 1, "y": 1}, Fraction(1, 2)), Fraction(8)),
    ):
        assert rescore(mended(statement, [mend]), exact).right == right


def test_an_exchange_sees_each_symbol_in_the_place_of_the_other() -> None:
    statement = claim(lambda w: ({"l": w.x}, {"r": w.x + 2 * w.y}), numbers(x=WIDE, y=WIDE))
    batch = statement.family.instance({"x": np.array([1.0]), "y": np.array([3.0])}, {})
    found = score(statement, batch)
    swap = next(m for m in candidates(statement, found, []) if m.swapped)
    exact = exactly(statement, {"x": Fraction(1), "y": Fraction(3)})
    assert rescore(mended(statement, [swap]), exact).right == 5
    assert rescore(statement, exact).right == 7
