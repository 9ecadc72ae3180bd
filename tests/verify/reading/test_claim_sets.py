"""Sets of claims are made as far as they are read, and each way that matters is one."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from bounds import generic as xp
from bounds.numbers.symbolic import NotReadable
from tests.verify.cases import claim
from verify.claim.parameters import Family, Real, plain_numbers
from verify.ladder.rungs.certificate import prove
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.world.world import World

ONE = ReadClaim({}, Claim(sympy.Integer(0), sympy.Integer(1), "<=", []))
SHARES = Family(
    {"r": Real(0, 1, per=("N",), domain=(0, 1)), "level": Real(0, 1, domain=(0, 1))},
    ({"N": 2}, {"N": 3}),
    plain_numbers,
)


def test_claims_are_made_as_far_as_they_are_read() -> None:
    made = []

    def coming() -> Iterator[ReadClaim]:
        for i in range(3):
            made.append(i)
            yield ONE._replace(label={"number": i})

    claims = Claims(coming())
    assert next(iter(claims))[0] == {"number": 0}
    assert made == [0]
    assert [label["number"] for label, *_ in claims.all()] == [0, 1, 2]
    assert made == [0, 1, 2]


def test_a_set_of_which_one_claim_cannot_be_made_is_none() -> None:
    def coming() -> Iterator[ReadClaim]:
        yield ONE
        raise NotReadable("no such claim")

    claims = Claims(coming())
    assert list(claims) == [ONE]
    assert claims.broken
    assert claims.all() == []


def test_ways_that_make_no_difference_are_one_set() -> None:
    plain = claim(lambda w: ({"largest": xp.largest(w.r)}, {"one": 1 + 0 * w.level}), SHARES)
    ways = [[label for label, *_ in claims.all()] for claims in claim_sets(plain)]
    assert ways.count(ways[0]) == 1


def _capped(w: World) -> object:
    """Conditions that no client enters: they are cases."""
    return xp.where(w.level > 1 - w.level, 1 - w.level, w.level) + 0 * xp.total(w.r)


def test_conditions_are_cases_in_a_set_of_their_own() -> None:
    capped = claim(lambda w: ({"capped": _capped(w)}, {"half": (1 + 0 * w.level) / 2}), SHARES)
    sets = [claims.all() for claims in claim_sets(capped)]
    assert any("case" in label for one in sets for label, *_ in one)
    assert any("case" not in label for one in sets for label, *_ in one)
    assert any(e.status == "decided" for e in prove(capped))
