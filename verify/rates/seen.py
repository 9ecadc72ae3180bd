"""Worlds that see a long run up to some round, so that one run gives a whole curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from algorithms.registry import load_method
from bounds.numbers.shapes import Array
from synthetic.exact.moments import Moments, moments
from synthetic.exact.stepped import Stepped, stepped_moments
from synthetic.noise.sigma_points import roots, simplex
from verify.claim.instance import Instance
from verify.rates.kept import KeptRun
from verify.rates.record import Rate
from verify.world.noise_plan import AllOutcomes, NoisePlan, NotAvailable, Samples
from verify.world.trajectories import Trajectory
from verify.world.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence


class Seen(World):
    """A world whose run was made before and is seen up to the horizon of its instance."""

    def __init__(self, rate: Rate, instance: Instance, noise: NoisePlan, kept: KeptRun) -> None:
        super().__init__(instance, "float64", noise, rate.claim.defines)
        self._kept_run = kept
        self._cache["problem"] = kept.problem
        self.outcome_weights = kept.weights

    def run(
        self, method: str | None = None, rounds: int | None = None, **hyper: Array
    ) -> Trajectory:
        """The run up to a round."""
        if method not in (None, self.instance.method) or hyper:
            raise NotAvailable("the claim compares runs, and one was made")
        assert self.instance.method is not None
        states = load_method(self.instance.method).states
        t = int(self.original("rounds")) if rounds is None else rounds
        whole = self._kept_run.path
        kept = {name: value[:, :, : t + (name in states)] for name, value in whole.extras.items()}
        return Trajectory(whole.theta[:, :, : t + 1], kept)

    def pathwise(self, rule: Callable[[World, Array], Any]) -> Any:
        """``rule(self, theta)`` along the run, found once for all horizons."""
        return self._kept_run.along(rule, self, int(self.original("rounds")))

    def with_changed(self, changes: Mapping[str, Array]) -> World:
        """The same world with other values for some symbols, and the same run."""
        other = object.__new__(Seen)
        other.__dict__.update(super().with_changed(changes).__dict__)
        other._kept_run = self._kept_run
        return other


def until(instance: Instance, rounds: int) -> Instance:
    """A batch of instances with this horizon."""
    return replace(instance, params={**instance.params, "rounds": rounds})


def worlds(
    rate: Rate, instance: Instance, times: Sequence[int], plan: Samples
) -> Iterator[tuple[int, World]]:
    """A world at each of the times.

    Parameters
    ----------
    rate : Rate
    instance : Instance
        Batch of federations of one cell.
    times : sequence of int
        Horizons, ascending.
    plan : Samples
        Noise of the way ``samples``.
    """
    defines = rate.claim.defines
    if rate.way == "sides":
        for t in times:
            yield t, World(until(instance, t), "float64", AllOutcomes(), defines)
        return
    plan = replace(plan, record=())
    alone = [[t] for t in times] if rate.own_horizon else [list(times)]
    for group in alone:
        world = World(until(instance, group[-1]), "float64", plan, defines)
        noise: NoisePlan = plan
        if rate.way == "moments":
            kept, noise = followed(rate, world), AllOutcomes()
        else:
            path, weights = world.run(), world.outcome_weights
            assert weights is not None
            kept = KeptRun(path, weights, world.problem)
        for t in group:
            yield t, Seen(rate, until(instance, t), noise, kept)


def followed(rate: Rate, world: World, turn: Array | None = None) -> KeptRun:
    """Points and weights with the exact mean and covariance of every iterate.

    Parameters
    ----------
    rate : Rate
        Of the way ``moments``.
    world : World
    turn : ndarray, shape (d, d), optional
        Orthogonal matrix: other points of the same moments. A side that is a function of mean and
        covariance of single iterates is the same on both.

    Returns
    -------
    Kept
        Models (B, d + 1, T + 1, d): mean plus a root of the covariance times the corners of a
        simplex, of equal weights.
    """
    assert rate.affine_map is not None
    rule, start = rate.affine_map(world), world.original("start")
    rounds = int(world.original("rounds"))
    axes: Array | None = None
    if isinstance(rule, Moments):
        path = rule
    elif isinstance(rule, Stepped):
        along = stepped_moments(rule, start, rounds)
        path, axes = along.path, along.axes[:, 0]
    else:
        path = moments(rule, start, rounds)
    mean, covariance = path.mean[:, 0], path.covariance[:, 0]  # (B, T + 1, d), (B, T + 1, d, d)
    known = np.isfinite(covariance).all(axis=(-1, -2))  # a step that is too long runs away
    root = roots(np.where(known[..., None, None], covariance, 0.0))
    if turn is not None:
        root = root @ turn
    mean = np.where(known[..., None], mean, np.nan)
    corners = simplex(mean.shape[-1])
    points = mean[:, None] + np.moveaxis(root @ corners.T, -1, 1)  # (B, d + 1, T + 1, d)
    if axes is not None:
        points = (points.reshape(len(points), -1, len(corners.T)) @ axes.swapaxes(-1, -2)).reshape(
            points.shape
        )
    return KeptRun(
        Trajectory(points, {}), np.full((1, len(corners)), 1 / len(corners)), world.problem
    )
