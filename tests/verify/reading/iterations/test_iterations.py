"""Programs about one iteration with local steps are read as what they say, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy

from bounds import generic as xp
from bounds.numbers.symbolic import Symbolic
from verify.claim import Statement
from verify.reading.iterations import agreement, claims, reading, rounds
from verify.reading.iterations.counts import CountedSteps
from verify.reading.iterations.draws import AtIteration, averaged
from verify.reading.iterations.names import (
    AWAY,
    BETA,
    GAP,
    MORE,
    MU,
    NOISE,
    OFF,
    OWN,
    SLOPE,
    STEP,
    TIME,
)
from verify.reading.iterations.reading import settings_of
from verify.reading.iterations.sets import iteration_sets
from verify.reading.parts.refusals import NotReadable
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.corollary import repaired as corollary
from verify.statements.aggregation.error_free import repaired as error_free
from verify.statements.aggregation.proof_recursion import a2
from verify.statements.aggregation.theorem import lemma2_refined, refined, refined_right
from verify.world.world import World

E = sympy.Symbol("E", positive=True)


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few numbers of local steps: what holds of all that are read is tested by itself."""
    monkeypatch.setattr(reading, "READ", {1: 2, 2: 4, 3: 6})


def with_right(right: Callable[[World], Any], base: Statement = refined, **more: Any) -> Statement:
    """The statement with another right side."""
    kept = base.sides
    assert kept is not None
    return replace(base, sides=lambda w: (kept(w)[0], right(w)), **more)


# -- numbers that count ----------------------------------------------------------------------------


def test_a_count_is_a_whole_number_among_whole_numbers() -> None:
    steps = CountedSteps(3, E)
    assert list(range(0, 7, steps)) == [0, 3, 6]
    assert type(7 // steps) is int
    assert 7 % steps == 1
    assert [10, 20, 30, 40][steps] == 40
    assert [10, 20, 30, 40, 50][steps + 1] == 50


def test_a_count_is_its_formula_among_symbols() -> None:
    steps = CountedSteps(3, E)
    row = np.array([Symbolic(sympy.Symbol("x"))], dtype=object)
    for made in (row * (steps - 1) ** 2, (steps - 1) ** 2 * row):
        assert str(made[0]) == "x*(E - 1)**2"
    assert str((row / steps)[0]) == "x/E"
    assert (2 * steps - steps).formula == E


@pytest.mark.parametrize(
    "ask",
    [
        lambda n: n > 3,
        lambda n: n == 4,
        lambda n: n < 9,
        lambda n: n >= 7,
        lambda n: n % 7,
        lambda n: n // 4,
        bool,
    ],
)
def test_a_count_is_compared_with_nothing_above_it(ask: Callable[[Any], Any]) -> None:
    with pytest.raises(NotReadable):
        ask(CountedSteps(2, E))


def test_a_count_is_compared_with_what_it_counts() -> None:
    assert all(t < CountedSteps(3, E) for t in range(3))


# -- what is read ----------------------------------------------------------------------------------


@pytest.mark.every_point
def test_an_iteration_is_read_in_the_mean() -> None:
    (setting,) = settings_of(refined)
    read = setting.read
    low, high, square = (setting.signs[n] for n in ("low", "high", "G2"))
    after = (AWAY - STEP * SLOPE) ** 2 + STEP**2 * NOISE**2
    assert sympy.expand(read.left - after) == 0
    right = (
        (1 - STEP * MU * (1 + low)) * AWAY**2
        + STEP**2 * square * (1 + 4 * STEP * BETA * MORE**2)
        + 2 * STEP * GAP * (high - low)
    )
    assert sympy.expand(read.right - right) == 0


@pytest.mark.every_point
def test_definitions_and_hypotheses_are_read_as_what_they_bound() -> None:
    (setting,) = settings_of(lemma2_refined)
    spread = claims.spread_of(setting.read)
    assert spread is not None
    assert (spread.factor, spread.square) == (2, setting.signs["G2"])
    assert setting.read.left == OFF**2


@pytest.mark.every_point
def test_what_is_known_where_rounds_begin_is_not_known_within() -> None:
    (setting,) = settings_of(error_free)
    assert setting.alike
    assert not any("shared_here" in str(e) for e in setting.read.defined)
    assert any("shared_first" in str(e) for e in setting.read.begun[""])


def test_steps_with_a_formula_are_read_in_the_time() -> None:
    runs, resting = settings_of(corollary)
    assert runs.step is not None
    assert sympy.cancel(runs.step - 1 / (MU * TIME + 4 * BETA)) == 0
    assert not runs.others
    assert list(resting.others) == ["horizon"]


def test_free_steps_have_no_formula() -> None:
    assert settings_of(refined)[0].step is None


# -- what is refused -------------------------------------------------------------------------------


def first_step(w: World) -> Any:
    """The refined bound with the first step of the run for that of the iteration."""
    eta = w.step_sizes[..., 0]
    return {"right": q.distance(w, w.at) + eta**2 * w.G2}


def asks_for_many(w: World) -> Any:
    """Another bound from four local steps on."""
    return {"right": (1 if w.local_steps > 3 else 2) * w.G2}


def of_the_rule(w: World) -> Any:
    """Another bound for one rule."""
    return {"right": (1 if w.rule == "fedmax" else 2) * w.G2}


def of_an_outcome(w: World) -> Any:
    """Squares of what is no mean."""
    return {"right": q.distance(w, w.at) ** 2}


def of_another_time(w: World) -> Any:
    """The distance before the run."""
    return {"right": q.distance(w, 0)}


def of_one_client(w: World) -> Any:
    """A single client's model."""
    return {"right": xp.squared_norm(w.run().models[..., w.at, 0, :] - q.best(w))}


def of_the_origin(w: World) -> Any:
    """A point by itself."""
    return {"right": xp.squared_norm(q.point(w, w.at))}


def elsewhere(w: World) -> Any:
    """Losses at twice the minimiser."""
    return {"right": q.gap_at(w, 2 * q.best(w))}


def of_unlike_weights(w: World) -> Any:
    """A sum under no weights."""
    return {"right": xp.total(q.excess_at(w, q.point(w, w.at)))}


def asks_for_the_pace(w: World) -> Any:
    """Whether there is a parameter that only decides on the run."""
    return {"right": (1 if w.given("pace") else 2) * w.G2}


@pytest.mark.parametrize(
    "right",
    [
        first_step,
        asks_for_many,
        of_the_rule,
        of_an_outcome,
        of_another_time,
        of_one_client,
        of_the_origin,
        elsewhere,
        of_unlike_weights,
        asks_for_the_pace,
    ],
)
def test_what_is_no_mean_at_an_iteration_is_refused(right: Callable[[World], Any]) -> None:
    made = with_right(right)
    with pytest.raises(NotReadable):
        assert settings_of(made)[0].read
    assert not list(iteration_sets(made))


def test_models_that_are_no_averages_under_the_weights_tell_nothing_of_one_iteration() -> None:
    assert not list(iteration_sets(replace(refined, family=q.STEPS2)))


def test_weights_that_see_the_end_of_a_round_are_refused() -> None:
    end = next(one for one in a2 if one.key.endswith("@end"))
    with pytest.raises(NotReadable, match="settings"):
        settings_of(end)


def test_claims_in_probability_are_refused() -> None:
    with pytest.raises(NotReadable, match="means"):
        settings_of(replace(refined, over="prob", delta=lambda w: 0.5 + 0 * w.mu))


def test_what_is_said_of_every_outcome_has_no_other_iteration_in_it() -> None:
    read = settings_of(replace(refined, over="path"))[0].read
    assert read.path
    assert not read.earlier
    assert not read.begun
    assert read.left.has(AWAY * NOISE)


def test_a_whole_quotient_has_a_name_where_both_counts_say_so() -> None:
    rounds, steps = CountedSteps(7, 2 * E, TIME), CountedSteps(3, E, TIME)
    assert (rounds // steps, (rounds // steps).formula) == (2, TIME)
    assert type(CountedSteps(7, 2 * E) // steps) is int
    assert type(rounds % steps) is int


def test_steps_that_may_be_negative_are_refused() -> None:
    defines = {**refined.defines, "step_sizes": lambda w: w.pace - 1}
    with pytest.raises(NotReadable, match="positive"):
        assert settings_of(replace(refined, defines=defines))[0].read


@pytest.mark.parametrize("product", [OWN * AWAY, AWAY, OWN**2, AWAY**2 * OFF**2, OWN * OFF**2])
def test_a_mean_is_linear_in_numbers_and_inner_products(product: Any) -> None:
    with pytest.raises(NotReadable):
        averaged(product)


def test_noise_has_mean_zero_given_what_was_before() -> None:
    assert averaged(AWAY * NOISE + SLOPE * NOISE + NOISE**2) == NOISE**2


def test_formulas_are_about_one_time() -> None:
    with pytest.raises(NotReadable):
        AtIteration(2, 2).mean(sympy.Symbol("step1", positive=True))


# -- what runs give --------------------------------------------------------------------------------


def test_what_is_read_is_what_runs_give() -> None:
    assert all(agreement.agrees(one) for one in settings_of(refined))


@pytest.mark.parametrize("share", [0.5, 2])
def test_another_formula_is_noticed(share: float) -> None:
    (setting,) = settings_of(refined)
    read = setting.read
    setting.__dict__["read"] = replace(read, right=read.right + (share - 1) * STEP**2)
    assert not agreement.agrees(setting)


@pytest.mark.parametrize(
    "name", ["smoothness at w_t", "strong convexity at w*", "smoothness below", "smoothness of F"]
)
def test_an_assumption_that_says_too_much_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = claims.assumed()
    half = {BETA: BETA / 16, MU: 16 * MU}
    monkeypatch.setattr(agreement, "assumed", lambda: {**facts, name: facts[name].xreplace(half)})
    assert not agreement.agrees(settings_of(refined)[0])


@pytest.mark.parametrize("name", [*rounds.first_facts()])
def test_so_is_one_of_the_first_model(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = rounds.first_facts()
    half = {BETA: BETA / 16, MU: 16 * MU}
    said = {**facts, name: facts[name].xreplace(half)}
    monkeypatch.setattr(agreement, "first_facts", lambda: said)
    assert not agreement.agrees(settings_of(error_free)[0])


def test_a_bound_on_each_outcome_is_no_number() -> None:
    def of_each(w: World) -> Any:
        found = q.second_moments(w)
        return xp.largest(found.reshape(*found.shape[:2], -1))

    (setting,) = settings_of(replace(refined, defines={**refined.defines, "G2": of_each}))
    assert setting.read
    assert not agreement.agrees(setting)


def test_a_hypothesis_on_the_largest_outcome_is_no_mean_of_it() -> None:
    margin = replace(q.halving, name="near", rule=lambda w: w.G2 - q.worst(q.distance(w, w.at)))
    (setting,) = settings_of(replace(refined, given=(*refined.given, margin)))
    assert "near" in setting.read.given
    assert not agreement.agrees(setting)


def test_the_bound_is_read_from_the_program() -> None:
    def bound(w: World) -> Any:
        return refined_right(w, 3 * q.distance(w, w.at))

    one, other = (settings_of(s)[0].read.right for s in (refined, with_right(bound)))
    low = settings_of(refined)[0].signs["low"]
    assert sympy.expand(other - one - 2 * (1 - STEP * MU * (1 + low)) * AWAY**2) == 0


# -- sizes that a program names --------------------------------------------------------------------


def worst_of_first(w: World) -> Any:
    """The largest second moment of the first twenty iterations."""
    return q.worst(q.second_moments(w)[..., :20, :])


@pytest.mark.every_point
@pytest.mark.parametrize(
    "special",
    [
        lambda w: int(w.local_steps) >= 20,
        lambda w: w.local_steps in {20: 1},
        lambda w: int(w.at) >= 20,
        lambda w: w.step_sizes.shape[-1] >= 20,
        lambda w: w.client_weights.shape[-1] == 8,
    ],
)
@pytest.mark.every(3)
def test_other_sizes_that_a_program_names_are_read(special: Callable[[World], bool]) -> None:
    def right(w: World) -> Any:
        return {"right": (1 if special(w) else 2) * w.G2}

    with pytest.raises(NotReadable):
        assert settings_of(with_right(right))[0].read


@pytest.mark.every_point
def test_what_is_known_of_the_first_iterations_is_not_known_of_all() -> None:
    defines = {**lemma2_refined.defines, "G2": worst_of_first}
    (setting,) = settings_of(replace(lemma2_refined, defines=defines))
    assert claims.spread_of(setting.read) is None


# -- means that are kept ---------------------------------------------------------------------------


@pytest.mark.parametrize("place", [AtIteration(1, 2), AtIteration(1, 2, path=True)])
@pytest.mark.parametrize("e", [OFF**2 + BETA * SLOPE * NOISE, OWN * MU - STEP * OFF * SLOPE])
def test_a_kept_mean_is_that_of_the_formula(place: AtIteration, e: Any) -> None:
    wanted = averaged(place.lowered(e), place.path)
    assert [place.mean(e), place.mean(e)] == [wanted] * 2
    assert place.expanded_mean(e) == sympy.expand(wanted)


def test_what_has_no_mean_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(NotReadable, match="a formula about another time"):
            AtIteration(1, 2).mean(sympy.Symbol("point7", real=True) ** 2)
    assert AtIteration(1, 2).mean(SLOPE * NOISE) == 0
    assert AtIteration(1, 2, path=True).mean(SLOPE * NOISE) == SLOPE * NOISE
