r"""The claims of a result as lines, each with what stopped it where it could not be made one.

A claim becomes a line where the hypotheses say no more than their formulas: "Let x, y >= 0",
"Suppose that 0 < eta <= 1/L".  Other words may change what is claimed; they are told, and the claim
stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field, replace

from verify.line.grammar.signs import GREEK, signs_of
from verify.line.papers.chains import relations_of
from verify.line.papers.classes import NamedClass, OnClass, classes_in, on_class
from verify.line.papers.random_vectors import SecondMoments, second_moments
from verify.line.papers.results import TexResult, formula
from verify.line.papers.sentences import LOCAL, Clause, Sentence, sentences
from verify.line.pieces import relations
from verify.line.placed import Placed

__all__ = ["Claimed", "claims_of"]

WORDS = frozenset(
    [
        "let",
        "suppose",
        "assume",
        "if",
        "given",
        "fix",
        "that",
        "be",
        "and",
        "is",
        "are",
        "in",
        "of",
        "with",
        "for",
        "all",
        "every",
        "any",
        "each",
        "where",
        "real",
        "reals",
        "number",
        "numbers",
        "scalar",
        "scalars",
        "constant",
        "constants",
        "arbitrary",
        "two",
        "then",
        "we",
        "have",
        "it",
        "holds",
        "the",
        "following",
        "inequality",
        "a",
        "an",
        "moreover",
        "furthermore",
        "also",
        "hence",
        "thus",
        "particular",
        "addition",
        "consider",
        "satisfy",
        "satisfies",
        "satisfying",
        "following",
        "both",
        "over",
    ]
)
"""Words that say no more than the formulas beside them."""
CLAIM_WORDS = WORDS | frozenset(
    [
        "hold",
        "true",
        "inequalities",
        "bound",
        "bounds",
        "estimate",
        "identity",
        "identities",
        "equality",
        "follows",
        "one",
        "has",
        "get",
        "obtain",
        "as",
        "satisfied",
        "satisfies",
        "satisfy",
        "statement",
        "statements",
    ]
)
ADJECTIVES = {
    "positive": "positive",
    "nonnegative": "nonnegative",
    "non-negative": "nonnegative",
    "vector": "vector",
    "vectors": "vector",
}
BACK = frozenset(["here", "wherein", "throughout", "above", "assuming", "recall", "note"])
"""Words at the beginning of a sentence that may limit what was claimed before it."""
ADDING = ("also", "moreover", "furthermore", "addition")
"""Words that may begin a further claim within a condition."""
LOOSE = ("where", "with", "such that")
"""Behind these a symbol alone may be one that exists, and a constant too."""
COUNTED = frozenset("ijklmnstKMNRST")
"""Letters that are whole numbers in most papers."""
WHOLE = ("integer", "integers", "natural")

_RELATION = re.compile(r"\\(?:le|ge|leq|geq|leqslant|geqslant|in)(?![A-Za-z])|[<>=]")
_NAME = r"\\?[A-Za-z]+(?:_\{?\\?\w+\}?)?"
_NAMES = re.compile(rf"{_NAME}(?:\s*,\s*{_NAME})*")
_SPACE = re.compile(r"(?:\\in)?\s*\\mathbb\s*\{?\s*R\s*\}?\s*\^\s*\{?\s*[dnmp]\s*\}?$")
_ANY = re.compile(r"(?:\\in)?\s*\\mathbb\s*\{?\s*R\s*\}?$")
_LISTED = re.compile(
    r"(\\?[A-Za-z]+)_\{?1\}?\s*,(?:\s*\1_\{?2\}?\s*,)?\s*\\(?:dots|ldots|cdots)\s*,\s*\1_\{?(\\?\w+)\}?"
)
_RANGED = re.compile(
    rf"((?:vectors?|real|positive|nonnegative) )?({_NAME}(?:\s*,\s*{_NAME})*)(.*)", re.DOTALL
)
_UPPER = re.compile(
    r"\\(?:sum|prod)\s*(?:\\limits)?\s*_\s*(?:\{[^}]*\}|\w)\s*\^\s*\{?\s*(\w)\s*\}?"
)
_SIGNS = frozenset(("\\in", "\\ge", "\\le", "\\geq", "\\leq", "\\mathbb", "\\infty"))
_POSITIVE = re.compile(rf"(?:positive )?{_NAMES.pattern}\s*(?:(?:>|\\gt(?![A-Za-z]))\s*0)?")
_LAID_OUT = re.compile(r"\\begin\s*\{\s*([a-zA-Z]*(?:cases|array|matrix|substack)\*?)\s*\}")
"""What holds several formulas, or a table."""
_DEFINED = re.compile(r"(?<!:):=|\\coloneqq|\\triangleq|\\eqdef")


@dataclass(frozen=True)
class Claimed:
    """One claim of a result.

    Parameters
    ----------
    latex : str
        As printed.
    line : str
        The claim in one line, empty where its words say more than a line can.
    reason : str
        The words that stopped it.
    doubtful : str
        The line with any number for a letter that may be a whole one: it says more than the claim
        does then, and stands for it where it is proved.
    placed : Placed or None
        Of a claim on all functions of a class.
    note : str
        What was settled in reading it.
    """

    latex: str
    line: str
    reason: str = ""
    doubtful: str = ""
    placed: Placed | None = None
    note: str = ""


@dataclass
class _Assumed:
    """What is assumed so far."""

    doubtful: set[str] = field(default_factory=set)
    """Letters of which the words do not say whether they are whole numbers."""
    spaces: set[str] = field(default_factory=set)
    """Letters of the dimensions that are named."""
    ranges: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    lists: dict[str, str] = field(default_factory=dict)
    """Symbols of lists ``x_1, ..., x_n``, each with what its entries are."""
    reasons: list[str] = field(default_factory=list)
    classes: list[NamedClass] = field(default_factory=list)

    def with_class(self, of_class: OnClass) -> _Assumed:
        """The same with the points and the symbols of a class."""
        made = self.copy()
        points = set(of_class.points)
        kept = []
        for item in made.ranges:
            mark = _RANGED.fullmatch(item)
            names = [name.strip() for name in mark[2].split(",")] if mark else []
            if mark is None or not points & set(names):
                kept.append(item)
            elif rest := [name for name in names if name not in points]:
                kept.append(f"{mark[1] or ''}{', '.join(rest)}{mark[3]}")
        made.ranges = [*kept, *of_class.ranges]
        return made

    def copy(self) -> _Assumed:
        """The same, to be added to."""
        return deepcopy(self)


def claims_of(result: TexResult) -> list[Claimed]:
    """The claims of a result in their order."""
    out: list[Claimed] = []
    moments = second_moments(result.source)
    classes, source = classes_in(result.source if moments is None else moments.source)
    known = _Assumed(classes=classes)
    for sentence in sentences(source):
        words = {word for clause in sentence.claimed for word in clause.words[:2]}
        if back := sorted(words & BACK):  # it says something of what was claimed before
            out = [_stopped(one, f"the later words '{' '.join(back)}'") for one in out]
        here = known.copy()
        for clause in sentence.assumed:
            _assume(clause, here)
            if clause.stays or not any(one.formulas for one in sentence.claimed):
                _assume(clause, known)  # nothing is claimed here: it goes for what follows
        out += _claimed(sentence, here)
    return out if moments is None else [_printed(one, moments) for one in out]


def _printed(one: Claimed, moments: SecondMoments) -> Claimed:
    """The claim as it is printed, beside the line that says it."""
    latex = one.latex
    for made, said in moments.printed.items():
        latex = latex.replace(made, said)
    return replace(one, latex=latex, note=moments.note)


def _stopped(one: Claimed, reason: str) -> Claimed:
    return Claimed(one.latex, "", "; ".join(filter(None, [one.reason, reason])))


def _claimed(sentence: Sentence, known: _Assumed) -> list[Claimed]:
    """Claims of one sentence."""
    said = [word for clause in sentence.claimed for word in clause.words]
    strange = [word for word in said if word not in CLAIM_WORDS and not _number(word)]
    out = []
    tidied = [formula(text) for clause in sentence.claimed for text in clause.formulas]
    strange += [f"${text}$" for text in tidied if text and not _says(text)]
    count = sum(_says(f) for clause in sentence.claimed for f in clause.formulas)
    if sentence.twice:
        known.reasons.append(f"a second '{sentence.twice}' behind a claim")
    if sentence.late and count > 1:
        known.reasons.append(f"'{sentence.late}' behind one of several claims")
    for clause in sentence.claimed:
        for text in clause.formulas:
            tidy = formula(_DEFINED.sub("=", text))
            if told := _LAID_OUT.search(text):
                stopped = f"the environment {told[1]}, which is more than one formula"
                out.append(Claimed(text, "", stopped))
                continue
            if not _says(tidy):
                continue
            out += [
                _one_claim(one, known, strange) for one in relations_of(_DEFINED.sub("=", text))
            ]
    return out


def _one_claim(one: str, known: _Assumed, strange: list[str]) -> Claimed:
    """One relation with what is assumed, or what stopped it."""
    reasons = [*known.reasons]
    counts = set(_UPPER.findall(one))
    doubt = sorted(n for n in known.doubtful - counts if _names(n, one))
    if known.spaces and "d" not in known.spaces and _names("d", one):
        reasons.append("d beside vectors of another dimension")
    if strange:
        reasons.append(_words_said(strange))
    placed, tried = None, one
    of_class = on_class(one, known.classes)
    if of_class is not None:
        reasons += [of_class.reason] if of_class.reason else _own_ranges(of_class, known)
        tried, placed = of_class.claim, of_class.placed
        known = known.with_class(of_class)
    elif known.classes:
        reasons.append(f"the class '{known.classes[0].words}', of which the claim names no value")
    line = "" if reasons else _line(tried, known)
    if not line and not reasons:
        reasons.append("no words that say what its symbols are")
    if doubt:
        said = f"{', '.join(doubt)}, which may be a whole number"
        return Claimed(one, "", "; ".join(dict.fromkeys([said, *reasons])), line, placed)
    return Claimed(one, line, "; ".join(dict.fromkeys(reasons)), placed=placed)


def _own_ranges(of_class: OnClass, known: _Assumed) -> list[str]:
    """What the words say of a class's constants beside their being positive."""
    assert of_class.placed is not None
    ours = [name for name, text in of_class.placed.symbols.items() if text in ("w.beta", "w.mu")]
    said = [
        one
        for one in (*known.ranges, *known.given)
        for name in ours
        if name in one and not _POSITIVE.fullmatch(one)
    ]
    return [f"the further condition ${one}$ on a constant of the class" for one in said]


def _says(text: str) -> bool:
    """Whether a formula says something, rather than name a quantity."""
    return bool(relations(signs_of(text).text)) or bool(re.search(r"\\in(?![A-Za-z])", text))


def _words_said(words: Iterable[str]) -> str:
    listed = list(dict.fromkeys(words))
    shown = " ".join(listed[:6]) + (" ..." if len(listed) > 6 else "")
    return f"the words '{shown}'"


def _line(claim: str, known: _Assumed) -> str:
    """The claim in one line."""
    ranges = [*_used(claim, known), *_entries(claim, known)]
    if not ranges and not re.search(r"\\forall|\\text\s*\{\s*(?:for|if|where)", claim):
        return ""
    line = claim
    if ranges:
        line += f" for {'; '.join(ranges)}"
    return line + (f" given {', '.join(known.given)}" if known.given else "")


def _used(claim: str, known: _Assumed) -> list[str]:
    """Ranges without the symbols that the claim does not name.

    A range that names other symbols stays whole: it may say something of these.
    """
    out = []
    for k, item in enumerate(known.ranges):
        mark = _RANGED.fullmatch(item)
        rest = re.sub(
            r"\\[A-Za-z]+", lambda m: "" if m[0] in _SIGNS else m[0], mark[3] if mark else ""
        )
        if mark is None or re.search(r"[A-QS-Za-z]", rest):
            out.append(item)
            continue
        others = [claim, *known.given, *(one for j, one in enumerate(known.ranges) if j != k)]
        names = [name.strip() for name in mark[2].split(",")]
        left = [name for name in names if any(_names(name, text) for text in others)]
        if left:
            out.append(f"{mark[1] or ''}{', '.join(left)}{mark[3]}")
    return out


def _names(name: str, text: str) -> bool:
    """Whether a formula names a symbol."""
    if name.startswith("\\"):
        return bool(re.search(rf"{re.escape(name)}(?![A-Za-z])", text))
    plain = re.sub(r"\\[A-Za-z]+", " ", text)
    return name in plain


def _entries(claim: str, known: _Assumed) -> list[str]:
    """Ranges of lists: of all entries under a sum, else of the entries that the claim names."""
    out = []
    for name, kind in known.lists.items():
        bound = set(re.findall(r"\\(?:sum|max|min|prod)\s*(?:\\limits)?\s*_\s*\{?\s*(\w)", claim))
        below = set(re.findall(rf"{re.escape(name)}_\{{?(\w+)\}}?", claim))
        if below & bound or not below:
            out.append(kind.replace("@", name))
        free = sorted(below - bound)
        if free:
            out.append(kind.replace("@", ", ".join(f"{name}_{one}" for one in free)))
    return out


def _assume(clause: Clause, known: _Assumed) -> None:
    """Put what a clause says among the ranges, the hypotheses, or the reasons."""
    words = clause.words
    whole = [word for word in words if word in WHOLE]
    strange = [
        word
        for word in words
        if word not in WORDS and word not in ADJECTIVES and word not in WHOLE and not _number(word)
    ]
    said = [ADJECTIVES[word] for word in words if word in ADJECTIVES]
    if clause.mark in LOCAL:  # "if moreover x >= 1, also y >= x": is y >= x assumed?
        strange += [word for word in words if word in ADDING]
    if clause.mark in LOOSE:
        strange += [word for word in words if word in ("constant", "constants", "number")]
        strange += [text for text in clause.formulas if _NAMES.fullmatch(text.strip())]
    if whole:
        strange.append(f"{whole[0]} (a line needs both ends: integer n in [1, 64])")
    pieces = clause.text.split("\0")
    places = [
        k for k, piece in enumerate(pieces) for raw in piece.split()
        if raw.lower().strip(",:;.()") in ADJECTIVES
    ]  # fmt: skip
    counts = {mark[2] for text in clause.formulas if (mark := _LISTED.match(text.strip()))}
    spaces = [text for text in clause.formulas if _SPACE.fullmatch(text.strip())]
    formulas = [text for text in clause.formulas if text not in spaces]
    formulas = [text for text in formulas if text.strip() not in counts]  # how many there are
    known.spaces |= {text.strip(" {}")[-1] for text in spaces}
    if spaces:
        said.append("vector")
        said = list(dict.fromkeys(said))
    elif any(k not in (0, len(clause.formulas)) for k in places):
        strange += sorted(set(said))
    if len(said) > 1:
        strange += said
    if strange:
        known.reasons.append(_words_said([clause.mark, *strange] if clause.mark else strange))
        return
    for text in formulas:
        if told := _LAID_OUT.search(text):
            known.reasons.append(f"the environment {told[1]}")
            continue
        tidy = formula(_DEFINED.sub("=", text)).strip()
        names = re.split(r"\\(?:ge|geq|geqslant)(?![A-Za-z])|>=?", tidy)[0].strip()
        if _NAMES.fullmatch(names) and not {"real", "reals"} & set(words) and "vector" not in said:
            known.doubtful |= COUNTED & {name.strip() for name in names.split(",")}
        if not _sorted(tidy, said[0] if said else "", known):
            known.reasons.append(f"the hypothesis ${tidy}$")


def _sorted(text: str, adjective: str, known: _Assumed) -> bool:
    """Put a formula among the ranges or the hypotheses; False for what is neither."""
    if mark := _LISTED.match(text):
        return _listed(mark, text, adjective, known)
    if _SPACE.search(text) and _RELATION.search(text):
        known.ranges.append("vectors " + _SPACE.sub("", text).strip())
        known.spaces.add(text.strip(" {}")[-1])
    elif _ANY.search(text) and _RELATION.search(text):
        known.ranges.append("real " + _ANY.sub("", text).strip())
    elif _NAMES.fullmatch(text):
        kind = f"{adjective}s" if adjective == "vector" else adjective or "real"
        known.ranges.append(f"{kind} {text}")
    elif not _RELATION.search(text) or (adjective and adjective != "vector"):
        return False
    else:
        head = re.split(_RELATION, text)[0].strip()
        chained = len(relations(signs_of(text).text)) > 1
        turned = re.fullmatch(rf"-?[\d./]+\s*(?:<=?|\\leq?(?![A-Za-z]))\s*({_NAMES.pattern})", text)
        is_range = _NAMES.fullmatch(head) or chained or turned
        (known.ranges if is_range else known.given).append(text)
    return True


def _listed(mark: re.Match[str], text: str, adjective: str, known: _Assumed) -> bool:
    """``x_1, ..., x_n`` with what they are."""
    name, rest = mark[1], text[mark.end() :].strip()
    if _SPACE.fullmatch(rest):
        known.spaces.add(rest.strip(" {}")[-1])
    if _SPACE.fullmatch(rest) or (not rest and adjective == "vector"):
        kind = "vectors @"
    elif _ANY.fullmatch(rest) or (not rest and not adjective):
        kind = "real @"
    elif not rest:
        kind = f"{adjective} @"
    elif re.match(r"\\(?:ge|le|in)|[<>]", rest) and not adjective:
        kind = f"@ {rest}"
    else:
        return False
    known.lists[name] = kind
    return True


def _number(word: str) -> bool:
    return bool(re.fullmatch(r"\(?[ivx\d]+\)?", word)) or word in GREEK
