"""What turns a claim round, or reads its domain, decides as much as the checker.

Each test names the fault that it kills: ``negation.py`` strict for non-strict, an end of a domain
taken as strict, ``recheck`` that does not ask for the whole claim, laws of many coins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from types import SimpleNamespace
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.symbolic import NotReadable
from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.cases import claim, leaf_of, numbers
from verify.claim import Hypothesis, Real, statement
from verify.claim import numbers as box
from verify.claim.laws import binomial, coin, expectation, probability, two_point
from verify.claim.statement import Statement
from verify.ladder import recheck
from verify.ladder.rungs import negation
from verify.ladder.rungs.certificate import prove
from verify.ladder.rungs.negation import CONTRADICTION, NEGATION, contradiction, negations
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.verdict.evidence import Evidence

Sides = Callable[[Any], tuple[Mapping[str, Any], Mapping[str, Any]]]


def some(sides: Sides, relation: str = "<=", low: float = 0, high: float = 1) -> Statement:
    """That some x in [0, 1] is so."""
    family = box({"x": Real(low, high, domain=(low, high))})
    made: Statement = statement(
        "t.some", where="Lemma", latex="x", family=family, quantifier="some", relation=relation
    )(sides)
    return made


TRUE_AT_ONE_POINT: dict[str, Statement] = {
    "a third": some(lambda w: ({"l": (3 * w.x - 1) ** 2}, {"r": 0 * w.x})),
    "a third, >=": some(lambda w: ({"l": 0 * w.x}, {"r": (3 * w.x - 1) ** 2}), ">="),
    "a third, ==": some(lambda w: ({"l": (3 * w.x - 1) ** 2}, {"r": 0 * w.x}), "=="),
    "the lower end": some(lambda w: ({"l": w.x}, {"r": 0 * w.x})),
    "the upper end": some(lambda w: ({"l": 1 + 0 * w.x}, {"r": w.x})),
    "the lower end, squared": some(lambda w: ({"l": w.x**2}, {"r": -(w.x**3)})),
    "an end below zero": some(lambda w: ({"l": w.x + 2}, {"r": 0 * w.x}), low=-2, high=-1),
}


def refuted(one: Statement) -> list[Evidence]:
    """Proofs that no instance satisfies a claim."""
    return [e for e in prove(one) if e.proof is not None and e.status == "decided"]


@each("name", TRUE_AT_ONE_POINT)
def test_what_is_true_at_one_point_is_not_refuted(name: str) -> None:
    one = TRUE_AT_ONE_POINT[name]
    assert not refuted(one)
    assert leaf_of(one).verdict != "violated"


def test_the_next_ones_are_false_and_are_refuted() -> None:
    """Negative control: the same claims, moved off by a little."""
    for one in (
        some(lambda w: ({"l": (3 * w.x - 1) ** 2 + Fraction(1, 100)}, {"r": 0 * w.x})),
        some(lambda w: ({"l": w.x + Fraction(1, 100)}, {"r": 0 * w.x})),
        some(lambda w: ({"l": 1 + 0 * w.x}, {"r": w.x - Fraction(1, 100)})),
    ):
        assert refuted(one)
        assert leaf_of(one).verdict == "violated"


def test_a_planted_negation_would_refute_what_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault itself: not strict where the negation is strict."""
    strictly = negation._turned

    def loose(claims: Claims, other: bool) -> Any:
        for label, made, vectors in strictly(claims, other):
            yield ReadClaim(label, Claim(made.left, made.right, "<=", made.hypotheses), vectors)

    monkeypatch.setattr(negation, "_turned", loose)
    assert refuted(TRUE_AT_ONE_POINT["a third"]), "a test that cannot fail tests nothing"


def test_each_relation_is_turned_into_strict_ones() -> None:
    def said(one: Statement) -> list[tuple[str, str, str, str]]:
        return [
            (str(c.claim.left), c.claim.relation, str(c.claim.right), c.label["instead"])
            for claims in negations(one)
            for c in claims
        ]

    def sides(w: Any) -> Any:
        return {"l": w.x + 3}, {"r": 2 * w.x}

    assert said(some(sides)) == [("2*x", "<", "x + 3", "left above right")]
    # a claim >= is read as one <= of exchanged sides
    assert said(some(sides, ">=")) == [("x + 3", "<", "2*x", "left above right")]
    assert said(some(sides, "==")) == [
        ("2*x", "<", "x + 3", "left above right"),
        ("x + 3", "<", "2*x", "left below right"),
    ]


def test_a_contradiction_is_a_falsehood_under_the_same_hypotheses() -> None:
    one = claim(lambda w: ({"l": w.x}, {"r": w.x}), relation="==", quantifier="some")
    made = contradiction(one)
    assert (made.relation, made.quantifier, made.ceiling) == ("<=", "all", None)
    assert made.given == one.given
    assert made.family == one.family
    assert made.sides is not None
    world: Any = SimpleNamespace(number="float64")
    assert made.sides(world) == ({"one": 1}, {"zero": 0})


# -- the whole claim, or less ----------------------------------------------------------------------

APART = (
    Hypothesis("x is small", r"x \le 1", lambda w: 1 - w.x, where="Lemma"),
    Hypothesis("x is large", r"x \ge 2", lambda w: w.x - 2, where="Lemma"),
)
EMPTY = claim(lambda w: ({"l": w.x + 5}, {"r": w.x}), numbers(x=Real(0, 4)), given=APART)


def test_that_hypotheses_contradict_each_other_is_no_proof_of_the_whole_claim() -> None:
    (found,) = [e for e in prove(EMPTY, met=False) if e.proof is not None]
    assert found.status == "reported"
    assert found.proof is not None
    assert found.proof["of"] == CONTRADICTION
    assert recheck(EMPTY, found.proof)
    assert not recheck(EMPTY, found.proof, whole=True)


def test_a_proof_for_the_listed_sizes_is_none_for_every_size() -> None:
    """The largest of some numbers is read size by size."""
    from verify.catalogue.library import library
    from verify.corpus.files import path_of, stored

    one = library().leaf("adaptive.data.split.repaired/labels")
    kept = stored(path_of("adaptive")).kept(one)
    assert kept is not None
    (item,) = [e for e in kept.families[0].certificate if e.proof is not None]
    assert item.status == "reported"
    assert item.proof is not None
    assert recheck(one, item.proof)
    assert not recheck(one, item.proof, whole=True)
    # under the name of a whole proof it makes nothing proved
    boast = replace(kept.families[0], certificate=(replace(item, status="decided"),))
    forged = replace(kept, families=(boast, *kept.families[1:]))
    from verify.ladder import PROFILES, assay

    word = assay(one, profile=PROFILES["quick"].word_alone(), kept=forged).verdict
    assert word == "holds"


def test_a_proof_of_the_negation_is_none_of_the_claim() -> None:
    false = some(lambda w: ({"l": w.x + 1}, {"r": 0 * w.x}))
    (found,) = refuted(false)
    assert found.proof is not None
    assert found.proof["of"] == NEGATION
    assert recheck(false, found.proof, whole=True)
    every = replace(false, quantifier="all")
    assert not recheck(every, found.proof, whole=True)
    assert not recheck(every, {**found.proof, "of": ""}, whole=True)


# -- laws ------------------------------------------------------------------------------------------


@each("number", (0, 1, 7, 8, 9, 12, 20))
def test_so_many_coins_have_the_chances_of_a_binomial(number: int) -> None:
    chance = Fraction(1, 3)
    law = binomial(number, chance)
    assert sum(law.chances) == 1
    assert expectation(lambda k: k, law) == number * chance
    assert expectation(lambda k: (k - number * chance) ** 2, law) == number * Fraction(2, 9)
    for count in range(number + 1):
        exact = comb(number, count) * chance**count * (1 - chance) ** (number - count)
        at_least = probability(lambda k, c=count: xp.at_least(k, c), law)  # type: ignore[misc]
        above = probability(lambda k, c=count: xp.above(k, c), law)  # type: ignore[misc]
        assert at_least - above == exact


def test_a_coin_has_two_sides() -> None:
    for chance in (Fraction(1, 3), Fraction(0), 0.25):
        law = coin(chance)
        assert (tuple(law.values), tuple(law.chances)) == ((0, 1), (1 - chance, chance))
        assert type(law.values[0]) is type(chance), "no zero of another kind of number"
    law = two_point(-1, Fraction(5, 2), Fraction(1, 4))
    assert tuple(law.values) == (-1, Fraction(5, 2))
    assert tuple(law.chances) == (Fraction(3, 4), Fraction(1, 4))
    assert tuple(binomial(2, Fraction(0)).values) == (0, 1, 2)


@each("number", (-1, 2.0, "3"))
def test_a_number_of_coins_is_a_whole_number(number: Any) -> None:
    with pytest.raises(InvalidInput, match="number must be a whole number, got .*: let it"):
        binomial(number, Fraction(1, 2))


# -- what may not be turned round ------------------------------------------------------------------

READ = Claim(1, 2, "<=", ())


def turned(*made: ReadClaim, broken: bool = False) -> list[ReadClaim]:
    """Claims turned round; after them one that cannot be made."""

    def coming() -> Iterator[ReadClaim]:
        yield from made
        if broken:
            raise NotReadable("no claim")

    return list(negation._turned(Claims(coming()), False))


def test_of_several_claims_one_may_hold() -> None:
    assert [c.claim[:3] for c in turned(ReadClaim({}, READ))] == [(2, 1, "<")]
    assert turned(ReadClaim({"N": "any", "parts": 1, "d": 2}, READ))
    for one in (ReadClaim({"N": 2, "case": 1}, READ), ReadClaim({"N": 2}, READ, ("v",))):
        with pytest.raises(NotReadable, match="of which one may hold"):
            turned(one)
    with pytest.raises(NotReadable, match="cannot be read"):
        turned(ReadClaim({}, READ), broken=True)


def test_only_all_that_a_claim_says_is_turned_round(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = [Claims([ReadClaim({}, READ)], complete) for complete in (False, True)]
    monkeypatch.setattr(negation, "claim_sets", lambda _: iter(sets))
    one = some(lambda w: ({"l": w.x}, {"r": w.x}))
    assert len(list(negations(one))) == 1


@pytest.mark.parametrize(
    "law",
    [lambda p: coin(p), lambda p: two_point(0, 1, p), lambda p: binomial(3, p)],
    ids=["coin", "two_point", "binomial"],
)
@pytest.mark.parametrize("chance", [2, -1, Fraction(3, 2)])
def test_a_number_that_is_no_chance_makes_no_law(law: Any, chance: Any) -> None:
    with pytest.raises(InvalidInput, match="chance must be in"):
        law(chance)
    assert law(1)
    assert law(0)
