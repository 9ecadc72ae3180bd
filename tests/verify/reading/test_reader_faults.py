"""A fault planted in a step of the readers is seen: an error in tests, one line in a run."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import claim
from verify.catalogue.library import library
from verify.claim import Statement
from verify.claim.functions import functions
from verify.claim.parameters import Family, Real, plain_numbers
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.parts.refusals import ReaderFault
from verify.reading.parts.symbols import written
from verify.world.visited import visited

SHARE = Real(0, 1, per=("N",), domain=(0, 1))
WEIGHT = Real(1 / 8, 8, log=True, per=("N",))
LEVEL = Real(1 / 8, 1, domain=(0, 1))


def numbers(kind: str) -> Statement:
    """Claims on numbers that go through every step: none of them is true."""
    family = Family({"r": SHARE, "v": WEIGHT, "level": LEVEL}, ({"N": 1}, {"N": 2}), plain_numbers)

    def largest(w: Any) -> Any:
        return {"max": xp.largest(w.r) + 0 * w.level}, {"mean": xp.total(w.v * w.r) / 4}

    def conditions(w: Any) -> Any:
        kept = xp.total(xp.indicator(w.r >= w.level[..., None], w.r))
        return {"1": 1 + 0 * w.level}, {"kept": kept + 0 * xp.total(w.v)}

    def parts(w: Any) -> Any:
        return {"1": 1 + 0 * w.level}, {"mean": xp.total(w.v * w.r) / xp.total(w.v)}

    def length(w: Any) -> Any:
        count = w.r.shape[-1]
        rows = xp.total(w.r * xp.eye(count, w.r)[0])  # of which the number must be a plain one
        return {"1": 1 + 0 * w.level}, {"r": rows / count + 0 * xp.total(w.v)}

    sides = {"largest": largest, "conditions": conditions, "parts": parts, "length": length}
    return claim(sides[kind], family)


def of_class(_: str) -> Statement:
    """The fall of a convex loss in a step, which is no more than it was."""
    family = functions("smooth convex", extra={"share": Real(1 / 16, 1, domain=(0, 1))})

    def fall(w: Any, t: int) -> Any:
        return visited(w).excess[:, :, t, 0]

    return claim(
        lambda w: ({"after": fall(w, 1)}, {"before": fall(w, 0)}),
        family,
        defines={"step_size": lambda w: w.share / w.beta},
    )


def of_library(key: str) -> Statement:
    return library().leaf(key)


SIMILAR = "allforall.theorem6b.refined/class"

STEPS: dict[str, tuple[Any, str]] = {
    "clients.reading.symbol_values": (numbers, "largest"),
    "clients.reading.formula": (numbers, "largest"),
    "clients.reading.by_place": (numbers, "largest"),
    "clients.sets.groups_of": (numbers, "largest"),
    "clients.agreement.rational_values": (numbers, "largest"),
    "parts.values.Formulas.at": (numbers, "largest"),
    "clients.groups.with_shares": (numbers, "parts"),
    "clients.groups.with_length": (numbers, "length"),
    "clients.lowering.Lowering.claim": (numbers, "largest"),
    "clients.parameters.domain_facts": (numbers, "largest"),
    "clients.cases.by_terms": (numbers, "conditions"),
    "clients.sets.freed": (numbers, "largest"),
    "clients.sets.attained": (numbers, "largest"),
    "classes.world.expression": (of_class, ""),
    "classes.claims.formula": (of_class, ""),
    "classes.agreement.score": (of_class, ""),
    "classes.claims.permutations": (of_class, ""),
    "classes.given.named": (of_library, SIMILAR),
    "classes.rounds.least_part": (of_library, SIMILAR),
    "classes.factors._is_negative": (of_library, SIMILAR),
    "classes.apart.of_client": (of_library, SIMILAR),
    "classes.means._product": (of_library, SIMILAR),
    "classes.rounds._Rounds._compare": (of_library, SIMILAR),
    "parts.log_parts._positive": (of_library, "adaptive.theorem2/min"),
}
"""A function that a step of the readers calls, and a statement that comes to it."""


def planted(*_: Any, **__: Any) -> Any:
    raise AttributeError("planted")


@pytest.fixture
def fault(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Statement:
    make, which = STEPS[request.param]
    made: Statement = make(which)
    monkeypatch.setattr(f"verify.reading.{request.param}", planted)
    return made


@pytest.mark.parametrize("fault", STEPS, indirect=True)
@pytest.mark.every(6)
def test_a_planted_fault_is_an_error_in_tests(fault: Statement) -> None:
    with pytest.raises(ReaderFault, match=r"reader .*line \d+, failed: AttributeError: planted"):
        list(prove(fault))


@pytest.mark.parametrize("fault", ["parts.values.Formulas.at"], indirect=True)
def test_a_planted_fault_is_one_line_in_a_run_and_no_proof(fault: Statement) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        (found,) = prove(fault)
        assert not recheck(fault, {"certificates": [{"shape": {}}]})
    assert {str(w.message) for w in seen} == {found.summary}
    assert (found.status, found.proof) == ("not-applicable", None)
    assert "reader verify/reading/clients/agreement.py" in found.summary


def test_a_planted_fault_is_seen_where_sides_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.reading.parts.symbols.require_reached", planted)
    with pytest.raises(ReaderFault, match="planted"):
        written(numbers("largest"))


def test_what_a_program_refuses_is_no_fault() -> None:
    one = Family({"x": Real(-4, 4)}, ({},), plain_numbers)
    for asks in (
        lambda w: range(w.x),
        lambda w: float(w.x[0]),
        lambda w: 1 / (0 * w.x)[5],
        lambda w: w.problem,
        lambda w: w.x if w.x > 0 else 0 * w.x,
    ):
        assert not list(
            prove(claim(lambda w, asks=asks: ({"x": asks(w)}, {"4": 4 + 0 * w.x}), one))
        )
