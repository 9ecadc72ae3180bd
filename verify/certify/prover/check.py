"""Check a certificate on its own: signs, squares, lemmas, and the identity over the rationals.

Nothing of the search is used. That the premises follow from the claim and the hypotheses is checked
by `verify.certify.prover.prove.verify_certificate`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx

from bounds.numbers.via_flint import as_flint
from verify.certify.prover.record import Certificate, Terms
from verify.certify.prover.text import written
from verify.limits.foreign import NotAsWritten, file_of_others

NEEDS_LEMMA = ("sum", "power")

__all__ = ["cancels"]


def cancels(certificate: Certificate) -> bool:
    """Check the certificate on its own: signs, squares, lemmas, and the identity over QQ.

    This uses polynomials of flint and nothing of the search.  That the premises follow from the
    claim and the hypotheses is checked by `verify.certify.prover.prove.verify_certificate`.
    """
    try:
        with file_of_others():
            return _cancels(certificate)
    except NotAsWritten:
        return False


def _cancels(c: Certificate) -> bool:
    width = len(c.variables)
    ring = fmpq_mpoly_ctx.get([f"x{i}" for i in range(width)], Ordering.lex)
    premises = {p.name: p for p in c.premises}
    polynomials = {p.name: _polynomial(p.terms, ring, width) for p in c.premises}
    if len(premises) != len(c.premises) or written(c) != c:
        return False
    if not all(cancels(lemma) for lemma in c.lemmas):
        return False
    total, positive = ring.constant(0), False
    for multiplier, names in c.products:
        q = Fraction(multiplier)
        product = ring.constant(as_flint(q))
        for name in names:
            product *= polynomials[name]
        total += product
        positive |= all(premises[name].strict for name in names)
        if q <= 0 and c.relation != "==":
            return False
    if total:
        return False
    if c.relation == "==":
        both = sorted(lemma.relation for lemma in c.lemmas) == ["<=", "<="]
        return both if not c.products else _crosses(c)
    for p in c.premises:
        if p.kind == "square" and (p.strict or not _is_square(polynomials[p.name])):
            return False
        if p.kind in NEEDS_LEMMA and not p.lemmas:
            return False
        if any(not 0 <= i < len(c.lemmas) for i in p.lemmas):
            return False
    return positive and c.relation in ("<=", "<")


def _crosses(c: Certificate) -> bool:
    """An equality is numerator times foreign denominator, once with each sign."""
    if [p.kind for p in c.premises] != ["numerator", "denominator"] * 2:
        return False
    left, under_left, right, under_right = (p.name for p in c.premises)
    crossed = c.products == (("1", (left, under_right)), ("-1", (right, under_left)))
    return crossed and all(p.terms for p in c.premises if p.kind == "denominator")


def _polynomial(terms: Terms, ring: Any, width: int) -> Any:
    """The polynomial that the terms spell, each power once and none with coefficient zero."""
    if any(len(e) != width or min(e, default=0) < 0 for e, _ in terms):
        raise ValueError("malformed exponents")
    found = {tuple(e): as_flint(Fraction(q)) for e, q in terms}
    if len(found) != len(terms) or not all(found.values()):
        raise ValueError("a power stands twice, or with coefficient zero")
    return ring.from_dict(found)


def _is_square(polynomial: Any) -> bool:
    constant, factors = polynomial.factor_squarefree()
    return bool(constant >= 0) and all(multiplicity % 2 == 0 for _, multiplicity in factors)
