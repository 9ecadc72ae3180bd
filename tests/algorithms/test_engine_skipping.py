"""Clients of zero weight are neither drawn nor evaluated, and not one bit of a run moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms import engine
from algorithms.engine import Run, run, run_chunked
from algorithms.oracle import cluster_weights
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise import Addressed, source_of
from synthetic.quadratic import Quadratic
from synthetic.streaming import StreamingLeastSquares, two_clusters

N, DIM, ROUNDS, R = 7, 5, 6, 40
ROUNDING = {torch.float32: 1e-5, torch.float64: 1e-14}
"""A few units in the last place of models of size one, over some rounds."""
PAIRS = np.where(np.eye(N) + np.eye(N, k=2) > 0, 0.5, 0.0)
HALF = np.array([1.0, 0, 2.0, 0, 0.5, 0, 0])
ABSENT = np.ones((ROUNDS, N)) * (np.arange(N) < 5)
ABSENT[::2, 1] = 0

Case = tuple[str, dict[str, Any], int]
CASES: dict[str, Case] = {  # method, hyper-parameters, slots in use (as many for every asker)
    "clusters": ("all_for_one", {"weight_matrix": cluster_weights(np.arange(N) % 2)}, 28),
    "few pairs": ("all_for_one", {"weight_matrix": PAIRS}, 14),
    "two askers": ("all_for_one", {"weight_matrix": PAIRS, "focus": [2, 5]}, 4),
    "shared": ("all_for_one", {
        "weight_matrix": np.outer(np.ones(N), HALF), "samples": "shared",
    }, 3),
    "shares": ("fedavg", {"client_weights": HALF}, 3),
    "local steps": ("fedavg", {"client_weights": HALF, "local_steps": 3}, 9),
    "own steps": ("fedavg", {"client_weights": HALF, "local_steps": [1, 2, 2, 1, 3, 3, 1]}, 9),
    "absent": ("fedavg", {"participation": ABSENT}, 5),
    "absent or light": ("fedavg", {"participation": ABSENT, "client_weights": HALF}, 3),
}  # fmt: skip


def federation(law: str, dtype: torch.dtype) -> Any:
    rng = np.random.default_rng(5)
    if law == "streaming":
        root = rng.normal(size=(N, DIM, DIM)) / DIM**0.5
        made: Any = StreamingLeastSquares({
            "H": root @ root.swapaxes(-1, -2) + np.eye(DIM), "targets": rng.normal(size=(N, DIM)),
        })  # fmt: skip
    elif law == "identity":
        made = two_clusters(DIM, N, seed=2, batch=1)
    else:
        skew = {"skew": rng.uniform(0.5, 2, N)} if law == "two_point" else {}
        made = Quadratic({
            "A": np.eye(DIM) + np.zeros((N, 1, 1)), "xi": rng.normal(size=(N, DIM)),
            "noise_scale": rng.uniform(1, 2, N), "law": law, **skew,
        })  # fmt: skip
    return made.map(lambda x: torch.as_tensor(x, dtype=dtype))


def hyper_of(case: Case) -> dict[str, Any]:
    name, more, _ = case
    fixed = {"weights": "fixed"} if name == "all_for_one" else {}
    return {"step_size": 0.05, "start": np.ones(DIM), **fixed, **more}


def made(
    case: Case, law: str, dtype: torch.dtype = torch.float64, record: tuple[str, ...] = (),
    **more: Any,
) -> tuple[Run, list[int]]:  # fmt: skip
    """A run, and how many slots each round drew."""
    method, problem, drawn = load_method(case[0]), federation(law, dtype), []
    hyper = hyper_of(case)
    noise = source_of(problem, 11, range(R), method.slots(N, hyper))

    def counted(source: Any, *rest: Any) -> Any:
        draws = given(source, *rest)
        drawn.append(draws.shape[-2])
        return draws

    with pytest.MonkeyPatch.context() as patch:
        given = engine._draws
        patch.setattr(engine, "_draws", counted)
        return run(method, problem, hyper, noise, ROUNDS, record=record, **more), drawn


def whole(method: Any, clients: int, hyper: Any, noise: Any, kept: Any, in_order: bool) -> Any:
    """Nothing is skipped."""
    return hyper, noise


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("law", ["streaming", "identity", "gaussian", "sphere", "two_point"])
@pytest.mark.parametrize("name", CASES)
def test_not_one_bit_moves_and_only_what_counts_is_drawn(
    name: str, law: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where clients have matrices of their own, products of other sizes round otherwise."""
    found, drawn = made(CASES[name], law, dtype)
    assert set(drawn) == {CASES[name][2]}
    monkeypatch.setattr(engine, "skipping", whole)
    every, all_drawn = made(CASES[name], law, dtype)
    assert set(all_drawn) == {load_method(CASES[name][0]).slots(N, hyper_of(CASES[name]))}
    if law == "identity":
        assert torch.equal(found.theta, every.theta)
    torch.testing.assert_close(found.theta, every.theta, rtol=0, atol=ROUNDING[dtype])
    assert found.theta.std(-4).max() > 100 * ROUNDING[dtype]  # a draw of another slot would show


@pytest.mark.parametrize(
    "name", ["clusters", "few pairs", "shared", "local steps", "absent or light"]
)
def test_a_graph_skips_the_same_and_adds_in_its_own_order(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = ("weights",)
    traced, drawn = made(CASES[name], "gaussian", record=record, compile="trace")
    assert set(drawn) == {CASES[name][2]}  # the rounds before the graph
    monkeypatch.setattr(engine, "skipping", whole)
    every, _ = made(CASES[name], "gaussian", record=record)
    torch.testing.assert_close(traced.theta, every.theta, rtol=0, atol=1e-14)
    for key, value in every.extras.items():
        assert torch.equal(traced.extras[key].expand(value.shape), value)


def test_what_any_replicate_or_record_needs_is_computed() -> None:
    """Negative controls: weights that are small, zero for some replicates alone, or looked at."""
    almost, some = HALF + 1e-12, np.tile(HALF, (R, 1))
    some[3, 1] = 0.1
    assert set(made(("fedavg", {"client_weights": almost}, 0), "identity")[1]) == {N}
    assert set(made(("fedavg", {"client_weights": some}, 0), "identity")[1]) == {4}
    found, drawn = made(CASES["shares"], "identity", record=("local_models",))
    assert set(drawn) == {N}
    assert found.extras["local_models"].std(-4).min() > 0
    moving = ("all_for_one", {"weights": "true"}, 0)
    assert set(made(moving, "gaussian")[1]) == {N * N}


def test_a_replicate_that_weighs_a_client_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.tile(HALF, (R, 1))
    weights[3, 1] = 0.1
    case = ("fedavg", {"client_weights": weights}, 0)
    found, _ = made(case, "identity")
    monkeypatch.setattr(engine, "skipping", whole)
    every, _ = made(case, "identity")
    torch.testing.assert_close(found.theta, every.theta, rtol=0, atol=1e-14)
    light, _ = made(CASES["shares"], "identity")
    apart = ((found.theta - light.theta).abs() > 1e-6).flatten(1).any(1)
    assert apart.tolist() == [k == 3 for k in range(R)]


def test_chunks_skip_each_what_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, method = federation("identity", torch.float64), load_method("fedavg")
    weights = torch.ones(R, N, dtype=torch.float64)
    weights[: R // 2, 2:] = 0  # half of the replicates ask two clients alone
    hyper = {"step_size": 0.05, "start": np.ones(DIM), "client_weights": weights}
    widths = []
    given = Addressed.draw

    def draw(source: Addressed, t: int) -> torch.Tensor:
        widths.append(source.slots)
        return given(source, t)

    def job(chunk: int) -> torch.Tensor:
        return run_chunked(
            method, problem, hyper, lambda rows: source_of(problem, 3, rows, N), R, ROUNDS,
            chunk=chunk, record=(),
        ).theta  # fmt: skip

    monkeypatch.setattr(Addressed, "draw", draw)
    whole_run, halves = job(R), job(R // 2)
    assert widths == [N] * ROUNDS + [2] * ROUNDS + [N] * ROUNDS
    torch.testing.assert_close(whole_run, halves, rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("law", ["gaussian", "sphere", "two_point", "finite", "indices"])
def test_a_source_of_some_slots_draws_their_bits(law: str, dtype: torch.dtype) -> None:
    more: dict[str, Any] = {"width": 1}
    if law == "two_point":
        more["skew"] = torch.linspace(0.5, 3, N)
    elif law == "finite":
        more["values"] = torch.randn((N, 3), generator=torch.Generator().manual_seed(0))
        more["probabilities"] = torch.tensor([[0.5, 0.25, 0.25]]).expand(N, 3)
    elif law == "indices":
        more["rows"] = list(range(3, 3 + N))
    else:
        more["width"] = 3
    every, some = Addressed(law, (1, 2), range(9), N, dtype=dtype, **more), [5, 0, 3]
    part = every.only(some)
    for t in range(4):
        assert torch.equal(part.draw(t), every.draw(t)[:, some])
        assert torch.equal(part.words(t, 3), every.words(t, 3)[:, some])
        span = torch.arange(9)
        tensors = every.draw_at(t, every.key, span)[:, some]
        torch.testing.assert_close(part.draw_at(t, part.key, span), tensors, rtol=0, atol=1e-6)
    assert torch.equal(part.only([2]).draw(1), every.draw(1)[:, [3]])  # some of some
    assert not torch.equal(part.draw(0), every.draw(0)[:, [0, 3, 5]])  # negative control: order


def test_slots_that_are_not_there_are_refused() -> None:
    source = Addressed("gaussian", (1, 2), range(2), 4, 3)
    for chosen in ([4], [-1], []):
        with pytest.raises(InvalidInput, match=r"chosen must be slots in \[0, 4\)"):
            source.only(chosen)
