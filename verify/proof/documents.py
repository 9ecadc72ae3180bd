"""Documents of both kinds, whole theorems and single inequalities, each to its own checker."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from verify.certify import checker as single
from verify.certify.checker import Refused
from verify.certify.prover import accepted
from verify.limits.foreign import NotAsWritten, file_of_others
from verify.proof import checker as whole

__all__ = ["Refused", "accepts", "check", "coq_file", "explained", "is_outline"]

Document = Mapping[str, Any]

KEPT = 256
"""Answers on whole theorems that are remembered."""


def is_outline(document: Any) -> bool:
    """Whether a document says that it is of a whole theorem."""
    return isinstance(document, Mapping) and document.get("format") == whole.FORMAT


def accepts(document: Document) -> bool:
    """Whether the checker of its kind accepts a document: its answer, or the one it gave before."""
    if not is_outline(document):
        return accepted.accepts(document)
    try:
        with file_of_others():
            text = json.dumps(document, sort_keys=True)
    except NotAsWritten:
        return False
    return _accepted(text)


@lru_cache(maxsize=KEPT)
def _accepted(text: str) -> bool:
    return whole.accepts(json.loads(text))


def check(document: Document) -> str:
    """What a document proves, in words.

    Raises
    ------
    Refused
        If its checker does not accept it.
    """
    return whole.check(document) if is_outline(document) else single.check(document)


def explained(document: Document, tex: bool = False, accepted: bool = False) -> list[str]:
    """The proof line by line; of a whole theorem the certificates of its steps come last."""
    if not is_outline(document):
        from verify.certify.explain.documents import explained as of_single

        return of_single(document, tex=tex, accepted=accepted)
    from verify.proof.explain import certificates
    from verify.proof.explain import explained as of_whole

    lines = of_whole(document)
    folded = certificates(document)
    lines += ["", "Certificates of the steps:", *(f"  {line}" for line in folded)] * bool(folded)
    if not tex:
        return lines
    from verify.certify.explain.formulas import escaped

    return [escaped(line) for line in lines]


def coq_file(proofs: Mapping[str, Sequence[Document]]) -> str:
    """A file that Coq accepts if and only if it can follow the proofs.

    Raises
    ------
    NotInCoq
        If a proof uses what has no counterpart there, with its name; or several whole theorems, or
        one beside other proofs, are asked for at once: each is a file of its own.
    """
    from verify.certify.coq.document import coq_file as of_single
    from verify.certify.coq.terms import NotInCoq
    from verify.proof.coq.theorem import whole_file

    every = [(key, one) for key, several in proofs.items() for one in several]
    if not any(is_outline(one) for _, one in every):
        return of_single(proofs)
    if len(every) > 1:
        raise NotInCoq("a whole theorem and other proofs in one file: name one leaf")
    ((key, document),) = every
    return whole_file(document, "claim_" + re.sub(r"\W", "_", key))
