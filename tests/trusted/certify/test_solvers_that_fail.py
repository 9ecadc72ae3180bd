"""A solver that fails, or answers inaccurately, proves nothing: what is left is the reason."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import clarabel
import numpy as np
import pytest
import sympy

from bounds import generic as xp
from tests.trusted.certify.test_planted_falsehoods import KINDS, MILLIONTH
from tests.verify.certify.test_worst_case import STALLS, TABLE
from tests.verify.reading.test_class_proofs import PROVED
from verify.certify import checker
from verify.certify.algebra import solvers
from verify.certify.algebra.solvers import Answer, simplex
from verify.certify.gram import floats
from verify.certify.gram.floats import NoSolution
from verify.certify.gram.solve import certificate
from verify.certify.prover import prove as proving
from verify.certify.prover.kept import Answers
from verify.certify.prover.prove import certify
from verify.certify.worst_case.instance import attained
from verify.certify.worst_case.step import AveragingStep, collapsed, tangents, upper
from verify.claim import Hypothesis, Real, Statement, numbers, statement
from verify.ladder.rungs.certificate import prove
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import verdict


def _raises(*_: Any, **__: Any) -> Any:
    raise RuntimeError("out of memory")


def _off(*programme: Any) -> Answer:
    """The right answer, wrong in the sixth digit."""
    answer = simplex(*programme)
    if answer.x is not None:
        answer.x = np.array(answer.x) + 1e-6 * np.where(np.arange(len(answer.x)) % 2, 1.0, -1.0)
    return answer


LINEAR: dict[str, tuple[Callable[..., Any], str]] = {
    "raises": (_raises, "the linear solver failed: RuntimeError out of memory"),
    "not numbers": (
        lambda cost, *_: Answer(solvers.SOLVED, [float("nan")] * len(cost)),
        "the linear solver gave no numbers",
    ),
    "none": (lambda cost, *_: Answer(solvers.SOLVED, None), "the linear solver"),
    "inaccurate": (
        lambda *_: Answer(solvers.FAILED, message="numerical difficulties"),
        "the linear solver failed: numerical difficulties",
    ),
    "ones": (lambda cost, *_: Answer(solvers.SOLVED, [1.0] * len(cost)), "inaccurate"),
    "zeros": (lambda cost, *_: Answer(solvers.SOLVED, [0.0] * len(cost)), "inaccurate"),
    "negative": (lambda cost, *_: Answer(solvers.SOLVED, [-1.0] * len(cost)), "inaccurate"),
}
BELOW = 1 - Fraction(1, 10**6)
CAP = 300
"""Products tried: enough for the proofs, and a lying solver is not asked for a minute."""
FAKES = {**{name: fake for name, (fake, _) in LINEAR.items()}, "off by a millionth": _off}


@pytest.mark.parametrize("failure", FAKES)
@pytest.mark.parametrize("kind", range(9))
def test_nothing_false_is_proved(failure: str, kind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "simplex", FAKES[failure])
    monkeypatch.setattr(proving, "_ANSWERS", Answers())
    left, right, relation, given = KINDS[kind](sympy.Integer(2), sympy.Integer(3), MILLIONTH)
    assert certify(left, right, relation, given, cap=CAP) is None


@pytest.mark.parametrize("kind", range(9))
def test_the_true_claims_beside_them_are_proved_within_the_cap(kind: int) -> None:
    left, right, relation, given = KINDS[kind](sympy.Integer(2), sympy.Integer(3), 0)
    assert certify(left, right, relation, given, cap=CAP) is not None


INHABITED = Evidence("hypotheses", "reported", "instances meet them", counted=200)


def _mean() -> Statement:
    """A claim that is true and has a proof."""
    box = {"a": Real(0, 2), "b": Real(0, 2)}
    given = Hypothesis("a at most b", "", lambda w: w.b - w.a)
    family = numbers(box, {"N": 2})
    return statement("solvers.mean", where="here", latex="", family=family, given=[given])(
        lambda w: ({"left": w.a}, {"right": (w.a + w.b) / 2})
    )


def test_the_claim_has_a_proof_where_the_solver_works() -> None:
    (found,) = prove(_mean())
    assert found.status == "decided"
    assert verdict([INHABITED, found]).word == "proved"


@pytest.mark.parametrize("failure", LINEAR)
def test_the_reason_is_said_and_the_verdict_left_open(
    failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake, reason = LINEAR[failure]
    monkeypatch.setattr(solvers, "simplex", fake)
    monkeypatch.setattr(clarabel, "DefaultSolver", _raises)  # the other one would find a proof
    monkeypatch.setattr(proving, "_ANSWERS", Answers())  # what was found before is not asked again
    (found,) = prove(_mean())
    assert (found.rung, found.status, found.proof) == ("certificate", "not-applicable", None)
    assert reason in found.summary
    word = verdict([INHABITED, found])
    assert word.word == "inconclusive"
    assert reason in word.reason


@pytest.mark.parametrize("failure", LINEAR)
def test_where_one_solver_fails_squares_may_prove_it(
    failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "simplex", LINEAR[failure][0])
    monkeypatch.setattr(proving, "_ANSWERS", Answers())
    (found,) = prove(_mean())
    assert found.status == "decided"
    for part in (found.proof or {})["certificates"]:
        assert checker.accepts(part["written"])


def test_a_proof_from_an_answer_that_is_off_is_exact_or_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solvers, "simplex", _off)
    monkeypatch.setattr(proving, "_ANSWERS", Answers())
    for found in prove(_mean()):
        proved = found.status == "decided"
        assert proved or "inaccurate" in found.summary
        for part in (found.proof or {}).get("certificates", []):
            assert checker.accepts(part["written"])


def test_no_reason_is_given_where_there_is_nothing_to_prove() -> None:
    false = statement(
        "solvers.false", where="here", latex="", family=numbers({"a": Real(0, 2)}, {"N": 2})
    )(lambda w: ({"left": w.a}, {"right": w.a / 2}))
    assert list(prove(false)) == []


# -- semidefinite programmes -----------------------------------------------------------------------


class PanicException(BaseException):
    """As the binding of Clarabel raises where an eigenvalue is not found: no `Exception`."""


class Semidefinite:
    """Stands in for Clarabel."""

    way = "raises"

    def __init__(self, *programme: Any) -> None:
        self._programme = programme

    def solve(self) -> Any:
        """What the way says."""
        answer = REAL(*self._programme).solve()
        x, z = np.array(answer.x), np.array(answer.z)
        if self.way == "raises":
            raise RuntimeError("out of memory")
        if self.way == "breaks off":
            raise PanicException("Eigval error: Eigen(1)")
        if self.way == "not numbers":
            x = x * np.nan
        if self.way == "off":
            x, z = x * (1 - 1e-6), z * (1 + 1e-6)
        status = "InsufficientProgress" if self.way == "inaccurate" else answer.status
        told = ("s", "obj_val", "obj_val_dual", "r_prim", "r_dual")
        rest = {name: getattr(answer, name) for name in told}
        if self.way == "inaccurate":
            rest["r_prim"] = 1.0  # what it stopped at is no solution
        return SimpleNamespace(status=status, x=x, z=z, **rest)


REAL = clarabel.DefaultSolver
REASONS = {
    "raises": "the solver failed: RuntimeError out of memory",
    "breaks off": "the solver broke off: Eigval error",
    "not numbers": "the solver gives no numbers",
    "inaccurate": "the solver says InsufficientProgress",
}


@pytest.fixture(params=[*REASONS, "off"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(clarabel, "DefaultSolver", Semidefinite)
    monkeypatch.setattr(Semidefinite, "way", request.param)
    monkeypatch.setattr(floats, "_by_scs", lambda _: None)  # no other solver is at hand
    return str(request.param)


def test_a_worst_case_is_certified_exactly_or_not_at_all(way: str) -> None:
    step = TABLE["bias"][0]
    if way in REASONS:
        with pytest.raises(NoSolution, match=REASONS[way]):
            upper(step)
        return
    try:
        proof = upper(step)
    except NoSolution:
        return  # nothing near the answer passed the exact check
    checker.check(proof.to_json())
    assert proof.bound >= Fraction(8714988354, 10**10)


@pytest.mark.parametrize("name", STALLS)
def test_what_one_solver_stops_at_another_one_solves(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = (tuple(map(Fraction, part.split())) for part in STALLS[name].split("|"))
    (mu, eta), weights, bias, slope = parts
    step = AveragingStep(Fraction(1), mu, eta, weights, bias, slope)
    reached = attained(step).value
    monkeypatch.setattr(clarabel, "DefaultSolver", Semidefinite)
    monkeypatch.setattr(Semidefinite, "way", "inaccurate")
    proof = upper(step)
    checker.check(proof.to_json())
    assert 0 <= proof.bound - reached <= proof.bound / 10**6
    with pytest.raises(NoSolution):
        certificate(collapsed(step, tangents(step)), "false", bound=reached * BELOW)
    monkeypatch.setattr(floats, "SCS_STEPS", 10)  # and where that one does not come to an end
    with pytest.raises(NoSolution, match=REASONS["inaccurate"]):
        upper(step)


@pytest.mark.parametrize("name", TABLE)
def test_a_bound_below_what_is_attained_is_never_certified(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = TABLE[name][0]
    reached = attained(step).value
    monkeypatch.setattr(clarabel, "DefaultSolver", Semidefinite)
    for wrong in [*REASONS, "off"]:
        monkeypatch.setattr(Semidefinite, "way", wrong)
        with pytest.raises(NoSolution):
            certificate(collapsed(step, tangents(step)), "false", bound=reached * BELOW)


def test_a_claim_over_a_class_without_squares_says_why(way: str) -> None:
    found = list(prove(PROVED["gradient-1"].claim("unsolved")))
    if way in REASONS:
        assert [e.status for e in found] == ["not-applicable"]
        assert f"no squares were proposed: {REASONS[way]}" in found[0].summary
        assert verdict([INHABITED, *found]).word == "inconclusive"
    assert all(
        checker.accepts(part["written"])
        for e in found
        if e.proof
        for part in e.proof["certificates"]
    )


def test_vectors_need_no_semidefinite_solver(way: str) -> None:
    assert way
    family = numbers(
        {"x": Real(-2, 2, per=("d",)), "y": Real(-2, 2, per=("d",))}, {"d": 1}, {"d": 2}
    )
    young = statement("solvers.young", where="here", latex="", family=family)(
        lambda w: (
            {"left": 2 * xp.dot(w.x, w.y)},
            {"right": xp.squared_norm(w.x) + xp.squared_norm(w.y)},
        )
    )
    (found,) = prove(young)
    assert found.status == "decided"
