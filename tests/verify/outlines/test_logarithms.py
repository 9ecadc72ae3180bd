"""Logarithms in outlines: a fraction in a narrow ball stands for one on exact runs."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers.ball import Ball
from tests.verify.outlines.library import of, proved
from verify.outlines.converted import converted
from verify.outlines.exact import NotInFractions, enclosed, ends
from verify.outlines.justified import unjustified
from verify.outlines.runs import refused
from verify.proof.scope import used

KEY = "hcct.corollary1.repaired"
LOG = "l[T]"


def test_a_fraction_is_itself_and_a_logarithm_lies_in_its_ball():
    half, log = Fraction(1, 2), xp.log(Fraction(3))
    found = enclosed(np.array([half, log], dtype=object))
    assert list(found) == [half, log]
    low, high = ends(log)
    assert ends(half) == (half, half)
    digits = 1_098_612_288_668_109_691_395_245
    assert Fraction(digits, 10**24) < low < high < Fraction(digits + 1, 10**24)


def test_a_wide_ball_says_not_what_a_number_is():
    with pytest.raises(NotInFractions, match="too wide"):
        enclosed(Ball(0, Fraction(1, 1000)))


@pytest.mark.parametrize(
    ("formula", "said"),
    [(f"{LOG} + 1/10**15", "is 0.69"), (f"2*{LOG}", "is 1.38"), ("eta0", "and what it stands for")],
)
def test_another_number_than_the_logarithm_is_refused(formula, said):
    statement, one = of(KEY)
    wrong = [replace(x, formula=formula) if x.formula == LOG else x for x in one.setting.terms]
    assert wrong != list(one.setting.terms)
    assert said in refused(statement, replace(one.setting, terms=wrong), proved(KEY))


def test_a_side_with_another_logarithm_is_refused():
    statement, one = of(KEY)
    claim = proved(KEY)["claim"]
    right = claim["right"].replace(LOG, f"({LOG} + 1/10**15)")
    assert right != claim["right"]
    document = {**proved(KEY), "claim": {**claim, "right": right}}
    said = converted(statement, one.setting)
    assert unjustified(proved(KEY), one.setting, said) == ""
    assert "its claim is not what" in unjustified(document, one.setting, said)


def test_a_fact_that_a_schema_sums_up_is_one_that_the_proof_uses():
    """Without a step of its own."""
    edge = {"index": "t", "rounds": "T", "of": "0"}
    closed = {"name": "all", "schema": "telescoped", "args": {"step": "similar", **edge}}
    facts = [{"name": name, "rule": "close", "args": {}} for name in ("similar", "idle")]
    assert used({"facts": facts, "steps": [closed]}) == {"similar"}
