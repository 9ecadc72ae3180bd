"""Why a standing claim has no certificate, in a few words that can be counted.

That it has none is for the ledger to say: the search for a proof is not run again here.
"""

from __future__ import annotations

import re

from verify.claim.functions import class_of
from verify.claim.statement import Statement
from verify.limits.clock import OutOfTime, at_most
from verify.reading.claim_sets import claim_sets
from verify.reading.clients.groups import why_unread
from verify.reading.clients.reading import PROBLEMS

READ = "its formula was read, and no proof of it found"

LATE = "its formula was not read within the time for it"

SECONDS = 5.0
"""How long a formula may be read, in seconds of the processor."""

COMPARED = {
    "mean": "means over the noise",
    "path": "every outcome of the noise",
    "prob": "a probability over the noise",
}

KINDS = (
    (r"several axes", "its parameters run over several axes"),
    (r"single client|out of bounds", "it singles one client out, or orders them"),
    (r"about pairs", "it is about pairs of clients"),
    (r"truth value", "it branches on the value of a parameter"),
    (r"integer|int\(\)|__index__|slice", "it loops over a size, and only listed sizes are read"),
    (r"Ball", "it has a transcendental constant"),
    (r"rounded before", "it has a number rounded before it reached the claim"),
    (re.escape(PROBLEMS), PROBLEMS),
)
"""What the error of a symbolic reading says, and the reason that it stands for."""

__all__ = ["why_unproved"]


def why_unproved(statement: Statement, seconds: float = SECONDS) -> str:
    """Why the certificate rung proves nothing of a claim.

    Parameters
    ----------
    statement : Statement
        One for which the rung has found no proof.
    seconds : float
        How long its formula may be read.

    Returns
    -------
    str
        One clause that begins with "it" or "its", the same for all claims of one kind.
    """
    if statement.quantifier != "all":
        return "it says that an instance exists"
    if statement.over != "point":
        return f"it is about {COMPARED[statement.over]}"
    if statement.relation == "<~":
        return "it leaves a constant open"
    if class_of(statement.family) is not None:
        return "its class of functions gave no proof"
    import verify.certify.prover.prove  # noqa: F401  (loading it is not charged)

    try:
        with at_most(seconds):
            return _read(statement)
    except OutOfTime:
        return LATE


def _read(statement: Statement) -> str:
    """How far the formula of a claim about numbers is read."""
    for claims in claim_sets(statement):
        if claims.all():
            return READ if claims.complete else "it has a form for the listed sizes only"
    said = why_unread(statement)
    return next(
        (words for pattern, words in KINDS if re.search(pattern, said)),
        f"it has no form with symbols ({said})" if said else "its shapes have different forms",
    )
