"""What one sees first: main results by name, one line each, and a witness by hand in four lines.

Everything is read from the ledger's record; only the hand computation is made from the witness.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.library import Library
from verify.cli.output import visible
from verify.ledger.conclude import STANDS
from verify.ledger.failures import tally

__all__ = ["by_hand", "clipped", "counted", "instead", "proof_lines", "result_lines", "width"]

FEWEST, NARROW = 60, 80
"""Least width that is written for, and the one where nobody says how wide the terminal is."""

FORMS = ("repaired", "explicit", "refined")
"""Forms that can stand in place of a printed claim, the nearest first."""

Line = Mapping[str, Any]
"""Entry of a ledger."""


def width() -> int:
    """Columns of the terminal; 80 where there is none."""
    return max(shutil.get_terminal_size((NARROW, 24)).columns, FEWEST)


def clipped(text: str, columns: int) -> str:
    """Text in one line of so many columns; what is left out is marked."""
    text = visible(text.replace("\n", " ")).rstrip()
    return text if len(text) <= columns else text[: columns - 1].rstrip() + "…"


def counted(paper: str, lines: Sequence[Line]) -> str:
    """How many main results of a paper stand, and how the others fall, in one line."""
    found = tally(lines)
    parts = [f"{number} {kind}" for kind, number in found.items()]
    said = f"{len(lines)} main result{'s' if len(lines) != 1 else ''}"
    return f"{paper}: {said}: {', '.join(parts)}" if parts else f"{paper}: {said}"


def result_lines(
    ledger: Mapping[str, Any], lines: Sequence[Line], columns: int, known: Library | None = None
) -> Iterator[str]:
    """One line for each entry: name, how it stands or falls, what holds instead.

    Parameters
    ----------
    ledger : mapping
        Where the other forms of the entries are.
    lines : sequence of mappings
        Entries that are told.
    columns : int
        No line is longer.
    known : Library, optional
        The statements, for the place in the paper by which a result is known.
    """
    places = {} if known is None else {e.key: e.leaves[0].source.where for e in known}
    rows = [
        (line["paper"], str(line["key"]), places.get(line["key"], ""), *_fate(ledger, line))
        for line in lines
    ]
    if not rows:
        return
    names = {key: key.removeprefix(f"{paper}.") for paper, key, *_ in rows}
    wide = [max(map(len, names.values())), max(len(row[3]) for row in rows)]
    paper = None
    for of, key, place, word, rest in rows:
        if of != paper:
            paper = of
            yield clipped(counted(of, [line for line in lines if line["paper"] == of]), columns)
        said = "; ".join(part for part in (place, rest) if part)
        head = f"  {names[key]:<{wide[0]}}  {word:<{wide[1]}}"
        yield clipped(f"{head}  {said}", columns) if said else clipped(head, columns)


def _fate(ledger: Mapping[str, Any], line: Line) -> tuple[str, str]:
    """Word or kind of an entry, and what holds instead."""
    fails = line.get("fails")
    if not fails:
        return str(line["verdict"]), ""
    other = instead(ledger, line)
    return f"falls: {fails['kind']}", other or str(fails["words"])


def instead(ledger: Mapping[str, Any], line: Line) -> str:
    """Which form of an entry stands, or which mended claim; empty where none does."""
    words = {entry["key"]: entry["verdict"] for entry in ledger["entries"]}
    for form in FORMS:
        key = f"{line['key']}.{form}"
        if words.get(key) in STANDS:
            return f"instead .{form}, {words[key]}"
    fails = line.get("fails") or {}
    if fails.get("kind") == "slip":
        return str(fails["words"])
    mends = [one for leaf in line["leaves"] for one in leaf.get("repairs", ())]
    return f"{mends[0]['word']} with {mends[0]['mend']}" if mends else ""


def by_hand(known: Library, leaf: Mapping[str, Any], witness: Mapping[str, Any]) -> list[str]:
    """A witness in four lines: the instance, both sides and what they say of the claim."""
    from verify.ledger.explain import conclusion, equation, sections
    from verify.ledger.witness import recomputed

    try:
        found = recomputed(known.leaf(leaf["id"]), witness)
        parts = {section.heading: section.lines for section in sections(found)}
    except InvalidInput:
        return []
    named = {
        "at": parts.get("Instance", ()),
        "left": parts.get("Left side", ()),
        "right": parts.get("Right side", ()),
    }
    out = [
        f"{name}: {', '.join(f'{line.name} = {equation(line)}' for line in lines)}"
        for name, lines in named.items()
        if lines
    ]
    return [*out, f"so: {conclusion(found)}"]


PROOF = 4
"""Lines of a proof that are shown."""


def proof_lines(leaf: Mapping[str, Any]) -> list[str]:
    """Where a proof begins; none of a leaf that no written proof has decided."""
    from verify.certify.checker import Refused
    from verify.certify.explain.documents import explained

    proofs = [e["proof"] for e in leaf["evidence"] if e.get("proof") and e["status"] == "decided"]
    for proof in proofs:
        for item in proof["certificates"]:
            if "written" not in item:
                continue
            try:
                lines = explained(item["written"])
            except Refused:
                continue
            more = len(lines) - PROOF
            rest = [f"and {more} more lines: fedassay explain"] if more > 0 else []
            return [*lines[:PROOF], *rest]
    return []
