"""Collect what is known about the symbols of a claim, and prove claims from it.

A `Deduction` turns hypotheses into polynomial facts (denominators are cleared only when their
sign is itself proved), derives facts about formal sums from facts about the generic client, and
asks `verify.certify.prover.refutation` for the multipliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from verify.certify.algebra.formal_sums import CLIENT, Translation, leaves
from verify.certify.algebra.points import moved_points
from verify.certify.algebra.quotients import cancelled, factors_of
from verify.certify.prover.known_facts import (
    KnownFact,
    declared,
    linear_in,
    polynomial_fact,
    power_facts,
    premise,
    square_premise,
    sum_facts,
    sum_signs,
)
from verify.certify.prover.one_client import OneClient
from verify.certify.prover.record import Certificate, PolynomialPremise
from verify.certify.prover.reduced_claim import without_factors
from verify.certify.prover.refutation import refute
from verify.certify.prover.sampled import Sampled
from verify.certify.prover.sums_of_squares import refute_by_squares
from verify.certify.prover.text import written

Expr = Any  # sympy carries no types

EACH = " for every client k"
FEW, TRIES = 16, 2
"""Points below which more are looked for, so many times."""

TERMS = 3
"""Degree of the proof that each term of a sum has a sign."""

__all__ = ["EACH", "Deduction"]


class Deduction:
    """Facts that follow from hypotheses, and the proofs they allow.

    Parameters
    ----------
    claim : sequence of expressions
        The two sides; read here so that their formal sums are known when facts are derived.
    relation : {"<=", "<", "=="}
    given : sequence of (name, expression, strict)
        The hypotheses, ``expression >= 0`` or ``> 0``.
    degree, cap : int
        Limits of the search, see `verify.certify.prover.prove.certify`.
    roots : sequence of expressions
        Polynomials whose squares to try in the proof of the claim.
    squares : bool
        Whether to look for sums of squares where the claim is not proved without.
    """

    def __init__(
        self,
        claim: Sequence[Expr],
        relation: str,
        given: Sequence[tuple[str, Expr, bool]],
        *,
        degree: int,
        cap: int,
        roots: Sequence[Expr] = (),
        squares: bool = False,
    ) -> None:
        everything = [*claim, *(expression for _, expression, _ in given)]
        reserved = {str(s) for e in everything for s in e.atoms(sympy.Symbol)}
        self._translate = Translation(reserved)
        self._degree, self._cap, self._squares = degree, cap, squares
        self._roots = tuple(sympy.sympify(root) for root in roots)
        self._signs: dict[Expr, tuple[int, tuple[Certificate, ...]]] = {}
        self._known: list[KnownFact] = []
        self._asked: dict[Certificate, tuple[Expr, Expr, int]] = {}
        self._unproved: set[tuple[Any, ...]] = set()
        self._points: Sampled | None = None
        self._tries = TRIES
        self.claim = tuple(self._translate(side) for side in claim)
        self._names = tuple(name for name, _, _ in given)
        hypotheses = [
            KnownFact(
                name, self._translate(expression), strict, "hypothesis", "hypothesis", (), place
            )
            for place, (name, expression, strict) in enumerate(given)
        ]
        self._one = OneClient(
            self._translate, (*self.claim, relation), [(k.expr, k.strict) for k in hypotheses]
        )
        if self.fails:
            return  # nothing that could be derived leads to a proof
        for name, expression, strict, atom in self._translate.facts:
            self._learn(
                KnownFact(name, expression, strict, "definition", "by definition", (), atom)
            )
        waiting = [known for known in hypotheses if not self._learn(known)]
        self._learn_sums(self.claim)
        for known in power_facts(self._translate, self._lemma):
            self._learn(known)
        for known in waiting:
            if not self._learn(known):
                self._learn(known, defined=True)
        self._learn_termwise(*self.claim)

    # -- proofs --------------------------------------------------------------------------------

    @property
    def fails(self) -> bool:
        """Whether the claim is seen to fail for one client, so that it has no proof."""
        return self._one.fails

    def prove(
        self, left: Expr, right: Expr, relation: str, degree: int | None = None
    ) -> Certificate | None:
        """Prove a claim about rational functions of symbols and atoms, or return None."""
        if relation == "==":
            same = cancelled(left - right) == 0
            return self._identity(left, right) if same else self._sandwich(left, right)
        negation = self._negation(left, right, relation)
        if negation is None:
            return None
        known, variables, real = self._system(negation)
        facts = [polynomial_fact(k, variables) for k in known]
        roots = [r for r in self._roots if degree is None and leaves(r) <= set(variables)]
        search: dict[str, Any] = {
            "degree": degree or self._degree,
            "cap": self._cap,
            "roots": [
                polynomial_fact(KnownFact("", r, False, "", ""), variables).polynomial
                for r in roots
            ],
        }
        names = [str(v) for v in variables]
        found = refute(facts, names, real, **search)
        if found is None and degree is None:
            found = without_factors(facts, names, real, **search)
        if found is None and degree is None and self._squares:
            found = refute_by_squares(facts, names, real)
        if found is None:
            return None
        used = sorted({i for _, factors in found.products for i in factors})
        lemmas: dict[Certificate, int] = {}
        premises = [
            premise(fact, known[i] if i < len(known) else None, lemmas)
            for i, fact in enumerate(found.facts)
            if i in used
        ]
        name = {i: p.name for i, p in zip(used, premises, strict=True)}
        products = tuple((str(q), tuple(name[i] for i in factors)) for q, factors in found.products)
        return self._record(left, right, relation, variables, premises, products, tuple(lemmas))

    def supports(
        self, certificate: Certificate, left: Expr, right: Expr, facts: int | None = None
    ) -> bool:
        """Whether `certificate` is what would be recorded here for this claim.

        Every premise must be known here, every lemma one that was asked for here and itself
        supported by the facts that were known then (the first `facts`).
        """
        relation, lemmas = certificate.relation, certificate.lemmas
        if relation == "==" and certificate.products:
            same = cancelled(left - right) == 0
            return same and certificate == self._identity(left, right)
        if relation == "==":
            pairs = zip(lemmas, ((left, right), (right, left)), strict=True)
            return certificate == self._record(left, right, "==", (), (), (), lemmas) and all(
                self.supports(lemma, *pair) for lemma, pair in pairs
            )
        negation = self._negation(left, right, relation)
        if negation is None:
            return False
        known, variables, real = self._system(negation, facts)
        premises, names = certificate.premises, certificate.variables
        if names != tuple(str(v) for v in variables) or certificate != self._record(
            left, right, relation, variables, premises, certificate.products, lemmas
        ):
            return False
        if list(dict.fromkeys(i for p in premises for i in p.lemmas)) != list(range(len(lemmas))):
            return False
        proofs = {
            replace(premise(polynomial_fact(k, variables), k, {}), lemmas=()): k.lemmas
            for k in known
        }
        complex_ones = [v for v, is_real in enumerate(real) if not is_real]
        return all(
            self._rests([lemmas[i] for i in p.lemmas], proofs.get(replace(p, lemmas=())))
            or (
                p == square_premise(p.terms, names)
                and not any(m[v] for m, _ in p.terms for v in complex_ones)
            )
            for p in premises
        )

    def sources(
        self, certificate: Certificate, left: Expr, right: Expr, facts: int | None = None
    ) -> list[KnownFact | None]:
        """Where each premise of a certificate of this claim comes from; None for a square.

        Parameters
        ----------
        certificate : Certificate
            One that was recorded here for ``left relation right``.
        left, right : expressions
            In atoms.
        facts : int, optional
            How many facts were known when it was asked for; all if None.
        """
        negation = self._negation(left, right, certificate.relation)
        if negation is None:
            return []
        known, variables, _ = self._system(negation, facts)
        at = {replace(premise(polynomial_fact(k, variables), k, {}), lemmas=()): k for k in known}
        return [at.get(replace(p, lemmas=())) for p in certificate.premises]

    def asked(self, lemma: Certificate) -> tuple[Expr, Expr, int]:
        """Both sides of a lemma, in atoms, and how many facts were known when it was asked for."""
        return self._asked[lemma]

    @property
    def translation(self) -> Translation:
        """Atoms and their meanings."""
        return self._translate

    def _rests(self, lemmas: Sequence[Certificate], asked: Sequence[Certificate] | None) -> bool:
        """Whether `lemmas` prove what was asked for here (None if nothing was), one by one."""
        return (
            asked is not None
            and len(lemmas) == len(asked)
            and all(
                self.supports(lemma, *self._asked[proof])
                for lemma, proof in zip(lemmas, asked, strict=True)
            )
        )

    def _negation(self, left: Expr, right: Expr, relation: str) -> KnownFact | None:
        """The negated claim with denominators cleared."""
        whole = (left, right) in (self.claim, self.claim[::-1])
        cleared = self._clear(right - left, defined=whole)
        if cleared is None:
            return None
        numerator, times, lemmas, factors = cleared
        return KnownFact(
            "not the claim",
            -numerator,
            relation == "<=",
            "negation",
            "the claim is false" + times,
            lemmas,
            None,
            factors,
        )

    def _system(
        self, negation: KnownFact, facts: int | None = None
    ) -> tuple[list[KnownFact], tuple[Expr, ...], list[bool]]:
        """Negation, the (first) facts connected with it, and the signs of all symbols in them."""
        connected = leaves(negation.expr)
        about_one = not connected or any(s.has(CLIENT) for s in connected)
        pool = [k for k in self._known[:facts] if about_one or not k.expr.has(CLIENT)]
        chosen = list(pool) if not connected else []
        grown = bool(connected)
        while grown:
            grown = False
            for k in pool:
                if k not in chosen and (not leaves(k.expr) or leaves(k.expr) & connected):
                    chosen.append(k)
                    connected |= leaves(k.expr)
                    grown = True
        for k in chosen:
            connected |= leaves(k.expr)
        variables = tuple(sorted(connected, key=str))
        chosen = [k for k in pool if k in chosen]
        known = [negation, *chosen, *(s for v in variables for s in declared(v))]
        unique = {(k.expr, k.strict): k for k in reversed(known)}
        kept = [k for k in known if unique[(k.expr, k.strict)] is k]
        return kept, variables, [bool(v.is_extended_real) for v in variables]

    def _identity(self, left: Expr, right: Expr) -> Certificate:
        """The record of an equality of rational functions."""
        variables = tuple(sorted(leaves(left) | leaves(right), key=str))
        premises = []
        for side, expression in (("left", left), ("right", right)):
            for part, kind in zip(
                sympy.fraction(cancelled(expression)), ("numerator", "denominator"), strict=True
            ):
                known = KnownFact(f"{kind} of the {side} side", part, False, kind, "")
                premises.append(premise(polynomial_fact(known, variables), known, {}))
        a, b, c, d = (p.name for p in premises)
        products = (("1", (a, d)), ("-1", (c, b)))
        return self._record(left, right, "==", variables, premises, products, ())

    def _sandwich(self, left: Expr, right: Expr) -> Certificate | None:
        """An equality under hypotheses, as two inequalities."""
        lemmas = []
        for pair in ((left, right), (right, left)):
            lemma = self.prove(*pair, "<=")
            if lemma is None:
                return None
            lemmas.append(lemma)
        return self._record(left, right, "==", (), [], (), tuple(lemmas))

    def _record(
        self,
        left: Expr,
        right: Expr,
        relation: str,
        variables: Sequence[Expr],
        premises: Sequence[PolynomialPremise],
        products: tuple[tuple[str, tuple[str, ...]], ...],
        lemmas: tuple[Certificate, ...],
    ) -> Certificate:
        claim, claim_tex = self._claim(left, right, relation)
        used = {v for i, v in enumerate(variables) for p in premises for m, _ in p.terms if m[i]}
        definitions = self._translate.definitions
        for v in reversed(definitions):  # an atom may occur in the meaning of a later one
            if v in used:
                used |= leaves(definitions[v])
        meanings = {v: m for v, m in definitions.items() if v in used}
        return written(
            Certificate(
                claim=claim,
                claim_tex=claim_tex,
                relation=relation,
                hypotheses=self._names,
                variables=tuple(str(v) for v in variables),
                variables_tex=tuple(sympy.latex(v) for v in variables),
                definitions=tuple(
                    (str(v), str(m), f"{sympy.latex(v)} = {sympy.latex(m)}")
                    for v, m in meanings.items()
                ),
                premises=tuple(premises),
                products=products,
                lemmas=lemmas,
            )
        )

    def _claim(self, left: Expr, right: Expr, relation: str) -> tuple[str, str]:
        """The claim in plain text and in TeX."""
        each = EACH if left.has(CLIENT) or right.has(CLIENT) else ""
        sign = {"<=": r"\le", "<": "<", "==": "="}[relation]
        tex = f"{sympy.latex(left)} {sign} {sympy.latex(right)}"
        return f"{left} {relation} {right}{each}", tex + (rf"\quad\text{{{each}}}" if each else "")

    # -- denominators --------------------------------------------------------------------------

    def _clear(
        self, expression: Expr, defined: bool = False
    ) -> tuple[Expr, str, tuple[Certificate, ...], tuple[tuple[Expr, int], ...]] | None:
        """Multiply by the denominator, if its sign is known; also say so in words.

        With `defined`, a factor of unknown sign is taken twice: where the expression has a value
        it is not zero, and its square is positive.
        """
        numerator, denominator = sympy.fraction(cancelled(expression))
        constant, factors = factors_of(denominator)
        sign, words = (1 if constant > 0 else -1), []
        lemmas: list[Certificate] = []
        twice: list[Expr] = []
        for factor, multiplicity in factors:
            power = str(factor**multiplicity)
            if multiplicity % 2 == 0 and all(v.is_extended_real for v in leaves(factor)):
                words.append(f"{power} > 0")
                continue
            one, proofs = self._sign(factor)
            if one == 0 and defined and all(v.is_extended_real for v in leaves(factor)):
                words.append(f"{factor ** (multiplicity + 1)} > 0")
                twice.append(factor)
                continue
            if one == 0:
                return None
            one **= multiplicity
            sign *= one
            words.append(f"{power} > 0" if one > 0 else f"-({power}) > 0")
            lemmas += proofs
        times = ", times " + ", ".join(words) if words else ""
        constant = abs(constant)
        powers = [(factor, e + (factor in twice)) for factor, e in factors]
        by = (*powers, *(((constant, 1),) if constant != 1 else ()))
        value = sympy.expand(sign * numerator * sympy.Mul(*twice))
        return value, times, tuple(dict.fromkeys(lemmas)), tuple(by)

    def _sign(self, factor: Expr) -> tuple[int, tuple[Certificate, ...]]:
        """The proved sign of a polynomial (0 if neither is proved) and its lemmas."""
        if factor.is_positive and (factor.is_Symbol or isinstance(factor, sympy.Indexed)):
            return 1, ()
        if factor not in self._signs or self._signs[factor][0] == 0:
            self._signs[factor] = (0, ())
            for sign in (1, -1):
                lemma = self._lemma(sympy.Integer(0), sympy.expand(sign * factor), "<")
                if lemma is not None:
                    self._signs[factor] = (sign, (lemma,))
                    break
        return self._signs[factor]

    # -- derived facts -------------------------------------------------------------------------

    def _learn(self, known: KnownFact, defined: bool = False) -> bool:
        """Add a fact if its denominators can be cleared; say whether that was so."""
        cleared = self._clear(known.expr, defined)
        if cleared is None:
            return False
        numerator, times, proofs, factors = cleared
        taken = {other.name for other in self._known}
        name = known.name
        while name in taken:
            name += "'"
        self._known.append(
            replace(
                known,
                name=name,
                expr=numerator,
                reason=known.reason + times,
                lemmas=(*known.lemmas, *proofs),
                times=factors,
            )
        )
        if self._points is not None:
            self._points = self._points.where(numerator, known.strict)
        return True

    def _sample(self) -> Sampled:
        """Points at which all facts hold, sums over clients being numbers like others."""
        if self._points is None or (self._points.size < FEW and self._tries):
            self._tries -= 1
            said = [*self.claim, *self._translate.definitions, *(k.expr for k in self._known)]
            said += [total.summand for total in self._translate.sums]
            variables = tuple(sorted({v for e in said for v in leaves(e)}, key=str))
            facts = [
                polynomial_fact(k, variables)
                for k in (*self._known, *(s for v in variables for s in declared(v)))
            ]
            at = moved_points(facts, (), len(variables))[1] if variables else np.empty((0, 0))
            self._points = Sampled(dict(zip(variables, at, strict=True)))
        return self._points

    def _learn_sums(self, claim: Sequence[Expr]) -> None:
        """What the facts about every client say about the formal sums."""
        sums = self._translate.sums
        generic = [k for k in self._known if k.expr.has(CLIENT)]
        signs = list(sum_signs(sums, self._lemma))
        one_client = any(side.has(CLIENT) for side in claim)
        for known in signs:
            self._learn(known)
        for known in sum_facts(sums, signs, generic, self._lemma, one_client=one_client):
            self._learn(known)

    def _learn_termwise(self, left: Expr, right: Expr) -> None:
        """The part of the claim that is a sum over clients, where each of its terms has a sign."""
        sums = {total.atom: total for total in self._translate.sums}
        if not sums or left.has(CLIENT) or right.has(CLIENT):
            return
        for gap in (right - left, left - right):
            parts = linear_in(sympy.expand(sympy.fraction(cancelled(gap))[0]), sums)
            if not parts:
                continue
            body = sympy.Add(*(c * total.summand for c, total in parts))
            lemma = self._lemma(sympy.Integer(0), body, "<=", TERMS)
            if lemma is not None:
                value = sympy.Add(*(c * total.atom for c, total in parts))
                self._learn(
                    KnownFact(
                        f"{value} >= 0, term by term",
                        value,
                        False,
                        "sum",
                        "a sum of such terms",
                        (lemma,),
                        tuple((c, total.atom) for c, total in parts),
                    )
                )

    def _lemma(self, left: Expr, right: Expr, relation: str, degree: int = 2) -> Certificate | None:
        """A short proof; its effort does not depend on the degree asked for the claim."""
        asked = left, right, relation, degree, len(self._known)
        if (
            asked in self._unproved
            or self._one.breaks(left, right, relation)
            or (self._sample().breaks(left, right, relation))
        ):
            return None
        lemma = self.prove(left, right, relation, degree=degree)
        if lemma is None:
            self._unproved.add(asked)
        else:
            self._asked[lemma] = (left, right, len(self._known))
        return lemma
