"""Facts that declarations and sums bring along, each with the proofs it rests on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any

import sympy

from verify.certify.algebra.facts import Fact, square
from verify.certify.algebra.formal_sums import CLIENT, CLIENTS, FormalSum, Translation, leaves
from verify.certify.algebra.quotients import cancelled, polynomial_terms, value_of
from verify.certify.prover.record import Certificate, PolynomialPremise, Terms

Expr = Any  # sympy carries no types
Prove = Callable[[Expr, Expr, str], Certificate | None]

__all__ = [
    "KnownFact",
    "declared",
    "linear_in",
    "polynomial_fact",
    "power_facts",
    "premise",
    "square_premise",
    "sum_facts",
    "sum_signs",
]

ZERO, ONE = sympy.Integer(0), sympy.Integer(1)


@dataclass(frozen=True)
class KnownFact:
    """An expression that is ``>= 0`` (``> 0`` if `strict`), and why.

    Attributes
    ----------
    name : str
        Statement of the fact.
    expr : sympy expression
    strict : bool
    kind : str
        As in `verify.certify.prover.record.PolynomialPremise`.
    reason : str
        In words.
    lemmas : tuple of Certificate
        What the fact rests on besides definitions.
    about : Any
        What the rule speaks of: the place of a hypothesis, an atom, or the parts of a sum.
    times : tuple of (expression, power)
        Factors of known sign by which it was multiplied to clear denominators.
    """

    name: str
    expr: Expr
    strict: bool
    kind: str
    reason: str
    lemmas: tuple[Certificate, ...] = ()
    about: Any = None
    times: tuple[tuple[Expr, int], ...] = ()


def declared(symbol: Expr) -> Iterator[KnownFact]:
    """What the assumptions of a symbol say about its sign."""
    for sign, side, word in ((1, "positive", ">"), (-1, "negative", "<")):
        weak = {1: "nonnegative", -1: "nonpositive"}[sign]
        strict = bool(getattr(symbol, f"is_{side}"))
        if strict or getattr(symbol, f"is_{weak}"):
            name = f"{symbol} {word if strict else word + '='} 0 (declared)"
            yield KnownFact(name, sign * symbol, strict, "symbol", "declared")
    if symbol.is_integer and symbol.is_positive:
        yield KnownFact(
            f"{symbol} >= 1 (declared)", symbol - 1, False, "symbol", "positive integer"
        )


def sum_signs(sums: Sequence[FormalSum], prove: Prove) -> Iterator[KnownFact]:
    """A sum over at least one client has the sign that all its terms have."""
    for total in sums:
        for relation, sign in (("<", ">"), ("<=", ">=")):
            lemma = prove(ZERO, total.summand, relation)
            if lemma is not None:
                yield KnownFact(
                    f"{total.atom} {sign} 0",
                    total.atom,
                    relation == "<",
                    "sum",
                    "a sum of such terms",
                    (lemma,),
                    ((ONE, total.atom),),
                )
                break


def sum_facts(
    sums: Sequence[FormalSum],
    signs: Sequence[KnownFact],
    generic: Sequence[KnownFact],
    prove: Prove,
    *,
    one_client: bool,
) -> Iterator[KnownFact]:
    """Inequalities between formal sums, from inequalities that hold for every client.

    Parameters
    ----------
    sums : sequence of FormalSum
    signs : sequence of Known
        What `sum_signs` gave.
    generic : sequence of Known
        Polynomial facts about the generic client.
    prove : callable
        Proves ``left relation right`` about the generic client.
    one_client : bool
        Whether single terms of the sums matter, because the claim mentions one client.

    Yields
    ------
    Known
        Weighted sums of hypotheses, monotonicity, the Cauchy-Schwarz inequality, and, on demand,
        that a sum of non-negative terms is at least each of them.
    """
    counts = {total.count: FormalSum(total.count, ONE, total.count) for total in sums}
    rows = [*sums, *counts.values()]
    proofs = {known.expr: known.lemmas for known in signs}
    proofs |= dict.fromkeys(counts, ())
    seen: set[Expr] = set()
    for known in [*_weighted(sums, rows, generic, prove), *_monotone(rows, prove)]:
        if known.expr not in seen:
            seen.add(known.expr)
            yield known
    for a, b in combinations_with_replacement(rows, 2):
        if a.atom == b.atom or a.count != b.count or not {a.atom, b.atom} <= set(proofs):
            continue
        for c in rows:
            if c.count == a.count and _is_root(c.summand, a.summand, b.summand):
                lemmas = (*proofs[a.atom], *proofs[b.atom])
                yield KnownFact(
                    f"{c.atom}**2 <= {a.atom}*{b.atom}",
                    a.atom * b.atom - c.atom**2,
                    False,
                    "sum",
                    "Cauchy-Schwarz",
                    lemmas,
                    (a.atom, b.atom, c.atom),
                )
    for a in sums if one_client else ():
        if a.atom in proofs and a.count == CLIENTS:
            yield KnownFact(
                f"{a.summand} <= {a.atom}",
                a.atom - a.summand,
                False,
                "sum",
                "one of the terms of a sum of such terms",
                proofs[a.atom],
                a.atom,
            )


def power_facts(translation: Translation, prove: Prove) -> Iterator[KnownFact]:
    """Signs and bounds of powers with a symbolic exponent, from those of their base."""
    for power in translation.powers:
        atom, base, exponent = power.atom, power.base, translation(power.exponent)
        lower, upper = prove(ZERO, base, "<="), prove(base, ONE, "<=")
        positive = prove(ZERO, base, "<")
        facts: list[tuple[str, Expr, bool, tuple[Certificate | None, ...]]] = [
            (f"{atom} > 0", atom, True, (positive,)),
            (f"{atom} >= 0", atom, False, (lower,)),
        ]
        if power.exponent.is_nonnegative:
            facts.append((f"{atom} <= 1", ONE - atom, False, (lower, upper)))
            if power.exponent.is_integer:
                bernoulli = atom - 1 - exponent * (base - 1)
                facts.append((f"{bernoulli} >= 0", bernoulli, False, (lower,)))
        for name, value, strict, proofs in facts:
            lemmas = tuple(proof for proof in proofs if proof is not None)
            if len(lemmas) == len(proofs):
                yield KnownFact(
                    name, value, strict, "power", f"{atom} is such a power", lemmas, atom
                )


def linear_in(
    polynomial: Expr, sums: Mapping[Expr, FormalSum]
) -> list[tuple[Expr, FormalSum]] | None:
    """Coefficients of the formal sums in a polynomial, with the number of clients as one of them.

    Returns
    -------
    list of (coefficient, sum) or None
        None where the polynomial is not linear in them.
    """
    rows = {**sums, CLIENTS: FormalSum(CLIENTS, ONE, CLIENTS)}
    present = [atom for atom in rows if polynomial.has(atom)]
    if not any(atom in sums for atom in present):
        return None
    found = []
    for powers, coefficient in sympy.Poly(polynomial, *present).terms():
        if sum(powers) > 1:
            return None
        if any(powers):
            found.append((coefficient, rows[present[powers.index(1)]]))
    return found


def polynomial_fact(known: KnownFact, variables: Sequence[Expr]) -> Fact:
    """Read a polynomial expression in the given variables."""
    terms = polynomial_terms(known.expr, tuple(variables))
    return Fact.of(known.name, terms, known.strict, known.kind)


def premise(
    fact: Fact, known: KnownFact | None, lemmas: dict[Certificate, int]
) -> PolynomialPremise:
    """The record of a fact; its lemmas are numbered in `lemmas`."""
    proofs = known.lemmas if known is not None else ()
    return PolynomialPremise(
        name=fact.name,
        terms=tuple((m, str(c)) for m, c in fact.terms),
        strict=fact.strict,
        kind=fact.kind,
        reason=known.reason if known is not None else "a square",
        lemmas=tuple(lemmas.setdefault(lemma, len(lemmas)) for lemma in proofs),
    )


def square_premise(terms: Terms, variables: Sequence[str]) -> PolynomialPremise | None:
    """The record of a square with these terms, named by its root; None if they are no square."""
    if not terms or not variables:
        return None
    symbols = [sympy.Dummy() for _ in variables]
    table = {m: sympy.Rational(c) for m, c in terms}
    constant, factors = sympy.Poly.from_dict(table, *symbols, domain="QQ").factor_list()
    scale = sympy.sqrt(constant)
    if not scale.is_Rational or any(multiplicity % 2 for _, multiplicity in factors):
        return None
    root = sympy.Poly(scale, *symbols, domain="QQ")
    for factor, multiplicity in factors:
        root *= factor ** (multiplicity // 2)
    named = {tuple(m): _fraction(c) for m, c in root.terms()}
    return premise(square(named, variables), None, {})


def _weighted(
    sums: Sequence[FormalSum], rows: Sequence[FormalSum], generic: Sequence[KnownFact], prove: Prove
) -> Iterator[KnownFact]:
    """Sum ``w_k h_k >= 0`` over the clients, where that gives sums that occur."""
    for total in sums:
        atoms = {row.summand: row.atom for row in rows if row.count == total.count}
        values = {value_of(summand) for summand in atoms}
        for known in generic:
            terms = [term.as_independent(CLIENT) for term in sympy.Add.make_args(known.expr)]
            for _, moving in terms:
                if len(terms) < 2 or not all(
                    _may_be(total.summand, m, moving, values) for _, m in terms
                ):
                    continue
                weight = total.summand / moving
                parts = [(c, cancelled(weight * m)) for c, m in terms]
                if any(m not in atoms for _, m in parts):
                    continue
                body = sympy.Add(*(c * m for c, m in parts))
                lemma = prove(ZERO, body, "<=")
                value = sympy.Add(*(c * atoms[m] for c, m in parts))
                if lemma is not None and value != 0:
                    yield KnownFact(
                        f"{value} >= 0",
                        value,
                        False,
                        "sum",
                        "a sum of such terms",
                        (lemma,),
                        tuple((c, atoms[m]) for c, m in parts),
                    )


def _monotone(rows: Sequence[FormalSum], prove: Prove) -> Iterator[KnownFact]:
    """Sums are ordered as their terms are."""
    for a, b in permutations(rows, 2):
        if a.count == b.count and leaves(a.summand) | leaves(b.summand):
            lemma = prove(a.summand, b.summand, "<=")
            if lemma is not None:
                value = b.atom - a.atom
                yield KnownFact(
                    f"{value} >= 0",
                    value,
                    False,
                    "sum",
                    "a sum of such terms",
                    (lemma,),
                    ((ONE, b.atom), (-ONE, a.atom)),
                )


def _may_be(one: Expr, other: Expr, under: Expr, values: Collection[Fraction | None]) -> bool:
    """Whether ``one other / under`` may have one of these values."""
    a, b, c = value_of(one), value_of(other), value_of(under)
    if None in values or a is None or b is None or not c:
        return True
    return a * b / c in values


def _is_root(root: Expr, one: Expr, other: Expr) -> bool:
    """Whether a square is the product of two rational functions."""
    r, a, b = value_of(root), value_of(one), value_of(other)
    if r is not None and a is not None and b is not None and r * r != a * b:
        return False
    return bool(cancelled(one * other - root**2) == 0)


def _fraction(number: Expr) -> Fraction:
    return Fraction(int(number.p), int(number.q))
