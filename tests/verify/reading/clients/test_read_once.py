"""What a reading finds once is what it would find again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy

from bounds import generic as xp
from bounds.numbers.formal_terms import extreme_type
from bounds.numbers.symbolic import client_symbol
from tests.verify.cases import claim, numbers
from verify.catalogue.library import library
from verify.claim import Real, Statement
from verify.reading.clients.groups import groups_of
from verify.reading.clients.parameters import Parameters
from verify.reading.clients.reading import WhateverClients, read_clients
from verify.reading.clients.sets import _read, client_sets
from verify.reading.parts.symbols import free_in

K, N = client_symbol()
KEYS = ("allforall.proof.wga_step/bias", "aggregation.Pi_bound", "allforall.lemma2")


def of_library(key: str) -> Statement:
    return next(leaf for entry in library() for leaf in entry.leaves if leaf.key == key)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.every(3)
def test_settled_formulas_are_those_of_the_long_way(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = of_library(key)
    found = [list(claims) for claims in client_sets(statement)]
    monkeypatch.setattr(Parameters, "settled", lambda self, e: None)
    assert [list(claims) for claims in client_sets(statement)] == found
    assert any(found)


def rounds_asked(number: Any) -> Statement:
    """A statement whose program asks for the number of rounds in its own way."""

    def sides(w: Any) -> Any:
        value = xp.total(w.value)
        return {"left": value - value}, {"right": number(w) + 0 * value}

    law = numbers(
        {"N": 2, "rounds": 3},
        {"N": 3, "rounds": 4},
        value=Real(0, 1, per=("N",), domain=(0, 1)),
    )
    return claim(sides, law)


def test_a_plain_number_of_rounds_is_asked_for_once() -> None:
    asked: list[Any] = []

    def plain(w: Any) -> int:
        if not getattr(type(w), "traces", False):  # by a reader
            asked.append(w.rounds)
        return int(w.rounds)

    (group,) = groups_of(rounds_asked(plain), "N", False) or []
    assert group.reading is None
    assert len(asked) == 1
    sizes = {"rounds": sympy.Symbol("rounds_", integer=True, positive=True)}
    with pytest.raises(WhateverClients, match="a plain number is asked of rounds_"):
        read_clients(rounds_asked(plain), {"N": 2, "rounds": 3}, "N", 1, sizes)
    (group,) = groups_of(rounds_asked(lambda w: w.rounds), "N", False) or []
    assert group.reading is not None


def test_what_is_too_long_is_read_once_and_no_group_after_it() -> None:
    asked: list[int] = []

    def sides(w: Any) -> Any:
        asked.append(int(w.value.shape[-1]))
        long = sum(w.value ** (n + 2) for n in range(60))
        return {"left": xp.total(long)}, {"right": xp.total(long)}

    law = numbers(
        {"N": 2, "way": "one"}, {"N": 2, "way": "two"}, value=Real(0, 1, per=("N",), domain=(0, 1))
    )
    one, two = groups_of(claim(sides, law), "N", False) or []
    assert _read([one, two]) == []
    assert len(asked) == 1
    assert two.reading is None
    assert len(asked) == 2


def test_groups_are_kept_for_one_statement_and_as_many_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    statement = rounds_asked(lambda w: w.rounds)
    found = groups_of(statement, "N", False)
    assert groups_of(statement, "N", False) is found
    assert groups_of(replace(statement), "N", False) is not found
    assert groups_of(statement, "N", False, sized=False) is not found
    monkeypatch.setattr("verify.reading.clients.groups.known_before", lambda: False)
    assert groups_of(statement, "N", False) is not found


def test_free_symbols_are_those_of_sympy() -> None:
    row, pair = sympy.IndexedBase("row"), sympy.IndexedBase("pair")
    x, i = sympy.Symbol("x"), sympy.Symbol("i", integer=True, positive=True)
    inner = sympy.Sum(pair[i, K] * x, (i, 1, N))
    words = sympy.Symbol("max"), sympy.Tuple(sympy.Tuple(row[i])), sympy.Tuple(row[K] - x)
    largest = extreme_type()(words[0], K, *words[1:])
    for e in (x, row[K] + x, inner, sympy.Sum(inner**2, (K, 1, N)), largest / x, sympy.Max(x, i)):
        assert free_in(e) == e.free_symbols
