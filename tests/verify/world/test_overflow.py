"""Instances that floats cannot compare are compared exactly; what nobody can compare is said."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from verify import check
from verify.claim import Real, numbers, statement
from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.verdict import evidence
from verify.verdict.evidence import in_figures, number_from_json
from verify.verdict.verdict import breaks

WIDE = {"x": Real(0, 40, domain=(0, 40))}


def grows(factor: int) -> Statement:
    @statement(f"over.exp{factor}", latex="x", family=numbers(WIDE))
    def sides(w: Any) -> Any:
        return {"square": xp.exp(w.x**2)}, {"line": xp.exp(factor * w.x)}

    return sides


def test_an_overflow_hides_no_falsehood() -> None:
    leaf = assay(grows(30), profile=PROFILES["quick"])
    assert leaf.verdict == "violated"
    assert leaf.witness is not None
    assert breaks(leaf.witness)
    x = Fraction(leaf.witness["instance"]["params"]["x"])
    assert 30 < x <= 40
    assert "e+" in leaf.reason
    assert "inf" not in leaf.reason


def test_its_true_twin_stands_and_says_what_floats_could_not_compare() -> None:
    leaf = assay(grows(40), profile=PROFILES["quick"])
    assert leaf.verdict == "holds"
    assert "floats could not compare the sides of" in leaf.reason


def test_sides_without_a_value_bear_no_word() -> None:
    """Exact arithmetic has no root of a negative number either: that is no answer."""
    found = check("sqrt(x) <= 1 for x in [-1, 1]", profile="quick")
    assert found.verdict == "inconclusive"
    assert "exact arithmetic decided 0 of the" in found.reason
    assert check("sqrt(x) <= 1 for x in [0, 1]", profile="quick").verdict == "proved"


def test_an_instance_that_floats_cannot_compare_met_every_hypothesis() -> None:
    """Of a claim without any 954 of 1168 were said to have met them."""
    said = str(check("exp(x**2) <= exp(30*x) for x in [0, 40]", profile="quick"))
    found = re.search(
        r"(\d+) of (\d+) instances met every hypothesis, of which floats could not compare the "
        r"sides of (\d+)",
        said,
    )
    assert found is not None, said
    met, tried, lost = map(int, found.groups())
    assert met == tried > lost > 0


def test_what_nobody_can_compare_leaves_a_claim_open() -> None:
    @statement("over.blank", latex="x", family=numbers({"x": Real(0, 4), "y": Real(0, 4)}))
    def sides(w: Any) -> Any:
        half = xp.where(w.x > 2, (w.x - w.x) / (w.x - w.x), 1)  # without a value where x > 2
        return {"left": w.y * half}, {"right": w.y + w.x + 1}

    leaf = assay(sides, profile=PROFILES["quick"])
    assert leaf.verdict == "inconclusive"
    assert "exact arithmetic decided 0 of the" in leaf.reason


def test_numbers_beyond_floats_have_figures() -> None:
    assert in_figures(Fraction(2, 3)) == "0.666667"
    assert in_figures(-(Fraction(10) ** 400) * 2) == "-2e+400"


def test_a_witness_beyond_floats_is_written_read_and_told() -> None:
    found = check("exp(x**2) <= exp(30*x) for x in [200, 400]")
    assert found.verdict == "violated"
    assert found.witness is not None
    left: Any = number_from_json(found.witness["left"])
    assert left > 10**17000  # e to the 200th square
    shown = in_figures(left).partition("e")[2]
    assert f"e{shown} +/- " in str(found)
    assert f"e{shown}" in found._repr_html_()


def test_what_a_witness_cannot_hold_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "LONGEST", 500)
    found = check("exp(x**2) <= exp(30*x) for x in [40, 60]")
    assert found.verdict == "inconclusive"
    assert "(both overflow, say)" in found.reason


@pytest.mark.parametrize("end", ["1e999999999", "1/0", "9" * 200_001, [], 1.5])
def test_an_end_of_a_ball_is_read_as_a_fraction_is(end: Any) -> None:
    with pytest.raises(InvalidInput, match="ball"):
        number_from_json({"ball": ["1", end]})
