"""One small rational federation and a table of methods with hyper-parameters, in exact numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction as Q
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import Run, run
from algorithms.reference.run import reference_run
from algorithms.registry import load_method
from bounds.generic import to_float
from synthetic.noise.sources import Given
from synthetic.quadratic import Quadratic

N, D, T = 3, 2, 3


def rational(values: Any) -> Any:
    """Nested lists of numbers as an object array of fractions."""
    raw = np.array(values, dtype=object)
    out = np.empty(raw.shape, dtype=object)
    for index, x in np.ndenumerate(raw):
        out[index] = Q(x)
    return out


DATA = {
    "A": rational([[[2, 1], [1, 3]], [[3, "1/2"], ["1/2", 2]], [["5/2", 0], [0, 4]]]),
    "xi": rational([["1/4", -1], [0, "-1/2"], ["1/2", -2]]),
    "noise_scale": rational([1, "1/2", "1/3"]),
    "law": "gaussian",
}


@dataclass(frozen=True)
class Case:
    """A method with exact hyper-parameters."""

    label: str
    method: str
    hyper: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.label


_STEP = {"step_size": Q(1, 32), "start": rational(["3/2", -1])}
_STARTS = {"step_size": Q(1, 32), "starts": rational([["3/2", -1], [1, 1], [-2, "1/2"]])}
_MATRIX = rational([["1/2", "1/4", "1/8"], [0, 1, "1/3"], ["1/5", "1/5", "1/5"]])
_ROUNDS = rational([[1, 0, 1], [0, 0, 0], [0, 1, 1]])
_AWAKE = rational([[1, 0, 0], [0, 0, 1], [0, 1, 0]])
_SERVER = {**_STEP, "participation": _ROUNDS}
_SIZES = rational([3, 1, 2])
_MULTIPLIERS = rational(["1/2", 1, 2])
_DUAL = {
    "dual_step": Q(1, 16),
    "gamma": rational([3, "1/2", 3]),
    "lambda_min": Q(15, 32),
    "lambda_max": Q(17, 8),
}

CASES = [
    Case("continuous", "all_for_one", {**_STEP}),
    Case("own starts", "all_for_one", {**_STARTS}),
    Case("binary", "all_for_one", {**_STEP, "phi": "binary", "threshold": Q(3, 7)}),
    Case("cubic", "all_for_one", {**_STEP, "phi": "power", "exponent": 3}),
    Case(
        "schedule",
        "all_for_one",
        {"start": _STEP["start"], "step_sizes": rational(["1/16", "1/32", "1/64"]), "refresh": 2},
    ),
    Case("oracle", "all_for_one", {**_STARTS, "weights": "fixed", "weight_matrix": _MATRIX}),
    Case("shared samples", "all_for_one", {**_STARTS, "samples": "shared"}),
    Case(
        "shared and estimated",
        "all_for_one",
        {**_STEP, "weights": "estimated", "samples": "shared", "focus": [2, 0]},
    ),
    Case("estimated", "all_for_one", {**_STARTS, "weights": "estimated", "b_alpha": 2}),
    Case(
        "refreshed",
        "all_for_one",
        {**_STEP, "weights": "estimated", "b_alpha": 2, "refresh": 2, "focus": [1]},
    ),
    Case("local", "local", {**_STARTS}),
    Case("local focus", "local", {**_STARTS, "focus": [2, 0]}),
    Case("fedavg", "fedavg", {**_STEP, "local_steps": 2}),
    Case("fedavg sampled", "fedavg", {**_SERVER, "client_weights": _SIZES}),
    Case("fedprox exact", "fedprox", {"start": _STEP["start"], "mu": Q(2, 3)}),
    Case(
        "fedprox steps",
        "fedprox",
        {**_SERVER, "mu": Q(2, 3), "local": "gradient", "local_steps": 2, "client_weights": _SIZES},
    ),
    Case("fedbc constant", "fedbc", {**_STARTS, **_STEP, "multipliers": _MULTIPLIERS}),
    Case("fedbc exact", "fedbc", {**_SERVER, **_DUAL, "multipliers": _MULTIPLIERS}),
    Case(
        "fedbc steps",
        "fedbc",
        {
            **_SERVER,
            **_STARTS,
            **_DUAL,
            "multipliers": _MULTIPLIERS,
            "local": "gradient",
            "local_steps": 2,
            "virtual": True,
        },
    ),
    Case(
        "fedbc from the server",
        "fedbc",
        {
            **_SERVER,
            "dual_step": Q(1, 16),
            "gamma": rational([3, "1/2", 3]),
            "multipliers": _MULTIPLIERS,
            "local": "gradient",
            "local_start": "server",
            "local_steps": 2,
        },
    ),
    Case(
        "fedbc own steps",
        "fedbc",
        {
            **_SERVER,
            "dual_step": Q(1, 16),
            "multipliers": _MULTIPLIERS,
            "local": "gradient",
            "local_steps": [1, 2, 3],
        },
    ),
    Case(
        "fedbc heuristic",
        "fedbc",
        {
            "start": _STEP["start"],
            "dual_step": Q(1, 16),
            "gamma": rational([1, "1/2", 2]),
            "gamma_step": Q(1, 32),
            "multipliers": _MULTIPLIERS,
        },
    ),
    Case(
        "fedbc old multiplier",
        "fedbc",
        {
            "start": _STEP["start"],
            "dual_step": Q(1, 16),
            "gamma_step": Q(1, 32),
            "gamma_by": "old",
            "multipliers": _MULTIPLIERS,
            "client_weights": _SIZES,
        },
    ),
    Case(
        "fedbc weighted without multipliers",
        "fedbc",
        {
            "start": _STEP["start"],
            "participation": _ROUNDS,
            "multipliers": rational([0, 0, 0]),
            "client_weights": _SIZES,
        },
    ),
    Case(
        "per-fedbc",
        "per_fedbc",
        {
            **_SERVER,
            "dual_step": Q(1, 16),
            "gamma": rational([1, "1/2", 2]),
            "inner_step": Q(1, 64),
            "multipliers": _MULTIPLIERS,
            "local_steps": 2,
            "inner_steps": 2,
        },
    ),
    Case("scaffold", "scaffold", {**_STEP, "local_steps": 2}),
    Case(
        "scaffold sampled",
        "scaffold",
        {**_SERVER, "local_steps": 2, "server_step": Q(3, 4)},
    ),
    Case("scaffold weighted", "scaffold", {**_SERVER, "local_steps": 2, "client_weights": _SIZES}),
    Case("scaffold own steps", "scaffold", {**_SERVER, "local_steps": [1, 3, 2]}),
    Case("q-fedavg", "q_fedavg", {**_SERVER, "local_steps": 2, "fairness": 2}),
    Case("q-fedavg own steps", "q_fedavg", {**_SERVER, "local_steps": [3, 1, 2], "fairness": 2}),
    Case("q-fedavg weighted", "q_fedavg", {**_SERVER, "fairness": 2, "client_weights": _SIZES}),
    Case("per-fedavg", "per_fedavg", {**_SERVER, "local_steps": 2, "inner_step": Q(1, 16)}),
    Case(
        "per-fedavg weighted",
        "per_fedavg",
        {**_SERVER, "inner_step": Q(1, 16), "client_weights": _SIZES},
    ),
    Case("pfedme exact", "pfedme", {**_SERVER, "local_steps": 2, "mu": Q(2, 3)}),
    Case(
        "pfedme steps",
        "pfedme",
        {
            **_STEP,
            "local": "gradient",
            "local_steps": 2,
            "inner_steps": 2,
            "mu": Q(2, 3),
            "inner_step": Q(1, 16),
            "mixing": Q(1, 2),
        },
    ),
    Case(
        "pfedme from the local model",
        "pfedme",
        {
            **_SERVER,
            "local": "gradient",
            "local_steps": 2,
            "inner_steps": 3,
            "inner_start": "local",
            "client_weights": _SIZES,
            "mu": Q(2, 3),
            "inner_step": Q(1, 16),
        },
    ),
    Case("ditto", "ditto", {**_STARTS, **_STEP, "pull": _MULTIPLIERS, "local_steps": 2}),
    Case(
        "ditto sampled",
        "ditto",
        {**_SERVER, "pull": _MULTIPLIERS, "personal_steps": 2, "client_weights": _SIZES},
    ),
    Case(
        "ditto shared samples",
        "ditto",
        {
            **_SERVER,
            "pull": _MULTIPLIERS,
            "local_steps": 3,
            "personal_steps": 2,
            "samples": "shared",
            "client_weights": _SIZES,
        },
    ),
    Case("apfl", "apfl", {**_STARTS, **_STEP, "mixing": rational([1, "1/2", 0]), "local_steps": 2}),
    Case(
        "apfl adaptive",
        "apfl",
        {
            **_SERVER,
            **_STARTS,
            "mixing": rational(["1/4", "1/2", 1]),
            "mixing_step": Q(1, 16),
            "local_steps": 2,
            "client_weights": _SIZES,
        },
    ),
    Case(
        "apfl after the step",
        "apfl",
        {
            **_STEP,
            "mixing": rational(["1/4", "1/2", 1]),
            "mixing_step": Q(1, 16),
            "personal_at": "new",
            "local_steps": 2,
        },
    ),
    Case("wga", "wga_bc", {**_STEP, "mixing": Q(1, 3), "correction": "none"}),
    Case(
        "wga_bc",
        "wga_bc",
        {**_STARTS, "mixing": Q(2, 3), "correction_rate": Q(1, 4), "client_weights": _SIZES},
    ),
    Case(
        "wga_bc focus",
        "wga_bc",
        {
            **_STEP,
            "mixing": Q(2, 3),
            "focus": [1],
            "correction_rates": rational([1, "1/2", "1/4"]),
        },
    ),
    Case("cobo", "cobo", {**_STARTS, "coupling": Q(2, 3), "weight_step": Q(1, 256)}),
    Case(
        "cobo models first",
        "cobo",
        {**_STARTS, "coupling": Q(2, 3), "weight_step": Q(1, 256), "first": "models"},
    ),
    Case(
        "cobo sampled",
        "cobo",
        {
            **_STARTS,
            "coupling": Q(2, 3),
            "weight_step": Q(1, 512),
            "initial_weights": rational([[1, "1/2", 1], ["1/2", 1, "1/4"], [1, "1/4", 1]]),
            "pairs": rational(
                [
                    [[0, 1, 0], [1, 0, 1], [0, 1, 0]],
                    [[0, 0, 1], [0, 0, 1], [1, 1, 0]],
                    [[0, 0, 0], [0, 0, 1], [0, 1, 0]],
                ]
            ),
        },
    ),
    Case("all-for-all", "all_for_all", {**_STEP, "mixing": _MATRIX}),
    Case(
        "all-for-all asynchronous",
        "all_for_all",
        {**_STARTS, "mixing": _MATRIX, "participation": _AWAKE, "focus": [2, 0]},
    ),
    Case(
        "all-for-all adaptive",
        "all_for_all_adaptive",
        {
            **_STEP,
            "mixings": rational([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], _MATRIX.tolist()]),
            "lengths": [2],
        },
    ),
    Case("averaging", "weighted_averaging", {**_STEP, "mixing": _MATRIX, "focus": [0]}),
    Case(
        "averaging asynchronous",
        "weighted_averaging",
        {
            **_STEP,
            "mixing": _MATRIX,
            "oracle": "asynchronous",
            "participation": _AWAKE,
            "focus": [1],
        },
    ),
    Case("naive all-for-all", "naive_all_for_all", {**_STARTS, "mixing": _MATRIX}),
]


_CONVEX = rational([["1/2", "1/4", "1/4"], [0, 1, 0], ["1/8", "1/8", "3/4"]])
_FAIR = {**_STEP, "local_steps": 2, "client_weights": _SIZES}
_FAIR_ROUNDS = {"start": _STEP["start"], "step_sizes": rational(["1/16", "1/32", "1/64"])}

AGGREGATION = [
    Case("aggregation fedavg", "aggregation", {**_FAIR, "focus": [0]}),
    Case("aggregation fedmax", "aggregation", {**_FAIR, "rule": "fedmax"}),
    Case("aggregation schedule", "aggregation", {**_FAIR_ROUNDS, "rule": "fedmax"}),
    Case("aggregation fedmaxk", "aggregation", {**_FAIR, "rule": "fedmaxk", "count": 2}),
    Case(
        "aggregation softmax",
        "aggregation",
        {**_FAIR, "rule": "fedsoftmax", "temperature": Q(8), "timing": "equation"},
    ),
    Case(
        "aggregation average",
        "aggregation",
        {**_FAIR, "rule": "fedsoftmax", "temperature": Q(8), "seen": "average"},
    ),
    Case("aggregation local", "aggregation", {**_FAIR, "rule": "fedmax", "seen": "local"}),
    Case("aggregation fixed", "aggregation", {**_STEP, "rule": "fixed", "coefficients": _CONVEX}),
    Case(
        "power of choice",
        "aggregation",
        {
            **_STEP,
            "rule": "power_of_choice",
            "count": 2,
            "candidates": rational([[1, 0, 1], [1, 1, 1], [0, 1, 1]]),
        },
    ),
]
CASES += AGGREGATION


_CENTRES = rational([["1/8", "1/4"], [-1, 3], ["-1/2", 1]])
_GROUPED = {**_STARTS, "tradeoff": Q(1, 2), "client_weights": _SIZES}

GROUPS = [
    Case("hcct", "hcct", _GROUPED),
    Case("hcct box", "hcct", {**_GROUPED, "tradeoff": Q(1, 8), "order": "box"}),
    Case("hcct own models", "hcct", {**_GROUPED, "models": "own", "local_steps": 2}),
    Case("hcct current", "hcct", {**_GROUPED, "updates": "current", "focus": [1]}),
    Case("hcct one group", "hcct", {**_GROUPED, "first_groups": "one"}),
    Case(
        "hcct one group of those who came",
        "hcct",
        {**_GROUPED, "first_groups": "one", "arrivals": rational([0, 1, 0])},
    ),
    Case("hcct arrivals", "hcct", {**_GROUPED, "arrivals": rational([0, 1, 0])}),
    Case("maxfl", "maxfl", {**_STEP, "margin": Q(10), "client_weights": _SIZES}),
    Case("fedfa", "fedfa", {**_STEP, "local_steps": 2}),
    Case("ifca", "ifca", {"step_size": Q(1, 32), "starts": _CENTRES, "client_weights": _SIZES}),
    Case(
        "ifca gradients",
        "ifca",
        {
            "step_size": Q(1, 32),
            "starts": _CENTRES,
            "client_weights": _SIZES,
            "averaging": "gradients",
        },
    ),
    Case(
        "flsc",
        "flsc",
        {"step_size": Q(1, 32), "starts": _CENTRES, "count": 2, "local_steps": 2, "focus": [2]},
    ),
    Case(
        "bipartition",
        "bipartition",
        {**_STEP, "stationary": Q(133, 10), "restless": Q(449, 20), "client_weights": _SIZES},
    ),
]
CASES += GROUPS


def floats(values: dict[str, Any]) -> dict[str, Any]:
    """The same fields in float64."""
    exact = (Q, np.ndarray)
    return {k: to_float(v) if isinstance(v, exact) else v for k, v in values.items()}


def tensors(values: dict[str, Any], dtype: torch.dtype = torch.float64) -> dict[str, Any]:
    """The same fields as tensors."""
    return {
        k: torch.as_tensor(v, dtype=dtype) if isinstance(v, np.ndarray) else v
        for k, v in floats(values).items()
    }


def federation(dtype: torch.dtype = torch.float64, **changes: Any) -> Quadratic:
    """The federation in tensors."""
    return Quadratic(tensors({**DATA, **changes}, dtype))


def dyadic_draws(case: Case, replicates: int = 4, seed: int = 1) -> Any:
    """Draws (R, T, S, D) that floats and fractions hold alike."""
    slots = max(1, load_method(case.method).slots(N, case.hyper))
    return np.random.default_rng(seed).integers(-12, 13, (replicates, T, slots, D)) / 8


def engine_run(case: Case, draws: Any, problem: Any = None, **changes: Any) -> Run:
    """The batched engine on given draws."""
    hyper = {**floats(case.hyper), **changes}
    problem = federation() if problem is None else problem
    noise = Given(torch.as_tensor(draws, dtype=problem.data["A"].dtype))
    return run(load_method(case.method), problem, hyper, noise, T)


def twin_run(case: Case, draws: Any, exact: bool) -> dict[str, Any]:
    """The serial twin on the draws (T, S, D) of one replicate."""
    problem = Quadratic(DATA if exact else floats(DATA))
    hyper = case.hyper if exact else floats(case.hyper)
    return reference_run(case.method, problem, hyper, rational(draws) if exact else draws, T)


def tables(result: Run, replicate: int, replicates: int) -> dict[str, Any]:
    """What the engine recorded of one replicate; exact solves have no replicate axis."""
    found = {"theta": result.theta, **result.extras}
    lead = result.theta.ndim - 3
    return {k: v[replicate].numpy() if lead else v.numpy() for k, v in found.items()}


def gap(left: Any, right: Any) -> float:
    """Largest difference, relative to the largest entry."""
    a, b = to_float(np.array(left, dtype=object)), to_float(np.array(right, dtype=object))
    return float(np.max(np.abs(a - b), initial=0) / max(1e-300, np.max(np.abs(b), initial=0)))


# a few hundred float operations of well-scaled numbers: about 1e-14, so 1e-12 has room
ROUNDING = 1e-12


def largest_gap(case: Case, draws: Any) -> float:
    """Largest difference between engine and float twin, over replicates and recorded fields."""
    result = engine_run(case, draws)
    worst = 0.0
    for r in range(len(draws)):
        found, expected = tables(result, r, len(draws)), twin_run(case, draws[r], exact=False)
        # lists that a rule leaves empty (no ratio under fixed weights) are not recorded
        assert set(found) == {k for k, v in expected.items() if np.size(v)}
        for name, value in found.items():
            assert value.shape == np.shape(expected[name])
            worst = max(worst, gap(value, expected[name]))
    return worst
