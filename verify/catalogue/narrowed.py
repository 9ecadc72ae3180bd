"""Which forms are a printed claim under more hypotheses: the same formulas, nothing else changed.

Fewer sizes of the same family are a hypothesis too: ``d >= 2`` where the printed claim has d = 1.

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

SAME = ("relation", "over", "quantifier", "defines", "delta", "ceiling")
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
            sizes = _fewer_sizes(leaf, one)
            if sizes is None or not (before < after or (before == after and sizes)):
                continue
            if _alike(leaf, one):
                more = [h.name for h in leaf.given if h.name not in before]
                yield {"leaf": leaf.key, "of": one.key, "given": [*sizes, *more]}


def _fewer_sizes(leaf: Statement, printed: Statement) -> list[str] | None:
    """From where on sizes go in a form whose family is the printed one without small sizes.

    Empty where the families are the same, None where they differ otherwise.
    """
    own, before = leaf.family, printed.family
    if own == before:
        return []
    if (own.box, own.build, own.units) != (before.box, before.build, before.units):
        return None
    left = [shape for shape in before.shapes if shape not in own.shapes]
    names = sorted({name for shape in before.shapes for name in shape})
    for name in names:
        kept = [shape[name] for shape in own.shapes if isinstance(shape.get(name), int)]
        gone = [shape[name] for shape in left if isinstance(shape.get(name), int)]
        if kept and gone and len(kept) == len(own.shapes) and max(gone) < min(kept):
            return [f"{name} >= {min(kept)}"]
    return None


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
