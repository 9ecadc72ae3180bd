"""True claims in which something goes wrong from some size on: none is proved for every size.

A branch, a table, a slice, a stride, a floor, a cache, a caught exception or a loop on a size makes
each of them false from a size between 9 and 10,000 on.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from bounds import generic as xp
from verify import Hypothesis, Real, numbers, statement
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.ladder.rungs.certificate import prove
from verify.outlines.converted import NotConverted, converted
from verify.outlines.proved import document_of
from verify.outlines.registry import registered

Plant = Callable[[Any, int], Any]
"""From an array with one entry per client and a size, a factor: 1 below the size."""

FAMILY = numbers({"x": Real(0, 1, per=("N",))}, {"N": 2}, {"N": 3}, {"N": 5})


def square_of_sum(w: Any) -> Any:
    return {"square": xp.total(w.x) ** 2}, {"squares": w.x.shape[-1] * xp.total(w.x**2)}


def young(w: Any) -> Any:
    return {"mean": xp.mean(w.x)}, {"half": (1 + xp.mean(w.x**2)) / 2}


def mean_square(w: Any) -> Any:
    return {"mean": xp.mean(w.x) ** 2}, {"mean square": xp.mean(w.x**2)}


def sum_itself(w: Any) -> Any:
    return {"sum": xp.total(w.x)}, {"sum": xp.total(w.x)}


TRUE = (square_of_sum, young, mean_square, sum_itself)


def branch(x: Any, size: int) -> Any:
    return 1000 if x.shape[-1] >= size else 1


def equal(x: Any, size: int) -> Any:
    return 1000 if x.shape[-1] == size else 1


def table(x: Any, size: int) -> Any:
    listed = [1] * size
    return listed[x.shape[-1]] if len(listed) > x.shape[-1] else 1000


def entries_beyond(x: Any, size: int) -> Any:
    return 1 + 1000 * xp.total(x[..., size:] ** 2)


def stride(x: Any, size: int) -> Any:
    return 1 + 1000 * xp.total(x[..., size::size] ** 2)


def floor(x: Any, size: int) -> Any:
    return 1 + 1000 * (x.shape[-1] // size)


def rounded(x: Any, size: int) -> Any:
    return 1 + 1000 * xp.floor(0 * xp.total(x) + xp.divide(x.shape[-1], size))


def part_above(x: Any, size: int) -> Any:
    return 1 + xp.positive_part(0 * xp.total(x) + x.shape[-1] - size + 1)


def condition(x: Any, size: int) -> Any:
    many = xp.at_least(0 * xp.total(x) + x.shape[-1], size)
    return xp.where(many, 1000 + 0 * xp.total(x), 1 + 0 * xp.total(x))


def caught(x: Any, size: int) -> Any:
    try:
        return 1 + 1000 * (x[..., size - 1] + 1)
    except IndexError:
        return 1


def cached(x: Any, size: int) -> Any:
    known = dict.fromkeys(range(size), 1)
    return known.get(x.shape[-1], 1000)


def loop(x: Any, size: int) -> Any:
    found = 1
    for n in range(x.shape[-1]):
        found = 1000 if n >= size - 1 else found
    return found


def counted(x: Any, size: int) -> Any:
    return 1 if sum(1 for _ in range(len(x[0, 0]))) < size else 1000


PLANTS = (
    branch,
    equal,
    table,
    entries_beyond,
    stride,
    floor,
    rounded,
    part_above,
    condition,
    caught,
    cached,
    loop,
    counted,
)
PLACES = ("left", "hypothesis", "definition")


def planted(number: int) -> Statement:
    """A drawn claim that is false from some size on."""
    random = Random(number)
    sides, plant = random.choice(TRUE), PLANTS[number % len(PLANTS)]
    size = round(9 * (10_000 / 9) ** random.random())
    place = random.choice(PLACES)
    key, latex, where = f"mine.planted{number}", "x", "here"

    def scaled(w: Any, factor: Any) -> Any:
        left, right = sides(w)
        return {name: factor * value for name, value in left.items()}, right

    if place == "left":
        made = statement(key, family=FAMILY, latex=latex, where=where)
        return made(lambda w: scaled(w, plant(w.x, size)))
    if place == "definition":
        defines = {"factor": lambda w: plant(w.x, size)}
        made = statement(key, family=FAMILY, latex=latex, where=where, defines=defines)
        return made(lambda w: scaled(w, w.factor))
    # a hypothesis that nothing meets as long as there are few: "at most 1/2" where it is 1
    few = Hypothesis("few", "x", lambda w: plant(w.x, size) - 1000 + 0 * w.x, where=where)
    made = statement(key, family=FAMILY, latex=latex, where=where, given=[few])
    return made(lambda w: ({"one": 1 + xp.total(w.x)}, {"none": 0 * xp.total(w.x)}))


def proved(claim: Statement) -> bool:
    """Whether the rung for proofs decides in favour."""
    return any(e.status == "decided" and e.proof is not None for e in prove(claim))


@pytest.mark.parametrize("number", range(0, 200, 5))
def test_what_is_false_from_some_size_on_is_not_proved(number: int) -> None:
    assert not proved(planted(number))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(200))
def test_of_two_hundred_none_is_proved(number: int) -> None:
    assert not proved(planted(number))


def test_a_table_of_thirteen_rows_in_a_theorem_about_runs() -> None:
    """HCCT's repaired Theorem 2, a thousand times as large where there are more than 13 epochs."""
    theorem = library().find("hcct.theorem2.repaired")
    assert theorem is not None
    rows = [1] * 13

    def sides(w: Any) -> Any:
        left, right = theorem(w)
        factor = 1 if w.original("training").last < len(rows) else 1000
        return {name: factor * value for name, value in left.items()}, right

    planted = theorem.variant("hcct.planted", sides=sides)
    outline = registered(theorem)
    assert outline is not None
    assert document_of(theorem)
    assert not proved(planted)
    with pytest.raises(NotConverted, match="depends on a size|is a program"):
        converted(planted, outline.setting)


@pytest.mark.parametrize("sides", TRUE, ids=lambda sides: sides.__name__)
def test_without_a_plant_each_is_proved(sides: Any) -> None:
    """So that the tests above see that something is lost."""
    made = statement("mine.true", family=FAMILY, latex="x", where="here")
    assert proved(made(sides))
