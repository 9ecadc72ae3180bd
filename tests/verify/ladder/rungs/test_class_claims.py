"""Claims on rough classes in symbols: proved for every parameter, never where they are false."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import scaled
from tests.verify.claim.test_profile_claims import (
    cocoercive,
    cocoercive_longer,
    extragradient,
    forward,
    pl,
    pl_sooner,
)
from tests.verify.claim.test_rough import STEP, half, subgradient, weak, weaker
from verify.claim.functions import functions
from verify.claim.parameters import Real
from verify.claim.statement import Statement, statement
from verify.ladder.proofs import recheck
from verify.ladder.rungs.certificate import prove
from verify.ladder.rungs.worst_cases import symbolic
from verify.ladder.rungs.worst_cases.climbing import WorstCases
from verify.ladder.rungs.worst_cases.squares import proof_squares
from verify.ladder.rungs.worst_cases.symbolic import class_claim_sets
from verify.terms.claims import as_terms
from verify.verdict.evidence import Evidence
from verify.world.visited import visited


@statement(
    "rough.two",
    where="textbook",
    latex="x",
    family=functions("Lipschitz convex", rounds=2, extra=STEP),
    defines={"step_size": lambda w: w.h},
)
def two(w: Any) -> Any:
    """The mean of the first two values of the subgradient method."""
    seen, best = visited(w), w.problem.optimum[..., 0, :]
    away = xp.squared_norm(seen.points[..., 0, :] - best)
    fall = 2 * w.h * (seen.excess[..., 0, 0] + seen.excess[..., 1, 0])
    return {"fall": fall}, {"before": away, "steps": 2 * w.h**2 * w.lipschitz[..., 0] ** 2}


TRUE = [subgradient, weak, two]


def proof(claim: Statement) -> Evidence | None:
    """A proof of a claim."""
    return next((e for e in prove(as_terms(claim)) if e.proof is not None), None)


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.key)
def test_a_true_claim_is_proved_for_every_parameter(claim: Statement) -> None:
    found = proof(claim)
    assert found is not None
    assert found.status == "decided"
    assert found.scope.startswith(("all Lipschitz convex", "all weakly convex"))
    assert recheck(as_terms(claim), found.proof, whole=True)


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.key)
def test_its_false_twin_is_not_and_has_no_use_for_the_proof(claim: Statement) -> None:
    twin = scaled(claim, Fraction(9, 10))
    assert proof(twin) is None
    found = proof(claim)
    assert found is not None
    assert not recheck(as_terms(twin), found.proof)


@pytest.mark.parametrize("claim", [half, weaker], ids=lambda claim: claim.key)
def test_a_false_claim_is_not_proved(claim: Statement) -> None:
    assert proof(claim) is None


OPERATORS = {"profiles.cocoercive": 1, "profiles.monotone": 1, "profiles.pl": 0}
"""Claims on operators, and on PL losses in several dimensions; whether they are tight."""


@pytest.mark.parametrize("claim", [cocoercive, extragradient, pl], ids=lambda claim: claim.key)
def test_classes_with_some_members_alone_are_proved_as_a_whole(claim: Statement) -> None:
    found = proof(claim)
    assert found is not None
    assert found.status == "decided"
    assert "in every dimension" in found.scope
    assert recheck(as_terms(claim), found.proof, whole=True)
    cases = WorstCases(as_terms(claim), 0, 20)
    assert all(not [*cases.candidates(spot)] for spot in cases.spots())
    assert cases.best is not None
    tight = cases.best.ratio == pytest.approx(1, abs=1e-6)
    assert tight if OPERATORS[claim.key] else cases.best.ratio < 1


@pytest.mark.parametrize(
    "claim", [cocoercive_longer, forward, pl_sooner], ids=lambda claim: claim.key
)
def test_their_false_twins_are_not(claim: Statement) -> None:
    assert proof(claim) is None
    cases = WorstCases(as_terms(claim), 0, 20)
    assert max(spot.ratio for spot in cases.spots()) > 1.1


def smooth(rounds: int, divisor: int) -> Statement:
    """Gradient descent with step 1/L: the squared gradient of the last point."""

    @statement(
        "smooth.flat",
        where="PEPit",
        latex="x",
        family=functions("smooth convex", rounds=rounds),
        defines={"step_size": lambda w: 1 / w.beta},
    )
    def made(w: Any) -> Any:
        seen, best = visited(w), w.problem.optimum[..., 0, :]
        away = xp.squared_norm(seen.points[..., 0, :] - best)
        slope = xp.squared_norm(seen.gradients[..., rounds, 0, :])
        return {"|g|^2": slope}, {"(LD)^2": w.beta**2 * away / divisor}

    return made


@pytest.mark.slow
def test_five_steps_are_proved_by_the_squares_of_an_exact_certificate() -> None:
    found = proof(smooth(5, 36))
    assert found is not None
    assert found.status == "decided"
    assert recheck(as_terms(smooth(5, 36)), found.proof, whole=True)
    assert not recheck(as_terms(smooth(5, 37)), found.proof)
    assert proof(smooth(5, 37)) is None


def stepped(part: Fraction) -> Statement:
    """One gradient step of any length s/L up to 1/L: L D^2/(4s + 2) is the worst case."""

    @statement(
        "smooth.stepped",
        where="Drori, Teboulle (2014)",
        latex="x",
        family=functions("smooth convex", extra={"s": Real(1 / 16, 1, domain=(0, 1))}),
        defines={"step_size": lambda w: w.s / w.beta},
    )
    def made(w: Any) -> Any:
        seen, best = visited(w), w.problem.optimum[..., 0, :]
        away = xp.squared_norm(seen.points[..., 0, :] - best)
        bound = part * w.beta * away / (4 * w.s + 2)
        return {"f": seen.excess[..., 1, 0]}, {"LD^2": bound}

    return made


def test_a_step_of_any_length_is_proved_by_squares_through_several_lengths() -> None:
    found = proof(stepped(Fraction(1)))
    assert found is not None
    assert found.status == "decided"
    assert recheck(as_terms(stepped(Fraction(1))), found.proof, whole=True)
    assert proof(stepped(Fraction(99, 100))) is None


def test_squares_are_those_of_a_certificate() -> None:
    claim = as_terms(smooth(3, 16))
    (roots,) = proof_squares(claim, claim.family.shapes[0])
    assert 0 < len(roots) <= 5
    (none,) = proof_squares(as_terms(smooth(3, 17)), claim.family.shapes[0])
    assert none == []


def test_several_listed_rounds_are_reported_not_proved() -> None:
    family = functions("Lipschitz convex", rounds=(1, 2), extra=STEP)
    (claims,) = class_claim_sets(as_terms(replace(subgradient, family=family)))
    assert not claims.complete
    assert len(claims.all()) == 2


def test_a_claim_that_another_problem_gives_is_refused(monkeypatch: Any) -> None:
    """Control: a reading with other steps than the method's does not agree with its runs."""
    whole = symbolic.asked

    def other(claim: Statement, known: Any, shape: Any, numbers: Any) -> Any:
        moved = {**numbers, "h": numbers["h"] * 2}
        return whole(claim, known, shape, moved)

    assert [*class_claim_sets(as_terms(subgradient))]
    monkeypatch.setattr(symbolic, "asked", other)
    assert [*class_claim_sets(as_terms(subgradient))] == []


def test_a_choice_that_depends_on_parameters_is_not_read() -> None:
    def sides(w: Any) -> Any:
        left, right = subgradient(w)
        return left, {**right, "more": xp.where(w.h > 1, w.h, 0 * w.h)}

    assert [*class_claim_sets(as_terms(replace(subgradient, sides=sides)))] == []


@pytest.mark.parametrize("name", ["G", "start_", "g_0"])
def test_a_parameter_with_the_name_of_another_symbol_is_not_read(name: str) -> None:
    box = {"h": STEP["h"], name: Real(1, 2)}
    family = functions("Lipschitz convex", extra=box)

    def sides(w: Any) -> Any:
        left, right = subgradient(w)
        return left, {**right, "more": w.symbol(name) * right["step"]}

    claim = as_terms(replace(subgradient, family=family, sides=sides))
    assert bool([*class_claim_sets(claim)]) is (name == "start_")
