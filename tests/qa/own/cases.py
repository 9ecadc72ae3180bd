"""All claims of known truth, kind by kind."""

from __future__ import annotations

from tests.qa.own.claims import (
    classes,
    decreasing,
    drift,
    given,
    large,
    momentum,
    needles,
    participation,
    quantified,
    rare,
    sizes,
    thresholds,
    weighted,
    windows,
)
from tests.qa.own.record import Own

FILES = (
    needles,
    rare,
    sizes,
    large,
    momentum,
    participation,
    decreasing,
    quantified,
    thresholds,
    given,
    weighted,
    windows,
    drift,
    classes,
)

EVERY: tuple[Own, ...] = tuple(claim for file in FILES for claim in file.own.claims)
