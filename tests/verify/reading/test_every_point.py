"""At all points each reader still reads what it reads at a few: nothing that is true is refused."""

from __future__ import annotations

from typing import Any

import pytest

from verify.catalogue.library import library
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.known_before import fewer_points

LEAVES = {
    "clients": "adaptive.def1.sum/bound",
    "classes": "allforall.lemma5a/class",
}


def read(key: str) -> list[Any]:
    """Labels and sides of the first set of claims about every size."""
    sets = (list(claims) for claims in claim_sets(library().leaf(key)) if claims.complete)
    return [(label, claim.left, claim.right) for label, claim, _ in next(filter(None, sets))]


@pytest.mark.every_point
@pytest.mark.parametrize("key", LEAVES.values(), ids=LEAVES)
@pytest.mark.every(9)
def test_what_is_read_at_few_points_is_read_at_all(key: str) -> None:
    found = read(key)
    assert found
    with fewer_points():
        assert read(key) == found
