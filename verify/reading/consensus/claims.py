r"""Claims about two clients in a round, and about the distance of one to the server's next model.

Let clients i and j have solved their problems with the server's model z: with the multipliers
:math:`\lambda`, models x, gradients there, and residuals
:math:`e_i = \nabla f_i(x_i) + 2\lambda_i(x_i - z)`.  Of vectors no longer than a number only the
Cauchy-Schwarz inequality along :math:`x_i - x_j` is used, which is a claim of its own; two models
that are one are within any bound.  Of a pair, i is the client with the smaller multiplier where an
order is asked for.

The server's next model is a mean :math:`z' = \sum_jp_jx_j` with :math:`p_j \ge 0` of sum one: draw
a client with probability :math:`p_j`, then

.. math:: \sum_jp_j\|x_i - x_j\|^2 = \|x_i - z'\|^2 + s, \qquad s \ge 0 .

So what all pairs are within each client is of the server, in each round of each run, hence in any
mean over clients, rounds and runs.  Multipliers that begin in an interval stay there, as the dual
step projects.  All of this holds in every dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis
from verify.reading.consensus.names import (
    AFTER,
    BOUND,
    MODEL,
    MOST,
    MULTIPLIER,
    SLOPE,
    SOLVER,
    STIFF,
    TOP,
)
from verify.reading.consensus.reading import ENDS, ConsensusRead
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

LOW, HIGH = (sympy.Symbol(n, real=True) for n in ENDS)
"""Ends of the interval of the multipliers."""
OWN, OTHER, AT, FAR, CROSSED = (
    sympy.Symbol(n, real=True) for n in ("own", "other", "slope", "far_slope", "crossed_slope")
)
"""Models of i and j, gradients of i and j there, and that of i at the model of j; a coordinate."""
ANY, ALONG = (sympy.Symbol(n, real=True) for n in ("any_vector", "along"))
FIRST, SECOND, LEAST = (
    sympy.Symbol(n, positive=True) for n in ("first", "second", "least_multiplier")
)
STIFF_I, STIFF_J = (sympy.Symbol(n, positive=True) for n in ("stiff", "other_stiff"))
DISTANCE, LENGTH, SCALE = (sympy.Symbol(n, positive=True) for n in ("distance", "length", "scale"))
PRODUCT = sympy.Symbol("product", real=True)
ROOT = sympy.Symbol("root", nonnegative=True)
"""Root of the largest squared residual."""
WITHIN, SQUARED, SPREAD = (
    sympy.Symbol(n, nonnegative=True) for n in ("within", "squared", "spread")
)
LOSSES = "losses"
"""In the label of a claim that is proved with squares of differences."""
VECTORS = tuple(str(s) for s in (OWN, OTHER, AT, FAR, CROSSED, SOLVER, ANY, ALONG))

__all__ = ["HIGH", "LEAST", "LOW", "PAIRS", "ROOT", "GivenOfRounds", "consensus_claims"]


@dataclass(frozen=True)
class Within:
    """A bound of the distance of two models: factor times distance is at most this."""

    factor: Expr
    most: Expr


PAIRS = {
    "own": Within(sympy.Integer(1), ROOT + BOUND / 2),
    "domain": Within(2 * LEAST - TOP, 2 * ROOT + BOUND / LEAST),
}
"""Bounds of pairs that are tried: for multipliers above one plus the smoothness, for any above half
of it."""


def consensus_claims(read: ConsensusRead, strict: frozenset[str], way: str) -> Iterator[ReadClaim]:
    """Claims about a round, the bound of pairs being one of `PAIRS`.

    Parameters
    ----------
    read : ConsensusRead
    strict : set of str
        Names of the hypotheses whose margin is positive.
    way : str

    Raises
    ------
    NotReadable
        Where it says something else of a round.
    """
    residual, pair = _residual(read), PAIRS[way]
    given = GivenOfRounds(read, strict)
    zero = sympy.Integer(0)
    yield from _cauchy_schwarz()
    yield _claim("multiplier above zero", zero, given.raw, given.raw_facts(), "<")
    raw = SECOND * (2 * FIRST - STIFF_I) * DISTANCE
    sides = (FIRST + SECOND) * ROOT + BOUND
    yield _claim("two clients", raw, sides, _of_pair(residual))
    known = [Hypothesis("two clients", sides - raw), *given.of_pair(way == "domain")]
    yield _claim("their distance", pair.factor * DISTANCE, pair.most, known)
    squares = [Hypothesis("their distance", WITHIN - LENGTH)]
    yield _claim("its square", LENGTH**2, WITHIN**2, squares)
    if way == "domain":
        yield _claim("lower end above zero", zero, LOW, given.plain, "<")
    yield _claim("factor above zero", zero, pair.factor, given.least(), "<")
    left, right, known = _distance(read), given.right(way == "domain"), given.least()
    bound = _claim("bound", pair.most**2, pair.factor**2 * right, known)
    yield bound._replace(label={**bound.label, LOSSES: "smooth"})
    mean = Hypothesis("mean over a draw", pair.factor**2 * (right - SQUARED - SPREAD))
    yield _claim("a client in a round", left, right, [mean, *known])


def _claim(
    part: str, left: Expr, right: Expr, given: list[Hypothesis], relation: str = "<="
) -> ReadClaim:
    used = {s for e in (left, right, *(h.expr for h in given)) for s in e.free_symbols}
    named = {str(s) for s in used}
    vectors = tuple(n for n in VECTORS if n in named)
    return ReadClaim({"part": part}, Claim(left, right, relation, given), vectors)


def _cauchy_schwarz() -> Iterator[ReadClaim]:
    """Of two vectors no longer than two numbers, by their squares and their product."""
    scale = DISTANCE / LENGTH
    yield _claim("two squares", 2 * ANY * ALONG, SCALE * ANY**2 + ALONG**2 / SCALE, [])
    given = [
        Hypothesis("two squares", scale * SQUARED + SPREAD / scale - 2 * PRODUCT),
        Hypothesis("length", LENGTH**2 - SQUARED),
        Hypothesis("distance", DISTANCE**2 - SPREAD),
    ]
    yield _claim("Cauchy-Schwarz", PRODUCT, LENGTH * DISTANCE, given)


def _of_pair(residual: Expr) -> list[Hypothesis]:
    """What is known of two clients, along the difference of their models."""
    gap = OWN - OTHER
    mine = residual.xreplace(_of(OWN, AT, FIRST))
    his = residual.xreplace(_of(OTHER, FAR, SECOND))
    turned = SECOND * CROSSED - FIRST * FAR
    return [
        Hypothesis("residual of i", ROOT * DISTANCE - mine * gap),
        Hypothesis("residual of j", ROOT * DISTANCE + his * gap),
        Hypothesis("smoothness", STIFF_I * gap**2 + (AT - CROSSED) * gap),
        Hypothesis("dissimilarity", BOUND * DISTANCE + turned * gap),
        Hypothesis("length", gap**2 - DISTANCE**2),
        Hypothesis("length, from above", DISTANCE**2 - gap**2),
    ]


def _of(model: Expr, slope: Expr, multiplier: Expr) -> dict[Expr, Expr]:
    """What stands for the generic client's numbers."""
    k, _ = client_symbol()
    return {MODEL[k]: model, SLOPE[k]: slope, MULTIPLIER[k]: multiplier}


def _residual(read: ConsensusRead) -> Expr:
    """The residual whose square the program takes the largest value of."""
    found = read.residual
    if found is None or not (found.is_Pow and found.exp == 2):
        raise NotReadable("no largest value of a square")
    if found.base.free_symbols & {AFTER, LOW, HIGH}:
        raise NotReadable("a residual that is not about solving a problem")
    left = found.base.xreplace(_of(OWN, AT, FIRST))
    if left.free_symbols - {OWN, AT, FIRST, SOLVER}:
        raise NotReadable("a residual that speaks of something else")
    return found.base


def _distance(read: ConsensusRead) -> Expr:
    """What the left side averages, in the squared distance of a client to the server."""
    k, _ = client_symbol()
    squares = {(MODEL[k] - AFTER) ** 2: SQUARED, (AFTER - MODEL[k]) ** 2: SQUARED}
    found = read.body.xreplace(squares)
    if found.free_symbols - {SQUARED}:
        raise NotReadable("an average of something else than of distances to the server")
    return found


class GivenOfRounds:
    """The hypotheses of a statement, as they stand in the claims.

    Parameters
    ----------
    read : ConsensusRead
    strict : set of str
    """

    def __init__(self, read: ConsensusRead, strict: frozenset[str]) -> None:
        self.read, self.strict = read, strict
        k, _ = client_symbol()
        begins = {e for m in (read.first, read.everywhere) for es in m.values() for e in es}
        ends = {MULTIPLIER[k] - LOW, HIGH - MULTIPLIER[k]}
        if not {sympy.expand(e) for e in ends} <= {sympy.expand(e) for e in begins}:
            raise NotReadable("multipliers that do not begin in an interval")
        known = {MULTIPLIER[k], STIFF[k], LOW, HIGH, TOP}
        said = (read.everywhere, read.first, read.plain)
        if any(
            {s for s in e.free_symbols if s not in (k, MULTIPLIER.label, STIFF.label)} - known
            for m in said
            for es in m.values()
            for e in es
        ):
            raise NotReadable("a hypothesis about something else")
        self.raw = sympy.Symbol("multiplier", real=True)

    @property
    def plain(self) -> list[Hypothesis]:
        """About the parameters."""
        return _named(self.read.plain, self.strict, {})

    def raw_facts(self) -> list[Hypothesis]:
        """Of the multiplier of a client, of which no sign is known."""
        every = _named(self.read.everywhere, self.strict, self._at(self.raw, STIFF_I))
        ends = [
            Hypothesis("in the interval", self.raw - LOW),
            Hypothesis("in the interval, from above", HIGH - self.raw),
        ]
        return [*self.plain, *every, *ends, Hypothesis("largest smoothness", TOP - STIFF_I)]

    def of_pair(self, ordered: bool) -> list[Hypothesis]:
        """Of the multipliers of two clients."""
        mine, his = self._at(FIRST, STIFF_I), self._at(SECOND, STIFF_J)
        pair = [
            *_named(self.read.everywhere, self.strict, mine, " of i"),
            *_named(self.read.everywhere, self.strict, his, " of j"),
        ]
        if not ordered:
            return pair
        return [
            *pair,
            Hypothesis("i in the interval", FIRST - LEAST),
            Hypothesis("the larger multiplier", SECOND - FIRST),
            Hypothesis("largest smoothness", TOP - STIFF_I),
        ]

    def least(self) -> list[Hypothesis]:
        """Of the parameters, the lower end having a sign."""
        return _named(self.read.plain, self.strict, {LOW: LEAST})

    def right(self, above: bool) -> Expr:
        """The right side, in the root of the largest squared residual."""
        found = self.read.right.xreplace({MOST: ROOT**2, **({LOW: LEAST} if above else {})})
        if found.free_symbols - {ROOT, BOUND, TOP, LOW, LEAST, HIGH}:
            raise NotReadable("a bound with something else in it")
        return found

    def _at(self, multiplier: Expr, stiff: Expr) -> dict[Expr, Expr]:
        k, _ = client_symbol()
        return {MULTIPLIER[k]: multiplier, STIFF[k]: stiff}


def _named(
    said: Mapping[str, tuple[Expr, ...]],
    strict: frozenset[str],
    at: Mapping[Expr, Expr],
    of: str = "",
) -> list[Hypothesis]:
    return [
        Hypothesis(f"{n}{of}{f' ({i})' if i else ''}", e.xreplace(dict(at)), n in strict)
        for n, es in said.items()
        for i, e in enumerate(es)
    ]
