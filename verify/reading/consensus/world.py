"""A world whose runs of FedBC are known by what a program asks of them in each round.

Models, multipliers and the server's models are symbols, and so are the clients' gradients at their
own models; of the losses nothing else may be asked.  What a program evaluates once over a set of
points, with no form in symbols, is one number: that it bounds how unlike gradients are is found by
looking at it in exact runs (`verify.reading.consensus.agreement`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.symbolic import Symbolic, expression
from verify.claim.instance import Instance
from verify.reading.consensus.names import BOUND, STIFF, TOP, NamedRound
from verify.reading.parts.refusals import Known, NotReadable
from verify.reading.parts.symbols import Listed
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types

__all__ = ["RunsWorld"]


class OwnLosses:
    """The losses of all clients, of which gradients at the own models are known.

    Parameters
    ----------
    axis : Axis
    """

    def __init__(self, axis: Axis) -> None:
        self._axis = axis

    @property
    def clients(self) -> int:
        """Clients that are written out."""
        return self._axis.size

    @property
    def client_smoothness(self) -> Array:
        """Lipschitz constants, (1, 1, N)."""
        return filled([STIFF[mark] for mark in self._axis.marks])

    @property
    def smoothness(self) -> Array:
        """The largest of them, (1, 1)."""
        return filled([TOP])[..., 0]

    def own_gradients(self, thetas: Array) -> Array:
        """(..., N, 1) to (..., N, 1)."""
        points = np.asarray(thetas)[..., 0]
        out = np.empty(points.shape, dtype=object)
        for index in np.ndindex(*points.shape):
            point, mark = expression(points[index]), self._axis.marks[index[-1] % self._axis.size]
            name = str(point.base) if isinstance(point, sympy.Indexed) else ""
            if not name.startswith("model") or point.indices != (mark,):
                raise NotReadable("a gradient at another place than the own model")
            out[index] = Symbolic(sympy.IndexedBase(f"slope{name[5:]}", real=True)[mark])
        return out[..., None].view(Listed)


class RunsWorld(World):
    """A symbolic world of runs of so many rounds.

    Parameters
    ----------
    instance : Instance
        Of the method, with symbols for its parameters.
    axis : Axis
    defines : mapping
        What the statement defines.
    exact : World
        Of some instance in numbers, in which a quantity is looked at that has no form in symbols.
    bounds : sequence of callables
        Quantities that are known to have none.

    Attributes
    ----------
    places : list of NamedRound
        Rounds of the runs that were made.
    bounds : list of callable
        Quantities that have become numbers of their own.
    """

    def __init__(
        self,
        instance: Instance,
        axis: Axis,
        defines: Mapping[str, Callable[[World], Any]],
        exact: World,
        bounds: Sequence[Callable[[World], Any]] = (),
    ) -> None:
        super().__init__(instance, "symbolic", None, defines)
        self._cache["problem"] = Known(OwnLosses(axis))
        self._axis, self._exact = axis, exact
        self._count = 0
        self.places: list[NamedRound] = []
        self.bounds: list[Callable[[World], Any]] = list(bounds)

    def once(self, rule: Callable[[World], Any]) -> Any:
        """What a rule gives, or a number of its own where that is one number without a form."""
        if rule in self.bounds:
            return filled([BOUND])[..., 0]
        try:
            return super().once(rule)
        except NotReadable:
            found = rule(self._exact)
            if not isinstance(found, np.ndarray) or found.shape != (1, 1):
                raise
            self.bounds.append(rule)
            return filled([BOUND])[..., 0]

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """A run of the method along one sequence of sampled sets."""
        masks = hyper.pop("participation", None)
        if method is not None or rounds is not None or hyper:
            raise NotReadable("another run than that of the instance")
        if not self.instance.params.get("virtual"):
            raise NotReadable("clients that wait")
        if masks is not None and np.shape(masks)[1] != 1:
            raise NotReadable("several runs at a time")
        count = int(self.instance.params["rounds"])
        places = [NamedRound(self._count, t) for t in range(count)]
        self._count += 1
        self.places += places
        marks, first = self._axis.marks, places[0]
        server = [filled([first.symbol("server")])]
        server += [filled([p.symbol("server_after")]) for p in places]
        then = [first, *(NamedRound(p.run, p.round + 1) for p in places)]
        multipliers = [filled([p.base("multiplier")[m] for m in marks]) for p in then]
        models = [filled([p.base("model")[m] for m in marks])[..., None] for p in places]
        path = np.stack(server, axis=2)
        extras = {
            "server": path,
            "multipliers": np.stack(multipliers, axis=2),
            "local_models": np.stack(models, axis=2),
        }
        return Trajectory(path, {n: v.view(Listed) for n, v in extras.items()})


def filled(values: list[Expr]) -> Array:
    """Symbols with the leading axes of a world."""
    out = np.empty((1, 1, len(values)), dtype=object)
    out[0, 0] = [Symbolic(value) for value in values]
    return out.view(Listed)
