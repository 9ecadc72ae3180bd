"""Constrained ascent: many starts climb side by side under the hypotheses.

The worst case of a bound sits where hypotheses are active.  Each start runs sequential quadratic
programming in the unit cube: gradients by differences, curvature by damped BFGS, steps from a
small quadratic program, and a few step lengths tried at once.  All starts share each batch of
evaluations, so that a climb costs as many calls as its longest path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.ladder.search import tuning
from verify.ladder.search.optima import Optima

Array = np.ndarray[Any, Any]
Landscape = Callable[[Array, Array], tuple[Array, Array]]
"""Points (B, width) and the mark of each (B,) -> heights (B,), -inf where there is none, and
margins (B, K)."""


@dataclass
class Slots:
    """Starts that are on their way, one row each: where they are and what the last step saw.

    Height and margins of one that has ``joined`` are seen with the differences of its first step.
    """

    u: Array
    height: Array
    margins: Array
    trust: Array
    idle: Array
    curvature: Array
    before: Array
    slope: Array
    tilt: Array
    price: Array
    mark: Array
    risen: Array
    joined: Array

    @classmethod
    def begin(cls, height: Array, margins: Array, u: Array, mark: Array, joined: bool) -> Slots:
        """Slots at their starts."""
        (count, width), known = u.shape, margins.shape[1]
        return cls(
            u,
            height,
            margins,
            np.full(count, tuning.FIRST_STEP),
            np.zeros(count, int),
            np.full((count, width, width), np.nan),
            u.copy(),
            np.zeros((count, width)),
            np.zeros((count, known, width)),
            np.zeros((count, known)),
            mark,
            np.zeros(count, bool),
            np.full(count, joined),
        )

    def join(self, u: Array, mark: Array) -> Slots:
        """These slots and others at their starts."""
        count, known = len(u), self.margins.shape[1]
        other = Slots.begin(np.zeros(count), np.zeros((count, known)), u, mark, True)
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Slots(*(np.concatenate(pair) for pair in pairs))

    def rows(self, chosen: Array) -> Slots:
        """Some of these slots."""
        return Slots(*(value[chosen] for value in vars(self).values()))


def ascend(
    landscape: Landscape,
    starts: Array,
    slots: int,
    evaluations: int,
    marks: Array | None = None,
    optima: Optima | None = None,
) -> Iterator[tuple[Array, Array, Array]]:
    """Climb from each start in turn, `slots` of them at a time.

    Parameters
    ----------
    landscape : callable
        What is climbed and the margins that must not be negative.
    starts : ndarray, shape (S, width)
        Most promising first.
    slots : int
    evaluations : int
        Most points that are evaluated.
    marks : ndarray, shape (S,), optional
        What the landscape is told about each start and all points that come of it; 0 by default.
    optima : Optima, optional
        Counts where starts end; once these settle, the climb is over.

    Yields
    ------
    points : ndarray, shape (slots or fewer, width)
        Where the starts are now, after each step.
    heights : ndarray
    margins : ndarray
    """
    width, used = starts.shape[1], 0
    marks = np.zeros(len(starts), int) if marks is None else marks
    at = Slots.begin(
        *landscape(starts[:slots], marks[:slots]), starts[:slots], marks[:slots], False
    )
    spent = used = len(at.u)
    while (
        width
        and len(at.u)
        and spent + len(at.u) * (width + len(tuning.STEP_LENGTHS)) <= evaluations
    ):
        spent += _step(landscape, at)
        yield at.u, at.height, at.margins
        done = at.idle >= tuning.IDLE_STEPS
        if optima is not None:
            optima.add(at.height[done], at.margins[done], at.risen[done])
            optima.rising = bool(at.risen[~done].any())
        at = at.rows(~done)
        if optima is not None and optima.settled and not optima.topped(at.height, at.margins):
            return
        fresh = slice(used, used + slots - len(at.u))
        if len(starts[fresh]):
            at = at.join(starts[fresh], marks[fresh])
            spent += len(starts[fresh])
            used += len(starts[fresh])


@np.errstate(all="ignore")
def _step(landscape: Landscape, at: Slots) -> int:
    """One step of every slot; returns the number of evaluations."""
    count, width = at.u.shape
    slope, tilt = _differences(landscape, at)
    _bend(at, slope, tilt)
    # margins in lengths of the cube, so that no hypothesis weighs more for its unit
    steep = np.linalg.norm(tilt, axis=2)
    size = np.where(steep > 0, steep, np.maximum(np.abs(at.margins), 1.0))
    margins, leaning = at.margins / size, tilt / size[..., None]
    low = np.maximum(-at.u, -at.trust[:, None])
    high = np.minimum(1 - at.u, at.trust[:, None])
    move, price = programme(
        at.curvature, -slope, margins - tuning.FROM_THE_EDGE, leaning, low, high
    )
    price = np.minimum(price, tuning.DEAREST * np.linalg.norm(slope, axis=1)[:, None] + 1e-3)
    trials = np.clip(at.u[:, None] + tuning.STEP_LENGTHS[:, None] * move[:, None], 0, 1)
    height, found = landscape(
        trials.reshape(-1, width), np.repeat(at.mark, len(tuning.STEP_LENGTHS))
    )
    height, found = height.reshape(count, -1), found.reshape(count, len(tuning.STEP_LENGTHS), -1)
    weight = 2 * np.maximum(price.max(axis=1, initial=0.0), np.linalg.norm(slope, axis=1)) + 1e-3
    before = _merit(at.height, margins, weight)
    merit = _merit(height, found / size[:, None], weight[:, None])
    rows, best = np.arange(count), np.argmax(merit, axis=1)
    gain = merit[rows, best] - before
    better = gain > 0
    at.idle = np.where(gain > tuning.NO_PROGRESS, 0, at.idle + 1)
    at.risen |= gain > tuning.NO_PROGRESS
    # the model reached far enough, or too far, or further than it was trusted
    length = np.abs(move).max(axis=1) * tuning.STEP_LENGTHS[best]
    at.trust = np.where(better, np.clip(2 * length, at.trust / 4, 2 * at.trust), at.trust / 8)
    at.trust = np.clip(at.trust, tuning.DIFFERENCE, 1.0)
    at.before, at.slope, at.tilt, at.price = at.u, slope, tilt, price / size
    at.u = np.where(better[:, None], trials[rows, best], at.u)
    at.height = np.where(better, height[rows, best], at.height)
    at.margins = np.where(better[:, None], found[rows, best], at.margins)
    return int(count * (width + len(tuning.STEP_LENGTHS)))


def _merit(height: Array, margins: Array, weight: Array) -> Array:
    """Height less the price of what is missed, which alone leads on where there is no height."""
    height = np.maximum(np.nan_to_num(height, nan=-np.inf), tuning.NO_HEIGHT)
    return np.asarray(height + weight * np.minimum(margins, 0).sum(axis=-1))


def _differences(landscape: Landscape, at: Slots) -> tuple[Array, Array]:
    """Slopes of the height (S, width) and of the margins (S, K, width)."""
    count, width = at.u.shape
    sign = np.where(at.u + tuning.DIFFERENCE <= 1, tuning.DIFFERENCE, -tuning.DIFFERENCE)
    near = (at.u[:, None] + sign[:, None] * np.eye(width)).reshape(-1, width)
    points = np.concatenate([near, at.u[at.joined]])
    marks = np.concatenate([np.repeat(at.mark, width), at.mark[at.joined]])
    height, margins = landscape(points, marks)
    at.height[at.joined], at.margins[at.joined] = height[len(near) :], margins[len(near) :]
    at.joined[:] = False
    height, margins = height[: len(near)], margins[: len(near)]
    with np.errstate(all="ignore"):
        slope = (height.reshape(count, width) - at.height[:, None]) / sign
        tilt = (margins.reshape(count, width, -1) - at.margins[:, None]) / sign[..., None]
    slope = np.where(np.isfinite(slope), slope, 0.0)
    return slope, np.where(np.isfinite(tilt), tilt, 0.0).swapaxes(1, 2)


def _bend(at: Slots, slope: Array, tilt: Array) -> None:
    """Damped BFGS on the curvature of the Lagrangian; a fresh or stuck slot begins round."""
    width = at.u.shape[1]
    steep = np.maximum(np.linalg.norm(slope, axis=1), 1e-6)
    moved = at.u - at.before
    changed = (at.slope - slope) + np.einsum("sk,skn->sn", at.price, at.tilt - tilt)
    fresh = np.isnan(at.curvature[:, 0, 0]) | (np.abs(moved).max(axis=1) == 0)
    at.curvature[fresh] = (steep / tuning.FIRST_STEP)[fresh, None, None] * np.eye(width)
    bent = np.einsum("sij,sj->si", at.curvature, moved)
    energy = (moved * bent).sum(axis=1)
    along = (moved * changed).sum(axis=1)
    with np.errstate(all="ignore"):
        damp = np.where(along < 0.2 * energy, 0.8 * energy / (energy - along), 1.0)[:, None]
        changed = damp * changed + (1 - damp) * bent
        along = (moved * changed).sum(axis=1)[:, None, None]
        update = changed[:, :, None] * changed[:, None] / along
        update = update - bent[:, :, None] * bent[:, None] / energy[:, None, None]
    usable = ~fresh & np.isfinite(update).all(axis=(1, 2))
    at.curvature[usable] += update[usable]


def programme(
    curvature: Array, slope: Array, margins: Array, tilt: Array, low: Array, high: Array
) -> tuple[Array, Array]:
    r"""Solve many small quadratic programmes by guessing which limits bind, again and again.

    .. math:: \min_p \tfrac12 p^T H p + g^T p, \quad c + J p \ge 0, \quad l \le p \le h

    Parameters
    ----------
    curvature, slope, margins, tilt, low, high : ndarray
        H (S, n, n) positive definite, g (S, n), c (S, K), J (S, K, n), l and h (S, n).

    Returns
    -------
    p : ndarray, shape (S, n)
    price : ndarray, shape (S, K)
        Multipliers of the constraints.
    """
    count, width = slope.shape
    known = margins.shape[1]
    whole = np.zeros((count, width + known, width + known))
    binds = margins < 0
    fixed = np.zeros((count, width), int)
    p, price = np.zeros((count, width)), np.zeros((count, known))
    stretch = np.maximum(np.trace(curvature, axis1=1, axis2=2) / max(width, 1), 1e-12)
    stiff = 1 / (tuning.MISSED_PRICE * stretch)
    side = np.zeros((count, width + known))
    for number in range(tuning.PIVOTS):
        whole[:, :width, :width] = curvature
        whole[:, :width, width:] = -tilt.swapaxes(1, 2)
        whole[:, width:, :width] = np.where(binds[..., None], tilt, 0.0)
        whole[:, width:, width:] = np.where(binds, stiff[:, None], 1.0)[..., None] * np.eye(known)
        side[:, :width] = -slope
        side[:, width:] = np.where(binds, -margins, 0.0)
        held = fixed != 0
        whole[:, :width][held] = 0.0
        rows, columns = np.nonzero(held)
        whole[rows, columns, columns] = 1.0
        side[:, :width] = np.where(held, np.where(fixed > 0, high, low), side[:, :width])
        try:
            solved = np.linalg.solve(whole, side[..., None])[..., 0]
        except np.linalg.LinAlgError:
            break
        p, price = solved[:, :width], solved[:, width:]
        pull = np.einsum("sij,sj->si", curvature, p) + slope - np.einsum("sk,skn->sn", price, tilt)
        left = margins + np.einsum("skn,sn->sk", tilt, p)
        # how wrong each guess is, as a length; where several are, all change, and later only one
        over = np.maximum(p - high, low - p)
        wrong = np.concatenate(
            [
                np.where(held, np.maximum(fixed * pull, 0) / stretch[:, None], np.maximum(over, 0)),
                np.where(binds, np.maximum(-price, 0) / stretch[:, None], np.maximum(-left, 0)),
            ],
            axis=1,
        )
        change = wrong > tuning.WRONG_BY
        if not change.any():
            break
        if number >= tuning.PIVOTS_TOGETHER:
            change &= wrong == wrong.max(axis=1, keepdims=True)
        fixed = np.where(change[:, :width], np.where(held, 0, np.where(p > high, 1, -1)), fixed)
        binds = binds ^ change[:, width:]
    return np.clip(np.nan_to_num(p), low, high), np.maximum(np.nan_to_num(price), 0.0)
