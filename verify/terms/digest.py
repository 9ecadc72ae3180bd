"""Digest of what a statement says and computes: the same in every process and on every machine.

It is taken over the terms of the statement and the data of its record: shapes, ranges, relation,
hypotheses.  Of functions that are no terms (quantities of a run, what makes an instance, all of a
statement that could not be traced) it is the modules that count, as far as they can be followed by
name: what they say, without comments, docstrings and the way in which they are laid out.  No
address of an object and no byte code is in it.  A witness says by it for which code it was found, a
corpus what its lines are about.
"""

from __future__ import annotations

import ast
import hashlib
import linecache
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from inspect import unwrap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, NoneType
from typing import Any

from verify.claim.constant import Bounded
from verify.claim.parameters import Family
from verify.claim.readings import Reading
from verify.claim.statement import Statement
from verify.terms.claims import program_of, terms_of
from verify.terms.named import functions_named
from verify.terms.node import without_file
from verify.terms.trace import TracedClaim

__all__ = ["statement_digest"]

FOLLOWED = "bounds"
"""Package whose functions are followed, beside that of the statement; a user's own file is too."""

PLAIN = (str, int, float, Fraction, Reading, NoneType)
"""Values whose text says what they are; so do tuples of them."""

SEEN_ELSEWHERE = ("synthetic", "algorithms", "verify", "figures")
"""Packages that statements use and that are no part of what they say."""


def statement_digest(statement: Statement) -> str:
    """Digest of a statement, 16 hexadecimal digits.

    Parameters
    ----------
    statement : Statement
        Loaded from files that can be read; of a function without one the name counts.
    """
    modules: dict[str, str] = {}
    held: list[str] = []
    program = _whole(program_of(statement.sides))
    home = _module_of(unwrap(program)).rpartition(".")[0]
    terms = terms_of(statement)
    for function in _beside(statement) if terms is not None else _functions(statement):
        _follow(function, modules, held, home)
    said = [] if terms is None else sorted(map(_claim, terms.claims))
    for function in () if terms is None else functions_named(terms):
        _follow(function, modules, held, home)
    lines = [f"{name} {text}" for name, text in sorted(modules.items())]
    text = without_file("\n".join([*lines, *held, *said, *_data(statement)]))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _claim(claim: TracedClaim) -> str:
    """What a traced statement says for one choice."""
    parts = (claim.left, claim.right, claim.margins, claim.defined)
    said = [sorted((name, term.digest) for name, term in part.items()) for part in parts]
    told = sorted((part.digest, repr(value)) for part, value in claim.settled.items())
    return repr((said, None if claim.level is None else claim.level.digest, told))


def _functions(statement: Statement) -> Iterator[Callable[..., Any]]:
    """Every function of the record."""
    sides = statement.sides.sides if isinstance(statement.sides, Bounded) else statement.sides
    yield from (f for f in (sides, statement.delta) if f is not None)
    yield from (item.rule for item in statement.given)
    yield from statement.defines.values()
    yield from _beside(statement)


def _beside(statement: Statement) -> Iterator[Callable[..., Any]]:
    """Functions of the record that are not traced."""
    if statement.ceiling is not None:
        yield statement.ceiling
    yield from statement.trivial.values()
    yield from (family.build for family in (statement.family, *statement.also))
    for family in (statement.family, *statement.also):
        yield from family.constraints.values()
    if statement.constant is not None:
        made = statement.constant
        yield from (made.value, *made.depends.values(), *made.logs.values())


def _data(statement: Statement) -> Iterator[str]:
    """What the record says in numbers and words."""
    yield f"{statement.key} {statement.relation} {statement.over} {statement.quantifier}"
    yield from (f"{item.name} {item.strict} {item.defining}" for item in statement.given)
    yield from sorted((*statement.defines, *statement.trivial))
    for family in (statement.family, *statement.also):
        yield from _family(family)


def _family(family: Family) -> Iterator[str]:
    for name, real in family.box.items():
        yield f"{name} {real!r}"
    for shape in family.shapes:
        yield " ".join(f"{k}={v}" for k, v in shape.items())
    yield f"{family.grow}"
    yield from ["listed"] * family.listed
    yield from family.constraints


def _whole(function: Any) -> Any:
    """The function inside partial ones, and of the order whose constant is named."""
    if isinstance(function, Bounded):
        return _whole(function.sides)
    return _whole(function.func) if isinstance(function, partial) else function


def _follow(function: Any, modules: dict[str, str], held: list[str], home: str) -> None:
    """Add the modules of a function and of all that it calls, and plain values that it holds."""
    todo, seen = [function], set[int]()
    while todo:
        value = todo.pop()
        if _says_itself(value):
            held.append(repr(value))
        value = unwrap(value) if callable(value) else value
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, partial):
            todo += [value.func, *value.args, *value.keywords.values()]
        elif isinstance(value, FunctionType) and _ours(_module_of(value), home):
            if value.__module__ not in modules:
                modules[value.__module__] = _text(value.__code__.co_filename)
            held.append(f"{value.__module__}.{value.__qualname__}")
            todo += [*_telling(value, home), *(value.__defaults__ or ())]


def _telling(function: FunctionType, home: str) -> Sequence[Any]:
    """What of all that a function may call adds something; looked up once where nothing is held."""
    return (
        _of_module(function, home) if function.__closure__ is None else _telling_now(function, home)
    )


@lru_cache(maxsize=16384)
def _of_module(function: FunctionType, home: str) -> Sequence[Any]:
    return _telling_now(function, home)


def _telling_now(function: FunctionType, home: str) -> Sequence[Any]:
    return [value for value in _called(function, home) if _tells(value, home)]


def _tells(value: Any, home: str) -> bool:
    """Whether a value adds a module, or says itself what it is."""
    inside = unwrap(value) if callable(value) else value
    if isinstance(inside, FunctionType):
        return _ours(_module_of(inside), home)
    return isinstance(inside, partial) or _says_itself(value)


def _says_itself(value: Any) -> bool:
    return all(map(_says_itself, value)) if isinstance(value, tuple) else isinstance(value, PLAIN)


def _module_of(function: Any) -> str:
    """Where a function is written; empty of one that was typed where no module has a name."""
    return getattr(function, "__module__", None) or ""


def _ours(module: str, home: str) -> bool:
    """Whether a module is part of what a statement says: of bounds, a paper, or a user's file."""
    if module.startswith(FOLLOWED) or (home and module.startswith(home)):
        return True
    root = module.partition(".")[0]
    return (
        root not in SEEN_ELSEWHERE and root not in sys.stdlib_module_names and not _installed(root)
    )


@lru_cache(maxsize=256)
def _installed(root: str) -> bool:
    """Whether a module belongs to a library."""
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    return "site-packages" in Path(file).parts


def _called(function: FunctionType, home: str) -> Iterator[Any]:
    """What a function may call: names of its module, attributes of modules that it names."""
    names = _names(function.__code__)
    known = [function.__globals__.get(name) for name in sorted(names)]
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # of a name that is not bound yet
            known.append(cell.cell_contents)
    for value in known:
        if isinstance(value, ModuleType):
            if _ours(value.__name__, home):
                yield from (getattr(value, name, None) for name in sorted(names))
        else:
            yield value


@lru_cache(maxsize=8192)
def _names(code: CodeType) -> frozenset[str]:
    """Names in a piece of code and in the functions written inside it."""
    inside = (c for c in code.co_consts if isinstance(c, CodeType))
    return frozenset(code.co_names).union(*map(_names, inside))


def _text(file: str) -> str:
    """Digest of a file's text, or of what was typed; its name where neither can be read."""
    try:
        state = os.stat(file)
    except OSError:
        typed = "".join(linecache.getlines(file))
        return _said(typed.encode()) if typed else Path(file).name
    return _read(file, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1024)
def _read(file: str, _changed: int, _size: int) -> str:
    """Digest of what a file said as it was at this time with this size."""
    return _said(Path(file).read_bytes())


def _said(text: bytes) -> str:
    """Digest of what a text says: comments, docstrings and blanks left out."""
    try:
        parts = list(_outline(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return hashlib.sha256(text).hexdigest()
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _outline(tree: ast.AST) -> Iterator[str]:
    """A syntax tree as text, the same in all versions of Python: what is empty is left out."""
    yield type(tree).__name__
    for name in tree._fields:
        value = getattr(tree, name, None)
        if value is None or value == [] or name in ("ctx", "kind"):
            continue
        yield f".{name}"
        listed = value if isinstance(value, list) else [value]
        if name == "body" and _is_text(listed[0]):
            listed = listed[1:]
        for item in listed:
            if isinstance(item, ast.AST):
                yield from _outline(item)
            else:
                yield repr(item)
    yield "."


def _is_text(item: Any) -> bool:
    """Whether a line of a program is a docstring or another text that does nothing."""
    return (
        isinstance(item, ast.Expr)
        and isinstance(item.value, ast.Constant)
        and isinstance(item.value.value, str)
    )
