"""Claims that forget client drift are found false."""

from __future__ import annotations

import pytest

from tests.each import each
from tests.qa.drift.claims import broken, drawn
from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay

CLAIMS = list(drawn())
QUICK = PROFILES["quick"].word_alone()


def test_there_are_sixty_of_them() -> None:
    assert len({claim.key for claim in CLAIMS}) == 60


@each("claim", CLAIMS, ids=lambda claim: claim.key)
def test_each_is_false(claim: Statement) -> None:
    name, steps, rounds, _ = claim.key.removeprefix("drift.").split("-")
    left, right = broken(name, int(steps), int(rounds))
    assert left > right


@each("claim", CLAIMS[::12], ids=lambda claim: claim.key)
def test_it_is_found_false(claim: Statement) -> None:
    assert assay(claim, profile=QUICK).verdict == "violated"


@pytest.mark.slow
@each("seed", range(10))
@each("claim", CLAIMS, ids=lambda claim: claim.key)
def test_it_is_found_false_on_every_seed(claim: Statement, seed: int) -> None:
    assert assay(claim, profile=QUICK, seed=seed).verdict == "violated"
