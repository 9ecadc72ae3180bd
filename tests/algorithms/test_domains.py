"""Every documented domain of a method's hyper-parameters, at its edges; no name is left out.

What lies on the edge runs, what lies a little beyond is refused by name. Names whose domain is all
real numbers are listed as such, so that a new one must be entered somewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.method import names_of
from algorithms.registry import METHODS, load_method
from bounds.numbers.validate import InvalidInput
from tests.algorithms.cases import CASES, D, N, T, federation, floats
from tests.each import each

EPS = 2.0**-40
"""How far beyond an edge a number is tried."""


@dataclass(frozen=True)
class Domain:
    """Numbers (or words) on the edges, some beyond them, and what is said of these."""

    inside: tuple[Any, ...]
    outside: tuple[Any, ...]
    said: str


STEP = Domain((0.0,), (-EPS,), "must be at least 0")
DIVIDED = Domain((EPS,), (0.0, -EPS), "must be (not zero|at least 0)")
NOT_NEGATIVE = Domain((0.0,), (-EPS,), "must be non-negative")
POSITIVE = Domain((EPS,), (0.0, -EPS), "must be positive")
SHARE = Domain((0.0, 1.0), (-EPS, 1 + EPS), r"must be in \[0, 1\]")
RATE = Domain((EPS, 1.0), (0.0, 1 + EPS), r"must be in \(0, 1\]")
MASK = Domain((0.0, 1.0), (EPS, 1 + EPS, -1.0), "must be made of zeros and ones")
WEIGHTS = Domain((1.0,), (-EPS,), "must be non-negative")
SOME_WEIGHT = Domain((EPS,), (0.0, -EPS), "client_weights must be (not all zero|non-negative)")
SUMMED = Domain((EPS,), (0.0, -EPS), "client_weights must be (positive|non-negative)")
COUNT = Domain((1,), (0, 1.5, True, -1), "must be a whole number of at least 1")
FOCUS = Domain(([0],), ([N], [-1], []), "must be a non-empty list of clients")
STEPS_OF_ALL = Domain((1, [1] * N), (0, 1.5, [0] * N, [1.5] * N), "must be (a )?whole number")


def words(*options: str) -> Domain:
    """Each option is taken, no other word."""
    return Domain(options, ("other", 0), "must be one of")


ANY = frozenset(
    (
        "start",
        "starts",
        "controls",
        "mixing:all_for_all",
        "mixing:weighted_averaging",
        "mixing:naive_all_for_all",
        "mixings",
        "weight_matrix",
        "coefficients",
    )
)
"""Names whose domain is all real numbers."""

DOMAINS: dict[str, Domain] = {
    "step_size": STEP,
    "step_sizes": STEP,
    "inner_step": STEP,
    "server_step": STEP,
    "dual_step": STEP,
    "gamma_step": STEP,
    "step_size:q_fedavg": DIVIDED,
    "step_sizes:q_fedavg": DIVIDED,
    "step_size:scaffold": DIVIDED,
    "step_sizes:scaffold": DIVIDED,
    "mu": NOT_NEGATIVE,
    "pull": NOT_NEGATIVE,
    "coupling": NOT_NEGATIVE,
    "weight_step": NOT_NEGATIVE,
    "mixing_step": NOT_NEGATIVE,
    "multipliers": NOT_NEGATIVE,
    "gamma": NOT_NEGATIVE,
    "lambda_min": NOT_NEGATIVE,
    "lambda_max": Domain((17 / 8,), (-EPS, 15 / 32 - EPS), "must be (non-negative|at most)"),
    "margin": NOT_NEGATIVE,
    "tradeoff": NOT_NEGATIVE,
    "stationary": NOT_NEGATIVE,
    "restless": NOT_NEGATIVE,
    "arrivals": Domain((0.0, 1.0), (-1.0, 0.5), "arrivals must be whole numbers of at least 0"),
    "mixing:apfl": SHARE,
    "mixing:wga_bc": SHARE,
    "mixing:pfedme": NOT_NEGATIVE,
    "initial_weights": SHARE,
    "pairs": SHARE,
    "correction_rate": RATE,
    "correction_rates": RATE,
    "threshold": Domain((EPS, 1.0), (0.0, 1 + EPS), "threshold must be (positive|in)"),
    "temperature": POSITIVE,
    "participation": MASK,
    "candidates": Domain((1.0,), (0.0, EPS), "candidates must be made of zeros and ones, some"),
    "client_weights": WEIGHTS,
    **dict.fromkeys(
        [f"client_weights:{m}" for m in ("scaffold", "q_fedavg", "per_fedavg", "pfedme")],
        SOME_WEIGHT,
    ),
    **dict.fromkeys(
        [f"client_weights:{m}" for m in ("bipartition", "flsc", "hcct", "ifca", "maxfl")],
        POSITIVE,
    ),
    "client_weights:aggregation": SUMMED,
    "fairness": Domain((0, 0.0), (-EPS, float("inf"), float("nan"), "x"), "must be at least 0"),
    "exponent": Domain((1,), (0, -1, 1.5), "exponent must be a whole number"),
    "b_alpha": COUNT,
    "refresh": COUNT,
    "inner_steps": COUNT,
    "personal_steps": COUNT,
    "clusters": COUNT,
    "count": Domain((1,), (0, 1.5, N + 1), "count must be"),
    "local_steps": COUNT,
    **dict.fromkeys(
        [f"local_steps:{m}" for m in ("fedavg", "fedprox", "fedbc", "scaffold", "q_fedavg")],
        STEPS_OF_ALL,
    ),
    "focus": FOCUS,
    "focus:weighted_averaging": Domain(([0],), ([0, 1], [N]), "focus must be"),
    "layers": Domain(([D], [1] * D), ([D, 1], [0, D], [D - 1]), "layers must be positive ints"),
    "shared": Domain((1, D), (0, D + 1, 1.5), "shared must be a whole number from 1"),
    "lengths": Domain(([0], [1]), ([1.5], [-1], [1, 1]), "lengths must be"),
    "virtual": Domain((True, False), (), ""),
    "local": words("argmin", "gradient"),
    "local_start": words("own", "server"),
    "gamma_by": words("new", "old"),
    "inner_start": words("last", "local"),
    "personal_at": words("old", "new"),
    "first": words("weights", "models"),
    "averaging": words("models", "gradients"),
    "first_groups": words("alone", "one"),
    "models": words("averaged", "own"),
    "order": words("text", "box"),
    "updates": words("previous", "current"),
    "correction": words("running", "none"),
    "samples": Domain(("own", "shared"), ("other",), "samples must be one of"),
    "oracle": words("synchronous", "asynchronous"),
    "phi": Domain(("continuous",), ("other",), "phi must be one of"),
    "weights": Domain(("true", "estimated"), ("other",), "weights must be one of"),
    "rule": Domain(("fedavg", "fedmax"), ("other",), "rule must be one of"),
    "timing": words("algorithm", "equation"),
    "seen": Domain(("average", "local"), ("other",), "seen must be one of"),
}
EVERY = [(name, own) for name in METHODS for own in sorted(names_of(load_method(name)) or ())]
SIZES = {"N": N, "d": D, "T": T, "E": 2, "K": 3}
MADE: dict[str, dict[str, Any]] = {
    "samples": {"local_steps": 2, "personal_steps": 1},
    "local_steps": {"local": "gradient", "inner_step": 0.05},
    "clusters": {"starts": None, "start": np.ones(D)},
    "lambda_max": {"lambda_min": 15 / 32},
    "correction": {"correction_rate": 0.5},
    "inner_steps": {"local": "gradient", "inner_step": 0.05, "mu": 1.0},
    "inner_start": {"local": "gradient", "inner_step": 0.05, "mu": 1.0},
    "inner_step": {"local": "gradient", "mu": 1.0},
}
"""Settings under which a name is read."""


def domain_of(name: str, own: str) -> Domain | None:
    """The domain of a method's hyper-parameter; None where it is all real numbers."""
    if own in ANY or f"{own}:{name}" in ANY:
        return None
    return DOMAINS.get(f"{own}:{name}", DOMAINS.get(own))


def trained(name: str, own: str, value: Any) -> Any:
    """Two rounds of a method with one hyper-parameter at a value, all else as in a case."""
    method = load_method(name)
    cases = [case for case in CASES if case.method == name]
    case = next((case for case in cases if own in case.hyper), cases[0])
    hyper = {**floats(case.hyper)}
    reads = names_of(method) or ()
    hyper |= {k: v for k, v in MADE.get(own, {}).items() if k in reads}
    if own in method.axes and not isinstance(value, str):
        shape = [SIZES[axis] for axis in method.axes[own].split()]
        value = np.full(shape, value)
        if own == "step_sizes":
            hyper.pop("step_size", None)
    return run(method, federation(), {**hyper, own: value}, None, T)


@each(("name", "own"), EVERY)
def test_every_hyper_parameter_has_a_domain(name: str, own: str) -> None:
    listed = own in ANY or f"{own}:{name}" in ANY
    assert listed != (domain_of(name, own) is not None), f"{own} of {name}"


@each(("name", "own"), [pair for pair in EVERY if domain_of(*pair) is not None])
def test_edges_run_and_what_lies_beyond_is_refused(name: str, own: str) -> None:
    domain = domain_of(name, own)
    assert domain is not None
    for value in domain.inside:
        assert torch.isfinite(trained(name, own, value).theta).all(), value
    for value in domain.outside:
        with pytest.raises(InvalidInput, match=domain.said) as error:
            trained(name, own, value)
        assert own in str(error.value), value


def test_starts_say_how_many_clusters_there_are() -> None:
    """Another number beside them would have been read by nobody."""
    case = next(case for case in CASES if case.label == "ifca")
    run(load_method("ifca"), federation(), {**floats(case.hyper), "clusters": 3}, None, 1)
    with pytest.raises(InvalidInput, match="clusters must be the 3 of starts, got 2"):
        run(load_method("ifca"), federation(), {**floats(case.hyper), "clusters": 2}, None, 1)


def test_ends_of_the_multipliers_are_in_order() -> None:
    case = next(case for case in CASES if case.label == "fedbc exact")
    hyper = floats(case.hyper) | {"lambda_min": 1.0}
    run(load_method("fedbc"), federation(), {**hyper, "lambda_max": 1.0}, None, 1)
    with pytest.raises(InvalidInput, match="lambda_min must be at most lambda_max"):
        run(load_method("fedbc"), federation(), {**hyper, "lambda_max": 1 - EPS}, None, 1)
