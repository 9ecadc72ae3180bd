"""What a statement about consensus in runs of FedBC says, as sets of claims about a round."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.statement import Statement
from verify.reading.consensus.agreement import agrees
from verify.reading.consensus.claims import PAIRS, consensus_claims
from verify.reading.consensus.reading import ConsensusRuns
from verify.reading.parts.claim import Claims
from verify.reading.parts.refusals import NotReadable

__all__ = ["FEDERATION", "consensus_sets"]

FEDERATION = "federation"
"""In the labels of such claims: what the losses are."""
ABOUT = {
    "N": "any",
    "d": 1,
    FEDERATION: "smooth losses of any number of clients, of whom any are averaged",
    "rounds": "any",
}


def consensus_sets(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says.

    Parameters
    ----------
    statement : Statement

    Yields
    ------
    Claims
        One for each bound of pairs of models that may be what the bound rests on.
    """
    try:
        setting = ConsensusRuns(statement)
        read = setting.read()
        if not agrees(setting, read):
            return
    except NotReadable:
        return
    for way in PAIRS:
        yield Claims(
            one._replace(label={**ABOUT, **one.label})
            for one in consensus_claims(read, statement.strict, way)
        )
