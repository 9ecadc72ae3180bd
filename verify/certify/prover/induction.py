"""Claims on every round by induction: the first round, and each round from the one before.

Recursions of the field end this way: geometric sums, ``K/(t + gamma)``, telescoping averages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from verify.certify.checker import FORMAT
from verify.certify.prover.accepted import accepts
from verify.certify.prover.explicit import kinds, plain
from verify.certify.prover.prove import Hypothesis, certify, written_out

Expr = Any  # sympy carries no types

__all__ = ["by_induction"]


def by_induction(
    left: Expr,
    right: Expr,
    relation: str,
    hypotheses: Sequence[Hypothesis],
    rounds: Expr,
    each: Expr | None = None,
) -> dict[str, Any] | None:
    """Prove a claim on every number of rounds by induction, or return None.

    Parameters
    ----------
    left, right, relation
        As for `verify.certify.prover.prove.certify`.
    hypotheses : sequence of Hypothesis
        With the symbol `each` free one holds for every round 0, 1, 2, ...
    rounds : symbol
        Whole and positive (the first round is 1) or not negative (it is 0).
    each : symbol, optional
        Index of the hypotheses on every round.

    Returns
    -------
    dict or None
        What `verify.certify.checker.check` reads: the proofs of start and step.

    Examples
    --------
    >>> T = sympy.Symbol("T", integer=True, nonnegative=True)
    >>> t = sympy.Symbol("t", integer=True, nonnegative=True)
    >>> x, y = sympy.IndexedBase("x", real=True), sympy.IndexedBase("y", real=True)
    >>> falls = Hypothesis("each round pays", x[t] - x[t + 1] - y[t])
    >>> paid = sympy.Sum(y[t], (t, 0, T - 1))
    >>> by_induction(paid, x[0] - x[T], "<=", [falls], T, t)["proof"]["induction"]
    'T'
    """
    left, right = sympy.sympify(left), sympy.sympify(right)
    first = 1 if rounds.is_positive else 0
    fixed = [
        h
        for h in hypotheses
        if not h.expr.has(rounds)
        and (each is None or not h.expr.has(each) or each in _bound(h.expr))
    ]
    moving = [
        h for h in hypotheses if each is not None and h not in fixed and not h.expr.has(rounds)
    ]
    start = _written(
        _peeled(left.subs(rounds, first), rounds),
        _peeled(right.subs(rounds, first), rounds),
        relation,
        fixed,
    )
    if start is None:
        return None
    gap = _peeled(right, rounds) - _peeled(left, rounds)
    known = [Hypothesis("the round before", gap, relation == "<")]
    if relation == "==":
        known.append(Hypothesis("the round before, from above", -gap))
    known += [
        Hypothesis(f"{h.name}, in this round", h.expr.subs(each, rounds), h.strict) for h in moving
    ]
    step = _written(
        _peeled(left.subs(rounds, rounds + 1), rounds),
        _peeled(right.subs(rounds, rounds + 1), rounds),
        relation,
        [*fixed, *known],
    )
    if step is None:
        return None
    given = [
        {
            "name": h.name,
            "expr": plain(h.expr),
            "strict": h.strict,
            **({"each": str(each)} if h in moving else {}),
        }
        for h in hypotheses
    ]
    symbols = kinds([left, right, *(h.expr for h in hypotheses)])
    if each is not None:
        symbols.pop(str(each), None)
    document: dict[str, Any] = {
        "format": FORMAT,
        "claim": {"left": plain(left), "right": plain(right), "relation": relation},
        "given": given,
        "symbols": symbols,
        "atoms": [],
        "sums": [],
        "proof": {"induction": str(rounds), "start": start, "step": step},
    }
    return document if accepts(document) else None


def _written(
    left: Expr, right: Expr, relation: str, hypotheses: Sequence[Hypothesis]
) -> dict[str, Any] | None:
    """A proof of one claim, written out."""
    found = certify(left, right, relation, hypotheses)
    return None if found is None else written_out(found, left, right, relation, hypotheses)


def _peeled(expression: Expr, rounds: Expr) -> Expr:
    """Short sums written out, and the last term taken off sums that end with the round."""

    def peel(total: Expr) -> Expr:
        body, (index, low, high) = total.function, total.limits[0]
        if (high - low).is_Integer:
            return sympy.Add(*(body.subs(index, low + i) for i in range(int(high - low) + 1)))
        if high == rounds:
            return sympy.Sum(body, (index, low, rounds - 1)) + body.subs(index, rounds)
        return total

    single = lambda e: isinstance(e, sympy.Sum) and len(e.limits) == 1  # noqa: E731
    return sympy.sympify(expression).replace(single, peel)


def _bound(expression: Expr) -> set[Expr]:
    """Indices of the sums of an expression, where they stand nowhere else."""
    sums = expression.atoms(sympy.Sum)
    return {limit[0] for s in sums for limit in s.limits} - set(expression.free_symbols)
