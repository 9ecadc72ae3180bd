"""Random variables in a line: a true and a false claim for each law, and what is refused."""

from __future__ import annotations

import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.cases import leaf_of
from verify.line.parts import pieces
from verify.line.written import module_text, one_line

COIN = "for x ~ coin(p), p in [0, 1]"
TWO = "for x ~ two_point(a, b, p), a, b >= 0, t > 0, p in [0, 1]"
UNIFORM = "for x ~ uniform(a, b), a >= 0, b >= 0"
MANY = "for x ~ binomial(n, p), p in [0, 1], integer n in [1, 3]"


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (f"E((x - p)**2) <= 1/4 {COIN}", "proved"),
        (f"E((x - p)**2) <= 1/5 {COIN}", "violated"),
        (f"P(x >= t) <= E(x)/t {TWO}", "proved"),
        (f"P(x >= t) <= E(x)/(2*t) {TWO}", "violated"),
        (f"E(x)**2 >= 3/4*E(x**2) {UNIFORM}", "proved"),
        (f"E(x)**2 >= 4/5*E(x**2) {UNIFORM}", "violated"),
        (f"E((x - n*p)**2) <= n*p*(1-p) + p**2/9 {MANY}", "proved"),
        (f"E((x - n*p)**2) <= n*p/2 {MANY}", "violated"),
        ("E((x - y)**2) >= 1/6 for x ~ uniform(0, 1), y ~ uniform(a, a+1), a in R", "proved"),
        ("E((x - y)**2) >= 1/5 for x ~ uniform(0, 1), y ~ uniform(a, a+1), a in R", "violated"),
    ],
)
def test_a_claim_about_a_mean_has_its_word(line: str, word: str) -> None:
    assert leaf_of(line).verdict == word


def test_the_line_is_written_out_as_one_would() -> None:
    text = module_text("P(x > t) <= p for x ~ coin(p), p in [0, 1], t >= 0")
    assert "from verify import Family, Real, coin, probability, statement" in text
    assert "probability(lambda x: xp.above(x, w.t), coin(w.p))" in text
    made = one_line("E(x*y) <= 1 for x ~ coin(p), y ~ coin(p), p in [0, 1]")
    assert "x ~ coin(p)" in made.family.about
    assert made.latex.startswith(r"\mathbb{E}\left[")


def test_a_chance_that_need_not_be_one_is_assumed_to_be_one() -> None:
    made = one_line("E(x) <= q**2 for x ~ coin(q**2), q in R")
    assert [item.name for item in made.given] == ["0 <= q ** 2", "q ** 2 <= 1"]
    assert one_line("E(x) <= p for x ~ coin(p), p in [0, 1]").given == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("x <= 1 for x ~ coin(p), p in [0, 1]", r"under E\(...\) or P"),
        ("E(p) <= 1 for p in [0, 1]", "of a random variable"),
        ("E(y) <= 1 for x ~ coin(p), p in [0, 1], y >= 0", "x in the claim"),
        ("E(x, 1) <= 1 for x ~ coin(p), p in [0, 1]", r"\( without its \)"),
        ("E(x) <= 1 for x ~ cauchy(0, 1)", "of the laws"),
        ("E(exp(x)) <= 1 for x ~ N(0, 1)", "a polynomial in x"),
        ("P(x >= 0) <= 1 for x ~ N(0, 1)", "finitely many outcomes"),
        ("x <= 1 for x ~ N(0, 1)", r"x under E"),
        ("E(x) <= 1 for x ~ coin(p, q), p, q in [0, 1]", "coin of 1 numbers"),
        ("E(x) <= 1 for x ~ coin", "x ~ coin"),
        ("E(x*y) <= 1 for x, y ~ coin(p), p in [0, 1]", "of one meaning"),
        ("E(sqrt(x)) <= 1 for x ~ uniform(0, 1)", "a polynomial"),
        ("P(x >= 1/2) <= 1 for x ~ uniform(0, 1)", "finitely many outcomes"),
        ("P(x) <= 1 for x ~ coin(p), p in [0, 1]", "P of one"),
        ("E(x) <= 1 for x ~ binomial(m, p), p in [0, 1], m >= 1", "a whole number of coins"),
        ("sum_i E(x[i]) <= 1 for x ~ coin(p), p in [0, 1]", "without an index"),
        ("E(x) <= 1 for x ~ coin(p), x >= 0, p in [0, 1]", "of free names"),
    ],
)
def test_what_has_no_meaning_is_refused_with_its_place(line: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        one_line(line)


@pytest.mark.parametrize(("variance", "count"), [("s^2", 0), ("s^3", 1), ("s^4", 0), ("s", 1)])
def test_a_variance_that_is_no_square_is_assumed_not_to_be_negative(
    variance: str, count: int
) -> None:
    assert len(pieces(f"E(x^2) >= 0 for x ~ N(0, {variance}), s in R").given) == count
