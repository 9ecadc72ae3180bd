"""Claims whose two sides differ by a product: the factors of known sign are left out and put back.

Where the claim says that ``f g >= 0`` with f a product of squares and of symbols that are not
negative, a proof of ``g >= 0`` becomes one of the claim: each of its products is multiplied by f,
which makes the supposition ``g < 0`` the supposition that the claim is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx

from bounds.numbers.via_flint import as_flint, from_flint
from verify.certify.algebra.facts import Fact, Polynomial, square, symbol_facts
from verify.certify.prover.refutation import Refutation, refute

__all__ = ["without_factors"]


def without_factors(
    facts: Sequence[Fact], variables: Sequence[str], real: Sequence[bool], **search: Any
) -> Refutation | None:
    """Refute facts of which the first is the negated claim, less its factors of known sign.

    Parameters
    ----------
    facts, variables, real, search
        As for `verify.certify.prover.refutation.refute`.

    Returns
    -------
    Refutation or None
        Of the facts as they were given; None where there is no such factor, or no refutation.
    """
    claim, *others = facts
    if not variables or claim.kind != "negation" or not claim.terms:
        return None
    split = _split(claim.polynomial, variables, real, symbol_facts(facts))
    if split is None:
        return None
    rest, roots, signs = split
    reduced = replace(claim, terms=Fact.of("", rest, claim.strict).terms)
    found = refute([reduced, *others], variables, real, **search)
    if found is None:
        return None
    known = [claim, *found.facts[1:]]
    place = {fact.terms: i for i, fact in enumerate(known) if fact.kind == "square"}
    factors = []
    for root in roots:
        fact = square(root, variables)
        if fact.terms not in place:  # a fact stands once, however often it is multiplied
            place[fact.terms] = len(known)
            known.append(fact)
        factors.append(place[fact.terms])
    products = []
    for q, used in found.products:
        if used.count(0) > 1:
            return None  # the factors would be needed twice
        products.append((q, used if 0 in used else tuple(sorted([*used, *factors, *signs]))))
    if not any(all(known[i].strict for i in used) for _, used in products):
        return None
    return Refutation(tuple(known), tuple(products))


def _split(
    polynomial: Polynomial, variables: Sequence[str], real: Sequence[bool], sign: dict[int, int]
) -> tuple[Polynomial, list[Polynomial], list[int]] | None:
    """What is left of a polynomial, the roots of squares taken out, and facts on symbols."""
    ring = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(variables))], Ordering.lex)
    table = {m: as_flint(c) for m, c in polynomial.items()}
    # that of sympy takes minutes on one polynomial in some hundreds, at random
    constant, factors = ring.from_dict(table).factor()
    rest = ring.constant(constant)
    roots: list[Polynomial] = []
    signs: list[int] = []
    for factor, multiplicity in factors:
        terms = _terms(factor)
        single = len(terms) == 1 and sum(next(iter(terms))) == 1
        place = next(iter(terms)).index(1) if single else -1
        free = {v for m in terms for v, e in enumerate(m) if e}
        if place in sign:
            signs += [sign[place]] * multiplicity
        elif multiplicity > 1 and all(real[v] for v in free):
            roots += [terms] * (multiplicity // 2)
            rest *= factor ** (multiplicity % 2)
        else:
            rest *= factor**multiplicity
    return (_terms(rest), roots, signs) if roots or signs else None


def _terms(poly: Any) -> Polynomial:
    return {tuple(map(int, m)): from_flint(c) for m, c in poly.terms()}
