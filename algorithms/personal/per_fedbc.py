r"""Per-FedBC: FedBC whose local steps look ahead, as in first-order meta-learning.

.. math:: w^{k+1} = w^k - \beta\, g_i(w_J^k), \qquad w_0^k = w^k,\quad
          w_{j+1}^k = w_j^k - \alpha\,(g_i(w_j^k) + 2\lambda_i^t (w_j^k - z^t)), \qquad w^0 = z^t

Slots of a round: for outer step k and inner step j, ``(k (J + 1) + j) N + i`` is client i; the
outer gradient is inner step J. Dual and server steps are those of FedBC.

Not compared with code of the authors.

Source: fedbc.alg3.
"""

from __future__ import annotations

from typing import Any, ClassVar

from algorithms.engine.arrays import spread
from algorithms.fedbc import FedBC
from algorithms.method import Hyper, State, count, scheduled, trail
from bounds.numbers.validate import require


class PerFedBC(FedBC):
    """Calibrated consensus with local models that are good one step ahead.

    Hyper-parameters
    ----------------
    inner_step, shape (...)
        alpha of the inner steps. Unit: length squared / loss.
    step_size, step_sizes
        beta of the outer steps.
    local_steps, inner_steps : int
        K and J, default 1.
    multipliers, gamma, gamma_step, gamma_by, dual_step, lambda_min, lambda_max, start
    client_weights, participation, virtual
        As in :class:`algorithms.fedbc.FedBC`; ``local`` and ``local_start`` have no use here.
    """

    name: ClassVar[str] = "per_fedbc"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {**FedBC.units, "inner_step": (-1, 2)}
    axes: ClassVar[dict[str, str]] = {**FedBC.axes, "inner_step": ""}
    settings: ClassVar[tuple[str, ...]] = (
        "local_steps",
        "inner_steps",
        "gamma_by",
        "virtual",
        "focus",
    )

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K (J + 1) N gradients."""
        return count(hyper, "local_steps") * (count(hyper, "inner_steps") + 1) * clients

    def solve(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> Any:
        """K outer steps of all clients from the server's model, (..., N, d)."""
        given = hyper.get("inner_step") is not None
        require(given, "inner_step", "given", None, "pass alpha of the inner steps")
        eta, alpha = trail(scheduled(hyper, "step_size", t), 2), trail(hyper["inner_step"], 2)
        centre = state["server"][..., None, :]  # (..., 1, d)
        pull = 2 * state["multipliers"][..., None]  # (..., N, 1)
        inner, n = count(hyper, "inner_steps"), problem.clients
        models = spread(centre, *centre.shape[:-2], n, problem.dim)
        words = draws.reshape(*draws.shape[:-2], -1, n, draws.shape[-1])
        for k in range(count(hyper, "local_steps")):
            ahead = models
            for j in range(inner):
                drawn = words[..., k * (inner + 1) + j, :, :]
                slope = problem.own_stochastic_gradients(ahead, drawn) + pull * (ahead - centre)
                ahead = ahead - alpha * slope
            drawn = words[..., k * (inner + 1) + inner, :, :]
            models = models - eta * problem.own_stochastic_gradients(ahead, drawn)
        return models
