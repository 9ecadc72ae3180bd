"""Worst cases of whole classes as a rung: false claims fall by an instance, true ones never do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.qa.calibration.known.classes import CLASSES
from tests.qa.calibration.known.record import TRUE
from tests.verify.cases import scaled
from tests.verify.claim.test_rough import half, subgradient, weak, weaker
from verify.claim.families import numbers
from verify.claim.functions import functions
from verify.claim.parameters import Real
from verify.claim.statement import Statement, statement
from verify.ladder import PROFILES, assay
from verify.ladder.rungs.referee import Hearing
from verify.ladder.rungs.worst_cases.asked import asked, unknowns_of
from verify.ladder.rungs.worst_cases.climbing import Spot, WorstCases
from verify.ladder.rungs.worst_cases.values import candidate_values, tightest
from verify.line import one_line
from verify.terms.claims import as_terms
from verify.verdict.evidence import Evidence
from verify.world.visited import visited

FULL = {"step_size": lambda w: 1 / w.beta}
MOST = 40

REGRET = (
    "dot(g, x - z) + dot(u, y - z) <= {} M*D*sqrt(2) for M, D > 0, vectors x, y, z, g, u given "
    "norm(g) <= M, norm(u) <= M, norm(x - z) <= D, norm(y - z) <= D, norm(x - y) <= D, "
    "dot(x - D/(M*sqrt(2))*g - y, z - y) <= 0, dot(x - D/(M*sqrt(2))*g - y, x - y) <= 0"
)


@statement(
    "worst.halving",
    where="x",
    latex="x",
    family=functions("smooth convex", rounds=(1, 2, 4, 8)),
    defines=FULL,
)
def halving(w: Any) -> Any:
    """False from 46 rounds on: the worst case is L R^2/(4T + 2)."""
    away = xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    bound = xp.exp(-w.rounds / 10) * w.beta * away / 2
    return {"excess": visited(w).excess[..., -1, 0]}, {"bound": bound}


@statement("worst.steeper", where="x", latex="x", family=functions("smooth PL"), defines=FULL)
def steeper(w: Any) -> Any:
    """False where mu is close to L: the worst case is (2L - 2mu)/(2L + mu)."""
    seen = visited(w).excess
    return {"f1": seen[..., 1, 0]}, {"f0": (1 - 1.01 * w.mu / w.beta) * seen[..., 0, 0]}


def tried(claim: Statement) -> tuple[Spot | None, Evidence | None]:
    """The tightest worst case, and what the referee says of the first that breaks the claim."""
    claim = as_terms(claim)
    cases = WorstCases(claim, 0, MOST)
    for spot in cases.spots():
        heard = Hearing(claim, PROFILES["quick"], 0, tidy=False)
        for one in cases.candidates(spot) if spot.ratio > 1 + 1e-6 else ():
            item = heard.judge("worst case", one)
            if item is not None:
                return spot, item
    return cases.best, None


FALSE = {
    "regret of online gradient": (one_line(REGRET.format("0.98*"), "worst.regret"), 1 / 0.98),
    "half of the step's square": (half, 2),
    "exp(-T/10)": (halving, 1.59),
    "half of the bend": (weaker, 1.25),
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.every(2)
def test_a_false_claim_falls_at_once(name: str) -> None:
    claim, ratio = FALSE[name]
    spot, item = tried(claim)
    assert item is not None
    assert item.rung == "worst case"
    assert spot is not None
    assert spot.ratio == pytest.approx(ratio, rel=0.01)


def test_a_pl_rate_that_is_too_good_for_a_mu_near_l_falls() -> None:
    leaf = assay(steeper, profile=replace(PROFILES["quick"].word_alone(), evaluations=4000))
    assert leaf.verdict == "violated"


@pytest.mark.parametrize("known", CLASSES, ids=lambda known: known.name)
def test_calibrated_claims_get_the_right_answer(known: Any) -> None:
    spot, item = tried(known.statement)
    assert spot is not None
    if known.truth == TRUE:
        assert item is None
        assert spot.ratio < 1 + 1e-6
    else:
        assert item is not None


TIGHT = [subgradient, weak, one_line(REGRET.format(""), "worst.regret.whole")]


@pytest.mark.parametrize("claim", TIGHT, ids=lambda claim: claim.key)
def test_a_tight_claim_stands_and_its_false_twin_falls(claim: Statement) -> None:
    spot, item = tried(claim)
    assert item is None
    assert spot is not None
    assert spot.ratio == pytest.approx(1, abs=1e-6)
    spot, item = tried(scaled(claim, Fraction(98, 100)))
    assert item is not None


def test_the_word_of_a_leaf_rests_on_the_referee() -> None:
    claim, _ = FALSE["regret of online gradient"]
    leaf = assay(claim, profile=PROFILES["quick"].word_alone())
    assert (leaf.verdict, leaf.rung) == ("violated", "worst case")
    assert leaf.witness is not None


def test_a_true_claim_is_told_with_its_worst_case() -> None:
    leaf = assay(as_terms(subgradient), profile=replace(PROFILES["quick"], evaluations=600))
    told = [item for item in leaf.evidence if item.rung == "worst case"]
    assert [item.status for item in told] == ["reported"]
    assert leaf.verdict == "proved"
    assert leaf.tightness is not None
    assert leaf.tightness["ratio"] == pytest.approx(1, abs=1e-4)


NO_WORST_CASE = {
    "numbers alone": one_line("4*x*y <= (x + y)**2 for real x, y", "worst.numbers"),
    "a norm that turns with the axes": one_line(
        "norm1(x) <= 5*norm(x) for vectors x", "worst.norm1"
    ),
}


@pytest.mark.parametrize("name", NO_WORST_CASE)
def test_what_is_no_quadratic_form_has_none(name: str) -> None:
    cases = WorstCases(as_terms(NO_WORST_CASE[name]), 0, MOST)
    assert [*cases.spots()] == []
    assert cases.known is None or cases.why


def test_noise_and_other_quantifiers_have_none() -> None:
    noisy = replace(halving, family=functions("smooth convex", noise=True), over="mean")
    assert unknowns_of(noisy) is None
    assert unknowns_of(replace(halving, quantifier="some")) is None
    plain = replace(halving, family=numbers({"x": Real(0, 1)}))
    assert unknowns_of(plain) is None


def test_a_planted_fault_shows_in_the_instance() -> None:
    """Data of another problem than the claim's: the referee does not take them for a witness."""
    claim = as_terms(half)
    known = unknowns_of(claim)
    assert known is not None
    shape = claim.family.shapes[0]
    at = {"lipschitz": _table([1]), "h": _table(1)}
    made = asked(claim, known, shape, at)
    assert made is not None
    worst = tightest(made, made.places[0])
    assert worst is not None
    assert worst.ratio == pytest.approx(2, rel=1e-6)
    good = candidate_values(claim, known, shape, at, made, worst, 1e-6)
    assert good is not None
    heard = Hearing(claim, PROFILES["quick"], 0, tidy=False)
    assert heard.rescored_exactly(heard.exact(*good)).violated  # type: ignore[union-attr]
    values = {**good[0], "tilt": 0 * good[0]["tilt"]}
    found = heard.rescored_exactly(heard.exact(values, good[1]))
    assert found is not None
    assert not found.violated


def _table(value: Any) -> Any:
    out = np.empty(np.shape(value), dtype=object)
    out[()] = Fraction(1)
    return out
