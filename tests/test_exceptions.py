"""Nobody catches TypeError, AttributeError or everything, but three blocks for what is not ours.

Such a handler hides a typo.  One that ends by raising the same again hides nothing.  The two
checkers, which stand alone, refuse by themselves what a file holds.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("bounds", "synthetic", "algorithms", "figures", "verify")
BROAD = {"TypeError", "AttributeError", "Exception", "BaseException"}

ALONE = "a checker stands alone, without this package: what its file holds is refused in a sentence"

LISTED: dict[tuple[str, str], str] = {
    ("verify/limits/foreign.py", "code_of_others"): "code that is not ours may raise anything",
    ("verify/limits/foreign.py", "file_of_others"): "a changed file may hold anything",
    ("verify/limits/foreign.py", "solver_of_others"): "so may a solver in another language",
    ("verify/certify/checker.py", "check"): ALONE,
    ("verify/certify/checker.py", "main"): ALONE,
    ("verify/proof/checker.py", "check"): ALONE,
}


def broad(text: str) -> Iterator[str]:
    """Names of the functions of a module that catch too much, once for each handler."""
    yield from _inside(ast.parse(text), "")


def _inside(node: ast.AST, name: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        here = name
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            here = f"{name}.{child.name}".removeprefix(".")
        if isinstance(child, ast.ExceptHandler) and _too_much(child):
            yield name
        suppresses = isinstance(child, ast.Call) and ast.unparse(child.func).endswith("suppress")
        if suppresses and BROAD & set(_names(*child.args)):
            yield name
        yield from _inside(child, here)


def _too_much(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    if isinstance(last, ast.Raise) and last.exc is None:
        return False
    return handler.type is None or bool(BROAD & set(_names(handler.type)))


def _names(*nodes: ast.AST) -> list[str]:
    return [n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)]


def test_who_catches_too_much_is_listed_with_a_reason() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for name in broad(path.read_text(encoding="utf-8"))
    }
    assert not found - set(LISTED), "catch what is raised on purpose, one class per reason"
    assert not set(LISTED) - found, "no longer there: take it off the list"
    assert all(len(reason) > 7 for reason in LISTED.values())


SOURCE = """
def plain():
    try:
        f()
    except ValueError:
        pass
def typed():
    try:
        f()
    except (KeyError, TypeError) as error:
        return None
class Thing:
    def bare(self):
        try:
            f()
        except:
            pass
    def again(self):
        try:
            f()
        except BaseException:
            g()
            raise
    def other(self):
        try:
            f()
        except Exception as error:
            raise ValueError from error
def silent():
    with contextlib.suppress(AttributeError):
        f()
def outer():
    def inner():
        try:
            f()
        except AttributeError:
            pass
"""


def test_each_kind_of_handler_is_seen() -> None:
    assert Counter(broad(SOURCE)) == Counter(
        ["typed", "Thing.bare", "Thing.other", "silent", "outer.inner"]
    )
