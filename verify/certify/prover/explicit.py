"""Write a certificate out in full, so that the stand-alone checker can follow every step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy

from verify.certify.algebra.formal_sums import CLIENT, CLIENTS
from verify.certify.checker import FORMAT
from verify.certify.prover.deduction import Deduction
from verify.certify.prover.known_facts import KnownFact
from verify.certify.prover.record import Certificate, PolynomialPremise
from verify.certify.prover.text import polynomial_text

Expr = Any  # sympy carries no types

RULES = {
    "negation": "claim is false",
    "hypothesis": "hypothesis",
    "definition": "definition",
    "symbol": "declared",
    "square": "squares",
    "power": "power",
}

__all__ = ["explicit", "heading", "kinds", "plain"]


def explicit(
    deduction: Deduction,
    certificate: Certificate,
    claim: tuple[Expr, Expr, str],
    given: Sequence[tuple[str, Expr, bool]],
) -> dict[str, Any]:
    """The proof that a certificate records, with the rule by which each fact follows.

    Parameters
    ----------
    deduction : Deduction
        Where the certificate was found, or one set up for the same claim.
    certificate : Certificate
    claim : (left, right, relation)
        As it was put.
    given : sequence of (name, expression, strict)
        The hypotheses as they were put.

    Returns
    -------
    dict
        What `verify.certify.checker.check` reads.
    """
    translation = deduction.translation
    atoms = sorted(translation.definitions, key=lambda a: _depth(a, translation.definitions))
    return {
        **heading(claim, given),
        "atoms": [[str(a), plain(translation.definitions[a])] for a in atoms],
        "sums": [
            {
                "over": f"({', '.join(map(plain, edges))})",
                "parts": [[plain(c), plain(s)] for c, s in parts],
            }
            for edges, parts in dict.fromkeys(translation.splits)
        ],
        "proof": _proof(deduction, certificate, *deduction.claim),
    }


def heading(
    claim: tuple[Expr, Expr, str], given: Sequence[tuple[str, Expr, bool]]
) -> dict[str, Any]:
    """What a document says before its proof: the claim, its hypotheses, and the kinds of symbols.

    Parameters
    ----------
    claim, given
        As for :func:`explicit`.
    """
    left, right, relation = claim
    return {
        "format": FORMAT,
        "claim": {"left": plain(left), "right": plain(right), "relation": relation},
        "given": [{"name": n, "expr": plain(e), "strict": strict} for n, e, strict in given],
        "symbols": kinds([left, right, *(e for _, e, _ in given)]),
    }


def plain(expression: Expr) -> str:
    """An expression in the notation of the checker: numbers as quotients of whole ones."""
    return _said(sympy.sympify(expression))


@lru_cache(maxsize=4_000)
def _said(e: Expr) -> str:
    """Claims of one set share most of their hypotheses."""
    floats = {f: sympy.Rational(f) for f in e.atoms(sympy.Float)}
    return str(e.xreplace(floats) if floats else e)


def _proof(
    deduction: Deduction, c: Certificate, left: Expr, right: Expr, known: int | None = None
) -> dict[str, Any]:
    """One proof with its lemmas; ``known`` is how many facts there were when it was asked for."""
    lemmas = list(c.lemmas)
    if c.relation == "==":
        pairs = ((left, right), (right, left))
        proofs = [_proof(deduction, x, *pair) for x, pair in zip(lemmas, pairs, strict=False)]
        facts, products = [], []
    else:
        sources = deduction.sources(c, left, right, known)
        proofs = [_proof(deduction, x, *deduction.asked(x)) for x in lemmas]
        facts = [_fact(p, k, c.variables) for p, k in zip(c.premises, sources, strict=True)]
        place = {p.name: i for i, p in enumerate(c.premises)}
        products = [[q, [place[name] for name in names]] for q, names in c.products]
    return {
        "left": plain(left),
        "right": plain(right),
        "relation": c.relation,
        "facts": facts,
        "products": products,
        "lemmas": proofs,
    }


def _fact(
    p: PolynomialPremise, known: KnownFact | None, variables: Sequence[str]
) -> dict[str, Any]:
    """One fact with its rule and what that speaks of."""
    polynomial = polynomial_text(p.terms, variables)
    rule: Any = RULES.get(p.kind, "")
    about: Any = None
    times: Sequence[tuple[Expr, int]] = ()
    if p.kind == "square":
        about = [["1", p.name.removesuffix("**2")]]
    elif known is not None:
        times, about = known.times, known.about
        if p.kind == "sum":
            rule, about = _sum_rule(p, about)
        elif p.kind in ("definition", "power"):
            about = str(about)
    return {
        "polynomial": polynomial,
        "strict": p.strict,
        "rule": rule,
        "about": about,
        "times": [[plain(f), int(e)] for f, e in times],
        "lemmas": list(p.lemmas),
    }


def _sum_rule(p: PolynomialPremise, about: Any) -> tuple[str, Any]:
    """Which of the rules on sums a fact follows by, and its parts."""
    if p.reason.startswith("Cauchy-Schwarz"):
        return "Cauchy-Schwarz", [str(x) for x in about]
    if p.reason.startswith("one of the terms"):
        return "term", str(about)
    return "sum", [[plain(c), str(atom)] for c, atom in about]


def kinds(expressions: Sequence[Expr]) -> dict[str, str]:
    """Declared kinds of symbols and of families of symbols, by name."""
    found: dict[str, str] = {}
    for e in expressions:
        found |= _kinds_in(sympy.sympify(e))
    return dict(sorted(found.items()))


@lru_cache(maxsize=4_000)
def _kinds_in(e: Expr) -> dict[str, str]:
    """Of one expression, kept as what is said of it is."""
    found: dict[str, str] = {}
    bound = {limit[0] for s in e.atoms(sympy.Sum) for limit in s.limits}
    for symbol in _leaves(e):
        if symbol not in (CLIENT, CLIENTS) and symbol not in bound:
            name = symbol.base.label.name if isinstance(symbol, sympy.Indexed) else symbol.name
            found[name] = _kind(symbol)
    return found


def _leaves(e: Expr) -> set[Expr]:
    """Symbols and indexed symbols, an indexed symbol counting once."""
    if e.is_Symbol or isinstance(e, sympy.Indexed):
        return {e}
    return {leaf for part in e.args for leaf in _leaves(part)}


def _kind(symbol: Expr) -> str:
    """The strongest sign that was declared, and whether the value is whole."""
    signs = ("positive", "negative", "nonnegative", "nonpositive")
    sign = next((s for s in signs if getattr(symbol, f"is_{s}")), "")
    if symbol.is_integer and sign in ("positive", "nonnegative", ""):
        return f"{sign} integer".strip()
    return sign or ("real" if symbol.is_extended_real else "complex")


def _depth(e: Expr, definitions: Mapping[Expr, Expr]) -> int:
    """How deep functions are nested; an atom stands after those that its meaning names."""
    if e in definitions:
        return _depth(definitions[e], definitions)
    inner = max((_depth(part, definitions) for part in e.args), default=0)
    rational = e.is_Add or e.is_Mul or isinstance(e, sympy.Tuple | sympy.Indexed) or e.is_Atom
    whole = e.is_Pow and e.exp.is_Integer
    return inner + (0 if rational or whole else 1)
