"""A claim as it was read: its formulas, what it is about, and what in it stands for a vector."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from bounds.numbers.symbolic import NotReadable

__all__ = ["Claim", "Claims", "ReadClaim", "each", "said", "unused_name"]

Expr = Any


class Claim(NamedTuple):
    """Left and right side, relation (``<=`` or ``==``), and the hypotheses, in symbols."""

    left: Expr
    right: Expr
    relation: str
    hypotheses: Sequence[Any]


class ReadClaim(NamedTuple):
    """One of the claims that a statement consists of.

    Attributes
    ----------
    label : dict
        What it is about: sizes ("any" where all are meant), the client, the case, the term.
    claim : Claim
    vectors : tuple of str
        Names of the symbols that stand for one coordinate of a vector.
    """

    label: dict[str, Any]
    claim: Claim
    vectors: tuple[str, ...] = ()


class Claims:
    """Claims that together are what a statement says; made when asked for, each of them once.

    Parameters
    ----------
    made : iterable of ReadClaim
    complete : bool
        Whether they are all that it says, not what it says in the listed sizes alone.

    Attributes
    ----------
    broken : bool
        Whether one of those that have been asked for cannot be made: there is no such set.
    """

    def __init__(self, made: Iterable[ReadClaim], complete: bool = True) -> None:
        self._coming, self._made = iter(made), list[ReadClaim]()
        self.broken, self.complete = False, complete

    def __iter__(self) -> Iterator[ReadClaim]:
        at = 0
        while at < len(self._made) or self._next():
            yield self._made[at]
            at += 1

    def all(self) -> list[ReadClaim]:
        """All of them; none where one cannot be made."""
        found = list(self)
        return [] if self.broken else found

    def _next(self) -> bool:
        try:
            self._made.append(next(self._coming))
        except StopIteration:
            return False
        except NotReadable:
            self.broken = True
            return False
        return True


def said(claim: Claim) -> list[Expr]:
    """All formulas of a claim: both sides, then the hypotheses."""
    import sympy

    left, right, _, given = claim
    return [sympy.sympify(e) for e in (left, right, *(h.expr for h in given))]


def each(claim: Claim, rule: Callable[[Expr], Expr]) -> Claim:
    """The claim with every formula changed by a rule."""
    import sympy

    from verify.certify.prover.prove import Hypothesis

    left, right, relation, given = claim
    return Claim(
        rule(sympy.sympify(left)),
        rule(sympy.sympify(right)),
        relation,
        [Hypothesis(h.name, rule(h.expr), h.strict) for h in given],
    )


def unused_name(word: str, claim: Claim, taken: Mapping[str, str]) -> str:
    """A name that nothing in the claim has."""
    used = {str(s) for e in said(claim) for s in e.free_symbols} | set(taken)
    return next(n for n in (f"{word}{i}" for i in count()) if n not in used)
