"""Claims about every outcome of an iteration: proved if they hold, of no mean of the noise."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.iterations import reading
from verify.reading.iterations.reading import settings_of
from verify.reading.parts.refusals import NotReadable
from verify.statements.aggregation import proof_expansion, proof_limit, proof_recursion
from verify.statements.aggregation import quantities as q
from verify.world.world import World


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few numbers of local steps."""
    monkeypatch.setattr(reading, "READ", {1: 2, 2: 4, 3: 6})


def proof_of(made: Statement) -> Mapping[str, Any] | None:
    """The proof that decides it."""
    found = [e for e in prove(made) if e.status == "decided"]
    return found[0].proof if found else None


WHOLE_TERM, LAST_TERM = sorted(proof_expansion.a1b_first, key=lambda s: "last-term" in s.key)
PROVED = (
    proof_expansion.a1a,
    LAST_TERM,
    proof_expansion.a1b_second,
    proof_recursion.a3,
    proof_recursion.a4_last,
    proof_limit.smooth,
)


@pytest.mark.parametrize("made", PROVED, ids=lambda s: s.key)
@pytest.mark.every(2)
def test_what_holds_on_every_outcome_is_proved(made: Statement) -> None:
    proof = proof_of(made)
    assert proof is not None
    assert recheck(made, json.loads(json.dumps(proof)), again=True, whole=True)


def scaled(base: Statement, **factors: float) -> Statement:
    """A statement with terms of its right side times a factor."""
    kept = base.sides
    assert kept is not None

    def sides(w: World) -> Any:
        left, right = kept(w)
        return left, {n: v * factors.get(n.replace(" ", "_"), 1) for n, v in right.items()}

    return replace(base, sides=sides)


@pytest.mark.parametrize(
    "made",
    [
        scaled(proof_expansion.a1a, slopes=0.5),
        scaled(proof_expansion.a1a, spread=0.5),
        scaled(proof_expansion.a1a, rest=2),
        scaled(LAST_TERM, drop=2),
        scaled(LAST_TERM, distances=2),
        scaled(proof_expansion.a1b_second, last_spread=-1),
        scaled(proof_expansion.a1b_second, last_slopes=-1),
        scaled(proof_recursion.a3, excess=0.5),
        scaled(proof_limit.smooth, **{"L/2_|w_t_-_w*|^2": 0.5}),
    ],
    ids=lambda s: s.key,
)
@pytest.mark.every(3)
def test_a_smaller_bound_is_not_proved(made: Statement) -> None:
    assert proof_of(made) is None


def test_a_term_that_is_dropped_whatever_its_sign_is_not_proved() -> None:
    assert proof_of(WHOLE_TERM) is None


EXPAND = next(one for one in proof_expansion.expand if one.key.endswith("@algorithm"))


def test_what_differs_where_rounds_end_is_read_apart() -> None:
    proof = proof_of(EXPAND)
    assert proof is not None
    found = [part["shape"]["iterations"] for part in proof["certificates"]]
    assert found == ["inside of rounds", "where rounds end"]
    assert recheck(EXPAND, json.loads(json.dumps(proof)), again=True, whole=True)


@pytest.mark.parametrize("name", ["A1", "A2"])
def test_no_term_of_the_expansion_may_be_another(name: str) -> None:
    assert proof_of(scaled(EXPAND, **{name: 0.5})) is None


def test_noise_where_a_round_ends_is_refused() -> None:
    with pytest.raises(NotReadable, match="noise where"):
        settings_of(replace(EXPAND, family=proof_expansion.ALL), apart=True)


def test_noise_has_no_mean_on_an_outcome() -> None:
    assert proof_of(proof_recursion.a2[0]) is not None
    assert proof_of(replace(proof_recursion.a2[0], over="path")) is None


def test_its_square_has_no_bound_on_an_outcome() -> None:
    assert proof_of(replace(proof_recursion.a4_refined, over="path")) is None


def test_what_holds_in_the_mean_of_the_noise_alone_is_not_said_of_outcomes() -> None:
    def sides(w: World) -> Any:
        moved = proof_recursion.sums(w)
        return {"noise": q.step(w) * proof_recursion.sums(w).excess}, {
            "more": q.step(w) * moved.excess
            + (moved.slope - moved.drawn)[..., 0] * moved.error[..., 0]
        }

    one = replace(proof_expansion.a1a, sides=sides)
    assert proof_of(replace(one, over="mean")) is not None
    assert proof_of(one) is None


def test_the_end_of_a_run_is_not_the_iteration_that_is_looked_at() -> None:
    rule: Callable[[World], Any] = lambda w: q.suboptimality(w, w.rounds) + 0 * w.at  # noqa: E731
    sides = proof_limit.smooth.sides
    assert sides is not None
    assert (
        proof_of(replace(proof_limit.smooth, sides=lambda w: ({"l": rule(w)}, sides(w)[1]))) is None
    )
