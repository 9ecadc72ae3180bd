"""The program of a statement: its functions, and the line that is most likely wrong.

A side that mixes instances or draws random numbers is refused with the line on which it most likely
does.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from verify.claim.statement import Statement

__all__ = ["definitions", "functions_of", "parsed", "plain_function", "suspect_line"]

REDUCTIONS = frozenset(
    (
        "sum",
        "max",
        "min",
        "mean",
        "prod",
        "any",
        "all",
        "sort",
        "argsort",
        "median",
        "std",
        "var",
        "average",
        "argmax",
        "argmin",
        "cumsum",
        "cumprod",
        "ravel",
        "flatten",
        "nansum",
        "nanmax",
        "nanmin",
        "nanmean",
        "quantile",
        "percentile",
        "ptp",
        "unique",
        "amax",
        "amin",
        "norm",
    )
)
"""Functions and methods of numpy that may take the whole array where no axis is named."""

RANDOM = frozenset(("random", "rng", "default_rng", "rand", "randn", "time", "perf_counter"))
"""Names that random or changing numbers come from."""

DEPTH = 3
"""Calls of functions of the same file that are followed."""


def suspect_line(statement: Statement, random: bool = False, kept: str = "") -> str:
    """Place of the fault in the functions of a statement.

    Parameters
    ----------
    statement : Statement
    random : bool
        Whether to look for random numbers instead of reductions without an axis.
    kept : str
        Name of what the functions keep between calls, to look for instead.

    Returns
    -------
    str
        ``file:line`` with the code; the line of the sides' function where nothing stands out.
    """
    suspicious = _is_random if random else _is_reduction
    codes = list(dict.fromkeys(_codes(statement)))
    for code in codes:
        for node, text in _nodes(code):
            if (getattr(node, "id", "") == kept) if kept else suspicious(node):
                return f"{_name(code)}:{node.lineno}, {ast.get_source_segment(text, node)}"
    return f"{_name(codes[0])}:{codes[0].co_firstlineno}" if codes else statement.key


def _codes(statement: Statement) -> Iterator[CodeType]:
    """Code of every function that gives a value, then that of functions that these call."""
    return (plain.__code__ for plain in functions_of(statement))


def functions_of(statement: Statement) -> Iterator[FunctionType]:
    """Every function that gives a value, then those of the same file that these call."""
    level: list[Any] = [statement.sides, *(item.rule for item in statement.given)]
    level += [*statement.defines.values(), statement.delta, statement.family.build]
    for _ in range(DEPTH):
        below: list[Any] = []
        for function in level:
            plain = plain_function(function)
            if plain is None:
                continue
            yield plain
            called = (plain.__globals__.get(name) for name in plain.__code__.co_names)
            below += [f for f in called if _file(f) == plain.__code__.co_filename]
            cells = (cell.cell_contents for cell in plain.__closure__ or ())
            below += [f for f in cells if callable(f)]
        level = below


def plain_function(function: Any) -> Any:
    """The function of Python behind partial ones and decorators, None if there is none."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function) if callable(function) else None
    return function if hasattr(function, "__code__") else None


def definitions(function: FunctionType) -> Iterator[ast.FunctionDef | ast.Lambda]:
    """Definitions in the file that may be this function: several lambdas may share a line."""
    code, tree = function.__code__, parsed(function.__code__.co_filename)[0]
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Lambda):
            if node.lineno == code.co_firstlineno and _compiles_to(node, code):
                yield node
        elif isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            lines = [node.lineno, *(d.lineno for d in node.decorator_list)]
            if min(lines) == code.co_firstlineno:
                yield node


def _compiles_to(node: ast.Lambda, code: CodeType) -> bool:
    made = compile(ast.Expression(node), "", "eval")
    inner = [c for c in made.co_consts if isinstance(c, CodeType)]
    return any((c.co_names, c.co_varnames) == (code.co_names, code.co_varnames) for c in inner)


def _file(function: Any) -> str:
    plain = plain_function(function)
    return "" if plain is None else plain.__code__.co_filename


def _name(code: CodeType) -> str:
    return Path(code.co_filename).name


@functools.cache
def parsed(file: str) -> tuple[ast.AST | None, str]:
    """Syntax tree and text of a file, None where it cannot be read."""
    try:
        text = Path(file).read_text(encoding="utf-8")
        return ast.parse(text), text
    except (OSError, SyntaxError, ValueError):
        return None, ""


def _nodes(code: CodeType) -> Iterator[tuple[ast.expr, str]]:
    """Expressions on the lines of a function, with the text of the file."""
    tree, text = parsed(code.co_filename)
    lines = [line for _, _, line in code.co_lines() if line is not None]
    last = max(lines, default=code.co_firstlineno)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.expr) and code.co_firstlineno <= node.lineno <= last:
            yield node, text


def _is_reduction(node: ast.expr) -> bool:
    """A call such as ``x.sum()`` or ``np.max(x)`` that names no axis or the first one."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    if node.func.attr not in REDUCTIONS or _is_called(owner, ("xp", "w")):
        return False
    positional = node.args[1:] if _is_called(owner, ("np", "numpy")) else node.args
    axis = next((k.value for k in node.keywords if k.arg == "axis"), next(iter(positional), None))
    if axis is None:
        return node.func.attr not in ("sort", "argsort")  # these take the last axis by themselves
    return isinstance(axis, ast.Constant) and axis.value in (0, None)


def _is_called(node: ast.expr, names: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_random(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
    return name in RANDOM
