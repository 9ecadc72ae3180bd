"""Means of polynomials of normal variables: each written out by hand, and by its value."""

from __future__ import annotations

import ast
from fractions import Fraction as Q
from typing import Any

import pytest

from verify.line import moments
from verify.line.drawn import Variable
from verify.line.grammar.refused import NotRead
from verify.line.moments import HIGHEST, LARGEST, moment, needed, without
from verify.line.pieces import Piece, Related
from verify.line.ranges import Range, Ranges

PIECE = Piece("E(x) <= 1", 0)


def tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def variable(name: str = "x", mean: str = "m", variance: str = "v") -> Variable:
    return Variable(name, "normal", (tree(mean), tree(variance)), Piece(f"{name} ~ N", 7))


X, Y = variable(), variable("y", "0", "w")
C = Variable("c", "coin", (tree("p"),), Piece("c ~ coin(p)", 0))


def text(node: ast.expr) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


def written(left: str, *normal: Variable, right: str = "0", random: Any = ()) -> str:
    stated = Related(tree(left), "<=", tree(right), PIECE)
    found = without(stated, normal or (X,), [*(normal or (X,)), *random])
    assert (found.relation, found.piece) == ("<=", PIECE)
    assert text(stated.left) == text(tree(left)), "what was stated is as it was"
    return f"{text(found.left)} <= {text(found.right)}".removesuffix(" <= 0")


def value(left: str, *normal: Variable, **symbols: Any) -> Any:
    """The mean, at numbers for the symbols."""
    return eval(written(left, *normal), {}, {k: Q(v) for k, v in symbols.items()})


# -- moments ---------------------------------------------------------------------------------------


def at(power: int, mean: Any, variance: Any) -> Any:
    node = moment(power, tree("m"), tree("v"))
    return eval(text(node), {}, {"m": Q(mean), "v": Q(variance)})


def test_a_moment_is_the_sum_over_even_parts() -> None:
    assert text(moment(0, tree("m"), tree("v"))) == "1"
    assert text(moment(1, tree("m"), tree("v"))) == "m"
    assert text(moment(2, tree("m"), tree("v"))) == "m ** 2 + v"
    assert text(moment(3, tree("m"), tree("v"))) == "m ** 3 + 3 * m * v"
    assert text(moment(4, tree("m"), tree("v"))) == "m ** 4 + 6 * m ** 2 * v + 3 * v ** 2"
    assert [at(k, 0, 1) for k in range(9)] == [1, 0, 1, 0, 3, 0, 15, 0, 105]
    # E (2 + 3 z)^4 with E z^2 = 1, E z^4 = 3
    assert at(4, 2, 9) == 16 + 6 * 4 * 9 + 3 * 81
    assert text(moment(2, tree("0"), tree("4"))) == "0 ** 2 + 4"


MEANS = {
    "E(x)": "m",
    "E(x**2)": "m ** 2 + v",
    "E(-x)": "-1 * m",
    "E(a*x + b)": "b + a * m",
    "E(x*a)": "a * m",
    "E(x/a)": "1 / a * m",
    "E(x - a)": "-a + m",
    "E(a - x)": "a + -1 * m",
    "E(2*x)": "2 * m",
    "E(x*x)": "m ** 2 + v",
    "E(x + x)": "(1 + 1) * m",
    "E(x - x)": "(1 + -1) * m",
    "E((x - m)**1)": "-m + m",
    "E(a)": "a",
    "1 + E(x)*2": "1 + m * 2",
    "E(E(x)*x)": "m * m",
    "max(E(x), a)": "max(m, a)",
    "E(a, 2)": "E(a, 2)",
    "E()": "E()",
    "(lambda: a)()": "(lambda: a)()",
}


@pytest.mark.parametrize("mean", MEANS)
def test_a_mean_is_written_out(mean: str) -> None:
    assert written(mean) == MEANS[mean]


def test_means_have_the_values_of_the_moments() -> None:
    for mean, wanted in (
        ("E((x - m)**2)", 5),
        ("E((x - m)**4)", 75),
        ("E((2*x - a)**3)", (6 - 7) ** 3 + 3 * (6 - 7) * 20),
        ("E(x**3/a)", Q(27 + 3 * 3 * 5, 7)),
        ("E((x + a)*(x - a))", 9 + 5 - 49),
        ("E(-(x**2))", -14),
        ("E((a - x)**2)", 16 + 5),
    ):
        assert value(mean, m=3, v=5, a=7) == wanted


def test_both_sides_are_written_out() -> None:
    assert written("E(x)", right="E(x**2)") == "m <= m ** 2 + v"


def test_variables_are_independent() -> None:
    assert written("E(x*y)", X, Y) == "0"
    assert value("E(x**2*y**2)", X, Y, m=3, v=5, w=2) == 28
    assert value("E((x + y)**2)", X, Y, m=3, v=5, w=2) == 16
    assert value("E((x + y)**4)", X, Y, m=3, v=5, w=2) == 81 + 6 * 9 * 7 + 3 * 49


def test_what_is_random_otherwise_stays_under_its_mean() -> None:
    assert written("E(c*x)", X, random=[C]) == "E(c * m)"
    assert written("E(c)", X, random=[C]) == "E(c)"
    assert written("E(a + 0*x)", X, random=[C]) == "a"


# -- what is refused -------------------------------------------------------------------------------


def refused(left: str, *normal: Variable) -> str:
    with pytest.raises(NotRead) as error:
        written(left, *normal)
    return str(error.value)


def test_what_is_no_polynomial_is_refused() -> None:
    for inside in ("exp(x)", "x**a", "x**0", "x**-1", "a**x", "a/x", "x**1.5", "x[0]"):
        assert "a polynomial in x" in refused(f"E({inside})")
    for inside in (f"x**{HIGHEST + 1}", f"x**{HIGHEST}*x", "(x**2)**7", "x**7*x**6"):
        assert "a polynomial in x" in refused(f"E({inside})")
    for inside in (f"(x**{HIGHEST} + a)*x", f"x*(x**{HIGHEST} + a)"):
        assert "a polynomial in x" in refused(f"E({inside})")
    assert "got exp(x): write the mean out" in refused("E(exp(x))")
    assert value(f"E(x**{HIGHEST})", m=0, v=1) == 10395
    assert value("E(x**6*x**6)", m=0, v=1) == 10395
    assert HIGHEST == 12


def test_a_normal_variable_stands_under_a_mean() -> None:
    for left in ("x", "x + E(x)", "E(x)*x"):
        assert "with x under E(...)" in refused(left)
    with pytest.raises(NotRead, match=r"with x under E\(\.\.\.\)"):
        written("E(x)", right="x")
    assert "with a under E" in refused("a*b", variable("b"), variable("a"))
    assert "got x: write E(x)" in refused("x")


def test_probabilities_are_of_finitely_many_outcomes() -> None:
    said = refused("P(x >= 1)")
    assert "P of finitely many outcomes" in said
    assert "got P(x >= 1): write the probability out" in said
    assert written("P(c >= 1)", X, random=[C]) == "P(c >= 1)"
    assert written("Q(a)", X) == "Q(a)"


def test_means_that_grow_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LARGEST == 3000
    sums = " + ".join(f"a{k}" for k in range(40))
    said = refused(f"E((x + {sums})**12)")
    assert "of shorter means" in said
    assert said.endswith(": write the mean out, or lower its powers.")
    monkeypatch.setattr(moments, "LARGEST", 12)
    # m**2 + v has the pieces of m, 2, **, + and v, with what Python keeps beside them
    assert moments._size(tree("m")) == 2
    assert moments._size(tree("m + a")) == 6
    one = moments._sized(ast.BinOp(tree("m + a"), ast.Add(), tree("m")))
    assert (one.pieces, moments._size(one)) == (9, 9)  # type: ignore[attr-defined]
    fits = moments._sized(ast.BinOp(one, ast.Mult(), tree("m")))
    assert fits.pieces == 12  # type: ignore[attr-defined]
    with pytest.raises(moments._TooLongError):
        moments._sized(ast.BinOp(fits, ast.Mult(), tree("m")))


def test_noughts_and_ones_are_left_out() -> None:
    times, plus = moments._times, moments._sum
    a, one, nought, two = tree("a"), tree("1"), tree("0"), tree("2")
    for left, right, wanted in (
        (a, nought, "0"),
        (nought, a, "0"),
        (one, a, "a"),
        (a, one, "a"),
        (one, one, "1"),
        (two, a, "2 * a"),
        (a, two, "a * 2"),
    ):
        assert text(times(left, right)) == wanted
    assert text(plus([])) == "0"
    assert text(plus([nought, a, nought, two])) == "a + 2"
    assert text(plus([nought, nought])) == "0"
    assert text(plus([a])) == "a"
    made = moments._product({0: a, 1: one}, {1: two, 2: a})
    assert {k: text(v) for k, v in made.items()} == {1: "a * 2", 2: "a * a + 2", 3: "a"}


# -- variances -------------------------------------------------------------------------------------


def test_a_variance_of_which_nothing_is_known_must_not_be_negative() -> None:
    known = Ranges(
        {
            "n": Range("real", low=Q(0)),
            "k": Range("real", low=Q(1, 2)),
            "b": Range("real", low=Q(-1)),
            "h": Range("real", high=Q(1)),
        }
    )

    def asked(variance: str) -> bool:
        one = variable(variance=variance)
        found = needed([one], known)
        for item in found:
            assert (text(item.left), item.relation, item.right) == ("0", "<=", one.numbers[1])
            assert item.piece is one.piece
        return bool(found)

    for variance in ("1", "s**2", "s**4", "(a - b)**2", "n", "k"):
        assert asked(variance) is False
    for variance in ("v", "b", "h", "s**3", "s**a", "s*2", "n + k", "s**6", "s**1"):
        assert asked(variance) is True
    several = needed([variable("x", variance="2"), variable("y"), variable("z")], known)
    assert len(several) == 2
