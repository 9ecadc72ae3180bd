"""The planted claims are what they are said to be: decided here without any search."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.each import each
from tests.qa.calibration.cases import CASES, PLANTED_FALSEHOODS, PROVED_TRUTHS, Case
from tests.qa.calibration.claims.active import ACTIVE, ACTIVE_PAIRS
from tests.qa.calibration.claims.existence import EXIST, MISSING
from tests.qa.calibration.claims.growth import GROWTH
from tests.qa.calibration.claims.idle import IDLE
from tests.qa.calibration.claims.many import MANY
from tests.qa.calibration.claims.mixing import MIXING
from tests.qa.calibration.claims.outside import OUTSIDE
from tests.qa.calibration.claims.words import EMPTY_WORDS, Words
from tests.qa.calibration.record import Pair, Planted, Proved
from tests.verify.cases import exactly, fractions
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.verdict.relation import broken
from verify.world.referee import rescore
from verify.world.score import score

SEED = 20_261_122
POINTS = 48
WIDE = 16

KINDS = {k: [c for c in CASES if c.role == k] for k in ("falsehood", "truth")}
CLAIMS = [*KINDS["truth"], *KINDS["falsehood"]]
ONCE = tuple(f for f in PLANTED_FALSEHOODS if f.statement.relation != "<~")


def close(stated: str, found: Any) -> bool:
    """A stated number is exact as a fraction, and within a part in a million as a decimal."""
    if "." in stated or "e" in stated:
        return abs(float(found) - float(stated)) <= 1e-6 * abs(float(stated))
    return bool(found == Fraction(stated))


def points(family: Family, shape: Shape, factor: float, count: int = POINTS) -> Instance:
    """Random instances in the box, made wider by a factor where the domain allows it."""
    box = {name: real.wide(factor) for name, real in family.box.items()}
    wide = Family(box, family.shapes, family.build)
    u = np.random.default_rng(SEED).random((count, wide.width(shape)))
    return family.instance(wide.decode(u, shape), shape)


def around(statement: Statement, planted: Planted, count: int = 2048) -> Instance:
    """Instances within a few percent of a witness, where hypotheses are active."""
    rng, values = np.random.default_rng(SEED), {}
    for name, real in statement.family.box.items():
        middle = fractions(planted.at[name]).astype(float)
        apart = rng.uniform(-1, 1, (count, *middle.shape))
        near = middle + (np.abs(middle) + (middle == 0) / 10) * apart / 32
        low, high = real.limits
        near = np.clip(near, max(low, real.low / WIDE if low == 0 else low), high)
        values[name] = np.broadcast_to(middle, near.shape) if real.low == real.high else near
    return statement.family.instance(values, planted.shape)


def refuted(statement: Statement, batch: Instance) -> Iterator[int]:
    """Instances that meet the hypotheses and break the relation by more than rounding."""
    found = score(statement, batch)
    left, right = np.asarray(found.left, float), np.asarray(found.right, float)
    off = broken(found.relation, left, right).any(axis=1) & found.feasible
    yield from (int(j) for j in np.flatnonzero(off))


def chosen(statement: Statement) -> tuple[Shape, ...]:
    """Shapes small enough for random instances."""
    small = [s for s in statement.family.shapes if s.get("rounds", 1) * s.get("N", 1) <= 64]
    return tuple(small) or statement.family.shapes[:1]


@each("planted", ONCE, ids=lambda p: p.statement.key)
def test_each_falsehood_is_false(planted: Planted) -> None:
    found = rescore(planted.statement, planted.instance)
    assert found.violated, (found.left, found.right, found.margins, found.detail)
    stated = zip(planted.gives, (found.left, found.right), strict=True)
    assert all(close(text, value) for text, value in stated)


@pytest.mark.parametrize("planted", [p.falsehood for p in GROWTH], ids=lambda p: p.statement.key)
def test_each_ray_grows_by_a_power(planted: Planted) -> None:
    near, far = (rescore(planted.statement, i) for i in (planted.instance, planted.far_instance))
    assert near.assumed
    assert far.assumed
    numbers = (near.left, near.right, far.left, far.right)
    assert all(close(text, value) for text, value in zip(planted.gives, numbers, strict=True))
    growth = (far.left * near.right) / (far.right * near.left)
    assert growth**4 >= 2**planted.doublings
    assert planted.doublings >= 20


@each("planted", PLANTED_FALSEHOODS, ids=lambda p: p.statement.key)
def test_witnesses_lie_in_the_domain(planted: Planted) -> None:
    for place in filter(None, (planted.at, planted.far)):
        for name, real in planted.statement.family.box.items():
            assert all(real.inside(x) for x in fractions(place[name]).flat), name


@each("pair", OUTSIDE, ids=lambda p: p.falsehood.statement.key)
def test_nothing_in_the_box_shows_what_is_false_outside(pair: Pair) -> None:
    statement, at = pair.falsehood.statement, pair.falsehood.at
    for shape in statement.family.shapes:
        assert not list(refuted(statement, points(statement.family, shape, 1)))
    box = statement.family.box
    values = [(real, x) for name, real in box.items() for x in fractions(at[name]).flat]
    assert any(not real.low <= x <= real.high for real, x in values)


@each("pair", MANY, ids=lambda p: p.falsehood.statement.key)
def test_nothing_small_shows_what_is_false_for_many(pair: Pair) -> None:
    statement = pair.falsehood.statement
    first = statement.family.shapes[0]
    assert first != pair.falsehood.shape
    assert not list(refuted(statement, points(statement.family, first, WIDE)))


@each("planted", ACTIVE, ids=lambda p: p.statement.key)
def test_two_to_five_hypotheses_are_active(planted: Planted) -> None:
    found = rescore(planted.statement, planted.instance)
    active = [name for name, (margin, _) in found.margins.items() if margin == 0]
    assert 2 <= len(active) <= 5
    worse = float(max(found.left / found.right, found.right / found.left))
    assert 1.01 <= worse <= 1.05


@each("proved", PROVED_TRUTHS, ids=lambda p: p.statement.key)
@each("factor", [1, WIDE])
def test_no_random_instance_refutes_a_truth(proved: Proved, factor: int) -> None:
    statement = proved.statement
    if statement.quantifier == "some" or statement.relation == "<~":
        return
    for shape in chosen(statement):
        count = POINTS if shape.get("rounds", 1) * shape.get("N", 1) <= 6 else 4
        batch = points(statement.family, shape, factor, count)
        for j in refuted(statement, batch):  # rounding, if the referee agrees with the truth
            assert not rescore(statement, batch[j]).violated


@each("case", KINDS["truth"], ids=lambda c: c.statement.key)
def test_truths_survive_the_witness_of_their_falsehood(case: Case) -> None:
    key = case.statement.key.replace("truth.", "false.", 1)
    planted = next((p for p in PLANTED_FALSEHOODS if p.statement.key == key), None)
    if planted is None or case.statement.relation == "<~":
        return
    names = case.statement.family.box
    at = {k: v for k, v in planted.at.items() if k in names}
    if all(names[k].inside(x) for k, v in at.items() for x in fractions(v).flat):
        found = rescore(case.statement, exactly(case.statement, planted.at, planted.shape))
        assert not found.violated


@each("pair", ACTIVE_PAIRS, ids=lambda p: p.truth.statement.key)
def test_truths_hold_around_the_corner(pair: Pair) -> None:
    # few random instances meet several hypotheses at once, many of those beside the corner do
    truth, falsehood = pair.truth.statement, pair.falsehood
    batch = around(truth, falsehood)
    assert not list(refuted(truth, batch))
    assert score(truth, batch).feasible.sum() >= 8


@pytest.mark.parametrize("proved", EXIST, ids=lambda p: p.statement.key)
def test_what_is_said_to_exist_does(proved: Proved) -> None:
    assert proved.at is not None
    assert rescore(proved.statement, exactly(proved.statement, proved.at, proved.shape)).satisfied


@pytest.mark.parametrize("missing", MISSING, ids=lambda m: m.statement.key)
def test_what_is_said_not_to_exist_is_not_met(missing: Any) -> None:
    statement = missing.statement
    for factor in (1, WIDE):
        for shape in statement.family.shapes:
            batch = points(statement.family, shape, factor)
            met = np.flatnonzero(score(statement, batch).feasible)
            assert set(refuted(statement, batch)) == set(met)


@each("words", EMPTY_WORDS, ids=lambda w: w.statement.key)
def test_empty_words_are_true(words: Words) -> None:
    statement = words.statement
    for shape in statement.family.shapes:
        for factor in (1, WIDE):
            assert not list(refuted(statement, points(statement.family, shape, factor)))
    assert words.why.endswith(".")


def mixes(statement: Statement) -> bool:
    """Whether a score of eight instances differs from eight scores, or from itself later on."""
    shape = statement.family.shapes[0]
    batch = points(statement.family, shape, 1, 8)

    def numbers(instance: Instance) -> list[Any]:
        found = score(statement, instance)
        return [found.left, found.right, *found.margins.values()]

    numbers(batch)
    whole = numbers(batch)
    numbers(points(statement.family, shape, WIDE, 8))
    again = numbers(batch)
    if not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(whole, again, strict=True)):
        return True
    return not all(
        np.allclose(together[j], apart[0], rtol=1e-12, equal_nan=True)
        for j in range(len(batch))
        for together, apart in zip(whole, numbers(batch.rows(slice(j, j + 1))), strict=True)
    )


@each("statement", MIXING, ids=lambda s: s.key)
def test_mixing_sides_are_no_functions_of_one_instance(statement: Statement) -> None:
    assert mixes(statement)


@each("case", CLAIMS, ids=lambda c: c.statement.key)
def test_all_other_sides_are_functions_of_one_instance(case: Case) -> None:
    assert not mixes(case.statement)


@each("pair", ACTIVE_PAIRS, ids=lambda p: p.falsehood.statement.key)
def test_a_check_that_finds_no_fault_in_truths_finds_one_in_falsehoods(pair: Pair) -> None:
    statement = pair.falsehood.statement
    at = {k: v for k, v in pair.falsehood.at.items() if k in statement.family.box}
    one = {k: fractions(v).astype(float)[None] for k, v in at.items()}
    assert list(refuted(statement, statement.family.instance(one, pair.falsehood.shape))) == [0]


def test_stated_numbers_are_compared() -> None:
    assert close("1/3", Fraction(1, 3))
    assert not close("1/3", Fraction(333_333, 1_000_000))
    assert close("0.3333333", Fraction(1, 3))
    assert not close("0.33333", Fraction(1, 3))


def test_the_set_is_as_large_as_it_is_said_to_be() -> None:
    assert len(KINDS["falsehood"]) >= 150
    assert len(KINDS["truth"]) >= 150
    assert len(ACTIVE) >= 20
    assert len(IDLE) >= 8
    assert len({case.statement.key for case in CASES}) == len(CASES)


def test_every_truth_has_a_proof() -> None:
    assert not [p.statement.key for p in PROVED_TRUTHS if not p.proof.endswith(".")]


def test_idle_terms_are_named() -> None:
    for proved, idle in IDLE:
        statement = proved.statement
        world = score(statement, points(statement.family, statement.family.shapes[0], 1, 2))
        assert idle in world.terms[1]
