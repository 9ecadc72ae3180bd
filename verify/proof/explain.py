"""Print an outline as a paper would: facts with their source, steps, and how they close.

Certificates of steps come last, so that a reader may fold them away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verify.certify.explain.documents import explained as explained_step
from verify.proof.checker import Outlined, check, opened
from verify.proof.facts import FACTS
from verify.proof.schemas import SCHEMAS
from verify.proof.scope import scope
from verify.proof.shown import shown_formula

Document = Mapping[str, Any]

__all__ = ["certificates", "explained"]


def explained(document: Document) -> list[str]:
    """The lines of an outline, without the certificates of its steps.

    Parameters
    ----------
    document : mapping

    Raises
    ------
    Refused
        If the checker does not accept the document: then there is nothing to explain.
    """
    check(document)
    return list(_lines(document))


def certificates(document: Document) -> list[str]:
    """The certificates of its steps, each as the checker of single inequalities reads it."""
    check(document)
    lines = []
    outlined = opened(document)
    for item in document["steps"]:
        if "proof" in item:
            proof = {name: item[name] for name in ("proof", "atoms", "sums")}
            lines.append(f"{item['name']}:")
            told = explained_step({**outlined.question(item), **proof}, accepted=True)
            lines += [f"  {line}" for line in told]
        _took(outlined, item)
    return lines


def _took(outlined: Outlined, item: Document) -> None:
    gap = f"({item['right']}) - ({item['left']})"
    if "supposing" in item:
        outlined.supposed[item["name"]] = (gap, item["supposing"])
        return
    claims = [(gap, item["relation"] == "<")]
    claims += [(f"-({gap})", False)] * (item["relation"] == "==")
    outlined.know(item["name"], claims)


def _means(document: Document) -> Iterator[str]:
    """What a scalar of it is a mean over: numbers alone are what they are."""
    vectors, functions = document.get("vectors", {}), document.get("functions", {})
    own = [v for v in vectors.values() if not v.get("shared", True)]
    own += [f for f in functions.values() if f.get("own")]
    over = ["over all outcomes"] * bool(vectors or functions or document.get("draws"))
    over += ["over the clients"] * bool(own or document.get("clients"))
    if over:
        yield f"Scalars are means {' and '.join(over)}; so are squares of vectors."


def _lines(document: Document) -> Iterator[str]:
    yield f"Theorem ({document['title']})."
    conditions = []
    for fact in document["facts"]:
        rule = FACTS.get(fact["rule"])
        if rule is None:
            yield f"  {fact['name']}: a theorem that is proved by itself"
        elif fact["rule"] in ("condition", "strict condition"):
            conditions.append(rule.scope.format(**_shown(fact["args"])))
        else:
            yield f"  {fact['name']}: {rule.words.format(**_shown(fact['args']))} [{rule.source}]"
    if conditions:
        yield f"  numbers: {', '.join(conditions)}"
    yield f"Then {_relation(document['claim'])}."
    yield f"Scope: {scope(document)}."
    yield from _means(document)
    numbers = {s["name"]: f"({i})" for i, s in enumerate(document["steps"], 1)}
    for item in document["steps"]:
        said = _relation(item)
        if "supposing" in item:
            said = f"if {shown_formula(item['supposing'])} >= 0, then {said}"
        yield f"{numbers[item['name']]} {item['name']}: {said}  [{_why(item, numbers)}]"


def _relation(item: Document) -> str:
    return f"{shown_formula(item['left'])} {item['relation']} {shown_formula(item['right'])}"


def _why(item: Document, numbers: Mapping[str, str]) -> str:
    """How a step follows, in words."""
    if "schema" in item:
        args = {
            k: numbers.get(v, v) if k in TOLD else shown_formula(v) for k, v in item["args"].items()
        }
        return SCHEMAS[item["schema"]].words.format(**args)
    parts = [_premise(b, numbers) for b in item["by"]]
    if "proof" not in item:
        return f"add {_and(parts)}" if parts else "by its form"
    return f"from {_and(parts)}; certificate below" if parts else "certificate below"


TOLD = ("step", "next", "then", "else")
"""Parameters of schemas that name a step."""


def _premise(by: Any, numbers: Mapping[str, str]) -> str:
    name, at, times = by if isinstance(by, list) else (by, {}, "1")
    said = numbers.get(name, name)
    said += f" at {', '.join(f'{k} = {shown_formula(v)}' for k, v in at.items())}" if at else ""
    return said if times == "1" else f"{shown_formula(times)} times {said}"


def _and(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _shown(args: Mapping[str, str]) -> dict[str, str]:
    return {name: shown_formula(text) for name, text in args.items()}
