"""What a statement says, printed from its terms: as formulas, in plain text and in TeX."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.claim.statement import Statement
from verify.terms.claims import example_of_family, terms_of
from verify.terms.formula import TermFormulas
from verify.terms.node import Node
from verify.terms.places import letters_for
from verify.terms.tex import tex
from verify.terms.text import text
from verify.terms.trace import TracedClaim
from verify.terms.values import value_of

__all__ = ["Printed", "formulas_for", "printed"]


@dataclass(frozen=True)
class Printed:
    """Formulas of a claim by name.

    Parameters
    ----------
    left, right, margins, defined : mapping of str to ast.expr
    """

    left: Mapping[str, ast.expr]
    right: Mapping[str, ast.expr]
    margins: Mapping[str, ast.expr]
    defined: Mapping[str, ast.expr]

    def sides(self, in_tex: bool = False) -> tuple[str, str]:
        """Both sides as sums of their terms."""
        left, right = (
            " + ".join(_summand(tree, in_tex) for tree in side.values())
            for side in (self.left, self.right)
        )
        return left, right


def printed(statement: Statement) -> Printed | None:
    """The formulas of a statement in its first shape; None of one that cannot be traced.

    Parameters
    ----------
    statement : Statement
    """
    terms = terms_of(statement)
    if terms is None:
        return None
    world = example_of_family(statement, statement.family, statement.family.shapes[0])
    claim = terms.of(world)
    if claim is None:
        return None
    known: dict[Node, Any] = {}
    with np.errstate(all="ignore"):
        for term in claim.every():
            value_of(term, world, known)
    writer = formulas_for(statement, claim, known)
    parts = (claim.left, claim.right, claim.margins, claim.defined)
    return Printed(*({name: writer.of(term) for name, term in part.items()} for part in parts))


def formulas_for(
    statement: Statement,
    claim: TracedClaim,
    known: Mapping[Node, Any],
    called: Mapping[Node, str] | None = None,
) -> TermFormulas:
    """How the terms of a statement are written.

    Parameters
    ----------
    statement : Statement
    claim : TracedClaim
    known : mapping
        Values of its nodes in a world.
    called : mapping of Node to str, optional
        Pieces that stand there by a name.
    """
    families = (statement.family, *statement.also)
    lengths = {name: tuple(one.per) for f in families for name, one in f.box.items()}
    names = {*lengths, *statement.defines, *(called or {}).values()}
    names |= {name for f in families for shape in f.shapes for name in shape}
    names |= {part.data for term in claim.every() for part in term.parts() if part.op == "symbol"}
    return TermFormulas(
        {term: max(_axes(value) - 2, 0) for term, value in known.items()},
        frozenset(name for name, per in lengths.items() if per[-1:] == ("d",)),
        lengths,
        called or {},
        letters=letters_for(names),
    )


def _axes(value: Any) -> int:
    return value.ndim if isinstance(value, np.ndarray) else 0


def _summand(tree: ast.expr, in_tex: bool) -> str:
    """A term among others; one that is a sum by itself, or has a sign, stands in brackets."""
    shown = tex(tree) if in_tex else text(tree)
    loose = isinstance(tree, ast.UnaryOp) or (
        isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub)
    )
    return (rf"\left({shown}\right)" if in_tex else f"({shown})") if loose else shown
