r"""FedAvg: clients take local steps from the server's model, the server averages.

.. math:: w_k^0 = z^t,\quad w_k^{j+1} = w_k^j - \eta g_k(w_k^j),\quad
          z^{t+1} = \sum_{k \in S_t} p_k w_k^K \Big/ \sum_{k \in S_t} p_k

Slot ``j*N + k`` of a round is local step j of client k.

Not compared with code of the authors.

Source: adaptive, Baselines, FedAvg (McMahan et al. 2017, Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from algorithms.engine.arrays import spread
from algorithms.engine.counted import averaged, counted, local_models, of_counted
from algorithms.engine.server import AXES, UNITS, check_participation, descent_map, local_slots
from algorithms.method import Hyper, Method, State, followed, one_start
from bounds.numbers.validate import nonnegative
from synthetic.exact.moments import AffineMap


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
    settings: ClassVar[tuple[str, ...]] = ("local_steps", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}
    traces: ClassVar[dict[str, str]] = {"local_models": "N d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N gradients."""
        return local_slots(clients, hyper, "gradient")

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Those of clients that count in some average, unless every local model is kept."""
        if "local_models" in kept:
            return None
        return counted(self.slots(clients, hyper), clients, hyper)

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The server's model."""
        check_participation(hyper)
        if hyper.get("client_weights") is not None:
            nonnegative("client_weights", hyper["client_weights"])
        server = one_start(hyper)
        chosen = followed(problem.clients, hyper)
        state = {"server": server, "theta": _for_each(server, len(chosen)), "chosen": chosen}
        return state | of_counted(problem, hyper)

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local steps of all clients, then the average over the participants."""
        models = local_models(t, state, problem, hyper, 0, draws)
        server = averaged(t, state, hyper, models)
        theta = _for_each(server, len(state["chosen"]))
        return {**state, "server": server, "theta": theta, "local_models": models}

    def affine_map(self, problem: Any, hyper: Hyper, t: int = 0) -> AffineMap:
        """Affine round of the server's model on quadratics, everybody taking part."""
        return descent_map(t, problem, hyper, 0)


def _for_each(server: Any, copies: int) -> Any:
    """The server's model, (..., d), once per client, (..., copies, d)."""
    return spread(server[..., None, :], *server.shape[:-1], copies, server.shape[-1])
