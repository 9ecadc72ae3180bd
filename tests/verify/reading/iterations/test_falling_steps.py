"""Bounds by the weights of single clients, of steps that fall like one over the time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import weight_ratio_upper
from verify.claim import Hypothesis, Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.iterations import reading
from verify.reading.iterations.reading import settings_of
from verify.reading.parts.refusals import NotReadable
from verify.statements.aggregation import chain, corollary, error_free
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.quantities.measures import rounds_of
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


BY_ITERATIONS, BY_ROUNDS = (
    chain.eq17.leaf("run", "algorithm", t) for t in ("iterations", "rounds")
)
BY_SHARES = chain.eq19.leaf("run", "algorithm", "iterations")
SHARES_ROUNDS = chain.eq19.leaf("run", "algorithm", "rounds")


@pytest.mark.parametrize(
    "made", [BY_ITERATIONS, BY_ROUNDS, BY_SHARES, SHARES_ROUNDS], ids=lambda s: s.key
)
@pytest.mark.every(2)
def test_bounds_by_the_weights_are_proved(made: Statement) -> None:
    proof = proof_of(made)
    assert proof is not None
    labels = [part["shape"] for part in proof["certificates"]]
    assert all(label["N"] == "any" and label["local steps"] == "any" for label in labels)
    assert recheck(made, json.loads(json.dumps(proof)), again=True, whole=True)


def test_steps_of_the_corollary_need_not_halve() -> None:
    given = [h for h in corollary.repaired.given if h.name != q.halving.name]
    assert len(given) == len(corollary.repaired.given) - 1
    assert proof_of(replace(corollary.repaired, given=tuple(given), also=())) is not None


# -- what is needed --------------------------------------------------------------------------------


def right_of(w: World, low: Any, high: Any, count: Any) -> Any:
    """The bound with these ratios after so many iterations or rounds."""
    error = q.error(w, low, high)
    return closed.aggregation_bound_upper(q.speed(w, low, w.gap), error, w.delay, count)


def with_right(base: Statement, right: Side) -> Statement:
    """The statement of runs that move alone, with another right side."""
    kept = base.sides
    assert kept is not None
    return replace(base, sides=lambda w: (kept(w)[0], right(w)), also=())


def by_ratios(
    low: Side = lambda w: w.least_ratio, high: Side = lambda w: w.largest_ratio, more: int = 1
) -> Statement:
    """With other ratios."""
    return with_right(BY_ITERATIONS, lambda w: right_of(w, low(w), high(w), w.at + more))


def by_shares(clients: int = 0, share: Side = lambda w: xp.smallest(w.client_weights)) -> Statement:
    """With more clients than there are, or another share for the smallest."""

    def right(w: World) -> Any:
        count = w.client_weights.shape[-1] + clients
        high = weight_ratio_upper(w.least_ratio, share(w), count)
        return right_of(w, w.least_ratio, high, w.at + 1)

    return with_right(BY_SHARES, right)


def by_rounds(more: int = 0, least: int = 1) -> Statement:
    """With more rounds than there were."""

    def right(w: World) -> Any:
        count = rounds_of(w, w.rounds, w.local_steps) * least + more
        return right_of(w, w.least_ratio, w.largest_ratio, count)

    return with_right(BY_ROUNDS, right)


def test_the_same_bounds_are_proved_as_they_stand() -> None:
    assert proof_of(by_ratios()) is not None
    assert proof_of(by_shares()) is not None
    assert proof_of(by_rounds()) is not None


def test_what_says_less_is_proved() -> None:
    assert proof_of(by_ratios(high=lambda w: 2 * w.largest_ratio)) is not None
    assert proof_of(by_shares(clients=-1)) is not None


@pytest.mark.parametrize(
    "made",
    [
        by_ratios(low=lambda w: 2 * w.least_ratio),
        by_ratios(high=lambda w: w.largest_ratio / 2),
        by_ratios(low=lambda w: w.largest_ratio),
        by_ratios(high=lambda w: w.least_ratio),
        by_ratios(more=2),
        by_shares(clients=1),
        by_shares(share=lambda w: 2 * xp.smallest(w.client_weights)),
        by_shares(share=lambda w: xp.largest(w.client_weights)),
        by_rounds(more=2),
        by_rounds(least=2),
    ],
)
@pytest.mark.every(3)
def test_a_smaller_bound_is_not_proved(made: Statement) -> None:
    assert proof_of(made) is None


def with_definition(name: str, rule: Side) -> Statement:
    """The statement with something else under a name."""
    assert name in BY_ITERATIONS.defines
    return replace(BY_ITERATIONS, defines={**BY_ITERATIONS.defines, name: rule}, also=())


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("least_ratio", lambda w: q.worst(q.ratios(w))),
        ("least_ratio", lambda w: 2 * q.least(q.ratios(w))),
        ("least_ratio", lambda w: q.least(q.ratios(w)[..., :1, :])),
        ("least_ratio", lambda w: q.least(q.ratios(w)[..., :1])),
        ("largest_ratio", lambda w: q.least(q.ratios(w))),
        ("largest_ratio", lambda w: q.worst(q.ratios(w)) / 2),
        ("G2", lambda w: q.squared_gradient(w) / 64),
        ("G2", lambda w: q.worst(q.second_moments(w)[..., :1, :])),
        ("distance0", lambda w: 0 * w.mu),
        ("delay", lambda w: 2 * q.delay(w)),
        ("step_sizes", lambda w: q.paper_steps(w) / 2),
    ],
)
@pytest.mark.every(3)
def test_other_definitions_prove_nothing(name: str, rule: Side) -> None:
    assert proof_of(with_definition(name, rule)) is None


# -- rho-bar where rounds begin, one minimiser -----------------------------------------------------

AT_FIRST, AT_FIRST_ROUNDS = (
    error_free.eq14.leaf("run", "algorithm", "loop", t) for t in ("iterations", "rounds")
)


@pytest.mark.parametrize("made", [AT_FIRST, AT_FIRST_ROUNDS], ids=lambda s: s.key)
@pytest.mark.every(2)
def test_the_bound_without_a_gap_is_proved(made: Statement) -> None:
    proof = proof_of(made)
    assert proof is not None
    labels = [part["shape"] for part in proof["certificates"]]
    assert all(label["facts"] == "one minimiser" for label in labels)
    assert recheck(made, json.loads(json.dumps(proof)), again=True, whole=True)


def without_gap(times: float = 1, low: float = 1, more: int = 1) -> Statement:
    """With another bound."""

    def right(w: World) -> Any:
        return {"speed": times * q.speed(w, low * w.low, 0) / (w.delay + w.at + more)}

    return with_right(AT_FIRST, right)


def test_a_bound_without_a_gap_that_says_less_is_proved() -> None:
    assert proof_of(without_gap()) is not None
    assert proof_of(without_gap(times=2)) is not None


@pytest.mark.parametrize(
    "made",
    [
        without_gap(times=0.25),
        without_gap(more=2),
        replace(AT_FIRST, given=()),
        replace(AT_FIRST, family=q.RUNS),
        replace(AT_FIRST, defines={**AT_FIRST.defines, "low": lambda w: q.skew_high(w, "loop")}),
        replace(
            AT_FIRST, defines={**AT_FIRST.defines, "step_sizes": lambda w: q.paper_steps(w) / 2}
        ),
        replace(AT_FIRST, defines={**AT_FIRST.defines, "G2": lambda w: q.squared_gradient(w) / 2}),
        replace(AT_FIRST, defines={**AT_FIRST.defines, "distance0": lambda w: 0 * w.mu}),
        replace(AT_FIRST_ROUNDS, family=q.RUNS),
    ],
)
@pytest.mark.every(3)
def test_a_smaller_bound_without_a_gap_is_not_proved(made: Statement) -> None:
    assert proof_of(made) is None


# -- what is read ----------------------------------------------------------------------------------


def test_rounds_that_are_counted_are_those_of_a_run_that_ends() -> None:
    """With another iteration to look at, its rounds are not those of the run."""

    def sides(w: World) -> Any:
        count = w.rounds // w.local_steps
        right = right_of(w, w.least_ratio, w.largest_ratio, count)
        return {"left": q.suboptimality(w, w.at + 1)}, right

    assert proof_of(replace(BY_ROUNDS, sides=sides, also=())) is None


def test_a_rest_of_local_steps_is_seen() -> None:
    kept = BY_ROUNDS.sides
    assert kept is not None

    def sides(w: World) -> Any:
        left, right = kept(w)
        last = w.rounds % w.local_steps == w.local_steps - 1 and w.rounds > 2
        return left, {n: v / (1 + 9 * last) for n, v in right.items()}

    assert proof_of(replace(BY_ROUNDS, sides=sides, also=())) is None


def test_a_hypothesis_that_depends_on_the_number_of_clients_is_refused() -> None:
    few = Hypothesis(
        "few", "", lambda w: w.gap * (1 - w.client_weights.shape[-1] * w.least_ratio), "here"
    )
    with pytest.raises(NotReadable, match="number of clients"):
        assert settings_of(replace(BY_ITERATIONS, given=(few,), also=()))[0].read
