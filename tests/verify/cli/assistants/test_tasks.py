"""Twenty tasks as an assistant would have them: what is known by hand is never overclaimed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp.client.client import Client

from tests.verify.cli.assistants.asking import asking, told
from verify.certify.checker import check as accepted
from verify.cli.assistants.words import MEANINGS

Sides = Callable[..., tuple[F, F]]


@dataclass(frozen=True)
class Task:
    """A claim whose truth is known by hand.

    ``sides`` computes left and right, both as the claim prints them, without code of the package;
    ``best`` is the constant that a textbook has for the right side.
    """

    claim: str
    true: bool
    sides: Sides | None = None
    best: F | None = None
    needed: frozenset[str] = frozenset()


TASKS = {
    "square of a sum": Task(
        "5*x*y <= (x+y)**2 for x, y >= 0", False, lambda x, y: (5 * x * y, (x + y) ** 2), F(5, 4)
    ),
    "arithmetic and geometric": Task(
        "4*x*y <= (x+y)**2 for x, y >= 0", True, lambda x, y: (4 * x * y, (x + y) ** 2), F(1)
    ),
    "two vectors": Task("||x + y||^2 <= 3||x||^2 + 3||y||^2 for x, y in R^d", True, None, F(2, 3)),
    "a contraction": Task(
        "(1-h*m)**2 <= 1-h*m for h, m >= 0 given h*m <= 1, h <= 3",
        True,
        lambda h, m: ((1 - h * m) ** 2, 1 - h * m),
        F(1),
        frozenset({"h * m <= 1"}),
    ),
    "three numbers": Task(
        "x*y*z <= ((x+y+z)/4)**3 for x, y, z >= 0",
        False,
        lambda x, y, z: (x * y * z, ((x + y + z) / 4) ** 3),
        F(64, 27),
    ),
    "a coin": Task(
        "Var(x) <= 1/8 for x ~ coin(p), p in [0, 1]",
        False,
        lambda p: (p * (1 - p), F(1, 8)),
        F(2),
    ),
    "a coin, true": Task(
        "Var(x) <= 1/4 for x ~ coin(p), p in [0, 1]", True, lambda p: (p * (1 - p), F(1, 4)), F(1)
    ),
    "logarithm": Task("log x <= x - 1 for x > 0", True),
    "logarithm, false": Task("log x <= x - 2 for x > 0", False),
    "Bernoulli": Task("(1+x)^n >= 1 + nx for integer n in [1, 8], x >= -1", True),
    "Bernoulli, false": Task("(1+x)^n >= 1 + 2nx for integer n in [1, 8], x >= 0", False),
    "a step that is too long": Task(
        "(1-h*m)**2 <= 1-h*m for h, m >= 0 given h*m <= 2",
        False,
        lambda h, m: ((1 - h * m) ** 2, 1 - h * m),
    ),
    "TeX": Task(r"\frac{x+y}{2} \ge \sqrt{xy} for x, y \ge 0", True),
    "TeX, false": Task(r"\frac{x+y}{2} \le \sqrt{xy} for x, y \ge 0", False),
    "shares": Task("(sum_i p_i x_i)^2 <= sum_i p_i x_i^2 where p_i >= 0, sum_i p_i = 1", True),
    "a product": Task(
        "xy <= 1/5 if x + y = 1, 0 < x < 1", False, lambda x: (x * (1 - x), F(1, 5)), F(5, 4)
    ),
    "only in the large": Task("x <= 1000 for x >= 0", False, lambda x: (x, F(1000))),
    "squares of three": Task(
        "x**2+y**2+z**2 >= x*y+y*z+z*x for x, y, z >= 0",
        True,
        lambda x, y, z: (x * x + y * y + z * z, x * y + y * z + z * x),
        F(1),
    ),
    "sine": Task("sin(x) <= x for x in [0, 10]", True),
    "sum of a sine": Task("sin(x) + x**3/6 >= x for x in [0, 3]", True),
}
"""Of the last two no claim about `proved` is made here: only that no word is a wrong one."""
FEW = (
    "square of a sum",
    "arithmetic and geometric",
    "a contraction",
    "a coin",
    "Bernoulli, false",
    "TeX",
    "shares",
    "sine",
)
"""Asked by default; all of them are slow."""


def exact(at: dict[str, str]) -> dict[str, F]:
    return {name: F(value) for name, value in at.items()}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(FEW, id="few"),
        pytest.param(tuple(TASKS), id="all", marks=pytest.mark.slow),
    ],
)
def answers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("workspace")

    async def all_tasks(client: Client) -> dict[str, dict[str, Any]]:
        return {
            name: await told(client, "check", claim=TASKS[name].claim, seconds=30)
            for name in request.param
        }

    return folder, asking(all_tasks, folder)


def enough(found: dict[str, Any], of_few: int, of_all: int) -> int:
    """How many must have been looked at: of the few or of all, at least."""
    return of_few if len(found) == len(FEW) else of_all


def test_no_word_says_more_than_what_is_true(
    answers: tuple[Path, dict[str, dict[str, Any]]],
) -> None:
    assert len(TASKS) == 20
    _, found = answers
    wrong = {
        name: one["word"]
        for name, one in found.items()
        if one["word"] in (("violated", "vacuous") if TASKS[name].true else ("proved", "holds"))
    }
    assert wrong == {}
    assert {one["conclusive"] is MEANINGS[one["word"]].conclusive for one in found.values()} == {
        True
    }
    # and it says what it can: of these claims all but the two with a sine are settled
    settled = [name for name, one in found.items() if one["conclusive"]]
    assert len(settled) >= enough(found, 7, 17)


def test_witnesses_break_their_claims_computed_by_hand(
    answers: tuple[Path, dict[str, dict[str, Any]]],
) -> None:
    _, found = answers
    seen = 0
    for name, one in found.items():
        task = TASKS[name]
        assert (one["witness"] is not None) == (one["word"] == "violated"), name
        if one["witness"] is None or task.sides is None:
            continue
        left, right = task.sides(**exact(one["witness"]["at"]))
        assert left > right, name
        assert (F(one["witness"]["left"]), F(one["witness"]["right"])) == (left, right), name
        seen += 1
    assert seen >= enough(found, 2, 6)


def test_best_constants_are_those_of_the_textbooks(
    answers: tuple[Path, dict[str, dict[str, Any]]],
) -> None:
    folder, found = answers
    seen = 0
    for name, one in found.items():
        task, best = TASKS[name], one["best"]
        if best is None:
            assert task.best is None, name
            continue
        constant = F(best["constant"])
        assert task.best in (None, constant), name
        proofs = json.loads((folder / best["proof"]["path"]).read_text())["proofs"]
        assert proofs
        for proof in proofs:
            accepted(proof)
        if task.sides is not None:  # attained: every better constant fails at this instance
            left, right = task.sides(**exact(best["at"]))
            assert left == constant * right > 0, name
            seen += 1
    assert seen >= enough(found, 3, 7)


def test_proofs_are_files_that_the_checker_accepts(
    answers: tuple[Path, dict[str, dict[str, Any]]],
) -> None:
    folder, found = answers
    seen = 0
    for name, one in found.items():
        assert (one["proof"] is not None) == (one["word"] == "proved"), name
        if one["proof"] is not None:
            proofs = json.loads((folder / one["proof"]["path"]).read_text())["proofs"]
            seen += len([accepted(proof) for proof in proofs])
    assert seen >= enough(found, 4, 8)


def test_hypotheses_come_with_the_point_at_which_the_claim_falls_without_them(
    answers: tuple[Path, dict[str, dict[str, Any]]],
) -> None:
    given = answers[1]["a contraction"]["hypotheses"]
    needed = {one["name"]: one["at"] for one in given if one["role"].startswith("needed")}
    assert set(needed) == TASKS["a contraction"].needed
    h, m = (F(needed["h * m <= 1"][name]) for name in "hm")
    assert h * m > 1
    assert h <= 3
    assert (1 - h * m) ** 2 > 1 - h * m
    others = [one["role"] for one in given if one["name"] not in needed]
    assert others == ["not needed: the claim is proved without it"]


PAPER = r"""
\begin{theorem} For all $x, y \ge 0$ it holds that $4xy \le (x+y)^2$. \end{theorem}
\begin{lemma} Let $x, y > 0$. Then $5xy \le (x+y)^2$. \end{lemma}
\begin{lemma} Under Assumption 1 the iterates converge. \end{lemma}
"""


def test_a_paper_is_read_and_its_lines_are_judged(tmp_path: Path) -> None:
    async def scenario(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
        read = await told(client, "paper", source=PAPER)
        lines = [one["line"] for one in read["results"] if one["line"]]
        return read, await told(client, "check_many", claims=lines)

    read, judged = asking(scenario, tmp_path)
    assert [one["place"] for one in read["results"]] == ["Theorem 1", "Lemma 1", "Lemma 2"]
    assert (read["read"], read["open"]) == (2, 1)
    assert read["results"][2]["reason"]
    assert [one["word"] for one in judged["rows"]] == ["proved", "violated"]


def test_what_stands_instead_has_words_of_its_own_and_a_record_is_explained(
    tmp_path: Path,
) -> None:
    async def scenario(client: Client) -> tuple[dict[str, Any], str]:
        made = await told(client, "repair", claim=TASKS["square of a sum"].claim)
        return made, (await told(client, "explain", file=made["record"]))["text"]

    made, text = asking(scenario, tmp_path)
    assert made["word"] == "violated"
    assert made["repairs"]
    assert {one["word"] for one in made["repairs"]} <= {"proved", "holds"}
    assert "left = 5 > 4 = right" in text
