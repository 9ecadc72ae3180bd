"""The hand computation of a witness: what a claim about a probability shows, and commentaries."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers import as_rational
from tests.verify.cases import claim, exactly, numbers
from verify.catalogue.library import library
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ledger.explain import as_tex, as_text
from verify.ledger.inside import inside
from verify.ledger.witness import Replay
from verify.statements.hcct import quantities as laws
from verify.world.referee import rescore
from verify.world.world import World

SHARE = Real(0, 1, domain=(0, 1))
DICE = numbers(x=Real(0, 8), level=Real(1 / 64, 63 / 64))


NOTE = """
A die against half of x and one.

Right_side is x/2 + 1 & no more.
"""


def _throw(w: World) -> tuple[Any, Any]:
    w.outcome_weights = as_rational([[Fraction(1, 6)] * 6])
    return {"spots": as_rational([[1, 2, 3, 4, 5, 6]])}, {"half": w.x / 2, "one": 1}


def _coins(w: World) -> tuple[Any, Any]:
    """Risk of a mean of coins against 4 L^2/(delta mu n), L = mu."""
    n = int(w.original("n"))
    risk = laws.coin_risk(laws.sample_mean(w), w.chance, w.convexity)
    return {"risk": risk}, {"4 L^2/(delta mu n)": 4 * w.convexity / (w.level * n)}


def dice(**more: Any) -> Statement:
    return claim(_throw, DICE, over="prob", delta=lambda w: w.level, note=NOTE, **more)


def replayed(statement: Statement, instance: Instance) -> Replay:
    found = rescore(statement, instance)
    numbers = found.numbers()
    return Replay(
        statement, instance, numbers, numbers, (), found.violated, found.terms, found.symbols
    )


def section(text: str, begins: str) -> list[str]:
    """Lines below a heading."""
    block = next(b for b in text.split("\n\n") if b.startswith(begins))
    return [" ".join(line.split()) for line in block.splitlines()[1:]]


def test_both_sides_inside_the_event_are_written_out() -> None:
    made = dice()
    text = as_text(replayed(made, exactly(made, {"x": 5, "level": "1/4"})))
    assert "Both sides where left > right: on the most probable outcome, outcome 4 of 6" in text
    assert section(text, "Both sides") == [
        "spots = 4",
        "left = 4",
        "half = 5/2 = 2.5",
        "one = 1",
        "right = 7/2 = 3.5",
    ]
    assert section(text, "Probabilities of the outcomes where left > right, 3 of 6") == [
        f"outcome {k} of 6 = 1/6 = 0.166667 (left = {k}, right = 7/2)" for k in (4, 5, 6)
    ]
    assert "Pr[left > right] = 1/2 = 0.5 > 1/4 = 0.25 = delta: every hypothesis holds" in text


def test_outcomes_without_excess_are_not_among_them() -> None:
    made = dice()
    found = inside(made, exactly(made, {"x": 8, "level": "1/4"}))
    assert found is not None
    assert [one.left for one in found.exceeding] == [6]
    for x in (10, 20):
        text = as_text(replayed(made, exactly(made, {"x": x, "level": "1/4"})))
        assert ("Both sides" in text) == (x < 10)
        assert "Pr[left > right] = 0 <= 1/4 = 0.25 = delta: not confirmed." in text
    assert inside(claim(lambda w: ({"1": 1}, {"0": 0})), Instance("numbers", {}, None, {})) is None


def test_many_outcomes_are_summed_and_bear_their_names() -> None:
    leaf = claim(
        _coins,
        numbers({"n": 48}, chance=SHARE, convexity=Real(0, 1), level=SHARE),
        over="prob",
        delta=lambda w: w.level,
    )
    half, level = Fraction(1, 2), Fraction(2, 3)
    values = {"chance": half, "convexity": Fraction(1), "level": level}
    lifted = {k: np.array([v], dtype=object) for k, v in values.items()}
    instance = leaf.family.instance(lifted, {"n": 48})[0]
    found = inside(leaf, instance)
    assert found is not None
    assert (len(found.exceeding), found.count) == (48, 49)
    assert {one.name for one in found.exceeding[:2]} == {
        "23 of 48 coins are 1",
        "25 of 48 coins are 1",
    }
    replay = replayed(leaf, instance)
    assert sum(one.probability for one in found.exceeding) == rescore(leaf, instance).left
    text = as_text(replay)
    assert "risk               = 577/4608 = 0.125217" in text
    assert "40 more together     = " in text
    tex = as_tex(replay)
    assert r"\text{risk} &= \tfrac{577}{4608}" in tex
    assert r"(\text{left = 577/4608, right = 1/8})" in tex
    assert r"\[ \Pr[\text{left} > \text{right}] = " in tex
    assert tex.count(r"\begin{align*}") == tex.count(r"\end{align*}") == 5


def test_a_claim_without_chance_shows_its_only_outcome_once() -> None:
    made = claim(lambda w: ({"x": w.x}, {"one": 1}), DICE, over="prob", delta=lambda w: w.level)
    text = as_text(replayed(made, exactly(made, {"x": 3, "level": "1/4"})))
    assert section(text, "Both sides where left > right: there is one outcome only") == [
        "x = 3",
        "left = 3",
        "one = 1",
        "right = 1",
    ]
    assert "Probabilities" not in text


def test_the_commentary_of_the_statement_stands_in_both() -> None:
    made = dice()
    replay = replayed(made, exactly(made, {"x": 5, "level": "1/4"}))
    text = as_text(replay)
    comment = "Comment\n  A die against half of x and one.\n\n  Right_side is x/2 + 1 & no more.\n"
    assert comment in text
    assert r"Right\_side is x/2 + 1 \& no more." in as_tex(replay)
    silent = claim(lambda w: ({"x": w.x}, {"1": 1}))
    text = as_text(replayed(silent, exactly(silent, {"x": 2})))
    assert "Comment" not in text
    assert "left = 2 > 1 = right" in text


def test_limits_say_what_stands_for_them() -> None:
    for part in ("S2", "S3", "S4", "stationary"):
        leaf = library().leaf(f"hcct.corollary1/{part}")
        assert "stands for the limit" in leaf.commentary


def test_nothing_is_shown_that_the_claim_does_not_use() -> None:
    made = dice()
    text = as_text(replayed(made, exactly(made, {"x": 5, "level": "1/4"})))
    assert section(text, "Instance") == ["x = 5", "level = 1/4 = 0.25"]
    idle = numbers(x=Real(0, 8), level=Real(1 / 64, 63 / 64), idle=Real(0, 1))
    more = claim(_throw, idle, over="prob", delta=lambda w: w.level)
    text = as_text(replayed(more, exactly(more, {"x": 5, "level": "1/4", "idle": "1/3"})))
    assert section(text, "Instance") == ["x = 5", "level = 1/4 = 0.25"]


def test_what_the_claim_defines_is_shown_where_it_is_used() -> None:
    def sides(w: World) -> Any:
        return {"left": w.rate * w.x}, {"right": w.x}

    rules = {"rate": lambda w: 2 * w.x, "no": lambda w: w.x}
    made = claim(sides, numbers(x=Real(0, 8)), defines=rules)
    text = as_text(replayed(made, exactly(made, {"x": 3})))
    assert section(text, "Constants derived from it") == ["rate = 6"]
    assert section(text, "Left side") == ["left = rate*x = 6*3 = 18"]
