"""For what an outline proves a statement: in the words of its setting, by the facts it uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verify.claim.statement import Statement
from verify.outlines.justified import guaranteed
from verify.outlines.registry import registered
from verify.outlines.setting import OutlineSetting
from verify.proof.scope import CONDITIONS, PLAIN, RELATION, rule_scope, sizes_of, used

Document = Mapping[str, Any]

__all__ = ["scope_of"]


def scope_of(statement: Statement, document: Document) -> str:
    """The scope of a proof in one sentence.

    Parameters
    ----------
    statement : Statement
        One that has an outline.
    document : mapping
        One that `verify.outlines.proved.proves` accepts for it.
    """
    one = registered(statement)
    assert one is not None
    assumed, conditions = _said(document, one.setting)
    when = f"; for {', '.join(conditions)}" if conditions else ""
    about = ", ".join(assumed) or "all real numbers"
    return f"{one.setting.name}: {about}{when}; any {sizes_of(document)} and start"


def _said(document: Document, setting: OutlineSetting) -> tuple[list[str], list[str]]:
    """What is assumed, and conditions on numbers, each once."""
    assumed: dict[str, None] = {}
    conditions: dict[str, None] = {}
    names = used(document)
    for fact in document["facts"]:
        if fact["name"] not in names or fact["rule"] == "cite":
            continue
        known = guaranteed(fact, setting)
        words = None if known is None else known.scope
        if words is not None:
            assumed |= dict.fromkeys([words] if words else [])
        elif fact["rule"] in (*CONDITIONS, RELATION):
            conditions[rule_scope(fact)] = None
        elif fact["rule"] not in PLAIN and rule_scope(fact):
            assumed[rule_scope(fact)] = None
    return list(assumed), list(conditions)
