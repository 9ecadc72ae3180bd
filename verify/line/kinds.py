"""What each piece of a line is, a number or a vector, under which indices it stands.

Each piece of the syntax tree is one of a list; what is not on it is refused.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from verify.line.drawn import Variable
from verify.line.grammar.build import names_in
from verify.line.grammar.refused import Edit, not_read
from verify.line.pieces import Piece, refusal

__all__ = [
    "COUNTS",
    "ELEMENTWISE",
    "EVENTS",
    "MEANS",
    "NORMS",
    "Kinds",
    "Stack",
    "free_indices",
    "indices_of",
    "name_of",
    "ranging_over",
]

ELEMENTWISE = {
    "sqrt": "sqrt",
    "exp": "exp",
    "log": "log",
    "ln": "log",
    "abs": "absolute",
    "sin": "sin",
    "cos": "cos",
    "floor": "floor",
    "ceil": "ceil",
}
NORMS = ("norm", "norm1", "norminf", "dot")
MEANS = {"E": "expectation", "P": "probability"}
"""Means over random variables, of `verify.claim.laws`."""
EVENTS = {ast.LtE: "at_least", ast.GtE: "at_least", ast.Lt: "above", ast.Gt: "above"}
COUNTS = {"factorial": "factorial", "binom": "comb"}
"""Functions of whole numbers, of Python's ``math``."""
KNOWN = (*ELEMENTWISE, "min", "max", *NORMS, "sum_i", "mean_i", "max_i", "min_i", "E", "P", *COUNTS)
_OVER = re.compile(r"(sum|mean|max|min|prod)_([A-Za-z])")

MOST_WRITTEN = 10_000
"""Largest whole number that may stand in an exponent, under n! or at the end of a sum."""
MOST = 1e300
"""Largest number that may be written out: floats end soon after."""

Stack = tuple[str, ...]


@dataclass
class Kinds:
    """Looks at the pieces of one line, and learns on the way which symbols it has.

    Parameters
    ----------
    vectors : frozenset of str
    indexed : mapping
        Filled in: how many indices each symbol has.
    sizes : set of str
        Filled in: N where an index runs, d where there are vectors.
    laws : mapping of str to Variable
        Random variables, which stand under E and P alone.
    ranges_at : int or None
        Where ranges could be written behind a line that has none.
    """

    vectors: frozenset[str]
    whole: frozenset[str] = frozenset()
    laws: Mapping[str, Variable] = field(default_factory=dict)
    ranges_at: int | None = None
    indexed: dict[str, int] = field(default_factory=dict)
    piece: Piece = field(default_factory=lambda: Piece("", 0))
    means: bool = False
    counters: list[str] = field(default_factory=list)

    def kind(self, node: ast.expr, stack: Stack) -> str:
        """``number`` or ``vector``; looks at every piece and refuses what is not known."""
        if isinstance(node, ast.Constant):
            if not isinstance(node.value, int | float) or isinstance(node.value, bool):
                raise self.wrong(node, "of numbers and symbols", repr(node.value), "leave it out")
            if abs(node.value) > MOST:
                found = f"one of {len(repr(node.value))} digits"
                raise self.wrong(node, "of numbers up to 1e300", found, "write a power, 10**300")
            return "number"
        if isinstance(node, ast.Name | ast.Subscript):
            return self._symbol(node, stack)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            return self.kind(node.operand, stack)
        if isinstance(node, ast.BinOp):
            return self._operation(node, stack)
        if isinstance(node, ast.Call):
            return self._call(node, stack)
        found = ast.unparse(node)
        raise self.wrong(node, "of + - * / **, functions and symbols", found, "write it so")

    def _symbol(self, node: ast.Name | ast.Subscript, stack: Stack) -> str:
        name, indices = indices_of(node)
        if name in self.counters and not indices:
            return "number"
        if name in self.laws:
            return self._random(node, str(name), indices)
        if name is None or None in indices:
            found = ast.unparse(node)
            raise self.wrong(node, "of entries by one letter", found, "write x[i] under a sum_i")
        for index in indices:
            if index not in stack:
                remedy = f"put sum_{index} or max_{index} before it"
                raise self.wrong(node, "of bound indices", f"{name}[{index}]", remedy)
        if list(indices) != [i for i in stack if i in indices]:
            remedy = "write the sums in the order of its indices"
            raise self.wrong(node, "of indices in order", ast.unparse(node), remedy)
        known = self.indexed.setdefault(name, len(indices))
        if known != len(indices):
            found = f"{name} with {known} and with {len(indices)}"
            raise self.wrong(node, "of symbols with one number of indices", found, "rename one")
        return "vector" if name in self.vectors else "number"

    def _random(self, node: ast.expr, name: str, indices: Sequence[str | None]) -> str:
        if indices:
            remedy = "write the claim for one client, or the sum as binomial(n, p)"
            raise self.wrong(node, "of random variables without an index", name, remedy)
        if not self.means:
            raise self.wrong(node, f"with {name} under E(...) or P(...)", name, f"write E({name})")
        return "number"

    def _mean(self, node: ast.Call, stack: Stack) -> str:
        """Looks at what stands under E or P."""
        name = name_of(node)
        if len(node.args) != 1:
            raise self.wrong(node, f"{name} of one formula", str(len(node.args)), "write one")
        inside = node.args[0]
        named = self.free_variables(inside)
        if not named and name == "E" and self.drawn_in(inside):
            return self.kind(inside, stack)  # the mean of a mean is that mean
        if not named:
            remedy = "name it after 'for': x ~ coin(p)"
            raise self.wrong(node, f"{name} of a random variable", ast.unparse(node), remedy)
        before, self.means = self.means, True
        try:
            if name == "P":
                self._event(node, inside, named, stack)
            elif self.kind(inside, stack) == "vector":
                raise self.wrong(node, "of means of numbers", ast.unparse(node), "take a norm")
        finally:
            self.means = before
        if name == "E":
            for one in named:
                if self.laws[one].law == "uniform" and not _polynomial(inside, one):
                    remedy = "write the mean out"
                    raise self.wrong(node, f"a polynomial in {one}", ast.unparse(inside), remedy)
        return "number"

    def _event(self, node: ast.Call, inside: ast.expr, named: list[str], stack: Stack) -> None:
        known = isinstance(inside, ast.Compare) and len(inside.ops) == 1
        if not isinstance(inside, ast.Compare) or not known or type(inside.ops[0]) not in EVENTS:
            raise self.wrong(node, "P of one <=, >=, < or >", ast.unparse(node), "write P(x >= t)")
        if "uniform" in {self.laws[one].law for one in named}:
            remedy = "write the probability of the uniform variable out"
            raise self.wrong(node, "P of finitely many outcomes", ast.unparse(node), remedy)
        kinds = {self.kind(side, stack) for side in (inside.left, inside.comparators[0])}
        if "vector" in kinds:
            raise self.wrong(node, "of events of numbers", ast.unparse(node), "take a norm")

    def drawn_in(self, node: ast.expr) -> list[str]:
        """Random variables that a piece names, in the order of their laws."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        return [name for name in self.laws if name in names]

    def free_variables(self, node: ast.expr) -> list[str]:
        """Random variables of a piece that do not stand under a mean of their own."""
        names = _outside_means(node)
        return [name for name in self.laws if name in names]

    def _operation(self, node: ast.BinOp, stack: Stack) -> str:
        left, right = self.kind(node.left, stack), self.kind(node.right, stack)
        if isinstance(node.op, ast.Add | ast.Sub):
            if left != right:
                raise self.wrong(node, "of sums of like things", ast.unparse(node), "take a norm")
            return left
        if isinstance(node.op, ast.Mult):
            if left == right == "vector":
                pair = f"dot({ast.unparse(node.left)}, {ast.unparse(node.right)})"
                remedy = f"write {pair}, or the product of their norms"
                raise self.wrong(
                    node, "of products with a number", ast.unparse(node), remedy,
                    *self._instead(node, pair),
                )  # fmt: skip
            return "vector" if "vector" in (left, right) else "number"
        if isinstance(node.op, ast.Div | ast.Pow):
            if right == "vector" or (left == "vector" and isinstance(node.op, ast.Pow)):
                remedy = "write norm(x)**2 for a squared length"
                raise self.wrong(
                    node, "of powers and quotients of numbers", ast.unparse(node), remedy
                )
            return left
        raise self.wrong(node, "of + - * / and **", ast.unparse(node), "write it with these")

    def _call(self, node: ast.Call, stack: Stack) -> str:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        count = len(node.args)
        over = ranging_over(name)
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise self.wrong(node, "of plain calls", ast.unparse(node), "leave names out")
        if over and count == 3:
            return self._run(node, over[1], stack)
        if over and over[0] == "prod":
            remedy = "write exp(sum_i log(x[i])), or prod_{k=1}^n of a formula in k"
            raise self.wrong(node, "of products over whole numbers", ast.unparse(node), remedy)
        if over:
            if count != 1:
                raise self.wrong(node, f"{name} of one formula", f"{count}", "write one")
            if over[1] in stack:
                remedy = "use another letter"
                raise self.wrong(node, "of indices that are free", f"{over[1]} twice", remedy)
            kind = self.kind(node.args[0], (*stack, over[1]))
            if kind == "vector" and over[0] in ("max", "min"):
                raise self.wrong(node, "of extremes of numbers", ast.unparse(node), "take a norm")
            if over[1] not in free_indices(node.args[0]):
                remedy = f"write an entry such as x[{over[1]}] in it"
                raise self.wrong(node, f"of a {over[0]} over {over[1]}", "none in it", remedy)
            return kind
        if name in MEANS:
            return self._mean(node, stack)
        if name in COUNTS:
            return self._counted(node, name, stack)
        if name not in (*ELEMENTWISE, *NORMS, "min", "max"):
            remedy = f"write * before a bracket, or one of {', '.join(KNOWN)}"
            found = f"{ast.unparse(node.func)}(...)"
            raise self.wrong(node, "of functions that are known", found, remedy)
        kinds = [self.kind(argument, stack) for argument in node.args]
        wanted = 2 if name == "dot" else 1
        if (count < 2) if name in ("min", "max") else count != wanted:
            remedy = "pass two or more" if name in ("min", "max") else f"pass {wanted}"
            raise self.wrong(node, f"{name} of its arguments", str(count), remedy)
        if name in NORMS:
            if name == "norm" and kinds == ["number"]:
                remedy = "write abs(...), or declare vectors: for vectors x, y"
                edits = self._as_vectors(node)
                raise self.wrong(node, "norms of vectors", ast.unparse(node), remedy, *edits)
            if set(kinds) != {"vector"}:
                remedy = "declare them: for vectors x, y"
                edits = self._as_vectors(node)
                raise self.wrong(node, f"{name} of vectors", ast.unparse(node), remedy, *edits)
        elif "vector" in kinds:
            raise self.wrong(node, f"{name} of numbers", ast.unparse(node), "take a norm first")
        return "number"

    def _as_vectors(self, node: ast.Call) -> list[Edit]:
        """Ranges by which the symbols of a norm or product are vectors."""
        names = ", ".join(sorted(names_in(node)))
        at = self.ranges_at
        return [] if at is None else [Edit(at, at, f" for vectors {names}")]

    def _instead(self, node: ast.expr, text: str) -> list[Edit]:
        """A piece in other words."""
        start, end = getattr(node, "col_offset", None), getattr(node, "end_col_offset", None)
        return [] if start is None or end is None else [Edit(start, end, text)]

    def _run(self, node: ast.Call, index: str, stack: Stack) -> str:
        """A sum or product over whole numbers from one to another."""
        body, low, high = node.args
        for end in (low, high):
            self.kind(end, stack)
            if not self.is_whole(end):
                remedy = "write integer n in [1, 16]"
                raise self.wrong(end, "with whole ends of sums", ast.unparse(end), remedy)
        if index in (*self.counters, *self.indexed, *stack):
            raise self.wrong(
                node, "of indices that are free", f"{index} twice", "use another letter"
            )
        self.counters.append(index)
        try:
            if self.kind(body, stack) == "vector":
                raise self.wrong(node, "of sums of numbers", ast.unparse(node), "take a norm")
        finally:
            self.counters.pop()
        return "number"

    def _counted(self, node: ast.Call, name: str, stack: Stack) -> str:
        """``n!`` and binomial coefficients, of whole numbers."""
        wanted = 1 if name == "factorial" else 2
        if len(node.args) != wanted:
            remedy = f"pass {wanted}"
            raise self.wrong(node, f"{name} of its arguments", str(len(node.args)), remedy)
        for argument in node.args:
            self.kind(argument, stack)
            if not self.is_whole(argument):
                found = ast.unparse(argument)
                remedy = f"write integer {found} in [0, 16]" if found.isalnum() else "declare them"
                raise self.wrong(argument, f"{name} of whole numbers", found, remedy)
        return "number"

    def is_whole(self, node: ast.expr) -> bool:
        """Whether a piece is a whole number of moderate size for all values of its symbols."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int) and abs(node.value) <= MOST_WRITTEN
        if isinstance(node, ast.Name):
            return node.id in self.whole or node.id in self.counters
        if isinstance(node, ast.UnaryOp):
            return self.is_whole(node.operand)
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            return False
        number = isinstance(node.left, ast.Constant) or isinstance(node.right, ast.Constant)
        if isinstance(node.op, ast.Mult) and not number:
            return False  # of two symbols it may be large
        return self.is_whole(node.left) and self.is_whole(node.right)

    def wrong(
        self, node: ast.expr, condition: str, found: str, remedy: str, *edits: Edit
    ) -> Exception:
        """Refusal that names the piece, with its place where the node has one."""
        start, end = getattr(node, "col_offset", None), getattr(node, "end_col_offset", None)
        if start is None or end is None:
            return refusal(self.piece, condition, found, remedy, *edits)
        text = self.piece.text[start - self.piece.start : end - self.piece.start]
        return not_read(text or self.piece.text, start, condition, found, remedy, *edits)


def ranging_over(name: str) -> tuple[str, str] | None:
    """``sum_i``: what is done over an index, and its letter."""
    found = _OVER.fullmatch(name)
    return None if found is None else (found[1], found[2])


def name_of(node: ast.Call) -> str:
    """Name of the function that is called; empty of one without."""
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _outside_means(node: ast.AST) -> set[str]:
    """Symbols of a piece that do not stand under a mean within it."""
    if isinstance(node, ast.Call) and name_of(node) in MEANS:
        return set()
    if isinstance(node, ast.Name):
        return {node.id}
    return set().union(*(_outside_means(child) for child in ast.iter_child_nodes(node)), set())


def _polynomial(node: ast.expr, name: str) -> bool:
    """Whether a piece is a polynomial in a variable."""
    if name not in _outside_means(node):
        return True
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.UnaryOp):
        return _polynomial(node.operand, name)
    if not isinstance(node, ast.BinOp):
        return False
    if isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        return _polynomial(node.left, name) and _polynomial(node.right, name)
    power = node.right.value if isinstance(node.right, ast.Constant) else None
    if isinstance(node.op, ast.Pow):
        return isinstance(power, int) and power > 0 and _polynomial(node.left, name)
    divisor = {n.id for n in ast.walk(node.right) if isinstance(n, ast.Name)}
    return isinstance(node.op, ast.Div) and name not in divisor and _polynomial(node.left, name)


def indices_of(node: ast.Name | ast.Subscript) -> tuple[str | None, tuple[str | None, ...]]:
    """Name and indices of a symbol; None for what is no name."""
    if isinstance(node, ast.Name):
        return node.id, ()
    index = node.slice
    inside = index.elts if isinstance(index, ast.Tuple) else [index]
    name = node.value.id if isinstance(node.value, ast.Name) else None
    return name, tuple(one.id if isinstance(one, ast.Name) else None for one in inside)


def free_indices(node: ast.expr) -> set[str]:
    """Indices that a piece names."""
    out: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Subscript):
            out |= {index for index in indices_of(one)[1] if index}
    return out
