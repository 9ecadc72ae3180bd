"""What an outline of a statement may say: the notation, facts and claim of the statement alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.certify.checker import Value
from verify.outlines.converted import Converted
from verify.outlines.setting import ANY, Guaranteed, OutlineSetting
from verify.proof.checker import Refused, opened
from verify.proof.reader import OutlineReader

Document = Mapping[str, Any]

__all__ = ["guaranteed", "unjustified"]

FREE = ("square", "cite")
"""Rules that assume nothing: that no square is negative, and theorems with fewer facts."""

DEFINES = {"definition": "entry", "average": "called"}
"""Rules that give a name to what is there already, which must be a new one."""


def unjustified(document: Document, setting: OutlineSetting, said: Converted) -> str:
    """Why a document is no proof of a statement, whatever its steps are; empty if nothing is.

    Parameters
    ----------
    document : mapping
    setting : OutlineSetting
    said : Converted
        The statement in the notation of the setting.
    """
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
    try:
        reader = opened(document).reader
        same = _claims(reader, document["claim"], said)
        wrong = next((f for f in document["facts"] if not _known(reader, f, setting, said)), None)
    except Refused as reason:
        return f"the statement or a fact cannot be read: {reason}"
    if not same:
        return f"its claim is not what the statement says: {said.left} {said.relation} {said.right}"
    if wrong is None:
        return ""
    args = ", ".join(f"{k} = {v}" for k, v in wrong["args"].items())
    return (
        f"the fact {wrong['name']} (rule {wrong['rule']}: {args}) is neither one that the setting "
        f"{setting.name} guarantees nor a hypothesis of the statement"
    )


def _claims(reader: OutlineReader, claim: Document, said: Converted) -> bool:
    """Whether a claim is what a statement says: both sides as equal polynomials."""
    return claim["relation"] == said.relation and all(
        reader.scalar(claim[side]) == reader.scalar(text)
        for side, text in (("left", said.left), ("right", said.right))
    )


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


def _known(reader: OutlineReader, fact: Document, setting: OutlineSetting, said: Converted) -> bool:
    rule, args = fact["rule"], dict(fact["args"])
    if rule in DEFINES and _base(args[DEFINES[rule]]) not in _names(setting):
        return True
    if rule in FREE:
        return True
    if rule in ("condition", "strict condition", "relation"):
        gap = reader.scalar(f"({args['more']}) - ({args['less']})")
        for name, text in said.given.items():
            if (rule != "strict condition" or name in said.strict) and _share(reader, gap, text):
                return True
    known = guaranteed(fact, setting)
    return known is not None and {*known.needs} <= said.hypotheses


def guaranteed(fact: Document, setting: OutlineSetting) -> Guaranteed | None:
    """The line of a setting that a fact is, with points put in; None if it is none of them."""
    args = fact["args"]
    for known in setting.facts.values():
        same = known.rule == fact["rule"] and {*known.args} == {*args}
        if same and all(v in (ANY, args[k]) for k, v in known.args.items()):
            return known
    return None


def _share(reader: OutlineReader, gap: Value, margin: str) -> bool:
    """Whether a gap is a margin times a power product that is positive by its form."""
    value = reader.scalar(margin)
    if gap == value:
        return True
    for whole, c in value.over.items():
        for share, d in gap.over.items():
            over, under = Counter(share), Counter(whole)
            ratio = Value(
                {tuple(sorted((over - under).elements())): d / c},
                {tuple(sorted((under - over).elements())): Fraction(1)},
            )
            ratio = ratio * Value(value.under, gap.under)
            if reader.sign(ratio) == 2 and gap == ratio * value:
                return True
    return False


def _names(setting: OutlineSetting) -> set[str]:
    return {_base(q.name) for q in setting.quantities}


def _base(entry: str) -> str:
    return entry.partition("[")[0].strip()
