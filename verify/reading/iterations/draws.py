r"""Formulas of a program as means: over the outcomes, and over a client that is drawn.

Given the outcome, draw client i with its weight :math:`\alpha_i`, which is not negative; the
weights of a round have sum one and are chosen when it begins.  What the clients have are random
vectors then, and as in `verify.reading.parts.draws`, for what two of them have,

.. math:: \mathbb E\sum_i\alpha_i\langle u_i, v_i\rangle = \langle m, m'\rangle + \langle d,
    d'\rangle

with means m and m' over the clients and what is left, d and d', for the inner product
:math:`\mathbb E\sum_i\alpha_i\langle\cdot, \cdot\rangle`: a mean over the clients has the product
zero with what is left of another.  The noise :math:`\xi_i` of an iteration has mean zero given all
before it, so that the product of its mean over the clients with what was known before is zero.

Both sides of a claim in means must be linear in products of two vectors and in other numbers that
depend on the outcome.  What is said on every outcome is read as a mean over the clients alone, and
of the noise nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy

from bounds.numbers.formal_terms import extreme_type
from verify.reading.iterations.names import (
    AWAY,
    BEST,
    CLIENT,
    COUNT,
    CURVATURE,
    GAP,
    HERE,
    IDEAL,
    LEAST_SHARE,
    NOISE,
    NUMBERS,
    OFF,
    OWN,
    RISE,
    RISEN,
    SHARE,
    SHARED,
    SLOPE,
    SLOPE_OFF,
    SQUARES,
    START,
    STATED,
    STEP,
    VARIANCE,
    VECTORS,
    point_at,
    step_at,
)
from verify.reading.iterations.world import averages_in, with_best
from verify.reading.parts.draws import summed
from verify.reading.parts.factored import cancelled
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types
VALUES = {"variance": VARIANCE, "own": OWN, "here": HERE, "ideal": IDEAL, "sigma2": STATED}
PARTS = {"model": (AWAY + BEST, OFF), "slope": (SLOPE, SLOPE_OFF)}
_ENDED = re.compile(r"(.*?)(\d*)")

__all__ = ["AtIteration", "averaged"]


@dataclass(frozen=True)
class AtIteration:
    """One iteration of a run, about which formulas are.

    Attributes
    ----------
    at : int
        Its time.
    steps : int
        Local steps of a round.
    path : bool
        Whether formulas are about one outcome.
    early : bool
        Whether the models after the first iteration are averaged already, and each E later ones.
    """

    at: int
    steps: int
    path: bool = False
    early: bool = False

    @property
    def round(self) -> int:
        """The number of the round."""
        return (self.at + self.early * (self.steps - 1)) // self.steps

    @property
    def first(self) -> int:
        """The time at which it begins."""
        return max(0, self.round * self.steps - self.early * (self.steps - 1))

    @property
    def ends(self) -> bool:
        """Whether the models are averaged after the iteration."""
        return (self.at + 1 - self.early) % self.steps == 0

    @property
    def earlier(self) -> range:
        """Times of the iterations of the round before it."""
        return range(self.first, self.at)

    def mean(self, e: Expr) -> Expr:
        """The mean of a formula over the outcomes, and over the clients where it is about one.

        Raises
        ------
        NotReadable
            Where it is about other times, or no mean of this kind.
        """
        found, why = _mean(self, e)
        if found is None:
            raise NotReadable(why)
        return found

    def expanded_mean(self, e: Expr) -> Expr:
        """The same, multiplied out."""
        return _expanded(self.mean(e))

    def lowered(self, e: Expr) -> Expr:
        """A formula in vectors and numbers of the drawn client."""
        e = averages_in(with_best(e)) if self.early else with_best(e)
        e = e.replace(lambda p: isinstance(p, extreme_type()), _of_shares)
        if CLIENT in e.free_symbols:
            alpha = sympy.IndexedBase(f"alpha{self.round}", nonnegative=True)
            e = sympy.Sum(alpha[CLIENT] * e, (CLIENT, 1, COUNT))
        e = self._rises(e)
        e = e.replace(lambda p: isinstance(p, sympy.Sum), self._sum)
        before = AWAY + BEST
        after = before - STEP * (SLOPE + NOISE)
        places = {point_at(self.at + 1): after, point_at(self.at): before}
        e = e.xreplace({**places, step_at(self.at): STEP})
        if e.atoms(sympy.Indexed, sympy.Sum) or any(_timed(s) for s in e.free_symbols):
            raise NotReadable("a formula about another time, or about single clients")
        if BEST in e.free_symbols:
            e = sympy.expand(e)
        if BEST in e.free_symbols:
            raise NotReadable("a formula that depends on the origin")
        return e

    def _rises(self, e: Expr) -> Expr:
        """F - F* where half the product of the Hessian of F with a distance from w* stands."""
        if not e.has(CURVATURE):
            return e
        mark = sympy.Dummy(positive=True)
        marked = sympy.expand(e.xreplace({CURVATURE: mark}), deep=False)
        total = sympy.Integer(0)
        for term in sympy.Add.make_args(marked):
            factor = cancelled(term / mark) if term.has(mark) else sympy.Integer(0)
            for t, rise in ((self.at, RISE), (self.at + 1, RISEN)):
                rest = cancelled(factor / (point_at(t) - BEST) ** 2)
                if term.has(mark) and not rest.has(mark, BEST, point_at(t)):
                    total += 2 * rest * rise
                    break
            else:
                if term.has(mark):
                    raise NotReadable("a Hessian that stands alone")
                total += term
        return total

    def _sum(self, e: Expr) -> Expr:
        index, low, high = e.limits[0]
        if len(e.limits) > 1 or (low, high) != (1, COUNT):
            raise NotReadable("a sum over something else than clients")
        return summed(e.function, index, self._term)

    def _term(self, found: Sequence[Expr]) -> Expr:
        """The sum of a product of what a client has, weights among it."""
        names = [str(s.base) for s in found]
        alpha = f"alpha{self.round}"
        rest = sorted(n for n in names if n not in (alpha, "share"))
        weights = names.count(alpha), names.count("share")
        if weights == (2, 0) and rest == ["sigma2"]:
            return SQUARES
        if weights == (0, 1) and len(rest) <= 1:
            known = {(): sympy.Integer(1), ("ideal",): GAP, (f"here{self.at}",): SHARED}
            if tuple(rest) in known:
                return known[tuple(rest)]
        if weights == (1, 0):
            return self._drawn(rest)
        raise NotReadable("a sum over clients that is no mean under their weights")

    def _drawn(self, names: Sequence[str]) -> Expr:
        """The mean of a product of what the drawn client has."""
        if [*names] == [f"model{self.at + 1}"] and not self.ends:
            return AWAY + BEST - STEP * (SLOPE + NOISE)
        words = [self._word(n) for n in names]
        if not words:
            return sympy.Integer(1)
        if len(words) == 1 and words[0] in VALUES:
            return VALUES[words[0]]
        if all(w in PARTS for w in words) and len(words) <= 2:
            means, offs = zip(*(PARTS[w] for w in words), strict=True)
            together = sympy.Mul(*offs) if len(words) == 2 else 0
            return sympy.Mul(*means) + together
        raise NotReadable("a mean over clients that is linear neither in values nor in products")

    def _word(self, name: str) -> str:
        found = _ENDED.fullmatch(name)
        if name in ("ideal", "sigma2"):
            return name
        if found is None or found[2] != str(self.at):
            raise NotReadable("a sum about another time")
        return found[1]


@lru_cache(8_000, typed=True)
def _mean(place: AtIteration, e: Expr) -> tuple[Expr | None, str]:
    """The mean of a formula, or why it has none: many statements say the same of an iteration."""
    try:
        return averaged(place.lowered(e), place.path), ""
    except NotReadable as error:
        return None, str(error)


@lru_cache(8_000, typed=True)
def _expanded(e: Expr) -> Expr:
    return sympy.expand(e)


@lru_cache(4_000)
def averaged(e: Expr, path: bool = False) -> Expr:
    """The mean of a formula over the outcomes, by means of numbers and of inner products.

    Parameters
    ----------
    e : expression
    path : bool
        Whether it is about one outcome, on which noise has no mean.

    Raises
    ------
    NotReadable
        Where the formula is not linear in those.
    """
    random = [*VECTORS, *NUMBERS]
    try:
        terms = sympy.Poly(sympy.sympify(e), *random).terms()
    except sympy.PolynomialError as error:
        raise NotReadable(f"a mean of {e}") from error
    total = sympy.Integer(0)
    for powers, factor in terms:
        found = [s for s, n in zip(random, powers, strict=True) for _ in range(n)]
        vectors = [s for s in found if s in VECTORS]
        if factor.has(*random) or (len(vectors), len(found)) not in ((0, 0), (0, 1), (2, 2)):
            raise NotReadable(f"a mean of {e}, which is no sum of numbers and inner products")
        lost = vectors.count(NOISE) == 1 and not path
        total += 0 if lost else factor * sympy.Mul(*found)
    return total


def _of_shares(e: Expr) -> Expr:
    """The smallest share by its name."""
    if str(e.args[0]) != "min" or any(v != SHARE[e.args[1]] for v in e.values):
        raise NotReadable("a largest or smallest value that has no name")
    return LEAST_SHARE


def _timed(symbol: Expr) -> bool:
    """Whether a symbol is about a time."""
    return re.fullmatch(r"(point|step)\d+", str(symbol)) is not None


def start_in(e: Expr) -> Expr:
    """A formula with the squared distance of the first model from the minimiser by its name."""
    return with_best(e).xreplace({(point_at(0) - BEST) ** 2: START})
