"""Terms of further functions of a statement's world: what a quantity is called in a claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.statement import Statement
from verify.terms.claims import ClaimTerms, example_of_family
from verify.terms.node import Node
from verify.terms.refusals import NotTraceable
from verify.terms.trace import NO_EXAMPLE, TracedClaim
from verify.terms.traced import SETTLED, lifted
from verify.terms.world import TracingWorld

__all__ = ["asked"]


def asked(
    statement: Statement,
    terms: ClaimTerms,
    claim: TracedClaim,
    functions: Mapping[str, Callable[[Any], Any]],
) -> dict[str, tuple[Node, ...]]:
    """The terms of functions of the world, traced as the functions of a statement are.

    Parameters
    ----------
    statement : Statement
        As it was written, with its own functions.
    terms : ClaimTerms
        Its terms.
    claim : TracedClaim
        Those for one choice of what is no number and no size.
    functions : mapping
        By name; what the statement has no value for is left out.

    Returns
    -------
    dict of str to tuple of Node
        With literals as floats, and as exact numbers, which a claim may be kept with.
    """
    example = next(
        world
        for family in (statement.family, *statement.also)
        for shape in family.shapes
        if terms.of(world := example_of_family(statement, family, shape)) is claim
    )
    found: dict[str, tuple[Node, ...]] = {}
    for exact in (False, True):
        tracing = TracingWorld(example, terms.sizes, statement.defines, exact)
        for name, function in functions.items():
            token = SETTLED.set({})
            try:
                with unchecked(), np.errstate(all="ignore"):
                    made = lifted(function(tracing))
            except (NotTraceable, *NO_EXAMPLE):
                continue
            finally:
                SETTLED.reset(token)
            found[name] = (*found.get(name, ()), made)
    return found
