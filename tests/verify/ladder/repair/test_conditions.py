"""A broken claim under one more hypothesis: what is told parts the instances, and stands."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import SMALL, assume, claim, exactly, numbers
from verify.claim.axes import Axes
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.repair.conditions import at_most
from verify.ladder.repair.mends import mended
from verify.ledger.failures import failure_of
from verify.world.referee import rescore

BUDGET = replace(SMALL, evaluations=2_000, onward=1 / 4)
WIDE = Real(1 / 8, 8, log=True)

PLANTED: dict[str, tuple[Statement, str]] = {
    "range": (claim(lambda w: ({"l": w.x**2}, {"r": w.x}), numbers(x=WIDE)), "x <= 1"),
    "from below": (claim(lambda w: ({"l": 2 * w.x}, {"r": w.x**2}), numbers(x=WIDE)), "x >= 2"),
    "short step": (
        claim(
            lambda w: ({"l": (1 - w.eta * w.beta) ** 2 * w.x}, {"r": w.x}),
            numbers(x=WIDE, eta=WIDE, beta=WIDE),
        ),
        "beta eta <= 2",
    ),
    "ordered": (
        claim(lambda w: ({"l": w.x**2 + w.x * w.y}, {"r": 2 * w.y**2}), numbers(x=WIDE, y=WIDE)),
        "x <= y",
    ),
    "a share that may be zero": (
        claim(
            lambda w: ({"l": w.p**2 * w.x}, {"r": w.p * w.x}),
            numbers(p=Real(0, 4), x=WIDE),
        ),
        "p <= 1",
    ),
    "either sign": (
        claim(lambda w: ({"l": w.x**2}, {"r": xp.absolute(w.x)}), numbers(x=Real(-2, 2))),
        "|x| <= 1",
    ),
    "each client": (
        claim(
            lambda w: ({"l": xp.total(w.size**2)}, {"r": xp.total(w.size)}),
            numbers({"N": 1}, {"N": 2}, size=Real(0, 4, per=("N",))),
        ),
        "size <= 1",
    ),
    "lower bound": (
        claim(lambda w: ({"l": w.x**2}, {"r": w.x}), numbers(x=WIDE), relation=">="),
        "x >= 1",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.every(3)
def test_the_hypothesis_that_is_missing_is_told(name: str) -> None:
    statement, wanted = PLANTED[name]
    found = [r for r in assay(statement, profile=BUDGET).repairs if "given" in r]
    assert [r["given"] for r in found] == [wanted]
    assert found[0]["word"] == "proved"
    assert found[0]["mend"] == f"the hypothesis that {wanted}"


def test_no_hypothesis_is_told_where_none_parts_the_instances() -> None:
    """Negative control: false for small and for large x alike, by as much as one likes."""
    statement = claim(lambda w: ({"l": 3 * w.x}, {"r": 2 * w.x}), numbers(x=WIDE))
    leaf = assay(statement, profile=BUDGET)
    assert leaf.verdict == "violated"
    assert not [r for r in leaf.repairs if "given" in r]


def test_a_hypothesis_that_keeps_next_to_nothing_is_no_repair() -> None:
    statement = claim(lambda w: ({"l": w.x}, {"r": w.x / 64 + 1}), numbers(x=Real(1, 1_000_000)))
    leaf = assay(statement, profile=replace(BUDGET, reach=1, larger=False))
    assert leaf.verdict == "violated"
    assert not [r for r in leaf.repairs if "given" in r]


def test_it_is_a_hypothesis_of_the_mended_claim_beside_its_own() -> None:
    statement = claim(
        lambda w: ({"l": w.x**2}, {"r": w.x}),
        numbers(x=WIDE, y=WIDE),
        given=assume({"y is large": lambda w: w.y - 1}),
    )
    mend = at_most({"x": 1, "y": -1}, Fraction(1, 2), strict=True)
    under = mended(statement, [mend])
    assert [h.name for h in under.given] == ["y is large", "x < 1/2 y"]
    for x, y, met in ((1, 3, True), (1, 2, False), (3, 4, False)):
        found = rescore(under, exactly(under, {"x": x, "y": y}))
        assert found.assumed is met, (x, y)


def test_it_names_how_the_claim_falls_where_nothing_else_does() -> None:
    leaf: dict[str, Any] = {
        "id": "a",
        "verdict": "violated",
        "reason": "",
        "evidence": [],
        "laws": [],
        "repairs": [{"mend": "m", "word": "proved", "reason": "", "ratio": 1.0, "given": "x <= 1"}],
    }
    line = {"form": "printed", "verdict": "violated", "paper": "p", "key": "a", "leaves": [leaf]}
    fails = failure_of(line, Axes(), {})
    assert fails == {"kind": "condition", "words": "it is proved under x <= 1"}
    plain = {**leaf, "repairs": [{k: v for k, v in leaf["repairs"][0].items() if k != "given"}]}
    other = failure_of({**line, "leaves": [plain]}, Axes(), {})
    assert other is not None
    assert other["kind"] == "open"
