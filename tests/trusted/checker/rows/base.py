"""A row of the table, and the symbols that rows share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.trusted.checker.build import Document, fact, lemma_by

__all__ = ["BELOW", "FALSE", "KINDS", "LESS", "Row", "S", "U", "V", "X"]


@dataclass(frozen=True)
class Row:
    """A document, the rule and the condition that it is about, and a point at which it is false."""

    rule: str
    condition: str
    document: Document
    false_at: dict[str, Any] | None = None


FALSE = fact("1", "claim is false", strict=True)
S = "Sum({}, (k, 1, N))".format
U, X, V = S("u[k]"), S("x[k]"), S("v[k]")
KINDS = (
    "x y real; s t positive; u w nonnegative; m negative; p nonpositive; z complex; "
    "T positive integer; R nonnegative integer; n integer; v positive"
)
LESS = lemma_by("1 - s", "hypothesis", 0)
BELOW = ["1 - s >= 0"]
U, V, X = S("u[k]"), S("v[k]"), S("x[k]")
