"""Names of hyper-parameters: a method has those that it reads, and a run refuses any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
import torch

from algorithms.engine.collapse import Collapsed
from algorithms.engine.run import run, run_chunked
from algorithms.engine.settings import as_alike, like_of
from algorithms.engine.small import run_small
from algorithms.fedavg import FedAvg
from algorithms.local import Local
from algorithms.method import Method, names_of
from algorithms.reference.run import reference_run
from algorithms.registry import METHODS, load_method
from bounds.numbers.validate import InvalidInput, unchecked
from tests.algorithms.cases import CASES, Case, D, N, dyadic_draws, federation, floats
from tests.each import each

PLAIN = {"step_size": 0.1, "start": np.ones(D)}
WRONG = {**PLAIN, "local_step": 5}
SAID = (
    "hyper-parameters of fedavg must be among client_weights, focus, local_steps, participation, "
    "start, step_size, step_sizes, got local_step: did you mean local_steps."
)


class Read(dict[str, Any]):
    """Hyper-parameters that note what is asked of them."""

    def __init__(self, values: dict[str, Any], seen: set[str]) -> None:
        super().__init__(values)
        self.seen = seen

    def __getitem__(self, name: str) -> Any:
        self.seen.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or the default."""
        self.seen.add(name)
        return super().get(name, default)


def read_by(method: Method, case: Case) -> set[str]:
    """What a method asks of its hyper-parameters in a few rounds."""
    seen: set[str] = set()
    problem, values = federation(), floats(case.hyper)
    hyper = Read(as_alike(method, problem, values, like_of(problem)), seen)
    method.slots(N, hyper)
    state = method.start(problem, hyper)
    draws = torch.as_tensor(dyadic_draws(case))[0]
    for t in range(len(draws)):
        state = method.step(t, state, problem, hyper, draws[t])
    return seen - {"used"}  # the engine's own


def from_one(case: Case) -> Case:
    """The same from one start for all."""
    hyper = {name: value for name, value in case.hyper.items() if name != "starts"}
    return replace(case, hyper={"start": PLAIN["start"], **hyper})


@each("name", METHODS)
def test_a_method_has_the_names_that_it_reads(name: str) -> None:
    method = load_method(name)
    cases = [case for case in CASES if case.method == name]
    read = [read_by(method, one) for case in cases for one in (case, from_one(case))]
    assert set().union(*read) == names_of(method)
    assert not set(method.settings) & set(method.axes)


def test_a_name_that_is_read_and_not_said_is_seen() -> None:
    """The negative control of the test above."""

    class Damped(FedAvg):
        settings: ClassVar[tuple[str, ...]] = ("focus",)

    case = Case("plain", "fedavg", PLAIN)
    assert read_by(Damped(), case) - (names_of(Damped()) or set()) == {"local_steps"}


@each("name", METHODS)
def test_every_method_refuses_a_name_that_it_does_not_have(name: str) -> None:
    method = load_method(name)
    case = next(case for case in CASES if case.method == name)
    wrong = {**floats(case.hyper), "stepsize": 0.1}
    with pytest.raises(InvalidInput) as error:
        run(method, federation(), wrong, None, 1)
    said = str(error.value)
    assert said.startswith(f"hyper-parameters of {name} must be among ")
    assert said.endswith(" got stepsize: did you mean step_size.")
    assert all(known in said for known in (*method.axes, *method.settings))


def _small() -> None:
    problem = federation().map(lambda x: x.numpy())
    run_small(load_method("fedavg"), problem, WRONG, np.zeros((1, N, D)), 1)


GATES: dict[str, Callable[[], object]] = {
    "run": lambda: run(load_method("fedavg"), federation(), WRONG, None, 1),
    "compiled": lambda: run(load_method("fedavg"), federation(), WRONG, None, 1, compile="trace"),
    "chunks": lambda: run_chunked(
        load_method("fedavg"), federation(), WRONG, lambda rows: None, 2, 1
    ),
    "small": _small,
    "twin": lambda: reference_run("fedavg", federation(), WRONG, [], 0),
}


@pytest.mark.parametrize("gate", GATES)
def test_every_run_refuses_with_one_sentence(gate: str) -> None:
    with pytest.raises(InvalidInput) as error:
        GATES[gate]()
    assert str(error.value) == SAID
    with unchecked(), pytest.raises(InvalidInput, match="did you mean local_steps"):
        GATES[gate]()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("ifca", "count"),
        ("per_fedbc", "local"),
        ("maxfl", "local_steps"),
        ("fedavg", "starts"),
        ("fedfa", "client_weights"),
        ("all_for_all_adaptive", "mixing"),
    ],
)
def test_what_a_relative_has_is_refused_where_it_does_nothing(name: str, wrong: str) -> None:
    with pytest.raises(InvalidInput, match=f"hyper-parameters of {name} .* got {wrong}: "):
        run(load_method(name), federation(), {**PLAIN, wrong: 1}, None, 1)


def test_a_name_far_from_all_others_has_no_near_one() -> None:
    with pytest.raises(InvalidInput, match="got zeta: use one of these"):
        run(load_method("local"), federation(), {**PLAIN, "zeta": 1}, None, 1)


def test_a_collapsed_method_has_the_names_of_the_one_inside() -> None:
    collapsed = Collapsed(load_method("fedavg"))
    assert names_of(collapsed) == names_of(collapsed.inner)
    with pytest.raises(InvalidInput, match="hyper-parameters of collapsed fedavg .* local_steps"):
        run(collapsed, federation(), WRONG, None, 1)
    assert names_of(Collapsed(Shorter())) is None


class Shorter(Local):
    """A method of one's own that reads a number more, and does not say which names it has."""

    name: ClassVar[str] = "shorter"

    def step(self, t: int, state: Any, problem: Any, hyper: Any, draws: Any) -> Any:
        """A local step, made shorter."""
        after = super().step(t, state, problem, hyper, draws)
        share = hyper.get("share", 1.0)
        return {**after, "theta": state["theta"] + share * (after["theta"] - state["theta"])}


class Told(Shorter):
    """The same, which says them."""

    name: ClassVar[str] = "told"
    settings: ClassVar[tuple[str, ...]] = (*Local.settings, "share")


def test_a_method_of_ones_own_takes_every_name_until_it_says_which_it_has() -> None:
    assert names_of(Shorter()) is None
    assert names_of(Told()) == {"step_size", "step_sizes", "start", "starts", "focus", "share"}
    half, typed = {**PLAIN, "share": 0.5}, {**PLAIN, "sharee": 0.5}
    one, two = (run(method, federation(), half, None, 2) for method in (Shorter(), Told()))
    assert torch.equal(one.theta, two.theta)
    whole = run(Shorter(), federation(), typed, None, 2)
    assert torch.equal(whole.theta, run(Local(), federation(), PLAIN, None, 2).theta)
    assert not torch.equal(whole.theta, one.theta)
    with pytest.raises(InvalidInput, match="hyper-parameters of told .* sharee: did you mean sh"):
        run(Told(), federation(), typed, None, 2)
