"""Change the checkers one condition at a time; the table must notice every change.

``python -m tests.trusted.checker.mutate`` takes `verify/certify/checker.py` and
`verify/certify/gram/check.py` apart: each condition of an ``if``, ``and``, ``or`` or comprehension
is dropped, each comparison, constant 0 or 1, truth value, ``any``, ``all``, ``min``, ``max``, sign
and sum is turned, each ``raise`` and each call for its effect is removed, each returned value
replaced.  A changed file is compiled in a process of its own, with a limit on its time and memory,
and asked for every answer of the table; one answer that differs kills it.

What survives must stand in ``equivalent.json`` with its reason.  The exit status is 0 if nothing
else survived and nothing in that list was killed.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.trusted.checker.rows.worst import GENUINE
from tests.trusted.checker.table import FILES, OUTCOMES, ROWS, answer, gram_answers
from verify.certify import checker
from verify.certify.gram import check as gram_check

SECONDS, MEMORY = 8, 3 * 2**30
"""Of one changed file: many times what the table takes."""
EQUIVALENT = Path(__file__).with_name("equivalent.json")
SWAPPED: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
FUTURE = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}

ACCEPTED = [checker.accepts(content) for content in FILES.values()]
SLOW = ("genuine: library",)
"""Rows that repeat in long what others say in short."""

__all__ = ["Mutant", "killed", "mutants", "run"]


@dataclass(frozen=True)
class Mutant:
    """One change: what it does, in which function, and the tree that has it while it is `put`."""

    name: str
    function: str
    lines: range
    put: Callable[[], None]


def mutants(tree: ast.Module) -> Iterator[Mutant]:
    """All changes of a file; each is put in a process of its own, so that the next begins anew."""
    seen: dict[str, int] = {}
    for where, lines, node, parent in _places(tree):
        for what, holder, field, new in _changes(node, parent):
            name = f"{where}: {what}"
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > 1:
                name += f" ({seen[name]})"
            yield Mutant(name, where, lines, _setter(holder, field, new))


def _setter(holder: Any, field: Any, value: Any) -> Callable[[], None]:
    def put() -> None:
        if isinstance(holder, list):
            holder[field] = value
        else:
            setattr(holder, field, value)

    return put


def _places(tree: ast.Module) -> Iterator[tuple[str, range, ast.AST, ast.AST]]:
    """Nodes of functions with the function, the lines of their statement and what they stand in."""

    def walk(
        node: ast.AST, where: str, lines: range
    ) -> Iterator[tuple[str, range, ast.AST, ast.AST]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner = f"{where}.{child.name}".lstrip(".")
                yield inner, range(child.lineno + 1, (child.end_lineno or 0) + 1), child, node
                yield from walk(child, inner, _lines(child))
            elif not isinstance(child, ast.JoinedStr) and not _is_plain(node, child):
                own = _lines(child) if isinstance(child, ast.stmt | ast.match_case) else lines
                if where:
                    yield where, own, child, node
                yield from walk(child, where, own)

    yield from walk(tree, "", range(0))


def _lines(node: Any) -> range:
    """Of a statement; of one that holds others, the lines that its head may take."""
    first = getattr(node, "lineno", None) or node.pattern.lineno
    inner = [line.lineno for line in getattr(node, "body", []) if isinstance(line, ast.stmt)]
    return range(first, max(first + 1, inner[0] + 1) if inner else node.end_lineno + 1)


def _is_plain(parent: ast.AST, child: ast.AST) -> bool:
    """Annotations and documentation, which do nothing."""
    return (
        (isinstance(parent, ast.AnnAssign) and child is parent.annotation)
        or isinstance(child, ast.arguments)
        or (isinstance(parent, ast.FunctionDef) and child is parent.returns)
        or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant))
    )


def _changes(node: ast.AST, parent: ast.AST) -> Iterator[tuple[str, Any, Any, Any]]:
    """What to change at a node: in words, where it stands, and what stands there then."""
    text = ast.unparse(node).partition("\n")[0][:90]
    inside = ast.unparse(parent).partition("\n")[0][:90]
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            for value in (True, False):
                yield f"{value} for {ast.unparse(test)[:90]}", node, "test", ast.Constant(value)
        case ast.BoolOp(values=values):
            for i, value in enumerate(values):
                kept = values[:i] + values[i + 1 :]
                yield f"{text} without {ast.unparse(value)[:60]}", node, "values", kept
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield f"{text} turned at {i + 1}", ops, i, SWAPPED[type(op)]()
        case ast.BinOp(op=ast.Add() | ast.Sub() as op):
            yield f"{text} turned", node, "op", SWAPPED[type(op)]()
        case ast.UnaryOp(op=ast.USub()):
            yield f"{text} without sign", node, "op", ast.UAdd()
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            double = ast.UnaryOp(ast.Not(), inner)
            yield f"{text} without not", node, "operand", double
        case ast.Constant(value=bool(value)):
            yield f"{value} turned in {inside}", node, "value", not value
        case ast.Constant(value=int(value)) if value in (0, 1):
            yield f"{value} turned in {inside}", node, "value", 1 - value
        case ast.Name(id=name) if name in NAMES:
            yield f"{NAMES[name]} for {inside}", node, "id", NAMES[name]
        case ast.Return(value=value) if value is not None:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield f"{text} gives nothing", node, "value", ast.Constant(None)
        case ast.comprehension(ifs=ifs):
            for i, test in enumerate(ifs):
                yield f"for every, without if {ast.unparse(test)[:60]}", ifs, i, ast.Constant(True)
        case ast.match_case(guard=guard) if guard is not None:
            yield f"case without if {ast.unparse(guard)[:60]}", node, "guard", None
    for _, body in ast.iter_fields(node):
        for i, line in enumerate(body if isinstance(body, list) else []):
            called = isinstance(line, ast.Expr) and isinstance(line.value, ast.Call)
            if called or isinstance(line, ast.Raise | ast.AugAssign):
                yield f"without {ast.unparse(line)[:90]}", body, i, ast.Pass()


def killed(tree: ast.Module, like: ModuleType, mutant: Mutant, rows: Sequence[str]) -> str:
    """By which row a changed file is found out; empty if by none.  Runs in a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        said = "an error of the checker"
        try:
            mutant.put()
            _replace(tree, like, mutant.function)
            said = _difference(like, rows)
        except BaseException as error:
            said = f"{type(error).__name__} of the checker"
        finally:
            os.write(write, (said or "-").encode()[:1000])
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as found:
        said = found.read() or "time or memory"
    return "" if said == "-" else said


def _replace(tree: ast.Module, module: ModuleType, function: str) -> None:
    """Put a function or method of the tree in the place of the one that the module has."""
    first, *more = function.split(".")
    node: Any = next(n for n in tree.body if getattr(n, "name", "") == first)
    holder: Any = module
    if isinstance(node, ast.ClassDef):
        holder = getattr(module, first)
        node = next(n for n in node.body if getattr(n, "name", "") == more[0])
    made: dict[str, Any] = {}
    alone = ast.fix_missing_locations(ast.Module([FUTURE, node], []))
    exec(compile(alone, str(module.__file__), "exec"), module.__dict__, made)
    setattr(holder, node.name, made[node.name])


def _difference(module: ModuleType, rows: Sequence[str]) -> str:
    if module is gram_check:
        return next((name for name, said in gram_answers(module) if said != OUTCOMES[name]), "")
    for name in rows:
        if answer(module, ROWS[name]) != OUTCOMES[name]:
            return name
    for name, content in FILES.items():
        if printed(module, content) != PRINTED[name]:
            return f"file: {name}"
    if module._METER.get() is not None:
        return "the meter of a check ends with it"
    if module.Context(GENUINE["prover: Young"]).degree("a*b"):
        return "what is read outside of a check"
    if [module.accepts(d) for d in FILES.values()] != ACCEPTED:
        return "accepts"
    return ""


def printed(module: ModuleType, content: Any) -> tuple[int, str]:
    """What a checker prints of a file, and its exit status."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()) as out:
        file = Path(folder, "proof.json")
        file.write_text(json.dumps(content))
        return module.main([str(file)]), out.getvalue().replace(folder, "")


def executed(like: ModuleType) -> dict[str, set[int]]:
    """Lines of the checker that each row takes: a change elsewhere cannot change its answer."""
    found: dict[str, set[int]] = {}
    for name, row in ROWS.items():
        if name.startswith(SLOW):
            continue
        seen = found[name] = set()

        def line(frame: Any, event: str, _: Any, seen: set[int] = seen) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
            return line

        def call(frame: Any, *_: Any, line: Any = line) -> Any:
            return line if frame.f_code.co_filename == like.__file__ else None

        sys.settrace(call)
        answer(like, row)
        sys.settrace(None)
    return found


PRINTED = {name: printed(checker, content) for name, content in FILES.items()}


def run(like: ModuleType, only: Callable[[int, str], bool] = lambda *_: True) -> dict[str, str]:
    """Every mutant of a file and what killed it."""
    tree = ast.parse(Path(str(like.__file__)).read_text())
    taken = executed(like) if like is checker else {}
    found: dict[str, str] = {}
    late: list[str] = []  # rows that have killed lately are asked first
    for number, mutant in enumerate(mutants(tree)):
        if only(number, mutant.name):
            rows = [name for name, lines in taken.items() if not lines.isdisjoint(mutant.lines)]
            rows.sort(key=lambda name: late.index(name) if name in late else len(late))
            by = found[mutant.name] = killed(tree, like, mutant, rows)
            late = [by, *(name for name in late if name != by)][:20]
            if not by:
                print(f"  not killed: {mutant.name}", file=sys.stderr, flush=True)
    return found


def main(argv: list[str]) -> int:
    """Words: of all mutants those whose names hold them; ``1/3``: of every three the first."""
    known: dict[str, str] = json.loads(EQUIVALENT.read_text())
    part, parts = ([int(n) for w in argv if "/" in w for n in w.split("/")] or [1, 1])[:2]
    words = [word for word in argv if "/" not in word]
    wrong, start = 0, time.monotonic()
    for like in (checker, gram_check):
        found = run(
            like,
            lambda number, name: number % parts == part - 1 and all(w in name for w in words),
        )
        left = [name for name, by in found.items() if not by]
        print(f"{like.__name__}: {len(found)} mutants, {len(found) - len(left)} killed")
        for name in left:
            if name not in known:
                print(f"  survived: {name}")
        for name in known:
            if found.get(name):
                print(f"  listed as equivalent, but killed by '{found[name]}': {name}")
        wrong += sum(name not in known for name in left)
        wrong += sum(bool(found.get(name)) for name in known)
    print(f"{time.monotonic() - start:.0f} seconds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
