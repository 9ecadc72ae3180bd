"""What a user's own file needs comes from ``verify`` itself, and ``check`` decides it."""

from __future__ import annotations

import pytest

import verify
from bounds.numbers.validate import InvalidInput
from tests.verify.cases import assume
from verify import Real, Statement, check, numbers, statement


def product(factor: int) -> Statement:
    """factor x y <= (x + y)^2: true up to factor 4."""
    made = statement(
        f"mine.times{factor}",
        where="Lemma 1",
        latex=rf"{factor}xy \le (x+y)^2",
        family=numbers({"x": Real(0, 10), "y": Real(0, 10)}),
        given=assume({"x is at least 1": lambda w: w.x - 1}),
    )
    return made(lambda w: ({"product": factor * w.x * w.y}, {"square": (w.x + w.y) ** 2}))


@pytest.mark.parametrize("name", verify.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(verify, name).__name__ == name or name == "Sides"
    assert name in dir(verify)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        verify.no_such_name  # noqa: B018


def test_a_claim_is_decided_and_a_false_one_falls() -> None:
    true, false = check([product(4), product(5)])
    assert (true.verdict, false.verdict) == ("proved", "violated")
    assert str(false).startswith("mine.times5: violated by exact, left/right up to 1.25: ")
    assert check(product(5)).verdict == "violated"


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="profile must be a known one"):
        check(product(4), profile="slow")
    with pytest.raises(InvalidInput, match="claim must be a Statement, a line, or several"):
        check([product(4), product])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match="mine.times4: given must be a list of Hypothesis"):
        product(4).variant("mine.times4", given=lambda w: {"x": w.x})


def test_like_keeps_the_setting_and_variant_everything() -> None:
    first = product(4)
    other = first.like("mine.times3.repaired", latex="", over="point")(lambda w: ({}, {}))
    assert (other.given, other.family, other.form) == (first.given, first.family, "repaired")
    again = first.variant("mine.again", where="Lemma 2", given=())
    assert (again.sides, again.source.where, again.strict) == (first.sides, "Lemma 2", frozenset())
