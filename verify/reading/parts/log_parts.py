r"""Claims with numbers in place of logarithms, and what is known of logarithms of two numbers.

Of the logarithm it is used that it turns products into sums, grows, and is at most :math:`y-1` at
y > 0: for positive A and B,

.. math:: \ln A-\ln B\le\frac AB-1, \qquad \pm(\ln A+\ln B)\le(AB)^{\pm1}-1,
          \qquad 1-\frac1A\le\ln A\le A-1 .

An exponential is a number whose logarithm is its exponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations, permutations
from typing import Any

from verify.reading.parts.claim import Claim, each, said, unused_name

__all__ = ["with_logarithms"]

Expr = Any  # sympy carries no types

MOST = 5
"""Logarithms that get a symbol."""


def with_logarithms(claim: Claim, meanings: dict[str, str], split: bool) -> Claim:
    """Numbers in place of logarithms of positive numbers.

    Parameters
    ----------
    claim : (left, right, relation, hypotheses)
    meanings : dict
        By name what the new symbols stand for; the new ones are put in.
    split : bool
        Whether a logarithm of a product is the sum of those of its factors.

    Returns
    -------
    claim : (left, right, relation, hypotheses)
        As it was where it has no logarithm, one of a number that is not seen to be positive, one
        that differs from client to client, or too many.
    """
    import sympy

    whole, given = claim, claim.hypotheses
    if split:
        claim = each(claim, partial(_split, given))
    logs = {p for e in said(claim) for p in e.atoms(sympy.log)}
    powers = {p for e in said(claim) for p in e.atoms(sympy.exp)}
    arguments = sorted({p.args[0] for p in logs}, key=str)
    exponents = sorted({_exponent(p) for p in powers}, key=str)
    if not arguments or len(arguments) + len(exponents) > MOST:
        return whole
    if any(e.has(sympy.Sum, sympy.Indexed, sympy.log) for e in (*arguments, *exponents)):
        return whole
    if not all(_positive(a, given) for a in arguments):
        return whole
    table: dict[Expr, Expr] = {}
    pairs: list[tuple[Expr, Expr]] = []
    for a in arguments:
        name = unused_name("logarithm", claim, meanings)
        above = _positive(a - 1, given)
        symbol = sympy.Symbol(name, **({"positive": True} if above else {"real": True}))
        meanings[name] = str(sympy.log(a))
        table[sympy.log(a)] = symbol
        pairs.append((a, symbol))
    for e in exponents:
        name = unused_name("power", claim, meanings)
        symbol = sympy.Symbol(name, positive=True)
        meanings[name] = str(sympy.exp(e))
        table |= {sympy.exp(e): symbol, sympy.exp(-e): 1 / symbol}
        pairs.append((symbol, e))
    left, right, relation, hypotheses = each(claim, lambda e: e.xreplace(table))
    return Claim(left, right, relation, [*hypotheses, *_known(pairs, given)])


def _exponent(power: Expr) -> Expr:
    e = power.args[0]
    return -e if e.could_extract_minus_sign() else e


def _split(given: Sequence[Any], e: Expr) -> Expr:
    """Logarithms of factors in place of those of products, where the factors are positive."""
    import sympy

    found = {}
    for one in e.atoms(sympy.log):
        number, terms = sympy.Integer(1), []
        top, bottom = sympy.fraction(sympy.factor(one.args[0]))
        for sign, product in ((1, top), (-1, bottom)):
            for factor in sympy.Mul.make_args(product):
                base, power = factor.as_base_exp()
                if factor.is_number:
                    number *= factor**sign
                    continue
                if not _positive(base, given) and power.is_Integer:
                    base, number = -base, number * (-1) ** power
                terms.append(sign * power * sympy.log(base))
        found[one] = sympy.Add(*terms, sympy.log(number))
    return e.xreplace(found)


def _known(pairs: Sequence[tuple[Expr, Expr]], given: Sequence[Any]) -> Iterator[Any]:
    """What is known of numbers and their logarithms, with what they are divided by multiplied."""
    from verify.certify.prover.prove import Hypothesis

    for a, log in pairs:
        yield Hypothesis(f"log {a} is at most {a} - 1", a - 1 - log)
        yield Hypothesis(f"log {a} is at least 1 - 1/({a})", a * log - a + 1)
    for (a, log), (b, other) in combinations(pairs, 2):
        if a.is_number and b.is_number:
            continue
        yield Hypothesis(f"log {a} + log {b} at most", a * b - 1 - log - other)
        yield Hypothesis(f"log {a} + log {b} at least", a * b * (log + other) - a * b + 1)
    for (a, log), (b, other) in permutations(pairs, 2):
        if a.is_number and b.is_number:
            continue
        yield Hypothesis(f"log {a} - log {b} at most", a - b - b * (log - other))
        if _not_negative(a - b, given):
            yield Hypothesis(f"log {a} is at least log {b}", log - other)


def _positive(e: Expr, given: Sequence[Any]) -> bool:
    return bool(e.is_positive) or any(_more(e, h.expr, h.strict) for h in given)


def _not_negative(e: Expr, given: Sequence[Any]) -> bool:
    return bool(e.is_nonnegative) or any(_more(e, h.expr, True) for h in given)


@lru_cache(4_000)
def _more(e: Expr, known: Expr, strict: bool) -> bool:
    """Whether a number is a multiple of what is known not to be negative, and a positive number
    more; where that is known to be positive, or zero is enough, no more."""
    import sympy

    for symbol in sorted(known.free_symbols, key=str):
        times = sympy.expand(e).coeff(symbol)
        share = sympy.expand(known).coeff(symbol)
        if not (share.is_Number and times.is_Number and times * share > 0):
            continue
        rest = sympy.expand(e - times / share * known)
        if rest.is_nonnegative if strict else rest.is_positive:
            return True
    return False
