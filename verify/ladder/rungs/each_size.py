"""Each size in turn: a search that grows by factors leaves out the sizes in between.

``58 N c <= (N^2 + 840) c`` is false for 29 clients and for no other number of them; sizes of 12,
48, 192, ... do not meet it.  So of claims about plain numbers a few instances of every size are
looked at, up to some ten times the largest that a user lists.  What is found is only ever a
witness, and nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

import numpy as np

from verify.claim.parameters import Shape, plain_numbers
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.ladder.search.points import lifted_points, structured_points
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import NO_INSTANCE, ShortHunt
from verify.limits.counter import work_of

__all__ = ["each_size"]


def each_size(statement: Statement, pool: Pool, seed: int) -> Iterator[Candidate]:
    """Instances of one size after the other that break a claim by their floats.

    Parameters
    ----------
    statement : Statement
    pool : Pool
        Of the statement, after a search: its tightest instances are stretched. Nothing is
        remembered in it.
    seed : int

    Yields
    ------
    Candidate
        One of a size; none where the claim is about more than its numbers, or has no sizes.
    """
    family = statement.family
    if family.build is not plain_numbers or statement.quantifier != "all":
        return
    own = Pool(statement, pool.noise, deadline=pool.deadline)
    for number, name in enumerate(family.growing):
        rng = np.random.default_rng([seed, number, 31])
        shape, left = family.shapes[-1], tuning.EACH_SIZE_CALLS
        for size in range(1, tuning.EACH_SIZE + 1):
            hits: list[Candidate] = []
            look = partial(_look, own, pool, {**shape, name: size}, rng, hits)
            try:
                left -= work_of(look, left)
            except NO_INSTANCE:
                break
            yield from islice(hits, 1)
            if left <= 0:
                break


def _look(
    own: Pool, pool: Pool, shape: Shape, rng: np.random.Generator, hits: list[Candidate]
) -> None:
    """Tight instances of other sizes made as large, and structured ones, at one size."""
    family = own.statement.family
    known = lifted_points(pool.tops[: tuning.EACH_SIZE_KNOWN], family, shape)
    made = structured_points(family, shape, tuning.EACH_SIZE_POINTS, rng)
    hunt = ShortHunt(own, shape, rng, family=family)
    hits += [hit for _, hit in hunt.begin(np.concatenate([known, made]))]
