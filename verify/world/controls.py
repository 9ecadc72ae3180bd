"""Controls: what stands in the place of a run to see whether a claim is about its method.

A run is exchanged for one that never moves, one that jumps, one in which the client trains alone,
one that averages all clients, or one that averages a group drawn at random.  Models are those of
the control, and so are the weights of the clients where it averages; other traces (ratios,
multipliers) stay what the method has chosen, and so do problem, start, steps and rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.numbers import as_rational
from bounds.numbers.shapes import Array
from verify.world.noise_plan import NoisePlan, NotAvailable
from verify.world.trajectories import Trajectory, trajectory

if TYPE_CHECKING:
    from algorithms.method import Method
    from synthetic.problem import Problem

__all__ = ["CONTROLS", "exchanged", "standing"]

STILL, JUMPS, ALONE, ALL, GROUPS = (
    "standing still",
    "jumping at random",
    "each client alone",
    "plain averaging",
    "groups drawn at random",
)
CONTROLS = (STILL, JUMPS, ALONE, ALL, GROUPS)
"""Names of the controls."""

KEPT = ("step_size", "step_sizes", "start", "local_steps", "participation")
"""Hyper-parameters that a control takes over from the method."""

WEIGHTS = ("weights", "alpha", "shares")
"""Traces that say how much each client counts."""

DRAW = (1103515245, 12345, 2**31)
"""A fixed recurrence that jumps and groups are drawn by: a control is one method, not another one
each time that it is asked."""


def exchanged(
    control: str,
    made: Trajectory,
    weights: Array,
    method: Method,
    problem: Problem,
    settings: Mapping[str, Any],
    rounds: int,
    plan: NoisePlan,
    number: str,
) -> tuple[Trajectory, Array]:
    """The run of a control in the place of a method's.

    Parameters
    ----------
    control : str
        One of :data:`CONTROLS`.
    made : Trajectory
        The method's run.
    weights : ndarray
        Of its outcomes.
    method, problem, settings, rounds, plan, number
        As for :func:`~verify.world.trajectories.trajectory`.

    Raises
    ------
    NotAvailable
        If the control draws other gradients than the method, whose other traces are kept.
    """
    if control == STILL:
        return standing(method, made), weights
    if control == JUMPS:
        return _moved(method, made, _jumps(made.theta)), weights
    from algorithms.registry import load_method

    chosen = _clients(control, problem.clients)
    one = problem.noise_variance[..., 0] * 0 + 1  # (B, 1)
    counted = one[..., None] * np.asarray(chosen if number != "exact" else as_rational(chosen))
    hyper = {k: v for k, v in settings.items() if k in KEPT}
    if "step_size" not in hyper and "step_sizes" not in hyper:
        hyper["step_size"] = 1 / problem.smoothness  # of a method that solves
    if "start" not in hyper:
        hyper["start"] = settings["starts"][..., 0, :]
    hyper["client_weights"] = counted
    other, drawn = trajectory(load_method("fedavg"), problem, hyper, rounds, plan, number)
    if drawn.shape != weights.shape:
        raise NotAvailable(f"{control} draws other gradients than {method.name}")
    moved = _moved(method, made, other.theta, other.extras["local_models"])
    shares = counted / counted.sum(axis=-1, keepdims=True)  # (B, 1, N)
    weighted = {k: _all_rounds(shares, v) for k, v in moved.extras.items() if k in WEIGHTS}
    return Trajectory(moved.theta, {**moved.extras, **weighted}), drawn


def standing(method: Method, made: Trajectory) -> Trajectory:
    """The run that stays where it began: every state of every round is the first one."""
    states = {k: _first(v) for k, v in made.extras.items() if k in method.states}
    # models inside a round begin where the server stands
    local = states["server"][:, :, :-1, None] if "server" in states else None
    still = _moved(method, made, _first(made.theta), local)
    return Trajectory(still.theta, {**still.extras, **states})


def _moved(
    method: Method, made: Trajectory, theta: Array, local: Array | None = None
) -> Trajectory:
    """The run with these models (B, R, T + 1, d) in the place of all of its own.

    Models inside a round are ``local``, (B, R, T, N, d), or those that it begins with.
    """
    extras = dict(made.extras)
    for name, axes in (*method.states.items(), *method.traces.items()):
        if name not in extras or axes.split()[-1:] != ["d"]:
            continue
        each = len(axes.split()) > 1
        path = theta if name in method.states else theta[:, :, :-1]
        if name in method.traces and each and local is not None:
            path = local
        elif each:
            path = path[:, :, :, None]
        count = max(path.shape[1], extras[name].shape[1])
        shape = (extras[name].shape[0], count, *extras[name].shape[2:])
        extras[name] = np.broadcast_to(path, shape)
    return Trajectory(theta, extras)


def _all_rounds(shares: Array, path: Array) -> Array:
    """Weights (B, 1, N) in every round of a path (B, R, T, N)."""
    return np.broadcast_to(shares[:, :, None], path.shape)


def _jumps(path: Array) -> Array:
    """The first model, then it and a jump of up to four in each coordinate, (B, R, T + 1, d)."""
    rounds, dim = path.shape[2] - 1, path.shape[-1]
    jumps, state = np.zeros((rounds + 1, dim), dtype=int), 7
    for t in range(1, rounds + 1):
        for k in range(dim):
            state = (state * DRAW[0] + DRAW[1]) % DRAW[2]
            jumps[t, k] = (state >> 16) % 9 - 4
    return _first(path) + jumps.astype(object if path.dtype == object else float)


def _clients(control: str, clients: int) -> list[int]:
    """Who is averaged: client 0 alone, all, or client 0 and each other one by a toss."""
    if control != GROUPS:
        return [int(k == 0 or control == ALL) for k in range(clients)]
    chosen, state = [1], 11
    for _ in range(clients - 1):
        state = (state * DRAW[0] + DRAW[1]) % DRAW[2]
        chosen.append((state >> 16) % 2)
    return chosen


def _first(path: Array) -> Array:
    """The first entry of a path (B, R, T + 1, ...), for all times."""
    return np.broadcast_to(path[:, :, :1], path.shape)
