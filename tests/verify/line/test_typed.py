"""Lines as typed by theorists mean what was written down of them beforehand, or are refused."""

from __future__ import annotations

from contextlib import suppress
from time import process_time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.line.test_line_sides import lines as random_lines
from tests.verify.line.typed.meant import Refused, Typed
from tests.verify.line.typed.of_chances import CHANCES
from tests.verify.line.typed.of_conditions import CONDITIONS
from tests.verify.line.typed.of_numbers import NUMBERS
from tests.verify.line.typed.of_vectors import VECTORS
from tests.verify.line.typed.refused import REFUSED
from verify.claim.statement import Statement
from verify.line import one_line
from verify.line.grammar.refused import NotRead
from verify.world.world import World

TYPED = (*NUMBERS, *CONDITIONS, *VECTORS, *CHANCES)
POINTS = 5


def name(one: Typed | Refused) -> str:
    return one.line


def instances(statement: Statement, seed: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Shapes with values in the box of the line, drawn at random."""
    rng = np.random.default_rng(seed)
    family = statement.family
    shapes = list(family.shapes or ({},))
    chosen = [shapes[k] for k in rng.permutation(len(shapes))[:6]]
    return [
        (shape, family.decode(rng.random((POINTS, family.width(shape))), shape)) for shape in chosen
    ]


def computed(
    statement: Statement, shape: dict[str, Any], values: dict[str, Any]
) -> list[np.ndarray]:
    """Both sides, and the margins of the hypotheses, at some values."""
    world = World(statement.family.instance(values, shape), "float64", None, statement.defines)
    sides = [sum(np.broadcast_to(t, (POINTS, 1)) for t in s.values()) for s in statement(world)]
    margins = [np.broadcast_to(item.rule(world), (POINTS, 1)) for item in statement.given]
    return [np.asarray(s, dtype=float)[:, 0] for s in (*sides, *margins)]


def at(
    statement: Statement, shape: dict[str, Any], values: dict[str, Any], k: int
) -> SimpleNamespace:
    """The values of one instance by name, with what the line defines."""
    one = {key: value[k] for key, value in values.items()}
    world = World(statement.family.instance(values, shape), "float64", None, statement.defines)
    for key in statement.defines:
        found = np.asarray(getattr(world, key))
        one[key] = found.reshape(POINTS, *found.shape[2:])[k]
    return SimpleNamespace(**{**shape, **one})


@each("one", TYPED, ids=name)
def test_a_typed_line_computes_what_its_author_meant(one: Typed) -> None:
    found = one_line(one.line)
    tried = 0
    for shape, values in instances(found, 3):
        sides = computed(found, shape, values)
        for k in range(POINTS):
            meant = one.sides(at(found, shape, values, k))
            if all(np.isfinite(meant)):
                np.testing.assert_allclose([s[k] for s in sides[:2]], meant, rtol=1e-9, atol=1e-9)
                tried += 1
    assert tried


@each("one", TYPED, ids=name)
def test_a_typed_line_is_the_plain_one(one: Typed) -> None:
    """The same relation, ranges, hypotheses and sides as with every sign written out."""
    typed, plain = one_line(one.line), one_line(one.plain)
    assert typed.relation == plain.relation
    drawn = [said.split("; ") for said in (typed.family.about, plain.family.about)]
    ranges = [sorted(item for item in said if "~" not in item) for said in drawn]
    assert ranges[0] == ranges[1]
    assert sorted(typed.family.box) == sorted(plain.family.box)
    assert all(
        tuple(typed.family.box[key].limits) == tuple(plain.family.box[key].limits)
        for key in typed.family.box
    )
    assert len(typed.given) == len(plain.given)
    for shape, values in instances(typed, 5):
        for mine, theirs in zip(
            computed(typed, shape, values), computed(plain, shape, values), strict=True
        ):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)


@each("one", REFUSED, ids=name)
def test_what_two_readers_read_differently_is_refused_with_both(one: Refused) -> None:
    with pytest.raises(NotRead, match=one.says) as caught:
        one_line(one.line)
    error = caught.value
    assert error.marked.splitlines()[1].strip(" ^") == ""
    assert "^" in error.marked.splitlines()[1]
    assert len(error.proposals) == len(one.readings)
    for proposal, reading in zip(error.proposals, one.readings, strict=True):
        proposed, meant = one_line(proposal), one_line(reading)
        assert proposed.family.about == meant.family.about
        for shape, values in instances(meant, 7):
            for mine, theirs in zip(
                computed(proposed, shape, values), computed(meant, shape, values), strict=True
            ):
                np.testing.assert_allclose(mine, theirs, rtol=1e-9)


WRITTEN = [one.plain for one in TYPED if " given " not in one.plain]


@each("plain", [*WRITTEN, *(line for seed in range(12) for line in random_lines(seed))])
def test_the_tex_that_is_shown_reads_back_as_the_same_line(plain: str) -> None:
    """What a person is shown, and may paste, means the same again."""
    found = one_line(plain)
    ranges = plain[plain.find(" for ") :] if " for " in plain else ""
    again = one_line(f"{found.latex} {ranges.replace('[i]', '')}")
    for shape, values in instances(found, 9):
        for mine, theirs in zip(
            computed(found, shape, values)[:2], computed(again, shape, values)[:2], strict=True
        ):
            np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-8)


def test_the_table_is_as_large_as_it_says() -> None:
    assert len({one.line for one in (*TYPED, *REFUSED)}) >= 120
    assert len(TYPED) >= 100
    assert len(TYPED) + len(REFUSED) == len({one.line for one in (*TYPED, *REFUSED)})


def test_the_comparison_sees_another_meaning() -> None:
    """The planted fault: the two readings of the issue's example differ at some instance."""
    right, wrong = (
        one_line(f"{side} <= x + y - 2 for x, y > 0") for side in ("log(x*y)", "log(x)*y")
    )
    shape, values = instances(right, 3)[0]
    mine, theirs = computed(right, shape, values)[0], computed(wrong, shape, values)[0]
    assert not np.allclose(mine, theirs)


SIGNS = "xyn()[]{}|^_*/+-<=,;:. 2~\\$'!"


@each("seed", range(6))
def test_a_slip_of_the_pen_is_read_or_refused(seed: int) -> None:
    """Characters of typed lines left out, doubled or put in: never an error of another kind."""
    rng = np.random.default_rng(seed)
    refused = 0
    for one in (*TYPED, *REFUSED):
        signs = list(one.line)
        for _ in range(rng.integers(1, 4)):
            k = int(rng.integers(len(signs)))
            kind = rng.integers(3)
            signs[k : k + 1] = ([], [signs[k]] * 2, [str(rng.choice(list(SIGNS))), signs[k]])[kind]
        try:
            one_line("".join(signs))
        except InvalidInput:
            refused += 1
    assert 30 < refused < len(TYPED) + len(REFUSED)


LARGE = (
    *("|" * 300 + "x" + "|" * 300 + " <= 1", "||" * 12 + "x <= 1", "|x| " * 300 + "<= 1"),
    *("f(" * 300 + "x" + ")" * 300 + " <= 1", "a(" * 120 + "x" + ")" * 120 + " <= a for a, x"),
    *("1/2x" * 300 + " <= 1", "x^" * 300 + "2 <= 1", "log " * 300 + "x <= 1"),
    *("sum_i " * 100 + "x_i <= 1", "<x, " * 300 + "y" + ">" * 300 + " <= 1"),
    *("for " * 400 + "x <= 1", "{" * 900 + "x" + "}" * 900 + " <= 1"),
    *("9**9**9**9**9 <= x", "x <= 9**(10**8)", "x**(-(10**9)) <= 1", "factorial(10**8) <= x"),
    *("sum_{k=1}^{100000000} k <= x", "binom(10**7, 10**6) <= x", "factorial(99999999) <= x"),
    "E[(x+y+z)^12] <= 1 for x ~ N(a, 1); y ~ N(b, 1); z ~ N(c, 1), real a, b, c",
    "n! <= sum_{k=1}^{n*n*n*n} k for integer n in [1, 200]",
)


@each("line", LARGE)
def test_a_large_line_takes_no_time(line: str) -> None:
    """Seconds of this process, a hundred times what the slowest takes."""
    begun = process_time()
    with suppress(InvalidInput):
        one_line(line)
    assert process_time() - begun < 5
