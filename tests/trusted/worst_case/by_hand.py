"""A programme whose proof and whose worst case are read off by hand.

The largest f with f <= <a, b>, |a| <= 1 and |b| <= 1 is one, attained where a = b has length one;
the proof adds the three conditions with factors 1/2, 1 and 1/2, and a square of a - b is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from typing import Any

from verify.worst_case.exact.data import Data
from verify.worst_case.function import Condition, MatrixCondition
from verify.worst_case.points import Expression, rational
from verify.worst_case.programme import GramProgramme

__all__ = ["DATA", "HALVES", "PROGRAMME", "coefficients", "condition", "e", "matrix", "programme"]


def e(**terms: Any) -> Expression:
    """An expression: ``a_b`` is the product of a and b, ``f`` a value, ``one`` the constant."""
    keys = {name: () if name == "one" else tuple(name.split("_")) for name in terms}
    return Expression({keys[name]: rational(q) for name, q in terms.items() if q})


def coefficients(expression: Expression) -> dict[Any, Q]:
    """The terms of an expression as fractions."""
    return {key: Q(int(q.p), int(q.q)) for key, q in expression.terms.items()}


def condition(name: str, equality: bool = False, **terms: Any) -> Condition:
    return Condition(name, e(**terms), equality)


def matrix(name: str, *rows: Any) -> MatrixCondition:
    return MatrixCondition(name, [list(row) for row in rows])


def programme(*conditions: Condition, **more: Any) -> GramProgramme:
    made: Mapping[str, Any] = {
        "objective": e(f=1),
        "conditions": tuple(conditions),
        "matrices": (),
        "blocks": (("a", "b"),),
        "equations": (("f",),),
        "origin": (),
    }
    return GramProgramme(**{**made, **more})


PROGRAMME = programme(
    condition("first", one=1, a_a=-1),
    condition("product", a_b=1, f=-1),
    condition("second", one=1, b_b=-1),
)
HALVES = [rational(Q(1, 2)), rational(1), rational(Q(1, 2))]
DATA = Data({"a": (Q(3, 5), Q(4, 5)), "b": (Q(3, 5), Q(4, 5))}, {"f": Q(1)}, Q(1), 2)
