"""What is printed from a term is read as that term again, in plain text and in TeX."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.line.typed.of_conditions import CONDITIONS
from tests.verify.line.typed.of_numbers import NUMBERS
from tests.verify.line.typed.of_vectors import VECTORS
from verify import Real, numbers, statement
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.line.written import one_line
from verify.reading.parts.values import rational_values
from verify.terms.claims import terms_of
from verify.terms.printed import printed
from verify.terms.tex import tex
from verify.terms.text import text
from verify.world.noise_plan import AllOutcomes
from verify.world.returned import sides_of
from verify.world.score import score
from verify.world.world import World

LINES = [
    one.line
    for one in (*NUMBERS, *VECTORS, *CONDITIONS)
    # with whole numbers the formula is another one for each; equalities make definitions
    if not re.search(r"integer|\bn\b|given|==|P\(|E\(|1/L", one.line)
    and not one_line(one.line).defines
]


def read_again(made: Statement, in_tex: bool) -> Statement:
    """The statement of the line that is printed from the terms."""
    found = printed(made)
    assert found is not None
    left, right = found.sides(in_tex)
    return one_line(f"{left} {made.relation} {right} for {made.family.about}")


def sides_as_nodes(made: Statement) -> list[object]:
    terms = terms_of(made)
    assert terms is not None
    return [(list(c.left.values()), list(c.right.values())) for c in terms.claims]


def values(made: Statement, seed: int) -> object:
    """Both sides in fractions at one instance of the last shape."""
    shape = made.family.shapes[-1]
    found = rational_values(made.family.box, shape, Random(seed))
    instance = made.family.instance({k: v[None] for k, v in found.items()}, shape)
    scored = score(made, instance, "exact")
    return [repr(side.ravel().tolist()) for side in (scored.left, scored.right)]


def test_there_are_many_lines() -> None:
    assert len(LINES) > 60


@pytest.mark.parametrize("line", LINES)
def test_plain_text_is_read_as_the_same_term(line: str) -> None:
    made = one_line(line)
    assert sides_as_nodes(read_again(made, False)) == sides_as_nodes(made)


@pytest.mark.parametrize("line", LINES)
def test_tex_is_read_as_the_same_function(line: str) -> None:
    made = one_line(line)
    again = read_again(made, True)
    for seed in range(3):
        assert values(again, seed) == values(made, seed)


def drawn(rng: Random, depth: int) -> ast.expr:
    """A formula by chance, every operation inside every other."""
    if depth == 0:
        names: list[ast.expr] = [ast.Name(n) for n in "abc"]
        return rng.choice([*names, ast.Constant(rng.randint(2, 5))])
    kind = rng.randrange(7)
    if kind == 0:
        return ast.UnaryOp(ast.USub(), drawn(rng, depth - 1))
    if kind == 1:
        return ast.BinOp(drawn(rng, depth - 1), ast.Pow(), ast.Constant(2))
    sign = rng.choice([ast.Add(), ast.Sub(), ast.Mult(), ast.Div(), ast.Mult()])
    return ast.BinOp(drawn(rng, depth - 1), sign, drawn(rng, rng.randrange(depth)))


AT = {"a": 7, "b": 11, "c": 13}


def test_formulas_by_chance_are_read_again() -> None:
    rng, done = Random(7), 0
    for _ in range(250):
        tree = drawn(rng, rng.randint(1, 4))
        used = sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)})
        try:
            whole = eval(ast.unparse(tree), dict(AT))
        except (ZeroDivisionError, OverflowError):
            continue
        if not used or abs(whole) > 1e300:
            continue
        for said in (text(tree), tex(tree)):
            made = one_line(f"{said} <= 1 for {', '.join(used)} > 0")
            found = values_at(made, {n: AT[n] for n in used})
            assert float(found) == pytest.approx(whole, rel=1e-9), said
        done += 1
    assert done > 150


def values_at(made: Statement, numbers: dict[str, int]) -> Fraction:
    """Sum of the terms of the left side at these numbers."""
    data = {k: np.array([Fraction(v)], dtype=object) for k, v in numbers.items()}
    world = World(made.family.instance(data, {}), "exact", AllOutcomes(), made.defines)
    left, _ = sides_of(made, world)
    return sum((np.asarray(v).item() for v in left.values()), start=Fraction(0))


def test_a_lost_bracket_is_caught() -> None:
    tree = ast.parse("a*(b/c)", mode="eval").body
    assert text(tree) == "a*(b/c)"
    right = one_line("a*(b/c) <= 1 for a, b, c > 0")
    assert sides_as_nodes(one_line("a*b/c <= 1 for a, b, c > 0")) != sides_as_nodes(right)


@pytest.mark.parametrize("line", ["7 - sum_i(-u[i]) <= x for real u, x", "max_i(-u[i]) <= 1"])
def test_what_is_added_up_has_its_sign_in_brackets(line: str) -> None:
    """TeX like ``\\sum_{i} -u_{i}`` was printed, and not read."""
    made = one_line(line)
    assert values(read_again(made, True), 1) == values(made, 1)


CLAIMS = {
    "adaptive.lemma1@old-model+eta": "step_size*sum_i(alpha[i]*norm(",
    "hcct.corollary1/S1": "gap/sum_i(steps(T)[i])",
    "hcct.lemma1.refined/any-models": "norm(sum_i(size[i]/sum_j(size[j])*gradient[i]))^2",
}


@pytest.mark.parametrize("key", CLAIMS)
def test_a_claim_of_a_paper_is_printed_from_its_terms(key: str) -> None:
    found = printed(library().leaf(key))
    assert found is not None
    assert any(CLAIMS[key] in side for side in found.sides())


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda w: xp.inverse(w.A)[..., 0, 1], "inverse(A)[0, 1]"),
        (
            lambda w: xp.symmetric_part(w.A - w.A[..., :1, :])[..., 0, 0],
            "symmetric_part(A - A[:1, :])[0, 0]",
        ),
        (lambda w: xp.total(xp.matvec(w.A, w.u)), "sum_i(matvec(A, u)[i])"),
        (lambda w: xp.total(w.u[..., 1:] - w.u[..., :-1]), "sum_i(u[i + 1] - u[i])"),
        (lambda w: xp.where(w.x > 1, w.x, 2), "where(x > 1, x, 2)"),
        (lambda w: xp.largest(xp.absolute(w.u)), "norminf(u)"),
        (lambda w: xp.total(w.A, axis=-2)[..., 0], "sum_i(A[i, 0])"),
        (lambda w: w.x * w.u.shape[-1], "x*d"),
    ],
)
def test_what_a_line_cannot_say_is_printed_too(function: Any, said: str) -> None:
    wide, square = Real(1, 2, per=("d",)), Real(1, 2, per=("d", "d"))
    family = numbers({"x": Real(0, 1), "u": wide, "A": square}, {"d": 2}, {"d": 3})
    made = statement("mine.said", where="here", latex="x", family=family)(
        lambda w: ({"it": function(w)}, {"one": 1 + 0 * w.x})
    )
    found = printed(made)
    assert found is not None
    assert text(found.left["it"]) == said
