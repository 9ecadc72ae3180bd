"""What the list after ``for`` says of each symbol, and where instances of it are looked for."""

from __future__ import annotations

import ast
from fractions import Fraction as Q
from math import inf, nextafter
from sys import float_info
from typing import Any

import pytest

from verify.claim.parameters import Real
from verify.line import ranges as module
from verify.line.grammar.names import Symbols
from verify.line.grammar.refused import NotRead
from verify.line.pieces import Piece, split_list
from verify.line.ranges import (
    MOST_WHOLE,
    TAKEN,
    Range,
    Ranges,
    _outward,
    _whole,
    is_taken,
    ranges,
    written_number,
)


def read(text: str, letters: str = "", start: int = 0) -> Ranges:
    return ranges(tuple(split_list(Piece(text, start))), letters, Symbols(plain=True))


def shown(one: Range) -> str:
    """``integer (0, 1]`` and so on."""
    low, high = (
        ("-inf" if one.low is None else one.low),
        ("inf" if one.high is None else one.high),
    )
    return f"{one.kind} {'(' if one.open_low else '['}{low}, {high}{')' if one.open_high else ']'}"


def says(text: str, letters: str = "") -> dict[str, str]:
    return {name: shown(one) for name, one in read(text, letters).of.items()}


ALL = "real [-inf, inf]"
POSITIVE, NONNEGATIVE = "real (0, inf]", "real [0, inf]"
LISTS: dict[str, dict[str, str]] = {
    "x": {"x": ALL},
    "x, y": {"x": ALL, "y": ALL},
    "x in [0, 1]": {"x": "real [0, 1]"},
    "x in (0, 1]": {"x": "real (0, 1]"},
    "x in [0, 1)": {"x": "real [0, 1)"},
    "x in (-1/2, 0.25)": {"x": "real (-1/2, 1/4)"},
    "x in [0, inf)": {"x": NONNEGATIVE},
    "x in (-oo, 2]": {"x": "real [-inf, 2]"},
    "x in (-infinity, +inf)": {"x": ALL},
    "x in (-∞, ∞)": {"x": ALL},
    "x, y in [0, 1]": {"x": "real [0, 1]", "y": "real [0, 1]"},
    "x; y in [0, 1]": {"x": ALL, "y": "real [0, 1]"},
    "x >= 0": {"x": NONNEGATIVE},
    "x > 0": {"x": POSITIVE},
    "x <= 3": {"x": "real [-inf, 3]"},
    "x < 3": {"x": "real [-inf, 3)"},
    "0 <= x <= 1": {"x": "real [0, 1]"},
    "0 < x < 1": {"x": "real (0, 1)"},
    "2 >= x > -1": {"x": "real (-1, 2]"},
    "x, y > 0": {"x": POSITIVE, "y": POSITIVE},
    "x >= 0, y": {"x": NONNEGATIVE, "y": ALL},
    "x > 0, x <= 1": {"x": "real (0, 1]"},
    "x > 0, x >= 0": {"x": POSITIVE},
    "x >= 0, x > 0": {"x": POSITIVE},
    "x >= 1, x > 0": {"x": "real [1, inf]"},
    "x > 0, x >= 1": {"x": "real [1, inf]"},
    "x < 1, x <= 1": {"x": "real [-inf, 1)"},
    "x <= 1, x < 1": {"x": "real [-inf, 1)"},
    "x < 1, x <= 2": {"x": "real [-inf, 1)"},
    "x <= 2, x < 1": {"x": "real [-inf, 1)"},
    "x in [1, 1]": {"x": "real [1, 1]"},
    "positive x": {"x": POSITIVE},
    "nonnegative x, y": {"x": NONNEGATIVE, "y": NONNEGATIVE},
    "positive x <= 1": {"x": "positive (0, 1]"},
    "positive x, x >= 0": {"x": "positive (0, inf]"},
    "nonnegative x, x > 0": {"x": "nonnegative (0, inf]"},
    "positive real numbers x": {"x": POSITIVE},
    "real numbers x, y": {"x": ALL, "y": ALL},
    "all real x": {"x": ALL},
    "every x > 0": {"x": POSITIVE},
    "real x; y in [0, 1]": {"x": ALL, "y": "real [0, 1]"},
    "integer n in [1, 5]": {"n": "integer [1, 5]"},
    "integers n, m in [1, 5]": {"n": "integer [1, 5]", "m": "integer [1, 5]"},
    "integers n in [1, 5], x": {"n": "integer [1, 5]", "x": ALL},
    "integer n, 1 <= n <= 5": {"n": "integer [1, 5]"},
    "positive integers n in [1, 5]": {"n": "integer [1, 5]"},
    "n integer, n in [1, 5]": {"n": "integer [1, 5]"},
    "n an integer, n in [1, 5]": {"n": "integer [1, 5]"},
    "n in 1..5": {"n": "integer [1, 5]"},
    "n in {-1...5}": {"n": "integer [-1, 5]"},
    "n = 2..4": {"n": "integer [2, 4]"},
    "n in {1 … 3}": {"n": "integer [1, 3]"},
    "vector u": {"u": "vector [-inf, inf]"},
    "vectors u, v": {"u": "vector [-inf, inf]", "v": "vector [-inf, inf]"},
    "vectors u, a >= 0": {"u": "vector [-inf, inf]", "a": NONNEGATIVE},
    "u a vector": {"u": "vector [-inf, inf]"},
    "u in R^d": {"u": "vector [-inf, inf]"},
    "u, v in R^{n}": {"u": "vector [-inf, inf]", "v": "vector [-inf, inf]"},
    "u in R**m": {"u": "vector [-inf, inf]"},
    "x in R": {"x": ALL},
    "x in reals": {"x": ALL},
    r"x in \mathbb{R}": {"x": ALL},
    r"x in \R^d": {"x": "vector [-inf, inf]"},
    r"x in \mathbb R_+": {"x": NONNEGATIVE},
    "x in R_+": {"x": NONNEGATIVE},
    "x in R_{>= 0}": {"x": NONNEGATIVE},
    "x in R_{> 0}": {"x": POSITIVE},
    "x in R_{++}": {"x": POSITIVE},
    "x in R_{+}": {"x": NONNEGATIVE},
    r"\alpha in (0, 1)": {"alpha": "real (0, 1)"},
    r"\lambda > 0": {"lam": POSITIVE},
    "lambda > 0": {"lam": POSITIVE},
    "lambda in (0, 1)": {"lam": "real (0, 1)"},
    "lambda": {"lam": ALL},
    "real x in [0, 1], y >= 0": {"x": "real [0, 1]", "y": NONNEGATIVE},
    "nonnegative real x": {"x": NONNEGATIVE},
    "nonnegative integers n in [1, 5]": {"n": "integer [1, 5]"},
    "integers n, real x; n in [1, 5]": {"n": "integer [1, 5]", "x": ALL},
    "x in ℝ": {"x": ALL},
    "x < 2, x <= 1": {"x": "real [-inf, 1]"},
    r"n in \{1..5\}": {"n": "integer [1, 5]"},
    "x[i] >= 0": {"x": NONNEGATIVE},
    "x[i, j]": {"x": ALL},
    "x_i in [0, 1]": {"x_i": "real [0, 1]"},
    "x in [2*3, 2**3]": {"x": "real [6, 8]"},
}


@pytest.mark.parametrize("text", LISTS)
def test_what_a_list_says_of_its_symbols(text: str) -> None:
    assert says(text) == LISTS[text]


def test_an_index_of_the_claim_is_one_in_the_list() -> None:
    assert says("x_i in [0, 1]", "i") == {"x": "real [0, 1]"}
    assert says("x_{i} >= 0", "i") == {"x": NONNEGATIVE}


def test_ranges_are_told_with_their_text_and_real_numbers_by_name() -> None:
    found = read("x in [0, 1], y > 0; z")
    assert found.said == {"x": "x in [0, 1]", "y": "y > 0"}
    assert (found.also, found.named) == ((), frozenset())
    assert read("real x, y; z").named == {"x", "y"}
    assert read("real numbers x").named == {"x"}
    assert read("real x in [0, 1]").named >= {"x"}
    assert read("positive x").named == frozenset()


def also(text: str) -> list[str]:
    return [
        f"{ast.unparse(one.left)} {one.relation} {ast.unparse(one.right)}"
        for one in read(text).also
    ]


def test_relations_between_symbols_are_hypotheses() -> None:
    assert also("x <= y") == ["x <= y"]
    assert says("x <= y") == {"x": ALL, "y": ALL}
    assert also("0 <= x <= y <= 1") == ["x <= y"]
    assert says("0 <= x <= y <= 1") == {"x": NONNEGATIVE, "y": "real [-inf, 1]"}
    assert also("positive x <= y") == ["x <= y"]
    assert says("positive x <= y") == {"x": POSITIVE, "y": POSITIVE}
    assert also("a, x <= 2*y") == ["x <= 2 * y"]
    assert says("a, x <= 2*y") == {"a": ALL, "x": ALL}
    assert also("x >= 1/y") == ["x >= 1 / y"]
    assert also("2*x <= 3") == ["2 * x <= 3"]
    assert also("3 <= 2*x") == ["3 <= 2 * x"]
    assert says("2*x <= 3") == {}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x <= ?", 6),
        (r"\alpha <= ?", 11),
        (r"x <= \{a\} ?", 12),
        ("positive x <= ?", 15),
        ("positive real x <= ?", 20),
        ("all x <= ?", 10),
    ],
)
def test_a_place_counts_from_the_beginning_of_the_line(text: str, place: int) -> None:
    for start in (0, 10):
        assert f"at character {start + place} ('?')" in told(text, start)


REFUSED = {
    "x in 3": "an interval",
    "vector positive x": "a relation",
    "x foo": "a relation",
    "x in [a, 1]": "of ends that are numbers",
    "x + y in [0, 1]": "a range of one symbol",
    "x = 1": "a range",
    "1 = x": "a range",
    "x == 1": "a range",
    "x in [1, 0]": "a range with a number in it",
    "x > 1, x < 1": "a range with a number in it",
    "x in (1, 1]": "a range with a number in it",
    "x in [1, 1)": "a range with a number in it",
    "vector u, u >= 0": "a vector without a range",
    "integer n": "with two ends of the whole number n",
    "integer n >= 1": "with two ends of the whole number n",
    "integer n <= 1": "with two ends of the whole number n",
    "integer n in [1, 300]": "with 1 to 200 values of the whole number n",
    "integer n in [1/4, 3/4]": "with 1 to 200 values of the whole number n",
    "0 < x, y": "of one meaning",
    "0 <= x, y <= 1": "of one meaning",
    "real x, y in [0, 1]": "of one meaning",
    "lam > 0, instance > 0": "of free names",
    "instance": "of free names",
    "instance in [0, 1]": "of free names",
    "x < instance": "of free names",
    "x <= (10**64)**64": "of ends up to 1e308",
    "x in [0, (10**64)**6]": "of ends up to 1e308",
    "(10**64)**6 >= x": "of ends up to 1e308",
    "-(10**64)**6 <= x": "of ends up to 1e308",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_range_is_refused_with_what_it_should_be(text: str) -> None:
    with pytest.raises(NotRead, match=f"must be {REFUSED[text]}"):
        read(text)


def told(text: str, start: int = 0) -> str:
    with pytest.raises(NotRead) as error:
        read(text, start=start)
    return str(error.value)


def test_a_refusal_names_the_place_the_text_and_a_remedy() -> None:
    said = told("x, y in 3", 10)
    assert "at character 14 ('y in 3'), got 3: write [0, 1], (0, 1], (0, inf) or 1..64" in said
    assert "got a: write numbers such as 1/2" in told("x in [ a, 1]")
    assert "got x + y: write x in [0, 1]" in told("x + y in [0, 1]")
    assert "got one value: put the number into the claim itself" in told("x = 1")
    assert "got none: swap the ends" in told("x in [1, 0]")
    assert "got one: bound its norm after 'given'" in told("vector u, u >= 0")
    said = told("x; integer n")
    assert "('integer n'), got fewer: write integer n in [1, 64]" in said
    assert "got 300: narrow its range" in told("integer n in [1, 300]")
    assert "got 0: narrow its range" in told("integer n in [1/4, 3/4]")
    said = told("0 < x, y <= 1")
    assert "got 0 < x, ... (do both ends belong to both symbols?)" in said
    assert "write 'x, y in (0, 1]' for all of them, or '0 < x;' for this one" in said
    said = told("real x, y in [0, 1]")
    assert "got a range behind 'real x'" in said
    assert "write 'real x; y in [0, 1]' or leave 'real' out" in said
    assert "the symbol instance, which is taken: rename it" in told("instance")
    assert "got a larger one: write inf, or other units" in told("x <= (10**64)**6")
    most = Q(float_info.max)
    assert module._held(most, Piece("x", 0)) == most


def test_an_end_before_a_comma_is_of_one_symbol_where_it_says_so() -> None:
    assert says("0 < x; y <= 1") == {"x": POSITIVE, "y": "real [-inf, 1]"}
    assert says("y, 0 < x") == {"y": POSITIVE, "x": POSITIVE}


def test_whole_numbers_are_tried_one_by_one_up_to_a_limit() -> None:
    assert says(f"integer n in [1, {MOST_WHOLE}]") == {"n": f"integer [1, {MOST_WHOLE}]"}
    assert says("integer n in [1/2, 3/2]") == {"n": "integer [1/2, 3/2]"}
    with pytest.raises(NotRead):
        read(f"integer n in [0, {MOST_WHOLE}]")
    assert MOST_WHOLE == 200
    assert Range("integer", Q(1, 2), Q(7, 2)).wholes() == range(1, 4)
    assert Range("integer", Q(-1), Q(2)).wholes() == range(-1, 3)
    for ends in ((None, Q(1)), (Q(1), None)):
        with pytest.raises(AssertionError):
            Range("integer", *ends).wholes()


# -- parameters ------------------------------------------------------------------------------------


def real(low: Any, high: Any, ends: str = "[]") -> Real:
    given = [None if end is None else Q(end) for end in (low, high)]
    return Range("real", *given, ends[0] == "(", ends[1] == ")").real(("N",))


def parameter(low: Any, high: Any, **more: Any) -> Real:
    return Real(low, high, per=("N",), **more)


def test_a_range_is_where_a_parameter_is_looked_for_and_its_domain() -> None:
    for one, wanted in (
        (real(None, None), parameter(-4, 4)),
        (real(0, None), parameter(0, 4)),
        (real(0, None, "(]"), parameter(1 / 8, 8, log=True)),
        (real(1, None), parameter(1, 9, domain=(1, inf))),
        (real(1, None, "(]"), parameter(1.125, 9, domain=(1, inf))),
        (real(None, 2), parameter(-6, 2, domain=(-inf, 2))),
        (real(None, 2, "[)"), parameter(-6, 1.875, domain=(-inf, 2))),
        (real(None, 0), parameter(-8, 0, domain=(-inf, 0))),
        (real(0, 1), parameter(0, 1, domain=(0, 1))),
        (real(0, 1, "(]"), parameter(1 / 64, 1, domain=(0, 1))),
        (real(0, 1, "()"), parameter(1 / 64, 63 / 64, domain=(0, 1))),
        (real(Q(1, 2), Q(5, 2)), parameter(0.5, 2.5, domain=(0.5, 2.5))),
        (real(1, 64), parameter(1, 64, log=True, domain=(1, 64))),
        (real(1, 300), parameter(1, 300, log=True, domain=(1, 300))),
        (real(0, 256, "(]"), parameter(4, 256, domain=(0, 256))),
        (real(None, 2, "(]"), parameter(-6, 2, domain=(-inf, 2))),
        (real(1, None, "[)"), parameter(1, 9, domain=(1, inf))),
        (real(1, 63), parameter(1, 63, domain=(1, 63))),
        (real(1, 64, "[)"), parameter(1, 64 - 63 / 64, domain=(1, 64))),
        (real(1, 257, "(]"), parameter(5, 257, domain=(1, 257))),
        (real(0, 256), parameter(0, 256, domain=(0, 256), near=(0, 4))),
        (real(0, 255), parameter(0, 255, domain=(0, 255))),
        (real(-256, 1), parameter(-256, 1, domain=(-256, 1), near=(-4, 1))),
        (real(-255, 1), parameter(-255, 1, domain=(-255, 1))),
        (real(-300, 300), parameter(-300, 300, domain=(-300, 300), near=(-4, 4))),
        (real(-300, -4), parameter(-300, -4, domain=(-300, -4))),
        (real(-300, -3), parameter(-300, -3, domain=(-300, -3), near=(-4, -3))),
    ):
        assert one == wanted
    exact = real(0, 1)
    assert [type(end) for end in (exact.low, exact.high, *exact.domain)] == [int] * 4  # type: ignore[misc]


def test_no_number_of_a_range_is_left_out_by_rounding() -> None:
    third = real(Q(1, 3), Q(2, 3))
    assert third.domain == (1 / 3, nextafter(2 / 3, inf))
    tenth = real(Q(1, 10), Q(1, 5))
    assert tenth.domain == (nextafter(0.1, -inf), 0.2)
    assert real(Q(1, 10), Q(3, 10)).low == nextafter(0.1, -inf)
    assert real(Q(3, 10), Q(9, 10)).high == 0.9
    for end in (Q(1, 3), Q(2, 3), Q(1, 10), Q(-1, 3), Q(1, 2)):
        assert Q(_outward(end, -1)) <= end <= Q(_outward(end, 1))
    assert _outward(Q(1, 2), 1) == _outward(Q(1, 2), -1) == 0.5
    ends = [(Q(1, 3), None), (None, Q(1, 3)), (Q(1, 2), Q(3, 4)), (None, None)]
    assert [Range("real", *pair).exact for pair in ends] == [False, False, True, True]


def test_whole_floats_are_typed_as_whole_numbers() -> None:
    for value, wanted in ((2.0, 2), (0.5, 0.5), (-3.0, -3), (1e14, 10**14)):
        assert (_whole(value), type(_whole(value))) == (wanted, type(wanted))
    for value in (1e15, -1e15, inf):
        assert (_whole(value), type(_whole(value))) == (value, float)


# -- numbers and names -----------------------------------------------------------------------------


def test_a_number_is_one_that_is_written_out() -> None:
    for text, value in {
        "3": Q(3),
        "0.1": Q(1, 10),
        "1e-3": Q(1, 1000),
        "-2": Q(-2),
        "+2": Q(2),
        "--2": Q(2),
        "1/3": Q(1, 3),
        "2*3/4": Q(3, 2),
        "2**-2": Q(1, 4),
        "(-2)**3": Q(-8),
        "0**2": Q(0),
        "2**64": Q(2**64),
        "2**-64": Q(1, 2**64),
        "10**400": None,
        "2**65": None,
        "2**-65": None,
        "0**0": None,
        "0**1": Q(0),
        "0**-1": None,
        "2**(1/2)": None,
        "1/0": None,
        "1 + 1": None,
        "2 - 1": None,
        "1 % 2": None,
        "a": None,
        "-a": None,
        "a*2": None,
        "2*a": None,
        "True": None,
        "'a'": None,
        "~2": None,
        "1e999": None,
        "f(1)": None,
        "9" * 400: Q(int("9" * 400)),
    }.items():
        assert written_number(ast.parse(text, mode="eval").body) == value


def test_names_that_python_or_the_world_has_are_taken() -> None:
    for name in ("instance", "problem", "symbol", "lambda", "if", "_x", "__class__"):
        assert is_taken(name) is True
    for name in ("x", "lam", "alpha", "N"):
        assert is_taken(name) is False
    assert "problem" in TAKEN
    assert not any(name.startswith("_") for name in TAKEN)
    assert {module.WIDTH, module.FAR, module.STEP} == {4, 256, 64}
