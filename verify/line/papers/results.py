r"""The results of a paper's LaTeX source: ``theorem``, ``lemma``, ... with number, label and words.

What is read: environments that ``\newtheorem`` or ``\declaretheorem`` declares (numbered as LaTeX
numbers them) or that have the usual names, macros, ``\label``, displayed and inline formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bounds.numbers.validate import InvalidInput
from verify.line.papers.macros import expanded, without_comments
from verify.line.papers.numbering import KINDS, Numbers

__all__ = ["DISPLAY", "KINDS", "TexResult", "results"]

DISPLAYS = (
    *("equation", "align", "gather", "multline", "displaymath", "eqnarray", "flalign", "alignat"),
    "math",
)

_LABEL = re.compile(r"\\label\s*\{([^}]*)\}")
_HYPOTHESIS = re.compile(r"(?:Let|Suppose|Assume|If|Under|Given|Fix|Consider)\b")
_BLOCK = rf"\\begin\{{((?:{'|'.join(DISPLAYS)})\*?)\}}(.*?)\\end\{{\3\}}"
DISPLAY = re.compile(r"\\\[(.*?)\\\]|\$\$(.*?)\$\$|" + _BLOCK, re.DOTALL)
"""A displayed formula: its text is in group 1, 2 or 4."""


@dataclass(frozen=True)
class TexResult:
    """One result of a paper.

    Parameters
    ----------
    kind : str
        theorem, lemma, corollary, proposition or assumption.
    number, label, title : str
        Empty where there is none.
    source : str
        What stands between begin and end.
    displays : tuple of str
        Displayed formulas, without layout.
    assumptions : tuple of str
        Sentences that say what is assumed.
    conclusion : str
        The other sentences.
    """

    kind: str
    number: str
    label: str
    title: str
    source: str
    displays: tuple[str, ...]
    assumptions: tuple[str, ...]
    conclusion: str

    @property
    def place(self) -> str:
        """``Lemma 2.1 (lem:young)``."""
        number = f" {self.number}" if self.number else ""
        label = f" ({self.label})" if self.label else ""
        return f"{self.kind.capitalize()}{number}{label}"


def results(source: str) -> list[TexResult]:
    r"""All results of a source, in their order.

    Parameters
    ----------
    source : str
        Text of a ``.tex`` file; what it reads by ``\input`` is not followed.

    Returns
    -------
    list of TexResult

    Raises
    ------
    InvalidInput
        Where an environment has no end, a macro never stops, or it is no text.
    """
    if "\0" in source:
        line = source[: source.index("\0")].count("\n") + 1
        raise InvalidInput(f"source must be text, got a NUL byte in line {line}: leave it out.")
    text = expanded(without_comments(source))
    numbers = Numbers.of(text)
    body = text.partition(r"\begin{document}")[2] or text
    named = "|".join(map(re.escape, sorted(numbers.kinds, key=len, reverse=True)))
    marks = re.compile(
        r"\\(?P<part>chapter|section|subsection|subsubsection)(?P<star>\*?)\s*[\[{]"
        r"|\\(?P<how>setcounter|addtocounter)\s*\{(?P<counter>\w+)\}\s*\{(?P<value>-?\d+)\}"
        r"|\\(?P<appendix>appendix)(?![A-Za-z])|\\begin\{appendi(?:x|ces)\}"
        r"|\\begin\{restatable\}\s*(?:\[(?P<note>[^\]]*)\])?\s*"
        r"\{(?P<restated>\w+)\}\s*\{\w+\}"
        rf"|\\begin\{{(?P<name>{named})(?P<silent>\*?)\}}"
    )
    found: list[TexResult] = []
    at = 0
    while mark := marks.search(body, at):
        at = mark.end()
        if mark["part"]:
            numbers.enter(mark["part"], bool(mark["star"]))
        elif mark["how"]:
            numbers.assign(mark["counter"], int(mark["value"]), mark["how"] == "addtocounter")
        elif mark["name"] or mark["restated"]:
            at = _one(body, mark, numbers, found)
        else:
            numbers.appendix = True
            numbers.counts["section"] = 0
    return found


def _one(body: str, mark: re.Match[str], numbers: Numbers, found: list[TexResult]) -> int:
    """Read one environment; where it ends."""
    name = mark["name"] or mark["restated"]
    shown = "restatable" if mark["restated"] else name + mark["silent"]
    end = body.find(rf"\end{{{shown}}}", mark.end())
    if end < 0:
        raise InvalidInput(
            f"source must close what it opens, got \\begin{{{shown}}} without its end: add "
            f"\\end{{{shown}}}."
        )
    number = "" if mark["silent"] else numbers.next(name)
    kind = numbers.kinds.get(name, "")
    if kind in KINDS:
        inside = body[mark.end() : end]
        if mark["note"]:
            inside = f"[{mark['note']}]{inside}"
        found.append(_found(kind, number, inside))
        return end
    return mark.end()


def _found(kind: str, number: str, inside: str) -> TexResult:
    title, text = _title(inside)
    label = _LABEL.search(text)
    text = _LABEL.sub("", text).strip()
    displays = tuple(formula(m[1] or m[2] or m[4] or "") for m in DISPLAY.finditer(text))
    assumed: list[str] = []
    rest: list[str] = []
    for sentence in _sentences(text):
        (assumed if _HYPOTHESIS.match(sentence) else rest).append(sentence)
    return TexResult(
        kind,
        number,
        label[1] if label else "",
        title,
        text,
        displays,
        tuple(assumed),
        " ".join(rest),
    )


def _title(inside: str) -> tuple[str, str]:
    """What stands in brackets behind the beginning, and the rest."""
    text = inside.lstrip()
    if not text.startswith("["):
        return "", text
    depth = 0
    for k, sign in enumerate(text):
        depth += (sign in "[{") - (sign in "]}")
        if depth == 0:
            return " ".join(text[1:k].split()), text[k + 1 :]
    return "", text


def _sentences(text: str) -> Iterator[str]:
    """Sentences; a point inside a formula ends none, and "If ..., then ..." are two."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        inner = found[0]
        # the full stop of the sentence often stands in its display
        ends = re.search(r"\.\s*(?:\\\]|\$\$|\\end\{[\w*]+\})$", inner) is not None
        kept.append(" ".join(inner.split()))
        return f" \0{len(kept) - 1}\0{'.' if ends else ''} "

    flat = DISPLAY.sub(keep, text)
    flat = re.sub(r"\$[^$]*\$|\\\(.*?\\\)", keep, flat, flags=re.DOTALL)
    flat = re.sub(r",?\s+(then|we have|it holds that|for all|for every|for any)\b", r". \1", flat)
    for part in re.split(r"\.(?=\s|$)|;\s", flat):
        sentence = " ".join(re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], part).split())
        if sentence.strip(" ,:"):
            yield sentence.strip(" ,")


def formula(text: str) -> str:
    """A displayed formula without layout."""
    text = re.sub(r"\\(?:nonumber|notag)\b|\\tag\{[^}]*\}", " ", _LABEL.sub("", text))
    text = re.sub(r"\\begin\{\w+\*?\}(?:\{\d+\})?|\\end\{\w+\*?\}", " ", text)
    text = text.replace("&", " ").replace(r"\\", " ")
    return " ".join(text.split()).rstrip(".,; ")
