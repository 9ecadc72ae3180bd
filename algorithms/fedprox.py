r"""FedProx: local solves with a proximal pull to the server's model, plain average at the server.

.. math:: x_k^{t+1} \approx \mathrm{argmin}_x\, f_k(x) + \frac{\mu}{2} \lVert x - z^t \rVert^2,
          \quad z^{t+1} = \text{average of } x_k^{t+1},\ k \in S_t

Slot ``j*N + k`` of a round is local step j of client k; exact solves draw nothing.

Differs from the authors' code in what a local step sees: there clients go through their rows in
epochs, and count by their numbers of rows (``client_weights``).

Source: fedbc.def.baselines (4) (Li et al. 2020, Algorithm 2).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from algorithms.engine.counted import averaged, counted, local_models, of_counted
from algorithms.engine.server import (
    AXES,
    UNITS,
    check_participation,
    descent_map,
    local_slots,
    proximal_map,
    proximal_points,
)
from algorithms.method import Hyper, Method, State, choice, followed, one_start
from bounds.numbers.validate import nonnegative, require
from synthetic.exact.moments import AffineMap

RULES = ("argmin", "gradient")


class FedProx(Method):
    """Proximal local solves; ``theta`` holds the followed clients' local models.

    Hyper-parameters
    ----------------
    mu, shape (...)
        Weight of the proximal term (mu/2) ||x - z||^2, mu >= 0. Unit: loss / length squared.
    local : {"argmin", "gradient"}
        Exact minimiser (quadratics), or ``local_steps`` gradient steps from z^t with ``step_size``
        or ``step_sizes``.
    start, client_weights, participation, focus
        As in :class:`algorithms.fedavg.FedAvg`.
    """

    name: ClassVar[str] = "fedprox"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {**UNITS, "mu": (1, -2)}
    axes: ClassVar[dict[str, str]] = {**AXES, "mu": "", "client_weights": "N"}
    settings: ClassVar[tuple[str, ...]] = ("local", "local_steps", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d"}
    traces: ClassVar[dict[str, str]] = {"local_models": "N d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N gradients, none for exact solves."""
        return local_slots(clients, hyper, choice(hyper, "local", RULES))

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Those of clients that count in some average, and of followed ones."""
        if "local_models" in kept:
            return None
        return counted(self.slots(clients, hyper), clients, hyper, followed(clients, hyper))

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Every model at z^0."""
        check_participation(hyper)
        require(hyper.get("mu") is not None, "mu", "given", None, "pass the proximal weight")
        nonnegative("mu", hyper["mu"])
        if hyper.get("client_weights") is not None:
            nonnegative("client_weights", hyper["client_weights"])
        server = one_start(hyper)
        chosen = followed(problem.clients, hyper)
        theta = server[..., None, :].expand(*server.shape[:-1], len(chosen), problem.dim)
        state = {"server": server, "theta": theta} | of_counted(problem, hyper)
        some = state["some"].tolist() if "some" in state else list(range(problem.clients))
        return {**state, "chosen": [some.index(k) for k in chosen]}

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local solves from the server's model, then the average over the participants."""
        if choice(hyper, "local", RULES) == "argmin":
            pull = hyper["mu"][..., None].expand(*hyper["mu"].shape, problem.clients)  # (..., N)
            models = proximal_points(problem, pull, state["server"])  # (..., N, d)
        else:
            models = local_models(t, state, problem, hyper, hyper["mu"], draws)
        return {
            **state,
            "server": averaged(t, state, hyper, models),
            "theta": models[..., state["chosen"], :],
            "local_models": models,
        }

    def affine_map(self, problem: Any, hyper: Hyper, t: int = 0) -> AffineMap:
        """Affine round of the server's model on quadratics, everybody taking part."""
        if choice(hyper, "local", RULES) == "argmin":
            return proximal_map(problem, hyper, hyper["mu"])
        return descent_map(t, problem, hyper, hyper["mu"])
