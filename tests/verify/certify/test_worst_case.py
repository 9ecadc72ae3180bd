"""Worst case of one averaging step: certified from above, attained from below."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify.certify import checker
from verify.certify.gram.check import complaint, is_semidefinite
from verify.certify.gram.claim import Form, GramCertificate, Premise, constant, value, vector
from verify.certify.gram.classes import interpolation, met, minimum
from verify.certify.gram.floats import NoSolution, Programme
from verify.certify.gram.solve import certificate, solve
from verify.certify.worst_case.instance import attained, replayed
from verify.certify.worst_case.step import (
    AveragingStep,
    aggregate,
    collapsed,
    full,
    tangents,
    upper,
)
from verify.claim import Hypothesis, Real, Statement, numbers, statement
from verify.ladder.rungs.certificate import prove
from verify.world.world import World

TENTHS, NONE = ".1 .2 .3", "0 0 0"


def step_of(b: str, c: str, step: str = "1", mu: str = "1/10", **more: Any) -> AveragingStep:
    """Weights 1/4 each, beta = 1, start 1."""
    bias, slope = (tuple(map(Fraction, text.split())) for text in (b, c))
    weights = (Fraction(1, 4),) * (len(bias) + 1)
    return AveragingStep(Fraction(1), Fraction(mu), Fraction(step), weights, bias, slope, **more)


def drawn(seed: int, others: int, *, slopes: bool = True) -> AveragingStep:
    """A random step with short rational numbers."""
    rng = random.Random(seed)

    def number(high: float) -> Fraction:
        return Fraction(rng.randint(0, 100), 100) * Fraction(high)

    mu = rng.choice([Fraction(0), Fraction(-1), Fraction(rng.randint(1, 80), 100)])
    bias = tuple(number(1) for _ in range(others))
    slope = tuple(number(1) if slopes else Fraction(0) for _ in range(others))
    weights = tuple(number(1) + Fraction(1, 50) for _ in range(others + 1))
    return AveragingStep(Fraction(1), mu, number(1.5) + Fraction(1, 10), weights, bias, slope)


TABLE = {
    "alone": (step_of(NONE, NONE), 0.81, 0.81 * (1 + 1e-7)),
    "bias": (step_of(TENTHS, NONE), 0.8714988354, 0.8714989377),
    "bias and slope": (step_of(TENTHS, TENTHS), 0.8970825, 0.8970835),
    "large bias": (step_of("1 2 3", NONE, "1/2"), 1.375, 1.375 * (1 + 1e-7)),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_published_worst_cases_are_certified_and_attained(name: str) -> None:
    step, low, high = TABLE[name]
    proof, instance = upper(step), attained(step)
    assert low <= proof.bound <= high
    assert 0 <= proof.bound - instance.value <= proof.bound / 10**6
    assert replayed(instance) == instance.value
    assert "is at most" in checker.check(proof.to_json())


@pytest.mark.parametrize("seed", range(12))
def test_the_gap_is_a_millionth_at_most(seed: int) -> None:
    step = drawn(seed, others=seed % 5)
    proof = upper(step)
    checker.check(proof.to_json())
    assert 0 <= proof.bound - attained(step).value <= proof.bound / 10**6


STALLS = {
    "alone": "3/5 1/6 | 0 11/20 | 0 | 0",
    "one other": "9/200 5/6 | 9/20 3/4 | 1 | 0",
    "three others": "0 68/75 | 7/20 3/5 1/4 13/20 | 43/50 63/100 3/4 | 0 0 0",
    "bias and slope": "29/100 2/3 | 1/5 7/20 3/20 1 | 3/4 1 61/100 | 2/5 0 7/10",
    "convex": "0 43/60 | 9/10 1/2 7/20 11/20 | 0 0 1 | 0 1/2 1/10",
}
"""mu and step, weights, b and c of steps at which Clarabel stops short of its accuracy at first."""


@pytest.mark.parametrize("name", STALLS)
def test_a_solver_that_stalls_is_asked_again_in_other_units(name: str) -> None:
    (mu, eta), *rest = (tuple(map(Fraction, part.split())) for part in STALLS[name].split("|"))
    step = AveragingStep(Fraction(1), mu, eta, *rest)
    proof = upper(step)
    checker.check(proof.to_json())
    assert 0 <= proof.bound - attained(step).value <= proof.bound / 10**6


def test_a_replay_refuses_an_instance_outside_the_class() -> None:
    good = attained(TABLE["bias"][0])
    scaled = tuple(tuple(q * 2 for q in row) for row in good.client_gradients[1:])
    with pytest.raises(NoSolution, match="too far"):
        replayed(replace(good, client_gradients=(good.client_gradients[0], *scaled)))
    raised = replace(good, step=replace(good.step, start=Fraction(1, 2)))
    with pytest.raises(NoSolution, match="starts too high"):
        replayed(raised)


# -- collapse and noise ----------------------------------------------------------------------------


@pytest.mark.parametrize("others", [1, 2, 4, 7, 10])
@pytest.mark.parametrize("slopes", [False, True])
def test_one_error_vector_is_as_good_as_one_per_client(others: int, slopes: bool) -> None:
    step = drawn(40 + others, others, slopes=slopes)
    one = solve(collapsed(step, tangents(step))).bound
    assert one == pytest.approx(solve(full(step)).bound, rel=2e-7)  # two solvers' runs at 1e-8


def test_without_slopes_one_bound_on_the_error_is_exact() -> None:
    """|e| <= sum alpha b is one bound; other shares give a weaker one."""
    step = step_of(TENTHS, NONE)
    (shares,) = tangents(step)
    sharp = aggregate(step, shares).form.terms[()]
    assert sharp == (Fraction(6, 10) / 4) ** 2
    assert aggregate(step, [1, 1, 1]).form.terms[()] > sharp
    forged = changed(upper(step).to_json(), "premises.1.rule.error.shares.0", 0)
    with pytest.raises(checker.Refused, match="has no share"):
        checker.check(forged)


ROWS, POSITIVE = Real(-2, 2, per=("N", "d")), Real(1 / 8, 8, log=True, per=("N",))
SIZES = ({"N": 1, "d": 1}, {"N": 2, "d": 2})


def lemma(
    left: Callable[[World], Any], right: Callable[[World], Any], *given: Hypothesis
) -> Statement:
    family = numbers({"d_k": ROWS, "alpha": POSITIVE, "b": POSITIVE}, *SIZES)
    return statement("collapse.lemma", where="here", latex="", family=family, given=given)(
        lambda w: ({"left": left(w)}, {"right": right(w)})
    )


def aggregated(w: World) -> Any:
    return xp.squared_norm(xp.total(w.alpha[..., None] * w.d_k, axis=-2))


def spread(w: World) -> Any:
    return xp.total(w.alpha * xp.squared_norm(w.d_k) / w.b)


def total_bias(w: World) -> Any:
    return xp.total(w.alpha * w.b)


def test_the_lemma_of_the_collapse_is_proved_for_any_clients_and_dimension() -> None:
    """|sum alpha d|^2 <= sum alpha b sum alpha |d|^2/b <= (sum alpha b)^2 where |d_k| <= b_k."""
    short = Hypothesis("error at most b", "", lambda w: w.b**2 - xp.squared_norm(w.d_k))
    mixed = lemma(aggregated, lambda w: total_bias(w) * spread(w))
    bounded = lemma(spread, total_bias, short)
    assert [found.status for claim in (mixed, bounded) for found in prove(claim)] == ["decided"] * 2
    assert list(prove(lemma(spread, total_bias))) == []
    assert list(prove(lemma(aggregated, lambda w: total_bias(w) * spread(w) * 99 / 100))) == []


def test_the_collapsed_programme_does_not_grow() -> None:
    vectors = set()
    for others in (3, 1000):
        bias = tuple(Fraction(k % 7, 10) for k in range(others))
        slope = tuple(Fraction(k % 5, 10) for k in range(others))
        weights = (Fraction(1, others + 1),) * (others + 1)
        step = AveragingStep(Fraction(1), Fraction(1, 10), Fraction(1, 2), weights, bias, slope)
        upper(step)  # loads what is loaded once
        start = time.process_time()
        proof = upper(step)
        assert time.process_time() - start < 60  # a busy machine counts up to a few
        vectors.add(proof.vectors)
    assert len(vectors) == 1


@pytest.mark.parametrize("mu", ["1/10", "0", "-1"])
def test_noise_adds_its_variance_times_half_the_smoothness(mu: str) -> None:
    """The programme with two outcomes of the noise, against the closed form."""
    step = step_of(TENTHS, NONE, "4/5", mu, variance=(Fraction(1, 2),) * 4)
    spread = step.step**2 * Fraction(1, 16) * 4 / 2
    plain = collapsed(step, tangents(step))
    after = vector("x") - (vector("g") * step.total + vector("e")) * step.step
    ends = [
        met(name, after + vector("n") * sign, vector(f"g{name}"), f"f{name}")
        for name, sign in (("up", 1), ("down", -1))
    ]
    before = met("x", vector("x"), vector("g"), "f(x)")
    points = [before, *ends] if step.mu < 0 else [minimum(), before, *ends]
    kept = [p for p in plain.premises if "start" in p.rule or "error" in p.rule]
    noise = Premise("variance", constant(spread) - vector("n").square())
    objective = (value("fup") + value("fdown")) * Fraction(1, 2)
    premises = (*kept, noise, *interpolation(points, step.mu, step.beta))
    noisy = solve(Programme(objective, premises, {})).bound
    assert noisy == pytest.approx(solve(plain).bound + float(step.noise), rel=1e-6)
    assert step.noise == spread / 2


# -- what must be refused --------------------------------------------------------------------------


def changed(document: dict[str, Any], path: str, new: Any) -> dict[str, Any]:
    """A copy with one entry replaced; a callable maps the old entry."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    *keys, last = [int(k) if k.isdigit() else k for k in path.split(".")]
    at: Any = copy
    for key in keys:
        at = at[key]
    at[last] = new(at[last]) if callable(new) else new
    return copy


def moved(by: Fraction) -> Callable[[str], str]:
    return lambda text: str(Fraction(text) + by)


FORGERIES = {
    "a negative multiplier": ("premises.0.multiplier", "-1/2", "is negative"),
    "a multiplier's digit": ("premises.0.multiplier", moved(Fraction(1, 10**9)), "identity fails"),
    "a digit of the bound": ("bound", moved(Fraction(-1, 10**6)), "exceeds the bound"),
    "a premise for another": ("premises.0.terms", [[["f(x)"], "1"]], "does not follow"),
    "the rule of another": ("premises.2.rule", {"start": "1"}, "does not follow"),
    "an unknown rule": ("premises.2.rule", {"hope": "1"}, "no rule"),
    "an equality": ("premises.0.equality", True, "does not follow"),
    "a smaller class": ("problem.mu", "1/5", "does not follow"),
    "a smaller bias": ("problem.bias.0", "0", "does not follow"),
    "an indefinite matrix": ("matrix.0.0", "-1", "positive semidefinite"),
    "a crooked matrix": ("matrix.0.1", "7", "not symmetric"),
    "another objective": ("objective", [[["f(x)"], "1"]], "objective"),
    "another format": ("format", "fedassay-gram-certificate/0", "format"),
    "a step backwards": ("problem.step", "-1", "step >= 0"),
    "no number": ("bound", "one", "malformed"),
    "another kind of step": ("problem.kind", "descent", "no rules for the kind descent"),
    "a negative weight": ("problem.weights.1", "-1/4", "a weight, b or c is negative"),
    "a sum rounded to nothing": ("premises.1.rule.error.units.0", "0", "needs a positive unit"),
    "the infimum of a convex loss": ("premises.2.rule", {"infimum": "x"}, "need not be convex"),
}


@each("name", FORGERIES)
def test_a_forgery_is_refused_for_its_own_reason(name: str) -> None:
    path, new, reason = FORGERIES[name]
    document = upper(TABLE["bias"][0]).to_json()
    with pytest.raises(checker.Refused, match=reason):
        checker.check(changed(document, path, new))


def test_the_checker_needs_nothing_but_the_standard_library(tmp_path: Any) -> None:
    document = upper(TABLE["bias"][0]).to_json()
    for name, content, code in (
        ("good", document, 0),
        ("bad", changed(document, "bound", "1/2"), 1),
    ):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(content))
        done = subprocess.run(
            [sys.executable, "-I", "-S", checker.__file__, str(file)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code
        assert done.stdout.startswith("refused" if code else "accepted")


@pytest.mark.parametrize("seed", range(10))
def test_a_claim_off_by_a_millionth_is_never_proved(seed: int) -> None:
    """Ten claims each, below a value that an explicit instance attains by one part in 1e6."""
    for number in range(10):
        step = drawn(1000 + 10 * seed + number, others=2)
        reached = attained(step).value
        programme = collapsed(step, tangents(step))
        with pytest.raises(NoSolution):
            certificate(programme, "false", bound=reached * (1 - Fraction(1, 10**6)))


def test_a_true_bound_that_is_asked_for_is_proved() -> None:
    step = TABLE["bias"][0]
    programme = collapsed(step, tangents(step))
    proof = certificate(programme, "true", bound=Fraction(8715, 10000))
    assert complaint(proof) == ""
    assert complaint(replace(proof, bound=Fraction(8714, 10000))) != ""


def test_a_solver_without_an_answer_leaves_a_reason() -> None:
    unbounded = Programme(vector("x").square(), (Premise("weak", value("f")),), {})
    with pytest.raises(NoSolution, match="solver"):
        certificate(unbounded, "unbounded")


@pytest.mark.parametrize(
    "change",
    [
        {"beta": 0},
        {"mu": 1},
        {"step": -1},
        {"start": 0},
        {"bias": (1,)},
        {"slope": (-1, 0, 0)},
        {"weights": ()},
    ],
)
def test_a_step_out_of_its_domain_is_refused(change: dict[str, Any]) -> None:
    numbers = {
        k: tuple(map(Fraction, v)) if isinstance(v, tuple) else Fraction(v)
        for k, v in change.items()
    }
    with pytest.raises(InvalidInput, match="must be"):
        replace(TABLE["bias"][0], **numbers)


# -- the exact parts -------------------------------------------------------------------------------


def test_semidefinite_is_told_from_indefinite() -> None:
    half = Fraction(1, 2)
    assert is_semidefinite([[0, 0], [0, 1]])
    assert is_semidefinite([[1, half, half], [half, 1, half], [half, half, 1]])
    assert not is_semidefinite([[0, half], [half, 1]])
    assert not is_semidefinite([[1, 2], [2, 1]])
    assert not is_semidefinite([[1, 0], [0, -1]])


def test_certificates_survive_json() -> None:
    proof = upper(TABLE["bias"][0])
    assert GramCertificate.from_json(json.loads(json.dumps(proof.to_json()))) == proof
    with pytest.raises(ValueError, match="stands twice"):
        Form.from_json([[["a", "a"], "1"], [["a", "a"], "2"]])
