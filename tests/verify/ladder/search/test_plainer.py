"""Exact arithmetic is spared long numbers where nothing hangs on their last digits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import SMALL, assume, claim, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate
from verify.world.referee import rescore

LONG = float(np.sqrt(2))
SQUARE = numbers(x=Real(0, 4, domain=(0, 4)))


def asked(statement: Statement, x: float, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """The number that the referee is asked about at x, as a fraction, and what was confirmed."""
    climb, seen = Climb(statement, SMALL, 0, "cpu"), list[Any]()
    values = {"x": np.array([x])}
    climb.pool.evaluate(values, {})
    exact = climb.heard.exact

    def listening(values: Any, shape: Any, family: Any = None) -> Any:
        seen.append(Fraction(float(values["x"])))
        return exact(values, shape, family)

    monkeypatch.setattr(climb.heard, "exact", listening)
    climb.heard.confirm()
    return seen[0], climb.heard.confirmed


def digits(number: Fraction) -> int:
    return number.numerator.bit_length()


def test_far_from_a_tie_the_referee_is_asked_about_short_numbers(monkeypatch: Any) -> None:
    # at its largest a parabola does not feel a small step
    flat = claim(lambda w: ({"l": 3 - (w.x * w.x - 2) ** 2}, {"r": 4 + 0 * w.x}), SQUARE)
    number, known = asked(flat, LONG, monkeypatch)
    assert digits(number) <= 16
    assert known.best.values["x"] == LONG, "what is reported is the tightest instance itself"
    assert known.found.satisfied


@pytest.mark.parametrize("why", ["a tie", "a slope", "an edge"])
def test_every_digit_counts(why: str, monkeypatch: Any) -> None:
    sides: dict[str, Any] = {
        "a tie": lambda w: ({"l": 4 - (w.x * w.x - 2) ** 2}, {"r": 4 + 0 * w.x}),
        "a slope": lambda w: ({"l": 2**30 * (w.x * w.x - 2) + 1}, {"r": 4 + 0 * w.x}),
        "an edge": lambda w: ({"l": 3 - (w.x * w.x - 2) ** 2}, {"r": 4 + 0 * w.x}),
    }
    edges = {
        "at most": lambda w: 2**40 * (2 - w.x * w.x) + 1,
        "at least": lambda w: w.x * w.x - 2,
    }
    given = assume(edges) if why == "an edge" else ()
    number, _ = asked(claim(sides[why], SQUARE, given=given), LONG, monkeypatch)
    assert number == Fraction(LONG)


def test_a_ratio_that_rounding_feigns_is_still_dismissed(monkeypatch: Any) -> None:
    # 1 + x - 1 in floats is not x: of 2^-60 nothing is left, and the ratio is that of nothing
    feigned = claim(
        lambda w: ({"l": (2**60 + w.x) - 2**60}, {"r": 64 + 0 * w.x}),
        numbers(x=Real(0, 64, domain=(0, 128))),
    )
    climb = Climb(feigned, SMALL, 0, "cpu")
    climb.pool.tops.append(Candidate({"x": np.float64(20.0)}, {}, 0.25))
    climb.heard.confirm()
    assert climb.heard.dismissed == {0.25: 20 / 64}


def test_a_witness_holds_the_numbers_that_the_referee_was_asked_about() -> None:
    # floats see nothing of x beside 2^60; in fractions every x above 64 breaks the claim
    hidden = claim(
        lambda w: ({"l": (2**60 + w.x) - 2**60}, {"r": 64 + 0 * w.x}),
        numbers(x=Real(0, 128, domain=(0, 256))),
    )
    climb = Climb(hidden, SMALL, 0, "cpu")
    climb.pool.evaluate({"x": np.array([100.3])}, {})
    climb.heard.confirm()
    (item,) = climb._tightest()
    assert (item.status, climb.witness is not None) == ("decided", True)
    assert climb.witness is not None
    instance = Instance.from_json(climb.witness["instance"])
    again = rescore(hidden, instance)
    assert again.violated
    assert {**climb.witness, **again.numbers()} == climb.witness
    assert digits(Fraction(instance.params["x"])) <= 8, "the plainer instance"
