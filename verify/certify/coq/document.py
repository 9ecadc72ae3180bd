"""Write a proof for Coq (8.16 or later): claim and hypotheses over the reals, then each step.

The theorem states what `verify.certify.checker` accepts: every symbol a real number, or a function
of the client, every whole symbol a natural number, every vector one of R^d.  What must be defined
is said beside the hypotheses: no denominator vanishes, no root is taken of a negative number.  The
proof takes the products of the written proof one by one; Coq is left with ``field``, ``ring`` and
``lra``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from verify.certify.coq.coordinates import by_coordinates
from verify.certify.coq.prelude import PRELUDE
from verify.certify.coq.rounds import Induction
from verify.certify.coq.script import Script
from verify.certify.coq.terms import NotInCoq

__all__ = ["NotInCoq", "coq_file"]


def coq_file(proofs: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """A file that Coq accepts if and only if it can follow the proofs.

    Parameters
    ----------
    proofs : mapping
        For each key of a statement its proofs, as the checker reads them.

    Raises
    ------
    NotInCoq
        If a proof uses what has no counterpart here, with its name.
    """
    parts = [PRELUDE]
    for key, several in proofs.items():
        for number, proof in enumerate(several, 1):
            name = "claim_" + re.sub(r"\W", "_", key) + (f"_{number}" if len(several) > 1 else "")
            theorem = _theorem(proof, name)
            parts.append(f"(* {key} *)\n{theorem}Print Assumptions {name}.\n")
    return "\n".join(parts)


def _theorem(proof: Mapping[str, Any], name: str) -> str:
    """One proof; in inner products where that goes, else coordinate by coordinate."""
    if "induction" in proof["proof"]:
        return Induction(proof).theorem(name)
    try:
        return Script(proof).theorem(name)
    except NotInCoq as reason:
        if not proof.get("vectors"):
            raise
        try:
            return by_coordinates(proof, name)
        except NotInCoq:
            raise reason from None
