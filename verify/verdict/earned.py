"""What `holds` costs, as rules on the numbers that evidence carries.

Each rule returns what is wrong in one sentence, empty where nothing is.  The ladder asks them when
it writes evidence, the verdict asks them again of what was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verify.verdict.relation import LEAST_MET, LEAST_MET_SHAPE

__all__ = ["one_expression", "sides_fault", "silent", "tautology", "too_few"]


def too_few(details: Mapping[str, Any]) -> str:
    """Whether enough different instances met every hypothesis.

    Parameters
    ----------
    details : mapping
        Of the evidence on hypotheses: ``met``, different instances by shape, and ``fixed``, the
        shapes that are single instances: without parameters, or held by equalities.
    """
    met, fixed = details.get("met"), details.get("fixed", ())
    if not isinstance(met, Mapping) or not met:
        return "how many instances of each shape met every hypothesis is not known"
    for shape, count in met.items():
        least = 1 if shape in fixed else LEAST_MET_SHAPE
        if count < least:
            named = f" in the shape {shape}" if shape else ""
            return (
                f"only {count} different instances{named} met every hypothesis, fewer than "
                f"{least}: a family that builds the hypotheses in, or leaves the shape out, "
                "would decide"
            )
    total = sum(met.values())
    if len(fixed) < len(met) and total < LEAST_MET:
        return (
            f"only {total} different instances met every hypothesis, fewer than {LEAST_MET}: a "
            "family that builds the hypotheses in would decide"
        )
    return ""


def sides_fault(details: Mapping[str, Any]) -> str:
    """Whether both sides can come out otherwise.

    Parameters
    ----------
    details : mapping
        Of the evidence on sides: ``values``, the least and the largest value of each side;
        ``computed``, whether any side depends on the instance; ``idle``, whether the side to be
        bounded is 0 and its bound never negative; ``expression``, ``one`` or ``two``; ``free``,
        whether the family has parameters.
    """
    if one_expression(details):
        return (
            "the two sides are one expression, which no instance can tell apart: the claim needs "
            "a side that is computed in another way"
        )
    if not details.get("free", True):
        return ""
    if details.get("idle"):
        return (
            "the side that is bounded is 0 on every instance and its bound is never negative: "
            "write the claim as left <= right, or take a family on which that side moves"
        )
    values = details.get("values", [])
    if values and all(low == high for low, high in values) and not details.get("computed"):
        return (
            "both sides are constants, whatever the instance: the claim needs a side that "
            "depends on it"
        )
    return ""


def silent(details: Mapping[str, Any]) -> str:
    """What to say of a claim about a run that is none about how it runs; empty where it is one.

    Parameters
    ----------
    details : mapping
        Of the evidence on the method: ``fall``, ``stand`` and ``without``, the controls that break
        the claim, satisfy it, and have no value. One that is broken by none, and was tried, may be
        about weights at a point or about the instances; it says nothing of what moves the models.
    """
    stand = details.get("stand", ())
    if details.get("fall") or not stand:
        return ""
    return f"says nothing of what moves the models: it stands for {', '.join(map(str, stand))} too"


def tautology(details: Mapping[str, Any]) -> str:
    """What to say first of a claim that is true whatever it is about; empty where it is not.

    Parameters
    ----------
    details : mapping
        Of the evidence on sides, see :func:`sides_fault`, with ``premise``, the hypothesis that
        the claim repeats, ``alike`` and ``identity``, that both sides are one quantity, and
        ``extreme``, that one is the largest or smallest of numbers of which the other is one.
    """
    if details.get("premise"):
        return f"says nothing: it is its hypothesis “{details['premise']}” again"
    if details.get("extreme"):
        return (
            "says nothing: one side is the largest or smallest of numbers of which the other is one"
        )
    if details.get("alike"):
        return "says nothing as an inequality: both sides are one number on every instance"
    if details.get("identity"):
        return "an identity: both sides are one quantity, computed in two ways"
    values = details.get("values", [])
    if details.get("free") and values and all(low == high for low, high in values):
        return "says nothing of the instance: both sides are constants"
    return ""


def one_expression(details: Mapping[str, Any]) -> bool:
    """Whether both sides were found to be one expression."""
    return details.get("expression") == "one"
