r"""pFedMe: personal models by Moreau envelopes, local models that follow them.

.. math:: \theta_i \approx \mathrm{argmin}_\theta\,
          \tilde f_i(\theta; D) + \tfrac{\mu}{2}\lVert\theta - w_i\rVert^2,
          \quad w_i \leftarrow w_i - \eta\mu\,(w_i - \theta_i)\ \text{K times from } z^t,\quad
          z^{t+1} = (1 - b)\,z^t + b\cdot\text{average of } w_i

Each of the K local steps draws one mini-batch D, and its inner problem is solved with that batch
alone: by J gradient steps, which begin at the last personal model of the round, at first at z^t.
Slot ``k N + i`` of a round is the mini-batch of local step k of client i. With "argmin" the inner
problem is solved exactly on all data, and nothing is drawn.

Differs from the authors' code in nothing, with ``local="gradient"``; "argmin" is the limit that the
paper's analysis calls nu = 0 on full batches.

Source: T Dinh et al. 2020, Algorithm 1; fedbc.def.baselines (5). The paper leaves open where the
inner solver begins; their code goes on from the last personal model.
"""

from __future__ import annotations

from typing import Any, ClassVar

from algorithms.engine.server import (
    AXES,
    UNITS,
    average,
    check_participation,
    check_weights,
    proximal_points,
    shares_of,
)
from algorithms.method import (
    Hyper,
    Method,
    State,
    choice,
    count,
    followed,
    one_start,
    scheduled,
    trail,
)
from bounds.numbers.validate import nonnegative, require

RULES = ("argmin", "gradient")
BEGINS = ("last", "local")


class PFedMe(Method):
    """``theta`` holds the followed clients' personal models theta_i.

    Hyper-parameters
    ----------------
    mu, shape (...)
        Weight of the envelope, mu >= 0. Unit: loss / length squared.
    step_size, step_sizes
        eta of the local models. Unit: length squared / loss.
    local : {"argmin", "gradient"}
        Exact personal models, or ``inner_steps`` gradient steps with ``inner_step``.
    inner_start : {"last", "local"}
        Where these begin: at the round's last personal model, or at w_i.
    mixing, shape (...)
        b >= 0 of the server's step, default 1.
    local_steps, start, client_weights, participation, focus
        As in :class:`algorithms.fedavg.FedAvg`.
    """

    name: ClassVar[str] = "pfedme"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {**UNITS, "mu": (1, -2), "inner_step": (-1, 2)}
    axes: ClassVar[dict[str, str]] = {
        **AXES,
        "mu": "",
        "inner_step": "",
        "client_weights": "N",
        "mixing": "",
    }
    settings: ClassVar[tuple[str, ...]] = (
        "local",
        "local_steps",
        "inner_steps",
        "inner_start",
        "focus",
    )
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N mini-batches, none for exact personal models."""
        if choice(hyper, "local", RULES) == "argmin":
            return 0
        return count(hyper, "local_steps") * clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Every model at z^0."""
        check_participation(hyper)
        check_weights(hyper)
        require(hyper.get("mu") is not None, "mu", "given", None, "pass the envelope's weight")
        nonnegative("mu", hyper["mu"])
        if hyper.get("mixing") is not None:
            nonnegative("mixing", hyper["mixing"])
        count(hyper, "inner_steps")
        choice(hyper, "inner_start", BEGINS)
        steps = choice(hyper, "local", RULES) == "gradient"
        given = not steps or hyper.get("inner_step") is not None
        require(given, "inner_step", "given", None, "pass the step of the personal models")
        server, chosen = one_start(hyper), followed(problem.clients, hyper)
        return {"server": server, "theta": _copies(server, len(chosen)), "chosen": chosen}

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """K personal solves and local steps, then the average."""
        server, n, steps = state["server"], problem.clients, count(hyper, "local_steps")
        mu, eta = trail(hyper["mu"], 2), trail(scheduled(hyper, "step_size", t), 2)
        local = _copies(server, n)
        personal = local
        for k in range(steps):
            personal = self._personal(k, local, personal, problem, hyper, draws)
            local = local - eta * mu * (local - personal)
        shares = shares_of(hyper, t, local[..., 0])
        mean = average(local, shares, server)
        mixing = trail(hyper.get("mixing", 1), 1)
        return {
            **state,
            "server": server + mixing * (mean - server),
            "theta": personal[..., state["chosen"], :],
        }

    def _personal(
        self, k: int, local: Any, last: Any, problem: Any, hyper: Hyper, draws: Any
    ) -> Any:
        """Personal models around the local ones, (..., N, d)."""
        n, mu = problem.clients, hyper["mu"]
        if choice(hyper, "local", RULES) == "argmin":
            pull = trail(mu, 1).expand(*mu.shape, n)
            return proximal_points(problem, pull, local, own=True)
        alpha = trail(hyper["inner_step"], 2)
        models = local if choice(hyper, "inner_start", BEGINS) == "local" else last
        batch = draws[..., k * n : (k + 1) * n, :]  # one for all inner steps
        for _ in range(count(hyper, "inner_steps")):
            slope = problem.own_stochastic_gradients(models, batch)
            models = models - alpha * (slope + trail(mu, 2) * (models - local))
        return models


def _copies(server: Any, copies: int) -> Any:
    return server[..., None, :].expand(*server.shape[:-1], copies, server.shape[-1])
