"""What traced values and records write down, what their example is, and what ends the trace.

Each operation is done once on traced values: the node says what was done, in order, and the example
is what numpy gives for the examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers.ball import Ball
from verify.terms import traced as module
from verify.terms.node import Node, constant, node
from verify.terms.refusals import NotTraceable
from verify.terms.traced import (
    BINARY,
    COMPARED,
    FUNCTIONS,
    HERE,
    METHODS,
    OPERATORS,
    SETTLED,
    Traced,
    TracedObject,
    entered,
    example_of,
    lifted,
    wrapped,
)

ROWS = np.arange(12.0).reshape(3, 4)
NX, NY, NN = node("symbol", data="x"), node("symbol", data="y"), node("size", data="N")
RECORD = node("problem")


def x() -> Traced:
    return Traced(NX, ROWS)


def y() -> Traced:
    return Traced(NY, 2.0)


def n() -> Traced:
    return Traced(NN, 3)


class Held:
    """A record of a package."""

    A = ROWS
    count = 7
    word = "gradient"
    pair = (2.0, "left")
    table: ClassVar = [1.0, 2.0, 3.0, 4.0]
    _hidden = 1

    def at(self, *where: Any, **more: Any) -> Any:
        return ("at", where, more)

    def exact(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        return {"a": 5.0, 3: 6.0}[key]


HELD = Held()


def record(value: Any = HELD) -> TracedObject:
    return TracedObject(RECORD, value)


def op(sign: str, *parts: Node) -> Node:
    return node("operator", *parts, data=sign)


def check(value: Any, made: Node, example: Any) -> None:
    """A traced value has this node and this example, of this type."""
    assert type(value) is Traced
    assert value.node is made
    assert type(value.example) is type(example)
    assert np.array_equal(value.example, example)


@pytest.fixture
def told() -> Iterator[dict[Node, Any]]:
    found: dict[Node, Any] = {}
    token = SETTLED.set(found)
    yield found
    SETTLED.reset(token)


# -- operators -------------------------------------------------------------------------------------


def whole() -> tuple[Traced, Traced]:
    return Traced(NX, np.array([6, 3, 5])), Traced(NY, np.array([2, 5, 5]))


@pytest.mark.parametrize("sign", OPERATORS)
def test_each_operator_is_written_down_and_does_what_it_does_in_python(sign: str) -> None:
    first, second = whole()
    if sign in ("neg", "abs", "~"):
        first = Traced(NX, np.array([6, -3, 5]))
        signs: dict[str, Callable[[Any], Any]] = {
            "neg": lambda a: -a,
            "abs": abs,
            "~": lambda a: ~a,
        }
        wanted = {"neg": [-6, 3, -5], "abs": [6, 3, 5], "~": [-7, 2, -6]}[sign]
        check(signs[sign](first), op(sign, NX), np.array(wanted))
        return
    wanted = {
        "+": [8, 8, 10],
        "-": [4, -2, 0],
        "*": [12, 15, 25],
        "/": [3.0, 0.6, 1.0],
        "//": [3, 0, 1],
        "%": [0, 3, 0],
        "**": [36, 243, 3125],
        "@": np.int64(52),
        "&": [2, 1, 5],
        "|": [6, 7, 5],
        "^": [4, 6, 0],
        "<": [False, True, False],
        "<=": [False, True, True],
        ">": [True, False, False],
        ">=": [True, False, True],
        "==": [False, False, True],
        "!=": [True, True, False],
    }[sign]
    rule = eval(f"lambda a, b: a {sign} b")
    found = np.array(wanted) if isinstance(wanted, list) else wanted
    check(rule(first, second), op(sign, NX, NY), found)
    given = lifted(np.array([6, 3, 5]))
    if sign in BINARY.values():  # an array before a traced value asks numpy's function behind it
        check(rule(first.example, second), op(sign, given, NY), found)


@pytest.mark.parametrize("name", BINARY)
def test_operators_stand_in_the_class_from_either_side(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put in anew, as they are when the module is read."""
    for method in (f"__{name}__", f"__r{name}__"):
        monkeypatch.setattr(Traced, method, None)
    module._binary(name, BINARY[name])
    a, b = (Traced(term, np.array([5, 7])) for term in (NX, NY))
    assert getattr(a, f"__{name}__")(b).node is op(BINARY[name], NX, NY)
    assert getattr(a, f"__r{name}__")(b).node is op(BINARY[name], NY, NX)


@pytest.mark.parametrize("name", COMPARED)
def test_so_do_comparisons(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Traced, f"__{name}__", None)
    module._compared(name, COMPARED[name])
    a, b = (Traced(term, np.array([5, 7])) for term in (NX, NY))
    assert getattr(a, f"__{name}__")(b).node is op(COMPARED[name], NX, NY)


def test_plain_numbers_stand_on_either_side() -> None:
    check(y() - 1, op("-", NY, constant(1)), 1.0)
    check(1 - y(), op("-", constant(1), NY), -1.0)
    check(Fraction(1, 2) + n(), op("+", constant(Fraction(1, 2)), NN), Fraction(7, 2))
    check(n() * np.float64(0.5), op("*", NN, constant(0.5)), np.float64(1.5))
    check(np.float64(6.0) / n(), op("/", constant(6.0), NN), np.float64(2.0))
    check(True + n(), op("+", constant(True), NN), 4)
    check(y() > 1, op(">", NY, constant(1)), np.True_)
    check(n() == 3, op("==", NN, constant(3)), np.True_)
    with pytest.raises(TypeError):
        y() + "a"
    with pytest.raises(TypeError):
        "a" - y()


def test_what_has_a_type_of_its_own_says_itself_what_comes_out() -> None:
    class Own:
        def __radd__(self, other: Any) -> str:
            return "its own"

    assert y() + Own() == "its own"


def test_sizes_of_an_example_that_divide_by_nought_are_no_fault() -> None:
    nought = Traced(NN, 0)
    found = n() / nought
    assert found.node is op("/", NN, NN)
    assert np.isnan(found.example)
    with np.errstate(all="raise"):
        zeros = Traced(NX, np.zeros(2))
        assert np.isinf((1 / zeros).example).all()
        assert np.isneginf(np.log(zeros).example).all()


def test_signs_before_a_value() -> None:
    value = y()
    check(-value, op("neg", NY), -2.0)
    check(abs(Traced(NY, -2.0)), op("abs", NY), 2.0)
    check(~Traced(NY, np.array([True, False])), op("~", NY), np.array([False, True]))
    assert +value is value


# -- what is told ----------------------------------------------------------------------------------


def test_axes_are_counted_and_their_lengths_are_terms() -> None:
    assert (x().ndim, y().ndim, type(x().ndim)) == (2, 0, int)
    first, second = x().shape
    check(first, node("length", NX, data=-2), 3)
    check(second, node("length", NX, data=-1), 4)
    assert y().shape == ()
    assert repr(x()) == "traced symbol(x)"
    assert (x().kind, n().kind) == ("a traced value", "a size")


ASKED: dict[str, Callable[[Any], Any]] = {
    "a truth value": bool,
    "the length": len,
    "one entry after the other": iter,
    "a plain array of numbers": lambda v: v.__array__(),
    "the text": str,
}
NUMBERS: list[Callable[[Any], Any]] = [
    *(int, float, complex, round),
    range,
    lambda v: v.__trunc__(),
    lambda v: v.__floor__(),
    lambda v: v.__ceil__(),
    lambda v: 1 in v,
    lambda v: v.__setitem__(0, 1),
    lambda v: divmod(v, 2),
    lambda v: divmod(2, v),
]


@pytest.mark.parametrize("what", ASKED)
def test_what_holds_of_the_example_alone_is_asked_in_vain(what: str) -> None:
    for value, kind in ((x(), "a traced value"), (n(), "a size")):
        with pytest.raises(NotTraceable, match=f"{what} of {kind} is asked: take xp.where"):
            ASKED[what](value)


def test_a_plain_number_and_a_hash_are_asked_in_vain() -> None:
    for ask in NUMBERS:
        with pytest.raises(NotTraceable, match="a plain number of a size is asked"):
            ask(n())
    with pytest.raises(NotTraceable, match="a hash of a size"):
        hash(n())
    with pytest.raises(NotTraceable, match="the text of a size"):
        assert f"{n()}" == "3"


def test_what_is_refused_is_told_with_its_kind() -> None:
    """The function behind all of these."""
    refuse = module._refused("its colour")
    with pytest.raises(NotTraceable, match="its colour of a size is asked"):
        refuse(n(), 1, more=2)


# -- entries, methods and functions ----------------------------------------------------------------


def test_entries_are_asked_at_numbers_slices_new_axes_and_sizes() -> None:
    last = n() - 1
    minus = op("-", NN, constant(1))
    every = slice(None)
    none = (None, None, None)
    cases: list[tuple[Any, tuple[Any, ...], tuple[Node, ...], Any]] = [
        (1, (1,), (), ROWS[1]),
        ((1, 2), (1, 2), (), ROWS[1, 2]),
        ((Ellipsis, None), (Ellipsis, None), (), ROWS[..., None]),
        (None, (None,), (), ROWS[None]),
        ((every, slice(1, None, 2)), (none, (1, None, 2)), (), ROWS[:, 1::2]),
        ((0, last), (0, HERE), (minus,), ROWS[0, 2]),
        (slice(0, last), ((0, HERE, None),), (minus,), ROWS[:2]),
        ((last, slice(n(), None, n())), (HERE, (HERE, None, HERE)), (minus, NN, NN), ROWS[2, 3::3]),
    ]
    for key, data, inside, example in cases:
        check(x()[key], node("index", NX, *inside, data=data), example)


def test_an_entry_at_what_is_no_size_ends_the_trace() -> None:
    flat = Traced(NN, np.array([1, 2]))
    for key in (True, "a", 1.0, np.int64(1), y(), x(), flat, [0, 1], (0, Traced(NX, 1))):
        with pytest.raises(NotTraceable, match=r"an entry at .* of a traced value is asked"):
            x()[key]


def test_functions_of_the_package_are_written_down_with_their_names() -> None:
    found = xp.total(x(), axis=-2)
    made = node("generic", NX, constant(-2), data=("bounds.numbers.arrays:total", 1, ("axis",)))
    assert type(found) is Traced
    assert (found.node.op, found.node.inputs) == (made.op, made.inputs)
    assert found.node.data[0].endswith(":total")
    assert found.node.data[1:] == (1, ("axis",))
    assert found.example.tolist() == ROWS.sum(-2).tolist()


def kind(value: Any) -> Any:
    return value


def to_float(value: Any) -> Any:
    return value


def trailing(value: Any, axes: int = 1) -> Any:
    return value


def two(first: Any, second: Any = 0.0, *, third: Any = 0.0) -> Any:
    return first - second * third


def test_the_kind_of_number_is_asked_in_vain_and_new_axes_are_counted() -> None:
    for function in (kind, to_float):
        with pytest.raises(NotTraceable, match="the kind of number of a traced value"):
            x().recorded(function, (x(),), {})
    for args, named, count in (((), {}, 1), ((2,), {}, 2), ((), {"axes": 3}, 3)):
        found = x().recorded(trailing, (x(), *args), named)
        key = (Ellipsis, *(None,) * count)
        check(found, node("index", NX, data=key), ROWS[key])
    plain = y()
    assert plain.recorded(trailing, (plain,), {}) is plain


def test_arguments_keep_their_places_and_names() -> None:
    found = y().recorded(two, (7.0, y()), {"third": n()})
    name = f"{__name__}:two"
    made = node("generic", constant(7.0), NY, NN, data=(name, 2, ("third",)))
    check(found, made, 1.0)
    inside = y().recorded(np.shape, ([y(), n()],), {})
    assert inside[0].example == 2


def test_named_arguments_are_written_in_the_order_of_their_names() -> None:
    def named(*, b: Any, a: Any) -> Any:
        return a - b

    found = y().recorded(named, (), {"b": n(), "a": y()})
    assert found.node.inputs == (NY, NN)
    assert found.node.data[1:] == (0, ("a", "b"))
    assert found.example == -1.0


def test_functions_over_entries_are_operators_or_stand_by_name() -> None:
    check(np.add(x(), 1), op("+", NX, constant(1)), ROWS + 1)
    check(np.subtract(1, x()), op("-", constant(1), NX), 1 - ROWS)
    check(np.absolute(y()), op("abs", NY), 2.0)
    check(np.log(y()), node("ufunc", NY, data=(("log", "__call__"), 1, ())), np.float64(np.log(2)))
    reduced = node("ufunc", NX, constant(0), data=(("add", "reduce"), 1, ("axis",)))
    check(np.add.reduce(x(), axis=0), reduced, ROWS.sum(0))
    ordered = node(
        "ufunc", NX, constant(1), constant("C"), data=(("add", "__call__"), 2, ("order",))
    )
    check(np.add(x(), 1, order="C"), ordered, ROWS + 1)
    outer = node("ufunc", NX, NY, data=(("add", "outer"), 2, ()))
    check(np.add.outer(x(), y()), outer, ROWS + 2)
    with pytest.raises(NotTraceable, match="a change in place of a traced value"):
        np.add(x(), 1, out=np.zeros((3, 4)))


def test_functions_of_numpy_are_written_down_if_they_are_listed() -> None:
    check(
        np.sum(x(), axis=0), node("numpy", NX, constant(0), data=("sum", 1, ("axis",))), ROWS.sum(0)
    )
    stacked = np.stack([x(), x()])
    check(
        stacked,
        node("numpy", node("tuple", NX, NX, data="list"), data=("stack", 1, ())),
        np.stack([ROWS, ROWS]),
    )
    assert {"sum", "where", "einsum", "stack"} <= FUNCTIONS
    for function in (np.median, np.linalg.norm, np.unique):
        with pytest.raises(NotTraceable, match=f"numpy's {function.__name__} of a traced value"):
            function(x())


def test_a_function_of_a_listed_name_that_lies_elsewhere_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(NotTraceable, match="numpy's trace of"):
        np.linalg.trace(Traced(NX, np.eye(2)))
    monkeypatch.setattr(module, "FUNCTIONS", FUNCTIONS | {"median"})
    assert type(np.median(x())) is Traced


def test_methods_of_arrays_are_written_down_if_they_are_listed() -> None:
    check(x().sum(0), node("method", NX, constant(0), data=("sum", 2, ())), ROWS.sum(0))
    named = node("method", NX, constant(1), data=("sum", 1, ("axis",)))
    check(x().sum(axis=1), named, ROWS.sum(1))
    check(x().T, node("method", NX, data=("transpose", 1, ())), ROWS.T)
    check(y().sum(), node("method", NY, data=("sum", 1, ())), np.float64(2.0))
    assert {"sum", "astype", "reshape"} <= METHODS
    with pytest.raises(NotTraceable, match="the kind of number of a traced value"):
        x().astype(int)
    with pytest.raises(NotTraceable, match="'tolist' of a traced value"):
        x().tolist()
    with pytest.raises(NotTraceable, match="'_x' of a size"):
        n()._x  # noqa: B018
    with pytest.raises(AttributeError, match="__other__"):
        x().__other__  # noqa: B018
    assert not hasattr(x(), "__index_of__")


# -- records ---------------------------------------------------------------------------------------


def attribute(name: str) -> Node:
    return node("attribute", RECORD, data=name)


def test_parts_of_a_record_are_traced(told: dict[Node, Any]) -> None:
    held = record()
    check(held.A, attribute("A"), ROWS)
    check(held.count, node("count", attribute("count")), 7)
    assert held.word == "gradient"
    first, second = held.pair
    check(first, node("entry", attribute("pair"), data=0), 2.0)
    assert second == "left"
    entry = node("entry", attribute("pair"), data=1)
    assert told == {attribute("word"): "gradient", entry: "left"}
    table = held.table
    assert type(table) is TracedObject, "of a list the length may be a size"
    assert lifted(table) is attribute("table")
    assert isinstance(held, Held)
    assert not isinstance(held, str)


def test_methods_of_a_record_are_calls(told: dict[Node, Any]) -> None:
    word, where, more = record().at(n(), y(), more=x())
    made = node("call", RECORD, NN, NY, NX, data=("at", 3, ("more",)))
    assert word == "at"
    check(where[0], node("count", node("entry", node("entry", made, data=1), data=0)), 3)
    check(where[1], node("entry", node("entry", made, data=1), data=1), 2.0)
    assert type(more) is TracedObject
    assert example_of(more)["more"] is ROWS
    assert record().exact() is True
    assert told[node("call", RECORD, data=("exact", 1, ()))] is True


def test_entries_of_a_record_are_asked_by_name_by_number_and_at_a_size() -> None:
    check(record()["a"], node("entry", RECORD, data="a"), 5.0)
    check(record()[3], node("entry", RECORD, data=3), 6.0)
    check(record()[n()], node("entry at", RECORD, NN), 6.0)
    for key in (y(), 1.0, None, slice(1), Traced(NX, 3)):
        with pytest.raises(NotTraceable, match=r"an entry at .* is asked"):
            record()[key]


RECORD_ASKED: list[Callable[[Any], Any]] = [
    *(bool, len, iter, hash, str),
    lambda r: r(),
    lambda r: "a" in r,
    lambda r: r == HELD,
    lambda r: HELD == r,  # noqa: SIM300
    lambda r: r == r,
    lambda r: r != HELD,
    lambda r: {r: 1},
    lambda r: f"{r}",
]


def test_what_of_a_record_holds_of_the_example_alone_is_asked_in_vain() -> None:
    for ask in RECORD_ASKED:
        with pytest.raises(NotTraceable, match="a plain value of a Held is asked"):
            ask(record())
    with pytest.raises(NotTraceable, match="'_hidden' of a Held is asked"):
        record()._hidden  # noqa: B018
    with pytest.raises(NotTraceable, match="a change of 'A' is asked"):
        record().A = 1
    assert record().kind == "a Held"
    with pytest.raises(AttributeError):
        record().nothing  # noqa: B018


# -- between traced values and plain ones ----------------------------------------------------------


def test_traced_values_are_found_inside_tuples_and_lists() -> None:
    for value in (x(), record(), (1, x()), [1, [record()]]):
        assert entered(value) is True
    for value in (1, None, ROWS, (), [], (1, "a"), HELD):
        assert entered(value) is False


def test_the_example_is_found_inside_tuples_and_lists() -> None:
    assert example_of(x()) is ROWS
    assert example_of(record()) is HELD
    assert example_of((1, [y(), record()])) == (1, [2.0, HELD])
    assert example_of("a") == "a"
    found = example_of([n()])
    assert (found, type(found)) == ([3], list)


def given_back(value: Any) -> Any:
    return value


def at_the_top() -> None:
    """Has a name in its module."""


class Inside:
    def method(self) -> None:
        """Has none at the top."""


def test_the_node_of_a_value() -> None:
    a = np.array([[1, 2]])
    inner = node("tuple", node("tuple", constant(1), constant(2), data="list"), data="list")
    name = f"{__name__}:at_the_top"
    for value, made in (
        (x(), NX),
        (record(), RECORD),
        (np.float64(0.5), constant(0.5)),
        (np.array(7), constant(7)),
        (a, node("array", inner, data=a.dtype.str)),
        (np.zeros(0), node("array", node("tuple", data="list"), data="<f8")),
        ((1, y()), node("tuple", constant(1), NY, data="tuple")),
        ([n()], node("tuple", NN, data="list")),
        (slice(1, n()), node("slice", constant(1), NN, constant(None))),
        (at_the_top, node("function", data=name)),
        (Ellipsis, node("constant", data=Ellipsis)),
        (Fraction(1, 3), constant(Fraction(1, 3))),
        (None, constant(None)),
        (True, constant(True)),
        ("a", constant("a")),
        (2, constant(2)),
    ):
        assert lifted(value) is made


def test_nothing_else_stands_among_terms() -> None:
    held = 3

    def closed() -> int:
        return held

    local: Any = lambda: 1  # noqa: E731
    shadow: Any = lambda: 1  # noqa: E731
    shadow.__qualname__ = "at_the_top"
    for value in ({}, {1}, 1j, object(), closed, local, shadow, Inside.method, len, HELD):
        with pytest.raises(NotTraceable, match=f"a {type(value).__name__} stands among terms"):
            lifted(value)


def test_a_function_with_values_of_its_own_is_no_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    held = 3

    def closed() -> int:
        return held

    closed.__qualname__ = "closed"
    monkeypatch.setitem(globals(), "closed", closed)
    with pytest.raises(NotTraceable, match="a function stands among terms"):
        lifted(closed)
    monkeypatch.setitem(globals(), "Called", HELD)
    with pytest.raises(NotTraceable, match="a Held stands among terms"):
        lifted(HELD)


def test_what_a_node_is_in_the_example(told: dict[Node, Any]) -> None:
    for value in (None, "a", True, False):
        assert wrapped(NX, value) is value
        assert told == {NX: value}
    told.clear()
    for value in (ROWS, np.float64(1.0), np.bool_(True), 0.5, Fraction(1, 2), Ball(1)):
        found = wrapped(NX, value)
        assert type(found) is Traced
        assert found.node is NX
        assert found.example is value
    check(wrapped(NX, 4), node("count", NX), 4)
    pair = wrapped(NX, (1.0, (2.0,)))
    check(pair[0], node("entry", NX, data=0), 1.0)
    check(pair[1][0], node("entry", node("entry", NX, data=1), data=0), 2.0)
    for value in ([1.0], {"a": 1}, SimpleNamespace()):
        found = wrapped(NX, value)
        assert type(found) is TracedObject
        assert lifted(found) is NX
        assert example_of(found) is value
    assert told == {}


def test_nothing_is_told_where_nobody_traces() -> None:
    assert SETTLED.get() is None
    assert wrapped(NX, "a") == "a"


def test_what_is_calculated_is_a_value_even_if_it_is_a_yes_or_a_count(
    told: dict[Node, Any],
) -> None:
    """Of a record a yes or no is told; calculated from numbers it would hold of the example."""
    check(n() < 4, op("<", NN, constant(4)), np.True_)
    check(n() + 1, op("+", NN, constant(1)), 4)
    check(
        x().recorded(two, (True,), {}),
        node("generic", constant(True), data=(f"{__name__}:two", 1, ())),
        1.0,
    )
    check(x().all(), node("method", NX, data=("all", 1, ())), np.False_)
    for value in (True, 5):
        found = y().recorded(given_back, (value,), {})
        made = node("generic", constant(value), data=(f"{__name__}:given_back", 1, ()))
        check(found, made, np.True_ if value is True else value)
    pair = np.split(x(), 3)
    assert type(pair) is TracedObject
    assert told == {}
