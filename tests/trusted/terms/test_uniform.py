"""Whether a term says at every size what it says at a few: each rule by hand.

What is let through here is proved "for any number of clients".
"""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from verify.terms.node import Node, constant, node
from verify.terms.traced import HERE
from verify.terms.uniform import degree_in_sizes, obstacle, picks_out

N = node("size", data="N")
T = node("original size", data="T")
X = node("symbol", data="x")


def op(sign: str, *parts: Node) -> Node:
    return node("operator", *parts, data=sign)


def call(name: str, *parts: Node, kind: str = "generic") -> Node:
    module = "bounds.numbers.arrays:" if kind == "generic" else ""
    return node(kind, *parts, data=(f"{module}{name}", len(parts), ()))


def power(base: Node, exponent: Any) -> Node:
    return op("**", base, exponent if isinstance(exponent, Node) else constant(exponent))


NX = op("*", N, X)
TWO = op("*", N, T)
DEGREES: dict[str, tuple[Node, float]] = {
    "a constant": (constant(7), 0),
    "a symbol": (X, 0),
    "a size": (N, 1),
    "a size that nothing changes": (T, 1),
    "a length": (node("length", X, data=-1), 1),
    "a sum": (op("+", TWO, N), 2),
    "a difference": (op("-", constant(1), TWO), 2),
    "a sign": (op("neg", TWO), 2),
    "a product": (op("*", TWO, N), 3),
    "a quotient": (op("/", TWO, TWO), 4),
    "a matrix product": (op("@", NX, NX), 2),
    "a power": (power(TWO, 3), 6),
    "a negative power": (power(N, -2), 2),
    "no power": (power(N, 0), 0),
    "a root": (power(N, 0.5), inf),
    "a power of a number": (power(X, N), 1),
    "a power of a number, of two sizes": (power(X, TWO), inf),
    "a power by a symbol": (power(N, X), inf),
    "a size to the power of a size": (power(N, N), inf),
    "a number by a symbol": (power(constant(3), X), 0),
    "a power by a length": (power(N, node("length", X, data=-1)), inf),
    "compared": (op("<=", N, constant(7)), inf),
    "equal": (op("==", N, constant(7)), inf),
    "a quotient without a rest": (op("//", N, constant(2)), inf),
    "the rest": (op("%", N, constant(2)), inf),
    "absolute": (op("abs", N), inf),
    "compared without sizes": (op("<=", X, constant(7)), 0),
    "an array": (node("array", NX, data="<f8"), 1),
    "an attribute": (node("attribute", NX, data="a"), 1),
    "an entry": (node("entry", NX, data="a"), 1),
    "an entry at a size": (node("entry at", X, N), 1),
    "an index": (node("index", TWO, data=(Ellipsis, 0)), 2),
    "an index by a size": (node("index", X, N, data=(Ellipsis, HERE)), 0),
    "a literal": (node("literal", NX), 1),
    "a mean over outcomes": (node("mean", TWO), 2),
    "a pair": (node("tuple", N, TWO, data="tuple"), 2),
    "a run": (node("run", N, TWO, data=("m", ())), 2),
    "a unit matrix": (call("eye", N, X), 0),
    "a logarithm": (call("log", N), 1),
    "a logarithm of two sizes": (call("log", TWO), inf),
    "a squared length": (call("squared_norm", TWO), 4),
    "an inner product": (call("dot", N, TWO), 3),
    "a matrix on a vector": (call("matvec", N, TWO), 3),
    "a generic quotient": (call("divide", N, TWO), 3),
    "a generic sum": (call("total", TWO), 2),
    "a mean of numpy": (call("mean", TWO, kind="numpy"), 2),
    "a method": (call("sum", TWO, kind="method"), 2),
    "a sum by a name that looks like one": (call("subtotal", N), inf),
    "where, by a symbol": (call("where", op("<", X, X), TWO, N), 2),
    "where, by a symbol, the other way": (call("where", op("<", X, X), N, TWO), 2),
    "where, by a size": (call("where", op("<", N, X), N, TWO), inf),
    "an indicator of a symbol": (call("indicator", op("<", X, X), N), 1),
    "an indicator of a size": (call("indicator", N, X), inf),
    "an indicator of a size alone": (call("indicator", N), inf),
    "a call of the package": (call("sum", TWO, kind="call"), 2),
    "a squared length that a record gives": (call("squared_norm", TWO, kind="call"), 4),
    "a call of the package by another name": (call("moments", TWO, kind="call"), 2),
    "a quantity": (node("quantity", TWO, data="q"), 2),
    "rounded": (call("floor", N), inf),
    "an extreme": (call("maximum", N, X), inf),
    "a function of numpy": (call("cos", N, kind="ufunc"), inf),
    "a function of numpy without sizes": (call("cos", X, kind="ufunc"), 0),
}


@pytest.mark.parametrize("name", DEGREES)
def test_the_degree_of_each_operation(name: str) -> None:
    term, degree = DEGREES[name]
    assert degree_in_sizes(term) == degree


@pytest.mark.parametrize(
    ("name", "degree"),
    [
        *((name, 1) for name in (
            "broadcast_to", "concatenate", "copy", "cumsum", "diagonal", "expand_dims", "flip",
            "mean", "moveaxis", "ones_like", "repeat", "reshape", "squeeze", "stack", "sum",
            "swapaxes", "symmetric_part", "total", "trace", "trailing", "transpose", "zeros_like",
        )),
        *((name, inf) for name in ("prod", "sort", "cumprod", "round", "argmax", "max", "sqrt")),
    ],
)  # fmt: skip
def test_functions_that_add_entries_up_or_move_them(name: str, degree: float) -> None:
    assert degree_in_sizes(call(name, N)) == degree
    assert degree_in_sizes(call(name, X)) == 0


WHOLE: dict[str, tuple[Node, bool]] = {
    "one entry": (node("index", X, data=(Ellipsis, 0)), True),
    "a new axis": (node("index", X, data=(Ellipsis, None)), True),
    "the whole axis": (node("index", X, data=(Ellipsis, (None, None, None))), True),
    "in steps of one": (node("index", X, data=(Ellipsis, (None, None, 1))), True),
    "in steps of two": (node("index", X, data=(Ellipsis, (None, None, 2))), False),
    "backwards": (node("index", X, data=(Ellipsis, (None, None, -1))), False),
    "the first": (node("index", X, data=(Ellipsis, (None, 1, None))), True),
    "the first, from zero": (node("index", X, data=(Ellipsis, (0, 1, None))), True),
    "the first two": (node("index", X, data=(Ellipsis, (0, 2, None))), False),
    "none": (node("index", X, data=(Ellipsis, (1, 1, None))), False),
    "all but the first": (node("index", X, data=(Ellipsis, (1, None, None))), True),
    "all but the last": (node("index", X, data=(Ellipsis, (0, -1, None))), True),
    "all but both": (node("index", X, data=(Ellipsis, (1, -1, None))), True),
    "all but two": (node("index", X, data=(Ellipsis, (2, None, None))), False),
    "all but the last two": (node("index", X, data=(Ellipsis, (None, -2, None))), False),
    "the first and a part": (
        node("index", X, data=(Ellipsis, (None, 1, None), (2, None, None))),
        False,
    ),
    "inside of a sum": (
        op("+", X, call("total", node("index", X, data=(Ellipsis, (2, None, None))))),
        False,
    ),
    "the last by its size": (
        node("index", X, op("-", N, constant(1)), data=(Ellipsis, HERE)),
        True,
    ),
    "behind the last": (node("index", X, op("+", N, constant(1)), data=(Ellipsis, HERE)), True),
    "at a size": (node("index", X, N, data=(Ellipsis, HERE)), True),
    "at a size and nothing more": (
        node("index", X, op("-", N, constant(0)), data=(Ellipsis, HERE)),
        True,
    ),
    "two before a size": (node("index", X, op("-", N, constant(2)), data=(Ellipsis, HERE)), False),
    "at half a size": (node("index", X, op("//", N, constant(2)), data=(Ellipsis, HERE)), False),
    "at twice a size": (node("index", X, op("*", N, constant(1)), data=(Ellipsis, HERE)), False),
    "one before half a size": (
        node("index", X, op("-", op("//", N, constant(2)), constant(1)), data=(Ellipsis, HERE)),
        False,
    ),
    "before an entry": (
        node("index", X, op("-", N, node("entry", X, data=1)), data=(Ellipsis, HERE)),
        False,
    ),
    "before another size": (node("index", X, op("-", N, T), data=(Ellipsis, HERE)), False),
    "from the other end": (
        node("index", X, op("-", constant(1), N), data=(Ellipsis, HERE)),
        False,
    ),
    "a place that is a constant": (node("index", X, constant(1), data=(HERE,)), False),
    "two places, the second within": (
        node("index", X, N, op("-", N, constant(3)), data=(HERE, HERE)),
        False,
    ),
    "of a list, the last": (node("entry at", X, op("-", N, constant(1))), True),
    "of a list, within": (node("entry at", X, op("-", N, constant(3))), False),
    "of a list, by its name": (node("entry", X, data=3), True),
}


@pytest.mark.parametrize("name", WHOLE)
def test_which_indices_keep_an_axis_whole(name: str) -> None:
    term, whole = WHOLE[name]
    assert picks_out(term) is not whole


def test_an_obstacle_is_named() -> None:
    fine = power(N, 4)
    assert obstacle([]) == obstacle([X, N, fine]) == ""
    picked = "entries between two places are picked out, wherever an axis ends"
    decided = "a size is compared, rounded or multiplied with itself too often"
    assert obstacle([fine, WHOLE["two before a size"][0]]) == picked
    for term in (power(N, 5), call("floor", N), op("*", fine, T)):
        assert obstacle([term]) == obstacle([X, term, N]) == decided
    # of the same pieces in another term the degree is known already
    assert obstacle([TWO, op("*", TWO, TWO), op("*", op("*", TWO, TWO), N)]) == decided
