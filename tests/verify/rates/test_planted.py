"""False rates are crossed or accused, true ones never."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.places import EXPECTED
from tests.verify.rates.planted import FALSE
from verify.catalogue.rates import every_rate
from verify.rates.findings import ACCUSED, CROSSED, finding, part
from verify.rates.many import PROFILES, Size, batches, measure
from verify.rates.record import Rate
from verify.run.curves import confirmed

SMALL = Size(federations=5, rounds=10, replicates=16, largest=8)


def found(rate: Rate, size: Size) -> dict[str, object]:
    return finding(rate, [part(n, measure(rate, n, size)) for n in batches(rate, size)])


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if k % 2 else []) for k, n in enumerate(FALSE)],
)
@pytest.mark.every(2)
def test_a_false_rate_is_found_at_the_quick_profile(name: str) -> None:
    rate, size = FALSE[name], PROFILES["quick"]
    made = found(rate, size)
    if made["exact"]:
        assert made["word"] == CROSSED
        return
    assert made["word"] == ACCUSED
    assert made["log10_e"] >= 6
    assert confirmed(rate, made, size)["word"] == ACCUSED


SEEDS = (0, 1, 2, 3, 4)
STANDING = [r for r in every_rate() if r.statement.form != "printed"]


@pytest.mark.parametrize("rate", STANDING, ids=lambda rate: rate.key)
@pytest.mark.every(9)
def test_a_standing_rate_is_not_accused(rate: Rate) -> None:
    """At most one in 10^9 by chance, as the mean of all e-values is one e-value."""
    not_accused(rate, SEEDS[:3])


@pytest.mark.slow
@pytest.mark.parametrize("rate", STANDING, ids=lambda rate: rate.key)
def test_a_standing_rate_is_not_accused_on_more_seeds(rate: Rate) -> None:
    not_accused(rate, SEEDS)


def not_accused(rate: Rate, seeds: Sequence[int]) -> None:
    logs = []
    for seed in seeds:
        made = found(rate, replace(SMALL, seed=seed))
        assert made["word"] not in (CROSSED, ACCUSED)
        logs.append(made["log10_e"])
    assert np.log10(np.mean(10.0 ** np.array(logs))) < 9


@pytest.mark.parametrize("paper", ["adaptive", "allforall", "hcct"])
def test_only_what_the_ladder_refutes_is_crossed(paper: str) -> None:
    """Two ways that share no instance agree on every printed form, and some do fall here too."""
    expected = EXPECTED / "quick.json"
    verdicts = json.loads(expected.read_text())["leaves"]
    size = replace(PROFILES["quick"], largest=64)
    printed = [r for r in every_rate() if r.paper == paper and r.statement.form == "printed"]
    exact = [r for r in printed if r.way != "samples"]
    crossed = [r.statement.key for r in exact if found(r, size)["word"] == CROSSED]
    assert crossed
    assert {verdicts[key]["verdict"] for key in crossed} == {"violated"}
