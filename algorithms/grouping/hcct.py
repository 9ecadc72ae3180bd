r"""HCCT: clients are grouped anew in every epoch, by the similarity of their last updates.

.. math:: \hat w_k^t = \sum_{i \in C_k} \frac{D_i}{\hat D_k} w_i^t,\qquad
          w_i^{t+1} = \hat w_k^t - \eta^t \sum_{j \in C_k} \frac{D_j}{\hat D_k} g_j^t

with g_j the sum of the gradients of Q local steps from the group's model; everybody trains alone in
the first epoch. Differs from the authors' code in that: there all begin as one group
(``first_groups="one"``). Slot ``j*N + k`` of a round is local step j of client k; with the updates
at the present models another N slots come last.

HCCT-E compares one block of the updates (``layers``): the one with the largest ratio of
(1/N) sum_i |g_i - mean g|^2 to |mean g| in the first epoch, a reading of Var/Mean, which the paper
leaves undefined. HCCT-P shares the first ``shared`` coordinates and leaves the others to each
client; updates are compared on the shared ones.

Source: hcct, Algorithms 1 and 2, Section 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import torch

from algorithms.grouping.groups import (
    alone,
    client_sizes,
    greedy_groups,
    group_weights,
    local_updates,
)
from algorithms.method import (
    START_AXES,
    START_UNITS,
    Hyper,
    Method,
    State,
    choice,
    count,
    followed,
    scheduled,
    start_points,
    trail,
)
from bounds.numbers.validate import nonnegative, require

Tensor = torch.Tensor

ORDERS = ("text", "box")
UPDATES = ("previous", "current")
MODELS = ("averaged", "own")
FIRST = ("alone", "one")


class HCCT(Method):
    """Training in groups that a greedy partition forms; ``theta`` holds the followed clients.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d), or starts, shape (..., N, d)
        w^0.
    tradeoff, shape (...)
        alpha, in samples.
    client_weights, shape (..., N)
        D_i; default one.
    local_steps : int
        Q, default 1.
    order : {"text", "box"}
        Stop before a merge without benefit, or ask only after each merge.
    updates : {"previous", "current"}
        Partition by the updates of the epoch before, or by gradients at the present models.
    first_groups : {"alone", "one"}
        Who trains together in the first epoch: nobody, or all who have arrived.
    models : {"averaged", "own"}
        Average the models of a group before it trains (line 16), or let each client keep its own,
        as the proof of Equation 39 does.
    layers : list of int
        Sizes of the blocks of HCCT-E; default one block.
    shared : int
        Number of shared coordinates of HCCT-P; default all.
    arrivals, shape (..., N)
        Epoch from which a client trains, a whole number from 0; it may be grouped from the next one
        on. Default zero.
    focus : list of int
        Followed clients, default all.
    """

    name: ClassVar[str] = "hcct"
    units: ClassVar[dict[str, tuple[int, int]]] = START_UNITS
    axes: ClassVar[dict[str, str]] = {
        **START_AXES,
        "tradeoff": "",
        "client_weights": "N",
        "arrivals": "N",
    }
    settings: ClassVar[tuple[str, ...]] = (
        "local_steps",
        "order",
        "updates",
        "models",
        "first_groups",
        "layers",
        "shared",
        "focus",
    )
    traces: ClassVar[dict[str, str]] = {"groups": "N N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """Q N gradients, N more for a partition by the present ones."""
        extra = choice(hyper, "updates", UPDATES) == "current"
        return (count(hyper, "local_steps") + extra) * clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models and no updates."""
        require(hyper.get("tradeoff") is not None, "tradeoff", "given", None, "pass alpha")
        nonnegative("tradeoff", hyper["tradeoff"])
        for name, options in (("order", ORDERS), ("models", MODELS), ("first_groups", FIRST)):
            choice(hyper, name, options)
        arrivals = hyper.get("arrivals")
        if arrivals is not None:
            whole = bool(((arrivals >= 0) & (arrivals % 1 == 0)).all())
            remedy = "number epochs from 0"
            require(whole, "arrivals", "whole numbers of at least 0", arrivals.tolist(), remedy)
        _blocks(problem.dim, hyper)
        _shared(problem.dim, hyper)
        models = start_points(problem, hyper, range(problem.clients))
        chosen = followed(problem.clients, hyper)
        return {
            "models": models,
            "updates": 0 * models,
            "layer": None,
            "chosen": chosen,
            "theta": models[..., chosen, :],
            "sizes": client_sizes(problem, hyper, models),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Partition, average, train, aggregate."""
        n, models, sizes = problem.clients, state["models"], state["sizes"]
        shared = _shared(problem.dim, hyper)
        here, before = _present(hyper, t, sizes), _present(hyper, t - 1, sizes)
        same = alone(models)
        if t == 0 and choice(hyper, "first_groups", FIRST) == "one":
            same = torch.maximum(same, here[..., :, None] * here[..., None, :])
        if t > 0:
            compared = state["updates"]
            if choice(hyper, "updates", UPDATES) == "current":
                compared = problem.own_stochastic_gradients(models, draws[..., -n:, :])
            compared = _seen(compared, state["layer"], shared)
            order = choice(hyper, "order", ORDERS)
            same = greedy_groups(compared, sizes, hyper["tradeoff"], order, before)
        weights = group_weights(same, sizes)
        if choice(hyper, "models", MODELS) == "averaged":
            models = _joined(weights, models, shared)
        updates, _ = local_updates(t, problem, hyper, models, draws)
        eta = trail(scheduled(hyper, "step_size", t), 2)
        moved = models - eta * _joined(weights, updates, shared)
        models = torch.where(here[..., None] > 0, moved, models)
        layer = state["layer"]
        if layer is None and hyper.get("layers") is not None:
            layer = _layer(updates, _blocks(problem.dim, hyper))
        return {
            **state,
            "models": models,
            "updates": updates,
            "layer": layer,
            "theta": models[..., state["chosen"], :],
            "groups": same,
        }


def _joined(weights: Tensor, values: Tensor, shared: int) -> Tensor:
    """Group means of the shared coordinates, the others as they are."""
    mean = weights @ values[..., :shared]
    own = values[..., shared:].expand(*mean.shape[:-1], values.shape[-1] - shared)
    return torch.cat([mean, own], -1)


def _seen(updates: Tensor, layer: Tensor | None, shared: int) -> Tensor:
    """What similarities are taken of: the shared coordinates, of one block for HCCT-E."""
    if layer is not None:
        updates = updates * layer[..., None, :]
    return updates[..., :shared]


def _layer(updates: Tensor, blocks: Sequence[int]) -> Tensor:
    """Indicator (..., d) of the block with the largest spread against its mean."""
    mean = updates.mean(-2, keepdim=True)
    scores, last = [], 0
    for size in blocks:
        columns = slice(last, last + size)
        part, centre, last = updates[..., columns], mean[..., columns], last + size
        spread = ((part - centre) ** 2).sum(-1).mean(-1)
        length = centre[..., 0, :].norm(dim=-1)
        scores.append(torch.where(length > 0, spread / length, torch.inf))
    best = torch.stack(scores, -1).argmax(-1)  # (...)
    number = torch.repeat_interleave(
        torch.arange(len(blocks), device=updates.device),
        torch.tensor(list(blocks), device=updates.device),
    )
    return (number == best[..., None]).to(updates.dtype)


def _present(hyper: Hyper, t: int, sizes: Tensor) -> Tensor:
    """One for the clients that have arrived by epoch t."""
    arrivals = hyper.get("arrivals")
    if arrivals is None:
        return torch.ones_like(sizes)
    there: Tensor = (arrivals <= t).to(sizes.dtype)
    return there


def _blocks(dim: int, hyper: Hyper) -> list[int]:
    blocks = list(hyper.get("layers") or [dim])
    whole = all(isinstance(b, int) and b > 0 for b in blocks) and sum(blocks) == dim
    require(whole, "layers", f"positive ints with the sum {dim}", blocks, "cover every coordinate")
    return blocks


def _shared(dim: int, hyper: Hyper) -> int:
    shared = hyper.get("shared", dim)
    inside = isinstance(shared, int) and 1 <= shared <= dim
    require(inside, "shared", f"a whole number from 1 to {dim}", shared, "share some coordinates")
    return int(shared)
