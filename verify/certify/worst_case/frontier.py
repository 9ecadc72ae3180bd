r"""How long a step may be: where a bound that is stated for short steps begins to fail.

For a step of weighted averaging Lemma 1 with the PL inequality gives, for
:math:`\eta \le 1/(\beta A)`,

.. math:: f_i(x^+) - f_i^* \le \bigl(1-\eta\mu(A-\textstyle\sum_k\alpha_kc_k)\bigr)F
    + \tfrac\eta2 D, \qquad A = \textstyle\sum_k\alpha_k,

with :math:`D = \sum_k\alpha_kb_k^2`, or, refined and for c = 0,
:math:`D = (\sum_k\alpha_kb_k)^2/A`.  Whether it holds for a longer step is asked of the worst case:
a certificate says yes, an explicit instance says no.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from bounds.numbers.validate import require
from verify.certify.gram.claim import GramCertificate
from verify.certify.gram.floats import NoSolution
from verify.certify.worst_case.instance import WorstInstance, attained
from verify.certify.worst_case.step import AveragingStep, upper

GROWTH = Fraction(51, 50)
"""Steps are made longer by this factor until one fails."""
LONGEST = 4
"""Longest step tried, in stated limits."""
WIDTH = Fraction(1, 10**4)
"""Relative width to which the frontier is closed in."""
FORMS = ("repaired", "refined")

__all__ = ["FORMS", "Frontier", "bound_after", "frontier", "stated_limit"]


@dataclass(frozen=True)
class Frontier:
    """Where a bound stops being true, as the step grows.

    Attributes
    ----------
    stated : Fraction
        1/(beta A), the limit of the lemma.
    proved : Fraction or None
        Longest step for which a certificate shows the bound; None if there is none.
    proof : GramCertificate or None
        That certificate.
    violated : Fraction or None
        First step at which an instance breaks it; None up to the longest step tried.
    witness : Instance or None
        That instance.
    """

    stated: Fraction
    proved: Fraction | None
    proof: GramCertificate | None
    violated: Fraction | None
    witness: WorstInstance | None

    def to_json(self) -> dict[str, Any]:
        """Numbers, certificate and witness as JSON values."""
        return {
            "stated": str(self.stated),
            "proved": None if self.proved is None else str(self.proved),
            "violated": None if self.violated is None else str(self.violated),
            "proof": None if self.proof is None else self.proof.to_json(),
            "witness": None if self.witness is None else self.witness.to_json(),
        }


def stated_limit(step: AveragingStep) -> Fraction:
    """1/(beta sum_k alpha_k)."""
    require(step.total > 0, "weights", "not all zero", step.total, "raise one of them")
    return 1 / (step.beta * step.total)


def bound_after(step: AveragingStep, form: str = "repaired") -> Fraction:
    """The bound of the module on f(x+) - f*.

    Raises
    ------
    InvalidInput
        If the form is unknown, or the refined one is asked for with c > 0.
    """
    require(form in FORMS, "form", f"one of {FORMS}", form, "choose one")
    plain = form == "repaired" or not any(step.slope)
    require(plain, "c", "0 in the refined bound", max(step.slope, default=0), "take repaired")
    others = list(zip(step.weights[1:], step.bias, step.slope, strict=True))
    slope = step.total - sum((a * c for a, _, c in others), Fraction(0))
    bias = sum((a * b * b for a, b, _ in others), Fraction(0))
    if form == "refined":
        bias = sum((a * b for a, b, _ in others), Fraction(0)) ** 2 / step.total
    mu = max(step.mu, Fraction(0))
    require(slope >= 0, "c", "at most 1 in the weighted mean", slope, "lower it")
    return (1 - step.step * mu * slope) * step.start + step.step * bias / 2


def frontier(step: AveragingStep, form: str = "repaired") -> Frontier:
    """Grow the step from the stated limit until the bound fails, and close in on the place.

    Parameters
    ----------
    step : AveragingStep
        Its step size is not used.
    form : {"repaired", "refined"}

    Returns
    -------
    Frontier
        Between the two steps that are named nothing is claimed.
    """
    stated = stated_limit(step)
    proved, proof = _shown(step, stated, form)
    if proof is None:  # a bound that is tight at the limit leaves the certificate no room there
        proved, proof = _shown(step, stated * (1 - WIDTH), form)
    violated, witness, at = None, None, stated
    while at <= LONGEST * stated:
        broken = _broken(step, at, form)
        if broken is not None:
            violated, witness = broken.step.step, broken
            break
        one, other = _shown(step, at, form)
        if other is not None:
            proved, proof = one, other
        at *= GROWTH
    while proved is not None and violated is not None and violated - proved > WIDTH * stated:
        middle = (proved + violated) / 2
        broken = _broken(step, middle, form)
        if broken is not None:
            violated, witness = broken.step.step, broken
            continue
        one, other = _shown(step, middle, form)
        if other is None:
            break
        proved, proof = one, other
    return Frontier(stated, proved, proof, violated, witness)


def _shown(
    step: AveragingStep, size: Fraction, form: str
) -> tuple[Fraction | None, GramCertificate | None]:
    """The step size and a certificate of the bound there, if there is one."""
    size = size.limit_denominator(10**6)
    longer = replace(step, step=size)
    try:
        proof = upper(longer)
    except NoSolution:
        return None, None
    return (size, proof) if proof.bound <= bound_after(longer, form) else (None, None)


def _broken(step: AveragingStep, size: Fraction, form: str) -> WorstInstance | None:
    """An instance above the bound, if there is one."""
    longer = replace(step, step=size.limit_denominator(10**6))
    try:
        found = attained(longer)
    except NoSolution:
        return None
    return found if found.value > bound_after(longer, form) else None
