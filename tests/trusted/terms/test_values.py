"""What each operation of a term gives in a world, by hand.

Search, referee and proofs see a statement through this table alone.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy  # noqa: F401  (an axis of any number has symbols)

from bounds.numbers.ball import FloatAmongExact, floats_refused
from bounds.numbers.formal import Axis, listed
from bounds.numbers.symbolic import Symbolic
from verify.terms import values
from verify.terms.direct.build import averaged, bound, generic, operation, repeated
from verify.terms.node import Node, constant, node
from verify.terms.traced import HERE, OPERATORS
from verify.terms.values import function_named, lengths_counted, value_of

ROWS = np.arange(12.0).reshape(3, 4)


def two(world: Any, *more: Any) -> Any:
    """Stands for a quantity."""
    return (world.number, *more)


class Fake:
    """A world that says what it was asked."""

    number = "float64"
    problem = SimpleNamespace(A="the problem's A", at=lambda x, more=0: ("at", x, more))
    weights = "weights"
    outcome_weights = "outcome weights"

    def __init__(self) -> None:
        self.on_unknowns: Any = {}

    def symbol(self, name: str) -> Any:
        return {"x": 5.0, "y": 2.0, "rows": ROWS, "N": 3}.get(name, f"symbol {name}")

    def original(self, name: str) -> Any:
        return f"original {name}"

    def given(self, name: str) -> Any:
        return f"given {name}"

    def has(self, name: str) -> Any:
        return f"has {name}"

    def array(self, inside: Any) -> Any:
        return ("array", inside)

    def mean(self, inside: Any) -> Any:
        return ("mean", inside)

    def probability(self, inside: Any) -> Any:
        return ("probability", inside)

    def run(self, method: Any, rounds: Any, **named: Any) -> Any:
        return ("run", method, rounds, named)


class Exact(Fake):
    number = "exact"


X, Y, N = node("symbol", data="x"), node("symbol", data="y"), node("size", data="N")
A = node("symbol", data="rows")
HELPER = f"{__name__}:helper"
PROBLEM = node("problem")
F = "bounds.generic:"
Z, QUARTER = bound("z"), constant(0.25)
TWICE = operation("*", constant(2), Z)
SQUARE = operation("*", bound("k"), bound("k"))
BOTH = operation("*", bound("j"), bound("k"))


def helper(*args: Any, **named: Any) -> Any:
    return (args, named)


def c(value: Any) -> Node:
    return constant(value)


def made(term: Node, world: Any = None) -> Any:
    return value_of(term, world or Fake(), {})


CASES: dict[str, tuple[Node, Any]] = {
    "a symbol": (X, 5.0),
    "a size": (N, 3),
    "an original": (node("original", data="x"), "original x"),
    "an original size": (node("original size", data="N"), "original N"),
    "a plain value": (node("plain", data="x"), "original x"),
    "given": (node("given", data="x"), "given x"),
    "had": (node("has", data="x"), "has x"),
    "the weights": (node("weights"), "weights"),
    "the weights of outcomes": (node("outcome weights"), "outcome weights"),
    "a part of the problem": (node("attribute", PROBLEM, data="A"), "the problem's A"),
    "a call of it": (
        node("call", PROBLEM, X, Y, data=("at", 2, ("more",))),
        ("at", 5.0, 2.0),
    ),
    "a mean": (node("mean", X), ("mean", 5.0)),
    "a probability": (node("probability", X), ("probability", 5.0)),
    "a literal": (node("literal", X), ("array", 5.0)),
    "a count": (node("count", N), 3),
    "a pair": (node("tuple", X, Y, data="tuple"), (5.0, 2.0)),
    "a list": (node("tuple", X, Y, data="list"), [5.0, 2.0]),
    "an entry": (node("entry", node("tuple", X, Y, data="tuple"), data=1), 2.0),
    "an entry at a size": (
        node("entry at", node("tuple", X, X, X, Y, data="tuple"), N),
        2.0,
    ),
    "a slice": (node("slice", c(1), N, c(None)), slice(1, 3, None)),
    "a run": (
        node("run", N, X, Y, data=("method", ("eta", "rho"))),
        ("run", "method", 3, {"eta": 5.0, "rho": 2.0}),
    ),
    "a function of a file": (node("function", data=HELPER), helper),
    "a function that is called": (
        node("generic", X, Y, N, data=(HELPER, 2, ("size",))),
        ((5.0, 2.0), {"size": 3}),
    ),
    "a function of the package": (node("generic", A, data=(f"{F}largest", 1, ())), ROWS.max(-1)),
    "with an axis by name": (
        node("generic", A, c(-2), data=(f"{F}total", 1, ("axis",))),
        ROWS.sum(-2),
    ),
    "a function of numpy": (
        node("numpy", A, c(0), data=("sum", 1, ("axis",))),
        ROWS.sum(0),
    ),
    "a function over entries": (node("ufunc", X, Y, data=(("subtract", "__call__"), 2, ())), 3.0),
    "a reduction": (
        node("ufunc", A, c(0), data=(("multiply", "reduce"), 1, ("axis",))),
        np.multiply.reduce(ROWS, axis=0),
    ),
    "a method": (node("method", A, c(1), data=("sum", 2, ())), ROWS.sum(1)),
    "a method with a name": (node("method", A, c(1), data=("sum", 1, ("axis",))), ROWS.sum(1)),
    "an array": (node("array", node("tuple", c(1), c(2), data="list"), data="<f8"), [1.0, 2.0]),
    "an index": (node("index", A, data=(1,)), ROWS[1]),
    "two indices": (node("index", A, data=(1, 2)), ROWS[1, 2]),
    "a place and a range": (node("index", A, data=(Ellipsis, (1, None, 2))), ROWS[..., 1::2]),
    "a new axis": (node("index", A, data=(Ellipsis, None)), ROWS[..., None]),
    "at a size": (node("index", A, N, data=(0, HERE)), ROWS[0, 3]),
    "at two sizes": (
        node("index", A, c(2), N, data=(HERE, HERE)),
        ROWS[2, 3],
    ),
    "from a size on": (
        node("index", A, c(1), data=((HERE, None, None),)),
        ROWS[1:],
    ),
    "between two sizes, behind a place": (
        node("index", A, c(2), c(1), N, data=(HERE, (HERE, HERE, None))),
        ROWS[2, 1:3],
    ),
    "a length": (node("length", A, data=-2), 3),
    "the last length": (node("length", A, data=-1), 4),
    "n!": (node("counted", c(4), data="factorial"), 24),
    "a binomial coefficient": (node("counted", c(5), c(2), data="comb"), 10),
    "a sum over whole numbers": (repeated("sum", "k", SQUARE, (c(2), N), c(0)), 13),
    "a product over whole numbers": (repeated("prod", "k", SQUARE, (c(2), N), c(1)), 36),
    "what it begins with": (repeated("sum", "k", SQUARE, (c(1), c(0)), c(7)), 7),
    "a sum in a sum": (
        repeated("sum", "j", repeated("sum", "k", BOTH, (c(1), bound("j")), c(0)), (c(1), N), c(0)),
        25,  # 1 + (2 + 4) + (3 + 6 + 9)
    ),
    "a mean over a coin": (averaged("expectation", [("coin", [QUARTER])], ["z"], TWICE), 0.5),
    "the chance of a coin": (
        averaged("probability", [("coin", [QUARTER])], ["z"], generic("at_least", Z, c(1))),
        0.25,
    ),
    "a mean over two variables": (
        averaged(
            "expectation",
            [("coin", [QUARTER]), ("two_point", [c(2.0), c(6.0), QUARTER])],
            ["z", "v"],
            operation("*", operation("+", Z, c(1)), bound("v")),
        ),
        3.75,  # (1 + 1/4) (2 + 4/4)
    ),
    "a mean in a sum": (
        repeated(
            "sum",
            "k",
            averaged("expectation", [("coin", [QUARTER])], ["z"], operation("*", Z, bound("k"))),
            (c(1), N),
            c(0.0),
        ),
        1.5,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_each_operation_gives(name: str) -> None:
    term, value = CASES[name]
    found = made(term)
    assert type(found) is type(value) or isinstance(found, np.ndarray | np.generic)
    assert np.array_equal(found, value) if isinstance(found, np.ndarray) else found == value


def test_what_is_traced_is_evaluated_on_all_numbers() -> None:
    """A tracing world has no kind of numbers: what it is asked for stays what it is."""

    class Traces(Fake):
        traces = True

    class TracesExact(Traces):
        number = "exact"

    world = Traces()
    assert made(c(Fraction(1, 3)), world) == Fraction(1, 3)
    assert type(made(c(Fraction(1, 3)))) is float
    assert made(operation("/", c(1), c(3)), world) == Fraction(1, 3)
    world.on_unknowns = {"largest": lambda *_: "its own"}
    largest = node("generic", A, data=(f"{F}largest", 1, ()))
    assert np.array_equal(made(largest, world), ROWS.max(-1))
    with floats_refused():
        assert made(c(0.5), TracesExact()) == 0.5
        with pytest.raises(FloatAmongExact):
            made(c(0.5), Exact())


def test_every_operation_has_a_case() -> None:
    quantity = {"quantity", "constant", "operator"}  # below
    assert {part.op for term, _ in CASES.values() for part in term.order} | quantity == {
        *values._RULES
    }


@pytest.mark.parametrize("sign", OPERATORS)
def test_each_sign_does_what_it_does_in_python(sign: str) -> None:
    first, second = np.array([6, 3]), np.array([2, 5])
    world = SimpleNamespace(number="float64", symbol={"a": first, "b": second}.__getitem__)
    parts = [node("symbol", data=name) for name in "ab"]
    if sign in ("neg", "abs", "~"):
        wanted = {"neg": -first, "abs": abs(-first), "~": ~first}[sign]
        term = node("operator", parts[0], data=sign)
        world.symbol = {"a": -first if sign == "abs" else first}.__getitem__
    else:
        wanted = eval(f"a {sign} b", {"a": first, "b": second})
        term = node("operator", *parts, data=sign)
    assert np.array_equal(value_of(term, world, {}), wanted)


def op(sign: str, *inside: Any) -> Node:
    return node("operator", *map(constant, inside), data=sign)


def test_whole_numbers_are_divided_exactly_among_exact_numbers() -> None:
    for term, exact, rounded in (
        (op("/", 1, 3), Fraction(1, 3), 1 / 3),
        (op("/", 6, 3), Fraction(2), 2.0),
        (op("**", 2, -3), Fraction(1, 8), 0.125),
        (op("**", 2, 3), 8, 8),
        (op("**", 2, 0), 1, 1),
        (op("+", 2, 3), 5, 5),
        (op("//", 7, 2), 3, 3),
    ):
        found = made(term, Exact())
        assert (found, type(found)) == (exact, type(exact))
        found = made(term)
        assert (found, type(found)) == (rounded, type(rounded))
    for term in (op("/", Fraction(1, 2), 3), op("**", Fraction(1, 2), -1)):
        assert isinstance(made(term, Exact()), Fraction)
    assert made(op("/", 3, Fraction(1, 2)), Exact()) == 6
    world = Exact()
    halves = np.array([Fraction(1, 2), Fraction(3, 2)], dtype=object)
    world.symbol = lambda _: halves  # type: ignore[method-assign]
    for term, wanted in (
        (node("operator", X, c(3), data="/"), halves / 3),
        (node("operator", c(3), X, data="/"), 3 / halves),
        (node("operator", X, c(-2), data="**"), halves**-2),
        (node("operator", X, Y, data="/"), halves / halves),
    ):
        assert made(term, world).tolist() == wanted.tolist()


def test_a_constant_is_a_number_of_the_world() -> None:
    for value, in_floats in ((Fraction(1, 3), 1 / 3), (2, 2), (True, True), (None, None)):
        assert (made(c(value)), type(made(c(value)))) == (in_floats, type(in_floats))
        found = made(c(value), Exact())
        assert (found, type(found)) == (value, type(value))
    assert made(c(0.1)) == made(c(0.1), Exact()) == 0.1
    with floats_refused():
        assert made(c(0.1)) == 0.1
        assert made(c(inf), Exact()) == inf
        with pytest.raises(FloatAmongExact):
            made(c(0.1), Exact())


def test_a_quantity_is_asked_of_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "quantity_named", {"m:two": two}.__getitem__)
    term = node("quantity", X, N, data="m:two")
    assert made(term) == ("float64", 5.0, 3)


def test_numbers_without_an_order_have_functions_of_their_own() -> None:
    world = Fake()
    world.on_unknowns = {"largest": lambda *args, **named: ("own", args, named)}
    term = node("generic", X, Y, data=(f"{F}largest", 1, ("axis",)))
    assert made(term, world) == ("own", (5.0,), {"axis": 2.0})
    world.on_unknowns = {"helper": None, "smallest": len}
    assert made(CASES["a function that is called"][0], world)[0] == (5.0, 2.0)
    world.on_unknowns = {"helper": len}  # of the package alone
    assert made(CASES["a function that is called"][0], world)[0] == (5.0, 2.0)


def test_functions_of_the_package_are_found_once_others_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import bounds.generic

    largest = function_named(f"{F}largest")
    assert largest is bounds.generic.largest
    monkeypatch.setattr(bounds.generic, "largest", helper)
    assert function_named(f"{F}largest") is largest
    monkeypatch.setitem(globals(), "helper", two)
    assert function_named(HELPER) is two


def test_what_is_known_is_not_asked_again() -> None:
    known: dict[Node, Any] = {X: 7.0}
    term = node("operator", X, Y, data="-")
    assert value_of(term, Fake(), known) == 5.0
    assert known == {X: 7.0, Y: 2.0, term: 5.0}
    assert value_of(term, None, {term: 4.0}) == 4.0, "nor is what it is made of"
    assert value_of(term, None, {term: None}) is None


def test_the_length_of_an_axis_of_any_number_is_a_symbol_where_it_is_counted() -> None:
    axis = Axis.of(4, 1)
    last, other = CASES["the last length"][0], CASES["a length"][0]
    twice = node("length", node("symbol", data="twice"), data=-1)
    world = SimpleNamespace(number="symbolic", symbol=lambda name: np.zeros((2, 8)))
    with listed(axis):
        assert (made(last), made(other)) == (4, 3)
        with lengths_counted():
            counted = made(last)
            assert isinstance(counted, Symbolic)
            assert counted == Symbolic(axis.count)
            assert made(other) == 3
            assert value_of(twice, world, {}) == 8, "an axis of pairs of clients is not counted"
        assert made(last) == 4
    with lengths_counted():
        assert made(last) == 4
