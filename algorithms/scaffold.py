r"""SCAFFOLD: local steps corrected by control variates of the clients and of the server.

.. math:: y \leftarrow y - \eta\,(g_i(y) - c_i + c), \qquad
          c_i^+ = c_i - c + \frac{x - y}{K\eta}

          x \leftarrow x + \frac{\eta_g}{|S|}\sum_{i \in S}(y_i - x), \qquad
          c \leftarrow c + \frac1N\sum_{i \in S}(c_i^+ - c_i)

With ``client_weights`` p_i both means are weighted, the first by p_i over the sum of p in S, the
second over that of all clients, so that it rests where the weighted sum of gradients vanishes.
Differs from the authors' code in these weights, which are ours: their Algorithm 1 has none.

Slot ``j*N + i`` of a round is local step j of client i.

Source: Karimireddy et al. 2020, Algorithm 1, option II; fedbc, Baselines.
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch

from algorithms.engine.server import (
    AXES,
    UNITS,
    average,
    by_step,
    check_divisor,
    check_participation,
    check_weights,
    local_slots,
    own_counts,
    participation,
    shares_of,
    still_moving,
)
from algorithms.method import Hyper, Method, State, count, followed, one_start, scheduled, trail


class Scaffold(Method):
    """One model for everybody; ``theta`` repeats the server's model.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta of the local steps. Unit: length squared / loss.
    server_step, shape (...)
        eta_g, without unit; default 1.
    controls, shape (..., N, d)
        c_i^0; default 0, with c^0 their mean. Unit: loss / length.
    start, local_steps, client_weights, participation, focus
        As in :class:`algorithms.fedavg.FedAvg`.
    """

    name: ClassVar[str] = "scaffold"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {**UNITS, "controls": (1, -1)}
    axes: ClassVar[dict[str, str]] = {
        **AXES,
        "server_step": "",
        "controls": "N d",
        "client_weights": "N",
    }
    settings: ClassVar[tuple[str, ...]] = ("local_steps", "focus")
    states: ClassVar[dict[str, str]] = {
        "theta": "F d",
        "server": "d",
        "controls": "N d",
        "control": "d",
    }

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N gradients."""
        return local_slots(clients, hyper, "gradient")

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The server's model and all control variates."""
        check_participation(hyper)
        check_divisor(hyper)
        check_weights(hyper)
        server = one_start(hyper)
        chosen = followed(problem.clients, hyper)
        controls = hyper.get("controls")
        if controls is None:
            controls = torch.zeros_like(_copies(server, problem.clients))
        return {
            "server": server,
            "theta": _copies(server, len(chosen)),
            "chosen": chosen,
            "controls": controls,
            "control": mean_of_all(controls, hyper.get("client_weights")),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Corrected local steps, then both server steps."""
        server, controls, control = state["server"], state["controls"], state["control"]
        own = own_counts(problem, hyper)
        eta = trail(scheduled(hyper, "step_size", t), 2)
        models = _copies(server, problem.clients)  # (..., N, d)
        for j, words in enumerate(by_step(problem, draws)):
            gradients = problem.own_stochastic_gradients(models, words)
            moved = models - eta * corrected(gradients, controls, control)
            models = still_moving(j, own, moved, models)
        inside = participation(hyper, t, models[..., 0])  # (..., N)
        taken = count(hyper, "local_steps") if own is None else trail(own, 1)
        fresh = new_controls(controls, control, server, models, taken, eta)
        fresh = torch.where(inside[..., None] == 1, fresh, controls)
        rate = trail(hyper.get("server_step", 1), 1)
        shares = shares_of(hyper, t, models[..., 0])
        moved = server + rate * (average(models, shares, server) - server)
        return {
            **state,
            "server": moved,
            "theta": _copies(moved, len(state["chosen"])),
            "controls": fresh,
            "control": new_control(control, controls, fresh, inside, hyper.get("client_weights")),
        }


def corrected(gradients: Any, controls: Any, control: Any) -> Any:
    """Direction of a local step, (..., N, d): the own variate out, the server's in."""
    return gradients - controls + control[..., None, :]


def new_controls(
    controls: Any, control: Any, server: Any, models: Any, steps: Any, eta: Any
) -> Any:
    """Option II, (..., N, d): the mean of the gradients that were used."""
    return controls - control[..., None, :] + (server[..., None, :] - models) / (steps * eta)


def new_control(control: Any, controls: Any, fresh: Any, inside: Any, weights: Any = None) -> Any:
    """The server's variate, (..., d): changes of those who took part, over all N clients."""
    return control + mean_of_all(inside[..., None] * (fresh - controls), weights)


def mean_of_all(values: Any, weights: Any) -> Any:
    """Mean over all clients, by their weights where given, (..., N, d) to (..., d)."""
    if weights is None:
        return values.sum(-2) / values.shape[-2]
    return (weights[..., None] * values).sum(-2) / weights.sum(-1, keepdim=True)


def _copies(server: Any, copies: int) -> Any:
    return server[..., None, :].expand(*server.shape[:-1], copies, server.shape[-1])
