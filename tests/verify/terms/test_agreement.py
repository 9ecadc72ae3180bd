"""A term has the value of the program that it was traced from, in floats and in fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.reading.parts.values import rational_values
from verify.terms.claims import as_terms, terms_of
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.score import Score, score

LEAVES = [leaf for entry in library() for leaf in entry.leaves if leaf.sides is not None]
STRIDE = 12
"""Of the library every twelfth statement by default; all of them are slow."""
LARGEST = 16
"""Of any size in exact numbers: a run in fractions of more rounds takes long."""


def instances(leaf: Statement) -> Any:
    """Instances of the first and the last listed shape of each family, by kind of number."""
    for family in (leaf.family, *leaf.also):
        for shape in dict.fromkeys((0, len(family.shapes) - 1)):
            at = family.shapes[shape]
            u = np.random.default_rng(3).uniform(size=(3, family.width(at)))
            with np.errstate(all="ignore"):
                yield "float64", family.instance(family.decode(u, at), at)
            if all(v <= LARGEST for v in at.values() if type(v) is int):
                values = rational_values(family.box, at, Random(leaf.key))
                yield "exact", family.instance({k: v[None] for k, v in values.items()}, at)


def asked(leaf: Statement, instance: Any, number: str) -> Score | str:
    """The score, or what kind of answer there is instead."""
    try:
        return score(leaf, instance, number)
    except (ArithmeticError, ValueError, LookupError, NotAvailable, NoValue) as error:
        return type(error).__name__


def alike(one: Any, other: Any) -> bool:
    """Whether two exact numbers are the same; of balls, whether they have the same ends."""
    exact = isinstance(one, Fraction | int) and isinstance(other, Fraction | int)
    return bool(one == other) if exact else repr(one) == repr(other)


def same(one: Any, other: Any) -> bool:
    """Whether two arrays are equal, number by number."""
    first, second = np.asarray(one), np.asarray(other)
    if first.shape != second.shape:
        return False
    if first.dtype == object or second.dtype == object:
        return all(map(alike, first.ravel(), second.ravel()))
    return bool(np.array_equal(first, second, equal_nan=True))


def agrees(leaf: Statement) -> int:
    """On how many instances term and program are alike; fails where they are not."""
    found = 0
    for number, instance in instances(leaf):
        program, term = (asked(one, instance, number) for one in (leaf, as_terms(leaf)))
        if isinstance(program, str) or isinstance(term, str):
            assert program == term
            continue
        assert same(program.left, term.left)
        assert same(program.right, term.right)
        assert program.margins.keys() == term.margins.keys()
        assert all(same(v, term.margins[k]) for k, v in program.margins.items())
        found += 1
    return found


@pytest.mark.parametrize("leaf", LEAVES[::STRIDE], ids=lambda leaf: str(leaf.key))
def test_a_term_has_the_value_of_its_program(leaf: Statement) -> None:
    if terms_of(leaf) is not None:
        agrees(leaf)


@pytest.mark.slow
def test_all_terms_have_the_values_of_their_programs() -> None:
    assert sum(agrees(leaf) for leaf in LEAVES if terms_of(leaf) is not None) > 3000


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_nine_of_ten_statements_of_the_library_are_terms(stride: int) -> None:
    leaves = LEAVES[::stride]
    found = sum(terms_of(leaf) is not None for leaf in leaves)
    assert found >= 0.9 * len(leaves)
    results = [leaf for leaf in leaves if leaf.kind in ("theorem", "lemma", "corollary")]
    assert all(terms_of(leaf) is not None for leaf in results if leaf.kind == "theorem")
