r"""The results of a paper's LaTeX source: ``theorem``, ``lemma``, ... with number, label and words.

What is read: environments that ``\newtheorem`` declares (numbered as LaTeX numbers them) or that
have the usual names, ``\newcommand`` without tricks, ``\label``, displayed and inline formulas.
Sentences that begin with Let, Suppose, Assume or If are the hypotheses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bounds.numbers.validate import InvalidInput

__all__ = ["TexResult", "results"]

KINDS = ("theorem", "lemma", "corollary", "proposition", "assumption")
USUAL = {
    "thm": "theorem",
    "lem": "lemma",
    "cor": "corollary",
    "prop": "proposition",
    "ass": "assumption",
    "assump": "assumption",
}
"""Short names of environments that most papers give."""
DISPLAYS = ("equation", "align", "gather", "multline", "displaymath", "eqnarray", "split")
MOST_EXPANSIONS = 10_000
"""Macros that are replaced in one source, so that one that names itself ends."""

_COMMENT = re.compile(r"(?<!\\)%.*")
_LABEL = re.compile(r"\\label\s*\{([^}]*)\}")
_NEW_THEOREM = re.compile(
    r"\\newtheorem(\*?)\s*\{(\w+)\}\s*(?:\[(\w+)\])?\s*\{([^}]*)\}\s*(?:\[(\w+)\])?"
)
_COMMAND = re.compile(r"\\(?:re)?newcommand\*?\s*\{?\\(\w+)\}?\s*(?:\[(\d)\])?\s*\{")
_HYPOTHESIS = re.compile(r"(?:Let|Suppose|Assume|If|Under|Given|Fix|Consider)\b")
_BLOCK = rf"\\begin\{{((?:{'|'.join(DISPLAYS)})\*?)\}}(.*?)\\end\{{\3\}}"
_DISPLAY = re.compile(r"\\\[(.*?)\\\]|\$\$(.*?)\$\$|" + _BLOCK, re.DOTALL)


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
        Where an environment has no end, or a macro never stops.
    """
    text = _expanded(_COMMENT.sub("", source))
    numbers = _Numbers.of(text)
    body = text.partition(r"\begin{document}")[2] or text
    kinds = {name: kind for name, kind in numbers.kinds.items() if kind in KINDS}
    named = "|".join(map(re.escape, kinds))
    marks = re.compile(rf"\\(section|subsection)(\*?)\s*\{{|\\begin\{{({named})(\*?)\}}")
    found, at = [], 0
    while mark := marks.search(body, at):
        at = mark.end()
        if mark[1]:
            numbers.enter(mark[1], bool(mark[2]))
            continue
        name = mark[3] + mark[4]
        end = body.find(rf"\end{{{name}}}", at)
        if end < 0:
            raise InvalidInput(
                f"source must close what it opens, got \\begin{{{name}}} without its end: add "
                f"\\end{{{name}}}."
            )
        number = "" if mark[4] else numbers.next(mark[3])
        found.append(_found(kinds[mark[3]], number, body[at:end]))
        at = end
    return found


@dataclass
class _Numbers:
    """LaTeX's counters of environments."""

    kinds: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)
    within: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> _Numbers:
        """Counters as a preamble declares them."""
        made = cls(kinds={**{kind: kind for kind in KINDS}, **USUAL})
        for star, name, like, shown, inside in _NEW_THEOREM.findall(text):
            made.kinds[name] = shown.strip().lower()
            if star:
                made.silent.add(name)
            if like:
                made.shared[name] = like
            if inside:
                made.within[name] = inside
        return made

    def enter(self, part: str, silent: bool) -> None:
        """A section begins."""
        if silent:
            return
        self.counts[part] = self.counts.get(part, 0) + 1
        below = ("section", "subsection") if part == "section" else ("subsection",)
        for name, inside in self.within.items():
            if inside in below:
                self.counts[name] = 0
        if part == "section":
            self.counts["subsection"] = 0

    def next(self, name: str) -> str:
        """Number of the next environment of this name."""
        if name in self.silent:
            return ""
        counter, seen = name, {name}
        while (shared := self.shared.get(counter, counter)) not in seen:
            counter = shared
            seen.add(shared)
        self.counts[counter] = self.counts.get(counter, 0) + 1
        parts = [self.counts[counter]]
        inside = self.within.get(counter, "")
        if inside in ("section", "subsection"):
            parts.insert(0, self.counts.get(inside, 0))
        if inside == "subsection":
            parts.insert(0, self.counts.get("section", 0))
        return ".".join(map(str, parts))


def _found(kind: str, number: str, inside: str) -> TexResult:
    title, text = _title(inside)
    label = _LABEL.search(text)
    text = _LABEL.sub("", text).strip()
    displays = tuple(_formula(m[1] or m[2] or m[4] or "") for m in _DISPLAY.finditer(text))
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

    flat = _DISPLAY.sub(keep, text)
    flat = re.sub(r"\$[^$]*\$|\\\(.*?\\\)", keep, flat, flags=re.DOTALL)
    flat = re.sub(r",?\s+(then|we have|it holds that|for all|for every|for any)\b", r". \1", flat)
    for part in re.split(r"\.(?=\s|$)|;\s", flat):
        sentence = " ".join(re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], part).split())
        if sentence.strip(" ,:"):
            yield sentence.strip(" ,")


def _formula(text: str) -> str:
    """A displayed formula without layout."""
    text = re.sub(r"\\(?:nonumber|notag)\b|\\tag\{[^}]*\}", " ", _LABEL.sub("", text))
    text = re.sub(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}", " ", text)
    text = text.replace("&", " ").replace(r"\\", " ")
    return " ".join(text.split()).rstrip(".,; ")


def _expanded(text: str) -> str:
    """The source with its macros written out."""
    macros: dict[str, tuple[int, str]] = {}
    at = 0
    while mark := _COMMAND.search(text, at):
        end = _closing(text, mark.end())
        macros[mark[1]] = (int(mark[2] or 0), text[mark.end() : end - 1])
        text, at = text[: mark.start()] + text[end:], mark.start()
    if not macros:
        return text
    names = re.compile(rf"\\({'|'.join(map(re.escape, macros))})(?![A-Za-z])")
    for _ in range(MOST_EXPANSIONS):
        found = names.search(text)
        if found is None:
            return text
        count, body = macros[found[1]]
        end, arguments = found.end(), []
        for _ in range(count):
            end += len(text[end:]) - len(text[end:].lstrip())
            braced = text[end : end + 1] == "{"
            stop = _closing(text, end + 1) if braced else end + 1
            arguments.append(text[end + 1 : stop - 1] if braced else text[end:stop])
            end = stop
        for k, argument in enumerate(arguments, 1):
            body = body.replace(f"#{k}", argument)
        apart = " " if body[-1:].isalpha() and text[end : end + 1].isalpha() else ""
        text = text[: found.start()] + body + apart + text[end:]
    raise InvalidInput(
        f"source must have macros that end, got more than {MOST_EXPANSIONS} replacements: write "
        "out the macro that names itself."
    )


def _closing(text: str, start: int) -> int:
    """Behind the brace that closes the one before ``start``."""
    depth = 1
    for k in range(start, len(text)):
        depth += (text[k] == "{") - (text[k] == "}")
        if depth == 0:
            return k + 1
    raise InvalidInput("source must close every brace, got one that is open: close it.")
