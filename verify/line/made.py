"""All that a line says, as terms and ranges, and the statement that it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod

from bounds.numbers.validate import InvalidInput
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, require_key, statement
from verify.line.grammar.refused import Edit, NotRead, not_read, shown_in
from verify.line.parts import pieces
from verify.line.pieces import Related, refusal, relations
from verify.line.placed import Placed
from verify.line.program import Translator, terms
from verify.line.ranges import MOST_WHOLE, Range, Ranges, is_taken, written_number
from verify.line.solved import Solved, solved
from verify.terms.direct.build import TermFunction, TermSides, number, operation, symbol
from verify.terms.node import Node
from verify.terms.tex import RELATION, tex, tex_name

__all__ = ["SIZES", "Made"]

SIZES = (1, 2, 3)
"""Numbers of entries and of coordinates that are listed; the search goes on to larger ones."""
CONSTANTS = {
    "e": "write exp(x) for e**x",
    "pi": "write a number between two decimals",
    "inf": "write a number",
}
"""Symbols that are read as a constant by most, and that stand for any number only where so said."""


@dataclass
class Made:
    """A line on its way to a statement, or to a file."""

    line: str
    key: str
    name: str = "claim"
    where: str = "the line"
    latex: str = ""
    more: Mapping[str, str] = field(default_factory=dict)
    placed: Placed | None = None
    box: dict[str, Real] = field(default_factory=dict)
    defines: dict[str, Node] = field(default_factory=dict)
    given: list[Hypothesis] = field(default_factory=list)

    def __post_init__(self) -> None:
        require_key("key", self.key)
        self.parts = pieces(self.line)
        with shown_in(self.parts.signs):
            self._read()

    def _read(self) -> None:
        self.random, self.ranges = self.parts.random, self.parts.ranges
        self.hypotheses: list[Related] = [*self.parts.given, *self._chances()]
        claim = self.parts.claim
        if claim.relation in ("<", ">"):
            raise self._strict(claim)
        of = self.ranges.of
        self.whole = {n: r for n, r in of.items() if r.kind == "integer"}
        self.program = Translator(
            frozenset(n for n, r in of.items() if r.kind == "vector"),
            frozenset([*self.whole, *self._counts(of)]),
            {one.name: one for one in self.random},
            None if self.parts.bounded or of else len(self.parts.signs.text),
        )
        self._variables()
        self.left = self._side(claim.left)
        self.right = self._side(claim.right)
        fixed = solved(self.hypotheses, self.program, self.ranges)
        self._symbols(fixed)
        self._ends()
        for one in fixed.rest:
            self._hypothesis(one)
        count = prod(len(one.wholes()) for one in self.whole.values())
        if count > MOST_WHOLE:
            raise InvalidInput(
                f"claim must have at most {MOST_WHOLE} combinations of whole numbers, got {count}: "
                "narrow their ranges."
            )

    def _strict(self, claim: Related) -> NotRead:
        """A claim with a strict relation."""
        start, end, sign = relations(claim.piece.text)[0]
        start, end = start + claim.piece.start, end + claim.piece.start
        return not_read(
            sign,
            start,
            "one of <=, >=, ==",
            f"{sign}, on whose boundary no search can decide",
            f"write {sign}= (and strict relations after 'given')",
            Edit(start, end, f"{sign}="),
        )

    def _chances(self) -> list[Related]:
        """That a chance lies between 0 and 1, where its range does not say so."""
        found = []
        for one in self.random:
            chance = one.chance
            if chance is None:
                continue
            low, high = self._reach(chance)
            if low is not None and high is not None and low >= 0 and high <= 1:
                continue
            found.append(Related(ast.Constant(0), "<=", chance, one.piece))
            found.append(Related(chance, "<=", ast.Constant(1), one.piece))
        return [*found, *self._ends_in_order()]

    def _ends_in_order(self) -> list[Related]:
        """That the lower end of a uniform variable is not above the upper one, unless it shows."""
        found = []
        for one in self.random:
            if one.law != "uniform":
                continue
            (_, below), (above, _) = (self._reach(number) for number in one.numbers)
            if below is None or above is None or below > above:
                found.append(Related(one.numbers[0], "<=", one.numbers[1], one.piece))
        return found

    def _reach(self, number: ast.expr) -> tuple[Fraction | None, Fraction | None]:
        """What a number of a law is at least and at most, as far as it shows."""
        value = written_number(number)
        if value is not None:
            return value, value
        known = self.ranges.of.get(number.id if isinstance(number, ast.Name) else "", Range())
        return known.low, known.high

    def _variables(self) -> None:
        """Symbols of random variables that are free, used, and counts that are whole."""
        trees = [s for c in (self.parts.claim, *self.hypotheses) for s in (c.left, c.right)]
        for one in self.random:
            if is_taken(one.name) or one.name in ("w", "xp", *self.ranges.of):
                raise refusal(one.piece, "of free names", one.name, "rename the random variable")
            if not any(one.name in self.program.drawn_in(tree) for tree in trees):
                remedy = "leave it out, or correct its name"
                raise refusal(one.piece, f"with {one.name} in the claim", "none", remedy)
            for item in one.numbers:
                self.program.piece = one.piece
                self.program.kind(item, ())
            count = one.numbers[0]
            whole = isinstance(count, ast.Constant) and isinstance(count.value, int)
            whole = whole or (isinstance(count, ast.Name) and count.id in self.whole)
            if one.law == "binomial" and not whole:
                remedy = "write integer n in [1, 16]"
                raise refusal(one.piece, "a whole number of coins", ast.unparse(count), remedy)

    def _counts(self, of: Mapping[str, Range]) -> list[str]:
        """N where something has an index, d where there are vectors: numbers of entries."""
        claims = (self.parts.claim, *self.hypotheses)
        trees = [side for one in claims for side in (one.left, one.right)]
        indexed = any(isinstance(n, ast.Subscript) for tree in trees for n in ast.walk(tree))
        vectors = any(one.kind == "vector" for one in of.values())
        return ["N"] * indexed + ["d"] * vectors

    def _side(self, node: ast.expr) -> dict[str, Node]:
        claim = self.parts.claim.piece
        listed: dict[str, Node] = {}
        for summand in terms(node):
            name = ast.unparse(summand)
            while name in listed:
                name += " again"
            listed[name] = self.program.term(summand, claim)
        return listed

    def _symbols(self, fixed: Solved) -> None:
        """The parameters, in the order in which the line names them."""
        for stated in self.hypotheses:  # learns which symbols there are
            for side in (stated.left, stated.right):
                self.program.kind(side, ())
        known = self.program.indexed
        sized = {"N"} if any(known.values()) else set()
        sized |= {"d"} if self.program.vectors else set()
        named = [n for n in known if n not in sized]
        for name in sized & set(self.ranges.of):
            size = "entries of an index" if name == "N" else "coordinates of a vector"
            raise self._refused(name, f"a number other than that of {size}", "rename it")
        for name in named:
            if self.parts.bounded and name not in self.ranges.of and name not in fixed.defines:
                raise self._refused(name, "named after 'for'", f"write it there, or 'real {name}'")
        for name in filter(is_taken, known):
            raise self._refused(name, "under a free name", "rename it, this one is taken")
        for name, meant in CONSTANTS.items():
            if name in known and name not in self.ranges.of:
                raise self._refused(name, "named after 'for'", f"{meant}, or write 'real {name}'")
        for name in self.ranges.of:
            if name not in known:
                raise self._refused(name, "used in the claim", "leave it out, or correct its name")
        self.sizes = sorted(sized)
        self.about = _about(named, self.ranges, self.program)
        self.about = "; ".join([*filter(None, [self.about]), *(d.text for d in self.parts.drawn)])
        for name in named:
            if name in self.whole:
                if known[name]:
                    raise self._refused(name, "without an index", "index real numbers only")
                continue
            if name in fixed.defines:
                self.defines[name] = fixed.defines[name]
                continue
            per = ("N",) * known[name] + (("d",) if name in self.program.vectors else ())
            one = self.ranges.of.get(name, Range())
            self.box[fixed.raw.get(name, name)] = one.real(per)
        self.defines |= fixed.raw_defines
        self.given += fixed.needed

    def _refused(self, name: str, condition: str, remedy: str) -> InvalidInput:
        text = self.parts.signs.text
        place = re.search(rf"(?<![A-Za-z]){name}(?![A-Za-z])", text)
        start = place.start() if place else max(text.find(name), 0)
        edits = []
        if self.parts.bounded and condition == "named after 'for'" and "given" not in text:
            edits = [Edit(len(text), len(text), f"; real {name}")]
        found = f"{name} as it stands"
        return not_read(name, start, f"with {name} {condition}", found, remedy, *edits)

    def _ends(self) -> None:
        """Ends of ranges that the box does not keep: no float, or of a symbol that is defined."""
        for name, one in self.ranges.of.items():
            if one.kind not in ("real", "positive", "nonnegative"):
                continue
            ends = ((one.low, one.open_low, ">"), (one.high, one.open_high, "<"))
            for end, strict, sign in ends:
                if end is None:
                    continue
                if name not in self.defines and float(end) == end:
                    continue
                value = number(end.numerator if end.denominator == 1 else end)
                low, high = (value, symbol(name)) if sign == ">" else (symbol(name), value)
                margin = high if low is number(0) else operation("-", high, low)
                mark = RELATION[sign if strict else f"{sign}="]
                shown = f"{name} {sign}{'' if strict else '='} {end}"
                self._assume(shown, f"{tex_name(name)} {mark} {end}", margin, strict)

    def _hypothesis(self, one: Related) -> None:
        greater = one.relation in (">", ">=")
        large, small = (one.left, one.right) if greater else (one.right, one.left)
        margin: ast.expr = ast.BinOp(large, ast.Sub(), small)
        if one.relation == "==":  # never above zero, and zero where the two are equal
            apart = ast.Call(ast.Name("abs"), [margin], [])
            margin = ast.UnaryOp(ast.USub(), apart)
        shown = f"{ast.unparse(one.left)} {one.relation} {ast.unparse(one.right)}"
        said = f"{tex(one.left)} {RELATION[one.relation]} {tex(one.right)}"
        term = self.program.term(margin, one.piece)
        self._assume(shown, said, term, one.relation in ("<", ">"))

    def _assume(self, name: str, said: str, margin: Node, strict: bool) -> None:
        self.given.append(
            Hypothesis(name, said, TermFunction(margin), where=self.where, strict=strict)
        )

    @property
    def shown(self) -> str:
        """The claim in TeX."""
        claim = self.parts.claim
        return self.latex or f"{tex(claim.left)} {RELATION[claim.relation]} {tex(claim.right)}"

    def statement(self) -> Statement:
        """The statement that the line is."""
        made = statement(
            self.key,
            where=self.where,
            latex=self.shown,
            family=self._family(),
            defines={name: TermFunction(term) for name, term in self.defines.items()},
            given=self.given,
            relation=self.parts.claim.relation,
        )
        return made(TermSides(self.left, self.right))

    def _family(self) -> Family:
        counted: dict[str, Sequence[int]] = {n: one.wholes() for n, one in self.whole.items()}
        counted |= dict.fromkeys(self.sizes, SIZES)
        shapes = tuple(dict(zip(counted, row, strict=True)) for row in product(*counted.values()))
        grow = tuple(self.sizes) if self.whole else None
        return Family(self.box, shapes=shapes, about=self.about, grow=grow, listed=bool(self.whole))


def _about(named: list[str], known: Ranges, program: Translator) -> str:
    """What the symbols are, for the scope of a verdict."""
    said: dict[str, list[str]] = {}
    for name in named:
        one = known.of.get(name, Range())
        shown = name + (
            f"[{', '.join('ijkl'[: program.indexed[name]])}]" if program.indexed[name] else ""
        )
        said.setdefault(_words(one), []).append(shown)
    return "; ".join(text.replace("@", ", ".join(names)) for text, names in said.items())


def _words(one: Range) -> str:
    """A range in words, with ``@`` for the names."""
    if one.kind == "vector":
        return "vectors @"
    prefix = "integer " if one.kind == "integer" else ""
    if one.low is not None and one.high is not None:
        left, right = "(" if one.open_low else "[", ")" if one.open_high else "]"
        return f"{prefix}@ in {left}{one.low}, {one.high}{right}"
    if one.low is not None:
        return f"@ {'>' if one.open_low else '>='} {one.low}"
    if one.high is not None:
        return f"@ {'<' if one.open_high else '<='} {one.high}"
    return "real @"
