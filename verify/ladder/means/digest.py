"""Digest of what a statement computes, so that a witness says which code it was found for."""

from __future__ import annotations

import functools
import hashlib
import inspect
from typing import Any

from verify.claim.statement import Statement

__all__ = ["code_hash"]


def code_hash(statement: Statement) -> str:
    """Digest of the code of both sides and of the hypotheses."""
    rules = [item.rule for item in statement.given]
    parts = [statement.sides, *rules, *statement.defines.values()]
    text = "".join(_code(part) for part in parts if part is not None)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _code(function: Any) -> str:
    """Source of a function, with the arguments that a partial one holds."""
    if isinstance(function, functools.partial):
        return f"{_code(function.func)}{function.args}{function.keywords}"
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return repr(getattr(function, "__qualname__", function))
