"""Proofs of a claim as documents, what was proved in cases as one document with all its cases.

The checker sees for itself that the cases are all that there are, and that each proves what the
claim says in it; without this only `verify.ladder.rungs.certificate.recheck` would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from verify.certify.checker import COVER
from verify.certify.prover.accepted import accepts
from verify.claim.statement import Statement
from verify.ladder.rungs.proof import prove
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import ReadClaim

__all__ = ["covered", "documents"]

Document = dict[str, Any]


def documents(statement: Statement) -> list[Document]:
    """Documents that together prove a statement; empty if there is no proof.

    Parameters
    ----------
    statement : Statement

    Returns
    -------
    list of dict
        Each of which the stand-alone checker accepts.
    """
    found = [e.proof for e in prove(statement) if e.proof is not None and e.status == "decided"]
    parts = [(part["shape"], part["written"]) for proof in found for part in proof["certificates"]]
    return [one for several in covered(statement, parts) for one in several]


def covered(
    statement: Statement, parts: Sequence[tuple[Mapping[str, Any], Document]]
) -> Iterator[list[Document]]:
    """Proofs in their order, those of all cases of one claim as one document.

    Parameters
    ----------
    statement : Statement
    parts : sequence of (label, proof)
        As `verify.ladder.rungs.certificate.prove` lists them.

    Yields
    ------
    list of dict
        One document for one claim; the proofs by themselves where the checker does not follow
        how the claim falls into its cases.
    """
    groups = [
        (label, [part for _, part in some])
        for label, some in groupby(
            zip([_without_case(label) for label, _ in parts], parts, strict=True),
            lambda item: item[0],
        )
    ]
    if not any("case" in label for label, _ in parts):
        yield from ([proof] for _, proof in parts)
        return
    labels = [label for label, _ in groups]
    sets = [s.all() for s in claim_sets(statement, whole=True)]
    sets = [s for s in sets if [x for x, _, _ in s] == labels]
    for (_, some), *wholes in zip(groups, *sets, strict=True):
        proofs = [proof for _, proof in some]
        cases = {label["case"]: proof for label, proof in some if "case" in label}
        made = (_cover(whole, cases) for whole in wholes if len(cases) == len(some))
        yield next(([one] for one in made if one is not None and accepts(one)), proofs)


def _without_case(label: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in label.items() if name not in ("case", "never")}


def _cover(whole: ReadClaim, cases: Mapping[str, Document]) -> Document | None:
    """The claim with its cases; None where they are no tree of answers."""
    from verify.certify.prover.explicit import kinds, plain

    _, (left, right, relation, hypotheses), vectors = whole
    tree = _tree(cases, "")
    if tree is None:
        return None
    made = {
        "format": COVER,
        "claim": {"left": plain(left), "right": plain(right), "relation": relation},
        "given": [{"name": h.name, "expr": plain(h.expr), "strict": h.strict} for h in hypotheses],
        "symbols": kinds([left, right, *(h.expr for h in hypotheses)])
        | {name: sign for proof in cases.values() for name, sign in proof["symbols"].items()},
        "cases": tree,
    }
    return {**made, "vectors": list(vectors)} if vectors else made


def _tree(cases: Mapping[str, Document], answers: str) -> Document | None:
    """Cases that begin with some answers; a condition stands in the proofs where it is met.

    None where one of two answers is missing.
    """
    if answers in cases:
        return cases[answers]
    met = next((p for bits, p in cases.items() if bits.startswith(answers + "1")), None)
    branches = [_tree(cases, answers + bit) for bit in "10"] if met is not None else [None]
    if met is None or None in branches:
        return None
    asked = [h for h in met["given"] if h["name"].startswith("case ")][len(answers)]
    return {
        "if": asked["expr"],
        "strict": asked["strict"],
        "then": branches[0],
        "else": branches[1],
    }
