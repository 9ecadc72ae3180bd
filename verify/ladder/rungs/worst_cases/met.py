"""Losses of which nothing is known but their class and what a method meets of them.

They stand in for the problem of an instance: gradients and values at a point are unknown vectors
and numbers (`verify.worst_case.forms`), for which the conditions of the class hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from bounds.numbers.shapes import Array
from synthetic.problem import Problem
from synthetic.profiles.operators import Operator
from verify.worst_case.forms import AXES, NotQuadratic, point_of, value_form, vector_forms
from verify.worst_case.function import Function
from verify.worst_case.points import SymbolicPoint

__all__ = ["MetLosses", "objects"]


class MetLosses(Problem):
    """One function of a class for each client; each has the minimum 0 at its minimiser.

    Parameters
    ----------
    functions : sequence of Function
        Of one worst-case problem, one for each client.
    minimisers : sequence of SymbolicPoint
    constants : mapping of str to numbers
        ``client_smoothness`` and the like, one number for each client.
    leading : int
        Axes of length one before that of the clients.
    """

    name: ClassVar[str] = "met losses"

    def __init__(
        self,
        functions: Sequence[Function],
        minimisers: Sequence[SymbolicPoint],
        constants: Mapping[str, Sequence[Any]],
        leading: int = 2,
    ) -> None:
        self.functions, self.minimisers = tuple(functions), tuple(minimisers)
        self.constants, self.axes = constants, leading
        self.clients, self.dim, self.leading = len(self.functions), AXES, (1,) * leading
        self.data = {}

    # losses

    def own_losses(self, thetas: Array) -> Array:
        """Values at points, ``(..., N, d)`` to ``(..., N)``."""
        return self._each(lambda f, x: [value_form(f(x))], thetas)[..., 0]

    def own_gradients(self, thetas: Array) -> Array:
        """(Sub)gradients at points."""
        return self._each(lambda f, x: vector_forms(f.oracle(x).g), thetas)

    def own_excess(self, thetas: Array) -> Array:
        """The minimum is 0."""
        return self.own_losses(thetas)

    def _each(self, rule: Callable[[Function, SymbolicPoint], list[Any]], thetas: Array) -> Array:
        """What each client's function says at points, ``(..., N or 1, d)``."""
        points = np.asarray(thetas, dtype=object)
        leading, alike = points.shape[:-2], points.shape[-2] == 1
        rows = [
            rule(f, point_of(list(points[(*at, 0 if alike else k)])))
            for at in np.ndindex(*leading)
            for k, f in enumerate(self.functions)
        ]
        out = objects(rows)
        return out.reshape((*leading, self.clients, out.shape[-1]))

    # constants

    @cached_property
    def optimum(self) -> Array:
        """Each client's minimiser."""
        table = objects([vector_forms(x) for x in self.minimisers])
        return table.reshape(self.leading + table.shape)

    @cached_property
    def optimal_value(self) -> Array:
        """Zero."""
        return self._constant([0] * self.clients)

    @cached_property
    def client_smoothness(self) -> Array:
        """Of classes that have it."""
        return self._constant(self._known("client_smoothness"))

    @cached_property
    def client_strong_convexity(self) -> Array:
        """Of classes that have it; negative of losses that need not be convex."""
        return self._constant(self._known("client_strong_convexity"))

    @cached_property
    def client_pl_constant(self) -> Array:
        """Of classes that have it."""
        return self._constant(self._known("client_pl_constant"))

    @cached_property
    def noise_variance(self) -> Array:
        """There is no noise."""
        return self._constant([0] * self.clients)

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """Nothing is known of it."""
        raise NotQuadratic("how unlike the losses are has no worst case here")

    # noise

    @property
    def law(self) -> str:
        """There is none."""
        return "none"

    @property
    def noise_width(self) -> int:
        """Words of a draw."""
        return 1

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """The gradients themselves."""
        return self.own_gradients(thetas)

    def own_gradient_variance(self, thetas: Array) -> Array:
        """There is none."""
        raise NotQuadratic("the variance of noise that there is not")

    # other views

    def expand(self, n: int = 1) -> Self:
        """With further axes before that of the clients."""
        return type(self)(self.functions, self.minimisers, self.constants, self.axes + n)

    def map(self, function: Callable[[Array], Array]) -> Self:
        """With as many axes as are left by a change of the leading ones."""
        left = np.ndim(function(self.optimum)) - 2
        return type(self)(self.functions, self.minimisers, self.constants, left)

    def select(self, clients: Sequence[int]) -> Self:
        """Some of the clients."""
        return type(self)(
            [self.functions[k] for k in clients],
            [self.minimisers[k] for k in clients],
            {name: [row[k] for k in clients] for name, row in self.constants.items()},
            self.axes,
        )

    def _known(self, name: str) -> Sequence[Any]:
        if name not in self.constants:
            raise NotQuadratic(f"the class has no {name}")
        return self.constants[name]

    def _constant(self, row: Sequence[Any]) -> Array:
        table = objects(list(row))
        return table.reshape(self.leading + table.shape)


class MetOperators(MetLosses, Operator):
    """One operator of a class for each client, met where a method asks for gradients."""

    name: ClassVar[str] = "met operators"

    def own_losses(self, thetas: Array) -> Array:
        """There are none."""
        raise NotQuadratic("operators have no losses")

    def _apply(self, y: Array) -> Array:
        raise NotQuadratic("an operator that is not told")


def objects(rows: Any) -> Array:
    """Nested lists of numbers or forms as an array of objects."""
    lengths: list[int] = []
    inner = rows
    while isinstance(inner, list):
        lengths.append(len(inner))
        inner = inner[0] if inner else None
    out = np.empty(lengths, dtype=object)
    for at in np.ndindex(*lengths):
        item = rows
        for k in at:
            item = item[k]
        out[at] = item
    return out
