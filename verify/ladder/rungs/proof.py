"""Proof rung: by the outline of a statement where it has one, else by what is read of the claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from verify.claim.statement import Statement
from verify.ladder.rungs import certificate
from verify.limits.foreign import CodeFailed, code_of_others
from verify.outlines.proved import document_of, proves
from verify.outlines.registry import registered
from verify.outlines.scoped import scope_of
from verify.proof.documents import accepts, is_outline
from verify.reading.parts.refusals import told
from verify.verdict.evidence import Evidence

__all__ = [
    "outdated",
    "prove",
    "recheck",
    "stands_alone",
    "told_again",
    "why_none",
    "written_proofs",
]

OUTLINE = "outline"
"""The label of a proof by an outline."""


def prove(statement: Statement, met: bool = True) -> Iterator[Evidence]:
    """Try to prove a claim; at most one piece of evidence, none where it does not apply.

    Where there is an outline and it is no proof, and no other is found, the evidence is the reason.
    """
    from verify.proof.outline import NoProof

    why = ""
    if met and registered(statement) is not None:
        try:
            with code_of_others(NoProof):
                found = [_evidence(statement, document_of(statement))]
        except NoProof as reason:
            why = f"the outline is no proof: {reason}"
        except CodeFailed as failed:  # of a fault in a setting no leaf may die
            why = f"the outline is no proof: {told(failed.met, statement.key)}"
        else:
            yield from found
            return
    found = list(certificate.prove(statement, met))
    if not why:
        yield from found
        return
    for item in found:
        if item.proof is not None:
            yield replace(item, summary=f"{item.summary} ({why})")
            return
    yield Evidence("certificate", "not-applicable", why)


def written_proofs(statement: Statement) -> list[dict[str, Any]]:
    """Proofs of a statement, one for each claim that it consists of; empty if there is none."""
    found = [e for e in prove(statement) if e.proof is not None and e.status == "decided"]
    return [part["written"] for e in found if e.proof for part in e.proof["certificates"]]


def recheck(
    statement: Statement, proof: Mapping[str, Any], again: bool = False, whole: bool = False
) -> bool:
    """Whether stored proofs prove this statement; see `verify.ladder.rungs.certificate.recheck`."""
    document = _outline(proof)
    if document is None:
        return certificate.recheck(statement, proof, again, whole)
    return "of" not in proof and proves(statement, document, again)


def told_again(statement: Statement, proof: Mapping[str, Any], whole: bool) -> Evidence:
    """Stored proofs that `recheck` has accepted, as evidence: what is said is found anew."""
    document = _outline(proof)
    if document is None:
        return certificate.told_again(statement, proof, whole)
    return _evidence(statement, document)


def stands_alone(proof: Mapping[str, Any]) -> bool:
    """Whether stored proofs are proofs, whatever claim they are for."""
    document = _outline(proof)
    return certificate.stands_alone(proof) if document is None else accepts(document)


def outdated(statement: Statement, proof: Mapping[str, Any]) -> bool:
    """Whether a stored proof is of another kind than the statement has by now: its outline."""
    return registered(statement) is not None and _outline(proof) is None


def why_none(statement: Statement) -> str:
    """Why the outline of a statement is no proof; empty if it has none, or it is one."""
    from verify.proof.outline import NoProof

    if registered(statement) is None:
        return ""
    try:
        document_of(statement)
    except NoProof as reason:
        return f"its outline is no proof: {reason}"
    return ""


def _outline(proof: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The document of a stored proof by an outline; None where it is of another kind."""
    stored = proof.get("certificates")
    if not isinstance(stored, list) or len(stored) != 1 or not isinstance(stored[0], Mapping):
        return None
    document = stored[0].get("written")
    return document if is_outline(document) else None


def _evidence(statement: Statement, document: Mapping[str, Any]) -> Evidence:
    """What is said of an outline: how long it is, and for what it holds, by the facts it uses."""
    closed = [step["schema"] for step in document["steps"] if "schema" in step]
    how = f", closed by {' and '.join(dict.fromkeys(closed))}" if closed else ""
    about = scope_of(statement, document)
    facts, steps = (
        f"{len(document[part])} {part[: -1 if len(document[part]) == 1 else None]}"
        for part in ("facts", "steps")
    )
    return Evidence(
        "certificate",
        "decided",
        f"proved for {about} (by its outline: {facts}, {steps}{how})",
        proof={"certificates": [{"shape": {OUTLINE: document["title"]}, "written": document}]},
        scope=about,
    )
