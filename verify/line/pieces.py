"""The pieces of a line: what is claimed, of which symbols, and under which hypotheses."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bounds.numbers.validate import InvalidInput
from verify.line.tex import plain_text

__all__ = [
    "Piece",
    "Pieces",
    "Related",
    "bound_letters",
    "indexed",
    "pieces",
    "refusal",
    "sides_of",
    "split_list",
]

RELATIONS = ("<=", ">=", "==", "<", ">")
LONGEST = 2000
"""Characters of a line."""

_SIGNS = {"≤": "<=", "≥": ">=", "⩽": "<=", "⩾": ">=", "·": "*", "−": "-", "∈": " in ", "²": "^2"}
_TEX_SIGNS = re.compile(r"\\(?:leqslant|geqslant|leq|geq|le|ge)(?![A-Za-z])")
_RELATION = re.compile(r"<=|>=|==|!=|<|>|(?<![<>=!])=(?!=)")
_WORD = re.compile(r"\b(for|given)\b")
_BARS = re.compile(r"\|\|([^|]+)\|\||\|([^|]+)\|")
_BELOW = re.compile(r"\b(?!(?:sum|mean|max|min)_)([A-Za-z]\w*?)_\{?([A-Za-z])\}?(?!\w)")
_CHANCE = re.compile(r"(?<!\w)P\s*\(")
_OVER = re.compile(r"\b(sum|mean|max|min)_([A-Za-z])\b")


@dataclass(frozen=True)
class Piece:
    """A part of the line, how many characters stand before it, and whether a semicolon ends it."""

    text: str
    start: int
    ends: bool = False

    def stripped(self) -> Piece:
        """The same without blanks around it."""
        left = len(self.text) - len(self.text.lstrip())
        return Piece(self.text.strip(), self.start + left, self.ends)


@dataclass(frozen=True)
class Related:
    """``left RELATION right`` as syntax trees, with the piece that says so."""

    left: ast.expr
    relation: str
    right: ast.expr
    piece: Piece


@dataclass(frozen=True)
class Pieces:
    """The claim, then what follows each ``for`` and each ``given``, item by item."""

    claim: Related
    ranges: tuple[Piece, ...]
    given: tuple[Piece, ...]
    bounded: bool  # whether the line names ranges at all


def pieces(line: str) -> Pieces:
    """Cut a line into its pieces.

    Parameters
    ----------
    line : str

    Returns
    -------
    Pieces

    Raises
    ------
    InvalidInput
        Where the line cannot be read, with the place and what to write instead.
    """
    if not isinstance(line, str) or not line.strip() or len(line) > LONGEST:
        found = f"{len(line)} characters" if isinstance(line, str) else repr(line)
        raise InvalidInput(
            f"claim must be a line of 1 to {LONGEST} characters, got {found}: write it such as "
            "'4*x*y <= (x+y)**2 for x, y >= 0'."
        )
    for sign, word in _SIGNS.items():
        line = line.replace(sign, word)
    line = line.replace("\n", " ").strip("$ ")
    marks = list(_WORD.finditer(line))
    ends = [*(mark.start() for mark in marks), len(line)]
    head = Piece(line[: ends[0]], 0).stripped()
    parts: dict[str, list[Piece]] = {"for": [], "given": []}
    for mark, end in zip(marks, ends[1:], strict=True):
        parts[mark[1]] += split_list(Piece(line[mark.end() : end], mark.end()))
    made = list(sides_of(head))
    if len(made) != 1:
        raise refusal(
            head, "one relation", f"{len(made)}", "write one line for each, such as 'a <= b'"
        )
    bounded = any(mark[1] == "for" for mark in marks)
    return Pieces(made[0], tuple(parts["for"]), tuple(parts["given"]), bounded)


def split_list(piece: Piece) -> list[Piece]:
    """Items of a list, parted by commas, semicolons or ``and`` outside brackets."""
    text, depth, start, out = piece.text, 0, 0, []
    cuts = [(m.start(), m.end()) for m in re.finditer(r"[,;]|\band\b", text)]
    for first, last in [*cuts, (len(text), len(text))]:
        inside = text[start:first]
        # a half-open interval has unlike brackets, so that only their number counts
        depth = sum(inside.count(c) for c in "([{") - sum(inside.count(c) for c in ")]}")
        if depth <= 0:
            item = Piece(inside, piece.start + start, text[first:last] == ";").stripped()
            out += [item] if item.text else []
            start = last
    rest = Piece(text[start:], piece.start + start).stripped()
    return [*out, rest] if rest.text else out


def sides_of(piece: Piece) -> Iterator[Related]:
    """Comparisons of a piece; ``a <= b <= c`` are two.

    Raises
    ------
    InvalidInput
        If there is no relation, or a side is no formula.
    """
    in_tex = bool(_TEX_SIGNS.search(piece.text))
    text = _TEX_SIGNS.sub(lambda m: " <= " if m[0][1] == "l" else " >= ", piece.text)
    # with TeX signs all of it is TeX, so that xy is a product on both sides
    found = [m for m in _RELATION.finditer(text) if not _inside(text[: m.start()])]
    if not found:
        raise refusal(piece, "a relation", "none", "write one of <=, >=, == between two sides")
    ends = [0, *(m.end() for m in found)]
    stops = [*(m.start() for m in found), len(text)]
    parts = [Piece(text[a:b], piece.start + a) for a, b in zip(ends, stops, strict=True)]
    if not all(part.text.strip() for part in parts):
        raise refusal(
            piece, "a formula on each side", "an empty side", "write it, such as 'x <= 1'"
        )
    sides = [expression(part, in_tex) for part in parts]
    for k, mark in enumerate(found):
        word = "==" if mark[0] == "=" else mark[0]
        if word == "!=":
            raise refusal(piece, "one of <=, >=, ==", "!=", "write a relation that has a meaning")
        yield Related(sides[k], word, sides[k + 1], piece)


def _inside(before: str) -> bool:
    """Whether a bracket is open: below a sum, or under P, stands no relation of the claim."""
    events = (before[mark.end() - 1 :] for mark in _CHANCE.finditer(before))
    return any(map(_is_open, events)) or before.count("{") > before.count("}")


def _is_open(text: str) -> bool:
    """Whether the bracket with which a text begins is still open at its end."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return False
    return True


def expression(piece: Piece, in_tex: bool = False) -> ast.expr:
    """Syntax tree of one side.

    Places in the tree count from the beginning of the line.
    """
    text = piece.text
    if in_tex or "\\" in text:
        text = plain_text(text)
    elif "^" in text:
        text = text.replace("^", "**")
    # the letter lambda is a word of Python's
    text = re.sub(r"\blambda\b", "lam", text)
    text = _BARS.sub(lambda m: f"norm({m[1]})" if m[1] else f"abs({m[2]})", text)
    text = indexed(text, frozenset(mark[1] for mark in _OVER.findall(text)))
    text = _called(text, piece)
    try:
        tree = ast.parse(f"({text})", mode="eval").body
    except (SyntaxError, ValueError) as error:
        place = (getattr(error, "offset", None) or 2) - 2
        raise refusal(
            piece,
            "a formula",
            f"{text.strip() or 'nothing'!r} ({getattr(error, 'msg', error)})",
            "write * between factors and close every bracket",
            max(place, 0),
        ) from None
    return tree


def indexed(text: str, letters: Collection[str]) -> str:
    """``p_i`` as ``p[i]`` where i is the index of a sum or an extreme."""
    return _BELOW.sub(lambda m: f"{m[1]}[{m[2]}]" if m[2] in letters else m[0], text)


def bound_letters(nodes: Collection[ast.expr]) -> frozenset[str]:
    """Indices of all sums and extremes in some formulas."""
    calls = (n.func for node in nodes for n in ast.walk(node) if isinstance(n, ast.Call))
    marks = (_OVER.fullmatch(f.id) for f in calls if isinstance(f, ast.Name))
    return frozenset(mark[2] for mark in marks if mark)


def _called(text: str, piece: Piece) -> str:
    """``sum_i a*b + c`` as ``sum_i(a*b) + c``: what a sum runs over ends at the next + or -."""
    at = 0
    while mark := _OVER.search(text, at):
        begin = mark.end()
        rest = text[begin:]
        opened = rest.lstrip().startswith("(")
        close = begin + _closing(rest) if opened else begin
        after = text[close:].lstrip()
        if opened and (mark[1] in ("max", "min") or after[:1] in ("", "+", "-", ")", ",")):
            at = begin  # it has its brackets already
            continue
        if opened and after.startswith("**") and rest.startswith("("):
            raise refusal(
                piece,
                "of one meaning",
                f"{text[mark.start() : close]}**...",
                f"write ({text[mark.start() : close]})**... or {mark[0]} (...**...)",
            )
        end = begin + _product(rest)
        text = f"{text[:begin]}({text[begin:end].strip()}){text[end:]}"
        at = begin
    return text


def _closing(text: str) -> int:
    """Characters up to the bracket that closes the first one."""
    depth = 0
    for k, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and sign in ")]":
            return k + 1
    return len(text)


def _product(text: str) -> int:
    """Characters of the product at the beginning."""
    depth, seen = 0, ""
    for k, sign in enumerate(text):
        if depth == 0 and (sign in ",)]" or (sign in "+-" and seen and seen[-1] not in "*/e")):
            return k
        depth += (sign in "([") - (sign in ")]")
        seen += sign.strip()
    return len(text)


def refusal(piece: Piece, condition: str, found: str, remedy: str, offset: int = 0) -> InvalidInput:
    """What is wrong, at which place of the line, and what to do."""
    place = piece.start + offset + 1
    shown = piece.text if len(piece.text) <= 60 else f"{piece.text[:57]}..."
    return InvalidInput(
        f"claim must be {condition} at character {place} ({shown!r}), got {found}: {remedy}."
    )
