r"""Sources of standardised noise draws, one value per address (replicate, round, slot, word).

All sources share ``draw(round) -> tensor (..., slots, width)`` with rounds counted from 0
and the gradient draws of a round in the method's canonical order. Leading axes are ``(R,)``,
or ``(B, R)`` where a law has one parameter per instance.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Protocol

import torch
from torch import Tensor

from bounds.numbers.validate import require
from synthetic.noise.addressed import Addressed
from synthetic.noise.philox import Key, run_key
from synthetic.noise.places import check_device, check_dtype

__all__ = ["Addressed", "Given", "Noise", "Silent", "address_of", "source_of"]


class Noise(Protocol):
    """What the engine needs of a noise source."""

    def draw(self, round: int) -> Tensor:
        """Return the draws of one round, ``(..., slots, width)``."""
        ...


@dataclass(frozen=True)
class Given:
    """Fixed draws, for instance all outcomes of a finite law.

    Parameters
    ----------
    array : tensor ``(..., T, slots, width)``
    """

    array: Tensor

    def draw(self, round: int) -> Tensor:
        """Return the draws of one round, ``(..., slots, width)``."""
        rounds = int(self.array.shape[-3])
        remedy = "give draws for every round"
        require(0 <= round < rounds, "round", f"in [0, {rounds})", round, remedy)
        return self.array[..., round, :, :]


@dataclass(frozen=True)
class Silent:
    """No noise: zeros."""

    slots: int
    width: int = 1
    leading: tuple[int, ...] = ()
    device: torch.device | str = "cpu"
    dtype: torch.dtype = torch.float64

    def __post_init__(self) -> None:
        check_device(self.device)
        check_dtype(self.dtype)

    def draw(self, round: int) -> Tensor:
        """Return zeros, ``(*leading, slots, width)``."""
        shape = (*self.leading, self.slots, self.width)
        return torch.zeros(shape, device=self.device, dtype=self.dtype)


def address_of(noise: Noise | None) -> Any:
    """All that the draws of a source depend on, for what is kept under an address.

    Parameters
    ----------
    noise : Noise or None
        A source of this module, or one with an ``address`` of its own: numbers, text, arrays, and
        lists and mappings of them, which no two sources with other draws share.

    Returns
    -------
    list or None
        None without noise.

    Raises
    ------
    InvalidInput
        On another source without ``address``.

    Examples
    --------
    >>> address_of(Silent(slots=3))
    ['Silent', 3, 1, (), 'cpu', 'torch.float64']
    """
    if noise is None or hasattr(noise, "address"):
        return getattr(noise, "address", None)
    kind, remedy = type(noise), "give it an attribute address: all that its draws depend on"
    known = kind in (Addressed, Given, Silent)
    require(known, "noise", "a source that says what it draws", kind.__name__, remedy)
    values = [getattr(noise, part.name) for part in fields(noise)]  # type: ignore[arg-type]
    named = (torch.device, torch.dtype)
    return [kind.__name__, *(str(x) if isinstance(x, named) else x for x in values)]


def source_of(
    problem: Any,
    key: Key | int,
    replicates: range,
    slots: int,
    *,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
) -> Addressed:
    """Build the source of a problem's own law, for gradient draws in the canonical order.

    Parameters
    ----------
    problem : Problem on tensors
        Leading axes: none, ``(B,)``, or ``(B, 1)`` with the axis of the replicates in place.
    key : pair of 32-bit words, or a seed
        A seed stands for ``run_key(seed)``.
    replicates : range
    slots : int
        A multiple of the number of clients, or less than it: slot s is a draw of client s mod N.
    device, dtype : optional
        By default those of the problem.

    Returns
    -------
    Addressed
        Its draws are ``(R, slots, width)``, or ``(B, R, slots, width)`` where the law has
        parameters with leading axes.
    """
    clients = problem.clients
    whole = slots % clients == 0 or 0 < slots < clients
    remedy = "draw for every client"
    require(whole, "slots", f"a multiple of {clients} clients, or fewer", slots, remedy)
    repeats = -(-slots // clients)

    def over_slots(x: Tensor, rank: int) -> Tensor:
        # (..., 1, N[, S]) with an axis for replicates, which `Addressed` inserts itself
        if len(problem.leading) > 1 and x.ndim > rank + 1:
            x = x.squeeze(-rank - 1)
        return torch.cat([x] * repeats, -rank).narrow(-rank, 0, slots)

    like = next(x for x in problem.data.values() if isinstance(x, Tensor))
    parameters: dict[str, Any] = {}
    if problem.law == "two_point":
        parameters["skew"] = over_slots(problem.skew, 1)
    elif problem.law == "finite":
        values, chances = problem.noise_support()
        parameters["values"] = over_slots(values, 2)
        parameters["probabilities"] = over_slots(chances, 2)
    elif problem.law == "samples":
        parameters["rows"] = (problem.rows * repeats)[:slots]
    return Addressed(
        "indices" if problem.law == "samples" else problem.law,
        run_key(key) if isinstance(key, int) else key,
        replicates,
        slots,
        problem.noise_width,
        device=like.device if device is None else device,
        dtype=like.dtype if dtype is None else dtype,
        **parameters,
    )
