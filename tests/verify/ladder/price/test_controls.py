"""Is a claim about how a run runs?  Claims of known answer, and what the verdict says of each."""

from __future__ import annotations

from typing import Any

import pytest

from tests.trusted.verdict.evidence_cases import MET, METHOD, PROOF, SUPPORT, changed
from tests.verify.cases import FIXED, claim, fixed_runs, found
from tests.verify.cases import numbers as bare
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.price.controls import look_at_method
from verify.verdict.verdict import verdict
from verify.world.controls import CONTROLS

RUNS = fixed_runs((2, 1, 2))


def excess(w: Any, t: int) -> Any:
    return ((w.run().theta[:, :, t] - w.run().theta[:, :, 0]) ** 2).sum(-1)


def stays(w: Any) -> Any:
    return {"moved": excess(w, 2)}, {"nothing": 0 * w.beta + 2.0**-20}


def whatever(w: Any) -> Any:
    """Convexity of the square between two models, whatever they are."""
    a, b = (w.run().theta[:, :, t, 0] for t in (0, 2))
    return {"square of the mean": ((a + b) / 2) ** 2}, {"mean of the squares": (a**2 + b**2) / 2}


def looked(sides: Any, family: Any = RUNS) -> Any:
    statement: Statement = claim(sides, family, defines=FIXED if family is RUNS else {})
    pool, _ = found(statement)
    pool.gather()
    return look_at_method([pool])


def test_what_is_true_of_any_models_says_nothing_of_the_method() -> None:
    told = looked(whatever)
    assert told.status == "reported"
    assert told.details["stand"] == list(CONTROLS)
    assert told.tried > 0


def test_what_the_controls_break_is_about_the_method() -> None:
    told = looked(stays)
    assert "jumping at random" in told.details["fall"]
    assert "plain averaging" in told.details["fall"]
    assert told.details["stand"] == ["standing still"]


def test_a_claim_about_numbers_has_no_method() -> None:
    told = looked(lambda w: ({"x": w.x}, {"x^2 + 1": w.x**2 + 1}), bare(x=Real(-1, 1)))
    assert told.details == {}
    assert told.summary == "no run of a method is part of the claim"


SILENT = changed(METHOD, details={"fall": [], "stand": ["a", "b"], "without": []})
ABOUT = changed(METHOD, details={"fall": ["a"], "stand": ["b"], "without": []})
UNTRIED = changed(METHOD, details={"fall": [], "stand": [], "without": ["a", "b"]})


def test_the_word_says_first_that_nothing_is_said_of_the_method() -> None:
    said = "says nothing of what moves the models: it stands for a, b too; "
    without = [item for item in SUPPORT if item is not METHOD]
    assert verdict([*without, SILENT]).reason.startswith(said)
    assert verdict([PROOF, MET, SILENT]).reason.startswith(said)
    assert verdict([*without, SILENT]).word == "holds"


@pytest.mark.parametrize("item", [METHOD, ABOUT, UNTRIED], ids=["none", "about", "untried"])
def test_else_nothing_is_added(item: Any) -> None:
    without = [each for each in SUPPORT if each is not METHOD]
    assert verdict([*without, item]).reason == verdict(SUPPORT).reason
