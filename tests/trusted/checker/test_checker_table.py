"""Every row of the table has its answer, and what is called false is false at its point."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.each import each
from tests.trusted.checker.mutate import EQUIVALENT, Mutant, killed, mutants
from tests.trusted.checker.points import holds_at, point
from tests.trusted.checker.table import OUTCOMES, ROWS, answer, gram_answers
from verify.certify import checker
from verify.certify.gram import check as gram_check

FALSE = [name for name, row in ROWS.items() if row.false_at is not None]


@each("name", ROWS)
def test_each_document_has_its_answer(name: str) -> None:
    assert answer(checker, ROWS[name]) == OUTCOMES[name]


def test_each_certificate_of_inner_products_has_its_answer() -> None:
    for name, said in gram_answers(gram_check):
        assert said == OUTCOMES[name], name


@each("name", FALSE)
def test_what_a_condition_refuses_is_false(name: str) -> None:
    row = ROWS[name]
    assert OUTCOMES[name].startswith("refused: ")
    assert holds_at(row.document, *point(row.document, row.false_at or {})) is False


def test_many_rows_are_false_and_every_rule_has_one() -> None:
    rules = {ROWS[name].rule for name in FALSE}
    assert len(FALSE) > 80
    assert {
        "declared",
        "squares",
        "gram",
        "definition",
        "power",
        "sum",
        "term",
        "Cauchy-Schwarz",
        "times",
        "hypothesis",
        "products",
        "claim is false",
        "equality",
        "induction",
        "cases",
        "empty sums",
    } <= rules


CHANGED = {
    "the base of a power bound": "without self.shown(lemmas, ONE - base, False)",
    "the exponent of Bernoulli": "without self._is_whole(exponent)",
    "the sign of a minimum": "max for min(signs)",
    "a sum that is strict": "True turned in self.shown(lemmas, body, True)",
    "the sign of a term": "True for self.shown(lemmas, self._summand(about), False)",
    "the sign in Cauchy-Schwarz": "without self.shown(lemmas, y, False)",
    "a zero that is called strict": "True for not rest",
    "a range that may be empty": "False for not clients",
}


@pytest.mark.parametrize("fault", CHANGED)
def test_a_condition_that_is_taken_out_is_missed(fault: str) -> None:
    """A sample of what ``mutate`` does with every condition."""
    tree = ast.parse(Path(checker.__file__).read_text())
    chosen = [m for m in mutants(tree) if CHANGED[fault] in m.name]
    assert chosen
    for mutant in chosen:
        tree = ast.parse(Path(checker.__file__).read_text())
        (one,) = [m for m in mutants(tree) if m.name == mutant.name]
        assert killed(tree, checker, one, list(ROWS))


def test_the_checker_as_it_is_survives() -> None:
    """The negative control of the sample above."""
    tree = ast.parse(Path(checker.__file__).read_text())
    same = Mutant("no change", "check", range(0), lambda: None)
    assert killed(tree, checker, same, list(ROWS)) == ""


def test_each_change_that_is_listed_as_equivalent_can_be_made_and_has_a_reason() -> None:
    import json

    listed = json.loads(EQUIVALENT.read_text())
    made = {
        mutant.name
        for module in (checker, gram_check)
        for mutant in mutants(ast.parse(Path(str(module.__file__)).read_text()))
    }
    assert {*listed} <= made
    assert all(len(reason) > 10 for reason in listed.values())
