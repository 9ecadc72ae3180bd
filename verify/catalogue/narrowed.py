"""Which forms are a printed claim under more hypotheses: the same formulas, nothing else changed.

Where such a form stands and the printed claim falls, its further hypotheses are the condition that
the printed claim lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from verify.catalogue.entry import Entry
from verify.claim.statement import Statement

__all__ = ["narrowed"]

SAME = ("relation", "over", "quantifier", "family", "defines", "delta", "ceiling")
"""Fields that must be alike, beside the sides."""


def narrowed(form: Entry, printed: Entry) -> Iterator[dict[str, Any]]:
    """Leaves of a form that say what a printed leaf says, under more hypotheses.

    Parameters
    ----------
    form : Entry
        Repaired, refined or explicit.
    printed : Entry
        The entry that it is a form of.

    Yields
    ------
    dict
        ``leaf``, the leaf of the form, ``of``, the printed leaf, and ``given``, the names of the
        further hypotheses.
    """
    for leaf in form.claims:
        for one in printed.claims:
            before, after = ({h.name for h in claim.given} for claim in (one, leaf))
            if before < after and _alike(leaf, one):
                more = [h.name for h in leaf.given if h.name not in before]
                yield {"leaf": leaf.key, "of": one.key, "given": more}


def _alike(one: Statement, other: Statement) -> bool:
    same = all(getattr(one, name) == getattr(other, name) for name in SAME)
    return same and _program(one.sides) == _program(other.sides)


def _program(sides: Any) -> tuple[Any, ...]:
    """The function of the sides, with what is bound to it: a reading, say."""
    bound: list[Any] = []
    while isinstance(sides, partial):
        bound += [sides.args, sorted(sides.keywords.items())]
        sides = sides.func
    return (sides, *bound)
