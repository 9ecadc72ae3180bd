"""Pictures of rates: one for each theorem and class, all forms in it, captions for a report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from verify.catalogue.rates import rate_of, select
from verify.rates.many import Size, measure
from verify.rates.seen import worlds
from verify.report.rate_pictures import draw_rates, groups, theorem_of
from verify.run.curves import rates_json
from verify.world.noise_plan import Samples
from verify.world.returned import sides_of

SIZE = Size(federations=4, rounds=10, replicates=8, largest=16)


@pytest.mark.slow
def test_forms_of_a_theorem_stand_in_one_picture(tmp_path: Path) -> None:
    rates = select(["adaptive.theorem2.const.*"])
    made = rates_json(rates, SIZE, None)
    sizes = {name: len(group) for name, group in groups(made)}
    assert sizes == {
        "rate_adaptive_theorem2_const_quadratics": 2,
        "rate_adaptive_theorem2_const_polyak_lojasiewicz": 1,
        "rate_adaptive_theorem2_const_logistic_losses": 1,
        "rate_adaptive_theorem2_const_log_cosh_losses": 1,
        "rate_adaptive_theorem2_const_growing_noise": 1,
    }
    paths = draw_rates(made, tmp_path)
    assert {path.stem for path in paths} == set(sizes)
    said = json.loads((tmp_path / "captions.json").read_text())
    assert said["rate_adaptive_theorem2_const_quadratics"]["entries"] == [
        "adaptive.theorem2.const.repaired",
        "adaptive.theorem2.const.refined",
    ]
    assert {theorem_of(rate) for rate in rates} == {"adaptive.theorem2.const"}


@pytest.mark.parametrize(
    "key",
    [
        "allforall.lemma4b [relative quadratics]",
        "aggregation.theorem3.refined [quadratics]",
    ],
)
def test_what_a_picture_calls_measured_is_the_side_as_written(key: str) -> None:
    """The bounds subtract a term, which the comparison counts on the other side."""
    rate = rate_of(key)
    found = measure(rate, [0], SIZE)
    instance, plan = rate.federation(0, SIZE.seed).batched(), Samples(0, 2, 0, "cpu")
    for k, (_, world) in enumerate(worlds(rate, instance, found.times, plan)):
        left, right = (
            sum(float(np.asarray(term).item()) for term in side.values())
            for side in sides_of(rate.claim, world)
        )
        assert found.measured[0, k] == pytest.approx(left, rel=1e-9)
        assert found.bound[0, k] == pytest.approx(right, rel=1e-9)
    assert (found.left > (1 + 1e-6) * found.measured).any()  # the claim is one of the kind
