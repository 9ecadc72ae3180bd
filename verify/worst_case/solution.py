"""The worst case of a problem: its value in floats, and what is certain about it in fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.certify.gram.check import complaint
from verify.certify.gram.claim import GramCertificate
from verify.worst_case.conic import Optimum
from verify.worst_case.exact.data import Data
from verify.worst_case.exact.dual import proved, sharp
from verify.worst_case.exact.exact_proof import along
from verify.worst_case.exact.primal import attained
from verify.worst_case.instance import ExactInstance, instance
from verify.worst_case.points import rational
from verify.worst_case.problem import ClassProblem
from verify.worst_case.programme import GramProgramme, programme
from verify.worst_case.solver import NoSolution, optimum

SHORT = 10**12
"""Denominators below which a value that is attained is tried as a bound: others are rounded."""

__all__ = ["WorstCase", "objection", "solved", "worst"]


@dataclass(frozen=True)
class WorstCase:
    """What is known of the largest value of a problem.

    Attributes
    ----------
    value : float
        The optimum as the solver gives it: no bound, only where to look for bounds.
    accuracy : float
        Largest relative residual or gap that the solver ended with.
    tight : bool
        Whether the conditions suffice: data that meet them are those of functions of the classes.
        Else the optimum is an upper bound, and `instance` is none.
    upper : Fraction, optional
        The worst case is at most this, by `certificate`.
    certificate : GramCertificate, optional
    lower : Fraction, optional
        The worst case is at least this, by `instance`.
    instance : ExactInstance, optional
    missing : tuple of str
        Why what is None is missing.
    """

    value: float
    accuracy: float
    tight: bool
    upper: Fraction | None = None
    certificate: GramCertificate | None = None
    lower: Fraction | None = None
    instance: ExactInstance | None = None
    missing: tuple[str, ...] = ()

    @property
    def gap(self) -> float:
        """Between the exact bounds; infinite where one is missing."""
        if self.upper is None or self.lower is None:
            return float("inf")
        return float(self.upper - self.lower)


def solved(problem: ClassProblem) -> WorstCase:
    """The value in floats alone, as fast as it can be had.

    Raises
    ------
    NoSolution
        Where the solver has no answer, or none that is finite.
    """
    found = optimum(programme(problem))
    return WorstCase(found.value, found.accuracy, problem.tight)


def worst(problem: ClassProblem, claim: str = "the worst case of a problem") -> WorstCase:
    """The value, and exact bounds on it where they are found.

    Parameters
    ----------
    problem : ClassProblem
    claim : str
        What the certificate is called.

    Raises
    ------
    NoSolution
        Where the solver has no answer, or none that is finite.
    """
    whole = programme(problem)
    found = optimum(whole)
    missing = []
    certificate = data = None
    if problem.tight:
        try:
            data = attained(whole, found, problem.vectors)
        except NoSolution as error:
            missing.append(f"lower: {error}")
    else:
        missing.append("lower: the conditions are necessary only")
    try:
        certificate = _proved(whole, found, data, claim)
    except NoSolution as error:
        missing.append(f"upper: {error}")
    shown = instance(problem, data) if data else None
    return WorstCase(
        found.value,
        found.accuracy,
        problem.tight,
        certificate.bound if certificate else None,
        certificate,
        shown.value if shown else None,
        shown,
        tuple(missing),
    )


def _proved(whole: GramProgramme, found: Optimum, data: Data | None, claim: str) -> GramCertificate:
    """A proof of what the data attain, if they are short and there is one; else of a bit more."""
    if data is not None and data.objective.denominator < SHORT:
        try:
            return sharp(whole, found, data, claim)
        except NoSolution:
            pass
    return proved(whole, found, claim)


def objection(problem: ClassProblem, certificate: GramCertificate) -> str:
    """What is wrong with a certificate as a proof about a problem; empty if nothing is.

    The programme is built again from the problem: the objective must be its own, each premise one
    of its conditions, or a square along its matrix conditions; then the identity and signs count.
    """
    whole = programme(problem)
    if certificate.objective != whole.objective.form():
        return "the objective is not that of the problem"
    known = {c.name: c for c in whole.conditions}
    matrices = {m.name: m for m in whole.matrices}
    for premise in certificate.premises:
        if premise.rule:
            condition = matrices.get(premise.rule["matrix"])
            direction = [rational(Fraction(q)) for q in premise.rule["direction"]]
            if condition is None or len(direction) != len(condition.rows):
                return f"'{premise.name}' is along no matrix of the problem"
            same = premise.form == along(condition, direction).form() and not premise.equality
        else:
            single = known.get(premise.name)
            same = (
                single is not None
                and premise.form == single.expression.form()
                and premise.equality == single.equality
            )
        if not same:
            return f"'{premise.name}' is no condition of the problem"
    return complaint(certificate)
