"""Hypotheses as data: what is assumed, in mathematics, with the rule that decides it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import require
from verify.claim.literals import exact_literals

if TYPE_CHECKING:
    pass

__all__ = ["Hypothesis", "hypothesis", "hypotheses_of"]

Margin = Callable[..., Any]
"""Of the world and, in a claim that has readings, of the reading ``r``."""


@dataclass(frozen=True)
class Hypothesis:
    r"""One thing that a statement assumes.

    Parameters
    ----------
    name : str
        Short name in plain text; unique within a statement. Margins in witnesses bear it.
    latex : str
        The condition in mathematics.
    rule : callable
        ``world -> margin``, shape (B, R) or, for a condition on every client or round, with
        further axes; the hypothesis holds on an outcome where no margin is below 0. In a claim
        that has readings it may take the reading as its second argument ``r``.
    where : str
        Place in the paper where it is printed; empty where the paper does not print it.
    strict : bool
        Whether the margin must be above 0.
    defining : bool
        Whether a formula of the claim has no value without it (a divisor that must not be zero).
        Not printed and not defining means added, which the printed form of a paper must not be.

    Examples
    --------
    >>> short = Hypothesis("short step", r"\eta\le 1/\beta", lambda w: 1 - w.step_size * w.beta)
    >>> short.at("Lemma 1").where
    'Lemma 1'
    """

    name: str
    latex: str
    rule: Margin
    where: str = ""
    strict: bool = False
    defining: bool = False

    def __post_init__(self) -> None:
        require(bool(self.name.strip()), "hypothesis", "named", self.name, "give it a short name")
        require(
            callable(self.rule),
            f"rule of {self.name}",
            "a function of the world",
            self.rule,
            "pass lambda w: left - right",
        )
        object.__setattr__(self, "rule", exact_literals(self.rule))

    @property
    def tag(self) -> str:
        """``printed``, ``defining`` or ``added``."""
        return "printed" if self.where else "defining" if self.defining else "added"

    @property
    def needed(self) -> str:
        """What the margin must be."""
        return "> 0" if self.strict else ">= 0"

    def at(self, where: str) -> Hypothesis:
        """The same hypothesis as another place prints it."""
        return replace(self, where=where)


def hypothesis(
    name: str, latex: str, *, where: str = "", strict: bool = False, defining: bool = False
) -> Callable[[Margin], Hypothesis]:
    """Decorator that makes a hypothesis of its rule; parameters as for :class:`Hypothesis`."""

    def made(rule: Margin) -> Hypothesis:
        return Hypothesis(name, latex, rule, where, strict, defining)

    return made


def hypotheses_of(key: str, given: Any) -> tuple[Hypothesis, ...]:
    """What a statement assumes, as a tuple.

    Raises
    ------
    InvalidInput
        If it is something else than hypotheses, or two of them bear one name.
    """
    listed = isinstance(given, Iterable) and not isinstance(given, str)
    found = tuple(given) if listed else ()
    require(
        listed and all(isinstance(item, Hypothesis) for item in found),
        f"{key}: given",
        "a list of Hypothesis",
        given,
        "pass [Hypothesis(name, latex, rule), ...]",
    )
    names = [item.name for item in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    require(not twice, f"{key}: given", "hypotheses of different names", twice, "rename one")
    return found
