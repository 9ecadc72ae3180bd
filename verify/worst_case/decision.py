"""Whether one expression is at most another for all functions of the classes of a problem."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from flint import fmpq

from verify.worst_case.function import Condition
from verify.worst_case.points import Expression, SymbolicPoint, number
from verify.worst_case.problem import ClassProblem
from verify.worst_case.solution import WorstCase, worst
from verify.worst_case.solver import NoSolution

SIDES = (("below", 1), ("above", -1))
"""Bounds on a value, as the factors with which one plus it is not negative."""

__all__ = ["Decided", "ComparedSides", "bounded", "compared"]


class Decided(StrEnum):
    """What is certain, in fractions."""

    ALWAYS = "at most, proved"
    EXCEEDED = "exceeded by an instance"
    OPEN = "open"


@dataclass(frozen=True)
class ComparedSides:
    """What is certain about ``left <= right``.

    Attributes
    ----------
    word : Decided
    found : WorstCase, optional
        That of ``left - right``, with the proof or the instance; None where there is no answer.
    scaled : bool
        Whether data of bounded size were asked for, as the difference is not bounded otherwise:
        then the instance counts and its value is one among many.
    reason : str
        Why it is open.
    """

    word: Decided
    found: WorstCase | None
    scaled: bool = False
    reason: str = ""


def compared(
    problem: ClassProblem, left: Expression, right: Expression, *, claim: str = ""
) -> ComparedSides:
    """Decide ``left <= right`` under what the problem assumes, at its numbers.

    Parameters
    ----------
    problem : ClassProblem
        Without a measure; it is left as it is.
    left, right : Expression
    claim : str
        What the certificate is called.

    Examples
    --------
    >>> from verify.worst_case.functions import SmoothConvex
    >>> p = ClassProblem()
    >>> f = p.function(SmoothConvex(1))
    >>> x = p.point("x")
    >>> y = x - f.gradient(x)
    >>> str(compared(p, f(y), f(x) - f.gradient(x) ** 2 / 2).word)
    'at most, proved'
    >>> str(compared(p, f(y), f(x) - f.gradient(x) ** 2 * 0.6).word)
    'exceeded by an instance'
    """
    asked = replace(problem, measures=[left - right], assumed=[*problem.assumed])
    scaled = False
    try:
        try:
            found = worst(asked, claim or "left <= right")
        except NoSolution:
            asked.assumed += bounded(asked)
            scaled = True
            found = worst(asked, claim or "left <= right")
    except NoSolution as error:
        return ComparedSides(Decided.OPEN, None, scaled, str(error))
    if found.lower is not None and found.lower > 0:
        return ComparedSides(Decided.EXCEEDED, found, scaled)
    if found.upper is not None and found.upper <= 0 and not scaled:
        return ComparedSides(Decided.ALWAYS, found)
    reason = "; ".join(found.missing) or "the bounds lie on both sides of zero"
    return ComparedSides(Decided.OPEN, found, scaled, reason)


def bounded(problem: ClassProblem) -> list[Condition]:
    """Conditions that all vectors together, and each value, are of size one."""
    [*problem.conditions()]  # what the classes meet by themselves is met then
    squares = Expression({})
    for name in problem.vectors:
        squares = squares + SymbolicPoint({name: fmpq(1)}) ** 2
    made = [Condition("size of vectors", 1 - squares)]
    for name in problem.numbers:
        made += [Condition(f"{name} from {side}", 1 + number(name) * s) for side, s in SIDES]
    return made
