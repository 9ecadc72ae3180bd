"""What is measured at the models of a run: losses, gradients, residuals, and their means.

epsilon is the largest squared residual of the local solves.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array
from verify.statements.fedbc.rounds import Round, expected, first_rounds, rounds_of
from verify.world.world import World, once


def losses(w: World, x: Array) -> Array:
    """f_i(x_i), (B, 1, N)."""
    return w.problem.own_losses(x[..., None])


def slopes(w: World, x: Array) -> Array:
    """f_i'(x_i), (B, 1, N)."""
    return w.problem.own_gradients(x[..., None])[..., 0]


def everywhere(z: Array, like: Array) -> Array:
    """One point for every client, (B, 1, N)."""
    return z[..., None] + 0 * like


def lagrangian(w: World, x: Array, z: Array, multipliers: Array) -> Array:
    """L_i(x_i, z, lambda_i), (B, 1, N)."""
    return losses(w, x) + multipliers * ((x - z[..., None]) ** 2 - w.gamma)


def lagrangian_slope(w: World, x: Array, z: Array, multipliers: Array) -> Array:
    """Gradient of L_i in x_i, (B, 1, N)."""
    return slopes(w, x) + 2 * multipliers * (x - z[..., None])


def slope_before(w: World, r: Round) -> Array:
    """Gradient of L_i before the round, (B, 1, N)."""
    return lagrangian_slope(w, r.old, r.server, r.multipliers)


def residuals(w: World, r: Round) -> Array:
    """e_i^{t+1}, (B, 1, N)."""
    return lagrangian_slope(w, r.new, r.server, r.multipliers)


@once
def tolerance(w: World) -> Array:
    """epsilon: the largest squared residual of a local solve, (B, 1); of drawn sets a proved one."""
    if w.has("sets"):
        return w.residual
    found = [residuals(w, r)[..., k] ** 2 for run in rounds_of(w) for r in run for k in r.solved]
    return xp.largest(xp.stack(found, -1))


@once
def mean_slope_of_lagrangians(w: World) -> Array:
    """Mean over clients and sampled sets of |grad L_i|^2 before the first round, (B, 1)."""
    return expected([xp.mean(slope_before(w, r) ** 2) for r in first_rounds(w)])


@once
def average_spread(w: World) -> Array:
    """Mean over clients, rounds and sampled sets of |x_i^{t+1} - z^{t+1}|^2, (B, 1)."""
    return expected([xp.mean(r.spread) for run in rounds_of(w) for r in run])


def rise(w: World, r: Round) -> Array:
    """L_i^{t+1} - L_i^t, (B, 1, N)."""
    return lagrangian(w, r.new, r.after, r.updated) - lagrangian(w, r.old, r.server, r.multipliers)


@once
def fall(w: World) -> Array:
    """Mean over clients and sampled sets of L_i^t - L_i^{t+1}, (B, 1)."""
    return expected([xp.mean(-rise(w, r)) for r in first_rounds(w)])


@once
def spread(w: World) -> Array:
    """Mean over clients and sampled sets of |x_i^{t+1} - z^{t+1}|^2, (B, 1)."""
    return expected([xp.mean(r.spread) for r in first_rounds(w)])


@once
def mean_move(w: World) -> Array:
    """Mean over clients and sampled sets of |x_i^{t+1} - x_i^t|^2, (B, 1)."""
    return expected([xp.mean(r.move**2) for r in first_rounds(w)])
