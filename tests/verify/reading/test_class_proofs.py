"""Claims about classes of functions: proved over the class, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.certify.published_rates import (
    CONVEX,
    RATES,
    Rate,
    excess,
    full_step,
    start_distance,
)
from verify.certify.algebra.solvers import complaints
from verify.certify.gram import roots as gram_roots
from verify.certify.gram.floats import NoSolution
from verify.claim import Real, Statement, statement
from verify.claim.functions import class_of, functions
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.classes.claims import candidates, class_claims, vectors_of_class
from verify.world.visited import visited
from verify.world.world import World

ALMOST = Fraction(999_999, 1_000_000)
GRADIENT_2 = Rate(
    "Drori and Teboulle 2014, Theorem 3.1, N = 2: L R^2 / (4 N + 2)",
    functions(CONVEX, rounds=2),
    lambda w: excess(visited(w), 2),
    lambda w: start_distance(w) / 10,
    full_step,
)
PROVED = {
    name: RATES[name]
    for name in ("gradient-1", "gradient-3", "gradient-slope-distance", "gradient-slope-value")
}
PROVED["gradient-2"] = GRADIENT_2


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.every(2)
def test_tight_rates_are_proved_over_their_class(name: str) -> None:
    claim = PROVED[name].claim(name)
    (found,) = prove(claim)
    assert found.status == "decided"
    assert "every dimension" in found.scope
    proof = json.loads(json.dumps(found.proof))
    assert recheck(claim, proof)
    assert not recheck(PROVED[name].claim(name, ALMOST), proof)


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.every(2)
def test_a_millionth_less_is_not_proved(name: str) -> None:
    found = list(prove(PROVED[name].claim(name, ALMOST)))
    assert all(item.status == "not-applicable" and item.proof is None for item in found)


# -- one step with the step size as a symbol -------------------------------------------------------


def up_to(end: int) -> dict[str, Real]:
    return {"share": Real(1 / 16, 15 * end / 16, domain=(0, end))}


def one_step(
    kind: str, end: int, left: Callable[[World], Any], right: Callable[[World], Any], **more: Any
) -> Statement:
    return statement(
        "class.step",
        where="here",
        latex="",
        family=functions(kind, extra=up_to(end), **more),
        defines={"step_size": lambda w: w.share / w.beta},
    )(lambda w: ({"left": left(w)}, {"right": right(w)}))


def fall(w: World, t: int) -> Any:
    return visited(w).excess[:, :, t, 0]


def gradient(w: World) -> Any:
    return xp.squared_norm(visited(w).gradients[:, :, 0, 0])


def distance(w: World, t: int) -> Any:
    return xp.squared_norm(visited(w).points[:, :, t] - w.problem.optimum[..., 0, :])


def descent(factor: int) -> Statement:
    return one_step(
        "smooth",
        2,
        lambda w: fall(w, 1),
        lambda w: fall(w, 0) - w.step_size * (1 - w.share / factor) * gradient(w),
    )


def contraction(kind: str, measure: Callable[[World, int], Any], percent: int) -> Statement:
    return one_step(
        kind,
        1,
        lambda w: measure(w, 1),
        lambda w: (1 - w.mu * w.step_size * percent / 100) * measure(w, 0),
    )


STEPS = {
    "descent lemma": (descent(2), descent(3)),
    "strongly convex, values": (
        contraction("smooth strongly convex", fall, 100),
        contraction("smooth strongly convex", fall, 220),
    ),
    "strongly convex, distances": (
        contraction("smooth strongly convex", distance, 100),
        contraction("smooth strongly convex", distance, 220),
    ),
    "PL, values": (contraction("smooth PL", fall, 100), contraction("smooth PL", fall, 105)),
}


@pytest.mark.parametrize("name", STEPS)
def test_one_step_is_proved_for_every_step_size(name: str) -> None:
    true, false = STEPS[name]
    (found,) = prove(true)
    assert found.status == "decided"
    proof = json.loads(json.dumps(found.proof))
    assert recheck(true, proof)
    assert not recheck(false, proof)
    assert list(prove(false)) == []


# -- readings that are refused ---------------------------------------------------------------------


def test_a_claim_about_one_coordinate_has_no_reading() -> None:
    made = one_step(CONVEX, 1, lambda w: w.start[..., 0] ** 2, lambda w: distance(w, 0))
    assert class_claims(made) == ([], False)
    assert list(prove(made)) == []


def test_a_claim_about_other_families_too_has_no_reading() -> None:
    made = PROVED["gradient-1"].claim("also")
    assert class_claims(made)[0]
    assert class_claims(replace(made, also=(made.family,))) == ([], False)


def test_a_method_without_symbolic_run_has_no_reading() -> None:
    made = one_step(CONVEX, 1, lambda w: fall(w, 1), lambda w: fall(w, 0), method="ditto")
    assert class_claims(made) == ([], False)


def test_several_numbers_of_rounds_are_no_claim_about_all() -> None:
    rate = replace(
        PROVED["gradient-1"],
        family=functions(CONVEX, rounds=(1, 2)),
        left=lambda w: excess(visited(w), 1),
    )
    (found,) = prove(rate.claim("several"))
    assert found.status == "reported"


def test_a_solver_that_fails_leaves_no_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise NoSolution("the solver says MaxIterations")

    ((_, claim, _),), _ = class_claims(PROVED["gradient-1"].claim("unsolved"))
    assert candidates(claim)
    monkeypatch.setattr(gram_roots, "clarabel_answer", fails)
    with complaints() as said:
        assert candidates(claim) == []
    assert set(said) == {"no squares were proposed: the solver says MaxIterations"}


def test_names_of_vectors_and_classes() -> None:
    made = PROVED["gradient-1"].claim("names")
    ((_, claim, vectors),), complete = class_claims(made)
    assert complete
    assert vectors == vectors_of_class(claim) == ("g_0", "g_1", "opt", "start")
    assert class_of(made.family) == CONVEX
    assert class_of(functions("smooth PL")) == "smooth PL"
