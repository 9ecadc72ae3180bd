"""Vacuity travels along uses: who rests on a claim whose hypotheses nothing meets.

The word of an entry stays that of its own evidence.  What it rests on is found from the uses that
the ledger holds, through entries that are not empty themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.claim.axes import Axes, part_of
from verify.ledger.conclude import conclude
from verify.verdict.verdict import PROVED, VACUOUS

Line = Mapping[str, Any]
"""Entry of a ledger."""


def with_rests(lines: Sequence[Line], axes: Mapping[str, Axes]) -> list[dict[str, Any]]:
    """Entries with ``rests``: what they use, at any remove, whose hypotheses nothing meets.

    Parameters
    ----------
    lines : sequence of mappings
        All entries of a ledger, with their ``uses``.
    axes : mapping
        Open places of each paper.
    """
    by_key = {str(line["key"]): line for line in lines}
    void: dict[str, bool] = {}

    def empty(key: str) -> bool:
        if key not in void:
            line = by_key.get(_entry(key))
            void[key] = line is not None and _empty(key, line, axes.get(line["paper"], Axes()))
        return void[key]

    def below(line: Line) -> list[str]:
        found: dict[str, None] = {}
        seen, waiting = {str(line["key"])}, [str(key) for key in line.get("uses", ())]
        while waiting:
            key = waiting.pop(0)
            if empty(key):
                found[key] = None
            elif _entry(key) not in seen and _entry(key) in by_key:
                seen.add(_entry(key))
                waiting += [str(used) for used in by_key[_entry(key)].get("uses", ())]
        return list(found)

    return [{**line, "rests": below(line)} for line in lines]


def rests_in_words(line: Line) -> str:
    """What an output says about the entries that this one rests on; mostly nothing."""
    keys = line.get("rests", ())
    return f"rests on {' and '.join(keys)}, whose hypotheses nothing meets" if keys else ""


def _empty(key: str, line: Line, axes: Axes) -> bool:
    """Whether what a key names in an entry is vacuous since its hypotheses were refuted."""
    named = [
        leaf
        for leaf in line["leaves"]
        if key in (line["key"], leaf["id"], part_of(str(leaf["id"])))
    ]
    exact = [leaf for leaf in named if leaf["id"] == key]
    found = exact[0] if exact else conclude(named, axes).deciding
    if found is None or found["verdict"] != VACUOUS:
        return False
    links = [item.get("link") or {} for item in found["evidence"]]
    return any(one.get("kind") == "empty" and one.get("verdict") == PROVED for one in links)


def _entry(key: str) -> str:
    return part_of(key).partition("/")[0]
