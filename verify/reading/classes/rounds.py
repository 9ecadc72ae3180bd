r"""Claims about every number of rounds: the first round, and one round before the others.

A method that does the same in every round does T + 1 rounds from x as T rounds from where the first
one leads.  So a claim :math:`V_T(x) \le R_T(x)` about all starting points follows for all T from

- :math:`V_1(x) \le R_1(x)`, and
- :math:`\mathbb E R_T(x') \le R_{T+1}(x)` for the point x' after one round from x.

Both are about one round, with T as a symbol.  Where V is a mean over the rounds, T times it is a
sum, the first term of which is that of x:
:math:`V_1(x) + T\,\mathbb E R_T(x') \le (T+1)R_{T+1}(x)`.
The value of a convex loss at the mean of the points is at most the mean of the values there.
What the right side says of the run itself counts as a part of V, with a minus.

A bound whose constant C has been rounded up (a geometric series by its limit) is too large to be
handed on; with :math:`q^TC` taken off, q the factor by which its other terms fall in one round, it
may not be.  That :math:`q^TC \ge 0` is then a third claim.  So may one that has the least value
of an average loss taken off its values (`verify.reading.classes.least`).

What is asked of the start or of the number of rounds says that a number h is not negative.  It
cannot be handed on either, but a bound less h can: for all runs, whether or not h is negative, it
is shown that :math:`V_T(x) \le R_T(x) - h_T(x)`, which is at most R where h is not.

Source: what is called a supersolution, or value iteration, elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from bounds.numbers.symbolic import Symbolic
from verify.certify.prover.prove import Hypothesis
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.classes.claims import Setting, settings_of, single
from verify.reading.classes.factors import factor_apart
from verify.reading.classes.given import along, entries, named
from verify.reading.classes.least import LEAST, falling, least_part, noise_part
from verify.reading.classes.means import averaged, variance
from verify.reading.classes.world import END, POOLED, SIGMA, START, MetLoss, noise
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable, NumberOfRounds
from verify.reading.parts.symbols import formula, same

Expr = Any  # sympy carries no types

T = sympy.Symbol("rounds", integer=True, positive=True)
BOUNDS = (POOLED, SIGMA, variance(0))
"""Of the noise, which a factor of parameters is not about."""
CHECKED = 3
"""Numbers of rounds that are written out: to see what a side is of a run, and to compare."""

__all__ = ["any_rounds"]


def any_rounds(statement: Statement) -> Iterator[list[ReadClaim]]:
    """Sets of claims about one round that imply what a statement says of all numbers of rounds.

    Parameters
    ----------
    statement : Statement
        About a class of functions, with several numbers of rounds in its family.

    Yields
    ------
    list of ReadClaim
        The bound as it stands, then with a falling part of its constant taken off.
    """
    if statement.relation != "<=":
        return
    shapes = statement.family.shapes
    listed = {s["rounds"] for s in shapes}
    methods = {s["method"] for s in shapes}
    if len(listed) < 2 or min(listed) < 1 or len(methods) > 1:
        return
    for setting in settings_of(statement):
        try:
            reading = _Rounds(setting, shapes[0])
        except NotReadable:
            continue
        with suppress(NotReadable):
            yield from reading.sets()
        return


class _Rounds:
    """A statement about runs of one method, read for one round and a symbolic number of others."""

    def __init__(self, setting: Setting, shape: Shape) -> None:
        self.setting, self.shape = setting, shape
        self.loss = setting.loss()
        self.loss.at(START)
        self.step = self._step()
        self.next = START - self.step * self.loss.gradient(START, 0)
        self.loss.at(self.next)
        self.longer = self._scratch()  # keeps what longer runs meet, apart from one round's claims
        self.of_run = self._terms_of_runs()
        self.kind = self._kind()
        self._met: dict[Expr, tuple[Any, MetLoss]] = {}
        self.bounds = {start: self._bound(start) for start in (START, self.next)}
        self.margins = {start: self._margins(start) for start in (START, self.next)}
        here = self.margins[START].items()
        self.moving = [n for n, e in here if e.free_symbols & {T, *self.loss.random}]
        self.spent: tuple[str, ...] = ()
        self.given = self._given()
        self._compare()

    def sets(self) -> Iterator[list[ReadClaim]]:
        """The sets of claims, see `any_rounds`."""
        every = [*self.margins[START]]
        ways = dict.fromkeys(map(tuple, (every, self.moving))) if self.moving else {(): None}
        for spent in ways:
            self.spent = spent
            yield from self._sets()

    def _sets(self) -> Iterator[list[ReadClaim]]:
        bound = self.bound(START, T)
        least = least_part(self.setting.kind, bound, self.loss)
        if least != 0:  # what is not handed on without it comes later
            noise_off = falling(bound, T, self.loss.random, noise_part)
            yield self._from_none(least + (noise_off or 0))
        yield self._set(lambda e, _: e, [])
        off = falling(bound, T, self.loss.random)
        if off is not None:
            yield self._less(off)

    def _less(self, off: Expr) -> list[ReadClaim]:
        """The claims about a bound less a part that is the same for all starting points."""
        less = self._claim(sympy.Integer(0), off)
        return self._set(lambda e, rounds: e - off.xreplace({T: rounds}), [("rest", less)])

    def _from_none(self, off: Expr) -> list[ReadClaim]:
        """Claims about a bound less such a part, of runs that may have no round at all."""
        if self.kind != "last" or not same(self.one, self._left(self.next, 0, 1)):
            raise NotReadable("a left side that is not about the last point")

        def bound(start: Expr, rounds: Expr) -> Expr:
            return (self.bound(start, T) - off).xreplace({T: rounds})

        none, some = sympy.Integer(0), sympy.Symbol("rounds", integer=True, nonnegative=True)
        gap = bound(START, some + 1) - bound(self.next, some)
        if bound(START, none).has(sympy.zoo, sympy.nan, sympy.oo):
            raise NotReadable("a bound that is none where there is no round")
        scale, rest = factor_apart(sympy.expand(gap), self.loss.random | {LEAST, noise(0), *BOUNDS})
        return self._labelled(
            ("no round", self._claim(self._left(START, 0, 0), bound(START, none))),
            ("one more round", self._claim(none, rest)),
            ("its factor", self._claim(none, scale)),
            ("rest", self._claim(none, off.xreplace({T: some}))),
        )

    def _labelled(self, *parts: tuple[str, Claim]) -> list[ReadClaim]:
        label = {"rounds": "any"} | ({"N": "any"} if len(self.setting.sizes) > 1 else {})
        return [self.setting.about({**label, "part": name}, c) for name, c in parts]

    def bound(self, start: Expr, rounds: Expr) -> Expr:
        """The right side for a run from a point, of a number of rounds."""
        less = sum((self.margins[start][name] for name in self.spent), sympy.Integer(0))
        return averaged((self.bounds[start] - less).xreplace({T: rounds}), self.loss)

    def _bound(self, start: Expr) -> Expr:
        made, scratch = self._of_any_number(start)
        terms = made.terms[1]
        found = self._total(v for name, v in terms.items() if name not in self.of_run)
        if found.free_symbols & (scratch.random - self.loss.random | {END}):
            raise NotReadable("a bound that depends on the run")
        return found

    def _margins(self, start: Expr) -> dict[str, Expr]:
        """What is asked of numbers, of where a run begins, and of its length."""
        made, scratch = self._of_any_number(start)
        margins = made.margins.items()
        found = {n: self.setting.formula(m, scratch) for n, m in margins if m.size == 1}
        later = scratch.random - self.loss.random | {END}
        if any(e.free_symbols & later for e in found.values()):
            raise NotReadable("a hypothesis about one point of the run")
        return found

    def _given(self) -> list[Hypothesis]:
        """What the statement assumes of numbers, and of each point of the run."""
        strict = self.setting.statement.strict
        numbers = {n: e for n, e in self.margins[START].items() if n not in self.moving}
        given = [Hypothesis(n, e, n in strict) for n, e in numbers.items()]
        placed = {h.name for h in self.setting.statement.given} - {*self.margins[START]}

        def margins(later: bool, rounds: Any) -> dict[str, list[Expr]]:
            loss, start = self.longer, self.next if later else START
            found = self._score(loss, start, rounds, int(later)).margins
            return {
                name: [self.setting.formula(e, loss) for _, e in entries(name, found[name])]
                for name in placed
            }

        points = along(margins, T, CHECKED, same) if placed else []
        return given + [Hypothesis(named(n, at), e, n in strict) for n, at, e in points]

    def _set(self, changed: Any, more: list[tuple[str, Claim]]) -> list[ReadClaim]:
        first = changed(self.bound(START, sympy.Integer(1)), sympy.Integer(1))
        later = changed(self.bound(self.next, T), T)
        whole = changed(self.bound(START, T + 1), T + 1)
        if self.kind == "mean":
            later, whole = self.one + T * later, (T + 1) * whole
        return self._labelled(
            ("first round", self._claim(self.one, first)),
            ("one more round", self._claim(later, whole)),
            *more,
        )

    def _claim(self, left: Expr, right: Expr) -> Claim:
        left, right = (averaged(e, self.loss) for e in (left, right))
        named = left.free_symbols | right.free_symbols
        told = [one for one in self.loss.met if one.x == START or named & {*self.loss.told(one)}]
        met = [self.loss.met[0], *told]  # of a point that is not spoken of nothing need be known
        loss = replace(self.loss, met=met)
        unknown = self.loss.random - loss.random
        given = [h for h in self.given if not h.expr.free_symbols & unknown]
        return self.setting.claim(left, right, "<=", loss, given)

    # -- what the left side is of a run --------------------------------------------------------

    def _kind(self) -> str:
        """Whether the left side is about the last point, or a mean over the rounds."""
        self.one = self._left(START, 1, 0)
        counts = range(2, CHECKED + 1)
        whole = {t: self._left(START, t, 0) for t in counts}
        later = {t: self._left(self.next, t - 1, 1) for t in counts}
        if all(same(whole[t], later[t]) for t in counts):
            return "last"
        if all(same(t * whole[t], self.one + (t - 1) * later[t]) for t in counts):
            return "mean"
        raise NotReadable("a left side that is neither of the last point nor a mean over rounds")

    def _left(self, start: Expr, rounds: int, first: int) -> Expr:
        """The left side of a run that is written out; what it meets stays known."""
        loss = self.longer
        made = self._score(loss, start, rounds, first)
        found = loss.lowered(single(made.left))
        if not self.of_run:
            return averaged(self._at_mean_of_points(found, loss, start, rounds, first), loss)
        return averaged(found - self._run_terms(made), loss)

    def _at_mean_of_points(
        self, side: Expr, loss: MetLoss, start: Expr, rounds: int, first: int
    ) -> Expr:
        """A convex value at the mean of the points before, or after, each round: the mean of the
        values there, which is no less."""
        if self.setting.kind not in ("smooth convex", "smooth strongly convex"):
            return side
        values = {one.f: one for one in loss.met if one.f.is_Symbol}
        if side not in values:
            return side
        path = [start]
        for t in range(rounds):
            path.append(path[-1] - self.step * loss.gradient(path[-1], first + t))
        for points in (path[:-1], path[1:]):
            if rounds > 1 and same(values[side].x * rounds, sum(points)):
                return sum((loss.at(x).f for x in points), sympy.Integer(0)) / rounds
        return side

    # -- terms of the right side that are about the run -----------------------------------------

    def _terms_of_runs(self) -> frozenset[str]:
        """Those whose formula in the number of rounds is not what runs of some rounds give.

        They are read as the left side is, with a minus.
        """
        loss, t = self._scratch(), range(1, CHECKED + 1)
        made = self._score(loss, START, T).terms[1]
        known = {n: averaged(self._total([v]), loss) for n, v in made.items()}
        whole = {rounds: self._score(loss, START, rounds).terms[1] for rounds in t}
        return frozenset(
            name
            for name, bound in known.items()
            if not all(
                same(bound.xreplace({T: sympy.Integer(n)}), averaged(self._total([v[name]]), loss))
                for n, v in whole.items()
            )
        )

    def _run_terms(self, made: Any) -> Expr:
        return self._total(v for name, v in made.terms[1].items() if name in self.of_run)

    def _total(self, terms: Iterable[Any]) -> Expr:
        """The sum of terms as one formula."""
        return sum((self.loss.lowered(single(v)) for v in terms), sympy.Integer(0))

    # -- is it what the statement says ---------------------------------------------------------

    def _compare(self) -> None:
        """Refuse a reading that differs from the statement at some number of rounds.

        One that was held to this statement before is not held to the longest runs again.
        """
        for t in range(1, CHECKED + (not known_before())):
            loss = self.setting.loss()
            shape = {**self.shape, "rounds": t, "points": t + 1}
            made = self.setting.score(shape, loss)
            claim = self.setting.said(made, loss)
            run = averaged(self._run_terms(made), loss)
            if not same(claim.right - run, self.bound(START, sympy.Integer(t))):
                raise NotReadable("a bound that is another one at some number of rounds")
            asked = {h.name: h.expr for h in claim.hypotheses}
            known = {n: e.xreplace({T: sympy.Integer(t)}) for n, e in self.margins[START].items()}
            if not all(n in asked and same(asked[n], e) for n, e in known.items()):
                raise NotReadable("a hypothesis that is another one at some number of rounds")
            if not self.setting.agrees(shape, claim, loss):
                raise NotReadable("the formulas are not what the statement gives")

    # -- parts ---------------------------------------------------------------------------------

    def _scratch(self) -> MetLoss:
        return replace(self.loss, met=list(self.loss.met))

    def _of_any_number(self, start: Expr) -> tuple[Any, MetLoss]:
        """What is said of a run of a symbolic number of rounds from a point, and what it meets."""
        if start not in self._met:
            scratch = self._scratch()
            self._met[start] = self._score(scratch, start, T), scratch
        return self._met[start]

    def _score(self, loss: MetLoss, start: Expr, rounds: Any, first: int = 0) -> Any:
        count = Symbolic(rounds) if isinstance(rounds, sympy.Symbol) else NumberOfRounds(rounds)
        return self.setting.score(self.shape, loss, start, first, rounds=count)

    def _step(self) -> Expr:
        """The step size, one for all rounds and whatever their number."""
        world = self._score(self._scratch(), START, T).world
        steps = np.ravel(world.original("step_size"))
        if world.given("step_sizes") or len(steps) != 1 or formula(steps[0]).has(T):
            raise NotReadable("a step that is not the same in every round")
        return formula(steps[0])
