"""Small statements with known truth, and short ways to score and try them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from verify.claim.families import quadratics
from verify.claim.hypothesis import Hypothesis
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.statement import Source, Statement
from verify.ladder import PROFILES, Leaf, assay
from verify.ladder.budgets import Profile
from verify.ladder.search.hunt import Hunt, hits, look, pursue
from verify.ladder.search.pool import Pool
from verify.line import one_line
from verify.world.noise_plan import AllOutcomes
from verify.world.world import World

HERE = Source("test", "")
SMALL = Profile("small", 600, 24, 400, 60)
Sides = Callable[[World], tuple[Mapping[str, Any], Mapping[str, Any]]]


def numbers(*shapes: Shape, **box: Real) -> Family:
    """Bare parameters."""
    return Family(box, shapes or ({},), plain_numbers)


def claim(sides: Sides, family: Family | None = None, **more: Any) -> Statement:
    """A statement whose source and text do not matter."""
    more = {"key": "test.claim", "family": family or numbers(x=Real(-4, 4)), **more}
    return Statement(source=HERE, latex="x", sides=sides, **more)


def assume(margins: Mapping[str, Any], strict: Iterable[str] = ()) -> tuple[Hypothesis, ...]:
    """Hypotheses of these names and rules; their mathematics does not matter."""
    return tuple(
        Hypothesis(name, rf"\text{{{name}}}", rule, strict=name in set(strict))
        for name, rule in margins.items()
    )


def changed(statement: Statement, rule: Callable[..., Any]) -> Statement:
    """The claim with sides that a rule makes of the world and both sides as they are."""

    def sides(w: World) -> Any:
        return rule(w, *statement(w))

    return replace(statement, sides=sides, deduction=None)


def scaled(statement: Statement, factor: Fraction) -> Statement:
    """The claim with every term of its right side times a factor: below one, a false twin."""
    return changed(
        statement,
        lambda _, left, right: (left, {name: factor * value for name, value in right.items()}),
    )


def leaf_of(made: Statement | str, *, seed: int = 0) -> Leaf:
    """A claim at the quick budget for its word: no laws of growth, no mends are looked for."""
    statement = one_line(made) if isinstance(made, str) else made
    return assay(statement, profile=PROFILES["quick"].word_alone(), seed=seed)


def found(statement: Statement, budget: int = 600, seed: int = 0) -> tuple[Pool, Any]:
    """Pool after a search of all shapes and the first hit, None if there is none."""
    pool, hit = Pool(statement, AllOutcomes()), None
    for number, shape in enumerate(statement.family.shapes):
        hunt = Hunt(pool, shape, np.random.default_rng([seed, number]))
        for _, candidate in chain(look(hunt, budget // 2), pursue(hunt, budget // 2, 24)):
            if hit is None and hits(pool, candidate.ratio):
                hit = candidate
    return pool, hit


def exactly(
    statement: Statement, values: Mapping[str, Any], shape: Shape | None = None
) -> Instance:
    """Single instance with every number as the fraction that it is."""
    lifted = {name: fractions(value)[None] for name, value in values.items()}
    return statement.family.instance(lifted, shape or statement.family.shapes[0])[0]


def fractions(values: Any) -> Any:
    """Nested lists of numbers or texts as an object array of fractions."""
    raw = np.array(values, dtype=object)
    out = np.empty(raw.shape, dtype=object)
    for index in np.ndindex(raw.shape):
        out[index] = Fraction(raw[index])
    return out


# -- runs with fixed weights -----------------------------------------------------------------------


def weight_matrix(w: World) -> Any:
    """The same weights for every client."""
    return w.alpha[..., None, :] + 0 * w.alpha[..., :, None]


def short_step(w: World) -> Any:
    """step_share / (beta sum alpha)."""
    return w.step_share / (w.beta * w.alpha.sum(-1))


FIXED = {"weight_matrix": weight_matrix, "step_size": short_step}
FIXED_BOX = {
    "alpha": Real(1 / 8, 1, per=("N",)),
    "step_share": Real(1 / 16, 1, domain=(0, 1)),
}


def fixed_runs(*sizes: tuple[int, int, int]) -> Family:
    """All-for-one with fixed weights on quadratics; sizes are (N, d, rounds)."""
    shapes = tuple({"N": n, "d": d, "rounds": t, "weights": "fixed"} for n, d, t in sizes)
    return quadratics(shapes, FIXED_BOX)


def sampled(family: Family, count: int, seed: int, shape: Shape | None = None) -> Instance:
    """Batch of instances at random points of the box."""
    shape = shape or family.shapes[0]
    u = np.random.default_rng(seed).random((count, family.width(shape)))
    return family.instance(family.decode(u, shape), shape)
