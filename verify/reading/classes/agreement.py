"""Whether the formulas read of a class give what the statement gives on functions of the class.

Both are evaluated in exact numbers at random hulls: with noise on every outcome, and what is taken
for known of the noise (no part of it along what was met before, no more variance than is stated)
is looked at there too.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from verify.claim.functions import class_of
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.classes.apart import MEAN, TOP, EachLoss, deviation, number_of, of_client
from verify.reading.classes.given import mean_margins
from verify.reading.classes.means import noise_facts, variance
from verify.reading.classes.world import (
    PL,
    POOLED,
    SHARE,
    SIGMA,
    UPPER,
    MetLoss,
    noise,
)
from verify.reading.parts.claim import Claim
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.values import (
    POINTS,
    Formulas,
    agree,
    equal,
    over_coordinates,
    rational_values,
)
from verify.world.score import score

Expr = Any  # sympy carries no types
Numbers = dict[str, Any]

OWN = (
    "upper",
    "convexity",
    "stride",
    "rise",
    "approach",
    "optimum",
    "sigma",
    "noise_share",
    "skew",
)
"""Parameters of the hulls and their noise, which the symbols of the class replace."""
FINEST = 64
"""Largest denominator of the points at which a reading is compared."""

__all__ = ["OWN", "agrees"]


def agrees(statement: Statement, shape: Shape, claim: Claim, loss: MetLoss) -> bool:
    """Whether formulas give what a statement gives, in one dimension and, but for PL, in two.

    Parameters
    ----------
    statement : Statement
    shape : mapping
    claim : Claim
        Left and right side, and among its hypotheses those of the statement, by their names.
    loss : MetLoss
        What the run meets, in its symbols.
    """
    dimensions = (1,) if class_of(statement.family) == "smooth PL" else (1, 2)

    def at(changed: Shape, random: Random) -> bool | None:
        return _agrees_at(statement, changed, claim, loss, random)

    places = ({**shape, "d": d} for d in dimensions)
    return agree(statement.key, places, at, 1 if known_before() else POINTS)


def _agrees_at(
    statement: Statement, shape: Shape, claim: Claim, loss: MetLoss, random: Random
) -> bool | None:
    drawn = rational_values(statement.family.box, shape, random, FINEST)
    values = {name: value[None] for name, value in drawn.items()}
    try:
        with asked():
            found = score(statement, statement.family.instance(values, shape), "exact")
    except NotReadable:
        return None  # the statement has no value here
    if any(v.size != 1 for v in (found.left, found.right)):
        return False
    outcomes = _Outcomes(found.world, values, loss, shape)
    left, right, _, hypotheses = claim
    sign = -1 if statement.relation == ">=" else 1
    if outcomes.mean(right - left) != sign * (found.right.item() - found.left.item()):
        return False
    exprs = {h.name: h.expr for h in hypotheses}
    margins = mean_margins(statement, found.world)
    return (
        all(n in exprs and equal(outcomes.mean(exprs[n]), m) for n, m in margins.items())
        and outcomes.noise_is_as_said()
    )


class _Outcomes:
    """Numbers of the symbols on every outcome of one run."""

    def __init__(self, world: Any, values: Mapping[str, Any], loss: MetLoss, shape: Shape) -> None:
        self._here, self._loss, self._d = Formulas(shape, "N"), loss, int(shape["d"])
        self._weights = [Fraction(w) for w in world.weights.reshape(-1)]
        self._shares = _shares(world, loss)
        whole = {name: value for name, value in values.items() if value.size == 1}
        self._scalars = {name: value.item() for name, value in whole.items() if name not in OWN}
        self._scalars |= {
            str(UPPER): world.problem.smoothness.item(),
            str(PL): world.problem.pl_constant.item(),
            "rounds": int(shape["rounds"]),
        }
        if "convexity" in values:
            self._scalars[str(SHARE)] = self._scalars[str(PL)] / self._scalars[str(UPPER)]
        self._scalars |= self._means(values)
        self._noise = np.zeros((len(self._weights), 0, self._d), dtype=object)
        self._slopes = self._noise
        if loss.noisy:
            if loss.count is None:
                self._scalars[str(SIGMA)] = values["sigma"].item()
            squares = [s**2 for s in values["sigma"].reshape(-1)]
            parts = [p**2 * s for p, s in zip(self._shares, squares, strict=True)]
            self._scalars |= {str(POOLED): sum(parts), str(TOP): max(squares)}
            self._draw(world)
        self._seen: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        self._of = [self._one(world, noise) for noise in self._noise]

    def _means(self, values: Mapping[str, Any]) -> Numbers:
        """Means over the clients of numbers that each of them has."""
        each = {n: v.reshape(-1) for n, v in values.items() if n not in OWN}
        return {
            MEAN + n: sum(share * one for share, one in zip(self._shares, v, strict=True))
            for n, v in each.items()
            if v.size == len(self._shares) and MEAN + n not in each
        }

    def mean(self, e: Expr) -> Any:
        """The mean of a formula over the outcomes."""

        def value(table: Any) -> Any:
            return self._here.at(e, {}, table)

        total: Any = Fraction(0)
        for weight, (tables, without, apart) in zip(self._weights, self._of, strict=True):
            alone = value(without)
            more = sum(part * (value(table) - alone) for part, table in apart)
            total += weight * (over_coordinates(value, tables, without) + more)
        return total

    def noise_is_as_said(self) -> bool:
        """Whether no noise has a part along what was met before it, or too large a variance."""
        rounds = self._noise.shape[1]
        before = [(t, self._slopes[:, s]) for t in range(rounds) for s in range(t + 1)]
        before += [(t, self._noise[:, s]) for t in range(rounds) for s in range(t)]
        facts = noise_facts([variance(t) for t in range(rounds)], self._loss)
        return all(self._product(self._noise[:, t], v) == 0 for t, v in before) and all(
            self.mean(h.expr) >= 0 for h in facts
        )

    def _draw(self, world: Any) -> None:
        """What each round has added to its gradient, and the gradients; (R, T, d) each."""
        path, step = world.run().theta[0], world.original("step_size").reshape(-1)
        if len(step) != 1:
            raise NotReadable("a step size that differs between outcomes")
        rounds = range(path.shape[1] - 1)
        at = [self._pooled(world.problem.gradients(path[None, :, t])[0], 1) for t in rounds]
        self._slopes = np.stack(at, axis=1)
        moved = path[:, :-1] - path[:, 1:]
        self._noise = moved / step[0] - self._slopes if step[0] else 0 * moved
        for t in range(self._noise.shape[1]):
            noise_at = self._noise[:, t]
            self._scalars[str(variance(t))] = self._product(noise_at, noise_at)

    def _product(self, one: Any, other: Any) -> Any:
        """The mean of an inner product."""
        return sum(w * (u @ v) for w, u, v in zip(self._weights, one, other, strict=True))

    def _pooled(self, values: Any, axis: int) -> Any:
        """The mean over the axis of the clients."""
        each = np.moveaxis(values, axis, 0)
        return sum(part * value for part, value in zip(self._shares, each, strict=True))

    def _at(self, problem: Any, place: Any) -> tuple[Any, Any]:
        """Gradients and values of all clients at a place, once for all outcomes that meet it."""
        key = tuple(place)
        if key not in self._seen:
            at = place[None, None]
            self._seen[key] = problem.gradients(at)[0, 0], problem.excess(at)[0, 0]
        return self._seen[key]

    def _one(self, world: Any, drawn: Any) -> tuple[list[Any], Any, list[tuple[Any, Any]]]:
        """Tables of one outcome: of each coordinate, with zero vectors, and of what each client
        has beside the mean, with its weight."""
        problem, d, loss = world.problem, self._d, self._loss
        start = np.broadcast_to(world.original("start"), (1, 1, d)).reshape(d)
        alone = loss.count is None
        best = problem.optimum.reshape(d) if alone else [Fraction(0)] * d  # which is not spoken of
        vectors: list[Numbers] = [
            {
                "start": start[j],
                str(loss.met[0].x): best[j],
                **{str(noise(t)): drawn[t, j] for t in range(len(drawn))},
            }
            for j in range(d)
        ]
        numbers = dict(self._scalars)
        beside: list[list[Numbers]] = [[{} for _ in range(d)] for _ in self._shares]
        for one in loss.met[1:]:
            tables = [_table({**numbers, **v}) for v in vectors]
            place = np.array([self._here.at(one.x, {}, t) for t in tables], dtype=object)
            slopes, values = self._at(problem, place)
            slope = self._pooled(slopes, 0)
            for j, vector in enumerate(vectors):
                vector[str(one.g)] = slope[j]
            numbers[str(one.f)] = self._pooled(values, 0)
            if isinstance(loss, EachLoss):
                n = number_of(one)
                for k in loss.singled:
                    numbers[str(of_client(f"f_{n}", k))] = values[k]
                    for j, vector in enumerate(vectors):
                        vector[str(of_client(f"g_{n}", k))] = slopes[k, j]
                for k, parts in enumerate(beside):
                    for j, vector in enumerate(parts):
                        vector[str(deviation(n))] = slopes[k, j] - slope[j]
        zero = dict.fromkeys([*vectors[0], *beside[0][0]], 0)
        apart = [
            (share, _table({**numbers, **zero, **v}))
            for share, parts in zip(self._shares, beside, strict=True)
            for v in parts
            if v
        ]
        tables = [_table({**numbers, **zero, **v}) for v in vectors]
        return tables, _table({**numbers, **zero}), apart


def _shares(world: Any, loss: MetLoss) -> list[Any]:
    """Weights of the clients in the mean over them, with sum one."""
    if loss.weights is None:
        return [1 / Fraction(world.problem.clients)] * world.problem.clients
    found = list(world.original("client_weights").reshape(-1))
    if sum(found) != 1 or any(p < 0 for p in found):
        raise NotReadable("weights of clients that are no shares")
    return found


def _table(numbers: Numbers) -> dict[tuple[str, tuple[int, ...]], Any]:
    return {(name, ()): Fraction(v) for name, v in numbers.items()}
