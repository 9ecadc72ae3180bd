"""Formulas of a claim say, with the numbers put in, the value that it has."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import exactly, numbers
from tests.verify.claim.test_readings import claim
from verify.claim.parameters import Real
from verify.claim.statement import Statement, statement
from verify.ledger.written import written

BOX = numbers(x=Real(-9, 9), y=Real(-9, 9), z=Real(-9, 9))


def several(w: Any) -> Any:
    """Every way in which pieces can be nested."""
    both = w.x - (w.y - w.z)
    return {
        "sums": w.x - (w.y + w.z) - (w.x - w.y),
        "negative": w.x - -w.y * -(w.z - 1),
        "quotients": w.x / (w.y / w.z) / 2,
        "product": w.x / (w.y * w.z) * w.x,
        "powers": (w.x + w.y) ** 2 * -(w.z**3),
        "power of a quotient": (w.x / w.y) ** 2,
        "literal": 0.25 * w.x + 3,
    }, {"both": 2 * both**2 - both}


MADE: Statement = statement("mine.several", where="", latex="", family=BOX)(several)


def value(text: str) -> Fraction:
    """What a text says, in fractions; integers only, so that nothing is read twice."""
    return Fraction(eval(re.sub(r"(\d+)", r"Fraction(\1)", text.replace("^", "**"))))


@pytest.mark.parametrize("point", [(2, 3, 5), (-2, 3, -5), ("1/2", "-3/4", 7), (-1, -1, -1)])
def test_the_numbers_put_in_give_the_value(point: Any) -> None:
    made = written(MADE, exactly(MADE, dict(zip("xyz", point, strict=True))))
    assert made is not None
    terms = {**made.terms[0], **made.terms[1]}
    assert set(made.formulas) == set(terms)
    for name, formula in made.formulas.items():
        assert value(formula.numbers) == terms[name], (name, formula)
        inserted = formula.text
        for symbol, number in zip("xyz", point, strict=True):
            inserted = re.sub(rf"\b{symbol}\b", f"({number})", inserted)
        inserted = inserted.replace("both", f"({made.steps['both'][1]})")
        assert value(inserted) == terms[name], (name, inserted)


def test_a_wrong_formula_is_caught() -> None:
    assert value("2 - (3 + 5)") != value("2 - 3 + 5")
    assert value("2/(3/5)") != value("2/3/5")


def test_only_what_the_claim_reads_is_used() -> None:
    made = statement("mine.one", where="", latex="", family=BOX)(
        lambda w: ({"x": w.x}, {"one": 1 + 0 * w.x})
    )
    found = written(made, exactly(made, {"x": 1, "y": 2, "z": 3}))
    assert found is not None
    assert found.used == {"x"}


def looping(w: Any) -> Any:
    total, twice = 0 * w.x, 2 * w.y
    for k in range(3):
        total = total + k * w.x
    root = total - 1
    return {"total": total, "root": root * 2}, {"twice": twice + w.y}


def test_loops_and_pairs_are_carried_out() -> None:
    made = statement("mine.loop", where="", latex="", family=BOX)(looping)
    found = written(made, exactly(made, {"x": 5, "y": 1, "z": 3}))
    assert found is not None
    assert value(found.formulas["total"].numbers) == 15
    assert (found.steps["root"][0].numbers, found.steps["root"][1]) == ("15 - 1", 14)
    assert found.formulas["root"].text == "root*2"
    assert found.formulas["twice"].numbers == "2 + 1"


def named(w: Any, factor: int) -> Any:
    right = {"both": factor * (w.x + w.y)}
    return {"x": w.x}, right


def test_a_side_may_have_a_name_and_an_option_a_value() -> None:
    made = statement("mine.named", where="", latex="", family=BOX)(partial(named, factor=3))
    found = written(made, exactly(made, {"x": 5, "y": 1, "z": 3}))
    assert found is not None
    assert found.formulas["both"].text == "3*(x + y)"
    assert found.formulas["both"].numbers == "3*(5 + 1)"
    assert found.terms[1] == {"both": 18}


SHORT = statement("mine.short", where="", latex="", family=BOX)(
    lambda w: ({"a": 2 * w.x}, {"b": w.y + 3})
)


def test_a_lambda_is_a_program_too() -> None:
    found = written(SHORT, exactly(SHORT, {"x": 5, "y": 1, "z": 3}))
    assert found is not None
    assert (found.formulas["a"].numbers, found.formulas["b"].text) == ("2*5", "y + 3")


def test_the_reading_of_a_claim_is_known_to_its_program() -> None:
    made = claim("times", family=BOX).leaf("loop")
    found = written(made, exactly(made, {"x": 5, "y": 1, "z": 3}))
    assert found is not None
    assert found.formulas["x"].numbers == "5"
    assert found.terms[1]["bound"] == Fraction(5, 2)


def branching(w: Any) -> Any:
    if w.x > 3:
        return {"x": w.x}, {"y": w.y}
    return {"x": w.x}, {"y": 2 * w.y}


def test_what_cannot_be_traced_has_values_only() -> None:
    made = statement("mine.branch", where="", latex="", family=BOX)(branching)
    found = written(made, exactly(made, {"x": 5, "y": 1, "z": 3}))
    assert found is not None
    assert (found.terms, found.formulas) == (({"x": 5}, {"y": 1}), {})


def helped(w: Any) -> Any:
    return {"share": share(w)}, {"one": 1 + 0 * w.x}


def share(w: Any) -> Any:
    parts = w.rates / xp.total(w.rates)[..., None]
    return xp.total(parts**2) + xp.squared_norm(w.u)


def test_sums_are_written_over_an_index_and_with_their_numbers() -> None:
    per = Real(0, 1, per=("N",))
    box = numbers({"N": 2, "d": 2}, x=Real(0, 1), rates=per, u=Real(0, 1, per=("d",)))
    made = statement("mine.shares", where="", latex="", family=box)(helped)
    found = written(made, exactly(made, {"x": 1, "rates": [1, 2], "u": [3, 4]}))
    assert found is not None
    formula = found.formulas["share"]
    assert formula.text == "sum_i((rates[i]/sum_j(rates[j]))^2) + norm(u)^2"
    assert formula.numbers == "(1/(1 + 2))^2 + (2/(1 + 2))^2 + (3^2 + 4^2)"
    assert value(formula.numbers) == found.terms[0]["share"]
    assert r"\sum_{i} \left(\frac{\mathrm{rates}_{i}}{\sum_{j} \mathrm{rates}_{j}}" in formula.tex
    assert r"\left\|u\right\|^{2}" in formula.tex


def test_the_entry_that_is_worst_is_written() -> None:
    per = Real(0, 9, per=("N",))
    made = statement("mine.each", where="", latex="", family=numbers({"N": 3}, x=per, y=per))(
        lambda w: ({"square": w.x**2}, {"product": w.x * w.y})
    )
    found = written(made, exactly(made, {"x": [1, 5, 2], "y": [3, 2, 1]}))
    assert found is not None
    assert found.formulas["square"].text == "x[i]^2"
    assert found.formulas["square"].numbers == "5^2"
    assert found.formulas["product"].numbers == "5*2"


def test_functions_and_entries_stand_there_by_their_text() -> None:
    def rooted(w: Any) -> Any:
        return {"root": xp.sqrt(w.x) + w.rates[..., 1]}, {"y": w.y}

    box = numbers({"N": 2}, x=Real(0, 9), y=Real(0, 9), rates=Real(0, 1, per=("N",)))
    made = statement("mine.root", where="", latex="", family=box)(rooted)
    point = {"x": 4, "y": 1, "rates": [Fraction(1, 2), Fraction(1, 3)]}
    found = written(made, exactly(made, point))
    assert found is not None
    assert found.formulas["root"].text == "sqrt(x) + rates[1]"
    assert found.formulas["root"].numbers == "sqrt(4) + 1/3"
    assert found.formulas["root"].tex == r"\sqrt{x} + \mathrm{rates}_{1}"
