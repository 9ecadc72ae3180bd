"""Claims on all functions of a class, as papers print them: read as they are meant, or open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.each import each
from verify import World, check, functions, placed, statement
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.parameters import Real
from verify.claim.statement import Sides, Statement
from verify.line.papers.recognised import method_of, recognised
from verify.line.papers.stubs import Stubs, stubs
from verify.world.score import score

DATA = Path(__file__).parent / "data"


def read(text: str, folder: Path) -> tuple[Stubs, Statement]:
    """The stubs of a source with one lemma, and its statement."""
    made = stubs(rf"\begin{{lemma}} {text} \end{{lemma}}", "own", "own.tex")
    path = folder / "own.py"
    path.write_text(made.text, encoding="utf-8")
    return made, next(iter(load_statements(Origin.of(path)))).leaves[0]


INNER = r"\langle \nabla f(x), y - x\rangle"
CLAIMS = {
    "descent": (
        rf"Let $f$ be $L$-smooth. For all $x, y$ we have "
        rf"\[ f(y) \le f(x) + {INNER} + \frac L2 \|y - x\|^2. \]",
        True,
    ),
    "descent, half the constant": (
        rf"Let $f$ be $L$-smooth. For all $x, y$ we have "
        rf"\[ f(y) \le f(x) + {INNER} + \frac L4 \|y - x\|^2. \]",
        False,
    ),
    "convex": (
        rf"For any convex and $L$-smooth function $f$ and $x, y \in \mathbb{{R}}^d$ it holds that "
        rf"$f(y) \ge f(x) + {INNER}$.",
        True,
    ),
    "not convex": (
        rf"For any $L$-smooth function $f$ and $x, y \in \mathbb{{R}}^d$ it holds that "
        rf"$f(y) \ge f(x) + {INNER}$.",
        False,
    ),
    "strongly convex": (
        r"Suppose that $f$ is $\beta$-smooth and $\mu$-strongly convex. Then for all $x, y$, "
        rf"\[ f(y) \ge f(x) + {INNER} + \frac\mu2\|x - y\|^2. \]",
        True,
    ),
    "cocoercive, twice": (
        r"Let $f$ be $L$-smooth and convex. Then, for all $x, y$, \[ \langle \nabla f(x) - "
        r"\nabla f(y), x - y\rangle \ge \frac{2}{L}\|\nabla f(x) - \nabla f(y)\|^2. \]",
        False,
    ),
    "cocoercive": (
        r"Let $f$ be $L$-smooth and convex. Then, for all $x, y$, \[ \langle \nabla f(x) - "
        r"\nabla f(y), x - y\rangle \ge \frac{1}{L}\|\nabla f(x) - \nabla f(y)\|^2. \]",
        True,
    ),
}
"""What is known of each from textbooks."""


@each("name", CLAIMS, every=4)
def test_a_claim_on_a_class_is_judged_as_textbooks_know_it(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text, true = CLAIMS[name]
    made, leaf = read(text, tmp_path_factory.mktemp("own"))
    assert [row.reason for row in made.rows] == [""]
    assert check(leaf).verdict in (("proved", "holds") if true else ("violated",))


OPEN = {
    "no such class": r"Let $f$ be $\mu$-strongly convex. For all $x$, $f(x) \ge \mu\|x\|^2$.",
    "a sum of points": r"Let $f$ be $L$-smooth. For all $x, y$, $f(x + y) \le L\|x\|^2$.",
    "its minimum": r"Let $f$ be $L$-smooth. For all $x$, $f(x) - f^\star \le L\|x\|^2$.",
    "a condition on its constant": r"Let $f$ be $L$-smooth, and let $L \le 1$. For all $x$, "
    r"$\|\nabla f(x)\|^2 \le L f(x)$.",
    "another function": r"Let $f$ be $L$-smooth. For all $x$, $g(x) \le f(x)$.",
    "a mean": r"Let $f$ be $L$-smooth. For all $x$, $\mathbb{E} f(\hat x_T) \le f(x)$.",
    "one that exists": r"There is an $L$-smooth function $f$ with $f(x) \le \|x\|$ for all $x$.",
    "a taken name": r"Let $f$ be $L$-smooth. For all $x$ and $\mu > 0$, "
    r"$\mu\|\nabla f(x)\|^2 \ge 0$.",
}


@each("name", OPEN)
def test_what_a_line_on_a_class_cannot_say_stays_open(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made, leaf = read(OPEN[name], tmp_path_factory.mktemp("own"))
    assert made.rows[0].reason
    assert leaf.missing


PRINTED = functions(
    "smooth strongly convex",
    rounds=2,
    points=3,
    dimensions=(1, 2),
    extra={"place": Real(-4, 4, unit=(0, 1), per=("rounds", "d"))},
)


@statement("own.perturbed", where="Lemma 6", latex="", family=PRINTED, relation=">=")
def perturbed(w: World) -> Sides:
    """Perturbed strong convexity, written down from the paper's words; the order is x, z, y."""
    seen = placed(w)
    x, z, y = (seen.points[..., k, :] for k in range(3))
    left = xp.dot(seen.gradients[..., 0, 0, :], z - y)
    right = seen.values[..., 1, 0] - seen.values[..., 2, 0]
    right = right + w.mu / 4 * xp.squared_norm(y - z) - w.beta * xp.squared_norm(z - x)
    return {"left": left}, {"right": right}


def lemma(path: Path, change: tuple[str, str] = ("", "")) -> Statement:
    text = (DATA / "scaffold.tex").read_text(encoding="utf-8").replace(*change)
    path.write_text(stubs(text, "scaffold", "scaffold.tex").text, encoding="utf-8")
    found = load_statements(Origin.of(path)).leaf("scaffold.lemma6")
    assert not found.missing
    return found


def gaps(one: Statement) -> np.ndarray[Any, Any]:
    """Left minus right on instances of the family that was written by hand."""
    rng = np.random.default_rng(5)
    out = []
    for shape in PRINTED.shapes:
        unit = rng.random((40, PRINTED.width(shape)))
        found = score(one, PRINTED.instance(PRINTED.decode(unit, shape), shape))
        out.append(np.ravel(found.left - found.right))
    return np.concatenate(out)


@pytest.mark.slow
def test_perturbed_strong_convexity_says_what_was_printed(tmp_path: Path) -> None:
    mine = gaps(lemma(tmp_path / "one.py"))
    np.testing.assert_allclose(mine, gaps(perturbed), rtol=1e-9, atol=1e-9)
    # the comparison sees another constant, and so does a search
    other = lemma(tmp_path / "two.py", (r"\beta\norm{z-x}^2", r"\frac{\beta}{4}\norm{z-x}^2"))
    assert abs(gaps(other) - gaps(perturbed)).max() > 1e-3
    assert check(other).verdict == "violated"
    assert check(lemma(tmp_path / "three.py")).verdict in ("proved", "holds")


def test_an_open_result_tells_what_of_it_is_known() -> None:
    made = stubs((DATA / "localsgd.tex").read_text(encoding="utf-8"), "localsgd", "localsgd.tex")
    reasons = {row.key: row.reason for row in made.rows}
    said = "recognised: class smooth strongly convex (L, \\mu); bounded gradients"
    assert reasons["localsgd.theorem2_2"].endswith(said)
    assert 'begin with: family=functions("smooth strongly convex"' in made.text
    assert "recognised" not in reasons["localsgd.corollary2_9"]


def test_methods_are_known_by_their_names_and_nothing_is_invented() -> None:
    words = "Each client is sampled; the gradients are unbiased with bounded variance."
    found = recognised(words + " Let $f$ be $L$-smooth.", "SCAFFOLD", "")
    assert (found.method, found.classes) == ("scaffold", ("smooth (L)",))
    assert "noise=True" in found.family
    assert method_of("A paper on prime numbers.") == ""
    assert str(recognised("Let $x \\ge 0$. Then $x \\ge 0$.", "", "fedavg")) == ""
