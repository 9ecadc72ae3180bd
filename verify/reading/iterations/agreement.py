"""Whether what is read of an iteration is what exact runs give.

At random points both sides and the hypotheses are compared with the formulas, in the listed shapes
and in larger ones.  So is what is taken for known of the method: the virtual averages, the mean of
a step given the past, what is told before; and what the assumptions and the definitions say.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import sympy

from verify.claim.parameters import Family, Shape
from verify.reading.iterations.claims import assumed, assumed_after, on_every_outcome
from verify.reading.iterations.exact import ExactIteration
from verify.reading.iterations.falling import own_facts
from verify.reading.iterations.names import (
    EARLIER,
    GAP,
    IDEAL,
    LEAST_SHARE,
    NOISE,
    OFF,
    OWN_SHARE,
    RISE,
    SHARED,
    SLOPE,
    SLOPE_OFF,
    TOLD,
    VARIANCE,
    WEIGHT,
)
from verify.reading.iterations.reading import LocalRuns, one_minimiser
from verify.reading.iterations.rounds import first_facts
from verify.reading.iterations.shares import most_of_shares
from verify.reading.parts.exact_points import plain_array
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.values import POINTS, agree, equal

Expr = Any  # sympy carries no types
OUTCOMES = 8
"""Outcomes at most that are looked at one by one, evenly among all."""
SLACK = 1e-9
"""How far below zero a float may be that stands for a number that is not negative."""

__all__ = ["agrees"]


def agrees(setting: LocalRuns) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give.

    Parameters
    ----------
    setting : LocalRuns
    """

    def at(place: tuple[Family, Shape], random: Random) -> bool | None:
        ways = (False, True) if setting.early else (False,)
        try:
            return all(_Checked(setting, *place, random, shared).agree() for shared in ways)
        except (NotReadable, ZeroDivisionError):
            return None  # no ratio of losses is defined, say

    return agree(setting.statement.key, _places(setting), at, 1 if known_before() else POINTS)


def _places(setting: LocalRuns) -> Iterator[tuple[Family, Shape]]:
    """Listed families and shapes; of each family one with another iteration, or of a longer run,
    one client more, and one with another dimension."""
    yield from setting.places
    if known_before():
        return
    for family in dict.fromkeys(id(f) for f, _ in setting.places):
        here = [(f, s) for f, s in setting.places if id(f) == family]
        quiet = [(f, s) for f, s in here if s.get("quiet")]
        for one, shape in here[:1]:
            yield one, {**shape, **_another(setting, shape)}
        for one, shape in quiet[:1]:
            yield one, {**shape, "N": int(shape["N"]) + 1, "d": 2}
            yield one, {**shape, **_another(setting, shape)}
            for at in range(1, int(shape["rounds"]) if setting.early else 0):
                yield one, {**shape, **({"rounds": at} if setting.end else {"at": at})}


def _another(setting: LocalRuns, shape: Shape) -> Shape:
    if setting.at_ends is not None:
        return {"rounds": 2 * int(shape["rounds"])} if shape.get("quiet") else {}
    return {"rounds": int(shape["rounds"]) + 1} if setting.end else {"at": 0}


class _Checked(ExactIteration):
    """A run that is compared with what is read of it."""

    def agree(self) -> bool:
        """Whether all of it is as it was read."""
        if self.setting.early and self.place.ends and not self.chosen:
            return True  # the models are not averaged under the shares
        if self.setting.path:
            count = len(self.share)
            return all(map(self._on, range(0, count, -(-count // OUTCOMES))))
        return (
            self._signs()
            and self._method()
            and self._sides()
            and self._margins()
            and self._facts()
            and self._first()
            and self._rest()
            and self._given_the_past()
        )

    def _on(self, outcome: int) -> bool:
        """Whether all of it is as it was read of one outcome, of which nothing earlier is used."""
        self.only(outcome)
        return (
            self._signs()
            and self._method()
            and self._sides()
            and self._margins()
            and self._facts()
            and self._rest()
            and self._products()
        )

    def _signs(self) -> bool:
        positive = (
            all(e > 0 for e in self.etas) and (self.alphas >= 0).all() and (self.p >= 0).all()
        )
        return bool(positive) and all(
            (v > 0 or not s.is_positive) and (_holds(v) or not s.is_nonnegative)
            for s, v in self.known.items()
        )

    def _method(self) -> bool:
        """Weights of sum one that a round keeps, virtual averages, first models, and what is told.

        The minimiser of F is where its gradient vanishes.
        """
        rounds = self.alphas.shape[1]
        sums = all(equal(v, 1) for v in self.alphas.sum(-1).reshape(-1)) and equal(sum(self.p), 1)
        kept = self.setting.early or all(
            _same(self.alphas[:, t], self.alphas[:, t // self.steps * self.steps])
            for t in range(rounds)
        )
        average = (self.alpha[..., None] * self.models[:, self.at]).sum(1)
        begun = self.models[:, self.first]
        slopes = self._gradients()
        return (
            sums
            and kept
            and _same(average, self.point)
            and _same(begun, np.broadcast_to(begun[:, :1], begun.shape))
            and all(equal(v, 0) for v in (self.p[:, None] * slopes).sum(0))
            and (self.setting.path or all(self._told(t) for t in range(self.first, self.at)))
        )

    def _gradients(self) -> Any:
        return plain_array(self.world.problem.gradients(self.best[None, None]))[0, 0]

    def _told(self, t: int) -> bool:
        """The mean square of what is told earlier is that of the gradient, and the variance."""
        problem, then = self.world.problem, self.models[None, :, t]
        slopes = plain_array(problem.own_gradients(then))[0]
        variance = self._each(problem.own_gradient_variance(then))
        square, _ = self.earlier(t)
        return equal(square, self.drawn((slopes**2).sum(-1) + variance))

    def _sides(self) -> bool:
        if self.setting.early:
            if self.place.ends != self.chosen:
                return True  # the program looks at the other average
            if self.chosen and not _same(self.theta[:, self.at + 1], self.recorded[:, self.at + 1]):
                return False
        read, sides = self.setting.read, list(self.found)
        if self.setting.statement.relation == ">=":
            sides.reverse()
        for e, side in zip((read.left, read.right), sides, strict=True):
            if len(side) not in (1, len(self.share)):
                return False
            if not equal(
                (np.broadcast_to(side, self.share.shape) * self.share).sum(), self.value(e)
            ):
                return False
        return True

    def _margins(self) -> bool:
        """Each hypothesis is one of those that the program gives, in the mean."""
        read = self.setting.read
        entries = {n: self._entries(m) for n, m in self.margins.items()}
        every = [v for found in entries.values() for v in found]
        now = all(
            any(equal(v, self.value(e)) for v in entries.get(name, ()))
            for name, found in read.given.items()
            for e in found
        )
        return now and all(
            any(equal(v, self.value(e, self.of_earlier(t))) for v in every)
            for t in range(self.first, self.at)
            for e in read.earlier
            if not e.has(TOLD) and e.has(EARLIER)
        )

    def _entries(self, margin: Any) -> list[Any]:
        """Means over the outcomes of all that a hypothesis is about."""
        if margin.ndim < 2 or margin.shape[1] not in (1, len(self.share)):
            raise NotReadable("a hypothesis with another form")
        found = margin.reshape(margin.shape[1], -1)
        whole = np.broadcast_to(found, (len(self.share), found.shape[-1]))
        return [*(self.share[:, None] * whole).sum(0)]

    def _facts(self) -> bool:
        """What the definitions and the assumptions say is not negative."""
        read = self.setting.read
        facts = on_every_outcome() if read.path else assumed()
        here = [*read.defined, *facts.values(), *assumed_after(read.path).values()]
        own = own_facts()
        whole = equal(self.known[SHARED], self.known[RISE] + self.known[GAP])
        here.append(own["gradient"])
        if self.first < self.at and not read.path:
            begun = self.value(own["gradient at w_0"], self.of_earlier(self.first))
            whole &= _holds(begun)
        if read.right.has(LEAST_SHARE):
            here.append(sympy.expand((most_of_shares(read) * GAP - IDEAL) * LEAST_SHARE))
        whole &= all(self._of_client(e) for e in read.clients)
        return (
            whole
            and all(_holds(self.value(e)) for e in here)
            and all(
                _holds(self.value(e, self.of_earlier(t)))
                for t in range(self.first, self.at)
                for e in read.earlier
                if e.has(TOLD)
            )
        )

    def _of_client(self, e: Expr) -> bool:
        """Whether what is said of each client's weight and share holds."""
        named = [
            {WEIGHT: weight, OWN_SHARE: share}
            for row in self.alpha
            for weight, share in zip(row, self.p, strict=True)
        ]
        return all(_holds(self.value(e, values)) for values in named)

    def _first(self) -> bool:
        """What is known of the first model of the round."""
        setting = self.setting
        facts = first_facts()
        if setting.alike:
            if not (one_minimiser(self.world.problem) and equal(self.known[IDEAL], 0)):
                return False
        else:
            facts = {"smoothness at w_0": facts["smoothness at w_0"]}
        entries = {n: self._entries(m) for n, m in self.margins.items()}
        said = setting.read.begun
        return all(_holds(self.value(e)) for e in (*facts.values(), *said.get("", ()))) and all(
            any(equal(v, self.value(e)) for v in entries[name])
            for name, found in said.items()
            for e in found
            if name
        )

    def _rest(self) -> bool:
        """Steps that have a formula, and runs that never leave their start."""
        setting = self.setting
        others = setting.others
        if setting.at_ends and np.any(self.vectors[NOISE]):
            return False
        if not others:
            return setting.step is None or equal(self.etas[self.at], self.value(setting.step))
        same = all(
            list(self.world.instance.params[n].reshape(-1))
            == list(self.drawn_values[n].reshape(-1))
            for n in others
        )
        first = np.broadcast_to(self.theta[:, :1], self.theta.shape)
        still = all(not np.any(self.vectors[v]) for v in (OFF, SLOPE, NOISE))
        return same and _same(first, self.theta) and still

    def _given_the_past(self) -> bool:
        """Given the models, and all before, the weights are known and the noise has mean zero."""
        groups: dict[Any, list[int]] = {}
        for outcome in range(len(self.share)):
            past = [*self.theta[outcome, : self.at + 1].reshape(-1)]
            past += [*self.models[outcome, : self.at + 1].reshape(-1)]
            groups.setdefault(tuple(float(v) for v in past), []).append(outcome)
        noise = self.vectors[NOISE][:, 0]
        for outcomes in groups.values():
            share = self.share[outcomes]
            if not all(equal(v, 0) for v in (share[:, None] * noise[outcomes]).sum(0)):
                return False
            alpha = self.alphas[outcomes][:, : self.at + 1]
            if not _same(alpha, np.broadcast_to(alpha[:1], alpha.shape)):
                return False
        if self.setting.early and not _same(
            self.alphas, np.broadcast_to(self.alphas[:1], self.alphas.shape)
        ):
            return False  # weights that are chosen at the end of a round, by what was drawn in it
        return self._products()

    def _products(self) -> bool:
        """What is the same for all clients has no product with what is left of each."""
        return all(
            equal(self.value(one * other), 0)
            for one, other in ((OFF, SLOPE), (SLOPE, SLOPE_OFF), (NOISE, SLOPE_OFF))
        ) and _holds(self.known[VARIANCE])


def _same(one: Any, other: Any) -> bool:
    return all(map(equal, np.ravel(one), np.ravel(other)))


def _holds(value: Any) -> bool:
    return bool(value >= 0) if not isinstance(value, float) else value >= -SLACK
