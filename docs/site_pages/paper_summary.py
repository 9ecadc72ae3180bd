"""What a paper's page opens with: its main results, their words, how they fall, what holds instead.

All of it is read off the expected ledger and the library; nothing is written by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from site_pages.roles import ROLES, plain
from verify.catalogue.counted import several
from verify.catalogue.entry import Entry, is_result
from verify.ledger.conclude import STANDS

BESIDE = ("repaired", "explicit")
"""Forms that may stand in the place of a printed claim, the closest first."""


def summary(entries: Sequence[Entry], ledger: Mapping[str, Any]) -> list[str]:
    """RST of a sentence and a table; nothing for a paper without main results.

    Parameters
    ----------
    entries : sequence of Entry
        Of one paper, in its order.
    ledger : mapping
        Content of an expected ledger.
    """
    words = ledger["entries"]
    results = [e for e in entries if is_result(e.kind, e.form) and words.get(e.key)]
    if not results:
        return []
    lines = [*_sentence(results, entries, words), ""]
    lines += [
        ".. list-table:: Main results",
        "   :header-rows: 1",
        "   :class: results",
        "",
        "   * - result",
        "     - word",
        "     - how it falls",
        "     - what holds instead",
    ]
    for entry in results:
        word = words[entry.key]
        falls = ledger.get("fails", {}).get(entry.key)
        told = f"{falls['kind']}: {falls['words']}" if falls else ""
        other = instead(entry, entries, words)
        lines += [
            f"   * - {link(entry)}",
            f"     - :{ROLES[word]}:`{word}`",
            f"     - {plain(told)}",
            f"     - {_instead(other, words, falls)}",
        ]
    return [*lines, ""]


def instead(
    entry: Entry, entries: Sequence[Entry], words: Mapping[str, str | None]
) -> Entry | None:
    """The form of a fallen claim that stands in its place, the closest one; None where none does.

    Parameters
    ----------
    entry : Entry
        A printed claim.
    entries : sequence of Entry
        Where its forms are.
    words : mapping
        Key of an entry to its word.
    """
    if words[entry.key] in STANDS:
        return None
    forms = {e.key: e for e in entries if words.get(e.key) in STANDS}
    keys = [f"{entry.key}.{form}" for form in BESIDE]
    return next((forms[key] for key in keys if key in forms), None)


def link(entry: Entry) -> str:
    """Place and title of an entry, leading to it."""
    first = entry.leaves[0]
    said = f"{first.source.where}: {entry.title}" if entry.title else first.source.where
    return f":ref:`{plain(said)} <{entry.key}>`"


def _sentence(
    results: Sequence[Entry], entries: Sequence[Entry], words: Mapping[str, str | None]
) -> list[str]:
    count = Counter(words[entry.key] for entry in results)
    mended = sum(instead(entry, entries, words) is not None for entry in results)
    said = ", ".join(f"{count[word]} {word}" for word in ROLES if count[word])
    lines = [
        f"Of {several(len(results), 'main result')} as printed (theorems, lemmas, corollaries, "
        f"properties and propositions), in the literal reading: {said}."
    ]
    if mended:
        lines.append(f"For {mended} of those that fall a form close to the printed one stands.")
    return lines


def _instead(
    other: Entry | None, words: Mapping[str, str | None], falls: Mapping[str, str] | None
) -> str:
    if other is None:
        read_past = falls is not None and falls["kind"] == "slip"
        return "the same, the misprint read past" if read_past else ""
    word = str(words[other.key])
    return f":ref:`{other.form} form <{other.key}>` (:{ROLES[word]}:`{word}`)"
