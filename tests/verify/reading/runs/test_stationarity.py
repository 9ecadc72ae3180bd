"""Slopes at the server's models: proved for any clients, rounds and sampled sets where true."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from verify.claim import Hypothesis, Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.stationarity.sets import training_sets
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.theorem import explicit, repaired
from verify.statements.fedbc.theorem_gradient import eq76_traced, sum_repaired, sum_repaired77
from verify.terms.vocabulary import quantity
from verify.world.world import World

THEOREMS = (explicit, repaired)
SUMS = (sum_repaired, sum_repaired77, eq76_traced)
ONE, LESS, MORE = Fraction(1), Fraction(9, 10), Fraction(2)


def decided(claim: Statement) -> Any:
    """The proof of a claim; None where there is none."""
    return next((e.proof for e in prove(claim) if e.status == "decided"), None)


def changed(claim: Statement, **fields: Any) -> Statement:
    return claim.variant("stationarity.claim", **fields)


def scaled(claim: Statement, left: Fraction = ONE, **terms: Fraction) -> Statement:
    """The claim with its left side, and single terms of its right side, times a factor."""
    assert claim.sides is not None
    rule: Callable[[World], Any] = claim.sides

    def sides(w: World) -> Any:
        one, other = rule(w)
        right = {n: terms.get(n.replace(" ", "_"), ONE) * v for n, v in other.items()}
        return {n: left * v for n, v in one.items()}, right

    return changed(claim, sides=sides)


@pytest.mark.parametrize("claim", [*THEOREMS, *SUMS], ids=lambda claim: str(claim.key))
@pytest.mark.every(3)
def test_what_holds_is_proved_and_found_again(claim: Statement) -> None:
    proof = decided(claim)
    assert proof is not None
    assert recheck(claim, proof)
    assert recheck(claim, proof, again=True, whole=True)
    label = proof["certificates"][0]["shape"]
    assert (label["N"], label["rounds"]) == ("any", "any")


@pytest.mark.parametrize("claim", THEOREMS, ids=lambda claim: str(claim.key))
@pytest.mark.parametrize("term", ["start", "gamma", "epsilon", "heterogeneity"])
@pytest.mark.every(4)
def test_each_term_is_needed(claim: Statement, term: str) -> None:
    assert decided(scaled(claim, **{term: LESS})) is None


@pytest.mark.parametrize("term", ["start", "epsilon", "heterogeneity"])
def test_each_term_of_a_sum_is_needed(term: str) -> None:
    assert decided(scaled(sum_repaired, **{term: LESS})) is None


@pytest.mark.parametrize("term", ["fall", "consensus", "epsilon"])
def test_each_term_of_the_traced_sum_is_needed(term: str) -> None:
    assert decided(scaled(eq76_traced, **{term: LESS})) is None


def test_the_fall_is_that_of_the_whole_run() -> None:
    rule: Any = sum_repaired.sides

    def sides(w: World) -> Any:
        left, right = rule(w)
        runs = q.rounds_of(w)
        first = sum(q.fall(w) for _ in runs) / len(runs)
        return left, {**right, "start": right["start"] * first / q.total_fall(w)}

    assert decided(changed(sum_repaired, sides=sides)) is None


@pytest.mark.parametrize("claim", THEOREMS, ids=lambda claim: str(claim.key))
def test_the_dual_step_is_needed(claim: Statement) -> None:
    assert decided(scaled(claim, dual_step=Fraction(1, 32))) is None


@pytest.mark.parametrize("claim", THEOREMS, ids=lambda claim: str(claim.key))
def test_a_larger_left_side_is_not_proved(claim: Statement) -> None:
    assert decided(scaled(claim, MORE)) is None


@pytest.mark.parametrize("claim", THEOREMS, ids=lambda claim: str(claim.key))
@pytest.mark.every(2)
def test_a_larger_right_side_is_proved(claim: Statement) -> None:
    assert decided(scaled(claim, epsilon=MORE, dual_step=MORE, heterogeneity=MORE)) is not None


above_half = Hypothesis("2 lambda_min > L", "", lambda w: 2 * w.lambda_min - w.beta, strict=True)


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        (explicit, [q.OWN[0], q.common_start]),
        (explicit, [q.OWN[1], q.common_start]),
        (repaired, [q.ABOVE[0], q.common_start]),
        (repaired, [q.ABOVE[1], q.common_start]),
        (repaired, [q.ABOVE[0], above_half, q.common_start]),
        (sum_repaired, [q.ABOVE[0], q.common_start]),
        (sum_repaired, [q.ABOVE[1], q.common_start]),
        (eq76_traced, [q.OWN[0], q.common_start]),
        (eq76_traced, [q.OWN[1], q.common_start]),
    ],
)
@pytest.mark.every(3)
def test_each_hypothesis_is_needed(claim: Statement, given: Any) -> None:
    assert decided(changed(claim, given=given)) is None


def test_clients_that_begin_elsewhere_are_refused() -> None:
    family = q.runs(q.size(2, 2, rounds=2, **q.STEPPED), domain="own")
    assert not list(training_sets(changed(explicit, family=family, given=[*q.OWN])))


TRUE = {n: getattr(q, n) for n in ("solved_dissimilarity", "steepest", "hull_best_loss")}


@quantity
def halved(w: World) -> Any:
    """Half of the least number that bounds how unlike gradients are."""
    return TRUE["solved_dissimilarity"](w) / 2 + _zero(w)


@quantity
def steep(w: World) -> Any:
    """Half of the least number that bounds all slopes."""
    return TRUE["steepest"](w) / 2 + _zero(w)


@quantity
def best(w: World) -> Any:
    """A number above the least loss."""
    return TRUE["hull_best_loss"](w) + TRUE["steepest"](w) ** 2 / w.beta + _zero(w)


@quantity
def doubled(w: World) -> Any:
    """Twice the least number that bounds how unlike gradients are."""
    return 2 * TRUE["solved_dissimilarity"](w) + _zero(w)


def _zero(w: World) -> Any:
    """Zero, of something without a form in symbols."""
    problem: Any = w.problem
    return 0 * problem.kinks[..., 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "number", "read"),
    [
        ("solved_dissimilarity", halved, False),
        ("steepest", steep, False),
        ("hull_best_loss", best, False),
        ("solved_dissimilarity", doubled, True),
    ],
)
def test_a_number_must_bound_what_it_is_taken_for(
    monkeypatch: pytest.MonkeyPatch, name: str, number: Any, read: bool
) -> None:
    monkeypatch.setattr(q, name, number)
    assert (decided(changed(explicit)) is not None) is read
