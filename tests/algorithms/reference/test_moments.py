"""Enumeration, moment recursion and simulation give the same expected excess."""

from __future__ import annotations

import math
from fractions import Fraction as Q
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run_chunked
from algorithms.reference.run import reference_run
from algorithms.registry import load_method
from bounds.generic import to_float
from bounds.numbers.validate import InvalidInput
from synthetic.exact.moments import AffineMap, expected_excess, moments
from synthetic.noise.outcomes import enumerate_outcomes
from synthetic.noise.sources import Addressed
from synthetic.quadratic import Quadratic
from synthetic.registry import make
from synthetic.tables.least_squares import LeastSquares
from tests.algorithms.cases import Case, floats, rational, tensors
from tests.algorithms.reference.test_families import DATA_OF
from tests.each import each

N, T = 2, 2
DATA = {
    "A": rational([[[2, 1], [1, 3]], [[3, "1/2"], ["1/2", 2]]]),
    "xi": rational([["1/4", -1], [0, "-1/2"]]),
    "noise_scale": rational([1, "1/2"]),
    "skew": rational([2, "1/2"]),
    "law": "two_point",
}
_STEP = {"step_size": Q(1, 8), "start": rational(["3/2", -1])}
CASES = [
    Case(
        "oracle",
        "all_for_one",
        {
            **_STEP,
            "weights": "fixed",
            "focus": [0],
            "weight_matrix": rational([["1/2", "3/4"], [0, 1]]),
        },
    ),
    Case("local", "local", {**_STEP}),
    Case("fedavg", "fedavg", {**_STEP, "client_weights": rational([3, 1]), "local_steps": 2}),
    Case("fedprox steps", "fedprox", {**_STEP, "mu": Q(2, 3), "local": "gradient"}),
    Case("fedprox exact", "fedprox", {**_STEP, "mu": Q(2, 3), "local": "argmin"}),
]
ids = [str(case) for case in CASES]


@cache
def excesses(index: int) -> tuple[Any, Any]:
    """Excess of client 0 at its model after T rounds for every outcome, with its probability."""
    case, problem = CASES[index], Quadratic(DATA)
    slots = load_method(case.method).slots(N, case.hyper)
    if slots == 0:
        draws, weights = rational(np.zeros((1, T, 0, 1))), rational([1])
    else:
        draws, weights = enumerate_outcomes(problem.noise_support(), T, slots)
    found = np.empty(len(draws), dtype=object)
    for r, u in enumerate(draws):
        out = reference_run(case.method, problem, case.hyper, u, T)
        last = out["server"][-1] if "server" in out else out["theta"][-1][0]
        found[r] = problem.excess(np.array(last, dtype=object))[0]
    return found, weights


def recursion(index: int, step_factor: Any = 1) -> Any:
    """The same expectation from the moment recursion of the method's affine map."""
    case, problem = CASES[index], Quadratic(DATA)
    hyper = {**case.hyper, "step_size": step_factor * case.hyper["step_size"]}
    method = load_method(case.method)
    path = moments(lambda t: method.affine_map(problem, hyper, t), hyper["start"], T)
    return expected_excess(problem, path).reshape(-1, T + 1, N)[0, -1, 0]


@pytest.mark.parametrize("index", range(len(CASES)), ids=ids)
def test_enumeration_equals_recursion_exactly(index: int) -> None:
    values, weights = excesses(index)
    assert weights.sum() == 1
    assert (values * weights).sum() == recursion(index)


@pytest.mark.parametrize("method", ["all_for_one", "local", "fedavg"])
def test_enumeration_equals_recursion_where_noise_depends_on_the_point(method: str) -> None:
    """Minibatches of two rows: local steps carry noise of noise."""
    problem = LeastSquares(
        {
            "X": rational([[[1, "1/2"], [2, -1]], [[0, 1], [1, 1]]]),
            "y": rational([[1, 2], ["1/2", -1]]),
        }
        | {"batch": 1}
    )
    case = next(c for c in CASES if c.method == method)
    hyper = {**case.hyper}
    if method == "fedavg":
        hyper["local_steps"] = 2
    if method == "local":
        hyper["focus"] = [0]
    slots = load_method(method).slots(N, hyper)
    rows = (np.array([0, 1]), rational(["1/2", "1/2"]))
    draws, weights = enumerate_outcomes(rows, T, slots)
    total: Any = 0
    for u, p in zip(draws, weights, strict=True):
        out = reference_run(method, problem, hyper, u, T)
        last = out["server"][-1] if "server" in out else out["theta"][-1][0]
        total = total + p * problem.excess(np.array(last, dtype=object))[0]
    affine = load_method(method).affine_map(problem, hyper)
    path = moments(affine, hyper["start"], T)
    assert total == expected_excess(problem, path).reshape(-1, T + 1, N)[0, -1, 0]


@pytest.mark.parametrize("index", range(len(CASES) - 1), ids=ids[:-1])
def test_wrong_step_size_is_noticed(index: int) -> None:
    values, weights = excesses(index)
    assert (values * weights).sum() != recursion(index, Q(101, 100))


@pytest.mark.parametrize("index", range(len(CASES) - 1), ids=ids[:-1])
def test_simulation_agrees_within_hoeffding(index: int) -> None:
    case, replicates = CASES[index], 20_000
    method, problem = load_method(case.method), Quadratic(tensors(DATA))
    hyper = floats(case.hyper)
    slots = method.slots(N, hyper)
    skew = problem.data["skew"].repeat(slots // N)
    found = run_chunked(
        method,
        problem,
        hyper,
        lambda rows: Addressed("two_point", (7, 11), rows, slots, 1, skew=skew),
        replicates,
        T,
        chunk=6_000,
        last_only=True,
    )
    last = found.extras["server"][:, -1] if "server" in found.extras else found.theta[:, -1, 0]
    mean = float(problem.excess(last)[:, 0].mean())
    values = to_float(excesses(index)[0])
    # bounded outcomes with a known range: fails with probability 1e-9 if the code is right
    radius = float(np.ptp(values)) * math.sqrt(math.log(2 / 1e-9) / (2 * replicates))
    assert abs(mean - float(recursion(index))) < radius
    assert radius < 0.5 * float(recursion(index)) + 0.3  # and says something


@pytest.mark.parametrize("index", range(len(CASES)), ids=ids)
def test_recursion_runs_on_tensors_with_leading_axes(index: int) -> None:
    case, exact = CASES[index], float(recursion(index))
    problem = Quadratic(tensors(DATA)).expand(1)  # one instance
    method = load_method(case.method)
    hyper = tensors(case.hyper)
    hyper["step_size"] = torch.tensor([1.0, 2.0]).double() * case.hyper["step_size"].__float__()
    path = moments(method.affine_map(problem, hyper), hyper["start"], T)
    wide = problem.expand(1) if path.mean.ndim == 4 else problem
    found = expected_excess(wide, path)[..., -1, 0].reshape(path.mean.shape[0], -1)[:, 0]
    assert abs(float(found[0]) - exact) < 1e-12


def test_weights_that_move_have_no_affine_map() -> None:
    method, hyper = load_method("all_for_one"), CASES[0].hyper
    with pytest.raises(InvalidInput, match="weights must be fixed"):
        method.affine_map(Quadratic(DATA), {**hyper, "weights": "true"})
    with pytest.raises(InvalidInput, match="affine round"):
        load_method("fedbc").affine_map(Quadratic(DATA), {})


WEIGHTED = [
    ("fedavg", {"local_steps": 2}),
    ("fedprox", {"mu": np.array(0.5), "local": "argmin"}),
    ("fedprox", {"mu": np.array(0.5), "local": "gradient"}),
    ("wga_bc", {"mixing": np.array(0.4), "correction": "none"}),
]


def map_of(name: str, more: dict[str, Any], weights: Any, problem: Any = None) -> AffineMap:
    hyper = {"step_size": 0.1, "start": np.ones(2), **more, "client_weights": weights}
    problem = Quadratic(floats(DATA)) if problem is None else problem
    return load_method(name).affine_map(problem, hyper)


def moved(one: AffineMap) -> Any:
    return to_float(one.matrix @ np.ones(2) + one.offset)


def quiet_round(name: str, data: dict[str, Any], more: dict[str, Any]) -> Any:
    """The model after one round of a run without noise."""
    problem = Quadratic({**data, "law": "none"}).map(torch.as_tensor)
    hyper = {"step_size": 0.1, "start": np.ones(2), **more}
    found = run_chunked(load_method(name), problem, hyper, lambda rows: None, 1, 1)
    return found.extras.get("server", found.theta)[0, -1].numpy()


@each(("name", "more"), WEIGHTED)
@each("kind", [list, tuple, np.array, rational])
def test_weights_of_a_map_are_read_in_every_kind(
    name: str, more: dict[str, Any], kind: Any
) -> None:
    two, given = floats(DATA), [3.0, 1.0, 2.0]
    three = {k: np.concatenate([v, v[:1] + 1]) if np.ndim(v) else v for k, v in two.items()}
    expected = quiet_round(name, three, {**more, "client_weights": given})
    found = moved(map_of(name, more, kind(given), Quadratic(three)))
    assert abs(found - expected).max() < 1e-12
    assert abs(moved(map_of(name, more, None, Quadratic(three))) - expected).max() > 1e-3


@each("weights", [2.0, np.array(2.0), np.array([2.0]), [2.0, 2.0], None])
@each(("name", "more"), WEIGHTED)
def test_equal_weights_of_a_map_are_no_weights(
    name: str, more: dict[str, Any], weights: Any
) -> None:
    one, other = map_of(name, more, weights), map_of(name, more, np.ones(2))
    assert np.array_equal(one.matrix, other.matrix)
    assert np.array_equal(one.offset, other.offset)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -1.0], "client_weights must be non-negative"),
        ([0.0, 0.0], "must be not all zero"),
        ([1.0, 2.0, 3.0], r"client_weights must be of shape \(\.\.\., 2\)"),
    ],
)
def test_weights_that_make_no_map_are_named(weights: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        map_of("fedavg", {}, weights)


@pytest.mark.parametrize("clients", [1, 2])
def test_a_client_without_others_averages_with_itself(clients: int) -> None:
    """One client alone, or two of which one alone has weight: as in a run."""
    data = {k: v[:clients] if np.ndim(v) else v for k, v in floats(DATA).items()}
    hyper = {
        "step_size": 0.1,
        "start": np.ones(2),
        "mixing": np.array(0.4),
        "correction": "none",
        "client_weights": np.array([1.0, 0.0])[:clients],
    }
    found = moved(load_method("wga_bc").affine_map(Quadratic(data), hyper))
    assert abs(found - quiet_round("wga_bc", data, hyper)).max() < 1e-12


@each("family", ["pl", "nonconvex", "double_well", "parabolas", "logistic", "log_cosh", "growing"])
@each(("name", "more"), [*WEIGHTED, ("local", {})])
def test_other_families_have_no_affine_rounds(family: str, name: str, more: dict[str, Any]) -> None:
    if family == "growing" and more.get("local") == "argmin":
        return  # exact solves draw nothing
    message = "quadratic for an affine round|one whose noise has a closed covariance"
    with pytest.raises(InvalidInput, match=f"problem must be ({message})"):
        moments(map_of(name, more, None, make(family, DATA_OF[family])), np.ones(2), 1)
