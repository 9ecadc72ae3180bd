"""Steps defined by what holds at their end: proximal, projected, line searches, inexact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verify.worst_case.function import Function, Sum
from verify.worst_case.points import Expression, Number, SymbolicPoint, rational

__all__ = [
    "End",
    "InexactEnd",
    "best_along",
    "bregman_proximal_step",
    "bregman_step",
    "epsilon_subgradient",
    "inexact_gradient",
    "inexact_prox",
    "linear_minimiser",
    "project",
    "prox",
    "shifted_minimiser",
]


@dataclass(frozen=True)
class End:
    """Where a step ends: the point, the (sub)gradient that defines it, and the value there."""

    x: SymbolicPoint
    g: SymbolicPoint
    f: Expression


def prox(f: Sum, x: SymbolicPoint, gamma: Number) -> End:
    """Minimiser of f(y) + |y - x|^2/(2 gamma): y = x - gamma g with g a subgradient at y.

    Of an operator the resolvent.
    """
    g = f.new_gradient()
    y = x - g * gamma
    return End(y, g, f.add(y, g).f if isinstance(f, Function) else f.place(y, g))


def project(onto: Sum, x: SymbolicPoint) -> SymbolicPoint:
    """Projection onto a set, by its indicator."""
    return prox(onto, x, 1).x


def linear_minimiser(direction: SymbolicPoint, onto: Sum) -> SymbolicPoint:
    """A point of a set at which <direction, .> is least: minus the direction is normal there."""
    return shifted_minimiser(-direction, onto)


def shifted_minimiser(direction: SymbolicPoint, f: Sum) -> SymbolicPoint:
    """Minimiser of f - <direction, .>: the direction is a subgradient there."""
    y = f.problem.point("y")
    f.place(y, direction)
    return y


def best_along(f: Function, x: SymbolicPoint, directions: Sequence[SymbolicPoint]) -> End:
    """Best point on x + the span of directions: the gradient there is orthogonal to all of them."""
    y = f.problem.point("y")
    met = f.oracle(y)
    for d in (y - x, *directions):
        f.problem.assume_equal(d @ met.g, 0)
    return End(y, met.g, met.f)


def bregman_step(
    gradient: SymbolicPoint, slope: SymbolicPoint, mirror: Sum, gamma: Number
) -> SymbolicPoint:
    """Minimiser of gamma <gradient, y> + h(y) - <slope, y>, with `slope` that of h where one is."""
    return shifted_minimiser(slope - gradient * gamma, mirror)


def bregman_proximal_step(
    slope: SymbolicPoint, mirror: Function, f: Function, gamma: Number
) -> End:
    """Minimiser of gamma f(y) + h(y) - <slope, y>; g is the slope of h at the end."""
    y, g = f.problem.point("y"), f.new_gradient()
    value = f.place(y, g)
    after = slope - g * gamma
    mirror.place(y, after)
    return End(y, after, value)


def inexact_gradient(
    f: Function, x: SymbolicPoint, *, relative: Number | None = None, absolute: Number | None = None
) -> SymbolicPoint:
    """A vector near the gradient: within `relative` times its length, or within `absolute`."""
    met, near = f.oracle(x), f.new_gradient()
    if relative is not None:
        f.problem.assume((near - met.g) ** 2 <= met.g**2 * rational(relative) ** 2)
    if absolute is not None:
        f.problem.assume((near - met.g) ** 2 <= rational(absolute) ** 2)
    return near


@dataclass(frozen=True)
class InexactEnd:
    """End of an inexact proximal step; `error` is a number that bounds its gap."""

    x: SymbolicPoint
    g: SymbolicPoint
    f: Expression
    dual: SymbolicPoint
    error: Expression


def inexact_prox(f: Function, x: SymbolicPoint, gamma: Number, *, gap: bool) -> InexactEnd:
    """A proximal step up to an error, measured by the primal-dual gap or by a displacement.

    With `gap`, the point y and a subgradient v at some w have the gap |y - x + gamma v|^2/2
    + gamma (f(y) - f(w) - <v, y - w>); else y = x - gamma g + e with g a subgradient at y and the
    error |e|^2/2.
    """
    problem = f.problem
    error = problem.number("error")
    if gap:
        w, v, y, g = problem.point("w"), f.new_gradient(), problem.point("y"), f.new_gradient()
        low, high = f.place(w, v), f.place(y, g)
        e = y - x + v * gamma
        gap_now = e**2 / 2 + (high - low - v @ (y - w)) * gamma
        problem.assume(gap_now <= error)
        return InexactEnd(y, g, high, v, error)
    e, g = problem.point("e"), f.new_gradient()
    y = x - g * gamma + e
    value = f.place(y, g)
    problem.assume(e**2 / 2 <= error)
    return InexactEnd(y, g, value, g, error)


def epsilon_subgradient(f: Function, x: SymbolicPoint) -> tuple[SymbolicPoint, Expression]:
    """A subgradient at some point that is one at x up to a number, and that number."""
    g, y, epsilon = f.new_gradient(), f.problem.point("y"), f.problem.number("epsilon")
    here = f(x)
    there = f.place(y, g)
    f.problem.assume(here + g @ y - there - g @ x <= epsilon)
    return g, epsilon
