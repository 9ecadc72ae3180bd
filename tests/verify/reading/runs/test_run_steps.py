"""Claims about runs that are proved in steps: the descent of Lagrangians, and pairs of clients."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.runs import rules
from verify.reading.runs.agreement import agreement
from verify.reading.runs.claims import run_sets
from verify.reading.runs.reading import read_run
from verify.statements.fedbc import lemma_b1, lemma_b2_pairs, theorem_gradient
from verify.statements.fedbc import quantities as q
from verify.world.world import World, once

ONE, HALF, NONE = Fraction(1), Fraction(1, 2), Fraction(0)
DESCENT = (
    lemma_b1.lemma_ii_traced,
    lemma_b1.eq42_traced,
    lemma_b1.eq39_repaired,
    theorem_gradient.eq72_traced,
    theorem_gradient.eq72_repaired,
)
LEMMA_I = lemma_b1.lemma_i.leaf("V", "printed", "derived")
PAIRS = (
    lemma_b2_pairs.eq58_repaired,
    lemma_b2_pairs.eq59_repaired,
    lemma_b2_pairs.eq61,
    lemma_b2_pairs.eq62_repaired,
)


def decided(claim: Statement) -> Any:
    """The proof of a claim; None where there is none."""
    return next((e.proof for e in prove(claim) if e.status == "decided"), None)


def changed(claim: Statement, **fields: Any) -> Statement:
    return claim.variant("runs.claim", **fields)


def scaled(claim: Statement, left: Fraction = ONE, **terms: Fraction) -> Statement:
    """The claim with its left side, and single terms of its right side, times a factor."""
    assert claim.sides is not None
    rule: Callable[[World], Any] = claim.sides

    def sides(w: World) -> Any:
        one, other = rule(w)
        numbered = enumerate(other.items())
        right = {n: terms.get(f"term{i}", ONE) * v for i, (n, v) in numbered}
        return {n: left * v for n, v in one.items()}, right

    return changed(claim, sides=sides)


@pytest.mark.parametrize("claim", [*DESCENT, LEMMA_I, *PAIRS], ids=lambda claim: str(claim.key))
@pytest.mark.every(12)
def test_what_holds_is_proved_and_found_again(claim: Statement) -> None:
    proof = decided(claim)
    assert proof is not None
    assert recheck(claim, proof)
    assert recheck(claim, proof, again=True, whole=True)


@pytest.mark.parametrize(
    "claim", [DESCENT[0], DESCENT[3], *PAIRS], ids=lambda claim: str(claim.key)
)
@pytest.mark.every(6)
def test_a_smaller_left_side_is_proved(claim: Statement) -> None:
    assert decided(scaled(claim, HALF)) is not None


TERMS = [
    *((lemma_b1.lemma_ii_traced, i) for i in range(4)),
    *((lemma_b1.eq42_traced, i) for i in range(4)),
    *((lemma_b1.eq39_repaired, i) for i in (0, 2, 3)),
    *((theorem_gradient.eq72_traced, i) for i in range(5)),
    *((claim, i) for claim in PAIRS for i in range(2)),
    (lemma_b2_pairs.eq58_repaired, 2),
]


@pytest.mark.parametrize(("claim", "term"), TERMS, ids=lambda x: str(getattr(x, "key", x)))
@pytest.mark.every(15)
def test_each_term_is_needed(claim: Statement, term: int) -> None:
    assert decided(scaled(claim, **{f"term{term}": NONE})) is None


@pytest.mark.parametrize("claim", [*DESCENT[:4], *PAIRS], ids=lambda claim: str(claim.key))
@pytest.mark.every(6)
def test_a_larger_left_side_is_not_proved(claim: Statement) -> None:
    assert decided(scaled(claim, Fraction(16))) is None


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        (lemma_b1.lemma_ii_traced, q.OWN[:1]),
        (lemma_b1.lemma_ii_traced, q.OWN[1:]),
        (lemma_b1.eq42_traced, q.OWN[1:]),
        (lemma_b1.eq39_repaired, ()),
        (theorem_gradient.eq72_traced, q.OWN[:1]),
        (theorem_gradient.eq72_traced, q.OWN[1:]),
        (LEMMA_I, q.OWN[1:]),
        (LEMMA_I, q.OWN[:1]),
        (lemma_b2_pairs.eq58_repaired, q.OWN[:1]),
        (lemma_b2_pairs.eq61, q.OWN[:1]),
        (lemma_b2_pairs.eq61, q.OWN[1:]),
        (lemma_b2_pairs.eq62_repaired, q.PROOFS[:2]),
    ],
    ids=lambda x: str(getattr(x, "key", len(x) if isinstance(x, tuple) else x)),
)
@pytest.mark.every(4)
def test_each_hypothesis_is_needed(claim: Statement, given: Any) -> None:
    assert decided(changed(claim, given=given)) is None


@once
def halved(w: World) -> Any:
    """Half of the least number that bounds how unlike gradients are."""
    return q.hull_dissimilarity(w) / 2


@once
def of_kinks(w: World) -> Any:
    """A number without a form that is too small."""
    problem: Any = w.problem
    return q.hull_dissimilarity(w) / 2 + 0 * problem.kinks[..., 0, 0, 0]


@once
def doubled(w: World) -> Any:
    """Twice that number."""
    return 2 * q.hull_dissimilarity(w)


@pytest.mark.parametrize(("number", "read"), [(halved, False), (of_kinks, False), (doubled, True)])
def test_a_number_must_bound_what_it_is_taken_for(number: Any, read: bool) -> None:
    rule: Any = lemma_b2_pairs.eq59_repaired.sides

    def sides(w: World) -> Any:
        left, right = rule(w)
        return left, {**right, "delta": w.once(number)[..., None]}

    claim = changed(lemma_b2_pairs.eq59_repaired, sides=sides)
    assert (decided(claim) is not None) is read


def test_a_mean_over_runs_is_not_taken_for_their_sum() -> None:
    rule: Any = lemma_b1.lemma_ii_traced.sides

    def sides(w: World) -> Any:
        left, right = rule(w)
        return {n: len(q.rounds_of(w)) * v for n, v in left.items()}, right

    claim = changed(lemma_b1.lemma_ii_traced, sides=sides)
    assert agreement(claim, read_run(claim)) == ""


def test_a_wrong_rule_of_the_method_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = rules.METHODS["fedbc"]

    def frozen(given: Any) -> Any:
        return (case for case in rule.cases(given) if case.name != "moves freely")

    changed_rule = rules.Rule(rule.traces, rule.begin, rule.models, frozen, rule.weights)
    monkeypatch.setitem(rules.METHODS, "fedbc", changed_rule)
    assert not list(run_sets(lemma_b1.lemma_ii_traced))
