"""Claims about training in groups: proved for any groups, losses and noise if they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from verify.claim import Hypothesis, Real, Statement, numbers
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.groups.sets import FEDERATION, GROUPS, group_sets
from verify.statements.hcct.convergence import (
    second_repaired,
    summed_repaired,
    theorem2_repaired,
    theorem2_with_drift,
)
from verify.statements.hcct.descent import repaired as lemma1_repaired
from verify.statements.hcct.drift import (
    independence_repaired,
    similarity_repaired,
    variance_repaired,
)
from verify.statements.hcct.limits import to_dissimilarity
from verify.statements.hcct.quantities import training
from verify.statements.hcct.quantities.claims import averaging
from verify.statements.hcct.quantities.symbols import POINTS
from verify.statements.hcct.quantities.training import OWN, SHORT_STEPS, run_of
from verify.world.world import World

REPAIRED = (
    lemma1_repaired,
    theorem2_repaired,
    second_repaired,
    summed_repaired,
    theorem2_with_drift,
    to_dissimilarity,
    independence_repaired,
    variance_repaired,
    similarity_repaired,
)
LOCAL = {"N": 1, "schedule": "0", "local_steps": 2}
TWICE = numbers(training.NOISY, {"N": 2, "schedule": "01"}, {"N": 1, "schedule": "0*2"})
"""The same runs as of the theorem, quicker to look at."""


def decided(claim: Statement) -> Any:
    """The proof of a claim; None where there is none."""
    return next((e.proof for e in prove(claim) if e.status == "decided"), None)


ONE, LESS, HALF, MORE = Fraction(1), Fraction(9, 10), Fraction(2, 5), Fraction(3, 2)


def scaled(claim: Statement, left: Fraction = ONE, **factors: Fraction) -> Statement:
    """The claim with terms of the right side times a factor; blanks are underscores."""
    assert claim.sides is not None
    rule: Callable[[World], Any] = claim.sides
    named = {n.replace("_", " "): f for n, f in factors.items()}

    def sides(w: World) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        one, other = rule(w)
        assert set(named) <= set(other)
        return {n: left * v for n, v in one.items()}, {
            n: named.get(n, 1) * v for n, v in other.items()
        }

    return claim.variant("groups.claim", sides=sides)


def changed(claim: Statement, **fields: Any) -> Statement:
    return claim.variant("groups.claim", **fields)


@pytest.mark.parametrize("claim", REPAIRED, ids=lambda claim: str(claim.key))
@pytest.mark.every(6)
def test_what_holds_is_proved_and_found_again(claim: Statement) -> None:
    proof = decided(claim)
    assert proof is not None
    assert recheck(claim, proof)
    assert recheck(claim, proof, again=True, whole=True)
    label = proof["certificates"][0]["shape"]
    assert label["N"] == "any"
    assert "smooth losses" in label[FEDERATION]


def test_groups_are_said_to_be_fixed_where_that_is_used() -> None:
    fixed, drift = (decided(c)["certificates"] for c in (theorem2_repaired, theorem2_with_drift))
    assert {c["shape"][GROUPS] for c in drift} == {"any"}
    assert {c["shape"][GROUPS] for c in fixed} == {"that never change, members beginning together"}


LIMIT = changed(
    to_dissimilarity, family=numbers(training.NOISY, {"N": 2, "schedule": "01*2", "decreasing": 1})
)
FIXED, SECOND, SUMMED = (
    changed(c, family=TWICE) for c in (theorem2_repaired, second_repaired, summed_repaired)
)
DRIFT = changed(
    theorem2_with_drift, family=numbers(training.NOISY, {"N": 2, "schedule": "0|1 01"}), also=()
)
"""The claims in fewer shapes."""


@pytest.mark.parametrize(
    "claim",
    [
        scaled(lemma1_repaired, alignment=2 * ONE),
        scaled(lemma1_repaired, squared=LESS),
        scaled(lemma1_repaired, noise=LESS),
        scaled(lemma1_repaired, sum_J_before=LESS),
        scaled(FIXED, start=LESS),
        scaled(FIXED, dissimilarity=HALF),
        scaled(FIXED, noise=LESS),
        scaled(FIXED, left=MORE),
        scaled(SECOND, own=MORE),
        scaled(SECOND, group=MORE),
        scaled(SECOND, similarity=HALF),
        scaled(SECOND, squared=LESS),
        scaled(SECOND, noise=LESS),
        scaled(SUMMED, start=LESS),
        scaled(SUMMED, noise=LESS),
        scaled(LIMIT, start=LESS),
        scaled(LIMIT, dissimilarity=HALF),
        scaled(LIMIT, noise=LESS),
        scaled(independence_repaired, sum_of_squares=LESS),
        scaled(variance_repaired, gradients=LESS),
        scaled(variance_repaired, noise=LESS),
        scaled(similarity_repaired, kappa=LESS),
        scaled(independence_repaired, left=MORE),
        scaled(variance_repaired, left=MORE),
        scaled(DRIFT, drift=HALF),
        scaled(DRIFT, dissimilarity=HALF),
        scaled(DRIFT, start=LESS),
        scaled(DRIFT, noise=LESS),
    ],
)
@pytest.mark.every(12)
def test_a_smaller_right_side_is_not_proved(claim: Statement) -> None:
    assert list(group_sets(claim))
    assert decided(claim) is None


@pytest.mark.parametrize(
    "claim",
    [
        scaled(lemma1_repaired, noise=MORE),
        scaled(FIXED, noise=MORE, dissimilarity=2 * ONE),
        scaled(DRIFT, left=HALF, drift=2 * ONE),
        changed(FIXED, given=SHORT_STEPS[1:]),
        scaled(LIMIT, start=MORE, noise=MORE),
        scaled(independence_repaired, sum_of_squares=MORE),
        scaled(variance_repaired, gradients=MORE, noise=MORE),
        scaled(similarity_repaired, kappa=MORE),
    ],
)
def test_a_larger_right_side_is_proved(claim: Statement) -> None:
    assert decided(claim) is not None


def longer(claim: Statement) -> Statement:
    """Steps of twice 1/L at most, which begin at a half where they fall."""
    most = 3 if claim is LIMIT else 2
    margin = lambda w: most - w.step_size * w.curvature  # noqa: E731
    return changed(claim, given=(Hypothesis("longer steps", "", margin, "here"),))


@pytest.mark.parametrize("claim", [FIXED, SUMMED, DRIFT, LIMIT])
@pytest.mark.every(2)
def test_steps_must_be_short(claim: Statement) -> None:
    assert decided(changed(claim, given=SHORT_STEPS[:1])) is None
    assert decided(longer(claim)) is None


APART = numbers({**training.NOISY, "start": POINTS}, {"N": 2, "schedule": "01*2"})
DECREASING = numbers(training.NOISY, {"N": 2, "schedule": "01*2", "decreasing": 1})
TWO_STEPS = numbers(training.NOISY, LOCAL)


@pytest.mark.parametrize("family", [training.CHANGING, APART, DECREASING, TWO_STEPS])
@pytest.mark.parametrize("claim", [theorem2_repaired, second_repaired])
def test_groups_must_stay_together_and_take_the_steps_that_are_said(
    claim: Statement, family: Any
) -> None:
    assert decided(changed(claim, family=family)) is None


def test_other_runs_than_said_are_refused() -> None:
    family = lemma1_repaired.family
    assert not list(group_sets(averaging(changed(lemma1_repaired))))
    more = replace(family, shapes=({"N": 2, "schedule": "01", "local_steps": 2},))
    assert not list(group_sets(changed(lemma1_repaired, family=more)))
    quiet = {n: real for n, real in training.NOISY.items() if n != "share"}
    still = numbers(quiet, {"N": 2, "schedule": "01*2"})
    assert not list(group_sets(changed(theorem2_repaired, family=still)))


class TooNoisy(training.Training):
    """A run with more noise than is said."""

    def _noise(self, w: World) -> Any:
        return [[5 * x / 4 for x in steps] for steps in super()._noise(w)]


class Shifted(training.Training):
    """A run whose noise has another mean than zero."""

    def _noise(self, w: World) -> Any:
        return [[x + w.original("sigma")[..., None] for x in s] for s in super()._noise(w)]


class Steeper(training.Training):
    """A run that takes longer steps than it says."""

    def _trained(self, model: Any, eta: Any, noise: list[Any]) -> Any:
        return 2 * super()._trained(model, eta, noise)


@pytest.mark.parametrize("run", [TooNoisy, Shifted, Steeper])
def test_runs_must_be_what_is_known_of_them(run: Any) -> None:
    fields = {"family": TWICE, "defines": {**OWN, "training": training.Training}}
    assert list(group_sets(changed(theorem2_repaired, **fields)))
    fields["defines"]["training"] = run
    assert not list(group_sets(changed(theorem2_repaired, **fields)))


def test_constants_must_be_what_they_are_called() -> None:
    similar = {**OWN, "kappa2": lambda w: training.kappa2(w) / 4}
    assert not list(group_sets(changed(theorem2_repaired, family=TWICE, defines=similar)))
    smooth = {**lemma1_repaired.defines, "smoothness": lambda w: training.largest_bend(w) / 2}
    assert not list(group_sets(changed(lemma1_repaired, defines=smooth)))


def _added(w: World, more: Any) -> Any:
    assert theorem2_repaired.sides is not None
    left, right = theorem2_repaired.sides(w)
    return left, {**right, "more": more}


@pytest.mark.parametrize(
    "rule",
    [
        lambda w: run_of(w).gradients(0)[..., 0] ** 2,  # one client
        lambda w: w.sigma**2,  # no sum over the clients
        lambda w: (run_of(w).gradients(0) ** 4).sum(-1),
        lambda w: w.mean((run_of(w).gradients(0)).sum(-1)) ** 2,
        lambda w: run_of(w).clients * w.original("optimum")[..., 0] ** 2,
        lambda w: run_of(w).crossed(0)[..., 0, 0] ** 2,
        lambda w: run_of(w).bend.sum(-1),
        lambda w: run_of(w).last * run_of(w).clients * w.sigma**2,  # not a sum over epochs
        lambda w: (run_of(w).losses(run_of(w).last) ** 2).sum(-1),
    ],
)
def test_what_is_no_claim_about_an_epoch_of_a_client_is_refused(
    rule: Callable[[World], Any],
) -> None:
    sides = lambda w: _added(w, rule(w))  # noqa: E731
    assert not list(group_sets(changed(theorem2_repaired, family=TWICE, sides=sides)))


def test_a_program_that_looks_at_how_many_epochs_there_are_is_refused() -> None:
    def sides(w: World) -> Any:
        left, right = _added(w, 0 * w.sigma)
        return left, {**right, "noise": right["noise"] / (2 if run_of(w).last > 1 else 1)}

    assert not list(group_sets(changed(theorem2_repaired, sides=sides)))


def another_logarithm(w: World) -> Any:
    """The logarithm of (T + 3)/2 in place of (T + 2)/2."""
    assert LIMIT.sides is not None
    left, right = LIMIT.sides(w)
    epochs = len(run_of(w).words)
    known = [xp.log((0 * w.curvature + epochs + more) / 2) for more in (2, 3)]
    return left, {**right, "start": right["start"] * known[0] / known[1]}


def by_epochs(w: World) -> Any:
    """The plain average over epochs, whose steps fall."""
    assert LIMIT.sides is not None
    squares = [xp.total(run_of(w).gradients(t) ** 2) for t in range(len(run_of(w).words))]
    return {"average": sum(squares) / len(squares)}, LIMIT.sides(w)[1]


@pytest.mark.parametrize("sides", [another_logarithm, by_epochs])
def test_falling_steps_weigh_the_average_and_make_the_logarithm(
    sides: Callable[[World], Any],
) -> None:
    assert not list(group_sets(changed(LIMIT, sides=sides)))


def test_steps_must_fall_as_the_average_says() -> None:
    family = numbers(training.NOISY, {"N": 2, "schedule": "01*2"})
    assert not list(group_sets(changed(LIMIT, family=family)))
    changing = numbers(training.NOISY, {"N": 2, "schedule": "0|1 01", "decreasing": 1})
    assert not list(group_sets(changed(LIMIT, family=changing)))


class Correlated(training.Training):
    """A run in which all clients have the noise of the first one, as far as theirs is allowed."""

    def _noise(self, w: World) -> Any:
        share = w.original("share")
        return [[(x / share)[..., :1] * share for x in steps] for steps in super()._noise(w)]


class Unlike(training.Training):
    """A run that begins at the clients' own optima."""

    def __init__(self, w: World, averaged: bool = False) -> None:
        super().__init__(w, averaged)
        shift = w.original("optimum")
        self.models = [m + shift for m in self.models]


@pytest.mark.parametrize("run", [TooNoisy, Shifted, Correlated, Unlike])
def test_runs_of_two_clients_must_be_what_is_known_of_them(run: Any) -> None:
    for claim in (independence_repaired, variance_repaired):
        defines = {**claim.defines, "training": run}
        assert not list(group_sets(changed(claim, defines=defines)))


def test_two_clients_must_be_apart_in_some_runs() -> None:
    alone, met = (
        numbers(training.NOISY, *({"N": 2, "schedule": schedule} for schedule in schedules))
        for schedules in (("01*2", "01*3"), ("0|1 01", "0|1*2 01"))
    )
    assert decided(changed(variance_repaired, family=alone)) is None
    proof = decided(changed(variance_repaired, family=met))
    assert proof is not None
    assert recheck(changed(variance_repaired, family=met), proof, again=True)


def test_the_constant_of_a_pair_must_be_one() -> None:
    similar = {**variance_repaired.defines, "kappa2": lambda w: training.kappa2(w) / 4}
    assert not list(group_sets(changed(similarity_repaired, defines=similar)))


def _beside(w: World, more: Any) -> Any:
    assert variance_repaired.sides is not None
    left, right = variance_repaired.sides(w)
    return left, {**right, "more": more}


@pytest.mark.parametrize(
    "rule",
    [
        lambda w: run_of(w).updates[0][..., 0] ** 2,
        lambda w: (run_of(w).updates[0][..., 0] - run_of(w).updates[0][..., 1]) ** 2,
        lambda w: (run_of(w).models[-1][..., 0] - run_of(w).models[-1][..., 1]) ** 2,
        lambda w: (run_of(w).updates[0][..., 0] - run_of(w).updates[0][..., 1]) ** 4,
        lambda w: run_of(w).clients * w.sigma**2,
        lambda w: run_of(w).last ** 2 * w.sigma**2,
        lambda w: run_of(w).gradients(0)[..., 0] ** 2,
        lambda w: w.kappa2[..., 1, 0],
    ],
)
def test_what_is_no_sum_over_epochs_of_two_clients_is_refused(rule: Callable[[World], Any]) -> None:
    sides = lambda w: _beside(w, rule(w))  # noqa: E731
    assert not list(group_sets(changed(variance_repaired, sides=sides)))


ANY_SHARE = {**training.NOISY, "share": Real(0, 1, per=("N",))}
"""Noise of up to sigma where a search looks first, and of any size beyond it."""
NO_CONSTANT = {**training.NOISY, "slack": Real(-1 / 64, 1, unit=(1, -1))}
"""Constants of similarity that are too small for some instances."""


@pytest.mark.every_point
@pytest.mark.parametrize("box", [ANY_SHARE, NO_CONSTANT], ids=["noise", "similarity"])
@pytest.mark.parametrize("claim", [FIXED, DRIFT, LIMIT, variance_repaired])
@pytest.mark.every(8)
def test_assumptions_must_hold_beyond_the_range_that_is_searched_first(
    claim: Statement, box: Mapping[str, Real]
) -> None:
    family = numbers(box, *claim.family.shapes)
    assert not list(group_sets(changed(claim, family=family, also=())))


def epochs_of(w: World) -> int:
    return len(run_of(w).words)


def clients_of(w: World) -> int:
    return int(w.original("N"))


@pytest.mark.every_point
@pytest.mark.parametrize("claim", [FIXED, LIMIT, variance_repaired])
@pytest.mark.parametrize(
    "special",
    [
        lambda w: epochs_of(w) == 7,
        lambda w: epochs_of(w) == 14,
        lambda w: epochs_of(w) >= 20,
        lambda w: epochs_of(w) in {30, 31},
        lambda w: clients_of(w) == 5,
        lambda w: clients_of(w) >= 9,
    ],
)
@pytest.mark.every(12)
def test_other_numbers_of_epochs_and_clients_that_a_program_names_are_read(
    claim: Statement, special: Callable[[World], bool]
) -> None:
    assert claim.sides is not None
    rule: Callable[[World], Any] = claim.sides

    def sides(w: World) -> Any:
        left, right = rule(w)
        return left, {n: v / 2 for n, v in right.items()} if special(w) else right

    assert not list(group_sets(changed(claim, sides=sides)))


@pytest.mark.every_point
@pytest.mark.slow
def test_an_average_over_the_first_epochs_is_none_over_all() -> None:
    def sides(w: World) -> Any:
        squares = [xp.total(run_of(w).gradients(t) ** 2) for t in range(epochs_of(w))][:20]
        return {"average": sum(squares) / len(squares)}, theorem2_repaired.sides(w)[1]  # type: ignore[misc]

    assert not list(group_sets(changed(FIXED, sides=sides)))


@pytest.mark.every_point
@pytest.mark.slow
def test_steps_that_fall_for_twenty_epochs_are_no_falling_steps() -> None:
    def sides(w: World) -> Any:
        eta = [w.step_size / (min(t, 20) + 2) for t in range(epochs_of(w))]
        squares = [xp.total(run_of(w).gradients(t) ** 2) for t in range(epochs_of(w))]
        average = sum(e * s for e, s in zip(eta, squares, strict=True)) / sum(eta)
        return {"average": average}, LIMIT.sides(w)[1]  # type: ignore[misc]

    assert not list(group_sets(changed(LIMIT, sides=sides)))
