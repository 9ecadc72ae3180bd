r"""Weighted gradient averaging: one shared model for one agent, or one such model for each.

.. math:: x^{k+1} = x^k - \eta \sum_j \lambda_j G_j^k(x^k), \qquad
          G_j = g_j \text{ (synchronous)},\quad G_j = N 1\{j = i_k\} g_j \text{ (asynchronous)}

Slot j of a round is the sample of agent j; the naive all-for-all scheme evaluates it at the models
of all agents, so that a sample is counted once.

Not compared with code of the authors.

Source: allforall, Equations 6 and 7, Section 5 (naive approach, read with the gradient at x_i^k).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, ClassVar

from algorithms.engine.arrays import picked
from algorithms.engine.askers import asked, of_asked, weighted
from algorithms.engine.server import check_participation, participation
from algorithms.engine.skipping import alive
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
    settings: ClassVar[tuple[str, ...]] = ("oracle", "focus")

    def slots(self, clients: int, hyper: Hyper) -> int:
        """One sample per agent."""
        return clients

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Those of agents that are awake in some round, in the model of some followed agent."""
        return asked(hyper, self._asking(clients, hyper), shared=True)

    def _asking(self, clients: int, hyper: Hyper) -> Any:
        """Which weights differ from zero, and in some round, (F, N)."""
        on = alive(self._mixing(clients, hyper), 2)
        awake = hyper.get("participation")
        return on if awake is None else on & alive(awake, 1)

    def _mixing(self, clients: int, hyper: Hyper) -> Any:
        """Weights of the followed agents' models, (..., F, N)."""
        mixing = hyper.get("mixing")
        require(mixing is not None, "mixing", "given", None, "pass an array (..., N, N)")
        return picked(mixing, self._chosen(clients, hyper))

    def _chosen(self, clients: int, hyper: Hyper) -> list[int]:
        return followed(clients, hyper)

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The followed agents' models."""
        check_participation(hyper)
        factor = problem.clients if choice(hyper, "oracle", ORACLES) == "asynchronous" else 1
        asking = partial(self._asking, problem.clients, hyper)
        return {
            "theta": start_points(problem, hyper, self._chosen(problem.clients, hyper)),
            "weights": factor * self._mixing(problem.clients, hyper),
            **of_asked(problem, hyper, asking, shared=True),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Every sample at every followed model."""
        theta, weights = state["theta"], state["weights"]  # (..., F, d), (..., F, N)
        if hyper.get("participation") is not None:
            weights = weights * participation(hyper, t, weights)[..., None, :]
        direction = weighted(state, weights, theta, draws, shared=True)
        return {**state, "theta": theta - trail(scheduled(hyper, "step_size", t), 2) * direction}


class WeightedAveraging(NaiveAllForAll):
    """The averaging of one agent, ``focus`` (default agent 0)."""

    name: ClassVar[str] = "weighted_averaging"
    settings: ClassVar[tuple[str, ...]] = ("oracle", "focus")

    def _chosen(self, clients: int, hyper: Hyper) -> list[int]:
        """The one whose weights the shared model has."""
        chosen = followed(clients, {"focus": hyper.get("focus", [0])})
        require(len(chosen) == 1, "focus", "one agent", chosen, "name the target agent")
        return chosen
