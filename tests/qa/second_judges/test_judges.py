"""Every stored witness is judged by a second judge, and a witness with one number changed is not.

A change of one number need not save the claim; some change of one number has to, or the judge
could not have said no.
"""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.each import each
from tests.places import EXPECTED
from tests.qa.second_judges.adaptive import wavy
from tests.qa.second_judges.record import Judge
from verify.catalogue.json_files import read_json

HERE = Path(__file__).parent
PAPERS = [path.parent.name for path in sorted(HERE.glob("*/witnesses.json"))]
JUDGES: list[Judge] = []
WITNESSES: dict[str, Mapping[str, Any]] = {}
for paper in PAPERS:
    JUDGES += importlib.import_module(f"tests.qa.second_judges.{paper}.judges").JUDGES
    WITNESSES |= json.loads((HERE / paper / "witnesses.json").read_text())
CHANGES = ("0/1", "1/1", "2/1", "1/2", "1/64", "64/1")


def _numbers(at: Any) -> Iterator[tuple[Any, Any]]:
    """Places of the numbers in a part of a witness: the container and the index."""
    items = at.items() if isinstance(at, dict) else enumerate(at)
    for index, value in list(items):
        if isinstance(value, str) and "/" in value:
            yield at, index
        elif isinstance(value, dict | list):
            yield from _numbers(value)


def _changed(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The witness with one number changed: of its instance, of its sides where that has none."""
    own = copy.deepcopy(dict(raw))
    places = list(_numbers(own["instance"])) or [(own, "left"), (own, "right")]
    for at, index in places:
        kept = at[index]
        for number in CHANGES:
            if number != kept:
                at[index] = number
                yield own
        at[index] = kept


def _says(judge: Judge, raw: Mapping[str, Any]) -> bool:
    try:
        return judge.breaks(raw)
    except (ZeroDivisionError, AssertionError):  # no value, or not of the form that is judged
        return False


@each("judge", JUDGES, ids=lambda judge: judge.key)
def test_judge_agrees(judge: Judge) -> None:
    assert judge.breaks(WITNESSES[judge.key])


@each("judge", JUDGES, ids=lambda judge: judge.key)
def test_judge_can_refuse(judge: Judge) -> None:
    assert not all(_says(judge, raw) for raw in _changed(WITNESSES[judge.key]))


def test_every_witness_has_one_judge() -> None:
    keys = [judge.key for judge in JUDGES]
    assert sorted(keys) == sorted(WITNESSES)


def test_every_accusation_of_the_expected_ledger_has_a_judge() -> None:
    expected = read_json(EXPECTED / "quick.json", "fedassay-expected/1")["leaves"]
    accused = {key for key, leaf in expected.items() if leaf["verdict"] == "violated"}
    assert accused == {judge.key for judge in JUDGES}


def test_a_constant_of_a5_that_is_too_large_is_refused() -> None:
    assert wavy.meets_pl(wavy.PL)
    assert not wavy.meets_pl(Fraction(18, 100))
