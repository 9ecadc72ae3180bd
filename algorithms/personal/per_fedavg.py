r"""Per-FedAvg, first order: a server's model from which one gradient step personalises well.

.. math:: w_i^0 = z^t,\quad w_i^{k+1} = w_i^k - \eta\, g_i'(w_i^k - \alpha\, g_i(w_i^k)),\quad
          z^{t+1} = \text{average of } w_i^K,\ i \in S_t

Slots of a round: ``2 k N + i`` for the inner, ``(2 k + 1) N + i`` for the outer gradient of client
i in step k. The second derivative in the gradient of f_i(w - alpha grad f_i(w)) is left out.

Not compared with code of the authors.

Source: Fallah et al. 2020, FO; fedbc.def.baselines (6).
"""

from __future__ import annotations

from typing import Any, ClassVar

from algorithms.engine.server import (
    AXES,
    UNITS,
    average,
    check_participation,
    check_weights,
    shares_of,
)
from algorithms.method import Hyper, Method, State, count, followed, one_start, scheduled, trail
from bounds.numbers.validate import require


class PerFedAvg(Method):
    """Meta-learned server's model; ``theta`` holds the followed clients' local models.

    Hyper-parameters
    ----------------
    inner_step, shape (...)
        alpha. Unit: length squared / loss. Zero gives FedAvg.
    step_size, step_sizes, start, local_steps, client_weights, participation, focus
        As in :class:`algorithms.fedavg.FedAvg`; step_size is the outer one.
    """

    name: ClassVar[str] = "per_fedavg"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {**UNITS, "inner_step": (-1, 2)}
    axes: ClassVar[dict[str, str]] = {**AXES, "inner_step": "", "client_weights": "N"}
    settings: ClassVar[tuple[str, ...]] = ("local_steps", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """2 K N gradients."""
        return 2 * count(hyper, "local_steps") * clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Every model at z^0."""
        check_participation(hyper)
        check_weights(hyper)
        given = hyper.get("inner_step") is not None
        require(given, "inner_step", "given", None, "pass alpha of the inner step")
        server, chosen = one_start(hyper), followed(problem.clients, hyper)
        return {"server": server, "theta": _copies(server, len(chosen)), "chosen": chosen}

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local steps with the gradient one step ahead, then the average."""
        server, n = state["server"], problem.clients
        eta, alpha = trail(scheduled(hyper, "step_size", t), 2), trail(hyper["inner_step"], 2)
        models = _copies(server, n)
        words = draws.reshape(*draws.shape[:-2], -1, n, draws.shape[-1])
        for k in range(count(hyper, "local_steps")):
            first = problem.own_stochastic_gradients(models, words[..., 2 * k, :, :])
            ahead = models - alpha * first
            models = models - eta * problem.own_stochastic_gradients(
                ahead, words[..., 2 * k + 1, :, :]
            )
        shares = shares_of(hyper, t, models[..., 0])
        return {
            **state,
            "server": average(models, shares, server),
            "theta": models[..., state["chosen"], :],
        }


def _copies(server: Any, copies: int) -> Any:
    return server[..., None, :].expand(*server.shape[:-1], copies, server.shape[-1])
