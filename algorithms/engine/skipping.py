"""Clients of zero weight: neither drawn nor evaluated, and the numbers stay what they are.

Draws have addresses, so that leaving some out moves no other.  An eager run puts what it computes
of the others among rows of zeros before it sums, so that sums run in the same order: not a bit of
them moves.  Where matrices of their own are multiplied for pairs of clients, answers lie otherwise
in memory, and sums over them round otherwise.  A compiled run sums fewer numbers, in an order of
its own as always.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from algorithms.method import Hyper, Method
from synthetic.noise.sources import Addressed, Noise

Tensor = torch.Tensor

__all__ = ["alive", "among_zeros", "drawn", "lent", "places", "skipping", "worth"]


WORTH = 0.75
"""Share in use up to which the others are skipped: putting zeros back costs as much as a few."""


def skipping(
    method: Method,
    clients: int,
    hyper: dict[str, Any],
    noise: Noise | None,
    kept: set[str],
    in_order: bool,
) -> tuple[dict[str, Any], Noise | None]:
    """Hyper-parameters that name the slots in use, and a source of these alone."""
    if type(noise) is not Addressed or noise.slots != method.slots(clients, hyper):
        return hyper, noise
    asked = {**hyper, "in_order": in_order}
    used = method.used(clients, asked, kept)
    if not used:
        return hyper, noise
    return {**asked, "used": used}, noise.only(used)


def worth(some: int, every: int) -> bool:
    """Whether so few of all are in use that it pays to leave out the others."""
    return some <= WORTH * every


def drawn(method: Method, clients: int, hyper: Hyper) -> int:
    """Slots that are drawn in a round."""
    used = hyper.get("used")
    return method.slots(clients, hyper) if used is None else len(used)


def alive(weights: Tensor, trailing: int) -> Tensor:
    """Which weights differ from zero somewhere on the leading axes: a mask of trailing ones."""
    on = weights != 0
    return on.flatten(0, -trailing - 1).any(0) if on.ndim > trailing else on


def lent(on: Tensor) -> Tensor:
    """Helpers of each asker, (F, K), where ``on``, (F, N), says so, K being the most of any.

    Who has fewer gets some of weight zero as well, so that all have as many.
    """
    most = int(on.sum(-1).max())
    return torch.sort((~on).to(torch.int8), dim=-1, stable=True).indices[:, :most]


def places(used: Sequence[int], count: int, device: torch.device) -> Tensor:
    """For each of so many entries its place among those in use, or else one after their last."""
    found = torch.full((count,), len(used))
    found[list(used)] = torch.arange(len(used))
    return found.to(device)


def among_zeros(some: Tensor, place: Tensor) -> Tensor:
    """Rows of some entries, (..., K, d), among rows of zeros, (..., P, d); see `places`.

    Axes stay as they are in memory: a sum over one of them runs in an order that follows from it.
    """
    strides = some.stride()
    order = sorted(range(some.ndim), key=lambda axis: -strides[axis])
    back = [order.index(axis) for axis in range(some.ndim)]
    rows, axis = some.permute(order), back[-2]
    rows = torch.cat([rows, torch.zeros_like(rows.narrow(axis, 0, 1))], axis)
    return rows.index_select(axis, place).permute(back)
