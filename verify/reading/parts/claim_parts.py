"""The formulas of a claim: all of them, each of them changed, and names that none of them has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from verify.reading.clients.symbols import Claim

__all__ = ["each", "said", "unused_name"]

Expr = Any


def said(claim: Claim) -> list[Expr]:
    import sympy

    return [sympy.sympify(e) for e in (claim[0], claim[1], *(h.expr for h in claim[3]))]


def each(claim: Claim, rule: Callable[[Expr], Expr]) -> Claim:
    import sympy

    from verify.certify.prover.prove import Hypothesis

    left, right, relation, given = claim
    return (
        rule(sympy.sympify(left)),
        rule(sympy.sympify(right)),
        relation,
        [Hypothesis(h.name, rule(h.expr), h.strict) for h in given],
    )


def unused_name(word: str, claim: Claim, taken: Mapping[str, str]) -> str:
    """A name that nothing in the claim has."""
    used = {str(s) for e in said(claim) for s in e.free_symbols} | set(taken)
    return next(n for n in (f"{word}{i}" for i in count()) if n not in used)
