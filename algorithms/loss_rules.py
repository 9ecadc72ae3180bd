r"""MAXFL and FedFA: one global model, with losses deciding who counts and how much.

MAXFL: every client also trains a model of its own; in an epoch it takes part in the global one if
its loss there is at most that of its own model plus ``margin``, and otherwise keeps its own. The
paper leaves the value of the threshold open; in the first epoch everybody takes part. Slots
``k`` are the steps of the own models, ``N + k`` those of the global one.

FedFA: updates weighted by -log_2 A_i, A_i the training accuracy. Where a problem has losses and no
accuracies, A_i = 2^(-J_i) is the reading, so that weights are proportional to the losses at the
global model. Slot ``j*N + k`` is local step j of client k.

Not compared with code of the authors.

Source: hcct, Section 7.1, Baselines.
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch

from algorithms.engine.server import AXES, UNITS
from algorithms.grouping.groups import client_sizes, local_updates
from algorithms.method import Hyper, Method, State, count, followed, one_start, scheduled, trail
from bounds.numbers.validate import nonnegative


class MaxFL(Method):
    """A global model for those whom it serves; ``theta`` holds what each client uses.

    Hyper-parameters
    ----------------
    step_size or step_sizes, start, focus
        As for FedAvg.
    margin, shape (...)
        Loss that a client accepts above its own; default zero. Unit: loss.
    client_weights, shape (..., N)
        D_i; default one.
    """

    name: ClassVar[str] = "maxfl"
    units: ClassVar[dict[str, tuple[int, int]]] = {**UNITS, "margin": (1, 0)}
    axes: ClassVar[dict[str, str]] = {
        **{k: v for k, v in AXES.items() if k != "participation"},
        "margin": "",
        "client_weights": "N",
    }
    settings: ClassVar[tuple[str, ...]] = ("focus",)
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}
    traces: ClassVar[dict[str, str]] = {"inside": "N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """N gradients at the own models and N at the global one."""
        return 2 * clients

    def asks_truth(self, hyper: Hyper) -> bool:
        """Losses at the own and at the global model."""
        return True

    def start(self, problem: Any, hyper: Hyper) -> State:
        """One starting model for all."""
        if hyper.get("margin") is not None:
            nonnegative("margin", hyper["margin"])
        server = one_start(hyper)
        own = _copies(server, problem.clients)
        chosen = followed(problem.clients, hyper)
        sizes = client_sizes(problem, hyper, server)
        return {
            "server": server,
            "own": own,
            "theta": own[..., chosen, :],
            "chosen": chosen,
            "sizes": sizes,
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Own steps of everybody, one global step of those who take part."""
        n, server, own = problem.clients, state["server"], state["own"]
        eta = trail(scheduled(hyper, "step_size", t), 2)
        margin = hyper.get("margin")
        room = 0.0 if margin is None else trail(margin, 1)
        inside = (problem.losses(server) <= problem.own_losses(own) + room).to(server.dtype)
        if t == 0:
            inside = torch.ones_like(inside)
        gradients = problem.own_stochastic_gradients(_copies(server, n), draws[..., n:, :])
        shares = inside * state["sizes"]
        whole = shares.sum(-1, keepdim=True)
        shares = shares / torch.where(whole > 0, whole, 1.0)
        step = trail(scheduled(hyper, "step_size", t), 1)
        server = server - step * (shares[..., None] * gradients).sum(-2)
        own = own - eta * problem.own_stochastic_gradients(own, draws[..., :n, :])
        used = torch.where(inside[..., None] > 0, server[..., None, :], own)
        return {
            **state,
            "server": server,
            "own": own,
            "inside": inside,
            "theta": used[..., state["chosen"], :],
        }


class FedFA(Method):
    """One model whose updates count by the clients' losses; ``theta`` repeats it.

    Hyper-parameters
    ----------------
    step_size or step_sizes, start, local_steps, focus
        As for FedAvg.
    """

    name: ClassVar[str] = "fedfa"
    units: ClassVar[dict[str, tuple[int, int]]] = UNITS
    axes: ClassVar[dict[str, str]] = {k: v for k, v in AXES.items() if k != "participation"}
    settings: ClassVar[tuple[str, ...]] = ("local_steps", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}
    traces: ClassVar[dict[str, str]] = {"shares": "N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """Q N gradients."""
        return count(hyper, "local_steps") * clients

    def asks_truth(self, hyper: Hyper) -> bool:
        """Losses, for the weights."""
        return True

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The global model."""
        server = one_start(hyper)
        chosen = followed(problem.clients, hyper)
        return {"server": server, "theta": _copies(server, len(chosen)), "chosen": chosen}

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local steps, then the step of the weighted updates."""
        server = state["server"]
        losses = problem.losses(server)
        whole = losses.sum(-1, keepdim=True)
        even = torch.full_like(losses, 1 / problem.clients)
        shares = torch.where(whole > 0, losses / torch.where(whole > 0, whole, 1.0), even)
        models = _copies(server, problem.clients)
        updates, _ = local_updates(t, problem, hyper, models, draws)
        eta = trail(scheduled(hyper, "step_size", t), 1)
        server = server - eta * (shares[..., None] * updates).sum(-2)
        theta = _copies(server, len(state["chosen"]))
        return {**state, "server": server, "theta": theta, "shares": shares}


def _copies(server: Any, copies: int) -> Any:
    """The global model once per client, (..., copies, d)."""
    return server[..., None, :].expand(*server.shape[:-1], copies, server.shape[-1])
