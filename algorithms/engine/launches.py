"""Several rounds of a run at once: how a graph is come by, and how a run goes on by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from algorithms.engine.record import note
from algorithms.engine.settings import like_of
from algorithms.engine.skipping import drawn
from algorithms.engine.trees import Unfit
from algorithms.method import Hyper, Method, State
from synthetic.noise.sources import Noise

Tensor = torch.Tensor

__all__ = ["launched", "launcher"]

LAUNCHED = 2**19
"""Numbers drawn by one launch on a CPU: larger arrays leave its caches, and the system takes their
memory back and clears it again between launches, which takes longer than the draws."""


def launcher(
    method: Method,
    problem: Any,
    hyper: Hyper,
    noise: Noise | None,
    state: State,
    paths: dict[str, list[Tensor]],
    count: int,
    compile: bool | str,
    last: bool,
    draws_of: Callable[[int], Tensor],
) -> Any:
    """Rounds as a graph; None where there is no compiler, or nothing to compute."""
    from algorithms.engine.compiler import lacking
    from algorithms.engine.graph import Rounds, notice

    reason = lacking(like_of(problem).device) if compile is True else None
    if reason is not None:
        notice(reason)
        return None
    if state["theta"].numel() == 0:  # of no replicates
        return None
    kept = [] if last else [name for name in paths if name in state]
    if like_of(problem).device.type == "cpu":
        draws = drawn(method, problem.clients, hyper) * problem.noise_width
        replicates = draws_of(0).shape[:-2].numel()
        count = max(1, min(count, LAUNCHED // max(1, draws * replicates)))
    backend = "trace" if compile == "trace" else "inductor"
    return Rounds(method, problem, hyper, noise, state, kept, count, backend, draws_of)


def launched(
    launch: Any,
    t: int,
    rounds: int,
    state: State,
    paths: dict[str, list[Tensor]],
    method: Method,
    last: bool,
    keep: Callable[[int, State], None],
) -> tuple[int, State]:
    """Go on by whole launches, as far as they reach; the next round and its state."""
    if launch is None:
        return t, state
    from algorithms.engine.graph import notice

    names = (*method.states, *method.traces)
    while rounds - t >= launch.count:
        try:
            state, records = launch(t, state)
        except Unfit as reason:
            notice(str(reason))
            break
        for entry in records:
            note(paths, names, entry, False)
        if last:
            note(paths, names, state, True)
        t += launch.count
        keep(t, state)
    return t, state
