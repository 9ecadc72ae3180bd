"""Both sides of a rate over time on a batch of federations, with e-values of sampled means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bounds import generic as xp
from bounds.numbers.shapes import Array
from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.instance import Instance
from verify.rates.control import Control, adjusted, together
from verify.rates.record import Rate
from verify.rates.seen import Seen, followed, until, worlds
from verify.verdict import relation
from verify.verdict.e_values import log_e_values
from verify.world.noise_plan import AllOutcomes, Samples
from verify.world.score import Score, came_across, score_world
from verify.world.world import World


@dataclass(frozen=True, eq=False)
class Curve:
    """Sides of a batch of B federations at n times.

    Attributes
    ----------
    times : tuple of int
    left, right : ndarray, shape (B, n)
        Means over the noise, as they are compared: of terms that are not negative, which those of
        the other side are that have moved across.
    measured, bound : ndarray, shape (B, n)
        The same sides as they are written, with their negative terms; what a picture shows.
    spread : ndarray, shape (B, n)
        Standard error of the left side; 0 where it is exact.
    log_e : ndarray, shape (B, n)
        Logarithm of the e-value against the claim; of exact sides 0.
    met : ndarray of bool, shape (B, n)
        Whether every hypothesis holds.
    exact : bool
        Whether the sides are exact up to rounding.
    """

    times: tuple[int, ...]
    left: Array
    right: Array
    measured: Array
    bound: Array
    spread: Array
    log_e: Array
    met: Array
    exact: bool

    @property
    def crossed(self) -> Array:
        """Where the claim is broken by more than rounding, (B, n); of exact sides only."""
        broken = relation.broken("<=", self.left, self.right)
        return np.asarray(broken & self.met & self.exact)


def curve(
    rate: Rate, instance: Instance, times: Sequence[int], plan: Samples, at_once: int | None = None
) -> Curve:
    """Evaluate a rate on a batch of federations.

    Parameters
    ----------
    rate : Rate
    instance : Instance
        Batch of federations of one cell, without a horizon.
    times : sequence of int
        Horizons, ascending.
    plan : Samples
        Noise where means are sampled.
    at_once : int, optional
        Replicates whose sides are held together, two at least; all if None. The numbers drawn do
        not depend on it.

    Raises
    ------
    InvalidInput
        If a claim of the way ``moments`` is no function of the moments of single iterates.
    """
    exact = rate.way != "samples"
    with unchecked(), np.errstate(all="ignore"):
        if rate.way == "moments":
            _checked(rate, instance, times[min(1, len(times) - 1)])
        if exact:
            rows = [_exact(rate, world) for _, world in worlds(rate, instance, times, plan)]
        else:
            plans = _parts(plan, at_once)
            parts = [
                [_outcomes(rate, world) for _, world in worlds(rate, instance, times, some)]
                for some in plans
            ]
            control = _control(rate, until(instance, times[-1]), plans)
            rows = [
                _sampled(rate, at, t, control)
                for t, at in zip(times, zip(*parts, strict=True), strict=True)
            ]
    left, right, measured, bound, spread, log_e, met = (
        np.stack(column, -1) for column in zip(*rows, strict=True)
    )
    return Curve(tuple(times), left, right, measured, bound, spread, log_e, met, exact)


def _exact(rate: Rate, world: World) -> tuple[Array, ...]:
    """The columns of a curve from ``left`` to ``met`` at one time, (B,) each."""
    made = score_world(rate.claim, world)
    # a path or a point claim is as good as its worst outcome
    left, right, measured, bound = _worst(made)
    return left, right, measured, bound, 0 * left, 0 * left, made.feasible


@dataclass(frozen=True, eq=False)
class _Outcomes:
    """Both sides (B, R), the ceiling (B, 1) if there is one, whether the hypotheses hold (B,).

    ``across`` is what has moved to the other side in each run, the mean over them: (B,).
    """

    left: Array
    right: Array
    across: Array
    ceiling: Array | None
    met: Array


def _parts(plan: Samples, at_once: int | None) -> list[Samples]:
    """Replicates in parts of nearly one size, two in each at least."""
    number = 1 if at_once is None else -(-plan.replicates // max(2, at_once))
    number = max(1, min(number, plan.replicates // 2))
    ends = [plan.first + k * plan.replicates // number for k in range(number + 1)]
    return [replace(plan, first=a, replicates=b - a) for a, b in pairwise(ends)]


def _outcomes(rate: Rate, world: World) -> _Outcomes:
    made = score_world(replace(rate.claim, over="path"), world)
    left, right = xp.to_float(made.left), xp.to_float(made.right)
    samples = max(left.shape[1], right.shape[1])
    shape = (len(world.instance), samples)
    top = None if rate.ceiling is None else xp.to_float(rate.ceiling(world))
    right = np.broadcast_to(right, (shape[0], right.shape[1]))
    across = _across(made, 0) + _across(made, 1)
    mean = np.broadcast_to(across, shape).mean(axis=1)
    return _Outcomes(np.broadcast_to(left, shape), right, mean, top, made.feasible)


def _control(rate: Rate, instance: Instance, plans: Sequence[Samples]) -> Control | None:
    """The control variate of all replicates, if the rate has one."""
    if rate.control is None:
        return None
    plans = [replace(plan, record=()) for plan in plans]
    seen = [World(instance, "float64", plan, rate.claim.defines) for plan in plans]
    return together([rate.control(world) for world in seen])


def _sampled(
    rate: Rate, parts: Sequence[_Outcomes], time: int, control: Control | None
) -> tuple[Array, ...]:
    """The same columns as of exact sides, of the replicates of all parts together.

    A control variate makes mean and standard error of the left side better, not the e-value.
    """
    met = np.logical_and.reduce([part.met for part in parts])
    left, right = (_together([getattr(part, name) for part in parts]) for name in ("left", "right"))
    right = np.where(met[:, None], right, np.nan)  # what is not claimed is not asked
    top = _ceiling(rate, parts[0].ceiling, right)
    value = left + (top[:, None] - right)
    value = np.maximum(value, 0.0)  # rounding, where the right side attains its ceiling
    log_e = np.where(met, log_e_values(value, top), 0.0)
    if control is not None:
        left = adjusted(left, control.values[..., time], control.mean[..., time])
    samples = left.shape[1]
    error = left.std(axis=1, ddof=1) / np.sqrt(samples) if samples > 1 else 0 * top
    runs = np.array([part.left.shape[1] for part in parts])
    across = np.stack([part.across for part in parts], -1) @ runs / runs.sum()
    means = left.mean(axis=1), right.mean(axis=1)
    return *means, means[0] - across, means[1] - across, error, log_e, met


def _together(parts: Sequence[Array]) -> Array:
    """Sides of all parts, (B, R); one number for each federation stays one."""
    if all(part.shape[1] == 1 for part in parts) and _equal(parts):
        return parts[0]
    return np.concatenate(parts, axis=1)


def _equal(parts: Sequence[Array]) -> bool:
    return all(np.array_equal(part, parts[0], equal_nan=True) for part in parts)


def _ceiling(rate: Rate, ceiling: Array | None, right: Array) -> Array:
    """A number that the right side never exceeds, (B,)."""
    if ceiling is not None:
        top = np.broadcast_to(ceiling, (len(right), 1))[:, 0]
        if (right > top[:, None] * (1 + relation.ROUNDING)).any():
            raise InvalidInput(
                f"ceiling of {rate.key} must be at least the right side, got a smaller one: "
                "prove another one"
            )
        return np.asarray(np.maximum(top, right.max(axis=1)))
    if right.shape[1] > 1 and (np.ptp(right, axis=1) > 0).any():
        raise InvalidInput(
            f"right side of {rate.key} must be one number for all runs, got a random one: "
            "pass ceiling="
        )
    return right[:, 0]


def _worst(made: Score) -> tuple[Array, Array, Array, Array]:
    """Both sides as compared and as written, of the worst outcome, (B,) each."""
    compared = xp.to_float(made.left), xp.to_float(made.right)
    left, right, measured, bound = np.broadcast_arrays(
        *compared, _written(made, 0), _written(made, 1)
    )
    worst = np.nanargmax(np.where(np.isnan(left / right), -1.0, left / right), axis=1)
    rows = np.arange(len(left))
    left, right, measured, bound = (x[rows, worst] for x in (left, right, measured, bound))
    return left, right, measured, bound


def _written(made: Score, side: int) -> Array:
    """A side as the statement writes it, negative terms included."""
    own = (value for name, value in made.terms[side].items() if not came_across(name))
    return sum(map(xp.to_float, own), np.zeros((1, 1))) - _across(made, 1 - side)


def _across(made: Score, side: int) -> Array:
    """What has moved to a side from the other one."""
    came = (value for name, value in made.terms[side].items() if came_across(name))
    return sum(map(xp.to_float, came), np.zeros((1, 1)))


def _checked(rate: Rate, instance: Instance, rounds: int) -> None:
    """Refuse sides that differ between two sets of points with the same moments."""
    short = until(instance, rounds)
    world = World(short, "float64", AllOutcomes(), rate.claim.defines)
    dim = world.problem.dim
    turn, _ = np.linalg.qr(np.random.default_rng(dim).normal(size=(dim, dim)))
    found = []
    for other in (None, turn):
        kept = followed(rate, world, other)
        found.append(score_world(rate.claim, Seen(rate, short, AllOutcomes(), kept)))
    first, second = ((xp.to_float(s.left), xp.to_float(s.right)) for s in found)
    for a, b in zip(first, second, strict=True):
        if not np.allclose(a, b, rtol=relation.MIXED, atol=0, equal_nan=True):
            raise InvalidInput(
                f"{rate.key} must be a function of mean and covariance of single iterates, got "
                "another: sample it"
            )
