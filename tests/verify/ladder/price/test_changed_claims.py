"""Claims made of claims, and the small search that they go through."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.cases import SMALL, assume, claim, exactly, found, numbers
from verify.claim.parameters import Real
from verify.ladder.price.changed_claims import turned_round, with_bound, without
from verify.ladder.price.earned import pay
from verify.ladder.price.trials import Trial, ask, starts_of
from verify.ladder.search.small import small_hunt
from verify.world.referee import rescore
from verify.world.score import score

BOX = numbers({"N": 2}, x=Real(0, 8), y=Real(0, 8), z=Real(-1, 1, per=("N",)))
AT = {"x": 3, "y": 1, "z": [1, -1]}


def terms(**more: Any) -> Any:
    return claim(
        lambda w: ({"x": w.x}, {"y": w.y, "2": 2 + 0 * w.x, "z": xp.total(w.z**2)}), BOX, **more
    )


def test_a_smaller_claim_lacks_the_named_terms_of_its_bound() -> None:
    whole = rescore(terms(), exactly(terms(), AT))
    assert (whole.left, whole.right) == (3, 5)
    fewer = rescore(without(terms(), {"2", "z"}), exactly(terms(), AT))
    assert (fewer.left, fewer.right) == (3, 1)
    assert rescore(without(terms(), {"y", "2", "z"}), exactly(terms(), AT)).right == 0


def test_the_larger_side_of_at_least_is_the_left_one() -> None:
    lower = terms(relation=">=")
    assert (terms().bound_side, lower.bound_side) == (1, 0)
    assert rescore(without(lower, {"x", "y"}), exactly(lower, AT)).left == 0
    assert rescore(without(lower, {"y"}), exactly(lower, AT)).right == 5


@pytest.mark.parametrize("relation", ["<=", ">="])
def test_a_bound_in_between_makes_two_claims(relation: str) -> None:
    made = terms(relation=relation)
    below, above = with_bound(made, lambda w: {"B": 4 + 0 * w.x})
    one, two = (rescore(s, exactly(made, AT)) for s in (below, above))
    if relation == "<=":
        assert (one.left, one.right, two.left, two.right) == (3, 4, 4, 5)
    else:
        assert (one.left, one.right, two.left, two.right) == (4, 5, 3, 4)


@pytest.mark.parametrize("strict", [False, True])
def test_a_hypothesis_turned_round_holds_where_it_fails(strict: bool) -> None:
    given = assume(
        {"x at most y": lambda w: w.y - w.x, "z": lambda w: w.z}, ["z"] if strict else []
    )
    made = terms(given=given)
    turned = turned_round(made, given[1])
    assert [item.name for item in turned.given] == ["x at most y", "not: z"]
    places = [[1, 1], [1, 0], [1, -1], [0, 0]]
    values = {"x": np.zeros(4), "y": np.ones(4), "z": np.array(places, dtype=float)}
    before = score(made, BOX.instance(values, {"N": 2})).feasible
    after = score(turned, BOX.instance(values, {"N": 2})).feasible
    assert before.tolist() == ([True, False, False, False] if strict else [True, True, False, True])
    exact = [
        rescore(turned, exactly(made, {"x": 0, "y": 1, "z": place})).assumed for place in places
    ]
    # rounding is on the side of the hypothesis; the referee has none
    assert exact == (~before).tolist()
    assert all(after[~before])


def test_a_number_may_be_a_margin() -> None:
    given = assume({"always": lambda _: 1})
    turned = turned_round(terms(given=given), given[0])
    assert not rescore(turned, exactly(terms(), AT)).assumed


# -- the hunt --------------------------------------------------------------------------------------

CORNER = claim(
    lambda w: ({"x": w.x}, {"x": w.x, "rest": xp.positive_part(w.x * w.y - 63)}),
    numbers(x=Real(0, 8), y=Real(0, 8)),
)
NARROW = claim(
    lambda w: ({"x + bump": w.x + xp.positive_part(w.x + w.y - 15)}, {"x": w.x}),
    numbers(x=Real(0, 8), y=Real(0, 8)),
)


def test_a_hunt_finds_what_is_false_beside_its_starts() -> None:
    pool, _ = found(claim(lambda w: ({"x": w.x + w.y}, {"16": 16 + 0 * w.x}), NARROW.family))
    hit = small_hunt(NARROW, SMALL, 0, starts_of(pool), 200)
    assert hit is not None
    assert hit.values["x"] + hit.values["y"] > 15
    again = ask(NARROW, hit.values, hit.shape)
    assert again is not None
    assert again.violated


def test_a_hunt_is_deterministic_and_finds_nothing_where_nothing_is() -> None:
    first, second = (small_hunt(NARROW, SMALL, 3, [], 400) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.values == second.values
    assert small_hunt(CORNER, SMALL, 0, [], 400) is None


def test_a_hit_that_is_not_confirmed_does_not_count() -> None:
    asked = []

    def never(candidate: Any) -> bool:
        asked.append(candidate)
        return False

    assert small_hunt(NARROW, SMALL, 0, [], 400, never) is None
    assert 1 <= len(asked) <= 8


def test_a_trial_counts_what_it_spends() -> None:
    pool, _ = found(CORNER)
    trial = Trial(pool, SMALL, 0, lambda *_: True)
    assert not trial.falls(CORNER, 100)
    assert trial.spent == 100
    assert trial.falls(without(CORNER, {"x"}), 100)
    assert trial.spent == 100, "an instance that the search has kept breaks it"
    assert trial.climb(CORNER, SMALL.evaluations) is None
    assert trial.climb(CORNER, 50) is True
    assert trial.spent == 150


def test_costs_that_run_out_of_time_leave_a_claim_open() -> None:
    pool, _ = found(CORNER)
    late = replace(SMALL, seconds=-1.0)
    made = list(pay(pool, late, 0, lambda *_: True))
    assert [(item.rung, item.status) for item in made] == [("terms", "stopped")]
    assert "time limit" in made[0].summary
