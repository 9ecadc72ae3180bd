"""What a run of the engine leaves behind."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

Tensor = torch.Tensor


@dataclass(frozen=True)
class Run:
    """What a run left behind.

    Attributes
    ----------
    theta : tensor, shape (..., T + 1, F, d)
        Models of the followed clients; with ``last_only`` the T axis has length 1.
    extras : dict of tensors
        Other states, shape (..., T + 1, trailing axes), and traces, shape (..., T, trailing axes),
        under the names of the method's tables ``states`` and ``traces``.
    """

    theta: Tensor
    extras: dict[str, Tensor] = field(default_factory=dict)

    @property
    def diverged(self) -> bool:
        """Whether a model is no longer finite at the end: nothing that is read off it counts."""
        return not bool(torch.isfinite(self.theta[..., -1, :, :]).all())


def note(
    paths: dict[str, list[Tensor]], names: Collection[str], state: Mapping[str, Any], last: bool
) -> None:
    """Append to each path what a state holds under its name; only ``last`` ones are kept so."""
    for name in names:
        if name in paths and name in state:
            if last:
                paths[name].clear()
            paths[name].append(state[name])
