"""What the line says of each symbol: its range, and whether it is a whole number or a vector.

A range that is written is where instances lie: it is the domain of the parameter, not only where
the search begins.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from sys import float_info

from verify.claim.parameters import Real
from verify.line.grammar.names import Symbols
from verify.line.grammar.signs import GREEK
from verify.line.pieces import AS_TYPED, Piece, Related, expression, indexed, refusal, sides_of
from verify.world.world import World

__all__ = ["Range", "Ranges", "is_taken", "ranges", "written_number"]

WIDTH = 4
"""Width of the range that is looked at first where the line gives one end or none."""
FAR = 256
"""A range that reaches from near zero so far is looked at as finely around zero as any other."""
STEP = 64
"""An open end is left out by this part of the range."""
MOST_WHOLE = 200
"""Whole numbers, or pairs of them, that are tried one by one."""

KINDS = {
    "integer": "integer",
    "integers": "integer",
    "whole": "integer",
    "vector": "vector",
    "vectors": "vector",
    "real": "real",
    "reals": "real",
    "number": "real",
    "numbers": "real",
    "positive": "positive",
    "nonnegative": "nonnegative",
}
TAKEN = frozenset(name for name in dir(World) if not name.startswith("_"))
"""Symbols that the world has for itself."""

_NAME = re.compile(r"([A-Za-z]\w*)\s*(?:\[\s*[A-Za-z](?:\s*,\s*[A-Za-z])*\s*\])?")
_HALF = re.compile(r"[-+]?[\d./]+\s*<=?\s*[A-Za-z]\w*")
"""``0 < x`` before a comma: in "0 < x, y <= 1" most mean both ends of both."""
_SPACE = re.compile(r"(?:R|ℝ)\s*(?:\^|\*\*)\s*(?:\{\s*[dnmp]\s*\}|[dnmp])")
_INSIDE = re.compile(r"([\[(])(.*),(.*)([\])])", re.DOTALL)
_DOTS = re.compile(r"\{?\s*(-?\d+)\s*(?:\.\.\.?|…)\s*(-?\d+)\s*\}?")
_GREEK = re.compile(rf"\\({'|'.join(sorted(GREEK, key=len, reverse=True))})(?![A-Za-z])")
_REALS = re.compile(r"\\mathbb\s*(?:\{\s*R\s*\}|R(?![A-Za-z]))|\\(?:R|RR|Re|reals)(?![A-Za-z])")
_HALF_LINE = re.compile(r"R\s*_\s*(?:\+|\{\s*(\+|>=\s*0|>\s*0|\+\+)\s*\})")


@dataclass(frozen=True)
class Range:
    """Ends of one symbol, None where there is none, and which of them do not belong to it."""

    kind: str = "real"
    low: Fraction | None = None
    high: Fraction | None = None
    open_low: bool = False
    open_high: bool = False

    @property
    def exact(self) -> bool:
        """Whether both ends are numbers that a float can hold."""
        return all(end is None or Fraction(float(end)) == end for end in (self.low, self.high))

    def real(self, per: tuple[str, ...] = ()) -> Real:
        """The parameter."""
        low, high, domain = self._box()
        log = low > 0 and high >= STEP * low and not (self.open_low and self.high is not None)
        near = None
        if not log and low < WIDTH and high > -WIDTH and max(-low, high) >= FAR:
            near = (max(low, -WIDTH), min(high, WIDTH))
        return Real(
            _whole(low), _whole(high), log=log, per=per, domain=_pair(domain), near=_pair(near)
        )

    def wholes(self) -> range:
        """All whole numbers of the range."""
        assert self.low is not None
        assert self.high is not None
        return range(ceil(self.low), floor(self.high) + 1)

    def _box(self) -> tuple[float, float, tuple[float, float] | None]:
        """Where to look first, and the domain where it does not follow from the sign."""
        if self.low is None and self.high is None:
            return -WIDTH, WIDTH, None
        low = None if self.low is None else _outward(self.low, -1)
        high = None if self.high is None else _outward(self.high, 1)
        if low == 0 and high is None:
            return (1 / 8, 8, None) if self.open_low else (0, WIDTH, None)
        span = float(high - low) if low is not None and high is not None else 2 * WIDTH
        first = (high - span) if low is None and high is not None else low
        last = (low + span) if high is None and low is not None else high
        assert first is not None
        assert last is not None
        inset = span / STEP
        box = (
            first + inset if self.open_low and low is not None else first,
            last - inset if self.open_high and high is not None else last,
        )
        return *box, (-inf if low is None else low, inf if high is None else high)


@dataclass(frozen=True)
class Ranges:
    """Ranges by name, and what else the list after ``for`` says."""

    of: dict[str, Range]
    also: tuple[Related, ...] = ()
    said: dict[str, str] = field(default_factory=dict)
    named: frozenset[str] = frozenset()  # symbols that the line calls real numbers


def ranges(
    items: tuple[Piece, ...], letters: Collection[str] = (), names: Symbols = AS_TYPED
) -> Ranges:
    """Read the list after ``for``.

    Parameters
    ----------
    items : tuple of Piece
    letters : collection of str
        Indices of the claim: ``p_i`` is ``p[i]`` where i is one.
    names : Symbols
        What is known of the symbols, for formulas that stand in the list.

    Returns
    -------
    Ranges

    Raises
    ------
    InvalidInput
        For an item that is no range, an empty range, or whole numbers without an end.
    """
    of: dict[str, Range] = {}
    said: dict[str, str] = {}
    also: list[Related] = []
    waiting: list[str] = []
    named: set[str] = set()
    kind, explicit, ended = "real", False, False
    later = len(items) - 1
    for item in (_plain(item, letters) for item in items):
        if later and not item.ends and (half := _HALF.fullmatch(item.text)):
            raise refusal(
                item,
                "of one meaning",
                f"{item.text}, ... (do both ends belong to both symbols?)",
                f"write 'x, y in (0, 1]' for all of them, or '{half[0]};' for this one",
            )
        later -= 1
        word, rest = _kind(item)
        if ended:  # by a semicolon
            waiting, kind, explicit = [], "real", False
        ended = item.ends
        if word:
            waiting, kind, explicit = [], word, word == "real"
            named |= set(re.findall(r"[A-Za-z]\w*", rest.text)) if explicit else set()
        elif explicit and not _NAME.fullmatch(rest.text.strip()):
            raise refusal(
                item,
                "of one meaning",
                f"a range behind 'real {', '.join(waiting)}'",
                f"write 'real {', '.join(waiting)}; {item.text}' or leave 'real' out",
            )
        elif kind == "vector" and not _NAME.fullmatch(rest.text.strip()):
            waiting, kind = [], "real"  # "vectors x, y, a >= 0": what has a range is a number
        bare = _NAME.fullmatch(rest.text.strip())
        if bare:
            name = _name(bare[1], item)
            named |= {name} if explicit else set()
            waiting.append(name)
            of.setdefault(name, _of_kind(kind))
            continue
        for listed, part in _parts(rest, kind, item, names):
            if isinstance(part, Related):
                also.append(part)
                for name in (*listed, *waiting):
                    of.setdefault(_name(name, item), _of_kind(kind))
                continue
            for name in (*waiting, *listed):
                of[name] = _joined(of.get(_name(name, item), _of_kind(kind)), part, item)
                said[name] = item.text
        waiting, kind, explicit = [], "real", False
    for name, one in of.items():
        _whole_ends(name, one, items)
    return Ranges(of, tuple(also), said, frozenset(named))


def _plain(item: Piece, letters: Collection[str]) -> Piece:
    """Symbols and signs in TeX as plain text, as long as before so that places stay right."""
    text = _REALS.sub(lambda m: "R".ljust(len(m[0])), item.text)
    text = re.sub(r"\\[{}]", lambda m: m[0][1].rjust(2), text)
    text = _GREEK.sub(lambda m: m[1].rjust(len(m[0])), text)
    text = indexed(text, letters)
    # the letter lambda is a word of Python's
    text = re.sub(r"\blambda\b", "lam", text)
    return Piece(text, item.start, item.ends).stripped()


def _kind(item: Piece) -> tuple[str, Piece]:
    """``integers n`` is an item of its kind; ``n integer`` too."""
    text = re.sub(r"^(all|every|any|each)\s+", "", item.text)
    head = re.match(r"(\w+)\s+(?=[A-Za-z])(.*)", text, re.DOTALL)
    if head and head[1] in KINDS:
        start = item.start + len(item.text) - len(head[2])
        after = _kind(Piece(head[2], start))  # "positive integers n", "real numbers x"
        if after[0] and KINDS[head[1]] in ("real", "positive", "nonnegative"):
            return (KINDS[head[1]] if after[0] == "real" else after[0]), after[1]
        return KINDS[head[1]], Piece(head[2], start)
    tail = re.fullmatch(r"(.*?\w)\s+(?:an?\s+)?(\w+)", text, re.DOTALL)
    if tail and tail[2] in KINDS and _NAME.fullmatch(tail[1].strip()):
        return KINDS[tail[2]], Piece(tail[1], item.start)
    return "", Piece(text, item.start + len(item.text) - len(text))


def _parts(
    rest: Piece, kind: str, item: Piece, known: Symbols
) -> Iterator[tuple[list[str], Range | Related]]:
    """Ranges and further hypotheses that one item says."""
    inside = re.fullmatch(r"(.+?)\s+in\s+(.+)", rest.text, re.DOTALL)
    dots = re.fullmatch(r"(\w+)\s*=\s*(.+)", rest.text, re.DOTALL)
    if dots and (found := _DOTS.fullmatch(dots[2].strip())):
        yield [dots[1]], Range("integer", Fraction(found[1]), Fraction(found[2]))
        return
    if inside:
        name = _NAME.fullmatch(inside[1].strip())
        if name is None:
            raise refusal(item, "a range of one symbol", inside[1], "write x in [0, 1]")
        yield [name[1]], _interval(inside[2].strip(), kind, item)
        return
    for part in sides_of(rest, known):
        names = [_symbol(part.left), _symbol(part.right)]
        values = [written_number(part.left), written_number(part.right)]
        if names[0] and values[1] is not None:
            yield [names[0]], _end_of(part.relation, values[1], kind, item)
        elif names[1] and values[0] is not None:
            turned = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}.get(part.relation, "==")
            yield [names[1]], _end_of(turned, values[0], kind, item)
        else:
            yield [n for n in names if n], part


def _interval(text: str, kind: str, item: Piece) -> Range:
    if text in ("R", "reals", "ℝ"):
        return Range(kind)
    if _SPACE.fullmatch(text):
        return Range("vector")
    if half := _HALF_LINE.fullmatch(text):
        left_out = (half[1] or "").replace(" ", "") in (">0", "++")
        return Range("real", low=Fraction(0), open_low=left_out)
    if found := _DOTS.fullmatch(text):
        return Range("integer", Fraction(found[1]), Fraction(found[2]))
    found = _INSIDE.fullmatch(text)
    if found is None:
        raise refusal(item, "an interval", text, "write [0, 1], (0, 1], (0, inf) or 1..64")
    low, high = _end_value(found[2], item), _end_value(found[3], item)
    return Range(kind, low, high, found[1] == "(", found[4] == ")")


def _end_value(text: str, item: Piece) -> Fraction | None:
    if text.strip().lstrip("+-") in ("inf", "oo", "infinity", "∞"):
        return None
    found = written_number(expression(Piece(text, item.start)))
    if found is None:
        raise refusal(item, "of ends that are numbers", text.strip(), "write numbers such as 1/2")
    return _held(found, item)


def _held(end: Fraction, item: Piece) -> Fraction:
    """The end, if floats reach so far."""
    if abs(end) > float_info.max:
        raise refusal(item, "of ends up to 1e308", "a larger one", "write inf, or other units")
    return end


def _end_of(relation: str, value: Fraction, kind: str, item: Piece) -> Range:
    if relation == "==":
        raise refusal(item, "a range", "one value", "put the number into the claim itself")
    value = _held(value, item)
    if relation in (">", ">="):
        return Range(kind, low=value, open_low=relation == ">")
    return Range(kind, high=value, open_high=relation == "<")


def _joined(old: Range, new: Range, item: Piece) -> Range:
    """Both said of one symbol."""
    if new.kind == "vector":
        return new
    kind = new.kind if new.kind != "real" else old.kind
    made = replace(old, kind=kind)
    if new.low is not None and (old.low is None or new.low >= old.low):
        left_out = new.open_low or (old.open_low and new.low == old.low)
        made = replace(made, low=new.low, open_low=left_out)
    if new.high is not None and (old.high is None or new.high <= old.high):
        left_out = new.open_high or (old.open_high and new.high == old.high)
        made = replace(made, high=new.high, open_high=left_out)
    if made.low is not None and made.high is not None:
        empty = made.low > made.high or (
            made.low == made.high and (made.open_low or made.open_high)
        )
        if empty:
            raise refusal(item, "a range with a number in it", "none", "swap the ends")
    if kind == "vector":
        raise refusal(item, "a vector without a range", "one", "bound its norm after 'given'")
    return made


def _of_kind(kind: str) -> Range:
    if kind in ("positive", "nonnegative"):
        return Range("real", low=Fraction(0), open_low=kind == "positive")
    return Range(kind)


def _whole_ends(name: str, one: Range, items: tuple[Piece, ...]) -> None:
    if one.kind != "integer":
        return
    item = next((i for i in items if re.search(rf"\b{name}\b", i.text)), items[0])
    if one.low is None or one.high is None:
        remedy = f"write integer {name} in [1, 64]: whole numbers are tried one by one"
        raise refusal(item, f"with two ends of the whole number {name}", "fewer", remedy)
    count = floor(one.high) - ceil(one.low) + 1
    if not 0 < count <= MOST_WHOLE:
        limit = f"1 to {MOST_WHOLE} values of the whole number {name}"
        raise refusal(item, f"with {limit}", str(count), "narrow its range")


def is_taken(name: str) -> bool:
    """Whether a name cannot be that of a symbol."""
    return name in TAKEN or keyword.iskeyword(name) or name.startswith("_")


def _name(name: str, item: Piece) -> str:
    if is_taken(name):
        raise refusal(item, "of free names", f"the symbol {name}, which is taken", "rename it")
    return name


def _symbol(node: ast.expr) -> str:
    """Name of a bare symbol, with or without an index."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.id if isinstance(node, ast.Name) else ""


def written_number(node: ast.expr) -> Fraction | None:
    """A number that is written out, ``1/2`` or ``-0.3`` for instance."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        held = not isinstance(node.value, bool) and abs(node.value) < inf
        return Fraction(repr(node.value)) if held else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = written_number(node.operand)
        return inner if inner is None or isinstance(node.op, ast.UAdd) else -inner
    if isinstance(node, ast.BinOp):
        left, right = written_number(node.left), written_number(node.right)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Div):
            return left / right if right else None
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Pow) and right.denominator == 1 and abs(right) <= 64:
            return left**right.numerator if left or right > 0 else None
    return None


def _pair(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if ends is None else (_whole(ends[0]), _whole(ends[1]))


def _whole(value: float) -> float:
    """A float that is a whole number as that number, which is how one types it."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else value


def _outward(end: Fraction, side: int) -> float:
    """The end as a float that leaves no number of the range out."""
    near = float(end)
    inside = near <= end if side < 0 else near >= end
    return near if inside else nextafter(near, side * inf)
