"""Metamorphic moves: permute, rotate, change units, shift the origin, batch, chunk, round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import Run, run, run_chunked
from algorithms.registry import load_method
from synthetic.noise.sources import Addressed
from synthetic.quadratic import Quadratic
from tests.algorithms.bounded import agree, bounds_of, watched
from tests.algorithms.cases import (
    CASES,
    DATA,
    Case,
    D,
    N,
    T,
    dyadic_draws,
    engine_run,
    federation,
    floats,
    tensors,
)
from tests.each import each
from tests.rounding import assert_same_but_for_rounding

# a few hundred float operations of well-scaled numbers
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def client_axes(case: Case, name: str) -> list[int]:
    """Positions from the end of a hyper-parameter's client axes."""
    axes = load_method(case.method).axes.get(name, "").split()
    return [i - len(axes) for i, axis in enumerate(axes) if axis == "N"]


def slot_order(case: Case, order: list[int]) -> list[int]:
    """Where the slots of a federation in another order come from."""
    slots = load_method(case.method).slots(N, case.hyper)
    if case.method == "all_for_one" and case.hyper.get("samples") == "shared":
        follow = range(len(case.hyper.get("focus", order)))  # the order of a focus stays
        pairs = [(f if "focus" in case.hyper else order[f]) * N + k for f in follow for k in order]
        return order + [N + pair for pair in pairs if slots > N]
    if case.method in ("all_for_one", "wga_bc"):
        rows = len(order) if "focus" not in case.hyper else 1
        follow = order if rows == N else [0]
        blocks = slots // (rows * N)
        return [b * rows * N + f * N + k for b in range(blocks) for f in follow for k in order]
    if case.method == "cobo":
        return order + [N + i * N + j for i in order for j in order]
    if case.method == "local":
        return order[: max(order.index(k) for k in case.hyper.get("focus", order)) + 1]
    return [j * N + k for j in range(slots // N) for k in order]


@each("case", CASES)
def test_permuting_the_clients_permutes_the_models(case: Case) -> None:
    order = [2, 0, 1]
    hyper = floats(case.hyper)
    for name, value in hyper.items():
        for axis in client_axes(case, name) if np.ndim(value) else ():
            hyper[name] = np.take(hyper[name], order, axis)
    if "focus" in hyper:
        hyper["focus"] = [order.index(k) for k in hyper["focus"]]
    if isinstance(hyper.get("local_steps"), list):
        hyper["local_steps"] = [hyper["local_steps"][k] for k in order]
    draws = dyadic_draws(case)
    left = engine_run(case, draws).theta
    moved = slot_order(case, order) or [0]
    problem = federation().select(order)
    right = run_like(case, draws[:, :, moved], problem, hyper).theta
    expected = left if "focus" in hyper else left[..., order, :]
    torch.testing.assert_close(right, expected, **CLOSE)
    one_model = case.method in ("fedavg", "aggregation", "fedfa", "scaffold", "q_fedavg")
    if "focus" not in hyper and not one_model:  # negative control
        assert (right - left).abs().max() > 1e-3


def run_like(case: Case, draws: Any, problem: Quadratic, hyper: dict[str, Any]) -> Run:
    """The engine on changed parameters."""
    return engine_run(Case(case.label, case.method, hyper), draws, problem)


@each("case", CASES)
def test_rotating_space_rotates_the_models(case: Case) -> None:
    q = np.array([[0.6, -0.8], [0.8, 0.6]])
    data = floats(DATA)
    problem = Quadratic(tensors({**data, "A": q @ data["A"] @ q.T, "xi": data["xi"] @ q.T}))
    hyper = floats(case.hyper)
    for name in ("start", "starts"):
        if name in hyper:
            hyper[name] = hyper[name] @ q.T
    draws = dyadic_draws(case)
    left = engine_run(case, draws).theta @ torch.as_tensor(q.T)
    right = run_like(case, draws @ q.T, problem, hyper).theta
    torch.testing.assert_close(right, left, **CLOSE)


def in_units(case: Case, loss: float, length: float, only: str | None = None) -> Run:
    """The run with every field in other units, by the tables of problem and method."""
    method, data, hyper = load_method(case.method), floats(DATA), floats(case.hyper)
    for values, units in ((data, Quadratic.units), (hyper, method.units)):
        for name, (p, q) in units.items():
            if name in values and name != only:
                values[name] = values[name] * (loss**p * length**q)
    return run_like(case, dyadic_draws(case), Quadratic(tensors(data)), hyper)


@each("case", CASES)
def test_other_units_scale_the_models(case: Case) -> None:
    left = engine_run(case, dyadic_draws(case)).theta
    right = in_units(case, 7.0, 3.0).theta
    torch.testing.assert_close(right, 3 * left, **CLOSE)


# fields that do nothing in a case: exact solves take no steps, a bound need not bind
IDLE: dict[str, tuple[str, ...]] = {
    "fedbc constant": ("step_size",),
    "fedbc exact": ("step_size",),
    "fedbc weighted without multipliers": ("multipliers",),  # zeros in any unit
}


@each("case", CASES)
def test_every_unit_is_needed(case: Case) -> None:
    """Negative control: leaving one field in the old units shows."""
    left = engine_run(case, dyadic_draws(case)).theta
    for name in load_method(case.method).units:
        idle = name in IDLE.get(case.label, ())
        if name in case.hyper and not idle:
            right = in_units(case, 7.0, 3.0, only=name).theta
            assert not torch.allclose(right, 3 * left, rtol=1e-6, atol=1e-6), name


@each("case", CASES)
def test_shifting_the_origin_shifts_the_models(case: Case) -> None:
    shift = np.array([0.75, -2.0])
    data, hyper = floats(DATA), floats(case.hyper)
    problem = Quadratic(tensors({**data, "xi": data["xi"] - shift}))
    for name in ("start", "starts"):
        if name in hyper:
            hyper[name] = hyper[name] + shift
    draws = dyadic_draws(case)
    left = engine_run(case, draws).theta + torch.as_tensor(shift)
    torch.testing.assert_close(run_like(case, draws, problem, hyper).theta, left, **CLOSE)


def chunked(case: Case, chunk: int, replicates: int = 7, **changes: Any) -> Run:
    """The case under addressed Gaussian noise, some replicates at a time."""
    method, hyper = load_method(case.method), {**floats(case.hyper), **changes}
    slots = max(1, method.slots(N, hyper))
    return run_chunked(
        method,
        federation().map(lambda x: x.expand(1, *x.shape)),
        hyper,
        lambda rows: Addressed("gaussian", (3, 5), rows, slots, D),
        replicates,
        T,
        chunk=chunk,
    )


drawing = [case for case in CASES if load_method(case.method).slots(N, case.hyper)]


@each("case", drawing)
@pytest.mark.slow
def test_chunk_size_does_not_matter(case: Case) -> None:
    with watched() as roundings:
        whole = chunked(case, 7)
    bounds = bounds_of(whole, roundings)
    assert bounds.theta.median() < 1e-12  # of models of size one
    for chunk in (1, 3):  # sums over short trailing axes may be ordered by the batch
        agree(chunked(case, chunk), whole, bounds)


def test_replicates_of_a_chunk_are_their_own() -> None:
    """Negative control: noise that starts anew in every chunk shows."""
    case = CASES[0]
    method, hyper = load_method(case.method), floats(case.hyper)
    slots = method.slots(N, hyper)
    stale = run_chunked(
        method,
        federation(),
        hyper,
        lambda rows: Addressed("gaussian", (3, 5), range(len(rows)), slots, D),
        7,
        T,
        chunk=3,
    )
    assert (stale.theta - chunked(case, 7).theta).abs().max() > 1e-2


def test_parameters_per_replicate_are_cut_with_the_noise() -> None:
    case = CASES[0]
    steps = torch.linspace(0.01, 0.05, 7).double()
    with watched() as roundings:
        whole = chunked(case, 7, step_size=steps).theta
    part = chunked(case, 2, step_size=steps).theta
    assert_same_but_for_rounding(part, whole, roundings.of(whole))
    fourth = chunked(case, 7, step_size=float(steps[3])).theta[3]
    torch.testing.assert_close(whole[3], fourth, **CLOSE)


def test_reduced_chunks_are_joined_over_replicates() -> None:
    method, problem = load_method("local"), federation()
    hyper = {"step_size": 0.01, "start": np.ones(D)}
    found = run_chunked(
        method,
        problem,
        hyper,
        lambda rows: Addressed("gaussian", (3, 5), rows, N, D),
        7,
        T,
        chunk=3,
        reduce=lambda part: {"excess": problem.own_excess(part.theta[..., -1, :, :])[..., 0]},
    )
    assert found.extras["excess"].shape == (7,)
    assert found.theta.shape == (7, 1, N, D)
    torch.testing.assert_close(
        found.extras["excess"], problem.own_excess(found.theta[:, 0])[:, 0], **CLOSE
    )


@each("case", CASES)
def test_a_batch_of_instances_is_the_instances_one_by_one(case: Case) -> None:
    """Problem data (B, 1, ...) and hyper-parameters (B, 1, ...) against separate runs."""
    factors = [1.0, 1.25]
    data = tensors(DATA)
    singles = [Quadratic({**data, "A": data["A"] * f}) for f in factors]
    batch = Quadratic(
        {
            **{k: v[None, None] for k, v in data.items() if k not in ("law", "A")},
            "A": torch.stack([s.data["A"] for s in singles])[:, None],
            "law": "gaussian",
        }
    )
    axes = load_method(case.method).axes
    per_instance = {
        k: np.stack([np.asarray(v, dtype=float)] * 2)[:, None]
        for k, v in floats(case.hyper).items()
        if k in axes
    }
    draws = dyadic_draws(case)
    found = engine_run(case, draws, batch, **per_instance)
    for b, single in enumerate(singles):
        expected = engine_run(case, draws, single)
        lead = (2, *expected.theta.shape[:-3])
        torch.testing.assert_close(
            found.theta[b].reshape(expected.theta.shape), expected.theta, **CLOSE
        )
        assert found.theta.shape[0] == lead[0]
        for name, value in expected.extras.items():
            torch.testing.assert_close(found.extras[name][b].reshape(value.shape), value, **CLOSE)


@each("case", CASES)
def test_single_precision_follows_double_precision(case: Case) -> None:
    draws = dyadic_draws(case)
    double = engine_run(case, draws).theta
    with watched() as roundings:
        single = engine_run(case, draws, federation(torch.float32)).theta
    assert single.dtype == torch.float32
    assert_same_but_for_rounding(single, double, roundings.of(single))
    # of models of size one; a single one may be anywhere, where weights are ratios of differences
    assert roundings.of(single).median() < 1e-4


def test_last_only_and_record_keep_what_they_say() -> None:
    case, draws = CASES[0], dyadic_draws(CASES[0])
    full = engine_run(case, draws)
    from synthetic.noise.sources import Given

    noise = Given(torch.as_tensor(draws))
    last = run(
        load_method(case.method),
        federation(),
        floats(case.hyper),
        noise,
        T,
        record=["ratio"],
        last_only=True,
    )
    assert set(last.extras) == {"ratio"}
    assert torch.equal(last.theta, full.theta[:, -1:])
    assert torch.equal(last.extras["ratio"], full.extras["ratio"][:, -1:])
