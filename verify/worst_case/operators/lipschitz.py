"""Lipschitz operators, and non-expansive ones with a given least displacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, OperatorClass
from verify.worst_case.functions.pairs import each
from verify.worst_case.operators.pairs import turned
from verify.worst_case.points import Number, SymbolicPoint, combined, rational

__all__ = ["LipschitzOperator", "NonexpansiveOperator"]


@dataclass(frozen=True)
class LipschitzOperator(OperatorClass):
    """|A x - A y| <= L |x - y|. Exact: Kirszbraun's theorem."""

    L: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        yield from turned(f, "LipschitzOperator", (0, rational(self.L) ** 2, -1))


@dataclass(frozen=True)
class NonexpansiveOperator(OperatorClass):
    """|A x - A y| <= |x - y|; `displacement` is the shortest limit v of points x - A x, if given.

    With a displacement, <x - A x, v> >= |v|^2 is added: Park, Ryu, Accelerated infeasibility
    detection of constrained optimization and fixed-point iterations (2023), Theorem 8; exact.
    """

    displacement: SymbolicPoint | None = None
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs, and that each displacement is as long as v in its direction."""
        yield from turned(f, "non-expansive", (0, 1, -1))
        v = self.displacement
        if v is not None:
            yield from each(
                f.met,
                "displacement",
                lambda i: combined([], [(1, i.x - i.g, v), (-1, v, v)]),
            )
