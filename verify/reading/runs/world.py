"""A world in which losses are any smooth functions and what a run did is any numbers.

Each client's loss is known where it is looked at, by a slope and a value, symbols of their own
which the conditions of smoothness relate.  Models, server and multipliers after each round are
symbols too: what is proved of any numbers holds of those that the method gives, and what its rule
says of them (`verify.reading.runs.rules`) is added where a proof needs it.  All models are written
by their distance from where the server begins.

On the line alone: each point has one coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy

from bounds import generic as xp
from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import put
from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from verify.claim.instance import Instance
from verify.reading.parts.refusals import Known, NotReadable
from verify.reading.runs.forms import folded
from verify.reading.runs.parts import LOSS, NUMBER, SLOPE, STIFF, name_after
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types

__all__ = ["AnyLosses", "RunWorld"]


@dataclass
class AnyLosses:
    """The losses of all clients as far as they were looked at; stands in for a problem.

    Attributes
    ----------
    axis : Axis
        The clients.
    met : list of sympy expressions
        Points at which a client was looked at, as formulas in its index k.
    """

    axis: Axis
    met: list[Expr] = field(default_factory=list)
    dim: int = 1
    law: str = "none"

    @property
    def clients(self) -> int:
        """Clients that are written out."""
        return self.axis.size

    @property
    def client_smoothness(self) -> Array:
        """(1, 1, N)."""
        return self._each_client(self.stiffness)

    @property
    def smoothness(self) -> Array:
        """The largest over the clients, (1, 1)."""
        return np.asarray(xp.largest(self.client_smoothness))

    def own_losses(self, thetas: Array) -> Array:
        """(..., N, 1) to (..., N)."""
        return self._looked(LOSS, thetas)

    def own_gradients(self, thetas: Array) -> Array:
        """(..., N, 1) to (..., N, 1)."""
        return self._looked(SLOPE, thetas)[..., None]

    def losses(self, theta: Array) -> Array:
        """(..., 1) to (..., N)."""
        return self.own_losses(theta[..., None, :])

    def gradients(self, theta: Array) -> Array:
        """(..., 1) to (..., N, 1)."""
        return self.own_gradients(theta[..., None, :])

    def expand(self, axes: int = 1) -> AnyLosses:
        """Itself: points may have further axes."""
        assert axes >= 0
        return self

    def stiffness(self, index: Expr) -> Expr:
        """The Lipschitz constant of one client's gradient."""
        return sympy.IndexedBase(STIFF, positive=True)[index]

    def at(self, word: str, place: int, index: Expr) -> Expr:
        """Slope or loss of a client at one of the points that were met."""
        return sympy.IndexedBase(f"{word}{place}", real=True)[index]

    def conditions(self, stiff: Expr) -> dict[str, Expr]:
        """What smoothness says of a client between each two points that were met, not negative.

        Parameters
        ----------
        stiff : expression
            A Lipschitz constant of the gradient of client k.
        """
        k, _ = client_symbol()
        found = {}
        for i, one in enumerate(self.met):
            for j, other in enumerate(self.met):
                if i == j:
                    continue
                step = sympy.expand(one - other)
                rise = self.at(LOSS, i, k) - self.at(LOSS, j, k) - self.at(SLOPE, j, k) * step
                found[f"loss {i} below the parabola at {j}"] = stiff * step**2 / 2 - rise
                found[f"loss {i} above the parabola at {j}"] = rise + stiff * step**2 / 2
                if i < j:
                    turn = self.at(SLOPE, i, k) - self.at(SLOPE, j, k)
                    found[f"slopes {i} and {j}"] = stiff**2 * step**2 - turn**2
                    found[f"slopes {i} and {j} fall apart"] = stiff * step**2 - turn * step
                    found[f"slopes {i} and {j} close up"] = stiff * step**2 + turn * step
                    size = stiff * sympy.Abs(step)
                    found[f"slope {i} at most that at {j}"] = size - turn
                    found[f"slope {i} at least that at {j}"] = size + turn
        return found

    def _each_client(self, rule: Callable[[Expr], Expr]) -> Array:
        out = np.empty((1, 1, self.clients), dtype=object)
        for i, mark in enumerate(self.axis.marks):
            out[0, 0, i] = Symbolic(rule(mark))
        return out

    def _looked(self, word: str, thetas: Array) -> Array:
        """A symbol for each client at its point."""
        if thetas.shape[-1] != 1:
            raise NotReadable("points of more than one coordinate")
        lead = np.broadcast_shapes(thetas.shape[:-1], (self.clients,))
        points = np.broadcast_to(thetas[..., 0], lead)
        out = np.empty(lead, dtype=object)
        for index in np.ndindex(*lead):
            mark = self.axis.marks[index[-1]]
            out[index] = Symbolic(self.at(word, self._place(expression(points[index]), mark), mark))
        return out

    def _place(self, point: Expr, mark: Expr) -> int:
        """Number of the point, as the client of this mark has it."""
        k, _ = client_symbol()
        formula = put(point, mark, k)
        if formula.free_symbols & set(self.axis.marks):
            raise NotReadable("a client is looked at where another one stands")
        for number, known in enumerate(self.met):
            if known == formula or sympy.expand(known - formula) == 0:
                return number
        self.met.append(formula)
        return len(self.met) - 1


class RunWorld(World):
    """A symbolic world whose problem is `AnyLosses` and whose runs are free numbers.

    Attributes
    ----------
    ran : bool
        Whether a run was asked for.
    numbers : list of callables
        Quantities that are no formula of what is known here: each is a number, not negative.
    """

    def __init__(
        self,
        instance: Instance,
        losses: AnyLosses,
        begin: Mapping[str, Array],
        traces: Mapping[str, str],
        defines: Mapping[str, Callable[[World], Any]],
        exact: World,
    ) -> None:
        super().__init__(instance, "symbolic", None, defines)
        self._exact = exact
        self.numbers: list[Callable[[World], Any]] = []
        self._cache["problem"] = Known(losses)
        self._axis, self._begin, self._traces = losses.axis, begin, traces
        self.ran = False

    def once(self, rule: Callable[[World], Any]) -> Any:
        """What a rule gives, extremes of what all clients have being formal ones."""
        try:
            found = super().once(rule)
        except NotReadable:
            found = rule(self._exact)
            if not isinstance(found, np.ndarray) or found.shape != (1, 1):
                raise
            if rule not in self.numbers:
                self.numbers.append(rule)
            name = f"{NUMBER}{self.numbers.index(rule)}"
            return self._symbols(name, "", nonnegative=True)
        symbolic = isinstance(found, np.ndarray) and found.dtype == object
        return folded(found, self._axis).view(type(found)) if symbolic else found

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """The instance's own method with every client taking part; any numbers after it."""
        if method not in (None, self.instance.method) or rounds is not None or hyper:
            raise NotReadable("only the instance's own run is read with symbols")
        self.ran = True
        count = int(self.original("rounds"))
        extras = {}
        for name, axes in self._traces.items():
            first = name in self._begin
            path = [self._begin[name]] if first else []
            path += [self._after(name_after(name, t, count), axes) for t in range(1, count + 1)]
            extras[name] = np.stack(path, axis=2)
        return Trajectory(extras["server"], extras)

    def _after(self, name: str, axes: str) -> Array:
        """What a trace holds: models by their distance from where the server begins."""
        made = self._symbols(name, axes)
        if "d" not in axes.split():
            return made
        begin = self._begin["server"]
        return made + (begin if axes == "d" else begin[..., None, :])

    def _symbols(self, name: str, axes: str, **facts: bool) -> Array:
        """One symbol per client and coordinate, with the leading axes of a batch of one."""
        if axes.split()[:1] != ["N"]:
            one: Expr = Symbolic(sympy.Symbol(name, **(facts or {"real": True})))
            entries = [one]
        else:
            base = sympy.IndexedBase(name, real=True)
            entries = [Symbolic(base[mark]) for mark in self._axis.marks]
        out = np.empty((1, 1, len(entries)), dtype=object)
        out[0, 0] = entries
        if axes.split() == ["N", "d"]:
            return out[..., None]
        return out if axes else out[..., 0]
