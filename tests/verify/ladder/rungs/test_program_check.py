"""Sides are functions of one instance: what mixes the batch or answers twice is no claim."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.each import each
from tests.verify.cases import FIXED, SMALL, assume, claim, fixed_runs, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.rungs import program_check
from verify.ladder.rungs.program_check import FirstAnswers, program_fault

BOX = {"x": Real(1 / 8, 8, log=True), "y": Real(-4, 4, per=("N",))}
FAMILY = numbers({"N": 3}, **BOX)
CALLS = itertools.count(1)
DRAWS = np.random.default_rng(1)


def centred(values: Any, shape: Any) -> Instance:
    """Instances that know each other."""
    return Instance("numbers", {}, None, {"x": values["x"] - values["x"].mean()})


def helper(w: Any) -> Any:
    return w.x.max()


def sides(left: Callable[[Any], Any]) -> Statement:
    return claim(lambda w: ({"left": left(w)}, {"right": w.x + 9}), FAMILY)


MIXING = {
    "sum over all": sides(lambda w: w.x.sum()),
    "numpy's mean": sides(lambda w: np.mean(w.x)),
    "largest of all": sides(lambda w: w.x / w.x.max()),
    "in another function": sides(helper),
    "sorted over the instances": sides(lambda w: np.sort(w.x, axis=0)),
    "the first instance": sides(lambda w: w.x[0]),
    "the neighbour": sides(lambda w: np.roll(w.x, 1)),
    "the place in the batch": sides(lambda w: w.x * np.arange(len(w.x))[:, None]),
    "number of instances": sides(lambda w: len(w.x) + 0 * w.x),
    "in a hypothesis": claim(
        lambda w: ({"x": w.x}, {"y": w.x}),
        FAMILY,
        given=assume({"not the largest": lambda w: w.x.max() - w.x}),
    ),
    "in a definition": claim(
        lambda w: ({"x": w.mean_x}, {"y": w.x}),
        FAMILY,
        defines={"mean_x": lambda w: w.x.mean()},
    ),
    "in the level": claim(
        lambda w: ({"x": w.x}, {"y": w.x}),
        FAMILY,
        over="prob",
        delta=lambda w: w.x.min(),
    ),
    "in the family": claim(
        lambda w: ({"x": w.x}, {"y": w.x}), Family({"x": Real(0, 1)}, ({},), centred)
    ),
}

RESTLESS = {
    "random numbers": sides(lambda w: w.x * DRAWS.random(w.x.shape)),
    "a counter": sides(lambda w: w.x + next(CALLS)),
    "another number of terms": claim(lambda w: ({f"x{next(CALLS)}": w.x}, {"right": w.x}), FAMILY),
}

SOUND = {
    "sum over the clients": sides(lambda w: w.y.sum(-1)),
    "total": sides(lambda w: xp.total(w.y)),
    "largest client": sides(lambda w: xp.largest(w.y)),
    "sorted clients": sides(lambda w: np.sort(w.y, axis=-1)[..., 0]),
    "a constant": sides(lambda _: 1),
    "undefined somewhere": sides(lambda w: xp.sqrt(w.y[..., 0])),
    "huge beside tiny": sides(lambda w: 1e16 * w.x + w.y.sum(-1) - 1e16 * w.x),
    "no parameter": claim(lambda _: ({"one": 1}, {"two": 2}), numbers()),
}


@each("name", [*MIXING, *RESTLESS])
def test_what_is_no_function_of_one_instance_is_stopped(name: str) -> None:
    found = program_fault({**MIXING, **RESTLESS}[name], 0)
    assert found is not None
    assert (found.rung, found.status) == ("hypotheses", "stopped")
    assert ("a second time" in found.summary) == (name in RESTLESS)
    assert "test_program_check.py:" in found.summary


@pytest.mark.parametrize("name", SOUND)
def test_what_is_one_passes(name: str) -> None:
    assert program_fault(SOUND[name], 0) is None


def test_a_run_passes() -> None:
    statement = claim(
        lambda w: ({"x": w.run().theta[..., -1, 0] ** 2}, {"y": 1 + 0 * w.sigma2[..., 0]}),
        fixed_runs((2, 1, 2)),
        over="mean",
        defines=FIXED,
    )
    assert program_fault(statement, 0) is None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("sum over all", "w.x.sum()"),
        ("numpy's mean", "np.mean(w.x)"),
        ("largest of all", "w.x.max()"),
        ("in another function", "w.x.max()"),
        ("sorted over the instances", "np.sort(w.x, axis=0)"),
        ("in a definition", "w.x.mean()"),
        ("in a hypothesis", "w.x.max()"),
        ("in the family", '["x"].mean()'),
    ],
)
def test_the_line_and_the_remedy_are_named(name: str, code: str) -> None:
    found = program_fault(MIXING[name], 0)
    assert found is not None
    assert code in found.summary
    assert "axis=-1" in found.summary


def test_a_claim_that_mixes_is_neither_proved_nor_holds() -> None:
    smaller = claim(lambda w: ({"x": w.x}, {"n": w.x.sum()}), numbers(x=Real(0, 4)))
    found = assay(smaller, profile=SMALL)
    assert (found.verdict, found.rung) == ("inconclusive", "hypotheses")
    assert "w.x.sum()" in found.reason


program_check.CALLED = 0  # type: ignore[attr-defined]
COUNTED = [0]
COUNTER = itertools.count()
GENERATOR = np.random.default_rng(4)
MEMORY: dict[int, Any] = {}
DRIFT = {"by": 0.0}


class Kept:
    """Something that has an attribute."""

    calls = 0

    def __init__(self) -> None:
        self.calls = 0


KEPT = Kept()


def counted(w: Any) -> Any:
    COUNTED[0] += 1
    return 9 if COUNTED[0] < 10_000 else 0


def kept(w: Any) -> Any:
    KEPT.calls += 1
    return 9


class Shared:
    """Something that its objects share."""

    calls = 0


SHARED = Shared()


def of_a_class(w: Any) -> Any:
    Shared.calls += 1
    return 9


def of_an_objects_class(w: Any) -> Any:
    type(SHARED).calls += 1
    return 9


def of_a_module(w: Any) -> Any:
    program_check.CALLED = getattr(program_check, "CALLED", 0) + 1  # type: ignore[attr-defined]
    return 9


def default(w: Any, seen: list[int] = []) -> Any:  # noqa: B006 (the state that is meant)
    seen.append(1)
    return 9


def remembered(w: Any) -> Any:
    MEMORY.setdefault(len(w.x), 9)
    return 9


def drifting(w: Any) -> Any:
    DRIFT["by"] += 1e-9
    return 9 + DRIFT["by"] * w.x


def late(rule: Callable[[Any], Any]) -> Statement:
    return claim(lambda w: ({"x": w.x}, {"x": w.x, "more": rule(w)}), FAMILY)


LATE = {
    "a counter that waits": (late(counted), "COUNTED"),
    "an iterator": (late(lambda w: 9 if next(COUNTER) >= 0 else 0), "COUNTER"),
    "an attribute": (late(kept), "KEPT"),
    "of a class": (late(of_a_class), "Shared"),
    "of the class of an object": (late(of_an_objects_class), "SHARED"),
    "of a module": (late(of_a_module), "program_check.CALLED"),
    "a default": (late(default), "the defaults of default"),
    "a generator": (late(lambda w: 9 * int(GENERATOR.random() < 2)), "GENERATOR"),
}


@each("name", LATE)
def test_a_state_that_shows_late_or_never_ends_in_an_error(name: str) -> None:
    """The word was ``proved`` or ``holds``."""
    statement, named = LATE[name]
    leaf = assay(statement, profile=SMALL)
    assert leaf.verdict == "inconclusive", leaf
    assert leaf.reason.startswith(f"{named} is another one than before")
    assert "test_program_check.py:" in leaf.reason
    assert leaf.witness is None


def test_a_memory_of_values_is_no_state() -> None:
    assert assay(late(remembered), profile=SMALL).verdict != "inconclusive"


def test_an_answer_that_changes_late_is_found_without_a_state_that_can_be_seen() -> None:
    answers = FirstAnswers(late(drifting))
    assert program_fault(answers.statement, 0, answers) is None
    answers.state = {}
    DRIFT["by"] += 1.0
    found = answers.changed()
    assert found is not None
    assert "gives another value now than in the beginning" in found.summary


def test_a_program_with_a_state_has_no_witness() -> None:
    def fewer(w: Any) -> Any:
        COUNTED[0] += 1
        return -1

    same = claim(lambda w: ({"x": w.x}, {"x": w.x, "more": -1}), FAMILY)
    assert assay(same, profile=SMALL).verdict == "violated"
    leaf = assay(late(fewer), profile=SMALL)
    assert (leaf.verdict, leaf.witness) == ("inconclusive", None)
