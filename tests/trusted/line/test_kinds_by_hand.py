"""Numbers and vectors of a line, indices that are bound, means: what is read, and each refusal."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from verify.line.drawn import Variable
from verify.line.grammar.refused import NotRead
from verify.line.kinds import (
    MOST,
    MOST_WRITTEN,
    Kinds,
    free_indices,
    indices_of,
    name_of,
    ranging_over,
)
from verify.line.pieces import Piece


def tree(text: str) -> Any:
    return ast.parse(text, mode="eval").body


def law(name: str, kind: str) -> Variable:
    return Variable(name, kind, (tree("1"),), Piece(name, 0))


LAWS = {"X": law("X", "coin"), "Y": law("Y", "uniform"), "Z": law("Z", "normal")}


def kinds(text: str = "", **more: Any) -> Kinds:
    made: dict[str, Any] = {
        "vectors": frozenset("uv"),
        "whole": frozenset("nm"),
        "laws": LAWS,
        "piece": Piece(text, 0),
    }
    return Kinds(**(made | more))


def kind(text: str, stack: str = "", **more: Any) -> str:
    return kinds(text, **more).kind(tree(text), tuple(stack))


NUMBER, VECTOR = "number", "vector"
READ = {
    "3": NUMBER,
    "0.5": NUMBER,
    "1e300": NUMBER,
    "a": NUMBER,
    "u": VECTOR,
    "-a": NUMBER,
    "+u": VECTOR,
    "-u": VECTOR,
    "a + 1": NUMBER,
    "u - v": VECTOR,
    "u + v": VECTOR,
    "a*b": NUMBER,
    "a*u": VECTOR,
    "u*a": VECTOR,
    "a/b": NUMBER,
    "u/a": VECTOR,
    "a**b": NUMBER,
    "sqrt(a)": NUMBER,
    "ln(a)": NUMBER,
    "min(a, b)": NUMBER,
    "max(a, b, 3)": NUMBER,
    "norm(u)": NUMBER,
    "norm1(u - v)": NUMBER,
    "norminf(u)": NUMBER,
    "dot(u, v)": NUMBER,
    "sum_i(x[i])": NUMBER,
    "mean_i(u[i])": VECTOR,
    "sum_i(u[i])": VECTOR,
    "max_i(x[i])": NUMBER,
    "min_j(x[j]**2)": NUMBER,
    "sum_i(sum_j(x[i, j]))": NUMBER,
    "sum_i(x[i]*max_j(y[i, j]))": NUMBER,
    "sum_i(x[i]) + sum_i(x[i]**2)": NUMBER,
    "sum_k(k, 1, n)": NUMBER,
    "prod_k(a + k, 1, n)": NUMBER,
    "sum_k(x*k, -1, 2*n + 3)": NUMBER,
    "sum_k(sum_j(j, 1, k), 1, n)": NUMBER,
    "sum_k(k, 1, n) + sum_k(k**2, 1, n)": NUMBER,
    "factorial(n)": NUMBER,
    "factorial(3)": NUMBER,
    "binom(n, 2)": NUMBER,
    "binom(n + m, n)": NUMBER,
    "sum_k(binom(n, k), 0, n)": NUMBER,
    "E(X)": NUMBER,
    "E(X*Y + a)": NUMBER,
    "E(E(X))": NUMBER,
    "E(X*E(X))": NUMBER,
    "P(X >= a)": NUMBER,
    "P(X < 1)": NUMBER,
    "P(X > Z)": NUMBER,
    "P(a <= X)": NUMBER,
    "E(exp(X))": NUMBER,
    "E(exp(Z))": NUMBER,
    "E(Y**2 - Y/a + 3*Y)": NUMBER,
    "E(-Y)": NUMBER,
    "E(Y**1)": NUMBER,
    "E(a**2*Y)": NUMBER,
    "E(sqrt(a)*Y)": NUMBER,
    "E(Y*E(exp(X)))": NUMBER,
    "E(a/b*Y)": NUMBER,
}


@pytest.mark.parametrize("text", READ)
def test_each_piece_is_a_number_or_a_vector(text: str) -> None:
    own = kinds(text)
    assert own.kind(tree(text), ()) == READ[text]
    assert (own.means, own.counters) == (False, [])


def test_symbols_are_learned_with_their_indices() -> None:
    own = kinds()
    own.kind(tree("sum_i(x[i]*a + sum_j(y[i, j]))"), ())
    assert own.indexed == {"x": 1, "a": 0, "y": 2}
    assert own.kind(tree("x[i]"), ("i",)) == NUMBER
    own = kinds()
    own.kind(tree("sum_k(k, 1, n) + factorial(m)"), ())
    assert own.indexed == {"n": 0, "m": 0}
    assert Kinds(frozenset()).piece == Piece("", 0)
    assert kinds().kind(tree("y[i, k]"), ("i", "j", "k")) == NUMBER


NOUGHT = "one of <=, >=, < or >"
REFUSED: dict[str, tuple[str, str]] = {
    "True": ("of numbers and symbols", "True: leave it out"),
    "'a'": ("of numbers and symbols", "'a': leave it out"),
    "2e300": ("of numbers up to 1e300", "one of 6 digits: write a power"),
    "-2e300": ("of numbers up to 1e300", "one of 6 digits: write a power"),
    "~a": ("of + - * / **, functions and symbols", "~a: write it so"),
    "a if b else c": ("of + - * / **, functions and symbols", "a if b else c: write it so"),
    "a // b": ("of + - * / and **", "a // b: write it with these"),
    "x[i]": ("of bound indices", "x[i]: put sum_i or max_i before it"),
    "x[1]": ("of entries by one letter", "x[1]: write x[i] under a sum_i"),
    "f(x)[i]": ("of entries by one letter", "f(x)[i]: write x[i]"),
    "sum_i(x[i] + x)": ("of symbols with one number", "x with 1 and with 0: rename one"),
    "sum_i(sum_j(x[j, i]))": ("of indices in order", "x[j, i]: write the sums in the order"),
    "sum_i(x[i, i])": ("of indices in order", "x[i, i]: write the sums in the order"),
    "a + u": ("of sums of like things", "a + u: take a norm"),
    "u - 1": ("of sums of like things", "u - 1: take a norm"),
    "u*v": ("of products with a number", "u * v: write dot(u, v), or the product"),
    "a/u": ("of powers and quotients of numbers", "a / u: write norm(x)**2"),
    "u**2": ("of powers and quotients of numbers", "u ** 2: write norm(x)**2"),
    "a**u": ("of powers and quotients of numbers", "a ** u: write norm(x)**2"),
    "sqrt(a=1)": ("of plain calls", "sqrt(a=1): leave names out"),
    "sqrt(*a)": ("of plain calls", "sqrt(*a): leave names out"),
    "f(a)": ("of functions that are known", "f(...): write * before a bracket, or one of sqrt"),
    "(a + b)(c)": ("of functions that are known", "a + b(...): write * before"),
    "sqrt()": ("sqrt of its arguments", "0: pass 1"),
    "sqrt(a, b)": ("sqrt of its arguments", "2: pass 1"),
    "dot(u)": ("dot of its arguments", "1: pass 2"),
    "norm(u, v)": ("norm of its arguments", "2: pass 1"),
    "min(a)": ("min of its arguments", "1: pass two or more"),
    "max()": ("max of its arguments", "0: pass two or more"),
    "norm(a)": ("norms of vectors", "norm(a): write abs(...), or declare vectors"),
    "norm1(a)": ("norm1 of vectors", "norm1(a): declare them: for vectors x, y"),
    "dot(u, a)": ("dot of vectors", "dot(u, a): declare them"),
    "dot(a, b)": ("dot of vectors", "dot(a, b): declare them"),
    "sqrt(u)": ("sqrt of numbers", "sqrt(u): take a norm first"),
    "max(a, u)": ("max of numbers", "max(a, u): take a norm first"),
    "prod_i(x[i])": ("of products over whole numbers", "prod_i(x[i]): write exp(sum_i log(x[i]))"),
    "sum_i()": ("sum_i of one formula", "0: write one"),
    "sum_i(a, b)": ("sum_i of one formula", "2: write one"),
    "sum_i(sum_i(x[i]))": ("of indices that are free", "i twice: use another letter"),
    "max_i(u[i])": ("of extremes of numbers", "max_i(u[i]): take a norm"),
    "min_i(u[i])": ("of extremes of numbers", "min_i(u[i]): take a norm"),
    "sum_i(a)": ("of a sum over i", "none in it: write an entry such as x[i] in it"),
    "mean_i(sum_j(x[j]))": ("of a mean over i", "none in it: write an entry such as x[i]"),
    "sum_k(k, 1, a)": ("with whole ends of sums", "a: write integer n in [1, 16]"),
    "sum_k(k, 1/2, n)": ("with whole ends of sums", "1 / 2: write integer n"),
    "sum_k(k, 1, 10001)": ("with whole ends of sums", "10001: write integer n"),
    "sum_k(k, 1, u)": ("with whole ends of sums", "u: write integer n"),
    "sum_i(x[i]*sum_i(i, 1, n))": ("of indices that are free", "i twice: use another letter"),
    "k + sum_k(k, 1, n)": ("of indices that are free", "k twice: use another letter"),
    "sum_k(sum_k(k, 1, n), 1, n)": ("of indices that are free", "k twice: use another letter"),
    "sum_k(u, 1, n)": ("of sums of numbers", "sum_k(u, 1, n): take a norm"),
    "factorial()": ("factorial of its arguments", "0: pass 1"),
    "factorial(n, m)": ("factorial of its arguments", "2: pass 1"),
    "binom(n)": ("binom of its arguments", "1: pass 2"),
    "factorial(a)": ("factorial of whole numbers", "a: write integer a in [0, 16]"),
    "factorial(a + 1)": ("factorial of whole numbers", "a + 1: declare them"),
    "binom(n, n*m)": ("binom of whole numbers", "n * m: declare them"),
    "X": ("with X under E(...) or P(...)", "X: write E(X)"),
    "E(X) + X": ("with X under E(...) or P(...)", "X: write E(X)"),
    "sum_i(X[i])": ("of random variables without an index", "X: write the claim for one client"),
    "E(X, Y)": ("E of one formula", "2: write one"),
    "P()": ("P of one formula", "0: write one"),
    "E(a)": ("E of a random variable", "E(a): name it after 'for': x ~ coin(p)"),
    "P(a >= 1)": ("P of a random variable", "P(a >= 1): name it after 'for'"),
    "P(E(X) >= 1)": ("P of a random variable", "P(E(X) >= 1): name it after 'for'"),
    "E(X*u)": ("of means of numbers", "E(X * u): take a norm"),
    "P(X == 1)": ("P of one <=, >=, < or >", "P(X == 1): write P(x >= t)"),
    "P(X)": ("P of one <=, >=, < or >", "P(X): write P(x >= t)"),
    "P(0 <= X <= 1)": ("P of one <=, >=, < or >", "P(0 <= X <= 1): write P(x >= t)"),
    "P(X + Y >= 1)": ("P of finitely many outcomes", "P(X + Y >= 1): write the probability"),
    "P(X*u >= v)": ("of events of numbers", "P(X * u >= v): take a norm"),
    "E(exp(Y))": ("a polynomial in Y", "exp(Y): write the mean out"),
    "E(1/Y)": ("a polynomial in Y", "1 / Y: write the mean out"),
    "E(Y**a)": ("a polynomial in Y", "Y ** a: write the mean out"),
    "E(Y**0)": ("a polynomial in Y", "Y ** 0: write the mean out"),
    "E(a**Y)": ("a polynomial in Y", "a ** Y: write the mean out"),
    "E(X + Y*exp(Y))": ("a polynomial in Y", "X + Y * exp(Y): write the mean out"),
    "E(exp(Y)*Y)": ("a polynomial in Y", "exp(Y) * Y: write the mean out"),
    "E(-exp(Y))": ("a polynomial in Y", "-exp(Y): write the mean out"),
    "E(exp(Y)**2)": ("a polynomial in Y", "exp(Y) ** 2: write the mean out"),
    "E(exp(Y)/2)": ("a polynomial in Y", "exp(Y) / 2: write the mean out"),
    "E(Y/E(Y))": ("a polynomial in Y", "Y / E(Y): write the mean out"),
}


def refused(text: str, **more: Any) -> NotRead:
    own = kinds(text, **more)
    with pytest.raises(NotRead) as error:
        own.kind(tree(text), ())
    assert (own.means, own.counters) == (False, [])
    return error.value


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_on_the_list_is_refused_with_a_remedy(text: str) -> None:
    condition, found = REFUSED[text]
    said = str(refused(text))
    assert f"must be {condition}" in said
    assert f", got {found}" in said


def test_a_refusal_has_the_place_of_its_piece() -> None:
    assert "at character 6 ('a + u')" in str(refused("b + (a + u)"))
    node = tree("1 + (a + u)")
    own = kinds(piece=Piece("1 + (a + u)", 4))
    for part in ast.walk(node):
        if hasattr(part, "col_offset"):
            part.col_offset += 4
            part.end_col_offset += 4
    with pytest.raises(NotRead, match=r"at character 10 \('a \+ u'\)"):
        own.kind(node, ())
    for missing in ("col_offset", "end_col_offset"):
        bare = tree("a + u")
        setattr(bare, missing, None)
        with pytest.raises(NotRead, match=r"at character 8 \('the whole'\)"):
            kinds(piece=Piece("the whole", 7)).kind(bare, ())
    far = kinds(piece=Piece("short", 0))
    far_node = tree("a + u")
    far_node.col_offset = far_node.end_col_offset = 50
    with pytest.raises(NotRead, match=r"at character 51 \('short'\)"):
        far.kind(far_node, ())


def edits(text: str, **more: Any) -> list[tuple[int, int, str]]:
    return [(one.start, one.end, one.text) for one in refused(text, **more).edits]


def test_what_can_be_written_instead_is_proposed() -> None:
    assert edits("1 + u*v") == [(4, 7, "dot(u, v)")]
    assert edits("norm(b - a)", ranges_at=11) == [(11, 11, " for vectors a, b")]
    assert edits("dot(a, b)", ranges_at=9) == [(9, 9, " for vectors a, b")]
    assert edits("norm(b - a)") == edits("dot(a, b)") == []
    for missing in ("col_offset", "end_col_offset"):
        node = tree("u*v")
        setattr(node, missing, None)
        with pytest.raises(NotRead) as error:
            kinds("u*v").kind(node, ())
        assert list(error.value.edits) == []


def test_a_number_is_held_up_to_a_limit() -> None:
    assert MOST == 1e300
    assert kind("-1e300") == NUMBER
    assert kind(str(10**300)) == NUMBER
    assert "one of 302 digits" in str(refused(str(10**301)))


WHOLE = {
    "3": True,
    "-3": True,
    "10000": True,
    "10001": False,
    "-10001": False,
    "1.0": False,
    "n": True,
    "a": False,
    "k": True,
    "-n": True,
    "n + 1": True,
    "n - k": True,
    "2*n": True,
    "n*2": True,
    "n*m": False,
    "2*a": False,
    "a*2": False,
    "n + a": False,
    "a + n": False,
    "n/2": False,
    "n**2": False,
    "x[i]": False,
    "f(n)": False,
}


def test_a_whole_number_is_made_of_whole_numbers() -> None:
    own = kinds(counters=["k"])
    assert {text: own.is_whole(tree(text)) for text in WHOLE} == WHOLE
    assert MOST_WRITTEN == 10_000


def test_random_variables_of_a_piece_in_the_order_of_their_laws() -> None:
    own = kinds()
    node = tree("Z*a + E(Y + exp(X)) + P(X >= 1)*X")
    assert own.drawn_in(node) == ["X", "Y", "Z"]
    assert own.free_variables(node) == ["X", "Z"]
    assert own.free_variables(tree("E(X)")) == []
    assert own.drawn_in(tree("a")) == []


def test_means_within_means_are_looked_at_as_means() -> None:
    own = kinds("E(X + E(Y))")
    assert own.kind(tree("E(X + E(Y))"), ()) == NUMBER
    own.means = True
    assert own.kind(tree("E(X)"), ()) == NUMBER
    assert own.means is True


def test_names_of_calls_and_their_letters() -> None:
    assert ranging_over("sum_i") == ("sum", "i")
    assert ranging_over("prod_K") == ("prod", "K")
    for name in ("sum", "sum_ij", "total_i", "sum_1", ""):
        assert ranging_over(name) is None
    assert (name_of(tree("f(x)")), name_of(tree("f(x)(y)"))) == ("f", "")


def test_indices_of_a_symbol() -> None:
    for text, found in (
        ("x", ("x", ())),
        ("x[i]", ("x", ("i",))),
        ("x[i, j]", ("x", ("i", "j"))),
        ("x[i + 1]", ("x", (None,))),
        ("x[i, 1]", ("x", ("i", None))),
        ("f(x)[i]", (None, ("i",))),
    ):
        assert indices_of(tree(text)) == found
    assert free_indices(tree("x[i] + sum_j(y[i, j])*z[1]*a")) == {"i", "j"}
    assert free_indices(tree("a + 1")) == set()


def test_a_counter_is_a_number_and_no_entry() -> None:
    own = kinds("k[i]", counters=["k"])
    assert own.kind(tree("k"), ()) == NUMBER
    assert own.indexed == {}
    with pytest.raises(NotRead, match="of bound indices"):
        own.kind(tree("k[i]"), ())
    assert kinds(counters=["k"]).kind(tree("k[i]"), ("i",)) == NUMBER
