"""Claims about iterations with local steps: proved of any losses and any steps if they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim import Hypothesis, Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.iterations import reading
from verify.statements.aggregation import corollary, proof_expansion, proof_recursion, theorem
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.error_free import repaired as error_free
from verify.terms.vocabulary import quantity
from verify.world.world import World

Side = Callable[[World], Any]


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few numbers of local steps."""
    monkeypatch.setattr(reading, "READ", {1: 2, 2: 4, 3: 6})


def changed(
    base: Statement, without: str = "", right: Side | None = None, **more: Any
) -> Statement:
    """A statement without a hypothesis, or with another right side."""
    kept = base.sides
    assert kept is not None
    if without:
        assert any(h.name == without for h in base.given)
        more["given"] = tuple(h for h in base.given if h.name != without)
    if right is not None:
        more["sides"] = lambda w: (kept(w)[0], right(w))
    return replace(base, **more)


def proof_of(made: Statement) -> Mapping[str, Any] | None:
    """The proof that decides it."""
    found = [e for e in prove(made) if e.status == "decided"]
    return found[0].proof if found else None


PROVED = (
    theorem.lemma2_repaired,
    theorem.lemma2_refined,
    theorem.repaired,
    theorem.refined,
    theorem.without_variance,
    theorem.descent,
    proof_expansion.a1b_repaired,
    proof_recursion.a4_refined,
    proof_recursion.pre_repaired,
    proof_recursion.a5_repaired,
    proof_recursion.recursion_repaired,
    corollary.repaired,
    corollary.order_repaired,
    error_free,
)


@pytest.mark.parametrize("made", PROVED, ids=lambda s: s.key)
@pytest.mark.every(8)
def test_what_the_paper_supports_is_proved(made: Statement) -> None:
    proof = proof_of(made)
    assert proof is not None
    labels = [part["shape"] for part in proof["certificates"]]
    assert all(label["N"] == "any" and label["local steps"] == "any" for label in labels)
    assert recheck(made, json.loads(json.dumps(proof)), again=True, whole=True)


def test_a_proof_of_one_is_none_of_another() -> None:
    proof = proof_of(theorem.lemma2_refined)
    assert proof is not None
    assert not recheck(theorem.lemma2_repaired, proof, again=True)


# -- hypotheses that are needed --------------------------------------------------------------------

HALVING, SHORT = "steps halve at most", "steps at most 1/(4L)"


@pytest.mark.parametrize(
    ("base", "without"),
    [
        (theorem.lemma2_repaired, HALVING),
        (theorem.lemma2_refined, HALVING),
        (theorem.repaired, HALVING),
        (theorem.repaired, SHORT),
        (theorem.refined, HALVING),
        (proof_expansion.a1b_repaired, HALVING),
        (proof_recursion.pre_repaired, HALVING),
        (proof_recursion.a5_repaired, HALVING),
        (proof_recursion.a5_repaired, SHORT),
        (corollary.repaired, "rho-bar at most rho-tilde"),
        (corollary.repaired, "1 + 3 rho-bar/8 at most gamma"),
        (error_free, HALVING),
        (error_free, SHORT),
        (error_free, "away from w*"),
    ],
    ids=lambda v: v if isinstance(v, str) else v.key,
)
@pytest.mark.every(4)
def test_without_a_hypothesis_nothing_is_proved(base: Statement, without: str) -> None:
    assert proof_of(changed(base, without)) is None


@quantity
def thrice(w: World) -> Any:
    """Steps that fall to a third within a round."""
    eta, count = w.step_sizes, w.local_steps
    pairs = [(s, t) for t in range(w.rounds) for s in range(t // count * count, t + 1)]
    margins = [3 * eta[..., t] - eta[..., s] for s, t in pairs]
    return xp.stack(margins, -1)


@quantity
def next_alone(w: World) -> Any:
    """Nothing of steps but of neighbours in a round, which does not bound the first by the last."""
    eta, count = w.step_sizes, w.local_steps
    pairs = [(max(t - 1, t // count * count), t) for t in range(w.rounds)]
    return xp.stack([2 * eta[..., t] - eta[..., s] for s, t in pairs], -1)


@pytest.mark.parametrize("rule", [thrice, next_alone])
def test_longer_earlier_steps_do_not_do(rule: Side) -> None:
    weaker = Hypothesis("steps", "", rule, "here")
    assert proof_of(replace(theorem.lemma2_refined, given=(weaker,))) is None


def test_steps_that_fall_to_a_third_have_their_own_constant() -> None:
    weaker = Hypothesis("steps", "", thrice, "here")

    def right(w: World) -> Any:
        return {"right": 9 * q.step(w) ** 2 * (w.local_steps - 1) ** 2 * w.G2}

    assert proof_of(changed(theorem.lemma2_refined, right=right, given=(weaker,))) is not None


# -- terms that are needed -------------------------------------------------------------------------


def scaled(factors: Mapping[str, Any]) -> Side:
    """The refined right side of Theorem 3, terms times a factor."""

    def right(w: World) -> Any:
        terms = theorem.refined_right(w, q.distance(w, w.at))
        return {n: v * factors.get(n, 1) for n, v in terms.items()}

    return right


def constants(**others: Side) -> Side:
    """The refined right side with other constants."""

    def right(w: World) -> Any:
        names = ("step", "mu", "beta", "G2", "gap", "low", "high", "local_steps")
        own = {n: q.step(w) if n == "step" else w.symbol(n) for n in names}
        own |= {n: rule(w) for n, rule in others.items()}
        return closed.one_round_refined_upper(q.distance(w, w.at), *own.values())

    return right


@pytest.mark.parametrize(
    "right",
    [
        scaled({"noise": 0}),
        scaled({"bias": 0}),
        scaled({"bias": -1}),
        constants(low=lambda w: 2 * w.low),
        constants(high=lambda w: w.high / 2),
        constants(mu=lambda w: 2 * w.mu),
        constants(beta=lambda w: w.beta / 2),
        constants(G2=lambda w: w.G2 / 2),
        constants(gap=lambda w: w.gap / 2),
        constants(local_steps=lambda w: w.local_steps - 1),
        constants(step=lambda w: 2 * q.step(w)),
    ],
)
@pytest.mark.every(9)
def test_a_bound_with_a_changed_term_is_not_proved(right: Side) -> None:
    assert proof_of(changed(theorem.refined, right=right)) is None


@pytest.mark.parametrize(
    "right",
    [
        constants(),
        constants(G2=lambda w: 2 * w.G2),
        constants(local_steps=lambda w: w.local_steps + 1),
        constants(beta=lambda w: 2 * w.beta),
        constants(high=lambda w: 2 * w.high),
    ],
)
def test_one_that_says_less_is_proved(right: Side) -> None:
    assert proof_of(changed(theorem.refined, right=right)) is not None


@pytest.mark.parametrize("factor", [3.5, 2])
def test_a_smaller_spread_is_not_proved(factor: float) -> None:
    def right(w: World) -> Any:
        bound = closed.client_spread_refined_upper(q.step(w), w.local_steps, w.G2)
        return {"right": factor * bound / 4}

    assert proof_of(changed(theorem.lemma2_refined, right=right)) is None


# -- what is defined -------------------------------------------------------------------------------


def with_definition(name: str, rule: Side, base: Statement = theorem.refined) -> Statement:
    """The statement with something else under a name."""
    assert name in base.defines
    return replace(base, defines={**base.defines, name: rule})


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("low", lambda w: q.skew_low(w, "loop")),
        ("low", lambda w: 2 * q.skew_low(w, "every")),
        ("low", lambda w: q.skew_high(w, "every")),
        ("high", lambda w: q.skew_low(w, "every")),
        ("gap", lambda w: q.gap(w) / 2),
        ("G2", lambda w: q.least(q.second_moments(w))),
        ("G2", lambda w: q.squared_gradient(w) / 2),
        ("G2", lambda w: q.worst(q.second_moments(w)[..., :1, :])),
    ],
)
@pytest.mark.every(4)
def test_other_definitions_prove_nothing(name: str, rule: Side) -> None:
    assert proof_of(with_definition(name, rule)) is None


def test_minimisers_that_differ_leave_rho_bar_unknown_within_a_round() -> None:
    assert proof_of(replace(error_free, family=q.STEPS)) is None


# -- any number of iterations ----------------------------------------------------------------------


@cache
def _reached(times: float, later: float) -> Statement:
    def right(w: World) -> Any:
        terms = q.bound(w, w.at + 1 + later)
        return {n: v * times for n, v in terms.items()}

    return changed(corollary.repaired, right=right, also=())


@pytest.mark.parametrize(("times", "later"), [(0.25, 0), (1, 1)])
def test_a_bound_that_falls_faster_is_not_handed_on(times: float, later: float) -> None:
    assert proof_of(_reached(times, later)) is None


def test_a_larger_one_is() -> None:
    assert proof_of(_reached(2, 0)) is not None


@pytest.mark.parametrize("shift", [1, 8])
def test_other_steps_do_not_hand_it_on(shift: int) -> None:
    def steps(w: World) -> Any:
        return q.paper_steps(w) / shift if shift > 1 else w.pace / (4 * w.beta[..., None])

    family = q.runs(*corollary.repaired.family.shapes, paced=shift == 1)
    base = replace(corollary.repaired, also=(), family=family)
    assert proof_of(with_definition("step_sizes", steps, base)) is None


def test_the_start_is_in_the_bound() -> None:
    none = with_definition("distance0", lambda w: 0 * w.mu, replace(corollary.repaired, also=()))
    assert proof_of(none) is None
