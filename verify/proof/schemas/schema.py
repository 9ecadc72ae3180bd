"""What a schema is: from proved inequalities for every index to one about sums, ends or maxima."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from verify.certify.checker import Refused
from verify.proof.term import parsed

__all__ = ["Closed", "Schema", "put"]


@dataclass(frozen=True)
class Closed:
    """What one use of a schema asks for and gives.

    Attributes
    ----------
    gives : sequence of (formula, strict)
        Formulas that are then known not to be negative.
    needs : sequence of (formula, strict)
        Side conditions: each must be seen by its form, or be known.
    same : sequence of (formula, formula)
        Formulas that must be equal as polynomials.
    facts : sequence of (rules, parameters)
        Facts that must stand in the outline, by one of these rules and with these parameters.
    free : sequence of formula
        Formulas that may not depend on the index.
    """

    gives: Sequence[tuple[str, bool]]
    needs: Sequence[tuple[str, bool]] = ()
    same: Sequence[tuple[str, str]] = ()
    facts: Sequence[tuple[Sequence[str], Mapping[str, str]]] = ()
    free: Sequence[str] = ()


@dataclass(frozen=True)
class Schema:
    """A rule that closes a proof.

    Attributes
    ----------
    name : str
    takes : mapping
        Kind of each parameter: ``step`` (the name of what was proved, given to ``close`` as the
        formula that is not negative), ``formula``, ``index``, ``count`` (a whole number), or
        ``function``, ``vector``, ``word``.
    close : callable
        Parameters to :class:`Closed`.
    words : str
        A sentence for the reader.
    lemma : str
        Name of the lemma in Coq that says the same (`verify.proof.coq`).
    """

    name: str
    takes: Mapping[str, str]
    close: Callable[..., Closed]
    words: str
    lemma: str


def put(formula: str, letter: str, value: str) -> str:
    """A formula with an index replaced, where it is not the index of a sum."""
    inner = {n.id for n in ast.walk(parsed(value)) if isinstance(n, ast.Name)}

    class Putting(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return parsed(value) if node.id == letter else node

        def visit_Call(self, node: ast.Call) -> ast.expr:
            head = node.func.id if isinstance(node.func, ast.Name) else ""
            edge = node.args[-1] if node.args else None
            if head not in ("Sum", "Min", "Max") or not isinstance(edge, ast.Tuple):
                node.args = [self.visit(a) for a in node.args]
                return node
            bound, *ends = edge.elts
            name = bound.id if isinstance(bound, ast.Name) else ""
            if name in inner and name != letter:
                raise Refused(f"{name} is the index of a sum in {formula}")
            body = node.args[0] if name == letter else self.visit(node.args[0])
            ends = [self.visit(e) for e in ends]
            return ast.Call(node.func, [body, ast.Tuple([bound, *ends], ast.Load())], [])

    found = Putting().visit(deepcopy(parsed(formula)))
    return ast.unparse(ast.fix_missing_locations(found))
