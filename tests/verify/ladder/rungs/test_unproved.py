"""Why a claim has no proof, by what the claim is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import claim
from verify.claim.parameters import Family, Real, plain_numbers
from verify.claim.statement import Statement
from verify.ladder.rungs import unproved
from verify.ladder.rungs.unproved import LATE, READ, why_unproved
from verify.world.world import World

SHARE = Real(0, 1, per=("N",), domain=(0, 1))
CLIENTS = Family({"r": SHARE}, ({"N": 1}, {"N": 2}), plain_numbers)
AXES = Family(
    {"r": SHARE, "u": Real(0, 1, per=("T",))}, ({"N": 1, "T": 2}, {"N": 2, "T": 1}), plain_numbers
)
ONE = Family({"x": Real(-4, 4)}, ({},), plain_numbers)


def _sum(w: World) -> Any:
    return {"r": xp.total(w.r)}, {"1": 1 + 0 * xp.total(w.r)}


def _branch(w: World) -> Any:
    return {"x": w.x if w.x > 0 else 0 * w.x}, {"4": 4 + 0 * w.x}


MADE: dict[str, tuple[Callable[[], Statement], str]] = {
    "means": (lambda: claim(_sum, CLIENTS, over="mean"), "it is about means over the noise"),
    "outcomes": (lambda: claim(_sum, CLIENTS, over="path"), "it is about every outcome of the"),
    "exists": (lambda: claim(_sum, CLIENTS, quantifier="some"), "it says that an instance exists"),
    "constant": (lambda: claim(_sum, CLIENTS, relation="<~"), "it leaves a constant open"),
    "read": (lambda: claim(_sum, CLIENTS), READ),
    "axes": (lambda: claim(_sum, AXES), "its parameters run over several axes"),
    "branch": (lambda: claim(_branch, ONE), "it branches on the value of a parameter"),
}


@pytest.mark.parametrize("name", MADE)
def test_the_reason_is_what_the_claim_is(name: str) -> None:
    made, why = MADE[name]
    assert why_unproved(made()).startswith(why)


def test_a_formula_that_takes_too_long_to_read_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def for_ever(statement: Statement) -> list[Any]:
        while statement:
            pass
        return []

    monkeypatch.setattr(unproved, "claim_sets", for_ever)
    assert why_unproved(claim(_sum, CLIENTS), seconds=0.2) == LATE
