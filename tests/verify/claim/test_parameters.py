"""Families: what the search may try, and what may stand in a shrunk witness."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.numbers.validate import InvalidInput
from tests.verify.cases import numbers
from verify.claim.families import quadratics
from verify.claim.parameters import Family, Real, plain_numbers

BOX = {
    "line": Real(-2, 3),
    "rate": Real(1 / 8, 8, log=True),
    "each": Real(0, 1, per=("N",)),
    "table": Real(1, 2, per=("N", "d")),
    "fixed": Real(5, 5),
}
SHAPE = {"N": 3, "d": 2}


@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_decoded_points_lie_in_their_ranges(n: int, d: int, seed: int) -> None:
    family, shape = numbers(**BOX), {"N": n, "d": d}
    assert family.width(shape) == 3 + n + n * d
    u = np.random.default_rng(seed).random((5, family.width(shape)))
    values = family.decode(u, shape)
    assert {k: v.shape for k, v in values.items()} == {
        "line": (5,),
        "rate": (5,),
        "each": (5, n),
        "table": (5, n, d),
        "fixed": (5,),
    }
    for name, value in values.items():
        assert (value >= BOX[name].low).all()
        assert (value <= BOX[name].high).all()


def test_corners_of_the_cube_are_corners_of_the_box() -> None:
    family = numbers(**BOX)
    values = family.decode(np.stack([np.zeros(12), np.ones(12)]), SHAPE)
    for name, value in values.items():
        assert (value[0] == BOX[name].low).all()
        assert (value[1] == BOX[name].high).all()


def test_log_scale_halves_the_exponent() -> None:
    u = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    # powers of two are exact, 8**(1/2) is rounded once
    np.testing.assert_allclose(BOX["rate"].from_unit(u), 2.0 ** (6 * u - 3), rtol=1e-15)
    np.testing.assert_array_equal(Real(0, 4).from_unit(u), 4 * u)


def test_every_coordinate_reaches_one_number() -> None:
    family = numbers(**BOX)
    width = family.width(SHAPE)
    base = family.decode(np.full((1, width), 0.5), SHAPE)
    for j in range(width):
        u = np.full((1, width), 0.5)
        u[0, j] = 0.75
        moved = family.decode(u, SHAPE)
        changed = sum(int((moved[k] != base[k]).sum()) for k in base)
        assert changed == (0 if j == width - 1 else 1), "the last one has a range of one point"


SIGNED = Real(-2, 2, unit=(0, 1))
POSITIVE = Real(1 / 8, 8, unit=(1, -2), log=True)
NONNEGATIVE = Real(0, 4, unit=(1, -1))


@pytest.mark.parametrize(
    ("parameter", "inside", "outside"),
    [
        (Real(0, 1), [0, 1, Fraction(1, 3)], [-1, 2, float("nan")]),
        (Real(1 / 2, 8), [1, 8], [0, Fraction(1, 4), 9]),
        (POSITIVE, [Fraction(1, 10**9), 10**9], [0, -1]),
        (NONNEGATIVE, [0, 10**9], [-1]),
        (SIGNED, [-(10**9), 0, 10**9], []),
        (Real(0, 0, unit=(0, 1), domain=(0, 0)), [0], [1, 25, -1]),
    ],
)
def test_ranges_bind_plain_numbers_and_signs_bind_the_rest(
    parameter: Real, inside: list[Any], outside: list[Any]
) -> None:
    assert all(parameter.admits(x) for x in inside)
    assert not any(parameter.admits(x) for x in outside)


@pytest.mark.parametrize(
    ("parameter", "sign"), [(POSITIVE, "positive"), (NONNEGATIVE, "nonnegative"), (SIGNED, "real")]
)
def test_the_range_tells_the_sign(parameter: Real, sign: str) -> None:
    assert parameter.sign == sign


@pytest.mark.parametrize(("low", "high", "log"), [(1, 0, False), (0, 1, True), (-1, 1, True)])
def test_empty_and_impossible_ranges_are_refused(low: float, high: float, log: bool) -> None:
    with pytest.raises(InvalidInput, match="low must be"):
        Real(low, high, log=log)


def test_bare_numbers_keep_parameters_and_constants_apart() -> None:
    made = plain_numbers({"x": np.ones(2)}, {"N": 3, "x": 7})
    assert made.family == "numbers"
    assert made.params["N"] == 3
    assert made.params["x"].tolist() == [1.0, 1.0]


def test_instances_know_the_units_of_parameters_and_raw_data() -> None:
    family = quadratics(({"N": 2, "d": 1, "rounds": 1},), {"eps": Real(1, 2, unit=(1, 0))})
    shape = family.shapes[0]
    made = family.instance(family.decode(np.full((1, family.width(shape)), 0.5), shape), shape)
    assert made.units["eps"] == (1, 0)
    assert made.units["A"] == (1, -2)
    assert made.units["start"] == (0, 1)
    assert "curvature" not in made.units, "it is no field of the instance"


def test_build_may_name_units_of_what_it_derives() -> None:
    family = Family({"x": Real(0, 1, unit=(1, 0))}, units={"x": (2, 0)})
    assert family.instance({"x": np.ones(1)}, {}).units == {"x": (2, 0)}


def test_domain_follows_from_the_sign_of_the_range_unless_it_is_stated() -> None:
    assert not Real(1 / 8, 8).inside(0)
    assert Real(1 / 8, 8).inside(1e9)
    assert Real(0, 1).inside(0)
    assert Real(0, 1).inside(17)
    assert not Real(0, 1).inside(-1)
    share = Real(1 / 8, 1, domain=(0, 1))
    assert share.inside(1)
    assert share.inside(1e-9)
    assert not share.inside(0)
    assert not share.inside(2)


@pytest.mark.parametrize(
    "real",
    [
        Real(-2, 3),
        Real(0, 4),
        Real(1 / 4, 4, log=True),
        Real(0.5, 1, domain=(0, 1)),
        Real(-4, -1),
        Real(17 / 16, 4, domain=(1, float("inf"))),
        Real(0, 4, domain=(-float("inf"), float("inf"))),
        Real(1, 4, log=True, domain=(-float("inf"), float("inf"))),
    ],
    ids=repr,
)
def test_a_wider_range_contains_the_range_and_stays_in_the_domain(real: Real) -> None:
    wide = real.wide(16)
    assert wide.low <= real.low
    assert wide.high >= real.high
    assert real.inside(wide.low)
    assert real.inside(wide.high)
    assert (wide.low, wide.high) != (real.low, real.high)


def test_points_of_the_cube_come_back() -> None:
    family = Family({"x": Real(-2, 3, per=("N",)), "y": Real(1 / 8, 8, log=True)}, ({"N": 3},))
    u = np.random.default_rng(5).random((7, 4))
    back = family.encode(family.decode(u, {"N": 3}), {"N": 3})
    np.testing.assert_allclose(back, u, atol=1e-12)  # two roundings of a logarithm


@pytest.mark.parametrize("real", [Real(-8, 8), Real(0, 4), Real(1, 8), Real(5, 6)], ids=repr)
def test_a_wider_range_is_seen_as_finely_where_it_was_before(real: Real) -> None:
    wide, u = real.wide(16), np.linspace(0, 1, 1001)
    values = wide.from_unit(u)
    assert (np.diff(values) > 0).all()
    assert (values[0], values[-1]) == (wide.low, wide.high)
    np.testing.assert_allclose(wide.to_unit(values), u, atol=1e-12)
    # a plain map would leave one point in sixteen to it, or one in thirty-two
    within = ((values >= real.low) & (values <= real.high)).mean()
    assert within > 0.2


def test_ends_may_be_fractions() -> None:
    """On Python 3.11 a fraction has no format, and numpy no functions of one."""
    half, zero, ten, most = (Fraction(1, 2), Fraction(0), Fraction(10), Fraction(20))
    ends: Any = {"low": half, "high": ten, "domain": (zero, most)}
    share = Real(**ends)
    assert (share.low, share.high, share.limits) == (0.5, 10.0, (0.0, 20.0))
    assert f"{share.low:g} {share.limits[0]:g}" == "0.5 0"
    with pytest.raises(InvalidInput, match="around the range"):
        Real(**{**ends, "domain": (Fraction(3, 4), most)})


def test_a_range_is_widened_around_numbers_and_keeps_its_domain() -> None:
    real = Real(1 / 8, 8, log=True)
    assert real.around([1, 2]) is real
    wide = real.around([0.01, 100])
    assert (wide.low, wide.high, wide.limits, wide.log) == (0.01, 100, real.limits, True)
