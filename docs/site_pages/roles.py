"""Verdicts and plain text in RST."""

from __future__ import annotations

WORDS = ("proved", "holds", "violated", "vacuous", "inconclusive", "not-checkable")
ROLES = {word: word.replace("-", "") for word in WORDS}
"""Word -> role under which the style sheet knows it."""


def plain(text: str) -> str:
    """Prose with mathematical signs as RST that shows just that."""
    for mark in "\\|*`_<>":
        text = text.replace(mark, "\\" + mark)
    return text
