"""Groups of clients as tensors: the greedy partition of every replicate at once, group means.

A partition is a matrix (..., N, N) with one where two clients are in one group.
"""

from __future__ import annotations

from typing import Any

import torch

from algorithms.method import Hyper, count, scheduled, trail
from bounds.numbers.validate import positive

Tensor = torch.Tensor


def greedy_groups(
    gradients: Tensor, sizes: Tensor, tradeoff: Any, order: str, present: Tensor | None = None
) -> Tensor:
    """Partition of every replicate by merging the pair of largest benefit.

    Parameters
    ----------
    gradients : tensor (..., N, d)
    sizes : tensor (..., N) or (N,)
    tradeoff : tensor (...) or number
        alpha.
    order : {"text", "box"}
        With ``box`` the first merge is made whatever it brings.
    present : tensor (..., N), optional
        One for the clients that may merge.

    Returns
    -------
    tensor (..., N, N)
    """
    n = gradients.shape[-2]
    norm = gradients.norm(dim=-1, keepdim=True)
    units = torch.where(norm > 0, gradients / norm.clamp(min=torch.finfo(norm.dtype).tiny), 0.0)
    # a scale of its own for every replicate keeps squares in range
    largest = norm.amax(-2, keepdim=True).clamp(min=torch.finfo(norm.dtype).tiny)
    weighted = sizes[..., None] * gradients / largest
    member = torch.eye(n, dtype=gradients.dtype, device=gradients.device)
    member = member.expand(*gradients.shape[:-2], n, n)
    may = torch.ones_like(norm[..., 0]) if present is None else present + 0 * norm[..., 0]
    upper = torch.ones(n, n, device=gradients.device).triu(1) > 0
    alpha = trail(tradeoff, 2)
    for turn in range(n - 1):
        benefit = _benefits(member, units, weighted, sizes, alpha)
        alive = (member.sum(-1) > 0) & (may > 0)
        allowed = upper & alive[..., :, None] & alive[..., None, :]
        benefit = torch.where(allowed, benefit, -torch.inf)
        gain, place = benefit.flatten(-2).max(-1)
        merge = gain > 0
        if turn == 0 and order == "box":
            merge = gain > -torch.inf
        if not bool(merge.any()):
            break
        first = torch.nn.functional.one_hot(place // n, n).to(member.dtype)  # (..., N)
        second = torch.nn.functional.one_hot(place % n, n).to(member.dtype)
        moved = (second[..., None] * member).sum(-2) * merge[..., None]  # (..., N)
        member = member + first[..., None] * moved[..., None, :]
        member = member * (1 - second * merge[..., None])[..., None]
    same: Tensor = member.mT @ member
    return same


def group_weights(same: Tensor, sizes: Tensor) -> Tensor:
    """a_ij = D_j/D of client i's group, (..., N, N)."""
    spread = same * sizes[..., None, :]
    return spread / spread.sum(-1, keepdim=True)


def alone(models: Tensor) -> Tensor:
    """Everybody by itself, (N, N)."""
    n = models.shape[-2]
    return torch.eye(n, dtype=models.dtype, device=models.device)


def local_updates(
    t: int, problem: Any, hyper: Hyper, models: Tensor, draws: Tensor
) -> tuple[Tensor, Tensor]:
    """Sum of the gradients of Q local steps and the models after them, (..., N, d) both.

    Slot ``j*N + k`` of the draws is step j of client k.
    """
    n, eta = problem.clients, trail(scheduled(hyper, "step_size", t), 2)
    total = 0 * models
    for j in range(count(hyper, "local_steps")):
        words = draws[..., j * n : (j + 1) * n, :]
        gradient = problem.own_stochastic_gradients(models, words)
        total = total + gradient
        models = models - eta * gradient
    return total, models


def client_sizes(problem: Any, hyper: Hyper, like: Tensor) -> Tensor:
    """D_i, ``client_weights`` or one for everybody."""
    sizes = hyper.get("client_weights")
    if sizes is None:
        return torch.ones(problem.clients, dtype=like.dtype, device=like.device)
    positive("client_weights", sizes, "give every client at least one sample")
    found: Tensor = sizes
    return found


def _benefits(member: Tensor, units: Tensor, weighted: Tensor, sizes: Tensor, alpha: Any) -> Tensor:
    """B of every pair of groups, (..., N, N), from sums of unit and of weighted gradients."""
    number = member.sum(-1)  # (..., N)
    size = (member * sizes[..., None, :]).sum(-1)
    u, v = member @ units, member @ weighted
    cross, square = u @ v.mT, v @ v.mT
    own, length = _diagonal(cross), _diagonal(square)
    joint = cross + cross.mT + own[..., :, None] + own[..., None, :]
    scale = length[..., :, None] + length[..., None, :]
    there = (scale + 2 * square) > 1e-28 * scale
    root = torch.where(there, scale + 2 * square, 1.0).sqrt()
    members = number[..., :, None] + number[..., None, :]
    samples = size[..., :, None] + size[..., None, :]
    together = torch.where(there, joint / root, 0.0) - alpha * members / samples
    known = torch.where(length > 0, length, 1.0).sqrt()
    single = torch.where(number == 1, torch.ones_like(number), own / known)
    price = alpha[..., 0] if isinstance(alpha, torch.Tensor) else alpha
    mine = single - price * number / torch.where(size > 0, size, 1.0)
    benefits: Tensor = together - mine[..., :, None] - mine[..., None, :]
    return benefits


def _diagonal(matrix: Any) -> Any:
    return matrix.diagonal(dim1=-2, dim2=-1)
