"""A line makes terms by itself; the file that is printed from them says the same again."""

from __future__ import annotations

import builtins
import linecache
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from tests.each import each
from tests.verify.cases import leaf_of
from tests.verify.line.test_line import VERDICTS
from tests.verify.line.test_typed import TYPED
from verify.claim.statement import Statement
from verify.line import module_text, one_line
from verify.terms.claims import terms_of
from verify.terms.digest import statement_digest
from verify.terms.direct import python

BINDING = (
    "E(x**2*N) <= sum_i y[i]*E(x*y[i]) for x ~ coin(p), p in [0, 1], y in [0, 1]",
    "E((x - y)**2) >= E(x*E(y)) for x ~ uniform(0, 1), y ~ uniform(a, a + 1), a in R",
    "P(x > y) <= p for x ~ coin(p), y ~ two_point(0, 1/2, 1/3), p in [0, 1]",
    r"\sum_{k=1}^n \sum_{l=1}^k x^l/k \le n for integer n in [1, 4], x in [0, 1]",
    r"\prod_{k=1}^n (1 + x*k) \ge 1 + n*x for integer n in [1, 3], x >= 0",
    r"\sum_{k=0}^n \binom{n}{k} x^k \le (1 + x)^n for integer n in [1, 3], x >= 0",
    "sum_i x[i]**n <= 2**(n/2) for integer n in [1, 3], x in [0, 1]",
    "(sum_i p[i]*x[i])**2 <= sum_i p[i]*x[i]**2 for p >= 0, real x given sum_i p[i] = 1",
    "0.1*x <= -2/3 + y for x in [0, 1/3], y >= 0.5 given x + y == 1",
)
LINES = [*dict.fromkeys([*BINDING, *VERDICTS, *(one.line for one in TYPED)])]
_NAMES = count()


def read_again(line: str) -> Statement:
    """The statement of the file that is printed for a line."""
    text = module_text(line)
    file = f"<printed {next(_NAMES)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": "printed_line"}
    exec(compile(text, file, "exec"), space)
    made: Statement = space["claim"]
    return made


@each("line", LINES)
def test_the_printed_file_has_the_digest_of_the_line(line: str) -> None:
    made, again = one_line(line), read_again(line)
    assert terms_of(made) is not None
    assert statement_digest(again) == statement_digest(made)
    assert again.latex == made.latex
    assert [(h.name, h.latex) for h in again.given] == [(h.name, h.latex) for h in made.given]


def swapped(tree: Callable[..., Any]) -> Callable[..., Any]:
    """A printer that turns differences and quotients round."""

    def printed(term: Any) -> Any:
        found = tree(term)
        if term.data in ("-", "/"):
            found.left, found.right = found.right, found.left
        return found

    return printed


def test_a_printer_that_turns_a_difference_round_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "x - y <= x/2 for x, y >= 0"
    rules = {**python._RULES, "operator": swapped(python._RULES["operator"])}
    monkeypatch.setattr(python, "_RULES", rules)
    assert statement_digest(read_again(line)) != statement_digest(one_line(line))


def test_no_text_is_run_for_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("a text is run")

    monkeypatch.setattr(builtins, "exec", refused)
    monkeypatch.setattr(builtins, "compile", refused)
    made = one_line("7*x*y <= (x + y)**2 + 0.125 for x, y >= 0")
    assert terms_of(made) is not None


BOUND = [
    (BINDING[0], "E(u**2*N) <= sum_j y[j]*E(u*y[j]) for u ~ coin(p), p in [0, 1], y in [0, 1]"),
    (BINDING[3], BINDING[3].replace("k", "m").replace("l=", "q=").replace("^l", "^q")),
    ("max_i x[i] <= sum_i abs(x[i])", "max_k x[k] <= sum_j abs(x[j])"),
]


@each("number", range(len(BOUND)))
def test_letters_that_are_bound_mean_nothing(number: int) -> None:
    first, second = (terms_of(one_line(line)) for line in BOUND[number])
    assert first is not None
    assert second is not None
    for one, other in zip(first.claims, second.claims, strict=True):
        assert [*one.left.values()] == [*other.left.values()]
        assert [*one.right.values()] == [*other.right.values()]


ROOTS = {
    "2**(1/2) <= x for x in [2, 9]": ("holds", "proved"),
    "2**(1/2) <= x for x in [1, 9]": ("violated",),
    "x**n <= 2**(n/2) for integer n in [1, 2], x in [0, 1]": ("holds", "proved"),
    "x**n <= 2**(n/2) for integer n in [1, 2], x in [0, 2]": ("violated",),
}


@each("line", ROOTS)
def test_a_power_of_whole_numbers_that_is_not_whole_has_a_value(line: str) -> None:
    """It was printed as ``w.array(w.array)(w.array(2))``, which is no number."""
    assert leaf_of(line).verdict in ROOTS[line]
