"""Witnesses forged against the library: an instance that is none of a statement's is refused.

Of each leaf over plain numbers one instance from the middle of its ranges is taken, which is one of
it, and spoilt in each way in turn.  `replay` and `audit` both ask `outside`; one way of each leaf,
another one from leaf to leaf, goes through both with the numbers that the forged instance has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify.catalogue.library import library
from verify.claim.instance import Instance
from verify.claim.parameters import Family, plain_numbers
from verify.claim.statement import Statement
from verify.ledger.bindings import Bindings
from verify.ledger.witness import recomputed
from verify.world.domain import _built, outside
from verify.world.referee import exact_instance, rescore

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

    for name, real in ((n, r) for n, r in family.box.items() if n in params):
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


@each("leaf", LEAVES, ids=lambda leaf: leaf.key)
def test_no_forged_instance_is_one_of_the_statement(leaf: Statement) -> None:
    good = middle(leaf.family)
    assert outside(leaf, good) == ""
    believed = [name for name, bad in spoilt(leaf.family, good) if not outside(leaf, bad)]
    # an instance with fewer parameters may be one of another family of the statement
    assert [name for name in believed if not (leaf.also and name.endswith("missing"))] == []


def forged(leaf: Statement, bad: Instance) -> dict[str, Any]:
    """A witness with the numbers of a forged instance, so that nothing but it can be refused."""
    try:
        numbers = rescore(leaf, bad).numbers(leaf.quantifier)
    except Exception:  # whatever the formulas make of it: a forger writes any numbers
        numbers = {"number": "rational", "left": "1/1", "right": "0/1", "margins": {}}
        numbers |= {"relation": leaf.relation, "quantifier": leaf.quantifier}
    if leaf.relation == "<~":
        numbers["relation"] = "<~"
    return {"key": leaf.key, "instance": bad.to_json(), **numbers}


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_replay_and_audit_refuse_a_forged_witness_of_every_leaf_with_a_sentence(
    stride: int,
) -> None:
    believed, said, leaves = [], 0, LEAVES[::stride]
    for number, leaf in enumerate(leaves):
        ways = list(spoilt(leaf.family, middle(leaf.family)))
        name, bad = ways[number % len(ways)]
        if leaf.also and name.endswith("missing"):
            continue
        stored = forged(leaf, bad)
        try:
            again = recomputed(leaf, stored)
            replayed = "" if again.confirmed else again.differences[0]
        except InvalidInput as error:
            replayed = str(error)
        path = Path(f"{leaf.key}.json")
        audits = [list(Bindings(deep=deep).witness(stored, path)) for deep in (True, False)]
        said += replayed.startswith("the instance is none of the statement's: ")
        if not replayed or not all(audits):
            believed.append((leaf.key, name, replayed, audits))
    assert believed == []
    assert said > len(leaves) / 2, "the others have no value at all"


ENDS = (0.5, 0.5), (0.1, 0.8), (0.7, 0.3)


def settled(family: Family) -> Iterator[tuple[str, int]]:
    """Entries of parameters that a family's function gives one value whatever is drawn."""
    made = [exact_instance(one) for ends in ENDS for one in _built(family, *ends)]
    for name, real in family.box.items():
        sides = [np.ravel(np.asarray(one.params.get(name, ()), dtype=object)) for one in made]
        fewest = min((side.size for side in sides), default=0)
        for place in range(fewest if real.low < real.high else 0):
            if len({side[place] for side in sides}) == 1:
                yield name, place


def test_what_a_family_settles_cannot_be_forged() -> None:
    """A client's similarity to itself is 1, its own bias is 0: 35 leaves settle such values."""
    leaves, ways, believed = set(), 0, []
    for entry in library():
        for leaf in (leaf for leaf in entry.leaves if leaf.sides is not None):
            if leaf.family.build is plain_numbers:
                continue
            for name, place in settled(leaf.family):
                good = exact_instance(next(_built(leaf.family)))
                value = np.array(good.params[name], dtype=object)
                value.reshape(-1)[place] += Fraction(1, 8)
                leaves.add(leaf.key)
                ways += 1
                if not outside(leaf, replace(good, params={**good.params, name: value})):
                    believed.append((leaf.key, name, place))
    assert believed == []
    assert len(leaves) > 30
    assert ways > 50


def test_what_the_families_build_is_inside() -> None:
    """A genuine witness is never refused, whatever a family's own function makes of parameters.

    Leaves with the same families are one question.
    """
    every = [leaf for entry in library() for leaf in entry.leaves if leaf.sides is not None]
    alike = {tuple(map(id, (leaf.family, *leaf.also))): leaf for leaf in every}
    assert len(every) > len(alike) > 200
    refused = [
        (leaf.key, outside(leaf, exact_instance(made)))
        for leaf in alike.values()
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
