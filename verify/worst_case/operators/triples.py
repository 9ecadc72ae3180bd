"""Conditions on three points of an operator that has two properties at once, as matrices.

Eliminating a fourth point from the inequalities between pairs gives matrices of seven rows with
free entries: Rubbens, Hendrickx, Taylor, A constructive approach to strengthen algebraic
descriptions of function and operator classes (2025).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from verify.worst_case.function import Function, MatrixCondition, OracleAnswer
from verify.worst_case.points import Expression, Number, SymbolicPoint, number, rational

__all__ = ["Pair", "triples"]


@dataclass(frozen=True)
class Pair:
    """Differences between two points, and between what the operator makes of them."""

    x: SymbolicPoint
    g: SymbolicPoint


Rule = Callable[[Pair], Expression]


def triples(f: Function, first: Rule, second: Rule, mu: Number) -> Iterator[MatrixCondition]:
    """For each three points of which two differ, the matrix in both orders of the properties.

    Parameters
    ----------
    f : Function
    first, second : callable
        Each property between two points as an expression that is not positive.
    mu : number
        Modulus of strong monotonicity.
    """
    for i, j, k in product(f.met, repeat=3):
        if not (i is j and j is k):
            for turn, (a, b) in enumerate([(first, second), (second, first)]):
                said = f"{f.name} three {turn} {i.name} {j.name} {k.name}"
                yield MatrixCondition(said, _rows(said, i, j, k, a, b, mu))


def _rows(
    said: str,
    i: OracleAnswer,
    j: OracleAnswer,
    k: OracleAnswer,
    first: Rule,
    second: Rule,
    mu: Number,
) -> list[list[Expression]]:
    ij, ik, jk = Pair(i.x - j.x, i.g - j.g), Pair(i.x - k.x, i.g - k.g), Pair(k.x - j.x, k.g - j.g)
    a_ij, a_ik, a_jk = first(ij), first(ik), first(jk)
    b_ij, b_ik, b_jk = second(ij), second(ik), second(jk)
    free = {
        name: number(f"{said} {name}")
        for name in ("14", "15", "16", "17", "26", "27", "34", "37", "46")
    }
    middle = (
        a_ij + b_ij * (2 * rational(mu)) - a_jk - a_ik
        - free["17"] * 2 - free["26"] * 2 - free["34"] * 2
    )  # fmt: skip
    upper = {
        (0, 0): -b_ij, (1, 1): -a_jk, (2, 2): -b_ij, (3, 3): -b_jk,
        (4, 4): middle, (5, 5): -a_ik, (6, 6): -b_ik,
        (0, 3): free["14"], (0, 4): free["15"], (0, 5): free["16"], (0, 6): free["17"],
        (1, 2): -free["15"], (1, 4): -free["14"], (1, 5): free["26"], (1, 6): free["27"],
        (2, 3): free["34"], (2, 4): -free["16"], (2, 6): free["37"],
        (3, 4): -free["27"], (3, 5): free["46"],
        (4, 5): -free["37"], (4, 6): -free["46"],
    }  # fmt: skip
    none = Expression({})
    return [[upper.get((min(r, c), max(r, c)), none) for c in range(7)] for r in range(7)]
