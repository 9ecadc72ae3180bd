"""What a federation knows about itself: the base class of all problem families.

A problem holds N losses R_1, ..., R_N on R^d together with every constant that the theorems
name: minimisers, smoothness, strong convexity or Polyak-Lojasiewicz constant, the variance
bounds sigma_k^2 and the heterogeneity constants (b_ik, c_ik). The same object works on
float64 arrays, torch tensors and object arrays of exact numbers, with any leading axes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import InvalidInput, checking, require
from synthetic.fields import Field, Power, as_array, is_exact, read_fields, widen


class NotKnown(InvalidInput, NotImplementedError):
    """A problem does not know a constant, or has nothing of the kind."""


class Problem(ABC):
    """A federation of N clients in R^d, built from plain arrays.

    Parameters
    ----------
    data : mapping
        Arrays named in `fields` (any leading axes, then the axes each field names) and the
        python-valued `options`.

    Attributes
    ----------
    data : dict
        The arrays, all of one number kind, and the options that were given.
    clients, dim : int
        N and d.
    leading : tuple of int
        Broadcast shape of the leading axes of all fields.

    Notes
    -----
    Points are ``(..., d)``, one point per client ``(..., N, d)``, values ``(..., N)``.
    Methods prefixed with ``own_`` take one point per client, the others the same point for
    all. A family only writes the ``own_`` forms: a single point is one with a client axis of
    length 1.
    """

    name: ClassVar[str]
    fields: ClassVar[dict[str, Field]] = {}
    options: ClassVar[dict[str, Any]] = {}
    units: ClassVar[dict[str, tuple[Power, Power]]] = {}
    affine: ClassVar[bool] = False
    bounded_variance: ClassVar[bool] = True
    """Whether A2 holds over all of R^d with `noise_variance`."""

    # trailing axes of each cached constant, so that `expand` can carry what is computed
    constant_ranks: ClassVar[dict[str, int]] = {
        "optimum": 2,
        "optimal_value": 1,
        "client_smoothness": 1,
        "client_strong_convexity": 1,
        "client_pl_constant": 1,
        "smoothness": 0,
        "strong_convexity": 0,
        "pl_constant": 0,
        "noise_variance": 1,
    }

    data: dict[str, Any]
    clients: int
    dim: int
    leading: tuple[int, ...]

    def __init_subclass__(cls) -> None:
        for table in ("fields", "options", "constant_ranks"):
            merged: dict[str, Any] = {}
            for base in reversed(cls.__mro__):
                merged.update(base.__dict__.get(table, {}))
            setattr(cls, table, merged)
        cls.units = {name: field.unit for name, field in cls.fields.items()}

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data, self.sizes, self.leading = read_fields(data, self.fields, self.options)
        self.clients, self.dim = self.sizes["N"], self.sizes["d"]
        # of floats no check can fail but as a check, and these may be switched off
        if checking() or any(is_exact(x) for x in self.data.values()):
            self.check()

    def check(self) -> None:  # noqa: B027 (a family without conditions has nothing to check)
        """Raise InvalidInput where the data cannot be this family's; called once."""

    def option(self, name: str) -> Any:
        """Return an option's value, or its default."""
        return self.data.get(name, self.options[name])

    # The losses.

    @abstractmethod
    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k): ``(..., N, d)`` to ``(..., N)``."""

    @abstractmethod
    def own_gradients(self, thetas: Array) -> Array:
        """Gradient of R_k at theta_k: ``(..., N, d)`` to ``(..., N, d)``."""

    def own_excess(self, thetas: Array) -> Array:
        """R_k(theta_k) minus its minimum, without cancellation where a closed form exists."""
        return self.own_losses(thetas) - self.optimal_value

    def losses(self, theta: Array) -> Array:
        """Every client's loss at the same point: ``(..., d)`` to ``(..., N)``."""
        return self.own_losses(theta[..., None, :])

    def gradients(self, theta: Array) -> Array:
        """Every client's gradient at the same point: ``(..., d)`` to ``(..., N, d)``."""
        return self.own_gradients(theta[..., None, :])

    def excess(self, theta: Array) -> Array:
        """Every client's excess loss at the same point: ``(..., d)`` to ``(..., N)``."""
        return self.own_excess(theta[..., None, :])

    # The constants. Each family overrides the client-wise ones.

    @cached_property
    def optimum(self) -> Array:
        """Each client's minimiser, ``(..., N, d)``."""
        return self._unknown("optimum")

    @cached_property
    def optimal_value(self) -> Array:
        """Each client's minimum, ``(..., N)``."""
        return self._unknown("optimal_value")

    @cached_property
    def client_smoothness(self) -> Array:
        """beta_k of assumption A1, ``(..., N)``; unit loss / length^2."""
        return self._unknown("client_smoothness")

    @cached_property
    def client_strong_convexity(self) -> Array:
        """The largest mu_k of assumption A4, ``(..., N)``; unit loss / length^2.

        Negative for a non-convex loss: R_k + |mu_k|/2 ||.||^2 is then convex.
        """
        return self._unknown("client_strong_convexity")

    @cached_property
    def client_pl_constant(self) -> Array:
        """mu_k of assumption A5, ``(..., N)``; zero where no positive one exists."""
        return self.client_strong_convexity

    @cached_property
    def smoothness(self) -> Array:
        """beta, the largest over clients, ``(...,)``."""
        return generic.largest(self.client_smoothness)

    @cached_property
    def strong_convexity(self) -> Array:
        """Mu of A4 uniform over clients, ``(...,)``."""
        return generic.smallest(self.client_strong_convexity)

    @cached_property
    def pl_constant(self) -> Array:
        """Mu of A5 uniform over clients, ``(...,)``."""
        return generic.smallest(self.client_pl_constant)

    @cached_property
    def mu(self) -> Array:
        """What statements call mu, ``(...)``: that of A5, unless a family says otherwise."""
        return self.pl_constant

    @abstractmethod
    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """Constants of assumption A3.

        Parameters
        ----------
        s : positive number
            Place on the trade-off curve between the two constants.

        Returns
        -------
        squared_bias, slope : arrays ``(..., N, N)``
            b_ik^2 (unit loss^2 / length^2) and c_ik, indexed [who asks, who helps].
        """

    def heterogeneity_of(self, asking: int, s: Any = 1) -> tuple[Array, Array]:
        """The row of one asking client of `heterogeneity`, ``(..., N)`` each."""
        squared_bias, slope = self.heterogeneity(s)
        return squared_bias[..., asking, :], slope[..., asking, :]

    # The noise.

    @property
    @abstractmethod
    def law(self) -> str:
        """Name of the law of the standardised draws."""

    @property
    @abstractmethod
    def noise_width(self) -> int:
        """Number of standardised words per stochastic gradient."""

    def sample_numbers(self, every: bool) -> int:
        """Numbers that one gradient looks at: those of a batch, or of every sample there is.

        None for losses with a closed form.
        """
        return 0

    @cached_property
    def noise_variance(self) -> Array:
        """sigma_k^2 of assumption A2 as claimed by the problem, ``(..., N)``."""
        return self._unknown("noise_variance")

    @abstractmethod
    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """g_k(theta_k) from draws ``(..., N, w)``: ``(..., N, d)``."""

    def stochastic_gradients(self, theta: Array, u: Array) -> Array:
        """g_k(theta) at the same point from draws ``(..., N, w)``: ``(..., N, d)``."""
        return self.own_stochastic_gradients(theta[..., None, :], u)

    @abstractmethod
    def own_gradient_variance(self, thetas: Array) -> Array:
        """Return the exact variance E||g_k - E g_k||^2 at theta_k, ``(..., N)``."""

    def gradient_variance(self, theta: Array) -> Array:
        """Return the exact variance of every client's stochastic gradient at one point."""
        return self.own_gradient_variance(theta[..., None, :])

    def noise_support(self) -> tuple[Array, Array]:
        """Values and probabilities ``(..., N, S)`` of one word, for finite laws only."""
        require(
            False,
            "law",
            "finitely supported to be enumerated",
            self.law,
            "use a two_point, finite or samples law, or simulate",
        )
        raise AssertionError

    # Other views of the same federation.

    def expand(self, n: int = 1) -> Self:
        """Insert n axes after the leading ones of every field, for points with more axes.

        Constants that are already computed are carried over, not computed again.
        """
        data = {
            name: widen(x, self.fields[name].rank, n) if name in self.fields else x
            for name, x in self.data.items()
        }
        other = self._like(data, self.leading + (1,) * n)
        for name, rank in self.constant_ranks.items():
            if name in self.__dict__:
                other.__dict__[name] = widen(self.__dict__[name], rank, n)
        return other

    def map(self, function: Callable[[Array], Array]) -> Self:
        """Apply `function` to every array: a change of number kind, device or leading index.

        The data have been checked; what keeps their trailing axes and values needs no second look.
        """
        data, leading = dict(self.data), []
        for name, field in self.fields.items():
            if name in data:
                data[name] = as_array(name, function(data[name]))
                leading.append(tuple(data[name].shape)[: data[name].ndim - field.rank])
        return self._like(data, np.broadcast_shapes(*leading))

    def select(self, clients: Sequence[int]) -> Self:
        """Return the federation of these clients alone, in this order."""
        chosen = list(clients)
        valid = bool(chosen) and all(0 <= k < self.clients for k in chosen)
        remedy = "count clients from 0"
        require(valid, "clients", f"indices in [0, {self.clients})", chosen, remedy)
        data = dict(self.data)
        for name, field in self.fields.items():
            if name in data and "N" in field.names:
                after = field.rank - 1 - field.names.index("N")
                data[name] = data[name][(..., chosen, *(slice(None),) * after)]
        other = self._like(data, self.leading)
        other.sizes, other.clients = {**self.sizes, "N": len(chosen)}, len(chosen)
        if checking():
            other.check()
        return other

    def of_each(self, clients: Any) -> Self:
        """The federation of K clients for each of F askers, on an axis of F before that of clients.

        Parameters
        ----------
        clients : int tensor, (F, K)
        """
        wide, flat = self.expand(1), clients.flatten()
        data = dict(wide.data)
        for name, field in self.fields.items():
            axes = field.axes.split()
            if name in data and "N" in axes:
                axis = axes.index("N") - len(axes)
                some = self.data[name].index_select(axis, flat)
                data[name] = some.unflatten(axis, tuple(clients.shape))
        return type(self)(data)

    def __repr__(self) -> str:
        leading = f", leading={self.leading}" if self.leading else ""
        return f"{type(self).__name__}(clients={self.clients}, dim={self.dim}{leading})"

    def _unknown(self, constant: str) -> Array:
        """Refuse to make up a constant, also where checks are off."""
        raise NotKnown(
            f"problem must be one that knows its {constant}, got {self.name!r}: use a family"
        )

    def _like(self, data: dict[str, Any], leading: tuple[int, ...]) -> Self:
        other = object.__new__(type(self))
        other.data, other.leading = data, leading
        other.sizes, other.clients, other.dim = self.sizes, self.clients, self.dim
        return other
