"""The file that a line stands for, and the statement that it holds."""

from __future__ import annotations

import ast
import hashlib
import json
import linecache
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.claim.statement import Statement, require_key
from verify.line.drawn import LAWS
from verify.line.grammar.refused import Edit, NotRead, not_read, shown_in
from verify.line.parts import pieces
from verify.line.pieces import Related, refusal, relations
from verify.line.placed import Placed
from verify.line.program import COUNTS, MEANS, Translator, terms
from verify.line.ranges import MOST_WHOLE, Range, Ranges, is_taken, written_number
from verify.line.solved import Solved, solved
from verify.terms.tex import RELATION, tex, tex_name

__all__ = ["file_text", "module_text", "one_line", "record_text"]

SIZES = (1, 2, 3)
"""Numbers of entries and of coordinates that are listed; the search goes on to larger ones."""
CONSTANTS = {
    "e": "write exp(x) for e**x",
    "pi": "write a number between two decimals",
    "inf": "write a number",
}
"""Symbols that are read as a constant by most, and that stand for any number only where so said."""
WIDTH = 88
"""Columns of a line of the file before an argument goes on a line of its own."""


@lru_cache(maxsize=64)
def one_line(line: str, key: str = "line.claim") -> Statement:
    """Statement of a claim in one line.

    Parameters
    ----------
    line : str
        ``CLAIM [for RANGES] [given HYPOTHESES]``: two sides with ``<=``, ``>=`` or ``==`` between
        them; ``x, y >= 0``, ``x in (0, 1]``, ``integer n in [1, 64]``, ``vectors u, v``; hypotheses
        with commas between them. Symbols without a range are real numbers, where there is no
        ``for``; else each symbol must stand there.
    key : str
        Key of the statement.

    Returns
    -------
    Statement

    Raises
    ------
    InvalidInput
        Where the line cannot be read, with the place and what to write instead.

    Examples
    --------
    >>> one_line("4*x*y <= (x+y)**2").family.about
    'real x, y'
    """
    text = module_text(line, key)
    name = f"fedassay_line_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    file = f"<{name}>"
    # its text is found again by all that reads the source of a statement
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": name}
    exec(compile(text, file, "exec"), space)
    made: Statement = space["claim"]
    return made


def module_text(line: str, key: str = "line.claim") -> str:
    """The file that one would have written for a line by hand; parameters as :func:`one_line`."""
    try:
        return file_text(" ".join(line.split()), [_Made(line, key).record()])
    except NotRead as error:
        error.propose([one for said in error.proposals for one in _readable(said)])
        raise
    except (RecursionError, MemoryError) as error:  # of Python's own reader too
        raise InvalidInput(
            f"claim must be of fewer brackets within brackets, got {len(line)} characters: write "
            "it as a file, fedassay new NAME."
        ) from error


def _readable(line: str, deep: int = 3) -> list[str]:
    """A proposal that is read; in place of one that is not, what its own refusal proposes."""
    try:
        _Made(line, "line.claim").record()
    except NotRead as error:
        return [] if deep == 0 else [one for x in error.proposals for one in _readable(x, deep - 1)]
    except (InvalidInput, RecursionError, MemoryError):
        return []
    return [line]


@dataclass
class _Made:
    """A line on its way to a file."""

    line: str
    key: str
    name: str = "claim"
    where: str = "the line"
    latex: str = ""
    more: Mapping[str, str] = field(default_factory=dict)
    placed: Placed | None = None
    box: dict[str, str] = field(default_factory=dict)
    defines: dict[str, str] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)

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
            for number in one.numbers:
                self.program.piece = one.piece
                self.program.kind(number, ())
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

    def _side(self, node: ast.expr) -> str:
        claim = self.parts.claim.piece
        listed: dict[str, str] = {}
        for term in terms(node):
            name = ast.unparse(term)
            while name in listed:
                name += " again"
            listed[name] = self.program.text(term, claim)
        return "{" + ", ".join(f"{_quoted(k)}: {v}" for k, v in listed.items()) + "}"

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
        for name, text in fixed.raw_defines.items():
            self.defines[name] = text
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
            inexact = not one.exact
            if name not in self.defines and not inexact:
                continue
            symbol = f"w.{name}"
            ends = ((one.low, one.open_low, ">"), (one.high, one.open_high, "<"))
            for end, strict, sign in ends:
                if end is None:
                    continue
                if name not in self.defines and float(end) == end:
                    continue
                number = _fraction(end)
                low, high = (number, symbol) if sign == ">" else (symbol, number)
                margin = high if low == "0" else f"{high} - {low}"
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
        text = self.program.text(margin, one.piece)
        self._assume(shown, said, text, one.relation in ("<", ">"))

    def _assume(self, name: str, said: str, margin: str, strict: bool) -> None:
        strictly = ", strict=True" if strict else ""
        self.given.append(
            f"Hypothesis({_quoted(name)}, {_raw(said)}, lambda w: {margin}, "
            f"where={_quoted(self.where)}{strictly})"
        )

    def _shapes(self) -> str:
        """Whole numbers and sizes, small ones first; empty where there are none."""
        count = prod(len(one.wholes()) for one in self.whole.values())
        if count > MOST_WHOLE:
            raise InvalidInput(
                f"claim must have at most {MOST_WHOLE} combinations of whole numbers, got {count}: "
                "narrow their ranges."
            )
        names = [*self.whole, *self.sizes]
        row = ", ".join(f"{_quoted(name)}: {name}" for name in names)
        runs = [
            f"for {n} in range({w[0]}, {w[-1] + 1})"
            for n, w in ((n, one.wholes()) for n, one in self.whole.items())
        ]
        runs += [f"for {name} in {SIZES}" for name in self.sizes]
        return f"tuple({{{row}}} {' '.join(runs)})" if names else ""

    def record(self) -> str:
        """The decorated function of the sides."""
        claim = self.parts.claim
        said = f"{tex(claim.left)} {RELATION[claim.relation]} {tex(claim.right)}"
        shapes = self._shapes()
        box = _listed("{", [f"{_quoted(k)}: {v}" for k, v in self.box.items()], "}")
        family = [box, *([f"shapes={shapes}"] if shapes else []), f"about={_quoted(self.about)}"]
        family += [f"grow={tuple(self.sizes)!r}", "listed=True"] if self.whole else []
        builder, defines = "Family", self.defines
        if self.placed is not None:
            builder, family = "functions", self.placed.family(self.box)
            defines = {**self.placed.defines([*self.box]), **self.defines}
        body = [
            f"    {_quoted(self.key)},",
            f"    where={_quoted(self.where)},",
            *(f"    {name}={_quoted(value)}," for name, value in self.more.items() if value),
            f"    latex={_raw(self.latex or said)},",
            f"    family={_listed(f'{builder}(', family, ')')},",
        ]
        if defines:
            items = [f"{_quoted(k)}: lambda w: {v}" for k, v in defines.items()]
            body.append(f"    defines={_listed('{', items, '}')},")
        if self.given:
            body.append(f"    given={_listed('[', self.given, ']')},")
        body.append(f"    relation={_quoted(claim.relation)},")
        text = "\n".join(body)
        sides = f"    return {self.left}, {self.right}"
        if len(sides) > WIDTH:
            sides = f"    left = {self.left}\n    right = {self.right}\n    return left, right"
        return f"@statement(\n{text}\n)\ndef {self.name}(w):\n{sides}\n"


def file_text(about: str, records: Sequence[str]) -> str:
    """A file of records, with what they import."""
    text = "\n\n".join(records)
    names = [n for n in ("Family", "Hypothesis", "Real", "Source", "Statement") if f"{n}(" in text]
    names += ["statement"] * ("@statement(" in text)
    used = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
    names += sorted(used & {*LAWS, *MEANS.values(), "functions", "placed"})
    counts = sorted(used & {*COUNTS.values(), "prod"}) + ["inf"] * bool(
        re.search(r"[ (-]inf\b", text)
    )
    needed = f"from math import {', '.join(counts)}\n\n" if counts else ""
    generic = "from bounds import generic as xp\n" if "xp." in text else ""
    head = f"{needed}{generic}from verify import {', '.join(sorted(names, key=_isort))}"
    return f'"""{_quoted(about)[1:-1]}"""\n\n{head}\n\n\n{text}'


def _isort(name: str) -> tuple[bool, str]:
    """Classes before functions, as formatters list names."""
    return not name[0].isupper(), name


def record_text(
    line: str,
    key: str,
    name: str,
    *,
    where: str,
    latex: str,
    more: Mapping[str, str],
    placed: Placed | None = None,
) -> str:
    """The record of a line that stands in a paper.

    Parameters
    ----------
    line, key : str
        As for :func:`one_line`.
    name : str
        Of the function.
    where, latex : str
        Place, and the claim as it is printed there.
    more : mapping of str to str
        Further fields: kind, title, note.
    placed : Placed, optional
        Of a claim on all functions of a class: which symbols are what they say at its points.
    """
    return _Made(line, key, name, where, latex, more, placed).record()


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


def _fraction(value: Any) -> str:
    return str(value) if value.denominator == 1 else f"({value.numerator} / {value.denominator})"


def _listed(start: str, items: list[str], end: str) -> str:
    """A list on one line, or an item a line."""
    flat = f"{start}{', '.join(items)}{end}"
    if len(flat) <= WIDTH - 20:
        return flat
    inner = [item.replace("\n", "\n    ") for item in items]
    return f"{start}\n" + "".join(f"        {item},\n" for item in inner) + f"    {end}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _raw(text: str) -> str:
    good = '"' not in text and "\n" not in text and not text.endswith("\\")
    return f'r"{text}"' if good else _quoted(text)
