"""Exact runs of All-for-one at a random point, and the numbers of all symbols on every outcome."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.symbolic import client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Shape
from verify.reading.federations.places import BETA, MU, STEP, moved, own_at, step_at, value_at
from verify.reading.federations.reading import WeighedRuns
from verify.reading.federations.rule import Weighing
from verify.reading.parts.exact_points import instance_of, plain, plain_array
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.values import Formulas
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types
Array = np.ndarray[Any, Any]
Table = dict[tuple[str, tuple[int, ...]], Any]

FINEST = 64
"""Largest denominator of the points at which a reading is compared."""

__all__ = ["Array", "ExactRuns", "Table"]


class ExactRuns:
    """Runs on every outcome.

    Raises
    ------
    NotReadable
        Where the program, or the method, has no value.
    """

    def __init__(
        self, setting: WeighedRuns, weighing: Weighing, family: Family, shape: Shape, random: Random
    ) -> None:
        self.setting, self.weighing = setting, weighing
        instance, self.drawn = instance_of(family, shape, random, FINEST)
        self.world = World(instance, "exact", None, setting.statement.defines)
        self.rounds, self.clients = int(shape["rounds"]), int(shape["N"])
        self.here = Formulas(shape, "N", setting.axis)
        self.known: Table = {}
        with asked():
            run = self.world.run()
            self.theta, self.weights = run.theta[0], run.weights[0]
            self.share = [plain(v) for v in self.world.weights.reshape(-1)]
            if len(self.share) == 1:
                self.share = [Fraction(1)] * len(self.theta)
            self._constants()
            self._steps()
        with asked(), unchecked():
            statement = setting.statement
            self.found = [
                plain_array(sum(np.asarray(v, dtype=object) for v in side.values()))
                for side in sides_of(statement, self.world)
            ]
            self.margins = margins_of(statement, self.world)

    def _constants(self) -> None:
        """Numbers of what is the same at all places."""
        w, read = self.world, self.setting.read
        for name in self.setting.box:
            self._enter(name, w.instance.params[name])
        self._enter(str(BETA), w.problem.smoothness)
        if str(MU) in read:
            self._enter(str(MU), w.problem.mu)
        if self.setting.changing:
            each_step = np.asarray(w.original("step_sizes"), dtype=object).reshape(-1)
            for t, value in enumerate(each_step):
                self._enter(str(step_at(t)), value)
        else:
            self._enter(str(STEP), w.original("step_size"))
        each = {"sigma2": w.problem.noise_variance}
        each |= {n: w.instance.params[n] for n in self.setting.rows}
        if read & {"squared_bias", "slope"}:
            each |= {n: w.symbol(n) for n in ("squared_bias", "slope")}
        for name, value in each.items():
            self._enter_each(name, value)

    def _steps(self) -> None:
        """Gradients and values at every place, and a table of numbers for each outcome."""
        problem, theta = self.world.problem, self.theta
        own = problem.select([0])
        self.gradients: list[Array] = []
        self.tables: list[Table] = [dict(self.known) for _ in theta]
        for t in range(self.rounds + 1):
            slopes = plain_array(problem.gradients(theta[None, :, t])[0])  # (R, N, d)
            values = plain_array(own.excess(theta[None, :, t])[0, :, 0])
            self.gradients.append(slopes)
            for table, slope, value in zip(self.tables, slopes, values, strict=True):
                table[str(value_at(t)), ()] = value
                table[str(own_at(t)), ()] = (slope[0] ** 2).sum()
                for k in range(self.clients):
                    table[f"gap{t}", (k,)] = ((slope[k] - slope[0]) ** 2).sum()

    def _enter(self, name: str, value: Any) -> None:
        entries = np.asarray(value, dtype=object).reshape(-1)
        if len(entries) != 1:
            raise NotReadable(f"{name} is not one number")
        self.known[name, ()] = plain(entries[0])

    def _enter_each(self, name: str, value: Any) -> None:
        entries = np.asarray(value, dtype=object).reshape(-1)
        if len(entries) != self.clients:
            raise NotReadable(f"{name} is not one number for each client")
        self.known |= {(name, (k,)): plain(v) for k, v in enumerate(entries)}

    def alpha(self, outcome: int, t: int) -> list[Any]:
        """The weights by the rule that is read."""
        k, _ = client_symbol()
        table, alpha = self.tables[outcome], self.weighing.alpha
        own, other = moved(alpha[0,], t), moved(alpha["k",], t)
        others = range(1, self.clients)
        return [self.at(own, table), *(self.here.at(other, {k: c}, table) for c in others)]

    def at(self, e: Expr, table: Table) -> Any:
        """The value of a formula about no single client."""
        return self.here.at(e, {}, table)
