"""A paper's results as a file of records to be filled in, plain formulas filled in already.

A record is filled in where its claim is one displayed formula (or one inline), every symbol of it
is named by the hypotheses, and these say nothing that a line cannot: "Let x, y >= 0", "Suppose that
0 < eta <= 1/L".  Everything else stays open, with its words, and says so.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from bounds.numbers.validate import InvalidInput, require
from verify.line.papers.results import KINDS, TexResult, results
from verify.line.written import file_text, record_text

__all__ = ["Stubs", "line_of", "stubs"]

SAYING = """let suppose assume if given fix that be and is are with for all every any each where
real reals number numbers some two then we have it holds the following inequality a"""
WORDS = frozenset(SAYING.split())
"""Words of a hypothesis that say no more than its formulas."""
ADJECTIVES = {
    "positive": "positive",
    "nonnegative": "nonnegative",
    "non-negative": "nonnegative",
    "vector": "vector",
    "vectors": "vector",
}
MISSING = "its two sides: write them as functions of the world, or as one line"

_INLINE = re.compile(r"\$([^$]+)\$|\\\((.+?)\\\)", re.DOTALL)
_RELATION = re.compile(r"\\(?:le|ge|leq|geq|leqslant|geqslant|in)(?![A-Za-z])|[<>=]")
_NAMES = re.compile(r"(?:\\?[A-Za-z]+(?:_\{?\w+\}?)?)(?:\s*,\s*\\?[A-Za-z]+(?:_\{?\w+\}?)?)*")
_SPACE = re.compile(r"\\in\s*\\mathbb\s*\{?R\}?\s*\^\s*\{?[dnp]\}?$")
_ANY = re.compile(r"\\in\s*\\mathbb\s*\{?R\}?$")


@dataclass(frozen=True)
class Stubs:
    """The file, and the keys of its records: filled in, and to be filled in."""

    text: str
    filled: tuple[str, ...]
    empty: tuple[str, ...]


def stubs(source: str, paper: str, file: str) -> Stubs:
    """Records of a paper's LaTeX source.

    Parameters
    ----------
    source : str
        Text of the ``.tex`` file.
    paper : str
        What the keys begin with.
    file : str
        Name of the source, for the first line.

    Returns
    -------
    Stubs

    Raises
    ------
    InvalidInput
        If there is no result in it, or it cannot be read.
    """
    listed = results(source)
    require(
        bool(listed),
        "source",
        f"one with environments {', '.join(KINDS)}",
        f"none in {file}",
        r"name the file that has them (\input is not followed)",
    )
    records: list[str] = []
    filled: list[str] = []
    empty: list[str] = []
    names: set[str] = set()
    for one in listed:
        name = _name(one, names)
        key = f"{paper}.{name}"
        made = _filled(one, key, name)
        (empty if made is None else filled).append(key)
        records.append(_comment(one) + (made or _open(one, key, name)))
    about = (
        f"{paper}: the results of {file}, {len(filled)} filled in, {len(empty)} to be filled in."
    )
    return Stubs(file_text(about, records), tuple(filled), tuple(empty))


def line_of(one: TexResult) -> str | None:
    """The result in one line, None where its words say more than its formulas."""
    formulas = [*one.displays, *_inline(one.conclusion)]
    claims = [text for text in formulas if _RELATION.search(text)]
    said = re.sub(r"\\\[.*?\\\]|\$\$.*?\$\$|\\begin.*?\\end\{[\w*]+\}", " ", one.conclusion)
    bound = [text for text in _inline(said) if text in claims and text not in one.displays]
    ranges: list[str] = []
    given: list[str] = []
    if len(one.displays) == 1 and one.displays[0] in claims:
        claim = one.displays[0]
        for text in bound:
            if not re.search(rf"for (?:all|every|any)\s+\${re.escape(text)}\$", said):
                return None
    elif not one.displays and len(claims) == 1:
        claim, bound = claims[0], []
    else:
        return None
    for sentence in (*one.assumptions, *(f"for all ${text}$" for text in bound)):
        items = _items(sentence)
        if items is None or not all(_sorted(item, ranges, given) for item in items):
            return None
    if _others(said) or not ranges:
        return None
    line = f"{claim} for {', '.join(ranges)}"
    return line + (f" given {', '.join(given)}" if given else "")


def _items(sentence: str) -> list[tuple[str, str]] | None:
    """Formulas of a hypothesis with the adjective that goes with them; None for other words.

    "Let x and y be positive" and "for positive x, y" have one on one side of all formulas; what
    "let x be positive and y small" says of y is not guessed.
    """
    formulas = _inline(sentence)
    pieces = [_words(piece) for piece in _INLINE.sub("\0", sentence).split("\0")]
    if any(word and word not in WORDS | set(ADJECTIVES) for piece in pieces for word in piece):
        return None
    said = [(k, ADJECTIVES[w]) for k, piece in enumerate(pieces) for w in piece if w in ADJECTIVES]
    if len(said) > 1 or any(k not in (0, len(formulas)) for k, _ in said):
        return None
    adjective = said[0][1] if said else ""
    return [(text, adjective) for text in formulas]


def _sorted(item: tuple[str, str], ranges: list[str], given: list[str]) -> bool:
    """Put a formula among the ranges or the hypotheses; False for what is neither."""
    text, adjective = item
    if _SPACE.search(text):
        ranges.append("vectors " + _SPACE.sub("", text).strip())
    elif _ANY.search(text):
        ranges.append("real " + _ANY.sub("", text).strip())
    elif _NAMES.fullmatch(text):
        ranges.append(f"{adjective or 'real'} {text}")
    elif not _RELATION.search(text) or adjective:
        return False
    else:
        head = re.split(_RELATION, text)[0].strip()
        chained = len(_RELATION.findall(text)) > 1
        (ranges if _NAMES.fullmatch(head) or chained else given).append(text)
    return True


def _filled(one: TexResult, key: str, name: str) -> str | None:
    line = None if one.kind == "assumption" else line_of(one)
    if line is None:
        return None
    more = {"kind": one.kind, "title": one.title, "note": " ".join(one.assumptions)}
    latex = one.displays[0] if one.displays else ""
    try:
        return record_text(line, key, name, where=one.place, latex=latex, more=more)
    except InvalidInput:
        return None


def _open(one: TexResult, key: str, name: str) -> str:
    """A record that waits for its sides."""
    shown = r",\quad ".join(one.displays) or _prose(one.source)
    fields = {
        "kind": one.kind,
        "title": one.title,
        "latex": shown,
        "note": " ".join(one.assumptions),
        "missing": MISSING if one.kind != "assumption" else "its rule: write it as a Hypothesis",
    }
    paper = key.partition(".")[0]
    lines = [f"    {k}={json.dumps(v, ensure_ascii=False)}," for k, v in fields.items() if v]
    source = f"Source({json.dumps(paper)}, {json.dumps(one.place, ensure_ascii=False)})"
    head = [f"{name} = Statement(", f"    key={json.dumps(key)},", f"    source={source},"]
    return "\n".join([*head, *lines, ")"]) + "\n"


def _comment(one: TexResult) -> str:
    """The words of the paper above a record."""
    return "".join(f"# {line.strip()}".rstrip() + "\n" for line in one.source.splitlines())


def _prose(source: str) -> str:
    """Words and inline formulas as one formula."""
    out = []
    for k, part in enumerate(re.split(r"\$([^$]*)\$", " ".join(source.split()))):
        text = re.sub(r"[\\{}^_&#%]", "", part)
        out.append(part if k % 2 else rf"\text{{{text}}}" if text.strip() else "")
    return "".join(out)


def _name(one: TexResult, taken: set[str]) -> str:
    """A name of Python's for the record, of kind and number."""
    name = re.sub(r"\W", "_", f"{one.kind}{one.number or '_unnumbered'}")
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _inline(text: str) -> list[str]:
    return [(m[1] or m[2]).strip().rstrip(".,") for m in _INLINE.finditer(text)]


def _words(text: str) -> list[str]:
    return [word.lower().strip(",:;.") for word in text.split()]


def _others(text: str) -> bool:
    """Whether there are words that say more than formulas do."""
    plain = re.sub(r"\$[^$]*\$|~|\\label\{[^}]*\}", " ", text)
    return any(word and word not in WORDS and word not in ADJECTIVES for word in _words(plain))
