r"""IFCA and FLSC: several global models, each client taking the ones that fit its data best.

FLSC: in every epoch a client takes the ``count`` models with the smallest losses on its data and
starts from their mean; each model becomes the mean of the local models of the clients that took it,
weighted by their numbers of samples, and stays where nobody did. IFCA takes one; with
``averaging="gradients"`` a model moves by the updates of its clients divided by the samples of all.

IFCA differs from the authors' code in its default alone: their synthetic runs take "gradients"
(Option I of Algorithm 1), those on images "models" (Option II). FLSC: not compared with code of the
authors.

Slot ``j*N + k`` of a round is local step j of client k.

Source: hcct, Section 7.1, Baselines (Ghosh et al. 2020; Li et al. 2022).
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch

from algorithms.grouping.groups import client_sizes, local_updates
from algorithms.method import (
    START_UNITS,
    STEP_AXES,
    Hyper,
    Method,
    State,
    choice,
    count,
    followed,
    one_start,
)
from bounds.numbers.validate import require

AVERAGES = ("models", "gradients")


class FLSC(Method):
    """Soft clusters; ``theta`` is the mean of the models that a client takes.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    starts, shape (..., K, d), or start, shape (..., d)
        Global models at the start; equal ones are told apart by their number alone.
    clusters : int
        K, where one start is given; default ``count``.
    count : int
        Models per client, default 1.
    client_weights, shape (..., N)
        D_i; default one.
    local_steps : int
        Q, default 1.
    focus : list of int
        Followed clients, default all.
    """

    name: ClassVar[str] = "flsc"
    units: ClassVar[dict[str, tuple[int, int]]] = START_UNITS
    axes: ClassVar[dict[str, str]] = {
        **STEP_AXES,
        "starts": "K d",
        "client_weights": "N",
    }
    settings: ClassVar[tuple[str, ...]] = ("clusters", "count", "local_steps", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "servers": "K d"}
    traces: ClassVar[dict[str, str]] = {"taken": "N K"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """Q N gradients."""
        return count(hyper, "local_steps") * clients

    def asks_truth(self, hyper: Hyper) -> bool:
        """Losses at every global model."""
        return True

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The global models; a client starts from the mean of those that it takes."""
        taken = self.taken(hyper)
        servers, told = hyper.get("starts"), hyper.get("clusters")
        if servers is not None and told is not None:
            most = servers.shape[-2]
            require(told == most, "clusters", f"the {most} of starts", told, "leave it out")
        if servers is None:
            point = one_start(hyper)[..., None, :]
            servers = point.expand(*point.shape[:-2], self.models(hyper), problem.dim)
        most = servers.shape[-2]
        require(taken <= most, "count", f"at most the {most} models", taken, "take fewer")
        chosen = followed(problem.clients, hyper)
        first = _choice(problem, servers, taken)
        return {
            "servers": servers,
            "theta": _means(first, servers)[..., chosen, :],
            "chosen": chosen,
            "sizes": client_sizes(problem, hyper, servers),
        }

    def models(self, hyper: Hyper) -> int:
        """The global models."""
        given = hyper.get("starts")
        taken = self.taken(hyper)
        return max(count(hyper, "clusters", taken), taken) if given is None else given.shape[-2]

    def taken(self, hyper: Hyper) -> int:
        """Number of models that a client takes."""
        return count(hyper, "count")

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Choose, train from the mean, average over those who chose."""
        servers = state["servers"]
        chosen = _choice(problem, servers, self.taken(hyper))  # (..., N, K)
        starts = _means(chosen, servers)
        _, models = local_updates(t, problem, hyper, starts, draws)
        servers = self.averaged(chosen * state["sizes"][..., None], servers, starts, models, hyper)
        used = _means(chosen, servers)
        return {
            **state,
            "servers": servers,
            "taken": chosen,
            "theta": used[..., state["chosen"], :],
        }

    def averaged(self, shares: Any, servers: Any, starts: Any, models: Any, hyper: Hyper) -> Any:
        """New global models, (..., K, d), from samples (..., N, K) and local models (..., N, d)."""
        whole = shares.sum(-2)  # (..., K)
        mean = (shares / torch.where(whole > 0, whole, 1.0)[..., None, :]).mT @ models
        return torch.where(whole[..., None] > 0, mean, servers)


class IFCA(FLSC):
    """Hard clusters: every client takes the one model with the smallest loss.

    Hyper-parameters
    ----------------
    averaging : {"models", "gradients"}
        A global model becomes the mean of its clients' models (Option II), or moves by the sum of
        their updates over the samples of all clients (Option I, with one local step).
    clusters, step_size, step_sizes, start, starts, client_weights, local_steps, focus
        As for FLSC.
    """

    name: ClassVar[str] = "ifca"
    settings: ClassVar[tuple[str, ...]] = ("clusters", "averaging", "local_steps", "focus")

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The global models."""
        choice(hyper, "averaging", AVERAGES)
        return super().start(problem, hyper)

    def taken(self, hyper: Hyper) -> int:
        """One."""
        return 1

    def averaged(self, shares: Any, servers: Any, starts: Any, models: Any, hyper: Hyper) -> Any:
        """Means of models, or sums of updates over the samples of all."""
        if choice(hyper, "averaging", AVERAGES) == "models":
            return super().averaged(shares, servers, starts, models, hyper)
        return servers + (shares / shares.sum((-1, -2), keepdim=True)).mT @ (models - starts)


def _choice(problem: Any, servers: Any, taken: int) -> Any:
    """Indicator (..., N, K) of the models with the smallest losses of each client."""
    losses = problem.expand(1).losses(servers).mT  # (..., N, K)
    smallest = losses.argsort(dim=-1, stable=True)[..., :taken]  # the first of equal ones
    return torch.zeros_like(losses).scatter(-1, smallest, 1.0)


def _means(chosen: Any, servers: Any) -> Any:
    """Mean of the models that each client takes, (..., N, d)."""
    return (chosen / chosen.sum(-1, keepdim=True)) @ servers
