"""What could be read in two ways: each construct is decided, read in one way or refused with both.

A construct is read only where mathematicians agree on it; the decisions stand here, one a row.
"""

from __future__ import annotations

import ast

import pytest

from tests.each import each
from verify.line import one_line
from verify.line.grammar.refused import NotRead
from verify.line.parts import pieces

XY = " <= 1 for x, y > 0"

READ = {
    # signs and powers
    f"-x^2{XY}; y": "-x**2",
    "2^-x <= 1": "2**(-x)",
    "x**y**2 <= 1 for x, y > 0": "x**(y**2)",
    "x^2y <= 1 for x, y": "x**2*y",
    "x^2(1-x) <= 1 for x in [0, 1]": "x**2*(1 - x)",
    r"x^n(1-x) \le 1 for x in [0, 1], integer n in [1, 3]": "x**n*(1 - x)",
    "x^2/2 <= 1": "x**2/2",
    "e^{2x} <= 1": "exp(2*x)",
    r"\|x^*\| \le 1 for vector x_star": "norm(x_star)",
    r"\|x\|^2_2 \le 1 for vector x": "norm(x)**2",
    "2n! <= 1 for integer n in [1, 3]": "2*factorial(n)",
    # products and slashes
    "a/b*c <= 1 for a, b, c > 0": "a/b*c",
    "a/b/c <= 1 for a, b, c > 0": "a/b/c",
    r"\frac12 x \le 1": "1/2*x",
    "1/2 ||x||^2 <= 1 for vector x": "1/2*norm(x)**2",
    "1/2 E[x^2] <= 1 for x ~ coin(p), p in [0, 1]": "1/2*E(x**2)",
    "1/(2x) <= 1": "1/(2*x)",
    "xyz <= 1 for x, y, z": "x*y*z",
    "xyz <= 1 for xy, z": "xy*z",
    "muL <= 1 for mu, L": "mu*L",
    "n(n+1)/2 <= 1 for integer n in [1, 3]": "n*(n + 1)/2",
    "L(x-y) <= 1 for L >= 0, x, y": "L*(x - y)",
    r"\sqrt x y \le 1": "sqrt(x)*y",
    # functions
    "log x + y <= 1 for x > 0, y": "log(x) + y",
    r"\log x^2 \le 1": "log(x**2)",
    r"\sin x \cos y \le 1": "sin(x)*cos(y)",
    r"x \log y \le 1": "x*log(y)",
    "log(x)^2 <= 1": "log(x)**2",
    r"\log(x)y \le 1": "log(x)*y",
    "min(x,y)z <= 1": "min(x, y)*z",
    # sums and means
    r"\max_i x_i y_i \le 1": "max_i(x[i]*y[i])",
    r"\max_i x_i + y \le 1": "max_i(x[i]) + y",
    r"\sum_i x_i y \le 1": "sum_i(x[i]*y)",
    r"\sum_i x_i / \sum_i y_i \le 1": "sum_i(x[i])/sum_i(y[i])",
    r"\sum_i x_i \sum_i y_i \le 1": "sum_i(x[i])*sum_i(y[i])",
    r"\sum_i (x_i - y)^2 \le 1": "sum_i((x[i] - y)**2)",
    r"\sum_i p_ix_i \le 1": "sum_i(p[i]*x[i])",
    r"\sum_{i,j} a_{ij} \le 1": "sum_j(sum_i(a[i, j]))",
    "E x^2 <= 1 for x ~ coin(p), p in [0, 1]": "E(x**2)",
    "E[x]^2 <= 1 for x ~ coin(p), p in [0, 1]": "E(x)**2",
    "E x - p <= 1 for x ~ coin(p), p in [0, 1]": "E(x) - p",
    "E[X Y] <= 1 for X ~ N(0, 1); Y ~ N(0, 1)": "0",
    "E[x^3] <= 1 for x ~ N(0, s), s >= 0": "0**3",
    r"\sum_i (x_i - \bar x) \le 1 for real x, x_bar": "sum_i(x[i] - x_bar)",
    r"\sum_i p_i x_i \le 1 where p_i \ge 0 for all i": "sum_i(p[i]*x[i])",
    r"\sum_i x_i \le 1 for x_i \ge 0, i = 1,\dots,n": "sum_i(x[i])",
    r"\sum_i x_i \le 1 for all i = 1, ..., n": "sum_i(x[i])",
    # bars
    "|x||y| <= 1": "abs(x)*abs(y)",
    "|x|y|z| <= 1": "abs(x)*y*abs(z)",
    "|x - |y|| <= 1": "abs(x - abs(y))",
    "||x| - |y|| <= 1": "abs(abs(x) - abs(y))",
    "||x|| ||y|| <= 1 for vectors x, y": "norm(x)*norm(y)",
    "x^T x <= 1 for vector x": "dot(x, x)",
    "x^T <= 1 for x > 0, T > 0": "x**T",
    "2<x,y> <= 1 for vectors x, y": "2*dot(x, y)",
    "norm(x) <= 1 for vectors x, y given <x, y> = 0, norm(y) <= 1": "norm(x)",
    r"norm(x) \le 1 for vectors x, y given \langle x, y \rangle = 0": "norm(x)",
    # signs of editors
    "x₁² + x₂ ≤ 1": "x_1**2 + x_2",
    "xₙ¹⁰ ≤ 1": "x_n**10",
    "x⁻¹ ≤ 1 for x ≥ 1": "x**(-1)",
    "xᵀy ≤ 1 for x, y ∈ ℝᵈ": "dot(x, y)",
    "¼x + 1⁄2 ≤ 1": "1/4*x + 1/2",
    "x̄ + ŷ ≤ 1": "x_bar + y_hat",
    "𝑥² ≤ 1": "x**2",
    "√x ≤ 1": "sqrt(x)",
    # conditions first
    "x ∈ [0, 1]: x ≤ 1": "x",
    "x ~ coin(1/2): E[x] ≤ 1": "E(x)",
}


@each("line", READ)
def test_a_construct_with_one_reading_is_read(line: str) -> None:
    plain = ast.unparse(ast.parse(READ[line], mode="eval").body)
    assert ast.unparse(pieces(line).claim.left) == plain


TWO = {
    # a slash before a product
    "1/2x <= 1": ("(1/2)*x", "1/(2*x)"),
    "a/bc <= 1 for a, b, c > 0": ("a/b*c", "a/(b*c)"),
    "1/2(x+y) <= 1": ("1/2*(x + y)", "1/(2*(x + y))"),
    "1/L ||x||^2 <= 1 for vector x, L > 0": ("1/L*norm(x)**2", "1/(L*norm(x)**2)"),
    # how far an exponent goes
    "2^xy <= 1": ("2**(x*y)", "2**x*y"),
    "x^y^2 <= 1 for x, y > 0": ("x**(y**2)", "(x**y)**2"),
    "x^2n <= 1 for x >= 0, integer n in [1, 3]": ("x**(2*n)", "x**2*n"),
    "2^2n <= 1 for integer n in [1, 3]": ("2**(2*n)", "2**2*n"),
    "x^n(1-x) <= 1 for x in [0, 1], integer n in [1, 3]": ("x**(n*(1 - x))", "x**n*(1 - x)"),
    "x^1/2 <= 1": ("x**(1/2)", "x/2"),
    "x**1/2 <= 1": ("x**(1/2)", "x/2"),
    r"x^10 \le 1": ("x**10", "x**1*0"),
    "x^{(t)} <= 1": ("x_t", "x**t"),
    # how far the argument of a function goes
    r"\log x y \le 1 for x, y > 0": ("log(x)*y", "log(x*y)"),
    r"\log x/2 \le 1": ("log(x)/2", "log(x/2)"),
    r"\sin 2x y \le 1": ("sin(2*x)*y", "sin(2*x*y)"),
    r"\log (1+x)^2 \le 1": ("log(1 + x)**2", "log((1 + x)**2)"),
    r"\log(x)(y+1) \le 1": ("log(x)*(y + 1)", "log(x*(y + 1))"),
    "sqrt x y <= 1 for x, y >= 0": ("sqrt(x)*y", "sqrt(x*y)"),
    "sinx <= 1": ("sin(x)", "sinx"),
    "√2x ≤ 1 for x >= 0": ("sqrt(2)*x", "sqrt(2*x)"),
    "√x² ≤ 1 for x >= 0": ("sqrt(x)**2", "sqrt(x**2)"),
    # the sign of factors
    r"\log xy \le x + y - 2": ("log(x*y)", "log(x*y)"),
    "(x*y)^{1/2} <= x": ("(x*y)**(1/2)", "(x*y)**(1/2)"),
    # how far a mean, an extreme or a product goes
    "E x y <= 1 for x ~ coin(p), p in [0, 1], y": ("E(x)*y", "E(x*y)"),
    "E(x-p)^2 <= 1 for x ~ coin(p), p in [0, 1]": ("E(x - p)**2", "E((x - p)**2)"),
    r"\max_i x_i y \le 1": ("max_i(x[i])*y", "max_i(x[i]*y)"),
    "sum_i(x_i - y)^2 <= 1": ("sum_i(x[i] - y)**2", "sum_i((x[i] - y)**2)"),
    r"\prod_{k=1}^n k x \le 1 for integer n in [1, 3], x": (
        "prod_k(k, 1, n)*x",
        "prod_k(k*x, 1, n)",
    ),
    r"1/\sum_i x_i y \le 1": ("1/sum_i(x[i])*y", "1/sum_i(x[i]*y)"),
    r"\log \sum_i x_i y \le 1": ("log(sum_i(x[i]))*y", "log(sum_i(x[i]*y))"),
    # names
    "lr*L <= 1": ("l*r*L", "lr*L"),
    "x 2 <= 1": ("x*2", "x**2"),
    "x2 + x <= 1": ("x_2 + x", "x**2 + x"),
    "n^2 <= 1 for n >= 1": ("n**2", "n**2"),
}


@each("line", TWO)
def test_a_construct_with_two_readings_is_refused_with_both(line: str) -> None:
    with pytest.raises(NotRead) as caught:
        pieces(line)
    read = [ast.unparse(pieces(one).claim.left) for one in caught.value.proposals]
    assert read == [ast.unparse(ast.parse(one, mode="eval").body) for one in TWO[line]]


DOMAINS = {
    "log x <= x - 1": ("x > 0", ""),
    "sqrt(x) <= 1 + x": ("x >= 0", ""),
    "log(1 + x) <= x": ("real x", "1 + x > 0"),
    "sqrt(x - 1) <= x/2 for x >= 0": ("x >= 0", ""),
    "sqrt(x^2 + y^2) <= |x| + |y|": ("real x, y", ""),
    "log(x) + log(y) <= x + y - 2": ("x, y > 0", ""),
}
"""Lines that do not say what a symbol may be, though their formulas do; and ones that say it."""


@each("line", DOMAINS)
def test_a_line_without_ranges_is_about_where_its_formulas_have_values(line: str) -> None:
    found = one_line(line)
    assert (found.family.about, ", ".join(h.name for h in found.given)) == DOMAINS[line]


NONE = {
    "2^n >= n": "whole numbers to some",
    "H_n <= 1 + log n": "whole numbers to some",
    r"x_i \le \max_j x_j": "x_i beside entries of x",
    r"\sum_i |x_i - \bar{x}|^2 \le \sum_i |x_i|^2": "their mean to some",
    "x <= 1, and y <= 2": "one line for each claim",
    "x + y <= 1, x - y <= 1": "a condition to some",
    "(6) x >= 0 [bare]": "the word bare",
    "E|g|^2 <= B^2": "of a random variable",
    "x <= every y": "the word every",
    "x <= 40 x there": "the word there",
    "x <= 1; y <= 2": "one line for each claim",
    "x^T y <= 1": "a transpose to some",
    "x^T y <= 1 for x > 0, y": "a transpose to some",
    "f(x) <= 1 for f >= 0, x": "f before a bracket",
    "L(w) <= 1 for L >= 0, w": "L before a bracket",
    "g(x)/g(y) <= 1": "g before a bracket",
    "f'(x) <= 1": "without a prime",
    r"\sum_i x_i^2 - x_1 \le 1": "x_1 beside entries of x",
    r"\sum_{i=1}^n i x_i \le 1": "as an index or as a number",
    r"\sum_{i \ne j} a_{ij} \le 1": "from one number to another",
    r"x_{t+1} \le x_t": "of plain names",
    r"\nabla f(x) \le 1": "fedassay check PAPER.tex",
    r"\log_2 x \le x": "natural logarithms",
    r"\tan x \ge x": "functions that are known",
    "x mod 2 <= 1": "functions that are known",
    "x① <= 1": "plain letters",
    "E[x^2] <= s for x ~ N(0, sigma), real s; sigma > 0": "standard deviation to some",
    r"\sum_i x_i / n \le 1": "how many entries there are to some",
    r"x \cdot y \le 1 for vectors x, y": r"write dot\(x, y\)",
    "<x, y> <= 1": "of vectors",
    "𝐱 + x <= 1": "in one kind of type",
    r"\mathbb{1}[x] \le 1": "of plain names",
    r"\|x\|_3 \le 1 for vector x": "1, 2 or inf",
    r"\sin^{-1} x \le 1": "of one meaning",
    r"\exp -x \le 1": r"write exp\(-x\)",
    "E[x | y] <= 1 for x ~ coin(p), p in [0, 1], y": "without its",
    "x <= 1 with probability 1": "a relation",
    "min x, y <= 1": "with an argument of min",
    "sum x_i <= 1": "without an index",
    "x => y": "conditions after 'if'",
}


@each("line", [*TWO, *NONE])
def test_what_is_proposed_is_read(line: str) -> None:
    with pytest.raises(NotRead) as caught:
        one_line(line)
    for proposal in caught.value.proposals:
        one_line(proposal)


def test_a_proposal_that_is_refused_gives_way_to_what_its_refusal_proposes() -> None:
    with pytest.raises(NotRead) as caught:
        one_line(r"\log x y \le 1")
    assert list(caught.value.proposals) == [
        "log(x)*y <= 1",
        "log(x*y) <= 1 for x, y > 0",
        "log(x*y) <= 1 for real x, y",
    ]


@each("line", NONE)
def test_what_no_line_can_say_is_refused_at_its_place(line: str) -> None:
    with pytest.raises(NotRead, match=NONE[line]) as caught:
        one_line(line)
    shown, carets = caught.value.marked.splitlines()[:2]
    assert shown.strip() == line
    assert set(carets.strip()) == {"^"}
