"""Formulas of outlines as texts and trees, entries and their definitions, and what schemas ask.

Two formulas that are shown alike are one to the checker, and a definition that is taken for another
index is another theorem.
"""

from __future__ import annotations

import ast
import pkgutil
import re
from importlib import import_module
from typing import Any

import pytest

from tests.each import each
from tests.trusted.proof.test_outline_reader import reader
from verify.certify.checker import ONE, ZERO, Refused, variable
from verify.proof import schemas
from verify.proof.entries import declared, declared_as, defined
from verify.proof.schemas import SCHEMAS, Closed, Schema
from verify.proof.schemas.schema import put
from verify.proof.term import Vec, names_in, parsed, shown, shown_vector

X, Y = variable("x"), variable("y")

# -- formulas --------------------------------------------------------------------------------------


@each(
    "text",
    [
        "x",
        " x ",
        "1 + 2*x**3/y - -z",
        "y[t + 1]",
        "z[t, 0]",
        "Sum(x, (t, 0, T))",
        "f(x, y)",
    ],
)
def test_a_formula_is_parsed(text: str) -> None:
    assert ast.dump(parsed(text)) == ast.dump(ast.parse(text.strip(), mode="eval").body)


@each(
    ("text", "why"),
    [
        (3, "3 is no formula, or too long"),
        (None, "None is no formula"),
        ("x" * 5_001, "too long"),
        ("", "is no formula"),
        ("x.real", "is no formula"),
        ("x if y else z", "is not read"),
        ("x; y", "is no formula"),
        ("x = 1", "is no formula"),
        ("'x'", "is no formula"),
        ("2x", "is no formula"),
        ("0x1f", "is no formula"),
        ("1_000", "is no formula"),
        ("1e5", "is no formula"),
        ("x +", "is no formula"),
        ("(x", "is no formula"),
        ("-" * 3_000 + "x", "is no formula"),
        ("x,", "is no single formula"),
        ("x, y", "is no single formula"),
        ("+x", "UAdd is not read|UnaryOp is not read"),
        ("not x", "is not read"),
        ("x // y", "BinOp is not read|FloorDiv"),
        ("x and y", "is not read"),
        ("x in y", "is not read"),
        ("True", "Constant is not read"),
        ("None", "Constant is not read"),
        ("[x]", "List is not read"),
        ("f(x)(y)", "Call is not read"),
        ("f(x)[y]", "Subscript is not read"),
        ("x[0][1]", "Subscript is not read"),
        ("f(*x)", "Starred is not read"),
        ("lambda x", "is no formula"),
        ("\u00e9", "is no formula"),
    ],
    ids=lambda case: str(case[0])[:20],
)
def test_what_is_no_formula_is_refused(text: Any, why: str) -> None:
    with pytest.raises(Refused, match=why):
        parsed(text)


def test_the_longest_formula_is_parsed() -> None:
    assert isinstance(parsed("x" * 5_000), ast.Name)


def test_names_are_those_of_variables_and_functions() -> None:
    assert names_in("Sum(y[t]*f(x), (t, 0, T - 1)) + 2") == {"Sum", "y", "t", "f", "x", "T"}


@each(
    ("value", "expected"),
    [
        (ZERO, "0"),
        (ONE, "1"),
        (ZERO - ONE, "-1"),
        (X, "x"),
        (ZERO - X, "-x"),
        (Y + X, "x + y"),
        (X - Y, "x - y"),
        (Y - X, "-x + y"),
        (X * X * Y + ONE, "x*x*y + 1"),
        (X + X - Y - Y, "2*x - 2*y"),
        (ONE - X, "-x + 1"),
    ],
    ids=lambda case: case[1],
)
def test_a_value_is_shown_as_one_text(value: Any, expected: str) -> None:
    assert shown(value) == expected


def test_a_quotient_is_shown_with_both_sides() -> None:
    made = reader()
    assert shown(made.scalar("(x + 1)/(2*a)")) == "(1/2*x + 1/2)/(a)"


def test_mean_and_rest_of_a_vector_are_shown_as_it() -> None:
    mean, rest = Vec("avg(c)", True), Vec("off(c)", False)
    other = Vec("w", True)
    assert shown_vector({}) == "0"
    assert shown_vector({other: ONE}) == "w"
    assert shown_vector({other: ZERO}) == "0"
    assert shown_vector({other: X}) == "(x)*w"
    assert shown_vector({mean: ONE, rest: ONE}) == "c"
    assert shown_vector({mean: X, rest: X, other: ONE}) == "(x)*c + w"
    assert shown_vector({mean: ONE, rest: X}) == "avg(c) + (x)*off(c)"
    assert shown_vector({mean: ONE}) == "avg(c)"
    assert shown_vector({rest: X}) == "(x)*off(c)"
    assert shown_vector({mean: ONE, Vec("off(d)", False): ONE}) == "avg(c) + off(d)"


def test_a_vector_is_its_key() -> None:
    one = Vec("w", True)
    assert one == Vec("w", False, ONE, ONE, ("D", one))
    assert one != Vec("v", True)


# -- entries ---------------------------------------------------------------------------------------


@each(
    ("pattern", "expected"),
    [
        ("a", ("a", [])),
        ("y[t]", ("y", ["t"])),
        ("z[t, s]", ("z", ["t", "s"])),
        ("z[t,s]", ("z", ["t", "s"])),
        ("a_1[t]", ("a_1", ["t"])),
    ],
    ids=lambda case: case[0],
)
def test_a_pattern_is_a_name_and_its_letters(pattern: str, expected: Any) -> None:
    assert declared(pattern) == expected
    assert declared_as((pattern, "real")) == (expected[0], (expected[1], "real"))


@each(
    "pattern", ["", "1a", "_a", "a[", "a[]", "a[t", "a[t + 1]", "a[t][s]", "a b", "a[t,]", "\u00e9"]
)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(Refused, match="is no name with indices"):
        declared(pattern)


@each(
    ("entry", "says", "why"),
    [
        ("q2", "x", "q2 was not declared, or is noise"),
        ("n[t]", "w[t]", "n was not declared, or is noise"),
        ("y", "x", "has other indices than were declared"),
        ("y[t, s]", "x", "has other indices than were declared"),
        ("z[t, t]", "x", "has other indices than were declared"),
        ("y[T]", "x", "the definition of y.T. speaks of other indices"),
        ("y[t]", "s", "the definition of y.t. speaks of other indices"),
        ("y[0]", "t", "the definition of y.0. speaks of other indices"),
        ("y[t]", "Sum(z[t, s], (t, 0, 2))", "speaks of other indices"),
        ("y[t]", "Sum(x, (t, 0, 2))", "speaks of other indices"),
        ("y[t - 1]", "x", "an index that is no letter with a number added"),
        ("y[2*t]", "x", "an index that is no letter with a number added"),
        ("y[1 + t]", "x", "an index that is no letter with a number added"),
        ("y[t + s]", "x", "an index that is no letter with a number added"),
        ("x + 1", "x", "is no entry"),
        ("f(x)", "x", "is no entry"),
        ("x", "'x'", "is no formula"),
    ],
    ids=lambda case: f"{case[0]} = {case[1]}",
)
def test_what_defines_no_entry_is_refused(entry: str, says: str, why: str) -> None:
    made = reader()
    made.unbiased["n"] = (["t"], parsed("t"))
    with pytest.raises(Refused, match=why):
        defined(made, entry, says)
    assert made.definitions == {}


@each(
    ("entry", "says"),
    [
        ("x", "a + b"),
        ("y[t]", "t*x"),
        ("y[s]", "s*x"),
        ("y[0]", "x"),
        ("y[t + 3]", "y[t]"),
        ("z[t, s]", "t + s"),
        ("z[t + 1, 0]", "t"),
        ("y[t]", "Sum(z[t, s], (s, 0, t))"),
        ("x", "Sum(y[t], (t, 0, T))"),
        ("w[t]", "grad(F, w[t + 1])"),
        ("x", None),
    ],
    ids=lambda case: f"{case[0]} = {case[1]}",
)
def test_an_entry_may_be_defined(entry: str, says: str | None) -> None:
    made = reader()
    defined(made, entry, says)
    ((pattern, body),) = made.definitions[entry.partition("[")[0]]
    assert (body is None) == (says is None)
    assert all(letter in ("", "t", "s") for letter, _ in pattern)


@each("says", ["Sum(a, ())", "Sum(a, (0, 0, T))"])
def test_a_sum_over_nothing_is_refused_where_it_is_read(says: str) -> None:
    made = reader()
    defined(made, "x", says)
    with pytest.raises(Refused, match="a sum runs over"):
        made.scalar("x")


@each(
    ("one", "other", "apart"),
    [
        ("y[t]", "y[t]", False),
        ("y[t]", "y[s]", False),
        ("y[t]", "y[t + 1]", False),
        ("y[0]", "y[0]", False),
        ("y[0]", "y[1]", True),
        ("y[0]", "y[t + 1]", True),
        ("y[t + 1]", "y[0]", True),
        ("y[1]", "y[t + 1]", False),
        ("y[t + 2]", "y[1]", True),
        ("y[2]", "y[t]", False),
        ("y[t]", "y[2]", False),
        ("y[t + 1]", "y[2]", False),
        ("z[t, 0]", "z[t, 1]", True),
        ("z[t, 0]", "z[t, s + 1]", True),
        ("z[t, 0]", "z[0, s]", False),
        ("x", "x", False),
    ],
    ids=lambda case: f"{case[0]} {case[1]}",
)
def test_an_entry_is_defined_once(one: str, other: str, apart: bool) -> None:
    made = reader()
    defined(made, one, "a")
    if apart:
        defined(made, other, "b")
        assert len(made.definitions[one.partition("[")[0]]) == 2
        return
    with pytest.raises(Refused, match="has a definition already"):
        defined(made, other, "b")


# -- schemas ---------------------------------------------------------------------------------------


@each(
    ("formula", "letter", "value", "expected"),
    [
        ("y[t] + t", "t", "t + 1", "y[t + 1] + (t + 1)"),
        ("y[t]*z[t, s]", "t", "0", "y[0] * z[0, s]"),
        ("y[s]", "t", "0", "y[s]"),
        ("Sum(y[t], (t, 0, t))", "t", "T", "Sum(y[t], (t, 0, T))"),
        ("Sum(z[t, s], (s, 0, t))", "t", "T", "Sum(z[T, s], (s, 0, T))"),
        ("Min(z[t, s], (s, 0, t))", "t", "0", "Min(z[0, s], (s, 0, 0))"),
        ("Max(y[t], (t, 0, T))", "t", "0", "Max(y[t], (t, 0, T))"),
        ("f(w[t])", "t", "t + 1", "f(w[t + 1])"),
        ("grad(F, w[t])", "t", "2", "grad(F, w[2])"),
        ("Sum(y[t], (t, 0, T))*t", "t", "t + 1", "Sum(y[t], (t, 0, T)) * (t + 1)"),
        ("drawn(D[t], c[t])", "t", "s", "drawn(D[s], c[s])"),
        # what is refused when it is read stays what it is
        ("f() + t", "t", "0", "f() + 0"),
        ("f(y[t], (t, 0, T))", "t", "1", "f(y[1], (1, 0, T))"),
        ("Sum(y[t], t)", "t", "0", "Sum(y[0], 0)"),
        ("Sum(y[t], (0, 0, t))", "t", "1", "Sum(y[1], (0, 0, 1))"),
    ],
    ids=lambda case: f"{case[0]} {case[2]}",
)
def test_an_index_is_replaced_where_it_is_free(
    formula: str, letter: str, value: str, expected: str
) -> None:
    assert put(formula, letter, value) == expected


@each("head", ["Sum", "Min", "Max"])
def test_what_is_put_in_is_not_captured(head: str) -> None:
    with pytest.raises(Refused, match="s is the index of a sum in"):
        put(f"{head}(z[t, s], (s, 0, T))", "t", "s + 1")
    assert put(f"{head}(y[t], (t, 0, T))", "t", "t + 1") == f"{head}(y[t], (t, 0, T))"


CLOSED = {
    "telescoped": (
        {"step": "y[t]", "index": "t", "rounds": "T", "of": "x*t"},
        Closed(
            [("Sum((y[t]) - (x*t) + (x * (t + 1)), (t, 0, T - 1)) + (x * 0) - (x * T)", False)],
            free=["T"],
        ),
    ),
    "last iterate": (
        {"step": "s", "index": "t", "rounds": "T", "of": "y[t]"},
        Closed(
            [("Sum(y[t + 1], (t, 0, T - 1)) - (T)*(y[T])", False)],
            same=[("s", "(y[t]) - (y[t + 1])")],
            free=["T"],
        ),
    ),
    "geometric": (
        {"step": "s", "index": "t", "rounds": "T", "of": "y[t]", "factor": "a", "rest": "b"},
        Closed(
            [
                ("(a)**(T)*(y[0]) + (b)*(1 - (a)**(T))/(1 - (a)) - (y[T])", False),
                ("(a)**(T)", False),
                ("1 - (a)**(T)", False),
            ],
            needs=[("a", False), ("1 - (a)", True)],
            same=[("s", "(a)*(y[t]) + (b) - (y[t + 1])")],
            free=["a", "b", "T"],
        ),
    ),
    "1/(t + shift)": (
        {
            "step": "s",
            "index": "t",
            "rounds": "T",
            "of": "y[t]",
            "p": "p",
            "q": "q",
            "shift": "c",
            "v": "v",
        },
        Closed(
            [("(v)/(T + (c)) - (y[T])", False)],
            needs=[
                ("(c)", True),
                ("(c) - (p)", False),
                ("(v)", False),
                ("(v)*((p) - 1) - (q)", False),
                ("(v) - (c)*(y[0])", False),
            ],
            same=[("s", "(1 - (p)/(t + (c)))*(y[t]) + (q)/(t + (c))**2 - (y[t + 1])")],
            free=["p", "q", "c", "v", "T"],
        ),
    ),
    "smallest": (
        {"of": "y[t]", "weight": "a", "index": "t", "rounds": "T"},
        Closed(
            [
                (
                    "Sum((a)*(y[t]), (t, 0, T - 1)) - "
                    "Min(y[t], (t, 0, T - 1))*Sum(a, (t, 0, T - 1))",
                    False,
                )
            ],
            needs=[("a", False)],
            free=["T"],
        ),
    ),
    "largest": (
        {"of": "y[t]", "weight": "a", "index": "t", "rounds": "T"},
        Closed(
            [
                (
                    "Max(y[t], (t, 0, T - 1))*Sum(a, (t, 0, T - 1)) - "
                    "Sum((a)*(y[t]), (t, 0, T - 1))",
                    False,
                )
            ],
            needs=[("a", False)],
            free=["T"],
        ),
    ),
    "averaged": (
        {
            "f": "F",
            "called": "m",
            "of": "w[t]",
            "weight": "a",
            "index": "t",
            "rounds": "T",
        },
        Closed(
            [("Sum((a)*F(w[t]), (t, 0, T - 1)) - Sum(a, (t, 0, T - 1))*F(m)", False)],
            needs=[("a", False), ("Sum(a, (t, 0, T - 1))", True)],
            facts=[
                (
                    ["average"],
                    {"called": "m", "of": "w[t]", "weight": "a", "index": "t", "rounds": "T"},
                ),
                (["convex"], {"f": "F"}),
            ],
            free=["T"],
        ),
    ),
    "Markov": (
        {"of": "r", "level": "a"},
        Closed([("(r)**2 - (a)*Chance(r, a)", False)], needs=[("a", False)]),
    ),
    "Cauchy, Schwarz": (
        {"one": "r", "other": "w", "size": "a", "its": "b", "first": "p", "second": "q"},
        Closed(
            [("(a)*(b) - (r)*(w)", False)],
            needs=[("a", False), ("b", False)],
            same=[("p", "(a)**2 - (r)**2"), ("q", "(b)**2 - (w)**2")],
        ),
    ),
    "induction": (
        {"claim": "y[t]", "index": "t", "next": ("n", "h")},
        Closed([("y[t]", False)], needs=[("y[0]", False)], same=[("n", "y[t + 1]"), ("h", "y[t]")]),
    ),
    "cases": (
        {"claim": "y", "on": "x", "then": ("p", "u"), "else_": ("q", "v")},
        Closed([("y", False)], same=[("p", "y"), ("q", "y"), ("u", "x"), ("v", "-(x)")]),
    ),
}


FILES = [
    import_module(f"{schemas.__name__}.{one.name}")
    for one in pkgutil.iter_modules(schemas.__path__)
]


def schema_of(name: str) -> Schema:
    """The schema as its file has it now."""
    values = [one for file in FILES for one in vars(file).values() if isinstance(one, Schema)]
    (found,) = [one for one in values if one.name == name]
    return found


@each("name", SCHEMAS)
def test_a_schema_asks_for_what_its_lemma_asks_for_and_gives_no_more(name: str) -> None:
    arguments, expected = CLOSED[name]
    schema = schema_of(name)
    assert SCHEMAS[name] == schema
    assert re.fullmatch("[a-z_]+", schema.lemma)
    assert " " in schema.words
    assert {*schema.takes} == {one.removesuffix("_") for one in arguments}
    assert schema.close(*arguments.values()) == schema.close(**arguments) == expected
