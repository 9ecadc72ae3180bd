"""A world in which the loss is any function of a class: known by what a method meets, as symbols.

At each point that is looked at the loss gives a gradient and a value, symbols of their own; which
numbers they may be is said by the interpolation conditions of the class.  Vectors are read by one
coordinate, see `verify.reading.clients.agreement`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import sympy

from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from verify.claim.instance import Instance
from verify.reading.parts.refusals import Known, NotReadable
from verify.reading.parts.symbols import same
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
COUNT = client_symbol()[1]
"""How many clients there are, where that is left open."""
POOLED = sympy.Symbol("q", positive=True)
"""Bound on the variance of an average of independent noises: the clients' mean bound over N."""
START = sympy.Symbol("start", real=True)
END = sympy.Symbol("end", real=True)
"""Where a run of a symbolic number of rounds ends: no claim may speak of it."""

__all__ = [
    "COUNT",
    "END",
    "PL",
    "POOLED",
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

    Of several clients it is the average loss, which is of the class again where that is one of
    smooth or smooth convex losses: the axis of the clients has length one, and a mean over them is
    what stands there.  A formula that asks for more of them (the square of each, the first one)
    is read wrongly, which the comparison with exact runs of several sizes notices.  The average has
    no minimiser that can be named, and a minimum of at least 0; of its noise see
    `verify.reading.classes.means`.

    Attributes
    ----------
    upper, lower, pl : sympy expressions
        Largest and smallest curvature, and the PL constant.
    noisy : bool
        Whether a gradient comes with noise of mean zero, of a variance of at most sigma^2.
    count : sympy expression, optional
        Number of the clients whose average it is; None for one client's own loss.
    met : list of Met
        The minimiser first: gradient and value there are 0.
    """

    upper: Expr
    lower: Expr
    pl: Expr
    noisy: bool = False
    count: Expr | None = None
    met: list[Met] = field(
        default_factory=lambda: [
            Met(sympy.Symbol("opt", real=True), sympy.Integer(0), sympy.Integer(0))
        ]
    )
    dim: int = 1
    law: str = "none"
    axes: int = 0

    def at(self, x: Expr) -> Met:
        """What the loss says at a point, which is a new one unless it equals one that was met."""
        for known in self.met:
            if same(known.x, x):
                return known
        number = len(self.met) - 1
        g, f = (sympy.Symbol(f"{letter}_{number}", real=True) for letter in "gf")
        self.met.append(Met(x, g, f))
        return self.met[-1]

    @property
    def clients(self) -> Any:
        """How many there are."""
        return 1 if self.count is None else Symbolic(self.count)

    @property
    def stated_variance(self) -> Expr:
        """What is said of the variance of a client's noise, on average over the clients.

        Written as N times the bound on the average noise, so that N falls out of it over N.
        """
        return SIGMA**2 if self.count is None else self.count * POOLED

    @property
    def largest_variance(self) -> Expr:
        """Bound on the variance of what is added to a gradient."""
        return SIGMA**2 if self.count is None else POOLED

    @property
    def random(self) -> set[Expr]:
        """Symbols of values, and of vectors but for the noise."""
        return {s for one in self.met for s in self.told(one)} | {START, END, self.met[0].x}

    def told(self, one: Met) -> list[Expr]:
        """Symbols of what is said at a point: values first, then vectors."""
        return [s for s in (one.f, one.g) if s.is_Symbol]

    def lowered(self, e: Expr) -> Expr:
        """A formula of a program in the symbols of the claims: as it stands."""
        return e

    def views(self, named: set[Expr]) -> Iterator[tuple[str, list[Met], Any]]:
        """The losses that the class speaks of, with their points and what to do with a formula."""
        assert named is not None
        yield "", self.met, lambda e: e

    @property
    def deviations(self) -> Array:
        """The stated bound on the noise of each client, (1, N = 1)."""
        return array_of(sympy.sqrt(self.stated_variance), 2)

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
        if self.count is not None:
            raise NotReadable("the minimiser of an average loss, or those of several clients")
        return array_of(self.met[0].x, 4)

    @property
    def noise_variance(self) -> Array:
        """The stated bound, (1, 1, N = 1)."""
        if not self.noisy:
            raise NotReadable("the variance of a noise that nobody has stated")
        return array_of(self.stated_variance, 3)

    @property
    def weights(self) -> Array | None:
        """Weights of the clients, where a program may speak of them."""
        return None

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

    @property
    def mu(self) -> Array:
        """The same."""
        return self.pl_constant


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
        self._weights = loss.weights
        if self._weights is not None:
            self._cache["client_weights"] = self._weights

    def mean(self, x: Array) -> Array:
        """As it stands: `verify.reading.classes.means` reads every side as a mean."""
        return np.asarray(x)

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """Gradient descent on the own loss, or FedAvg with one local step on the average one."""
        known = "local" if self._loss.count is None else "fedavg"
        if (method or self.instance.method) != known or hyper or self._varied():
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
        return self._path(theta)

    def _varied(self) -> bool:
        """Whether more local steps than one, weights or participation are given."""
        more = self.given("local_steps") and self.original("local_steps") != 1
        weights = self.given("client_weights") and self._weights is None
        return more or weights or self.given("participation")

    def _path(self, theta: list[Array]) -> Trajectory:
        """The run through these points; every client of an average loss has the server's."""
        points = np.stack(theta, axis=2)
        return Trajectory(points, {} if self._loss.count is None else {"server": points})

    def _some_run(self) -> Trajectory:
        """A run of a symbolic number of rounds: it begins where it does, and ends somewhere."""
        return self._path([self.original("start"), array_of(END, 3)])


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
