"""The worst case of a problem: its value in floats, and what is certain about it in fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.certify.gram.claim import GramCertificate
from verify.worst_case.dual import proved
from verify.worst_case.problem import Problem
from verify.worst_case.programme import programme
from verify.worst_case.solver import NoSolution, optimum

__all__ = ["NoSolution", "WorstCase", "solved", "worst"]


@dataclass(frozen=True)
class WorstCase:
    """What is known of the largest value of a problem.

    Attributes
    ----------
    value : float
        The optimum as the solver gives it: no bound.
    tight : bool
        Whether the conditions suffice, so that the optimum is attained (or approached) by functions
        of the classes; else it is an upper bound.
    upper : Fraction, optional
        The value is at most this, by `certificate`.
    certificate : GramCertificate, optional
    missing : tuple of str
        Why what is None is missing.
    """

    value: float
    tight: bool
    upper: Fraction | None = None
    certificate: GramCertificate | None = None
    missing: tuple[str, ...] = ()


def solved(problem: Problem) -> WorstCase:
    """The value in floats alone, as fast as it can be had.

    Raises
    ------
    NoSolution
        Where the solver has no answer, or none that is finite.
    """
    return WorstCase(optimum(programme(problem)).value, problem.tight)


def worst(problem: Problem) -> WorstCase:
    """The value, and exact bounds on it where they are found.

    Raises
    ------
    NoSolution
        Where the solver has no answer, or none that is finite.
    """
    whole = programme(problem)
    found = optimum(whole)
    missing = []
    certificate = None
    try:
        certificate = proved(whole, found, "the worst case of a problem")
    except NoSolution as error:
        missing.append(f"upper bound: {error}")
    upper = certificate.bound if certificate else None
    return WorstCase(found.value, problem.tight, upper, certificate, tuple(missing))
