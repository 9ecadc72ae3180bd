"""Where a run stands in the middle: what its next round and its end need, as plain arrays.

What a method starts with (cut federations, chosen clients) is made again; tensors of the state and
paths so far are kept.  A tensor comes back with its axes as they were in memory: sums over them run
in an order that follows from it, and a run that goes on must give the very numbers of one that
never stopped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol

import numpy as np
import torch

from algorithms.method import State

Tensor = torch.Tensor
Arrays = Mapping[str, np.ndarray[Any, Any]]

__all__ = ["Middle", "Midway", "Watch", "from_arrays", "goes_on", "keep_now", "to_arrays"]

PLAN = "plan"
"""Array that says, as JSON, what the others are."""


@dataclass(frozen=True)
class Midway:
    """A run before round ``t``.

    Attributes
    ----------
    t : int
        Rounds that are done.
    state : mapping
        Tensors of the state.
    paths : mapping
        Records so far, by name.
    """

    t: int
    state: dict[str, Tensor]
    paths: dict[str, list[Tensor]]


class Middle(Protocol):
    """Where the middle of one run is kept."""

    def find(self) -> Midway | None:
        """Where the run was, if it was anywhere."""

    def due(self) -> bool:
        """Whether it is time to keep it."""

    def put(self, now: Midway) -> None:
        """Keep it instead of what was kept before."""

    def forget(self) -> None:
        """The run is done."""


@dataclass
class Watch:
    """An `Middle` on any store, due after so many seconds of processor time.

    Parameters
    ----------
    load : callable
        What was kept, or None.
    save : callable
        Keeps arrays by name.
    drop : callable
        Removes what is there.
    seconds : float
        Between two times; a state takes a moment to write, and a second or more to be worth it.
    device : torch.device
        Of what comes back.
    """

    load: Callable[[], Arrays | None]
    save: Callable[[Arrays], object]
    drop: Callable[[], None]
    seconds: float
    device: torch.device
    last: float = field(default_factory=time.process_time)

    def find(self) -> Midway | None:
        """Where the run was."""
        found = self.load()
        return None if found is None else from_arrays(found, self.device)

    def due(self) -> bool:
        """Whether so many seconds have passed."""
        return time.process_time() - self.last >= self.seconds

    def put(self, now: Midway) -> None:
        """Keep where the run is."""
        self.save(to_arrays(now))
        self.last = time.process_time()

    def forget(self) -> None:
        """Remove what was kept."""
        self.drop()


def keep_now(
    inside: Middle, start: State, t: int, state: State, paths: dict[str, list[Tensor]]
) -> None:
    """Keep a run that is due, unless more than tensors of its state has changed since the start."""
    if not inside.due():
        return
    still = {name for name, value in state.items() if not isinstance(value, Tensor)}
    if all(name in start and start[name] is state[name] for name in still):
        inside.put(Midway(t, {k: v for k, v in state.items() if k not in still}, paths))


def goes_on(found: Midway, start: State) -> tuple[int, State, dict[str, list[Tensor]]]:
    """Round, state and paths of a run that was kept, with what its start makes beside tensors."""
    still = {name: value for name, value in start.items() if not isinstance(value, Tensor)}
    return found.t, {**still, **found.state}, found.paths


def to_arrays(now: Midway) -> dict[str, np.ndarray[Any, Any]]:
    """Arrays of where a run is, to be read by `from_arrays`."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}

    def stored(x: Tensor) -> dict[str, Any]:
        """What is in memory of a tensor, entries that it repeats once, and how to see it again."""
        shape, strides = list(x.shape), x.stride()
        for axis, (size, stride) in enumerate(zip(shape, strides, strict=True)):
            if stride == 0 and size > 1:
                x = x.narrow(axis, 0, 1)
        order = sorted(range(x.ndim), key=lambda axis: -strides[axis])
        name = f"a{len(arrays)}"
        arrays[name] = x.permute(order).cpu().contiguous().numpy()
        return {"name": name, "order": order, "shape": shape}

    plan: dict[str, Any] = {"t": now.t, "state": {k: stored(x) for k, x in now.state.items()}}
    plan["paths"] = {
        name: [stored(torch.stack(list(alike))) for _, alike in groupby(path, lambda x: x.shape)]
        for name, path in now.paths.items()
    }
    arrays[PLAN] = np.array(json.dumps(plan))
    return arrays


def from_arrays(arrays: Arrays, device: torch.device) -> Midway:
    """What `to_arrays` has written."""

    def seen(told: Mapping[str, Any]) -> Tensor:
        order = told["order"]
        back = [order.index(axis) for axis in range(len(order))]
        kept = torch.from_numpy(np.array(arrays[told["name"]])).to(device)
        return kept.permute(back).expand(told["shape"])

    plan = json.loads(str(arrays[PLAN]))
    return Midway(
        plan["t"],
        {name: seen(told) for name, told in plan["state"].items()},
        {
            name: [x for told in groups for x in seen(told).unbind(0)]
            for name, groups in plan["paths"].items()
        },
    )
