"""Small parts of the grammar: signs with their places, where a reading stands, what is refused."""

from __future__ import annotations

import ast
from math import inf, isnan
from types import SimpleNamespace
from typing import Any

import pytest

from verify.line.grammar.build import (
    binds,
    called,
    constant,
    grouped,
    indexed_by,
    join_factors,
    names_in,
    number,
    placed,
)
from verify.line.grammar.cursor import Cursor
from verify.line.grammar.names import Symbols
from verify.line.grammar.refused import (
    LONGEST,
    Edit,
    NotRead,
    not_read,
    shown_in,
    two_readings,
)
from verify.line.grammar.tokens import Token, kind_of, tokens


def tree(text: str) -> Any:
    return ast.parse(text, mode="eval").body


# -- pieces of syntax trees ------------------------------------------------------------------------


def place(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def test_a_node_has_its_place_in_the_line() -> None:
    node = ast.Name("x")
    assert placed(node, 3, 5) is node
    assert place(node) == (1, 1, 3, 5)
    assert ast.unparse(called("f", tree("a"), tree("2"))) == "f(a, 2)"
    assert ast.unparse(called("f")) == "f()"
    assert (len(called("f", tree("a")).args), called("f", tree("a")).keywords) == (1, [])
    for text, value in (("12", 12), ("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0)):
        assert (number(text), type(number(text))) == (value, type(value))


def test_factors_are_joined_from_left_to_right() -> None:
    nodes = [placed(ast.Name(name), 2 * k + 4, 2 * k + 5) for k, name in enumerate("abc")]
    found: Any = join_factors([("", nodes[0]), ("/", nodes[1]), ("*", nodes[2])])
    assert ast.unparse(found) == "a / b * c"
    assert place(found) == (1, 1, 4, 9)
    assert place(found.left) == (1, 1, 4, 7)
    assert join_factors([("/", nodes[0])]) is nodes[0]
    bare: Any = ast.Name("d")
    bare.end_col_offset = None
    assert place(join_factors([("", nodes[1]), ("*", bare)])) == (1, 1, 6, 6)


def test_names_are_symbols_and_indices_and_no_functions() -> None:
    assert names_in(tree("f(x[i]) + f*y")) == {"x", "i", "f", "y"}
    assert names_in(tree("sum_i(x[i])")) == {"x", "i"}
    assert names_in(tree("2")) == set()


def test_an_index_is_bound_by_a_sum_or_an_extreme_over_it() -> None:
    for text in ("sum_i(x)", "max_i(x)", "mean_i(1)", "prod_i(x)", "min_i(x)"):
        assert binds(tree(text), "i") is True
    for text in ("sum_j(x)", "f_i(x)", "sum(x)", "x[i]", "x", "f(x)(y)"):
        assert binds(tree(text), "i") is False
    for text, found in (
        ("x[i]", True),
        ("x[j, i]", True),
        ("2*x[i] + 1", True),
        ("x[j]", False),
        ("i[x]", False),
        ("i", False),
        ("sum_i(x[i])", False),
        ("sum_j(x[i]*y[j])", True),
        ("y[i] + sum_i(x[i])", True),
    ):
        assert indexed_by(tree(text), "i") is found


def test_a_formula_without_symbols_is_a_number() -> None:
    for text, value in {
        "3": 3.0,
        "-3": -3.0,
        "+3": 3.0,
        "2 + 3": 5.0,
        "2 - 3": -1.0,
        "2*3": 6.0,
        "3/2": 1.5,
        "2**3": 8.0,
        "2**(-1)": 0.5,
        "1/0": inf,
        "0**(-1)": inf,
        "10.0**400": inf,
        "1e299": 1e299,
        "1e300": inf,
        "-1e300": -inf,
        "1" + "0" * 400: inf,
        "x": None,
        "-x": None,
        "2*x": None,
        "x + 2": None,
        "'a'": None,
        "f(2)": None,
    }.items():
        assert constant(tree(text)) == value
    assert type(constant(tree("3"))) is float
    assert isnan(constant(tree("(-8)**0.5")))  # type: ignore[arg-type]


def test_a_text_is_put_in_brackets_unless_it_is_one_piece() -> None:
    for text, wanted in (
        ("x", "x"),
        ("x_1", "x_1"),
        ("1.5", "1.5"),
        ("a + b", "(a + b)"),
        ("(a + b)", "(a + b)"),
        ("(a", "((a)"),
        ("a)", "(a))"),
        ("", "()"),
    ):
        assert grouped(text) == wanted


# -- signs -----------------------------------------------------------------------------------------


def signs(text: str, start: int = 0) -> list[tuple[str, str]]:
    found = tokens(text, start)
    assert (found[-1].kind, found[-1].text) == ("end", "")
    return [(one.kind, one.text) for one in found[:-1]]


def test_signs_are_of_four_kinds() -> None:
    assert signs(r"\frac{x1}{2.5}") == [
        ("command", r"\frac"),
        ("sign", "{"),
        ("word", "x1"),
        ("sign", "}"),
        ("sign", "{"),
        ("number", "2.5"),
        ("sign", "}"),
    ]
    assert signs("x**2<=.5e-3") == [
        ("word", "x"),
        ("sign", "**"),
        ("number", "2"),
        ("sign", "<="),
        ("number", ".5e-3"),
    ]
    assert [kind for kind, _ in signs("2x α ||")] == ["number", "word", "word", "sign"]
    assert signs("2e") == [("number", "2"), ("word", "e")]
    assert signs("~x~") == [("word", "x")]
    assert signs("xleft") == [("word", "xleft")]
    assert Token("word", "a", 0, 1) == Token("word", "a", 0, 1, False, "")
    assert Token("word", "a", 0, 1).spaced is False
    assert (kind_of("12a"), kind_of("a12")) == ("number", "word")


def test_signs_have_their_places_blanks_and_sides() -> None:
    found = tokens(r"a  \left( b", 10)
    assert found == [
        Token("word", "a", 10, 11, False, ""),
        Token("sign", "(", 18, 19, True, "left"),
        Token("word", "b", 20, 21, True, ""),
        Token("end", "", 21, 21, True, ""),
    ]
    sides = [(one.text, one.side) for one in tokens(r"\bigl( x \biggr) | \middle| y \Big)", 0)]
    assert sides[:-1] == [
        *(("(", "left"), ("x", ""), (")", "right"), ("|", ""), ("|", ""), ("y", ""), (")", "")),
    ]
    for size in ("left", "bigl", "Bigl", "biggl", "Biggl"):
        assert tokens(rf"\{size}(", 0)[0].side == "left"
    for size in ("right", "bigr", "Bigr", "biggr", "Biggr"):
        assert tokens(rf"\{size})", 0)[0].side == "right"
    for size in ("middle", "big", "Big", "bigg", "Bigg"):
        assert tokens(rf"\{size}|", 0)[0] == Token("sign", "|", len(size) + 1, len(size) + 2, True)
    assert [one.spaced for one in tokens("ab c", 0)] == [False, True, True]
    assert [one.spaced for one in tokens(" a~b", 0)] == [True, True, True]
    assert [one.spaced for one in tokens("a(b", 5)] == [False, False, False, True]


# -- where a reading stands ------------------------------------------------------------------------


def cursor(text: str = "a + b", start: int = 0) -> Cursor:
    return Cursor(text, start, Symbols(plain=True))


def test_tokens_are_taken_one_after_the_other() -> None:
    own = cursor(start=4)
    assert (own.text, own.start, own.at) == ("a + b", 4, 0)
    assert (own.closers, own.running, own.open_sums) == ([], [], [])
    assert own.past() == 4
    assert (own.token.text, own.ahead().text, own.ahead(2).text) == ("a", "+", "b")
    assert own.ahead(9).kind == "end"
    assert own.take().text == "a"
    assert own.past() == 5
    assert own.takes("-", "*") is False
    assert own.takes("-", "+") is True
    assert (own.at, own.token.text, own.past()) == (2, "b", 7)
    own.take()
    assert own.takes("") is False
    assert [own.take().kind for _ in range(3)] == ["end"] * 3
    assert own.token.kind == "end"


def test_a_token_stands_where_it_stands_in_the_list() -> None:
    own = cursor("a a a a a a")
    for at in range(6):
        assert own.begins(own.tokens[at]) == (at if at < 3 else 0)
    assert own.begins(own.tokens[6]) == 0
    own.at = 2
    assert [own.begins(own.tokens[k]) for k in range(6)] == [0, 1, 2, 3, 4, 2]
    own.at = 6
    assert own.begins(own.tokens[6]) == 6
    other = Token("word", "a", 0, 1)
    assert own.begins(other) == 6


def test_the_source_is_what_stands_between_two_places() -> None:
    own = cursor(r"a + \left( b \bigr)", 10)
    assert own.source(10, 14) == "a +"
    assert own.source(14, 29) == "( b )"
    assert own.source(12, 13) == "+"


def test_an_open_bracket_is_refused_at_its_place() -> None:
    own = cursor("(a + b", 10)
    opened = own.take()
    for _ in range(3):
        own.take()
    with pytest.raises(NotRead) as error:
        own.expect(")", opened)
    assert str(error.value) == (
        "claim must be a formula at character 11 ('(a + b'), got ( without its ): "
        "close every bracket."
    )
    own = cursor("a)", 10)
    opened = own.take()
    own.expect(")", opened)
    assert own.at == 2


def test_what_is_refused_is_shown_without_blanks_behind_it() -> None:
    own = cursor("a   + b", 10)
    edit = Edit(1, 2, "x")
    one = own.wrong(10, 13, "c", "f", "r", edit)
    assert (one.shown, one.start, one.end, one.edits) == ("a", 10, 11, (edit,))
    assert (one.condition, one.found, one.remedy) == ("c", "f", "r")
    assert own.wrong(11, 12, "c", "f", "r").shown == " "
    assert own.wrong(14, 14, "c", "f", "r").shown == "+"
    assert own.wrong(14, 17, "c", "f", "r").shown == "+ b"
    two = own.two(10, 13, "x", "y")
    assert (two.shown, two.start, two.end) == ("a", 10, 11)
    assert [(e.start, e.end, e.text) for e in two.edits] == [(10, 11, "x"), (10, 11, "y")]


# -- refusals --------------------------------------------------------------------------------------


def test_a_refusal_is_a_sentence_with_its_piece() -> None:
    one = not_read("a + b", 3, "c", "f", "r", Edit(1, 2, "x"))
    assert (one.start, one.end, one.shown, one.edits) == (3, 8, "a + b", (Edit(1, 2, "x"),))
    assert str(one) == "claim must be c at character 4 ('a + b'), got f: r."
    assert (one.proposals, one.marked, one.function) == ((), "", "")
    assert LONGEST == 60
    long = not_read("x" * 61, 0, "c", "f", "r")
    assert f"({'x' * 57 + '...'!r})" in str(long)
    assert f"({'x' * 60!r})" in str(not_read("x" * 60, 0, "c", "f", "r"))
    two = two_readings("ab", 5, "a*b", "a_b")
    assert str(two) == (
        "claim must be of one meaning at character 6 ('ab'), got what some read as a*b and others "
        "as a_b: write the one that is meant."
    )
    assert two.edits == (Edit(5, 7, "a*b"), Edit(5, 7, "a_b"))


def line(text: str, typed: str, shift: int = 0) -> Any:
    return SimpleNamespace(text=text, typed=typed, typed_span=lambda a, b: (a + shift, b + shift))


def test_places_count_characters_as_they_were_typed() -> None:
    one = not_read("b", 4, "c", "f", "r", Edit(4, 5, "  q"), Edit(0, 1, "z"))
    one.within(line("a + b <= 1", "xx a +\tb\n<= 1", 3))
    assert (one.start, one.end, one.shown) == (7, 8, "b")
    assert str(one) == "claim must be c at character 8 ('b'), got f: r."
    assert one.proposals == ("a + q <= 1", "z + b <= 1")
    drawn = "  xx a + b <= 1\n         ^"
    assert one.marked == f"{drawn}\n  write: a + q <= 1\n  write: z + b <= 1"
    assert one.__notes__ == [one.marked]
    one.propose(["only"])
    assert (one.proposals, one.marked) == (("only",), f"{drawn}\n  write: only")
    assert one.__notes__ == [one.marked]
    other = not_read("beta", 0, "c", "f", "r")
    other.within(line("beta*x", "b  c * x"))
    assert other.shown == "b c"
    beyond = not_read("beta", 0, "c", "f", "r")
    beyond.within(line("beta*x", "", 3))
    assert beyond.shown == "beta"
    empty = not_read("", 10, "c", "f", "r")
    empty.within(line("a + b <= 1", "a + b <= 1"))
    assert (empty.start, empty.end, empty.shown) == (10, 11, "")
    assert empty.marked.endswith("\n" + " " * 12 + "^")
    wide = not_read("+ b", 2, "c", "f", "r")
    wide.within(line("a + b <= 1", "a + b <= 1"))
    assert wide.marked.endswith("\n    ^^^")
    wide.within(line("a + b", "a +"))
    assert wide.marked.endswith("\n    ^")


def test_refusals_inside_a_line_are_shown_in_it_once() -> None:
    one = not_read("b", 4, "c", "f", "r")
    for shift in (3, 5):
        with pytest.raises(NotRead) as error, shown_in(line("a + b", "123456789", shift)):
            raise one
        assert error.value is one
        assert one.start == 7
    with shown_in(line("", "")):
        pass
    with pytest.raises(KeyError), shown_in(line("", "")):
        raise KeyError
