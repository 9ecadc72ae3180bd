"""Certificate rung: prove a claim with its parameters, and the number of clients, as symbols."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verify.certify.prover.accepted import accepts
from verify.claim.functions import class_of
from verify.claim.statement import Statement
from verify.ladder.rungs.clients import prove_with_clients, recheck_with_clients
from verify.ladder.rungs.generic import prove_generic, recheck_generic
from verify.reading.generic_claims import generic_axis
from verify.verdict.evidence import Evidence

__all__ = ["prove", "recheck", "stands_alone", "written_proofs"]


def prove(statement: Statement) -> Iterator[Evidence]:
    """Try to prove a claim; at most one piece of evidence, none where it does not apply.

    Where a solver failed and there is no proof, the evidence is the reason.

    Sizes (numbers of clients, rounds, dimensions) become symbols too. Where the claim has no form
    with symbolic sizes it is proved size by size, which is worth reporting but is no proof.
    """
    if statement.over != "point" or statement.quantifier != "all":
        return
    if statement.relation not in ("<=", ">=", "=="):
        return
    from verify.certify.algebra.solvers import complaints

    kind = class_of(statement.family)
    found: list[Evidence] = []
    with complaints() as said:
        if kind is not None or generic_axis(statement) is not None:
            found = list(prove_generic(statement, kind))
        if kind is None and not any(e.status == "decided" or e.link for e in found):
            found = list(prove_with_clients(statement)) or found
    yield from found
    if said and not found:
        yield Evidence("certificate", "not-applicable", f"no proof was found: {'; '.join(said)}")


def written_proofs(statement: Statement) -> list[dict[str, Any]]:
    """Proofs of a statement, one for each claim that it consists of; empty if there is none."""
    found = [e for e in prove(statement) if e.proof is not None and e.status == "decided"]
    return [part["written"] for e in found if e.proof for part in e.proof["certificates"]]


def recheck(statement: Statement, proof: Any) -> bool:
    """Whether stored certificates prove this statement: every premise is derived again."""
    stored = proof.get("certificates", [])
    return recheck_generic(statement, stored) or (
        class_of(statement.family) is None and recheck_with_clients(statement, stored)
    )


def stands_alone(proof: Any) -> bool:
    """Whether the identities of stored certificates hold, whatever claim they are for."""
    from verify.certify.prover.prove import Certificate, verify_certificate

    stored = [
        Certificate.from_json(c["certificate"])
        for c in proof.get("certificates", [])
        if "certificate" in c
    ]
    written = [c["written"] for c in proof.get("certificates", [])]
    return bool(written) and all(map(verify_certificate, stored)) and all(map(accepts, written))
