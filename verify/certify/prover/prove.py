"""Prove scalar implications exactly, with symbolic parameters and any number of clients.

`certify` looks for a proof of ``left <= right`` (or ``<``, ``==``) from hypotheses; whatever it
returns has been verified by `verify_certificate`, which does not search.  Symbols declared
positive or non-negative bring their sign along.  Formal sums over clients are treated by
`verify.certify.algebra.formal_sums`, and a hypothesis with the client index k is about every
client.

A claim is proved at all real points where both sides are defined and the hypotheses hold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import sympy

from verify.certify.algebra.formal_sums import CLIENT, Unsupported, leaves
from verify.certify.prover.accepted import accepts
from verify.certify.prover.check import cancels
from verify.certify.prover.deduction import EACH, Deduction
from verify.certify.prover.explicit import explicit, heading
from verify.certify.prover.kept import Answers
from verify.certify.prover.record import Certificate, PolynomialPremise
from verify.certify.prover.text import written

Expr = Any  # sympy carries no types

__all__ = [
    "Certificate",
    "Found",
    "Hypothesis",
    "PolynomialPremise",
    "certify",
    "certify_written",
    "heading_of",
    "searched",
    "verify_certificate",
    "written_out",
]


@dataclass(frozen=True)
class Hypothesis:
    """The hypothesis ``expr >= 0``, or ``expr > 0`` if `strict`.

    Attributes
    ----------
    name : str
        How derivations refer to it.
    expr : sympy expression
        May contain formal sums; with the client index k free it is about every client.
    strict : bool
    """

    name: str
    expr: Expr
    strict: bool = False


def certify(
    claim_left: Expr,
    claim_right: Expr,
    relation: str,
    hypotheses: Sequence[Hypothesis] = (),
    degree: int = 3,
    *,
    generic: Collection[Expr] = (),
    cap: int = 3000,
    roots: Sequence[Expr] = (),
    squares: bool = False,
) -> Certificate | None:
    """Prove ``claim_left relation claim_right`` from the hypotheses, or return None.

    Parameters
    ----------
    claim_left, claim_right : sympy expressions or numbers
        A falsehood such as ``1 <= 0`` asks whether the hypotheses contradict each other.
    relation : {"<=", "<", "=="}
    hypotheses : sequence of Hypothesis
    degree : int
        Largest number of facts multiplied with each other, at least 1.
    generic : collection of symbols
        Plain symbols that stand for the generic client, as ``r[k]`` does.
    cap : int
        Largest number of products tried in one search; beyond it the answer is None.
    roots : sequence of expressions
        Polynomials in the symbols whose squares to try besides those that the facts suggest.
    squares : bool
        Whether to look for sums of squares by semidefinite programmes where nothing else is found.

    Returns
    -------
    Certificate or None
        None says nothing about the claim.

    Raises
    ------
    ValueError
        If the relation is unknown, the degree is below 1, or one name is borne by two symbols.

    Examples
    --------
    >>> a, b = sympy.symbols("a b", real=True)
    >>> s = sympy.Symbol("s", positive=True)
    >>> print(certify(2 * a * b, s * a**2 + b**2 / s, "<=").text)
    Claim: 2*a*b <= a**2*s + b**2/s.
    (1) -a**2*s**2 + 2*a*b*s - b**2 > 0  [the claim is false, times s > 0]
    (2) a**2*s**2 - 2*a*b*s + b**2 >= 0  [a square: (a*s - b)**2]
    The weighted sum (1) + (2)
    vanishes identically, although a term is positive and none is negative: a contradiction.
    """
    found = certify_written(
        claim_left,
        claim_right,
        relation,
        hypotheses,
        degree,
        generic=generic,
        cap=cap,
        roots=roots,
        squares=squares,
    )
    return None if found is None else found[0]


def certify_written(
    claim_left: Expr,
    claim_right: Expr,
    relation: str,
    hypotheses: Sequence[Hypothesis] = (),
    degree: int = 3,
    *,
    generic: Collection[Expr] = (),
    cap: int = 3000,
    roots: Sequence[Expr] = (),
    squares: bool = False,
) -> tuple[Certificate, dict[str, Any]] | None:
    """What `certify` finds, together with what `written_out` makes of it; parameters as there."""
    found = searched(
        claim_left,
        claim_right,
        relation,
        hypotheses,
        degree,
        generic=generic,
        cap=cap,
        roots=roots,
        squares=squares,
    )
    return None if found is None else found.written


@dataclass(frozen=True)
class Found:
    """A proof as the search has left it: exact, and not checked yet.

    Attributes
    ----------
    certificate : Certificate
        Of the claim in atoms.
    deduction : Deduction
    claim : (left, right, relation)
        As it was put, with generic symbols indexed.
    given : sequence of (name, expression, strict)
    put : (left, right)
        The sides as the caller has them.
    """

    certificate: Certificate
    deduction: Deduction
    claim: tuple[Expr, Expr, str]
    given: Sequence[tuple[str, Expr, bool]]
    put: tuple[Expr, Expr]

    @cached_property
    def written(self) -> tuple[Certificate, dict[str, Any]] | None:
        """The certificate, and the proof in full; None where one of the checkers refuses it."""
        certificate = _as_put(self.certificate, *self.put, self.claim[2])
        out = explicit(self.deduction, _as_read(certificate), self.claim, self.given)
        return (certificate, out) if cancels(certificate) and accepts(out) else None


def searched(
    claim_left: Expr,
    claim_right: Expr,
    relation: str,
    hypotheses: Sequence[Hypothesis] = (),
    degree: int = 3,
    *,
    generic: Collection[Expr] = (),
    cap: int = 3000,
    roots: Sequence[Expr] = (),
    squares: bool = False,
) -> Found | None:
    """Search as `certify` does, and write nothing yet; parameters as there.

    What has been asked lately is not looked for again.
    """

    def search() -> Found | None:
        try:
            claim, given = _as_given(claim_left, claim_right, relation, hypotheses, generic)
            deduction, left, right = _set_up(
                claim_left, claim_right, relation, hypotheses, degree, generic, cap, roots, squares
            )
            found = None if deduction.fails else deduction.prove(left, right, relation)
        except (Unsupported, sympy.PolynomialError):
            return None
        put = claim_left, claim_right
        return None if found is None else Found(found, deduction, claim, given, put)

    asked = (
        claim_left,
        claim_right,
        relation,
        tuple(hypotheses),
        frozenset(generic),
        cap,
        tuple(roots),
        squares,
    )
    return _ANSWERS.of(asked, degree, search)


_ANSWERS: Answers[Any] = Answers()


def verify_certificate(
    certificate: Certificate,
    claim_left: Expr | None = None,
    claim_right: Expr | None = None,
    relation: str | None = None,
    hypotheses: Sequence[Hypothesis] | None = None,
    *,
    generic: Collection[Expr] = (),
) -> bool:
    """Check a certificate without searching for its multipliers.

    With the certificate alone, the identity, the signs, the squares and the lemmas are checked
    in exact arithmetic.  With the claim as well, each premise is derived anew from the claim and
    the hypotheses and compared: only then is it known that the certificate proves this claim.

    Parameters
    ----------
    certificate : Certificate
    claim_left, claim_right, relation, hypotheses, generic
        As for `certify`; all of the first four or none.

    Returns
    -------
    bool
    """
    if not cancels(certificate):
        return False
    if relation is None:
        return True
    if relation != certificate.relation:
        return False
    try:
        deduction, left, right = _set_up(
            claim_left, claim_right, relation, hypotheses or (), 3, generic, 3000
        )
        put = _as_put(certificate, claim_left, claim_right, relation)
        return (
            put == certificate
            and not deduction.fails
            and deduction.supports(_as_read(put), left, right)
        )
    except (Unsupported, sympy.PolynomialError):
        return False


def written_out(
    certificate: Certificate,
    claim_left: Expr,
    claim_right: Expr,
    relation: str,
    hypotheses: Sequence[Hypothesis] = (),
    *,
    generic: Collection[Expr] = (),
) -> dict[str, Any]:
    """Write a certificate of this claim out in full, for the stand-alone checker.

    Parameters
    ----------
    certificate : Certificate
        One that `verify_certificate` accepts for this claim.
    claim_left, claim_right, relation, hypotheses, generic
        As for `certify`.

    Returns
    -------
    dict
        What `verify.certify.checker.check` reads.
    """
    deduction, _, _ = _set_up(claim_left, claim_right, relation, hypotheses, 3, generic, 3000)
    claim, given = _as_given(claim_left, claim_right, relation, hypotheses, generic)
    return explicit(deduction, _as_read(certificate), claim, given)


def heading_of(
    claim_left: Expr, claim_right: Expr, relation: str, hypotheses: Sequence[Hypothesis] = ()
) -> dict[str, Any]:
    """What every document that proves this claim must say before its proof.

    Parameters
    ----------
    claim_left, claim_right, relation, hypotheses
        As for `certify`.

    Returns
    -------
    dict
        Its format, the claim, the hypotheses, and the kinds of the symbols.
    """
    claim, given = _as_given(claim_left, claim_right, relation, hypotheses, ())
    _validate(claim, given, 1)
    return heading(claim, given)


def _set_up(
    claim_left: Expr,
    claim_right: Expr,
    relation: str,
    hypotheses: Sequence[Hypothesis],
    degree: int,
    generic: Collection[Expr],
    cap: int,
    roots: Sequence[Expr] = (),
    squares: bool = False,
) -> tuple[Deduction, Expr, Expr]:
    """Validate, give generic symbols the client index, and collect the facts."""
    (left, right, _), given = _as_given(claim_left, claim_right, relation, hypotheses, generic)
    _validate((left, right, relation), given, degree)
    deduction = Deduction(
        (left, right), relation, given, degree=degree, cap=cap, roots=roots, squares=squares
    )
    return deduction, *deduction.claim


def _validate(
    claim: tuple[Expr, Expr, str], given: Sequence[tuple[str, Expr, bool]], degree: int
) -> None:
    """Refuse what cannot be meant."""
    left, right, relation = claim
    if relation not in ("<=", "<", "=="):
        raise ValueError(f"relation must be <=, < or ==, got {relation}: swap the sides for >=.")
    if degree < 1:
        raise ValueError(f"degree must be at least 1, got {degree}: 3 is usual.")
    _one_symbol_per_name([left, right, *(expression for _, expression, _ in given)])


def _as_given(
    left: Expr,
    right: Expr,
    relation: str,
    hypotheses: Sequence[Hypothesis],
    generic: Collection[Expr],
) -> tuple[tuple[Expr, Expr, str], list[tuple[str, Expr, bool]]]:
    """Claim and hypotheses with the client index on generic symbols."""
    indexed = {g: sympy.IndexedBase(g.name, **_assumptions(g))[CLIENT] for g in generic}
    sides = [sympy.sympify(side).xreplace(indexed) for side in (left, right)]
    given = [(h.name, sympy.sympify(h.expr).xreplace(indexed), h.strict) for h in hypotheses]
    return (sides[0], sides[1], relation), given


def _as_put(certificate: Certificate, left: Expr, right: Expr, relation: str) -> Certificate:
    """Show the claim as the caller wrote it, besides its reading in atoms."""
    left, right = sympy.sympify(left), sympy.sympify(right)
    sign = {"<=": r"\le", "<": "<", "==": "="}[relation]
    reading = certificate.reading or certificate.claim
    reading_tex = certificate.reading_tex or certificate.claim_tex
    if reading.removesuffix(EACH) == f"{left} {relation} {right}":
        return replace(
            certificate, claim=reading, claim_tex=reading_tex, reading="", reading_tex=""
        )
    return written(
        replace(
            certificate,
            claim=f"{left} {relation} {right}",
            claim_tex=f"{sympy.latex(left)} {sign} {sympy.latex(right)}",
            reading=reading,
            reading_tex=reading_tex,
        )
    )


def _as_read(certificate: Certificate) -> Certificate:
    """Show the claim in atoms alone, as it was proved."""
    c = certificate
    return (
        written(replace(c, claim=c.reading, claim_tex=c.reading_tex, reading="", reading_tex=""))
        if c.reading
        else c
    )


def _assumptions(symbol: Expr) -> Mapping[str, bool]:
    """The sign assumptions of a symbol, for the indexed symbol that replaces it."""
    kinds = ("real", "positive", "nonnegative", "integer")
    return {kind: True for kind in kinds if getattr(symbol, f"is_{kind}")}


def _one_symbol_per_name(expressions: Sequence[Expr]) -> None:
    """Two symbols that print alike but differ in assumptions would be two unrelated variables."""
    names: dict[str, Expr] = {}
    for expression in expressions:
        for name, symbol in _named(expression):
            if names.setdefault(name, symbol) != symbol:
                raise ValueError(
                    f"symbols must have one meaning per name, got two called {symbol}: "
                    "declare it once and pass it around."
                )


@lru_cache(maxsize=4_000)
def _named(expression: Expr) -> tuple[tuple[str, Expr], ...]:
    """Symbols of an expression by name: claims of one set share most of their hypotheses."""
    return tuple((str(symbol), symbol) for symbol in leaves(expression))
