"""What is measured at the models of a run: losses, gradients, residuals, and their means.

epsilon is the largest squared residual of the local solves.
"""

from __future__ import annotations

from bounds import generic as xp
from bounds.fedbc.constants import contraction_printed, moving_constant, start_constant
from verify.claim import Array
from verify.statements.fedbc.quantities.rounds import Round, expected, first_rounds, rounds_of
from verify.terms.vocabulary import quantity
from verify.world.world import World


def losses(w: World, x: Array) -> Array:
    """f_i(x_i), (B, 1, N)."""
    return w.problem.own_losses(x[..., None])


def slopes(w: World, x: Array) -> Array:
    """f_i'(x_i), (B, 1, N)."""
    return w.problem.own_gradients(x[..., None])[..., 0]


def stiffness(w: World) -> Array:
    """L_i, the smallest Lipschitz constant of client i, (B, 1, N)."""
    return w.problem.client_smoothness


def m1(w: World) -> Array:
    """M_1 = L + 2 lambda_max, (B, 1)."""
    return moving_constant(w.beta, w.lambda_max)


def c0(w: World) -> Array:
    """C_0 = 1 - lambda_max/(4 L), (B, 1)."""
    return contraction_printed(w.beta, w.lambda_max)


def own_contraction(w: World) -> Array:
    """C_i = 1 - lambda_max L_i/(1 + L_i)^2 of (61), (B, 1, N)."""
    L = stiffness(w)
    return 1 - w.lambda_max[..., None] * L / (1 + L) ** 2


def everywhere(z: Array, like: Array) -> Array:
    """One point for every client, (B, 1, N)."""
    return z[..., None] + 0 * like


def mean_loss(w: World, z: Array) -> Array:
    """f(z), (B, 1)."""
    return xp.mean(losses(w, everywhere(z, w.multipliers)))


def mean_slope(w: World, z: Array) -> Array:
    """f'(z), (B, 1)."""
    return xp.mean(slopes(w, everywhere(z, w.multipliers)))


def start_of(w: World, bound: Array, best: Array) -> Array:
    """B_0 (88) of a bound G and a least loss, (B, 1)."""
    start = mean_loss(w, w.start[..., 0])
    return start_constant(start, best, bound[..., None] ** 2, stiffness(w))


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


@quantity
def tolerance(w: World) -> Array:
    """epsilon: the largest squared residual of a local solve, (B, 1); of drawn sets a proved one."""
    if w.has("sets"):
        return w.residual
    found = [residuals(w, r)[..., k] ** 2 for run in rounds_of(w) for r in run for k in r.solved]
    return xp.largest(xp.stack(found, -1))


@quantity
def mean_slope_of_lagrangians(w: World) -> Array:
    """Mean over clients and sampled sets of |grad L_i|^2 before the first round, (B, 1)."""
    return expected([xp.mean(slope_before(w, r) ** 2) for r in first_rounds(w)])


@quantity
def average_spread(w: World) -> Array:
    """Mean over clients, rounds and sampled sets of |x_i^{t+1} - z^{t+1}|^2, (B, 1)."""
    return expected([xp.mean(r.spread) for run in rounds_of(w) for r in run])


def rise(w: World, r: Round) -> Array:
    """L_i^{t+1} - L_i^t, (B, 1, N)."""
    return lagrangian(w, r.new, r.after, r.updated) - lagrangian(w, r.old, r.server, r.multipliers)


@quantity
def fall(w: World) -> Array:
    """Mean over clients and sampled sets of L_i^t - L_i^{t+1}, (B, 1)."""
    return expected([xp.mean(-rise(w, r)) for r in first_rounds(w)])


def first_lagrangian(w: World, run: list[Round]) -> Array:
    """L_i^0, (B, 1, N)."""
    return lagrangian(w, run[0].old, run[0].server, run[0].multipliers)


def last_lagrangian(w: World, run: list[Round]) -> Array:
    """L_i^T, (B, 1, N)."""
    return lagrangian(w, run[-1].new, run[-1].after, run[-1].updated)


@quantity
def total_fall(w: World) -> Array:
    """Mean over clients and runs of L_i^0 - L_i^T, (B, 1)."""
    falls = (first_lagrangian(w, run) - last_lagrangian(w, run) for run in rounds_of(w))
    return expected([xp.mean(each) for each in falls])


@quantity
def spread(w: World) -> Array:
    """Mean over clients and sampled sets of |x_i^{t+1} - z^{t+1}|^2, (B, 1)."""
    return expected([xp.mean(r.spread) for r in first_rounds(w)])


@quantity
def mean_move(w: World) -> Array:
    """Mean over clients and sampled sets of |x_i^{t+1} - x_i^t|^2, (B, 1)."""
    return expected([xp.mean(r.move**2) for r in first_rounds(w)])


# -- runs that stand still -------------------------------------------------------------------------


@quantity
def stands(w: World) -> Array:
    """Whether server and multipliers are after the first round what they were before, (B, 1).

    Rounding moves a float run that stands still, and the search does not mind.
    """
    guard = 0 if w.number == "exact" else 1e-9
    moved = []
    for r in first_rounds(w):
        scale = xp.absolute(r.server) + xp.absolute(r.after)
        moved.append(xp.absolute(r.after - r.server) > guard * scale)
        changed = xp.absolute(r.updated - r.multipliers) > guard * r.multipliers
        moved.append(xp.largest(xp.indicator(changed, r.updated)) > 0)
    found = moved[0]
    for more in moved[1:]:
        found = found | more
    return ~found


@quantity
def length(w: World) -> Array:
    """T: as long as one likes where the run stands still, else the rounds that are run, (B, 1)."""
    run = w.rounds + 0 * w.lambda_min
    return xp.where(stands(w), w.horizon + 0 * run, run) if w.has("horizon") else run


@quantity
def average_gradient(w: World) -> Array:
    """Mean over rounds and sampled sets of |f'(z^t)|^2, (B, 1)."""
    return expected([mean_slope(w, r.server) ** 2 for run in rounds_of(w) for r in run])
