"""Runs of All-for-one are read as what they say, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy

from bounds import generic as xp
from bounds import rates
from bounds.numbers.formal_terms import indicator_type
from bounds.numbers.symbolic import client_symbol
from tests.verify.reading.federations.claims import FAMILY, SHORT, SIZES, Side, claim
from verify.claim import Family, Hypothesis, Instance, Real, Shape, Statement
from verify.reading.claim_sets import claim_sets
from verify.reading.federations import agreement, weights
from verify.reading.federations.claims import smoothness
from verify.reading.federations.places import (
    BETA,
    MU,
    STEP,
    gap_at,
    in_squares,
    moved,
    own_at,
    places_of,
    value_at,
)
from verify.reading.federations.reading import settings_of
from verify.reading.federations.rounds import RoundsRead, read_rounds
from verify.reading.federations.sizes import ROUNDS
from verify.reading.federations.sums import ClientSums
from verify.reading.parts.refusals import NotReadable
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.theorem1 import recursion, theorem1
from verify.statements.adaptive.theorem2 import (
    constant_row_repaired,
    decreasing_row_repaired,
    stopped_excess,
)
from verify.statements.adaptive.theorem3 import descents_summed_repaired
from verify.world.world import World


def bound(w: World, rounds: Any = None) -> Any:
    """The constant row of Theorem 2, of this number of rounds."""
    start, variance = q.excess(w, 0), q.mended_variance(w)
    count = w.rounds if rounds is None else rounds
    return rates.theorem2_constant_upper(start, w.step_size, w.mu, w.beta, variance, count)


def rounds_of(made: Statement) -> RoundsRead:
    """What is read of a statement under its first rule."""
    setting, sums = settings_of(made)[0], ClientSums()
    sums.symbol(setting.weighing().psi_sum)
    return read_rounds(setting, sums)


# -- what is read ----------------------------------------------------------------------------------


def test_the_stopped_row_is_read_with_its_condition() -> None:
    found = rounds_of(constant_row_repaired)
    q_, saturation = 1 - MU * STEP, BETA * STEP / (2 * MU * sympy.Symbol("sum1", positive=True))
    assert found.many
    assert found.condition == value_at(0) - sympy.Symbol("precision", positive=True)
    assert found.bound is not None
    assert sympy.expand(found.bound.q - q_) == 0
    assert (found.bound.u, found.bound.v) == (1, 0)
    assert sympy.cancel(found.bound.w - saturation) == 0
    assert (found.bound.a, found.bound.b) == (0, 0)


def test_terms_of_the_run_are_read_at_each_place() -> None:
    found = rounds_of(theorem1)
    inverse = sympy.Symbol("sum0of0", positive=True)
    assert found.condition is None
    assert found.bound is not None
    assert sympy.cancel(found.bound.a - STEP**2 * BETA / (2 * inverse)) == 0
    assert (found.bound.w, found.bound.b) == (0, 0)


def test_a_claim_about_the_last_round_is_one_about_any() -> None:
    found = rounds_of(recursion)
    assert not found.many
    assert found.left == value_at(1)
    assert places_of(found.right) == {0}


def test_decreasing_steps_are_read_for_any_round() -> None:
    found = rounds_of(decreasing_row_repaired)
    factor = sympy.Symbol("factor", positive=True)
    delay = sympy.Symbol("delay", nonnegative=True)
    assert found.sizes is not None
    step, bound_ = found.sizes.step(ROUNDS), found.sizes.bound(ROUNDS)
    assert sympy.cancel(step - factor / (MU * (delay + ROUNDS + 1))) == 0
    assert sympy.cancel(bound_ * (delay + ROUNDS)) == sympy.Symbol("greatest0", real=True)
    assert [h.expr.coeff(value_at(0)) for h in found.sizes.greatest] == [-delay, 0]


def test_an_average_is_read_with_its_condition() -> None:
    found = rounds_of(descents_summed_repaired)
    assert found.average is not None
    assert found.average.one == own_at(0)
    assert found.condition == own_at(0) - sympy.Symbol("level", positive=True)
    assert sympy.cancel(found.average.u - 2 / STEP) == 0
    assert (found.average.w, found.average.r) == (0, 0)


def test_only_squares_may_be_asked_of_gradients() -> None:
    lead, other = sympy.symbols("i0_ i1_", integer=True)
    slope = sympy.IndexedBase("gradient2", real=True)
    assert in_squares(slope[lead] ** 2) == own_at(2)
    assert in_squares((slope[other] - slope[lead]) ** 2) == gap_at(2)[other]
    assert in_squares((slope[lead] - slope[other]) ** -4) == gap_at(2)[other] ** -2
    for e in (slope[lead], slope[other] ** 2, slope[lead] * slope[other], slope[lead] ** 3):
        with pytest.raises(NotReadable):
            in_squares(e)


def test_formulas_move_along_the_run() -> None:
    e = value_at(0) * own_at(1) + gap_at(3)[sympy.Symbol("k")] + MU
    assert places_of(e) == {0, 1, 3}
    assert places_of(moved(e, 2)) == {2, 3, 5}
    assert moved(moved(e, 2), -2) == e


# -- what is not -----------------------------------------------------------------------------------


def strictly_stopped(w: World) -> Any:
    """The condition met where the excess is above epsilon, not at it."""
    value: Any = q.excess(w, w.rounds)
    for t in range(w.rounds):
        here = q.excess(w, t)
        value = value * xp.indicator(here > w.precision, here)
    return {"left": value}


def now_and_then(w: World) -> Any:
    """The condition at the first place alone."""
    here = q.excess(w, 0)
    return {"left": q.excess(w, w.rounds) * xp.indicator(here >= w.precision, here)}


def squared(w: World) -> Any:
    return {"left": q.excess(w, w.rounds) ** 2}


def of_weights(w: World) -> Any:
    """What the run has recorded."""
    return {**bound(w), "weights": xp.total(w.run().weights[..., 0, :])}


def of_shapes(part: Callable[[World], int]) -> Side:
    """A right side with a number of the arrays."""
    return lambda w: {**bound(w), "shape": part(w) * w.precision}


def of_another(w: World) -> Any:
    """The first client's loss beside another one's."""
    others = w.problem.excess(w.run().theta[..., 0, :])[..., -1]
    return {**bound(w), "another": others}


def in_mean(w: World) -> Any:
    return w.mean(q.excess(w, w.rounds - 1)) - w.precision


def of_two_places(w: World) -> Any:
    """Constants of similarity beside those of another trade-off."""
    bias, _ = w.problem.heterogeneity_of(0, 2 + 0 * w.tradeoff)
    return {**bound(w), "another": xp.total(bias)}


LATER = Hypothesis("after the run", "", lambda w: q.excess(w, w.rounds) - w.precision, "here")
MEAN = Hypothesis("in mean", "", in_mean, "here")

UNREAD = {
    "another condition": claim(strictly_stopped, bound),
    "a condition on one place": claim(now_and_then, bound),
    "a square of the end": claim(squared, bound),
    "what the run records": claim(stopped_excess, of_weights),
    "two trade-offs": claim(stopped_excess, of_two_places),
    "another client's loss": claim(stopped_excess, of_another),
    "a factor that stays": claim(stopped_excess, lambda w: bound(w, min(w.rounds, 3))),
    "a far number of rounds": claim(stopped_excess, lambda w: bound(w, min(w.rounds, 7))),
    "another number between those that are looked at": claim(
        stopped_excess, lambda w: bound(w, 1 if 8 < w.rounds < 13 else None)
    ),
    "rounds from the side": claim(stopped_excess, lambda w: {**bound(w), "T": w.rounds * 1}),
    "a hypothesis on the end": claim(stopped_excess, bound, (*SHORT, LATER)),
    "a hypothesis in mean": claim(stopped_excess, bound, (*SHORT, MEAN)),
    "a bound that does not fall with the steps": claim(
        stopped_excess,
        lambda w: {"left": q.excess(w, 0) / 2**w.rounds},
        defines=q.DELAYED_STEPS,
        family=q.runs(SIZES, q.PRECISION, q.FACTOR, q.DELAY),
    ),
    "steps that know the end": claim(
        stopped_excess,
        lambda w: {"left": w.precision / w.rounds},
        defines={"step_sizes": lambda w: q.decreasing_sizes(w, w.rounds)},
        family=q.runs(SIZES, q.PRECISION, q.FACTOR),
    ),
    "an average without its first round": claim(
        lambda w: {"left": q.on_path(w).squared_gradient[..., -1] / w.rounds}, bound
    ),
    "no own gradients": claim(q.end_excess, bound, (q.short_steps, q.at_most_inverse_mu)),
}


def both_places(w: World) -> Any:
    """Excess losses before and after a round."""
    return {"before": q.excess(w, 0)}


ON_PATHS = {
    "two places": claim(both_places, lambda w: {"after": q.excess(w, 1)}, over="path"),
    "no own gradient": claim(both_places, bound, (), over="path"),
}


@pytest.mark.parametrize("name", ON_PATHS)
def test_a_claim_about_more_than_a_place_is_not_read(name: str) -> None:
    assert [one for claims in claim_sets(ON_PATHS[name]) for one in claims.all()] == []


@pytest.mark.parametrize("name", UNREAD)
def test_a_program_of_another_form_is_not_read(name: str) -> None:
    assert [one for claims in claim_sets(UNREAD[name]) for one in claims.all()] == []


MISREAD = {
    "the number of clients": claim(
        stopped_excess, of_shapes(lambda w: w.problem.gradients(w.start).shape[-2])
    ),
    "the dimension": claim(stopped_excess, of_shapes(lambda w: w.run().theta.shape[-1] - 1)),
}


@pytest.mark.every_point
@pytest.mark.parametrize("name", MISREAD)
def test_what_symbols_hide_is_seen_in_exact_runs(name: str) -> None:
    (setting, *_) = settings_of(MISREAD[name])
    assert setting.after(1).left.has(indicator_type())  # it is read
    assert not agreement.agrees(setting, setting.weighing())


def shapes(**more: Any) -> Family:
    """The family with further constants in its shapes."""
    return replace(FAMILY, shapes=tuple({**s, **more} for s in FAMILY.shapes))


def scaled(values: Any, shape: Shape) -> Instance:
    """Instances whose precision is not the one that was drawn."""
    made = FAMILY.build(values, shape)
    return replace(made, params={**made.params, "precision": -made.params["precision"]})


OTHERS = {
    "estimated weights": shapes(weights="estimated", b_alpha=1),
    "weights that stay": shapes(refresh=2),
    "one sample for all": shapes(samples="shared"),
    "another method": shapes(method="local"),
    "a taken name": replace(FAMILY, box={**FAMILY.box, "noise": Real(0, 1)}),
    "changed parameters": replace(FAMILY, build=scaled),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_runs_are_not_read(name: str) -> None:
    made = claim(stopped_excess, bound, family=OTHERS[name])
    assert [one for claims in claim_sets(made) for one in claims.all()] == []


# -- what is taken for known is held to exact runs -------------------------------------------------


@pytest.fixture
def setting() -> Any:
    """The stopped row, which agrees."""
    found = settings_of(claim(stopped_excess, bound))[0]
    found.after(1)
    return found


def test_the_reading_agrees(setting: Any) -> None:
    assert agreement.agrees(setting, setting.weighing())


@pytest.mark.parametrize("name", ["psi_sum", "phi_sum", "square_sum", "drift"])
def test_another_sum_is_noticed(setting: Any, name: str) -> None:
    made = setting.weighing()
    assert not agreement.agrees(setting, replace(made, **{name: 2 * getattr(made, name)}))


def test_other_weights_are_noticed(setting: Any) -> None:
    made = setting.weighing()
    twice = {place: 2 * e for place, e in made.alpha.items()}
    assert not agreement.agrees(setting, replace(made, alpha=twice))


def test_half_of_smoothness_is_noticed(setting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = smoothness(STEP).xreplace({BETA: BETA / 8})
    monkeypatch.setattr(agreement, "smoothness", lambda _: wrong)
    assert not agreement.agrees(setting, setting.weighing())


@pytest.mark.parametrize("name", ["similarity", "Polyak-Lojasiewicz"])
def test_a_stronger_assumption_is_noticed(
    setting: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = weights.known_of_a_place(setting)
    (place, e), *_ = known[name].items()
    k, _ = client_symbol()
    part = gap_at(0)[k] if name == "similarity" else value_at(0)
    known[name] = {place: e.xreplace({part: 8 * part})}
    monkeypatch.setattr(agreement, "known_of_a_place", lambda _: known)
    assert not agreement.agrees(setting, setting.weighing())


def test_more_noise_than_is_stated_is_noticed(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = agreement.ExactRuns._enter_each

    def smaller(self: Any, name: str, value: Any) -> None:
        part = 100 if name == "sigma2" else 1
        original(self, name, np.asarray(value, dtype=object) / part)

    monkeypatch.setattr(agreement.ExactRuns, "_enter_each", smaller)
    assert not agreement.agrees(setting, setting.weighing())
