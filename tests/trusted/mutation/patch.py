"""Put a changed function or constant into a module that has been imported already.

Functions keep their identity and get new code, so that who has imported them by name runs it too;
a constant is replaced wherever a module holds the old one under its name.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import is_dataclass
from types import FunctionType, ModuleType
from typing import Any

FUTURE = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)

__all__ = ["NotLoaded", "replace"]


class NotLoaded(Exception):
    """A changed constant has no value: nobody could import the module."""


def replace(module: ModuleType, tree: ast.Module, place: str) -> None:
    """Put what the tree has at a place, ``function``, ``Class.method`` or ``CONSTANT``."""
    name, *more = place.split(".")
    node = _named(tree.body, name)
    if isinstance(node, ast.FunctionDef):
        _recode(_plain(getattr(module, name)), module, node)
    elif isinstance(node, ast.ClassDef):
        holder, inner = getattr(module, name), _named(node.body, more[0])
        if isinstance(inner, ast.FunctionDef):
            _recode(_plain(vars(holder)[inner.name]), module, inner)
        else:
            _default(holder, more[0], _value(module, inner.value))
    else:
        old = getattr(module, name)
        new = _value(module, node.value)
        for other in list(sys.modules.values()):
            if getattr(other, "__dict__", {}).get(name) is old:
                setattr(other, name, new)


def _named(body: list[ast.stmt], name: str) -> Any:
    """The line that defines a name; of several the last one, whose value it has."""
    for line in reversed(body):
        targets = getattr(line, "targets", [getattr(line, "target", None)])
        if getattr(line, "name", None) == name or any(
            isinstance(t, ast.Name) and t.id == name for t in targets
        ):
            return line
    raise LookupError(name)


def _plain(made: Any) -> FunctionType:
    """The function inside of a property, a method of the class, a cache, a context manager."""
    for field in ("fget", "func", "__func__"):
        made = getattr(made, field, None) or made
    while hasattr(made, "__wrapped__"):
        made = made.__wrapped__
    if not isinstance(made, FunctionType):
        raise TypeError(f"no function, got {made!r}")
    return made


def _recode(function: FunctionType, module: ModuleType, node: ast.FunctionDef) -> None:
    node.decorator_list = []
    made: dict[str, Any] = {}
    alone = ast.fix_missing_locations(ast.Module([FUTURE, node], []))
    exec(compile(alone, str(module.__file__), "exec"), module.__dict__, made)
    new = made[node.name]
    function.__code__ = new.__code__
    function.__defaults__, function.__kwdefaults__ = new.__defaults__, new.__kwdefaults__


def _value(module: ModuleType, node: ast.expr) -> Any:
    alone = ast.fix_missing_locations(ast.Expression(node))
    code = compile(alone, str(module.__file__), "eval")
    try:
        return eval(code, module.__dict__)
    except Exception as error:
        raise NotLoaded(f"{type(error).__name__} {error}") from error


def _default(holder: Any, name: str, value: Any) -> None:
    """Another default of a field of a data class."""
    if not is_dataclass(holder):
        raise TypeError(f"no data class, got {holder!r}")
    made: Any = holder.__init__
    code = made.__code__
    names = code.co_varnames[: code.co_argcount][-len(made.__defaults__) :]
    made.__defaults__ = tuple(
        value if n == name else old for n, old in zip(names, made.__defaults__, strict=True)
    )
    holder.__dataclass_fields__[name].default = value
    setattr(holder, name, value)
