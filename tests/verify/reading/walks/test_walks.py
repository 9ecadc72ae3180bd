"""Claims about mean distances of walks: proved for any number of rounds if they hold."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.walks.sets import walk_sets
from verify.statements.allforall import quantities as q
from verify.statements.allforall import walks
from verify.statements.allforall.sgd.lemmas5_6 import lemma6_repaired, lemma6a, lemma6b
from verify.statements.allforall.theorem4_1 import blocks, epoch, repaired, simplex
from verify.terms.claims import as_terms
from verify.terms.vocabulary import quantity
from verify.world.world import World

AVERAGES = (lemma6a.leaf("in-mean"), lemma6b.leaf("in-mean"))
BESIDE = simplex.leaf("some-step", "rounded-up")
PROVED = (*blocks, *repaired, epoch, *AVERAGES, *lemma6_repaired, BESIDE)
AT_MOST, ROUNDED_UP = (blocks.leaf("some-step", name) for name in ("at-most", "rounded-up"))
Rule = Callable[[World], Any]


def decided(claim: Statement) -> Any:
    """The proof of a claim; None where there is none."""
    return next((e.proof for e in prove(claim) if e.status == "decided"), None)


def changed(claim: Statement, rule: Callable[[Any, Any, World], Any], **fields: Any) -> Statement:
    """The claim with other sides, made of those that it has."""
    assert claim.sides is not None
    known: Any = claim.sides

    def sides(w: World) -> Any:
        one, other = known(w)
        return rule(one, other, w)

    return claim.variant("walks.claim", sides=sides, **fields)


def scaled(claim: Statement, left: Fraction | int = 1, right: Fraction | int = 1) -> Statement:
    def rule(one: Any, other: Any, _: World) -> Any:
        return {n: left * v for n, v in one.items()}, {n: right * v for n, v in other.items()}

    return changed(claim, rule)


def walking(claim: Statement, make: Any) -> Statement:
    return claim.variant("walks.claim", defines={"walk": lambda _: make})


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: str(claim.key))
@pytest.mark.every(4)
def test_what_holds_is_proved_and_found_again(claim: Statement) -> None:
    proof = decided(claim)
    assert proof is not None
    assert recheck(claim, proof)
    assert recheck(claim, proof, again=True, whole=True)
    shapes = [c["shape"] for c in proof["certificates"]]
    assert {shape["rounds"] for shape in shapes} <= {"any", "any from 4"}
    assert {shape.get("N", "any") for shape in shapes} == {"any"}


@pytest.mark.parametrize(
    "claim",
    [
        scaled(ROUNDED_UP, right=Fraction(2, 5)),
        scaled(AT_MOST, right=Fraction(3, 5)),
        scaled(ROUNDED_UP, left=Fraction(5, 2)),
        changed(ROUNDED_UP, lambda one, other, w: (one, {"more": other["precision"] * w.fraction})),
        changed(
            ROUNDED_UP, lambda one, other, w: (one, {"more": other["precision"] * w.share / 2})
        ),
    ],
)
def test_a_smaller_right_side_is_not_proved(claim: Statement) -> None:
    assert list(walk_sets(as_terms(claim)))
    assert decided(claim) is None


@pytest.mark.parametrize("claim", AVERAGES)
def test_a_smaller_bound_of_the_average_is_not_proved(claim: Statement) -> None:
    assert decided(scaled(claim, right=Fraction(7, 10))) is None
    assert decided(scaled(claim, right=Fraction(9, 10))) is not None


def beside(bias: Fraction | int = 1, above: Fraction | int = 1) -> Statement:
    def rule(one: Any, other: Any, _: World) -> Any:
        return {"bias": bias * one["bias"], "above it": above * one["above it"]}, other

    return changed(BESIDE, rule)


def test_what_is_beside_the_mean_counts() -> None:
    assert decided(beside(bias=Fraction(5, 4))) is None
    assert decided(beside(above=Fraction(5, 4))) is None
    assert decided(beside(Fraction(9, 10), Fraction(9, 10))) is not None
    proof = decided(BESIDE)
    assert {c["shape"]["rounds"] for c in proof["certificates"]} == {"any from 4"}


class Uphill(walks.Descent):
    """A descent with larger steps than it says."""

    def __init__(self, start: Any, step: Any, rounds: int, **slopes: Any) -> None:
        super().__init__(start, 2 * step, rounds, **slopes)


def test_descents_must_be_what_is_known_of_them() -> None:
    size = {"slope": Fraction(3, 4), "aside": Fraction(1, 4), "largest": 1}

    def of(kind: Any) -> Statement:
        def walk(w: World) -> Any:
            parts = {n: v * xp.ones_like(w.distance) for n, v in size.items()}
            return lambda *known: kind(*known, **parts)

        return BESIDE.variant("walks.claim", defines={"walk": walk})

    assert list(walk_sets(as_terms(of(walks.Descent))))
    assert not list(walk_sets(as_terms(of(Uphill))))


class Away(walks.Paths):
    """Paths whose average is said to be farther away than it is."""

    @property
    def of_mean(self) -> Any:
        """More than all of them together."""
        return 2 * sum(self.distances)


class Back(walks.Paths):
    """Paths that turn more often than they say."""

    def __init__(self, share: Any, start: Any, step: Any, rounds: int) -> None:
        super().__init__(share / 2, start, step, rounds)


@pytest.mark.parametrize("make", [Away, Back])
def test_averages_must_be_what_is_known_of_them(make: Any) -> None:
    assert list(walk_sets(as_terms(walking(AVERAGES[0], walks.Paths))))
    assert not list(walk_sets(as_terms(walking(AVERAGES[0], make))))


def test_a_side_that_falls_with_an_average_is_refused() -> None:
    def rule(_: Any, other: Any, w: World) -> Any:
        walk = w.original("walk")(w.slope_share, w.distance, w.distance, w.rounds - 1)
        return {"left": -w.slope_share * walk.of_mean}, other

    assert not list(walk_sets(as_terms(changed(AVERAGES[0], rule))))


def test_a_larger_right_side_is_proved() -> None:
    assert decided(scaled(ROUNDED_UP, right=2)) is not None
    assert decided(scaled(ROUNDED_UP, left=Fraction(9, 5))) is not None


class Longer(walks.Walk):
    """A walk of longer steps than it says."""

    def __init__(self, share: Any, start: Any, step: Any, awake: Any, rounds: int) -> None:
        super().__init__(share, start, 2 * step, awake, rounds)


class Elsewhere(walks.Walk):
    """A walk that begins at another place."""

    def __init__(self, share: Any, start: Any, step: Any, awake: Any, rounds: int) -> None:
        super().__init__(share, 2 * start, step, awake, rounds)


class Weaker(walks.Walk):
    """A walk towards the minimum less often than it says."""

    def __init__(self, share: Any, start: Any, step: Any, awake: Any, rounds: int) -> None:
        super().__init__(share / 2, start, step, awake, rounds)


class Often(walks.Walk):
    """A walk of more steps than it says."""

    def __init__(self, share: Any, start: Any, step: Any, awake: Any, rounds: int) -> None:
        super().__init__(share, start, step, (1 + awake) / 2, rounds)


class Farther(walks.Walk):
    """A walk that tells of larger distances."""

    def __init__(self, share: Any, start: Any, step: Any, awake: Any, rounds: int) -> None:
        super().__init__(share, start, step, awake, rounds)
        self.distances = [2 * d for d in self.distances]


@pytest.mark.parametrize("make", [Longer, Elsewhere, Weaker, Often, Farther])
def test_walks_must_be_what_is_known_of_them(make: Any) -> None:
    assert list(walk_sets(as_terms(walking(ROUNDED_UP, walks.Walk))))
    assert not list(walk_sets(as_terms(walking(ROUNDED_UP, make))))


@quantity
def made(w: World, step: Any = 1, awake: Any = 1, start: Any = 1, rounds: int = 1) -> Any:
    """A walk from D that takes the length D a round, but for these factors."""
    one = xp.ones_like(w.distance)
    parts = w.distance * start, w.distance * step, one * w.block / w.N * awake
    return w.original("walk")(w.share, *parts, w.rounds - rounds)


@quantity
def mean_distance(w: World, step: Any) -> Any:
    """Mean over the rounds of the distances of such a walk."""
    return q.added(made(w, step).distances) / w.rounds


@pytest.mark.parametrize(
    "rule",
    [
        lambda w: made(w).distances[-1],  # of the last round alone
        lambda w: q.added(made(w, rounds=0).distances) / w.rounds,  # of a round more
        lambda w: q.added(made(w).distances) ** 2,
        lambda w: q.added(made(w).distances) / (1 if w.rounds < 3 else w.rounds),
        lambda w: q.added(made(w, start=w.rounds - 1).distances) - w.distance,
        lambda w: q.added([k * d for k, d in enumerate(made(w).distances)]),
        lambda w: -q.added(made(w).distances),
    ],
)
def test_what_is_no_mean_over_the_rounds_is_refused(rule: Rule) -> None:
    claim = changed(ROUNDED_UP, lambda one, other, w: ({"left": rule(w)}, other))
    assert not list(walk_sets(as_terms(claim)))


@pytest.mark.parametrize(("step", "holds"), [(1, True), (Fraction(1, 9), False), (0, False)])
def test_steps_may_not_be_too_short(step: Any, holds: bool) -> None:
    """The mean distance times the share is at most D^2/(2 e K) + e/2 without a rest."""

    def rule(_: Any, __: Any, w: World) -> Any:
        mean = mean_distance(w, step)
        return {"left": w.share * mean * w.block}, {"right": w.distance * w.N}

    assert (decided(changed(ROUNDED_UP, rule)) is not None) == holds


def test_a_walk_without_a_step_stays_where_it_begins() -> None:
    def rule(_: Any, __: Any, w: World) -> Any:
        found = made(w, 0 * w.share, start=w.offset).distances
        return {"left": w.share * q.added(found) / w.rounds}, {"right": 0 * w.precision}

    assert decided(changed(ROUNDED_UP, rule)) is None


def test_a_side_must_be_zero_where_the_share_is() -> None:
    def rule(one: Any, other: Any, w: World) -> Any:
        mean = q.added(made(w).distances) / w.rounds
        return {"left": mean}, {"right": 100 * w.distance * w.N}

    assert (
        not list(walk_sets(as_terms(changed(ROUNDED_UP, rule))))
        or decided(changed(ROUNDED_UP, rule)) is None
    )
