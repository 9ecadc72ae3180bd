"""A claim about a class is searched on every family of it, whatever the main one proves."""

from __future__ import annotations

from dataclasses import replace

from tests.verify.cases import SMALL, assume, claim, numbers
from verify.claim.parameters import Family, Real, plain_numbers
from verify.ladder import assay

LOW = replace(numbers(x=Real(0, 1, domain=(0, 1))), about="numbers up to one")
HIGH = Family({"x": Real(2, 3)}, ({},), plain_numbers, "numbers from two on")
APART = Family({"x": Real(0, 1, per=("d",), domain=(0, 1))}, ({"d": 1},), about="vectors")


def test_a_witness_from_a_further_family_outranks_a_proof() -> None:
    # the proof needs a gap that is not negative, which the further family does not build in
    proved = claim(
        lambda w: ({"x": w.x}, {"r": w.x + w.gap}), numbers(x=Real(0, 1), gap=Real(0, 1))
    )
    negative = numbers(x=Real(0, 1), gap=Real(-1, 0))
    assert assay(proved, profile=SMALL).verdict == "proved"
    found = assay(replace(proved, also=(negative,)), profile=SMALL)
    assert found.verdict == "violated"
    assert found.witness is not None


def test_a_proof_says_what_it_covers() -> None:
    true = claim(lambda w: ({"x": w.x}, {"r": w.x + w.x**2}), replace(LOW))
    found = assay(replace(true, also=(HIGH,)), profile=SMALL)
    assert found.verdict == "proved"
    assert "numbers up to one" in found.reason
    assert "numbers from two on" in found.scope
    alone = assay(true, profile=SMALL)
    assert "on numbers" not in alone.reason


def test_a_family_that_misses_the_hypotheses_says_nothing() -> None:
    given = assume({"x <= 1": lambda w: 1 - w.x[..., 0]})
    true = claim(lambda w: ({"x^2": w.x[..., 0] ** 2}, {"x": w.x[..., 0]}), APART, given=given)
    beyond = Real(2, 3, per=("d",), domain=(2, 3))
    outside = replace(APART, box={"x": beyond}, about="nothing that counts")
    unproved = replace(SMALL, proof=0)
    found = assay(replace(true, also=(outside,)), profile=unproved)
    assert found.verdict == assay(true, profile=unproved).verdict == "holds"
    assert "nothing that counts" not in found.scope
    told = [e for e in found.evidence if e.summary.startswith("nothing that counts")]
    assert told
    assert {e.status for e in told} == {"not-applicable"}


def test_power_and_tightness_are_over_all_families() -> None:
    # the main family is far from the bound; the further one is tight and kills what it can
    sides = lambda w: ({"x": w.x[..., 0]}, {"one": 1 + 0 * w.x[..., 0]})  # noqa: E731
    slack = replace(APART, box={"x": Real(0, 1 / 8, per=("d",), domain=(0, 1 / 8))})
    statement = claim(sides, slack)
    alone = assay(statement, profile=SMALL)
    found = assay(replace(statement, also=(APART,)), profile=SMALL)
    assert alone.tightness is not None
    assert found.tightness is not None
    assert (alone.tightness["ratio"], found.tightness["ratio"]) == (1 / 8, 1.0)
    assert alone.power is not None
    assert found.power is not None
    assert "0.9 [one]" in alone.power["survivors"]
    assert "0.9 [one]" not in found.power["survivors"]


def test_a_witness_of_the_further_family_is_one_for_the_leaf() -> None:
    statement = claim(lambda w: ({"x": w.x**2}, {"r": w.x}), LOW)
    found = assay(replace(statement, also=(HIGH,)), profile=SMALL)
    assert found.verdict == "violated"
    assert found.reason.startswith("numbers from two on")


def test_a_mend_must_stand_on_every_family() -> None:
    # twice the bound is enough on the main family, not on the further one
    slow = replace(LOW, box={"x": Real(1, 2), "y": Real(0, 0)})
    fast = replace(HIGH, box={"x": Real(1, 2), "y": Real(0, 1, domain=(0, 1))})
    statement = claim(lambda w: ({"l": 2 * w.x + w.y}, {"r": w.x + 0 * w.y}), slow)
    alone = assay(statement, profile=SMALL)
    found = assay(replace(statement, also=(fast,)), profile=SMALL)
    twice = "2 times the right side"
    assert twice in [repair["mend"] for repair in alone.repairs]
    assert found.repairs
    assert twice not in [repair["mend"] for repair in found.repairs]
