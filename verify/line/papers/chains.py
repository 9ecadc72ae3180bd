r"""Displayed formulas as single relations: rows of ``align``, chains, conditions behind commas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verify.line.grammar.signs import Signs, signs_of
from verify.line.papers.results import formula
from verify.line.pieces import relations

__all__ = ["relations_of"]

_ROW = re.compile(r"\\\\\s*(?:\[[^\]]*\])?")
_STARTS = re.compile(
    r"\s*(?:\\(?:leq?|geq?|leqslant|geqslant|approx|equiv|lesssim)(?![A-Za-z])|[<>=+\-]|\\cdot)"
)
_INNER = re.compile(
    r"\\begin\{(?:split|aligned|gathered|multlined)\}|\\end\{(?:split|aligned|gathered|multlined)\}"
)

_AND = re.compile(r"\\(?:text|textrm|mbox|mathrm)\s*\{\s*and\s*\}")


def relations_of(display: str) -> list[str]:
    r"""Single relations of a formula, each in TeX with the conditions that stand behind it.

    Examples
    --------
    >>> relations_of("a &= b + 1 &< c")
    ['a = b + 1', 'b + 1 < c']
    """
    out: list[str] = []
    for row in _rows(display):
        for part in _conjuncts(row):
            out += _chain(part)
    return out


def _rows(display: str) -> Iterator[str]:
    """Rows, each with those that go on with it."""
    text = _AND.sub(" and ", _INNER.sub(" ", display))
    kept = ""
    for row in _ROW.split(text):
        if not row.strip(" &\n\t"):
            continue
        if kept and not _STARTS.match(row.replace("&", " ")) and _whole(kept):
            yield formula(kept)
            kept = row
        else:
            kept = f"{kept} {row}"
    if kept.strip():
        yield formula(kept)


def _whole(text: str) -> bool:
    """Whether a row says something by itself."""
    return bool(relations(signs_of(formula(text)).text))


def _conjuncts(row: str) -> Iterator[str]:
    """``a <= b and c <= d`` are two."""
    signs = signs_of(row)
    at = 0
    for mark in re.finditer(r"(?<![\w\\])and(?!\w)", signs.text):
        both = relations(signs.text[at : mark.start()]) and relations(signs.text[mark.end() :])
        if both and not _open(signs.text[: mark.start()]):
            yield _typed(signs, at, mark.start())
            at = mark.end()
    yield _typed(signs, at, len(signs.text))


def _chain(part: str) -> list[str]:
    """``a <= b <= c, x >= 0`` as a <= b and b <= c, each with the condition."""
    signs = signs_of(part)
    found = relations(signs.text)
    if not found:
        return [part]
    stop = len(signs.text)
    for k in range(found[0][1], len(signs.text)):
        behind = signs.text[k:]
        cuts = behind[0] in ",;" or re.match(r"\s(?:for|where|if|with|when|whenever)\s", behind)
        if cuts and not _open(signs.text[:k]):
            stop = k
            break
    inside = [one for one in found if one[1] <= stop]
    tail = _typed(signs, stop, len(signs.text))
    if len(inside) < 2:
        return [part]
    ends = [0, *(end for _, end, _ in inside)]
    stops = [*(start for start, _, _ in inside), stop]
    sides = [_typed(signs, a, b) for a, b in zip(ends, stops, strict=True)]
    words = [_typed(signs, a, b) for a, b, _ in inside]
    return [
        f"{sides[k]} {words[k]} {sides[k + 1]}{tail and ' '}{tail}".strip()
        for k in range(len(words))
    ]


def _open(text: str) -> bool:
    text = re.sub(r"\\[{}]", "", text)
    return sum(text.count(c) for c in "([{") > sum(text.count(c) for c in ")]}")


def _typed(signs: Signs, start: int, end: int) -> str:
    """What was typed for some characters of the text."""
    return signs.typed[signs.places[start] : signs.places[end]].strip()
