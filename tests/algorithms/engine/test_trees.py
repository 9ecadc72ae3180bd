"""What a graph depends on: what stands in its mappings, and not the order in which it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine import graph as engine_graph
from algorithms.engine.compiler import compiler_at_hand
from algorithms.engine.graph import compilations
from algorithms.engine.run import run
from algorithms.engine.trees import leaves, signature
from algorithms.registry import load_method
from synthetic.noise.sources import Given, source_of
from synthetic.problem import Problem
from tests.algorithms.cases import CASES, ROUNDING, Case, dyadic_draws, federation, floats
from tests.each import each

HYPER = {"step_size": 0.1, "start": np.ones(2), "local_steps": 2, "client_weights": [1.0, 2.0, 3.0]}


def turned(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same entries, the last one first."""
    return dict(reversed(values.items()))


def turned_problem() -> Problem:
    problem = federation()
    return type(problem)(turned(problem.data))


def test_order_is_no_part_of_a_signature_and_all_else_is() -> None:
    one, two = torch.zeros(2), torch.zeros(3)
    values: dict[str, Any] = {"a": one, "b": two, "count": 2, "inner": {"x": one, "y": [two]}}
    other = turned(values) | {"inner": turned(values["inner"])}
    assert signature(values) == signature(other)
    assert [id(x) for x in leaves(values)] == [id(x) for x in leaves(other)]
    for change in ({"count": 3}, {"a": two, "b": one}, {"a": torch.zeros(2)}, {"more": 1}):
        assert signature({**values, **change}) != signature(values)


def test_tensors_come_in_the_order_of_the_signature() -> None:
    """Of two mappings with one signature a program takes the tensors under the same names."""
    values = {name: torch.full((2,), float(ord(name))) for name in "bca"}
    other = {name: values[name] for name in "cab"}
    assert signature(values) == signature(other)
    for x, y in zip(leaves(values), leaves(other), strict=True):
        assert torch.equal(x, y)
    # negative control: as they stand they are others
    assert not torch.equal(next(iter(values.values())), next(iter(other.values())))


@each("case", CASES)
@pytest.mark.slow
def test_a_program_serves_every_order_of_the_hyper_parameters(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs: dict[Any, Any] = {}
    monkeypatch.setattr(engine_graph, "_programs", programs)
    method, hyper = load_method(case.method), floats(case.hyper)
    noise = Given(torch.as_tensor(dyadic_draws(case)))
    rounds = noise.array.shape[1]
    found, counts = [], []
    for problem, values in ((federation(), hyper), (turned_problem(), turned(hyper))):
        made = run(method, problem, values, noise, rounds, compile="trace", rounds_per_launch=1)
        found.append(made)
        counts.append(len(programs))
    assert counts[0] == counts[1]
    assert torch.equal(found[0].theta, found[1].theta)
    whole = run(method, federation(), hyper, noise, rounds)
    assert float((found[1].theta - whole.theta).abs().max()) < ROUNDING * float(
        whole.theta.abs().max()
    )


def test_another_hyper_parameter_is_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control of the test above."""
    programs: dict[Any, Any] = {}
    monkeypatch.setattr(engine_graph, "_programs", programs)
    for steps in (2, 3):
        slots = load_method("fedavg").slots(3, {"local_steps": steps})
        noise = source_of(federation(), 1, range(4), slots)
        hyper = {**HYPER, "local_steps": steps}
        run(load_method("fedavg"), federation(), hyper, noise, 6, compile="trace")
    assert len(programs) == 2


@pytest.mark.slow
@pytest.mark.skipif(not compiler_at_hand(torch.device("cpu")), reason="no C++ compiler")
def test_one_compilation_serves_every_order() -> None:
    method = load_method("fedavg")
    noise = source_of(federation(), 1, range(5), method.slots(3, HYPER))
    before = compilations()
    one, two = (
        run(method, problem, values, noise, 10, compile=True)
        for problem, values in ((federation(), HYPER), (turned_problem(), turned(HYPER)))
    )
    assert compilations() == before + 1
    assert torch.equal(one.theta, two.theta)
