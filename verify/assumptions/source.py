"""What an assumption is checked on: a problem, callables, or arrays of what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, finite, require
from synthetic.problem import Problem
from synthetic.quadratic import QuadraticLoss
from verify.limits.foreign import CodeFailed, code_of_others

__all__ = ["BoxedLosses", "from_arrays", "from_functions", "from_problem", "source_of"]

Array = np.ndarray[Any, Any]
Points = Callable[[Array], Array]

EPS = float(np.finfo(float).eps)

REACH = 4.0
"""Half the width of the default region around the clients' minimisers."""


@dataclass(frozen=True)
class BoxedLosses:
    """N losses on a box of R^d.

    Parameters
    ----------
    clients, dim : int
    gradients : callable
        Points (K, d) to gradients (K, N, d).
    values : callable or None
        Points (K, d) to losses (K, N).
    minima : array or None
        Each client's minimum, (N,), where it is known.
    optima : array or None
        Each client's minimiser, (N, d), where it is known.
    outcomes : callable or None
        Points (K, d) to stochastic gradients (S, K, N, d) and weights (S, N) of every outcome.
    variance : callable or None
        Points (K, d) to the exact variance of the stochastic gradients, (K, N).
    low, high : arrays (d,)
        The region.
    points : array or None
        The only points (K, d) at which anything is known.
    problem : Problem or None
        Where it comes from, if constants are closed forms.
    precision : float
        Relative spacing of the numbers that gradients come in.
    """

    clients: int
    dim: int
    gradients: Points
    values: Points | None
    minima: Array | None
    optima: Array | None
    low: Array
    high: Array
    outcomes: Callable[[Array], tuple[Array, Array]] | None = None
    variance: Points | None = None
    points: Array | None = None
    problem: Problem | None = field(default=None, repr=False)
    precision: float = EPS

    @property
    def quadratic(self) -> QuadraticLoss | None:
        """The problem, where it is quadratic: everything but the noise is then exact."""
        return self.problem if isinstance(self.problem, QuadraticLoss) else None

    @cached_property
    def where(self) -> str:
        """The region in words."""
        if self.points is not None:
            return f"at the {len(self.points)} points given"
        box = " x ".join(
            f"[{a:g}, {b:g}]" for a, b in zip(self.low[:3], self.high[:3], strict=True)
        )
        return f"on {box}{' x ...' if self.dim > 3 else ''}"


def source_of(what: Any, **settings: Any) -> BoxedLosses:
    """Source of a problem, of callables, or itself.

    Parameters
    ----------
    what : Source, Problem, callable or sequence of callables
        Callables are the clients' gradients, points (K, d) or one point (d,) to the same shape.
    **settings
        As for :func:`from_problem` or :func:`from_functions`.
    """
    if isinstance(what, BoxedLosses):
        return what
    if isinstance(what, Problem):
        return from_problem(what, **settings)
    if callable(what):
        return from_functions([what], **settings)
    several = isinstance(what, Sequence) and bool(what) and all(map(callable, what))
    require(
        several,
        "source",
        "a problem, gradients as functions, or what from_arrays makes",
        type(what).__name__,
        "pass one of these",
    )
    return from_functions(list(what), **settings)


def from_problem(problem: Problem, *, region: tuple[Any, Any] | None = None) -> BoxedLosses:
    """Source of a problem of :mod:`synthetic`, without leading axes.

    Parameters
    ----------
    problem : Problem
    region : pair of numbers or arrays (d,), optional
        Ends of the box; by default four around the minimisers.
    """
    require(not problem.leading, "problem", "a single one", problem, "index its leading axes")
    optima: Array | None = None
    minima: Array | None = None
    try:
        optima = np.asarray(problem.optimum, float)
        minima = np.asarray(problem.optimal_value, float)
    except NotImplementedError:
        optima = None
    base = np.zeros((1, problem.dim)) if optima is None else optima
    low, high = _box(problem.dim, region, base.min(0) - REACH, base.max(0) + REACH)
    return BoxedLosses(
        problem.clients,
        problem.dim,
        problem.gradients,
        problem.losses,
        minima,
        optima,
        low,
        high,
        _outcomes(problem),
        problem.gradient_variance,
        None,
        problem,
    )


def from_functions(
    gradients: Sequence[Callable[[Array], Any]],
    *,
    region: tuple[Any, Any],
    dim: int | None = None,
    values: Sequence[Callable[[Array], Any]] | None = None,
    minima: Any = None,
    optima: Any = None,
) -> BoxedLosses:
    """Source of one gradient function per client.

    Parameters
    ----------
    gradients : sequence of callables
        Each from one point (d,) to (d,).
    region : pair of numbers or arrays (d,)
        Ends of the box in which the assumption is meant.
    dim : int, optional
        d, where the region does not say it.
    values : sequence of callables, optional
        Each from one point (d,) to the loss.
    minima, optima : arrays (N,) and (N, d), optional

    Raises
    ------
    InvalidInput
        If a function does not give what it should at the middle of the region.
    """
    d = dim or max(np.size(region[0]), np.size(region[1]))
    low, high = _box(d, region, None, None)
    middle, precision = (low + high) / 2, EPS
    for k, function in enumerate(gradients):
        raw = np.asarray(_called(function, middle, f"gradient of client {k}"))
        require(
            raw.dtype.kind in "fiuO",
            f"gradient of client {k}",
            "numbers",
            raw.dtype,
            "return an array of floats",
        )
        if raw.dtype.kind == "f":
            precision = max(precision, float(np.finfo(raw.dtype).eps))
        found = raw.astype(float)
        require(
            found.shape == (d,),
            f"gradient of client {k}",
            f"of the shape ({d},)",
            f"shape {found.shape}",
            "return one number per coordinate, or pass dim=",
        )
        finite(f"gradient of client {k}", found)
    if values is not None:
        require(
            len(values) == len(gradients),
            "values",
            f"one per client ({len(gradients)})",
            len(values),
            "pass as many as gradients",
        )

    def at_points(points: Array) -> Array:
        return np.array([[np.asarray(f(x), float) for f in gradients] for x in points])

    def losses(points: Array) -> Array:
        assert values is not None
        return np.array([[float(f(x)) for f in values] for x in points])

    return BoxedLosses(
        len(gradients),
        d,
        at_points,
        None if values is None else losses,
        None if minima is None else np.asarray(minima, float),
        None if optima is None else np.asarray(optima, float),
        low,
        high,
        precision=precision,
    )


def from_arrays(
    points: Any, gradients: Any, *, values: Any = None, minima: Any = None, samples: Any = None
) -> BoxedLosses:
    """Source of what was measured at some points.

    Parameters
    ----------
    points : array (K, d)
    gradients : array (K, N, d), or (K, d) for one client
    values : array (K, N), optional
    minima : array (N,), optional
        Minimum of each client.
    samples : array (S, K, N, d), optional
        Stochastic gradients; each of the S draws is equally likely.
    """
    places = np.atleast_2d(np.asarray(points, dtype=float))
    slopes = np.asarray(gradients, dtype=float)
    slopes = slopes[:, None] if slopes.ndim == 2 else slopes
    count, d = places.shape
    require(
        slopes.ndim == 3 and slopes.shape[::2] == (count, d),
        "gradients",
        f"of the shape ({count}, N, {d})",
        f"shape {slopes.shape}",
        "one row per point",
    )
    finite("points", places)
    finite("gradients", slopes)
    clients = slopes.shape[1]
    losses = _fitting("values", values, (count, clients))
    draws = None if samples is None else np.asarray(samples, dtype=float)
    if draws is not None:
        require(
            draws.ndim == 4 and draws.shape[1:] == slopes.shape,
            "samples",
            f"of the shape (S, {count}, {clients}, {d})",
            f"shape {draws.shape}",
            "reshape them",
        )
    row = {x.tobytes(): k for k, x in enumerate(places)}

    def rows(asked: Array) -> Array:
        return np.array([row[x.tobytes()] for x in asked])

    def spread(asked: Array) -> Array:
        assert draws is not None
        found = draws[:, rows(asked)]
        return np.asarray(((found - found.mean(0)) ** 2).sum(-1).mean(0))

    return BoxedLosses(
        clients,
        d,
        lambda x: slopes[rows(x)],
        None if losses is None else lambda x: losses[rows(x)],
        _fitting("minima", minima, (clients,)),
        None,
        places.min(0),
        places.max(0),
        variance=None if draws is None else spread,
        points=places,
    )


# -- private helpers ---------------------------------------------------------------------


def _box(d: int, region: Any, low: Any, high: Any) -> tuple[Array, Array]:
    if region is not None:
        pair = isinstance(region, tuple | list) and len(region) == 2
        require(pair, "region", "a pair of ends", region, "pass (low, high)")
        low, high = region
    ends = np.broadcast_to(low, d).astype(float), np.broadcast_to(high, d).astype(float)
    require(bool((ends[0] < ends[1]).all()), "region", "a box with low < high", region, "widen it")
    return ends


def _fitting(name: str, value: Any, shape: tuple[int, ...]) -> Array | None:
    if value is None:
        return None
    found = np.asarray(value, dtype=float)
    found = found.reshape(shape) if found.size == int(np.prod(shape)) else found
    require(found.shape == shape, name, f"of the shape {shape}", f"shape {found.shape}", "reshape")
    finite(name, found)
    return found


def _called(function: Callable[[Array], Any], point: Array, name: str) -> Any:
    try:
        with code_of_others():
            return function(point)
    except CodeFailed as failed:
        error = failed.met
        raise InvalidInput(
            f"{name} must take a point, got {type(error).__name__} at {point.tolist()} ({error}): "
            "mend it, or pass another region"
        ) from error


def _outcomes(problem: Problem) -> Callable[[Array], tuple[Array, Array]] | None:
    """Every outcome of a finite law that draws one word per gradient."""
    if problem.noise_width != 1:
        return None
    try:
        values, chances = (np.asarray(x, float) for x in problem.noise_support())  # (N, S)
    except InvalidInput:
        return None

    def all_of_them(points: Array) -> tuple[Array, Array]:
        drawn = [
            problem.stochastic_gradients(
                points, np.broadcast_to(word[:, None], (len(points), problem.clients, 1))
            )
            for word in np.moveaxis(values, -1, 0)
        ]
        return np.array(drawn), np.moveaxis(chances, -1, 0)

    return all_of_them
