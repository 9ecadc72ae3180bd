"""What a digest is taken over: terms, the record's data, and modules as far as names lead.

Each part is changed alone, and the digest must be another one; what is no part leaves it as it was.
"""

from __future__ import annotations

import ast
import hashlib
import linecache
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial, wraps
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from verify import Hypothesis, Real, numbers, statement
from verify.claim.constant import Bounded, NamedConstant
from verify.claim.statement import Statement
from verify.terms import digest as module
from verify.terms.claims import ClaimTerms, terms_of
from verify.terms.digest import (
    _beside,
    _called,
    _claim,
    _data,
    _follow,
    _functions,
    _installed,
    _is_text,
    _module_of,
    _names,
    _ours,
    _outline,
    _said,
    _says_itself,
    _tells,
    _text,
    _whole,
    statement_digest,
)
from verify.terms.node import node
from verify.terms.trace import TracedClaim

FAMILY = numbers({"x": Real(0, 1), "y": Real(0, 1)})
X, Y = node("symbol", data="x"), node("symbol", data="y")
WORLD = SimpleNamespace(number="float64")


def sides(w: Any) -> Any:
    return {"left": w.x}, {"right": w.y}


def other_sides(w: Any) -> Any:
    return {"left": w.x}, {"right": 2 * w.y}


def no_terms(w: Any) -> Any:
    return {"left": float(w.x)}, {"right": w.y}


def rule(w: Any) -> Any:
    return w.x


def other_rule(w: Any) -> Any:
    return 2 * w.x


def third_rule(w: Any) -> Any:
    return 3 * w.x


def fourth_rule(w: Any) -> Any:
    return 4 * w.x


def given(name: str = "h", made: Any = rule, **more: Any) -> Hypothesis:
    return Hypothesis(name, "x", made, where="here", **more)


def claim(own: Any = sides, key: str = "mine.claim", **more: Any) -> Statement:
    more.setdefault("family", FAMILY)
    made: Any = statement(key, latex=more.pop("latex", "x"), where="here", **more)
    found: Statement = made(own)
    return found


def put(made: Statement, **more: Any) -> Statement:
    for name, value in more.items():
        object.__setattr__(made, name, value)
    return made


def constant(**more: Any) -> NamedConstant:
    return NamedConstant("mine.order", more.pop("value", third_rule), "two", **more)


# -- the whole -------------------------------------------------------------------------------------

OTHERS: dict[str, Callable[[], Statement]] = {
    "as it is": claim,
    "a key": lambda: claim(key="mine.other"),
    "other terms": lambda: claim(other_sides),
    "a relation": lambda: claim(relation=">="),
    "what is compared": lambda: claim(over="mean"),
    "a quantifier": lambda: claim(quantifier="some"),
    "a range": lambda: claim(family=numbers({"x": Real(0, 2), "y": Real(0, 1)})),
    "the name of a range": lambda: claim(
        family=numbers({"x": Real(0, 1), "y": Real(0, 1), "z": Real(0, 1)})
    ),
    "a shape": lambda: claim(family=replace(FAMILY, shapes=({"k": 1},))),
    "another shape": lambda: claim(family=replace(FAMILY, shapes=({"k": 2},))),
    "two shapes": lambda: claim(family=replace(FAMILY, shapes=({"k": 1}, {"k": 2}))),
    "what grows": lambda: claim(family=replace(FAMILY, grow=("k",))),
    "a list": lambda: claim(family=replace(FAMILY, listed=True)),
    "a constraint": lambda: claim(family=replace(FAMILY, constraints={"c": rule})),
    "another constraint": lambda: claim(family=replace(FAMILY, constraints={"d": rule})),
    "the rule of a constraint": lambda: claim(
        family=replace(FAMILY, constraints={"c": other_rule})
    ),
    "another family": lambda: claim(also=(FAMILY,)),
    "who makes instances": lambda: claim(family=replace(FAMILY, build=build)),
    "who makes others": lambda: claim(also=(replace(FAMILY, build=build),)),
    "a hypothesis": lambda: claim(given=[given()]),
    "its name": lambda: claim(given=[given("g")]),
    "its rule": lambda: claim(given=[given(made=other_rule)]),
    "a strict one": lambda: claim(given=[given(strict=True)]),
    "a definition": lambda: claim(defines={"z": rule}),
    "a bound that needs nothing": lambda: claim(trivial={"t": rule}),
    "another bound": lambda: claim(trivial={"t": other_rule}),
    "a ceiling": lambda: claim(ceiling=rule),
    "another ceiling": lambda: claim(ceiling=other_rule),
    "a level": lambda: claim(over="prob", delta=rule),
    "another level": lambda: claim(over="prob", delta=other_rule),
    "a constant": lambda: put(claim(), constant=constant()),
    "another constant": lambda: put(claim(), constant=constant(value=fourth_rule)),
    "what it depends on": lambda: put(claim(), constant=constant(depends={"x": other_rule})),
    "its logarithms": lambda: put(claim(), constant=constant(logs={"x": no_terms})),
    "no terms": lambda: claim(no_terms),
    "no terms and a level": lambda: claim(no_terms, over="prob", delta=rule),
    "no terms and another level": lambda: claim(no_terms, over="prob", delta=other_rule),
    "no terms and a hypothesis": lambda: claim(no_terms, given=[given()]),
    "no terms and another rule": lambda: claim(no_terms, given=[given(made=other_rule)]),
    "no terms and a definition": lambda: claim(no_terms, defines={"z": rule}),
    "no terms and another definition": lambda: claim(no_terms, defines={"z": other_rule}),
    "no terms and a ceiling": lambda: claim(no_terms, ceiling=rule),
    "without sides": lambda: put(claim(), sides=None),
}


def build(values: Any, shape: Any) -> Any:
    return FAMILY.build(values, shape)


def test_every_part_of_a_statement_makes_another_digest() -> None:
    found = {name: statement_digest(made()) for name, made in OTHERS.items()}
    assert found == {name: statement_digest(made()) for name, made in OTHERS.items()}
    twice = [
        pair
        for pair in pairwise(sorted((d, n) for n, d in found.items()))
        if pair[0][0] == pair[1][0]
    ]
    assert twice == []
    assert {len(one) for one in found.values()} == {16}
    assert all(set(one) <= set("0123456789abcdef") for one in found.values())


def test_what_a_reader_is_told_makes_none() -> None:
    plain = statement_digest(claim())
    assert statement_digest(claim(latex="y", title="a", proof="b", note="c", kind="lemma")) == plain
    assert statement_digest(claim(missing="what")) == plain


def test_a_digest_is_the_beginning_of_one_over_modules_terms_and_data() -> None:
    made = claim()
    modules: dict[str, str] = {}
    held: list[str] = []
    _follow(FAMILY.build, modules, held, __name__.rpartition(".")[0])
    terms = terms_of(made)
    assert terms is not None
    lines = [f"{name} {text}" for name, text in sorted(modules.items())]
    text = "\n".join([*lines, *held, *map(_claim, terms.claims), *_data(made)])
    assert statement_digest(made) == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_quantities_that_terms_name_are_followed(tmp_path: Path) -> None:
    def told(text: str) -> str:
        own = loaded("quantities_of_a_test", text, tmp_path)
        made = claim()
        name = "quantities_of_a_test:helper"
        term = node("generic", X, data=(name, 1, ()))
        found = ClaimTerms((TracedClaim({"left": term}, {}, {}),), frozenset())
        assert own.helper(1) is not None
        return statement_digest(put(made, _terms=found))

    one = told("def helper(x):\n    return x + 1\n")
    assert one == told("def helper(x):\n    return x + 1  # one\n")
    assert one != told("def helper(x):\n    return x + 2\n")


def test_the_digest_of_a_users_file_is_no_part(tmp_path: Path) -> None:
    text = "def helper(w):\n    return {'a': float(w.x)}, {'b': w.y}\n"
    names = [f"fedassay_user_{d * 16}" for d in "ab"]
    one, other = (statement_digest(claim(loaded(name, text, tmp_path).helper)) for name in names)
    assert one == other


def test_choices_are_said_in_any_order() -> None:
    one = TracedClaim({"a": X, "b": Y}, {"c": X}, {"m": Y}, X, {"z": Y}, {X: True, Y: "a"})
    same = replace(one, left={"b": Y, "a": X}, settled={Y: "a", X: True})
    assert _claim(one) == _claim(same)
    others = (
        replace(one, left={"a": Y, "b": X}),
        replace(one, right={"d": X}),
        replace(one, margins={}),
        replace(one, level=None),
        replace(one, level=Y),
        replace(one, defined={"z": X}),
        replace(one, settled={X: False, Y: "a"}),
        replace(one, left=one.right, right=one.left),
    )
    assert len({_claim(one), *map(_claim, others)}) == len(others) + 1


# -- functions of the record -----------------------------------------------------------------------


def fun(name: str) -> Any:
    def made(*_: Any) -> str:
        return name

    return made


def test_functions_are_those_of_the_record_in_its_order() -> None:
    other = replace(FAMILY, build=fun("other build"), constraints={"c": fun("other constraint")})
    family = replace(FAMILY, build=fun("build"), constraints={"c": fun("constraint")})
    made = claim(family=family, also=(other,))
    plain = ["build", "other build", "constraint", "other constraint"]
    assert [f() for f in _beside(made)] == plain
    put(
        made,
        sides=fun("sides"),
        delta=fun("delta"),
        given=(given(made=fun("given")),),
        defines={"z": fun("defines")},
        ceiling=fun("ceiling"),
        trivial={"t": fun("trivial")},
        constant=constant(
            value=fun("value"), depends={"x": fun("depends")}, logs={"y": fun("logs")}
        ),
    )
    beside = ["ceiling", "trivial", *plain, "value", "depends", "logs"]
    assert [f() for f in _beside(made)] == beside
    traced = ["sides", "delta", "given", "defines"]
    assert [f(WORLD) for f in _functions(made)] == [*traced, *beside]
    put(made, delta=None, given=(), sides=Bounded(fun("order"), constant()))
    assert [f(WORLD) for f in _functions(made)] == ["order", "defines", *beside]
    put(made, sides=None)
    assert [f(WORLD) for f in _functions(made)] == ["defines", *beside]


def test_data_is_what_the_record_says_in_numbers_and_words() -> None:
    family = replace(FAMILY, shapes=({"k": 1, "m": 2}, {"k": 3}), grow=("k",), listed=True)
    family = replace(family, constraints={"c": rule, "b": rule})
    made = claim(
        family=family,
        also=(FAMILY,),
        given=[given(strict=True), given("g")],
        defines={"z": rule, "a": rule},
        trivial={"t": rule},
    )
    unit = repr(Real(0, 1))
    assert list(_data(made)) == [
        "mine.claim <= point all",
        "h True False",
        "g False False",
        *("a", "t", "z"),
        f"x {unit}",
        f"y {unit}",
        "k=1 m=2",
        "k=3",
        "('k',)",
        "listed",
        "c",
        "b",
        f"x {unit}",
        f"y {unit}",
        "",
        "None",
    ]


def test_inside_partial_functions_and_orders_lies_one_function() -> None:
    inner = partial(partial(rule, 1), 2)
    assert _whole(inner) is rule
    assert _whole(Bounded(inner, constant())) is rule
    assert _whole(rule) is rule
    assert _whole(None) is None


def test_the_home_of_a_statement_is_the_package_of_its_program(tmp_path: Path) -> None:
    """What lies beside it is followed, also where it would not be otherwise."""
    text = "from algorithms.beside import helper\ndef own(w):\n    return helper(w)\n"

    def told(factor: int) -> str:
        loaded("algorithms.beside", f"def helper(w):\n    return {{}}, {factor}\n", tmp_path)
        return statement_digest(claim(loaded("algorithms.mine", text, tmp_path).own))

    before = dict(sys.modules)
    try:
        assert told(1) != told(2)
    finally:
        for name in ("algorithms.mine", "algorithms.beside"):
            if name not in before:
                sys.modules.pop(name, None)


# -- modules that are followed ---------------------------------------------------------------------


def loaded(name: str, text: str, folder: Path) -> Any:
    """A module of this text, as if it were imported."""
    file = folder / f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:8]}.py"
    file.write_text(text)
    made = ModuleType(name)
    made.__file__ = str(file)
    sys.modules[name] = made
    exec(compile(text, str(file), "exec"), made.__dict__)
    return made


TEXT = """
from functools import partial, wraps
import math
import second_of_a_test
import algorithms
NUMBER, NAME, LIST = 7, "seven", [1]

def beside(x):
    return x

def decorated(f):
    @wraps(f)
    def inner(x):
        return f(x)
    return inner

@decorated
def own(x, y=5, *, z=6, step=beside):
    def inside():
        return NUMBER, LIST, partial_one
    return math.sqrt(x) + second_of_a_test.far(x) + algorithms.run(x), len(inside())

partial_one = partial(beside, 11, key=(12, "thirteen"))

def alone(x):
    return x
"""
SECOND = """
FAR = 3
def far(x):
    return near(x) + FAR
def near(x):
    return far
def never(x):
    return 1
"""


@pytest.fixture(autouse=True)
def nothing_is_known() -> None:
    for kept in (module._of_module, module._installed, module._names):
        kept.cache_clear()


def followed(function: Any, home: str = "") -> tuple[dict[str, str], list[str]]:
    modules: dict[str, str] = {}
    held: list[str] = []
    _follow(function, modules, held, home)
    return modules, held


@pytest.fixture
def first(tmp_path: Path) -> Any:
    algorithms = sys.modules.get("algorithms")
    fake = ModuleType("algorithms")
    fake.run = rule  # type: ignore[attr-defined]
    second = loaded("second_of_a_test", SECOND, tmp_path)
    sys.modules["algorithms"] = fake
    try:
        found = loaded("first_of_a_test", TEXT, tmp_path)
    finally:
        sys.modules.pop("algorithms")
        if algorithms is not None:
            sys.modules["algorithms"] = algorithms
    yield found
    assert second is sys.modules.pop("second_of_a_test")
    sys.modules.pop("first_of_a_test")


def test_modules_of_all_that_a_function_calls_are_read(first: Any) -> None:
    modules, held = followed(first.own)
    texts = {"first_of_a_test": _said(TEXT.encode()), "second_of_a_test": _said(SECOND.encode())}
    assert modules == texts
    names = [one for one in held if "_of_a_test." in one]
    assert sorted(names) == [
        "first_of_a_test.beside",
        "first_of_a_test.own",
        "second_of_a_test.far",
        "second_of_a_test.near",
    ]
    plain = [one for one in held if one not in (*names, "None")]
    assert sorted(plain) == sorted(["7", "5", "11", "(12, 'thirteen')", "3"])


def test_values_that_a_function_holds_are_said_in_its_order(first: Any) -> None:
    assert followed(first.alone)[1] == ["first_of_a_test.alone"]
    assert followed(partial(first.alone, 2, b=3))[1] == ["3", "2", "first_of_a_test.alone"]
    assert followed((1, "a")) == ({}, ["(1, 'a')"])
    assert followed(len) == followed([1]) == ({}, [])
    held_twice = partial(first.alone, 2.5, first.alone)
    assert followed(held_twice)[1].count("first_of_a_test.alone") == 1


def test_a_module_that_is_known_is_not_read_again(first: Any) -> None:
    modules = {"first_of_a_test": "as it was"}
    _follow(first.alone, modules, [], "")
    assert modules == {"first_of_a_test": "as it was"}


def test_what_others_have_written_is_not_followed() -> None:
    assert followed(numbers) == ({}, [])
    assert followed(partial(numbers, 3)) == ({}, ["3"])
    modules, held = followed(numbers, "verify.claim")
    assert set(modules) >= {"verify.claim.families"}
    assert "verify.claim.families.numbers" in held


def closed(value: Any) -> Any:
    def inner(x: Any) -> Any:
        return value, x

    return inner


def test_values_of_a_closure_count_each_time() -> None:
    home = __name__
    one, other = closed(3), closed(4)
    assert "3" in followed(one, home)[1]
    assert "4" in followed(other, home)[1]
    assert f"{__name__}.rule" in followed(closed(rule), home)[1]
    empty = unbound()
    assert followed(empty, home)[1][0].startswith(f"{__name__}.unbound")
    assert list(_called(closed(rule), home)) == [rule]


def counter() -> Any:
    count = 1

    def inner() -> int:
        return count

    def put_in(value: int) -> None:
        nonlocal count
        count = value

    return inner, put_in


def test_what_a_closure_holds_now_counts_and_names_of_a_module_are_looked_up_once(
    first: Any,
) -> None:
    inner, put_in = counter()
    before = followed(inner, __name__)[1]
    put_in(2)
    assert ("1" in before, "2" in followed(inner, __name__)[1]) == (True, True)
    before = followed(first.own.__wrapped__)[1]
    first.NUMBER = 8
    assert followed(first.own.__wrapped__)[1] == before


def test_what_cannot_be_called_wraps_nothing() -> None:
    about = SimpleNamespace(__wrapped__=rule)
    assert followed(about, __name__) == ({}, [])
    assert _tells(about, __name__) is False
    wrapped = wraps(rule)(lambda: 1)
    wrapped.__module__ = "math"
    assert _tells(wrapped, __name__) is True


def unbound() -> Any:
    def inner() -> Any:
        return later, sooner

    sooner = 8
    if not sooner:
        later = 1
    return inner


def test_a_name_without_a_value_yet_is_none() -> None:
    assert list(_called(unbound(), "")) == [8]


def test_names_of_a_function_and_of_those_inside_are_looked_up(first: Any) -> None:
    own = first.own.__wrapped__
    assert {"NUMBER", "math", "second_of_a_test", "far", "sqrt"} <= _names(own.__code__)
    found = list(_called(own, ""))
    assert sys.modules["second_of_a_test"].far in found
    assert 7 in found
    assert rule not in found, "nothing of a module of engines"
    assert [m for m in found if isinstance(m, ModuleType)] == []
    assert _names(rule.__code__) == {"x"}


def test_what_says_something_is_a_plain_value_a_partial_one_or_ours() -> None:
    home = __name__
    for value in (1, "a", None, 0.5, Fraction(1, 2), (), (1, ("a",)), partial(len), rule):
        assert _tells(value, home) is True
    for value in ([1], {}, len, math_like, Path, (1, [2]), numbers, wraps(numbers)(lambda: 1)):
        assert _tells(value, home) is False
    assert _tells(rule, "other") == _ours(__name__, "other")
    assert _tells(wraps(rule)(lambda: 1), home) is True
    assert [_says_itself(v) for v in (1, (1, (2,)), (1, [2]), ([2], 1), [1], rule)] == [
        *(True, True, False, False, False, False)
    ]


math_like = object()


def test_the_module_of_a_function_is_where_it_is_written() -> None:
    assert _module_of(rule) == __name__
    assert _module_of(math_like) == ""
    nowhere = fun("a")
    nowhere.__module__ = None
    assert _module_of(nowhere) == ""


def test_ours_are_formulas_of_papers_and_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bounds", "bounds.generic", "mine", "mine.paper", "fedassay_user_12"):
        assert _ours(name, "") is True
    assert _ours("verify.statements.paper.one", "verify.statements.paper") is True
    for name in ("verify.claim", "synthetic.problem", "algorithms", "figures.a", "math", "os.path"):
        assert _ours(name, "") is False
        assert _ours(name, "mine") is False
    assert _ours("numpy.linalg", "") is False
    assert _installed("numpy") is True
    assert _installed("tests") is False
    assert _installed("nowhere_at_all") is False
    assert _installed("sys") is False
    monkeypatch.setattr(module, "_installed", lambda _: True)
    assert _ours("bounds.generic", "") is True
    assert _ours("mine.paper", "") is False


# -- texts -----------------------------------------------------------------------------------------


def test_a_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text("x = 1\n")
    os.utime(file, ns=(1, 1))
    one = _text(str(file))
    assert one == _said(b"x = 1")
    file.write_text("x = 2\n")
    os.utime(file, ns=(1, 1))
    assert _text(str(file)) == one, "neither its time nor its size is another"
    os.utime(file, ns=(2, 2))
    assert _text(str(file)) == _said(b"x = 2")
    file.write_text("x = 23\n")
    os.utime(file, ns=(2, 2))
    assert _text(str(file)) == _said(b"x = 23")


def test_what_was_typed_is_its_text_and_what_cannot_be_read_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "<typed in a test>"
    monkeypatch.setitem(linecache.cache, name, (7, None, ["x = 1\n", "y = 2\n"], name))
    assert _text(name) == _said(b"x = 1\ny = 2\n")
    assert _text("/nowhere/at/all.py") == "all.py"


def test_what_is_no_program_is_its_text() -> None:
    for text in (b"x = = 1", b"x = 1\0", b"\xff", b"x = 0x" + b"f" * 9999):
        assert _said(text) == hashlib.sha256(text).hexdigest()
    deep, limit = b"x" + b"+x" * 900, sys.getrecursionlimit()
    assert ast.parse(deep)
    sys.setrecursionlimit(800)
    try:
        found = _said(deep)
    finally:
        sys.setrecursionlimit(limit)
    assert found == hashlib.sha256(deep).hexdigest()
    assert _said(b"x=1") != hashlib.sha256(b"x=1").hexdigest()


def outline(text: str) -> str:
    return " ".join(_outline(ast.parse(text)))


def test_the_outline_of_a_program_is_its_tree() -> None:
    name = "Name .id 'x' ."
    assert outline("x = 1") == (
        f"Module .body Assign .targets {name} .value Constant .value 1 . . ."
    )
    assert outline("x; y").count("Expr") == 2
    assert outline("x = u'a'") == outline("x = 'a'")
    assert outline("'one'\nx") == outline("'two'\nx") == outline("x")
    assert outline("x\n'one'") != outline("x\n'two'")
    assert outline("1\nx") != outline("x")
    others = [f"if a:\n    b\nelse:\n    '{text}'\n    c" for text in ("one", "two")]
    assert outline(others[0]) != outline(others[1])
    inside = [
        "def f():\n    'says'\n    x",
        "def f():\n    x",
        "def f():\n    'says'\n    'a'\n    x",
    ]
    assert outline(inside[0]) == outline(inside[1]) != outline(inside[2])
    assert outline("x if 'a' else y") != outline("x if 'b' else y")
    assert outline("lambda: 'a'") != outline("lambda: 'b'")
    assert outline("f(None)") != outline("f()")
    body = "FunctionDef .name 'f' .args arguments . .body Pass . ."
    assert outline("def f(): pass") == f"Module .body {body} ."
    assert (
        outline("def f():\n    'a'")
        == "Module .body FunctionDef .name 'f' .args arguments . .body . ."
    )


def test_a_text_that_does_nothing_is_a_line_of_a_program() -> None:
    text, number, call = (ast.parse(one).body[0] for one in ("'a'", "1", "f('a')"))
    assigned: Any = ast.parse("x = 'a'").body[0]
    assert _is_text(text) is True
    for item in (number, call, assigned, assigned.value, "a", None):
        assert _is_text(item) is False
    inner: Any = text
    assert _is_text(inner.value) is False
    returned: Any = ast.parse("def f():\n    return 'a'").body[0]
    assert _is_text(returned.body[0]) is False
    assert module.FOLLOWED == "bounds"
