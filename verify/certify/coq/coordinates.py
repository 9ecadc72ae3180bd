"""Claims about vectors that are one about each coordinate, for Coq.

Where no hypothesis speaks of the vectors, a claim proved on the line holds for each coordinate, and
in every dimension the two sides are the sums over the coordinates.  The theorem says that, and is
shown by the one on the line, which is written before it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from verify.certify.checker import Context
from verify.certify.coq.script import Script
from verify.certify.coq.statement import CoqStatement
from verify.certify.coq.terms import NotInCoq
from verify.certify.coq.vectors import VectorTerms

__all__ = ["by_coordinates"]


class CoordinateTerms(VectorTerms):
    """Terms in which products are those of the coordinate i of vectors."""

    def node(self, node: ast.expr) -> str:
        """One node as a term of type R."""
        if isinstance(node, ast.Name | ast.Subscript) and self.degree(node) == 1:
            return VectorTerms.node(self, node)
        return CoqStatement.node(self, node)

    def vanishes_with_the_vectors(self, text: str) -> bool:
        """Whether each term of an expression is a product of two of them, and of numbers."""
        return all(
            sum(self.degree(self._single(v)) for v in monomial) == 2
            for monomial in self._context.read(text).over
        )


def by_coordinates(proof: Mapping[str, Any], name: str) -> str:
    """The theorem on the line, and the one in every dimension.

    Parameters
    ----------
    proof : mapping
        As the checker reads it, with vectors.
    name : str
        Of the second theorem.

    Raises
    ------
    NotInCoq
        If a side has a part that no coordinate enters, or a hypothesis speaks of vectors.
    """
    line = Script({**proof, "vectors": []})
    names, lines, _ = line.statement()
    context, claim = Context(proof), proof["claim"]
    terms = CoordinateTerms(proof, context)
    premises, _ = terms.premises()
    if any(context.degree(h["expr"]) for h in proof["given"]) or premises != lines:
        raise NotInCoq("a hypothesis on vectors beside products inside a sum of their own")
    sides = [claim["left"], claim["right"]]
    if (
        any(map(terms.names_client, sides))
        or claim["relation"] == "<"
        or not all(map(terms.vanishes_with_the_vectors, sides))
    ):
        raise NotInCoq("a side that is more than a sum over coordinates")
    left, right = (f"Sum (fun i => {terms(side)}) d" for side in sides)
    relation, start = {"==": ("=", "Sum_ext"), "<=": ("<=", "Sum_le")}[claim["relation"]]
    values = {
        **{terms.named(v): f"({terms.named(v)} i)" for v in proof["vectors"]},
        **{
            terms.named(v): f"(fun k => {terms.named(v)} k i)"
            for v in proof["vectors"]
            if re.search(rf"\b{v}\[", " ".join(sides))
        },
        **{terms.alone(v): f"({terms.alone(v)} i)" for v in proof["vectors"]},
    }
    known = [f"H{i}" for i in range(1, len(lines) + 1)]
    applied = " ".join([f"{name}_on_the_line", *(values.get(n, n) for n in names), *known])
    return line.theorem(f"{name}_on_the_line") + "\n".join(
        [
            f"Theorem {name} :",
            f"  forall {terms.variables()},",
            *(f"  {p} ->" for p in premises),
            f"  {left} {relation} {right}.",
            "Proof.",
            f"  intros {' '.join([*terms.bound(), *known])}.",
            f"  apply {start}; intros i Hi; exact ({applied}).",
            "Qed.",
            "",
        ]
    )
