r"""Per-FedAvg, pFedMe, Per-FedBC, FedBC and FedAvg before and after one step of personalisation.

Ten devices of Synthetic(0, 0) train together; then each device takes one gradient step on its own
training rows, from the server's model and from the model that the method keeps for it (FedAvg keeps
none). Scores are losses on the devices' own test rows; the paper tunes on a batch of test rows.

On quadratics of curvature a the step 1/a ends at every device's optimum, whatever was trained
before; with another step alpha a model x of the server leaves :math:`(1 - \alpha a_i)^2` of device
i's excess, which is what Per-FedAvg lowers, at the price of the loss before the step.

Run as ``python -m figures.studies.fedbc.personal``.

Source: fedbc, Equations 5 and 6, Algorithm 3, Appendix E (metrics), Table 3, in a version that
needs no data set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.personal.fine_tuning import fine_tuned
from algorithms.registry import load_method
from bounds.numbers.shapes import Array
from synthetic.tables.alpha_beta import alpha_beta
from synthetic.tables.softmax_devices import SoftmaxDevices

CLIENTS, MOST, SEEDS, ROUNDS = 10, 200, (1, 2), 200
STEP, INNER, TUNING = 0.05, 0.05, 0.05
_LOCAL = {"local_steps": 5, "step_size": STEP}
_DUAL = {"multipliers": torch.full((CLIENTS,), 0.1), "dual_step": 1e-3, "gamma_step": 1e-3}
METHODS: Mapping[str, Mapping[str, Any]] = {
    "fedavg": _LOCAL,
    "fedbc": {**_LOCAL, **_DUAL, "local": "gradient", "local_start": "server"},
    "per_fedavg": {**_LOCAL, "inner_step": INNER},
    "per_fedbc": {**_LOCAL, **_DUAL, "inner_step": INNER},
    "pfedme": {
        "local_steps": 5,
        "step_size": 0.5,
        "mu": 1.0,
        "local": "gradient",
        "inner_step": INNER,
        "inner_steps": 5,
    },
}
"""Registered methods and settings of ours, not tuned; alpha of Per-FedAvg is the step of tuning."""


@dataclass(frozen=True)
class Scores:
    """Losses (R, N) of every device at the server's model and at its own, before and after a step.

    Attributes
    ----------
    server, server_tuned, own, own_tuned : arrays (R, N)
    """

    server: Array
    server_tuned: Array
    own: Array
    own_tuned: Array


def personalised(
    method: str,
    problem: Any,
    hyper: Mapping[str, Any],
    noise: Any,
    rounds: int,
    step: float | torch.Tensor,
    losses: Callable[[torch.Tensor], torch.Tensor] | None = None,
) -> Scores:
    """Train by a method, then let every device take one step on its own loss.

    Parameters
    ----------
    problem : with tensors, ``own_gradients`` and ``own_losses``
    step : number or tensor (...)
        Of personalisation.
    losses : callable, optional
        Of one model per device, (..., N, d) to (..., N); by default the training losses.
    """
    made = run(load_method(method), problem, dict(hyper), noise, rounds, last_only=True)
    score = losses or problem.own_losses
    own = made.theta[..., -1, :, :]
    server = made.extras["server"][..., -1, None, :].expand(own.shape)
    models = (server, fine_tuned(problem, server, step), own, fine_tuned(problem, own, step))
    return Scores(*(score(x).numpy() for x in models))


def personal_study(rounds: int = ROUNDS) -> Mapping[str, Scores]:
    """Every method on the devices of every seed."""
    devices = [alpha_beta(CLIENTS, alpha=0, beta=0, most=MOST, seed=seed) for seed in SEEDS]
    problem = SoftmaxDevices(devices)
    found = {}
    for method, more in METHODS.items():
        rule = load_method(method)
        hyper = {**more, "start": torch.zeros(problem.dim)}
        draws = problem.draws(SEEDS[0], rule.slots(CLIENTS, hyper))
        found[method] = personalised(
            method,
            problem,
            hyper,
            draws,
            rounds,
            TUNING,
            lambda models: problem.own_losses(models, problem.test),
        )
    return found


def main() -> int:
    """Print mean losses over devices and seeds."""
    columns = ("server", "server_tuned", "own", "own_tuned")
    sys.stdout.write(f"{'test loss':12}" + "".join(f"{name:>14}" for name in columns) + "\n")
    for method, scores in personal_study().items():
        means = (float(np.mean(getattr(scores, name))) for name in columns)
        sys.stdout.write(f"{method:12}" + "".join(f"{mean:14.3f}" for mean in means) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
