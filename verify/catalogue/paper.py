"""A paper's package: its statements, collected from its modules in the order of its sheet.

The package's ``SHEET`` lists the identifiers of the paper in its order, its ``AXES`` the places
that the printed words leave open.  Every statement that a
module of the package binds to a name, alone or in a tuple or list, belongs to the paper; what
serves other statements alone (kind ``deduction``) does not.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable, Sequence
from types import ModuleType

from bounds.numbers.validate import require
from verify.catalogue.literal import require_literal
from verify.catalogue.readings import declared_axes
from verify.claim.axes import Axes
from verify.claim.statement import FORMS, Statement


def paper(package: ModuleType) -> tuple[Statement, ...]:
    """Statements of a paper, by the place of their identifier in its sheet, then form and name.

    Parameters
    ----------
    package : module
        A package of :mod:`verify.statements`.

    Raises
    ------
    InvalidInput
        If a key belongs to no identifier of the sheet, an identifier has no statement, or a printed
        form has an added hypothesis.
    """
    key = package.__name__.rpartition(".")[2]
    found_modules = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    modules = [
        importlib.import_module(name) for name in sorted(info.name for info in found_modules)
    ]
    sheet = [f"{key}.{name}" for name in str(package.SHEET).split()]
    found = in_order(collected(modules), sheet)
    have = {identifier(statement.entry, sheet) for statement in found}
    missing = [name for name in sheet if name not in have]
    require(
        not missing,
        f"SHEET of {key}",
        "identifiers that have a statement each",
        missing,
        "write one, or an open_claim(...) that says what is missing",
    )
    require_literal(found)
    return found


def paper_axes(package: ModuleType) -> Axes:
    """Open places of a paper; none where it declares none."""
    return declared_axes(package) or Axes()


def paper_title(key: str) -> str:
    """What a paper of the package is called, ``Authors: title``; the key of any other."""
    package = paper_package(key)
    said = (package and package.__doc__) or key
    return said.split(" (paper key")[0].strip().rstrip(".")


def paper_package(key: str) -> ModuleType | None:
    """The package of a paper's statements; None where the library has none of that key."""
    name = f"verify.statements.{key}"
    if not key.isidentifier() or importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)


def collected(modules: Iterable[ModuleType]) -> list[Statement]:
    """Statements that the names of modules are bound to, each once, in the order of definition."""
    found: dict[int, Statement] = {}
    for module in modules:
        for value in vars(module).values():
            for item in value if isinstance(value, tuple | list) else (value,):
                if isinstance(item, Statement) and item.kind != "deduction":
                    found[id(item)] = item
    return list(found.values())


def in_order(statements: Iterable[Statement], sheet: Sequence[str]) -> tuple[Statement, ...]:
    """Statements by the place of their identifier, the printed form first."""

    def place(statement: Statement) -> tuple[int, int]:
        return sheet.index(identifier(statement.entry, sheet)), FORMS.index(statement.form)

    return tuple(sorted(statements, key=place))


def identifier(entry: str, sheet: Sequence[str]) -> str:
    """Identifier of the sheet that an entry is a form of: the longest one that begins its key."""
    known = [name for name in sheet if f"{entry}.".startswith(f"{name}.")]
    require(
        bool(known),
        "key",
        "a form of an identifier of the paper's SHEET",
        entry,
        "add the identifier to the sheet, or correct the key",
    )
    return max(known, key=len)
