"""The literal record: what a printed form assumes beyond the paper's words.

Only an added hypothesis is an error, as only that can be computed without doubt.  A restriction may
also hide in a symbol's definition or in a box; :func:`literal_complaints` points at places where
somebody has to compare with the printed text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from types import CodeType, FunctionType, ModuleType
from typing import Any

from bounds.numbers.validate import require
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Statement

__all__ = ["Complaint", "literal_complaints", "require_literal", "tagged"]

CUTS = frozenset({"clip", "max", "maximum", "min", "minimum", "where"})
"""Names of functions that may hide a restriction."""


@dataclass(frozen=True)
class Complaint:
    """A place of a printed form that somebody has to compare with the paper.

    Parameters
    ----------
    key : str
        Leaf.
    what : str
        ``added``, ``cut`` (a definition that takes a minimum, a maximum or one of two values) or
        ``box`` (a range that may be meant as an assumption).
    name : str
        Of the hypothesis, symbol or parameter.
    said : str
        In words.
    """

    key: str
    what: str
    name: str
    said: str

    def __str__(self) -> str:
        return f"{self.key}: {self.name}: {self.said}"


def require_literal(statements: Iterable[Statement]) -> None:
    """Refuse printed forms that assume what the paper neither prints nor needs for a value.

    Raises
    ------
    InvalidInput
        At the first added hypothesis in a printed form.
    """
    for leaf in statements:
        added = [item.name for item in leaf.given if item.tag == "added"]
        require(
            leaf.form != "printed" or not added,
            f"given of {leaf.key}",
            "printed in the paper, or needed for a formula to have a value",
            added,
            "name the place with where=..., pass defining=True, remove it, or call the form "
            "repaired or refined",
        )


def literal_complaints(statements: Iterable[Statement]) -> list[Complaint]:
    """Places of printed forms to compare with the paper, in the order of the statements.

    Every added hypothesis is found. What is said about definitions and boxes is a hint: a printed
    minimum is a minimum, and a range is where to look first.
    """
    found: list[Complaint] = []
    for leaf in statements:
        if leaf.form == "printed":
            found += [*_added(leaf), *_cuts(leaf), *_boxes(leaf)]
    return found


def tagged(item: Hypothesis) -> str:
    """Place where a hypothesis is printed, or that it is defining or added."""
    return item.where or item.tag


def _added(leaf: Statement) -> Iterator[Complaint]:
    for item in leaf.given:
        if item.tag == "added":
            said = f"{' '.join(item.latex.split())} is assumed and not printed"
            yield Complaint(leaf.key, "added", item.name, said)


def _cuts(leaf: Statement) -> Iterator[Complaint]:
    for name, rule in leaf.defines.items():
        cuts = sorted(CUTS & _called(rule))
        if cuts:
            said = f"its definition calls {', '.join(cuts)}; is that printed?"
            yield Complaint(leaf.key, "cut", name, said)


def _boxes(leaf: Statement) -> Iterator[Complaint]:
    for family in (leaf.family, *leaf.also):
        for name, real in family.box.items():
            said = _doubt(real)
            if said:
                yield Complaint(leaf.key, "box", name, said)


def _doubt(real: Real) -> str:
    """What is doubtful about the range of a number without unit; empty if nothing is."""
    if any(real.unit):
        return ""
    if real.low == real.high:
        return f"it is {real.low:g} everywhere; is that printed?"
    ends = [end for end in real.limits if isfinite(end) and end != 0]
    if real.domain is None and real.low >= 0 and real.high == 1:
        return f"the range [{real.low:g}, 1] is left by the search; a share needs domain=(0, 1)"
    if ends:
        return f"it is assumed to lie in ({real.limits[0]:g}, {real.limits[1]:g}); is that printed?"
    return ""


def _called(rule: Callable[..., Any], depth: int = 3) -> set[str]:
    """Names that a rule mentions, those of functions that it calls in the same package included.

    A name that is mentioned need not be called, and a function that is reached through an object
    is not followed: a hint, not a proof.
    """
    function = getattr(rule, "__func__", rule)
    if not isinstance(function, FunctionType) or depth == 0:
        return set()
    names = _names(function.__code__)
    home = function.__module__.rpartition(".")[0]
    known = [function.__globals__.get(name) for name in names]
    known += [cell.cell_contents for cell in function.__closure__ or ()]
    ours = [value for value in known if isinstance(value, ModuleType)]
    known += [getattr(m, name, None) for m in ours if m.__name__.startswith(home) for name in names]
    for value in known:
        if isinstance(value, FunctionType) and value.__module__.rpartition(".")[0] == home:
            names |= _called(value, depth - 1)
    return names


def _names(code: CodeType) -> set[str]:
    """Names in a piece of code and in the functions that are written inside it."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found
