"""Recursions over T rounds: proved by start and step, and refused where either says otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import sympy

from verify.certify.checker import WORST_CASE, Refused, check
from verify.certify.prover.induction import by_induction
from verify.certify.prover.prove import Hypothesis

T = sympy.Symbol("T", integer=True, nonnegative=True)
t = sympy.Symbol("t", integer=True, nonnegative=True)
q, c, K = sympy.symbols("q c K", positive=True)
x, y = (sympy.IndexedBase(name, nonnegative=True) for name in "xy")
BELOW = Hypothesis("q < 1", 1 - q, True)
LARGE = sympy.Integer(2)

RECURSIONS: dict[str, tuple[Any, ...]] = {
    "telescoping sum": (
        sympy.Sum(y[t], (t, 0, T - 1)),
        x[0] - x[T],
        "<=",
        [Hypothesis("a round", x[t] - x[t + 1] - y[t])],
    ),
    "geometric sum": (
        sympy.Sum(q**t, (t, 0, T - 1)),
        (1 - q**T) / (1 - q),
        "==",
        [BELOW],
    ),
    "contraction with noise": (
        x[T],
        q**T * x[0] + c / (1 - q),
        "<=",
        [BELOW, Hypothesis("a round", q * x[t] + c - x[t + 1])],
    ),
    "falling like 1/(T + 2)": (
        x[T],
        K / (T + LARGE),
        "<=",
        [
            Hypothesis("start", K / 2 - x[0]),
            Hypothesis("K", K - c),
            Hypothesis("a round", (1 - 2 / (t + 2)) * x[t] + c / (t + 2) ** 2 - x[t + 1]),
        ],
    ),
}


def proof_of(name: str) -> Any:
    left, right, relation, given = RECURSIONS[name]
    found = by_induction(left, right, relation, given, T, t)
    assert found is not None
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("name", RECURSIONS)
def test_recursions_are_proved_for_every_number_of_rounds(name: str) -> None:
    document = proof_of(name)
    assert document["proof"]["induction"] == "T"
    check(document)


@pytest.mark.parametrize("name", RECURSIONS)
def test_what_is_false_by_a_millionth_is_not(name: str) -> None:
    left, right, relation, given = RECURSIONS[name]
    slack = sympy.Rational(1, 10**6)
    assert by_induction(left, right - slack, relation, given, T, t) is None
    assert by_induction(left, (1 - slack) * right, relation, given, T, t) is None


def _start(d: Any) -> None:
    d["proof"]["start"] = d["proof"]["step"]


def _step(d: Any) -> None:
    d["proof"]["step"] = d["proof"]["start"]


def _assumed(d: Any) -> None:
    d["given"] = []


def _kind(d: Any) -> None:
    d["symbols"]["T"] = "real"


def _claim(d: Any) -> None:
    d["claim"]["right"] += " - 1"


def _worst_case(d: Any) -> None:
    """What the checker accepts in the other format says nothing about this claim."""
    d["proof"]["step"]["format"] = WORST_CASE


def _taken(d: Any) -> None:
    d["given"][0]["each"] = "T"


def _vectors(d: Any) -> None:
    """One step of the norm of a vector says nothing of the norm after it."""
    d["vectors"] = d["proof"]["step"]["vectors"] = ["x"]


def _other_symbols(d: Any) -> None:
    step = d["proof"]["step"]
    step["symbols"]["x"] = {"real": "positive", "nonnegative": "positive"}[step["symbols"]["x"]]


def _once(d: Any) -> None:
    """A hypothesis on every round in a proof that is no induction."""
    d["proof"] = d["proof"]["start"]["proof"]


FORGERIES: dict[str, tuple[Callable[[Any], None], str]] = {
    "no start": (_start, "the start of the induction assumes .* without leave"),
    "no step": (_step, "the step of the induction proves another claim"),
    "a hypothesis left out": (_assumed, "the step of the induction assumes .* without leave"),
    "rounds that are no whole number": (_kind, "T was not declared to be a number of rounds"),
    "another claim": (_claim, "the start of the induction proves another claim"),
    "a step of another format": (_worst_case, "the step of the induction has another format"),
    "a step about vectors": (_vectors, "an induction is about numbers, not about vectors"),
    "a step about positive numbers": (_other_symbols, "the step of the induction declares other"),
    "no induction": (_once, "a hypothesis on every round serves an induction only"),
    "an index that is taken": (_taken, "is the name of something else"),
}


@pytest.mark.parametrize("fault", FORGERIES)
def test_forged_inductions_are_refused(fault: str) -> None:
    forge, reason = FORGERIES[fault]
    document = proof_of("telescoping sum")
    forge(document)
    with pytest.raises(Refused, match=reason):
        check(document)
