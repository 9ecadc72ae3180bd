"""Which readers are asked about a statement, by what its terms are.

A claim in which a size is compared, or which is no term, may be read at its listed sizes and no
others; asked of another reader it would be proved for every size.  The readers here write down that
they were asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bounds.numbers.symbolic import NotReadable
from tests.verify.cases import claim, numbers
from verify.claim import Real
from verify.reading import claim_sets as room
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.terms.refusals import CATCHES

READERS = (
    "client_sets",
    "sets_of_listed_sizes",
)
LATER = {
    "class_sets": "verify.reading.classes.sets",
}
ONE = claim(lambda w: ({"l": w.x}, {"r": w.x + 1}), numbers(x=Real(0, 4)), key="sets.one")
SIZED = replace(ONE, family=numbers({"N": 2}, {"N": 3}, x=Real(0, 4, per=("N",))))
ANY = {
    "own_program": "",
    "picks_out": False,
    "listed": frozenset(),
    "fixed": frozenset(),
    "obstacle": "",
}


class Asked:
    """Stands for all readers; a set of those that are ``readable`` can be made."""

    def __init__(self, patch: pytest.MonkeyPatch, readable: tuple[str, ...] = ()) -> None:
        self.names: list[str] = []
        self.readable, self.patch = readable, patch
        for name in READERS:
            patch.setattr(room, name, self.reader(name))
        for name, home in LATER.items():
            patch.setattr(f"{home}.{name}", self.reader(name))

    def reader(self, name: str) -> Any:
        def read(_: Any, *args: Any, **named: Any) -> Iterator[Claims]:
            told = "".join(f" {one}" for one in (*args, *named.items()))
            self.names.append(name + told)
            yield Claims(self.made(name in self.readable))

        return read

    def made(self, readable: bool) -> Iterator[ReadClaim]:
        if not readable:
            raise NotReadable
        yield ReadClaim({}, Claim(0, 1, "<=", ()))

    def of(self, one: Any = ONE, whole: bool = False, **terms: Any) -> Any:
        """Readers that are asked, in their order, where the terms of a statement are so."""
        self.names.clear()
        found = None if terms.get("none") else SimpleNamespace(**{**ANY, **terms})
        why = terms.get("none", "")
        self.patch.setattr(room, "terms_of", lambda _: found)
        self.patch.setattr(room, "why_no_terms", lambda _: why)
        more = {"whole": True} if whole else {}
        for claims in claim_sets(one, **more):
            claims.all()
        return ", ".join(self.names)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


def over(kind: str, one: Any = ONE) -> Any:
    """The statement about means over runs."""
    return replace(one, over=kind)


POINT = "client_sets False"


def test_a_term_without_sizes_that_decide_is_read_for_all(asked: Asked) -> None:
    assert asked.of() == f"{POINT}, sets_of_listed_sizes False"
    whole = POINT.replace("False", "True")
    assert asked.of(whole=True) == f"{whole}, sets_of_listed_sizes True"


def test_what_is_read_is_not_read_in_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Asked(monkeypatch, ("client_sets",)).of() == "client_sets False"


LISTED = "sets_of_listed_sizes False"


@pytest.mark.parametrize(
    "terms",
    [{"own_program": "mine:f"}, {"picks_out": True}, {"listed": frozenset("p")}, {"none": "x"}],
)
def test_what_is_no_such_term_is_read_at_its_listed_sizes(asked: Asked, terms: Any) -> None:
    assert asked.of(**terms) == "client_sets False", "without a size there is one"
    assert asked.of(SIZED, **terms) == LISTED
    assert asked.of(SIZED, whole=True, **terms) == LISTED.replace("False", "True")
    for kind in ("mean", "path"):
        assert asked.of(over(kind), **terms) == ""


def test_a_size_of_any_family_is_a_size(asked: Asked) -> None:
    plain, listed = numbers(x=Real(0, 4)), numbers({"p": 2}, {"p": 3}, x=Real(0, 4))
    for family, also, sized in (
        (plain, (), False),
        (listed, (), True),
        (plain, (listed,), True),
        (plain, (plain,), False),
        (plain, (SIZED.family,), True),
        (numbers({"law": "even"}, x=Real(0, 4)), (), False),
    ):
        one = replace(ONE, family=family, also=also)
        assert asked.of(one, none="x") == (LISTED if sized else "client_sets False")


def test_what_catches_errors_is_not_read(asked: Asked) -> None:
    assert asked.of(none=f"line 3: {CATCHES}") == asked.of(SIZED, none=CATCHES) == ""


def test_a_class_of_functions_has_a_reader_of_its_own(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "class_of", lambda _: "convex")
    assert asked.of() == asked.of(SIZED) == "class_sets"
    fixed = {"fixed": frozenset("N")}
    assert asked.of(**fixed) == "class_sets ('listed', True)"
    assert asked.of(**fixed, obstacle="compared") == ""
    assert asked.of(SIZED, none="x") == ""
    assert asked.of(none="x") == "client_sets False"
    # a size that decides keeps it from the reader of its class
    assert "class_sets" not in asked.of(obstacle="compared")


def test_fixed_sizes_are_read_as_numbers(asked: Asked) -> None:
    fixed = {"fixed": frozenset("N")}
    assert asked.of(**fixed) == asked.of(over("mean"), **fixed) == "client_sets False"
    assert asked.of(whole=True, **fixed) == "client_sets True"
    assert asked.of(over("path"), **fixed) == ""


def test_a_size_that_decides_is_read_by_readers_with_a_symbol_for_it(asked: Asked) -> None:
    decides = {"obstacle": "compared"}
    assert asked.of(**decides) == "client_sets False"
    assert asked.of(over("mean"), **decides) == "client_sets False"
    assert asked.of(over("mean"), whole=True, **decides) == "client_sets True"
    assert asked.of(whole=True, **decides) == "client_sets True"
    assert asked.of(over("path"), **decides) == ""


def test_means_over_runs_have_readers_of_their_own(asked: Asked) -> None:
    assert asked.of(over("mean")) == "client_sets"
    assert asked.of(over("mean"), whole=True) == asked.of(over("path")) == ""


def test_names_of_clients_and_sizes_are_free(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Any] = []

    def free(one: Any, names: Any) -> Any:
        taken.append(names)
        return one

    monkeypatch.setattr(room, "with_free_names", free)
    Asked(monkeypatch).of()
    assert taken == [frozenset(("k", "N"))]
