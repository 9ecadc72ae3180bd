"""Formulas of a statement's own program, with names and with the numbers put in.

What an author has written as ``{"product": 5 * w.x * w.y}`` is read back from the source, so that a
hand computation shows ``5*x*y = 5*1*1`` and not only its value.  Whatever is more than arithmetic
(a run, an entry of an array, a function of the author's) stands there by its text, and as a number
by its value.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.claim.program import definitions, plain_function
from verify.ledger.shown import value_tex
from verify.ledger.witness import show

__all__ = ["Formula", "Program", "program"]

Number = Callable[[ast.expr], Any]
"""Value of a piece of the program, a scalar; None where it has no single one."""

SUM, PRODUCT, SIGN, POWER, ATOM = range(5)
"""How tightly a piece is bound, loose ones first."""

OPERATORS: Mapping[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", SUM),
    ast.Sub: (" - ", SUM),
    ast.Mult: ("*", PRODUCT),
    ast.Div: ("/", PRODUCT),
    ast.Pow: ("^", POWER),
}

GREEK = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "eta",
    "theta",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "rho",
    "sigma",
    "tau",
    "phi",
    "psi",
    "omega",
    "Lambda",
    "Sigma",
    "Delta",
)


@dataclass(frozen=True)
class Formula:
    """One formula, with names and with numbers, as text and in TeX; empty where there is none."""

    text: str = ""
    numbers: str = ""
    tex: str = ""
    numbers_tex: str = ""


@dataclass(frozen=True)
class Program:
    """What the function of both sides does: names that it gives to pieces, then the terms."""

    world: str
    steps: tuple[tuple[str, ast.expr] | ast.stmt, ...]
    terms: tuple[Mapping[str, ast.expr], Mapping[str, ast.expr]]
    function: Any
    bound: Mapping[str, Any]  # arguments other than the world: the reading, an option

    def formula(self, node: ast.expr, number: Number) -> Formula:
        """A piece with names and with numbers.

        Parameters
        ----------
        node : ast.expr
        number : callable
            Value of a piece, None where it has no single one; the numbers are then left out.
        """
        plain, tex = _Writer(self, None, False), _Writer(self, None, True)
        out = Formula(plain.write(node)[0], "", tex.write(node)[0], "")
        try:
            filled = [_Writer(self, number, style).write(node)[0] for style in (False, True)]
        except LookupError:
            return out
        return Formula(out.text, filled[0], out.tex, filled[1])

    def evaluated(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """Value of a piece, with values for the world and for the names given before."""
        return eval(compile(ast.Expression(node), "<formula>", "eval"), self._space(names))

    def executed(self, line: ast.stmt, names: Mapping[str, Any]) -> dict[str, Any]:
        """Names after a line that is more than one name for one piece (a loop, two names)."""
        space = self._space(names)
        before = dict(space)
        exec(compile(ast.Module([line], []), "<formula>", "exec"), space)
        new = {k: v for k, v in space.items() if k not in before or before[k] is not v}
        return {**names, **{k: v for k, v in new.items() if k != "__builtins__"}}

    def _space(self, names: Mapping[str, Any]) -> dict[str, Any]:
        inner = inspect.getclosurevars(self.function)
        return {**self.function.__globals__, **inner.nonlocals, **self.bound, **names}


def program(function: Any) -> Program | None:
    """The program behind a function of both sides, None where it returns in several places."""
    plain = plain_function(function)
    made, bound = None if plain is None else _definition(plain), _bound(function)
    if made is None:
        return None
    worlds = [argument.arg for argument in made.args.args if argument.arg not in bound]
    if len(worlds) != 1:
        return None
    lines = [ast.Return(made.body)] if isinstance(made, ast.Lambda) else made.body
    body = [line for line in lines if not _is_comment(line)]
    steps = tuple(map(_step, body[:-1]))
    if any(isinstance(node, ast.Return) for line in body[:-1] for node in ast.walk(line)):
        return None
    last = body[-1] if body else None
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Tuple):
        return None
    given = dict(step for step in steps if isinstance(step, tuple))
    sides = [_named(given.get(ast.unparse(side), side)) for side in last.value.elts]
    if len(sides) != 2 or sides[0] is None or sides[1] is None:
        return None
    return Program(worlds[0], steps, (sides[0], sides[1]), plain, bound)


def _definition(plain: Any) -> ast.FunctionDef | ast.Lambda | None:
    """The definition of a function, None where it cannot be read."""
    if plain.__name__ == "<lambda>":
        found = list(definitions(plain))
        return found[0] if len(found) == 1 else None
    try:
        made = ast.parse(textwrap.dedent(inspect.getsource(plain))).body[0]
    except (OSError, SyntaxError, ValueError):
        return None
    return made if isinstance(made, ast.FunctionDef) else None


def _bound(function: Any) -> dict[str, Any]:
    """Arguments that partial functions hold by name."""
    if not isinstance(function, functools.partial):
        return {}
    return {**_bound(function.func), **function.keywords}


class _Writer:
    """Writes a piece; with ``number`` every name is replaced by its value."""

    def __init__(self, program: Program, number: Number | None, tex: bool) -> None:
        self.program, self.number, self.tex = program, number, tex

    def write(self, node: ast.expr) -> tuple[str, int]:
        """Text and how tightly it is bound."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return _number(Fraction(str(node.value)), self.tex)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return f"-{self._inside(node.operand, SIGN)}", SIGN
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return self._operation(node)
        called = _arithmetic(node)
        if called is not None:
            inner = ", ".join(self.write(argument)[0] for argument in called[1])
            return self._function(called[0], inner), ATOM
        return self._leaf(node)

    def _operation(self, node: ast.BinOp) -> tuple[str, int]:
        sign, bound = OPERATORS[type(node.op)]
        if self.tex and isinstance(node.op, ast.Div):
            return rf"\frac{{{self.write(node.left)[0]}}}{{{self.write(node.right)[0]}}}", ATOM
        if isinstance(node.op, ast.Pow):
            base = self._inside(node.left, ATOM)
            if self.tex:
                return f"{base}^{{{self.write(node.right)[0]}}}", POWER
            return f"{base}^{self._inside(node.right, ATOM)}", POWER
        # what is subtracted or divided by must not fall apart
        tight = bound + 1 if isinstance(node.op, ast.Sub | ast.Div) else bound
        right = self._inside(node.right, max(tight, PRODUCT))
        if right.startswith("-"):
            right = self._braced(right)
        if self.tex and isinstance(node.op, ast.Mult):
            sign = r" \cdot " if right[0].isdigit() or self.number is not None else r"\,"
        return f"{self._inside(node.left, bound)}{sign}{right}", bound

    def _inside(self, node: ast.expr, least: int) -> str:
        text, bound = self.write(node)
        return text if bound >= least else self._braced(text)

    def _braced(self, text: str) -> str:
        return rf"\left({text}\right)" if self.tex else f"({text})"

    def _function(self, name: str, inner: str) -> str:
        if not self.tex:
            return f"{name}({inner})"
        if name == "sqrt":
            return rf"\sqrt{{{inner}}}"
        return rf"\mathrm{{{name}}}".replace("_", r"\_") + rf"\left({inner}\right)"

    def _leaf(self, node: ast.expr) -> tuple[str, int]:
        if self.number is not None:
            value = self.number(node)
            if value is None:
                raise LookupError(ast.unparse(node))
            return _number(value, self.tex)
        text = ast.unparse(node).replace(f"{self.program.world}.", "")
        return (_name(text) if self.tex else text), ATOM


def _number(value: Any, tex: bool) -> tuple[str, int]:
    text = value_tex(value) if tex else show(value).partition(" = ")[0].partition(" (")[0]
    bound = SIGN if text.startswith("-") else ATOM
    if not tex and "/" in text:
        bound = PRODUCT
    return text, SUM if "pm" in text or "+/-" in text else bound


def _name(text: str) -> str:
    head, digits = text.rstrip("0123456789"), text[len(text.rstrip("0123456789")) :]
    if text.isidentifier():
        if head in GREEK:
            return rf"\{head}" + (f"_{{{digits}}}" if digits else "")
        if len(head) == 1:
            return head + (f"_{{{digits}}}" if digits else "")
    return rf"\mathrm{{{_escaped(text)}}}"


def _escaped(text: str) -> str:
    kept = "".join(c if c.isalnum() or c in "_.,()[]:+-*/= " else "." for c in text)
    return kept.replace("_", r"\_").replace(" ", r"\ ")


def _step(line: ast.stmt) -> tuple[str, ast.expr] | ast.stmt:
    """Name and piece of a plain assignment, other lines as they are."""
    if isinstance(line, ast.Assign) and len(line.targets) == 1:
        (target,) = line.targets
        if isinstance(target, ast.Name):
            return target.id, line.value
    return line


def _named(node: ast.expr) -> dict[str, ast.expr] | None:
    """A dict with literal names."""
    if not isinstance(node, ast.Dict):
        return None
    keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
    if any(not isinstance(key, str) for key in keys):
        return None
    return {str(key): value for key, value in zip(keys, node.values, strict=True)}


def _arithmetic(node: ast.expr) -> tuple[str, list[ast.expr]] | None:
    """Name and arguments of a call such as ``xp.sqrt(x)``."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else ""
    if name in ("sqrt", "log", "exp", "maximum", "minimum", "absolute", "floor", "ceil"):
        return name, node.args
    return None


def _is_comment(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
