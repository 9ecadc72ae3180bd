"""Proofs as other rooms ask for them: what a search gives, and whether a stored one stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from verify.claim.statement import Statement
from verify.ladder.rungs.case_covers import documents
from verify.ladder.rungs.proof import recheck as recheck_claim
from verify.ladder.rungs.proof import stands_alone, why_none, written_proofs
from verify.ladder.rungs.unproved import why_unproved

__all__ = ["Proofs", "recheck"]


@dataclass(frozen=True)
class Proofs:
    """What the search for a proof of a statement gives; looked for when it is first asked for.

    Parameters
    ----------
    statement : Statement
    """

    statement: Statement

    @cached_property
    def parts(self) -> list[dict[str, Any]]:
        """One proof for each claim, or case of a claim, that it consists of; empty if none."""
        return written_proofs(self.statement)

    @cached_property
    def documents(self) -> list[dict[str, Any]]:
        """The same for the stand-alone checker: all cases of one claim are one document."""
        return documents(self.statement)

    @cached_property
    def why_none(self) -> str:
        """Why there is no proof, of a statement for which none was found: one clause."""
        return why_none(self.statement) or why_unproved(self.statement)


def recheck(statement: Statement | None, proof: Any, whole: bool = False) -> bool:
    """Whether stored certificates prove a statement: every premise is derived again.

    Parameters
    ----------
    statement : Statement or None
        None where it is not at hand: only the identities are checked, whatever claim they are for.
    proof : mapping
        As evidence keeps it.
    whole : bool
        Whether it must prove the claim for every size, not for the listed ones alone, and not that
        its hypotheses contradict each other.

    Returns
    -------
    bool
    """
    if statement is None:
        return stands_alone(proof)
    return recheck_claim(statement, proof, whole=whole)
