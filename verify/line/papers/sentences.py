r"""The words of a result: which formulas are claimed, and which say what is assumed.

A text is cut into sentences and these into clauses, by the words that begin a hypothesis ("Let",
"Suppose that", "for all", "where") or a claim ("then", "we have").  What "Let" and "Suppose" say
goes for all that follows, what "for all" and "where" say for their sentence alone.  A list of items
is a list of claims, or of hypotheses where its introduction says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from verify.line.papers.results import DISPLAY

__all__ = ["Clause", "Sentence", "sentences"]

STAYS = ("let", "suppose", "assume", "given", "fix", "consider", "under", "denote", "define")
"""Words whose hypotheses go for all that follows."""
LOCAL = (
    *("if", "for all", "for every", "for any", "for each", "where", "with", "such that", "when"),
    *("whenever", "provided", "as long as", "subject to", "for"),
)
IFS = ("if", "when", "whenever", "provided", "as long as")
"""Those of them that may divide a claim into cases."""
CLAIMS = (
    *("then", "we have", "it holds", "there holds", "one has", "it follows", "we get", "we obtain"),
    "hence",
)
_MARK = re.compile(
    rf"\b({'|'.join(sorted((*STAYS, *LOCAL, *CLAIMS), key=len, reverse=True))})\b(?:\s+that\b)?",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\\begin\{(enumerate|itemize|compactenum|compactitem|inparaenum|description)\}(?:\[[^\]]*\])?"
    r"(.*?)\\end\{\1\}",
    re.DOTALL,
)
_ITEM = re.compile(r"\\item(?:\s*\[[^\]]*\])?")
_INLINE = re.compile(r"\$([^$]+)\$|\\\((.+?)\\\)", re.DOTALL)
_WORDS_ONLY = re.compile(
    r"~|\\(?:label|cite\w*|vspace|hspace)\*?\s*(?:\[[^\]]*\])?\{[^}]*\}"
    r"|\\(?:noindent|smallskip|medskip|bigskip|par|textit|emph|textbf|em|it|quad|qquad)(?![A-Za-z])"
)
_PLACE = re.compile("\0(\\d+)\0")


@dataclass(frozen=True)
class Clause:
    """A part of a sentence.

    Parameters
    ----------
    mark : str
        The word that begins it, empty at the beginning of a sentence.
    text : str
        Its words, with a NUL for each formula.
    formulas : tuple of str
        Its formulas as typed.
    shown : tuple of bool
        Which of them are displayed.
    """

    mark: str
    text: str
    formulas: tuple[str, ...]
    shown: tuple[bool, ...]

    @property
    def words(self) -> list[str]:
        """Words without formulas."""
        plain = self.text.replace("\0", " ").replace("{", " ").replace("}", " ")
        return [word for raw in plain.split() if (word := raw.lower().strip(",:;.()"))]

    @property
    def stays(self) -> bool:
        """Whether it goes for all that follows."""
        return self.mark in STAYS


@dataclass
class Sentence:
    """Clauses of one sentence, those that assume and those that claim."""

    assumed: list[Clause] = field(default_factory=list)
    claimed: list[Clause] = field(default_factory=list)
    late: str = ""
    """The word of a condition that stands behind a claim."""
    twice: str = ""
    """That of a second one, where a formula before it may be a claim: "A if B and C if D"."""


def sentences(source: str) -> Iterator[Sentence]:
    """The sentences of a result, items of lists one by one."""
    at, assumes = 0, False
    for found in _LIST.finditer(source):
        before = list(_plain(source[at : found.start()]))
        # "Suppose that" before a list: its items are hypotheses
        last = before[-1] if before else None
        bare = last is not None and not any(c.formulas for c in (*last.assumed, *last.claimed))
        assumes = bool(bare and last and last.assumed and last.assumed[-1].stays)
        if bare and last is not None and assumes:
            before.pop()
        yield from before
        for item in _ITEM.split(found[2])[1:]:
            for sentence in _plain(item):
                if assumes:
                    moved = [
                        Clause("suppose", c.text, c.formulas, c.shown) for c in sentence.claimed
                    ]
                    sentence = Sentence([*sentence.assumed, *moved])
                yield sentence
        at = found.end()
    yield from _plain(source[at:])


def _plain(text: str) -> Iterator[Sentence]:
    """Sentences of a text without lists."""
    kept: list[tuple[str, bool]] = []

    def keep(shown: bool, inner: str) -> str:
        ends = shown and re.search(r"\.\s*$", re.sub(r"\\(?:label|tag)\{[^}]*\}", "", inner))
        kept.append((inner.strip(), shown))
        return f" \0{len(kept) - 1}\0{'.' if ends else ''} "

    flat = DISPLAY.sub(lambda m: keep(True, m[1] or m[2] or m[4] or ""), text)
    flat = _INLINE.sub(lambda m: keep(False, m[1] or m[2]), flat)
    flat = _WORDS_ONLY.sub(" ", flat)
    for part in re.split(r"\.(?=\s|$)|;\s", flat):
        if part.strip(" ,:\n\t"):
            yield _sentence(part, kept)


def _sentence(text: str, kept: list[tuple[str, bool]]) -> Sentence:
    marks = list(_MARK.finditer(text))
    ends = [*(m.start() for m in marks), len(text)]
    parts = [("", text[: ends[0]])]
    parts += [
        (" ".join(m[1].lower().split()), text[m.end() : end])
        for m, end in zip(marks, ends[1:], strict=True)
    ]
    out = Sentence()
    for mark, part in parts:
        if not part.strip(" ,:\n\t") and mark not in STAYS:
            continue
        clause = _clause(mark, part, kept)
        if mark in (*STAYS, *LOCAL):
            assumed, claimed = _split(clause, part, kept)
            if mark in LOCAL and any(one.formulas for one in out.claimed):
                before = out.assumed[-1] if out.late and out.assumed else None
                if before is not None and (len(before.formulas) > 1 or mark in IFS):
                    out.twice = mark
                out.late = mark
            out.assumed.append(assumed)
            out.claimed += [claimed] if claimed is not None else []
        else:
            out.claimed.append(clause)
    if not any(one.formulas for one in out.claimed):
        _last_is_claimed(out)
    return out


def _clause(mark: str, part: str, kept: list[tuple[str, bool]]) -> Clause:
    numbers = [int(m[1]) for m in _PLACE.finditer(part)]
    text = " ".join(_PLACE.sub("\0", part).split())
    return Clause(
        mark, text, tuple(kept[n][0] for n in numbers), tuple(kept[n][1] for n in numbers)
    )


def _split(clause: Clause, part: str, kept: list[tuple[str, bool]]) -> tuple[Clause, Clause | None]:
    """``For all x >= 0, [display]``: the display is claimed."""
    if clause.mark in (
        "let",
        "suppose",
        "assume",
        "where",
        "with",
        "such that",
        "define",
        "denote",
    ):
        return clause, None
    for mark in _PLACE.finditer(part):
        before = part[: mark.start()].rstrip()
        near = before.endswith((",", ":")) or _PLACE.search(before)
        if kept[int(mark[1])][1] and (near or clause.mark.startswith("for")):
            return _clause(clause.mark, before, kept), _clause("", part[mark.start() :], kept)
    return clause, None


def _last_is_claimed(out: Sentence) -> None:
    """``For all x >= 0, x^2 >= 0``: what stands behind the last comma is claimed."""
    if not out.assumed or out.assumed[-1].mark not in ("if", "for", *LOCAL[1:5], "given", "under"):
        return
    last = out.assumed[-1]
    head, comma, tail = last.text.rpartition(",")
    if not comma or tail.count("\0") != 1 or "\0" not in head:
        return
    out.assumed[-1] = Clause(last.mark, head, last.formulas[:-1], last.shown[:-1])
    out.claimed.append(Clause("", tail, last.formulas[-1:], last.shown[-1:]))
