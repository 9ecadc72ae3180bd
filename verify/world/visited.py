"""What a method meets on its way: points, and every client's gradients and values there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bounds import generic as xp
from bounds.numbers.shapes import Array
from verify.world.world import World, once

if TYPE_CHECKING:
    from synthetic.problem import Problem

Step = Callable[[World, list[Array], list[Array]], Array]
"""World, points (B, R, d) so far, gradients (B, R, N, d) there -> the next point."""


@dataclass(frozen=True, eq=False)
class Visited:
    """Points of a run with what the losses say there.

    Attributes
    ----------
    points : array, shape (B, R, T + 1, d)
    gradients : array, shape (B, R, T + 1, N, d)
        Of every client, without noise.
    values : array, shape (B, R, T + 1, N)
        Losses.
    excess : array, shape (B, R, T + 1, N)
        Losses above each client's own minimum.
    """

    points: Array
    gradients: Array
    values: Array
    excess: Array


@dataclass(frozen=True, eq=False)
class VisitedOperator:
    """Points of a run with what the operators say there.

    Attributes
    ----------
    points : array, shape (B, R, T + 1, d)
    gradients : array, shape (B, R, T + 1, N, d)
        A(x) of every client, without noise.
    problem : Operator
    """

    points: Array
    gradients: Array
    problem: Problem

    @property
    def values(self) -> Array:
        """There are none: raises InvalidInput."""
        return self.problem.losses(self.points)

    @property
    def excess(self) -> Array:
        """There is none: raises InvalidInput."""
        return self.problem.excess(self.points)


@once
def visited(w: World) -> Visited | VisitedOperator:
    """Points of the run of the instance's own method."""
    return _seen(w, w.run().theta)


@once
def placed(w: World) -> Visited | VisitedOperator:
    """The start and then the points ``w.place``, (B, R, rounds, d), that no method chooses."""

    def next_place(w: World, points: list[Array], _gradients: list[Array]) -> Array:
        return w.place[..., len(points) - 1, :] + 0 * points[-1]

    return walked(w, next_place)


def walked(w: World, step: Step, rounds: int | None = None) -> Visited | VisitedOperator:
    """Points of a method that is written down in the statement itself.

    Parameters
    ----------
    w : World
    step : callable
        From the world, the points so far and the gradients there, the next point.
    rounds : int, optional
        Default the instance's ``rounds``.

    Returns
    -------
    Visited, or VisitedOperator
    """
    points, gradients = [w.original("start")], []
    for _ in range(int(w.original("rounds")) if rounds is None else rounds):
        gradients.append(w.problem.gradients(points[-1]))
        points.append(step(w, points, gradients))
    return _seen(w, xp.stack(points, 2))


def _seen(w: World, points: Array) -> Visited | VisitedOperator:
    from synthetic.profiles.operators import Operator

    problem = w.problem.expand(1)
    gradients = problem.gradients(points)
    if isinstance(problem, Operator):
        return VisitedOperator(points, gradients, problem)
    return Visited(points, gradients, problem.losses(points), problem.excess(points))
