r"""Ditto: a global model by federated averaging, and personal models that are pulled to it.

.. math:: v_k \leftarrow v_k - \eta \big( g_k(v_k) + \lambda_k (v_k - w^t) \big)

where w^t is the global model at the beginning of the round. Slots ``j*N + k`` of a round are the
local steps j < K of the global model, slots ``(K + j)*N + k`` the personal steps.

Differs from the authors' code in the samples: there one mini-batch serves a local step of the
global model and one of the personal model (``samples="shared"``; then only the first K N slots are
there).

Source: adaptive, Baselines, Ditto (Li et al. 2021, Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

import numpy as np
import torch

from algorithms.engine.counted import averaged, counted, local_models, of_counted
from algorithms.engine.server import (
    AXES,
    UNITS,
    check_participation,
    descend,
    local_slots,
    participation,
)
from algorithms.engine.skipping import worth
from algorithms.method import Hyper, Method, State, choice, count, followed, one_start, start_points
from bounds.numbers.validate import nonnegative, require

SAMPLES = ("own", "shared")


class Ditto(Method):
    """Federated averaging with personal models; ``theta`` holds the followed personal models.

    Hyper-parameters
    ----------------
    pull, shape (...) or (..., N)
        lambda_k >= 0. Unit: loss / length squared. Zero trains every client alone.
    step_size, shape (...), or step_sizes, shape (..., T)
        eta of global and personal steps. Unit: length squared / loss.
    start, shape (..., d)
        w^0, and v^0 unless ``starts``, shape (..., N, d), gives the personal models.
    local_steps : int or array (N,)
        Steps per round of the global model on each client, default 1; the same in all replicates,
        as the personal draws come after those of the most steps.
    personal_steps : int
        Steps per round of the personal model, default 1.
    samples : {"own", "shared"}
        Whether a personal step has a sample of its own, or that of the local step of its number;
        the latter for at most as many personal steps as local ones.
    client_weights, participation, focus
        As in :class:`algorithms.fedavg.FedAvg`; an absent client's personal model rests.
    """

    name: ClassVar[str] = "ditto"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {**UNITS, "starts": (0, 1), "pull": (1, -2)}
    axes: ClassVar[dict[str, str]] = {**AXES, "starts": "N d", "pull": "N", "client_weights": "N"}
    settings: ClassVar[tuple[str, ...]] = ("local_steps", "personal_steps", "samples", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N gradients for the global model and P N for the personal ones."""
        alike, remedy = np.ndim(hyper.get("local_steps", 1)) < 2, "make a run for each"
        require(alike, "local_steps", "the same for all replicates", "one per replicate", remedy)
        first, more = local_slots(clients, hyper, "gradient"), count(hyper, "personal_steps")
        if choice(hyper, "samples", SAMPLES) == "own":
            return first + more * clients
        enough, remedy = more * clients <= first, "take fewer, or samples of their own"
        require(
            enough, "personal_steps", "at most the local ones with shared samples", more, remedy
        )
        return first

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Local steps of clients that count in some average, and all personal steps."""
        first, every = local_slots(clients, hyper, "gradient"), self.slots(clients, hyper)
        if choice(hyper, "samples", SAMPLES) == "shared":
            return None  # all serve the personal models
        some = counted(first, clients, hyper)
        found = None if some is None else [*some, *range(first, every)]
        return found if found is not None and worth(len(found), every) else None

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Global and personal models."""
        check_participation(hyper)
        self.slots(problem.clients, hyper)  # looks at the numbers of steps
        require(hyper.get("pull") is not None, "pull", "given", None, "pass lambda")
        nonnegative("pull", hyper["pull"])
        if hyper.get("client_weights") is not None:
            nonnegative("client_weights", hyper["client_weights"])
        models = start_points(problem, hyper, range(problem.clients))
        chosen = followed(problem.clients, hyper)
        return {
            "server": one_start(hyper),
            "models": models,
            "theta": models[..., chosen, :],
            "chosen": chosen,
            **of_counted(problem, hyper),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Personal and local steps of all clients against w^t, then the average."""
        server, old = state["server"], state["models"]  # (..., d), (..., N, d)
        personal = count(hyper, "personal_steps") * problem.clients
        shared = choice(hyper, "samples", SAMPLES) == "shared"
        first = draws.shape[-2] if shared else draws.shape[-2] - personal
        begin = 0 if shared else first
        local = local_models(t, state, problem, hyper, 0, draws[..., :first, :])
        models = descend(
            t, problem, hyper, old, hyper["pull"], server, draws[..., begin : begin + personal, :]
        )
        inside = participation(hyper, t, models[..., 0])  # (..., N)
        models = torch.where(inside[..., None] == 1, models, old)
        return {
            **state,
            "server": averaged(t, state, hyper, local),
            "models": models,
            "theta": models[..., state["chosen"], :],
        }
