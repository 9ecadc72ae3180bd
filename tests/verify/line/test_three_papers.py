"""Results of three sources in the manner of papers: what is filled in says what they say.

Part of their results are a paper's own in its words, part are composed (the head of each source
says which), so that what is counted here is no count of three papers. What each result means was
written down in plain lines; an open one has None, and must say what stopped it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.each import each
from tests.verify.line.test_typed import computed, instances
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.statement import Statement
from verify.cli.own.line import proved
from verify.line import one_line
from verify.line.papers.stubs import stubs

DATA = Path(__file__).parent / "data"

ON_A_CLASS = "<on a class>"
"""Of a claim on all functions of a class: what it means stands in ``test_classes.py``."""

MEANT: dict[str, dict[str, str | None]] = {
    "scaffold": {
        "theorem2": None,
        "lemma4a": "norm(v_i + v_j)**2 <= (1 + a)*norm(v_i)**2 + (1 + 1/a)*norm(v_j)**2"
        " for a > 0, vectors v_i, v_j",
        "lemma4b": "norm(sum_i (v[i]))**2 <= N*(sum_i (norm(v[i])**2)) for vectors v",
        # X_i = xi_i + z_i with z_i of mean zero, whose squared norm is E|z_i|^2
        "lemma5": "norm(sum_i (xi[i]))**2 + norm(sum_i (z[i]))**2 <= norm(sum_i (xi[i]))**2"
        " + N**2*sigma**2 for real sigma, vectors xi, z given max_i (norm(z[i])**2) <= sigma**2",
        "lemma6": ON_A_CLASS,
        "lemma7a": "2*dot(x, y) <= gamma*norm(x)**2 + norm(y)**2/gamma for gamma > 0, vectors x, y",
        "lemma7b": "norm(x + y)**2 <= (1 + gamma)*norm(x)**2 + (1 + 1/gamma)*norm(y)**2"
        " for gamma > 0, vectors x, y",
        "corollary8a": "1 - eta*mu <= (1 - eta*mu/2)**2 for eta in [0, 1], mu in (0, 1]",
        "corollary8b": "(1 - eta*mu/2)**2 <= 1 - eta*mu + eta**2*mu**2/4"
        " for eta in [0, 1], mu in (0, 1]",
    },
    "fedprox": {
        "assumption1": None,
        "theorem2": None,
        "lemma3a": "((1/N)*(sum_i (x[i])))**2 <= (1/N)*(sum_i (x[i]**2)) for real x",
        "lemma3b": "(1/N)*(sum_i (x[i]**2)) <= max_i (x[i]**2) for real x",
        "lemma4": "a*b <= mu*a**2/2 + b**2/(2*mu) for a, b >= 0, mu > 0",
        "proposition5a": "(mu/(mu + lam))**2 <= mu/(mu + lam) for mu, L > 0; lam >= 0"
        " given lam <= L",
        "proposition5b": "lam/(mu + lam) <= L/(mu + L) for mu, L > 0; lam >= 0 given lam <= L",
        "corollary6a": "(1 - gamma)*norm(v) <= norm(u) for gamma in [0, 1), vectors u, v"
        " given norm(u - v) <= gamma*norm(v)",
        "corollary6b": "norm(u) <= (1 + gamma)*norm(v) for gamma in [0, 1), vectors u, v"
        " given norm(u - v) <= gamma*norm(v)",
        "lemma7": "norm(sum_i (p[i]*x[i]))**2 <= sum_i (p[i]*norm(x[i])**2)"
        " for p >= 0, vectors x given sum_i (p[i]) == 1",
    },
    "localsgd": {
        "assumption1": None,
        "theorem2_2": None,
        # is t a whole number? the words do not say: proved for any number, it stands for both
        "lemma2_3a": "1/(a + t + 1) <= 1/(a + t) for a > 1, t >= 0",
        "lemma2_3b": "2/(a + t) <= 2 for a > 1, t >= 0",
        "lemma2_4": "(1 - mu*eta)*(1 + mu*eta) <= 1 for mu, eta in [0, 1]",
        "lemma2_5": "norm(a + b)**2 <= (1 + alpha)*norm(a)**2 + (1 + 1/alpha)*norm(b)**2"
        " for alpha > 0, vectors a, b",
        "lemma2_6": "(1/N)*(sum_i (norm(x[i] - mean_j (x[j]))**2)) <= (1/N)*(sum_i (norm(x[i])**2))"
        " for vectors x",
        "corollary2_7a": "1 - x <= exp(-x) for x >= 0",
        "corollary2_7b": "exp(-x) <= 1/(1 + x) for x >= 0",
        "lemma2_8": None,
        "corollary2_9": None,
    },
}


def same(mine: Statement, theirs: Statement) -> None:
    """The same ranges, hypotheses and sides."""
    assert mine.relation == theirs.relation
    assert set(mine.family.about.split("; ")) == set(theirs.family.about.split("; "))
    assert len(mine.given) == len(theirs.given)
    for shape, values in instances(mine, 11):
        for left, right in zip(
            computed(mine, shape, values), computed(theirs, shape, values), strict=True
        ):
            np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9)


@each("paper", MEANT)
def test_what_is_filled_in_says_what_was_printed(paper: str, tmp_path: Path) -> None:
    text = (DATA / f"{paper}.tex").read_text(encoding="utf-8")
    made = stubs(text, paper, f"{paper}.tex", proved)
    path = tmp_path / f"{paper}.py"
    path.write_text(made.text, encoding="utf-8")
    leaves = {leaf.key: leaf for entry in load_statements(Origin.of(path)) for leaf in entry.leaves}
    assert [row.key for row in made.rows] == [f"{paper}.{name}" for name in MEANT[paper]]
    for row in made.rows:
        plain = MEANT[paper][row.key.partition(".")[2]]
        assert (row.reason == "") == (plain is not None), row
        if plain not in (None, ON_A_CLASS):
            same(leaves[row.key], one_line(plain))


def test_the_comparison_sees_what_was_not_printed() -> None:
    """Planted faults: another constant, a hypothesis less, another range."""
    printed = one_line("a*b <= mu*a**2/2 + b**2/(2*mu) for a, b >= 0, mu > 0 given a <= b")
    for wrong in (
        "a*b <= mu*a**2 + b**2/(2*mu) for a, b >= 0, mu > 0 given a <= b",
        "a*b <= mu*a**2/2 + b**2/(2*mu) for a, b >= 0, mu > 0",
        "a*b <= mu*a**2/2 + b**2/(2*mu) for real a, b; mu > 0 given a <= b",
        "a*b <= mu*a**2/2 + b**2/(2*mu) for a, b >= 0, mu > 0 given b <= a",
    ):
        with pytest.raises(AssertionError):
            same(printed, one_line(wrong))


def test_most_lemmas_are_filled_in() -> None:
    """Of results and of lemmas, so many: counted here, so that the docs cannot drift."""
    parts = [(f"{paper}.{name}", plain) for paper in MEANT for name, plain in MEANT[paper].items()]
    results: dict[str, bool] = {}
    for name, plain in parts:
        whole = name.rstrip("ab")
        results[whole] = results.get(whole, True) and plain is not None
    counted = {name: good for name, good in results.items() if "assumption" not in name}
    lemmas = {name: good for name, good in counted.items() if ".lemma" in name}
    assert (sum(counted.values()), len(counted)) == (15, 20)
    assert (sum(lemmas.values()), len(lemmas)) == (11, 12)


def test_without_a_proof_a_letter_that_may_be_a_whole_number_stays_open() -> None:
    text = (DATA / "localsgd.tex").read_text(encoding="utf-8")
    rows = {row.key: row.reason for row in stubs(text, "localsgd", "localsgd.tex").rows}
    assert "may be a whole number" in rows["localsgd.lemma2_3a"]
    # false for t = 1/2, true for whole numbers: the stronger claim must not stand for it
    false = r"\begin{lemma} Let $t \ge 0$. Then $t \le t^2$. \end{lemma}"
    rows = {row.key: row.reason for row in stubs(false, "own", "own.tex", proved).rows}
    assert "may be a whole number" in rows["own.lemma1"]
