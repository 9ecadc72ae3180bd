r"""A world whose losses are known by what a program asks of them at the places of a run.

The places of the followed client, :math:`\theta^0, \dots, \theta^T`, are symbols.  At place t its
own excess loss is ``value{t}``, its squared gradient ``own{t}``, and the squared gap of client k to
it ``gap{t}[k]``: nothing else may be asked there, so that a claim holds in every dimension.  The
constants of the assumptions are symbols too, one of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.symbolic import Symbolic, expression
from verify.claim.instance import Instance
from verify.reading.federations.places import (
    BETA,
    BIAS,
    MU,
    SLOPE,
    STEP,
    VARIANCE,
    step_at,
    value_at,
)
from verify.reading.parts.refusals import Known, NotReadable
from verify.reading.parts.symbols import Listed, row_of
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types

__all__ = ["AnyFederation", "FederationWorld"]


class AnyFederation:
    """Losses of any number of clients, as far as the assumptions say something of them.

    Parameters
    ----------
    axis : Axis
        The clients that are written out.
    """

    def __init__(self, axis: Axis) -> None:
        self._axis = axis
        self._constants: Expr | None = None

    @property
    def smoothness(self) -> Array:
        """beta of all losses, (1, 1)."""
        return _filled((1, 1), BETA)

    @property
    def mu(self) -> Array:
        """The Polyak-Lojasiewicz constant, (1, 1)."""
        return _filled((1, 1), MU)

    @property
    def noise_variance(self) -> Array:
        """The stated bound on each client's variance, (1, 1, N)."""
        return self._row(VARIANCE)

    @property
    def optimum(self) -> Array:
        """(1, 1, N, 1); no claim may speak of it."""
        return self._row(sympy.IndexedBase("optimum", real=True))[..., None]

    def heterogeneity_of(self, client: int, place: Any = None) -> tuple[Array, Array]:
        """b^2 and c of the similarity to the followed client, (1, 1, N); zero of itself."""
        if client != 0:
            raise NotReadable("similarity to another client than the followed one")
        at = sympy.Integer(1) if place is None else expression(np.asarray(place).item())
        if self._constants not in (None, at):
            raise NotReadable("constants of similarity at two places of their trade-off")
        self._constants = at
        pair = self._row(BIAS), self._row(SLOPE)
        for one in pair:
            one[..., 0] = Symbolic(sympy.Integer(0))
        return pair

    def gradients(self, theta: Array) -> Array:
        """(..., 1) to (..., N, 1)."""
        out = np.empty((*theta.shape[:-1], self._axis.size, 1), dtype=object)
        for index in np.ndindex(*theta.shape[:-1]):
            base = sympy.IndexedBase(f"gradient{_number(theta[index][0])}", real=True)
            out[index] = self._row(base)[0, 0][:, None]
        return out.view(Listed)

    def expand(self, axes: int = 1) -> AnyFederation:
        """Itself: points may have further axes."""
        assert axes >= 0
        return self

    def select(self, clients: list[int]) -> Known:
        """The followed client alone."""
        if list(clients) != [0]:
            raise NotReadable("other clients than the followed one by themselves")
        return Known(FollowedLoss())

    def excess(self, theta: Array) -> Array:
        """(..., 1) to (..., N): the followed client's, and what no claim may speak of."""
        own = FollowedLoss().excess(theta)
        others = np.empty((*own.shape[:-1], self._axis.size), dtype=object)
        others[...] = Symbolic(sympy.Symbol("of_another_client", real=True))
        others[..., :1] = own
        return others

    def _row(self, base: Expr) -> Array:
        return row_of(base, self._axis)[None, None]


class FollowedLoss:
    """The loss of the followed client."""

    def excess(self, theta: Array) -> Array:
        """(..., 1) to (..., 1)."""
        out = np.empty(theta.shape, dtype=object)
        for index in np.ndindex(*theta.shape):
            out[index] = Symbolic(value_at(_number(theta[index])))
        return out.view(Listed)


class FederationWorld(World):
    """A symbolic world of a run of so many rounds.

    Parameters
    ----------
    instance : Instance
        Of the method, with symbols for its parameters.
    axis : Axis
    defines : mapping
        What the statement defines; steps are symbols of their own.
    """

    def __init__(
        self, instance: Instance, axis: Axis, defines: Mapping[str, Callable[[World], Any]]
    ) -> None:
        super().__init__(instance, "symbolic", None, defines)
        if "step_sizes" in defines:
            steps = [_filled((1, 1, 1), step_at(t)) for t in range(int(instance.params["rounds"]))]
            self._cache["step_sizes"] = np.concatenate(steps, axis=2).view(Listed)
        else:
            self._cache["step_size"] = _filled((1, 1), STEP)
        self._cache["problem"] = Known(AnyFederation(axis))
        self._cache["start"] = _filled((1, 1, 1), _point(0))

    def replace_problem(self, problem: Any) -> None:
        """Put other losses in place of those that are known by squares alone."""
        self._cache["problem"] = problem

    def mean(self, x: Array) -> Array:
        """Of a mean inside a side nothing is known; both sides are read as means as they stand."""
        raise NotReadable("a mean inside a side, or inside a hypothesis")

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """The one run, of which its places are known and nothing else."""
        if method is not None or rounds is not None or hyper:
            raise NotReadable("another run than that of the instance")
        count = int(self.instance.params["rounds"])
        theta = np.concatenate([_filled((1, 1, 1, 1), _point(t)) for t in range(count + 1)], axis=2)
        return Trajectory(theta, _Unknown())


class _Unknown(dict[str, Array]):
    """What a run records beside its places."""

    def __contains__(self, name: object) -> bool:
        raise NotReadable(f"what a run records as {name}")

    def __getitem__(self, name: str) -> Array:
        raise NotReadable(f"what a run records as {name}")


def _point(t: int) -> Expr:
    return sympy.Symbol(f"point{t}", real=True)


def _number(point: Any) -> int:
    """The number of a place.

    Raises
    ------
    NotReadable
        Where it is none of the run's.
    """
    name = str(expression(point))
    if not (name.startswith("point") and name.removeprefix("point").isdigit()):
        raise NotReadable(f"a loss at {name}, which is no place of the run")
    return int(name.removeprefix("point"))


def _filled(shape: tuple[int, ...], value: Expr) -> Array:
    out = np.empty(shape, dtype=object)
    out[...] = Symbolic(value)
    return out.view(Listed)
