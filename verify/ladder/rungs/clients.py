"""Proofs of claims that single clients out, order them or take extremes over them.

Each such claim is a set of claims about any number of clients (`verify.reading.clients.claims`); it
is proved where each of them is, by `verify.certify.prover.prove` and in the form that the
stand-alone checker reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verify.certify.prover.accepted import accepts
from verify.claim.statement import Statement
from verify.ladder.rungs.kept_proofs import about_vectors, plain
from verify.reading.clients.claims import Claims, Labelled, claim_sets
from verify.reading.clients.symbols import Claim
from verify.reading.parts.free_parts import squared
from verify.reading.runs.parts import balanced, with_signs
from verify.verdict.evidence import Evidence

__all__ = ["prove_with_clients", "recheck_with_clients"]

ROOTS, CAP = 24, 6000
"""Roots whose squares are tried where a claim about losses is not proved without, and products."""


def prove_with_clients(statement: Statement) -> Iterator[Evidence]:
    """Try to prove a claim on numbers with single clients as symbols; at most one evidence.

    Parameters
    ----------
    statement : Statement
        At each point, for all instances.
    """
    for claims in claim_sets(statement):
        found = _proofs(claims)
        if found is None:
            continue
        proof = {
            "certificates": [
                {"shape": label, "certificate": one.to_json(), "written": written}
                for (label, _, _), one, written in found
            ]
        }
        if any(one.uses_claim for _, one, _ in found):
            yield Evidence(
                "certificate",
                "decided",
                "proved with every parameter as a symbol, for any number "
                f"of clients{_dimensions([c for c, _, _ in found])}",
                proof=proof,
                scope="all parameters symbolic",
            )
        else:
            yield Evidence(
                "certificate",
                "reported",
                "the hypotheses contradict each other, whatever the claim",
                proof=proof,
                link={"kind": "empty", "key": statement.key, "verdict": "proved"},
            )
        return


def recheck_with_clients(statement: Statement, stored: Sequence[Any]) -> bool:
    """Whether stored certificates prove this statement: every premise is derived again.

    Parameters
    ----------
    statement : Statement
    stored : sequence
        What `prove_with_clients` has put under ``certificates``.
    """
    from verify.certify.prover.lifting import lifts
    from verify.certify.prover.prove import Certificate, verify_certificate

    labels = [dict(item["shape"]) for item in stored]
    sets = (claims.all() for claims in claim_sets(statement))
    claims = next((c for c in sets if [label for label, _, _ in c] == labels), None)
    if not claims or any("certificate" not in item for item in stored):
        return False
    return all(
        verify_certificate(certificate, *claim)
        and lifts(certificate, vectors)
        and accepts(item["written"])
        and plain(item["written"]) == plain(_written(certificate, claim, vectors))
        for item, certificate, (_, claim, vectors) in zip(
            stored,
            [Certificate.from_json(item["certificate"]) for item in stored],
            claims,
            strict=True,
        )
    )


def _proofs(claims: Claims) -> list[tuple[Labelled, Any, dict[str, Any]]] | None:
    """The claims, a certificate of each in both forms; None where one has none.

    All of them are found before the first is written out.
    """
    found = []
    for claim in claims:
        one = _found(*claim)
        if one is None:
            return None
        found.append((claim, one))
    if claims.broken:
        return None
    proofs = []
    for claim, one in found:
        written = _checked(one, claim[2])
        if written is None:
            return None
        proofs.append((claim, *written))
    return proofs or None


def _found(label: dict[str, Any], claim: Claim, vectors: Sequence[str]) -> Any:
    """What the search leaves of one claim; None where it finds nothing that lifts."""
    from verify.certify.prover.lifting import lifts
    from verify.certify.prover.prove import searched

    roots = squared(claim) if label.get("parts") else _roots(claim)
    one = searched(*claim, roots=roots)
    if one is None and "losses" in label:
        more = dict.fromkeys([*balanced(claim), *(r for b in roots for r in with_signs(b))])
        one = searched(*claim, roots=[*more][:ROOTS], cap=CAP) if more else None
    return one if one is not None and lifts(one.certificate, vectors) else None


def _checked(one: Any, vectors: Sequence[str]) -> tuple[Any, dict[str, Any]] | None:
    """A certificate in both forms; None where a checker refuses it."""
    if one.written is None:
        return None
    certificate, written = one.written
    about = about_vectors(written, vectors)
    return (certificate, about) if about is written or accepts(about) else None


def _dimensions(claims: Sequence[Labelled]) -> str:
    """The dimensions that were spelled out, in words."""
    found = sorted(
        {
            label["d"]
            for label, _, _ in claims
            if isinstance(label.get("d"), int) and "losses" not in label
        }
    )
    return f", in every dimension it has ({', '.join(map(str, found))})" if found else ""


def _roots(claim: Any) -> list[Any]:
    """Polynomials whose squares stand in the sides of a claim without formal sums."""
    import sympy

    left, right, *_ = claim
    gap = sympy.sympify(right) - sympy.sympify(left)
    if gap.has(sympy.Sum):
        return []
    bases = [p.base for p in gap.atoms(sympy.Pow) if p.exp == 2 and p.base.is_Add]
    found = [sympy.fraction(sympy.cancel(base))[0] for base in bases]
    return sorted({f for f in found if f.is_polynomial() and f.is_extended_real}, key=str)


def _written(certificate: Any, claim: Any, vectors: Sequence[str]) -> dict[str, Any]:
    """The proof for the stand-alone checker."""
    from verify.certify.prover.prove import written_out

    return about_vectors(written_out(certificate, *claim), vectors)
