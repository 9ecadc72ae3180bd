"""Clients that count at a server: where some weigh nothing, local steps of the others alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import torch

from algorithms.engine.arrays import spread
from algorithms.engine.server import average, average_of_all, descend, participation
from algorithms.engine.settings import like_of
from algorithms.engine.skipping import alive, among_zeros, places, worth
from algorithms.method import Hyper, State

__all__ = ["averaged", "counted", "local_models", "of_counted"]

WEIGHTS = ("client_weights", "participation")
"""What a client counts by: zero in either is zero."""


def counted(
    slots: int, clients: int, hyper: Hyper, shown: Collection[int] = ()
) -> list[int] | None:
    """Slots of clients that count in some average or are shown anyway.

    None where it would not pay to leave out the others.
    """
    given = [name for name in WEIGHTS if hyper.get(name) is not None]
    if not given:
        return None
    on = torch.stack([alive(hyper[name], 1) for name in given]).all(0).tolist()
    some = [slot for slot in range(slots) if on[slot % clients] or slot % clients in shown]
    return some if worth(len(some), slots) else None


def of_counted(problem: Any, hyper: Hyper) -> State:
    """What a state holds of the clients in use: nothing where all are."""
    if hyper.get("used") is None:
        return {}
    some = [slot for slot in hyper["used"] if slot < problem.clients]
    device = like_of(problem).device
    state = {"some": torch.tensor(some, device=device), "own": problem.select(some)}
    steps = hyper.get("local_steps", 1)
    if np.ndim(steps):
        state["steps"] = np.asarray(torch.as_tensor(steps).cpu())[..., some]
    if hyper["in_order"]:
        state["place"] = places(some, problem.clients, device)
    return state


def local_models(t: int, state: State, problem: Any, hyper: Hyper, pull: Any, draws: Any) -> Any:
    """Models of the K clients in use after their steps from the server's, (..., K, d).

    ``pull`` is a number, or (...) for all clients alike; see `algorithms.engine.server.descend`.
    """
    server, own = state["server"], state.get("own", problem)
    if "steps" in state:
        hyper = {**hyper, "local_steps": state["steps"]}
    if not isinstance(pull, int):
        pull = spread(pull[..., None], *pull.shape, own.clients)
    models = spread(server[..., None, :], *server.shape[:-1], own.clients, server.shape[-1])
    return descend(t, own, hyper, models, pull, server, draws)


def averaged(t: int, state: State, hyper: Hyper, models: Any) -> Any:
    """The server's next model, (..., d), from those of the clients in use."""
    server = state["server"]
    if "place" in state:
        return average_of_all(among_zeros(models, state["place"]), hyper, t, server)
    if "own" not in state:
        return average_of_all(models, hyper, t, server)
    shares = models.new_ones(models.shape[-2])
    if hyper.get("participation") is not None:
        shares = participation(hyper, t, models).index_select(-1, state["some"])
    if hyper.get("client_weights") is not None:
        shares = shares * hyper["client_weights"].index_select(-1, state["some"])
    return average(models, shares, server)
