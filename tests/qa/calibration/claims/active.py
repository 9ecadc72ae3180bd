"""Two to five hypotheses are active at the worst point; the bound is off by one to five percent."""

from __future__ import annotations

from tests.qa.calibration.claims.active_clients import CLIENTS
from tests.qa.calibration.claims.active_symbols import SYMBOLS
from tests.qa.calibration.record import Pair, falsehoods

ACTIVE_PAIRS: tuple[Pair, ...] = (*SYMBOLS, *CLIENTS)

ACTIVE = falsehoods(ACTIVE_PAIRS)
