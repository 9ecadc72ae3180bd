r"""APFL: every client mixes a model of its own with its copy of the global one.

.. math:: \bar v_i = \alpha_i v_i + (1 - \alpha_i) w_i, \quad
          w_i \leftarrow w_i - \eta g_i(w_i), \quad
          v_i \leftarrow v_i - \eta \alpha_i g_i(\bar v_i)

on the same sample, K times; then the w_i are averaged. Slot ``j*N + k`` of a round is the sample of
local step j of client k.

Differs from the authors' code in two things: there w_i moves before vbar_i is formed
(``personal_at="new"``), and alpha_i moves after both models, by a gradient of its own with the
regulariser 0.02 alpha_i and the models' step (not offered).

Source: adaptive, Baselines, Apfl (Deng et al. 2020, Algorithm 1 and its rule for alpha).
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch

from algorithms.engine.server import AXES, UNITS, average, check_participation, participation
from algorithms.method import (
    Hyper,
    Method,
    State,
    choice,
    count,
    followed,
    one_start,
    scheduled,
    start_points,
    trail,
)
from bounds.numbers.validate import nonnegative, probability, require

PLACES = ("old", "new")


class APFL(Method):
    """Mixtures of local and global models; ``theta`` holds the followed clients' mixtures.

    Hyper-parameters
    ----------------
    mixing, shape (...) or (..., N)
        alpha_i in [0, 1], the initial one where it adapts. 1 is Local, 0 is FedAvg.
    mixing_step, shape (...)
        Step of alpha_i <- alpha_i - step <v_i - w_i, g_i(vbar_i)>, once per round from its first
        sample, projected on [0, 1]; absent for constant alpha. Unit: 1 / loss. The paper takes the
        models' own step size, whose unit is another, so that its rule depends on the unit of loss.
    personal_at : {"old", "new"}
        Whether vbar_i mixes with w_i as it was (Algorithm 1), or after its step.
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d)
        w^0, and v^0 unless ``starts``, shape (..., N, d), gives the local models.
    local_steps : int
        Steps per round, the same for all clients, default 1.
    client_weights, participation, focus
        As in :class:`algorithms.fedavg.FedAvg`; an absent client's v_i and alpha_i rest.
    """

    name: ClassVar[str] = "apfl"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {
        **UNITS,
        "starts": (0, 1),
        "mixing_step": (-1, 0),
    }
    axes: ClassVar[dict[str, str]] = {
        **AXES,
        "starts": "N d",
        "mixing": "N",
        "mixing_step": "",
        "client_weights": "N",
    }
    settings: ClassVar[tuple[str, ...]] = ("local_steps", "personal_at", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d", "mixing": "N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N samples."""
        return count(hyper, "local_steps") * clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Global and local models and their mixtures."""
        check_participation(hyper)
        require(hyper.get("mixing") is not None, "mixing", "given", None, "pass alpha")
        probability("mixing", hyper["mixing"])
        if hyper.get("mixing_step") is not None:
            nonnegative("mixing_step", hyper["mixing_step"])
        if hyper.get("client_weights") is not None:
            nonnegative("client_weights", hyper["client_weights"])
        server = one_start(hyper)
        models = start_points(problem, hyper, range(problem.clients))
        state = {"chosen": followed(problem.clients, hyper)}
        return _with_mixture(state, server, models, hyper["mixing"])

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local steps on copies of the global and on the own models, then the average."""
        server, old, mixing = state["server"], state["models"], state["mixing"]
        eta = trail(scheduled(hyper, "step_size", t), 2)
        copies = server[..., None, :].expand(*server.shape[:-1], problem.clients, problem.dim)
        models = old  # (..., N, d)
        words = draws.unflatten(-2, (-1, problem.clients))  # (..., K, N, w)
        for j in range(words.shape[-3]):
            share = mixing[..., None]  # (..., N, 1)
            own = problem.own_stochastic_gradients(copies, words[..., j, :, :])
            after = copies - eta * own
            beside = after if choice(hyper, "personal_at", PLACES) == "new" else copies
            mixed = problem.own_stochastic_gradients(
                share * models + (1 - share) * beside, words[..., j, :, :]
            )
            if j == 0 and hyper.get("mixing_step") is not None:
                mixing = _adapted(hyper, mixing, models - beside, mixed)
            copies, models = after, models - eta * share * mixed
        inside = participation(hyper, t, copies[..., 0])
        shares = inside
        if hyper.get("client_weights") is not None:
            shares = shares * hyper["client_weights"]
        models = torch.where(inside[..., None] == 1, models, old)
        mixing = torch.where(inside == 1, mixing, state["mixing"])
        return _with_mixture(state, average(copies, shares, server), models, mixing)


def _adapted(hyper: Hyper, mixing: Any, apart: Any, gradient: Any) -> Any:
    """Gradient step on alpha_i, projected on [0, 1]; shape (..., N)."""
    slope = (apart * gradient).sum(-1)
    return (mixing - trail(hyper["mixing_step"], 1) * slope).clamp(0, 1)


def _with_mixture(state: State, server: Any, models: Any, mixing: Any) -> State:
    share = mixing[..., None]
    mixtures = share * models + (1 - share) * server[..., None, :]
    return {
        **state,
        "server": server,
        "models": models,
        "mixing": mixing,
        "theta": mixtures[..., state["chosen"], :],
    }
