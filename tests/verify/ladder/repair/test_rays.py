"""Rays from a witness: what grows with one number alone is a law, where exact numbers say so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import SMALL, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.repair import laws
from verify.ladder.repair.rays import rays
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate

BUDGET = replace(SMALL, evaluations=600)
TWO = Real(1 / 8, 8, log=True, per=("N",))


def made(sides: Any, **more: Any) -> Climb:
    statement = claim(sides, numbers({"N": 2}, p=TWO, **more))
    climb = Climb(statement, BUDGET, 0, "cpu")
    assert list(climb.searched())
    assert climb.witness is not None
    return climb


def begun(climb: Climb, p: list[float]) -> list[Any]:
    top = Candidate({"p": np.array(p)}, {"N": 2}, 2.0)
    with np.errstate(all="ignore"):
        return list(rays(climb, [top]))


def test_a_rare_client_is_a_ray() -> None:
    """2 p_0 / p_1 grows as p_1 falls and as p_0 grows, and by no other number."""
    climb = made(lambda w: ({"l": 2 * w.p[..., :1]}, {"r": w.p[..., 1:]}))
    found = {along: values for along, values, _ in begun(climb, [1.0, 1.0])}
    assert [*found] == ["p[0]", "1/p[1]"]
    places, ratios = zip(*found["1/p[1]"], strict=True)
    assert places == tuple(2.0**k for k in range(12))
    assert ratios == tuple(2.0 ** (k + 1) for k in range(12))


@pytest.mark.parametrize(
    "sides",
    [
        lambda w: ({"l": 2 * w.p[..., :1]}, {"r": w.p[..., :1] + 0 * w.p[..., 1:]}),
        lambda w: ({"l": 3 * w.p[..., :1]}, {"r": w.p[..., :1] + w.p[..., 1:]}),
    ],
    ids=["the same everywhere", "levels off"],
)
def test_what_does_not_grow_is_no_ray(sides: Any) -> None:
    assert begun(made(sides), [1.0, 1.0]) == []


def test_what_only_floats_make_grow_is_no_ray() -> None:
    """Negative control: 2/(1 + p - p) is 2 for every p; beyond 2^52 floats lose the 1."""
    climb = made(lambda w: ({"l": 2 + 0 * w.p[..., :1]}, {"r": (1 + w.p)[..., :1] - w.p[..., :1]}))
    assert begun(climb, [2.0**49, 1.0]) == []


def test_a_ray_ends_where_a_hypothesis_does() -> None:
    statement = made(lambda w: ({"l": 2 * w.p[..., :1]}, {"r": w.p[..., 1:]})).statement
    bounded: Statement = replace(
        statement, family=replace(statement.family, box={"p": replace(TWO, domain=(1 / 16, 16))})
    )
    climb = Climb(bounded, BUDGET, 0, "cpu")
    assert list(climb.searched())
    assert begun(climb, [1.0, 1.0]) == []


def test_it_is_a_law_where_no_ladder_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    climb = made(lambda w: ({"l": 2 * w.p[..., :1]}, {"r": w.p[..., 1:]}))
    monkeypatch.setattr(laws, "all_ladders", lambda *_: [])
    with np.errstate(all="ignore"):
        assert laws.laws_of(climb, 200, 8, 10) == ()
        (law,) = laws.laws_of(climb, 200, 8, 10, again=True)
    assert law.along in ("p[0]", "1/p[1]")
    assert law.kind == "power"
    assert law.formula or law.exponent is not None
