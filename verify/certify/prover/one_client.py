"""Points with a single client at which all that is given holds: what they show has no proof.

Every fact that a search for a proof derives about formal sums holds where each sum is its one term.
Where the claim is false at such a point and all that is given holds there, there is no proof to
look for, and no fact about sums need be derived; nor is there one of a lemma that is false there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sympy

from verify.certify.algebra.facts import Fact
from verify.certify.algebra.formal_sums import CLIENTS, Translation
from verify.certify.algebra.points import moved_points
from verify.certify.algebra.quotients import leaves
from verify.certify.algebra.ratios import NotRational, Ratios, terms_of
from verify.certify.prover.known_facts import declared
from verify.certify.prover.sampled import Sampled

Expr = Any  # sympy carries no types

LARGE = 400
"""Terms of a fact with its denominators cleared above which no point is looked for."""

FEW = 32
"""Points below which more are looked for, once a lemma is asked for."""

__all__ = ["OneClient", "fails_for_one"]


class OneClient:
    """Points at which there is one client and all that is given holds.

    Parameters
    ----------
    translate : Translation
        Which has read the claim and all that is given.
    claim : (left, right, relation)
        In atoms.
    given : sequence of (expression, strict)
        Hypotheses ``expression >= 0``, or ``> 0``, in atoms.

    Attributes
    ----------
    fails : bool
        Whether the claim is false at one of the points.  False says nothing; True says that no
        proof follows from what is known of the atoms.
    """

    def __init__(
        self,
        translate: Translation,
        claim: tuple[Expr, Expr, str],
        given: Sequence[tuple[Expr, bool]],
    ) -> None:
        values = {CLIENTS: sympy.Integer(1), **{s.atom: s.summand for s in translate.sums}}
        self._points, self.fails = Sampled({}), False
        self._more: Callable[[], Sampled] | None = None
        if translate.powers:
            return  # what is known of powers is not among the facts below
        left, right, relation = claim
        known = [*given, *((e, strict) for _, e, strict, _ in translate.facts)]
        known += [(k.expr, k.strict) for s in translate.sums for k in declared(s.atom)]
        said = {v for e in (left, right, *(e for e, _ in known)) for v in leaves(e)}
        said |= {v for e in values.values() for v in leaves(e)}
        variables = tuple(sorted(said - set(values), key=str))
        known += [(k.expr, k.strict) for v in variables for k in declared(v)]
        try:
            ratios = Ratios(variables, values)
            facts = list(dict.fromkeys(f for e, s in known for f in _cleared(e, s, ratios)))
            broken = list(_cleared(left - right, relation != "<", ratios))
        except NotRational:
            return
        if not variables:
            return
        self.fails, at = moved_points(facts, broken, len(variables))
        self._points = Sampled(dict(zip(variables, at, strict=True)), values)
        self._more = lambda: Sampled(
            dict(zip(variables, moved_points(facts, (), len(variables))[1], strict=True)), values
        )

    def breaks(self, left: Expr, right: Expr, relation: str) -> bool:
        """Whether a claim in atoms of the same translation is seen to be false at a point."""
        if self._more and self._points.size < FEW:
            self._points = self._more()
        self._more = None
        return self._points.breaks(left, right, relation)


def fails_for_one(
    left: Expr, right: Expr, relation: str, given: Sequence[tuple[str, Expr, bool]]
) -> bool:
    """Whether a point with one client was found where all is given and the claim is false.

    Parameters
    ----------
    left, right, relation
        The claim.
    given : sequence of (name, expression, strict)
        The hypotheses, ``expression >= 0`` or ``> 0``.

    Raises
    ------
    Unsupported
        As the translation into atoms does.
    """
    everything = [left, right, *(e for _, e, _ in given)]
    translate = Translation({str(s) for e in everything for s in e.atoms(sympy.Symbol)})
    sides = translate(left), translate(right)
    known = [(translate(e), strict) for _, e, strict in given]
    return OneClient(translate, (*sides, relation), known).fails


def _cleared(e: Expr, strict: bool, ratios: Ratios) -> Iterator[Fact]:
    """The same without sums and denominators, which are not zero."""
    over, under = ratios(e)
    if len(over) * len(under) > LARGE:
        raise NotRational("a fact is too long")
    yield Fact.of("", terms_of(over * under), strict)
    if not under.is_constant():
        yield Fact.of("", terms_of(under * under), True)
