"""One line of the ledger: all parts and readings of one statement."""

from __future__ import annotations

from dataclasses import dataclass

from verify.catalogue.worlds import SILENT
from verify.claim.statement import Statement

LINKS = ("empty", "trivial")
"""Forms that speak about another entry; they are tried first."""

RESULTS = ("theorem", "lemma", "corollary", "property", "proposition")
"""Kinds that a referee asks about first; the others are claims on the way and steps of proofs."""


@dataclass(frozen=True)
class Entry:
    """One line of the ledger: all parts and readings of one statement.

    Parameters
    ----------
    key : str
        ``paper.id``, followed by the form where it is not the printed one.
    leaves : tuple of Statement
        Parts and readings, in the order of the paper.
    """

    key: str
    leaves: tuple[Statement, ...]

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.leaves[0].source.paper

    @property
    def kind(self) -> str:
        """Theorem, lemma, definition, ...; where something is claimed, what that is."""
        return (self.claims or self.leaves)[0].kind

    @property
    def form(self) -> str:
        """Printed, repaired, explicit, refined, empty or trivial."""
        return self.leaves[0].form

    @property
    def title(self) -> str:
        """Title of the first leaf that has one."""
        return next((leaf.title for leaf in self.leaves if leaf.title), "")

    @property
    def claims(self) -> tuple[Statement, ...]:
        """Leaves with something to decide; assumptions, definitions and data have none."""
        return tuple(leaf for leaf in self.leaves if not describes(leaf))

    @property
    def target(self) -> str:
        """For the forms empty and trivial: key of the entry or leaf that this one is about."""
        if self.form not in LINKS:
            return ""
        named = next((leaf.empties for leaf in self.leaves if leaf.empties), "")
        return named or self.key.removesuffix(f".{self.form}")

    @property
    def targets(self) -> frozenset[str]:
        """Keys of what this entry decides something about: it is tried before them.

        The target of an empty or trivial form, and the orders whose constants its leaves name.
        """
        orders = {leaf.constant.of for leaf in self.leaves if leaf.constant is not None}
        return frozenset({self.target} | orders if self.target else orders)


def describes(statement: Statement) -> bool:
    """Whether a record only describes (an assumption, a definition, data): nothing to decide."""
    return statement.sides is None and statement.kind in SILENT


def speaks_of(link: Entry, leaf: Statement) -> bool:
    """Whether an entry decides something about this leaf: that it is empty, or its constant."""
    return not link.targets.isdisjoint((leaf.key, leaf.entry))


def is_result(kind: str, form: str) -> bool:
    """Whether an entry is a main result of its paper, as printed."""
    return kind in RESULTS and form == "printed"
