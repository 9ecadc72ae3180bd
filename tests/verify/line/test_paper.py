"""A LaTeX source becomes records that load, filled in only where the words say no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify import check
from verify.catalogue.user_file import Origin, load_statements
from verify.line.papers.results import results
from verify.line.papers.stubs import line_of, stubs

SMALL = Path(__file__).parent / "data" / "small.tex"

Call = Callable[..., tuple[int, str, str]]

EXPECTED = {
    "small.assumption1": ("Assumption 1 (ass:smooth)", "Smoothness", "not-checkable"),
    "small.lemma2_1": ("Lemma 2.1 (lem:young)", "Young", "proved"),
    "small.lemma2_2": ("Lemma 2.2 (lem:five)", "", "violated"),
    "small.proposition2_3": ("Proposition 2.3", "Two vectors", "proved"),
    "small.lemma2_4": ("Lemma 2.4", "Short steps", "proved"),
    "small.theorem2_5": ("Theorem 2.5 (thm:descent)", "Descent", "not-checkable"),
    "small.corollary1": ("Corollary 1", "", "proved"),
    "small.theorem_unnumbered": ("Theorem", "", "not-checkable"),
}


def test_a_source_becomes_a_file_that_loads_and_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Call
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = fedassay("new", "--from-tex", SMALL)
    assert (code, err) == (0, "")
    assert "small.py: 8 records, 5 filled in, 3 to be filled in" in out
    known = load_statements(Origin.of(Path("small.py")))
    leaves = {leaf.key: leaf for entry in known for leaf in entry.leaves}
    found = {
        key: (leaf.source.where, leaf.title, check(leaf).verdict) for key, leaf in leaves.items()
    }
    assert found == EXPECTED
    assert leaves["small.lemma2_1"].latex == r"4xy \le (x+y)^2"
    assert leaves["small.theorem2_5"].note.startswith("Suppose Assumption")
    assert r"\eta \le 1/L" in leaves["small.theorem2_5"].note
    assert [item.name for item in leaves["small.lemma2_4"].given] == ["mu <= L", "eta * L <= 1"]
    assert fedassay("new", "--from-tex", SMALL)[0] == 2  # nothing is written over


def lemma(text: str) -> str:
    return rf"\newtheorem{{lemma}}{{Lemma}}\begin{{lemma}}{text}\end{{lemma}}"


LINES = {
    r"Let $x,y\ge 0$. Then \[x\le y.\]": r"x\le y for x,y\ge 0",
    r"For all $x \ge 0$ we have $x \le 1$.": None,  # two relations: which one is claimed?
    r"If $x$ and $y$ are positive, then $x \le y$.": r"x \le y for positive x, positive y",
    r"Let $x \in \mathbb{R}^d$. Then $\|x\| \le 1$.": r"\|x\| \le 1 for vectors x",
    r"Suppose that $0<x\le 1$, $y \in \mathbb R$ and $x y \le 2$. Then $$ y \le x $$": (
        r"y \le x for 0<x\le 1, real y given x y \le 2"
    ),
    r"Let $x$ be a small positive number. Then $x \le 1$.": None,
    r"Let $x$ be positive and let $y$ be real. Then $x \le y$.": None,
    r"Let $x \ge 0$ be the step. Then $x \le 1$.": None,
    r"Let $x \ge 0$. Then $x \le 1$ on average.": None,
    r"Then $x \le 1$.": None,
    r"Let $x \ge 0$. Then \[x \le 1\] and \[x \le 2\]": None,
    r"Let $x \ge 0$. Then there is a $c$ with $x \le c$.": None,
}


@each("text", LINES)
def test_only_plain_words_make_a_line(text: str) -> None:
    assert line_of(results(lemma(text))[0]) == LINES[text]


OPEN = (
    r"Let $x \ge 0$. Then $f(x) \le x$.",
    r"Let $x, y \ge 0$. Then $x < y$.",
    r"Let $n \ge 1$ and $x \in \mathbb{N}$. Then $x \le n$.",
    r"Let $x \ge 0$. Then $x \le y \le 2x$.",
    r"Let $x \ge 0$. Then $\mathbb E x \le 1$.",
)


@each("text", OPEN)
def test_what_no_line_can_say_stays_open(text: str) -> None:
    made = stubs(lemma(text), "p", "p.tex")
    assert (made.filled, made.empty) == ((), ("p.lemma1",))


def test_macros_numbers_and_comments() -> None:
    source = r"""
    \newcommand{\sq}[2]{#1^{2} + #2^2} \newcommand\one{1}
    \newtheorem{thm}{Theorem}[section]\newtheorem{prop}[thm]{Proposition}
    \newtheorem{claim}{Claim}
    \begin{document}
    \section{A}\begin{thm}[B \textbf{[c]}]\label{t}\[ \sq{x}{y} \ge \one \]\end{thm}
    \section*{without number}
    \begin{claim}$1 \le 0$\end{claim} % \begin{thm}no\end{thm}
    \section{D}\begin{prop}$a$\end{prop}\begin{thm}$b$\end{thm}
    \end{document}"""
    found = results(source)
    assert [one.place for one in found] == ["Theorem 1.1 (t)", "Proposition 2.1", "Theorem 2.2"]
    assert found[0].title == r"B \textbf{[c]}"
    assert found[0].displays == (r"x^{2} + y^2 \ge 1",)


REFUSED = {
    r"\begin{lemma} $x$": "without its end",
    "nothing": "environments theorem",
    r"\newcommand{\x}{\x\x}\begin{lemma}\x\end{lemma}": "macros that end",
    r"\newcommand{\x}{ \begin{lemma}\x\end{lemma}": "every brace",
}


@each("source", REFUSED)
def test_refusals(source: str) -> None:
    with pytest.raises(InvalidInput, match=REFUSED[source]):
        stubs(source, "p", "p.tex")


def test_what_is_no_source_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Call
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("binary.tex").write_bytes(b"\xff\xfe\x00")
    for name, said in (("none.tex", "an existing .tex file"), ("binary.tex", "UTF-8")):
        code, out, err = fedassay("new", "--from-tex", name)
        assert (code, out) == (2, "")
        assert said in err
    assert fedassay("new")[0] == 2
