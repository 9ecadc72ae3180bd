"""A line as terms, parameters and hypotheses: each part by hand, and what is refused."""

from __future__ import annotations

from fractions import Fraction as Q
from math import nextafter
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from verify.claim.parameters import Real
from verify.line import made as module
from verify.line.grammar.refused import NotRead
from verify.line.made import SIZES, Made
from verify.line.ranges import Range
from verify.terms.claims import terms_of
from verify.terms.node import Node, constant, node


def made(line: str, **more: Any) -> Made:
    return Made(line, "line.a", **more)


def symbol(name: str) -> Node:
    return node("symbol", data=name)


def op(sign: str, *parts: Node) -> Node:
    return node("operator", *parts, data=sign)


X, Y = symbol("x"), symbol("y")
NUMBER = Real(-4, 4)


# -- sides -----------------------------------------------------------------------------------------


def test_sides_are_their_summands_by_name() -> None:
    found = made("x*y + x <= y - x for real x, y")
    assert found.left == {"x * y": op("*", X, Y), "x": X}
    assert found.right["y"] is Y
    assert list(found.right) == ["y", "-x"]
    assert list(made("x + x + x <= y for real x, y").left) == ["x", "x again", "x again again"]
    assert found.shown == r"x y + x \le y - x"
    assert made("x >= y for real x, y").shown == r"x \ge y"
    assert made("x <= y for real x, y", latex="given").shown == "given"


def test_a_line_is_a_statement() -> None:
    found = made("x <= y for x in [0, 1], y, z given x < y, x + 1 == z, z <= 3", where="there")
    one = found.statement()
    assert (one.key, one.relation, one.latex) == ("line.a", "<=", r"x \le y")
    assert one.source.where == "there"
    assert set(one.defines) == {"z"}
    terms = terms_of(one)
    assert terms is not None
    assert (terms.claims[0].left, terms.claims[0].right) == ({"x": X}, {"y": Y})
    assert [(h.name, h.strict, h.where) for h in one.given] == [
        ("x < y", True, "there"),
        ("z <= 3", False, "there"),
    ]
    assert one.family.box == found.box
    assert one.family.about == found.about
    assert made("x <= y for real x, y").statement().relation == "<="
    assert made("x >= y for real x, y").statement().source.where == "the line"
    with pytest.raises(InvalidInput, match="key"):
        Made("x <= 1", "no key at all")


def family(line: str) -> Any:
    return made(line).statement().family


def test_sizes_are_listed_and_grow_and_whole_numbers_are_tried() -> None:
    assert SIZES == (1, 2, 3)
    plain = family("x <= y for real x, y")
    assert (plain.shapes, plain.grow, plain.listed) == (({},), None, False)
    entries = family("sum_i(x[i]) <= N*max_i(x[i]) for x in [0, 1]")
    assert entries.shapes == ({"N": 1}, {"N": 2}, {"N": 3})
    assert (entries.grow, entries.listed) == (None, False)
    vectors = family("dot(u, v) <= norm(u)*norm(v) for vectors u, v")
    assert vectors.shapes == ({"d": 1}, {"d": 2}, {"d": 3})
    whole = family("n*x <= m*x for integer n in [1, 2], integer m in [3, 4], x >= 0")
    pairs = [{"n": n, "m": m} for n in (1, 2) for m in (3, 4)]
    assert whole.shapes == tuple(pairs)
    assert (whole.grow, whole.listed) == ((), True)
    grown = family("sum_i(n*x[i]) <= n*sum_i(x[i]) for integer n in [1, 2], x >= 0")
    assert grown.shapes[0] == {"n": 1, "N": 1}
    assert len(grown.shapes) == 6
    assert grown.grow == ("N",)


def test_parameters_have_their_ranges_and_axes() -> None:
    found = made("sum_i(x[i]*a*dot(u[i], v)) <= 1 for x in [0, 1], a, vectors u, v")
    assert found.box == {
        "x": Real(0, 1, per=("N",), domain=(0, 1)),
        "a": NUMBER,
        "u": Real(-4, 4, per=("N", "d")),
        "v": Real(-4, 4, per=("d",)),
    }
    assert found.sizes == ["N", "d"]
    assert made("x <= 1 for real x").box == {"x": NUMBER}
    assert made("x <= 1").box == {"x": NUMBER}
    assert made("e <= 4 for real e").box == {"e": NUMBER}
    assert list(made("n*x <= 9 for integer n in [1, 4], x").box) == ["x"]
    defined = made("y <= 1 for x in [0, 1] given x**2 == y")
    assert (list(defined.box), list(defined.defines)) == (["x"], ["y"])


def test_numbers_of_entries_and_of_coordinates_are_counts() -> None:
    assert made("sum_i(x[i])*factorial(N) <= 1 for x >= 0").sizes == ["N"]
    assert made("norm(u)*factorial(d) <= 1 for vectors u").sizes == ["d"]
    assert made("norm(u)*factorial(d) <= a for vectors u; a >= 0").sizes == ["d"]
    for line in ("x*factorial(N) <= 1 for x >= 0, N", "x*factorial(d) <= 1 for x >= 0, d"):
        with pytest.raises(NotRead, match="of whole numbers"):
            made(line)


# -- hypotheses ------------------------------------------------------------------------------------


def margins(line: str) -> dict[str, tuple[str, Node, bool]]:
    return {h.name: (h.latex, h.rule.term, h.strict) for h in made(line).given}  # type: ignore[attr-defined]


def test_hypotheses_are_margins_that_are_not_negative() -> None:
    base = "x <= 1 for real x, y given "
    more, less = op("-", Y, X), op("-", X, Y)
    assert margins(base + "x <= y") == {"x <= y": (r"x \le y", more, False)}
    assert margins(base + "x < y") == {"x < y": ("x < y", more, True)}
    assert margins(base + "x >= y") == {"x >= y": (r"x \ge y", less, False)}
    assert margins(base + "x > y") == {"x > y": ("x > y", less, True)}
    squares = op("-", X, op("+", op("**", X, constant(2)), op("**", Y, constant(2))))
    ((_, term, strict),) = margins(base + "x**2 + y**2 == x").values()
    assert strict is False
    assert term.op == "operator"
    assert term.data == "neg"
    assert term.inputs[0].inputs == (squares,)


def test_ends_that_no_float_is_are_hypotheses() -> None:
    third = made("x <= 1 for x in [1/3, 1/2]")
    assert third.box["x"].domain == (1 / 3, 0.5)
    low = op("-", X, constant(Q(1, 3)))
    assert margins("x <= 1 for x in [1/3, 1/2]") == {"x >= 1/3": (r"x \ge 1/3", low, False)}
    assert margins("x <= 1 for x > 1/3") == {"x > 1/3": ("x > 1/3", low, True)}
    high = op("-", constant(Q(2, 3)), X)
    assert margins("x <= 1 for x in [0, 2/3)") == {"x < 2/3": ("x < 2/3", high, True)}
    assert margins("x <= 1 for x <= 2/3") == {"x <= 2/3": (r"x \le 2/3", high, False)}
    assert made("x <= 1 for x in [0, 2/3]").box["x"].high == nextafter(2 / 3, 1)
    assert margins("x <= 1 for x in (0, 1)") == {}
    assert margins("x <= 1 for nonnegative x <= 2/3") == margins("x <= 1 for x <= 2/3")
    assert margins("x <= 1 for positive x <= 2/3") == {"x <= 2/3": (r"x \le 2/3", high, False)}
    assert margins("n*x <= 9 for integer n in [1/3, 7/3], x in [0, 1]") == {}


def test_ends_of_what_is_defined_are_hypotheses() -> None:
    line = "x*y <= 1 for x in [0, 2], y in [-1, 3) given 1 - x == y"
    found = made(line)
    assert list(found.box) == ["x"]
    assert found.defines == {"y": op("+", constant(1), op("neg", X))}
    assert margins(line) == {
        "y >= -1": (r"y \ge -1", op("-", Y, constant(-1)), False),
        "y < 3": ("y < 3", op("-", constant(3), Y), True),
    }
    assert margins("x*y <= 1 for x in [0, 2], y > 0 given 1 - x == y") == {
        "y > 0": ("y > 0", Y, True)
    }


def test_shares_are_numbers_over_their_sum() -> None:
    found = made("sum_i(p[i]**2) <= 1 for p >= 0 given sum_i(p[i]) == 1")
    assert list(found.box) == ["p_raw"]
    assert found.box["p_raw"].per == ("N",)
    assert list(found.defines) == ["p"]
    assert [h.name for h in found.given] == ["some p above 0"]


# -- random variables ------------------------------------------------------------------------------


def chances(line: str) -> list[str]:
    return [h.name for h in made(line).given]


def test_chances_lie_between_nought_and_one() -> None:
    claim = "E(X) <= 9 for X ~ coin(p), p"
    assert chances(f"{claim} in [0, 1]") == chances("E(X) <= 9 for X ~ coin(1/2)") == []
    assert chances(f"{claim} in [1/4, 1/2]") == []
    both = ["0 <= p", "p <= 1"]
    for said in (" in [0, 2]", " in [-1, 1]", " >= 0", " <= 1", ""):
        assert chances(claim + said)[-2:] == both
    assert chances("E(X) <= 9 for X ~ coin(p/2), p in [0, 1]") == ["0 <= p / 2", "p / 2 <= 1"]


def test_ends_of_a_uniform_variable_are_in_order() -> None:
    claim = "E(X) <= 9 for X ~ uniform(a, b), "
    for said in ("a in [0, 1], b in [1, 2]", "a <= 0, b >= 0"):
        assert chances(claim + said) == []
    for said in ("a in [0, 2], b in [1, 2]", "a <= 0, b", "a, b >= 0", "a >= 0, b <= 1"):
        assert chances(claim + said) == ["a <= b"]
    assert chances("E(X) <= 9 for X ~ uniform(0, 1)") == []
    assert chances("E(X) <= 9 for X ~ uniform(0, b), b") == ["0 <= b"]
    assert chances("E(X*Y) <= 9 for X ~ coin(1/2), Y ~ uniform(a, b), a, b") == ["a <= b"]


def test_counts_of_coins_are_whole() -> None:
    assert made("E(X) <= 9 for X ~ binomial(3, 1/2)").box == {}
    line = "E(X) <= n for X ~ binomial(n, 1/2), "
    assert len(family(line + "integer n in [1, 4]").shapes) == 4


# -- what is refused -------------------------------------------------------------------------------

REFUSED = {
    "x < 1": "one of <=, >=, == at character 3 ('<'), got <, on whose boundary no search can "
    "decide: write <= (and strict relations after 'given')",
    "1 > x for real x": "('>'), got >, on whose boundary",
    "x*y <= 1 for real x": "with y named after 'for' at character 3 ('y'), got y as it stands: "
    "write it there, or 'real y'",
    "problem <= 1": "with problem under a free name at character 1 ('problem'), got problem as it "
    "stands: rename it, this one is taken",
    "e <= 4": "with e named after 'for' at character 1 ('e'), got e as it stands: "
    "write exp(x) for e**x, or write 'real e'",
    "x <= 4 for real x, y": "with y used in the claim at character 20 ('y'), got y as it stands: "
    "leave it out, or correct its name",
    "sum_i(x[i]) <= N for x <= 1, N >= 1": "with N a number other than that of entries of an index",
    "norm(u) <= d for vectors u, d >= 1": "with d a number other than that of coordinates of a "
    "vector",
    "sum_i(n[i]) <= 9 for integer n in [1, 2]": "with n without an index",
    "E(X) <= 1 for X ~ coin(p), X in [0, 1], p in [0, 1]": "of free names",
    "E(problem) <= 1 for problem ~ coin(1/2)": "of free names",
    "E(xp) <= 1 for xp ~ coin(1/2)": "of free names",
    "E(w) <= 1 for w ~ coin(1/2)": "of free names at character 15 ('w ~ coin(1/2)'), got w: rename "
    "the random variable",
    "x <= 1 for x >= 0, X ~ coin(1/2)": "with X in the claim at character 20 ('X ~ coin(1/2)'), "
    "got none: leave it out, or correct its name",
    "E(X) <= 1 for X ~ coin(norm(p)), p in [0, 1]": "norms of vectors at character 24 ('norm(p)')",
    "E(X) <= 1 for X ~ binomial(1.5, 1/2)": "a whole number of coins",
    "1 + exp(e) <= 4": "with e named after 'for' at character 9 ('e')",
    "x*lambda <= 1 for real x": "at character 3 ('lam')",
    "lambda*x <= 1 for real x": "at character 1 ('lam')",
    "E(X) <= n for X ~ binomial(n, 1/2), real n >= 1": "a whole number of coins at character "
    "15 ('X ~ binomial(n, 1/2)'), got n: write integer n in [1, 16]",
    "E(X) <= 1 for X ~ binomial(1/2, 1/2)": "a whole number of coins",
    "E(X) <= n for X ~ binomial(n + 1, 1/2), integer n in [1, 4]": "a whole number of coins",
    "n*m*x <= 1 for integer n in [1, 20], integer m in [1, 11], x": "at most 200 combinations of "
    "whole numbers, got 220: narrow their ranges",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_a_line_must_not_say_is_refused(line: str) -> None:
    with pytest.raises(InvalidInput) as error:
        made(line)
    assert REFUSED[line] in str(error.value)


def edits(line: str) -> list[tuple[int, int, str]]:
    with pytest.raises(NotRead) as error:
        made(line)
    return [(one.start, one.end, one.text) for one in error.value.edits]


def test_what_can_be_written_instead_is_proposed() -> None:
    assert edits("1 + x < y for real x, y") == [(6, 7, "<=")]
    assert edits("x*y <= 1 for real x") == [(19, 19, "; real y")]
    assert edits("x*y <= 1 for real x given x <= 1") == []
    assert edits("e <= 4") == []
    assert edits("   x < y for real x, y") == [(5, 6, "<=")]
    assert edits("norm(x) <= 1") == [(12, 12, " for vectors x")]
    assert edits("norm(a) <= 1 for a >= 0") == edits("norm(a) <= 1 where a in [0, 1]") == []
    assert edits("E(X) + norm(a) <= 1 for X ~ coin(1/2)") == []
    assert edits("x <= 4 for real x, y") == []


def test_a_product_of_whole_numbers_may_be_two_hundred() -> None:
    line = "n*m*x <= 1 for integer n in [1, 20], integer m in [1, 10], x"
    assert len(family(line).shapes) == 200


# -- in words --------------------------------------------------------------------------------------


def test_what_symbols_are_is_said_in_the_order_of_the_line() -> None:
    for line, about in (
        ("x*y <= z for x, y >= 0, z", "x, y >= 0; real z"),
        ("x <= 1 for x > 0", "x > 0"),
        ("x <= 1 for x < 2", "x < 2"),
        ("x <= 1 for x <= 2", "x <= 2"),
        ("x <= 1 for x in (0, 1]", "x in (0, 1]"),
        ("x <= 1 for x in [0, 1)", "x in [0, 1)"),
        ("n*x <= 9 for integer n in [1, 4], x", "integer n in [1, 4]; real x"),
        ("norm(u) <= a for vectors u, a >= 0", "vectors u; a >= 0"),
        ("sum_i(sum_j(x[i, j]*y[j])) <= 1 for x, y >= 0", "x[i, j], y[i] >= 0"),
        ("E(X) <= p for X ~ coin(p), p in [0, 1]", "p in [0, 1]; X ~ coin(p)"),
        ("E(X) <= 1 for X ~ coin(1/2)", "X ~ coin(1/2)"),
        ("1 <= 2", ""),
    ):
        assert made(line).about == about
    words = module._words
    assert words(Range("integer", Q(1), Q(2))) == "integer @ in [1, 2]"
    assert words(Range()) == "real @"
