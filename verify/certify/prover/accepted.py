"""What the checker has said of a document: the same text is not checked twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from verify.certify import checker
from verify.limits.foreign import NotAsWritten, file_of_others

__all__ = ["accepts"]

KEPT = 2048
"""Answers that are remembered, more than the whole library has proofs."""


def accepts(document: Mapping[str, Any]) -> bool:
    """Whether the stand-alone checker accepts a document: its answer, or the one it gave before.

    Parameters
    ----------
    document : mapping
        A written proof, as JSON.
    """
    try:
        with file_of_others():
            text = json.dumps(document, sort_keys=True)
    except NotAsWritten:
        return checker.accepts(document)
    return _accepted(text)


@lru_cache(maxsize=KEPT)
def _accepted(text: str) -> bool:
    return checker.accepts(json.loads(text))
