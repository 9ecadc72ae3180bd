r"""Local: every client trains alone, :math:`\theta_i \leftarrow \theta_i - \eta g_i(\theta_i)`.

Slot k of a round is the gradient of client k; there are slots up to the last followed client.

Differs from the authors' code in nothing: it is plain stochastic gradient descent.

Source: adaptive, Baselines, Local.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from algorithms.engine.arrays import picked
from algorithms.method import (
    START_AXES,
    START_UNITS,
    Hyper,
    Method,
    State,
    followed,
    scheduled,
    start_points,
    trail,
)
from bounds import generic
from synthetic.exact.moments import AffineMap, averaged_gradient_map


class Local(Method):
    """Stochastic gradient descent of each followed client on its own loss.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d), or starts, shape (..., N, d)
        theta^0.
    focus : list of int
        Followed clients, default all.
    """

    name: ClassVar[str] = "local"
    collapsible: ClassVar[bool] = True
    steady: ClassVar[bool] = True
    plain: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = START_UNITS
    axes: ClassVar[dict[str, str]] = START_AXES
    settings: ClassVar[tuple[str, ...]] = ("focus",)

    def slots(self, clients: int, hyper: Hyper) -> int:
        """One gradient per client, up to the last followed one."""
        return max(followed(clients, hyper)) + 1

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Those of the followed clients, unless they are all that there are."""
        chosen = followed(clients, hyper)
        return None if _in_order(chosen) else chosen

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models, and the federation of the followed clients."""
        chosen = followed(problem.clients, hyper)
        return {
            "theta": start_points(problem, hyper, chosen),
            "own": problem.select(chosen),
            "chosen": chosen,
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """One gradient step of every followed client at its own model."""
        if hyper.get("used") is None and not _in_order(state["chosen"]):
            draws = picked(draws, state["chosen"])  # (..., F, w)
        gradients = state["own"].own_stochastic_gradients(state["theta"], draws)  # (..., F, d)
        eta = trail(scheduled(hyper, "step_size", t), 2)
        return {**state, "theta": state["theta"] - eta * gradients}

    def affine_map(self, problem: Any, hyper: Hyper, t: int = 0) -> AffineMap:
        """Affine round on a quadratic federation."""
        chosen = followed(problem.clients, hyper)
        alone = generic.eye(problem.clients, problem.optimum)[chosen]  # (F, N)
        eta = trail(scheduled(hyper, "step_size", t), 1)
        return averaged_gradient_map(problem.expand(1), alone, eta)


def _in_order(chosen: Sequence[int]) -> bool:
    """Whether the followed clients are the first ones, as they come."""
    return list(chosen) == list(range(len(chosen)))
