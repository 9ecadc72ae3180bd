"""A world of one run with local steps, on losses that are known where a program looks at them.

Vectors are read by one coordinate: where a program takes inner products and squared norms, it says
the same in every dimension.  The minimiser of F is a quotient of sums over the clients, which is
what a program makes of their Hessians and minimisers on the line; nothing else may be made of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy

from algorithms.aggregation import Aggregation
from bounds.numbers.formal import Axis
from bounds.numbers.symbolic import Symbolic, expression
from verify.claim.instance import Instance
from verify.reading.iterations.counts import CountedSteps
from verify.reading.iterations.names import (
    BEST,
    BETA,
    BOUND,
    CURVATURE,
    HESSIAN,
    MORE,
    MU,
    OPTIMUM,
    PULL,
    ROUNDS,
    SHARE,
    TIME,
    alpha_of,
    at_best,
    each,
    point_at,
    step_at,
)
from verify.reading.parts.refusals import Known, NotReadable
from verify.reading.parts.symbols import Listed, row_of
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types

ITERATIONS = sympy.Symbol("iterations", positive=True)
"""Of a run, where the one that is looked at may be any."""
WRITTEN_OUT = 11
"""Clients that are written out; no number of iterations that is read is a multiple of it."""
UNNAMED = sympy.Symbol("average_of_no_use", real=True)
"""Models that a program does not look at: averages under weights that are no longer in use."""
EARLY = "equation"
"""Of the timing: rounds begin after the first iteration."""
CLOSED = frozenset({"coefficients", "pace", "temperature", "rule"})
"""What instances may have and a world has not."""

__all__ = ["EARLY", "LocalWorld", "averages_in", "clients_axis"]


def clients_axis(size: int = WRITTEN_OUT) -> Axis:
    """The axis of the clients."""
    return Axis.of(size, 0)


class LocalLosses:
    """Losses of any number of clients, as far as a run looks at them.

    Parameters
    ----------
    axis : Axis
    early : bool
        Whether some points are averages under the shares, at which losses have no other name.
    """

    def __init__(self, axis: Axis, early: bool) -> None:
        self._axis, self._early = axis, early
        self.smoothness = filled((1, 1), BETA)
        self.mu = filled((1, 1), MU)
        self.noise_variance = self._row(BOUND)[None, None]
        self.optimum = self._row(OPTIMUM)[None, None, :, None]
        self.hessian = self._row(HESSIAN)[None, None, :, None, None]

    def expand(self, axes: int = 1) -> LocalLosses:
        """Itself: points may have further axes."""
        assert axes >= 0
        return self

    def own_gradients(self, models: Array) -> Array:
        """Of each client at its own model, (..., N, 1) to (..., N, 1)."""
        return self._at_models("slope", models)[..., None]

    def own_gradient_variance(self, models: Array) -> Array:
        """(..., N, 1) to (..., N)."""
        return self._at_models("variance", models)

    def own_excess(self, models: Array) -> Array:
        """(..., N, 1) to (..., N)."""
        return self._at_models("own", models)

    def excess(self, theta: Array) -> Array:
        """Of all clients at one point, (..., 1) to (..., N)."""
        if theta.shape[-1] != 1:
            raise NotReadable("points of more than one coordinate")
        out = np.empty((*theta.shape[:-1], self._axis.size), dtype=object)
        for index in np.ndindex(*theta.shape[:-1]):
            place = with_best(expression(theta[index][0]))
            place = averages_in(place) if self._early else place
            number = _number("point", place)
            if number is None and place != BEST:
                raise NotReadable(f"losses at {place}")
            word = "there" if self._early else "here"
            out[index] = self._row(at_best() if number is None else each(word, number))
        return out.view(Listed)

    def _at_models(self, word: str, models: Array) -> Array:
        if models.shape[-2:] != (self._axis.size, 1):
            raise NotReadable("models that are not one of each client")
        out = np.empty(models.shape[:-1], dtype=object)
        for index in np.ndindex(*out.shape):
            place = expression(models[index][0])
            mark = self._axis.marks[index[-1]]
            number = _number("model", getattr(place, "base", None))
            if number is None or place.indices != (mark,):
                raise NotReadable(f"{word} at {place}, which is not the client's own model")
            out[index] = Symbolic(each(word, number)[mark])
        return out.view(Listed)

    def _row(self, base: Expr) -> Array:
        return row_of(base, self._axis)


class LocalWorld(World):
    """A symbolic world of a run.

    Parameters
    ----------
    constants : mapping
        Of the shape: rule, timing and what else is no number that is counted.
    steps, rounds, at : int
        Local steps, iterations, and the iteration that is looked at.
    params : mapping
        Symbols of the parameters.
    axis : Axis
    defines : mapping
        What the statement defines.
    named : mapping
        Symbols in place of what it defines.
    end : bool
        Whether programs may ask for the number of iterations, which is one more than the one that
        is looked at, and not for that one.
    """

    def __init__(
        self,
        constants: Mapping[str, Any],
        counts: tuple[int, int, int],
        params: Mapping[str, Any],
        axis: Axis,
        defines: Mapping[str, Callable[[World], Any]],
        named: Mapping[str, Expr],
        end: bool = False,
    ) -> None:
        steps, rounds, at = counts
        early = constants["timing"] == EARLY
        counted = {
            "local_steps": CountedSteps(steps, MORE + 1, ROUNDS if end else None),
            "rounds": CountedSteps(rounds, *((TIME + 1, ROUNDS) if end else (ITERATIONS,))),
        } | ({} if end else {"at": CountedSteps(at, TIME)})
        shares = {"client_weights": row_of(SHARE, axis)[None]}
        instance = Instance(
            "quadratic", {}, Aggregation.name, {**constants, **params, **shares, **counted}
        )
        super().__init__(instance, "symbolic", None, defines)
        self._cache["problem"] = Known(LocalLosses(axis, early))
        self._cache |= {name: filled((1, 1), symbol) for name, symbol in named.items()}
        self._unknown = CLOSED | ({"at"} if end else set())
        self._cache["start"] = filled((1, 1, 1), point_at(0))
        sizes = [filled((1, 1, 1), step_at(t)) for t in range(rounds)]
        self._cache["step_sizes"] = np.concatenate(sizes, axis=2).view(Listed)
        self._run = _run(steps, rounds, axis, early)

    def given(self, name: str) -> bool:
        """Whether there is such a parameter, of those that do more than decide on the run."""
        if name in self._unknown:
            raise NotReadable(f"a program that asks whether there is a {name}")
        return super().given(name)

    def mean(self, x: Array) -> Array:
        """Of a mean inside a side nothing is known; both sides are read as means as they stand."""
        raise NotReadable("a mean inside a side, or inside a hypothesis")

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """The one run."""
        if method is not None or rounds is not None or hyper:
            raise NotReadable("another run than that of the instance")
        return self._run


def _run(steps: int, rounds: int, axis: Axis, early: bool) -> Trajectory:
    averaged = [not early or t % steps == 1 % steps for t in range(rounds + 1)]
    named = [point_at(t) if here else UNNAMED for t, here in enumerate(averaged)]
    theta = [filled((1, 1, 1, 1), e) for e in named]
    models = [row_of(each("model", t), axis)[None, None, None, :, None] for t in range(rounds + 1)]
    alpha = [row_of(alpha_of(t // steps), axis)[None, None, None] for t in range(rounds)]
    extras = {"models": models, "alpha": alpha}
    joined = {n: np.concatenate(v, axis=2).view(Listed) for n, v in extras.items()}
    return Trajectory(np.concatenate(theta, axis=2).view(Listed), joined)


def with_best(e: Expr) -> Expr:
    """A formula with the minimiser in place of the quotient that it is."""
    return sympy.sympify(e).xreplace({PULL: BEST * CURVATURE})


def averages_in(e: Expr) -> Expr:
    """A formula with the virtual averages in place of the means of models under the shares."""

    def average(found: Expr) -> Expr:
        index = found.limits[0][0]
        rest = sympy.cancel(found.function / SHARE[index])
        number = _number("model", getattr(rest, "base", None))
        return found if number is None or rest.indices != (index,) else point_at(number)

    return sympy.sympify(e).replace(lambda p: isinstance(p, sympy.Sum), average)


def filled(shape: tuple[int, ...], value: Expr) -> Array:
    """One symbol with so many axes."""
    out = np.empty(shape, dtype=object)
    out[...] = Symbolic(value)
    return out.view(Listed)


def _number(word: str, e: Any) -> int | None:
    found = re.fullmatch(rf"{word}(\d+)", str(e))
    return None if found is None else int(found[1])
