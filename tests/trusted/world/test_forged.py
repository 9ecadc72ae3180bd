"""Witnesses forged against the library: an instance that is none of a statement's is refused.

Of each leaf over plain numbers one instance from the middle of its ranges is taken, which is one of
it, and spoilt in each way in turn.  `replay` and `audit` both ask `outside`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from verify.catalogue.library import library
from verify.claim.instance import Instance
from verify.claim.parameters import Family, plain_numbers
from verify.claim.statement import Statement
from verify.world.domain import _built, outside
from verify.world.referee import exact_instance

LEAVES = [
    leaf
    for entry in library()
    for leaf in entry.leaves
    if leaf.sides is not None and leaf.family.build is plain_numbers and leaf.family.box
]


def middle(family: Family) -> Instance:
    """The instance from the middle of all ranges, of the last listed shape, exact."""
    shape = family.shapes[-1]
    values = family.decode(np.full((1, family.width(shape)), 0.5), shape)
    return exact_instance(family.instance(values, shape)[0])


def spoilt(family: Family, good: Instance) -> Iterator[tuple[str, Instance]]:
    """Every way in which an instance can be none, with its name."""
    params = dict(good.params)

    def put(name: str, value: Any) -> Instance:
        return replace(good, params={**params, name: value})

    for name, real in family.box.items():
        value = np.asarray(params[name], dtype=object)
        if not value.size:
            continue
        yield f"{name} with one more axis", put(name, value[None])
        low, high = real.limits
        for end, step in (low, -1), (high, 1):
            if np.isfinite(end) and not (any(real.unit) and end != 0):
                yield f"{name} beyond {end}", put(name, value * 0 + Fraction(end) + step)
        if real.per:
            yield f"{name} too long", put(name, np.concatenate([value, value[-1:]]))
        left_out = {k: v for k, v in params.items() if k != name}
        yield f"{name} missing", replace(good, params=left_out)
    for name, value in params.items():
        if isinstance(value, int) and not isinstance(value, bool):
            yield f"{name} not whole", put(name, Fraction(2 * value + 1, 2))
            yield f"{name} negative", put(name, -1 - abs(value))
    yield "another family", replace(good, family="quadratic")


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.key)
def test_no_forged_instance_is_one_of_the_statement(leaf: Statement) -> None:
    good = middle(leaf.family)
    assert outside(leaf, good) == ""
    believed = [name for name, bad in spoilt(leaf.family, good) if not outside(leaf, bad)]
    # an instance with fewer parameters may be one of another family of the statement
    assert [name for name in believed if not (leaf.also and name.endswith("missing"))] == []


def test_what_the_families_build_is_inside() -> None:
    """A genuine witness is never refused, whatever a family's own function makes of parameters."""
    refused = [
        (leaf.key, outside(leaf, exact_instance(made)))
        for entry in library()
        for leaf in entry.leaves
        if leaf.sides is not None
        for family in (leaf.family, *leaf.also)
        for made in _built(family)
        if outside(leaf, exact_instance(made))
    ]
    assert refused == []


def test_there_are_leaves_and_ways() -> None:
    """Negative control: the test above is about something."""
    ways = [name for leaf in LEAVES for name, _ in spoilt(leaf.family, middle(leaf.family))]
    assert len(LEAVES) > 300
    assert len(ways) > 2000
