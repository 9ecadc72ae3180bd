"""Proofs of claims with one generic client, or over a class of functions.

Where no certificate is found for sizes that are symbols, induction on one of them is tried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.accepted import accepts
from verify.claim.functions import class_of
from verify.claim.statement import Statement
from verify.ladder.rungs.kept_proofs import about_vectors, plain
from verify.reading.generic_claims import claims_of, generic_axis
from verify.reading.vector_reading import vectors_of
from verify.verdict.evidence import Evidence

__all__ = ["prove_generic", "recheck_generic"]


def prove_generic(statement: Statement, kind: str | None) -> Iterator[Evidence]:
    """Try to prove a claim with one generic client, or over a class of functions."""
    claims, complete = claims_of(statement)
    found = [_certified(claim, _vectors(statement, claim), kind) for _, claim in claims]
    if claims and complete and kind is None and None in found and not vectors_of(statement):
        yield from _by_rounds(claims)
        return
    if not claims or None in found:
        return
    certificates = [
        {
            "shape": label,
            "certificate": one[0].to_json(),
            "written": _written(statement, one[0], claim),
        }
        for (label, claim), one in zip(claims, found, strict=True)
        if one is not None
    ]
    proof = {"certificates": certificates}
    if not complete:
        yield Evidence(
            "certificate",
            "reported",
            "proved for each size that is listed, not for all sizes",
            proof=proof,
            scope=statement.family.about,
        )
    elif all(one is not None and one[1] for one in found):
        yield Evidence(
            "certificate",
            "reported",
            "the hypotheses contradict each other, whatever the claim",
            proof=proof,
            link={"kind": "empty", "key": statement.key, "verdict": "proved"},
        )
    else:
        yield Evidence(
            "certificate",
            "decided",
            "proved with every parameter as a symbol",
            proof=proof,
            scope=f"all {kind} functions in every dimension, all parameters symbolic"
            if kind
            else "all parameters symbolic",
        )


def recheck_generic(statement: Statement, stored: Any) -> bool:
    """Whether stored certificates prove a statement with one generic client, or over a class."""
    from verify.certify.prover.lifting import lifts
    from verify.certify.prover.prove import Certificate, verify_certificate

    if class_of(statement.family) is None and generic_axis(statement) is None:
        return False
    claims, _ = claims_of(statement)
    if [dict(c["shape"]) for c in stored] != [label for label, _ in claims]:
        return False
    rounds = [item for item in stored if "certificate" not in item]
    if rounds:
        again = [_inductive(claim)[1] for _, claim in claims]
        return len(rounds) == len(stored) and all(
            accepts(item["written"]) and plain(item["written"]) == plain(document)
            for item, document in zip(stored, again, strict=True)
        )
    made = [Certificate.from_json(item["certificate"]) for item in stored]
    return all(
        verify_certificate(certificate, *claim)
        and lifts(certificate, _vectors(statement, claim))
        and accepts(item["written"])
        and plain(item["written"]) == plain(_written(statement, certificate, claim))
        for item, certificate, (_, claim) in zip(stored, made, claims, strict=True)
    )


def _by_rounds(claims: Any) -> Iterator[Evidence]:
    """A proof of every claim by induction on one of its sizes."""
    found = [(label, *_inductive(claim)) for label, claim in claims]
    if all(document is not None for _, _, document in found):
        names = ", ".join(dict.fromkeys(name for _, name, _ in found))
        yield Evidence(
            "certificate",
            "decided",
            f"proved by induction on {names}: start and step, with every parameter as a symbol",
            proof={
                "certificates": [
                    {"shape": label, "written": document} for label, _, document in found
                ]
            },
            scope="all parameters symbolic",
        )


def _inductive(claim: Any) -> tuple[str, dict[str, Any] | None]:
    """The size on which an induction proves a claim, and the proof; None if there is none."""
    from verify.certify.prover.induction import by_induction

    left, right, relation, hypotheses = claim
    expressions = [left, right, *(h.expr for h in hypotheses)]
    sizes = {s for e in expressions for s in e.free_symbols if s.is_integer and s.is_positive}
    for size in sorted(sizes - set(client_symbol()), key=str):
        document = by_induction(left, right, relation, hypotheses, size)
        if document is not None:
            return str(size).removesuffix("_"), document
    return "", None


def _written(statement: Statement, certificate: Any, claim: Any) -> dict[str, Any]:
    """The proof for the stand-alone checker, which is told what stands for vectors."""
    from verify.certify.prover.prove import written_out

    return about_vectors(written_out(certificate, *claim), _vectors(statement, claim))


def _vectors(statement: Statement, claim: Any) -> tuple[str, ...]:
    """Symbols of a claim that stand for one coordinate of a vector."""
    if class_of(statement.family) is None:
        return vectors_of(statement)
    from verify.reading.class_claims import vectors_of_class

    return vectors_of_class(claim)


def _certified(claim: Any, vectors: Collection[str] = (), kind: str | None = None) -> Any:
    """Certificate, and whether it refutes the hypotheses of a claim that is no falsehood by
    itself; None if there is no proof, or one on the line that does not go further."""
    from verify.certify.prover.lifting import lifts
    from verify.certify.prover.prove import certify

    left, right, relation, hypotheses = claim
    if kind is None:
        found = certify(left, right, relation, hypotheses)
    else:  # many conditions: short products, and then the squares that a programme proposes
        from verify.reading.class_claims import candidates

        found = certify(left, right, relation, hypotheses, 2)
        if found is None or not lifts(found, vectors):
            found = certify(left, right, relation, hypotheses, 1, roots=candidates(claim))
    if found is not None and not lifts(found, vectors):
        return None
    falsehood = getattr(left - right, "is_positive", False)
    return None if found is None else (found, not found.uses_claim and not falsehood)
