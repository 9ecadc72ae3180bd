r"""Where a line is cut: what is claimed, of which symbols, and under which conditions.

``CLAIM for RANGES given HYPOTHESES``, in the words that papers use: ``if``, ``where``, ``s.t.``,
``for all x > 0: CLAIM``, ``CLAIM, x > 0``, ``Let x > 0. Then CLAIM``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bounds.numbers.validate import InvalidInput
from verify.line.grammar.refused import Edit, not_read, shown_in
from verify.line.grammar.signs import Signs, in_two_types, signs_of
from verify.line.pieces import Piece, refusal, relations, split_list

__all__ = ["LONGEST", "Cut", "cut"]

LONGEST = 2000
"""Characters of a line."""

FOR = r"for all|for every|for any|for each|for"
GIVEN = r"given(?: that)?"
EITHER = (
    r"if|where|whenever|when|with|such that|s\.\s?t\.|subject to|assuming(?: that)?"
    r"|provided(?: that)?|under"
)
"""Words behind which ranges and hypotheses stand as they come."""
_MARK = re.compile(rf"(?<![\w\\])(?:({FOR})|({GIVEN})|({EITHER}))(?!\w)", re.IGNORECASE)
_LEAD = re.compile(
    rf"\s*(?:({FOR})|(let|if|suppose(?: that)?|assume(?: that)?|{GIVEN}|whenever|when))(?!\w)",
    re.IGNORECASE,
)
_LEAD_ENDS = re.compile(
    r":(?!=)|\.(?=\s)|,?\s*\bthen\b|,?\s*\b(?:we have|it holds(?: that)?|one has|there holds)\b",
    re.IGNORECASE,
)
_THEN = re.compile(r"[\s,:]*(?:\bthen\b|\bwe have\b|\bit holds(?: that)?\b)?[\s,:]*", re.IGNORECASE)
_BEHIND = re.compile(r"\(([^()]*(?:[<>=]|\bin\b)[^()]*)\)\s*$")
_DOTS = re.compile(r"(\d+)\s*,(\s*)\.\.\.(\s*),\s*(\w+)")
_EACH = re.compile(
    r"(?:all |each |every )?([A-Za-z])(?:\s*=\s*1\s*\.\.\.?\s*[A-Za-z]|\s+in\s+\[\w\])?"
)
"""``i``, ``i = 1, ..., n``: each entry, which says nothing of the symbols."""
_SUMS = re.compile(
    r"(?<![A-Za-z])(?:sum|mean|max|min|prod)\s*_\s*(?:\{\s*(?:\w+\s*<=\s*)?)?([A-Za-z])"
    r"(?:\s*,\s*([A-Za-z])\s*\})?"
)
_NUMBER = r"[-+]?(?:[\d./]+|inf)"
_NAME = r"\\?[A-Za-z]\w*(?:_\{\w+\})?(?:\[\w\])?"
_RANGE = re.compile(
    rf"(?:all |every |any |each )?(?:{_NAME}|{_NAME}\s*(?:<=|>=|<|>)\s*{_NUMBER}"
    rf"|{_NUMBER}\s*(?:<=|<|>=|>)\s*{_NAME}(?:\s*(?:<=|<|>=|>).*)?"
    rf"|{_NAME}\s*(?:in\b|~|=\s*-?\d+\s*\.\.).*"
    rf"|(?:real|reals|integers?|whole|vectors?|positive|nonnegative|numbers?)\s.*"
    rf"|{_NAME}\s+(?:is\s+|are\s+)?(?:an?\s+)?(?:real|integer|whole|vector|positive|nonnegative))",
    re.DOTALL,
)


@dataclass(frozen=True)
class Cut:
    """The pieces of a line as text.

    Parameters
    ----------
    signs : Signs
        The line with one spelling for each sign.
    head : Piece
        What is claimed.
    ranges, given : tuple of Piece
        Items that say where a symbol lies, and the other conditions.
    bounded : bool
        Whether the line lists its symbols.
    letters : frozenset of str
        Indices of sums and extremes.
    """

    signs: Signs
    head: Piece
    ranges: tuple[Piece, ...]
    given: tuple[Piece, ...]
    bounded: bool
    letters: frozenset[str]


def cut(line: str) -> Cut:
    """Cut a line into its pieces; see :class:`Cut`.

    Raises
    ------
    InvalidInput
        For what is no line at all.
    """
    if not isinstance(line, str) or not line.strip() or len(line) > LONGEST:
        found = f"{len(line)} characters" if isinstance(line, str) else repr(line)
        raise InvalidInput(
            f"claim must be a line of 1 to {LONGEST} characters, got {found}: write it such as "
            "'4*x*y <= (x+y)**2 for x, y >= 0'."
        )
    if "\0" in line:
        place = line.index("\0") + 1
        raise InvalidInput(
            f"claim must be of printed characters, got a NUL byte at {place}: leave it out."
        )
    signs = signs_of(line)
    with shown_in(signs):
        dressed = in_two_types(line)
        if dressed is not None:
            start = next(k for k, typed in enumerate(signs.places) if typed >= dressed)
            found, remedy = f"{line[dressed]} in two of them", "write two letters, or one of them"
            raise not_read(line[dressed], start, "of letters in one kind of type", found, remedy)
        return _cut(signs)


def _cut(signs: Signs) -> Cut:
    text = _DOTS.sub(lambda m: m[0].replace(",", " "), signs.text)
    letters = {one for mark in _SUMS.finditer(text) for one in mark.groups() if one}
    out = _Parts(frozenset(letters))
    at = out.lead(text)
    marks = [m for m in _MARK.finditer(text, at) if not _depth(text[at : m.start()])]
    ends = [*(m.start() for m in marks), len(text)]
    head = out.behind(Piece(text[at : ends[0]], at).stripped())
    for mark, end in zip(marks, ends[1:], strict=True):
        items = split_list(Piece(text[mark.end() : end].rstrip(" ."), mark.end()))
        out.add("for" if mark[1] else "given" if mark[2] else "either", items)
    return Cut(signs, head, tuple(out.ranges), tuple(out.given), out.bounded, frozenset(letters))


class _Parts:
    """Items as they are found."""

    def __init__(self, letters: frozenset[str]) -> None:
        self.letters = letters
        self.ranges: list[Piece] = []
        self.given: list[Piece] = []
        self.bounded = False

    def add(self, kind: str, items: list[Piece]) -> None:
        """Items behind a word of this kind."""
        items = [item for item in items if not self._is_index(item)]
        self.bounded |= kind == "for" and bool(items)
        for item in items:
            is_range = kind == "for" or (kind == "either" and _RANGE.fullmatch(item.text))
            (self.ranges if is_range else self.given).append(item)

    def _is_index(self, item: Piece) -> bool:
        """Whether an item only says that something goes for each entry."""
        mark = _EACH.fullmatch(item.text)
        return mark is not None and mark[1] in self.letters

    def lead(self, text: str) -> int:
        """Conditions before the claim; where the claim begins."""
        lead = _LEAD.match(text)
        if lead is None:
            return self._listed_first(text)
        end = _LEAD_ENDS.search(text, lead.end())
        if end is not None and relations(text[end.end() :]):
            first, at = end.start(), end.end()
        else:
            first = at = _last_comma(text, lead.end())
        kind = "for" if lead[1] else "either"
        self.add(kind, split_list(Piece(text[lead.end() : first], lead.end())))
        self.bounded |= (lead[2] or "").lower() == "let"
        then = _THEN.match(text, at)
        return then.end() if then else at

    def _listed_first(self, text: str) -> int:
        """``x > 0: CLAIM`` and ``x ~ N(0, 1): CLAIM``; where the claim begins."""
        end = text.find(":")
        items = split_list(Piece(text[: max(end, 0)], 0)) if not _depth(text[: max(end, 0)]) else []
        said = [item for item in items if not re.fullmatch(_NAME, item.text)]
        ranges = said and all(_RANGE.fullmatch(item.text) for item in items)
        if not ranges or text[end + 1 : end + 2] == "=" or not relations(text[end + 1 :]):
            return 0
        self.add("for", items)
        return end + 1

    def behind(self, head: Piece) -> Piece:
        """Conditions behind a comma, or in a bracket, after the claim."""
        text = head.text.rstrip(" .,;")
        signs = relations(text)
        if not signs:
            return Piece(text, head.start)
        inner = _BEHIND.search(text)
        if inner and inner.start() > signs[0][1]:
            self.add("either", split_list(Piece(inner[1], head.start + inner.start(1))))
            text = text[: inner.start()].rstrip(" ,;")
        for k in range(signs[0][1], len(text)):
            if text[k] in ",;" and not _depth(_masked(text)[:k]):
                rest = Piece(text[k + 1 :], head.start + k + 1)
                self.add("either", _conditions(rest, text[k]))
                text = text[:k]
                break
        return Piece(text, head.start).stripped()


def _conditions(rest: Piece, sign: str) -> list[Piece]:
    """Ranges behind a comma; what may be a further claim is refused."""
    items = split_list(rest)
    plain = sign == "," and not re.match(r"\s*and\b", rest.text)
    if plain and all(_RANGE.fullmatch(item.text) for item in items):
        return items
    said = rest.stripped()
    edits = [Edit(rest.start - 1, rest.start, " if")] if plain else []
    raise refusal(
        said,
        "of one meaning",
        "a condition to some and a further claim to others",
        "write 'if' before a condition, and one line for each claim",
        *edits,
    )


def _masked(text: str) -> str:
    """The text with inner products in brackets."""
    return re.sub(r"<([^<>=]*,[^<>=]*)>(?!=)", r"(\1)", text)


def _depth(text: str) -> int:
    """How many brackets are open."""
    text = re.sub(r"\\[{}]", "", _masked(text))
    text = text.replace("\\langle", "(").replace("\\rangle", ")")
    return sum(text.count(c) for c in "([{") - sum(text.count(c) for c in ")]}")


def _last_comma(text: str, start: int) -> int:
    """The last comma outside brackets behind which a relation stands."""
    for k in range(len(text) - 1, start, -1):
        if text[k] == "," and not _depth(text[start:k]) and relations(text[k + 1 :]):
            return k
    piece = Piece(text, 0).stripped()
    remedy = "write 'for all x > 0: ...', or the conditions behind the claim"
    raise refusal(piece, "with a claim behind its conditions", "none", remedy)
