"""Claims about one round in vectors: proved where true, for what the program says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import scaled
from verify.catalogue.library import library
from verify.certify.checker import accepts
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.federations.reading import settings_of
from verify.reading.federations.steps import StepRuns
from verify.world.world import World

KEYS = ("adaptive.S1", "adaptive.lemma1.exact/before", "adaptive.lemma1.var")


@pytest.fixture(params=KEYS)
def leaf(request: pytest.FixtureRequest) -> Statement:
    return library().leaf(request.param)


def proofs(statement: Statement) -> list[Any]:
    return [e.proof for e in prove(statement) if e.status == "decided" and e.proof]


def with_sides(leaf: Statement, change: Callable[[World, Any, Any], tuple[Any, Any]]) -> Statement:
    """The same claim of other sides."""

    def sides(w: World) -> Any:
        left, right = leaf.sides(w)
        return change(w, left, right)

    return replace(leaf, sides=sides)


def test_what_is_true_is_proved(leaf: Statement) -> None:
    (proof,) = proofs(leaf)
    assert recheck(leaf, proof, whole=True)
    for one in proof["certificates"]:
        assert accepts(one["written"])
        assert one["shape"]["N"] in ("any", 1)


@pytest.mark.parametrize("factor", [Fraction(999, 1000), Fraction(1001, 1000)])
@pytest.mark.every(3)
def test_what_is_a_little_less_is_not(leaf: Statement, factor: Fraction) -> None:
    assert not proofs(scaled(leaf, factor))
    assert not any(recheck(scaled(leaf, factor), proof) for proof in proofs(leaf))


def _move(w: World, first: int | None = None) -> Any:
    theta = w.run().theta
    return xp.squared_norm((theta[..., 0, :] - theta[..., 1, :])[..., :first])


def test_the_first_coordinate_is_not_the_vector() -> None:
    """On the line it is: runs in two dimensions tell them apart."""
    leaf = library().leaf("adaptive.lemma1.var")

    def first(w: World, left: Any, right: Any) -> tuple[Any, Any]:
        (whole,) = left.values()
        return {"|g|^2": whole * _move(w, 1) / _move(w)}, right

    assert not proofs(with_sides(leaf, first))


def test_products_of_norms_are_no_inner_products() -> None:
    leaf = library().leaf("adaptive.S1")

    def norms(w: World, left: Any, right: Any) -> tuple[Any, Any]:
        return left, {**right, "norms": w.beta * xp.sqrt(_move(w)) ** 3}

    assert not proofs(with_sides(leaf, norms))


@pytest.mark.parametrize("key", KEYS[:2])
def test_smoothness_is_needed_in_full(key: str) -> None:
    def less(w: World, left: Any, right: Any) -> tuple[Any, Any]:
        return left, {**right, "less": -w.beta * _move(w) / 1000}

    assert not proofs(with_sides(library().leaf(key), less))


def test_noise_is_not_forgotten() -> None:
    """The noise that a step has, and no less, stands in the second moment."""

    def without(w: World, left: Any, right: Any) -> tuple[Any, Any]:
        return left, {n: v for n, v in right.items() if n != "variances"}

    leaf = library().leaf("adaptive.lemma1.var")
    assert not proofs(with_sides(leaf, without))
    assert not proofs(replace(with_sides(leaf, without), relation="<="))
    assert proofs(replace(with_sides(leaf, without), relation=">="))
    assert proofs(replace(leaf, relation="<="))


def test_what_is_of_third_degree_or_about_a_place_is_not_read() -> None:
    leaf = library().leaf("adaptive.S1")

    def cubed(w: World, left: Any, right: Any) -> tuple[Any, Any]:
        return left, {**right, "cube": _move(w) ** 2}

    def place(w: World, left: Any, right: Any) -> tuple[Any, Any]:
        return left, {**right, "place": xp.squared_norm(w.run().theta[..., 0, :])}

    for change in (cubed, place):
        assert not proofs(with_sides(leaf, change))


def test_a_statement_about_more_rounds_is_about_something_else() -> None:
    from verify.reading.parts.refusals import NotReadable

    with pytest.raises(NotReadable):
        settings_of(library().leaf("adaptive.theorem1.refined"), StepRuns)
