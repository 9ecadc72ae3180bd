"""The scope of a proved outline in one sentence, computed from the facts that the proof uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.proof.facts import FACTS
from verify.proof.shown import shown_formula

Document = Mapping[str, Any]

__all__ = ["CONDITIONS", "PLAIN", "RELATION", "rule_scope", "scope", "sizes_of", "used"]


def scope(document: Document) -> str:
    """For what an outline proves its claim, in the field's words.

    Parameters
    ----------
    document : mapping
        One that `verify.proof.checker.check` accepts.
    """
    said = []
    names = used(document)
    for fact in document["facts"]:
        rule = FACTS.get(fact["rule"])
        if rule is None:
            said.append(f"what {fact['name']} assumes")
        elif fact["name"] in names and rule.scope and fact["rule"] not in (*PLAIN, RELATION):
            said.append(rule_scope(fact))
    conditions = [
        rule_scope(f)
        for f in document["facts"]
        if f["name"] in names and f["rule"] in (*CONDITIONS, RELATION)
    ]
    when = f"; for {', '.join(conditions)}" if conditions else ""
    assumed = ", ".join(dict.fromkeys(said)) or "real numbers"
    return f"all {assumed}{when}; any {sizes_of(document)} and start"


def rule_scope(fact: Document) -> str:
    """What the rule of a fact assumes, with its parameters."""
    return FACTS[fact["rule"]].scope.format(**_shown(fact["args"]))


def sizes_of(document: Document) -> str:
    """Sizes of which a proof is for any, by name."""
    sizes = [n for n, sign in document["numbers"].items() if "integer" in sign]
    return ", ".join([*sizes, "dimension"])


CONDITIONS = ("condition", "strict condition")
RELATION = "relation"
"""A condition in the mean, or about sums."""
PLAIN = (*CONDITIONS, "method")
"""Rules whose facts are no assumption on the problem: said elsewhere, or the method itself."""


def used(document: Document) -> set[str]:
    """Names of the facts that the proof of the claim rests on; those that say how to read count."""
    structural = {f["name"] for f in document["facts"] if _declares(f["rule"])}
    steps = {step["name"]: step for step in document["steps"]}
    todo: list[str] = [s["name"] for s in _last(document)]
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        todo += _rests_on(steps[name], document) if name in steps else []
    return structural | {f["name"] for f in document["facts"] if f["name"] in found}


def _last(document: Document) -> Sequence[Document]:
    return list(document["steps"])[-1:]


def _rests_on(step: Document, document: Document) -> list[str]:
    """Facts and steps that a step names; a schema may use what is known of its conditions."""
    if "by" in step:
        return [b if isinstance(b, str) else b[0] for b in step["by"]]
    before = []
    for other in document["steps"]:
        if other is step:
            break
        before.append(other["name"])
    named = {*step["args"].values()}
    return before + [
        f["name"] for f in document["facts"] if f["rule"] in CONDITIONS or f["name"] in named
    ]


def _declares(rule: str) -> bool:
    return rule in FACTS and FACTS[rule].declares is not None


def _shown(args: Mapping[str, str]) -> dict[str, str]:
    return {name: shown_formula(text) for name, text in args.items()}
