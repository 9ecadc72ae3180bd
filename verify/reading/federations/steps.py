r"""Claims about one round with given weights that speak of gradients as vectors.

At the first place let :math:`g_k` be the gradients and :math:`m=\eta\sum_k\alpha_kg_k`.  The step
that is taken is m and a noise of mean zero, whose mean square is
:math:`\eta^2\nu`, :math:`\nu=\sum_k\alpha_k^2v_k` with :math:`v_k\le\sigma_k^2`.  In the mean what
is linear in the noise vanishes; what remains is about :math:`g_k` and :math:`\nu`, with

.. math:: \mathbb E\varepsilon^1 \le \varepsilon^0 - \langle g_0, m\rangle
          + \tfrac\beta2\bigl(\|m\|^2 + \eta^2\nu\bigr) .

Formulas are read for one coordinate; a proof on the line lifts to every dimension where all terms
are numbers or of second degree in the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
import sympy

from bounds import generic as xp
from bounds.numbers.formal import listed
from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Real
from verify.reading.clients.reading import Reading
from verify.reading.federations.agreement import Checked, holds
from verify.reading.federations.fixed import FixedRuns
from verify.reading.federations.places import BETA, STEP, VARIANCE, in_squares, places_of, value_at
from verify.reading.federations.reading import After
from verify.reading.federations.rule import Weighing
from verify.reading.federations.shared_claims import shared_claims
from verify.reading.federations.weights import WHOLE
from verify.reading.federations.world import AnyFederation, FederationWorld
from verify.reading.parts.claim import ReadClaim
from verify.reading.parts.exact_points import plain_array
from verify.reading.parts.refusals import Known, NotReadable, asked
from verify.reading.parts.symbols import formula
from verify.reading.parts.values import equal
from verify.world.returned import margins_of, sides_of

Expr = Any  # sympy carries no types

BEFORE, AFTER = sympy.symbols("point0 point1", real=True)
GRADIENT = sympy.IndexedBase("gradient0", real=True)
OWN_VARIANCE = sympy.IndexedBase("gradient_variance", nonnegative=True)
"""v_k, the variance of a client's gradient at the first place."""
NOISE = sympy.Symbol("noise_of_step", real=True)
"""The noise of the step over its size."""
SQUARE = sympy.Symbol("square_of_noise", nonnegative=True)
"""Its mean square."""

__all__ = ["CheckedSteps", "StepRuns", "step_claims"]


class _StepFederation(AnyFederation):
    """Losses whose gradients at the first place have variances."""

    def gradient_variance(self, theta: Any) -> Any:
        """(..., 1) to (..., N)."""
        if theta.shape != (1, 1, 1) or expression(theta.item()) != BEFORE:
            raise NotReadable("a variance elsewhere than at the first place")
        return self._row(OWN_VARIANCE)


class StepRuns(FixedRuns):
    """A statement about one round with given weights, in vectors."""

    relations: ClassVar[tuple[str, ...]] = ("<=", ">=", "==")
    beside: ClassVar[int] = 3

    def _read(self, rounds: int) -> After:
        world = self._world(rounds)
        with listed(self.axis), asked(), unchecked():
            sides = sides_of(self.statement, world)
            margins = margins_of(self.statement, world)
        self.read |= set(world.read)
        left, right = (_total(side) for side in sides)
        if self.statement.relation == ">=":
            left, right = right, left
        found = {
            n: tuple(in_squares(formula(v)) for v in np.asarray(m, dtype=object).flat)
            for n, m in margins.items()
        }
        if any(places_of(e) for margin in found.values() for e in margin):
            raise NotReadable("a hypothesis about a place")
        return After(left, {"": right}, found)

    def _world(self, rounds: int) -> FederationWorld:
        world = super()._world(rounds)
        world.replace_problem(Known(_StepFederation(self.axis)))
        return world

    def mixed(self, weighing: Weighing) -> Expr:
        """The sum of the weighted gradients."""
        marks = self.axis.marks
        k, _ = client_symbol()
        own, other = weighing.alpha[0,], weighing.alpha["k",]
        alphas = [own, *(other.xreplace({k: mark}) for mark in marks[1:])]
        row = np.empty((1, len(marks)), dtype=object)
        row[0] = [Symbolic(a * GRADIENT[m]) for a, m in zip(alphas, marks, strict=True)]
        with listed(self.axis):
            return expression(xp.total(row).item())

    def mean(self, side: Expr, weighing: Weighing) -> Expr:
        """A side in the mean over the noise.

        Raises
        ------
        NotReadable
            Where it is of higher degree in the noise, or about a place itself.
        """
        step = STEP * self.mixed(weighing) + STEP * NOISE
        found = sympy.expand(side.xreplace({AFTER: BEFORE - step}))
        if not found.is_polynomial(NOISE, value_at(1)):
            raise NotReadable("a side that is no polynomial in the step")
        total = sympy.Integer(0)
        for (noise, later), factor in sympy.Poly(found, NOISE, value_at(1)).terms():
            if noise > 2 or later > 1 or (noise and later):
                raise NotReadable("a side of higher degree in what a step brings")
            if noise != 1:
                total += factor * value_at(1) ** later * (SQUARE if noise else 1)
        names = {str(s).partition("[")[0] for s in total.free_symbols}
        if any(n.startswith(("point", "optimum", "of_another")) for n in names):
            raise NotReadable("a claim about a place itself")
        if places_of(total.xreplace({value_at(0): 0, value_at(1): 0})):
            raise NotReadable("a claim about squares that are named")
        return total


class CheckedSteps(Checked):
    """Runs that are compared with what is read of gradients as vectors."""

    def _sides(self) -> bool:
        assert isinstance(self.setting, StepRuns)
        after, sides = self.setting.after(1), list(self.found)
        if self.setting.statement.relation == ">=":
            sides.reverse()
        for e, side in zip((after.left, after.right[""]), sides, strict=True):
            if side.size not in (1, len(self.tables)):
                return False
            values = np.broadcast_to(side.reshape(-1), (len(self.tables),))
            if not all(equal(self._in_space(e, o), v) for o, v in enumerate(values)):
                return False
        return self._margins_agree() and self._noise()

    def _in_space(self, e: Expr, outcome: int) -> Any:
        """The value of a formula for one coordinate, in all of them."""
        place, then = (plain_array(self.theta[outcome, t]) for t in (0, 1))
        slopes = self.gradients[0][outcome]
        dim = slopes.shape[-1]
        variances = self._variances()

        def at(j: int | None) -> Any:
            table = dict(self.tables[outcome])
            for s, x in ((BEFORE, place), (AFTER, then)):
                table[str(s), ()] = x[j] if j is not None else 0 * x[0]
            for k in range(self.clients):
                slope = slopes[k]
                table[str(GRADIENT), (k,)] = slope[j] if j is not None else 0 * slope[0]
                table[str(OWN_VARIANCE), (k,)] = variances[k]
            return self.at(e, table)

        return sum(at(j) for j in range(dim)) - (dim - 1) * at(None)

    def _variances(self) -> list[Any]:
        found = plain_array(self.world.problem.gradient_variance(self.theta[None, :1, 0]))
        return list(found.reshape(-1))

    def _noise(self) -> bool:
        """The mean square of the step's noise, and the variances below what is stated of them."""
        step = self.known[str(STEP), ()]
        alpha, slopes = self.alpha(0, 0), self.gradients[0][0]
        whole = sum(a * g for a, g in zip(alpha, slopes, strict=True))
        spread = sum(
            share * (((plain_array(path[0] - path[1])) / step - whole) ** 2).sum()
            for share, path in zip(self.share, self.theta, strict=True)
        )
        variances = self._variances()
        stated = [self.known["sigma2", (c,)] for c in range(self.clients)]
        return equal(spread, sum(a**2 * v for a, v in zip(alpha, variances, strict=True))) and all(
            holds(s - v, s) for s, v in zip(stated, variances, strict=True)
        )


def step_claims(setting: StepRuns, weighing: Weighing) -> Iterator[ReadClaim]:
    """The claim about one round, in the mean.

    Raises
    ------
    NotReadable
        Where the statement is about more rounds, or about more than a round with given weights.
    """
    if setting.longest != 1 or setting.changing:
        raise NotReadable("given weights in more rounds than one")
    after, k = setting.after(1), client_symbol()[0]
    left, right = (setting.mean(e, weighing) for e in (after.left, after.right[""]))
    lead = setting.axis.marks[0]
    step, own = STEP * setting.mixed(weighing), GRADIENT[lead]
    smooth = value_at(0) - own * step + BETA * (step**2 + STEP**2 * SQUARE) / 2 - value_at(1)
    noise = weighing.square_sum.xreplace({VARIANCE: OWN_VARIANCE})
    known: dict[str, Mapping[tuple[Any, ...], Expr]] = {
        f"{n} {i}" if i else n: {(): e}
        for n, margin in after.margins.items()
        for i, e in enumerate(margin)
    }
    known |= {
        "smoothness, in mean": {(): smooth},
        "mean square of the noise": {(): noise - SQUARE},
        "mean square of the noise, from below": {(): SQUARE - noise},
        "stated variance": {
            (0,): VARIANCE[lead] - OWN_VARIANCE[lead],
            ("k",): VARIANCE[k] - OWN_VARIANCE[k],
        },
    }
    relation = "==" if setting.statement.relation == "==" else "<="
    reading = Reading(setting.axis, {(): left}, {(): right}, known, relation, {}, "N")
    vectors = {str(GRADIENT): Real(-1, 1, per=("N", "d"))}
    yield from shared_claims(setting, reading, WHOLE, vectors)


def _total(side: Mapping[str, Any]) -> Expr:
    """The one formula of a side."""
    total: Any = sum(np.asarray(v, dtype=object) for v in side.values())
    entries = np.asarray(total, dtype=object).reshape(-1)
    if len(entries) != 1:
        raise NotReadable("a claim about several clients or rounds")
    return formula(entries[0])
