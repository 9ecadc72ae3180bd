"""A witness looks like the setting of a theorem wherever the claim falls there too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.cases import claim, numbers
from verify.catalogue.library import library
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.shrink import shrink, simplest
from verify.world.noise_plan import AllOutcomes
from verify.world.world import World

TWO = {"N": 2}
STARTS = numbers(TWO, start=Real(0, 8, unit=(0, 1), per=("N",)))
STEP = numbers(eta=Real(0, 2, unit=(-1, 2)))
BIAS = numbers(TWO, bias=Real(0, 8, unit=(1, -1), per=("N",)))
RATIO = numbers(TWO, ratio=Real(0, 1, per=("N",)))
RUNS = library().leaf("adaptive.lemma2/cluster@plain-b+mean-excess+after-step").family


def false_where(rule: Callable[[World], Any], family: Family) -> Statement:
    """A claim that falls where the rule says so, by a factor of two."""
    return claim(lambda w: ({"2": 2}, {"": xp.where(rule(w), 1, 4)}), family)


def noisy(w: World) -> Any:
    return xp.total(w.problem.noise_variance) > 1e-7


def first(name: str) -> Callable[[World], Any]:
    return lambda w: w.symbol(name)[..., 0]


SUM = {name: (lambda w, name=name: xp.total(w.symbol(name))) for name in ("start", "bias")}

CASES: dict[str, tuple[Statement, dict[str, Any], Callable[[Any], bool]]] = {
    "one point": (
        false_where(lambda w: SUM["start"](w) >= 2, STARTS),
        {"start": [3, 5]},
        lambda v: bool(v["start"][0] == v["start"][1]),
    ),
    "a step": (false_where(lambda w: w.eta >= 0, STEP), {"eta": 0}, lambda v: bool(v["eta"] > 0)),
    "a step found": (
        false_where(lambda w: w.eta >= 0, STEP),
        {"eta": 0.37},
        lambda v: bool(v["eta"] > 0),
    ),
    "no bias of its own": (
        false_where(lambda w: SUM["bias"](w) >= 3, BIAS),
        {"bias": [2, 4]},
        lambda v: bool(v["bias"][0] == 0),
    ),
    "like itself": (
        false_where(lambda w: first("ratio")(w) >= 0, RATIO),
        {"ratio": [0.3, 0.7]},
        lambda v: bool(v["ratio"][0] == 1),
    ),
    "noise": (
        false_where(lambda w: xp.total(w.problem.noise_variance) >= 0, RUNS),
        {"noise_share": 0},
        lambda v: bool((v["noise_share"] > 0).any()),
    ),
}
"""A claim that falls in natural settings too, an instance, and what its witness looks like."""

ONLY: dict[str, tuple[Statement, dict[str, Any]]] = {
    "one point": (
        false_where(lambda w: abs(w.start[..., 0] - w.start[..., 1]) >= 1, STARTS),
        {"start": [3, 5]},
    ),
    "a step": (false_where(lambda w: w.eta <= 1 / 100, STEP), {"eta": 0}),
    "no bias of its own": (
        false_where(lambda w: first("bias")(w) >= 1, BIAS),
        {"bias": [2, 4]},
    ),
    "like itself": (
        false_where(lambda w: first("ratio")(w) <= 1 / 2, RATIO),
        {"ratio": [0.3, 0.7]},
    ),
    "noise": (
        false_where(lambda w: xp.where(noisy(w), 0, 1) > 0, RUNS),
        {"noise_share": 0},
    ),
}
"""A claim that falls in the unnatural setting alone."""


def shrunk(statement: Statement, values: dict[str, Any]) -> dict[str, Any]:
    family = statement.family
    shape = family.shapes[0]
    start = family.decode(np.full((1, family.width(shape)), 0.4), shape)
    for name, value in values.items():
        start[name] = np.broadcast_to(np.asarray(value, dtype=float), start[name].shape).copy()
    candidate = Candidate({k: v[0] for k, v in start.items()}, shape, 2.0)
    return shrink(Pool(statement, AllOutcomes()), candidate)


@pytest.mark.parametrize("name", CASES)
def test_what_looks_made_up_is_taken_out(name: str) -> None:
    statement, values, natural = CASES[name]
    assert natural(shrunk(statement, values))


@pytest.mark.parametrize("name", CASES)
def test_without_the_preference_it_stays_or_comes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement, values, natural = CASES[name]
    monkeypatch.setattr(
        simplest, "oddities", lambda values, *_: np.zeros(len(next(iter(values.values()))), int)
    )
    assert not natural(shrunk(statement, values))


@pytest.mark.parametrize("name", ONLY)
def test_it_is_kept_where_the_claim_falls_by_it_alone(name: str) -> None:
    statement, values = ONLY[name]
    made = shrunk(statement, values)
    assert not CASES[name][2](made)
    pool, shape = Pool(statement, AllOutcomes()), statement.family.shapes[0]
    batch = {k: np.asarray(v, dtype=float)[None] for k, v in made.items()}
    assert pool.scored(batch, shape).ratio[0] == 2
