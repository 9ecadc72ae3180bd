"""Exact runs at a random point, and the numbers of all symbols at the iteration looked at."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
import sympy

from bounds import generic as xp
from bounds.numbers.symbolic import expression
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Shape
from verify.reading.iterations.draws import AtIteration
from verify.reading.iterations.names import (
    AWAY,
    BEHIND,
    BEHIND_FIRST,
    BETA,
    EARLIER,
    FIRST,
    FROM,
    GAP,
    HERE,
    IDEAL,
    LEAST_SHARE,
    MIDDLE,
    MORE,
    MU,
    NOISE,
    OFF,
    OWN,
    RISE,
    RISEN,
    ROUNDS,
    SHARED,
    SHARED_FIRST,
    SLOPE,
    SLOPE_OFF,
    SQUARES,
    START,
    STATED,
    STEP,
    TIME,
    TOLD,
    VARIANCE,
    VECTORS,
)
from verify.reading.iterations.reading import LocalRuns
from verify.reading.parts.exact_points import instance_of, plain, plain_array
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import symbol_values
from verify.reading.parts.values import Formulas, Table
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types
Array = np.ndarray[Any, Any]

__all__ = ["ExactIteration"]


class ExactIteration:
    """A run on every outcome, at one iteration.

    Parameters
    ----------
    setting : LocalRuns
    family : Family
    shape : dict
    random : Random
    shared : bool
        Whether to look at the averages under the shares, where the weights of a round are chosen
        at its end.

    Raises
    ------
    NotReadable
        Where the program, or the method, has no value.
    """

    def __init__(
        self, setting: LocalRuns, family: Family, shape: Shape, random: Random, shared: bool = False
    ) -> None:
        self.setting = setting
        statement = setting.statement
        instance, self.drawn_values = instance_of(family, shape, random)
        self.world = World(instance, "exact", None, statement.defines)
        self.at = int(shape["rounds"]) - 1 if setting.end else int(shape["at"])
        self.steps = int(shape["local_steps"])
        self.place = AtIteration(self.at, self.steps, setting.path, setting.early)
        self.first = self.place.first
        with asked():
            run = self.world.run()
            self.theta, self.models, self.alphas = (
                plain_array(x[0]) for x in (run.theta, run.models, run.alpha)
            )
            self.share = plain_array(self.world.weights.reshape(-1))
            if len(self.share) == 1:
                self.share = np.array([Fraction(1)] * len(self.theta), dtype=object)
            self.p = plain_array(self.world.client_weights).reshape(-1)
            if setting.early:
                self._virtual(shared)
            self.etas = plain_array(self.world.original("step_sizes")).reshape(-1)
            self._run()
            self.here = Formulas({"N": len(self.p)}, "N")
            self._know({**self._constants(), **self._numbers()})
        with asked(), unchecked():
            self.found = [
                plain_array(sum(np.asarray(v, dtype=object) for v in side.values())).reshape(-1)
                for side in sides_of(statement, self.world)
            ]
            self.margins = {n: plain_array(m) for n, m in margins_of(statement, self.world).items()}

    def _virtual(self, shared: bool) -> None:
        """Averages under the weights of the round, or the shares where those are not chosen."""
        number = self.place.round * self.steps
        self.chosen = number < self.alphas.shape[1] and not shared
        weights = self.alphas[:, number] if self.chosen else self.p + 0 * self.alphas[:, 0]
        self.alphas = np.repeat(weights[:, None], self.alphas.shape[1], axis=1)
        self.recorded = self.theta
        self.theta = (weights[:, None, :, None] * self.models).sum(2)

    def _run(self) -> None:
        """What there is at the iteration: of outcomes, clients and coordinates."""
        problem: Any = self.world.problem
        p = self.p
        hessian = plain_array(problem.hessian)[0, 0]
        pull = sum(q * h @ o for q, h, o in zip(p, hessian, self._optimum(), strict=True))
        whole = np.array(
            [[sum(p * hessian[:, i, j]) for j in range(problem.dim)] for i in range(problem.dim)]
        )
        self.best = plain_array(xp.solve(whole[None, None], pull[None, None]))[0, 0]
        self.whole = whole
        self.alpha = self.alphas[:, self.at]
        self._weigh()
        self.point = self.theta[:, self.at]
        now = self.models[None, :, self.at]
        self.slopes = plain_array(problem.own_gradients(now))[0]
        self.slopes = np.broadcast_to(self.slopes, self.models[:, self.at].shape)
        told = (self.point - self.theta[:, self.at + 1]) / self.etas[self.at]
        mean = (self.alpha[..., None] * self.slopes).sum(1)
        point, best = self.point[None], self.best[None, None]
        self.values = {
            VARIANCE: problem.own_gradient_variance(now),
            OWN: problem.own_excess(now),
            HERE: problem.excess(point),
            IDEAL: problem.excess(best),
            STATED: problem.noise_variance,
            FIRST: problem.excess(self.theta[None, :, self.first]),
        }
        self.values = {s: self._each(v) for s, v in self.values.items()}
        self.vectors = {
            AWAY: self._everyone(self.point - self.best),
            OFF: self.models[:, self.at] - self.point[:, None],
            SLOPE: self._everyone(mean),
            SLOPE_OFF: self.slopes - mean[:, None],
            NOISE: self._everyone(told - mean),
            MIDDLE: self._everyone(self.point - self.theta[:, self.first]),
            FROM: self._everyone(self.theta[:, self.first] - self.best),
            BEHIND: self.models[:, self.at] - self._optimum(),
            BEHIND_FIRST: self.models[:, self.first] - self._optimum(),
        }

    def _optimum(self) -> Array:
        found: Array = plain_array(self.world.problem.optimum)[0, 0]
        return found

    def only(self, outcome: int) -> None:
        """Look at one outcome alone, so that what is a mean is what it says there."""
        self.share = np.array([Fraction(int(r == outcome)) for r in range(len(self.theta))])
        self._weigh()
        self._know({**self.known, **self._numbers()})

    def _know(self, numbers: dict[Expr, Any]) -> None:
        """Numbers of the symbols, and the same by their names, in which formulas are."""
        self.known = numbers
        self.named: dict[tuple[str, tuple[int, ...]], Any] = {
            (s.name, ()): v for s, v in numbers.items()
        }
        self.inner: dict[tuple[Expr, Expr], Any] = {}

    def _weigh(self) -> None:
        """What each client counts on each outcome."""
        self.weights = self.share[:, None] * self.alpha

    def _each(self, values: Any) -> Array:
        """Numbers of each client on each outcome."""
        found = plain_array(values)
        whole: Array = np.broadcast_to(found.reshape(-1, found.shape[-1]), self.alpha.shape)
        return whole

    def _everyone(self, x: Array) -> Array:
        """What is the same for all clients."""
        return np.broadcast_to(x[:, None], self.slopes.shape)

    def drawn(self, numbers: Array) -> Any:
        """The mean over outcomes and clients."""
        return (self.weights * numbers).sum()

    def _constants(self) -> dict[Expr, Any]:
        w = self.world
        found = {
            BETA: w.problem.smoothness,
            MU: w.problem.mu,
            MORE: self.steps - 1,
            TIME: self.at,
            LEAST_SHARE: min(self.p),
            ROUNDS: (self.at + 1) // self.steps,
            STEP: self.etas[self.at],
        }
        found |= {s: w.symbol(n) for n, s in self.setting.signs.items()}
        for n, row in symbol_values(self.setting.others, {}).items():
            found[expression(row.item())] = w.instance.params[n]
        return {s: _one(v, str(s)) for s, v in found.items()}

    def _numbers(self) -> dict[Expr, Any]:
        """Means of numbers."""
        found = {s: self.drawn(v) for s, v in self.values.items()}
        found[SQUARES] = self.drawn(self.alpha * self.values[STATED])
        found[SHARED] = (self.share[:, None] * self.p * self.values[HERE]).sum()
        found[SHARED_FIRST] = (self.share[:, None] * self.p * self.values[FIRST]).sum()
        found[GAP] = (self.p * self.values[IDEAL][0]).sum()
        for symbol, t in ((RISE, self.at), (RISEN, self.at + 1)):
            off = self.theta[:, t] - self.best
            found[symbol] = (self.share * ((off @ self.whole) * off).sum(-1)).sum() / 2
        found[START] = ((self.theta[0, 0] - self.best) ** 2).sum()
        return found

    def earlier(self, t: int) -> tuple[Any, Any]:
        """Of an earlier iteration of the round: the mean square that is told, and the step."""
        told = (self.models[:, t] - self.models[:, t + 1]) / self.etas[t]
        return self.drawn((told**2).sum(-1)), self.etas[t]

    def value(self, e: Expr, more: Mapping[Expr, Any] | None = None) -> Any:
        """The value of a mean, by means of numbers and inner products.

        Parameters
        ----------
        e : expression
        more : mapping
            Numbers of further symbols; of the vector that is told, its mean square.
        """
        named = self.named | {(s.name, ()): v for s, v in (more or {}).items()}
        total: Any = Fraction(0)
        for found, factor in _in_vectors(e):
            total += self.here.at(factor, {}, named) * self._product(found, named)
        return total

    def _product(self, found: tuple[Expr, ...], named: Table) -> Any:
        """The mean of an inner product, of which each is taken once."""
        if not found:
            return Fraction(1)
        if found == (TOLD, TOLD):
            return named[TOLD.name, ()]
        one, other = found
        if (one, other) not in self.inner:
            vectors = self.vectors[one], self.vectors[other]
            self.inner[one, other] = self.drawn((vectors[0] * vectors[1]).sum(-1))
        return self.inner[one, other]

    def of_earlier(self, t: int) -> dict[Expr, Any]:
        """Numbers of the symbols that are about an earlier iteration."""
        square, step = self.earlier(t)
        return {TOLD: square, EARLIER: step}


def _one(value: Any, name: str) -> Any:
    entries = np.asarray(value, dtype=object).reshape(-1)
    if len(entries) != 1:
        raise NotReadable(f"{name} is not one number")
    return plain(entries[0])


@lru_cache(maxsize=4_000, typed=True)
def _in_vectors(e: Expr) -> list[tuple[tuple[Expr, ...], Expr]]:
    """A mean as a polynomial in vectors: which are multiplied, and what stands beside them."""
    return [
        (tuple(s for s, n in zip(VECTORS, powers, strict=True) for _ in range(n)), factor)
        for powers, factor in sympy.Poly(e, *VECTORS).terms()
    ]
