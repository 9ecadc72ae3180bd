"""The record of a leaf as an answer: short words, exact numbers as text, the rest in a file.

An answer is plain data.  It holds nothing that another run of the same claim by the same version
would tell otherwise: no time, no place outside the workspace.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import InvalidInput
from verify.cli.assistants.words import MEANINGS, SAMPLED
from verify.report.tex.plain import unicode_text
from verify.verdict.evidence import any_length, in_figures, number_from_json

if TYPE_CHECKING:
    from verify.claim.statement import Statement
    from verify.cli.assistants.points import Best

__all__ = ["LARGEST", "answer", "fitting", "mended", "numbers", "row", "shown", "table", "text_of"]

LARGEST = 2_000
"""Characters of an answer as JSON."""
DIGITS = 60
"""Characters of a fraction that is written out."""
ROOM = (400, 240, 160, 100, 70, 50, 30)
"""Characters of a text, tried in turn until the answer fits."""
FEW = 4
"""Entries of a list in the shortest form."""
INDENT = 6
"""Blanks before a field of a row, which are counted too."""
IN_RECORD = "(long: in the record)"


def answer(
    claim: str,
    leaf: Mapping[str, Any],
    witness: Mapping[str, Any] | None,
    *,
    notes: Sequence[str] = (),
    sides: tuple[Fraction, Fraction] | None = None,
    best: Best | None = None,
    best_proof: Mapping[str, str] | None = None,
    hypotheses: Sequence[Mapping[str, Any]] = (),
    proof: Mapping[str, str] | None = None,
    record: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What is told of a claim.

    Parameters
    ----------
    claim : str
        As it was read, in plain mathematics.
    leaf : mapping
        Leaf of a ledger.
    witness : mapping or None
        Content of a witness file.
    notes : sequence of str
        What the reader of the witness must know, such as numbers outside a written range.
    sides : tuple of Fraction, optional
        Both sides at the witness as the claim prints them; else those that the record compares.
    best : Best, optional
        The best constant, where it is established.
    best_proof : mapping, optional
        Where the proof of the claim with this constant is: ``path`` and ``sha256``.
    hypotheses : sequence of mappings
        Each with its name, its role and a point.
    proof, record : mapping, optional
        ``path`` and ``sha256`` of the files.

    Returns
    -------
    dict
        The fields of ``ClaimAnswer``, at most `LARGEST` characters as JSON.
    """
    word = str(leaf["verdict"])
    meaning = MEANINGS[word]
    sampled = witness is not None and witness["number"] == "simulated"
    found = leaf["tightness"]
    made: dict[str, Any] = {
        "word": word,
        "conclusive": meaning.conclusive,
        "claim": claim,
        "means": SAMPLED if word == "violated" and sampled else meaning.means,
        "leaves_open": "; ".join([meaning.leaves_open, *notes]),
        "reason": str(leaf["reason"]),
        "scope": str(leaf["scope"]),
        "best": None if best is None else _best(best, best_proof),
        "largest_ratio": None if found is None else f"{float(found['ratio']):.6g}",
        "witness": None if witness is None else _witness(witness, sides),
        "hypotheses": [dict(one) for one in hypotheses],
        "proof": None if proof is None else dict(proof),
        "record": None if record is None else dict(record),
    }
    return fitting(made)


def _best(best: Best, proof: Mapping[str, str] | None) -> dict[str, Any]:
    return {
        "constant": _fraction(best.constant),
        "at": numbers(best.witness),
        "proof": dict(proof or {"path": "", "sha256": ""}),
    }


def mended(claim: str, leaf: Mapping[str, Any], record: Mapping[str, str] | None) -> dict[str, Any]:
    """What is true instead of a claim, each change with its own word."""
    changes = [
        {"change": f"with {one['mend']}", "word": one["word"], "reason": one["reason"]}
        for one in leaf["repairs"]
    ]
    return fitting(
        {
            "word": str(leaf["verdict"]),
            "claim": claim,
            "reason": str(leaf["reason"]),
            "repairs": changes,
            "record": "" if record is None else record["path"],
        }
    )


def row(claim: str, leaf: Mapping[str, Any], record: Mapping[str, str] | None) -> dict[str, Any]:
    """One line of several claims."""
    word = str(leaf["verdict"])
    return {
        "claim": claim,
        "word": word,
        "reason": str(leaf["reason"]),
        "record": "" if record is None else record["path"],
    }


def table(rows: Sequence[Mapping[str, Any]], record: str) -> dict[str, Any]:
    """Several claims, each as short as their number asks for; the record has them whole."""
    made = {"rows": [], "record": record}
    each = (LARGEST - _size(made)) // len(rows) - len(rows[0]) * INDENT
    told = [{name: one[name] for name in ("claim", "word", "reason")} for one in rows]
    return {"rows": [fitting(one, each) for one in told], "record": record}


def numbers(witness: Mapping[str, Any]) -> dict[str, str]:
    """Values of a witness by name, fractions as ``p/q``."""
    instance = witness["instance"]
    found: dict[str, str] = {}
    method = instance.get("method")
    if method is not None:
        found["method"] = text_of(method)
    for part in ("params", "data"):
        found |= dict(_flat(instance.get(part) or {}))
    return found


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value and set(value) != {"ball"}:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", text_of(value)


def _witness(witness: Mapping[str, Any], sides: tuple[Fraction, Fraction] | None) -> dict[str, Any]:
    """Where a claim falls, and both sides there."""
    left, right = (
        (_fraction(one) for one in sides)
        if sides
        else map(text_of, (witness["left"], witness["right"]))
    )
    return {
        "at": numbers(witness),
        "left": left,
        "relation": str(witness["relation"]),
        "right": right,
    }


def text_of(value: Any) -> str:
    """A value of a witness: numbers exactly where they are exact."""
    if isinstance(value, list):
        return "[" + ", ".join(map(text_of, value)) + "]"
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping) and set(value) != {"ball"}:
        return "{" + ", ".join(f"{name}: {text_of(one)}" for name, one in value.items()) + "}"
    try:
        number = number_from_json(value)
    except InvalidInput:
        return str(value)  # a name
    return _fraction(number) if isinstance(number, Fraction) else f"about {in_figures(number)}"


def _fraction(number: Fraction) -> str:
    with any_length():
        text = str(number)
    return text if len(text) <= DIGITS else f"about {in_figures(number)} {IN_RECORD}"


def fitting(made: dict[str, Any], most: int = LARGEST) -> dict[str, Any]:
    """The same answer with its texts and lists shortened until it fits, each with a mark."""
    if _size(made) <= most:
        return made
    for room in ROOM:
        cut = {name: _shorter(value, room) for name, value in made.items()}
        if _size(cut) <= most:
            return cut
    for most_entries in (3 * FEW, FEW, 1):
        few = {name: _fewer(value, most_entries) for name, value in cut.items()}
        if _size(few) <= most:
            break
    return few


def _size(made: Any) -> int:
    return len(json.dumps(made, ensure_ascii=False, indent=2))


def _shorter(value: Any, room: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= room else f"{value[: room - 2]} …"
    if isinstance(value, dict):
        if set(value) == {"path", "sha256"}:
            return value
        return {name: _number(one, room) for name, one in value.items()}
    return [_shorter(one, room) for one in value] if isinstance(value, list) else value


def _number(value: Any, room: int) -> Any:
    """A number that is cut would be another number: it is left to the record."""
    if isinstance(value, str):
        return value if len(value) <= room else IN_RECORD
    return _shorter(value, room)


def _fewer(value: Any, most: int) -> Any:
    """Lists and values by name with their first entries; values by name say how many are left."""
    if isinstance(value, list):
        return [_fewer(one, most) for one in value[:most]]
    if not isinstance(value, dict):
        return value
    told = {name: _fewer(one, most) for name, one in value.items()}
    if "at" in told and len(told["at"]) > most:
        left = len(told["at"]) - most
        told["at"] = {**dict(list(told["at"].items())[:most]), "...": f"{left} more in the record"}
    return told


def shown(statement: Statement) -> str:
    """A claim as it was read, with what its symbols are and what is assumed."""
    text = unicode_text(statement.latex)
    text += f", {statement.family.about}" if statement.family.about else ""
    given = ", ".join(one.name for one in statement.given)
    return f"{text}; given {given}" if given else text
