"""Negative controls of an outline: without a fact, with a smaller bound, with a false rule.

Without a fact and with a smaller bound the proof must be lost: else the fact is idle, or the bound
is not what the steps say.  With a false rule it may be found; then exact runs must refuse the rule
(`verify.proof.bridge`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from verify.proof.checker import Refused, check
from verify.proof.facts import FACTS, FactRule
from verify.proof.outline import NoProof, searched_for
from verify.proof.term import parsed

Document = Mapping[str, Any]

__all__ = ["kept", "tightened", "twins", "without"]


def kept(document: Document) -> list[str]:
    """Controls that an outline survives, in words; empty if each of them loses the proof."""
    found = [f"without the fact {n}" for n, d in without(document) if not _lost(d)]
    return found + [f"with {n}" for n, d in tightened(document) if not _lost(d)]


def without(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """The outline without each of its facts."""
    for fact in document["facts"]:
        name = fact["name"]
        steps = [
            {**s, "by": [b for b in s["by"] if name not in (b, b[0])]} if "by" in s else s
            for s in document["steps"]
        ]
        facts = [f for f in document["facts"] if f is not fact]
        yield name, {**document, "facts": facts, "steps": steps}


def tightened(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """The outline with each term of its bound a tenth smaller, in the steps that say it as well."""
    claim = document["claim"]
    for term, right in _smaller(claim["right"]):
        said = {**claim, "right": right}
        steps = [{**s, "right": right} if _says(s, claim) else s for s in document["steps"]]
        yield f"{term} a tenth smaller", {**document, "claim": said, "steps": steps}


def twins(document: Document) -> Iterator[tuple[str, dict[str, FactRule]]]:
    """Rules with the false twin of each that the outline uses in place of it."""
    for name in dict.fromkeys(fact["rule"] for fact in document["facts"]):
        if name in FACTS:
            rule = FACTS[name]
            twin = replace(rule, says=rule.twin, declares=rule.twin_declares)
            yield name, {**FACTS, name: twin}


def _lost(document: Document) -> str:
    """Why an outline is no proof; empty if it is one."""
    try:
        check(searched_for(document))
    except (NoProof, Refused) as reason:
        return str(reason)
    return ""


def _says(step: Document, claim: Document) -> bool:
    return all(step[side] == claim[side] for side in ("left", "relation", "right"))


def _smaller(text: str) -> Iterator[tuple[str, str]]:
    """Each term of a sum, and the sum with it smaller: what is taken off is made larger."""
    terms = list(_terms(parsed(text), 1))
    for place, (sign, term) in enumerate(terms):
        if term == "0":
            yield text, f"({text}) - 1"
            continue
        parts = [
            ("-" if s < 0 else "+")
            + ((f"9/10*({t})" if sign > 0 else f"10/9*({t})") if p == place else f"({t})")
            for p, (s, t) in enumerate(terms)
        ]
        yield term, "0" + "".join(parts)


def _terms(node: ast.expr, sign: int) -> Iterator[tuple[int, str]]:
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield from _terms(left, sign)
            yield from _terms(right, sign if isinstance(op, ast.Add) else -sign)
        case ast.UnaryOp(operand=inner):
            yield from _terms(inner, -sign)
        case _:
            yield sign, ast.unparse(node)
