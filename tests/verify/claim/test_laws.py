"""Means of random variables are those that are known, in floats and in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from math import comb
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from verify import Real, check, numbers, statement
from verify.claim.instance import Instance
from verify.claim.laws import (
    binomial,
    coin,
    expectation,
    noting_chances,
    probability,
    two_point,
    uniform,
)
from verify.line.drawn import LAWS as LAWS_OF_A_LINE
from verify.world.referee import rescore

P = F(1, 3)


@pytest.mark.parametrize(
    ("rule", "laws", "mean"),
    [
        (lambda x: x, (coin(P),), P),
        (lambda x: (x - P) ** 2, (coin(P),), P * (1 - P)),
        (lambda x: x**2, (two_point(F(-1), F(2), F(1, 4)),), F(7, 4)),
        (lambda x: x**2, (binomial(4, P),), 4 * P * (1 - P) + (4 * P) ** 2),
        (lambda x: x**3, (uniform(F(0), F(1)),), F(1, 4)),
        (lambda x: 2 - (x - F(1, 2)) * x / 3, (uniform(F(-1), F(1)),), 2 - F(1, 9)),
        (lambda x: F(5), (uniform(F(0), F(1)),), F(5)),
        (lambda x, y: (x - y) ** 2, (uniform(F(0), F(1)), uniform(F(0), F(1))), F(1, 6)),
        (lambda x, y: x * y**2, (coin(P), uniform(F(0), F(1))), P / 3),
        (lambda x, y: x**2 * y - y / 2, (uniform(F(0), F(1)), uniform(F(0), F(2))), F(-1, 6)),
        (lambda x, y: y * (1 - x), (uniform(F(0), F(1)), uniform(F(0), F(2))), F(1, 2)),
    ],
)
def test_means_are_exact(rule: Callable[..., Any], laws: tuple[Any, ...], mean: F) -> None:
    assert expectation(rule, *laws) == mean
    assert expectation(rule, *laws) != mean + F(1, 10**12)


def test_a_mean_within_a_mean_keeps_the_variables_apart() -> None:
    law = uniform(F(0), F(1))
    inner = lambda x: expectation(lambda y: (x - y) ** 2, law)  # noqa: E731
    assert expectation(inner, law) == F(1, 6)
    assert expectation(lambda x: (x - x) ** 2, law) == 0


def test_arrays_of_floats_give_arrays() -> None:
    p = np.array([[0.1], [0.5]])
    variance = expectation(lambda x: (x - p) ** 2, coin(p))
    np.testing.assert_allclose(variance, p * (1 - p))
    low = np.array([[1.0], [2.0]])
    spread = expectation(lambda x: x**2 - low * x, uniform(low, low + 1))
    np.testing.assert_allclose(spread, (low**2 + low + 1 / 3) - low * (low + 0.5))


def test_probabilities_count_outcomes() -> None:
    tail = probability(lambda x: xp.at_least(x, 3), binomial(4, P))
    assert tail == sum(comb(4, k) * P**k * (1 - P) ** (4 - k) for k in (3, 4))
    assert probability(lambda x: xp.above(x, 3), binomial(4, P)) == P**4
    both = probability(lambda x, y: xp.at_least(x, y), coin(P), coin(P))
    assert both == 1 - (1 - P) * P


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (lambda x: x**0.5, "a whole number"),
        (lambda x: 1 / (1 + 0 * x) + x / x, "by a number"),
        (lambda x: x**65, "a whole number"),
        (lambda x: (x**40) * (x**40), "at most 64"),
    ],
)
def test_what_has_no_moments_is_refused(rule: Callable[[Any], Any], said: str) -> None:
    with pytest.raises((InvalidInput, TypeError), match=f"{said}|unsupported operand"):
        expectation(rule, uniform(F(0), F(1)))


def test_a_uniform_variable_has_no_list_of_outcomes() -> None:
    with pytest.raises(InvalidInput, match="finitely many outcomes"):
        probability(lambda x: xp.above(x, 0), uniform(F(0), F(1)))  # type: ignore[arg-type]


def test_numbers_of_coins_are_whole() -> None:
    with pytest.raises(InvalidInput, match="a whole number"):
        binomial(2.5, P)  # type: ignore[arg-type]


LAWS: dict[str, Callable[[Any], Any]] = {
    "coin": coin,
    "two_point": lambda chance: two_point(0, 1, chance),
    "binomial": lambda chance: binomial(3, chance),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", [float, F])
def test_the_domain_of_a_chance_ends_at_zero_and_one(law: str, kind: Any) -> None:
    for inside in (0, 1):
        LAWS[law](kind(inside))
    for outside in (-F(1, 2**30), 1 + F(1, 2**30)):
        with pytest.raises(InvalidInput, match=r"chance must be in \[0, 1\]"):
            LAWS[law](kind(outside))


@pytest.mark.parametrize(("number", "fits"), [(0, True), (1, True), (-1, False), (2.0, False)])
def test_the_number_of_coins_is_a_whole_number(number: Any, fits: bool) -> None:
    if fits:
        assert len(binomial(number, P).values) == number + 1
        return
    with pytest.raises(InvalidInput, match="number must be a whole number"):
        binomial(number, P)


def at_least_zero(high: float, given: Any = ()) -> Any:
    """E X >= 0 for a coin of chance 1 - p: false for the numbers that are no chances alone."""

    @statement(
        "mine.coin",
        where="Lemma 1",
        latex=r"0\le E X",
        family=numbers({"p": Real(0, high, domain=(0, high))}),
        given=given,
    )
    def claim(w: Any) -> Any:
        return {"mean": -expectation(lambda x: x, coin(1 - w.p))}, {"zero": 0 * w.p}

    return claim


def test_an_instance_whose_chance_is_none_accuses_nothing() -> None:
    """At p = 2 the formula of the mean is -1, but there is no coin of chance -1."""
    wide = at_least_zero(3)
    (no, edge, yes) = (Instance("numbers", {}, None, {"p": F(x)}) for x in (2, 1, 0))
    found = rescore(wide, no)
    assert found.left == 1  # the formula
    assert not found.assumed
    assert not found.violated
    assert "a chance lies outside [0, 1]" in found.detail
    assert rescore(wide, edge).satisfied
    assert rescore(wide, yes).satisfied
    assert check(wide).verdict != "violated"
    assert check(at_least_zero(1)).verdict == "proved"


def test_a_coin_that_breaks_a_claim_within_its_domain_is_still_seen() -> None:
    """The negative control: E X >= 1/2 falls at p = 1."""

    @statement(
        "mine.half",
        where="Lemma 2",
        latex=r"1/2\le E X",
        family=numbers({"p": Real(0, 3)}),
    )
    def half(w: Any) -> Any:
        return {"half": 0 * w.p + F(1, 2)}, {"mean": expectation(lambda x: x, coin(1 - w.p))}

    found = check(half)
    assert found.verdict == "violated"
    assert found.witness is not None
    assert 0 <= Instance.from_json(found.witness["instance"]).params["p"] <= 1


def below_its_lower_end(given: Any = ()) -> Any:
    """a <= E X for X uniform between a and b: false for ends in the wrong order alone."""

    @statement(
        "mine.uniform",
        where="Lemma 3",
        latex=r"a\le E X",
        family=numbers({"a": Real(0, 4), "b": Real(0, 4)}),
        given=given,
    )
    def claim(w: Any) -> Any:
        return {"a": w.a}, {"mean": expectation(lambda x: x, uniform(w.a, w.b))}

    return claim


@pytest.mark.parametrize("kind", [float, F])
def test_the_ends_of_a_uniform_variable_are_in_their_order(kind: Any) -> None:
    small = F(1, 2**30)
    for low, high in ((0, 0), (0, small), (-1, 1)):
        assert uniform(kind(low), kind(high)).low == low
    for low, high in ((small, 0), (1, -1)):
        with pytest.raises(InvalidInput, match="ends must be in their order"):
            uniform(kind(low), kind(high))


def test_an_instance_with_ends_in_the_wrong_order_accuses_nothing() -> None:
    """It did: at a = 0, b = -1 the mean of the formula lies below a."""
    claim = below_its_lower_end()
    wrong, edge, right = (
        Instance("numbers", {}, None, {"a": F(a), "b": F(b)}) for a, b in ((1, 0), (1, 1), (0, 1))
    )
    found = rescore(claim, wrong)
    assert found.left > found.right  # the formula
    assert not found.assumed
    assert not found.violated
    assert "lower end of a uniform variable is above the upper one" in found.detail
    assert rescore(claim, edge).satisfied
    assert rescore(claim, right).satisfied
    assert check(claim).verdict != "violated"


def test_what_falls_with_ends_in_their_order_still_falls() -> None:
    """The negative control: b <= E X falls wherever a < b."""
    assert check("E[x] >= b for x ~ uniform(a, b), real a, b").verdict == "violated"
    assert check("E[x] >= a for x ~ uniform(a, b), real a, b").verdict == "proved"


EDGES = {
    # a law on the edge of its domain, and one a little beyond it
    "coin, below": ("coin(0)", "coin(-1/1000)", r"a chance in \[0, 1\]"),
    "coin, above": ("coin(1)", "coin(1001/1000)", r"a chance in \[0, 1\]"),
    "two points, below": ("two_point(0, 1, 0)", "two_point(0, 1, -0.001)", "a chance in"),
    "two points, above": ("two_point(0, 1, 1)", "two_point(0, 1, 1.001)", "a chance in"),
    "binomial, below": ("binomial(2, 0)", "binomial(2, -1/1000)", "a chance in"),
    "binomial, above": ("binomial(2, 1)", "binomial(2, 1.001)", "a chance in"),
    "binomial, how many": ("binomial(0, 1/2)", "binomial(-1, 1/2)", "a whole number of coins"),
    "binomial, whole": ("binomial(1, 1/2)", "binomial(1.5, 1/2)", "a whole number of coins"),
    "uniform": ("uniform(1, 1)", "uniform(1.001, 1)", "ends in their order"),
    "normal": ("N(0, 0)", "N(0, -1/1000)", "a variance of at least 0"),
}


@pytest.mark.parametrize("name", EDGES)
def test_the_domain_of_every_law_of_a_line_at_its_edges(name: str) -> None:
    inside, outside, said = EDGES[name]
    claim = "E[x^2] >= 0 for x ~ {}"
    assert check(claim.format(inside)).verdict in ("proved", "vacuous")
    with pytest.raises(InvalidInput, match=said):
        check(claim.format(outside))


def test_every_law_has_its_edges_in_the_table() -> None:
    named = {law.partition("(")[0] for law, _, _ in EDGES.values()}
    assert named == {*LAWS_OF_A_LINE} - {"normal"} | {"N"}


def test_numbers_of_no_law_are_noted_and_those_at_the_edge_are_not() -> None:
    def exact(*numbers: int) -> Any:
        return np.array([[F(n, 2)] for n in numbers], dtype=object)

    with noting_chances() as found:
        coin(exact(-1, 0, 1, 2, 3))
        uniform(exact(0, 1, 2), exact(1, 1, 1))
    assert found == [F(-1, 2), F(3, 2), (1, F(1, 2))]
