"""Formulas read back from a program say, with the numbers put in, the value that it has."""

from __future__ import annotations

import linecache
import re
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import exactly, numbers
from tests.verify.claim.test_readings import claim
from verify.claim.parameters import Real
from verify.claim.statement import Statement, statement
from verify.ledger.formula import program
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
        if name != "literal":
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
    assert found.formulas["total"].numbers == "15"
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
    assert found.formulas["both"].text == "factor*(x + y)"
    assert found.formulas["both"].numbers == "3*(5 + 1)"
    assert found.terms[1] == {"both": 18}
    assert program(partial(named, MADE)) is None  # which argument is the world?
    assert program(named) is None


def test_a_file_that_has_changed_is_not_quoted(tmp_path: Path) -> None:
    text = "def rule(w):\n    return {'a': 2 * w.x}, {'b': w.y}\n"
    path = tmp_path / "cell.py"
    path.write_text(text)
    space: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), space)
    made = statement("mine.cell", where="", latex="", family=BOX)(space["rule"])
    point = exactly(made, {"x": 5, "y": 1, "z": 3})
    found = written(made, point)
    assert found is not None
    assert found.formulas["a"].text == "2*x"
    path.write_text(text.replace("2 *", "3 *"))
    linecache.clearcache()
    found = written(made, point)
    assert found is not None
    assert found.terms[0]["a"] == 10
    assert "a" not in found.formulas
    assert found.formulas["b"].text == "y"


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
    if w.number == "symbolic":
        return {"x": w.x}, {"y": w.y}
    return {"x": w.x}, {"y": w.y}


@pytest.mark.parametrize("sides", [branching, eval("lambda w: ({}, {})"), print])
def test_what_is_no_straight_program_has_values_only(sides: Any) -> None:
    assert program(sides) is None


def test_functions_and_entries_stand_there_by_their_text() -> None:
    def rooted(w: Any) -> Any:
        return {"root": xp.sqrt(w.x) + w.rates[..., 1]}, {"y": w.y}

    box = numbers({"N": 2}, x=Real(0, 9), y=Real(0, 9), rates=Real(0, 1, per=("N",)))
    made = statement("mine.root", where="", latex="", family=box)(rooted)
    point = {"x": 4, "y": 1, "rates": [Fraction(1, 2), Fraction(1, 3)]}
    found = written(made, exactly(made, point))
    assert found is not None
    assert found.formulas["root"].text == "sqrt(x) + rates[..., 1]"
    assert found.formulas["root"].numbers == "sqrt(4) + 1/3"
    assert found.formulas["root"].tex == r"\sqrt{x} + \mathrm{rates[...,\ 1]}"
