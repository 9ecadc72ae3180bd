"""Decimal literals of a statement's own functions, read as the rational numbers that they say.

An author writes ``0.3 * w.x`` and means three tenths.  In floats that is what it is, up to
rounding; among fractions the float would make everything after it inexact, and a comparison with
it false.  So in a world of exact numbers a function is evaluated with every decimal literal as a
fraction, every quotient of two integers as one, and a power of one half as a root.  Floats that
come from elsewhere (``math.pi``, a function of numpy) stay what they are: nobody can say which
exact number they stand for.
"""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import linecache
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.generic import sqrt

if TYPE_CHECKING:
    from verify.world.world import World

__all__ = ["exact_literals", "first_float", "number_written", "numbers_in"]

Rule = Callable[["World"], Any]

FEATURES = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
"""Flags of a code that say under which features of later versions it was compiled."""

PLAIN = 10**6
"""Largest denominator of a quotient that a float is read as."""

DEPTH = 3
"""Calls of functions of the same file that are followed."""


@functools.lru_cache(maxsize=8192)
def exact_literals(function: Rule) -> Rule:
    """The function, with its literals and quotients as fractions among exact numbers.

    Parameters
    ----------
    function : callable
        Of the world: sides, a margin, a definition, a level; a partial one has the world as its
        last argument without a name.

    Returns
    -------
    callable
        The same object where it is no plain function of Python.
    """
    if isinstance(function, functools.partial):
        whole = exact_literals(function.func)
        same = whole is function.func
        return function if same else functools.partial(whole, *function.args, **function.keywords)
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return function

    @functools.wraps(function)
    def value(*arguments: Any, **named: Any) -> Any:
        world: World = arguments[-1]
        if getattr(type(world), "traces", False):  # what is traced is evaluated on all numbers
            return world.traced(function, _twin)(*arguments, **named)
        # a comparison with a float, or a ball or a symbol made of one, leaves no trace of it
        twin = _twin(function) if world.number != "float64" else None
        return (function if twin is None else twin)(*arguments, **named)

    return value


def first_float(value: Any) -> float | None:
    """A float inside numbers, arrays, and tuples and mappings of them; None if there is none."""
    if isinstance(value, float | np.floating):
        return float(value)
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            return float(value.flat[0]) if value.size else None
        items: Iterator[Any] = iter(value.flat) if value.dtype == object else iter(())
    elif isinstance(value, Mapping):
        items = iter(value.values())
    elif isinstance(value, tuple | list):
        items = iter(value)
    else:
        return None
    return next((found for found in map(first_float, items) if found is not None), None)


def numbers_in(function: Any, depth: int = DEPTH) -> frozenset[Fraction]:
    """Numbers that stand in a function, in what it defines, and in functions of its file it calls.

    A quotient of two integers is folded into a float before anybody sees it; it is read as the
    fraction of small numbers that has this float.

    Parameters
    ----------
    function : callable
    depth : int
        Calls that are followed.
    """
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if not isinstance(function, FunctionType):
        return frozenset()
    code = function.__code__
    found = {number for c in _whole_code(code) for number in map(number_written, c.co_consts)}
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # of a name that has no value yet
            found.add(number_written(cell.cell_contents))
    for name in code.co_names if depth else ():
        value = function.__globals__.get(name)
        found.add(number_written(value))
        if getattr(getattr(value, "__code__", None), "co_filename", None) == code.co_filename:
            found |= numbers_in(value, depth - 1)
    return frozenset(number for number in found if number is not None)


def _whole_code(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in _inside(code):
        yield from _whole_code(inner)


def number_written(value: Any) -> Fraction | None:
    """A plain number as the fraction that it was written as; None of anything else."""
    if type(value) is int or isinstance(value, Fraction):
        return Fraction(value)
    if type(value) is not float or not np.isfinite(value):
        return None
    near = Fraction(value).limit_denominator(PLAIN)
    return near if float(near) == value else Fraction(repr(value))


def _inside(code: CodeType) -> list[CodeType]:
    return [c for c in code.co_consts if isinstance(c, CodeType)]


def _quotient(left: Any, right: Any) -> Any:
    whole = (int, np.integer)
    if isinstance(left, whole) and isinstance(right, whole):
        return Fraction(int(left), int(right))
    return left / right


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Fraction) and exponent.denominator == 2:
        return sqrt(base) ** exponent.numerator
    whole = isinstance(base, int) and isinstance(exponent, int) and exponent < 0
    return Fraction(base) ** exponent if whole else base**exponent


_ADDED: dict[str, Any] = {
    "_fedassay_decimal": Fraction,
    "_fedassay_quotient": _quotient,
    "_fedassay_power": _power,
}


class _Exact(ast.NodeTransformer):
    """Decimal literals become fractions, divisions exact ones."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if type(node.value) is not float or not np.isfinite(node.value):
            return node
        # the shortest text of a float is the literal that it was read from
        return _call("_fedassay_decimal", ast.Constant(repr(node.value)))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Pow):
            name = "quotient" if isinstance(node.op, ast.Div) else "power"
            return _call(f"_fedassay_{name}", node.left, node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Pow) and isinstance(node.target, ast.Name):
            name = "quotient" if isinstance(node.op, ast.Div) else "power"
            old = ast.Name(node.target.id, ast.Load())
            made = ast.Assign([node.target], _call(f"_fedassay_{name}", old, node.value))
            return ast.copy_location(made, node)
        return node


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _twin(function: Any, depth: int = DEPTH) -> Any:
    """The function with exact literals; None where its source cannot be found.

    Functions of the same file that it calls have exact literals too. It is put together anew for
    each call, since names of the file and of enclosing functions may have got other values.
    """
    if not isinstance(function, FunctionType):
        return None
    code = _exact_code(function.__code__, function.__code__.co_filename)
    if code is None:
        return None

    def helper(value: Any) -> Any:
        here = getattr(getattr(value, "__code__", None), "co_filename", None)
        same = depth and here == function.__code__.co_filename
        return (_twin(value, depth - 1) or value) if same else value

    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(CellType(helper(cells[name].cell_contents)) for name in code.co_freevars)
    space = {**function.__globals__, **_ADDED}
    space |= {name: helper(space[name]) for name in code.co_names if name in space}
    return FunctionType(code, space, function.__name__, function.__defaults__, closure)


@functools.lru_cache(maxsize=512)
def _exact_code(code: CodeType, file: str) -> CodeType | None:
    """Code with exact literals, from the text that the code was made of."""
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file))
    try:
        # what stands in the file now may be another text than the one that was run
        flags = code.co_flags & FEATURES
        if not _holds(compile(text, file, "exec", flags, dont_inherit=True), code):
            return None
        node = _node(ast.parse(text), code)
    except (SyntaxError, ValueError, RecursionError):
        return None
    free = code.co_freevars
    made = None if node is None else _compiled(_Exact().visit(node), free, file)
    return None if made is None or set(made.co_freevars) - set(free) else made


def _holds(whole: CodeType, code: CodeType) -> bool:
    """Whether a code is one of those inside another."""
    return whole == code or any(_holds(inner, code) for inner in _inside(whole))


def _compiled(
    node: ast.Lambda | ast.FunctionDef, free: tuple[str, ...], file: str
) -> CodeType | None:
    """Code of a function inside another one, whose arguments are its free names."""
    if isinstance(node, ast.FunctionDef):
        # under its own name a recursive function would find this copy inside the outer one
        node.name, node.decorator_list, node.returns = "_fedassay_inner", [], None
        for argument in node.args.args:
            argument.annotation = None
        body: list[ast.stmt] = [node]
    else:
        body = [ast.Return(node)]
    outer = ast.parse(f"def _fedassay_outer({', '.join(free)}): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = body
    module = ast.fix_missing_locations(ast.Module([outer], []))
    return _inner(compile(module, file, "exec"))


def _inner(module: CodeType) -> CodeType | None:
    """Code of the function inside the outer one."""
    return next((c for outer in _inside(module) for c in _inside(outer)), None)


def _node(tree: ast.Module, code: CodeType) -> ast.Lambda | ast.FunctionDef | None:
    """Where a function stands in the text of its file."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda | ast.FunctionDef) and _is_of(node, code)
    ]
    return min(found, key=lambda node: len(ast.unparse(node)), default=None)


def _is_of(node: ast.Lambda | ast.FunctionDef, code: CodeType) -> bool:
    if isinstance(node, ast.FunctionDef):
        first = min((d.lineno for d in node.decorator_list), default=node.lineno)
        return node.name == code.co_name and first == code.co_firstlineno
    if code.co_name != "<lambda>" or node.lineno != code.co_firstlineno:
        return False
    body = node.body
    start = (body.lineno, body.col_offset)
    end = (body.end_lineno or body.lineno, body.end_col_offset or body.col_offset)
    return all(
        start <= (line, column) <= end
        for line, _, column, _ in code.co_positions()
        if line is not None and column is not None and (line, column) != (node.lineno, 0)
    )
