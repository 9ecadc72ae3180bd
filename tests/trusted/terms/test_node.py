"""Nodes: equal ones are one object, digests say what a term is, sizes are told from values."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import Any

import pytest

from verify.terms.node import ANY, SIZES, Node, constant, node, without_file

X, Y, N = node("symbol", data="x"), node("symbol", data="y"), node("size", data="N")
SUM = node("operator", X, Y, data="+")


def test_a_node_is_one_object_for_one_operation_its_inputs_and_its_data() -> None:
    assert node("operator", X, Y, data="+") is SUM
    others = (
        node("operator", Y, X, data="+"),
        node("operator", X, Y, data="-"),
        node("method", X, Y, data="+"),
        node("operator", X, data="+"),
    )
    assert len({SUM, *others}) == 5
    assert (SUM.op, SUM.inputs, SUM.data) == ("operator", (X, Y), "+")
    one: Any = 1
    assert len({constant(one), constant(1.0), constant(True), constant(Fraction(1))}) == 4
    assert N.data == "N"
    assert node("weights").data is None
    assert node("weights").inputs == ()


def test_a_node_is_written_with_its_data_before_its_inputs() -> None:
    assert repr(SUM) == "operator(+, symbol(x), symbol(y))"
    assert repr(node("mean", X)) == "mean(symbol(x))"
    assert repr(node("weights")) == "weights()"


def test_parts_come_once_each_and_inputs_before_what_is_made_of_them() -> None:
    square = Node("operator", (SUM, SUM), "*")
    term = Node("operator", (square, X), "-")
    assert list(term.parts()) == [X, Y, SUM, square, term]
    assert term.order == (X, Y, SUM, square, term)


def test_digests_are_of_what_a_term_says() -> None:
    """A digest is sha-256 of the operation, the type and text of its data, digests of inputs."""
    assert X.digest == sha256(b"symbol str 'x'").hexdigest()
    before = SUM.digest
    inside = f"operator str '+' {X.digest} {Y.digest}"
    assert before == sha256(inside.encode()).hexdigest()
    assert SUM.digest == before
    fresh = Node("operator", (Node("symbol", (), "x"), Node("symbol", (), "y")), "+")
    assert fresh.digest == before, "the same for the same term"
    turned = Node("operator", (Y, X), "+")
    assert len({before, turned.digest, X.digest, Node("symbol", (), "xy").digest}) == 4
    known = Node("operator", (X, X), "+")
    assert known.digest not in (before, turned.digest), "of what is known, its parts count too"
    assert Node("constant", (), 1).digest != Node("constant", (), True).digest
    assert Node("constant", (), 1).digest != Node("constant", (), "1").digest
    mine, again = (f"fedassay_user_{d * 16}.claims:rule" for d in "ab")
    assert Node("quantity", (), mine).digest == Node("quantity", (), again).digest


def test_the_digest_of_a_users_file_is_left_out_of_its_name() -> None:
    digits = "0123456789abcdef"
    assert without_file(f"a fedassay_user_{digits}.b") == "a fedassay_user_.b"
    assert without_file("fedassay_user_0123") == "fedassay_user_0123"


def test_symbols_are_those_that_a_term_names() -> None:
    x, size = Node("symbol", (), "x"), Node("size", (), "N")
    assert Node("operator", (x, size), "*").symbols == {"x", "N"}
    assert Node("original", (), "x").symbols == frozenset()
    assert Node("constant", (), 1).symbols == frozenset()
    assert Node("quantity", (x,), "mine:told").symbols == {ANY, "x"}


def test_sizes_alone_are_made_of_sizes_and_constants_and_of_a_size_at_all() -> None:
    one = constant(1)
    assert SIZES == ("size", "original size", "length", "count")
    alone = [
        N,
        node("original size", data="N"),
        node("length", X, data=-1),
        node("count", X),
        node("operator", N, one, data="+"),
        node("operator", one, N, data="-"),
        node("operator", N, N, data="*"),
    ]
    others = [
        X,
        one,
        node("original", data="x"),
        node("weights"),
        node("operator", one, one, data="+"),
        node("operator", X, N, data="*"),
        node("operator", X, one, data="*"),
        node("symbol", N, data="x"),
        node("original", N, data="x"),
    ]
    assert [term.sizes_alone for term in alone] == [True] * 7
    assert [term.sizes_alone for term in others] == [False] * 9


def test_constants_are_numbers_texts_truth_values_and_tuples_of_them() -> None:
    for value in (True, 3, 0.5, Fraction(1, 2), "a", None):
        made = constant(value)
        assert (made.op, made.data, made.inputs) == ("constant", value, ())
    pair = constant((1, [2.0]))
    inner = node("tuple", constant(2.0), data="list")
    assert pair is node("tuple", constant(1), inner, data="tuple")
    for other in (1j, {1}, b"x"):
        with pytest.raises(TypeError, match=f"a {type(other).__name__} is no constant"):
            constant(other)
