"""What a statement about slopes at the server's models says, as sets of claims."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.statement import Statement
from verify.reading.parts.claim import Claims
from verify.reading.parts.refusals import NotReadable
from verify.reading.stationarity.agreement import agrees
from verify.reading.stationarity.claims import WAYS, training_claims
from verify.reading.stationarity.reading import TrainingRuns

__all__ = ["training_sets"]

ABOUT = {
    "N": "any",
    "d": 1,
    "rounds": "any",
    "losses": "smooth, of any number of clients, of whom any are sampled",
}


def training_sets(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says.

    Parameters
    ----------
    statement : Statement

    Yields
    ------
    Claims
        One for each bound of distances that the bound may rest on.
    """
    try:
        setting = TrainingRuns(statement)
        read = setting.read_training()
        if not agrees(setting, read):
            return
    except NotReadable:
        return
    for way in WAYS:
        yield Claims(
            one._replace(label={**ABOUT, **one.label})
            for one in training_claims(read, statement.strict, way)
        )
