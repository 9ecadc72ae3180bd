"""The engine's trajectories are those of the papers' loops, over twenty rounds of mini-batches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from synthetic.noise.sources import Given
from synthetic.tables.least_squares import LeastSquares
from tests.algorithms.reference import paper_loops
from tests.each import each

CLIENTS, ROWS, DIM, BATCH, ROUNDS, SEED = 4, 8, 3, 2, 20, 7
AGREE = 1e-12  # some ten thousand float operations on numbers near one; seen: below 1e-15
PLAIN = {"step_size": 0.05, "start": np.array([1.0, -0.5, 0.25])}
SOME = np.random.default_rng(SEED).integers(0, 2, (ROUNDS, CLIENTS))
SOME[:, 0] = 1  # somebody in every round
CENTRES = np.array([[0.5, 0.5, 0.0], [-1.0, 0.5, 1.0]])


@dataclass(frozen=True)
class Loop:
    """A method's settings, and one change of the loop's that must show."""

    method: str
    hyper: dict[str, Any] = field(default_factory=dict)
    fault: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.method, *map(str, self.fault.values())])


_DUAL = {"multipliers": 0.5, "dual_step": 0.1, "gamma_step": 0.02, "local_steps": 2}
_BC = {**_DUAL, "local": "gradient"}
_ALPHA = {"mixing": 0.4, "mixing_step": 0.1, "local_steps": 3}
_MOREAU = {"local": "gradient", "mu": 1.5, "inner_step": 0.1, "mixing": 0.75, "step_size": 0.3}
_PAIRS = {"coupling": 0.3, "weight_step": 0.2}
_CLUSTERS = {"starts": 0.5 * CENTRES, "start": None}
_GROUPS = {"tradeoff": 0.4, "local_steps": 2}

LOOPS = [
    Loop(
        "fedavg",
        {"local_steps": 3, "client_weights": np.array([3.0, 1, 2, 2])},
        {"step_size": 0.0501},
    ),
    Loop("fedprox", {"local": "gradient", "local_steps": 3, "mu": 0.5}, {"mu": 0.51}),
    Loop(
        "scaffold",
        {"local_steps": 3, "server_step": 0.75, "participation": SOME},
        {"server_step": 0.76},
    ),
    Loop("q_fedavg", {"local_steps": 2, "fairness": 2}, {"fairness": 3}),
    Loop("per_fedavg", {"local_steps": 2, "inner_step": 0.1}, {"inner_step": 0.11}),
    Loop("pfedme", {**_MOREAU, "local_steps": 3, "inner_steps": 4}, {"fresh": 1}),
    Loop("ditto", {"local_steps": 2, "personal_steps": 3, "pull": 0.5}, {"pull": 0.51}),
    Loop(
        "ditto",
        {"local_steps": 3, "personal_steps": 3, "pull": 0.5, "samples": "shared"},
        {"pull": 0.51},
    ),
    Loop("apfl", {**_ALPHA, "personal_at": "old"}, {"personal_at": "new"}),
    Loop("apfl", {**_ALPHA, "personal_at": "new"}, {"personal_at": "old"}),
    Loop("cobo", {**_PAIRS, "first": "weights"}, {"first": "models"}),
    Loop("cobo", {**_PAIRS, "first": "models"}, {"first": "weights"}),
    Loop("ifca", {**_CLUSTERS, "averaging": "models", "local_steps": 2}, {"local_steps": 1}),
    Loop(
        "ifca", {**_CLUSTERS, "averaging": "gradients"}, {"averaging": "models", "local_steps": 1}
    ),
    Loop("fedbc", {**_BC, "gamma_by": "new"}, {"gamma_by": "old"}),
    Loop("fedbc", {**_BC, "gamma_by": "old"}, {"gamma_by": "new"}),
    Loop("hcct", {**_GROUPS, "first_groups": "alone"}, {"first_groups": "one"}),
    Loop("hcct", {**_GROUPS, "first_groups": "one"}, {"first_groups": "alone"}),
]


def tables() -> tuple[Any, Any]:
    """Rows and labels of clients of two kinds."""
    rng = np.random.default_rng(SEED)
    rows = rng.normal(size=(CLIENTS, ROWS, DIM))
    truth = CENTRES[[0, 0, 1, 1]] + 0.1 * rng.normal(size=(CLIENTS, DIM))
    labels = np.einsum("knd,kd->kn", rows, truth) + 0.2 * rng.normal(size=(CLIENTS, ROWS))
    return rows, labels


def both(case: Loop, **changes: Any) -> tuple[Any, Any]:
    """Models of the engine and of the paper's loop, the latter with changes, (T + 1, N, d) each."""
    rows, labels = tables()
    method, hyper = load_method(case.method), {**PLAIN, **case.hyper}
    engine = {name: value for name, value in hyper.items() if value is not None}
    slots = method.slots(CLIENTS, engine)
    draws = np.random.default_rng(SEED + 1).integers(0, ROWS, (1, ROUNDS, slots, BATCH))
    data = {"X": torch.as_tensor(rows), "y": torch.as_tensor(labels), "half": True}
    problem = LeastSquares({**data, "batch": BATCH})
    noise = Given(torch.as_tensor(draws, dtype=torch.float64))
    found = run(method, problem, engine, noise, ROUNDS).theta[0].numpy()
    loop = getattr(paper_loops, case.method)
    changed = {**hyper, **changes}
    printed = loop(paper_loops.Tables(rows, labels), changed, lambda t, s: draws[0, t, s], ROUNDS)
    return found, printed


@each("case", LOOPS)
def test_trajectory_is_that_of_the_paper(case: Loop) -> None:
    found, printed = both(case)
    assert found.shape == printed.shape == (ROUNDS + 1, CLIENTS, DIM)
    assert np.abs(found - printed).max() < AGREE
    assert np.abs(printed[-1] - printed[0]).max() > 0.1  # it moves


@each("case", LOOPS)
def test_another_loop_is_seen(case: Loop) -> None:
    found, printed = both(case, **case.fault)
    assert np.abs(found - printed).max() > 1e-5


def test_groups_and_clusters_are_not_trivial() -> None:
    """What the cases on groups are about: neither everybody alone nor all together."""
    for case in (one for one in LOOPS if one.method in ("hcct", "ifca")):
        last = both(case)[0][-1]
        apart = {tuple(np.round(model, 12)) for model in last}
        assert 1 < len(apart) < CLIENTS, str(case)
