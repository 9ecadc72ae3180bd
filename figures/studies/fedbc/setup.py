"""Choices, methods, grids and printed numbers of the study of FedBC on Synthetic(0.5, 0.5).

Source: fedbc, Appendix E (tuning grids, protocol), Table 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from bounds.numbers.validate import require
from synthetic.tables.alpha_beta import Device, alpha_beta

EPOCHS = (1, 5, 10, 25, 50)
PRINTED: dict[str, tuple[float, ...]] = {
    "fedavg": (83.61, 83.42, 83.49, 83.73, 82.94),
    "q_fedavg": (87.12, 86.76, 86.46, 86.76, 86.71),
    "fedprox": (86.23, 85.59, 85.34, 85.00, 85.34),
    "scaffold": (83.84, 82.95, 83.48, 83.60, 82.80),
    "fedbc": (87.83, 87.48, 87.43, 86.99, 87.26),
}
"""Table 1: accuracies of five methods in per cent, for the numbers E in `EPOCHS`."""

SERVER = "fedbc_server"
"""FedBC with local steps from the server's model."""
METHODS = (*PRINTED, SERVER)
"""Rows of our table. Algorithm 2 begins local steps at the device's own model; with ten of thirty
devices sampled that model is old, so a start at the server's model is run too."""

_RATES = (0.001, 0.01, 0.1, 0.5, 1.0)
_DUAL = {"dual_step": (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2), "lambda_0": (0.0, 0.1)}
GRIDS: dict[str, dict[str, Sequence[float]]] = {
    "fedavg": {"step_size": _RATES},
    "q_fedavg": {"step_size": _RATES, "fairness": (0.001, 0.01, 0.1, 1.0, 2.0, 5.0)},
    "fedprox": {"step_size": _RATES, "mu": (1e-4, 1e-3, 1e-2, 0.1, 1.0)},
    "scaffold": {"step_size": _RATES},
    "fedbc": {"step_size": _RATES, **_DUAL},
    SERVER: {"step_size": _RATES, **_DUAL},
}
"""The printed grids. lambda^0 is not printed: 0 and a positive number are tried. The gamma step is
the dual step."""
TUNED_AT = 5
"""E of the choice of steps, which are then kept."""


@dataclass(frozen=True)
class Setup:
    """Choices; all but the first, the last two of them open in the paper.

    Attributes
    ----------
    clients, sampled : int
        Devices, and those drawn per round without replacement.
    rounds : int
        T.
    batch : int
        Rows per stochastic gradient.
    epochs : tuple of int
        E.
    seeds : tuple of int
        Of data, sampled sets and mini-batches; the first one is used for the choice of steps.
    one_data_set : bool
        All runs share the data of the first seed, or each has its own.
    local_steps : {"E", "epochs"}
        K_i = E (caption of Table 1), or E passes over the device's rows, E ceil(n_i/batch).
    most : int or None
        Sizes are cut at this number; the published generator does not.
    every : int
        Training losses are noted once in so many rounds.
    thin : int
        Of grids with more than two values, every so manyth from the largest on.
    """

    clients: int = 30
    sampled: int = 10
    rounds: int = 200
    batch: int = 10
    epochs: tuple[int, ...] = EPOCHS
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    one_data_set: bool = False
    local_steps: str = "E"
    most: int | None = None
    every: int = 5
    thin: int = 1

    def __post_init__(self) -> None:
        many = len(self.seeds) >= 2
        require(many, "seeds", "at least two", self.seeds, "pass more seeds")
        known = self.local_steps in ("E", "epochs")
        require(known, "local_steps", "'E' or 'epochs'", self.local_steps, "choose one")
        fits = 1 <= self.sampled <= self.clients
        require(fits, "sampled", f"from 1 to {self.clients}", self.sampled, "sample fewer devices")

    def federations(self) -> list[list[Device]]:
        """Devices of every run."""
        seeds = self.seeds[:1] * len(self.seeds) if self.one_data_set else self.seeds
        return [alpha_beta(self.clients, seed=seed, most=self.most) for seed in seeds]

    def grid(self, method: str) -> Mapping[str, Sequence[float]]:
        """Hyper-parameters to try."""
        return {
            name: values[::-1][:: self.thin if len(values) > 2 else 1]
            for name, values in GRIDS[method].items()
        }


QUICK = Setup(rounds=100, epochs=(1, 5, 10), most=1000, thin=2)
THOROUGH = Setup()


CHOSEN: dict[str, dict[str, float]] = {
    "fedavg": {"step_size": 0.1},
    "q_fedavg": {"step_size": 0.1, "fairness": 0.01},
    "fedprox": {"step_size": 0.1, "mu": 1.0},
    "scaffold": {"step_size": 0.1},
    "fedbc": {"step_size": 0.1, "dual_step": 0.01, "lambda_0": 0.1},
    SERVER: {"step_size": 0.1, "dual_step": 1e-4, "lambda_0": 0.0},
}
"""What the choice of steps gave for `QUICK`. Some points of the grids are nearly as good as the
best one, and another processor would take one of them; a test compares their scores."""


def printed(method: str, steps: int) -> float:
    """Accuracy of Table 1 in per cent; both starts of FedBC share a row."""
    return PRINTED["fedbc" if method == SERVER else method][EPOCHS.index(steps)]


@lru_cache(maxsize=8)
def sampled_sets(setup: Setup) -> torch.Tensor:
    """0/1 rows of the sampled devices, (R, T, N); the same for every method."""
    mask = torch.zeros(len(setup.seeds), setup.rounds, setup.clients)
    for r, seed in enumerate(setup.seeds):
        rng = np.random.default_rng([seed, 5])
        for t in range(setup.rounds):
            mask[r, t, rng.choice(setup.clients, setup.sampled, replace=False)] = 1
    return mask


def hyper_parameters(
    method: str, chosen: Mapping[str, float], steps: int, setup: Setup, sizes: torch.Tensor
) -> dict[str, Any]:
    """What the engine needs; ``sizes`` (R, N) are the numbers of training rows."""
    count: Any = steps
    if setup.local_steps == "epochs":
        count = steps * -(-sizes // setup.batch)
    hyper: dict[str, Any] = {
        **{name: value for name, value in chosen.items() if name != "lambda_0"},
        "local_steps": count,
        "participation": sampled_sets(setup),
    }
    if method not in ("fedbc", SERVER):
        hyper["focus"] = [0]  # the server's model is what they train
    if method in ("fedavg", "fedprox"):
        hyper["client_weights"] = sizes.to(torch.float32)
    if method not in ("fedavg", "q_fedavg", "scaffold"):
        hyper["local"] = "gradient"
    if method in ("fedbc", SERVER):
        hyper["multipliers"] = torch.full(sizes.shape, float(chosen["lambda_0"]))
        hyper["gamma"] = torch.zeros(sizes.shape)
        hyper["gamma_step"] = chosen["dual_step"]
        hyper["local_start"] = "server" if method == SERVER else "own"
    return hyper
