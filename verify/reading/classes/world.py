"""A world in which the loss is any function of a class: known by what a method meets, as symbols.

At each point that is looked at the loss gives a gradient and a value, symbols of their own; which
numbers they may be is said by the interpolation conditions of the class.  Vectors are read by one
coordinate, see `verify.reading.clients.agreement`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import sympy

from bounds.numbers.symbolic import Symbolic, expression
from verify.claim.instance import Instance
from verify.reading.parts.refusals import Known, NotReadable
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types

UPPER = sympy.Symbol("L", positive=True)
SHARE = sympy.Symbol("kappa", positive=True)
"""Smallest curvature over the largest, in (0, 1)."""
PL = sympy.Symbol("mu", positive=True)
SIGMA = sympy.Symbol("sigma", positive=True)
"""Bound on the standard deviation of the noise."""
START = sympy.Symbol("start", real=True)
END = sympy.Symbol("end", real=True)
"""Where a run of a symbolic number of rounds ends: no claim may speak of it."""

__all__ = [
    "END",
    "PL",
    "SHARE",
    "SIGMA",
    "START",
    "UPPER",
    "ClassWorld",
    "Met",
    "MetLoss",
    "array_of",
    "noise",
]


@dataclass(frozen=True)
class Met:
    """One coordinate of a point and of the gradient there, and the value."""

    x: Expr
    g: Expr
    f: Expr


@dataclass
class MetLoss:
    """The loss of the one client, as far as it was looked at; stands in for a problem.

    Attributes
    ----------
    upper, lower, pl : sympy expressions
        Largest and smallest curvature, and the PL constant.
    noisy : bool
        Whether a gradient comes with noise of mean zero, of a variance of at most sigma^2.
    met : list of Met
        The minimiser first: gradient and value there are 0.
    """

    upper: Expr
    lower: Expr
    pl: Expr
    noisy: bool = False
    met: list[Met] = field(
        default_factory=lambda: [
            Met(sympy.Symbol("opt", real=True), sympy.Integer(0), sympy.Integer(0))
        ]
    )
    clients: int = 1
    dim: int = 1
    law: str = "none"
    axes: int = 0

    def at(self, x: Expr) -> Met:
        """What the loss says at a point, which is a new one unless it equals one that was met."""
        for known in self.met:
            if sympy.cancel(known.x - x) == 0:
                return known
        number = len(self.met) - 1
        g, f = (sympy.Symbol(f"{letter}_{number}", real=True) for letter in "gf")
        self.met.append(Met(x, g, f))
        return self.met[-1]

    @property
    def random(self) -> set[Expr]:
        """Symbols of values, and of vectors but for the noise."""
        told = {s for one in self.met for s in (one.g, one.f) if s.is_Symbol}
        return told | {START, END, self.met[0].x}

    def gradients(self, theta: Array) -> Array:
        """(..., 1) to (..., N = 1, 1)."""
        return _each(lambda x: self.at(x).g, theta)[..., None, :]

    def losses(self, theta: Array) -> Array:
        """(..., 1) to (..., N = 1)."""
        return _each(lambda x: self.at(x).f, theta)

    def excess(self, theta: Array) -> Array:
        """The minimum is 0."""
        return self.losses(theta)

    def expand(self, axes: int = 1) -> MetLoss:
        """Itself: points may have further axes."""
        assert axes >= 0
        return self

    @property
    def optimum(self) -> Array:
        """(1, 1, N = 1, d = 1)."""
        return array_of(self.met[0].x, 4)

    @property
    def noise_variance(self) -> Array:
        """The stated bound, (1, 1, N = 1)."""
        if not self.noisy:
            raise NotReadable("the variance of a noise that nobody has stated")
        return array_of(SIGMA**2, 3)

    def gradient(self, x: Expr, number: int) -> Expr:
        """What a method is told at a point, in the round of this number."""
        return self.at(x).g + (noise(number) if self.noisy else 0)

    @property
    def smoothness(self) -> Array:
        """The larger of L and -m."""
        return array_of(self.upper, 2)

    @property
    def pl_constant(self) -> Array:
        """m of strongly convex losses, 0 of convex and smooth ones."""
        return array_of(self.pl, 2)


class ClassWorld(World):
    """A symbolic world whose problem is a `MetLoss`; gradient descent is the one method.

    Parameters
    ----------
    instance : Instance
    loss : MetLoss
    defines : mapping
        What the statement defines.
    first : int
        Number of the first round: of its noise.
    """

    def __init__(
        self,
        instance: Instance,
        loss: MetLoss,
        defines: Mapping[str, Callable[[World], Any]],
        first: int = 0,
    ) -> None:
        super().__init__(instance, "symbolic", None, defines)
        self._cache["problem"] = Known(loss)
        self._loss, self._first = loss, first

    def mean(self, x: Array) -> Array:
        """As it stands: `verify.reading.classes.means` reads every side as a mean."""
        return np.asarray(x)

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """Gradient descent on the own loss, with the step sizes of this world."""
        if (method or self.instance.method) != "local" or hyper:
            raise NotReadable("only gradient descent has a symbolic run over a class")
        asked = self.original("rounds") if rounds is None else rounds
        if isinstance(asked, Symbolic):
            return self._some_run()
        count = int(asked)
        sizes = self.original("step_sizes") if self.given("step_sizes") else None
        theta = [self.original("start")]
        for t in range(count):
            step = self.original("step_size") if sizes is None else sizes[..., t]
            told = _each(partial(self._loss.gradient, number=self._first + t), theta[-1])
            theta.append(theta[-1] - step[..., None] * told)
        return Trajectory(np.stack(theta, axis=2), {})

    def _some_run(self) -> Trajectory:
        """A run of a symbolic number of rounds: it begins where it does, and ends somewhere."""
        return Trajectory(np.stack([self.original("start"), array_of(END, 3)], axis=2), {})


def noise(number: int) -> Expr:
    """One coordinate of the noise of a round."""
    return sympy.Symbol(f"xi_{number}", real=True)


def array_of(value: Expr, axes: int) -> Array:
    """One symbolic number with so many axes of length one."""
    out = np.empty((1,) * axes, dtype=object)
    out[...] = Symbolic(value)
    return out


def _each(rule: Callable[[Expr], Expr], theta: Array) -> Array:
    out = np.empty(theta.shape, dtype=object)
    for index in np.ndindex(*theta.shape):
        out[index] = Symbolic(rule(expression(theta[index])))
    return out
