"""Other names for symbols: every part of a statement gets them, and no name that is used is given.

What says something by name in a function that is no term cannot be renamed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bounds import generic as xp
from verify import Hypothesis, Real, numbers, quantity, statement
from verify.claim.statement import Statement
from verify.terms.claims import ClaimTerms, terms_of
from verify.terms.node import Node, node
from verify.terms.renaming import NAMED, can_be_renamed, renamed, with_free_names
from verify.terms.trace import TracedClaim

BOX = {"x": Real(0, 1), "y": Real(0, 2)}
FAMILY = replace(numbers(BOX), units={"x": (1.0, 0.0), "w": (0.0, 1.0)})


def claim(sides: Any = None, **more: Any) -> Statement:
    more.setdefault("family", FAMILY)
    rule = sides or (lambda w: ({"left": w.x}, {"right": w.y + 1}))
    return statement("mine.claim", latex="x", where="here", **more)(rule)


def terms(made: Statement) -> ClaimTerms:
    found = terms_of(made)
    assert found is not None
    return found


def one(made: Statement) -> TracedClaim:
    (found,) = terms(made).claims
    return found


def names(made: Statement) -> set[str]:
    return {name for term in one(made).every() for name in term.symbols}


@quantity
def measured(w: Any) -> Any:
    """Whatever it is."""
    return w.x


def test_every_part_of_a_statement_gets_the_new_names() -> None:
    made = claim(
        lambda w: ({"left": w.z * w.x}, {"right": w.y if w.has("x") else 2 * w.y}),
        also=(numbers({"x": Real(0, 5), "y": Real(0, 1)}),),
        defines={"z": lambda w: w.x**2},
        given=[Hypothesis("small", "x", lambda w: 1 - w.x, where="here")],
        over="prob",
        delta=lambda w: w.x / 2,
    )
    found = renamed(made, {"x": "a", "z": "b"})
    a, b, y = (node("symbol", data=name) for name in "aby")
    claim_of = one(found)
    assert claim_of.left == {"left": node("operator", b, a, data="*")}
    assert claim_of.right == {"right": y}
    assert set(claim_of.margins) == {"small"}
    assert claim_of.margins["small"].symbols == {"a"}
    assert set(claim_of.defined) == {"b"}
    assert claim_of.defined["b"].symbols == {"a"}
    assert claim_of.level is not None
    assert claim_of.level.symbols == {"a"}
    assert claim_of.settled == {node("has", data="a"): True}
    assert list(found.family.box) == ["a", "y"]
    assert found.family.box["a"] == Real(0, 1)
    assert found.family.units == {"a": (1.0, 0.0), "w": (0.0, 1.0)}
    assert [list(also.box) for also in found.also] == [["a", "y"]]
    assert found.also[0].box["a"] == Real(0, 5)
    assert set(found.defines) == {"b"}
    assert terms(made).claims[0].left["left"].symbols == {"x", "z"}, "the old one is as it was"
    assert one(renamed(claim(), {"x": "a"})).level is None


def test_names_stand_in_the_data_of_operations_that_name_a_symbol_and_in_no_other() -> None:
    assert set(NAMED) == {
        *("symbol", "original", "plain", "has", "given", "size", "original size"),
    }
    x = node("symbol", data="x")
    entry, aside = node("entry", x, data="x"), node("mean", x)
    inner = {n: Node(op, (), "x") for n, op in enumerate(NAMED)}
    made = TracedClaim(
        {"left": node("tuple", *inner.values(), data="tuple"), "entry": entry},
        {"right": x},
        {},
        called={x: "the unknown", aside: "of no side"},
    )
    own = claim()
    object.__setattr__(own, "_terms", ClaimTerms((made,), frozenset()))
    found = one(renamed(own, {"x": "a"}))
    a = node("symbol", data="a")
    assert {part.data for part in found.left["left"].inputs} == {"a"}
    assert found.left["entry"] is node("entry", a, data="x")
    assert found.right["right"] is a
    assert found.called == {a: "the unknown"}


def test_a_name_that_is_taken_gives_way_to_one_that_nobody_has() -> None:
    box = {name: Real(0, 1) for name in ("i", "i_", "N", "x")}
    family = numbers({**box, "v": Real(0, 1, per=("N__",))}, {"N__": 2})
    made = claim(
        lambda w: ({"left": w.i + w.i_ + w.N}, {"right": w.x + xp.total(w.v)}),
        family=family,
        defines={"j": lambda w: w.x, "j_": lambda w: w.x},
    )
    taken = frozenset({"i", "j", "N", "N_", "i__", "k"})
    found = with_free_names(made, taken)
    assert list(found.family.box) == ["i___", "i_", "N___", "x", "v"]
    assert set(found.defines) == {"j__", "j_"}
    assert one(found).left["left"].symbols == {"i___", "i_", "N___"}
    assert with_free_names(made, frozenset({"k"})) is made
    assert with_free_names(made, frozenset({"N__"})) is made, "a size keeps its name"


def test_two_names_that_are_taken_get_two() -> None:
    box = {"a": Real(0, 1), "a_": Real(0, 1)}
    made = claim(lambda w: ({"left": w.a}, {"right": w.a_}), family=numbers(box))
    found = with_free_names(made, frozenset({"a", "a_"}))
    assert list(found.family.box) == ["a__", "a___"]


def other_numbers(values: Any, shape: Any) -> Any:
    return FAMILY.build(values, shape)


REFUSED: dict[str, dict[str, Any]] = {
    "instances of its own": {"family": replace(FAMILY, build=other_numbers)},
    "instances of another family": {"also": (replace(FAMILY, build=other_numbers),)},
    "a constraint": {"family": replace(FAMILY, constraints={"one": lambda i: i.params["x"]})},
    "a bound that needs nothing": {"trivial": {"nothing": lambda w: w.x}},
    "a ceiling": {"ceiling": lambda w: w.x},
    "what cannot be traced": {"sides": lambda w: ({"left": float(w.x)}, {"right": w.y})},
    "a quantity": {"sides": lambda w: ({"left": measured(w)}, {"right": w.y})},
    "a quantity beside a term": {"sides": lambda w: ({"left": w.x}, {"right": measured(w) + w.y})},
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_speaks_of_its_numbers_by_name_keeps_them(name: str) -> None:
    made = claim(**REFUSED[name])
    assert can_be_renamed(made) is False
    assert with_free_names(made, frozenset({"x"})) is made


def test_a_claim_with_a_constant_of_its_own_keeps_its_names() -> None:
    constant: Any = object()
    made = claim()
    object.__setattr__(made, "constant", constant)
    assert can_be_renamed(made) is False


def test_a_claim_of_terms_alone_can_have_other_names() -> None:
    assert can_be_renamed(claim()) is True
    assert names(with_free_names(claim(), frozenset({"x"}))) == {"x_", "y"}
