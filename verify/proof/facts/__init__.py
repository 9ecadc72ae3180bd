"""Rules of facts, by name: each gives inequalities that hold by an assumption or a definition.

One file for each kind of assumption.  These files are trusted, use the standard library alone, and
each rule has a false twin that exact runs must refuse.
"""

from verify.proof.facts import (
    below,
    condition,
    convex,
    draw,
    exponential,
    growth,
    lipschitz,
    method,
    minimum,
    mixing,
    noise,
    pl,
    projection,
    prox,
    relation,
    smooth,
    strongly_convex,
    weights,
)
from verify.proof.facts.rule import FactRule

__all__ = ["FACTS", "FactRule"]

FACTS: dict[str, FactRule] = {
    rule.name: rule
    for module in (
        smooth,
        convex,
        strongly_convex,
        pl,
        lipschitz,
        minimum,
        noise,
        draw,
        method,
        condition,
        prox,
        projection,
        mixing,
        weights,
        relation,
        growth,
        below,
        exponential,
    )
    for rule in module.RULES
}
