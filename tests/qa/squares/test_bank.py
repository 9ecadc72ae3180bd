"""Textbook inequalities are proved, and no false twin of one; a sample by default, all if slow.

The bank was written down before the prover was asked.  A line counts as proved where the ladder at
quick says so; the prover alone is asked about a false twin too, as the search breaks most of them
before a proof is looked for.
"""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

import pytest

from tests.qa.squares.bank import BANK, holds_at, premises_at, within
from tests.trusted.certify.coq.test_coq import needs_coq
from tests.verify.cases import leaf_of
from verify.certify.checker import accepts
from verify.certify.coq.asked import OF_THE_REALS, axioms, coqc
from verify.certify.coq.document import coq_file
from verify.ladder.rungs.certificate import written_proofs
from verify.line import one_line

STRIDE = 8
"""One row in so many is asked by default."""
AT_LEAST = 74
"""Of the 80 rows; all of them were proved when this was written."""
SECONDS = 1.0
"""Of the processor, for one proof once everything is loaded."""
SAMPLE = [*BANK][::STRIDE]


def test_the_bank_has_eighty_rows() -> None:
    assert len(BANK) == 80


@pytest.mark.parametrize("name", BANK)
def test_a_twin_is_false_where_it_says_and_the_line_is_not(name: str) -> None:
    row = BANK[name]
    assert within(row.false, row.at)
    assert premises_at(row.false, row.at)
    assert not holds_at(row.false, row.at)
    if premises_at(row.true, row.at):
        assert holds_at(row.true, row.at)


def test_the_arithmetic_of_the_bank_sees_what_is_false() -> None:
    """Control: of lines, hypotheses and ranges."""
    at = {"x": Fraction(1, 3), "y": Fraction(2)}
    assert holds_at("3*x**2*y <= 2/3 for x, y >= 0", at)
    assert not holds_at("3*x**2*y <= 65/100 for x, y >= 0", at)
    assert not premises_at("x <= y for x, y >= 0 given x + y = 2, dot(x, y) <= 1", at)
    assert premises_at("x <= y for x, y >= 0 given 3*x + y = 3, dot(x, y) <= 1", at)
    assert within("x <= y for x in (0, 1], vectors y", at)
    for ranges in ("x in [0, 1], y in [0, 1]", "x, y >= 1", "x > 0", "x in (0, 1], real z"):
        assert not within(f"x <= y for {ranges}", at)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_line_is_proved(name: str) -> None:
    assert leaf_of(BANK[name].true).verdict == "proved"


@pytest.mark.parametrize("name", SAMPLE)
def test_a_false_twin_is_not(name: str) -> None:
    assert written_proofs(one_line(BANK[name].false)) == []


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("part", range(STRIDE))
def test_coq_accepts_the_proofs(part: int, tmp_path: Path) -> None:
    proofs = {n: written_proofs(one_line(BANK[n].true)) for n in [*BANK][part::STRIDE]}
    code, said = coqc(coq_file({name: found for name, found in proofs.items() if found}), tmp_path)
    assert code == 0, said[-800:]
    assert axioms(said) <= OF_THE_REALS


@pytest.mark.slow
@pytest.mark.parametrize("name", BANK)
def test_no_false_twin_is_proved_by_the_ladder(name: str) -> None:
    assert leaf_of(BANK[name].false).verdict != "proved"
    assert written_proofs(one_line(BANK[name].false)) == []


@pytest.mark.slow
def test_nearly_all_lines_are_proved_and_none_takes_long() -> None:
    written_proofs(one_line(BANK[SAMPLE[0]].true))  # loads everything
    proved, slow = list[str](), list[str]()
    for name, row in BANK.items():
        statement = one_line(row.true)
        start = time.process_time()
        written = written_proofs(statement)
        slow += [name] if time.process_time() - start > SECONDS else []
        proved += [name] if written and all(map(accepts, written)) else []
    assert len(proved) >= AT_LEAST, sorted({*BANK} - {*proved})
    assert slow == []
