"""A LaTeX source becomes records that load, filled in only where the words say no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify import check
from verify.catalogue.user_file import Origin, load_statements
from verify.line.papers.claims import claims_of
from verify.line.papers.macros import expanded
from verify.line.papers.results import results
from verify.line.papers.stubs import stubs

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


LINES: dict[str, tuple[str, ...]] = {
    r"It holds $xy \le 1$ for all $x \in [0,1]$ and for all $y \in [0,1]$.": (
        r"xy \le 1 for x \in [0,1]; y \in [0,1]",
    ),
    r"Let $x,y\ge 0$. Then \[x\le y.\]": (r"x\le y for x, y\ge 0",),
    r"For all $x \ge 0$ we have $x \le 1$.": (r"x \le 1 for x \ge 0",),
    r"For all $x \ge 0$, $x^2 \ge 0$.": (r"x^2 \ge 0 for x \ge 0",),
    r"For every $x\in[0,1]$, \[ x^2 \le x. \]": (r"x^2 \le x for x\in[0,1]",),
    r"\[ x^2 \le x \] for all $x \in [0, 1]$.": (r"x^2 \le x for x \in [0, 1]",),
    r"If $x$ and $y$ are positive, then $x \le y$.": (r"x \le y for positive x; positive y",),
    r"Let $x \in \mathbb{R}^d$. Then $\|x\| \le 1$.": (r"\|x\| \le 1 for vectors x",),
    r"Suppose that $0<x\le 1$, $y \in \mathbb R$ and $x y \le 2$. Then $$ y \le x $$": (
        r"y \le x for 0<x\le 1; real y given x y \le 2",
    ),
    r"Let $x$ be positive and let $y$ be real. Then $x \le y$.": (
        r"x \le y for positive x; real y",
    ),
    r"Let $x \ge 0$. Then \[x \le 1\] and \[x \le 2\]": (
        r"x \le 1 for x \ge 0",
        r"x \le 2 for x \ge 0",
    ),
    r"Let $x \in \mathbb{R}$. Then $x^2 \ge x$ for $x \ge 1$.": (r"x^2 \ge x for real x; x \ge 1",),
    r"Let $n \ge 1$ and $x_1,\dots,x_n \ge 0$. Then $x_1 \le 1$.": (r"x_1 \le 1 for x_1 \ge 0",),
    # a chain is one claim for each of its steps
    r"Let $x \ge 0$. Then \begin{align} x &\le 1 \\ &\le x + 1, \\ x &\ge -1. \end{align}": (
        r"x \le 1 for x \ge 0",
        r"1 \le x + 1 for x \ge 0",
        r"x \ge -1 for x \ge 0",
    ),
    r"Let $x, y \ge 0$ with $x \le y$. Then $x^2 \le y^2$.": (
        r"x^2 \le y^2 for x, y \ge 0; x \le y",
    ),
    # a list is one claim for each of its items
    r"Let $x \ge 0$. Then: \begin{itemize}\item $x \le 1$; \item[(b)] $x \le 2$.\end{itemize}": (
        r"x \le 1 for x \ge 0",
        r"x \le 2 for x \ge 0",
    ),
    r"Suppose that \begin{itemize}\item $x\ge 0$, \item $y\le 0$.\end{itemize} Then $y \le x$.": (
        r"y \le x for x\ge 0; y\le 0",
    ),
    # what is not named is left out, but not a condition on what is
    r"Let $x \ge 0$ and $a > 0$. Then $x \le 1$.": (r"x \le 1 for x \ge 0",),
    r"Let $v_1,\dots,v_n \in \mathbb{R}^d$. Then $\|v_i+v_j\|^2 \le 2\|v_i\|^2+2\|v_j\|^2$.": (
        r"\|v_i+v_j\|^2 \le 2\|v_i\|^2+2\|v_j\|^2 for vectors v_i, v_j",
    ),
}


@each("text", LINES)
def test_plain_words_make_lines(text: str) -> None:
    found = claims_of(results(lemma(text))[0])
    assert [one.reason for one in found] == [""] * len(found)
    assert tuple(one.line for one in found) == LINES[text]


STOPPED = {
    r"Let $x$ be a small positive number. Then $x \le 1$.": "small",
    r"Let $x \ge 0$ be the step. Then $x \le 1$.": "step",
    r"Let $x \ge 0$. Then $x \le 1$ on average.": "on average",
    r"Then $x \le 1$.": "no words that say what its symbols are",
    r"Let $x$ be a positive integer. Then $x \ge 1$.": "both ends",
    r"Let $x \ge 0$. Then $x \le c$ for some $c \ge 0$.": "some",
    r"Let $x \ge 0$. Then $x \le c$, where $c$ is a constant.": "where",
    r"Let $x \ge 0$. Then there is a $c > 0$ such that $x \le c$.": "there",
    r"Let $x, y \in \mathbb{R}^d$ be orthogonal. Then $\|x\| \le \|x + y\|$.": "orthogonal",
    r"Let $x, y \ge 0$. Then $x \le 1$, and $y \le 2$ if $x \ge y$.": "behind one of several",
    r"Let $x \ge 0$. Then $x \le 1$. Here $x \le 1/2$.": "here",
    r"Let $x \ge 0$. Then $x \le 1$ if and only if $x \le 1$.": "only",
    r"Let $x \in \mathbb{R}^n$. Then $\|x\|^2 \le d$.": "d beside vectors",
    r"Let $x \in \mathbb{R}$. Then $x^2 \le x$ in $[0,1]$.": "$[0,1]$",
    r"Let $n$ and $x \ge 0$ be given. Then $n x \le n^2 x$.": "n, which may be a whole number",
    r"Let $x \in \mathbb{R}$. Then $x \le 1$ or $x \ge 1$.": "or",
    r"Under Assumption~\ref{a}, let $x \ge 0$. Then $x \le 1$.": "assumption",
    r"Let $x \ge 0$. Then $x \le 1$ for $x$ small.": "small",
    # a further claim within a condition, and cases: one was a hypothesis, the others accusations
    r"Suppose $0\le x\le 1$. Then $x^2\le x$ and, if moreover $x \geq 1/2$, also $x \le 2x^2$.": (
        "moreover also"
    ),
    r"Let $x\ge 0$. Then $x \le 1 + x^2$ if $x \le 1$ and $x \le x^2$ if $x \ge 1$.": (
        "a second 'if'"
    ),
    r"Let $x\ge 0$. Then $x \le 1$ for $x \le 1$ and $x \le x^2$ for $x \ge 1$.": "a second 'for'",
    r"Let $x \ge 0$. Then \[x \le \begin{cases} 1 & x \le 1 \\ x^2 & x > 1 \end{cases}\]": "cases",
    r"Let $x \ge 0$. Then \[x \le \left\{\begin{array}{ll} 1 & x \le 1 \\ x^2 & x \ge 1"
    r"\end{array}\right.\]": "array",
}


@each("text", STOPPED)
def test_words_that_say_more_stop_a_claim_and_are_told(text: str) -> None:
    found = claims_of(results(lemma(text))[0])
    assert found
    assert all(one.line == "" for one in found)
    assert STOPPED[text] in " ".join(one.reason for one in found)


OPEN = (
    r"Let $x \ge 0$. Then $f(x) \le x$.",
    r"Let $x, y \ge 0$. Then $x < y$.",
    r"Let $y \ge 1$ and $x \in \mathbb{N}$. Then $x \le y$.",
    r"Let $x \ge 0$. Then $\mathbb E x \le 1$.",
)


@each("text", OPEN)
def test_what_no_line_can_say_stays_open(text: str) -> None:
    made = stubs(lemma(text), "p", "p.tex")
    assert (made.filled, made.empty) == ((), ("p.lemma1",))
    assert "the line that was tried" in made.rows[0].reason
    assert made.rows[0].reason[:40] in made.text


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


NUMBERED = r"""
\newtheorem{theorem}{Theorem}[section]\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{definition}[theorem]{Definition}\newtheorem{corollary}{Corollary}[theorem]
\declaretheorem[name=Proposition, sibling=theorem]{propo}
\newtheorem{mainthm}{Main Theorem}\newtheorem*{lemma*}{Lemma}
\begin{document}
\section{A}\begin{definition}d\end{definition}\begin{lemma}l\end{lemma}
\begin{theorem}t\end{theorem}\begin{corollary}c\end{corollary}\begin{corollary}c\end{corollary}
\section{B}\begin{propo}p\end{propo}\begin{definition}d\end{definition}
\begin{restatable}[Name]{theorem}{again}t\end{restatable}\begin{corollary}c\end{corollary}
\begin{lemma*}l\end{lemma*}\begin{mainthm}m\end{mainthm}
\setcounter{theorem}{6}\begin{lemma}l\end{lemma}
\appendix\section{C}\begin{lemma}l\end{lemma}
\end{document}"""


def test_numbers_are_those_that_latex_gives() -> None:
    assert [one.place for one in results(NUMBERED)] == [
        *("Lemma 1.2", "Theorem 1.3", "Corollary 1.3.1", "Corollary 1.3.2", "Proposition 2.1"),
        *("Theorem 2.3", "Corollary 2.3.1", "Lemma", "Theorem 1", "Lemma 2.7", "Lemma A.1"),
    ]


MACROS = {
    r"\newcommand{\norm}[1]{\left\lVert#1\right\rVert}\norm x^2": r"\left\lVert x\right\rVert^2",
    r"\def\ip#1#2{\langle #1,#2\rangle}\ip{x}y": r"\langle x,y\rangle",
    r"\newcommand{\E}[2][i]{E_{#1}[#2]}\E{x}\E[j]y": r"E_{i}[x]E_{j}[y]",
    r"\DeclareMathOperator*{\am}{arg\,min}\am_x": r"\operatorname{arg\,min}_x",
    r"\DeclarePairedDelimiter\abs{|}{|}\abs*{x}\abs[\big]{y}": r"|x||y|",
    r"\let\eps\varepsilon\eps x": r"\varepsilon x",
    r"\newcommand{\w}{w}\newcommand{\f}{\w^*}\f+1": r"w^*+1",
    r"\providecommand{\a}{1}\providecommand{\a}{2}\renewcommand\b{3}\a\b": "13",
    r"\def\pair<#1|#2>{#2#1}\pair<x|y>": "yx",
}


@each("source", MACROS)
def test_macros_are_written_out_as_tex_does(source: str) -> None:
    assert expanded(source) == MACROS[source]


REFUSED = {
    r"\begin{lemma} $x$": "without its end",
    "nothing": "environments theorem",
    r"\newcommand{\x}{\x\x}\begin{lemma}\x\end{lemma}": "macros that end",
    r"\newcommand{\x}{ \begin{lemma}\x\end{lemma}": "every brace",
    "\\begin{lemma}\n\0\\end{lemma}": "NUL byte in line 2",
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
