"""Claims with positive numbers in place of exponentials: in the order of their exponents."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.reading.parts.claim import Claim, each, said, unused_name

__all__ = ["with_powers"]

Expr = Any


def with_powers(claim: Claim, meanings: dict[str, str]) -> Claim:
    """Positive numbers in place of exponentials, ordered as hypotheses order the exponents."""
    import sympy

    from verify.certify.prover.prove import Hypothesis

    k, _ = client_symbol()
    powers = {p for e in said(claim) for p in e.atoms(sympy.exp)}
    table: dict[Expr, Expr] = {}
    values: dict[Expr, Expr] = {}
    for power in sorted(powers, key=str):
        bound = sorted({i for e in power.atoms(sympy.Indexed) for i in e.indices}, key=str)
        if len(bound) > 1 or power.has(sympy.Sum):
            return claim
        minus = power.args[0].could_extract_minus_sign()
        body = (-power.args[0] if minus else power.args[0]).xreplace(dict.fromkeys(bound, k))
        if body not in values:
            name = unused_name("power", claim, meanings)
            values[body] = (
                sympy.IndexedBase(name, positive=True)[k]
                if bound
                else sympy.Symbol(name, positive=True)
            )
            meanings[name] = str(sympy.exp(body))
        value = values[body].xreplace({k: bound[0]}) if bound else values[body]
        table[power] = 1 / value if minus else value
    if not table:
        return claim
    facts = []
    for (low, one), (high, other) in permutations(values.items(), 2):
        for h in claim[3]:
            if _positive_multiple(high - low, h.expr):
                facts.append(Hypothesis(f"{other} is at least {one}", other - one))
                break
    left, right, relation, given = each(claim, lambda e: e.xreplace(table))
    return Claim(left, right, relation, [*given, *facts])


@lru_cache(4_000)
def _positive_multiple(gap: Expr, known: Expr) -> bool:
    """Whether the quotient of two expressions is positive by its form."""
    import sympy

    from verify.certify.algebra.formal_sums import leaves

    if known == 0 or not all(s.is_positive for s in leaves(known) ^ leaves(gap)):
        return False  # a symbol of any sign would be left
    return bool(sympy.factor_terms(sympy.cancel(gap / known)).is_positive)
