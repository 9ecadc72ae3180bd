r"""Claims about the mean distance of walks towards a minimum.

With the mean distances :math:`V_k` and mean squares :math:`E_k` of a walk that takes a step e with
chance a, towards the minimum with chance :math:`(1 + s)/2`,

.. math:: E_{k+1} \le E_k - 2eas\,V_k + e^2a, \qquad E_k \ge 0, \qquad V_k \le |x^0| + ke ,

so that :math:`2eas\sum_{k<K}V_k \le (x^0)^2 + Ke^2a` by induction on K.  A side that is c times
this sum is thus, where :math:`c = sc'`, at most :math:`c'((x^0)^2 + Ke^2a)/(2ea)`; with what is
beside it taken to the other side, which is not negative then, squares are compared, in which there
are no roots.  Without a step, which is claimed to be without a start only, all distances are zero.
Instead of a distance V may be anything else of which this is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.claim.parameters import Family
from verify.claim.statement import Statement
from verify.reading.parts.claim import Claim
from verify.reading.parts.factored import cancelled, factored
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import domain_facts
from verify.reading.walks.reading import K, WalkRead

Expr = Any  # sympy carries no types

SUM, SQUARE, AWAY = sympy.symbols("distances square away", nonnegative=True)
"""The sum so far, the mean square now, and the mean distance now."""
PARTS = SHARE, START, STEP, AWAKE = sympy.symbols(
    "walk_share walk_start walk_step walk_awake", nonnegative=True
)

__all__ = ["walk_claims"]


def walk_claims(
    statement: Statement, family: Family, read: WalkRead, fewest: int
) -> Iterator[tuple[str, Claim]]:
    """Claims that imply what is read of so many rounds or more, each with a name.

    Raises
    ------
    NotReadable
        Where a side is no root, or of a sign that is not seen.
    """
    start, step, awake = (read.walk[word] for word in ("start", "step", "awake"))
    factor = cancelled(sympy.expand(read.factor) / read.walk["share"])
    if sympy.fraction(factor)[1].free_symbols & read.walk["share"].free_symbols:
        raise NotReadable("a side that is not zero where the share is")
    known = [*_known(statement, family, read), Hypothesis("rounds", K - fewest)]
    taken: dict[Expr, Expr] = {}
    bound = cancelled(read.right - read.rest)
    for base in sorted(_bases(factor, bound, step, awake), key=str):
        taken[base] = sympy.Symbol(f"base_{len(taken)}", nonnegative=True)
        yield f"root {len(taken)}", Claim(sympy.Integer(0), base, "<=", known)
    if not bound.xreplace(taken).is_nonnegative:
        yield "the bound", Claim(read.rest, read.right, "<=", known)
    for e in (factor, step, awake):
        if not e.xreplace(taken).is_nonnegative:
            raise NotReadable("a side of which no sign is seen")
    yield from _sums()
    most = _square(start) + K * awake * _square(step)
    left = _square(factor) * most**2
    right = 4 * _square(step) * awake**2 * _square(bound)
    yield "the mean", Claim(*_whole(left, right), "<=", known)
    sizes = sympy.Mul(*read.sizes.values())
    yield "no step", Claim(*_whole(_square(start), K * sizes * _square(step)), "<=", known)
    yield "steps are drawn", Claim(sympy.Integer(0), awake, "<", known)


def _sums() -> Iterator[tuple[str, Claim]]:
    """By induction on the number of rounds."""
    slope, noise = 2 * STEP * AWAKE * SHARE, STEP**2 * AWAKE
    most = START**2 + K * noise
    so_far = Hypothesis("so far", most - slope * SUM - SQUARE)
    after = SQUARE - slope * AWAY + noise
    more = slope * (SUM + AWAY) + after
    yield "one more round", Claim(more, START**2 + (K + 1) * noise, "<=", [so_far])
    yield "all rounds", Claim(slope * SUM, most, "<=", [so_far])


def _bases(*formulas: Expr) -> set[Expr]:
    """What there are roots of whose sign is not seen."""
    powers = {p for e in formulas for p in e.atoms(sympy.Pow) if not p.exp.is_Integer}
    return {p.base for p in powers if not p.base.is_nonnegative}


@lru_cache(500)
def _square(e: Expr) -> Expr:
    """The square of a side, in which there are no roots; several claims have the same."""
    found = sympy.powdenest(sympy.expand_power_base(e**2), force=False)
    found = cancelled(sympy.simplify(found))
    if any(not p.exp.is_Integer for p in found.atoms(sympy.Pow)):
        raise NotReadable("a side that is not a root")
    return found


def _whole(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Both sides without what they have in common that is positive."""
    one, other = (factored(e) for e in (left, right))
    common = [f for f in sympy.Mul.make_args(one) if f.is_positive and other.has(f)]
    for f in common:
        one, other = cancelled(one / f), cancelled(other / f)
    return one, other


def _known(statement: Statement, family: Family, read: WalkRead) -> list[Hypothesis]:
    """Domains, hypotheses, whole numbers, and that the chance of a step is one."""
    strict = statement.strict
    found = [Hypothesis(n, e, n in strict) for n, e in read.margins.items()]
    for name, real in family.box.items():
        symbol = next((s for s in _symbols(read) if str(s) == name), None)
        if symbol is not None:
            found += domain_facts(name, real, symbol)
    found += [Hypothesis(f"{n} whole", s - 1) for n, s in read.sizes.items()]
    return [*found, Hypothesis("a chance", 1 - read.walk["awake"])]


def _symbols(read: WalkRead) -> set[Expr]:
    every = (read.factor, read.rest, read.right, *read.walk.values(), *read.margins.values())
    return {s for e in every for s in e.free_symbols}
