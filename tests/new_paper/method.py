r"""Anchored: a client trains alone and is pulled back to its start.

.. math:: \theta_i \leftarrow \theta_i - \eta\,(g_i(\theta_i) + \lambda (\theta_i - \theta_i^0))

Slot k of a round is the gradient of client k.

Source: anchor, Section 1.
"""

from __future__ import annotations

from typing import Any, ClassVar

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
from bounds.numbers.validate import nonnegative, require


class Anchored(Method):
    """Stochastic gradient descent on the own loss, tied to the start.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    pull, shape (...)
        lambda >= 0. Unit: loss / length squared.
    start, shape (..., d), or starts, shape (..., N, d)
        theta^0.
    focus : list of int
        Followed clients, default all.
    """

    name: ClassVar[str] = "anchored"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {**START_UNITS, "pull": (1, -2)}
    axes: ClassVar[dict[str, str]] = {**START_AXES, "pull": ""}
    settings: ClassVar[tuple[str, ...]] = ("focus",)

    def slots(self, clients: int, hyper: Hyper) -> int:
        """One gradient of every client."""
        return clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models, which are also what the followed clients are tied to."""
        require(hyper.get("pull") is not None, "pull", "given", None, "pass its strength")
        nonnegative("pull", hyper["pull"])
        chosen = followed(problem.clients, hyper)
        begin = start_points(problem, hyper, chosen)
        return {"theta": begin, "anchor": begin, "own": problem.select(chosen), "chosen": chosen}

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """One step of every followed client from its own model."""
        here = draws[..., state["chosen"], :]  # (..., F, w)
        slope = state["own"].own_stochastic_gradients(state["theta"], here)  # (..., F, d)
        back = trail(hyper["pull"], 2) * (state["theta"] - state["anchor"])
        eta = trail(scheduled(hyper, "step_size", t), 2)
        return {**state, "theta": state["theta"] - eta * (slope + back)}
