"""Every small change of a file: conditions, comparisons, constants, signs, lines left out.

A change is named by the function that it stands in, by the text of its line and by what it does,
so that a change of the line makes another change of it and its name in a list is seen to be stale.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Change = tuple[str, Any, Any, Any]
"""In words, the node or list where it is made, the field or place there, and what stands there."""

OTHERS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
NAMES = {
    "any": "all",
    "min": "max",
    "minimum": "maximum",
    "argmin": "argmax",
    "smallest": "largest",
    "floor": "ceil",
    "le": "ge",
}
NAMES |= {other: name for name, other in NAMES.items()}
SYMMETRIC = {*NAMES, "isinstance", "zip", "same", "Fraction", "_times"}
"""Calls whose arguments are not exchanged: the order is free, or the exchange is no program."""

__all__ = ["Mutant", "mutants"]


@dataclass(frozen=True)
class Mutant:
    """One change: its name, the place that has it, its lines, and what makes it in the tree."""

    name: str
    place: str
    lines: range
    put: Callable[[], None]


def mutants(source: str) -> tuple[ast.Module, list[Mutant]]:
    """A file as a tree, and all changes of it.

    Each change is put into the tree in a process of its own, so that the next begins anew.
    """
    tree, text = ast.parse(source), source.splitlines()
    rest = set(_rests(tree))
    found: dict[str, Mutant] = {}
    for place, lines, node, parent in _places(tree):
        if node in rest:
            continue
        for what, holder, field, new in _changes(node, parent):
            first = getattr(node, "lineno", lines.start)
            base = name = f"{place} | {text[first - 1].strip()} | {what}"
            number = 1
            while name in found:
                number += 1
                name = f"{base} ({number})"
            found[name] = Mutant(name, place, lines, _setter(holder, field, new))
    return tree, list(found.values())


def _rests(tree: ast.Module) -> Iterator[ast.AST]:
    """The 1 of -1 in a shape: every negative length means what is left."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "reshape":
            for part in node.args:
                yield from (n.operand for n in ast.walk(part) if isinstance(n, ast.UnaryOp))


def _setter(holder: Any, field: Any, value: Any) -> Callable[[], None]:
    def put() -> None:
        if isinstance(holder, list):
            holder[field] = value
        else:
            setattr(holder, field, value)

    return put


def _places(tree: ast.Module) -> Iterator[tuple[str, range, ast.AST, ast.AST]]:
    """Nodes with the function or constant, the lines of their statement and what they stand in."""

    def walk(
        node: ast.AST, place: str, lines: range
    ) -> Iterator[tuple[str, range, ast.AST, ast.AST]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner = f"{place}.{child.name}".lstrip(".")
                if isinstance(child, ast.FunctionDef):
                    start = child.body[0].lineno
                    yield inner, range(start, (child.end_lineno or start) + 1), child, node
                yield from walk(child, inner, range(0))
            elif not _does_nothing(node, child):
                own, inner = lines, place
                if isinstance(child, ast.stmt | ast.match_case):
                    own = _lines(child)
                if isinstance(node, ast.Module | ast.ClassDef):
                    inner, own = f"{place}.{_constant(child)}".strip("."), range(0)
                if inner and not inner.startswith("__"):
                    yield inner, own, child, node
                yield from walk(child, inner, own)

    yield from walk(tree, "", range(0))


def _constant(node: ast.AST) -> str:
    """The name that a line outside of functions gives to a value; empty if none."""
    target = node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _lines(node: Any) -> range:
    """Of a statement; of one that holds others, the lines that its head may take."""
    first = getattr(node, "lineno", None) or node.pattern.lineno
    inner = [line.lineno for line in getattr(node, "body", []) if isinstance(line, ast.stmt)]
    return range(first, max(first + 1, inner[0] + 1) if inner else node.end_lineno + 1)


def _does_nothing(parent: ast.AST, child: ast.AST) -> bool:
    """Annotations, decorators, imports, documentation and texts for people."""
    return (
        (isinstance(parent, ast.AnnAssign) and child is parent.annotation)
        or (isinstance(parent, ast.arg))
        or (isinstance(parent, ast.FunctionDef) and child is parent.returns)
        or (isinstance(parent, ast.FunctionDef | ast.ClassDef) and child in parent.decorator_list)
        or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant))
        or (isinstance(parent, ast.Module) and not _constant(child))
        or (isinstance(parent, ast.ClassDef) and not isinstance(child, ast.AnnAssign))
        or isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom)
    )


def _changes(node: ast.AST, parent: ast.AST) -> Iterator[Change]:
    yield from _of_conditions(node)
    yield from _of_operators(node)
    yield from _of_values(node, parent)
    yield from _of_calls(node)
    yield from _of_lines(node)


def _of_conditions(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            for value in (True, False):
                yield f"{value} for {_short(test)}", node, "test", ast.Constant(value)
        case ast.While(test=test):
            yield f"never while {_short(test)}", node, "test", ast.Constant(False)
        case ast.BoolOp(values=values, op=op):
            for i, value in enumerate(values):
                # True and x is x, False or x is x: a list of one is no program
                same = ast.Constant(isinstance(op, ast.And))
                kept = [same, *values[:i], *values[i + 1 :]]
                yield f"{_short(node)} without {_short(value)}", node, "values", kept
        case ast.comprehension(ifs=ifs):
            for i, test in enumerate(ifs):
                yield f"for every, without if {_short(test)}", ifs, i, ast.Constant(True)
        case ast.match_case(guard=guard) if guard is not None:
            yield f"case without if {_short(guard)}", node, "guard", None
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[among]):
            yield from _fewer(among)
        case ast.ExceptHandler(type=ast.Tuple() as caught):
            yield from _fewer(caught)


def _fewer(among: ast.AST) -> Iterator[Change]:
    """A list of things with one of them left out."""
    if isinstance(among, ast.Tuple | ast.List | ast.Set) and len(among.elts) > 1:
        for i, item in enumerate(among.elts):
            kept = among.elts[:i] + among.elts[i + 1 :]
            yield f"{_short(among)} without {_short(item)}", among, "elts", kept


def _of_operators(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                for other in OTHERS[type(op)]:
                    at = f" at {i + 1}" if len(ops) > 1 else ""
                    yield f"{_short(node)} by {other.__name__}{at}", ops, i, other()
        case ast.BoolOp(op=op) | ast.BinOp(op=op) | ast.AugAssign(op=op):
            for other in OTHERS.get(type(op), ()):
                yield f"{_short(node)} by {other.__name__}", node, "op", other()
        case ast.UnaryOp(op=ast.USub() | ast.Invert()):
            yield f"{_short(node)} without sign", node, "op", ast.UAdd()
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield f"{_short(node)} without not", node, "operand", ast.UnaryOp(ast.Not(), inner)


def _of_values(node: ast.AST, parent: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Constant(value=bool(value)):
            yield f"{not value} for {value} in {_short(parent)}", node, "value", not value
        case ast.Constant(value=int(value)):
            for other in (value + 1, value - 1) if value else (1,):
                yield f"{other} for {value} in {_short(parent)}", node, "value", other
        case ast.Constant(value=float(value)):
            other_float = 2 * value if value else 1.0
            yield f"{other_float} for {value} in {_short(parent)}", node, "value", other_float
        case ast.Return(value=value) if value is not None:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield "gives nothing", node, "value", ast.Constant(None)
        case ast.FunctionDef(returns=ast.Name(id="bool"), body=body):
            for i, line in enumerate(body):  # returns at the end: others are conditions
                if isinstance(line, ast.Return):
                    said = line.value.value if isinstance(line.value, ast.Constant) else None
                    for value in {True, False} - {said}:
                        yield f"{value} at the end", body, i, ast.Return(ast.Constant(value))


def _of_calls(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Name(id=name) if name in NAMES:
            yield f"{NAMES[name]} for {name}", node, "id", NAMES[name]
        case ast.Attribute(attr=name) if name in NAMES:
            yield f"{NAMES[name]} for {_short(node)}", node, "attr", NAMES[name]
        case ast.Call(func=func, args=[*_, first, second] as args):
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            starred = any(isinstance(x, ast.Starred) for x in (first, second))
            if name not in SYMMETRIC and not starred and ast.dump(first) != ast.dump(second):
                yield (
                    f"{_short(node)} with the last two exchanged",
                    node,
                    "args",
                    [*args[:-2], second, first],
                )


def _of_lines(node: ast.AST) -> Iterator[Change]:
    bound = {a.arg for a in _arguments(node)}
    for part, body in ast.iter_fields(node):
        if part not in ("body", "orelse", "finalbody"):
            continue
        for i, line in enumerate(body if isinstance(body, list) else []):
            effect = isinstance(line, ast.Expr) and not isinstance(line.value, ast.Constant)
            if effect or _again(line, bound):
                yield f"without {_short(line)}", body, i, ast.Pass()


def _again(line: ast.AST, bound: set[str]) -> bool:
    """Whether a line can be left out of a program that still runs."""
    kinds = ast.Raise | ast.AugAssign | ast.Continue | ast.Break | ast.Delete
    if isinstance(line, ast.Assign):
        names = {n.id for t in line.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        stored = any(isinstance(t, ast.Subscript | ast.Attribute) for t in line.targets)
        again = stored or (bool(names) and names <= bound)
        bound |= names
        return again
    return isinstance(line, kinds)


def _arguments(node: ast.AST) -> list[ast.arg]:
    if not isinstance(node, ast.FunctionDef):
        return []
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _short(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0][:90]
