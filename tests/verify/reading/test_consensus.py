"""Claims about consensus in runs of FedBC: proved for any clients, rounds and losses where true."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from verify.claim import Hypothesis, Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.consensus.sets import FEDERATION, consensus_sets
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.lemma_b2 import lemma_bounded, lemma_explicit, lemma_refined
from verify.world.world import World, once

LEMMAS = (lemma_explicit, lemma_bounded, lemma_refined)
ONE, LESS, MORE = Fraction(1), Fraction(9, 10), Fraction(3, 2)


def decided(claim: Statement) -> Any:
    """The proof of a claim; None where there is none."""
    return next((e.proof for e in prove(claim) if e.status == "decided"), None)


def changed(claim: Statement, **fields: Any) -> Statement:
    return claim.variant("consensus.claim", **fields)


def scaled(claim: Statement, left: Fraction = ONE, *right: Fraction) -> Statement:
    """The claim with its left side, and the terms of the right one, times a factor."""
    assert claim.sides is not None
    rule: Callable[[World], Any] = claim.sides

    def sides(w: World) -> Any:
        one, other = rule(w)
        terms = {n: f * v for (n, v), f in zip(other.items(), right, strict=True)}
        return {n: left * v for n, v in one.items()}, terms

    return changed(claim, sides=sides)


def with_sides(left: Callable[[World], Any], right: Callable[[World], Any]) -> Statement:
    """Of the explicit form, other sides."""
    return changed(lemma_explicit, sides=lambda w: ({"left": left(w)}, {"right": right(w)}))


def bound(w: World) -> Any:
    return 2 * q.tolerance(w) + q.hull_dissimilarity(w) ** 2 / 2


@pytest.mark.parametrize("claim", LEMMAS, ids=lambda claim: str(claim.key))
def test_what_holds_is_proved_and_found_again(claim: Statement) -> None:
    proof = decided(claim)
    assert proof is not None
    assert recheck(claim, proof)
    assert recheck(claim, proof, again=True, whole=True)
    label = proof["certificates"][0]["shape"]
    assert (label["N"], label["rounds"]) == ("any", "any")
    assert "smooth losses" in label[FEDERATION]


@pytest.mark.parametrize(
    "claim",
    [
        scaled(lemma_explicit, ONE, LESS, ONE),
        scaled(lemma_explicit, ONE, ONE, LESS),
        scaled(lemma_explicit, MORE, ONE, ONE),
        scaled(lemma_bounded, ONE, LESS, ONE),
        scaled(lemma_bounded, ONE, ONE, LESS),
        scaled(lemma_refined, ONE, LESS),
        scaled(lemma_refined, MORE, ONE),
    ],
)
@pytest.mark.every(3)
def test_a_smaller_right_side_is_not_proved(claim: Statement) -> None:
    assert list(consensus_sets(claim))
    assert decided(claim) is None


@pytest.mark.parametrize(
    "claim",
    [
        scaled(lemma_explicit, ONE, MORE, MORE),
        scaled(lemma_bounded, LESS, ONE, MORE),
        scaled(lemma_refined, ONE, MORE),
        with_sides(q.average_spread, bound),
        with_sides(
            q.average_spread,
            lambda w: (xp.sqrt(q.tolerance(w)) + q.hull_dissimilarity(w) / 2) ** 2,
        ),
    ],
)
def test_a_larger_right_side_is_proved(claim: Statement) -> None:
    assert decided(claim) is not None


above_stiffness = Hypothesis(
    "lambda_i >= L_i",
    "",
    lambda w: xp.smallest(
        xp.smallest(
            xp.stack([r.multipliers - q.stiffness(w) for run in q.rounds_of(w) for r in run], -1)
        )
    ),
)
third = Hypothesis("3 lambda_min > L", "", lambda w: 3 * w.lambda_min - w.beta, strict=True)
begins = Hypothesis(
    "lambda_i^0 >= 1 + L_i", "", lambda w: xp.smallest(w.multipliers - 1 - q.stiffness(w))
)


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        (lemma_explicit, q.OWN[:1]),
        (lemma_explicit, q.OWN[1:]),
        (lemma_explicit, (q.OWN[0], above_stiffness)),
        (lemma_explicit, (q.OWN[0], begins)),
        (lemma_bounded, q.OWN[:1]),
        (lemma_bounded, q.OWN[1:]),
        (lemma_refined, q.HALF[:1]),
        (lemma_refined, q.HALF[1:]),
        (lemma_refined, (q.HALF[0], third)),
    ],
)
@pytest.mark.every(3)
def test_each_hypothesis_is_needed(claim: Statement, given: Any) -> None:
    assert decided(changed(claim, given=given)) is None


def test_clients_that_wait_are_refused() -> None:
    family = q.runs(q.size(2, 1, **q.STEPPED), domain="own")
    assert not list(consensus_sets(changed(lemma_explicit, family=family)))


@once
def halved(w: World) -> Any:
    """Half of the least number that bounds how unlike gradients are."""
    return q.hull_dissimilarity(w) / 2


@once
def at_the_start(w: World) -> Any:
    """The same taken where the server begins alone."""
    found = q.slopes(w, q.everywhere(w.start[..., 0], w.multipliers))
    gap = found[..., :, None] * w.lambda_max[..., None, None] - found[..., None, :]
    return xp.largest(xp.largest(gap))


def first_alone(w: World) -> Any:
    """The largest residual of the first round alone."""
    found = [q.residuals(w, r) ** 2 for r in q.first_rounds(w)]
    return xp.largest(xp.largest(xp.stack(found, -1)))


def last_spread(w: World) -> Any:
    """The distances after the last round alone."""
    return q.expected([xp.mean(run[-1].spread) for run in q.rounds_of(w)])


@pytest.mark.parametrize(
    "claim",
    [
        with_sides(q.average_spread, lambda w: 2 * q.tolerance(w) + halved(w) ** 2 / 2),
        with_sides(q.average_spread, lambda w: 2 * q.tolerance(w) + at_the_start(w) ** 2 / 2),
        with_sides(q.average_spread, lambda w: 2 * first_alone(w) + q.hull_dissimilarity(w) ** 2),
        with_sides(last_spread, bound),
        with_sides(lambda w: q.expected([xp.mean(r.gap) for r in q.first_rounds(w)]), bound),
        with_sides(lambda w: q.mean_move(w), bound),
        with_sides(lambda w: q.average_spread(w) ** 2, bound),
        with_sides(lambda w: q.average_spread(w) * w.rounds, bound),
        with_sides(lambda w: q.first_round(w).spread[..., 0], bound),
        with_sides(q.average_spread, lambda w: bound(w) + w.start[..., 0]),
        with_sides(q.average_spread, lambda w: bound(w) + q.dissimilarity(w)),
        with_sides(q.average_spread, lambda w: 2 * q.tolerance(w)),
    ],
)
def test_what_is_another_claim_is_not_proved(claim: Statement) -> None:
    assert decided(claim) is None


@pytest.mark.every_point
@pytest.mark.parametrize(
    "corners",
    [
        lambda w: [(w.lambda_min, w.lambda_min), (w.lambda_max, w.lambda_max)],
        lambda w: [(w.lambda_max, w.lambda_max)],
        lambda w: [(w.lambda_min, w.lambda_max), (w.lambda_max, w.lambda_min)],
    ],
    ids=["equal", "largest", "unequal"],
)
@pytest.mark.every(3)
@pytest.mark.slow
def test_a_number_that_bounds_what_most_points_meet_is_no_bound(
    corners: Callable[[World], Any],
) -> None:
    @once
    def some_corners(w: World) -> Any:
        """How unlike gradients are at some corners of the domain of two multipliers."""
        found = 0 * w.lambda_max
        apart = 1 - xp.eye(w.multipliers.shape[-1], w.multipliers)
        for slope in q.slopes_over(w, q.hull_of(w)):
            for a, b in corners(w):
                one, other = a[..., None] * slope, b[..., None] * slope
                gaps = apart * xp.absolute(one[..., :, None] - other[..., None, :])
                found = xp.maximum(found, xp.largest(xp.largest(gaps)))
        return found

    claim = with_sides(q.average_spread, lambda w: 2 * q.tolerance(w) + some_corners(w) ** 2 / 2)
    assert not list(consensus_sets(claim))


@pytest.mark.every_point
@pytest.mark.parametrize(
    "special",
    [
        lambda w: w.rounds >= 4,
        lambda w: w.rounds == 9,
        lambda w: w.S >= 6,
        lambda w: w.multipliers.shape[-1] == 4,
        lambda w: w.multipliers.shape[-1] >= 6,
    ],
)
@pytest.mark.every(5)
def test_other_sizes_that_a_program_names_are_read(special: Callable[[World], bool]) -> None:
    claim = with_sides(q.average_spread, lambda w: bound(w) / (4 if special(w) else 1))
    assert not list(consensus_sets(claim))
