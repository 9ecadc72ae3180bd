"""All claims of known truth, kind by kind."""

from __future__ import annotations

from tests.qa.own.claims import (
    decreasing,
    drift,
    given,
    large,
    momentum,
    needles,
    participation,
    quantified,
    rare,
    thresholds,
    weighted,
)
from tests.qa.own.record import Own

FILES = (
    needles,
    rare,
    large,
    momentum,
    participation,
    decreasing,
    quantified,
    thresholds,
    given,
    weighted,
    drift,
)

EVERY: tuple[Own, ...] = tuple(claim for file in FILES for claim in file.own.claims)
