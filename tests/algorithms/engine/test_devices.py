"""Every tensor of a run is where its federation is, and no round waits for a number."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from algorithms.engine.collapse import Collapsed
from algorithms.engine.run import Run, run
from algorithms.grouping.oracle import cluster_weights
from algorithms.registry import load_method
from synthetic.noise.sources import Addressed, source_of
from tests.algorithms.cases import CASES, Case, federation, floats
from tests.algorithms.engine.pretended import AWAY, Away, Made, Pretended, brought, sent
from tests.each import each
from tests.rounding import assert_same_but_for_rounding, of_draws

WAITS = {"hcct"}
"""Methods whose groups are found by a program that looks at numbers."""


def made(method: Any, problem: Any, hyper: dict[str, Any], rounds: int, **more: Any) -> Run:
    slots = method.slots(problem.clients, hyper)
    noise = source_of(problem, 1, range(4), slots) if slots else None
    return run(method, problem, hyper, noise, rounds, **more)


@each("case", {case.method: case for case in CASES}.values())
def test_every_method_gives_its_numbers_elsewhere_and_reads_none_in_a_round(case: Case) -> None:
    method, hyper = load_method(case.method), floats(case.hyper)
    here, reads = made(method, federation(), hyper, 3), []
    with Pretended() as device, Made():
        problem = federation().map(sent)
        for rounds in (2, 3):
            device.read.clear()
            there = made(method, problem, hyper, rounds)
            reads.append(sorted(device.read))
        assert isinstance(there.theta, Away)
        assert there.theta.device == AWAY
        torch.testing.assert_close(brought(there.theta), here.theta, rtol=0, atol=1e-12)
    assert (reads[0] == reads[1]) is (case.method not in WAITS)


@pytest.mark.parametrize("name", ["fedavg", "all_for_one"])
def test_what_is_skipped_is_skipped_elsewhere_too(name: str) -> None:
    weights = {"client_weights": torch.tensor([1.0, 0.0, 0.0])}
    pairs = {"weights": "fixed", "weight_matrix": cluster_weights([0, 1, 0])}
    hyper = {"step_size": 0.05, "start": torch.ones(2), **(weights if name == "fedavg" else pairs)}
    method = load_method(name)
    here = made(method, federation(), hyper, 3, record=())
    with Pretended(), Made():
        there = made(method, federation().map(sent), hyper, 3, record=())
        torch.testing.assert_close(brought(there.theta), here.theta, rtol=0, atol=1e-12)


def test_a_collapsed_run_is_elsewhere_too() -> None:
    method = Collapsed(load_method("fedavg"))
    hyper = {"step_size": 0.05, "start": torch.ones(2)}
    here = made(method, federation(), hyper, 3)
    with Pretended(), Made():
        there = made(method, federation().map(sent), hyper, 3)
        torch.testing.assert_close(brought(there.theta), here.theta, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("law", ["gaussian", "sphere", "two_point", "finite", "indices"])
def test_draws_elsewhere_are_the_same(law: str, dtype: torch.dtype) -> None:
    """Integers bit for bit; normal numbers to rounding, by tensor operations instead of arrays."""
    more: dict[str, Any] = {"width": 3 if law in ("gaussian", "sphere") else 1}
    if law == "two_point":
        more["skew"] = torch.linspace(0.5, 3, 5)
    elif law == "finite":
        more |= {"values": torch.tensor([1.0, 2.0]), "probabilities": torch.tensor([0.3, 0.7])}
    elif law == "indices":
        more["rows"] = list(range(3, 8))
    here = Addressed(law, (1, 2), range(9), 5, dtype=dtype, **more)
    wanted = [here.draw(t) for t in range(3)]
    with Pretended() as device, Made():
        parts = {k: sent(v) if isinstance(v, torch.Tensor) else v for k, v in more.items()}
        there = Addressed(law, (1, 2), range(9), 5, dtype=dtype, device=AWAY, **parts)
        there.draw(0)
        device.read.clear()
        found = [there.draw(t) for t in range(3)]
        assert device.read == []
    for t, (one, other) in enumerate(zip(found, wanted, strict=True)):
        assert isinstance(one, Away)
        bound = torch.zeros(other.shape, dtype=torch.float64) + of_draws(here, t)
        assert_same_but_for_rounding(brought(one), other, bound)


def test_the_pretended_device_is_as_strict_as_a_card() -> None:
    """Negative controls: mixing is an error, and what is read is counted."""
    with Pretended() as device, Made():
        there = torch.tensor([1.0, 2.0], device=AWAY)
        assert brought(there * 2 + torch.zeros(2, device=AWAY)).tolist() == [2.0, 4.0]
        with pytest.raises(RuntimeError, match="mixes tensors of two devices"):
            there + torch.ones(2)
        assert device.read == []
        for look in (
            lambda: bool(there[0] > 0),
            lambda: there.sum().item(),
            there.tolist,
            lambda: there.to("cpu"),
        ):
            before = len(device.read)
            look()
            assert len(device.read) > before
