"""Claims about a round on any smooth losses: proved where true, never where they are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.symbolic import NotReadable
from tests.verify.cases import scaled
from verify.catalogue.library import library
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.claim_sets import claim_sets
from verify.reading.runs import agreement as run_agreement
from verify.reading.runs import rules as run_rules
from verify.reading.runs.agreement import agreement
from verify.reading.runs.reading import read_run
from verify.reading.runs.rules import Case
from verify.reading.runs.world import AnyLosses
from verify.statements.fedbc.quantities import first_round, residuals, tolerance
from verify.verdict.evidence import Evidence

JUST_BELOW = Fraction(999, 1000)

TIGHT: dict[str, Any] = {
    "fedbc.eq26@V": 1,
    "fedbc.eq27@V": 1,
    "fedbc.eq29": 1,
    "fedbc.eq31@as-used": 1,
    "fedbc.eq33@as-used": 1,
    "fedbc.eq34@as-used": 1,
    "fedbc.eq35@traced": 1,
    "fedbc.eq36-37/product": 1,
    "fedbc.eq36-37/projected": 1,
    "fedbc.eq36-37/split": 1,
    "fedbc.eq36-37/diameter": Fraction(1, 16),
    "fedbc.eq38/equal": 1,
    "fedbc.eq38/dropped": 1,
    "fedbc.eq54-55@traced": 1,
    "fedbc.eq57": Fraction(1, 2),
    "fedbc.eq66-68": 1,
    "fedbc.eq69-70/smooth": 1,
    "fedbc.eq69-70/70@traced": 1,
    "fedbc.eq78/last": 1,
    "fedbc.eq78.repaired": 1,
    "fedbc.eq80-83/80": 1,
    "fedbc.eq80-83/81": 1,
    "fedbc.eq80-83/83": 1,
    "fedbc.eq92": 1,
    "fedbc.eq93": 1,
    "fedbc.eq94": Fraction(1, 2),
}
"""Claims, each with a factor of the right side below which it is false."""

LONG = {
    "fedbc.eq26@V",
    "fedbc.eq27@V",
    "fedbc.eq31@as-used",
    "fedbc.eq33@as-used",
    "fedbc.eq36-37/diameter",
    "fedbc.eq69-70/smooth",
    "fedbc.eq69-70/70@traced",
    "fedbc.eq80-83/81",
}
"""Claims whose false twin is searched for many seconds."""


def proved(statement: Statement) -> bool:
    return any(e.status == "decided" for e in prove(statement))


@pytest.fixture(scope="module")
def leaves() -> dict[str, Statement]:
    return {leaf.key: leaf for entry in library() for leaf in entry.leaves}


@cache
def evidence(key: str) -> tuple[Evidence, ...]:
    """What is found of a leaf of the library, once for all tests."""
    return tuple(prove(library().leaf(key)))


SEARCHED = [key for key in TIGHT if key not in LONG][::3]
"""Claims whose false twins are searched in every run; the others with ``-m slow``."""
FOUND = list(TIGHT)[::3]
"""Claims whose proofs are found anew in every run, in seconds each; the others with ``-m slow``."""


@pytest.mark.parametrize(
    "key", [pytest.param(k, marks=[] if k in FOUND else pytest.mark.slow) for k in TIGHT]
)
@pytest.mark.every(4)
def test_a_step_is_proved_and_its_proof_is_none_of_its_false_twin(
    key: str, leaves: dict[str, Statement]
) -> None:
    claim = leaves[key]
    found = evidence(key)
    assert [e.status for e in found] == ["decided"]
    assert found[0].proof is not None
    assert recheck(claim, found[0].proof)
    twin = scaled(claim, TIGHT[key] * JUST_BELOW)
    assert read_run(twin) is not None  # it is read, and falls for want of a proof
    assert not recheck(twin, found[0].proof)


@pytest.mark.parametrize(
    "key", [pytest.param(k, marks=[] if k in SEARCHED else pytest.mark.slow) for k in TIGHT]
)
def test_a_false_twin_is_not_proved(key: str, leaves: dict[str, Statement]) -> None:
    assert not proved(scaled(leaves[key], TIGHT[key] * JUST_BELOW))


@pytest.mark.parametrize(
    "key",
    [
        "fedbc.eq26@V",
        "fedbc.eq27@V",
        "fedbc.eq36-37/projected",
        "fedbc.eq38/dropped",
        "fedbc.eq78.repaired",
        "fedbc.eq80-83/83",
    ],
)
@pytest.mark.every(3)
def test_without_its_hypothesis_a_step_is_not_proved(
    key: str, leaves: dict[str, Statement]
) -> None:
    assert [e.status for e in evidence(key)] == ["decided"]
    assert not proved(replace(leaves[key], given=()))


def test_what_counts_the_clients_is_not_taken_for_a_formula(leaves: dict[str, Statement]) -> None:
    step = leaves["fedbc.eq93"]

    def sides(w: Any) -> Any:
        left, right = step(w)
        return left, {k: w.multipliers.shape[-1] * v for k, v in right.items()}

    counting = replace(step, sides=sides, deduction=None)
    assert agreement(step, read_run(step))
    assert not agreement(counting, read_run(counting))
    assert not list(claim_sets(counting))


def test_losses_that_are_less_smooth_are_seen(
    leaves: dict[str, Statement], monkeypatch: pytest.MonkeyPatch
) -> None:
    step, true = leaves["fedbc.eq31@as-used"], AnyLosses.conditions
    monkeypatch.setattr(AnyLosses, "conditions", lambda self, stiff: true(self, stiff / 2))
    assert not agreement(step, read_run(step))


def test_a_rule_that_leaves_a_case_out_is_seen(
    leaves: dict[str, Statement], monkeypatch: pytest.MonkeyPatch
) -> None:
    step, rule = leaves["fedbc.eq36-37/projected"], run_rules.METHODS["fedbc"]

    def fewer(given: Any) -> Iterator[Case]:
        return (case for case in rule.cases(given) if "upper" not in case.name)

    monkeypatch.setattr(run_agreement, "MORE", 0)
    assert agreement(step, read_run(step)) == "some"
    changed = {"fedbc": replace(rule, cases=fewer)}
    monkeypatch.setattr("verify.reading.runs.reading.METHODS", changed)
    assert not agreement(step, read_run(step))


def test_pairs_that_are_not_alike_are_not_read(leaves: dict[str, Statement]) -> None:
    step = leaves["fedbc.eq57"]

    def sides(w: Any) -> Any:
        left, right = step(w)
        first = xp.stack(
            [
                0 * v if i else v
                for i, v in enumerate(
                    [left["|x_i - x_j|"][..., p] for p in range(left["|x_i - x_j|"].shape[-1])]
                )
            ],
            -1,
        )
        return {"first pair alone": first}, right

    with pytest.raises(NotReadable, match="pairs of clients differ"):
        read_run(replace(step, sides=sides, deduction=None))


def test_of_a_client_that_waits_the_largest_residual_says_nothing(
    leaves: dict[str, Statement],
) -> None:
    bound = leaves["fedbc.eq35@traced"]

    def sides(w: Any) -> Any:
        r = first_round(w)
        return {"residual": residuals(w, r) ** 2}, {"epsilon": tolerance(w)[..., None]}

    waiting = replace(bound, sides=sides, deduction=None)
    at_work = replace(
        bound.family, shapes=tuple(s for s in bound.family.shapes if s.get("virtual"))
    )
    assert not proved(waiting)  # false of a client that stays where it was
    assert proved(replace(waiting, family=at_work, also=()))


def test_a_claim_about_the_losses_alone_is_not_read(leaves: dict[str, Statement]) -> None:
    smooth = leaves["fedbc.eq80-83/80"]

    def sides(w: Any) -> Any:
        start = w.starts
        slopes = w.problem.own_gradients(start) - w.problem.own_gradients(0 * start)
        return {"turn": slopes[..., 0] ** 2}, {
            "L^2": w.problem.client_smoothness**2 * start[..., 0] ** 2
        }

    with pytest.raises(NotReadable, match="no run is made"):
        read_run(replace(smooth, sides=sides, deduction=None))
