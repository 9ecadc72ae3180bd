"""Rounds that begin after the first iteration, with averages under the shares in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import weight_ratio_upper
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.iterations import reading
from verify.reading.iterations.draws import AtIteration
from verify.reading.iterations.reading import settings_of
from verify.reading.parts.refusals import NotReadable
from verify.statements.aggregation import chain, theorem
from verify.statements.aggregation import quantities as q
from verify.world.world import World

Side = Callable[[World], Any]


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few numbers of local steps."""
    monkeypatch.setattr(reading, "READ", {1: 2, 2: 4, 3: 6})


def proof_of(made: Statement) -> Mapping[str, Any] | None:
    """The proof that decides it."""
    found = [e for e in prove(made) if e.status == "decided"]
    return found[0].proof if found else None


LEAVES = [
    one.leaf("run", "section2", t)
    for one in (chain.eq17, chain.eq19)
    for t in ("iterations", "rounds")
]
RATIOS, _, SHARES, _ = LEAVES


@pytest.mark.parametrize("made", LEAVES, ids=lambda s: s.key)
@pytest.mark.every(6)
def test_bounds_by_the_weights_are_proved(made: Statement) -> None:
    proof = proof_of(made)
    assert proof is not None
    labels = [part["shape"] for part in proof["certificates"]]
    assert all(label["weights"] == "known when a run begins" for label in labels)
    assert any(label["part"] == "shares for weights" for label in labels)
    assert recheck(made, json.loads(json.dumps(proof)), again=True, whole=True)


@pytest.mark.parametrize(
    ("at", "number", "first", "ends"),
    [(0, 0, 0, True), (1, 1, 1, False), (3, 1, 1, True), (4, 2, 4, False), (6, 2, 4, True)],
)
def test_a_round_ends_where_its_weights_are_chosen(
    at: int, number: int, first: int, ends: bool
) -> None:
    place = AtIteration(at, 3, early=True)
    assert (place.round, place.first, place.ends) == (number, first, ends)
    assert place.earlier == range(first, at)


def test_with_one_local_step_rounds_are_the_same() -> None:
    for at in range(3):
        one, other = AtIteration(at, 1), AtIteration(at, 1, early=True)
        assert (one.round, one.first, one.ends) == (other.round, other.first, other.ends)


def test_weights_that_are_chosen_at_the_end_are_refused() -> None:
    family = q.runs(*q.section2(*q.short("fedmax")))
    with pytest.raises(NotReadable, match="chosen at the end"):
        settings_of(replace(RATIOS, family=family, also=()))


def test_averages_that_are_of_no_use_are_not_read() -> None:
    def sides(w: World) -> Any:
        error = w.run().theta[..., w.at + 1, :] - q.best(w)
        left = xp.dot(error, xp.matvec(q.mean_hessian(w), error)) / 2
        return {"left": left}, {"right": q.speed(w, w.least_ratio, w.gap)}

    with pytest.raises(NotReadable):
        assert settings_of(replace(RATIOS, sides=sides, also=()))[0].read


def test_an_average_under_the_shares_is_no_step_from_one_under_the_weights() -> None:
    assert proof_of(replace(theorem.repaired, family=q.STEPS2)) is None
    assert proof_of(replace(theorem.descent, family=q.STEPS2)) is None


def with_right(base: Statement, right: Side) -> Statement:
    """The statement of runs that move alone, with another right side."""
    kept = base.sides
    assert kept is not None
    return replace(base, sides=lambda w: (kept(w)[0], right(w)), also=())


def right_of(w: World, low: Any, high: Any, more: int) -> Any:
    """The bound with these ratios."""
    error = q.error(w, low, high)
    return closed.aggregation_bound_upper(q.speed(w, low, w.gap), error, w.delay, w.at + more)


def by_ratios(low: float = 1, high: float = 1, more: int = 1) -> Statement:
    """With ratios times a factor."""

    def right(w: World) -> Any:
        return right_of(w, low * w.least_ratio, high * w.largest_ratio, more)

    return with_right(RATIOS, right)


def by_shares(clients: int) -> Statement:
    """With more clients than there are."""

    def right(w: World) -> Any:
        count = w.client_weights.shape[-1] + clients
        high = weight_ratio_upper(w.least_ratio, xp.smallest(w.client_weights), count)
        return right_of(w, w.least_ratio, high, 1)

    return with_right(SHARES, right)


def test_the_same_bounds_are_proved_as_they_stand() -> None:
    assert proof_of(by_ratios()) is not None
    assert proof_of(by_shares(0)) is not None


@pytest.mark.parametrize(
    "made", [by_ratios(low=2), by_ratios(high=0.5), by_ratios(more=2), by_shares(1)]
)
@pytest.mark.every(2)
def test_a_smaller_bound_is_not_proved(made: Statement) -> None:
    assert proof_of(made) is None
