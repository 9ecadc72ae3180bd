"""Every document of the table with the one answer that is right, word by word.

`OUTCOMES` was read row by row when it was written; a row of a false claim is tested to be false at
its point (`test_checker_table.py`).  After a change of words in the checker ``python -m
tests.trusted.checker.table`` writes it anew, and the difference is to be read again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.trusted.checker.rows import (
    cases,
    clients,
    defined,
    facts,
    meanings,
    names,
    proofs,
    rounds,
    signs,
    sums,
    text,
    vectors,
)
from tests.trusted.checker.rows.base import Row
from tests.trusted.checker.rows.worst import GENUINE, GRAMS, WORST
from verify.certify import checker
from verify.certify.gram import check as gram_check

FILE = Path(__file__).with_name("outcomes.json")
OUTCOMES: dict[str, str] = json.loads(FILE.read_text()) if FILE.exists() else {}
SMALL = {"steps": 20_000, "terms": 300, "entries": 12_001, "exponent": 100}
"""Limits for the rows about costs, so that the table takes no time."""

SAID = {
    "entries": 200_000,
    "levels": 100,
    "letters": 20_000,
    "digits": 2_000,
    "nesting": 150,
    "exponent": 1_000,
    "terms": 5_000,
    "steps": 250_000,
}
"""The limits themselves, which no small file reaches."""

DEEP = [
    [
        f"w{i + 1}",
        "".join(f"f{i}_{j}(" for j in range(140)) + (f"w{i}" if i else "s") + ")" * 140,
    ]
    for i in range(10)
]
"""Names whose meanings speak of names: together 1,400 functions of each other."""
FILES: dict[str, Any] = {
    "one proof": GENUINE["prover: Young"],
    "a list of proofs": {"proofs": [GENUINE["prover: Young"], GENUINE["prover: half"]]},
    "a false proof in a list": {"proofs": [GENUINE["prover: Young"], {"format": "none"}]},
    "no proof in a list": {"proofs": []},
    "no proof": {},
    "no mapping": [],
    "a number": 1,
    "proofs that are none": {"proofs": 1},
    "names in names in names": names.changed(names.TRUE, atoms=DEEP),
    "minus signs": names.changed(names.TRUE, given=[{"expr": "-" * 4_000 + "s", "strict": True}]),
}
MATRICES = (
    [[2, 1], [1, Fraction(1, 2)]],
    [[2, 1], [1, Fraction(49, 100)]],
    [[Fraction(1, 2), 1], [1, 1]],
    [[Fraction(1, 2), 1], [1, 2]],
    [[0, 0], [0, 1]],
    [[0, 1], [1, 1]],
)
"""Semidefinite or not by their second pivot."""
TEXTS = {"nothing": "", "half a file": '{"proofs": [', "deep": "[" * 100_000}
"""Files that are no JSON, or that Python cannot read."""

__all__ = ["FILES", "OUTCOMES", "ROWS", "SAID", "TEXTS", "answer", "answers", "gram_answers"]


def _named() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for row in (
        *signs.SIGNS,
        *signs.SQUARES,
        *signs.GRAMS,
        *meanings.MEANINGS,
        *clients.SUMS,
        *clients.CAUCHY,
        *facts.TIMES,
        *facts.HYPOTHESES,
        *proofs.PROOFS,
        *names.NAMES,
        *defined.DEFINED,
        *sums.SUMS,
        *vectors.VECTORS,
        *rounds.INDUCTIONS,
        *cases.CASES,
        *text.TEXT,
        *text.LIMITS,
        *WORST,
    ):
        name = f"{row.rule}: {row.condition}"
        while name in found:
            name += "'"
        found[name] = row
    for name, document in GENUINE.items():
        found[f"genuine: {name}"] = Row("genuine", name, document)
    return found


ROWS = _named()


def answer(module: ModuleType, row: Row) -> str:
    """What a checker says of a document."""
    if row.rule == "costs":
        return _with_costs(module, row)
    try:
        return f"accepted: {module.check(row.document)}"
    except module.Refused as reason:
        return f"refused: {reason}"


def _with_costs(module: ModuleType, row: Row) -> str:
    """The same under small limits, and the steps that it took."""
    limits, meter = dict(module.LIMITS), module._METER
    module.LIMITS.update(SMALL)
    module._METER = Meter()
    try:
        said = answer(module, replace(row, rule=""))
        return f"{said} ({module._METER.steps[0]} steps)"
    finally:
        module.LIMITS.update(limits)
        module._METER = meter


class Meter:
    """What a checker counts its steps on; it keeps them when the check is over."""

    def __init__(self) -> None:
        self.steps: list[int] = []

    def set(self, steps: list[int]) -> None:
        """Begin to count."""
        self.steps = steps

    def get(self) -> list[int]:
        """Where steps are counted."""
        return self.steps

    def reset(self, _: None) -> None:
        """End a check."""


def answers(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Name and answer of every row."""
    for name, row in ROWS.items():
        yield name, answer(module, row)


def gram_answers(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The same for certificates of inner products: what is wrong with them, or nothing."""
    for name, certificate in GRAMS.items():
        said = module.complaint(certificate)
        yield f"inner products: {name}", f"{module.proves(certificate)} {said}"
    for matrix in MATRICES:
        yield f"matrix: {matrix}", str(module.is_semidefinite(matrix))


if __name__ == "__main__":
    made = {**dict(answers(checker)), **dict(gram_answers(gram_check))}
    FILE.write_text(json.dumps(made, indent=0) + "\n")
