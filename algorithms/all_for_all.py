r"""All-for-all: one gradient per agent, at its own model, used by every agent close to it.

.. math:: x_i^{k+1} = x_i^k - \eta_k \sum_{j \in S^k} W_{ij}^{(k)} g_j^k(x_j^k),
          \qquad W = \Lambda \Lambda^\top

Slot j of a round is the gradient of agent j; under the asynchronous oracle the row of
``participation`` has one 1 and the other slots are not used. With Lambda = I agents are alone, with
all entries 1/N they share one model. A sequence of matrices with ``lengths`` is the time-adaptive
variant: epochs without restart.

Not compared with code of the authors.

Source: allforall, Algorithm 1, Algorithm 2, Appendix E.3.
"""

from __future__ import annotations

from typing import Any, ClassVar

from algorithms.engine.server import check_participation, participation
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
from bounds.numbers.validate import require, whole


class AllForAll(Method):
    """Gradient steps with a fixed symmetric matrix W.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta, the step of Algorithm 1. Unit: length squared / loss.
    start, shape (..., d)
        x^0, common to all agents.
    mixing, shape (..., N, N)
        Lambda, row = who uses; rows sum to one in the paper.
    participation, shape (..., T, N) or (..., 1, N)
        S^k as ones and zeros; all agents without it.
    focus : list of int
        Recorded agents, default all.
    """

    name: ClassVar[str] = "all_for_all"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = START_UNITS
    axes: ClassVar[dict[str, str]] = {
        **START_AXES,
        "mixing": "N N",
        "participation": "T N",
    }
    settings: ClassVar[tuple[str, ...]] = ("focus",)

    def slots(self, clients: int, hyper: Hyper) -> int:
        """One gradient per agent."""
        return clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """All models at their start."""
        check_participation(hyper)
        models = start_points(problem, hyper, range(problem.clients))
        chosen = followed(problem.clients, hyper)
        state = {"models": models, "theta": models[..., chosen, :], "chosen": chosen}
        return {**state, "matrix": self.matrices(hyper)}

    def matrices(self, hyper: Hyper) -> Any:
        """W = Lambda Lambda^T, computed once."""
        mixing = hyper.get("mixing")
        require(mixing is not None, "mixing", "given", None, "pass an array (..., N, N)")
        return mixing @ mixing.mT  # type: ignore[union-attr]

    def matrix(self, t: int, state: State, hyper: Hyper) -> Any:
        """W of round t."""
        return state["matrix"]

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Broadcast every awake agent's gradient along W."""
        models = state["models"]  # (..., N, d)
        gradients = problem.own_stochastic_gradients(models, draws)
        awake = participation(hyper, t, models[..., 0])  # (..., N)
        eta = trail(scheduled(hyper, "step_size", t), 2)
        models = models - eta * (self.matrix(t, state, hyper) @ (awake[..., None] * gradients))
        return {**state, "models": models, "theta": models[..., state["chosen"], :]}


class AdaptiveAllForAll(AllForAll):
    """All-for-all whose matrix changes from epoch to epoch, without restarts.

    Hyper-parameters
    ----------------
    mixings, shape (..., E, N, N)
        Lambda of every epoch.
    lengths : list of int
        Rounds of every epoch but the last, which never ends.
    Others as for :class:`AllForAll`.
    """

    name: ClassVar[str] = "all_for_all_adaptive"
    steady: ClassVar[bool] = False
    axes: ClassVar[dict[str, str]] = {
        **{k: v for k, v in AllForAll.axes.items() if k != "mixing"},
        "mixings": "E N N",
    }
    settings: ClassVar[tuple[str, ...]] = ("lengths", "focus")

    def matrices(self, hyper: Hyper) -> Any:
        """W of every epoch, shape (..., E, N, N)."""
        mixings = hyper.get("mixings")
        require(mixings is not None, "mixings", "given", None, "pass an array (..., E, N, N)")
        lengths, epochs = hyper.get("lengths", []), int(mixings.shape[-3])  # type: ignore[union-attr]
        listed = isinstance(lengths, list | tuple)
        require(
            listed and len(lengths) == epochs - 1,
            "lengths",
            f"of length {epochs - 1}",
            lengths,
            "give one length per epoch but the last",
        )
        for length in lengths:
            whole("lengths", length, 0)
        return mixings @ mixings.mT  # type: ignore[union-attr]

    def matrix(self, t: int, state: State, hyper: Hyper) -> Any:
        """W of the epoch that round t belongs to."""
        return state["matrix"][..., epoch_of(t, hyper.get("lengths", [])), :, :]


def epoch_of(t: int, lengths: Any) -> int:
    """Number of the epoch of round t, both counted from 0."""
    end = 0
    for epoch, length in enumerate(lengths):
        end += int(length)
        if t < end:
            return epoch
    return len(lengths)
