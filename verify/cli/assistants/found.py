"""Entries of the library by words or a formula."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from math import log

from bounds.numbers.validate import require
from verify.catalogue.library import library
from verify.report.tex.plain import unicode_text

__all__ = ["found"]

MOST = 6
"""Entries that are told."""
SHOWN = 130
"""Characters of a formula or a title."""
_WORD = re.compile(r"\\?[A-Za-zα-ωΑ-Ω]+|\d+")


def found(words: str) -> tuple[list[dict[str, str]], int]:
    """Entries that share the rarest words, symbols or commands with what was sent.

    Parameters
    ----------
    words : str

    Returns
    -------
    tuple
        Key, what it is, and its claim; and how many more share a word.
    """
    asked = set(_words(words))
    require(bool(asked), "words", "a few words or a formula", repr(words[:40]), "write some")
    known, rare = _index()
    scored = [(sum(rare[one] for one in asked & have), key) for key, have in known.items()]
    good = sorted(((s, key) for s, key in scored if s > 0), key=lambda one: (-one[0], one[1]))
    source = library()
    out = []
    for _, key in good[:MOST]:
        entry = source.entry(key)
        leaf = entry.claims[0] if entry.claims else entry.leaves[0]
        kind = f"{entry.kind}, {entry.form}: {entry.title or leaf.source.where}"
        out.append({"key": key, "kind": _cut(kind), "claim": _cut(unicode_text(leaf.latex))})
    return out, max(len(good) - MOST, 0)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 2]} …"


def _words(text: str) -> list[str]:
    return [one.lower() if one[0] != "\\" else one[1:].lower() for one in _WORD.findall(text)]


@cache
def _index() -> tuple[dict[str, set[str]], dict[str, float]]:
    """Words of each entry, and how much each word tells."""
    known: dict[str, set[str]] = {}
    for entry in library():
        text = [entry.key.replace(".", " "), entry.title, entry.kind, entry.paper]
        for leaf in entry.leaves:
            text += [leaf.latex, leaf.source.where, *(one.name for one in leaf.given)]
        known[entry.key] = set(_words(" ".join(text)))
    counted = Counter(word for have in known.values() for word in have)
    return known, {word: log(1 + len(known) / n) for word, n in counted.items()}
