"""Every row of the table has its answer, and what is called false is false at its point."""

from __future__ import annotations

import pytest

from tests.each import each
from tests.trusted import mutate
from tests.trusted.checker.points import holds_at, point
from tests.trusted.checker.table import FILES, OUTCOMES, ROWS, SAID, TEXTS, answer, gram_answers
from tests.trusted.mutate import Asked
from tests.trusted.mutation.by_table import AFTER, unread, without_file
from tests.trusted.mutation.changes import Mutant
from verify.certify import checker
from verify.certify.gram import check as gram_check

FALSE = [name for name, row in ROWS.items() if row.false_at is not None]


@each("name", ROWS)
def test_each_document_has_its_answer(name: str) -> None:
    assert answer(checker, ROWS[name]) == OUTCOMES[name]


def test_the_limits_are_what_is_said() -> None:
    assert checker.LIMITS == SAID


@pytest.mark.parametrize("name", TEXTS)
def test_what_cannot_be_read_is_refused(name: str) -> None:
    status, said = unread(checker, TEXTS[name])
    assert status == 1
    assert said.startswith("refused: ")


def test_a_call_without_a_file_is_refused() -> None:
    status, said = without_file(checker)
    assert status == 1
    assert said.startswith("refused: ")


@pytest.mark.parametrize("name", ["names in names in names", "minus signs"])
def test_what_is_too_deep_to_read_is_refused(name: str) -> None:
    with pytest.raises(checker.Refused, match="too deep to read"):
        checker.check(FILES[name])


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
    "the base of a power bound": ("power", "without self.shown(lemmas, ONE - base, False)"),
    "the exponent of Bernoulli": ("power", "without self._is_whole(exponent)"),
    "the sign of a minimum": ("declared", ".get(head, 0) or even | max for min"),
    "a sum that is strict": ("sum", "False for True in self.shown(lemmas, body, True)"),
    "the sign of a term": ("term", "True for self.shown(lemmas, self._summand(about), False)"),
    "the sign in Cauchy-Schwarz": ("Cauchy-Schwarz", "without self.shown(lemmas, y, False)"),
    "a zero that is called strict": ("times", "False for not rest"),
    "a range that may be empty": ("empty sums", "False for not clients"),
}
"""The rule and the change."""


@pytest.fixture(scope="module")
def own() -> Asked:
    return Asked("checker", None)


@pytest.mark.parametrize("fault", CHANGED)
def test_a_condition_that_is_taken_out_is_missed(
    fault: str, own: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of what ``tests.trusted.mutate`` does with every condition."""
    monkeypatch.setattr(mutate, "SECONDS", 1)  # one runs until it is stopped; the others a tenth
    rule, change = CHANGED[fault]
    rows = [name for name, row in ROWS.items() if row.rule == rule]
    chosen = [mutant for mutant in own.mutants if change in mutant.name]
    assert rows
    assert chosen
    for mutant in chosen:
        assert own.asked(mutant, rows), mutant.name


def test_the_checker_as_it_is_survives(own: Asked) -> None:
    """The negative control of the sample above."""
    same = Mutant("no change", "", range(0), lambda: None)
    rules = {rule for rule, _ in CHANGED.values()}
    rows = [name for name, row in ROWS.items() if row.rule in rules]
    assert own.asked(same, [*rows, AFTER]) == ""
