"""The table of controls is about claims that stand, and no claim changes sides in silence."""

from __future__ import annotations

import json

import pytest

from tests.places import EXPECTED
from tests.qa.controls.record import listed
from verify.catalogue.library import library
from verify.corpus.files import path_of, stored
from verify.ladder import PROFILES
from verify.ladder.leaf import climbs_of, leaf_seed
from verify.ladder.price.controls import look_at_method
from verify.ladder.rungs.climb import Climb

KNOWN = json.loads((EXPECTED / "quick.json").read_text())["leaves"]
LISTED = listed()
AGAIN = (
    "adaptive.theorem1@in-mean",
    "adaptive.lemma2/smaller@mean-excess",
    "aggregation.eq14@run+algorithm+loop+rounds",
    "fedbc.eq45-47/sum",
)


def test_every_claim_of_the_table_stands_with_the_word_that_it_names() -> None:
    assert LISTED
    words = {key: KNOWN[key]["verdict"] for key in LISTED}
    assert words == {key: told[0] for key, told in LISTED.items()}


def test_both_kinds_are_there() -> None:
    broken = [told[1] for told in LISTED.values()]
    assert "none" in broken, "some say nothing of what moves the models"
    assert any(said != "none" for said in broken)


@pytest.mark.parametrize("key", AGAIN)
def test_what_the_table_says_comes_out_again(key: str) -> None:
    claim = library().leaf(key)
    kept = stored(path_of(claim.source.paper)).kept(claim)
    main, *others = (None,) if kept is None else kept.families
    budget = PROFILES["quick"].warmed()
    climbs = climbs_of(Climb(claim, budget, leaf_seed(0, key), "cpu", seeds=main), others)
    for climb in climbs:
        assert [*climb.searched()]
    told = look_at_method([climb.pool for climb in climbs])
    assert (not told.details["fall"]) == (LISTED[key][1] == "none")
