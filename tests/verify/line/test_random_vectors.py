"""Second moments of random vectors: rewritten they say the same of every law, or stay open."""

from __future__ import annotations

import numpy as np
import pytest

from tests.each import each
from verify import check
from verify.line.papers.claims import Claimed, claims_of
from verify.line.papers.random_vectors import second_moments
from verify.line.papers.results import results

WORDS = (
    r"Let $X_1,\dots,X_n$ be $n$ random vectors in $\mathbb{R}^d$ which are not necessarily "
    r"independent. Suppose that their mean is $\mathbb{E}[X_i] = m_i$ and their variance is "
    r"bounded by $\mathbb{E}[\lVert X_i - m_i\rVert^2] \le s^2$. Then "
)
SUM = r"\mathbb{E}\lVert\sum_{i=1}^n X_i\rVert^2 \le \lVert\sum_{i=1}^n m_i\rVert^2 + "
TRUE, FALSE = rf"$${SUM}n^2s^2.$$", rf"$${SUM}ns^2.$$"


def claim(text: str) -> Claimed:
    (one,) = results(rf"\begin{{lemma}} {text} \end{{lemma}}")
    return claims_of(one)[0]


@pytest.mark.slow
def test_without_independence_the_square_of_the_number_is_needed() -> None:
    true, false = claim(WORDS + TRUE), claim(WORDS + FALSE)
    assert true.latex == SUM.strip() + " n^2s^2"
    assert "of mean zero" in true.note
    assert check(true.line).verdict in ("proved", "holds")
    assert check(false.line).verdict == "violated"


OPEN = {
    "independent": WORDS.replace("not necessarily independent", "independent") + TRUE,
    "no word on independence": WORDS.replace(" which are not necessarily independent", "") + TRUE,
    "no mean": WORDS.replace(r"\mathbb{E}[X_i] = m_i", "m") + TRUE,
    "another centre": WORDS.replace("X_i - m_i", "X_i - c_i") + TRUE,
    "another moment": WORDS + TRUE.replace(r"\rVert^2 \le", r"\rVert^4 \le"),
    "of no sum": WORDS + r"$$\mathbb{E}\lVert X_1 - X_2\rVert^2 \le 4s^2.$$",
    "a first moment": WORDS + r"$$\mathbb{E}\lVert\sum_{i=1}^n X_i\rVert \le ns.$$",
    "a further word": WORDS + r"almost surely $$" + TRUE.strip("$") + "$$",
}


@each("name", OPEN)
def test_what_is_said_otherwise_stays_open(name: str) -> None:
    found = claim(OPEN[name])
    assert found.line == ""
    assert found.reason


def test_the_two_norms_are_the_second_moment_of_any_law() -> None:
    """Laws of finitely many outcomes with any dependence: the identity that is used, by hand."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        n, outcomes, d = rng.integers(1, 5, 3)
        chances = rng.random(outcomes)
        chances /= chances.sum()
        x = rng.normal(size=(n, outcomes, d))
        mean = np.einsum("s,isd->id", chances, x)
        second = chances @ (x.sum(0) ** 2).sum(1)
        # vectors whose squared norm is E|.|^2: coordinates weighted by the roots of the chances
        away = ((x - mean[:, None]) * np.sqrt(chances)[:, None]).reshape(n, -1)
        split = (mean.sum(0) ** 2).sum() + (away.sum(0) ** 2).sum()
        np.testing.assert_allclose(split, second, rtol=1e-12)
        np.testing.assert_allclose(
            (away**2).sum(1), chances @ ((x - mean[:, None]) ** 2).sum(2).T, rtol=1e-12
        )


def test_any_vectors_are_parts_of_mean_zero() -> None:
    """The other way: signs times coordinates, all outcomes of which are listed."""
    rng = np.random.default_rng(8)
    z = rng.normal(size=(3, 2))
    signs = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    x = np.einsum("sk,ik->is", signs, z)  # along one axis of R^d
    np.testing.assert_allclose(x.mean(1), 0, atol=1e-15)
    np.testing.assert_allclose((x**2).mean(1), (z**2).sum(1))
    np.testing.assert_allclose((x.sum(0) ** 2).mean(), (z.sum(0) ** 2).sum())


def test_other_results_are_left_alone() -> None:
    assert second_moments(r"Let $x, y \ge 0$. Then $x + y \ge 0$.") is None
