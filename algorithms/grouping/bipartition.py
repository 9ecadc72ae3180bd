r"""Clustered federated learning by recursive bipartition.

Groups train by FedAvg. A group whose mean update is short while some member's is long is stationary
for the group and not for its members; it is then cut into the two parts whose largest cosine across
is smallest. With the bottleneck similarity of two clients (the largest s such that a chain of
cosines of at least s connects them) the parts are the classes of clients connected above the
smallest one. Slot ``j*N + k`` of a round is local step j of client k.

Not compared with code of the authors.

Source: hcct, Section 2 and baselines (Sattler, Mueller, Samek 2021, Algorithm 3).
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch

from algorithms.grouping.groups import client_sizes, group_weights, local_updates
from algorithms.method import (
    START_AXES,
    START_UNITS,
    Hyper,
    Method,
    State,
    count,
    followed,
    scheduled,
    start_points,
    trail,
)
from bounds.numbers.validate import nonnegative, require


class Bipartition(Method):
    """Groups that are cut in two; ``theta`` holds the followed clients' models.

    Hyper-parameters
    ----------------
    step_size or step_sizes, start or starts, local_steps, client_weights, focus
        As for HCCT.
    stationary, shape (...)
        Length of the group's mean update below which it may be cut. Unit: loss / length.
    restless, shape (...)
        Length of a member's update above which it is. Unit: loss / length.
    """

    name: ClassVar[str] = "bipartition"
    units: ClassVar[dict[str, tuple[int, int]]] = {
        **START_UNITS,
        "stationary": (1, -1),
        "restless": (1, -1),
    }
    axes: ClassVar[dict[str, str]] = {
        **START_AXES,
        "stationary": "",
        "restless": "",
        "client_weights": "N",
    }
    settings: ClassVar[tuple[str, ...]] = ("local_steps", "focus")
    traces: ClassVar[dict[str, str]] = {"groups": "N N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """Q N gradients."""
        return count(hyper, "local_steps") * clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """One group."""
        for name in ("stationary", "restless"):
            require(hyper.get(name) is not None, name, "given", None, "pass a length of updates")
            nonnegative(name, hyper[name])
        models = start_points(problem, hyper, range(problem.clients))
        chosen = followed(problem.clients, hyper)
        n = problem.clients
        return {
            "models": models,
            "theta": models[..., chosen, :],
            "chosen": chosen,
            "groups": torch.ones(n, n, dtype=models.dtype, device=models.device),
            "sizes": client_sizes(problem, hyper, models),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Train in the groups, then cut those that are stationary."""
        same, models = state["groups"], state["models"]
        updates, _ = local_updates(t, problem, hyper, models, draws)
        mean = group_weights(same, state["sizes"]) @ updates
        models = models - trail(scheduled(hyper, "step_size", t), 2) * mean
        longest = (same * updates.norm(dim=-1)[..., None, :]).amax(-1)
        cut = (mean.norm(dim=-1) < trail(hyper["stationary"], 1)) & (
            longest > trail(hyper["restless"], 1)
        )
        parts = torch.where(cut[..., None], same * _connected(updates, same), same)
        return {
            **state,
            "models": models,
            "groups": parts,
            "theta": models[..., state["chosen"], :],
        }


def _connected(updates: Any, same: Any) -> Any:
    """One for clients connected above the smallest bottleneck similarity of their group."""
    norm = updates.norm(dim=-1, keepdim=True)
    units = updates / torch.where(norm > 0, norm, 1.0)
    inside = same > 0
    chain = torch.where(inside, units @ units.mT, -torch.inf)
    for k in range(updates.shape[-2]):  # widest paths through one more client
        through = torch.minimum(chain[..., :, k : k + 1], chain[..., k : k + 1, :])
        chain = torch.maximum(chain, through)
    weakest = torch.where(inside, chain, torch.inf).amin(-1)  # (..., N)
    group = torch.where(inside, weakest[..., None, :], torch.inf).amin(-1, keepdim=True)
    itself = torch.eye(updates.shape[-2], dtype=torch.bool, device=updates.device)
    return ((chain > group) | itself).to(updates.dtype)
