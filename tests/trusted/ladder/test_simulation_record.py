"""What a simulation reports, by hand: sides without randomness have known means and e-values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import assume, claim, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.rungs import simulation as rung_simulation
from verify.ladder.rungs import tuning
from verify.ladder.rungs.simulation import simulate
from verify.verdict.e_values import e_value, e_value_in_favour
from verify.verdict.evidence import Evidence
from verify.verdict.relation import ACCUSE, SUPPORT
from verify.verdict.verdict import verdict
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.sampled import evaluate
from verify.world.world import World

BOX = numbers(x=Real(0, 10))
PLAN = Samples(5, 8)
ABOVE = "only bounds of means and probabilities from above are simulated"
FAILS = Evidence("simulation", "not-applicable", "a hypothesis fails on some sample")


def instance(**params: float) -> Callable[[], Instance]:
    return lambda: Instance("numbers", {}, "by hand", params)


def values(left: Any, right: Any = 1.0, **more: Any) -> Statement:
    """A claim about one mean whose samples are these; left and right may depend on the world."""

    def sides(w: World) -> Any:
        x, y = (v(w) if callable(v) else v for v in (left, right))
        return {"l": np.array([x], dtype=float)}, {"r": np.array([y], dtype=float)}

    more = {"over": "mean", "simulate": (instance(x=1.0),), **more}
    return claim(sides, BOX, **more)


def simulated(statement: Statement, seed: int = 1, replicates: int = 10) -> list[Evidence]:
    return list(simulate(statement, replicates, seed, "cpu", 3))


def keys(seed: int, number: int) -> list[int]:
    state = np.random.SeedSequence([seed, number, 7]).generate_state(2, np.uint64)
    return [int(k) for k in state]


# -- one evaluation --------------------------------------------------------------------------------


def test_means_and_e_values_by_hand() -> None:
    left = [0.0, 1.0, 4.0, 3.0]
    found = evaluate(values(left, 1.5, ceiling=lambda w: np.array([[4, 9]])), instance()(), PLAN)
    x = np.array(left)
    assert found == {
        "left": 2.0,
        "right": 1.5,
        "assumed": 1.0,
        "e_value": pytest.approx(e_value(x, 1.5), rel=1e-8),
        "favour": pytest.approx(e_value_in_favour(x, 1.5, 9.0), rel=1e-8),
    }
    # bets of at most 0.9 on the two samples above and the two below
    assert 1 < found["e_value"] < (1 + 0.9 * 5 / 3) * (1 + 0.9)
    # the lowest ceiling would say something else, and without one nothing speaks in favour
    assert found["favour"] != pytest.approx(e_value_in_favour(x, 1.5, 4.0), rel=1e-8)
    assert evaluate(values(left, 1.5), instance()(), PLAN)["favour"] == 1


def test_stored_means_keep_nine_digits() -> None:
    found = evaluate(values([1 / 3, 2 / 3], 2 / 3), instance()(), PLAN)
    assert (found["left"], found["right"]) == (0.5, 0.666666667)


def test_chances_are_means_of_zero_and_one() -> None:
    made = values([1.0, 3.0, 2.0, 5.0], 2.0, over="prob", delta=lambda w: w.x / 4)
    found = evaluate(made, instance(x=1.0)(), PLAN)
    x = np.array([0.0, 1.0, 0.0, 1.0])
    assert (found["left"], found["right"], found["assumed"]) == (0.5, 0.25, 1)
    assert found["e_value"] == pytest.approx(e_value(x, 0.25), rel=1e-8)
    assert found["favour"] == pytest.approx(e_value_in_favour(x, 0.25, 1.0), rel=1e-8)
    tie = values([1 + 1e-12, 1.0], 1.0, over="prob", delta=lambda w: w.x / 4)
    assert evaluate(tie, instance(x=1.0)(), PLAN)["left"] == 0, "rounding is no breach"


def test_a_right_side_that_varies_is_not_simulated() -> None:
    random = "^the right side is random and has no proved lower bound$"
    for right in ([1.0, 1.5], [1.0, 1.0 + 1e-9]):
        with pytest.raises(NotAvailable, match=random):
            evaluate(values([1.0, 1.0], right), instance()(), PLAN)
    assert evaluate(values([1.0, 1.0], [2.0, 2.0]), instance()(), PLAN)["right"] == 2


@pytest.mark.parametrize(
    "change",
    [
        {"over": "point"},
        {"over": "path"},
        {"relation": ">="},
        {"relation": "=="},
        {"relation": "<~"},
        {"over": "prob", "relation": ">=", "delta": lambda w: w.x},
    ],
)
def test_only_bounds_from_above_are_simulated(change: dict[str, Any]) -> None:
    made = replace(values([1.0]), **change)
    with pytest.raises(NotAvailable, match=f"^{ABOVE}$"):
        evaluate(made, instance(x=1.0)(), PLAN)
    assert simulated(made) == [Evidence("simulation", "not-applicable", ABOVE)]


@pytest.mark.parametrize("over", ["mean", "prob"])
@pytest.mark.parametrize(
    ("margins", "assumed"), [([1.0, 0.0, 2.0], 1), ([1.0, -0.1, 2.0], 0), ([1.0, np.nan, 1.0], 0)]
)
def test_a_hypothesis_must_hold_on_every_sample(
    over: str, margins: list[float], assumed: int
) -> None:
    given = assume({"h": lambda w: np.array([margins])})
    made = values([0.1] * 3, given=given, over=over, delta=lambda w: 0.5 * w.x)
    assert evaluate(made, instance(x=1.0)(), PLAN)["assumed"] == assumed


def test_a_sample_without_a_value_is_no_sample_that_meets_the_hypotheses() -> None:
    assert evaluate(values([0.1, np.nan]), instance()(), PLAN)["assumed"] == 0
    assert simulated(values([0.1, np.nan])) == [FAILS]


# -- what is reported ------------------------------------------------------------------------------


def test_an_accusation_by_hand() -> None:
    found = simulated(values([3e9, 1e9], 2.0))
    e = e_value(np.array([3e9, 1e9]), 2.0)
    stored = float(f"{e:.9g}")
    assert found == [
        Evidence(
            "simulation",
            "undecided",
            f"mean 2e+09 against 2, e-value {e:.3g} on fresh noise",
            witness={
                "number": "simulated",
                "relation": "<=",
                "quantifier": "all",
                "left": 2e9,
                "right": 2.0,
                "e_value": stored,
                "margins": {},
                "replicates": 20,
                "key": keys(1, 0)[1],
                "instance": instance(x=1.0)().to_json(),
            },
            tried=1,
        )
    ]
    assert verdict(found).word == "violated"


def test_a_run_that_certifies_by_hand() -> None:
    left = [0.0, 0.1] * 20
    favour = e_value_in_favour(np.array(left), 0.5, 1.0)
    assert favour > SUPPORT
    (found,) = simulated(values(left, 0.5, ceiling=lambda w: w.x))
    assert found == Evidence(
        "simulation",
        "decided",
        f"mean 0.05 against 0.5 over 10 replicates, certified with e-value {favour:.3g}",
        counted=1,
        tried=1,
        worst=0.1,
        details=found.details,
        scope="numbers, by hand",
    )
    assert found.details == {
        "left": 0.05,
        "right": 0.5,
        "assumed": 1.0,
        "favour": float(f"{favour:.9g}"),
        "e_value": float(f"{e_value(np.array(left), 0.5):.9g}"),
    }


def test_a_run_that_says_nothing_by_hand() -> None:
    (found,) = simulated(values([0.25, 0.75], 1.0))
    assert found == Evidence(
        "simulation",
        "reported",
        "mean 0.5 against 1 over 10 replicates, not counted",
        counted=0,
        tried=1,
        worst=0.5,
        details=found.details,
        scope="numbers, by hand",
    )
    (nothing,) = simulated(values([0.0], 0.0))
    assert (nothing.status, nothing.worst) == ("reported", None), "no ratio of nothing to nothing"


# one sample of x against 1: the best bet gives about a 24th of 0.9 x
@pytest.mark.parametrize(("scale", "accused"), [(1.0, True), (0.99, False)])
def test_the_limit_of_an_accusation_is_that_of_the_verdict(scale: float, accused: bool) -> None:
    low, high = 1e6, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if e_value(np.array([middle]), 1.0) < ACCUSE else (low, middle)
    (found,) = simulated(values([high * scale * (1 + 1e-8 * accused)]))
    assert (found.witness is not None) is accused
    assert (verdict([found]).word == "violated") is accused


def test_the_limit_of_support_is_a_thousand() -> None:
    def favour(left: float) -> float:
        return e_value_in_favour(np.full(20, left), 0.5, 1.0)

    low, high = 0.0, 0.5  # more is certified further down
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if favour(middle) >= SUPPORT else (low, middle)
    just = values([low - 1e-7] * 20, 0.5, ceiling=lambda w: w.x)
    short = values([high + 1e-7] * 20, 0.5, ceiling=lambda w: w.x)
    assert [e.counted for e in simulated(just)] == [1]
    assert [e.counted for e in simulated(short)] == [0]


def test_an_e_value_at_its_limit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    above, below = values([3.0]), values([0.2], 1.0, ceiling=lambda w: 2 * w.x)
    against = evaluate(above, instance()(), PLAN)["e_value"]
    favour = evaluate(below, instance(x=1.0)(), PLAN)["favour"]
    monkeypatch.setattr(rung_simulation, "ACCUSE", against)
    monkeypatch.setattr(rung_simulation, "SUPPORT", favour)
    assert simulated(above)[0].witness is not None
    assert simulated(below)[0].status == "decided"


# -- several instances, and noise of their own -----------------------------------------------------


def plans(statement: Statement, **more: Any) -> tuple[list[Samples], list[Evidence]]:
    """Noise that the sides were given, and what was found."""
    seen: list[Samples] = []
    sides = statement.sides
    assert sides is not None

    def watched(w: World) -> Any:
        seen.append(w._noise)  # type: ignore[arg-type]
        return sides(w)

    return seen, simulated(replace(statement, sides=watched), **more)


def test_every_instance_and_every_confirmation_has_noise_of_its_own() -> None:
    accused = values([1e9], simulate=(instance(x=1.0), instance(x=2.0)))
    seen, found = plans(accused, seed=4, replicates=10)
    assert [e.status for e in found] == ["undecided", "undecided"]
    first, second = keys(4, 0), keys(4, 1)
    assert seen == [
        Samples(first[0], 10, 0, "cpu", 3),
        Samples(first[1], 20, 0, "cpu", 3),
        Samples(second[0], 10, 0, "cpu", 3),
        Samples(second[1], 20, 0, "cpu", 3),
    ]
    assert len({plan.key for plan in seen}) == 4
    assert tuning.CONFIRM == 2
    witnesses = [e.witness for e in found if e.witness is not None]
    assert [w["instance"]["params"]["x"] for w in witnesses] == [1.0, 2.0]
    assert [w["key"] for w in witnesses] == [first[1], second[1]]


def test_an_instance_that_tells_nothing_does_not_end_the_rung() -> None:
    three = (instance(x=1.0), instance(x=2.0), instance(x=3.0))
    failing = values(
        [0.5],
        simulate=three,
        given=assume(
            {"x <= 2, and not 1": lambda w: (w.x - 1) * (3 - w.x)}, strict=["x <= 2, and not 1"]
        ),
    )
    assert [e.status for e in simulated(failing)] == [
        "not-applicable",
        "reported",
        "not-applicable",
    ]
    random = values([1.0, 1.0], lambda w: [1, 1 + float(w.x.item() == 1)], simulate=three[:2])
    assert [e.status for e in simulated(random)] == ["not-applicable", "reported"]
    accused = values(lambda w: [1e9 if w.x.item() == 1 else 0.5], simulate=three[:2])
    assert [e.status for e in simulated(accused)] == ["undecided", "reported"]
    unconfirmed = values(
        lambda w: [1e9 if w.x.item() == 1 else 0.5], simulate=three[:2], given=assume(ON_FIRST)
    )
    assert [e.status for e in simulated(unconfirmed)] == ["not-applicable", "reported"]


# -- planted faults: a failed hypothesis that is overlooked ----------------------------------------

ON_FIRST = {"fresh": lambda w: 1.0 if w._noise.replicates == 10 else np.array([[1.0, -1.0]])}
ON_FRESH = {"first": lambda w: 1.0 if w._noise.replicates == 20 else np.array([[1.0, -1.0]])}


def test_without_a_hypothesis_on_the_first_noise_nobody_is_accused() -> None:
    accused = values([1e9])
    assert [e.witness is not None for e in simulated(accused)] == [True]
    seen, found = plans(replace(accused, given=assume(ON_FRESH)))
    assert found == [FAILS]
    assert [plan.replicates for plan in seen] == [10], "no second look at what is not claimed"
    certified = values([0.0] * 40, 0.5, ceiling=lambda w: w.x, given=assume(ON_FRESH))
    assert simulated(certified) == [FAILS], "nor is anything certified"


def test_without_a_hypothesis_on_the_confirming_noise_nobody_is_accused() -> None:
    seen, found = plans(replace(values([1e9]), given=assume(ON_FIRST)))
    assert found == [FAILS]
    assert verdict(found).word == "inconclusive"
    assert [plan.replicates for plan in seen] == [10, 20]


def test_an_accusation_that_fresh_noise_does_not_bear_out_is_none() -> None:
    # the first noise exceeds by far, the second does not
    def lucky(w: World) -> Any:
        return [1e9 if w._noise.replicates == 10 else 0.5]  # type: ignore[union-attr]

    (found,) = simulated(values(lucky))
    assert found.witness is not None
    assert found.witness["left"] == 0.5
    assert found.witness["e_value"] < ACCUSE
    assert found.summary.startswith("mean 0.5 against 1, e-value")
    assert verdict([found]).word == "inconclusive"
