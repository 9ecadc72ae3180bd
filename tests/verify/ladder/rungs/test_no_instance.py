"""Where exact numbers have no instance, floats may have one that breaks a claim: it is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from tests.verify.cases import SMALL, claim, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Real, Shape
from verify.ladder import assay
from verify.ladder.rungs.climb import Climb
from verify.verdict.verdict import INCONCLUSIVE


def _over_rounding(values: Mapping[str, Any], _: Shape) -> Instance:
    """One over what is zero but for rounding."""
    x = values["x"]
    third = x * 3 - x - x - x
    return Instance("numbers", {"x": x, "y": 1 / third}, None, {})


FAMILY = replace(numbers(x=Real(1 / 10, 7 / 10)), build=_over_rounding)
CLAIM = claim(lambda w: ({"|y|": xp.absolute(w.y)}, {"1": 1}), FAMILY)


def test_a_float_without_an_exact_instance_breaks_nothing() -> None:
    climb = Climb(CLAIM, SMALL, 0, "cpu")
    list(climb.searched())
    assert climb.pool.tops[0].ratio > 1e9
    assert climb.heard.exact({"x": 1 / 10}, {}) is None
    assert climb.witness is None
    assert assay(CLAIM, profile=SMALL).verdict == INCONCLUSIVE
