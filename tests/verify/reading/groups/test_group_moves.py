"""Claims about the last epoch of training in groups that rest on smoothness alone, and on moves."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from verify.claim import Statement, numbers
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.groups.sets import group_sets
from verify.statements.hcct.convergence import summed_now
from verify.statements.hcct.descent import smooth, squared_move
from verify.statements.hcct.drift import smooth_now, unrolled
from verify.statements.hcct.quantities import training
from verify.statements.hcct.quantities.claims import averaging
from verify.statements.hcct.quantities.symbols import POINTS
from verify.statements.hcct.quantities.training import run_of
from verify.world.world import World

PROVED = (
    smooth,
    averaging(smooth),
    squared_move,
    smooth_now,
    averaging(smooth_now),
    unrolled,
    summed_now,
)
LESS, MORE = Fraction(9, 10), Fraction(11, 10)


def decided(claim: Statement) -> Any:
    """The proof of a claim; None where there is none."""
    return next((e.proof for e in prove(claim) if e.status == "decided"), None)


def changed(claim: Statement, **fields: Any) -> Statement:
    return claim.variant("groups.claim", **fields)


def scaled(claim: Statement, name: str, factor: Fraction) -> Statement:
    """The claim with a term of the right side times a factor."""
    assert claim.sides is not None
    rule: Callable[[World], Any] = claim.sides

    def sides(w: World) -> Any:
        one, other = rule(w)
        return one, {**other, name: factor * other[name]}

    return changed(claim, sides=sides)


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: str(claim.key))
@pytest.mark.every(4)
def test_what_holds_is_proved_and_found_again(claim: Statement) -> None:
    proof = decided(claim)
    assert proof is not None
    assert recheck(claim, proof)
    assert recheck(claim, proof, again=True, whole=True)
    assert {c["shape"]["N"] for c in proof["certificates"]} == {"any"}
    assert {c["shape"]["groups"] for c in proof["certificates"]} == {"any"}


@pytest.mark.parametrize(
    ("claim", "term", "factor"),
    [
        (smooth, "J before", LESS),
        (smooth, "slope", LESS),
        (smooth, "square", LESS),
        (averaging(smooth), "square", LESS),
        (squared_move, "eta^2 |sum a g|^2", LESS),
        (squared_move, "eta^2 |sum a g|^2", MORE),
        (smooth_now, "L^2 |w_i - w_j|^2", LESS),
        (unrolled, "of the sums", LESS),
        (unrolled, "of the sums", Fraction(4)),
        (summed_now, "moved", LESS),
        (summed_now, "similarity", LESS),
        (summed_now, "noise", LESS),
        (summed_now, "squared", LESS),
        (summed_now, "own", MORE),
        (summed_now, "group", MORE),
        (summed_now, "J before", LESS),
    ],
)
@pytest.mark.every(4)
def test_another_right_side_is_not_proved(claim: Statement, term: str, factor: Fraction) -> None:
    assert decided(scaled(claim, term, factor)) is None


@pytest.mark.parametrize(
    ("claim", "term"),
    [(smooth, "square"), (smooth_now, "L^2 |w_i - w_j|^2"), (summed_now, "moved")],
)
def test_a_larger_right_side_is_proved(claim: Statement, term: str) -> None:
    assert decided(scaled(claim, term, MORE)) is not None


def test_moves_that_begin_with_an_average_are_no_steps() -> None:
    assert not list(group_sets(averaging(unrolled)))
    assert decided(averaging(squared_move)) is None


APART = numbers(
    {**training.NOISY, "start": POINTS},
    {"N": 2, "schedule": "0|1 01"},
    {"N": 2, "schedule": "0|1*2 01"},
)


def test_clients_must_begin_at_one_model() -> None:
    assert not list(group_sets(changed(unrolled, family=APART)))
    assert decided(changed(smooth_now, family=APART)) is not None


def test_constants_must_be_what_they_are_called() -> None:
    flat = {**smooth.defines, "smoothness": lambda w: training.largest_bend(w) / 2}
    assert not list(group_sets(changed(smooth, defines=flat)))


def _beside(claim: Statement, rule: Callable[[World], Any]) -> Statement:
    assert claim.sides is not None
    known: Callable[[World], Any] = claim.sides
    return changed(claim, sides=lambda w: (known(w)[0], {**known(w)[1], "more": rule(w)}))


@pytest.mark.parametrize(
    "rule",
    [
        lambda w: run_of(w).models[-1][..., 0] ** 2,
        lambda w: run_of(w).gradients(0)[..., 1] ** 2,
        lambda w: run_of(w).bend[..., 0],
        lambda w: run_of(w).last * w.sigma**2,
        lambda w: (run_of(w).models[0][..., 0] - run_of(w).models[-1][..., 0]) ** 2,
        lambda w: run_of(w).crossed(run_of(w).last)[..., 1, 0] ** 2,
    ],
)
def test_what_is_not_about_the_last_epoch_is_refused(rule: Callable[[World], Any]) -> None:
    assert not list(group_sets(_beside(smooth_now, rule)))
