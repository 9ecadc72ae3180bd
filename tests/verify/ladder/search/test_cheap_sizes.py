"""Sizes that are numbers in a formula are searched as far as they cost nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.each import each
from tests.verify.cases import claim
from verify import check, numbers
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.world.world import World


def _harmonic(name: str, bound: int, *listed: int, **box: Real) -> Statement:
    def sides(w: World) -> Any:
        total = sum((Fraction(1, k) for k in range(1, getattr(w, name) + 1)), Fraction(0))
        return {"harmonic": total}, {"bound": bound + sum(0 * getattr(w, x) for x in box)}

    return claim(sides, Family(box, tuple({name: n} for n in listed)))


@each("name", ["N", "rounds"])
def test_a_cheap_size_is_searched_far_beyond_what_is_listed(name: str) -> None:
    """The harmonic sum exceeds 4 at 31 and 7 at 616; twelve was the end before."""
    for made in (_harmonic(name, 4, *range(1, 13)), _harmonic(name, 7, 1, 2, 3, 12)):
        assert assay(made, profile=PROFILES["quick"].word_alone()).verdict == "violated"


def test_a_word_from_instances_names_in_its_first_line_where_it_ends() -> None:
    found = check(_harmonic("N", 50, *range(1, 13)), profile="quick")
    assert found.verdict == "holds", found
    size = int(found.reason.partition("looked at up to N = ")[2].split(";")[0])
    assert size >= 512
    assert found.reason in str(found).splitlines()[0]
    bounded = check("exp(-x) <= exp(-y) + x + 10 for x, y >= 0", profile="quick")
    assert "looked at up to x = 64, y = 64" in bounded.reason
    whole = check("exp(x) <= 3*y + 20 for x, y in [0, 1]", profile="quick")
    assert "looked at up to" not in whole.reason  # the domain ends there


def _scaled(most: int) -> Statement:
    """H x <= most x for H = 2 and 4."""
    family = Family({"x": Real(1 / 4, 4)}, ({"H": 2}, {"H": 4}))
    return claim(lambda w: ({"left": w.H * w.x}, {"right": most * w.x}), family)


def test_the_only_size_is_searched_under_any_name() -> None:
    quick = PROFILES["quick"].word_alone()
    assert assay(_scaled(20), profile=quick).verdict == "violated"
    assert assay(_scaled(500), profile=quick).verdict == "violated"


@each("claim", ["(sum_i x[i])**2 <= 30*sum_i x[i]**2", "norm1(x) <= 20*norm(x) for vectors x"])
@pytest.mark.slow
def test_hundreds_of_clients_and_coordinates_are_searched_at_quick(claim: str) -> None:
    """The first falls at N = 31, the second at d = 401."""
    assert check(claim, profile="quick").verdict == "violated"


def test_what_is_a_choice_does_not_grow() -> None:
    shapes = ({"N": 2}, {"N": 3})
    assert Family({}, shapes).growing == ("N",)
    assert Family({}, shapes, grow=()).growing == ()
    assert numbers({}, *shapes).growing == ("N",)
    assert numbers({}, *shapes, grow=()).growing == ()
    assert Family({}, ({"sign": -1}, {"sign": 1})).growing == ()
    assert Family({}, ({"a": 1, "b": 1}, {"a": 2, "b": 2})).growing == ()
