r"""From the line to every dimension: proofs of claims in inner products and squared norms.

A claim about vectors that is linear in their inner products reads, on the line, as a polynomial
each of whose monomials contains no vector symbol or two: :math:`\langle x,y\rangle` becomes
:math:`xy`.  Replacing xy by the inner product is linear on such polynomials, so an identity

.. math:: \sum_j q_j P_j \equiv 0

between products of facts goes over to every dimension, provided that each product does: at most one
of its factors contains vectors, and that one is a hypothesis or the negated claim (read as an inner
product form), a sum of such facts, or a square of a linear combination of vectors (then a squared
norm).  The Cauchy-Schwarz inequality between sums over clients is one coordinate by coordinate.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import sympy
from sympy.parsing.sympy_parser import parse_expr

from verify.certify.prover.record import Certificate, PolynomialPremise
from verify.limits.foreign import NotAsWritten, file_of_others

Expr = Any  # sympy carries no types
_FUNCTIONS = {
    "Sum": sympy.Sum,
    "sqrt": sympy.sqrt,
    "Max": sympy.Max,
    "Min": sympy.Min,
    "Abs": sympy.Abs,
    "exp": sympy.exp,
    "log": sympy.log,
}
_LINEAR = ("hypothesis", "negation", "sum", "square", "numerator", "denominator")
"""Kinds of premises that may speak of vectors."""

__all__ = ["NotLinear", "degree", "lifts"]


class NotLinear(ValueError):
    """An expression is not homogeneous in the vectors."""


def lifts(certificate: Certificate, vectors: Collection[str]) -> bool:
    """Whether a proof on the line proves the claim in every dimension.

    Parameters
    ----------
    certificate : Certificate
        Of the claim with one coordinate of each vector.
    vectors : collection of str
        Names of the symbols, indexed or not, that stand for vectors.

    Returns
    -------
    bool
        That the claim and its hypotheses mean the same in every dimension as on the line, with
        inner products for products, is for the caller to know.
    """
    if not vectors:
        return True
    try:
        with file_of_others(NotLinear):
            return _lifts(certificate, frozenset(vectors))
    except (NotLinear, SyntaxError, NotAsWritten):
        return False


def degree(expression: Expr, vectors: Mapping[str, int]) -> int:
    """Degree of a homogeneous expression in the vectors; `vectors` gives that of known names.

    Raises
    ------
    NotLinear
        If terms of several degrees are added, or a vector stands under a root or in a function.
    """
    if expression.is_Symbol or isinstance(expression, sympy.Indexed):
        return vectors.get(str(expression), vectors.get(str(expression).partition("[")[0], 0))
    if isinstance(expression, sympy.Sum):
        return degree(expression.function, vectors)
    parts = [degree(part, vectors) for part in expression.args]
    if not any(parts):
        return 0
    if expression.is_Add and len(set(parts)) == 1:
        return parts[0]
    if expression.is_Mul:
        return sum(parts)
    if expression.is_Pow and expression.exp.is_Integer and expression.exp > 0:
        return int(parts[0] * expression.exp)
    raise NotLinear(f"{expression} is not homogeneous in the vectors")


def _lifts(c: Certificate, vectors: frozenset[str]) -> bool:
    known = dict.fromkeys(vectors, 1)
    for name, meaning, _ in c.definitions:
        known[name] = degree(_parsed(meaning), known)
    powers = [known.get(v, known.get(v.partition("[")[0], 0)) for v in c.variables]
    weights = {p.name: _weight(p, powers) for p in c.premises}
    if c.relation == "==" and c.products:  # both sides are one polynomial
        return not any(weights[p.name] for p in c.premises if p.kind == "denominator")
    several = any(sum(weights[name] > 0 for name in names) > 1 for _, names in c.products)
    return not several and all(_lifts(lemma, vectors) for lemma in c.lemmas)


def _weight(premise: PolynomialPremise, powers: list[int]) -> int:
    """Degree of a premise in the vectors, 0 or 2."""
    degrees = {
        sum(e * p for e, p in zip(exponents, powers, strict=True)) for exponents, _ in premise.terms
    }
    if degrees <= {0}:
        return 0
    if not degrees <= {0, 2} or premise.kind not in _LINEAR:
        raise NotLinear(f"{premise.name} is not linear in inner products")
    if premise.kind == "square" and degrees != {2}:
        raise NotLinear(f"{premise.name} is no squared norm")
    return 2


def _parsed(text: str) -> Expr:
    """An expression as it was printed; every name is a symbol, an indexed one before a bracket."""
    names: dict[str, Any] = dict(_FUNCTIONS)
    for name, bracket in re.findall(r"([A-Za-z_]\w*)(\[?)", text):
        if name not in _FUNCTIONS:
            names[name] = sympy.IndexedBase(name) if bracket else sympy.Symbol(name)
    return parse_expr(text, local_dict=names)
