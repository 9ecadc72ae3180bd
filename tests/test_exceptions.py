"""Nobody catches TypeError, AttributeError or everything: what does is listed here, with a reason.

Such a handler hides a typo.  One that ends by raising the same again hides nothing.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("bounds", "synthetic", "algorithms", "figures", "verify")
BROAD = {"TypeError", "AttributeError", "Exception", "BaseException"}

FILE = "what a file of others holds goes through, and is refused in a sentence"
USER = "code of the user runs inside"
SOLVER = "what a solver in another language raises on numbers that it cannot take"

LISTED: dict[tuple[str, str], str] = {
    ("verify/assumptions/source.py", "_called"): USER,
    ("verify/catalogue/json_files.py", "foreign"): FILE,
    ("verify/catalogue/user_file.py", "_execute"): USER,
    ("verify/certify/algebra/solvers.py", "linear_answer"): SOLVER,
    ("verify/certify/checker.py", "check"): FILE,
    ("verify/certify/checker.py", "main"): FILE,
    ("verify/certify/algebra/conic_solver.py", "solution"): SOLVER,
    ("verify/proof/checker.py", "check"): FILE,
    ("verify/proof/documents.py", "accepts"): FILE,
    ("verify/outlines/proved.py", "document_of"): USER,
    ("verify/world/unread.py", "_asked"): USER,
    ("verify/certify/gram/roots.py", "square_roots"): SOLVER,
    ("verify/certify/prover/accepted.py", "accepts"): FILE,
    ("verify/certify/prover/check.py", "cancels"): "sympy compares no complex numbers",
    ("verify/certify/prover/lifting.py", "lifts"): "a certificate of another form does not lift",
    ("verify/claim/instance.py", "_fetch"): FILE,
    ("verify/cli/tables/columns.py", "npz_arrays"): FILE,
    ("verify/face/compare.py", "_family"): USER,
    ("verify/face/result.py", "Result.from_json"): FILE,
    ("verify/ladder/rungs/certificate.py", "prove"): (
        "a fault of a reader costs no leaf its word: it is noted, and the run exits with 1"
    ),
    ("verify/ladder/rungs/proof.py", "prove"): (
        "a fault of a setting costs no leaf its word: it is told as why there is no proof"
    ),
    ("verify/cli/doctor.py", "looked_at"): "a broken package raises anything: that is what is told",
    ("verify/ladder/rungs/certificate.py", "recheck"): "the same",
    ("verify/reading/parts/symbols.py", "written"): "the same",
    ("verify/terms/trace.py", "_traced"): USER,
    ("verify/ledger/witness.py", "recomputed"): USER,
    ("verify/reading/loops/reading.py", "_written"): "sympy compares no complex numbers",
    ("verify/report/entries.py", "_readable"): FILE,
    ("verify/report/model.py", "LeafLine.sound"): FILE,
    ("verify/run/tasks.py", "examine"): (
        "an error in one leaf costs no other one: it is told, and the run exits with 1"
    ),
    ("verify/run/workers.py", "_child"): "it goes to the parent, which raises it",
    ("verify/run/workers.py", "_packed"): "what is pickled may be anybody's",
    ("verify/verdict/verdict.py", "_assumed"): FILE,
    ("verify/verdict/verdict.py", "_grows"): FILE,
    ("verify/verdict/verdict.py", "accepted"): FILE,
    ("verify/world/returned.py", "_called"): USER,
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
