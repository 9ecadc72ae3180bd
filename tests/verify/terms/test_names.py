"""Names mean nothing: other letters for the symbols of a claim change no word, rung or witness."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from tests.verify.cases import leaf_of
from tests.verify.line.typed.of_conditions import CONDITIONS
from tests.verify.line.typed.of_numbers import NUMBERS
from tests.verify.line.typed.of_vectors import VECTORS
from verify import Real, numbers, quantity, statement
from verify.catalogue.library import library
from verify.claim.parameters import RUNS, SIZES
from verify.claim.statement import Statement
from verify.ladder import Leaf
from verify.line.written import one_line
from verify.terms.claims import as_terms, terms_of
from verify.terms.renaming import can_be_renamed, renamed, with_free_names

LINES = [one.plain for one in (*NUMBERS, *VECTORS, *CONDITIONS)][::2][:30]
ENTRIES = 40
FREE = "abcfghkmqrstuvwxyzABCFGHJKLMNQRSTUVWXYZd"
"""Letters that a line leaves to its author: E and P are means, e Euler's number, i an index."""


@lru_cache
def entries() -> list[Statement]:
    """Leaves of the library, a share of each paper, whose symbols can have other names."""
    able = [
        leaf
        for entry in library()
        for leaf in entry.leaves
        if leaf.sides is not None and can_be_renamed(leaf)
    ]
    return able[:: len(able) // ENTRIES][:ENTRIES]


def facts(leaf: Leaf) -> tuple[Any, ...]:
    """Word, rung and what a witness says in numbers, without any name."""
    found: Mapping[str, Any] = leaf.witness or {}
    instance = found.get("instance") or {}
    data = {**instance.get("data", {}), **instance.get("params", {})}
    numbers_of = sorted(map(repr, data.values()))
    return leaf.verdict, leaf.rung, found.get("left"), found.get("right"), numbers_of


def other_names(made: Statement, rng: Random) -> dict[str, str]:
    """A random letter for each symbol."""
    families = (made.family, *made.also)
    used = {n for f in families for shape in f.shapes for n in shape} | {*SIZES, *RUNS}
    own = list(dict.fromkeys([*(n for f in families for n in f.box), *made.defines]))
    free = [one for one in string.ascii_letters if one not in used and one not in own]
    return dict(zip(own, rng.sample(free, len(own)), strict=True))


def some_now(number: int) -> Any:
    return number if number < 12 else pytest.param(number, marks=pytest.mark.slow)


@pytest.mark.parametrize("number", [some_now(number) for number in range(ENTRIES)])
@pytest.mark.every(3)
def test_an_entry_of_the_library_says_the_same_in_other_letters(number: int) -> None:
    made = as_terms(entries()[number])
    again = renamed(made, other_names(made, Random(made.key)))
    assert facts(leaf_of(again)) == facts(leaf_of(made))


@pytest.mark.parametrize("line", LINES)
@pytest.mark.every(3)
def test_a_line_says_the_same_in_other_letters(line: str) -> None:
    made = as_terms(one_line(line))
    again = renamed(made, other_names(made, Random(line)))
    assert facts(leaf_of(again)) == facts(leaf_of(made))


PLAIN = (
    "5*x*y <= (x+y)**2 for x, y >= 0",
    "4*x*y <= (x+y)**2 for x, y >= 0",
    "x*y <= (x+y)**2/4",
    "x**2 + y**2 >= 2*x*y + 1/100",
    "x*z <= x**2 + z**2/4 for x, z in [0, 1]",
    "x*(1-x) <= 1/4 for x in [0, 1]",
    "x*(1-x) <= 1/5 for x in [0, 1]",
    "(1-x)*(1-y) >= 1 - x - y for x, y in [0, 1]",
    "sqrt(x*y) <= (x+y)/2 for x, y > 0",
    "x/(1+x) <= x for x >= 0",
    "x/(1+y) + y/(1+x) <= 1 for x, y in [0, 1]",
    "x**3 <= x**2 for x in [0, 2]",
    "x*y*z <= (x**3+y**3+z**3)/3 for x, y, z >= 0",
    "(x+y+z)**2 <= 3*(x**2+y**2+z**2)",
    "(x+y+z)**2 <= 2*(x**2+y**2+z**2)",
)


@pytest.mark.parametrize("line", PLAIN)
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.every(3)
def test_a_line_typed_with_other_letters_has_the_same_word(line: str, seed: int) -> None:
    names = sorted(set(re.findall(r"\b[xyz]\b", line)))
    letters = dict(zip(names, sorted(Random(f"{line}{seed}").sample(FREE, 3)), strict=False))
    typed = re.sub(r"\b[xyz]\b", lambda m: letters[m[0]], line)
    first, again = (leaf_of(one) for one in (line, typed))
    assert (again.verdict, again.rung) == (first.verdict, first.rung), typed


@pytest.mark.parametrize("name", ["k", "N", "m", "d", "T"])
def test_the_letter_of_a_count_is_a_letter_like_any_other(name: str) -> None:
    assert leaf_of(f"{name}*y <= ({name}+y)**2/4").verdict == "proved"
    assert leaf_of(f"{name}*y <= ({name}+y)**2/5 for {name}, y > 0").verdict == "violated"


@quantity
def double(w: Any) -> Any:
    return 2 * w.k


def test_what_a_quantity_names_keeps_its_name() -> None:
    made = as_terms(
        statement("mine.named", where="here", latex="x", family=numbers({"k": Real(0, 1)}))(
            lambda w: ({"double": double(w)}, {"two": 2 + 0 * w.k})
        )
    )
    assert not can_be_renamed(made)
    assert with_free_names(made, frozenset("k")) is made


def test_another_claim_in_the_same_letters_is_told_apart() -> None:
    """The control: facts do differ where claims do."""
    first, second = (leaf_of(f"x**2 <= {bound} for x in [0, 1]") for bound in ("1/2", "1/3"))
    assert facts(first) != facts(second)


def test_the_level_of_a_probability_has_the_new_names() -> None:
    made = statement(
        "mine.level",
        family=numbers({"x": Real(0, 1), "q": Real(0, 1)}),
        latex="x",
        where="here",
        over="prob",
        delta=lambda w: w.q / 2,
    )(lambda w: ({"x": w.x}, {"x": w.x}))
    terms = terms_of(renamed(made, {"q": "level"}))
    assert terms is not None
    (claim,) = terms.claims
    assert claim.level is not None
    assert claim.level.symbols == {"level"}
