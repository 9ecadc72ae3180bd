"""What an outline of a statement may say: the notation, facts and claim of the statement alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.outlines.converted import Converted
from verify.outlines.setting import ANY, Setting

Document = Mapping[str, Any]

__all__ = ["unjustified"]

FREE = ("square", "cite")
"""Rules that assume nothing: that no square is negative, and theorems with fewer facts."""

DEFINES = {"definition": "entry", "average": "called"}
"""Rules that give a name to what is there already, which must be a new one."""


def unjustified(document: Document, setting: Setting, said: Converted) -> str:
    """Why a document is no proof of a statement, whatever its steps are; empty if nothing is.

    Parameters
    ----------
    document : mapping
    setting : Setting
    said : Converted
        The statement in the notation of the setting.
    """
    claim = {"left": said.left, "relation": said.relation, "right": said.right}
    if document.get("claim") != claim:
        return "its claim is not what the statement says"
    declared = setting.declarations()
    for table, known in declared.items():
        own = document.get(table, type(known)())
        if table == "clients":
            good = own in ({}, known)
        elif isinstance(known, list):
            good = {*own} <= {*known}
        else:
            good = _declared(table, own, known, document["facts"])
        if not good:
            return f"it declares other {table} than the setting {setting.name} has"
    for fact in document["facts"]:
        if not _known(fact, setting, said):
            args = ", ".join(f"{k} = {v}" for k, v in fact["args"].items())
            return (
                f"the fact {fact['name']} (rule {fact['rule']}: {args}) is neither one that the "
                f"setting {setting.name} guarantees nor a hypothesis of the statement"
            )
    return ""


def _declared(
    table: str, own: Mapping[str, Any], known: Mapping[str, Any], facts: Sequence[Document]
) -> bool:
    """Whether a table has nothing beside the notation but new names that the outline defines."""
    named = {
        _base(fact["args"][DEFINES[fact["rule"]]]) for fact in facts if fact["rule"] in DEFINES
    }
    more = {name for name, about in own.items() if known.get(name) != about}
    new = named - {_base(name) for name in known}
    return not more or (table in ("numbers", "vectors") and {*map(_base, more)} <= new)


def _known(fact: Document, setting: Setting, said: Converted) -> bool:
    rule, args = fact["rule"], dict(fact["args"])
    if rule in DEFINES and _base(args[DEFINES[rule]]) not in _names(setting):
        return True
    if rule in FREE:
        return True
    if rule in ("condition", "strict condition") and args.get("less") == "0":
        names = {name for name, text in said.given.items() if text == args.get("more")}
        if names and (rule == "condition" or names & said.strict):
            return True
    return any(
        known.rule == rule
        and {*known.args} == {*args}
        and all(v in (ANY, args[k]) for k, v in known.args.items())
        for known in setting.facts.values()
    )


def _names(setting: Setting) -> set[str]:
    return {_base(q.name) for q in setting.quantities}


def _base(entry: str) -> str:
    return entry.partition("[")[0].strip()
