"""Hypotheses of a statement in words, read off the code of its ``given`` without running it."""

from __future__ import annotations

import ast
import inspect
import textwrap

from verify.statement import Statement, no_hypotheses


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
    if given is no_hypotheses:
        return []
    found = _from_source(given)
    if found:
        strict = statement.strict
        return [(n, t and f"{t} {'> 0' if n in strict else '>= 0'}") for n, t in found]
    text = (given.__doc__ or "").strip()
    return [(text.splitlines()[0] if text else given.__name__.strip("_"), "")]


def _from_source(function: object) -> list[tuple[str, str]]:
    """Literal keys and values of the dictionaries that a function returns."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError):
        return []
    returned: list[ast.expr] = [
        node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value
    ]
    lambdas = [node.body for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    if not returned and len(lambdas) == 1:
        returned = lambdas
    found = []
    for value in returned:
        for node in (n for n in ast.walk(value) if isinstance(n, ast.Dict)):
            for key, margin in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    found.append((str(key.value), ast.unparse(margin)))
                elif key is None:
                    found.append((f"those of {ast.unparse(margin)}", ""))
    return list(dict.fromkeys(found))
