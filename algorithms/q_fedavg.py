r"""q-FedAvg: clients of larger loss count more, by a power q of their loss.

.. math:: \Delta_k = F_k(z)^q\,\frac{z - w_k}{\eta}, \qquad
          h_k = q F_k(z)^{q-1}\,\Bigl\lVert\frac{z - w_k}{\eta}\Bigr\rVert^2
                + \frac{F_k(z)^q}{\eta}, \qquad
          z \leftarrow z - \frac{\sum_{k\in S}\Delta_k}{\sum_{k\in S}h_k}

with w_k after K local steps from z. Slot ``j*N + k`` of a round is local step j of client k.

Differs from the authors' code in the losses, which there are larger by 1e-10, so that no power is
of zero.

Source: Li et al. 2019 (fair resource allocation), q-FedAvg with L = 1/eta; fedbc, Baselines.
"""

from __future__ import annotations

from math import inf
from numbers import Real
from typing import Any, ClassVar

from algorithms.engine.server import (
    AXES,
    UNITS,
    check_divisor,
    check_participation,
    check_weights,
    descend,
    local_slots,
    shares_of,
)
from algorithms.method import Hyper, Method, State, followed, one_start, scheduled, trail
from bounds.numbers.validate import require


class QFedAvg(Method):
    """One model for everybody; ``theta`` repeats the server's model.

    Hyper-parameters
    ----------------
    fairness : int or float
        q >= 0, default 0, which is FedAvg with equal weights. Losses must be positive for q > 0.
    step_size, step_sizes, start, local_steps, participation, focus
        As in :class:`algorithms.fedavg.FedAvg`.
    client_weights, shape (..., N)
        p_k of the sums over k, of Delta_k and of h_k; default equal.
    """

    name: ClassVar[str] = "q_fedavg"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = UNITS
    axes: ClassVar[dict[str, str]] = {**AXES, "client_weights": "N"}
    settings: ClassVar[tuple[str, ...]] = ("fairness", "local_steps", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N gradients."""
        return local_slots(clients, hyper, "gradient")

    def asks_truth(self, hyper: Hyper) -> bool:
        """Losses, for their powers."""
        return True

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The server's model."""
        check_participation(hyper)
        check_weights(hyper)
        q = hyper.get("fairness", 0)
        fits = isinstance(q, Real) and 0 <= float(q) < inf
        require(fits, "fairness", "at least 0", q, "pass a finite number q >= 0")
        check_divisor(hyper)
        server, chosen = one_start(hyper), followed(problem.clients, hyper)
        return {"server": server, "theta": _copies(server, len(chosen)), "chosen": chosen}

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local steps of all clients, then the step of the losses' powers."""
        server, q = state["server"], hyper.get("fairness", 0)
        eta = trail(scheduled(hyper, "step_size", t), 1)  # (..., 1)
        copies = _copies(server, problem.clients)
        models = descend(t, problem, hyper, copies, 0, server, draws)
        direction = (copies - models) / trail(eta, 1)  # (..., N, d)
        losses = problem.losses(server)  # (..., N)
        shares = shares_of(hyper, t, models[..., 0])
        power = losses**q
        slope = q * losses ** (q - 1) * direction.square().sum(-1) if q else 0 * power
        scale = (shares * (slope + power / eta)).sum(-1, keepdim=True)  # (..., 1)
        move = ((shares * power)[..., None] * direction).sum(-2)
        safe = scale.where(scale != 0, scale.new_ones(()))
        server = server - (move / safe).where(scale != 0, scale.new_zeros(()))
        return {**state, "server": server, "theta": _copies(server, len(state["chosen"]))}


def _copies(server: Any, copies: int) -> Any:
    return server[..., None, :].expand(*server.shape[:-1], copies, server.shape[-1])
