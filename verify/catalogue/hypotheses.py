"""Hypotheses of a statement in words, read off the code of its ``given`` without running it."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from verify.claim.statement import Statement, no_hypotheses


def hypotheses(statement: Statement) -> list[tuple[str, str]]:
    """Names of the hypotheses with the condition on their margin.

    Parameters
    ----------
    statement : Statement

    Returns
    -------
    list of (name, condition)
        The condition as in the source, ``margin >= 0``. Where the code cannot be read, the
        description of the function stands alone.
    """
    given = statement.given
    if not callable(given):
        return [(item.name, item.latex) for item in given]
    if given is no_hypotheses:
        return []
    found = _from_source(given)
    if found:
        strict = statement.strict
        return [(n, t and f"{t} {'> 0' if n in strict else '>= 0'}") for n, t in found]
    text = (given.__doc__ or "").strip()
    return [(text.splitlines()[0] if text else given.__name__.strip("_"), "")]


def _from_source(function: Any) -> list[tuple[str, str]]:
    """Literal keys and values of the dictionaries that a function returns.

    Dictionaries of other functions that it calls, or that a maker of functions was given, count.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        names = inspect.getclosurevars(function)
    except (OSError, TypeError, SyntaxError, ValueError):
        return []
    made = [part for value in names.nonlocals.values() for part in _functions(value)]
    found = [pair for part in made for pair in _from_source(part)]
    returned: list[ast.expr] = [
        node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value
    ]
    lambdas = [node.body for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    if not returned and len(lambdas) == 1:
        returned = lambdas
    for value in returned:
        found += [
            (ast.unparse(node.key).removeprefix("f").strip("'"), ast.unparse(node.value))
            for node in ast.walk(value)
            if isinstance(node, ast.DictComp) and isinstance(node.key, ast.JoinedStr)
        ]
        for node in (n for n in ast.walk(value) if isinstance(n, ast.Dict)):
            for key, margin in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    found.append((str(key.value), ast.unparse(margin)))
                elif key is None:
                    called = ast.unparse(margin).partition("(")[0]
                    found += _from_source(names.globals.get(called)) or [(f"those of {called}", "")]
    return list(dict.fromkeys(found))


def _functions(value: object) -> list[object]:
    if isinstance(value, tuple):
        return [part for item in value for part in _functions(item)]
    return [value] if inspect.isfunction(value) else []
