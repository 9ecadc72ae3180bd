"""A line as data: its claim, its hypotheses, and what it says of each symbol."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

from verify.line import moments
from verify.line.cut import Cut, cut
from verify.line.doubts import (
    factors_have_a_sign,
    no_entry_beside,
    powers_have_a_sign,
    where_it_has_values,
    whole_or_real,
)
from verify.line.drawn import Variable, drawn
from verify.line.grammar.build import names_in
from verify.line.grammar.names import FUNCTIONS, OVER, Symbols, splittings
from verify.line.grammar.refused import Edit, NotRead, shown_in
from verify.line.grammar.signs import GREEK, Signs
from verify.line.grammar.tokens import tokens
from verify.line.pieces import Piece, Related, refusal, relations, sides_of
from verify.line.ranges import Ranges, ranges

__all__ = ["Pieces", "pieces"]

_UPPER = re.compile(r"(?:sum|prod)\s*_\s*(?:\{[^}]*\}|\w)\s*\^\s*\{?\s*(\w)\s*\}?(?!\w)")


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
    no_entry_beside([claim, *given], frozenset(known.of))
    whole_or_real(claim, known, items, found.bounded)
    normal = [one for one in random if one.law == "normal"]
    if normal:
        given += moments.needed(normal, known)
        claim, *given = (moments.without(one, normal, random) for one in (claim, *given))
        _without_unused([claim, *given], normal, known)
    powers_have_a_sign(claim, known, found, given)
    factors_have_a_sign(claim, known, found, given)
    given += where_it_has_values(claim, known, given, frozenset(one.name for one in random))
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
        if (
            error.function
            and not error.edits
            and not found.bounded
            and not re.search(r"/|\\nabla|'", found.head.text)
        ):
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


def _without_unused(stated: list[Related], normal: list[Variable], known: Ranges) -> None:
    """Forget symbols of normal laws that no mean depends on: s in E[x] for x ~ N(0, s)."""
    used = {name for one in stated for side in (one.left, one.right) for name in names_in(side)}
    for name in {name for one in normal for number in one.numbers for name in names_in(number)}:
        if name not in used:
            known.of.pop(name, None)
