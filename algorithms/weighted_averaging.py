r"""Weighted gradient averaging: one shared model for one agent, or one such model for each.

.. math:: x^{k+1} = x^k - \eta \sum_j \lambda_j G_j^k(x^k), \qquad
          G_j = g_j \text{ (synchronous)},\quad G_j = N 1\{j = i_k\} g_j \text{ (asynchronous)}

Slot j of a round is the sample of agent j; the naive all-for-all scheme evaluates it at the models
of all agents, so that a sample is counted once.

Source: allforall, Equations 6 and 7, Section 5 (naive approach, read with the gradient at x_i^k).
"""

from __future__ import annotations

from typing import Any, ClassVar

from algorithms.method import (
    START_AXES,
    START_UNITS,
    Hyper,
    Method,
    State,
    choice,
    followed,
    scheduled,
    start_points,
    trail,
)
from algorithms.server import check_participation, participation
from bounds.numbers.validate import require

ORACLES = ("synchronous", "asynchronous")


class NaiveAllForAll(Method):
    """One weighted gradient averaging per followed agent, on shared samples.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d)
        x^0.
    mixing, shape (..., N, N)
        Row i holds the weights lambda of agent i's model.
    oracle : {"synchronous", "asynchronous"}
        The second multiplies gradients by N.
    participation, shape (..., T, N)
        Which agents draw; one per round under the asynchronous oracle.
    focus : list of int
        Followed agents, default all.
    """

    name: ClassVar[str] = "naive_all_for_all"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = START_UNITS
    axes: ClassVar[dict[str, str]] = {
        **START_AXES,
        "mixing": "N N",
        "participation": "T N",
    }

    def slots(self, clients: int, hyper: Hyper) -> int:
        """One sample per agent."""
        return clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The followed agents' models."""
        check_participation(hyper)
        chosen = followed(problem.clients, hyper)
        mixing = hyper.get("mixing")
        require(mixing is not None, "mixing", "given", None, "pass an array (..., N, N)")
        factor = problem.clients if choice(hyper, "oracle", ORACLES) == "asynchronous" else 1
        return {
            "theta": start_points(problem, hyper, chosen),
            "weights": factor * mixing[..., chosen, :],  # type: ignore[index]
            "wide": problem.expand(1),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Every sample at every followed model."""
        theta = state["theta"]  # (..., F, d)
        samples = draws[..., None, :, :].expand(
            *draws.shape[:-2], theta.shape[-2], *draws.shape[-2:]
        )
        answers = state["wide"].stochastic_gradients(theta, samples)  # (..., F, N, d)
        awake = participation(hyper, t, draws[..., 0])  # (..., N)
        weights = state["weights"] * awake[..., None, :]  # (..., F, N)
        direction = (weights[..., None] * answers).sum(-2)
        return {**state, "theta": theta - trail(scheduled(hyper, "step_size", t), 2) * direction}


class WeightedAveraging(NaiveAllForAll):
    """The averaging of one agent, ``focus`` (default agent 0)."""

    name: ClassVar[str] = "weighted_averaging"

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The one shared model."""
        chosen = followed(problem.clients, {"focus": hyper.get("focus", [0])})
        require(len(chosen) == 1, "focus", "one agent", chosen, "name the target agent")
        return super().start(problem, {**hyper, "focus": chosen})
