r"""FedAvg: clients take local steps from the server's model, the server averages.

.. math:: w_k^0 = z^t,\quad w_k^{j+1} = w_k^j - \eta g_k(w_k^j),\quad
          z^{t+1} = \sum_{k \in S_t} p_k w_k^K \Big/ \sum_{k \in S_t} p_k

Slot ``j*N + k`` of a round is local step j of client k.

Source: adaptive, Baselines, FedAvg (McMahan et al. 2017, Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

import torch

from algorithms.arrays import spread
from algorithms.method import (
    Hyper,
    Method,
    State,
    followed,
    one_start,
)
from algorithms.server import (
    AXES,
    UNITS,
    average,
    average_of_all,
    check_participation,
    descend,
    descent_map,
    local_slots,
    participation,
)
from algorithms.skipping import alive, among_zeros, places
from bounds.numbers.validate import nonnegative
from synthetic.moments import AffineMap

WEIGHTS = ("client_weights", "participation")
"""What a client counts by: zero in either is zero."""


class FedAvg(Method):
    """One model for everybody; ``theta`` repeats the server's model for each followed client.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d)
        z^0.
    local_steps : int, or array of ints, shape (..., N)
        K, default 1, or one K_k per client.
    client_weights, shape (..., N)
        p_k, for instance numbers of samples; default equal.
    participation, shape (..., T, N) or (..., 1, N)
        0/1 mask of S_t; default everybody. A round without anybody leaves z as it is.
    focus : list of int
        Followed clients, default all.
    """

    name: ClassVar[str] = "fedavg"
    collapsible: ClassVar[bool] = True
    steady: ClassVar[bool] = True
    plain: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = UNITS
    axes: ClassVar[dict[str, str]] = {**AXES, "client_weights": "N"}
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}
    traces: ClassVar[dict[str, str]] = {"local_models": "N d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N gradients."""
        return local_slots(clients, hyper, "gradient")

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Those of clients that count in some average, unless every local model is kept."""
        given = [name for name in WEIGHTS if hyper.get(name) is not None]
        if "local_models" in kept or not given:
            return None
        on = torch.stack([alive(hyper[name], 1) for name in given]).all(0).tolist()
        return [slot for slot in range(self.slots(clients, hyper)) if on[slot % clients]]

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The server's model."""
        check_participation(hyper)
        if hyper.get("client_weights") is not None:
            nonnegative("client_weights", hyper["client_weights"])
        server = one_start(hyper)
        chosen = followed(problem.clients, hyper)
        state = {"server": server, "theta": _for_each(server, len(chosen)), "chosen": chosen}
        if hyper.get("used") is None:
            return state
        some = [slot for slot in hyper["used"] if slot < problem.clients]
        index = torch.tensor(some, device=server.device)
        state |= {"some": index, "own": problem.select(some)}
        if hyper["in_order"]:
            state["place"] = places(some, problem.clients, server.device)
        return state

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local steps of all clients, then the average over the participants."""
        server = state["server"]  # (..., d)
        if "own" in state:
            server = _average_of_some(t, state, hyper, draws)
            return {**state, "server": server, "theta": _for_each(server, len(state["chosen"]))}
        models = descend(t, problem, hyper, _for_each(server, problem.clients), 0, server, draws)
        server = average_of_all(models, hyper, t, server)
        theta = _for_each(server, len(state["chosen"]))
        return {**state, "server": server, "theta": theta, "local_models": models}

    def affine_map(self, problem: Any, hyper: Hyper, t: int = 0) -> AffineMap:
        """Affine round of the server's model on quadratics, everybody taking part."""
        return descent_map(t, problem, hyper, 0)


def _average_of_some(t: int, state: State, hyper: Hyper, draws: Any) -> Any:
    """The server's next model from the clients that count, (..., d)."""
    server, own, some = state["server"], state["own"], state["some"]
    steps = hyper.get("local_steps", 1)
    if not isinstance(steps, int):
        steps = torch.as_tensor(steps, device=server.device).index_select(-1, some)
    models = descend(
        t, own, {**hyper, "local_steps": steps}, _for_each(server, own.clients), 0, server, draws
    )
    if "place" in state:
        return average_of_all(among_zeros(models, state["place"]), hyper, t, server)
    shares = models.new_ones(own.clients)
    if hyper.get("participation") is not None:
        shares = participation(hyper, t, models).index_select(-1, some)
    if hyper.get("client_weights") is not None:
        shares = shares * hyper["client_weights"].index_select(-1, some)
    return average(models, shares, server)


def _for_each(server: Any, copies: int) -> Any:
    """The server's model, (..., d), once per client, (..., copies, d)."""
    return spread(server[..., None, :], *server.shape[:-1], copies, server.shape[-1])
