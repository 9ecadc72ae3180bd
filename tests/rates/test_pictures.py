"""Pictures of rates: one for each theorem and class, all forms in it, captions for a report."""

from __future__ import annotations

import json
from pathlib import Path

from verify.catalogue.rates import select
from verify.rates.many import Size
from verify.report.rate_pictures import draw_rates, groups, theorem_of
from verify.run.curves import rates_json

SIZE = Size(federations=4, rounds=10, replicates=8, largest=16)


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
        "adaptive.theorem2.const.repaired", "adaptive.theorem2.const.refined",
    ]
    assert {theorem_of(rate) for rate in rates} == {"adaptive.theorem2.const"}
