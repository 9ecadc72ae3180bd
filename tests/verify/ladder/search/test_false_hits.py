"""The search and the referee together: what floats accuse wrongly is dismissed."""

from __future__ import annotations

import numpy as np

from tests.verify.cases import SMALL, claim, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.ladder import assay
from verify.world.score import score

# (x + 10^8) - 10^8 exceeds x by rounding of the sum, up to 1e-8; the second claim is false too
LARGE = 10**8
ROUNDING = claim(lambda w: ({"l": (w.x + LARGE) - LARGE}, {"r": w.x}), numbers(x=Real(0.1, 1)))
FALSE = claim(
    lambda w: ({"l": (w.x + LARGE) - LARGE}, {"r": w.x * 999 / 1000}), numbers(x=Real(0.1, 1))
)


def test_float_hits_are_dismissed_exactly_when_they_are_false() -> None:
    x = np.linspace(0.1, 1, 50)
    raw = score(ROUNDING, Instance("numbers", {}, None, {"x": x}))
    assert (raw.ratio > 1 + 1e-9).any(), "floats do accuse"
    honest, guilty = (assay(s, profile=SMALL.word_alone()) for s in (ROUNDING, FALSE))
    assert honest.verdict != "violated"
    assert honest.witness is None
    assert guilty.verdict == "violated"
