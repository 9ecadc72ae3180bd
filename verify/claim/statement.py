"""The one record of the toolkit: a checkable claim.

An identity, a one-step inequality in conditional mean, a bound after T steps, a high-probability
bound and "method X is method Y when ..." are all a :class:`Statement`.  It says what the two sides
are in a world, under which hypotheses, over which part of the randomness, and where to look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import require
from verify.claim.parameters import Family, Real, Shape

if TYPE_CHECKING:
    from verify.claim.instance import Instance
    from verify.world.world import World

__all__ = ["Family", "Real", "Shape", "Source", "Statement", "Terms"]

Terms = Mapping[str, Any]
Sides = Callable[["World"], tuple[Terms, Terms]]

RELATIONS = ("<=", ">=", "==", "<~")
OVERS = ("point", "mean", "path", "prob")
FORMS = ("printed", "repaired", "explicit", "refined", "empty", "trivial")


@dataclass(frozen=True)
class Source:
    """Where a statement stands: paper key, place in the paper, arXiv identifier if known."""

    paper: str
    where: str
    arxiv: str = ""


def no_hypotheses(world: World) -> Terms:
    """Nothing is assumed."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One checkable claim: ``left RELATION right`` wherever the hypotheses hold.

    Parameters
    ----------
    key : str
        ``paper.id`` or, for one part or reading of it, ``paper.id/part@reading``.
    source : Source
        Paper and place.
    latex : str
        The claim in mathematics.
    family : Family
        Where to look for instances.
    sides : callable
        ``world -> ({name: term}, {name: term})``; a negative term counts on the other side.
        Its docstring is the reader's commentary (for a repaired form: the proof).
    given : callable
        ``world -> {name: margin}``; a hypothesis holds where its margin is >= 0 on every outcome.
    strict : frozenset of str
        Hypotheses whose margin must be > 0.
    defines : mapping
        Symbols that the statement itself defines (a step-size rule, a constant), world -> value.
    relation : {"<=", ">=", "==", "<~"}
        ``<~`` means up to an unnamed constant.
    over : {"point", "mean", "path", "prob"}
        What is compared: each point, the means over the noise, every outcome, or the probability
        of ``left > right`` with ``delta``.
    delta : callable or None
        World -> level, for ``over="prob"``.
    quantifier : {"all", "some"}
        Whether all instances must satisfy the claim or one suffices.
    form : str
        printed, repaired, explicit, refined, empty or trivial.
    kind : str
        theorem, lemma, property, definition, remark, proof step, claim.
    uses : tuple of str
        Keys of the statements that this one rests on.
    empties : str
        For the form ``empty``: key of the statement whose hypotheses this one refutes.
    lift : callable or None
        For the form ``empty``: world of the refuted statement -> the scalars of this one, so that
        the hypotheses here can be checked to be consequences of the ones there.
    simulate : tuple of callables
        Larger instances for the simulation rung, each ``() -> Instance``.
    ceiling : callable or None
        World -> proved upper bound of the left side on every outcome; lets simulation certify.
    deduction : Statement or None
        For a proof step: the same inequality over free non-negative symbols, its hypotheses the
        displays before it. Proved means that the step follows from them, violated that it does
        not.
    missing : str
        What is missing to check the claim; such a statement is ``not-checkable``.
    """

    key: str
    source: Source
    latex: str
    family: Family = field(default_factory=lambda: Family({}))
    sides: Sides | None = None
    given: Callable[[World], Terms] = no_hypotheses
    strict: frozenset[str] = frozenset()
    defines: Mapping[str, Callable[[World], Any]] = field(default_factory=dict)
    relation: str = "<="
    over: str = "point"
    delta: Callable[[World], Any] | None = None
    quantifier: str = "all"
    form: str = "printed"
    kind: str = "theorem"
    title: str = ""
    uses: tuple[str, ...] = ()
    empties: str = ""
    lift: Callable[[World], Mapping[str, Any]] | None = None
    simulate: tuple[Callable[[], Instance], ...] = ()
    ceiling: Callable[[World], Any] | None = None
    deduction: Statement | None = None
    missing: str = ""

    def __post_init__(self) -> None:
        for name, allowed in (("relation", RELATIONS), ("over", OVERS), ("form", FORMS)):
            value = getattr(self, name)
            what = f"{self.key}: {name}"
            require(value in allowed, what, f"one of {allowed}", value, "choose one")
        require(
            self.quantifier in ("all", "some"), f"{self.key}: quantifier", "all or some",
            self.quantifier, "choose one",
        )  # fmt: skip
        require(
            self.sides is not None or bool(self.missing), f"{self.key}: sides", "given",
            None, "pass sides=..., or missing=... for a claim that cannot be checked",
        )  # fmt: skip
        require(
            self.over != "prob" or self.delta is not None, f"{self.key}: delta", "given",
            None, "pass delta=world -> level with over='prob'",
        )  # fmt: skip

    @property
    def entry(self) -> str:
        """Key of the ledger entry that this leaf belongs to."""
        return self.key.split("/")[0].split("@")[0]

    @property
    def part(self) -> str:
        """Part of the entry (a chain of inequalities has several), empty if it is all of it."""
        return self.key.split("@")[0].partition("/")[2]

    @property
    def reading(self) -> str:
        """Reading of an open place in the paper, empty if there is only one."""
        return self.key.partition("@")[2]

    @property
    def commentary(self) -> str:
        """What the author of the record says about it."""
        return ((self.sides.__doc__ if self.sides else "") or "").strip()
