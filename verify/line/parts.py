"""A line as data: its claim, its hypotheses, and what it says of each symbol."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from verify.line import moments
from verify.line.cut import Cut, cut
from verify.line.drawn import Variable, drawn
from verify.line.grammar.build import constant, names_in
from verify.line.grammar.names import FUNCTIONS, OVER, Symbols, splittings
from verify.line.grammar.refused import Edit, NotRead, not_read, shown_in
from verify.line.grammar.signs import GREEK, Signs
from verify.line.grammar.tokens import tokens
from verify.line.pieces import Piece, Related, refusal, relations, sides_of
from verify.line.ranges import Range, Ranges, ranges

__all__ = ["Pieces", "pieces"]

_UPPER = re.compile(r"(?:sum|prod)\s*_\s*(?:\{[^}]*\}|\w)\s*\^\s*\{?\s*(\w)\s*\}?(?!\w)")
COUNTED = ("n", "m", "k")
"""Letters that are whole numbers to most readers."""


@dataclass(frozen=True)
class Pieces:
    """What a line says.

    Parameters
    ----------
    signs : Signs
        The line, with the places of its signs.
    claim : Related
    given : tuple of Related
        Hypotheses, also those that a range says beside the ends of its symbol.
    ranges : Ranges
    random : tuple of Variable
        Random variables that have no formula for their means.
    drawn : tuple of Piece
        What the line says of its random variables.
    bounded : bool
        Whether the line lists its symbols.
    """

    signs: Signs
    claim: Related
    given: tuple[Related, ...]
    ranges: Ranges
    random: tuple[Variable, ...]
    drawn: tuple[Piece, ...]
    bounded: bool


def pieces(line: str) -> Pieces:
    """Read a line.

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
    found = cut(line)
    with shown_in(found.signs):
        return _read(found)


def _read(found: Cut) -> Pieces:
    random, items = drawn(found.ranges)
    names = _names(found, ranges(items, found.letters), random)
    made = _claimed(found, names)
    if len(made) != 1:
        remedy = "write one line for each, such as 'a <= b'"
        raise refusal(found.head, "one relation", f"{len(made)}", remedy, *_each(found.head))
    known = ranges(items, found.letters, names)
    given = [*known.also, *(one for item in found.given for one in sides_of(item, names))]
    claim, given = _counted(made[0], given, known, names, items)
    _no_entry_beside([claim, *given])
    _whole_or_real(claim, known, items)
    normal = [one for one in random if one.law == "normal"]
    if normal:
        given += moments.needed(normal, known)
        claim, *given = (moments.without(one, normal, random) for one in (claim, *given))
    _powers_have_a_sign(claim, known, found, given)
    return Pieces(
        found.signs,
        claim,
        tuple(given),
        known,
        tuple(one for one in random if one.law != "normal"),
        tuple(one.piece for one in random),
        found.bounded,
    )


def _each(head: Piece) -> list[Edit]:
    """A chain as one line for each of its relations."""
    signs = relations(head.text)
    ends = [0, *(end for _, end, _ in signs)]
    stops = [*(start for start, _, _ in signs), len(head.text)]
    sides = [head.text[a:b].strip() for a, b in zip(ends, stops, strict=True)]
    last = head.start + len(head.text)
    return [
        Edit(head.start, last, f"{sides[k]} {sign} {sides[k + 1]}")
        for k, (_, _, sign) in enumerate(signs)
    ]


def _claimed(found: Cut, names: Symbols) -> list[Related]:
    """The relations of the claim; what is a function to most can be a number by one more sign."""
    try:
        return list(sides_of(found.head, names))
    except NotRead as error:
        if error.function and not error.edits and not found.bounded and "/" not in found.head.text:
            said = re.sub(
                rf"(?<![A-Za-z]){re.escape(error.function)}\s*\(",
                lambda m: m[0].replace("(", "*("),
                found.head.text,
            )
            end = found.head.start + len(found.head.text)
            error.edits = (Edit(found.head.start, end, said),)
        raise


def _names(found: Cut, rough: Ranges, random: Iterable[Variable]) -> Symbols:
    """What the ranges say of the symbols, before the claim is read."""
    letters = {name for name in rough.of if len(name) == 1 or name in GREEK or name == "lam"}
    declared = frozenset(
        name
        for name in rough.of
        if name in letters or not splittings(name, frozenset(letters)) or name in rough.named
    )
    drawn_names = frozenset(one.name for one in random)
    begin, end = found.signs.typed_span(found.head.start, found.head.start + len(found.head.text))
    in_tex = bool(re.search(r"\\[A-Za-z|]", found.signs.typed[begin:end]))
    texts = [found.head, *found.given]
    alone, standing = set(), set()
    for piece in texts:
        listed = tokens(piece.text, piece.start)
        for k, token in enumerate(listed):
            word = token.text.lstrip("\\")
            if not word.isalnum() or word[0].isdigit() or word in (*FUNCTIONS, *OVER):
                continue
            if k and listed[k - 1].text == "_":
                continue
            behind = listed[k + 1].text if k + 1 < len(listed) else ""
            if word in ("E", "P") and behind in ("(", "["):
                continue
            if len(word) == 1 and behind != "_":
                standing.add(word)
            parts = list(word) if in_tex and token.kind == "word" else [word]
            found_parts = splittings(word, declared | standing)
            parts = found_parts[0] if found_parts else parts
            alone |= set(parts[:-1])
            if behind not in ("(", "["):
                alone.add(parts[-1])
    if found.letters:  # how many entries there are is a number
        alone |= {"N", *_UPPER.findall(found.head.text)}
    return Symbols(
        in_tex=in_tex,
        bounded=found.bounded,
        declared=declared | drawn_names,
        standing=frozenset(standing),
        alone=frozenset("lam" if one == "lambda" else one for one in alone),
        vectors=frozenset(n for n, r in rough.of.items() if r.kind == "vector"),
        whole=frozenset(n for n, r in rough.of.items() if r.kind == "integer"),
        random=drawn_names,
        letters=found.letters,
        end=len(found.signs.text),
    )


def _counted(
    claim: Related, given: list[Related], known: Ranges, names: Symbols, items: tuple[Piece, ...]
) -> tuple[Related, list[Related]]:
    """The number of entries under its one name, N."""
    sizes = names.sizes - {"N"}
    if len(names.sizes) > 1:
        remedy = "use one letter for the number of entries"
        found = ", ".join(sorted(names.sizes))
        raise refusal(claim.piece, "of sums over one number of entries", found, remedy)
    for name in names.sizes & set(known.of):
        one = known.of[name]
        if one.high is not None or (one.low is not None and one.low > 1):
            item = next((i for i in items if re.search(rf"\b{name}\b", i.text)), claim.piece)
            remedy = f"leave its range out: {name} is how many entries there are, any number"
            raise refusal(item, f"of any number {name} of entries", item.text, remedy)
        del known.of[name]
    for stated in (claim, *given):
        for node in (n for side in (stated.left, stated.right) for n in ast.walk(side)):
            if isinstance(node, ast.Name) and node.id in sizes:
                node.id = "N"
    return claim, given


def _no_entry_beside(stated: list[Related]) -> None:
    """Refuse ``x_1`` beside ``x_i``: it may be the first entry, or a symbol of its own."""
    nodes = [n for one in stated for side in (one.left, one.right) for n in ast.walk(side)]
    lists = {
        n.value.id for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)
    }
    for node in nodes:
        mark = re.fullmatch(r"(\w+)_(\d+|N|n)", node.id) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Name) and mark and mark[1] in lists:
            raise not_read(
                node.id,
                getattr(node, "col_offset", 0),
                "of one meaning",
                f"{node.id} beside entries of {mark[1]}",
                f"write another letter if {node.id} is a symbol of its own; one entry alone cannot "
                f"be named: write max_i {mark[1]}_i or min_i {mark[1]}_i",
            )


def _whole_or_real(claim: Related, known: Ranges, items: tuple[Piece, ...]) -> None:
    """``n >= 1``: a real number here, a whole number to most readers."""
    nodes = [n for side in (claim.left, claim.right) for n in ast.walk(side)]
    counted = {name for n in nodes for part in _whole_places(n) for name in names_in(part)}
    exponents = {name for n in nodes for name in _exponent(n)}
    for name, one in known.of.items():
        item = next(
            (i for i in items if re.search(rf"(?<![A-Za-z]){name}(?![A-Za-z])", i.text)), None
        )
        if item is None or one.kind != "real":
            continue
        low, high = one.low, one.high
        whole_ends = (
            low is not None and low.denominator == 1 and (high is None or high.denominator == 1)
        )
        doubtful = name in COUNTED and high is None and name not in known.named
        must = name in counted
        if not (must or (doubtful and whole_ends and (name == "n" or name in exponents))):
            continue
        end = item.start + len(item.text)
        first = int(low or 0) + one.open_low
        said = f"integer {name} in [{first}, {16 if high is None else int(high) - one.open_high}]"
        edits = [Edit(item.start, end, said)] if whole_ends else []
        if must:
            condition, found, remedy = (
                "of whole numbers here",
                f"{name}, any number",
                f"write {said}",
            )
        else:
            condition = "of one meaning"
            found = f"{item.text}, whole numbers to some and all numbers to others"
            remedy = f"write {said}, or real {item.text}"
            edits.append(Edit(item.start, end, f"real {item.text}"))
        raise not_read(item.text, item.start, condition, found, remedy, *edits)


def _whole_places(node: ast.AST) -> list[ast.expr]:
    """What must be a whole number in a call: under n!, and the ends of a sum."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return []
    name = node.func.id
    if name in ("factorial", "binom"):
        return node.args
    return node.args[1:] if name.partition("_")[0] in ("sum", "prod") else []


def _exponent(node: ast.AST) -> set[str]:
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    return names_in(node.right) if power else set()  # type: ignore[attr-defined]


def _powers_have_a_sign(claim: Related, known: Ranges, found: Cut, given: list[Related]) -> None:
    """A power that is not whole needs a base that is not negative."""
    said = {name for one in given for side in (one.left, one.right) for name in names_in(side)}
    for side in (claim.left, claim.right):
        for node in ast.walk(side):
            if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)):
                continue
            if whole_power(node.right, known) or _even_root(node.right):
                continue
            free = {
                name
                for name in names_in(node.left) - said
                if known.of.get(name, Range()) == Range()
            }
            if not free or not _may_be_negative(node.left, known):
                continue
            start = getattr(node, "col_offset", claim.piece.start)
            end = getattr(node, "end_col_offset", start + 1)
            place = found.signs.text[start:end]
            listed = ", ".join(sorted(free))
            exponent = sorted(names_in(node.right))
            edits = (
                []
                if found.bounded
                else [Edit(len(found.signs.text), len(found.signs.text), f" for {listed} >= 0")]
            )
            if exponent or known.of:
                edits = []
            raise not_read(
                place,
                start,
                "with a base of at least 0 under a power that is not whole",
                f"{listed} of any sign",
                f"write {listed} >= 0 after 'for'",
                *edits,
            )


def _even_root(node: ast.expr) -> bool:
    """Whether an exponent is one of a square root, whose domain nobody doubts."""
    value = constant(node)
    return value is not None and Fraction(value).limit_denominator(1000).denominator % 2 == 0


def whole_power(node: ast.expr, known: Ranges) -> bool:
    """Whether an exponent is a whole number for all values of its symbols."""
    value = constant(node)
    if value is not None:
        return value == int(value) if abs(value) < 1e15 else True
    if isinstance(node, ast.Name):
        return (
            node.id in ("N", "d")
            or known.of.get(node.id, Range()).kind == "integer"
            or not known.of.get(node.id)
        )
    if isinstance(node, ast.UnaryOp):
        return whole_power(node.operand, known)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        return whole_power(node.left, known) and whole_power(node.right, known)
    return False


def _may_be_negative(node: ast.expr, known: Ranges) -> bool:
    """False where the ranges show that a formula is at least 0."""
    if isinstance(node, ast.Constant):
        return bool(node.value < 0)  # type: ignore[operator]
    if isinstance(node, ast.Name | ast.Subscript):
        name = node.id if isinstance(node, ast.Name) else getattr(node.value, "id", "")
        low = known.of.get(name, Range()).low
        return name not in ("N", "d") and (low is None or low < 0)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            value = constant(node.right)
            even = value is not None and value == int(value) and int(value) % 2 == 0
            return not even and _may_be_negative(node.left, known)
        if isinstance(node.op, ast.Sub):
            return True
        return _may_be_negative(node.left, known) or _may_be_negative(node.right, known)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name in ("abs", "sqrt", "exp", "norm", "norm1", "norminf", "factorial", "binom", "P"):
            return False
        if name == "E" or name.partition("_")[0] in OVER:
            return _may_be_negative(node.args[0], known)
    return True
