"""Serial twin of the method that is tied to its start."""

from __future__ import annotations

from typing import Any

from algorithms.reference.numbers import (
    Hyper,
    Result,
    at_round,
    focus_of,
    moved,
    one_gradient,
    start_of,
)


def anchored(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Every client by itself, one round after the other."""
    focus = focus_of(problem.clients, hyper)
    begin = [list(start_of(hyper, i)) for i in focus]
    theta, out = begin, {"theta": [begin]}
    for t in range(rounds):
        eta, after = at_round(hyper, "step_size", t), []
        for f, i in enumerate(focus):
            slope = one_gradient(problem, theta[f], i, draws[t][i])
            back = [hyper["pull"] * (x - y) for x, y in zip(theta[f], begin[f], strict=True)]
            after.append(moved(theta[f], eta, [g + b for g, b in zip(slope, back, strict=True)]))
        theta = after
        out["theta"].append(theta)
    return out
