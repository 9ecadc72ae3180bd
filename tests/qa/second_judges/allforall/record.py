"""How the second judges of the all-for-all paper are recorded: a rule on the witness's symbols.

Each rule gets the symbols of the stored witness as fractions, runs or evaluates what the paper
prints, and says whether the printed sign fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction as Q
from types import SimpleNamespace
from typing import Any

from tests.qa.second_judges.record import Judge

JUDGES: list[Judge] = []
SLACK = Q(1, 10**15)
"""More than the approximations are off, less than any two sides here differ."""


def judge(key: str, words: str) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Record a rule on the witness's symbols under the key of a leaf."""

    def record(rule: Callable[..., bool]) -> Callable[..., bool]:
        def breaks(raw: Mapping[str, Any]) -> bool:
            return bool(rule(_symbols(raw["instance"]["params"])))

        JUDGES.append(Judge(f"allforall.{key}", words, breaks))
        return rule

    return record


def _symbols(params: Mapping[str, Any]) -> Any:
    def number(value: Any) -> Any:
        if isinstance(value, list):
            return [number(v) for v in value]
        return Q(value) if isinstance(value, str) and "/" in value else value

    return SimpleNamespace(**{name: number(value) for name, value in params.items()})


def more(left: Q, right: Q) -> bool:
    return left > right + SLACK * (1 + abs(right))


def grows(left: Q, right: Q) -> bool:
    """No constant of an O(.) is a million."""
    return right > 0 and left > 10**6 * right


def stochastic(rows: list[list[Q]]) -> list[list[Q]]:
    assert all(min(row) >= 0 and sum(row) > 0 for row in rows)
    return [[entry / sum(row) for entry in row] for row in rows]
