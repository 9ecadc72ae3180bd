"""Proofs as evidence keeps them: plain documents that say which symbols stand for vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

__all__ = ["about_vectors", "plain"]


def about_vectors(document: dict[str, Any], vectors: Sequence[str]) -> dict[str, Any]:
    """A proof that tells the checker which symbols stand for one coordinate of a vector."""
    return {**document, "vectors": list(vectors)} if vectors else document


def plain(document: Any) -> Any:
    """As it comes back from a file."""
    return json.loads(json.dumps(document))
